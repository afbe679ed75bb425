//! Completions of shells, and man pages: both are made from the command line itself.

use std::fs;
use std::io;
use std::path::Path;

use clap::{Arg, Command, CommandFactory, ValueHint};
use clap_complete::Shell;

use super::{Cli, command, common, fits, with_options};

/// The script by which a shell completes the command line.
pub fn completions(shell: Shell) -> String {
    let (mut command, mut script) = (completed(), Vec::new());
    clap_complete::generate(shell, &mut command, "rundown", &mut script);
    let script = String::from_utf8_lossy(&script);
    match shell {
        Shell::Zsh => script.lines().map(of_zsh).collect(),
        Shell::Fish => of_fish(&script, &command),
        _ => script.into_owned(),
    }
}

/// A line of the script for zsh. For an argument that is no path it would offer files, and for the first of several
/// commands; where none can be offered at all it offers no option either.
fn of_zsh(line: &str) -> String {
    match line.strip_suffix(":_default' \\") {
        Some(argument) => argument.replacen("'*::", "'*:", 1) + ":false' \\\n",
        None => format!("{line}\n"),
    }
}

/// The script for fish, which says nothing of arguments: files are offered for a path alone. The line that finds the
/// command does so, too, while the last option has no value yet.
fn of_fish(script: &str, command: &Command) -> String {
    let unread = "    or return\n";
    let without_last = "    or begin; set -e cmd[-1]; argparse -s (__fish_rundown_global_optspecs) -- $cmd 2>/dev/null; end\n";
    let script = script.replacen(unread, &format!("{without_last}{unread}"), 1);
    let mut arguments = Vec::new();
    for command in command.get_subcommands() {
        let name = command.get_name();
        arguments.extend(arguments_of_fish(command, name));
        for below in command.get_subcommands() {
            let place = format!(
                "{name}; and __fish_seen_subcommand_from {}",
                below.get_name()
            );
            arguments.extend(arguments_of_fish(below, &place));
        }
    }
    format!("{script}complete -c rundown -f\n{}", arguments.concat())
}

/// The lines for the arguments of a command that are paths, or one of a few words.
fn arguments_of_fish(command: &Command, place: &str) -> Vec<String> {
    let line = |offered: &str| {
        format!("complete -c rundown -n \"__fish_rundown_using_subcommand {place}\" {offered}\n")
    };
    let offered = |argument: &Arg| match argument.get_value_hint() {
        ValueHint::FilePath | ValueHint::DirPath => Some(line("-F")),
        _ => {
            let values = argument.get_possible_values();
            let names: Vec<_> = values
                .iter()
                .map(clap::builder::PossibleValue::get_name)
                .collect();
            (!names.is_empty()).then(|| line(&format!("-a \"{}\"", names.join(" "))))
        }
    };
    command.get_positionals().filter_map(offered).collect()
}

/// Writes a page for the program and for each command: `rundown.1`, `rundown-runs-list.1`; none through a link.
pub fn write_man_pages(folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let is_page = name.starts_with("rundown") && name.ends_with(".1");
        if is_page && entry.file_type()?.is_symlink() {
            let words =
                format!("{name} is a link, and nothing is written through one: move it away");
            return Err(io::Error::other(words));
        }
    }
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
