//! The typed read of a file that has been checked.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use secrecy::SecretString;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{Monitor, Notify, Profile, SecretSource, Ui, Watch, forms, schema};
use crate::domain::diff::Ignored;
use crate::domain::{Filter, ResultCode, RunsSource, SavedView, Sort, WorkingHours};

/// The file as it stands there.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct File {
    pub(super) default_profile: Option<String>,
    profiles: BTreeMap<String, FileProfile>,
    pub(super) ui: Ui,
    monitor: FileMonitor,
    pub(super) keys: BTreeMap<String, Vec<String>>,
}

/// Confy wants a type it could write. This one cannot be written, so no mishap ever rewrites the person's file.
impl Serialize for File {
    fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
        Err(serde::ser::Error::custom(
            "the config file belongs to the person and is never written",
        ))
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProfile {
    base_url: String,
    auth_url: Option<String>,
    idp_url: String,
    realm: String,
    client_id: String,
    #[serde(default, deserialize_with = "secret")]
    client_secret: Option<SecretString>,
    client_secret_command: Option<String>,
    client_secret_env: Option<String>,
    username: Option<String>,
    password_command: Option<String>,
    password_env: Option<String>,
    project_id: String,
    subproject_id: Option<String>,
    project_version: Option<String>,
    #[serde(default = "english")]
    locale: String,
    #[serde(default)]
    read_only: bool,
    #[serde(default)]
    refresh_seconds: u64,
    #[serde(default)]
    runs_source: RunsSource,
    #[serde(default = "fifty")]
    page_size: u32,
    ca_certificate: Option<PathBuf>,
    #[serde(default = "thirty")]
    request_timeout_seconds: u64,
    done_codes: Option<Vec<u8>>,
    working_hours: Option<String>,
    working_days: Option<Vec<String>>,
    pace_days: Option<u32>,
    gate: Option<String>,
    #[serde(default)]
    views: Vec<FileView>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FileView {
    name: String,
    #[serde(default)]
    fulltext: String,
    #[serde(default)]
    filter: Vec<String>,
    #[serde(default)]
    sort: Vec<String>,
    #[serde(default)]
    runs: Vec<String>,
    gate: Option<String>,
}

impl FileView {
    fn view(&self) -> SavedView {
        SavedView {
            name: self.name.clone(),
            filter: Filter {
                filters: self.filter.clone(),
                fulltext: self.fulltext.clone(),
                lang: String::new(),
            },
            sorts: self
                .sort
                .iter()
                .filter_map(|text| Sort::parse(text))
                .collect(),
            runs: self.runs.clone(),
            gate: self.gate.clone(),
        }
    }
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct FileMonitor {
    samples_days: Option<u32>,
    ignored_paths: Option<Vec<String>>,
    notify: Option<FileNotify>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FileNotify {
    Name(String),
    Command(Vec<String>),
}

fn secret<'de, D: Deserializer<'de>>(from: D) -> Result<Option<SecretString>, D::Error> {
    String::deserialize(from).map(|text| Some(text.into()))
}

fn english() -> String {
    "en".to_owned()
}

const fn fifty() -> u32 {
    50
}

const fn thirty() -> u64 {
    30
}

impl File {
    /// The profiles by name. `folder` is where the file is: relative paths start there.
    pub(super) fn profiles(self, folder: &Path) -> Result<BTreeMap<String, Profile>, &'static str> {
        let monitor = self.monitor();
        let named = |(name, profile): (String, FileProfile)| {
            Ok((name.clone(), profile.named(name, folder, monitor.clone())?))
        };
        self.profiles.into_iter().map(named).collect()
    }
}

impl File {
    /// `[monitor]`, with what it does not say.
    pub(super) fn monitor(&self) -> Monitor {
        let (file, default) = (&self.monitor, Monitor::default());
        Monitor {
            samples_days: file.samples_days.unwrap_or(default.samples_days),
            ignored: file
                .ignored_paths
                .as_ref()
                .map_or(default.ignored, Ignored::new),
            notify: match &file.notify {
                None => default.notify,
                Some(FileNotify::Command(words)) => Notify::Command(words.clone()),
                Some(FileNotify::Name(name)) => match name.as_str() {
                    "bell" => Notify::Bell,
                    "osc9" => Notify::Osc9,
                    _ => Notify::None,
                },
            },
        }
    }
}

impl FileProfile {
    fn watch(&self) -> Result<Watch, &'static str> {
        let default = Watch::default();
        let code = |number: &u8| ResultCode::parse(&number.to_string());
        let on = |days: &Vec<String>| schema::WEEK.map(|day| days.iter().any(|name| name == day));
        Ok(Watch {
            done: self.done_codes.as_ref().map_or(default.done, |codes| {
                codes.iter().filter_map(code).collect()
            }),
            hours: WorkingHours {
                hours: self
                    .working_hours
                    .as_deref()
                    .map_or(Ok(default.hours.hours), forms::hours)?,
                days: self.working_days.as_ref().map(on),
            },
            pace_days: self.pace_days.unwrap_or(default.pace_days),
            gate: self.gate.clone(),
            views: self.views.iter().map(FileView::view).collect(),
        })
    }

    fn named(self, name: String, folder: &Path, monitor: Monitor) -> Result<Profile, &'static str> {
        let watch = self.watch()?;
        let client_secret = self.client_secret.map(SecretSource::Inline);
        Ok(Profile {
            name,
            watch,
            monitor,
            base_url: forms::url(&self.base_url)?,
            auth_url: self.auth_url.as_deref().map(forms::url).transpose()?,
            idp_url: forms::url(&self.idp_url)?,
            realm: self.realm,
            client_id: self.client_id,
            client_secret: client_secret
                .or_else(|| outside(self.client_secret_command, self.client_secret_env)),
            username: self.username,
            password: outside(self.password_command, self.password_env),
            project_id: self.project_id,
            subproject_id: self.subproject_id,
            project_version: self.project_version,
            locale: self.locale,
            read_only: self.read_only,
            refresh_seconds: self.refresh_seconds,
            runs_source: self.runs_source,
            page_size: self.page_size,
            ca_certificate: self.ca_certificate.map(|path| resolved(path, folder)),
            request_timeout: Duration::from_secs(self.request_timeout_seconds),
            read_again: super::READ_AGAIN,
        })
    }
}

fn outside(command: Option<String>, variable: Option<String>) -> Option<SecretSource> {
    command
        .map(SecretSource::Command)
        .or_else(|| variable.map(SecretSource::Env))
}

/// `~/` is the home directory, anything else relative starts at the folder of the config file.
fn resolved(path: PathBuf, folder: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => folder.join(path),
    }
}

#[cfg(test)]
mod tests {
    use super::File;

    /// Confy makes a file that is not there; not this one, even if it goes away between the check and the read.
    #[test]
    fn a_file_that_vanishes_is_not_made_anew() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("config.toml");
        assert!(confy::load_path::<File>(&path).is_err());
        assert!(!path.exists());
    }
}
