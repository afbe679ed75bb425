//! Lists: cursor and first visible row, marks and their open range, the search words, and the keys for all that.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

use crate::domain::{DocRef, ListEntry, head};
use crate::mirror::Run;
use crate::store::{Action, Cx, Layer, Motion};
use crate::ui::layout::{BoxDrawn, Scrolled};
use crate::ui::{FootField, Input, Scroll, text};

/// Maximum bytes of a text that are searched.
const LOOKED_AT: usize = 4_096;

impl ListEntry for Arc<Run> {
    fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }
}

/// Marked rows, in the order of marking: by document reference, so that they outlive changes of the list.
#[derive(Clone, Debug, PartialEq)]
pub struct Marks<T> {
    rows: Vec<T>,
    refs: HashSet<DocRef>,
    /// Row at which an open range of marks began.
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

impl<T: ListEntry + Clone> Marks<T> {
    /// Returns the marked rows as of their last reading.
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

    /// Marks a row.
    pub fn add(&mut self, row: &T) {
        if !self.has(row.doc_ref()) {
            self.refs.insert(row.doc_ref().clone());
            self.rows.push(row.clone());
        }
    }

    /// Marks or unmarks a row.
    pub fn toggle(&mut self, row: &T) {
        if self.has(row.doc_ref()) {
            self.remove(&[row.doc_ref().clone()]);
        } else {
            self.add(row);
        }
    }

    /// Unmarks rows.
    pub fn remove(&mut self, rows: &[DocRef]) {
        let rows: HashSet<&DocRef> = rows.iter().collect();
        self.retain(|row| !rows.contains(row));
    }

    /// Unmarks all rows but some.
    pub fn retain(&mut self, stays: impl Fn(&DocRef) -> bool) {
        self.rows.retain(|row| stays(row.doc_ref()));
        self.refs.retain(|row| stays(row));
    }

    /// Unmarks all rows.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Begins a range at the row under the cursor; if one is open, ends it and returns its first row.
    pub fn range(&mut self, here: Option<&DocRef>) -> Option<DocRef> {
        let begun = self.anchor.take();
        if begun.is_none() {
            self.anchor = here.cloned();
        }
        begun
    }

    /// Handles Esc: a first one only asks, so that no marks are lost by mistake.
    pub fn let_go(&mut self, layer: Layer, cx: &mut Cx) {
        if cx.is_again(&Action::Back) {
            self.clear();
            return cx.say("no marks any more");
        }
        cx.wait_for_again(Action::Back);
        let shared = &cx.shared;
        let again = shared.then_key(", ", layer, &Action::Back, "again lets them go");
        cx.say(format!("{} marked{again}", self.len()));
    }
}

/// Message if the first row of a range is gone; then nothing is marked, because the extent is unknown.
const RANGE_GONE: &str = "the range is gone: its first row is no longer here; mark again";

/// Search words of a list, and their field at its foot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Search {
    pub words: Input,
    /// The field has the focus.
    pub typing: bool,
}

impl Search {
    pub fn text(&self) -> &str {
        self.words.text()
    }

    /// Removes the words and so shows all rows; true if there were any.
    pub fn clear(&mut self) -> bool {
        let any = !self.text().is_empty();
        self.words.clear();
        self.typing = false;
        any
    }
}

/// Rows lent to a list.
pub trait ListRows<T> {
    /// Maximum number of marks, and the message about it.
    const MOST_MARKS: (usize, &'static str) = (usize::MAX, "");

    fn row_count(&self) -> usize;

    /// Returns the key of a row, if it has one.
    fn key_at(&self, place: usize) -> Option<&DocRef>;

    /// Returns the mark of a row, or the reason why it cannot be marked.
    fn mark_at(&self, place: usize) -> Result<T, &'static str>;

    /// Returns true for an action on the marks: an open range ends first.
    fn uses_marks(&self, _action: &Action) -> bool {
        false
    }

    /// Returns true if the row is marked with all others.
    fn is_of_all(&self, _place: usize) -> bool {
        true
    }

    fn place_of(&self, key: &DocRef) -> Option<usize> {
        (0..self.row_count()).find(|place| self.key_at(*place) == Some(key))
    }

    /// Returns the message about rows that were marked together, unless their signs say enough; `over` of them are
    /// above the maximum, and `is_all` is true if all rows were to be marked.
    fn marked(&self, _marked: usize, _over: usize, _is_all: bool) -> Option<String> {
        None
    }
}

/// List of rows. It holds none of them: they are lent to it.
#[derive(Clone, Debug, PartialEq)]
pub struct List<T = DocRef> {
    kind: Kind,
    pub scroll: Scroll,
    pub marks: Marks<T>,
    pub search: Search,
}

/// Open range of marks: the keys of all its rows, and those that can be marked.
pub struct OpenRange<T> {
    keys: Vec<Option<DocRef>>,
    pub marks: Vec<T>,
}

/// Abilities of a list besides moving the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// Rows can be marked and searched, with the keys of this place.
    Marks(Layer),
    /// Letters are text of the search.
    Types,
    Single,
    /// The search moves the cursor; all rows stay.
    Finds,
}

/// Number of rows in a list without marks.
pub struct Unmarked(pub usize);

impl ListRows<DocRef> for Unmarked {
    fn row_count(&self) -> usize {
        self.0
    }

    fn key_at(&self, _place: usize) -> Option<&DocRef> {
        None
    }

    fn mark_at(&self, _place: usize) -> Result<DocRef, &'static str> {
        Err("nothing is marked here")
    }
}

/// A list of rows of which one is taken.
impl<T> Default for List<T> {
    fn default() -> Self {
        Self::of(Kind::Single)
    }
}

impl<T> List<T> {
    fn of(kind: Kind) -> Self {
        Self {
            kind,
            scroll: Scroll::default(),
            marks: Marks::default(),
            search: Search::default(),
        }
    }
}

impl List {
    /// Creates a list in which letters are text of the search.
    pub fn typing() -> Self {
        Self::of(Kind::Types)
    }

    /// Creates a list in which the search moves the cursor.
    pub fn finding() -> Self {
        Self::of(Kind::Finds)
    }
}

impl<T: ListEntry + Clone> List<T> {
    /// Creates a list with marks and search, in this place.
    pub fn new(layer: Layer) -> Self {
        Self::of(Kind::Marks(layer))
    }

    /// Handles a key of a list; returns other keys. After a change of the words the cursor is on the first match,
    /// unless rows can be marked.
    pub fn update(
        &mut self,
        action: Action,
        rows: &impl ListRows<T>,
        cx: &mut Cx,
    ) -> Option<Action> {
        let is_typed = self.search.typing || matches!(self.kind, Kind::Types);
        if let Some(words) = self.search.words.refusal(&action).filter(|_| is_typed) {
            cx.complain(words);
            return None;
        }
        if self.search.typing {
            match action {
                _ if cx.shared.found.find(&mut self.search.words, &action) => self.narrowed(),
                Action::Move(motion) if motion.is_beside_typing() => {
                    self.scroll.go(motion, rows.row_count());
                }
                Action::Open | Action::Back => self.search.typing = false,
                _ => cx.unused(&action),
            }
            return None;
        }
        if self.scroll.update(&action, rows.row_count()) {
            return None;
        }
        match (self.kind, &action) {
            (Kind::Marks(layer), _) => return self.update_marks(layer, action, rows, cx),
            (Kind::Types, Action::Type(_) | Action::Paste(_)) => {
                if self.search.words.edit(&action) {
                    self.narrowed();
                }
            }
            // If it has a key for the search.
            (Kind::Single | Kind::Finds, Action::Filter) => self.search.typing = true,
            (Kind::Single | Kind::Finds, Action::Back) if self.search.clear() => self.narrowed(),
            _ => return Some(action),
        }
        None
    }

    fn narrowed(&mut self) {
        if matches!(self.kind, Kind::Types | Kind::Single) {
            self.scroll.rewind();
        }
    }

    fn update_marks<R: ListRows<T>>(
        &mut self,
        layer: Layer,
        action: Action,
        rows: &R,
        cx: &mut Cx,
    ) -> Option<Action> {
        let (most, full) = R::MOST_MARKS;
        match action {
            action if self.marks.anchor.is_some() && rows.uses_marks(&action) => {
                let ended = self.range(rows, cx).inspect_err(|why| cx.say(*why));
                return ended.is_ok().then_some(action);
            }
            Action::Mark => match rows.mark_at(self.scroll.cursor) {
                Ok(row) if self.marks.len() >= most && !self.marks.has(row.doc_ref()) => {
                    cx.say(full);
                }
                Ok(row) => {
                    self.marks.toggle(&row);
                    self.scroll.go(Motion::Down, rows.row_count());
                }
                Err(why) => cx.say(why),
            },
            Action::MarkRange => match self.range(rows, cx) {
                Err(why) => cx.say(why),
                Ok(()) if self.marks.anchor.is_some() => {
                    let shared = &cx.shared;
                    let ends = shared.then_key("; ", layer, &action, "again marks all between");
                    cx.say(format!("range: move{ends}"));
                }
                Ok(()) => {}
            },
            Action::MarkAll => {
                self.marks.anchor = None;
                let all = (0..rows.row_count()).filter(|place| rows.is_of_all(*place));
                let all: Vec<T> = all.filter_map(|place| rows.mark_at(place).ok()).collect();
                match rows.mark_at(self.scroll.cursor) {
                    Err(why) if all.is_empty() => cx.say(why),
                    _ => self.mark(all, true, rows, cx),
                }
            }
            Action::Filter => self.search.typing = true,
            Action::Back if self.marks.anchor.take().is_some() => {}
            Action::Back if self.search.clear() => {}
            Action::Back if !self.marks.is_empty() => self.marks.let_go(layer, cx),
            other => return Some(other),
        }
        None
    }

    /// Begins a range, or marks all rows of the open one; the error is the reason why it does neither.
    fn range(&mut self, rows: &impl ListRows<T>, cx: &mut Cx) -> Result<(), &'static str> {
        let here = rows.key_at(self.scroll.cursor);
        if let Some(begun) = self.marks.range(here) {
            let begun = rows.place_of(&begun).ok_or(RANGE_GONE)?;
            let range = self.scroll.span(begun);
            let range = range.filter_map(|place| rows.mark_at(place).ok());
            self.mark(range, false, rows, cx);
        } else if here.is_none() {
            rows.mark_at(self.scroll.cursor)?;
        }
        Ok(())
    }

    fn mark<R: ListRows<T>>(
        &mut self,
        new: impl IntoIterator<Item = T>,
        is_all: bool,
        rows: &R,
        cx: &mut Cx,
    ) {
        let before = self.marks.len();
        let (mut marked, mut over) = (0, 0);
        for row in new {
            if self.marks.len() < R::MOST_MARKS.0 || self.marks.has(row.doc_ref()) {
                self.marks.add(&row);
                marked += 1;
            } else {
                over += 1;
            }
        }
        if let Some(words) = rows.marked(marked, over, is_all) {
            cx.say(words);
        } else if self.marks.len() == before {
            cx.say("nothing more is marked");
        }
    }

    /// Returns the rows of the open range.
    pub fn begun(&self, rows: &impl ListRows<T>) -> Option<RangeInclusive<usize>> {
        let place = rows.place_of(self.marks.anchor.as_ref()?)?;
        Some(self.scroll.span(place))
    }

    /// Returns the open range with the rows that it has now.
    pub fn open_range(&self, rows: &impl ListRows<T>) -> Option<OpenRange<T>> {
        let range = self.begun(rows)?;
        Some(OpenRange {
            keys: range.clone().map(|at| rows.key_at(at).cloned()).collect(),
            marks: range.filter_map(|at| rows.mark_at(at).ok()).collect(),
        })
    }

    /// Ends an open range that has other rows in a changed list, and marks those that it had.
    pub fn keep_range<R: ListRows<T>>(&mut self, range: OpenRange<T>, now: &R, cx: &mut Cx) {
        let Some(mut changed) = self.begun(now) else {
            return;
        };
        let had: HashSet<_> = range.keys.iter().map(Option::as_ref).collect();
        if changed.clone().count() != had.len()
            || !changed.all(|place| had.contains(&now.key_at(place)))
        {
            self.marks.anchor = None;
            self.mark(range.marks, false, now, cx);
            cx.say(format!(
                "other rows stand there now: the range has ended, {} marked",
                self.marks.len()
            ));
        }
    }

    /// Takes changed rows: the cursor stays on the row with this key, if it still exists.
    pub fn follow(&mut self, key: Option<&DocRef>, rows: &impl ListRows<T>) {
        let row = key.and_then(|key| rows.place_of(key));
        self.scroll.stay_on(row, rows.row_count());
    }

    /// Returns the rows that match the words in some parts, in their order.
    pub fn fitting<'a, R, P: IntoIterator<Item = &'a str>>(
        &self,
        rows: impl Iterator<Item = &'a R>,
        parts: impl Fn(&'a R) -> P,
    ) -> Vec<&'a R> {
        let mut words = Words::new(self.search.text());
        rows.filter(|row| words.fit(parts(row))).collect()
    }

    /// Returns the field of the words while it has the focus, with the number of matches.
    pub fn field(&self, shown: usize, all: usize) -> Option<FootField<'_>> {
        let [shown, all] = [shown, all].map(text::thousands);
        self.search.typing.then(|| FootField {
            sign: "/ ",
            input: &self.search.words,
            said: (format!("{shown} of {all} match"), false),
        })
    }

    /// Returns the sign of an open range, for the start of the status line: its end may be cut.
    pub fn range_open(&self, cx: &Cx) -> String {
        match (self.kind, &self.marks.anchor) {
            (Kind::Marks(layer), Some(_)) => {
                let ends = &Action::MarkRange;
                let ends = cx.shared.then_key(": ", layer, ends, "ends it");
                format!("range begun{ends}   ")
            }
            _ => String::new(),
        }
    }
}

/// Handles typed and pasted text of a field outside of a list; a refused paste is reported.
pub fn edit(field: &mut Input, action: &Action, cx: &mut Cx) {
    if let Some(words) = field.refusal(action) {
        cx.complain(words);
    }
    field.edit(action);
}

impl Scrolled for Scroll {
    fn drawn(&mut self, drawn: &BoxDrawn) -> bool {
        self.set_height(drawn.height, drawn.len)
    }
}

impl<T> Scrolled for List<T> {
    fn drawn(&mut self, drawn: &BoxDrawn) -> bool {
        self.scroll.drawn(drawn)
    }
}

/// Search words: all of them must occur literally; case and accents do not matter.
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

    /// Returns the score of a text, if all words occur in it.
    pub fn score(&mut self, text: &str) -> Option<u32> {
        let text = Utf32Str::new(text, &mut self.buffer);
        self.pattern.score(text, &mut self.matcher)
    }

    /// Returns true if each word occurs in one of the parts. Of a long part only the beginning counts: a server may
    /// send megabytes, and the next key waits.
    pub fn fit<'a>(&mut self, parts: impl IntoIterator<Item = &'a str>) -> bool {
        let parts = parts.into_iter().map(|part| head(part, LOOKED_AT));
        self.score(&parts.collect::<Vec<_>>().join(" ")).is_some()
    }
}

/// Returns the places of the labels that contain every word of the text, best first. Scattered letters are no match:
/// Enter must never take a command that was not typed.
pub fn matching<'a>(text: &str, labels: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let mut words = Words::new(text);
    let mut scored: Vec<(u32, usize)> = labels
        .enumerate()
        .filter_map(|(place, label)| Some((words.score(label)?, place)))
        .collect();
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
