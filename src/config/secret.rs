//! Where secrets come from; the secrets themselves are read only when a sign-in needs them.

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

use super::Children;
use super::error::shown;

/// Time a command may take: long enough to unlock a password store by hand.
const COMMAND_TIME: Duration = Duration::from_secs(30);
/// A command may leave something behind that holds its output open; what it wrote itself is there by then.
const OUTPUT_GRACE: Duration = Duration::from_millis(500);
/// Bytes of output kept.
const OUTPUT_LIMIT: usize = 16 * 1024;

/// Where one secret comes from.
#[derive(Clone, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SecretSource {
    /// It stands in the config file.
    Inline(SecretString),
    /// First line of what a command prints; words as in a shell, but no shell.
    Command(String),
    /// An environment variable of this name.
    Env(String),
}

impl fmt::Debug for SecretSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretSource({})", self.describe())
    }
}

/// Why a secret cannot be had; none of the texts holds one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SecretError {
    /// The environment variable does not exist.
    #[error("${0} is not set")]
    NotSet(String),
    /// The environment variable is no text.
    #[error("${0} is not UTF-8 text")]
    NotText(String),
    /// There is nothing in it.
    #[error("the secret {0} is empty")]
    Empty(String),
    /// The command's quotes do not close, or it has no word.
    #[error("the command is not complete; expected a program and its arguments, quotes closed")]
    Words,
    /// The command does not start.
    #[error("{command:?} does not start: {reason}")]
    Start {
        /// Program, without its arguments.
        command: String,
        /// What the system says.
        reason: String,
    },
    /// The command ended with a failure. What it said is not kept: it may have said the secret.
    #[error("{command:?} failed ({status}); run it by hand to see why")]
    Failed {
        /// Program, without its arguments.
        command: String,
        /// How it ended.
        status: String,
    },
    /// The command took too long and was ended.
    #[error("{command:?} gave no answer within {} s", .limit.as_secs())]
    Slow {
        /// Program, without its arguments.
        command: String,
        /// Time it had.
        limit: Duration,
    },
    /// The first line is no text.
    #[error("{0:?} printed something that is not UTF-8 text")]
    Garbled(String),
}

impl SecretSource {
    /// Reads the secret; a command has 30 seconds.
    pub async fn read(&self, children: &Children) -> Result<SecretString, SecretError> {
        match self {
            Self::Inline(secret) => Ok(secret.clone()),
            Self::Env(name) => match std::env::var(name) {
                Ok(value) if value.is_empty() => Err(SecretError::Empty(self.describe())),
                Ok(value) => Ok(value.into()),
                Err(std::env::VarError::NotPresent) => Err(SecretError::NotSet(name.clone())),
                Err(std::env::VarError::NotUnicode(_)) => Err(SecretError::NotText(name.clone())),
            },
            Self::Command(line) => run(line, children, COMMAND_TIME).await,
        }
    }

    /// Where it comes from, for a person; arguments of a command are left out.
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

async fn run(
    line: &str,
    children: &Children,
    limit: Duration,
) -> Result<SecretString, SecretError> {
    let words = shell_words::split(line).map_err(|_| SecretError::Words)?;
    let (program, arguments) = words.split_first().ok_or(SecretError::Words)?;
    let command = shown(program);
    let not_started = |error: io::Error| SecretError::Start {
        command: command.clone(),
        reason: error.to_string(),
    };
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
        return Err(SecretError::Slow { command, limit });
    };
    let status = ended.map_err(not_started)?;
    if !status.success() {
        let status = status.to_string();
        return Err(SecretError::Failed { command, status });
    }
    let line = output.split(|byte| *byte == b'\n').next();
    let line = line.unwrap_or_default();
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    match std::str::from_utf8(line) {
        Ok("") => Err(SecretError::Empty(format!("from command {command:?}"))),
        Ok(secret) => Ok(secret.into()),
        Err(_) => Err(SecretError::Garbled(command)),
    }
}

/// Waits for the command while its output is read, so that it never stands still over a full pipe.
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

/// Reads to the end and keeps the beginning, without ever growing the buffer (that would leave copies of the secret).
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
        assert_eq!(
            slow,
            SecretError::Slow {
                command: "sleep".into(),
                limit
            }
        );
    }
}
