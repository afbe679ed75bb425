//! A form for new runs that was sent without an answer: what it has made is looked for before it can be sent again.

use super::{Form, Forms, ReviewOf};
use crate::domain::{Failure, FormFor, Lookup, RunField, RunRow};
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::Action;

impl Forms {
    /// Looks for the runs of the open form, if it was sent and nobody knows what came of it.
    pub(super) fn look_for_sent(&mut self, cx: &mut Cx) {
        let new = |form: &&mut Form| !matches!(form.of, FormFor::Edit(_));
        let Some(form) = self.form.as_mut().filter(new) else {
            return;
        };
        let Some(sent) = &form.sent else { return };
        let mut titles = sent.titles.clone();
        if titles.is_empty() {
            // Sent by a version of this program that did not keep them.
            titles.extend(form.texts().remove(&RunField::Title));
        }
        let since = sent.at;
        form.looked.ask();
        cx.request(Slot::FormSent, |id| Effect::LookFor { id, titles, since });
    }

    /// What looking for it found, in form and review.
    pub(super) fn looked_for_sent(&mut self, result: Result<Lookup, Failure>, cx: &mut Cx) {
        let failure = result.as_ref().err().cloned();
        if let Some(form) = &mut self.form {
            form.looked.accept(result, cx.now);
        }
        self.show_looked();
        if let Some(failure) = failure {
            cx.failed(failure);
        }
    }

    /// The review knows what the form knows of what was sent before.
    pub(super) fn show_looked(&mut self) {
        let (Some(form), Some(review)) = (&self.form, &mut self.review) else {
            return;
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return;
        };
        if form.sent.is_some() && create.ends.is_empty() && !review.sending {
            create.sent_before = true;
            create.looked = form.looked.clone();
            review.look();
        }
    }

    /// Of several new runs one is there already: it is left out of the plan.
    pub(super) fn leave_out(&mut self, row: &RunRow, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return;
        };
        if !create.ends.is_empty() {
            let back = &Action::Back;
            let back = cx
                .shared
                .then_key("; ", Layer::Review, back, "leads back to the form");
            let words = "the next review looks again, and each can be left out there";
            return cx.say(words.to_owned() + &back);
        }
        let title = row.title.as_deref().unwrap_or_default().trim();
        let before = create.create.runs.len();
        if let Some(place) = create
            .create
            .runs
            .iter()
            .position(|run| run.title.trim() == title)
        {
            create.create.runs.remove(place);
            if let Some(mut looked) = create.looked.value().cloned() {
                looked.found.retain(|found| found.doc_ref != row.doc_ref);
                create.looked.put(looked, cx.now);
            }
        }
        let words = if create.create.runs.len() < before {
            format!(
                "{} is taken as \"{title}\", which is not made again",
                row.name()
            )
        } else {
            format!("none of the runs to be made is called \"{title}\"")
        };
        review.look();
        cx.say(words);
    }
}
