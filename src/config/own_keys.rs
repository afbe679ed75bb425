//! `[keys]`: for each command a list of further keys, or a table with the `only` ones. What they are, the key table knows.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::keymap::{OwnKeys, Written};

pub(super) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OwnKeys>, D::Error> {
    let commands = BTreeMap::<Spanned<String>, Said>::deserialize(from)?;
    let own = commands.into_iter().map(|(command, said)| OwnKeys {
        command: written(command),
        keys: said.keys.into_iter().map(written).collect(),
        only: said.only,
    });
    Ok(own.collect())
}

fn written(text: Spanned<String>) -> Written {
    Written {
        at: text.span().start,
        text: text.into_inner(),
    }
}

/// What stands behind a command. An untagged enum would lose the places.
struct Said {
    keys: Vec<Spanned<String>>,
    only: bool,
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(ListOrTable)
    }
}

struct ListOrTable;

impl<'de> Visitor<'de> for ListOrTable {
    type Value = Said;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or a table")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Said, A::Error> {
        let keys = Deserialize::deserialize(SeqAccessDeserializer::new(list))?;
        Ok(Said { keys, only: false })
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Said, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct OnlyThese {
            only: Vec<Spanned<String>>,
        }
        let OnlyThese { only } = Deserialize::deserialize(MapAccessDeserializer::new(table))?;
        Ok(Said {
            keys: only,
            only: true,
        })
    }
}
