//! A form for new runs that was sent without an answer: what it has made is looked for before it can be sent again.

use super::Store;
use super::effect::Effect;
use super::message::RequestId;
use super::review::ReviewOf;
use crate::domain::{Failure, FormFor, Lookup, RunField, RunRow};

impl Store {
    /// Looks for the runs of the open form, if it was sent and nobody knows what came of it.
    pub(super) fn look_for_sent(&mut self) -> Option<Effect> {
        let id = RequestId(self.last_id + 1);
        let form = self
            .form
            .as_mut()
            .filter(|form| !matches!(form.of, FormFor::Edit(_)))?;
        let sent = form.sent.as_ref()?;
        let mut titles = sent.titles.clone();
        if titles.is_empty() {
            // Sent by a version of this program that did not keep them.
            titles.extend(form.texts().remove(&RunField::Title));
        }
        let since = sent.at;
        form.looked.ask(id);
        self.last_id = id.0;
        Some(Effect::LookFor { id, titles, since })
    }

    /// What looking for it found, in form and review.
    pub(super) fn looked_for_sent(
        &mut self,
        id: RequestId,
        result: &Result<Lookup, Failure>,
    ) -> Vec<Effect> {
        let now = self.now;
        let Some(form) = &mut self.form else {
            return Vec::new();
        };
        if !form.looked.accept(id, result.clone(), now) {
            return Vec::new();
        }
        self.show_looked();
        match result {
            Ok(_) => Vec::new(),
            Err(failure) => self.failed(failure.clone(), now),
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
        if form.sent.is_some() && create.ends.is_empty() && review.sending.is_none() {
            create.sent_before = true;
            create.looked = form.looked.clone();
            review.look();
        }
    }

    /// Of several new runs one is there already: it is left out of the plan.
    pub(super) fn leave_out(&mut self, row: &RunRow) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return;
        };
        if !create.ends.is_empty() {
            return self.say("Esc leads back to the form: the next review looks again, and each can be left out there");
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
                create.looked.put(looked, self.now);
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
        self.say(words);
    }
}
