//! `GET_AVAILABLE_TEST_SUITES`: what can still be added to a run.

use super::SurveySource;
use crate::domain::fields::TITLE;
use crate::domain::{
    DocRef, Extent, Fetched, Page, Pages, ReadFault, ReadList, ReadOptions, Refusal, Sort,
    SuiteRow, read_all,
};

/// Most suites of one run that are read.
const MOST: u64 = 100_000;

/// Most bytes of one list that are kept.
const MOST_BYTES: usize = 96 << 20;

/// The suites that can be added to a run, whole.
pub type SuiteList = ReadList<SuiteRow>;

/// By title, the only path the interface document writes out (4.2).
pub(super) fn by_title() -> Vec<Sort> {
    vec![Sort {
        path: TITLE.path.into(),
        descending: false,
    }]
}

/// All suites that can still be added to a run. `progress` gets (suites received, suites in all).
pub async fn available_suites<S: SurveySource>(
    source: &S,
    run: &DocRef,
    page_size: u32,
    progress: &(dyn Fn(u64, u64) + Send + Sync),
) -> Result<SuiteList, ReadFault<S::Error>> {
    let options = ReadOptions {
        page_size,
        sort: by_title(),
        may_leave_sort: true,
        extent: Extent::All { at_most: MOST },
    };
    let mut list = SuitePages {
        progress,
        ..SuitePages::of(source, run)
    };
    read_all(&mut list, &options).await
}

/// About what the suites take in memory.
pub(super) fn bytes(suites: &[SuiteRow]) -> usize {
    suites.iter().map(SuiteRow::bytes).sum()
}

/// The list of one run.
pub(super) struct SuitePages<'a, S> {
    source: &'a S,
    run: &'a DocRef,
    progress: &'a (dyn Fn(u64, u64) + Send + Sync),
    /// Bytes of what was read so far.
    bytes: usize,
}

impl<'a, S> SuitePages<'a, S> {
    pub fn of(source: &'a S, run: &'a DocRef) -> Self {
        Self {
            source,
            run,
            progress: &|_, _| {},
            bytes: 0,
        }
    }
}

impl<S: SurveySource> Pages for SuitePages<'_, S> {
    type Entry = SuiteRow;
    type Error = S::Error;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<Fetched<SuiteRow>, S::Error> {
        let list = self.source.available(self.run, page, sort).await?;
        Ok(Fetched {
            full_size: list.full_size,
            entries: list.entries.iter().map(SuiteRow::from_document).collect(),
            operation: None,
        })
    }

    fn refusal(error: &S::Error) -> Refusal {
        S::refusal(error)
    }

    fn is_too_large(&mut self, at: u64, page: &[SuiteRow]) -> bool {
        if at == 0 {
            self.bytes = 0;
        }
        self.bytes += bytes(page);
        self.bytes > MOST_BYTES
    }

    fn progress(&mut self, received: u64, wanted: u64) {
        (self.progress)(received, wanted);
    }
}
