//! The rows of a list that are here, page by page: without overlaps, each page with the reading it belongs to.

use std::collections::BTreeMap;

use crate::domain::{DocRef, RunRow};

/// Rows by their places in the list of the service.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chunks {
    by_offset: BTreeMap<u64, Chunk>,
    arrivals: u64,
}

#[derive(Clone, Debug, PartialEq)]
struct Chunk {
    rows: Vec<RunRow>,
    /// The reading that the rows belong to; a later one makes them old.
    epoch: u64,
    /// Larger for pages that came later.
    arrival: u64,
}

impl Chunks {
    /// Number of rows.
    pub fn loaded(&self) -> usize {
        self.by_offset.values().map(|chunk| chunk.rows.len()).sum()
    }

    /// The rows with their places.
    pub fn rows(&self) -> impl Iterator<Item = (u64, &RunRow)> {
        self.by_offset
            .iter()
            .flat_map(|(offset, chunk)| (*offset..).zip(&chunk.rows))
    }

    /// Whether all rows of a list of `size` are here and of this reading.
    pub fn are_all(&self, size: u64, epoch: u64) -> bool {
        let mut next = 0;
        for (offset, chunk) in &self.by_offset {
            if *offset != next || chunk.epoch < epoch {
                return false;
            }
            next += chunk.rows.len() as u64;
        }
        next == size
    }

    /// The row at a place, with its reading.
    pub fn at(&self, index: u64) -> Option<(&RunRow, u64)> {
        let (offset, chunk) = self.by_offset.range(..=index).next_back()?;
        Some((chunk.rows.get((index - offset) as usize)?, chunk.epoch))
    }

    /// Where a run is, by the page that came last and has it.
    pub fn find(&self, doc_ref: &DocRef) -> Option<u64> {
        self.by_offset
            .iter()
            .filter_map(|(offset, chunk)| {
                let row = chunk.rows.iter().position(|row| row.doc_ref == *doc_ref)?;
                Some((chunk.arrival, offset + row as u64))
            })
            .max()
            .map(|(_, place)| place)
    }

    /// Puts rows in their place; of older rows there only those before and behind them stay. Rows that were overtaken
    /// by newer ones are left out.
    pub fn put(&mut self, offset: u64, rows: Vec<RunRow>, epoch: u64) {
        let end = offset + rows.len() as u64;
        let reaches = |(start, chunk): (&u64, &Chunk)| *start + chunk.rows.len() as u64 > offset;
        let overlapping: Vec<u64> = self
            .by_offset
            .range(..end)
            .filter(|place| reaches(*place))
            .map(|place| *place.0)
            .collect();
        if rows.is_empty()
            || overlapping
                .iter()
                .any(|start| self.by_offset[start].epoch > epoch)
        {
            return;
        }
        for start in overlapping {
            let Some(mut old) = self.by_offset.remove(&start) else {
                continue;
            };
            if start + old.rows.len() as u64 > end {
                let behind = old.rows.split_off((end - start) as usize);
                self.by_offset.insert(
                    end,
                    Chunk {
                        rows: behind,
                        ..old
                    },
                );
            }
            if start < offset {
                old.rows.truncate((offset - start) as usize);
                self.by_offset.insert(start, old);
            }
        }
        self.arrivals += 1;
        self.by_offset.insert(
            offset,
            Chunk {
                rows,
                epoch,
                arrival: self.arrivals,
            },
        );
    }

    /// Takes over what was read of a run by itself.
    pub fn renew(&mut self, row: &RunRow) {
        for known in self
            .by_offset
            .values_mut()
            .flat_map(|chunk| &mut chunk.rows)
        {
            if known.doc_ref == row.doc_ref {
                *known = row.clone().with_counts_of(known);
            }
        }
    }

    /// The list ends here: rows behind the end go.
    pub fn end_at(&mut self, size: u64) {
        self.by_offset.retain(|offset, chunk| {
            chunk.rows.truncate(size.saturating_sub(*offset) as usize);
            *offset < size
        });
    }

    /// Drops the pages farthest from the cursor until no more than `kept` rows are left, or none that lies outside of
    /// `near` as a whole.
    pub fn evict(&mut self, cursor: u64, kept: usize, near: (u64, u64)) {
        let mut loaded = self.loaded();
        while loaded > kept {
            let ends = [
                self.by_offset.first_key_value(),
                self.by_offset.last_key_value(),
            ];
            let Some(far) = ends
                .into_iter()
                .flatten()
                .filter(|(start, chunk)| {
                    **start >= near.1 || **start + chunk.rows.len() as u64 <= near.0
                })
                .max_by_key(|(start, _)| cursor.abs_diff(**start))
                .map(|(start, _)| *start)
            else {
                return;
            };
            loaded -= self
                .by_offset
                .remove(&far)
                .map_or(0, |chunk| chunk.rows.len());
        }
    }
}
