//! Updates of an open run by actions and answers.

use super::{Detail, FORECAST, PARTS, REST, RESULTS, SUITES, json, view};
use crate::domain::FailureKind;
use crate::forecast::{History, NoForecast, Outlook};
use crate::screens::prelude::*;
use crate::store::SampleRequest;
use crate::store::{Reading, Watched};
use crate::ui::list::Unmarked;

impl Detail {
    fn on_document(&mut self, result: Result<Box<Opened>, Failure>, cx: &mut Cx) {
        self.is_missing = match &result {
            Err(failure) if failure.kind.is_away() => self.is_missing,
            Err(failure) => failure.kind == FailureKind::NotFound,
            Ok(_) => false,
        };
        let name = self.run.name();
        cx.accept(
            &mut self.document,
            result.map_err(|failure| failure.of_run(name)),
        );
        self.take_document();
        self.json.list.scroll.fit(self.json_len());
    }

    /// Shows a kept document while the service does not answer; the failure stays visible.
    fn on_kept(&mut self, opened: Box<Opened>, at: i64) {
        if self.document.value().is_none() {
            self.document.put(opened, at);
            self.take_document();
            self.json.list.scroll.fit(self.json_len());
        }
    }

    fn on_counts(&mut self, result: Result<RunsPage, Failure>, cx: &mut Cx) {
        let row = result.as_ref().ok();
        if let Some(row) = row.and_then(|page| page.row_of(&self.run.doc_ref)) {
            self.run = self.run.read_again(row.clone(), cx.now);
            self.take_document();
            cx.saw_run(row.clone(), self.run.clone());
        }
        cx.accept(&mut self.counts, result.map(drop));
        self.compare_suites();
        self.read_history(cx);
    }

    /// Takes the history. If it is too old for a forecast, the counts are read once.
    fn on_history(&mut self, result: Result<Box<History>, Failure>, cx: &mut Cx) {
        self.history.accept(result, cx.now);
        if self.part == FORECAST && !self.has_forecast() {
            self.part = RESULTS;
        }
        if matches!(self.outlook(), Some(Outlook::Band(_))) && self.calibration.is_none() {
            cx.request(
                Slot::Calibration,
                Request::Samples(SampleRequest::Calibration),
            );
        }
        let old = matches!(self.outlook(), Some(Outlook::Refused(NoForecast::Old(_))));
        let open = !self.run.is_closed() && cx.shared.signed_in;
        if old && open && self.counts == Remote::default() {
            self.read_counts(cx);
        }
    }

    fn update_json(&mut self, action: Action, cx: &mut Cx) {
        let words = self.json.list.search.text().to_owned();
        let rows = Unmarked(self.json_len());
        let Some(action) = self.json.list.update(action, &rows, cx) else {
            if self.json.list.search.text() != words {
                let is_found = self.find(true, true);
                self.json.missing = !is_found && !self.json.list.search.text().is_empty();
            }
            return;
        };
        match action {
            Action::ScrollRight | Action::ScrollLeft => {
                self.scroll_sideways(action == Action::ScrollRight);
            }
            Action::NextMatch | Action::PreviousMatch
                if self.json.list.search.text().is_empty() =>
            {
                let looks = &Action::Filter;
                let looks = cx
                    .shared
                    .then_key("; ", Layer::Json, looks, "begins a search");
                cx.say(format!("nothing is searched for yet{looks}"));
            }
            Action::NextMatch | Action::PreviousMatch => {
                if !self.find(action == Action::NextMatch, false) {
                    cx.say("not found");
                }
            }
            Action::Back | Action::Raw | Action::LastScreen => {
                if self.json.alone {
                    cx.back();
                }
                self.json.open = false;
            }
            other => cx.anywhere(other),
        }
    }
}

impl Screen for Detail {
    fn part(&self) -> Option<Layer> {
        self.json.open.then_some(Layer::Json)
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            action if self.is_missing && action.writes_to_a_run() => {
                let again =
                    cx.shared
                        .then_key(": ", Layer::Detail, &Action::Refresh, "reads it again");
                cx.complain(format!("{} was not found{again}", self.run.name()));
            }
            action if self.json.open => self.update_json(action, cx),
            Action::Move(motion) => self.go(motion),
            Action::NextPart => self.turn(true),
            Action::PreviousPart => self.turn(false),
            Action::Part(part) if part == self.part => cx.say("this is that tab"),
            Action::Part(FORECAST) if !self.has_forecast() => {
                let sums = self.run.row().sums(cx.shared.done_codes());
                let is_done = sums.is_some_and(|sums| sums.total > 0 && sums.left() == 0);
                let done = is_done.then(|| "No forecast: all cases are finished".to_owned());
                let words = done.or_else(|| self.no_forecast());
                cx.say(words.unwrap_or_else(|| "the forecast is being worked out…".into()));
            }
            Action::Part(part) if part < PARTS.len() => self.part = part,
            Action::Back | Action::LastScreen => cx.back(),
            Action::Monitor => {
                cx.open(Open::Monitor(Watched::Runs(vec![self.run.clone()])));
            }
            Action::Open if self.part == SUITES => cx.anywhere(Action::Show(Layer::Attached)),
            Action::Open if self.part == RESULTS => {
                let web = match cx.shared.web_url() {
                    Ok(_) => "; :web opens the run in the web application",
                    Err(_) => "",
                };
                cx.say(format!("the service does not tell cases one by one{web}"));
            }
            Action::Open => {
                let tab = &Action::Part(SUITES);
                let tab = cx.shared.then_key(": ", Layer::Detail, tab, "shows it");
                cx.say(format!("suites are opened on their tab{tab}"));
            }
            Action::Remove if !cx.may_write() => {}
            Action::Remove => {
                let list = &Action::Show(Layer::Attached);
                let list = cx.shared.then_key(": ", Layer::Detail, list, "shows it");
                cx.say(format!("suites are removed from their list{list}"));
            }
            Action::Raw => self.json.open = true,
            other => cx.anywhere(other),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::NextMatch | Action::PreviousMatch => !self.json.list.search.text().is_empty(),
            _ => true,
        }
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match (slot, answer) {
            (_, Answer::Document(result)) => self.on_document(result, cx),
            (_, Answer::KeptDocument(opened, at)) => self.on_kept(opened, at),
            (_, Answer::Runs(result)) => self.on_counts(result, cx),
            // Failures of these are shown in their place.
            (_, Answer::History(result)) => self.on_history(result, cx),
            (_, Answer::Calibration(found)) => self.calibration = found,
            (Slot::OwnChanges, Answer::Journal(result)) => self.own_changes.accept(result, cx.now),
            (_, Answer::Surveyed(result)) => self.suites.accept(result, cx.now),
            (Slot::RestPause, Answer::Timer) => self.look_for_suites(cx),
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Wrote(Some(run)) if *run == self.run.doc_ref => {
                self.read_document(cx);
                self.read_own_changes(cx);
            }
            Fact::WroteSuites { run, .. } | Fact::Stripped(run) if *run == self.run.doc_ref => {
                // The run may be closed by now.
                if let Fact::WroteSuites { unsure, done, .. } = fact
                    && (*unsure || done.is_empty())
                {
                    self.read_document(cx);
                }
                self.forget_suites(cx);
                self.read_counts(cx);
                self.read_own_changes(cx);
            }
            _ => {}
        }
    }

    /// Searches for the suites after the document was shown for a while.
    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        if !on_top || self.json.alone {
            cx.give_up(&Slot::RestPause);
        } else if !self.were_requested
            && !cx.under_way(&Slot::RestPause)
            && !self.document.is_reading()
            && cx.shared.signed_in
        {
            cx.timer(Slot::RestPause, REST);
        }
    }

    fn closing(&mut self, cx: &mut Cx) {
        (self.json.open, self.json.alone) = (false, false);
        cx.give_up(&Slot::RestPause);
        cx.give_up(&Slot::RunSuites);
        self.suites.cancel();
        self.were_requested = self.suites.value().is_some();
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.cancel(cx)
    }

    fn json(&self) -> Option<String> {
        Some(self.document.value()?.json.join("\n"))
    }

    fn run(&self) -> Option<Arc<Run>> {
        Some(self.run.clone())
    }

    /// Running requests are not repeated, as a held key would delay the answer.
    fn read(&mut self, cx: &mut Cx) {
        if !self.document.is_reading() {
            self.read_document(cx);
        }
        if !self.counts.is_reading() {
            self.read_counts(cx);
        }
        let failure = self.suites.failure();
        if failure.is_some_and(|failure| failure.may_retry) {
            self.were_requested = false;
        }
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            every: None,
            read_at: self.document.read_at(),
            busy: self.document.is_reading() || self.counts.is_reading(),
            failed: self.document.failure().is_some(),
        })
    }

    /// Until the document is loaded, the row of the list is shown.
    fn read_at(&self) -> Option<i64> {
        Some(self.run.read_at)
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let mut moved = false;
        self.height = layout.part.unwrap_or(self.height);
        for ((top, last), laid) in self
            .tops
            .iter_mut()
            .zip(&mut self.last_tops)
            .zip(layout.last_tops)
        {
            let Some(laid) = laid else { continue };
            *last = laid;
            moved |= *top > laid;
            *top = (*top).min(laid);
        }
        if let Some(width) = layout.width.map(usize::from) {
            moved |= self.json.width != width;
            self.json.width = width;
        }
        if let Some(height) = layout.rows {
            let len = self.json_len();
            moved |= self.json.list.scroll.set_height(height, len);
        }
        moved
    }
}

impl Draw for Detail {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        if self.json.open {
            json::draw(self, on, area);
        } else {
            view::draw(self, on, area);
        }
    }

    fn title(&self, project: &str) -> String {
        let id = self.run.name();
        let json = if self.json.open { " › JSON" } else { "" };
        format!("{project} › {id}{json}")
    }

    fn status(&self, context: Context<'_>) -> String {
        if self.json.open {
            json::status(context, self)
        } else {
            String::new()
        }
    }

    fn field(&self, _cx: &Cx) -> Option<FootField<'_>> {
        let missing = if self.json.missing { "not found" } else { "" };
        (self.json.open && self.json.list.search.typing).then(|| FootField {
            sign: "search / ",
            input: &self.json.list.search.words,
            said: (format!("{missing:9}"), true),
        })
    }
}
