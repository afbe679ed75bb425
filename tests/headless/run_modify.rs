//! `runs modify`: what is sent, what the database holds afterwards, and when nothing is sent.

use std::time::Duration;

use rundown::domain::{DocRef, RunField};
use rundown::local_service::Options;
use serde_json::{Value, json};

use super::scene::{Ran, Scene};
use super::schema::fits;
use super::support::proxy::Fault;
use super::support::{Other, desk_client};

const MODIFY: &str = "MODIFY_DOCUMENT";
const GET: &str = "GET_DOCUMENT";

async fn scene() -> (Scene, Other, DocRef) {
    let scene = Scene::new(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Before").await;
    (scene, other, run)
}

fn words<'a>(run: &'a DocRef, more: &[&'a str]) -> Vec<&'a str> {
    [&["runs", "modify", run.as_str()], more].concat()
}

impl Scene {
    /// A field of `Root.General` in the database.
    fn field(&self, run: &DocRef, field: RunField) -> String {
        self.document(run).unwrap()["Root"]["General"][field.name()]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// What a run is known by.
    pub fn id(&self, run: &DocRef) -> String {
        self.document(run).unwrap()["Root"]["General"]["Id"]
            .as_str()
            .unwrap()
            .to_owned()
    }

    /// Waits until so many requests of this method came.
    pub async fn until_passed(&self, method: &str, times: usize) {
        while self.proxy.count(method) < times {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

fn outcome(ran: &Ran) -> Value {
    let outcome: Value =
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {ran:?}"));
    fits("run_modified", &outcome);
    outcome
}

#[tokio::test]
async fn fields_are_changed_and_all_else_stays() {
    let (scene, _, run) = scene().await;
    let id = scene.id(&run);
    let before = scene.document(&run).unwrap();
    let ran = scene
        .run(&[
            "runs", "modify", &id, "--title", "After", "--status", "inactive",
        ])
        .await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_eq!(ran.out, format!("{id} saved\n"));
    let mut after = scene.document(&run).unwrap();
    assert_eq!(
        (
            scene.field(&run, RunField::Title),
            scene.field(&run, RunField::Status)
        ),
        ("After".into(), "inactive".into())
    );
    let general = &before["Root"]["General"];
    (
        after["Root"]["General"]["Title"],
        after["Root"]["General"]["Status"],
    ) = (general["Title"].clone(), general["Status"].clone());
    assert_eq!(after["Root"]["General"], before["Root"]["General"]);
    assert_eq!(scene.steps(), [[MODIFY, "sent", "answered", "confirmed"]]);
    assert!(
        scene
            .journal()
            .contains(r#""before":{"Title":"Before","Status":"active"}"#),
        "{}",
        scene.journal()
    );
    // A closed run is opened again. A relative folder would be another one from every place.
    let more = [
        "--status",
        "active",
        "--description",
        "",
        "--format",
        "json",
    ];
    let mut command = scene.command(&words(&run, &more));
    command.env("XDG_STATE_HOME", "here");
    let ran = Ran::of(command).await;
    assert_eq!(scene.steps().len(), 2);
    let outcome = outcome(&ran);
    assert_eq!(
        (ran.status, &outcome["outcome"], &outcome["end"]),
        (Some(0), &json!("confirmed"), &json!("done"))
    );
    assert_eq!(
        outcome["fields"],
        json!([{"field": "Status", "from": "inactive", "to": "active"}])
    );
    assert_eq!(scene.field(&run, RunField::Status), "active");
}

#[tokio::test]
async fn nothing_to_change_is_said_and_sent_by_nobody() {
    let (scene, _, run) = scene().await;
    let ran = scene
        .run(&words(&run, &["--title", "Before", "--status", "active"]))
        .await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert_eq!(
        ran.out,
        format!(
            "{}: nothing to change: the run has these values already\n",
            scene.id(&run)
        )
    );
    let more = ["--title", "Before", "--format", "json"];
    let ran = scene.run(&words(&run, &more)).await;
    assert_eq!(
        (ran.status, &outcome(&ran)["outcome"], &outcome(&ran)["end"]),
        (Some(0), &json!("unchanged"), &json!("done"))
    );
    assert_eq!(scene.writes().len(), 0);
    assert!(!scene.home.path().join(".local").exists());
}

#[tokio::test]
async fn what_is_not_right_is_said_before_anything_is_read() {
    let (scene, _, run) = scene().await;
    let cases: [(&[&str], &[&str]); 4] = [
        (&[], &["no field is named: --title"]),
        (&["--title", ""], &["Title (--title): needed here"]),
        (&["--status", "done"], &["active, inactive"]),
        (
            &["--read-only", "--title", "x", "--dry-run"],
            &["read-only profile: nothing is changed from here"],
        ),
    ];
    for (more, told) in cases {
        scene.run(&words(&run, more)).await.refused(2, told);
    }
    assert_eq!(scene.proxy.passed().len(), 0);
    scene
        .run(&["runs", "modify", "R_999999", "--title", "x"])
        .await
        .refused(4, &["there is no test run R_999999"]);
    scene
        .run(&["runs", "modify", "TestRun-dm/0", "--title", "x"])
        .await
        .refused(4, &["reading the run"]);
    assert_eq!(scene.writes().len(), 0);
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_sent_to_the_letter_and_sends_nothing() {
    let (scene, _, run) = scene().await;
    let change = words(&run, &["--title", "After", "--configuration", "1.50"]);
    let dry = scene
        .run(&[&change[..], &["--dry-run"]].concat())
        .await
        .lines();
    assert_eq!(dry.len(), 1);
    fits("request", &dry[0]);
    let whole = scene
        .json(&[&change[..], &["--dry-run", "--format", "json"]].concat())
        .await;
    fits("requests", &whole);
    assert_eq!(
        (&whole["requests"][0]["params"], &whole["run"]["ref"]),
        (&dry[0]["params"], &json!(run.as_str()))
    );
    assert_eq!(scene.writes().len(), 0);
    assert!(
        !scene.home.path().join(".local").exists(),
        "nothing is written down either"
    );
    assert_eq!(scene.run(&change).await.status, Some(0));
    assert_eq!(scene.params(MODIFY), [dry[0]["params"].clone()]);
}

#[tokio::test]
async fn a_run_that_somebody_wrote_since_is_left_alone() {
    let (scene, other, run) = scene().await;
    let shown = scene
        .json(&["runs", "show", run.as_str(), "--format", "json"])
        .await;
    let at = shown["document"]["__meta"]["modifiedAt"].as_str().unwrap();
    let other_time = words(
        &run,
        &["--title", "Mine", "--if-modified-at", "2001-01-01T00:00:00"],
    );
    for more in [&[][..], &["--dry-run"]] {
        let ran = scene.run(&[&other_time[..], more].concat()).await;
        ran.refused(
            4,
            &[
                "somebody wrote meanwhile, last edited by qa",
                &format!("modifiedAt is {at}, expected 2001"),
                "nothing was sent",
            ],
        );
    }
    let ran = scene
        .run(&words(&run, &["--title", "Mine", "--if-modified-at", at]))
        .await;
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    // Between the two readings of the command itself.
    let reads = scene.proxy.count(GET);
    scene
        .proxy
        .fault_for(GET, Fault::Delay(Duration::from_millis(400)));
    let child = scene
        .command(&words(&run, &["--title", "Mine again", "--format", "json"]))
        .spawn()
        .unwrap();
    scene.until_passed(GET, reads + 2).await;
    other
        .modify(&run, &[(RunField::Description, "theirs")])
        .await;
    let ran = Ran::ended(child).await;
    let outcome = outcome(&ran);
    assert_eq!(
        (ran.status, &outcome["outcome"], &outcome["end"]),
        (Some(4), &json!("refused"), &json!("not_sent"))
    );
    assert!(
        ran.err
            .contains("not saved: somebody wrote meanwhile, last edited by qa"),
        "{}",
        ran.err
    );
    assert_eq!(
        (
            scene.field(&run, RunField::Title),
            scene.field(&run, RunField::Description)
        ),
        ("Mine".into(), "theirs".into())
    );
    assert_eq!(scene.proxy.count(MODIFY), 1);
}

#[tokio::test]
async fn a_change_that_somebody_makes_right_after_is_told() {
    for json in [false, true] {
        let (scene, other, run) = scene().await;
        let reads = scene.proxy.count(GET);
        scene
            .proxy
            .fault_for(GET, Fault::Delay(Duration::from_millis(400)));
        let format = if json { &["--format", "json"][..] } else { &[] };
        let change = [&["--title", "Mine"], format].concat();
        let child = scene.command(&words(&run, &change)).spawn().unwrap();
        // The reading after the write waits at the proxy.
        scene.until_passed(GET, reads + 3).await;
        other.modify(&run, &[(RunField::Title, "Theirs")]).await;
        let ran = Ran::ended(child).await;
        assert_eq!(ran.status, Some(8), "{}", ran.err);
        if json {
            let told = outcome(&ran);
            assert_eq!(
                (&told["outcome"], &told["end"]),
                (&json!("differs"), &json!("unknown"))
            );
        } else {
            assert_eq!(ran.out, "");
        }
        let words = "may be changed: the service answered that it was done, but Title is \"Theirs\" instead of \"Mine\"";
        assert!(ran.err.contains(words), "{}", ran.err);
        assert_eq!(scene.steps(), [[MODIFY, "sent", "answered", "differs"]]);
    }
}

#[tokio::test]
async fn what_cannot_be_read_after_is_unknown() {
    let (scene, _, run) = scene().await;
    scene
        .proxy
        .fault_for(MODIFY, Fault::Delay(Duration::from_millis(500)));
    let child = scene
        .command(&words(&run, &["--title", "After", "--format", "json"]))
        .spawn()
        .unwrap();
    scene.until_passed(MODIFY, 1).await;
    scene
        .proxy
        .fault_for(GET, Fault::Replace(502, b"bad gateway".to_vec()));
    let output = child.wait_with_output().await.unwrap();
    let outcome: Value = serde_json::from_slice(&output.stdout).unwrap();
    fits("run_modified", &outcome);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), &outcome["outcome"], &outcome["end"]),
        (Some(8), &json!("unknown"), &json!("unknown")),
        "{said}"
    );
    assert!(
        said.contains("may be changed: the service answered that it was done"),
        "{said}"
    );
    assert_eq!(scene.field(&run, RunField::Title), "After");
}

#[tokio::test]
async fn without_a_journal_nothing_is_sent_and_what_the_service_refuses_is_told() {
    let (scene, _, run) = scene().await;
    let state = scene.home.path().join(".local/state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("rundown"), "a file in the place of the folder").unwrap();
    scene.run(&words(&run, &["--title", "x"])).await.refused(
        4,
        &["nothing is sent, because it cannot be written down first"],
    );
    assert_eq!(scene.writes().len(), 0);
    std::fs::remove_file(state.join("rundown")).unwrap();
    scene
        .proxy
        .fault_for(MODIFY, Fault::Replace(403, b"no".to_vec()));
    scene
        .run(&words(&run, &["--title", "x"]))
        .await
        .refused(7, &["not saved: refused", "403"]);
    assert_eq!(scene.steps(), [[MODIFY, "sent", "unknown", "refused"]]);
}
