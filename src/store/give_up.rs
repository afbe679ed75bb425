//! Ctrl-c: what is under way is given up, but for what was sent to change something.

use super::effect::Effect;
use super::{DeleteBox, Members, Store};
use crate::domain::{Failure, FailureKind};

impl Store {
    /// A change is under way.
    pub(super) fn writes(&self) -> bool {
        let deleting = self.delete.as_ref().is_some_and(DeleteBox::writing);
        let reviewed = self
            .review
            .as_ref()
            .is_some_and(|review| review.sending.is_some());
        deleting
            || reviewed
            || self.probing.is_some()
            || self
                .work
                .as_ref()
                .is_some_and(|work| work.outcome.is_none())
    }

    /// Ctrl-c: gives up what is under way; with nothing under way, the second one quits.
    pub(super) fn cancel(&mut self, armed: bool) -> Vec<Effect> {
        let mut effects = self.runs.all.cancel();
        let given_up = || Failure {
            kind: FailureKind::Local,
            asked: "reading".into(),
            came_back: "given up by Ctrl-c".into(),
            remedy: "r reads again".into(),
            may_retry: false,
        };
        if !effects.is_empty() {
            self.runs.all.failure = Some(given_up());
        }
        if let Some(found) = &mut self.runs.found {
            let given = found.cancel();
            if !given.is_empty() {
                found.failure = Some(given_up());
            }
            effects.extend(given);
        }
        let list_given_up = !effects.is_empty();
        effects.extend(self.looked_for.drain(..).map(|(id, _)| Effect::Cancel(id)));
        if let Some(monitor) = &mut self.monitor {
            effects.extend(monitor.cancel());
        }
        // What a probe run tells is given up; its deletion is still waited for.
        effects.extend(self.probing.map(Effect::Cancel));
        let probing = |members: &&mut Members| {
            self.probing.is_none() || members.verdict.asked() != self.probing
        };
        // What was read before stays, and is not called whole.
        let suites_given_up = || Failure {
            asked: "reading the suites".into(),
            ..given_up()
        };
        if let Some(available) = &mut self.available
            && let Some(id) = available.list.asked()
        {
            available.list.accept(id, Err(suites_given_up()), self.now);
            effects.push(Effect::Cancel(id));
        }
        if let Some(members) = self.members.as_mut().filter(probing)
            && let Some(id) = members.verdict.asked()
        {
            members.verdict.accept(id, Err(suites_given_up()), self.now);
            effects.push(Effect::Cancel(id));
        }
        // No further run of a plan is made; what is sent is not taken back.
        effects.extend(
            self.review
                .as_ref()
                .and_then(|review| review.sending)
                .map(Effect::Cancel),
        );
        if let Some(work) = self.work.as_ref().filter(|work| work.outcome.is_none()) {
            // What is sent is not taken back; no further request follows it.
            effects.push(Effect::Cancel(work.id));
        }
        effects.extend(
            self.delete
                .as_mut()
                .map(DeleteBox::stop)
                .unwrap_or_default(),
        );
        effects.extend(
            self.undoing
                .take()
                .map(|undoing| Effect::Cancel(undoing.id)),
        );
        if let Some(detail) = &mut self.detail {
            let asked = [detail.document.cancel(), detail.counts.cancel()];
            effects.extend(asked.into_iter().flatten().map(Effect::Cancel));
        }
        if let Some(form) = &mut self.form {
            let given_up = || Failure {
                remedy: "Esc leaves; the same key begins again.".into(),
                ..given_up()
            };
            for id in [form.source.asked(), form.suites.asked()]
                .into_iter()
                .flatten()
            {
                form.source.accept(id, Err(given_up()), self.now);
                form.suites.accept(id, Err(given_up()), self.now);
                effects.push(Effect::Cancel(id));
            }
        }
        // The pause before the list, or the sign-in, is tried again is given up with the list, else when nothing else is.
        if list_given_up || effects.is_empty() {
            effects.extend(self.retry.take().map(Effect::Cancel));
        }
        if armed {
            effects.extend(self.quit());
        } else if !effects.is_empty() {
            self.quit_armed = self.writes();
            self.say(if self.quit_armed {
                "no further request is sent; what was sent is waited for (Ctrl-c again quits)"
            } else {
                "given up: r reads again"
            });
        } else {
            self.quit_armed = true;
            self.say("nothing is under way: Ctrl-c again quits");
        }
        effects
    }
}
