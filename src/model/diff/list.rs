//! Two states of a list of runs.

use std::collections::BTreeMap;
use std::fmt;

use super::super::{DocRef, RunRow};
use super::{Change, Ignored, edited_by, run};

/// What is new about one run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunNews {
    /// The run.
    pub run: DocRef,
    /// What a person knows it by.
    pub name: String,
    /// What is new.
    pub news: News,
}

/// What is new.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum News {
    /// It was not in the list before.
    Appeared {
        /// Who edited it last: a new run was edited by nobody but its creator.
        by: Option<String>,
    },
    /// It is in the list no more.
    Vanished,
    /// It is in both, and differs.
    Changed {
        /// In what; at least one.
        changes: Vec<Change>,
        /// Who edited it in between, if the service says so.
        by: Option<String>,
    },
}

impl fmt::Display for RunNews {
    /// Such as `R_7 Failed (new) 20 → 21`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.name, self.news)
    }
}

impl fmt::Display for News {
    /// Such as `Failed (new) 20 → 21, Suites 11 → 12`, `Title "a" → "b" (edited by mai)`, `appeared (edited by trung)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self {
            Self::Appeared { by } => {
                f.write_str("appeared")?;
                by
            }
            Self::Vanished => return f.write_str("vanished"),
            Self::Changed { changes, by } => {
                let words: Vec<String> = changes.iter().map(ToString::to_string).collect();
                f.write_str(&words.join(", "))?;
                by
            }
        };
        by.as_ref().map_or(Ok(()), |by| write!(f, " (edited by {by})"))
    }
}

/// What is new between two lists, in the order of references. Both must be whole, or cut in the same way: a run that
/// was not asked for looks vanished. A run that a list has twice, since it moved between pages, is taken as last edited.
pub fn lists<'a>(
    before: impl IntoIterator<Item = &'a RunRow>,
    after: impl IntoIterator<Item = &'a RunRow>,
    ignored: &Ignored,
) -> Vec<RunNews> {
    let (before, after) = (by_ref(before), by_ref(after));
    let mut news = Vec::new();
    for (reference, row) in &before {
        let what = match after.get(reference) {
            None => News::Vanished,
            Some(now) => {
                let changes = run(row, now, ignored);
                if changes.is_empty() {
                    continue;
                }
                News::Changed { changes, by: edited_by(row, now).map(str::to_owned) }
            }
        };
        let named = after.get(reference).unwrap_or(row);
        news.push(RunNews { run: (*reference).clone(), name: named.name().to_owned(), news: what });
    }
    for (reference, row) in after.iter().filter(|(reference, _)| !before.contains_key(*reference)) {
        let appeared = News::Appeared { by: row.edited_by.clone() };
        news.push(RunNews { run: (*reference).clone(), name: row.name().to_owned(), news: appeared });
    }
    news.sort_by(|a, b| a.run.cmp(&b.run));
    news
}

fn by_ref<'a>(rows: impl IntoIterator<Item = &'a RunRow>) -> BTreeMap<&'a DocRef, &'a RunRow> {
    let mut found: BTreeMap<&DocRef, &RunRow> = BTreeMap::new();
    for row in rows {
        let kept = found.entry(&row.doc_ref).or_insert(row);
        if row.edited_on > kept.edited_on {
            *kept = row;
        }
    }
    found
}
