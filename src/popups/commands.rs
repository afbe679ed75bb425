//! Commands of the palette: those of the key table, and those typed with an argument.

use crate::screens::prelude::*;
use std::collections::BTreeSet;

use crate::domain::fields::SORTED;
use crate::domain::{View, is_run_id, project_id, query_language, subproject_id, text};
use crate::store::cx::UNCHANGED;
use crate::store::{Command, Entry, KnownProfile};
use crate::ui::READ_ONLY;
use crate::ui::theme::BuiltIn;

/// Maximum number of runs offered.
const RUNS: usize = 2_000;

/// Command that is typed with an argument.
pub struct Verb {
    pub name: &'static str,
    /// Placeholder of the argument.
    pub argument: &'static str,
    pub help: &'static str,
    /// Typed text is completed to the entry under the cursor; else it counts as written.
    completed: bool,
    /// Returns the known arguments.
    known: fn(&Completions<'_>) -> Vec<Entry>,
    /// Returns the choice for any other argument, or its mistake.
    read: fn(&str) -> Result<Choice, String>,
}

/// Sources for the completion of arguments.
pub struct Completions<'a> {
    /// Keys of the place where the palette is opened.
    pub table: Option<&'a KeyTable>,
    pub shared: &'a Shared,
    /// Name of the current run.
    pub run: Option<String>,
    /// Projects and sub projects of the rows seen so far.
    pub projects: BTreeSet<(String, Option<String>)>,
    /// Loaded runs.
    pub runs: &'a [Arc<Run>],
}

impl Completions<'_> {
    /// Returns true for the theme, profile or project in use; `None` for other choices.
    fn in_force(&self, choice: &Choice) -> Option<bool> {
        let session = self.shared.in_use();
        match choice {
            Choice::Theme(name) => Some(self.shared.theme == Some(*name)),
            Choice::Profile(name) => Some(session.profile == *name),
            Choice::Project(project, sub) => {
                Some((&session.project, &session.subproject) == (project, sub))
            }
            _ => None,
        }
    }
}

const ADD: &str = "add";
const REMOVE: &str = "remove";

/// All verbs, in the order of the palette.
pub const VERBS: &[Verb] = &[
    Verb {
        name: "sort",
        argument: "COLUMN",
        help: "sorts the list of runs; again reverses",
        completed: true,
        known: |known| {
            if known.table.is_none_or(|table| table.layer != Layer::Runs) {
                return Vec::new();
            }
            SORTED
                .into_iter()
                .map(|it| Entry::new(it.label.to_lowercase(), Choice::Sort(it.name)))
                .collect()
        },
        read: |_| {
            let columns = SORTED.map(|it| it.label.to_lowercase()).join(", ");
            Err(format!(
                "sort works in the list of runs, by one of its columns: {columns}"
            ))
        },
    },
    Verb {
        name: "theme",
        argument: "NAME",
        help: "colours, shown before they are taken",
        completed: true,
        known: |_| {
            themes()
                .chain(["auto"])
                .map(|name| Entry::new(name, Choice::Theme(name)))
                .collect()
        },
        read: |name| {
            let known = text::join(themes().chain(["auto"]), ", ");
            Err(format!("there is no theme \"{name}\"; there are: {known}"))
        },
    },
    Verb {
        name: "profile",
        argument: "NAME",
        help: "uses another profile",
        completed: true,
        known: |known| {
            let profiles = known.shared.profiles.iter();
            let entry = |it: &KnownProfile| Entry {
                detail: if it.read_only { READ_ONLY } else { &it.project }.to_owned(),
                ..Entry::new(&it.name, Choice::Profile(it.name.clone()))
            };
            profiles.map(entry).collect()
        },
        read: |name| Ok(Choice::Profile(name.to_owned())),
    },
    Verb {
        name: "view",
        argument: "NAME",
        help: "goes to a tab of the list",
        completed: true,
        known: |known| names_of(known.shared.tabs(), Choice::View),
        read: |name| Ok(Choice::View(name.to_owned())),
    },
    Verb {
        name: "monitor",
        argument: "VIEW",
        help: "watches the runs of a view",
        completed: true,
        known: |known| names_of(known.shared.views(), Choice::Watch),
        read: |name| Ok(Choice::Watch(name.to_owned())),
    },
    Verb {
        name: "since",
        argument: "MOMENT",
        help: "tells what changed since -2d, fri 17:28, yesterday",
        completed: false,
        known: |_| Vec::new(),
        read: |moment| Ok(Choice::SinceTyped(moment.to_owned())),
    },
    Verb {
        name: "save-view",
        argument: "NAME",
        help: "keeps tab, filters, words, order and columns as a tab of its own",
        completed: false,
        known: |known| names_of(known.shared.kept_views.clone(), Choice::KeepView),
        read: |name| Ok(Choice::KeepView(name.to_owned())),
    },
    Verb {
        name: "delete-view",
        argument: "NAME",
        help: "takes a tab away that was kept so",
        completed: false,
        known: |known| names_of(known.shared.kept_views.clone(), Choice::DropView),
        read: |name| Ok(Choice::DropView(name.to_owned())),
    },
    Verb {
        name: "project",
        argument: "P_… [SP_…]",
        help: "uses another project, or sub project",
        completed: false,
        known: |known| {
            known_projects(known)
                .into_iter()
                .map(|(project, sub)| {
                    let label = match &sub {
                        Some(sub) => format!("{project} {sub}"),
                        None => project.clone(),
                    };
                    Entry::new(label, Choice::Project(project, sub))
                })
                .collect()
        },
        read: project,
    },
    Verb {
        name: ADD,
        argument: "S_… …",
        help: "adds these suites to the run, asks first",
        completed: false,
        known: |_| Vec::new(),
        read: |names| suites(true, names),
    },
    Verb {
        name: REMOVE,
        argument: "S_… …",
        help: "removes these suites from the run, asks first",
        completed: false,
        known: |_| Vec::new(),
        read: |names| suites(false, names),
    },
];

fn themes() -> impl Iterator<Item = &'static str> {
    BuiltIn::ALL.into_iter().map(|(_, name)| name)
}

/// Returns the names of views, each with the choice that it stands for.
fn names_of(views: Vec<View>, choice: fn(String) -> Choice) -> Vec<Entry> {
    views
        .into_iter()
        .map(|view| Entry::new(view.name.clone(), choice(view.name)))
        .collect()
}

/// Commands without an argument.
const WORDS: &[(&[&str], Choice)] = &[
    (&["q", "quit", "exit"], Choice::Do(Action::Quit)),
    (&["q!", "quit!"], Choice::Quit),
    (&["w", "write"], Choice::Do(Action::Save)),
];

/// Returns the projects of the profiles, those used so far, and those of the runs here.
fn known_projects(known: &Completions<'_>) -> BTreeSet<(String, Option<String>)> {
    let shared = known.shared;
    let profiles = shared
        .profiles
        .iter()
        .map(|it| (&it.project, &it.subproject));
    let seen = shared.projects.iter().chain(&known.projects);
    profiles
        .chain(seen.map(|(project, sub)| (project, sub)))
        .take(5_000)
        .map(|(project, sub)| (project.clone(), sub.clone()))
        .collect()
}

fn project(text: &str) -> Result<Choice, String> {
    let mut words = text.split_whitespace();
    let project = words.next().unwrap_or_default();
    let subproject = words.next();
    project_id(project).map_err(|problem| format!("\"{project}\": {problem}"))?;
    if let Some(subproject) = subproject {
        subproject_id(subproject).map_err(|problem| format!("\"{subproject}\": {problem}"))?;
    }
    match words.next() {
        Some(more) => Err(format!(
            "\"{more}\" is too much: a project and a sub project"
        )),
        None => Ok(Choice::Project(
            project.to_owned(),
            subproject.map(str::to_owned),
        )),
    }
}

fn suites(adds: bool, names: &str) -> Result<Choice, String> {
    let name = |word: &str| {
        let id = DocumentName::suite(&word.to_ascii_uppercase());
        let name = id.or_else(|_| DocumentName::suite(word));
        name.map_err(|why| format!("\"{word}\": {why}"))
    };
    let words = names.split([' ', ',']).filter(|word| !word.is_empty());
    let mut names = Vec::new();
    for word in words {
        let name = name(word)?;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.is_empty() {
        name("")?;
    }
    Ok(Choice::Suites { adds, names })
}

/// Returns the commands that are typed in full, as they are written and with what they do.
pub fn typed() -> Vec<(String, String)> {
    let verbs = VERBS.iter().map(|verb| {
        let written = format!(":{} {}", verb.name, verb.argument);
        (written, verb.help.to_owned())
    });
    let words = WORDS.iter().map(|(words, choice)| {
        let written = words.iter().map(|word| format!(":{word}"));
        (text::join(written, " "), will(choice, None))
    });
    let run = (":240".to_owned(), will(&Choice::Run("R_240".into()), None));
    verbs.chain([run]).chain(words).collect()
}

/// Returns the verb at the beginning of a text, and the text after it.
pub fn verb_of(text: &str) -> Option<(&'static Verb, &str)> {
    let (name, argument) = text.trim_start().split_once(char::is_whitespace)?;
    let verb = VERBS.iter().find(|verb| verb.name == name)?;
    Some((verb, argument.trim()))
}

/// Returns the choice of a typed text itself, whatever entries contain it, or its mistake; `None` if it is no command.
pub fn read(text: &str) -> Option<Result<Choice, String>> {
    if let Some((verb, argument)) = verb_of(text) {
        let Verb {
            name,
            argument: of_it,
            ..
        } = verb;
        return Some(match argument {
            "" => Err(format!("type {of_it} after \"{name} \"")),
            argument => (verb.read)(argument),
        });
    }
    let text = text.trim();
    let id = text.to_ascii_uppercase();
    let id = if id.starts_with("R_") {
        id
    } else {
        format!("R_{id}")
    };
    if is_run_id(&id) {
        return Some(Ok(Choice::Run(id)));
    }
    let mut words = WORDS.iter();
    let word = words.find(|(words, _)| words.contains(&text));
    let word = word.map(|(_, choice)| Ok(choice.clone()));
    let verb = || VERBS.iter().find(|verb| verb.name == text);
    word.or_else(|| verb().map(|verb| (verb.read)("")))
}

/// Returns the entry that starts a verb; its argument is typed next.
fn start_of(verb: &Verb) -> Entry {
    let label = format!("{} {}", verb.name, verb.argument);
    Entry::new(label, Choice::Begin(verb.name))
}

/// Returns the entry for a typed command that counts as it is written: as it was typed, or as it is to be typed while
/// its argument is wrong.
pub fn typed_entry(text: &str) -> Option<Entry> {
    let verb = verb_of(text).map(|(verb, _)| verb);
    let is_verb = || VERBS.iter().any(|verb| verb.name == text);
    if verb.is_some_and(|verb| verb.completed) || is_verb() {
        return None;
    }
    match read(text)? {
        Ok(choice) => Some(Entry::new(text, choice)),
        Err(_) => verb.map(start_of),
    }
}

/// Returns the entry for the typed argument of a verb.
pub fn argument_entry(verb: &str, argument: &str) -> Option<Entry> {
    let choice = read(&format!("{verb} {argument}"))?.ok()?;
    Some(Entry::new(argument, choice))
}

/// Returns the choice with a typed moment read, or why what was typed cannot be.
pub fn checked(choice: Choice, cx: &Cx) -> Result<Choice, String> {
    const EXAMPLES: &str = "-3h, -2d, yesterday, fri 17:28, 25.11. 09:00";
    match &choice {
        Choice::SinceTyped(text) => {
            let now = cx.local_now().unwrap_or_default();
            query_language::past(text, &now, EXAMPLES).map(|at| Choice::Since(Some(at)))
        }
        Choice::View(name) => cx.shared.tab(name).map(|_| choice),
        Choice::Watch(name) => cx.shared.view(name).map(|_| choice),
        Choice::Profile(name) => cx.shared.knows_profile(name).map(|()| choice),
        Choice::KeepView(name) => cx.shared.may_keep_view(name).map(|()| choice),
        Choice::DropView(name) => cx.shared.may_drop_view(name).map(|()| choice),
        Choice::Suites { .. } if cx.shared.is_read_only() => Err(UNCHANGED.to_owned()),
        _ => Ok(choice),
    }
}

/// Returns why the choice of a verb is not possible now, in words to stand beside it.
pub fn refuses(choice: &Choice, shared: &Shared) -> Option<&'static str> {
    let writes = match choice {
        Choice::Suites { .. } => true,
        Choice::Begin(verb) => [ADD, REMOVE].contains(verb),
        _ => false,
    };
    (writes && shared.in_use().read_only).then_some(READ_ONLY)
}

/// Returns the place where a command works that is none here.
pub fn elsewhere(name: &str, shared: &Shared) -> Option<String> {
    let is_it = |command: &Command| {
        let first = command.label.split([' ', ',']).next();
        command.name == name || first.is_some_and(|word| word.eq_ignore_ascii_case(name))
    };
    let place = (shared.keys.iter()).find(|table| table.commands.iter().any(is_it))?;
    Some(format!("{name} works in {}", place.title))
}

/// Describes the effect of a typed command without an entry; `run` is the current run.
pub fn will(choice: &Choice, run: Option<&str>) -> String {
    match choice {
        Choice::Suites { adds, names } => {
            let names = text::join(names.iter().map(ToString::to_string), " ");
            match (run, adds) {
                (None, _) => "there is no run here to change: open one first".into(),
                (Some(run), true) => format!("add {names} to {run}: asks first"),
                (Some(run), false) => format!("remove {names} from {run}: asks first"),
            }
        }
        Choice::Run(id) => format!("opens {id}"),
        Choice::Project(project, None) => format!("uses project {project}"),
        Choice::Project(project, Some(sub)) => format!("uses project {project}, {sub}"),
        Choice::Profile(name) => format!("uses the profile {name}"),
        Choice::View(name) => format!("goes to the tab {name}"),
        Choice::SinceTyped(moment) => format!("tells what changed since {moment}"),
        Choice::Watch(name) => format!("watches the runs of {name}"),
        Choice::KeepView(name) => format!("keeps what the list shows as the tab {name}"),
        Choice::DropView(name) => format!("takes the tab {name} away"),
        Choice::Quit => "quits; only what is on the disk stays".into(),
        Choice::Do(Action::Quit) => "quits".into(),
        Choice::Do(Action::Save) => "shows the review of the form, if one is open".into(),
        _ => "Enter takes it".into(),
    }
}

/// Returns the commands of this place, then those with an argument and its completions.
pub fn palette(known: &Completions<'_>) -> Vec<Entry> {
    let mut seen = BTreeSet::new();
    let commands = known.table.into_iter().flat_map(|table| &table.commands);
    let commands = commands
        .filter(|command| {
            let is_named = known.table.is_some_and(|it| it.layer == Layer::Detail)
                && matches!(command.action, Action::Part(_));
            command.heading != Heading::Move || command.keys.is_empty() || is_named
        })
        .filter(|command| seen.insert(command.label));
    let entry = |command: &Command| {
        let login = (command.action == Action::SignIn).then_some("login");
        Entry {
            detail: command.keys.join(" "),
            names: std::iter::once(command.name).chain(login).collect(),
            ..Entry::new(command.label, Choice::Do(command.action.clone()))
        }
    };
    let mut entries: Vec<Entry> = commands.map(entry).collect();
    for verb in VERBS {
        // Such a verb may have an unknown argument.
        if !verb.completed {
            entries.push(start_of(verb));
        }
        let of_it = (verb.known)(known).into_iter();
        entries.extend(of_it.map(|argument| Entry {
            label: format!("{} {}", verb.name, argument.label),
            ticked: known.in_force(&argument.choice),
            ..argument
        }));
    }
    entries.extend(known.runs.iter().take(RUNS).filter_map(|run| {
        Some(Entry {
            detail: run.title().unwrap_or_default().to_owned(),
            ..Entry::new(run.id()?, Choice::Run(run.id()?.to_owned()))
        })
    }));
    entries
}
