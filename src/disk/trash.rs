//! Copies of runs, made before they are deleted.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::DiskError;
use super::exports::{self, clock, harmless};
use super::json_file::{self, FORMAT, text};
use crate::domain::fields::ID;
use crate::domain::{DocRef, Document, ResultCode, ResultCounts};

/// The copies in one folder. Nothing is ever removed from it or written over in it.
#[derive(Debug)]
pub struct Trash {
    folder: PathBuf,
}

/// What is kept of a run.
#[derive(Clone, Debug, PartialEq)]
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
    pub counts: Option<ResultCounts>,
    /// `TestSuiteCount`, where that is known.
    pub suite_count: Option<i64>,
    /// The suites that were known to be in it: reference and what the person knows them by.
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
        exports::add(&self.folder, &stem(copy), "json", &written(copy))
    }

    /// Reads a copy. Blocks.
    pub fn read(path: &Path) -> Result<TrashCopy, DiskError> {
        let bytes = fs::read(path).map_err(DiskError::reading(path))?;
        parsed(&bytes).map_err(|why| DiskError::Damaged {
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

fn written(copy: &TrashCopy) -> Vec<u8> {
    let suite =
        |(suite, name): &(DocRef, String)| json!({ "docRef": suite.as_str(), "name": name });
    let file = json!({
        "format": FORMAT,
        "profile": copy.profile,
        "at": copy.at,
        "run_name": copy.run_name,
        "results": copy.counts.as_ref().map(results),
        "suite_count": copy.suite_count,
        "suites": copy.suites.iter().map(suite).collect::<Vec<_>>(),
        "known": copy.known,
        "document": copy.document.raw(),
    });
    json_file::written(&file)
}

/// The counts in the form of `Root.DisplayFields.Result` (2.2).
fn results(counts: &ResultCounts) -> Vec<Value> {
    let result = |code: &str, label: &str, count: u64| json!({ "result": code, "label": label, "count": count });
    let all = ResultCode::ALL.into_iter();
    let known = all.filter(|code| counts.get(*code) > 0);
    let known = known.map(|it| result(&it.number().to_string(), it.label(), counts.get(it)));
    let others = counts.others.iter();
    let others = others.map(|(code, label, count)| result(code, label, *count));
    known.chain(others).collect()
}

fn parsed(bytes: &[u8]) -> Result<TrashCopy, String> {
    let file = json_file::read(bytes)?;
    let suite = |value: &Value| {
        let suite = DocRef::parse(&text(value, "docRef")?).map_err(|error| error.to_string())?;
        Ok((suite, text(value, "name")?))
    };
    let suites = file["suites"].as_array().ok_or("without suites")?;
    Ok(TrashCopy {
        profile: text(&file, "profile")?,
        at: file["at"].as_i64().ok_or("without a time")?,
        run_name: text(&file, "run_name")?,
        counts: ResultCounts::from_value(&file["results"]),
        suite_count: file["suite_count"].as_i64(),
        suites: suites.iter().map(suite).collect::<Result<_, String>>()?,
        known: text(&file, "known")?,
        document: Document::from_value(file["document"].clone())
            .map_err(|error| error.to_string())?,
    })
}
