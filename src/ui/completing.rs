//! The word of a query that is being completed: Tab and Shift-Tab lead through what it can be.

use super::text::fit;
use super::text_input::Input;
use crate::domain::query_language::{Completion, Grammar, complete};
use crate::domain::text::join;
use crate::store::Action;

/// Columns of what is said, at most: two rows of a narrow terminal.
const COLUMNS: usize = 100;

/// A word that is being completed, until another key is pressed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Completing(Option<Under>);

#[derive(Clone, Debug, PartialEq)]
struct Under {
    of: Completion,
    /// The candidate that stands in the field.
    at: Option<usize>,
}

impl Completing {
    /// A key leads through candidates.
    pub fn is_key(action: &Action) -> bool {
        matches!(action, Action::NextField | Action::PreviousField)
    }

    /// Such a key, for a field; whether its text has changed.
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

    /// Some word is being completed.
    pub fn is_on(&self) -> bool {
        self.0.is_some()
    }

    /// Another key was pressed.
    pub fn end(&mut self) {
        self.0 = None;
    }

    /// The candidates, from the one in the field on; or that there is none.
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
    /// The only candidate is put in, else what all of them begin with.
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
            Some(at) if back => (at + count - 1) % count,
            Some(at) => (at + 1) % count,
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
