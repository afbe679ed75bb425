//! Updates of the review by actions and answers.

use super::{Button, CreateReview, ModifyReview, Review, ReviewOf};
use crate::domain::{
    Create, Created, Deed, DraftSent, FailureKind, Modify, NewRun, Resolution, Undo, UndoBy,
    Verdict, Why,
};
use crate::screens::form::{Form, Forms, Stop};
use crate::screens::prelude::*;
use crate::store::Notice;
use crate::store::RunPart;
use crate::store::cx::{UNCHANGED, UNDER_WAY};
use crate::ui::question::{Asked, Question};

/// Message that a field must be decided, with the keys.
fn to_decide(field: RunField, modify: &ModifyReview, cx: &Cx) -> String {
    let key = |sign, action, does| cx.shared.then_key(sign, Layer::Review, action, does);
    let (changed, mine, theirs) = if modify.undo_of.is_some() {
        ("since", "takes the old value", "keeps what it is now")
    } else {
        ("on both sides", "keeps mine", "takes theirs")
    };
    let mine = key(": ", &Action::KeepMine, mine);
    let theirs = key(", ", &Action::TakeTheirs, theirs);
    format!("{} was changed {changed}{mine}{theirs}", field.label())
}

/// Returns the warnings of what is sent from a form.
fn warnings(form: &Form, of: &ReviewOf, cx: &Cx) -> Vec<String> {
    let mut warnings = form.warnings();
    if let ReviewOf::Create(create) = of
        && let here = cx.shared.in_use().scope_name()
        && let Some(run) = create.create.runs.first()
        && let Some(goes) = Create::other_project(run, &here)
    {
        let changes = goes.replace('/', " ");
        let (form, drafts) = (Layer::Form, &Action::Drafts);
        let opens = cx
            .shared
            .then_key(", then ", form, drafts, "for this draft");
        warnings.push(format!(
            "It is of {goes} and is sent from {here}: the service may refuse it. First \":project {changes}\"{opens}."
        ));
    }
    warnings
}

impl Forms {
    /// Handles Ctrl-s in the form: opens the review.
    pub fn open_review(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return cx.say("no form is open; drafts are kept");
        };
        // A draft can be read there, too.
        if cx.shared.is_read_only() {
            return cx.complain(UNCHANGED);
        }
        if !form.ready {
            return match form.source.failure() {
                Some(failure) => cx.complain(failure.line()),
                None => cx.say("the run is not here yet"),
            };
        }
        if !form.check() {
            return cx.complain("not yet: see beside the field");
        }
        let of = match (&form.of, &form.base) {
            (FormFor::Edit(_), Some(_)) if form.changed().is_empty() && form.sent.is_none() => {
                return cx.say("nothing is changed: there is nothing to save");
            }
            (FormFor::Edit(_), Some(base)) => {
                let (name, mine) = (form.run_name.clone(), form.texts());
                let mut review = ModifyReview::read(base, name, texts_of(base), mine, cx);
                review.decided = std::mem::take(&mut form.decided);
                ReviewOf::Modify(review)
            }
            (FormFor::Edit(_), None) => return cx.say("the run is not here yet"),
            (FormFor::New | FormFor::Clone(_), _) => {
                form.survey_again(cx);
                ReviewOf::Create(CreateReview::of(form.plan(), form.sent.is_some()))
            }
        };
        self.review_form(of, cx);
    }

    fn show_review(&mut self, of: ReviewOf, warnings: Vec<String>, from_form: bool) {
        self.review = Some(Review {
            of,
            // The fields to decide are not loaded yet; the focus moves when they are.
            question: Question::default(),
            sending: false,
            steps: Vec::new(),
            sent: None,
            warnings,
            from_form,
            sent_before: None,
        });
    }

    /// Opens a review that creates a new run from the texts of a deleted one. The draft stays until the run is created.
    fn make_new(&mut self, cx: &mut Cx) {
        let Some(form) = &self.form else { return };
        let sent = form.sent.as_ref();
        let sent_before = sent.is_some_and(|sent| !sent.titles.is_empty());
        let create = CreateReview::of(form.plan(), sent_before);
        self.review_form(ReviewOf::Create(create), cx);
    }

    /// Takes the suites of a clone into its review once they are known. A verb is answered once they were seen.
    pub(crate) fn suites_known(&mut self, cx: &Cx) {
        let review = self.review.as_mut();
        let (Some(form), Some(review)) = (&self.form, review.filter(|it| it.from_form)) else {
            return;
        };
        if let ReviewOf::Create(create) = &mut review.of
            && create.ends.is_empty()
            && !review.sending
        {
            create.create.suites = form.plan().suites;
            review.warnings = warnings(form, &review.of, cx);
            *review.question.scroll() = TextBox::default();
        }
    }

    fn review_form(&mut self, of: ReviewOf, cx: &mut Cx) {
        let form = self.form.as_ref();
        let warnings = form.map_or_else(Vec::new, |form| warnings(form, &of, cx));
        self.find_sent(cx);
        self.show_review(of, warnings, true);
        self.show_lookup();
    }

    /// Opens the review of an undo: of a change of fields, or of a deletion.
    pub fn review_undo(&mut self, undo: Undo, cx: &mut Cx) {
        match undo.by {
            UndoBy::Modify {
                before,
                values,
                after,
                now,
            } => {
                let name = RunRow::from_document(&now).full_name();
                // Compared with the result of the write, the old values are the wanted ones; later changes of others
                // are conflicts.
                let mut review = ModifyReview::read(&now, name, after, before, cx);
                (review.undo_of, review.values) = (Some(undo.write), values);
                self.show_review(ReviewOf::Modify(review), undo.warnings, false);
            }
            UndoBy::Rebuild(create) => {
                let create = Create {
                    undo_of: Some(undo.write),
                    ..create
                };
                let create = ReviewOf::Create(CreateReview::of(create, false));
                self.show_review(create, undo.warnings, false);
            }
            UndoBy::Suites(_) | UndoBy::Delete(_) => {}
        }
    }

    pub(crate) fn update_review(&mut self, action: Action, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        // Between the button Back and the runs that were found stands the one that would make another.
        let (rows, asks) = (review.rows(), !review.question.request);
        let is_new = matches!(review.of, ReviewOf::Create(_)) && asks && rows > 0;
        if is_new && action == Action::Move(Motion::Up) {
            review.question.focus = review.question.focus.min(rows);
        }
        match review.question.update(action, review.stops(), cx) {
            Asked::Done => {}
            Asked::Leave => self.leave_review(cx),
            Asked::Row(row) => self.open_row(row, cx),
            Asked::Button(nth) => {
                let button = review.buttons().get(nth).map(|(button, _)| *button);
                self.press(button, cx);
            }
            Asked::Other(Action::Save) if review.sending => {
                cx.complain(UNDER_WAY);
            }
            Asked::Other(Action::Save) => {
                let first = review
                    .buttons()
                    .first()
                    .map(|(button, _)| *button)
                    .filter(|it| matches!(it, Button::Send | Button::MakeNew));
                // If nothing can be sent, the run is read first.
                let meant = first.or(review.is_unread().then_some(Button::Send));
                if review.question.may_answer(cx) {
                    self.press(meant, cx);
                }
            }
            Asked::Other(Action::Edit) if !review.sending => self.edit_reviewed(cx),
            Asked::Other(Action::KeepMine) => self.decide(&Resolution::Mine, cx),
            Asked::Other(Action::TakeTheirs) => self.decide(&Resolution::Theirs, cx),
            Asked::Other(Action::Refresh) => self.read_reviewed(cx),
            Asked::Other(other) => cx.anywhere(other),
        }
    }

    fn press(&mut self, button: Option<Button>, cx: &mut Cx) {
        let unread = self.review.as_ref().is_some_and(Review::is_unread);
        match button {
            Some(Button::Send) if unread => self.read_reviewed(cx),
            Some(Button::Send) => self.send_review(cx),
            Some(Button::MakeNew) => self.make_new(cx),
            Some(Button::Close) => self.close_settled(cx),
            Some(Button::Back) => self.leave_review(cx),
            None => cx.say("nothing is left to send"),
        }
    }

    /// Reads the run again and repeats the search for an earlier sending, which may have come into effect since.
    pub(crate) fn read_reviewed(&mut self, cx: &mut Cx) {
        let Some(review) = self.review.as_mut() else {
            return;
        };
        match &mut review.of {
            _ if review.sending => {}
            ReviewOf::Modify(modify) if !modify.theirs.is_reading() => {
                modify.ask(cx);
                self.find_sent(cx);
            }
            ReviewOf::Create(create) if create.sent_before && !create.lookup.is_reading() => {
                self.find_sent(cx);
                self.show_lookup();
            }
            ReviewOf::Modify(_) | ReviewOf::Create(_) => {}
        }
    }

    /// Handles Enter on a row. In a change it moves to the next undecided field, else to the buttons, and never leaves
    /// the review; a found run is accepted as the requested one.
    fn open_row(&mut self, row: usize, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        match &review.of {
            ReviewOf::Modify(modify) => match modify.undecided_after(Some(row)) {
                Some((place, field)) => {
                    cx.complain(to_decide(field, modify, cx));
                    review.question.focus = place;
                }
                None => review.focus_first(),
            },
            ReviewOf::Create(create) => {
                let Some(row) = create.found().get(row).cloned() else {
                    return;
                };
                let name = row.name().to_owned();
                // Of several sent runs, the one that is left in the plan may be another one.
                let sent = self.form.as_ref().and_then(|form| form.sent.as_ref());
                let several = sent.is_some_and(|sent| sent.titles.len() > 1);
                let title = row.title.as_deref().map(str::trim);
                let runs = &create.create.runs;
                let other = runs.iter().all(|run| Some(run.title().trim()) != title);
                if runs.len() > 1 || several && other {
                    return self.leave_out(&row, cx);
                }
                let has_suites = !create.create.suites.is_empty();
                self.finish(cx);
                if self.form.is_none() {
                    cx.home();
                }
                cx.learn(Fact::Wrote(None));
                let words = format!("{name} is taken as the run that was sent");
                if !has_suites {
                    return cx.say(words);
                }
                // There it is looked at, and its suites are added; in a form the key is a letter.
                let journal = &Action::Show(Layer::Journal);
                let more = match self.form {
                    Some(_) => String::new(),
                    None => cx
                        .shared
                        .key_does(Layer::Runs, journal, "shows what is left of it."),
                };
                let words = format!("{words}; its suites were not added by this program.");
                cx.notice = Some(Notice::new(words, false).then(more));
            }
        }
    }

    /// Decides the conflict under the cursor, else the first open one, and moves the cursor there for a correction.
    fn decide(&mut self, choice: &Resolution, cx: &mut Cx) {
        let Some(Review {
            of: ReviewOf::Modify(modify),
            question,
            sending: false,
            ..
        }) = &mut self.review
        else {
            return;
        };
        let at = question.focus;
        let conflicts: Vec<RunField> = modify
            .merges
            .iter()
            .filter(|merge| merge.verdict == Verdict::Conflict)
            .map(|merge| merge.field)
            .collect();
        let here = modify
            .shown()
            .nth(at)
            .map(|merge| merge.field)
            .filter(|field| conflicts.contains(field));
        let open = modify.undecided().first().copied();
        let field = match (here.or(open), conflicts.as_slice()) {
            (Some(field), _) => field,
            (None, [field]) => *field,
            (None, []) => {
                return cx.say("no field was changed on both sides: there is nothing to decide");
            }
            _ => return cx.say("all are decided: go to the one that is to be another"),
        };
        if modify.choices.insert(field, choice.clone()).as_ref() == Some(choice) {
            cx.say(format!("{}: decided so already", field.label()));
        }
        let place = modify.shown().position(|merge| merge.field == field);
        question.focus = place.unwrap_or(at);
        // Scrolls back so that the decision is visible.
        question.scroll().rewind();
    }

    /// Returns to the form, to the field under the cursor.
    fn edit_reviewed(&mut self, cx: &mut Cx) {
        let Some(review) = &self.review else {
            return;
        };
        if !review.from_form || self.form.is_none() {
            return cx.say("there is no form behind this review: edit the run to open one");
        }
        let field = match &review.of {
            ReviewOf::Modify(modify) => modify.shown().nth(review.question.focus),
            ReviewOf::Create(_) => None,
        };
        if let (Some(form), Some(merge)) = (&mut self.form, field) {
            form.stop = Stop::Field(merge.field);
        }
        self.back_to_form();
    }

    /// Closes the review; its decisions hold for the next one of the form.
    fn back_to_form(&mut self) {
        if let Some(ReviewOf::Modify(mut modify)) = self.review.take().map(|review| review.of)
            && let Some(form) = self.form.as_mut().filter(|_| modify.undo_of.is_none())
        {
            form.decided = modify.take_decided();
            // What was read for the review is what the form tells of the service.
            if let Some((now, at)) = modify.theirs.value().zip(modify.theirs.read_at()) {
                form.source.put(now.clone(), at);
            }
        }
    }

    /// Closes the form when nothing is left to send; its draft goes to the discarded ones.
    fn close_settled(&mut self, cx: &mut Cx) {
        self.finish(cx);
        cx.close(Layer::Form);
        cx.say("the form is closed; the service keeps what it has, and the draft lies in drafts/discarded");
    }

    fn leave_review(&mut self, cx: &mut Cx) {
        let Some(review) = &self.review else {
            return;
        };
        if review.sending {
            return cx.complain(UNDER_WAY);
        }
        let sent_before = self.form.as_ref().is_some_and(|form| form.sent.is_some());
        if review.was_not_sent() && !sent_before {
            cx.say("nothing was sent");
        }
        self.back_to_form();
        if self.form.is_none() {
            cx.close(Layer::Form);
        }
    }

    /// Sends the request of the review once.
    fn send_review(&mut self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let Some(review) = self.review.as_mut().filter(|review| review.can_send()) else {
            return;
        };
        let write;
        let mut sent = DraftSent {
            at: cx.now,
            // If this program ends before the answer arrives, the draft shows that it was sent.
            words: "the program ended before the answer came; my changes show the request".into(),
            ..DraftSent::default()
        };
        let slot = match &mut review.of {
            ReviewOf::Modify(modify) => {
                let theirs = &modify.theirs;
                let Some(opened) = theirs.value().filter(|_| !theirs.is_reading()) else {
                    return cx.complain("nothing was sent: it was still being read; press again");
                };
                if let Some(field) = modify.undecided().first() {
                    let words = to_decide(*field, modify, cx);
                    review.focus_first();
                    return cx.complain(words);
                }
                let texts = modify.changes();
                if texts.is_empty() {
                    return cx.say(if review.from_form {
                        "nothing is left to change: the first button closes the form, and its draft goes"
                    } else {
                        "nothing is left to change: the service has it all"
                    });
                }
                modify.end = None;
                sent.saves = vec![texts.clone()];
                let modify = Box::new(Modify {
                    run: modify.run.clone(),
                    run_name: modify.run_name.clone(),
                    reviewed: opened.document.clone(),
                    texts,
                    values: modify.values.clone(),
                    undo_of: modify.undo_of.clone(),
                });
                write = Request::Modify(modify);
                Slot::Save
            }
            ReviewOf::Create(_)
                if review.from_form && self.form.as_ref().is_some_and(Form::reads_suites_again) =>
            {
                return cx
                    .complain("nothing was sent: the suites were still being read; press again");
            }
            ReviewOf::Create(review) => {
                let seen = review.found().iter().map(|row| row.doc_ref.clone());
                let mut create = review.create.clone();
                create.seen = seen.collect();
                review.lookup = Remote::default();
                review.ends.retain(|end| !end.run.is_nothing());
                // Created runs stay; the others are created now.
                create.runs.drain(..review.ends.len());
                let titles = create.runs.iter().map(|run| run.title().to_owned());
                sent.titles = titles.collect();
                let create = Box::new(create);
                write = Request::Create(create);
                Slot::Create
            }
        };
        review.sending = true;
        review.steps.clear();
        review.focus_first();
        review.question.scroll().rewind();
        if let Some(form) = self.reviewed_form() {
            // An answer requested before says nothing about this sending.
            cx.give_up(&Slot::FormSent);
            cx.give_up(&Slot::FormRun);
            form.source.cancel();
            let end = form.ended().and_then(|ended| ended.end);
            let before = form.sent.clone().filter(|_| end.is_none());
            form.lookup = Remote::default();
            // Earlier sendings are searched for too, but for what never went out.
            form.sent = Some(match form.sent.take() {
                Some(before) if !matches!(end, Some(End::NotSent(_))) => before.and(sent),
                _ => sent,
            });
            if let Some(review) = &mut self.review {
                review.sent_before = before;
            }
            self.keep(cx);
        }
        cx.request(slot, write);
    }

    /// Takes the run of a review.
    pub(crate) fn on_reviewed(&mut self, result: Result<Box<Opened>, Failure>, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let at = review.question.focus;
        let here = modify.shown().nth(at).map(|merge| merge.field);
        let name = modify.id.as_deref().unwrap_or(&modify.run_name);
        cx.accept_before_write(
            &mut modify.theirs,
            result.map_err(|failure| failure.of_run(name)),
        );
        match modify.theirs.failure() {
            // One of document and list may be out of date.
            Some(failure) if failure.kind == FailureKind::NotFound => {
                if let Some(name) = &modify.id {
                    cx.find_run(Slot::ReviewedInList, name);
                }
            }
            read => {
                // The reason is in the box.
                if read.is_some() {
                    let end = modify.end.as_ref().map(|end| end.end);
                    let words = match end {
                        Some(End::Unknown) => "could not be read, either",
                        _ => "could not be read first: nothing was sent now",
                    };
                    cx.besides(Notice::new(format!("{name} {words}"), true));
                }
                modify.absent = 0;
            }
        }
        let read = modify.theirs.newest().map(|opened| opened.document.clone());
        if read.is_some() {
            // The current values are shown in place of the unknown end.
            let unknown = modify.end.take_if(|end| end.end == End::Unknown);
            modify.doubt |= unknown.is_some();
        }
        modify.compare();
        modify.doubt &= !modify.is_in_effect();
        // A new reading keeps the cursor on its field.
        let place = modify.shown().position(|merge| Some(merge.field) == here);
        review.focus_first();
        if let Some(place) = place {
            review.question.focus = place;
        }
        if let Some(document) = read {
            self.compare_sent(&document, cx);
        }
    }

    /// Takes the answer of the list for a run that was not found.
    pub(crate) fn on_listed(&mut self, result: Result<RunsPage, Failure>, cx: &mut Cx) {
        let Some(review) = &mut self.review else {
            return;
        };
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let (run, id) = (&modify.run, modify.id.as_deref().unwrap_or_default());
        let absent = result.is_ok_and(|page| page.rules_out(run, id));
        modify.absent = if absent { modify.absent + 1 } else { 0 };
        if modify.absent == 1 {
            let does = "reads both once more";
            let reads = cx
                .shared
                .then_key(": ", Layer::Review, &Action::Refresh, does);
            let run = &modify.run_name;
            cx.complain(format!("{run} is not in the list either{reads}"));
        } else if modify.is_gone() {
            cx.learn(Fact::Gone(modify.run.clone()));
        }
        review.focus_first();
    }

    pub(crate) fn modified(&mut self, end: Outcome, cx: &mut Cx) {
        let Some(review) = self.review.as_mut().filter(|review| review.sending) else {
            return;
        };
        review.sending = false;
        let [doubtful, unsent] = review.leaves();
        let ReviewOf::Modify(modify) = &mut review.of else {
            return;
        };
        let run = modify.run.clone();
        if modify.closes() {
            cx.shared.in_no_run.clear();
        }
        let words = end.headline(modify.deed(&modify.name()));
        if end.is_complete() {
            self.finish(cx);
            if self.form.is_none() {
                cx.close(Layer::Form);
            }
            cx.learn(Fact::Wrote(Some(run)));
            cx.ended(words, false);
            return;
        }
        let is_moved = matches!(end.end, End::NotSent(Why::Moved | Why::NothingToDo));
        let moved = end.document.clone().filter(|_| is_moved);
        let message = match end.end {
            End::NotSent(Why::Moved) => format!("{}; look again", end.why),
            End::NotSent(Why::NothingToDo) => end.words(modify.deed(&modify.name())),
            End::Unknown => words + doubtful,
            End::Refused | End::NotSent(_) => words + unsent,
            End::Done => words,
        };
        if let Some(document) = moved.as_deref() {
            let (document, json) = (document.clone(), Vec::new());
            let opened = Box::new(Opened { document, json });
            modify.theirs.put(opened, cx.now);
            modify.compare();
            modify.doubt &= !modify.is_in_effect();
        }
        if end.end == End::Unknown {
            self.still_sent(&end.why);
        } else {
            self.mark_not_sent(&message);
        }
        if let Some(review) = &mut self.review {
            if let ReviewOf::Modify(modify) = &mut review.of {
                modify.end = Some(end);
            }
            review.focus_first();
        }
        if let Some(document) = moved {
            self.compare_sent(&document, cx);
        }
        cx.ended(message, true);
        self.keep(cx);
        cx.learn(Fact::Wrote(Some(run)));
    }

    pub(crate) fn created(&mut self, end: Created, cx: &mut Cx) {
        let Some(review) = self.review.as_mut().filter(|review| review.sending) else {
            return cx.end_requests(|slot| *slot == Slot::Create);
        };
        let [doubtful, unsent] = review.leaves();
        let ReviewOf::Create(create) = &mut review.of else {
            return;
        };
        let made = end.run.is_complete();
        let made_run = end.run.document.as_deref().map(RunRow::from_document);
        let title = create.create.runs.get(create.ends.len());
        let name = made_run
            .as_ref()
            .map(RunRow::name)
            .or(title.map(NewRun::title));
        let words = end.run.headline(Deed::Create(name.unwrap_or_default()));
        let unknown = (!made && !end.run.is_nothing()).then(|| end.run.why.clone());
        create.ends.push(end);
        let (done, all) = (create.is_done(), create.create.runs.len());
        let made_before = create.ends.iter().filter(|end| !end.run.is_nothing());
        let made_before = made_before.count();
        let as_sent = create.ends.iter().all(|end| {
            let suites = end.suites.as_ref();
            suites.is_none_or(|suites| suites.other_parts().is_empty())
        });
        let has_no_suite = create.has_no_suite();
        if made && !done {
            return;
        }
        cx.end_requests(|slot| *slot == Slot::Create);
        review.sending = false;
        review.focus_first();
        review.question.scroll().rewind();
        if done {
            if review.from_form {
                self.drop_form(cx);
            }
            let words = match all {
                1 => words,
                all => format!("{all} runs created"),
            };
            if let (true, 1, Some(made)) = (as_sent, all, made_run) {
                self.review = None;
                if self.form.is_none() {
                    cx.home();
                }
                let made = Arc::new(Run::new(&made, cx.now));
                cx.open(Open::Run(made, RunPart::Part(0)));
            }
            // Results by run stay on the screen until the user leaves.
            if as_sent {
                cx.ended(words, false);
            } else {
                let which = if has_no_suite { "no" } else { "not every" };
                let words = format!("{words}, but {which} suite is in");
                cx.ended(words, true);
            }
        } else if let Some(why) = unknown {
            self.still_sent(&why);
            self.keep(cx);
            cx.ended(words + doubtful, true);
        } else if made_before > 0 {
            // The form would make these once more: they are looked for before it is sent again.
            let words = format!("{made_before} of {all} runs created; {words}");
            self.still_sent(&words);
            self.keep(cx);
            cx.ended(words + doubtful, true);
        } else {
            self.mark_not_sent(&words);
            self.keep(cx);
            cx.ended(words + unsent, true);
        }
        cx.learn(Fact::Wrote(None));
    }

    /// Notes why the draft stays marked as sent.
    fn still_sent(&mut self, why: &str) {
        if let Some(sent) = self.reviewed_form().and_then(|form| form.sent.as_mut()) {
            why.clone_into(&mut sent.words);
        }
    }

    /// Removes the mark of a sending that had no effect or a reported one. That of one before it stays, with what came of
    /// this one if that were new runs.
    fn mark_not_sent(&mut self, words: &str) {
        let Some(review) = &mut self.review else {
            return;
        };
        let before = review.sent_before.take();
        if matches!(&review.of, ReviewOf::Create(create) if create.sent_before) {
            self.still_sent(&format!("later sent again: {words}"));
        } else if let Some(form) = self.reviewed_form() {
            form.sent = before;
        }
    }

    /// The form of the review; `None` for an undo.
    fn reviewed_form(&mut self) -> Option<&mut Form> {
        let of_it = self.review.as_ref().is_some_and(|review| review.from_form);
        self.form.as_mut().filter(|_| of_it)
    }

    /// Closes review and form and drops the draft after the texts were written. After an undo the form below stays
    /// open.
    fn finish(&mut self, cx: &mut Cx) {
        if self.review.take().is_some_and(|review| review.from_form) {
            self.drop_form(cx);
        }
    }
}
