//! Deleting runs, in steps.

use super::Store;
use super::message::{Action, Effect};

/// Runs that are being deleted, step by step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DeleteFlow {
    /// The field for the id has the focus.
    pub typing: bool,
}

impl Store {
    /// Begins with the marked runs, else with the run at hand.
    pub(super) fn open_delete(&mut self) -> Vec<Effect> {
        self.say("not here yet");
        Vec::new()
    }

    pub(super) fn act_delete(&mut self, action: &Action) -> Vec<Effect> {
        if *action == Action::Back {
            self.screen = super::Screen::Runs;
        }
        Vec::new()
    }
}
