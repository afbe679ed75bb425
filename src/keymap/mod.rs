//! Which key means what: one table that the input, the help and the README are made from, and the keys that a person adds.

mod key;
mod names;
mod table;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use crossterm::event::KeyEvent;

pub use key::{Key, KeyError};

use crate::store::{Action, Command, Layer};

/// Places with a text field: a character without a modifier is text there.
const TYPES: &[Layer] = &[
    Layer::Form,
    Layer::Typing,
    Layer::Picker,
    Layer::Login,
    Layer::Help,
    Layer::Journal,
];

/// The key table, ready for look-up.
#[derive(Clone, Debug)]
pub struct Keymap {
    commands: Vec<Command>,
    by_key: HashMap<(Layer, Key), Action>,
}

impl Keymap {
    /// The built-in table. A key that stands twice for one layer, or that cannot be read, is an error with its name.
    pub fn built_in() -> Result<Self, KeyError> {
        let mut keymap = Self {
            commands: Vec::new(),
            by_key: HashMap::new(),
        };
        for binding in table::BINDINGS {
            for name in binding.keys {
                let key = Key::parse(name)?;
                for layer in binding.layers {
                    keymap.bind(*layer, name, key, &binding.action)?;
                }
            }
            keymap.commands.push(Command {
                layers: binding.layers,
                keys: binding.keys.join(" "),
                group: binding.group,
                label: binding.label,
                action: binding.action.clone(),
            });
        }
        Ok(keymap)
    }

    /// The built-in table with keys that a person adds: names of commands, each with the names of its further keys. The
    /// built-in ones stay, so that every text about them stays true. Everything that is wrong is told at once.
    pub fn with(own: &BTreeMap<String, Vec<String>>) -> Result<Self, Vec<KeyError>> {
        let mut keymap = Self::built_in().map_err(|error| vec![error])?;
        let mut errors = Vec::new();
        for (name, keys) in own {
            let Some(action) = names::action(name) else {
                errors.push(KeyError::NoCommand(name.clone()));
                continue;
            };
            for key in keys {
                errors.extend(keymap.add(key, name, action).err());
            }
        }
        if errors.is_empty() {
            Ok(keymap)
        } else {
            Err(errors)
        }
    }

    /// Adds a key wherever the command is offered and the key is not text.
    fn add(&mut self, name: &str, command: &str, action: &Action) -> Result<(), KeyError> {
        let key = Key::parse(name)?;
        let mut added = false;
        for place in 0..self.commands.len() {
            let Command {
                layers,
                action: offered,
                ..
            } = &self.commands[place];
            if offered != action {
                continue;
            }
            let free: Vec<Layer> = layers
                .iter()
                .copied()
                .filter(|layer| !(key.is_text() && TYPES.contains(layer)))
                .collect();
            for layer in &free {
                self.bind(*layer, name, key, action)?;
            }
            if !free.is_empty() {
                added = true;
                let keys = &mut self.commands[place].keys;
                keys.push_str(if keys.is_empty() { "" } else { " " });
                keys.push_str(name);
            }
        }
        let typed = || KeyError::Typed {
            key: name.to_owned(),
            command: command.to_owned(),
        };
        if added { Ok(()) } else { Err(typed()) }
    }

    fn bind(
        &mut self,
        layer: Layer,
        name: &str,
        key: Key,
        action: &Action,
    ) -> Result<(), KeyError> {
        match self.by_key.insert((layer, key), action.clone()) {
            Some(before) if before != *action => Err(KeyError::Twice {
                key: name.to_owned(),
                layer,
                one: names::of(&before).unwrap_or_default(),
                other: names::of(action).unwrap_or_default(),
            }),
            _ => Ok(()),
        }
    }

    /// The lines of the table, for help and command palette.
    pub fn commands(&self) -> Vec<Command> {
        self.commands.clone()
    }

    /// What a key means on a layer. On layers with a text field, keys without a meaning of their own are typed.
    pub fn action(&self, layer: Layer, event: KeyEvent) -> Option<Action> {
        let found = self.by_key.get(&(layer, Key::from_event(event))).cloned();
        found.or_else(|| TYPES.contains(&layer).then_some(Action::Type(event)))
    }

    /// Every command with its name for the config file, its keys and what it does, as lines of three columns.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for (name, action) in names::NAMES {
            let lines = self
                .commands
                .iter()
                .filter(|command| command.action == *action);
            let (mut keys, mut labels) = (Vec::new(), Vec::new());
            for line in lines {
                keys.extend(line.keys.split(' ').filter(|key| !key.is_empty()));
                labels.push(line.label);
            }
            for words in [&mut keys, &mut labels] {
                let mut seen = std::collections::HashSet::new();
                words.retain(|word| seen.insert(*word));
            }
            let _ = writeln!(
                text,
                "{name:<18} {:<22} {}",
                keys.join(" "),
                labels.join("; ")
            );
        }
        text
    }
}

/// The key table of the README, as Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| keys | what they do | where |\n|---|---|---|\n");
    for binding in table::BINDINGS {
        // A command without a key of its own is in the palette.
        let keys = if binding.keys.is_empty() {
            &[":"]
        } else {
            binding.keys
        };
        let keys: Vec<String> = keys
            .iter()
            .map(|key| format!("`{}`", key.replace('|', "\\|")))
            .collect();
        let place = table::place(binding.layers);
        let _ = writeln!(text, "| {} | {} | {place} |", keys.join(" "), binding.label);
    }
    text
}

#[cfg(test)]
mod tests {
    use crossterm::event::{KeyCode, KeyModifiers};

    use super::*;
    use crate::store::Motion;

    fn own(name: &str, keys: &[&str]) -> BTreeMap<String, Vec<String>> {
        BTreeMap::from([(
            name.to_owned(),
            keys.iter().map(|key| (*key).to_owned()).collect(),
        )])
    }

    fn wrong(name: &str, keys: &[&str]) -> String {
        Keymap::with(&own(name, keys))
            .unwrap_err()
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
            .join("\n")
    }

    #[test]
    fn the_table_has_no_clash_and_leaves_taken_keys_alone() {
        let keymap = Keymap::built_in().unwrap();
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
    fn a_letter_is_typed_where_there_is_a_text_field() {
        let keymap = Keymap::built_in().unwrap();
        let event = KeyEvent::from(KeyCode::Char('q'));
        assert_eq!(keymap.action(Layer::Runs, event), Some(Action::Quit));
        assert_eq!(
            keymap.action(Layer::Login, event),
            Some(Action::Type(event))
        );
        let shifted = KeyEvent::new(KeyCode::Char('G'), KeyModifiers::SHIFT);
        assert_eq!(
            keymap.action(Layer::Runs, shifted),
            Some(Action::Move(Motion::Last))
        );
    }

    #[test]
    fn every_command_has_one_name() {
        for binding in table::BINDINGS {
            assert!(names::of(&binding.action).is_some(), "{}", binding.label);
        }
        for (place, (name, action)) in names::NAMES.iter().enumerate() {
            assert!(
                table::BINDINGS
                    .iter()
                    .any(|binding| binding.action == *action),
                "{name} is in no line"
            );
            assert!(
                !names::NAMES[..place]
                    .iter()
                    .any(|(other, same)| other == name || same == action),
                "{name}"
            );
        }
    }

    #[test]
    fn own_keys_work_beside_the_built_in_ones_and_are_shown() {
        let keymap = Keymap::with(&own("refresh", &["Alt-r", "z"])).unwrap_err();
        assert_eq!(keymap.len(), 1, "z is undo on the list");
        let keymap = Keymap::with(&own("refresh", &["Alt-r", "Ctrl-Y"])).unwrap();
        for (code, modifiers) in [
            (KeyCode::Char('r'), KeyModifiers::ALT),
            (KeyCode::Char('y'), KeyModifiers::CONTROL),
            (KeyCode::Char('r'), KeyModifiers::NONE),
        ] {
            assert_eq!(
                keymap.action(Layer::Runs, KeyEvent::new(code, modifiers)),
                Some(Action::Refresh)
            );
        }
        assert!(
            keymap
                .commands()
                .iter()
                .any(|line| line.action == Action::Refresh && line.keys.ends_with("Alt-r Ctrl-Y"))
        );
        assert!(
            keymap
                .list()
                .lines()
                .any(|line| line.starts_with("refresh ") && line.contains("F5 Alt-r Ctrl-Y"))
        );
    }

    #[test]
    fn an_own_letter_is_still_typed_in_a_text() {
        let keymap = Keymap::with(&own("help", &["H"])).unwrap();
        let event = KeyEvent::new(KeyCode::Char('H'), KeyModifiers::SHIFT);
        assert_eq!(keymap.action(Layer::Runs, event), Some(Action::Help));
        assert_eq!(keymap.action(Layer::Form, event), Some(Action::Type(event)));
    }

    #[test]
    fn what_cannot_be_is_told_with_both_names() {
        assert_eq!(
            wrong("refresh", &["a"]),
            "a is available already, in Runs: refresh needs another key"
        );
        assert_eq!(
            wrong("refrsh", &["a"]),
            "no command is called \"refrsh\"; `rundown config keys` lists their names"
        );
        assert!(
            wrong("refresh", &["Ctrl-i", "Hyper-x"]).starts_with("a terminal sends Ctrl-i for Tab")
        );
        assert!(wrong("refresh", &["Ctrl-i", "Hyper-x"]).contains("\n\"Hyper-x\" is no key"));
        assert_eq!(
            wrong("field-outside", &["w"]),
            "w would be text wherever field-outside is offered: take one with Ctrl- or Alt-, or F2"
        );
    }
}
