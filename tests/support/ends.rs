//! Ends of writes, as the worker tells them.

use super::prelude::*;
use rundown::domain::{Created, ItemOutcome};

/// A change of suites that is in effect for some of them.
pub fn changed(done: Vec<DocRef>, other: Vec<DocRef>, outcome: Outcome) -> Outcome {
    let part = |end: End| move |of: DocRef| ItemOutcome { of, end };
    let done = done.into_iter().map(part(End::Done));
    let parts = done.chain(other.into_iter().map(part(End::Unknown)));
    Outcome {
        parts: parts.collect(),
        ..outcome
    }
}

/// A run that is there as it was sent, without suites.
pub fn made(document: Document) -> Box<Created> {
    Box::new(Created {
        run: Outcome::done("read again: all fields are as they were sent").with_document(document),
        suites: None,
    })
}

/// A run that is not there, or not known to be.
pub fn not_made(run: Outcome) -> Box<Created> {
    Box::new(Created { run, suites: None })
}

/// A run that may be there: its answer was lost, and these were found.
pub fn lost(why: &str, found: Vec<RunRow>) -> Box<Created> {
    not_made(Outcome {
        found: Some(found),
        ..Outcome::unknown(why)
    })
}
