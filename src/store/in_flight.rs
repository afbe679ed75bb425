//! Open requests, each with the slot of its answer. Numbers are kept only here, and a cancelled request has no answer,
//! so that a late one is never taken for a newer one.

use super::{CopyTo, Layer, RequestId};
use crate::domain::{DocRef, Page, RunField};

/// Purpose of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The runs, read by the mirror.
    Runs,
    /// A further page of a partly loaded list.
    MoreRuns(Page),
    /// The service's result for the typed words.
    Search,
    /// All runs of a view, for a file.
    AllRuns,
    /// The pause after a key of the filter, before the service is asked.
    TypingPause,
    /// The pause before a failed list is read again.
    RetryPause,
    /// The pause before the screen is read again automatically.
    RefreshPause,
    /// The pause after a key, before the sign-in box opens by itself.
    SignInPause,
    /// The document of the open run.
    Document,
    /// Counts of the open run from the list.
    Counts,
    /// History of the open run, of its samples.
    History,
    /// The run of this short id, to be opened, asked for here.
    RunById(String, Layer),
    /// Changes of the open run by this program.
    OwnChanges,
    /// The pause before the suites of the open run are worked out.
    RestPause,
    /// The suites of the open run, by a few calls.
    RunSuites,
    /// Suites that can be added.
    Available,
    /// The counts of their run, from the list.
    AvailableRun,
    /// Forecast of the run with the marked suites.
    WhatIf,
    /// Suites in the run.
    Attached,
    /// Suites of a compared run.
    ComparedSuites(DocRef),
    /// A probe run that shows the suites of this run.
    Probe(DocRef),
    /// The results of a run whose suites are to be removed, for the open question.
    AtStake,
    /// Requests that change the suites of a run.
    ChangeSuites,
    /// The run of a form.
    FormRun,
    /// The suites of the run that a form copies.
    FormSuites,
    /// Runs of a form whose request got no answer.
    FormSent,
    /// The draft of a form.
    Draft,
    /// The pause before typed text is saved.
    DraftPause,
    /// A field of the form in the user's editor.
    Editor(RunField),
    /// The run of a review.
    Reviewed,
    /// The same run in the list, if it was not found on its own.
    ReviewedInList,
    /// A change of fields.
    Save,
    /// New runs.
    Create,
    Journal,
    /// Plan of an undo, asked for here.
    Undo(Layer),
    /// Remainder of a change without an end, asked for here.
    Unfinished(Layer),
    /// Content of the run in this place of the delete box.
    Content(usize),
    /// The deletion of the run in this place.
    Delete(usize),
    /// Sums of the versions of the board.
    Releases,
    /// Runs of board, changes, compare or monitor.
    ReadRuns(Layer),
    /// Forecast of the release of the board.
    Finish,
    /// JSON of runs that is copied once it is read.
    Json {
        /// Description of the text.
        what: String,
        /// Name of a file for it.
        name: String,
        to: CopyTo,
    },
    /// Hit rate of forecasts.
    Calibration,
    /// Forecasts of the runs of the monitor.
    WatchedFinish,
    /// Due dates.
    Due,
    /// The views that were kept from the list.
    Views,
    /// The pause until the clock of the screen shows another minute.
    NextMinute,
}

/// Kind of a request; the words name what the user waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// A reading that the user waits for: Ctrl-c cancels it.
    Reads(&'static str),
    /// A write to the service: always awaited.
    Writes(&'static str),
    /// A pause, a reading in the background, or something that depends on the user or the disk: not awaited.
    Aside,
}

impl Slot {
    /// Returns the screen or popup of the answer, `None` for the router, and the kind of the request.
    fn row(&self) -> (Option<Layer>, Doing) {
        use Doing::{Aside, Reads, Writes};
        match self {
            Self::Runs | Self::MoreRuns(_) | Self::AllRuns => {
                (Some(Layer::Runs), Reads("Reading the runs"))
            }
            Self::Search => (Some(Layer::Runs), Reads("Searching")),
            Self::TypingPause => (Some(Layer::Runs), Aside),
            Self::Document | Self::Counts => (Some(Layer::Detail), Reads("Reading the run")),
            Self::RunSuites => (Some(Layer::Detail), Reads("Working out the suites")),
            Self::History | Self::Calibration | Self::OwnChanges | Self::RestPause => {
                (Some(Layer::Detail), Aside)
            }
            Self::Available => (Some(Layer::Available), Reads("Reading the suites")),
            Self::AvailableRun | Self::WhatIf => (Some(Layer::Available), Aside),
            Self::Attached => (Some(Layer::Attached), Reads("Working out the suites")),
            Self::ComparedSuites(_) => (Some(Layer::Compare), Reads("Working out the suites")),
            Self::Probe(_) => (Some(Layer::Attached), Writes("Comparing with an empty run")),
            Self::FormRun => (Some(Layer::Form), Reads("Reading the run")),
            Self::FormSuites => (Some(Layer::Form), Reads("Working out the suites")),
            Self::Save => (Some(Layer::Form), Writes("Saving the run")),
            Self::Create => (Some(Layer::Form), Writes("Making the run")),
            Self::FormSent
            | Self::Draft
            | Self::DraftPause
            | Self::Editor(_)
            | Self::Reviewed
            | Self::ReviewedInList => (Some(Layer::Form), Aside),
            Self::ReadRuns(screen) => (Some(*screen), Reads("Reading the runs")),
            Self::Finish | Self::Releases => (Some(Layer::Board), Aside),
            Self::WatchedFinish | Self::NextMinute => (Some(Layer::Monitor), Aside),
            Self::Journal => (Some(Layer::Journal), Aside),
            Self::AtStake => (Some(Layer::Confirm), Aside),
            Self::Content(_) => (Some(Layer::Delete), Reads("Looking at what it holds")),
            Self::Delete(_) => (Some(Layer::Delete), Writes("Deleting")),
            Self::RunById(..) => (None, Reads("Looking for the run")),
            Self::Json { .. } => (None, Reads("Reading the JSON")),
            Self::Undo(_) | Self::Unfinished(_) => (None, Reads("Reading what can be undone")),
            // The progress is in the change itself.
            Self::ChangeSuites => (None, Writes("Reading")),
            Self::Due | Self::Views | Self::RefreshPause | Self::RetryPause | Self::SignInPause => {
                (None, Aside)
            }
        }
    }

    /// Returns true for writes to the service, which are always awaited.
    pub fn writes(&self) -> bool {
        matches!(self.row().1, Doing::Writes(_))
    }

    /// Returns true for readings that Ctrl-c cancels.
    pub(crate) fn reads(&self) -> bool {
        matches!(self.row().1, Doing::Reads(_))
    }

    /// Returns true for readings that are repeated by themselves if they fail.
    pub(crate) fn is_repeated(&self) -> bool {
        self.reads() || matches!(self, Self::FormSent | Self::Reviewed)
    }

    /// Returns the screen or popup of the answer; `None` for the router.
    pub(crate) fn owner(&self) -> Option<Layer> {
        self.row().0
    }

    /// Returns what the user waits for, in words.
    pub fn words(&self) -> &'static str {
        match self.row().1 {
            Doing::Reads(words) | Doing::Writes(words) => words,
            Doing::Aside => "Reading",
        }
    }
}

/// Requests without an answer, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InFlight {
    last: u64,
    open: Vec<OpenRequest>,
}

#[derive(Clone, Debug, PartialEq)]
struct OpenRequest {
    id: RequestId,
    slot: Slot,
    /// Time of the request, epoch milliseconds.
    since: i64,
    /// A key caused the request.
    by_key: bool,
    /// End of a pause, epoch milliseconds.
    due: Option<i64>,
}

/// Milliseconds after which the seconds of a wait are shown.
const LONG: i64 = 3_000;

impl InFlight {
    pub(super) fn begin(&mut self, slot: Slot, since: i64, by_key: bool) -> RequestId {
        self.last += 1;
        let id = RequestId(self.last);
        self.open.push(OpenRequest {
            id,
            slot,
            since,
            by_key,
            due: None,
        });
        id
    }

    /// Makes the last request a pause of so many milliseconds.
    pub(super) fn pauses(&mut self, after: u64) {
        if let Some(pause) = self.open.last_mut() {
            pause.due = Some(pause.since.saturating_add_unsigned(after));
        }
    }

    /// Returns the end of a pause, epoch milliseconds.
    pub fn due(&self, slot: &Slot) -> Option<i64> {
        self.open.iter().find(|it| it.slot == *slot)?.due
    }

    /// Returns the open write, else the reading that a key caused, with its time, epoch milliseconds.
    pub fn waited_for(&self) -> Option<(&Slot, i64)> {
        let sent = self.open.iter().find(|it| it.slot.writes());
        let waited = sent.or_else(|| self.open.iter().find(|it| it.by_key && it.slot.reads()))?;
        Some((&waited.slot, waited.since))
    }

    /// Returns the milliseconds until the shown seconds change; `None` if nothing is awaited.
    pub fn next_second(&self, now: i64) -> Option<u64> {
        let (_, since) = self.waited_for()?;
        let waited = (now - since).max(0);
        let next = if waited < LONG {
            LONG - waited
        } else {
            1_000 - waited % 1_000
        };
        Some(next.unsigned_abs())
    }

    /// Returns the slot of a request; `None` if it is not awaited any more.
    pub fn slot(&self, id: RequestId) -> Option<&Slot> {
        self.open.iter().find(|it| it.id == id).map(|it| &it.slot)
    }

    /// Returns the time of a request, epoch milliseconds.
    pub(super) fn asked_at(&self, id: RequestId) -> Option<i64> {
        self.open.iter().find(|it| it.id == id).map(|it| it.since)
    }

    /// Returns the requests whose slot fits.
    pub fn of(&self, fits: impl Fn(&Slot) -> bool) -> Vec<(RequestId, Slot)> {
        self.open
            .iter()
            .filter(|it| fits(&it.slot))
            .map(|it| (it.id, it.slot.clone()))
            .collect()
    }

    /// Returns true if one of the open requests fits.
    pub fn any(&self, fits: impl Fn(&Slot) -> bool) -> bool {
        self.open.iter().any(|it| fits(&it.slot))
    }

    pub fn has(&self, slot: &Slot) -> bool {
        self.any(|it| it == slot)
    }

    /// Returns true while a write has no end.
    pub fn writes(&self) -> bool {
        self.any(Slot::writes)
    }

    pub(super) fn end(&mut self, id: RequestId) {
        self.open.retain(|it| it.id != id);
    }
}

/// Returns ` 4 s` for a wait of at least three seconds, else nothing.
pub fn seconds(since: i64, now: i64) -> String {
    match now - since {
        ..LONG => String::new(),
        long => format!(" {} s", long / 1_000),
    }
}
