//! What keys and answers do to the form.

use crossterm::event::{KeyCode, KeyEvent};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Form, Forms, Stop, new_texts, parts, review, view};
use crate::attached::Attached;
use crate::domain::{Document, DraftWish, Failure, FormFor, RunField, texts_of, to_toml};
use crate::screens::given_up;
use crate::screens::keys::REQUEST;
use crate::screens::screen::Screen;
use crate::store::cx::Cx;
use crate::store::effect::{DraftRequest, Effect, Event, Opened};
use crate::store::in_flight::Slot;
use crate::store::key_table::Hint;
use crate::store::layer::Layer;
use crate::store::message::{Action, Choice, CopyWhat, Entry, Plan, Preview};
use crate::store::shared::Shared;
use crate::ui::layout::{Layout, Scrolled};
use crate::ui::{Context, frame};

/// Keys kept for a form that is being read.
const MOST_AHEAD: usize = 10_000;
/// Why a form has nowhere to be kept.
const NO_PLACE: &str = "its place on the disk is not here yet";

impl Forms {
    /// Opens a form: its draft and its run are asked for, and what is here already is shown at once. `version` is that of
    /// the run at hand, `known` the document of the run of the form.
    pub fn open(
        &mut self,
        (of, run_name, wish): (FormFor, String, DraftWish),
        version: Option<&str>,
        known: Option<&Document>,
        cx: &mut Cx,
    ) {
        self.leave(cx);
        let mut form = Form::new(of.clone(), run_name);
        form.draft.wish = wish;
        form.ask_for_draft(cx);
        match (&of, &cx.shared.session) {
            (FormFor::New, Some(session)) => form.fill(&new_texts(session, version), None),
            (FormFor::New, None) => {}
            (FormFor::Edit(run) | FormFor::Clone(run), _) => {
                if let Some(document) = known {
                    form.base = Some(document.clone());
                    form.fill(&texts_of(document), None);
                }
                form.source.ask();
                let doc_ref = run.clone();
                cx.request(Slot::FormRun, |id| Effect::GetDocument { id, doc_ref });
            }
        }
        if let FormFor::Clone(run) = of {
            form.suites.ask();
            let typed = Vec::new();
            cx.request(Slot::FormSuites, |id| Effect::Survey { id, run, typed });
        }
        self.form = Some(form);
    }

    /// Closes the form; what was typed stays in its draft.
    pub fn leave(&mut self, cx: &mut Cx) {
        let Some(mut form) = self.form.take() else {
            return;
        };
        self.review = None;
        cx.give_up_of(Layer::Form);
        let nothing = form.changed().is_empty() && form.sent.is_none();
        if let Some(key) = form.draft.key.clone() {
            if nothing {
                cx.effect(Effect::Draft(DraftRequest::Discard { key }));
            } else {
                let profile = cx.shared.profile();
                let unsaved = form.draft.unsaved.then(|| form.kept(&profile, cx.now));
                if let Some(Some(draft)) = unsaved {
                    cx.effect(Effect::Draft(DraftRequest::Keep(Box::new(draft))));
                } else {
                    left_kept(key, &form.of, cx);
                }
            }
        }
        if !form.ahead.is_empty() {
            cx.say("what was typed before the run was here is discarded");
        }
        if !nothing && form.draft.key.is_none() {
            form.draft.problem = Some(NO_PLACE.into());
            self.left.push(form);
        } else if !nothing && form.draft.unsaved {
            cx.say("keeping the draft");
            self.left.push(form);
        }
    }

    /// A form that could not be kept is here again, unless something is typed in another one by now; whether one is.
    pub fn unkept_comes_back(&mut self, cx: &mut Cx) -> bool {
        let busy = |form: &Form| !form.changed().is_empty();
        let Some(place) = self.left.iter().position(Form::is_unkept) else {
            return false;
        };
        if self.form.as_ref().is_some_and(busy) {
            return false;
        }
        self.leave(cx);
        let form = self.left.remove(place);
        cx.complain(format!(
            "the draft of {} could not be kept: it is here again",
            if form.run_name.is_empty() {
                "a new run"
            } else {
                &form.run_name
            }
        ));
        self.form = Some(form);
        true
    }

    /// Esc where nothing can be kept: the form stays, and its texts can be taken elsewhere.
    fn stay_unkept(&mut self, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        if form.draft.key.is_none() && !cx.under_way(&Slot::Draft) {
            form.ask_for_draft(cx);
        }
        let problem = form.draft.problem.as_deref().unwrap_or(NO_PLACE);
        let outside = "opens them in $EDITOR to save them elsewhere";
        let steps = [
            (Action::Back, "tries again"),
            (Action::Copy(CopyWhat::Json), "copies the texts"),
            (Action::EditOutside, outside),
            (Action::DiscardDraft, "gives them up"),
        ];
        let steps = steps.map(|(action, does)| cx.shared.key_does(Layer::Form, &action, does));
        let steps: Vec<String> = steps.into_iter().filter(|it| !it.is_empty()).collect();
        cx.complain(format!(
            "the draft cannot be kept: {problem}. {}",
            steps.join(", ")
        ));
        self.keep(cx);
    }

    /// Closes the form, and its draft goes.
    pub fn discard(&mut self, cx: &mut Cx) {
        if self.drop_form(cx) {
            cx.say("the draft is discarded");
            self.show_unkept(cx);
        }
    }

    /// The form and its draft go; whether there was one.
    pub(super) fn drop_form(&mut self, cx: &mut Cx) -> bool {
        let Some(form) = self.form.take() else {
            return false;
        };
        cx.give_up_of(Layer::Form);
        if let Some(key) = form.draft.key {
            cx.effect(Effect::Draft(DraftRequest::Discard { key }));
        }
        cx.effect(Effect::Draft(DraftRequest::Find));
        true
    }

    /// A form that could not be kept is here again; else, where none is open, the screen goes.
    fn show_unkept(&mut self, cx: &mut Cx) {
        if !self.unkept_comes_back(cx) && self.form.is_none() && self.review.is_none() {
            cx.close(Layer::Form);
        }
    }

    /// The program ends now, without anybody to ask: what is typed goes to the disk.
    pub fn end(&mut self, cx: &mut Cx) {
        if self.form.as_ref().is_some_and(|form| form.draft.unsaved) {
            self.keep(cx);
        }
    }

    /// What hinders the end of the program; said, and begun to be mended. `once_more` says that it was said before.
    pub fn stops_quitting(&mut self, once_more: bool, cx: &mut Cx) -> bool {
        if once_more {
            return false;
        }
        if self.left.iter().any(Form::is_unkept) {
            cx.complain(
                "another form could not be kept and comes back once this one is left; the same key again quits without it",
            );
            return true;
        }
        let unsaved = |form: &&Form| form.draft.unsaved && !form.changed().is_empty();
        let form = self.form.as_ref().filter(unsaved);
        if form.is_none() && self.left.is_empty() {
            return false;
        }
        if self
            .form
            .as_ref()
            .is_some_and(|form| form.draft.key.is_none())
        {
            self.stay_unkept(cx);
        } else {
            cx.say("keeping the draft, then quitting");
            self.keep(cx);
        }
        true
    }

    fn update_form(&mut self, action: Action, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return cx.home();
        };
        let typed = matches!(
            action,
            Action::Type(_) | Action::Paste(_) | Action::NextField | Action::PreviousField
        );
        if typed && !form.ready {
            if form.ahead.len() < MOST_AHEAD {
                form.ahead.push(action);
            } else {
                cx.complain("the run is not here yet: what is typed now is not kept");
            }
            return;
        }
        match action {
            Action::NextField => form.turn(true),
            Action::PreviousField => form.turn(false),
            Action::Back | Action::Drafts if form.outside_text.is_some() => {
                let key = |sign, action, does| cx.shared.then_key(sign, Layer::Form, action, does);
                let mends = key(": ", &Action::EditOutside, "mends it");
                let drops = key(", ", &Action::DiscardDraft, "gives all of it up");
                cx.complain(format!(
                    "the TOML that was not taken is still here{mends}{drops}"
                ));
            }
            Action::Back
                if !form.changed().is_empty()
                    && (form.draft.problem.is_some() || form.draft.key.is_none()) =>
            {
                self.stay_unkept(cx);
            }
            Action::Back => {
                self.leave(cx);
                self.show_unkept(cx);
            }
            Action::Copy(CopyWhat::Json) => form.copy(cx),
            Action::Save => self.open_review(cx),
            Action::DiscardDraft => confirm_discard(cx),
            Action::FieldOutside => form.field_outside(cx),
            Action::EditOutside => form.whole_outside(cx),
            Action::Offer => cx.anywhere(Action::Offer),
            Action::Type(key) => self.key(key, cx),
            Action::Press(nth) => {
                let buttons = [Stop::Save, Stop::Leave, Stop::Discard];
                form.stop = buttons.get(nth).copied().unwrap_or(form.stop);
                self.key(KeyEvent::from(KeyCode::Enter), cx);
            }
            Action::Paste(text) => {
                if let Stop::Field(field) = form.stop
                    && field != RunField::Status
                    && form
                        .fields
                        .get_mut(&field)
                        .is_some_and(|field_text| field_text.paste(&text))
                {
                    form.typed(cx);
                }
            }
            Action::Chosen(choice) => {
                if let Choice::Configuration(part) = *choice {
                    form.toggle_configuration(&part, cx);
                }
            }
            Action::Drafts | Action::Palette => cx.anywhere(action),
            _ => {}
        }
    }

    /// What was typed while the form was being read goes into it, as far as it stays open.
    pub(super) fn type_ahead(&mut self, cx: &mut Cx) {
        let Some(form) = self.form.as_mut().filter(|form| form.ready) else {
            return;
        };
        let mut ahead = std::mem::take(&mut form.ahead).into_iter();
        while cx.stays() && self.review.is_none() {
            match ahead.next() {
                Some(action) => self.update_form(action, cx),
                None => return,
            }
        }
        if ahead.next().is_some() {
            cx.complain("not all that was typed while the form was read was for the form: the rest is discarded");
        }
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        let turns = matches!(
            key.code,
            KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right
        );
        match form.stop {
            Stop::Field(RunField::Status) if turns => {
                let Some(field_text) = form.fields.get_mut(&RunField::Status) else {
                    return;
                };
                let next = if field_text.text() == "active" {
                    "inactive"
                } else {
                    "active"
                };
                field_text.replace(next);
                form.typed(cx);
            }
            Stop::Field(field) if field != RunField::Status => {
                let width = form.width;
                let Some(field_text) = form.fields.get_mut(&field) else {
                    return;
                };
                let before = field_text.cursor();
                if field_text.key(key, width) {
                    return form.typed(cx);
                }
                let stays = field_text.cursor() == before;
                let many = field_text.is_many_lines();
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
            Stop::Save if key.code == KeyCode::Enter => self.open_review(cx),
            Stop::Leave if key.code == KeyCode::Enter => self.update_form(Action::Back, cx),
            Stop::Discard if key.code == KeyCode::Enter => confirm_discard(cx),
            _ => match key.code {
                KeyCode::Down | KeyCode::Right | KeyCode::Enter => form.turn(true),
                KeyCode::Up | KeyCode::Left => form.turn(false),
                _ => {}
            },
        }
    }

    /// The run of the form has come.
    fn source_came(&mut self, result: Result<Box<Opened>, Failure>, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        form.source.accept(result.clone(), cx.now);
        match result {
            Ok(opened) => {
                // What has been typed was typed against the older document: that stays what it is compared with.
                if form.base.is_none()
                    || (form.changed().is_empty() && form.draft.taken_up.is_none())
                {
                    form.base = Some(opened.document.clone());
                    form.fill(&texts_of(&opened.document), None);
                }
                self.compare_sent(&opened.document, cx);
                self.type_ahead(cx);
                self.outside_if_asked(cx);
            }
            Err(failure) => cx.failed(failure),
        }
    }

    fn suites_came(&mut self, result: Result<Box<Attached>, Failure>, cx: &mut Cx) {
        let failure = result.as_ref().err().cloned();
        if let Some(form) = &mut self.form {
            // A set that is known whole goes along unless the person says otherwise.
            form.with_suites = result.as_ref().is_ok_and(|attached| attached.is_complete());
            form.suites.accept(result, cx.now);
        }
        if let Some(failure) = failure {
            cx.failed(failure);
        }
    }
}

/// The draft of a form that was left is on the disk: only now it is said to be.
pub(super) fn left_kept(key: String, of: &FormFor, cx: &mut Cx) {
    cx.say(if *of == FormFor::New {
        "the draft is kept: \": drafts\" opens it again"
    } else {
        "the draft is kept: the same key opens it again, \": drafts\" lists all"
    });
    cx.effect(Effect::Draft(DraftRequest::Leave { key }));
    cx.effect(Effect::Draft(DraftRequest::Find));
}

/// Asks whether the draft of the open form goes.
fn confirm_discard(cx: &mut Cx) {
    let notes = vec!["The form is closed. What was typed goes to drafts/discarded in the state directory, where the newest 20 stay. Nothing is sent.".into()];
    cx.confirm(Preview::new(Plan::DiscardDraft, notes));
}

impl Form {
    /// What stands in it cannot be kept.
    fn is_unkept(&self) -> bool {
        self.draft.problem.is_some()
    }

    fn ask_for_draft(&self, cx: &mut Cx) {
        let (form, wish) = (self.of.clone(), self.draft.wish.clone());
        cx.request(Slot::Draft, |id| {
            Effect::Draft(DraftRequest::Take { id, form, wish })
        });
    }

    /// Its texts to the clipboard, as the editor gets them.
    fn copy(&self, cx: &mut Cx) {
        cx.effect(Effect::Copy {
            what: "the texts of the form".into(),
            text: to_toml(&self.texts(), self.editable(), &self.run_name),
        });
    }

    /// Known configurations, to tick parts of the list.
    pub fn offered_configurations(&self, known: &[(String, Vec<String>)]) -> Vec<Entry> {
        let ticked = self.configurations();
        let known = known
            .iter()
            .filter(|(path, _)| path.ends_with(".Configuration"));
        let mut offered: Vec<String> = known
            .flat_map(|(_, values)| values)
            .flat_map(|value| parts(value))
            .collect();
        offered.extend(ticked.iter().cloned());
        offered.sort_unstable();
        offered.dedup();
        let entry = |part: String| Entry {
            ticked: Some(ticked.contains(&part)),
            label: part.clone(),
            detail: String::new(),
            choice: Choice::Configuration(part),
        };
        offered.into_iter().map(entry).collect()
    }

    /// Adds a part to the configuration, or takes it out.
    fn toggle_configuration(&mut self, part: &str, cx: &mut Cx) {
        let mut list = self.configurations();
        let before = list.len();
        list.retain(|known| known != part);
        if list.len() == before {
            list.push(part.to_owned());
        }
        self.stop = Stop::Field(RunField::Configuration);
        let changed = self
            .fields
            .get_mut(&RunField::Configuration)
            .is_some_and(|field_text| field_text.replace(&list.join(",")));
        if changed {
            self.typed(cx);
        }
    }
}

impl Screen for Forms {
    fn layer(&self, _shared: &Shared) -> Layer {
        if self.review.is_some() {
            Layer::Review
        } else {
            Layer::Form
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        // What is typed stays in its draft, whichever key leaves it.
        let action = match action {
            Action::LastScreen => Action::Back,
            other => other,
        };
        if self.review.is_some() {
            self.update_review(action, cx);
        } else {
            self.update_form(action, cx);
        }
    }

    fn offers(&self, action: &Action) -> bool {
        let review = self.review.as_ref();
        review.is_none_or(|review| review.offers(action))
    }

    fn hints(&self) -> Option<&'static [Hint]> {
        let review = self.review.as_ref();
        review.filter(|it| it.raw).map(|_| REQUEST)
    }

    fn reply(&mut self, slot: Slot, event: Event, cx: &mut Cx) {
        match (slot, event) {
            (Slot::FormRun, Event::Document { result, .. }) => self.source_came(result, cx),
            (Slot::Reviewed, Event::Document { result, .. }) => self.reviewed_came(result, cx),
            (_, Event::SurveyProgress { words, .. }) => {
                if let Some(form) = &mut self.form {
                    form.progress = Some(words);
                }
            }
            (_, Event::Surveyed { result, .. }) => self.suites_came(result, cx),
            (_, Event::ChangeStep { step, .. }) => {
                if let Some(review) = &mut self.review {
                    review.steps.push(step);
                }
            }
            (_, Event::Modified { end, .. }) => self.modified(end, cx),
            (_, Event::Created { end, .. }) => self.created(*end, cx),
            (_, Event::LookedFor { result, .. }) => self.looked_for_sent(result, cx),
            (_, Event::DraftTaken { result, .. }) => self.draft_taken(result, cx),
            (Slot::Editor(field), Event::Edited { result, .. }) => {
                self.edited_outside(field, result, cx);
            }
            (Slot::DraftPause, Event::Timer(_)) => self.keep(cx),
            _ => {}
        }
    }

    /// What was typed stays in its draft. What is being sent is waited for, and its end told.
    fn closing(&mut self, cx: &mut Cx) {
        if !self.review.as_ref().is_some_and(|review| review.sending) {
            self.leave(cx);
            self.review = None;
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let mut any = false;
        if let Some(form) = &mut self.form {
            let back = &Action::Back;
            let leaves =
                cx.shared
                    .key_does(Layer::Form, back, "leaves; the same key begins again.");
            let reading = || given_up("reading", leaves.clone());
            if cx.give_up(&Slot::FormRun) {
                form.source.accept(Err(reading()), cx.now);
                any = true;
            }
            if cx.give_up(&Slot::FormSuites) {
                form.suites.accept(Err(reading()), cx.now);
                any = true;
            }
        }
        any
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        if let (Some(form), Some(width)) = (&mut self.form, layout.form) {
            form.width = usize::from(width);
        }
        false
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        let review = self.review.as_mut()?;
        Some(&mut review.scroll)
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        if let Some(form) = &self.form {
            let alone = self.review.is_none();
            view::draw(context, form, alone, area, buffer, layout);
        }
        if let Some(review) = &self.review {
            if self.form.is_some() {
                frame::behind(buffer, context.theme);
                // Nothing behind the question can be pressed.
                layout.clicks.clear();
            }
            review::draw(context, review, area, buffer, layout);
        }
    }

    fn is_box(&self) -> bool {
        self.review.is_some() && self.form.is_none()
    }

    fn title(&self, project: &str) -> String {
        let form = match (&self.form, &self.review) {
            (Some(form), _) => match &form.of {
                FormFor::New => "new run".to_owned(),
                FormFor::Clone(_) => format!("{} › clone", form.run_name),
                FormFor::Edit(_) => format!("{} › edit", form.run_name),
            },
            (None, Some(review)) if review.takes_back() => "undo".to_owned(),
            (None, _) => "new runs".to_owned(),
        };
        let review = if self.review.is_some() {
            " › review"
        } else {
            ""
        };
        format!("{project} › {form}{review}")
    }

    fn status(&self, context: Context<'_>) -> String {
        match (&self.review, &self.form) {
            (Some(review), _) => review::status(context, review),
            (None, Some(form)) => view::status(form),
            (None, None) => String::new(),
        }
    }
}
