//! Lists: what may be asked (4.2), and how it is answered in SQL without reading all rows.

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
    /// Matches to leave out.
    pub offset: u64,
    /// Matches to give at most.
    pub limit: u64,
}

/// One element of `sort`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sort {
    /// What to order by.
    pub path: FieldPath,
    /// `DESC`.
    pub descending: bool,
}

/// What a list operation asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Query {
    /// The part of the matches to give.
    pub page: Page,
    /// First key first; empty leaves the order to the service.
    pub sort: Vec<Sort>,
    /// Exact values by field.
    pub filters: Vec<(FieldPath, String)>,
    /// Lower-case words that all must occur.
    pub terms: Vec<String>,
}

/// Where a list is taken from, told by the project headers (4.1).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reach {
    /// Number of the project.
    pub project: i64,
    /// Its id.
    pub project_name: String,
    /// The sub project that narrows the list.
    pub sub: Option<i64>,
}

/// Rows of a page, in order, and the number of all matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// `fullSize`.
    pub total: u64,
    /// Row numbers.
    pub rows: Vec<i64>,
}

/// The asked part of all rows.
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
