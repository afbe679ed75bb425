//! What a screen may do besides changing itself: ask, say, and what follows from both.

use super::boxes::ErrorLog;
use super::effect::Effect;
use super::in_flight::{InFlight, Slot};
use super::message::RequestId;
use super::shared::Shared;
use crate::domain::Failure;

/// A line for the person, at the foot of the screen until the next key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub text: String,
    /// It is about something that went wrong.
    pub bad: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cx {
    /// Time of the last message, epoch milliseconds.
    pub now: i64,
    pub notice: Option<Notice>,
    /// Failures so far.
    pub errors: ErrorLog,
    pub in_flight: InFlight,
    pub shared: Shared,
    effects: Vec<Effect>,
}

impl Cx {
    pub(super) fn new(shared: Shared) -> Self {
        Self {
            shared,
            ..Self::default()
        }
    }

    pub fn say(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.notice = Some(Notice { text, bad: false });
    }

    pub fn complain(&mut self, text: impl Into<String>) {
        let text = text.into();
        self.notice = Some(Notice { text, bad: true });
    }

    /// Keeps a failure and says it in one line.
    pub fn failed(&mut self, failure: Failure) {
        self.complain(format!("{}: {}", failure.asked, failure.came_back));
        self.errors.push(self.now, failure);
    }

    /// Asks; what was asked for the same before and is not answered yet is given up, but for a write.
    pub fn request(&mut self, slot: Slot, effect: impl FnOnce(RequestId) -> Effect) {
        if !slot.writes() {
            self.give_up(&slot);
        }
        let id = self.in_flight.begin(slot);
        self.effects.push(effect(id));
    }

    /// [`super::Event::Timer`] comes after so many milliseconds.
    pub fn timer(&mut self, slot: Slot, after: u64) {
        self.request(slot, |id| Effect::Timer { id, after });
    }

    pub fn under_way(&self, slot: &Slot) -> bool {
        self.in_flight.has(slot)
    }

    /// Nobody waits for the answer any more; whether somebody did.
    pub fn give_up(&mut self, slot: &Slot) -> bool {
        self.give_up_all(|open| open == slot)
    }

    /// The same of all for which this holds.
    pub fn give_up_all(&mut self, fits: impl Fn(&Slot) -> bool) -> bool {
        let given_up = self.in_flight.of(fits);
        for (id, _) in &given_up {
            self.in_flight.end(*id);
            self.effects.push(Effect::Cancel(*id));
        }
        !given_up.is_empty()
    }

    /// Nothing is waited for any more, as the last of several answers is here or nobody can take it.
    pub fn over(&mut self, fits: impl Fn(&Slot) -> bool) {
        for (id, _) in self.in_flight.of(fits) {
            self.in_flight.end(id);
        }
    }

    /// No request follows the one that is out; its end is still waited for.
    pub fn stop(&mut self, fits: impl Fn(&Slot) -> bool) -> bool {
        let stopped = self.in_flight.of(fits);
        let ids = stopped.iter().map(|(id, _)| Effect::Cancel(*id));
        self.effects.extend(ids);
        !stopped.is_empty()
    }

    /// What nobody answers.
    pub fn effect(&mut self, effect: Effect) {
        self.effects.push(effect);
    }

    /// What is wanted by now.
    pub(super) fn take(&mut self) -> Vec<Effect> {
        std::mem::take(&mut self.effects)
    }
}
