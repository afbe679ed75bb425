//! Changes of fields while somebody else writes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rundown::domain::{DocRef, Document, End, Outcome, RunField};
use rundown::local_service::Options;
use rundown::store::{Effect, Event, RequestId};
use serde_json::{Value, json};

use super::bench::{Bench, modify_of, moved, names, otherwise, saved, together};
use super::scene::Scene;
use super::support::proxy::Fault;
use super::support::scripted::Say;

/// Changes the title and has somebody else write before it is read again.
async fn followed_by(who: &str, change: impl FnOnce(&mut Value)) -> (Bench, DocRef, Outcome) {
    with_others(&[(RunField::Title, "Mine")], who, change).await
}

/// Makes a change and has somebody else write before it is read again.
async fn with_others(
    fields: &[(RunField, &str)],
    who: &str,
    change: impl FnOnce(&mut Value),
) -> (Bench, DocRef, Outcome) {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let run = reviewed.doc_ref().clone();
    let reads = bench.proxy.count("GET_DOCUMENT");
    bench
        .proxy
        .fault_for("GET_DOCUMENT", Fault::Delay(Duration::from_millis(400)));
    let id = bench.start_modify(&reviewed, fields);
    // The reading after the write waits at the proxy.
    bench.until_passed("GET_DOCUMENT", reads + 2).await;
    assert_eq!(bench.field(&run, RunField::Title), "Mine");
    bench.edit(&run, who, change);
    let end = bench.modified(id).await;
    (bench, run, end)
}

#[tokio::test]
async fn a_change_of_another_field_right_after_is_named() {
    let (bench, run, end) = followed_by("mai", |document| {
        document["Root"]["General"]["Description"] = "theirs".into();
    })
    .await;
    let (what, document) = otherwise(&end, End::Done);
    assert!(
        what.contains("besides the new values these differ: Root.General.Description"),
        "{what}"
    );
    assert!(what.contains("last edited by mai"), "{what}");
    assert_eq!(
        document.text("Root.General.Description").as_deref(),
        Some("theirs")
    );
    assert_eq!(
        (bench.field(&run, RunField::Title), bench.steps()),
        ("Mine".into(), vec!["sent", "answered", "differs"])
    );
}

#[tokio::test]
async fn a_change_of_the_same_field_right_after_is_named() {
    let (bench, run, end) = followed_by("mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    })
    .await;
    let (what, _) = otherwise(&end, End::Unknown);
    assert!(
        what.contains("Title is \"Theirs\" instead of \"Mine\"") && what.contains("mai"),
        "{what}"
    );
    assert_eq!(bench.field(&run, RunField::Title), "Theirs");
}

#[tokio::test]
async fn a_change_of_one_of_the_fields_leaves_the_other_in_effect() {
    let fields = [
        (RunField::Title, "Mine"),
        (RunField::Configuration, "firefox"),
    ];
    let (bench, run, end) = with_others(&fields, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    })
    .await;
    let (what, _) = otherwise(&end, End::Done);
    assert!(
        what.contains("Title is \"Theirs\" instead of \"Mine\"") && !what.contains("Config"),
        "{what}"
    );
    assert_eq!(bench.field(&run, RunField::Configuration), "firefox");
}

#[tokio::test]
async fn a_signature_without_a_change_is_mentioned() {
    let (_, _, end) = followed_by("bot", |_| {}).await;
    saved(&end);
    assert!(end.why.contains("last edited by bot"), "{end:?}");
}

#[tokio::test]
async fn members_that_the_service_itself_changes_are_no_alarm() {
    let (_, _, end) = followed_by("qa", |document| {
        document["Root"]["General"]["Revision"] = json!(8);
    })
    .await;
    saved(&end);
    let also = "the service has also changed Root.General.Revision";
    assert!(end.why.contains(also), "{end:?}");
}

/// A run at a scripted service, by version: 0 before, 1 theirs, 2 mine.
fn version(number: usize) -> Value {
    let (title, description, who) = [
        ("Before", "", "qa"),
        ("Before", "theirs", "mai"),
        ("Mine", "", "qa"),
    ][number];
    json!({
        "docRef": "TestRun-dm/7", "documentModelName": "TestRun-dm",
        "document": {"Root": {
            "General": {"Title": title, "Description": description, "Configuration": "", "Status": "active",
                "ProjectId": "P_9", "SubprojectId": "SP_1", "ProjectVersionNumber": "1.2.0", "Id": "R_7"},
            "Metadata": {"CreatedBy": "qa", "EditedBy": who, "EditedOn": 1_000 + number}, "Attachments": []
        }},
        "__meta": {"creator": "qa", "modifier": who, "modifiedAt": "2026-11-20T09:41:12", "docRef": "TestRun-dm/7"}
    })
}

#[tokio::test]
async fn a_change_that_was_written_over_is_named_when_a_lagging_reading_shows_it() {
    // What is read: before, before (a replica is behind), theirs, mine.
    let shown = [0, 0, 1, 2];
    let reads = AtomicUsize::new(0);
    let mut scene = Scene::new(move |seen, _| match seen.method().as_str() {
        "GET_DOCUMENT" => Say::result(
            seen,
            &version(shown[reads.fetch_add(1, Ordering::SeqCst).min(3)]),
        ),
        _ => Say::result(seen, &Value::Null),
    })
    .await;
    let reviewed = Document::from_value(version(0)).unwrap();
    let modify = Box::new(modify_of(&reviewed, &[(RunField::Title, "Mine")], None));
    let came = |event| {
        if let Event::Modified { end, .. } = event {
            Some(end)
        } else {
            None
        }
    };
    let end = scene
        .after(
            Effect::Modify {
                id: RequestId(1),
                modify,
            },
            came,
        )
        .await;
    let (what, _) = otherwise(&end, End::Done);
    assert!(
        what.contains(
            "it went over a change that mai made in the same moment: Description \"theirs\""
        ),
        "{what}"
    );
    assert_eq!(names(&scene.journal()[0]), ["sent", "answered", "differs"]);
}

#[tokio::test]
async fn while_a_second_writer_works_every_save_is_told_truly_and_nothing_of_theirs_is_lost() {
    together(
        [Duration::ZERO, Duration::from_millis(300)].map(async |lag| {
            among_others(lag).await;
        }),
    )
    .await;
}

async fn among_others(lag: Duration) {
    let every = Duration::from_millis(15);
    // Few runs, so that the other one often writes the same.
    let mut bench = Bench::of(Options {
        second_writer: Some(every),
        lag,
        runs: 12,
        ..Options::default()
    })
    .await;
    let run = bench.first_open_run();
    let (mut others, mut rounds) = (0, 0);
    for round in 0..4 {
        let title = format!("Round {round}");
        loop {
            let reviewed = bench.read(&run).await;
            // A person needs a moment to read.
            tokio::time::sleep(Duration::from_millis(60)).await;
            let writes = bench.proxy.count("MODIFY_DOCUMENT");
            let end = bench.modify(&reviewed, &[(RunField::Title, &title)]).await;
            if end.end == End::Done {
                rounds += 1;
                let document = saved(&end);
                assert_eq!(document.text("Root.General.Title"), Some(title.clone()));
                break;
            }
            moved(&end);
            others += 1;
            assert_eq!(
                bench.proxy.count("MODIFY_DOCUMENT"),
                writes,
                "nothing is sent"
            );
            if others > 200 {
                break;
            }
        }
        assert_eq!(bench.field(&run, RunField::Title), title);
    }
    assert_eq!(
        (rounds, bench.proxy.count("MODIFY_DOCUMENT")),
        (4, 4),
        "{others} times somebody else was first"
    );
    assert!(others > 0, "the other one never wrote this run");
}
