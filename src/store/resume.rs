//! Going on with a change whose end is not known: what is left of it is read, shown, and only then sent.

use super::Store;
use super::changes::{Confirm, Plan};
use super::effect::Effect;
use super::message::RequestId;
use super::undo::Undoing;
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
            self.complain(&words);
        }
        self.unfinished = changes;
    }

    /// Reads what is left of the oldest of them.
    pub(super) fn go_on(&mut self) -> Vec<Effect> {
        match self.unfinished.first() {
            Some(change) => self.look_at_rest(change.job.clone()),
            None => {
                self.say("no change is left whose end is not known");
                Vec::new()
            }
        }
    }

    /// Reads what is left of a change.
    pub(super) fn look_at_rest(&mut self, job: String) -> Vec<Effect> {
        if !self.may_write() {
            return Vec::new();
        }
        let before = self.resuming.take().map(|before| Effect::Cancel(before.id));
        let id = self.number();
        self.resuming = Some(Undoing {
            id,
            place: (self.screen, self.layer()),
        });
        self.say("reading what is left of it; nothing is sent yet");
        before
            .into_iter()
            .chain([Effect::LookAtRest { id, job }])
            .collect()
    }

    /// Shows what is left, and asks.
    pub(super) fn rest_read(
        &mut self,
        id: RequestId,
        result: Result<Box<Rest>, Failure>,
    ) -> Vec<Effect> {
        let Some(asked) = self.resuming.take_if(|asked| asked.id == id) else {
            return Vec::new();
        };
        let rest = match result {
            Ok(rest) => *rest,
            Err(failure) => return self.failed(failure, self.now),
        };
        if rest.is_over() {
            self.unfinished.retain(|change| change.job != rest.job);
            // What was sent of it is known to who has asked.
            let found = rest.found.get(1..).filter(|found| !found.is_empty());
            self.say(found.unwrap_or(&rest.found).join(" "));
            return if self.journal.is_some() {
                self.open_journal()
            } else {
                Vec::new()
            };
        }
        if asked.place != (self.screen, self.layer()) {
            self.say("what is left is known now: ask again where it shall be shown");
            return Vec::new();
        }
        if !self.may_write() {
            return Vec::new();
        }
        (self.notice, self.journal) = (None, None);
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
        Vec::new()
    }
}
