//! What failed so far.

use std::collections::VecDeque;

use crate::domain::Failure;
use crate::ui::list::Scroll;

/// Failures kept for reading.
const KEPT_ERRORS: usize = 200;

/// One line of the error list.
#[derive(Clone, Debug, PartialEq)]
pub struct Trouble {
    /// When it came last, epoch milliseconds.
    pub at: i64,
    /// How many times it came in a row.
    pub times: usize,
    /// What it was.
    pub failure: Failure,
}

/// Failures so far, newest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ErrorLog {
    /// What failed, newest first.
    pub entries: VecDeque<Trouble>,
    /// The list is open.
    pub open: bool,
    /// Cursor.
    pub scroll: Scroll,
    /// Failures since the list was open last.
    pub unseen: usize,
}

impl ErrorLog {
    /// Keeps a failure. The same again, right after it, is counted and not listed twice.
    pub fn push(&mut self, now: i64, failure: Failure) {
        self.unseen += usize::from(!self.open);
        if let Some(last) = self.entries.front_mut().filter(|last| {
            (&last.failure.asked, &last.failure.came_back) == (&failure.asked, &failure.came_back)
        }) {
            (last.at, last.times) = (now, last.times + 1);
            last.failure = failure;
            return;
        }
        self.entries.push_front(Trouble {
            at: now,
            times: 1,
            failure,
        });
        self.entries.truncate(KEPT_ERRORS);
        self.scroll.fit(self.entries.len() as u64);
    }
}
