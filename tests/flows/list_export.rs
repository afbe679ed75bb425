//! The runs of a view written to a file, and how many runs the tabs show.

use super::{Scene, scene};
use crate::support::prelude::*;

async fn list(runs: u64) -> Scene {
    let options = options(|it| it.runs = runs);
    let mut scene = Box::pin(scene(options)).await;
    scene.desk.until("\nrun 1 of").await;
    let counted = |desk: &super::Desk| {
        let tabs = &desk.store.runs().summary.tabs;
        let mut lists = tabs.iter().filter(|tab| tab.view.only.is_none());
        lists.all(|tab| tab.count.is_some())
    };
    scene
        .desk
        .until_that("the numbers of the tabs", counted)
        .await;
    scene
}

/// The files of the exports, each with its text.
fn files(scene: &Scene) -> Vec<(String, String)> {
    let Ok(folder) = std::fs::read_dir(scene.desk.folder.path().join("exports")) else {
        return Vec::new();
    };
    let mut files: Vec<(String, String)> = folder
        .map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn tabs_have_their_numbers_by_one_small_call_each_after_the_list() {
    let mut scene = list(60).await;
    let active = json!({"filters": ["Root.General.Status:active"]});
    let closed = json!({"filters": ["Root.General.Status:inactive"]});
    let calls = scene.params("LIST_TEST_RUNS");
    let asked = |limit: u64| -> Vec<&Value> {
        let calls = calls.iter().filter(|call| call["page"]["limit"] == limit);
        calls.map(|call| &call["filter"]).collect()
    };
    assert_eq!(asked(1).len(), 2, "{calls:#?}");
    assert_eq!(asked(1)[0], &closed);
    assert!(
        asked(1)[1].is_null() || asked(1)[1]["filters"] == json!([]),
        "{calls:#?}"
    );
    assert!(asked(50).iter().all(|filter| **filter == active));
    let pages = asked(50).len();
    assert!(
        calls[..pages]
            .iter()
            .all(|call| call["page"]["limit"] == 50),
        "the list's own pages come first: {calls:#?}"
    );
    let open = scene.desk.store.runs().len().unwrap();
    let numbers = format!(" [1 Open {open}] 2 Today");
    let tabs = &scene.desk.store.runs().summary.tabs;
    let [closed, all] = [4, 5].map(|tab: usize| tabs[tab].count.unwrap().runs);
    assert_eq!(open + closed, all);
    let closed = format!(" 5 Closed {closed}  6 All {all}");
    scene.desk.says(&numbers);
    scene.desk.says(&closed);

    // Other tabs cost no more of them, reading again does.
    scene.desk.press(&["2", "3", "4", "1"]);
    assert_eq!(scene.proxy.count("LIST_TEST_RUNS"), calls.len());
    scene.desk.press(&["r"]);
    let again = calls.len() + pages + 2;
    while scene.proxy.count("LIST_TEST_RUNS") < again {
        tokio::time::sleep(Duration::from_millis(5)).await;
        scene.desk.catch_up();
    }
    scene.desk.says(&closed);
}

#[tokio::test]
async fn all_runs_of_a_view_go_to_a_file_however_few_are_here() {
    let mut scene = list(1_200).await;
    let (size, here) = {
        let runs = scene.desk.store.runs();
        (runs.len().unwrap() as usize, runs.all.loaded())
    };
    assert!(here < size, "{here} of {size}");
    for (kind, ending) in [("csv", "csv"), ("mark", "md"), ("json", "json")] {
        let before = scene.proxy.count("LIST_TEST_RUNS");
        scene
            .desk
            .press_until(&["X"], "Export all runs of the view as")
            .await;
        scene.desk.press(&[kind, "Enter"]);
        scene.desk.says("Export: reading the runs…");
        scene.desk.until(&format!("Wrote {size} runs to ")).await;
        let calls = scene.proxy.count("LIST_TEST_RUNS") - before;
        assert_eq!(calls, size.div_ceil(50), "each page once");
        let files = files(&scene);
        let (name, text) = files
            .iter()
            .find(|(name, _)| name.ends_with(ending))
            .unwrap();
        begins(name, "runs-open-20");
        let first = scene.desk.store.runs().row(0).unwrap().name().to_owned();
        match ending {
            "csv" => {
                let lines: Vec<&str> = text.lines().collect();
                begins(lines[0], "ref,id,title,");
                assert!(
                    lines[1].contains(&format!(",{first},")),
                    "in the order shown"
                );
                assert_eq!(text.matches("\nTestRun-dm/").count(), size);
            }
            "md" => {
                begins(text, "| Id | Title |");
                assert_eq!(text.lines().count(), size + 2);
            }
            _ => {
                let json: Value = serde_json::from_str(text).unwrap();
                assert_eq!(json["runs"].as_array().unwrap().len(), size);
                assert_eq!(json["full_size"], size);
                assert_eq!(json["runs"][0]["id"], first);
            }
        }
    }
    // What is only looked for in the rows here is looked for in all of them.
    let mine = scene
        .desk
        .store
        .runs()
        .row(3)
        .unwrap()
        .edited_by
        .clone()
        .unwrap();
    scene
        .desk
        .press(&["ol", "/", &mine, "Enter", "X", "csv", "Enter"]);
    scene
        .desk
        .until_that("the second file of values", |desk| {
            desk.screen().contains("Wrote ") && !desk.screen().contains(&format!("Wrote {size} "))
        })
        .await;
    let files = files(&scene);
    let values: Vec<&String> = files
        .iter()
        .filter(|(name, _)| name.ends_with("csv"))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(values.len(), 2);
    let found = values
        .iter()
        .map(|text| text.matches("\nTestRun-dm/").count())
        .min();
    let whole = values
        .iter()
        .find(|text| text.matches("\nTestRun-dm/").count() == size);
    let lines = whole.unwrap().split("\nTestRun-dm/").skip(1);
    let all = lines.filter(|line| line.to_lowercase().contains(&mine.to_lowercase()));
    assert!(found.unwrap() > 0 && found.unwrap() <= all.count());
}

#[tokio::test]
async fn marked_runs_go_to_a_file_as_they_are_here() {
    let mut scene = list(60).await;
    let calls = scene.proxy.count("LIST_TEST_RUNS");
    scene.desk.press(&["  ", "X"]);
    scene.desk.says("Export the marked runs as");
    scene.desk.press(&["csv", "Enter"]);
    scene.desk.until("Wrote 2 runs to ").await;
    let [(name, text)] = &files(&scene)[..] else {
        panic!("one file")
    };
    assert!(name.starts_with("runs-marked-20"), "{name}");
    let ids = [0, 1].map(|row| scene.desk.store.runs().row(row).unwrap().name().to_owned());
    let lines: Vec<&str> = text.lines().skip(1).collect();
    assert_eq!(lines.len(), 2, "{text}");
    for (line, id) in lines.iter().zip(ids) {
        assert!(line.contains(&format!(",{id},")), "{text}");
    }
    assert_eq!(
        scene.proxy.count("LIST_TEST_RUNS"),
        calls,
        "nothing is read for it"
    );
}

#[tokio::test]
async fn an_export_that_breaks_off_or_is_given_up_leaves_no_file() {
    let mut scene = list(400).await;
    let slow = || Fault::delay(150);
    for (key, words) in [
        ("Esc", "Export given up, no file was made"),
        ("Ctrl-c", "given up"),
        (
            "",
            "! Export broken off, no file was made: the connection broke",
        ),
    ] {
        scene.proxy.fault_for("LIST_TEST_RUNS", slow());
        scene
            .desk
            .press_until(&["X", "csv", "Enter"], "Export: 50 of ")
            .await;
        if key.is_empty() {
            scene.proxy.fault_for("LIST_TEST_RUNS", Fault::CutBefore);
        } else {
            scene.desk.press(&[key]);
        }
        scene.desk.until(words).await;
        assert_eq!(files(&scene), [], "{key}");
    }
    scene.proxy.fault(Fault::None);
    scene
        .desk
        .press_until(&["X", "csv", "Enter"], "Wrote ")
        .await;
    assert_eq!(files(&scene).len(), 1);
}
