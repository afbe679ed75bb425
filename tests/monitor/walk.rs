//! Read-only, truly: every action of the key table on every screen, and nothing that writes reaches the service.

use crate::support::prelude::*;
use rundown::profile::{Connection, Earlier};

use super::support::desk::Desk;
use super::{Scene, scene};

/// Keys that lead from the list to each screen and box.
const WAYS: [(&[&str], Layer); 25] = [
    (&[], Layer::Runs),
    (&["/"], Layer::Typing),
    (&["H"], Layer::Changes),
    (&["Enter", "="], Layer::Compare),
    (&["Enter"], Layer::Detail),
    (&["i"], Layer::Json),
    (&["i", "/"], Layer::Typing),
    (&["a"], Layer::Available),
    (&["s"], Layer::Attached),
    (&["a", "i"], Layer::Suite),
    (&["B"], Layer::Board),
    (&["B", "i"], Layer::Explained),
    (&["M"], Layer::Monitor),
    (&["M", "t"], Layer::Typing),
    (&["M", "d"], Layer::Typing),
    (&["d"], Layer::Typing),
    (&["M", "@"], Layer::Journal),
    (&["M", "H"], Layer::Changes),
    (&["M", "o"], Layer::SortMenu),
    (&["w"], Layer::Columns),
    (&["f"], Layer::Picker),
    (&["y"], Layer::CopyMenu),
    (&["@"], Layer::Journal),
    (&["?"], Layer::Help),
    (&["!"], Layer::Errors),
];

impl Scene {
    /// Back to the list, whatever is open.
    async fn back_to_the_list(&mut self) {
        for _ in 0..30 {
            if self.desk.store.layer() == Layer::Runs && self.desk.store.screen() == Layer::Runs {
                break;
            }
            self.desk.act(Action::Back);
        }
        assert_eq!(
            self.desk.store.layer(),
            Layer::Runs,
            "{}",
            self.desk.screen()
        );
        // Words stay whatever tab is chosen.
        for _ in 0..5 {
            if !self.desk.store.runs().list.search.text().is_empty() {
                self.desk.act(Action::Back);
            }
        }
        self.desk
            .until_that("rows", |desk| {
                desk.store.runs().len().is_some_and(|len| len > 0)
            })
            .await;
        self.onto_an_open_run().await;
    }

    async fn onto_an_open_run(&mut self) {
        let here = |desk: &Desk| desk.store.runs().current().is_some();
        self.desk.until_that("the row under the cursor", here).await;
        let open = |desk: &Desk| desk.store.runs().current().is_some_and(|run| run.is_open);
        self.desk.press(&["Home"]);
        for _ in 0..30 {
            if open(&self.desk) {
                return;
            }
            self.desk.press(&["j"]);
        }
        panic!("no open run: {}", self.desk.screen());
    }

    /// Goes to a screen by its keys, with what it shows.
    async fn go(&mut self, (keys, layer): (&[&str], Layer)) {
        self.back_to_the_list().await;
        for key in keys {
            self.desk.press(&[key]);
            self.desk
                .until_that("what the screen shows", |desk| match desk.store.screen() {
                    Layer::Available => desk
                        .store
                        .available()
                        .is_some_and(|it| it.suites.value().is_some()),
                    Layer::Attached => desk
                        .store
                        .attached()
                        .is_some_and(|it| it.verdict.value().is_some()),
                    Layer::Detail | Layer::Json => desk
                        .store
                        .detail()
                        .is_some_and(|it| it.document.value().is_some()),
                    Layer::Monitor => desk.store.monitor().is_some_and(|it| it.read_at.is_some()),
                    _ => true,
                })
                .await;
        }
        assert_eq!(
            self.desk.store.layer(),
            layer,
            "{keys:?}: {}",
            self.desk.screen()
        );
    }
}

#[tokio::test]
async fn no_action_on_any_screen_of_a_read_only_profile_writes() {
    let options = options(|it| (it.runs, it.suites) = (30, 12));
    let mut scene = scene(options, |profile| profile.read_only = true).await;
    // Something in the feed: what the first reading finds is no news.
    let is_read = |desk: &Desk| !desk.store.runs().reader.busy();
    scene.until_that("the first reading ended", is_read).await;
    let other = scene.other().await;
    other.add_run("Something new").await;
    scene.press_until(&["r"], "●R_").await;
    let actions = crate::support::actions();
    let before = scene.writes().len();
    assert_eq!(before, 0, "the other writes past the proxy");
    let mut tried = 0;
    for way in WAYS {
        scene.go(way).await;
        for action in &actions {
            if scene.store.layer() != way.1 {
                scene.go(way).await;
            }
            // The same once more with something marked, and whatever opens is said yes to.
            for marked in [false, true] {
                if marked {
                    scene.act(Action::Mark);
                }
                scene.act(action.clone());
                for yes in [
                    Action::Open,
                    Action::NextField,
                    Action::Open,
                    Action::Save,
                    Action::Open,
                ] {
                    if scene.store.layer() == way.1 || *action == Action::Quit {
                        break;
                    }
                    scene.act(yes);
                }
                scene.catch_up();
                tried += 1;
                if scene.store.layer() != way.1 {
                    scene.go(way).await;
                }
            }
        }
    }
    assert!(tried > 1_000, "only {tried} tried");
    // What was asked for has been answered by now.
    scene.back_to_the_list().await;
    scene.press(&["r"]);
    scene
        .until_that("rest", |desk| !desk.store.runs().reader.busy())
        .await;
    assert_eq!(scene.writes(), [""; 0]);
    let journal =
        std::fs::read_to_string(scene.folder.path().join("journal.ndjson")).unwrap_or_default();
    assert_eq!(journal, "", "nothing is in the journal");
}

#[tokio::test]
async fn the_connection_of_a_read_only_profile_holds_no_type_that_writes() {
    let scene = scene(options(|it| it.runs = 3), |profile| {
        profile.read_only = true;
    })
    .await;
    for read_only in [true, false] {
        let profile = scene.profile.clone().with(|it| it.read_only = read_only);
        let connection = Connection::open(profile, Earlier::default()).await.unwrap();
        assert_eq!(connection.may_write().is_err(), read_only);
        let elsewhere = connection.with_project("P_12", None).unwrap();
        assert_eq!(
            elsewhere.may_write().is_err(),
            read_only,
            "in another project too"
        );
        for (project, subproject, wrong) in [
            ("P_1\n", None, "--project: not a project id"),
            ("P_1", Some("2"), "--subproject: not a sub project id"),
        ] {
            let refused = connection.with_project(project, subproject).err();
            assert!(refused.unwrap().starts_with(wrong), "{wrong}");
        }
    }
}
