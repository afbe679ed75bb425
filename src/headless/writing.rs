//! Common parts of all writes without a screen: permission, journal, and signals that stop before the next request.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::prelude::*;
use crate::disk::State;
use crate::ops::steps::carry_out;
use crate::ops::{Operation, Writing};

impl Access {
    /// Tools of a write. Fails for a read-only profile, or without a journal to note the write first.
    pub fn writing(&self) -> Ran<Writing> {
        self.may_write()?;
        let (state, stopped) = (State::of_program().with_journal(), CancellationToken::new());
        let writing = self.connection.writing(state, stopped, self.tell());
        let mut writing =
            writing.map_err(|why| Exit::Service.because(format!("nothing is sent: {why}")))?;
        writing.client = self.client.clone();
        Ok(writing)
    }

    /// Fails for a read-only profile.
    pub fn may_write(&self) -> Ran {
        let may_write = self.connection.may_write();
        let refused = |why| Exit::Usage.because(format!("{why}, and nothing was sent"));
        may_write.map(drop).map_err(refused)
    }

    /// Returns what looks at changes whose end is not known.
    fn looks(&self) -> String {
        let options = self.connection.profile().options();
        format!("\"rundown changes resume {options}\" looks")
    }

    /// Ends a command that writes; an unknown end names the command that looks again.
    pub fn looks_again(&self, ended: Ran) -> Ran {
        ended.map_err(|stop| {
            let words = stop.words.trim_end_matches('.');
            let behind = if words.is_empty() { "" } else { "; " };
            let words = match stop.exit {
                Exit::Unknown => format!("{words}{behind}{} at it again", self.looks()),
                _ => return stop,
            };
            EarlyExit { words, ..stop }
        })
    }

    /// Runs an operation; `tell` gets each of its `steps` once, `ask` answers its questions. The first signal stops it
    /// before the next request, and the last one is still checked by reading. The second signal ends the program.
    pub async fn carry_out<O: Operation>(
        &self,
        EndSignals { writing, heard }: &mut EndSignals,
        operation: &mut O,
        steps: impl Fn(&O) -> &[ChunkResult],
        mut tell: impl FnMut(&ChunkResult),
        ask: impl Fn(&O) -> bool,
    ) -> Ran<Outcome> {
        let mut reported = 0;
        let report = |operation: &O| {
            let steps = steps(operation);
            steps[reported..].iter().for_each(&mut tell);
            reported = steps.len();
        };
        let work = carry_out(writing, operation, report, ask);
        tokio::pin!(work);
        let outcome = loop {
            tokio::select! {
                exit = heard.next() => {
                    if writing.stopped.is_cancelled() {
                        let words = format!("interrupted: {} at what was sent and not read after", self.looks());
                        return Err(exit.because(words));
                    }
                    writing.stopped.cancel();
                    note("nothing further is sent; what went out is still read after");
                }
                outcome = &mut work => break outcome,
            }
        };
        self.progress.clear();
        Ok(outcome)
    }
}

/// Tools of a write with the signals that end the program, from the first write of a command to its last, as listening
/// disables the default effect of signals.
pub struct EndSignals {
    pub writing: Writing,
    heard: Ends,
}

impl EndSignals {
    /// Starts to listen for the whole command.
    pub fn listen(writing: Writing) -> Ran<Self> {
        let heard = Ends::listen()
            .map_err(|error| Exit::Service.because(format!("no signals: {error}")))?;
        Ok(Self { writing, heard })
    }

    /// Waits for the first signal, after which nothing further is sent.
    pub async fn heard(&mut self) {
        self.heard.next().await;
        self.writing.stopped.cancel();
    }
}

/// Signals that ask the program to end; `None` for those that were ignored when it started (`nohup`, or `&` in a
/// script), which stay ignored.
pub struct Ends([Option<Signal>; 3]);

impl Ends {
    /// Starts to listen, which disables the default effect of these signals.
    pub fn listen() -> io::Result<Self> {
        let ignored = ignored();
        let heard = |kind: SignalKind| {
            let is_ignored = ignored >> (kind.as_raw_value() - 1) & 1 == 1;
            (!is_ignored).then(|| signal(kind)).transpose()
        };
        Ok(Self([
            heard(SignalKind::interrupt())?,
            heard(SignalKind::terminate())?,
            heard(SignalKind::hangup())?,
        ]))
    }

    /// Waits for the next signal. Returns its usual exit status.
    pub async fn next(&mut self) -> Exit {
        let [interrupt, terminate, hang_up] = &mut self.0;
        tokio::select! {
            () = came(interrupt) => Exit::Interrupted,
            () = came(terminate) => Exit::Terminated,
            () = came(hang_up) => Exit::HungUp,
        }
    }
}

/// Waits for the signal; one that is not listened to never comes.
async fn came(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Signals that are ignored, a bit each, the first for number 1. Linux alone tells them without unsafe code; elsewhere none.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0)
}
