//! THE end of a write, and the one wording of it.

use super::text::count;
use super::{DocRef, Document, RunRow};

/// Why nothing was sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// Somebody else has changed the run since it was looked at: the outcome has it as it is now.
    Moved,
    /// It was stopped, by the user or because something before it went wrong.
    Stopped,
    /// What has to be read before could not be.
    Unread,
    /// What was read before is older than what was looked at: a replica is behind.
    Behind,
    /// Nobody is signed in.
    SignedOut,
    /// The request itself could not go out.
    Offline,
    /// It is in effect already, or it names nothing.
    NothingToDo,
    /// The run, the request or this machine does not allow it.
    Impossible,
}

/// How a write ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// A reading shows it, whole or otherwise than asked for.
    Done,
    /// The service said no, and nothing was changed.
    Refused,
    /// Nothing was sent.
    NotSent(Why),
    /// It was sent, and what it did could not be found out.
    Unknown,
}

/// What reading after a write showed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadBack {
    /// All of it is in effect.
    Whole,
    /// Something else than was asked for: why says what.
    Other,
    /// Nothing was read, or reading failed.
    Unread,
}

/// One of several things that a write is about: a suite, a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemOutcome {
    pub of: DocRef,
    pub end: End,
}

/// The end of a write. Done needs a reading; done without parts means that there was nothing to write.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    pub end: End,
    /// In words: why it is not done, or by what it is known.
    pub why: String,
    pub seen: ReadBack,
    /// The run as it was read last: as written, or as somebody else left it before anything was sent.
    pub document: Option<Box<Document>>,
    /// Runs that a lost request may have made, where they could be looked for. Which of them it is, a person decides.
    pub found: Option<Vec<RunRow>>,
    /// File of the copy of a run that is deleted.
    pub copy: Option<String>,
    /// What it was about, each with its own end.
    pub parts: Vec<ItemOutcome>,
}

/// What a write was to do, for its wording.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Deed<'a> {
    /// So many suites into a run.
    Add(usize, &'a str),
    /// So many suites out of a run.
    Remove(usize, &'a str),
    Save(&'a str),
    /// The old values of a run's fields.
    Undo(&'a str),
    /// A run of this title, until it has an id.
    Create(&'a str),
    Delete(&'a str),
}

impl Outcome {
    fn new(end: End, why: impl Into<String>, seen: ReadBack) -> Self {
        Self {
            end,
            why: why.into(),
            seen,
            document: None,
            found: None,
            copy: None,
            parts: Vec::new(),
        }
    }

    /// Read again and all there, by this.
    pub fn done(how: impl Into<String>) -> Self {
        Self::new(End::Done, how, ReadBack::Whole)
    }

    /// In effect, but otherwise than asked for.
    pub fn otherwise(what: impl Into<String>) -> Self {
        Self::new(End::Done, what, ReadBack::Other)
    }

    /// Nothing was changed.
    pub fn refused(why: impl Into<String>) -> Self {
        Self::new(End::Refused, why, ReadBack::Unread)
    }

    /// Nothing was changed, as a reading shows.
    pub fn without_effect(what: impl Into<String>) -> Self {
        Self::new(End::Refused, what, ReadBack::Other)
    }

    /// Nothing was sent.
    pub fn not_sent(why: Why, words: impl Into<String>) -> Self {
        Self::new(End::NotSent(why), words, ReadBack::Unread)
    }

    /// What [`Self::unread`] says of all of an operation.
    pub const UNSENT: &str = "Nothing was sent";

    /// Nothing was sent, because what has to be read before could not be; and what helps, if anything is known to.
    pub fn unread(came_back: &str, remedy: &str) -> Self {
        const UNSENT: &str = Outcome::UNSENT;
        let came_back = came_back.trim_end_matches('.');
        // Where the reading had no connection its remedy says so, too.
        let remedy = remedy.strip_prefix(UNSENT).unwrap_or(remedy);
        let remedy = remedy.trim_start_matches(['.', ' ']);
        let words = match remedy {
            "" => format!("{came_back}. {UNSENT}"),
            remedy => format!("{came_back}. {UNSENT}. {remedy}"),
        };
        Self::not_sent(Why::Unread, words)
    }

    /// Sent, and nothing could be read of it.
    pub fn unknown(why: impl Into<String>) -> Self {
        Self::new(End::Unknown, why, ReadBack::Unread)
    }

    /// Answered one way and read another.
    pub fn contradicted(what: impl Into<String>) -> Self {
        Self::new(End::Unknown, what, ReadBack::Other)
    }

    /// Of this run, as it was read last.
    #[must_use]
    pub fn with_document(self, document: Document) -> Self {
        let mut whole = self.of(document.doc_ref());
        whole.document = Some(Box::new(document));
        whole
    }

    /// Of one thing, which ended as the whole did.
    #[must_use]
    pub fn of(self, part: &DocRef) -> Self {
        let (of, end) = (part.clone(), self.end);
        let parts = vec![ItemOutcome { of, end }];
        Self { parts, ..self }
    }

    /// Done, and all of it as asked for.
    pub fn is_whole(&self) -> bool {
        self.end == End::Done
            && self.seen == ReadBack::Whole
            && self.parts.iter().all(|part| part.end == End::Done)
    }

    /// Nothing was changed, and it may be tried again.
    pub fn is_nothing(&self) -> bool {
        matches!(self.end, End::Refused | End::NotSent(_))
    }

    /// The parts that are in effect.
    pub fn done_parts(&self) -> Vec<DocRef> {
        self.parts_that(|end| end == End::Done)
    }

    /// The parts that are not in effect, or not known to be.
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

    /// THE words for the end of a write, with why.
    pub fn words(&self, deed: Deed<'_>) -> String {
        match &*self.why {
            "" => self.headline(deed),
            why if self.end == End::Done && self.parts.is_empty() => why.to_owned(),
            _ if self.is_whole() => self.headline(deed),
            why if self.end == End::NotSent(Why::Unread) => {
                format!("{} could not be read first: {why}", deed.name())
            }
            why => format!("{}: {why}", self.headline(deed)),
        }
    }

    /// The same in one short sentence.
    pub fn headline(&self, deed: Deed<'_>) -> String {
        let done = self.done_parts().len();
        match (self.end, self.seen) {
            (End::Done, ReadBack::Whole) => match deed {
                Deed::Add(..) | Deed::Remove(..) => deed.done(done) + ", checked",
                _ => deed.done(done),
            },
            (End::Done, _) if self.parts.first().is_some_and(|part| part.end != End::Done) => {
                match deed {
                    Deed::Delete(run) => {
                        format!("{run} not deleted, but {} removed", count(done, "suite"))
                    }
                    _ => deed.done(done),
                }
            }
            (End::Done, _) => format!("{}, but not as asked", deed.done(done)),
            (End::Refused | End::NotSent(_), _) => deed.not_done(),
            // Whether there was no answer, or one that no reading bears out, the reason says.
            (End::Unknown, _) => match (deed, self.parts.first()) {
                (Deed::Delete(run), Some(part)) if part.end != End::Unknown => {
                    format!("{run} not deleted, but suites may be removed")
                }
                _ => deed.in_doubt(),
            },
        }
    }
}

impl<'a> Deed<'a> {
    /// What it is about: a run by its id, or by the title that it was to get.
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

    /// What was done, to so many of its parts.
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

    fn in_doubt(self) -> String {
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
        format!("{some} of {suites}")
    }
}
