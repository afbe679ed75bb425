//! Comparison of two rows of one run.

use std::fmt;

use super::super::RunField;
use super::super::excerpt::{cut, cut_both};
use super::Ignored;
use crate::domain::prelude::*;

/// Maximum number of characters for the names of testers.
const SHOWN: usize = 60;
/// Maximum number of characters for each of two texts.
const OF_BOTH: usize = 40;

/// Change of a run. Counts of only one state are no change: `LIST_DOCUMENTS` does not return them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// Number of cases with a result code; 0 for a missing code.
    Count {
        /// Code as sent, `"5"`.
        code: String,
        label: String,
        /// Cases before.
        before: u64,
        /// Cases after.
        after: u64,
    },
    /// Number of suites.
    Suites { before: i64, after: i64 },
    /// The service's own Progress.
    Progress { before: i64, after: i64 },
    /// From active to inactive.
    Closed,
    /// From inactive to active.
    Reopened,
    /// Testers, in any order.
    Testers {
        /// Names of new testers, no more than the words have room for.
        added: Vec<String>,
        /// Names of former testers, likewise.
        gone: Vec<String>,
    },
    /// Any other field that is no member of a row.
    Other { path: String },
    /// Any other field of a row.
    Text {
        path: &'static str,
        /// `None` if there was none.
        before: Option<String>,
        /// `None` if there is none now.
        after: Option<String>,
    },
}

/// Write to a run by this program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnWrite {
    /// Fields that were saved.
    Fields(Vec<RunField>),
    /// Suites were added or removed.
    Suites,
    /// Deletion, after the suites were removed.
    Deletion,
}

impl Change {
    /// Returns `true` if the write may have caused the change. Another user changed other fields of the form, and
    /// results with more cases; fields outside the form may change with any write.
    pub fn may_follow_from(&self, write: &OwnWrite) -> bool {
        let suites = matches!(write, OwnWrite::Suites | OwnWrite::Deletion);
        match self {
            Self::Count {
                code,
                before,
                after,
                ..
            } => {
                suites && (after < before || ResultCode::parse(code) == Some(ResultCode::Untested))
            }
            Self::Suites { .. } | Self::Progress { .. } | Self::Testers { .. } => suites,
            Self::Closed | Self::Reopened | Self::Text { .. } | Self::Other { .. } => {
                let mut fields = RunField::ALL.into_iter();
                match (fields.find(|field| field.path() == self.path()), write) {
                    (Some(field), OwnWrite::Fields(saved)) => saved.contains(&field),
                    (Some(_), _) => false,
                    // Editor, time of the edit, and undocumented fields.
                    (None, _) => true,
                }
            }
        }
    }

    /// Returns the path of the changed field (2.2).
    pub fn path(&self) -> &str {
        match self {
            Self::Count { .. } => fields::RESULTS.path,
            Self::Suites { .. } => fields::SUITES.path,
            Self::Progress { .. } => fields::PROGRESS.path,
            Self::Closed | Self::Reopened => fields::STATUS.path,
            Self::Testers { .. } => fields::TESTERS.path,
            Self::Text { path, .. } => path,
            Self::Other { path } => path,
        }
    }

    /// Returns `true` if new failures were added.
    pub fn fails(&self) -> bool {
        matches!(self, Self::Count { code, before, after, .. }
            if after > before && ResultCode::parse(code) == Some(ResultCode::FailedNew))
    }
}

impl fmt::Display for Change {
    /// Such as `Failed (new) 20 → 21`, `Suites 11 → 12`, `closed`, `Title "FF matrix" → "Browser matrix"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count {
                label,
                before,
                after,
                ..
            } => write!(f, "{label} {before} → {after}"),
            Self::Suites { before, after } => write!(f, "Suites {before} → {after}"),
            Self::Progress { before, after } => write!(f, "Progress {before} → {after}"),
            Self::Closed => f.write_str("closed"),
            Self::Reopened => f.write_str("reopened"),
            Self::Testers { added: came, gone } => {
                let names: Vec<String> = came
                    .iter()
                    .map(|name| format!("+{name}"))
                    .chain(gone.iter().map(|name| format!("-{name}")))
                    .collect();
                write!(f, "Testers {}", cut(&names.join(" "), SHOWN))
            }
            Self::Text {
                path,
                before,
                after,
            } => {
                let texts = [before, after].map(|text| text.as_deref().unwrap_or_default());
                // A number that comes as text is one.
                let is_number = texts.iter().all(|it| text::is_number(it, 1..=usize::MAX));
                let quote = if is_number { "" } else { "\"" };
                let texts = cut_both(texts, OF_BOTH).map(|text| format!("{quote}{text}{quote}"));
                let [old, new] = [before, after].map(Option::is_some);
                let old = if old { &texts[0] } else { "none" };
                let new = if new { &texts[1] } else { "none" };
                write!(f, "{} {old} → {new}", fields::label(path))
            }
            Self::Other { path } => write!(f, "{} changed", fields::label(path)),
        }
    }
}

/// Returns the changes of a run: result codes in order, then the other fields.
pub fn run(before: &RunRow, after: &RunRow, ignored: &Ignored) -> Vec<Change> {
    let mut changes = match (&before.results, &after.results) {
        // A count that could not be read may be of any code: it is not 0.
        (Some(before), Some(after)) if before.unread + after.unread == 0 => {
            counts(before, after, ResultCode::ALL, "code")
        }
        _ => Vec::new(),
    };
    if let Some((before, after)) = moved(before.suite_count, after.suite_count) {
        changes.push(Change::Suites { before, after });
    }
    if let Some((before, after)) = moved(before.progress, after.progress) {
        changes.push(Change::Progress { before, after });
    }
    changes.extend(match (&before.status, &after.status) {
        (Status::Active, Status::Inactive) => Some(Change::Closed),
        (Status::Inactive, Status::Active) => Some(Change::Reopened),
        (before, after) => text(&fields::STATUS, before.as_text(), after.as_text()),
    });
    changes.extend(testers(before, after));
    for field in fields::ALL {
        if let Holds::Text(of) | Holds::Time(of, _) = field.holds {
            let (before, after) = (of(before), of(after));
            // A field of only one operation is not gone when the other one lists.
            if !field.counted || before.is_some() && after.is_some() {
                changes.extend(text(field, before.as_deref(), after.as_deref()));
            }
        }
    }
    changes.extend(
        before
            .digests
            .changed(&after.digests)
            .map(|path| Change::Other {
                path: path.to_owned(),
            }),
    );
    changes.retain(|change| !ignored.covers(change.path()));
    changes
}

/// Returns the editor in between, if the service reports one: recording results need not be an edit of the run.
pub fn edited_by<'a>(before: &RunRow, after: &'a RunRow) -> Option<&'a str> {
    let edited = before.edited_on != after.edited_on || before.edited_by != after.edited_by;
    after.edited_by.as_deref().filter(|_| edited)
}

fn text(field: &Field, before: Option<&str>, after: Option<&str>) -> Option<Change> {
    (before != after).then(|| Change::Text {
        path: field.path,
        before: before.map(str::to_owned),
        after: after.map(str::to_owned),
    })
}

/// Returns both numbers if they are known and differ.
fn moved(before: Option<i64>, after: Option<i64>) -> Option<(i64, i64)> {
    before.zip(after).filter(|(before, after)| before != after)
}

/// Returns the counts that differ: codes in this order, then undocumented codes. Without a label these are named
/// `unnamed` and their code.
pub fn counts(
    before: &ResultCounts,
    after: &ResultCounts,
    order: [ResultCode; 11],
    unnamed: &str,
) -> Vec<Change> {
    let change = |code: &dyn ToString, label: &str, before: u64, after: u64| {
        (before != after).then(|| Change::Count {
            code: code.to_string(),
            label: label.to_owned(),
            before,
            after,
        })
    };
    let known = order.into_iter().filter_map(|code| {
        change(
            &code.number(),
            code.label(),
            before.get(code),
            after.get(code),
        )
    });
    let (before, after) = (before.unnamed_by_code(), after.unnamed_by_code());
    let labels: BTreeMap<&str, &str> = before
        .iter()
        .chain(&after)
        .map(|(code, it)| (*code, it.0))
        .collect();
    let others = labels.into_iter().filter_map(|(code, label)| {
        let count = |counts: &BTreeMap<_, (_, u64)>| counts.get(code).map_or(0, |it| it.1);
        let (before, after) = (count(&before), count(&after));
        match label {
            "" => change(&code, &format!("{unnamed} {code}"), before, after),
            label => change(&code, label, before, after),
        }
    });
    known.chain(others).collect()
}

fn testers(before: &RunRow, after: &RunRow) -> Option<Change> {
    // Without counts the row is of LIST_DOCUMENTS, which names no testers either.
    if before.results.is_none() || after.results.is_none() || before.testers == after.testers {
        return None;
    }
    let before: BTreeSet<&String> = before.testers.iter().collect();
    let after: BTreeSet<&String> = after.testers.iter().collect();
    let missing = |from: &BTreeSet<&String>, there: &BTreeSet<&String>| -> Vec<String> {
        from.difference(there)
            .take(SHOWN)
            .map(|name| (*name).clone())
            .collect()
    };
    let (added, gone) = (missing(&after, &before), missing(&before, &after));
    (!added.is_empty() || !gone.is_empty()).then_some(Change::Testers { added, gone })
}
