//! One run: its results, suites, history, forecast and details; its JSON.

mod history;
mod json;
pub mod keys;
mod update;
mod view;

use crate::domain::fields::{Field, ID, STATUS, TITLE};
use crate::forecast::{Calibration, History, Outlook};
use crate::screens::prelude::*;
use crate::store::{OwnChange, RunPart, SampleRequest};
use crate::ui::Scroll;
use crate::ui::list::Search;

/// Parts of the screen: panes side by side where there is room, else tabs.
pub const PARTS: [&str; 5] = ["Results", "Suites", "History", "Forecast", "Details"];
const RESULTS: usize = 0;
const SUITES: usize = 1;
const HISTORY: usize = 2;
const FORECAST: usize = 3;
const DETAILS: usize = 4;

/// Milliseconds for which a run must have been looked at before its suites are worked out.
const REST: u64 = 300;
/// Most calls of lists for that.
const MOST_CALLS: usize = 10;

/// State of the detail screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The run.
    pub doc_ref: DocRef,
    /// What the list knows of the run, and when it was read: shown until the document is here.
    pub row: (RunRow, i64),
    /// The document (`GET_DOCUMENT`).
    pub document: Remote<Box<Opened>>,
    /// The row with counts, read for this run alone (`LIST_TEST_RUNS`).
    pub counts: Remote<Option<RunRow>>,
    /// What the samples of the run tell.
    pub history: Remote<Box<History>>,
    /// How often forecasts came true here, once that was asked.
    pub calibration: Option<Calibration>,
    /// What was changed from here, newest first.
    pub own_changes: Remote<Vec<OwnChange>>,
    /// Its suites, as far as a few calls tell.
    pub suites: Remote<Box<Attached>>,
    /// They were asked for, or need not be.
    looked: bool,
    /// The part that has the focus.
    pub part: usize,
    /// First line shown of each part.
    pub tops: [u16; PARTS.len()],
    /// Last possible first line of each part, as laid out last.
    pub last_tops: [u16; PARTS.len()],
    /// Lines of a part on the screen.
    pub height: u16,
    pub json: JsonView,
}

/// The JSON of the document, with a search in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonView {
    /// It is seen instead of the parts.
    pub open: bool,
    /// It was opened straight from the list: Esc leads back there.
    alone: bool,
    /// Cursor line and first line.
    pub scroll: Scroll,
    /// Columns that are hidden at the left.
    left: usize,
    /// Columns that it was drawn with.
    width: usize,
    /// Words looked for.
    pub search: Search,
    /// No line holds the words.
    pub missing: bool,
}

impl Detail {
    /// A run that is about to be read.
    pub fn new(row: RunRow, read_at: i64, on: RunPart) -> Self {
        let part = match on {
            RunPart::Part(part) => part,
            RunPart::Json => 0,
        };
        let json = on == RunPart::Json;
        Self {
            doc_ref: row.doc_ref.clone(),
            row: (row, read_at),
            document: Remote::default(),
            counts: Remote::default(),
            history: Remote::default(),
            calibration: None,
            own_changes: Remote::default(),
            suites: Remote::default(),
            looked: false,
            part,
            tops: [0; PARTS.len()],
            last_tops: [0; PARTS.len()],
            height: 1,
            json: JsonView {
                open: json,
                alone: json,
                ..JsonView::default()
            },
        }
    }

    /// Reads the document.
    pub fn read_document(&mut self, cx: &mut Cx) {
        cx.get_document(Slot::Document, &self.doc_ref, &mut self.document);
    }

    /// Asks the list for the counts of this run, if it is known by an id.
    pub fn read_counts(&mut self, cx: &mut Cx) {
        if let Some(run) = self.id() {
            self.counts.ask();
            cx.find_run(Slot::Counts, &run);
        }
    }

    /// Asks what its samples tell.
    pub fn read_history(&mut self, cx: &mut Cx) {
        self.history.ask();
        let run = self.doc_ref.clone();
        cx.request(Slot::History, |id| {
            Effect::Samples(SampleRequest::History { id, run })
        });
    }

    /// Asks what was changed from here.
    pub fn read_own_changes(&mut self, cx: &mut Cx) {
        self.own_changes.ask();
        let run = self.doc_ref.clone();
        cx.request(Slot::OwnChanges, |id| Effect::ReadOwnChanges { id, run });
    }

    /// Works the suites out, unless they cannot be listed.
    fn look_for_suites(&mut self, cx: &mut Cx) {
        self.looked = true;
        if self.status() == Status::Inactive {
            return;
        }
        self.suites.ask();
        let run = self.doc_ref.clone();
        cx.request(Slot::RunSuites, |id| Effect::SurveyWithin {
            id,
            run,
            calls: MOST_CALLS,
        });
    }

    /// Its suites where all of them are known, and since when.
    pub fn all_suites(&self) -> Option<(&Attached, i64)> {
        let suites = self
            .suites
            .value()
            .filter(|it| it.is_complete() && self.looked)?;
        Some((&**suites, self.suites.read_at()?))
    }

    /// What was worked out holds no more.
    fn forget_suites(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RunSuites);
        (self.suites, self.looked) = (Remote::default(), false);
    }

    /// The run is not looked at any more: its suites are not worked out.
    fn leave_suites(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RestPause);
        cx.give_up(&Slot::RunSuites);
        self.suites.cancel();
        self.looked = self.suites.value().is_some();
    }

    /// Suites are worked out again where the count says that they are others by now.
    fn compare_suites(&mut self) {
        let count = self.counted().0.suite_count;
        let known = self.suites.value().and_then(|attached| attached.count);
        if let (Some(count), Some(known)) = (count, known)
            && u64::try_from(count) != Ok(known)
        {
            self.looked = false;
        }
    }

    /// Its status, as read last.
    pub fn status(&self) -> Status {
        match self.document.value() {
            Some(opened) => Status::from_text(STATUS.text(&opened.document).as_deref()),
            None => self.row.0.status.clone(),
        }
    }

    /// Nobody waits for its document and counts any more; whether somebody did.
    fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.document.cancel();
        self.counts.cancel();
        self.suites.cancel();
        cx.give_up_all(|slot| matches!(slot, Slot::Document | Slot::Counts | Slot::RunSuites))
    }

    /// Another run takes its place.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.cancel(cx);
        cx.give_up_of(Layer::Detail);
        cx.give_up(&Slot::Undo(Layer::Detail));
    }

    /// Reads the document again where that failed.
    pub fn read_failed(&mut self, cx: &mut Cx) {
        if self.document.failure().is_some() {
            self.read_document(cx);
        }
    }

    /// The newest row with counts, and when it was read.
    pub fn counted(&self) -> (&RunRow, i64) {
        match (self.counts.value(), self.counts.read_at()) {
            (Some(Some(row)), Some(at)) => (row, at),
            _ => (&self.row.0, self.row.1),
        }
    }

    /// The run as its document says it is, with the counts that were read for it.
    fn known(&self) -> RunRow {
        let run = match self.document.value() {
            Some(opened) => RunRow::from_document(&opened.document),
            None => self.row.0.clone(),
        };
        let counts = self.counted().0.clone().with_counts_of(&run);
        RunRow {
            suite_count: counts.suite_count,
            progress: counts.progress,
            results: counts.results,
            cases_with_tester: counts.cases_with_tester,
            testers: counts.testers,
            ..run
        }
    }

    /// Short id of the run.
    pub fn id(&self) -> Option<String> {
        self.text(&ID)
    }

    /// Title of the run.
    pub fn title(&self) -> Option<String> {
        self.text(&TITLE)
    }

    /// Text of a field: of the document, else of the row.
    fn text(&self, field: &Field) -> Option<String> {
        let opened = self.document.value();
        opened
            .and_then(|opened| field.text(&opened.document))
            .or_else(|| field.text_of(&self.row.0).map(str::to_owned))
    }

    /// What can be said about its end, as far as that is known by now.
    fn outlook(&self) -> Option<&Outlook> {
        self.history.value().map(|history| &history.outlook)
    }

    /// There is something to forecast from: otherwise that part is not there.
    pub fn has_forecast(&self) -> bool {
        match self.outlook() {
            Some(Outlook::Refused(why)) => !why.is_nothing_yet(),
            outlook => outlook.is_some(),
        }
    }

    /// Why there is no forecast, as far as that is known by now.
    pub fn no_forecast(&self) -> Option<String> {
        let why = match self.outlook() {
            Some(Outlook::Refused(why)) => why.to_string(),
            Some(_) => return None,
            None => self.history.failure()?.came_back.clone(),
        };
        Some(format!("No forecast: {why}"))
    }

    /// Scrolls the part that has the focus.
    pub fn go(&mut self, motion: Motion) {
        // The first line moves as a cursor does over those that can be the first.
        let mut lines = Scroll {
            cursor: self.tops[self.part].into(),
            top: 0,
            height: self.height.max(1).into(),
        };
        lines.go(motion, u64::from(self.last_tops[self.part]) + 1);
        self.tops[self.part] = lines.cursor as u16;
    }

    /// Gives the focus to the next or the previous part.
    pub fn turn(&mut self, forward: bool) {
        let step = if forward { 1 } else { PARTS.len() - 1 };
        self.part = (self.part + step) % PARTS.len();
        if self.part == FORECAST && !self.has_forecast() {
            self.turn(forward);
        }
    }

    /// Number of lines of the JSON that is here.
    pub fn json_len(&self) -> u64 {
        self.document
            .value()
            .map_or(0, |opened| opened.json.len() as u64)
    }

    /// Goes to the next line of the JSON (or the previous one) that holds the searched text, from the cursor on and
    /// around the end. Says whether there is one.
    pub fn find(&mut self, forward: bool, from_here: bool) -> bool {
        let needle = self.json.search.text().to_lowercase();
        let Some(opened) = self.document.value() else {
            return false;
        };
        let len = opened.json.len();
        if needle.is_empty() || len == 0 {
            return false;
        }
        let start = (self.json.scroll.cursor as usize).min(len - 1);
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
            self.json.scroll.cursor = line as u64;
            self.json.scroll.fit(len as u64);
            self.json.left = match self.json.width {
                width if end < width => 0,
                width => end - width / 2,
            };
        }
        hit.is_some()
    }

    /// The lines of the JSON on the screen.
    fn json_lines(&self) -> &[String] {
        let lines = self.document.value().map_or(&[][..], |it| &it.json);
        let seen = self.json.scroll.visible(self.json.scroll.height as u16);
        let end = seen.end.min(lines.len());
        &lines[seen.start.min(end)..end]
    }

    /// One of these lines goes on behind the last column.
    fn json_goes_on(&self) -> bool {
        let seen = self.json.left + self.json.width;
        self.json_lines()
            .iter()
            .any(|line| text::width(&text::fit(line, seen + 1)) > seen)
    }

    /// Half a screen to the right, as far as a line goes on there, or back to the left.
    fn scroll_sideways(&mut self, right: bool) {
        let step = (self.json.width / 2).max(1);
        self.json.left = match right {
            true if self.json_goes_on() => self.json.left + step,
            true => self.json.left,
            false => self.json.left.saturating_sub(step),
        };
    }
}
