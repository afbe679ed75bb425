//! `watch`: what stands, what changes, what fails, and how it ends.

use crate::support::prelude::*;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStdout, Command};

use super::runs::{listed, scripted};
use super::scene::{Scene, has, reaches, signal};
use super::schema::fits;

/// Longest wait for a line or an end.
const LIMIT: Duration = Duration::from_secs(30);

/// A watch that goes on.
pub struct Watching {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    pub fn of(mut command: Command) -> Self {
        let mut child = command.spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    pub fn start(scene: &Scene, words: &str) -> Self {
        Self::of(scene.command(&format!("watch {words}")))
    }

    async fn text(&mut self) -> String {
        let mut line = String::new();
        let read = tokio::time::timeout(LIMIT, self.lines.read_line(&mut line)).await;
        if read.unwrap_or_else(|_| panic!("no line came")).unwrap() == 0 {
            let mut said = String::new();
            self.child
                .stderr
                .take()
                .unwrap()
                .read_to_string(&mut said)
                .await
                .unwrap();
            panic!("it has ended: {said}");
        }
        line
    }

    /// The message of the next error.
    pub async fn error(&mut self) -> String {
        loop {
            let line = self.line().await;
            if line["type"] == "error" {
                return line["message"].as_str().unwrap().to_owned();
            }
        }
    }

    pub async fn line(&mut self) -> Value {
        let line = serde_json::from_str(&self.text().await).unwrap();
        fits("watch", &line);
        line
    }

    /// Ends it: what was said beside the lines.
    pub async fn said(mut self) -> String {
        self.child.start_kill().unwrap();
        self.end().await.2
    }

    /// The end: exit status, what was printed after the lines that were read, and what was said beside.
    pub async fn end(mut self) -> (ExitStatus, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        let reading = async {
            self.lines.read_to_string(&mut out).await.unwrap();
            self.child
                .stderr
                .take()
                .unwrap()
                .read_to_string(&mut err)
                .await
                .unwrap();
            self.child.wait().await.unwrap()
        };
        let status = tokio::time::timeout(LIMIT, reading)
            .await
            .unwrap_or_else(|_| panic!("it did not end"));
        (status, out, err)
    }
}

#[tokio::test]
async fn first_how_runs_stand_and_then_what_changes() {
    let (scene, other) = Scene::shared().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let free = scene.free(&one).await;
    let words = format!("{one} {two} --every 1s --format ndjson");
    let mut watching = Watching::start(&scene, &words);
    for (run, title) in [(&one, "One"), (&two, "Two")] {
        let line = watching.line().await;
        has(&line, &json!({"type": "snapshot"}));
        has(&line["run"], &json!({"ref": run.as_str(), "title": title}));
    }
    other.add_suites(&two, &free[..2]).await;
    let change = watching.line().await;
    has(&change, &json!({"type": "change"}));
    has(&change["run"], &json!({"ref": two.as_str()}));
    let changes = change["changes"].as_array().unwrap();
    let field = |name: &str| changes.iter().find(|change| change["field"] == name);
    assert_eq!(
        field("suites").unwrap(),
        &json!({"field": "suites", "from": 0, "to": 2})
    );
    assert!(
        field("results.untested").unwrap()["to"].as_u64() > Some(0),
        "{changes:?}"
    );
    assert!(
        field("title").is_none() && field("worked_out.total").is_none(),
        "{changes:?}"
    );
    other.delete(&one).await;
    let gone = watching.line().await;
    has(&gone, &json!({"type": "gone"}));
    has(&gone["run"], &json!({"ref": one.as_str()}));
    other.close(&two).await;
    let closed = watching.line().await;
    let status = json!({"field": "status", "from": "active", "to": "inactive"});
    assert!(
        closed["changes"].as_array().unwrap().contains(&status),
        "{closed}"
    );
}

#[tokio::test]
async fn text_says_it_in_the_words_of_the_screen() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Text\u{1b}[2J").await;
    let mut watching = Watching::start(&scene, &format!("{run} --every 1s"));
    let line = watching.text().await;
    says(&line, "Text␛[2J: open, Suites 0");
    says(&line, "Untested 0");
    other.add_suites(&run, &scene.free(&run).await[..1]).await;
    let line = watching.text().await;
    says(&line, " R_");
    says(&line, " Untested 0 → ");
    let line = watching.text().await;
    assert_eq!(
        line.split(' ').skip(2).collect::<Vec<_>>().join(" "),
        "Suites 0 → 1\n"
    );
}

#[tokio::test]
async fn a_service_that_fails_is_told_and_looked_at_again() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Through the night").await;
    let mut watching = Watching::start(&scene, &format!("{run} --every 1s --format ndjson"));
    let snapshot = watching.line().await;
    scene.proxy.go_down().await;
    let error = watching.line().await;
    assert_eq!(
        (&error["type"], &error["run"]["id"], &error["again_in"]),
        (&json!("error"), &snapshot["run"]["id"], &json!(1))
    );
    assert!(
        error["message"]
            .as_str()
            .unwrap()
            .contains("no connection to"),
        "{error}"
    );
    assert_eq!(
        watching.line().await["again_in"],
        2,
        "more seldom while it fails"
    );
    scene.proxy.come_back();
    other.close(&run).await;
    let mut line = watching.line().await;
    while line["type"] == "error" {
        line = watching.line().await;
    }
    assert_eq!(line["type"], "change", "{line}");
}

/// Not even the first look has to succeed at once, but what is not there at all is no reason to wait.
#[tokio::test]
async fn what_was_never_there_ends_it() {
    let scene = Scene::usual().await;
    scene
        .refuses(
            "watch R_999999 --format ndjson",
            4,
            &["there is no test run R_999999"],
        )
        .await;
    scene.refuses("watch", 2, &["<RUN>"]).await;
    scene
        .refuses("watch R_4 --unlisted-as-zero", 2, &["--until-done"])
        .await;
    let run = scene.other().await.add_run("Later").await;
    scene.proxy.go_down().await;
    let mut watching = Watching::start(&scene, &format!("{run} --every 1s --format ndjson"));
    let error = watching.line().await;
    has(&error, &json!({"type": "error", "run": null}));
    scene.proxy.come_back();
    let mut line = error;
    while line["type"] == "error" {
        line = watching.line().await;
    }
    assert_eq!(line["run"]["title"], "Later");
}

#[tokio::test]
async fn it_ends_when_the_runs_are_done() {
    let (scene, other) = Scene::shared().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let words = format!("{one} {two} --every 1s --until-done --format ndjson");
    let mut watching = Watching::start(&scene, &words);
    let (first, second) = (watching.line().await, watching.line().await);
    has(&first, &json!({"type": "snapshot"}));
    has(&second, &json!({"type": "snapshot"}));
    assert_eq!(
        first["run"]["worked_out"]["left"], 0,
        "a run without a test case is not done"
    );
    other.close(&one).await;
    assert_eq!(watching.line().await["type"], "change");
    other.close(&two).await;
    assert_eq!(watching.line().await["type"], "change");
    assert_eq!(watching.line().await["type"], "done");
    let (status, out, err) = watching.end().await;
    assert_eq!(
        (status.code(), out.as_str(), err.as_str()),
        (Some(0), "", "")
    );
}

#[tokio::test]
async fn when_it_is_done_cannot_be_seen_it_does_not_wait_for_ever() {
    let scene = Scene::new(options(|it| it.without_list_test_runs = true)).await;
    let run = scene.other().await.add_run("One").await;
    let ran = scene
        .run(&format!("watch {run} --until-done --format ndjson"))
        .await;
    assert_eq!((ran.status, ran.lines().len()), (Some(6), 1));
    says(&ran.err, "whether it is done cannot be seen");
}

/// Which code a service uses for a run that is missing is not documented: the list decides.
#[tokio::test]
async fn with_nothing_left_to_watch_it_ends_with_4() {
    let other_code =
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"nichts da"}}"#;
    for fault in [Fault::None, Fault::Replace(200, other_code.to_vec())] {
        let (scene, other) = Scene::shared().await;
        let run = other.add_run("One").await;
        let mut watching = Watching::start(&scene, &format!("{run} --every 1s --format ndjson"));
        assert_eq!(watching.line().await["type"], "snapshot");
        scene.proxy.fault_for("GET_DOCUMENT", fault);
        other.delete(&run).await;
        assert_eq!(watching.line().await["type"], "gone");
        let (status, _, err) = watching.end().await;
        assert_eq!(status.code(), Some(4));
        says(&err, "does not find it any more: R_");
    }
}

#[tokio::test]
async fn it_ends_with_its_reader() {
    let scene = Scene::usual().await;
    let run = scene.other().await.add_run("One").await;
    let mut watching = Watching::start(&scene, &format!("{run} --every 1h"));
    says(&watching.text().await, "One: open");
    drop(watching.lines);
    let mut said = String::new();
    let status = tokio::time::timeout(LIMIT, watching.child.wait())
        .await
        .unwrap_or_else(|_| panic!("it did not end"))
        .unwrap();
    watching
        .child
        .stderr
        .take()
        .unwrap()
        .read_to_string(&mut said)
        .await
        .unwrap();
    assert_eq!((status.code(), said.as_str()), (Some(0), ""));
}

/// A server of ssh and other programs hand out sockets, some of which tell only that nothing more is read.
#[tokio::test]
async fn it_ends_with_its_reader_where_that_is_a_socket() {
    let (scene, other) = Scene::shared().await;
    for (every, closes) in [("1h", true), ("1s", false)] {
        let run = other.add_run("One").await;
        let (mut reader, output) = std::os::unix::net::UnixStream::pair().unwrap();
        let mut command = scene.command(&format!("watch {run} --every {every}"));
        command.stdout(std::os::fd::OwnedFd::from(output));
        let mut child = command.spawn().unwrap();
        // The command holds the other end of the pair, too.
        drop(command);
        let read = tokio::task::spawn_blocking(move || {
            std::io::Read::read(&mut reader, &mut [0; 4096]).unwrap();
            reader
        });
        let reader = read.await.unwrap();
        if closes {
            drop(reader);
        } else {
            reader.shutdown(std::net::Shutdown::Read).unwrap();
            other.close(&run).await;
        }
        let status = tokio::time::timeout(LIMIT, child.wait())
            .await
            .unwrap_or_else(|_| panic!("it did not end: {every}"));
        assert_eq!(status.unwrap().code(), Some(0));
    }
}

#[tokio::test]
async fn a_signal_ends_it_without_a_word() {
    let scene = Scene::usual().await;
    let run = scene.other().await.add_run("One").await;
    for (name, number) in [("-TERM", 15), ("-INT", 2), ("-HUP", 1)] {
        if !reaches(number) {
            continue;
        }
        let mut watching = Watching::start(&scene, &format!("{run} --every 1h"));
        watching.text().await;
        signal(&watching.child, name).await;
        let (status, out, err) = watching.end().await;
        assert_eq!(
            (status.signal(), out.as_str(), err.as_str()),
            (Some(number), "", "")
        );
    }
}

/// All day: once the refresh token is no longer good, the configured password signs in again.
#[tokio::test]
async fn a_session_that_is_over_is_begun_anew() {
    let options = options(|it| (it.token_seconds, it.refresh_seconds) = (2, 2));
    let scene = Scene::new(options).await;
    let other = scene.other().await;
    let run = other.add_run("One").await;
    let mut watching = Watching::start(&scene, &format!("{run} --every 5s --format ndjson"));
    assert_eq!(watching.line().await["type"], "snapshot");
    let tokens = scene.proxy.count("token");
    scene.other().await.close(&run).await;
    assert_eq!(watching.line().await["type"], "change", "and no error");
    let grants: Vec<String> = scene
        .proxy
        .passed()
        .iter()
        .filter(|it| it.method == "token")
        .map(|it| it.form()["grant_type"].clone())
        .collect();
    assert_eq!(grants[tokens..], ["refresh_token", "password"]);
}

/// An open run with these results, as a list has it.
pub fn run(number: u64, results: &Value) -> Value {
    let general = json!({"Id": format!("R_{number}"), "Title": "T", "Status": "active"});
    let root = json!({"General": general, "DisplayFields": {"Result": results}});
    json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": root}})
}

/// The number in the filter `Root.General.Id:R_4`.
fn asked(call: &Value) -> u64 {
    let filter = call["params"]["filter"]["filters"][0]
        .as_str()
        .unwrap_or_default();
    filter.rsplit('_').next().unwrap().parse().unwrap()
}

/// Every look finds one case less; the first run cannot be read from its second look on.
#[tokio::test]
async fn a_run_that_fails_for_good_keeps_no_other_from_being_told() {
    let service = Scripted::service(|seen, before| {
        let call = seen.json();
        if call["method"] != "LIST_TEST_RUNS" {
            return Say::json(403, &json!("not this one"));
        }
        match asked(&call) {
            4 if before > 2 => Say::json(403, &json!("not this one")),
            number => {
                let left = 100 - before as u64;
                Say::result(
                    seen,
                    &listed(&[run(number, &json!([{"result": "1", "count": left}]))]),
                )
            }
        }
    })
    .await;
    let scene = Scene::leading_to(&service.base).await;
    let mut watching = Watching::start(&scene, "R_4 R_5 R_6 --every 1s --format ndjson");
    for id in ["R_4", "R_5", "R_6"] {
        let line = watching.line().await;
        has(&line, &json!({"type": "snapshot"}));
        has(&line["run"], &json!({"id": id}));
    }
    for _ in 0..3 {
        let mut told = Vec::new();
        for _ in 0..3 {
            let line = watching.line().await;
            told.push(format!(
                "{} {}",
                line["type"].as_str().unwrap(),
                line["run"]["id"].as_str().unwrap()
            ));
            // The others are looked at as often as ever.
            assert!(line["type"] != "error" || line["again_in"] == 1, "{line}");
        }
        assert_eq!(told, ["change R_5", "change R_6", "error R_4"]);
    }
}

#[tokio::test]
async fn a_service_that_is_not_reached_is_told_once_a_look() {
    let (scene, other) = Scene::shared().await;
    let (one, two) = (other.add_run("One").await, other.add_run("Two").await);
    let mut watching = Watching::start(&scene, &format!("{one} {two} --every 1s --format ndjson"));
    let first = watching.line().await;
    assert_eq!(watching.line().await["type"], "snapshot");
    scene.proxy.go_down().await;
    for pause in [1, 2] {
        let error = watching.line().await;
        assert_eq!(
            (&error["type"], &error["run"]["id"]),
            (&json!("error"), &first["run"]["id"])
        );
        assert_eq!(error["again_in"], pause, "{error}");
    }
}

/// What was never there decides the end, after all others have been told.
#[tokio::test]
async fn one_that_was_never_there_ends_it_after_the_others() {
    let (scene, _service) = scripted(|call, _| match asked(call) {
        4 | 7 => listed(&[]),
        number => listed(&[run(number, &json!([]))]),
    })
    .await;
    let ran = scene.run("watch R_4 R_5 R_7 --format ndjson").await;
    let lines = ran.lines();
    assert_eq!(
        (ran.status, lines.len(), &lines[0]["run"]["id"]),
        (Some(4), 1, &json!("R_5")),
        "{}",
        ran.err
    );
    assert!(
        ran.err.contains("there is no test run R_4"),
        "the first trouble: {}",
        ran.err
    );
}

/// A code that the list leaves out is null in the snapshot, and so it is in the change.
#[tokio::test]
async fn a_change_says_what_the_snapshot_said() {
    let (scene, _service) = scripted(|_, before| {
        listed(&[run(
            4,
            &match before {
                0 => json!([{"result": "2", "count": 57}]),
                1 => json!([{"result": "2", "count": 56}, {"result": "5", "count": 1}, {"result": "98", "label": "Odd", "count": 2}]),
                2 => json!([{"result": "5", "count": 1}]),
                3 => Value::Null,
                later => json!([{"result": "5", "count": later}]),
            },
        )])
    })
    .await;
    let mut watching = Watching::start(&scene, "R_4 --every 1s --format ndjson");
    let snapshot = watching.line().await;
    assert_eq!(snapshot["run"]["results"]["failed_new"], Value::Null);
    let change =
        |field: &str, from: Value, to: Value| json!({"field": field, "from": from, "to": to});
    let first = watching.line().await;
    fits("watch", &first);
    let expected = json!([
        change("results.passed", json!(57), json!(56)),
        change("results.failed_new", Value::Null, json!(1)),
        change("results.others.98", Value::Null, json!(2)),
    ]);
    assert_eq!(first["changes"], expected);
    let second = watching.line().await;
    let expected = json!([
        change("results.passed", json!(56), Value::Null),
        change("results.others.98", json!(2), Value::Null),
    ]);
    assert_eq!(second["changes"], expected);
    // Counts that were not there for a moment are no change: the next one is of the look after that.
    assert_eq!(
        watching.line().await["changes"],
        json!([change("results.failed_new", json!(4), json!(5))])
    );
    let said = watching.said().await;
    let gone = "R_4: the service tells no results any more";
    assert_eq!(said.matches(gone).count(), 1, "{said}");
}
