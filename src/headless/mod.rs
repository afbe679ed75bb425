//! The commands without a screen: the same client, the same working out of suites, the same words.
//!
//! ```text
//!  cli ──► Job ──► access (sign-in, calls) ──► data ──► table, json ──► standard output
//!                     └──► worker, rpc, attached        └── Stop ──► exit status, standard error
//! ```
//!
//! Data goes to standard output once it is whole, everything else to standard error. Nothing is ever asked of a person.

mod access;
mod counted_run;
mod find;
mod gate;
mod json;
mod listing;
mod news;
mod outcome;
mod output;
mod pace;
mod requests;
mod resume;
mod run_create;
mod run_delete;
mod run_modify;
mod run_texts;
mod runs;
mod spool;
mod stop;
mod suite_change;
mod suite_rows;
mod suites;
mod table;
mod watch;
mod writing;

use tokio::time::Instant;

use crate::cli::{
    AttachedOptions, AvailableOptions, ChangeOptions, ChangesQuestion, CreateOptions,
    DeleteOptions, GateOptions, Headless, ListOptions, ModifyOptions, ResumeOptions, RunsQuestion,
    ShowOptions, SuitesQuestion, WatchOptions,
};
use crate::config::Profile;
use crate::domain::condition::Condition;
use crate::domain::diff::Ignored;

use access::Access;

pub use output::complain;
pub use stop::{EarlyExit, Exit};

/// A command whose own words are right, before any file is read.
pub struct CheckedCommand<'a> {
    task: Task<'a>,
    begun: Instant,
}

/// What there is to do.
enum Task<'a> {
    List(&'a ListOptions),
    Show(&'a ShowOptions),
    Create(&'a CreateOptions),
    Modify(&'a ModifyOptions),
    Delete(&'a DeleteOptions),
    Available(&'a AvailableOptions),
    Attached(&'a AttachedOptions),
    Add(&'a ChangeOptions),
    Remove(&'a ChangeOptions),
    Resume(&'a ResumeOptions),
    Watch(&'a WatchOptions),
    Gate(&'a GateOptions, Condition),
}

impl<'a> CheckedCommand<'a> {
    /// Checks what can be wrong without a config file.
    pub fn new(command: &'a Headless) -> Result<Self, EarlyExit> {
        let task = match command {
            Headless::Runs {
                question: RunsQuestion::List(options),
            } => Task::List(options),
            Headless::Runs {
                question: RunsQuestion::Show(options),
            } => Task::Show(options),
            Headless::Runs {
                question: RunsQuestion::Create(options),
            } => {
                run_texts::one_reader(&options.fields)?;
                Task::Create(options)
            }
            Headless::Runs {
                question: RunsQuestion::Modify(options),
            } => {
                run_texts::one_reader(&options.fields)?;
                Task::Modify(options)
            }
            Headless::Runs {
                question: RunsQuestion::Delete(options),
            } => {
                run_delete::repeated(options)?;
                Task::Delete(options)
            }
            Headless::Suites {
                question: SuitesQuestion::Available(options),
            } => Task::Available(options),
            Headless::Suites {
                question: SuitesQuestion::Attached(options),
            } => Task::Attached(options),
            Headless::Suites {
                question: SuitesQuestion::Add(options),
            } => Task::Add(options),
            Headless::Suites {
                question: SuitesQuestion::Remove(options),
            } => Task::Remove(options),
            Headless::Changes {
                question: ChangesQuestion::Resume(options),
            } => Task::Resume(options),
            Headless::Watch(options) => Task::Watch(options),
            Headless::Gate(options) => Task::Gate(options, gate::condition(options)?),
        };
        Ok(Self {
            task,
            begun: Instant::now(),
        })
    }

    /// Carries it out with a profile on which the command line has had its say; changes of fields that are ignored are not
    /// told.
    pub fn run(&self, profile: Profile, ignored: &Ignored) -> Result<(), EarlyExit> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime = runtime
            .map_err(|error| EarlyExit::service(format!("the program cannot start: {error}")))?;
        let outcome = runtime.block_on(self.carry_out(profile, ignored));
        // A call that was given up may still wait for a name to be looked up.
        runtime.shutdown_background();
        outcome
    }

    async fn carry_out(&self, profile: Profile, ignored: &Ignored) -> Result<(), EarlyExit> {
        let version = profile.project_version.clone();
        let access = &mut Access::open(profile).await?;
        match &self.task {
            Task::List(options) => runs::list(access, options, version.as_deref()).await,
            Task::Show(options) => runs::show(access, options).await,
            Task::Create(options) => run_create::create(access, options, version.as_deref()).await,
            Task::Modify(options) => run_modify::modify(access, options).await,
            Task::Delete(options) => Box::pin(run_delete::delete(access, options)).await,
            Task::Available(options) => suites::available(access, options).await,
            Task::Attached(options) => suites::attached(access, options).await,
            Task::Add(options) => suite_change::change(access, options, true).await,
            Task::Remove(options) => suite_change::change(access, options, false).await,
            Task::Resume(options) => resume::resume(access, options).await,
            Task::Watch(options) => watch::watch(access, options, ignored).await,
            Task::Gate(options, condition) => {
                gate::gate(access, options, condition, self.begun).await
            }
        }
    }
}
