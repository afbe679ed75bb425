//! What the demo opens: the local service as a profile like any other.

mod history;

pub use history::{HOURS, keep, of_run};

use crate::config::{Profile, SecretSource};
use crate::domain::HoursOfDay;
use crate::local_service::ServedProfile;

/// The profile `demo` of a local service. Its secrets are those the service has made up.
pub fn profile(served: &ServedProfile) -> Result<Profile, toml::de::Error> {
    let mut profile = Profile::from_own("demo", &served.keys())?;
    profile.password = Some(SecretSource::Inline(served.password.clone()));
    profile.is_demo = true;
    // It names no version: those of all are shown. The demo is looked at at any hour, and its testers never sleep.
    profile.watch.hours.hours = HoursOfDay::Always;
    Ok(profile)
}
