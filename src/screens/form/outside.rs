//! A field or the whole form in the editor of the person.

use super::{Form, Forms, Stop};
use crate::domain::{Failure, RunField, from_toml, text, to_toml};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::Action;

impl Form {
    /// The field under the cursor goes to the editor of the person.
    pub(super) fn field_outside(&self, cx: &mut Cx) {
        let Stop::Field(field) = self.stop else {
            return;
        };
        let Some(field_text) = self.fields.get(&field) else {
            return;
        };
        let ending = if field == RunField::Description {
            "md"
        } else {
            "txt"
        };
        // Editors end the last line; a field does not.
        let text = text::escaped(&field_text.text()) + "\n";
        cx.request(Slot::Editor(Some(field)), |id| Effect::EditText {
            id,
            ending,
            text,
        });
    }

    /// The whole form goes to the editor of the person, as soon as it is here.
    pub(super) fn whole_outside(&mut self, cx: &mut Cx) {
        self.outside_asked = true;
        self.outside_if_asked(cx);
    }

    fn outside_if_asked(&mut self, cx: &mut Cx) {
        if !self.outside_asked || !self.ready || cx.under_way(&Slot::Draft) {
            return;
        }
        self.outside_asked = false;
        let text = self.outside_text.take().unwrap_or_else(|| {
            let title = if self.run_name.is_empty() {
                "New run"
            } else {
                &self.run_name
            };
            to_toml(&self.texts(), self.editable(), title)
        });
        cx.request(Slot::Editor(None), |id| Effect::EditText {
            id,
            ending: "toml",
            text,
        });
    }
}

impl Forms {
    /// The whole form goes to the editor of the person, as soon as it is here.
    pub fn outside(&mut self, cx: &mut Cx) {
        if let Some(form) = &mut self.form {
            form.whole_outside(cx);
        }
    }

    pub(super) fn outside_if_asked(&mut self, cx: &mut Cx) {
        if let Some(form) = &mut self.form {
            form.outside_if_asked(cx);
        }
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
        cx: &mut Cx,
    ) {
        let Some(form) = &mut self.form else {
            return;
        };
        let text = match result {
            Ok(text) => text,
            Err(failure) => return cx.failed(failure),
        };
        let changed = match field {
            Some(field) => {
                let text = text.strip_suffix('\n').unwrap_or(&text);
                form.fields.get_mut(&field).is_some_and(|field_text| {
                    // Where nothing was escaped, what looks like an escape was typed.
                    let before = field_text.text();
                    if text::escaped(&before) == before {
                        field_text.replace(text)
                    } else {
                        field_text.replace(&text::unescaped(text))
                    }
                })
            }
            None => match from_toml(&text, form.editable()) {
                Ok(texts) => {
                    let fields = texts.iter().map(|(field, text)| {
                        form.fields
                            .get_mut(field)
                            .is_some_and(|field_text| field_text.replace(text))
                    });
                    fields.fold(false, |any, changed| any | changed)
                }
                Err(problems) => {
                    let words: Vec<String> = problems
                        .iter()
                        .map(|problem| format!("line {}: {}", problem.line, problem.words))
                        .collect();
                    form.outside_text = Some(text);
                    let again = &Action::EditOutside;
                    let again = cx
                        .shared
                        .then_key("; ", Layer::Form, again, "opens it again");
                    cx.complain(format!(
                        "the TOML was not taken: {}{again}",
                        words.join("; ")
                    ));
                    return;
                }
            },
        };
        if changed {
            form.typed(cx);
        }
    }
}
