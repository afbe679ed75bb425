//! Changing fields of a run: read just before, written whole, read again. The service itself checks for no change made
//! meanwhile: the last writer wins.

use serde_json::{Value, json};

use super::changes::Changing;
use super::create::differing;
use super::saved::{Seen, content, verdict};
use super::written::{READINGS, Request, note, refused};
use crate::disk::Step;
use crate::domain::{Document, Modify, ModifyEnd, RunField, modify_params, same_version, texts_of};
use crate::rpc::{CallError, Writer};

impl Changing {
    /// Sends the change if the run is still as it was reviewed, and reads what came of it.
    pub async fn modify(self, writer: Writer, modify: Modify) -> ModifyEnd {
        let before = match self.just_before(&modify).await {
            Ok(before) => before,
            Err(end) => return end,
        };
        let document = match before.restored(&modify.texts, &modify.values) {
            Ok(document) => document,
            Err(error) => return ModifyEnd::Not(format!("not sent: {error}")),
        };
        let shown = texts_of(&before);
        let changed = modify
            .texts
            .iter()
            .filter(|(field, text)| shown.get(field) != Some(*text));
        let changed: Vec<RunField> = changed.map(|(field, _)| *field).collect();
        if changed.is_empty() {
            return ModifyEnd::Not("not sent: the run has these values already".into());
        }
        // To the digit, so that taking it back brings back what was there: null, and no member at all.
        let old = changed
            .iter()
            .filter_map(|field| Some((field.name().to_owned(), before.at(field.path())?.clone())));
        let old: serde_json::Map<String, Value> = old.collect();
        let missing: Vec<&str> = changed
            .iter()
            .filter(|field| before.at(field.path()).is_none())
            .map(|field| field.name())
            .collect();
        let missing = (!missing.is_empty()).then(|| json!(missing));
        if self.stopped.is_cancelled() {
            return ModifyEnd::Not("not sent, stopped by Ctrl-c".into());
        }
        let locale = self.connection.locale();
        let request = Request {
            method: "MODIFY_DOCUMENT",
            params: modify_params(&modify.run, &document, &locale),
            run: modify.run.as_str(),
            run_name: &modify.run_name,
            note: note(
                [("before", Some(Value::Object(old))), ("missing", missing)],
                modify.undo_of.as_ref(),
            ),
        };
        let call = async {
            writer
                .modify_document(&modify.run, &document, &locale)
                .await
        };
        let sent = match self.send_once(request, call, |()| Value::Null).await {
            Ok(sent) => sent,
            Err(why) => return ModifyEnd::Not(why),
        };
        let lost = match sent.answer {
            Ok(()) => None,
            Err(error) if error.outcome_unknown() => Some(error),
            Err(error) => {
                return ModifyEnd::Not(format!(
                    "{}{}",
                    refused(&error),
                    self.why(&modify.run).await
                ));
            }
        };
        let (end, step) = self
            .read_again(&before, &document, &modify, lost.as_ref())
            .await;
        if let Some(step) = step {
            self.add_step(modify.run.as_str(), &modify.run_name, &sent.write, step)
                .await;
        }
        end
    }

    /// The run as it is now; an end if it cannot be read, or is not the version that was reviewed.
    async fn just_before(&self, modify: &Modify) -> Result<Document, ModifyEnd> {
        let mut pauses = READINGS.into_iter();
        loop {
            let now = self
                .connection
                .reader()
                .get_document(&modify.run)
                .await
                .map_err(|error| {
                    ModifyEnd::Not(format!(
                        "not sent, because the run could not be read just before: {} {}",
                        error.came_back(),
                        error.remedy()
                    ))
                })?;
            if same_version(&modify.reviewed, &now).is_ok() {
                return Ok(now);
            }
            if !older(&now, &modify.reviewed) {
                return Err(ModifyEnd::Moved(Box::new(now)));
            }
            // A replica that is behind knows nothing of the last save yet: comparing with it would take that save back.
            let Some(pause) = pauses.next() else {
                let why = "not sent: the service shows an older version of the run than the one compared with, as a \
                           replica that is behind does. Try again in a moment.";
                return Err(ModifyEnd::Not(why.into()));
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Reads until the new values are there, three times at most.
    async fn read_again(
        &self,
        before: &Document,
        sent: &Value,
        modify: &Modify,
        lost: Option<&CallError>,
    ) -> (ModifyEnd, Option<Step>) {
        let mut seen = Seen {
            before,
            sent,
            wanted: &modify.texts,
            foreign: None,
        };
        let mut last = Err("it was not read".to_owned());
        for pause in READINGS {
            tokio::time::sleep(pause).await;
            last = match self.connection.reader().get_document(&modify.run).await {
                Ok(now) if differing(&modify.texts, &texts_of(&now)).is_empty() => {
                    return verdict(&seen, now, lost, &self.connection.user());
                }
                Ok(now) => {
                    if !content(before, &now).is_empty() {
                        seen.foreign = Some(now.clone());
                    }
                    Ok(now)
                }
                Err(error) => Err(error.came_back()),
            };
        }
        match last {
            Ok(now) => verdict(&seen, now, lost, &self.connection.user()),
            Err(why) => {
                let words = match lost {
                    None => "the service answered that it was done".to_owned(),
                    Some(error) => format!("{}; not sent again", error.came_back()),
                };
                (
                    ModifyEnd::Unknown(format!(
                        "{words}, and the run could not be read afterwards: {why}"
                    )),
                    None,
                )
            }
        }
    }
}

/// Whether a reading shows an older version than another.
fn older(now: &Document, other: &Document) -> bool {
    let edited = |document: &Document| document.integer("Root.Metadata.EditedOn");
    matches!((edited(now), edited(other)), (Some(now), Some(other)) if now < other)
}
