//! Saved views over HTTP: what the service is asked, and what it answers.

use crate::support::prelude::*;
use rundown::domain::{Sort, View};

use super::scene;

fn view(name: &str, filter: &str) -> View {
    let sorts = vec![Sort {
        path: "Root.General.Title".into(),
        descending: false,
    }];
    let filter = Filter::default().with(|it| it.filters = vec![filter.to_owned()]);
    View {
        name: name.into(),
        filter,
        sorts,
        ..View::default()
    }
}

#[tokio::test]
async fn a_view_is_opened_on_the_list_and_watched_by_its_pages() {
    let mut scene = scene(options(|it| it.runs = 60), |profile| {
        profile.refresh_seconds = 1;
        profile.watch.views = vec![view("open", "Root.General.Status:active")];
    })
    .await;
    scene.press(&[":", "view open", "Enter"]);
    scene
        .until_that("the open runs", |desk| {
            desk.store.runs().len().is_some_and(|len| len > 0)
        })
        .await;
    let open = scene.store.runs().len().unwrap();
    assert!(open > 20, "{open}");
    scene
        .press_until(&["M"], "Monitor: \"open\" of P_9/SP_1")
        .await;
    let before = scene.proxy.count("LIST_TEST_RUNS");
    scene
        .desk
        .until_that("more readings", |_| {
            scene.proxy.count("LIST_TEST_RUNS") >= before + 3
        })
        .await;
    let calls = scene
        .proxy
        .passed()
        .into_iter()
        .filter(|passed| passed.method == "LIST_TEST_RUNS");
    let last = calls.last().unwrap().json();
    let params = &last["params"];
    assert_eq!(
        params["filter"]["filters"],
        serde_json::json!(["Root.General.Status:active"]),
        "{params}"
    );
    assert_eq!(
        params["page"],
        serde_json::json!({"offset": 0, "limit": 100}),
        "{params}"
    );
    assert_eq!(
        scene.asked_by_id(),
        [""; 0],
        "no run is asked for by itself"
    );
    let runs = scene.store.monitor().unwrap().runs.len();
    assert_eq!(runs, open, "all of them");
    scene.press(&["Esc"]);
    scene.press(&["6"]);
    scene
        .until_that("all runs", |desk| {
            desk.store.runs().len().is_some_and(|all| all > open)
        })
        .await;
}

#[tokio::test]
async fn named_runs_are_watched_and_one_that_is_not_there_is_told() {
    let mut scene = scene(options(|it| it.runs = 30), |profile| {
        let runs = vec!["R_30".to_owned(), "R_9999".to_owned(), "R_2".to_owned()];
        profile.watch.views = vec![View {
            name: "chosen".into(),
            runs,
            ..View::default()
        }];
    })
    .await;
    // What is read is as new as the monitor, by one clock.
    scene.in_real_time = true;
    scene
        .press_until(
            &[":", "monitor chosen", "Enter"],
            "Monitor: \"chosen\" of P_9/SP_1",
        )
        .await;
    scene.until("R_9999 not seen").await;
    scene
        .until_that("both", |desk| desk.store.monitor().unwrap().runs.len() == 2)
        .await;
    let cards = &scene.store.monitor().unwrap().runs;
    // Each is read by itself: whichever answer comes first.
    let names: BTreeSet<&str> = cards.iter().map(|card| card.run.name()).collect();
    assert_eq!(names, ["R_30", "R_2"].into());
    assert!(cards.iter().all(|card| card.trouble.is_none()), "{cards:?}");
}
