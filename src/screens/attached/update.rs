//! Updates of the suites in a run by actions and answers.

use crate::screens::prelude::*;
use std::collections::{HashMap, HashSet};

use super::{AttachedSuites, SuiteLines, view};
use crate::attached::Named;
use crate::domain::{Probe, SuiteChange, find_named};
use crate::screens::clock;
use crate::screens::suites::{give_up_suites, not_known, run_is_closed, suite_action};
use crate::store::{Plan, Preview};
use crate::ui::list::ListRows as _;

impl AttachedSuites {
    /// Asks for confirmation before suites are removed.
    fn remove(&self, suites: &[DocRef], cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let Some(attached) = self.verdict.value() else {
            return;
        };
        if self.run.is_closed() {
            return run_is_closed(&self.run, cx);
        }
        if self.unsure {
            return not_known(Layer::Attached, "out of the run", cx);
        }
        let named = attached.named.iter().map(|named| (&named.suite, named));
        let named: HashMap<&DocRef, &Named> = named.collect();
        let name = |suite: &DocRef| {
            let named = named.get(suite);
            named.map_or_else(|| suite.to_string(), |named| named.full_name())
        };
        let cases = |suite: &DocRef| named.get(suite)?.row.as_ref()?.total_cases;
        let cases = suites.iter().map(cases).collect();
        let suites = suites.iter().map(|suite| (suite.clone(), name(suite)));
        let change = SuiteChange::of(&self.run.row(), false, suites.collect());
        let chosen: HashSet<&DocRef> = change.suites.iter().map(|(suite, _)| suite).collect();
        let is_chosen = |named: &Named| chosen.contains(&named.suite);
        let is_all = attached.is_complete() && attached.sure().all(is_chosen);
        let id = change.run_id.clone();
        cx.confirm(Preview {
            cases,
            takes_all: is_all,
            ..Preview::new(Plan::Suites(Box::new(change)), Vec::new())
        });
        // Results may have been recorded since the run was read.
        if let Some(id) = id {
            cx.find_run(Slot::AtStake, &id);
        }
    }

    /// Shows the requests of a probe run and asks for confirmation.
    fn probe(&mut self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        let run = &self.run.row();
        let (Some(project), Some(version)) = (&run.project, &run.version) else {
            return cx.complain(
                "the service did not say project and version of this run: no probe can be made",
            );
        };
        if run.is_closed() {
            return cx.complain("a closed run: a probe would tell nothing about its suites");
        }
        let user = cx.shared.user();
        let minutes = cx.now.div_euclid(60_000).rem_euclid(24 * 60);
        let clock = format!("{:02}:{:02} UTC", minutes / 60, minutes % 60);
        let probe = Probe::new(
            run.doc_ref.clone(),
            project,
            run.subproject.as_deref(),
            version,
            (user, &clock),
        );
        let name = run.name();
        let notes = vec![
            format!(
                "The suites that fit into it and not into {name} are those of {name}. It is deleted again at once."
            ),
            format!(
                "It uses up an id, colleagues see it for a moment as \"{}\", and it needs the right to create and delete runs. If this program ends in between, the next start offers to delete it.",
                probe.run.title()
            ),
        ];
        cx.confirm(Preview::new(Plan::Probe(probe), notes));
    }

    /// Asks for confirmation to remove the named suites, now that the suites are known. Marks stay.
    fn remove_named(&mut self, cx: &mut Cx) {
        let names = std::mem::take(&mut self.named);
        let Some(attached) = self.verdict.newest() else {
            // The reason is shown in place of the list.
            return;
        };
        let may_remove = |named: &Named| attached.may_remove(named);
        let (suites, missing) = find_named(&names, &attached.named, Named::known_as, may_remove);
        if missing.is_empty() {
            let suites: Vec<DocRef> = suites.iter().map(|it| it.suite.clone()).collect();
            return self.remove(&suites, cx);
        }
        let missing = missing.join(", ");
        cx.complain(format!(
            "{missing} is not known to be in {}",
            self.run.name()
        ));
    }

    /// Takes suites that were removed out of the list, which is worked out again later.
    fn take_out(&mut self, removed: &[DocRef]) {
        let lines = self.lines();
        let here = lines.key_at(self.list.scroll.cursor).cloned();
        if let Some((mut known, at)) = self.verdict.value().cloned().zip(self.verdict.read_at()) {
            known.without(removed);
            self.verdict.put(known, at);
        }
        self.arrange(here.as_ref());
    }

    /// Takes the suites from readings or a probe run. A probe run is a write, so its failure is reported on any screen.
    fn on_suites(&mut self, slot: &Slot, result: Result<Box<Attached>, Failure>, cx: &mut Cx) {
        let lost = result
            .as_ref()
            .err()
            .filter(|_| matches!(slot, Slot::Probe(_)));
        let lost = lost.map(|it| format!("{}: {}", it.asked, it.advised()));
        if *slot == Slot::Attached || *slot == Slot::Probe(self.run.doc_ref.clone()) {
            let attached = result.as_ref().ok();
            self.unsure &= attached.is_none();
            // Counts may have been recorded since the list was read.
            if let Some((row, at)) = attached.and_then(|it| Some((it.row.as_ref()?, it.at))) {
                self.run = Arc::new(Run::new(row, at));
            }
            let count = attached.and_then(|attached| attached.count);
            if let Some(count) = count.and_then(|count| i64::try_from(count).ok()) {
                self.run = self.run.with(|row| row.suite_count = Some(count));
            }
            self.take(result, cx);
        } else if let Err(failure) = result {
            cx.failed(failure);
        }
        if let Some(words) = lost {
            cx.ended(words, true);
        }
    }
}

impl Screen for AttachedSuites {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if action == Action::Remove && self.run.is_closed() {
            return run_is_closed(&self.run, cx);
        }
        let words = self.list.search.text().to_owned();
        let lines = SuiteLines::of(&self.verdict, self.sort, &words);
        let here = lines.key_at(self.list.scroll.cursor);
        let Some(action) = self.list.update(action, &lines, cx) else {
            if self.list.search.text() != words {
                self.arrange(here.cloned().as_ref());
            }
            return;
        };
        match action {
            Action::Remove if self.list.marks.is_empty() => {
                match lines.mark_at(self.list.scroll.cursor) {
                    Ok(suite) => self.remove(&[suite], cx),
                    Err(why) => cx.say_until(Slot::Attached, why),
                }
            }
            Action::Remove => self.remove(self.list.marks.rows(), cx),
            Action::Probe => self.probe(cx),
            Action::Preview => match view::explained(self, &clock(cx)) {
                Some(explained) => cx.open(Open::Explained(explained)),
                None => cx.say("there is nothing to explain here"),
            },
            Action::Sort => self.sort.ask(cx),
            Action::Chosen(choice) => {
                if let Choice::SuiteSort(order) = *choice {
                    let here = here.cloned();
                    self.sort.choose(order);
                    self.arrange(here.as_ref());
                }
            }
            Action::Back | Action::LastScreen => cx.back(),
            Action::NextPart | Action::PreviousPart | Action::Part(0) => {
                cx.anywhere(Action::Show(Layer::Available));
            }
            Action::Part(_) => cx.say("this is that list"),
            other => {
                let other = match other {
                    Action::Open => Action::Raw,
                    other => other,
                };
                suite_action(Slot::Attached, other, self.current(), self.marked(), cx);
            }
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        let lines = self.lines();
        let mut places = 0..lines.row_count();
        match action {
            Action::Mark | Action::Remove => places.any(|place| lines.mark_at(place).is_ok()),
            Action::Raw => self.current().is_some(),
            Action::Filter | Action::Sort => {
                lines.row_count() > 0 || !self.list.search.text().is_empty()
            }
            Action::Preview => self.verdict.value().is_some(),
            _ => true,
        }
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        if let Answer::Surveyed(result) = answer {
            self.on_suites(&slot, result, cx);
        }
    }

    /// Removes the marks of suites that were added or removed.
    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Run(run) if run.doc_ref == self.run.doc_ref => {
                let was_closed = self.run.is_closed();
                self.run = run.clone();
                if was_closed != run.is_closed() && self.is_outdated() {
                    self.survey(cx);
                }
            }
            Fact::WroteSuites {
                run,
                adds,
                done,
                unsure,
                ..
            } if *run == self.run.doc_ref => {
                self.list.marks.remove(done);
                self.unsure |= unsure;
                if !adds {
                    self.take_out(done);
                }
            }
            Fact::Stripped(run) if *run == self.run.doc_ref => self.unsure = true,
            _ => {}
        }
    }

    fn uncovered(&mut self, cx: &mut Cx) {
        if !self.named.is_empty() && !self.verdict.is_reading() {
            self.remove_named(cx);
        }
    }

    fn closing(&mut self, _cx: &mut Cx) {
        self.named.clear();
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        give_up_suites(Layer::Attached, &Slot::Attached, &mut self.verdict, cx)
    }

    fn run(&self) -> Option<Arc<Run>> {
        Some(self.run.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.survey(cx);
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.lines().row_count();
        self.list.scroll.laid_out(layout, len)
    }

    fn failure(&self) -> Option<&Failure> {
        self.verdict.failure()
    }

    fn read_at(&self) -> Option<i64> {
        self.verdict.read_at()
    }
}
