//! THE reader of complete lists that come in pages (interface section 4.2).
//!
//! A list is read to the requested extent or not at all: the same order on every page, continued by the number of
//! entries received, restarted when the list changes. The entries are those of one list, and a part never looks
//! complete.

use std::collections::HashSet;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};

use super::{
    DocRef, Document, Failure, FailureKind, ListPage, Page, RunRow, RunsOperation, Sort, SuiteRow,
};

/// Maximum number of passes over a list that changes: the first, and two restarts.
pub const PASSES: u32 = 3;

/// Entry of a list, which can be marked.
pub trait ListEntry {
    /// Returns the reference that identifies the entry.
    fn doc_ref(&self) -> &DocRef;
}

impl ListEntry for RunRow {
    fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }
}

impl ListEntry for SuiteRow {
    fn doc_ref(&self) -> &DocRef {
        &self.doc_ref
    }
}

impl ListEntry for DocRef {
    fn doc_ref(&self) -> &DocRef {
        self
    }
}

impl ListEntry for Document {
    fn doc_ref(&self) -> &DocRef {
        self.doc_ref()
    }
}

/// Error of reading a page.
pub trait PageError {
    fn kind(&self) -> FailureKind;
}

impl PageError for Failure {
    fn kind(&self) -> FailureKind {
        self.kind
    }
}

/// List that comes in pages.
pub trait Pages {
    type Entry: ListEntry;
    type Error: PageError;

    /// Reads one page.
    fn page(
        &mut self,
        page: Page,
        sort: &[Sort],
    ) -> impl Future<Output = Result<ListPage<Self::Entry>, Self::Error>>;

    /// Gets the kept entries of each page. Returns `true` if nothing after them is needed. `sorted`: the page has the
    /// requested order.
    fn is_enough(&mut self, _page: &[Self::Entry], _sorted: bool) -> bool {
        false
    }

    /// Gets each page with the index of its first entry. Returns `true` if the list becomes too large for memory.
    fn is_too_large(&mut self, _at: u64, _page: &[Self::Entry]) -> bool {
        false
    }

    /// Gets the entries of each page with the index of the first, 0 again after a restart. Returns the entries to keep
    /// in memory.
    fn keep(
        &mut self,
        _at: u64,
        entries: Vec<Self::Entry>,
    ) -> Result<Vec<Self::Entry>, Self::Error> {
        Ok(entries)
    }

    /// Gets the progress after each page: entries received, entries requested.
    fn progress(&mut self, _received: u64, _wanted: u64) {}
}

/// Requested extent of a list.
#[derive(Clone, Copy)]
pub enum Extent {
    /// All entries; a longer list than this is not read.
    All {
        /// Maximum number of entries.
        at_most: u64,
    },
    /// This many from the start, or all there are.
    First(u64),
}

/// Options of reading a list.
pub struct ReadOptions {
    /// Entries of one page.
    pub page_size: u32,
    /// Order of every page.
    pub sort: Vec<Sort>,
    /// Leaves the order out if the service refuses it.
    pub may_leave_sort: bool,
    pub extent: Extent,
}

impl ReadOptions {
    /// Reads in the order of the service.
    pub fn unsorted(page_size: u32, extent: Extent) -> Self {
        Self {
            page_size,
            sort: Vec::new(),
            may_leave_sort: false,
            extent,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReadList<T> {
    /// Kept entries, in the order of the service.
    pub entries: Vec<T>,
    /// Number of all entries, read or not.
    pub full_size: u64,
    /// Calls of the last pass. One: the list is of one moment.
    pub pages: u32,
    /// The sort was left out because the service refused it.
    pub unsorted: bool,
    /// Operation that was used, if there are two.
    pub operation: Option<RunsOperation>,
}

impl<T: ListEntry> ReadList<T> {
    /// Returns the references in order.
    pub fn refs(&self) -> impl Iterator<Item = &DocRef> {
        self.entries.iter().map(ListEntry::doc_ref)
    }
}

/// Reason that a list was not read.
#[derive(Debug, PartialEq, Eq)]
pub enum ReadFault<E = Failure> {
    /// A call failed.
    Call(E),
    /// The list changed during every pass; with the change in the last one.
    Changed(String),
    /// The list is too long.
    TooLong {
        /// Number of its entries.
        size: u64,
        /// Maximum number of entries.
        at_most: u64,
    },
}

/// Reads a list page by page, and restarts when the list changes: another size, a repeated entry, an empty page too
/// early. A page that is too large is halved.
pub async fn read_all<P: Pages>(
    list: &mut P,
    options: &ReadOptions,
) -> Result<ReadList<P::Entry>, ReadFault<P::Error>> {
    let (mut sort, mut limit) = (&options.sort[..], options.page_size.max(1));
    let mut why = String::new();
    let mut passes = 0;
    while passes < PASSES {
        match pass(list, limit, sort, options.extent).await {
            Ok(read) => {
                return Ok(ReadList {
                    unsorted: sort.len() < options.sort.len(),
                    ..read
                });
            }
            Err(ReadFault::Changed(what)) => {
                why = what;
                passes += 1;
            }
            Err(ReadFault::TooLong { size, at_most }) => {
                return Err(ReadFault::TooLong { size, at_most });
            }
            // Neither counts as a pass: nothing was read yet, or the same is read in smaller pieces.
            Err(ReadFault::Call((error, first))) => match error.kind() {
                kind if kind.is_too_large() && limit > 1 => limit /= 2,
                FailureKind::Refused if first && options.may_leave_sort && !sort.is_empty() => {
                    sort = &[];
                }
                _ => return Err(ReadFault::Call(error)),
            },
        }
    }
    Err(ReadFault::Changed(why))
}

/// Reads a list once: the same order and the same limit on every page. The error of a call has `true` for the first
/// page.
async fn pass<P: Pages>(
    list: &mut P,
    limit: u32,
    sort: &[Sort],
    extent: Extent,
) -> Result<ReadList<P::Entry>, ReadFault<(P::Error, bool)>> {
    let mut read: Option<ReadList<P::Entry>> = None;
    // A list may be long: a digest of each reference is enough, with a secret key.
    let (mut seen, digest) = (HashSet::new(), RandomState::new());
    let mut offset = 0;
    loop {
        let limit = match extent {
            Extent::All { .. } => limit,
            Extent::First(most) => {
                u32::try_from(most - offset).map_or(limit, |left| limit.min(left))
            }
        };
        let first = read.is_none();
        let page = list
            .page(Page { offset, limit }, sort)
            .await
            .map_err(|error| ReadFault::Call((error, first)))?;
        let mut so_far = read.take().unwrap_or(ReadList {
            entries: Vec::new(),
            full_size: page.full_size,
            pages: 0,
            unsorted: false,
            operation: page.operation,
        });
        so_far.pages += 1;
        let size = so_far.full_size;
        let changed = |what: String| Err(ReadFault::Changed(what));
        if page.full_size != size {
            let now = page.full_size;
            return changed(format!("it had {size} entries and then {now}"));
        }
        if page.operation != so_far.operation {
            return changed("the service stopped sending results meanwhile".to_owned());
        }
        let wanted = match extent {
            Extent::All { at_most } if size > at_most => {
                return Err(ReadFault::TooLong { size, at_most });
            }
            Extent::All { .. } => size,
            Extent::First(most) => most.min(size),
        };
        let received = offset + page.rows.len() as u64;
        if received > size {
            return changed(format!("{received} entries came of {size}"));
        }
        let mut entries = page.rows.iter().map(ListEntry::doc_ref);
        if let Some(twice) = entries.find(|entry| !seen.insert(digest.hash_one(*entry))) {
            return changed(format!("{twice} came twice"));
        }
        if list.is_too_large(offset, &page.rows) {
            return Err(ReadFault::TooLong {
                size,
                at_most: offset,
            });
        }
        let mut entries = page.rows;
        entries.truncate(usize::try_from(wanted.saturating_sub(offset)).unwrap_or(usize::MAX));
        let kept = list
            .keep(offset, entries)
            .map_err(|error| ReadFault::Call((error, first)))?;
        let enough = list.is_enough(&kept, !sort.is_empty());
        so_far.entries.extend(kept);
        list.progress(received.min(wanted), wanted);
        if received >= wanted || enough {
            return Ok(so_far);
        }
        if received == offset {
            return changed(format!("an empty page at {offset} of {size}"));
        }
        (read, offset) = (Some(so_far), received);
    }
}
