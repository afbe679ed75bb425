//! Samples written to files, from the monitor.

use super::support::desk::Desk;
use super::{Scene, scene};
use crate::support::prelude::*;

async fn watching() -> Scene {
    // The start of a service is a large future.
    Box::pin(opened()).await
}

async fn opened() -> Scene {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    scene.desk.press(&["Space", "Space", "M"]);
    scene
        .desk
        .until_that("samples of both", |desk| {
            let runs = &desk.store.monitor().unwrap().runs;
            runs.iter().all(|run| run.outlook.is_some())
        })
        .await;
    scene
}

fn names(desk: &Desk) -> Vec<String> {
    desk.store
        .monitor()
        .unwrap()
        .listed()
        .map(|run| run.run.name().to_owned())
        .collect()
}

#[tokio::test]
async fn the_run_under_the_cursor_goes_to_the_exports_of_the_state_folder_and_never_over_another() {
    let mut scene = watching().await;
    let names = names(&scene.desk);
    scene.desk.press(&["j", "X"]);
    scene.desk.says(&format!(
        "of {}; a path, or empty: the state folder",
        names[1]
    ));
    let folder = scene.desk.folder.path().join("exports");
    scene
        .desk
        .press_until(&["Enter"], "Wrote 1 sample of 1 run to ")
        .await;
    scene.desk.press(&["X", "Enter"]);
    scene
        .desk
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
        assert_eq!(path.extension().unwrap(), "csv");
        begins(&name, &format!("samples-{}-20", names[1]));
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines.len() == 2 && lines[1].starts_with(&format!("{},TestRun-dm/", names[1])),
            "{text}"
        );
        let mode = std::os::unix::fs::PermissionsExt::mode(
            &std::fs::metadata(&path).unwrap().permissions(),
        );
        assert_eq!(mode & 0o777, 0o600);
    }
}

#[tokio::test]
async fn all_runs_go_to_a_path_that_is_typed_and_what_is_there_stays() {
    let mut scene = watching().await;
    let place = new_folder();
    let path = place.path().join("all.csv");
    let typed = path.display().to_string();
    scene.desk.press(&["X", "Tab"]);
    scene.desk.paste(&typed);
    scene.desk.press(&["Enter"]);
    scene
        .desk
        .until(&format!("Wrote 2 samples of 2 runs to {typed}"))
        .await;
    let first = std::fs::read_to_string(&path).unwrap();
    assert_eq!(first.lines().count(), 3);
    scene.desk.press(&["X"]);
    scene.desk.paste(&typed);
    scene.desk.press(&["Enter"]);
    scene
        .desk
        .until("is there already and is not written over")
        .await;
    assert_eq!(std::fs::read_to_string(&path).unwrap(), first);
    // What was typed stays. Into a folder: under a name of its own.
    scene.desk.press(&["X"]);
    scene.desk.says("all.csv");
    scene.desk.press(&["Ctrl-u"]);
    scene.desk.paste(&place.path().display().to_string());
    scene
        .desk
        .press_until(&["Enter"], "Wrote 1 sample of 1 run to ")
        .await;
    assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
    scene.desk.press(&["X", "/no/such/folder/a.csv", "Enter"]);
    scene
        .desk
        .until("writing counts over time to a file: No such file or directory")
        .await;
}
