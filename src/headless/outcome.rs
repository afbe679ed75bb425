//! What came of a write, in one word and as an exit status.

use super::Exit;
use crate::domain::{End, Outcome, Seen};

/// Its `outcome` in JSON.
pub fn name(outcome: &Outcome) -> &'static str {
    match (outcome.end, &outcome.seen) {
        (End::Done, Seen::Whole) if outcome.parts.is_empty() => "unchanged",
        (End::Done, Seen::Whole) => "confirmed",
        (End::Done, _) => "differs",
        (End::Unknown, _) if shows_otherwise(outcome) => "differs",
        (End::Unknown, _) => "unknown",
        (End::Refused | End::NotSent, _) => "refused",
    }
}

/// Its `end` in JSON.
pub fn end(outcome: &Outcome) -> &'static str {
    match outcome.end {
        End::Done => "done",
        End::Refused => "refused",
        End::NotSent => "not_sent",
        End::Unknown => "unknown",
    }
}

/// The exit status that it leads to.
pub fn exit(outcome: &Outcome) -> Exit {
    match outcome.end {
        End::Done if outcome.is_whole() => Exit::Fine,
        End::Done => Exit::Failed,
        End::Unknown if shows_otherwise(outcome) => Exit::Failed,
        End::Refused | End::NotSent | End::Unknown => Exit::Service,
    }
}

/// The run was read after the write, and it is not as asked for.
fn shows_otherwise(outcome: &Outcome) -> bool {
    matches!(outcome.seen, Seen::Other(_)) && outcome.document.is_some()
}
