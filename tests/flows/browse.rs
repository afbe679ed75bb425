//! List, page to the end, filter, facets, sort, columns, detail, JSON, copy, projects.

use crate::support::prelude::*;
use std::collections::HashSet;

use super::{Desk, behind_a_proxy, profile_through, scene, scene_with};
use std::os::unix::fs::PermissionsExt;

#[tokio::test]
async fn a_list_is_read_and_every_row_opens() {
    let mut scene = scene(options(|it| it.runs = 30)).await;
    scene.until("\nrun 1 of").await;
    let first = scene.params("LIST_TEST_RUNS")[0].clone();
    assert_eq!(
        first,
        json!({
            "page": {"offset": 0, "limit": 100},
            "sort": [{"order": "Root.Metadata.EditedOn DESC"}],
            "filter": {"filters": ["Root.General.Status:active"]},
        })
    );
    let passed = scene.proxy.passed();
    let call = passed
        .iter()
        .find(|passed| passed.method == "LIST_TEST_RUNS")
        .unwrap();
    assert_eq!(call.headers["project-id"], "P_9");
    assert_eq!(call.headers["subproject-id"], "SP_1");
    let rows = scene.store.runs().len().unwrap();
    assert!(rows > 10);
    for row in 0..rows {
        let run = scene.store.here().clone();
        scene.press(&["Enter"]);
        let here = |desk: &Desk| {
            let detail = desk.store.detail();
            detail.is_some_and(|detail| {
                detail.run.doc_ref == run.doc_ref && detail.document.value().is_some()
            })
        };
        scene.until_that("the run", here).await;
        scene.says("created ");
        let shown = scene.store.detail().unwrap();
        assert_eq!(
            *shown.document.value().unwrap().document.doc_ref(),
            run.doc_ref
        );
        scene.press(&["Esc", "j"]);
        scene
            .until(&format!("\nrun {} of {rows}", (row + 2).min(rows)))
            .await;
    }
    assert_eq!(scene.proxy.count("GET_DOCUMENT"), rows as usize);
    assert_eq!(scene.proxy.count("token"), 1);
}

#[tokio::test]
async fn the_last_row_is_reached_page_by_page_and_at_once() {
    let mut scene = scene(options(|it| it.runs = 1200)).await;
    scene.until("\nrun 1 of").await;
    let size = scene.store.runs().len().unwrap();
    scene.press(&["End"]);
    let last = format!("\nrun {size} of {size}");
    assert!(
        scene.screen().contains(&last),
        "a key does not wait for the service"
    );
    scene.until_row().await;
    let at_once = scene.store.here().doc_ref.clone();
    scene.press(&["Home"]);
    scene.until_row().await;
    let mut seen = HashSet::new();
    for _ in 0..size {
        scene.until_row().await;
        seen.insert(scene.store.here().doc_ref.clone());
        scene.press(&["j"]);
    }
    assert_eq!(seen.len(), size, "every run was under the cursor once");
    assert_eq!(scene.store.here().doc_ref, at_once);
    for params in scene.params("LIST_TEST_RUNS") {
        assert!(params["page"]["limit"].as_u64().unwrap() <= 100, "{params}");
    }
}

#[tokio::test]
async fn a_service_that_clamps_the_page_is_read_to_the_end_too() {
    let mut scene = scene(options(|it| (it.runs, it.page_limit) = (300, Some(7)))).await;
    scene.first_reading().await;
    let all = scene.store.runs().answer.as_ref().unwrap().overview.tabs[5].unwrap();
    assert!(all.runs > 100 && !all.or_more, "{all:?}");
    scene.press(&["6"]);
    scene.until(&format!("run 1 of {}", all.runs)).await;
    assert!(scene.store.runs().reader.failure.is_none());
}

#[tokio::test]
async fn a_filter_is_local_at_once_and_the_services_after_a_pause() {
    let mut scene = scene(options(|it| it.runs = 3_000)).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    scene.press(&["/", "Smoke"]);
    scene.until("found; searching all…").await;
    scene.until(" not here: :sync all").await;
    let asked = scene.params("LIST_TEST_RUNS");
    let asked: Vec<_> = asked
        .iter()
        .filter(|params| params["filter"].get("fulltext").is_some())
        .collect();
    assert_eq!(asked.len(), 1, "one question for the whole word: {asked:?}");
    assert_eq!(
        asked[0]["filter"],
        json!({"filters": ["Root.General.Status:active"], "fulltext": "Smoke"})
    );
    let found = scene.store.runs().len().unwrap();
    assert!(found > 0 && found < 3_000);
    scene.press(&["Enter"]);
    scene.says("\"Smoke\": ");
    scene.press(&["Esc"]);
    assert!(
        !scene.screen().contains("Smoke\": "),
        "Esc takes the filter away"
    );
}

#[tokio::test]
async fn facets_come_from_the_service_and_filter_the_runs_that_are_here() {
    let mut scene = scene(options(|it| it.runs = 400)).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    let all = scene.store.runs().len().unwrap();
    scene.press(&["f"]);
    let screen = scene.screen();
    assert!(
        screen.contains("Version: 1.1.0") && !screen.contains("Status"),
        "open and closed are tabs: {screen}"
    );
    scene
        .press_until(&["1.1.0", "Enter"], "version 1.1.0")
        .await;
    scene
        .until_that("fewer", |desk| {
            desk.store.runs().len().is_some_and(|len| len < all)
        })
        .await;
    // Another tab is filtered by the same.
    scene.press_until(&["5"], "[5 Closed ").await;
    scene.until_row().await;
    let runs = scene.store.runs().runs().iter();
    let versions: BTreeSet<_> = runs.map(|run| run.row().version).collect();
    assert_eq!(versions, [Some("1.1.0".to_owned())].into());
    scene.press(&["1", "f", "1.1.0", "Space", "Enter"]);
    scene.until(&format!("\nrun 1 of {all}")).await;
}

#[tokio::test]
async fn a_sort_order_is_chosen_and_reversed() {
    let mut scene = scene(options(|it| it.runs = 400)).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    scene.press_until(&["o", "t"], "Title ↑").await;
    scene.until_row().await;
    let first = scene.store.here().clone();
    scene.press_until(&["o", "t"], "Title ↓").await;
    scene.press(&["End"]);
    scene.until_row().await;
    assert_eq!(scene.store.here().title, first.title);
}

#[tokio::test]
async fn the_json_is_shown_as_it_came_searched_and_copied() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    let run = scene.store.here().clone();
    scene.press_until(&["i"], "\"TechnicalId\"").await;
    scene.press(&["/", "tenantid", "Enter"]);
    let line = scene.store.detail().unwrap().json.list.scroll.cursor;
    let opened = scene.store.detail().unwrap().document.value().unwrap();
    says(&opened.json[line as usize], "\"TenantId\"");
    scene.press(&["y", "j", "y", "r", "y", "i"]);
    let json: Value = serde_json::from_str(&scene.copied[0]).unwrap();
    assert_eq!(json["docRef"], run.doc_ref.as_str());
    assert_eq!(
        scene.copied[1..],
        [run.doc_ref.to_string(), run.id.unwrap()]
    );
    scene.press(&["Esc", "Esc"]);
    scene.says("\nrun 1 of");
}

#[tokio::test]
async fn the_project_is_switched_from_the_palette() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    scene.press(&[":", "project Q_1", "Enter"]);
    scene.says("not a project id");
    scene
        .press_until(&["Esc", ":", "project P_12", "Enter"], "P_12")
        .await;
    scene.until("\nrun 1 of").await;
    let call = scene.proxy.passed().pop().unwrap();
    assert_eq!(call.headers["project-id"], "P_12");
    assert!(!call.headers.contains_key("subproject-id"));
    assert_eq!(
        scene.proxy.count("token"),
        1,
        "the same sign-in serves both projects"
    );
    let rows: Vec<_> = scene
        .store
        .runs()
        .runs()
        .iter()
        .map(|run| run.row().project.unwrap())
        .collect();
    assert!(!rows.is_empty() && rows.iter().all(|project| project == "P_12"));
}

#[tokio::test]
async fn the_cursor_stays_on_its_run_when_others_come_before_it() {
    let mut scene = scene_with(options(|it| it.runs = 120), |_| {}).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    scene.press(&["j", "j", "j", "j", "j"]);
    let here = scene.store.here().clone();
    let client = scene.other().await;
    client.add_run("Comes first").await;
    scene.press_until(&["r"], "Comes first").await;
    assert_eq!(scene.store.here().doc_ref, here.doc_ref);
    scene.says("\nrun 7 of");
}

#[tokio::test]
async fn a_profiles_version_filters_the_list_until_it_is_taken_away() {
    let change =
        |profile: &mut rundown::config::Profile| profile.project_version = Some("1.1.0".into());
    let mut scene = scene_with(options(|it| it.runs = 100), change).await;
    scene.until("version 1.1.0").await;
    scene.until("\nrun 1 of").await;
    let filter = json!({"filters": ["Root.General.Status:active", "Root.General.ProjectVersionNumber:1.1.0"]});
    assert_eq!(scene.params("LIST_TEST_RUNS")[0]["filter"], filter);
    let some = scene.store.runs().len().unwrap();
    scene.press(&["Esc", "Up"]);
    assert!(
        scene.screen().contains("version 1.1.0"),
        "Esc takes no filter away that f has chosen"
    );
    scene.press(&["f", "Version: 1.1.0", "Space", "Enter"]);
    scene
        .until_that("all versions", |desk| {
            desk.store.runs().len().is_some_and(|all| all > some)
        })
        .await;
}

#[tokio::test]
async fn a_profile_refreshes_by_itself() {
    let change = |profile: &mut rundown::config::Profile| profile.refresh_seconds = 1;
    let mut scene = scene_with(options(|it| it.runs = 30), change).await;
    scene.until("\nrun 1 of").await;
    let other = scene.other().await;
    other.add_run("Seen without a key").await;
    scene.until("Seen without a key").await;
}

/// The first rows wait for the network alone: what was counted before is opened meanwhile.
#[tokio::test]
async fn the_first_call_goes_out_while_the_history_is_being_opened() {
    let (service, proxy) = behind_a_proxy(options(|it| it.runs = 30)).await;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("samples.sqlite");
    let held = rusqlite::Connection::open(&path).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
    held.execute_batch("BEGIN EXCLUSIVE").unwrap();
    let profile = profile_through(&proxy, &service);
    let mut desk = Desk::in_folder(vec![profile], folder);
    // SQLite waits for ten seconds.
    let end = Instant::now() + Duration::from_secs(8);
    while proxy.count("LIST_TEST_RUNS") == 0 && Instant::now() < end {
        let never = desk.until_that("an event", |_| false);
        assert!(
            tokio::time::timeout(Duration::from_millis(20), never)
                .await
                .is_err()
        );
    }
    assert_eq!(proxy.count("LIST_TEST_RUNS"), 1);
    desk.says("Reading the runs…");
    drop(held);
    desk.until("\nrun 1 of").await;
    let first = proxy.params("LIST_TEST_RUNS");
    assert_ne!(first.first(), first.get(1), "it is not made again");
}
