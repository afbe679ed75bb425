//! A list to choose from, narrowed by typing: sort fields, facets, columns, commands.

use super::Store;
use super::effect::Effect;
use super::input::Input;
use super::list::{Scroll, Words};
use super::message::{Action, Motion};
use crate::domain::{DraftWish, FormFor, Sort};

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

impl Store {
    pub(super) fn act_picker(&mut self, action: Action) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        match action {
            Action::Move(motion) => picker.go(motion),
            Action::Back => self.picker = None,
            Action::NextField => picker.complete(),
            Action::Type(key) if picker.text.key(key) => picker.narrow(),
            Action::Paste(text) if picker.text.paste(&text) => picker.narrow(),
            Action::Toggle if matches!(picker.kind, PickerKind::Palette | PickerKind::Drafts) => {
                picker.text.paste(" ");
                picker.narrow();
            }
            Action::Toggle => self.choose(true),
            Action::Open => self.choose(false),
            _ => {}
        }
    }

    /// Takes the entry under the cursor; `stay` keeps the picker open for another.
    fn choose(&mut self, stay: bool) {
        let Some(picker) = &mut self.picker else {
            return;
        };
        let typed = picker.text.text().trim().to_owned();
        if !stay && picker.ticked && typed.is_empty() {
            self.picker = None;
            return;
        }
        picker.ticked |= stay;
        let parsed = (picker.kind == PickerKind::Palette && !typed.is_empty())
            .then(|| Self::parse_command(&typed));
        let views = self
            .cx
            .shared
            .session
            .iter()
            .flat_map(|session| &session.watch.views);
        let known = |name: &str| views.clone().any(|view| view.name == name);
        let choice = match (parsed, picker.current()) {
            // A command that is written out is meant as it is written.
            (Some(Ok(Choice::Do(action))), _) => Choice::Do(action),
            (Some(Ok(choice @ Choice::Project(..))), _) => choice,
            // A part of a name is completed; any other command is not what was meant.
            (Some(Ok(choice)), entry) if choice.view().is_some() => {
                let completed = entry.map(|entry| &entry.choice);
                let completed = completed
                    .filter(|entry| entry.view().is_some() && !choice.view().is_some_and(known));
                completed.cloned().unwrap_or(choice)
            }
            (Some(Ok(Choice::Profile(name))), _)
                if self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .any(|known| known.name == name) =>
            {
                Choice::Profile(name)
            }
            (_, Some(entry)) => entry.choice.clone(),
            (Some(Ok(choice)), None) => choice,
            (Some(Err(problem)), None) => {
                picker.problem = Some(problem);
                return;
            }
            (None, None) => return,
        };
        if !stay {
            self.picker = None;
        }
        self.chosen(choice);
    }

    fn chosen(&mut self, choice: Choice) {
        match choice {
            Choice::Sort(path) => {
                let same = self.runs.sort.first().is_some_and(|sort| sort.path == path);
                let descending = if same {
                    !self.runs.sort[0].descending
                } else {
                    false
                };
                self.runs.sort = vec![Sort { path, descending }];
                self.runs.ask_anew(&mut self.cx);
                self.retick(Self::sort_picker);
            }
            Choice::Facet(path, value) => {
                if self.runs.chosen.get(&path) == Some(&value) {
                    self.runs.chosen.remove(&path);
                } else {
                    self.runs.chosen.insert(path, value);
                }
                self.runs.ask_anew(&mut self.cx);
                self.retick(Self::facet_picker);
            }
            Choice::SuiteSort(order) => {
                if let Some(available) = &mut self.available {
                    available.descending = available.order == order && !available.descending;
                    available.order = order;
                    available.arrange();
                }
                self.picker = None;
            }
            Choice::Column(column) => {
                if !self.runs.hidden.remove(column) {
                    self.runs.hidden.insert(column);
                }
                self.retick(Self::column_picker);
            }
            Choice::Configuration(part) => self.toggle_configuration(&part),
            Choice::Draft {
                form, name, key, ..
            } => self.open_form_for(form, name, DraftWish::Kept(key)),
            Choice::Do(action) => self.act(action),
            Choice::Profile(name)
                if self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .any(|profile| profile.name == name) =>
            {
                self.cx.effect(Effect::Connect { profile: name });
            }
            Choice::Profile(name) => {
                let known: Vec<&str> = self
                    .cx
                    .shared
                    .profiles
                    .iter()
                    .map(|profile| profile.name.as_str())
                    .collect();
                let known = if known.is_empty() {
                    "no others".to_owned()
                } else {
                    known.join(", ")
                };
                let text = format!("there is no profile {name:?}; there are: {known}");
                self.cx.complain(text);
            }
            Choice::View(name) => self.use_view(&name),
            Choice::Watch(name) => self.watch_view(&name),
            Choice::Project(project, subproject) => self.cx.effect(Effect::UseProject {
                project,
                subproject,
            }),
        }
    }

    /// Shows the ticks of an open picker as they are now; its entries keep their places.
    fn retick(&mut self, fresh: fn(&Self) -> Picker) {
        let Some(open) = &self.picker else { return };
        let current = fresh(self);
        let mut entries = open.entries.clone();
        for entry in &mut entries {
            entry.ticked = current
                .entries
                .iter()
                .find(|new| new.choice == entry.choice)
                .and_then(|new| new.ticked);
        }
        if let Some(picker) = &mut self.picker {
            for entry in entries.iter_mut().filter(|entry| entry.ticked.is_none()) {
                entry.ticked = Some(false);
            }
            picker.entries = entries;
        }
    }
}
