//! THE outcome of a write, and its only wording.

use super::prelude::*;
use super::text::thousands;

/// Reason that nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Another user changed the run since the review: the outcome has the current document.
    Moved,
    /// Stopped by the user, or because an earlier step failed.
    Stopped,
    /// A required reading failed.
    Unread,
    /// The reading is older than the reviewed document, or lacks what an earlier request has done: a replica is behind.
    Behind,
    /// The user is not signed in.
    SignedOut,
    /// The request could not be sent.
    Offline,
    /// Already in effect, or nothing is named.
    NothingToDo,
    /// Not allowed by the run, the request or this machine.
    Impossible,
}

/// End of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Confirmed by a reading, in full or otherwise than asked for.
    Done,
    /// Refused by the service; nothing was changed.
    Refused,
    /// Nothing was sent.
    NotSent(Why),
    /// Sent, with unknown effect.
    Unknown,
}

/// Result of the reading after a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBack {
    /// Everything is in effect.
    AsSent,
    /// Something else than asked for: `why` has the details.
    Other,
    /// Nothing was read, or reading failed.
    Unread,
}

/// End of one part of a write: a suite, a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemOutcome {
    pub of: DocRef,
    pub end: End,
}

/// Outcome of a write. `Done` needs a reading; `Done` without parts: there was nothing to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// Reason that it is not done, or the evidence, in words.
    pub why: String,
    /// Evidence of the effect where no clear answer came, in words.
    pub by_reading: Option<&'static str>,
    pub seen: ReadBack,
    /// Document that was read last: as written, or as another user left it before anything was sent.
    pub document: Option<Box<Document>>,
    /// Runs that a lost request may have created, if a search was possible. The user decides which one it is.
    pub found: Option<Vec<RunRow>>,
    /// File of the copy of a deleted run.
    pub copy: Option<String>,
    /// Number of suites in the run by the reading after a change of its suites.
    pub suite_count: Option<i64>,
    /// The run as it was listed, where that is why nothing was sent.
    pub row: Option<Box<RunRow>>,
    /// Parts of the write, each with its own end.
    pub parts: Vec<ItemOutcome>,
}

/// Purpose of a write, for its words.
#[derive(Clone, Copy)]
pub enum Deed<'a> {
    /// Number of suites to add to a run.
    Add(usize, &'a str),
    /// Number of suites to remove from a run.
    Remove(usize, &'a str),
    Save(&'a str),
    /// Restores old values of a run's fields.
    Undo(&'a str),
    /// Run of this title, until it has an id.
    Create(&'a str),
    Delete(&'a str),
}

impl Outcome {
    fn new(end: End, why: impl Into<String>, seen: ReadBack) -> Self {
        Self {
            end,
            why: why.into(),
            by_reading: None,
            seen,
            document: None,
            row: None,
            found: None,
            copy: None,
            suite_count: None,
            parts: Vec::new(),
        }
    }

    /// Confirmed in full by a reading.
    pub fn done(how: impl Into<String>) -> Self {
        Self::new(End::Done, how, ReadBack::AsSent)
    }

    /// In effect, but not as asked for.
    pub fn otherwise(what: impl Into<String>) -> Self {
        Self::new(End::Done, what, ReadBack::Other)
    }

    /// Nothing was changed.
    pub fn refused(why: impl Into<String>) -> Self {
        Self::new(End::Refused, why, ReadBack::Unread)
    }

    /// Nothing was changed, according to a reading.
    pub fn without_effect(what: impl Into<String>) -> Self {
        Self::new(End::Refused, what, ReadBack::Other)
    }

    /// Nothing was sent.
    pub fn not_sent(why: Why, words: impl Into<String>) -> Self {
        Self::new(End::NotSent(why), words, ReadBack::Unread)
    }

    /// Nothing, or nothing further, was sent after a stop.
    pub fn stopped(why: Why, words: &str) -> Self {
        Self::not_sent(why, format!("not sent, {words}"))
    }

    /// Words of [`Self::unread`] for any operation.
    pub const UNSENT: &str = "Nothing was sent";

    /// Nothing was sent, because a required reading failed; with the remedy, if any is known.
    pub fn unread(came_back: &str, remedy: &str) -> Self {
        const UNSENT: &str = Outcome::UNSENT;
        let came_back = came_back.trim_end_matches('.');
        // Without a connection the remedy of the reading is the same.
        let remedy = remedy
            .strip_prefix(UNSENT)
            .unwrap_or(remedy)
            .trim_start_matches(['.', ' ']);
        let words = match remedy {
            "" => format!("{came_back}. {UNSENT}"),
            remedy => format!("{came_back}. {UNSENT}. {remedy}"),
        };
        Self::not_sent(Why::Unread, words)
    }

    /// Sent, without a reading.
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::new(End::Unknown, why, ReadBack::Unread)
    }

    /// Answer and reading contradict each other.
    pub fn contradicted(what: impl Into<String>) -> Self {
        Self::new(End::Unknown, what, ReadBack::Other)
    }

    /// Sets how the effect is known without a clear answer.
    #[must_use]
    pub fn with_by_reading(self, by_reading: Option<&'static str>) -> Self {
        Self { by_reading, ..self }
    }

    /// Sets the last read document, as the only part.
    #[must_use]
    pub fn with_document(self, document: Document) -> Self {
        let mut outcome = self.of(document.doc_ref());
        outcome.document = Some(Box::new(document));
        outcome
    }

    /// Sets the only part, with the end of the outcome.
    #[must_use]
    pub fn of(self, part: &DocRef) -> Self {
        let (of, end) = (part.clone(), self.end);
        let parts = vec![ItemOutcome { of, end }];
        Self { parts, ..self }
    }

    /// Returns `true` if all is done as asked for.
    pub fn is_complete(&self) -> bool {
        self.end == End::Done
            && self.seen == ReadBack::AsSent
            && self.parts.iter().all(|part| part.end == End::Done)
    }

    /// Returns `true` if nothing was changed: a retry is safe.
    pub fn is_nothing(&self) -> bool {
        matches!(self.end, End::Refused | End::NotSent(_))
    }

    /// Returns the parts that are in effect.
    pub fn done_parts(&self) -> Vec<DocRef> {
        self.parts_that(|end| end == End::Done)
    }

    /// Returns the parts that are not, or not known to be, in effect.
    pub fn other_parts(&self) -> Vec<DocRef> {
        self.parts_that(|end| end != End::Done)
    }

    fn parts_that(&self, is: impl Fn(End) -> bool) -> Vec<DocRef> {
        self.parts
            .iter()
            .filter(|part| is(part.end))
            .map(|part| part.of.clone())
            .collect()
    }

    /// Returns THE words for an outcome, with the reason.
    pub fn words(&self, deed: Deed<'_>) -> String {
        match &*self.why {
            "" => self.headline(deed),
            why if self.end == End::Done && self.parts.is_empty() => why.to_owned(),
            _ if self.is_complete() => self.headline(deed),
            why if self.end == End::NotSent(Why::Unread) => {
                format!("{} could not be read first: {why}", deed.name())
            }
            why => format!("{}: {why}", self.headline(deed)),
        }
    }

    /// Returns the outcome in one short sentence.
    pub fn headline(&self, deed: Deed<'_>) -> String {
        let done = self.done_parts().len();
        let by_reading = self
            .by_reading
            .map_or_else(String::new, |by| format!(", {by}"));
        match (self.end, self.seen) {
            (End::Done, ReadBack::AsSent) => match deed {
                Deed::Add(..) | Deed::Remove(..) if by_reading.is_empty() => {
                    deed.done(done) + ", checked"
                }
                _ => deed.done(done) + &by_reading,
            },
            (End::Done, _) if self.parts.first().is_some_and(|part| part.end != End::Done) => {
                match deed {
                    Deed::Delete(run) => {
                        format!("{run} not deleted, but {} removed", count(done, "suite"))
                    }
                    _ => deed.done(done) + &by_reading,
                }
            }
            (End::Done, _) => format!("{}{by_reading}, but not as asked", deed.done(done)),
            // An earlier deletion may have come true: without a sign-in nothing is known of the run.
            (End::NotSent(Why::SignedOut), _) if let Deed::Delete(run) = deed => {
                format!("{run}: nothing was sent now")
            }
            // It may be done, by another request.
            (End::NotSent(Why::NothingToDo), _) => format!("{}: nothing was sent now", deed.name()),
            (End::Refused | End::NotSent(_), _) => deed.not_done(),
            // The reason has the details: no answer, or one that no reading confirms.
            (End::Unknown, _) => match (deed, self.parts.first()) {
                (Deed::Delete(run), Some(part)) if part.end != End::Unknown => {
                    format!("{run} not deleted, but suites may be removed")
                }
                (Deed::Delete(_), _) if done > 0 => {
                    format!("{}, {} removed", deed.in_doubt(), count(done, "suite"))
                }
                _ => deed.in_doubt(),
            },
        }
    }
}

impl<'a> Deed<'a> {
    /// Returns the id of the run, or the title that it was to get.
    fn name(self) -> &'a str {
        match self {
            Self::Add(_, name)
            | Self::Remove(_, name)
            | Self::Save(name)
            | Self::Undo(name)
            | Self::Create(name)
            | Self::Delete(name) => name,
        }
    }

    /// Returns the words for a deed done to so many parts.
    fn done(self, parts: usize) -> String {
        match self {
            Self::Add(all, run) => format!("{} added to {run}", suites_of(parts, all)),
            Self::Remove(all, run) => format!("{} removed from {run}", suites_of(parts, all)),
            Self::Save(run) => format!("{run} saved"),
            Self::Undo(run) => format!("The change of {run} is undone"),
            Self::Create(run) => format!("{run} created"),
            Self::Delete(run) => format!("{run} deleted"),
        }
    }

    fn not_done(self) -> String {
        match self {
            Self::Add(_, run) => format!("Nothing added to {run}"),
            Self::Remove(_, run) => format!("Nothing removed from {run}"),
            Self::Save(run) => format!("{run} not saved"),
            Self::Undo(run) => format!("The change of {run} is not undone"),
            Self::Create(title) => format!("\"{title}\" not created"),
            Self::Delete(run) => format!("{run} not deleted"),
        }
    }

    /// Returns the words for an unknown end.
    pub fn in_doubt(self) -> String {
        match self {
            Self::Add(_, run) | Self::Remove(_, run) | Self::Save(run) | Self::Undo(run) => {
                format!("{run} may be changed")
            }
            Self::Create(title) => format!("The run \"{title}\" may exist"),
            Self::Delete(run) => format!("{run} may be deleted"),
        }
    }
}

/// `3 suites`, `2 of 3 suites`.
fn suites_of(some: usize, all: usize) -> String {
    let suites = count(all, "suite");
    if some == all {
        suites
    } else {
        format!("{} of {suites}", thousands(some))
    }
}
