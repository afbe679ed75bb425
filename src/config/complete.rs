//! Adds the defaults of the table of settings to a text.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::Spanned;
use toml::de::{DeString, DeTable, DeValue, Error, ValueDeserializer};

use super::settings::{Relation, Setting, Unset, ValueType};

/// Reads a table with these settings into a type that has a field for each of them.
pub fn read<'a, T: Deserialize<'a>>(
    settings: &'static [Setting],
    table: DeTable<'a>,
) -> Result<T, Error> {
    let mut table = DeValue::Table(table);
    fill_in(ValueType::Table(settings), &mut table)?;
    T::deserialize(ValueDeserializer::from(unplaced(table)))
}

/// Returns the defaults of all settings.
#[expect(
    clippy::expect_used,
    reason = "the table is part of the program, and the tests read the defaults of every type that has some"
)]
pub fn defaults<T: DeserializeOwned>(settings: &'static [Setting]) -> T {
    read(settings, DeTable::new()).expect("the defaults of the table of settings can be read")
}

fn fill_in(kind: ValueType, value: &mut DeValue<'_>) -> Result<(), Error> {
    match (kind, value) {
        (ValueType::Table(settings), DeValue::Table(table)) => {
            for key in settings {
                if let Unset::Default(default) = key.unset
                    && !table.contains_key(key.name)
                {
                    table.insert(named(key.name), DeValue::parse(default)?);
                }
                if let Some(value) = table.get_mut(key.name) {
                    fill_in(key.kind, value.get_mut())?;
                }
            }
            take_ways(settings, table);
            Ok(())
        }
        (ValueType::Tables(settings), DeValue::Array(tables)) => tables
            .iter_mut()
            .try_for_each(|table| fill_in(ValueType::Table(settings), table.get_mut())),
        (ValueType::Named(kind), DeValue::Table(table)) => table
            .iter_mut()
            .try_for_each(|(_, value)| fill_in(*kind, value.get_mut())),
        (ValueType::ListOrTable(..), list) if list.is_array() => {
            let keys = std::mem::replace(list, DeValue::Boolean(false));
            let said = [(named("also"), unplaced(keys))];
            *list = DeValue::Table(DeTable::from_iter(said));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// Replaces each way to set a field by `field = { way = value }`. A way may have the name of the field, so all are
/// removed before any is inserted.
fn take_ways(settings: &[Setting], table: &mut DeTable<'_>) {
    let mut take = |key: &Setting| match key.relation {
        Relation::WayOf(field, way) => Some((field, way, table.remove(key.name)?)),
        Relation::None | Relation::AtLeastOne => None,
    };
    let taken: Vec<_> = settings.iter().filter_map(&mut take).collect();
    for (field, way, value) in taken {
        let said = DeTable::from_iter([(named(way), value)]);
        table.insert(named(field), unplaced(DeValue::Table(said)));
    }
}

fn named(name: &'static str) -> Spanned<DeString<'static>> {
    unplaced(Cow::Borrowed(name))
}

/// Wraps a value that has no place in a text.
fn unplaced<T>(value: T) -> Spanned<T> {
    Spanned::new(0..0, value)
}

#[cfg(test)]
mod tests {
    use super::super::settings::{CRITERION, DUE, KIND, MONITOR, PROFILE, ROOT, UI, VIEW};
    use super::super::{Config, EXAMPLE, MonitorSettings, ProjectSettings, Ui};
    use super::*;

    /// True if the example can be read with another value of a key, in a table of it.
    fn reads(below: &[&str], settings: &[Setting], key: &Setting, value: &str) -> bool {
        let mut root = DeTable::parse(EXAMPLE).unwrap().into_inner();
        let mut table = &mut root;
        for name in below {
            let value = table.get_mut(*name).unwrap().get_mut();
            let value = match value {
                DeValue::Array(tables) => tables.iter_mut().next().unwrap().get_mut(),
                value => value,
            };
            let DeValue::Table(below) = value else {
                panic!("{name}: {value:?}");
            };
            table = below;
        }
        let others = settings.iter().filter(|other| other.way_of().is_some());
        for other in others.filter(|other| other.way_of() == key.way_of()) {
            table.remove(other.name);
        }
        table.insert(named(key.name), DeValue::parse(value).unwrap());
        read::<Config>(ROOT, root).is_ok()
    }

    /// A key without a field would be ignored; its field refuses wrong values.
    #[test]
    fn every_key_has_a_field_that_takes_its_choices() {
        let tables: [(&[&str], _); 8] = [
            (&[], ROOT),
            (&["profiles", "work"], PROFILE),
            (&["profiles", "work", "views"], VIEW),
            (&["profiles", "work", "kinds"], KIND),
            (&["profiles", "work", "due"], DUE),
            (&["profiles", "work", "criteria"], CRITERION),
            (&["ui"], UI),
            (&["monitor"], MONITOR),
        ];
        for (below, settings) in tables {
            for key in settings.iter().filter(|key| !key.is_hidden()) {
                let taken = |value: &str| reads(below, settings, key, value);
                assert!(!taken("[[[]]]"), "no field takes {}", key.name);
                if let ValueType::OneOf(choices) | ValueType::OneOfOrList(choices, _) = key.kind {
                    for choice in choices {
                        assert!(taken(&format!("{choice:?}")), "{} = {choice}", key.name);
                    }
                }
            }
        }
    }

    /// Returns the limits of a value, as the example must state them.
    fn limits(kind: ValueType) -> Vec<String> {
        match kind {
            ValueType::Whole(least, most) => vec![format!("from {least} to {most}")],
            ValueType::OneOf(choices) | ValueType::OneOfOrList(choices, _) => {
                choices.iter().map(|text| format!("{text:?}")).collect()
            }
            ValueType::List(entry, _) => limits(*entry),
            _ => Vec::new(),
        }
    }

    #[test]
    fn the_example_tells_the_default_of_every_key_and_what_it_may_be() {
        for key in [ROOT, PROFILE, VIEW, KIND, DUE, CRITERION, UI, MONITOR]
            .into_iter()
            .flatten()
        {
            let begin = format!("{} = ", key.name);
            let is_it = |line: &str| line.trim_start_matches("# ").starts_with(&begin);
            let mut blocks = EXAMPLE.split("\n\n");
            let block = blocks.find(|block| block.lines().any(is_it));
            let words = block.unwrap_or_default().replace("\n# ", " ");
            for limit in limits(key.kind) {
                assert!(words.contains(&limit), "{limit} of {}", key.name);
            }
            if let (Unset::Default(default), Some(block)) = (key.unset, block) {
                let line = format!("# {begin}{default}");
                assert!(block.lines().any(|it| it == line), "{line}");
            }
        }
    }

    #[test]
    fn the_defaults_of_every_type_that_has_some_can_be_read() {
        let (ui, monitor, watch) = (
            Ui::default(),
            MonitorSettings::default(),
            ProjectSettings::default(),
        );
        assert_eq!((ui.theme.as_str(), ui.mouse), ("auto", false));
        assert_eq!((monitor.samples_days, watch.pace_days), (90, 3));
    }
}
