//! What a profile is made of, as far as a person has said it, and the questions for it.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use secrecy::SecretString;

use super::keyring::{Entry, Of, TOOL};
use super::pasted::Pasted;
use super::prompt;
use crate::config::{Children, SecretSource, expanded, fits};
use crate::headless::EarlyExit;

/// One thing to ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    Service,
    Provider,
    Realm,
    Client,
    ClientSecret,
    User,
    Password,
    Project,
    Certificate,
}

impl Question {
    /// What every profile needs, in the order in which it is asked for.
    pub const ALL: &[Self] = &[
        Self::Service,
        Self::Provider,
        Self::Realm,
        Self::Client,
        Self::ClientSecret,
        Self::User,
        Self::Password,
        Self::Project,
    ];
}

/// Where a start finds a secret.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum From {
    /// There is no client secret; the password is typed.
    #[default]
    Nowhere,
    Keyring,
    Command(String),
    Variable(String),
}

/// A secret as it was told, and where the next start finds it.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    pub from: From,
    pub secret: Option<SecretString>,
}

impl Kept {
    /// The start that follows finds it nowhere else.
    pub fn only_here(&self) -> bool {
        match &self.from {
            From::Nowhere => self.secret.is_some(),
            From::Variable(name) => std::env::var_os(name).is_none_or(|it| it.is_empty()),
            From::Keyring | From::Command(_) => false,
        }
    }
}

/// What was said.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    pub base_url: String,
    pub idp_url: String,
    pub realm: String,
    pub client_id: String,
    pub client_secret: Kept,
    pub username: String,
    pub password: Kept,
    pub project_id: String,
    /// Empty for all.
    pub subproject_id: String,
    /// Empty for all.
    pub project_version: String,
    /// Empty for none.
    pub ca_also: String,
    /// How the commands are started that tell secrets, as later from the config file.
    pub children: Children,
}

impl Answers {
    pub fn of(pasted: Pasted, children: Children) -> Self {
        Self {
            children,
            base_url: pasted.base_url.unwrap_or_default(),
            idp_url: pasted.idp_url.unwrap_or_default(),
            realm: pasted.realm.unwrap_or_default(),
            project_id: pasted.project_id.unwrap_or_default(),
            subproject_id: pasted.subproject_id.unwrap_or_default(),
            ..Self::default()
        }
    }

    pub async fn ask(&mut self, question: Question) -> Result<(), EarlyExit> {
        let (text, words, key) = match question {
            Question::Service => (
                &mut self.base_url,
                "Address of the service's API, it ends in /api",
                "base_url",
            ),
            Question::Provider => (
                &mut self.idp_url,
                "Address of the identity provider, the part before /realms",
                "idp_url",
            ),
            Question::Realm => (&mut self.realm, "Realm there", "realm"),
            Question::Client => (&mut self.client_id, "Client id there", "client_id"),
            Question::User => (&mut self.username, "User name", "username"),
            Question::ClientSecret | Question::Password => {
                let of = if question == Question::Password {
                    Of::Password
                } else {
                    Of::ClientSecret
                };
                self.kept(of).secret = None;
                return self.ask_secret(of).await;
            }
            Question::Project => {
                let fits = |text: &str| fits("project_id", text).map_err(str::to_owned);
                let words = "Project, P_ and a number: the web application shows it";
                self.project_id = prompt::ask(words, &self.project_id, fits).await?;
                if self.subproject_id.is_empty() {
                    return Ok(());
                }
                (
                    &mut self.subproject_id,
                    "Sub project, or _ for none",
                    "subproject_id",
                )
            }
            Question::Certificate => return self.ask_certificate().await,
        };
        let fits = |text: &str| fits(key, text).map_err(str::to_owned);
        *text = prompt::ask(words, text, fits).await?;
        Ok(())
    }

    async fn ask_certificate(&mut self) -> Result<(), EarlyExit> {
        let there = |text: &str| match absolute(text) {
            Some(path) if path.is_file() => Ok(path),
            _ => Err("no such file; expected a PEM file, or Enter for none".to_owned()),
        };
        let fits = |text: &str| match text {
            "" => Ok(()),
            text => there(text).map(drop),
        };
        let words = "PEM file of an authority to trust besides those of the system";
        let text = prompt::ask(words, &self.ca_also, fits).await?;
        self.ca_also = there(&text).map_or(text, |path| path.display().to_string());
        Ok(())
    }

    fn kept(&mut self, of: Of) -> &mut Kept {
        match of {
            Of::ClientSecret => &mut self.client_secret,
            Of::Password => &mut self.password,
        }
    }

    /// The entry of a secret in the keyring.
    pub fn entry(&self, of: Of) -> Entry {
        let owner = match of {
            Of::ClientSecret => &self.client_id,
            Of::Password => &self.username,
        };
        Entry::new(of, &self.idp_url, &self.realm, owner)
    }

    /// Where a secret shall come from, and the secret, unless it was told before.
    pub async fn ask_secret(&mut self, of: Of) -> Result<(), EarlyExit> {
        let (name, entry) = (of.name(), self.entry(of));
        let children = self.children.clone();
        let kept = self.kept(of);
        let nowhere = match of {
            Of::ClientSecret => "there is none",
            Of::Password => "typed at each start",
        };
        let options = [
            nowhere.to_owned(),
            format!("the keyring of this desktop ({TOOL})"),
            "pass, or another command that prints it".to_owned(),
            "an environment variable".to_owned(),
        ];
        let words = format!("Where shall the {name} come from?");
        loop {
            let given = match kept.from {
                From::Nowhere => 0,
                From::Keyring => 1,
                From::Command(_) => 2,
                From::Variable(_) => 3,
            };
            let typed = kept.secret.clone();
            let told = match prompt::choose(&words, &options, given).await? {
                0 if of == Of::ClientSecret => (From::Nowhere, Ok(None)),
                0 => (From::Nowhere, Ok(typed)),
                1 => match entry.unusable(&children).await {
                    Some(why) => (kept.from.clone(), Err(why)),
                    None => (From::Keyring, Ok(typed)),
                },
                2 => {
                    let given = match &kept.from {
                        From::Command(line) => line.clone(),
                        _ => format!("pass show rundown/{}", of.key()),
                    };
                    let fits = |text: &str| fits("password_command", text).map_err(str::to_owned);
                    let line = prompt::ask("Command", &given, fits).await?;
                    let source = SecretSource::Command(line.clone());
                    let read = source.read(&children).await;
                    (From::Command(line), read.map(Some))
                }
                _ => {
                    let given = match &kept.from {
                        From::Variable(name) => name,
                        _ => of.variable(),
                    };
                    let fits = |text: &str| fits("password_env", text).map_err(str::to_owned);
                    let variable = prompt::ask("Variable", given, fits).await?;
                    let source = SecretSource::Env(variable.clone());
                    match source.read(&children).await {
                        Ok(secret) => (From::Variable(variable), Ok(Some(secret))),
                        Err(why) => {
                            prompt::say(&format!(
                                "  {why}: type it for now, and set it before the next start"
                            ))?;
                            (From::Variable(variable), Ok(typed))
                        }
                    }
                }
            };
            kept.from = told.0;
            match told.1 {
                Ok(secret) => kept.secret = secret,
                Err(why) => {
                    prompt::say(&format!("  {why}"))?;
                    continue;
                }
            }
            let is_there = kept.secret.is_some();
            if !is_there && (of == Of::Password || kept.from != From::Nowhere) {
                let words = match of {
                    Of::ClientSecret => "Client secret",
                    Of::Password => "Password",
                };
                kept.secret = Some(prompt::secret(words).await?);
            }
            return Ok(());
        }
    }

    /// The `name = value` lines of the profile, with a word on each.
    pub fn lines(&self) -> String {
        let mut lines = String::new();
        let mut line = |about: &str, key: &str, value: &str| {
            if !value.is_empty() {
                let value = toml::Value::String(value.to_owned());
                // Writing to a string cannot fail.
                let _ = writeln!(lines, "# {about}\n{key} = {value}");
            }
        };
        line("Address of the service's API.", "base_url", &self.base_url);
        line(
            "Identity provider, the part of its address before /realms.",
            "idp_url",
            &self.idp_url,
        );
        line("Realm there.", "realm", &self.realm);
        line("Client there.", "client_id", &self.client_id);
        let secret = |kept: &Kept, of: Of| match &kept.from {
            From::Nowhere => (String::new(), String::new()),
            From::Keyring => (format!("{}_command", of.key()), self.entry(of).command()),
            From::Command(line) => (format!("{}_command", of.key()), line.clone()),
            From::Variable(name) => (format!("{}_env", of.key()), name.clone()),
        };
        let (key, value) = secret(&self.client_secret, Of::ClientSecret);
        line("The source of its secret.", &key, &value);
        line("User name.", "username", &self.username);
        let (key, value) = secret(&self.password, Of::Password);
        line("The source of the password.", &key, &value);
        line("Project.", "project_id", &self.project_id);
        line("Sub project.", "subproject_id", &self.subproject_id);
        line(
            "Version; without it those of all are shown.",
            "project_version",
            &self.project_version,
        );
        line(
            "Authorities to trust besides those of the system.",
            "ca_also",
            &self.ca_also,
        );
        lines
    }
}

/// A path as the config file keeps it.
fn absolute(text: &str) -> Option<PathBuf> {
    std::path::absolute(expanded(Path::new(text))).ok()
}
