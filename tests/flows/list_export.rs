//! The runs of a view written to a file, and how many runs the tabs show.

use super::{Scene, scene, scene_with};
use crate::support::prelude::*;
use rundown::domain::{Format, View};
use rundown::store::ExportedRuns;

async fn list(runs: u64) -> Scene {
    let options = options(|it| it.runs = runs);
    let mut scene = Box::pin(scene(options)).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    scene
}

/// The files of the exports, each with its text.
fn files(scene: &Scene) -> Vec<(String, String)> {
    let Ok(folder) = std::fs::read_dir(scene.folder.path().join("exports")) else {
        return Vec::new();
    };
    let mut files: Vec<(String, String)> = folder
        .filter_map(|file| {
            let path = file.unwrap().path();
            let name = path.file_name().unwrap().to_str().unwrap().to_owned();
            // One that is being written has another name until it is whole.
            Some((name, std::fs::read_to_string(path).ok()?))
        })
        .collect();
    files.sort();
    files
}

#[tokio::test]
async fn tabs_have_their_numbers_without_a_call_for_each() {
    let mut scene = list(60).await;
    let calls = scene.params("LIST_TEST_RUNS");
    let filters: Vec<String> = calls
        .iter()
        .map(|call| call["filter"]["filters"].to_string())
        .collect();
    let all = ["null", "[]"];
    assert_eq!(
        filters[0], r#"["Root.General.Status:active"]"#,
        "{calls:#?}"
    );
    assert!(
        filters[1..].iter().all(|it| all.contains(&it.as_str())),
        "{calls:#?}"
    );
    assert!(calls.len() <= 2, "{calls:#?}");
    let (open, closed, all) = {
        let answer = scene.store.runs().answer.as_ref().unwrap();
        let number = |tab: usize| answer.overview.tabs[tab].unwrap();
        assert!([0, 4, 5].iter().all(|tab| !number(*tab).or_more));
        (number(0).runs, number(4).runs, number(5).runs)
    };
    assert_eq!(open + closed, all);
    scene.says(&format!(" [1 Open {open}] 2 Today"));
    let closed = format!(" 5 Closed {closed}  6 All {all}");
    scene.says(&closed);
    // Other tabs cost no calls, reading again few.
    scene.press(&["2", "3", "4", "5", "6", "1"]);
    assert_eq!(scene.proxy.count("LIST_TEST_RUNS"), calls.len());
    scene.press(&["r"]);
    let read = |desk: &super::Desk| !desk.store.runs().reader.busy();
    scene.until_that("read again", read).await;
    let again = scene.proxy.count("LIST_TEST_RUNS") - calls.len();
    assert!((1..=6).contains(&again), "{again}");
    scene.says(&closed);
}

#[tokio::test]
async fn a_name_that_no_file_can_have_leaves_no_gap_in_that_of_its_file() {
    let view = View::default().with(|it| it.name = "開いた".into());
    let options = options(|it| it.runs = 30);
    let mut scene = Box::pin(scene_with(options, |it| it.watch.views = vec![view])).await;
    scene.until("\nrun 1 of").await;
    scene.first_reading().await;
    scene.press(&[":", "view 開いた", "Enter"]);
    scene.until("[7 開いた ").await;
    scene
        .press_until(&["X"], "Export all runs of the view as")
        .await;
    scene.press(&["csv", "Enter"]);
    scene.until("Wrote ").await;
    begins(&files(&scene)[0].0, "runs-20");
}

#[tokio::test]
async fn all_runs_of_a_view_go_to_a_file_however_few_are_here() {
    let mut scene = list(3_000).await;
    let (size, here) = {
        let runs = scene.store.runs();
        (
            runs.extent().size.unwrap() as usize,
            runs.extent().here as usize,
        )
    };
    assert!(here < size, "{here} of {size}");
    for (kind, ending) in [("csv", "csv"), ("mark", "md"), ("json", "json")] {
        let before = scene.proxy.count("LIST_TEST_RUNS");
        scene
            .press_until(&["X"], "Export all runs of the view as")
            .await;
        scene.press(&[kind, "Enter"]);
        scene.until(&format!("Wrote {size} runs to ")).await;
        let begun = Instant::now();
        while !files(&scene).iter().any(|(name, _)| name.ends_with(ending)) {
            assert!(begun.elapsed() < Duration::from_secs(15), "no {ending}");
            pause(5).await;
        }
        let calls = scene.proxy.count("LIST_TEST_RUNS") - before;
        assert!(calls <= size.div_ceil(100), "each page once at most");
        let files = files(&scene);
        let (name, text) = files
            .iter()
            .find(|(name, _)| name.ends_with(ending))
            .unwrap();
        begins(name, "runs-open-20");
        let first = scene.store.runs().runs()[0].row().name().to_owned();
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
    let mine = scene.store.runs().runs()[3].row().edited_by.unwrap();
    scene.press(&["ol", "/", &mine, "Enter", "X", "csv", "Enter"]);
    scene
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
    scene.press(&["  ", "X"]);
    scene.says("Export the marked runs as");
    scene.press(&["csv", "Enter"]);
    scene.until("Wrote 2 runs to ").await;
    let [(name, text)] = &files(&scene)[..] else {
        panic!("one file")
    };
    begins(name, "runs-marked-20");
    let ids = [0, 1].map(|row| scene.store.runs().runs()[row].row().name().to_owned());
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
    // With older counts among them the message has their time, and none of them is missing.
    let runs = scene.store.runs().runs()[..3].to_vec();
    scene.effect(Effect::ExportRuns {
        view: "marked".into(),
        format: Format::Json,
        runs: ExportedRuns::These(runs),
        is_complete: true,
        read: Some("Fri 09:41".into()),
    });
    let words = "Wrote 3 runs, the oldest counts of Fri 09:41, to ";
    scene.until(words).await;
    let json = files(&scene).into_iter().find(|it| it.0.ends_with("json"));
    let (name, text) = json.unwrap();
    begins(&name, "runs-marked-20");
    says(&text, "\"full_size\": 3");
}

#[tokio::test]
async fn an_export_that_breaks_off_or_is_given_up_leaves_no_file() {
    let mut scene = list(3_000).await;
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
            .press_until(&["X", "csv", "Enter"], "Export: 100 of ")
            .await;
        if key.is_empty() {
            scene.proxy.fault_for("LIST_TEST_RUNS", Fault::CutBefore);
        } else {
            scene.press(&[key]);
        }
        scene.until(words).await;
        assert_eq!(files(&scene), [], "{key}");
    }
    scene.proxy.fault(Fault::None);
    scene.press_until(&["X", "csv", "Enter"], "Wrote ").await;
    assert_eq!(files(&scene).len(), 1);
}

#[tokio::test]
async fn a_file_of_marked_runs_says_how_many_of_them_are_deleted_by_now() {
    let mut scene = list(30).await;
    let gone = scene.store.here().doc_ref.clone();
    scene.press(&["Space", "Space"]);
    scene.other().await.delete(&gone).await;
    let refreshed = |desk: &super::Desk| desk.store.here().doc_ref != gone;
    scene.press(&["g", "r"]);
    scene.until_that("the run is gone", refreshed).await;
    // Its list lacks it; then it is asked for by its id.
    let read = |desk: &super::Desk| !desk.store.runs().reader.busy();
    scene.until_that("that is known", read).await;
    scene.until("2 marked").await;
    scene.press_until(&["X"], "Export the marked runs as").await;
    scene.press(&["mark", "Enter"]);
    let written = "Wrote 2 runs, 1 of them deleted by now, to ";
    scene.until(written).await;
    let (_, text) = &files(&scene)[0];
    assert_eq!(text.lines().count(), 4);
}

/// Readings are of open runs and of edits: what opens it is the first to miss it.
#[tokio::test]
async fn a_closed_run_that_others_deleted_leaves_the_list_once_it_is_opened() {
    let mut scene = list(30).await;
    let other = scene.other().await;
    let run = other.add_run("Closed").await;
    other.close(&run).await;
    scene.go_to(&run).await;
    let tab = |desk: &super::Desk| {
        let answer = desk.store.runs().answer.as_ref().unwrap();
        answer.overview.tabs[5].unwrap().runs
    };
    let before = tab(&scene.desk);
    other.delete(&run).await;
    scene.press_until(&["Enter"], "not found").await;
    scene.press(&["Esc"]);
    let gone = |desk: &super::Desk| desk.store.here().doc_ref != run;
    scene.until_that("the run is gone", gone).await;
    assert_eq!(tab(&scene.desk), before - 1);
}

#[tokio::test]
async fn away_what_is_here_is_written_and_said_to_be_a_part() {
    let mut scene = list(900).await;
    scene.proxy.go_down().await;
    scene.press_until(&["r"], "OFFLINE").await;
    let wrote = " runs, a part: as read ";
    scene.press_until(&["6", "X", "json", "Enter"], wrote).await;
    let files = files(&scene);
    assert!(files[0].0.starts_with("runs-part-all-"), "{files:?}");
    let value: Value = serde_json::from_str(&files[0].1).unwrap();
    assert_eq!(value["full_size"], Value::Null);
    let runs = value["runs"].as_array().unwrap().len();
    scene.says(&format!("Wrote {runs}{wrote}"));
}
