//! A window onto a list of runs that the service holds: pages are fetched ahead, a bounded number is kept.

use super::chunks::Chunks;
use crate::domain::{DocRef, Failure, FailureKind, Filter, Page, RunRow, RunsPage, Sort};
use crate::store::{Cx, Effect, Motion, Slot};
use crate::ui::Scroll;

/// Requests under way at once.
const IN_FLIGHT: usize = 4;
/// Pages fetched ahead in the direction of travel.
const AHEAD: u64 = 4;
/// Rows kept, at least, unless they are large.
const KEPT: usize = 2_000;
/// Bytes in which rows are large: the service may make their texts long.
const LARGE: usize = 16 << 20;

/// Pages of one query, the cursor in it and the requests under way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Sort orders of the query; emptied when the service refuses them.
    pub sort: Vec<Sort>,
    /// Filter of the query.
    pub filter: Filter,
    /// Cursor and first row on the screen.
    pub scroll: Scroll,
    /// Why the last request failed; nothing is asked until [`Window::retry`].
    pub failure: Option<Failure>,
    /// The service gave fewer entries than asked for: it limits the page to so many.
    pub clamped: Option<u32>,
    /// How often it was told so; once may be an odd page.
    clamps: u32,
    chunks: Chunks,
    size: Option<(u64, u64)>,
    epoch: u64,
    asked: Vec<Asked>,
    /// Entries asked for at a time: no more than `most`.
    page_size: u32,
    /// Entries that are wanted at a time.
    most: u32,
    forward: bool,
    held: Anchor,
    read_at: Option<i64>,
    /// The list was seen to change between two pages and begun anew, and not all that is wanted is here since: it is not
    /// begun anew again before, for where two replicas disagree there would be no end.
    moved: bool,
    /// The last request failed: one is sent to see whether the service is back.
    probing: bool,
    /// The sort order that the service has refused, until a read without it tells whether the order was the reason.
    refused: Option<Vec<Sort>>,
    /// The reading of which the last answer was the whole list.
    at_once: Option<u64>,
    /// It holds what a full-text search has found.
    found: bool,
}

/// What the cursor stays on when the list is read again.
#[derive(Clone, Debug, Default, PartialEq)]
enum Anchor {
    /// Nobody has pressed a key since the list was opened: the first row stays under it, whichever run it is.
    #[default]
    Not,
    /// The run that comes to its place.
    Unread,
    On(DocRef),
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Asked {
    page: Page,
    epoch: u64,
}

impl Asked {
    fn slot(self, found: bool) -> Slot {
        Slot::Page {
            found,
            page: self.page,
            epoch: self.epoch,
        }
    }
}

/// What became of an answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Accepted {
    /// Rows were taken, or the query was changed in a way that asks again.
    Taken,
    /// Rows were taken; the service gives them only without the sort order.
    Unsorted,
    /// The request failed.
    Failed(Failure),
}

impl Window {
    /// A window that has read nothing yet.
    pub fn new(sort: Vec<Sort>, filter: Filter, page_size: u32) -> Self {
        let page_size = page_size.max(1);
        Self {
            sort,
            filter,
            page_size,
            most: page_size,
            forward: true,
            ..Self::default()
        }
    }

    /// A window with another query. What was learned of the service's limit holds for it too; its readings are counted
    /// from `epoch` on, so that none is taken for one of another window.
    #[must_use]
    pub fn successor(&self, sort: Vec<Sort>, filter: Filter, epoch: u64) -> Self {
        let mut window = Self {
            page_size: self.page_size,
            clamped: self.clamped,
            clamps: self.clamps,
            epoch,
            ..Self::new(sort, filter, self.most)
        };
        window.scroll.height = self.scroll.height;
        window
    }

    /// The window onto what a full-text search finds in this list.
    #[must_use]
    pub fn search(&self, filter: Filter, epoch: u64) -> Self {
        Self {
            found: true,
            ..self.successor(self.sort.clone(), filter, epoch)
        }
    }

    /// Number of the reading that is under way or was the last.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// Total number of matches, as the service said last.
    pub fn full_size(&self) -> Option<u64> {
        self.size.map(|(size, _)| size)
    }

    /// Number of rows that are here.
    pub fn loaded(&self) -> usize {
        self.chunks.loaded()
    }

    /// When the newest page came, epoch milliseconds.
    pub fn read_at(&self) -> Option<i64> {
        self.read_at
    }

    /// Something is under way.
    pub fn busy(&self) -> bool {
        !self.asked.is_empty()
    }

    /// Which reading the list is of, if all of it is here and of the same one, and whether one answer brought it all.
    pub fn complete_reading(&self) -> Option<(u64, bool)> {
        let (size, epoch) = self.size?;
        let here = epoch >= self.epoch && self.chunks.are_all(size, self.epoch);
        here.then_some((self.epoch, self.at_once == Some(self.epoch)))
    }

    /// The row at a place of the list, if it is here.
    pub fn row(&self, index: u64) -> Option<&RunRow> {
        self.chunks.at(index).map(|(row, _)| row)
    }

    /// The rows that are here, with their places.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &RunRow)> {
        self.chunks.rows()
    }

    /// The row under the cursor, if it is here.
    pub fn current(&self) -> Option<&RunRow> {
        self.row(self.scroll.cursor)
    }

    /// Moves the cursor.
    pub fn go(&mut self, motion: Motion) {
        let before = self.scroll.cursor;
        match self.full_size() {
            Some(size) => self.scroll.go(motion, size),
            None => self.go_unseen(motion),
        }
        if self.scroll.cursor != before {
            self.forward = self.scroll.cursor > before;
            self.pin();
        }
    }

    /// Takes the number of rows on the screen; says whether anything has moved.
    pub fn set_height(&mut self, height: u16) -> bool {
        match self.full_size() {
            Some(size) => self.scroll.set_height(height, size),
            None => {
                self.scroll.height = u64::from(height.max(1));
                false
            }
        }
    }

    /// Moves the cursor before anything is here, so that a key pressed early counts; the first answer brings it into
    /// the list.
    fn go_unseen(&mut self, motion: Motion) {
        let mut ahead = Scroll {
            top: 0,
            ..self.scroll
        };
        ahead.go(motion, u64::MAX);
        self.scroll.cursor = ahead.cursor;
    }

    /// Puts the cursor on a row of the screen.
    pub fn point(&mut self, row: u16) {
        self.scroll.point(row, self.full_size().unwrap_or(0));
        self.pin();
    }

    /// Takes over what was read of a run by itself, so that its row is not behind what is told of it.
    pub fn renew(&mut self, row: &RunRow) {
        self.chunks.renew(row);
    }

    /// Puts the cursor on a run, if it is here.
    pub fn go_to(&mut self, doc_ref: &DocRef) {
        if let Some(index) = self.chunks.find(doc_ref) {
            self.scroll.carry(index, self.full_size().unwrap_or(0));
            self.pin();
        }
    }

    /// The rows behind those that are here are wanted.
    pub fn read_on(&mut self) {
        let missing = (0..self.full_size().unwrap_or(0)).find(|index| self.row(*index).is_none());
        if let (Some(missing), false) = (missing, self.busy()) {
            self.scroll.cursor = missing;
            self.scroll.fit(self.full_size().unwrap_or(0));
            self.forward = true;
            self.held = Anchor::Unread;
        }
    }

    /// What is here is old from now on and is read again, as far as it is wanted.
    pub fn refresh(&mut self) {
        self.epoch += 1;
        self.failure = None;
        self.moved = false;
        if self.clamps == 1 {
            self.page_size = self.most;
        }
    }

    /// Asks again after a failure.
    pub fn retry(&mut self) {
        self.failure = None;
    }

    /// Gives all requests up; whether there were any.
    pub fn cancel(&mut self, cx: &mut Cx) -> bool {
        self.asked.clear();
        cx.give_up_all(|slot| matches!(slot, Slot::Page { found, .. } if *found == self.found))
    }

    /// What the rows on the screen and those ahead of them need: requests to send and requests to give up.
    pub fn wants(&mut self, cx: &mut Cx) {
        if self.failure.is_some() {
            return;
        }
        let offsets = self.missing();
        self.moved &= !(offsets.is_empty() && self.asked.is_empty());
        let step = u64::from(self.page_size);
        let near = self.near(AHEAD + 2);
        let (epoch, found) = (self.epoch, self.found);
        self.asked.retain(|asked| {
            let wanted = asked.page.offset < near.1
                && asked.page.offset + u64::from(asked.page.limit) > near.0;
            if !wanted {
                cx.give_up(&asked.slot(found));
            }
            wanted
        });
        for offset in offsets {
            if self.asked.len() >= if self.probing { 1 } else { IN_FLIGHT } {
                break;
            }
            let under_way = |asked: &Asked| {
                asked.epoch == epoch
                    && asked.page.offset < offset + step
                    && offset < asked.page.offset + u64::from(asked.page.limit)
            };
            if self.asked.iter().any(under_way) {
                continue;
            }
            let page = Page {
                offset,
                limit: self.page_size,
            };
            let asked = Asked { page, epoch };
            self.asked.push(asked);
            cx.request(asked.slot(found), |id| Effect::ListRuns {
                id,
                page,
                sort: self.sort.clone(),
                filter: self.filter.clone(),
            });
        }
    }

    /// The places from so many pages before the screen to as many behind it, as a range.
    fn near(&self, pages: u64) -> (u64, u64) {
        let reach = pages * u64::from(self.page_size);
        (
            self.scroll.top.saturating_sub(reach),
            (self.scroll.top + self.scroll.height).saturating_add(reach),
        )
    }

    /// Offsets of the pages that are wanted and not here or old: first those on the screen, then those ahead, then
    /// the one behind.
    fn missing(&self) -> Vec<u64> {
        let step = u64::from(self.page_size);
        let top = self.scroll.top;
        let fresh_size = self.size.filter(|(_, epoch)| *epoch >= self.epoch);
        let Some((size, _)) = self.size else {
            return vec![top / step * step];
        };
        let bottom = top + self.scroll.height;
        let (ahead, behind) = if self.forward {
            (
                (bottom, bottom + AHEAD * step),
                (top.saturating_sub(step), top),
            )
        } else {
            (
                (top.saturating_sub(AHEAD * step), top),
                (bottom, bottom + step),
            )
        };
        let mut offsets = Vec::new();
        if fresh_size.is_none() {
            offsets.push(top.min(size.saturating_sub(1)) / step * step);
        }
        for (from, to) in [(top, bottom), ahead, behind] {
            let to = to.min(size);
            let mut index = from;
            let mut found = Vec::new();
            while index < to {
                match self.chunks.at(index) {
                    Some((_, epoch)) if epoch >= self.epoch => index += 1,
                    _ => {
                        let offset = index / step * step;
                        found.push(offset);
                        index = offset + step;
                    }
                }
            }
            if !self.forward && from < top {
                found.reverse();
            }
            offsets.extend(found);
        }
        offsets.dedup();
        offsets
    }

    /// Somebody has pressed a key.
    pub fn hold(&mut self) {
        if self.held == Anchor::Not {
            self.pin();
        }
    }

    /// The cursor stays on its run.
    pub fn is_held(&self) -> bool {
        self.held != Anchor::Not
    }

    /// Remembers the run under the cursor, so that the cursor can follow it.
    fn pin(&mut self) {
        let here = self.current().map(|row| row.doc_ref.clone());
        self.held = here.map_or(Anchor::Unread, Anchor::On);
    }

    /// Takes an answer; late and foreign ones change nothing.
    pub fn accept(
        &mut self,
        page: Page,
        epoch: u64,
        result: Result<RunsPage, Failure>,
        now: i64,
    ) -> Accepted {
        let asked = Asked { page, epoch };
        self.asked.retain(|open| *open != asked);
        match result {
            Ok(page) => self.take(asked, page, now),
            // What was asked for before the list was read anew is asked for again; only what it tells of the size of a
            // page still holds.
            Err(failure) if epoch < self.epoch && failure.kind != FailureKind::PageTooLarge => {
                Accepted::Taken
            }
            Err(failure) => self.fail(asked.page.limit, failure),
        }
    }

    fn take(&mut self, asked: Asked, page: RunsPage, now: i64) -> Accepted {
        self.probing = false;
        let unsorted = self.refused.take();
        let mut rows = page.rows;
        rows.truncate(asked.page.limit as usize);
        let got = rows.len() as u64;
        if got == 0 && asked.page.offset < page.full_size {
            return self.fail(
                asked.page.limit,
                Failure {
                    kind: FailureKind::Service,
                    asked: format!("runs from {} on", asked.page.offset + 1),
                    came_back: format!("an empty page, although there are {}", page.full_size),
                    remedy: "Read again.".into(),
                    may_retry: true,
                },
            );
        }
        if got < u64::from(asked.page.limit) && asked.page.offset + got < page.full_size {
            self.clamps += 1;
            self.page_size = self.page_size.min(got as u32);
            self.clamped = Some(self.page_size);
        } else if self.clamped.is_some_and(|clamped| got > u64::from(clamped)) {
            (self.clamped, self.clamps) = (None, 0);
        }
        let moved = asked.epoch == self.epoch
            && self
                .size
                .is_some_and(|(size, epoch)| epoch == self.epoch && size != page.full_size)
            && !self.moved;
        let mut epoch = asked.epoch;
        if moved {
            // The list has changed between two pages: what was read before is old.
            self.epoch += 1;
            self.moved = true;
            epoch = self.epoch;
        }
        if self.size.is_none_or(|(_, read)| read <= epoch) {
            self.size = Some((page.full_size, epoch));
        }
        self.at_once = (asked.page.offset == 0 && got == page.full_size).then_some(epoch);
        self.read_at = Some(now);
        self.chunks.put(asked.page.offset, rows, epoch);
        let size = self.full_size().unwrap_or(page.full_size);
        self.chunks.end_at(size);
        self.scroll.fit(size);
        self.follow();
        // What is wanted at once stays, however large the pages are: it would be asked for again without end.
        self.chunks
            .evict(self.scroll.cursor, self.room(), self.near(AHEAD + 1));
        if unsorted.is_some() {
            Accepted::Unsorted
        } else {
            Accepted::Taken
        }
    }

    /// Rows for which there is room, as large as they are.
    fn room(&self) -> usize {
        let bytes: usize = self.rows().map(|(_, row)| row.bytes()).sum();
        (LARGE * self.loaded())
            .checked_div(bytes)
            .map_or(KEPT, |rows| rows.min(KEPT))
    }

    fn fail(&mut self, limit: u32, failure: Failure) -> Accepted {
        if failure.kind == FailureKind::PageTooLarge && limit > 1 {
            // Several pages of one size may be refused at once.
            self.page_size = self.page_size.min(limit / 2).max(1);
            // A refusal leaves no doubt.
            (self.clamped, self.clamps) = (Some(self.page_size), self.clamps + 2);
            return Accepted::Taken;
        }
        if failure.kind == FailureKind::Refused && !self.sort.is_empty() && self.size.is_none() {
            self.refused = Some(std::mem::take(&mut self.sort));
            return Accepted::Taken;
        }
        if let Some(sort) = self.refused.take() {
            self.sort = sort;
        }
        self.probing = true;
        self.failure = Some(failure.clone());
        Accepted::Failed(failure)
    }

    /// After new rows: the cursor goes to the run it was on, if that run is here.
    fn follow(&mut self) {
        let here = self
            .chunks
            .at(self.scroll.cursor)
            .map(|(row, epoch)| (row.doc_ref.clone(), epoch));
        let pinned = match &self.held {
            Anchor::Not => return,
            Anchor::Unread => return self.pin(),
            Anchor::On(run) => run,
        };
        if here.as_ref().is_some_and(|(doc_ref, _)| doc_ref == pinned) {
            return;
        }
        if let Some(index) = self.chunks.find(pinned) {
            self.scroll.carry(index, self.full_size().unwrap_or(0));
        } else if here.is_some_and(|(_, epoch)| epoch >= self.epoch) && self.screen_is_fresh() {
            self.pin();
        }
    }

    fn screen_is_fresh(&self) -> bool {
        let bottom = (self.scroll.top + self.scroll.height).min(self.full_size().unwrap_or(0));
        (self.scroll.top..bottom).all(|index| {
            self.chunks
                .at(index)
                .is_some_and(|(_, epoch)| epoch >= self.epoch)
        })
    }
}
