//! What a form will send, before it is sent.

use super::Store;
use super::message::{Action, Effect};
use crate::model::Undo;

impl Store {
    /// Shows how a change of fields is taken back, or how a deleted run is made again: both are forms that are filled in.
    pub(super) fn review_undo(&mut self, undo: &Undo) -> Vec<Effect> {
        self.say(undo.what.clone());
        Vec::new()
    }

    pub(super) fn act_review(&mut self, action: &Action) -> Vec<Effect> {
        if *action == Action::Back {
            self.screen = super::Screen::Runs;
        }
        Vec::new()
    }
}
