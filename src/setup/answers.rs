//! The answers that make a profile, and the questions for them, each by its key of the config file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use secrecy::SecretString;
use url::Url;
use url::form_urlencoded::parse;

use super::keyring::{KeyringEntry, TOOL};
use super::prompt;
use crate::config::{Children, SecretSource, expanded, fits};
use crate::headless::Ran;

/// Keys in the order of the file, each with its question and its comment in the file.
const KEYS: [(&str, &str, &str); 11] = [
    (
        "base_url",
        "Address of the service's API, it ends in /api",
        "Address of the service's API.",
    ),
    (
        "idp_url",
        "Address of the identity provider, the part before /realms",
        "Identity provider, the part of its address before /realms.",
    ),
    ("realm", "Realm there", "Realm there."),
    ("client_id", "Client id there", "Client there."),
    (CLIENT_SECRET, "Client secret", "The source of its secret."),
    ("username", "User name", "User name."),
    (PASSWORD, "Password", "The source of the password."),
    (
        "project_id",
        "Project, P_ and a number as the web application shows it",
        "Project.",
    ),
    (
        "subproject_id",
        "Sub project, or _ for none",
        "Sub project.",
    ),
    (
        "project_version",
        "Version",
        "Version; without it those of all are shown.",
    ),
    (
        CA,
        "PEM file of an authority to trust besides those of the system",
        "Authorities to trust besides those of the system.",
    ),
];

pub const CLIENT_SECRET: &str = "client_secret";
pub const PASSWORD: &str = "password";
pub const CA: &str = "ca_also";

/// Keys that every profile needs, in the order of the questions.
pub const ALL: &[&str] = &[
    "base_url",
    "idp_url",
    "realm",
    "client_id",
    CLIENT_SECRET,
    "username",
    PASSWORD,
    "project_id",
];

/// An entered secret, and the source in which the next start finds it: the number of an option.
#[derive(Clone, Default)]
pub struct KeptSecret {
    pub option: usize,
    /// The command or the variable.
    named: String,
    pub secret: Option<SecretString>,
}

impl KeptSecret {
    /// A secret that is expected in this environment variable.
    pub fn in_variable(named: String) -> Self {
        Self {
            option: VARIABLE,
            named,
            secret: None,
        }
    }
}

/// No source: the client secret does not exist, or the password is typed.
const NOWHERE: usize = 0;
pub const KEYRING: usize = 1;
const COMMAND: usize = 2;
const VARIABLE: usize = 3;

/// The answers so far.
#[derive(Default)]
pub struct Answers {
    pub texts: BTreeMap<&'static str, String>,
    pub kept: BTreeMap<&'static str, KeptSecret>,
    /// Starts the commands that print secrets, as later the config file does.
    pub children: Children,
}

impl Answers {
    /// The text of a key; empty without an answer.
    pub fn text(&self, key: &str) -> &str {
        self.texts.get(key).map_or("", String::as_str)
    }

    /// Project, and sub project if one was given.
    pub fn place(&self) -> String {
        let places = ["project_id", "subproject_id"].map(|key| self.text(key));
        places.join("/").trim_end_matches('/').to_owned()
    }

    pub async fn ask(&mut self, key: &'static str) -> Ran {
        if [CLIENT_SECRET, PASSWORD].contains(&key) {
            self.kept.entry(key).or_default().secret = None;
            return self.ask_secret(key).await;
        }
        let is_file = |text: &str| {
            let is_none = text.is_empty() || absolute(text).is_some_and(|path| path.is_file());
            let words = "no such file; expected a PEM file, or Enter for none";
            is_none.then_some(()).ok_or(words)
        };
        let provider = |text: &str| match key {
            "idp_url" => provider(&Url::parse(text).ok()?),
            _ => None,
        };
        let fits = |text: &str| match key {
            CA => is_file(text),
            key => match provider(text) {
                Some((idp_url, realm)) if realm.is_empty() => fits(key, &idp_url),
                Some((idp_url, realm)) => fits(key, &idp_url).and(fits("realm", &realm)),
                None if key == "base_url" => fits(key, service(text)),
                None => fits(key, text),
            },
        };
        let mut text = prompt::ask(asked(key), self.text(key), fits).await?;
        if key == "base_url" {
            text = service(&text).to_owned();
        }
        if let Some((idp_url, realm)) = provider(&text) {
            text = idp_url;
            if !realm.is_empty() {
                self.texts.insert("realm", realm);
            }
        }
        if key == CA
            && let Some(path) = absolute(&text).filter(|_| !text.is_empty())
        {
            text = path.display().to_string();
        }
        self.texts.insert(key, text);
        if key == "project_id" && !self.text("subproject_id").is_empty() {
            return Box::pin(self.ask("subproject_id")).await;
        }
        Ok(())
    }

    /// Returns the entry of a secret in the keyring.
    pub fn entry(&self, key: &str) -> KeyringEntry {
        let (kind, owner) = match key {
            PASSWORD => ("user", "username"),
            _ => ("client", "client_id"),
        };
        let owner = self.text(owner);
        KeyringEntry::new(kind, owner, self.text("idp_url"), self.text("realm"))
    }

    /// Asks for the source of a secret, and for the secret if the source does not have it.
    pub async fn ask_secret(&mut self, key: &'static str) -> Ran {
        let (name, none) = match key {
            PASSWORD => ("password", "typed at each start"),
            _ => ("client secret", "there is none"),
        };
        let keyring = format!("the keyring of this desktop ({TOOL})");
        let command = "pass, or another command that prints it";
        let options = [none, &keyring, command, "an environment variable"];
        let words = format!("Where shall the {name} come from?");
        let mut kept = self.kept.get(key).cloned().unwrap_or_default();
        loop {
            let before = kept.option;
            kept.option = prompt::choose(&words, &options, before).await?;
            let (words, key_of, proposed) = match kept.option {
                COMMAND => (
                    "Command",
                    "password_command",
                    format!("pass show rundown/{key}"),
                ),
                VARIABLE => (
                    "Variable",
                    match key {
                        PASSWORD => "password_env",
                        _ => "client_secret_env",
                    },
                    format!("RUNDOWN_{}", key.to_uppercase()),
                ),
                _ => ("", "", String::new()),
            };
            let mut trouble = None;
            if kept.option == KEYRING {
                trouble = self.entry(key).unusable(&self.children).await;
                if trouble.is_some() {
                    kept.option = match before {
                        // Enter leads on; there is a secret.
                        KEYRING if key == CLIENT_SECRET => VARIABLE,
                        KEYRING => NOWHERE,
                        before => before,
                    };
                }
            } else if kept.option != NOWHERE {
                let given = if kept.option == before && !kept.named.is_empty() {
                    &kept.named
                } else {
                    &proposed
                };
                let fits = |text: &str| fits(key_of, text);
                let source;
                (kept.named, source) = match kept.option {
                    COMMAND => {
                        let line = prompt::ask_as(words, given, |text| text, fits).await?;
                        (line.clone(), SecretSource::Command(line))
                    }
                    _ => {
                        let name = prompt::ask(words, given, fits).await?;
                        (name.clone(), SecretSource::Env(name))
                    }
                };
                match source.read(&self.children).await {
                    Ok(secret) => kept.secret = Some(secret),
                    Err(why) if kept.option == VARIABLE => prompt::say(&format!(
                        "  {why}: type it for now, and set it before the next start"
                    ))?,
                    Err(why) => trouble = Some(why),
                }
            }
            if let Some(why) = trouble {
                prompt::say(&format!("  {why}"))?;
                continue;
            }
            if kept.option == NOWHERE && key == CLIENT_SECRET {
                kept.secret = None;
            } else if kept.secret.is_none() {
                kept.secret = Some(prompt::secret(asked(key)).await?);
            }
            self.kept.insert(key, kept);
            return Ok(());
        }
    }

    /// Returns a secret that the next start cannot find elsewhere.
    pub fn only_here(&self, key: &str) -> Option<SecretSource> {
        let kept = self.kept.get(key)?;
        let is_set = || std::env::var_os(&kept.named).is_some_and(|it| !it.is_empty());
        let only_here = match kept.option {
            NOWHERE => true,
            VARIABLE => !is_set(),
            _ => false,
        };
        let secret = kept.secret.clone().filter(|_| only_here);
        secret.map(SecretSource::Inline)
    }

    /// Returns the `name = value` lines of the profile, each with a comment.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        for (key, _, about) in KEYS {
            let (key, text) = match self.kept.get(key) {
                None => (key.to_owned(), self.text(key).to_owned()),
                Some(kept) => match kept.option {
                    NOWHERE => continue,
                    KEYRING => (format!("{key}_command"), self.entry(key).command()),
                    COMMAND => (format!("{key}_command"), kept.named.clone()),
                    _ => (format!("{key}_env"), kept.named.clone()),
                },
            };
            if !text.is_empty() {
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "# {about}\n{key} = {}", toml::Value::String(text));
            }
        }
        lines
    }
}

fn asked(key: &str) -> &'static str {
    let row = KEYS.iter().find(|row| row.0 == key);
    row.map_or("", |row| row.1)
}

/// Returns the address of the API, or its path, without that of its operations and what stands behind it.
pub fn service(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let address = path.trim_end_matches('/');
    address.strip_suffix("/v2/rpc").unwrap_or(address)
}

/// Returns identity provider and realm of an address such as `https://login.corp/realms/NAME/…`; the realm may be empty.
pub fn provider(url: &Url) -> Option<(String, String)> {
    let path = url.path();
    let without = || Some((path.strip_suffix("/realms")?, ""));
    let (before, realm) = path.split_once("/realms/").or_else(without)?;
    let before = before.strip_suffix("/admin").unwrap_or(before);
    let realm = realm
        .split('/')
        .next()
        .unwrap_or_default()
        .replace('+', "%2B");
    let realm = parse(realm.as_bytes()).next().unwrap_or_default().0;
    let idp_url = format!("{}{before}", url.origin().ascii_serialization());
    Some((idp_url, realm.into_owned()))
}

/// Returns a path in the form of the config file.
fn absolute(text: &str) -> Option<PathBuf> {
    std::path::absolute(expanded(Path::new(text))).ok()
}
