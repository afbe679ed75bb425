//! Adding and removing suites by keys: what is sent, what the database holds afterwards, what is written down.

use crate::support::look::Look as _;
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use rundown::attached::State;
use rundown::domain::{DocRef, Outcome, Status};
use rundown::local_service::Options;
use secrecy::ExposeSecret;
use serde_json::json;

use super::support::{Other, desk_client};
use super::{Scene, scene, scene_with};

pub const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
pub const DELETE: &str = "DELETE_TEST_SUITES_FROM_RUN";

impl Scene {
    /// What the database holds of a run.
    pub fn truth(&self, run: &DocRef) -> BTreeSet<DocRef> {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let id = uuid::Uuid::parse_str(run.as_str().strip_prefix("TestRun-dm/").unwrap()).unwrap();
        let sql = "SELECT d.suites FROM runs r JOIN docs d ON d.seq = r.seq WHERE r.ref = ?1";
        let suites: String = database
            .query_row(sql, [id.as_bytes().as_slice()], |row| row.get(0))
            .unwrap();
        let rows: Vec<i64> = serde_json::from_str(&suites).unwrap();
        let number = |row: &i64| -> i64 {
            database
                .query_row("SELECT number FROM suites WHERE seq = ?1", [row], |row| {
                    row.get(0)
                })
                .unwrap()
        };
        rows.iter()
            .map(|row| DocRef::parse(&format!("TestSuite-dm/{}", number(row))).unwrap())
            .collect()
    }

    /// The cursor stands on this run; the list is read until it shows it.
    pub async fn go_to(&mut self, run: &DocRef) {
        self.desk
            .until_that("the list", |desk| desk.store.runs().len().is_some())
            .await;
        for _ in 0..60 {
            self.desk.press(&["r"]);
            self.desk
                .until_that("the list is read", |desk| !desk.store.runs().all.busy())
                .await;
            self.desk.press(&["Home"]);
            for _ in 0..self.desk.store.runs().len().unwrap() {
                self.desk
                    .until_that("the row under the cursor", |desk| {
                        desk.store.runs().current().is_some()
                    })
                    .await;
                if self.desk.store.runs().current().unwrap().doc_ref == *run {
                    return;
                }
                self.desk.press(&["j"]);
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("the list never showed {run}\n{}", self.desk.screen());
    }

    /// The available suites of a new, empty run are on the screen, read whole.
    pub async fn at_new_run(&mut self) -> (Other, DocRef) {
        let other = desk_client(&self.service).await;
        let run = other.add_run("Suites by keys").await;
        self.go_to(&run).await;
        self.desk.press(&["a"]);
        self.read_whole().await;
        (other, run)
    }

    pub async fn read_whole(&mut self) {
        self.desk
            .until_that("the available suites", |desk| {
                let list = &desk.store.available().unwrap().list;
                !list.is_reading() && list.value().is_some()
            })
            .await;
    }

    pub fn free(&self) -> Vec<DocRef> {
        let list = self.desk.store.available().unwrap().list.value().unwrap();
        list.iter().map(|suite| suite.doc_ref.clone()).collect()
    }

    pub fn basket(&self) -> Vec<DocRef> {
        self.desk
            .store
            .available()
            .unwrap()
            .marks
            .rows()
            .iter()
            .map(|suite| suite.doc_ref.clone())
            .collect()
    }

    /// Waits for the end of the change under way; what came of it.
    pub async fn outcome(&mut self) -> Outcome {
        let over =
            |desk: &super::Desk| desk.store.work().is_some_and(|work| work.outcome.is_some());
        self.desk.until_that("the end of the change", over).await;
        self.desk.store.work().unwrap().outcome.clone().unwrap()
    }

    /// Methods of all writes that came, in order.
    pub fn writes(&self) -> Vec<String> {
        let writes = ["ADD_", "DELETE_", "MODIFY_"];
        let methods = self.proxy.passed().into_iter().map(|passed| passed.method);
        methods
            .filter(|method| writes.iter().any(|write| method.starts_with(write)))
            .collect()
    }
}

/// The parameters of a write, and nothing else.
fn exactly(run: &DocRef, suites: &[DocRef]) -> serde_json::Value {
    let suites: Vec<&str> = suites.iter().map(DocRef::as_str).collect();
    json!({"testRunDocRef": run.as_str(), "testSuiteDocRefs": suites})
}

#[tokio::test]
async fn three_suites_are_added_seen_and_one_is_removed_by_keys_alone() {
    let mut scene = scene(Options::default()).await;
    desk_client(&scene.service)
        .await
        .add_run("Nothing in it")
        .await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space", "Space"]);
    let three = scene.basket();
    scene.desk.press(&["Enter"]);
    let screen = scene.desk.screen();
    for word in [
        ADD,
        run.as_str(),
        "testSuiteDocRefs 3 suites in 1 request",
        "nothing is sent yet",
    ] {
        assert!(screen.contains(word), "{word}: {screen}");
    }
    assert!(
        three.iter().all(|suite| screen.contains(suite.as_str())),
        "{screen}"
    );
    assert_eq!(
        scene.writes().len(),
        0,
        "nothing is sent before the button is pressed"
    );
    scene.desk.press(&["Enter"]);
    scene.desk.until("3 suites added to R_").await;
    assert_eq!(scene.truth(&run), three.iter().cloned().collect());
    assert_eq!(scene.params(ADD), [exactly(&run, &three)]);
    scene.desk.press(&["Enter"]);
    scene.read_whole().await;
    assert!(scene.basket().is_empty() && three.iter().all(|suite| !scene.free().contains(suite)));
    scene.desk.press(&["Tab"]);
    scene.desk.until("COMPLETE 3/3").await;
    let lines = scene
        .desk
        .store
        .attached()
        .unwrap()
        .verdict
        .value()
        .unwrap();
    let mut named: Vec<_> = lines.sure().map(|named| named.suite.clone()).collect();
    named.sort();
    assert_eq!(named, scene.truth(&run).into_iter().collect::<Vec<_>>());
    scene.desk.press(&["Space"]);
    let one = scene.desk.store.attached().unwrap().marks.rows().to_vec();
    scene.desk.press(&["x"]);
    let screen = scene.desk.screen();
    assert!(
        screen.contains(DELETE) && screen.contains(one[0].as_str()),
        "{screen}"
    );
    scene.desk.press(&["Tab"]);
    assert_eq!(scene.proxy.count(DELETE), 0);
    scene.desk.press(&["Enter"]);
    scene.desk.until("1 suite removed from R_").await;
    assert_eq!(scene.params(DELETE), [exactly(&run, &one)]);
    let left: BTreeSet<_> = three
        .iter()
        .filter(|suite| **suite != one[0])
        .cloned()
        .collect();
    assert_eq!(scene.truth(&run), left);
    scene.desk.press(&["Enter"]);
    scene.desk.until("COMPLETE 2/2").await;
    scene.desk.press(&["Tab"]);
    scene.read_whole().await;
    assert!(scene.free().contains(&one[0]), "it can be added again");
    assert_eq!(scene.writes(), [ADD, DELETE]);
}

#[tokio::test]
async fn the_removal_is_on_cancel_first_and_esc_sends_nothing() {
    let mut scene = scene(Options::default()).await;
    let (other, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Enter", "Esc"]);
    assert_eq!(scene.basket().len(), 1, "the mark stays");
    other.add_suites(&run, &scene.free()[5..7]).await;
    scene.desk.press(&["s"]);
    scene.desk.until("COMPLETE 2/2").await;
    scene.desk.press(&["A", "x", "Enter"]);
    assert!(scene.desk.store.confirm().is_none() && scene.desk.store.work().is_none());
    assert!(scene.writes().is_empty(), "{:?}", scene.writes());
}

#[tokio::test]
async fn more_than_twenty_go_in_chunks_in_order_with_a_line_for_each() {
    let mut scene = scene(Options {
        suites: 900,
        ..Options::default()
    })
    .await;
    let (_, run) = scene.at_new_run().await;
    scene.desk.press(&["v", "End", "v"]);
    let marked = scene.basket();
    assert!(marked.len() > 45, "{}", marked.len());
    scene.desk.press(&["Enter", "Enter"]);
    let outcome = scene.outcome().await;
    assert!(outcome.is_whole(), "{outcome:?}");
    let sent: Vec<Vec<DocRef>> = scene
        .params(ADD)
        .iter()
        .map(|params| {
            let suites = params["testSuiteDocRefs"].as_array().unwrap();
            suites
                .iter()
                .map(|suite| DocRef::parse(suite.as_str().unwrap()).unwrap())
                .collect()
        })
        .collect();
    assert_eq!(
        sent,
        marked
            .chunks(20)
            .map(<[DocRef]>::to_vec)
            .collect::<Vec<_>>()
    );
    let steps = &scene.desk.store.work().unwrap().steps;
    assert!(
        steps.iter().all(|step| step.good) && steps.len() == sent.len(),
        "{steps:?}"
    );
    assert!(
        steps[1]
            .words
            .starts_with(&format!("request 2 of {}, 20 suites", sent.len())),
        "{steps:?}"
    );
    assert_eq!(scene.truth(&run), marked.into_iter().collect());
}

#[tokio::test]
async fn clamped_pages_and_a_replica_that_is_behind_end_confirmed() {
    for options in [
        Options {
            page_limit: Some(7),
            ..Options::default()
        },
        Options {
            lag: Duration::from_millis(800),
            ..Options::default()
        },
    ] {
        let mut scene = scene(options).await;
        let (_, run) = scene.at_new_run().await;
        scene.desk.press(&["Space", "Space", "Enter", "Enter"]);
        let outcome = scene.outcome().await;
        assert!(outcome.is_whole(), "{outcome:?}");
        assert_eq!(
            scene.truth(&run),
            outcome.done_parts().into_iter().collect()
        );
        assert_eq!(scene.writes(), [ADD]);
    }
}

#[tokio::test]
async fn while_somebody_else_writes_nothing_wrong_is_shown_as_sure() {
    let every = Duration::from_millis(40);
    let mut scene = scene(Options {
        second_writer: Some(every),
        ..Options::default()
    })
    .await;
    scene.desk.until("row 1 of").await;
    let theirs = |run: &rundown::domain::RunRow| {
        run.status == Status::Active
            && run.version.as_deref() == Some("1.2.1")
            && run.suite_count.unwrap_or(0) > 0
    };
    for _ in 0..scene.desk.store.runs().len().unwrap() {
        scene
            .desk
            .until_that("the row under the cursor", |desk| {
                desk.store.runs().current().is_some()
            })
            .await;
        if theirs(scene.desk.store.runs().current().unwrap()) {
            break;
        }
        scene.desk.press(&["j"]);
    }
    let run = scene.desk.store.runs().current().unwrap().doc_ref.clone();
    for key in ["s", "V", "V"] {
        let mut seen = scene.truth(&run);
        scene.desk.press(&[key]);
        let over = |desk: &super::Desk| !desk.store.attached().unwrap().verdict.is_reading();
        scene.desk.until_that("the verdict", over).await;
        seen.append(&mut scene.truth(&run));
        let members = scene.desk.store.attached().unwrap();
        let attached = members.verdict.value().unwrap();
        let sure: BTreeSet<_> = attached.sure().map(|named| named.suite.clone()).collect();
        assert!(
            sure.is_subset(&seen),
            "{}: {sure:?} of {seen:?}",
            attached.short()
        );
        assert_ne!(attached.state, State::Closed);
    }
}

#[tokio::test]
async fn a_read_only_profile_says_so_and_sends_nothing() {
    let mut scene = scene_with(Options::default(), |profile| profile.read_only = true).await;
    let (other, run) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Enter"]);
    assert!(
        scene
            .desk
            .screen()
            .contains("read-only profile: nothing is changed from here"),
        "{}",
        scene.desk.screen()
    );
    assert!(scene.desk.store.confirm().is_none());
    other.add_suites(&run, &scene.free()[..1]).await;
    scene.desk.press(&["s"]);
    scene.desk.until("COMPLETE 1/1").await;
    scene.desk.press(&["Space", "x"]);
    assert!(
        scene.desk.screen().contains("read-only profile"),
        "{}",
        scene.desk.screen()
    );
    assert!(scene.desk.store.confirm().is_none() && scene.writes().is_empty());
}

#[tokio::test]
async fn the_journal_shows_every_write_and_its_file_has_no_secret() {
    let mut scene = scene(Options::default()).await;
    let (other, _) = scene.at_new_run().await;
    scene.desk.press(&["Space", "Space", "Enter", "Enter"]);
    scene.outcome().await;
    scene.desk.press(&["Enter", "r"]);
    scene.read_whole().await;
    let run = scene.desk.store.available().unwrap().run.doc_ref.clone();
    let next = scene
        .desk
        .store
        .available()
        .unwrap()
        .at(0)
        .unwrap()
        .doc_ref
        .clone();
    other.add_suites(&run, std::slice::from_ref(&next)).await;
    scene.desk.press(&["Home", "Space", "Enter", "Enter"]);
    assert_eq!(scene.basket(), [next]);
    scene.outcome().await;
    scene.desk.press(&["Enter", "@"]);
    scene.desk.until("2 of 2").await;
    let screen = scene.desk.screen();
    for word in [
        "confirmed",
        "refused",
        "ADD_TEST_SUITES_TO_RUN, 2 suites",
        "Suites by keys",
        run.as_str(),
    ] {
        assert!(screen.contains(word), "{word}: {screen}");
    }
    scene.desk.press(&["confirmed"]);
    assert!(
        scene.desk.screen().contains("1 of 2"),
        "{}",
        scene.desk.screen()
    );
    let path = scene.desk.folder.path().join("journal.ndjson");
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains(ADD)
            && text
                .lines()
                .all(|line| line.parse::<serde_json::Value>().is_ok()),
        "{text}"
    );
    let served = scene.service.profile();
    assert!(
        !text.contains(served.password.expose_secret())
            && !text.contains(served.client_secret.expose_secret())
    );
    for passed in scene.proxy.passed() {
        if let Some(token) = passed.headers.get("authorization") {
            assert!(!text.contains(token.to_str().unwrap().trim_start_matches("Bearer ")));
        }
    }
}
