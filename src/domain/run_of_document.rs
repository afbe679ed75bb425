//! Rows of runs by the table of fields: what a document tells them, and what they take in memory.

use serde_json::Value;

use super::{Document, FieldDigests, ResultCounts, RunRow, Status, fields, text_or_json};

/// Members of `Root` that are no fields of the run itself: who edited it, and what is counted.
const BESIDE: [&str; 3] = ["General", "Metadata", "DisplayFields"];

impl RunRow {
    /// Takes from a document what a row shows.
    pub fn from_document(document: &Document) -> Self {
        let integer = |field: &fields::Field| document.integer(field.path);
        let value = |field: &fields::Field| document.at(field.path);
        Self {
            doc_ref: document.doc_ref().clone(),
            id: fields::ID.text(document),
            title: fields::TITLE.text(document),
            project: fields::PROJECT.text(document),
            subproject: fields::SUBPROJECT.text(document),
            version: fields::VERSION.text(document),
            configuration: fields::CONFIGURATION.text(document),
            status: Status::from_text(fields::STATUS.text(document).as_deref()),
            edited_by: fields::EDITED_BY.text(document),
            edited_on: integer(&fields::EDITED_ON),
            display_edited_on: fields::EDITED.text(document),
            created_by: fields::CREATED_BY.text(document),
            display_created_on: fields::CREATED.text(document),
            suite_count: integer(&fields::SUITES),
            progress: integer(&fields::PROGRESS),
            results: value(&fields::RESULTS).and_then(ResultCounts::from_value),
            cases_with_tester: fields::CASES_WITH_TESTER.text(document),
            testers: value(&fields::TESTERS).map(testers).unwrap_or_default(),
            digests: unlisted(document),
        }
    }

    /// About what it takes in memory.
    pub fn bytes(&self) -> usize {
        let texts = fields::ALL
            .into_iter()
            .filter_map(|field| field.text_of(self))
            .chain(self.testers.iter().map(String::as_str))
            .map(|text| size_of::<String>() + text.len());
        size_of::<Self>() + texts.sum::<usize>() + self.digests.bytes()
    }
}

/// The fields that a row has no member for.
fn unlisted(document: &Document) -> FieldDigests {
    let members = |path: &'static str| {
        document
            .at(path)
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .map(move |(name, value)| (name.as_str(), format!("{path}.{name}"), value))
    };
    let shown = |name: &str| {
        fields::ALL
            .iter()
            .any(|field| field.in_general() == Some(name) && field.is_in_row())
    };
    let general = members("Root.General").filter(|(name, ..)| !shown(name));
    let root = members("Root").filter(|(name, ..)| !BESIDE.contains(name));
    FieldDigests::of(general.chain(root).map(|(_, path, value)| (path, value)))
}

/// `TestersOfTestCases` is "an array"; of what is not documented: texts are taken as they are, all else as JSON.
fn testers(value: &Value) -> Vec<String> {
    value
        .as_array()
        .into_iter()
        .flatten()
        .map(text_or_json)
        .collect()
}
