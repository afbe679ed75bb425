//! The form of a run: its fields, its draft, what it was opened on.

use std::collections::BTreeMap;

use super::area::Area;
use super::effect::Effect;
use super::event::Opened;
use super::in_flight::Slot;
use super::message::{Action, CopyWhat};
use super::picker::{Choice, Entry, Picker, PickerKind};
use super::remote::Remote;
use super::{Layer, Screen, Session, Store};
use crate::attached::Attached;
use crate::domain::{
    Create, DocRef, Document, Draft, DraftSent, DraftWish, Failure, FormFor, Lookup, NewRun,
    RunField, RunRow, RunTexts, texts_of, texts_of_new, to_toml,
};

/// Keys kept for a form that is being read.
const MOST_AHEAD: usize = 10_000;
/// Why a form has nowhere to be kept.
const NO_PLACE: &str = "its place on the disk is not here yet";

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

/// State of the form.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// What it is for.
    pub of: FormFor,
    /// What the person knows the run by; empty for a new one.
    pub run_name: String,
    /// The run, or the source of a clone, as the service has it.
    pub source: Remote<Box<Opened>>,
    /// What the texts are compared with: the source as it was when the form was first opened.
    pub base: Option<Document>,
    pub areas: BTreeMap<RunField, Area>,
    /// The texts are in their fields.
    pub ready: bool,
    /// What was typed before they were: it is for this form and no other place.
    pub(super) ahead: Vec<Action>,
    /// What has the focus.
    pub stop: Stop,
    /// What is wrong with a field.
    pub problems: BTreeMap<RunField, String>,
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
    pub(super) initial: RunTexts,
    /// The whole form goes to an editor as soon as it is here.
    pub(super) outside_asked: bool,
    /// What came back from the editor and could not be read: it is offered again.
    pub(super) outside_text: Option<String>,
}

impl Form {
    /// A form that knows nothing yet.
    pub(super) fn new(of: FormFor, run_name: String) -> Self {
        Self {
            of,
            run_name,
            source: Remote::default(),
            base: None,
            areas: BTreeMap::new(),
            ready: false,
            ahead: Vec::new(),
            stop: Stop::Field(RunField::Title),
            problems: BTreeMap::new(),
            draft: FormDraft::default(),
            sent: None,
            looked: Remote::default(),
            suites: Remote::default(),
            progress: None,
            with_suites: false,
            matrix: false,
            width: 40,
            initial: RunTexts::new(),
            outside_asked: false,
            outside_text: None,
        }
    }

    /// The run that is edited or cloned.
    pub fn run(&self) -> Option<&DocRef> {
        match &self.of {
            FormFor::New => None,
            FormFor::Clone(run) | FormFor::Edit(run) => Some(run),
        }
    }

    /// The fields that can be changed here; the place of a run in the project cannot.
    pub fn editable(&self) -> &'static [RunField] {
        if matches!(self.of, FormFor::Edit(_)) {
            &RunField::EDITABLE
        } else {
            &RunField::ALL
        }
    }

    /// What stands in the fields.
    pub fn texts(&self) -> RunTexts {
        self.areas
            .iter()
            .map(|(field, area)| (*field, area.text()))
            .collect()
    }

    /// The fields that hold something else than in the beginning.
    pub fn changed(&self) -> Vec<RunField> {
        let differs = |(field, area): &(&RunField, &Area)| {
            self.initial
                .get(*field)
                .is_none_or(|text| *text != area.text())
        };
        self.areas
            .iter()
            .filter(differs)
            .map(|(field, _)| *field)
            .collect()
    }

    /// Puts texts into the fields, and those of a draft over them. What was typed meanwhile stays.
    pub(super) fn fill(&mut self, texts: &RunTexts, draft: Option<&Draft>) {
        let typed: Vec<_> = self.changed().into_iter().filter(|_| self.ready).collect();
        for field in RunField::ALL {
            let text = texts.get(&field).cloned().unwrap_or_default();
            if !typed.contains(&field) {
                let shown = draft
                    .and_then(|draft| draft.texts.get(&field))
                    .unwrap_or(&text);
                let mut area = Area::new(&text, field == RunField::Description);
                area.replace(shown);
                self.areas.insert(field, area);
            }
            self.initial.insert(field, text);
        }
        self.ready = true;
    }

    /// What is on the screen, in order.
    pub fn stops(&self) -> Vec<Stop> {
        let mut stops: Vec<Stop> = self
            .editable()
            .iter()
            .map(|field| Stop::Field(*field))
            .collect();
        if matches!(self.of, FormFor::Clone(_)) {
            stops.extend([Stop::Matrix, Stop::Suites]);
        }
        stops.extend([Stop::Save, Stop::Leave, Stop::Discard]);
        stops
    }

    /// Gives the focus to the next place or the one before.
    pub(super) fn turn(&mut self, forward: bool) {
        let stops = self.stops();
        let at = stops
            .iter()
            .position(|stop| *stop == self.stop)
            .unwrap_or(0);
        let to = if forward {
            at + 1
        } else {
            at + stops.len() - 1
        };
        self.stop = stops[to % stops.len()];
    }

    /// Looks at every field; says whether all are right.
    pub(super) fn check(&mut self) -> bool {
        self.problems.clear();
        let texts = self.texts();
        for field in self.editable() {
            let text = texts.get(field).map_or("", String::as_str);
            if let Some(problem) = field.problem(text) {
                self.problems.insert(*field, problem.to_owned());
            }
        }
        if let Some(field) = self
            .editable()
            .iter()
            .find(|field| self.problems.contains_key(field))
        {
            self.stop = Stop::Field(*field);
        }
        self.problems.is_empty()
    }

    /// The parts of the configuration: it may hold a comma separated list (2.2).
    pub fn configurations(&self) -> Vec<String> {
        let text = self
            .areas
            .get(&RunField::Configuration)
            .map(Area::text)
            .unwrap_or_default();
        let mut seen = std::collections::BTreeSet::new();
        parts(&text)
            .into_iter()
            .filter(|part| seen.insert(part.clone()))
            .collect()
    }

    /// What is kept of the form; nothing as long as it has no draft.
    pub(super) fn kept(&self, profile: &str, now: i64) -> Option<Draft> {
        Some(Draft {
            key: self.draft.key.clone()?,
            profile: profile.to_owned(),
            form: self.of.clone(),
            run_name: self.run_name.clone(),
            base: self.base.clone(),
            texts: self.texts(),
            at: now,
            sent: self.sent.clone(),
        })
    }

    /// Fields that the service holds with another text than the form was begun on.
    pub fn moved(&self) -> Vec<RunField> {
        let (Some(base), Some(now)) = (&self.base, self.source.value()) else {
            return Vec::new();
        };
        let (base, now) = (texts_of(base), texts_of(&now.document));
        RunField::EDITABLE
            .into_iter()
            .filter(|field| base.get(field) != now.get(field))
            .collect()
    }
}

/// The parts of a comma separated list, without blanks around them.
pub fn parts(text: &str) -> Vec<String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The texts of a new run: from the profile, and where that names no version, that of the run at hand.
pub(super) fn new_texts(session: &Session, at_hand: Option<&RunRow>) -> RunTexts {
    let version = session
        .project_version
        .as_deref()
        .or_else(|| at_hand?.version.as_deref());
    texts_of_new(&session.project, session.subproject.as_deref(), version)
}

impl Form {
    /// The runs that a form for new ones asks for.
    pub(super) fn plan(&self) -> Create {
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
            Some(attached) => attached
                .sure()
                .map(|named| (named.suite.clone(), named.full_name()))
                .collect(),
            None => Vec::new(),
        };
        let source = matches!(self.of, FormFor::Clone(_)).then_some(self.run_name.as_str());
        Create {
            runs,
            suites,
            origin: Create::origin_of(source),
            undo_of: None,
        }
    }

    /// What the person should know before it is sent.
    pub(super) fn warnings(&self) -> Vec<String> {
        let mut warnings = Vec::new();
        if let Some(sent) = &self.sent {
            warnings.push(format!(
                "This form was sent before, and its outcome is unknown: {}",
                sent.words
            ));
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
        if self
            .texts()
            .get(&RunField::Status)
            .is_some_and(|status| status != "active")
        {
            warnings
                .push("Status is not active: what a run does then is not documented.".to_owned());
        }
        warnings
    }
}

impl Store {
    /// Opens the form for a new run, or for the run at hand.
    pub(super) fn open_form(&mut self, action: &Action) {
        if !self.may_write() {
            return;
        }
        if *action == Action::New {
            return self.open_form_for(FormFor::New, String::new(), DraftWish::Fresh);
        }
        let Some(run) = self.run_at_hand() else {
            self.cx.say("there is no run here yet");
            return;
        };
        let name = run.full_name();
        let of = if *action == Action::Clone {
            FormFor::Clone(run.doc_ref.clone())
        } else {
            FormFor::Edit(run.doc_ref.clone())
        };
        self.open_form_for(of, name, DraftWish::Newest);
        if *action == Action::EditOutside {
            self.form_outside();
        }
    }

    /// Opens a form: its draft and its run are asked for, and what is here already is shown at once.
    pub(super) fn open_form_for(&mut self, of: FormFor, run_name: String, wish: DraftWish) {
        self.leave_form();
        let at_hand = self.run_at_hand();
        let mut form = Form::new(of.clone(), run_name);
        form.draft.wish = wish.clone();
        let taken = of.clone();
        self.cx.request(Slot::Draft, |id| Effect::TakeDraft {
            id,
            form: taken,
            wish,
        });
        match (&of, &self.cx.shared.session) {
            (FormFor::New, Some(session)) => form.fill(&new_texts(session, at_hand.as_ref()), None),
            (FormFor::New, None) => {}
            (FormFor::Edit(run) | FormFor::Clone(run), _) => {
                let known = self.detail.as_ref().filter(|detail| detail.doc_ref == *run);
                if let Some(opened) = known.and_then(|detail| detail.document.value()) {
                    form.base = Some(opened.document.clone());
                    form.fill(&texts_of(&opened.document), None);
                }
                form.source.ask();
                let doc_ref = run.clone();
                self.cx
                    .request(Slot::FormRun, |id| Effect::GetDocument { id, doc_ref });
            }
        }
        if let FormFor::Clone(run) = of {
            form.suites.ask();
            let typed = Vec::new();
            self.cx
                .request(Slot::FormSuites, |id| Effect::Survey { id, run, typed });
        }
        self.form = Some(form);
        self.stack.open(Screen::Form);
    }

    /// Closes the form; what was typed stays in its draft.
    pub(super) fn leave_form(&mut self) {
        let now = self.cx.now;
        let profile = self.cx.shared.profile();
        let Some(mut form) = self.form.take() else {
            return;
        };
        self.cx.give_up_all(Slot::is_of_form);
        let nothing = form.changed().is_empty() && form.sent.is_none();
        if let Some(key) = form.draft.key.clone() {
            if nothing {
                self.cx.effect(Effect::DropDraft { key });
            } else {
                let unsaved = form.draft.unsaved.then(|| form.kept(&profile, now));
                if let Some(Some(draft)) = unsaved {
                    self.cx.effect(Effect::KeepDraft(Box::new(draft)));
                } else {
                    self.left_kept(key, &form.of);
                }
            }
        }
        self.stack.close(&[Screen::Form, Screen::Review]);
        if !form.ahead.is_empty() {
            self.cx
                .say("what was typed before the run was here is discarded");
        }
        self.review = None;
        if !nothing && form.draft.key.is_none() {
            form.draft.problem = Some(NO_PLACE.into());
            self.cx.shared.left_forms.push(form);
        } else if !nothing && form.draft.unsaved {
            self.cx.say("keeping the draft");
            self.cx.shared.left_forms.push(form);
        }
    }

    /// The draft of a form that was left is on the disk: only now it is said to be.
    pub(super) fn left_kept(&mut self, key: String, of: &FormFor) {
        self.cx.say(if *of == FormFor::New {
            "the draft is kept: \": drafts\" opens it again"
        } else {
            "the draft is kept: the same key opens it again, \": drafts\" lists all"
        });
        self.cx.effect(Effect::LeaveDraft { key });
        self.cx.effect(Effect::FindDrafts);
    }

    /// A form that could not be kept is here again, unless something is typed in another one by now.
    pub(super) fn unkept_comes_back(&mut self) {
        let busy = |form: &Form| !form.changed().is_empty();
        let unkept = |form: &Form| form.draft.problem.is_some();
        let Some(place) = self.cx.shared.left_forms.iter().position(unkept) else {
            return;
        };
        if self.form.as_ref().is_some_and(busy) {
            return;
        }
        self.leave_form();
        let form = self.cx.shared.left_forms.remove(place);
        self.cx.complain(format!(
            "the draft of {} could not be kept: it is here again",
            if form.run_name.is_empty() {
                "a new run"
            } else {
                &form.run_name
            }
        ));
        self.form = Some(form);
        self.stack.open(Screen::Form);
    }

    /// Esc where nothing can be kept: the form stays, and its texts can be taken elsewhere.
    pub(super) fn stay_unkept(&mut self) {
        let Some(form) = &mut self.form else {
            return;
        };
        let problem = form.draft.problem.clone();
        if form.draft.key.is_none() && !self.cx.under_way(&Slot::Draft) {
            let (form, wish) = (form.of.clone(), form.draft.wish.clone());
            self.cx
                .request(Slot::Draft, |id| Effect::TakeDraft { id, form, wish });
        }
        let problem = problem.as_deref().unwrap_or(NO_PLACE);
        self.cx.complain(format!(
            "the draft cannot be kept: {problem}. Esc tries again, Ctrl-y copies the texts, Ctrl-o opens them in \
             $EDITOR to save them elsewhere, Ctrl-x gives them up"
        ));
        self.keep_form();
    }

    /// The texts of the form to the clipboard, as the editor gets them.
    fn copy_form(&mut self) {
        if let Some(form) = &self.form {
            self.cx.effect(Effect::Copy {
                what: "the texts of the form".into(),
                text: to_toml(&form.texts(), form.editable(), &form.run_name),
            });
        }
    }

    /// Closes the form, and its draft goes.
    pub(super) fn discard_draft(&mut self) {
        let Some(form) = self.form.take() else {
            return;
        };
        self.cx.give_up_all(Slot::is_of_form);
        if let Some(key) = form.draft.key {
            self.cx.effect(Effect::DropDraft { key });
        }
        self.cx.effect(Effect::FindDrafts);
        self.stack.close(&[Screen::Form]);
        self.cx.say("the draft is discarded");
        self.unkept_comes_back();
    }

    pub(super) fn act_form(&mut self, action: Action) {
        let Some(form) = &mut self.form else {
            return self.stack.home();
        };
        let typed = matches!(
            action,
            Action::Type(_) | Action::Paste(_) | Action::NextField | Action::PreviousField
        );
        if typed && !form.ready {
            if form.ahead.len() < MOST_AHEAD {
                form.ahead.push(action);
            } else {
                self.cx
                    .complain("the run is not here yet: what is typed now is not kept");
            }
            return;
        }
        match action {
            Action::NextField => form.turn(true),
            Action::PreviousField => form.turn(false),
            Action::Back | Action::Drafts if form.outside_text.is_some() => {
                self.cx.complain("the TOML that was not taken is still here: Ctrl-o mends it, Ctrl-x gives all of it up");
            }
            Action::Back
                if !form.changed().is_empty()
                    && (form.draft.problem.is_some() || form.draft.key.is_none()) =>
            {
                self.stay_unkept();
            }
            Action::Back => {
                self.leave_form();
                self.unkept_comes_back();
            }
            Action::Copy(CopyWhat::Json) => self.copy_form(),
            Action::Save => self.open_review(),
            Action::DiscardDraft => self.confirm_discard(),
            Action::Drafts | Action::Errors => self.act_anywhere(&action),
            Action::FieldOutside => self.field_outside(),
            Action::EditOutside => self.form_outside(),
            Action::Offer => self.offer_configurations(),
            Action::Type(key) => self.form_key(key),
            Action::Paste(text) => {
                if let Stop::Field(field) = form.stop
                    && field != RunField::Status
                    && form
                        .areas
                        .get_mut(&field)
                        .is_some_and(|area| area.paste(&text))
                {
                    self.typed();
                }
            }
            Action::Palette => self.picker = Some(self.palette()),
            _ => {}
        }
    }

    /// What was typed while the form was being read goes into it, as far as it stays open.
    pub(super) fn type_ahead(&mut self) {
        let Some(form) = self.form.as_mut().filter(|form| form.ready) else {
            return;
        };
        let mut ahead = std::mem::take(&mut form.ahead).into_iter();
        while self.layer() == Layer::Form {
            match ahead.next() {
                Some(action) => self.act_form(action),
                None => return,
            }
        }
        if ahead.next().is_some() {
            self.cx.complain("not all that was typed while the form was read was for the form: the rest is discarded");
        }
    }

    fn form_key(&mut self, key: crossterm::event::KeyEvent) {
        use crossterm::event::KeyCode;
        let Some(form) = &mut self.form else {
            return;
        };
        let turns = matches!(
            key.code,
            KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right
        );
        match form.stop {
            Stop::Field(RunField::Status) if turns => {
                let Some(area) = form.areas.get_mut(&RunField::Status) else {
                    return;
                };
                let next = if area.text() == "active" {
                    "inactive"
                } else {
                    "active"
                };
                area.replace(next);
                self.typed();
            }
            Stop::Field(field) if field != RunField::Status => {
                let width = form.width;
                let Some(area) = form.areas.get_mut(&field) else {
                    return;
                };
                let before = area.cursor();
                if area.key(key, width) {
                    return self.typed();
                }
                let stays = area.cursor() == before;
                let many = area.is_many_lines();
                match key.code {
                    KeyCode::Enter if !many => form.turn(true),
                    KeyCode::Down if stays => form.turn(true),
                    KeyCode::Up if stays => form.turn(false),
                    _ => {}
                }
            }
            Stop::Suites if turns && form.suites.value().is_some() => {
                form.with_suites = !form.with_suites;
            }
            Stop::Matrix if turns => form.matrix = !form.matrix,
            Stop::Save if key.code == KeyCode::Enter => self.open_review(),
            Stop::Leave if key.code == KeyCode::Enter => self.act_form(Action::Back),
            Stop::Discard if key.code == KeyCode::Enter => self.confirm_discard(),
            _ => match key.code {
                KeyCode::Down | KeyCode::Right | KeyCode::Enter => form.turn(true),
                KeyCode::Up | KeyCode::Left => form.turn(false),
                _ => {}
            },
        }
    }

    /// The run of the form has come; `None` if nobody asked for this one.
    pub(super) fn form_source_came(&mut self, result: Result<Box<Opened>, Failure>) {
        let Some(form) = &mut self.form else {
            return;
        };
        form.source.accept(result.clone(), self.cx.now);
        match result {
            Ok(opened) => {
                // What has been typed was typed against the older document: that stays what it is compared with.
                if form.base.is_none()
                    || (form.changed().is_empty() && form.draft.taken_up.is_none())
                {
                    form.base = Some(opened.document.clone());
                    form.fill(&texts_of(&opened.document), None);
                }
                self.type_ahead();
                self.form_outside_if_asked();
            }
            Err(failure) => self.cx.failed(failure),
        }
    }

    /// Known configurations, to tick parts of the list.
    fn offer_configurations(&mut self) {
        let Some(form) = &self.form else { return };
        let ticked = form.configurations();
        let known = self
            .runs
            .facets
            .iter()
            .filter(|(path, _)| path.ends_with(".Configuration"));
        let mut offered: Vec<String> = known
            .flat_map(|(_, values)| values)
            .flat_map(|value| parts(value))
            .collect();
        offered.extend(ticked.iter().cloned());
        offered.sort_unstable();
        offered.dedup();
        if offered.is_empty() {
            return self.cx.say("no configuration is known to offer: type it");
        }
        let entries = offered.into_iter().map(|part| Entry {
            ticked: Some(ticked.contains(&part)),
            label: part.clone(),
            detail: String::new(),
            choice: Choice::Configuration(part),
        });
        self.picker = Some(Picker::new(PickerKind::Configurations, entries.collect()));
    }

    /// Adds a part to the configuration, or takes it out.
    pub(super) fn toggle_configuration(&mut self, part: &str) {
        if let Some(entry) = self.picker.as_mut().and_then(|picker| {
            picker
                .entries
                .iter_mut()
                .find(|entry| entry.choice == Choice::Configuration(part.to_owned()))
        }) {
            entry.ticked = entry.ticked.map(|ticked| !ticked);
        }
        let Some(form) = &mut self.form else {
            return;
        };
        let mut list = form.configurations();
        let before = list.len();
        list.retain(|known| known != part);
        if list.len() == before {
            list.push(part.to_owned());
        }
        form.stop = Stop::Field(RunField::Configuration);
        let changed = form
            .areas
            .get_mut(&RunField::Configuration)
            .is_some_and(|area| area.replace(&list.join(",")));
        if changed {
            self.typed();
        }
    }

    pub(super) fn form_suites_came(&mut self, result: Result<Box<Attached>, Failure>) {
        let failure = result.as_ref().err().cloned();
        if let Some(form) = &mut self.form {
            // A set that is known whole goes along unless the person says otherwise.
            form.with_suites = result.as_ref().is_ok_and(|attached| attached.is_complete());
            form.suites.accept(result, self.cx.now);
        }
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
    }
}
