//! A field or the whole form in the editor of the person.

use super::Store;
use super::effect::Effect;
use super::form::Stop;
use super::message::RequestId;
use crate::domain::{Failure, RunField, from_toml, text, to_toml};

impl Store {
    /// The field under the cursor goes to the editor of the person.
    pub(super) fn field_outside(&mut self) -> Vec<Effect> {
        let id = self.number();
        let Some(form) = &mut self.form else {
            return Vec::new();
        };
        let Stop::Field(field) = form.stop else {
            return Vec::new();
        };
        let Some(area) = form.areas.get(&field) else {
            return Vec::new();
        };
        form.outside = Some((id, Some(field)));
        let ending = if field == RunField::Description {
            "md"
        } else {
            "txt"
        };
        vec![Effect::EditText {
            id,
            ending,
            // Editors end the last line; a field does not.
            text: text::escaped(&area.text()) + "\n",
        }]
    }

    /// The whole form goes to the editor of the person, as soon as it is here.
    pub(super) fn form_outside(&mut self) -> Vec<Effect> {
        if let Some(form) = &mut self.form {
            form.outside_asked = true;
        }
        self.form_outside_if_asked()
    }

    pub(super) fn form_outside_if_asked(&mut self) -> Vec<Effect> {
        let id = RequestId(self.last_id + 1);
        let Some(form) = &mut self.form else {
            return Vec::new();
        };
        if !form.outside_asked || !form.ready || form.draft.asked.is_some() {
            return Vec::new();
        }
        self.last_id += 1;
        form.outside_asked = false;
        form.outside = Some((id, None));
        let text = form.outside_text.take().unwrap_or_else(|| {
            let title = if form.run_name.is_empty() {
                "New run".to_owned()
            } else {
                form.run_name.clone()
            };
            to_toml(&form.texts(), form.editable(), &title)
        });
        vec![Effect::EditText {
            id,
            ending: "toml",
            text,
        }]
    }

    /// What came back from the editor could not be read as a form, and nobody has mended it yet.
    pub fn holds_rejected_text(&self) -> bool {
        self.form
            .as_ref()
            .is_some_and(|form| form.outside_text.is_some())
    }

    /// A text comes back from the editor. One that cannot be read is offered again as it is.
    pub(super) fn edited_outside(
        &mut self,
        id: RequestId,
        result: Result<String, Failure>,
    ) -> Vec<Effect> {
        let Some(form) = self
            .form
            .as_mut()
            .filter(|form| form.outside.is_some_and(|(asked, _)| asked == id))
        else {
            return Vec::new();
        };
        let field = form.outside.take().and_then(|(_, field)| field);
        let text = match result {
            Ok(text) => text,
            Err(failure) => return self.failed(failure, self.now),
        };
        let changed = match field {
            Some(field) => {
                let text = text.strip_suffix('\n').unwrap_or(&text);
                form.areas.get_mut(&field).is_some_and(|area| {
                    // Where nothing was escaped, what looks like an escape was typed.
                    let before = area.text();
                    if text::escaped(&before) == before {
                        area.replace(text)
                    } else {
                        area.replace(&text::unescaped(text))
                    }
                })
            }
            None => match from_toml(&text, form.editable()) {
                Ok(texts) => {
                    let areas = texts.iter().map(|(field, text)| {
                        form.areas
                            .get_mut(field)
                            .is_some_and(|area| area.replace(text))
                    });
                    areas.fold(false, |any, changed| any | changed)
                }
                Err(problems) => {
                    let words: Vec<String> = problems
                        .iter()
                        .map(|problem| format!("line {}: {}", problem.line, problem.words))
                        .collect();
                    form.outside_text = Some(text);
                    self.complain(format!(
                        "the TOML was not taken: {}; Ctrl-o opens it again",
                        words.join("; ")
                    ));
                    return Vec::new();
                }
            },
        };
        if changed { self.typed() } else { Vec::new() }
    }
}
