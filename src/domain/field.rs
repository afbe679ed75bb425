//! The fields of a test run that a caller supplies (interface sections 2.2 and 4.3).

use std::collections::BTreeMap;

use serde_json::Value;

use super::document::scalar_text;
use super::{Document, NewRun, project_id, project_version, subproject_id};

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

impl RunField {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Title,
        Self::Configuration,
        Self::Description,
        Self::Status,
        Self::ProjectId,
        Self::SubprojectId,
        Self::ProjectVersionNumber,
    ];

    /// Those that a form changes on a run that is there; its place in the project stays.
    pub const EDITABLE: [Self; 4] = [
        Self::Title,
        Self::Configuration,
        Self::Description,
        Self::Status,
    ];

    /// Name inside `Root.General`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Title => "Title",
            Self::Configuration => "Configuration",
            Self::Description => "Description",
            Self::Status => "Status",
            Self::ProjectId => "ProjectId",
            Self::SubprojectId => "SubprojectId",
            Self::ProjectVersionNumber => "ProjectVersionNumber",
        }
    }

    /// The field of this name.
    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// What is wrong with a text for the field. What the service asks for is not documented; these are the forms of section
    /// 2.2, and what a person needs to find a run again.
    pub fn problem(self, text: &str) -> Option<&'static str> {
        let checked = match self {
            Self::Title if text.trim().is_empty() => {
                Err("needed here: a run is found by its title")
            }
            Self::Status if text.trim().is_empty() => Err("choose active or inactive"),
            Self::ProjectId => project_id(text),
            Self::SubprojectId => subproject_id(text),
            Self::ProjectVersionNumber => project_version(text),
            _ => Ok(()),
        };
        checked.err()
    }

    /// Field path inside a document.
    pub fn path(self) -> String {
        format!("Root.General.{}", self.name())
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
        .map(|field| (field, document.text(&field.path()).unwrap_or_default()))
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

impl NewRun {
    /// A run with these texts; an empty sub project is none, and so is `_`.
    pub fn of_texts(texts: &RunTexts) -> Self {
        let text = |field: RunField| texts.get(&field).cloned().unwrap_or_default();
        let subproject =
            Some(text(RunField::SubprojectId)).filter(|id| !id.is_empty() && id != "_");
        Self {
            project_id: text(RunField::ProjectId),
            project_version: text(RunField::ProjectVersionNumber),
            subproject_id: subproject,
            status: text(RunField::Status),
            title: text(RunField::Title),
            configuration: text(RunField::Configuration),
            description: text(RunField::Description),
        }
    }

    /// What stands in the fields; no sub project reads as `_`.
    pub fn texts(&self) -> RunTexts {
        let value = |field| match field {
            RunField::Title => self.title.clone(),
            RunField::Configuration => self.configuration.clone(),
            RunField::Description => self.description.clone(),
            RunField::Status => self.status.clone(),
            RunField::ProjectId => self.project_id.clone(),
            RunField::SubprojectId => self.subproject_id.clone().unwrap_or_else(|| "_".into()),
            RunField::ProjectVersionNumber => self.project_version.clone(),
        };
        RunField::ALL
            .into_iter()
            .map(|field| (field, value(field)))
            .collect()
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
