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
    #[error("{0:?} is no key: expected a character, or a name such as Enter, PgDn, F1, with Ctrl- or S- before it")]
    Unknown(String),
    /// One key with two meanings in one place.
    #[error("{key} has two meanings in {layer:?}")]
    Twice {
        /// The key.
        key: String,
        /// Where.
        layer: Layer,
    },
}

impl Key {
    /// Reads a name such as `j`, `Ctrl-d`, `PgDn`, `S-Tab`.
    pub fn parse(name: &str) -> Result<Self, KeyError> {
        let unknown = || KeyError::Unknown(name.to_owned());
        let (modifiers, rest) = match name.strip_prefix("Ctrl-") {
            Some(rest) if !rest.is_empty() => (KeyModifiers::CONTROL, rest),
            _ => (KeyModifiers::NONE, name),
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
        Ok(Self { code, modifiers })
    }

    /// The key of an input event.
    pub fn from_event(event: KeyEvent) -> Self {
        let kept = match event.code {
            KeyCode::Char(_) | KeyCode::BackTab => KeyModifiers::CONTROL | KeyModifiers::ALT,
            _ => KeyModifiers::CONTROL | KeyModifiers::ALT | KeyModifiers::SHIFT,
        };
        Self { code: event.code, modifiers: event.modifiers & kept }
    }
}
