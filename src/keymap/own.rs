//! The user's own keys: further ones, and others instead of the built-in ones.

use super::{Key, KeyError, Keymap};
use crate::domain::nearest;
use crate::store::{Action, Command, KeyTable, Layer};

/// Text of the config file, and its byte offset in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub text: String,
    pub at: usize,
}

/// Keys of one command in the config file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnKeys {
    pub command: Written,
    pub keys: Vec<Written>,
    /// These keys replace the built-in ones.
    pub only: bool,
}

/// Mistake in the keys of the config file, and its byte offset in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub at: usize,
    pub error: KeyError,
}

/// Keys that leave and answer a box, and end the program.
const STAY: [(&str, Action); 3] = [
    ("Esc", Action::Back),
    ("Enter", Action::Open),
    ("Ctrl-c", Action::Cancel),
];

/// Wanted keys of one command.
struct Wish<'a> {
    own: &'a OwnKeys,
    command: &'static str,
    action: Action,
    /// Valid keys, each with its byte offset in the file.
    keys: Vec<(Key, usize)>,
    built_in: Vec<(Layer, Key)>,
}

impl Keymap {
    /// Adds the user's keys before the built-in ones, so that texts name them. All mistakes are returned together.
    pub fn with(mut self, own: &[OwnKeys]) -> Result<Self, Vec<Mistake>> {
        let mut mistakes = Vec::new();
        let mut wishes = Vec::new();
        for own in own {
            let at = own.command.at;
            match self.wish(own, &mut mistakes) {
                Ok(wish) => wishes.push(wish),
                Err(error) => mistakes.push(Mistake { at, error }),
            }
        }
        // Keys removed from one command are free for another, in any order of the file.
        for wish in wishes.iter().filter(|wish| wish.own.only) {
            self.take_away(wish);
        }
        for wish in &wishes {
            self.add(wish, &mut mistakes);
        }
        mistakes.sort_by_key(|mistake| mistake.at);
        if mistakes.is_empty() {
            Ok(self)
        } else {
            Err(mistakes)
        }
    }

    fn wish<'a>(
        &self,
        own: &'a OwnKeys,
        mistakes: &mut Vec<Mistake>,
    ) -> Result<Wish<'a>, KeyError> {
        let wanted = &own.command.text;
        let commands = self.tables.iter().flat_map(|table| &table.commands);
        let Some(Command {
            name: command,
            action,
            ..
        }) = commands.clone().find(|it| it.name == wanted)
        else {
            let meant = nearest(wanted, commands.map(|command| command.name));
            let name = wanted.clone();
            return Err(KeyError::NoCommand { name, meant });
        };
        let mut keys = Vec::new();
        for Written { text, at } in &own.keys {
            match Key::parse(text) {
                Ok(key) => keys.push((key, *at)),
                Err(error) => mistakes.push(Mistake { at: *at, error }),
            }
        }
        if own.only
            && let Some((name, _)) = STAY.iter().find(|(_, stays)| stays == action)
        {
            let key = Key::parse(name)?;
            if !keys.iter().any(|(its, _)| *its == key) {
                return Err(KeyError::Stays { key, command });
            }
        }
        let built_in = self.by_key.iter().filter(|(_, its)| *its == action);
        Ok(Wish {
            own,
            command,
            action: action.clone(),
            keys,
            built_in: built_in.map(|(key, _)| *key).collect(),
        })
    }

    /// Removes the keys of a command, except in places where all new ones would be text.
    fn take_away(&mut self, wish: &Wish<'_>) {
        for table in &mut self.tables {
            if !wish.keys.is_empty() && wish.keys_in(table).is_empty() {
                continue;
            }
            let layer = table.layer;
            self.by_key
                .retain(|(of, _), action| *of != layer || *action != wish.action);
            let commands = table.commands.iter_mut();
            commands
                .filter(|command| command.action == wish.action)
                .for_each(|command| command.keys.clear());
        }
    }

    /// Adds keys wherever their command is offered and they are not text.
    fn add(&mut self, wish: &Wish<'_>, mistakes: &mut Vec<Mistake>) {
        let mut text = wish.keys.clone();
        let mut taken = Vec::new();
        for table in &mut self.tables {
            let keys = wish.keys_in(table);
            let commands = table.commands.iter_mut();
            let mut commands = commands.filter(|command| command.action == wish.action);
            let Some(first) = commands.next() else {
                continue;
            };
            text.retain(|key| !keys.contains(key));
            let named: Vec<String> = keys.iter().map(|(key, _)| key.to_string()).collect();
            let is_new = |key: &String| !named.contains(key);
            commands.for_each(|command| command.keys.retain(is_new));
            first.keys.retain(is_new);
            first.keys.splice(0..0, named);
            let first = first.clone();
            taken.push((table.clone(), first, keys));
        }
        let command = wish.command;
        let typed = |(key, at)| Mistake {
            at,
            error: KeyError::Typed { key, command },
        };
        mistakes.extend(text.into_iter().map(typed));
        for (table, command, keys) in taken {
            for (key, at) in keys {
                let result = self.bind(&table, &command, key);
                // One mistake is enough, whatever the number of places.
                if let Err(error) = result
                    && !mistakes.iter().any(|mistake| mistake.at == at)
                {
                    mistakes.push(Mistake { at, error });
                }
            }
        }
    }
}

impl Wish<'_> {
    /// Returns its keys for a place. With `only`, keys built in elsewhere are left out, unless no other key remains:
    /// `q` still leads back from everywhere but the first screen.
    fn keys_in(&self, table: &KeyTable) -> Vec<(Key, usize)> {
        let is_built_in = |key: Key| self.built_in.contains(&(table.layer, key));
        let can_be =
            |(key, _): &&(Key, usize)| !(key.is_text() && table.types) || is_built_in(*key);
        let is_of_here = |(key, _): &&(Key, usize)| {
            is_built_in(*key) || !self.built_in.iter().any(|(_, its)| its == key)
        };
        let all = self.keys.iter().filter(can_be);
        let of_here: Vec<_> = all.clone().filter(is_of_here).copied().collect();
        if self.own.only && !of_here.is_empty() {
            of_here
        } else {
            all.copied().collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Place;
    use super::*;
    use crate::app::PLACES;
    use crate::store::Heading;

    /// `[keys]` with these; offsets count the texts.
    fn with(own: &[(&str, bool, &[&str])]) -> Result<Keymap, Vec<Mistake>> {
        let mut at = 0;
        let mut written = |text: &str| {
            at += 1;
            Written {
                text: text.to_owned(),
                at,
            }
        };
        let own: Vec<OwnKeys> = own
            .iter()
            .map(|(command, only, keys)| OwnKeys {
                command: written(command),
                keys: keys.iter().map(|key| written(key)).collect(),
                only: *only,
            })
            .collect();
        Keymap::built_in(PLACES).unwrap().with(&own)
    }

    fn means(keymap: &Keymap, layer: Layer, key: &str) -> Option<Action> {
        match keymap.action(layer, Key::parse(key).unwrap().event()) {
            Action::Unbound(_) => None,
            action => Some(action),
        }
    }

    fn wrong(own: &[(&str, bool, &[&str])]) -> Vec<(usize, String)> {
        let mistakes = with(own).unwrap_err();
        let mistake_at = |mistake: Mistake| (mistake.at, mistake.error.to_string());
        mistakes.into_iter().map(mistake_at).collect()
    }

    #[test]
    fn further_keys_come_before_the_built_in_ones() {
        let keymap = with(&[("refresh", false, &["Alt-r", "Ctrl-Y"])]).unwrap();
        for key in ["Alt-r", "Ctrl-y", "r", "F5"] {
            assert_eq!(
                means(&keymap, Layer::Runs, key),
                Some(Action::Refresh),
                "{key}"
            );
        }
        let line = keymap.list();
        let line = line
            .lines()
            .find(|line| line.starts_with("refresh "))
            .unwrap();
        assert!(line.contains(" Alt-r Ctrl-y r F5 "), "{line}");
    }

    #[test]
    fn what_a_command_has_already_is_put_first_and_not_shown_twice() {
        let keymap = with(&[("row-down", false, &["↓"])]).unwrap();
        let tables = keymap.tables();
        let runs = tables
            .iter()
            .find(|table| table.layer == Layer::Runs)
            .unwrap();
        let down = Action::Move(crate::store::Motion::Down);
        let lines = runs.commands.iter().filter(|line| line.action == down);
        let keys: Vec<String> = lines.map(|line| line.keys.join(" ")).collect();
        assert_eq!(keys, ["↓ j", ""]);
        assert_eq!(runs.key(&down), Some("↓"));
    }

    #[test]
    fn a_letter_is_still_typed_in_a_text() {
        let keymap = with(&[("help", false, &["E"])]).unwrap();
        assert_eq!(means(&keymap, Layer::Runs, "E"), Some(Action::Help));
        assert!(matches!(
            means(&keymap, Layer::Form, "E"),
            Some(Action::Type(_))
        ));
    }

    #[test]
    fn a_command_may_have_only_these() {
        let keymap = with(&[("refresh", true, &["F9", "R"])]).unwrap();
        for (key, meant) in [
            ("F9", Some(Action::Refresh)),
            ("R", Some(Action::Refresh)),
            ("r", None),
            ("F5", None),
        ] {
            for layer in [Layer::Runs, Layer::Detail, Layer::Review, Layer::Delete] {
                assert_eq!(means(&keymap, layer, key), meant, "{key} in {layer:?}");
            }
        }
        let line = keymap.list();
        let line = line
            .lines()
            .find(|line| line.starts_with("refresh "))
            .unwrap();
        assert!(line.contains(" F9 R  "), "{line}");
    }

    #[test]
    fn a_command_without_a_key_is_in_the_palette() {
        let keymap = with(&[("mouse", true, &[])]).unwrap();
        assert_eq!(means(&keymap, Layer::Runs, "m"), None);
        let tables = keymap.tables();
        let mut lines = tables.iter().flat_map(|table| &table.commands);
        let mouse = lines.find(|line| line.action == Action::Mouse).unwrap();
        assert!(mouse.keys.is_empty() && mouse.heading == Heading::Tool);
    }

    #[test]
    fn what_is_taken_from_one_goes_to_another_whatever_comes_first() {
        let (from, to) = (("undo", true, &["z"][..]), ("mouse", false, &["u"][..]));
        for own in [[from, to], [to, from]] {
            let keymap = with(&own).unwrap();
            assert_eq!(means(&keymap, Layer::Runs, "u"), Some(Action::Mouse));
            assert_eq!(means(&keymap, Layer::Runs, "z"), Some(Action::Undo));
        }
        // Two commands may also swap their keys.
        let keymap = with(&[("available", true, &["s"]), ("attached", true, &["a"])]).unwrap();
        assert_eq!(
            means(&keymap, Layer::Runs, "s"),
            Some(Action::Show(Layer::Available))
        );
        assert_eq!(
            means(&keymap, Layer::Runs, "a"),
            Some(Action::Show(Layer::Attached))
        );
    }

    #[test]
    fn where_no_new_key_can_be_the_old_ones_stay() {
        let keymap = with(&[("undo", true, &["u"]), ("help", true, &["?"])]).unwrap();
        assert_eq!(means(&keymap, Layer::Journal, "u"), Some(Action::Undo));
        assert_eq!(means(&keymap, Layer::Form, "F1"), Some(Action::Help));
        assert_eq!(means(&keymap, Layer::Runs, "F1"), None);
    }

    #[test]
    fn the_keys_that_are_built_in_may_be_named_as_the_only_ones() {
        let built_in = Keymap::built_in(PLACES).unwrap();
        let bindings: Vec<_> = PLACES
            .iter()
            .copied()
            .flatten()
            .flat_map(Place::bindings)
            .collect();
        for binding in &bindings {
            let its = || bindings.iter().filter(|other| other.name == binding.name);
            if its().any(|binding| binding.keys.is_empty()) {
                continue;
            }
            let keys: Vec<&str> = its().flat_map(|binding| binding.keys).copied().collect();
            let keymap = with(&[(binding.name, true, &keys)]).unwrap();
            assert!(keymap.by_key == built_in.by_key, "{}", binding.name);
        }
        // A key that is built in elsewhere applies if the command would have none.
        let keymap = with(&[("errors", true, &["F2"])]).unwrap();
        assert_eq!(
            means(&keymap, Layer::Runs, "F2"),
            Some(Action::Show(Layer::Errors))
        );
        assert_eq!(means(&keymap, Layer::Runs, "!"), None);
    }

    #[test]
    fn nobody_is_locked_in() {
        for (command, key) in [("back", "Esc"), ("open", "Enter"), ("cancel", "Ctrl-c")] {
            let stays = format!(
                "{key} cannot be taken from {command}, else there would be boxes without a way out: keep it in the list"
            );
            assert_eq!(wrong(&[(command, true, &["F9"])]), [(1, stays.clone())]);
            assert_eq!(wrong(&[(command, true, &[])]), [(1, stays)]);
            let keymap = with(&[(command, true, &["F9", key])]).unwrap();
            let built_in = Keymap::built_in(PLACES).unwrap();
            for place in PLACES.iter().copied().flatten() {
                assert_eq!(
                    means(&keymap, place.layer, key),
                    means(&built_in, place.layer, key),
                    "{key} in {}",
                    place.title
                );
            }
        }
        assert!(
            wrong(&[("refresh", false, &["Esc"])])[0]
                .1
                .starts_with("Esc is back already")
        );
        let keymap = with(&[("back", true, &["Esc"])]).unwrap();
        assert_eq!(means(&keymap, Layer::Detail, "q"), None);
    }

    #[test]
    fn what_cannot_be_is_told_where_it_stands() {
        assert_eq!(
            wrong(&[("refresh", false, &["F6", "a"])]),
            [(
                3,
                "a is available already, in the runs list: take another key for refresh, or take this one away with \
                 available = { only = [...] }"
                    .to_owned()
            )]
        );
        let begins = "a terminal sends Alt-O for the beginning of a function key: take another key";
        assert_eq!(
            wrong(&[("refresh", false, &["Alt-O"])]),
            [(2, begins.to_owned())]
        );
        let mistakes = wrong(&[
            ("refrsh", false, &["a"]),
            ("refresh", true, &["Ctrl-i", "pgdn", "Hyper-x"]),
            ("Copy_JSON", false, &["F9"]),
            ("reload", false, &["F9"]),
            ("field-outside", false, &["w"]),
        ]);
        let (at, texts): (Vec<usize>, Vec<String>) = mistakes.into_iter().unzip();
        assert_eq!(at, [1, 4, 5, 6, 7, 9, 12]);
        let names = ", `rundown config keys` lists their names";
        assert_eq!(
            texts[0],
            format!("no command is called \"refrsh\"{names}; did you mean \"refresh\"?")
        );
        assert_eq!(
            texts[1],
            "a terminal sends Ctrl-i for Tab: take another key"
        );
        assert!(texts[2].starts_with("\"pgdn\" is no key: expected a character"));
        assert!(texts[2].ends_with("; did you mean \"PgDn\"?"));
        assert!(texts[2].contains(" Tab, S-Tab, ") && !texts[2].contains(" S- "));
        assert!(texts[3].starts_with("\"Hyper-x\" is no key") && !texts[3].contains("mean"));
        assert!(texts[4].contains("did you mean \"copy-json\"?"));
        assert_eq!(texts[5], format!("no command is called \"reload\"{names}"));
        assert_eq!(
            texts[6],
            "w would be text wherever field-outside is offered: take one with Ctrl- or Alt-, or F2"
        );
    }
}
