//! `rundown setup`: asks for the settings of a profile, tests them and writes them; `rundown password` keeps a password
//! in the keyring of the desktop.
//!
//! ```text
//!  pasted ──► answers ──► trial: a sign-in, a page of runs ──► file: the profile at the end of the config file
//!                ▲             │
//!                └── the question that went wrong
//! ```
//!
//! Nothing is written before the last question, and nothing is asked unless input and output are a terminal.

mod answers;
mod file;
mod keyring;
mod pasted;
mod prompt;
mod trial;

use std::path::Path;

use crate::config::{Children, ConfigChoice, ConfigError, Profile, SecretSource, load};
use crate::domain::text;
use crate::headless::{Exit, Ran, print};
use crate::ops::blocking;

use answers::{ALL, Answers, CA, CLIENT_SECRET, KEYRING, KeptSecret, PASSWORD};
use keyring::KeyringEntry;
use pasted::Pasted;
use prompt::{NOTHING, asking, first_line, run_until_signal};
use trial::{FailedTrial, Project, try_out};

/// Choice of the user who starts the program without a config file.
pub enum FirstStart {
    SetUp,
    /// Only with the built-in local service.
    LookAround,
    Leave,
}

/// Asks how to start without a config file, or without a profile in it; `None` without a terminal.
pub fn first_start(error: &ConfigError) -> Option<Ran<FirstStart>> {
    let (lacks, path) = match error {
        ConfigError::Missing { path } => ("config file", path),
        ConfigError::NoProfile { path, .. } => ("profile", path),
        _ => return None,
    };
    asking(async || {
        prompt::say(&format!("There is no {lacks} yet ({}).", path.display()))?;
        let demo = cfg!(feature = "local-service");
        let around = if demo {
            "2 look around with made-up data   "
        } else {
            ""
        };
        let question = format!("1 set up   {around}Esc ");
        let meant = |key: u8| match key {
            b'1' => Some(FirstStart::SetUp),
            b'2' if demo => Some(FirstStart::LookAround),
            // Esc, Ctrl-c, Ctrl-d.
            b'q' | 0x1b | 0x03 | 0x04 => Some(FirstStart::Leave),
            _ => None,
        };
        prompt::key(&question, meant).await
    })
}

/// A profile that was written.
pub struct WrittenProfile {
    /// File and name of the profile.
    pub choice: ConfigChoice,
    client_secret: Option<SecretSource>,
    password: Option<SecretSource>,
}

impl WrittenProfile {
    /// Returns the profile with the entered secrets that its sources do not have.
    #[must_use]
    pub fn with_secrets(self, mut profile: Profile) -> Profile {
        profile.client_secret = self.client_secret.or(profile.client_secret);
        profile.password = self.password.or(profile.password);
        profile
    }
}

/// Asks for a profile, tests it, and adds it to the config file.
pub fn run(choice: ConfigChoice) -> Ran<WrittenProfile> {
    let path = choice.path()?;
    let there = match load(&ConfigChoice {
        profile: None,
        ..choice.clone()
    }) {
        Ok(config) => ProfilesThere {
            is_default_named: config.names_default,
            // A default that can be opened is what was wanted.
            opened: config.default_profile.filter(|name| {
                let unset = &config.placeholders;
                !config.names_default || unset.iter().any(|(profile, _)| profile == name)
            }),
            names: config.profiles.into_keys().collect(),
            wanted: None,
        },
        Err(ConfigError::Missing { .. }) => ProfilesThere::default(),
        Err(ConfigError::NoProfile { default, .. }) => ProfilesThere {
            wanted: default,
            ..ProfilesThere::default()
        },
        Err(error) => return Err(error.into()),
    };
    if let Some(why) = file::takes_none(&path, there.wanted.as_deref()) {
        return Err(Exit::Usage.because(why));
    }
    let asked = asking(async || ask(&path, choice, &there).await);
    asked.unwrap_or_else(|| {
        let words = "setup asks, and needs a terminal: standard input or output is none; rundown config example prints a file to \
                     start from";
        Err(Exit::Usage.because(words))
    })
}

/// The profiles of the config file before.
#[derive(Default)]
struct ProfilesThere {
    names: Vec<String>,
    /// The one that is opened where none is named.
    opened: Option<String>,
    /// True if `default_profile` names it, else there is no other.
    is_default_named: bool,
    /// The profile that `default_profile` names where there is none.
    wanted: Option<String>,
}

async fn ask(path: &Path, choice: ConfigChoice, there: &ProfilesThere) -> Ran<WrittenProfile> {
    prompt::say(&format!(
        "A profile for {}. Enter takes what stands in [ ], Ctrl-c leaves with nothing written.\n\
         The administrator of the service knows the addresses, the realm and the client.",
        path.display()
    ))?;
    let words = "Paste what you were given (addresses of the API and of the sign-in, P_9, lines of a profile), if anything; an empty line ends it";
    let text = prompt::pasted(words).await?;
    let pasted = pasted::read(&text);
    if !pasted.secrets.is_empty() {
        prompt::say(
            "A secret in the paste was not taken: it is asked for below. What was pasted can still be read on this terminal.",
        )?;
    } else if pasted == Pasted::default() && !text.trim().is_empty() {
        prompt::say(
            "Nothing in it was certain: expected addresses that begin with https://, that of the API ending in /api, P_9, or \
             lines such as realm = \"corp\".",
        )?;
    }
    let folder = std::path::absolute(path).ok();
    let folder = folder.as_deref().and_then(Path::parent);
    let children = Children {
        folder: folder.filter(|it| it.is_dir()).map(Path::to_owned),
        ..Children::default()
    };
    let mut answers = Answers {
        texts: pasted.texts,
        children,
        ..Answers::default()
    };
    if pasted.secrets.contains(CLIENT_SECRET) {
        // There is one, and it needs a source.
        answers.kept.entry(CLIENT_SECRET).or_default().option = KEYRING;
    }
    for (key, name) in pasted.variables {
        answers.kept.insert(key, KeptSecret::in_variable(name));
    }
    let mut questions = ALL;
    let project = loop {
        for key in questions {
            answers.ask(key).await?;
        }
        prompt::say(&format!("Signing in at {} …", answers.text("idp_url")))?;
        match try_out(&answers).await {
            Ok(project) => break project,
            Err(FailedTrial { words, ask }) => {
                prompt::say(&words)?;
                if ask == [CA] {
                    // A file without certificates is not proposed: Enter means none again.
                    answers.texts.remove(CA);
                }
                questions = ask;
            }
        }
    };
    prompt::say(&project.words(&answers.place()))?;
    narrow(&mut answers, &project).await?;
    let name = name(
        there.wanted.clone().or(choice.profile).or(pasted.profile),
        &there.names,
    )
    .await?;
    let profile = format!(
        "# Made by rundown setup; rundown config example explains every key there is.\n[profiles.{name}]\n{}",
        answers.lines()
    );
    // Lines to copy are not wrapped.
    print(&format!("\n{}", text::lines(&profile)))?;
    if there.opened.is_some() && !there.is_default_named {
        prompt::say(
            "With two profiles plain rundown needs --profile, or default_profile = \"…\" at the top of the file.",
        )?;
    }
    let where_to = format!("Add this to {}?", path.display());
    if !prompt::agrees(&where_to).await? {
        return Err(Exit::Failed.because(NOTHING));
    }
    let profile = keep_secrets(&mut answers, profile).await?;
    file::add(path, &profile).map_err(|why| Exit::Failed.because(why))?;
    prompt::say("Written.")?;
    if !there.names.is_empty() {
        prompt::say(&format!("rundown --profile {name} opens it."))?;
    }
    if let Some(opened) = &there.opened {
        let (path, line) = (path.display(), |profile: &str| {
            let profile = toml::Value::String(profile.to_owned());
            text::plain(&format!("default_profile = {profile}")).into_owned()
        });
        let (words, line) = if there.is_default_named {
            let words = format!(
                "default_profile in {path} is still {opened}, which has values of the example; with this line in its place plain \
                 rundown opens this one:"
            );
            (words, line(&name))
        } else {
            let words =
                format!("Plain rundown opens {opened} again with this line at the top of {path}:");
            (words, line(opened))
        };
        prompt::say(&words)?;
        // A line to copy is not wrapped.
        print(&format!("{line}\n"))?;
    }
    Ok(WrittenProfile {
        client_secret: answers.only_here(CLIENT_SECRET),
        password: answers.only_here(PASSWORD),
        choice: ConfigChoice {
            file: choice.file,
            profile: Some(name),
        },
    })
}

/// Asks for one of several sub projects and versions.
async fn narrow(answers: &mut Answers, project: &Project) -> Ran {
    let parts = [
        ("Sub project", "subproject_id", &project.subprojects),
        ("Version", "project_version", &project.versions),
    ];
    for (words, key, values) in parts {
        if answers.text(key).is_empty() && !values.is_empty() {
            let other = project.seen.map(|_| "another");
            let values = values.iter().map(String::as_str);
            let options: Vec<_> = ["all"].into_iter().chain(values).chain(other).collect();
            let place = prompt::choose(words, &options, 0).await?;
            if other.is_some() && place + 1 == options.len() {
                answers.ask(key).await?;
            } else if place > 0 {
                answers.texts.insert(key, options[place].to_owned());
            }
        }
    }
    Ok(())
}

/// Asks for a name that no profile has.
async fn name(wanted: Option<String>, names: &[String]) -> Ran<String> {
    let is_free = |name: &String| !names.contains(name);
    let numbered = (2..).map(|number| format!("work-{number}"));
    let mut proposed = wanted
        .into_iter()
        .chain(["work".to_owned()])
        .chain(numbered);
    let given = proposed.find(is_free).unwrap_or_default();
    let fits = |name: &str| {
        let in_name = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        if name.is_empty() || !name.chars().all(in_name) {
            Err("expected letters, digits, - and _")
        } else if names.iter().any(|there| there == name) {
            Err("there is a profile of this name; expected another")
        } else {
            Ok(())
        }
    };
    prompt::ask("Name of the profile", &given, fits).await
}

/// Stores the secrets that belong in the keyring; if that fails, asks for another source.
async fn keep_secrets(answers: &mut Answers, mut profile: String) -> Ran<String> {
    for (key, name) in [(CLIENT_SECRET, "client secret"), (PASSWORD, "password")] {
        while let Some(kept) = answers.kept.get(key).filter(|it| it.option == KEYRING)
            && let Some(secret) = &kept.secret
        {
            let Err(why) = answers.entry(key).keep(secret, &answers.children).await else {
                // It stays there, also where no profile is written.
                prompt::say(&format!("The {name} is in the keyring."))?;
                break;
            };
            prompt::say(&format!("  {why}"))?;
            let before = answers.lines();
            answers.ask_secret(key).await?;
            profile = profile.replace(&before, &answers.lines());
        }
    }
    Ok(profile)
}

/// Returns the keyring entry of a profile's password.
fn entry(profile: &Profile) -> Ran<KeyringEntry> {
    let user = profile.username.as_deref().ok_or_else(|| {
        let words = format!(
            "profile {} names no username, and the keyring has a password by it: set it first",
            profile.name
        );
        Exit::Usage.because(words)
    })?;
    let idp_url = profile.idp_url.as_str();
    Ok(KeyringEntry::new("user", user, idp_url, &profile.realm))
}

/// Stores a password in the keyring: typed, or the first line of standard input.
pub fn keep_password(profile: &Profile) -> Ran {
    let entry = entry(profile)?;
    let failed = |why: String| Exit::Failed.because(why);
    let keep = async |secret| entry.keep(&secret, &profile.children).await.map_err(failed);
    let question = format!("Password of {} at {}", entry.owner, entry.realm);
    let asked = asking(async || keep(prompt::secret(&question).await?).await);
    match asked {
        Some(done) => done?,
        None => run_until_signal(async {
            let line = blocking(first_line).await.map_err(failed)?;
            let line = line
                .filter(|line| !line.is_empty())
                .ok_or_else(|| failed("no password on standard input".into()))?;
            keep(line.as_str().into()).await
        })?,
    }
    let line = entry.command();
    match &profile.password {
        Some(SecretSource::Command(found)) if *found == line => print("Kept.\n"),
        _ => {
            let value = toml::Value::String(line);
            print(&format!(
                "Kept. So that it is read, set in profile {}:\npassword_command = {value}\n",
                profile.name
            ))
        }
    }
}

/// Removes the password from the keyring.
pub fn forget_password(profile: &Profile) -> Ran {
    let entry = entry(profile)?;
    match run_until_signal(async { Ok(entry.forget(&profile.children).await) })? {
        Ok(()) => print("Forgotten.\n"),
        Err(why) if why.is_empty() => print("The keyring has none.\n"),
        Err(why) => Err(Exit::Failed.because(why)),
    }
}
