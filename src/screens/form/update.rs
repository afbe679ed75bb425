//! Updates of the form by actions and answers.

use crate::screens::prelude::*;
use std::collections::BTreeSet;
use std::path::PathBuf;

use crossterm::event::{KeyCode, KeyEvent};

use super::keys::{UNKEPT, UNREAD};
use super::review::{self, Review, keys::UNDO};
use super::{BUTTONS, Form, FormDraft, Forms, Stop, new_texts, then, view};
use crate::domain::release::newest_first;
use crate::domain::{DraftWish, copied_texts, text};
use crate::screens::keys::REQUEST;
use crate::screens::{clock, give_up};
use crate::store::{CopyWhat, DraftRequest, Entry, PickerKind, Plan, Preview};
use crate::ui::text_area::FieldText;

/// So long what was read for a clone needs no other reading, in milliseconds.
const JUST_READ: i64 = 10_000;

/// Reasons why the program cannot quit yet.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Unkept {
    Nothing,
    /// A draft is being saved.
    Waits,
    /// An open form cannot be saved, and the user was asked.
    Asks,
}

impl Forms {
    /// Opens a form, requests its draft and its run, and shows at once what is loaded. A form that was left and is not
    /// on the disk yet is opened as it was; another one waits for it, and takes no keys until then. `version` is that of
    /// the selected run, `known` the loaded document of the run of the form.
    pub fn open(
        &mut self,
        (of, run_name, wish): (FormFor, String, DraftWish),
        version: Option<&str>,
        known: Option<&Document>,
        cx: &mut Cx,
    ) {
        self.leave(cx);
        if self.is_left_elsewhere(&cx.shared)
            && let Some(form) = self.left.as_ref().filter(|form| form.is_unkept())
        {
            let (profile, project) = &form.place;
            cx.complain(format!(
                "what was typed in {project}, profile {profile}, is not on the disk: change back there first"
            ));
            return cx.close(Layer::Form);
        }
        let is_it = |form: &mut Form| form.is(&of, &wish) && cx.shared.is_here(&form.place);
        let left = self.left.take_if(is_it);
        let mut form = match left {
            Some(form) => form,
            None => Form {
                of: of.clone(),
                run_name,
                place: cx.shared.place(),
                width: 40,
                draft: FormDraft {
                    wish,
                    ..FormDraft::default()
                },
                ..Form::default()
            },
        };
        if form.draft.key.is_none() && self.left.is_none() {
            form.ask_for_draft(cx);
        }
        if !form.ready {
            form.base = known.cloned();
        }
        match (&of, &cx.shared.session) {
            (FormFor::New, Some(session)) if !form.ready => {
                form.initial = new_texts(session, version);
            }
            (FormFor::New, _) => {}
            (FormFor::Edit(run) | FormFor::Clone(run), _) => {
                cx.get_document(Slot::FormRun, run, &mut form.source);
            }
        }
        form.survey(cx);
        self.form = Some(form);
        self.find_sent(cx);
    }

    /// Reads again what could not be read for want of a sign-in.
    pub fn read_failed(&mut self, cx: &mut Cx) {
        if let Some(form) = &mut self.form {
            if let Some(run) = form.of.run()
                && form.source.failure().is_some()
            {
                cx.get_document(Slot::FormRun, run, &mut form.source);
            }
            if form.suites.failure().is_some() {
                form.survey(cx);
                self.suites_known(cx);
            }
        }
        let unsought = |form: &Form| form.lookup.failure().is_some();
        if self.review.as_ref().is_some_and(Review::is_unread) {
            self.read_reviewed(cx);
        } else if self.form.as_ref().is_some_and(unsought) {
            self.find_sent(cx);
            self.show_lookup();
        }
    }

    /// Closes the form and keeps the texts in its draft.
    pub fn leave(&mut self, cx: &mut Cx) {
        let Some(mut form) = self.form.take() else {
            return;
        };
        self.review = None;
        cx.give_up_of(Layer::Form);
        form.say_not_taken(cx);
        match form.draft.key.clone() {
            Some(key) if form.draft.before.is_some() => left_kept(key, &form, cx),
            _ if !form.is_touched() => {
                if form.draft.filled_at.is_some() {
                    cx.say("nothing differs any more: the draft is discarded");
                }
                form.drop_draft(cx);
            }
            Some(key) if !form.draft.is_due() => left_kept(key, &form, cx),
            key => {
                if key.is_some() {
                    cx.say("keeping the draft");
                }
                if form.draft.unsaved {
                    form.keep(cx);
                }
                self.left = Some(form);
            }
        }
    }

    /// Takes the form back that was left and cannot be saved, unless another profile or project is in use. Returns true
    /// if there is one.
    pub fn unkept_comes_back(&mut self, cx: &mut Cx) -> bool {
        // What is reviewed then has no form.
        let is_under_review = self.review.is_some();
        let is_here = |form: &mut Form| {
            !is_under_review && form.is_unkept() && cx.shared.is_here(&form.place)
        };
        let Some(form) = self.left.take_if(is_here) else {
            return false;
        };
        // One that waits has no text.
        cx.give_up_of(Layer::Form);
        keep_again(cx);
        let name = form.name().unwrap_or("a new run");
        cx.complain(format!(
            "the draft of {name} could not be kept: it is here again"
        ));
        self.form = Some(form);
        true
    }

    /// Returns what the action adds to the text of a field.
    pub fn adds(&self, action: &Action) -> Option<char> {
        let (Some(form), Action::Type(key)) = (&self.form, action) else {
            return None;
        };
        let field = form.fields.get(&form.typed_field()?);
        field.filter(|_| form.ready)?.adds(*key)
    }

    /// Returns the beginning of a typed text for which the field with the focus has room.
    pub fn fitting<'a>(&self, text: &'a str) -> &'a str {
        let field = self.form.as_ref().and_then(|form| match form.stop {
            Stop::Field(field) => form.fields.get(&field),
            _ => None,
        });
        field.map_or("", |field| field.fitting(text))
    }

    /// Handles Esc. A form that cannot be saved is tried once more and stays open until the next Esc.
    fn back(&mut self, drops: bool, cx: &mut Cx) {
        if !self.form.as_ref().is_some_and(Form::is_unkept) {
            self.leave(cx);
            return cx.close(Layer::Form);
        }
        if drops {
            return self.discard(cx);
        }
        self.keep(cx);
        cx.wait_for_again(Action::Back);
        let drops = then(&cx.shared, "", &Action::Back, "again drops them");
        cx.complain(not_on_the_disk(&drops, cx));
    }

    /// Closes the form and discards its draft.
    pub fn discard(&mut self, cx: &mut Cx) {
        if self.drop_form(cx) {
            cx.say("the draft is discarded");
            cx.close(Layer::Form);
        }
    }

    /// Drops the form and its draft. Returns true if there was a form.
    pub(super) fn drop_form(&mut self, cx: &mut Cx) -> bool {
        let Some(form) = self.form.take() else {
            return false;
        };
        cx.give_up_of(Layer::Form);
        form.drop_draft(cx);
        cx.draft(DraftRequest::Find);
        true
    }

    /// Saves the form that was left and could not be saved.
    fn keep_left(&mut self, cx: &mut Cx) {
        if let Some(form) = self.left.as_mut().filter(|form| form.is_unkept()) {
            form.keep(cx);
        }
    }

    /// Saves unsaved texts when the program ends without a question.
    pub fn end(&mut self, cx: &mut Cx) {
        self.keep_left(cx);
        let has_place = |form: &Form| form.draft.unsaved && form.draft.key.is_some();
        if self.form.as_ref().is_some_and(has_place) {
            self.keep(cx);
        }
    }

    /// True if something is typed that has no place on the disk.
    pub fn has_no_place(&self) -> bool {
        // A draft of the open form is tried again at the end, and its failure reported.
        let mut open = self.form.iter();
        open.any(|form| form.draft.key.is_none() && form.is_touched())
            || self.left.as_ref().is_some_and(Form::is_unkept)
    }

    /// Returns true if a form has changes that cannot be saved.
    pub fn has_unkept(&self) -> bool {
        self.form.iter().chain(&self.left).any(Form::is_unkept)
    }

    /// Returns the number of drafts that quitting asks about: those that wait in this profile, and with them the one that is
    /// typed in the open form. That one alone is kept without a question, but for the demo, which keeps nothing.
    pub fn drafts_at_end(&self, shared: &Shared) -> usize {
        let here = shared.profile();
        let waiting = shared.drafts.iter();
        let waiting = waiting.filter(|it| it.profile == here && it.service.is_empty());
        let is_open = |form: &&Form| {
            let is_listed = waiting
                .clone()
                .any(|it| Some(&it.key) == form.draft.key.as_ref());
            form.has_draft() && !form.is_unkept() && !is_listed
        };
        let open = self.form.as_ref().filter(is_open).map_or(0, |_| 1);
        match waiting.clone().count() {
            0 if !shared.is_demo() => 0,
            others => others + open,
        }
    }

    /// Returns true if the form that was left belongs to another profile or project: the way back there stays open.
    pub fn is_left_elsewhere(&self, shared: &Shared) -> bool {
        let left = self.left.as_ref().filter(|_| self.form.is_none());
        left.is_some_and(|form| !shared.is_here(&form.place))
    }

    /// Reports and starts to save what is not on the disk before the program or the profile is left; `waits` is the message
    /// meanwhile, `without` if that cannot be saved.
    pub fn before_leaving(&mut self, (waits, without): (&str, &str), cx: &mut Cx) -> Unkept {
        if self.form.as_ref().is_some_and(Form::is_unkept) {
            self.keep(cx);
            cx.complain(not_on_the_disk(without, cx));
            Unkept::Asks
        } else if self.has_unkept() {
            self.end(cx);
            cx.complain(format!("what was typed is not on the disk: {without}"));
            Unkept::Asks
        } else if self
            .form
            .as_ref()
            .is_some_and(|form| form.draft.is_due() && form.is_touched())
            || self.left.is_some()
        {
            cx.say(waits);
            self.end(cx);
            Unkept::Waits
        } else {
            Unkept::Nothing
        }
    }

    fn update_form(&mut self, action: Action, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return cx.home();
        };
        if !form.ready && action != Action::Back {
            let failure = form.source.failure();
            if failure.is_some() && matches!(action, Action::Palette | Action::SignIn) {
                return cx.anywhere(action);
            }
            if failure.is_none_or(Failure::passes) {
                form.not_taken += action.keys();
            }
            return match failure {
                Some(failure) => cx.complain_then(form.unread(failure) + ".", "Esc goes back"),
                None => cx.say(form.not_taken("is not here yet")),
            };
        }
        match action {
            Action::NextField => form.turn(true),
            Action::PreviousField => form.turn(false),
            Action::Back => self.back(cx.is_again(&Action::Back), cx),
            Action::Copy(CopyWhat::Json) => form.copy(cx),
            Action::Save => self.open_review(cx),
            Action::DiscardDraft => form.confirm_discard(cx),
            Action::FieldOutside => self.field_outside(cx),
            Action::Type(key) => self.key(key, cx),
            Action::Point(place) => form.go_to(place.into()),
            Action::PointCell(place, character) => {
                form.go_to(place.into());
                if let Stop::Field(field) = form.stop
                    && let Some(field) = form.fields.get_mut(&field)
                {
                    field.go_to(character);
                }
            }
            Action::Press(nth) => {
                let key = match BUTTONS.get(nth) {
                    Some((_, button)) => {
                        form.stop = *button;
                        KeyCode::Enter
                    }
                    None => {
                        form.go_to(nth - BUTTONS.len());
                        KeyCode::Char(' ')
                    }
                };
                self.key(KeyEvent::from(key), cx);
            }
            Action::Paste(text) => {
                if let Some(field) = form.typed_field() {
                    let has_room = |it: &FieldText| it.has_room(&text);
                    if form.fields.get(&field).is_some_and(has_room) {
                        form.edit(field, |field_text| field_text.paste(&text), cx);
                    } else {
                        cx.complain(NO_ROOM);
                    }
                } else {
                    cx.say(form.without_text());
                }
            }
            Action::Chosen(choice) => match *choice {
                Choice::Ticked(parts) => form.set_configurations(&parts, cx),
                Choice::Version(version) => {
                    form.put(RunField::ProjectVersionNumber, &version, cx);
                }
                _ => {}
            },
            Action::Offer | Action::Drafts | Action::Palette | Action::SignIn => {
                cx.anywhere(action);
            }
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        let turns = [KeyCode::Char(' '), KeyCode::Left, KeyCode::Right].contains(&key.code);
        match form.stop {
            Stop::Field(RunField::Status) if turns => {
                let (states, now) = (form.states(), form.text(RunField::Status));
                let place = states.iter().position(|state| *state == now);
                let next = match (place, key.code) {
                    (None, _) => 0,
                    (Some(place), KeyCode::Left) => place + states.len() - 1,
                    (Some(place), _) => place + 1,
                };
                let next = &states[next % states.len()];
                form.put(RunField::Status, next, cx);
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
                if field_text.adds(key).is_some() {
                    return cx.complain(FULL);
                }
                let stays = field_text.cursor() == before;
                let many = field_text.many_lines;
                match key.code {
                    KeyCode::Enter if !many => form.turn(true),
                    KeyCode::Down if stays => form.turn(true),
                    KeyCode::Up if stays => form.turn(false),
                    _ => {}
                }
            }
            Stop::Suites if turns && form.suites.value().is_some() => {
                form.with_suites = Some(!form.takes_suites());
                form.typed(cx);
            }
            Stop::Matrix if turns => {
                form.matrix = !form.matrix;
                if !form.has_matrix() {
                    form.stop = Stop::Field(RunField::Configuration);
                }
                form.typed(cx);
            }
            Stop::Save if key.code == KeyCode::Enter => self.open_review(cx),
            Stop::Leave if key.code == KeyCode::Enter => self.back(false, cx),
            Stop::Discard if key.code == KeyCode::Enter => form.confirm_discard(cx),
            _ => match key.code {
                KeyCode::Down | KeyCode::Right | KeyCode::Enter => form.turn(true),
                KeyCode::Up | KeyCode::Left => form.turn(false),
                KeyCode::Char(_) | KeyCode::Backspace | KeyCode::Delete => {
                    cx.say(form.without_text());
                }
                _ => {}
            },
        }
    }

    /// Takes the run of the form.
    fn on_source(&mut self, result: Result<Box<Opened>, Failure>, cx: &mut Cx) {
        let Some(form) = &mut self.form else {
            return;
        };
        let name = form.name().unwrap_or_default();
        let result = result.map_err(|failure| failure.of_run(name));
        cx.accept(&mut form.source, result.clone());
        let Ok(opened) = result else { return };
        // Texts that were typed against an older document keep it as their base.
        if form.base.is_none() || (form.changed().is_empty() && form.draft.filled_at.is_none()) {
            form.base = Some(opened.document.clone());
            form.ready = false;
            form.fill(cx);
        }
        self.compare_sent(&opened.document, cx);
    }

    /// Fills the form from a kept document while the service does not answer. A save reads the run again first.
    fn on_kept(&mut self, opened: Box<Opened>, at: i64, cx: &mut Cx) {
        if let Some(form) = self.form.as_mut().filter(|form| form.base.is_none()) {
            form.base = Some(opened.document.clone());
            form.source.put(opened, at);
            form.fill(cx);
        }
    }

    /// Keeps the draft, and opens the text of the focused field in the user's editor: the program may be ended while it
    /// is open.
    pub(super) fn field_outside(&mut self, cx: &mut Cx) {
        if self.form.as_ref().is_some_and(|form| form.draft.unsaved) {
            self.keep(cx);
        }
        let Some(form) = &self.form else { return };
        let Some(field) = form.typed_field() else {
            return cx.say(form.without_text());
        };
        let ending = match field {
            RunField::Description => "md",
            _ => "txt",
        };
        // Editors end the last line with a newline, fields do not.
        let text = text::escaped(&form.text(field)) + "\n";
        cx.request(Slot::Editor(field), Request::EditText { ending, text });
    }

    /// Takes the text of a field back from the editor; its file goes once the draft is on the disk.
    fn edited_outside(
        &mut self,
        field: RunField,
        result: Result<(String, PathBuf), Failure>,
        cx: &mut Cx,
    ) {
        let Some(form) = &mut self.form else {
            return;
        };
        let (text, file) = match result {
            Ok(edited) => edited,
            Err(failure) => return cx.failed(failure),
        };
        let text = text::of_file(&text);
        let before = form.text(field);
        let many_lines = form.fields.get(&field).is_none_or(|it| it.many_lines);
        let text = &if many_lines || before.contains(['\r', '\n']) {
            text.to_owned()
        } else {
            text::on_one_line(text)
        };
        if *text == text::escaped(&before) {
            if (0..AT_ONCE).contains(&(cx.now - cx.key_at)) {
                cx.say("the editor has ended with the text as it was: one with a window of its own must wait for it (code --wait)");
            }
            return cx.draft(DraftRequest::Discard {
                key: None,
                edited: vec![file],
            });
        }
        form.draft.edited.push(file);
        // If nothing was escaped before, escapes in the text were typed by the user.
        if text::escaped(&before) == before {
            form.edit(field, |field_text| field_text.replace(text), cx);
        } else {
            let text = text::unescaped(text);
            form.edit(field, |field_text| field_text.replace(&text), cx);
        }
        self.keep(cx);
    }
}

/// Said of a pasted text for which a field has no room.
const NO_ROOM: &str = "not taken: at most 256 KiB fit here";
/// The same of a key: text that came before it may have been taken.
const FULL: &str = "full: at most 256 KiB fit here, what comes beyond is not taken";

/// Milliseconds in which no text is read in an editor.
const AT_ONCE: i64 = 1_000;

/// Longest delay between a key and the saving of its text, in milliseconds.
pub(super) const KEEP_AFTER: u64 = 300;
/// Pause before another try, in milliseconds: the disk may have room by then.
const KEEP_AGAIN: u64 = 10_000;

/// Schedules the saving of drafts after this pause in milliseconds, unless it is due earlier.
pub(super) fn keep_after(pause: u64, cx: &mut Cx) {
    let latest = cx.now.saturating_add_unsigned(pause);
    let due = cx.in_flight.due(&Slot::DraftPause);
    if due.is_none_or(|due| due > latest) {
        cx.timer(Slot::DraftPause, pause);
    }
}

/// Schedules another try.
pub(super) fn keep_again(cx: &mut Cx) {
    keep_after(KEEP_AGAIN, cx);
}

/// Reports that the draft of a closed form is on the disk, and releases it.
pub(super) fn left_kept(key: String, form: &Form, cx: &mut Cx) {
    let drafts = |sign, does| cx.shared.then_key(sign, Layer::Runs, &Action::Drafts, does);
    let (profile, project) = &form.place;
    let on_it = |action| {
        let does = format!("on {} opens it again", form.name().unwrap_or("the run"));
        let opens = cx.shared.then_key(": ", Layer::Runs, &action, &does);
        opens + &drafts(", ", "lists all")
    };
    let opens = match form.of {
        _ if !cx.shared.is_here(&form.place) => format!(" in {project} of the profile {profile}"),
        FormFor::New => drafts(": ", "opens it again"),
        _ if form.is_gone() => drafts(": ", "opens it again"),
        FormFor::Edit(_) => on_it(Action::Edit),
        FormFor::Clone(_) => on_it(Action::Clone),
    };
    cx.progress(format!("the draft is kept{opens}"));
    cx.draft(DraftRequest::Leave { key });
    cx.draft(DraftRequest::Find);
}

/// Warning that the texts are not on the disk, with the ways out.
fn not_on_the_disk(leaves: &str, cx: &Cx) -> String {
    let copy = &Action::Copy(CopyWhat::Json);
    let copies = then(&cx.shared, ": ", copy, "copies all fields");
    format!("not on the disk{copies}, {leaves}")
}

impl Form {
    /// Returns true if the form has changes that cannot be saved.
    pub(super) fn is_unkept(&self) -> bool {
        let has_place = self.draft.key.is_some() && self.draft.problem.is_none();
        !has_place && self.is_touched()
    }

    /// Asks for confirmation before the draft is discarded.
    fn confirm_discard(&self, cx: &mut Cx) {
        if !self.has_draft() {
            return cx.say("there is no draft: nothing was typed");
        }
        let typed = match (&self.draft.problem, self.draft.kept_at) {
            (None, _) => "What was typed goes to drafts/discarded in the state directory, where the newest 20 stay".into(),
            (Some(_), None) => "What was typed is not on the disk, and is lost".into(),
            (Some(_), Some(at)) => {
                let at = clock(cx).to_the_second(at);
                format!("What was typed since {at} is not on the disk, and is lost")
            }
        };
        let notes = vec![format!("The form is closed. {typed}. Nothing is sent.")];
        cx.confirm(Preview::new(Plan::DiscardDraft, notes));
    }

    /// Returns the field under the cursor if it is one to type in.
    fn typed_field(&self) -> Option<RunField> {
        match self.stop {
            Stop::Field(field) if field != RunField::Status => Some(field),
            _ => None,
        }
    }

    /// Message for a text on a place that has none.
    fn without_text(&self) -> &'static str {
        match self.stop {
            Stop::Field(_) | Stop::Suites | Stop::Matrix => {
                "nothing is typed here: Space changes it"
            }
            Stop::Save | Stop::Leave | Stop::Discard => {
                "nothing is typed on a button: Enter presses it"
            }
        }
    }

    /// Id or first word of the name of the run; `None` for a new run.
    pub(super) fn name(&self) -> Option<&str> {
        self.run_name
            .split(' ')
            .next()
            .filter(|name| !name.is_empty())
    }

    /// True if its run could not be read: there is nothing to type into.
    fn is_unread(&self) -> bool {
        !self.ready && self.source.failure().is_some()
    }

    /// Message for a run that could not be read.
    pub(super) fn unread(&self, failure: &Failure) -> String {
        let name = self.name().unwrap_or("the run");
        format!("{name} could not be read: {}", failure.cause)
    }

    /// Reports keys that were ignored because the form was not filled yet.
    pub(super) fn say_not_taken(&mut self, cx: &mut Cx) {
        if self.not_taken > 0 {
            cx.say(self.not_taken("was not here yet"));
            self.not_taken = 0;
        }
    }

    fn not_taken(&self, why: &str) -> String {
        let name = self.name().unwrap_or("the form");
        let keys = text::count_were(self.not_taken, "key");
        format!("{keys} not taken: {name} {why}")
    }

    /// Reads the suites for a clone.
    fn survey(&mut self, cx: &mut Cx) {
        if let FormFor::Clone(run) = &self.of {
            self.suites.ask();
            let (run, typed) = (run.clone(), Vec::new());
            cx.request(
                Slot::FormSuites,
                Request::Survey {
                    run,
                    typed,
                    calls: None,
                },
            );
        }
    }

    /// Reads the suites of a clone again, unless that was just now: others may have changed them.
    pub(super) fn survey_again(&mut self, cx: &mut Cx) {
        let is_old = |at: i64| cx.now - at > JUST_READ;
        let is_old = self.suites.read_at().is_some_and(is_old);
        if self.takes_suites() && is_old && !self.suites.is_reading() {
            self.survey(cx);
        }
    }

    pub(super) fn ask_for_draft(&self, cx: &mut Cx) {
        let (form, wish) = (self.of.clone(), self.draft.wish.clone());
        cx.request(Slot::Draft, Request::TakeDraft { form, wish });
    }

    /// Copies the texts to the clipboard.
    fn copy(&self, cx: &mut Cx) {
        cx.effect(Effect::Copy {
            what: "the texts of the form".into(),
            text: copied_texts(&self.texts()),
        });
    }

    /// Choices for the focused field, with title and kind of the picker: versions, newest first, or configurations to
    /// tick.
    pub fn offered(
        &self,
        known: &[(String, Vec<String>)],
    ) -> (&'static str, PickerKind, Vec<Entry>) {
        let entry = |label: &String, ticked, choice: fn(String) -> Choice| Entry {
            ticked: Some(ticked),
            ..Entry::new(label, choice(label.clone()))
        };
        if self.stop == Stop::Field(RunField::ProjectVersionNumber) {
            let mut offered: Vec<String> = values_of(RunField::ProjectVersionNumber, known)
                .cloned()
                .collect();
            newest_first(&mut offered);
            let now = self.text(RunField::ProjectVersionNumber);
            let offered = offered.iter();
            let entries = offered.map(|it| entry(it, *it == now, Choice::Version));
            return ("Versions", PickerKind::Rows, entries.collect());
        }
        let ticked = self.configurations();
        let mut offered: BTreeSet<String> = values_of(RunField::Configuration, known)
            .flat_map(|value| text::parts(value))
            .map(str::to_owned)
            .collect();
        offered.extend(ticked.iter().cloned());
        let entries = offered.iter();
        let entries = entries.map(|it| entry(it, ticked.contains(it), Choice::Configuration));
        ("Configurations", PickerKind::Ticks, entries.collect())
    }

    /// Sets the parts of the configuration. Parts that were there keep their order, new ones follow.
    fn set_configurations(&mut self, ticked: &[Choice], cx: &mut Cx) {
        let is_ticked = |part: &String| ticked.contains(&Choice::Configuration(part.clone()));
        let mut list = self.configurations();
        list.retain(is_ticked);
        for choice in ticked {
            if let Choice::Configuration(part) = choice
                && !list.contains(part)
            {
                list.push(part.clone());
            }
        }
        self.put(RunField::Configuration, &list.join(","), cx);
    }

    /// Replaces the text of a field, as typing would.
    fn put(&mut self, field: RunField, text: &str, cx: &mut Cx) {
        self.stop = Stop::Field(field);
        self.edit(field, |field_text| field_text.replace(text), cx);
    }

    /// Edits the text of a field and schedules the draft if `edit` returns true.
    fn edit(&mut self, field: RunField, edit: impl FnOnce(&mut FieldText) -> bool, cx: &mut Cx) {
        if self.fields.get_mut(&field).is_some_and(edit) {
            self.typed(cx);
        }
    }
}

/// Values of a field that occur in the list of runs.
fn values_of(field: RunField, known: &[(String, Vec<String>)]) -> impl Iterator<Item = &String> {
    known
        .iter()
        .filter(move |(path, _)| path == field.path())
        .flat_map(|(_, values)| values)
}

impl Screen for Forms {
    fn part(&self) -> Option<Layer> {
        self.review.is_some().then_some(Layer::Review)
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        // Every key that leaves keeps the draft.
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

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        let review = self.review.as_ref();
        review.is_none_or(|review| review.offers(action))
    }

    fn hints(&self, _: &Shared) -> Option<&'static [Hint]> {
        match &self.review {
            Some(review) if review.question.request => Some(REQUEST),
            Some(review) if review.takes_back() => Some(UNDO),
            None if self.form.as_ref()?.is_unread() => Some(UNREAD),
            None if self.form.as_ref()?.draft.problem.is_some() => Some(UNKEPT),
            _ => None,
        }
    }

    fn learned(&mut self, fact: &Fact, _cx: &mut Cx) {
        if let (Fact::Gone(run), Some(form)) = (fact, &mut self.form) {
            form.gone |= form.of.run() == Some(run);
        }
    }

    fn button(&self) -> Option<&'static str> {
        self.review.as_ref()?.button()
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match (slot, answer) {
            (Slot::FormRun, Answer::Document(result)) => self.on_source(result, cx),
            (Slot::FormRun, Answer::KeptDocument(opened, at)) => self.on_kept(opened, at, cx),
            (Slot::Reviewed, Answer::Document(result)) => self.on_reviewed(result, cx),
            (Slot::ReviewedInList, Answer::Runs(result)) => self.on_listed(result, cx),
            (_, Answer::SurveyProgress(words)) => {
                if let Some(form) = &mut self.form {
                    form.progress = Some(words);
                }
            }
            (_, Answer::Surveyed(result)) => {
                if let Some(form) = &mut self.form {
                    cx.accept(&mut form.suites, result);
                    self.suites_known(cx);
                }
            }
            (_, Answer::ChangeStep(step)) => {
                if let Some(review) = &mut self.review {
                    review.steps.push(step);
                }
            }
            (_, Answer::Modified(end)) => self.modified(end, cx),
            (_, Answer::Created(end)) => self.created(*end, cx),
            (_, Answer::LookedUp(result)) => self.on_lookup(result, cx),
            (_, Answer::DraftTaken(result)) => self.draft_taken(result, cx),
            (Slot::Editor(field), Answer::Edited(result)) => {
                self.edited_outside(field, result, cx);
            }
            (Slot::DraftPause, Answer::Timer) => {
                self.keep_left(cx);
                self.keep(cx);
            }
            _ => {}
        }
    }

    /// Keeps the draft. A running write is not interrupted, its end is reported.
    fn closing(&mut self, cx: &mut Cx) {
        if !self.review.as_ref().is_some_and(|review| review.sending) {
            self.leave(cx);
            self.review = None;
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let Some(form) = &mut self.form else {
            return false;
        };
        let does = "leaves; the same key begins again.";
        let leaves = then(&cx.shared, "", &Action::Back, does);
        let any = give_up(&Slot::FormRun, &mut form.source, "reading", &leaves, cx)
            | give_up(&Slot::FormSuites, &mut form.suites, "reading", &leaves, cx);
        self.suites_known(cx);
        any
    }

    fn read_at(&self) -> Option<i64> {
        self.form.as_ref()?.source.read_at()
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        if let (Some(form), Some(width)) = (&mut self.form, layout.form) {
            form.width = usize::from(width);
        }
        false
    }

    fn scrolled(&mut self) -> Option<&mut dyn Scrolled> {
        let review = self.review.as_mut()?;
        Some(review.question.scroll())
    }

    fn is_box(&self) -> bool {
        self.review.is_some() && self.form.is_none()
    }
}

impl Draw for Forms {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        if let Some(form) = &self.form {
            let alone = self.review.is_none();
            view::draw(form, alone, on, area);
        }
        if let Some(review) = &self.review {
            if self.form.is_some() {
                frame::behind(on.buffer, on.context.theme);
                // Nothing behind the box can be clicked.
                on.layout.clicks.clear();
            }
            review::draw(review, on, area);
        }
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
        let review = self.review.as_ref().map_or("", |_| " › review");
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
