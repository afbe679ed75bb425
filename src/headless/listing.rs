//! Reading of a list of runs for a command: the wanted part, or an error.

use super::prelude::*;
use crate::domain::text::{count, thousands};
use crate::domain::{ListPage, PASSES, Page, Pages, ReadFault, ReadList, Sort, read_all};

/// Handles the runs of a page; the number is the place of the first. Returns the runs to keep in memory, and true if no
/// further page is wanted.
pub type Keep<'a> = dyn FnMut(u64, Vec<RunRow>) -> Ran<(Vec<RunRow>, bool)> + 'a;

/// Reads the runs of a filter page by page, with progress.
pub async fn read(
    access: &mut Access,
    filter: &Filter,
    options: &ReadOptions,
    keep: &mut Keep<'_>,
) -> Result<ReadList<RunRow>, ReadFault<EarlyExit>> {
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
    type Error = EarlyExit;

    async fn page(&mut self, page: Page, sort: &[Sort]) -> Ran<ListPage<RunRow>> {
        let filter = self.filter;
        Ok(self
            .access
            .call(async |client| client.reader.list_runs(page, sort, filter).await)
            .await??)
    }

    fn keep(&mut self, at: u64, rows: Vec<RunRow>) -> Ran<Vec<RunRow>> {
        let (kept, enough) = (self.keep)(at, rows)?;
        self.enough = enough;
        Ok(kept)
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

impl From<ReadFault<EarlyExit>> for EarlyExit {
    fn from(fault: ReadFault<EarlyExit>) -> Self {
        let words = match fault {
            ReadFault::Call(stop) => return stop,
            ReadFault::Changed(why) => format!(
                "the list of runs changed during each of {PASSES} readings, or counts otherwise than it lists (in the last \
                 one: {why}); a part of it is not printed. Try again when fewer people edit."
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
