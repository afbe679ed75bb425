//! `runs delete`: the names repeated, a copy before, empty by the word of the service, gone by reading; and `--empty` where
//! the removal of the suites, or what comes after it, goes wrong.

use crate::support::prelude::*;
use rundown::disk::Trash;
use tokio::process::Child;

use super::scene::{Ran, Scene, each, has};
use super::schema::fits;
use super::support::Other;

const DELETE: &str = "DELETE_TEST_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";
const FREE: &str = "GET_AVAILABLE_TEST_SUITES";

async fn scene() -> (Scene, Other) {
    let (scene, other) = Scene::shared().await;
    other.add_run("Stays empty").await;
    (scene, other)
}

fn delete(ids: &[&str], more: &str) -> String {
    let ids = ids.join(" ");
    format!("runs delete {ids} {more} --yes-delete {ids}")
}

#[tokio::test]
async fn a_run_whose_document_has_another_id_is_not_deleted() {
    let (scene, other) = scene().await;
    let run = other.add_run("One").await;
    let id = scene.id(&run);
    let mut document = scene.document(&run).unwrap();
    document["Root"]["General"]["Id"] = json!("R_1");
    let raw = json!({"docRef": run.as_str(), "documentModelName": "TestRun-dm", "document": document, "__meta": {}});
    scene.proxy.fault_for("GET_DOCUMENT", Fault::Answer(raw));
    let words = "its document calls it R_1: nothing was sent";
    let ran = scene.run(&delete(&[&id], "")).await;
    ran.is(4);
    says(&ran.err, words);
    assert!(scene.document(&run).is_some() && scene.writes().is_empty());
}

/// The deletion could not follow.
#[tokio::test]
async fn no_suite_is_removed_where_the_service_does_not_say_whether_the_run_is_empty() {
    let (scene, other) = scene().await;
    let run = other.add_run("One").await;
    let suites = other.free(&run).await[..1].to_vec();
    other.add_suites(&run, &suites).await;
    scene.proxy.fault_for(CHECK, Fault::status(403));
    let id = scene.id(&run);
    let ran = scene.run(&delete(&[&id], "--empty")).await;
    ran.is(4);
    says(&ran.err, "checking that the run is empty: not allowed");
    says(&ran.err, "Nothing was sent");
    assert_eq!(scene.writes(), [""; 0]);
    assert_eq!(scene.truth(&run), suites.into_iter().collect());
}

#[tokio::test]
async fn empty_runs_are_copied_deleted_and_read_to_be_gone() {
    let (scene, other) = scene().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let id = scene.id(&one);
    let document = scene.document(&one).unwrap();
    let ran = scene.run(&delete(&[&id, two.as_str()], "")).await;
    ran.succeeds();
    let lines: Vec<&str> = ran.out.lines().collect();
    assert_eq!(lines.len(), 2, "{}", ran.out);
    let begin = format!("{id} deleted; copy: ");
    let copy = lines[0]
        .strip_prefix(&begin)
        .unwrap_or_else(|| panic!("{}", ran.out));
    let kept = Trash::read(Path::new(copy)).unwrap().document;
    let general = &kept.raw()["document"]["Root"]["General"];
    assert_eq!(general["Id"], json!(id));
    assert_eq!(general, &document["Root"]["General"]);
    assert_eq!((scene.document(&one), scene.document(&two)), (None, None));
    assert_eq!(scene.writes(), [DELETE, DELETE]);
    assert_eq!(
        scene.steps(),
        [
            [DELETE, "sent", "answered", "confirmed"],
            [DELETE, "sent", "answered", "confirmed"]
        ]
    );
    assert!(
        scene.journal().lines().next().unwrap().contains(copy),
        "the copy is noted, so that it can be rebuilt"
    );
}

#[tokio::test]
async fn names_that_are_not_repeated_exactly_are_refused_before_anything_is_read() {
    let (scene, other) = scene().await;
    let run = other.add_run("One").await;
    let id = scene.id(&run);
    let repeat = "must repeat the runs exactly";
    for (more, told) in [
        (id.clone(), &["--yes-delete"][..]),
        (
            format!("{id} --yes-delete R_1"),
            &[repeat, "expected R_", "found R_1"],
        ),
        (format!("{id} --yes-delete yes"), &[repeat]),
        (format!("{id} R_1 --yes-delete {id}"), &[repeat]),
        (format!("{id} --yes-delete {id} R_1"), &[repeat]),
        (format!("{id} --yes-delete {run}"), &[repeat]),
        (
            format!("{id} {id} --yes-delete {id} {id}"),
            &["named twice"],
        ),
        (
            format!("--read-only {id} --dry-run"),
            &["read-only: nothing is changed from here"],
        ),
    ] {
        scene.refuses(&format!("runs delete {more}"), 2, told).await;
    }
    let read_only = delete(&[&id], "--read-only");
    scene.refuses(&read_only, 2, &["read-only: nothing"]).await;
    assert_eq!(scene.proxy.passed().len(), 0);
    scene
        .refuses(&delete(&[&id, run.as_str()], ""), 2, &["is named twice"])
        .await;
    // One that is not there keeps the others from being touched.
    scene
        .refuses(
            &delete(&[&id, "R_999999"], ""),
            4,
            &["there is no test run R_999999"],
        )
        .await;
    assert!(scene.document(&run).is_some() && scene.writes().is_empty());
}

#[tokio::test]
async fn a_run_that_is_not_empty_is_refused_and_stops_the_rest() {
    let (scene, other) = scene().await;
    let (first, full, last) = (
        other.add_run("A").await,
        other.add_run("B").await,
        other.add_run("C").await,
    );
    let free = scene.free(&full).await;
    other.add_suites(&full, &free[..2]).await;
    let ids = [scene.id(&first), scene.id(&full), scene.id(&last)];
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let ran = scene.run(&delete(&ids, "--format json")).await;
    let told = ran.deleted();
    ran.is(4);
    let outcomes = ["confirmed", "refused", "not_tried"];
    assert_eq!(each(&told, "outcome"), outcomes);
    assert_eq!(each(&told, "end"), ["done", "not_sent", "not_sent"]);
    let kept = format!(
        "{} not deleted: it is not empty, it has 2 suites. Nothing was sent",
        ids[1]
    );
    says(&ran.err, &kept);
    says(&ran.err, "; --empty removes its suites first");
    assert_eq!(
        (&told[1]["copy"], scene.truth(&full).len()),
        (&Value::Null, 2)
    );
    assert!(scene.document(&first).is_none() && scene.document(&last).is_some());
    assert_eq!(scene.writes(), [DELETE]);
    // A closed one cannot even be emptied.
    other.close(&full).await;
    let ran = scene.run(&delete(&ids[1..2], "--empty")).await;
    assert_eq!((ran.status, ran.out.lines().count()), (Some(4), 1));
    assert!(
        ran.out.contains("closed and not empty") && ran.err.contains("cannot be deleted from here"),
        "{}",
        ran.out
    );
    assert_eq!(scene.writes(), [DELETE]);
}

#[tokio::test]
async fn a_closed_run_without_suites_is_deleted() {
    let (scene, other) = scene().await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    let ran = scene.run(&delete(&[run.as_str()], "")).await;
    assert_eq!(
        (ran.status, scene.document(&run)),
        (Some(0), None),
        "{}",
        ran.err
    );
}

/// Two things that contradict each other are told, and no way that leads nowhere.
#[tokio::test]
async fn a_run_that_is_neither_empty_nor_has_suites_is_told_as_such() {
    let (scene, other) = scene().await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Odd").await;
    scene
        .proxy
        .fault_for("CHECK_TEST_RUN_EMPTY", Fault::Answer(json!(false)));
    for options in ["", "--empty"] {
        let ran = scene.run(&delete(&[run.as_str()], options)).await;
        ran.is(4);
        says(
            &ran.err,
            "it is not empty, as the service says, and has no suites, as it says too",
        );
        lacks(&ran.err, "--empty removes");
    }
}

#[tokio::test]
async fn suites_go_first_where_that_is_asked_for() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..3]).await;
    let id = scene.id(&run);
    let dry = scene
        .run(&format!("runs delete {id} --empty --dry-run"))
        .await
        .lines();
    for line in &dry {
        fits("request", line);
    }
    assert_eq!(each(&dry, "method"), [REMOVE, DELETE]);
    let whole = scene
        .told("requests", &format!("runs delete {id} --empty --dry-run"))
        .await;
    assert_eq!(whole["run"]["id"], json!(id));
    scene
        .refuses(
            &format!("runs delete {id} --dry-run"),
            4,
            &["it is not empty", "--empty"],
        )
        .await;
    assert!(
        scene.writes().is_empty() && scene.keeps_nothing(),
        "no journal, no copy"
    );
    let ran = scene.run(&delete(&[&id], "--empty --format json")).await;
    let told = ran.deleted();
    ran.is(0);
    has(&told[0], &json!({"outcome": "confirmed", "end": "done"}));
    assert_eq!(
        ran.err,
        "rundown: results recorded in these suites may be lost\n"
    );
    assert_eq!(
        (
            told[0]["removed"].as_array().unwrap().len(),
            scene.document(&run)
        ),
        (3, None)
    );
    assert_eq!(
        (scene.params(REMOVE), scene.params(DELETE)),
        (
            vec![dry[0]["params"].clone()],
            vec![dry[1]["params"].clone()]
        )
    );
    let copy = Trash::read(Path::new(told[0]["copy"].as_str().unwrap())).unwrap();
    assert_eq!((copy.suites.len(), copy.known.as_str()), (3, "3 suites"));
    assert_eq!(
        scene.steps(),
        [
            [REMOVE, "sent", "answered", "confirmed"],
            [DELETE, "sent", "answered", "confirmed"]
        ]
    );
}

#[tokio::test]
async fn where_suites_cannot_be_named_nothing_is_removed() {
    let scene = Scene::new(options(|it| it.runs = 0)).await;
    let other = scene.other().await;
    let run = other.add_run("Alone").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let ran = scene.run(&delete(&[run.as_str()], "--empty")).await;
    ran.is(4);
    says(
        &ran.err,
        "it is not empty, and 2 more suites are attached that no list names",
    );
    lacks(&ran.err, "suites known");
    assert_eq!((scene.writes().len(), scene.truth(&run).len()), (0, 2));
}

#[tokio::test]
async fn the_check_decides_and_what_was_removed_is_told() {
    let (scene, other) = scene().await;
    let run = other.add_run("Full").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    // The service does not accept the removal: the check says false.
    scene.proxy.fault_for(REMOVE, Fault::status(403));
    let ran = scene
        .run(&delete(&[run.as_str()], "--empty --format json"))
        .await;
    let refused = &ran.deleted()[0];
    ran.is(7);
    has(refused, &json!({"outcome": "refused", "end": "refused"}));
    says(&ran.err, "403");
    says(&ran.err, "the service says that it is not empty");
    // It stays false whatever was removed.
    scene.proxy.fault_for(CHECK, Fault::Answer(json!(false)));
    let ran = scene
        .run(&delete(&[run.as_str()], "--empty --format json"))
        .await;
    let told = ran.deleted();
    ran.is(1);
    has(&told[0], &json!({"outcome": "differs", "end": "done"}));
    assert_eq!(told[0]["removed"].as_array().unwrap().len(), 2);
    let part = format!("{} not deleted, but 2 suites removed: ", scene.id(&run));
    says(&ran.err, &part);
    assert!(scene.document(&run).is_some() && scene.proxy.count(DELETE) == 0);
}

#[tokio::test]
async fn a_run_of_which_nothing_is_known_stops_the_rest() {
    let (scene, other) = scene().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    scene.proxy.fault_for(DELETE, Fault::CutBefore);
    let ran = scene
        .run(&delete(&[one.as_str(), two.as_str()], "--format json"))
        .await;
    let told = ran.deleted();
    ran.is(8);
    has(&told[0], &json!({"outcome": "unknown"}));
    has(&told[1], &json!({"outcome": "not_tried"}));
    has(&told[0], &json!({"end": "unknown"}));
    has(&told[1], &json!({"end": "not_sent"}));
    says(&ran.err, "may be deleted: no answer");
    assert_eq!(scene.proxy.count(DELETE), 1);
}

#[tokio::test]
async fn without_a_copy_nothing_is_deleted_and_somebody_elses_suite_is_seen() {
    let (scene, other) = scene().await;
    let run = other.add_run("Mine").await;
    let state = scene.home.path().join(".local/state/rundown");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("trash"), "in the way").unwrap();
    let ran = scene.run(&delete(&[run.as_str()], "")).await;
    ran.is(4);
    says(&ran.out, "not deleted: saving a copy of the run");
    std::fs::remove_file(state.join("trash")).unwrap();
    // A suite comes in after the run was found to be empty: the check just before the deletion sees it.
    let free = scene.free(&run).await;
    let checks = scene.proxy.count(CHECK);
    scene.proxy.fault_for("GET_DOCUMENT", Fault::delay(400));
    let child = scene.start(&delete(&[run.as_str()], ""));
    // One of the survey, one of the command: the third comes after the copy.
    scene.until_passed(CHECK, checks + 2).await;
    other.add_suites(&run, &free[..1]).await;
    let ran = Ran::ended(child).await;
    ran.is(4);
    // On a busy machine the check before the copy may see it.
    let seen = [
        "not sent: the service says that the run is not empty",
        "it is not empty any more",
    ];
    let told = |words| ran.out.contains(&format!("not deleted: {words}"));
    assert!(seen.into_iter().any(told), "{ran:?}");
    assert!(scene.document(&run).is_some() && scene.writes().is_empty());
}

/// A run with two suites.
async fn full() -> (Scene, Other, DocRef) {
    let (scene, other) = Scene::shared().await;
    other.add_run("Stays empty").await;
    let run = other.add_run("Full").await;
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    (scene, other, run)
}

fn start(scene: &Scene, run: &DocRef) -> Child {
    scene.start(&delete(&[run.as_str()], "--empty --format json"))
}

/// The service may act on it after the last reading, too.
#[tokio::test]
async fn a_removal_that_was_lost_is_not_known_unless_readings_show_it() {
    for reads in [false, true] {
        let (scene, _, run) = full().await;
        scene.proxy.fault_for(REMOVE, Fault::CutBefore);
        let child = start(&scene, &run);
        scene.until_passed(REMOVE, 1).await;
        if !reads {
            scene.proxy.fault_for(FREE, Fault::status(502));
        }
        let ran = Ran::ended(child).await;
        let told = ran.deleted().remove(0);
        ran.is(8);
        has(
            &told,
            &json!({"outcome": "unknown", "end": "unknown", "removed": []}),
        );
        says(&ran.err, " not deleted, but suites may be removed: ");
        assert!(scene.document(&run).is_some() && scene.proxy.count(DELETE) == 0);
    }
}

#[tokio::test]
async fn a_removal_that_was_lost_is_done_where_the_check_says_so() {
    let (scene, _, run) = full().await;
    scene.proxy.fault_for(REMOVE, Fault::CutAfter);
    let child = start(&scene, &run);
    scene.until_passed(REMOVE, 1).await;
    scene.proxy.fault_for(FREE, Fault::status(502));
    scene.until_passed(FREE, scene.proxy.count(FREE) + 1).await;
    scene.proxy.fault_for(DELETE, Fault::status(403));
    let ran = Ran::ended(child).await;
    let told = ran.deleted().remove(0);
    // The readings may have come through after all; either way the suites are out, and the run is there.
    ran.is(1);
    has(&told, &json!({"outcome": "differs", "end": "done"}));
    let removed = told["removed"].as_array().unwrap();
    assert_eq!((removed.len(), scene.truth(&run).len()), (2, 0), "{ran:?}");
}

#[tokio::test]
async fn a_check_that_fails_after_a_removal_leaves_something_in_effect() {
    for status in [403, 401, 503] {
        let (scene, _, run) = full().await;
        let child = start(&scene, &run);
        scene.until_passed(REMOVE, 1).await;
        scene.proxy.fault_for(CHECK, Fault::status(status));
        let ran = Ran::ended(child).await;
        let told = ran.deleted().remove(0);
        ran.is(1);
        has(&told, &json!({"outcome": "differs", "end": "done"}));
        let removed = told["removed"].as_array().unwrap();
        assert_eq!((removed.len(), scene.truth(&run).len()), (2, 0), "{ran:?}");
        assert!(
            ran.err.contains(" not deleted, but 2 suites removed: ")
                && scene.proxy.count(DELETE) == 0,
            "{ran:?}"
        );
    }
}

#[tokio::test]
async fn suites_that_are_out_are_told_where_the_end_of_the_deletion_is_not_known() {
    let (scene, _, run) = full().await;
    scene.proxy.fault_for(DELETE, Fault::CutBefore);
    let ran = scene.run(&delete(&[run.as_str()], "--empty")).await;
    ran.is(8);
    let id = scene.id(&run);
    says(
        &ran.out,
        &format!("{id} may be deleted, 2 suites removed: no answer"),
    );
    let ran = scene.run("changes resume").await;
    ran.is(8);
    says(&ran.err, &format!("{id} is there, as a reading shows."));
    says(&ran.err, "2 suites were removed from it before.");
}

#[tokio::test]
async fn of_the_requests_that_take_suites_out_a_lost_answer_and_what_a_reading_shows_are_told() {
    let scene = Scene::new(options(|it| it.suites = 900)).await;
    let other = scene.other().await;
    let run = other.add_run("Full").await;
    other.add_suites(&run, &scene.free(&run).await[..21]).await;
    let id = scene.id(&run);
    scene.proxy.fault_for(REMOVE, Fault::CutAfter);
    let ran = scene.run(&delete(&[run.as_str()], "--empty")).await;
    ran.is(0);
    let told: Vec<&str> = ran
        .err
        .lines()
        .filter(|line| line.contains("request"))
        .collect();
    assert_eq!(told.len(), 4, "{told:?}");
    for (told, part) in told.chunks(2).zip(["1 of 2, 20 suites", "2 of 2, 1 suite"]) {
        let part = format!("rundown: {id}: request {part}: ");
        says(told[0], &format!("{part}no answer"));
        assert_eq!(told[1], format!("{part}done, as a reading shows"));
    }
    assert_eq!(scene.document(&run), None);
}

/// Each reading but none of the writes.
#[tokio::test]
async fn a_reading_that_fails_once_is_tried_again_and_a_refusal_names_the_remedy() {
    let (scene, other) = scene().await;
    let run = other.add_run("Mine").await;
    scene.proxy.fault_for(CHECK, Fault::status(503));
    let ran = scene.run(&delete(&[run.as_str()], "")).await;
    ran.is(4);
    says(
        &ran.out,
        "(503): no. Nothing was sent. Try again in a while.",
    );
    scene.proxy.fault_for(DELETE, Fault::status(403));
    let ran = scene.run(&delete(&[run.as_str()], "")).await;
    ran.is(7);
    says(&ran.out, "bars the way; copy: ");
    scene.proxy.fault(Fault::None);
    let calls = || -> Vec<String> {
        let passed = scene.proxy.passed().into_iter().map(|it| it.method);
        passed.filter(|method| method != "token").collect()
    };
    let before = calls().len();
    scene.run(&delete(&[run.as_str()], "")).await.is(0);
    let all = calls().split_off(before);
    let write = all.iter().position(|method| method == DELETE).unwrap();
    for (skip, read) in all[..write].iter().enumerate() {
        let run = other.add_run("Once").await;
        scene.proxy.plan(false, skip, 1, Fault::status(503));
        let ran = scene.run(&delete(&[run.as_str()], "")).await;
        assert_eq!(
            (ran.status, scene.proxy.unplan()),
            (Some(0), 0),
            "{read}: {ran:?}"
        );
    }
}
