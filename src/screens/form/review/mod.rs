//! What a form or an undo will send, before it is sent: field by field for a change, run by run for new ones; and what
//! becomes of it.

pub mod keys;
mod update;
mod view;

pub use view::{draw, status};

use crate::domain::fields::ID;
use crate::domain::{
    Choices, ChunkResult, Create, Created, Deed, FieldMerge, Lookup, Resolution, RunTexts,
    RunValues, Verdict, merge, resolved, undecided,
};
use crate::screens::prelude::*;
use crate::ui::question::{Question, Stops};

/// The review of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What it is about.
    pub of: ReviewOf,
    /// What has the focus: fields or runs that were found, then the buttons.
    pub question: Question,
    /// The write under way.
    pub sending: bool,
    /// What was said on the way.
    pub steps: Vec<ChunkResult>,
    /// What the person should know before.
    pub warnings: Vec<String>,
    /// It came from a form that is still open.
    pub(crate) from_form: bool,
}

/// What a review is about.
#[derive(Clone, Debug, PartialEq)]
pub enum ReviewOf {
    /// Fields of a run that is there.
    Modify(ModifyReview),
    /// New runs.
    Create(CreateReview),
}

/// A change of fields in review.
#[derive(Clone, Debug, PartialEq)]
pub struct ModifyReview {
    pub run: DocRef,
    /// What the person knows it by.
    pub run_name: String,
    /// Its short id, by which the list is asked for it.
    id: Option<String>,
    /// Readings in a row that did not find it, neither by itself nor in the list.
    absent: u8,
    /// What the fields held when the person began.
    pub base: RunTexts,
    /// What they are to hold.
    pub mine: RunTexts,
    /// The run as the service has it.
    pub theirs: Remote<Box<Opened>>,
    /// The fields, compared.
    pub merges: Vec<FieldMerge>,
    /// What the person has decided.
    pub choices: Choices,
    /// What the fields held before that are taken back, to the digit.
    pub values: RunValues,
    /// The write of the journal that this takes back.
    pub undo_of: Option<String>,
    /// What came of it.
    pub end: Option<Outcome>,
    /// A save before has no known end: it may come into effect still.
    pub doubt: bool,
}

/// New runs in review.
#[derive(Clone, Debug, PartialEq)]
pub struct CreateReview {
    /// The plan.
    pub create: Create,
    /// What came of each run so far.
    pub ends: Vec<Created>,
    /// The form was sent before, and may have made runs.
    pub sent_before: bool,
    /// What looking for it found, before it can be sent again.
    pub looked: Remote<Lookup>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Button {
    Send,
    /// The run is gone: what was typed becomes a new one.
    MakeNew,
    /// Nothing is left to send: closes the form, and its draft goes.
    Close,
    /// Goes back to the form, or to where the person was.
    Back,
}

impl ModifyReview {
    /// A review of a change, whose run is asked for.
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
            values: RunValues::new(),
            undo_of: None,
            end: None,
            doubt: false,
        };
        review.ask(cx);
        review
    }

    /// The next field behind a row that is still to be decided, with its row; after the last comes the first.
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

    /// Two readings, one after the other, have found it neither by itself nor in the list.
    pub fn is_gone(&self) -> bool {
        self.absent > 1 && !self.theirs.is_reading()
    }

    /// The run was not found: the list is asked for it, too, as one of both may be behind.
    fn ask_list(&self, cx: &mut Cx) {
        if let Some(name) = &self.id {
            cx.find_run(Slot::ReviewedInList, name);
        }
    }

    fn ask(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::ReviewedInList);
        cx.get_document(Slot::Reviewed, &self.run, &mut self.theirs);
    }

    /// Short id of the run, where it is known.
    pub fn name(&self) -> String {
        match self.theirs.value() {
            Some(opened) => RunRow::from_document(&opened.document).name().to_owned(),
            None => self.run_name.clone(),
        }
    }

    /// What it does with a run of this name.
    fn deed<'a>(&self, run: &'a str) -> Deed<'a> {
        if self.undo_of.is_some() {
            Deed::Undo(run)
        } else {
            Deed::Save(run)
        }
    }

    /// Compares with what the service has; the decisions of fields that are still in conflict stay.
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
            // Who goes back to the text of before decides nothing: one that was not to be saved is asked about again.
            if (before.verdict, now.verdict) == (Verdict::Conflict, Verdict::Mine) && !mine {
                now.verdict = Verdict::Conflict;
            }
        }
        self.merges = merges;
    }

    /// The fields that somebody has changed.
    pub fn shown(&self) -> impl Iterator<Item = &FieldMerge> {
        self.merges
            .iter()
            .filter(|merge| merge.verdict != Verdict::Unchanged)
    }

    /// The fields that are to be written, with their new texts.
    pub fn changes(&self) -> RunTexts {
        resolved(&self.merges, &self.choices)
    }

    /// It closes the run.
    fn closes(&self) -> bool {
        self.changes()
            .remove(&RunField::Status)
            .is_some_and(|to| to == "inactive")
    }

    /// The service has all that was to be changed.
    fn is_in_effect(&self) -> bool {
        let mut wanted = self.merges.iter().filter(|it| it.mine != it.base);
        let first = wanted.next();
        let same = |merge: &FieldMerge| merge.verdict == Verdict::Same;
        first.is_some_and(same) && wanted.all(same)
    }

    /// Fields that were changed on both sides and that nobody has decided.
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
            looked: Remote::default(),
        }
    }

    /// Runs that a lost request may have made.
    pub fn found(&self) -> &[RunRow] {
        match self.ends.last() {
            Some(created) => created.run.found.as_deref().unwrap_or_default(),
            None => self
                .looked
                .value()
                .map_or(&[], |looked| looked.found.as_slice()),
        }
    }

    /// It was sent before, and nobody knows what came of it.
    pub fn is_in_doubt(&self) -> bool {
        let looked = self.looked.value();
        self.sent_before && looked.is_none_or(|looked| looked.end.is_none())
    }

    /// Every run is there.
    pub fn is_done(&self) -> bool {
        self.ends.len() == self.create.runs.len() && self.ends.iter().all(|end| end.run.is_whole())
    }
}

impl Review {
    /// Rows before the buttons.
    pub fn rows(&self) -> usize {
        match &self.of {
            ReviewOf::Modify(modify) => modify.shown().count(),
            ReviewOf::Create(create) => create.found().len(),
        }
    }

    /// It takes a write of the journal back.
    pub fn takes_back(&self) -> bool {
        match &self.of {
            ReviewOf::Modify(modify) => modify.undo_of.is_some(),
            ReviewOf::Create(create) => create.create.undo_of.is_some(),
        }
    }

    /// The service has all that the form asks for, or the person has taken theirs everywhere: the form can be closed.
    pub fn is_settled(&self) -> bool {
        let ReviewOf::Modify(modify) = &self.of else {
            return false;
        };
        let compared = !modify.theirs.is_reading() && !modify.merges.is_empty();
        let settled = modify.undecided().is_empty() && modify.changes().is_empty();
        self.from_form && self.can_send() && compared && settled
    }

    /// What the service has could not be read, or what came of the save is not known: reading comes before anything is
    /// sent.
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

    /// Its buttons, from the left, with their words.
    pub fn buttons(&self) -> Vec<(Button, &'static str)> {
        let send = |words| self.can_send().then_some((Button::Send, words));
        let first = match &self.of {
            _ if self.is_settled() => Some((Button::Close, "Close the form, discard its draft")),
            ReviewOf::Modify(modify) if self.from_form && modify.is_gone() => {
                Some((Button::MakeNew, "Make a new run of it"))
            }
            ReviewOf::Modify(modify) if modify.undo_of.is_some() => send("Undo"),
            ReviewOf::Modify(_) => send("Save"),
            ReviewOf::Create(create) if create.sent_before => send("Send it again"),
            ReviewOf::Create(_) => send("Create"),
        };
        first.into_iter().chain([(Button::Back, "Back")]).collect()
    }

    /// What Enter does as it stands.
    pub fn button(&self) -> Option<&'static str> {
        if let Some(nth) = self.question.focus.checked_sub(self.rows()) {
            return self.buttons().get(nth).map(|(_, words)| *words);
        }
        Some(match &self.of {
            ReviewOf::Modify(modify) if modify.undecided().is_empty() => "to the buttons",
            ReviewOf::Modify(_) => "next to decide",
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

    /// No request of it went out, now or before.
    fn was_not_sent(&self) -> bool {
        match &self.of {
            ReviewOf::Modify(modify) => modify.end.is_none() && !modify.doubt,
            ReviewOf::Create(create) => create.ends.is_empty() && !create.sent_before,
        }
    }

    /// It was not sent yet, or it came to nothing and may be sent.
    pub fn can_send(&self) -> bool {
        let open = match &self.of {
            ReviewOf::Modify(modify) => modify.end.as_ref().is_none_or(Outcome::is_nothing),
            ReviewOf::Create(create) => {
                create.ends.last().is_none_or(|end| end.run.is_nothing())
                    && !create.looked.is_reading()
            }
        };
        open && !self.sending
    }

    /// It does something with this as it stands.
    pub fn offers(&self, action: &Action) -> bool {
        match (action, &self.of) {
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Modify(modify)) => {
                modify.end.is_none()
                    && modify
                        .merges
                        .iter()
                        .any(|merge| merge.verdict == Verdict::Conflict)
            }
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Create(_)) => false,
            (Action::Refresh, _) if self.sending => false,
            (Action::Refresh, ReviewOf::Create(create)) => create.sent_before,
            (Action::Edit, _) => self.from_form && !self.sending,
            (Action::Open | Action::Back, _) => !self.sending,
            _ => true,
        }
    }

    /// Puts the focus on what the person should look at: the first conflict, else the button that is meant: the verb where
    /// something is added or kept, the other one where something is taken away or may be there already.
    pub(super) fn look(&mut self) {
        self.question.focus = match &self.of {
            ReviewOf::Modify(modify) => {
                let takes_away = self.is_settled() || modify.closes();
                modify
                    .undecided_after(None)
                    .map_or(self.rows() + usize::from(takes_away), |(row, _)| row)
            }
            ReviewOf::Create(create) => self.rows() + usize::from(create.sent_before),
        };
        // What cannot be sent has one button.
        let last = self.rows() + self.buttons().len() - 1;
        self.question.focus = self.question.focus.min(last);
    }
}
