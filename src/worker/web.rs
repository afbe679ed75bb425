//! Opens a run in the browser of the user.

use std::io::ErrorKind;
use std::time::Duration;

use super::{Worker, send, silent};
use crate::config::Children;
use crate::store::Event;

/// Time after which the opener has found a browser; some openers wait for its end.
const FOUND: Duration = Duration::from_secs(5);

const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

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

/// Passes an address to the opener of the system, and waits for it a moment.
pub async fn open_in_browser(children: &Children, address: &str) -> Result<(), String> {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if !cfg!(target_os = "macos") && !set("DISPLAY") && !set("WAYLAND_DISPLAY") {
        // The opener would start a text browser in this terminal.
        return Err("there is no display here".into());
    }
    let mut command = children.command(OPENER);
    command.arg(address).process_group(0);
    match silent(command, FOUND).await {
        Ok(Some(status)) if !status.success() => {
            let code = status
                .code()
                .map_or_else(String::new, |code| format!(" with status {code}"));
            Err(format!("{OPENER} ended{code}"))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Err(format!("{OPENER} is not installed"))
        }
        Err(error) => Err(format!("{OPENER}: {error}")),
    }
}
