//! How a write is taken back, by what the service has now. Nothing is sent but reads.

use std::collections::HashMap;
use std::path::PathBuf;

use super::connection::Connection;
use super::create::{differing, named, short};
use super::journal::{kept, texts, values};
use super::saved::editor;
use super::suites::failure;
use super::undo::{Deed, cannot};
use crate::attached::available_suites;
use crate::disk::{Trash, TrashCopy};
use crate::domain::{
    Attachment, Create, Delete, DocRef, Document, NewRun, RunField, SuiteChange, SuiteRow, Undo,
    UndoBy, texts_of,
};
use crate::store::Failure;

/// What undoing does, its words, and what the person should know.
type Plan = (UndoBy, String, Vec<String>);

impl Connection {
    /// The plan for one deed.
    pub(super) async fn plan(&self, deed: &Deed<'_>) -> Result<Box<Undo>, Failure> {
        let method = deed.write.request().map(|(method, _)| method);
        let (by, what, mut warnings) = match method {
            Some("MODIFY_DOCUMENT") => self.fields_back(deed).await,
            Some("ADD_DOCUMENT") => self.made_back(deed).await,
            Some("DELETE_TEST_RUN") => self.rebuild(deed).await,
            _ => {
                self.suites_back(deed, method == Some("ADD_TEST_SUITES_TO_RUN"))
                    .await
            }
        }?;
        if let Some(state) = deed.tried {
            warnings.insert(
                0,
                format!(
                    "Taking it back was tried before: {}. Look first what came of that.",
                    state.words()
                ),
            );
        }
        Ok(Box::new(Undo {
            write: deed.id.to_owned(),
            what,
            by,
            warnings,
        }))
    }

    async fn fields_back(&self, deed: &Deed<'_>) -> Result<Plan, Failure> {
        let (before, after) = texts(deed.write)
            .ok_or_else(|| cannot("the journal does not hold what the fields held before"))?;
        let values = values(deed.write).unwrap_or_default();
        let now = self.now(&reference(deed)?).await?;
        let texts = texts_of(&now);
        let holds = |field: &RunField| texts.get(field).map_or("", String::as_str);
        if before.iter().all(|(field, text)| holds(field) == text) {
            return Err(cannot("the run holds the old values already"));
        }
        let who = editor(&now)
            .map(|editor| format!("; the run was last edited by {editor}"))
            .unwrap_or_default();
        let mut warnings: Vec<String> = after
            .iter()
            .filter(|(field, text)| holds(field) != *text)
            .map(|(field, _)| {
                format!(
                    "{} was changed since: it is \"{}\" now{who}.",
                    field.name(),
                    short(holds(field))
                )
            })
            .collect();
        if before.contains_key(&RunField::Status) {
            warnings.push("It changes Status; what that does besides is not documented.".into());
        }
        let fields: Vec<&str> = before.keys().map(|field| field.name()).collect();
        let what = format!("changed {} of {}", fields.join(", "), named(&now));
        Ok((
            UndoBy::Modify {
                before,
                values,
                after,
                now: Box::new(now),
            },
            what,
            warnings,
        ))
    }

    async fn suites_back(&self, deed: &Deed<'_>, added: bool) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let now = self.now(&run).await?;
        if now.text("Root.General.Status").as_deref() == Some("inactive") {
            return Err(cannot("the run is closed: its suites cannot be changed"));
        }
        let list = available_suites(&self.client(), &run, self.page_size(), &|_, _| {})
            .await
            .map_err(|fault| failure(&fault))?;
        let free: HashMap<&DocRef, &SuiteRow> = list.refs().zip(&list.entries).collect();
        let name = |suite: &DocRef, kept: Option<&str>| match (kept, free.get(suite)) {
            (Some(kept), _) => kept.to_owned(),
            (None, Some(row)) => format!(
                "{} {}",
                row.name(),
                row.title.as_deref().unwrap_or_default()
            ),
            (None, None) => suite.to_string(),
        };
        let all: Vec<(DocRef, String)> = deed
            .suites
            .iter()
            .filter_map(|(suite, kept)| Some((DocRef::parse(suite).ok()?, *kept)))
            .map(|(suite, kept)| (suite.clone(), name(&suite, kept)))
            .collect();
        let (suites, changed): (Vec<_>, Vec<_>) = all
            .into_iter()
            .partition(|(suite, _)| free.contains_key(suite) != added);
        let since = if added {
            "not in the run any more"
        } else {
            "in the run again, or cannot be added any more"
        };
        if suites.is_empty() {
            return Err(cannot(&format!(
                "nothing is left to take back: all of these suites are {since}"
            )));
        }
        let mut warnings = vec![
            if added {
                "What becomes of results recorded in these suites is not documented."
            } else {
                "Results that were recorded in these suites may not come back: that is not documented."
            }
            .to_owned(),
        ];
        if !changed.is_empty() {
            let names: Vec<&str> = changed.iter().map(|(_, name)| name.as_str()).collect();
            warnings.push(format!(
                "Left out, because they are {since}: {}.",
                names.join(", ")
            ));
        }
        let id = now.text("Root.General.Id");
        let row = match &id {
            Some(id) => self.listed(&run, id).await,
            None => None,
        };
        let suites_word = if suites.len() == 1 { "suite" } else { "suites" };
        let (verb, place) = if added {
            ("added", "to")
        } else {
            ("removed", "from")
        };
        let what = format!(
            "{verb} {} {suites_word} {place} {}",
            suites.len(),
            named(&now)
        );
        let change = SuiteChange {
            run,
            run_name: named(&now),
            run_id: id,
            adds: !added,
            suites,
            stake: row.as_ref().and_then(|row| row.results.clone()),
            count: row.and_then(|row| row.suite_count),
            undo_of: Some(deed.id.to_owned()),
        };
        Ok((UndoBy::Suites(Box::new(change)), what, warnings))
    }

    async fn made_back(&self, deed: &Deed<'_>) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let now = self.now(&run).await?;
        let empty = self
            .reader()
            .check_test_run_empty(&run)
            .await
            .map_err(|error| Failure::from(&error))?;
        if !empty {
            return Err(cannot("the run is not empty: its suites have to go first"));
        }
        let sent = deed
            .write
            .request()
            .map(|(_, params)| params["document"].clone())
            .unwrap_or_default();
        let sent =
            Document::from_value(serde_json::json!({"docRef": run.as_str(), "document": sent}));
        let mut warnings = Vec::new();
        let changed = sent
            .map(|sent| differing(&texts_of(&sent), &texts_of(&now)))
            .unwrap_or_default();
        if !changed.is_empty() {
            let who = editor(&now)
                .map(|editor| format!(", last by {editor}"))
                .unwrap_or_default();
            warnings.push(format!(
                "It was changed since{who}: {}.",
                changed.join("; ")
            ));
        }
        warnings.push("A copy goes to the trash folder first.".into());
        let run_name = named(&now);
        let what = format!("made {run_name}");
        let delete = Delete {
            run,
            run_name,
            copy: None,
            undo_of: Some(deed.id.to_owned()),
        };
        Ok((UndoBy::Delete(delete), what, warnings))
    }

    async fn rebuild(&self, deed: &Deed<'_>) -> Result<Plan, Failure> {
        let run = reference(deed)?;
        let file = kept(deed.write, "copy").and_then(|file| file.as_str());
        let file = PathBuf::from(file.ok_or_else(|| cannot("no copy was kept of this run"))?);
        let copy = tokio::task::spawn_blocking(move || Trash::read(&file)).await;
        let copy = copy
            .map_err(|error| cannot(&error.to_string()))?
            .map_err(|error| cannot(&error.to_string()))?;
        if *copy.document.doc_ref() != run || copy.profile != self.session().profile {
            return Err(cannot("the file of the copy holds another run"));
        }
        if self.reader().get_document(&run).await.is_ok() {
            return Err(cannot("the run can still be read: it is not deleted"));
        }
        let run = NewRun::of_texts(&texts_of(&copy.document));
        let mut warnings = lost(&copy);
        let mut suites = copy.suites;
        if run.status == "inactive" && !suites.is_empty() {
            warnings.push(format!(
                "The copy is of a closed run: its {} suites cannot be added.",
                suites.len()
            ));
            suites.clear();
        } else if !suites.is_empty() {
            warnings.push(format!(
                "{} suites are added; known of them was: {}.",
                suites.len(),
                copy.known
            ));
        }
        let origin = format!("rebuilt from the copy of {}", copy.run_name);
        let create = Create {
            runs: vec![run],
            suites,
            origin,
            undo_of: Some(deed.id.to_owned()),
        };
        Ok((
            UndoBy::Rebuild(create),
            format!("deleted {}", copy.run_name),
            warnings,
        ))
    }

    async fn now(&self, run: &DocRef) -> Result<Document, Failure> {
        self.reader()
            .get_document(run)
            .await
            .map_err(|error| Failure::from(&error))
    }
}

fn reference(deed: &Deed<'_>) -> Result<DocRef, Failure> {
    DocRef::parse(&deed.write.run).map_err(|error| cannot(&error.to_string()))
}

/// What of a deleted run does not come back.
fn lost(copy: &TrashCopy) -> Vec<String> {
    let mut parts = vec![
        "TechnicalId".to_owned(),
        "who made, edited or closed it and when".to_owned(),
    ];
    match copy.counts.as_ref().map(crate::domain::ResultCounts::total) {
        Some(0) => {}
        Some(cases) => parts.push(format!(
            "the results of {cases} test cases and their testers"
        )),
        None => parts.push("results and testers".into()),
    }
    match Attachment::of(&copy.document).len() {
        0 => {}
        1 => parts.push("1 attachment".into()),
        more => parts.push(format!("{more} attachments")),
    }
    let id = copy
        .document
        .text("Root.General.Id")
        .unwrap_or_else(|| copy.document.doc_ref().to_string());
    vec![
        format!("This makes a new run, not {id} again: it gets an id and a reference of its own."),
        format!("What does not come back: {}.", parts.join(", ")),
    ]
}
