//! Profile of the demo: the local service as a profile like any other.

mod history;

pub use history::{HOURS, keep, of_run};
use jiff::{ToSpan, Zoned};

use crate::config::{Profile, SecretSource};
use crate::domain::HoursOfDay;
use crate::domain::release::{Criterion, ReleaseDue};
use crate::local_service::{RELEASE, ServedProfile};

/// Seconds between two readings of a release that is under way.
const READ_EVERY: u64 = 5;
/// Criteria of that release.
const CRITERIA: [(&str, &str); 4] = [
    ("95 % of what is done passed", "passed * 100 >= done * 95"),
    ("no new failures", "failed_new == 0"),
    ("no run quiet", "runs_quiet == 0"),
    ("at most 5 blocked", "blocked <= 5"),
];

/// Returns the profile `demo` of a local service, with the secrets that the service has made up.
pub fn profile(served: &ServedProfile) -> Result<Profile, toml::de::Error> {
    let mut profile = Profile::from_own("demo", &served.keys())?;
    profile.password = Some(SecretSource::Inline(served.password.clone()));
    profile.is_demo = true;
    // Without a version all are shown. The demo is used at any hour, and its testers never sleep.
    profile.watch.hours.hours = HoursOfDay::Always;
    Ok(profile)
}

/// Returns the profile for a release under way: due tomorrow, with criteria, read every few seconds.
pub fn in_progress(mut profile: Profile) -> Profile {
    profile.refresh_seconds = READ_EVERY;
    let tomorrow = Zoned::now().checked_add(1.day());
    let due = tomorrow.map(|at| ReleaseDue {
        version: RELEASE.to_owned(),
        at: at.date().to_string(),
    });
    let release = &mut profile.watch.release;
    release.due.extend(due);
    release.criteria = CRITERIA
        .map(|(name, expr)| Criterion {
            name: name.to_owned(),
            expr: expr.to_owned(),
        })
        .into();
    profile
}
