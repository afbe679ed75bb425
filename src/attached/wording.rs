//! The verdict in words.

use super::{Attached, How};

/// Writes a time of epoch milliseconds the way the screen does.
pub type Clock<'a> = &'a dyn Fn(i64) -> String;

impl Attached {
    /// The headline: "COMPLETE 12/12", "PARTIAL 5 of 7".
    pub fn headline(&self, clock: Clock<'_>) -> String {
        let _ = clock;
        todo!()
    }
}

impl How {
    /// "free on R_22 and R_23, not here", "link record 09:22".
    pub fn text(&self, clock: Clock<'_>) -> String {
        let _ = clock;
        todo!()
    }
}
