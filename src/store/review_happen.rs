//! What comes back to a review: the run as the service has it, what became of a write.

use super::effect::Effect;
use super::event::Opened;
use super::message::RequestId;
use super::review::ReviewOf;
use super::{Detail, Failure, Screen, Store};
use crate::domain::{ChunkResult, CreateEnd, DocRef, DraftSent, ModifyEnd, RunRow};

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

    pub(super) fn modified(&mut self, id: RequestId, end: ModifyEnd) -> Vec<Effect> {
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
        match &end {
            ModifyEnd::Saved { document, how } => {
                let words = format!(
                    "{} is saved: {how}",
                    RunRow::from_document(document).full_name()
                );
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
            ModifyEnd::Moved(document) => {
                let opened = Opened {
                    document: (**document).clone(),
                    json: Vec::new(),
                };
                modify.theirs.put(Box::new(opened), now);
                modify.compare();
                self.mark_not_sent();
            }
            ModifyEnd::Unknown(words) => {
                let words = words.clone();
                self.mark_sent(&words, Vec::new());
            }
            ModifyEnd::Not(_) | ModifyEnd::Differs { .. } => self.mark_not_sent(),
        }
        let told = match &end {
            ModifyEnd::Moved(_) => "somebody wrote meanwhile: nothing was sent; look again",
            ModifyEnd::Not(_) => "not saved; the form is as it was",
            ModifyEnd::Differs { .. } => "saved, but the service shows something else",
            ModifyEnd::Unknown(_) | ModifyEnd::Saved { .. } => {
                "sent, outcome unknown; the draft is kept"
            }
        };
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

    pub(super) fn created(&mut self, id: RequestId, end: CreateEnd) -> Vec<Effect> {
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
        let made = matches!(end, CreateEnd::Made { .. });
        let unknown = match &end {
            CreateEnd::Unknown { why, .. } => Some(why.clone()),
            CreateEnd::Unsure { what, .. } => Some(what.clone()),
            _ => None,
        };
        let made_run = match &end {
            CreateEnd::Made { document, .. } => Some(RunRow::from_document(document)),
            _ => None,
        };
        let name = made_run.as_ref().map(RunRow::full_name).unwrap_or_default();
        create.ends.push(end);
        let (done, all) = (create.is_done(), create.create.runs.len());
        let whole = create.ends.iter().all(|end| match end {
            CreateEnd::Made { suites, .. } => suites
                .as_ref()
                .is_none_or(|suites| suites.not_done.is_empty()),
            _ => false,
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
                format!("{name} is made and was read back")
            } else {
                format!("{all} runs are made")
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
        } else if let Some(words) = unknown {
            self.mark_sent(&words, Vec::new());
            effects.extend(self.keep_form());
            self.complain(
                "sent, outcome unknown; the draft is kept and nothing is sent again by itself",
            );
        } else {
            self.mark_not_sent();
            effects.extend(self.keep_form());
            self.complain("not made; the form is as it was");
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
