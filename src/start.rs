//! Start of the interface, the demo and the local service.

use std::collections::HashMap;
use std::error::Error;
use std::io::{self, Write};
use std::sync::Mutex;

use rundown::app::{self, Begins, InterfaceSettings, background};
use rundown::cli::Common;
use rundown::config::{Config, Profile, Ui};
use rundown::disk::{DiskError, State, place};
use rundown::domain::text;
use rundown::headless;
use rundown::keymap::Keymap;
use rundown::ops::local;
use rundown::profile::key_of;
use rundown::store::KnownProfile;
use rundown::ui::theme::{BuiltIn, Role, Themes};
use rundown::worker::{EarlyRuns, Source, session};
use tracing_subscriber::EnvFilter;

#[cfg(feature = "local-service")]
pub use service::{demo, serve};

/// Opens the interface with a profile that the command line has already changed.
pub fn open(
    common: &Common,
    config: Config,
    mut profile: Profile,
    keymap: Keymap,
    monitor: Option<&str>,
    fresh: bool,
) -> Result<(), Box<dyn Error>> {
    log_to(common)?;
    profile.children.beside_screen = true;
    let state = State::of_program();
    let begins = begins(&profile, &state, fresh);
    let known = config.profiles.values().map(|profile| KnownProfile {
        name: profile.name.clone(),
        project: profile.project_id.clone(),
        subproject: profile.subproject_id.clone(),
        read_only: profile.read_only || common.read_only,
    });
    let settings = InterfaceSettings {
        keymap,
        themes: themes(common.theme.as_deref(), &config.ui),
        mouse: config.ui.mouse,
        profiles: known.collect(),
        state,
        is_temporary: false,
        begins: Some(begins),
        monitor: monitor.map(str::to_owned),
        tour: false,
        warnings: config
            .warnings
            .iter()
            .map(|warning| local("reading the config file", warning, ""))
            .collect(),
        secret_variables: profile.children.without.clone(),
    };
    // The chosen profile is first; the others can be switched to.
    let mut profiles = vec![profile];
    for (name, mut other) in config.profiles {
        if name != profiles[0].name {
            other.read_only |= common.read_only;
            other.children.beside_screen = true;
            profiles.push(other);
        }
    }
    let options: HashMap<_, _> = profiles
        .iter()
        .map(|profile| (profile.name.clone(), profile.options()))
        .collect();
    let source = |_: &_| -> Source { Box::pin(async { Ok(profiles) }) };
    Ok(app::run(settings, source, |profile| {
        let options = options.get(profile).map_or("", String::as_str);
        headless::complain(&format!(
            "a change was under way: \"rundown changes resume --dry-run {options}\" says whether it was sent and what came of \
             it, and so do \"my changes\" in the program"
        ));
    })?)
}

/// Begins to load the first visible data of a profile, while the terminal is prepared.
fn begins(profile: &Profile, state: &State, fresh: bool) -> Begins {
    let kept = state.get().ok().filter(|_| !fresh);
    let left_off = kept.and_then(|state| state.left_off.find(&key_of(profile)));
    let wanted = left_off.as_ref().map(|it| it.rows.clone());
    // At first, because the first frame waits for it.
    let begun = EarlyRuns::open(profile, state, wanted.unwrap_or_default());
    Begins {
        session: session(profile),
        left_off,
        begun,
    }
}

/// Returns the theme: of the command line, else without colours by `NO_COLOR`, else of the config file, else by the
/// terminal: 16 colours on a few, light or dark by `COLORFGBG`, else its background is asked for once.
fn themes(asked: Option<&str>, ui: &Ui) -> Themes {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let no_colour = || !variable("NO_COLOR").is_empty();
    let light = || matches!(variable("COLORFGBG").rsplit(';').next(), Some("7" | "15"));
    let few = || {
        let terminal = variable("TERM");
        let old = ["linux", "ansi", "dumb", "cons25", "vt"];
        old.iter().any(|name| terminal.starts_with(name))
    };
    let named = asked
        .and_then(BuiltIn::named)
        .or_else(|| no_colour().then_some(BuiltIn::Mono))
        .or_else(|| BuiltIn::named(&ui.theme));
    let usual = named.unwrap_or_else(|| match () {
        () if few() => BuiltIn::Sixteen,
        () if light() => BuiltIn::Light,
        () if !variable("COLORFGBG").is_empty() => BuiltIn::Dark,
        () => background::theme(rundown::disk::state_dir().as_deref()).unwrap_or_default(),
    });
    let own = ui.colours.iter();
    let own = own.filter_map(|(role, colour)| Some((Role::named(role)?, colour.parse().ok()?)));
    Themes {
        usual,
        own: own.collect(),
        letters: ui.bars == "letters",
    }
}

/// Logs to a file that only its owner can read, from `debug` of this program on, or as `RUST_LOG` says.
pub fn log_to(common: &Common) -> Result<(), Box<dyn Error>> {
    let Some(path) = common.log_file() else {
        return Ok(());
    };
    let opened = place::file(&std::path::absolute(path)?).map_err(|error| {
        let why = match error {
            DiskError::Access { path, source, .. } => {
                let path = path.display();
                format!("{path}: {source}; choose a file that can be written")
            }
            DiskError::NoFile { path } if path.is_dir() => DiskError::Folder { path }.to_string(),
            // What the user named is theirs, and is not moved away.
            DiskError::NoFile { path } => DiskError::NotReplaced { path }.to_string(),
            other => other.to_string(),
        };
        format!("--log (or $RUNDOWN_LOG): {why}")
    })?;
    let filter =
        EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("rundown=debug"));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_ansi(false)
        .with_writer(Mutex::new(Log(opened)));
    log.try_init().map_err(|error| error.to_string())?;
    Ok(())
}

/// Log for reading in a terminal: control characters have no effect, and no text begins a line of its own.
struct Log<W>(W);

impl<W: Write> Write for Log<W> {
    /// Takes one complete event per call.
    fn write(&mut self, event: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(event);
        let line = text::plain(text.strip_suffix('\n').unwrap_or(&text)).into_owned() + "\n";
        self.0.write_all(line.as_bytes())?;
        Ok(event.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(feature = "local-service")]
mod service {
    use std::error::Error;
    use std::io::{self, IsTerminal, Write};
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;
    use std::sync::{Arc, Mutex};
    use std::time::Duration;

    use rundown::app::PLACES;
    use rundown::app::{self, InterfaceSettings};
    use rundown::cli::{Common, DemoOptions, ServeOptions, ServeSecrets, ServiceOptions};
    use rundown::config::{Profile, Ui};
    use rundown::demo;
    use rundown::disk::{State, UnderWay, data_dir, place};
    use rundown::domain::Failure;
    use rundown::headless::Ends;
    use rundown::keymap::Keymap;
    use rundown::local_service::{
        AtWork, Credentials, Given, LocalService, Options, ServiceError, private_folder,
    };
    use rundown::ops::local;
    use rundown::ops::{lock, now};
    use rundown::store::Event;
    use rundown::worker::{Events, Source};

    use super::{log_to, themes};

    /// Opens the interface with a local service of its own.
    pub fn demo(common: &Common, options: &DemoOptions) -> Result<(), Box<dyn Error>> {
        log_to(common)?;
        remove_left(&std::env::temp_dir());
        // State that would hold work data goes away with the demo.
        let folder = tempfile::Builder::new()
            .prefix(FOLDER)
            .permissions(std::fs::Permissions::from_mode(0o700))
            .tempdir()?;
        // As long as this is held no other demo removes the folder.
        let held = UnderWay::new(folder.path().join(HELD)).begin(HELD)?;
        let settings = InterfaceSettings {
            keymap: Keymap::built_in(PLACES)?,
            themes: themes(common.theme.as_deref(), &Ui::default()),
            mouse: Ui::default().mouse,
            profiles: Vec::new(),
            state: State::of(folder.path()),
            is_temporary: true,
            monitor: None,
            begins: None,
            tour: !options.still,
            warnings: Vec::new(),
            secret_variables: Vec::new(),
        };
        let inside = options.service();
        let in_progress = !options.still;
        let wanted = Options {
            listen: options.listen,
            database: options
                .database
                .clone()
                .or_else(|| Some(folder.path().join("service.db"))),
            release: in_progress,
            ..service(&inside)
        };
        // The service lives as long as the interface; its temporary folder is removed with this value.
        let keeper: Arc<Mutex<Option<Result<LocalService, String>>>> = Arc::default();
        let kept = keeper.clone();
        let overrides = common.overrides();
        let state = folder.path().to_owned();
        let source = move |events: &Events| -> Source {
            let (events, told) = (events.clone(), events.clone());
            Box::pin(async move {
                let progress = move |done, total| {
                    // The receiver is gone if the user has quit meanwhile.
                    let _ = events.send(Event::Preparing { done, total });
                };
                let started = LocalService::start(wanted, progress).await;
                let started = started.map_err(|error| {
                    *lock(&kept) = Some(Err(error.to_string()));
                    failed(error)
                })?;
                let profile = demo::profile(&started.profile())
                    .map(|profile| {
                        if in_progress {
                            demo::in_progress(profile)
                        } else {
                            profile
                        }
                    })
                    .map(|profile| profile.with(&overrides))
                    .map_err(failed);
                let runs = started.at_work();
                *lock(&kept) = Some(Ok(started));
                let profile = profile?;
                if let Err(why) = history(&state, profile.clone(), runs, in_progress).await {
                    let remedy =
                        "chart and forecast come with the counts over time of this program";
                    // The receiver is gone if the user has quit meanwhile.
                    let _ = told.send(Event::Trouble(local(
                        "making up earlier counts",
                        &why.to_string(),
                        remedy,
                    )));
                }
                Ok(vec![profile])
            })
        };
        // Service and journal go away with the demo: no change remains to be looked up.
        let outcome = app::run(settings, source, |_| {});
        let problem = lock(&keeper).take().and_then(Result::err);
        // The folder has no writer any more.
        drop(folder);
        drop(held);
        outcome?;
        // The user has seen it on the screen; a script reads the exit status.
        problem.map_or(Ok(()), |problem| Err(problem.into()))
    }

    /// Beginning of the name of a demo's folder.
    const FOLDER: &str = "rundown-demo-";
    /// Folder, and file in it, that a demo holds as long as it runs.
    const HELD: &str = "demo";
    /// Age from which a folder is not of a demo that is just starting.
    const OLD: Duration = Duration::from_mins(1);

    /// Removes the folders of demos that were killed; what cannot be removed stays.
    fn remove_left(temporary: &Path) {
        for entry in temporary.read_dir().into_iter().flatten().flatten() {
            let (name, path) = (entry.file_name(), entry.path());
            let is_one = name.to_string_lossy().starts_with(FOLDER);
            let is_old = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
            // Not of another user, and no link.
            let is_mine = || path.join(HELD).is_dir() && place::folder(&path).is_ok();
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_one
                && is_folder
                && is_old().is_some_and(|age| age > OLD)
                && is_mine()
                && UnderWay::new(path.join(HELD))
                    .is_left(HELD)
                    .unwrap_or(false)
            {
                let _ = std::fs::remove_dir_all(&path);
            }
        }
    }

    /// Makes up the samples before the start.
    async fn history(
        state: &Path,
        profile: Profile,
        runs: Result<Vec<AtWork>, ServiceError>,
        live: bool,
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let runs = runs?;
        if runs.is_empty() {
            return Ok(());
        }
        let (state, now) = (state.to_owned(), now());
        let kept =
            tokio::task::spawn_blocking(move || demo::keep(&state, &profile, &runs, live, now));
        Ok(kept.await??)
    }

    #[expect(clippy::needless_pass_by_value, reason = "handed over by map_err")]
    fn failed(error: impl ToString) -> Failure {
        local(
            "starting the local service",
            &error.to_string(),
            "q quits; correct the options and start again",
        )
    }

    fn service(options: &ServiceOptions) -> Options {
        Options {
            runs: options.runs.map_or(Options::default().runs, u64::from),
            suites: options.suites.into(),
            seed: options.seed,
            latency: options.latency,
            page_limit: options.page_limit,
            without_list_test_runs: options.without_list_test_runs,
            lag: options.lag,
            second_writer: options.second_writer,
            live: options.live,
            ..Options::default()
        }
    }

    /// Runs the local service until a signal stops it.
    pub fn serve(
        common: &Common,
        options: &ServeOptions,
        secrets: ServeSecrets,
    ) -> Result<(), Box<dyn Error>> {
        log_to(common)?;
        let usual = || Some(data_dir()?.join("service.sqlite"));
        let database = options
            .database
            .clone()
            .or_else(usual)
            .ok_or("there is no home directory for the database: give --database FILE")?;
        if let Some(folder) = database.parent() {
            private_folder(folder)
                .map_err(|error| format!("{}: {error}; give --database FILE", folder.display()))?;
        }
        let given = Given {
            client_secret: secrets
                .client_secret
                .is_some()
                .then_some(ServeSecrets::CLIENT_SECRET),
            password: secrets.password.is_some(),
        };
        let wanted = Options {
            listen: options.listen,
            database: Some(database),
            credentials: Credentials {
                client_secret: secrets.client_secret,
                password: secrets.password,
                ..Credentials::default()
            },
            ..service(&options.service)
        };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()?;
        runtime.block_on(async {
            let mut ends = Ends::listen()?;
            let end = ends.next();
            tokio::pin!(end);
            let started = tokio::select! {
                started = LocalService::start(wanted, progress()) => started?,
                _ = &mut end => return Ok(()),
            };
            announce(&started, given)?;
            end.await;
            started.stop().await;
            Ok(())
        })
    }

    /// Prints the progress of making the data on a terminal, in one line.
    fn progress() -> impl FnMut(u64, u64) + Send + 'static {
        let mut shown = u64::MAX;
        move |done, total| {
            let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
            if percent != shown && io::stderr().is_terminal() {
                shown = percent;
                let end = if done >= total { "\n" } else { "" };
                // A failure to print progress is no reason to stop.
                let _ = write!(io::stderr(), "\rmaking the data: {percent} %{end}");
            }
        }
    }

    fn announce(service: &LocalService, given: Given) -> Result<(), Box<dyn Error>> {
        let mut out = io::stdout().lock();
        writeln!(
            out,
            "# the local service listens on {}; its data: {}",
            service.address(),
            service.database().display()
        )?;
        if !service.address().ip().is_loopback() {
            writeln!(
                out,
                "# it can be reached from other machines, without encryption"
            )?;
        }
        writeln!(
            out,
            "# paste this into your config file (rundown config path), or into rundown setup; Ctrl-c stops the service"
        )?;
        if given.client_secret.is_none() {
            writeln!(
                out,
                "# it holds a secret, so then: chmod 600 \"$(rundown config path)\""
            )?;
        }
        write!(out, "{}", service.profile().toml("local", given))?;
        out.flush()?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_of_the_log_is_one_line_that_acts_on_nothing() {
        let mut log = Log(Vec::new());
        let event = "12:00 WARN refused: a\u{9b}2J\u{202e}\n12:01 INFO all is well\n";
        assert!(log.write_all(event.as_bytes()).is_ok());
        assert_eq!(
            String::from_utf8_lossy(&log.0),
            "12:00 WARN refused: a\u{fffd}2J\u{fffd}␊12:01 INFO all is well\n"
        );
    }
}
