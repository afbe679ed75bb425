//! Commands without a screen, with the same client, search for suites and messages as the screens.
//!
//! ```text
//!  cli ──► check, run ──► access (sign-in, calls) ──► data ──► table, json ──► standard output
//!                     └──► worker, rpc, attached    └── EarlyExit ──► exit status, standard error
//! ```
//!
//! Data goes to standard output once it is complete, everything else to standard error. No command asks for a sign-in.

mod access;
mod bundle;
mod cache;
mod doctor;
mod find;
mod gate;
mod gate_release;
mod listing;
mod news;
mod open;
mod outcome;
mod output;
mod pace;
mod prelude;
mod report;
mod requests;
mod resume;
mod run_create;
mod run_delete;
mod run_modify;
mod run_texts;
mod runs;
mod samples;
mod since;
mod spool;
mod stop;
mod suite_change;
mod suite_rows;
mod suites;
mod sync;
mod watch;
mod writing;

use tokio::time::Instant;

use crate::cli::{ChangesCommand, Headless, RunsCommand, SamplesCommand, SuitesCommand};
use crate::config::Profile;

use access::Access;
pub use cache::cache;
pub use doctor::doctor;
use find::{FoundRun, UNLISTED, called};
pub use output::{complain, note, print, print_to, wrapped};
use output::{tell, tell_line};
use pace::Pace;
use runs::ListedFrom;
pub use stop::{EarlyExit, Exit, Ran};
use suite_change::warn;
use writing::EndSignals;
pub use writing::Ends;

/// Default number of retries of a failed reading.
const TRIES_AGAIN: u8 = 2;

/// Checks a command as far as possible without a config file; `retry` is the wanted number of retries.
pub fn check(command: &Headless, retry: Option<u8>) -> Ran {
    match command {
        Headless::Gate(options) if options.timeout.is_some() && retry.is_some() => {
            let words = "--retry cannot be used with --timeout, which goes on looking by itself";
            Err(Exit::Usage.because(words))
        }
        Headless::Runs(RunsCommand::Delete(options)) => run_delete::repeated(options),
        Headless::Runs(RunsCommand::List(options)) => runs::search(options).map(drop),
        Headless::Gate(options) if options.version.is_some() => gate_release::check(options),
        Headless::Gate(options) => gate::condition(options).map(drop),
        Headless::Since(options) => since::moment(options).map(drop),
        Headless::Report(options) => report::format(options).map(drop),
        _ => Ok(()),
    }
}

/// Runs a command with a profile that includes the options of the command line.
pub fn run(command: &Headless, profile: &Profile, retry: Option<u8>) -> Ran {
    ended(run_command(command, profile, retry))?
}

/// Runs work on its own runtime.
pub fn ended<T>(work: impl Future<Output = T>) -> Ran<T> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|error| Exit::Service.because(format!("the program cannot start: {error}")))?;
    let outcome = runtime.block_on(work);
    // A cancelled call may still wait for the lookup of a name, a question for its answer.
    runtime.shutdown_background();
    Ok(outcome)
}

async fn run_command(command: &Headless, profile: &Profile, retry: Option<u8>) -> Ran {
    let begun = Instant::now();
    let version = profile.project_version.as_deref();
    // Begun by the arms that ask the service: all else needs no secret, and reads none.
    let access = Access::open(profile.clone(), retry.unwrap_or(TRIES_AGAIN));
    match command {
        Headless::Open(options) => open::open(access, profile, options).await,
        Headless::Samples(SamplesCommand::Export(options)) => samples::export(profile, options),
        Headless::Runs(command) => match command {
            RunsCommand::List(options) if options.local => sync::local(profile, options).await,
            RunsCommand::List(options) => {
                runs::list(ListedFrom::Service(&mut access.await?), options, profile).await
            }
            RunsCommand::Show(options) => runs::show(&mut access.await?, options).await,
            RunsCommand::Create(options) => {
                run_create::create(&mut access.await?, options, version).await
            }
            RunsCommand::Modify(options) => run_modify::modify(&mut access.await?, options).await,
            RunsCommand::Delete(options) => {
                Box::pin(run_delete::delete(&mut access.await?, options)).await
            }
        },
        Headless::Suites(command) => match command {
            SuitesCommand::Available(options) => {
                suites::available(&mut access.await?, options).await
            }
            SuitesCommand::Attached(options) => suites::attached(&mut access.await?, options).await,
            SuitesCommand::InNoRun(options) => suites::in_no_run(&mut access.await?, options).await,
            SuitesCommand::Add(options) => {
                suite_change::change(&mut access.await?, options, true).await
            }
            SuitesCommand::Remove(options) => {
                suite_change::change(&mut access.await?, options, false).await
            }
        },
        Headless::Changes(ChangesCommand::Resume(options)) => {
            Box::pin(resume::resume(&mut access.await?, options)).await
        }
        Headless::Sync(options) => sync::sync(&mut access.await?, profile, options).await,
        Headless::Since(options) if options.local => since::local(profile, options),
        Headless::Since(options) => since::since(&mut access.await?, profile, options).await,
        Headless::Report(options) => report::report(&mut access.await?, profile, options).await,
        Headless::Watch(options) => {
            watch::watch(&mut access.await?, options, &profile.monitor.ignored).await
        }
        Headless::Gate(options) => match &options.version {
            Some(version) => {
                gate_release::gate(&mut access.await?, options, profile, version).await
            }
            None => gate::gate(&mut access.await?, options, begun).await,
        },
    }
}
