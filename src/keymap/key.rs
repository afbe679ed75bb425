//! Keys by their names.

use std::fmt;
use std::ops::RangeInclusive;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use crate::domain::{did_you_mean, nearest, text};

/// Key with its modifiers. Shift counts only if it does not change the character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key {
    code: KeyCode,
    modifiers: KeyModifiers,
}

/// Names of keys that are no character.
const NAMED: &[(&str, KeyCode)] = &[
    ("Enter", KeyCode::Enter),
    ("Esc", KeyCode::Esc),
    ("Tab", KeyCode::Tab),
    ("S-Tab", KeyCode::BackTab),
    ("Space", KeyCode::Char(' ')),
    ("↑", KeyCode::Up),
    ("↓", KeyCode::Down),
    ("←", KeyCode::Left),
    ("→", KeyCode::Right),
    ("Home", KeyCode::Home),
    ("End", KeyCode::End),
    ("PgUp", KeyCode::PageUp),
    ("PgDn", KeyCode::PageDown),
];

/// Other names of them, as they can be typed.
const ALSO: &[(&str, &str)] = &[
    ("Up", "↑"),
    ("Down", "↓"),
    ("Left", "←"),
    ("Right", "→"),
    ("PageUp", "PgUp"),
    ("PageDown", "PgDn"),
];

/// Numbers of the function keys that terminals send.
const FUNCTION_KEYS: RangeInclusive<u8> = 1..=35;

/// Mistake in a key table.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// A name of no key.
    #[error(
        "\"{}\" is no key: expected a character or a name ({}, F1), with Ctrl- or Alt- before it where it is wanted{}",
        text::plain(.name), text::join(NAMED.iter().map(|(known, _)| *known), ", "), did_you_mean(*.meant)
    )]
    Unknown {
        name: String,
        /// Name that may have been meant.
        meant: Option<&'static str>,
    },
    /// Terminals send the same for another key.
    #[error("a terminal sends {0} for {1}: take another key")]
    Same(String, &'static str),
    /// One key with two meanings in one place.
    #[error(
        "{key} is {one} already, in {place}: take another key for {other}, or take this one away with {one} = {{ only = [...] }}"
    )]
    Twice {
        key: Key,
        /// Name of the place.
        place: &'static str,
        /// Command that has the key.
        one: &'static str,
        /// Command that wants the key.
        other: &'static str,
    },
    /// A name of no command.
    #[error(
        "no command is called \"{}\", `rundown config keys` lists their names{}",
        text::plain(.name), did_you_mean(*.meant)
    )]
    NoCommand {
        name: String,
        /// Name that may have been meant.
        meant: Option<&'static str>,
    },
    /// A character for a command that is only offered where text is typed.
    #[error(
        "{key} would be text wherever {command} is offered: take one with Ctrl- or Alt-, or F2"
    )]
    Typed { key: Key, command: &'static str },
    /// A key that may be the only way out of a box.
    #[error(
        "{key} cannot be taken from {command}, else there would be boxes without a way out: keep it in the list"
    )]
    Stays { key: Key, command: &'static str },
}

/// Writes the name that `parse` reads.
impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.modifiers {
            KeyModifiers::CONTROL => "Ctrl-",
            KeyModifiers::ALT => "Alt-",
            _ => "",
        })?;
        match (NAMED.iter().find(|(_, code)| *code == self.code), self.code) {
            (Some((name, _)), _) => f.write_str(name),
            (None, KeyCode::Char(c)) => write!(f, "{c}"),
            (None, code) => write!(f, "{code}"),
        }
    }
}

impl Key {
    /// Reads a name such as `j`, `Ctrl-d`, `Alt-x`, `PgDn`, `S-Tab`.
    pub fn parse(name: &str) -> Result<Self, KeyError> {
        let with = |prefix: &str| {
            let (before, rest) = name.split_at_checked(prefix.len())?;
            (before.eq_ignore_ascii_case(prefix) && !rest.is_empty()).then_some(rest)
        };
        let (modifiers, rest) = match (with("Ctrl-"), with("Alt-")) {
            (Some(rest), _) => (KeyModifiers::CONTROL, rest),
            (None, Some(rest)) => (KeyModifiers::ALT, rest),
            (None, None) => (KeyModifiers::NONE, name),
        };
        let also = ALSO.iter().find(|(also, _)| *also == rest);
        let rest = also.map_or(rest, |(_, known)| known);
        let mut chars = rest.chars();
        let code = match (NAMED.iter().find(|(known, _)| *known == rest), chars.next()) {
            (Some((_, code)), _) => Some(*code),
            (None, Some(c)) if chars.as_str().is_empty() => Some(KeyCode::Char(c)),
            (None, Some('F')) => {
                let number = chars.as_str().parse().ok();
                number
                    .filter(|number| FUNCTION_KEYS.contains(number))
                    .map(KeyCode::F)
            }
            (None, _) => None,
        };
        let known = NAMED.iter().map(|(known, _)| *known);
        let code = code.ok_or_else(|| KeyError::Unknown {
            name: name.to_owned(),
            meant: nearest(rest, known.chain(ALSO.iter().map(|(also, _)| *also))),
        })?;
        let code = match code {
            // Terminals do not report the case of a letter with Ctrl.
            KeyCode::Char(c) if modifiers == KeyModifiers::CONTROL => {
                KeyCode::Char(c.to_ascii_lowercase())
            }
            code => code,
        };
        let same = match (modifiers, code) {
            (KeyModifiers::CONTROL, KeyCode::Char('i')) => "Tab",
            (KeyModifiers::CONTROL, KeyCode::Char('m')) => "Enter",
            (KeyModifiers::CONTROL, KeyCode::Char('[')) => "Esc",
            // The beginnings of their sequences.
            (KeyModifiers::ALT, KeyCode::Char('[')) => "the beginning of an arrow",
            (KeyModifiers::ALT, KeyCode::Char('O')) => "the beginning of a function key",
            _ => return Ok(Self { code, modifiers }),
        };
        Err(KeyError::Same(name.to_owned(), same))
    }

    /// Returns true for a character without a modifier.
    pub fn is_text(self) -> bool {
        matches!(self.code, KeyCode::Char(_)) && self.modifiers.is_empty()
    }

    /// Returns the key of an input event.
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
    /// Returns the event of this key, as a terminal sends it.
    #[cfg(test)]
    pub fn event(self) -> KeyEvent {
        KeyEvent::new(self.code, self.modifiers)
    }
}
