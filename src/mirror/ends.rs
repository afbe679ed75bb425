//! Expected ends of the open runs with a due date, by their samples.

use std::collections::HashMap;
use std::sync::Arc;

use super::Mirror;
use crate::disk::database::Done;
use crate::domain::{DocRef, Sample};

/// Age at which an estimate is made anew, in milliseconds.
const STALE: i64 = 60_000;
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
        let is_stale = |run: &&DocRef| made.get(run).is_none_or(|at| now - at >= STALE);
        let mut stale = self.overview.due.iter().filter(is_stale);
        let runs: Vec<DocRef> = stale.by_ref().take(AT_ONCE).cloned().collect();
        let are_left = stale.next().is_some();
        let mut ends = HashMap::clone(&self.ends.ends);
        for run in runs {
            match end(&history.of(&run, since)?) {
                Some(at) => ends.insert(run.clone(), at),
                None => ends.remove(&run),
            };
            self.ends.made.insert(run, now);
        }
        if *self.ends.ends != ends {
            self.ends.ends = Arc::new(ends);
            self.touched();
        }
        Ok(are_left || self.is_changed)
    }
}
