//! Standard output for data, standard error for everything else.

use std::borrow::Cow;
use std::io::{self, BufWriter, ErrorKind, IsTerminal, StdoutLock, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::termios::tcgetwinsize;
use textwrap::{Options, WordSplitter};
use tokio::io::Interest;
use tokio::net::unix::pipe;

use super::pace::shown;
use super::{EarlyExit, Exit, Ran};
use crate::disk::DiskError;
use crate::disk::exports::Replacement;
use crate::domain::text;
use crate::rpc::{CallError, Waits};

/// Columns of the progress line.
const WIDTH: usize = 76;

/// Seconds of a pause that a log needs no word of.
const SHORT: u64 = 5;

/// Options of the output, set once at the start.
static MANNER: OnceLock<Manner> = OnceLock::new();

/// Options of the output.
struct Manner {
    /// File for the data (`--output`).
    file: Option<PathBuf>,
    /// True if only errors are printed (`--quiet`).
    quiet: bool,
}

/// Sets the file that replaces standard output, which `-` is, and `quiet` for no notes or progress. A path that cannot
/// be written is an error before anything is read.
pub fn print_to(file: Option<&Path>, quiet: bool) -> Ran {
    let file = file.filter(|path| *path != "-");
    if let Some(path) = file {
        Replacement::begin(path).map_err(|error| refused(&error))?;
    }
    let file = file.map(Path::to_owned);
    // Called once in a program.
    let _ = MANNER.set(Manner { file, quiet });
    Ok(())
}

/// Option that names the file.
const OPTION: &str = "--output";

/// The end of a command whose file cannot be written: the path is wrong, or the machine fails.
fn refused(error: &DiskError) -> EarlyExit {
    let is_machine = matches!(error, DiskError::Access { source, .. } if !matches!(
        source.kind(),
        ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::PermissionDenied | ErrorKind::InvalidFilename
    ));
    let exit = if is_machine {
        Exit::Service
    } else {
        Exit::Usage
    };
    exit.because(format!("{OPTION}: {}", error.naming(OPTION)))
}

/// File for the data, if one was given.
pub fn output_file() -> Option<&'static Path> {
    MANNER.get()?.file.as_deref()
}

/// Columns of the terminal that standard output is, if the data goes there.
pub fn terminal_columns() -> Option<usize> {
    let output = output_file().is_none().then(io::stdout)?;
    let columns = tcgetwinsize(output).ok()?.ws_col;
    (columns > 0).then_some(columns.into())
}

/// Wraps lines at words for the terminal, if there is one; the rest of a line begins after a margin.
pub fn wrapped(lines: &str, margin: usize) -> String {
    let Some(columns) = terminal_columns() else {
        return lines.to_owned();
    };
    let margin = " ".repeat(margin);
    let options = Options::new(columns).subsequent_indent(&margin);
    // A path or an option is copied whole.
    let options = options
        .word_splitter(WordSplitter::NoHyphenation)
        .break_words(false);
    let lines = lines.split('\n');
    text::join(lines.map(|line| textwrap::fill(line, &options)), "\n")
}

/// True if standard output and standard error are both seen: a message is then not printed twice.
pub fn are_both_seen() -> bool {
    io::stdout().is_terminal() && io::stderr().is_terminal()
}

fn is_quiet() -> bool {
    MANNER.get().is_some_and(|manner| manner.quiet)
}

/// Target of the data. A closed standard output ends the printing with [`Exit::Fine`].
pub enum Output {
    Standard(BufWriter<StdoutLock<'static>>),
    File(BufWriter<Replacement>),
}

impl Output {
    /// Creates an empty output.
    pub fn new() -> Ran<Self> {
        let Some(path) = output_file() else {
            return Ok(Self::Standard(BufWriter::new(io::stdout().lock())));
        };
        let begun = Replacement::begin(path);
        let file = begun.map_err(|error| Exit::Service.because(error.naming(OPTION)))?;
        Ok(Self::File(BufWriter::new(file)))
    }

    /// Writes text of any length.
    pub fn write(&mut self, text: &str) -> Ran {
        match self {
            Self::Standard(out) => taken(out.write_all(harmless_in_ci(text).as_bytes())),
            Self::File(out) => taken(out.write_all(text.as_bytes())),
        }
    }

    /// Flushes the output.
    pub fn end(self) -> Ran {
        match self {
            Self::Standard(mut out) => taken(out.flush()),
            Self::File(out) => {
                let file = out
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)
                    .map_err(unwritten)?;
                file.done()
                    .map_err(|error| Exit::Service.because(error.naming(OPTION)))
            }
        }
    }
}

fn taken(written: io::Result<()>) -> Ran {
    written.map_err(unwritten)
}

fn unwritten(error: io::Error) -> EarlyExit {
    match output_file() {
        Some(file) => Exit::Service.because(DiskError::writing(file)(error).naming(OPTION)),
        None if error.kind() == ErrorKind::BrokenPipe => Exit::Fine.because(""),
        None => Exit::Service.because(format!("standard output takes nothing: {error}")),
    }
}

/// Prints data at once. A reader that left (`| head -1`) is no failure, and what the command comes to stays its exit
/// status.
pub fn print(text: &str) -> Ran {
    print_to_reader(text).or_else(|stop| match stop.exit {
        Exit::Fine => Ok(()),
        _ => Err(stop),
    })
}

/// The same for a command that ends with its reader, with [`Exit::Fine`].
pub fn print_to_reader(text: &str) -> Ran {
    let mut out = Output::new()?;
    out.write(text)?;
    out.end()
}

/// Prints the outcome of a write. A closed output is ignored, as journal and exit status have the outcome too; what a
/// full disk did not take goes to standard error.
pub fn tell(text: &str) {
    if let Err(stop) = print(text) {
        complain(&format!("{}; it was to get:\n{text}", stop.words));
    }
}

/// Same for one line.
pub fn tell_line(words: &str) {
    tell(&format!("{}\n", text::plain(words)));
}

/// Watches for the end of the reader of standard output.
pub struct StdoutReader {
    /// `None` if standard output is a file.
    output: Option<pipe::Sender>,
}

impl StdoutReader {
    /// Watches standard output.
    pub fn new() -> Self {
        let output = io::stdout().as_fd().try_clone_to_owned();
        // Only watched, so its mode stays as it is for `print`.
        let output = output.and_then(pipe::Sender::from_owned_fd_unchecked).ok();
        Self { output }
    }

    /// Waits until standard output is closed.
    pub async fn gone(&self) {
        let Some(output) = &self.output else {
            return std::future::pending().await;
        };
        // A pipe without a reader has an error; a socket of which the other end is closed can be read to its end.
        let gone = Interest::ERROR | Interest::READABLE;
        if output.ready(gone).await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

/// Prints a note to standard error, on one line.
pub fn note(words: &str) {
    if !is_quiet() {
        complain(&text::plain(words));
    }
}

/// Asks a question on standard error; only `y` and `yes` are yes.
pub fn ask(question: &str) -> bool {
    let _ = write!(io::stderr(), "rundown: {} [y/N] ", text::plain(question));
    let mut answer = String::new();
    let read = io::stdin().read_line(&mut answer).is_ok();
    read && ["y", "yes"].contains(&answer.trim().to_lowercase().as_str())
}

/// Prints the reason of the end of the program.
pub fn complain(lines: &str) {
    let words = format!("rundown: {}\n", text::lines(lines.trim_end()));
    // If standard error is closed, there is no other place for it.
    let _ = io::stderr().write_all(harmless_in_ci(&words).as_bytes());
}

/// Removes what a CI runner would take for commands in its log. Each of them sets one of these variables.
fn harmless_in_ci(text: &str) -> Cow<'_, str> {
    let runs = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    if ["CI", "TF_BUILD"].into_iter().any(runs) {
        text::without_commands(text)
    } else {
        text.into()
    }
}

/// Progress of long work: one line on standard error that is overwritten, if that is a terminal.
#[derive(Debug)]
pub struct ProgressLine {
    terminal: bool,
    shown: AtomicBool,
}

impl ProgressLine {
    /// Creates an empty line.
    pub fn new() -> Self {
        Self {
            terminal: io::stderr().is_terminal() && !is_dumb() && !is_quiet(),
            shown: AtomicBool::new(false),
        }
    }

    /// Shows these words in place of the last ones.
    pub fn say(&self, words: &str) {
        if self.terminal {
            self.shown.store(true, Ordering::Relaxed);
            overwrite(&text::fit(words, WIDTH));
        }
    }

    /// Clears the line before other output.
    pub fn clear(&self) {
        if self.shown.swap(false, Ordering::Relaxed) {
            overwrite("");
        }
    }
}

/// Tells what is waited for and how long; where there is no terminal, of long pauses only.
impl Waits for ProgressLine {
    fn begin(&self, error: &CallError, pause: Duration) {
        let words = format!("trying again in {}: {}", shown(pause), error.cause());
        let seconds = pause.as_secs();
        if self.terminal && seconds > 0 {
            self.say(&words);
        } else if seconds > SHORT {
            note(&words);
        }
    }

    fn end(&self) {
        self.clear();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.clear();
    }
}

/// True for a terminal that writes commands out.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

fn overwrite(words: &str) {
    // A failure to show progress is ignored.
    let _ = write!(io::stderr(), "\r{words}\x1b[K");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_disk_that_takes_no_file_is_4_and_another_path_is_what_helps() {
        for (kind, exit, helps) in [
            (
                ErrorKind::ReadOnlyFilesystem,
                Exit::Service,
                "name with --output a file in a folder that can be written",
            ),
            (
                ErrorKind::StorageFull,
                Exit::Service,
                "make room on the disk",
            ),
            (
                ErrorKind::Other,
                Exit::Service,
                "name with --output a file in a folder on another one",
            ),
            (
                ErrorKind::PermissionDenied,
                Exit::Usage,
                "name with --output a file in a folder of your own",
            ),
        ] {
            let stop = refused(&DiskError::writing(Path::new("a.csv"))(kind.into()));
            assert_eq!(stop.exit, exit, "{}", stop.words);
            assert!(stop.words.starts_with("--output: "), "{}", stop.words);
            assert!(stop.words.contains(helps), "{}", stop.words);
        }
    }
}
