//! Looking for a run whose answer was lost: by title, author and time.

use std::collections::HashSet;
use std::sync::Arc;

use serde_json::Value;

use super::changes::Changing;
use super::connection::Connection;
use super::journal::newest;
use super::local;
use super::written::{READINGS, Sent};
use crate::disk::{Journal, Step};
use crate::domain::{CreateEnd, DocRef, Document, Filter, Lookup, NewRun, Page, RunRow, Sort};
use crate::rpc::{CallError, CallErrorKind};
use crate::store::Failure;

/// How far the clock of the service may be behind ours, in milliseconds.
const SKEW: i64 = 120_000;
/// Runs asked for at once, and pages at most: the run is among the newest, or it is not there.
const PAGE: u32 = 50;
const PAGES: usize = 4;
/// The same when time has passed since it was sent.
const PAGES_LATER: usize = 20;

/// What is looked for.
struct Wanted<'a> {
    titles: &'a [String],
    /// Nothing older is it, epoch milliseconds.
    since: i64,
    /// None of these is it.
    known: HashSet<DocRef>,
    /// Pages at most.
    pages: usize,
}

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
    pub(super) async fn look_for(
        &self,
        sent: &Sent<DocRef>,
        error: &CallError,
        new: &NewRun,
    ) -> CreateEnd {
        let titles = [new.title.clone()];
        let known = self
            .connection
            .known(Some(self.journal.clone()), sent.at)
            .await;
        let wanted = Wanted {
            titles: &titles,
            since: sent.at - SKEW,
            known,
            pages: PAGES,
        };
        let mut last = Err("it was not looked for".to_owned());
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            last = self.connection.look(&wanted).await;
            if last.as_ref().is_ok_and(|looked| !looked.found.is_empty()) {
                break;
            }
        }
        let why = format!("{}; not sent again", error.came_back());
        let looked = match last {
            Ok(looked) => looked,
            Err(problem) => {
                return CreateEnd::Unknown {
                    why,
                    found: Err(problem),
                };
            }
        };
        let words = looked.words();
        let step = match (looked.found.is_empty(), looked.far) {
            (true, true) => Step::Differs {
                what: format!("{words}: the service did not act, as far as the list tells"),
            },
            (true, false) => Step::Unknown {
                failure: words.clone(),
            },
            (false, _) => Step::Unknown {
                failure: format!("{words}; whether one of them is it, a person decides"),
            },
        };
        self.add_step("", &new.title, &sent.write, step).await;
        CreateEnd::Unknown {
            why: format!("{why}. Looked for it: {words}"),
            found: Ok(looked.found),
        }
    }
}

impl Connection {
    /// Looks once more, by title, author and time, for runs whose answer was lost a while ago.
    pub(super) async fn look_again(
        &self,
        journal: Option<Arc<Journal>>,
        titles: &[String],
        sent: i64,
    ) -> Result<Lookup, Failure> {
        let known = self.known(journal, sent).await;
        let wanted = Wanted {
            titles,
            since: sent - SKEW,
            known,
            pages: PAGES_LATER,
        };
        match self.look(&wanted).await {
            Ok(looked) => Ok(Lookup {
                words: looked.words(),
                found: looked.found,
            }),
            Err(why) => Err(local(
                "looking for what was sent",
                &why,
                "Ctrl-s in the form looks again",
            )),
        }
    }

    /// References of runs whose making was sent before and answered: none of them can be one whose answer was lost. One
    /// that was made later may be what the person is about to make again.
    async fn known(&self, journal: Option<Arc<Journal>>, sent: i64) -> HashSet<DocRef> {
        let (Some(journal), profile) = (journal, self.session().profile) else {
            return HashSet::new();
        };
        // Without the journal they are merely found, too: a person decides.
        let read = tokio::task::spawn_blocking(move || newest(&journal, Some(profile))).await;
        let Ok(Ok(read)) = read else {
            return HashSet::new();
        };
        let before = read.writes.iter().filter(|write| write.at < sent);
        let answers = before
            .flat_map(|write| &write.steps)
            .filter_map(|step| match &step.step {
                Step::Answered { result } => DocRef::parse(result["docRef"].as_str()?).ok(),
                _ => None,
            });
        answers.collect()
    }

    /// Looks once, newest runs first.
    async fn look(&self, wanted: &Wanted<'_>) -> Result<Looked, String> {
        let newest = [Sort {
            path: "Root.Metadata.CreatedOn".into(),
            descending: true,
        }];
        let (lister, filter, user) = (self.lister(), Filter::default(), self.user());
        let mut sort = &newest[..];
        let mut looked = Looked::default();
        for number in 0..wanted.pages {
            let page = Page {
                offset: looked.seen,
                limit: PAGE,
            };
            let list = match lister.documents(page, sort, &filter).await {
                // By which paths can be sorted is not documented (4.2).
                Err(error) if number == 0 && matches!(error.kind, CallErrorKind::Service(_)) => {
                    sort = &[];
                    lister.documents(page, sort, &filter).await
                }
                other => other,
            };
            let list = list.map_err(|error| {
                format!("the list of runs could not be read: {}", error.came_back())
            })?;
            for document in &list.entries {
                looked.take(document, wanted, &user);
            }
            looked.seen += list.entries.len() as u64;
            looked.far = looked.seen >= list.full_size
                || !sort.is_empty() && past(&list.entries, wanted.since);
            if looked.far || list.entries.is_empty() {
                break;
            }
        }
        Ok(looked)
    }
}

impl Looked {
    fn take(&mut self, document: &Document, wanted: &Wanted<'_>, user: &str) {
        let title = document.text("Root.General.Title").unwrap_or_default();
        let titled = wanted
            .titles
            .iter()
            .any(|wanted| wanted.trim() == title.trim());
        // A run that does not say when it was made may be it.
        let young = created_on(document).is_none_or(|at| at >= wanted.since);
        if !titled || !young || wanted.known.contains(document.doc_ref()) {
            return;
        }
        match document
            .at("Root.Metadata.CreatedBy")
            .and_then(Value::as_str)
        {
            Some(author) if author != user => self.others.push(author.to_owned()),
            _ if self
                .found
                .iter()
                .any(|row| row.doc_ref == *document.doc_ref()) => {}
            _ => self.found.push(RunRow::from_document(document)),
        }
    }

    fn words(&self) -> String {
        let found = match &self.found[..] {
            [] => "no new run has this title and author".to_owned(),
            rows => {
                let names: Vec<String> = rows
                    .iter()
                    .map(|row| format!("{} ({})", row.name(), row.doc_ref))
                    .collect();
                format!("found {} of this title and author", names.join(", "))
            }
        };
        let far = if self.far {
            ""
        } else {
            ", which may not be all that are new"
        };
        let others = match &self.others[..] {
            [] => String::new(),
            authors => {
                format!(
                    "; of this title, but made by somebody else: {} ({})",
                    authors.len(),
                    authors.join(", ")
                )
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
    times.is_some_and(|times| {
        times.is_sorted_by(|a, b| a >= b) && times.last().is_some_and(|at| *at < since)
    })
}
