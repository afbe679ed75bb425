//! Runs deleted by keys, and every sort of write taken back by keys: the database agrees after every step.

use crate::support::look::Look as _;
use rundown::domain::{DocRef, RunField};
use rundown::local_service::Options;
use rundown::store::Layer;

use super::forms::{CREATE, MODIFY};
use super::support::desk_client;
use super::support::proxy::Fault;
use super::{Scene, scene};

const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const DELETE: &str = "DELETE_TEST_RUN";

fn small() -> Options {
    Options {
        runs: 12,
        suites: 14,
        ..Options::default()
    }
}

impl Scene {
    fn is_stored(&self, run: &DocRef) -> bool {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let id = uuid::Uuid::parse_str(run.as_str().strip_prefix("TestRun-dm/").unwrap()).unwrap();
        let sql = "SELECT count(*) FROM runs WHERE ref = ?1";
        database
            .query_row(sql, [id.as_bytes().as_slice()], |row| row.get::<_, i64>(0))
            .unwrap()
            == 1
    }

    /// Deletes the run at hand, which has this short id.
    async fn delete_by_keys(&mut self, id: &str) {
        self.desk.press(&["D", id]);
        self.desk.until("Enter deletes").await;
        assert_eq!(self.params(DELETE).len(), 0, "the typed id deletes nothing");
        self.desk.press(&["Enter"]);
        self.desk.until(&format!("{id} deleted")).await;
    }
}

#[tokio::test]
async fn a_run_with_suites_is_deleted_and_made_again_from_its_copy() {
    let mut scene = scene(small()).await;
    let other = desk_client(&scene.service).await;
    other.add_run("Nothing in it").await;
    let run = other.add_run("To be deleted").await;
    let suites = other.free(&run).await;
    other.add_suites(&run, &suites[..3]).await;
    let held = scene.truth(&run);
    scene.go_to(&run).await;
    let id = scene
        .desk
        .store
        .runs()
        .current()
        .unwrap()
        .id
        .clone()
        .unwrap();
    scene.delete_by_keys(&id).await;
    assert!(!scene.is_stored(&run));
    assert_eq!(
        (scene.params(REMOVE).len(), scene.params(DELETE).len()),
        (1, 1),
        "each once"
    );
    // Taken back: a new run with the same fields and suites, and the screen says what does not come back.
    scene.desk.press(&["u"]);
    scene.desk.until("Rebuild a deleted run").await;
    let screen = scene.desk.screen();
    assert!(
        screen.contains("To be deleted") && screen.contains("3 suites"),
        "{screen}"
    );
    scene.desk.press(&["Enter"]);
    scene.told("created").await;
    let again = scene.titled("To be deleted").await;
    assert_eq!(again.len(), 1);
    assert_ne!(again[0], run, "a new id");
    assert_eq!(scene.truth(&again[0]), held);
}

#[tokio::test]
async fn an_edit_is_taken_back_unless_somebody_wrote_since() {
    let mut scene = scene(small()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Before").await;
    scene.go_to(&run).await;
    let before = scene.stored(&run).await;
    let edit = async |scene: &mut Scene| {
        scene.desk.press(&["e"]);
        scene.form_is_here().await;
        scene.desk.press(&[" after"]);
        scene.review().await;
        scene.desk.press(&["Enter"]);
        scene.told("saved").await;
    };
    edit(&mut scene).await;
    scene.desk.press(&["u"]);
    scene.desk.until("Undo: ").await;
    scene.desk.until("Will be written: Title").await;
    scene.desk.press(&["Enter"]);
    scene.told("saved").await;
    let after = scene.stored(&run).await;
    assert_eq!(
        after["document"]["Root"]["General"],
        before["document"]["Root"]["General"]
    );
    // Once more, and a colleague writes the same field before it is taken back.
    scene.desk.press(&["r"]);
    edit(&mut scene).await;
    other
        .modify(&run, &[(RunField::Title, "A colleague's")])
        .await;
    scene.desk.press(&["u"]);
    scene.desk.until("WRITTEN SINCE").await;
    scene.desk.press(&["Enter", "Ctrl-s"]);
    assert_eq!(scene.params(MODIFY).len(), 3, "undecided: nothing is sent");
    assert_eq!(
        scene.stored(&run).await["document"]["Root"]["General"]["Title"],
        "A colleague's"
    );
    scene.desk.press(&["t", "Ctrl-s"]);
    scene.desk.until("nothing is left to change").await;
    assert_eq!(scene.params(MODIFY).len(), 3);
}

#[tokio::test]
async fn a_new_run_is_taken_back_by_deleting_it_and_an_add_by_removing() {
    let mut scene = scene(small()).await;
    scene.desk.until("row 1 of").await;
    scene.desk.press(&["n"]);
    scene.form_is_here().await;
    scene.desk.press(&["Made and unmade"]);
    scene.review().await;
    scene.desk.press(&["Enter"]);
    scene.told("created").await;
    scene.desk.press(&["Esc"]);
    let run = scene.titled("Made and unmade").await.remove(0);
    scene.go_to(&run).await;
    // Two suites by keys.
    scene.desk.press(&["a"]);
    scene.read_whole().await;
    scene.desk.press(&["Space", "Space", "Enter", "Enter"]);
    scene.desk.until("2 suites added to R_").await;
    assert_eq!(scene.truth(&run).len(), 2);
    scene.desk.press(&["Enter", "Esc"]);
    // The last write of the run is the adding.
    scene.go_to(&run).await;
    scene.desk.press(&["u"]);
    scene.desk.until("Remove: what will be sent").await;
    assert_eq!(scene.params(REMOVE).len(), 0);
    scene.desk.press(&["Tab", "Enter"]);
    scene.desk.until("2 suites removed from R_").await;
    assert_eq!(scene.truth(&run).len(), 0);
    scene.desk.press(&["Enter"]);
    assert_eq!(scene.desk.store.screen(), Layer::Runs);
    // Then the one before it: the making.
    scene.go_to(&run).await;
    let id = scene
        .desk
        .store
        .runs()
        .current()
        .unwrap()
        .id
        .clone()
        .unwrap();
    scene.desk.press(&["u"]);
    scene.desk.until(&format!("Type {id} to delete")).await;
    scene.desk.press(&[&id, "Enter"]);
    scene.desk.until(&format!("{id} deleted")).await;
    assert!(!scene.is_stored(&run));
}

#[tokio::test]
async fn the_screen_tells_the_truth_when_the_answer_to_a_create_is_cut_off() {
    for (fault, stored) in [(Fault::CutBefore, 0), (Fault::CutAfter, 1)] {
        let mut scene = scene(small()).await;
        scene.desk.until("row 1 of").await;
        scene.desk.press(&["n"]);
        scene.form_is_here().await;
        scene.desk.press(&["Cut off"]);
        scene.review().await;
        scene.proxy.fault_for(CREATE, fault);
        scene.desk.press(&["Enter"]);
        if stored == 1 {
            // The only new one of its title: it is made.
            scene.told("created").await;
            assert_eq!(
                (
                    scene.titled("Cut off").await.len(),
                    scene.params(CREATE).len()
                ),
                (1, 1)
            );
            continue;
        }
        scene.desk.until("The run \"Cut off\" may exist").await;
        assert_eq!(scene.titled("Cut off").await.len(), stored);
        let screen = scene.desk.screen();
        assert!(screen.contains("no new run has this title"), "{screen}");
        scene.desk.press(&["Ctrl-s"]);
        assert_eq!(
            scene.params(CREATE).len(),
            1,
            "never a second one by itself"
        );
        scene.desk.press(&["Esc"]);
        scene.form_is_here().await;
        assert_eq!(
            scene.desk.store.form().unwrap().texts()[&RunField::Title],
            "Cut off",
            "nothing typed is lost"
        );
        assert!(
            scene.desk.screen().contains(", perhaps done: "),
            "{}",
            scene.desk.screen()
        );
        // Later: the draft is opened again, and what was sent is looked for before anything else.
        scene.desk.press(&["Esc"]);
        scene
            .desk
            .until_that("the draft on the disk", |desk| {
                !desk.store.drafts().is_empty()
            })
            .await;
        scene.desk.act(rundown::store::Action::Drafts);
        scene.desk.press(&["Enter"]);
        scene.desk.until("Looked for it: ").await;
        scene.review().await;
        scene.desk.until("[ Send it again ]").await;
        if stored == 1 {
            assert!(
                scene.desk.screen().contains("Enter takes one as yours"),
                "{}",
                scene.desk.screen()
            );
            scene.desk.press(&["Down", "Enter"]);
            scene.desk.until("is taken as the run that was sent").await;
        } else {
            assert!(
                scene.desk.screen().contains("no new run has this title"),
                "{}",
                scene.desk.screen()
            );
            scene.proxy.fault_for(CREATE, Fault::None);
            scene.desk.press(&["Up", "Enter"]);
            scene.told("created").await;
        }
        assert_eq!(
            scene.titled("Cut off").await.len(),
            1,
            "one run, however it went"
        );
    }
}

#[tokio::test]
async fn the_screen_tells_the_truth_when_the_answer_to_a_change_is_cut_off() {
    for (fault, title, words) in [
        (Fault::CutBefore, "Cut", "may be changed: no answer"),
        (Fault::CutAfter, "Cut by keys", "saved"),
    ] {
        let mut scene = scene(small()).await;
        let run = desk_client(&scene.service).await.add_run("Cut").await;
        scene.go_to(&run).await;
        scene.desk.press(&["e"]);
        scene.form_is_here().await;
        scene.desk.press(&[" by keys"]);
        scene.review().await;
        scene.proxy.fault_for(MODIFY, fault);
        scene.desk.press(&["Enter"]);
        scene.told(words).await;
        assert_eq!(scene.params(MODIFY).len(), 1);
        assert_eq!(
            scene.stored(&run).await["document"]["Root"]["General"]["Title"],
            title
        );
    }
}

#[tokio::test]
async fn the_screen_tells_the_truth_when_the_answer_to_a_deletion_is_cut_off() {
    for (fault, there, words) in [
        (Fault::CutBefore, true, "may be deleted: no answer"),
        (Fault::CutAfter, false, "deleted"),
    ] {
        let mut scene = scene(small()).await;
        let run = desk_client(&scene.service).await.add_run("Cut").await;
        scene.go_to(&run).await;
        let id = scene
            .desk
            .store
            .runs()
            .current()
            .unwrap()
            .id
            .clone()
            .unwrap();
        scene.proxy.fault_for(DELETE, fault);
        scene.desk.press(&["D", &id, "Enter"]);
        scene.desk.until(&format!("{id} {words}")).await;
        assert_eq!(
            scene.params(DELETE).len(),
            1,
            "sent once: {}",
            scene.desk.screen()
        );
        assert_eq!(scene.is_stored(&run), there);
    }
}
