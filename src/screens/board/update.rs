//! What keys and answers do to the board.

use super::{BoardRow, ReleaseBoard, view};
use crate::domain::query_language::Range;
use crate::domain::release::ReportFormat;
use crate::forecast::Outlook;
use crate::mirror::Depth;
use crate::screens::prelude::*;
use crate::store::{CopyOf, Entry, InNoRunCount, PickerKind, Reading, SampleRequest};

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
        self.give_up(cx);
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

    /// Says what the forecast rests on.
    fn say_basis(&self, cx: &mut Cx) {
        match self.finish.as_ref().map(|finish| &finish.outlook) {
            Some(Outlook::Band(band)) => {
                let basis = band.basis(cx.now, &cx.shared.in_use().watch.zone);
                cx.say(text::join(basis, "; "));
            }
            _ => cx.say("nothing is forecast that could be explained"),
        }
    }

    /// Lists the runs of the cell.
    fn list(&self, cx: &mut Cx) {
        match self.here() {
            Some(BoardRow::Criterion(place)) => {
                let criterion = &self.criteria[place];
                return cx.say(format!("{}: {}", criterion.name, criterion.expr));
            }
            Some(BoardRow::Finish) => return self.say_basis(cx),
            Some(BoardRow::InNoRun) => return cx.anywhere(Action::Coverage),
            _ => {}
        }
        let chosen = self.chosen();
        let runs = self.runs.iter().filter(|run| chosen.contains(&run.doc_ref));
        let ids: Vec<String> = runs.filter_map(|run| run.id.clone()).take(MOST).collect();
        match &ids[..] {
            [] => cx.say("no run is counted here"),
            ids => cx.open(Open::Find(ids.join(" or "))),
        }
    }

    fn take(&self, choice: &Choice, cx: &mut Cx) {
        if let Choice::Report(format) = *choice {
            let in_no_run = cx.shared.in_no_run.get(&self.version);
            let suites_in_no_run = in_no_run.map_or(Range::UNKNOWN, InNoRunCount::range);
            cx.effect(Effect::WriteReport {
                version: self.version.clone(),
                runs: self.runs.clone(),
                read_at: self.read_at.unwrap_or(cx.now),
                is_whole: self.is_whole,
                suites_in_no_run,
                format,
            });
        }
    }
}

/// Asks what kind of file the report is to be.
fn ask_for_report(cx: &mut Cx) {
    let kinds = [
        (
            "HTML",
            "a page for the browser, or to print",
            ReportFormat::Html,
        ),
        ("Markdown", "for a page or a chat", ReportFormat::Md),
        ("JSON", "for programs", ReportFormat::Json),
    ];
    let entries = kinds.map(|(label, detail, format)| Entry {
        detail: detail.to_owned(),
        ..Entry::new(label, Choice::Report(format))
    });
    cx.choose("Report of the release as", PickerKind::Rows, entries);
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
            Action::Show(Layer::CopyMenu) => cx.open(Open::CopyMenu {
                of: CopyOf::Screen(Box::new(view::summary(self, cx))),
                marked: false,
            }),
            Action::Export if self.runs.is_empty() => cx.say("there is nothing to report"),
            Action::Export => ask_for_report(cx),
            Action::Chosen(choice) => self.take(&choice, cx),
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
        let result = match answer {
            Answer::Finish(found) => {
                self.finish = found;
                return self.judge(&cx.shared, cx.now);
            }
            Answer::RunsRead(result) => result,
            _ => return,
        };
        self.is_reading = false;
        self.failure = result.err();
        if let Some(failure) = self.failure.clone() {
            cx.failed(failure);
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        if matches!(fact, Fact::Due | Fact::InNoRun) {
            self.judge(&cx.shared, cx.now);
        }
    }

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
        if self.is_stale && !cx.under_way(&Slot::Finish) {
            self.is_stale = false;
            let runs = self.counted(cx.shared.done_codes());
            if runs.iter().any(|run| run.is_open) {
                cx.request(Slot::Finish, |id| {
                    Effect::Samples(SampleRequest::Finish { id, runs })
                });
            }
        }
    }

    fn closing(&mut self, cx: &mut Cx) {
        self.give_up(cx);
        self.question = None;
        cx.effect(Effect::Runs(crate::store::RunsRequest::Leave(Layer::Board)));
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.is_reading = false;
        cx.give_up(&Slot::Finish);
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

    fn status(&self, _context: Context<'_>) -> String {
        view::counted(self)
    }
}
