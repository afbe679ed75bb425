//! Looking for a run whose answer was lost: by title, author and time.

use std::collections::HashSet;

use serde_json::Value;

use super::changes::Changing;
use super::journal::newest;
use super::written::{READINGS, Sent};
use crate::disk::Step;
use crate::model::{CreateEnd, DocRef, Document, Filter, NewRun, Page, RunRow, Sort};
use crate::rpc::{CallError, CallErrorKind};

/// How far the clock of the service may be behind ours, in milliseconds.
const SKEW: i64 = 120_000;
/// Runs asked for at once, and pages at most: the run is among the newest, or it is not there.
const PAGE: u32 = 50;
const PAGES: usize = 4;

/// What was found.
#[derive(Default)]
struct Looked {
    /// Runs that may be it.
    found: Vec<RunRow>,
    /// Authors of other runs of that title and time.
    others: Vec<String>,
    /// Runs looked at.
    seen: u64,
    /// Everything was looked at that can be new enough.
    far: bool,
}

impl Changing {
    /// Looks for a run that may have been made, three times at most. Whether it is the one, a person decides.
    pub(super) async fn look_for(&self, sent: &Sent<DocRef>, error: &CallError, new: &NewRun) -> CreateEnd {
        let known = self.known().await;
        let mut last = Err("it was not looked for".to_owned());
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            last = self.look(new, sent.at - SKEW, &known).await;
            if last.as_ref().is_ok_and(|looked| !looked.found.is_empty()) {
                break;
            }
        }
        let why = format!("sent, outcome unknown ({}); not sent again", error.came_back());
        let looked = match last {
            Ok(looked) => looked,
            Err(problem) => return CreateEnd::Unknown { why, found: Err(problem) },
        };
        let words = looked.words();
        let step = match (looked.found.is_empty(), looked.far) {
            (true, true) => {
                Step::Differs { what: format!("{words}: the service did not act, as far as the list tells") }
            }
            (true, false) => Step::Unknown { failure: words.clone() },
            (false, _) => Step::Unknown { failure: format!("{words}; whether one of them is it, a person decides") },
        };
        self.add_step("", &new.title, &sent.write, step).await;
        CreateEnd::Unknown { why: format!("{why}. Looked for it: {words}"), found: Ok(looked.found) }
    }

    /// References of runs whose making was answered: none of them can be one whose answer was lost.
    async fn known(&self) -> HashSet<DocRef> {
        let (journal, profile) = (self.journal.clone(), self.connection.session().profile);
        // Without the journal they are merely found, too: a person decides.
        let read = tokio::task::spawn_blocking(move || newest(&journal, Some(profile))).await;
        let Ok(Ok(read)) = read else { return HashSet::new() };
        let answers = read.writes.iter().flat_map(|write| &write.steps).filter_map(|step| match &step.step {
            Step::Answered { result } => DocRef::parse(result["docRef"].as_str()?).ok(),
            _ => None,
        });
        answers.collect()
    }

    /// Looks once, newest runs first.
    async fn look(&self, new: &NewRun, since: i64, known: &HashSet<DocRef>) -> Result<Looked, String> {
        let newest = [Sort { path: "Root.Metadata.CreatedOn".into(), descending: true }];
        let (lister, filter) = (self.connection.lister(), Filter::default());
        let mut sort = &newest[..];
        let mut looked = Looked::default();
        for number in 0..PAGES {
            let page = Page { offset: looked.seen, limit: PAGE };
            let list = match lister.documents(page, sort, &filter).await {
                // By which paths can be sorted is not documented (4.2).
                Err(error) if number == 0 && matches!(error.kind, CallErrorKind::Service(_)) => {
                    sort = &[];
                    lister.documents(page, sort, &filter).await
                }
                other => other,
            };
            let list = list.map_err(|error| format!("the list of runs could not be read: {}", error.came_back()))?;
            for document in &list.entries {
                looked.take(document, new, &self.connection.user(), since, known);
            }
            looked.seen += list.entries.len() as u64;
            looked.far = looked.seen >= list.full_size || !sort.is_empty() && past(&list.entries, since);
            if looked.far || list.entries.is_empty() {
                break;
            }
        }
        Ok(looked)
    }
}

impl Looked {
    fn take(&mut self, document: &Document, new: &NewRun, user: &str, since: i64, known: &HashSet<DocRef>) {
        let titled = document.text("Root.General.Title").is_some_and(|title| title.trim() == new.title.trim());
        // A run that does not say when it was made may be it.
        let young = created_on(document).is_none_or(|at| at >= since);
        if !titled || !young || known.contains(document.doc_ref()) {
            return;
        }
        match document.at("Root.Metadata.CreatedBy").and_then(Value::as_str) {
            Some(author) if author != user => self.others.push(author.to_owned()),
            _ if self.found.iter().any(|row| row.doc_ref == *document.doc_ref()) => {}
            _ => self.found.push(RunRow::from_document(document)),
        }
    }

    fn words(&self) -> String {
        let found = match &self.found[..] {
            [] => "no new run has this title and author".to_owned(),
            rows => {
                let names: Vec<String> = rows.iter().map(|row| format!("{} ({})", row.name(), row.doc_ref)).collect();
                format!("found {} of this title and author", names.join(", "))
            }
        };
        let far = if self.far { "" } else { ", which may not be all that are new" };
        let others = match &self.others[..] {
            [] => String::new(),
            authors => {
                format!("; of this title, but made by somebody else: {} ({})", authors.len(), authors.join(", "))
            }
        };
        format!("{found}, among {} runs{far}{others}", self.seen)
    }
}

fn created_on(document: &Document) -> Option<i64> {
    document.integer("Root.Metadata.CreatedOn")
}

/// Whether a page has come down to older runs: only if it is in the order that was asked for.
fn past(entries: &[Document], since: i64) -> bool {
    let times: Option<Vec<i64>> = entries.iter().map(created_on).collect();
    times.is_some_and(|times| times.is_sorted_by(|a, b| a >= b) && times.last().is_some_and(|at| *at < since))
}
