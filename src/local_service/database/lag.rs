//! Lag of a replicated service: for some time after a write, reads see the state before it.
//!
//! The state before a write is an open read transaction that was begun then; lists, counts and documents of that time
//! are read from it without a copy.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use rusqlite::{Connection, InterruptHandle};

use super::{connect, revision, unpoisoned};
use crate::local_service::fault::Fault;

/// Writes within this fraction of the lag share one old state, so that few are open.
const SHARE: u32 = 16;

/// Old states that reads still see, oldest first.
pub struct Lag {
    time: Duration,
    states: Mutex<VecDeque<OldState>>,
}

/// State before a write.
pub struct OldState {
    pub connection: Arc<Mutex<Connection>>,
    pub revision: i64,
    interrupt: InterruptHandle,
    begun: Instant,
    /// `None` while the write is running.
    until: Option<Instant>,
}

impl Lag {
    /// Creates a lag of this time.
    pub fn new(time: Duration) -> Self {
        Self {
            time,
            states: Mutex::default(),
        }
    }

    /// Old states; reads use the first one, or the present if there is none. A read of the present must begin while
    /// holding this guard, so that no write comes between.
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

    /// Keeps the present state for a write; the caller holds the only writing connection.
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
        // The transaction stays open as long as the connection; its first read fixes the state.
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

    /// Interrupts all reads of old states.
    pub fn interrupt(&self) {
        for state in unpoisoned(&self.states).iter() {
            state.interrupt.interrupt();
        }
    }
}

/// A state kept for a write. If it is dropped before [`Kept::written`], the write did not happen.
pub struct Kept<'l> {
    lag: &'l Lag,
    before: Option<Instant>,
    made: bool,
}

impl Kept<'_> {
    /// Starts the lag after the write.
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
