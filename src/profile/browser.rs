//! Programs of the system that are started for the user.

use std::io::{self, ErrorKind};
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use tokio::process::Command;

use crate::config::Children;

/// Time after which the opener has found a browser; some openers wait for its end.
const FOUND: Duration = Duration::from_secs(5);

const OPENER: &str = if cfg!(target_os = "macos") {
    "open"
} else {
    "xdg-open"
};

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

/// Runs a program without input and output, and waits at most `patience` for its end.
pub async fn silent(mut command: Command, patience: Duration) -> io::Result<Option<ExitStatus>> {
    let null = || Stdio::null();
    let mut child = command
        .stdin(null())
        .stdout(null())
        .stderr(null())
        .spawn()?;
    let ended = tokio::time::timeout(patience, child.wait()).await.ok();
    ended.transpose()
}
