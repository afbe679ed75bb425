//! A text in the editor of the person (`$VISUAL`, else `$EDITOR`, else `vi`): a file of the owner's alone, that goes away
//! when the text came back.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal, WaitOptions, getpid, getsid, kill_process, waitpid};

use crate::disk::file;

/// Most bytes that are taken back.
const MOST: u64 = 1024 * 1024;

/// Why a text did not come back.
#[derive(Debug, thiserror::Error)]
pub enum EditorError {
    /// The file for it cannot be written or read.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The command of the environment cannot be run.
    #[error("{command:?} cannot be run: {source}; $VISUAL or $EDITOR names the program")]
    Start {
        command: String,
        /// What the system says.
        source: io::Error,
    },
    /// The command of the environment has a quote that is not closed.
    #[error(
        "{0:?} has a quote that is not closed; $VISUAL or $EDITOR names the program and its arguments"
    )]
    Command(String),
    /// The editor says that nothing is to be taken.
    #[error("the editor ended with status {0}: nothing was taken")]
    Refused(i32),
    /// What was saved is no text, or too long for a form.
    #[error("what was saved {why}: nothing was taken, the file is still there: {path}")]
    NoText {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: &'static str,
    },
}

/// Opens `text` in the editor and waits for it to end. The terminal must have been given back before. The file stays until
/// [`done`] removes it: what cannot be taken is not lost. Blocks.
/// The editor gets the environment without these variables.
pub fn edit(
    folder: &Path,
    ending: &str,
    text: &str,
    without: &[String],
) -> Result<(String, PathBuf), EditorError> {
    let command = command();
    let words = shell_words::split(&command).map_err(|_| EditorError::Command(command.clone()))?;
    let Some((program, arguments)) = words.split_first() else {
        return Err(EditorError::Command(command));
    };
    let path = folder.join(format!("rundown-{}.{ending}", std::process::id()));
    let failed = |source| EditorError::File {
        path: path.clone(),
        source,
    };
    write(folder, &path, text).map_err(failed)?;
    let child = started(program, arguments, &path, without)
        .spawn()
        .map_err(|source| EditorError::Start {
            command: command.clone(),
            source,
        })?;
    let status = wait(child.id()).map_err(failed)?;
    if status != 0 {
        fs::remove_file(&path).map_err(failed)?;
        return Err(EditorError::Refused(status));
    }
    let no_text = |why| EditorError::NoText {
        path: path.clone(),
        why,
    };
    if fs::metadata(&path).map_err(failed)?.len() > MOST {
        return Err(no_text("is longer than 1 MiB"));
    }
    let bytes = fs::read(&path).map_err(failed)?;
    let text = String::from_utf8(bytes).map_err(|_| no_text("is not UTF-8 text"))?;
    Ok((text, path))
}

fn started(program: &str, arguments: &[String], path: &Path, without: &[String]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).arg(path);
    for name in without {
        command.env_remove(name);
    }
    command
}

/// Removes the file of a text that was taken.
pub fn done(path: &Path) -> Result<(), EditorError> {
    fs::remove_file(path).map_err(|source| EditorError::File {
        path: path.to_owned(),
        source,
    })
}

fn command() -> String {
    let named = |name| {
        std::env::var(name)
            .ok()
            .filter(|command| !command.trim().is_empty())
    };
    named("VISUAL")
        .or_else(|| named("EDITOR"))
        .unwrap_or_else(|| "vi".into())
}

/// Writes the file anew, so that nobody else can have it open.
fn write(folder: &Path, path: &Path, text: &str) -> io::Result<()> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    file::replace(path, text.as_bytes())
}

/// Waits for the editor. Where it is stopped (Ctrl-z), this program stops with it, so that the shell has its turn; both go
/// on together.
fn wait(process: u32) -> io::Result<i32> {
    let process = i32::try_from(process)
        .ok()
        .and_then(Pid::from_raw)
        .ok_or(io::ErrorKind::InvalidInput)?;
    loop {
        let Some((_, status)) = waitpid(Some(process), WaitOptions::UNTRACED)? else {
            continue;
        };
        if !status.stopped() {
            return Ok(status
                .exit_status()
                .or(status.terminating_signal().map(|signal| 128 + signal))
                .unwrap_or(-1));
        }
        if getsid(None)? == getpid() {
            // No shell is waiting behind this terminal.
            kill_process(process, Signal::CONT)?;
        } else {
            kill_process(getpid(), Signal::STOP)?;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_editor_gets_no_secret() {
        let without = ["PATH".to_owned(), "RUNDOWN_PASSWORD".to_owned()];
        let mut command = started("/usr/bin/env", &["-u".into()], "HOME".as_ref(), &without);
        let seen = command.output().unwrap();
        assert!(seen.status.success());
        let seen = String::from_utf8_lossy(&seen.stdout).into_owned();
        assert!(
            !seen.lines().any(|line| line.starts_with("PATH=")),
            "{seen}"
        );
        assert!(!seen.is_empty());
    }
}
