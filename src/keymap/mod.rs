//! Meanings of the keys, built-in and the user's own: a table for each place, the source for input, help, palette, line
//! of hints and README.

mod key;
mod own;
pub mod place;

use std::collections::HashMap;
use std::fmt::Write as _;

use crossterm::event::KeyEvent;

pub use key::{Key, KeyError};
pub use own::{Mistake, OwnKeys, Written};

use place::Place;

use crate::domain::text;
use crate::store::{Action, Command, KeyTable, Layer};

/// Keys of all places, by key for look-up.
#[derive(Clone, Debug)]
pub struct Keymap {
    /// One for each place.
    tables: Vec<KeyTable>,
    by_key: HashMap<(Layer, Key), Action>,
}

impl Keymap {
    /// Returns the built-in keys. A key with two meanings in a place, or one that cannot be parsed, is an error.
    pub fn built_in(places: &'static [&'static [Place]]) -> Result<Self, KeyError> {
        let mut keymap = Self {
            tables: places.iter().copied().flatten().map(Place::table).collect(),
            by_key: HashMap::new(),
        };
        for table in keymap.tables.clone() {
            for command in &table.commands {
                for key in &command.keys {
                    keymap.bind(&table, command, Key::parse(key)?)?;
                }
            }
        }
        Ok(keymap)
    }

    fn bind(&mut self, table: &KeyTable, command: &Command, key: Key) -> Result<(), KeyError> {
        let action = command.action.clone();
        match self.by_key.insert((table.layer, key), action) {
            Some(before) if before != command.action => Err(KeyError::Twice {
                key,
                place: table.title,
                one: table
                    .commands
                    .iter()
                    .find(|command| command.action == before)
                    .map_or("", |command| command.name),
                other: command.name,
            }),
            _ => Ok(()),
        }
    }

    /// Returns the key tables for display, one for each place.
    pub fn tables(&self) -> Vec<KeyTable> {
        self.tables.clone()
    }

    /// Returns the meaning of a key on a layer. On layers with a text field, keys without a meaning are typed.
    pub fn action(&self, layer: Layer, event: KeyEvent) -> Action {
        let key = Key::from_event(event);
        if let Some(found) = self.by_key.get(&(layer, key)) {
            return found.clone();
        }
        if self.types(layer) {
            Action::Type(event)
        } else {
            Action::Unbound(key.to_string())
        }
    }

    /// Returns the meaning of pasted text on a layer.
    pub fn paste(&self, layer: Layer, text: String) -> Action {
        if self.types(layer) {
            Action::Paste(text.into())
        } else {
            Action::Unbound("Pasting".into())
        }
    }

    fn types(&self, layer: Layer) -> bool {
        let mut tables = self.tables.iter();
        tables.any(|table| table.layer == layer && table.types)
    }

    /// Lists every command in three columns: name in the config file, keys, effect.
    pub fn list(&self) -> String {
        let commands = self.tables.iter().flat_map(|table| &table.commands);
        let mut commands: Vec<&Command> = commands.collect();
        commands.sort_by_key(|command| command.heading);
        let mut text = String::new();
        for name in distinct(commands.iter().map(|command| command.name)) {
            let its = || commands.iter().filter(|command| command.name == name);
            let keys = distinct(its().flat_map(|command| &command.keys));
            let words = distinct(its().map(|command| command.label));
            let keys = text::join(keys.into_iter().map(String::as_str), " ");
            let _ = writeln!(text, "{name:<18} {keys:<22} {}", words.join("; "));
        }
        text
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for one in all {
        if !seen.contains(&one) {
            seen.push(one);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;
    use crate::app::PLACES;
    use crate::keymap::place::Binding;
    use crate::store::Motion;

    #[test]
    fn the_table_has_no_clash_and_leaves_taken_keys_alone() {
        let keymap = Keymap::built_in(PLACES).unwrap();
        let tables = keymap.tables.iter().flat_map(|table| &table.commands);
        for name in tables.flat_map(|command| &command.keys) {
            assert_eq!(&Key::parse(name).unwrap().to_string(), name);
        }
        // Prefixes of tmux and screen, and keys that terminals send for Backspace, Tab and Enter.
        for name in [
            "Ctrl-a",
            "Ctrl-b",
            "Ctrl-h",
            "Ctrl-j",
            "Ctrl-Space",
            "Ctrl-\\",
        ] {
            let key = Key::parse(name).unwrap();
            assert!(
                !keymap.by_key.keys().any(|(_, bound)| *bound == key),
                "{name}"
            );
        }
    }

    #[test]
    fn names_that_can_be_typed_stand_for_signs() {
        for (typed, name) in [
            ("Up", "↑"),
            ("Alt-Left", "Alt-←"),
            ("PageDown", "PgDn"),
            ("ctrl-R", "Ctrl-r"),
            ("ALT-x", "Alt-x"),
        ] {
            assert_eq!(Key::parse(typed).unwrap().to_string(), name);
        }
        let meant = Key::parse("pagedown").unwrap_err().to_string();
        assert!(meant.ends_with("did you mean \"PageDown\"?"), "{meant}");
        for none in ["S-F6", "Shift-Tab", "Ctrl-", "Alt-é-"] {
            assert!(Key::parse(none).is_err(), "{none}");
        }
    }

    #[test]
    fn a_letter_is_typed_where_there_is_a_text_field() {
        let keymap = Keymap::built_in(PLACES).unwrap();
        let event = KeyEvent::from(KeyCode::Char('q'));
        assert_eq!(keymap.action(Layer::Runs, event), Action::Quit);
        assert_eq!(keymap.action(Layer::Login, event), Action::Type(event));
        let paste = |layer| keymap.paste(layer, "q".to_owned());
        assert_eq!(paste(Layer::Runs), Action::Unbound("Pasting".into()));
        assert_eq!(paste(Layer::Login), Action::Paste("q".to_owned().into()));
        // In a text field Ctrl-z undoes the last edit, and does not suspend.
        let undo = KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL);
        for place in PLACES.iter().copied().flatten() {
            let typed = keymap.action(place.layer, undo) == Action::Type(undo);
            assert_eq!(typed, place.types, "{}", place.title);
        }
        let shifted = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(
            keymap.action(Layer::Runs, shifted),
            Action::Move(Motion::Last)
        );
    }

    /// Keys of more than one action, and the reason why their meanings agree.
    const ALIKE: &[(&[&str], &[&str], &str)] = &[
        (
            &["n"],
            &["new", "next-match"],
            "a list is filtered, a text is searched",
        ),
        (
            &["1"],
            &["part-1", "keep-mine"],
            "the first; in a review mine",
        ),
        (
            &["2"],
            &["part-2", "take-theirs"],
            "the second; in a review theirs",
        ),
        (&["q"], &["back", "quit"], "back, at the top out"),
        (
            &["Enter"],
            &["open", "remove", "undo"],
            "the chosen step; those that write ask first",
        ),
        (
            &["Tab", "↓"],
            &["next-part", "next-field", "row-down"],
            "the next",
        ),
        (
            &["S-Tab", "↑"],
            &["previous-part", "previous-field", "row-up"],
            "the one before",
        ),
        (
            &["→"],
            &["open", "right", "scroll-right"],
            "in a box the next button, in a text sideways",
        ),
        (
            &["←"],
            &["back", "left", "scroll-left"],
            "in a box the button before, in a text sideways",
        ),
        (&["Space"], &["mark", "toggle"], "marks, ticks"),
        (&["w"], &["columns", "split"], "which columns there are"),
        (
            &["Ctrl-o"],
            &["last-screen", "field-outside"],
            "but for the form",
        ),
    ];

    #[test]
    fn a_key_means_one_thing_everywhere() {
        let places = PLACES.iter().copied().flatten();
        let places = places.filter(|place| !place.layer.has_letters_of_its_own());
        let mut meant: HashMap<&str, Vec<&str>> = HashMap::new();
        for binding in places.flat_map(Place::bindings) {
            for key in binding.keys {
                meant.entry(key).or_default().push(binding.name);
            }
        }
        for (key, names) in meant {
            let names = distinct(names.into_iter());
            let alike = ALIKE.iter().find(|(keys, ..)| keys.contains(&key));
            let alike = alike.map_or(&[][..], |(_, names, _)| names);
            let all = names.len() == 1 || names.iter().all(|name| alike.contains(name));
            assert!(all, "{key} is {names:?}");
        }
    }

    #[test]
    fn a_command_has_one_name_everywhere() {
        let bindings: Vec<&Binding> = PLACES
            .iter()
            .copied()
            .flatten()
            .flat_map(Place::bindings)
            .collect();
        for binding in &bindings {
            for other in &bindings {
                let (name, action) = (binding.name == other.name, binding.action == other.action);
                assert_eq!(name, action, "{binding:?} {other:?}");
            }
        }
    }

    #[test]
    fn a_place_is_there_once_and_every_hint_names_a_key_of_it() {
        let tables = Keymap::built_in(PLACES).unwrap().tables();
        for table in &tables {
            let same = tables.iter().filter(|other| other.layer == table.layer);
            assert_eq!(same.count(), 1, "{}", table.title);
            assert!(!table.hints.is_empty(), "{}", table.title);
            for hint in table.hints {
                assert!(!table.keys(*hint).is_empty(), "{hint:?} in {}", table.title);
            }
        }
    }

    #[test]
    fn a_key_is_shown_by_the_name_that_is_read() {
        for binding in PLACES.iter().copied().flatten().flat_map(Place::bindings) {
            for name in binding.keys {
                assert_eq!(Key::parse(name).unwrap().to_string(), *name);
            }
        }
        for name in ["F12", "Alt-F3", "Ctrl-Space", "Alt-PgUp", "-", "Ctrl--"] {
            assert_eq!(Key::parse(name).unwrap().to_string(), name);
        }
    }
}
