//! What actions and events do to the form.

use super::effect::Effect;
use super::event::Opened;
use super::form::{Form, Stop, new_texts, parts};
use super::message::{Action, CopyWhat, RequestId};
use super::picker::{Choice, Entry, Picker, PickerKind};
use super::{Layer, Screen, Store};
use crate::domain::{DraftWish, Failure, FormFor, RunField, texts_of, to_toml};

/// Keys kept for a form that is being read.
const MOST_AHEAD: usize = 10_000;

/// Why a form has nowhere to be kept.
const NO_PLACE: &str = "its place on the disk is not here yet";

impl Store {
    /// Opens the form for a new run, or for the run at hand.
    pub(super) fn open_form(&mut self, action: &Action) -> Vec<Effect> {
        if !self.may_write() {
            return Vec::new();
        }
        if *action == Action::New {
            return self.open_form_for(FormFor::New, String::new(), DraftWish::Fresh);
        }
        let Some(run) = self.run_at_hand() else {
            self.say("there is no run here yet");
            return Vec::new();
        };
        let name = run.full_name();
        let of = if *action == Action::Clone {
            FormFor::Clone(run.doc_ref.clone())
        } else {
            FormFor::Edit(run.doc_ref.clone())
        };
        let mut effects = self.open_form_for(of, name, DraftWish::Newest);
        if *action == Action::EditOutside {
            effects.extend(self.form_outside());
        }
        effects
    }

    /// Opens a form: its draft and its run are asked for, and what is here already is shown at once.
    pub(super) fn open_form_for(
        &mut self,
        of: FormFor,
        run_name: String,
        wish: DraftWish,
    ) -> Vec<Effect> {
        let mut effects = self.leave_form();
        let back = match self.screen {
            Screen::Form | Screen::Review => Screen::Runs,
            screen => screen,
        };
        let at_hand = self.run_at_hand();
        let mut form = Form::new(of.clone(), run_name, back);
        let id = self.number();
        form.draft.asked = Some(id);
        form.draft.wish = wish.clone();
        effects.push(Effect::TakeDraft {
            id,
            form: of.clone(),
            wish,
        });
        match (&of, &self.session) {
            (FormFor::New, Some(session)) => form.fill(&new_texts(session, at_hand.as_ref()), None),
            (FormFor::New, None) => {}
            (FormFor::Edit(run) | FormFor::Clone(run), _) => {
                let known = self.detail.as_ref().filter(|detail| detail.doc_ref == *run);
                if let Some(opened) = known.and_then(|detail| detail.document.value()) {
                    form.base = Some(opened.document.clone());
                    form.fill(&texts_of(&opened.document), None);
                }
                let id = self.number();
                form.source.ask(id);
                effects.push(Effect::GetDocument {
                    id,
                    doc_ref: run.clone(),
                });
            }
        }
        if let FormFor::Clone(run) = of {
            let id = self.number();
            form.suites.ask(id);
            effects.push(Effect::Survey {
                id,
                run,
                typed: Vec::new(),
            });
        }
        self.form = Some(form);
        self.screen = Screen::Form;
        effects
    }

    /// Closes the form; what was typed stays in its draft.
    pub(super) fn leave_form(&mut self) -> Vec<Effect> {
        let now = self.now;
        let profile = self
            .session
            .as_ref()
            .map_or(String::new(), |session| session.profile.clone());
        let Some(mut form) = self.form.take() else {
            return Vec::new();
        };
        let reads = [
            form.source.asked(),
            form.suites.asked(),
            form.looked.asked(),
            form.draft.timer.take(),
        ];
        let mut effects: Vec<Effect> = reads.into_iter().flatten().map(Effect::Cancel).collect();
        let nothing = form.changed().is_empty() && form.sent.is_none();
        if let Some(key) = form.draft.key.clone() {
            if nothing {
                effects.push(Effect::DropDraft { key });
            } else {
                let unsaved = form.draft.unsaved.then(|| form.kept(&profile, now));
                if let Some(Some(draft)) = unsaved {
                    effects.push(Effect::KeepDraft(Box::new(draft)));
                } else {
                    effects.extend(self.left_kept(key, &form.of));
                }
            }
        }
        if matches!(self.screen, Screen::Form | Screen::Review) {
            self.screen = form.back;
        }
        if !form.ahead.is_empty() {
            self.say("what was typed before the run was here is discarded");
        }
        self.review = None;
        if !nothing && form.draft.key.is_none() {
            form.draft.problem = Some(NO_PLACE.into());
            self.left_forms.push(form);
        } else if !nothing && form.draft.unsaved {
            self.say("keeping the draft");
            self.left_forms.push(form);
        }
        effects
    }

    /// The draft of a form that was left is on the disk: only now it is said to be.
    pub(super) fn left_kept(&mut self, key: String, of: &FormFor) -> Vec<Effect> {
        self.say(if *of == FormFor::New {
            "the draft is kept: \": drafts\" opens it again"
        } else {
            "the draft is kept: the same key opens it again, \": drafts\" lists all"
        });
        vec![Effect::LeaveDraft { key }, Effect::FindDrafts]
    }

    /// A form that could not be kept is here again, unless something is typed in another one by now.
    pub(super) fn unkept_comes_back(&mut self) -> Vec<Effect> {
        let busy = |form: &Form| !form.changed().is_empty();
        let unkept = |form: &Form| form.draft.problem.is_some();
        let Some(place) = self.left_forms.iter().position(unkept) else {
            return Vec::new();
        };
        if self.form.as_ref().is_some_and(busy) {
            return Vec::new();
        }
        let effects = self.leave_form();
        let form = self.left_forms.remove(place);
        self.complain(format!(
            "the draft of {} could not be kept: it is here again",
            if form.run_name.is_empty() {
                "a new run"
            } else {
                &form.run_name
            }
        ));
        self.form = Some(form);
        self.screen = Screen::Form;
        effects
    }

    /// Esc where nothing can be kept: the form stays, and its texts can be taken elsewhere.
    pub(super) fn stay_unkept(&mut self) -> Vec<Effect> {
        let id = self.number();
        let Some(form) = &mut self.form else {
            return Vec::new();
        };
        let problem = form.draft.problem.clone();
        let mut effects = Vec::new();
        if form.draft.key.is_none() && form.draft.asked.is_none() {
            form.draft.asked = Some(id);
            let (form, wish) = (form.of.clone(), form.draft.wish.clone());
            effects.push(Effect::TakeDraft { id, form, wish });
        }
        let problem = problem.as_deref().unwrap_or(NO_PLACE);
        self.complain(format!(
            "the draft cannot be kept: {problem}. Esc tries again, Ctrl-y copies the texts, Ctrl-o opens them in \
             $EDITOR to save them elsewhere, Ctrl-x gives them up"
        ));
        effects.extend(self.keep_form());
        effects
    }

    /// The texts of the form to the clipboard, as the editor gets them.
    fn copy_form(&self) -> Vec<Effect> {
        let form = self.form.iter();
        form.map(|form| Effect::Copy {
            what: "the texts of the form".into(),
            text: to_toml(&form.texts(), form.editable(), &form.run_name),
        })
        .collect()
    }

    /// Closes the form, and its draft goes.
    pub(super) fn discard_draft(&mut self) -> Vec<Effect> {
        let Some(form) = self.form.take() else {
            return Vec::new();
        };
        let reads = [
            form.source.asked(),
            form.suites.asked(),
            form.looked.asked(),
            form.draft.timer,
        ];
        let mut effects: Vec<Effect> = reads.into_iter().flatten().map(Effect::Cancel).collect();
        effects.extend(form.draft.key.map(|key| Effect::DropDraft { key }));
        effects.push(Effect::FindDrafts);
        self.screen = form.back;
        self.say("the draft is discarded");
        effects.extend(self.unkept_comes_back());
        effects
    }

    pub(super) fn act_form(&mut self, action: Action) -> Vec<Effect> {
        let Some(form) = &mut self.form else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        let typed = matches!(
            action,
            Action::Type(_) | Action::Paste(_) | Action::NextField | Action::PreviousField
        );
        if typed && !form.ready {
            if form.ahead.len() < MOST_AHEAD {
                form.ahead.push(action);
            } else {
                self.complain("the run is not here yet: what is typed now is not kept");
            }
            return Vec::new();
        }
        match action {
            Action::NextField => form.turn(true),
            Action::PreviousField => form.turn(false),
            Action::Back | Action::Drafts if form.outside_text.is_some() => {
                self.complain("the TOML that was not taken is still here: Ctrl-o mends it, Ctrl-x gives all of it up");
            }
            Action::Back
                if !form.changed().is_empty()
                    && (form.draft.problem.is_some() || form.draft.key.is_none()) =>
            {
                return self.stay_unkept();
            }
            Action::Back => {
                let left = self.leave_form();
                return [left, self.unkept_comes_back()].concat();
            }
            Action::Copy(CopyWhat::Json) => return self.copy_form(),
            Action::Save => return self.open_review(),
            Action::DiscardDraft => self.confirm_discard(),
            Action::Drafts | Action::Errors => return self.act_anywhere(&action),
            Action::FieldOutside => return self.field_outside(),
            Action::EditOutside => return self.form_outside(),
            Action::Offer => self.offer_configurations(),
            Action::Type(key) => return self.form_key(key),
            Action::Paste(text) => {
                if let Stop::Field(field) = form.stop
                    && field != RunField::Status
                    && form
                        .areas
                        .get_mut(&field)
                        .is_some_and(|area| area.paste(&text))
                {
                    return self.typed();
                }
            }
            Action::Palette => self.picker = Some(self.palette()),
            _ => {}
        }
        Vec::new()
    }

    /// What was typed while the form was being read goes into it, as far as it stays open.
    pub(super) fn type_ahead(&mut self) -> Vec<Effect> {
        let Some(form) = self.form.as_mut().filter(|form| form.ready) else {
            return Vec::new();
        };
        let mut ahead = std::mem::take(&mut form.ahead).into_iter();
        let mut effects = Vec::new();
        while self.layer() == Layer::Form {
            match ahead.next() {
                Some(action) => effects.extend(self.act_form(action)),
                None => return effects,
            }
        }
        if ahead.next().is_some() {
            self.complain("not all that was typed while the form was read was for the form: the rest is discarded");
        }
        effects
    }

    fn form_key(&mut self, key: crossterm::event::KeyEvent) -> Vec<Effect> {
        use crossterm::event::KeyCode;
        let Some(form) = &mut self.form else {
            return Vec::new();
        };
        let turns = matches!(
            key.code,
            KeyCode::Char(' ') | KeyCode::Left | KeyCode::Right
        );
        match form.stop {
            Stop::Field(RunField::Status) if turns => {
                let Some(area) = form.areas.get_mut(&RunField::Status) else {
                    return Vec::new();
                };
                let next = if area.text() == "active" {
                    "inactive"
                } else {
                    "active"
                };
                area.replace(next);
                return self.typed();
            }
            Stop::Field(field) if field != RunField::Status => {
                let width = form.width;
                let Some(area) = form.areas.get_mut(&field) else {
                    return Vec::new();
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
            Stop::Save if key.code == KeyCode::Enter => return self.open_review(),
            Stop::Leave if key.code == KeyCode::Enter => return self.act_form(Action::Back),
            Stop::Discard if key.code == KeyCode::Enter => self.confirm_discard(),
            _ => match key.code {
                KeyCode::Down | KeyCode::Right | KeyCode::Enter => form.turn(true),
                KeyCode::Up | KeyCode::Left => form.turn(false),
                _ => {}
            },
        }
        Vec::new()
    }

    /// The run of the form has come; `None` if nobody asked for this one.
    pub(super) fn form_source_came(
        &mut self,
        id: RequestId,
        result: &Result<Box<Opened>, Failure>,
    ) -> Option<Vec<Effect>> {
        let now = self.now;
        let form = self
            .form
            .as_mut()
            .filter(|form| form.source.asked() == Some(id))?;
        form.source.accept(id, result.clone(), now);
        match result {
            Ok(opened) => {
                // What has been typed was typed against the older document: that stays what it is compared with.
                if form.base.is_none()
                    || (form.changed().is_empty() && form.draft.taken_up.is_none())
                {
                    form.base = Some(opened.document.clone());
                    form.fill(&texts_of(&opened.document), None);
                }
                let typed = self.type_ahead();
                Some([typed, self.form_outside_if_asked()].concat())
            }
            Err(failure) => Some(self.failed(failure.clone(), now)),
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
            return self.say("no configuration is known to offer: type it");
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
    pub(super) fn toggle_configuration(&mut self, part: &str) -> Vec<Effect> {
        if let Some(entry) = self.picker.as_mut().and_then(|picker| {
            picker
                .entries
                .iter_mut()
                .find(|entry| entry.choice == Choice::Configuration(part.to_owned()))
        }) {
            entry.ticked = entry.ticked.map(|ticked| !ticked);
        }
        let Some(form) = &mut self.form else {
            return Vec::new();
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
        if changed { self.typed() } else { Vec::new() }
    }
}
