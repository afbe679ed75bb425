//! The profile in use, and signing in to it.

use jiff::tz::TimeZone;

use crate::domain::diff::Ignored;
use crate::domain::release::ReleaseSettings;
use crate::domain::{HoursOfDay, Notify, ResultCode, View, WorkingHours};
use crate::forecast::Settings;

/// Profile in use, for the interface.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Session {
    /// Name of the profile.
    pub profile: String,
    /// Address of the service.
    pub service: String,
    /// Address of the identity provider.
    pub identity: String,
    pub realm: String,
    /// User name, if known.
    pub user: String,
    /// Other names of the user, by the config.
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
    /// Version of the list at the start; `None` for all.
    pub project_version: Option<String>,
    /// Language of written values (`locale` of 4.3).
    pub locale: String,
    /// Address of a run in the web application, with `{id}` for its id.
    pub web_url: Option<String>,
    /// Seconds between two refreshes; 0 for none.
    pub refresh_seconds: u64,
    pub watch: Watching,
}

/// Settings for watching runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Watching {
    /// Fields whose changes are not reported.
    pub ignored: Ignored,
    /// Result codes of cases that are finished.
    pub done: Vec<ResultCode>,
    /// The limit as text; `None` without one.
    pub limit: Option<String>,
    /// Way of notification.
    pub notify: Notify,
    pub views: Vec<View>,
    /// Settings of releases.
    pub release: ReleaseSettings,
    pub hours: WorkingHours,
    /// Working days without a change of a quiet run.
    pub quiet_days: usize,
    /// Zone of this machine, for the days by which counts are compared.
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

/// Profile of the configuration, for the interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownProfile {
    pub name: String,
    pub project: String,
    pub subproject: Option<String>,
    /// Its client cannot write.
    pub read_only: bool,
}
