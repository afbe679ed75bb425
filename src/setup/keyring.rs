//! The keyring of the desktop, through its own tool: `secret-tool`, on macOS `security`, which gets secrets on standard
//! input.

use std::fmt::Write as _;
use std::io::ErrorKind;
use std::process::Stdio;
use std::time::Duration;

use secrecy::zeroize::Zeroizing;
use secrecy::{ExposeSecret, SecretString};
use tokio::io::AsyncWriteExt;
use tokio::time::timeout;
use url::Url;

use crate::config::{Children, KEYRING_LOOKUP, SecretSource};
use crate::domain::excerpt;

const MACOS: bool = cfg!(target_os = "macos");

/// Name of the tool.
pub const TOOL: &str = KEYRING_LOOKUP[0];

/// Time limit of the tool: long enough to unlock a keyring by hand.
const PATIENCE: Duration = Duration::from_mins(2);

/// A secret in the keyring, of a user or a client of a realm.
pub struct KeyringEntry {
    /// `user` or `client`.
    kind: &'static str,
    /// `{idp_url}/realms/{realm}`.
    pub realm: String,
    /// User name or client id.
    pub owner: String,
}

impl KeyringEntry {
    pub fn new(kind: &'static str, owner: &str, idp_url: &str, realm: &str) -> Self {
        // Every spelling of the address means the same realm.
        let url = Url::parse(idp_url).map_or_else(|_| idp_url.to_owned(), String::from);
        Self {
            kind,
            realm: format!("{}/realms/{realm}", url.trim_end_matches('/')),
            owner: owner.to_owned(),
        }
    }

    /// Returns the arguments of the tool for this secret; `does` is the action.
    fn words(&self, does: &[&str]) -> Vec<String> {
        let kind = self.kind;
        let found = if MACOS {
            let (service, account) = (format!("rundown {}", self.realm), &self.owner);
            [
                "-s".into(),
                service,
                "-a".into(),
                format!("{kind} {account}"),
            ]
            .to_vec()
        } else {
            let pairs = [
                ("application", "rundown"),
                ("realm", &self.realm),
                (kind, &self.owner),
            ];
            pairs
                .into_iter()
                .flat_map(|(name, value)| [name.to_owned(), value.to_owned()])
                .collect()
        };
        let does = does.iter().map(ToString::to_string);
        does.chain(found).collect()
    }

    /// Returns the command that prints the secret, for the config file.
    pub fn command(&self) -> String {
        let words = self.words(&KEYRING_LOOKUP[1..]);
        shell_words::join(std::iter::once(TOOL.to_owned()).chain(words))
    }

    /// Stores the secret, and reads it back as a check.
    pub async fn keep(&self, secret: &SecretString, children: &Children) -> Result<(), String> {
        let exposed = secret.expose_secret();
        if MACOS {
            let mut line = Zeroizing::new(String::with_capacity(4 * exposed.len() + 1024));
            let words = self.words(&["add-generic-password", "-U"]);
            let _ = write!(line, "{} -X ", shell_words::join(words));
            for byte in exposed.bytes() {
                let _ = write!(line, "{byte:02x}");
            }
            line.push('\n');
            run(children, &["-i".to_owned()], line.as_bytes()).await?;
        } else {
            let label = format!("--label=rundown: {} {}", self.kind, self.owner);
            let words = self.words(&["store", &label]);
            let stored = run(children, &words, exposed.as_bytes()).await;
            let locked = || format!("{TOOL} kept nothing: the keyring stayed locked");
            stored.map_err(|why| if why.is_empty() { locked() } else { why })?;
        }
        let kept = SecretSource::Command(self.command()).read(children).await?;
        if kept.expose_secret() == exposed {
            Ok(())
        } else {
            Err(format!(
                "{TOOL} gives back another secret than it was given"
            ))
        }
    }

    /// Removes the secret; the error is empty if there is none.
    pub async fn forget(&self, children: &Children) -> Result<(), String> {
        let does = if MACOS {
            "delete-generic-password"
        } else {
            "clear"
        };
        let forgotten = run(children, &self.words(&[does]), &[]).await;
        // In a locked keyring nothing is found to be removed, but what it has is listed.
        let is_locked = !MACOS
            && forgotten.as_ref().is_err_and(String::is_empty)
            && lists_any(children, &self.words(&["search", "--all"])).await?;
        if is_locked {
            return Err(format!(
                "{TOOL} removed nothing: the keyring is locked, unlock it and try again"
            ));
        }
        forgotten
    }

    /// Returns the reason why the keyring cannot be used: the tool is missing, or no keyring answers it.
    pub async fn unusable(&self, children: &Children) -> Option<String> {
        let does = if MACOS {
            "find-generic-password"
        } else {
            "lookup"
        };
        match run(children, &self.words(&[does]), &[]).await {
            Err(why) if !why.is_empty() && !MACOS || why.contains(PACKAGES) => Some(why),
            _ => None,
        }
    }
}

const PACKAGES: &str = "libsecret-tools on Debian and Ubuntu, libsecret on Fedora and Arch";

/// Runs the tool; an error has the words of the tool, which are empty if it found nothing.
async fn run(children: &Children, words: &[String], input: &[u8]) -> Result<(), String> {
    output(children, words, input, Stdio::null())
        .await
        .map(drop)
}

/// Runs the tool; returns true if it listed anything.
async fn lists_any(children: &Children, words: &[String]) -> Result<bool, String> {
    let printed = output(children, words, &[], Stdio::piped()).await?;
    Ok(!printed.is_empty())
}

/// Runs the tool; returns what it wrote to `stdout`, which may be a secret.
async fn output(
    children: &Children,
    words: &[String],
    input: &[u8],
    stdout: Stdio,
) -> Result<Zeroizing<Vec<u8>>, String> {
    let failed = |error: std::io::Error| match error.kind() {
        ErrorKind::NotFound => format!("{TOOL} is not installed; its package is {PACKAGES}"),
        _ => format!("{TOOL} does not start: {error}"),
    };
    let mut child = children
        .command(TOOL)
        .args(words)
        .stdin(Stdio::piped())
        .stdout(stdout)
        .stderr(Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .map_err(failed)?;
    if let Some(mut to) = child.stdin.take() {
        // A tool that has ended already reports the reason itself.
        let _ = to.write_all(input).await;
    }
    let Ok(ended) = timeout(PATIENCE, child.wait_with_output()).await else {
        return Err(format!(
            "{TOOL} gave no answer within {} s",
            PATIENCE.as_secs()
        ));
    };
    let ended = ended.map_err(failed)?;
    let printed = Zeroizing::new(ended.stdout);
    let said = String::from_utf8_lossy(&ended.stderr);
    let said = said.trim();
    if ended.status.success() {
        Ok(printed)
    } else if said.is_empty() {
        Err(String::new())
    } else {
        Err(format!(
            "{}; a keyring has to run in this session and be unlocked: gnome-keyring, KWallet or KeePassXC",
            excerpt(said, 300)
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::asks_the_keyring;

    #[test]
    fn the_command_of_the_config_file_names_whose_secret_it_is() {
        let entry = KeyringEntry::new("user", "ada", "https://I.corp/", "a b");
        let words = shell_words::split(&entry.command()).unwrap();
        if !MACOS {
            let expected = "secret-tool lookup application rundown realm";
            assert_eq!(words[..5].join(" "), expected);
            assert_eq!(words[5..], ["https://i.corp/realms/a b", "user", "ada"]);
        }
        let client = KeyringEntry::new("client", "ada", "https://i.corp", "a b");
        assert_ne!(entry.command(), client.command());
        for entry in [entry, client] {
            assert!(asks_the_keyring(&entry.command()));
        }
        assert!(!asks_the_keyring("secret-tool lookup application other"));
    }
}
