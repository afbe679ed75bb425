//! Updates of the comparison by actions and answers.

use super::{Compare, view};
use crate::mirror::Depth;
use crate::screens::{choose_moment, copy_summary, export_kinds, export_summary, prelude::*};
use crate::store::{Reading, RunsRequest};

impl Compare {
    /// Reads the versions of the runs, unless a reading is under way.
    pub fn begin(&mut self, cx: &mut Cx) {
        if self.is_reading {
            return;
        }
        self.is_reading = true;
        let lists = self.lists();
        cx.request(Slot::Compare, |id| Effect::ReadRuns {
            id,
            depth: Depth::List,
            lists,
            pace: None,
        });
    }

    /// Compares the last run with its state before a time (epoch milliseconds).
    pub fn at_moment(&mut self, moment: i64) {
        (self.moment, self.comparison, self.question) = (Some(moment), None, None);
    }
}

impl Screen for Compare {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        let len = self.rows().len() as u64;
        if self.scroll.update(&action, len) {
            return;
        }
        match action {
            Action::Facets => choose_moment("The last run before", Vec::new(), cx),
            Action::Columns => {
                self.only_differing = !self.only_differing;
                self.scroll.fit(self.rows().len() as u64);
                cx.say(if self.only_differing {
                    "what differs"
                } else {
                    "all, whether it differs or not"
                });
            }
            Action::Show(Layer::CopyMenu) => copy_summary(self.summary(cx), cx),
            Action::Export => export_kinds("Export the comparison as", cx),
            Action::Chosen(choice) => {
                if let Choice::Export(format) = *choice {
                    export_summary(self.summary(cx), format, cx);
                }
            }
            Action::Back | Action::LastScreen | Action::Show(Layer::Compare) => cx.back(),
            other => cx.anywhere(other),
        }
    }

    fn offers(&self, action: &Action, _shared: &Shared) -> bool {
        match action {
            Action::Show(Layer::CopyMenu) | Action::Export => self.comparison.is_some(),
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

    fn settle(&mut self, _on_top: bool, cx: &mut Cx) {
        self.ask(cx);
    }

    fn closing(&mut self, cx: &mut Cx) {
        self.give_up(cx);
        self.question = None;
        cx.effect(Effect::Runs(RunsRequest::Leave(Layer::Compare)));
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        self.is_reading = false;
        cx.give_up(&Slot::Compare)
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
        let len = self.rows().len() as u64;
        layout
            .rows
            .is_some_and(|rows| self.scroll.set_height(rows, len))
    }

    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        view::draw(self, on, area);
    }

    fn title(&self, project: &str) -> String {
        format!("{project} › Compare")
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(self, context)
    }
}
