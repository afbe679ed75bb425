//! `[keys]`: for each command a list of further keys, or a table with the `only` ones. The key table checks them.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};
use toml::Spanned;

use crate::keymap::{OwnKeys, Written};

/// Keys of a command; `complete` has put a list under `also`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Said {
    Also(Vec<Spanned<String>>),
    Only(Vec<Spanned<String>>),
}

pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<OwnKeys>, D::Error> {
    let commands = BTreeMap::<Spanned<String>, Said>::deserialize(from)?;
    let own = commands.into_iter().map(|(command, said)| {
        let (only, keys) = match said {
            Said::Also(keys) => (false, keys),
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
