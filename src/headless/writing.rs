//! What all writes without a screen share: the right to write, the journal, and signals that stop before the next request.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::{Access, EarlyExit, Exit, note};
use crate::disk::StateFolder;
use crate::domain::{ChunkResult, Outcome};
use crate::ops::{Operation, Writing, steps};

impl Access {
    /// What a write is carried out with. A read-only profile has none, and nothing is sent without a journal to write it
    /// down in first.
    pub fn writing(&self) -> Result<Writing, EarlyExit> {
        self.may_write()?;
        let (state, stopped) = (StateFolder::of_program(), CancellationToken::new());
        let writing = self.connection.writing(state, stopped, self.tell());
        writing.map_err(|why| Exit::Service.because(why))
    }

    /// A read-only profile writes nothing, whatever is asked for.
    pub fn may_write(&self) -> Result<(), EarlyExit> {
        let may_write = self.connection.may_write();
        let refused = |why| Exit::Usage.because(format!("{why}, and nothing was sent"));
        may_write.map(drop).map_err(refused)
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
                exit = heard.next() => {
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
    heard: Ends,
}

impl EndSignals {
    /// Listens from now on, for the whole command.
    pub fn listen(writing: Writing) -> Result<Self, EarlyExit> {
        let heard = Ends::listen()
            .map_err(|error| Exit::Service.because(format!("no signals: {error}")))?;
        Ok(Self { writing, heard })
    }
}

/// The signals that ask the program to end.
pub struct Ends([Signal; 3]);

impl Ends {
    /// Listens from now on: nothing else ends the program at one of them any more.
    pub fn listen() -> io::Result<Self> {
        Ok(Self([
            signal(SignalKind::interrupt())?,
            signal(SignalKind::terminate())?,
            signal(SignalKind::hangup())?,
        ]))
    }

    /// The next one, as the exit status that a shell would see of it.
    pub async fn next(&mut self) -> Exit {
        let [interrupt, terminate, hang_up] = &mut self.0;
        tokio::select! {
            _ = interrupt.recv() => Exit::Interrupted,
            _ = terminate.recv() => Exit::Terminated,
            _ = hang_up.recv() => Exit::HungUp,
        }
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
