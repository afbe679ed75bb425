//! Changing fields of a run.

use std::time::Duration;

use rundown::disk::Recorded;
use rundown::domain::{End, Outcome, RunField};
use rundown::local_service::Options;
use rundown::store::{Effect, Event};
use serde_json::{Value, json};

use super::bench::{Bench, moved, names, note, saved, why};
use super::support::proxy::Fault;

/// Members that no interface document names, everywhere they can be.
fn full_of_unknown_members(mut document: Value) -> Value {
    let odd: Value = serde_json::from_str(
        r#"{"zz":null,"a":[1,{"b":[]},"x\u0001"],"big":123456789012345678901234567890,"digits":1.500,"":{},"Ü":"日本語"}"#,
    )
    .unwrap();
    document["futureTop"] = odd.clone();
    document["Root"]["Future"] = odd.clone();
    document["Root"]["General"]["Mood"] = odd.clone();
    document["Root"]["General"]["Revision"] = json!(7);
    document["Root"]["Metadata"]["Future"] = odd.clone();
    document["Root"]["Attachments"] =
        json!([{"FileName": "a.png", "Future": odd, "File": {"content": null, "zz": 1}}]);
    document
}

/// A document without what the service assigns with every write.
fn steady(mut document: Value) -> Value {
    let metadata = document["Root"]["Metadata"].as_object_mut().unwrap();
    for name in ["EditedBy", "EditedOn", "DisplayEditedOn"] {
        metadata.remove(name);
    }
    document
}

#[tokio::test]
async fn fields_are_changed_and_all_else_comes_back_identical() {
    let mut bench = Bench::new().await;
    let run = bench.run("As it was").await.doc_ref().clone();
    bench.put(&run, &full_of_unknown_members(bench.truth(&run).unwrap()));
    let before = bench.truth(&run).unwrap();
    let reviewed = bench.read(&run).await;
    let fields = [
        (RunField::Title, "Änderung \"日本\""),
        (RunField::Description, "one\ntwo"),
    ];
    let end = bench.modify(&reviewed, &fields).await;
    let document = saved(&end);
    assert!(end.why.starts_with("read again"), "{end:?}");
    assert_eq!(
        document.text("Root.General.Title").as_deref(),
        Some("Änderung \"日本\"")
    );
    let mut wanted = before;
    wanted["Root"]["General"]["Title"] = "Änderung \"日本\"".into();
    wanted["Root"]["General"]["Description"] = "one\ntwo".into();
    let truth = bench.truth(&run).unwrap();
    assert_eq!(steady(truth.clone()), steady(wanted.clone()));
    let (truth, wanted) = (steady(truth).to_string(), steady(wanted).to_string());
    assert_eq!(truth.len(), wanted.len(), "every digit is the same");
    assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"]);
    let sent = &bench.params("MODIFY_DOCUMENT")[0];
    assert_eq!(sent["docRef"], run.as_str());
    assert_eq!(sent["document"]["__meta"], reviewed.raw()["__meta"]);
    let members: Vec<&String> = sent.as_object().unwrap().keys().collect();
    assert_eq!(members, ["document", "locale", "docRef"]);
    let journal = bench.journal();
    assert_eq!(
        (journal.len(), names(&journal[0])),
        (1, vec!["sent", "answered", "confirmed"])
    );
    assert_eq!(
        journal[0].request(),
        Some(("MODIFY_DOCUMENT", sent)),
        "what was sent is what was written down"
    );
    assert_eq!(
        note(&journal[0]),
        json!({"before": {"Title": "As it was", "Description": ""}})
    );
    assert_eq!(journal[0].run, run.as_str());
}

#[tokio::test]
async fn nothing_is_sent_when_somebody_wrote_since_the_review() {
    for same_time in [false, true] {
        let mut bench = Bench::new().await;
        let reviewed = bench.run("Mine").await;
        let run = reviewed.doc_ref().clone();
        let at = reviewed.at("Root.Metadata.EditedOn").unwrap().clone();
        bench.edit(&run, "mai", |document| {
            document["Root"]["General"]["Description"] = "theirs".into();
            if same_time {
                document["Root"]["Metadata"]["EditedOn"] = at;
            }
        });
        let truth = bench.truth(&run);
        let fields = [(RunField::Title, "My title")];
        let now = moved(&bench.modify(&reviewed, &fields).await);
        assert_eq!(
            now.text("Root.General.Description").as_deref(),
            Some("theirs")
        );
        assert_eq!(bench.truth(&run), truth);
        assert!(bench.writes().is_empty() && bench.journal().is_empty());
        // Reviewed again, it goes through, and what they wrote stays.
        saved(&bench.modify(&now, &fields).await);
        assert_eq!(
            (
                bench.field(&run, RunField::Title),
                bench.field(&run, RunField::Description)
            ),
            ("My title".into(), "theirs".into())
        );
    }
}

#[tokio::test]
async fn a_refusal_says_so_and_nothing_has_changed() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Refused").await;
    let end = bench.modify(&reviewed, &[(RunField::Title, "  ")]).await;
    let words = why(&end, End::Refused);
    assert!(words.contains("refused: error -32002"), "{words}");
    assert_eq!(bench.field(reviewed.doc_ref(), RunField::Title), "Refused");
    assert_eq!(bench.steps(), ["sent", "unknown", "refused"]);
}

#[tokio::test]
async fn values_that_are_there_already_are_not_sent() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Same").await;
    let end = bench
        .modify(
            &reviewed,
            &[(RunField::Title, "Same"), (RunField::Configuration, "")],
        )
        .await;
    assert_eq!(
        why(&end, End::NotSent),
        "not sent: the run has these values already"
    );
    assert!(bench.writes().is_empty() && bench.journal().is_empty());
}

#[tokio::test]
async fn a_run_that_is_gone_or_a_profile_that_may_not_write_sends_nothing() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Gone").await;
    bench.other.delete(reviewed.doc_ref()).await;
    let end = bench.modify(&reviewed, &[(RunField::Title, "x")]).await;
    let words = why(&end, End::NotSent);
    assert!(
        words.starts_with("not sent") && words.contains("looks like: not found"),
        "{words}"
    );
    let mut bench = Bench::with(Options::default(), |profile| profile.read_only = true).await;
    let reviewed = bench.run("Read only").await;
    let end = bench.modify(&reviewed, &[(RunField::Title, "x")]).await;
    let words = why(&end, End::NotSent);
    assert!(words.contains("read-only profile"), "{words}");
    assert!(bench.writes().is_empty());
}

#[tokio::test]
async fn what_cannot_be_written_down_is_not_sent() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("No journal").await;
    // The journal has been moved away, and something else has its name.
    let path = bench.folder.path().join("journal.ndjson");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    let end = bench.modify(&reviewed, &[(RunField::Title, "x")]).await;
    let words = why(&end, End::NotSent);
    assert!(words.contains("could not be written down first"), "{words}");
    assert!(bench.writes().is_empty());
    assert_eq!(
        bench.field(reviewed.doc_ref(), RunField::Title),
        "No journal"
    );
}

#[tokio::test]
async fn an_answer_that_cannot_be_written_down_is_told_and_read_all_the_same() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Half a journal").await;
    bench
        .proxy
        .fault_for("MODIFY_DOCUMENT", Fault::Delay(Duration::from_millis(300)));
    let id = bench.start_modify(&reviewed, &[(RunField::Title, "x")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    assert_eq!(
        bench.steps(),
        ["sent"],
        "on the disk before the request went out"
    );
    let path = bench.folder.path().join("journal.ndjson");
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    saved(&bench.modified(id).await);
    let told = |event: &Event| matches!(event, Event::Trouble(failure) if failure.asked.contains("writing down"));
    assert_eq!(
        bench.beside.iter().filter(|event| told(event)).count(),
        2,
        "{:?}",
        bench.beside
    );
}

#[tokio::test]
async fn ctrl_c_before_the_request_stops_it() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Stopped").await;
    let reads = bench.proxy.count("GET_DOCUMENT");
    bench
        .proxy
        .fault_for("GET_DOCUMENT", Fault::Delay(Duration::from_millis(300)));
    let id = bench.start_modify(&reviewed, &[(RunField::Title, "x")]);
    bench.until_passed("GET_DOCUMENT", reads + 1).await;
    bench.send(|_| Effect::Cancel(id));
    let stopped = Outcome::not_sent("not sent, stopped");
    assert_eq!(bench.modified(id).await, stopped.of(reviewed.doc_ref()));
    assert!(bench.writes().is_empty());
}

#[tokio::test]
async fn a_run_is_closed_and_the_closing_data_are_no_foreign_change() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("To close").await;
    let end = bench
        .modify(&reviewed, &[(RunField::Status, "inactive")])
        .await;
    assert_eq!(
        saved(&end).text("Root.Metadata.ClosedBy").as_deref(),
        Some("qa")
    );
    assert!(matches!(
        bench.journal()[0].steps[2].step,
        Recorded::Confirmed { .. }
    ));
}
