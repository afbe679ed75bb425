//! The form of a run: its fields, its draft, what it was opened on.

pub mod draft;
pub mod keys;

mod review;
mod sent;
mod update;
mod view;

use crate::screens::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

pub use review::keys as review_keys;
pub use review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
pub use update::Unkept;

use crate::domain::{
    Create, Draft, DraftSent, DraftWish, Lookup, NewRun, RunTexts, short, texts_of_new,
};
use crate::screens::parts_of;
use crate::store::Session;
use crate::ui::text_area::FieldText;

/// A place in the form that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Field(RunField),
    /// Whether a clone gets the suites of its source.
    Suites,
    /// Whether there is one run for each part of the configuration.
    Matrix,
    /// The button that leads to the review.
    Save,
    /// The button that leaves the form and keeps its draft.
    Leave,
    /// The button that discards the draft.
    Discard,
}

impl Default for Stop {
    fn default() -> Self {
        Self::Field(RunField::Title)
    }
}

const BUTTONS: [(&str, Stop); 3] = [
    ("Review, save…", Stop::Save),
    ("Back, keep draft", Stop::Leave),
    ("Discard draft…", Stop::Discard),
];

/// How the draft of a form stands.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormDraft {
    /// Which draft; nothing until it is here.
    pub key: Option<String>,
    /// Which one was asked for.
    pub wish: DraftWish,
    /// When it was kept last, epoch milliseconds.
    pub kept_at: Option<i64>,
    /// Something was typed that is not on its way to the disk.
    pub unsaved: bool,
    /// Process number of another program that has the same form open.
    pub other: Option<u32>,
    /// Why nothing can be kept.
    pub problem: Option<String>,
    /// The form was filled from a draft of this time, epoch milliseconds.
    pub taken_up: Option<i64>,
}

/// The form that is open, its review, and what of forms outlives them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forms {
    pub form: Option<Form>,
    /// The review of the form or of an undo.
    pub review: Option<Review>,
    /// Forms that were left and are not on the disk yet: one that cannot be kept comes back.
    left: Vec<Form>,
}

/// State of the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// What it is for.
    pub of: FormFor,
    /// What the person knows the run by; empty for a new one.
    pub run_name: String,
    /// The run, or the source of a clone, as the service has it.
    pub source: Remote<Box<Opened>>,
    /// What the texts are compared with: the source as it was when the form was first opened.
    pub base: Option<Document>,
    pub fields: BTreeMap<RunField, FieldText>,
    /// The texts are in their fields.
    pub ready: bool,
    /// Keys that came before they were.
    not_taken: usize,
    /// What has the focus.
    pub stop: Stop,
    /// What is wrong with a field.
    pub problems: BTreeMap<RunField, &'static str>,
    pub draft: FormDraft,
    /// It was sent before, and the answer is unknown.
    pub sent: Option<DraftSent>,
    /// What looking for it found.
    pub looked: Remote<Lookup>,
    /// Suites of the source of a clone.
    pub suites: Remote<Box<Attached>>,
    /// How far working them out is.
    pub progress: Option<String>,
    /// The clone gets the suites that are known.
    pub with_suites: bool,
    /// One run for each part of the configuration.
    pub matrix: bool,
    /// Columns of a field on the screen, as laid out last.
    pub width: usize,
    /// The texts that the form began with: without a difference there is nothing to keep.
    initial: RunTexts,
}

impl Form {
    fn edits(&self) -> bool {
        matches!(self.of, FormFor::Edit(_))
    }

    /// The fields that can be changed here; the place of a run in the project cannot.
    pub fn editable(&self) -> &'static [RunField] {
        if self.edits() {
            &RunField::EDITABLE
        } else {
            &RunField::ALL
        }
    }

    /// What stands in the fields.
    pub fn texts(&self) -> RunTexts {
        self.fields
            .iter()
            .map(|(field, text)| (*field, text.text()))
            .collect()
    }

    /// What stands in a field.
    fn text(&self, field: RunField) -> String {
        let text = self.fields.get(&field);
        text.map(FieldText::text).unwrap_or_default()
    }

    /// The fields that hold something else than in the beginning.
    pub fn changed(&self) -> Vec<RunField> {
        differing(&self.texts(), &self.initial).collect()
    }

    /// What it begins with is this run.
    fn take(&mut self, run: &Document) {
        self.base = Some(run.clone());
        self.fill(&texts_of(run), None);
    }

    /// Puts texts into the fields, and those of a draft over them. What was typed meanwhile stays.
    fn fill(&mut self, texts: &RunTexts, draft: Option<&Draft>) {
        let typed: Vec<_> = self.changed().into_iter().filter(|_| self.ready).collect();
        for field in RunField::ALL {
            let text = texts.get(&field).cloned().unwrap_or_default();
            if !typed.contains(&field) {
                let shown = draft
                    .and_then(|draft| draft.texts.get(&field))
                    .unwrap_or(&text);
                let mut field_text = FieldText::new(&text, field == RunField::Description);
                field_text.replace(shown);
                self.fields.insert(field, field_text);
            }
            self.initial.insert(field, text);
        }
        self.ready = true;
    }

    /// What is on the screen, in order.
    pub fn stops(&self) -> Vec<Stop> {
        let mut stops: Vec<Stop> = self.editable().iter().copied().map(Stop::Field).collect();
        if matches!(self.of, FormFor::Clone(_)) {
            stops.extend([Stop::Matrix, Stop::Suites]);
        }
        stops.extend(BUTTONS.map(|(_, button)| button));
        stops
    }

    /// Gives the focus to the next place or the one before.
    fn turn(&mut self, forward: bool) {
        let stops = self.stops();
        let at = stops.iter().position(|stop| *stop == self.stop);
        let step = if forward { 1 } else { stops.len() - 1 };
        self.stop = stops[(at.unwrap_or(0) + step) % stops.len()];
    }

    /// Looks at every field; says whether all are right.
    fn check(&mut self) -> bool {
        self.problems = self
            .editable()
            .iter()
            .filter_map(|field| Some((*field, field.problem(&self.text(*field))?)))
            .collect();
        if let Some(first) = self.problems.keys().next() {
            self.stop = Stop::Field(*first);
        }
        self.problems.is_empty()
    }

    /// The parts of the configuration: it may hold a comma separated list (2.2).
    pub fn configurations(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut parts = parts_of(&self.text(RunField::Configuration));
        parts.retain(|part| seen.insert(part.clone()));
        parts
    }

    /// What is kept of the form; nothing as long as it has no draft.
    fn kept(&self, profile: &str, now: i64) -> Option<Draft> {
        Some(Draft {
            key: self.draft.key.clone()?,
            profile: profile.to_owned(),
            form: self.of.clone(),
            run_name: self.run_name.clone(),
            base: self.base.clone(),
            texts: self.texts(),
            at: now,
            sent: self.sent.clone(),
            died: false,
        })
    }

    /// The runs that a form for new ones asks for.
    fn plan(&self) -> Create {
        let texts = self.texts();
        let whole = NewRun::of_texts(&texts);
        let list = self.configurations();
        let runs = if self.matrix && list.len() > 1 {
            let one = |part: &String| {
                let title = format!("{}: {part}", whole.title());
                whole
                    .clone()
                    .with(RunField::Title, title)
                    .with(RunField::Configuration, part)
            };
            list.iter().map(one).collect()
        } else {
            vec![whole]
        };
        let suites = self
            .suites
            .value()
            .filter(|_| self.with_suites)
            .into_iter()
            .flat_map(|attached| attached.sure())
            .map(|named| (named.suite.clone(), named.full_name()));
        let source = matches!(self.of, FormFor::Clone(_)).then_some(self.run_name.as_str());
        Create {
            runs,
            suites: suites.collect(),
            origin: Create::origin_of(source),
            undo_of: None,
        }
    }

    /// How what was sent before ended, once that is known.
    fn ended(&self) -> Option<&Lookup> {
        self.looked.value().filter(|looked| looked.end.is_some())
    }

    /// It was sent, and nobody knows what came of it.
    fn may_be_done(&self) -> String {
        let titles = self.sent.as_ref().map(|sent| sent.titles.as_slice());
        match (&self.of, titles) {
            (FormFor::Edit(_), None | Some([])) => {
                let run = self.name().unwrap_or("the run");
                format!("No answer: {run} may be changed.")
            }
            (_, Some([title])) => format!("No answer: the run \"{}\" may exist.", short(title)),
            _ => "No answer: the runs may exist.".to_owned(),
        }
    }

    /// What the person should know before it is sent.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(sent) = &self.sent {
            warnings.push(match (&self.of, self.ended()) {
                (_, Some(ended)) => format!("Sent before: {}.", ended.words),
                (FormFor::Edit(_), None) => format!("{} {}", self.may_be_done(), sent.words),
                (FormFor::New | FormFor::Clone(_), None) => format!("Sent before: {}", sent.words),
            });
        }
        if matches!(self.of, FormFor::Clone(_)) {
            warnings.push(match self.suites.value() {
                _ if !self.with_suites => "Without suites: the new run is empty.".to_owned(),
                Some(attached) => format!("With {}.", suites_of(attached)),
                None => "Its suites are not known.".to_owned(),
            });
        }
        warnings
    }

    /// Fields that the service holds with another text than the form was begun on.
    pub fn moved(&self) -> Vec<RunField> {
        let (Some(base), Some(now)) = (&self.base, self.source.value()) else {
            return Vec::new();
        };
        let (base, now) = (texts_of(base), texts_of(&now.document));
        differing(&now, &base)
            .filter(|field| RunField::EDITABLE.contains(field))
            .collect()
    }
}

/// The fields that hold another text than before.
fn differing(now: &RunTexts, before: &RunTexts) -> impl Iterator<Item = RunField> {
    now.iter()
        .filter(|(field, text)| before.get(field) != Some(text))
        .map(|(field, _)| *field)
}

/// A step of the form with its key, behind what was said before; nothing where no key leads to it.
fn then(shared: &Shared, sign: &str, action: &Action, does: &str) -> String {
    shared.then_key(sign, Layer::Form, action, does)
}

/// Those suites of the source that a clone can get.
fn suites_of(attached: &Attached) -> String {
    let known = attached.sure().count();
    match (attached.count, attached.is_complete()) {
        (_, true) if known == 0 => "no suites: it has none".into(),
        (_, true) => format!("all {known} of its suites"),
        (Some(all), _) => format!("{known} of its {all} suites: NOT ALL, the others are not known"),
        (None, _) => format!("{known} of its suites: perhaps NOT ALL"),
    }
}

/// The texts of a new run: from the profile, and where that names no version, that of the run at hand.
fn new_texts(session: &Session, at_hand: Option<&str>) -> RunTexts {
    let version = session.project_version.as_deref().or(at_hand);
    texts_of_new(&session.project, session.subproject.as_deref(), version)
}
