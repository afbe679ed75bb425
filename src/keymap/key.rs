//! Keys by their names.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::store::Layer;

/// A key with its modifiers. Shift counts only where it does not change the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// What is wrong with a key table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A name that stands for no key.
    #[error(
        "{0:?} is no key: expected a character, or a name such as Enter, PgDn, F1, with Ctrl-, Alt- or S- before it"
    )]
    Unknown(String),
    /// Terminals send the same for another key.
    #[error("a terminal sends {0} for {1}: take another key")]
    Same(String, &'static str),
    /// One key with two meanings in one place.
    #[error("{key} is {one} already, in {layer:?}: {other} needs another key")]
    Twice {
        key: String,
        /// Where.
        layer: Layer,
        /// The command that has it.
        one: &'static str,
        /// The command that wants it.
        other: &'static str,
    },
    /// A name that stands for no command.
    #[error("no command is called {0:?}; `rundown config keys` lists their names")]
    NoCommand(String),
    /// A character for a command that is only offered where characters are typed.
    #[error(
        "{key} would be text wherever {command} is offered: take one with Ctrl- or Alt-, or F2"
    )]
    Typed { key: String, command: String },
}

impl Key {
    /// Reads a name such as `j`, `Ctrl-d`, `Alt-x`, `PgDn`, `S-Tab`.
    pub fn parse(name: &str) -> Result<Self, KeyError> {
        let unknown = || KeyError::Unknown(name.to_owned());
        let with = |prefix: &str| name.strip_prefix(prefix).filter(|rest| !rest.is_empty());
        let (modifiers, rest) = match (with("Ctrl-"), with("Alt-")) {
            (Some(rest), _) => (KeyModifiers::CONTROL, rest),
            (None, Some(rest)) => (KeyModifiers::ALT, rest),
            (None, None) => (KeyModifiers::NONE, name),
        };
        let code = match rest {
            "Enter" => KeyCode::Enter,
            "Esc" => KeyCode::Esc,
            "Tab" => KeyCode::Tab,
            "S-Tab" => KeyCode::BackTab,
            "Space" => KeyCode::Char(' '),
            "↑" => KeyCode::Up,
            "↓" => KeyCode::Down,
            "Home" => KeyCode::Home,
            "End" => KeyCode::End,
            "PgUp" => KeyCode::PageUp,
            "PgDn" => KeyCode::PageDown,
            _ => {
                let mut chars = rest.chars();
                match (chars.next(), chars.as_str()) {
                    (Some(c), "") => KeyCode::Char(c),
                    (Some('F'), number) => KeyCode::F(number.parse().map_err(|_| unknown())?),
                    _ => return Err(unknown()),
                }
            }
        };
        let code = match code {
            // Terminals do not tell the case of a letter with Ctrl.
            KeyCode::Char(c) if modifiers == KeyModifiers::CONTROL => {
                KeyCode::Char(c.to_ascii_lowercase())
            }
            code => code,
        };
        let same = match code {
            KeyCode::Char('i') => "Tab",
            KeyCode::Char('m') => "Enter",
            KeyCode::Char('[') => "Esc",
            _ => return Ok(Self { code, modifiers }),
        };
        match modifiers {
            KeyModifiers::CONTROL => Err(KeyError::Same(name.to_owned(), same)),
            _ => Ok(Self { code, modifiers }),
        }
    }

    /// It is a character without a modifier.
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    /// The key of an input event.
    pub fn from_event(event: KeyEvent) -> Self {
        let kept = match event.code {
            KeyCode::Char(_) | KeyCode::BackTab => KeyModifiers::CONTROL | KeyModifiers::ALT,
            _ => KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT,
        };
        Self {
            code: event.code,
            modifiers: event.modifiers & kept,
        }
    }
}
