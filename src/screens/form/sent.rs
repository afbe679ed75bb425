//! Forms that were sent without an answer: the end is searched for in my changes, in readings and, for new runs, before
//! another sending.

use super::{Forms, ReviewOf};
use crate::domain::Lookup;
use crate::screens::prelude::*;

impl Forms {
    /// Searches for the end of an earlier sending of the open form, if there was one.
    pub(super) fn find_sent(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else { return };
        let Some(sent) = &form.sent else { return };
        let run = match &form.of {
            FormFor::Edit(run) if sent.titles.is_empty() => Some(run.clone()),
            FormFor::Edit(_) | FormFor::New | FormFor::Clone(_) => None,
        };
        let mut sent = Box::new(sent.clone());
        if sent.titles.is_empty() && run.is_none() {
            // Older versions of this program did not save the titles.
            sent.titles.extend(form.texts().remove(&RunField::Title));
        }
        form.lookup.ask();
        cx.request(Slot::FormSent, Request::LookFor { run, sent });
    }

    /// Stores the result of the search in form and review. Findings of a reading stay if the search found less.
    pub(super) fn on_lookup(&mut self, result: Result<Lookup, Failure>, cx: &mut Cx) {
        let Some(form) = &mut self.form else { return };
        let shown = form.lookup.newest().cloned();
        cx.accept(&mut form.lookup, result);
        let found = form.lookup.newest();
        let is_silent = found.is_some_and(|it| it.end.is_none() && it.words.is_empty());
        let is_ended = form.ended().is_some();
        if let Some(shown) = shown.filter(|it| !is_ended && (it.end.is_some() || is_silent)) {
            form.lookup.put(shown, cx.now);
        }
        let ended = form.ended();
        let unsent = ended.filter(|it| matches!(it.end, Some(End::NotSent(_))));
        let unsent = unsent.map(|it| it.words.clone());
        self.show_lookup();
        if let (Some(words), Some(form)) = (unsent, &mut self.form) {
            (form.sent, form.lookup) = (None, Remote::default());
            form.keep(cx);
            if let Some(review) = self.review.as_mut().filter(|review| review.from_form) {
                review.sent = None;
            }
            cx.say(words);
        }
    }

    /// Marks the save as done if a reading of the run has all values that are changed in the form, else notes that they
    /// are not there.
    pub(super) fn compare_sent(&mut self, now: &Document, cx: &mut Cx) {
        let Some(form) = self.form.as_mut().filter(|form| {
            let edits = matches!(&form.of, FormFor::Edit(run) if run == now.doc_ref());
            edits && form.ready && form.sent.is_some()
        }) else {
            return;
        };
        let (mine, theirs) = (form.texts(), texts_of(now));
        let same = |field: &RunField| mine.get(field) == theirs.get(field);
        let changed = form.changed();
        let is_done = changed.iter().all(same);
        if changed.is_empty() || form.ended().is_some() && !is_done {
            return;
        }
        let words = if is_done {
            cx.give_up(&Slot::FormSent);
            form.lookup.cancel();
            "the new values are there, as a reading shows"
        } else {
            "read again: the run does not have what stands in the form"
        };
        let lookup = Lookup {
            end: is_done.then_some(End::Done),
            words: words.into(),
            ..Lookup::default()
        };
        form.lookup.put(lookup, cx.now);
        self.show_lookup();
    }

    /// Copies the result of the search from the form to its review.
    pub(super) fn show_lookup(&mut self) {
        let review = self
            .review
            .as_mut()
            .filter(|review| review.from_form && !review.sending);
        let (Some(form), Some(review)) = (&self.form, review) else {
            return;
        };
        let Some(sent) = &form.sent else { return };
        match &mut review.of {
            // The sending was a change of a run that has been deleted since.
            ReviewOf::Create(_) if sent.titles.is_empty() && form.edits() => {}
            ReviewOf::Create(create) if create.ends.is_empty() => {
                let end = form.ended().and_then(|ended| ended.end);
                create.sent_before = !matches!(end, Some(End::Refused | End::NotSent(_)));
                create.lookup = form.lookup.clone();
                create.leave_out_made();
                review.focus_first();
            }
            ReviewOf::Modify(modify) if form.ended().is_some() => modify.doubt = false,
            _ => {}
        }
        review.sent = form.sent_words();
    }

    /// Removes a run from the plan because it already exists; the others are still created.
    pub(super) fn leave_out(&mut self, row: &RunRow, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return;
        };
        if !create.ends.is_empty() {
            let does = "leads back to the form";
            let back = cx.shared.then_key("; ", Layer::Review, &Action::Back, does);
            let words = "the next review looks again, and each can be left out there";
            return cx.say(words.to_owned() + &back);
        }
        let title = row.title.as_deref().unwrap_or_default().trim();
        if create.leave_out(&row.doc_ref, title) {
            let name = row.name();
            cx.say(format!(
                "{name} is taken as \"{title}\", which is not made again"
            ));
        } else {
            cx.say(format!("none of the runs to be made is called \"{title}\""));
        }
        review.focus_first();
    }
}
