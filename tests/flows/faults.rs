//! The service gone and back, slow, or without an operation.

use super::{scene, scene_with};
use crate::support::prelude::*;

#[tokio::test]
async fn without_list_test_runs_the_other_operation_serves_and_says_what_is_gone() {
    let mut scene = scene(options(|it| it.without_list_test_runs = true)).await;
    scene.until("without results").await;
    scene.until("\nrun 1 of").await;
    scene.lacks("Done");
    scene.press(&["End"]);
    scene
        .until_that("the last row", |desk| desk.store.runs().current().is_some())
        .await;
    assert_eq!(
        scene.proxy.count("LIST_TEST_RUNS"),
        1,
        "asked once, and never again"
    );
    assert_eq!(
        scene.params("LIST_DOCUMENTS")[0]["documentModelName"],
        "TestRun-dm"
    );
    scene.press(&["Enter"]);
    scene.until("no results have come").await;
}

#[tokio::test]
async fn a_service_that_is_down_is_said_and_comes_back_by_itself() {
    let mut scene = scene(options(|it| it.runs = 400)).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    let first = scene.store.here().id.clone().unwrap();
    scene.proxy.go_down().await;
    scene.press(&["r"]);
    scene
        .until_that("a failure", |desk| {
            desk.store.runs().reader.failure.is_some()
        })
        .await;
    let screen = scene.screen();
    assert!(screen.contains(&first), "what was read stays: {screen}");
    says(&screen, "! ");
    scene.press(&["!"]);
    scene.says("Problems, newest first");
    let screen = scene.screen();
    let failed = screen.lines().any(|line| {
        // Between them stands how often, where it was tried again by then.
        let said = line.split_once("loading the runs");
        said.is_some_and(|(_, why)| why.contains(": no connection"))
    });
    assert!(failed, "{screen}");
    scene.press(&["Esc"]);
    scene.proxy.come_back();
    scene
        .until_that("rows again, without a key", |desk| {
            desk.store.runs().reader.failure.is_none() && !desk.store.runs().reader.busy()
        })
        .await;
}

/// A portal, a page of somebody who keeps the service up: it passes.
#[tokio::test]
async fn a_page_in_the_place_of_the_service_is_asked_again_by_itself() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    let page = b"<html><title>Sign in to the network</title></html>".to_vec();
    scene.proxy.fault(Fault::Replace(200, page));
    scene.press_until(&["r"], "OFFLINE since").await;
    let waits = |desk: &super::Desk| desk.store.tries_again();
    scene.until_that("a next try", waits).await;
    scene.proxy.fault(Fault::None);
    let is_read = |desk: &super::Desk| {
        desk.store.runs().reader.failure.is_none() && !desk.store.runs().reader.busy()
    };
    scene.until_that("rows again, without a key", is_read).await;
    scene.lacks("OFFLINE");
}

/// A right that is missing, or a fault: of one operation, by a service that answers.
#[tokio::test]
async fn who_refuses_one_operation_is_not_offline() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    for (status, words) in [
        (403, "not allowed (403)"),
        (500, "a fault inside the service (500)"),
    ] {
        let page = b"<html><title>no</title></html>".to_vec();
        let fault = Fault::Replace(status, page);
        scene.proxy.fault_for("GET_AVAILABLE_TEST_SUITES", fault);
        scene.press_until(&["a"], words).await;
        scene.lacks("OFFLINE");
        // An answer of a service that was away says that it is back.
        scene.happens(Event::Reached(false));
        scene.says("OFFLINE since");
        scene.press_until(&["r"], words).await;
        let is_back = |desk: &super::Desk| !desk.screen().contains("OFFLINE");
        scene.until_that("no more OFFLINE", is_back).await;
        scene.press(&["Esc"]);
    }
    // A gateway that stands before no service: whatever is asked beside that is not answered either.
    scene.proxy.fault(Fault::status(502));
    scene.press_until(&["a"], "unavailable (502)").await;
    scene.until("OFFLINE since").await;
}

#[tokio::test]
async fn an_answer_slower_than_the_timeout_is_said() {
    let mut scene = scene_with(Options::default(), |profile| {
        profile.request_timeout = Duration::from_secs(1);
    })
    .await;
    scene.until("\nrun 1 of").await;
    scene.proxy.fault_for("GET_DOCUMENT", Fault::delay(20_000));
    scene.press(&["Enter"]);
    scene.says("reading…");
    scene
        .until_that("the failure", |desk| {
            !desk.store.errors().entries.is_empty()
        })
        .await;
    scene.says("no answer within 1");
    scene.proxy.fault(Fault::None);
    scene.press_until(&["r"], "created ").await;
}

#[tokio::test]
async fn ctrl_c_gives_up_what_is_under_way_and_then_quits() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    scene.proxy.fault(Fault::delay(30_000));
    scene.press(&["r", "Ctrl-c"]);
    scene.says("given up: r reads again");
    assert!(!scene.store.runs().reader.busy());
    scene.proxy.fault(Fault::None);
    scene.press(&["r"]);
    scene
        .until_that("read again", |desk| {
            !desk.store.runs().reader.busy() && desk.store.runs().reader.failure.is_none()
        })
        .await;
    scene.press(&["Ctrl-c"]);
    assert!(!scene.quit);
    scene.press(&["Ctrl-c"]);
    assert!(scene.quit);
}

#[tokio::test]
async fn a_run_that_is_gone_is_said() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    let error =
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":"no such document"}}"#;
    scene
        .proxy
        .fault_for("GET_DOCUMENT", Fault::Replace(200, error.to_vec()));
    scene.press_until(&["Enter"], "no such document").await;
    scene.says("not found (-32004): no such document");
}
