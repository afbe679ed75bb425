//! Secrets from commands and environment variables.

#![cfg(unix)]
use crate::support::prelude::*;
use rundown::config::{Children, SecretSource};
use secrecy::ExposeSecret;

async fn command(line: &str) -> Result<String, String> {
    SecretSource::Command(line.to_owned())
        .read(&Children::default())
        .await
        .map(|secret| secret.expose_secret().to_owned())
}

#[tokio::test]
async fn the_first_line_is_the_secret() {
    assert_eq!(
        command("printf 'two words\\nlogin: me\\n'").await.unwrap(),
        "two words"
    );
    assert_eq!(
        command("printf 'with return\\r\\n'").await.unwrap(),
        "with return"
    );
    assert_eq!(command("printf ' kept '").await.unwrap(), " kept ");
    // No shell: what it would expand stays as it is.
    assert_eq!(command("printf %s '$HOME' ~ '|'").await.unwrap(), "$HOME~|");
    // Standard input is closed, and a full pipe stops nothing.
    assert_eq!(
        command("sh -c 'read x || echo no input; head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2'")
            .await
            .unwrap(),
        "no input"
    );
}

#[tokio::test]
async fn what_a_command_leaves_behind_is_not_waited_for() {
    assert_eq!(command("sh -c 'sleep 60 & echo s'").await.unwrap(), "s");
}

#[tokio::test]
async fn failures_say_why_and_never_the_secret() {
    let text = |line| async move { command(line).await.unwrap_err() };
    assert_eq!(
        text("sh -c 'echo CANARY; echo CANARY >&2; exit 3'").await,
        "\"sh\" failed (exit status: 3); run it by hand to see why"
    );
    assert_eq!(
        text("false CANARY").await,
        "\"false\" failed (exit status: 1); run it by hand to see why"
    );
    assert_eq!(
        text("cat ~/CANARY").await,
        "\"cat\" failed (exit status: 1); no shell runs, so $, ~/, |, > and && stay as they are written; sh -c '…' starts one"
    );
    assert_eq!(
        text("sh -c '~/CANARY'").await,
        "\"sh\" failed (exit status: 127); run it by hand to see why"
    );
    assert_eq!(
        text("true").await,
        "the secret from command \"true\" is empty"
    );
    assert_eq!(
        text("printf '\\nCANARY'").await,
        "the secret from command \"printf\" is empty"
    );
    assert_eq!(
        text("printf 'CANARY\\377'").await,
        "\"printf\" printed something that is not UTF-8 text"
    );
    assert_eq!(
        text("head -c 20000 /dev/zero").await,
        "\"head\" printed a line of more than 16 KiB, which is no secret"
    );
    assert_eq!(
        text("sh -c 'kill -9 $$'").await,
        "\"sh\" failed (signal: 9 (SIGKILL)); run it by hand to see why"
    );
    begins(
        &text("/no/such/program CANARY").await,
        "\"/no/such/program\" does not start: ",
    );
}

#[tokio::test]
async fn variables() {
    let path = SecretSource::Env("PATH".into())
        .read(&Children::default())
        .await
        .unwrap();
    assert_eq!(path.expose_secret(), std::env::var("PATH").unwrap());
    let missing = SecretSource::Env("RUNDOWN_NO_SUCH_VARIABLE".into())
        .read(&Children::default())
        .await
        .unwrap_err();
    assert_eq!(missing, "$RUNDOWN_NO_SUCH_VARIABLE is not set");
}

#[tokio::test]
async fn descriptions_show_no_secret() {
    let inline = SecretSource::Inline("CANARY".into());
    assert_eq!(inline.describe(), "in the config file");
    assert_eq!(
        inline
            .read(&Children::default())
            .await
            .unwrap()
            .expose_secret(),
        "CANARY"
    );
    let command = SecretSource::Command("'my pass' show CANARY".into());
    assert_eq!(command.describe(), "from command \"my pass …\"");
    assert_eq!(
        SecretSource::Command("pass".into()).describe(),
        "from command \"pass\""
    );
    assert_eq!(SecretSource::Env("NAME".into()).describe(), "from $NAME");
    lacks(&format!("{inline:?}{command:?}"), "CANARY");
}
