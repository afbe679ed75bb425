//! In which order the runs of the monitor come.

use std::cmp::Reverse;

use super::run::{Finish, WatchedRun};
use crate::domain::ResultCode;
use crate::domain::fields::{self, DONE, Field, ID, TITLE};
use crate::store::{Shared, SortedBy};

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
            places.sort_by_cached_key(|place| {
                let run = &runs[*place];
                let value = value(field, run, shared);
                (value.is_none(), value, run.place)
            });
            if !order.ascending {
                // Those that do not tell stay at the end.
                let told = |place: &&usize| value(field, &runs[**place], shared).is_some();
                let told = places.iter().filter(told).count();
                places[..told].reverse();
            }
            places.sort_by_key(|place| !runs[*place].pinned);
        }
    }
}

/// What is compared; nothing where the run does not tell it.
fn value(field: &Field, run: &WatchedRun, shared: &Shared) -> Option<(i128, String)> {
    let row = &run.row;
    if field.name == ID.name {
        let id = row.id.as_ref()?;
        let digits = id.trim_start_matches(|c: char| !c.is_ascii_digit());
        return Some((digits.parse().unwrap_or(0), id.clone()));
    }
    if let Some(text) = field.text_of(row) {
        return Some((0, text.to_lowercase()));
    }
    let number = field.number(row, row.sums(shared.done_codes()))?;
    Some((i128::from(number), String::new()))
}
