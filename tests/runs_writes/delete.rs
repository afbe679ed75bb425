//! Deleting runs.

use crate::support::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use rundown::disk::Trash;
use rundown::domain::Deed;
use rundown::ops::Operation;
use rundown::ops::delete::Deleting;

use super::bench::{Bench, about_to_delete, delete_of, gone, names, note, together, why};
use super::lost::refused;
use super::modify::version;
use super::scene::Scene;

const DELETE: &str = "DELETE_TEST_RUN";
const CHECK: &str = "CHECK_TEST_RUN_EMPTY";
const LIST: &str = "LIST_TEST_RUNS";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";

#[tokio::test]
async fn an_empty_run_is_copied_deleted_and_read_to_be_gone() {
    let mut bench = Bench::new().await;
    let document = bench.run("To go").await;
    let run = document.doc_ref().clone();
    let end = bench.delete(&run).await;
    assert_eq!(
        gone(&end),
        "the run is not found any more, the list does not show it"
    );
    assert_eq!(bench.truth(&run), None);
    assert_eq!(
        bench.params(DELETE),
        [json!({"testRunDocRef": run.as_str()})]
    );
    let journal = bench.one_confirmed();
    let note = note(&journal[0]);
    let copy = Trash::read(Path::new(note["copy"].as_str().unwrap())).unwrap();
    assert_eq!(end.copy.as_deref(), note["copy"].as_str());
    assert_eq!(
        copy.document.raw(),
        document.raw(),
        "no deletion without a copy"
    );
}

#[tokio::test]
async fn what_it_takes_back_is_noted() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Taken back").await;
    let mut deleting = delete_of(&run);
    deleting.undo_of = Some("w".into());
    let id = bench.start_delete(deleting);
    gone(&bench.deleted(id).await);
    let journal = bench.journal();
    assert_eq!(note(&journal[0])["undo of"], "w");
}

#[tokio::test]
async fn without_a_copy_neither_the_run_nor_its_suites_go() {
    let mut bench = Bench::new().await;
    let (run, deleting) = with_suites(&mut bench, 2).await;
    std::fs::write(bench.folder.path().join("trash"), "in the way").unwrap();
    let id = bench.start_delete(deleting);
    let end = bench.deleted(id).await;
    says(
        why(&end, End::NotSent(Why::Impossible)),
        "saving a copy of the run",
    );
    assert_eq!((bench.writes(), bench.suites(&run).len()), (Vec::new(), 2));
}

#[tokio::test]
async fn a_run_with_suites_is_not_deleted_open_or_closed() {
    for closed in [false, true] {
        let mut bench = Bench::new().await;
        let run = bench.theirs("Full").await;
        let one = bench.free(&run).await.remove(0);
        bench.other.add_suites(&run, &[one]).await;
        if closed {
            bench.other.close(&run).await;
        }
        let end = bench.delete(&run).await;
        let why = why(&end, End::NotSent(Why::Impossible));
        let told = if closed {
            "is closed and not empty"
        } else {
            "is not empty. Its suites have to go first"
        };
        says(why, told);
        assert_eq!(bench.suites(&run).len(), 1);
        assert!(bench.writes().is_empty() && bench.journal().is_empty());
    }
}

#[tokio::test]
async fn false_is_a_failure() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("False").await;
    bench.proxy.fault_for(DELETE, Fault::Answer(json!(false)));
    let end = bench.delete(&run).await;
    begins(
        why(&end, End::Refused),
        "the service answered false: nothing was deleted; the run can still be read",
    );
    assert!(bench.truth(&run).is_some());
    assert_eq!(bench.steps(), ["sent", "answered", "refused"]);
    assert_eq!(bench.writes(), [DELETE]);
}

#[tokio::test]
async fn answers_that_the_readings_contradict_are_no_claim() {
    let cases = [
        // It is said to be deleted, and was not asked to be; it is deleted, and said not to be.
        (
            Fault::Answer(json!(true)),
            "answered true, but: the run can still be read",
        ),
        (
            Fault::AnswerAfter(json!(false)),
            "answered false, yet: the run is not found",
        ),
    ];
    together(cases.map(async |(fault, told)| {
        let mut bench = Bench::new().await;
        let run = bench.theirs("Odd").await;
        bench.proxy.fault_for(DELETE, fault);
        let end = bench.delete(&run).await;
        says(why(&end, End::Unknown), told);
        assert_eq!(bench.steps(), ["sent", "answered", "differs"]);
    }))
    .await;
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Lost").await;
    bench.proxy.fault_for(DELETE, Fault::CutBefore);
    let end = bench.delete(&run).await;
    let why = why(&end, End::Unknown);
    says(why, "no answer");
    says(why, "the run can still be read");
    assert!(bench.truth(&run).is_some());
    assert_eq!(
        (bench.writes(), bench.steps()),
        (vec![DELETE.into()], vec!["sent", "unknown", "differs"])
    );
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted() {
    together(
        [Duration::ZERO, Duration::from_millis(800)].map(async |lag| {
            let mut bench = Bench::of(options(|it| it.lag = lag)).await;
            let run = bench.theirs("Lost").await;
            bench.proxy.fault_for(DELETE, Fault::CutAfter);
            let end = bench.delete(&run).await;
            let how = gone(&end);
            begins(how, "by reading: no clear answer came");
            let words = end.words(Deed::Delete("R_1"));
            assert_eq!(words, "R_1 deleted, by reading: no clear answer came");
            assert_eq!(bench.truth(&run), None);
            assert_eq!(
                (bench.writes(), bench.steps()),
                (vec![DELETE.into()], vec!["sent", "unknown", "confirmed"])
            );
        }),
    )
    .await;
}

#[tokio::test]
async fn what_cannot_be_read_is_unknown() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Lost").await;
    bench.proxy.fault_for(DELETE, Fault::CutAfter);
    let id = bench.start_delete(delete_of(&run));
    while bench.truth(&run).is_some() {
        tokio::task::yield_now().await;
    }
    bench.proxy.go_down().await;
    let end = bench.deleted(id).await;
    says(why(&end, End::Unknown), "could not be found out");
    assert_eq!(bench.steps(), ["sent", "unknown"]);
}

#[tokio::test]
async fn a_replica_that_is_behind_is_waited_for_and_one_that_stays_behind_is_no_proof() {
    let mut bench = Bench::of(options(|it| it.lag = Duration::from_millis(800))).await;
    let run = bench.theirs("Late").await;
    let end = bench.delete(&run).await;
    gone(&end);
    let mut bench = Bench::of(options(|it| it.lag = Duration::from_secs(6))).await;
    let run = bench.theirs("Later").await;
    let end = bench.delete(&run).await;
    says(why(&end, End::Unknown), "can still be read");
    assert_eq!(
        (bench.truth(&run), bench.steps()),
        (None, vec!["sent", "answered", "differs"])
    );
}

#[tokio::test]
async fn suites_that_come_in_between_are_the_service_s_to_refuse() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Filled").await;
    let one = bench.free(&run).await.remove(0);
    bench.proxy.fault_for(DELETE, Fault::delay(300));
    let id = bench.start_delete(delete_of(&run));
    bench.until_passed(DELETE, 1).await;
    bench.other.add_suites(&run, &[one]).await;
    let end = bench.deleted(id).await;
    says(
        why(&end, End::Refused),
        "refused: operation failed (-32036)",
    );
    assert_eq!(
        (bench.suites(&run).len(), bench.steps()),
        (1, vec!["sent", "unknown", "refused"])
    );
}

#[tokio::test]
async fn a_run_that_is_gone_already_and_ctrl_c_send_nothing() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Gone").await;
    bench.other.delete(&run).await;
    let end = bench.delete(&run).await;
    says(why(&end, End::NotSent(Why::Unread)), "not found (-32004)");
    let run = bench.theirs("Stopped").await;
    bench.proxy.fault_for(CHECK, Fault::delay(300));
    let id = bench.start_delete(delete_of(&run));
    bench.until_passed(CHECK, 1).await;
    bench.send(|_| Effect::Cancel(id));
    let end = bench.deleted(id).await;
    let stopped = Outcome::not_sent(Why::Stopped, "not sent, stopped").of(&run);
    assert_eq!(end.with(|it| it.copy = None), stopped);
    assert!(bench.writes().is_empty() && bench.truth(&run).is_some());
}

#[tokio::test]
async fn a_service_with_other_codes_is_believed_when_the_list_agrees() {
    let error = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"nichts da"}}"#;
    let cases = [
        (Fault::Replace(200, error.to_vec()), "nichts da"),
        (Fault::Answer(Value::Null), "got null"),
    ];
    together(cases.map(async |(fault, told)| {
        let mut bench = Bench::new().await;
        let run = bench.theirs("Other codes").await;
        bench.proxy.fault_for(DELETE, Fault::delay(200));
        let id = bench.start_delete(delete_of(&run));
        bench.until_passed(DELETE, 1).await;
        bench.proxy.fault_for("GET_DOCUMENT", fault);
        let end = bench.deleted(id).await;
        let how = gone(&end);
        says(how, told);
        assert!(matches!(
            &bench.journal()[0].steps[2].step,
            Recorded::Confirmed { .. }
        ));
    }))
    .await;
}

/// What came of a deletion after which the run and the list are read like this: the run is `t`here, `n`ot found, its
/// reading `r`efused or without an answer (`x`); the list shows it (`t`) or `n`ot, or `o`thers only.
async fn read_as(readings: &'static str, answered: bool) -> (End, Vec<&'static str>) {
    let (sent, reads) = (AtomicBool::new(false), [0, 0].map(AtomicUsize::new));
    let script = move |seen: &Seen, _| {
        let method = seen.method();
        let place = usize::from(method == LIST);
        let say = match method.as_str() {
            DELETE if sent.swap(true, Ordering::SeqCst) || !answered => b'x',
            "GET_DOCUMENT" | LIST if sent.load(Ordering::SeqCst) => {
                let reading = reads[place].fetch_add(1, Ordering::SeqCst);
                readings.split(' ').nth(reading).unwrap().as_bytes()[place]
            }
            "GET_DOCUMENT" | LIST => b't',
            _ => b'y',
        };
        match (place, say) {
            (_, b'x') => Say::bytes(502, ""),
            (0, b't') => Say::result(seen, &version(0)),
            (0, b'n') => refused(seen, -32004, "not found"),
            (0, b'r') => refused(seen, -31999, "nichts da"),
            (0, _) => Say::result(seen, &json!(true)),
            (_, say) => {
                let mut row = version(0);
                if say == b'o' {
                    row["docRef"] = "TestRun-dm/8".into();
                    row["document"]["Root"]["General"]["Id"] = "R_8".into();
                }
                let rows = vec![row; usize::from(say != b'n')];
                let list = json!({"fullSize": rows.len(), "page": {}, "entries": rows});
                Say::result(seen, &json!({"result": list, "filterItemMap": {}}))
            }
        }
    };
    let mut scene = Scene::new(script).await;
    let deleting = Box::new(delete_of(&DocRef::parse("TestRun-dm/7").unwrap()));
    let id = RequestId(1);
    let came = |event| match event {
        Event::Answer(_, Answer::Deleted(end)) => Some(end),
        _ => None,
    };
    let end = scene
        .after(Effect::Request(id, Request::Delete(deleting)), came)
        .await;
    (end.end, names(&scene.journal()[0])[2..].to_vec())
}

#[tokio::test]
async fn a_run_is_gone_by_two_refused_readings_in_a_row_and_a_list_that_filters() {
    let gone = (End::Done, vec!["confirmed"]);
    let there = (End::Unknown, vec!["differs"]);
    let unknown = (End::Unknown, vec![]);
    for (readings, answered, expected) in [
        ("rn rn tt", true, &gone),
        ("rn tt tt", true, &there),
        ("rn tn rn", true, &unknown),
        ("rn rx rn", true, &unknown),
        ("xn xn xn", true, &unknown),
        ("ro ro ro", true, &unknown),
        ("rn rn tt", false, &gone),
        ("no no no", false, &unknown),
    ] {
        assert_eq!(read_as(readings, answered).await, *expected, "{readings}");
    }
}

/// A run with so many suites, which go out before it is deleted.
async fn with_suites(bench: &mut Bench, number: usize) -> (DocRef, Deleting) {
    let document = bench.run("With suites").await;
    let run = document.doc_ref().clone();
    let mut suites = bench.free(&run).await;
    suites.truncate(number);
    bench.other.add_suites(&run, &suites).await;
    let mut deleting = about_to_delete(&RunRow::from_document(&document));
    deleting.answer(true);
    (run, deleting)
}

#[tokio::test]
async fn stopped_while_its_suites_go_out_no_further_request_goes_out() {
    // Once its copy is kept, while it is counted; and in a request.
    for (suites, method, out) in [(25, LIST, 0), (2, REMOVE, 2), (25, REMOVE, 20)] {
        let mut bench = Bench::of(options(|it| it.suites = 900)).await;
        let (run, deleting) = with_suites(&mut bench, suites).await;
        bench.proxy.fault_for(method, Fault::delay(300));
        let id = bench.start_delete(deleting);
        let copied = |event: &Event| match event {
            Event::Answer(_, Answer::Deleting(deleting)) => deleting.copy().map(|_| ()),
            _ => None,
        };
        bench.until("its copy", copied).await;
        if method == REMOVE {
            bench.until_passed(REMOVE, 1).await;
        }
        bench.send(|_| Effect::Cancel(id));
        let end = bench.deleted(id).await;
        let words = end.words(Deed::Delete("R_1"));
        let told = match out {
            0 => "R_1 not deleted: stopped".to_owned(),
            out => format!("R_1 not deleted, but {out} suites removed: stopped"),
        };
        assert_eq!(words, told);
        let requests = vec![REMOVE.to_owned(); out.min(1)];
        assert_eq!(
            (bench.suites(&run).len(), bench.writes()),
            (suites - out, requests)
        );
    }
}

#[tokio::test]
async fn of_a_run_whose_suites_may_be_out_it_is_not_said_that_nothing_was_sent() {
    let mut bench = Bench::new().await;
    let (run, deleting) = with_suites(&mut bench, 2).await;
    bench.proxy.fault_for(REMOVE, Fault::CutAfter);
    let id = bench.start_delete(deleting);
    while !bench.suites(&run).is_empty() {
        tokio::task::yield_now().await;
    }
    bench.proxy.go_down().await;
    let end = bench.deleted(id).await;
    let words = end.words(Deed::Delete("R_1"));
    let expected = "R_1 not deleted, but suites may be removed: checking that the run is empty";
    begins(&words, expected);
    assert_eq!(
        (end.end, bench.writes()),
        (End::Unknown, vec![REMOVE.to_owned()])
    );
}
