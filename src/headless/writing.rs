//! What all writes without a screen share: the right to write, the journal, and signals that stop before the next request.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::output::note;
use super::{Exit, Stop};
use crate::disk::{StateFolder, state_dir};
use crate::domain::ChunkResult;
use crate::rpc::Writer;
use crate::store::{Event, RequestId};
use crate::worker::Changing;

impl Access {
    /// The type that writes; a read-only profile has none.
    pub fn writer(&self) -> Result<Writer, Stop> {
        let refused =
            || Stop::usage("read-only profile: nothing is changed from here, and nothing was sent");
        self.connection.writer().cloned().ok_or_else(refused)
    }

    /// What a write is carried out with: nothing is sent without a journal to write it down in first.
    pub fn changing(&self) -> Result<Changing, Stop> {
        let refused =
            |why: String| Stop::service(format!("nothing is sent without a journal: {why}"));
        let folder =
            state_dir().ok_or_else(|| refused("there is no home directory for it".into()))?;
        let state = StateFolder::open(&folder).map_err(|error| refused(error.to_string()))?;
        Ok(Changing {
            connection: self.connection.clone(),
            journal: state.journal,
            trash: state.trash,
            id: RequestId(0),
            stopped: CancellationToken::new(),
            events: self.events.clone(),
        })
    }

    /// Waits for a write and hands on its steps. The first signal stops it before its next request: what went out is
    /// read after, and the journal tells the rest. The second ends the program.
    pub async fn written<T>(
        &mut self,
        signals: &mut Signals,
        work: impl Future<Output = T>,
        mut step: impl FnMut(ChunkResult),
    ) -> Result<T, Stop> {
        tokio::pin!(work);
        let mut take = |event: Event| match event {
            Event::ChangeStep { step: taken, .. } => step(taken),
            Event::Trouble(failure) => note(&Stop::from(failure).words),
            _ => {}
        };
        let done = loop {
            tokio::select! {
                Some(event) = self.happened.recv() => take(event),
                exit = signals.next() => {
                    if signals.stopped.is_cancelled() {
                        let words = "interrupted: what was sent and not read after stands in the journal";
                        return Err(Stop { exit, ..Stop::service(words) });
                    }
                    signals.stop();
                }
                done = &mut work => break done,
            }
        };
        while let Ok(event) = self.happened.try_recv() {
            take(event);
        }
        Ok(done)
    }
}

/// The signals that ask the program to end, heard from the first write of a command to its last: once they are listened
/// to, nothing else ends the program at a signal.
pub struct Signals {
    /// Raised by the first: no further request is sent.
    stopped: CancellationToken,
    heard: [Signal; 3],
}

impl Signals {
    /// Listens from now on, for the whole command.
    pub fn listen(changing: &Changing) -> Result<Self, Stop> {
        let kinds = [
            SignalKind::interrupt(),
            SignalKind::terminate(),
            SignalKind::hangup(),
        ];
        let heard: io::Result<Vec<Signal>> = kinds.into_iter().map(signal).collect();
        let heard = heard.map_err(|error| Stop::service(format!("no signals: {error}")))?;
        let heard = heard
            .try_into()
            .map_err(|_| Stop::service("no signals: not all of them can be listened to"))?;
        Ok(Self {
            stopped: changing.stopped.clone(),
            heard,
        })
    }

    /// Waits for readings between two writes, which change nothing: a signal ends them, and after one none is begun.
    pub async fn reading<T>(
        &mut self,
        work: impl Future<Output = Result<T, Stop>>,
    ) -> Result<T, Stop> {
        let interrupted = || Err(Stop::service("stopped by a signal"));
        if self.stopped.is_cancelled() {
            return interrupted();
        }
        tokio::select! {
            biased;
            _ = self.next() => {
                self.stop();
                interrupted()
            }
            done = work => done,
        }
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
