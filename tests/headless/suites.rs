//! `suites available` and `suites attached`: the engine and the words of the screen, with an exit status.

use crate::support::prelude::*;
use rundown::demo;
use rundown::domain::FieldDigests;
use rundown::mirror::{Presence, RunCache};
use rundown::profile::origin;
use rundown::samples::{RunHistory, Samples};

use super::scene::{Scene, each, has};
use super::schema::fits;

impl Scene {
    /// References of the suites that can be added to a run.
    pub async fn free(&self, run: &DocRef) -> Vec<DocRef> {
        let list = self.json(&format!("suites available {run}")).await;
        fits("available_suites", &list);
        let suites = list["suites"].as_array().unwrap();
        suites
            .iter()
            .map(|suite| DocRef::parse(suite["ref"].as_str().unwrap()).unwrap())
            .collect()
    }
}

fn references(list: &Value) -> BTreeSet<&str> {
    each(list.as_array().unwrap(), "ref").into_iter().collect()
}

#[tokio::test]
async fn what_can_be_added_is_listed_whole_and_in_order() {
    let scene = Scene::new(options(|it| it.page_limit = Some(7))).await;
    let run = scene.other().await.add_run("Empty").await;
    let list = scene
        .told("available_suites", &format!("suites available {run}"))
        .await;
    let suites = list["suites"].as_array().unwrap();
    assert!(suites.len() > 14, "more than two pages: {}", suites.len());
    assert_eq!(
        (list["full_size"].as_u64(), &list["run"]["ref"]),
        (Some(suites.len() as u64), &json!(run.as_str()))
    );
    let orders: Vec<f64> = suites
        .iter()
        .map(|suite| suite["order"].as_str().unwrap().parse().unwrap())
        .collect();
    assert!(orders.is_sorted(), "{orders:?}");
    let lines = scene.lines(&format!("suites available {run}")).await;
    assert_eq!(lines.len(), suites.len());
    for (line, suite) in lines.iter().zip(suites) {
        fits("suite", line);
        assert_eq!(line["ref"], suite["ref"]);
    }
    for (format, start) in [
        ("table", "Suite"),
        ("csv", "ref,id,title"),
        ("markdown", "| Suite | Title"),
    ] {
        let text = scene
            .out(&format!("suites available {run} --format {format}"))
            .await;
        begins(&text, start);
        assert!(
            suites
                .iter()
                .all(|suite| text.contains(suite["id"].as_str().unwrap())),
            "{text}"
        );
    }
}

#[tokio::test]
async fn what_is_in_no_open_run_of_a_version_is_what_each_of_them_can_get() {
    // Few enough that there are some in none of them.
    let scene = Scene::new(options(|it| it.runs = 6)).await;
    let other = scene.other().await;
    let runs = [other.add_run("One").await, other.add_run("Two").await];
    let free = scene.free(&runs[0]).await;
    other.add_suites(&runs[0], &free[..2]).await;
    other.add_suites(&runs[1], &free[1..4]).await;
    let version = &scene.json(&format!("runs show {}", runs[0])).await["version"];
    let version = version.as_str().unwrap().to_owned();
    let line = format!("suites in-no-run --version {version}");
    let before = scene.proxy.count("GET_AVAILABLE_TEST_SUITES");
    let ran = scene.run(&format!("{line} --format json")).await;
    let found = ran.json("suites_in_no_run");
    assert_eq!(found["subprojects"], 1);
    let open = found["runs_open"].as_u64().unwrap();
    says(&ran.err, &format!("reads at most {open} lists"));
    let lists = scene.proxy.count("GET_AVAILABLE_TEST_SUITES") - before;
    assert!(lists as u64 <= open, "{lists} lists of {open} runs");
    let listed = format!(
        "runs list --all --filter Root.General.Status:active --filter Root.General.ProjectVersionNumber:{version}"
    );
    let listed = scene.json(&listed).await;
    let listed = references(&listed["runs"]);
    assert_eq!(listed.len() as u64, open);
    let mut left: BTreeSet<DocRef> = free.iter().cloned().collect();
    for run in listed {
        let free = scene.free(&DocRef::parse(run).unwrap()).await;
        left.retain(|suite| free.contains(suite));
    }
    let left: BTreeSet<&str> = left.iter().map(DocRef::as_str).collect();
    assert_eq!(references(&found["suites"]), left);
    assert!(
        !left.is_empty() && left.len() < free.len() - 3,
        "{} of {open}",
        left.len()
    );
    // A run whose list is refused may have any of them.
    let refused = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"no"}}"#;
    let refused = Fault::Replace(200, refused.to_vec());
    scene.proxy.fault_for("GET_AVAILABLE_TEST_SUITES", refused);
    let ran = scene.run(&format!("{line} --format json")).await;
    assert_eq!(ran.status, Some(6), "{ran:?}");
    says(&ran.err, &format!("0 of {open} runs read"));
    scene.unread(&line).await.is(6);
    scene
        .refuses(
            "suites in-no-run --version 77.7",
            6,
            &["no open run of version 77.7"],
        )
        .await;
}

#[tokio::test]
async fn a_closed_run_is_said_and_its_suites_are_not_asked_for() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    scene
        .refuses(
            &format!("suites available {run}"),
            4,
            &["is closed", "open runs only"],
        )
        .await;
    let attached = scene
        .told("attached_suites", &format!("suites attached {run}"))
        .await;
    has(&attached, &json!({"state": "closed", "complete": false}));
    let words = "closed: its suites cannot be listed or changed";
    assert_eq!(attached["headline"], words);
    assert_eq!(scene.proxy.count("GET_AVAILABLE_TEST_SUITES"), 0);
}

#[tokio::test]
async fn a_closed_run_has_the_suites_that_were_known_last() {
    let (scene, other) = Scene::shared().await;
    let (run, _empty) = (other.add_run("Some").await, other.add_run("None").await);
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..3]).await;
    let line = format!("suites attached {run}");
    // Nothing is kept where no reading keeps anything.
    scene.run("sync").await;
    scene.told("attached_suites", &line).await;
    other.close(&run).await;
    let closed = scene.told("attached_suites", &line).await;
    has(&closed, &json!({"state": "closed", "suites": []}));
    assert_eq!(
        references(&closed["candidates"]),
        free[..3].iter().map(DocRef::as_str).collect()
    );
    let how = closed["candidates"][0]["how"].as_str().unwrap();
    assert!(
        how.starts_with("last known ") && how.ends_with(", 3 of 3"),
        "{how}"
    );
}

#[tokio::test]
async fn what_is_in_a_run_is_named_with_how_it_is_known() {
    let (scene, other) = Scene::shared().await;
    let (run, empty) = (other.add_run("Some").await, other.add_run("None").await);
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[2..5]).await;
    let begun = jiff::Timestamp::now();
    let attached = scene
        .told("attached_suites", &format!("suites attached {run}"))
        .await;
    let read_at: jiff::Timestamp = attached["read_at"].as_str().unwrap().parse().unwrap();
    assert!(read_at >= begun, "{attached}");
    // A list of one page is of one moment.
    let params = scene.params("GET_AVAILABLE_TEST_SUITES");
    assert_eq!(params.last().unwrap()["page"]["limit"], 100);
    has(
        &attached,
        &json!({"state": "complete", "headline": "3 suites"}),
    );
    has(&attached, &json!({"named": 3, "count": 3, "unknown": 0}));
    assert_eq!(
        references(&attached["suites"]),
        free[2..5].iter().map(DocRef::as_str).collect()
    );
    let first = &attached["suites"][0];
    assert!(
        first["how"]
            .as_str()
            .unwrap()
            .starts_with("compared with R_"),
        "{first}"
    );
    assert_eq!(first["trust"], "sure");
    let table = scene.out(&format!("suites attached {run}")).await;
    says(&table, ": 3 suites\n\nSuite");
    let csv = format!("suites attached {run} --format csv");
    lacks(&scene.out(&csv).await, "\n\n");
    let empty = scene.out(&format!("suites attached {empty}")).await;
    assert!(
        empty.contains(": no suites") && empty.lines().count() == 1,
        "{empty}"
    );
    says(&table, "How it is known");
    says(&table, "compared with R_");
}

#[tokio::test]
async fn suites_that_a_command_works_out_are_kept_for_comparing_where_something_is_kept() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Some").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[2..5]).await;
    let state = scene.home.path().join(".local/state/rundown");
    scene.out(&format!("suites attached {run}")).await;
    assert!(!state.exists(), "reading makes none");
    scene.run("sync").await.is(0);
    let mut profile = demo::profile(&scene.service.profile()).unwrap();
    profile.base_url = format!("{}/api", scene.proxy.base).parse().unwrap();
    let history = RunHistory {
        samples: Samples::open(&state, 90, 0).unwrap(),
        profile: "test".into(),
        scope: profile.scope(),
        source: origin(&profile).key(),
    };
    let kept = || {
        let kept = history.suites(&run).unwrap().into_iter();
        kept.map(|it| (it.is_complete, it.suites.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(kept(), []);
    scene.out(&format!("suites attached {run}")).await;
    assert_eq!(kept(), [(true, 3)]);
    scene
        .run(&format!("suites remove {run} {}", free[2]))
        .await
        .is(0);
    assert_eq!(kept().len(), 2, "a removal works them out first");
    scene.out(&format!("suites attached {run}")).await;
    assert_eq!(kept()[0], (true, 2));
    // A run that another program has found to be gone meanwhile has none to keep.
    let cache = origin(&profile).file(&scene.home.path().join(".cache/rundown"));
    let mut cache = RunCache::of_file(&cache).unwrap();
    let there = cache.some(std::slice::from_ref(&run)).unwrap().remove(0);
    let told = |state: Presence, cache: &mut RunCache| {
        let run = there.clone().with(|it| it.state = state);
        cache
            .put([(&run, FieldDigests::default())].into_iter())
            .unwrap();
    };
    told(Presence::Gone, &mut cache);
    scene.out(&format!("suites attached {run}")).await;
    assert_eq!(kept().len(), 3);
    told(Presence::Here, &mut cache);
    // Of a closed run nothing is worked out: what is known of it stays.
    other.close(&run).await;
    scene.out(&format!("suites attached {run}")).await;
    assert_eq!((kept()[0], kept().len()), ((true, 2), 3));
}

/// With one open run nothing can be compared: the number of those that nobody can name stands in a row of its own.
#[tokio::test]
async fn suites_that_no_list_names_are_a_row_of_their_own() {
    let scene = Scene::new(options(|it| it.runs = 0)).await;
    let other = scene.other().await;
    let run = other.add_run("Alone").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    let words = "2 more suites are attached that no list names";
    let attached = format!("suites attached {run}");
    // It succeeds whatever the state is.
    let attached = scene.told("attached_suites", &attached).await;
    has(
        &attached,
        &json!({"state": "partial", "unknown": 2, "unknown_words": words}),
    );
    for format in ["table", "markdown", "csv"] {
        let text = scene
            .out(&format!("suites attached {run} --format {format}"))
            .await;
        let row = text.lines().last().unwrap();
        assert!(
            row.contains(words) && row.contains("2 by the service, named 0"),
            "{text}"
        );
        says(&text, "0 of 2 suites known");
    }
    let lines = scene.lines(&format!("suites attached {run}")).await;
    assert_eq!(lines.len(), 2, "{lines:?}");
    fits("attached_state", &lines[0]);
    fits("unknown_suites", &lines[1]);
    has(&lines[0], &json!({"state": "partial"}));
    has(&lines[1], &json!({"unknown": 2}));
    let told = scene.json(&format!("suites attached {run}")).await;
    assert_eq!(told["complete"], false);
    assert!(scene.keeps_nothing(), "reading leaves nothing behind");
}

#[tokio::test]
async fn each_line_of_an_attached_list_is_described() {
    let (scene, other) = Scene::shared().await;
    let (run, _empty) = (other.add_run("Some").await, other.add_run("None").await);
    other.add_suites(&run, &scene.free(&run).await[..2]).await;
    let lines = scene.lines(&format!("suites attached {run}")).await;
    assert_eq!(lines.len(), 3, "{lines:?}");
    fits("attached_state", &lines[0]);
    lines[1..]
        .iter()
        .for_each(|line| fits("attached_suite", line));
}

#[tokio::test]
async fn without_list_test_runs_the_number_is_worked_out_or_not_known() {
    let scene = Scene::new(options(|it| it.without_list_test_runs = true)).await;
    let other = scene.other().await;
    let (run, _empty) = (other.add_run("Some").await, other.add_run("None").await);
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..2]).await;
    let attached = scene
        .told("attached_suites", &format!("suites attached {run}"))
        .await;
    let state = attached["state"].as_str().unwrap();
    assert!(
        ["complete_worked_out", "unchecked"].contains(&state),
        "{state}"
    );
    let named: BTreeSet<&str> = references(&attached["suites"]);
    assert!(
        named.is_subset(&free[..2].iter().map(DocRef::as_str).collect()),
        "{named:?}"
    );
    let remove = format!("suites remove {run} {}", free[0]);
    let said = scene.run(&remove).await.err;
    says(&said, "so none are saved first");
}

#[tokio::test]
async fn calls_that_fail_end_with_4_and_print_nothing() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Some").await;
    other.add_suites(&run, &scene.free(&run).await[..1]).await;
    scene
        .proxy
        .fault_for("GET_AVAILABLE_TEST_SUITES", Fault::status(502));
    for question in ["available", "attached"] {
        for (run, status, told) in [
            (run.as_str(), 4, &["loading the suites to add", "502"][..]),
            ("R_999999", 4, &["there is no test run R_999999"]),
            ("20744", 2, &["expected a short id such as R_4"]),
        ] {
            let line = format!("suites {question} {run}");
            scene.refuses(&line, status, told).await;
        }
    }
}
