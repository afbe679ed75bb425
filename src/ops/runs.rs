//! The runs of a filter, read whole.

use super::client::Client;
use super::survey;
use super::write::{Progress, Tell};
use crate::domain::{
    Extent, Failure, Fetched, Filter, Page, Pages, ReadList, ReadOptions, Refusal, RunRow, Sort,
    read_all,
};
use crate::rpc::CallError;

/// Most bytes of one list that are kept.
const MOST_BYTES: usize = 256 << 20;

impl Client {
    /// All runs that a filter finds, if they are no more than that; in the service's own order where it refuses this one.
    pub async fn read_runs(
        &self,
        filter: &Filter,
        sort: Vec<Sort>,
        at_most: u64,
        tell: &Tell,
    ) -> Result<Box<ReadList<RunRow>>, Failure> {
        let options = ReadOptions {
            page_size: self.settings.page_size,
            sort,
            may_leave_sort: true,
            extent: Extent::All { at_most },
        };
        let mut list = AllRuns {
            client: self,
            filter,
            tell,
            bytes: 0,
        };
        let read = read_all(&mut list, &options).await;
        read.map(Box::new)
            .map_err(|fault| survey::not_whole("all runs of the view", &fault))
    }
}

struct AllRuns<'a> {
    client: &'a Client,
    filter: &'a Filter,
    tell: &'a Tell,
    /// Bytes of what was read so far.
    bytes: usize,
}

impl Pages for AllRuns<'_> {
    type Entry = RunRow;
    type Error = CallError;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<Fetched<RunRow>, CallError> {
        Ok(self
            .client
            .lister
            .list(page, sort, self.filter)
            .await?
            .into())
    }

    fn refusal(error: &CallError) -> Refusal {
        error.refusal()
    }

    fn is_too_large(&mut self, at: u64, page: &[RunRow]) -> bool {
        if at == 0 {
            self.bytes = 0;
        }
        self.bytes += page.iter().map(RunRow::bytes).sum::<usize>();
        self.bytes > MOST_BYTES
    }

    fn progress(&mut self, received: u64, full_size: u64) {
        (self.tell)(Progress::Received {
            received,
            full_size,
        });
    }
}
