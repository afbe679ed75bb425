//! Making runs.

use crate::support::prelude::*;
use rundown::domain::Created;
use tokio::sync::Notify;

use super::bench::{Bench, LIMIT, create_of, names, new_run, note, otherwise, saved, why};

const ADD: &str = "ADD_DOCUMENT";
const ADD_SUITES: &str = "ADD_TEST_SUITES_TO_RUN";

/// A run that is there as it was sent, and what became of its suites.
fn made(end: &Created) -> (DocRef, Option<&Outcome>) {
    (saved(&end.run).doc_ref().clone(), end.suites.as_ref())
}

/// A run that was not sent, for this reason.
fn not_sent(why: &str) -> Created {
    let (run, suites) = (Outcome::not_sent(Why::Stopped, why), None);
    Created { run, suites }
}

#[tokio::test]
async fn a_run_is_made_with_exactly_the_documented_fields_and_read_back() {
    let mut bench = Bench::new().await;
    let create = create_of(&["New \"one\" 日本"], &[]).with(|it| it.origin = "clone of R_4".into());
    let ends = bench.create(create).await;
    let (run, suites) = made(&ends[0]);
    assert!(suites.is_none());
    let general = json!({
        "ProjectId": "P_9", "ProjectVersionNumber": "1.2.0", "SubprojectId": "SP_1", "Status": "active",
        "Title": "New \"one\" 日本", "Configuration": "qftest, chrome", "Description": "Line one\n\nÜbergabe 日本語"
    });
    let wanted = json!({
        "document": {"Root": {"General": general, "Attachments": []}},
        "documentModelName": "TestRun-dm", "locale": "en"
    });
    assert_eq!(bench.params(ADD), std::slice::from_ref(&wanted));
    for field in RunField::ALL {
        assert_eq!(
            bench.field(&run, field),
            general[field.name()].as_str().unwrap(),
            "{field:?}"
        );
    }
    let journal = bench.one_confirmed();
    assert_eq!(
        journal[0].request(),
        Some((ADD, &wanted)),
        "what was sent is what was written down"
    );
    let note = note(&journal[0]);
    assert_eq!(
        (&note["origin"], note.as_object().unwrap().len()),
        (&json!("clone of R_4"), 2)
    );
    assert!(note["newest run before it"].as_i64().unwrap() < journal[0].at);
    assert_eq!(journal[0].run, run.as_str());
    assert_eq!(bench.writes(), [ADD]);
}

#[tokio::test]
async fn no_sub_project_and_a_closed_run_are_read_back_as_sent() {
    let mut bench = Bench::with(Options::default(), |profile| profile.subproject_id = None).await;
    let run = new_run("Closed from the start")
        .with(RunField::Status, "inactive")
        .with(RunField::SubprojectId, "");
    let create = create_of(&[], &[]).with(|it| it.runs = vec![run]);
    let (run, _) = made(&bench.create(create).await[0]);
    assert_eq!(
        (
            bench.field(&run, RunField::Status),
            bench.field(&run, RunField::SubprojectId)
        ),
        ("inactive".into(), "_".into())
    );
}

#[tokio::test]
async fn several_runs_get_the_same_suites_one_after_the_other() {
    let mut bench = Bench::new().await;
    let sample = bench.theirs("Sample").await;
    let suites: Vec<DocRef> = bench.free(&sample).await.into_iter().take(3).collect();
    let ends = bench
        .create(create_of(&["Matrix chrome", "Matrix firefox"], &suites))
        .await;
    for end in &ends {
        let (run, added) = made(end);
        assert!(added.is_some_and(Outcome::is_complete), "{added:?}");
        assert_eq!(bench.suites(&run), suites.iter().cloned().collect());
    }
    assert_eq!(bench.titles("Matrix"), ["Matrix chrome", "Matrix firefox"]);
    assert_eq!(bench.writes(), [ADD, ADD_SUITES, ADD, ADD_SUITES]);
    let lines = bench.beside.iter().filter_map(|event| match event {
        Event::Answer(_, Answer::ChangeStep(step)) if step.good => Some(step.words.as_str()),
        _ => None,
    });
    let lines: Vec<&str> = lines.collect();
    let each = ["1", "2"].map(|number| format!("{number}. request 1 of 1, 3 suites: done"));
    assert_eq!(lines, each, "{:?}", bench.beside);
    let journal = bench.journal();
    assert!(
        journal
            .iter()
            .all(|write| names(write) == ["sent", "answered", "confirmed"]),
        "{journal:?}"
    );
    let kept: Vec<String> = suites
        .iter()
        .map(|suite| format!("name of {suite}"))
        .collect();
    let job = journal[0].write.as_str();
    assert_eq!(note(&journal[1]), json!({"suites": kept, "job": job}));
    assert_eq!(journal[1].run, made(&ends[0]).0.as_str());
}

/// Whoever waits for the second sees that the first is there.
#[tokio::test]
async fn a_run_is_told_with_its_suites_before_the_next_one_goes_out() {
    let mut bench = Bench::new().await;
    let first = bench.make("Source", &[]).await.doc_ref().clone();
    let suites = bench.free(&first).await[..2].to_vec();
    let let_go = Arc::new(Notify::new());
    bench.proxy.fault_for(ADD, Fault::Hold(Arc::clone(&let_go)));
    let id = bench.start_create(create_of(&["One", "Two"], &suites));
    let_go.notify_one();
    let ends = bench.created(id, 1).await;
    assert!(made(&ends[0]).1.unwrap().is_complete(), "{ends:?}");
    assert!(bench.titles("Two").is_empty());
    let_go.notify_one();
    made(&bench.created(id, 1).await[0]);
}

#[tokio::test]
async fn a_refused_run_keeps_the_rest_from_being_sent() {
    let mut bench = Bench::new().await;
    let ends = bench.create(create_of(&["One", " ", "Three"], &[])).await;
    made(&ends[0]);
    let refused = why(&ends[1].run, End::Refused);
    says(refused, "refused: invalid input (-32002)");
    assert_eq!(ends[2], not_sent("not sent, because run 2 of 3 went wrong"));
    assert_eq!(bench.writes(), [ADD, ADD]);
    assert_eq!(bench.steps(), ["sent", "unknown", "refused"]);
    assert_eq!(
        (bench.titles("One").len(), bench.titles("Three").len()),
        (1, 0)
    );
}

#[tokio::test]
async fn suites_that_do_not_go_in_keep_the_rest_from_being_sent() {
    let mut bench = Bench::new().await;
    let foreign = [DocRef::parse("TestSuite-dm/999999").unwrap()];
    let ends = bench.create(create_of(&["One", "Two"], &foreign)).await;
    let (run, added) = made(&ends[0]);
    let added = added.unwrap();
    assert_eq!((added.end, added.done_parts()), (End::Refused, Vec::new()));
    assert!(bench.suites(&run).is_empty());
    assert_eq!(ends[1], not_sent("not sent, because run 1 of 2 went wrong"));
    assert_eq!(bench.writes(), [ADD, ADD_SUITES]);
}

#[tokio::test]
async fn a_replica_that_is_behind_is_waited_for() {
    let mut bench = Bench::of(options(|it| it.lag = Duration::from_millis(800))).await;
    let sample = bench.theirs("Sample").await;
    let suites: Vec<DocRef> = bench.free(&sample).await.into_iter().take(2).collect();
    let ends = bench.create(create_of(&["Late"], &suites)).await;
    let (run, added) = made(&ends[0]);
    assert!(added.is_some_and(Outcome::is_complete), "{added:?}");
    assert_eq!(bench.suites(&run).len(), 2);
    assert_eq!(bench.writes(), [ADD, ADD_SUITES]);
}

#[tokio::test]
async fn a_run_that_cannot_be_read_back_is_not_sure_and_gets_no_suites() {
    let mut bench = Bench::new().await;
    let sample = bench.theirs("Sample").await;
    let suites: Vec<DocRef> = bench.free(&sample).await.into_iter().take(1).collect();
    bench.proxy.fault_for("GET_DOCUMENT", Fault::CutBefore);
    let ends = bench.create(create_of(&["Unread", "Next"], &suites)).await;
    let what = why(&ends[0].run, End::Unknown);
    let run = &ends[0].run.parts[0].of;
    says(what, "could not be read");
    assert_eq!(bench.field(run, RunField::Title), "Unread");
    assert_eq!(ends[1], not_sent("not sent, because run 1 of 2 went wrong"));
    assert_eq!(bench.writes(), [ADD]);
    assert_eq!(bench.steps(), ["sent", "answered"]);
    assert_eq!(
        bench.journal()[0].run,
        run.as_str(),
        "the answer gives it its reference"
    );
}

#[tokio::test]
async fn a_run_that_is_not_as_it_was_sent_is_not_sure() {
    let mut bench = Bench::new().await;
    let reads = bench.proxy.count("GET_DOCUMENT");
    bench.proxy.fault_for("GET_DOCUMENT", Fault::delay(400));
    let id = bench.start_create(create_of(&["As sent"], &[]));
    bench.until_passed("GET_DOCUMENT", reads + 1).await;
    let run = DocRef::parse(
        bench.params("GET_DOCUMENT").last().unwrap()["docRef"]
            .as_str()
            .unwrap(),
    )
    .unwrap();
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Configuration"] = "theirs".into();
    });
    let ends = bench.created(id, 1).await;
    let (what, _) = otherwise(&ends[0].run, End::Done);
    says(
        what,
        "Configuration is \"theirs\" instead of \"qftest, chrome\"",
    );
    assert_eq!(bench.steps(), ["sent", "answered", "differs"]);
}

#[tokio::test]
async fn ctrl_c_stops_before_the_next_run() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for(ADD, Fault::delay(400));
    let id = bench.start_create(create_of(&["First", "Second", "Third"], &[]));
    bench.until_passed(ADD, 1).await;
    bench.send(|_| Effect::Cancel(id));
    let ends = bench.created(id, 3).await;
    made(&ends[0]);
    assert_eq!(ends[1..], vec![not_sent("not sent, stopped"); 2]);
    assert_eq!(bench.writes(), [ADD]);
}

#[tokio::test]
async fn ctrl_c_before_the_request_stops_it() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for("LIST_TEST_RUNS", Fault::delay(1_000));
    let id = bench.start_create(create_of(&["First"], &[]));
    bench.until_passed("LIST_TEST_RUNS", 1).await;
    bench.send(|_| Effect::Cancel(id));
    let ends = bench.created(id, 1).await;
    assert_eq!(ends, vec![not_sent("not sent, stopped")]);
    assert!(bench.writes().is_empty() && bench.journal().is_empty());
}

#[tokio::test]
async fn ctrl_c_while_the_request_is_written_down_stops_it() {
    let mut bench = Bench::new().await;
    let before = bench.create(create_of(&["Before"], &[])).await;
    let begun = bench.folder.path().join("under_way");
    let is_begun = || std::fs::read_dir(&begun).unwrap().count() > 0;
    let end = Instant::now() + LIMIT;
    while is_begun() {
        assert!(Instant::now() < end, "it never ends");
        pause(5).await;
    }
    let journal = bench.folder.path().join("journal.ndjson");
    let file = std::fs::File::open(journal).unwrap();
    file.lock().unwrap();
    let id = bench.start_create(create_of(&["First"], &[]));
    while !is_begun() {
        assert!(Instant::now() < end, "nothing was begun");
        pause(5).await;
    }
    bench.send(|_| Effect::Cancel(id));
    // What is asked for after it is answered after it was taken.
    bench.read(&made(&before[0]).0).await;
    file.unlock().unwrap();
    let ends = bench.created(id, 1).await;
    assert_eq!(ends, vec![not_sent("not sent, stopped")]);
    assert_eq!(bench.writes(), [ADD]);
    let journal = bench.journal();
    let last = &journal[1].steps;
    let not_sent = |step: &Recorded| matches!(step, Recorded::Refused { sent: false, .. });
    assert!(last.len() == 2 && not_sent(&last[1].step), "{last:?}");
}

#[tokio::test]
async fn a_read_only_profile_makes_nothing() {
    let mut bench = Bench::with(Options::default(), |profile| profile.read_only = true).await;
    let ends = bench.create(create_of(&["A", "B"], &[])).await;
    assert_eq!(ends.len(), 2);
    for end in &ends {
        says(why(&end.run, End::NotSent(Why::Impossible)), "read-only");
    }
    assert!(bench.writes().is_empty() && bench.journal().is_empty());
}
