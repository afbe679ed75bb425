//! What the mirror answers: all runs that a search finds, in an order.

use std::sync::Arc;

use super::{Mirror, Presence, Run};
use crate::domain::fields::{self, Field};
use crate::domain::query_language::{QueryContext, RunSearch};
use crate::domain::{Filter, ResultCode, RunRow, Sort, SortedBy};

/// Runs that are put in order by whole keys.
const FEW: usize = 20;
/// Bytes of a key from which on the same is done.
const LONG: usize = 256;

/// The runs of a query.
#[derive(Clone, Debug, Default)]
pub struct FoundRuns {
    /// All of them, in order; not those that are gone.
    pub runs: Arc<[Arc<Run>]>,
    /// A list that has all runs of the filter was read to its end.
    pub is_whole: bool,
    /// Runs of which nobody can say whether the search finds them.
    pub undecided: u64,
    /// When the oldest counts of open ones among them were read, epoch milliseconds.
    pub oldest: Option<i64>,
}

impl Mirror {
    /// All runs that a search finds and that have what a filter wants. Those that do not tell what they are put in order by
    /// come last, equal ones by their references.
    pub fn answer(
        &self,
        search: &RunSearch,
        filter: &Filter,
        sorts: &[Sort],
        context: &QueryContext<'_>,
    ) -> FoundRuns {
        let orders = sorts.iter();
        let orders = orders.filter_map(|sort| Some((field_of(&sort.path)?, sort.descending)));
        let orders: Vec<(&Field, bool)> = orders.collect();
        let runs = self.runs().filter(|run| run.state != Presence::Gone);
        let finds = |row: &RunRow| {
            if filter.has(row) {
                search.finds(row, context)
            } else {
                Some(false)
            }
        };
        FoundRuns {
            is_whole: self.is_whole(filter),
            ..in_order(self, runs, search, &orders, context.done, finds, |_| {})
        }
    }

    /// Those of some runs of which this is so, in an order; each is handed on as it is found.
    pub(super) fn found<'a>(
        &self,
        runs: impl Iterator<Item = &'a Arc<Run>>,
        search: &RunSearch,
        orders: &[SortedBy],
        finds: impl Fn(&RunRow) -> Option<bool>,
        with: impl FnMut(&RunRow),
    ) -> FoundRuns {
        let field = |order: &SortedBy| {
            let asked = order.asked().and_then(|sort| field_of(&sort.path));
            Some((
                asked.or_else(|| fields::named(order.field))?,
                !order.ascending,
            ))
        };
        let orders: Vec<_> = orders.iter().filter_map(field).collect();
        in_order(
            self,
            runs,
            search,
            &orders,
            &self.settings.done,
            finds,
            with,
        )
    }
}

/// Those of some runs of which this is so; what `search` rules out is not looked at.
fn in_order<'a>(
    mirror: &Mirror,
    runs: impl Iterator<Item = &'a Arc<Run>>,
    search: &RunSearch,
    orders: &[(&Field, bool)],
    done: &[ResultCode],
    finds: impl Fn(&RunRow) -> Option<bool>,
    mut with: impl FnMut(&RunRow),
) -> FoundRuns {
    let mut answer = FoundRuns::default();
    let (mut room, mut keys, mut found) = (None, Vec::new(), Vec::new());
    // In the order of their places, which memory is read ahead for.
    let mut runs: Vec<&Arc<Run>> = runs.filter(|run| !search.rules_out(&run.text)).collect();
    runs.sort_unstable_by_key(|run| Arc::as_ptr(run));
    for run in runs {
        let row = room.get_or_insert_with(|| run.row());
        mirror.fill(run, row);
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
        for (field, descending) in orders {
            add_key(&mut keys, field.order_key(row, done), *descending);
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

/// Adds what a run is put in order by as bytes, of which the smallest come first; what is not told comes last.
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

/// The next bytes of its key, and all of it.
type SortedRun<'a> = (u64, &'a [u8], &'a Arc<Run>);

/// Puts runs in order whose keys are the same up to a place. Many are compared by a few bytes at once, for these lie side
/// by side, and the keys all over the memory.
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

/// The field of a row at this path.
pub fn field_of(path: &str) -> Option<&'static Field> {
    fields::of_path(path).filter(|field| field.is_in_row())
}
