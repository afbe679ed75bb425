//! Looking for a run whose answer was lost: by title, author and time.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use serde_json::Value;

use super::client::Client;
use super::local;
use super::write::{Sent, Writing, until};
use crate::disk::{Journal, Recorded};
use crate::domain::{
    DocRef, Document, Failure, Filter, Lookup, NewRun, Outcome, Page, RunRow, Sort,
};
use crate::rpc::CallError;

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

impl Writing {
    /// Looks for a run that may have been made. Whether it is the one, a person decides.
    pub(super) async fn look_for(
        &self,
        sent: &Sent<DocRef>,
        error: &CallError,
        new: &NewRun,
    ) -> Outcome {
        let titles = [new.title.clone()];
        let known = self.client.known(Some(self.journal.clone()), sent.at).await;
        let wanted = Wanted {
            titles: &titles,
            since: sent.at - SKEW,
            known,
            pages: PAGES,
        };
        let pauses = self.client.settings.pauses.clone();
        let unread = Err("it was not looked for".to_owned());
        let looked = until(pauses, unread, || async {
            match self.client.look(&wanted).await {
                Ok(looked) if !looked.found.is_empty() => ControlFlow::Break(Ok(looked)),
                looked => ControlFlow::Continue(looked),
            }
        })
        .await;
        let why = format!("{}; not sent again", error.came_back());
        let looked = match looked {
            Ok(looked) => looked,
            Err(problem) => {
                return Outcome::unknown(format!("{why}. Looking for it failed: {problem}"));
            }
        };
        let words = looked.words();
        let said = match (looked.found.is_empty(), looked.far) {
            (true, true) => Recorded::Differs {
                what: format!("{words}: the service did not act, as far as the list tells"),
            },
            (true, false) => Recorded::Unknown {
                failure: words.clone(),
            },
            (false, _) => Recorded::Unknown {
                failure: format!("{words}; whether one of them is it, a person decides"),
            },
        };
        self.record("", &new.title, &sent.write, said).await;
        Outcome {
            found: Some(looked.found),
            ..Outcome::unknown(format!("{why}. Looked for it: {words}"))
        }
    }
}

impl Client {
    /// Looks once more, by title, author and time, for runs whose answer was lost a while ago.
    pub async fn look_again(
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
        let (Some(journal), profile) = (journal, self.settings.profile.clone()) else {
            return HashSet::new();
        };
        // Without the journal they are merely found, too: a person decides.
        let read = tokio::task::spawn_blocking(move || journal.newest(Some(profile))).await;
        let Ok(Ok(read)) = read else {
            return HashSet::new();
        };
        let before = read.writes.iter().filter(|write| write.at < sent);
        let answers = before
            .flat_map(|write| &write.steps)
            .filter_map(|step| match &step.step {
                Recorded::Answered { result } => DocRef::parse(result["docRef"].as_str()?).ok(),
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
        let (lister, filter, user) = (&self.lister, Filter::default(), self.user());
        let mut sort = &newest[..];
        let mut looked = Looked::default();
        for number in 0..wanted.pages {
            let page = Page {
                offset: looked.seen,
                limit: PAGE,
            };
            let list = match lister.documents(page, sort, &filter).await {
                // By which paths can be sorted is not documented (4.2).
                Err(error) if number == 0 && error.is_of_the_service() => {
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
