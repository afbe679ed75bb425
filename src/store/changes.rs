//! Changing the suites of a run: the preview of what will be sent, the sending, what came of it; and the journal.

use std::collections::HashMap;

use super::cx::Notice;
use super::effect::Effect;
use super::in_flight::Slot;
use super::input::Input;
use super::list::Scroll;
use super::message::{Action, Motion};
use super::remote::Remote;
use super::{Screen, Store};
use crate::attached::Named;
use crate::domain::{ChunkResult, DocRef, Failure, Outcome, Probe, Status, SuiteChange};

/// What is about to be written.
#[derive(Clone, Debug, PartialEq)]
pub enum Plan {
    /// Suites go into a run or out of it.
    Suites(SuiteChange),
    /// A probe run is made, read and deleted.
    Probe(Probe),
    /// Probe runs that were left behind are deleted.
    DeleteProbes(Vec<DocRef>),
    /// What is left of a change whose end is not known.
    GoOn { job: String, change: SuiteChange },
    /// A change whose end stays unknown is not asked about any more; nothing is sent.
    LetBe { job: String },
    /// The draft of the open form is discarded; nothing is sent.
    DiscardDraft,
}

/// The preview of a write, before anything is sent.
#[derive(Clone, Debug, PartialEq)]
pub struct Confirm {
    /// What will be sent.
    pub plan: Plan,
    /// What the person should know: marked suites that are gone, what is not documented.
    pub warnings: Vec<String>,
    /// The focus is on the button that does it, else on Cancel.
    pub on_do: bool,
    /// First line shown.
    pub top: u16,
}

/// A change under way or done.
#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// What is being sent.
    pub change: SuiteChange,
    /// One line for each request that was answered, and for the readings after them.
    pub steps: Vec<ChunkResult>,
    /// What came of it.
    pub outcome: Option<Outcome>,
    /// The box is on the screen.
    pub open: bool,
}

/// One write of the journal, as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalLine {
    /// Its name in the journal: what can be asked to be taken back.
    pub write: String,
    /// The run, where the journal has its reference.
    pub run_ref: Option<DocRef>,
    /// When it was sent, epoch milliseconds.
    pub at: i64,
    /// The run, as it was known then.
    pub run: String,
    /// Operation and what it was about.
    pub what: String,
    /// How it stands, in words.
    pub state: String,
    /// It stands well.
    pub good: bool,
    /// The whole of it, line by line.
    pub detail: Vec<String>,
}

/// What was read of the journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JournalPage {
    /// Newest first.
    pub lines: Vec<JournalLine>,
    /// What is wrong with the file, in words.
    pub problem: Option<String>,
}

/// State of the journal box.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JournalView {
    /// What was read.
    pub page: Remote<JournalPage>,
    /// Words looked for.
    pub text: Input,
    /// Cursor in the lines that match.
    pub scroll: Scroll,
}

impl JournalView {
    /// The lines that hold all the words.
    pub fn shown(&self) -> Vec<&JournalLine> {
        let words: Vec<String> = self
            .text
            .text()
            .split_whitespace()
            .map(str::to_lowercase)
            .collect();
        let fits = |line: &&JournalLine| {
            let text = format!(
                "{} {} {} {}",
                line.run,
                line.what,
                line.state,
                line.detail.join(" ")
            )
            .to_lowercase();
            words.iter().all(|word| text.contains(word))
        };
        self.page
            .value()
            .map(|page| page.lines.iter().filter(fits).collect())
            .unwrap_or_default()
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        let len = self.shown().len() as u64;
        self.scroll.go(motion, len);
    }
}

impl Store {
    /// Shows what adding the marked suites will send.
    pub(super) fn confirm_add(&mut self) {
        if !self.may_write() {
            return;
        }
        let Some(available) = &self.available else {
            return;
        };
        if available.marks.is_empty() {
            return self.cx.say("nothing is marked: Space marks a suite");
        }
        let mut warnings = Vec::new();
        let gone = available.gone();
        if !gone.is_empty() {
            let names: Vec<&str> = gone
                .into_iter()
                .map(crate::domain::SuiteRow::name)
                .collect();
            warnings.push(format!(
                "left out, because they cannot be added any more: {}",
                names.join(", ")
            ));
        }
        let suites = available
            .marks
            .rows()
            .iter()
            .filter(|suite| !available.is_gone(&suite.doc_ref));
        let suites: Vec<(DocRef, String)> = suites
            .map(|suite| (suite.doc_ref.clone(), suite.full_name()))
            .collect();
        let (cases, all_known) = available.cases();
        let bound = if all_known {
            ""
        } else {
            "; some suites do not say how many they have"
        };
        warnings.push(format!(
            "up to {cases} test cases more (TotalTestCases; the service may take fewer){bound}"
        ));
        let change = SuiteChange::of(&available.run, true, suites);
        self.show_confirm(change, warnings);
    }

    /// Shows what removing the marked suites will send.
    pub(super) fn confirm_remove(&mut self) {
        if !self.may_write() {
            return;
        }
        let Some(members) = &self.members else { return };
        if members.marks.is_empty() {
            return self.cx.say("nothing is marked: Space marks a suite");
        }
        let Some(attached) = members.verdict.value() else {
            return;
        };
        let named: HashMap<&DocRef, &Named> = attached
            .named
            .iter()
            .map(|named| (&named.suite, named))
            .collect();
        let name = |suite: &DocRef| {
            named
                .get(suite)
                .map_or_else(|| suite.to_string(), |named| named.full_name())
        };
        let suites: Vec<(DocRef, String)> = members
            .marks
            .rows()
            .iter()
            .map(|suite| (suite.clone(), name(suite)))
            .collect();
        let mut change = SuiteChange::of(&members.run, false, suites);
        change.count = attached.count.and_then(|count| i64::try_from(count).ok());
        let mut warnings =
            vec!["What becomes of results recorded in these suites is not documented.".to_owned()];
        match &change.stake {
            Some(counts) => warnings.push(format!(
                "{} cases are counted in this run; the counts are kept in the journal first.",
                counts.total()
            )),
            None => warnings.push(
                "The counts of this run are not known, so none are kept in the journal.".into(),
            ),
        }
        self.show_confirm(change, warnings);
    }

    /// Shows what a probe run will send.
    pub(super) fn confirm_probe(&mut self) {
        if !self.may_write() {
            return;
        }
        let Some(members) = &self.members else { return };
        let run = &members.run;
        let (Some(project), Some(version)) = (&run.project, &run.version) else {
            return self.cx.complain(
                "the service did not say project and version of this run: no probe can be made",
            );
        };
        if run.status == Status::Inactive {
            return self
                .cx
                .complain("a closed run: a probe would tell nothing about its suites");
        }
        let user = self
            .cx
            .shared
            .signed_in
            .as_ref()
            .map_or("", |signed_in| signed_in.user.as_str());
        let minutes = self.cx.now.div_euclid(60_000).rem_euclid(24 * 60);
        let clock = format!("{:02}:{:02} UTC", minutes / 60, minutes % 60);
        let subproject = run.subproject.as_deref().filter(|id| *id != "_");
        let probe = Probe::new(
            run.doc_ref.clone(),
            project,
            subproject,
            version,
            (user, &clock),
        );
        let warnings = vec![
            "This writes: it uses up an id, colleagues see the run for a moment, and it needs the right to create and delete.".into(),
            "If this program ends in between, the run stays behind; the next start offers to delete it.".into(),
        ];
        self.confirm = Some(Confirm {
            plan: Plan::Probe(probe),
            warnings,
            on_do: false,
            top: 0,
        });
    }

    /// Asks whether the draft of the open form goes.
    pub(super) fn confirm_discard(&mut self) {
        let warnings = vec!["The text goes to drafts/discarded in the state directory, where the newest 20 stay. Nothing is sent to the service.".into()];
        self.confirm = Some(Confirm {
            plan: Plan::DiscardDraft,
            warnings,
            on_do: false,
            top: 0,
        });
    }

    /// Shows which probe runs will be deleted.
    pub(super) fn confirm_delete_probes(&mut self) {
        if self.cx.shared.left_probes.is_empty() {
            return self.cx.say("no probe run was left behind, by the journal");
        }
        if self.may_write() {
            let warnings =
                vec!["Each is deleted only if the service says that it is empty.".into()];
            let plan = Plan::DeleteProbes(self.cx.shared.left_probes.clone());
            self.confirm = Some(Confirm {
                plan,
                warnings,
                on_do: false,
                top: 0,
            });
        }
    }

    fn show_confirm(&mut self, change: SuiteChange, warnings: Vec<String>) {
        if change.suites.is_empty() {
            return self.cx.complain(
                "none of the marked suites can be added any more: r reads the list again",
            );
        }
        let on_do = change.adds;
        self.confirm = Some(Confirm {
            plan: Plan::Suites(change),
            warnings,
            on_do,
            top: 0,
        });
    }

    /// Nothing is written in a read-only profile, nor while another change is under way.
    pub(super) fn may_write(&mut self) -> bool {
        if self
            .cx
            .shared
            .session
            .as_ref()
            .is_none_or(|session| session.read_only)
        {
            self.cx
                .complain("read-only profile: nothing is changed from here");
            return false;
        }
        // A deletion of another profile is waited for, and hinders nobody here.
        let elsewhere = self.delete.as_ref().is_some_and(|flow| flow.over);
        let hinders =
            |slot: &Slot| slot.writes() && !(elsewhere && matches!(slot, Slot::Delete(_)));
        if !self.cx.in_flight.of(hinders).is_empty() {
            self.cx
                .complain("another change is under way: wait for its answer");
            return false;
        }
        true
    }

    /// Sends what the preview shows.
    pub(super) fn send_change(&mut self) {
        let Some(confirm) = self.confirm.take() else {
            return;
        };
        let (change, job) = match confirm.plan {
            Plan::Suites(change) => (change, None),
            Plan::GoOn { job, change } => (change, Some(job)),
            Plan::LetBe { job } => {
                self.cx.shared.unfinished.retain(|change| change.job != job);
                return self.cx.effect(Effect::LetBe { job });
            }
            Plan::Probe(probe) => {
                if let Some(members) = &mut self.members {
                    self.cx.give_up(&Slot::Members);
                    members.verdict.ask();
                }
                let slot = Slot::Probe(probe.target.clone());
                let probe = Box::new(probe);
                return self.cx.request(slot, |id| Effect::Probe { id, probe });
            }
            Plan::DiscardDraft => return self.discard_draft(),
            Plan::DeleteProbes(runs) => {
                self.cx.shared.left_probes.clear();
                return self
                    .cx
                    .request(Slot::LeftProbes, |id| Effect::DeleteProbes { id, runs });
            }
        };
        self.work = Some(Work {
            change: change.clone(),
            steps: Vec::new(),
            outcome: None,
            open: true,
        });
        let change = Box::new(change);
        let slot = Slot::ChangeSuites;
        match job {
            None => self
                .cx
                .request(slot, |id| Effect::ChangeSuites { id, change }),
            Some(job) => {
                self.cx.shared.unfinished.retain(|change| change.job != job);
                self.cx.request(slot, |id| Effect::GoOn { id, job, change });
            }
        }
    }

    pub(super) fn change_step(&mut self, step: ChunkResult) {
        if let Some(work) = &mut self.work {
            work.steps.push(step);
        }
    }

    /// A change has come to its end: what is in effect loses its mark, and the screen is read again.
    pub(super) fn changed(&mut self, outcome: Outcome) {
        let Some(work) = &mut self.work else {
            return;
        };
        let done = outcome.done_parts();
        let change = work.change.clone();
        let run = work.change.run.clone();
        let adds = work.change.adds;
        let hidden = !work.open;
        let (good, words) = (outcome.is_whole(), outcome.headline(change.deed()));
        work.outcome = Some(outcome);
        // The box tells it; nothing is waited for any more.
        self.cx.notice = hidden.then(|| Notice {
            text: format!("{words} (@ shows it)"),
            bad: !good,
        });
        if let Some(available) = self
            .available
            .as_mut()
            .filter(|available| available.run.doc_ref == run)
        {
            if adds {
                available.marks.remove(&done);
            }
            available.read(&mut self.cx);
        }
        if let Some(members) = self
            .members
            .as_mut()
            .filter(|members| members.run.doc_ref == run)
        {
            members.marks.remove(&done);
            if self.stack.top() == Screen::Members {
                members.survey(&mut self.cx);
            } else {
                // It is worked out anew when it is looked at.
                self.drop_members();
            }
        }
        self.reread_runs();
    }

    /// Opens the journal and reads it.
    pub(super) fn open_journal(&mut self) {
        self.journal.get_or_insert_default().page.ask();
        self.cx
            .request(Slot::Journal, |id| Effect::ReadJournal { id });
    }

    pub(super) fn journal_came(&mut self, result: Result<JournalPage, Failure>) {
        if let Some(journal) = &mut self.journal {
            journal.page.accept(result, self.cx.now);
            let len = journal.shown().len() as u64;
            journal.scroll.fit(len);
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

    pub(super) fn probes_left(&mut self, runs: Vec<DocRef>) {
        if !runs.is_empty() {
            self.cx
                .complain("a probe run was left behind: \": delete left\" deletes it");
        }
        let new = runs
            .into_iter()
            .filter(|run| !self.cx.shared.left_probes.contains(run))
            .collect::<Vec<_>>();
        self.cx.shared.left_probes.extend(new);
    }
}
