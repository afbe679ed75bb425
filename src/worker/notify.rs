//! The user's program that is called when a run exceeds its limit or is finished.

use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::prelude::*;
use super::runs::RunsDoor;
use crate::config::Children;
use crate::domain::Notify;
use crate::profile::silent;

/// Time limit of the program.
const PATIENCE: Duration = Duration::from_mins(1);

/// Shortest time between two starts.
const APART: Duration = Duration::from_secs(1);

/// One call of the user's program.
#[derive(Clone, Debug)]
pub(super) struct Call {
    children: Children,
    /// The program with its arguments.
    command: Vec<String>,
    words: String,
    /// Number of calls so far: those between two that are told were left out.
    number: u64,
}

/// Channel of the newest call, which waits for the end of the one before.
pub(super) type Caller = watch::Sender<Option<Call>>;

/// Starts the task that calls: one program at a time, and only the newest of waiting calls, so that moving counts start
/// no crowd of programs. It ends once the sender is dropped.
pub(super) fn start(events: Events) -> Caller {
    let (caller, mut waiting) = watch::channel(None::<Call>);
    tokio::spawn(async move {
        let mut told = 0;
        while waiting.changed().await.is_ok() {
            let call = waiting.borrow_and_update().clone();
            let Some(call) = call else {
                continue;
            };
            let next = Instant::now() + APART;
            let words = match call.number - std::mem::replace(&mut told, call.number) {
                ..=1 => call.words,
                more => format!("{} (not told before it: {})", call.words, more - 1),
            };
            if let Err(why) = run(&call.children, &call.command, &words).await {
                let program = call.command.first().map(String::as_str).unwrap_or_default();
                let failure = local(
                    &format!("notify: {program}"),
                    &why,
                    "correct notify in [monitor] of the config",
                );
                send(&events, Event::Trouble(failure));
            }
            sleep_until(next).await;
        }
    });
    caller
}

impl Worker {
    /// Runs the program of `notify` with the words as its last argument: without a shell and input, its output ignored.
    pub(super) fn call_somebody(&self, words: String) {
        let Some(RunsDoor { profile, .. }) = &self.runs else {
            return;
        };
        if let Notify::Command(command) = profile.monitor.notify.clone() {
            call(&self.caller, profile.children.clone(), command, words);
        }
    }
}

/// Puts a call in the place of the one that waits.
fn call(caller: &Caller, children: Children, command: Vec<String>, words: String) {
    caller.send_modify(|waiting| {
        let number = waiting.as_ref().map_or(0, |call| call.number) + 1;
        *waiting = Some(Call {
            children,
            command,
            words,
            number,
        });
    });
}

async fn run(children: &Children, command: &[String], words: &str) -> Result<(), String> {
    let Some((program, arguments)) = command.split_first() else {
        return Ok(());
    };
    let mut command = children.command(program);
    command.args(arguments).arg(words).kill_on_drop(true);
    match silent(command, PATIENCE).await {
        Ok(Some(status)) if status.success() => Ok(()),
        Ok(Some(status)) => Err(format!("it ended with {status}")),
        Err(error) => Err(error.to_string()),
        Ok(None) => Err(format!(
            "it took more than {} s and was ended",
            PATIENCE.as_secs()
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn one_program_at_a_time_and_the_newest_of_what_waits() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("called");
        let script = format!(
            "echo \"begin $1\" >> {0}; sleep 0.2; echo \"end $1\" >> {0}",
            file.display()
        );
        let command = ["sh", "-c", &script, "sh"].map(str::to_owned).to_vec();
        let (events, _heard) = unbounded_channel();
        let caller = start(events);
        let lines = || std::fs::read_to_string(&file).unwrap_or_default();
        let begun = Instant::now();
        for (word, until) in [
            ("1", "begin 1"),
            ("2", "begin 1"),
            ("3", "begin 1"),
            ("4", "end 4 (not told before it: 2)"),
        ] {
            let children = Children::default();
            call(&caller, children, command.clone(), word.to_owned());
            while !lines().contains(until) {
                tokio::time::sleep(Duration::from_millis(5)).await;
            }
        }
        assert_eq!(
            lines(),
            "begin 1\nend 1\nbegin 4 (not told before it: 2)\nend 4 (not told before it: 2)\n"
        );
        assert!(begun.elapsed() >= APART, "at most one start a second");
    }
}
