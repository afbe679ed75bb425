//! Ctrl-c: what is under way is given up, but for what was sent to change something.

use super::Store;
use super::in_flight::Slot;
use crate::domain::{Failure, FailureKind};

impl Store {
    /// Ctrl-c: gives up what is under way; with nothing under way, the second one quits.
    pub(super) fn cancel(&mut self, armed: bool) {
        let given_up = |asked: &str, remedy: &str| Failure {
            kind: FailureKind::Local,
            asked: asked.into(),
            came_back: "given up by Ctrl-c".into(),
            remedy: remedy.into(),
            may_retry: false,
        };
        let reading = || given_up("reading", "r reads again");
        let (now, cx) = (self.cx.now, &mut self.cx);
        let windows = std::iter::once(&mut self.runs.all).chain(self.runs.found.as_mut());
        let mut list_given_up = false;
        for window in windows {
            if window.cancel(cx) {
                window.failure = Some(reading());
                list_given_up = true;
            }
        }
        let mut any = list_given_up;
        if let Some(monitor) = &mut self.monitor {
            any |= monitor.cancel(cx);
        }
        // What was read before stays, and is not called whole.
        let suites = || given_up("reading the suites", "r reads again");
        if let Some(available) = &mut self.available
            && cx.give_up(&Slot::Available)
        {
            available.list.accept(Err(suites()), now);
            any = true;
        }
        if let Some(members) = &mut self.members
            && cx.give_up(&Slot::Members)
        {
            members.verdict.accept(Err(suites()), now);
            any = true;
        }
        if let Some(form) = &mut self.form {
            let reading = || given_up("reading", "Esc leaves; the same key begins again.");
            if cx.give_up(&Slot::FormRun) {
                form.source.accept(Err(reading()), now);
                any = true;
            }
            if cx.give_up(&Slot::FormSuites) {
                form.suites.accept(Err(reading()), now);
                any = true;
            }
        }
        if let Some(detail) = &mut self.detail {
            any |= detail.cancel(cx);
        }
        if let Some(flow) = &mut self.delete {
            any |= flow.asked.is_some();
            flow.stop(cx);
        }
        any |= cx.give_up_all(Slot::reads);
        // What is sent is not taken back, and the deletion of a probe run is waited for; nothing follows.
        any |= cx.stop(|slot| slot.writes() && !matches!(slot, Slot::Delete(_)));
        // The pause before the list, or the sign-in, is tried again is given up with the list, else when nothing else is.
        if list_given_up || !any {
            any |= cx.give_up(&Slot::RetryPause);
        }
        if armed {
            self.quit();
        } else if any {
            self.quitting.armed = self.cx.in_flight.writes();
            self.cx.say(if self.quitting.armed {
                "no further request is sent; what was sent is waited for (Ctrl-c again quits)"
            } else {
                "given up: r reads again"
            });
        } else {
            self.quitting.armed = true;
            self.cx.say("nothing is under way: Ctrl-c again quits");
        }
    }
}
