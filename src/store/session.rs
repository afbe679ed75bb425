//! The profile in use, and signing in to it.

use jiff::tz::TimeZone;

use crate::config::{MonitorSettings, ProjectSettings};
use crate::domain::project_name;

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
    /// Settings of the project and its team.
    pub watch: ProjectSettings,
    /// Settings of all profiles.
    pub monitor: MonitorSettings,
    /// Zone of this machine, for the days by which counts are compared.
    pub zone: Option<TimeZone>,
}

impl Session {
    /// Name of project and sub project for the user.
    pub fn scope_name(&self) -> String {
        project_name(&self.project, self.subproject.as_deref())
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
