//! What actions and events do to a review: nothing is sent before its button was pressed.

use super::effect::Effect;
use super::message::{Action, Motion, RequestId};
use super::remote::Remote;
use super::review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
use super::{Screen, Store};
use crate::domain::{
    Choice as MergeChoice, Choices, Create, DocRef, FormFor, Modify, RunField, RunRow, RunTexts,
    RunValues, Undo, UndoBy, Verdict, texts_of,
};

impl Store {
    /// Ctrl-s in the form: what it will send is shown.
    pub(super) fn open_review(&mut self) -> Vec<Effect> {
        let id = RequestId(self.last_id + 1);
        let Some(form) = &mut self.form else {
            self.say("no form is open: n, e and C open one; drafts are kept");
            return Vec::new();
        };
        if !form.ready {
            self.say("the run is not here yet");
            return Vec::new();
        }
        if !form.check() {
            self.complain("not yet: see beside the field");
            return Vec::new();
        }
        let mine = form.texts();
        let (of, effects) = match (&form.of, &form.base) {
            (FormFor::Edit(run), Some(base)) => {
                if form.changed().is_empty() && form.sent.is_none() {
                    self.say("nothing is changed: there is nothing to save");
                    return Vec::new();
                }
                self.last_id += 1;
                let review =
                    modify_review(id, run.clone(), form.run_name.clone(), texts_of(base), mine);
                let effect = Effect::GetDocument {
                    id,
                    doc_ref: run.clone(),
                };
                (ReviewOf::Modify(review), vec![effect])
            }
            (FormFor::Edit(_), None) => {
                self.say("the run is not here yet");
                return Vec::new();
            }
            (FormFor::New | FormFor::Clone(_), _) => {
                let (create, sent_before) = (form.plan(), form.sent.is_some());
                let review = CreateReview {
                    create,
                    ends: Vec::new(),
                    sent_before,
                    looked: Remote::default(),
                };
                (ReviewOf::Create(review), Vec::new())
            }
        };
        let warnings = form.warnings();
        let mut effects = effects;
        effects.extend(self.look_for_sent());
        self.show_review(of, warnings, true);
        self.show_looked();
        effects
    }

    fn show_review(&mut self, of: ReviewOf, warnings: Vec<String>, from_form: bool) {
        let back = if from_form { Screen::Form } else { self.screen };
        let mut review = Review {
            of,
            cursor: 0,
            raw: false,
            top: 0,
            sending: None,
            steps: Vec::new(),
            warnings,
            back,
            from_form,
        };
        review.look();
        self.review = Some(review);
        self.screen = Screen::Review;
    }

    /// Shows how a change of fields is taken back, or how a deleted run is made again.
    pub(super) fn review_undo(&mut self, undo: Undo) -> Vec<Effect> {
        match undo.by {
            UndoBy::Modify {
                before,
                values,
                after,
                now,
            } => {
                let id = self.number();
                let run = now.doc_ref().clone();
                let name = RunRow::from_document(&now).full_name();
                // Against what the write left behind, the old values are the wish: what others wrote since is a conflict.
                let mut review = modify_review(id, run.clone(), name, after, before);
                (review.undo_of, review.values) = (Some(undo.write), values);
                self.show_review(ReviewOf::Modify(review), undo.warnings, false);
                vec![Effect::GetDocument { id, doc_ref: run }]
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
                Vec::new()
            }
            UndoBy::Suites(_) | UndoBy::Delete(_) => Vec::new(),
        }
    }

    pub(super) fn act_review(&mut self, action: &Action) -> Vec<Effect> {
        let Some(review) = &mut self.review else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        match action {
            Action::NextField | Action::Move(Motion::Down) if !review.raw => review.turn(true),
            Action::PreviousField | Action::Move(Motion::Up) if !review.raw => review.turn(false),
            Action::Move(motion) => motion.scroll(&mut review.top),
            Action::Raw => (review.raw, review.top) = (!review.raw, 0),
            Action::Back if review.raw => review.raw = false,
            Action::Back => return self.leave_review(),
            Action::Edit if review.sending.is_none() => return self.edit_reviewed(),
            Action::KeepMine => self.decide(&MergeChoice::Mine),
            Action::TakeTheirs => self.decide(&MergeChoice::Theirs),
            Action::Refresh => return self.read_reviewed(),
            Action::Save if review.is_unread() => return self.read_reviewed(),
            Action::Save => return self.send_review(),
            Action::Open if review.is_unread() && review.button() == Some(Button::Send) => {
                return self.read_reviewed();
            }
            Action::Open => match review.button() {
                Some(Button::Send) => return self.send_review(),
                Some(Button::Close) => return self.close_settled(),
                Some(Button::Back) => return self.leave_review(),
                None => return self.open_row(),
            },
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    /// Reads again what the service has, and looks again for what was sent before. What the first reading after a write
    /// did not settle may be settled by this one.
    fn read_reviewed(&mut self) -> Vec<Effect> {
        let id = self.number();
        let Some(review) = self.review.as_mut() else {
            return Vec::new();
        };
        match &mut review.of {
            _ if review.sending.is_some() => {}
            ReviewOf::Modify(modify) if modify.theirs.asked().is_none() => {
                modify.theirs.ask(id);
                let doc_ref = modify.run.clone();
                return vec![Effect::GetDocument { id, doc_ref }];
            }
            ReviewOf::Create(create) if create.sent_before && create.looked.asked().is_none() => {
                let effects = self.look_for_sent().into_iter().collect();
                self.show_looked();
                return effects;
            }
            ReviewOf::Modify(_) | ReviewOf::Create(_) => {}
        }
        Vec::new()
    }

    /// Enter on a row: a field is decided or edited, a run that was found is taken as the one that was asked for.
    fn open_row(&mut self) -> Vec<Effect> {
        let Some(review) = &mut self.review else {
            return Vec::new();
        };
        match &review.of {
            ReviewOf::Modify(_) => self.edit_reviewed(),
            ReviewOf::Create(create) => {
                let Some(row) = create.found().get(review.cursor).cloned() else {
                    return Vec::new();
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
                    return Vec::new();
                }
                let effects = self.finish_form();
                self.review = None;
                self.screen = Screen::Runs;
                self.reread_runs();
                self.say(format!(
                    "{name} is taken as the run that was sent; its suites were not added by this program"
                ));
                effects
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
                return self.say("no field was changed on both sides: there is nothing to decide");
            }
            _ => return self.say("go to a field that was changed on both sides first"),
        };
        modify.choices.insert(field, choice.clone());
        review.look();
    }

    /// Back to the form, to the field under the cursor.
    fn edit_reviewed(&mut self) -> Vec<Effect> {
        let Some(review) = &self.review else {
            return Vec::new();
        };
        if !review.from_form || self.form.is_none() {
            self.say("there is no form behind this review: e on the run opens one");
            return Vec::new();
        }
        let field = match &review.of {
            ReviewOf::Modify(modify) => modify.merges.get(review.cursor).map(|merge| merge.field),
            ReviewOf::Create(_) => None,
        };
        self.review = None;
        self.screen = Screen::Form;
        if let (Some(form), Some(field)) = (&mut self.form, field) {
            form.stop = super::Stop::Field(field);
        }
        Vec::new()
    }

    /// Nothing is left to send: the form is closed, and its draft goes to those that are discarded.
    fn close_settled(&mut self) -> Vec<Effect> {
        let effects = self.finish_form();
        self.screen = self
            .review
            .take()
            .map_or(Screen::Runs, |review| review.back);
        self.say("the form is closed; the service keeps what it has, and the draft lies in drafts/discarded");
        effects
    }

    fn leave_review(&mut self) -> Vec<Effect> {
        let Some(review) = &self.review else {
            return Vec::new();
        };
        if review.sending.is_some() {
            self.complain("a write is under way: wait for its answer");
            return Vec::new();
        }
        self.screen = if review.from_form && self.form.is_some() {
            Screen::Form
        } else {
            review.back
        };
        if self.screen == Screen::Form && self.form.is_none() {
            self.screen = Screen::Runs;
        }
        self.review = None;
        Vec::new()
    }

    /// Sends what the review shows, once.
    fn send_review(&mut self) -> Vec<Effect> {
        if !self.may_write() {
            return Vec::new();
        }
        let id = RequestId(self.last_id + 1);
        let Some(review) = self.review.as_mut().filter(|review| review.can_send()) else {
            return Vec::new();
        };
        let effect = match &mut review.of {
            ReviewOf::Modify(modify) => {
                let Some(opened) = modify
                    .theirs
                    .value()
                    .filter(|_| modify.theirs.asked().is_none())
                else {
                    self.say("what the service has is not here yet");
                    return Vec::new();
                };
                if let Some(field) = modify.undecided().first() {
                    let words = format!(
                        "{} was changed on both sides: m keeps mine, t takes theirs",
                        field.name()
                    );
                    review.look();
                    self.complain(words);
                    return Vec::new();
                }
                let texts = modify.changes();
                if texts.is_empty() {
                    let from_form = review.from_form;
                    self.say(if from_form {
                        "nothing is left to change: Enter on the first button closes the form, and its draft goes"
                    } else {
                        "nothing is left to change: the service has it all"
                    });
                    return Vec::new();
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
                Effect::Modify {
                    id,
                    modify: Box::new(modify),
                }
            }
            ReviewOf::Create(review) => {
                review.looked = Remote::default();
                review.ends.retain(|end| !end.run.is_nothing());
                let mut create = review.create.clone();
                // Those that are there stay as they are; the rest goes on.
                create.runs.drain(..review.ends.len());
                Effect::Create {
                    id,
                    create: Box::new(create),
                }
            }
        };
        self.last_id += 1;
        review.sending = Some(id);
        review.steps.clear();
        review.look();
        let mut effects = Vec::new();
        if review.from_form {
            // Should this program end before the answer comes, the draft says that it was sent.
            self.mark_sent(
                "the program ended before the answer came; the journal (@) shows the request",
                titles_of(&effect),
            );
            effects.extend(self.keep_form());
        }
        effects.push(effect);
        effects
    }
}

/// The titles of the new runs that an effect sends.
fn titles_of(effect: &Effect) -> Vec<String> {
    match effect {
        Effect::Create { create, .. } => create.runs.iter().map(|run| run.title.clone()).collect(),
        _ => Vec::new(),
    }
}

fn modify_review(
    id: RequestId,
    run: DocRef,
    run_name: String,
    base: RunTexts,
    mine: RunTexts,
) -> ModifyReview {
    let mut theirs = Remote::default();
    theirs.ask(id);
    ModifyReview {
        run,
        run_name,
        base,
        mine,
        theirs,
        merges: Vec::new(),
        choices: Choices::new(),
        values: RunValues::new(),
        undo_of: None,
        end: None,
        doubt: false,
    }
}
