//! A run in the mirror: one small text, the same in memory and on the disk, as there may be a hundred thousand.

use std::fmt::{Display, Write};
use std::str::FromStr;

use super::prelude::*;
use crate::domain::{ResultCounts, full_name};

/// Certainty that a run exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// Found by the last reading.
    Here,
    /// Missing in a later list, but not asked for by its id yet.
    NotSeen,
    /// Asked for and not found. Only reference, short id and version are known.
    Gone,
}

/// Returns true if counts are surely older than a reading of their list, times are epoch milliseconds: what an unchanged
/// reading of another program has read may be written later.
pub fn are_older(counted_at: i64, read_at: Option<i64>) -> bool {
    read_at.is_some_and(|read_at| counted_at < read_at - 2 * super::WRITTEN)
}

/// A run.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub doc_ref: DocRef,
    /// Row in the format of `text_of`.
    pub text: Box<str>,
    /// Digest of all fields that the row does not have, see [`FieldDigests::digest`].
    pub hidden: u64,
    pub state: Presence,
    /// Any status but that of closed runs: what it means is not known.
    pub is_open: bool,
    /// Epoch milliseconds.
    pub edited_on: Option<i64>,
    /// Time of the last reading, epoch milliseconds.
    pub read_at: i64,
    /// Time of the last reading with counts, epoch milliseconds.
    pub counted_at: Option<i64>,
}

impl Run {
    /// Creates a run from a row that was read at a time (epoch milliseconds).
    pub fn new(row: &RunRow, read_at: i64) -> Self {
        Self {
            hidden: row.digests.digest(),
            read_at,
            counted_at: row.results.as_ref().map(|_| read_at),
            ..Self::of_row(row, row.doc_ref.clone(), text_of(row).into())
        }
    }

    /// Creates a run from the text of a row; `None` if it is not valid. `room` is a buffer.
    pub fn of_text(doc_ref: DocRef, text: &str, room: &mut Option<RunRow>) -> Option<Self> {
        let row = room.get_or_insert_with(|| RunRow::unknown(doc_ref.clone()));
        fill(text, row)?;
        Some(Self::of_row(row, doc_ref, text.into()))
    }

    fn of_row(row: &RunRow, doc_ref: DocRef, text: Box<str>) -> Self {
        Self {
            doc_ref,
            text,
            hidden: 0,
            state: Presence::Here,
            is_open: !row.is_closed(),
            edited_on: row.edited_on,
            read_at: 0,
            counted_at: None,
        }
    }

    /// The row, without digests of other fields.
    pub fn row(&self) -> RunRow {
        let mut row = RunRow::unknown(self.doc_ref.clone());
        self.fill(&mut row);
        row
    }

    /// Reads the row into another one, whose memory is reused.
    pub fn fill(&self, row: &mut RunRow) {
        row.doc_ref = self.doc_ref.clone();
        // The text was valid when it was read or written.
        let _ = fill(&self.text, row);
    }

    /// Returns the fields of each run.
    pub fn rows(runs: &[Arc<Self>]) -> Vec<RunRow> {
        runs.iter().map(|run| run.row()).collect()
    }

    pub fn is_closed(&self) -> bool {
        Status::from_text(self.text_at(12)) == Status::Inactive
    }

    /// Returns the run with changed fields.
    #[must_use]
    pub fn with(&self, change: impl FnOnce(&mut RunRow)) -> Arc<Self> {
        let mut row = self.row();
        change(&mut row);
        Arc::new(Self {
            hidden: self.hidden,
            state: self.state,
            counted_at: self.counted_at,
            ..Self::new(&row, self.read_at)
        })
    }

    /// Returns the run by a newer reading; counts that are missing in it are kept with their time.
    #[must_use]
    pub fn read_again(&self, row: RunRow, read_at: i64) -> Arc<Self> {
        let counted_at = row.results.as_ref().map(|_| read_at).or(self.counted_at);
        let row = row.with_counts_of(&self.row());
        Arc::new(Self {
            counted_at,
            ..Self::new(&row, read_at)
        })
    }

    /// Returns a text by its place: those of [`texts`], then the status.
    fn text_at(&self, place: usize) -> Option<&str> {
        let mut reader = TextReader(&self.text);
        for _ in 0..place {
            reader.text();
        }
        reader.text()
    }

    /// Short id.
    pub fn id(&self) -> Option<&str> {
        self.text_at(0)
    }

    pub fn title(&self) -> Option<&str> {
        self.text_at(1)
    }

    /// Project, sub project and version.
    pub fn scope(&self) -> (Option<&str>, Option<&str>, Option<&str>) {
        let mut reader = TextReader(&self.text);
        let [_, _, project, subproject, version] = std::array::from_fn(|_| reader.text());
        (project, subproject, version)
    }

    pub fn subproject(&self) -> Option<&str> {
        self.scope().1
    }

    pub fn version(&self) -> Option<&str> {
        self.scope().2
    }

    pub fn configuration(&self) -> Option<&str> {
        self.text_at(5)
    }

    /// Short id, or the reference.
    pub fn name(&self) -> &str {
        self.id().unwrap_or(self.doc_ref.as_str())
    }

    /// Short id, or the reference, and title.
    pub fn full_name(&self) -> String {
        full_name(self.name(), self.title())
    }

    /// Compares everything but the times of reading.
    pub fn is_as(&self, other: &Self) -> bool {
        (&self.text, self.hidden, self.state) == (&other.text, other.hidden, other.state)
    }

    /// Returns the time of the counts of an open run, if a later reading of its list (epoch milliseconds) was without them.
    pub fn older_counts(&self, read_at: Option<i64>) -> Option<i64> {
        let counted_at = self.counted_at.filter(|_| self.is_open)?;
        are_older(counted_at, read_at).then_some(counted_at)
    }

    /// Last counts as a sample, if there are any.
    pub fn sample(&self) -> Option<Sample> {
        Some(Sample::of(&self.row(), self.counted_at?))
    }
}

/// Texts of a row, the short id first.
fn texts(row: &mut RunRow) -> [&mut Option<String>; 12] {
    [
        &mut row.id,
        &mut row.title,
        &mut row.project,
        &mut row.subproject,
        &mut row.version,
        &mut row.configuration,
        &mut row.description,
        &mut row.edited_by,
        &mut row.display_edited_on,
        &mut row.created_by,
        &mut row.display_created_on,
        &mut row.cases_with_tester,
    ]
}

fn numbers(row: &mut RunRow) -> [&mut Option<i64>; 4] {
    [
        &mut row.edited_on,
        &mut row.created_on,
        &mut row.suite_count,
        &mut row.progress,
    ]
}

/// Row with digests in place of texts, which is enough for a comparison.
#[must_use]
pub fn without_texts(mut row: RunRow) -> RunRow {
    let hide = |text: &mut String| *text = format!("{:x}", digest(text));
    texts(&mut row).into_iter().flatten().for_each(hide);
    row.testers.iter_mut().for_each(hide);
    row
}

/// Text of a row without reference and digests: texts as `5:title`, numbers as `12:`, `_` for a missing value, then
/// status, testers and counts.
pub fn text_of(row: &RunRow) -> String {
    let (mut row, mut out) = (row.clone(), String::new());
    for text in texts(&mut row) {
        add_text(&mut out, text.as_deref());
    }
    add_text(&mut out, row.status.as_text());
    for number in numbers(&mut row) {
        add(&mut out, number.as_ref());
    }
    add(&mut out, Some(row.testers.len()));
    for tester in &row.testers {
        add_text(&mut out, Some(tester));
    }
    add(&mut out, row.results.as_ref().map(|counts| counts.unread));
    if let Some(counts) = &row.results {
        for code in ResultCode::ALL {
            add(&mut out, counts.listed(code));
        }
        add(&mut out, Some(counts.others.len()));
        for (code, label, count) in &counts.others {
            add_text(&mut out, Some(code));
            add_text(&mut out, Some(label));
            add(&mut out, Some(count));
        }
    }
    out
}

fn add(to: &mut String, number: Option<impl Display>) {
    // Writing to a `String` cannot fail.
    let _ = match number {
        Some(number) => write!(to, "{number}:"),
        None => to.write_char('_'),
    };
}

fn add_text(to: &mut String, text: Option<&str>) {
    add(to, text.map(str::len));
    to.push_str(text.unwrap_or_default());
}

/// Row of such a text; `None` if it is not valid.
pub fn row_of(doc_ref: DocRef, text: &str, digests: &str) -> Option<RunRow> {
    let mut row = RunRow::unknown(doc_ref);
    row.digests = FieldDigests::from_text(digests);
    fill(text, &mut row).map(|()| row)
}

fn fill(text: &str, row: &mut RunRow) -> Option<()> {
    let mut reader = TextReader(text);
    for place in texts(row) {
        match (reader.text(), place.as_mut()) {
            (Some(text), Some(place)) => text.clone_into(place),
            (text, _) => *place = text.map(str::to_owned),
        }
    }
    row.status = Status::from_text(reader.text());
    for place in numbers(row) {
        *place = reader.number();
    }
    let testers = reader.number()?;
    row.testers.truncate(testers);
    for place in 0..testers {
        let tester = reader.text()?;
        match row.testers.get_mut(place) {
            Some(place) => tester.clone_into(place),
            None => row.testers.push(tester.to_owned()),
        }
    }
    row.results = None;
    if let Some(unread) = reader.number() {
        let counts = row.results.insert(ResultCounts::default());
        counts.unread = unread;
        for code in ResultCode::ALL {
            if let Some(count) = reader.number() {
                counts.add(code, count);
            }
        }
        for _ in 0..reader.number()? {
            let (code, label) = (reader.text()?.to_owned(), reader.text()?.to_owned());
            counts.others.push((code, label, reader.number()?));
        }
    }
    reader.0.is_empty().then_some(())
}

/// Unread part of a text. A wrong format yields `None`.
struct TextReader<'a>(&'a str);

impl<'a> TextReader<'a> {
    fn number<T: FromStr>(&mut self) -> Option<T> {
        if let Some(rest) = self.0.strip_prefix('_') {
            self.0 = rest;
            return None;
        }
        let end = self.0.bytes().position(|byte| byte == b':')?;
        let number = self.0[..end].parse().ok()?;
        self.0 = &self.0[end + 1..];
        Some(number)
    }

    fn text(&mut self) -> Option<&'a str> {
        let len = self.number()?;
        let (text, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(text)
    }
}
