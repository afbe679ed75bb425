//! The router: what a key goes to, and what an answer or an event is for.

use super::effect::Effect;
use super::event::Event;
use super::in_flight::Slot;
use super::message::{Action, CopyWhat};
use super::{Form, Help, Layer, Screen, Store};
use crate::domain::{RunRow, UndoOf, text};

impl Store {
    pub(super) fn happen(&mut self, event: Event) {
        let now = self.cx.now;
        let slot = event.answers().map(|id| {
            let slot = self.cx.in_flight.slot(id).cloned();
            if !event.is_part() {
                self.cx.in_flight.end(id);
            }
            slot
        });
        match (slot, event) {
            (Some(Some(slot)), event) => self.answered(slot, event),
            (Some(None), Event::DraftTaken { result, .. }) => self.draft_unwanted(result),
            // Nobody waits for it any more.
            (Some(None), _) => {}
            (None, event) => match event {
                Event::Preparing { done, total } => self.sign_in.preparing = Some((done, total)),
                Event::Connected(session) => self.connected(*session),
                Event::NotConnected(failure) => {
                    self.sign_in.preparing = None;
                    self.sign_in.unconnected = true;
                    self.runs.all.failure = Some(failure.clone());
                    self.cx.failed(failure);
                }
                Event::SignInNeeded { user, why } => self.ask_sign_in(&user, why, now),
                Event::SignInFailed { failure, sent } => self.sign_in_failed(failure, sent),
                Event::SignedIn { user, until } => self.sign_in_done(user, until),
                Event::ProbesLeft(runs) => self.probes_left(runs),
                Event::Unfinished { changes, first } => self.unfinished_came(changes, first),
                Event::DraftKept { key, result } => self.draft_kept(&key, result),
                Event::DraftShared { key, other } => self.draft_shared(&key, other),
                Event::Drafts(drafts) => self.drafts_came(drafts),
                Event::Exported(result) => self.exported(result),
                Event::Focus(here) => self.focus(here),
                Event::Copied { what, bytes } => self.cx.say(format!(
                    "copied {what}, {bytes} bytes, by the terminal (OSC 52)"
                )),
                Event::Trouble(failure) => self.cx.failed(failure),
                _ => {}
            },
        }
    }

    /// Takes what somebody waits for.
    fn answered(&mut self, slot: Slot, event: Event) {
        match (slot, event) {
            (Slot::Look(_) | Slot::Delete(_), event) => self.deletion_happens(event),
            (Slot::Page { found, page, epoch }, Event::Runs { result, .. }) => {
                self.page_came(found, (page, epoch), result);
            }
            (Slot::Counts, Event::Runs { result, .. }) => self.counts_came(result),
            (Slot::Missing(run), Event::Runs { result, .. }) => self.looked_for(&run, &result),
            (Slot::Watched(ask), Event::Runs { result, .. }) => self.monitor_answered(ask, &result),
            (Slot::Document, Event::Document { result, .. }) => self.document_came(result),
            (Slot::FormRun, Event::Document { result, .. }) => self.form_source_came(result),
            (Slot::Reviewed, Event::Document { result, .. }) => self.review_source_came(result),
            (
                Slot::Available,
                Event::AvailableProgress {
                    received,
                    full_size,
                    ..
                },
            ) => {
                if let Some(available) = &mut self.available {
                    available.progress = Some((received, full_size));
                }
            }
            (Slot::Available, Event::Available { result, .. }) => self.available_came(result),
            (Slot::FormSuites, Event::SurveyProgress { words, .. }) => {
                if let Some(form) = &mut self.form {
                    form.progress = Some(words);
                }
            }
            (Slot::FormSuites, Event::Surveyed { result, .. }) => self.form_suites_came(result),
            (Slot::Members | Slot::Probe(_), Event::SurveyProgress { words, .. }) => {
                if let Some(members) = &mut self.members {
                    members.progress = Some(words);
                }
            }
            (Slot::Members, Event::Surveyed { result, .. }) => self.members_came(None, result),
            (Slot::Probe(run), Event::Surveyed { result, .. }) => {
                self.members_came(Some(&run), result);
            }
            (Slot::ChangeSuites, Event::ChangeStep { step, .. }) => self.change_step(step),
            (_, Event::ChangeStep { step, .. }) => self.review_step(step),
            (_, Event::Changed { outcome, .. }) => self.changed(outcome),
            (Slot::Rest(screen, layer), Event::RestRead { result, .. }) => {
                self.rest_read((screen, layer), result);
            }
            (_, Event::Journal { result, .. }) => self.journal_came(result),
            (_, Event::Modified { end, .. }) => self.modified(end),
            (_, Event::Created { end, .. }) => self.created(*end),
            (_, Event::LookedFor { result, .. }) => self.looked_for_sent(result),
            (_, Event::DraftTaken { result, .. }) => self.draft_taken(result),
            (Slot::Editor(field), Event::Edited { result, .. }) => {
                self.edited_outside(field, result);
            }
            (Slot::Undo(screen, layer), Event::UndoPlanned { result, .. }) => {
                self.undo_planned((screen, layer), result);
            }
            (Slot::WatchedHistory(run), Event::History { result, .. }) => {
                self.card_history_came(&run, result);
            }
            (_, Event::History { result, .. }) => self.history_came(result),
            (_, Event::WhatIf { result, .. }) => self.what_if_came(result),
            (slot, Event::Timer(_)) => self.timer(&slot),
            // Left probe runs are deleted; those that are still there were told before.
            _ => {}
        }
    }

    fn timer(&mut self, slot: &Slot) {
        match slot {
            Slot::RefreshPause => self.refresh_is_due(),
            Slot::RetryPause if !self.held_back() => {
                self.resume();
                if self.sign_in.pending {
                    self.cx.effect(Effect::SignInAsConfigured);
                }
            }
            Slot::DraftPause => self.keep_form(),
            Slot::TypingPause => self.runs.ask_service(&mut self.cx),
            _ => {}
        }
    }

    pub(super) fn act(&mut self, action: Action) {
        if !matches!(action, Action::Redraw | Action::Suspend) {
            self.cx.notice = None;
        }
        let armed = std::mem::take(&mut self.quitting.armed);
        match action {
            Action::Quit if self.cx.in_flight.writes() => {
                self.cx
                    .complain("a change is under way: wait for its answer, or Ctrl-c twice");
                return;
            }
            Action::Quit if self.asks_before_quitting(armed) => return,
            Action::Quit => return self.quit(),
            Action::Cancel => return self.cancel(armed),
            Action::Suspend => return self.cx.effect(Effect::Suspend),
            Action::Redraw => return self.cx.effect(Effect::Redraw),
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.cx.say(if self.mouse {
                    "mouse on: the terminal selects text with Shift"
                } else {
                    "mouse off"
                });
                return self.cx.effect(Effect::Mouse(self.mouse));
            }
            Action::Help => {
                let layer = self.layer();
                self.help = Some(Help {
                    layer,
                    search: super::Input::default(),
                    scroll: super::Scroll::default(),
                });
                return;
            }
            _ => {}
        }
        match self.layer() {
            Layer::Login => self.act_login(action),
            Layer::Help => self.act_help(action),
            Layer::Errors => self.act_errors(&action),
            Layer::Picker => self.act_picker(action),
            Layer::Typing => self.act_typing(action),
            Layer::Runs => self.act_runs(action),
            Layer::Feed => self.act_feed(&action),
            Layer::Monitor => self.act_monitor(&action),
            Layer::Detail => self.act_detail(action),
            Layer::Json => self.act_json(action),
            Layer::Available => self.act_available(action),
            Layer::Members => self.act_members(action),
            Layer::Form => self.act_form(action),
            Layer::Review => self.act_review(&action),
            Layer::Delete => self.act_delete(&action),
            Layer::Confirm => self.act_confirm(&action),
            Layer::Work => self.act_work(&action),
            Layer::Journal => self.act_journal(action),
        }
    }

    /// What works on every screen.
    pub(super) fn act_anywhere(&mut self, action: &Action) {
        match action {
            Action::Refresh => self.refresh(),
            Action::Errors => {
                self.cx.errors.open = true;
                self.cx.errors.unseen = 0;
            }
            Action::Palette => self.picker = Some(self.palette()),
            Action::Available => self.open_available(),
            Action::Members => self.open_members(),
            Action::Journal => self.open_journal(),
            Action::DeleteProbes => self.confirm_delete_probes(),
            Action::New | Action::Edit | Action::EditOutside | Action::Clone => {
                self.open_form(action);
            }
            Action::Save => self.open_review(),
            Action::Drafts => self.open_drafts(),
            Action::Delete => self.open_delete(),
            Action::Undo => self.plan_undo(),
            Action::GoOn => self.go_on(),
            Action::UndoLast => self.plan_undo_of(UndoOf::Last),
            Action::SignIn => self.open_login(),
            Action::Copy(what) => self.copy(*what),
            _ => {}
        }
    }

    pub(super) fn refresh(&mut self) {
        if self.sign_in.unconnected {
            return if let Some(session) = &self.cx.shared.session {
                self.cx.effect(Effect::Connect {
                    profile: session.profile.clone(),
                });
            };
        }
        if self.sign_in.pending {
            self.resume();
            return self.cx.effect(Effect::SignInAsConfigured);
        }
        if self.cx.shared.session.is_some() && self.cx.shared.signed_in.is_none() {
            return self.open_login();
        }
        self.resume();
        self.refresh_began();
        match (self.stack.top(), self.runs.found.as_mut()) {
            (Screen::Runs, Some(found)) => found.refresh(),
            (Screen::Runs, None) => self.runs.all.refresh(),
            (Screen::Available, _) => {
                if let Some(available) = &mut self.available {
                    available.read(&mut self.cx);
                }
            }
            (Screen::Members, _) => self.survey_members(),
            (Screen::Monitor, _) => self.read_monitor(),
            _ => {
                let Some(detail) = &mut self.detail else {
                    return;
                };
                // What is being read is not asked for again: a held key must not keep the answer away.
                if !detail.document.is_reading() {
                    detail.read(&mut self.cx);
                }
                if !detail.counts.is_reading() {
                    detail.read_counts(&mut self.cx);
                }
            }
        }
    }

    fn copy(&mut self, what: CopyWhat) {
        let (doc_ref, id) = match (&self.stack.top(), &self.detail) {
            (Screen::Detail | Screen::Json, Some(detail)) => {
                (Some(detail.doc_ref.to_string()), detail.id())
            }
            (Screen::Monitor, _) => {
                let row = self.run_at_hand();
                (
                    row.as_ref().map(|row| row.doc_ref.to_string()),
                    row.and_then(|row| row.id),
                )
            }
            _ => {
                let row = self.runs.current();
                (
                    row.map(|row| row.doc_ref.to_string()),
                    row.and_then(|row| row.id.clone()),
                )
            }
        };
        let text = if what == CopyWhat::Id { id } else { doc_ref };
        match text {
            // What is pasted somewhere must not act there.
            Some(text) => {
                let text = text::plain(&text).into_owned();
                self.cx.effect(Effect::Copy {
                    what: text.clone(),
                    text,
                });
            }
            None => self.cx.say("there is nothing to copy here"),
        }
    }

    /// Asks once whether to quit while drafts are kept; the same key again quits.
    fn asks_before_quitting(&mut self, armed: bool) -> bool {
        if armed || self.cx.shared.drafts.is_empty() {
            return false;
        }
        self.quitting.armed = true;
        let (drafts, them) = match self.cx.shared.drafts.len() {
            1 => ("1 draft is".to_owned(), "it"),
            more => (format!("{more} drafts are"), "them"),
        };
        self.cx.complain(format!(
            "{drafts} kept and not sent: q again quits, \": drafts\" opens {them}"
        ));
        true
    }

    /// Ends the program, after what is typed in a form is on the disk.
    pub(super) fn quit(&mut self) {
        self.unkept_comes_back();
        let unkept = |form: &Form| form.draft.problem.is_some();
        if self.cx.shared.left_forms.iter().any(unkept) && !self.quitting.once_kept {
            self.quitting.once_kept = true;
            self.cx.complain(
                "another form could not be kept and comes back once this one is left; the same key again quits without it",
            );
            return;
        }
        let unsaved = |form: &Form| form.draft.unsaved && !form.changed().is_empty();
        let waits =
            self.form.as_ref().is_some_and(unsaved) || !self.cx.shared.left_forms.is_empty();
        if waits && !std::mem::replace(&mut self.quitting.once_kept, true) {
            if (self.form.as_ref()).is_some_and(|form| form.draft.key.is_none()) {
                return self.stay_unkept();
            }
            self.cx.say("keeping the draft, then quitting");
            return self.keep_form();
        }
        self.cx.effect(Effect::Quit);
    }

    /// The program ends now, without anybody to ask: what is typed in a form goes to the disk.
    pub fn end(&mut self) -> Vec<Effect> {
        let unsaved = self.form.as_ref().is_some_and(|form| form.draft.unsaved);
        if unsaved {
            self.keep_form();
        }
        self.cx.take()
    }

    /// The run that the person looks at.
    pub(super) fn run_at_hand(&self) -> Option<RunRow> {
        match self.stack.top() {
            Screen::Runs => self.runs.current().cloned(),
            Screen::Available => self
                .available
                .as_ref()
                .map(|available| available.run.clone()),
            Screen::Members => self.members.as_ref().map(|members| members.run.clone()),
            Screen::Monitor => self
                .monitor
                .as_ref()
                .and_then(|monitor| Some(monitor.current()?.row.clone())),
            Screen::Detail | Screen::Json | Screen::Form | Screen::Review => {
                let detail = self.detail.as_ref()?;
                let run = match detail.document.value() {
                    Some(opened) => RunRow::from_document(&opened.document),
                    None => detail.row.as_ref()?.0.clone(),
                };
                Some(match detail.counted() {
                    Some((counted, _)) => run.with_counts_of(counted),
                    None => run,
                })
            }
        }
    }

    pub(super) fn enter_suites(&mut self, screen: Screen) {
        if matches!(self.stack.top(), Screen::Available | Screen::Members) {
            self.stack.replace(screen);
        } else {
            self.stack.open(screen);
        }
    }

    pub(super) fn act_typing(&mut self, action: Action) {
        if self.delete_layer().is_some() {
            return self.act_delete(&action);
        }
        match self.stack.top() {
            Screen::Json => return self.act_search(action),
            Screen::Available => return self.act_available_filter(action),
            Screen::Members => return self.act_reference(action),
            Screen::Monitor => return self.act_monitor_field(action),
            Screen::Runs | Screen::Detail | Screen::Form | Screen::Review => {}
        }
        let changed = match action {
            Action::Type(key) => self.runs.text.key(key),
            Action::Paste(text) => self.runs.text.paste(&text),
            Action::Move(motion) => {
                self.runs.go(motion);
                false
            }
            Action::Open => {
                self.runs.typing = false;
                self.runs.ask_service(&mut self.cx);
                false
            }
            Action::Back => {
                self.runs.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            self.runs.text_changed(&mut self.cx);
        }
    }
}
