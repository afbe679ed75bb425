//! Keys of a place as shown in help, palette and hints.

use super::{Action, Layer};
use crate::domain::text;

/// Keys of a place, with the user's own, for the help, the palette and the line of hints.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTable {
    pub layer: Layer,
    /// Name of the place in the title of the help.
    pub title: &'static str,
    /// True if keys without a meaning are typed.
    pub types: bool,
    /// All commands of the place.
    pub commands: Vec<Command>,
    /// Line of hints, the most needed first.
    pub hints: &'static [Hint],
}

/// Line of the key table.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// Displayed keys; the first one is named in texts.
    pub keys: Vec<String>,
    /// Name in the config file.
    pub name: &'static str,
    /// Section of the help.
    pub heading: Heading,
    /// Effect, in words.
    pub label: &'static str,
    pub action: Action,
}

/// Subject of a command; the help is in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    Run,
    Suites,
    Find,
    Tool,
    Move,
}

impl Heading {
    /// Word in the help.
    pub fn word(self) -> &'static str {
        match self {
            Self::Move => "Move",
            Self::Find => "Find",
            Self::Run => "Run",
            Self::Suites => "Suites",
            Self::Tool => "Tool",
        }
    }
}

/// Hint of the last line: keys and their effect in few words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    pub actions: &'static [Action],
    /// Keys of the text field, with spaces between.
    of_field: &'static str,
    pub words: &'static str,
}

impl Hint {
    /// Creates a hint with the first key of each of these.
    pub const fn of(actions: &'static [Action], words: &'static str) -> Self {
        Self {
            actions,
            of_field: "",
            words,
        }
    }

    /// Creates a hint for keys of the text field that mean nothing else.
    pub const fn field(of_field: &'static str, words: &'static str) -> Self {
        Self {
            actions: &[],
            of_field,
            words,
        }
    }
}

impl KeyTable {
    /// Returns the key to name for an action; `None` if it has none here.
    pub fn key(&self, action: &Action) -> Option<&str> {
        self.commands
            .iter()
            .find_map(|command| command.keys.first().filter(|_| command.action == *action))
            .map(String::as_str)
    }

    /// Returns the command of a key.
    pub fn command(&self, key: &str) -> Option<&Command> {
        self.commands
            .iter()
            .find(|command| command.keys.iter().any(|its| its == key))
    }

    /// Returns the keys that a hint names; empty if the user unbound all of them.
    pub fn keys(&self, hint: Hint) -> String {
        let keys = hint.actions.iter().filter_map(|it| self.key(it));
        let of_field = hint.of_field.split_whitespace();
        let free = of_field.filter(|key| self.command(key).is_none());
        text::join(keys.chain(free), " ")
    }
}
