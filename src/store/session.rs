//! The profile in use and signing in to it.

use jiff::tz::TimeZone;

use crate::domain::diff::Ignored;
use crate::domain::release::ReleaseSettings;
use crate::domain::{HoursOfDay, Notify, ResultCode, View, WorkingHours};
use crate::forecast::Settings;

/// What the interface tells of the profile in use.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Name of the profile.
    pub profile: String,
    /// Address of the service.
    pub service: String,
    /// Address of the identity provider.
    pub identity: String,
    pub realm: String,
    /// User name, as far as it is known.
    pub user: String,
    /// Other names of the user, as the config says.
    pub me: Vec<String>,
    /// Project id.
    pub project: String,
    /// Sub project id.
    pub subproject: Option<String>,
    /// No writing client exists.
    pub read_only: bool,
    /// All data is made up.
    pub is_demo: bool,
    /// Rows asked for at once.
    pub page_size: u32,
    /// Version that the list starts with; `None` for all.
    pub project_version: Option<String>,
    /// Language of what is written (`locale` of 4.3).
    pub locale: String,
    /// Address of a run in the web application, with `{id}` for its id.
    pub web_url: Option<String>,
    /// Seconds between two refreshes; 0 for none.
    pub refresh_seconds: u64,
    /// How runs are watched.
    pub watch: Watching,
}

/// How runs are watched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watching {
    /// Fields whose changes are not told.
    pub ignored: Ignored,
    /// Result codes of cases that are finished.
    pub done: Vec<ResultCode>,
    /// The limit as it is written; `None` without one.
    pub limit: Option<String>,
    /// How somebody is called.
    pub notify: Notify,
    pub views: Vec<View>,
    /// What is said of releases.
    pub release: ReleaseSettings,
    pub hours: WorkingHours,
    /// A run is quiet after so many working days.
    pub quiet_days: usize,
    /// Zone of this machine: where the days begin before which counts are compared.
    pub zone: TimeZone,
}

impl Default for Watching {
    fn default() -> Self {
        let done = Settings::DONE.to_vec();
        Self {
            ignored: Ignored::default(),
            done,
            limit: None,
            notify: Notify::None,
            views: Vec::new(),
            release: ReleaseSettings::default(),
            hours: WorkingHours {
                hours: HoursOfDay::Learned,
                days: None,
            },
            quiet_days: 3,
            zone: TimeZone::UTC,
        }
    }
}

/// Why the login box is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignInReason {
    /// The configuration has no user name or no password.
    Missing,
    /// The person asked for it.
    Asked,
    /// The session is over: the refresh token is no longer good.
    Over(String),
    /// The identity provider refused this name and password, in its words.
    Refused(String),
    /// The identity provider could not be asked.
    Failed(String),
}

/// A profile of the configuration, as far as the interface offers it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProfile {
    pub name: String,
    pub project: String,
    /// Its sub project.
    pub subproject: Option<String>,
    /// Its client cannot write.
    pub read_only: bool,
}
