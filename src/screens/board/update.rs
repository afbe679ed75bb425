//! What keys and answers do to the board.

use super::{ReleaseBoard, view};
use crate::mirror::Depth;
use crate::screens::prelude::*;
use crate::store::Reading;

/// Runs that the list is asked for by their ids at most.
const MOST: usize = 200;

impl ReleaseBoard {
    /// Reads the version whole, unless that is under way.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.is_reading {
            return;
        }
        self.is_reading = true;
        let lists = vec![self.filter()];
        cx.request(Slot::Board, |id| Effect::ReadRuns {
            id,
            depth: Depth::List,
            lists,
            pace: None,
        });
    }

    /// The board of another version.
    fn show(&mut self, place: usize, cx: &mut Cx) {
        let Some((version, _)) = self.versions.get(place) else {
            return cx.say("there is no such tab");
        };
        if *version == self.version {
            return cx.say(format!("{version} is shown already"));
        }
        let (version, versions) = (version.clone(), std::mem::take(&mut self.versions));
        cx.give_up(&Slot::Board);
        *self = Self {
            versions,
            column: self.column,
            scroll: self.scroll,
            ..Self::new(version)
        };
        self.begin(cx);
    }

    fn next(&mut self, forward: bool, cx: &mut Cx) {
        let places = self.versions.len();
        let here = self
            .versions
            .iter()
            .position(|(version, _)| *version == self.version);
        if places < 2 {
            return cx.say("no other version has open runs");
        }
        let step = if forward { 1 } else { places - 1 };
        self.show((here.unwrap_or_default() + step) % places, cx);
    }

    /// Lists the runs of the cell.
    fn list(&self, cx: &mut Cx) {
        if let Some(criterion) = self.criterion() {
            return cx.say(format!("{}: {}", criterion.name, criterion.expr));
        }
        let chosen = self.chosen();
        let runs = self.runs.iter().filter(|run| chosen.contains(&run.doc_ref));
        let ids: Vec<String> = runs.filter_map(|run| run.id.clone()).take(MOST).collect();
        match &ids[..] {
            [] => cx.say("no run is counted here"),
            ids => cx.open(Open::Find(ids.join(" or "))),
        }
    }
}

impl Screen for ReleaseBoard {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let len = self.len();
        if self.scroll.update(&action, len) {
            return;
        }
        let last = self.board.configurations.len();
        match action {
            Action::ScrollRight if self.column < last => self.column += 1,
            Action::ScrollLeft if self.column > 0 => self.column -= 1,
            Action::ScrollRight => cx.say("this is the last column"),
            Action::ScrollLeft => cx.say("this is the first column"),
            Action::Open => self.list(cx),
            Action::NextPart => self.next(true, cx),
            Action::PreviousPart => self.next(false, cx),
            Action::Part(place) => self.show(place, cx),
            Action::Back | Action::LastScreen => cx.back(),
            other => cx.anywhere(other),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Open => self.len() > 0,
            Action::NextPart => self.versions.len() > 1,
            Action::ScrollLeft | Action::ScrollRight => !self.board.configurations.is_empty(),
            _ => true,
        }
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        let Answer::RunsRead(result) = answer else {
            return;
        };
        self.is_reading = false;
        self.failure = result.err();
        if let Some(failure) = self.failure.clone() {
            cx.failed(failure);
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        if *fact == Fact::Due {
            self.judge(&cx.shared, cx.now);
        }
    }

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
    }

    fn closing(&mut self, cx: &mut Cx) {
        self.give_up(cx);
        self.question = None;
        cx.effect(Effect::Runs(crate::store::RunsRequest::Leave(Layer::Board)));
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.is_reading = false;
        cx.give_up(&Slot::Board)
    }

    fn read(&mut self, cx: &mut Cx) {
        self.begin(cx);
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            every: None,
            read_at: self.read_at,
            busy: self.is_reading,
            failed: self.failure.is_some(),
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let len = self.len();
        layout
            .rows
            .is_some_and(|rows| self.scroll.set_height(rows, len))
    }

    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        view::draw(self, on, area);
    }

    fn title(&self, project: &str) -> String {
        format!("{project} › Release {}", self.version)
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(context, self)
    }
}
