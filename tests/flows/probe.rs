//! The probe run: asked for, made, read, deleted; and found when it is left behind.

use super::scene;
use super::support::proxy::Passed;
use crate::support::prelude::*;
use tokio::sync::Notify;

/// What readings say of a run that is deleted.
const GONE: &str = "the run is not found any more, the list does not show it";

impl super::Scene {
    /// The steps of every write in the journal, in order: each its name, and its method or what a reading said.
    fn steps(&self) -> Vec<Vec<(String, String)>> {
        let text = std::fs::read_to_string(self.desk.folder.path().join("journal.ndjson")).unwrap();
        let mut writes: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let word = |name: &str| line[name].as_str().unwrap_or_default().to_owned();
            let step = (word("step"), word("method") + &word("how") + &word("what"));
            match writes.iter_mut().find(|(write, _)| *write == word("write")) {
                Some((_, steps)) => steps.push(step),
                None => writes.push((word("write"), vec![step])),
            }
        }
        writes.into_iter().map(|(_, steps)| steps).collect()
    }

    /// The name of the last step of every write.
    fn last_steps(&self) -> Vec<String> {
        let last = |mut steps: Vec<(String, String)>| steps.pop().unwrap().0;
        self.steps().into_iter().map(last).collect()
    }
}

/// The verdict that is worked out is there, or given up.
async fn until_over(scene: &mut super::Scene) {
    let over = |desk: &super::Desk| !desk.store.attached().unwrap().verdict.is_reading();
    scene.until_that("it is over", over).await;
}

async fn probing(scene: &mut super::Scene) {
    scene.until("\nrun 1 of").await;
    while scene.store.here().status != Status::Active {
        scene.press(&["j"]);
    }
    scene.press(&["s"]);
    scene
        .until_that("a verdict", |desk| {
            desk.store.attached().unwrap().verdict.value().is_some()
        })
        .await;
    scene.press(&[":", "probe", "Enter"]);
    let screen = scene.screen();
    let said = screen.replace(['│', '\n'], " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("[probe, safe to delete] qa"), "{screen}");
    assert_eq!(scene.proxy.count("ADD_DOCUMENT"), 0, "it asks first");
}

#[tokio::test]
async fn a_probe_run_is_made_read_and_deleted() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    // The list is read while the probe is there; then it is gone from it.
    let let_go = Arc::new(Notify::new());
    scene
        .proxy
        .fault_for("DELETE_TEST_RUN", Fault::Hold(Arc::clone(&let_go)));
    scene.press(&["Tab", "Enter"]);
    while scene.proxy.count("DELETE_TEST_RUN") < 1 {
        pause(10).await;
        scene.catch_up();
    }
    scene.press(&["Esc", "r"]);
    scene.until("[probe, safe to delete]").await;
    let_go.notify_one();
    let gone = |desk: &super::Desk| !desk.screen().contains("[probe, safe to delete]");
    scene.until_that("it is gone", gone).await;
    scene.press(&["s"]);
    until_over(&mut scene).await;
    let made = scene.params("ADD_DOCUMENT");
    assert_eq!(made.len(), 1);
    begins(
        made[0]["document"]["Root"]["General"]["Title"]
            .as_str()
            .unwrap(),
        "[probe, safe to delete]",
    );
    assert_eq!(scene.proxy.count("DELETE_TEST_RUN"), 1);
    scene
        .press_until(
            &["Esc", "/", "probe, safe", "Enter"],
            "\"probe, safe\": 0 found",
        )
        .await;
    scene.press_until(&["@"], "R_").await;
    assert!(scene.store.unfinished().is_empty());
    let rows = scene.screen();
    let deleted = rows.lines().find(|row| row.contains("deleted it"));
    let made = rows.lines().find(|row| row.contains(" made \"[probe"));
    let id = made.and_then(|row| row.split_whitespace().find(|it| it.starts_with("R_")));
    assert!(deleted.unwrap().contains(id.unwrap()), "{rows}");
    let reference = scene.params("DELETE_TEST_RUN")[0]["testRunDocRef"].clone();
    let methods: Vec<_> = scene
        .proxy
        .passed()
        .into_iter()
        .map(|passed| passed.method)
        .collect();
    let place = |method: &str| methods.iter().position(|passed| passed == method).unwrap();
    let read = |from: usize| {
        let params = |passed: &Passed| passed.json()["params"]["docRef"] == reference;
        scene.proxy.passed()[from..]
            .iter()
            .any(|passed| passed.method == "GET_DOCUMENT" && params(passed))
    };
    assert!(
        read(place("ADD_DOCUMENT")) && read(place("DELETE_TEST_RUN")),
        "read after both: {methods:?}"
    );
    let steps = scene.steps();
    let told = |step: &str, words: &str| (step.to_owned(), words.to_owned());
    assert_eq!(
        steps[0],
        [
            told("sent", "ADD_DOCUMENT"),
            told("answered", ""),
            told("confirmed", "read again: all fields are as they were sent")
        ]
    );
    let gone = told("confirmed", GONE);
    assert_eq!(
        steps[1],
        [told("sent", "DELETE_TEST_RUN"), told("answered", ""), gone]
    );
    assert_eq!(steps.len(), 2);
}

#[tokio::test]
async fn a_deletion_whose_answer_is_lost_is_decided_by_reading() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    scene.proxy.fault_for("DELETE_TEST_RUN", Fault::CutAfter);
    scene.press(&["Tab", "Enter"]);
    until_over(&mut scene).await;
    let steps = scene.steps();
    assert_eq!(steps[1][1].0, "unknown");
    assert_eq!(
        steps[1][2],
        (
            "confirmed".to_owned(),
            format!("by reading: no clear answer came; {GONE}")
        )
    );
    assert_eq!(
        scene.proxy.count("DELETE_TEST_RUN"),
        1,
        "a write is sent once"
    );
    scene.press_until(&["@"], "2 of 2").await;
    assert!(
        scene.store.unfinished().is_empty(),
        "it is gone, and nothing is offered"
    );
}

#[tokio::test]
async fn a_replica_that_is_behind_is_read_until_it_shows_the_probe_and_until_it_does_not() {
    // Long against what a busy machine takes for one reading.
    let lag = Duration::from_secs(2);
    let mut scene = scene(options(|it| it.lag = lag)).await;
    probing(&mut scene).await;
    scene.press(&["Tab", "Enter"]);
    until_over(&mut scene).await;
    assert_eq!(scene.last_steps(), ["confirmed", "confirmed"]);
    let probe = scene.params("DELETE_TEST_RUN")[0]["testRunDocRef"].clone();
    let read = scene
        .params("GET_DOCUMENT")
        .into_iter()
        .filter(|params| params["docRef"] == probe)
        .count();
    // Once more before it is deleted.
    assert!(read > 4, "each write was read more than once: {read}");
}

#[tokio::test]
async fn a_probe_run_that_is_left_behind_is_offered_for_deletion() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    scene.proxy.fault_for("DELETE_TEST_RUN", Fault::CutBefore);
    scene
        .press_until(&["Tab", "Enter"], "deleting the probe run")
        .await;
    assert_eq!(
        scene.proxy.count("DELETE_TEST_RUN"),
        1,
        "a write is sent once"
    );
    let lost = scene.steps()[1][1..].to_vec();
    assert_eq!(
        (lost[0].0.as_str(), lost[1].0.as_str()),
        ("unknown", "differs")
    );
    assert!(
        lost[1].1.contains("the run can still be read") && lost[1].1.contains("no answer"),
        "{lost:?}"
    );
    scene.proxy.fault(Fault::None);
    scene.press_until(&["@"], "Enter go on…").await;
    scene.press_until(&["Enter"], "It is empty").await;
    let boxed = scene.screen();
    let words = "a probe run may be left behind";
    says(&boxed, words);
    let typed = scene.store.delete().unwrap().word();
    scene.press(&[&typed, "Enter"]);
    let over = |desk: &super::Desk| desk.screen().contains(" deleted");
    scene.until_that("it is deleted", over).await;
    scene.press_until(&["Enter", "@"], "3 of 3").await;
    assert!(scene.store.unfinished().is_empty());
    assert_eq!(scene.proxy.count("DELETE_TEST_RUN"), 2);
}

#[tokio::test]
async fn ctrl_c_deletes_the_probe_run_at_once() {
    let mut scene = scene(Options::default()).await;
    probing(&mut scene).await;
    // Working out the suites with it would take for ever.
    scene.proxy.fault_for(
        "GET_AVAILABLE_TEST_SUITES",
        Fault::Delay(Duration::from_hours(1)),
    );
    let before = scene.proxy.count("GET_AVAILABLE_TEST_SUITES");
    scene.press(&["Tab", "Enter"]);
    let end = Instant::now() + Duration::from_secs(15);
    while scene.proxy.count("GET_AVAILABLE_TEST_SUITES") == before {
        assert!(Instant::now() < end, "{}", scene.screen());
        scene.catch_up();
        tokio::task::yield_now().await;
    }
    scene.press(&["Ctrl-c"]);
    until_over(&mut scene).await;
    scene.says("stopped");
    assert_eq!(
        (
            scene.proxy.count("ADD_DOCUMENT"),
            scene.proxy.count("DELETE_TEST_RUN")
        ),
        (1, 1)
    );
    assert_eq!(scene.last_steps(), ["confirmed", "confirmed"], "it is gone");
    assert!(!scene.quit);
}

#[tokio::test]
async fn a_probe_run_left_behind_is_offered_in_its_own_profile_alone() {
    let mut scene = scene(Options::default()).await;
    let profile = scene.profile.clone();
    let second = profile.clone().with(|it| it.name = "second".into());
    let first = profile.name.clone();
    scene.desk = super::Desk::of(vec![profile, second]);
    probing(&mut scene).await;
    scene.proxy.fault_for("DELETE_TEST_RUN", Fault::CutBefore);
    let second = &["Esc", ":", "profile second", "Enter"];
    scene.press(&["Tab", "Enter"]);
    // The probe run is a write.
    scene.press(second);
    scene.says("a change is under way: wait for its answer");
    let failed = |desk: &super::Desk| {
        desk.store
            .errors()
            .entries
            .iter()
            .any(|trouble| trouble.failure.asked.starts_with("deleting the probe run"))
    };
    scene.until_that("the deletion is lost", failed).await;
    scene.catch_up();
    // What is left behind is a matter of the first profile.
    scene.press_until(second, "qa@second").await;
    assert!(scene.store.unfinished().is_empty());
    scene.press(&[":", &format!("profile {first}"), "Enter"]);
    scene
        .until_that("it is offered", |desk| desk.store.unfinished().len() == 1)
        .await;
}
