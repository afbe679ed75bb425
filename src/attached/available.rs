//! `GET_AVAILABLE_TEST_SUITES`: the suites that can still be added to a run.

use super::prelude::*;
use crate::domain::fields::TITLE;
use crate::domain::{Document, ReadList, ReadOptions, read_all};

/// Most suites read of one run.
const MOST: u64 = 100_000;

/// Most bytes kept of one list, without the JSON of its suites.
const MOST_BYTES: usize = 96 << 20;

/// Most bytes of JSON kept with one list, enough for some ten thousand suites. Further suites have none.
const MOST_JSON: usize = 32 << 20;

/// Selects the suites of a list whose JSON is kept.
pub type KeepJson<'a> = &'a (dyn Fn(&DocRef) -> bool + Sync);

/// All suites that can be added to a run.
pub type SuiteList = ReadList<SuiteRow>;

/// Sorts by title, the only path that the interface document spells out (4.2).
pub fn by_title() -> Vec<Sort> {
    vec![Sort::by(TITLE.path, false)]
}

/// Returns all suites that can still be added to a run, with their JSON. `progress` gets the number of suites received
/// and of all.
pub async fn available_suites<S: SurveySource>(
    source: &S,
    run: &DocRef,
    page_size: u32,
    progress: Progress<'_>,
) -> Result<SuiteList, ReadFault> {
    read_list(SuitePages::of(source, run, &|_| true), page_size, progress).await
}

/// Receives the progress after each page: suites received, suites in all.
type Progress<'a> = &'a (dyn Fn(u64, u64) + Send + Sync);

pub async fn read_list<'a, S: SurveySource>(
    list: SuitePages<'a, S>,
    page_size: u32,
    progress: Progress<'a>,
) -> Result<SuiteList, ReadFault> {
    let options = ReadOptions {
        page_size,
        sort: by_title(),
        may_leave_sort: true,
        extent: Extent::All { at_most: MOST },
    };
    read_all(&mut SuitePages { progress, ..list }, &options).await
}

/// Estimates the memory of suites, in bytes.
pub fn bytes(suites: &[SuiteRow]) -> usize {
    suites.iter().map(SuiteRow::bytes).sum()
}

/// Pages of the list of one run.
pub struct SuitePages<'a, S> {
    source: &'a S,
    run: &'a DocRef,
    keep: KeepJson<'a>,
    progress: Progress<'a>,
    /// Bytes read so far.
    bytes: usize,
    /// Bytes of JSON kept so far.
    json: usize,
}

impl<'a, S> SuitePages<'a, S> {
    pub fn of(source: &'a S, run: &'a DocRef, keep: KeepJson<'a>) -> Self {
        Self {
            source,
            run,
            keep,
            progress: &|_, _| {},
            bytes: 0,
            json: 0,
        }
    }

    fn row(&mut self, document: &Document) -> SuiteRow {
        if !(self.keep)(document.doc_ref()) {
            return SuiteRow::without_json(document);
        }
        let mut row = SuiteRow::from_document(document);
        let room = MOST_JSON - self.json;
        row.json.take_if(|json| json.len() > room);
        self.json += row.json.as_ref().map_or(0, |json| json.len());
        row
    }
}

impl<S: SurveySource> Pages for SuitePages<'_, S> {
    type Entry = SuiteRow;
    type Error = Failure;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<ListPage<SuiteRow>, Failure> {
        let list = self.source.available(self.run, page, sort).await?;
        if page.offset == 0 {
            self.json = 0;
        }
        Ok(ListPage {
            full_size: list.full_size,
            rows: list.rows.iter().map(|it| self.row(it)).collect(),
            facets: None,
            operation: None,
        })
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn no_more_json_is_kept_than_may_be_and_what_is_small_still_is() {
        let run = DocRef::parse("TestRun-dm/1").unwrap();
        let mut pages = SuitePages::of(&(), &run, &|_| true);
        let suite = |bytes| {
            let document = Document::from_value(json!({
                "docRef": "TestSuite-dm/1",
                "document": {"Root": {"General": {"Description": "x".repeat(bytes)}}},
            }));
            document.unwrap()
        };
        let sizes = [MOST_JSON / 2, MOST_JSON, MOST_JSON / 2, 100];
        let kept = sizes.map(|bytes| pages.row(&suite(bytes)).json.is_some());
        assert_eq!(kept, [true, false, false, true]);
    }
}
