//! Where a person is in a list: cursor and first visible row, marks and the range being marked, the words that narrow it.

use std::collections::HashSet;
use std::ops::RangeInclusive;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::{DocRef, RunRow, SuiteRow, head};
use crate::store::message::Motion;

/// Bytes of a text that the words are looked for in.
const LOOKED_AT: usize = 4_096;

/// Where a person is in a list. Rows are counted from 0; the length of the list is handed in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scroll {
    /// The row under the cursor.
    pub cursor: u64,
    /// The first row on the screen.
    pub top: u64,
    /// Rows on the screen, at least 1.
    pub height: u64,
}

impl Default for Scroll {
    fn default() -> Self {
        Self {
            cursor: 0,
            top: 0,
            height: 1,
        }
    }
}

impl Scroll {
    /// Moves the cursor in a list of `len` rows; says whether it or the rows on the screen have moved.
    pub fn go(&mut self, motion: Motion, len: u64) -> bool {
        let before = *self;
        let last = len.saturating_sub(1);
        let half = (self.height / 2).max(1);
        let page = self.height.max(1);
        self.cursor = match motion {
            Motion::Up => self.cursor.saturating_sub(1),
            Motion::Down => self.cursor.saturating_add(1),
            Motion::HalfPageUp => self.cursor.saturating_sub(half),
            Motion::HalfPageDown => self.cursor.saturating_add(half),
            Motion::PageUp => self.cursor.saturating_sub(page),
            Motion::PageDown => self.cursor.saturating_add(page),
            Motion::First => 0,
            Motion::Last => last,
        };
        match motion {
            Motion::PageUp => self.top = self.top.saturating_sub(page),
            Motion::PageDown => self.top = self.top.saturating_add(page),
            _ => {}
        }
        self.fit(len);
        *self != before
    }

    /// Puts the cursor on a row of the screen, if the list has one there.
    pub fn point(&mut self, row: u16, len: u64) {
        let wanted = self.top.saturating_add(u64::from(row));
        if wanted < len && u64::from(row) < self.height {
            self.cursor = wanted;
        }
    }

    /// Puts the cursor on a row and keeps its place on the screen; at the top of the list the list stays where it is, so
    /// that what comes new there is seen.
    pub fn carry(&mut self, to: u64, len: u64) {
        let at_top = self.top == 0 && to < self.height;
        let place = if at_top {
            to
        } else {
            self.cursor.saturating_sub(self.top)
        };
        self.cursor = to;
        self.top = to.saturating_sub(place);
        self.fit(len);
    }

    /// The rows between one and the cursor, both included.
    pub fn span(&self, place: u64) -> RangeInclusive<u64> {
        place.min(self.cursor)..=place.max(self.cursor)
    }

    /// Takes the number of rows that the screen shows; says whether anything has moved.
    pub fn set_height(&mut self, height: u16, len: u64) -> bool {
        let before = *self;
        self.height = u64::from(height.max(1));
        self.fit(len);
        (self.cursor, self.top) != (before.cursor, before.top)
    }

    /// Places of the rows on a screen of so many.
    pub fn visible(&self, height: u16) -> std::ops::Range<usize> {
        let top = self.top as usize;
        top..top + usize::from(height)
    }

    /// Brings cursor and top back into a list of `len` rows.
    pub fn fit(&mut self, len: u64) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
        self.top = self.top.min(len.saturating_sub(self.height));
        self.top = self
            .top
            .min(self.cursor)
            .max(self.cursor.saturating_sub(self.height - 1));
    }
}

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

    #[test]
    fn the_cursor_stays_in_the_list_and_on_the_screen() {
        let mut scroll = Scroll::default();
        scroll.set_height(10, 25);
        for (motion, cursor, top) in [
            (Motion::Up, 0, 0),
            (Motion::Down, 1, 0),
            (Motion::PageDown, 11, 10),
            (Motion::PageDown, 21, 15),
            (Motion::PageDown, 24, 15),
            (Motion::HalfPageUp, 19, 15),
            (Motion::First, 0, 0),
            (Motion::Last, 24, 15),
            (Motion::PageUp, 14, 5),
            (Motion::HalfPageDown, 19, 10),
        ] {
            scroll.go(motion, 25);
            assert_eq!((scroll.cursor, scroll.top), (cursor, top), "{motion:?}");
        }
        // A click behind the last row, or below the rows of the screen, is for none of them.
        for (row, len, cursor) in [(9, 25, 19), (2, 25, 12), (10, 25, 12), (3, 13, 12)] {
            scroll.point(row, len);
            assert_eq!(scroll.cursor, cursor, "row {row} of {len}");
        }
        // Half of one row is one.
        scroll.set_height(1, 25);
        scroll.go(Motion::HalfPageUp, 25);
        scroll.set_height(30, 25);
        assert_eq!((scroll.cursor, scroll.top), (11, 0));
        scroll.fit(0);
        assert_eq!((scroll.cursor, scroll.top), (0, 0));
    }
}
