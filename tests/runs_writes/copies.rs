//! Copies of runs in the trash folder, and whether a run is empty.

use crate::support::prelude::*;
use std::os::unix::fs::PermissionsExt;

use rundown::disk::Trash;
use rundown::ops::Operation;

use super::bench::{Bench, about_to_delete, deletion};

/// What came of deleting an empty run: a copy is saved first.
async fn delete(bench: &mut Bench, row: RunRow) -> Outcome {
    let id = bench.start_delete(deletion(&row));
    bench.deleted(id).await
}

async fn check(bench: &mut Bench, run: &DocRef) -> Result<bool, Failure> {
    let run = run.clone();
    let id = bench.send(|id| Effect::Request(id, Request::CheckEmpty { run }));
    let came = |event: &Event| match event {
        Event::Answer(other, Answer::Emptiness(result)) if *other == id => Some(result.clone()),
        _ => None,
    };
    bench.until("whether it is empty", came).await
}

#[tokio::test]
async fn a_copy_holds_the_document_the_counts_of_now_and_the_suites() {
    let mut bench = Bench::new().await;
    let document = bench.run("To copy").await;
    let run = document.doc_ref().clone();
    let mut suites = bench.free(&run).await;
    suites.truncate(2);
    bench.other.add_suites(&run, &suites).await;
    // The row is from before the suites went in: what the list says now counts.
    let read = bench.read(&run).await;
    let mut deleting = about_to_delete(&RunRow::from_document(&document));
    deleting.answer(true);
    let id = bench.start_delete(deleting);
    let end = bench.deleted(id).await;
    assert!(end.is_complete(), "{end:?}");
    let copy = end.copy.unwrap();
    let path = Path::new(&copy);
    assert!(
        path.starts_with(bench.folder.path().join("trash")),
        "{path:?}"
    );
    assert_eq!(
        std::fs::metadata(path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let kept = Trash::read(path).unwrap();
    suites.sort();
    let named: Vec<DocRef> = kept.suites.iter().map(|(suite, _)| suite.clone()).collect();
    assert_eq!((kept.document.raw(), named), (read.raw(), suites));
    assert!(
        kept.suites
            .iter()
            .all(|(suite, name)| !name.is_empty() && name != suite.as_str())
    );
    assert_eq!(
        (kept.suite_count, kept.known.as_str()),
        (Some(2), "2 suites")
    );
    assert!(kept.counts.unwrap().total() > 0);
    assert!(
        kept.run_name.starts_with("R_") && kept.run_name.ends_with(" To copy"),
        "{}",
        kept.run_name
    );
}

#[tokio::test]
async fn without_a_list_that_counts_the_counts_of_the_row_are_kept() {
    let mut bench = Bench::of(options(|it| it.without_list_test_runs = true)).await;
    let mut row = RunRow::from_document(&bench.run("To copy").await);
    row.suite_count = Some(3);
    row.results = ResultCounts::from_value(&serde_json::json!([{"result": "5", "count": 9}]));
    let copy = delete(&mut bench, row).await.copy.unwrap();
    let kept = Trash::read(Path::new(&copy)).unwrap();
    assert_eq!(
        (kept.suite_count, kept.counts.map(|counts| counts.total())),
        (Some(3), Some(9))
    );
}

#[tokio::test]
async fn a_copy_that_cannot_be_had_is_a_failure() {
    let mut bench = Bench::new().await;
    let row = RunRow::from_document(&bench.run("No copy").await);
    std::fs::write(bench.folder.path().join("trash"), "in the way").unwrap();
    let end = delete(&mut bench, row.clone()).await;
    assert!(
        end.end == End::NotSent(Why::Impossible) && end.why.contains("trash"),
        "{end:?}"
    );
    bench.proxy.fault_for("GET_DOCUMENT", Fault::CutBefore);
    let end = delete(&mut bench, row).await;
    assert!(
        end.end == End::NotSent(Why::Unread) && end.why.starts_with("reading the run"),
        "{end:?}"
    );
    assert!(bench.writes().is_empty(), "nothing is deleted without one");
}

#[tokio::test]
async fn whether_a_run_is_empty_is_what_the_service_says() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Empty?").await;
    assert_eq!(check(&mut bench, &run).await, Ok(true));
    let one = bench.free(&run).await.remove(0);
    bench.other.add_suites(&run, &[one]).await;
    assert_eq!(check(&mut bench, &run).await, Ok(false));
    let gone = DocRef::parse("TestRun-dm/3b53beea-0c4c-4c9e-8a43-5d1f5be4b7f0").unwrap();
    let failure = check(&mut bench, &gone).await.unwrap_err();
    assert!(failure.cause.contains("not found"), "{failure:?}");
}
