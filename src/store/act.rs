//! What actions do on the screens.

use super::effect::Effect;
use super::message::{Action, CopyWhat};
use super::session::SignInReason;
use super::{Form, Help, Layer, Screen, Store};
use crate::domain::{UndoOf, text};

impl Store {
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

    fn act_runs(&mut self, action: Action) {
        match action {
            Action::Move(motion) => self.runs.go(motion),
            Action::Point(row) => self.runs.point(row),
            Action::Open => {
                if self.open_current() {
                    self.stack.open(Screen::Detail);
                }
            }
            Action::Mark => {
                if let Err(why) = self.runs.toggle_mark() {
                    self.cx.say(why);
                }
            }
            Action::MarkRange => {
                let words = self.runs.mark_range();
                self.cx.say(words);
            }
            Action::MarkAll => {
                let words = self.runs.mark_all();
                self.cx.say(words);
            }
            Action::Back if self.runs.marks.anchor.take().is_some() => {}
            Action::Back if !self.runs.text.text().is_empty() => self.runs.clear_text(&mut self.cx),
            Action::Back if self.runs.view().is_some() => {
                let name = self.runs.leave_view(&mut self.cx).unwrap_or_default();
                self.cx.say(format!("view {name} left"));
            }
            Action::Back if !self.runs.chosen.is_empty() => {
                self.runs.chosen.clear();
                self.cx
                    .say("no facet any more: runs of all versions and states are shown; f chooses");
                self.runs.ask_anew(&mut self.cx);
            }
            Action::Back if !self.runs.marks.is_empty() => {
                self.runs.marks.clear();
                self.cx.say("no marks any more");
            }
            Action::Back => self.cx.say("this is the first screen: q quits"),
            Action::Filter => self.runs.typing = true,
            Action::Facets => self.picker = Some(self.facet_picker()),
            Action::Sort => self.picker = Some(self.sort_picker()),
            Action::Columns => self.picker = Some(self.column_picker()),
            Action::ReverseSort => self.reverse_sort(),
            Action::NextPart => self.enter_feed(),
            Action::Monitor => self.open_monitor(),
            Action::Preview => self.runs.preview = Some(!self.runs.preview_shown),
            Action::Raw => {
                if self.open_current() {
                    self.stack.open(Screen::Json);
                }
            }
            Action::Copy(CopyWhat::Json) => {
                let opens = self.open_current();
                if let Some(detail) = self.detail.as_mut().filter(|_| opens) {
                    detail.copies = true;
                }
            }
            Action::LastScreen if self.detail.is_some() => {
                self.stack.open(Screen::Detail);
            }
            other => self.act_anywhere(&other),
        }
    }

    fn act_detail(&mut self, action: Action) {
        let Some(detail) = &mut self.detail else {
            return self.stack.home();
        };
        match action {
            Action::Move(motion) => detail.go(motion),
            Action::NextPart => detail.turn(true),
            Action::PreviousPart => detail.turn(false),
            Action::Part(part) if part < super::PARTS.len() => detail.part = part,
            Action::Back | Action::LastScreen => self.stack.back(),
            Action::Monitor => self.open_monitor(),
            Action::Raw => {
                self.stack.open(Screen::Json);
            }
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => self.copy_json(),
            Action::Copy(CopyWhat::Json) => self.cx.say("the document is not here yet"),
            other => self.act_anywhere(&other),
        }
    }

    fn act_json(&mut self, action: Action) {
        let Some(detail) = &mut self.detail else {
            return self.stack.home();
        };
        let len = detail.json_len();
        match action {
            Action::Move(motion) => {
                detail.json.scroll.go(motion, len);
            }
            Action::Point(row) => detail.json.scroll.point(row, len),
            Action::Filter => detail.json.typing = true,
            Action::NextMatch | Action::PreviousMatch => {
                if !detail.find(action == Action::NextMatch, false) {
                    self.cx.say("not found");
                }
            }
            Action::Back if !detail.json.search.text().is_empty() => detail.json.search.clear(),
            Action::Back | Action::Raw | Action::LastScreen => self.stack.back(),
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => self.copy_json(),
            other => self.act_anywhere(&other),
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

    fn open_login(&mut self) {
        let user = self
            .cx
            .shared
            .session
            .as_ref()
            .map(|session| session.user.clone())
            .unwrap_or_default();
        self.ask_sign_in(&user, SignInReason::Asked, self.cx.now);
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

    fn reverse_sort(&mut self) {
        match self.runs.sort.first_mut() {
            Some(sort) => {
                sort.descending = !sort.descending;
                self.runs.ask_anew(&mut self.cx);
            }
            None => self.cx.say("no sort order to reverse: o chooses one"),
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

    pub(super) fn copy_json(&mut self) {
        if let Some(detail) = &self.detail
            && let Some(opened) = detail.document.value()
        {
            let name = detail.id().unwrap_or_else(|| detail.doc_ref.to_string());
            self.cx.effect(Effect::Copy {
                what: format!("the JSON of {name}"),
                text: text::json(&opened.json.join("\n")).into_owned(),
            });
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
}
