//! The list of runs, read whole or as far as was asked for: never a part that looks like the whole.

use std::collections::HashSet;

use super::Stop;
use super::access::Access;
use crate::domain::{Filter, Page, RunRow, RunsOperation, Sort};
use crate::rpc::{CallError, CallErrorKind};

/// Readings of a list that changes under way: the first, and three from the start again.
const READINGS: u32 = 4;

/// Which runs are wanted.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Filter.
    pub filter: Filter,
    /// Order.
    pub sorts: Vec<Sort>,
    /// The order is the program's own: it is left out where the service refuses it.
    pub may_leave_sort: bool,
    /// Runs wanted at most; all of them where there is no number.
    pub most: Option<u64>,
}

/// The runs as they were read.
#[derive(Debug)]
pub struct Runs {
    /// The runs in order.
    pub rows: Vec<RunRow>,
    /// How many there are, read or not.
    pub full_size: u64,
    /// Where they come from.
    pub operation: RunsOperation,
    /// The service refused the order.
    pub unsorted: bool,
}

/// Why a reading came to nothing.
enum Broken {
    Call { error: CallError, first: bool },
    Changed(String),
    Stop(Stop),
}

/// Reads the runs whole, or as far as was asked for.
pub async fn read(access: &mut Access, query: &Query) -> Result<Runs, Stop> {
    let runs = readings(access, query).await;
    access.progress.clear();
    runs
}

/// Reads until the list holds still. A page that is too large is halved once; a list that changes is read from the start again.
async fn readings(access: &mut Access, query: &Query) -> Result<Runs, Stop> {
    let mut query = query.clone();
    let mut limit = access.connection.client.settings.page_size;
    let (mut halved, mut unsorted) = (false, false);
    let mut why = String::new();
    let mut readings = 0;
    while readings < READINGS {
        match reading(access, &query, limit).await {
            Ok(runs) => return Ok(Runs { unsorted, ..runs }),
            Err(Broken::Changed(what)) => {
                why = what;
                readings += 1;
            }
            Err(Broken::Call { error, .. })
                if error.is_page_too_large() && !halved && limit > 1 =>
            {
                halved = true;
                limit /= 2;
            }
            Err(Broken::Call { error, first: true }) if query.may_leave_sort && refuses(&error) => {
                query.sorts.clear();
                query.may_leave_sort = false;
                unsorted = true;
            }
            Err(Broken::Call { error, .. }) => return Err(error.into()),
            Err(Broken::Stop(stop)) => return Err(stop),
        }
    }
    let words = format!(
        "the list of runs changed during each of {READINGS} readings (in the last one: {why}); a part of it is not printed. \
         Try again when fewer people edit."
    );
    Err(Stop {
        may_pass: true,
        ..Stop::service(words)
    })
}

/// Reads the pages one after the other: onward by what was received.
async fn reading(access: &mut Access, query: &Query, limit: u32) -> Result<Runs, Broken> {
    let mut before: Option<Runs> = None;
    let mut seen = HashSet::new();
    loop {
        let offset = before.as_ref().map_or(0, |runs| runs.rows.len() as u64);
        let left = query.most.map_or(u64::from(limit), |most| most - offset);
        let page = Page {
            offset,
            limit: limit.min(u32::try_from(left).unwrap_or(u32::MAX)),
        };
        let got = access
            .call(async |client| client.lister.list(page, &query.sorts, &query.filter).await)
            .await
            .map_err(Broken::Stop)?
            .map_err(|error| Broken::Call {
                error,
                first: offset == 0,
            })?;
        let (size, operation) = (got.full_size, got.operation);
        let mut runs = before.take().unwrap_or(Runs {
            rows: Vec::new(),
            full_size: size,
            operation,
            unsorted: false,
        });
        if size != runs.full_size {
            return Err(Broken::Changed(format!(
                "fullSize was {} and became {size}",
                runs.full_size
            )));
        }
        if operation != runs.operation {
            return Err(Broken::Changed("LIST_TEST_RUNS went away".into()));
        }
        let received = got.rows.len() as u64;
        if offset + received > size {
            return Err(Broken::Changed(format!(
                "{} entries came although fullSize is {size}",
                offset + received
            )));
        }
        if let Some(twice) = got
            .rows
            .iter()
            .find(|row| !seen.insert(row.doc_ref.clone()))
        {
            return Err(Broken::Changed(format!("{} came twice", twice.doc_ref)));
        }
        runs.rows.extend(got.rows);
        let wanted = query.most.map_or(size, |most| most.min(size));
        if runs.rows.len() as u64 >= wanted {
            runs.rows
                .truncate(usize::try_from(wanted).unwrap_or(usize::MAX));
            return Ok(runs);
        }
        if received == 0 {
            return Err(Broken::Changed(format!(
                "an empty page at {offset} of {size}"
            )));
        }
        access
            .progress
            .say(&format!("{} of {wanted} runs", runs.rows.len()));
        before = Some(runs);
    }
}

/// The service worded an error of its own: it may not like the order.
fn refuses(error: &CallError) -> bool {
    matches!(error.kind, CallErrorKind::Service(_)) && !error.may_retry()
}
