//! Writes that are not taken back, and why.

use rundown::domain::{DocRef, Failure, FailureKind, Probe, RunField, UndoBy, UndoOf};
use rundown::local_service::Options;
use rundown::store::{Effect, Event};

use super::bench::{Bench, create_of};
use super::support::proxy::Fault;

impl Bench {
    /// Why the last write of the journal is not taken back.
    async fn refusal(&mut self) -> String {
        let write = self.journal().last().unwrap().write.to_string();
        let failure: Failure = self.plan_undo(UndoOf::Write(write)).await.unwrap_err();
        assert_eq!(
            (failure.kind, failure.asked.as_str()),
            (FailureKind::Local, "taking back a write")
        );
        failure.came_back
    }
}

#[tokio::test]
async fn an_empty_journal_and_a_write_that_is_not_in_it() {
    let mut bench = Bench::new().await;
    let failure = bench.plan_undo(UndoOf::Last).await.unwrap_err();
    assert!(
        failure.came_back.contains("no write of this profile"),
        "{failure:?}"
    );
    let failure = bench
        .plan_undo(UndoOf::Write("0-0".into()))
        .await
        .unwrap_err();
    assert!(failure.came_back.contains("no such write"), "{failure:?}");
    let run = bench.make("Mine", &[]).await;
    let other = DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap();
    let failure = bench.plan_undo(UndoOf::LastOf(other)).await.unwrap_err();
    assert!(
        failure.came_back.contains("no write of this run"),
        "{failure:?}"
    );
    assert!(
        bench
            .plan_undo(UndoOf::LastOf(run.doc_ref().clone()))
            .await
            .is_ok()
    );
}

#[tokio::test]
async fn refused_unknown_and_contradicted_writes() {
    let mut bench = Bench::new().await;
    let reviewed = bench.run("Faults").await;
    bench.modify(&reviewed, &[(RunField::Title, " ")]).await;
    assert!(bench.refusal().await.contains("it was refused"));
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    bench.modify(&reviewed, &[(RunField::Title, "x")]).await;
    assert!(bench.refusal().await.contains("not certain"));
    bench.proxy.fault_for("ADD_DOCUMENT", Fault::CutBefore);
    bench.create(create_of(&["Lost"], &[])).await;
    assert!(
        bench
            .refusal()
            .await
            .contains("whether the service acted on it is not known")
    );
    bench.proxy.fault(Fault::None);
    assert!(
        bench.plan_undo(UndoOf::Last).await.is_err(),
        "none of them is offered"
    );
}

#[tokio::test]
async fn other_profiles_and_read_only_ones() {
    let mut bench = Bench::new().await;
    bench.make("Mine", &[]).await;
    let write = bench.journal()[0].write.to_string();
    bench.restart_as("another").await;
    let failure = bench.plan_undo(UndoOf::Write(write)).await.unwrap_err();
    assert!(
        failure.came_back.contains("made with the profile \"demo\""),
        "{failure:?}"
    );
    assert!(
        bench
            .plan_undo(UndoOf::Last)
            .await
            .unwrap_err()
            .came_back
            .contains("no write of this profile")
    );
    let mut bench = Bench::with(Options::default(), |profile| profile.read_only = true).await;
    assert!(
        bench
            .plan_undo(UndoOf::Last)
            .await
            .unwrap_err()
            .came_back
            .contains("read-only profile")
    );
}

#[tokio::test]
async fn probe_runs_are_never_offered() {
    let mut bench = Bench::new().await;
    let kept = bench.make("Kept", &[]).await.doc_ref().clone();
    let probe = Probe::new(
        kept.clone(),
        "P_9",
        Some("SP_1"),
        "1.2.0",
        ("qa", "12:00 UTC"),
    );
    let id = bench.send(|id| Effect::Probe {
        id,
        probe: Box::new(probe),
    });
    bench
        .until("the survey", |event| {
            matches!(event, Event::Surveyed { id: other, .. } if *other == id).then_some(())
        })
        .await;
    let journal = bench.journal();
    assert_eq!(journal.len(), 3, "{journal:?}");
    for write in &journal[1..] {
        let failure = bench
            .plan_undo(UndoOf::Write(write.write.to_string()))
            .await
            .unwrap_err();
        assert!(failure.came_back.contains("probe run"), "{failure:?}");
    }
    let undo = bench.plan_undo(UndoOf::Last).await.unwrap();
    assert!(matches!(undo.by, UndoBy::Delete(row) if row.doc_ref == kept));
}

#[tokio::test]
async fn what_was_done_to_a_run_before_it_was_deleted() {
    let mut bench = Bench::new().await;
    let run = bench.make("Deleted", &[]).await.doc_ref().clone();
    bench.saved(&run, &[(RunField::Title, "Renamed")]).await;
    bench.delete(&run).await;
    for number in [0, 1] {
        let write = bench.journal()[number].write.to_string();
        let failure = bench.plan_undo(UndoOf::Write(write)).await.unwrap_err();
        assert!(
            failure.came_back.contains("the run was deleted since"),
            "{failure:?}"
        );
    }
    assert!(
        bench.plan_undo(UndoOf::Last).await.is_ok(),
        "the deletion itself"
    );
}
