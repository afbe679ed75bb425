//! `gate`: a condition as an exit status, and never 0 for what is not known.

use std::time::Duration;

use rundown::local_service::Options;
use serde_json::{Value, json};
use tokio::io::AsyncBufReadExt;

use super::runs::scripted;
use super::scene::{Ran, Scene, reaches};
use super::schema::fits;
use super::support::proxy::Fault;

/// An open run with test cases, as the list tells it.
async fn a_run(scene: &Scene) -> Value {
    let runs = scene
        .json(&[
            "runs",
            "list",
            "--all",
            "--filter",
            "Root.General.Status:active",
            "--format",
            "json",
        ])
        .await;
    let filled = |run: &&Value| {
        run["results"]["untested"].as_u64() > Some(0) && run["results"]["passed"].as_u64() > Some(0)
    };
    runs["runs"]
        .as_array()
        .unwrap()
        .iter()
        .find(filled)
        .unwrap()
        .clone()
}

async fn gate(scene: &Scene, run: &str, expr: &str, more: &[&str]) -> Ran {
    scene
        .run(&[&["gate", run, "--expr", expr][..], more].concat())
        .await
}

/// One run, whose `Result` is this.
async fn with_results(results: Value) -> Scene {
    let (scene, _service) = scripted(move |call, _| {
        let general = json!({"Id": "R_4", "Title": "T", "Status": "active", "TestSuiteCount": 3, "Progress": 64});
        let root = json!({"General": general, "DisplayFields": {"Result": results}});
        let run = json!({"docRef": "TestRun-dm/4", "document": {"Root": root}});
        match call["method"].as_str().unwrap() {
            "GET_DOCUMENT" => run,
            _ => json!({"result": {"fullSize": 1, "entries": [run]}, "filterItemMap": {}}),
        }
    })
    .await;
    scene
}

#[tokio::test]
async fn a_condition_that_holds_is_0_and_one_that_does_not_is_1() {
    let scene = Scene::new(Options::default()).await;
    let run = a_run(&scene).await;
    let (id, reference) = (run["id"].as_str().unwrap(), run["ref"].as_str().unwrap());
    let count = |name: &str| run["results"][name].as_u64().unwrap();
    let (untested, passed) = (count("untested"), count("passed"));
    for (expr, status) in [
        (format!("untested == {untested} && passed >= {passed}"), 0),
        (
            format!("untested < {untested} || passed * 100 >= total * 101"),
            1,
        ),
        (
            format!(
                "total == {} && left + done == total",
                run["worked_out"]["total"]
            ),
            0,
        ),
        (
            format!(
                "progress == {} && suites == {}",
                run["progress"], run["suites"]
            ),
            0,
        ),
    ] {
        let ran = gate(&scene, id, &expr, &[]).await;
        assert_eq!(
            (ran.status, ran.err.as_str()),
            (Some(status), ""),
            "{expr}: {}",
            ran.out
        );
    }
    let ran = gate(&scene, id, "1 == 1", &[]).await;
    assert_eq!(ran.out, format!("{id}: within the limit\n"));
    let ran = gate(&scene, reference, "untested == 0", &[]).await;
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (
            Some(1),
            format!("{id}: over the limit: untested is {untested}, limit == 0\n").as_str()
        )
    );
    let ran = gate(&scene, id, "passed > 0", &["--format", "json"]).await;
    let outcome: Value = serde_json::from_str(&ran.out).unwrap();
    fits("gate", &outcome);
    let counts = json!({"passed": passed});
    let expected =
        json!([{"run": {"ref": reference, "id": id}, "verdict": "passed", "counts": counts}]);
    assert_eq!(
        (ran.status, &outcome["verdict"], &outcome["runs"]),
        (Some(0), &json!("passed"), &expected)
    );
}

#[tokio::test]
async fn it_must_hold_for_every_run() {
    let scene = Scene::new(Options::default()).await;
    let runs = scene
        .json(&["runs", "list", "--limit", "9", "--format", "json"])
        .await;
    let of = |run: &Value| {
        (
            run["id"].as_str().unwrap().to_owned(),
            run["results"]["passed"].as_u64().unwrap(),
        )
    };
    let mut runs: Vec<(String, u64)> = runs["runs"].as_array().unwrap().iter().map(of).collect();
    runs.sort_by_key(|(_, passed)| *passed);
    let (least, most) = (runs.first().unwrap(), runs.last().unwrap());
    assert!(least.1 < most.1, "{runs:?}");
    let both = async |expr: &str| {
        scene
            .run(&["gate", &most.0, &least.0, "--expr", expr])
            .await
    };
    assert_eq!(
        both(&format!("passed >= {}", least.1)).await.status,
        Some(0)
    );
    let ran = both(&format!("passed >= {}", most.1)).await;
    assert_eq!(ran.status, Some(1));
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{}: within the limit", most.0))
            && lines[1].starts_with(&format!("{}: over the limit", least.0))
    );
}

#[tokio::test]
async fn a_wrong_condition_is_2_with_its_column_before_anything_is_read() {
    let scene = Scene::new(Options::default()).await;
    gate(&scene, "R_4", "faild_new <= 3", &[]).await.refused(
        2,
        &[
            "--expr, column 1",
            "unknown name faild_new: failed_new?",
            "\n  ^",
        ],
    );
    gate(&scene, "R_4", "failed_new <= 3 &&", &[])
        .await
        .refused(2, &["--expr, column 19"]);
    scene.run(&["gate", "R_4"]).await.refused(2, &["--expr"]);
    scene
        .run(&["gate", "--expr", "left == 0"])
        .await
        .refused(2, &["<RUN>"]);
    gate(&scene, "R_4", "left == 0", &["--timeout", "0"])
        .await
        .refused(2, &["expected a time from 1s"]);
    scene.write_config("broken");
    gate(&scene, "R_4", "left = 0", &[])
        .await
        .refused(2, &["expected =="]);
    assert_eq!(scene.proxy.passed().len(), 0);
}

#[tokio::test]
async fn a_count_that_is_missing_is_6_and_never_0() {
    let scene = Scene::new(Options {
        without_list_test_runs: true,
        ..Options::default()
    })
    .await;
    let runs = scene
        .run(&["runs", "list", "--limit", "1", "--format", "ndjson"])
        .await
        .lines();
    let id = runs[0]["id"].as_str().unwrap();
    for more in [&[][..], &["--timeout", "20s"], &["--unlisted-as-zero"]] {
        let ran = gate(&scene, id, "failed_new <= 3", more).await;
        let said = format!("{id}: not decidable: failed_new is not known\n");
        assert_eq!((ran.status, ran.out), (Some(6), said), "{more:?}");
        assert!(
            ran.err
                .contains("failed_new not known: the service sent no results of this run"),
            "{}",
            ran.err
        );
    }
    let ran = gate(
        &scene,
        id,
        "failed_new >= 0 || 1 == 1",
        &["--format", "json"],
    )
    .await;
    let outcome: Value = serde_json::from_str(&ran.out).unwrap();
    fits("gate", &outcome);
    assert_eq!(
        (ran.status, &outcome["runs"][0]["counts"]),
        (Some(0), &json!({"failed_new": null})),
        "what is known decides"
    );
    let ran = gate(&scene, id, "failed_new >= 0 && 1 == 2", &[]).await;
    assert_eq!(ran.status, Some(1));
}

#[tokio::test]
async fn a_result_that_is_not_listed_is_not_known_unless_it_is_said_to_be_0() {
    let scene =
        with_results(json!([{"result": "2", "count": 57}, {"result": "1", "count": 0}])).await;
    for (expr, more, status) in [
        ("untested == 0", &[][..], 0),
        ("failed_new <= 3", &[], 6),
        ("total >= 57", &[], 6),
        ("untested == 0 || failed_new <= 3", &[], 0),
        ("failed_new <= 3", &["--unlisted-as-zero"], 0),
        ("total == 57 && left == 0", &["--unlisted-as-zero"], 0),
        ("passed < 57 && failed_new == 0", &[], 1),
    ] {
        let ran = gate(&scene, "R_4", expr, more).await;
        assert_eq!(
            ran.status,
            Some(status),
            "{expr} {more:?}: {}{}",
            ran.out,
            ran.err
        );
    }
    let ran = gate(&scene, "R_4", "failed_new <= 3", &[]).await;
    assert!(
        ran.err.contains("--unlisted-as-zero takes them for 0"),
        "{}",
        ran.err
    );
}

/// Whoever reads the JSON has nothing but these words to go by.
#[tokio::test]
async fn the_json_names_each_verdict() {
    let scene =
        with_results(json!([{"result": "2", "count": 57}, {"result": "1", "count": 3}])).await;
    for (expr, status, verdict) in [
        ("passed == 57", 0, "passed"),
        ("passed < 57", 1, "failed"),
        ("failed_new <= 3", 6, "not_decidable"),
    ] {
        let ran = gate(&scene, "R_4", expr, &["--format", "json"]).await;
        let outcome: Value = serde_json::from_str(&ran.out).unwrap();
        fits("gate", &outcome);
        let verdicts = (&outcome["verdict"], &outcome["runs"][0]["verdict"]);
        assert_eq!(ran.status, Some(status), "{expr}");
        assert_eq!(verdicts, (&json!(verdict), &json!(verdict)), "{expr}");
    }
}

/// `R_4` tells all that is asked for, `R_5` only how many passed.
async fn one_tells_less() -> Scene {
    let (scene, _service) = scripted(|_, _| {
        let run = |number: u64, results: Value| {
            let general = json!({"Id": format!("R_{number}"), "Title": "T", "Status": "active"});
            let root = json!({"General": general, "DisplayFields": {"Result": results}});
            json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": root}})
        };
        let (passed, untested) = (
            json!({"result": "2", "count": 57}),
            json!({"result": "1", "count": 3}),
        );
        let runs = [run(4, json!([passed, untested])), run(5, json!([passed]))];
        json!({"result": {"fullSize": 2, "entries": runs}, "filterItemMap": {}})
    })
    .await;
    scene
}

#[tokio::test]
async fn only_the_runs_and_the_counts_that_are_not_known_are_named_as_missing() {
    let scene = one_tells_less().await;
    let ran = scene
        .run(&[
            "gate",
            "R_4",
            "R_5",
            "--expr",
            "passed > 0 && untested <= 3",
        ])
        .await;
    let said = "R_4: within the limit: untested is 3, passed is 57\nR_5: not decidable: untested is not known, passed is 57\n";
    assert_eq!((ran.status, ran.out.as_str()), (Some(6), said));
    assert!(
        ran.err
            .starts_with("rundown: R_5: not decidable: untested not known, because a count"),
        "{}",
        ran.err
    );
    assert!(!ran.err.contains("R_4"), "{}", ran.err);
}

/// Waiting brings no count that the service does not give, whatever the other runs come to meanwhile.
#[tokio::test]
async fn one_run_that_cannot_be_decided_ends_the_waiting_for_all() {
    let scene = one_tells_less().await;
    for expr in ["untested == 0", "untested == 3"] {
        let ran = scene
            .run(&[
                "gate",
                "R_4",
                "R_5",
                "--expr",
                expr,
                "--timeout",
                "3s",
                "--every",
                "1s",
            ])
            .await;
        assert_eq!(ran.status, Some(6), "{expr}: {}{}", ran.out, ran.err);
    }
}

#[tokio::test]
async fn numbers_that_become_too_large_are_not_decided_and_that_is_said() {
    let scene = with_results(json!([{"result": "2", "count": 57}])).await;
    let product = ["9223372036854775807"; 3].join(" * ");
    let ran = gate(&scene, "R_4", &format!("passed < {product}"), &[]).await;
    assert_eq!(ran.status, Some(6), "{}{}", ran.out, ran.err);
    assert_eq!(
        ran.err,
        "rundown: R_4: not decidable: the numbers become too large\n"
    );
}

/// A count that is there and cannot be read may be any number.
#[tokio::test]
async fn a_count_that_cannot_be_read_is_never_0() {
    for count in [Value::Null, json!(-1), json!("9"), json!(1.5)] {
        let scene =
            with_results(json!([{"result": "2", "count": 57}, {"result": "5", "count": count}]))
                .await;
        for more in [&[][..], &["--unlisted-as-zero"]] {
            assert_eq!(
                gate(&scene, "R_4", "failed_new <= 3", more).await.status,
                Some(6),
                "{count}"
            );
            assert_eq!(
                gate(&scene, "R_4", "total < 100", more).await.status,
                Some(6),
                "{count}"
            );
        }
    }
    let scene = with_results(Value::Null).await;
    assert_eq!(
        gate(&scene, "R_4", "failed_new <= 3 && suites == 3", &[])
            .await
            .status,
        Some(6)
    );
    assert_eq!(
        gate(&scene, "R_4", "progress == 64 && suites == 3", &[])
            .await
            .status,
        Some(0)
    );
}

#[tokio::test]
async fn it_waits_until_it_holds() {
    let (scene, service) = scripted(|_, before| {
        let results = json!([{"result": "1", "count": 2 - before.min(2)}]);
        let root = json!({"General": {"Id": "R_4"}, "DisplayFields": {"Result": results}});
        json!({"result": {"fullSize": 1, "entries": [{"docRef": "TestRun-dm/4", "document": {"Root": root}}]}})
    })
    .await;
    let ran = gate(
        &scene,
        "R_4",
        "untested == 0",
        &["--timeout", "1m", "--every", "1s"],
    )
    .await;
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "R_4: within the limit: untested is 0\n", "")
    );
    assert_eq!(service.calls().len(), 3);
}

#[tokio::test]
async fn time_that_is_up_is_5_with_the_last_look() {
    let scene = Scene::with(Options::default(), "refresh_seconds = 0").await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    let more = ["--timeout", "2s", "--every", "1s", "--format", "json"];
    let ran = gate(&scene, &id, "untested == 0", &more).await;
    let outcome: Value = serde_json::from_str(&ran.out).unwrap();
    fits("gate", &outcome);
    assert_eq!(
        (
            ran.status,
            &outcome["verdict"],
            &outcome["runs"][0]["verdict"]
        ),
        (Some(5), &json!("time_up"), &json!("failed"))
    );
    assert!(
        ran.err.contains(&format!(
            "did not hold within 2s; the last look: {id}: over the limit: untested"
        )),
        "{}",
        ran.err
    );
    // A service that never answers does not hold it up either.
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::Delay(Duration::from_secs(20)));
    let ran = gate(&scene, &id, "untested == 0", &["--timeout", "1s"]).await;
    assert_eq!((ran.status, ran.out.as_str()), (Some(5), ""));
    assert!(ran.err.contains("nothing could be read"), "{}", ran.err);
    // Nothing is read by itself on the screen: a command that waits has the usual pause, and not none.
    scene.proxy.go_down().await;
    let ran = gate(&scene, &id, "untested == 0", &["--timeout", "1s"]).await;
    assert!(ran.err.contains("Looking again after 30s"), "{}", ran.err);
}

#[tokio::test]
async fn while_it_waits_a_service_that_is_down_is_waited_for_and_without_waiting_it_is_4() {
    let scene = Scene::new(Options::default()).await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    scene.proxy.go_down().await;
    gate(&scene, &id, "passed > 0", &[])
        .await
        .refused(4, &["no connection to"]);
    let mut child = scene
        .command(&[
            "gate",
            &id,
            "--expr",
            "passed > 0",
            "--timeout",
            "1m",
            "--every",
            "1s",
        ])
        .spawn()
        .unwrap();
    let mut said = String::new();
    tokio::io::BufReader::new(child.stderr.as_mut().unwrap())
        .read_line(&mut said)
        .await
        .unwrap();
    assert!(
        said.contains("no connection to") && said.contains("Looking again after 1s"),
        "{said}"
    );
    scene.proxy.come_back();
    let output = child.wait_with_output().await.unwrap();
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
}

#[tokio::test]
async fn while_it_waits_what_does_not_pass_by_itself_ends_it() {
    let scene = Scene::new(Options::default()).await;
    gate(&scene, "R_999999", "left == 0", &["--timeout", "1m"])
        .await
        .refused(4, &["there is no test run R_999999"]);
    let mut command = scene.command(&["gate", "R_4", "--expr", "left == 0", "--timeout", "1m"]);
    command.env("TEST_PASSWORD", "wrong");
    Ran::of(command).await.refused(3, &["invalid_grant"]);
    let other = super::support::desk_client(&scene.service).await;
    let run = other.add_run("Short-lived").await;
    let words = [
        "gate",
        run.as_str(),
        "--expr",
        "suites > 0",
        "--timeout",
        "1m",
        "--every",
        "1s",
    ];
    let child = scene.command(&words).spawn().unwrap();
    while scene.params("LIST_TEST_RUNS").is_empty() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    other.delete(&run).await;
    let output = child.wait_with_output().await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(4), "{said}");
    assert!(
        said.contains("is gone: the service does not find it any more")
            || said.contains("not found"),
        "{said}"
    );
}

/// Whoever reads the words has gone: the exit status is what it would have been.
#[tokio::test]
async fn a_closed_pipe_changes_no_verdict() {
    let scene = Scene::new(Options::default()).await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    for (expr, status) in [("passed > 0", 0), ("untested == 0", 1)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = scene.command(&["gate", &id, "--expr", expr]);
        command.stdout(writer);
        let ran = Ran::of(command).await;
        assert_eq!((ran.status, ran.err.as_str()), (Some(status), ""));
    }
}

/// A disk that is full is none of the verdicts.
#[tokio::test]
async fn output_that_takes_nothing_is_4_although_the_condition_holds() {
    let scene = with_results(json!([{"result": "2", "count": 57}])).await;
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .unwrap();
    let mut command = scene.command(&["gate", "R_4", "--expr", "passed == 57"]);
    command.stdout(full);
    let ran = Ran::of(command).await;
    assert_eq!(ran.status, Some(4), "{}", ran.err);
    assert!(
        ran.err.contains("standard output takes nothing"),
        "{}",
        ran.err
    );
}

/// A gate that was interrupted has not passed.
#[tokio::test]
async fn a_signal_ends_it_without_a_word() {
    use std::os::unix::process::ExitStatusExt;
    let scene = Scene::new(Options::default()).await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    for (signal, number) in [("-TERM", 15), ("-INT", 2)] {
        if !reaches(number) {
            continue;
        }
        let before = scene.proxy.count("LIST_TEST_RUNS");
        let child = scene
            .command(&["gate", &id, "--expr", "untested == 0", "--timeout", "1m"])
            .spawn()
            .unwrap();
        while scene.proxy.count("LIST_TEST_RUNS") == before {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let process = child.id().unwrap().to_string();
        assert!(
            tokio::process::Command::new("kill")
                .args([signal, &process])
                .status()
                .await
                .unwrap()
                .success()
        );
        let output = child.wait_with_output().await.unwrap();
        assert_eq!(
            (output.status.signal(), output.status.success()),
            (Some(number), false)
        );
        assert!(
            output.stdout.is_empty() && output.stderr.is_empty(),
            "{output:?}"
        );
    }
}
