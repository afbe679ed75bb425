//! A field of the form in the editor of the user.

use super::{Form, Forms, Stop};
use crate::domain::{Failure, RunField, text};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::in_flight::Slot;

impl Form {
    /// The field under the cursor goes to the editor of the user.
    pub(super) fn field_outside(&self, cx: &mut Cx) {
        let Stop::Field(field) = self.stop else {
            return;
        };
        let ending = match field {
            RunField::Description => "md",
            _ => "txt",
        };
        // Editors end the last line; a field does not.
        let text = text::escaped(&self.text(field)) + "\n";
        cx.request(Slot::Editor(field), |id| Effect::EditText {
            id,
            ending,
            text,
        });
    }
}

impl Forms {
    /// A text comes back from the editor.
    pub(super) fn edited_outside(
        &mut self,
        field: RunField,
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
        let text = text.strip_suffix('\n').unwrap_or(&text);
        // Where nothing was escaped, what looks like an escape was typed.
        let before = form.text(field);
        if text::escaped(&before) == before {
            form.edit(field, |field_text| field_text.replace(text), cx);
        } else {
            let text = text::unescaped(text);
            form.edit(field, |field_text| field_text.replace(&text), cx);
        }
    }
}
