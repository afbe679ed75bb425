//! Taking back one's own writes.

use super::Store;
use super::message::Effect;

impl Store {
    /// Asks how the last write to the run at hand can be taken back; in the journal, the one under the cursor.
    pub(super) fn plan_undo(&mut self) -> Vec<Effect> {
        self.say("not here yet");
        Vec::new()
    }
}
