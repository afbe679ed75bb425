//! What the tests look at in the state of the interface: where it stands is said here only.

use rundown::domain::{DocRef, Draft, Unfinished};
use rundown::store::{
    Available, Confirm, DeleteBox, Detail, ErrorLog, Feed, Form, JournalView, Login, Members,
    Monitor, Notice, Picker, RequestId, Review, Runs, Session, SignedIn, Slot, Store, Work,
};

pub trait Look {
    /// The number of the request for which this holds, and what its answer is for.
    fn waits(&self, fits: impl Fn(&Slot) -> bool) -> Option<(RequestId, Slot)>;
    fn asked(&self, slot: &Slot) -> RequestId {
        self.waits(|open| open == slot).unwrap().0
    }
    /// For the suites in a run.
    fn asked_for_members(&self) -> RequestId {
        let fits = |slot: &Slot| matches!(slot, Slot::Members | Slot::Probe(_));
        self.waits(fits).unwrap().0
    }
    /// By the delete box, and for which of its runs.
    fn asked_to_delete(&self) -> Option<(RequestId, usize)> {
        let (id, slot) = self.waits(|slot| matches!(slot, Slot::Look(_) | Slot::Delete(_)))?;
        match slot {
            Slot::Look(place) | Slot::Delete(place) => Some((id, place)),
            _ => None,
        }
    }
    fn form(&self) -> Option<&Form>;
    fn confirm(&self) -> Option<&Confirm>;
    fn login(&self) -> Option<&Login>;
    fn delete(&self) -> Option<&DeleteBox>;
    fn work(&self) -> Option<&Work>;
    fn review(&self) -> Option<&Review>;
    fn detail(&self) -> Option<&Detail>;
    fn journal(&self) -> Option<&JournalView>;
    fn available(&self) -> Option<&Available>;
    fn members(&self) -> Option<&Members>;
    fn picker(&self) -> Option<&Picker>;
    fn notice(&self) -> Option<&Notice>;
    fn monitor(&self) -> Option<&Monitor>;
    fn session(&self) -> Option<&Session>;
    fn signed_in(&self) -> Option<&SignedIn>;
    fn runs(&self) -> &Runs;
    fn feed(&self) -> &Feed;
    fn errors(&self) -> &ErrorLog;
    fn left_probes(&self) -> &[DocRef];
    fn drafts(&self) -> &[Draft];
    fn unfinished(&self) -> &[Unfinished];
}

impl Look for Store {
    fn waits(&self, fits: impl Fn(&Slot) -> bool) -> Option<(RequestId, Slot)> {
        self.cx.in_flight.of(fits).into_iter().next()
    }

    fn form(&self) -> Option<&Form> {
        self.form.as_ref()
    }

    fn confirm(&self) -> Option<&Confirm> {
        self.confirm.as_ref()
    }

    fn login(&self) -> Option<&Login> {
        self.sign_in.login.as_ref()
    }

    fn delete(&self) -> Option<&DeleteBox> {
        self.delete.as_ref()
    }

    fn work(&self) -> Option<&Work> {
        self.work.as_ref()
    }

    fn review(&self) -> Option<&Review> {
        self.review.as_ref()
    }

    fn detail(&self) -> Option<&Detail> {
        self.detail.as_ref()
    }

    fn journal(&self) -> Option<&JournalView> {
        self.journal.as_ref()
    }

    fn available(&self) -> Option<&Available> {
        self.available.as_ref()
    }

    fn members(&self) -> Option<&Members> {
        self.members.as_ref()
    }

    fn picker(&self) -> Option<&Picker> {
        self.picker.as_ref()
    }

    fn notice(&self) -> Option<&Notice> {
        self.cx.notice.as_ref()
    }

    fn monitor(&self) -> Option<&Monitor> {
        self.monitor.as_ref()
    }

    fn session(&self) -> Option<&Session> {
        self.cx.shared.session.as_ref()
    }

    fn signed_in(&self) -> Option<&SignedIn> {
        self.cx.shared.signed_in.as_ref()
    }

    fn runs(&self) -> &Runs {
        &self.runs
    }

    fn feed(&self) -> &Feed {
        &self.cx.shared.feed
    }

    fn errors(&self) -> &ErrorLog {
        &self.cx.errors
    }

    fn left_probes(&self) -> &[DocRef] {
        &self.cx.shared.left_probes
    }

    fn drafts(&self) -> &[Draft] {
        &self.cx.shared.drafts
    }

    fn unfinished(&self) -> &[Unfinished] {
        &self.cx.shared.unfinished
    }
}
