//! Every sort of write taken back by keys: the database agrees after every step.

use tokio::sync::Notify;

use super::forms::MODIFY;
use super::{Desk, Scene, scene};
use crate::support::prelude::*;

const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const DELETE: &str = "DELETE_TEST_RUN";

const UNDO: [&str; 2] = [":undo my last change", "Enter"];

impl Scene {
    /// Deletes a run by keys, and closes the box.
    async fn delete_run(&mut self, run: &DocRef) {
        self.go_to(run).await;
        let id = self.current_id();
        self.desk.press_until(&["D", &id], "Enter deletes").await;
        self.desk.press(&["Enter"]);
        self.desk.until(&format!("{id} deleted")).await;
        self.desk.press(&["Enter"]);
    }

    /// Deletes a run of this title and opens the question that takes it back, here and in a second window, which it returns.
    async fn both_take_back(&mut self, title: &str) -> Desk {
        let run = self.other().await.add_run(title).await;
        self.delete_run(&run).await;
        let beside = self.profile.clone();
        let mut beside = self.desk.beside(beside);
        beside.until("> R_").await;
        for desk in [&mut beside, &mut self.desk] {
            desk.press_until(&UNDO, "Make the deleted run").await;
        }
        beside
    }
}

fn small() -> Options {
    options(|it| (it.runs, it.suites) = (12, 14))
}

#[tokio::test]
async fn a_run_with_suites_is_deleted_and_made_again_from_its_copy() {
    let mut scene = scene(small()).await;
    let other = scene.other().await;
    other.add_run("Nothing in it").await;
    let run = other.add_run("To be deleted").await;
    let suites = other.free(&run).await;
    other.add_suites(&run, &suites[..3]).await;
    let held = scene.truth(&run);
    scene.go_to(&run).await;
    let id = scene.current_id();
    scene.press_until(&["D"], "It holds 3 suites.").await;
    scene.press(&["Enter", "Esc"]);
    assert_eq!(
        (scene.copies(), scene.writes()),
        (0, Vec::new()),
        "looking leaves nothing behind"
    );
    scene.press_until(&["D", &id], "Enter deletes").await;
    assert_eq!(
        scene.params(DELETE).len(),
        0,
        "the typed id deletes nothing"
    );
    scene.press(&["Enter"]);
    scene.until(&format!("{id} deleted")).await;
    scene.press(&["Enter"]);
    assert!(!scene.is_there(&run));
    assert_eq!(
        (scene.copies(), scene.writes()),
        (1, vec![REMOVE.into(), DELETE.into()])
    );
    scene
        .until_that("the list is read", |desk| !desk.store.runs().reader.busy())
        .await;
    let is_listed = {
        let mut runs = scene.store.runs().runs().iter();
        runs.any(|it| it.doc_ref == run)
    };
    assert!(!is_listed, "{}", scene.screen());
    // Taken back: a new run with the same fields and suites, and the screen says what does not come back.
    scene
        .press_until(
            &[":", "undo my last change", "Enter"],
            "Make the deleted run",
        )
        .await;
    scene.says("To be deleted");
    scene.says("3 suites");
    scene.press(&["Enter"]);
    scene.told("created").await;
    let again = scene.titled("To be deleted").await;
    assert_eq!(again.len(), 1);
    assert_ne!(again[0], run, "a new id");
    assert_eq!(scene.truth(&again[0]), held);
}

#[tokio::test]
async fn a_run_made_again_gets_the_suites_that_can_still_be_added_and_the_others_are_told() {
    for is_refused in [false, true] {
        suites_of_a_run_made_again(is_refused).await;
    }
}

async fn suites_of_a_run_made_again(is_refused: bool) {
    const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
    let mut scene = scene(small()).await;
    let other = scene.other().await;
    other.add_run("Nothing in it").await;
    let run = other.add_run("Made again").await;
    let suites = other.free(&run).await;
    other.add_suites(&run, &suites[..3]).await;
    scene.delete_run(&run).await;
    // One of its suites is not there any more.
    let copies = std::fs::read_dir(scene.folder.path().join("trash")).unwrap();
    for copy in copies {
        let copy = copy.unwrap().path();
        let text = std::fs::read_to_string(&copy).unwrap();
        let gone = text.replace(suites[1].as_str(), "TestSuite-dm/987654");
        assert_ne!(text, gone);
        std::fs::write(&copy, gone).unwrap();
    }
    scene.press_until(&UNDO, "Make the deleted run").await;
    if is_refused {
        scene.proxy.fault_for(ADD, Fault::status(400));
    }
    scene.press(&["Enter"]);
    let (end, added) = if is_refused {
        ("created, but no suite is in", "Nothing added to R_")
    } else {
        (
            "created, but not every suite is in",
            "2 of 3 suites added to R_",
        )
    };
    scene.told(end).await;
    scene.says(added);
    scene.says("cannot be added any more");
    if is_refused {
        scene.says("again is unlikely to help; ");
    }
    let again = scene.titled("Made again").await;
    let held = [&suites[0], &suites[2]].into_iter().cloned().collect();
    let held = if is_refused { BTreeSet::new() } else { held };
    assert_eq!(scene.truth(&again[0]), held);
    assert_eq!(scene.params(ADD).len(), 1);
}

#[tokio::test]
async fn a_run_that_may_be_made_again_is_looked_for_before_more_is_taken_back() {
    let mut scene = scene(small()).await;
    let run = scene.other().await.add_run("Lost and made").await;
    scene.delete_run(&run).await;
    scene.press_until(&UNDO, "Make the deleted run").await;
    scene.proxy.fault_for("ADD_DOCUMENT", Fault::CutBefore);
    scene.press(&["Enter"]);
    scene.until("@ behind this box looks again").await;
    scene.proxy.fault(Fault::None);
    scene.press(&["Enter"]);
    let first = "(Lost and made) is not known. look at it in my changes first";
    scene.press_until(&UNDO, first).await;
    scene.lacks("Make the deleted run");
    scene.press_until(&["@"], "end not known").await;
    assert_eq!(scene.params("ADD_DOCUMENT").len(), 1);
}

#[tokio::test]
async fn an_edit_is_taken_back_unless_somebody_wrote_since() {
    let mut scene = scene(small()).await;
    let other = scene.other().await;
    let run = other.add_run("Before").await;
    scene.go_to(&run).await;
    let before = scene.stored(&run).await;
    let edit = async |scene: &mut Scene| {
        scene.press(&["e"]);
        scene.form_is_here().await;
        scene.press(&[" after"]);
        scene.review().await;
        scene.press(&["Enter"]);
        scene.told("saved").await;
    };
    edit(&mut scene).await;
    scene.press_until(&["u"], "Undo the change of").await;
    scene.until("Everything else stays as it is.").await;
    scene.press(&["Enter"]);
    scene.told("is undone").await;
    let after = scene.stored(&run).await;
    assert_eq!(
        after["document"]["Root"]["General"],
        before["document"]["Root"]["General"]
    );
    // Once more, and a colleague writes the same field before it is taken back.
    scene.press(&["r"]);
    edit(&mut scene).await;
    other
        .modify(&run, &[(RunField::Title, "A colleague's")])
        .await;
    scene
        .press_until(&["u"], "1 the old value, 2 what it is now")
        .await;
    scene.press(&["Enter", "Ctrl-s"]);
    assert_eq!(scene.params(MODIFY).len(), 3, "undecided: nothing is sent");
    assert_eq!(
        scene.stored(&run).await["document"]["Root"]["General"]["Title"],
        "A colleague's"
    );
    scene
        .press_until(&["2", "Ctrl-s"], "nothing is left to change")
        .await;
    assert_eq!(scene.params(MODIFY).len(), 3);
}

#[tokio::test]
async fn what_can_be_added_is_read_when_undo_there_has_opened_the_run_again() {
    let mut scene = scene(small()).await;
    let run = scene.other().await.add_run("Closed").await;
    scene.go_to(&run).await;
    scene.press_until(&["Enter"], "OPEN").await;
    scene.press(&["e"]);
    scene.form_is_here().await;
    scene.press(&["Tab", "Tab", "Tab", "Space"]);
    scene.review().await;
    scene.press(&["Ctrl-s"]);
    scene.told("saved").await;
    scene.until("CLOSED").await;
    scene.press_until(&["a"], "This run is closed").await;
    scene.press_until(&["u"], "Undo the change of").await;
    scene.until("Everything else stays as it is.").await;
    scene.press(&["Enter"]);
    scene.told("is undone").await;
    scene.until("[1 To add 3]").await;
    scene.lacks("This run is closed");
}

#[tokio::test]
async fn a_new_run_is_taken_back_by_deleting_it_and_an_add_by_removing() {
    let mut scene = scene(small()).await;
    scene.until("\nrun 1 of").await;
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene.press(&["Made and unmade"]);
    scene.review().await;
    scene.press(&["Enter"]);
    scene.told("created").await;
    scene.press(&["Esc"]);
    let run = scene.titled("Made and unmade").await.remove(0);
    scene.go_to(&run).await;
    // Two suites by keys.
    scene.press(&["a"]);
    scene.read_whole().await;
    scene
        .press_until(
            &["Space", "Space", "Enter", "Enter"],
            "2 suites added to R_",
        )
        .await;
    assert_eq!(scene.truth(&run).len(), 2);
    scene.press(&["Esc"]);
    // The last write of the run is the adding.
    scene.go_to(&run).await;
    scene.press_until(&["u"], "Remove 2 suites from R_").await;
    assert_eq!(scene.params(REMOVE).len(), 0);
    scene
        .press_until(&["Tab", "Enter"], "2 suites removed from R_")
        .await;
    assert_eq!(scene.truth(&run).len(), 0);
    assert_eq!(scene.store.screen(), Layer::Runs);
    // Then the one before it: the making.
    scene.go_to(&run).await;
    let id = scene.current_id();
    scene.press(&["u"]);
    scene.until(&format!("Type {id} to delete")).await;
    scene.press_until(&[&id], "Enter deletes").await;
    scene.press(&["Enter"]);
    scene.until(&format!("{id} deleted")).await;
    assert!(!scene.is_there(&run));
}

#[tokio::test]
async fn a_change_is_taken_back_once_from_two_windows() {
    let mut scene = scene(small()).await;
    let other = scene.other().await;
    let mut beside = scene.both_take_back("Two windows").await;
    let refused = "nothing was sent now: it is taken back already";
    scene.press(&["Enter"]);
    scene.told("created").await;
    beside.press(&["Enter"]);
    beside.until(refused).await;
    let made = scene.titled("Two windows").await;
    assert_eq!(made.len(), 1);
    // Suites that somebody put back are left alone.
    let run = &made[0];
    scene.press_until(&["a"], "suites to add to").await;
    scene.press(&["Space", "Enter"]);
    scene.press_until(&["Enter"], "1 suite added").await;
    scene.press(&["Esc"]);
    let added = scene.truth(run);
    assert_eq!(added.len(), 1);
    beside.press(&["Esc"]);
    for desk in [&mut beside, &mut scene.desk] {
        desk.press_until(&UNDO, "This takes back:").await;
    }
    scene.press(&["Tab", "Enter"]);
    scene.until("Taken back.").await;
    assert!(scene.truth(run).is_empty());
    let put_back: Vec<DocRef> = added.iter().cloned().collect();
    other.add_suites(run, &put_back).await;
    let removals = scene.params(REMOVE).len();
    beside.press(&["Tab", "Enter"]);
    beside.until(refused).await;
    assert_eq!(
        (scene.truth(run), scene.params(REMOVE).len()),
        (added, removals)
    );
}

/// The same while the first one's request is under way.
#[tokio::test]
async fn a_deletion_that_is_being_taken_back_is_not_taken_back_from_another_window() {
    let mut scene = scene(small()).await;
    let mut beside = scene.both_take_back("At once").await;
    let held = Arc::new(Notify::new());
    scene
        .proxy
        .fault_for("ADD_DOCUMENT", Fault::Hold(held.clone()));
    scene.press(&["Enter"]);
    scene
        .desk
        .until_that("the request is under way", |_| {
            !scene.proxy.params("ADD_DOCUMENT").is_empty()
        })
        .await;
    beside.press(&["Enter"]);
    beside.until("another rundown is taking it back").await;
    held.notify_one();
    scene.told("created").await;
    assert_eq!(scene.titled("At once").await.len(), 1);
    assert_eq!(scene.params("ADD_DOCUMENT").len(), 1);
}
