//! Updates of the available suites by actions and answers.

use super::{AvailableSuites, FreeOn, FreeSuites, ReleaseSuites, extra, view};
use crate::attached::InNoRun;
use crate::domain::query_language::Range;
use crate::domain::{SuiteChange, find_named};
use crate::screens::prelude::*;
use crate::screens::suites::{give_up_suites, no_suite, not_known, run_is_closed, suite_action};
use crate::store::{Entry, InNoRunSuites, PickerKind, Plan, Preview, SampleRequest};

impl AvailableSuites {
    /// Asks for confirmation to add the marked suites, else the one under the cursor.
    fn add_marked(&self, cx: &mut Cx) {
        if !cx.may_write() {
            return;
        }
        if let Some(run) = self.on_run().filter(|run| run.is_closed()) {
            return run_is_closed(run, cx);
        }
        if self.list.marks.is_empty() && self.current().is_none() {
            return no_suite(Slot::Available, cx);
        }
        if self.unsure {
            return not_known(Layer::Available, "in the run", cx);
        }
        let (suites, gone) = self.chosen();
        if suites.is_empty() {
            let key = |sign, action, does| cx.shared.then_key(sign, Layer::Available, action, does);
            let reads = key(": ", &Action::Refresh, "reads the list again");
            let clears = key("; ", &Action::Back, "lets the marks go");
            let words = "None of the marked suites can be added any more";
            return cx.complain(format!("{words}{reads}{clears}"));
        }
        match &self.on {
            FreeOn::Run(run) => add(&run.row(), &suites, gone, Vec::new(), cx),
            FreeOn::Release(release) => release.ask_where(&suites, cx),
        }
    }

    /// The marked suites, else the one under the cursor: those that can be added, and those that cannot any more.
    fn chosen(&self) -> (Vec<&SuiteRow>, Vec<&SuiteRow>) {
        if self.list.marks.is_empty() {
            return (self.current().into_iter().collect(), Vec::new());
        }
        self.marked()
    }

    /// Asks for confirmation to add the suites to this run of the release.
    fn add_to(&self, run: &DocRef, cx: &mut Cx) {
        let FreeOn::Release(release) = &self.on else {
            return;
        };
        let (suites, gone) = self.chosen();
        let mut runs = release.found.runs.iter();
        // The list may have been read again since the runs were offered.
        if let Some(run) = runs.find(|row| row.doc_ref == *run && !suites.is_empty()) {
            let into = format!("Into {}.", with_configuration(run));
            add(run, &suites, gone, vec![into], cx);
        }
    }

    /// Asks for confirmation to add the named suites, now that the list is loaded. Marks stay.
    fn add_named(&mut self, cx: &mut Cx) {
        let names = std::mem::take(&mut self.named);
        let Some(list) = self.suites.newest() else {
            // The reason is shown in place of the list.
            return;
        };
        let (suites, missing) = find_named(&names, list, SuiteRow::known_as, |_| true);
        let Some(run) = self.on_run() else { return };
        if missing.is_empty() && self.unsure {
            return not_known(Layer::Available, "in the run", cx);
        }
        if missing.is_empty() {
            return add(&run.row(), &suites, Vec::new(), Vec::new(), cx);
        }
        let run = run.name();
        cx.complain(format!(
            "{} cannot be added to {run}: in it already, or not there; nothing was sent",
            missing.join(", ")
        ));
    }

    /// Takes the suites in no run of the version, and stores their number.
    fn on_in_no_run(&mut self, result: Result<Box<InNoRun>, Failure>, cx: &mut Cx) {
        let FreeOn::Release(release) = &mut self.on else {
            return;
        };
        let suites = result.map(|found| {
            release.found = *found;
            release.is_old = false;
            std::mem::take(&mut release.found.suites)
        });
        self.on_suites(suites, cx);
        self.tell_count(cx);
    }

    /// Stores the number of suites for the board.
    fn tell_count(&self, cx: &mut Cx) {
        if let (FreeOn::Release(release), Some(suites)) = (&self.on, self.suites.value()) {
            let found = InNoRunSuites {
                suites: suites.as_slice().into(),
                range: release.range(suites.len()),
                at: release.found.at,
            };
            let counts = &mut cx.shared.in_no_run;
            counts.insert(release.version.clone(), found);
            cx.learn(Fact::InNoRun);
        }
    }

    /// Updates the list after suites were added to a run of the release or removed from one.
    fn release_changed(&mut self, run: &DocRef, adds: bool, cx: &mut Cx) {
        let FreeOn::Release(release) = &mut self.on else {
            return;
        };
        if !release.has(run) {
            return;
        }
        release.is_old |= !adds;
        self.tell_count(cx);
    }

    /// Takes suites that were added out of the list, which is read again later.
    fn take_out(&mut self, added: &[DocRef]) {
        let here = self.current().map(|suite| suite.doc_ref.clone());
        if let Some((mut suites, at)) = self.suites.value().cloned().zip(self.suites.read_at()) {
            suites.retain(|suite| !added.contains(&suite.doc_ref));
            self.suites.put(suites, at);
        }
        self.arrange_around(here.as_ref());
    }

    fn on_suites(&mut self, result: Result<Vec<SuiteRow>, Failure>, cx: &mut Cx) {
        let here = self.current().map(|suite| suite.doc_ref.clone());
        let range = self.list.open_range(&self.rows());
        self.unsure &= result.is_err();
        cx.accept(&mut self.suites, result);
        self.arrange_around(here.as_ref());
        if let Some(range) = range {
            let rows = FreeSuites::of(&self.suites, &self.shown);
            self.list.keep_range(range, &rows, cx);
        }
    }
}

/// Asks for confirmation to add these suites.
fn add(
    run: &RunRow,
    suites: &[&SuiteRow],
    gone: Vec<&SuiteRow>,
    mut notes: Vec<String>,
    cx: &mut Cx,
) {
    if !cx.may_write() {
        return;
    }
    if !gone.is_empty() {
        let names: Vec<&str> = gone.into_iter().map(SuiteRow::name).collect();
        notes.push(format!(
            "Left out, because they cannot be added any more: {}.",
            names.join(", ")
        ));
    }
    let done = cx.shared.done_codes();
    notes.push(format!("Up to {}.", view::more(Some(run), suites, done)));
    let named = |suite: &&SuiteRow| (suite.doc_ref.clone(), suite.full_name());
    let cases = suites.iter().map(|suite| suite.total_cases).collect();
    let change = SuiteChange::of(run, true, suites.iter().map(named).collect());
    cx.confirm(Preview {
        cases,
        ..Preview::new(Plan::Suites(Box::new(change)), notes)
    });
}

/// Name of a run with its configuration, by which those of one kind differ: `R_237 Acceptance (ios 19)`.
fn with_configuration(run: &RunRow) -> String {
    let configuration = run.configuration.as_deref().unwrap_or_default();
    if configuration.is_empty() {
        return run.full_name();
    }
    format!("{} ({configuration})", run.full_name())
}

impl ReleaseSuites {
    /// True if it is one of its open runs.
    fn has(&self, run: &DocRef) -> bool {
        self.found.runs.iter().any(|row| row.doc_ref == *run)
    }

    /// Range of the number of suites in no run; it is wider after a suite was removed from a run.
    fn range(&self, found: usize) -> Range {
        match self.found.range(found) {
            range if !self.is_old => range,
            range if range.exact().is_some() => Range::counted(found as u64, false),
            _ => Range::UNKNOWN,
        }
    }

    /// Asks for the open run to which the suites are added.
    fn ask_where(&self, suites: &[&SuiteRow], cx: &mut Cx) {
        let runs = self.found.runs.iter().map(|run| Entry {
            detail: run
                .suite_count
                .map_or_else(String::new, |count| text::count(count.max(0), "suite")),
            ..Entry::new(with_configuration(run), Choice::AddTo(run.doc_ref.clone()))
        });
        let title = match suites.len() {
            1 => "Add the suite to",
            _ => "Add the suites to",
        };
        cx.choose(title, PickerKind::Rows, runs);
    }
}

impl Screen for AvailableSuites {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let rows = FreeSuites::of(&self.suites, &self.shown);
        let words = self.list.search.text().to_owned();
        let Some(action) = self.list.update(action, &rows, cx) else {
            if self.list.search.text() != words {
                self.arrange();
            }
            return;
        };
        match action {
            Action::Preview if self.current().is_none() => no_suite(Slot::Available, cx),
            Action::Preview => self.preview = Some(!self.previews),
            Action::Sort => self.sort.ask(cx),
            Action::Chosen(choice) => match *choice {
                Choice::SuiteSort(order) => {
                    self.sort.choose(order);
                    self.arrange();
                }
                Choice::AddTo(run) => self.add_to(&run, cx),
                _ => {}
            },
            Action::Open => self.add_marked(cx),
            // No run is at hand here.
            Action::Undo if self.on_run().is_none() => cx.anywhere(Action::UndoLast),
            Action::Back | Action::LastScreen => cx.back(),
            Action::NextPart | Action::PreviousPart | Action::Part(1)
                if self.on_run().is_some() =>
            {
                cx.anywhere(Action::Show(Layer::Attached));
            }
            Action::Part(_) | Action::NextPart | Action::PreviousPart => {
                cx.say("this is that list");
            }
            other => {
                let marked = self.list.marks.rows().to_vec();
                suite_action(Slot::Available, other, self.current().cloned(), marked, cx);
            }
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        let any = self.current().is_some();
        match action {
            Action::Open | Action::Mark | Action::MarkRange | Action::MarkAll | Action::Raw => any,
            Action::Filter | Action::Sort => self.listed().is_some_and(|list| !list.is_empty()),
            Action::NextPart => self.on_run().is_some(),
            _ => true,
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        match answer {
            Answer::Received {
                received,
                full_size,
            } => self.progress = Some((received, full_size)),
            Answer::SurveyProgress(words) => {
                if let FreeOn::Release(release) = &mut self.on {
                    release.so_far = words;
                }
            }
            Answer::Available(result) => self.on_suites(result, cx),
            Answer::InNoRun(result) => self.on_in_no_run(result, cx),
            Answer::Runs(Ok(page)) => {
                let row = self.on_run().and_then(|run| page.row_of(&run.doc_ref));
                if let (Some(run), Some(row)) = (self.on_run(), row) {
                    let run = run.read_again(row.clone(), cx.now);
                    cx.saw_run(row.clone(), run.clone());
                    self.take_run(run, cx);
                }
            }
            Answer::Runs(Err(failure)) => cx.failed(failure),
            // A failure is shown in place of the forecast.
            Answer::WhatIf(result) => self.what_if.accept(result, cx.now),
            _ => {}
        }
    }

    /// Removes the marks of added suites.
    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Run(read) if self.run_mut(&read.doc_ref).is_some() => {
                self.take_run(read.clone(), cx);
            }
            // It may be open again.
            Fact::Wrote(Some(run)) if self.closed() && self.run_mut(run).is_some() => self.read(cx),
            Fact::WroteSuites {
                run,
                adds,
                done,
                unsure,
                ..
            } => {
                let is_here = self.run_mut(run).is_some();
                let is_of = matches!(&self.on, FreeOn::Release(release) if release.has(run));
                if *adds && (is_here || is_of) {
                    self.list.marks.remove(done);
                    self.unsure |= unsure;
                    self.take_out(done);
                }
                // An answer requested before does not show the end.
                let is_early = *unsure && self.on_run().is_none() && self.suites.is_reading();
                if is_here || is_early {
                    self.read(cx);
                }
                self.release_changed(run, *adds, cx);
            }
            _ => {}
        }
    }

    fn uncovered(&mut self, cx: &mut Cx) {
        if !self.named.is_empty() && !self.suites.is_reading() {
            self.add_named(cx);
        }
    }

    /// Requests a new forecast with the marked suites, if all of them have a number of cases.
    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.read_document();
        let new = |extra: &u64| self.asked_for != Some(*extra);
        let extra = extra(&self.marked().0).filter(new);
        if let Some((extra, run)) = extra.zip(self.on_run().filter(|_| !self.closed())) {
            let run = run.doc_ref.clone();
            self.asked_for = Some(extra);
            self.what_if.ask();
            cx.request(
                Slot::WhatIf,
                Request::Samples(SampleRequest::WhatIf { run, extra }),
            );
        }
    }

    fn closing(&mut self, _cx: &mut Cx) {
        self.named.clear();
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        give_up_suites(Layer::Available, &Slot::Available, &mut self.suites, cx)
    }

    fn run(&self) -> Option<Arc<Run>> {
        self.on_run().cloned()
    }

    fn read(&mut self, cx: &mut Cx) {
        self.read_list(cx);
        // Its number of suites and what is left may be others by now, too, and a closed one open again.
        if let Some(id) = self.on_run().and_then(|run| run.id()) {
            cx.find_run(Slot::AvailableRun, id);
        }
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        self.previews = layout.preview;
        self.list.scroll.laid_out(layout, self.shown.len())
    }

    fn failure(&self) -> Option<&Failure> {
        self.suites.failure()
    }

    fn read_at(&self) -> Option<i64> {
        self.suites.read_at()
    }
}
