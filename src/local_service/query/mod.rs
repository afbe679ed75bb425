//! Queries of lists (4.2), and their answers by SQL without reading all rows.

mod cache;
mod path;
mod run_list;
mod suite_list;
mod where_clause;

pub use cache::{Cache, Cached};
pub use path::FieldPath;
pub use run_list::{filter_items, find_runs};
pub use suite_list::find_suites;

/// `page` of 4.2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    /// Matches to skip.
    pub offset: u64,
    /// Maximum number of matches to return.
    pub limit: u64,
}

/// One element of `sort`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// Field to sort by.
    pub path: FieldPath,
    /// True for `DESC`.
    pub descending: bool,
}

/// Query of a list operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// Wanted part of the matches.
    pub page: Page,
    /// Sort keys, the first one first; if empty, the service decides.
    pub sort: Vec<Sort>,
    /// Exact values by field.
    pub filters: Vec<(FieldPath, String)>,
    /// Lower-case words, all of which must occur.
    pub terms: Vec<String>,
}

/// Project and sub project of a list, from the headers (4.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Number of the project.
    pub project: i64,
    /// Id of the project.
    pub project_name: String,
    /// Sub project, if the list is restricted to one.
    pub sub: Option<i64>,
}

/// Rows of a page in order, and the number of all matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `fullSize`.
    pub total: u64,
    /// Row numbers.
    pub rows: Vec<i64>,
}

/// Page of these rows.
fn part(rows: &[u32], page: Page) -> Found {
    let total = rows.len() as u64;
    let start = page.offset.min(total);
    let end = start.saturating_add(page.limit).min(total);
    Found {
        total,
        rows: rows[start as usize..end as usize]
            .iter()
            .map(|row| i64::from(*row))
            .collect(),
    }
}
