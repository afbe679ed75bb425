//! Outcome of a write, as one word and as an exit status.

use super::prelude::*;
use super::tell;
use crate::domain::ReadBack;

/// Value of `outcome` in JSON.
pub fn name(outcome: &Outcome) -> &'static str {
    match (outcome.end, outcome.seen) {
        (End::Done, ReadBack::AsSent) if outcome.parts.is_empty() => "unchanged",
        (End::Done, ReadBack::AsSent) => "confirmed",
        (End::Done, _) => "differs",
        (End::Unknown, ReadBack::Other) if outcome.document.is_some() => "differs",
        (End::Unknown, _) => "unknown",
        // A part of it may be in effect.
        _ if end_of_all(outcome) == End::Unknown => "unknown",
        (End::Refused | End::NotSent(_), _) => "refused",
    }
}

/// Returns the end of a write; an unknown one of any part takes precedence.
fn end_of_all(outcome: &Outcome) -> End {
    let mut ends = outcome.parts.iter().map(|part| part.end);
    let unknown = ends.find(|end| *end == End::Unknown);
    unknown.unwrap_or(outcome.end)
}

/// Value of `end` in JSON.
pub fn end(outcome: &Outcome) -> &'static str {
    match end_of_all(outcome) {
        End::Done => "done",
        End::Refused => "refused",
        End::NotSent(_) => "not_sent",
        End::Unknown => "unknown",
    }
}

/// Exit status of a write.
pub fn exit(outcome: &Outcome) -> Exit {
    match end_of_all(outcome) {
        End::Unknown => Exit::Unknown,
        End::Done if outcome.is_complete() => Exit::Fine,
        End::Done => Exit::Failed,
        End::Refused => Exit::Refused,
        End::NotSent(Why::SignedOut) => Exit::NotSignedIn,
        End::NotSent(_) => Exit::Service,
    }
}

/// JSON of a write, with further members.
pub fn in_json(run: Option<&RunRow>, outcome: &Outcome, words: &str, own: Value) -> Value {
    let members = json!({
        "run": run.map(names), "outcome": name(outcome), "end": end(outcome), "words": words,
    });
    with(members, own)
}

/// Adds members to an object; they replace members of the same name.
pub fn with(mut members: Value, own: Value) -> Value {
    if let (Value::Object(members), Value::Object(own)) = (&mut members, own) {
        members.extend(own);
    }
    members
}

/// Prints the end of a write, in words only if it succeeded, as failures go to standard error, or as JSON.
pub fn tell_end(format: ChangeFormat, exit: Exit, words: &str, json: impl FnOnce() -> String) {
    match format {
        ChangeFormat::Text if exit == Exit::Fine => tell_line(words),
        ChangeFormat::Text => {}
        ChangeFormat::Json => tell(&json()),
    }
}

/// First of several that applies: ended by a signal, unknown, in part or not as wanted, refused, not sent.
pub fn worst(exits: impl IntoIterator<Item = Exit>) -> Exit {
    const ORDER: [Exit; 8] = [
        Exit::HungUp,
        Exit::Interrupted,
        Exit::Terminated,
        Exit::Unknown,
        Exit::Failed,
        Exit::Refused,
        Exit::NotSignedIn,
        Exit::Service,
    ];
    let exits = exits.into_iter().filter(|exit| *exit != Exit::Fine);
    let place = |exit: &Exit| ORDER.iter().position(|one| one == exit);
    let worst = exits.min_by_key(|exit| place(exit).unwrap_or(ORDER.len()));
    worst.unwrap_or(Exit::Fine)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{DocRef, ItemOutcome};

    #[test]
    fn one_part_that_is_not_known_goes_before_a_refusal() {
        let refused = |end| Outcome {
            end: End::Refused,
            parts: vec![ItemOutcome {
                of: DocRef::parse("TestSuite-dm/1").unwrap(),
                end,
            }],
            ..Outcome::done("")
        };
        assert!(matches!(exit(&refused(End::Unknown)), Exit::Unknown));
        for value in [name, end] {
            assert_eq!(value(&refused(End::Unknown)), "unknown");
            assert_eq!(value(&refused(End::Done)), "refused");
        }
        assert!(matches!(exit(&refused(End::Done)), Exit::Refused));
    }
}
