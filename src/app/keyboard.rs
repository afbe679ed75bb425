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
            let mut rest = if is_of_many { REST_OF_MANY } else { REST };
            let inputs = match read {
                // Where that fails, the next reading fails, too.
                Ok(input) if is_escape(&input) || introducer(&input).is_some() => {
                    rejoined(input, || {
                        let follows = crossterm::event::poll(rest).unwrap_or(false);
                        rest = REST_OF_MANY;
                        follows.then(|| crossterm::event::read().ok()).flatten()
                    })
                }
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

/// Returns the introducer of a string that a terminal sends as an answer: OSC, DCS or APC.
fn introducer(input: &Input) -> Option<char> {
    match input {
        Input::Key(KeyEvent {
            code: KeyCode::Char(c @ (']' | 'P' | '_')),
            modifiers,
            ..
        }) if modifiers.contains(KeyModifiers::ALT) => Some(*c),
        _ => None,
    }
}

/// Returns the character that `input` types by itself.
fn typed(input: &Input) -> Option<char> {
    match input {
        Input::Key(KeyEvent {
            code: KeyCode::Char(typed),
            modifiers,
            ..
        }) if KeyModifiers::SHIFT.contains(*modifiers) => Some(*typed),
        _ => None,
    }
}

/// Returns the input that begins with `first`, Esc or the introducer of a string: a key that was cut behind its first byte
/// is whole again, and one that is not known goes as a whole. What a terminal answers late goes as a whole, too, and a paste
/// that was cut behind its first byte is one again.
fn rejoined(first: Input, mut next: impl FnMut() -> Option<Input>) -> Vec<io::Result<Input>> {
    let introducer = introducer(&first);
    let mut inputs = vec![first];
    if let Some(introducer) = introducer {
        drop_answer(introducer, &mut inputs, 0, next);
        return inputs.into_iter().map(Ok).collect();
    }
    let (mut begin, mut rest) = (0, String::new());
    while let Some(input) = next() {
        let typed = typed(&input);
        let is_escape = is_escape(&input);
        if is_escape {
            begin = inputs.len();
            rest.clear();
        }
        inputs.push(input);
        rest.extend(typed);
        match rest.as_bytes() {
            _ if typed.is_none() && !is_escape => break,
            [] | [b'O' | b'['] | [b'[', .., b' '..=b'?'] => {}
            [introducer @ (b']' | b'P' | b'_')] => {
                drop_answer(char::from(*introducer), &mut inputs, begin, next);
                break;
            }
            b"[200~" => {
                inputs.truncate(begin);
                add_paste(&mut inputs, next);
                break;
            }
            [b'O' | b'[', ..] => {
                inputs.truncate(begin);
                inputs.extend(key(&rest[1..]).map(|code| Input::Key(code.into())));
                break;
            }
            _ => break,
        }
    }
    inputs.into_iter().map(Ok).collect()
}

/// Drops from `begin` on what a terminal answers as a string, once its end is read; without an end it was typed.
fn drop_answer(
    introducer: char,
    inputs: &mut Vec<Input>,
    begin: usize,
    mut next: impl FnMut() -> Option<Input>,
) {
    let first = inputs.len();
    let mut others = Vec::new();
    while let Some(input) = next() {
        let Input::Key(key) = &input else {
            others.push(input);
            continue;
        };
        let after_escape = inputs.last().is_some_and(is_escape);
        let (backslash, bell) = (KeyCode::Char('\\'), KeyCode::Char('g'));
        let ends = key.code == backslash && (after_escape || key.modifiers == KeyModifiers::ALT)
            || key.code == bell && key.modifiers == KeyModifiers::CONTROL;
        let typed = typed(&input);
        let goes_on = is_escape(&input)
            || typed.is_some_and(|typed| {
                inputs.len() > first
                    || matches!(
                        (introducer, typed),
                        (']' | 'P', '0'..='9') | ('P', '>' | '!') | ('_', 'G')
                    )
            });
        inputs.push(input);
        if ends {
            inputs.truncate(begin);
        }
        if ends || !goes_on {
            break;
        }
    }
    inputs.append(&mut others);
}

/// Adds a paste of the text that follows, up to its end, a pause or a key that is no text.
fn add_paste(inputs: &mut Vec<Input>, mut next: impl FnMut() -> Option<Input>) {
    const END: &str = "\x1b[201~";
    let (mut text, mut after) = (String::new(), None);
    while after.is_none()
        && let Some(input) = next()
    {
        let Input::Key(key) = &input else {
            inputs.push(input);
            continue;
        };
        let typed = match key.code {
            KeyCode::Esc => Some('\x1b'),
            KeyCode::Enter => Some('\n'),
            KeyCode::Char('j') if key.modifiers == KeyModifiers::CONTROL => Some('\n'),
            KeyCode::Tab => Some('\t'),
            _ => typed(&input),
        };
        text.extend(typed);
        if text.ends_with(END) {
            text.truncate(text.len() - END.len());
            break;
        }
        after = typed.is_none().then_some(input);
    }
    inputs.push(Input::Paste(text));
    inputs.extend(after);
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
        read_from(Input::Key(KeyCode::Esc.into()), after)
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

    fn alt(c: char) -> Input {
        Input::Key(KeyEvent::new(KeyCode::Char(c), KeyModifiers::ALT))
    }

    /// Reads input that begins with `first`; returns the result and the number of inputs left.
    fn read_from(first: Input, after: Vec<Input>) -> (Vec<Input>, usize) {
        let mut after = after.into_iter();
        let inputs = rejoined(first, || after.next());
        (
            inputs.into_iter().map(Result::unwrap).collect(),
            after.count(),
        )
    }

    #[test]
    fn what_a_terminal_answers_late_is_no_key() {
        let bell = Input::Key(KeyEvent::new(KeyCode::Char('g'), KeyModifiers::CONTROL));
        for (introducer, answer) in [
            (']', "11;rgb:0000/0000/0000"),
            ('P', ">|xterm(370)"),
            ('_', "Gi=31;OK"),
        ] {
            for end in [vec![alt('\\')], typed("\x1b\\"), vec![bell.clone()]] {
                let after = [typed(answer), end, typed("q")].concat();
                assert_eq!(read_from(alt(introducer), after.clone()), (vec![], 1));
                // Cut behind its first byte.
                let cut = [typed(&introducer.to_string()), after].concat();
                assert_eq!(read(cut), (vec![], 1));
            }
            // What comes in between is no part of it.
            let size = Input::Resize(80, 24);
            let resized = [typed(answer), vec![size.clone(), alt('\\')]].concat();
            assert_eq!(read_from(alt(introducer), resized), (vec![size], 0));
            // Without an end it was typed.
            let typed_ones = [vec![alt(introducer)], typed(answer)].concat();
            assert_eq!(read_from(alt(introducer), typed(answer)), (typed_ones, 0));
        }
        // A key with Alt delays no other key.
        for after in ["q", "]"] {
            let keys = [vec![alt(']')], typed(after)].concat();
            let more = [typed(after), typed("11")].concat();
            assert_eq!(read_from(alt(']'), more), (keys, 2));
        }
        let after = typed("\x1bj");
        let keys = [vec![alt(']')], after.clone()].concat();
        assert_eq!(read_from(alt(']'), after), (keys, 0));
    }

    #[test]
    fn a_paste_that_was_cut_is_one_again() {
        let enter = || Input::Key(KeyCode::Enter.into());
        let paste = |text: &str| Input::Paste(text.into());
        let lines = [typed("[200~one D"), vec![enter()], typed("q")].concat();
        assert_eq!(read(lines.clone()), (vec![paste("one D\nq")], 0));
        let ended = [lines.clone(), typed("\x1b[201~x")].concat();
        assert_eq!(read(ended), (vec![paste("one D\nq")], 1));
        // A key that is no text is none of it.
        let ctrl_c = Input::Key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        let stopped = [lines, vec![ctrl_c.clone()], typed("x")].concat();
        assert_eq!(read(stopped), (vec![paste("one D\nq"), ctrl_c], 1));
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
