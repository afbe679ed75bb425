//! Filters chosen with `f` beside the tab: values of fields, and flags.

use serde::de::DeserializeOwned;

use super::Filter;
use super::fields::{CONFIGURATION, TESTERS, VERSION};
use super::prelude::*;
use super::text::join;

/// Maximum number of versions that are read as one list each; for more, the runs of all versions are read.
const LISTS: usize = 4;

/// Reads those of several values that are known here: another version may have written them.
pub(super) fn known_ones<'de, D, T, C>(from: D) -> Result<C, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
    C: FromIterator<T> + IntoIterator<Item = T>,
{
    let all = Vec::<Value>::deserialize(from)?.into_iter();
    Ok(all
        .filter_map(|it| serde_json::from_value(it).ok())
        .collect())
}

/// Values of fields, of which a run has one each, and flags, which it has all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Narrowing {
    /// By field path; no set is empty.
    pub values: BTreeMap<String, BTreeSet<String>>,
    #[serde(deserialize_with = "known_ones")]
    pub flags: BTreeSet<Flag>,
}

impl Narrowing {
    /// Flags to choose from, with their names.
    pub const FLAGS: [(Flag, &'static str); 3] = [
        (Flag::Mine, "mine"),
        (Flag::Late, "late"),
        (Flag::Worse, "new failures"),
    ];

    pub fn is_empty(&self) -> bool {
        self.values.is_empty() && self.flags.is_empty()
    }

    pub fn add(&mut self, path: &str, value: &str) {
        let values = self.values.entry(path.to_owned()).or_default();
        values.insert(value.to_owned());
    }

    pub fn has(&self, path: &str, value: &str) -> bool {
        let values = self.values.get(path);
        values.is_some_and(|values| values.contains(value))
    }

    /// Returns the filter for the loaded runs: the values replace those of `filter` for the same fields.
    pub fn narrow(&self, filter: &Filter) -> Filter {
        let mut filter = self.beside(filter);
        for (path, values) in &self.values {
            let lines = values.iter().map(|value| format!("{path}:{value}"));
            filter.filters.extend(lines);
        }
        filter
    }

    /// Returns the filters of the lists to read from the service. Two values of one field are not documented: several
    /// versions become one list each, several values of another field are not sent.
    pub fn lists(&self, filter: &Filter) -> Vec<Filter> {
        let mut lists = vec![self.beside(filter)];
        for (path, values) in &self.values {
            let splits = path == VERSION.path && values.len() <= LISTS;
            // No service documents that it filters by testers.
            if path == TESTERS.path || values.len() > 1 && !splits {
                continue;
            }
            let with = |list: &Filter, value| {
                let mut list = list.clone();
                list.filters.push(format!("{path}:{value}"));
                list
            };
            let split = values
                .iter()
                .flat_map(|value| lists.iter().map(move |list| with(list, value)));
            lists = split.collect();
        }
        lists
    }

    /// Returns the lines of a filter about other fields.
    fn beside(&self, filter: &Filter) -> Filter {
        let mut filter = filter.clone();
        filter.retain(|path| !self.values.contains_key(path));
        filter
    }

    /// Returns the flags as a search.
    pub fn search(&self) -> String {
        join(
            self.flags.iter().map(|flag| format!("is:{}", flag.text())),
            " ",
        )
    }

    /// Returns words: `config chrome, qftest · version 1.2.0, 1.3.0 · late`.
    pub fn words(&self) -> String {
        self.words_with(|values| join(values.iter().map(String::as_str), ", "))
    }

    /// Returns the same words with `of_field` for the values of a field.
    pub fn words_with(&self, of_field: impl Fn(&BTreeSet<String>) -> String) -> String {
        let named = |path: &str| match path {
            path if path == CONFIGURATION.path => "config".to_owned(),
            path if path == TESTERS.path => "tester".to_owned(),
            path => fields::label(path).to_lowercase(),
        };
        let values = self.values.iter();
        let values = values.map(|(path, values)| format!("{} {}", named(path), of_field(values)));
        let flags = Self::FLAGS.iter();
        let flags = flags.filter(|(flag, _)| self.flags.contains(flag));
        join(
            values.chain(flags.map(|(_, words)| (*words).to_owned())),
            " · ",
        )
    }
}
