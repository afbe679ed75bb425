//! A change of suites, under way or done.

use crate::domain::{ChunkResult, Outcome, SuiteChange};
use crate::screens::Screen;
use crate::store::cx::{Cx, Notice};
use crate::store::event::Event;
use crate::store::in_flight::Slot;
use crate::store::layer::Layer;
use crate::store::message::{Action, Fact};
use crate::store::shared::Shared;

#[derive(Clone, Debug, PartialEq)]
pub struct Work {
    /// What is being sent.
    pub change: SuiteChange,
    /// One line for each request that was answered, and for the readings after them.
    pub steps: Vec<ChunkResult>,
    /// What came of it.
    pub outcome: Option<Outcome>,
    /// The box is on the screen.
    pub open: bool,
}

impl Work {
    pub fn new(change: SuiteChange) -> Self {
        Self {
            change,
            steps: Vec::new(),
            outcome: None,
            open: true,
        }
    }

    /// It has come to its end: told in the box, or at the foot where that is closed.
    fn ended(&mut self, outcome: Outcome, cx: &mut Cx) {
        let words = outcome.headline(self.change.deed());
        // The box tells it; nothing is waited for any more.
        cx.notice = (!self.open).then(|| Notice {
            text: format!("{words} (@ shows it)"),
            bad: !outcome.is_whole(),
        });
        cx.learn(Fact::WroteSuites {
            run: self.change.run.clone(),
            adds: self.change.adds,
            done: outcome.done_parts(),
        });
        self.outcome = Some(outcome);
    }
}

impl Screen for Work {
    fn layer(&self, _shared: &Shared) -> Layer {
        Layer::Work
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        match action {
            Action::Back | Action::Open => self.open = false,
            Action::Journal => cx.anywhere(action),
            _ => {}
        }
    }

    fn reply(&mut self, _slot: Slot, event: Event, cx: &mut Cx) {
        match event {
            Event::ChangeStep { step, .. } => self.steps.push(step),
            Event::Changed { outcome, .. } => self.ended(outcome, cx),
            _ => {}
        }
    }
}
