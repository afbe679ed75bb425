//! How the keys of a place are written down: a screen, a box, or a part of one where keys have meanings of their own.

use crate::store::{Action, Heading, Hint, Layer};

/// Some keys and what they do.
#[derive(Debug)]
pub struct Binding {
    /// None: the command is offered in the palette.
    pub keys: &'static [&'static str],
    /// What the command is called in `[keys]` of the config file: one name for one action, wherever it is offered.
    pub name: &'static str,
    pub heading: Heading,
    /// What it does, for the help.
    pub words: &'static str,
    pub action: Action,
}

impl Heading {
    /// A row below it.
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
    /// What it is called in a sentence: keys in …
    pub title: &'static str,
    /// The same in a word or two.
    pub short: &'static str,
    /// Its own rows, and those that it shares with others. Of several rows for an action the first has the keys to name.
    pub groups: &'static [&'static [&'static [Binding]]],
    /// The line of hints, the most needed first. It stands beside the rows, because what is shared has another rank and
    /// other words in each place.
    pub hints: &'static [Hint],
    /// It has a text field: a character without a modifier is text.
    pub types: bool,
}

impl Place {
    /// Its rows in the order of the help.
    pub fn bindings(&self) -> Vec<&'static Binding> {
        let mut rows: Vec<&Binding> = self.groups.concat().into_iter().flatten().collect();
        rows.sort_by_key(|row| row.heading);
        rows
    }
}
