//! What comes back to a review: the run as the service has it, what became of a write.

use super::effect::Effect;
use super::event::Opened;
use super::message::RequestId;
use super::review::ReviewOf;
use super::{Detail, Screen, Store};
use crate::domain::{ChunkResult, Created, Deed, DocRef, DraftSent, End, Failure, Outcome, RunRow};

impl Store {
    /// The run of a review has come; `None` if nobody asked for this one.
    pub(super) fn review_source_came(
        &mut self,
        id: RequestId,
        result: &Result<Box<Opened>, Failure>,
    ) -> Option<Vec<Effect>> {
        let now = self.now;
        let review = self.review.as_mut()?;
        let ReviewOf::Modify(modify) = &mut review.of else {
            return None;
        };
        if modify.theirs.asked() != Some(id) {
            return None;
        }
        modify.theirs.accept(id, result.clone(), now);
        if result.is_ok() {
            // What is there now is shown instead of the doubt.
            let unknown = modify.end.take_if(|end| end.end == End::Unknown);
            modify.doubt |= unknown.is_some();
        }
        modify.compare();
        review.look();
        Some(match result {
            Ok(_) => Vec::new(),
            Err(failure) => self.failed(failure.clone(), now),
        })
    }

    pub(super) fn review_step(&mut self, id: RequestId, step: &ChunkResult) {
        if let Some(review) = self
            .review
            .as_mut()
            .filter(|review| review.sending == Some(id))
        {
            review.steps.push(step.clone());
        }
    }

    pub(super) fn modified(&mut self, id: RequestId, end: Outcome) -> Vec<Effect> {
        let now = self.now;
        let Some(review) = self
            .review
            .as_mut()
            .filter(|review| review.sending == Some(id))
        else {
            return Vec::new();
        };
        review.sending = None;
        let ReviewOf::Modify(modify) = &mut review.of else {
            return Vec::new();
        };
        let run = modify.run.clone();
        let words = end.headline(Deed::Save(&modify.name()));
        if end.is_whole() {
            let mut effects = self.finish_form();
            let back = self
                .review
                .take()
                .map_or(Screen::Runs, |review| review.back);
            if matches!(self.screen, Screen::Review | Screen::Form) {
                self.screen = back;
            }
            effects.extend(self.reread_run(&run));
            self.say(words);
            return effects;
        }
        let moved = end.document.clone().filter(|_| end.is_nothing());
        let told = match end.end {
            _ if moved.is_some() => "somebody wrote meanwhile: nothing was sent; look again".into(),
            End::Unknown => format!("{words}. The draft is kept"),
            End::Refused | End::NotSent => format!("{words}; the form is as it was"),
            End::Done => words,
        };
        if let Some(document) = moved {
            let document = *document;
            let json = Vec::new();
            modify.theirs.put(Box::new(Opened { document, json }), now);
            modify.compare();
        }
        if end.end == End::Unknown {
            self.mark_sent(&end.why, Vec::new());
        } else {
            self.mark_not_sent();
        }
        if let Some(review) = &mut self.review {
            if let ReviewOf::Modify(modify) = &mut review.of {
                modify.end = Some(end);
            }
            review.look();
        }
        self.complain(told);
        let mut effects = self.keep_form();
        effects.extend(self.reread_run(&run));
        effects
    }

    pub(super) fn created(&mut self, id: RequestId, end: Created) -> Vec<Effect> {
        let Some(review) = self
            .review
            .as_mut()
            .filter(|review| review.sending == Some(id))
        else {
            return Vec::new();
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return Vec::new();
        };
        let made = end.run.is_whole();
        let made_run = end.run.document.as_deref().map(RunRow::from_document);
        let title = create.create.runs.get(create.ends.len());
        let name = made_run.as_ref().map(RunRow::name);
        let name = name.or(title.map(|run| run.title.as_str()));
        let words = end.run.headline(Deed::Create(name.unwrap_or_default()));
        let unknown = (!made && !end.run.is_nothing()).then(|| end.run.why.clone());
        create.ends.push(end);
        let (done, all) = (create.is_done(), create.create.runs.len());
        let whole = create.ends.iter().all(|end| {
            let suites = end.suites.as_ref();
            suites.is_none_or(|suites| suites.other_parts().is_empty())
        });
        if made && !done {
            return Vec::new();
        }
        review.sending = None;
        review.look();
        let mut effects = Vec::new();
        if done {
            effects.extend(self.finish_form());
            let words = if all == 1 {
                words
            } else {
                format!("{all} runs created")
            };
            if let (true, 1, Some(made)) = (whole, all, made_run) {
                self.review = None;
                self.screen = Screen::Runs;
                effects.extend(self.show_run(made));
                self.say(words);
            } else if whole {
                // What became of each stays on the screen until the person leaves it.
                self.say(words);
            } else {
                self.complain(format!("{words}, but not every suite is in: see below"));
            }
        } else if let Some(why) = unknown {
            self.mark_sent(&why, Vec::new());
            effects.extend(self.keep_form());
            self.complain(format!("{words}. The draft is kept"));
        } else {
            self.mark_not_sent();
            effects.extend(self.keep_form());
            self.complain(format!("{words}; the form is as it was"));
        }
        self.reread_runs();
        effects
    }

    /// Shows a run that was just made.
    fn show_run(&mut self, row: RunRow) -> Vec<Effect> {
        let mut effects = self.leave_detail();
        let mut detail = Detail::new(row.doc_ref.clone(), Some((row, self.now)));
        effects.extend(detail.read(self.number()));
        effects.extend(detail.read_counts(self.number()));
        self.detail = Some(detail);
        self.screen = Screen::Detail;
        effects
    }

    /// The form was sent and nobody knows what came of it: its draft says so.
    pub(super) fn mark_sent(&mut self, words: &str, titles: Vec<String>) {
        let at = self.now;
        if let Some(form) = &mut self.form {
            let sent = form.sent.get_or_insert_with(|| DraftSent {
                at,
                titles: Vec::new(),
                words: String::new(),
            });
            words.clone_into(&mut sent.words);
            // What was sent before and is unknown still is looked for, too.
            let new = titles
                .into_iter()
                .filter(|title| !sent.titles.contains(title))
                .collect::<Vec<_>>();
            sent.titles.extend(new);
        }
    }

    /// The form is known to have had no effect, or an effect that was told.
    fn mark_not_sent(&mut self) {
        let before = match self.review.as_ref().map(|review| &review.of) {
            Some(ReviewOf::Create(create)) => create.sent_before,
            Some(ReviewOf::Modify(_)) | None => false,
        };
        if let Some(form) = self.form.as_mut().filter(|_| !before) {
            form.sent = None;
        }
    }

    /// What was in the form is with the service: the form is closed and its draft goes.
    pub(super) fn finish_form(&mut self) -> Vec<Effect> {
        if !self.review.as_ref().is_some_and(|review| review.from_form) {
            return Vec::new();
        }
        let Some(form) = self.form.take() else {
            return Vec::new();
        };
        if let Some(review) = &mut self.review {
            review.back = form.back;
        }
        let mut effects: Vec<Effect> = form.draft.timer.map(Effect::Cancel).into_iter().collect();
        effects.extend(form.draft.key.map(|key| Effect::DropDraft { key }));
        effects.push(Effect::FindDrafts);
        effects
    }

    /// The list, and the detail if it shows this run, are read again.
    pub(super) fn reread_run(&mut self, run: &DocRef) -> Vec<Effect> {
        self.reread_runs();
        let id = self.number();
        if let Some(detail) = self.detail.as_mut().filter(|detail| detail.doc_ref == *run) {
            return detail.read(id);
        }
        Vec::new()
    }

    /// The list is read again; what is on the screen stays until it is here.
    pub(super) fn reread_runs(&mut self) {
        self.runs.all.refresh();
        if let Some(found) = &mut self.runs.found {
            found.refresh();
        }
    }
}
