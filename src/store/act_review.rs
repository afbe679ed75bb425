//! What actions and events do to a review: nothing is sent before its button was pressed.

use super::changes::name_of;
use super::message::{Action, Effect, Motion, Opened, RequestId};
use super::remote::Remote;
use super::review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
use super::{Failure, Screen, Store};
use crate::model::{
    Choice as MergeChoice, Choices, ChunkResult, Create, CreateEnd, DocRef, FormFor, Modify, ModifyEnd, NewRun,
    RunField, RunRow, RunTexts, Undo, UndoBy, texts_of,
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
                let review = modify_review(id, run.clone(), form.run_name.clone(), texts_of(base), mine);
                let effect = Effect::GetDocument { id, doc_ref: run.clone() };
                (ReviewOf::Modify(review), vec![effect])
            }
            (FormFor::Edit(_), None) => {
                self.say("the run is not here yet");
                return Vec::new();
            }
            (FormFor::New | FormFor::Clone(_), _) => {
                (ReviewOf::Create(CreateReview { create: form.plan(), ends: Vec::new() }), Vec::new())
            }
        };
        let warnings = form.warnings();
        self.show_review(of, warnings, true);
        effects
    }

    fn show_review(&mut self, of: ReviewOf, warnings: Vec<String>, from_form: bool) {
        let back = if from_form { Screen::Form } else { self.screen };
        let mut review =
            Review { of, cursor: 0, raw: false, top: 0, sending: None, steps: Vec::new(), warnings, back, from_form };
        review.look();
        self.review = Some(review);
        self.screen = Screen::Review;
    }

    /// Shows how a change of fields is taken back, or how a deleted run is made again.
    pub(super) fn review_undo(&mut self, undo: Undo) -> Vec<Effect> {
        match undo.by {
            UndoBy::Modify { before, after, now } => {
                let id = self.number();
                let run = now.doc_ref().clone();
                let name = RunRow::from_document(&now).full_name();
                // Against what the write left behind, the old values are the wish: what others wrote since is a conflict.
                let mut review = modify_review(id, run.clone(), name, after, before);
                review.undo_of = Some(undo.write);
                self.show_review(ReviewOf::Modify(review), undo.warnings, false);
                vec![Effect::GetDocument { id, doc_ref: run }]
            }
            UndoBy::Rebuild(create) => {
                let create = Create { undo_of: Some(undo.write), ..create };
                self.show_review(ReviewOf::Create(CreateReview { create, ends: Vec::new() }), undo.warnings, false);
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
            Action::Move(motion) => {
                review.top = match motion {
                    Motion::Down => review.top.saturating_add(1),
                    Motion::Up => review.top.saturating_sub(1),
                    Motion::PageDown | Motion::HalfPageDown => review.top.saturating_add(10),
                    Motion::PageUp | Motion::HalfPageUp => review.top.saturating_sub(10),
                    Motion::First => 0,
                    Motion::Last => u16::MAX,
                };
            }
            Action::Raw => (review.raw, review.top) = (!review.raw, 0),
            Action::Back if review.raw => review.raw = false,
            Action::Back => return self.leave_review(),
            Action::Edit if review.sending.is_none() => return self.edit_reviewed(),
            Action::KeepMine => self.decide(&MergeChoice::Mine),
            Action::TakeTheirs => self.decide(&MergeChoice::Theirs),
            Action::Save => return self.send_review(),
            Action::Open => match review.button() {
                Some(Button::Send) => return self.send_review(),
                Some(Button::Back) => return self.leave_review(),
                None => return self.open_row(),
            },
            other => return self.act_anywhere(other),
        }
        Vec::new()
    }

    /// Enter on a row: a field is decided or edited, a run that was found is taken as the one that was asked for.
    fn open_row(&mut self) -> Vec<Effect> {
        let Some(review) = &mut self.review else { return Vec::new() };
        match &review.of {
            ReviewOf::Modify(_) => self.edit_reviewed(),
            ReviewOf::Create(create) => {
                let Some(row) = create.found().get(review.cursor).cloned() else { return Vec::new() };
                let name = row.name().to_owned();
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

    fn decide(&mut self, choice: &MergeChoice) {
        let Some(review) = &mut self.review else { return };
        let at = review.cursor;
        let ReviewOf::Modify(modify) = &mut review.of else { return };
        let Some(merge) = modify.merges.get(at) else {
            return self.say("go to a field first: m keeps mine, t takes theirs");
        };
        modify.choices.insert(merge.field, choice.clone());
        review.look();
    }

    /// Back to the form, to the field under the cursor.
    fn edit_reviewed(&mut self) -> Vec<Effect> {
        let Some(review) = &self.review else { return Vec::new() };
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

    fn leave_review(&mut self) -> Vec<Effect> {
        let Some(review) = &self.review else { return Vec::new() };
        if review.sending.is_some() {
            self.complain("a write is under way: wait for its answer");
            return Vec::new();
        }
        self.screen = if review.from_form && self.form.is_some() { Screen::Form } else { review.back };
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
        let Some(review) = self.review.as_mut().filter(|review| review.can_send()) else { return Vec::new() };
        let effect = match &mut review.of {
            ReviewOf::Modify(modify) => {
                let Some(opened) = modify.theirs.value().filter(|_| modify.theirs.asked().is_none()) else {
                    self.say("what the service has is not here yet");
                    return Vec::new();
                };
                if let Some(field) = modify.undecided().first() {
                    let words = format!("{} was changed on both sides: m keeps mine, t takes theirs", field.name());
                    review.look();
                    self.complain(words);
                    return Vec::new();
                }
                let texts = modify.changes();
                if texts.is_empty() {
                    self.say("nothing is left to change: the service has it all");
                    return Vec::new();
                }
                modify.end = None;
                let modify = Modify {
                    run: modify.run.clone(),
                    run_name: modify.run_name.clone(),
                    reviewed: opened.document.clone(),
                    texts,
                    undo_of: modify.undo_of.clone(),
                };
                Effect::Modify { id, modify: Box::new(modify) }
            }
            ReviewOf::Create(review) => {
                review.ends.retain(|end| !matches!(end, CreateEnd::Not(_)));
                let mut create = review.create.clone();
                // Those that are there stay as they are; the rest goes on.
                create.runs.drain(..review.ends.len());
                Effect::Create { id, create: Box::new(create) }
            }
        };
        self.last_id += 1;
        review.sending = Some(id);
        review.steps.clear();
        review.look();
        let mut effects = Vec::new();
        if review.from_form {
            // Should this program end before the answer comes, the draft says that it was sent.
            self.mark_sent("the program ended before the answer came; the journal (@) shows the request");
            effects.extend(self.keep_form());
        }
        effects.push(effect);
        effects
    }

    /// The run of a review has come; `None` if nobody asked for this one.
    pub(super) fn review_source_came(
        &mut self,
        id: RequestId,
        result: &Result<Box<Opened>, Failure>,
    ) -> Option<Vec<Effect>> {
        let now = self.now;
        let review = self.review.as_mut()?;
        let ReviewOf::Modify(modify) = &mut review.of else { return None };
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
        if let Some(review) = self.review.as_mut().filter(|review| review.sending == Some(id)) {
            review.steps.push(step.clone());
        }
    }

    pub(super) fn modified(&mut self, id: RequestId, end: ModifyEnd) -> Vec<Effect> {
        let now = self.now;
        let Some(review) = self.review.as_mut().filter(|review| review.sending == Some(id)) else { return Vec::new() };
        review.sending = None;
        let ReviewOf::Modify(modify) = &mut review.of else { return Vec::new() };
        let run = modify.run.clone();
        match &end {
            ModifyEnd::Saved { how, .. } => {
                let words = format!("{} is saved: {how}", modify.run_name);
                let mut effects = self.finish_form();
                let back = self.review.take().map_or(Screen::Runs, |review| review.back);
                if matches!(self.screen, Screen::Review | Screen::Form) {
                    self.screen = back;
                }
                effects.extend(self.reread_run(&run));
                self.say(words);
                return effects;
            }
            ModifyEnd::Moved(document) => {
                let opened = Opened { document: (**document).clone(), json: Vec::new() };
                modify.theirs.put(Box::new(opened), now);
                modify.compare();
                self.mark_not_sent();
            }
            ModifyEnd::Unknown(words) => {
                let words = words.clone();
                self.mark_sent(&words);
            }
            ModifyEnd::Not(_) | ModifyEnd::Differs { .. } => self.mark_not_sent(),
        }
        let told = match &end {
            ModifyEnd::Moved(_) => "somebody wrote meanwhile: nothing was sent; look again",
            ModifyEnd::Not(_) => "not saved; the form is as it was",
            ModifyEnd::Differs { .. } => "saved, but the service shows something else",
            ModifyEnd::Unknown(_) | ModifyEnd::Saved { .. } => "sent, outcome unknown; the draft is kept",
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
        let Some(review) = self.review.as_mut().filter(|review| review.sending == Some(id)) else { return Vec::new() };
        let ReviewOf::Create(create) = &mut review.of else { return Vec::new() };
        let made = matches!(end, CreateEnd::Made { .. });
        let unknown = match &end {
            CreateEnd::Unknown { why, .. } => Some(why.clone()),
            CreateEnd::Unsure { what, .. } => Some(what.clone()),
            _ => None,
        };
        let name = match &end {
            CreateEnd::Made { document, .. } => RunRow::from_document(document).full_name(),
            _ => String::new(),
        };
        create.ends.push(end);
        let (done, all) = (create.is_done(), create.create.runs.len());
        let whole = create.ends.iter().all(|end| match end {
            CreateEnd::Made { suites, .. } => suites.as_ref().is_none_or(|suites| suites.not_done.is_empty()),
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
            let words =
                if all == 1 { format!("{name} is made and was read back") } else { format!("{all} runs are made") };
            if whole {
                self.review = None;
                self.screen = Screen::Runs;
                self.say(words);
            } else {
                self.complain(format!("{words}, but not every suite is in: see below"));
            }
        } else if let Some(words) = unknown {
            self.mark_sent(&words);
            effects.extend(self.keep_form());
            self.complain("sent, outcome unknown; the draft is kept and nothing is sent again by itself");
        } else {
            self.mark_not_sent();
            effects.extend(self.keep_form());
            self.complain("not made; the form is as it was");
        }
        self.reread_runs();
        effects
    }

    /// The form was sent and nobody knows what came of it: its draft says so.
    fn mark_sent(&mut self, words: &str) {
        let at = self.now;
        if let Some(form) = &mut self.form {
            form.sent = Some(crate::model::DraftSent { at, words: words.to_owned() });
        }
    }

    /// The form is known to have had no effect, or an effect that was told.
    fn mark_not_sent(&mut self) {
        if let Some(form) = &mut self.form {
            form.sent = None;
        }
    }

    /// What was in the form is with the service: the form is closed and its draft goes.
    fn finish_form(&mut self) -> Vec<Effect> {
        if !self.review.as_ref().is_some_and(|review| review.from_form) {
            return Vec::new();
        }
        let Some(form) = self.form.take() else { return Vec::new() };
        if let Some(review) = &mut self.review {
            review.back = form.back;
        }
        let mut effects: Vec<Effect> = form.draft.timer.map(Effect::Cancel).into_iter().collect();
        effects.extend(form.draft.key.map(|key| Effect::DropDraft { key }));
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

fn modify_review(id: RequestId, run: DocRef, run_name: String, base: RunTexts, mine: RunTexts) -> ModifyReview {
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
        undo_of: None,
        end: None,
    }
}

impl super::Form {
    /// The runs that a form for new ones asks for.
    fn plan(&self) -> Create {
        let texts = self.texts();
        let whole = NewRun::of_texts(&texts);
        let list = self.configurations();
        let runs = if self.matrix && list.len() > 1 {
            let one = |part: &String| NewRun {
                title: format!("{}: {part}", whole.title),
                configuration: part.clone(),
                ..whole.clone()
            };
            list.iter().map(one).collect()
        } else {
            vec![whole]
        };
        let suites = match self.suites.value().filter(|_| self.with_suites) {
            Some(attached) => attached.sure().map(|named| (named.suite.clone(), name_of(named))).collect(),
            None => Vec::new(),
        };
        let origin = match &self.of {
            FormFor::Clone(_) => format!("clone of {}", self.run_name),
            FormFor::New | FormFor::Edit(_) => "new run".to_owned(),
        };
        Create { runs, suites, origin, undo_of: None }
    }

    /// What the person should know before it is sent.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(sent) = &self.sent {
            warnings.push(format!("This form was sent before, and its outcome is unknown: {}", sent.words));
        }
        if matches!(self.of, FormFor::Clone(_)) {
            warnings.push(match self.suites.value() {
                _ if !self.with_suites => "Without suites: the new run is empty.".to_owned(),
                Some(attached) if attached.is_complete() => {
                    format!("With the suites of the source: {}.", attached.short())
                }
                Some(attached) => format!(
                    "NOT A FULL COPY: of the suites of the source only the sure ones go along ({}).",
                    attached.short()
                ),
                None => "The suites of the source are not known.".to_owned(),
            });
        }
        if self.texts().get(&RunField::Status).is_some_and(|status| status != "active") {
            warnings.push("Status is not active: what a run does then is not documented.".to_owned());
        }
        warnings
    }
}
