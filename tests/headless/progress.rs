//! How far long work is, on a terminal: gone before data is printed.

use crate::support::prelude::*;
use portable_pty::CommandBuilder;
use tokio::io::AsyncReadExt;

use super::pty::Pty;
use super::scene::Scene;

/// A command with all three streams on a terminal.
pub fn on_a_terminal(scene: &Scene, line: &str) -> Pty {
    let command = scene.command(line);
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
    let list = scene.json("runs list --limit 1").await;
    let id = list["runs"][0]["id"].as_str().unwrap();
    let closed = scene.other().await;
    let run = closed.add_run("Closed").await;
    closed.close(&run).await;
    let within = format!("{id}: holds");
    let cases = [
        (format!("gate {id} --expr '1 == 1'"), &*within),
        (format!("gate {id} --expr '1 == 1' --timeout 9s"), &*within),
        (
            format!("watch {run} --until-done --format ndjson"),
            "{\"schema\":",
        ),
        (
            "runs list --limit 30 --format ndjson".into(),
            "{\"schema\":",
        ),
        (format!("runs show {id}"), "Field "),
        (format!("suites attached {id}"), &*format!("{id}: ")),
        (format!("suites available {id}"), "Suite "),
    ];
    for (words, begin) in cases {
        let mut pty = on_a_terminal(&scene, &words);
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
    assert_eq!(list["schema"], Value::from(rundown::domain::json::SCHEMA));
}

/// A minute without a word is taken for a program that hangs; a log needs no word of a second.
#[tokio::test(flavor = "multi_thread")]
async fn a_pause_before_another_try_says_what_it_waits_for_and_how_long() {
    let scene = Scene::usual().await;
    let busy = |seconds: &str| Fault::Busy(503, seconds.into());
    let waits = "trying again in 1s: the service is unavailable (503)";
    scene.proxy.plan(false, 0, 1, busy("1"));
    let mut pty = on_a_terminal(&scene, "runs list --limit 1");
    pty.wait_for(waits);
    assert!(pty.ended().success());
    lacks(&pty.text(), "trying again");
    scene.proxy.plan(false, 0, 1, busy("1"));
    scene.run("runs list --limit 1").await.succeeds();
    scene.proxy.plan(false, 0, 1, busy("3600"));
    let mut child = scene.start("runs list");
    let mut said = [0; 200];
    let read = child.stderr.as_mut().unwrap().read(&mut said).await;
    let said = String::from_utf8_lossy(&said[..read.unwrap()]);
    says(&said, &waits.replace("1s", "1m"));
    child.kill().await.unwrap();
}
