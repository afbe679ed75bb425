//! The commands without a screen: the same client, the same working out of suites, the same words.
//!
//! ```text
//!  cli ──► Job ──► access (sign-in, calls) ──► data ──► table, json ──► standard output
//!                     └──► worker, rpc, attached        └── Stop ──► exit status, standard error
//! ```
//!
//! Data goes to standard output once it is whole, everything else to standard error. Nothing is ever asked of a person.

mod access;
mod columns;
mod find;
mod json;
mod output;
mod runs;
mod stop;
mod suite_rows;
mod suites;
mod table;
mod whole;

use std::io;

use crate::cli::{Headless, RunsQuestion, SuitesQuestion};
use crate::config::Profile;

use access::Access;

pub use stop::{Exit, Stop};

/// Carries out a command with a profile on which the command line has had its say.
pub fn run(command: &Headless, profile: Profile) -> Result<(), Stop> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error: io::Error| Stop::service(format!("the program cannot start: {error}")))?;
    let outcome = runtime.block_on(async {
        let version = profile.project_version.clone();
        let mut access = Access::open(profile).await?;
        match command {
            Headless::Runs { question: RunsQuestion::List(options) } => {
                runs::list(&mut access, options, version.as_deref()).await
            }
            Headless::Runs { question: RunsQuestion::Show(options) } => runs::show(&mut access, options).await,
            Headless::Suites { question: SuitesQuestion::Available(options) } => {
                suites::available(&mut access, options).await
            }
            Headless::Suites { question: SuitesQuestion::Attached(options) } => {
                suites::attached(&mut access, options).await
            }
        }
    });
    // A call that was given up may still wait for a name to be looked up.
    runtime.shutdown_background();
    outcome
}
