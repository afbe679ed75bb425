//! Questions and answers line by line, in the unchanged terminal of the shell.

use std::fmt::Display;
use std::io::{IsTerminal, stdin, stdout};

use rustix::io::{read, retry_on_intr};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr,
};
use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;

use crate::domain::text;
use crate::headless::{EarlyExit, Ends, Exit, Ran, ended, print, wrapped};
use crate::ops::blocking;

/// Most bytes of a line.
const LONGEST: usize = 16 * 1024;

/// Tenths of a second without input after which nothing more comes: of a paste, and of what was typed ahead.
const END_OF_PASTE: u8 = 5;
const END_OF_TYPED_AHEAD: u8 = 1;

/// Modes to turn off: `UNSEEN` hides the input, `AHEAD` also reads it before a line ends, and of `KEYS` none is a
/// signal.
const UNSEEN: LocalModes = LocalModes::ECHO;
const AHEAD: LocalModes = UNSEEN.union(LocalModes::ICANON);
const KEYS: LocalModes = AHEAD.union(LocalModes::ISIG);

/// Asks in the terminal; `None` without a terminal.
pub fn asking<T>(asks: impl AsyncFnOnce() -> Ran<T>) -> Option<Ran<T>> {
    let can_be_asked = stdin().is_terminal() && stdout().is_terminal();
    can_be_asked.then(|| run_until_signal(asks()))
}

/// Runs something until a signal ends the program; the terminal is restored.
pub fn run_until_signal<T>(work: impl Future<Output = Ran<T>>) -> Ran<T> {
    let unstarted = |error| failed(format!("the program cannot start: {error}"));
    ended(async {
        let mut ends = Ends::listen().map_err(unstarted)?;
        tokio::select! {
            exit = ends.next() => {
                print("\n")?;
                Err(exit.because(NOTHING))
            }
            done = work => done,
        }
    })?
}

/// Message after an early exit.
pub const NOTHING: &str = "the config file is as it was";

const NO_TEXT: &str = "what was typed is not UTF-8 text";

/// Says words; blanks at their beginning stand before each line of them.
pub fn say(words: &str) -> Ran {
    let margin = words.len() - words.trim_start_matches(' ').len();
    print(&(wrapped(&text::lines(words), margin) + "\n"))
}

/// Reads a text of several lines: up to an empty one after which nothing more comes.
pub async fn pasted(question: &str) -> Ran<String> {
    begin(question, "").await?;
    let mut pasted = Vec::new();
    loop {
        let read = blocking(piece).await.map_err(failed)?;
        if read.is_empty() {
            return Err(failed(NOTHING));
        }
        pasted.extend(read);
        if ends_empty(&pasted) {
            pasted.extend(waiting(LocalModes::ICANON, END_OF_PASTE).await?);
            if ends_empty(&pasted) {
                return String::from_utf8(pasted).map_err(|_| failed(NO_TEXT));
            }
        }
    }
}

/// True if the last line is a whole one with nothing in it.
fn ends_empty(text: &[u8]) -> bool {
    let lines = text.strip_suffix(b"\n");
    let last = lines.and_then(|lines| lines.rsplit(|byte| *byte == b'\n').next());
    last.is_some_and(|line| line.trim_ascii().is_empty())
}

/// Reads what waits in the input of the terminal, also a line without an end, until nothing comes for so many tenths
/// of a second.
async fn waiting(without: LocalModes, tenths: u8) -> Ran<Vec<u8>> {
    let _modes = Modes::set(OptionalActions::Now, |changed| {
        changed.local_modes.remove(without);
        changed.special_codes[SpecialCodeIndex::VMIN] = 0;
        changed.special_codes[SpecialCodeIndex::VTIME] = tenths;
    })?;
    let mut waiting = Vec::new();
    loop {
        let read = blocking(piece).await.map_err(failed)?;
        if read.is_empty() {
            return Ok(waiting);
        }
        waiting.extend(read);
    }
}

/// Reads once; empty at the end of the input, or where nothing waits.
fn piece() -> Result<Vec<u8>, rustix::io::Errno> {
    let mut bytes = [0; 4096];
    let count = retry_on_intr(|| read(stdin(), &mut bytes))?;
    Ok(bytes[..count].to_vec())
}

fn failed(why: impl Display) -> EarlyExit {
    Exit::Failed.because(why.to_string())
}

/// Asks for a name, an address or a word until it fits; without an answer the given text is used. A pair of quotes
/// around an answer is no part of it.
pub async fn ask(
    question: &str,
    given: &str,
    fits: impl Fn(&str) -> Result<(), &'static str>,
) -> Ran<String> {
    ask_as(question, given, unquoted, fits).await
}

fn unquoted(text: &str) -> &str {
    let within = |quote| text.strip_prefix(quote)?.strip_suffix(quote);
    ['"', '\'', '`']
        .into_iter()
        .find_map(within)
        .unwrap_or(text)
        .trim()
}

/// Asks as [`ask`] does, for a text that `read` takes from what was typed: quotes mean something in a command.
pub async fn ask_as(
    question: &str,
    given: &str,
    read: impl Fn(&str) -> &str,
    fits: impl Fn(&str) -> Result<(), &'static str>,
) -> Ran<String> {
    loop {
        begin(question, given).await?;
        let line = line().await?;
        let text = match read(line.trim()) {
            "" => given,
            typed => typed,
        };
        match fits(text) {
            Ok(()) => return Ok(text.to_owned()),
            Err(why) => say(&format!("  {why}"))?,
        }
    }
}

/// Asks for one of several options and returns its index.
pub async fn choose(question: &str, options: &[&str], given: usize) -> Ran<usize> {
    say(question)?;
    for (number, option) in (1..).zip(options) {
        say(&format!("  {number} {option}"))?;
    }
    let place = |text: &str| {
        let number = text.parse::<usize>().ok()?.checked_sub(1)?;
        (number < options.len()).then_some(number)
    };
    let fits = |text: &str| {
        place(text)
            .map(drop)
            .ok_or("expected the number of a line above")
    };
    let given = (given + 1).to_string();
    let answer = ask("Which", &given, fits).await?;
    Ok(place(&answer).unwrap_or_default())
}

pub async fn agrees(question: &str) -> Ran<bool> {
    let fits = |text: &str| match text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "no" | "n" => Ok(()),
        _ => Err("expected yes or no"),
    };
    let answer = ask(question, "yes", fits).await?;
    Ok(answer.to_ascii_lowercase().starts_with('y'))
}

/// Asks for a secret, which is not shown.
pub async fn secret(question: &str) -> Ran<SecretString> {
    loop {
        let modes = Modes::without(UNSEEN)?;
        begin(&format!("{question} (not shown)"), "").await?;
        let line = line().await;
        drop(modes);
        print("\n")?;
        match line?.as_str() {
            "" => say("  nothing was typed; Ctrl-c leaves")?,
            secret => return Ok(secret.into()),
        }
    }
}

/// Waits for a key with a meaning; ignores others.
pub async fn key<T>(question: &str, meant: impl Fn(u8) -> Option<T>) -> Ran<T> {
    let _modes = Modes::without(KEYS)?;
    print(&text::plain(question))?;
    loop {
        let bytes = blocking(piece).await.map_err(failed)?;
        // Bytes after Esc are the sequence of another key.
        let is_esc = |byte: &u8| *byte == b'\x1b';
        let typed = match bytes.iter().position(is_esc) {
            Some(at) if bytes.len() > 1 => &bytes[..at],
            _ => &bytes[..],
        };
        if let Some(key) = typed.iter().find_map(|byte| meant(*byte)) {
            print("\n")?;
            return Ok(key);
        }
        if bytes.is_empty() {
            return Err(failed(NOTHING));
        }
        print(&format!("\nOne of these keys: {}", text::plain(question)))?;
    }
}

/// Shows a question, once all that was typed ahead is dropped: it answers no question that was not seen.
async fn begin(question: &str, given: &str) -> Ran {
    waiting(AHEAD, END_OF_TYPED_AHEAD).await?;
    let given = if given.is_empty() {
        String::new()
    } else {
        format!(" [{}]", text::plain(given))
    };
    let question = format!("{}{given}:", text::plain(question));
    print(&(wrapped(&question, 0) + " "))
}

async fn line() -> Ran<Zeroizing<String>> {
    let line = blocking(first_line).await.map_err(failed)?;
    line.ok_or_else(|| failed(NOTHING))
}

/// Returns the next line of standard input; `None` at its end.
pub fn first_line() -> Result<Option<Zeroizing<String>>, String> {
    // The buffer never grows: that would leave copies of a secret.
    let mut line = Zeroizing::new(Vec::with_capacity(LONGEST));
    let mut piece = Zeroizing::new([0_u8; 4096]);
    while !line.contains(&b'\n') {
        let count = retry_on_intr(|| read(stdin(), &mut piece[..]))
            .map_err(|error| format!("nothing can be read: {error}"))?;
        if count == 0 && line.is_empty() {
            return Ok(None);
        }
        if line.len() + count > LONGEST {
            return Err(format!("a line is longer than {LONGEST} bytes"));
        }
        line.extend_from_slice(&piece[..count]);
        if count == 0 {
            break;
        }
    }
    let first = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let first = first.strip_suffix(b"\r").unwrap_or(first);
    let text = std::str::from_utf8(first).map_err(|_| NO_TEXT)?;
    Ok(Some(Zeroizing::new(text.to_owned())))
}

/// The previous modes of the terminal, restored on drop.
struct Modes(Termios);

impl Modes {
    fn without(modes: LocalModes) -> Ran<Self> {
        // Input typed ahead is neither a secret nor an answer.
        Self::set(OptionalActions::Flush, |changed| {
            changed.local_modes.remove(modes);
            let codes = &mut changed.special_codes;
            if modes.contains(LocalModes::ICANON) {
                codes[SpecialCodeIndex::VMIN] = 1;
                codes[SpecialCodeIndex::VTIME] = 0;
            } else {
                // A resumed program would show the input.
                codes[SpecialCodeIndex::VSUSP] = if cfg!(target_os = "linux") { 0 } else { 0xff };
            }
        })
    }

    fn set(when: OptionalActions, change: impl FnOnce(&mut Termios)) -> Ran<Self> {
        let unset = |error| failed(format!("the terminal cannot be set: {error}"));
        let before = tcgetattr(stdin()).map_err(unset)?;
        let mut changed = before.clone();
        change(&mut changed);
        tcsetattr(stdin(), when, &changed).map_err(unset)?;
        Ok(Self(before))
    }
}

impl Drop for Modes {
    fn drop(&mut self) {
        // A terminal that is gone cannot be restored.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.0);
    }
}
