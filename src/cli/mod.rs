//! The command line: what was asked for, checked as far as it can be without reading a file.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, CommandFactory, FromArgMatches, Parser};
use clap_complete::Shell;

use crate::config::{self, ConfigChoice, Overrides};

pub use commands::{
    CacheCommand, CacheOptions, ChangeOptions, ChangesCommand, DoctorOptions, ExportOptions,
    GateOptions, Headless, InNoRunOptions, ListOptions, OpenOptions, ReportOptions, ResumeOptions,
    RunOptions, RunsCommand, SamplesCommand, SinceOptions, SuitesCommand, SyncOptions,
    WatchOptions,
};
pub use format::{ChangeFormat, Format, ReportFormat, SinceFormat, WatchFormat};
pub use pages::{completions, write_man_pages};
pub use run_writes::{CreateOptions, DeleteOptions, FieldOptions, ModifyOptions, NewStatus};
#[cfg(feature = "local-service")]
pub use service::{DemoOptions, ServeOptions, ServeSecrets, ServiceOptions};

/// Browse the test runs of a test management service, in the terminal.
#[derive(Debug, Parser)]
#[command(name = "rundown", version, max_term_width = 110, after_help = AFTER)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// Open the monitor on this saved view of the profile, after the sign-in
    #[arg(long, value_name = "NAME")]
    pub monitor: Option<String>,
    /// Begin on the open runs, and not where the last start ended
    #[arg(long)]
    pub fresh: bool,
    /// What to do; nothing opens the screen.
    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

const AFTER: &str = "Without a command the program opens its screen, with the profile of the config file. To make that file:\n  \
    rundown setup            asks for what it needs, and tries it\n  \
    rundown config path      where it belongs\n  \
    rundown config example   what stands in it, every key explained\n\n\
    Exit status: 0 fine, 1 failed, 2 the command line or the config file is wrong. Of commands without a screen \
    (runs, suites, changes, watch, sync, since, gate, report, open, samples): 1 the gate failed, or criteria are not met, 3 not signed in, 4 the service or the network failed, 5 time is up, \
    6 not decidable; of changes: 1 done in part or not as asked, 4 not sent, 7 refused, 8 not known whether done.";

/// Options of every command; `Cli::read` refuses those that mean nothing to the one given.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "General options")]
pub struct Common {
    /// Config file to read [default: `$RUNDOWN_CONFIG`, else the one `rundown config path` prints]
    #[arg(long, global = true, value_name = "FILE", value_parser = path)]
    pub config: Option<PathBuf>,
    /// Profile of the config file to open [default: `$RUNDOWN_PROFILE`, else its `default_profile`, else its only one]
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Project to work in, instead of the profile's (form: `P_<n>`); with another project the profile's sub project is not used [default: `$RUNDOWN_PROJECT`]
    #[arg(long, global = true, value_name = "P_9", value_parser = formed(config::project_id))]
    pub project: Option<String>,
    /// Sub project to work in, instead of the profile's (form: `SP_<n>`, or `_` for none) [default: `$RUNDOWN_SUBPROJECT`]
    #[arg(long, global = true, value_name = "SP_1", value_parser = formed(config::subproject_id))]
    pub subproject: Option<String>,
    /// Colours of the screen [default: the config file's `ui.theme`]
    #[arg(long, global = true, value_name = "NAME", value_parser = PossibleValuesParser::new(config::THEMES))]
    pub theme: Option<String>,
    /// Change nothing at the service, whatever the profile says; `RUNDOWN_READ_ONLY=1` is the same
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Send a configured password although it was refused twice in the last 15 minutes
    #[arg(long, global = true)]
    pub sign_in_again: bool,
    /// Write a log to this file; it holds no secrets [default: `$RUNDOWN_LOG`, else no log]
    #[arg(long, global = true, value_name = "FILE", value_parser = path)]
    pub log: Option<PathBuf>,
    /// How often to try a reading again that failed for a reason that may pass [0 to 10; default: 2]
    #[arg(long, global = true, value_name = "N", value_parser = words::number(0_u8, Some(10)))]
    pub retry: Option<u8>,
    /// Say nothing on standard error but why the command fails
    #[arg(long, global = true)]
    pub quiet: bool,
    /// Write the data to this file, in the place of the one that is there, once it is whole; `-` is standard output
    #[arg(long, global = true, value_name = "FILE", value_parser = path)]
    pub output: Option<PathBuf>,
}

/// The value of an environment variable; an empty one is as good as none.
fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The same of one whose text must have a form.
fn formed_variable(
    name: &str,
    form: fn(&str) -> Result<(), &'static str>,
) -> Result<Option<String>, String> {
    let Some(value) = variable(name) else {
        return Ok(None);
    };
    let text = value.to_str().ok_or("not UTF-8 text");
    let text = text.and_then(|text| form(text).map(|()| text.to_owned()));
    text.map(Some).map_err(|why| format!("${name}: {why}"))
}

impl Common {
    /// Adds values of environment variables for missing options. They are checked by commands that open a profile of the
    /// config file; a variable without a meaning for a command is no error.
    pub fn with_variables(&self) -> Result<Self, String> {
        let any = |_: &str| Ok(());
        let flag = |text: &str| match text {
            "0" | "1" | "false" | "true" => Ok(()),
            _ => Err("expected 1 or true, 0 or false"),
        };
        let profile = formed_variable("RUNDOWN_PROFILE", any)?;
        let project = formed_variable("RUNDOWN_PROJECT", config::project_id)?;
        let subproject = formed_variable("RUNDOWN_SUBPROJECT", config::subproject_id)?;
        let read_only = formed_variable("RUNDOWN_READ_ONLY", flag)?;
        let common = self.clone();
        Ok(Self {
            profile: common.profile.or(profile),
            project: common.project.or(project),
            subproject: common.subproject.or(subproject),
            read_only: common.read_only || matches!(read_only.as_deref(), Some("1" | "true")),
            ..common
        })
    }

    /// The file of the log: `--log`, else `$RUNDOWN_LOG`.
    pub fn log_file(&self) -> Option<PathBuf> {
        let log = self.log.clone();
        log.or_else(|| variable("RUNDOWN_LOG").map(PathBuf::from))
    }

    /// Which config file and profile are meant: `--config`, else `$RUNDOWN_CONFIG`, else the platform's place.
    pub fn config_choice(&self) -> ConfigChoice {
        let file = self.config.clone();
        ConfigChoice {
            file: file.or_else(|| variable("RUNDOWN_CONFIG").map(PathBuf::from)),
            profile: self.profile.clone(),
        }
    }

    /// Options for config file and project, to be given to the next command, too.
    fn given(&self) -> String {
        let config = self.config.as_ref().map(|file| file.to_string_lossy());
        let given = [
            ("config", config.as_deref()),
            ("project", self.project.as_deref()),
            ("subproject", self.subproject.as_deref()),
        ];
        let given = given.into_iter().filter_map(|(option, value)| {
            let value = shell_words::quote(value?).into_owned();
            Some(format!(" --{option} {value}"))
        });
        given.collect()
    }

    /// Values in place of those of the profile.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            project_id: self.project.clone(),
            subproject_id: self.subproject.clone(),
            read_only: self.read_only,
            sign_in_again: self.sign_in_again,
            given: self.given(),
        }
    }
}

/// Commands.
#[derive(Debug, clap::Subcommand)]
pub enum Subcommand {
    /// A command without a screen
    #[command(flatten)]
    Headless(Box<Headless>),
    /// Try it out: a service with made-up data inside the program, signed in to over HTTP
    #[cfg(feature = "local-service")]
    Demo(DemoOptions),
    /// Run the local service alone and print the profile that reaches it
    #[cfg(feature = "local-service")]
    Serve(ServeOptions),
    /// Show the runs that are kept on this machine, or empty that cache
    Cache(CacheOptions),
    /// Try the way from the config file to a page of runs, step by step, and say what helps where one does not hold
    Doctor(DoctorOptions),
    /// Make a profile of your service: asks, tries it, and adds it to the config file
    Setup,
    /// The password of a profile in the keyring of the desktop
    #[command(subcommand)]
    Password(PasswordCommand),
    /// Find, check or start the config file; only setup writes to it
    #[command(subcommand)]
    Config(ConfigCommand),
    /// Print what a shell needs to complete the command line
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Write the man pages into a folder
    Man {
        /// The folder, which is made where it is missing
        #[arg(value_name = "DIR", value_parser = path)]
        folder: PathBuf,
    },
}

/// Commands for the password in the keyring.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub enum PasswordCommand {
    /// Keep it there: typed, or the first line of standard input
    Keep,
    /// Take it out
    Forget,
}

/// Commands for the config file.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub enum ConfigCommand {
    /// Print where the config file is looked for
    Path,
    /// Read the config file and say all that is wrong in it, with the line; its keys once the rest is right
    Check,
    /// Print the commands with their keys, and the names that the keys table of the config file takes
    Keys,
    /// Print a config file in which every key is explained
    Example,
}

impl Cli {
    /// Reads the arguments; also help and version come back as `Err`, as clap has it.
    pub fn read<I: IntoIterator<Item = T>, T: Into<OsString> + Clone>(
        args: I,
    ) -> Result<Self, clap::Error> {
        let mut args: Vec<OsString> = args.into_iter().map(Into::into).collect();
        // clap looks for a command of that name.
        if args.get(1).is_some_and(|word| word == "help") {
            args.retain(|word| word != "--help" && word != "-h");
        }
        if let Some((option, next)) = forgotten(&args) {
            let text = format!(
                "'{option}' needs a value, and this is an option: '{next}' ({option}={next} takes it for the value)"
            );
            let words = args.iter().skip(1).filter_map(|word| word.to_str());
            return Err(at_hand(words).error(ErrorKind::InvalidValue, text));
        }
        let matches = command().try_get_matches_from(args)?;
        let cli = Self::from_arg_matches(&matches)?;
        let words = words_of(&matches);
        let conflict = |option: &str, why: &str| {
            let text = format!("the argument '--{option}' cannot be used here: {why}");
            Err(at_hand(words.iter().copied()).error(ErrorKind::ArgumentConflict, text))
        };
        let of_screen = [("monitor", cli.monitor.is_some()), ("fresh", cli.fresh)];
        let misplaced = of_screen.into_iter().find(|(_, given)| *given);
        if let (Some((option, _)), Some(_)) = (misplaced, &cli.command) {
            let why = "it is for the screen, which a command does not open";
            return conflict(option, why);
        }
        let fitting = fitting_of(&words);
        let given = |option: &&Arg| {
            matches.value_source(option.get_id().as_str()) == Some(ValueSource::CommandLine)
        };
        let command = command();
        let given = common(&command).filter(given).filter_map(Arg::get_long);
        let mut misplaced = given.filter(|option| !fitting.contains(option));
        let why = "it means nothing to this command";
        misplaced
            .next()
            .map_or(Ok(cli), |option| conflict(option, why))
    }
}

/// Which of the options of every command mean something to the command that begins with these words; none is the screen.
const FITTING: &[(&[&str], &[&str])] = &[
    (
        &["demo"],
        &["project", "subproject", "theme", "read-only", "log"],
    ),
    (&["serve"], &["log"]),
    (&["cache"], &[]),
    (
        &[],
        &[
            "config",
            "profile",
            "project",
            "subproject",
            "theme",
            "read-only",
            "sign-in-again",
            "log",
        ],
    ),
    (&["watch"], first(8)),
    (&["doctor"], first(8)),
    (&["runs", "create"], WRITE),
    (&["runs", "modify"], WRITE),
    (&["runs", "delete"], WRITE),
    (&["suites", "add"], WRITE),
    (&["suites", "remove"], WRITE),
    (&["changes"], WRITE),
    (&["open"], WRITE),
    (
        &["samples"],
        &[
            "config",
            "profile",
            "project",
            "subproject",
            "log",
            "quiet",
            "output",
        ],
    ),
    (&["setup"], &["config", "profile", "theme", "log"]),
    (&["password"], CHECK),
    (&["config", "path"], &["config"]),
    (&["config", "keys"], &["config"]),
    (&["config", "example"], &[]),
    (&["config"], CHECK),
    (&["completions"], &[]),
    (&["man"], &[]),
];
const CHECK: &[&str] = &["config", "profile"];
/// The options of a command that opens a profile: all but the theme.
const OPTIONS: &[&str] = &[
    "config",
    "profile",
    "project",
    "subproject",
    "read-only",
    "sign-in-again",
    "log",
    "quiet",
    "retry",
    "output",
];
/// Those of a command that has no data for a file: what came of a change is printed as it comes.
const WRITE: &[&str] = first(9);

/// Returns the first ones, without those of a command that reads once and prints at its end.
const fn first(options: usize) -> &'static [&'static str] {
    OPTIONS.split_at(options).0
}

/// The command that these words name, among others.
fn at_hand<'a>(words: impl Iterator<Item = &'a str>) -> clap::Command {
    let mut whole = command();
    whole.build();
    words.fold(whole, |command, word| {
        command.find_subcommand(word).cloned().unwrap_or(command)
    })
}

/// An option that may have a value with a hyphen in front, and the option behind it that clap would take for the value.
fn forgotten(args: &[OsString]) -> Option<(&str, &str)> {
    let takes_any = |word: &str| {
        let name = word.strip_prefix("--");
        name.is_some_and(|name| takes_any(&Cli::command(), name))
    };
    let mut pairs = args
        .windows(2)
        .filter_map(|two| two[0].to_str().zip(two[1].to_str()));
    pairs.find(|(word, next)| words::is_option(next) && takes_any(word))
}

/// True if this command, or one below it, has an option of this name that may have such a value.
fn takes_any(command: &clap::Command, name: &str) -> bool {
    let is_one =
        |option: &Arg| option.get_long() == Some(name) && option.is_allow_hyphen_values_set();
    command.get_arguments().any(is_one) || command.get_subcommands().any(|it| takes_any(it, name))
}

/// The words of the command that was given.
fn words_of(mut matches: &ArgMatches) -> Vec<&str> {
    let mut words = Vec::new();
    while let Some((word, below)) = matches.subcommand() {
        words.push(word);
        matches = below;
    }
    words
}

fn fitting_of(words: &[&str]) -> &'static [&'static str] {
    let is_of = |of: &[&str]| words.starts_with(of) && of.is_empty() == words.is_empty();
    let own = FITTING.iter().find(|(of, _)| is_of(of));
    own.map_or(OPTIONS, |(_, fitting)| *fitting)
}

/// The options of every command.
fn common(command: &clap::Command) -> impl Iterator<Item = &Arg> {
    let options = command.get_arguments();
    options.filter(|option| option.is_global_set())
}

/// The command line, where the help of a command leaves out the options that mean nothing to it.
fn command() -> clap::Command {
    let command = Cli::command();
    let common: Vec<Arg> = common(&command).cloned().collect();
    let shown = |option: Arg, fitting: &[&str]| {
        let fits = fits(&option, fitting);
        option.hide(!fits)
    };
    let command = with_options(command, &[], &|fitting| {
        let options = common.iter().cloned();
        options.map(|option| shown(option, fitting)).collect()
    });
    let command = command.mut_args(|option| {
        if option.is_global_set() {
            shown(option, fitting_of(&[]))
        } else {
            option
        }
    });
    MEANINGS.iter().fold(command, |command, (of, name, help)| {
        let with = |it: clap::Command| it.mut_arg(name, |option| option.help(*help));
        if command.find_subcommand(of).is_some() {
            command.mut_subcommand(of, with)
        } else {
            command
        }
    })
}

/// Common options that mean something else to a command: command, option, help.
const MEANINGS: [(&str, &str, &str); 5] = [
    ("setup", "profile", "Name to propose for the new profile"),
    (
        "demo",
        "project",
        "Project to work in (form: `P_<n>`) [default: P_9]",
    ),
    (
        "demo",
        "subproject",
        "Sub project to work in (form: `SP_<n>`, or `_` for none) [default: SP_1]",
    ),
    (
        "demo",
        "theme",
        "Colours of the screen [default: by the terminal]",
    ),
    ("demo", "read_only", "Change nothing at the service"),
];

fn fits(option: &Arg, fitting: &[&str]) -> bool {
    fitting.contains(&option.get_long().unwrap_or_default())
}

/// Gives each command below this one options, by which of the common ones mean something to it.
fn with_options(
    command: clap::Command,
    words: &[&str],
    options: &dyn Fn(&[&str]) -> Vec<Arg>,
) -> clap::Command {
    let names: Vec<String> = command
        .get_subcommands()
        .map(|it| it.get_name().to_owned())
        .collect();
    names.iter().fold(command, |command, name| {
        let words = [words, &[name]].concat();
        let fitting = fitting_of(&words);
        let give = |it: clap::Command| with_options(it.args(options(fitting)), &words, options);
        command.mut_subcommand(name, give)
    })
}

fn path(text: &str) -> Result<PathBuf, &'static str> {
    if text.is_empty() {
        Err("empty; expected the path of a file")
    } else {
        Ok(text.into())
    }
}

fn formed(
    form: fn(&str) -> Result<(), &'static str>,
) -> impl Fn(&str) -> Result<String, &'static str> + Clone {
    move |text| form(text).map(|()| text.to_owned())
}

mod commands;
mod format;
mod pages;
mod run_writes;
#[cfg(feature = "local-service")]
mod service;
mod words;
