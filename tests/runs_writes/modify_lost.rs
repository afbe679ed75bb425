//! Changes of fields whose answer is lost, late or contradicted.

use std::time::Duration;

use rundown::domain::{End, RunField};
use rundown::local_service::Options;

use super::bench::{Bench, otherwise, saved, together, why};
use super::support::proxy::Fault;

#[tokio::test]
async fn an_answer_lost_before_the_service_acted() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let truth = bench.truth(reviewed.doc_ref());
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let end = bench.modify(&reviewed, &[(RunField::Title, "After")]).await;
    let words = why(&end, End::Unknown);
    assert!(
        words.contains("no answer") && words.contains("three readings show the run as it was"),
        "{words}"
    );
    assert_eq!(bench.truth(reviewed.doc_ref()), truth);
    assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"], "sent once");
    assert_eq!(bench.steps(), ["sent", "unknown", "differs"]);
}

#[tokio::test]
async fn a_lost_answer_and_a_change_by_somebody_else_conclude_nothing_about_the_own_one() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Before").await;
    let run = reviewed.doc_ref().clone();
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let id = bench.start_modify(&reviewed, &[(RunField::Title, "After")]);
    bench.until_passed("MODIFY_DOCUMENT", 1).await;
    bench.edit(&run, "mai", |document| {
        document["Root"]["General"]["Title"] = "Theirs".into();
    });
    let end = bench.modified(id).await;
    let (what, _) = otherwise(&end, End::Unknown);
    assert!(
        what.contains("the answer was lost, and Title is \"Theirs\" instead of \"After\""),
        "{what}"
    );
    assert!(
        what.contains("last edited by mai") && !what.contains("did not act"),
        "{what}"
    );
    assert_eq!(bench.steps(), ["sent", "unknown", "differs"]);
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted() {
    together(
        [Duration::ZERO, Duration::from_millis(800)].map(async |lag| {
            let mut bench = Bench::of(Options {
                lag,
                ..Options::default()
            })
            .await;
            let reviewed = bench.run("Before").await;
            bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutAfter);
            let end = bench.modify(&reviewed, &[(RunField::Title, "After")]).await;
            let document = saved(&end);
            assert_eq!(end.why, "by reading: the answer was lost");
            assert_eq!(
                document.text("Root.General.Title").as_deref(),
                Some("After")
            );
            assert_eq!(bench.field(reviewed.doc_ref(), RunField::Title), "After");
            assert_eq!(bench.writes(), ["MODIFY_DOCUMENT"], "sent once");
            assert_eq!(bench.steps(), ["sent", "unknown", "confirmed"]);
        }),
    )
    .await;
}

#[tokio::test]
async fn a_lost_answer_and_no_reading_leave_it_unknown() {
    together(
        [
            (Fault::CutAfter, "not sent again"),
            (Fault::None, "the service answered that it was done"),
        ]
        .map(async |(fault, words)| {
            let mut bench = Bench::new().await;
            let reviewed = bench.run("Before").await;
            let fault = if matches!(fault, Fault::None) {
                Fault::Delay(Duration::from_millis(1))
            } else {
                fault
            };
            bench.proxy.fault_for("MODIFY_DOCUMENT", fault);
            let id = bench.start_modify(&reviewed, &[(RunField::Title, "After")]);
            while bench.field(reviewed.doc_ref(), RunField::Title) != "After" {
                tokio::task::yield_now().await;
            }
            while bench.steps().len() < 2 {
                tokio::task::yield_now().await;
            }
            bench.proxy.go_down().await;
            let end = bench.modified(id).await;
            let why = why(&end, End::Unknown);
            assert!(
                why.contains(words) && why.contains("no connection"),
                "{why}"
            );
            assert_eq!(bench.steps().len(), 2, "no reading, no step");
            assert_eq!(bench.proxy.count("MODIFY_DOCUMENT"), 1);
        }),
    )
    .await;
}

#[tokio::test]
async fn a_replica_that_is_behind_is_waited_for() {
    let mut bench = Bench::of(Options {
        lag: Duration::from_millis(800),
        ..Options::default()
    })
    .await;
    let reviewed = bench.run("Before").await;
    let end = bench.modify(&reviewed, &[(RunField::Title, "After")]).await;
    let document = saved(&end);
    // The next change knows the version that was just saved.
    let end = bench
        .modify(&document, &[(RunField::Title, "Once more")])
        .await;
    saved(&end);
    assert_eq!(
        bench.field(reviewed.doc_ref(), RunField::Title),
        "Once more"
    );
}

#[tokio::test]
async fn a_replica_that_stays_behind_is_no_confirmation_and_no_version_to_write_over() {
    let mut bench = Bench::of(Options {
        lag: Duration::from_mins(10),
        ..Options::default()
    })
    .await;
    // Made data are seen at once; a lag shows writes only.
    let run = bench.first_open_run();
    let reviewed = bench.read(&run).await;
    let old = reviewed.text("Root.General.Title").unwrap();
    let end = bench.modify(&reviewed, &[(RunField::Title, "After")]).await;
    let (what, document) = otherwise(&end, End::Unknown);
    assert!(
        what.contains("the service answered that it was done, but Title is"),
        "{what}"
    );
    assert_eq!(document.text("Root.General.Title"), Some(old));
    assert_eq!(bench.steps(), ["sent", "answered", "differs"]);
    // A person who has seen the new version is not taken back behind it.
    let mut raw = reviewed.raw().clone();
    raw["document"] = bench.truth(&run).unwrap();
    let newer = rundown::domain::Document::from_value(raw).unwrap();
    let end = bench.modify(&newer, &[(RunField::Title, "Newest")]).await;
    let words = why(&end, End::NotSent);
    assert!(words.contains("an older version"), "{words}");
    assert_eq!(bench.proxy.count("MODIFY_DOCUMENT"), 1);
}
