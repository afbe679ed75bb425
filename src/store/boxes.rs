//! The boxes over the screens: help, errors, and what the pickers offer.

use std::collections::{BTreeSet, VecDeque};

use super::message::{Action, Motion};
use super::picker::{Choice, Entry, Picker, PickerKind, matching};
use super::{Command, Heading, Input, Layer, Scroll, Store};
use crate::domain::fields::{CONFIGURATION, LIST, SORTS, STATUS, VERSION};
use crate::domain::{Facets, Failure, project_id, subproject_id};

/// Failures kept for reading.
const KEPT_ERRORS: usize = 200;

/// State of the help.
#[derive(Clone, Debug, PartialEq)]
pub struct Help {
    /// The layer whose keys are shown.
    pub layer: Layer,
    /// Words looked for.
    pub search: Input,
    /// Cursor.
    pub scroll: Scroll,
}

/// One line of the error list.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// When it came last, epoch milliseconds.
    pub at: i64,
    /// How many times it came in a row.
    pub times: usize,
    /// What it was.
    pub failure: Failure,
}

/// Failures so far, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorLog {
    /// What failed, newest first.
    pub entries: VecDeque<Trouble>,
    /// The list is open.
    pub open: bool,
    /// Cursor.
    pub scroll: Scroll,
    /// Failures since the list was open last.
    pub unseen: usize,
}

impl ErrorLog {
    /// Keeps a failure. The same again, right after it, is counted and not listed twice.
    pub fn push(&mut self, now: i64, failure: Failure) {
        self.unseen += usize::from(!self.open);
        if let Some(last) = self.entries.front_mut().filter(|last| {
            (&last.failure.asked, &last.failure.came_back) == (&failure.asked, &failure.came_back)
        }) {
            (last.at, last.times) = (now, last.times + 1);
            last.failure = failure;
            return;
        }
        self.entries.push_front(Trouble {
            at: now,
            times: 1,
            failure,
        });
        self.entries.truncate(KEPT_ERRORS);
        self.scroll.fit(self.entries.len() as u64);
    }
}

impl Store {
    /// The lines of the key table that the help shows: those of its layer, narrowed by its search.
    pub fn help_rows(&self) -> Vec<&Command> {
        let Some(help) = &self.help else {
            return Vec::new();
        };
        let table = self.key_table(help.layer).into_iter();
        let here: Vec<&Command> = table.flat_map(|table| &table.commands).collect();
        let text = help.search.text().trim();
        if text.is_empty() {
            return here;
        }
        let labels: Vec<String> = here
            .iter()
            .map(|command| format!("{} {}", command.label, command.keys.join(" ")))
            .collect();
        matching(text, labels.iter().map(String::as_str))
            .into_iter()
            .map(|place| here[place])
            .collect()
    }

    pub(super) fn sort_picker(&self) -> Picker {
        let entries = SORTS.iter().map(|(heading, path)| Entry {
            label: (*heading).to_owned(),
            detail: (*path).to_owned(),
            ticked: Some(
                self.runs
                    .all
                    .sort
                    .first()
                    .is_some_and(|sort| sort.path == *path),
            ),
            choice: Choice::Sort((*path).to_owned()),
        });
        Picker::new(PickerKind::Sort, entries.collect())
    }

    pub(super) fn column_picker(&self) -> Picker {
        let columns = LIST
            .into_iter()
            .filter_map(|field| Some((field, field.column?)));
        let entries = columns.map(|(field, column)| Entry {
            label: column.heading.to_owned(),
            detail: if field.counted {
                "from LIST_TEST_RUNS".to_owned()
            } else {
                String::new()
            },
            ticked: Some(!self.runs.hidden.contains(field.name)),
            choice: Choice::Column(field.name),
        });
        Picker::new(PickerKind::Columns, entries.collect())
    }

    pub(super) fn facet_picker(&self) -> Picker {
        let entries = self
            .offered_facets()
            .into_iter()
            .flat_map(|(path, values)| {
                let field = path.rsplit('.').next().unwrap_or(&path).to_owned();
                values
                    .into_iter()
                    .map(move |value| (path.clone(), field.clone(), value))
            });
        let entries = entries.map(|(path, field, value)| Entry {
            label: format!(
                "{field}: {}",
                if value == "inactive" {
                    "inactive (closed)"
                } else {
                    &value
                }
            ),
            detail: path.clone(),
            ticked: Some(self.runs.chosen.get(&path) == Some(&value)),
            choice: Choice::Facet(path, value),
        });
        Picker::new(PickerKind::Facets, entries.collect())
    }

    /// What can be filtered by: what the service offers, the two states of the document, and of version and
    /// configuration the values of the loaded rows where the service offers none.
    fn offered_facets(&self) -> Facets {
        let mut facets = self.runs.facets.clone();
        let status = STATUS.path.to_owned();
        if !facets
            .iter()
            .any(|(path, values)| *path == status && !values.is_empty())
        {
            facets.insert(0, (status, vec!["active".into(), "inactive".into()]));
        }
        for field in [&VERSION, &CONFIGURATION] {
            if !facets
                .iter()
                .any(|(known, values)| known == field.path && !values.is_empty())
            {
                let rows = self.runs.all.rows();
                let seen = rows.filter_map(|(_, row)| field.text_of(row));
                let seen: BTreeSet<&str> = seen.filter(|value| !value.is_empty()).collect();
                facets.push((
                    field.path.to_owned(),
                    seen.into_iter().take(50).map(str::to_owned).collect(),
                ));
            }
        }
        for (path, value) in &self.runs.chosen {
            match facets.iter_mut().find(|(known, _)| known == path) {
                Some((_, values)) if values.contains(value) => {}
                Some((_, values)) => values.insert(0, value.clone()),
                None => facets.push((path.clone(), vec![value.clone()])),
            }
        }
        facets
    }

    pub(super) fn palette(&self) -> Picker {
        let mut seen = BTreeSet::new();
        let table = self.key_table(self.layer()).into_iter();
        let commands = table
            .flat_map(|table| &table.commands)
            .filter(|command| command.heading != Heading::Move && seen.insert(command.label));
        let commands = commands.map(|command| Entry {
            label: command.label.to_owned(),
            detail: command.keys.join(" "),
            ticked: None,
            choice: Choice::Do(command.action.clone()),
        });
        let mut entries: Vec<Entry> = commands.collect();
        entries.extend(self.cx.shared.profiles.iter().map(|profile| Entry {
            label: format!("profile {}", profile.name),
            detail: if profile.read_only {
                "read-only".into()
            } else {
                profile.project.clone()
            },
            ticked: None,
            choice: Choice::Profile(profile.name.clone()),
        }));
        let watched = self
            .views()
            .iter()
            .map(|view| ("monitor", view, Choice::Watch(view.name.clone())));
        let listed = self.views().iter().filter(|view| view.sets_list());
        let listed = listed.map(|view| ("view", view, Choice::View(view.name.clone())));
        entries.extend(listed.chain(watched).map(|(verb, view, choice)| Entry {
            label: format!("{verb} {}", view.name),
            detail: "saved view".into(),
            ticked: None,
            choice,
        }));
        entries.extend(
            self.known_projects()
                .into_iter()
                .map(|(project, subproject)| Entry {
                    label: format!(
                        "project {project}{}",
                        subproject
                            .as_ref()
                            .map(|sub| format!(" {sub}"))
                            .unwrap_or_default()
                    ),
                    detail: String::new(),
                    ticked: None,
                    choice: Choice::Project(project, subproject),
                }),
        );
        Picker::new(PickerKind::Palette, entries)
    }

    /// Projects of the profiles and of the rows that were seen.
    fn known_projects(&self) -> BTreeSet<(String, Option<String>)> {
        let profiles = self
            .cx
            .shared
            .profiles
            .iter()
            .map(|profile| (profile.project.clone(), profile.subproject.clone()));
        let session = self
            .cx
            .shared
            .session
            .iter()
            .map(|session| (session.project.clone(), session.subproject.clone()));
        let rows = self
            .runs
            .all
            .rows()
            .filter_map(|(_, row)| Some((row.project.clone()?, row.subproject.clone())));
        profiles.chain(session).chain(rows).take(5_000).collect()
    }

    /// What a typed command means that no entry stands for: `project P_9 [SP_1]`, `profile NAME`.
    pub(super) fn parse_command(text: &str) -> Result<Choice, String> {
        if let Some((verb @ ("view" | "monitor"), name)) =
            text.trim().split_once(char::is_whitespace)
        {
            let name = name.trim().to_owned();
            return Ok(if verb == "view" {
                Choice::View(name)
            } else {
                Choice::Watch(name)
            });
        }
        let mut words = text.split_whitespace();
        let (verb, first, second, more) = (words.next(), words.next(), words.next(), words.next());
        match (verb, first, second, more) {
            (Some("q" | "quit" | "exit"), None, ..) => Ok(Choice::Do(Action::Quit)),
            (Some("profile"), Some(name), None, None) => Ok(Choice::Profile(name.to_owned())),
            (Some("project"), Some(project), subproject, None) => {
                project_id(project).map_err(|problem| format!("{project:?}: {problem}"))?;
                if let Some(subproject) = subproject {
                    subproject_id(subproject)
                        .map_err(|problem| format!("{subproject:?}: {problem}"))?;
                }
                Ok(Choice::Project(
                    project.to_owned(),
                    subproject.map(str::to_owned),
                ))
            }
            (Some("w" | "write" | "save"), None, ..) => Ok(Choice::Do(Action::Save)),
            _ => Err(format!(
                "{text:?} is no command: type a part of one, or project P_9 SP_1, profile, view or monitor NAME"
            )),
        }
    }

    pub(super) fn act_help(&mut self, action: Action) {
        let rows = self.help_rows();
        let len = rows.len() as u64;
        let under = self
            .help
            .as_ref()
            .and_then(|help| rows.get(help.scroll.cursor as usize));
        let under = under.map(|command| command.action.clone());
        let Some(help) = &mut self.help else {
            return;
        };
        match action {
            Action::Move(motion) => {
                help.scroll.go(motion, len);
            }
            Action::Type(key) => {
                help.search.key(key);
                help.scroll.go(Motion::First, len);
            }
            Action::Paste(text) => {
                help.search.paste(&text);
            }
            Action::Open => {
                self.help = None;
                if let Some(action) = under {
                    self.act(action);
                }
            }
            Action::Back => self.help = None,
            _ => {}
        }
    }

    pub(super) fn act_errors(&mut self, action: &Action) {
        match action {
            Action::Move(motion) => {
                self.cx
                    .errors
                    .scroll
                    .go(*motion, self.cx.errors.entries.len() as u64);
            }
            Action::Back | Action::Errors => self.cx.errors.open = false,
            _ => {}
        }
    }
}
