//! Suites, runs and answers that are gone when they are needed.

use crate::support::look::Look as _;
use std::collections::BTreeSet;
use std::time::Duration;

use rundown::attached::{How, State};
use rundown::domain::{DocRef, End, ReadBack, Status};
use rundown::local_service::Options;

use super::suites::{ADD, DELETE};
use super::support::desk_client;
use super::support::proxy::Fault;
use super::{Scene, scene};

impl Scene {
    /// Waits until it is told that a request got no answer.
    async fn no_answer(&mut self) {
        let told = |desk: &super::Desk| {
            let steps = desk.store.work().into_iter().flat_map(|work| &work.steps);
            let mut words = steps.filter(|step| !step.good).map(|step| &step.words);
            words.any(|words| words.contains("no answer (") && words.contains("not sent again"))
        };
        self.desk.until_that("no answer", told).await;
    }
}

#[tokio::test]
async fn a_chunk_that_fails_stops_the_rest_and_the_rest_stays_marked() {
    let mut scene = scene(Options {
        suites: 900,
        ..Options::default()
    })
    .await;
    let (other, run) = scene.at_new_run().await;
    scene.desk.press(&["A"]);
    let marked = scene.basket();
    assert!(marked.len() > 45, "{}", marked.len());
    other.add_suites(&run, &marked[24..25]).await;
    scene.desk.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert_eq!(scene.proxy.count(ADD), 2, "the third is never sent");
    assert_eq!(outcome.done_parts(), marked[..20]);
    assert_eq!(outcome.other_parts(), marked[20..]);
    assert_eq!(scene.basket(), marked[20..]);
    let screen = scene.desk.screen();
    let words = format!("20 of {} suites added to R_", marked.len());
    assert!(screen.contains(&words), "{screen}");
    assert!(screen.contains("still marked: S_"), "{screen}");
    let steps = &scene.desk.store.work().unwrap().steps;
    let lines: Vec<_> = steps
        .iter()
        .map(|step| (step.good, step.words.as_str()))
        .collect();
    assert!(matches!(lines[..], [(true, _), (false, _)]), "{lines:?}");
    assert!(
        lines[0].1.starts_with("request 1 of") && lines[0].1.ends_with(": done"),
        "{lines:?}"
    );
    assert!(
        lines[1].1.starts_with("request 2 of") && lines[1].1.contains("refused: "),
        "{lines:?}"
    );
    // The request that is in effect is not called otherwise for the sake of the other.
    let journal = rundown::disk::Journal::open(scene.desk.folder.path()).unwrap();
    let read = journal.read(10, None);
    let states: Vec<_> = read
        .unwrap()
        .writes
        .iter()
        .map(rundown::disk::WriteRecord::state)
        .collect();
    assert_eq!(states.len(), 2, "{states:?}");
    assert!(
        states[1].starts_with("confirmed") && !states[0].starts_with("confirmed"),
        "{states:?}"
    );
    let mut truth = marked[..20].to_vec();
    truth.push(marked[24].clone());
    assert_eq!(scene.truth(&run), truth.into_iter().collect());
}

#[tokio::test]
async fn a_suite_gone_meanwhile_is_refused_and_shown_as_gone() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space"]);
    let marked = scene.basket();
    other.add_suites(&run, &marked[..1]).await;
    scene.desk.press(&["Enter", "Enter"]);
    scene.desk.until("refused: error -32036").await;
    scene.outcome().await;
    assert_eq!(
        scene.truth(&run),
        marked[..1].iter().cloned().collect(),
        "all of a request, or none"
    );
    scene.desk.press(&["Enter"]);
    scene.desk.until("GONE meanwhile").await;
    assert_eq!(scene.basket(), marked);
    scene.desk.press(&["Enter"]);
    let screen = scene.desk.screen();
    assert!(
        screen.contains("left out, because they cannot be added any more: S_"),
        "{screen}"
    );
    scene.desk.press(&["Enter"]);
    scene.desk.until("1 suite added to R_").await;
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    assert_eq!(scene.proxy.count(ADD), 2);
}

#[tokio::test]
async fn a_run_closed_or_deleted_meanwhile_is_said() {
    for deleted in [false, true] {
        let mut scene = scene(Options::default()).await;
        let (other, run) = scene.at_new_run().await;
        scene.desk.press(&["Space"]);
        if deleted {
            other.delete(&run).await;
        } else {
            other.close(&run).await;
        }
        scene.desk.press(&["Enter", "Enter"]);
        let outcome = scene.outcome().await;
        let words = &scene.desk.store.work().unwrap().steps[0].words;
        assert!(words.contains("refused:"), "{words}");
        // The service says no more of a closed run than that the operation failed: reading the run tells.
        let told = if deleted {
            "The run is gone by now"
        } else {
            "The run is closed by now"
        };
        assert!(words.contains(told), "{words}");
        let reason = if deleted {
            "not found"
        } else {
            "operation failed"
        };
        assert!(
            outcome.done_parts().is_empty() && outcome.other_parts().len() == 1,
            "{outcome:?}"
        );
        assert_eq!(
            (scene.writes(), scene.basket().len()),
            (vec![ADD.to_owned()], 1)
        );
        scene.desk.press(&["Enter"]);
        let failed = |desk: &super::Desk| desk.store.available().unwrap().list.failure().is_some();
        scene
            .desk
            .until_that("the list cannot be read any more", failed)
            .await;
        let list = &scene.desk.store.available().unwrap().list;
        assert!(
            list.failure().unwrap().came_back.contains(reason),
            "{:?}",
            list.failure()
        );
    }
}

#[tokio::test]
async fn a_closed_run_says_why_and_nothing_is_sent() {
    let mut scene = scene(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    scene.go_to(&run).await;
    assert_eq!(
        scene.desk.store.runs().current().unwrap().status,
        Status::Inactive
    );
    scene.desk.press(&["a"]);
    let screen = scene.desk.screen();
    assert!(
        screen.contains("This run is closed") && screen.contains("Nothing was sent"),
        "{screen}"
    );
    scene.desk.press(&["r", "Space", "A", "Enter"]);
    assert!(scene.desk.store.confirm().is_none());
    scene.desk.press(&["Tab"]);
    scene
        .desk
        .until("Suites of a closed run cannot be listed")
        .await;
    assert_eq!(scene.proxy.count("GET_AVAILABLE_TEST_SUITES"), 0);
    assert!(scene.writes().is_empty());
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted_is_decided_by_reading() {
    let mut scene = scene(Options::default()).await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space"]);
    let marked = scene.basket();
    scene.proxy.fault_for(ADD, Fault::CutAfter);
    scene.desk.press(&["Enter", "Enter"]);
    scene.no_answer().await;
    let outcome = scene.outcome().await;
    assert_eq!(
        (&outcome.done_parts(), outcome.other_parts().len()),
        (&marked, 0),
        "{outcome:?}"
    );
    assert!(outcome.is_whole(), "{outcome:?}");
    assert!(scene.basket().is_empty());
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    scene.proxy.fault(Fault::None);
    scene.desk.press(&["Enter", "r"]);
    scene.read_whole().await;
    assert_eq!(scene.writes(), [ADD], "sent once");
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted_leaves_the_marks() {
    let mut scene = scene(Options::default()).await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space"]);
    let marked = scene.basket();
    scene.proxy.fault_for(ADD, Fault::CutBefore);
    scene.desk.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert!(
        outcome.end == End::Unknown && matches!(outcome.seen, ReadBack::Other(_)),
        "{outcome:?}"
    );
    assert_eq!(
        (outcome.done_parts().len(), &outcome.other_parts()),
        (0, &marked)
    );
    assert_eq!(scene.basket(), marked);
    assert!(scene.truth(&run).is_empty());
    assert!(
        scene.desk.screen().contains("may be changed: no answer"),
        "{}",
        scene.desk.screen()
    );
    scene.proxy.fault(Fault::None);
    scene.desk.press(&["Enter", "r"]);
    scene.read_whole().await;
    assert_eq!(scene.writes(), [ADD], "sent once");
}

#[tokio::test]
async fn a_removal_whose_answer_is_lost_is_decided_by_reading() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    other.add_suites(&run, &scene.free()[..2]).await;
    scene.desk.press(&["s"]);
    scene.desk.until("COMPLETE 2/2").await;
    scene.desk.press(&["Space", "x", "Tab"]);
    scene.proxy.fault_for(DELETE, Fault::CutAfter);
    scene.desk.press(&["Enter"]);
    let outcome = scene.outcome().await;
    assert_eq!(
        (outcome.done_parts().len(), outcome.other_parts().len()),
        (1, 0),
        "{outcome:?}"
    );
    assert_eq!(scene.truth(&run).len(), 1);
    assert_eq!(scene.writes(), [DELETE], "sent once");
}

#[tokio::test]
async fn a_reference_of_the_wrong_form_is_refused_in_words_and_nothing_is_asked() {
    let mut scene = scene(Options::default()).await;
    scene.at_new_run().await;
    scene.desk.press(&["s"]);
    scene.desk.until("No suites. Checked").await;
    let before = scene.proxy.passed().len();
    for wrong in [
        "TestRun-dm/20744",
        "TestSuite-dm/",
        "20744",
        "TestSuite-dm/1 S_31",
        " , ",
    ] {
        scene.desk.press(&["+"]);
        scene.desk.paste(wrong);
        scene.desk.press(&["Enter"]);
        let screen = scene.desk.screen();
        assert!(screen.contains("reference: expected"), "{wrong}: {screen}");
        assert!(
            scene.desk.store.attached().unwrap().typed.is_empty(),
            "{wrong}"
        );
        scene.desk.press(&["End"]);
        for _ in 0..wrong.len() {
            scene.desk.press(&["Backspace"]);
        }
        scene.desk.press(&["Esc"]);
    }
    assert_eq!(scene.proxy.passed().len(), before, "nothing was asked");
}

#[tokio::test]
async fn a_right_reference_that_is_not_in_the_run_has_no_effect_and_that_is_said() {
    // Without counts and without an empty run nothing proves the reference wrong, so it can be tried.
    let mut scene = scene(Options {
        runs: 1,
        ..Options::default()
    })
    .await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Typed").await;
    scene.go_to(&run).await;
    scene.desk.press(&["a"]);
    scene.read_whole().await;
    other.add_suites(&run, &scene.free()[..1]).await;
    scene.desk.press(&["s"]);
    scene.desk.until("PARTIAL 0 of 1").await;
    scene.desk.press(&["+", "TestSuite-dm/999999", "Enter"]);
    scene.desk.until("typed, not free here").await;
    let attached = scene
        .desk
        .store
        .attached()
        .unwrap()
        .verdict
        .value()
        .unwrap();
    assert_eq!(
        (attached.state, &attached.named[0].how),
        (State::Partial, &How::Typed)
    );
    scene.desk.press(&["Home", "Space", "x", "Tab", "Enter"]);
    let outcome = scene.outcome().await;
    let ReadBack::Other(words) = &outcome.seen else {
        panic!("{outcome:?}")
    };
    assert!(words.contains("no effect seen"), "{words}");
    assert_eq!(
        outcome.other_parts(),
        [DocRef::parse("TestSuite-dm/999999").unwrap()]
    );
    assert!(
        scene.desk.screen().contains("no effect seen"),
        "{}",
        scene.desk.screen()
    );
    assert_eq!(
        (scene.truth(&run).len(), scene.writes()),
        (1, vec![DELETE.to_owned()])
    );
}

#[tokio::test]
async fn a_list_that_changes_between_its_pages_is_read_again_until_it_is_whole() {
    let mut scene = scene(Options {
        page_limit: Some(7),
        ..Options::default()
    })
    .await;
    let (other, run) = scene.at_new_run().await;
    let before = scene.free();
    assert!(before.len() > 14, "more than two pages: {}", before.len());
    let calls = scene.proxy.count("GET_AVAILABLE_TEST_SUITES");
    scene.proxy.fault_for(
        "GET_AVAILABLE_TEST_SUITES",
        Fault::Delay(Duration::from_millis(150)),
    );
    scene.desk.press(&["r"]);
    let first = |desk: &super::Desk| desk.store.available().unwrap().progress.is_some();
    scene.desk.until_that("the first page", first).await;
    other.add_suites(&run, &before[..1]).await;
    scene.read_whole().await;
    scene.proxy.fault(Fault::None);
    let (now, left): (Vec<_>, BTreeSet<_>) = (scene.free(), before[1..].iter().cloned().collect());
    assert_eq!(now.len(), left.len(), "none twice, none left out");
    assert_eq!(now.into_iter().collect::<BTreeSet<_>>(), left);
    let again = scene.proxy.count("GET_AVAILABLE_TEST_SUITES") - calls;
    assert!(again > before.len().div_ceil(7), "{again} calls");
}

#[tokio::test]
async fn ctrl_c_stops_before_the_next_request_and_what_went_out_is_read() {
    let mut scene = scene(Options {
        suites: 900,
        ..Options::default()
    })
    .await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["A"]);
    let marked = scene.basket();
    scene
        .proxy
        .fault_for(ADD, Fault::Delay(Duration::from_millis(700)));
    scene.desk.press(&["Enter", "Enter"]);
    while scene.proxy.count(ADD) == 0 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    scene.desk.press(&["Ctrl-c"]);
    let outcome = scene.outcome().await;
    assert_eq!(scene.proxy.count(ADD), 1, "the second is never sent");
    assert_eq!(
        (&outcome.done_parts()[..], &outcome.other_parts()[..]),
        (&marked[..20], &marked[20..])
    );
    assert_eq!(scene.basket(), marked[20..]);
    assert_eq!(scene.truth(&run), marked[..20].iter().cloned().collect());
    assert!(!scene.desk.quit);
}

#[tokio::test]
async fn what_cannot_be_read_afterwards_is_not_called_confirmed_and_stays_marked() {
    let mut scene = scene(Options::default()).await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space"]);
    let marked = scene.basket();
    scene.proxy.fault_for(ADD, Fault::CutAfter);
    scene.desk.press(&["Enter", "Enter"]);
    scene.no_answer().await;
    scene.proxy.go_down().await;
    let outcome = scene.outcome().await;
    assert_eq!(
        (outcome.end, &outcome.seen),
        (End::Unknown, &ReadBack::Unread),
        "{outcome:?}"
    );
    let screen = scene.desk.screen();
    assert!(
        screen.contains("may be changed: reading afterwards"),
        "{screen}"
    );
    assert_eq!(
        (outcome.done_parts().len(), scene.basket()),
        (0, marked.clone())
    );
    scene.desk.press(&["Enter", "@"]);
    scene.desk.until("sent, end unknown").await;
    scene.proxy.fault(Fault::None);
    scene.proxy.come_back();
    scene.desk.press(&["Esc", "r"]);
    scene.desk.until("GONE meanwhile").await;
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
    assert_eq!(scene.writes(), [ADD], "sent once");
}
