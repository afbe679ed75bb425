//! `changes resume`: programs that were killed in the middle of a change, and what is left of it.

use super::scene::{Ran, Scene, line, reaches, signal};
use super::support::Other;
use super::support::served::key;
use crate::support::prelude::*;
use std::fs;
use std::os::unix::process::ExitStatusExt;

const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
const DELETE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const NEVER: Duration = Duration::from_hours(1);
const NEVER_THERE: &str = "runs create --title 'Never there' --version 1.2.0";

async fn many() -> (Scene, Other, DocRef, Vec<DocRef>) {
    let scene = Scene::new(options(|it| it.suites = 900)).await;
    let other = scene.other().await;
    let run = other.add_run("Suites by script").await;
    let free = scene.free(&run).await;
    (scene, other, run, free)
}

fn set(suites: &[DocRef]) -> BTreeSet<DocRef> {
    suites.iter().cloned().collect()
}

/// Starts a change and kills it while the request of this number is out; that one reaches the service after so long.
async fn killed(scene: &Scene, line: &str, method: &str, number: usize, reaches: Duration) {
    let before = scene.proxy.count(method);
    let quick = Duration::from_millis(if number == 1 { 0 } else { 150 });
    let delay = |number_here| {
        if number_here == number {
            reaches
        } else {
            quick
        }
    };
    scene.proxy.fault_for(method, Fault::Delay(delay(1)));
    let mut child = scene.start(line);
    for sent in 1..=number {
        while scene.proxy.count(method) < before + sent {
            assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
            pause(5).await;
        }
        scene.proxy.fault_for(method, Fault::Delay(delay(sent + 1)));
    }
    child.kill().await.unwrap();
    scene.proxy.fault(Fault::None);
}

async fn until(holds: impl Fn() -> bool) {
    let limit = tokio::time::Instant::now() + Duration::from_secs(20);
    while !holds() {
        assert!(tokio::time::Instant::now() < limit, "it did not come about");
        pause(10).await;
    }
}

/// Suites that the requests of this method named, from this one on.
fn named(scene: &Scene, method: &str, from: usize) -> Vec<DocRef> {
    let params = scene.params(method).into_iter().skip(from);
    let suites = params.flat_map(|params| params["testSuiteDocRefs"].as_array().unwrap().clone());
    suites
        .map(|suite| DocRef::parse(suite.as_str().unwrap()).unwrap())
        .collect()
}

fn nothing_left(ran: &Ran) {
    let said = "rundown: no change is left whose end is not known\n";
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), said), "{ran:?}");
}

async fn resume(scene: &Scene, more: &str) -> Ran {
    scene.run(&format!("changes resume {more}")).await
}

/// Whether the request that was out was done or not: what is in effect is not sent again, all else is.
#[tokio::test]
async fn after_a_kill_exactly_what_is_not_in_effect_is_sent() {
    for done in [true, false] {
        let (scene, _, run, free) = many().await;
        let (id, all) = (scene.id(&run), &free[..45]);
        let add = line(&format!("suites add {run}"), all);
        let reaches = if done {
            Duration::from_millis(50)
        } else {
            NEVER
        };
        killed(&scene, &add, ADD, 2, reaches).await;
        let there = if done { 40 } else { 20 };
        until(|| scene.truth(&run).len() == there).await;
        let journal = scene.journal();
        let ran = resume(&scene, "--dry-run").await;
        ran.is(0);
        let first = ran.err.lines().next().unwrap();
        let told = format!(
            "{first}\nrundown: 2 of 3 requests of \"add 45 suites to {id}\" were sent before the program ended.\n\
             rundown: {there} of 45 suites are in {id}, as a reading shows.\nrundown: {} suites are left to be added.\n",
            45 - there
        );
        assert_eq!(ran.err, told);
        assert_eq!(ran.lines().len(), if done { 1 } else { 2 }, "{ran:?}");
        assert_eq!((scene.journal(), scene.proxy.count(ADD)), (journal, 2));
        let ran = resume(&scene, "").await;
        ran.is(0);
        let added = format!("{} suites added to {id}, checked\n", 45 - there);
        assert!(ran.out.ends_with(&added), "{ran:?}");
        lacks(&ran.err, "may be lost");
        assert_eq!(named(&scene, ADD, 2), free[there..45]);
        assert_eq!(scene.truth(&run), set(all));
        nothing_left(&resume(&scene, "").await);
        // What a reading has shown stands in the journal, and all of it can be taken back.
        let steps = scene.steps();
        let first = steps.first().unwrap().last().unwrap();
        assert_eq!(first, "confirmed", "{steps:?}");
        let second = steps[1].last().unwrap();
        assert_eq!(second, if done { "confirmed" } else { "differs" });
    }
}

/// Who empties a run to delete it wants nothing more in it.
#[tokio::test]
async fn nothing_is_added_to_a_run_that_was_to_be_deleted_since() {
    let (scene, other, run, free) = many().await;
    other.add_run("Stays empty").await;
    let id = scene.id(&run);
    let add = line(&format!("suites add {run}"), &free[..23]);
    killed(&scene, &add, ADD, 2, NEVER).await;
    assert_eq!(scene.truth(&run).len(), 20);
    scene.proxy.fault_for("DELETE_TEST_RUN", Fault::CutBefore);
    let delete = format!("runs delete {id} --empty --yes-delete {id}");
    scene.run(&delete).await.is(8);
    scene.proxy.fault(Fault::None);
    assert!(scene.truth(&run).is_empty());
    let (before, ran) = (scene.proxy.count(ADD), resume(&scene, "").await);
    says(
        &ran.err,
        &format!("not sent again: {id} was to be deleted from here since: "),
    );
    assert_eq!(
        (scene.proxy.count(ADD), scene.truth(&run).len()),
        (before, 0)
    );
}

#[tokio::test]
async fn one_suite_is_told_as_one() {
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..1]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    let ran = resume(&scene, "--dry-run").await;
    ran.is(0);
    let told = "were sent before the program ended.\nrundown: 1 suite is left to be added.\n";
    assert!(
        ran.err.ends_with(&told.replace("were", "was")),
        "{}",
        ran.err
    );
}

/// What the service has answered with a yes was in effect: somebody has changed it since, and is not overruled.
#[tokio::test]
async fn what_somebody_put_back_after_an_answer_is_not_taken_out_again() {
    let (scene, other, run, free) = many().await;
    other.add_run("Stays empty").await;
    other.add_suites(&run, &free[..3]).await;
    scene.proxy.fault_for(DELETE, Fault::delay(300));
    let child = scene.start(&line(&format!("suites remove {run}"), &free[..1]));
    until(|| scene.proxy.count(DELETE) == 1).await;
    scene
        .proxy
        .fault_for("GET_AVAILABLE_TEST_SUITES", Fault::status(502));
    Ran::ended(child).await.is(8);
    other.add_suites(&run, &free[..1]).await;
    scene.proxy.fault(Fault::None);
    // So soon after the answer a reading decides nothing.
    let ran = resume(&scene, "").await;
    ran.is(8);
    let told = "1 suite was removed, as the service answered, and in it by this reading: S_3 Security review: time booking. ";
    let behind = "A replica may be behind, or somebody has changed that since. Not sent again.\n";
    says(&ran.err, &(told.to_owned() + behind));
    written_later(&scene, -600_000);
    let ran = resume(&scene, "").await;
    ran.is(0);
    let changed =
        "Somebody may have changed that since. Not sent again: do it anew if it is still wanted.\n";
    says(&ran.err, &(told.to_owned() + changed));
    says(&ran.err, "Nothing is left to be sent.");
    assert_eq!(scene.proxy.count(DELETE), 1);
    assert_eq!(scene.truth(&run), set(&free[..3]));
    nothing_left(&resume(&scene, "").await);
}

/// A replica that does not show what was answered with a yes is no witness for what was lost.
#[tokio::test]
async fn what_was_lost_is_not_sent_again_by_a_reading_that_lacks_what_was_answered() {
    let (scene, other, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..23]);
    killed(&scene, &add, ADD, 2, NEVER).await;
    // As if the list were of before.
    other.remove_suites(&run, &free[..20]).await;
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(
        &ran.err,
        "20 suites were added, as the service answered, and not in it by this reading: ",
    );
    says(
        &ran.err,
        "3 suites are not sent before that is known: look again in 5 minutes.\n",
    );
    // What may still come has no end yet.
    let steps = scene.steps().concat();
    assert!(!steps.contains(&"differs".to_owned()), "{steps:?}");
    assert_eq!(scene.proxy.count(ADD), 2);
    // Nor by a new command, for none of them.
    let again = line(&format!("suites add {run}"), &free[19..25]);
    let words = "not sent: an earlier request from here has added S_";
    scene
        .refuses(
            &again,
            4,
            &[
                words,
                "as the service answered, and no reading has confirmed it",
            ],
        )
        .await;
    assert_eq!((scene.proxy.count(ADD), scene.truth(&run).len()), (2, 0));
    written_later(&scene, -600_000);
    let ran = resume(&scene, "").await;
    ran.is(0);
    assert_eq!(scene.truth(&run), set(&free[20..23]));
}

#[tokio::test]
async fn a_suite_that_was_never_sent_is_not_called_added_because_it_is_not_among_the_free_ones() {
    let (scene, other, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..23]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    other.add_suites(&run, &free[21..22]).await;
    let ran = resume(&scene, "").await;
    ran.is(0);
    let told =
        "1 suite was not sent, and cannot be added any more, perhaps added by somebody else: S_";
    says(&ran.err, told);
    says(&ran.err, "22 suites are left to be added.\n");
    lacks(&ran.err, "as a reading shows");
    assert_eq!(scene.truth(&run), set(&free[..23]));
}

/// A suite was to be removed, and nobody knows what came of it. It was removed later, added again, and has results since.
#[tokio::test]
async fn a_suite_that_was_changed_from_here_later_is_not_sent_again() {
    for adds in [true, false] {
        let (scene, other, run, free) = many().await;
        other.add_run("Stays empty").await;
        if !adds {
            other.add_suites(&run, &free[..3]).await;
        }
        let (method, verbs) = if adds {
            (ADD, ["add", "remove"])
        } else {
            (DELETE, ["remove", "add"])
        };
        let of = |verb: &str, suites: &[DocRef]| line(&format!("suites {verb} {run}"), suites);
        // One of two: the other is still left.
        killed(&scene, &of(verbs[0], &free[..2]), method, 1, NEVER).await;
        for verb in verbs {
            scene.run(&of(verb, &free[..1])).await.is(0);
        }
        let before = scene.truth(&run).contains(&free[0]);
        assert_eq!(before, !adds);
        let ran = resume(&scene, "").await;
        ran.is(0);
        says(
            &ran.err,
            "1 suite was changed from here since, and not sent again: S_3 Security review: time booking.\n",
        );
        says(&ran.err, "1 suite is left to be ");
        assert_eq!(named(&scene, method, 2), free[1..2]);
        assert_eq!(scene.truth(&run).contains(&free[0]), before);
        nothing_left(&resume(&scene, "").await);
        // Where each was changed later, nothing is asked about.
        killed(&scene, &of(verbs[0], &free[..1]), method, 1, NEVER).await;
        let sent = scene.proxy.count(method);
        for verb in verbs {
            scene.run(&of(verb, &free[..1])).await.is(0);
        }
        nothing_left(&resume(&scene, "").await);
        assert_eq!(scene.proxy.count(method), sent + 1);
        assert_eq!(scene.truth(&run).contains(&free[0]), before);
    }
}

#[tokio::test]
async fn a_removal_goes_on_and_can_be_killed_again() {
    let (scene, other, run, free) = many().await;
    // Another run to compare with, so that the suites of this one are known.
    other.add_run("Stays empty").await;
    let (id, all) = (scene.id(&run), &free[..65]);
    let ran = scene.run(&line(&format!("suites add {run}"), all)).await;
    ran.is(0);
    let remove = line(&format!("suites remove {run}"), all);
    killed(&scene, &remove, DELETE, 2, NEVER).await;
    assert_eq!(scene.truth(&run), set(&free[20..65]));
    killed(&scene, "changes resume", DELETE, 2, NEVER).await;
    assert_eq!(scene.truth(&run), set(&free[40..65]));
    let ran = resume(&scene, "").await;
    let sent = format!(
        "2 of 3 requests of \"remove 45 suites from {id}\" were sent before the program ended."
    );
    says(&ran.err, &sent);
    says(&ran.err, "may be lost");
    ran.is(0);
    assert!(
        ran.out
            .ends_with(&format!("25 suites removed from {id}, checked\n")),
        "{ran:?}"
    );
    assert_eq!(scene.truth(&run), BTreeSet::new());
    nothing_left(&resume(&scene, "").await);
}

#[tokio::test]
async fn of_a_deletion_that_came_no_further_than_the_suites_both_halves_are_told() {
    let (scene, other, run, free) = many().await;
    other.add_run("Stays empty").await;
    let (id, all) = (scene.id(&run), &free[..5]);
    let ran = scene.run(&line(&format!("suites add {run}"), all)).await;
    ran.is(0);
    let delete = format!("runs delete {id} --empty --yes-delete {id}");
    killed(&scene, &delete, DELETE, 1, Duration::from_millis(100)).await;
    until(|| scene.truth(&run).is_empty()).await;
    let ran = resume(&scene, "").await;
    for part in [
        format!(
            "1 of 2 requests of \"delete {id} with 5 suites\" was sent before the program ended."
        ),
        format!("5 of 5 suites are out of {id}, as a reading shows."),
        format!("{id} itself is not deleted: delete it anew."),
    ] {
        assert!(ran.err.contains(&part), "{part}: {ran:?}");
    }
    ran.is(0);
    assert_eq!(scene.proxy.count("DELETE_TEST_RUN"), 0);
    nothing_left(&resume(&scene, "").await);
}

#[tokio::test]
async fn the_suites_of_a_deletion_that_did_not_begin_stay_in_the_run() {
    let (scene, other, run, free) = many().await;
    other.add_run("Stays empty").await;
    let (id, all) = (scene.id(&run), &free[..5]);
    let ran = scene.run(&line(&format!("suites add {run}"), all)).await;
    ran.is(0);
    let delete = format!("runs delete {id} --empty --yes-delete {id}");
    killed(&scene, &delete, DELETE, 1, NEVER).await;
    // Nothing is sent that would tell what comes of the request that is out.
    let ran = resume(&scene, "").await;
    ran.is(8);
    let later = "What was sent may still come, for 5 minutes: look again then.";
    says(&ran.err, later);
    written_later(&scene, -600_000);
    let ran = resume(&scene, "").await;
    lacks(&ran.err, later);
    for part in [
        format!("{id} itself is not deleted: delete it anew."),
        "5 suites are still in it.".to_owned(),
    ] {
        says(&ran.err, &part);
    }
    lacks(&ran.err, "may be lost");
    ran.is(0);
    assert_eq!(
        (scene.proxy.count(DELETE), scene.truth(&run)),
        (1, set(all))
    );
    nothing_left(&resume(&scene, "").await);
}

#[tokio::test]
async fn a_new_run_gets_its_suites() {
    for (out, number) in [(ADD, 1), (ADD, 2), ("ADD_DOCUMENT", 1)] {
        let (scene, _, _, free) = many().await;
        let all = &free[..25];
        let title = "Made and left";
        let create = format!("runs create --title '{title}' --version 1.2.0 --suites");
        let create = line(&create, all);
        let reaches = if out == ADD {
            NEVER
        } else {
            Duration::from_millis(50)
        };
        killed(&scene, &create, out, number, reaches).await;
        let database = rusqlite::Connection::open(scene.service.database()).unwrap();
        let made = || {
            let sql = "SELECT count(*) FROM runs WHERE title = ?1";
            database
                .query_row(sql, [title], |row| row.get::<_, i64>(0))
                .unwrap()
        };
        until(|| made() == 1).await;
        let list = scene.json(&format!("runs list --fulltext '{title}'")).await;
        let run = DocRef::parse(list["runs"][0]["ref"].as_str().unwrap()).unwrap();
        // What is written to it from here meanwhile does not make it another one.
        let more = usize::from(out != ADD);
        if more > 0 {
            let add = line(&format!("suites add {run}"), &free[25..26]);
            scene.run(&add).await.is(0);
        }
        let journal = scene.journal();
        assert_eq!(resume(&scene, "--dry-run").await.status, Some(0));
        assert_eq!(scene.journal(), journal, "{out} {number}");
        let ran = resume(&scene, "").await;
        assert_eq!(ran.status, Some(0), "{out} {number}: {ran:?}");
        assert_eq!(made(), 1, "{out} {number}");
        let all = &free[..25 + more];
        assert_eq!(scene.truth(&run), set(all), "{out} {number}");
        assert_eq!(scene.steps()[0].last().unwrap(), "confirmed");
        nothing_left(&resume(&scene, "").await);
    }
}

/// By its title alone a run is not taken for the one that was lost: nothing is added to it unasked.
#[tokio::test]
async fn another_run_of_the_title_is_told_and_gets_no_suites() {
    let (scene, other, _, free) = many().await;
    let again = "runs create --title Nightly --version 1.2.0";
    let create = line(&format!("{again} --suites"), &free[..25]);
    killed(&scene, &create, "ADD_DOCUMENT", 1, NEVER).await;
    scene.run(again).await.is(0);
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(&ran.err, "no new run has this title");
    let theirs = other.add_run("Nightly").await;
    let id = scene.id(&theirs);
    let database = rusqlite::Connection::open(scene.service.database()).unwrap();
    let at = jiff::Timestamp::now().as_millisecond() + 3_600_000;
    for (path, value, why) in [
        (
            "Metadata.CreatedOn",
            json!(at),
            "when it was made leaves it open",
        ),
        (
            "General.Configuration",
            json!("edge"),
            "Configuration is \"edge\" instead of \"\"",
        ),
    ] {
        let sql = "UPDATE docs SET doc = json_set(doc, '$.Root.' || ?2, json(?3)), meta = NULL
                   WHERE seq = (SELECT seq FROM runs WHERE ref = ?1)";
        let changed = database.execute(sql, (key(&theirs), path, value.to_string()));
        assert_eq!(changed.unwrap(), 1);
        let ran = resume(&scene, "").await;
        ran.is(8);
        says(&ran.err, &format!("{id} Nightly may be it: "));
        says(&ran.err, why);
        let adds = line(&format!("rundown suites add {id}"), &free[..20]);
        says(&ran.err, &format!("{adds} …; and then: "));
        let ran = resume(&scene, "--dry-run").await;
        ran.is(8);
        let requests = ran.lines();
        let suites = |at: usize| &requests[at]["params"]["testSuiteDocRefs"];
        assert_eq!(*suites(0), json!(&free[..20]));
        assert_eq!(*suites(1), json!(&free[20..25]));
    }
    let steps = scene.steps();
    assert_eq!(steps[0], ["ADD_DOCUMENT", "sent"], "{steps:?}");
    assert_eq!(scene.proxy.count(ADD), 0);
    assert!(scene.truth(&theirs).is_empty());
}

#[tokio::test]
async fn a_run_that_is_not_found_is_not_made_again() {
    let (scene, ..) = many().await;
    killed(&scene, NEVER_THERE, "ADD_DOCUMENT", 1, NEVER).await;
    for _ in 0..2 {
        let ran = resume(&scene, "").await;
        assert_eq!((ran.status, ran.out.as_str()), (Some(8), ""), "{ran:?}");
        says(&ran.err, "no new run has this title");
    }
    assert_eq!(scene.proxy.count("ADD_DOCUMENT"), 1);
    let ran = resume(&scene, "--dry-run").await;
    let name = ran
        .err
        .split(['\n', ' ', ':'])
        .find(|word| word.len() == 29);
    let name = name.unwrap_or_else(|| panic!("{ran:?}"));
    let forgot = resume(&scene, &format!("'{name}' --forget")).await;
    assert_eq!(forgot.status, Some(0), "{forgot:?}");
    nothing_left(&resume(&scene, "").await);
    resume(&scene, name)
        .await
        .refused(4, &["no change of this name"]);
}

/// They may not fit it: what would not have been added at once is not added later.
#[tokio::test]
async fn the_suites_of_a_new_run_that_is_not_as_asked_are_not_added() {
    let (scene, other, _, free) = many().await;
    let made = other.add_run("Somebody's").await;
    // The list of before passes, the request is answered with another run, and nothing is read afterwards.
    let answer = Fault::Answer(json!({"docRef": made.as_str()}));
    scene.proxy.plan(false, 1, 1, answer);
    scene
        .proxy
        .plan(false, 0, usize::MAX >> 1, Fault::Delay(NEVER));
    let before = scene.proxy.count("GET_DOCUMENT");
    let create = format!(
        "runs create --title Mine --version 1.2.0 --suites {}",
        free[0]
    );
    let mut child = scene.start(&create);
    until(|| scene.proxy.count("GET_DOCUMENT") > before).await;
    child.kill().await.unwrap();
    scene.proxy.unplan();
    let ran = resume(&scene, "").await;
    ran.is(0);
    says(
        &ran.err,
        "It is not as it was asked for: Title is \"Somebody's\"",
    );
    says(&ran.err, ". 1 suite not added.");
    assert_eq!(scene.truth(&made), set(&[]));
    nothing_left(&resume(&scene, "").await);
}

/// One by its name and no other; all of them in the order in which they were begun, and the worst of their ends is told.
#[tokio::test]
async fn of_several_changes_one_is_taken_up_or_each() {
    let (scene, other, first, free) = many().await;
    let last = other.add_run("Another").await;
    let add = |run| line(&format!("suites add {run}"), &free[..2]);
    for (line, method) in [
        (&*add(&first), ADD),
        (NEVER_THERE, "ADD_DOCUMENT"),
        (&*add(&last), ADD),
    ] {
        killed(&scene, line, method, 1, NEVER).await;
    }
    let ran = resume(&scene, &names(&scene)[2]).await;
    ran.is(0);
    let there = || [&first, &last].map(|run| scene.truth(run).len());
    assert_eq!(there(), [0, 2]);
    let ran = resume(&scene, "").await;
    assert_eq!((ran.status, there()), (Some(8), [2, 2]), "{ran:?}");
}

#[tokio::test]
async fn a_change_that_cannot_be_read_hides_no_other() {
    let (scene, _, run, _) = many().await;
    let save = format!("runs modify {run} --title 'New title'");
    for (line, method) in [
        (&*save, "MODIFY_DOCUMENT"),
        (NEVER_THERE, "ADD_DOCUMENT"),
        (&*save, "MODIFY_DOCUMENT"),
        (NEVER_THERE, "ADD_DOCUMENT"),
    ] {
        killed(&scene, line, method, 1, NEVER).await;
    }
    let refused = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"not now"}}"#;
    let fault = Fault::Replace(200, refused.to_vec());
    scene.proxy.fault_for("GET_DOCUMENT", fault);
    let ran = resume(&scene, "").await;
    ran.is(8);
    let names = names(&scene);
    for (place, name) in names.iter().enumerate() {
        let words = match place {
            0 | 2 => format!("{name}: "),
            _ => format!(
                "{name}: not known; to leave it at that: rundown changes resume {name} --forget --profile test"
            ),
        };
        says(&ran.err, &words);
    }
    assert_eq!(ran.err.matches("not now").count(), 2, "{}", ran.err);
    // Where the service is not reached, the next one would not be read either.
    scene.proxy.fault_for("GET_DOCUMENT", Fault::CutBefore);
    let ran = resume(&scene, "--retry 0").await;
    ran.is(4);
    says(&ran.err, &names[0]);
    lacks(&ran.err, &names[1]);
}

/// Moves the times of my changes by so many milliseconds.
pub fn written_later(scene: &Scene, by: i64) {
    let state = scene.home.path().join(".local/state/rundown");
    let path = state.join("journal.ndjson");
    let journal = fs::read_to_string(&path).unwrap();
    let lines = journal.lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["at"] = json!(line["at"].as_i64().unwrap() + by);
        line.to_string() + "\n"
    });
    fs::write(&path, lines.collect::<String>()).unwrap();
}

pub fn names(scene: &Scene) -> Vec<String> {
    let place = scene.home.path().join(".local/state/rundown/under_way");
    let left = fs::read_dir(place).unwrap();
    let names = left.map(|it| it.unwrap().file_name().into_string().unwrap());
    // A killed program leaves its lock.
    let names = names.filter(|name| !name.starts_with('.'));
    names.collect::<BTreeSet<_>>().into_iter().collect()
}

#[tokio::test]
async fn a_reading_is_ended_by_a_signal_at_once() {
    if !reaches(2) {
        return;
    }
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..2]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    for more in ["--dry-run", ""] {
        let before = scene.proxy.count("GET_DOCUMENT");
        scene
            .proxy
            .fault_for("GET_DOCUMENT", Fault::Delay(Duration::from_secs(25)));
        let child = scene.start(&format!("changes resume {more}"));
        scene.until_passed("GET_DOCUMENT", before + 1).await;
        let begun = Instant::now();
        signal(&child, "-INT").await;
        let ended = child.wait_with_output().await.unwrap();
        assert_eq!(ended.status.signal(), Some(2), "{more}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{more}");
        scene.proxy.fault(Fault::None);
    }
    assert_eq!(scene.proxy.count(ADD), 1);
}

/// The first one came out whole: that is not the end of the command.
#[tokio::test]
async fn changes_that_a_signal_kept_from_being_tried_are_told() {
    let (scene, other, first, free) = many().await;
    let second = other.add_run("Second").await;
    for run in [&first, &second] {
        let add = line(&format!("suites add {run}"), &free[..2]);
        killed(&scene, &add, ADD, 1, NEVER).await;
    }
    // In the last request of the first, and in the reading of the second.
    scene.proxy.fault_for(ADD, Fault::delay(700));
    let child = scene.start("changes resume --quiet");
    scene.until_passed(ADD, 3).await;
    signal(&child, "-TERM").await;
    let ran = Ran::ended(child).await;
    ran.is(4);
    says(&ran.err, "1 change not tried: stopped by a signal");
    assert_eq!(scene.truth(&first).len(), 2);
    assert_eq!((names(&scene).len(), scene.proxy.count(ADD)), (1, 3));
    scene.proxy.fault(Fault::None);
    resume(&scene, "").await.is(0);
    assert_eq!(scene.truth(&second).len(), 2);
}

#[tokio::test]
async fn a_run_that_is_closed_or_gone_by_now_is_told() {
    let (scene, other, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..45]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    let id = scene.id(&run);
    let status = |status| format!("runs modify {id} --status {status}");
    scene.run(&status("inactive")).await.is(0);
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(&ran.err, "closed by now");
    scene.run(&status("active")).await.is(0);
    let gone = format!("runs delete {id} --yes-delete {id}");
    scene.run(&gone).await.is(0);
    let ran = resume(&scene, "").await;
    ran.is(4);
    says(&ran.err, &format!("{id} is gone by now"));
    assert_eq!(scene.steps()[0], [ADD, "sent", "differs"]);
    nothing_left(&resume(&scene, "").await);
    assert_eq!(scene.proxy.count(ADD), 1);
    drop(other);
}

/// The project in use does not find their runs, which proves nothing of them.
#[tokio::test]
async fn a_change_of_another_project_is_named_and_neither_judged_nor_let_be() {
    let (scene, other, run, free) = many().await;
    let kept = other.add_run("Stays").await;
    let (id, kept) = (scene.id(&run), scene.id(&kept));
    let add = line(&format!("suites add {run}"), &free[..45]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    let delete = format!("runs delete {kept} --yes-delete {kept}");
    killed(&scene, &delete, "DELETE_TEST_RUN", 1, NEVER).await;
    let journal = scene.journal();
    let there = "--project P_12 --subproject _";
    let where_to_go = "it was made in P_9/SP_1: change to that project first";
    for more in ["", "--dry-run"] {
        let ran = resume(&scene, &format!("{there} {more}")).await;
        ran.is(0);
        says(&ran.err, &format!("add 45 suites to {id}"));
        // Of the one request of the deletion no number is told.
        says(&ran.err, &format!("\"delete {kept}\" was sent"));
        assert_eq!(ran.err.matches(where_to_go).count(), 2, "{ran:?}");
        lacks(&ran.err, "no change is left");
    }
    let ran = resume(&scene, "--dry-run").await;
    let name = ran.err.split([' ', ':']).find(|word| word.len() == 29);
    for more in ["", "--forget"] {
        resume(&scene, &format!("{} {there} {more}", name.unwrap()))
            .await
            .refused(4, &[where_to_go]);
    }
    // Nor does another service of the same profile, whose runs have other references.
    let config = scene.config();
    let base = config
        .lines()
        .find(|line| line.starts_with("base_url"))
        .unwrap();
    scene.write_config(&config.replace(base, "base_url = \"http://127.0.0.1:9/api\""));
    let there = "/api, and this profile is at http://127.0.0.1:9/api";
    let ran = resume(&scene, "").await;
    ran.is(0);
    assert_eq!(ran.err.matches(there).count(), 2, "{ran:?}");
    lacks(&ran.err, "no change is left");
    resume(&scene, name.unwrap()).await.refused(4, &[there]);
    assert_eq!(scene.journal(), journal);
    // A service may have moved for good: one that is named is let be from there.
    let both = scene.home.path().join(".local/state/rundown/under_way");
    let changes = |folder: &Path| fs::read_dir(folder).unwrap().count();
    let saved = scene.home.path().join("saved");
    fs::create_dir(&saved).unwrap();
    for file in fs::read_dir(&both).unwrap().flatten() {
        fs::copy(file.path(), saved.join(file.file_name())).unwrap();
    }
    let before = changes(&both);
    resume(&scene, &format!("{} --forget", name.unwrap()))
        .await
        .is(0);
    assert_eq!(changes(&both), before - 1);
    for file in fs::read_dir(&saved).unwrap().flatten() {
        fs::copy(file.path(), both.join(file.file_name())).unwrap();
    }
    scene.write_config(&config);
    assert_eq!(scene.journal(), journal);
    // The whole project reaches the runs of its sub projects.
    let ran = resume(&scene, "--project P_9 --subproject _").await;
    ran.is(8);
    says(&ran.err, &format!("{kept} is there, as a reading shows."));
    assert_eq!(scene.truth(&run), set(&free[..45]));
}

/// A replica that is behind does not find a run that is there.
#[tokio::test]
async fn a_run_is_gone_only_if_list_and_document_show_it() {
    let (scene, _, run, free) = many().await;
    let id = scene.id(&run);
    let add = line(&format!("suites add {run}"), &free[..45]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    let journal = scene.journal();
    let error = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":""}}"#;
    let behind = Fault::Replace(200, error.to_vec());
    scene.proxy.fault_for("GET_DOCUMENT", behind);
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(
        &ran.err,
        &format!("{id} is not found, which does not show that it is gone"),
    );
    assert_eq!(scene.journal(), journal);
    scene.proxy.fault(Fault::None);
    resume(&scene, "").await.is(0);
    assert_eq!(scene.truth(&run), set(&free[..45]));
}

/// Saved or deleted: a reading tells, and nothing is sent.
#[tokio::test]
async fn a_save_and_a_deletion_are_read_and_never_sent_again() {
    for (reaches, status) in [(Duration::from_millis(50), 0), (NEVER, 8)] {
        let (scene, _, run, _) = many().await;
        let id = scene.id(&run);
        let save = format!("runs modify {id} --title 'New title'");
        killed(&scene, &save, "MODIFY_DOCUMENT", 1, reaches).await;
        let title = || {
            scene
                .document(&run)
                .map(|it| it["Root"]["General"]["Title"].clone())
        };
        until(|| status == 8 || title().unwrap() == "New title").await;
        let ran = resume(&scene, "").await;
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(status), ""),
            "{ran:?}"
        );
        says(&ran.err, &format!("\"save {id}"));
        let delete = format!("runs delete {id} --yes-delete {id}");
        killed(&scene, &delete, "DELETE_TEST_RUN", 1, reaches).await;
        until(|| status == 8 || title().is_none()).await;
        let ran = resume(&scene, "").await;
        assert_eq!(
            (ran.status, ran.out.as_str()),
            (Some(status), ""),
            "{ran:?}"
        );
        let how = if status == 0 { "gone" } else { "there" };
        says(&ran.err, &format!("{id} is {how}, as a reading shows."));
        lacks(&ran.err, "removed from it");
        let writes = ["MODIFY_DOCUMENT", "DELETE_TEST_RUN"];
        assert_eq!(writes.map(|write| scene.proxy.count(write)), [1, 1]);
    }
}

#[tokio::test]
async fn what_was_removed_from_a_run_that_is_still_there_is_told() {
    let (scene, other, run, free) = many().await;
    other.add_run("Stays empty").await;
    let add = line(&format!("suites add {run}"), &free[..1]);
    scene.run(&add).await.is(0);
    let id = scene.id(&run);
    let delete = format!("runs delete {id} --empty --yes-delete {id}");
    killed(&scene, &delete, "DELETE_TEST_RUN", 1, NEVER).await;
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(&ran.err, &format!("{id} is there, as a reading shows."));
    says(&ran.err, "1 suite was removed from it before.");
}

/// The later save began with what the service had, so nothing is left to find out of the one before.
#[tokio::test]
async fn a_save_of_unknown_end_is_over_once_the_run_was_saved_again() {
    let (scene, _, run, _) = many().await;
    let id = scene.id(&run);
    let save = |title: &str| format!("runs modify {id} --title '{title}'");
    // What was saved before says nothing of it.
    scene.run(&save("Before")).await.is(0);
    killed(&scene, &save("Lost"), "MODIFY_DOCUMENT", 1, NEVER).await;
    resume(&scene, "").await.is(8);
    // One that is refused says nothing of it.
    scene.proxy.fault_for("MODIFY_DOCUMENT", Fault::status(404));
    scene.run(&save("Refused")).await.is(7);
    scene.proxy.fault(Fault::None);
    resume(&scene, "").await.is(8);
    // One of other fields is not sent before.
    let other = format!("runs modify {id} --description 'Other'");
    scene.run(&other).await.is(4);
    resume(&scene, "").await.is(8);
    scene.run(&save("Saved")).await.is(0);
    nothing_left(&resume(&scene, "").await);
}

/// However many writes came after it, it is offered; one of which nothing is written is named, and can be let be.
#[tokio::test]
async fn a_change_of_long_ago_is_not_forgotten() {
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..5]);
    killed(&scene, &add, ADD, 1, NEVER).await;
    let text = scene.journal();
    let name = text.split('"').find(|word| word.len() == 29).unwrap();
    let more: String = (0..600)
        .map(|at| text.replace(name, &format!("{at:012x}-{at:016x}")))
        .collect();
    let file = scene
        .home
        .path()
        .join(".local/state/rundown/journal.ndjson");
    fs::write(&file, format!("{text}{more}")).unwrap();
    let ran = resume(&scene, "").await;
    ran.is(0);
    assert_eq!(scene.truth(&run), set(&free[..5]));
    nothing_left(&resume(&scene, "").await);
    killed(&scene, NEVER_THERE, "ADD_DOCUMENT", 1, NEVER).await;
    fs::write(&file, more).unwrap();
    let ran = resume(&scene, "").await;
    ran.is(8);
    says(&ran.err, "has sent is not known any more: look for it in ");
    says(&ran.err, "journal.ndjson");
    let name = ran.err.split([' ', ':']).rfind(|word| word.len() == 29);
    let forget = format!("{} --forget", name.unwrap());
    resume(&scene, &forget).await.is(0);
    nothing_left(&resume(&scene, "").await);
}

/// What another program is at is none of ours, and a change whose end was told is over.
#[tokio::test]
async fn what_is_under_way_or_over_is_not_left() {
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..45]);
    let readings = || {
        let read = scene.params("GET_AVAILABLE_TEST_SUITES");
        read.iter().filter(|it| it["page"]["offset"] == 0).count()
    };
    let before = readings();
    scene.proxy.fault_for(ADD, Fault::delay(1_000));
    let child = scene.start(&add);
    until(|| scene.proxy.count(ADD) == 1).await;
    nothing_left(&resume(&scene, "").await);
    scene.proxy.fault_for(ADD, Fault::status(404));
    let ran = Ran::ended(child).await;
    ran.is(1);
    says(&ran.out, "request 2 of 3, 20 suites: refused");
    // Before, and after; all that was sent being in effect, nothing is waited for.
    assert_eq!(readings() - before, 2);
    scene.proxy.fault(Fault::None);
    nothing_left(&resume(&scene, "").await);
    assert_eq!(scene.truth(&run), set(&free[..20]));
}

/// A reading that shows no effect says the same: the end stays known.
#[tokio::test]
async fn what_was_refused_stays_refused() {
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..25]);
    scene.proxy.fault_for(ADD, Fault::delay(300));
    let child = scene.start(&add);
    until(|| scene.proxy.count(ADD) == 1).await;
    scene.proxy.fault_for(ADD, Fault::status(404));
    until(|| scene.proxy.count(ADD) == 2).await;
    let read = "GET_AVAILABLE_TEST_SUITES";
    scene.proxy.fault_for(read, Fault::status(502));
    Ran::ended(child).await.is(8);
    scene.proxy.fault(Fault::None);
    resume(&scene, "").await.is(0);
    let steps = scene.steps();
    assert_eq!(steps[0].last().unwrap(), "confirmed", "{steps:?}");
    assert_eq!(steps[1].last().unwrap(), "refused", "{steps:?}");
    assert_eq!(scene.truth(&run), set(&free[..25]));
}

/// The answer was lost and nothing could be read: nobody was killed, and it is looked at again all the same.
#[tokio::test]
async fn a_change_of_unknown_end_is_looked_at_later() {
    let (scene, _, run, free) = many().await;
    let add = line(&format!("suites add {run}"), &free[..25]);
    let read = "GET_AVAILABLE_TEST_SUITES";
    scene.proxy.fault_for(ADD, Fault::delay(300));
    let child = scene.start(&add);
    until(|| scene.proxy.count(ADD) == 2).await;
    scene.proxy.fault_for(read, Fault::status(502));
    let ran = Ran::ended(child).await;
    ran.is(8);
    let ran = resume(&scene, "").await;
    ran.is(4);
    scene.proxy.fault(Fault::None);
    let ran = resume(&scene, "").await;
    ran.is(0);
    says(&ran.err, "Nothing is left to be sent.");
    assert_eq!(scene.proxy.count(ADD), 2);
    nothing_left(&resume(&scene, "").await);
}

/// Several runs are made from a form only: the journal of one is given the note that another was to follow.
#[tokio::test]
async fn runs_that_were_to_be_made_after_it_are_told_with_the_way_to_them() {
    for reaches in [Duration::from_millis(50), NEVER] {
        let (scene, _, _, free) = many().await;
        let create = "runs create --title 'One of two' --version 1.2.0 --suites";
        killed(&scene, &line(create, &free[..25]), ADD, 2, reaches).await;
        let list = scene.json("runs list --fulltext 'One of two'").await;
        let run = DocRef::parse(list["runs"][0]["ref"].as_str().unwrap()).unwrap();
        until(|| scene.truth(&run).len() == if reaches == NEVER { 20 } else { 25 }).await;
        let note = "\"suites to add\":";
        let journal = scene.journal();
        assert_eq!(journal.matches(note).count(), 1, "{journal}");
        let path = scene
            .home
            .path()
            .join(".local/state/rundown/journal.ndjson");
        let more = journal.replace(note, &format!("\"runs after it\":[\"Two of two\"],{note}"));
        fs::write(path, more).unwrap();
        let told = "1 more run was not made: the form was kept as a draft (Ctrl-g on the screen).";
        let ran = resume(&scene, "--dry-run").await;
        says(&ran.err, told);
        lacks(&ran.err, "Nothing is left");
        // Whoever makes it from the draft is not told that it was not made.
        let two = "runs create --title 'Two of two' --version 1.2.0";
        scene.run(two).await.is(0);
        let ran = resume(&scene, "").await;
        ran.is(0);
        lacks(&ran.err, "not made");
        assert_eq!(scene.truth(&run), set(&free[..25]));
    }
}

/// A program that ended by itself did not end in between.
#[tokio::test]
async fn of_a_change_whose_first_request_had_no_effect_it_says_that_and_nothing_of_an_end() {
    let (scene, _, run, free) = many().await;
    // The run and its free suites are read before.
    let add = line(&format!("suites add {run}"), &free[..23]);
    let calls = || scene.proxy.passed().len();
    let before = calls();
    let dry = scene.run(&format!("{add} --dry-run")).await;
    dry.is(0);
    let reads = calls() - before;
    let answered = Fault::Answer(json!([]));
    scene.proxy.plan(false, reads, 1, answered);
    scene.run(&add).await;
    assert_eq!(scene.proxy.unplan(), 0);
    let ran = resume(&scene, "--dry-run").await;
    says(&ran.err, "were sent, and what came of it is not known");
    lacks(&ran.err, "before the program ended");
}
