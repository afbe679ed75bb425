//! The command line: what was asked for, checked as far as it can be without reading a file.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser};

use crate::config::{self, ConfigChoice, Overrides};

pub use commands::{
    AttachedOptions, AvailableOptions, ChangeOptions, ChangesQuestion, GateOptions, Headless,
    ListOptions, ResumeOptions, RunsQuestion, ShowOptions, SuitesQuestion, WatchOptions,
};
pub use format::{ChangeFormat, Format, GateFormat, WatchFormat};
pub use run_writes::{
    CreateOptions, DeleteOptions, FieldOptions, ModifyOptions, NewStatus, TextFrom,
};
#[cfg(feature = "local-service")]
pub use service::{DemoOptions, ServeOptions, ServeSecrets, ServiceOptions};

/// Browse the test runs of a test management service, in the terminal.
#[derive(Debug, Parser)]
#[command(name = "rundown", version, max_term_width = 110, disable_help_subcommand = true, after_help = AFTER)]
pub struct Cli {
    /// Options of every command.
    #[command(flatten)]
    pub common: Common,
    /// Open the monitor on this saved view of the profile, after the sign-in
    #[arg(long, value_name = "NAME")]
    pub monitor: Option<String>,
    /// What to do; nothing opens the screen.
    #[command(subcommand)]
    pub command: Option<Subcommand>,
}

const AFTER: &str = "Without a command the program opens its screen, with the profile of the config file. To make that file:\n  \
    rundown config path      where it belongs\n  \
    rundown config example   what stands in it, every key explained\n\n\
    Exit status: 0 fine, 1 failed, 2 the command line or the config file is wrong. Of commands without a screen \
    (runs, suites, changes, watch, gate): 1 the gate failed, 3 not signed in, 4 the service or the network failed, 5 time is up, \
    6 not decidable; of changes: 1 done in part or not as asked, 4 not sent, 7 refused, 8 not known whether done.";

/// Options of every command; `Cli::read` refuses those that mean nothing to the one given.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "General options")]
pub struct Common {
    /// Config file to read [default: `$RUNDOWN_CONFIG`, else the one `rundown config path` prints]
    #[arg(long, global = true, value_name = "FILE", value_parser = path)]
    pub config: Option<PathBuf>,
    /// Profile of the config file to open [default: its `default_profile`, else its only one]
    #[arg(long, global = true, value_name = "NAME")]
    pub profile: Option<String>,
    /// Project to work in, instead of the profile's (form: `P_<n>`)
    #[arg(long, global = true, value_name = "P_9", value_parser = formed(config::project_id))]
    pub project: Option<String>,
    /// Sub project to work in, instead of the profile's (form: `SP_<n>`, or `_` for none)
    #[arg(long, global = true, value_name = "SP_1", value_parser = formed(config::subproject_id))]
    pub subproject: Option<String>,
    /// Colours of the screen [default: the config file's `ui.theme`]
    #[arg(long, global = true, value_name = "NAME", value_parser = PossibleValuesParser::new(config::THEMES))]
    pub theme: Option<String>,
    /// Change nothing at the service, whatever the profile says
    #[arg(long, global = true)]
    pub read_only: bool,
    /// Send a configured password although it was refused twice in the last 15 minutes
    #[arg(long, global = true)]
    pub sign_in_again: bool,
    /// Write a log to this file; it holds no secrets [default: no log]
    #[arg(long, global = true, value_name = "FILE", value_parser = path)]
    pub log: Option<PathBuf>,
}

impl Common {
    /// Which config file and profile are meant: `--config`, else `$RUNDOWN_CONFIG`, else the platform's place.
    pub fn config_choice(&self) -> ConfigChoice {
        let variable = || {
            std::env::var_os("RUNDOWN_CONFIG")
                .filter(|value| !value.is_empty())
                .map(PathBuf::from)
        };
        ConfigChoice {
            file: self.config.clone().or_else(variable),
            profile: self.profile.clone(),
        }
    }

    /// What is said instead of the profile.
    pub fn overrides(&self) -> Overrides {
        Overrides {
            project_id: self.project.clone(),
            subproject_id: self.subproject.clone(),
            read_only: self.read_only,
            sign_in_again: self.sign_in_again,
        }
    }

    /// The options given, by their names without dashes.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        [
            ("config", self.config.is_some()),
            ("profile", self.profile.is_some()),
            ("project", self.project.is_some()),
            ("subproject", self.subproject.is_some()),
            ("theme", self.theme.is_some()),
            ("read-only", self.read_only),
            ("sign-in-again", self.sign_in_again),
            ("log", self.log.is_some()),
        ]
        .into_iter()
        .filter_map(|(name, given)| given.then_some(name))
    }
}

/// What to do.
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
    /// Find, check or start the config file; it is never written by the program
    Config {
        /// What about the config file.
        #[command(subcommand)]
        question: ConfigQuestion,
    },
}

/// What about the config file.
#[derive(Clone, Copy, Debug, clap::Subcommand)]
pub enum ConfigQuestion {
    /// Print where the config file is looked for
    Path,
    /// Read the config file and say everything that is wrong in it, each with its line
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
        let cli = Self::from_arg_matches(&command().try_get_matches_from(args)?)?;
        let Some(limits) = cli.command.as_ref().map(Subcommand::limits) else {
            return Ok(cli);
        };
        if cli.monitor.is_some() {
            let text = "the argument '--monitor' cannot be used here: it is for the screen, which a command does not open";
            return Err(command().error(ErrorKind::ArgumentConflict, text));
        }
        let misplaced = cli
            .common
            .given()
            .find(|option| !limits.fitting.contains(option));
        match misplaced {
            None => Ok(cli),
            Some(option) => {
                let text = format!(
                    "the argument '--{option}' cannot be used here: {}",
                    limits.reason
                );
                Err(command().error(ErrorKind::ArgumentConflict, text))
            }
        }
    }
}

/// Which of the options of every command mean something to one command, and why the others do not.
struct Limits {
    fitting: &'static [&'static str],
    reason: &'static str,
}

const DEMO: Limits = Limits {
    fitting: &["project", "subproject", "theme", "read-only", "log"],
    reason: "demo brings a profile of its own and never touches your config file",
};
const SERVE: Limits = Limits {
    fitting: &["log"],
    reason: "serve is the service alone and opens no profile",
};
/// All but the theme mean something to a command that opens a profile.
const HEADLESS: Limits = Limits {
    fitting: &[
        "config",
        "profile",
        "project",
        "subproject",
        "read-only",
        "sign-in-again",
        "log",
    ],
    reason: "a command has no screen to colour",
};
const CHECK: Limits = Limits {
    fitting: &["config", "profile"],
    reason: "only the config file is looked at, nothing is opened",
};
const PATH: Limits = Limits {
    fitting: &["config"],
    reason: "the path does not depend on it",
};
const KEYS: Limits = Limits {
    fitting: &["config"],
    reason: "the keys are the same for every profile",
};
const EXAMPLE: Limits = Limits {
    fitting: &[],
    reason: "the example is always the same",
};

impl Subcommand {
    fn limits(&self) -> &'static Limits {
        match self {
            Self::Headless(_) => &HEADLESS,
            #[cfg(feature = "local-service")]
            Self::Demo(_) => &DEMO,
            #[cfg(feature = "local-service")]
            Self::Serve(_) => &SERVE,
            Self::Config {
                question: ConfigQuestion::Path,
            } => &PATH,
            Self::Config {
                question: ConfigQuestion::Check,
            } => &CHECK,
            Self::Config {
                question: ConfigQuestion::Keys,
            } => &KEYS,
            Self::Config {
                question: ConfigQuestion::Example,
            } => &EXAMPLE,
        }
    }
}

/// The whole command line; the help of a command leaves out the options that mean nothing to it.
fn command() -> clap::Command {
    let mut command = Cli::command();
    let common: Vec<_> = command
        .get_arguments()
        .filter(|option| option.is_global_set())
        .cloned()
        .collect();
    let hide = |command: clap::Command, limits: &Limits| {
        let others = common.iter().filter(|option| {
            !limits
                .fitting
                .contains(&option.get_long().unwrap_or_default())
        });
        command.args(others.map(|option| option.clone().hide(true)))
    };
    if cfg!(feature = "local-service") {
        command = command
            .mut_subcommand("demo", |demo| hide(demo, &DEMO))
            .mut_subcommand("serve", |it| hide(it, &SERVE));
    }
    command.mut_subcommand("config", |config| {
        hide(config, &CHECK)
            .mut_subcommand("path", |path| hide(path, &PATH))
            .mut_subcommand("check", |check| hide(check, &CHECK))
            .mut_subcommand("keys", |keys| hide(keys, &KEYS))
            .mut_subcommand("example", |example| hide(example, &EXAMPLE))
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
mod run_writes;
#[cfg(feature = "local-service")]
mod service;
mod words;
