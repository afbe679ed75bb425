//! What was asked and is not answered yet: each request with what its answer is for. Nobody else keeps a number, and
//! what is given up has no answer any more, so that a late one cannot be taken for a newer one.

use super::{CopyTo, Layer, RequestId};
use crate::domain::{DocRef, DocumentName, Page, RunField};

/// What an answer is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot {
    /// The runs, by the engine of the mirror.
    Runs,
    /// A further page of a list that is not here as a whole.
    MoreRuns(Page),
    /// What the service finds for the words that are typed.
    Search,
    /// All runs of a view, for a file.
    AllRuns,
    /// The pause after a key of the filter, before the service is asked.
    TypingPause,
    /// The pause before a failed list is read again.
    RetryPause,
    /// The pause before the screen is read again by itself.
    RefreshPause,
    /// The document of the open run.
    Document,
    /// What the list says of the open run.
    Counts,
    /// What the samples of the open run tell.
    History,
    /// The run of this short id, to be opened.
    RunById(String),
    /// What was changed in the open run from here.
    OwnChanges,
    /// The pause before the suites of the open run are worked out.
    RestPause,
    /// The suites of the open run, by a few calls.
    RunSuites,
    /// Suites that can be added.
    Available,
    /// When the run would be done with the marked suites.
    WhatIf,
    /// Suites in the run.
    Attached,
    /// A probe run that shows the suites of this run.
    Probe(DocRef),
    /// Left probe runs that are being deleted.
    LeftProbes,
    /// Requests that change the suites of a run.
    ChangeSuites,
    /// The run of a form.
    FormRun,
    /// The suites of the run that a form copies.
    FormSuites,
    /// Runs of a form that was sent without an answer.
    FormSent,
    /// The draft of a form.
    Draft,
    /// The pause before what was typed is kept.
    DraftPause,
    /// A field of the form in the editor of the user.
    Editor(RunField),
    /// The run of a review.
    Reviewed,
    /// That run in the list, where it was not found by itself.
    ReviewedInList,
    /// A change of fields.
    Save,
    /// New runs.
    Create,
    Journal,
    /// How a write can be taken back, asked for here.
    Undo(Layer),
    /// What is left of a change without an end, asked for here.
    Rest(Layer),
    /// What the run in this place of the delete box holds.
    Look(usize),
    /// The deletion of the run in this place.
    Delete(usize),
    /// A deletion in the profile that was in use before.
    DeleteElsewhere,
    /// The list of the monitor.
    Watched,
    /// The runs of the board.
    Board,
    /// What the versions of the board come to.
    Releases,
    /// The runs of what changed.
    Changes,
    /// The runs that are compared.
    Compare,
    /// When the runs of the board will be done.
    Finish,
    /// A run of the monitor that is asked for by its id.
    WatchedRun(DocumentName),
    /// The JSON of runs that is copied once it is here.
    Json {
        /// What, in words.
        what: String,
        /// Name of a file for it.
        name: String,
        to: CopyTo,
    },
    /// How often forecasts came true.
    Calibration,
    /// When runs of the monitor will be done.
    Outlooks,
    /// When all runs of the monitor will be done.
    WatchedFinish,
    /// When runs are due.
    Due,
    /// The views that were kept from the list.
    Views,
    /// The pause until the clock of the screen shows another minute.
    NextMinute,
}

/// What a request does, as far as giving it up is concerned; in words, what is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Doing {
    /// Reads, and somebody waits for it: Ctrl-c gives it up.
    Reads(&'static str),
    /// Changes what the service has: it is waited for whatever happens.
    Writes(&'static str),
    /// What nobody waits for, is read on this machine or looked for again by itself, a pause, what is with the person or
    /// the disk.
    Aside,
}

impl Slot {
    /// Whose answer it is: a screen or a popup, nothing where the router takes it; and what the request does.
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
            Self::WhatIf => (Some(Layer::Available), Aside),
            Self::Attached => (Some(Layer::Attached), Reads("Working out the suites")),
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
            Self::Watched | Self::WatchedRun(_) => (Some(Layer::Monitor), Reads("Reading")),
            Self::Board => (Some(Layer::Board), Reads("Reading the release")),
            Self::Finish | Self::Releases => (Some(Layer::Board), Aside),
            Self::Changes => (Some(Layer::Changes), Reads("Reading the runs")),
            Self::Compare => (Some(Layer::Compare), Reads("Reading the runs")),
            Self::Outlooks | Self::WatchedFinish | Self::NextMinute => {
                (Some(Layer::Monitor), Aside)
            }
            Self::Journal => (Some(Layer::Journal), Aside),
            Self::Look(_) => (Some(Layer::Delete), Reads("Looking at what it holds")),
            Self::Delete(_) | Self::DeleteElsewhere => (Some(Layer::Delete), Writes("Deleting")),
            Self::RunById(_) => (None, Reads("Looking for the run")),
            Self::Json { .. } => (None, Reads("Reading the JSON")),
            Self::Undo(_) | Self::Rest(_) => (None, Reads("Reading what can be undone")),
            // How far that is stands in the change itself.
            Self::ChangeSuites => (None, Writes("Reading")),
            Self::LeftProbes => (None, Writes("Deleting left probe runs")),
            Self::Due | Self::Views | Self::RefreshPause | Self::RetryPause => (None, Aside),
        }
    }

    /// Something is sent to change what the service has: it is waited for whatever happens.
    pub fn writes(&self) -> bool {
        matches!(self.row().1, Doing::Writes(_))
    }

    /// Ctrl-c gives it up: a reading that somebody waits for.
    pub(crate) fn reads(&self) -> bool {
        matches!(self.row().1, Doing::Reads(_))
    }

    /// Whose answer it is: a screen or a popup; nothing where the router takes it.
    pub(crate) fn owner(&self) -> Option<Layer> {
        self.row().0
    }

    /// What is waited for, in words.
    pub fn words(&self) -> &'static str {
        match self.row().1 {
            Doing::Reads(words) | Doing::Writes(words) => words,
            Doing::Aside => "Reading",
        }
    }
}

/// The requests without an answer, oldest first.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InFlight {
    last: u64,
    open: Vec<Request>,
}

#[derive(Clone, Debug, PartialEq)]
struct Request {
    id: RequestId,
    slot: Slot,
    /// When it was asked, epoch milliseconds.
    since: i64,
    /// A key has asked for it.
    by_key: bool,
    /// When a pause is over, epoch milliseconds.
    due: Option<i64>,
}

/// Milliseconds after which a wait is told with its seconds.
const LONG: i64 = 3_000;

impl InFlight {
    pub(super) fn begin(&mut self, slot: Slot, since: i64, by_key: bool) -> RequestId {
        self.last += 1;
        let id = RequestId(self.last);
        self.open.push(Request {
            id,
            slot,
            since,
            by_key,
            due: None,
        });
        id
    }

    /// The request begun last is a pause of so many milliseconds.
    pub(super) fn pauses(&mut self, after: u64) {
        if let Some(pause) = self.open.last_mut() {
            pause.due = Some(pause.since.saturating_add_unsigned(after));
        }
    }

    /// When a pause is over, epoch milliseconds.
    pub fn due(&self, slot: &Slot) -> Option<i64> {
        self.open.iter().find(|it| it.slot == *slot)?.due
    }

    /// What is sent, else what a key has asked for, and since when, epoch milliseconds.
    pub fn waited_for(&self) -> Option<(&Slot, i64)> {
        let sent = self.open.iter().find(|it| it.slot.writes());
        let waited = sent.or_else(|| self.open.iter().find(|it| it.by_key && it.slot.reads()))?;
        Some((&waited.slot, waited.since))
    }

    /// Milliseconds until the seconds of a wait are others; `None` if nothing is waited for.
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

    /// What an answer is for; nothing where nobody waits for it any more.
    pub fn slot(&self, id: RequestId) -> Option<&Slot> {
        self.open.iter().find(|it| it.id == id).map(|it| &it.slot)
    }

    /// When that was asked, epoch milliseconds.
    pub(super) fn asked_at(&self, id: RequestId) -> Option<i64> {
        self.open.iter().find(|it| it.id == id).map(|it| it.since)
    }

    /// The requests for which this holds.
    pub fn of(&self, fits: impl Fn(&Slot) -> bool) -> Vec<(RequestId, Slot)> {
        self.open
            .iter()
            .filter(|it| fits(&it.slot))
            .map(|it| (it.id, it.slot.clone()))
            .collect()
    }

    pub fn has(&self, slot: &Slot) -> bool {
        self.open.iter().any(|it| it.slot == *slot)
    }

    /// Something is sent whose end is not here.
    pub fn writes(&self) -> bool {
        self.open.iter().any(|it| it.slot.writes())
    }

    /// Another profile is in use: what is deleted there hinders nobody here.
    pub(super) fn leave_deletion(&mut self) {
        for it in &mut self.open {
            if matches!(it.slot, Slot::Delete(_)) {
                it.slot = Slot::DeleteElsewhere;
            }
        }
    }

    pub(super) fn end(&mut self, id: RequestId) {
        self.open.retain(|it| it.id != id);
    }
}

/// ` 4 s` behind what is waited for, from the third second on.
pub fn seconds(since: i64, now: i64) -> String {
    match now - since {
        ..LONG => String::new(),
        long => format!(" {} s", long / 1_000),
    }
}
