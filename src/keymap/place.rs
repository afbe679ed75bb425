//! Definition of the keys of a place: a screen, a box, or a part of one where keys have their own meanings.

use crate::store::{Action, Command, Heading, Hint, KeyTable, Layer};

/// Some keys and their effect.
#[derive(Debug)]
pub struct Binding {
    /// Without keys the command is offered in the palette.
    pub keys: &'static [&'static str],
    /// Name in `[keys]` of the config file: one name for one action, wherever it is offered.
    pub name: &'static str,
    pub heading: Heading,
    /// Effect, for the help.
    pub words: &'static str,
    pub action: Action,
}

impl Heading {
    /// Creates a row below this heading.
    pub const fn row(
        self,
        keys: &'static [&'static str],
        name: &'static str,
        words: &'static str,
        action: Action,
    ) -> Binding {
        Binding {
            keys,
            name,
            heading: self,
            words,
            action,
        }
    }
}

/// All keys of a place.
#[derive(Debug)]
pub struct Place {
    pub layer: Layer,
    /// Name of the place in a sentence: keys in …
    pub title: &'static str,
    /// Own rows, and those shared with other places. Of several rows for an action the first one's keys are named.
    pub groups: &'static [&'static [&'static [Binding]]],
    /// Line of hints, the most needed first. It is beside the rows, because shared rows have another rank and other
    /// words in each place.
    pub hints: &'static [Hint],
    /// Has a text field: a character without a modifier is text.
    pub types: bool,
}

impl Place {
    /// Returns its rows in the order of the help.
    pub fn bindings(&self) -> Vec<&'static Binding> {
        let mut rows: Vec<&Binding> = self.groups.concat().into_iter().flatten().collect();
        rows.sort_by_key(|row| row.heading);
        rows
    }

    /// Returns its rows with their keys, for look-up and display.
    pub fn table(&self) -> KeyTable {
        let command = |row: &Binding| Command {
            keys: row.keys.iter().map(|key| (*key).to_owned()).collect(),
            name: row.name,
            heading: row.heading,
            label: row.words,
            action: row.action.clone(),
        };
        KeyTable {
            layer: self.layer,
            title: self.title,
            types: self.types,
            commands: self.bindings().into_iter().map(command).collect(),
            hints: self.hints,
        }
    }
}
