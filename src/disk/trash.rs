//! Copies of runs, saved before the runs are deleted.

use serde::{Deserializer, Serializer};

use super::exports::{self, clock, harmless};
use super::prelude::*;
use crate::domain::fields::ID;
use crate::domain::{DocRef, Document, ResultCode, ResultCounts};

/// The copies in one folder. Files in it are never removed or overwritten.
#[derive(Debug)]
pub struct Trash {
    folder: PathBuf,
}

/// A copy of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrashCopy {
    pub profile: String,
    /// Time of the copy, epoch milliseconds.
    pub at: i64,
    /// Name of the run for the user.
    pub run_name: String,
    pub document: Document,
    /// Number of test cases by result, if known.
    #[serde(
        default,
        rename = "results",
        serialize_with = "results",
        deserialize_with = "counts"
    )]
    pub counts: Option<ResultCounts>,
    /// `TestSuiteCount`, if known.
    pub suite_count: Option<i64>,
    /// Suites known to be in the run, with their names for the user.
    #[serde(serialize_with = "rows", deserialize_with = "suites")]
    pub suites: Vec<(DocRef, String)>,
    /// Completeness of the suites, in words.
    pub known: String,
}

impl Trash {
    /// Uses `folder`, which is created with the first copy.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Writes a copy to a new file, `R_21-20261120T094200Z.json`, and returns its path once it is on the disk. Blocks.
    pub fn save(&self, copy: &TrashCopy) -> Result<PathBuf, DiskError> {
        exports::add(&self.folder, &stem(copy), "json", &json_file::written(copy))
    }

    /// Reads a copy; one that is not there any more is looked for by its name in this folder, as a home may have moved.
    /// Blocks.
    pub fn find(&self, path: &Path) -> Result<TrashCopy, DiskError> {
        let here = path.file_name().map(|name| self.folder.join(name));
        match Self::read(path) {
            Err(error) if error.is_not_found() => here
                .filter(|here| here.exists())
                .map_or(Err(error), |here| Self::read(&here)),
            read => read,
        }
    }

    /// Reads a copy. Blocks.
    pub fn read(path: &Path) -> Result<TrashCopy, DiskError> {
        let bytes = file::read(path).map_err(DiskError::reading(path))?;
        json_file::read(&bytes).map_err(|why| DiskError::Damaged {
            path: path.to_owned(),
            why,
        })
    }
}

/// Returns short id and time.
fn stem(copy: &TrashCopy) -> String {
    let id = harmless(&ID.text(&copy.document).unwrap_or_default());
    let id = if id.is_empty() { "run" } else { &id };
    format!("{id}-{}", clock(copy.at))
}

/// Writes the counts in the form of `Root.DisplayFields.Result` (2.2).
#[expect(clippy::ref_option, reason = "the form that serde calls")]
fn results<S: Serializer>(counts: &Option<ResultCounts>, to: S) -> Result<S::Ok, S::Error> {
    let result = |code: &str, label: &str, count: u64| json!({ "result": code, "label": label, "count": count });
    let rows = counts.as_ref().map(|counts| {
        let known = ResultCode::ALL
            .into_iter()
            .filter(|code| counts.get(*code) > 0)
            .map(|it| result(&it.number().to_string(), it.label(), counts.get(it)));
        let others = counts
            .others
            .iter()
            .map(|(code, label, count)| result(code, label, *count));
        known.chain(others).collect::<Vec<_>>()
    });
    rows.serialize(to)
}

fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ResultCounts>, D::Error> {
    let results = Value::deserialize(from)?;
    Ok(ResultCounts::from_value(&results))
}

#[derive(Serialize, Deserialize)]
struct TrashLine {
    #[serde(rename = "docRef")]
    doc_ref: DocRef,
    name: String,
}

fn rows<S: Serializer>(suites: &[(DocRef, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        suites
            .iter()
            .cloned()
            .map(|(doc_ref, name)| TrashLine { doc_ref, name }),
    )
}

fn suites<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(DocRef, String)>, D::Error> {
    let rows = Vec::<TrashLine>::deserialize(from)?.into_iter();
    Ok(rows.map(|row| (row.doc_ref, row.name)).collect())
}
