//! Copies of runs, made before they are deleted.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Value, json};

use super::DiskError;
use super::exports::{self, clock, harmless};
use super::json_file;
use crate::domain::fields::ID;
use crate::domain::{DocRef, Document, ResultCode, ResultCounts};

/// The copies in one folder. Nothing is ever removed from it or written over in it.
#[derive(Debug)]
pub struct Trash {
    folder: PathBuf,
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrashCopy {
    /// Name of the profile.
    pub profile: String,
    /// When the copy was made, epoch milliseconds.
    pub at: i64,
    /// What the person knows the run by.
    pub run_name: String,
    /// The document as it was read.
    pub document: Document,
    /// How many test cases stood at which result, where that is known.
    #[serde(
        default,
        rename = "results",
        serialize_with = "results",
        deserialize_with = "counts"
    )]
    pub counts: Option<ResultCounts>,
    /// `TestSuiteCount`, where that is known.
    pub suite_count: Option<i64>,
    /// The suites that were known to be in it: reference and what the person knows them by.
    #[serde(serialize_with = "rows", deserialize_with = "suites")]
    pub suites: Vec<(DocRef, String)>,
    /// How complete they are, in words.
    pub known: String,
}

impl Trash {
    /// Copies in `folder`, which is made with the first of them.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// Writes a copy to a file of its own, `R_21-20261120T094200Z.json`, and returns its path once it is on the disk. Blocks.
    pub fn save(&self, copy: &TrashCopy) -> Result<PathBuf, DiskError> {
        exports::add(&self.folder, &stem(copy), "json", &json_file::written(copy))
    }

    /// Reads a copy. Blocks.
    pub fn read(path: &Path) -> Result<TrashCopy, DiskError> {
        let bytes = fs::read(path).map_err(DiskError::reading(path))?;
        json_file::read(&bytes).map_err(|why| DiskError::Damaged {
            path: path.to_owned(),
            why,
        })
    }
}

/// Short id and time.
fn stem(copy: &TrashCopy) -> String {
    let id = harmless(&ID.text(&copy.document).unwrap_or_default());
    let id = if id.is_empty() { "run" } else { &id };
    format!("{id}-{}", clock(copy.at))
}

/// The counts in the form of `Root.DisplayFields.Result` (2.2).
#[expect(clippy::ref_option, reason = "the form that serde calls")]
fn results<S: Serializer>(counts: &Option<ResultCounts>, to: S) -> Result<S::Ok, S::Error> {
    let result = |code: &str, label: &str, count: u64| json!({ "result": code, "label": label, "count": count });
    let rows = counts.as_ref().map(|counts| {
        let all = ResultCode::ALL.into_iter();
        let known = all.filter(|code| counts.get(*code) > 0);
        let known = known.map(|it| result(&it.number().to_string(), it.label(), counts.get(it)));
        let others = counts.others.iter();
        let others = others.map(|(code, label, count)| result(code, label, *count));
        known.chain(others).collect::<Vec<_>>()
    });
    rows.serialize(to)
}

fn counts<'de, D: Deserializer<'de>>(from: D) -> Result<Option<ResultCounts>, D::Error> {
    let results = Value::deserialize(from)?;
    Ok(ResultCounts::from_value(&results))
}

/// A suite in the file.
#[derive(Serialize, Deserialize)]
struct Row {
    #[serde(rename = "docRef")]
    doc_ref: DocRef,
    name: String,
}

fn rows<S: Serializer>(suites: &[(DocRef, String)], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(
        suites
            .iter()
            .cloned()
            .map(|(doc_ref, name)| Row { doc_ref, name }),
    )
}

fn suites<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<(DocRef, String)>, D::Error> {
    let rows = Vec::<Row>::deserialize(from)?.into_iter();
    Ok(rows.map(|row| (row.doc_ref, row.name)).collect())
}
