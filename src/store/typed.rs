//! What was typed into the fields of a kind before.

use super::{Action, Motion};
use crate::ui::Input;

/// Texts kept, at most.
const MOST: usize = 100;

/// Texts typed since the start of the program; the disk gets none of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// The newest last, each once.
    texts: Vec<String>,
    /// How far back the field is; 0 is what is being typed.
    back: usize,
    /// What was being typed when the field went back.
    begun: String,
}

impl Typed {
    /// A key for a field of which it is kept what was typed before; whether its text has changed. Up and down lead through
    /// that; what is typed or pasted is begun anew.
    pub fn edit(&mut self, input: &mut Input, action: &Action) -> bool {
        let changed = match action {
            Action::Move(Motion::Up) => {
                let text = self.older(input.text());
                return input.recall(text);
            }
            Action::Move(Motion::Down) => return input.recall(self.newer()),
            other => input.edit(other),
        };
        if changed {
            self.begin();
        }
        changed
    }

    /// The same for a field that looks for something: what it ends with is kept.
    pub fn find(&mut self, input: &mut Input, action: &Action) -> bool {
        if matches!(action, Action::Open | Action::Back) {
            self.keep(input.text());
        }
        self.edit(input, action)
    }

    /// Keeps a text; the next field begins with none of them.
    pub fn keep(&mut self, text: &str) {
        let text = text.trim();
        self.begin();
        if text.is_empty() {
            return;
        }
        self.texts.retain(|known| known != text);
        self.texts.push(text.to_owned());
        if self.texts.len() > MOST {
            self.texts.remove(0);
        }
    }

    /// What stands in the field is typed anew.
    pub fn begin(&mut self) {
        self.back = 0;
    }

    /// The text before the one that stands in the field.
    pub fn older(&mut self, now: &str) -> Option<String> {
        let place = self.texts.len().checked_sub(self.back + 1)?;
        if self.back == 0 {
            now.clone_into(&mut self.begun);
        }
        self.back += 1;
        Some(self.texts[place].clone())
    }

    /// The text after it, in the end what was being typed; nothing where that stands there.
    pub fn newer(&mut self) -> Option<String> {
        self.back = self.back.checked_sub(1)?;
        let place = self.texts.len().checked_sub(self.back)?;
        Some(self.texts.get(place).unwrap_or(&self.begun).clone())
    }
}
