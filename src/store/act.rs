//! What actions do on the screens.

use super::effect::Effect;
use super::message::{Action, CopyWhat};
use super::session::SignInReason;
use super::{Form, Help, Layer, Screen, Store};
use crate::domain::{UndoOf, text};

impl Store {
    pub(super) fn act(&mut self, action: Action) -> Vec<Effect> {
        if !matches!(action, Action::Redraw | Action::Suspend) {
            self.notice = None;
        }
        let armed = std::mem::take(&mut self.quit_armed);
        match action {
            Action::Quit if self.writes() => {
                self.complain("a change is under way: wait for its answer, or Ctrl-c twice");
                return Vec::new();
            }
            Action::Quit if self.asks_before_quitting(armed) => return Vec::new(),
            Action::Quit => return self.quit(),
            Action::Cancel => return self.cancel(armed),
            Action::Suspend => return vec![Effect::Suspend],
            Action::Redraw => return vec![Effect::Redraw],
            Action::Mouse => {
                self.mouse = !self.mouse;
                self.say(if self.mouse {
                    "mouse on: the terminal selects text with Shift"
                } else {
                    "mouse off"
                });
                return vec![Effect::Mouse(self.mouse)];
            }
            Action::Help => {
                let layer = self.layer();
                self.help = Some(Help {
                    layer,
                    search: super::Input::default(),
                    scroll: super::Scroll::default(),
                });
                return Vec::new();
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

    fn act_runs(&mut self, action: Action) -> Vec<Effect> {
        match action {
            Action::Move(motion) => self.runs.go(motion),
            Action::Point(row) => self.runs.point(row),
            Action::Open => {
                let effects = self.open_current();
                if !effects.is_empty() {
                    self.screen = Screen::Detail;
                    self.detail_over = Screen::Runs;
                }
                return effects;
            }
            Action::Mark => {
                if let Err(why) = self.runs.toggle_mark() {
                    self.say(why);
                }
            }
            Action::MarkRange => {
                let words = self.runs.mark_range();
                self.say(words);
            }
            Action::MarkAll => {
                let words = self.runs.mark_all();
                self.say(words);
            }
            Action::Back if self.runs.marks.anchor.take().is_some() => {}
            Action::Back if !self.runs.text.text().is_empty() => return self.runs.clear_text(),
            Action::Back if self.runs.view().is_some() => {
                let (name, effects) = self.runs.leave_view().unwrap_or_default();
                self.say(format!("view {name} left"));
                return effects;
            }
            Action::Back if !self.runs.chosen.is_empty() => {
                self.runs.chosen.clear();
                self.say("no facet any more: runs of all versions and states are shown; f chooses");
                return self.runs.ask_anew();
            }
            Action::Back if !self.runs.marks.is_empty() => {
                self.runs.marks.clear();
                self.say("no marks any more");
            }
            Action::Back => self.say("this is the first screen: q quits"),
            Action::Filter => self.runs.typing = true,
            Action::Facets => self.picker = Some(self.facet_picker()),
            Action::Sort => self.picker = Some(self.sort_picker()),
            Action::Columns => self.picker = Some(self.column_picker()),
            Action::ReverseSort => return self.reverse_sort(),
            Action::NextPart => self.enter_feed(),
            Action::Monitor => return self.open_monitor(),
            Action::Preview => self.runs.preview = Some(!self.runs.preview_shown),
            Action::Raw => {
                let effects = self.open_current();
                if !effects.is_empty() {
                    self.before_json = Screen::Runs;
                    self.screen = Screen::Json;
                }
                return effects;
            }
            Action::Copy(CopyWhat::Json) => {
                let effects = self.open_current();
                let asked = self
                    .detail
                    .as_ref()
                    .and_then(|detail| detail.document.asked());
                self.copy_on_arrival = asked.filter(|_| !effects.is_empty());
                return effects;
            }
            Action::LastScreen if self.detail.is_some() => {
                self.screen = Screen::Detail;
                self.detail_over = Screen::Runs;
            }
            other => return self.act_anywhere(&other),
        }
        Vec::new()
    }

    fn act_detail(&mut self, action: Action) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else {
            self.screen = Screen::Runs;
            return Vec::new();
        };
        match action {
            Action::Move(motion) => detail.go(motion),
            Action::NextPart => detail.turn(true),
            Action::PreviousPart => detail.turn(false),
            Action::Part(part) if part < super::PARTS.len() => detail.part = part,
            Action::Back | Action::LastScreen => self.screen = self.detail_over,
            Action::Monitor => return self.open_monitor(),
            Action::Raw => {
                self.before_json = Screen::Detail;
                self.screen = Screen::Json;
            }
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => {
                return self.copy_json();
            }
            Action::Copy(CopyWhat::Json) => self.say("the document is not here yet"),
            other => return self.act_anywhere(&other),
        }
        Vec::new()
    }

    fn act_json(&mut self, action: Action) -> Vec<Effect> {
        let Some(detail) = &mut self.detail else {
            self.screen = Screen::Runs;
            return Vec::new();
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
                    self.say("not found");
                }
            }
            Action::Back if !detail.json.search.text().is_empty() => detail.json.search.clear(),
            Action::Back | Action::Raw | Action::LastScreen => self.screen = self.before_json,
            Action::Copy(CopyWhat::Json) if detail.document.value().is_some() => {
                return self.copy_json();
            }
            other => return self.act_anywhere(&other),
        }
        Vec::new()
    }

    /// What works on every screen.
    pub(super) fn act_anywhere(&mut self, action: &Action) -> Vec<Effect> {
        match action {
            Action::Refresh => return self.refresh(),
            Action::Errors => {
                self.errors.open = true;
                self.errors.unseen = 0;
            }
            Action::Palette => self.picker = Some(self.palette()),
            Action::Available => return self.open_available(),
            Action::Members => return self.open_members(),
            Action::Journal => return self.open_journal(),
            Action::DeleteProbes => self.confirm_delete_probes(),
            Action::New | Action::Edit | Action::EditOutside | Action::Clone => {
                return self.open_form(action);
            }
            Action::Save => return self.open_review(),
            Action::Drafts => self.open_drafts(),
            Action::Delete => return self.open_delete(),
            Action::Undo => return self.plan_undo(),
            Action::GoOn => return self.go_on(),
            Action::UndoLast => return self.plan_undo_of(UndoOf::Last),
            Action::SignIn => return self.open_login(),
            Action::Copy(what) => return self.copy(*what),
            _ => {}
        }
        Vec::new()
    }

    fn open_login(&mut self) -> Vec<Effect> {
        let user = self
            .session
            .as_ref()
            .map(|session| session.user.clone())
            .unwrap_or_default();
        self.ask_sign_in(&user, SignInReason::Asked, self.now)
    }

    pub(super) fn refresh(&mut self) -> Vec<Effect> {
        if self.unconnected {
            return match &self.session {
                Some(session) => vec![Effect::Connect {
                    profile: session.profile.clone(),
                }],
                None => Vec::new(),
            };
        }
        if self.sign_in_pending {
            self.resume();
            return vec![Effect::SignInAsConfigured];
        }
        if self.session.is_some() && self.signed_in.is_none() {
            return self.open_login();
        }
        self.resume();
        self.refresh_began();
        match (self.screen, self.runs.found.as_mut()) {
            (Screen::Runs, Some(found)) => found.refresh(),
            (Screen::Runs, None) => self.runs.all.refresh(),
            (Screen::Available, _) => {
                let id = self.number();
                return self
                    .available
                    .as_mut()
                    .map(|available| available.read(id))
                    .unwrap_or_default();
            }
            (Screen::Members, _) => return self.survey_members(),
            (Screen::Monitor, _) => return self.read_monitor(),
            _ => {
                let (first, second) = (self.number(), self.number());
                let Some(detail) = &mut self.detail else {
                    return Vec::new();
                };
                // What is being read is not asked for again: a held key must not keep the answer away.
                let reading = (
                    detail.document.asked().is_some(),
                    detail.counts.asked().is_some(),
                );
                let mut effects = if reading.0 {
                    Vec::new()
                } else {
                    detail.read(first)
                };
                if !reading.1 {
                    effects.extend(detail.read_counts(second));
                }
                return effects;
            }
        }
        Vec::new()
    }

    fn reverse_sort(&mut self) -> Vec<Effect> {
        match self.runs.sort.first_mut() {
            Some(sort) => {
                sort.descending = !sort.descending;
                self.runs.ask_anew()
            }
            None => {
                self.say("no sort order to reverse: o chooses one");
                Vec::new()
            }
        }
    }

    fn copy(&mut self, what: CopyWhat) -> Vec<Effect> {
        let (doc_ref, id) = match (&self.screen, &self.detail) {
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
                vec![Effect::Copy {
                    what: text.clone(),
                    text,
                }]
            }
            None => {
                self.say("there is nothing to copy here");
                Vec::new()
            }
        }
    }

    pub(super) fn copy_json(&mut self) -> Vec<Effect> {
        let opened = self
            .detail
            .as_ref()
            .and_then(|detail| detail.document.value().map(|opened| (detail, opened)));
        let copied = opened.map(|(detail, opened)| Effect::Copy {
            what: format!(
                "the JSON of {}",
                detail.id().unwrap_or_else(|| detail.doc_ref.to_string())
            ),
            text: text::json(&opened.json.join("\n")).into_owned(),
        });
        copied.into_iter().collect()
    }

    /// Asks once whether to quit while drafts are kept; the same key again quits.
    fn asks_before_quitting(&mut self, armed: bool) -> bool {
        if armed || self.drafts.is_empty() {
            return false;
        }
        self.quit_armed = true;
        let (drafts, them) = match self.drafts.len() {
            1 => ("1 draft is".to_owned(), "it"),
            more => (format!("{more} drafts are"), "them"),
        };
        self.complain(format!(
            "{drafts} kept and not sent: q again quits, \": drafts\" opens {them}"
        ));
        true
    }

    /// Ends the program, after what is typed in a form is on the disk.
    pub(super) fn quit(&mut self) -> Vec<Effect> {
        let back = self.unkept_comes_back();
        let unkept = |form: &Form| form.draft.problem.is_some();
        if self.left_forms.iter().any(unkept) && !self.quit_once_kept {
            self.quit_once_kept = true;
            self.complain(
                "another form could not be kept and comes back once this one is left; the same key again quits without it",
            );
            return back;
        }
        let unsaved = |form: &Form| form.draft.unsaved && !form.changed().is_empty();
        let waits = self.form.as_ref().is_some_and(unsaved) || !self.left_forms.is_empty();
        if waits && !std::mem::replace(&mut self.quit_once_kept, true) {
            if (self.form.as_ref()).is_some_and(|form| form.draft.key.is_none()) {
                return self.stay_unkept();
            }
            self.say("keeping the draft, then quitting");
            return [back, self.keep_form()].concat();
        }
        vec![Effect::Quit]
    }

    /// The program ends now, without anybody to ask: what is typed in a form goes to the disk.
    pub fn end(&mut self) -> Vec<Effect> {
        let unsaved = self.form.as_ref().is_some_and(|form| form.draft.unsaved);
        if unsaved {
            self.keep_form()
        } else {
            Vec::new()
        }
    }
}
