//! Opens a run in the browser of the user.

use super::prelude::*;
use crate::config::Children;
use crate::profile::open_in_browser;

impl Worker {
    /// Opens an address in the background: without a shell and input, the output ignored.
    pub(super) fn open_web(&self, run: String, address: String) {
        let runs = self.runs.as_ref();
        let children = runs.map_or_else(Children::default, |runs| runs.profile.children.clone());
        let events = self.events.clone();
        tokio::spawn(async move {
            let result = open_in_browser(&children, &address).await;
            send(&events, Event::WebOpened { run, result });
        });
    }
}
