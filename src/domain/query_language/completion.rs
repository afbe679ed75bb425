//! Completion of the word at the cursor of a search or of a condition.

use std::collections::HashSet;
use std::ops::Range;

use super::super::Facets;
use super::super::fields::TESTERS;
use super::compare::Comparing;
use super::condition::Condition;
use super::name::{NAMES, Name, NameKind};
use super::predicate::{Predicate, Value};
use super::search::{is_of_word, search, sign};
use super::token::Scanner;
use crate::domain::prelude::*;

/// Grammar of a text.
pub enum Grammar<'a> {
    /// Only names of counts.
    Condition,
    /// All names, and known values by field path.
    Search(&'a Facets),
}

/// Completions of the word at the cursor.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Completion {
    /// Place in characters of the text; empty where a word can begin.
    pub word: Range<usize>,
    /// The word, without its quotes.
    pub typed: String,
    /// Candidates, as they are written.
    pub candidates: Vec<String>,
    /// Common beginning of all candidates, if longer than the typed text, and the place of the cursor in it.
    pub common: Option<(String, usize)>,
}

/// A word of a text, in bytes.
struct Word {
    at: Range<usize>,
    quoted: bool,
    /// Name and sign before a value.
    of: Option<(&'static Name, Comparing)>,
}

/// Completes the word at the cursor, a number of characters.
pub fn complete(text: &str, cursor: usize, grammar: Grammar<'_>) -> Completion {
    let place = text
        .char_indices()
        .nth(cursor)
        .map_or(text.len(), |(at, _)| at);
    let word = match grammar {
        Grammar::Condition => count_at(text, place),
        Grammar::Search(_) => word_at(text, place),
    };
    let Some(word) = word else {
        let cursor = text[..place].chars().count();
        return Completion {
            word: cursor..cursor,
            ..Completion::default()
        };
    };
    let written = &text[word.at.clone()];
    let typed = if word.quoted {
        written.trim_matches('"')
    } else {
        written
    };
    let begin = folded(typed);
    // Value, and its written form.
    let mut found: Vec<(String, String)> = Vec::new();
    let mut known = HashSet::new();
    let candidates = match (word.of, grammar) {
        (Some((name, comparing)), Grammar::Search(values)) => values_of(name, comparing, values),
        (_, Grammar::Search(_)) => names_before(&text[word.at.end..]),
        (_, Grammar::Condition) => counts().map(|name| (name.into(), name.into())).collect(),
    };
    for (value, written) in candidates {
        // Values that differ in what does not count find the same.
        if folded(&value).starts_with(&begin) && known.insert(folded(&written)) {
            found.push((value, written));
        }
    }
    let characters = |bytes: usize| text[..bytes].chars().count();
    Completion {
        word: characters(word.at.start)..characters(word.at.end),
        typed: typed.to_owned(),
        common: common(&found, typed, word.quoted),
        candidates: found.into_iter().map(|(_, written)| written).collect(),
    }
}

/// Returns the common beginning of all values, as written: quoted if necessary, with the cursor before the last quote.
fn common(found: &[(String, String)], typed: &str, quoted: bool) -> Option<(String, usize)> {
    let [(first, _), others @ ..] = found else {
        return None;
    };
    let first_folded = folded(first);
    let shared = |other: &(String, String)| {
        let other = folded(&other.0);
        let both = first_folded.iter().zip(&other);
        both.take_while(|(one, other)| one == other).count()
    };
    let length = others
        .iter()
        .map(shared)
        .min()
        .unwrap_or(first_folded.len());
    let begin: String = first.chars().take(length).collect();
    if length <= typed.chars().count() || begin.contains('"') {
        return None;
    }
    if quoted || begin.contains(|c: char| c == ',' || !is_of_word(c)) {
        Some((format!("\"{begin}\""), length + 1))
    } else {
        Some((begin, length))
    }
}

fn counts() -> impl Iterator<Item = &'static str> {
    let counts = NAMES.iter().filter_map(|name| name.count());
    counts.map(RunCount::text)
}

/// Returns all names, each with the colon that the following text requires; fields first.
fn names_before(rest: &str) -> Vec<(String, String)> {
    let is_compared = |rest: &str| rest.starts_with([':', '=', '<', '>']) || rest.starts_with("!=");
    let fields = NAMES.iter().filter(|name| name.count().is_none());
    let with_sign = |name: &&&Name| {
        let rest = if name.is_compared() {
            rest.trim_start()
        } else {
            rest
        };
        let colon = if is_compared(rest) { "" } else { ":" };
        (name.text.to_owned(), format!("{}{colon}", name.text))
    };
    let fields = fields.map(|name| with_sign(&name));
    fields
        .chain(counts().map(|name| (name.to_owned(), name.to_owned())))
        .collect()
}

/// Returns the values of a name, plain and as written after its sign; fixed ones first.
fn values_of(name: &'static Name, comparing: Comparing, values: &Facets) -> Vec<(String, String)> {
    let equal = matches!(comparing, Comparing::Equal | Comparing::Unequal);
    let sign = if equal { ":" } else { comparing.sign() };
    let reads = |written: &str| {
        let flags = Flag::ALL.map(|(flag, ..)| flag);
        let read = search(
            &format!("{}{sign}{written}", name.text),
            &Zoned::default(),
            &flags,
        );
        read.ok().map(|read| read.condition)
    };
    let fixed = name
        .values()
        .into_iter()
        .filter(|value| reads(value).is_some());
    let mut all: Vec<(String, String)> = fixed.map(|value| (value.into(), value.into())).collect();
    let NameKind::Text(field) = name.kind else {
        return all;
    };
    let is_told = |written: &String, value: &str| match reads(written) {
        Some(Condition::Is(Predicate::Text(_, Value::Text(text, _)))) => text == folded(value),
        Some(Condition::Is(Predicate::Version(..))) => true,
        _ => false,
    };
    for value in known_values(name, field, values) {
        let forms = [value.to_owned(), format!("\"{value}\"")];
        let written = forms.into_iter().find(|written| is_told(written, value));
        all.extend(written.map(|written| (value.to_owned(), written)));
    }
    all
}

/// Returns the known values of a field. A tester may be an editor, too.
fn known_values<'a>(
    name: &'static Name,
    field: &'static Field,
    values: &'a Facets,
) -> impl Iterator<Item = &'a str> {
    let is_of = |path: &str| path == field.path || name.is_person() && path == TESTERS.path;
    let values = values.iter().filter(move |(path, _)| is_of(path));
    let ends_part = move |c| c == ',' && *field == fields::CONFIGURATION;
    let parts = move |value: &'a String| value.split(ends_part).map(str::trim);
    let values = values.flat_map(|(_, values)| values).flat_map(parts);
    values.filter(|value| {
        let is_status = *field == fields::STATUS && ["active", "inactive"].contains(value);
        !value.is_empty() && !value.contains(char::is_control) && !is_status
    })
}

/// Returns the word of a condition at a byte index.
fn count_at(text: &str, place: usize) -> Option<Word> {
    let belongs = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..place].trim_end_matches(belongs).len();
    let rest = &text[place..];
    let behind = place + rest.find(|c| !belongs(c)).unwrap_or(rest.len());
    let word = &text[before..behind];
    let is_number = word.starts_with(|c: char| c.is_numeric());
    (!is_number).then_some(Word {
        at: before..behind,
        quoted: false,
        of: None,
    })
}

/// Returns the word of a search at a byte index; `None` inside of quoted words and signs.
fn word_at(text: &str, place: usize) -> Option<Word> {
    let mut scanner = Scanner::new(text).ok()?;
    let is_here = |at: &Range<usize>| (at.start..=at.end).contains(&place);
    let named = |at| Word {
        at,
        quoted: false,
        of: None,
    };
    while let Some(c) = scanner.blanks() {
        let at = scanner.at;
        if at > place {
            break;
        }
        let next = scanner.remaining().chars().nth(1);
        if ['(', ')'].contains(&c) || c == '-' && next.is_none_or(|c| c != '>' && c != '-') {
            scanner.at += 1;
            continue;
        }
        if c == '"' {
            scanner.quoted();
            if place <= scanner.at {
                return None;
            }
            continue;
        }
        let name = scanner.name();
        let behind = scanner.at;
        let known = Name::find(name);
        let compared = text[behind..].starts_with([':', '=', '<', '>', '!']);
        if let (Some(sign), Some(name)) = (sign(&mut scanner, known), known) {
            if place <= behind {
                return Some(named(at..behind));
            }
            if place < scanner.at {
                return None;
            }
            loop {
                let at = scanner.at;
                let in_quotes = scanner.next() == Some('"');
                if in_quotes {
                    scanner.quoted();
                } else {
                    scanner.word(|c| is_of_word(c) && c != ',');
                }
                let word = Word {
                    at: at..scanner.at,
                    quoted: in_quotes,
                    of: Some((name, sign.comparing)),
                };
                if is_here(&word.at) {
                    return Some(word);
                }
                if !scanner.takes(",") {
                    break;
                }
            }
            continue;
        }
        scanner.at = at;
        scanner.word(is_of_word);
        let end = if compared && place <= behind {
            behind
        } else {
            scanner.at
        };
        if is_here(&(at..end)) {
            return Some(named(at..end));
        }
    }
    Some(named(place..place))
}
