//! THE reader of whole lists, over a list that comes in pages (interface section 4.2).
//!
//! A list is read as far as was asked for or not at all: the same order on every page, onward by what was received, from
//! the start again when it changes under way. What comes out stood in one list; a part never looks like the whole.

use std::collections::HashSet;
use std::future::Future;
use std::hash::{BuildHasher, RandomState};

use super::{DocRef, Document, ListPage, Page, RunRow, RunsOperation, Sort, SuiteRow};

/// Passes over a list that changes: the first, and two from the start again.
pub const PASSES: u32 = 3;

/// What stands in a list, and can be marked there.
pub trait ListEntry {
    /// By which it is told from the others.
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

/// What a failed call means for reading on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A smaller page may succeed.
    PageTooLarge,
    /// The service worded an error that may be about what was asked: the sort, the filter, a run that is closed.
    Question,
    /// The service worded another error.
    Service,
    /// Anything else: network, sign-in, an odd answer.
    Other,
}

impl Refusal {
    /// Whether the service understood the call and said no.
    pub fn is_answer(self) -> bool {
        matches!(self, Self::Question | Self::Service)
    }
}

/// Why a page was not read.
pub trait PageError {
    /// What it means for reading on.
    fn refusal(&self) -> Refusal;
}

/// A list that comes in pages.
pub trait Pages {
    /// What stands in it.
    type Entry: ListEntry;
    /// Why a call failed.
    type Error: PageError;

    /// Reads one page.
    fn page(
        &mut self,
        page: Page,
        sort: &[Sort],
    ) -> impl Future<Output = Result<ListPage<Self::Entry>, Self::Error>>;

    /// Gets what is kept of each page: whether nothing after it is wanted. `sorted` is whether it was asked for in the order
    /// wanted.
    fn is_enough(&mut self, _page: &[Self::Entry], _sorted: bool) -> bool {
        false
    }

    /// Gets each page with the place of its first entry: whether that makes the list larger than is kept in memory.
    fn is_too_large(&mut self, _at: u64, _page: &[Self::Entry]) -> bool {
        false
    }

    /// Gets the entries of each page with the place of the first, 0 again when the list is read from the start again:
    /// what is to be kept of them in memory.
    fn keep(
        &mut self,
        _at: u64,
        entries: Vec<Self::Entry>,
    ) -> Result<Vec<Self::Entry>, Self::Error> {
        Ok(entries)
    }

    /// Gets how far it is after each page: entries received, entries wanted.
    fn progress(&mut self, _received: u64, _wanted: u64) {}
}

/// How much of a list is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it; a list that is longer than this is not read.
    All {
        /// Most entries.
        at_most: u64,
    },
    /// So many from the start, or all there are.
    First(u64),
}

/// How a list is to be read.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOptions {
    /// Entries asked for in one page.
    pub page_size: u32,
    /// The order, the same for every page.
    pub sort: Vec<Sort>,
    /// The order is left out where the service refuses it.
    pub may_leave_sort: bool,
    /// How much is wanted.
    pub extent: Extent,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ReadList<T> {
    /// The entries that were kept, in the order of the service.
    pub entries: Vec<T>,
    /// How many there are, read or not.
    pub full_size: u64,
    /// Calls that the last, good pass took. One: the list is of one moment.
    pub pages: u32,
    /// Whether the sort was left out because the service refused it.
    pub unsorted: bool,
    /// Which operation gave it, where there are two.
    pub operation: Option<RunsOperation>,
}

impl<T: ListEntry> ReadList<T> {
    /// The references, in order.
    pub fn refs(&self) -> impl Iterator<Item = &DocRef> {
        self.entries.iter().map(ListEntry::doc_ref)
    }
}

/// Why a list was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFault<E> {
    /// A call failed.
    Call(E),
    /// The list changed during every pass: what was seen during the last one.
    Changed(String),
    /// The list is longer than is read.
    TooLong {
        /// Its entries.
        size: u64,
        /// Most that are read.
        at_most: u64,
    },
}

/// Reads a list page by page, and begins again when it changes under way: its size, an entry that comes twice, a page
/// that is empty too early. A page that is too large is halved until it is not.
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
            Err(ReadFault::Call((error, first))) => match error.refusal() {
                Refusal::PageTooLarge if limit > 1 => limit /= 2,
                Refusal::Question if first && options.may_leave_sort && !sort.is_empty() => {
                    sort = &[];
                }
                _ => return Err(ReadFault::Call(error)),
            },
        }
    }
    Err(ReadFault::Changed(why))
}

/// One pass over a list: the same order and the same limit on every page. A call that failed comes with whether it was
/// for the first page.
async fn pass<P: Pages>(
    list: &mut P,
    limit: u32,
    sort: &[Sort],
    extent: Extent,
) -> Result<ReadList<P::Entry>, ReadFault<(P::Error, bool)>> {
    let mut read: Option<ReadList<P::Entry>> = None;
    // A list may be long: of a reference its digest is enough, by a key that nobody outside knows.
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
        let received = offset + page.entries.len() as u64;
        if received > size {
            return changed(format!("{received} entries came of {size}"));
        }
        let mut entries = page.entries.iter().map(ListEntry::doc_ref);
        if let Some(twice) = entries.find(|entry| !seen.insert(digest.hash_one(*entry))) {
            return changed(format!("{twice} came twice"));
        }
        if list.is_too_large(offset, &page.entries) {
            return Err(ReadFault::TooLong {
                size,
                at_most: offset,
            });
        }
        let mut entries = page.entries;
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
