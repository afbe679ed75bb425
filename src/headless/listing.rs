//! Reading of a list of runs for a command: the wanted part, or an error.

use super::prelude::*;
use crate::domain::text::{count, thousands};
use crate::domain::{
    ListPage, PASSES, Page, PageError, Pages, ReadFault, ReadList, Refusal, Sort, read_all,
};

/// A failed page: the kind of refusal, and the error.
pub type NoPage = (Refusal, EarlyExit);

/// Handles the runs of a page; the number is the place of the first. Returns the runs to keep in memory, and true if no
/// further page is wanted.
pub type Keep<'a> = dyn FnMut(u64, Vec<RunRow>) -> Ran<(Vec<RunRow>, bool)> + 'a;

/// Reads the runs of a filter page by page, with progress.
pub async fn read(
    access: &mut Access,
    filter: &Filter,
    options: &ReadOptions,
    keep: &mut Keep<'_>,
) -> Result<ReadList<RunRow>, ReadFault<NoPage>> {
    let mut list = Listing {
        access,
        filter,
        keep,
        enough: false,
    };
    let runs = read_all(&mut list, options).await;
    access.progress.clear();
    runs
}

struct Listing<'a> {
    access: &'a mut Access,
    filter: &'a Filter,
    keep: &'a mut Keep<'a>,
    enough: bool,
}

impl Pages for Listing<'_> {
    type Entry = RunRow;
    type Error = NoPage;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Result<ListPage<RunRow>, NoPage> {
        let filter = self.filter;
        self.access
            .call(async |client| client.reader.list_runs(page, sort, filter).await)
            .await
            .map_err(|stop| (Refusal::Other, stop))?
            .map_err(|error| (error.refusal(), error.into()))
    }

    fn keep(&mut self, at: u64, rows: Vec<RunRow>) -> Result<Vec<RunRow>, NoPage> {
        let kept = (self.keep)(at, rows).map_err(|stop| (Refusal::Other, stop));
        kept.map(|(rows, enough)| {
            self.enough = enough;
            rows
        })
    }

    fn is_enough(&mut self, _kept: &[RunRow], _sorted: bool) -> bool {
        self.enough
    }

    fn progress(&mut self, received: u64, wanted: u64) {
        if received < wanted {
            let words = format!("{} of {}", thousands(received), count(wanted, "run"));
            self.access.progress.say(&words);
        }
    }
}

impl PageError for NoPage {
    fn refusal(&self) -> Refusal {
        self.0
    }
}

impl From<ReadFault<NoPage>> for EarlyExit {
    fn from(fault: ReadFault<NoPage>) -> Self {
        let words = match fault {
            ReadFault::Call((_, stop)) => return stop,
            ReadFault::Changed(why) => format!(
                "the list of runs changed during each of {PASSES} readings (in the last one: {why}); a part of it is not \
                 printed. Try again when fewer people edit."
            ),
            ReadFault::TooLong { size, at_most } => {
                return Exit::Service.because(format!(
                    "there are {}; at most {} are read. --limit N reads the first N of them",
                    count(size, "run"),
                    thousands(at_most)
                ));
            }
        };
        Self {
            may_pass: true,
            ..Exit::Service.because(words)
        }
    }
}
