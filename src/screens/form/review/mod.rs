//! Review of a form or an undo: the requests before they are sent, by field for a change and by run for new runs, and
//! their results.

pub mod keys;
mod update;
mod view;

pub use view::{draw, status, value};

use crate::domain::fields::ID;
use crate::domain::{
    Choices, ChunkResult, Create, Created, Deed, DraftSent, FieldMerge, Lookup, Resolution,
    RunTexts, RunValues, Verdict, merge, resolved, undecided,
};
use crate::screens::prelude::*;
use crate::ui::question::{Question, Stops};

/// State of a review.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// Subject of the review.
    pub of: ReviewOf,
    /// Focus: fields or found runs, then the buttons.
    pub question: Question,
    /// True while the write is running.
    pub sending: bool,
    /// Results of the steps so far.
    pub steps: Vec<ChunkResult>,
    /// Words for an earlier sending.
    pub sent: Option<String>,
    /// Warnings before sending, of what is sent.
    pub warnings: Vec<String>,
    /// True if the review belongs to an open form.
    pub(crate) from_form: bool,
    /// Mark of the draft for saves before this one, unless their end is known.
    sent_before: Option<DraftSent>,
}

/// Subjects of a review.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewOf {
    /// Change of fields of an existing run.
    Modify(ModifyReview),
    /// Creation of runs.
    Create(CreateReview),
}

/// Review of a change of fields.
#[derive(Clone, Debug, PartialEq)]
pub struct ModifyReview {
    pub run: DocRef,
    /// Name of the run in the messages.
    pub run_name: String,
    /// Short id of the run, for a search in the list.
    id: Option<String>,
    /// Number of readings in a row that found the run neither by itself nor in the list.
    absent: u8,
    /// Texts of the fields when the form or the undo began.
    pub base: RunTexts,
    /// Wanted texts of the fields.
    pub mine: RunTexts,
    /// The run as the service has it.
    pub theirs: Remote<Box<Opened>>,
    /// Comparison by field.
    pub merges: Vec<FieldMerge>,
    /// Decisions of the user.
    pub choices: Choices,
    /// Decisions of an earlier review of the form, until the run is read.
    decided: Vec<(FieldMerge, Resolution)>,
    /// Exact values of the fields before a change that is taken back.
    pub values: RunValues,
    /// Id of the write in the journal that is taken back.
    pub undo_of: Option<String>,
    /// Result of the write.
    pub end: Option<Outcome>,
    /// True if the end of an earlier save is unknown: it may still come into effect.
    pub doubt: bool,
}

/// Review of new runs.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateReview {
    /// Planned runs and suites.
    pub create: Create,
    /// Results by run so far.
    pub ends: Vec<Created>,
    /// True if the form was sent before and may have created runs.
    pub sent_before: bool,
    /// Result of the search for these runs; needed before another sending.
    pub lookup: Remote<Lookup>,
    /// Runs of an earlier sending that the plan leaves out.
    left_out: Vec<DocRef>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Button {
    Send,
    /// The run was deleted: creates a new one from the texts.
    MakeNew,
    /// Nothing is left to send: closes the form and discards its draft.
    Close,
    /// Returns to the form or to the screen below.
    Back,
}

impl ModifyReview {
    /// Creates the review of a change and requests the run.
    fn read(
        before: &Document,
        run_name: String,
        base: RunTexts,
        mine: RunTexts,
        cx: &mut Cx,
    ) -> Self {
        let mut review = Self {
            run: before.doc_ref().clone(),
            run_name,
            id: before.text(ID.path),
            absent: 0,
            base,
            mine,
            theirs: Remote::default(),
            merges: Vec::new(),
            choices: Choices::new(),
            decided: Vec::new(),
            values: RunValues::new(),
            undo_of: None,
            end: None,
            doubt: false,
        };
        review.ask(cx);
        review
    }

    /// Next undecided field after `row`, with its row; starts again at the top.
    fn undecided_after(&self, row: Option<usize>) -> Option<(usize, RunField)> {
        let open = self.undecided();
        let rows: Vec<_> = self
            .shown()
            .enumerate()
            .filter(|(_, merge)| open.contains(&merge.field))
            .map(|(place, merge)| (place, merge.field))
            .collect();
        rows.iter()
            .find(|(place, _)| Some(*place) > row)
            .or(rows.first())
            .copied()
    }

    /// Returns true if two readings in a row found the run neither by itself nor in the list.
    pub fn is_gone(&self) -> bool {
        self.absent > 1 && !self.theirs.is_reading()
    }

    fn ask(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::ReviewedInList);
        cx.get_document(Slot::Reviewed, &self.run, &mut self.theirs);
    }

    /// Short id of the run, or its name until it is loaded.
    pub fn name(&self) -> String {
        match self.theirs.value() {
            Some(opened) => RunRow::from_document(&opened.document).name().to_owned(),
            None => self.run_name.clone(),
        }
    }

    /// Kind of the write, for messages about `run`.
    fn deed<'a>(&self, run: &'a str) -> Deed<'a> {
        if self.undo_of.is_some() {
            Deed::Undo(run)
        } else {
            Deed::Save(run)
        }
    }

    /// Compares with the run on the service. Decisions stay unless the text on the service has changed.
    fn compare(&mut self) {
        let Some(opened) = self.theirs.value() else {
            return;
        };
        let mut merges = merge(&self.base, &texts_of(&opened.document), &self.mine);
        for (before, now) in self.merges.iter().zip(&mut merges) {
            let mine = self.choices.get(&now.field) == Some(&Resolution::Mine);
            if before.theirs != now.theirs {
                self.choices.remove(&now.field);
            }
            // A field whose text on the service is the base again stays a conflict unless the user has chosen the own
            // text.
            if (before.verdict, now.verdict) == (Verdict::Conflict, Verdict::Mine) && !mine {
                now.verdict = Verdict::Conflict;
            }
        }
        for (merge, choice) in self.decided.drain(..) {
            if merges.contains(&merge) {
                self.choices.insert(merge.field, choice);
            }
        }
        self.merges = merges;
    }

    /// Takes the decisions out, each with the texts it is for.
    fn take_decided(&mut self) -> Vec<(FieldMerge, Resolution)> {
        let merges = std::mem::take(&mut self.merges).into_iter();
        let of_merge = |merge: FieldMerge| {
            let choice = self.choices.remove(&merge.field)?;
            Some((merge, choice))
        };
        let mut decided: Vec<_> = merges.filter_map(of_merge).collect();
        decided.append(&mut self.decided);
        decided
    }

    /// Fields that were changed here or on the service.
    pub fn shown(&self) -> impl Iterator<Item = &FieldMerge> {
        self.merges
            .iter()
            .filter(|merge| merge.verdict != Verdict::Unchanged)
    }

    /// Fields to write, with their new texts.
    pub fn changes(&self) -> RunTexts {
        resolved(&self.merges, &self.choices)
    }

    /// Returns true if the change closes the run.
    fn closes(&self) -> bool {
        self.changes()
            .remove(&RunField::Status)
            .is_some_and(|to| to == "inactive")
    }

    /// Returns true if the service already has all wanted changes.
    fn is_in_effect(&self) -> bool {
        let mut wanted = self.merges.iter().filter(|it| it.mine != it.base);
        let first = wanted.next();
        let same = |merge: &FieldMerge| merge.verdict == Verdict::Same;
        first.is_some_and(same) && wanted.all(same)
    }

    /// Fields that were changed on both sides and are not decided.
    pub fn undecided(&self) -> Vec<RunField> {
        undecided(&self.merges, &self.choices)
    }
}

impl CreateReview {
    fn of(create: Create, sent_before: bool) -> Self {
        Self {
            create,
            ends: Vec::new(),
            sent_before,
            lookup: Remote::default(),
            left_out: Vec::new(),
        }
    }

    /// Runs that a request without an answer may have created.
    pub fn found(&self) -> &[RunRow] {
        match self.ends.last() {
            Some(created) => created.run.found.as_deref().unwrap_or_default(),
            None => self
                .lookup
                .value()
                .map_or(&[], |lookup| lookup.found.as_slice()),
        }
    }

    /// Leaves the runs of several out that an earlier sending has made for sure: they are not made again.
    pub(in crate::screens::form) fn leave_out_made(&mut self) {
        let Some(looked) = self.lookup.value().cloned() else {
            return;
        };
        // One that is not found was deleted since, or may have been.
        let is_there = |run: &DocRef| looked.found.iter().any(|row| row.doc_ref == *run);
        for (run, title) in looked.made.iter().filter(|(run, _)| is_there(run)) {
            if self.create.runs.len() > 1 && !self.left_out.contains(run) {
                self.leave_out(run, title);
            }
        }
        self.hide_left_out();
    }

    /// Leaves the run of a title out, which is there as `run`. Returns false if none has it.
    pub(in crate::screens::form) fn leave_out(&mut self, run: &DocRef, title: &str) -> bool {
        let runs = &mut self.create.runs;
        let place = runs.iter().position(|it| it.title().trim() == title.trim());
        if let Some(place) = place {
            runs.remove(place);
            self.left_out.push(run.clone());
            self.hide_left_out();
        }
        place.is_some()
    }

    /// Takes the runs that are left out from those that were found.
    fn hide_left_out(&mut self) {
        if let Some(mut looked) = self.lookup.value().cloned() {
            let is_left_out = |row: &RunRow| self.left_out.contains(&row.doc_ref);
            looked.found.retain(|row| !is_left_out(row));
            let read_at = self.lookup.read_at().unwrap_or_default();
            self.lookup.put(looked, read_at);
        }
    }

    /// Number of created runs.
    pub fn made(&self) -> usize {
        let made = self.ends.iter().filter(|end| end.run.end == End::Done);
        made.count()
    }

    /// Returns true if all runs are created.
    pub fn is_made(&self) -> bool {
        !self.ends.is_empty() && self.made() == self.create.runs.len()
    }

    /// Returns true if the run of this title was surely not made, whatever became of others of the same sending.
    fn is_not_made(&self, title: &str) -> bool {
        let lookup = self.lookup.value();
        lookup.is_some_and(|lookup| lookup.not_made.iter().any(|it| it == title))
    }

    /// Returns true if an earlier sending of the run of this title has an unknown end.
    fn is_in_doubt(&self, title: &str) -> bool {
        let lookup = self.lookup.value();
        let is_open = lookup.is_none_or(|lookup| lookup.end.is_none());
        self.sent_before && is_open && !self.is_not_made(title)
    }

    /// Returns true if a run that is left may have been sent before: the review asks whether to send it again. The mark of
    /// the form stays either way, for what is left out.
    fn is_sent_again(&self) -> bool {
        let mut runs = self.create.runs.iter();
        let is_not_made = runs.all(|run| self.is_not_made(run.title()));
        self.sent_before && !(is_not_made && self.found().is_empty())
    }

    /// Returns true if it is known that no suite is in any of the runs.
    fn has_no_suite(&self) -> bool {
        let suites = self.ends.iter().filter_map(|end| end.suites.as_ref());
        let mut parts = suites.flat_map(|suites| &suites.parts);
        parts.all(|part| !matches!(part.end, End::Done | End::Unknown))
    }

    /// Returns true if every run was created completely.
    pub fn is_done(&self) -> bool {
        self.ends.len() == self.create.runs.len()
            && self.ends.iter().all(|end| end.run.is_complete())
    }
}

impl Review {
    /// Number of rows before the buttons.
    pub fn rows(&self) -> usize {
        match &self.of {
            ReviewOf::Modify(modify) => modify.shown().count(),
            ReviewOf::Create(create) => create.found().len(),
        }
    }

    /// Returns true if the review takes back a write of the journal.
    pub fn takes_back(&self) -> bool {
        match &self.of {
            ReviewOf::Modify(modify) => modify.undo_of.is_some(),
            ReviewOf::Create(create) => create.create.undo_of.is_some(),
        }
    }

    /// Returns true if nothing is left to save, so that the form can be closed.
    fn is_settled(&self) -> bool {
        let ReviewOf::Modify(modify) = &self.of else {
            return false;
        };
        let compared = !modify.theirs.is_reading() && !modify.merges.is_empty();
        let settled = modify.undecided().is_empty() && modify.changes().is_empty();
        self.from_form && self.can_send() && compared && settled
    }

    /// Returns true if the run could not be read or the end of the save is unknown: the run must be read before
    /// anything is sent.
    pub fn is_unread(&self) -> bool {
        match &self.of {
            ReviewOf::Modify(modify) => {
                let doubtful = modify
                    .end
                    .as_ref()
                    .is_some_and(|end| end.end == End::Unknown);
                (modify.theirs.failure().is_some() || doubtful) && !modify.theirs.is_reading()
            }
            ReviewOf::Create(_) => false,
        }
    }

    /// Words for what is left by a sending with an unknown end, and by one without effect. An undo has no form.
    fn leaves(&self) -> [&'static str; 2] {
        if self.from_form {
            [". The draft is kept", "; the form is as it was"]
        } else {
            [". My changes show it", ""]
        }
    }

    /// Buttons from left to right, with their labels.
    pub fn buttons(&self) -> Vec<(Button, &'static str)> {
        let send = |words| self.can_send().then_some((Button::Send, words));
        let first = match &self.of {
            _ if self.is_settled() => Some((Button::Close, "Close the form, discard its draft")),
            ReviewOf::Modify(modify) if self.from_form && modify.is_gone() => {
                Some((Button::MakeNew, "Make a new run of it"))
            }
            ReviewOf::Modify(modify) if modify.undo_of.is_some() => send("Undo"),
            ReviewOf::Modify(_) => send("Save"),
            ReviewOf::Create(create) if create.is_sent_again() => send("Send it again"),
            ReviewOf::Create(_) => send("Create"),
        };
        first.into_iter().chain([(Button::Back, "Back")]).collect()
    }

    /// Label of what Enter does now.
    pub fn button(&self) -> Option<&'static str> {
        let buttons = self.buttons();
        let nth = self.question.focus.checked_sub(self.rows());
        let button = nth.and_then(|nth| buttons.get(nth));
        Some(match &self.of {
            ReviewOf::Modify(modify)
                if !modify.undecided().is_empty()
                    && button.is_none_or(|(button, _)| *button == Button::Send) =>
            {
                "next to decide"
            }
            _ if nth.is_some() => button?.1,
            ReviewOf::Modify(_) => "to the buttons",
            ReviewOf::Create(_) => "take it as yours",
        })
    }

    fn stops(&self) -> Stops {
        Stops {
            rows: self.rows(),
            buttons: self.buttons().len(),
            request: true,
        }
    }

    /// Returns true if no request was sent, now or before.
    fn was_not_sent(&self) -> bool {
        match &self.of {
            ReviewOf::Modify(modify) => modify.end.is_none() && !modify.doubt,
            ReviewOf::Create(create) => create.ends.is_empty() && !create.sent_before,
        }
    }

    /// Returns true if nothing was sent yet, or the sending had no effect and can be repeated.
    fn can_send(&self) -> bool {
        let open = match &self.of {
            ReviewOf::Modify(modify) => modify.end.as_ref().is_none_or(Outcome::is_nothing),
            ReviewOf::Create(create) => {
                create.ends.last().is_none_or(|end| end.run.is_nothing())
                    && !create.lookup.is_reading()
            }
        };
        open && !self.sending
    }

    /// Returns true if runs were sent, and nothing can be sent any more.
    fn is_over(&self) -> bool {
        let is_sent = matches!(&self.of, ReviewOf::Create(create) if !create.ends.is_empty());
        is_sent && !self.sending && !self.can_send()
    }

    /// Returns true if the action has an effect now.
    pub fn offers(&self, action: &Action) -> bool {
        match (action, &self.of) {
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Modify(modify)) => {
                !self.sending
                    && modify.end.as_ref().is_none_or(Outcome::is_nothing)
                    && modify
                        .merges
                        .iter()
                        .any(|merge| merge.verdict == Verdict::Conflict)
            }
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Create(_)) => false,
            (Action::Refresh, _) if self.sending => false,
            (Action::Refresh, ReviewOf::Create(create)) => {
                create.sent_before && create.ends.is_empty()
            }
            (Action::Edit, ReviewOf::Create(create)) if create.is_made() => false,
            (Action::Edit, _) => self.from_form && !self.sending,
            (Action::Open | Action::Back, _) => !self.sending,
            _ => true,
        }
    }

    /// Moves the focus to the first conflict, else to the default button: the first one, or Back if something is taken
    /// away or may already exist.
    pub(super) fn focus_first(&mut self) {
        self.question.focus = match &self.of {
            ReviewOf::Modify(modify) => {
                let takes_away = self.is_settled() || modify.closes();
                modify
                    .undecided_after(None)
                    .map_or(self.rows() + usize::from(takes_away), |(row, _)| row)
            }
            ReviewOf::Create(create) => self.rows() + usize::from(create.is_sent_again()),
        };
        // A review that cannot be sent has one button.
        let last = self.rows() + self.buttons().len() - 1;
        self.question.focus = self.question.focus.min(last);
    }
}
