//! Going on with a change whose end is not known: what is left of it is read, shown, and only then sent.

use super::changes::{Confirm, Plan};
use super::effect::Effect;
use super::in_flight::Slot;
use super::{Layer, Screen, Store};
use crate::domain::{End, Failure, Rest, Unfinished};

impl Store {
    pub(super) fn unfinished_came(&mut self, changes: Vec<Unfinished>, first: bool) {
        if let Some(oldest) = changes.first().filter(|_| first) {
            let words = match changes.len() {
                1 => format!("{}; @ shows it", oldest.words),
                more => format!(
                    "{}; @ shows all {more} of which the end is not known",
                    oldest.words
                ),
            };
            self.cx.complain(&words);
        }
        self.cx.shared.unfinished = changes;
    }

    /// Reads what is left of the oldest of them.
    pub(super) fn go_on(&mut self) {
        match self.cx.shared.unfinished.first() {
            Some(change) => self.look_at_rest(change.job.clone()),
            None => self.cx.say("no change is left whose end is not known"),
        }
    }

    /// Reads what is left of a change.
    pub(super) fn look_at_rest(&mut self, job: String) {
        if !self.may_write() {
            return;
        }
        let slot = Slot::Rest(self.stack.top(), self.layer());
        self.cx.give_up_all(|slot| matches!(slot, Slot::Rest(..)));
        self.cx
            .say("reading what is left of it; nothing is sent yet");
        self.cx.request(slot, |id| Effect::LookAtRest { id, job });
    }

    /// Shows what is left, and asks.
    pub(super) fn rest_read(&mut self, place: (Screen, Layer), result: Result<Box<Rest>, Failure>) {
        let rest = match result {
            Ok(rest) => *rest,
            Err(failure) => return self.cx.failed(failure),
        };
        if rest.is_over() {
            self.cx
                .shared
                .unfinished
                .retain(|change| change.job != rest.job);
            // What was sent of it is known to who has asked.
            let found = rest.found.get(1..).filter(|found| !found.is_empty());
            self.cx.say(found.unwrap_or(&rest.found).join(" "));
            return if self.journal.is_some() {
                self.open_journal();
            };
        }
        if place != (self.stack.top(), self.layer()) {
            self.cx
                .say("what is left is known now: ask again where it shall be shown");
            return;
        }
        if !self.may_write() {
            return;
        }
        (self.cx.notice, self.journal) = (None, None);
        let plan = match rest.change {
            Some(change) => Plan::GoOn {
                job: rest.job,
                change,
            },
            None => Plan::LetBe { job: rest.job },
        };
        self.confirm = Some(Confirm {
            on_do: rest.end != End::Unknown,
            plan,
            warnings: rest.found,
            top: 0,
        });
    }
}
