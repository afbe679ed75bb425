//! An open run: its suites come by themselves, by few calls, and only while somebody looks at it.

use super::{Scene, scene};
use crate::support::prelude::*;

const AVAILABLE: &str = "GET_AVAILABLE_TEST_SUITES";

impl Scene {
    /// Calls of lists that the service has received.
    fn lists(&self) -> usize {
        let lists = ["LIST_TEST_RUNS", "LIST_DOCUMENTS", AVAILABLE];
        lists.iter().map(|method| self.proxy.count(method)).sum()
    }
}

#[tokio::test]
async fn the_suites_of_an_open_run_come_without_a_key_and_by_few_calls() {
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    other.add_run("Nothing in it").await;
    let run = other.add_run("Three in it").await;
    let free = other.free(&run).await;
    other.add_suites(&run, &free[..3]).await;
    scene.go_to(&run).await;
    let before = scene.lists();
    scene.press(&["Enter"]);
    let known = |desk: &super::Desk| desk.store.detail().unwrap().suites.value().is_some();
    scene.until_that("the suites", known).await;
    let suites = scene.store.detail().unwrap().suites.value().unwrap();
    let sure: BTreeSet<_> = suites.sure().map(|named| named.suite.clone()).collect();
    assert_eq!(sure, scene.truth(&run), "{}", scene.screen());
    let asked = scene.lists() - before;
    assert!((1..=10).contains(&asked), "{asked} calls of lists");
    scene.says("── Suites 3 ");

    // Somebody adds one: the next reading says so, and they are worked out again.
    other.add_suites(&run, &free[3..4]).await;
    scene.press(&["r"]);
    let four = |desk: &super::Desk| {
        let suites = desk.store.detail().unwrap().suites.value();
        suites.is_some_and(|suites| suites.sure().count() == 4)
    };
    scene.until_that("the fourth", four).await;
}

#[tokio::test]
async fn many_runs_of_the_scope_make_no_more_calls() {
    let mut scene = scene(options(|it| it.runs = 400)).await;
    let other = scene.other().await;
    let run = other.add_run("One of many").await;
    let free = other.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    scene.go_to(&run).await;
    let before = scene.lists();
    scene.press(&["Enter"]);
    let over = |desk: &super::Desk| {
        let suites = &desk.store.detail().unwrap().suites;
        suites.value().is_some() || suites.failure().is_some()
    };
    scene.until_that("an end", over).await;
    let asked = scene.lists() - before;
    assert!(asked <= 10, "{asked} calls of lists");
}

#[tokio::test]
async fn a_run_that_is_left_is_asked_about_no_more() {
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    let run = other.add_run("Left").await;
    scene.go_to(&run).await;
    let one = other.free(&run).await;
    other.add_suites(&run, &one[..1]).await;
    scene.press(&["r"]);
    let counted = |desk: &super::Desk| {
        let current = desk.store.runs().current();
        current.is_some_and(|run| run.row().suite_count == Some(1))
    };
    scene.until_that("the count", counted).await;
    let slow = Fault::delay(20_000);
    scene.proxy.fault_for(AVAILABLE, slow);
    scene.press_until(&["Enter"], "looking for them…").await;
    while scene.proxy.count(AVAILABLE) == 0 {
        pause(10).await;
    }
    scene.press(&["Esc"]);
    assert!(!scene.store.cx.under_way(&Slot::RunSuites));
    scene.press(&["r"]);
    scene
        .until_that("the list again", |desk| !desk.store.runs().reader.busy())
        .await;
    assert_eq!(scene.proxy.count(AVAILABLE), 1);
}
