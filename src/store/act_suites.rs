//! What actions do on the screens of suites and in the boxes of changes.

use super::in_flight::Slot;
use super::message::{Action, Motion};
use super::picker::{Choice, Entry};
use super::{Available, Members, Picker, PickerKind, Screen, Store, SuiteOrder};
use crate::domain::RunRow;

impl Store {
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

    /// The suites that can be added to the run at hand.
    pub(super) fn open_available(&mut self) {
        let Some(run) = self.run_at_hand() else {
            self.cx.say("there is no run here yet");
            return;
        };
        self.enter_suites(Screen::Available);
        if self
            .available
            .as_ref()
            .is_some_and(|open| open.run.doc_ref == run.doc_ref)
        {
            // Marks stay; what the list says of the run is newer.
            let Some(available) = &mut self.available else {
                return;
            };
            available.run = run;
            return available.read(&mut self.cx);
        }
        self.drop_available();
        self.available
            .insert(Available::new(run))
            .read(&mut self.cx);
    }

    /// The suites in the run at hand.
    pub(super) fn open_members(&mut self) {
        let Some(run) = self.run_at_hand() else {
            self.cx.say("there is no run here yet");
            return;
        };
        self.enter_suites(Screen::Members);
        if let Some(members) = self
            .members
            .as_mut()
            .filter(|open| open.run.doc_ref == run.doc_ref)
        {
            members.run = run;
            if members.verdict.value().is_some() {
                return;
            }
        } else {
            self.drop_members();
            self.members = Some(Members::new(run));
        }
        self.survey_members();
    }

    /// Nothing is known any more of suites that can be added; the reading under way is given up.
    pub(super) fn drop_available(&mut self) {
        self.available = None;
        self.cx.give_up(&Slot::Available);
        self.cx.give_up(&Slot::WhatIf);
    }

    /// Nothing is known any more of suites in a run; working them out is given up.
    pub(super) fn drop_members(&mut self) {
        self.members = None;
        self.cx.give_up(&Slot::Members);
    }

    /// Works out the suites of the run on the screen, unless a probe run is about to tell them.
    pub(super) fn survey_members(&mut self) {
        let Some(members) = &mut self.members else {
            return;
        };
        let probe = Slot::Probe(members.run.doc_ref.clone());
        if self.cx.under_way(&probe) {
            self.cx
                .say("a probe run is under way: its answer comes here, Ctrl-c gives it up");
            return;
        }
        members.survey(&mut self.cx);
    }

    pub(super) fn enter_suites(&mut self, screen: Screen) {
        if matches!(self.stack.top(), Screen::Available | Screen::Members) {
            self.stack.replace(screen);
        } else {
            self.stack.open(screen);
        }
    }

    fn leave_suites(&mut self) {
        self.stack.back();
    }

    pub(super) fn act_available(&mut self, action: Action) {
        let Some(available) = &mut self.available else {
            return self.leave_suites();
        };
        match action {
            Action::Move(motion) => available.go(motion),
            Action::Point(row) => available.scroll.point(row, available.shown.len() as u64),
            Action::Mark => available.toggle(),
            Action::MarkRange => {
                available.range();
                if available.marks.anchor.is_some() {
                    self.cx.say("range: move, then v again marks all between");
                }
            }
            Action::MarkAll => available.mark_all(),
            Action::Filter => available.typing = true,
            Action::Preview => available.preview = !available.preview,
            Action::Sort => self.picker = Some(self.suite_sort_picker()),
            Action::ReverseSort => {
                available.descending = !available.descending;
                available.arrange();
            }
            Action::Open => self.confirm_add(),
            Action::Back if available.marks.anchor.take().is_some() => {}
            Action::Back if !available.text.text().is_empty() => {
                available.text.clear();
                available.arrange();
            }
            Action::Back if !available.marks.is_empty() => {
                available.marks.clear();
                self.cx.say("no marks any more; Esc again goes back");
            }
            Action::Back | Action::LastScreen => self.leave_suites(),
            Action::NextPart => self.open_members(),
            other => self.act_anywhere(&other),
        }
    }

    fn suite_sort_picker(&self) -> Picker {
        let now = self.available.as_ref().map(|available| available.order);
        let entries = SuiteOrder::ALL.into_iter().map(|(order, heading)| Entry {
            label: heading.to_owned(),
            detail: String::new(),
            ticked: Some(now == Some(order)),
            choice: Choice::SuiteSort(order),
        });
        Picker::new(PickerKind::Sort, entries.collect())
    }

    pub(super) fn act_members(&mut self, action: Action) {
        let Some(members) = &mut self.members else {
            return self.leave_suites();
        };
        match action {
            Action::Move(motion) => members.go(motion),
            Action::ScrollWhy(motion) => members.scroll_why(motion),
            Action::Point(row) => {
                let len = members.lines().len() as u64;
                members.scroll.point(row, len);
            }
            Action::Mark => {
                if let Err(why) = members.toggle() {
                    self.cx.say(why);
                }
            }
            Action::MarkRange => {
                members.range();
                if members.marks.anchor.is_some() {
                    self.cx.say("range: move, then v again marks all between");
                }
            }
            Action::MarkAll => members.mark_all(),
            Action::Remove | Action::Open => self.confirm_remove(),
            Action::TypeReference => members.typing = true,
            Action::Probe => self.confirm_probe(),
            Action::Verify => self.survey_members(),
            Action::Back if members.marks.anchor.take().is_some() => {}
            Action::Back if !members.marks.is_empty() => {
                members.marks.clear();
                self.cx.say("no marks any more; Esc again goes back");
            }
            Action::Back | Action::LastScreen => self.leave_suites(),
            Action::NextPart => self.open_available(),
            other => self.act_anywhere(&other),
        }
    }

    pub(super) fn act_reference(&mut self, action: Action) {
        let Some(members) = &mut self.members else {
            return;
        };
        match action {
            Action::Type(key) => {
                members.text.key(key);
                members.problem = None;
            }
            Action::Paste(text) => {
                members.text.paste(&text);
                members.problem = None;
            }
            Action::Back => members.typing = false,
            Action::Open if members.take_typed() => self.survey_members(),
            _ => {}
        }
    }

    pub(super) fn act_confirm(&mut self, action: &Action) {
        let Some(confirm) = &mut self.confirm else {
            return;
        };
        match action {
            Action::NextField | Action::PreviousField => confirm.on_do = !confirm.on_do,
            Action::Move(motion) => motion.scroll(&mut confirm.top),
            Action::Open if confirm.on_do => self.send_change(),
            Action::Open | Action::Back => self.confirm = None,
            _ => {}
        }
    }

    pub(super) fn act_work(&mut self, action: &Action) {
        match (action, &mut self.work) {
            (Action::Back | Action::Open, Some(work)) => work.open = false,
            (Action::Journal, _) => self.open_journal(),
            _ => {}
        }
    }

    pub(super) fn act_journal(&mut self, action: Action) {
        let Some(journal) = &mut self.journal else {
            return;
        };
        match action {
            Action::Move(motion) => journal.go(motion),
            Action::Type(key) if journal.text.key(key) => journal.go(Motion::First),
            Action::Paste(text) if journal.text.paste(&text) => journal.go(Motion::First),
            Action::Back => self.journal = None,
            Action::Undo => self.plan_undo(),
            Action::Refresh => self.open_journal(),
            _ => {}
        }
    }
}
