//! One run: its document, its counts, its JSON.

mod json;
pub mod keys;
mod view;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Field, Screen};
use crate::domain::fields::{ID, TITLE};
use crate::domain::{DocRef, Failure, Filter, Page, RunRow, RunsPage, text};
use crate::forecast::History;
use crate::store::cx::Cx;
use crate::store::effect::Effect;
use crate::store::event::{Event, Opened};
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, CopyWhat, Fact, Motion, Open, RunPart, Watched};
use crate::store::remote::{Reading, Remote};
use crate::store::shared::Shared;
use crate::ui::layout::Layout;
use crate::ui::list::Scroll;
use crate::ui::text_input::Input;
use crate::ui::{Context, text as cells};

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
    copies: bool,
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
    /// Words looked for.
    pub search: Input,
    /// The search box has the focus.
    pub typing: bool,
    /// No line holds the words.
    pub missing: bool,
}

impl Detail {
    /// A run that is about to be read.
    pub fn new(row: RunRow, read_at: i64, on: RunPart) -> Self {
        let part = match on {
            RunPart::Part(part) => part,
            RunPart::Json | RunPart::Copied => 0,
        };
        let json = on == RunPart::Json;
        Self {
            doc_ref: row.doc_ref.clone(),
            row: Some((row, read_at)),
            document: Remote::default(),
            counts: Remote::default(),
            history: Remote::default(),
            part,
            tops: [0; PARTS.len()],
            last_tops: [0; PARTS.len()],
            height: 1,
            json: JsonView {
                open: json,
                alone: json,
                ..JsonView::default()
            },
            copies: on == RunPart::Copied,
        }
    }

    /// Reads the document.
    pub fn read_document(&mut self, cx: &mut Cx) {
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
    fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.document.cancel();
        self.counts.cancel();
        cx.give_up_all(|slot| matches!(slot, Slot::Document | Slot::Counts))
    }

    /// Another run takes its place.
    pub fn leave(&mut self, cx: &mut Cx) {
        self.cancel(cx);
        cx.give_up(&Slot::History);
    }

    /// Reads the document again where that failed.
    pub fn read_failed(&mut self, cx: &mut Cx) {
        if self.document.failure().is_some() {
            self.read_document(cx);
        }
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

impl Detail {
    fn document_came(&mut self, result: Result<Box<Opened>, Failure>, cx: &mut Cx) {
        let failure = result.as_ref().err().cloned();
        self.document.accept(result, cx.now);
        self.json.scroll.fit(self.json_len());
        let copies = std::mem::take(&mut self.copies);
        if let Some(failure) = failure {
            cx.failed(failure);
        } else if copies {
            self.copy_json(cx);
        }
    }

    fn counts_came(&mut self, result: Result<RunsPage, Failure>, cx: &mut Cx) {
        let result = result.map(|page| page.row_of(&self.doc_ref).cloned());
        match &result {
            Ok(Some(row)) => cx.saw_run(row),
            Ok(None) => {}
            Err(failure) => cx.failed(failure.clone()),
        }
        self.counts.accept(result, cx.now);
        self.read_history(cx);
    }

    fn copy_json(&self, cx: &mut Cx) {
        match self.document.value() {
            Some(opened) => {
                let name = self.id().unwrap_or_else(|| self.doc_ref.to_string());
                cx.effect(Effect::Copy {
                    what: format!("the JSON of {name}"),
                    text: text::json(&opened.json.join("\n")).into_owned(),
                });
            }
            None => cx.say("the document is not here yet"),
        }
    }

    fn watch(&self, cx: &mut Cx) {
        let Some(row) = self.run() else {
            cx.say("there is no run here yet");
            return;
        };
        let known = cx.shared.feed.known(&row.doc_ref);
        let read_at = self.counted().map_or(cx.now, |(_, at)| at);
        let known = known.map_or((row, read_at), |(known, at)| (known.clone(), at));
        cx.open(Open::Monitor(Watched::Runs(vec![known])));
    }

    /// A key for the search in the JSON.
    fn update_search(&mut self, action: Action) {
        let changed = match action {
            Action::Type(key) => self.json.search.key(key),
            Action::Paste(text) => self.json.search.paste(&text),
            Action::Open | Action::Back => {
                self.json.typing = false;
                false
            }
            _ => false,
        };
        if changed {
            self.json.missing = !self.find(true, true) && !self.json.search.text().is_empty();
        }
    }

    fn update_json(&mut self, action: Action, cx: &mut Cx) {
        let len = self.json_len();
        match action {
            Action::Move(motion) => {
                self.json.scroll.go(motion, len);
            }
            Action::Point(row) => self.json.scroll.point(row, len),
            Action::Filter => self.json.typing = true,
            Action::NextMatch | Action::PreviousMatch => {
                if !self.find(action == Action::NextMatch, false) {
                    cx.say("not found");
                }
            }
            Action::Back if !self.json.search.text().is_empty() => self.json.search.clear(),
            Action::Back | Action::Raw | Action::LastScreen => {
                if self.json.alone {
                    cx.back();
                }
                self.json.open = false;
            }
            Action::Copy(CopyWhat::Json) => self.copy_json(cx),
            other => cx.anywhere(other),
        }
    }
}

impl Screen for Detail {
    fn layer(&self, _shared: &Shared) -> Layer {
        match (self.json.open, self.json.typing) {
            (false, _) => Layer::Detail,
            (true, false) => Layer::Json,
            (true, true) => Layer::Typing,
        }
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            action if self.json.open && self.json.typing => self.update_search(action),
            action if self.json.open => self.update_json(action, cx),
            Action::Move(motion) => self.go(motion),
            Action::NextPart => self.turn(true),
            Action::PreviousPart => self.turn(false),
            Action::Part(part) if part < PARTS.len() => self.part = part,
            Action::Back | Action::LastScreen => cx.back(),
            Action::Monitor => self.watch(cx),
            Action::Raw => self.json.open = true,
            Action::Copy(CopyWhat::Json) => self.copy_json(cx),
            other => cx.anywhere(other),
        }
    }

    fn reply(&mut self, slot: Slot, event: Event, cx: &mut Cx) {
        match (slot, event) {
            (_, Event::Document { result, .. }) => self.document_came(result, cx),
            (_, Event::Runs { result, .. }) => self.counts_came(result, cx),
            // A failure stands where the chart would be.
            (_, Event::History { result, .. }) => self.history.accept(result, cx.now),
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        if *fact == Fact::Wrote(Some(self.doc_ref.clone())) {
            self.read_document(cx);
        }
    }

    fn closing(&mut self, _cx: &mut Cx) {
        (self.json.open, self.json.alone) = (false, false);
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.cancel(cx)
    }

    fn run(&self) -> Option<RunRow> {
        let run = match self.document.value() {
            Some(opened) => RunRow::from_document(&opened.document),
            None => self.row.as_ref()?.0.clone(),
        };
        Some(match self.counted() {
            Some((counted, _)) => run.with_counts_of(counted),
            None => run,
        })
    }

    /// What is being read is not asked for again: a held key must not keep the answer away.
    fn read(&mut self, cx: &mut Cx) {
        if !self.document.is_reading() {
            self.read_document(cx);
        }
        if !self.counts.is_reading() {
            self.read_counts(cx);
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

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let mut moved = false;
        if let Some(height) = layout.part {
            self.height = height;
        }
        let tops = self.tops.iter_mut().zip(&mut self.last_tops);
        for ((top, last), laid) in tops.zip(layout.last_tops) {
            let Some(laid) = laid else { continue };
            *last = laid;
            moved |= *top > laid;
            *top = (*top).min(laid);
        }
        if let Some(height) = layout.json {
            let len = self.json_len();
            moved |= self.json.scroll.set_height(height, len);
        }
        moved
    }

    fn draw(&self, context: Context<'_>, area: Rect, buffer: &mut Buffer, layout: &mut Layout) {
        if self.json.open {
            json::draw(context, self, area, buffer, layout);
        } else {
            view::draw(context, self, area, buffer, layout);
        }
    }

    fn title(&self, path: String, width: u16) -> String {
        let id = self.id().unwrap_or_else(|| self.doc_ref.to_string());
        let path = format!("{path} > {id} {}", self.title().unwrap_or_default());
        if self.json.open {
            return format!("{} > JSON", cells::fit(&path, usize::from(width) / 2));
        }
        path
    }

    fn status(&self, _context: Context<'_>) -> String {
        if self.json.open {
            return json::status(self);
        }
        let document = self.document.value().map(|opened| &opened.document);
        let modified = document.and_then(|document| document.meta("modifiedAt"));
        let modified = modified.map_or(String::new(), |at| format!("  modifiedAt {at}"));
        format!("{}{modified}", self.doc_ref)
    }

    fn field(&self, _context: Context<'_>) -> Option<Field<'_>> {
        let missing = if self.json.missing {
            "not found"
        } else {
            "         "
        };
        (self.json.open && self.json.typing).then(|| Field {
            sign: "search / ",
            input: &self.json.search,
            said: (missing.to_owned(), true),
        })
    }
}
