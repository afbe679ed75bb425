//! The form of a run.

use super::Store;
use super::message::{Action, Effect};

impl Store {
    pub(super) fn act_form(&mut self, action: &Action) -> Vec<Effect> {
        if *action == Action::Back {
            self.screen = super::Screen::Runs;
        }
        Vec::new()
    }
}
