//! Ends the program where it was told to and the drawing thread does not see to it: it may be busy, or held up by a
//! terminal that takes nothing.

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
use crate::terminal::restore;

/// What time is counted in: while the program is stopped, none passes.
const STEP: Duration = Duration::from_millis(50);
/// The drawing thread has so many steps to do what it was told, and the end to come about when it was asked for again. One
/// that has waited for something to do for as many has heard it, and goes on for a reason.
const PATIENCE: u32 = 40;
/// The last drafts have so many steps to go to the disk: longer than they are waited for.
const ENDING: u32 = 160;
/// A terminal that takes nothing is not waited for longer.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Knows whether the drawing thread still listens.
#[derive(Default)]
pub struct LastResort {
    /// It waits for something to do.
    listening: AtomicBool,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The drawing thread waits for an editor, on purpose.
    editing: bool,
    /// It has taken its leave.
    ending: bool,
    /// The program was told to end before.
    insisted: bool,
    /// What is waited for before the program is ended.
    waiting: Option<Waiting>,
}

struct Waiting {
    ending: bool,
    /// Steps in which the drawing thread may be at something else.
    left: u32,
    /// Steps in which it may wait for something to do.
    idle: u32,
}

impl LastResort {
    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.state)
    }

    /// The drawing thread waits for something to do, or does not any more.
    pub fn set_listening(&self, listening: bool) {
        self.listening.store(listening, Ordering::SeqCst);
    }

    /// An editor has the terminal, or has it no longer.
    pub fn set_editing(&self, editing: bool) {
        self.state().editing = editing;
    }

    /// The drawing thread listens to nothing any more: the program ends.
    pub fn is_ending(&self) {
        self.state().ending = true;
    }

    /// Hears the signals that end the program, on a thread of its own that lives as long as the process.
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
                    let told = any(&mut signals).await;
                    self.insist(ENDS[told]);
                }
            });
        });
        Ok(())
    }

    /// Ends the program, as this signal would, unless the drawing thread hears it and sees to it.
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

    /// A step of waiting: how many are left; `None` once the drawing thread must have heard what it was told. That it listens
    /// for a moment tells nothing: something else may hold it up before.
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

/// Gives the terminal back as far as it takes anything, and ends the process. What is on the disk is whole at any time.
fn end(signal: Signal) -> ! {
    // Apart from the rest: it asks nothing of a terminal that takes nothing.
    if let Err(error) = disable_raw_mode() {
        tracing::debug!("the terminal takes nothing any more: {error}");
    }
    let (done, restored) = mpsc::channel();
    thread::spawn(move || {
        restore();
        // Nobody waits any longer.
        let _ = done.send(());
    });
    if restored.recv_timeout(LAST_WORDS).is_err() {
        tracing::debug!("the terminal takes nothing any more");
    }
    process::exit(128 + signal.as_raw())
}
