//! A profile in use, by the screens or by a command: its connection, what is kept of its runs, the report of a release.

mod browser;
mod configured;
mod connection;
mod history;
mod report;

use jiff::tz::TimeZone;

use crate::config::Profile;
use crate::domain::digest;
use crate::forecast::Settings;
use crate::mirror::{MirrorSettings, RunsOrigin};

pub use browser::{open_in_browser, silent};
pub use configured::Earlier;
pub use connection::{Connection, NotSignedIn};
pub use history::{calibration, history, kept_runs, kept_suites};
pub use report::report;

/// Returns the key for data kept of a profile and its user.
pub fn key_of(profile: &Profile) -> String {
    let of = format!("{}\n{}", profile.name, origin(profile).key());
    format!("{:016x}", digest(&of))
}

/// Returns the origin of the runs of a profile.
pub fn origin(profile: &Profile) -> RunsOrigin {
    RunsOrigin {
        service: profile.base_url.to_string(),
        realm: profile.realm.clone(),
        user: profile.username.clone().unwrap_or_default(),
        project: profile.project_id.clone(),
        subproject: profile.subproject().map(str::to_owned),
    }
}

/// Returns the settings of the mirror of a profile.
pub fn mirror_settings(profile: &Profile) -> MirrorSettings {
    MirrorSettings {
        ignored: profile.monitor.ignored.clone(),
        done: profile.watch.done.clone(),
        most: profile.cache_runs,
    }
}

/// Returns the settings of forecasts for the runs of a profile.
pub fn forecast_settings(profile: &Profile) -> Settings {
    let watch = &profile.watch;
    Settings {
        done: watch.done.clone(),
        hours: watch.hours,
        days: watch.pace_days,
        zone: TimeZone::system(),
    }
}
