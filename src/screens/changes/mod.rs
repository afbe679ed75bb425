//! Changes of the runs since a time; the second tab has all observed changes.

pub mod keys;
mod update;
mod view;

use std::sync::Arc;

use crate::domain::fields::VERSION;
use crate::domain::since::{Became, NotCounted, SinceLine};
use crate::domain::{Filter, Summary};
use crate::mirror::{RunsAnswer, RunsQuery, RunsReading, SinceAnswer, SinceQuery, TabQuery};
use crate::screens::prelude::*;
use crate::ui::Scroll;
use crate::ui::time::Now;

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatChanged {
    /// Version of the runs; `None` for all open ones.
    pub version: Option<String>,
    /// Epoch milliseconds; `None` for the last time the user looked.
    pub moment: Option<i64>,
    pub answer: Option<Arc<SinceAnswer>>,
    pub scroll: Scroll,
    /// True if the second tab is shown.
    pub in_feed: bool,
    pub feed: Scroll,
    /// Number of lines of the feed, and number of all lines it ever had.
    fed: (u64, u64),
    /// Number of the query in force; `None` if it must be asked anew.
    question: Option<u64>,
    pub is_reading: bool,
    /// Failure of the last reading.
    pub failure: Option<Failure>,
    pub read_at: Option<i64>,
}

/// A row of the first tab.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Row<'a> {
    Line(&'a SinceLine),
    /// Number of runs with progress only.
    More(usize),
    NotCounted,
}

impl WhatChanged {
    pub fn new(version: Option<String>, moment: Option<i64>) -> Self {
        Self {
            version,
            moment,
            ..Self::default()
        }
    }

    /// List that contains the runs.
    fn filter(&self) -> Filter {
        match &self.version {
            Some(version) => Filter {
                filters: vec![format!("{}:{version}", VERSION.path)],
                ..Filter::default()
            },
            None => RunsReading::open_runs(),
        }
    }

    /// Asks the mirror.
    fn ask(&mut self, cx: &mut Cx) {
        if self.question.is_some() {
            return;
        }
        let Some(all) = cx.shared.all_runs(cx.now) else {
            return;
        };
        let tab = TabQuery {
            lists: vec![self.filter()],
            filter: self.filter(),
            ..TabQuery::default()
        };
        let since = SinceQuery {
            moment: self.moment,
            version: self.version.clone(),
            days: cx.shared.quiet_days(cx.now),
        };
        let query = RunsQuery {
            tabs: vec![tab.clone()],
            tab,
            since: Some(since),
            ..all
        };
        self.question = Some(cx.ask_runs(Layer::Changes, query));
    }

    pub fn on_answer(&mut self, answer: &RunsAnswer) {
        if self.question.is_none_or(|number| answer.number < number) {
            return;
        }
        self.answer.clone_from(&answer.since);
        self.read_at = answer.overview.read_at;
        self.scroll.fit(self.rows().len() as u64);
    }

    fn lines(&self) -> &[SinceLine] {
        let answer = self.answer.as_ref();
        answer.map_or(&[], |answer| &answer.since.lines)
    }

    /// Runs with progress only.
    fn progress(&self) -> impl Iterator<Item = &SinceLine> {
        let lines = self.lines().iter();
        lines.filter(|line| line.became == Became::Progress)
    }

    fn rows(&self) -> Vec<Row<'_>> {
        let lines = self.lines().iter();
        let lines = lines.filter(|line| line.became < Became::Progress);
        let more = Some(self.progress().count()).filter(|more| *more > 0);
        // Runs that are still being read are not reported yet.
        let is_left = |(_, why): &(RunRow, NotCounted)| {
            !self.is_reading || !matches!(why, NotCounted::NotReadSince(_))
        };
        let mut not_counted = self.answer.iter().flat_map(|it| &it.since.not_counted);
        let is_whole = !not_counted.any(is_left);
        let mut rows: Vec<Row<'_>> = lines.map(Row::Line).collect();
        rows.extend(more.map(Row::More));
        rows.extend((!is_whole).then_some(Row::NotCounted));
        rows
    }

    fn row(&self) -> Option<Row<'_>> {
        self.rows().get(self.scroll.cursor as usize).copied()
    }

    /// Summary for the clipboard or a file.
    fn summary(&self, cx: &Cx) -> Option<Summary> {
        let answer = self.answer.as_ref()?;
        let session = cx.shared.in_use();
        let now = Now {
            ms: cx.now,
            zone: session.watch.zone.clone(),
        };
        let sub = session.subproject.as_deref().unwrap_or("_");
        let scope = format!("{}/{sub}", session.project);
        let when = |at| now.when(at);
        let version = self.version.as_deref();
        Some(answer.since.summary(answer.moment, &scope, version, when))
    }
}
