//! The thread that reads the keyboard, and its pauses for an editor.

use std::io;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crossterm::event::{Event as Input, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use rustix::process::Signal;
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::last_resort::LastResort;
use crate::ops::lock;

/// Time within which the rest of a key follows its first byte, that of Esc: what lies between a terminal and a program may
/// cut a key there, and crossterm takes what was read so far for Esc.
const REST: Duration = Duration::from_millis(20);
/// The same right after other input: that is where more comes than is taken at once.
const REST_OF_MANY: Duration = Duration::from_millis(100);

/// Reads input on its own thread, so that all waiting keys are in the channel before a frame is drawn: a poll of
/// crossterm does not return input that it has read already. The thread lives as long as the process, and ends it after
/// a second Ctrl-c that is not handled.
pub fn read_input(
    keyboard: Arc<Keyboard>,
    last_resort: Arc<LastResort>,
) -> UnboundedReceiver<io::Result<Input>> {
    let (sender, receiver) = unbounded_channel();
    std::thread::spawn(move || {
        let (mut pressed_before, mut read_at) = (false, Instant::now());
        loop {
            keyboard.wait_for_turn();
            let read = crossterm::event::read();
            let ended = read.is_err();
            let is_of_many = read_at.elapsed() < REST_OF_MANY;
            let rest = if is_of_many { REST_OF_MANY } else { REST };
            let inputs = match read {
                // Where that fails, the next reading fails, too.
                Ok(input) if is_escape(&input) => rejoined(input, || {
                    let follows = crossterm::event::poll(rest).unwrap_or(false);
                    follows.then(|| crossterm::event::read().ok()).flatten()
                }),
                read => vec![read],
            };
            read_at = Instant::now();
            for input in inputs {
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
                if sender.send(input).is_err() || ended {
                    return;
                }
            }
        }
    });
    receiver
}

fn is_escape(input: &Input) -> bool {
    *input == Input::Key(KeyCode::Esc.into())
}

/// Returns the input that begins with `escape`: a key that was cut behind its first byte is whole again, and one that is
/// not known goes as a whole.
fn rejoined(escape: Input, mut next: impl FnMut() -> Option<Input>) -> Vec<io::Result<Input>> {
    let mut inputs = vec![Ok(escape)];
    let (mut begin, mut rest) = (0, String::new());
    while let Some(input) = next() {
        let typed = match &input {
            Input::Key(KeyEvent {
                code: KeyCode::Char(typed),
                modifiers,
                ..
            }) if KeyModifiers::SHIFT.contains(*modifiers) => Some(*typed),
            _ => None,
        };
        let is_escape = is_escape(&input);
        if is_escape {
            begin = inputs.len();
            rest.clear();
        }
        inputs.push(Ok(input));
        rest.extend(typed);
        match rest.as_bytes() {
            _ if typed.is_none() && !is_escape => break,
            [] | [b'O' | b'['] | [b'[', .., b' '..=b'?'] => {}
            [b'O' | b'[', ..] => {
                inputs.truncate(begin);
                inputs.extend(key(&rest[1..]).map(|code| Ok(Input::Key(code.into()))));
                break;
            }
            _ => break,
        }
    }
    inputs
}

/// Key of a sequence behind its introducer, as terminals without modes send it.
fn key(sequence: &str) -> Option<KeyCode> {
    Some(match sequence {
        "A" => KeyCode::Up,
        "B" => KeyCode::Down,
        "C" => KeyCode::Right,
        "D" => KeyCode::Left,
        "H" | "1~" => KeyCode::Home,
        "F" | "4~" => KeyCode::End,
        "3~" => KeyCode::Delete,
        "5~" => KeyCode::PageUp,
        "6~" => KeyCode::PageDown,
        _ => return None,
    })
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
    has_paused: bool,
}

impl Keyboard {
    /// Returns once the input thread has paused. A signal of a changed size wakes it: crossterm reports it as an event,
    /// and nothing else ends its wait.
    pub fn pause(&self) -> io::Result<()> {
        let mut state = lock(&self.state);
        (state.paused, state.has_paused) = (true, false);
        rustix::process::kill_process(rustix::process::getpid(), Signal::WINCH)?;
        // It is asked for once more after the time: no thread that has paused meanwhile is left waiting.
        let (mut state, waited) = self
            .changed
            .wait_timeout_while(state, Duration::from_secs(2), |state| !state.has_paused)
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
            state.has_paused = true;
            self.changed.notify_all();
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn typed(text: &str) -> Vec<Input> {
        let key = |it: char| match it {
            '\x1b' => KeyCode::Esc.into(),
            it if it.is_uppercase() => KeyEvent::new(KeyCode::Char(it), KeyModifiers::SHIFT),
            it => KeyCode::Char(it).into(),
        };
        text.chars().map(key).map(Input::Key).collect()
    }

    /// Of what follows Esc in time, what is a key, and what is left.
    fn read(after: Vec<Input>) -> (Vec<Input>, usize) {
        let mut after = after.into_iter();
        let inputs = rejoined(Input::Key(KeyCode::Esc.into()), || after.next());
        (
            inputs.into_iter().map(Result::unwrap).collect(),
            after.count(),
        )
    }

    #[test]
    fn a_key_that_was_cut_is_whole_again() {
        for (rest, code) in [
            ("[B", KeyCode::Down),
            ("OA", KeyCode::Up),
            ("[5~", KeyCode::PageUp),
        ] {
            let key = vec![Input::Key(code.into())];
            assert_eq!(read(typed(&format!("{rest}jj"))), (key.clone(), 2));
            let twice = [typed("\x1b"), key].concat();
            assert_eq!(read(typed(&format!("\x1b{rest}"))), (twice, 0));
        }
        // A turn of the wheel, a key with modifiers, what a terminal has answered.
        for rest in ["[<65;40;12M", "[1;5D", "[?62;22c"] {
            assert_eq!(read(typed(&format!("{rest}q"))), (vec![], 1), "{rest}");
        }
    }

    #[test]
    fn what_begins_no_key_is_typed() {
        let esc = || typed("\x1b");
        assert_eq!(read(vec![]), (esc(), 0));
        for after in ["q", "B", "\x1b", "[", "O", "\x1b[", "[12"] {
            assert_eq!(read(typed(after)), ([esc(), typed(after)].concat(), 0));
        }
        let size = vec![Input::Resize(80, 24)];
        let all = [esc(), typed("["), size.clone()].concat();
        assert_eq!(read([typed("["), size].concat()), (all, 0));
    }
}
