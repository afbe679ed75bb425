//! Form of a run: fields, draft and source.

pub mod draft;
pub mod keys;

mod review;
mod sent;
mod update;
mod view;

use crate::domain::FailureKind;
use crate::domain::fields::{STATUS, not_copied};
use crate::domain::text::{acts, joins_nothing, plain};
use crate::screens::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

pub use review::keys as review_keys;
use review::value;
pub use review::{Button, CreateReview, ModifyReview, Review, ReviewOf};
pub use update::Unkept;

use crate::domain::{
    Create, Deed, Draft, DraftSent, DraftWish, FieldMerge, Lookup, NewRun, Resolution, RunTexts,
    short, texts_of_new,
};
use crate::store::Session;
use crate::ui::text_area::FieldText;

/// Places in the form that can have the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    Field(RunField),
    /// Switch: a clone gets the suites of its source.
    Suites,
    /// Switch: one run for each part of the configuration.
    Matrix,
    /// Button that opens the review.
    Save,
    /// Button that closes the form and keeps its draft.
    Leave,
    /// Button that discards the draft.
    Discard,
}

/// So many letters of a text are shown before the first that is not to be seen.
const BEFORE: usize = 20;

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

/// State of the draft of a form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormDraft {
    /// Key of the draft; `None` until it is loaded.
    pub key: Option<String>,
    /// Requested draft.
    pub wish: DraftWish,
    /// The loaded draft, until the form is filled.
    before: Option<Draft>,
    /// Time of the last saving, epoch milliseconds.
    kept_at: Option<i64>,
    /// True if a change was not yet sent to the disk.
    unsaved: bool,
    /// Time of the newest saving that the disk has not confirmed, epoch milliseconds.
    sent_at: Option<i64>,
    /// Files of texts from the user's editor that the disk has in no draft yet.
    edited: Vec<PathBuf>,
    /// Process number of another program that had the same form open when this one was opened.
    pub other: Option<u32>,
    /// Reason why the draft cannot be saved.
    pub problem: Option<String>,
    /// Time of the draft that filled the form, epoch milliseconds.
    filled_at: Option<i64>,
}

/// The open form, its review, and the form that was left and is not saved yet.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forms {
    pub form: Option<Form>,
    /// Review of the form or of an undo.
    pub review: Option<Review>,
    /// Form that was left and is not on the disk yet: another one waits for it.
    left: Option<Form>,
}

/// State of the form.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Form {
    /// Purpose: new run, edit or clone.
    pub of: FormFor,
    /// Name of the run in the messages; empty for a new run.
    pub run_name: String,
    /// Profile and project in which it was opened: its text goes to no other.
    place: (String, String),
    /// The run, or the source of a clone, as the service has it.
    pub source: Remote<Box<Opened>>,
    /// The run was deleted since.
    gone: bool,
    /// Base of the comparison: the source as it was when the form was first opened.
    pub base: Option<Document>,
    pub fields: BTreeMap<RunField, FieldText>,
    /// True once the fields are filled, from the run and the draft.
    pub ready: bool,
    /// Number of keys that were pressed before the fields were filled.
    not_taken: usize,
    /// The field, switch or button with the focus.
    pub stop: Stop,
    /// Problems by field.
    pub problems: BTreeMap<RunField, &'static str>,
    pub draft: FormDraft,
    /// An earlier sending without an answer.
    pub sent: Option<DraftSent>,
    /// Result of the search for the runs or the change of that sending.
    pub lookup: Remote<Lookup>,
    /// Suites of the source of a clone.
    pub suites: Remote<Box<Attached>>,
    /// Progress of reading these suites.
    pub progress: Option<String>,
    /// Choice of the user: the clone gets the known suites.
    pub with_suites: Option<bool>,
    /// True if there is one run for each part of the configuration.
    pub matrix: bool,
    /// Width of a field in columns, from the last layout.
    pub width: usize,
    /// Texts at the start of the form; without a difference no draft is needed.
    initial: RunTexts,
    /// Decisions of the last review, each for these three texts of its field.
    decided: Vec<(FieldMerge, Resolution)>,
}

impl Form {
    /// True if this form is meant, with the wished draft.
    fn is(&self, of: &FormFor, wish: &DraftWish) -> bool {
        self.of == *of
            && match wish {
                DraftWish::Newest => true,
                DraftWish::Fresh => false,
                DraftWish::Kept(key) => self.draft.key.as_ref() == Some(key),
            }
    }

    fn edits(&self) -> bool {
        matches!(self.of, FormFor::Edit(_))
    }

    /// States to choose from: open, closed, and another one that the run had when the form was opened.
    fn states(&self) -> Vec<String> {
        let base = self.base.as_ref().filter(|_| self.edits());
        let had = base.and_then(|base| STATUS.text(base));
        let all = ["active".to_owned(), "inactive".to_owned()].into_iter();
        all.chain(had.filter(|had| !["active", "inactive", ""].contains(&&**had)))
            .collect()
    }

    /// Fields that can be changed here. The project of an existing run cannot, nor what holds no text there.
    fn editable(&self) -> Vec<RunField> {
        if !self.edits() {
            return RunField::ALL.to_vec();
        }
        let base = self.base.as_ref();
        let is_nested = |field: &RunField| base.is_some_and(|base| base.is_nested(field.path()));
        let fields = RunField::EDITABLE.into_iter();
        fields.filter(|field| !is_nested(field)).collect()
    }

    /// Texts of all fields.
    pub fn texts(&self) -> RunTexts {
        let fields = self.fields.keys();
        fields.map(|field| (*field, self.text(*field))).collect()
    }

    /// Text of a field; empty if the field is missing.
    fn text(&self, field: RunField) -> String {
        let text = self.fields.get(&field);
        let text = text.map(FieldText::text).unwrap_or_default();
        // Blanks around an id or a version are not seen.
        let is_id = [
            RunField::ProjectId,
            RunField::SubprojectId,
            RunField::ProjectVersionNumber,
        ];
        if is_id.contains(&field) && self.initial.get(&field) != Some(&text) {
            return text.trim().to_owned();
        }
        text
    }

    /// Fields whose text differs from the start.
    pub fn changed(&self) -> Vec<RunField> {
        differing(&self.texts(), &self.initial).collect()
    }

    /// True if its run is not there any more, as far as is known.
    fn is_gone(&self) -> bool {
        let failure = self.source.failure();
        self.gone || failure.is_some_and(|it| it.kind == FailureKind::NotFound)
    }

    /// True if something is typed, chosen or was sent.
    fn is_touched(&self) -> bool {
        let is_chosen = self.matrix || self.with_suites.is_some();
        is_chosen || self.sent.is_some() || !self.changed().is_empty()
    }

    /// True if there is a text to discard, here or on the disk.
    fn has_draft(&self) -> bool {
        let FormDraft {
            kept_at, sent_at, ..
        } = &self.draft;
        self.is_touched() || kept_at.is_some() || sent_at.is_some()
    }

    /// True if the clone gets the known suites; a complete set by default.
    fn takes_suites(&self) -> bool {
        let is_complete = || {
            self.suites
                .value()
                .is_some_and(|suites| suites.is_complete())
        };
        self.with_suites.unwrap_or_else(is_complete)
    }

    /// True while the suites that a clone gets are read again.
    fn reads_suites_again(&self) -> bool {
        self.takes_suites() && self.suites.value().is_some() && self.suites.is_reading()
    }

    /// Fills the fields once the run and the draft, or the reason why there is none, are here.
    fn fill(&mut self, cx: &mut Cx) {
        let has_answer = self.draft.key.is_some() || self.draft.problem.is_some();
        if self.ready || !has_answer {
            return;
        }
        let before = self.draft.before.as_ref();
        self.base = before
            .and_then(|draft| draft.base.clone())
            .or(self.base.take());
        if let Some(base) = &self.base {
            self.initial = texts_of(base);
        }
        if self.initial.is_empty() {
            return;
        }
        let draft = self.draft.before.take();
        for field in RunField::ALL {
            let begun = self.initial.entry(field).or_default();
            // Undo ends at the text with which the form opens: that of the draft is not taken away.
            let kept = draft.as_ref().and_then(|draft| draft.texts.get(&field));
            let field_text = FieldText::new(kept.unwrap_or(begun), field == RunField::Description);
            self.fields.insert(field, field_text);
        }
        if let Some(draft) = draft {
            if !draft.project.is_empty() {
                self.place.1.clone_from(&draft.project);
            }
            (self.matrix, self.with_suites) = (draft.matrix, draft.with_suites);
            (self.draft.filled_at, self.draft.kept_at) = (Some(draft.at), Some(draft.at));
            // A note in the form names the key that discards it.
            cx.say("a draft was here: it is in the form");
        }
        self.ready = true;
        let stops = self.stops();
        if !stops.contains(&self.stop) {
            self.stop = stops[0];
        }
        self.say_not_taken(cx);
    }

    /// Places of the focus in their order.
    pub fn stops(&self) -> Vec<Stop> {
        let mut stops: Vec<Stop> = self.editable().into_iter().map(Stop::Field).collect();
        if self.has_matrix() {
            stops.push(Stop::Matrix);
        }
        if matches!(self.of, FormFor::Clone(_)) {
            stops.push(Stop::Suites);
        }
        stops.extend(BUTTONS.map(|(_, button)| button));
        stops
    }

    /// True if one run for each configuration can be made.
    fn has_matrix(&self) -> bool {
        match self.of {
            FormFor::Edit(_) => false,
            FormFor::New => self.matrix || self.configurations().len() > 1,
            FormFor::Clone(_) => true,
        }
    }

    /// Moves the focus to one of the stops.
    fn go_to(&mut self, place: usize) {
        self.stop = self.stops().get(place).map_or(self.stop, |stop| *stop);
    }

    /// Moves the focus forward or back, around the end.
    fn turn(&mut self, forward: bool) {
        let stops = self.stops();
        let at = stops.iter().position(|stop| *stop == self.stop);
        self.stop = stops[beside(at.unwrap_or(0), stops.len(), forward)];
    }

    /// Checks every field and moves the focus to the first problem. Returns true if there is none.
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

    /// Parts of the configuration, which may be a comma separated list (2.2).
    pub fn configurations(&self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let text = self.text(RunField::Configuration);
        let parts = text::parts(&text).filter(|part| seen.insert(*part));
        parts.map(str::to_owned).collect()
    }

    /// Draft with the texts of the form; `None` until the form is filled and the draft has a key.
    fn kept(&self, now: i64) -> Option<Draft> {
        self.ready.then_some(())?;
        Some(Draft {
            service: String::new(),
            key: self.draft.key.clone()?,
            profile: self.place.0.clone(),
            project: self.place.1.clone(),
            form: self.of.clone(),
            run_name: self.run_name.clone(),
            base: self.base.clone(),
            texts: self.texts(),
            matrix: self.matrix,
            with_suites: self.with_suites,
            at: now,
            sent: self.sent.clone(),
            died: false,
        })
    }

    /// Runs that a form for new runs creates.
    fn plan(&self) -> Create {
        let texts = self.texts();
        let run = NewRun::of_texts(&texts);
        let list = self.configurations();
        let runs = if self.matrix && list.len() > 1 {
            let before = self.initial.get(&RunField::Configuration);
            let before = before.map_or("", |it| it.trim());
            let one = |part: &String| run.for_configuration(part, before);
            list.iter().map(one).collect()
        } else {
            vec![run]
        };
        let suites = self
            .suites
            .value()
            .filter(|_| self.takes_suites())
            .into_iter()
            .flat_map(|attached| attached.sure())
            .map(|named| (named.suite.clone(), named.full_name()));
        let source = matches!(self.of, FormFor::Clone(_)).then_some(self.run_name.as_str());
        Create {
            runs,
            suites: suites.collect(),
            seen: Vec::new(),
            origin: Create::origin_of(source),
            undo_of: None,
        }
    }

    /// Result of the search for an earlier sending, if its end is known.
    fn ended(&self) -> Option<&Lookup> {
        self.lookup.value().filter(|lookup| lookup.end.is_some())
    }

    /// Message for an earlier sending whose end is unknown.
    fn may_be_done(&self) -> String {
        let titles = self.sent.as_ref().map(|sent| sent.titles.as_slice());
        match (&self.of, titles) {
            (FormFor::Edit(_), None | Some([])) => {
                Deed::Save(self.name().unwrap_or("The run")).in_doubt()
            }
            (_, Some([title])) => Deed::Create(&short(title)).in_doubt(),
            _ => "Some of the runs may exist".to_owned(),
        }
    }

    /// Words for an earlier sending.
    fn sent_words(&self) -> Option<String> {
        let sent = self.sent.as_ref()?;
        Some(match (&self.of, self.ended()) {
            (_, Some(ended)) => format!("Sent before: {}.", ended.words),
            (FormFor::Edit(_), None) => {
                let read = self.lookup.newest().map(|lookup| lookup.words.as_str());
                let words = read.filter(|words| !words.is_empty());
                format!("{}: {}", self.may_be_done(), words.unwrap_or(&sent.words))
            }
            (FormFor::New | FormFor::Clone(_), None) => format!("Sent before: {}", sent.words),
        })
    }

    /// Warnings about what would be sent now.
    fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        let texts = self.texts();
        for field in self.changed() {
            // A text of several lines has its own.
            let is_seen = |c| field == RunField::Description && matches!(c, '\n' | '\r' | '\t');
            let text = texts.get(&field).map_or("", String::as_str);
            let is_idle = |at: usize| joins_nothing(&text[at..]);
            let unseen = |(at, c): &(usize, char)| is_idle(*at) || !is_seen(*c) && acts(*c);
            // From a little before the first of them.
            let marked = |first: usize| -> String {
                let mark = char::REPLACEMENT_CHARACTER;
                let mut before = text[..first].char_indices().rev();
                let from = before.nth(BEFORE).map_or(0, |(at, _)| at);
                let letters = text.char_indices().skip_while(|(at, _)| *at < from);
                let marked = letters.map(|(at, c)| if is_idle(at) { mark } else { c });
                let marked = value(field, &marked.collect::<String>());
                if from > 0 {
                    format!("…{marked}")
                } else {
                    marked
                }
            };
            let mut places = text.char_indices().filter(unseen).map(|(at, _)| at);
            match (places.next(), places.count() + 1) {
                (None, _) => {}
                (Some(first), count) => warnings.push(format!(
                    "{} has {} not to be seen, sent as typed: {}",
                    field.label(),
                    text::count(count, "character"),
                    short(&plain(&marked(first))),
                )),
            }
        }
        if matches!(self.of, FormFor::Clone(_)) {
            let lacks = self.base.as_ref().map(not_copied);
            let lacks = lacks.filter(|lacks| !lacks.is_empty());
            warnings.extend(lacks.map(|lacks| format!("Without {}.", text::join(lacks, ", "))));
            warnings.push(match self.suites.value() {
                Some(attached) if self.takes_suites() => {
                    let again = if self.suites.is_reading() {
                        "; they are being read again"
                    } else if self.suites.failure().is_some() {
                        ", as read before: reading them again failed"
                    } else {
                        ""
                    };
                    format!("With {}{again}.", suites_of(attached))
                }
                None if self.with_suites != Some(false) => {
                    let why = if self.suites.is_reading() {
                        "still being worked out"
                    } else {
                        "not known"
                    };
                    format!("Without its suites, which are {why}: the new run is empty.")
                }
                _ => "Without suites: the new run is empty.".to_owned(),
            });
            let plan = self.plan();
            let source = self.initial.get(&RunField::ProjectVersionNumber);
            let source = source.map_or("", String::as_str);
            let doubt = plan.runs.first();
            let doubt = doubt.and_then(|run| Create::version_doubt(plan.suites.len(), source, run));
            warnings.extend(doubt.map(|words| words + "."));
        }
        warnings
    }

    /// Fields whose text on the service has changed since the form was opened.
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

/// Fields whose text differs from `before`.
fn differing(now: &RunTexts, before: &RunTexts) -> impl Iterator<Item = RunField> {
    now.iter()
        .filter(|(field, text)| before.get(field) != Some(text))
        .map(|(field, _)| *field)
}

/// Text that names the key of an action of the form; empty if no key is bound to it.
fn then(shared: &Shared, sign: &str, action: &Action, does: &str) -> String {
    shared.then_key(sign, Layer::Form, action, does)
}

/// Number of suites that a clone can get, in words.
fn suites_of(attached: &Attached) -> String {
    let known = attached.sure().count();
    match (attached.count, attached.is_complete()) {
        (_, true) if known == 0 => "no suites: it has none".into(),
        (_, true) if known == 1 => "its one suite".into(),
        (_, true) => format!("all {known} of its suites"),
        (Some(all), _) => format!("{known} of its {all} suites: NOT ALL, the others are not known"),
        (None, _) => format!("{known} of its suites: perhaps NOT ALL"),
    }
}

/// Texts of a new run. The version is that of the profile, else that of the selected run.
fn new_texts(session: &Session, at_hand: Option<&str>) -> RunTexts {
    let version = session.project_version.as_deref().or(at_hand);
    texts_of_new(&session.project, session.subproject.as_deref(), version)
}
