//! Completion of a word of a query: Tab and Shift-Tab lead through its candidates.

use super::beside;
use super::text::fit;
use super::text_input::Input;
use crate::domain::query_language::{Completion, Grammar, complete};
use crate::domain::text::join;
use crate::store::Action;

/// Maximum columns of the candidates: two rows of a narrow terminal.
const COLUMNS: usize = 100;

/// Word under completion, until another key is pressed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completing(Option<Under>);

#[derive(Clone, Debug, PartialEq)]
struct Under {
    of: Completion,
    /// Candidate in the field.
    at: Option<usize>,
}

impl Completing {
    /// Returns true for keys that lead through candidates.
    pub fn is_key(action: &Action) -> bool {
        matches!(action, Action::NextField | Action::PreviousField)
    }

    /// Handles such a key for a field; true if its text has changed.
    pub fn key(&mut self, input: &mut Input, action: &Action, grammar: Grammar<'_>) -> bool {
        let before = input.text().to_owned();
        match &mut self.0 {
            Some(under) if under.of.candidates.len() > 1 => under.go(input, action),
            _ => self.0 = Some(Under::begin(input, grammar)),
        }
        let changed = input.text() != before;
        let is_done = |under: &Under| changed && under.of.candidates.len() == 1;
        if self.0.as_ref().is_some_and(is_done) {
            self.end();
        }
        changed
    }

    /// Ends the completion after another key.
    pub fn end(&mut self) {
        self.0 = None;
    }

    /// Returns the candidates, from the one in the field on, or a message without any.
    pub fn said(&self) -> Option<String> {
        let Under { of, at } = self.0.as_ref()?;
        let count = of.candidates.len();
        Some(match &of.candidates[..] {
            [] if of.typed.is_empty() => "nothing to complete here".into(),
            [] => fit(&format!("nothing here begins with {}", of.typed), COLUMNS),
            [_] => "complete as it is".into(),
            all => {
                let at = at.unwrap_or(0);
                let all = all.iter().cycle().skip(at).take(count);
                fit(
                    &format!("{count}: {}", join(all.map(String::as_str), ", ")),
                    COLUMNS,
                )
            }
        })
    }
}

impl Under {
    /// Inserts the only candidate, else the common beginning of all.
    fn begin(input: &mut Input, grammar: Grammar<'_>) -> Self {
        let of = complete(input.text(), input.cursor(), grammar);
        let mut under = Self { of, at: None };
        match (&under.of.candidates[..], under.of.common.clone()) {
            ([_], _) => under.put(0, input),
            (_, Some((common, cursor))) => under.replace(&common, cursor, input),
            _ => {}
        }
        under
    }

    fn go(&mut self, input: &mut Input, action: &Action) {
        let count = self.of.candidates.len();
        let back = *action == Action::PreviousField;
        let next = match self.at {
            None if back => count - 1,
            None => 0,
            Some(at) => beside(at, count, !back),
        };
        self.put(next, input);
    }

    fn put(&mut self, place: usize, input: &mut Input) {
        self.at = Some(place);
        let candidate = self.of.candidates[place].clone();
        self.replace(&candidate, candidate.chars().count(), input);
    }

    fn replace(&mut self, text: &str, cursor: usize, input: &mut Input) {
        let word = self.of.word.clone();
        if input.replace(word.clone(), text, cursor) {
            self.of.word.end = word.start + text.chars().count();
        }
    }
}
