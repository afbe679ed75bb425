//! Comparison of runs, or of a run with its state at another time.

pub mod keys;
mod update;
mod view;

use crate::domain::compare::{ComparedRow, ComparedSuites, Comparison, InSome};
use crate::domain::{Filter, Summary};
use crate::mirror::{RunsQuery, RunsReading, TabQuery};
use crate::screens::runs_read::RunsRead;
use crate::screens::{clock, prelude::*};
use crate::ui::Scroll;

/// Maximum number of compared runs.
pub const MOST: usize = 4;

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    runs: Vec<DocRef>,
    versions: Vec<Option<String>>,
    /// Time before which the last run is shown too, epoch milliseconds.
    moment: Option<i64>,
    comparison: Option<Box<Comparison>>,
    /// True if equal rows are hidden.
    only_differing: bool,
    scroll: Scroll,
    read: RunsRead,
}

/// A row of the comparison.
#[derive(Clone, Copy)]
enum Row<'a> {
    Values(&'a ComparedRow),
    Suite(&'a InSome),
    /// Note about the suites, or that nothing differs.
    Words,
}

impl Compare {
    /// Compares these runs; a single run is compared with its state before `moment` (epoch milliseconds).
    pub fn new(runs: &[Arc<Run>], moment: i64) -> Self {
        let mut versions: Vec<_> = runs
            .iter()
            .map(|run| run.version().map(str::to_owned))
            .collect();
        versions.sort();
        versions.dedup();
        Self {
            runs: runs.iter().map(|run| run.doc_ref.clone()).collect(),
            versions,
            moment: (runs.len() == 1).then_some(moment),
            ..Self::default()
        }
    }

    /// Lists that contain the runs.
    fn lists(&self) -> Vec<Filter> {
        let list = |version: &Option<String>| match version {
            Some(version) => Filter::of_version(version),
            None => RunsReading::open_runs(),
        };
        self.versions.iter().map(list).collect()
    }

    /// Asks the mirror.
    fn ask(&mut self, cx: &mut Cx) {
        let mut compared: Vec<_> = self.runs.iter().map(|run| (run.clone(), None)).collect();
        if let (Some(last), Some(moment)) = (self.runs.last(), self.moment) {
            compared.insert(self.runs.len() - 1, (last.clone(), Some(moment)));
        }
        let tab = TabQuery {
            lists: self.lists(),
            ..TabQuery::default()
        };
        let chosen = Some(self.runs.clone());
        self.read.ask(Layer::Compare, cx, |all, _| RunsQuery {
            tabs: vec![tab.clone()],
            tab,
            chosen,
            compared,
            ..all
        });
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let Some(comparison) = &self.comparison else {
            return Vec::new();
        };
        let values = comparison.rows(self.only_differing).into_iter();
        let mut rows: Vec<Row<'_>> = values.map(Row::Values).collect();
        if let ComparedSuites::InSome { suites, .. } = &comparison.suites {
            rows.extend(suites.iter().map(Row::Suite));
        }
        rows.push(Row::Words);
        rows
    }

    fn summary(&self, cx: &Cx) -> Option<Summary> {
        let comparison = self.comparison.as_ref()?;
        let now = clock(cx);
        Some(comparison.summary(self.only_differing, |at| now.when(at)))
    }
}
