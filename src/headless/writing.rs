//! What all writes without a screen share: the right to write, the journal, and signals that stop before the next request.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::access::{Access, show};
use super::output::note;
use super::{EarlyExit, Exit};
use crate::disk::{StateFolder, state_dir};
use crate::domain::Outcome;
use crate::ops::write::Writing;
use crate::ops::{Operation, Question, steps};

impl Access {
    /// What a write is carried out with. A read-only profile has none, and nothing is sent without a journal to write it
    /// down in first.
    pub fn writing(&self) -> Result<Writing, EarlyExit> {
        let connection = &self.connection;
        let writer = connection.writer.clone();
        let writer = writer.ok_or_else(read_only)?;
        let refused = |why: String| {
            EarlyExit::service(format!(
                "nothing is sent, because it cannot be written down first: {why}"
            ))
        };
        let folder =
            state_dir().ok_or_else(|| refused("there is no home directory for it".into()))?;
        let state = StateFolder::open(&folder).map_err(|error| refused(error.to_string()))?;
        let (client, stopped) = (connection.client.clone(), CancellationToken::new());
        Ok(Writing::new(client, writer, &state, stopped, self.tell()))
    }

    /// A read-only profile writes nothing, whatever is asked for.
    pub fn may_write(&self) -> Result<(), EarlyExit> {
        match &self.connection.writer {
            Some(_) => Ok(()),
            None => Err(read_only()),
        }
    }

    /// Carries out an operation; `after` looks at it after each step, `ask` answers its questions. The first signal stops
    /// it before its next request: what went out is read after, and the journal tells the rest. The second ends the
    /// program.
    pub async fn carry_out<O: Operation>(
        &mut self,
        (writing, signals): (&Writing, &mut EndSignals),
        operation: &mut O,
        after: impl FnMut(&O),
        ask: impl Fn(&Question) -> bool,
    ) -> Result<Outcome, EarlyExit> {
        let work = steps::carry_out(writing, operation, after, ask);
        tokio::pin!(work);
        let outcome = loop {
            tokio::select! {
                Some(event) = self.happened.recv() => show(&self.progress, event),
                exit = signals.next() => {
                    if signals.stopped.is_cancelled() {
                        let words = "interrupted: \"rundown changes resume\" looks at what was sent and not read after";
                        return Err(EarlyExit::new(exit, words));
                    }
                    signals.stop();
                }
                outcome = &mut work => break outcome,
            }
        };
        while let Ok(event) = self.happened.try_recv() {
            show(&self.progress, event);
        }
        self.progress.clear();
        Ok(outcome)
    }
}

fn read_only() -> EarlyExit {
    EarlyExit::usage("read-only profile: nothing is changed from here, and nothing was sent")
}

/// The signals that ask the program to end, heard from the first write of a command to its last: once they are listened
/// to, nothing else ends the program at a signal.
pub struct EndSignals {
    /// Raised by the first: no further request is sent.
    stopped: CancellationToken,
    heard: [Signal; 3],
}

impl EndSignals {
    /// Listens from now on, for the whole command.
    pub fn listen(writing: &Writing) -> Result<Self, EarlyExit> {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let heard: io::Result<Vec<Signal>> = kinds.into_iter().map(signal).collect();
        let heard = heard.map_err(|error| EarlyExit::service(format!("no signals: {error}")))?;
        let heard = heard
            .try_into()
            .map_err(|_| EarlyExit::service("no signals: not all of them can be listened to"))?;
        Ok(Self {
            stopped: writing.stopped.clone(),
            heard,
        })
    }

    fn stop(&self) {
        self.stopped.cancel();
        note("nothing further is sent; what went out is still read after");
    }

    /// The next signal, as the exit status that a shell would see of it.
    async fn next(&mut self) -> Exit {
        let [interrupt, terminate, hang_up] = &mut self.heard;
        tokio::select! {
            _ = interrupt.recv() => Exit::Interrupted,
            _ = terminate.recv() => Exit::Terminated,
            _ = hang_up.recv() => Exit::HungUp,
        }
    }
}
