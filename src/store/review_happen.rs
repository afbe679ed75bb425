//! What comes back to a review: the run as the service has it, what became of a write.

use super::effect::Effect;
use super::event::Opened;
use super::in_flight::Slot;
use super::review::ReviewOf;
use super::{Detail, Screen, Store};
use crate::domain::{ChunkResult, Created, Deed, DocRef, DraftSent, End, Failure, Outcome, RunRow};

impl Store {
    /// The run of a review has come.
    pub(super) fn review_source_came(&mut self, result: Result<Box<Opened>, Failure>) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let failure = result.as_ref().err().cloned();
        modify.theirs.accept(result, self.cx.now);
        if failure.is_none() {
            // What is there now is shown instead of the doubt.
            let unknown = modify.end.take_if(|end| end.end == End::Unknown);
            modify.doubt |= unknown.is_some();
        }
        modify.compare();
        review.look();
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }

    pub(super) fn review_step(&mut self, step: ChunkResult) {
        if let Some(review) = &mut self.review {
            review.steps.push(step);
        }
    }

    pub(super) fn modified(&mut self, end: Outcome) {
        let now = self.cx.now;
        let Some(review) = self.review.as_mut().filter(|review| review.sending) else {
            return;
        };
        review.sending = false;
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let run = modify.run.clone();
        let words = end.headline(Deed::Save(&modify.name()));
        if end.is_whole() {
            self.finish_form();
            self.review = None;
            self.stack.close(&[Screen::Review]);
            self.reread_run(&run);
            self.cx.say(words);
            return;
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
        self.cx.complain(told);
        self.keep_form();
        self.reread_run(&run);
    }

    pub(super) fn created(&mut self, end: Created) {
        let Some(review) = self.review.as_mut().filter(|review| review.sending) else {
            return self.cx.over(|slot| *slot == Slot::Create);
        };
        let ReviewOf::Create(create) = &mut review.of else {
            return;
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
            return;
        }
        self.cx.over(|slot| *slot == Slot::Create);
        review.sending = false;
        review.look();
        if done {
            self.finish_form();
            let words = if all == 1 {
                words
            } else {
                format!("{all} runs created")
            };
            if let (true, 1, Some(made)) = (whole, all, made_run) {
                self.review = None;
                self.stack.home();
                self.show_run(made);
                self.cx.say(words);
            } else if whole {
                // What became of each stays on the screen until the person leaves it.
                self.cx.say(words);
            } else {
                self.cx
                    .complain(format!("{words}, but not every suite is in: see below"));
            }
        } else if let Some(why) = unknown {
            self.mark_sent(&why, Vec::new());
            self.keep_form();
            self.cx.complain(format!("{words}. The draft is kept"));
        } else {
            self.mark_not_sent();
            self.keep_form();
            self.cx.complain(format!("{words}; the form is as it was"));
        }
        self.reread_runs();
    }

    /// Shows a run that was just made.
    fn show_run(&mut self, row: RunRow) {
        self.leave_detail();
        let mut detail = Detail::new(row.doc_ref.clone(), Some((row, self.cx.now)));
        detail.read(&mut self.cx);
        detail.read_counts(&mut self.cx);
        self.detail = Some(detail);
        self.stack.open(Screen::Detail);
    }

    /// The form was sent and nobody knows what came of it: its draft says so.
    pub(super) fn mark_sent(&mut self, words: &str, titles: Vec<String>) {
        let at = self.cx.now;
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
    pub(super) fn finish_form(&mut self) {
        if !self.review.as_ref().is_some_and(|review| review.from_form) {
            return;
        }
        let Some(form) = self.form.take() else {
            return;
        };
        self.stack.close(&[Screen::Form]);
        self.cx.give_up_all(Slot::is_of_form);
        if let Some(key) = form.draft.key {
            self.cx.effect(Effect::DropDraft { key });
        }
        self.cx.effect(Effect::FindDrafts);
    }

    /// The list, and the detail if it shows this run, are read again.
    pub(super) fn reread_run(&mut self, run: &DocRef) {
        self.reread_runs();
        if let Some(detail) = self.detail.as_mut().filter(|detail| detail.doc_ref == *run) {
            detail.read(&mut self.cx);
        }
    }

    /// The list is read again; what is on the screen stays until it is here.
    pub(super) fn reread_runs(&mut self) {
        self.runs.all.refresh();
        if let Some(found) = &mut self.runs.found {
            found.refresh();
        }
    }
}
