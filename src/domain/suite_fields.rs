//! Values of the document of a suite (interface sections 2.1, 2.3, 2.4, 2.5): documented ones with labels, the rest
//! with paths. Those of attached files are the same for runs.

use std::collections::HashMap;

use super::document::{gather, text_or_json};
use super::prelude::*;

/// Kind of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaidAs {
    Text,
    Time,
    Bytes,
}

use SaidAs::{Bytes, Text, Time};

/// Label of some values, and their paths.
type Row = (&'static str, &'static [(&'static str, SaidAs)]);

const GENERAL: &str = "document.Root.General.";
const METADATA: &str = "document.Root.Metadata.";

/// Rows, each with the prefix of its paths.
const RECORDS: [(&str, Row); 16] = [
    (
        "document.Root.DisplayFields.",
        ("Cases", &[("TotalTestCases", Text)]),
    ),
    (
        GENERAL,
        ("Priority", &[("RecommendedPriority.Value", Text)]),
    ),
    (GENERAL, ("Account", &[("TimeBookingAccount", Text)])),
    (GENERAL, ("Order", &[("Order", Text)])),
    (
        METADATA,
        ("Edited", &[("DisplayEditedOn", Time), ("EditedBy", Text)]),
    ),
    (
        METADATA,
        (
            "Created",
            &[("DisplayCreatedOn", Time), ("CreatedBy", Text)],
        ),
    ),
    (GENERAL, ("Version", &[("ProjectVersionNumber", Text)])),
    (
        "document.Root.Metadata.AssignedToVersion.",
        (
            "For version",
            &[("AssignedToNumber", Text), ("AssignedToTitle", Text)],
        ),
    ),
    (METADATA, ("Imported", &[("IsImported", Text)])),
    (GENERAL, ("Project", &[("ProjectId", Text)])),
    (GENERAL, ("Sub project", &[("SubprojectId", Text)])),
    (GENERAL, ("Id", &[("Id", Text)])),
    ("", ("Reference", &[("docRef", Text)])),
    (GENERAL, ("Technical id", &[("TechnicalId", Text)])),
    (GENERAL, ("Tenant", &[("TenantId", Text)])),
    (
        "__meta.",
        ("Saved", &[("modifiedAt", Time), ("modifier", Text)]),
    ),
];

/// Rows of a file.
const OF_FILE: [Row; 8] = [
    ("File", &[("FileName", Text)]),
    ("  was", &[("OriginalFileName", Text)]),
    ("  size", &[("File.size", Bytes)]),
    ("  type", &[("File.mime_type", Text)]),
    ("  created", &[("CreatedAt", Time)]),
    ("  uploaded", &[("UploadOn", Time), ("UploadBy", Text)]),
    ("  referenced", &[("Referenced", Text)]),
    ("  copy", &[("CopyNumber", Text)]),
];

/// Values that are shown above all rows.
const HEADING: [&str; 2] = [
    "document.Root.General.Title",
    "document.Root.General.Description",
];

const FILES: &str = "document.Root.Attachments.";

/// Values with their label; none if the document has none.
#[derive(Clone, Debug, PartialEq)]
pub struct LabelledValues {
    pub label: &'static str,
    pub values: Vec<(Value, SaidAs)>,
}

/// All values of the document of a suite, without title and description.
#[derive(Clone, Debug, PartialEq)]
pub struct SuiteFields {
    pub records: Vec<LabelledValues>,
    /// Records of each file, without empty ones.
    pub files: Vec<Vec<LabelledValues>>,
    /// Other values with paths, in the order of the document.
    pub others: Vec<(String, String)>,
}

impl SuiteFields {
    pub fn of(document: &Document) -> Self {
        let values = document.values();
        let order: Vec<String> = values.iter().map(|(path, _)| path.clone()).collect();
        let mut values: HashMap<String, &Value> = values.into_iter().collect();
        for path in HEADING {
            values.remove(path);
        }
        // An empty list of files is not one of the rest.
        values.remove(FILES.trim_end_matches('.'));
        let records = RECORDS
            .map(|(below, row)| record(&mut values, below, row))
            .into();
        let files = files(document, &mut values);
        let rest = order.into_iter().filter_map(|path| {
            let value = values.remove(&path)?;
            Some((
                path.strip_prefix("document.").unwrap_or(&path).to_owned(),
                text_or_json(value),
            ))
        });
        Self {
            records,
            files,
            others: rest.collect(),
        }
    }

    /// Returns the record of this label, if it has values.
    pub fn record(&self, label: &str) -> Option<&LabelledValues> {
        self.records
            .iter()
            .find(|record| record.label == label && !record.values.is_empty())
    }
}

/// Returns the records of each attached file of a document, without empty ones.
pub fn files_of(document: &Document) -> Vec<Vec<LabelledValues>> {
    let mut values = Vec::new();
    for (place, file) in document.attachments().iter().enumerate() {
        gather(&format!("{FILES}{place}"), file, &mut values);
    }
    files(document, &mut values.into_iter().collect())
}

fn files(document: &Document, values: &mut HashMap<String, &Value>) -> Vec<Vec<LabelledValues>> {
    (0..document.attachments().len())
        .map(|place| {
            let file = format!("{FILES}{place}.");
            let [name, inner] =
                ["FileName", "File.original_filename"].map(|it| format!("{file}{it}"));
            if values.get(&name).is_none_or(|name| name.is_null())
                && let Some(inner) = values.remove(&inner)
            {
                values.insert(name, inner);
            }
            let records = OF_FILE.map(|row| record(values, &file, row)).into_iter();
            records.filter(|record| !record.values.is_empty()).collect()
        })
        .collect()
}

fn record(
    values: &mut HashMap<String, &Value>,
    below: &str,
    (label, paths): Row,
) -> LabelledValues {
    let values = paths.iter().filter_map(|(path, said)| {
        Some((values.remove(&format!("{below}{path}"))?.clone(), *said))
    });
    LabelledValues {
        label,
        values: values.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_name_with_a_dot_is_another_member_than_one_below_another() {
        let document = Document::from_value(json!({
            "docRef": "TestSuite-dm/1",
            "documentModelName": "TestSuite-dm",
            "document": {"Root": {"General": {
                "Title": "Load", "a": {"b": 1}, "a.b": 2, "a\\": {"b": 3}, "a\\.b": 4
            }, "General.Order": "7"}},
        }));
        let said = SuiteFields::of(&document.unwrap());
        let rest: Vec<String> = said
            .others
            .iter()
            .map(|(path, value)| format!("{path} {value}"))
            .collect();
        assert_eq!(
            rest,
            [
                "documentModelName TestSuite-dm",
                "Root.General.a.b 1",
                r"Root.General.a\.b 2",
                r"Root.General.a\\.b 3",
                r"Root.General.a\\\.b 4",
                r"Root.General\.Order 7",
            ]
        );
        assert_eq!(said.record("Order"), None);
    }

    #[test]
    fn a_file_without_a_name_has_that_of_the_stored_one() {
        let name = |file: Value| {
            let document = Document::from_value(json!({
                "docRef": "TestRun-dm/1",
                "documentModelName": "TestRun-dm",
                "document": {"Root": {"Attachments": [file]}},
            }));
            let files = files_of(&document.unwrap());
            let named = files[0].iter().find(|it| it.label == "File");
            named.map(|it| text_or_json(&it.values[0].0))
        };
        let stored = json!({"original_filename": "b.png", "size": 1});
        let named = json!({"FileName": "a.png", "File": stored});
        assert_eq!(name(named).as_deref(), Some("a.png"));
        for without in [
            json!({"File": stored}),
            json!({"FileName": null, "File": stored}),
        ] {
            assert_eq!(name(without).as_deref(), Some("b.png"));
        }
        assert_eq!(name(json!({"File": {"size": 1}})), None);
    }
}
