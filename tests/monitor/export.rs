//! Samples written to files, from the monitor.

use super::{Desk, Scene, scene};
use crate::support::prelude::*;

async fn watching() -> Scene {
    // The start of a service is a large future.
    Box::pin(opened()).await
}

async fn opened() -> Scene {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    scene.press(&["Space", "Space", "M"]);
    scene
        .until_that("samples of both", |desk| {
            let runs = &desk.store.monitor().unwrap().runs;
            runs.iter().all(|run| run.outlook.is_some())
        })
        .await;
    scene
}

#[tokio::test]
async fn all_runs_go_to_the_exports_of_the_state_folder_and_never_over_another_file() {
    let mut scene = watching().await;
    let folder = scene.folder.path().join("exports");
    scene
        .press_until(&["X"], "Wrote 2 samples of 2 runs to ")
        .await;
    scene.press(&["X"]);
    scene
        .until_that("the second file", |_| {
            std::fs::read_dir(&folder).is_ok_and(|files| {
                let paths = files.filter_map(|file| Some(file.ok()?.path()));
                paths
                    .filter(|path| path.extension().is_some_and(|it| it == "csv"))
                    .count()
                    == 2
            })
        })
        .await;
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        begins(&name, "samples-20");
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().skip(1).collect();
        let of_runs = |line: &&str| line.starts_with("R_") && line.contains(",TestRun-dm/");
        assert!(lines.len() == 2 && lines.iter().all(of_runs), "{text}");
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(&path).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn of_closed_runs_it_says_that_there_is_nothing_to_write() {
    let mut scene = scene(options(|it| it.runs = 60), |_| {}).await;
    scene.press(&["5", "M"]);
    let all_are_closed = |desk: &Desk| {
        let runs = &desk.store.monitor().unwrap().runs;
        !runs.is_empty() && runs.iter().all(|run| run.run.is_closed())
    };
    scene.until_that("closed runs", all_are_closed).await;
    let words =
        "Could not write counts over time: none are kept of these runs, and closed ones get none";
    scene.press_until(&["X"], words).await;
}
