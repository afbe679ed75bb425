//! Completions of shells, and man pages: both are made from the command line itself.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;

use super::{Cli, command, common, fits, with_options};

/// The script by which a shell completes the command line.
pub fn completions(shell: Shell) -> String {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut completed(), "rundown", &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes a page for the program and for each command: `rundown.1`, `rundown-runs-list.1`.
pub fn write_man_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    clap_mangen::generate_to(command(), folder)
}

/// The command line where each command has those of the common options that mean something to it: hidden ones would be
/// completed, too.
fn completed() -> Command {
    let command = Cli::command();
    let common: Vec<Arg> = common(&command).cloned().collect();
    let command = command.mut_args(|option| option.global(false));
    let command = with_options(command, &[], &|fitting| {
        let own = common.iter().filter(|option| fits(option, fitting));
        own.map(|option| option.clone().global(false)).collect()
    });
    with_hints(command)
}

fn with_hints(command: Command) -> Command {
    command.mut_args(hinted).mut_subcommands(with_hints)
}

/// Only what is a path is completed as one.
fn hinted(argument: Arg) -> Arg {
    let name = argument.get_value_names().and_then(|names| names.first());
    let hint = match name.map(clap::builder::Str::as_str) {
        Some("FILE") => ValueHint::FilePath,
        Some("DIR") => ValueHint::DirPath,
        // A run: zsh completes no option beside what cannot be completed.
        _ if argument.is_positional() => ValueHint::Unknown,
        _ if !argument.get_possible_values().is_empty() => ValueHint::Unknown,
        _ => ValueHint::Other,
    };
    argument.value_hint(hint)
}
