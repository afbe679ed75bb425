//! Fields of a test run that a caller supplies (interface sections 2.2 and 4.3), as values to send and as texts of a
//! form.

use super::excerpt::{cut, cut_both};
use super::prelude::*;
use super::{project_id, project_version, subproject_id, text};

/// Field of `Root.General` that is sent on creation, in the order of a form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    pub const ALL: [Self; 7] = [
        Self::Title,
        Self::Configuration,
        Self::Description,
        Self::Status,
        Self::ProjectId,
        Self::SubprojectId,
        Self::ProjectVersionNumber,
    ];

    /// Fields that can be edited on an existing run; its place in the project cannot.
    pub const EDITABLE: [Self; 4] = [
        Self::Title,
        Self::Configuration,
        Self::Description,
        Self::Status,
    ];

    /// Fields in the order of a request.
    pub const SENT: [Self; 7] = [
        Self::ProjectId,
        Self::ProjectVersionNumber,
        Self::SubprojectId,
        Self::Status,
        Self::Title,
        Self::Configuration,
        Self::Description,
    ];

    /// Returns the row in the table of all fields.
    pub fn field(self) -> &'static Field {
        match self {
            Self::Title => &fields::TITLE,
            Self::Configuration => &fields::CONFIGURATION,
            Self::Description => &fields::DESCRIPTION,
            Self::Status => &fields::STATUS,
            Self::ProjectId => &fields::PROJECT,
            Self::SubprojectId => &fields::SUBPROJECT,
            Self::ProjectVersionNumber => &fields::VERSION,
        }
    }

    /// Returns the problem with a text for the field. The rules of the service are not documented: these are the forms
    /// of section 2.2, and what the user needs to find a run again.
    pub fn problem(self, text: &str) -> Option<&'static str> {
        // Joiners alone take no column.
        let empty = text::width(text.trim()) == 0;
        match self {
            Self::Title => empty.then_some("needed here: a run is found by its title"),
            Self::Status => empty.then_some("choose open or closed"),
            Self::ProjectId => project_id(text).err(),
            Self::SubprojectId => subproject_id(text).err(),
            Self::ProjectVersionNumber => project_version(text).err(),
            Self::Configuration | Self::Description => None,
        }
    }

    pub fn of_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }

    /// Returns the name inside `Root.General`.
    pub fn name(self) -> &'static str {
        self.field().in_general().unwrap_or_default()
    }

    /// Returns the name for the user.
    pub fn label(self) -> &'static str {
        self.field().label
    }

    /// Returns the field path inside a document.
    pub fn path(self) -> &'static str {
        self.field().path
    }
}

/// Texts of fields of a run; a field that is missing is not set.
pub type RunTexts = BTreeMap<RunField, String>;

/// Exact values of fields of a run; `None` for a field that the document lacks.
pub type RunValues = BTreeMap<RunField, Option<Value>>;

/// Returns the text of a value in a form.
pub fn text_of(value: Option<&Value>) -> String {
    value.and_then(scalar_text).unwrap_or_default()
}

/// Returns the texts of a document; a field that is missing, null or no scalar is empty.
pub fn texts_of(document: &Document) -> RunTexts {
    RunField::ALL
        .map(|field| (field, document.text(field.path()).unwrap_or_default()))
        .into()
}

/// Returns the texts of a form for the clipboard, each under the name of its field.
pub fn copied_texts(texts: &RunTexts) -> String {
    let fields = texts.iter().map(|(field, text)| {
        let between = if text.contains('\n') { "\n" } else { " " };
        format!("{}:{between}{}\n", field.label(), text::lines(text))
    });
    text::join(fields, "")
}

/// Returns the initial texts of a new run: its place in the project, active, all else empty.
pub fn texts_of_new(project: &str, subproject: Option<&str>, version: Option<&str>) -> RunTexts {
    let known = [
        (RunField::ProjectId, project),
        (RunField::SubprojectId, subproject.unwrap_or("_")),
        (RunField::ProjectVersionNumber, version.unwrap_or_default()),
        (RunField::Status, "active"),
    ];
    NewRun::of_texts(&known.map(|(field, text)| (field, text.to_owned())).into()).0
}

/// New run to send: a text for each field; the service assigns all others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NewRun(RunTexts);

impl NewRun {
    /// Returns the `document` parameter of `ADD_DOCUMENT`: `Root.General` and an empty `Root.Attachments`.
    pub fn to_document(&self) -> Value {
        let general: Map<String, Value> = RunField::SENT
            .into_iter()
            .map(|field| (field.name().to_owned(), self.text(field).into()))
            .collect();
        json!({"Root": {"General": general, "Attachments": []}})
    }

    /// Returns a run with these texts; the others are empty.
    pub fn of_texts(texts: &RunTexts) -> Self {
        Self(
            RunField::ALL
                .map(|field| (field, texts.get(&field).cloned().unwrap_or_default()))
                .into(),
        )
    }

    /// Replaces the text of a field.
    #[must_use]
    pub fn with(mut self, field: RunField, text: impl Into<String>) -> Self {
        self.0.insert(field, text.into());
        self
    }

    /// Returns the text of a field; `_` for no sub project.
    pub fn text(&self, field: RunField) -> &str {
        match (field, self.0.get(&field).map_or("", String::as_str)) {
            (RunField::SubprojectId, "") => "_",
            (_, text) => text,
        }
    }

    /// Returns the run for one configuration: in the title it takes the last place of `before`, the configuration that
    /// the title was made for, or stands at the end.
    #[must_use]
    pub fn for_configuration(&self, one: &str, before: &str) -> Self {
        let title = self.title();
        let parts = |at: usize| (&title[..at], &title[at + before.len()..]);
        let is_word = |at: &usize| {
            let (left, right) = parts(*at);
            let in_word = |c: char| c.is_alphanumeric() || ".-_".contains(c);
            let is_inside = |c: Option<char>| c.is_some_and(in_word);
            !before.is_empty()
                && !is_inside(left.chars().next_back())
                && !is_inside(right.chars().next())
        };
        let mut places = title.rmatch_indices(before).map(|(at, _)| at);
        let title = match places.find(is_word).map(parts) {
            Some((left, right)) => format!("{left}{one}{right}"),
            None => format!("{title}: {one}"),
        };
        self.clone()
            .with(RunField::Title, title)
            .with(RunField::Configuration, one)
    }

    pub fn title(&self) -> &str {
        self.text(RunField::Title)
    }

    /// Returns the texts of all fields.
    pub fn texts(&self) -> RunTexts {
        RunField::ALL
            .map(|field| (field, self.text(field).to_owned()))
            .into()
    }
}

/// True if two texts are the same but for blanks and line ends, which no line of text shows.
pub fn same_words(one: &str, other: &str) -> bool {
    one.split_whitespace().eq(other.split_whitespace())
}

/// Name of a text beside another one of the same words.
pub const SAME_WORDS: &str = "the same words, other blanks or line ends";

/// Returns the fields in which two runs differ, in words. No sub project has three forms.
pub fn differing(wanted: &RunTexts, there: &RunTexts) -> Vec<String> {
    wanted
        .iter()
        .filter_map(|(field, wanted)| {
            let there = there.get(field).map_or("", String::as_str);
            let none =
                |text: &str| text.is_empty() || *field == RunField::SubprojectId && text == "_";
            let same = wanted == there || none(wanted) && none(there);
            let name = field.name();
            if same_words(there, wanted) {
                return (!same).then(|| format!("{name} differs in blanks or line ends"));
            }
            let [there, wanted] = short_both([there, wanted]);
            (!same).then(|| format!("{name} is \"{there}\" instead of \"{wanted}\""))
        })
        .collect()
}

/// Shortens a text to one line; it is not harmless yet.
pub fn short(text: &str) -> String {
    const MOST: usize = 60;
    cut(&text::join(text.split_whitespace().take(MOST), " "), MOST)
}

/// Shortens two texts, keeping their difference.
pub fn short_both(texts: [&str; 2]) -> [String; 2] {
    let [one, other] = texts.map(|text| text::join(text.split_whitespace(), " "));
    cut_both([&one, &other], 40)
}
