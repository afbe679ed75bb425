//! In which order the runs of the monitor come.

use crate::screens::prelude::*;
use std::cmp::Reverse;

use super::run::{Finish, WatchedRun};
use crate::domain::SortedBy;
use crate::domain::fields::{self, DONE, TITLE};

/// The order that a choice means after another, the same again reversed; nothing for the worst first.
pub fn after(before: Option<SortedBy>, name: &'static str) -> Option<SortedBy> {
    let field = fields::named(name)?.name;
    let ascending = match before.filter(|now| now.field == field) {
        Some(now) => !now.ascending,
        // Of what is done the least is the worst.
        None => [TITLE.name, DONE.name].contains(&field),
    };
    Some(SortedBy { field, ascending })
}

/// What an order is called.
pub fn words(order: Option<SortedBy>) -> String {
    let Some(order) = order else {
        return "worst first".into();
    };
    let field = fields::named(order.field);
    let label = field.map_or(order.field, |field| {
        field.column.map_or(field.label, |column| column.heading)
    });
    format!("by {label} {}", order.arrow())
}

/// Puts the places of runs into order: pinned ones first.
pub fn sort(places: &mut [usize], runs: &[WatchedRun], order: Option<SortedBy>, shared: &Shared) {
    match order.and_then(|order| Some((order, fields::named(order.field)?))) {
        None => places.sort_by_cached_key(|place| {
            let run = &runs[*place];
            let counts = run.row.results.as_ref();
            let blocked = counts.map_or(0, |counts| counts.sum(ResultCode::BLOCKED));
            let end = match run.standing.end {
                Finish::At(at) => (0, Reverse(at)),
                _ => (1, Reverse(0)),
            };
            let bad = (!run.standing.late, !run.standing.over);
            let failures = shared.earlier.more_failed(&run.row).unwrap_or(0);
            let most = (Reverse(failures), Reverse(blocked));
            (!run.pinned, bad, most, end, run.place)
        }),
        Some((order, field)) => {
            let value = |run: &WatchedRun| field.order_key(&run.row, shared.done_codes());
            places.sort_by_cached_key(|place| {
                let run = &runs[*place];
                let value = value(run);
                (value.is_none(), value, run.place)
            });
            if !order.ascending {
                // Those that do not tell stay at the end.
                let told = |place: &&usize| value(&runs[**place]).is_some();
                let told = places.iter().filter(told).count();
                places[..told].reverse();
            }
            places.sort_by_key(|place| !runs[*place].pinned);
        }
    }
}
