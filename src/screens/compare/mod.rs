//! Comparison of runs, or of a run with its state at another time.

pub mod keys;
mod update;
mod view;

use crate::domain::compare::{ComparedRow, ComparedSuites, Comparison, InSome};
use crate::domain::fields::VERSION;
use crate::domain::{Filter, Summary};
use crate::mirror::{RunsAnswer, RunsQuery, RunsReading, TabQuery};
use crate::screens::prelude::*;
use crate::ui::Scroll;
use crate::ui::time::Now;

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
    /// Number of the query in force; `None` if it must be asked anew.
    question: Option<u64>,
    is_reading: bool,
    /// Failure of the last reading.
    failure: Option<Failure>,
    read_at: Option<i64>,
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
    pub fn new(runs: &[RunRow], moment: i64) -> Self {
        let mut versions: Vec<_> = runs.iter().map(|run| run.version.clone()).collect();
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
            Some(version) => Filter {
                filters: vec![format!("{}:{version}", VERSION.path)],
                ..Filter::default()
            },
            None => RunsReading::open_runs(),
        };
        self.versions.iter().map(list).collect()
    }

    /// Asks the mirror.
    fn ask(&mut self, cx: &mut Cx) {
        if self.question.is_some() {
            return;
        }
        let Some(all) = cx.shared.all_runs(cx.now) else {
            return;
        };
        let mut compared: Vec<_> = self.runs.iter().map(|run| (run.clone(), None)).collect();
        if let (Some(last), Some(moment)) = (self.runs.last(), self.moment) {
            compared.insert(self.runs.len() - 1, (last.clone(), Some(moment)));
        }
        let tab = TabQuery {
            lists: self.lists(),
            ..TabQuery::default()
        };
        let query = RunsQuery {
            tabs: vec![tab.clone()],
            tab,
            chosen: Some(self.runs.clone()),
            compared,
            ..all
        };
        self.question = Some(cx.ask_runs(Layer::Compare, query));
    }

    pub fn on_answer(&mut self, answer: &RunsAnswer, done: &[ResultCode]) {
        if self.question.is_none_or(|number| answer.number < number) {
            return;
        }
        let compared = Comparison::of(answer.compared.clone(), done);
        self.comparison = Some(Box::new(compared));
        self.read_at = answer.overview.read_at;
        self.scroll.fit(self.rows().len() as u64);
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
        let now = Now {
            ms: cx.now,
            zone: cx.shared.watching().zone,
        };
        Some(comparison.summary(self.only_differing, |at| now.when(at)))
    }
}
