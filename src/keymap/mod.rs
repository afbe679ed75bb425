//! Which key means what: one table that the input, the help and the README are made from.

mod key;
mod table;

use std::collections::HashMap;
use std::fmt::Write as _;

use crossterm::event::KeyEvent;

pub use key::{Key, KeyError};

use crate::store::{Action, Command, Layer};

/// The key table, ready for look-up.
#[derive(Clone, Debug)]
pub struct Keymap {
    commands: Vec<Command>,
    by_key: HashMap<(Layer, Key), Action>,
}

impl Keymap {
    /// The built-in table. A key that stands twice for one layer, or that cannot be read, is an error with its name.
    pub fn built_in() -> Result<Self, KeyError> {
        let mut by_key = HashMap::new();
        let mut commands = Vec::new();
        for binding in table::BINDINGS {
            for name in binding.keys {
                let key = Key::parse(name)?;
                for layer in binding.layers {
                    let before = by_key.insert((*layer, key), binding.action.clone());
                    if before.is_some_and(|action| action != binding.action) {
                        return Err(KeyError::Twice { key: (*name).to_owned(), layer: *layer });
                    }
                }
            }
            commands.push(Command {
                layers: binding.layers,
                keys: binding.keys.join(" "),
                group: binding.group,
                label: binding.label,
                action: binding.action.clone(),
            });
        }
        Ok(Self { commands, by_key })
    }

    /// The lines of the table, for help and command palette.
    pub fn commands(&self) -> Vec<Command> {
        self.commands.clone()
    }

    /// What a key means on a layer. On layers with a text field, keys without a meaning of their own are typed.
    pub fn action(&self, layer: Layer, event: KeyEvent) -> Option<Action> {
        let found = self.by_key.get(&(layer, Key::from_event(event))).cloned();
        let types =
            matches!(layer, Layer::Form | Layer::Typing | Layer::Picker | Layer::Login | Layer::Help | Layer::Journal);
        found.or_else(|| types.then_some(Action::Type(event)))
    }
}

/// The key table of the README, as Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| keys | what they do | where |\n|---|---|---|\n");
    for binding in table::BINDINGS {
        // A command without a key of its own is in the palette.
        let keys = if binding.keys.is_empty() { &[":"] } else { binding.keys };
        let keys: Vec<String> = keys.iter().map(|key| format!("`{}`", key.replace('|', "\\|"))).collect();
        let place = table::place(binding.layers);
        let _ = writeln!(text, "| {} | {} | {place} |", keys.join(" "), binding.label);
    }
    text
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;

    #[test]
    fn the_table_has_no_clash_and_leaves_taken_keys_alone() {
        let keymap = Keymap::built_in().unwrap();
        // Prefixes of tmux and screen, and keys that terminals send for Backspace, Tab and Enter.
        for name in ["Ctrl-a", "Ctrl-b", "Ctrl-h", "Ctrl-i", "Ctrl-j", "Ctrl-m", "Ctrl-Space", "Ctrl-\\"] {
            let key = Key::parse(name).unwrap();
            assert!(!keymap.by_key.keys().any(|(_, bound)| *bound == key), "{name}");
        }
    }

    #[test]
    fn a_letter_is_typed_where_there_is_a_text_field() {
        let keymap = Keymap::built_in().unwrap();
        let event = KeyEvent::from(KeyCode::Char('q'));
        assert_eq!(keymap.action(Layer::Runs, event), Some(Action::Quit));
        assert_eq!(keymap.action(Layer::Login, event), Some(Action::Type(event)));
        let shifted = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(keymap.action(Layer::Runs, shifted), Some(Action::Move(crate::store::Motion::Last)));
    }
}
