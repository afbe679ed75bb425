//! Updates of the changes by actions and answers.

use super::{ChangeRow, WhatChanged};
use crate::mirror::{Depth, RunsAnswer, SinceAnswer};
use crate::screens::choices::choose_moment;
use crate::screens::runs_read::RunsRead;
use crate::screens::summary::summary_action;
use crate::screens::{clock, prelude::*};
use crate::store::{Entry, Reading, RunPart, RunsRequest};

/// Parts of the detail screen that show a change.
const RESULTS: usize = 0;
const HISTORY: usize = 2;

impl WhatChanged {
    /// Tells it since another moment.
    pub fn tell_since(&mut self, moment: Option<i64>) {
        (self.moment, self.answer) = (moment, None);
        self.read.ask_anew();
        self.in_feed = false;
        self.scroll.rewind();
    }

    /// Shows a tab; the line under the cursor of all changes is seen.
    fn show(&mut self, in_feed: bool, cx: &mut Cx) {
        self.in_feed = in_feed;
        if in_feed {
            self.follow(cx);
            cx.shared.feed.mark_line_seen(self.feed.cursor);
        }
    }

    /// Asks the user for the start of the changes.
    fn ask_since_when(&self, cx: &mut Cx) {
        let now = clock(cx);
        let entry = |label: &str, detail: String, at| Entry {
            detail,
            ..Entry::new(label, Choice::Since(at))
        };
        let looks = self.answer.iter().flat_map(|answer| &answer.last_looks);
        let looks = ["last look", "the look before that"].into_iter().zip(looks);
        let looks = looks.map(|(label, at)| {
            let moment = (label != "last look").then_some(*at);
            entry(label, now.when(*at), moment)
        });
        let mut first: Vec<Entry> = looks.collect();
        if first.is_empty() {
            let last = "the last day on which a key was pressed";
            first.push(entry(last, String::new(), None));
        }
        choose_moment("Since when", first, cx);
    }

    /// Marks all changes as seen; the list starts again from now.
    fn seen(&mut self, cx: &mut Cx) {
        cx.shared.feed.mark_all_opened();
        cx.runs(RunsRequest::SeenUpTo(cx.now));
        self.tell_since(None);
        self.read(cx);
        let before = cx
            .shared
            .then_key("; ", Layer::Changes, &Action::Facets, "leads back");
        cx.say(format!("all is seen up to now{before}"));
    }

    fn open(&self, cx: &mut Cx) {
        if self.in_feed {
            return open_change(self.feed.cursor, cx);
        }
        if let Some(run) = self.line_run() {
            return cx.open(Open::Run(run, RunPart::Part(RESULTS)));
        }
        match self.row() {
            Some(ChangeRow::More(_)) => {
                let runs = self.progress().map(|line| line.row.doc_ref.clone());
                cx.open(Open::Find(runs.collect(), "with progress only".into()));
            }
            Some(ChangeRow::NotCounted) => {
                let runs = self.answer.iter().flat_map(|it| &it.since.not_counted);
                let runs = runs.map(|(run, _)| run.doc_ref.clone());
                cx.open(Open::Find(runs.collect(), "not counted".into()));
            }
            Some(ChangeRow::Line(_)) | None => cx.say("there is no run here"),
        }
    }
}

/// Opens the run of a change in the feed, at the part that shows the change.
fn open_change(place: usize, cx: &mut Cx) {
    let Some(entry) = cx.shared.feed.entries.get(place) else {
        return cx.say("there is no run here");
    };
    match &entry.known {
        Some(run) => cx.open(Open::Run(run.clone(), RunPart::Part(HISTORY))),
        None => cx.say("this is about no run that is here"),
    }
}

impl WhatChanged {
    /// Keeps the cursor of the feed on its entry when others have come.
    fn follow(&mut self, cx: &Cx) {
        let feed = &cx.shared.feed;
        let len = feed.entries.len();
        let on = self.on.as_ref().filter(|_| self.fed.1 != feed.pushed);
        let place = on.and_then(|on| feed.entries.iter().position(|it| it == on));
        self.feed.follow(place.unwrap_or(self.feed.cursor), len);
        self.fed = (len, feed.pushed);
    }

    /// Notes the entry under the cursor.
    fn stay(&mut self, cx: &Cx) {
        let entries = &cx.shared.feed.entries;
        self.on = entries.get(self.feed.cursor).cloned();
    }
}

impl Screen for WhatChanged {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if self.in_feed {
            self.follow(cx);
            if self.feed.update(&action, self.fed.0) {
                self.stay(cx);
                return cx.shared.feed.mark_line_seen(self.feed.cursor);
            }
        } else {
            let len = self.rows().len();
            if self.scroll.update(&action, len) {
                return;
            }
        }
        match action {
            Action::Open => self.open(cx),
            Action::NextPart | Action::PreviousPart => self.show(!self.in_feed, cx),
            Action::Part(place @ 0..=1) if self.in_feed == (place == 1) => {
                cx.say("this is that tab");
            }
            Action::Part(place @ 0..=1) => self.show(place == 1, cx),
            Action::Facets => self.ask_since_when(cx),
            Action::MarkAll => self.seen(cx),
            Action::Back | Action::LastScreen | Action::Show(Layer::Changes) => cx.back(),
            Action::Show(Layer::CopyMenu) | Action::Export if self.in_feed => {
                cx.say("the first tab can be copied and exported, this one cannot");
            }
            other => summary_action(other, "Export what changed as", |cx| self.summary(cx), cx),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Open if self.in_feed => self.fed.0 > 0,
            Action::Open => !self.rows().is_empty(),
            Action::Show(Layer::CopyMenu) | Action::Export => {
                !self.in_feed && self.answer.is_some()
            }
            _ => true,
        }
    }

    fn shown_runs(&mut self) -> Option<(Layer, &mut RunsRead)> {
        Some((Layer::Changes, &mut self.read))
    }

    fn on_answer(&mut self, answer: Box<RunsAnswer>, _cx: &mut Cx) {
        if self.read.takes(&answer) {
            let here = self.line_run();
            let is_empty = |it: &Arc<SinceAnswer>| {
                it.since.lines.is_empty() && it.since.not_counted.is_empty()
            };
            let is_read = self.read.read_at.is_some();
            self.is_unread = !is_read && answer.since.as_ref().is_some_and(is_empty);
            self.answer = answer.since.filter(|_| !self.is_unread);
            let rows = self.rows();
            let is_here = |row: &ChangeRow<'_>| match (row, &here) {
                (ChangeRow::Line(line), Some(here)) => line.row.doc_ref == here.doc_ref,
                _ => false,
            };
            let (row, len) = (rows.iter().position(is_here), rows.len());
            self.scroll.stay_on(row, len);
        }
    }

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
        if self.in_feed {
            self.follow(cx);
            self.stay(cx);
        }
    }

    fn run(&self) -> Option<Arc<Run>> {
        self.line_run().filter(|_| !self.in_feed)
    }

    fn read(&mut self, cx: &mut Cx) {
        let lists = (Depth::List, vec![self.filter()]);
        self.read.begin(Layer::Changes, lists, cx);
    }

    fn reading(&self) -> Option<Reading> {
        Some(self.read.reading())
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        if self.in_feed {
            return self.feed.laid_out(layout, self.fed.0);
        }
        let len = self.rows().len();
        let before = std::mem::replace(&mut self.previews, layout.preview);
        self.scroll.laid_out(layout, len) || before != self.previews
    }
}
