//! `suites add` and `suites remove`: what is sent, what is written down, what reading says, and what is refused before.

use crate::support::prelude::*;
use std::os::unix::fs::PermissionsExt;

use super::scene::{Ran, Scene, has, line, signal};
use super::schema::fits;
use super::support::Other;

const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
const DELETE: &str = "DELETE_TEST_SUITES_FROM_RUN";

/// A new, empty run, another one to compare it with, and what can be added to it.
async fn new_run(options: Options) -> (Scene, Other, DocRef, Vec<DocRef>) {
    let scene = Scene::new(options).await;
    let other = scene.other().await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Suites by script").await;
    let free = scene.free(&run).await;
    (scene, other, run, free)
}

fn set(suites: &[DocRef]) -> BTreeSet<DocRef> {
    suites.iter().cloned().collect()
}

#[tokio::test]
async fn suites_are_added_and_removed_and_reading_confirms_it() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    // The third by its short id, and one twice.
    let list = scene.json(&format!("suites available {run}")).await;
    let third = list["suites"][2]["id"].as_str().unwrap();
    let add = line(&format!("suites add {run}"), &free[..2]);
    let ran = scene.run(&format!("{add} {third} {}", free[0])).await;
    ran.succeeds();
    let id = scene.id(&run);
    assert_eq!(ran.out, format!("3 suites added to {id}, checked\n"));
    assert_eq!(scene.truth(&run), set(&free[..3]));
    let remove = line(&format!("suites remove {run}"), &free[..1]);
    let ran = scene.run(&format!("{remove} --format json")).await;
    let outcome = ran.json("suites_changed");
    ran.is(0);
    has(
        &outcome,
        &json!({"verdict": "confirmed", "done": [free[0].as_str()]}),
    );
    assert_eq!(outcome["end"], "done");
    let step = json!({"words": "request 1 of 1, 1 suite: done", "good": true});
    assert_eq!(outcome["steps"], json!([step]));
    assert_eq!(
        ran.err,
        "rundown: results recorded in these suites may be lost\n"
    );
    assert_eq!(scene.truth(&run), set(&free[1..3]));
    assert_eq!(scene.writes(), [ADD, DELETE]);
    // What was written down, before it was sent and after it was read.
    let journal = scene
        .home
        .path()
        .join(".local/state/rundown/journal.ndjson");
    let mode = std::fs::metadata(journal).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let text = scene.journal();
    assert_eq!(
        text.lines().count(),
        6,
        "sent, answered, confirmed; twice: {text}"
    );
    assert!(
        text.contains("results before") && text.lines().last().unwrap().contains("onfirmed"),
        "{text}"
    );
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_sent_to_the_letter_and_sends_nothing() {
    let (scene, _, run, free) = new_run(options(|it| it.suites = 900)).await;
    assert!(free.len() > 45, "{}", free.len());
    let add = line(&format!("suites add {run}"), &free[..45]);
    let dry = scene.run(&format!("{add} --dry-run")).await.lines();
    for line in &dry {
        fits("request", line);
    }
    let whole = scene.told("requests", &format!("{add} --dry-run")).await;
    assert_eq!(scene.writes().len(), 0);
    assert!(scene.keeps_nothing(), "nothing is written down either");
    let ran = scene.run(&add).await;
    assert_eq!(
        (ran.status, ran.out.lines().count()),
        (Some(0), 4),
        "{}",
        ran.out
    );
    for requests in [&dry, whole["requests"].as_array().unwrap()] {
        let planned: Vec<Value> = requests.iter().map(|it| it["params"].clone()).collect();
        assert_eq!((planned.len(), &planned), (3, &scene.params(ADD)));
        assert!(requests.iter().all(|it| it["method"] == ADD));
    }
    let remove = line(&format!("suites remove {run}"), &free[..2]);
    let dry = scene.run(&format!("{remove} --dry-run")).await.lines();
    assert_eq!(
        (&dry[0]["method"], scene.proxy.count(DELETE)),
        (&json!(DELETE), 0)
    );
}

#[tokio::test]
async fn a_read_only_profile_refuses_before_anything_is_sent() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let before = scene.proxy.passed().len();
    for verb in ["add", "remove"] {
        for more in ["", "--dry-run"] {
            let line = format!("suites {verb} {run} {} --read-only {more}", free[0]);
            let told = "read-only: nothing is changed from here";
            scene.refuses(&line, 2, &[told]).await;
        }
    }
    let config = scene.config();
    scene.write_config(&format!("{config}read_only = true\n"));
    scene
        .refuses(
            &line(&format!("suites add {run}"), &free[..1]),
            2,
            &["read-only: nothing"],
        )
        .await;
    assert_eq!(scene.proxy.passed().len(), before);
    assert!(scene.truth(&run).is_empty());
}

#[tokio::test]
async fn if_one_suite_does_not_fit_nothing_is_sent() {
    let (scene, other, run, free) = new_run(Options::default()).await;
    other.add_suites(&run, &free[..1]).await;
    let (first, second) = (free[0].as_str(), free[1].as_str());
    for (change, status, told) in [
        (
            line("add", &free[..3]),
            4,
            &[first, "cannot be added", "Nothing was sent"][..],
        ),
        (
            line("remove", &free[..2]),
            4,
            &[second, "cannot be removed", "1 suite"],
        ),
        ("add S_999999".into(), 4, &["S_999999", "cannot be added"]),
        (
            "add TestRun-dm/1".into(),
            2,
            &["expected a reference such as TestSuite-dm/20744"],
        ),
        ("add".into(), 2, &["<SUITE>"]),
    ] {
        let (verb, suites) = change.split_once(' ').unwrap_or((&change, ""));
        let line = format!("suites {verb} {run} {suites}");
        scene.refuses(&line, status, told).await;
    }
    other.close(&run).await;
    for verb in ["add", "remove"] {
        let line = format!("suites {verb} {run} {first}");
        let told = "is closed: its suites cannot be changed";
        scene.refuses(&line, 4, &[told]).await;
    }
    assert_eq!(
        (scene.writes().len(), scene.truth(&run)),
        (0, set(&free[..1]))
    );
}

#[tokio::test]
async fn what_the_service_refuses_is_7_and_what_cannot_be_read_after_is_8() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let id = scene.id(&run);
    for (status, why) in [
        (403, "not allowed (403)"),
        (404, "nothing answers at this address (404)"),
    ] {
        scene.proxy.fault_for(ADD, Fault::status(status));
        let ran = scene
            .run(&format!(
                "{} --format json",
                line(&format!("suites add {run}"), &free[..2])
            ))
            .await;
        let outcome = ran.json("suites_changed");
        assert_eq!(
            (
                ran.status,
                &outcome["steps"][0]["good"],
                outcome["not_done"].as_array().unwrap().len()
            ),
            (Some(7), &json!(false), 2)
        );
        has(&outcome, &json!({"verdict": "differs", "end": "refused"}));
        let refused = format!("Nothing added to {id}: refused: {why}");
        says(&ran.err, &refused);
    }
    scene.proxy.fault_for(ADD, Fault::delay(500));
    let child = scene.start(&line(&format!("suites add {run}"), &free[..2]));
    scene.until_passed(ADD, 3).await;
    // The answer comes; the list that is read after does not.
    scene
        .proxy
        .fault_for("GET_AVAILABLE_TEST_SUITES", Fault::status(502));
    let ran = Ran::ended(child).await;
    ran.is(8);
    let unread = format!("{id} may be changed: reading afterwards failed");
    says(&ran.err, &unread);
    assert_eq!(scene.truth(&run), set(&free[..2]));
}

/// What is in effect in part is not as planned: 1.
#[tokio::test]
async fn a_signal_stops_before_the_next_request_and_what_went_out_is_read() {
    let (scene, _, run, free) = new_run(options(|it| it.suites = 900)).await;
    scene.proxy.fault_for(ADD, Fault::delay(700));
    let child = scene.start(&line(&format!("suites add {run}"), &free[..45]));
    scene.until_passed(ADD, 1).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    ran.is(1);
    assert_eq!(scene.proxy.count(ADD), 1, "{ran:?}");
    says(&ran.out, "request 2 of 3, 20 suites: not sent");
    // Not called checked: what was sent is all in, what was not is named.
    let odd = format!(
        "20 of 45 suites added to {}, but not as asked: ",
        scene.id(&run)
    );
    says(&ran.err, &odd);
    says(&ran.err, " and 22 more");
    says(&ran.err, "nothing further is sent");
    assert_eq!(scene.truth(&run), set(&free[..20]));
}

/// A change goes on when nobody reads its words.
#[tokio::test]
async fn a_closed_pipe_stops_no_change() {
    let (scene, _, run, free) = new_run(Options::default()).await;
    let add = line(&format!("suites add {run}"), &free[..2]);
    scene.unread(&add).await.succeeds();
    assert_eq!(scene.truth(&run), set(&free[..2]));
}

/// Link records of the journal: what was added from here is known later, also where no list names it.
#[tokio::test]
async fn what_was_added_from_here_is_known_to_be_in_the_run() {
    let scene = Scene::new(options(|it| it.runs = 0)).await;
    let run = scene.other().await.add_run("Alone").await;
    let free = scene.free(&run).await;
    scene
        .run(&line(&format!("suites add {run}"), &free[..2]))
        .await
        .is(0);
    let attached = scene.json(&format!("suites attached {run}")).await;
    assert!(
        attached["suites"][0]["how"]
            .as_str()
            .unwrap()
            .starts_with("added here"),
        "{attached}"
    );
    scene
        .run(&line(&format!("suites remove {run}"), &free[..1]))
        .await
        .is(0);
    assert_eq!(scene.truth(&run), set(&free[1..2]));
}

/// What a reading shows was not kept back by its answer: the rest follows, else it is named.
#[tokio::test]
async fn after_a_lost_answer_the_rest_is_sent_once_a_reading_shows_the_part_in_effect() {
    let (scene, other, run, free) = new_run(options(|it| it.suites = 900)).await;
    let add = line(
        "suites add",
        &[vec![run.clone()], free[..45].to_vec()].concat(),
    );
    scene.proxy.fault_for(ADD, Fault::CutAfter);
    let ran = scene.run(&add).await;
    ran.is(0);
    let id = scene.id(&run);
    says(
        &ran.out,
        "request 1 of 3, 20 suites: done, as a reading shows\n",
    );
    let end = format!("45 suites added to {id}, by reading: no clear answer came\n");
    says(&ran.out, &end);
    assert_eq!(
        (scene.proxy.count(ADD), scene.truth(&run)),
        (3, set(&free[..45]))
    );
    for step in scene.steps() {
        assert_eq!(step.last().unwrap(), "confirmed", "{step:?}");
    }
    // My changes say it of each, whenever it is read.
    let journal = scene.journal();
    let how = journal.matches("its suites are in the run").count();
    let lost = "its suites are in the run, by reading: no clear answer came";
    assert!(how > 3 && journal.matches(lost).count() == how, "{journal}");
    for (fault, status, sent, told) in [
        (Fault::CutBefore, 8, 0, " more not sent"),
        (
            Fault::After(403, Vec::new()),
            1,
            20,
            " more not sent: not allowed (403)",
        ),
    ] {
        let run = other.add_run("Another").await;
        scene.proxy.fault_for(ADD, fault);
        let before = scene.proxy.count(ADD);
        let ran = scene
            .run(&line(&format!("suites add {run}"), &free[..45]))
            .await;
        ran.is(status);
        let looks = ran
            .err
            .contains("\"rundown changes resume --profile test\" looks at it again");
        assert_eq!(looks, status == 8, "{}", ran.err);
        let left = 45 - 20 - 3;
        says(&ran.err, &format!(" and {left}{told}"));
        assert_eq!(
            (scene.proxy.count(ADD), scene.truth(&run).len()),
            (before + 1, sent)
        );
    }
}
