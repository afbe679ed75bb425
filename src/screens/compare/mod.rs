//! Comparison of runs or versions, or of a run with its state at another time.

pub mod keys;
mod update;
mod view;

use crate::domain::compare::Comparison;
use crate::domain::{Filter, Summary};
use crate::mirror::{ComparisonSides, RunsQuery, RunsReading, TabQuery};
use crate::screens::runs_read::RunsRead;
use crate::screens::{clock, prelude::*};
use crate::ui::Scroll;

/// Maximum number of compared runs.
pub const MOST: usize = 4;

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compare {
    /// Empty if versions are compared.
    runs: Vec<DocRef>,
    /// The compared versions, or those of the runs.
    versions: Vec<Option<String>>,
    /// Time before which the last run is shown too, epoch milliseconds.
    moment: Option<i64>,
    comparison: Option<Box<Comparison>>,
    /// True if equal rows are hidden.
    only_differing: bool,
    scroll: Scroll,
    /// Number of rows as drawn last, with wrapped notes.
    len: usize,
    /// Number of the first columns without room in the last frame.
    hidden: usize,
    read: RunsRead,
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

    /// Compares versions.
    pub fn of_versions(versions: [String; 2]) -> Self {
        Self {
            versions: versions.map(Some).into(),
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
        let mut runs: Vec<_> = self.runs.iter().map(|run| (run.clone(), None)).collect();
        if let (Some(last), Some(moment)) = (self.runs.last(), self.moment) {
            runs.insert(self.runs.len() - 1, (last.clone(), Some(moment)));
        }
        let tab = TabQuery {
            lists: self.lists(),
            ..TabQuery::default()
        };
        let chosen = self.runs.iter().cloned().map(DocumentName::Ref);
        let chosen = Some(chosen.collect());
        let versions = self.versions.iter().flatten().cloned().collect();
        self.read.ask(Layer::Compare, cx, |all, cx| RunsQuery {
            tab,
            chosen,
            comparing: Some(if runs.is_empty() {
                let kinds = cx.shared.in_use().watch.release.kinds.clone();
                ComparisonSides::Versions(versions, kinds)
            } else {
                ComparisonSides::Runs(runs)
            }),
            ..all
        });
    }

    /// Number of runs that are not found any more.
    fn gone(&self, comparison: &Comparison) -> usize {
        let asked = self.runs.len() + usize::from(self.moment.is_some());
        let gone = asked.saturating_sub(comparison.columns.len());
        gone.min(self.runs.len())
    }

    fn summary(&self, cx: &Cx) -> Option<Summary> {
        let comparison = self.comparison.as_ref()?;
        let now = clock(cx);
        Some(comparison.summary(self.only_differing, |at| now.when(at)))
    }
}
