//! Undo of undo, and undos that come to nothing.

use rundown::domain::{DocRef, RunField, UndoBy, UndoOf};

use super::bench::{Bench, modify_of};
use super::support::proxy::Fault;

impl Bench {
    /// Takes the last write of the journal back, an undo or not.
    async fn undo_last_write(&mut self) -> Option<DocRef> {
        let write = self.journal().last().unwrap().write.to_string();
        let undo = self.plan_undo(UndoOf::Write(write)).await.unwrap();
        self.take_back(undo).await
    }
}

#[tokio::test]
async fn an_undo_of_fields_is_taken_back_and_again() {
    let mut bench = Bench::new().await;
    let run = bench.run("One").await.doc_ref().clone();
    bench.saved(&run, &[(RunField::Title, "Two")]).await;
    for title in ["One", "Two", "One"] {
        bench.undo_last_write().await;
        assert_eq!(bench.field(&run, RunField::Title), title);
    }
    // The first write is taken back (by an undo whose undo is taken back): nothing further.
    let first = bench.journal()[0].write.to_string();
    let failure = bench.plan_undo(UndoOf::Write(first)).await.unwrap_err();
    assert!(
        failure.came_back.contains("it is taken back already"),
        "{failure:?}"
    );
    bench.undo_last_write().await;
    assert_eq!(
        bench.undo().await,
        Some(run.clone()),
        "now it stands again, and can be taken back"
    );
    assert_eq!(bench.field(&run, RunField::Title), "One");
}

#[tokio::test]
async fn undo_after_undo_reaches_further_back() {
    let mut bench = Bench::new().await;
    let run = bench.make("First", &[]).await.doc_ref().clone();
    bench.saved(&run, &[(RunField::Title, "Second")]).await;
    let two: Vec<DocRef> = bench.free(&run).await.into_iter().take(2).collect();
    bench.changed(&run, true, &two).await;
    bench
        .saved(
            &run,
            &[(RunField::Title, "Third"), (RunField::Configuration, "")],
        )
        .await;
    bench.undo().await;
    assert_eq!(
        (bench.field(&run, RunField::Title), bench.suites(&run).len()),
        ("Second".into(), 2)
    );
    bench.undo().await;
    assert_eq!(
        (bench.field(&run, RunField::Title), bench.suites(&run).len()),
        ("Second".into(), 0)
    );
    bench.undo().await;
    assert_eq!(bench.field(&run, RunField::Title), "First");
    bench.undo().await;
    assert_eq!(bench.truth(&run), None);
    assert!(bench.plan_undo(UndoOf::Last).await.is_err());
}

#[tokio::test]
async fn undos_of_suites_are_taken_back() {
    let mut bench = Bench::new().await;
    let run = bench.run("Suites").await.doc_ref().clone();
    let two: Vec<DocRef> = bench.free(&run).await.into_iter().take(2).collect();
    bench.changed(&run, true, &two).await;
    for left in [0, 2, 0] {
        bench.undo_last_write().await;
        assert_eq!(bench.suites(&run).len(), left);
    }
}

#[tokio::test]
async fn a_deletion_by_undo_is_rebuilt_and_a_rebuilt_run_is_deleted() {
    let mut bench = Bench::new().await;
    let run = bench.make("Made", &[]).await.doc_ref().clone();
    bench
        .saved(&run, &[(RunField::Description, "kept by the copy")])
        .await;
    let made = bench.journal()[0].write.to_string();
    let undo = bench.plan_undo(UndoOf::Write(made)).await.unwrap();
    bench.take_back(undo).await;
    assert_eq!(bench.truth(&run), None);
    let again = bench.undo_last_write().await.unwrap();
    assert_eq!(
        bench.field(&again, RunField::Description),
        "kept by the copy"
    );
    assert_eq!(bench.titles("Made").len(), 1);
    bench.undo_last_write().await;
    assert_eq!(bench.truth(&again), None);
    assert!(bench.titles("Made").is_empty());
}

#[tokio::test]
async fn an_undo_that_did_not_go_through_can_be_done_again_with_a_warning() {
    let mut bench = Bench::new().await;
    let run = bench.run("One").await.doc_ref().clone();
    bench.saved(&run, &[(RunField::Title, "Two")]).await;
    let undo = bench.plan_undo(UndoOf::Last).await.unwrap();
    bench.proxy.fault_for("MODIFY_DOCUMENT", Fault::CutBefore);
    let now = bench.read(&run).await;
    let modify = Box::new(modify_of(
        &now,
        &[(RunField::Title, "One")],
        Some(&undo.write),
    ));
    let id = bench.send(|id| rundown::store::Effect::Modify { id, modify });
    bench.modified(id).await;
    bench.proxy.fault(Fault::None);
    let undo = bench.plan_undo(UndoOf::Last).await.unwrap();
    assert!(
        undo.warnings[0].starts_with("Taking it back was tried before: differs."),
        "{:?}",
        undo.warnings
    );
    assert!(matches!(undo.by, UndoBy::Modify { .. }));
    bench.take_back(undo).await;
    assert_eq!(bench.field(&run, RunField::Title), "One");
}
