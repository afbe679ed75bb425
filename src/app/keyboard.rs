//! The thread that reads the keyboard, and its pauses for an editor.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use crossterm::event::{Event as Input, KeyCode, KeyEventKind, KeyModifiers};
use rustix::process::Signal;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::last_resort::LastResort;
use crate::ops::lock;

/// Reads input on its own thread, so that all waiting keys are in the channel before a frame is drawn: a poll of
/// crossterm does not return input that it has read already. The thread lives as long as the process, and ends it after
/// a second Ctrl-c that is not handled.
pub fn read_input(
    keyboard: Arc<Keyboard>,
    last_resort: Arc<LastResort>,
) -> UnboundedReceiver<io::Result<Input>> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        let mut pressed_before = false;
        loop {
            keyboard.wait_for_turn();
            let input = crossterm::event::read();
            let over = input.is_err();
            if let Ok(Input::Key(key)) = &input
                && key.kind != KeyEventKind::Release
            {
                let ctrl_c =
                    key.code == KeyCode::Char('c') && key.modifiers == KeyModifiers::CONTROL;
                if ctrl_c && pressed_before {
                    last_resort.insist(Signal::INT);
                }
                pressed_before = ctrl_c;
            }
            if sender.send(input).is_err() || over {
                return;
            }
        }
    });
    receiver
}

/// Owner of the keyboard: the input thread, or an editor that has the terminal.
#[derive(Default)]
pub struct Keyboard {
    state: Mutex<PauseState>,
    changed: Condvar,
}

#[derive(Default)]
struct PauseState {
    paused: bool,
    /// The input thread has paused.
    stands: bool,
}

impl Keyboard {
    /// Returns once the input thread has paused. A signal of a changed size wakes it: crossterm reports it as an event,
    /// and nothing else ends its wait.
    pub fn pause(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        (state.paused, state.stands) = (true, false);
        rustix::process::kill_process(rustix::process::getpid(), Signal::WINCH)?;
        // It is asked for once more after the time: no thread that has paused meanwhile is left waiting.
        let (mut state, waited) = self
            .changed
            .wait_timeout_while(state, Duration::from_secs(2), |state| !state.stands)
            .unwrap_or_else(PoisonError::into_inner);
        if waited.timed_out() {
            state.paused = false;
            return Err(io::Error::other("the keyboard could not be handed over"));
        }
        Ok(())
    }

    pub fn go_on(&self) {
        lock(&self.state).paused = false;
        self.changed.notify_all();
    }

    fn wait_for_turn(&self) {
        let mut state = lock(&self.state);
        while state.paused {
            state.stands = true;
            self.changed.notify_all();
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}
