//! What the keys of a place mean, as it is shown: in help, palette and hints.

use super::{Action, Layer};

/// What the keys of a place mean, with the person's own: what the help, the palette and the line of hints show.
#[derive(Clone, Debug, PartialEq)]
pub struct KeyTable {
    /// The place.
    pub layer: Layer,
    /// What it is called in the title of the help.
    pub title: &'static str,
    /// All that can be asked for there.
    pub commands: Vec<Command>,
    /// Its line of hints, the most needed first.
    pub hints: &'static [Hint],
}

/// One line of the key table.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The keys, as they are shown; the first is the one to name.
    pub keys: Vec<String>,
    /// Its name in the config file.
    pub name: &'static str,
    /// Where it stands in the help.
    pub heading: Heading,
    /// What it does.
    pub label: &'static str,
    /// What it asks for.
    pub action: Action,
}

/// What a command is about: the help is in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Heading {
    Run,
    Suites,
    Find,
    Tool,
    Move,
}

impl Heading {
    /// Its word in the help.
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

/// A hint of the last line: keys, and in few words what they do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hint {
    keys: HintKeys,
    pub words: &'static str,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum HintKeys {
    Of(&'static [Action]),
    Field(&'static str),
}

impl Hint {
    /// The first key of each of these.
    pub const fn of(actions: &'static [Action], words: &'static str) -> Self {
        Self {
            keys: HintKeys::Of(actions),
            words,
        }
    }

    /// What its keys ask for; nothing of those of the text field.
    pub fn actions(&self) -> &'static [Action] {
        match self.keys {
            HintKeys::Of(actions) => actions,
            HintKeys::Field(_) => &[],
        }
    }

    /// Keys that the text field takes, as long as they mean nothing else.
    pub const fn field(keys: &'static str, words: &'static str) -> Self {
        Self {
            keys: HintKeys::Field(keys),
            words,
        }
    }
}

impl KeyTable {
    /// The key to name for an action; `None` if it has none here.
    pub fn key(&self, action: &Action) -> Option<&str> {
        self.commands
            .iter()
            .find_map(|command| command.keys.first().filter(|_| command.action == *action))
            .map(String::as_str)
    }

    /// What a key means here.
    pub fn command(&self, key: &str) -> Option<&Command> {
        self.commands
            .iter()
            .find(|command| command.keys.iter().any(|its| its == key))
    }

    /// The keys that a hint names; empty if all of them were taken away.
    pub fn keys(&self, hint: Hint) -> String {
        let keys: Vec<&str> = match hint.keys {
            HintKeys::Of(actions) => actions.iter().filter_map(|it| self.key(it)).collect(),
            HintKeys::Field(keys) => {
                let taken = |key: &&str| {
                    self.commands
                        .iter()
                        .any(|it| it.keys.iter().any(|its| its == key))
                };
                keys.split(' ').filter(|key| !taken(key)).collect()
            }
        };
        keys.join(" ")
    }
}
