//! Signals to a command that writes: heard from its first request to its last, also between two of them.

use crate::support::prelude::*;
use tokio::io::{AsyncBufReadExt, BufReader};

use super::scene::{Ran, Scene, each, has, line, reaches, signal};
use super::support::Other;

const DELETE: &str = "DELETE_TEST_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";

async fn scene() -> (Scene, Other) {
    let scene = Scene::with(Options::default(), "project_version = \"1.2.0\"").await;
    let other = scene.other().await;
    other.add_run("Stays empty").await;
    (scene, other)
}

fn delete(runs: &[DocRef], more: &str) -> String {
    let delete = line("runs delete", runs);
    let yes = line("--yes-delete", runs);
    format!("{delete} {more} --format json {yes}")
}

#[tokio::test]
async fn one_between_two_runs_keeps_the_next_from_being_touched() {
    for (name, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        if !reaches(number) {
            continue;
        }
        let (scene, other) = scene().await;
        let runs = [
            other.add_run("One").await,
            other.add_run("Two").await,
            other.add_run("Three").await,
        ];
        let child = scene.start(&delete(&runs, ""));
        scene.until_passed(DELETE, 1).await;
        // The next check is the one that looks into the second run.
        let checks = scene.proxy.count(CHECK);
        scene.proxy.fault_for(CHECK, Fault::delay(700));
        scene.until_passed(CHECK, checks + 1).await;
        signal(&child, name).await;
        let ran = Ran::ended(child).await;
        let told = ran.deleted();
        let outcomes = ["confirmed", "not_tried", "not_tried"];
        assert_eq!(each(&told, "outcome"), outcomes, "{name} {ran:?}");
        ran.is(4);
        has(&told[1], &json!({"end": "not_sent"}));
        has(&told[2], &json!({"end": "not_sent"}));
        assert!(scene.document(&runs[1]).is_some() && scene.document(&runs[2]).is_some());
        assert_eq!(
            (scene.proxy.count(DELETE), scene.proxy.count(CHECK)),
            (1, checks + 1),
            "nothing further"
        );
        says(&ran.err, "nothing further is sent");
    }
}

#[tokio::test]
async fn one_between_the_suites_and_the_run_leaves_the_run() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let runs = [run];
    let child = scene.start(&delete(&runs, "--empty"));
    scene.until_passed(REMOVE, 1).await;
    let checks = scene.proxy.count(CHECK);
    scene.proxy.fault_for(CHECK, Fault::delay(700));
    scene.until_passed(CHECK, checks + 1).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    let told = ran.deleted();
    ran.is(1);
    has(&told[0], &json!({"outcome": "differs", "end": "done"}));
    assert_eq!(
        (
            told[0]["removed"].as_array().unwrap().len(),
            scene.truth(&runs[0]).len()
        ),
        (2, 0)
    );
    assert!(scene.document(&runs[0]).is_some() && scene.proxy.count(DELETE) == 0);
}

/// What was sent stands in the journal without an end.
#[tokio::test]
async fn a_second_one_ends_it_with_its_own_status() {
    for (name, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        if !reaches(status - 128) {
            continue;
        }
        let (scene, other) = scene().await;
        let runs = [other.add_run("One").await];
        scene.proxy.fault_for(DELETE, Fault::delay(20_000));
        let mut child = scene.start(&delete(&runs, ""));
        scene.until_passed(DELETE, 1).await;
        signal(&child, "-TERM").await;
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        err.read_line(&mut said).await.unwrap();
        says(&said, "nothing further is sent");
        signal(&child, name).await;
        let ran = Ran::ended(child).await;
        assert_eq!(
            (ran.status, &ran.deleted()[0]["outcome"]),
            (Some(status), &json!("unknown")),
            "{name} {ran:?}"
        );
        let copy = &ran.deleted()[0]["copy"];
        assert!(copy.is_string(), "it was made before: {ran:?}");
        assert_eq!(scene.steps(), [[DELETE, "sent"]]);
    }
}

/// The status says that a change was cut off, whichever of several runs it was.
#[tokio::test]
async fn a_second_one_at_one_of_several_runs_ends_it_with_its_own_status() {
    if !reaches(2) {
        return;
    }
    for (place, outcomes) in [(0, ["unknown", "not_tried"]), (1, ["confirmed", "unknown"])] {
        let (scene, other) = scene().await;
        let runs = [other.add_run("One").await, other.add_run("Two").await];
        let cut_off = Fault::delay(20_000);
        if place == 0 {
            scene.proxy.fault_for(DELETE, cut_off.clone());
        }
        let mut child = scene.start(&delete(&runs, ""));
        scene.until_passed(DELETE, 1).await;
        scene.proxy.fault_for(DELETE, cut_off);
        scene.until_passed(DELETE, place + 1).await;
        signal(&child, "-TERM").await;
        let mut err = BufReader::new(child.stderr.take().unwrap());
        err.read_line(&mut String::new()).await.unwrap();
        signal(&child, "-INT").await;
        let ran = Ran::ended(child).await;
        assert_eq!(each(&ran.deleted(), "outcome"), outcomes, "{ran:?}");
        ran.is(130);
        assert_eq!(scene.proxy.count(DELETE), place + 1, "nothing further");
    }
}

#[tokio::test]
async fn one_while_a_run_is_made_keeps_its_suites_from_being_added() {
    let (scene, _) = scene().await;
    scene.proxy.fault_for("ADD_DOCUMENT", Fault::delay(700));
    let create = "runs create --title Nightly --suites TestSuite-dm/1 --format json";
    let child = scene.start(create);
    scene.until_passed("ADD_DOCUMENT", 1).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    let outcome = ran.json("run_created");
    ran.is(1);
    has(&outcome, &json!({"outcome": "confirmed"}));
    assert_eq!(
        (&outcome["suites"]["not_done"], scene.writes().len()),
        (&json!(["TestSuite-dm/1"]), 1)
    );
}

/// As `nohup` has it, and a shell with what it runs in the background.
#[tokio::test]
async fn one_that_was_ignored_at_the_start_does_not_end_a_change_half_way() {
    let (scene, other) = scene().await;
    let run = other.add_run("Other").await;
    let suites = &scene.free(&run).await[..2];
    let create = line("runs create --title Nightly --format json --suites", suites);
    scene.proxy.fault_for("ADD_DOCUMENT", Fault::delay(700));
    let child = scene.after("trap '' HUP INT;", &create).spawn().unwrap();
    scene.until_passed("ADD_DOCUMENT", 1).await;
    signal(&child, "-HUP").await;
    signal(&child, "-INT").await;
    let ran = Ran::ended(child).await;
    let outcome = ran.json("run_created");
    ran.is(0);
    lacks(&ran.err, "nothing further is sent");
    let run = DocRef::parse(outcome["run"]["ref"].as_str().unwrap()).unwrap();
    assert_eq!(scene.truth(&run), suites.iter().cloned().collect());
    // The others are heard all the same.
    let child = scene.after("trap '' HUP INT;", &create).spawn().unwrap();
    scene.until_passed("ADD_DOCUMENT", 2).await;
    signal(&child, "-TERM").await;
    Ran::ended(child).await.is(1);
}
