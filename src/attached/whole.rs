//! One list read whole (reading rules 2 and 3 of `docs/attached.md`).

use std::collections::HashSet;
use std::future::Future;

use super::{Refusal, Source};
use crate::domain::{DocRef, Document, Page, Sort, SuiteRow};

/// Passes over a list before it counts as not to be read whole: the first and two more.
const PASSES: u32 = 3;

/// One page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct Fetched<T> {
    /// Total number of matches (4.2).
    pub full_size: u64,
    /// The entries, each with its reference.
    pub entries: Vec<(DocRef, T)>,
}

/// A list that comes in pages.
pub trait Pages: Sync {
    /// One entry.
    type Entry: Send;
    /// Why a call failed.
    type Error: Send;

    /// One page of it.
    fn page(
        &self,
        page: Page,
        sort: &[Sort],
    ) -> impl Future<Output = Result<Fetched<Self::Entry>, Self::Error>> + Send;

    /// What a failure means for reading on.
    fn refusal(error: &Self::Error) -> Refusal;
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

    /// The references, in order.
    pub fn refs(&self) -> impl Iterator<Item = &DocRef> {
        self.entries.iter().map(|(doc_ref, _)| doc_ref)
    }
}

/// Why a list was not read whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReadFault<E> {
    /// A call failed.
    Call(E),
    /// The list changed during every try, or is longer than is read.
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
        let by_title = Sort {
            path: "Root.General.Title".into(),
            descending: false,
        };
        Self {
            page_size: 50,
            sort: vec![by_title],
            most: 100_000,
        }
    }
}

/// Reads a list whole, page by page, and begins again when it changes under way. `progress` gets (entries received,
/// entries in all).
pub async fn read_whole<P: Pages>(
    list: &P,
    reading: &Reading,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<WholeList<P::Entry>, ReadFault<P::Error>> {
    let mut pass = Pass {
        sort: &reading.sort,
        limit: reading.page_size.max(1),
        clamped: None,
    };
    let mut halved = false;
    let mut why = String::new();
    let mut passes = 0;
    while passes < PASSES {
        passes += 1;
        match pass.run(list, reading.most, progress).await {
            Ok(list) => {
                return Ok(WholeList {
                    unsorted: pass.sort.len() < reading.sort.len(),
                    ..list
                });
            }
            Err(Broken::Changed(what)) => why = what,
            Err(Broken::TooLong(why)) => return Err(ReadFault::NotReadWhole { why }),
            Err(Broken::Call { error, first }) => match P::refusal(&error) {
                // Neither counts as a pass: nothing was read yet, or the same is read in smaller pieces.
                Refusal::PageTooLarge if !halved && pass.limit > 1 => {
                    halved = true;
                    pass.limit /= 2;
                    passes -= 1;
                }
                Refusal::Service if first && !pass.sort.is_empty() => {
                    pass.sort = &[];
                    passes -= 1;
                }
                _ => return Err(ReadFault::Call(error)),
            },
        }
    }
    Err(ReadFault::NotReadWhole { why })
}

/// One pass over a list: the same order and the same limit on every page.
struct Pass<'a> {
    sort: &'a [Sort],
    limit: u32,
    clamped: Option<u32>,
}

/// What ended a pass early.
enum Broken<E> {
    Call { error: E, first: bool },
    Changed(String),
    TooLong(String),
}

impl Pass<'_> {
    async fn run<P: Pages>(
        &mut self,
        list: &P,
        most: u64,
        progress: &(dyn Fn(u64, u64) + Send + Sync),
    ) -> Result<WholeList<P::Entry>, Broken<P::Error>> {
        let mut entries: Vec<(DocRef, P::Entry)> = Vec::new();
        let mut seen = HashSet::new();
        let mut pages = 0;
        let mut full_size = None;
        loop {
            let offset = entries.len() as u64;
            let page = list
                .page(
                    Page {
                        offset,
                        limit: self.limit,
                    },
                    self.sort,
                )
                .await;
            let page = page.map_err(|error| Broken::Call {
                error,
                first: pages == 0,
            })?;
            pages += 1;
            let size = *full_size.get_or_insert(page.full_size);
            if page.full_size != size {
                return Err(Broken::Changed(format!(
                    "fullSize was {size} and became {}",
                    page.full_size
                )));
            }
            if size > most {
                return Err(Broken::TooLong(format!(
                    "{size} entries; at most {most} are read"
                )));
            }
            let received = page.entries.len() as u64;
            if offset + received > size {
                let more = offset + received;
                return Err(Broken::Changed(format!(
                    "{more} entries came although fullSize is {size}"
                )));
            }
            for (doc_ref, entry) in page.entries {
                if !seen.insert(doc_ref.clone()) {
                    return Err(Broken::Changed(format!("{doc_ref} came twice")));
                }
                entries.push((doc_ref, entry));
            }
            progress(entries.len() as u64, size);
            if entries.len() as u64 == size {
                return Ok(WholeList {
                    entries,
                    pages,
                    clamped: self.clamped,
                    unsorted: false,
                });
            }
            if received == 0 {
                return Err(Broken::Changed(format!(
                    "an empty page at {offset} of {size}"
                )));
            }
            if received < u64::from(self.limit) {
                self.clamped = u32::try_from(received).ok();
            }
        }
    }
}

/// All suites that can still be added to a run, whole.
pub async fn available_suites<S: Source>(
    source: &S,
    run: &DocRef,
    reading: &Reading,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<WholeList, ReadFault<S::Error>> {
    read_whole(&Available { source, run }, reading, progress).await
}

/// `GET_AVAILABLE_TEST_SUITES` of one run.
pub(super) struct Available<'a, S> {
    pub source: &'a S,
    pub run: &'a DocRef,
}

impl<S: Source> Pages for Available<'_, S> {
    type Entry = SuiteRow;
    type Error = S::Error;

    async fn page(&self, page: Page, sort: &[Sort]) -> Result<Fetched<SuiteRow>, S::Error> {
        let list = self.source.available(self.run, page, sort).await?;
        let entry = |document: &Document| {
            (
                document.doc_ref().clone(),
                SuiteRow::from_document(document),
            )
        };
        Ok(Fetched {
            full_size: list.full_size,
            entries: list.entries.iter().map(entry).collect(),
        })
    }

    fn refusal(error: &S::Error) -> Refusal {
        S::refusal(error)
    }
}
