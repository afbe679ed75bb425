//! Earlier texts of fields of one kind.

use super::{Action, Motion};
use crate::ui::Input;

/// Maximum number of texts.
const MOST: usize = 100;

/// Texts typed since the start of the program; none goes to the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Typed {
    /// Newest last, each once.
    texts: Vec<String>,
    /// Steps back from the text being typed, which is 0.
    back: usize,
    /// Text that was being typed at the first step back.
    begun: String,
}

impl Typed {
    /// Handles a key of a field; true if its text has changed. Up and down recall earlier texts; typing and pasting
    /// begin anew.
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

    /// The same for a search field: its last text is kept.
    pub fn find(&mut self, input: &mut Input, action: &Action) -> bool {
        if matches!(action, Action::Open | Action::Back) {
            self.keep(input.text());
        }
        self.edit(input, action)
    }

    /// Adds a text; the next field starts at the newest.
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

    /// Starts again at the text being typed.
    pub fn begin(&mut self) {
        self.back = 0;
    }

    /// Returns the text before the one in the field.
    pub fn older(&mut self, now: &str) -> Option<String> {
        let place = self.texts.len().checked_sub(self.back + 1)?;
        if self.back == 0 {
            now.clone_into(&mut self.begun);
        }
        self.back += 1;
        Some(self.texts[place].clone())
    }

    /// Returns the text after the one in the field, in the end the text being typed; `None` after that.
    pub fn newer(&mut self) -> Option<String> {
        self.back = self.back.checked_sub(1)?;
        let place = self.texts.len().checked_sub(self.back)?;
        Some(self.texts.get(place).unwrap_or(&self.begun).clone())
    }
}
