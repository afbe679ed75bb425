//! What all writes without a screen share: the right to write, the journal, and signals that stop before the next request.

use std::sync::Arc;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Access, EarlyExit, Exit, note};
use crate::disk::{StateFolder, state_dir};
use crate::domain::{ChunkResult, Outcome};
use crate::ops::{Operation, Writing, steps};
use crate::rpc::Writer;

impl Access {
    /// What a write is carried out with. A read-only profile has none, and nothing is sent without a journal to write it
    /// down in first.
    pub fn writing(&self) -> Result<Writing, EarlyExit> {
        let writer = self.may_write()?.clone();
        let refused = |why: &str| {
            Exit::Service.because(format!(
                "nothing is sent, because it cannot be written down first: {why}"
            ))
        };
        let folder = state_dir().ok_or_else(|| refused("there is no home directory for it"))?;
        let state = StateFolder::open(&folder).map_err(|error| refused(&error.to_string()))?;
        Ok(Writing {
            client: self.connection.client.clone(),
            writer,
            state: Arc::new(state),
            held: Arc::default(),
            stopped: CancellationToken::new(),
            tell: self.tell(),
        })
    }

    /// A read-only profile writes nothing, whatever is asked for.
    pub fn may_write(&self) -> Result<&Writer, EarlyExit> {
        let words = "read-only profile: nothing is changed from here, and nothing was sent";
        let writer = self.connection.writer.as_ref();
        writer.ok_or_else(|| Exit::Usage.because(words))
    }

    /// Carries out an operation; `after` looks at it after each step, `ask` answers its questions. The first signal stops
    /// it before its next request: what went out is read after, and the journal tells the rest. The second ends the
    /// program.
    pub async fn carry_out<O: Operation>(
        &self,
        EndSignals { writing, heard }: &mut EndSignals,
        operation: &mut O,
        after: impl FnMut(&O),
        ask: impl Fn(&O) -> bool,
    ) -> Result<Outcome, EarlyExit> {
        let work = steps::carry_out(writing, operation, after, ask);
        tokio::pin!(work);
        let outcome = loop {
            tokio::select! {
                exit = next(heard) => {
                    if writing.stopped.is_cancelled() {
                        let words = "interrupted: \"rundown changes resume\" looks at what was sent and not read after";
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

/// What is written with, and the signals that ask the program to end, heard from the first write of a command to its
/// last: once they are listened to, nothing else ends the program at a signal.
pub struct EndSignals {
    pub writing: Writing,
    heard: [Signal; 3],
}

impl EndSignals {
    /// Listens from now on, for the whole command.
    pub fn listen(writing: Writing) -> Result<Self, EarlyExit> {
        let listen = |kind| {
            signal(kind).map_err(|error| Exit::Service.because(format!("no signals: {error}")))
        };
        let heard = [
            listen(SignalKind::interrupt())?,
            listen(SignalKind::terminate())?,
            listen(SignalKind::hangup())?,
        ];
        Ok(Self { writing, heard })
    }
}

/// The next signal, as the exit status that a shell would see of it.
async fn next([interrupt, terminate, hang_up]: &mut [Signal; 3]) -> Exit {
    tokio::select! {
        _ = interrupt.recv() => Exit::Interrupted,
        _ = terminate.recv() => Exit::Terminated,
        _ = hang_up.recv() => Exit::HungUp,
    }
}

/// Calls a function with each line of a change that it has not had yet.
pub fn each_new(mut tell: impl FnMut(&ChunkResult)) -> impl FnMut(&[ChunkResult]) {
    let mut told = 0;
    move |steps| {
        steps[told..].iter().for_each(&mut tell);
        told = steps.len();
    }
}
