//! Deleting by keys alone: what is sent, what the database holds afterwards, what the screen says of it.

use super::suites::{ADD, DELETE};
use super::{Desk, Scene, scene};
use crate::support::prelude::*;
use rundown::domain::RunField;
use tokio::sync::Notify;

const DELETE_RUN: &str = "DELETE_TEST_RUN";

impl Scene {
    /// A new run with so many suites is under the cursor of the list.
    async fn at_run_with(&mut self, suites: usize) -> (Other, DocRef, String) {
        let (other, run) = self.at_new_run().await;
        let free = self.free();
        if suites > 0 {
            other.add_suites(&run, &free[..suites]).await;
        }
        self.desk.press(&["Esc"]);
        self.go_to(&run).await;
        let id = self.current_id();
        (other, run, id)
    }

    /// `D`, and once what it holds is worked out the id and Enter; waits for the end.
    async fn delete(&mut self, word: &str) {
        self.desk.press(&["D", word]);
        self.rest().await;
        self.desk.press(&["Enter"]);
        self.rest().await;
    }

    /// Waits until nothing is under way.
    async fn rest(&mut self) {
        self.desk
            .until_that("the deletion comes to rest", |desk| {
                let flow = desk.store.delete();
                flow.is_none_or(|flow| flow.asked.is_none())
            })
            .await;
    }

    pub fn copies(&self) -> usize {
        let folder = std::fs::read_dir(self.desk.folder.path().join("trash"));
        folder.map_or(0, Iterator::count)
    }
}

#[tokio::test]
async fn readings_that_are_behind_and_a_list_without_counts_end_the_same_way() {
    for options in [
        options(|it| it.lag = Duration::from_millis(700)),
        options(|it| it.without_list_test_runs = true),
    ] {
        let mut scene = scene(options).await;
        let (_, run, id) = scene.at_run_with(2).await;
        // The list shows what was added, if it counts at all.
        while scene.store.here().suite_count == Some(0) {
            scene.press(&["r"]);
            scene
                .until_that("the list is read", |desk| !desk.store.runs().reader.busy())
                .await;
        }
        scene.delete(&id).await;
        scene.until(&format!("{id} deleted")).await;
        assert!(!scene.is_there(&run));
        assert_eq!(scene.writes(), [DELETE, DELETE_RUN]);
    }
}

#[tokio::test]
async fn suites_that_went_out_of_a_run_that_stays_come_back_by_the_journal() {
    let mut scene = scene(Options::default()).await;
    let (_, run, id) = scene.at_run_with(2).await;
    let before = scene.truth(&run);
    scene
        .proxy
        .fault_for(DELETE_RUN, Fault::Answer(serde_json::json!(false)));
    scene.delete(&id).await;
    scene.told("not deleted, but 2 suites removed").await;
    assert!(scene.truth(&run).is_empty() && scene.is_there(&run));
    let now = "No results are recorded in it.";
    scene.press_until(&["r"], now).await;
    scene.says("│ Testers and files do not come back.");
    scene.press(&["Esc"]);
    scene.press_until(&["@"], "removed S_").await;
    let before_it = "2 suites were removed from the run before.";
    scene.says(before_it);
    let next = "The run itself was not deleted: delete it again, or undo this";
    scene.press_until(&["Down"], next).await;
    scene.press_until(&["Enter"], "This takes back:").await;
    assert_eq!(scene.writes(), [DELETE, DELETE_RUN], "it asks first");
    assert!(scene.store.delete().is_none(), "nor does its box stay");
    scene.press_until(&["Enter"], "2 suites added to R_").await;
    assert_eq!(scene.truth(&run), before);
    assert_eq!(scene.writes(), [DELETE, DELETE_RUN, ADD]);
}

#[tokio::test]
async fn of_a_deletion_under_way_it_is_not_said_that_the_run_stays() {
    let mut scene = scene(Options::default()).await;
    let (_, run, id) = scene.at_run_with(2).await;
    let let_go = Arc::new(Notify::new());
    scene
        .proxy
        .fault_for(DELETE_RUN, Fault::Hold(Arc::clone(&let_go)));
    scene.press(&["D", &id]);
    scene.rest().await;
    scene.press(&["Enter"]);
    while scene.proxy.count(DELETE_RUN) < 1 {
        pause(10).await;
        scene.catch_up();
    }
    scene.press_until(&["@"], "removed S_").await;
    scene.press_until(&["Down"], "to delete it").await;
    lacks(&scene.screen(), "the run itself was");
    scene.press(&["Esc"]);
    let_go.notify_one();
    scene.until(&format!("{id} deleted")).await;
    assert!(!scene.is_there(&run));
    assert_eq!(scene.writes(), [DELETE, DELETE_RUN]);
}

#[tokio::test]
async fn several_runs_and_the_one_that_was_filled_meanwhile_stops_the_rest() {
    let mut scene = scene(Options::default()).await;
    let other = scene.other().await;
    let runs = [
        other.add_run("one").await,
        other.add_run("two").await,
        other.add_run("three").await,
    ];
    for run in &runs {
        scene.go_to(run).await;
        scene.press(&["Space", "Home"]);
    }
    scene.press(&["a"]);
    scene.read_whole().await;
    let free = scene.free();
    scene.press_until(&["Esc", "D"], "Type \"delete 3\"").await;
    scene.rest().await;
    other.add_suites(&runs[1], &free[..1]).await;
    scene.press(&["delete 3", "Enter"]);
    scene.told("not deleted: ").await;
    scene.rest().await;
    let there: Vec<bool> = runs.iter().map(|run| scene.is_there(run)).collect();
    assert_eq!(
        (there, scene.proxy.count(DELETE_RUN)),
        (vec![false, true, true], 1),
        "{}",
        scene.screen()
    );
    scene.press_until(&["Esc"], "1 of 3 runs deleted").await;
}

#[tokio::test]
async fn suites_that_no_list_names_are_named_by_a_probe_run() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    let free = scene.free();
    scene.press(&["Esc"]);
    // One suite is in every open run of the scope, so that no list shows it.
    let rows: Vec<_> = scene
        .store
        .runs()
        .runs()
        .iter()
        .map(|run| run.row())
        .collect();
    let scope = rows
        .iter()
        .filter(|row| row.version.as_deref() == Some("1.2.0"));
    let open = scope.filter(|row| row.status == Status::Active);
    let others: Vec<DocRef> = open
        .map(|row| row.doc_ref.clone())
        .filter(|other| *other != run)
        .collect();
    other.add_suites(&run, &free[..1]).await;
    for filled in &others {
        if !scene.truth(filled).contains(&free[0]) {
            other.add_suites(filled, &free[..1]).await;
        }
    }
    scene.go_to(&run).await;
    scene.press_until(&["D"], "1 more suite is attached").await;
    scene.press(&["s"]);
    assert_eq!(scene.store.screen(), Layer::Attached);
    scene
        .press_until(&[":", "probe", "Enter", "Tab", "Enter"], "\n1 suite\n")
        .await;
    let id = scene.store.attached().unwrap().run.name().to_owned();
    scene.delete(&id).await;
    scene.until(&format!("{id} deleted")).await;
    assert!(!scene.is_there(&run));
}

#[tokio::test]
async fn a_run_that_somebody_deleted_is_not_in_the_list_any_more_once_it_was_to_be_deleted() {
    let mut scene = scene(Options::default()).await;
    let (other, run, id) = scene.at_run_with(0).await;
    other.delete(&run).await;
    scene.press(&["D"]);
    scene.until("not found").await;
    scene.rest().await;
    scene.press(&["Esc"]);
    let is_gone = |desk: &Desk| {
        let runs = desk.store.runs().runs();
        runs.iter().all(|it| it.doc_ref != run)
    };
    scene.until_that("the list without it", is_gone).await;
    scene.lacks(&format!("{id} "));
    assert_eq!(scene.writes().len(), 0);
}

/// The box may be open for hours: what others did meanwhile is not deleted unseen.
#[tokio::test]
async fn a_run_that_was_edited_or_filled_while_the_box_was_open_is_not_deleted() {
    for suites in [0, 2] {
        let mut scene = scene(Options::default()).await;
        let (other, run, id) = scene.at_run_with(suites).await;
        scene.press(&["D"]);
        scene.rest().await;
        other
            .modify(&run, &[(RunField::Title, "kept by somebody")])
            .await;
        scene.press(&[&id, "Enter"]);
        scene
            .told("not deleted: it was edited by qa since it was read")
            .await;
        assert!(scene.is_there(&run));
        assert_eq!((scene.writes().len(), scene.copies()), (0, 0));
        assert_eq!(scene.truth(&run).len(), suites);
        // Read again, the box is of what is there now.
        scene.press(&["r"]);
        scene.rest().await;
        scene.until("kept by somebody").await;
        scene.press(&[&id, "Enter"]);
        scene.until(&format!("{id} deleted")).await;
        assert!(!scene.is_there(&run));
    }
    // Closed meanwhile: its suites are not listed, and r goes on all the same.
    let mut closed = scene(Options::default()).await;
    let (other, run, id) = closed.at_run_with(0).await;
    closed.press(&["D"]);
    closed.rest().await;
    other.close(&run).await;
    closed.press(&[&id, "Enter"]);
    closed
        .told("not deleted: it was edited by qa since it was read")
        .await;
    assert!(closed.is_there(&run));
    closed.press(&["r"]);
    closed.rest().await;
    closed.press(&[&id, "Enter"]);
    closed.until(&format!("{id} deleted")).await;
    assert!(!closed.is_there(&run));
    let mut scene = scene(Options::default()).await;
    let (other, run, id) = scene.at_run_with(2).await;
    let more = scene.free();
    scene.press(&["D"]);
    scene.rest().await;
    other.add_suites(&run, &more[2..3]).await;
    scene.press(&[&id, "Enter"]);
    scene.told("not deleted: it has 3 suites by now").await;
    assert!(scene.is_there(&run) && scene.writes().is_empty());
    assert_eq!(scene.truth(&run).len(), 3);
}
