//! A field or the whole form in the editor of the person.

use super::Store;
use super::effect::Effect;
use super::form::Stop;
use super::in_flight::Slot;
use crate::domain::{Failure, RunField, from_toml, text, to_toml};

impl Store {
    /// The field under the cursor goes to the editor of the person.
    pub(super) fn field_outside(&mut self) {
        let Some(form) = &mut self.form else {
            return;
        };
        let Stop::Field(field) = form.stop else {
            return;
        };
        let Some(area) = form.areas.get(&field) else {
            return;
        };
        let ending = if field == RunField::Description {
            "md"
        } else {
            "txt"
        };
        // Editors end the last line; a field does not.
        let text = text::escaped(&area.text()) + "\n";
        self.cx
            .request(Slot::Editor(Some(field)), |id| Effect::EditText {
                id,
                ending,
                text,
            });
    }

    /// The whole form goes to the editor of the person, as soon as it is here.
    pub(super) fn form_outside(&mut self) {
        if let Some(form) = &mut self.form {
            form.outside_asked = true;
        }
        self.form_outside_if_asked();
    }

    pub(super) fn form_outside_if_asked(&mut self) {
        let Some(form) = &mut self.form else {
            return;
        };
        if !form.outside_asked || !form.ready || self.cx.under_way(&Slot::Draft) {
            return;
        }
        form.outside_asked = false;
        let text = form.outside_text.take().unwrap_or_else(|| {
            let title = if form.run_name.is_empty() {
                "New run".to_owned()
            } else {
                form.run_name.clone()
            };
            to_toml(&form.texts(), form.editable(), &title)
        });
        self.cx.request(Slot::Editor(None), |id| Effect::EditText {
            id,
            ending: "toml",
            text,
        });
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
        field: Option<RunField>,
        result: Result<String, Failure>,
    ) {
        let Some(form) = &mut self.form else {
            return;
        };
        let text = match result {
            Ok(text) => text,
            Err(failure) => return self.cx.failed(failure),
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
                    self.cx.complain(format!(
                        "the TOML was not taken: {}; Ctrl-o opens it again",
                        words.join("; ")
                    ));
                    return;
                }
            },
        };
        if changed {
            self.typed();
        }
    }
}
