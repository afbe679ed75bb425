//! Comparison of runs at different times, and of versions, with their known suites.

use super::list::{ComparisonSides, RunsQuery, TabQuery};
use super::prelude::*;
use super::since::BeforeMoment;
use super::{Mirror, Presence};
use crate::domain::Status;
use crate::domain::compare::{ComparedRun, ComparedVersion, Comparison, KeptSuites};

impl Mirror {
    /// Returns the comparison that a query asks for.
    pub(super) fn comparison(&self, query: &RunsQuery) -> Done<Option<Box<Comparison>>> {
        let done = &self.settings.done;
        let comparison = match &query.comparing {
            None => return Ok(None),
            Some(ComparisonSides::Runs(runs)) => Comparison::of_runs(&self.compared(runs)?, done),
            Some(ComparisonSides::Versions(versions, named)) => {
                let of = |version: &String| {
                    let (found, extent) =
                        self.tab(TabQuery::of_list(Filter::of_version(version)), query);
                    let runs = found.runs.iter().map(|run| (run.doc_ref.clone(), None));
                    let runs = self.compared(&runs.collect::<Vec<_>>())?;
                    let is_whole = extent.is_complete;
                    let mut version = ComparedVersion::of(version, &runs, is_whole, named, done);
                    version.oldest = found.oldest;
                    Ok(version)
                };
                let versions: Done<Vec<_>> = versions.iter().map(of).collect();
                Comparison::of_versions(&versions?)
            }
        };
        Ok(Some(Box::new(comparison)))
    }

    /// Returns runs in their state before a time (epoch milliseconds) or in their newest state, without deleted ones.
    pub fn compared(&self, asked: &[(DocRef, Option<i64>)]) -> Done<Vec<ComparedRun>> {
        let known = asked.iter().filter_map(|(run, moment)| {
            let run = self.run(run).filter(|run| run.state != Presence::Gone);
            Some((run?, *moment))
        });
        let compared = known.map(|(run, moment)| {
            let mut row = run.row();
            self.fill(run, &mut row);
            let kept = self.asked(|it| it.suites(&run.doc_ref))?;
            let is_before = |kept: &KeptSuites| moment.is_none_or(|moment| kept.at < moment);
            let suites = kept.into_iter().find(is_before);
            let Some(moment) = moment else {
                let at = None;
                return Ok(ComparedRun { row, at, suites });
            };
            let samples = self.asked(|it| it.counts().of(&run.doc_ref, i64::MIN))?;
            let is_then = |it: &&Sample| it.at < moment && it.counts.is_some();
            let then = samples.iter().rev().find(is_then);
            let before = BeforeMoment::read(self.history.as_ref(), &self.own, moment)?;
            let is_open = !row.is_closed();
            let was_open = before.was_open(&row.doc_ref, is_open, row.edited_on);
            match was_open.filter(|_| !row.is_made_since(moment)) {
                None => row.status = Status::Missing,
                Some(true) if !is_open => row.status = Status::Active,
                Some(false) if is_open => row.status = Status::Inactive,
                Some(_) => {}
            }
            row.results = then.and_then(|it| it.counts.clone());
            row.suite_count = then.and_then(|it| it.suites);
            let at = then.map_or(moment, |it| it.seen_until).min(moment - 1);
            let at = Some(at);
            Ok(ComparedRun { row, at, suites })
        });
        compared.collect()
    }

    /// Keeps the suites that were found in a run.
    pub fn keep_suites(&self, run: &DocRef, suites: &KeptSuites) -> Done {
        self.asked(|it| it.keep_suites(run, suites))
    }
}
