//! How far long work is, on a terminal: gone before data is printed.

use portable_pty::CommandBuilder;
use rundown::local_service::Options;
use serde_json::Value;

use super::pty::Pty;
use super::scene::Scene;
use super::support::desk_client;

/// A command with all three streams on a terminal.
fn on_a_terminal(scene: &Scene, words: &[&str]) -> Pty {
    let command = scene.command(words);
    let command = command.as_std();
    let mut on_terminal = CommandBuilder::new(command.get_program());
    on_terminal.args(command.get_args());
    on_terminal.env_clear();
    for (name, value) in command.get_envs() {
        on_terminal.env(name, value.unwrap());
    }
    on_terminal.cwd(scene.home.path());
    Pty::start(on_terminal, 120, 40)
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_taken_away_before_anything_is_printed() {
    let scene = Scene::with(Options::default(), "page_size = 7").await;
    let list = scene
        .json(&["runs", "list", "--limit", "1", "--format", "json"])
        .await;
    let id = list["runs"][0]["id"].as_str().unwrap();
    let closed = desk_client(&scene.service).await;
    let run = closed.add_run("Closed").await;
    closed.close(&run).await;
    let cases: [(&[&str], &str); 7] = [
        (
            &["gate", id, "--expr", "1 == 1"],
            &format!("{id}: within the limit"),
        ),
        (
            &["gate", id, "--expr", "1 == 1", "--timeout", "9s"],
            &format!("{id}: within the limit"),
        ),
        (
            &["watch", run.as_str(), "--until-done", "--format", "ndjson"],
            "{\"schema\":1",
        ),
        (
            &["runs", "list", "--limit", "30", "--format", "ndjson"],
            "{\"schema\":1",
        ),
        (&["runs", "show", id], "Field "),
        (&["suites", "attached", id], &format!("{id}: ")),
        (&["suites", "available", id], "Suite "),
    ];
    for (words, begin) in cases {
        let mut pty = on_a_terminal(&scene, words);
        let status = pty.ended();
        let seen = String::from_utf8_lossy(pty.seen()).into_owned();
        assert!(
            status.success() && seen.contains("signing in"),
            "{words:?}: {seen:?}"
        );
        // What is left of a line when everything up to the last erasure is gone.
        let data = seen
            .lines()
            .find(|line| line.contains(begin))
            .unwrap_or_else(|| panic!("{words:?}: {seen:?}"));
        let shown = data
            .rsplit('\r')
            .next()
            .unwrap()
            .trim_start_matches("\u{1b}[K");
        assert!(shown.starts_with(begin), "{words:?}: {seen:?}");
    }
    assert_eq!(list["schema"], Value::from(1));
}
