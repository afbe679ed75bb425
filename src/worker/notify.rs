//! The program of the person that is told when a threshold is crossed or a run is finished.

use std::process::Stdio;
use std::time::Duration;

use super::{Worker, local, lock, send};
use crate::config::{Children, Notify};
use crate::store::Event;

/// How long it may take.
const PATIENCE: Duration = Duration::from_mins(1);

impl Worker {
    /// Runs the program of `notify` with the words as its last argument: no shell, no input, and nothing of what it says.
    pub(super) fn call_somebody(&self, words: String) {
        let Some(connection) = lock(&self.connection).clone() else {
            return;
        };
        let Notify::Command(command) = connection.profile().monitor.notify.clone() else {
            return;
        };
        let children = connection.profile().children.clone();
        let events = self.events.clone();
        tokio::spawn(async move {
            if let Err(why) = run(&children, &command, &words).await {
                let program = command.first().map(String::as_str).unwrap_or_default();
                let failure = local(
                    &format!("notify: {program}"),
                    &why,
                    "correct notify in [monitor] of the config",
                );
                send(&events, Event::Trouble(failure));
            }
        });
    }
}

async fn run(children: &Children, command: &[String], words: &str) -> Result<(), String> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(());
    };
    let mut command = children.command(program);
    command.args(arguments).arg(words).kill_on_drop(true);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    match tokio::time::timeout(PATIENCE, child.wait()).await {
        Ok(Ok(status)) if status.success() => Ok(()),
        Ok(Ok(status)) => Err(format!("it ended with {status}")),
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err(format!(
            "it took more than {} s and was ended",
            PATIENCE.as_secs()
        )),
    }
}
