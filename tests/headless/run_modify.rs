//! `runs modify`: what is sent, what the database holds afterwards, and when nothing is sent.

use std::fs::File;

use super::resume::{names, written_later};
use super::scene::{Ran, Scene, has};
use super::schema::fits;
use super::support::Other;
use crate::support::prelude::*;

const MODIFY: &str = "MODIFY_DOCUMENT";
const GET: &str = "GET_DOCUMENT";

async fn scene() -> (Scene, Other, DocRef) {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Before").await;
    (scene, other, run)
}

fn modify(run: &DocRef, more: &str) -> String {
    format!("runs modify {run} {more}")
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
}

fn outcome(ran: &Ran) -> Value {
    ran.json("run_modified")
}

#[tokio::test]
async fn fields_are_changed_and_all_else_stays() {
    let (scene, _, run) = scene().await;
    let id = scene.id(&run);
    let before = scene.document(&run).unwrap();
    let line = format!("runs modify {id} --title After --status inactive");
    let ran = scene.run(&line).await;
    ran.succeeds();
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
    says(
        &scene.journal(),
        r#""before":{"Title":"Before","Status":"active"}"#,
    );
    // A closed run is opened again. A relative folder would be another one from every place.
    let more = "--status active --description '' --format json";
    let mut command = scene.command(&modify(&run, more));
    command.env("XDG_STATE_HOME", "here");
    let ran = Ran::of(command).await;
    assert_eq!(scene.steps().len(), 2);
    let outcome = outcome(&ran);
    ran.is(0);
    has(&outcome, &json!({"outcome": "confirmed", "end": "done"}));
    assert_eq!(
        outcome["fields"],
        json!([{"field": "Status", "from": "inactive", "to": "active"}])
    );
    assert_eq!(scene.field(&run, RunField::Status), "active");
}

#[tokio::test]
async fn line_ends_in_a_field_of_one_line_are_blanks_as_in_the_form() {
    let (scene, _, run) = scene().await;
    let texts = "--title 'a\nb\n' --configuration 'c\r\nd' --description 'e\nf'";
    let ran = scene.run(&modify(&run, texts)).await;
    ran.is(0);
    let told = |option: &str| format!("rundown: {option}: line ends are blanks in this field\n");
    let told = [told("--configuration"), told("--title")];
    let mut said: Vec<_> = ran.err.split_inclusive('\n').collect();
    said.sort_unstable();
    assert_eq!(said, told);
    // One behind the text alone, as a file has it, is none of it.
    let behind = modify(&run, "--title 'c\n' --dry-run");
    scene.run(&behind).await.succeeds();
    let fields = [
        (RunField::Title, "a b"),
        (RunField::Configuration, "c d"),
        (RunField::Description, "e\nf"),
    ];
    for (field, text) in fields {
        assert_eq!(scene.field(&run, field), text);
    }
}

#[tokio::test]
async fn nothing_to_change_is_said_and_sent_by_nobody() {
    let (scene, _, run) = scene().await;
    let ran = scene
        .run(&modify(&run, "--title Before --status active"))
        .await;
    ran.succeeds();
    assert_eq!(
        ran.out,
        format!(
            "{}: nothing to change: the run has these values already\n",
            scene.id(&run)
        )
    );
    let more = "--title Before --format json";
    let ran = scene.run(&modify(&run, more)).await;
    assert_eq!(
        (ran.status, &outcome(&ran)["outcome"], &outcome(&ran)["end"]),
        (Some(0), &json!("unchanged"), &json!("done"))
    );
    // Of a dry run standard output has the requests, and there are none.
    let dry = modify(&run, "--title Before --dry-run");
    let ran = scene.run(&dry).await;
    let nothing = ": nothing to change: the run has these values already\n";
    ran.is(0);
    assert_eq!(ran.out, "");
    says(&ran.err, nothing);
    let ran = scene.run(&format!("{dry} --format json")).await;
    ran.is(0);
    let requests = ran.json("requests");
    assert_eq!(requests["requests"], json!([]));
    has(&requests["run"], &json!({"ref": run.as_str()}));
    says(&ran.err, nothing);
    assert_eq!(scene.writes().len(), 0);
    assert!(scene.keeps_nothing());
}

#[tokio::test]
async fn what_is_not_right_is_said_before_anything_is_read() {
    let (scene, _, run) = scene().await;
    for (more, told) in [
        ("", "no field is named: --title"),
        ("--title ''", "Title (--title): needed here"),
        ("--status done", "open, closed"),
        (
            "--read-only --title x --dry-run",
            "read-only: nothing is changed from here",
        ),
    ] {
        scene.refuses(&modify(&run, more), 2, &[told]).await;
    }
    assert_eq!(scene.proxy.passed().len(), 0);
    scene
        .refuses(
            "runs modify R_999999 --title x",
            4,
            &["there is no test run R_999999"],
        )
        .await;
    scene
        .refuses(
            "runs modify TestRun-dm/0 --title x",
            4,
            &["reading the run"],
        )
        .await;
    assert_eq!(scene.writes().len(), 0);
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_sent_to_the_letter_and_sends_nothing() {
    let (scene, _, run) = scene().await;
    let change = modify(&run, "--title After --configuration 1.50");
    let dry = scene.run(&format!("{change} --dry-run")).await.lines();
    assert_eq!(dry.len(), 1);
    fits("request", &dry[0]);
    let whole = scene.told("requests", &format!("{change} --dry-run")).await;
    has(&whole["requests"][0], &json!({"params": dry[0]["params"]}));
    has(&whole["run"], &json!({"ref": run.as_str()}));
    assert_eq!(scene.writes().len(), 0);
    assert!(scene.keeps_nothing(), "nothing is written down either");
    scene.run(&change).await.is(0);
    assert_eq!(scene.params(MODIFY), [dry[0]["params"].clone()]);
}

#[tokio::test]
async fn a_run_that_somebody_wrote_since_is_left_alone() {
    let (scene, other, run) = scene().await;
    // Between the two readings of the command itself.
    let reads = scene.proxy.count(GET);
    scene.proxy.fault_for(GET, Fault::delay(400));
    let child = scene.start(&modify(&run, "--title 'Mine again' --format json"));
    scene.until_passed(GET, reads + 2).await;
    other
        .modify(&run, &[(RunField::Description, "theirs")])
        .await;
    let ran = Ran::ended(child).await;
    let told = outcome(&ran);
    ran.is(4);
    has(&told, &json!({"outcome": "refused", "end": "not_sent"}));
    says(
        &ran.err,
        "not saved: somebody wrote meanwhile, last edited by qa",
    );
    assert_eq!(
        (
            scene.field(&run, RunField::Title),
            scene.field(&run, RunField::Description)
        ),
        ("Before".into(), "theirs".into())
    );
    assert_eq!(scene.proxy.count(MODIFY), 0);
    // Whoever wrote the same has done it.
    scene.proxy.fault_for(GET, Fault::delay(400));
    let reads = scene.proxy.count(GET);
    let child = scene.start(&modify(&run, "--title 'Mine again' --format json"));
    scene.until_passed(GET, reads + 2).await;
    other.modify(&run, &[(RunField::Title, "Mine again")]).await;
    let ran = Ran::ended(child).await;
    let told = outcome(&ran);
    ran.is(0);
    has(&told, &json!({"outcome": "unchanged", "end": "done"}));
    assert_eq!(scene.proxy.count(MODIFY), 0);
}

#[tokio::test]
async fn a_change_that_somebody_makes_right_after_is_told() {
    for json in [false, true] {
        let (scene, other, run) = scene().await;
        let reads = scene.proxy.count(GET);
        scene.proxy.fault_for(GET, Fault::delay(400));
        let format = if json { "--format json" } else { "" };
        let child = scene.start(&modify(&run, &format!("--title Mine {format}")));
        // The reading after the write waits at the proxy.
        scene.until_passed(GET, reads + 2).await;
        scene.proxy.fault_for(GET, Fault::delay(2_000));
        scene.until_passed(GET, reads + 3).await;
        other.modify(&run, &[(RunField::Title, "Theirs")]).await;
        let ran = Ran::ended(child).await;
        ran.is(8);
        if json {
            let told = outcome(&ran);
            has(&told, &json!({"outcome": "differs", "end": "unknown"}));
        } else {
            assert_eq!(ran.out, "");
        }
        let words = "may be changed: the service answered that it was done, but Title is \"Theirs\" instead of \"Mine\"";
        says(&ran.err, words);
        assert_eq!(scene.steps(), [[MODIFY, "sent", "answered", "differs"]]);
    }
}

#[tokio::test]
async fn what_cannot_be_read_after_is_unknown() {
    let (scene, _, run) = scene().await;
    scene.proxy.fault_for(MODIFY, Fault::delay(500));
    let child = scene.start(&modify(&run, "--title After --format json"));
    scene.until_passed(MODIFY, 1).await;
    scene.proxy.fault_for(GET, Fault::status(502));
    let ran = Ran::ended(child).await;
    ran.is(8);
    has(
        &outcome(&ran),
        &json!({"outcome": "unknown", "end": "unknown"}),
    );
    says(
        &ran.err,
        "may be changed: the service answered that it was done",
    );
    assert_eq!(scene.field(&run, RunField::Title), "After");
}

#[tokio::test]
async fn without_a_journal_nothing_is_sent_and_what_the_service_refuses_is_told() {
    let (scene, _, run) = scene().await;
    let state = scene.home.path().join(".local/state");
    std::fs::create_dir_all(&state).unwrap();
    std::fs::write(state.join("rundown"), "a file in the place of the folder").unwrap();
    scene
        .refuses(
            &modify(&run, "--title x"),
            4,
            &["nothing is sent: it cannot be written down first"],
        )
        .await;
    assert_eq!(scene.writes().len(), 0);
    std::fs::remove_file(state.join("rundown")).unwrap();
    scene.proxy.fault_for(MODIFY, Fault::status(403));
    scene
        .refuses(
            &modify(&run, "--title x"),
            7,
            &["not saved: refused", "403"],
        )
        .await;
    assert_eq!(scene.steps(), [[MODIFY, "sent", "unknown", "refused"]]);
}

#[tokio::test]
async fn a_reading_that_fails_once_is_tried_again_and_what_is_not_known_is_not_called_refused() {
    let (scene, _, run) = scene().await;
    let calls = || -> Vec<String> {
        let passed = scene.proxy.passed().into_iter().map(|it| it.method);
        passed.filter(|method| method != "token").collect()
    };
    let before = calls().len();
    scene.run(&modify(&run, "--title First")).await.is(0);
    let all = calls().split_off(before);
    let write = all.iter().position(|method| method == MODIFY).unwrap();
    for (skip, read) in all[..write].iter().enumerate() {
        scene.proxy.plan(false, skip, 1, Fault::status(503));
        let ran = scene.run(&modify(&run, &format!("--title T{skip}"))).await;
        assert_eq!(
            (ran.status, scene.proxy.unplan()),
            (Some(0), 0),
            "{read}: {ran:?}"
        );
    }
    scene.proxy.plan(false, write, 1_000, Fault::status(401));
    let ran = scene.run(&modify(&run, "--title Last")).await;
    ran.is(8);
    says(
        &ran.err,
        " may be changed: the service did not accept the sign-in (401): no, and the run could not be read",
    );
    lacks(&ran.err, "if you still want it");
}

/// The whole document goes back: what a reading does not show yet would be taken back with it.
#[tokio::test]
async fn a_save_that_may_still_come_is_not_taken_back_by_the_next_one_without_a_word() {
    let (scene, _, run) = scene().await;
    let lost = async |title: &str| {
        scene.proxy.fault_for(MODIFY, Fault::CutBefore);
        let title = modify(&run, &format!("--title {title}"));
        scene.run(&title).await.is(8);
        scene.proxy.fault(Fault::None);
    };
    lost("Lost").await;
    let description = modify(&run, "--description New");
    let told = "not sent: the end of an earlier save from here (Title) is not known, and";
    scene.refuses(&description, 4, &[told]).await;
    assert_eq!(scene.writes().len(), 1);
    // One that sets the same field, a decision, and time end it.
    scene.run(&modify(&run, "--title Again")).await.is(0);
    scene.run(&description).await.is(0);
    lost("Lost").await;
    scene.run("changes resume").await.is(8);
    let description = modify(&run, "--description Newer");
    scene.refuses(&description, 4, &[told]).await;
    let [open] = &names(&scene)[..] else {
        panic!("{:?}", names(&scene))
    };
    let forget = format!("changes resume {open} --forget");
    scene.run(&forget).await.is(0);
    scene.run(&description).await.is(0);
    lost("Lost").await;
    written_later(&scene, -300_000);
    scene.run(&modify(&run, "--description Newest")).await.is(0);
    let field = |field| scene.field(&run, field);
    assert_eq!(
        (field(RunField::Title), field(RunField::Description)),
        ("Again".into(), "Newest".into())
    );
}

#[tokio::test]
async fn a_save_of_another_profile_that_may_still_come_is_not_taken_back_either() {
    let (scene, _, run) = scene().await;
    let config = scene.config();
    let second = config.replace("[profiles.test]", "[profiles.second]");
    scene.write_config(&(config + &second));
    scene.proxy.fault_for(MODIFY, Fault::CutBefore);
    let lost = modify(&run, "--title Lost --profile second");
    scene.run(&lost).await.is(8);
    scene.proxy.fault(Fault::None);
    let [open] = &names(&scene)[..] else {
        panic!("{:?}", names(&scene))
    };
    let ways = [
        "(Title, made with the profile \"second\") is not known, and".to_owned(),
        format!("(rundown changes resume {open} --forget --profile second)"),
    ];
    let ways = ways.each_ref().map(String::as_str);
    let description = modify(&run, "--description New --profile test");
    scene.refuses(&description, 4, &ways).await;
    // Also while another program looks at it.
    let state = scene.home.path().join(".local/state/rundown");
    let held = File::open(state.join("under_way").join(open)).unwrap();
    held.try_lock().unwrap();
    scene
        .refuses(
            &description,
            4,
            &[ways[0], "; another rundown looks at it."],
        )
        .await;
    // A time ahead, of a clock that was set back, says nothing.
    written_later(&scene, 86_400_000);
    scene.run(&description).await.is(0);
    assert_eq!(scene.writes().len(), 2);
}

#[tokio::test]
async fn a_document_of_another_id_than_the_list_says_is_not_saved() {
    let (scene, _, run) = scene().await;
    let id = scene.id(&run);
    let mut document = scene.document(&run).unwrap();
    document["Root"]["General"]["Id"] = json!("R_1");
    let raw = json!({"docRef": run.as_str(), "documentModelName": "TestRun-dm", "document": document, "__meta": {}});
    scene.proxy.fault_for(GET, Fault::Answer(raw));
    let words =
        format!("the list calls {run} {id}, its document R_1: which run is meant is not known");
    let line = format!("runs modify {id} --title Other");
    scene.refuses(&line, 4, &[&words]).await;
    assert_eq!(scene.proxy.count(MODIFY), 0);
}

#[tokio::test]
async fn one_program_of_this_machine_saves_a_run_at_a_time() {
    let (scene, _, run) = scene().await;
    scene.proxy.fault_for(MODIFY, Fault::delay(4_000));
    let child = scene.start(&modify(&run, "--title One"));
    scene.until_passed(MODIFY, 1).await;
    let second = modify(&run, "--description Two");
    let told = "not sent: another rundown is saving a run of this name, or was stopped in it (fg)";
    scene.refuses(&second, 4, &[told]).await;
    Ran::ended(child).await.is(0);
    scene.run(&second).await.is(0);
    let field = |field| scene.field(&run, field);
    assert_eq!(
        (field(RunField::Title), field(RunField::Description)),
        ("One".into(), "Two".into())
    );
    let left = scene.home.path().join(".local/state/rundown/under_way");
    assert_eq!(std::fs::read_dir(left).unwrap().count(), 0);
}
