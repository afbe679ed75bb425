//! Saved views over HTTP: what the service is asked, and what it answers.

use crate::support::look::Look as _;
use rundown::domain::{Filter, Sort, View};
use rundown::local_service::Options;

use super::scene;

fn view(name: &str, filter: &str) -> View {
    let sorts = vec![Sort {
        path: "Root.General.Title".into(),
        descending: false,
    }];
    let filter = Filter {
        filters: vec![filter.to_owned()],
        ..Filter::default()
    };
    View {
        name: name.into(),
        filter,
        sorts,
        ..View::default()
    }
}

#[tokio::test]
async fn a_view_is_opened_on_the_list_and_watched_with_one_call_a_reading() {
    let mut scene = scene(
        Options {
            runs: 60,
            ..Options::default()
        },
        |profile| {
            profile.refresh_seconds = 1;
            profile.watch.views = vec![view("open", "Root.General.Status:active")];
        },
    )
    .await;
    scene.desk.press(&["6"]);
    scene.desk.until("[6 All ").await;
    let all = scene.desk.store.runs().len().unwrap();
    scene.desk.press(&[":", "view open", "Enter"]);
    scene.desk.until("[1 open ").await;
    scene
        .desk
        .until_that("the open runs", |desk| {
            desk.store.runs().len().is_some_and(|len| len < all)
        })
        .await;
    let open = scene.desk.store.runs().len().unwrap();
    assert!(open > 20, "{open}");
    scene.desk.press(&["M"]);
    scene
        .desk
        .until(&format!("Monitor: 20 of {open} runs of \"open\""))
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
        params["sort"][0]["order"], "Root.General.Title ASC",
        "{params}"
    );
    assert_eq!(
        params["page"],
        serde_json::json!({"offset": 0, "limit": 20}),
        "{params}"
    );
    assert_eq!(
        scene.asked_by_id(),
        [""; 0],
        "no run is asked for by itself"
    );
    // The monitor shows the first of the list, in its order.
    let cards = &scene.desk.store.monitor().unwrap().cards;
    let cards: Vec<String> = cards
        .iter()
        .map(|card| card.row.name().to_owned())
        .collect();
    scene.desk.press(&["Esc"]);
    let listed: Vec<String> = (0..20)
        .map(|row| scene.desk.store.runs().row(row).unwrap().name().to_owned())
        .collect();
    assert_eq!(cards, listed);
    scene.desk.press(&["6"]);
    scene
        .desk
        .until_that("all runs", |desk| desk.store.runs().len() == Some(all))
        .await;
}

#[tokio::test]
async fn named_runs_are_watched_and_one_that_is_not_there_is_told() {
    let mut scene = scene(
        Options {
            runs: 30,
            ..Options::default()
        },
        |profile| {
            let runs = vec!["R_30".to_owned(), "R_9999".to_owned(), "R_2".to_owned()];
            profile.watch.views = vec![View {
                name: "mine".into(),
                runs,
                ..View::default()
            }];
        },
    )
    .await;
    scene.desk.press(&[":", "monitor mine", "Enter"]);
    scene.desk.until("Monitor: 2 of 3 runs of \"mine\"").await;
    scene.desk.until("R_9999 not found").await;
    let cards = &scene.desk.store.monitor().unwrap().cards;
    assert_eq!(
        cards.iter().map(|card| card.row.name()).collect::<Vec<_>>(),
        ["R_30", "R_2"]
    );
}
