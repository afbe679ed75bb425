//! Everything that is wrong in a config file, each with its line.

mod views;

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use toml::Spanned;
use toml::de::{DeString, DeTable, Error};

use super::error::{Problem, shown, shown_path};
use super::schema::{KEYS, Key, Kind, MONITOR, ONE_OF, PROFILE, ROOT, TABLES, UI, VIEW, nearest};
use super::value::{self, Value, did_you_mean, form_of, kind_of};
use crate::domain::text::acts;

type Name<'a> = Spanned<DeString<'a>>;

/// All problems of the text, in the order of its lines; none means it can be read.
pub(super) fn problems(path: &Path, text: &str) -> Vec<Problem> {
    let (root, errors) = DeTable::parse_recoverable(text);
    let broken = errors.iter().any(|error| error.message() != DUPLICATE);
    let ends = text.match_indices('\n').map(|(at, _)| at).collect();
    let mut check = Check {
        path,
        text,
        ends,
        broken,
        broken_lines: BTreeSet::new(),
        problems: Vec::new(),
    };
    for error in &errors {
        check.syntax(error);
    }
    check.broken_lines = check.problems.iter().map(|problem| problem.line).collect();
    check.root(root.get_ref());
    let mut problems = check.problems;
    problems.sort_by_key(|problem| problem.line);
    problems.dedup();
    problems
}

const DUPLICATE: &str = "duplicate key";

struct Check<'a> {
    path: &'a Path,
    text: &'a str,
    /// Where the lines end.
    ends: Vec<usize>,
    /// The text is no TOML: what is missing or unknown in what could be saved of it says nothing.
    broken: bool,
    /// Lines that are no TOML; what could be saved of them says nothing either.
    broken_lines: BTreeSet<usize>,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report(&mut self, at: usize, text: String) {
        let line = 1 + self.ends.partition_point(|end| *end < at);
        if !self.broken_lines.contains(&line) {
            self.problems.push(Problem {
                path: self.path.to_owned(),
                line,
                text,
            });
        }
    }

    /// Only the parser's own words, never its picture of the line: a secret may stand there.
    fn syntax(&mut self, error: &Error) {
        let at = error.span().unwrap_or(0..0);
        let text = if error.message() == DUPLICATE {
            let key = self
                .known_at(&at)
                .map(|name| format!("{name:?}: "))
                .unwrap_or_default();
            format!("{key}the same key or table a second time; expected it once")
        } else {
            format!("no valid TOML: {}", shown(error.message()))
        };
        self.report(at.start, text);
    }

    /// The known name that stands at a place of the text.
    fn known_at(&self, at: &Range<usize>) -> Option<&'static str> {
        let text = self.text.get(at.clone())?;
        let known = ROOT
            .iter()
            .chain(PROFILE)
            .chain(UI)
            .chain(MONITOR)
            .chain(VIEW)
            .map(|key| key.name)
            .chain(TABLES.iter().copied());
        known.into_iter().find(|name| *name == text)
    }

    fn root(&mut self, root: &DeTable<'_>) {
        let mut profiles = None;
        for (name, value) in root {
            match name.get_ref().as_ref() {
                "profiles" => profiles = self.table("profiles", name, value),
                "ui" => {
                    if let Some(table) = self.table("ui", name, value) {
                        self.keys("[ui]", table, UI);
                    }
                }
                "monitor" => {
                    if let Some(table) = self.table("monitor", name, value) {
                        self.keys("[monitor]", table, MONITOR);
                    }
                }
                "keys" => {
                    // Which commands and keys there are, the key table knows.
                    for (name, value) in self.table("keys", name, value).into_iter().flatten() {
                        let problems = value::problems(KEYS, value);
                        for (at, text) in problems {
                            self.report(at, format!("[keys] {}: {text}", shown(name.get_ref())));
                        }
                    }
                }
                other => match ROOT.iter().find(|key| key.name == other) {
                    Some(key) => self.value(key, value),
                    None => self.unknown_at_the_top(name),
                },
            }
        }
        let names: Vec<&str> = profiles
            .into_iter()
            .flatten()
            .map(|(name, _)| name.get_ref().as_ref())
            .collect();
        if names.is_empty()
            && !self.broken
            && !root
                .iter()
                .any(|(name, value)| name.get_ref() == "profiles" && !value.get_ref().is_table())
        {
            self.report(
                0,
                "no profile; expected at least one [profiles.NAME], as rundown config example shows".to_owned(),
            );
        }
        for (name, value) in profiles.into_iter().flatten() {
            self.profile(name, value);
        }
        if let Some((_, value)) = root
            .iter()
            .find(|(name, _)| name.get_ref() == "default_profile")
            && let Some(wanted) = value.get_ref().as_str()
            && !names.is_empty()
            && !self.broken
            && !names.contains(&wanted)
        {
            self.report(
                value.span().start,
                format!(
                    "default_profile: {}",
                    no_such_profile("here", wanted, &names)
                ),
            );
        }
    }

    fn unknown_at_the_top(&mut self, name: &Name<'_>) {
        let key = name.get_ref();
        let is_of = |keys: &[Key]| keys.iter().any(|known| known.name == key);
        let text = if is_of(PROFILE) {
            format!("key {key:?} outside of a profile; expected below [profiles.NAME]")
        } else if is_of(UI) {
            format!("key {key:?} outside of its table; expected below [ui]")
        } else if is_of(MONITOR) {
            format!("key {key:?} outside of its table; expected below [monitor]")
        } else {
            unknown(
                key,
                "at the top",
                TABLES
                    .iter()
                    .copied()
                    .chain(ROOT.iter().map(|key| key.name)),
            )
        };
        self.unknown(name, text);
    }

    fn unknown(&mut self, name: &Name<'_>, text: String) {
        if !self.broken {
            self.report(name.span().start, text);
        }
    }

    /// The table behind a name; anything else is reported.
    fn table<'a>(
        &mut self,
        title: &str,
        name: &Name<'_>,
        value: &'a Value<'_>,
    ) -> Option<&'a DeTable<'a>> {
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.report(
                name.span().start,
                format!("{title}: {} found; expected a table", kind_of(value)),
            );
        }
        table
    }

    fn profile(&mut self, name: &Name<'_>, value: &Value<'_>) {
        let shown_name = shown(name.get_ref());
        if name.get_ref().trim().is_empty() || name.get_ref().chars().any(acts) {
            self.report(
                name.span().start,
                format!("profile \"{shown_name}\": no usable name; expected a text on one line"),
            );
        }
        let title = format!("[profiles.{shown_name}]");
        let Some(table) = self.table(&format!("profiles.{shown_name}"), name, value) else {
            return;
        };
        self.keys(&title, table, PROFILE);
        for (_, views) in table.iter().filter(|(name, _)| name.get_ref() == "views") {
            self.views(&format!("[[profiles.{shown_name}.views]]"), views);
        }
        self.missing(&title, name.span().start, table, PROFILE);
        for group in ONE_OF {
            let mut there: Vec<_> = table
                .iter()
                .map(|(name, _)| name)
                .filter(|name| group.contains(&name.get_ref().as_ref()))
                .collect();
            there.sort_by_key(|name| name.span().start);
            if let Some((first, rest)) = there.split_first() {
                for name in rest {
                    let text = format!(
                        "{} beside {} in {title}; expected one of {}",
                        name.get_ref(),
                        first.get_ref(),
                        group.join(", ")
                    );
                    self.report(name.span().start, text);
                }
            }
        }
    }

    fn keys(&mut self, title: &str, table: &DeTable<'_>, known: &[Key]) {
        for (name, value) in table {
            if let Some(key) = known.iter().find(|key| key.name == name.get_ref()) {
                self.value(key, value);
            } else {
                let offered = known
                    .iter()
                    .filter(|key| !matches!(key.kind, Kind::Refused(_)))
                    .map(|key| key.name);
                self.unknown(
                    name,
                    unknown(name.get_ref(), &format!("in {title}"), offered),
                );
            }
        }
    }

    /// Keys without which the table makes no sense.
    fn missing(&mut self, title: &str, at: usize, table: &DeTable<'_>, known: &[Key]) {
        let there = |key: &Key| table.iter().any(|(name, _)| name.get_ref() == key.name);
        for key in known
            .iter()
            .filter(|key| key.required && !there(key) && !self.broken)
            .collect::<Vec<_>>()
        {
            self.report(
                at,
                format!(
                    "{} is missing in {title}; expected {}",
                    key.name,
                    form_of(key.kind)
                ),
            );
        }
    }

    fn value(&mut self, key: &Key, value: &Value<'_>) {
        for (at, text) in value::problems(key.kind, value) {
            self.report(at, format!("{}: {text}", key.name));
        }
    }
}

/// An unknown name: the nearest known one, or all of them.
fn unknown<'a>(name: &str, place: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let start: String = name.chars().take(60).collect();
    let text = format!("unknown key \"{}\" {place}", shown(&start));
    match nearest(name, known.clone()) {
        Some(near) => format!("{text}; did you mean {near:?}?"),
        None => format!(
            "{text}; expected one of {}",
            known.collect::<Vec<_>>().join(", ")
        ),
    }
}

/// An unknown profile: those there are.
pub(super) fn no_such_profile(place: &str, wanted: &str, known: &[&str]) -> String {
    let names: Vec<_> = known.iter().map(|name| shown(name)).collect();
    format!(
        "no such profile {place}; expected one of {}{}",
        names.join(", "),
        did_you_mean(nearest(wanted, known.iter().copied()).map(shown).as_deref())
    )
}

/// An unknown saved view: those there are.
pub(super) fn no_such_view(path: &Path, profile: &str, wanted: &str, known: &[&str]) -> String {
    let place = format!("in profile {} of {}", shown(profile), shown_path(path));
    if known.is_empty() {
        return format!(
            "no saved view {place}; expected a [[profiles.NAME.views]], as rundown config example shows"
        );
    }
    let names: Vec<_> = known.iter().map(|name| shown(name)).collect();
    let meant = did_you_mean(nearest(wanted, known.iter().copied()).map(shown).as_deref());
    format!(
        "no such saved view {place}; expected one of {}{meant}",
        names.join(", ")
    )
}
