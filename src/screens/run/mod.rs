//! A run: results, suites, history, forecast, details and JSON.

mod history;
mod json;
pub mod keys;
mod update;
mod view;

use crate::forecast::{Calibration, History, Outlook};
use crate::screens::FRESH;
use crate::screens::prelude::*;
use crate::store::{JournalPage, RunPart, SampleRequest};
use crate::ui::Scroll;

/// Parts of the screen: panes on one page if there is room, else tabs.
pub const PARTS: [&str; 5] = ["Results", "Suites", "History", "Forecast", "Details"];
const RESULTS: usize = 0;
const SUITES: usize = 1;
const HISTORY: usize = 2;
const FORECAST: usize = 3;
const DETAILS: usize = 4;

/// Time for which a run must be shown before its suites are searched for, in milliseconds.
const REST: u64 = 300;
/// Maximum number of list calls for that search.
const MOST_CALLS: usize = 10;

/// State of the detail screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The run by the list, then by its document, with the newest counts.
    pub run: Arc<Run>,
    /// Result of `GET_DOCUMENT`.
    pub document: Remote<Box<Opened>>,
    /// True if the service did not find the run when it answered last.
    pub is_missing: bool,
    /// Reading of the counts of this run alone (`LIST_TEST_RUNS`).
    pub counts: Remote<()>,
    /// History of the run from its samples.
    pub history: Remote<Box<History>>,
    /// Accuracy of earlier forecasts, once loaded.
    pub calibration: Option<Calibration>,
    /// Changes made with this program, newest first.
    pub own_changes: Remote<JournalPage>,
    /// Suites found with a few calls.
    pub suites: Remote<Box<Attached>>,
    /// True if the suites were requested or cannot be listed.
    were_requested: bool,
    /// The focused part.
    pub part: usize,
    /// First visible line of each part.
    tops: [u16; PARTS.len()],
    /// Last possible first line of each part, from the last layout.
    pub last_tops: [u16; PARTS.len()],
    /// Number of visible lines of the focused part.
    pub height: u16,
    pub json: JsonView,
}

/// State of the JSON view.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonView {
    /// True if the JSON is shown in place of the parts.
    pub open: bool,
    /// True if it was opened from the list, where Esc then leads.
    alone: bool,
    pub list: List,
    /// Number of columns hidden at the left.
    left: usize,
    /// Width in columns, from the last layout.
    width: usize,
    /// True if no line contains the words.
    pub missing: bool,
}

impl Detail {
    /// Creates the screen of a run that is not loaded yet.
    pub fn new(run: Arc<Run>, on: RunPart) -> Self {
        let part = match on {
            RunPart::Part(part) => part,
            RunPart::Json => 0,
        };
        let json = on == RunPart::Json;
        Self {
            run,
            document: Remote::default(),
            is_missing: false,
            counts: Remote::default(),
            history: Remote::default(),
            calibration: None,
            own_changes: Remote::default(),
            suites: Remote::default(),
            were_requested: false,
            part,
            tops: [0; PARTS.len()],
            last_tops: [0; PARTS.len()],
            height: 1,
            json: JsonView {
                open: json,
                alone: json,
                list: List::finding(),
                ..JsonView::default()
            },
        }
    }

    pub fn read_document(&mut self, cx: &mut Cx) {
        cx.get_document(Slot::Document, &self.run.doc_ref, &mut self.document);
    }

    /// Reads the counts of this run from the list, if it has an id.
    pub fn read_counts(&mut self, cx: &mut Cx) {
        if let Some(id) = self.run.id() {
            self.counts.ask();
            cx.find_run(Slot::Counts, id);
        }
    }

    /// Loads the history from the samples.
    pub fn read_history(&mut self, cx: &mut Cx) {
        self.history.ask();
        let run = self.run.doc_ref.clone();
        cx.request(
            Slot::History,
            Request::Samples(SampleRequest::History { run }),
        );
    }

    /// Loads the own changes.
    pub fn read_own_changes(&mut self, cx: &mut Cx) {
        self.own_changes.ask();
        let run = Some(self.run.doc_ref.clone());
        cx.request(Slot::OwnChanges, Request::ReadJournal { run });
    }

    /// Searches for the suites, unless they cannot be listed.
    fn look_for_suites(&mut self, cx: &mut Cx) {
        self.were_requested = true;
        if self.run.is_closed() {
            return;
        }
        self.suites.ask();
        let (run, typed, calls) = (self.run.doc_ref.clone(), Vec::new(), Some(MOST_CALLS));
        cx.request(Slot::RunSuites, Request::Survey { run, typed, calls });
    }

    /// All suites and the time of their reading; `None` if they are not complete.
    pub fn all_suites(&self) -> Option<(&Attached, i64)> {
        let suites = self
            .suites
            .value()
            .filter(|it| it.is_complete() && self.were_requested)?;
        Some((&**suites, self.suites.read_at()?))
    }

    /// Drops the suites, as they have changed.
    fn forget_suites(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RunSuites);
        (self.suites, self.were_requested) = (Remote::default(), false);
    }

    /// Searches for the suites again if their number has changed.
    fn compare_suites(&mut self) {
        let count = self.run.row().suite_count;
        let known = self.suites.value().and_then(|attached| attached.count);
        if let (Some(count), Some(known)) = (count, known)
            && u64::try_from(count) != Ok(known)
        {
            self.were_requested = false;
        }
    }

    /// Cancels the readings. Returns true if one was running.
    fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.document.cancel();
        self.counts.cancel();
        self.suites.cancel();
        cx.give_up_all(|slot| matches!(slot, Slot::Document | Slot::Counts | Slot::RunSuites))
    }

    /// Cancels all requests before another run is shown.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.cancel(cx);
        cx.give_up_of(Layer::Detail);
        cx.give_up(&Slot::Undo(Layer::Detail));
    }

    /// Reads the document again if that failed.
    pub fn read_failed(&mut self, cx: &mut Cx) {
        if self.document.failure().is_some() {
            self.read_document(cx);
        }
    }

    /// Time of the counts, epoch milliseconds.
    fn counted_at(&self) -> i64 {
        self.run.counted_at.unwrap_or(self.run.read_at)
    }

    /// Returns true if the counts could not be read, or are older than the document.
    fn has_old_counts(&self) -> bool {
        let is_older = |at: i64| at - self.counted_at() > FRESH;
        self.counts.failure().is_some() || self.document.read_at().is_some_and(is_older)
    }

    /// Takes the fields of the loaded document; known counts are kept.
    fn take_document(&mut self) {
        if let Some((opened, at)) = self.document.value().zip(self.document.read_at()) {
            let mut row = RunRow::from_document(&opened.document);
            if self.run.counted_at.is_some() {
                row.forget_counts();
                row.testers.clear();
            }
            self.run = self.run.read_again(row, at);
        }
    }

    /// Forecast of the end, once loaded.
    fn outlook(&self) -> Option<&Outlook> {
        self.history.value().map(|history| &history.outlook)
    }

    /// Returns true if there is data for a forecast; otherwise that part is left out.
    fn has_forecast(&self) -> bool {
        match self.outlook() {
            Some(Outlook::Refused(why)) => !why.is_nothing_yet(),
            outlook => outlook.is_some(),
        }
    }

    /// Reason why there is no forecast, once known.
    fn no_forecast(&self) -> Option<String> {
        let why = match self.outlook() {
            Some(Outlook::Refused(why)) => why.to_string(),
            Some(_) => return None,
            None => self.history.failure()?.cause.clone(),
        };
        Some(format!("No forecast: {why}"))
    }

    /// Scrolls the focused part.
    pub fn go(&mut self, motion: Motion) {
        // The possible first lines are treated as a list with a cursor.
        let mut lines = Scroll {
            cursor: self.tops[self.part].into(),
            top: 0,
            height: self.height.max(1).into(),
        };
        lines.go(motion, usize::from(self.last_tops[self.part]) + 1);
        self.tops[self.part] = lines.cursor as u16;
    }

    /// Moves the focus to the next or previous part.
    pub fn turn(&mut self, forward: bool) {
        self.part = beside(self.part, PARTS.len(), forward);
        if self.part == FORECAST && !self.has_forecast() {
            self.turn(forward);
        }
    }

    /// Number of loaded lines of the JSON.
    fn json_len(&self) -> usize {
        self.document.value().map_or(0, |opened| opened.json.len())
    }

    /// Moves to the next or previous line of the JSON with the searched text, around the end. `from_here` includes the
    /// current line. Returns true if there is one.
    pub fn find(&mut self, forward: bool, from_here: bool) -> bool {
        let needle = self.json.list.search.text().to_lowercase();
        let Some(opened) = self.document.value() else {
            return false;
        };
        let len = opened.json.len();
        if needle.is_empty() || len == 0 {
            return false;
        }
        let start = self.json.list.scroll.cursor.min(len - 1);
        let steps = usize::from(!from_here)..=len;
        let hit = steps.into_iter().find_map(|step| {
            let line = if forward {
                (start + step) % len
            } else {
                (start + len - step % len) % len
            };
            let words = opened.json[line].to_lowercase();
            let end = words.find(&needle)? + needle.len();
            Some((line, text::width(&text::cells(&words[..end]))))
        });
        if let Some((line, end)) = hit {
            self.json.list.scroll.cursor = line;
            self.json.list.scroll.fit(len);
            self.json.left = match self.json.width {
                width if end < width => 0,
                width => end - width / 2,
            };
        }
        hit.is_some()
    }

    /// Returns true if a visible line is cut at the right.
    fn json_goes_on(&self) -> bool {
        let (scroll, seen) = (self.json.list.scroll, self.json.left + self.json.width);
        let lines = self.document.value().into_iter().flat_map(|it| &it.json);
        let mut visible = lines.skip(scroll.top).take(scroll.height);
        visible.any(|line| text::width(&text::fit(line, seen + 1)) > seen)
    }

    /// Scrolls by half a screen to the right, if a line is cut there, or to the left.
    fn scroll_sideways(&mut self, right: bool) {
        let step = (self.json.width / 2).max(1);
        self.json.left = match right {
            true if self.json_goes_on() => self.json.left + step,
            true => self.json.left,
            false => self.json.left.saturating_sub(step),
        };
    }
}
