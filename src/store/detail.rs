//! One run: its document, its counts, its JSON.

use super::cx::Cx;
use super::effect::Effect;
use super::event::Opened;
use super::in_flight::Slot;
use super::input::Input;
use super::list::Scroll;
use super::message::{Action, CopyWhat, Motion};
use super::remote::Remote;
use super::{Screen, Store};
use crate::domain::fields::{ID, TITLE};
use crate::domain::{DocRef, Failure, Filter, Page, RunRow, RunsOperation, RunsPage, Sums, text};
use crate::forecast::Outlook;

/// Parts of the detail screen.
pub const PARTS: [&str; 5] = ["Fields", "Results", "Attachments", "Suites", "Burn-up"];

/// State of the detail screen.
#[derive(Clone, Debug, PartialEq)]
pub struct Detail {
    /// The run.
    pub doc_ref: DocRef,
    /// What the list knows of the run, and when it was read: shown until the document is here.
    pub row: Option<(RunRow, i64)>,
    /// The document (`GET_DOCUMENT`).
    pub document: Remote<Box<Opened>>,
    /// The row with counts, read for this run alone (`LIST_TEST_RUNS`).
    pub counts: Remote<Option<RunRow>>,
    /// What the samples of the run tell.
    pub history: Remote<Box<History>>,
    /// The part that has the focus.
    pub part: usize,
    /// First line shown of each part.
    pub tops: [u16; PARTS.len()],
    /// Last possible first line of each part, as laid out last.
    pub last_tops: [u16; PARTS.len()],
    /// Lines of a part on the screen.
    pub height: u16,
    pub json: JsonView,
    /// Its JSON is copied once it is here.
    pub(super) copies: bool,
}

/// The JSON of the document, with a search in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct JsonView {
    /// Cursor line and first line.
    pub scroll: Scroll,
    /// Words looked for.
    pub search: Input,
    /// The search box has the focus.
    pub typing: bool,
    /// No line holds the words.
    pub missing: bool,
}

impl Detail {
    /// A run that is about to be read.
    pub fn new(doc_ref: DocRef, row: Option<(RunRow, i64)>) -> Self {
        Self {
            doc_ref,
            row,
            document: Remote::default(),
            counts: Remote::default(),
            history: Remote::default(),
            part: 0,
            tops: [0; PARTS.len()],
            last_tops: [0; PARTS.len()],
            height: 1,
            json: JsonView::default(),
            copies: false,
        }
    }

    /// Reads the document.
    pub fn read(&mut self, cx: &mut Cx) {
        self.document.ask();
        let doc_ref = self.doc_ref.clone();
        cx.request(Slot::Document, |id| Effect::GetDocument { id, doc_ref });
    }

    /// Asks the list for the counts of this run, if it is known by an id.
    pub fn read_counts(&mut self, cx: &mut Cx) {
        let Some(run) = self.id() else {
            return;
        };
        self.counts.ask();
        cx.request(Slot::Counts, |id| Effect::ListRuns {
            id,
            page: Page::BY_ID,
            sort: Vec::new(),
            filter: Filter::by_id(&run),
        });
    }

    /// Asks what its samples tell.
    pub fn read_history(&mut self, cx: &mut Cx) {
        self.history.ask();
        let run = self.doc_ref.clone();
        cx.request(Slot::History, |id| Effect::ReadHistory { id, run });
    }

    /// Nobody waits for its document and counts any more; whether somebody did.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.document.cancel();
        self.counts.cancel();
        cx.give_up_all(|slot| matches!(slot, Slot::Document | Slot::Counts))
    }

    /// The newest row with counts, and when it was read.
    pub fn counted(&self) -> Option<(&RunRow, i64)> {
        match (self.counts.value(), self.counts.read_at()) {
            (Some(Some(row)), Some(at)) => Some((row, at)),
            _ => self.row.as_ref().map(|(row, at)| (row, *at)),
        }
    }

    /// Short id of the run.
    pub fn id(&self) -> Option<String> {
        let opened = self
            .document
            .value()
            .and_then(|opened| opened.document.text(ID.path));
        opened.or_else(|| self.row.as_ref().and_then(|(row, _)| row.id.clone()))
    }

    /// Title of the run.
    pub fn title(&self) -> Option<String> {
        let opened = self
            .document
            .value()
            .and_then(|opened| opened.document.text(TITLE.path));
        opened.or_else(|| self.row.as_ref().and_then(|(row, _)| row.title.clone()))
    }

    /// Scrolls the part that has the focus.
    pub fn go(&mut self, motion: Motion) {
        let page = self.height.max(1);
        let top = self.tops[self.part];
        let last = self.last_tops[self.part];
        let to = match motion {
            Motion::Up => top.saturating_sub(1),
            Motion::Down => top.saturating_add(1),
            Motion::HalfPageUp => top.saturating_sub(page / 2),
            Motion::HalfPageDown => top.saturating_add(page / 2),
            Motion::PageUp => top.saturating_sub(page),
            Motion::PageDown => top.saturating_add(page),
            Motion::First => 0,
            Motion::Last => last,
        };
        self.tops[self.part] = to.min(last);
    }

    /// Gives the focus to the next or the previous part.
    pub fn turn(&mut self, forward: bool) {
        self.part = (self.part + if forward { 1 } else { PARTS.len() - 1 }) % PARTS.len();
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
        let line = steps.map(|step| {
            if forward {
                (start + step) % len
            } else {
                (start + len - step % len) % len
            }
        });
        let hit = line
            .into_iter()
            .find(|line| opened.json[*line].to_lowercase().contains(&needle));
        if let Some(line) = hit {
            self.json.scroll.cursor = line as u64;
            self.json.scroll.fit(len as u64);
        }
        hit.is_some()
    }
}

/// Trend, burn-up and forecast of a run, worked out from its samples off the drawing thread.
#[derive(Clone, Debug, PartialEq)]
pub struct History {
    /// Number of samples.
    pub samples: usize,
    /// When the first column of the burn-up begins, epoch milliseconds.
    pub from: i64,
    /// When its last one ends: when it was worked out.
    pub to: i64,
    /// The burn-up, in columns of equal time; `None` where nobody looked.
    pub points: Vec<Option<Sums>>,
    /// Cases that passed in each of the last 24 hours, the oldest first; `None` where nobody looked.
    pub trend: Vec<Option<f64>>,
    /// The last counts that were told.
    pub state: Option<Sums>,
    /// When the run will be done.
    pub outlook: Outlook,
}

impl Store {
    pub(super) fn act_search(&mut self, action: Action) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let changed = match action {
            Action::Type(key) => detail.json.search.key(key),
            Action::Paste(text) => detail.json.search.paste(&text),
            Action::Open | Action::Back => {
                detail.json.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            detail.json.missing = !detail.find(true, true) && !detail.json.search.text().is_empty();
        }
    }

    pub(super) fn reread_failed_detail(&mut self) {
        if let Some(detail) = &mut self.detail
            && detail.document.failure().is_some()
        {
            detail.read(&mut self.cx);
        }
    }

    pub(super) fn counts_came(&mut self, result: Result<RunsPage, Failure>) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let wanted = detail.doc_ref.clone();
        let result = result.map(|page| page.rows.into_iter().find(|row| row.doc_ref == wanted));
        let (failure, row) = (
            result.as_ref().err().cloned(),
            result.as_ref().ok().cloned().flatten(),
        );
        detail.counts.accept(result, self.cx.now);
        if let Some(failure) = failure {
            self.cx.failed(failure);
        }
        if let Some(row) = row {
            self.saw_run(&row);
        }
        self.reread_history();
    }

    pub(super) fn document_came(&mut self, result: Result<Box<Opened>, Failure>) {
        let Some(detail) = &mut self.detail else {
            return;
        };
        let failure = result.as_ref().err().cloned();
        detail.document.accept(result, self.cx.now);
        detail.json.scroll.fit(detail.json_len());
        let copies = std::mem::take(&mut detail.copies);
        if let Some(failure) = failure {
            self.cx.failed(failure);
        } else if copies {
            self.copy_json();
        }
    }

    /// Opens a run of which this was read at a time.
    pub(super) fn open_run(&mut self, row: RunRow, read_at: i64) {
        self.cx.shared.feed.looked_at(&row.doc_ref);
        self.leave_detail();
        let counted =
            row.results.is_some() || self.runs.operation == Some(RunsOperation::ListDocuments);
        let mut detail = Detail::new(row.doc_ref.clone(), Some((row, read_at)));
        detail.read(&mut self.cx);
        if !counted {
            detail.read_counts(&mut self.cx);
        }
        detail.read_history(&mut self.cx);
        self.detail = Some(detail);
    }

    pub(super) fn leave_detail(&mut self) {
        if let Some(detail) = &mut self.detail {
            detail.cancel(&mut self.cx);
            self.cx.give_up(&Slot::History);
        }
    }

    pub(super) fn act_detail(&mut self, action: Action) {
        let Some(detail) = &mut self.detail else {
            return self.stack.home();
        };
        match action {
            Action::Move(motion) => detail.go(motion),
            Action::NextPart => detail.turn(true),
            Action::PreviousPart => detail.turn(false),
            Action::Part(part) if part < PARTS.len() => detail.part = part,
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

    pub(super) fn act_json(&mut self, action: Action) {
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
}
