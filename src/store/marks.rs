//! Marked runs: by document reference, so that they stay whatever happens to the list.

use std::collections::HashMap;
use std::ops::RangeInclusive;

use super::message::Motion;
use super::runs::{InForce, Runs};
use crate::domain::{DocRef, RunRow};

/// Runs that can be marked at once: each is kept with its row.
pub const MOST_MARKS: usize = 1_000;

impl Runs {
    /// Marks the run under the cursor or takes its mark away, and goes on to the next. Says why not, where it cannot.
    pub fn toggle_mark(&mut self) -> Result<(), String> {
        let Some(row) = self.current().cloned() else {
            return Err(if self.is_empty() {
                "there is no run here yet"
            } else {
                "this row is not here yet"
            }
            .into());
        };
        if self.marks.len() >= MOST_MARKS && !self.marks.has(&row.doc_ref) {
            return Err(full());
        }
        self.marks.toggle(&row);
        self.go(Motion::Down);
        Ok(())
    }

    /// The first time: a range begins at the run under the cursor. The second time: all loaded rows from there to here
    /// are marked. Says what was done.
    pub fn mark_range(&mut self) -> String {
        let here = self.current().map(|row| row.doc_ref.clone());
        let Some(begun) = self.marks.range(here.as_ref()) else {
            let words = match self.marks.anchor {
                Some(_) => "range: move, then v again marks all between",
                None => "this row is not here yet",
            };
            return words.into();
        };
        let Some(places) = self.range_from(&begun) else {
            return "the row where the range began is not in this list any more: nothing was marked".into();
        };
        let wanted = places.end() - places.start() + 1;
        self.mark(&places, wanted)
    }

    /// Marks all loaded rows of the filter in force. Says what was done.
    pub fn mark_all(&mut self) -> String {
        self.marks.anchor = None;
        let wanted = match self.in_force() {
            // Of the rows that are not loaded nobody knows whether they match.
            InForce::Local => {
                let window = self.window();
                let outside = window
                    .full_size()
                    .unwrap_or(0)
                    .saturating_sub(window.loaded() as u64);
                self.len().unwrap_or(0) + outside
            }
            InForce::Service | InForce::Nothing => self.len().unwrap_or(0),
        };
        self.mark(&(0..=u64::MAX), wanted)
    }

    /// The marked runs, each as it was read last.
    pub fn marked(&self) -> Vec<RunRow> {
        let loaded = self
            .loaded_rows()
            .filter(|(_, row)| self.marks.has(&row.doc_ref));
        let loaded: HashMap<&DocRef, &RunRow> =
            loaded.map(|(_, row)| (&row.doc_ref, row)).collect();
        let newest = |kept: &RunRow| match loaded.get(&kept.doc_ref) {
            Some(row) => (*row).clone().with_counts_of(kept),
            None => kept.clone(),
        };
        self.marks.rows().iter().map(newest).collect()
    }

    /// The places from a run to the cursor, if the run is in the list and loaded.
    pub fn range_from(&self, begun: &DocRef) -> Option<RangeInclusive<u64>> {
        let place = self.loaded_rows().find(|(_, row)| row.doc_ref == *begun)?.0;
        Some(self.scroll().span(place))
    }

    /// The loaded rows of the list on the screen, with their places in it.
    fn loaded_rows(&self) -> Box<dyn Iterator<Item = (u64, &RunRow)> + '_> {
        match (self.in_force(), &self.matches) {
            (InForce::Local, Some(matches)) => {
                let rows = matches.places.iter().zip(0..);
                Box::new(rows.filter_map(|(place, index)| Some((index, self.all.row(*place)?))))
            }
            _ => Box::new(self.window().rows()),
        }
    }

    fn mark(&mut self, places: &RangeInclusive<u64>, wanted: u64) -> String {
        let rows = self
            .loaded_rows()
            .filter(|(place, _)| places.contains(place));
        let rows: Vec<RunRow> = rows.map(|(_, row)| row.clone()).collect();
        let loaded = rows.len();
        let mut marked = 0;
        for row in rows {
            if self.marks.has(&row.doc_ref) || self.marks.len() < MOST_MARKS {
                self.marks.add(&row);
                marked += 1;
            }
        }
        let others = wanted.saturating_sub(loaded as u64);
        let done = match (marked, others) {
            (1, 0) => "1 row marked".to_owned(),
            (_, 0) => format!("{marked} rows marked"),
            (1, _) => format!("1 loaded row marked, {others} others are not loaded"),
            _ => format!("{marked} loaded rows marked, {others} others are not loaded"),
        };
        if marked < loaded {
            format!("{done}; {}", full())
        } else {
            done
        }
    }
}

fn full() -> String {
    format!("no more than {MOST_MARKS} runs can be marked at once")
}
