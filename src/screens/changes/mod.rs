//! Changes of the runs since a time; the second tab has all observed changes.

pub mod keys;
mod update;
mod view;

use crate::domain::since::{Became, NotCounted, SinceLine};
use crate::domain::{Filter, Summary};
use crate::mirror::{RunsQuery, RunsReading, SinceAnswer, SinceQuery, TabQuery};
use crate::screens::runs_read::RunsRead;
use crate::screens::{clock, prelude::*};
use crate::store::FeedEntry;
use crate::ui::Scroll;

/// State of the screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WhatChanged {
    /// Version of the runs; `None` for all open ones.
    pub version: Option<String>,
    /// Epoch milliseconds; `None` for the last time the user looked.
    pub moment: Option<i64>,
    pub answer: Option<Arc<SinceAnswer>>,
    /// True if there is no answer because no run was read yet.
    is_unread: bool,
    pub scroll: Scroll,
    /// True if the second tab is shown.
    in_feed: bool,
    pub feed: Scroll,
    /// Number of lines of the feed, and number of all lines it ever had.
    fed: (usize, u64),
    /// Line of the feed under the cursor.
    on: Option<FeedEntry>,
    read: RunsRead,
    /// The row under the cursor stands whole below the list.
    previews: bool,
}

/// A row of the first tab.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ChangeRow<'a> {
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
        let version = self.version.as_deref();
        version.map_or_else(RunsReading::open_runs, Filter::of_version)
    }

    /// Asks the mirror.
    fn ask(&mut self, cx: &mut Cx) {
        let tab = TabQuery::of_list(self.filter());
        let (moment, version) = (self.moment, self.version.clone());
        self.read.ask(Layer::Changes, cx, |all, cx| RunsQuery {
            tab,
            since: Some(SinceQuery {
                moment,
                version,
                days: cx.shared.quiet_days(cx.now),
            }),
            ..all
        });
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

    /// Number of runs that are still being read: they are not reported yet.
    fn to_come(&self) -> usize {
        let reading = self.answer.iter().filter(|_| self.read.is_reading);
        let not_counted = reading.flat_map(|it| &it.since.not_counted);
        let to_come = not_counted.filter(|it| matches!(it.1, NotCounted::NotReadSince(_)));
        to_come.count()
    }

    fn rows(&self) -> Vec<ChangeRow<'_>> {
        let lines = self.lines().iter();
        let lines = lines.filter(|line| line.became < Became::Progress);
        let more = Some(self.progress().count()).filter(|more| *more > 0);
        let not_counted = self.answer.iter().flat_map(|it| &it.since.not_counted);
        let is_whole = not_counted.count() == self.to_come();
        let mut rows: Vec<ChangeRow<'_>> = lines.map(ChangeRow::Line).collect();
        rows.extend(more.map(ChangeRow::More));
        rows.extend((!is_whole).then_some(ChangeRow::NotCounted));
        rows
    }

    fn row(&self) -> Option<ChangeRow<'_>> {
        self.rows().get(self.scroll.cursor).copied()
    }

    /// The run under the cursor.
    fn line_run(&self) -> Option<Arc<Run>> {
        let (ChangeRow::Line(line), answer) = (self.row()?, self.answer.as_ref()?) else {
            return None;
        };
        answer.runs.get(&line.row.doc_ref).cloned()
    }

    /// Summary for the clipboard or a file.
    fn summary(&self, cx: &Cx) -> Option<Summary> {
        let answer = self.answer.as_ref()?;
        let (session, now) = (cx.shared.in_use(), clock(cx));
        let scope = session.scope_name();
        let when = |at| now.when(at);
        let version = self.version.as_deref();
        Some(answer.since.summary(answer.moment, &scope, version, when))
    }
}
