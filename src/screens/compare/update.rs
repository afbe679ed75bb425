//! Updates of the comparison by actions and answers.

use super::Compare;
use super::keys::DIFFERING;
use crate::domain::compare::ComparedRow;
use crate::mirror::{Depth, RunsAnswer};
use crate::screens::choices::choose_moment;
use crate::screens::prelude::*;
use crate::screens::runs_read::RunsRead;
use crate::screens::summary::summary_action;
use crate::store::Reading;

const AS_THEY_STAND: &str = "versions are compared as they stand now";

impl Compare {
    /// Compares the last run with its state before a time (epoch milliseconds).
    pub fn at_moment(&mut self, moment: i64, cx: &mut Cx) {
        if self.runs.is_empty() {
            return cx.say(AS_THEY_STAND);
        }
        (self.moment, self.comparison) = (Some(moment), None);
        self.read.ask_anew();
    }

    /// Works out the unknown suites of the runs.
    fn work_out(&self, cx: &mut Cx) {
        let runs = self.comparison.as_ref().map(|it| it.to_work_out());
        let runs = runs.unwrap_or_default();
        if runs.is_empty() {
            return cx
                .say("there are no suites to work out: those of open runs, as they stand now");
        }
        for run in runs {
            let typed = Vec::new();
            let slot = Slot::ComparedSuites(run.clone());
            cx.request(
                slot,
                Request::Survey {
                    run,
                    typed,
                    calls: None,
                },
            );
        }
    }

    /// Reports why suites of a run stay unknown, and the key for more.
    fn partly(&self, slot: &Slot, found: &Attached, shared: &Shared) -> String {
        let mut columns = self.comparison.iter().flat_map(|it| &it.columns);
        let column = columns.find(|column| match slot {
            Slot::ComparedSuites(run) => column.run.as_ref() == Some(run),
            _ => false,
        });
        let name = column.map_or("a run", |column| &column.name);
        let known = found.words();
        let shows = Action::Show(Layer::Attached);
        let explains = shared.then_key("; ", Layer::Runs, &shows, "on it in the list explains");
        format!("{name}: {known}{explains}")
    }
}

impl Screen for Compare {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if self.scroll.update(&action, self.len) {
            return;
        }
        match action {
            Action::Facets if self.runs.is_empty() => cx.say(AS_THEY_STAND),
            Action::Facets => choose_moment("The last run as of", Vec::new(), cx),
            Action::Columns => {
                self.only_differing = !self.only_differing;
                cx.say(if self.only_differing {
                    "what differs"
                } else {
                    "all, whether it differs or not"
                });
            }
            Action::Show(Layer::Attached) => self.work_out(cx),
            Action::Back | Action::LastScreen | Action::Show(Layer::Compare) => cx.back(),
            other => {
                summary_action(other, "Export the comparison as", |cx| self.summary(cx), cx);
            }
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Show(Layer::CopyMenu) | Action::Export => self.comparison.is_some(),
            Action::Facets => !self.runs.is_empty(),
            Action::Show(Layer::Attached) => {
                let comparison = self.comparison.as_ref();
                comparison.is_some_and(|it| !it.to_work_out().is_empty())
            }
            Action::Columns => {
                let rows = self.comparison.iter().flat_map(|it| it.rows(false));
                let mut differ = rows.map(ComparedRow::differs);
                // Rows of both sorts.
                differ
                    .next()
                    .is_some_and(|first| differ.any(|it| it != first))
            }
            _ => true,
        }
    }

    fn hints(&self, _: &Shared) -> Option<&'static [Hint]> {
        self.only_differing.then_some(DIFFERING)
    }

    fn shown_runs(&mut self) -> Option<(Layer, &mut RunsRead)> {
        Some((Layer::Compare, &mut self.read))
    }

    fn on_answer(&mut self, answer: Box<RunsAnswer>, _cx: &mut Cx) {
        if self.read.takes(&answer) {
            self.comparison = answer.comparison;
        }
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match answer {
            Answer::Surveyed(Err(failure)) => cx.failed(failure),
            // The mirror has its suites before this answer comes.
            Answer::Surveyed(Ok(found)) => {
                self.read.ask_anew();
                if !found.is_complete() {
                    cx.say(self.partly(&slot, &found, &cx.shared));
                }
            }
            other => self.read.reply(other, cx),
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let works_out = cx.give_up_all(|slot| matches!(slot, Slot::ComparedSuites(_)));
        self.read.give_up(Layer::Compare, cx) || works_out
    }

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
    }

    fn read(&mut self, cx: &mut Cx) {
        let lists = (Depth::List, self.lists());
        self.read.begin(Layer::Compare, lists, cx);
    }

    fn reading(&self) -> Option<Reading> {
        let oldest = self.comparison.as_ref().and_then(|it| it.oldest);
        Some(Reading {
            read_at: oldest.into_iter().chain(self.read.read_at).min(),
            ..self.read.reading()
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        self.len = layout.len.unwrap_or(self.len);
        let is_other = self.hidden != layout.hidden.len();
        self.hidden = layout.hidden.len();
        self.scroll.laid_out(layout, self.len) || is_other
    }
}
