//! Ends the program if the drawing thread does not react to a signal: it may be busy, or blocked by a terminal that
//! accepts no output.

use std::io;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::Duration;

use crossterm::terminal::disable_raw_mode;
use rustix::process::Signal;

use super::signals::{ENDS, any, ends};
use crate::ops::lock;
use crate::terminal::{or_gone, restore};

/// Unit of time: none passes while the program is stopped.
const STEP: Duration = Duration::from_millis(50);
/// Maximum number of steps for the drawing thread to react, and for the end after a second signal. A thread that was
/// idle for as many steps has seen the signal, and continues for a reason.
const PATIENCE: u32 = 40;
/// Maximum number of steps to save the last drafts: more than their own time limit.
const ENDING: u32 = 160;
/// Maximum time for a terminal that accepts no output.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Observes the reactions of the drawing thread.
#[derive(Default)]
pub struct LastResort {
    /// The drawing thread is idle.
    listening: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The drawing thread waits for an editor.
    editing: bool,
    /// The drawing thread has begun to end.
    ending: bool,
    /// A signal to end was received before.
    insisted: bool,
    /// Wait before the program is ended.
    waiting: Option<Waiting>,
}

struct Waiting {
    ending: bool,
    /// Remaining steps in which the drawing thread may be busy.
    left: u32,
    /// Remaining steps in which it may be idle.
    idle: u32,
}

impl LastResort {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// Sets if the drawing thread is idle.
    pub fn set_listening(&self, listening: bool) {
        self.listening.store(listening, Ordering::SeqCst);
    }

    /// Sets if an editor has the terminal.
    pub fn set_editing(&self, editing: bool) {
        self.state().editing = editing;
    }

    /// Notes that the program ends: the drawing thread handles nothing more.
    pub fn is_ending(&self) {
        self.state().ending = true;
    }

    /// Handles the signals that end the program, on its own thread that lives as long as the process.
    pub fn listen(self: Arc<Self>) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let within = runtime.enter();
        let mut signals = ends()?;
        drop(within);
        thread::spawn(move || {
            runtime.block_on(async {
                loop {
                    let signal = any(&mut signals).await;
                    self.insist(ENDS[signal]);
                }
            });
        });
        Ok(())
    }

    /// Ends the program, as this signal would, unless the drawing thread reacts.
    pub fn insist(self: &Arc<Self>, signal: Signal) {
        let mut state = self.state();
        if state.editing {
            return;
        }
        let again = std::mem::replace(&mut state.insisted, true);
        let ending = state.ending;
        let left = if ending && !again { ENDING } else { PATIENCE };
        if let Some(waiting) = &mut state.waiting {
            waiting.left = waiting.left.min(left);
            return;
        }
        state.waiting = Some(Waiting {
            ending,
            left,
            idle: PATIENCE,
        });
        drop(state);
        let here = self.clone();
        thread::spawn(move || {
            while let Some(left) = here.step() {
                if left == 0 {
                    end(signal);
                }
                thread::sleep(STEP);
            }
        });
    }

    /// Waits one step; returns the number left, or `None` once the drawing thread must have seen the signal. A short
    /// idle time proves nothing: the thread may have been blocked before it.
    fn step(&self) -> Option<u32> {
        let mut state = self.state();
        let ending = state.ending;
        let waiting = state.waiting.as_mut()?;
        if ending && !waiting.ending {
            (waiting.ending, waiting.left) = (true, ENDING);
        }
        if !ending && self.listening.load(Ordering::SeqCst) {
            waiting.idle = waiting.idle.saturating_sub(1);
        } else {
            waiting.left = waiting.left.saturating_sub(1);
        }
        let left = waiting.left;
        if waiting.idle == 0 {
            state.waiting = None;
            return None;
        }
        Some(left)
    }
}

/// Restores the terminal as far as possible, and ends the process. Files are consistent at any time.
fn end(signal: Signal) -> ! {
    // On its own: it writes nothing to the terminal.
    or_gone(disable_raw_mode());
    let (done, restored) = mpsc::channel();
    thread::spawn(move || {
        restore();
        // The receiver may have given up.
        let _ = done.send(());
    });
    if restored.recv_timeout(LAST_WORDS).is_err() {
        tracing::debug!("the terminal takes nothing any more");
    }
    process::exit(128 + signal.as_raw())
}
