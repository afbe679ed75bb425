//! Updates of the monitor by actions and answers.

use super::{Monitor, WatchedRun};

use crate::domain::{Limit, Notify, Sort, text};
use crate::mirror::RunsAnswer;
use crate::screens::no_run;
use crate::screens::prelude::*;
use crate::store::Orders;
use crate::store::{Reading, RunPart, SampleRequest, SampleWrite};

/// One minute in milliseconds.
const MINUTE: i64 = 60_000;

impl Monitor {
    /// Sets the limit in force and begins to read; `limit` is that of the view.
    pub fn start(&mut self, limit: Option<String>, cx: &mut Cx) {
        self.opened_at = cx.now;
        let session = cx.shared.in_use();
        self.bell = session.monitor.notify == Notify::Bell;
        let limit = self
            .chosen
            .limits
            .get(&self.origin.view)
            .cloned()
            .or(limit)
            .or_else(|| session.watch.limit.clone())
            .filter(|text| !text.is_empty())
            .map(|text| Limit::parse(&text));
        if let Some(Err(problem)) = &limit {
            cx.complain(format!("the limit of the config cannot be read: {problem}"));
        }
        self.limit = limit.and_then(Result::ok);
        cx.read_due();
        self.judge_all(cx.shared.done_codes());
        self.begin(cx);
        self.arrange(&cx.shared, cx.now);
    }

    /// Returns true if the user wants to be called: the runs are then read without the focus too.
    pub fn is_on_call(&self, shared: &Shared) -> bool {
        self.bell || shared.in_use().monitor.notify != Notify::None
    }

    /// Asks the mirror anew, as the order or the signed-in user has changed.
    pub fn ask_again(&mut self) {
        self.asked.ask_anew();
    }

    /// Forgets all of the runs but their names.
    pub fn forget(&mut self, cx: &Cx) {
        for watched in &mut self.runs {
            let run = &watched.run;
            let row = RunRow {
                id: run.id().map(str::to_owned),
                ..RunRow::unknown(run.doc_ref.clone())
            };
            *watched = WatchedRun::new(Arc::new(Run::new(&row, 0)));
        }
        (self.finish, self.is_stale) = (None, true);
        self.arrange(&cx.shared, cx.now);
    }

    /// Calls the user about a run, by the bell and as configured.
    pub(super) fn call_somebody(&self, run: &Run, words: &str, cx: &mut Cx) {
        let name = run.full_name();
        // The text must not contain terminal sequences or start like an option of a program.
        let words = text::call(&format!("rundown: {name}: {words}"));
        if self.bell {
            cx.effect(Effect::Bell);
        }
        match cx.shared.in_use().monitor.notify {
            Notify::Osc9 => cx.effect(Effect::Notify(words)),
            Notify::Command(_) => cx.effect(Effect::Call(words)),
            Notify::Bell | Notify::None => {}
        }
    }

    fn open_run(&mut self, on: RunPart, cx: &mut Cx) {
        if let Some(run) = self.current() {
            cx.open(Open::Run(run.run.clone(), on));
            self.cancel(cx);
        }
    }

    fn sort_by(&mut self, name: &'static str) {
        self.chosen.order = Sort::after(self.chosen.order.as_ref(), name);
        self.ask_again();
        // Until the next key the cursor stays on the first row, even if its run changes.
        self.go(Motion::First);
        self.touched = false;
    }
}

impl Monitor {
    fn set_limit(&mut self, limit: Option<Limit>, cx: &mut Cx) {
        if limit.is_none() {
            cx.say("no limit");
        }
        let text = limit.as_ref().map_or("", |limit| &limit.text);
        let view = self.origin.view.clone();
        self.chosen.limits.insert(view, text.to_owned());
        self.limit = limit;
        self.judge_all(cx.shared.done_codes());
        self.arrange(&cx.shared, cx.now);
        if self.chosen.order.is_none() {
            self.go(Motion::First);
        }
    }

    /// Writes the counts over time of all runs to a file.
    fn export(&self, cx: &mut Cx) {
        let runs = self.runs.iter().map(|run| &run.run);
        let runs = runs.map(|run| (run.name().to_owned(), run.doc_ref.clone()));
        let runs = runs.collect();
        cx.effect(Effect::Samples(SampleWrite::Export { runs }));
        cx.progress("Writing counts over time…");
    }
}

impl Screen for Monitor {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if let Action::Point(line) = action
            && self.turn.is_some()
        {
            self.point(line);
            return self.stop_turns();
        }
        self.stop_turns();
        let none = self.current().is_none();
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Point(line) => self.point(line),
            Action::Back | Action::LastScreen => cx.back(),
            Action::Slower | Action::Faster => {
                self.change_pace(action == Action::Slower);
                cx.say(format!("read every {} s", self.every));
                cx.give_up(&Slot::RefreshPause);
            }
            Action::Limit => {
                let limit = self.limit.as_ref();
                cx.open(Open::Limit(limit.map(|limit| limit.text.clone())));
            }
            Action::Export if !self.runs.is_empty() => self.export(cx),
            Action::Export | Action::Pin | Action::Open | Action::Raw if none => {
                cx.say(no_run(self.read_at));
            }
            Action::Open => self.open_run(RunPart::Part(0), cx),
            Action::Raw => self.open_run(RunPart::Json, cx),
            Action::Pin => {
                let words = match self.pin() {
                    Some(true) => "pinned: it comes first from now on",
                    _ => "not pinned any more",
                };
                cx.say(words);
                self.arrange(&cx.shared, cx.now);
            }
            Action::Sort => cx.open(Open::SortMenu(Orders::Runs {
                now: self.chosen.order.clone(),
                worst: true,
            })),
            Action::Chosen(choice) => match *choice {
                Choice::Sort(name) => self.sort_by(name),
                Choice::Limit(limit) => self.set_limit(limit, cx),
                _ => {}
            },
            Action::Bell => {
                self.bell = !self.bell;
                cx.say(if self.bell {
                    "bell on: it is read without the focus too"
                } else {
                    "bell off"
                });
            }
            Action::Monitor => cx.say("this is the monitor"),
            Action::Show(Layer::Available | Layer::Attached) => {
                if !none {
                    self.cancel(cx);
                }
                cx.anywhere(action);
            }
            // Only these actions work as elsewhere; all others are unused here.
            Action::Refresh
            | Action::Coverage
            | Action::DueDate
            | Action::Show(
                Layer::Board | Layer::Changes | Layer::Compare | Layer::CopyMenu | Layer::Journal,
            )
            | Action::Palette
            | Action::Drafts
            | Action::NextScreen
            | Action::SignIn
            | Action::OpenWeb
            | Action::Copy(_) => cx.anywhere(action),
            other => cx.unused(&other),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        *action != Action::Export || !self.runs.is_empty()
    }

    fn on_answer(&mut self, answer: Box<RunsAnswer>, cx: &mut Cx) {
        self.take_answer(&answer, cx);
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match (slot, answer) {
            (Slot::ReadRuns(_), answer) => self.on_read(answer, cx),
            (Slot::WatchedFinish, Answer::Finish(found)) => {
                self.finish = found;
                if let Some(finish) = &self.finish {
                    for run in &mut self.runs {
                        let outlook = finish.alone.get(&run.run.doc_ref);
                        run.outlook = outlook.cloned().or(run.outlook.take());
                    }
                }
                self.arrange(&cx.shared, cx.now);
            }
            (Slot::NextMinute, Answer::Timer) => {
                self.arrange(&cx.shared, cx.now);
                self.turn_is_due = true;
            }
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        if matches!(fact, Fact::Earlier | Fact::Due) {
            self.arrange(&cx.shared, cx.now);
        }
    }

    fn uncovered(&mut self, cx: &mut Cx) {
        if std::mem::take(&mut self.turn_is_due) {
            self.next_turn(cx);
        }
    }

    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        // The clock may have been set back.
        self.opened_at = self.opened_at.min(cx.now);
        self.ask_mirror(cx);
        if !on_top {
            cx.give_up(&Slot::NextMinute);
        } else if !cx.under_way(&Slot::NextMinute) {
            let after = MINUTE - cx.now.rem_euclid(MINUTE);
            cx.timer(Slot::NextMinute, after.unsigned_abs());
        }
        if self.is_stale && !cx.under_way(&Slot::WatchedFinish) {
            self.is_stale = false;
            let runs = self.counted(&cx.shared);
            cx.request(
                Slot::WatchedFinish,
                Request::Samples(SampleRequest::Finish { runs }),
            );
        }
    }

    fn closing(&mut self, cx: &mut Cx) {
        self.cancel(cx);
        self.asked.leave(Layer::Monitor, cx);
        cx.give_up_of(Layer::Monitor);
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.cancel(cx)
    }

    fn run(&self) -> Option<Arc<Run>> {
        Some(self.current()?.run.clone())
    }

    fn read(&mut self, cx: &mut Cx) {
        self.begin(cx);
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            every: Some(self.every),
            read_at: self.read_at,
            busy: self.busy(),
            failed: self.asked.failure.is_some(),
        })
    }

    fn read_at(&self) -> Option<i64> {
        self.shown_as_of()
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.order.len();
        if let (Some(rows), Some((area, _))) = (layout.rows, layout.list) {
            self.lines = area.height.checked_div(rows).unwrap_or(1).max(1);
        }
        // The number of rows decides which runs are visible.
        let before = self.scroll;
        if let Some(height) = layout.rows {
            self.scroll.set_height(height, len);
        }
        self.scroll != before
    }
}
