//! What answers do to the window: rows are taken, limits learned, the cursor follows its run.

use super::{AHEAD, Accepted, Asked, Window};
use crate::domain::{Failure, FailureKind, Page, RunsPage};

/// Rows kept, at least, unless they are large.
const KEPT: usize = 2_000;
/// Bytes in which rows are large: the service may make their texts long.
const LARGE: usize = 16 << 20;

impl Window {
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
                    kind: FailureKind::Odd,
                    asked: format!("runs from {} on", asked.page.offset + 1),
                    came_back: format!("an empty page, although fullSize is {}", page.full_size),
                    remedy: "r reads again".into(),
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
        let Some(pinned) = &self.pinned else {
            return self.pin();
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
