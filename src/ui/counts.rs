//! The counts of a run in words.

use crate::domain::{ResultCode, ResultCounts};

/// `116 cases, 46 left`, or why nobody can say.
pub fn left(counts: &ResultCounts, done: &[ResultCode]) -> String {
    match counts.sums(done) {
        Some(sums) => format!("{} cases, {} left", sums.total, sums.left()),
        None => format!("{} counts could not be read", counts.unread),
    }
}

/// The counts that are not zero, in the order of the bar: `Passed 57  Failed (new) 9`.
pub fn counted(counts: &ResultCounts) -> String {
    let named = ResultCode::BAR.iter().filter(|code| counts.get(**code) > 0);
    let mut parts: Vec<String> = named
        .map(|code| format!("{} {}", code.label(), counts.get(*code)))
        .collect();
    parts.extend(
        counts
            .others
            .iter()
            .map(|(code, _, count)| format!("unknown result {code} {count}")),
    );
    if parts.is_empty() {
        "no cases".into()
    } else {
        parts.join("   ")
    }
}
