//! Finds every problem in a config file, each with its line.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use jiff::Zoned;
use toml::Spanned;
use toml::de::{DeTable, DeValue, Error};

use super::error::{Problem, shown};
use super::forms;
use super::line_ends::LineEnds;
use super::settings::{
    KEYS, MONITOR, PROFILE, ROOT, Relation, Setting, UI, Unset, VIEW, ValueType,
};
use crate::domain::query_language::Flag;
use crate::domain::{MOST_BY_ID, did_you_mean, nearest, query_language, text};

type Value<'a> = Spanned<DeValue<'a>>;

/// Returns all problems of the text, in the order of its lines; a text without one can be read. `root` is the part that
/// could be parsed, `errors` are those of the parser.
pub fn problems(path: &Path, text: &str, root: &DeTable<'_>, errors: &[Error]) -> Vec<Problem> {
    let mut check = Check {
        path,
        text,
        line_ends: LineEnds::of(text),
        broken: errors.iter().any(|error| error.message() != DUPLICATE),
        broken_lines: BTreeSet::new(),
        problems: Vec::new(),
    };
    let twice: Vec<_> = errors
        .iter()
        .filter_map(|it| check.table_twice(it))
        .collect();
    for error in errors {
        // Each key of a table that stands there twice does so, too.
        let at = error.span().map_or(0, |span| span.start);
        let is_in_it = error.message() == DUPLICATE && twice.iter().any(|it| it.contains(&at));
        if !is_in_it {
            check.syntax(error);
        }
    }
    check.broken_lines = check.problems.iter().map(|problem| problem.line).collect();
    check.root(root);
    let mut problems = check.problems;
    problems.sort_by_key(|problem| problem.line);
    problems.dedup();
    problems
}

/// Returns the values that are still those of the example, with their profiles.
pub fn placeholders(path: &Path, text: &str, root: &DeTable<'_>) -> Vec<(String, Problem)> {
    const ONES_OWN: [&str; 6] = [
        "base_url",
        "idp_url",
        "realm",
        "client_id",
        "client_secret",
        "username",
    ];
    let line_ends = LineEnds::of(text);
    let profiles = root.get("profiles").and_then(|it| it.get_ref().as_table());
    let mut found = Vec::new();
    for (profile, table) in profiles.into_iter().flatten() {
        for (key, value) in table.get_ref().as_table().into_iter().flatten() {
            let (key, value, at) = (key.get_ref(), value.get_ref(), value.span().start);
            if ONES_OWN.contains(&key.as_ref()) && value.as_str().is_some_and(forms::is_placeholder)
            {
                let expected = match key.as_ref() {
                    "base_url" | "idp_url" => "the address of your own service",
                    _ => "your own value",
                };
                let (path, line) = (path.to_owned(), line_ends.at(at));
                let text = format!(
                    "{key} is still that of the example; expected {expected} (rundown setup asks for all there is to set, for a profile of its own)"
                );
                found.push((profile.get_ref().to_string(), Problem { path, line, text }));
            }
        }
    }
    found.sort_by_key(|(_, problem)| problem.line);
    found
}

const DUPLICATE: &str = "duplicate key";

struct Check<'a> {
    path: &'a Path,
    text: &'a str,
    line_ends: LineEnds,
    /// The text is not valid TOML: missing or unknown keys in the parsed part mean nothing.
    broken: bool,
    /// Lines that are not valid TOML: the parsed parts of them mean nothing either.
    broken_lines: BTreeSet<usize>,
    problems: Vec<Problem>,
}

impl Check<'_> {
    fn report(&mut self, at: usize, text: String) {
        let line = self.line_ends.at(at);
        if !self.broken_lines.contains(&line) {
            self.problems.push(Problem {
                path: self.path.to_owned(),
                line,
                text,
            });
        }
    }

    /// Uses only the parser's message, never its excerpt of the line, which may hold a secret.
    fn syntax(&mut self, error: &Error) {
        let at = error.span().unwrap_or(0..0);
        let text = if error.message() == DUPLICATE {
            let found = self.text.get(at.clone());
            let mut known = [ROOT, PROFILE, VIEW, UI, MONITOR, KEYS]
                .into_iter()
                .flatten()
                .map(|key| key.name);
            let name = known.find(|name| found == Some(name));
            let name = name.map(|name| format!("\"{name}\": "));
            let name = name.or_else(|| self.header_at(at.start));
            let name = name.unwrap_or_default();
            format!("{name}the same key or table a second time; expected it once")
        } else {
            format!("no valid TOML: {}", shown(error.message()))
        };
        self.report(at.start, text);
    }

    /// Returns the lines below the header of a table that stands there a second time.
    fn table_twice(&self, error: &Error) -> Option<Range<usize>> {
        let at = error.span().map_or(0, |span| span.start);
        let header = Some(at).filter(|_| error.message() == DUPLICATE);
        header.and_then(|at| self.header_at(at))?;
        let below = at + self.text.get(at..)?.find('\n')?;
        let end = self.text.get(below..)?.find("\n[");
        Some(below..end.map_or(self.text.len(), |end| below + end + 1))
    }

    /// Returns the header of a table before its last name, `[profiles.a]: `, if there is one.
    fn header_at(&self, at: usize) -> Option<String> {
        let line = self.text.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let (header, _) = self.text.get(line..)?.split_once(']')?;
        let is_one = header.starts_with('[') && !header.contains('\n');
        is_one.then(|| format!("{}]: ", shown(header)))
    }

    fn root(&mut self, root: &DeTable<'_>) {
        let profiles = root.get("profiles").map(Spanned::get_ref);
        let table = profiles.and_then(DeValue::as_table);
        let names: Vec<_> = table.into_iter().flat_map(DeTable::keys).collect();
        for name in &names {
            if forms::text(name.get_ref()).is_err() {
                let (at, name) = (name.span().start, shown(name.get_ref()));
                let text =
                    format!("profile \"{name}\": no usable name; expected a text on one line");
                self.report(at, text);
            }
        }
        self.settings("", "", 0, ROOT, root);
        let known: Vec<&str> = names.iter().map(|name| name.get_ref().as_ref()).collect();
        let default = root.get("default_profile");
        if self.broken {
            return;
        }
        if let Some(value) = default
            && let Some(wanted) = value.get_ref().as_str()
            && !known.is_empty()
            && !known.contains(&wanted)
        {
            let text = no_such("profile", "here", wanted, &known);
            self.report(value.span().start, format!("default_profile: {text}"));
        }
    }

    /// Checks the keys of a table. `at` is its place in the text; `header` is empty at the top of the file.
    fn settings(
        &mut self,
        path: &str,
        header: &str,
        at: usize,
        settings: &[Setting],
        table: &DeTable<'_>,
    ) {
        let known = names(settings, |key| !key.is_hidden());
        let mut meant = Vec::new();
        for (name, value) in table {
            let start = name.span().start;
            match settings.iter().find(|key| key.is_named(name.get_ref())) {
                Some(key) => {
                    let path = format!("{path}{}", key.name);
                    self.value(name.get_ref(), &path, key.kind, start, value);
                }
                None if self.broken => {}
                None => {
                    let near = nearest(name.get_ref(), known.iter().copied());
                    self.report(start, unknown(name.get_ref(), header, near, &known));
                    meant.extend(near);
                }
            }
        }
        for key in settings {
            let (name, old_name) = (key.name, key.old_name);
            if table.contains_key(name) {
                if let Some((old, _)) = table.get_key_value(old_name) {
                    let text = format!(
                        "{name} beside {old_name} in {header}, which is the same; expected {name} alone"
                    );
                    self.report(old.span().start, text);
                }
            } else if matches!(key.unset, Unset::Required) && !self.broken && !meant.contains(&name)
            {
                let form = form_of(key.kind);
                self.report(
                    at,
                    format!("{name} is missing in {header}; expected {form}"),
                );
            }
        }
        // Of several ways to set a field at most one may be used.
        let there = |key: &Setting| Some((key.way_of()?, table.get_key_value(key.name)?.0));
        let mut there: Vec<_> = settings.iter().filter_map(there).collect();
        there.sort_by_key(|(_, name)| name.span().start);
        for (field, name) in &there {
            if let Some((_, first)) = there.iter().find(|way| way.0 == *field)
                && first != name
            {
                let mut ways = names(settings, |key| key.way_of() == Some(*field));
                ways.sort_unstable();
                let (at, ways) = (name.span().start, ways.join(", "));
                let (name, first) = (name.get_ref(), first.get_ref());
                let text = format!("{name} beside {first} in {header}; expected one of {ways}");
                self.report(at, text);
            }
        }
    }

    /// Checks the value of a key. `at` is the place of the key in the text, `label` its name in messages.
    fn value(&mut self, label: &str, path: &str, kind: ValueType, at: usize, value: &Value<'_>) {
        match (kind, value.get_ref()) {
            (
                ValueType::Table(settings) | ValueType::ListOrTable(_, settings),
                DeValue::Table(table),
            ) => {
                let (below, header) = (format!("{path}."), format!("[{path}]"));
                self.settings(&below, &header, at, settings, table);
            }
            (ValueType::Named(kind), DeValue::Table(table)) => {
                for (name, value) in table {
                    let (start, name) = (name.span().start, text::toml_key(name.get_ref()));
                    let name = shown(&name);
                    let label = format!("[{path}] {name}");
                    self.value(&label, &format!("{path}.{name}"), *kind, start, value);
                }
            }
            (ValueType::Tables(settings), DeValue::Array(tables)) => {
                self.tables(path, settings, tables);
            }
            (ValueType::Table(_) | ValueType::Named(_), _) => {
                self.report(at, format!("{path}: {}", wrong_type(kind, value)));
            }
            _ => self.plain(label, kind, value),
        }
    }

    /// Checks a value that is no table, and every entry of a list.
    fn plain(&mut self, label: &str, kind: ValueType, value: &Value<'_>) {
        let text = match (kind.entries(), value.get_ref()) {
            (Some((_, least)), DeValue::Array(entries)) if entries.len() < least => {
                Some(format!("empty; expected {}", kind.expected()))
            }
            (Some((entry, _)), DeValue::Array(entries)) => {
                for value in entries {
                    self.plain(label, entry, value);
                }
                None
            }
            _ => wrong_alone(kind, value),
        };
        if let Some(text) = text {
            self.report(value.span().start, format!("{label}: {text}"));
        }
    }

    /// Checks tables with the same keys, such as the saved views of a profile; each must have another value of the
    /// first key.
    fn tables(&mut self, path: &str, settings: &'static [Setting], tables: &[Value<'_>]) {
        let header = &*format!("[[{path}]]");
        let of = path.rsplit('.').next().unwrap_or_default();
        let shows = names(settings, |key| key.relation == Relation::AtLeastOne);
        let own = settings.first().map_or("", |key| key.name);
        let mut known = BTreeSet::new();
        for value in tables {
            let at = value.span().start;
            let Some(table) = value.get_ref().as_table() else {
                let text = wrong_type(ValueType::Table(settings), value);
                self.report(at, format!("{of}: {text} {header}"));
                continue;
            };
            self.settings("", header, at, settings, table);
            let is_there = |name: &&'static str| table.contains_key(*name);
            if !self.broken && !shows.is_empty() && !shows.iter().any(is_there) {
                let shows = shows.join(", ");
                let text =
                    format!("a view of nothing in {header}; expected at least one of {shows}");
                self.report(at, text);
            }
            if let Some(runs) = table.get("runs")
                && let Some(all) = runs.get_ref().as_array()
                && all.len() > MOST_BY_ID
            {
                let text =
                    format!("runs: each is asked for by itself; expected at most {MOST_BY_ID}");
                self.report(runs.span().start, text);
            }
            if let Some(value) = table.get(own)
                && let Some(text) = value.get_ref().as_str()
                && !known.insert(match of {
                    // They are named, and compared with titles, in any case.
                    "views" | "kinds" => text.to_lowercase(),
                    _ => text.trim().to_owned(),
                })
            {
                let text = format!("{own}: the same a second time in {header}; expected another");
                self.report(value.span().start, text);
            }
        }
    }
}

fn names(settings: &[Setting], wanted: impl Fn(&Setting) -> bool) -> Vec<&'static str> {
    let wanted = settings.iter().filter(|key| wanted(key));
    wanted.map(|key| key.name).collect()
}

/// Returns the problem of a value that is no list.
fn wrong_alone(kind: ValueType, value: &Value<'_>) -> Option<String> {
    match (kind, value.get_ref()) {
        (ValueType::Refused(reason), _) => Some(reason.to_owned()),
        (ValueType::Text(form), DeValue::String(text)) => form(text).err().map(ToOwned::to_owned),
        // The message quotes nothing of the value.
        (
            ValueType::Condition | ValueType::Criterion | ValueType::Search,
            DeValue::String(text),
        ) if let Err(reason) = forms::text(text) => Some(reason.to_owned()),
        (ValueType::Condition | ValueType::Criterion, DeValue::String(text)) => {
            let read = match kind {
                ValueType::Criterion => query_language::criterion,
                _ => query_language::condition,
            };
            read(text).err().map(|wrong| {
                let wrong = wrong.unquoted();
                format!("not a condition: {wrong}; expected one such as failed_new <= 20")
            })
        }
        (ValueType::Search, DeValue::String(text)) => {
            let flags = Flag::ALL.map(|(flag, ..)| flag);
            let read = query_language::search(text, &Zoned::default(), &flags);
            // A word that looks like an unknown field finds nothing.
            let wrong = match read {
                Ok(search) => search.notes.into_iter().next(),
                Err(wrong) => Some(wrong),
            };
            wrong.map(|wrong| {
                let wrong = wrong.unquoted();
                format!("not a search: {wrong}; expected one such as failed>0 by:anna")
            })
        }
        (ValueType::OneOf(choices) | ValueType::OneOfOrList(choices, _), DeValue::String(text)) => {
            (!choices.contains(&text.as_ref())).then(|| {
                let meant = did_you_mean(nearest(text, choices.iter().copied()));
                format!("not a known value; expected {}{meant}", kind.expected())
            })
        }
        (ValueType::Gone, _) | (ValueType::Flag, DeValue::Boolean(_)) => None,
        (ValueType::Whole(least, most), DeValue::Integer(integer)) => {
            let number = i64::from_str_radix(integer.as_str(), integer.radix());
            (!number.is_ok_and(|number| (least..=most).contains(&number)))
                .then(|| format!("out of range; expected {}", kind.expected()))
        }
        _ => Some(wrong_type(kind, value)),
    }
}

fn wrong_type(kind: ValueType, value: &Value<'_>) -> String {
    let found = match value.get_ref() {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    };
    format!("{found} found; expected {}", kind.expected())
}

/// Describes the expected value; for texts in the words that the form uses for an empty text.
fn form_of(kind: ValueType) -> String {
    let form = match kind {
        ValueType::Text(form) => form("")
            .err()
            .and_then(|reason| reason.split_once("; expected ")),
        _ => None,
    };
    form.map_or_else(|| kind.expected(), |(_, form)| form.to_owned())
}

/// Describes an unknown key: the nearest known key, or all of them.
fn unknown(name: &str, header: &str, near: Option<&str>, known: &[&str]) -> String {
    let start: String = name.chars().take(60).collect();
    let place = match header {
        "" => "at the top".to_owned(),
        header => format!("in {header}"),
    };
    let text = format!("unknown key \"{}\" {place}", shown(&start));
    match near {
        Some(near) => format!("{text}; did you mean \"{near}\"?"),
        None => {
            let is_table =
                |key: &Setting| matches!(key.kind, ValueType::Table(_) | ValueType::Named(_));
            let mut of_top = ROOT.iter().filter(|key| !is_table(key));
            let belongs = match header {
                "" => "",
                _ if of_top.any(|key| key.name == name) => {
                    "; it belongs to the top of the file, above its tables"
                }
                _ => "",
            };
            format!("{text}; expected one of {}{belongs}", known.join(", "))
        }
    }
}

/// Describes an unknown profile or view, with the known ones.
pub fn no_such(what: &str, place: &str, wanted: &str, known: &[&str]) -> String {
    let names = text::join(known.iter().map(|name| shown(name)), ", ");
    let meant = did_you_mean(nearest(wanted, known.iter().copied()).map(shown).as_deref());
    format!("no such {what} {place}; expected one of {names}{meant}")
}
