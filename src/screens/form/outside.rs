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
        let changed = form.fields.get_mut(&field).is_some_and(|field_text| {
            // Where nothing was escaped, what looks like an escape was typed.
            let before = field_text.text();
            if text::escaped(&before) == before {
                field_text.replace(text)
            } else {
                field_text.replace(&text::unescaped(text))
            }
        });
        if changed {
            form.typed(cx);
        }
    }
}
