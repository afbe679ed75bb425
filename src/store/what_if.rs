//! When a run would be done if the marked suites were in it, too: worked out here, nothing is sent to the service.

use super::effect::Effect;
use super::in_flight::Slot;
use super::{Screen, Store};
use crate::domain::Failure;
use crate::forecast::Outlook;

/// The forecast as it is, and with more cases.
#[derive(Clone, Debug, PartialEq)]
pub struct WhatIf {
    /// More cases, at most.
    pub extra: u64,
    /// Without them.
    pub now: Outlook,
    /// With all of them.
    pub then: Outlook,
}

impl Store {
    /// Asks for the forecast with the marked suites, where all of them say how many cases they have and that was not asked
    /// yet: called once after all waiting messages.
    pub(super) fn ask_what_if(&mut self) {
        let shown = self.stack.top() == Screen::Available;
        let Some(available) = self.available.as_mut().filter(|_| shown) else {
            return;
        };
        let new = |extra: &u64| available.asked_for != Some(*extra);
        if let Some(extra) = available.extra().filter(new) {
            available.asked_for = Some(extra);
            available.what_if.ask();
            let run = available.run.doc_ref.clone();
            self.cx
                .request(Slot::WhatIf, |id| Effect::WhatIf { id, run, extra });
        }
    }

    /// The forecast has been worked out. A failure stands where it would be.
    pub(super) fn what_if_came(&mut self, result: Result<Box<WhatIf>, Failure>) {
        if let Some(available) = &mut self.available {
            available.what_if.accept(result, self.cx.now);
        }
    }
}
