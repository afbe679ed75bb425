//! The program `rundown`: arguments in, exit status out.

mod start;

use std::process::ExitCode;

use rundown::app::PLACES;
use rundown::cli::{self, Cli, Common, ConfigCommand, Headless, PasswordCommand, Subcommand};
use rundown::config::{self, Config, ConfigError, Profile};
use rundown::domain::text;
use rundown::headless::{self, EarlyExit, Exit, Ran, print};
use rundown::keymap::{Keymap, Mistake};
use rundown::setup::{self, FirstStart};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

fn main() -> ExitCode {
    no_core_dump();
    let outcome = match Cli::read(std::env::args_os()) {
        Ok(cli) => run(&cli),
        Err(error) if error.use_stderr() => Err(usage(&error.render().to_string())),
        Err(help) => print(&help.render().to_string()),
    };
    let Err(stop) = outcome else {
        return ExitCode::SUCCESS;
    };
    if !stop.words.is_empty() {
        headless::complain(&stop.text());
    }
    ExitCode::from(stop.exit as u8)
}

/// Returns the message of clap about a wrong command line; it is the help alone where a command is missing.
fn usage(text: &str) -> EarlyExit {
    let mut lines = text.trim_end().lines().map(str::to_owned);
    let wrong = text.strip_prefix("error: ").and(lines.next());
    let wrong = wrong.map(|line| line.replacen("error: ", "", 1));
    let missing = || "a command is missing here, one of these:".to_owned();
    Exit::Usage
        .because(wrong.unwrap_or_else(missing))
        .with(lines)
}

/// Prevents core dumps, which would contain the password and the tokens.
fn no_core_dump() {
    let none = Rlimit {
        current: Some(0),
        ..getrlimit(Resource::Core)
    };
    if let Err(error) = setrlimit(Resource::Core, none) {
        headless::complain(&format!("warning: a crash may leave a core dump: {error}"));
    }
}

fn run(cli: &Cli) -> Ran {
    let variables = || {
        cli.common
            .with_variables()
            .map_err(|why| Exit::Usage.because(why))
    };
    match &cli.command {
        None => open(&variables()?, cli.monitor.as_deref(), cli.fresh),
        Some(Subcommand::Headless(command)) => headless(&variables()?, command),
        Some(Subcommand::Cache(options)) => headless::cache(options),
        Some(Subcommand::Completions { shell }) => print(&cli::completions(*shell)),
        Some(Subcommand::Man { folder }) => cli::write_man_pages(folder).map_err(|error| {
            let folder = folder.display();
            Exit::Service.because(format!("{folder}: {error}; name a folder for the pages"))
        }),
        Some(Subcommand::Doctor(options)) => {
            let common = variables()?;
            log(&common)?;
            headless::print_to(None, common.quiet)?;
            let (choice, overrides) = (common.config_choice(), common.overrides());
            headless::doctor(&choice, &overrides, options)
        }
        #[cfg(feature = "local-service")]
        Some(Subcommand::Demo(options)) => Ok(start::demo(&cli.common, options)?),
        #[cfg(feature = "local-service")]
        Some(Subcommand::Serve(options)) => {
            let secrets = cli::ServeSecrets::from_environment();
            let secrets = secrets.map_err(|why| Exit::Usage.because(why))?;
            Ok(start::serve(&cli.common, options, secrets)?)
        }
        Some(Subcommand::Setup) => set_up(&variables()?),
        Some(Subcommand::Password(command)) => password(&variables()?, *command),
        Some(Subcommand::Config(command)) => match command {
            ConfigCommand::Path => {
                let path = cli.common.config_choice().path()?;
                print(&format!("{}\n", path.display()))
            }
            ConfigCommand::Check => check(&variables()?),
            ConfigCommand::Keys => keys(&cli.common),
            ConfigCommand::Example => print(config::EXAMPLE),
        },
    }
}

fn open(common: &Common, monitor: Option<&str>, fresh: bool) -> Ran {
    match config::load(&common.config_choice()) {
        Ok(config) => {
            let profile = config.profile()?.clone();
            open_profile(common, config, &profile, monitor, fresh)
        }
        Err(error @ (ConfigError::Missing { .. } | ConfigError::NoProfile { .. })) => {
            match setup::first_start(&error).transpose()? {
                Some(FirstStart::SetUp) => set_up(common),
                #[cfg(feature = "local-service")]
                Some(FirstStart::LookAround) => run_demo(common),
                _ => Err(error.into()),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// Opens the demo, for a user without a profile.
#[cfg(feature = "local-service")]
fn run_demo(common: &Common) -> Ran {
    let demo = Cli::read(["rundown", "demo"]).map_err(|error| usage(&error.to_string()))?;
    if let Some(Subcommand::Demo(options)) = &demo.command {
        start::demo(common, options)?;
    }
    print("rundown setup is next: it makes a profile of your own service.\n")
}

/// Makes a profile, and opens it.
fn set_up(common: &Common) -> Ran {
    let made = setup::run(common.config_choice())?;
    let config = config::load(&made.choice)?;
    let profile = made.with_secrets(config.profile()?.clone());
    open_profile(common, config, &profile, None, false)
}

fn password(common: &Common, command: PasswordCommand) -> Ran {
    let config = config::load(&common.config_choice())?;
    let profile = config.profile()?;
    match command {
        PasswordCommand::Keep => setup::keep_password(profile),
        PasswordCommand::Forget => setup::forget_password(profile),
    }
}

fn open_profile(
    common: &Common,
    config: Config,
    profile: &Profile,
    monitor: Option<&str>,
    fresh: bool,
) -> Ran {
    let profile = profile.with(&common.overrides());
    let keymap = keymap(&config)?;
    Ok(start::open(
        common, config, profile, keymap, monitor, fresh,
    )?)
}

/// Returns the built-in keys.
fn built_in() -> Ran<Keymap> {
    Keymap::built_in(PLACES).map_err(|error| Exit::Failed.because(error.to_string()))
}

/// Returns the keys with those of the config file; an error is all mistakes in these.
fn keymap(config: &Config) -> Ran<Keymap> {
    let problem = |Mistake { at, error }| config.problem(at, format!("[keys] {error}"));
    built_in()?.with(&config.keys).map_err(|mistakes| {
        ConfigError::Problems(mistakes.into_iter().map(problem).collect()).into()
    })
}

/// Prints the commands with their names and keys; without a config file the built-in ones.
fn keys(common: &Common) -> Ran {
    let keymap = match config::load(&common.config_choice()) {
        Ok(config) => keymap(&config)?,
        Err(ConfigError::Missing { .. }) => built_in()?,
        Err(error) => return Err(error.into()),
    };
    print(&keymap.list())
}

fn headless(common: &Common, command: &Headless) -> Ran {
    headless::check(command, common.retry)?;
    headless::print_to(common.output.as_deref(), common.quiet)?;
    let config = config::load(&common.config_choice())?;
    warn(&config);
    let profile = config.profile()?.with(&common.overrides());
    log(common)?;
    headless::run(command, &profile, common.retry)
}

fn log(common: &Common) -> Ran {
    start::log_to(common).map_err(|error| Exit::Usage.because(error.to_string()))
}

fn check(common: &Common) -> Ran {
    let config = config::load(&common.config_choice())?;
    keymap(&config)?;
    warn(&config);
    for (_, problem) in &config.placeholders {
        headless::complain(&format!("warning: {problem}"));
    }
    let state = match config.placeholders.len() {
        0 => "fine".to_owned(),
        unset => format!(
            "can be read, {} still to be set",
            text::count(unset, "value")
        ),
    };
    print(&format!(
        "{}: {state}; profiles: {}\n",
        config.path.display(),
        profiles(&config, common.profile.is_some())
    ))
}

fn warn(config: &Config) {
    for warning in &config.warnings {
        headless::note(&format!("warning: {warning}"));
    }
}

/// Returns the profiles with their notes: `a (default), b (read-only)`; `asked` is true if `--profile` was given.
fn profiles(config: &Config, asked: bool) -> String {
    let opened = if asked { "chosen" } else { "default" };
    let described = config.profiles.values().map(|profile| {
        let default = config.default_profile.as_ref() == Some(&profile.name);
        let notes = [(default, opened), (profile.read_only, "read-only")];
        let notes = notes
            .into_iter()
            .filter_map(|(is, note)| is.then_some(note));
        match text::join(notes, ", ") {
            notes if notes.is_empty() => profile.name.clone(),
            notes => format!("{} ({notes})", profile.name),
        }
    });
    text::join(described, ", ")
}
