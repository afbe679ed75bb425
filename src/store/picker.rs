//! A list to choose from, narrowed by typing: sort fields, facets, columns, commands.

use super::input::Input;
use super::list::{Scroll, Words};
use super::message::{Action, Motion};
use crate::domain::FormFor;

/// What an entry stands for.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Sorts by this field path.
    Sort(String),
    /// Sorts the available suites.
    SuiteSort(super::SuiteOrder),
    /// Filters by this field path and value; chosen again, the filter goes.
    Facet(String, String),
    /// Shows or hides a column.
    Column(&'static str),
    /// Does what a key does.
    Do(Action),
    /// Adds a part to the configuration of the form, or takes it out.
    Configuration(String),
    /// Opens the form that a draft is of.
    Draft {
        form: FormFor,
        /// What the person knows its run by.
        name: String,
        /// Which draft.
        key: String,
        /// When it was kept, epoch milliseconds.
        at: i64,
    },
    /// Sets the list to a saved view.
    View(String),
    /// Opens the monitor on a saved view.
    Watch(String),
    /// Uses another profile.
    Profile(String),
    /// Uses another project and sub project.
    Project(String, Option<String>),
}

impl Choice {
    /// The saved view that it is about.
    pub fn view(&self) -> Option<&str> {
        match self {
            Self::View(name) | Self::Watch(name) => Some(name),
            _ => None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What is shown and searched.
    pub label: String,
    /// A second text: the keys of a command, the field path of a sort.
    pub detail: String,
    /// Ticked, not ticked, or nothing to tick.
    pub ticked: Option<bool>,
    /// What it stands for.
    pub choice: Choice,
}

/// Which picker is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PickerKind {
    Sort,
    Facets,
    Columns,
    Configurations,
    Drafts,
    Palette,
}

/// State of a picker.
#[derive(Clone, Debug, PartialEq)]
pub struct Picker {
    /// Which one.
    pub kind: PickerKind,
    /// The text that narrows the list.
    pub text: Input,
    pub entries: Vec<Entry>,
    /// Places of the entries that match the text, best first.
    pub shown: Vec<usize>,
    /// Cursor in `shown`.
    pub scroll: Scroll,
    /// What is wrong with the text.
    pub problem: Option<String>,
    /// Something was ticked: Enter only closes.
    pub ticked: bool,
}

impl Picker {
    /// A picker with all entries shown.
    pub fn new(kind: PickerKind, entries: Vec<Entry>) -> Self {
        let shown = (0..entries.len()).collect();
        Self {
            kind,
            text: Input::default(),
            entries,
            shown,
            scroll: Scroll::default(),
            problem: None,
            ticked: false,
        }
    }

    /// The entry under the cursor.
    pub fn current(&self) -> Option<&Entry> {
        self.entries
            .get(*self.shown.get(self.scroll.cursor as usize)?)
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        self.scroll.go(motion, self.shown.len() as u64);
    }

    /// Narrows the list to the text: every word, best first, case and accents do not matter.
    pub fn narrow(&mut self) {
        self.problem = None;
        let text = self.text.text().trim();
        self.shown = if text.is_empty() {
            (0..self.entries.len()).collect()
        } else {
            matching(text, self.entries.iter().map(|entry| entry.label.as_str()))
        };
        // What begins with the text comes before what only holds its letters.
        let begins = |place: &usize| {
            !self.entries[*place]
                .label
                .to_lowercase()
                .starts_with(&text.to_lowercase())
        };
        self.shown.sort_by_key(begins);
        self.scroll = Scroll {
            cursor: 0,
            top: 0,
            ..self.scroll
        };
    }

    /// Puts the label of the entry under the cursor into the text.
    pub fn complete(&mut self) {
        if let Some(label) = self.current().map(|entry| entry.label.clone()) {
            self.text = Input::with_text(&label);
            self.narrow();
        }
    }
}

/// Places of the labels that hold every word of the text, best first. Letters that only come in the same order are no
/// match: Enter must never take a command that nobody has typed.
pub fn matching<'a>(text: &str, labels: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut words = Words::new(text);
    let scored = labels.enumerate();
    let scored = scored.filter_map(|(place, label)| Some((words.score(label)?, place)));
    let mut scored: Vec<(u32, usize)> = scored.collect();
    scored.sort_by_key(|(score, place)| (std::cmp::Reverse(*score), *place));
    scored.into_iter().map(|(_, place)| place).collect()
}
