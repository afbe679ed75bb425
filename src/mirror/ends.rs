//! Expected ends of the open runs with a due date, by their samples.

use super::Mirror;
use super::prelude::*;

/// Age at which an estimate is made anew, in milliseconds.
const STALE: i64 = 60_000;
/// Change of an end that is no news, in milliseconds, unless it crosses the due date: expected ends move with each minute
/// in which nothing happens.
const STILL: u64 = 300_000;
/// Maximum number of estimates at once, so that no question of a screen waits for them.
const AT_ONCE: usize = 8;

/// Expected ends, epoch milliseconds.
#[derive(Debug, Default)]
pub(super) struct ExpectedEnds {
    pub ends: Arc<HashMap<DocRef, i64>>,
    /// Times of the estimates, epoch milliseconds.
    made: HashMap<DocRef, i64>,
}

impl Mirror {
    /// Estimates the ends of some runs with a due date whose estimate is missing or stale at `now` (epoch
    /// milliseconds); `end` returns that of the samples since a time. Returns `true` if others are left, or
    /// runs have changed.
    pub fn expect_ends(
        &mut self,
        now: i64,
        since: i64,
        end: impl Fn(&[Sample]) -> Option<i64>,
    ) -> Done<bool> {
        let Some(history) = &self.history else {
            return Ok(false);
        };
        let made = &self.ends.made;
        let is_stale = |(run, _): &&(DocRef, i64)| {
            made.get(run)
                .is_none_or(|at| !(0..STALE).contains(&(now - at)))
        };
        let mut stale: Vec<&(DocRef, i64)> = self.overview.due.iter().filter(is_stale).collect();
        stale.sort_by_cached_key(|(run, _)| made.get(run));
        let are_left = stale.len() > AT_ONCE;
        let runs: Vec<(DocRef, i64)> = stale.into_iter().take(AT_ONCE).cloned().collect();
        let mut is_news = false;
        for (run, due) in runs {
            let end = end(&history.counts().of(&run, since)?);
            let known = self.ends.ends.get(&run).copied();
            let is_still = |(end, known): (i64, i64)| {
                end.abs_diff(known) < STILL && (end > due) == (known > due)
            };
            if end != known && !end.zip(known).is_some_and(is_still) {
                let ends = Arc::make_mut(&mut self.ends.ends);
                match end {
                    Some(at) => ends.insert(run.clone(), at),
                    None => ends.remove(&run),
                };
                is_news = true;
            }
            self.ends.made.insert(run, now);
        }
        if is_news {
            self.touched();
        }
        Ok(are_left || self.is_changed)
    }
}
