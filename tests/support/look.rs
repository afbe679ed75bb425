//! What the tests look at in the state of the interface: where it stands is said here only.

use rundown::domain::{Changing, Draft, RunRow, Unfinished};
use rundown::mirror::EarlierReadings;
use rundown::popups::{Confirm, DeleteBox, JournalView, Login, Picker, Popup};
use rundown::screens::attached::AttachedSuites;
use rundown::screens::available::AvailableSuites;
use rundown::screens::form::{Form, Review};
use rundown::screens::monitor::Monitor;
use rundown::screens::run::Detail;
use rundown::screens::runs::Runs;
use rundown::store::{
    Answer, ErrorLog, Feed, JournalLine, JournalPage, Layer, Notice, RequestId, Session, Slot,
    Store,
};

use super::sample::Sample;

pub trait Look {
    /// The number of the request for which this holds, and what its answer is for.
    fn waits(&self, fits: impl Fn(&Slot) -> bool) -> Option<(RequestId, Slot)>;
    fn asked(&self, slot: &Slot) -> RequestId {
        self.waits(|open| open == slot).unwrap().0
    }
    /// For the suites in a run.
    fn asked_for_attached(&self) -> RequestId {
        let fits = |slot: &Slot| matches!(slot, Slot::Attached | Slot::Probe(_));
        self.waits(fits).unwrap().0
    }
    /// By the delete box, and for which of its runs.
    fn asked_to_delete(&self) -> Option<(RequestId, usize)> {
        let asked = self.waits(|slot| matches!(slot, Slot::Content(_) | Slot::Delete(_)));
        Some((asked?.0, self.delete()?.asked?))
    }
    fn form(&self) -> Option<&Form>;
    fn confirm(&self) -> Option<&Confirm>;
    fn login(&self) -> Option<&Login>;
    fn delete(&self) -> Option<&DeleteBox>;
    fn changing(&self) -> Option<&Changing>;
    fn review(&self) -> Option<&Review>;
    fn detail(&self) -> Option<&Detail>;
    fn journal(&self) -> Option<&JournalView>;
    fn available(&self) -> Option<&AvailableSuites>;
    fn attached(&self) -> Option<&AttachedSuites>;
    fn picker(&self) -> Option<&Picker>;
    fn notice(&self) -> Option<&Notice>;
    fn monitor(&self) -> Option<&Monitor>;
    fn session(&self) -> Option<&Session>;
    fn signed_in(&self) -> Option<&str>;
    fn runs(&self) -> &Runs;
    /// The run under the cursor of the list.
    fn here(&self) -> RunRow {
        self.runs().current().unwrap().row()
    }
    fn feed(&self) -> &Feed;
    fn earlier(&self) -> &EarlierReadings;
    fn errors(&self) -> &ErrorLog;
    fn drafts(&self) -> &[Draft];
    fn unfinished(&self) -> &[Unfinished];
}

impl Sample {
    /// Opens my changes, with these writes.
    pub fn journal(&mut self, lines: Vec<JournalLine>) {
        self.press("@");
        let problem = None;
        let page = JournalPage { lines, problem };
        self.answered(&Slot::Journal, Answer::Journal(Ok(page)));
    }

    /// What was asked for this is here.
    pub fn answered(&mut self, slot: &Slot, answer: Answer) {
        self.reply(self.store.asked(slot), answer);
    }
}

impl Look for Store {
    fn waits(&self, fits: impl Fn(&Slot) -> bool) -> Option<(RequestId, Slot)> {
        self.cx.in_flight.of(fits).into_iter().next()
    }

    fn form(&self) -> Option<&Form> {
        self.screens.form.form.as_ref()
    }

    fn confirm(&self) -> Option<&Confirm> {
        match self.popups.of(Layer::Confirm) {
            Some(Popup::Confirm(confirm)) => Some(confirm),
            _ => None,
        }
    }

    fn login(&self) -> Option<&Login> {
        match self.popups.of(Layer::Login) {
            Some(Popup::Login(login)) => Some(login),
            _ => None,
        }
    }

    fn delete(&self) -> Option<&DeleteBox> {
        match self.popups.of(Layer::Delete) {
            Some(Popup::Delete(delete)) => Some(delete),
            _ => None,
        }
    }

    fn changing(&self) -> Option<&Changing> {
        self.cx.shared.changing.as_ref()
    }

    fn review(&self) -> Option<&Review> {
        self.screens.form.review.as_ref()
    }

    fn detail(&self) -> Option<&Detail> {
        self.screens.run.as_ref()
    }

    fn journal(&self) -> Option<&JournalView> {
        match self.popups.of(Layer::Journal) {
            Some(Popup::Journal(journal)) => Some(journal),
            _ => None,
        }
    }

    fn available(&self) -> Option<&AvailableSuites> {
        self.screens.available.as_ref()
    }

    fn attached(&self) -> Option<&AttachedSuites> {
        self.screens.attached.as_ref()
    }

    fn picker(&self) -> Option<&Picker> {
        match self.popups.of(Layer::Picker) {
            Some(Popup::Picker(picker)) => Some(picker),
            _ => None,
        }
    }

    fn notice(&self) -> Option<&Notice> {
        self.cx.notice.as_ref()
    }

    fn monitor(&self) -> Option<&Monitor> {
        self.screens.monitor.as_ref()
    }

    fn session(&self) -> Option<&Session> {
        self.cx.shared.session.as_ref()
    }

    fn signed_in(&self) -> Option<&str> {
        let shared = &self.cx.shared;
        shared.signed_in.then(|| shared.user())
    }

    fn runs(&self) -> &Runs {
        &self.screens.runs
    }

    fn feed(&self) -> &Feed {
        &self.cx.shared.feed
    }

    fn earlier(&self) -> &EarlierReadings {
        &self.cx.shared.earlier
    }

    fn errors(&self) -> &ErrorLog {
        &self.cx.errors
    }

    fn drafts(&self) -> &[Draft] {
        &self.cx.shared.drafts
    }

    fn unfinished(&self) -> &[Unfinished] {
        &self.cx.shared.unfinished
    }
}
