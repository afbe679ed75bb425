//! Updates of the board by actions and answers.

use super::view::{self, Grid};
use super::{BoardColumn, BoardOf, BoardRow, ReleaseBoard};
use crate::domain::release::{ReportFormat, ReportRequest};
use crate::mirror::{Depth, RunsAnswer};
use crate::screens::choices::choose_format;
use crate::screens::prelude::*;
use crate::screens::runs_read::RunsRead;
use crate::screens::summary::copy_summary;
use crate::store::{Reading, SampleRequest};

impl ReleaseBoard {
    /// Shows the board of another tab.
    fn show(&mut self, place: usize, cx: &mut Cx) {
        match self.tabs().into_iter().nth(place) {
            None => cx.say("there is no such tab"),
            Some((of, _)) if of == self.of => {
                let name = match &of {
                    BoardOf::Version(version) => version,
                    BoardOf::Versions => "the tab of all",
                    BoardOf::NoVersion => "the tab of none",
                };
                cx.say(format!("{name} is shown already"));
            }
            Some((of, _)) => self.turn_to(of, cx),
        }
    }

    fn turn_to(&mut self, of: BoardOf, cx: &mut Cx) {
        self.give_up(cx);
        // A row that this tab has not may be in the next one.
        let here = self.to_here().into_iter().next();
        let here = here.filter(|_| self.scroll.cursor > 0);
        self.scroll.rewind();
        *self = Self {
            sought: self.sought.take().or(here),
            of,
            project: self.project.clone(),
            splits: self.splits,
            column: self.column,
            parts: self.parts.take(),
            hidden: std::mem::take(&mut self.hidden),
            scroll: self.scroll,
            ..Self::default()
        };
        self.read(cx);
    }

    fn next(&mut self, forward: bool, cx: &mut Cx) {
        let here = self.tab().unwrap_or_default();
        match beside(here, self.tabs().len(), forward) {
            place if place == here => cx.say("there is no other tab"),
            place => self.show(place, cx),
        }
    }

    /// Moves the cursor to the column beside it; without one `end` is the message.
    fn step(&mut self, right: bool, end: &str, cx: &mut Cx) {
        let mut columns = self.columns();
        if !right {
            columns.reverse();
        }
        let mut from_here = columns.into_iter().skip_while(|it| *it != self.column);
        match from_here.nth(1) {
            Some(column) => self.go_to(column),
            None => cx.say(end),
        }
    }

    fn go_to(&mut self, column: BoardColumn) {
        self.column = column;
        self.parts = match column {
            BoardColumn::Configuration(place) => Some(self.board.configurations[place].0.clone()),
            BoardColumn::Hidden | BoardColumn::All => None,
        };
    }

    /// Shows the basis of the forecast.
    fn say_basis(&self, cx: &mut Cx) {
        match self.band() {
            Some(band) => {
                let basis = band.basis(cx.now, cx.shared.zone());
                cx.say(text::join(basis, "; "));
            }
            None => cx.say("nothing is forecast that could be explained"),
        }
    }

    /// Lists the runs of the cell.
    fn list(&mut self, cx: &mut Cx) {
        let chosen = self.here().map(|row| self.runs_of(row, self.column));
        let chosen = chosen.unwrap_or_default();
        match self.here() {
            Some(BoardRow::Criterion(place)) if chosen.is_empty() => {
                let criterion = &self.criteria[place];
                return cx.say(format!("{}: {}", criterion.name, criterion.expr));
            }
            Some(BoardRow::Ready) => {
                let met = self.criteria.iter().filter(|it| it.is_met == Some(true));
                let all = self.criteria.len();
                return cx.say(format!("{} of {all} are met", met.count()));
            }
            Some(BoardRow::Finish | BoardRow::Pace) => return self.say_basis(cx),
            Some(BoardRow::InNoRun) => return cx.anywhere(Action::Coverage),
            Some(BoardRow::Version(place)) => {
                let version = self.lines[place].version.clone();
                return self.turn_to(BoardOf::Version(version), cx);
            }
            _ => {}
        }
        if chosen.is_empty() {
            return cx.say("no run is counted here");
        }
        let name = self.here().map(|row| view::name_of_cell(self, row));
        let runs = chosen.into_iter().cloned().collect();
        cx.open(Open::Find(runs, name.unwrap_or_default()));
    }

    fn take(&self, choice: &Choice, cx: &mut Cx) {
        if let Choice::Report(format) = *choice {
            let in_no_run = cx.shared.in_no_run_today(self.version(), cx.now);
            let in_no_run = in_no_run.map(|read| (read.suites.clone(), read.range));
            let missing = "others of its runs may not be here".to_owned();
            let missing = Some(missing).filter(|_| !self.is_complete());
            let runs = self.runs().iter();
            cx.effect(Effect::WriteReport(Box::new(ReportRequest {
                version: self.version().to_owned(),
                runs: runs.map(|run| (run.row(), run.counted_at)).collect(),
                read_at: self.as_of(),
                is_complete: self.is_complete(),
                in_no_run,
                not_read: missing.into_iter().collect(),
                with_names: false,
                with_links: false,
                with_typed_dates: true,
                format,
            })));
            cx.progress("Writing the report…");
        }
    }
}

/// Asks the user for the format of the report.
fn ask_for_report(cx: &mut Cx) {
    use Choice::Report;
    let formats = [
        ("HTML", "for the browser", Report(ReportFormat::Html)),
        ("Markdown", "for a chat", Report(ReportFormat::Md)),
        ("JSON", "for programs", Report(ReportFormat::Json)),
    ];
    choose_format("Report of the release as", formats, cx);
}

impl Screen for ReleaseBoard {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let len = self.len();
        if self.scroll.update(&action, len) {
            self.sought = None;
            return;
        }
        match action {
            Action::PointCell(row, place) => {
                self.sought = None;
                self.scroll.point(row, len);
                if let Some(column) = self.columns().get(place) {
                    self.go_to(*column);
                }
            }
            Action::ScrollRight => self.step(true, "this is the last column", cx),
            Action::ScrollLeft => self.step(false, "this is the first column", cx),
            Action::Open => self.list(cx),
            Action::Show(Layer::CopyMenu) => copy_summary(view::summary(self, cx), cx),
            Action::Export if self.of == BoardOf::Versions => {
                let key = |sign, action, does| cx.shared.then_key(sign, Layer::Board, action, does);
                let opens = key(": ", &Action::Open, "shows its board");
                let writes = key(", ", &Action::Export, "writes it there");
                cx.say(format!("a report is of one version{opens}{writes}"));
            }
            Action::Export if self.runs().is_empty() || self.version().is_empty() => {
                cx.say("there is no release to report of");
            }
            Action::Export => ask_for_report(cx),
            Action::DueDate if self.version_here().is_empty() => {
                cx.say("runs without a version have no date of a release");
            }
            Action::Chosen(choice) => self.take(&choice, cx),
            Action::Raw => cx.open(Open::Explained(view::explained(self, cx))),
            Action::Split if self.of == BoardOf::Versions => {
                cx.say("the tab of all has no columns of configurations");
            }
            Action::Split if self.configurations() == 0 => {
                cx.say("each run has a row of its own: no column of configurations to split");
            }
            Action::Split => {
                self.splits = !self.splits;
                self.judge_again(cx, |board| board.lay_out(&cx.shared));
                cx.say(if self.splits {
                    "a column for each part of a configuration"
                } else {
                    "a column for each configuration"
                });
            }
            Action::NextPart => self.next(true, cx),
            Action::PreviousPart => self.next(false, cx),
            Action::Part(place) => self.show(place, cx),
            Action::Show(Layer::Board) => cx.say("this is the board"),
            // Of all runs: a board has no run under the cursor.
            Action::Undo => cx.anywhere(Action::UndoLast),
            Action::Back | Action::LastScreen => cx.back(),
            other => cx.anywhere(other),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Open => self.len() > 0,
            Action::ScrollLeft | Action::ScrollRight | Action::Split => self.configurations() > 0,
            Action::DueDate | Action::Show(Layer::Compare) => !self.version_here().is_empty(),
            Action::NextPart | Action::PreviousPart => self.tabs().len() > 1,
            Action::Export => !self.version().is_empty(),
            _ => true,
        }
    }

    fn shown_runs(&mut self) -> Option<(Layer, &mut RunsRead)> {
        Some((Layer::Board, &mut self.read))
    }

    fn on_answer(&mut self, answer: Box<RunsAnswer>, cx: &mut Cx) {
        self.take_answer(answer, &cx.shared, cx.now);
    }

    fn reply(&mut self, _slot: Slot, answer: Answer, cx: &mut Cx) {
        match answer {
            Answer::Finish(found) => self.judge_again(cx, |board| {
                let lacks = "the readings kept here cannot be read";
                board.lacks = found.is_none().then_some(lacks);
                board.finish = found;
            }),
            Answer::Releases(lines) => self.judge_again(cx, |board| board.lines = lines),
            other => self.read.reply(other, cx),
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        if matches!(fact, Fact::Due | Fact::InNoRun) {
            self.judge_again(cx, |_| {});
        }
    }

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
        // A date may have passed.
        if self.answer.is_some() && self.judged_at / 60_000 != cx.now / 60_000 {
            self.judge_again(cx, |_| {});
        }
        if !self.is_stale || cx.under_way(&Slot::Finish) || cx.under_way(&Slot::Releases) {
            return;
        }
        self.is_stale = false;
        self.lacks = None;
        if self.of == BoardOf::Versions {
            let runs = self.runs().into();
            let kinds = cx.shared.in_use().watch.release.kinds.clone();
            let done = cx.shared.done_codes().to_vec();
            cx.request(Slot::Releases, Request::AddUpReleases { runs, kinds, done });
        } else {
            let runs = self.counted(cx.shared.done_codes());
            if matches!(self.of, BoardOf::Version(_)) && runs.iter().any(|run| run.is_open) {
                cx.request(
                    Slot::Finish,
                    Request::Samples(SampleRequest::Finish { runs }),
                );
            }
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let works_out = cx.give_up(&Slot::Finish) | cx.give_up(&Slot::Releases);
        if works_out {
            self.judge_again(cx, |board| {
                // An earlier forecast belongs to other counts.
                board.finish = None;
                board.is_stale = false;
                board.lacks = Some("given up");
            });
        }
        self.read.give_up(Layer::Board, cx) || works_out
    }

    fn read(&mut self, cx: &mut Cx) {
        self.is_stale |= self.lacks.is_some();
        let depth = match self.of {
            BoardOf::Version(_) => Depth::List,
            BoardOf::Versions | BoardOf::NoVersion => Depth::Sync,
        };
        let lists = (depth, vec![self.filter()]);
        self.read.begin(Layer::Board, lists, cx);
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            read_at: self.as_of(),
            ..self.read.reading()
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let is_other = self.hidden != layout.hidden;
        self.hidden.clone_from(&layout.hidden);
        self.keep_column();
        if is_other {
            self.grid = Grid::of(self);
        }
        let len = self.len();
        self.scroll.laid_out(layout, len) || is_other
    }
}
