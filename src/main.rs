//! The program `rundown`: arguments in, exit status out.

mod start;

use std::error::Error;
use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use rundown::app::PLACES;
use rundown::cli::{Cli, Common, ConfigQuestion, Headless, Subcommand};
use rundown::config::{self, Config, ConfigError};
use rundown::headless::{self, CheckedCommand, EarlyExit, Exit};
use rundown::keymap::{Keymap, Mistake};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn main() -> ExitCode {
    no_core_dump();
    let outcome = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(&cli),
        Err(error) if error.use_stderr() => Err(ExitReason::Usage(error.render().to_string())),
        Err(help) => print(&help.render().to_string()),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(ExitReason::Usage(text)) => complain(text.strip_prefix("error: ").unwrap_or(&text), 2),
        Err(ExitReason::Other(error)) => complain(&chain(error.as_ref()), 1),
        Err(ExitReason::Stopped(stop)) if stop.words.is_empty() => ExitCode::from(stop.exit as u8),
        Err(ExitReason::Stopped(stop)) => complain(&stop.text(), stop.exit as u8),
    }
}

/// A core dump would hold the password and the tokens.
fn no_core_dump() {
    let none = Rlimit {
        current: Some(0),
        ..getrlimit(Resource::Core)
    };
    if let Err(error) = setrlimit(Resource::Core, none) {
        headless::complain(&format!("warning: a crash may leave a core dump: {error}"));
    }
}

/// Why the program ends without having done it.
enum ExitReason {
    /// The command line or the config file is wrong: exit status 2.
    Usage(String),
    /// Anything else: exit status 1.
    Other(Box<dyn Error>),
    /// A command without a screen came to this end, with an exit status of its own.
    Stopped(EarlyExit),
}

impl From<ConfigError> for ExitReason {
    fn from(error: ConfigError) -> Self {
        Self::Usage(match &error {
            ConfigError::Problems(problems) if problems.len() == 1 => {
                format!("the config file is wrong\n{error}")
            }
            ConfigError::Problems(problems) => {
                format!(
                    "the config file is wrong in {} places\n{error}",
                    problems.len()
                )
            }
            _ => error.to_string(),
        })
    }
}

impl From<EarlyExit> for ExitReason {
    fn from(stop: EarlyExit) -> Self {
        Self::Stopped(stop)
    }
}

impl From<Box<dyn Error>> for ExitReason {
    fn from(error: Box<dyn Error>) -> Self {
        Self::Other(error)
    }
}

fn run(cli: &Cli) -> Result<(), ExitReason> {
    match &cli.command {
        None => open(&cli.common, cli.monitor.as_deref()),
        Some(Subcommand::Headless(command)) => headless(&cli.common, command),
        #[cfg(feature = "local-service")]
        Some(Subcommand::Demo(options)) => Ok(start::demo(&cli.common, options)?),
        #[cfg(feature = "local-service")]
        Some(Subcommand::Serve(options)) => {
            let secrets =
                rundown::cli::ServeSecrets::from_environment().map_err(ExitReason::Usage)?;
            Ok(start::serve(&cli.common, options, secrets)?)
        }
        Some(Subcommand::Config(question)) => match question {
            ConfigQuestion::Path => {
                let path = cli.common.config_choice().path()?;
                print(&format!("{}\n", path.display()))
            }
            ConfigQuestion::Check => check(&cli.common),
            ConfigQuestion::Keys => keys(&cli.common),
            ConfigQuestion::Example => print(&config::EXAMPLE),
        },
    }
}

fn open(common: &Common, monitor: Option<&str>) -> Result<(), ExitReason> {
    let config = config::load(&common.config_choice())?;
    let profile = config.profile()?.with(&common.overrides())?;
    if let Some(name) = monitor {
        profile.has_view(name, &config.path)?;
    }
    let keymap = keymap(&config)?;
    Ok(start::open(common, config, profile, keymap, monitor)?)
}

/// The keys that are built in.
fn built_in() -> Result<Keymap, ExitReason> {
    Keymap::built_in(PLACES).map_err(|error| ExitReason::Other(error.into()))
}

/// The keys with those of the config file.
fn keymap(config: &Config) -> Result<Keymap, ExitReason> {
    built_in()?.with(&config.keys).map_err(|mistakes| {
        let problem = |Mistake { at, error }| config.problem(at, format!("[keys] {error}"));
        ConfigError::Problems(mistakes.into_iter().map(problem).collect()).into()
    })
}

/// Prints the commands with their names and keys; without a config file those that are built in.
fn keys(common: &Common) -> Result<(), ExitReason> {
    let keymap = match config::load(&common.config_choice()) {
        Ok(config) => keymap(&config)?,
        Err(ConfigError::Missing { .. }) => built_in()?,
        Err(error) => return Err(error.into()),
    };
    print(&keymap.list())
}

fn headless(common: &Common, command: &Headless) -> Result<(), ExitReason> {
    let job = CheckedCommand::new(command)?;
    let config = config::load(&common.config_choice())?;
    warn(&config);
    let profile = config.profile()?.with(&common.overrides())?;
    start::log_to(common.log.as_deref()).map_err(|error| Exit::Usage.because(error.to_string()))?;
    Ok(job.run(profile, &config.monitor.ignored)?)
}

fn check(common: &Common) -> Result<(), ExitReason> {
    let config = config::load(&common.config_choice())?;
    keymap(&config)?;
    warn(&config);
    print(&format!(
        "{}: fine; profiles: {}\n",
        config.path.display(),
        profiles(&config, common.profile.is_some())
    ))
}

fn warn(config: &Config) {
    for warning in &config.warnings {
        headless::complain(&format!("warning: {warning}"));
    }
}

/// The profiles with what is special about them: `a (default), b (read-only)`; `asked` is whether `--profile` was given.
fn profiles(config: &Config, asked: bool) -> String {
    let opened = if asked { "chosen" } else { "default" };
    let described = config.profiles.values().map(|profile| {
        let default = config.default_profile.as_ref() == Some(&profile.name);
        let notes = [(default, opened), (profile.read_only, "read-only")];
        let notes: Vec<&str> = notes
            .into_iter()
            .filter_map(|(is, note)| is.then_some(note))
            .collect();
        if notes.is_empty() {
            profile.name.clone()
        } else {
            format!("{} ({})", profile.name, notes.join(", "))
        }
    });
    described.collect::<Vec<_>>().join(", ")
}

/// Prints to standard output; a reader that has gone away (`| head -1`) has had enough, which is no failure.
fn print(text: &str) -> Result<(), ExitReason> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(ExitReason::Other(
            format!("standard output takes nothing: {error}").into(),
        )),
        _ => Ok(()),
    }
}

fn complain(text: &str, status: u8) -> ExitCode {
    headless::complain(text);
    ExitCode::from(status)
}

/// An error and what caused it, in one line; a cause that is told already is not told twice.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(cause) = next {
        next = cause.source();
        let cause = cause.to_string();
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}
