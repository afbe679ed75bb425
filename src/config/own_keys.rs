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
    let own = commands.into_iter().map(|(command, said)| {
        let (only, keys) = match said {
            Said::Further(keys) => (false, keys),
            Said::Only(keys) => (true, keys),
        };
        OwnKeys {
            command: written(command),
            keys: keys.into_iter().map(written).collect(),
            only,
        }
    });
    Ok(own.collect())
}

fn written(text: Spanned<String>) -> Written {
    Written {
        at: text.span().start,
        text: text.into_inner(),
    }
}

/// An untagged enum would lose the places.
enum Said {
    Further(Vec<Spanned<String>>),
    Only(Vec<Spanned<String>>),
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
        Deserialize::deserialize(SeqAccessDeserializer::new(list)).map(Said::Further)
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Said, A::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct OnlyThese {
            only: Vec<Spanned<String>>,
        }
        let OnlyThese { only } = Deserialize::deserialize(MapAccessDeserializer::new(table))?;
        Ok(Said::Only(only))
    }
}
