//! What actions and events do to the form.

use super::effect::Effect;
use super::event::Opened;
use super::form::{Form, Stop, new_texts, parts};
use super::in_flight::Slot;
use super::message::{Action, CopyWhat};
use super::picker::{Choice, Entry, Picker, PickerKind};
use super::{Layer, Screen, Store};
use crate::domain::{DraftWish, Failure, FormFor, RunField, texts_of, to_toml};

/// Keys kept for a form that is being read.
const MOST_AHEAD: usize = 10_000;

/// Why a form has nowhere to be kept.
const NO_PLACE: &str = "its place on the disk is not here yet";

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
        let profile = self
            .cx
            .shared
            .session
            .as_ref()
            .map_or(String::new(), |session| session.profile.clone());
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
}
