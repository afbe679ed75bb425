//! A range of rows: begun once, ended once.

use std::ops::RangeInclusive;

/// The first time, a range begins at the cursor; the second time it ends there and comes back.
pub fn range(anchor: &mut Option<u64>, cursor: u64) -> Option<RangeInclusive<u64>> {
    match anchor.take() {
        Some(begun) => Some(begun.min(cursor)..=begun.max(cursor)),
        None => {
            *anchor = Some(cursor);
            None
        }
    }
}
