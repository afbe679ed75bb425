//! `runs create`: what is sent, what the database holds afterwards, what is told, and what is refused before.

use crate::support::prelude::*;
use std::process::Stdio;

use tokio::io::AsyncWriteExt;

use super::scene::{Ran, Scene, each, has, line};
use super::schema::fits;

const ADD: &str = "ADD_DOCUMENT";
const ADD_SUITES: &str = "ADD_TEST_SUITES_TO_RUN";

/// A scene whose profile names a version.
async fn scene() -> Scene {
    Scene::with(Options::default(), "project_version = \"1.2.0\"").await
}

/// The run that a command says it has made, as reference and short id.
fn made(ran: &Ran) -> (DocRef, String) {
    ran.is(0);
    let (reference, id) = ran.out.trim_end().split_once(' ').unwrap();
    (DocRef::parse(reference).unwrap(), id.to_owned())
}

#[tokio::test]
async fn a_run_is_made_read_and_told() {
    let scene = scene().await;
    let fields = "--title 'Nightly ✓' --configuration 'a, b' --description '=1\n2'";
    let ran = scene.run(&format!("runs create {fields}")).await;
    let (run, id) = made(&ran);
    assert_eq!((ran.err.as_str(), ran.out.lines().count()), ("", 1));
    let general = scene.document(&run).unwrap()["Root"]["General"].clone();
    let held = |name: &str| general[name].as_str().unwrap().to_owned();
    assert_eq!(
        (held("Title"), held("Configuration"), held("Description")),
        ("Nightly ✓".into(), "a, b".into(), "=1\n2".into())
    );
    assert_eq!(
        (
            held("ProjectId"),
            held("SubprojectId"),
            held("ProjectVersionNumber")
        ),
        ("P_9".into(), "SP_1".into(), "1.2.0".into())
    );
    assert_eq!((held("Status"), held("Id")), ("active".into(), id));
    assert_eq!(scene.writes(), [ADD]);
    assert_eq!(scene.steps(), [[ADD, "sent", "answered", "confirmed"]]);
    let ran = scene
        .run("runs create --title Other --version 1.2.1 --status inactive --format json")
        .await;
    let outcome = ran.json("run_created");
    ran.is(0);
    has(
        &outcome,
        &json!({"outcome": "confirmed", "suites": null, "found": null}),
    );
    assert_eq!(outcome["end"], "done");
    assert_eq!(
        ran.err,
        "rundown: the run is closed: no suites can be added to it\n"
    );
    let run = DocRef::parse(outcome["run"]["ref"].as_str().unwrap()).unwrap();
    let general = &scene.document(&run).unwrap()["Root"]["General"];
    assert_eq!(
        (
            &general["ProjectVersionNumber"],
            &general["Status"],
            &general["Id"]
        ),
        (&json!("1.2.1"), &json!("inactive"), &outcome["run"]["id"])
    );
}

#[tokio::test]
async fn the_description_comes_from_standard_input() {
    let scene = scene().await;
    let mut command = scene.command("runs create --description-file - --title 'of the line'");
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = "\u{feff}one\n\ntwo\r\n";
    stdin.write_all(text.as_bytes()).await.unwrap();
    drop(stdin);
    Ran::ended(child).await.is(0);
    let params = &scene.params(ADD)[0]["document"]["Root"]["General"];
    has(
        params,
        &json!({"Title": "of the line", "Description": "one\n\ntwo"}),
    );
}

/// A list in Markdown is a usual description, and a script hands over whatever it has.
#[tokio::test]
async fn a_text_may_begin_with_a_hyphen_and_a_forgotten_one_is_told() {
    let scene = scene().await;
    let texts = "--title -n --configuration '-- x' --description '- one\n- two'";
    let create = format!("runs create {texts} --dry-run");
    let sent = &scene.run(&create).await.lines()[0]["params"]["document"]["Root"]["General"];
    has(
        sent,
        &json!({"Title": "-n", "Configuration": "-- x", "Description": "- one\n- two"}),
    );
    let list = "runs list --fulltext -x --limit 1";
    scene.run(list).await.is(0);
    assert_eq!(
        scene.params("LIST_TEST_RUNS")[0]["filter"]["fulltext"],
        "-x"
    );
    for (line, option, next) in [
        ("runs create --title --read-only", "--title", "--read-only"),
        (
            "runs create --configuration --title x",
            "--configuration",
            "--title",
        ),
        (
            "runs create --title x --description --",
            "--description",
            "--",
        ),
        ("runs list --fulltext --limit 3", "--fulltext", "--limit"),
        ("runs list --filter --all", "--filter", "--all"),
        ("runs list --query --limit=3", "--query", "--limit=3"),
    ] {
        let words = format!(
            "'{option}' needs a value, and this is an option: '{next}' ({option}={next} takes it for"
        );
        let usage = line.split(" --").next().unwrap();
        let usage = format!("Usage: rundown {usage} [OPTIONS]");
        scene.refuses(line, 2, &[&words, &usage]).await;
    }
    let meant = "runs create --title=--read-only --dry-run";
    let sent = scene.run(meant).await.lines();
    assert_eq!(
        sent[0]["params"]["document"]["Root"]["General"]["Title"],
        "--read-only"
    );
    let line = "runs list --filter -x";
    scene
        .refuses(line, 2, &["expected <field path>:<value>"])
        .await;
    assert!(scene.writes().is_empty());
}

/// As long as what an editor may hand over.
#[tokio::test]
async fn a_description_from_a_file_has_an_end() {
    let scene = scene().await;
    let create = "runs create --title x --dry-run --description-file";
    let told = |name: &str| format!("--description-file {name}: longer than 1 MiB");
    scene
        .refuses(&format!("{create} /dev/zero"), 2, &[&told("/dev/zero")])
        .await;
    let mut command = scene.command(&format!("{create} -"));
    command.stdin(std::fs::File::open("/dev/zero").unwrap());
    Ran::of(command)
        .await
        .refused(2, &[&told("standard input")]);
    let file = scene.home.path().join("text");
    for (bytes, status) in [(1 << 20, 0), ((1 << 20) + 1, 2)] {
        std::fs::write(&file, vec![b'a'; bytes]).unwrap();
        scene.run(&format!("{create} text")).await.is(status);
    }
}

#[tokio::test]
async fn what_is_not_right_is_said_before_anything_is_sent() {
    let scene = Scene::usual().await;
    std::fs::write(scene.home.path().join("latin"), [0xe4]).unwrap();
    let read_only = "read-only: nothing is changed from here";
    for (fields, told) in [
        (
            "--title x",
            &["Version (--version): needed here: --version, or project_version in the profile"][..],
        ),
        ("--version 1.2.0", &["Title (--title): needed here"]),
        ("--title ''", &["Title (--title)", "Version (--version)"]),
        (
            "--title ' ' --version 1",
            &["Title (--title)", "Version (--version): not a version"],
        ),
        (
            "--title x --description-file none",
            &["--description-file none"],
        ),
        (
            "--title x --description-file latin",
            &["--description-file latin", "UTF-8"],
        ),
        (
            "--title x --suites S_1",
            &["expected a reference such as TestSuite-dm/20744"],
        ),
        ("--title x --with-suites", &["--clone"]),
        (
            "--title x --version 1.2.0 --status inactive --suites TestSuite-dm/1",
            &[
                "suites can be added to open runs only",
                "--status open makes",
            ],
        ),
        // Without a title: read-only comes first.
        ("--read-only", &[read_only]),
        ("--read-only --dry-run", &[read_only]),
    ] {
        scene
            .refuses(&format!("runs create {fields}"), 2, told)
            .await;
    }
    assert_eq!(scene.proxy.passed().len(), 0, "nobody even signs in");
    assert!(scene.keeps_nothing());
}

#[tokio::test]
async fn a_dry_run_prints_what_would_be_sent_to_the_letter_and_sends_nothing() {
    let scene = scene().await;
    let suites = (1..=21).map(|number| format!("TestSuite-dm/{number}"));
    let suites: Vec<_> = suites.collect();
    let dry = format!(
        "runs create --title Dry --dry-run --suites {}",
        suites.join(" ")
    );
    let ran = scene.run(&dry).await;
    ran.succeeds();
    assert_eq!(scene.proxy.passed().len(), 0);
    let lines = ran.lines();
    for line in &lines {
        fits("request", line);
    }
    assert_eq!(each(&lines, "method"), [ADD, ADD_SUITES, ADD_SUITES]);
    let dry = scene.told("requests", &dry).await;
    assert_eq!(
        (&dry["run"], &dry["requests"][0]["params"]),
        (&Value::Null, &lines[0]["params"])
    );
    assert!(scene.keeps_nothing(), "nothing is written down either");
    scene.run("runs create --title Dry").await.is(0);
    assert_eq!(scene.params(ADD), [lines[0]["params"].clone()]);
}

#[tokio::test]
async fn a_clone_takes_the_fields_and_all_suites_or_is_refused() {
    let scene = scene().await;
    let other = scene.other().await;
    let (source, _empty) = (other.add_run("Source").await, other.add_run("Empty").await);
    let free = scene.free(&source).await;
    other.add_suites(&source, &free[..2]).await;
    other
        .modify(&source, &[(RunField::Configuration, "from there")])
        .await;
    let clone = format!("runs create --clone {source} --with-suites");
    let clone = line(&format!("{clone} --title Copy --suites"), &free[1..3]);
    let ran = scene.run(&clone).await;
    let (run, id) = made(&ran);
    assert!(
        ran.err.matches("request 1 of 1, 3 suites: done\n").count() == 1
            && ran
                .err
                .contains(&format!("3 suites added to {id}, checked")),
        "{}",
        ran.err
    );
    assert_eq!(scene.truth(&run), free[..3].iter().cloned().collect());
    let general = &scene.document(&run).unwrap()["Root"]["General"];
    has(
        general,
        &json!({"Title": "Copy", "Configuration": "from there"}),
    );
    assert_eq!(
        scene.steps(),
        [
            [ADD, "sent", "answered", "confirmed"],
            [ADD_SUITES, "sent", "answered", "confirmed"]
        ]
    );
    let journal = scene.journal();
    assert!(
        journal.lines().next().unwrap().contains("clone of R_"),
        "{journal}"
    );
    // The exact requests of a clone, too.
    let dry = scene.run(&format!("{clone} --dry-run")).await.lines();
    let mut sent = scene.params(ADD_SUITES)[0].clone();
    sent["testRunDocRef"] = Value::Null;
    assert_eq!(
        (&dry[0]["params"], &dry[1]["params"]),
        (&scene.params(ADD)[0], &sent)
    );
    scene
        .refuses(
            "runs create --clone R_999999",
            4,
            &["there is no test run R_999999"],
        )
        .await;
    // The suites of one version are not those of another: the service does not offer them.
    let away = format!("runs create --clone {source} --with-suites --version 1.1.0 --title Away");
    let doubt = "rundown: 2 suites of 1.2.0 for a run of 1.1.0: the service may refuse them\n";
    let ran = scene.run(&format!("{away} --dry-run")).await;
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), doubt));
    let ran = scene.run(&away).await;
    ran.is(1);
    says(&ran.err, doubt);
    says(&ran.err, "Nothing added to R_");
    says(&ran.err, "not offered to this run");
    // Where the profile has no sub project, a clone goes elsewhere than a new run.
    let all: Vec<String> = scene.config().lines().map(str::to_owned).collect();
    let lines = all.iter().filter(|line| !line.starts_with("subproject_id"));
    scene.write_config(&lines.cloned().collect::<Vec<_>>().join("\n"));
    let elsewhere = format!("runs create --dry-run --clone {source}");
    let ran = scene.run(&elsewhere).await;
    let goes = "rundown: the run goes into P_9/SP_1, and not into P_9\n";
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), goes));
}

#[tokio::test]
async fn a_run_for_a_sub_project_that_does_not_exist_is_refused_and_leaves_nothing() {
    let scene = Scene::usual().await;
    let mistyped = "runs create --title Mistyped --version 1.2.0 --subproject SP_91";
    let ran = scene.run(mistyped).await;
    ran.refused(
        7,
        &[
            "not created: refused",
            "has no sub project",
            "Check project",
        ],
    );
    for untrue in ["may exist", "deleted"] {
        lacks(&ran.err, untrue);
    }
    assert_eq!(scene.writes(), [ADD]);
    let ran = scene.run("changes resume").await;
    ran.is(0);
    says(&ran.err, "no change is left whose end is not known");
}

#[tokio::test]
async fn a_clone_whose_suites_are_not_all_known_is_refused_unless_that_is_accepted() {
    let scene = Scene::with(options(|it| it.runs = 0), "").await;
    let other = scene.other().await;
    let source = other.add_run("Alone").await;
    other
        .add_suites(&source, &scene.free(&source).await[..2])
        .await;
    let clone = format!("runs create --clone {source} --with-suites");
    for more in ["", "--dry-run"] {
        let ran = scene.run(&format!("{clone} {more}")).await;
        ran.refused(
            6,
            &[
                ": 0 of 2 suites known; --accept",
                "--accept-partial",
                "Nothing was sent",
            ],
        );
    }
    other.close(&source).await;
    let ran = scene.run(&clone).await;
    ran.refused(6, &["closed", "leave out --with-suites. Nothing was sent."]);
    lacks(&ran.err, "--accept");
    other.modify(&source, &[(RunField::Status, "active")]).await;
    assert_eq!(scene.writes().len(), 0);
    let ran = scene.run(&format!("{clone} --accept-partial")).await;
    let (run, _) = made(&ran);
    assert!(
        ran.err.contains("NOT A FULL COPY") && scene.truth(&run).is_empty(),
        "{}",
        ran.err
    );
    // The suites of a closed run cannot be listed.
    other.close(&source).await;
    scene
        .refuses(&clone, 6, &["closed: its suites cannot be listed"])
        .await;
    // Without suites it can be cloned, and is closed like its source.
    let ran = scene.run(&format!("runs create --clone {source}")).await;
    assert_eq!(
        scene.document(&made(&ran).0).unwrap()["Root"]["General"]["Status"],
        "inactive"
    );
    says(&ran.err, "the run is closed: no suites");
}

#[tokio::test]
async fn what_the_service_refuses_is_7_and_suites_that_are_refused_are_told() {
    let scene = scene().await;
    scene.proxy.fault_for(ADD, Fault::status(403));
    scene
        .refuses(
            "runs create --title Refused",
            7,
            &["\"Refused\" not created: refused", "403"],
        )
        .await;
    let steps = scene.steps();
    assert_eq!(steps, [[ADD, "sent", "unknown", "refused"]]);
    scene.proxy.fault_for(ADD_SUITES, Fault::status(403));
    let ran = scene
        .run("runs create --title Without --suites TestSuite-dm/1 --format json")
        .await;
    let outcome = ran.json("run_created");
    ran.is(1);
    has(&outcome, &json!({"outcome": "confirmed"}));
    has(&outcome["suites"], &json!({"verdict": "differs"}));
    has(&outcome, &json!({"end": "done"}));
    has(&outcome["suites"], &json!({"end": "refused"}));
    assert_eq!(outcome["suites"]["not_done"], json!(["TestSuite-dm/1"]));
    let id = outcome["run"]["id"].as_str().unwrap();
    says(&ran.err, &format!("{id} created; Nothing added to {id}: "));
    says(&ran.err, "refused: not allowed (403)");
    // Nobody can sign in: 3, and nothing was sent.
    let ran = Ran::of({
        let mut command = scene.command("runs create --title Nobody");
        command.env("TEST_PASSWORD", "wrong");
        command
    });
    ran.await.refused(3, &["not sent again"]);
    assert_eq!(scene.proxy.count(ADD), 2);
}

#[tokio::test]
async fn a_run_that_is_not_as_it_was_sent_differs() {
    let scene = scene().await;
    let made = scene.other().await.add_run("Somebody's").await;
    scene
        .proxy
        .fault_for(ADD, Fault::Answer(json!({"docRef": made.as_str()})));
    let id = scene.id(&made);
    let ran = scene.run("runs create --title Mine").await;
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (Some(1), format!("{made} {id}\n").as_str())
    );
    let words = format!("{id} created, but not as asked: Title is \"Somebody's\"");
    says(&ran.err, &words);
    let ran = scene.run("runs create --title Mine --format json").await;
    let outcome = ran.json("run_created");
    ran.is(1);
    has(
        &outcome,
        &json!({"outcome": "differs", "end": "done", "suites": null}),
    );
    // Its suites may not fit it.
    let suite = "TestSuite-dm/20021";
    let with = format!("runs create --title Mine --suites {suite} --format json");
    let ran = scene.run(&with).await;
    let suites = &ran.json("run_created")["suites"];
    ran.is(1);
    let words = "not sent, because the run is not as asked for";
    says(&ran.err, &format!("Nothing added to {id}: {words}"));
    has(suites, &json!({"end": "not_sent", "not_done": [suite]}));
    has(
        &suites["steps"][0],
        &json!({"good": false, "words": format!("request 1 of 1, 1 suite: {words}")}),
    );
    assert_eq!(scene.writes(), [ADD; 3]);
    // It has an answer and no reading: it is called by its title.
    scene.proxy.fault_for("GET_DOCUMENT", Fault::status(502));
    let ran = scene.run("runs create --title Unread").await;
    ran.is(8);
    says(
        &ran.err,
        "The run \"Unread\" may exist: the service says that it was made",
    );
    let looks = "; \"rundown changes resume --profile test\" looks at it again\n";
    assert!(ran.err.ends_with(looks), "{}", ran.err);
    let told = ran.out.starts_with("TestRun-dm/") && ran.out.ends_with(" -\n");
    assert!(told, "{}", ran.out);
    // What leads to the same project leads there again.
    let here = "--project P_9 --subproject SP_1";
    let ran = scene
        .run(&format!("runs create --title Other {here}"))
        .await;
    says(
        &ran.err,
        &format!("\"rundown changes resume --profile test {here}\" looks"),
    );
}

/// The run is there: a status that says otherwise would have a script make it again.
#[tokio::test]
async fn a_result_that_a_full_disk_does_not_take_is_said_on_standard_error() {
    let scene = scene().await;
    for (format, told) in [
        ("text", "\nTestRun-dm/"),
        ("json", "\"ref\": \"TestRun-dm/"),
    ] {
        let create = format!("runs create --title Kept --format {format}");
        let ran = scene.without_room(&create).await;
        ran.is(0);
        says(&ran.err, "rundown: standard output takes nothing: ");
        says(&ran.err, told);
    }
    assert_eq!(scene.writes(), [ADD, ADD]);
}
