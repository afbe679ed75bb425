//! This test program once more, as processes of their own that are killed, have no rights or little room.

use super::prelude::*;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

/// What a child says once it has seen all that it was started for.
pub const SEEN: &str = "the child has seen it all";

/// Runs the ignored test `name` on a folder.
pub fn child(name: &str, folder: &Path, number: u32) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", name])
        .args(["--ignored", "--nocapture", "--test-threads=1"])
        .env("CHILD_FOLDER", folder)
        .env("CHILD_NUMBER", number.to_string());
    command
}

/// What [`child`] told this process; `None` for somebody who runs all ignored tests by hand.
pub fn told() -> Option<(PathBuf, u32)> {
    let folder = std::env::var_os("CHILD_FOLDER")?.into();
    Some((folder, std::env::var("CHILD_NUMBER").ok()?.parse().ok()?))
}

/// Starts a child and kills it a while after it has said its first number; all numbers that it said after `word`.
pub fn killed(mut child: Command, word: &str, after: Duration) -> Vec<i64> {
    child.stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = child.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let number = |line: String| line.strip_prefix(word)?.parse().ok();
    let mut numbers = lines.map_while(Result::ok).filter_map(number);
    let first = numbers.next().unwrap();
    std::thread::sleep(after);
    child.kill().unwrap();
    child.wait().unwrap();
    [first].into_iter().chain(numbers).collect()
}
