//! Sources of secrets; the secrets themselves are read only when a sign-in needs them.

use std::env::VarError;
use std::fmt;
use std::io;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use secrecy::SecretString;
use secrecy::zeroize::Zeroizing;
use serde::Deserialize;
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::Child;
use tokio::time::timeout;

use super::error::shown;
use super::{Children, Profile};
use crate::domain::text;

/// Time limit of a command: long enough to unlock a password store by hand.
const COMMAND_TIME: Duration = Duration::from_secs(30);
/// Wait for output after a command has ended: a process that it left may hold the output open.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);
/// Bytes of output kept.
const OUTPUT_LIMIT: usize = 16 * 1024;

/// Source of one secret.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretSource {
    /// The secret is in the config file.
    Inline(SecretString),
    /// First line of the output of a command; words as in a shell, but no shell.
    Command(String),
    /// Name of an environment variable.
    Env(String),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretSource({})", self.describe())
    }
}

/// A secret of a profile.
#[derive(Clone, Copy)]
pub enum ProfileSecret {
    ClientSecret,
    Password,
}

impl ProfileSecret {
    pub fn words(self) -> &'static str {
        match self {
            Self::ClientSecret => "client secret",
            Self::Password => "password",
        }
    }

    /// Beginning of its keys in the config.
    fn key(self) -> &'static str {
        match self {
            Self::ClientSecret => "client_secret",
            Self::Password => "password",
        }
    }
}

/// The reason why a secret of a profile cannot be read, without the secret.
pub struct NoSecret {
    pub why: String,
    /// Remedy, if the reason has one of its own.
    pub remedy: Option<String>,
}

impl fmt::Display for NoSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.why)?;
        self.remedy
            .as_ref()
            .map_or(Ok(()), |remedy| write!(f, ": {remedy}"))
    }
}

impl Profile {
    /// Reads a secret of this profile from its source; an error names its key in the config.
    pub async fn read_secret(
        &self,
        which: ProfileSecret,
        from: &SecretSource,
    ) -> Result<SecretString, NoSecret> {
        let name = shown(&text::toml_key(&self.name));
        let key = |kind: &str| format!("{}_{kind} in [profiles.{name}]", which.key());
        let SecretSource::Command(line) = from else {
            let read = from.read(&self.children).await;
            return read.map_err(|why| NoSecret {
                why: format!("{why}; {} names it", key("env")),
                remedy: Some("set it where rundown is started".into()),
            });
        };
        let read = run(line, &self.children, COMMAND_TIME).await;
        read.map_err(|fault| {
            let is_own = matches!(fault, CommandFault::Failed(_)) && asks_the_keyring(line);
            let (why, remedy) = if is_own {
                let why = format!("the keyring has no such {}, or stays locked", which.words());
                let remedy = match which {
                    ProfileSecret::ClientSecret => {
                        "rundown setup asks for one and keeps it".to_owned()
                    }
                    ProfileSecret::Password => {
                        let name = shell_words::quote(&self.name);
                        format!(
                            "rundown password keep --profile {} asks for one",
                            shown(&name)
                        )
                    }
                };
                (why, Some(remedy))
            } else {
                (fault.to_string(), None)
            };
            let why = format!("{}: {why}", key("command"));
            NoSecret { why, remedy }
        })
    }
}

/// The tool of the desktop's keyring, and its words that print a secret.
pub const KEYRING_LOOKUP: &[&str] = if cfg!(target_os = "macos") {
    &["security", "find-generic-password", "-w"]
} else {
    &["secret-tool", "lookup"]
};

/// True for a command that reads what this program keeps in the keyring.
pub fn asks_the_keyring(line: &str) -> bool {
    let words = shell_words::split(line).unwrap_or_default();
    let mut words = words.iter().map(String::as_str);
    let looks_up = KEYRING_LOOKUP.iter().all(|word| words.next() == Some(word));
    // The name of the attribute or option stands before.
    let of = words.nth(1).and_then(|of| of.split(' ').next());
    looks_up && of == Some("rundown")
}

/// The reason why a command prints no secret.
#[derive(Debug, thiserror::Error)]
enum CommandFault {
    /// It ended with a failure.
    #[error("{0}")]
    Failed(String),
    #[error("{0}")]
    Other(String),
}

impl SecretSource {
    /// Reads the secret; a command has 30 seconds. An error is in words, without the secret.
    pub async fn read(&self, children: &Children) -> Result<SecretString, String> {
        match self {
            Self::Inline(secret) => Ok(secret.clone()),
            Self::Env(name) => match std::env::var(name).map(Zeroizing::new) {
                // Who sets it from a file has its line end, too.
                Ok(value) => match value.trim_end_matches(['\r', '\n']) {
                    "" => Err(format!("the secret {} is empty", self.describe())),
                    secret => Ok(secret.into()),
                },
                Err(VarError::NotPresent) => Err(format!("${name} is not set")),
                Err(VarError::NotUnicode(_)) => Err(format!("${name} is not UTF-8 text")),
            },
            Self::Command(line) => {
                let read = run(line, children, COMMAND_TIME).await;
                read.map_err(|fault| fault.to_string())
            }
        }
    }

    /// Describes the source for the user, without the arguments of a command.
    pub fn describe(&self) -> String {
        match self {
            Self::Inline(_) => "in the config file".to_owned(),
            Self::Command(line) => {
                let words = shell_words::split(line).unwrap_or_default();
                let program = shown(words.first().map_or("", String::as_str));
                let more = if words.len() > 1 { " …" } else { "" };
                format!("from command \"{program}{more}\"")
            }
            Self::Env(name) => format!("from ${}", shown(name)),
        }
    }
}

/// True for a command of which a word means something to a shell alone, though none runs.
pub fn lacks_shell(words: &[String]) -> bool {
    let is_of_shell = |word: &str| {
        ["|", ">", "&&"].contains(&word) || word.starts_with('$') || word.starts_with("~/")
    };
    !words.iter().any(|word| word == "-c") && words.iter().any(|word| is_of_shell(word))
}

async fn run(
    line: &str,
    children: &Children,
    limit: Duration,
) -> Result<SecretString, CommandFault> {
    let other = |words: String| CommandFault::Other(words);
    let words = shell_words::split(line).unwrap_or_default();
    let (program, arguments) = words.split_first().ok_or_else(|| {
        other(
            "the command is not complete; expected a program and its arguments, quotes closed"
                .into(),
        )
    })?;
    let command = shown(program);
    let not_started = |error: io::Error| other(format!("\"{command}\" does not start: {error}"));
    let mut child = children
        .command(program)
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .map_err(not_started)?;
    let mut output = Zeroizing::new(Vec::with_capacity(OUTPUT_LIMIT));
    let Ok(ended) = timeout(limit, finish(&mut child, &mut output)).await else {
        let seconds = limit.as_secs();
        let asks = if children.beside_screen {
            "; beside the screen it cannot ask: run it by hand"
        } else {
            ""
        };
        return Err(other(format!(
            "\"{command}\" gave no answer within {seconds} s{asks}"
        )));
    };
    let status = ended.map_err(not_started)?;
    if !status.success() {
        let why = if lacks_shell(&words) {
            "no shell runs, so $, ~/, |, > and && stay as they are written; sh -c '…' starts one"
        } else {
            "run it by hand to see why"
        };
        return Err(CommandFault::Failed(format!(
            "\"{command}\" failed ({status}); {why}"
        )));
    }
    let line = output
        .split(|byte| *byte == b'\n')
        .next()
        .unwrap_or_default();
    if line.len() == OUTPUT_LIMIT {
        let most = OUTPUT_LIMIT / 1024;
        return Err(other(format!(
            "\"{command}\" printed a line of more than {most} KiB, which is no secret"
        )));
    }
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok("") => Err(other(format!(
            "the secret from command \"{command}\" is empty"
        ))),
        Ok(secret) => Ok(secret.into()),
        Err(_) => Err(other(format!(
            "\"{command}\" printed something that is not UTF-8 text"
        ))),
    }
}

/// Waits for the command while its output is read, so that a full pipe does not block it.
async fn finish(child: &mut Child, output: &mut Vec<u8>) -> io::Result<ExitStatus> {
    let reading = keep(child.stdout.take(), output);
    tokio::pin!(reading);
    tokio::select! {
        read = &mut reading => {
            read?;
            child.wait().await
        }
        status = child.wait() => {
            if let Ok(read) = timeout(OUTPUT_GRACE, reading).await {
                read?;
            }
            status
        }
    }
}

/// Reads to the end and keeps the beginning. The buffer never grows, since that would leave copies of the secret.
async fn keep(from: Option<impl AsyncRead + Unpin>, into: &mut Vec<u8>) -> io::Result<()> {
    let Some(mut from) = from else { return Ok(()) };
    let mut piece = Zeroizing::new([0_u8; 1024]);
    loop {
        let n = from.read(&mut piece[..]).await?;
        if n == 0 {
            return Ok(());
        }
        let room = OUTPUT_LIMIT - into.len();
        into.extend_from_slice(&piece[..n.min(room)]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_command_without_end_is_ended() {
        let limit = Duration::from_millis(100);
        let slow = run("sleep 600", &Children::default(), limit)
            .await
            .unwrap_err();
        assert_eq!(slow.to_string(), "\"sleep\" gave no answer within 0 s");
    }
}
