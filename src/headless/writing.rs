//! What all writes without a screen share: the right to write, the journal, and signals that stop before the next request.

use std::io;

use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio_util::sync::CancellationToken;

use super::access::Access;
use super::output::note;
use super::{Exit, Stop};
use crate::disk::{StateFolder, state_dir};
use crate::model::ChunkResult;
use crate::rpc::Writer;
use crate::store::{Event, RequestId};
use crate::worker::Changing;

impl Access {
    /// The type that writes; a read-only profile has none.
    pub fn writer(&self) -> Result<Writer, Stop> {
        let refused = || Stop::usage("read-only profile: nothing is changed from here, and nothing was sent");
        self.connection.writer().cloned().ok_or_else(refused)
    }

    /// What a write is carried out with: nothing is sent without a journal to write it down in first.
    pub fn changing(&self) -> Result<Changing, Stop> {
        let refused = |why: String| Stop::service(format!("nothing is sent without a journal: {why}"));
        let folder = state_dir().ok_or_else(|| refused("there is no home directory for it".into()))?;
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
        stopped: &CancellationToken,
        work: impl Future<Output = T>,
        mut step: impl FnMut(ChunkResult),
    ) -> Result<T, Stop> {
        let mut signals = Signals::listen().map_err(|error| Stop::service(format!("no signals: {error}")))?;
        tokio::pin!(work);
        let mut take = |event: Event| match event {
            Event::ChangeStep { step: taken, .. } => step(taken),
            Event::Trouble(failure) => note(&Stop::from(failure).words),
            _ => {}
        };
        let done = loop {
            tokio::select! {
                Some(event) = self.happened.recv() => take(event),
                () = signals.next() => {
                    if stopped.is_cancelled() {
                        let words = "interrupted: what was sent and not read after stands in the journal";
                        return Err(Stop { exit: Exit::Interrupted, ..Stop::service(words) });
                    }
                    stopped.cancel();
                    note("no further request is sent; what went out is still read after");
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

/// The signals that ask the program to end.
struct Signals([Signal; 3]);

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self([signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?]))
    }

    async fn next(&mut self) {
        let [interrupt, terminate, hang_up] = &mut self.0;
        tokio::select! { _ = interrupt.recv() => {} _ = terminate.recv() => {} _ = hang_up.recv() => {} }
    }
}
