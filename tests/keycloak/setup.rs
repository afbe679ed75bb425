//! `rundown setup` with a keyring of a private session, from a wrong password to the list and to a start that asks nothing.

use std::io::Write;

use portable_pty::CommandBuilder;

use super::desk::Desk;
use super::person::Person;
use super::pty::Pty;
use super::support::{PASSWORD, SECRET};
use crate::support::prelude::*;

/// What a private session with a keyring needs.
const TOOLS: [&str; 3] = ["dbus-run-session", "gnome-keyring-daemon", "secret-tool"];

/// Setup, and then what a pipeline would do, with and without what is kept.
const SESSION: &str = "printf keyring | gnome-keyring-daemon --unlock --components=secrets >keyring.log 2>&1\n\
    \"$0\" setup || exit 1\n\"$0\" runs list && \"$0\" password forget && \"$0\" password forget && \"$0\" runs list\necho \"status $?\"";

fn missing() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let there = |tool: &&str| std::env::split_paths(&path).any(|folder| folder.join(tool).exists());
    TOOLS.into_iter().filter(|tool| !there(tool)).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn setup_with_a_keyring_of_a_private_session() {
    let missing = missing();
    if !missing.is_empty() {
        let words = format!("no {}: no keyring is tried\n", missing.join(", "));
        // Not through what the test harness keeps for itself.
        return std::io::stderr().write_all(words.as_bytes()).unwrap();
    }
    let Some(desk) = Desk::at_new("setup", |_| {}).await else {
        return;
    };
    let home = new_folder();
    let mut command = CommandBuilder::new("dbus-run-session");
    command.args(["--", "sh", "-c", SESSION, env!("CARGO_BIN_EXE_rundown")]);
    command.env_clear();
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.env("HOME", home.path());
    command.env("XDG_RUNTIME_DIR", home.path());
    command.env("TERM", "xterm-256color");
    command.env("COLORFGBG", "15;0");
    command.cwd(home.path());
    let (base, provider) = (desk.service.base.clone(), desk.realm.base.clone());
    let realm = desk.realm.name.clone();
    let asked = tokio::task::spawn_blocking(move || {
        let mut person = Person::new(Pty::start(command, 120, 60));
        let pasted = format!("{base}/api {provider}/realms/{realm}/account P_9\n");
        person.answers("Paste what you were given", &pasted);
        person.answers("Address of the service's API", "");
        person.answers("Address of the identity provider", "");
        person.answers("Realm there", "");
        person.answers("Client id there", "rundown");
        person.answers("Which [1]", "2");
        person.answers("Client secret (not shown)", SECRET);
        person.answers("User name", "ada");
        person.answers("Which [1]", "2");
        person.answers("Password (not shown)", "canary-wrong");
        person.answers("Project", "");
        person.told("Username and password do not fit");
        person.answers("User name [ada]", "");
        person.answers("Which [2]", "");
        person.answers("Password (not shown)", PASSWORD);
        person.told("1 run in P_9");
        person.answers("Name of the profile [work]", "");
        person.answers("Add this to ", "");
        person.told("Written.");
        person.pty.rows();
        person.pty.press("q");
        // The list without a screen, then nothing is kept any more, twice, and nobody is asked.
        person.pty.ended();
        let text = person.pty.text();
        (text, person.seen)
    });
    let (text, seen) = asked.await.unwrap();
    for words in ["R_4", "Forgotten.", "The keyring has none.", "status 3"] {
        says(&text, words);
    }
    says(&text, "the keyring has no such password, or stays locked");
    let config = home.path().join(".config/rundown/config.toml");
    let config = std::fs::read_to_string(config).unwrap();
    for told in [&text, &seen, &config] {
        lacks(told, "canary");
    }
    let events = desk.realm.events().await;
    let logins: Vec<_> = events.iter().filter(|it| it.starts_with("LOGIN")).collect();
    // The trial twice, then the screen and the list, with what the keyring has.
    assert_eq!(
        logins,
        [
            "LOGIN_ERROR invalid_user_credentials",
            "LOGIN",
            "LOGIN",
            "LOGIN"
        ]
    );
    desk.realm.row("setup with a keyring", &text).await;
}
