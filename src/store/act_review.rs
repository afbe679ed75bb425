//! What actions and events do to a review: nothing is sent before its button was pressed.

use super::cx::Cx;
use super::effect::Effect;
use super::in_flight::Slot;
use super::message::{Action, Motion};
use super::remote::Remote;
use super::review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
use super::{Screen, Store};
use crate::domain::{
    Choice as MergeChoice, Choices, Create, DocRef, FormFor, Modify, RunField, RunRow, RunTexts,
    RunValues, Undo, UndoBy, Verdict, texts_of,
};

impl Store {
    /// Ctrl-s in the form: what it will send is shown.
    pub(super) fn open_review(&mut self) {
        let Some(form) = &mut self.form else {
            self.cx
                .say("no form is open: n, e and C open one; drafts are kept");
            return;
        };
        if !form.ready {
            self.cx.say("the run is not here yet");
            return;
        }
        if !form.check() {
            self.cx.complain("not yet: see beside the field");
            return;
        }
        let mine = form.texts();
        let of = match (&form.of, &form.base) {
            (FormFor::Edit(run), Some(base)) => {
                if form.changed().is_empty() && form.sent.is_none() {
                    self.cx.say("nothing is changed: there is nothing to save");
                    return;
                }
                let (run, name) = (run.clone(), form.run_name.clone());
                let base = texts_of(base);
                ReviewOf::Modify(ModifyReview::read(run, name, base, mine, &mut self.cx))
            }
            (FormFor::Edit(_), None) => {
                self.cx.say("the run is not here yet");
                return;
            }
            (FormFor::New | FormFor::Clone(_), _) => {
                let (create, sent_before) = (form.plan(), form.sent.is_some());
                let review = CreateReview {
                    create,
                    ends: Vec::new(),
                    sent_before,
                    looked: Remote::default(),
                };
                ReviewOf::Create(review)
            }
        };
        let warnings = form.warnings();
        self.look_for_sent();
        self.show_review(of, warnings, true);
        self.show_looked();
    }

    fn show_review(&mut self, of: ReviewOf, warnings: Vec<String>, from_form: bool) {
        let mut review = Review {
            of,
            cursor: 0,
            raw: false,
            top: 0,
            sending: false,
            steps: Vec::new(),
            warnings,
            from_form,
        };
        review.look();
        self.review = Some(review);
        self.stack.open(Screen::Review);
    }

    /// Shows how a change of fields is taken back, or how a deleted run is made again.
    pub(super) fn review_undo(&mut self, undo: Undo) {
        match undo.by {
            UndoBy::Modify {
                before,
                values,
                after,
                now,
            } => {
                let run = now.doc_ref().clone();
                let name = RunRow::from_document(&now).full_name();
                // Against what the write left behind, the old values are the wish: what others wrote since is a conflict.
                let mut review = ModifyReview::read(run, name, after, before, &mut self.cx);
                (review.undo_of, review.values) = (Some(undo.write), values);
                self.show_review(ReviewOf::Modify(review), undo.warnings, false);
            }
            UndoBy::Rebuild(create) => {
                let create = Create {
                    undo_of: Some(undo.write),
                    ..create
                };
                self.show_review(
                    ReviewOf::Create(CreateReview {
                        create,
                        ends: Vec::new(),
                        sent_before: false,
                        looked: Remote::default(),
                    }),
                    undo.warnings,
                    false,
                );
            }
            UndoBy::Suites(_) | UndoBy::Delete(_) => {}
        }
    }

    pub(super) fn act_review(&mut self, action: &Action) {
        let Some(review) = &mut self.review else {
            return self.stack.home();
        };
        match action {
            Action::NextField | Action::Move(Motion::Down) if !review.raw => review.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) if !review.raw => review.turn(false),
            Action::Move(motion) => motion.scroll(&mut review.top),
            Action::Raw => (review.raw, review.top) = (!review.raw, 0),
            Action::Back if review.raw => review.raw = false,
            Action::Back => self.leave_review(),
            Action::Edit if !review.sending => self.edit_reviewed(),
            Action::KeepMine => self.decide(&MergeChoice::Mine),
            Action::TakeTheirs => self.decide(&MergeChoice::Theirs),
            Action::Refresh => self.read_reviewed(),
            Action::Save if review.is_unread() => self.read_reviewed(),
            Action::Save => self.send_review(),
            Action::Open if review.is_unread() && review.button() == Some(Button::Send) => {
                self.read_reviewed();
            }
            Action::Open => match review.button() {
                Some(Button::Send) => self.send_review(),
                Some(Button::Close) => self.close_settled(),
                Some(Button::Back) => self.leave_review(),
                None => self.open_row(),
            },
            other => self.act_anywhere(other),
        }
    }

    /// Reads again what the service has, and looks again for what was sent before. What the first reading after a write
    /// did not settle may be settled by this one.
    fn read_reviewed(&mut self) {
        let Some(review) = self.review.as_mut() else {
            return;
        };
        match &mut review.of {
            _ if review.sending => {}
            ReviewOf::Modify(modify) if !modify.theirs.is_reading() => modify.ask(&mut self.cx),
            ReviewOf::Create(create) if create.sent_before && !create.looked.is_reading() => {
                self.look_for_sent();
                self.show_looked();
            }
            ReviewOf::Modify(_) | ReviewOf::Create(_) => {}
        }
    }

    /// Enter on a row: a field is decided or edited, a run that was found is taken as the one that was asked for.
    fn open_row(&mut self) {
        let Some(review) = &mut self.review else {
            return;
        };
        match &review.of {
            ReviewOf::Modify(_) => self.edit_reviewed(),
            ReviewOf::Create(create) => {
                let Some(row) = create.found().get(review.cursor).cloned() else {
                    return;
                };
                let name = row.name().to_owned();
                // Of several that were sent, the one that is left to be made may be another than this.
                let several = self
                    .form
                    .as_ref()
                    .and_then(|form| form.sent.as_ref())
                    .is_some_and(|sent| sent.titles.len() > 1);
                let other = create
                    .create
                    .runs
                    .iter()
                    .all(|run| Some(run.title.trim()) != row.title.as_deref().map(str::trim));
                if create.create.runs.len() > 1 || several && other {
                    self.leave_out(&row);
                    return;
                }
                self.finish_form();
                self.review = None;
                self.stack.home();
                self.reread_runs();
                self.cx.say(format!(
                    "{name} is taken as the run that was sent; its suites were not added by this program"
                ));
            }
        }
    }

    /// Decides the conflict under the cursor, or the only one there is.
    fn decide(&mut self, choice: &MergeChoice) {
        let Some(review) = &mut self.review else {
            return;
        };
        let at = review.cursor;
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let conflicts: Vec<RunField> = modify
            .merges
            .iter()
            .filter(|merge| merge.verdict == Verdict::Conflict)
            .map(|merge| merge.field)
            .collect();
        let field = match (modify.merges.get(at), conflicts.as_slice()) {
            (Some(merge), _) if conflicts.contains(&merge.field) => merge.field,
            (None, [field]) => *field,
            (_, []) => {
                return self
                    .cx
                    .say("no field was changed on both sides: there is nothing to decide");
            }
            _ => {
                return self
                    .cx
                    .say("go to a field that was changed on both sides first");
            }
        };
        modify.choices.insert(field, choice.clone());
        review.look();
    }

    /// Back to the form, to the field under the cursor.
    fn edit_reviewed(&mut self) {
        let Some(review) = &self.review else {
            return;
        };
        if !review.from_form || self.form.is_none() {
            self.cx
                .say("there is no form behind this review: e on the run opens one");
            return;
        }
        let field = match &review.of {
            ReviewOf::Modify(modify) => modify.merges.get(review.cursor).map(|merge| merge.field),
            ReviewOf::Create(_) => None,
        };
        self.review = None;
        self.stack.close(&[Screen::Review]);
        self.stack.open(Screen::Form);
        if let (Some(form), Some(field)) = (&mut self.form, field) {
            form.stop = super::Stop::Field(field);
        }
    }

    /// Nothing is left to send: the form is closed, and its draft goes to those that are discarded.
    fn close_settled(&mut self) {
        self.finish_form();
        self.review = None;
        self.stack.close(&[Screen::Review]);
        self.cx.say("the form is closed; the service keeps what it has, and the draft lies in drafts/discarded");
    }

    fn leave_review(&mut self) {
        let Some(review) = &self.review else {
            return;
        };
        if review.sending {
            self.cx
                .complain("a write is under way: wait for its answer");
            return;
        }
        self.review = None;
        self.stack.close(&[Screen::Review]);
    }

    /// Sends what the review shows, once.
    fn send_review(&mut self) {
        if !self.may_write() {
            return;
        }
        let Some(review) = self.review.as_mut().filter(|review| review.can_send()) else {
            return;
        };
        let write = match &mut review.of {
            ReviewOf::Modify(modify) => {
                let Some(opened) = modify
                    .theirs
                    .value()
                    .filter(|_| !modify.theirs.is_reading())
                else {
                    self.cx.say("what the service has is not here yet");
                    return;
                };
                if let Some(field) = modify.undecided().first() {
                    let words = format!(
                        "{} was changed on both sides: m keeps mine, t takes theirs",
                        field.name()
                    );
                    review.look();
                    self.cx.complain(words);
                    return;
                }
                let texts = modify.changes();
                if texts.is_empty() {
                    let from_form = review.from_form;
                    self.cx.say(if from_form {
                        "nothing is left to change: Enter on the first button closes the form, and its draft goes"
                    } else {
                        "nothing is left to change: the service has it all"
                    });
                    return;
                }
                modify.end = None;
                let modify = Modify {
                    run: modify.run.clone(),
                    run_name: modify.run_name.clone(),
                    reviewed: opened.document.clone(),
                    texts,
                    values: modify.values.clone(),
                    undo_of: modify.undo_of.clone(),
                };
                Write::Modify(Box::new(modify))
            }
            ReviewOf::Create(review) => {
                review.looked = Remote::default();
                review.ends.retain(|end| !end.run.is_nothing());
                let mut create = review.create.clone();
                // Those that are there stay as they are; the rest goes on.
                create.runs.drain(..review.ends.len());
                Write::Create(Box::new(create))
            }
        };
        review.sending = true;
        review.steps.clear();
        review.look();
        if review.from_form {
            // Should this program end before the answer comes, the draft says that it was sent.
            let titles = match &write {
                Write::Create(create) => create.runs.iter().map(|run| run.title.clone()).collect(),
                Write::Modify(_) => Vec::new(),
            };
            self.mark_sent(
                "the program ended before the answer came; the journal (@) shows the request",
                titles,
            );
            self.keep_form();
        }
        match write {
            Write::Modify(modify) => self
                .cx
                .request(Slot::Save, |id| Effect::Modify { id, modify }),
            Write::Create(create) => self
                .cx
                .request(Slot::Create, |id| Effect::Create { id, create }),
        }
    }
}

/// What a review sends.
enum Write {
    Modify(Box<Modify>),
    Create(Box<Create>),
}

impl ModifyReview {
    /// A review of a change, whose run is asked for.
    fn read(run: DocRef, run_name: String, base: RunTexts, mine: RunTexts, cx: &mut Cx) -> Self {
        let mut review = Self {
            run,
            run_name,
            base,
            mine,
            theirs: Remote::default(),
            merges: Vec::new(),
            choices: Choices::new(),
            values: RunValues::new(),
            undo_of: None,
            end: None,
            doubt: false,
        };
        review.ask(cx);
        review
    }

    fn ask(&mut self, cx: &mut Cx) {
        self.theirs.ask();
        let doc_ref = self.run.clone();
        cx.request(Slot::Reviewed, |id| Effect::GetDocument { id, doc_ref });
    }
}
