//! History of a run as known here: own changes, observed changes of fields, and changes of its counts.

use super::Detail;
use crate::domain::diff::{Change, News, words};
use crate::store::feed::FeedEntry;
use crate::store::{Cx, JournalLine, What};

/// Longest time between an own change and its observation, in milliseconds.
const SAME: i64 = 10 * 60_000;

/// A line of the history.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Time of the change or of its observation, epoch milliseconds.
    pub at: i64,
    /// User who made the change; empty if unknown.
    pub who: String,
    pub what: String,
    /// True if there are more failures.
    pub bad: bool,
}

/// All lines, newest first.
pub fn lines(detail: &Detail, cx: &Cx) -> Vec<Line> {
    let own = own(detail).map(|change| Line {
        at: change.at,
        who: maker(change, cx).to_owned(),
        what: if change.good {
            change.what.clone()
        } else {
            // At the beginning, as the end of a line may be cut.
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
        .filter(|entry| entry.run.as_ref() == Some(&detail.run.doc_ref))
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

fn own(detail: &Detail) -> impl Iterator<Item = &JournalLine> {
    let page = detail.own_changes.value();
    page.into_iter().flat_map(|page| &page.lines)
}

/// Returns "you", or the user by whom a change was sent from here.
fn maker<'a>(change: &'a JournalLine, cx: &'a Cx) -> &'a str {
    match change.by.as_str() {
        "" => "you",
        by => cx.shared.person(by),
    }
}

/// Line for a change between two readings; counts are left out if the samples have them.
fn seen_line(entry: &FeedEntry, detail: &Detail, counted: bool, cx: &Cx) -> Option<Line> {
    let What::News(news) = &entry.what else {
        return None;
    };
    let News::Changed { changes, by } = news else {
        return Some(Line {
            at: entry.at,
            who: String::new(),
            what: cx.shared.change_words(&entry.what),
            bad: false,
        });
    };
    let shown = changes.iter().filter(|change| match change {
        Change::Count { .. } => !counted,
        // It follows from the counts.
        Change::Progress { .. } => false,
        _ => true,
    });
    let what = words(shown.clone());
    let who = by.as_ref().map_or("", |by| cx.shared.person(by));
    let known =
        own(detail).any(|own| who == maker(own, cx) && (0..=SAME).contains(&(entry.at - own.at)));
    (!what.is_empty() && !known).then(|| Line {
        at: entry.at,
        who: who.to_owned(),
        what,
        bad: shown.clone().any(Change::fails),
    })
}
