//! A text in the user's editor (`$VISUAL`, else `$EDITOR`, else `vi`): a private file that stays until its text is
//! in a draft on the disk.

use std::fs::{self, DirBuilder};
use std::io::{self, Write};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::process::{Pid, Signal, WaitOptions, getpid, getsid, kill_process, waitpid};

/// Maximum size of an edited text, bytes.
const MOST: u64 = 1024 * 1024;
/// Statuses from here on are those of programs that a signal ended.
const KILLED: i32 = 128;

/// Opens `text` in the editor and waits for its end. The terminal must have been restored before. The file of a text
/// that was saved stays: who takes the text removes it. Blocks. The editor does not get the environment variables `without`.
/// Errors are in words.
pub fn edit(
    folder: &Path,
    ending: &str,
    text: &str,
    without: &[String],
) -> Result<(String, PathBuf), String> {
    let command = command();
    let words = shell_words::split(&command).unwrap_or_default();
    let Some((program, arguments)) = words.split_first() else {
        return Err(format!(
            "\"{command}\" has a quote that is not closed; $VISUAL or $EDITOR names the program and its arguments"
        ));
    };
    let path = write(folder, ending, text)
        .map_err(|error| format!("no file for the editor: {}: {error}", folder.display()))?;
    let failed = |error: io::Error| format!("{}: {error}", path.display());
    let child = started(program, arguments, &path, without)
        .spawn()
        .map_err(|error| {
            // Nothing was typed into it.
            let left = fs::remove_file(&path)
                .err()
                .map_or_else(String::new, |left| format!("; {}: {left}", path.display()));
            format!(
                "\"{command}\" cannot be run: {error}; $VISUAL or $EDITOR names the program{left}"
            )
        })?;
    let status = wait(child.id()).map_err(failed)?;
    let is_there = || format!("nothing was taken, it is still in {}", path.display());
    if status != 0 {
        let ended = format!("the editor ended with status {status}");
        // One that failed or was killed may have saved what it had.
        match fs::read(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Ok(saved) if saved == text.as_bytes() => fs::remove_file(&path).map_err(failed)?,
            _ => return Err(format!("{ended}: {}", is_there())),
        }
        return Err(format!("{ended}: nothing was taken"));
    }
    let no_text = |why| format!("what was saved {why}: {}", is_there());
    let read = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => "the editor left no file: nothing was taken".to_owned(),
        _ => failed(error),
    };
    if fs::metadata(&path).map_err(read)?.len() > MOST {
        return Err(no_text("is longer than 1 MiB"));
    }
    let bytes = fs::read(&path).map_err(read)?;
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

/// Writes a file of a new name: no other process has it open, and one that was not taken stays.
fn write(folder: &Path, ending: &str, text: &str) -> io::Result<PathBuf> {
    DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix("rundown-")
        .suffix(&format!(".{ending}"))
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    Ok(file.into_temp_path().keep()?)
}

/// Waits for the editor. If it is stopped (Ctrl-z), this program stops with it, so that the shell continues; both
/// resume together.
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
                .or(status.terminating_signal().map(|signal| KILLED + signal))
                .unwrap_or(-1));
        }
        if getsid(None)? == getpid() {
            // No shell is behind this terminal.
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
