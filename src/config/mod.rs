//! The config file: found, read once, checked and completed by one table of settings; only `setup` writes it.
//!
//! ```text
//! path ──► text ──► check: every problem with its line ──► complete: what is left out ──► Config
//!                     └──────────── settings: the table ─────────┘
//! ```
//!
//! Messages never repeat a value of the file, so that a secret in the wrong place stays hidden.

mod check;
mod children;
mod complete;
mod error;
mod forms;
mod line_ends;
mod load;
mod own_keys;
mod secret;
pub mod settings;
mod watch;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Deserializer};
use toml::de::DeTable;
use url::Url;

use crate::domain::{RunsSource, WriteTarget, project_name};
use crate::keymap::OwnKeys;
use line_ends::LineEnds;

pub use children::Children;
pub use error::{ConfigError, Problem};
pub use forms::{project_id, subproject_id};
pub use load::{default_path, expanded, is_right, load};
pub use secret::{KEYRING_LOOKUP, NoSecret, ProfileSecret, SecretSource, asks_the_keyring};
pub use settings::{THEMES, fits};
pub use watch::{MonitorSettings, ProjectSettings};

/// A config file with every key, explained.
pub const EXAMPLE: &str = include_str!("../../config.example.toml");

/// The requested config file and profile.
#[derive(Clone)]
pub struct ConfigChoice {
    /// `--config`, else `$RUNDOWN_CONFIG`; `None` for the default path.
    pub file: Option<PathBuf>,
    /// `--profile`; `None` for the default profile of the file.
    pub profile: Option<String>,
}

/// A config file without problems.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The profile to open: the requested one, else the file's `default_profile`, else the only one.
    pub default_profile: Option<String>,
    /// True if the file has `default_profile`.
    #[serde(skip)]
    pub names_default: bool,
    /// All profiles by name; at least one.
    pub profiles: BTreeMap<String, Profile>,
    /// `[ui]`.
    pub ui: Ui,
    /// `[monitor]`.
    pub monitor: MonitorSettings,
    /// `[keys]`; the key table checks them.
    #[serde(deserialize_with = "own_keys::read")]
    pub keys: Vec<OwnKeys>,
    #[serde(skip)]
    line_ends: LineEnds,
    /// Values that are still those of the example, with their profiles, which cannot be opened.
    #[serde(skip)]
    pub placeholders: Vec<(String, Problem)>,
    /// The file, as requested.
    #[serde(skip)]
    pub path: PathBuf,
    /// Warnings for the user, each with its remedy.
    #[serde(skip)]
    pub warnings: Vec<String>,
    /// The warnings about other users who may read or write the file.
    #[serde(skip)]
    pub exposed: Vec<String>,
}

impl Config {
    /// Returns the profile to open; an error if there are several and none is chosen, or if it has values of the
    /// example.
    pub fn profile(&self) -> Result<&Profile, ConfigError> {
        let profile = self
            .default_profile
            .as_deref()
            .and_then(|name| self.profiles.get(name))
            .ok_or_else(|| ConfigError::NoDefaultProfile {
                path: self.path.clone(),
                known: self.profiles.keys().cloned().collect(),
            })?;
        let unset: Vec<_> = self
            .placeholders
            .iter()
            .filter(|(name, _)| *name == profile.name)
            .map(|(_, problem)| problem.clone())
            .collect();
        if unset.is_empty() {
            Ok(profile)
        } else {
            Err(ConfigError::Problems(unset))
        }
    }

    /// Returns a problem at this byte of the file.
    pub fn problem(&self, at: usize, text: String) -> Problem {
        Problem {
            path: self.path.clone(),
            line: self.line_ends.at(at),
            text,
        }
    }
}

/// One tenant of the service, and the connection to it (interface sections 4 and 5).
#[derive(Clone, Debug, Deserialize)]
pub struct Profile {
    /// Name in the config file.
    #[serde(skip)]
    pub name: String,
    /// Tenant API address, its path ends in `/api` (4).
    pub base_url: Url,
    /// Identity provider address (5).
    pub idp_url: Url,
    /// Realm name at the identity provider (5).
    pub realm: String,
    /// Client id (5).
    pub client_id: String,
    /// Source of the client secret; `None` sends none (5).
    pub client_secret: Option<SecretSource>,
    /// User name; `None` asks for it.
    pub username: Option<String>,
    /// Other names of the user, which runs name as tester, creator or editor.
    pub me: Vec<String>,
    /// Source of the password, never inline; `None` asks for it.
    pub password: Option<SecretSource>,
    /// Project id, `P_<n>`, sent as `Project-Id` (4.1).
    pub project_id: String,
    /// Sub project id, `SP_<n>`, or `_` for none (2.2).
    pub subproject_id: Option<String>,
    /// Version of the project, `<major>.<minor>.<patch>` (2.2).
    pub project_version: Option<String>,
    /// Language sent with changes, such as `en` (4.3).
    pub locale: String,
    /// Address of a run in the web application, with `{id}` for its id.
    pub web_url: Option<String>,
    /// True if nothing is ever changed through this profile.
    pub read_only: bool,
    /// Seconds between two readings; 0 reads only on request.
    pub refresh_seconds: u64,
    /// The operation that lists the runs.
    pub runs_source: RunsSource,
    /// Entries per request, 1 to 1000.
    pub page_size: u32,
    /// True if runs are kept on this machine.
    pub cache: bool,
    /// Most runs kept, 1,000 to 10,000,000.
    pub cache_runs: usize,
    /// Absolute path of a PEM file with the certificates to trust, instead of those of the system.
    pub ca_certificate: Option<PathBuf>,
    /// Absolute path of a PEM file with certificates to trust in addition.
    pub ca_also: Option<PathBuf>,
    /// Time limit of one call.
    #[serde(rename = "request_timeout_seconds", deserialize_with = "seconds")]
    pub request_timeout: Duration,
    /// Most megabytes read of one answer.
    pub max_answer_mb: u32,
    /// Pauses before the readings after a write.
    #[serde(rename = "read_again_milliseconds", deserialize_with = "pauses")]
    pub read_again: Vec<Duration>,
    /// Pause before a command without a screen retries a failed reading; each further one is twice as long.
    #[serde(rename = "retry_milliseconds", deserialize_with = "milliseconds")]
    pub retry: Duration,
    /// Settings for watching runs.
    #[serde(flatten)]
    pub watch: ProjectSettings,
    /// `[monitor]`, the same for all profiles.
    #[serde(skip)]
    pub monitor: MonitorSettings,
    /// Starts the programs that the config file names.
    #[serde(skip)]
    pub children: Children,
    /// Time of the last change of the config file, epoch milliseconds.
    #[serde(skip)]
    pub changed: Option<i64>,
    /// True if a password is sent even if earlier starts were refused.
    #[serde(skip)]
    pub sign_in_again: bool,
    /// True if all its data is made up.
    #[serde(skip)]
    pub is_demo: bool,
    /// Options of the command line that lead to its config file and its project, quoted: ` --project P_12`.
    #[serde(skip)]
    pub given: String,
}

impl Profile {
    /// Creates a profile from `name = value` lines of this program: with defaults, and not checked.
    pub fn from_own(name: &str, keys: &str) -> Result<Self, toml::de::Error> {
        let mut profile: Self =
            complete::read(settings::PROFILE, DeTable::parse(keys)?.into_inner())?;
        name.clone_into(&mut profile.name);
        Ok(profile)
    }

    /// The one endpoint of the service, `{base_url}/v2/rpc` (4).
    pub fn rpc_url(&self) -> Url {
        let mut url = self.base_url.clone();
        let base = self.base_url.path().trim_end_matches('/');
        url.set_path(&format!("{base}/v2/rpc"));
        url
    }

    /// Returns the sub project, if there is one: `_` means none (2.2), and the header is left out then.
    pub fn subproject(&self) -> Option<&str> {
        self.subproject_id.as_deref().filter(|id| *id != "_")
    }

    /// Project and sub project of the runs by their names.
    pub fn place(&self) -> String {
        project_name(&self.project_id, self.subproject_id.as_deref())
    }

    /// Service and project to which writes are sent.
    pub fn target(&self) -> WriteTarget {
        WriteTarget {
            service: self.base_url.to_string(),
            project: self.place(),
        }
    }

    /// Key of project and sub project of the runs, such as `P_9/SP_1`; `_` means no sub project.
    pub fn scope(&self) -> String {
        let subproject = self.subproject_id.as_deref().unwrap_or("_");
        format!("{}/{subproject}", self.project_id)
    }

    /// Returns this profile with the options of the command line; `read_only` can only be switched on.
    #[must_use]
    pub fn with(&self, overrides: &Overrides) -> Self {
        let mut profile = self.clone();
        if let Some(project) = &overrides.project_id {
            // A sub project is one of its project.
            if *project != profile.project_id {
                profile.subproject_id = None;
            }
            profile.project_id.clone_from(project);
        }
        if let Some(subproject) = &overrides.subproject_id {
            profile.subproject_id = Some(subproject.clone());
        }
        profile.read_only |= overrides.read_only;
        profile.sign_in_again |= overrides.sign_in_again;
        profile.given.clone_from(&overrides.given);
        profile
    }

    /// Options with which a command works on the same: `--profile work --project P_12`.
    pub fn options(&self) -> String {
        format!("--profile {}{}", shell_words::quote(&self.name), self.given)
    }
}

/// Options of the command line that replace settings of the profile, in their forms.
#[derive(Default)]
pub struct Overrides {
    /// `--project`, `P_<n>`.
    pub project_id: Option<String>,
    /// `--subproject`, `SP_<n>` or `_`.
    pub subproject_id: Option<String>,
    /// `--read-only`.
    pub read_only: bool,
    /// `--sign-in-again`.
    pub sign_in_again: bool,
    /// The options for config file and project as they were given, quoted.
    pub given: String,
}

/// `[ui]`: appearance and mouse.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ui {
    /// One of [`THEMES`].
    pub theme: String,
    /// Characters of bars: `blocks` or `letters`.
    pub bars: String,
    /// Colours of the user, by purpose.
    pub colours: BTreeMap<String, String>,
    /// True if the mouse is used; otherwise the terminal selects text with it.
    pub mouse: bool,
}

impl Default for Ui {
    fn default() -> Self {
        complete::defaults(settings::UI)
    }
}

fn milliseconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    u64::deserialize(from).map(Duration::from_millis)
}

fn pauses<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Duration>, D::Error> {
    let pauses = Vec::deserialize(from)?;
    Ok(pauses.into_iter().map(Duration::from_millis).collect())
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    u64::deserialize(from).map(Duration::from_secs)
}
