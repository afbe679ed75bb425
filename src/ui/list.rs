//! What is marked in a list and what it is narrowed by.

use std::collections::HashSet;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::{DocRef, RunRow, SuiteRow, head};

/// Bytes of a text that the words are looked for in.
const LOOKED_AT: usize = 4_096;

/// A row that can be marked.
pub trait Row {
    fn doc_ref(&self) -> &DocRef;
}

impl Row for RunRow {
    fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }
}

impl Row for SuiteRow {
    fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }
}

impl Row for DocRef {
    fn doc_ref(&self) -> &DocRef {
        self
    }
}

/// Marked rows, in the order of marking: by document reference, so that they stay whatever happens to the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks<T> {
    rows: Vec<T>,
    refs: HashSet<DocRef>,
    /// The row where a range of marks began.
    pub anchor: Option<DocRef>,
}

impl<T> Default for Marks<T> {
    fn default() -> Self {
        Self {
            rows: Vec::new(),
            refs: HashSet::new(),
            anchor: None,
        }
    }
}

impl<T: Row + Clone> Marks<T> {
    /// The marked rows as they were read last.
    pub fn rows(&self) -> &[T] {
        &self.rows
    }

    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn has(&self, row: &DocRef) -> bool {
        self.refs.contains(row)
    }

    /// Marks a row, unless it is marked.
    pub fn add(&mut self, row: &T) {
        if !self.has(row.doc_ref()) {
            self.refs.insert(row.doc_ref().clone());
            self.rows.push(row.clone());
        }
    }

    /// Marks a row or takes its mark away.
    pub fn toggle(&mut self, row: &T) {
        if self.has(row.doc_ref()) {
            self.remove(&[row.doc_ref().clone()]);
        } else {
            self.add(row);
        }
    }

    /// Takes marks away.
    pub fn remove(&mut self, rows: &[DocRef]) {
        let rows: HashSet<&DocRef> = rows.iter().collect();
        self.retain(|row| !rows.contains(row));
    }

    /// Takes all marks away but those of some rows.
    pub fn retain(&mut self, stays: impl Fn(&DocRef) -> bool) {
        self.rows.retain(|row| stays(row.doc_ref()));
        self.refs.retain(|row| stays(row));
    }

    /// Takes all marks away.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The first time, a range begins at the row under the cursor; the second time, the row where it began comes back.
    pub fn range(&mut self, here: Option<&DocRef>) -> Option<DocRef> {
        let begun = self.anchor.take();
        if begun.is_none() {
            self.anchor = here.cloned();
        }
        begun
    }
}

/// Words that narrow a list: all of them must be found as they stand; case and accents do not matter.
pub struct Words {
    pattern: Pattern,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Words {
    pub fn new(text: &str) -> Self {
        let (case, accents) = (CaseMatching::Ignore, Normalization::Smart);
        Self {
            pattern: Pattern::new(text, case, accents, AtomKind::Substring),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    /// How well a text fits, if all words are in it.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        let text = Utf32Str::new(text, &mut self.buffer);
        self.pattern.score(text, &mut self.matcher)
    }

    /// Each word is in one of the parts. Of a long one only the beginning is looked at: a server may send megabytes, and
    /// the next key waits for it.
    pub fn fit<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> bool {
        let parts = parts.into_iter().map(|part| head(part, LOOKED_AT));
        self.score(&parts.collect::<Vec<_>>().join(" ")).is_some()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_text_the_words_are_looked_for_at_its_beginning() {
        let long = format!("Payment {}checkout", "x".repeat(1 << 20));
        let fits = |words: &str| Words::new(words).fit([long.as_str(), "R_7"]);
        assert!(fits("pay r_7") && fits("xxx"));
        assert!(!fits("checkout"));
    }
}
