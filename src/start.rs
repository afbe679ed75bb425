//! Starts what the command line asks for.

use std::error::Error;

use rundown::cli::Common;
#[cfg(feature = "local-service")]
use rundown::cli::{DemoOptions, ServeOptions, ServeSecrets};
use rundown::config::{Config, Profile};

/// Opens the interface with a profile on which the command line has had its say.
pub fn open(_common: &Common, _config: Config, _profile: Profile) -> Result<(), Box<dyn Error>> {
    Err("the interface is not built yet".into())
}

/// Opens the interface with a local service of its own.
#[cfg(feature = "local-service")]
pub fn demo(_common: &Common, _options: &DemoOptions) -> Result<(), Box<dyn Error>> {
    Err("the demo is not built yet".into())
}

/// Runs the local service until it is told to stop.
#[cfg(feature = "local-service")]
pub fn serve(_common: &Common, _options: &ServeOptions, _secrets: ServeSecrets) -> Result<(), Box<dyn Error>> {
    Err("the local service is not built yet".into())
}
