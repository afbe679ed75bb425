//! Suites in no open run of a release: those that can be added to each of its runs.

use std::cmp::Reverse;
use std::pin::pin;

use futures_util::{StreamExt as _, stream};

use super::SuiteList;
use super::available::{SuitePages, read_list};
use super::prelude::*;
use super::runs::read_runs;
use super::survey::Telling;
use crate::domain::query_language::Range;
use crate::domain::text;

/// Most runs searched for those of the release.
const MOST: u64 = 100_000;

/// Number of lists read at the same time.
const AT_ONCE: usize = 2;

/// An open run whose list could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftOut {
    /// Name of the run.
    pub run: String,
    /// The reason, to follow the name.
    pub why: String,
}

/// The common suites of the lists of a release's open runs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InNoRun {
    /// Suites in every list that was read, by `Order`.
    pub suites: Vec<SuiteRow>,
    /// The open runs.
    pub runs: Vec<RunRow>,
    /// Number of sub projects of the runs; with several no list is read, as each has suites of its own.
    pub subprojects: usize,
    /// Open runs whose lists could not be read.
    pub unread: Vec<LeftOut>,
    /// True if the sum of attached and free suites differs between runs.
    pub contradict: bool,
    /// Time of the last reading, epoch milliseconds.
    pub at: i64,
}

impl InNoRun {
    /// Returns the possible numbers of suites in none of the runs, of which `found` were found: fewer if a list is
    /// missing, unknown if the lists contradict each other or none was read.
    pub fn range(&self, found: usize) -> Range {
        let none_read = self.subprojects > 1 || self.unread.len() == self.runs.len();
        if self.contradict || none_read {
            return Range::UNKNOWN;
        }
        Range::at_most(found as u64, self.unread.is_empty())
    }

    /// Describes why the number is not known, or may be lower than `found`, the number of those that were found.
    pub fn doubts(&self, found: usize) -> impl Iterator<Item = String> {
        let several = (self.subprojects > 1).then(|| {
            let all = self.subprojects;
            format!("how many is not known: the runs are of {all} sub projects, use one of them")
        });
        let all = self.runs.len();
        let read = all - self.unread.len();
        let may_be_fewer = read == 0 || found > 0;
        let unread = (may_be_fewer && read < all).then(|| {
            let so = match read {
                0 => "how many is not known",
                _ => "there may be fewer",
            };
            let why = self.unread.iter().map(|it| &*it.why);
            let named = why.collect::<BTreeSet<&str>>().into_iter().map(|why| {
                let unread = self.unread.iter().filter(|it| it.why == why);
                let names: Vec<&String> = unread.map(|it| &it.run).collect();
                format!("{}: {why}", text::few(&names))
            });
            format!(
                "{so}: {read} of {all} runs read: {}",
                text::join(named, "; ")
            )
        });
        let contradict = self
            .contradict
            .then(|| "how many is not known: the lists contradict each other".to_owned());
        several.into_iter().chain(unread).chain(contradict)
    }
}

/// Size of the scope by the list of one run.
struct Sum<'a> {
    run: &'a RunRow,
    count: i64,
    free: u64,
}

/// Returns the open runs of a release, by its version and sub project, if there is one; those with the most suites
/// first.
pub async fn runs_of_release<S: SurveySource>(
    source: &S,
    release: &Scope,
    page_size: u32,
) -> Result<Vec<RunRow>, ReadFault> {
    let extent = Extent::All { at_most: MOST };
    let mut runs = read_runs(source, release, page_size, extent).await?.entries;
    runs.retain(|row| !row.is_closed() && release.has(row));
    runs.sort_by_key(|row| Reverse(row.suite_count));
    Ok(runs)
}

/// Reads the lists of these open runs of a release, two at once, until they have no common suite left.
pub async fn in_no_run<S: SurveySource>(
    source: &S,
    release: &Scope,
    runs: Vec<RunRow>,
    page_size: u32,
    progress: Telling<'_>,
) -> Result<InNoRun, ReadFault> {
    let subprojects = runs.iter().map(place).collect::<HashSet<_>>().len();
    let (mut suites, mut sums, mut unread) = (Vec::new(), Vec::new(), Vec::new());
    let list = async |at: usize, keep: bool| {
        let (run, number, all) = (&runs[at], at + 1, runs.len());
        progress(format_args!("{}: {number} of {all} lists", run.name()));
        list_of(source, run, page_size, keep).await
    };
    // The first readable list has every possible common suite.
    let mut first = 0;
    while subprojects == 1 && first < runs.len() {
        match list(first, true).await? {
            Ok(read) => {
                sums.extend(sum_of(&runs[first], &read));
                suites = read.entries;
                break;
            }
            Err(why) => unread.push(why),
        }
        first += 1;
    }
    {
        let rest = (first + 1..runs.len()).map(async |at| (at, list(at, false).await));
        let mut lists = pin!(stream::iter(rest).buffered(AT_ONCE));
        while !suites.is_empty()
            && let Some((at, read)) = lists.next().await
        {
            match read? {
                Ok(read) => {
                    sums.extend(sum_of(&runs[at], &read));
                    let free: HashSet<&DocRef> = read.refs().collect();
                    suites.retain(|suite| free.contains(&suite.doc_ref));
                }
                Err(why) => unread.push(why),
            }
        }
    }
    let mut contradict = disagree(&sums);
    if contradict {
        // Runs that another user has changed meanwhile do not count.
        let after = runs_of_release(source, release, page_size).await?;
        let same = |sum: &Sum<'_>| {
            let mut rows = after.iter();
            let row = rows.find(|row| row.doc_ref == sum.run.doc_ref);
            row.is_some_and(|row| row.suite_count == Some(sum.count))
        };
        sums.retain(same);
        contradict = disagree(&sums);
    }
    suites.sort_by(SuiteRow::by_order);
    Ok(InNoRun {
        suites,
        subprojects,
        contradict,
        unread,
        at: source.now(),
        runs,
    })
}

/// Project and sub project of a run of a release; `_`, no text and no member are none (2.2).
fn place(run: &RunRow) -> [Option<&str>; 2] {
    [&run.project, &run.subproject].map(|id| id.as_deref().filter(|id| !matches!(*id, "" | "_")))
}

/// Reads the list of a run, with the JSON of its suites or without; or returns why it cannot be used.
async fn list_of<S: SurveySource>(
    source: &S,
    row: &RunRow,
    page_size: u32,
    keep: bool,
) -> Result<Result<SuiteList, LeftOut>, ReadFault> {
    let left_out = |why: &str| {
        Ok(Err(LeftOut {
            run: row.name().to_owned(),
            why: why.to_owned(),
        }))
    };
    if row.doc_ref.acts().is_some() {
        return left_out("nothing is asked about such a reference");
    }
    let keep = |_: &DocRef| keep;
    let pages = SuitePages::of(source, &row.doc_ref, &keep);
    match read_list(pages, page_size, &|_, _| {}).await {
        Ok(list) => Ok(Ok(list)),
        Err(ReadFault::Call(error)) if error.kind.is_answer() => left_out("its list was refused"),
        Err(ReadFault::Call(error)) if error.kind.is_of_the_call() => {
            left_out("its list could not be read")
        }
        Err(ReadFault::Call(error)) => Err(ReadFault::Call(error)),
        Err(_) => left_out("its list could not be read whole"),
    }
}

fn sum_of<'a>(run: &'a RunRow, list: &SuiteList) -> Option<Sum<'a>> {
    Some(Sum {
        run,
        count: run.suite_count?,
        free: list.entries.len() as u64,
    })
}

/// True if two runs have different sums.
fn disagree(sums: &[Sum<'_>]) -> bool {
    let mut all = sums
        .iter()
        .map(|sum| sum.count.saturating_add_unsigned(sum.free));
    let first = all.next();
    all.any(|sum| Some(sum) != first)
}
