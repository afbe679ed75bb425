//! Searches in the mirror: all runs found, in order.

use super::prelude::*;
use super::{Mirror, Presence, Run};
use crate::domain::Sort;
use crate::domain::fields::Field;

/// Number of runs below which full keys are compared.
const FEW: usize = 20;
/// Length of a common prefix, in bytes, above which full keys are compared.
const LONG: usize = 256;

/// Runs in the order of their addresses, for the prefetch of the memory.
pub(super) fn in_memory_order<'a>(
    runs: impl Iterator<Item = &'a Arc<Run>>,
) -> impl Iterator<Item = &'a Arc<Run>> {
    let mut runs: Vec<&Arc<Run>> = runs.collect();
    runs.sort_unstable_by_key(|run| Arc::as_ptr(run));
    runs.into_iter()
}

/// Result of a search.
#[derive(Clone, Debug, Default)]
pub struct FoundRuns {
    /// Found runs in order, without gone ones and those not seen in their lists.
    pub runs: Arc<[Arc<Run>]>,
    /// Number of runs for which the search cannot be decided.
    pub undecided: u64,
    /// Time of the oldest counts of the found open runs, epoch milliseconds.
    pub oldest: Option<i64>,
}

impl Mirror {
    /// Filters and sorts some runs; `with` gets each found row. Runs without a value to sort by come last; equal ones
    /// are sorted by their references.
    pub(super) fn found<'a>(
        &self,
        runs: impl Iterator<Item = &'a Arc<Run>>,
        orders: &[Sort],
        finds: impl Fn(&RunRow) -> Option<bool>,
        mut with: impl FnMut(&RunRow),
    ) -> FoundRuns {
        let field = |sort: &Sort| {
            let field = field_of(&sort.path).or_else(|| fields::named(&sort.path));
            Some((field?, sort.descending))
        };
        let orders: Vec<_> = orders.iter().filter_map(field).collect();
        let mut answer = FoundRuns::default();
        let (mut room, mut keys, mut found) = (None, Vec::new(), Vec::new());
        for run in runs {
            let row = room.get_or_insert_with(|| run.row());
            self.fill(run, row);
            match finds(row) {
                Some(true) => {}
                Some(false) => continue,
                None => {
                    answer.undecided += 1;
                    continue;
                }
            }
            if run.is_open && run.state == Presence::Here {
                let known = answer.oldest.into_iter().chain(run.counted_at);
                answer.oldest = known.min();
            }
            with(row);
            let begin = keys.len();
            for (field, descending) in &orders {
                // Beside open runs a closed one has nothing left.
                keys.push(u8::from(**field == fields::LEFT && row.is_closed()));
                add_key(
                    &mut keys,
                    field.order_key(row, &self.settings.done),
                    *descending,
                );
            }
            keys.extend(run.doc_ref.as_str().as_bytes());
            found.push((begin..keys.len(), run));
        }
        let found = found.into_iter();
        let found = found.map(|(key, run)| (0, &keys[key], run));
        let mut found: Vec<SortedRun<'_>> = found.collect();
        put_in_order(&mut found, 0);
        answer.runs = found.into_iter().map(|(.., run)| run.clone()).collect();
        answer
    }
}

/// Adds a sort key as bytes in ascending order; a missing value comes last.
fn add_key(to: &mut Vec<u8>, key: Option<(i128, String)>, descending: bool) {
    to.push(u8::from(key.is_none()));
    let begin = to.len();
    if let Some((number, text)) = key {
        to.extend((number ^ i128::MIN).to_be_bytes());
        to.extend(text.as_bytes());
        to.push(0);
    }
    if descending {
        to[begin..].iter_mut().for_each(|byte| *byte = !*byte);
    }
}

/// Next eight bytes of the key, the full key, the run.
type SortedRun<'a> = (u64, &'a [u8], &'a Arc<Run>);

/// Sorts runs whose keys are equal up to `from`. Eight bytes at a time are compared first, as they lie side by side in
/// memory, unlike the keys.
fn put_in_order(runs: &mut [SortedRun<'_>], from: usize) {
    if runs.len() < FEW || from > LONG {
        runs.sort_unstable_by_key(|(_, key, _)| *key);
        return;
    }
    for (next, key, _) in &mut *runs {
        let rest = key.get(from..).unwrap_or_default();
        let mut bytes = [0; 8];
        bytes
            .iter_mut()
            .zip(rest)
            .for_each(|(to, byte)| *to = *byte);
        *next = u64::from_be_bytes(bytes);
    }
    runs.sort_unstable_by_key(|(next, ..)| *next);
    for same in runs.chunk_by_mut(|(a, ..), (b, ..)| a == b) {
        put_in_order(same, from + 8);
    }
}

/// Field of a row at this path.
pub fn field_of(path: &str) -> Option<&'static Field> {
    fields::of_path(path).filter(|field| field.is_in_row())
}
