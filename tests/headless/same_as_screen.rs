//! The same work by keys and by commands: the journal has the same lines.

use crate::support::prelude::*;

use super::scene::Scene;
use super::support::desk::Desk;
use super::support::served::profile_through;

/// The lines of a journal without what differs from run to run: times, numbers, references, the place of a copy.
fn lines(journal: &str, run: &DocRef, id: &str) -> Vec<Value> {
    let text = journal
        .replace(run.as_str(), "THE-RUN")
        .replace(&format!("\"{id} "), "\"ID ");
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).unwrap();
        for member in ["write", "at", "profile"] {
            assert!(
                line.as_object_mut().unwrap().shift_remove(member).is_some(),
                "{line}"
            );
        }
        if line["note"]["copy"].is_string() {
            line["note"]["copy"] = json!("a file");
        }
        // On the screen each step of a deletion is a change of its own.
        if let Some(note) = line.get_mut("note").and_then(Value::as_object_mut) {
            note.shift_remove("job");
        }
        if line.get("note") == Some(&json!({})) {
            line.as_object_mut().unwrap().shift_remove("note");
        }
        if line["method"] == "MODIFY_DOCUMENT" {
            let general = line["params"]["document"]["Root"]["General"]
                .as_object_mut()
                .unwrap();
            general.retain(|name, _| !["Id", "TechnicalId"].contains(&name.as_str()));
            // The times of the two runs.
            let general = json!(general);
            line["params"]["document"] = json!({"Root": {"General": general}});
        }
        line
    };
    text.lines().map(line).collect()
}

#[tokio::test]
async fn the_journal_has_the_lines_of_the_screen() {
    let scene = Scene::with(
        options(|it| (it.runs, it.suites) = (12, 14)),
        "project_version = \"1.2.0\"",
    )
    .await;
    let other = scene.other().await;
    other.add_run("Stays empty").await;

    let mut profile = profile_through(&scene.proxy, &scene.service);
    profile.project_version = Some("1.2.0".into());
    let mut desk = Desk::open(profile);
    desk.until("\nrun 1 of").await;
    desk.press(&["n"]);
    let ready = |desk: &Desk| {
        desk.store
            .form()
            .is_some_and(|form| form.ready && form.draft.key.is_some())
    };
    desk.until_that("the form", ready).await;
    desk.press(&["Twin", "Tab", "firefox", "Ctrl-s"]);
    desk.until_that("the review", |desk| desk.store.review().is_some())
        .await;
    desk.press_until(&["Enter"], "· created ").await;
    let run = desk.store.detail().unwrap().run.doc_ref.clone();
    let id = scene.id(&run);
    desk.press(&["e"]);
    desk.until_that("the form", ready).await;
    desk.press(&[" changed", "Ctrl-s"]);
    desk.until_that("both sides", |desk| {
        desk.store.review().is_some() && !desk.screen().contains("Reading what the service")
    })
    .await;
    desk.press(&["Enter"]);
    desk.until(&format!("{id} saved")).await;
    let suites = scene.free(&run).await[..2].to_vec();
    other.add_suites(&run, &suites).await;
    // The list shows the counts of the run, as it does to a person.
    desk.press(&["Esc", "Home", "r"]);
    desk.until_that("the run is in the list", |desk| {
        let at_hand = desk.store.runs().current().filter(|at| at.doc_ref == run);
        !desk.store.runs().reader.busy()
            && at_hand.is_some_and(|run| run.row().suite_count == Some(2))
    })
    .await;
    desk.press(&["D"]);
    let rests = |desk: &Desk| desk.store.delete().is_none_or(|flow| flow.asked.is_none());
    desk.until_that("what is in it", rests).await;
    desk.press(&["Enter"]);
    desk.until_that("the copy", rests).await;
    desk.press(&["Up", "Enter"]);
    desk.until_that("the removal", rests).await;
    desk.press(&[&id, "Enter", "Tab", "Enter"]);
    desk.until(&format!("{id} deleted")).await;
    let by_keys = std::fs::read_to_string(desk.folder.path().join("journal.ndjson")).unwrap();
    let by_keys = lines(&by_keys, &run, &id);

    let create = "runs create --title Twin --configuration firefox";
    let made = scene.out(create).await;
    let (reference, id) = made.trim_end().split_once(' ').unwrap();
    let run = DocRef::parse(reference).unwrap();
    scene
        .out(&format!("runs modify {id} --title 'Twin changed'"))
        .await;
    other.add_suites(&run, &suites).await;
    scene
        .run(&format!("runs delete {id} --empty --yes-delete {id}"))
        .await
        .is(0);
    let by_commands = lines(&scene.journal(), &run, id);

    assert_eq!(
        by_keys.len(),
        12,
        "four writes, each sent, answered, confirmed"
    );
    for (keys, command) in by_keys.iter().zip(&by_commands) {
        assert_eq!(keys, command);
    }
    assert_eq!(by_keys.len(), by_commands.len());
}
