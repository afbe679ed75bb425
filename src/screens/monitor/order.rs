//! In which order the runs of the monitor come.

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

/// What runs come in order by where nothing was chosen: the late ones, then those over the limit, with most new failures,
/// with most blocked cases, and what ends last.
pub fn worst_first(run: &WatchedRun) -> impl Ord + use<> {
    let standing = run.standing;
    let end = match standing.end {
        Finish::At(at) => (0, Reverse(at)),
        _ => (1, Reverse(0)),
    };
    let most = (Reverse(standing.new_failures), Reverse(standing.blocked));
    (!standing.late, !standing.over, most, end)
}
