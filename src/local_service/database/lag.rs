//! A copy of the data that lags behind, as a caller of a replicated service sees it: for a while after a write, reads
//! answer from the state before it.
//!
//! The state before a write is a read transaction that was begun then and is kept open; every list, count and document
//! of that time comes out of it as it did, without a second copy of anything.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};

use super::{connect, revision, unpoisoned};
use crate::local_service::fault::Fault;

/// Writes that follow each other within this part of the lag share one old state, so that there are never many open.
const SHARE: u32 = 16;

/// The states that are still answered from, the oldest first.
pub struct Lag {
    time: Duration,
    states: Mutex<VecDeque<OldState>>,
}

/// The state before a write.
pub struct OldState {
    pub connection: Arc<Mutex<Connection>>,
    pub revision: i64,
    interrupt: InterruptHandle,
    begun: Instant,
    /// `None` while the write is under way.
    until: Option<Instant>,
}

impl Lag {
    /// Reads see a write this long after it was made.
    pub fn new(time: Duration) -> Self {
        Self {
            time,
            states: Mutex::default(),
        }
    }

    /// The states to answer from, the first one being the one; with none, the present holds. Whoever reads the present
    /// begins to do so while holding this: no write can come between.
    pub fn states(&self) -> MutexGuard<'_, VecDeque<OldState>> {
        let mut states = unpoisoned(&self.states);
        let now = Instant::now();
        while states
            .front()
            .is_some_and(|state| state.until.is_some_and(|until| until <= now))
        {
            states.pop_front();
        }
        states
    }

    /// Keeps the present state for a write that is about to be made; the caller holds the only writing connection.
    pub fn keep(&self, path: &Path) -> Result<Kept<'_>, Fault> {
        let mut states = self.states();
        if let Some(last) = states
            .back_mut()
            .filter(|last| last.begun.elapsed() < self.time / SHARE)
        {
            let before = last.until.take();
            return Ok(Kept {
                lag: self,
                before,
                made: false,
            });
        }
        let connection = connect(path)?;
        // The transaction stays open until the connection goes; the first read in it fixes the state.
        connection.execute_batch("BEGIN")?;
        let revision = revision(&connection)?;
        let interrupt = connection.get_interrupt_handle();
        let connection = Arc::new(Mutex::new(connection));
        states.push_back(OldState {
            connection,
            revision,
            interrupt,
            begun: Instant::now(),
            until: None,
        });
        Ok(Kept {
            lag: self,
            before: None,
            made: true,
        })
    }

    /// Breaks off whatever is read from old states at this moment.
    pub fn interrupt(&self) {
        for state in unpoisoned(&self.states).iter() {
            state.interrupt.interrupt();
        }
    }
}

/// A state kept for a write; dropped before [`Kept::written`], it is as if there had been no write.
pub struct Kept<'l> {
    lag: &'l Lag,
    before: Option<Instant>,
    made: bool,
}

impl Kept<'_> {
    /// The write is made: its time begins.
    pub fn written(mut self) {
        self.made = false;
        self.before = Some(Instant::now() + self.lag.time);
    }
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        let mut states = unpoisoned(&self.lag.states);
        if self.made {
            states.pop_back();
        } else if let Some(last) = states.back_mut() {
            last.until = self.before;
        }
    }
}
