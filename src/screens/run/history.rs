//! The history of a run, as far as it is known here: own changes, changes of its fields that were seen, and how its counts
//! moved.

use super::Detail;
use crate::domain::diff::{Change, News, words};
use crate::store::feed::Entry;
use crate::store::{Cx, What};

/// An own change and what was seen of it lie so many milliseconds apart, at most.
const SAME: i64 = 10 * 60_000;

/// One line of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When it was done or seen, epoch milliseconds.
    pub at: i64,
    /// Who did it, as far as the service says so.
    pub who: String,
    pub what: String,
    /// There are more failures.
    pub bad: bool,
}

/// All lines, newest first.
pub fn lines(detail: &Detail, cx: &Cx) -> Vec<Line> {
    let own = detail
        .own_changes
        .value()
        .into_iter()
        .flatten()
        .map(|change| Line {
            at: change.at,
            who: "you".into(),
            what: if change.known {
                change.what.clone()
            } else {
                // In front, for the end of a line may be cut.
                format!("end not known: {}", change.what)
            },
            bad: false,
        });
    let moved = detail.history.value().map(|history| &history.moved);
    let seen = cx
        .shared
        .feed
        .entries
        .iter()
        .filter(|entry| entry.run.as_ref() == Some(&detail.doc_ref))
        .filter_map(|entry| seen_line(entry, detail, moved.is_some(), cx));
    let mut lines: Vec<Line> = own.chain(seen).collect();
    lines.extend(moved.into_iter().flatten().map(|moved| Line {
        at: moved.at,
        who: String::new(),
        what: words(moved.changes.iter()),
        bad: moved.changes.iter().any(Change::fails),
    }));
    lines.sort_by_key(|line| std::cmp::Reverse(line.at));
    lines
}

/// What was seen between two readings; counts are those of the samples where there are any.
fn seen_line(entry: &Entry, detail: &Detail, counted: bool, cx: &Cx) -> Option<Line> {
    let What::News(news) = &entry.what else {
        return None;
    };
    let News::Changed { changes, by } = news else {
        return Some(Line {
            at: entry.at,
            who: String::new(),
            what: news.to_string(),
            bad: false,
        });
    };
    let told = changes.iter().filter(|change| match change {
        Change::Count { .. } => !counted,
        // It follows from the counts.
        Change::Progress { .. } => false,
        _ => true,
    });
    let what = words(told.clone());
    let mine = by.as_ref().is_some_and(|by| cx.shared.is_me(by));
    let mut own = detail.own_changes.value().into_iter().flatten();
    let known = mine && own.any(|own| (0..=SAME).contains(&(entry.at - own.at)));
    (!what.is_empty() && !known).then(|| Line {
        at: entry.at,
        who: by.as_ref().map_or("", |by| cx.shared.person(by)).to_owned(),
        what,
        bad: told.clone().any(Change::fails),
    })
}
