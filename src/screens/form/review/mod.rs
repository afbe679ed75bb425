//! What a form or an undo will send, before it is sent: field by field for a change, run by run for new ones; and what
//! becomes of it.

pub mod keys;
mod update;
mod view;

pub use view::{draw, status};

use crate::domain::{
    Choices, ChunkResult, Create, Created, Deed, DocRef, End, FieldMerge, Lookup, Outcome,
    RunField, RunRow, RunTexts, RunValues, Verdict, merge, resolved, texts_of, undecided,
};
use crate::store::cx::Cx;
use crate::store::effect::{Effect, Opened};
use crate::store::in_flight::Slot;
use crate::store::message::Action;
use crate::store::remote::Remote;
use crate::ui::text_box::TextBox;

/// The review of a form.
#[derive(Clone, Debug, PartialEq)]
pub struct Review {
    /// What it is about.
    pub of: ReviewOf,
    /// The row that has the focus: fields or runs first, then what was found, then the buttons.
    pub cursor: usize,
    /// The raw request is shown.
    pub raw: bool,
    pub scroll: TextBox,
    /// The write under way.
    pub sending: bool,
    /// What was said on the way.
    pub steps: Vec<ChunkResult>,
    /// What the person should know before.
    pub warnings: Vec<String>,
    /// It came from a form that is still open.
    pub(in crate::screens::form) from_form: bool,
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
    /// Nothing is left to send: closes the form, and its draft goes.
    Close,
    /// Goes back to the form, or to where the person was.
    Back,
}

impl ModifyReview {
    /// Short id of the run, where it is known.
    pub fn name(&self) -> String {
        let opened = self.theirs.value();
        opened.map_or_else(
            || self.run_name.clone(),
            |opened| RunRow::from_document(&opened.document).name().to_owned(),
        )
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
        let before = std::mem::take(&mut self.merges);
        self.merges = merge(&self.base, &texts_of(&opened.document), &self.mine);
        for merge in &self.merges {
            let same = before
                .iter()
                .any(|known| known.field == merge.field && known.theirs == merge.theirs);
            if !same && !before.is_empty() {
                self.choices.remove(&merge.field);
            }
        }
    }

    /// The fields that somebody has changed.
    pub fn shown(&self) -> impl Iterator<Item = &FieldMerge> {
        let merges = self.merges.iter();
        merges.filter(|merge| merge.verdict != Verdict::Unchanged)
    }

    /// The fields that are to be written, with their new texts.
    pub fn changes(&self) -> RunTexts {
        resolved(&self.merges, &self.choices)
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
                let unknown = |end: &Outcome| end.end == End::Unknown;
                let doubtful = modify.end.as_ref().is_some_and(unknown);
                (modify.theirs.failure().is_some() || doubtful) && !modify.theirs.is_reading()
            }
            ReviewOf::Create(_) => false,
        }
    }

    /// The button under the cursor.
    pub fn button(&self) -> Option<Button> {
        match self.cursor.checked_sub(self.rows())? {
            0 if self.is_settled() => Some(Button::Close),
            0 if self.can_send() => Some(Button::Send),
            _ => Some(Button::Back),
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
                let last = create.ends.last();
                last.is_none_or(|end| end.run.is_nothing()) && !create.looked.is_reading()
            }
        };
        open && !self.sending
    }

    /// It does something with this as it stands.
    pub fn offers(&self, action: &Action) -> bool {
        match (action, &self.of) {
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Modify(modify)) => {
                let is_conflict = |merge: &FieldMerge| merge.verdict == Verdict::Conflict;
                modify.end.is_none() && modify.merges.iter().any(is_conflict)
            }
            (Action::KeepMine | Action::TakeTheirs, ReviewOf::Create(_)) => false,
            (Action::Refresh, _) if self.sending => false,
            (Action::Refresh, ReviewOf::Create(create)) => create.sent_before,
            (Action::Edit, _) => self.from_form && !self.sending,
            (Action::Open | Action::Back, _) => !self.sending,
            _ => true,
        }
    }

    /// Goes to the next row or button, or the one before.
    fn turn(&mut self, forward: bool) {
        let stops = self.rows() + if self.can_send() { 2 } else { 1 };
        self.cursor = (self.cursor + if forward { 1 } else { stops - 1 }) % stops;
    }

    /// Puts the cursor on what the person should look at: the first conflict, else the first button.
    pub(super) fn look(&mut self) {
        self.cursor = match &self.of {
            ReviewOf::Modify(modify) => {
                let open = modify.undecided();
                let first = modify.shown().position(|merge| open.contains(&merge.field));
                first.unwrap_or(modify.shown().count())
            }
            // Where a run may be there already, the safe button comes first.
            ReviewOf::Create(create) => create.found().len() + usize::from(create.sent_before),
        };
    }
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

    /// The next field behind a row that is still to be decided, with its row; after the last comes the first.
    fn undecided_after(&self, row: usize) -> Option<(usize, RunField)> {
        let open = self.undecided();
        let rows = self.shown().enumerate();
        let rows = rows.filter(|(_, merge)| open.contains(&merge.field));
        let rows: Vec<_> = rows.map(|(place, merge)| (place, merge.field)).collect();
        let next = rows.iter().find(|(place, _)| *place > row);
        next.or(rows.first()).copied()
    }

    fn ask(&mut self, cx: &mut Cx) {
        self.theirs.ask();
        let doc_ref = self.run.clone();
        cx.request(Slot::Reviewed, |id| Effect::GetDocument { id, doc_ref });
    }
}
