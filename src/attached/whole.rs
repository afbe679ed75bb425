//! One list read whole (reading rules 2 and 3 of `docs/attached.md`).

use super::Source;
use crate::model::{DocRef, Page, Sort, SuiteRow};

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched<T> {
    /// Total number of matches (4.2).
    pub full_size: u64,
    /// The entries, each with its reference.
    pub entries: Vec<(DocRef, T)>,
}

/// A list that was read whole.
#[derive(Clone, Debug, PartialEq)]
pub struct WholeList<T = SuiteRow> {
    /// The entries in the order of the service.
    pub entries: Vec<(DocRef, T)>,
    /// Calls that the last, good pass took. One: the list is of one moment.
    pub pages: u32,
    /// Entries that the service gives at most, where it gave fewer than asked for.
    pub clamped: Option<u32>,
    /// Whether the sort was left out because the service refused it.
    pub unsorted: bool,
}

impl<T> WholeList<T> {
    /// `fullSize`, which is the number of entries.
    pub fn full_size(&self) -> u64 {
        self.entries.len() as u64
    }
}

/// Why a list was not read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFault<E> {
    /// A call failed.
    Call(E),
    /// The list changed during every try.
    NotReadWhole {
        /// What was seen the last time.
        why: String,
    },
}

/// How a list is to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct Reading {
    /// Entries asked for in one page.
    pub page_size: u32,
    /// The order, the same for every page.
    pub sort: Vec<Sort>,
    /// Most entries; a longer list is not read.
    pub most: u64,
}

impl Default for Reading {
    /// By title, the only path the interface document writes out (4.2); at most 100,000 entries.
    fn default() -> Self {
        Self { page_size: 50, sort: vec![Sort { path: "Root.General.Title".into(), descending: false }], most: 100_000 }
    }
}

/// Reads a list whole, page by page. `progress` gets (entries received, entries in all).
pub async fn read_whole<T, E, F>(
    fetch: F,
    refusal: fn(&E) -> super::Refusal,
    reading: &Reading,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<WholeList<T>, ReadFault<E>>
where
    F: AsyncFn(Page, &[Sort]) -> Result<Fetched<T>, E>,
{
    let _ = (fetch, refusal, reading, progress);
    todo!()
}

/// All suites that can still be added to a run, whole.
pub async fn available_suites<S: Source>(
    source: &S,
    run: &DocRef,
    reading: &Reading,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<WholeList, ReadFault<S::Error>> {
    let _ = (source, run, reading, progress);
    todo!()
}
