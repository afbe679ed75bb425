//! Suites in no open run of a release: of each of its scopes those that can be added to each of its runs.

use std::cmp::Reverse;
use std::pin::pin;

use futures_util::{StreamExt as _, stream};

use super::SuiteList;
use super::available::{SuitePages, read_list};
use super::prelude::*;
use super::runs::read_runs;
use super::survey::Telling;
use crate::domain::query_language::Range;

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

/// The common suites of the lists of a release's open runs, of each scope by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct InNoRun {
    /// Suites in every list of a scope that was read, by `Order`.
    pub suites: Vec<SuiteRow>,
    /// The open runs, those of one scope together.
    pub runs: Vec<RunRow>,
    /// The suites of each scope, in the order of `runs`.
    pub of_scopes: Vec<HashSet<DocRef>>,
    /// Open runs whose lists could not be read.
    pub unread: Vec<LeftOut>,
    /// True if no list of a scope could be read.
    pub is_unknown: bool,
    /// True if the sum of attached and free suites differs between runs, or a suite is of two scopes.
    pub contradict: bool,
    /// Time of the last reading, epoch milliseconds.
    pub at: i64,
}

impl InNoRun {
    /// Returns the runs to which all of these suites can be added: those of their scope, none if they are of several.
    pub fn runs_for(&self, suites: &[&SuiteRow]) -> impl Iterator<Item = &RunRow> {
        let takes = |free: &HashSet<DocRef>| suites.iter().all(|it| free.contains(&it.doc_ref));
        let scopes = of_scopes(&self.runs).zip(&self.of_scopes);
        scopes
            .filter(move |(_, free)| takes(free))
            .flat_map(|(runs, _)| runs)
    }

    /// Returns the possible numbers of suites in none of the runs, of which `found` were found: fewer if a list is
    /// missing, unknown if the lists contradict each other or none of a scope was read.
    pub fn range(&self, found: usize) -> Range {
        if self.contradict || self.is_unknown || self.runs.is_empty() {
            return Range::UNKNOWN;
        }
        Range::at_most(found as u64, self.unread.is_empty())
    }

    /// Describes why the number may be lower.
    pub fn doubts(&self) -> impl Iterator<Item = String> {
        let all = self.runs.len();
        let unread = self.unread.first().map(|LeftOut { run, why }| {
            let read = all - self.unread.len();
            let so = if self.is_unknown {
                "how many is not known"
            } else {
                "there may be fewer"
            };
            format!("{so}: {read} of {all} runs read: {run}: {why}")
        });
        let contradict = self
            .contradict
            .then(|| "how many is not known: the lists contradict each other".to_owned());
        unread.into_iter().chain(contradict)
    }
}

/// Intermediate result of reading the lists.
#[derive(Default)]
struct ListsRead<'a> {
    suites: Vec<SuiteRow>,
    /// Those of each scope.
    of_scopes: Vec<HashSet<DocRef>>,
    sums: Vec<Sum<'a>>,
    unread: Vec<LeftOut>,
    /// True if no list of a scope could be read.
    is_unknown: bool,
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
) -> Result<Vec<RunRow>, ReadFault<S::Error>> {
    let extent = Extent::All { at_most: MOST };
    let mut runs = read_runs(source, release, page_size, extent).await?.entries;
    runs.retain(|row| !row.is_closed() && release.has(row));
    runs.sort_by_key(|row| Reverse(row.suite_count));
    Ok(runs)
}

/// Reads the lists of these open runs of a release, two at once, until those of each scope have no common suite left.
pub async fn in_no_run<S: SurveySource>(
    source: &S,
    release: &Scope,
    mut runs: Vec<RunRow>,
    page_size: u32,
    progress: Telling<'_>,
) -> Result<InNoRun, ReadFault<S::Error>> {
    runs.sort_by(|a, b| place(a).cmp(&place(b)));
    let mut all = ListsRead::default();
    let mut before = 0;
    for of_scope in of_scopes(&runs) {
        let number = (before, runs.len());
        common(source, of_scope, page_size, (progress, number), &mut all).await?;
        before += of_scope.len();
    }
    let ListsRead {
        mut suites,
        of_scopes,
        mut sums,
        unread,
        is_unknown,
    } = all;
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
    let found = suites.len();
    suites.sort_by(|a, b| a.doc_ref.cmp(&b.doc_ref));
    suites.dedup_by(|a, b| a.doc_ref == b.doc_ref);
    contradict |= suites.len() < found;
    suites.sort_by(SuiteRow::by_order);
    Ok(InNoRun {
        suites,
        of_scopes,
        is_unknown,
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

/// The runs of each scope of a release.
fn of_scopes(runs: &[RunRow]) -> impl Iterator<Item = &[RunRow]> {
    runs.chunk_by(|a, b| place(a) == place(b))
}

/// Reads the lists of the runs of a scope until they have no common suite left, and adds their suites. The numbers are
/// those of the runs before and of all.
async fn common<'a, S: SurveySource>(
    source: &S,
    runs: &'a [RunRow],
    page_size: u32,
    (progress, (before, all)): (Telling<'_>, (usize, usize)),
    common: &mut ListsRead<'a>,
) -> Result<(), ReadFault<S::Error>> {
    let list = async |at: usize, keep: bool| {
        let (name, number) = (runs[at].name(), before + at + 1);
        progress(format_args!("{name}: {number} of {all} lists"));
        list_of(source, &runs[at], page_size, keep).await
    };
    let mut suites = Vec::new();
    // The first readable list has every possible common suite.
    let mut first = 0;
    while first < runs.len() {
        match list(first, true).await? {
            Ok(read) => {
                common.sums.extend(sum_of(&runs[first], &read));
                suites = read.entries;
                break;
            }
            Err(why) => common.unread.push(why),
        }
        first += 1;
    }
    common.is_unknown |= first == runs.len();
    let rest = (first + 1..runs.len()).map(async |at| (at, list(at, false).await));
    let mut lists = pin!(stream::iter(rest).buffered(AT_ONCE));
    while !suites.is_empty()
        && let Some((at, read)) = lists.next().await
    {
        match read? {
            Ok(read) => {
                common.sums.extend(sum_of(&runs[at], &read));
                let free: HashSet<&DocRef> = read.refs().collect();
                suites.retain(|suite| free.contains(&suite.doc_ref));
            }
            Err(why) => common.unread.push(why),
        }
    }
    let of_scope = suites.iter().map(|suite| suite.doc_ref.clone());
    common.of_scopes.push(of_scope.collect());
    common.suites.append(&mut suites);
    Ok(())
}

/// Reads the list of a run, with the JSON of its suites or without; or returns why it cannot be used.
async fn list_of<S: SurveySource>(
    source: &S,
    row: &RunRow,
    page_size: u32,
    keep: bool,
) -> Result<Result<SuiteList, LeftOut>, ReadFault<S::Error>> {
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
        Err(ReadFault::Call(error)) if error.refusal().is_answer() => {
            left_out("its list was refused")
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

/// True if two runs of one scope have different sums.
fn disagree(sums: &[Sum<'_>]) -> bool {
    let all = |sum: &Sum<'_>| sum.count.saturating_add_unsigned(sum.free);
    sums.iter().enumerate().any(|(at, one)| {
        let mut others = sums[at + 1..].iter();
        others.any(|other| all(other) != all(one) && place(other.run) == place(one.run))
    })
}
