//! The fields of a test run that a caller supplies (interface sections 2.2 and 4.3), as values to send and as texts of a
//! form.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::document::scalar_text;
use super::fields::{self, Field};
use super::{Document, TEST_RUN_MODEL, project_id, project_version, subproject_id};

/// A field of `Root.General` that is sent on creation, in the order in which a form shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RunField {
    Title,
    Configuration,
    Description,
    Status,
    ProjectId,
    SubprojectId,
    ProjectVersionNumber,
}

/// How a field is typed in.
struct FormField {
    of: RunField,
    field: &'static Field,
    /// A form changes it on a run that is there; the place of a run in the project stays.
    editable: bool,
    /// Its place among those that are sent of a new run.
    sent: u8,
    /// What the interface document says of it, and what it does not (2.2, 3).
    known: &'static str,
    /// What is wrong with a text for it.
    check: fn(&str) -> Result<(), &'static str>,
}

/// THE table of the form, in the order of [`RunField`]. What the service asks for is not documented: the checks are the forms
/// of section 2.2, and what a person needs to find a run again.
const FORM: &[FormField] = &[
    FormField {
        of: RunField::Title,
        field: &fields::TITLE,
        editable: true,
        sent: 5,
        known: "The name of the run.",
        check: |text| not_empty(text, "needed here: a run is found by its title"),
    },
    FormField {
        of: RunField::Configuration,
        field: &fields::CONFIGURATION,
        editable: true,
        sent: 6,
        known: "Free text, such as: chrome, windows 11",
        check: |_| Ok(()),
    },
    FormField {
        of: RunField::Description,
        field: &fields::DESCRIPTION,
        editable: true,
        sent: 7,
        known: "Any text, of one line or more, between the quotes.",
        check: |_| Ok(()),
    },
    FormField {
        of: RunField::Status,
        field: &fields::STATUS,
        editable: true,
        sent: 4,
        known: "active (open) or inactive (closed: its suites can no longer be changed).",
        check: |text| not_empty(text, "choose active or inactive"),
    },
    FormField {
        of: RunField::ProjectId,
        field: &fields::PROJECT,
        editable: false,
        sent: 1,
        known: "Of the form P_<n>.",
        check: project_id,
    },
    FormField {
        of: RunField::SubprojectId,
        field: &fields::SUBPROJECT,
        editable: false,
        sent: 3,
        known: "Of the form SP_<n>; _ means none.",
        check: subproject_id,
    },
    FormField {
        of: RunField::ProjectVersionNumber,
        field: &fields::VERSION,
        editable: false,
        sent: 2,
        known: "Version of the project, of the form <major>.<minor>.<patch>.",
        check: project_version,
    },
];

fn not_empty(text: &str, problem: &'static str) -> Result<(), &'static str> {
    if text.trim().is_empty() {
        Err(problem)
    } else {
        Ok(())
    }
}

/// How many rows a form changes on a run that is there.
const fn editable() -> usize {
    let (mut row, mut count) = (0, 0);
    while row < FORM.len() {
        count += FORM[row].editable as usize;
        row += 1;
    }
    count
}

/// The fields of all rows, or of those only that a form changes on a run that is there.
const fn rows<const N: usize>(editable: bool) -> [RunField; N] {
    let mut fields = [RunField::Title; N];
    let (mut row, mut count) = (0, 0);
    while row < FORM.len() {
        assert!(FORM[row].of as usize == row, "in the order of the fields");
        if !editable || FORM[row].editable {
            fields[count] = FORM[row].of;
            count += 1;
        }
        row += 1;
    }
    fields
}

impl RunField {
    /// All of them.
    pub const ALL: [Self; FORM.len()] = rows(false);

    /// Those that a form changes on a run that is there.
    pub const EDITABLE: [Self; editable()] = rows(true);

    fn form(self) -> &'static FormField {
        &FORM[self as usize]
    }

    /// Its row in the table of all fields.
    pub fn field(self) -> &'static Field {
        self.form().field
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Name inside `Root.General`.
    pub fn name(self) -> &'static str {
        self.field().in_general().unwrap_or_default()
    }

    /// What a person knows it by.
    pub fn label(self) -> &'static str {
        self.field().label
    }

    /// Field path inside a document.
    pub fn path(self) -> &'static str {
        self.field().path
    }

    /// What the interface document says of it, and what it does not (2.2, 3).
    pub fn known(self) -> &'static str {
        self.form().known
    }

    /// What is wrong with a text for the field.
    pub fn problem(self, text: &str) -> Option<&'static str> {
        (self.form().check)(text).err()
    }
}

/// What stands in the fields of a run, as text. A field that is not in the map says nothing.
pub type RunTexts = BTreeMap<RunField, String>;

/// What fields of a run hold, to the digit; `None` for a field that is not there.
pub type RunValues = BTreeMap<RunField, Option<Value>>;

/// What a value shows in a form.
pub fn text_of(value: Option<&Value>) -> String {
    value.and_then(scalar_text).unwrap_or_default()
}

/// The texts of a document; a field that is missing, null or no scalar reads as empty.
pub fn texts_of(document: &Document) -> RunTexts {
    RunField::ALL
        .into_iter()
        .map(|field| (field, document.text(field.path()).unwrap_or_default()))
        .collect()
}

/// The texts that a new run begins with: its place in the project, active, all else empty.
pub fn texts_of_new(project: &str, subproject: Option<&str>, version: Option<&str>) -> RunTexts {
    let known = [
        (RunField::ProjectId, project),
        (RunField::SubprojectId, subproject.unwrap_or("_")),
        (RunField::ProjectVersionNumber, version.unwrap_or_default()),
        (RunField::Status, "active"),
    ];
    let mut texts: RunTexts = RunField::ALL
        .into_iter()
        .map(|field| (field, String::new()))
        .collect();
    texts.extend(known.map(|(field, text)| (field, text.to_owned())));
    texts
}

/// What is sent of a new run: a text for each field; the service assigns all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRun(RunTexts);

impl NewRun {
    /// The params of `ADD_DOCUMENT` (4.3).
    pub fn params(&self, locale: &str) -> Value {
        json!({"document": self.to_document(), "documentModelName": TEST_RUN_MODEL, "locale": locale})
    }

    /// The `document` parameter of `ADD_DOCUMENT`: `Root.General` and an empty `Root.Attachments`.
    pub fn to_document(&self) -> Value {
        let mut fields = RunField::ALL;
        fields.sort_by_key(|field| field.form().sent);
        let general: Map<String, Value> = fields
            .into_iter()
            .map(|field| (field.name().to_owned(), self.text(field).into()))
            .collect();
        json!({"Root": {"General": general, "Attachments": []}})
    }

    /// A run with these texts; the others are empty.
    pub fn of_texts(texts: &RunTexts) -> Self {
        let text = |field| texts.get(&field).cloned().unwrap_or_default();
        Self(RunField::ALL.map(|field| (field, text(field))).into())
    }

    /// The same with another text in a field.
    #[must_use]
    pub fn with(mut self, field: RunField, text: impl Into<String>) -> Self {
        self.0.insert(field, text.into());
        self
    }

    /// What stands in a field; no sub project reads as `_`.
    pub fn text(&self, field: RunField) -> &str {
        match (field, self.0.get(&field).map_or("", String::as_str)) {
            (RunField::SubprojectId, "") => "_",
            (_, text) => text,
        }
    }

    pub fn title(&self) -> &str {
        self.text(RunField::Title)
    }

    /// What stands in the fields.
    pub fn texts(&self) -> RunTexts {
        let text = |field| self.text(field).to_owned();
        RunField::ALL.map(|field| (field, text(field))).into()
    }
}

/// In which fields two runs differ, in words. No sub project may be said in three ways.
pub fn differing(wanted: &RunTexts, there: &RunTexts) -> Vec<String> {
    let plain = |field: RunField, text: &str| match (field, text) {
        (RunField::SubprojectId, "_") => String::new(),
        (_, text) => text.to_owned(),
    };
    let mut words = Vec::new();
    for (field, wanted) in wanted {
        let there = there.get(field).map_or("", String::as_str);
        if plain(*field, wanted) != plain(*field, there) {
            words.push(format!(
                "{} is \"{}\" instead of \"{}\"",
                field.name(),
                short(there),
                short(wanted)
            ));
        }
    }
    words
}

/// A text for one line, as it is: what shows it makes it harmless.
pub fn short(text: &str) -> String {
    const MOST: usize = 60;
    let one_line = text
        .split_whitespace()
        .take(MOST)
        .collect::<Vec<_>>()
        .join(" ");
    match one_line.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &one_line[..end]),
        None => one_line,
    }
}
