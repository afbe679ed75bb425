//! The lists of the other runs: selection and agreement.

use super::prelude::*;
use super::{Evidence, OtherRun, SuiteList};
use crate::domain::text;

/// Another run whose list is used.
pub struct Used<'a> {
    pub run: &'a OtherRun,
    pub list: &'a SuiteList,
    /// True if its number of suites is known, and so its sum.
    pub counted: bool,
    /// True if it was empty before and after its list was read.
    pub empty: bool,
}

/// The lists that are used.
#[derive(Default)]
pub struct Lists<'a> {
    pub used: Vec<Used<'a>>,
    /// The sums of the runs, that of the target first.
    sums: Vec<RunSum<'a>>,
    /// True if the target has a sum among them.
    pub target_counted: bool,
}

/// `TestSuiteCount + fullSize` of one run of the scope.
struct RunSum<'a> {
    /// Name of the run.
    run: &'a str,
    /// `TestSuiteCount`.
    count: u64,
    /// `fullSize` of its available suites.
    free: u64,
}

impl RunSum<'_> {
    /// Returns the sum that must be the same for all runs.
    fn sum(&self) -> u64 {
        self.count + self.free
    }

    fn words(&self) -> String {
        let Self { run, count, free } = self;
        format!(
            "{run} has {} and {} more to add",
            text::count(*count, "suite"),
            text::thousands(*free)
        )
    }
}

impl<'a> Lists<'a> {
    /// Leaves out runs that changed during the reading, that could not be read completely, or whose lists have other
    /// scopes than the target (rule 5).
    pub fn gather(evidence: &'a Evidence, free: &BTreeSet<&DocRef>, count: Option<u64>) -> Self {
        let target = &evidence.target;
        let mut out = Self {
            target_counted: count.is_some(),
            ..Self::default()
        };
        out.sums.extend(count.map(|count| RunSum {
            run: &target.name,
            count,
            free: free.len() as u64,
        }));
        let list = target.free_before.as_deref();
        let mut scopes = scopes_of(list.map_or(&[], |list| &list.entries));
        for run in &evidence.other_runs {
            let Some(list) = &run.free else {
                continue;
            };
            let empty = run.empty.is_some_and(|empty| empty.before && empty.after);
            let Ok(count) = settled(run.count_before, run.count_after) else {
                continue;
            };
            let here = scopes_of(&list.entries);
            if !here.is_empty() && scopes.is_empty() {
                scopes.clone_from(&here);
            }
            if !here.is_empty() && here != scopes {
                continue;
            }
            let count = count.or(empty.then_some(0));
            out.sums.extend(count.map(|count| RunSum {
                run: &run.name,
                count,
                free: list.full_size,
            }));
            out.used.push(Used {
                run,
                list,
                counted: count.is_some(),
                empty,
            });
        }
        out
    }

    /// Returns a run that was empty.
    pub fn empty_run(&self) -> Option<&Used<'a>> {
        self.used.iter().find(|used| used.empty)
    }

    /// Returns the size of the universe if all sums agree and one of them is of another run.
    pub fn universe(&self) -> Option<u64> {
        let first = self.sums.first()?.sum();
        let enough = self.sums.len() > usize::from(self.target_counted);
        (enough && self.sums.iter().all(|sum| sum.sum() == first)).then_some(first)
    }

    /// Returns the suites in any list.
    pub fn seen<'b>(&'b self, free: &BTreeSet<&'b DocRef>) -> BTreeSet<&'b DocRef> {
        free.iter()
            .copied()
            .chain(self.used.iter().flat_map(|used| used.list.refs()))
            .collect()
    }

    /// Returns the suites of the other lists that are not free on the target, each with the runs that list it.
    pub fn elsewhere(
        &self,
        free: &BTreeSet<&DocRef>,
    ) -> BTreeMap<&'a DocRef, (&'a SuiteRow, Vec<&Used<'a>>)> {
        let mut found: BTreeMap<&DocRef, (&SuiteRow, Vec<&Used<'_>>)> = BTreeMap::new();
        for used in &self.used {
            for row in &used.list.entries {
                let suite = &row.doc_ref;
                if !free.contains(suite) {
                    found.entry(suite).or_insert((row, Vec::new())).1.push(used);
                }
            }
        }
        found
    }

    /// Describes the contradictions between readings: invariant I1, the size of the universe against the suites seen,
    /// the list of an empty run against all others, `CHECK_TEST_RUN_EMPTY` against the count.
    pub fn contradictions(
        &self,
        free: &BTreeSet<&DocRef>,
        empty: Option<bool>,
        count: Option<u64>,
    ) -> Vec<String> {
        let mut out = Vec::new();
        if let (Some(empty), Some(count)) = (empty, count)
            && empty != (count == 0)
        {
            let word = if empty { "empty" } else { "not empty" };
            out.push(format!(
                "The service calls it {word} and counts {count} suites in it."
            ));
        }
        if let Some((first, others @ [_, ..])) = self.sums.split_first() {
            let (universe, seen) = (first.sum(), self.seen(free).len() as u64);
            if let Some(other) = others.iter().find(|other| other.sum() != universe) {
                out.push(format!(
                    "{} and {}: the sums differ.",
                    first.words(),
                    other.words()
                ));
            } else if seen > universe {
                out.push(format!(
                    "The lists name {seen} suites, although there can only be {universe}."
                ));
            }
        }
        if let Some(empty) = self.empty_run() {
            let all: BTreeSet<_> = empty.list.refs().collect();
            let strange = self.seen(free).difference(&all).count();
            if strange > 0 {
                let name = &empty.run.name;
                out.push(format!(
                    "{strange} free suites are missing on {name}, although that run is empty."
                ));
            }
        }
        out
    }
}

/// Returns the scopes of the suites of a list.
fn scopes_of(entries: &[SuiteRow]) -> BTreeSet<Scope> {
    entries
        .iter()
        .map(|row| Scope {
            project: row.project.clone(),
            subproject: row.subproject.clone(),
            version: row.version.clone(),
        })
        .collect()
}

/// Returns the number if both readings agree; `Err` if they differ, `None` if one is missing.
pub fn settled(before: Option<u64>, after: Option<u64>) -> Result<Option<u64>, ()> {
    match (before, after) {
        (Some(before), Some(after)) if before == after => Ok(Some(after)),
        (Some(_), Some(_)) => Err(()),
        _ => Ok(None),
    }
}
