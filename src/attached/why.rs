//! Why a list may be incomplete.

use super::Attached;
use super::wording::Clock;

impl Attached {
    /// The paragraphs of "Why this list may be incomplete".
    pub fn why(&self, clock: Clock<'_>) -> Vec<String> {
        let _ = clock;
        todo!()
    }

    /// What the row for the suites that nobody can name says; `None` where there are none.
    pub fn unknown_row(&self) -> Option<String> {
        todo!()
    }
}
