//! Finds and reads the config file.

use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use secrecy::zeroize::Zeroizing;
use toml::de::DeTable;

use super::error::{Problem, shown, shown_path};
use super::line_ends::LineEnds;
use super::secret::lacks_shell;
use super::settings::{PROFILE, ROOT, Setting, ValueType};
use super::{Children, Config, ConfigChoice, ConfigError, SecretSource, check, complete};
use crate::domain::{Notify, text};

/// Size limit of the file; a larger one is a mistake.
const SIZE_LIMIT: u64 = 1024 * 1024;

/// Default path of the config file: `rundown/config.toml` in the platform's config directory.
pub fn default_path() -> Result<PathBuf, ConfigError> {
    confy::get_configuration_file_path("rundown", "config").map_err(|error| ConfigError::NoPlace {
        reason: error.to_string(),
    })
}

impl ConfigChoice {
    /// Path of the chosen file, even if it does not exist.
    pub fn path(&self) -> Result<PathBuf, ConfigError> {
        self.file.clone().map_or_else(default_path, Ok)
    }
}

/// Reads the chosen config file and checks it. Nothing is written or sent, and no secret is fetched.
pub fn load(choice: &ConfigChoice) -> Result<Config, ConfigError> {
    let path = choice.path()?;
    let (text, metadata) = read(&path)?;
    writable_by_all(&path, &metadata)?;
    let (root, errors) = DeTable::parse_recoverable(&text);
    let problems = check::problems(&path, &text, root.get_ref(), &errors);
    if !problems.is_empty() {
        return Err(ConfigError::Problems(problems));
    }
    let profiles = root.get_ref().get("profiles");
    let profiles = profiles.and_then(|it| it.get_ref().as_table());
    if profiles.is_none_or(DeTable::is_empty) {
        let default = root.get_ref().get("default_profile");
        let default = default.and_then(|it| it.get_ref().as_str().map(str::to_owned));
        return Err(ConfigError::NoProfile { path, default });
    }
    let unused = unused(&path, root.get_ref());
    let placeholders = check::placeholders(&path, &text, root.get_ref());
    // The message of the parser may quote a secret.
    let mut config: Config = complete::read(ROOT, root.into_inner()).map_err(|_| {
        unreadable(
            &path,
            "is right, and cannot be read all the same; expected no such fault in rundown, please report it",
        )
    })?;
    let absolute =
        std::path::absolute(&path).map_err(|error| unreadable(&path, &error.to_string()))?;
    let children = Children {
        folder: absolute.parent().map(Path::to_owned),
        without: secret_variables(&config),
        beside_screen: false,
    };
    let changed = metadata
        .modified()
        .ok()
        .and_then(|time| Some(Timestamp::try_from(time).ok()?.as_millisecond()));
    for (name, profile) in &mut config.profiles {
        profile.children.clone_from(&children);
        profile.changed = changed;
        profile.name.clone_from(name);
        profile.monitor.clone_from(&config.monitor);
        let authorities = [&mut profile.ca_certificate, &mut profile.ca_also];
        for file in authorities.into_iter().flatten() {
            if let Some(folder) = absolute.parent() {
                *file = folder.join(expanded(file));
            }
        }
    }
    let known: Vec<&str> = config.profiles.keys().map(String::as_str).collect();
    let only = known.first().filter(|_| known.len() == 1);
    config.names_default = config.default_profile.is_some();
    let wanted = choice.profile.clone().or(config.default_profile);
    config.default_profile = wanted.or_else(|| only.map(ToString::to_string));
    if let Some(wanted) = config
        .default_profile
        .as_deref()
        .filter(|wanted| !known.contains(wanted))
    {
        let place = format!("in {}", shown_path(&path));
        return Err(ConfigError::Option {
            option: "--profile (or $RUNDOWN_PROFILE)",
            reason: check::no_such("profile", &place, wanted, &known),
        });
    }
    config.path = path;
    config.line_ends = LineEnds::of(&text);
    config.placeholders = placeholders;
    config.exposed.extend(readable(&config, &metadata));
    config.warnings.clone_from(&config.exposed);
    config.warnings.extend(unused);
    config.warnings.extend(for_a_shell(&config));
    if let Some((found, mend)) = writable_by_some(&config.path, &metadata) {
        if names_a_program(&config) {
            return Err(ConfigError::Exposed {
                path: config.path,
                reason: format!(
                    "{found}, who could have rundown start programs as you, as it names some to run; {mend}"
                ),
            });
        }
        let path = shown_path(&config.path);
        let words = format!("{path} {found}; {mend}");
        config.exposed.push(words.clone());
        config.warnings.push(words);
    }
    Ok(config)
}

/// Checks a text that is to become the config file at this path.
pub fn is_right(path: &Path, text: &str) -> Result<(), ConfigError> {
    let (root, errors) = DeTable::parse_recoverable(text);
    match check::problems(path, text, root.get_ref(), &errors) {
        problems if problems.is_empty() => Ok(()),
        problems => Err(ConfigError::Problems(problems)),
    }
}

fn secrets(config: &Config) -> impl Iterator<Item = &SecretSource> {
    let profiles = config.profiles.values();
    profiles.flat_map(|profile| profile.client_secret.iter().chain(&profile.password))
}

fn secret_variables(config: &Config) -> Vec<String> {
    let name = |source: &SecretSource| match source {
        SecretSource::Env(name) => Some(name.clone()),
        _ => None,
    };
    secrets(config).filter_map(name).collect()
}

fn names_a_program(config: &Config) -> bool {
    secrets(config).any(|source| matches!(source, SecretSource::Command(_)))
        || matches!(config.monitor.notify, Notify::Command(_))
}

/// Returns the path with the home directory in the place of `~`.
pub fn expanded(path: &Path) -> PathBuf {
    match (path.strip_prefix("~"), std::env::home_dir()) {
        (Ok(rest), Some(home)) => home.join(rest),
        _ => path.to_owned(),
    }
}

fn unreadable(path: &Path, reason: &str) -> ConfigError {
    ConfigError::Unreadable {
        path: path.to_owned(),
        reason: reason.to_owned(),
    }
}

/// Returns the text and the metadata of the file.
fn read(path: &Path) -> Result<(Zeroizing<String>, Metadata), ConfigError> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => ConfigError::Missing {
            path: path.to_owned(),
        },
        ErrorKind::PermissionDenied => {
            let owner = path.metadata().ok().map(|it| it.uid());
            unreadable(path, &not_readable(owner, own_uid()))
        }
        _ => unreadable(
            path,
            &format!("cannot be read: {error}; expected a TOML file"),
        ),
    };
    let file = File::open(path).map_err(failed)?;
    let metadata = file.metadata().map_err(failed)?;
    if metadata.is_dir() {
        return Err(unreadable(path, "is a directory; expected a TOML file"));
    }
    let mut bytes = Zeroizing::new(Vec::with_capacity(
        metadata.len().min(SIZE_LIMIT) as usize + 1,
    ));
    file.take(SIZE_LIMIT + 1)
        .read_to_end(&mut bytes)
        .map_err(failed)?;
    if bytes.len() as u64 > SIZE_LIMIT {
        return Err(unreadable(
            path,
            "is larger than 1 MiB; expected a TOML file",
        ));
    }
    match std::str::from_utf8(&bytes) {
        Ok(text) => Ok((Zeroizing::new(text.to_owned()), metadata)),
        Err(error) => {
            let before = bytes[..error.valid_up_to()].split(|byte| *byte == b'\n');
            Err(ConfigError::Problems(vec![Problem {
                path: path.to_owned(),
                line: before.count(),
                text: "not UTF-8 text; expected a TOML file in UTF-8".to_owned(),
            }]))
        }
    }
}

/// Describes a file that may not be read by this user; the owner is known unless its folder is closed, too.
fn not_readable(owner: Option<u32>, user: u32) -> String {
    match owner.filter(|owner| *owner != user) {
        Some(owner) => {
            let belongs = format!("belongs to user {owner}, not to user {user}");
            format!(
                "may not be read: it {belongs}; expected a file of your own: ask for a copy, or name another with --config"
            )
        }
        None => "may not be read; expected a file you can read: chmod u+r on it".to_owned(),
    }
}

/// Id of this user, as files have it.
fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Warns if the file holds a secret that other users can read.
fn readable(config: &Config, metadata: &Metadata) -> Option<String> {
    let inline = config
        .profiles
        .values()
        .any(|profile| matches!(profile.client_secret, Some(SecretSource::Inline(_))));
    // Group or others may read it.
    let mode = mode(metadata).filter(|mode| inline && mode & 0o044 != 0)?;
    let path = shown_path(&config.path);
    Some(format!(
        "{path} holds a client_secret and others can read it (mode {mode:04o}); {}",
        chmod("600", &config.path)
    ))
}

/// Warns about keys of profiles that only earlier versions read.
fn unused(path: &Path, root: &DeTable<'_>) -> Vec<String> {
    let gone = PROFILE
        .iter()
        .filter(|key| matches!(key.kind, ValueType::Gone));
    let profiles = root.get("profiles").and_then(|it| it.get_ref().as_table());
    let is_there = |key: &&Setting| {
        let mut profiles = profiles.into_iter().flat_map(|all| all.values());
        profiles.any(|profile| profile.get_ref().get(key.name).is_some())
    };
    let (path, found) = (shown_path(path), gone.filter(is_there));
    found
        .map(|key| format!("{path}: {} is not used any more; the line can go", key.name))
        .collect()
}

/// Warns about commands with words that mean something to a shell alone.
fn for_a_shell(config: &Config) -> Vec<String> {
    let (path, mut found) = (shown_path(&config.path), Vec::new());
    for (name, profile) in &config.profiles {
        let sources = [
            ("client_secret_command", &profile.client_secret),
            ("password_command", &profile.password),
        ];
        for (key, source) in sources {
            if let Some(SecretSource::Command(line)) = source
                && shell_words::split(line).is_ok_and(|words| lacks_shell(&words))
            {
                let name = text::toml_key(name);
                found.push(format!(
                    "{path}: {key} in [profiles.{}] has a word that begins with $ or ~/ or is |, > or &&: no shell runs, so it \
                     stays as it is written; sh -c '…' starts one",
                    shown(&name)
                ));
            }
        }
    }
    found
}

/// Returns the folder of the file, or of a link to it, if all users may rename and remove files of others there.
fn folder_of_all(path: &Path) -> Option<PathBuf> {
    let named = std::path::absolute(path).ok();
    let meant = path.canonicalize().ok();
    let mut folders = [named, meant]
        .into_iter()
        .flatten()
        .filter_map(|path| path.parent().map(Path::to_owned));
    folders.find(|folder| {
        folder
            .metadata()
            .is_ok_and(|folder| folder.permissions().mode() & 0o1002 == 0o002)
    })
}

/// Refuses a file that all users can write or replace: they could change where the password is sent.
fn writable_by_all(path: &Path, metadata: &Metadata) -> Result<(), ConfigError> {
    let Some(mode) = mode(metadata) else {
        return Ok(());
    };
    let (found, mend) = match folder_of_all(path) {
        Some(folder) => ("replaced by everybody on this machine".into(), folder),
        None if mode & 0o002 == 0 => return Ok(()),
        None => {
            let found = format!("written by everybody on this machine (mode {mode:04o})");
            (found, path.to_owned())
        }
    };
    let reason = format!(
        "can be {found}, who could have your password sent elsewhere; see that it says what you wrote, then {}",
        chmod("go-w", &mend)
    );
    let path = path.to_owned();
    Err(ConfigError::Exposed { path, reason })
}

/// Returns who else may write to the file, and the remedy.
fn writable_by_some(path: &Path, metadata: &Metadata) -> Option<(String, String)> {
    other_writers(path, metadata.uid(), own_uid(), mode(metadata)?)
}

fn other_writers(path: &Path, owner: u32, user: u32, mode: u32) -> Option<(String, String)> {
    if ![0, user].contains(&owner) {
        Some((
            format!("belongs to user {owner}, not to user {user} or root"),
            "make a copy of your own".to_owned(),
        ))
    } else if mode & 0o020 != 0 {
        Some((
            format!("can be written by its group (mode {mode:04o})"),
            chmod("g-w", path),
        ))
    } else {
        None
    }
}

fn chmod(change: &str, path: &Path) -> String {
    let path = shell_words::quote(&path.to_string_lossy()).into_owned();
    format!("chmod {change} {}", shown(&path))
}

/// Permission bits of a file, `None` for anything else.
fn mode(metadata: &Metadata) -> Option<u32> {
    let mode = metadata.permissions().mode() & 0o777;
    metadata.is_file().then_some(mode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_an_unreadable_file_it_is_told_whose_it_is() {
        assert!(not_readable(Some(1_000), 1_000).contains("chmod u+r on it"));
        assert!(not_readable(None, 1_000).contains("chmod u+r on it"));
        let of_root = not_readable(Some(0), 1_000);
        assert!(of_root.contains("belongs to user 0, not to user 1000"));
        assert!(!of_root.contains("chmod"));
    }

    #[test]
    fn a_file_is_ones_own_or_roots_and_no_group_writes_it() {
        let writers = |owner, mode| other_writers("/c.toml".as_ref(), owner, 1_000, mode);
        assert_eq!(writers(1_000, 0o644), None);
        assert_eq!(writers(0, 0o644), None);
        assert!(
            writers(1_001, 0o600)
                .unwrap()
                .0
                .contains("belongs to user 1001")
        );
        assert_eq!(writers(0, 0o664).unwrap().1, "chmod g-w /c.toml");
    }
}
