//! Making runs: each is sent once and read back; one whose answer was lost is looked for and never sent again.

use serde_json::json;

use super::changes::Changing;
use super::send;
use super::written::{READINGS, Request, Sent, note, refused};
use crate::disk::Step;
use crate::domain::{
    ChangeOutcome, ChangeVerdict, Create, CreateEnd, DocRef, Document, NewRun, RunField, RunTexts,
    SuiteChange, texts_of,
};
use crate::rpc::Writer;
use crate::store::Event;

impl Changing {
    /// Makes the runs in order and tells of each; the first that goes wrong, or Ctrl-c, keeps the rest from being sent.
    pub async fn create(self, writer: Writer, create: Create) {
        let mut over: Option<String> = None;
        for number in 0..create.runs.len() {
            if self.stopped.is_cancelled() {
                over = Some("not sent, stopped by Ctrl-c".into());
            }
            let end = match &over {
                Some(why) => CreateEnd::Not(why.clone()),
                None => {
                    let (changing, writer, create) = (self.clone(), writer.clone(), create.clone());
                    let making =
                        tokio::spawn(
                            async move { changing.create_one(&writer, &create, number).await },
                        );
                    making.await.unwrap_or_else(|error| CreateEnd::Unknown {
                        why: format!("a fault in this program ({error}): the journal (@) tells how far it came"),
                        found: Err("it was not looked for".into()),
                    })
                }
            };
            if !went_well(&end) {
                over.get_or_insert(format!(
                    "not sent, because run {} of {} went wrong",
                    number + 1,
                    create.runs.len()
                ));
            }
            send(
                &self.events,
                Event::Created {
                    id: self.id,
                    number,
                    end,
                },
            );
        }
    }

    /// Makes one of the runs, and adds the suites of the plan to it.
    pub async fn create_one(&self, writer: &Writer, create: &Create, number: usize) -> CreateEnd {
        let new = &create.runs[number];
        let locale = self.connection.locale();
        let origin = Some(&create.origin)
            .filter(|origin| !origin.is_empty())
            .map(|origin| json!(origin));
        let request = Request {
            method: "ADD_DOCUMENT",
            params: new.params(&locale),
            run: "",
            run_name: &new.title,
            note: note([("origin", origin)], create.undo_of.as_ref()),
        };
        let call = async { writer.add_document(new, &locale).await };
        let sent = match self
            .send_once(request, call, |run| json!({"docRef": run.as_str()}))
            .await
        {
            Ok(sent) => sent,
            Err(why) => return CreateEnd::Not(why),
        };
        match &sent.answer {
            Ok(run) => match self.read_back(&sent, run, new).await {
                Ok(document) => {
                    let suites = self.add_to(writer, create, &document).await;
                    CreateEnd::Made {
                        document: Box::new(document),
                        suites,
                    }
                }
                Err((seen, what)) => CreateEnd::Unsure {
                    run: run.clone(),
                    seen,
                    what,
                },
            },
            Err(error) if error.outcome_unknown() => self.look_for(&sent, error, new).await,
            Err(error) => CreateEnd::Not(refused(error)),
        }
    }

    /// Reads the new run until it is there with the fields as they were sent, three times at most. Else: whether it was
    /// seen at all, and what is wrong.
    async fn read_back(
        &self,
        sent: &Sent<DocRef>,
        run: &DocRef,
        new: &NewRun,
    ) -> Result<Document, (bool, String)> {
        let mut last = Err("it was not read".to_owned());
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            last = match self.connection.reader().get_document(run).await {
                Ok(document) => {
                    let differs = differing(&new.texts(), &texts_of(&document));
                    if differs.is_empty() {
                        let how = "read again: all fields are as they were sent".to_owned();
                        let step = Step::Confirmed { how };
                        self.add_step(run.as_str(), &named(&document), &sent.write, step)
                            .await;
                        return Ok(document);
                    }
                    Ok(differs)
                }
                Err(error) => Err(error.came_back()),
            };
        }
        Err(match last {
            Ok(differs) => {
                let what = format!("it is there, but {}", differs.join("; "));
                let step = Step::Differs { what: what.clone() };
                self.add_step(run.as_str(), &new.title, &sent.write, step)
                    .await;
                (true, what)
            }
            Err(why) => (
                false,
                format!("the service says that it was made, but it could not be read: {why}"),
            ),
        })
    }

    /// Adds the suites of the plan to a run that was just made.
    async fn add_to(
        &self,
        writer: &Writer,
        create: &Create,
        document: &Document,
    ) -> Option<ChangeOutcome> {
        if create.suites.is_empty() {
            return None;
        }
        let change = SuiteChange {
            run: document.doc_ref().clone(),
            run_name: named(document),
            run_id: document.text("Root.General.Id"),
            adds: true,
            suites: create.suites.clone(),
            stake: None,
            count: Some(0),
            undo_of: None,
        };
        Some(self.run(writer, &change).await)
    }
}

fn went_well(end: &CreateEnd) -> bool {
    match end {
        CreateEnd::Made { suites, .. } => suites
            .as_ref()
            .is_none_or(|outcome| matches!(outcome.verdict, ChangeVerdict::Confirmed(_))),
        CreateEnd::Unsure { .. } | CreateEnd::Not(_) | CreateEnd::Unknown { .. } => false,
    }
}

/// What the person knows a run by: short id and title.
pub fn named(document: &Document) -> String {
    let general = |name: &str| document.text(&format!("Root.General.{name}"));
    let id = general("Id").unwrap_or_else(|| document.doc_ref().to_string());
    format!("{id} {}", general("Title").unwrap_or_default())
        .trim_end()
        .to_owned()
}

/// In which fields two runs differ, in words. No sub project may be said in three ways.
pub fn differing(wanted: &RunTexts, there: &RunTexts) -> Vec<String> {
    let plain = |field: RunField, text: &str| match (field, text) {
        (RunField::SubprojectId, "_") => String::new(),
        (_, text) => text.to_owned(),
    };
    let mut words = Vec::new();
    for (field, wanted) in wanted {
        let there = there.get(field).map_or("", String::as_str);
        if plain(*field, wanted) != plain(*field, there) {
            words.push(format!(
                "{} is \"{}\" instead of \"{}\"",
                field.name(),
                short(there),
                short(wanted)
            ));
        }
    }
    words
}

/// A text for one line, as it is: what shows it makes it harmless.
pub fn short(text: &str) -> String {
    const MOST: usize = 60;
    let one_line = text
        .split_whitespace()
        .take(MOST)
        .collect::<Vec<_>>()
        .join(" ");
    match one_line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}
