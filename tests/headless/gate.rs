//! `gate`: a condition as an exit status, and never 0 for what is not known.

use crate::support::prelude::*;

use jiff::ToSpan;
use rundown::samples::Samples;
use tokio::io::AsyncBufReadExt;

use super::runs::{listed, scripted};
use super::scene::{Ran, Scene, has, reaches, signal};
use super::support::samples_of::sample;
use super::watch::run;

/// An open run with test cases, as the list tells it.
async fn a_run(scene: &Scene) -> Value {
    let list = "runs list --all --filter Root.General.Status:active";
    let list = scene.json(list).await;
    let filled = |run: &&Value| {
        run["results"]["untested"].as_u64() > Some(0) && run["results"]["passed"].as_u64() > Some(0)
    };
    let runs = list["runs"].as_array().unwrap();
    runs.iter().find(filled).unwrap().clone()
}

async fn gate(scene: &Scene, run: &str, expr: &str, more: &str) -> Ran {
    let line = format!("gate {run} --expr '{expr}' {more}");
    scene.run(&line).await
}

/// One run, whose `Result` is this.
async fn with_results(results: Value) -> Scene {
    let (scene, _service) = scripted(move |call, _| {
        let general = json!({"Id": "R_4", "Title": "T", "Status": "active", "TestSuiteCount": 3, "Progress": 64});
        let root = json!({"General": general, "DisplayFields": {"Result": results}});
        let run = json!({"docRef": "TestRun-dm/4", "document": {"Root": root}});
        match call["method"].as_str().unwrap() {
            "GET_DOCUMENT" => run,
            _ => listed(&[run]),
        }
    })
    .await;
    scene
}

#[tokio::test]
async fn a_run_that_is_named_twice_is_told_once() {
    let scene = with_results(json!([{"Code": 1, "Count": 5}])).await;
    for again in ["R_4", "TestRun-dm/4"] {
        let runs = format!("R_4 {again}");
        let ran = gate(&scene, &runs, "failed < 1 || failed >= 0", "").await;
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
        let watch = format!("watch {runs} --until-done --every 1s");
        let ran = scene.run(&watch).await;
        assert_eq!(ran.out.lines().count(), 1, "{ran:?}");
    }
}

/// What is pointed at stands below, with what is around it.
#[tokio::test]
async fn of_a_long_condition_the_place_of_the_mistake_is_shown() {
    let scene = Scene::usual().await;
    let sum = "passed + ".repeat(200);
    for expr in [sum.repeat(20), format!("{sum} wrong < 1 && {sum} 0 == 1")] {
        let ran = gate(&scene, "R_4", &expr, "").await;
        ran.refused(2, &["--expr, column "]);
        let lines: Vec<&str> = ran.err.lines().collect();
        let [_, shown, sign] = lines[..] else {
            panic!("{ran:?}");
        };
        assert!(shown.chars().count() < 140, "{ran:?}");
        let at = sign.chars().position(|c| c == '^').unwrap();
        let shown: String = shown.chars().skip(at).collect();
        let pointed_at = if expr.len() > 10_000 {
            "passed"
        } else {
            "wrong"
        };
        begins(&shown, pointed_at);
    }
}

#[tokio::test]
async fn a_condition_that_holds_is_0_and_one_that_does_not_is_1() {
    let scene = Scene::usual().await;
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
        let ran = gate(&scene, id, &expr, "").await;
        assert_eq!(
            (ran.status, ran.err.as_str()),
            (Some(status), ""),
            "{expr}: {}",
            ran.out
        );
    }
    let ran = gate(&scene, id, "1 == 1", "").await;
    assert_eq!(ran.out, format!("{id}: holds\n"));
    let ran = gate(&scene, reference, "untested == 0", "").await;
    assert_eq!(
        (ran.status, ran.out.as_str()),
        (
            Some(1),
            format!("{id}: does not hold: untested is {untested}, limit == 0\n").as_str()
        )
    );
    let ran = gate(&scene, id, "passed > 0", "--format json").await;
    let outcome = ran.json("gate");
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
    let scene = Scene::usual().await;
    let runs = scene.json("runs list --limit 9").await;
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
            .run(&format!("gate {} {} --expr '{expr}'", most.0, least.0))
            .await
    };
    assert_eq!(
        both(&format!("passed >= {}", least.1)).await.status,
        Some(0)
    );
    let ran = both(&format!("passed >= {}", most.1)).await;
    ran.is(1);
    let lines: Vec<&str> = ran.out.lines().collect();
    assert!(
        lines[0].starts_with(&format!("{}: holds", most.0))
            && lines[1].starts_with(&format!("{}: does not hold", least.0))
    );
}

#[tokio::test]
async fn a_wrong_condition_is_2_with_its_column_before_anything_is_read() {
    let scene = Scene::usual().await;
    gate(&scene, "R_4", "faild_new <= 3", "").await.refused(
        2,
        &[
            "--expr, column 1",
            "unknown name faild_new: failed_new?",
            "\n  ^",
        ],
    );
    gate(&scene, "R_4", "failed_new <= 3 &&", "")
        .await
        .refused(2, &["--expr, column 19"]);
    scene.refuses("gate R_4", 2, &["--expr"]).await;
    scene
        .refuses("gate --expr 'left == 0'", 2, &["<RUN|--version <VERSION>>"])
        .await;
    gate(&scene, "R_4", "left == 0", "--timeout 0")
        .await
        .refused(2, &["expected a time from 1s"]);
    scene.write_config("broken");
    gate(&scene, "R_4", "left = 0", "")
        .await
        .refused(2, &["expected =="]);
    assert_eq!(scene.proxy.passed().len(), 0);
}

#[tokio::test]
async fn a_count_that_is_missing_is_6_and_never_0() {
    let scene = Scene::new(options(|it| it.without_list_test_runs = true)).await;
    let runs = scene.lines("runs list --limit 1").await;
    let id = runs[0]["id"].as_str().unwrap();
    for more in ["", "--timeout 20s", "--unlisted-as-zero"] {
        let ran = gate(&scene, id, "failed_new <= 3", more).await;
        let said = format!("{id}: not decidable: failed_new is not known\n");
        assert_eq!((ran.status, ran.out), (Some(6), said), "{more:?}");
        says(
            &ran.err,
            "failed_new not known: the service sent no results of this run",
        );
    }
    let ran = gate(&scene, id, "failed_new >= 0 || 1 == 1", "--format json").await;
    let outcome = ran.json("gate");
    assert_eq!(
        (ran.status, &outcome["runs"][0]["counts"]),
        (Some(0), &json!({"failed_new": null})),
        "what is known decides"
    );
    let ran = gate(&scene, id, "failed_new >= 0 && 1 == 2", "").await;
    ran.is(1);
}

#[tokio::test]
async fn a_result_that_is_not_listed_is_not_known_unless_it_is_said_to_be_0() {
    let scene =
        with_results(json!([{"result": "2", "count": 57}, {"result": "1", "count": 0}])).await;
    for (expr, more, status) in [
        ("untested == 0", "", 0),
        ("failed_new <= 3", "", 6),
        ("total >= 57", "", 0),
        ("total > 57", "", 6),
        ("untested == 0 || failed_new <= 3", "", 0),
        ("failed_new <= 3", "--unlisted-as-zero", 0),
        ("total == 57 && left == 0", "--unlisted-as-zero", 0),
        ("passed < 57 && failed_new == 0", "", 1),
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
    let ran = gate(&scene, "R_4", "failed_new <= 3", "").await;
    says(&ran.err, "--unlisted-as-zero takes them for 0");
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
        let ran = gate(&scene, "R_4", expr, "--format json").await;
        let outcome = ran.json("gate");
        let verdicts = (&outcome["verdict"], &outcome["runs"][0]["verdict"]);
        assert_eq!(ran.status, Some(status), "{expr}");
        assert_eq!(verdicts, (&json!(verdict), &json!(verdict)), "{expr}");
    }
}

/// `R_4` tells all that is asked for, `R_5` only how many passed.
async fn one_tells_less() -> Scene {
    let (scene, _service) = scripted(|_, _| {
        let (passed, untested) = (
            json!({"result": "2", "count": 57}),
            json!({"result": "1", "count": 3}),
        );
        listed(&[run(4, &json!([passed, untested])), run(5, &json!([passed]))])
    })
    .await;
    scene
}

#[tokio::test]
async fn only_the_runs_and_the_counts_that_are_not_known_are_named_as_missing() {
    let scene = one_tells_less().await;
    let ran = scene
        .run("gate R_4 R_5 --expr 'passed > 0 && untested <= 3'")
        .await;
    let said = "R_4: holds: untested is 3, passed is 57\nR_5: not decidable: untested is not known, passed is 57\n";
    assert_eq!((ran.status, ran.out.as_str()), (Some(6), said));
    begins(
        &ran.err,
        "rundown: R_5: not decidable: untested not known, because a count",
    );
    lacks(&ran.err, "R_4");
}

/// Waiting brings no count that the service does not give, whatever the other runs come to meanwhile.
#[tokio::test]
async fn one_run_that_cannot_be_decided_ends_the_waiting_for_all() {
    let scene = one_tells_less().await;
    for expr in ["untested == 0", "untested == 3"] {
        let ran = scene
            .run(&format!(
                "gate R_4 R_5 --expr '{expr}' --timeout 3s --every 1s"
            ))
            .await;
        assert_eq!(ran.status, Some(6), "{expr}: {}{}", ran.out, ran.err);
    }
}

#[tokio::test]
async fn numbers_that_become_too_large_are_not_decided_and_that_is_said() {
    let scene = with_results(json!([{"result": "2", "count": 57}])).await;
    let product = ["9223372036854775807"; 3].join(" * ");
    let ran = gate(&scene, "R_4", &format!("passed < {product}"), "").await;
    ran.is(6);
    assert_eq!(
        ran.err,
        "rundown: R_4: not decidable: the numbers become too large\n"
    );
    let line = format!("gate --version 1.2.1 --expr 'passed < {product}'");
    let ran = a_release("").await.run(&line).await;
    ran.is(6);
    assert_eq!(
        ran.err,
        "rundown: not decidable: the numbers become too large\n"
    );
}

/// A count that is there and cannot be read may be any number.
#[tokio::test]
async fn a_count_that_cannot_be_read_is_never_0() {
    for count in [Value::Null, json!(-1), json!("9"), json!(1.5)] {
        let scene =
            with_results(json!([{"result": "2", "count": 57}, {"result": "5", "count": count}]))
                .await;
        for more in ["", "--unlisted-as-zero"] {
            for expr in ["failed_new <= 3", "total < 100"] {
                let ran = gate(&scene, "R_4", expr, more).await;
                assert_eq!(ran.status, Some(6), "{count}: {expr}");
                assert_eq!(ran.err.contains("--unlisted-as-zero"), more.is_empty());
            }
        }
    }
    let scene = with_results(Value::Null).await;
    for (expr, status) in [("failed_new <= 3", 6), ("progress == 64", 0)] {
        let expr = format!("{expr} && suites == 3");
        gate(&scene, "R_4", &expr, "").await.is(status);
    }
}

#[tokio::test]
async fn it_waits_until_it_holds() {
    let (scene, service) = scripted(|_, before| {
        let results = json!([{"result": "1", "count": 2 - before.min(2)}]);
        let root = json!({"General": {"Id": "R_4"}, "DisplayFields": {"Result": results}});
        listed(&[json!({"docRef": "TestRun-dm/4", "document": {"Root": root}})])
    })
    .await;
    let ran = gate(&scene, "R_4", "untested == 0", "--timeout 1m --every 1s").await;
    assert_eq!(
        (ran.status, ran.out.as_str(), ran.err.as_str()),
        (Some(0), "R_4: holds: untested is 0\n", "")
    );
    assert_eq!(service.calls().len(), 3);
}

#[tokio::test]
async fn time_that_is_up_is_5_with_the_last_look() {
    let scene = Scene::with(Options::default(), "refresh_seconds = 0").await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    let more = "--timeout 2s --every 1s --format json";
    let ran = gate(&scene, &id, "untested == 0", more).await;
    let outcome = ran.json("gate");
    ran.is(5);
    has(&outcome, &json!({"verdict": "time_up"}));
    has(&outcome["runs"][0], &json!({"verdict": "failed"}));
    says(
        &ran.err,
        &format!("did not hold within 2s; the last look: {id}: does not hold: untested"),
    );
    // A service that never answers does not hold it up either.
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::delay(20_000));
    let ran = gate(&scene, &id, "untested == 0", "--timeout 1s").await;
    assert_eq!((ran.status, ran.out.as_str()), (Some(5), ""));
    says(&ran.err, "the last look: no answer came in that time");
    // Nothing is read by itself on the screen: a command that waits has the usual pause, and not none.
    scene.proxy.go_down().await;
    let ran = gate(&scene, &id, "untested == 0", "--timeout 1s").await;
    says(&ran.err, "Looking again after 30s");
    let ran = gate(&scene, &id, "untested == 0", "--timeout 1s --quiet").await;
    says(&ran.err, "did not hold within 1s; the last look: ");
    says(&ran.err, "no connection");
}

#[tokio::test]
async fn while_it_waits_a_service_that_is_down_is_waited_for_and_without_waiting_it_is_4() {
    let scene = Scene::usual().await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    scene.proxy.go_down().await;
    gate(&scene, &id, "passed > 0", "")
        .await
        .refused(4, &["no connection to"]);
    let line = format!("gate {id} --expr 'passed > 0' --timeout 1m --every 1s");
    let mut child = scene.start(&line);
    let mut said = String::new();
    tokio::io::BufReader::new(child.stderr.as_mut().unwrap())
        .read_line(&mut said)
        .await
        .unwrap();
    says(&said, "no connection to");
    says(&said, "Looking again after 1s");
    scene.proxy.come_back();
    Ran::ended(child).await.is(0);
}

#[tokio::test]
async fn while_it_waits_what_does_not_pass_by_itself_ends_it() {
    let scene = Scene::usual().await;
    gate(&scene, "R_999999", "left == 0", "--timeout 1m")
        .await
        .refused(4, &["there is no test run R_999999"]);
    let mut command = scene.command("gate R_4 --expr 'left == 0' --timeout 1m");
    command.env("TEST_PASSWORD", "wrong");
    Ran::of(command).await.refused(3, &["invalid_grant"]);
    let other = scene.other().await;
    let run = other.add_run("Short-lived").await;
    let line = format!("gate {run} --expr 'suites > 0' --timeout 1m --every 1s");
    let child = scene.start(&line);
    scene.until_passed("LIST_TEST_RUNS", 1).await;
    other.delete(&run).await;
    let ran = Ran::ended(child).await;
    ran.is(4);
    let told = [
        "is gone: the service does not find it any more",
        "not found",
    ];
    assert!(told.iter().any(|it| ran.err.contains(it)), "{ran:?}");
}

/// Whoever reads the words has gone: the exit status is what it would have been.
#[tokio::test]
async fn a_closed_pipe_changes_no_verdict() {
    let scene = Scene::usual().await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    for (expr, status) in [("passed > 0", 0), ("untested == 0", 1)] {
        let ran = scene.unread(&format!("gate {id} --expr '{expr}'")).await;
        assert_eq!((ran.status, ran.err.as_str()), (Some(status), ""));
    }
}

/// A disk that is full is none of the verdicts.
#[tokio::test]
async fn output_that_takes_nothing_is_4_although_the_condition_holds() {
    let scene = with_results(json!([{"result": "2", "count": 57}])).await;
    let ran = scene.without_room("gate R_4 --expr 'passed == 57'").await;
    ran.is(4);
    says(&ran.err, "standard output takes nothing");
}

/// A gate that was interrupted has not passed.
#[tokio::test]
async fn a_signal_ends_it_without_a_word() {
    use std::os::unix::process::ExitStatusExt;
    let scene = Scene::usual().await;
    let id = a_run(&scene).await["id"].as_str().unwrap().to_owned();
    for (name, number) in [("-TERM", 15), ("-INT", 2)] {
        if !reaches(number) {
            continue;
        }
        let before = scene.proxy.count("LIST_TEST_RUNS");
        let child = scene.start(&format!("gate {id} --expr 'untested == 0' --timeout 1m"));
        scene.until_passed("LIST_TEST_RUNS", before + 1).await;
        signal(&child, name).await;
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

/// A run of a version for the sum: open or not, made at a time, with cases passed and failed (new).
fn of_version(number: u64, version: &str, open: bool, counts: [u64; 2]) -> Value {
    let results: Vec<Value> = (1..=11)
        .map(|code| {
            let count = match code {
                2 => counts[0],
                5 => counts[1],
                _ => 0,
            };
            json!({"result": code.to_string(), "label": "", "count": count})
        })
        .collect();
    let general = json!({
        "Id": format!("R_{number}"), "Title": format!("Regression {version}"), "Status": if open { "active" } else { "inactive" },
        "ProjectVersionNumber": version,
    });
    let root = json!({
        "General": general, "DisplayFields": {"Result": results}, "Metadata": {"CreatedOn": 1_790_000_000_000_u64 + number},
    });
    json!({"docRef": format!("TestRun-dm/{number}"), "document": {"Root": root}})
}

/// Two rounds of 1.2.1, and runs of another version and of another sub project that the service brings all the same.
async fn a_release(more: &str) -> Scene {
    let mut elsewhere = of_version(4, "1.2.1", true, [1, 60]);
    elsewhere["document"]["Root"]["General"]["SubprojectId"] = json!("SP_77");
    let (scene, _service) = scripted(move |_, _| {
        listed(&[
            of_version(1, "1.2.1", false, [10, 7]),
            of_version(2, "1.2.1", true, [90, 3]),
            of_version(3, "1.2.10", true, [5, 50]),
            elsewhere.clone(),
        ])
    })
    .await;
    scene.write_config(&format!("{}{more}", scene.config()));
    scene
}

#[tokio::test]
async fn a_release_is_judged_by_the_sum_of_its_runs_each_counted_once() {
    let scene = a_release("").await;
    let of = async |expr: &str, more: &str| {
        let line = format!("gate --version 1.2.1 --expr '{expr}' {more}");
        scene.run(&line).await
    };
    let ran = of("failed_new <= 3 && passed == 90", "").await;
    ran.succeeds();
    assert_eq!(
        ran.out,
        "The sum of 1 of 2 runs of 1.2.1 of P_9/SP_1, 1 of them open\n\
         met: failed_new <= 3 && passed == 90: passed is 90, failed_new is 3\n"
    );
    let ran = of("failed_new == 0", "--format json").await;
    ran.is(1);
    let told = ran.json("gate_release");
    let counts = json!({"failed_new": 3});
    assert_eq!(told["criteria"][0]["counts"], counts);
    assert_eq!(
        (&told["verdict"], &told["runs"]),
        (&json!("failed"), &json!(1))
    );
    // Not known is never met; nothing is left in the open run, so it is late by no date.
    for name in ["runs_late", "runs_quiet", "suites_in_no_run"] {
        let ran = of(&format!("{name} == 0"), "").await;
        let status = if name == "runs_late" { 0 } else { 6 };
        ran.is(status);
    }
    scene
        .refuses(
            "gate --version 7.7.7 --expr 'left == 0'",
            6,
            &["no run of version 7.7.7"],
        )
        .await;
}

#[tokio::test]
async fn suites_in_no_open_run_are_a_condition_where_their_lists_are_read() {
    let options = Options {
        runs: 0,
        release: true,
        ..Options::default()
    };
    let scene = Scene::with(options, "").await;
    let told = scene
        .run("suites in-no-run --version 1.2.1 --format json")
        .await;
    let told = told.json("suites_in_no_run");
    let free = told["suites"].as_array().unwrap().len();
    assert!(free > 0);
    let line = format!("gate --version 1.2.1 --expr 'suites_in_no_run <= {free}'");
    let ran = scene.run(&line).await;
    ran.is(6);
    says(
        &ran.err,
        "suites_in_no_run not known: --read-suites reads the lists",
    );
    let ran = scene.run(&format!("{line} --read-suites")).await;
    ran.is(0);
    says(&ran.out, &format!("suites_in_no_run is {free}"));
    let runs = told["runs_open"].as_u64().unwrap();
    says(&ran.err, &format!("reads at most {runs} lists"));
    let less = format!("gate --version 1.2.1 --expr 'suites_in_no_run < {free}' --read-suites");
    scene.run(&less).await.is(1);
    scene
        .refuses(
            "gate R_1 --expr 'left == 0' --read-suites",
            2,
            &["--read-suites"],
        )
        .await;
    // Each number that is not known with its own remedy.
    let both = "gate --version 1.2.1 --expr 'runs_late == 0 && runs_quiet == 0'";
    let ran = scene.run(both).await;
    ran.is(6);
    for remedy in [
        "runs_late not known: it needs the date of the release in the config (one typed on a board stays there)",
        "runs_quiet not known: runs were not read here on the days before",
    ] {
        says(&ran.err, remedy);
    }
    for (due, status) in [("2099-12-31", 0), ("2026-11-01", 1)] {
        due_on(&scene, due);
        let line = "gate --version 1.2.1 --expr 'runs_late == 0'";
        let ran = scene.run(line).await;
        ran.is(status);
        // No counts are kept here: only the date was looked at, and nothing is said of what is late already.
        let told = scene.run(&format!("{line} --format json")).await;
        let alone = told.json("gate_release")["by_date_alone"].as_u64().unwrap();
        assert_eq!(alone > 0, status == 0, "{told:?}");
        for words in [
            "runs_late is 0 (N runs by the date alone)",
            "\nby the date alone: not read for long enough here for a forecast",
        ] {
            let words = words.replace('N', &alone.to_string());
            assert_eq!(ran.out.contains(&words), status == 0, "{ran:?}");
        }
    }
}

/// Sets the day on which version 1.2.1 is due.
fn due_on(scene: &Scene, day: &str) {
    let config = scene.config();
    let config = config.split("[[profiles.test.due]]").next().unwrap();
    let due = format!("[[profiles.test.due]]\nversion = \"1.2.1\"\nat = \"{day}\"\n");
    scene.write_config(&format!("{config}{due}"));
}

/// That no run is late is not said of one of which nobody knows what is left.
#[tokio::test]
async fn an_open_run_that_does_not_tell_what_is_left_is_not_known_to_be_in_time() {
    let passed = json!([{"result": "2", "count": 57}]);
    let unread = json!([{"result": "1", "count": "many"}]);
    for (open, results, more, status) in [
        (true, None, "", 6),
        (false, None, "", 0),
        (true, Some(unread), "", 6),
        (true, Some(passed.clone()), "", 6),
        (true, Some(passed), "--unlisted-as-zero", 0),
    ] {
        let (scene, _service) = scripted(move |_, _| {
            let mut run = of_version(2, "1.2.1", open, [90, 3]);
            run["document"]["Root"]["DisplayFields"] = json!({"Result": results});
            listed(&[run])
        })
        .await;
        due_on(&scene, "2099-12-31");
        let line = "gate --version 1.2.1 --expr 'runs_late == 0'";
        let ran = scene.run(&format!("{line} {more}")).await;
        assert_eq!(ran.status, Some(status), "{open} {more:?}: {ran:?}");
    }
}

/// What is left is of open runs, what is not run of closed ones.
#[tokio::test]
async fn a_number_is_exact_where_the_runs_it_has_cases_of_tell_their_results() {
    for (silent_is_open, exact, unknown) in [(true, "not_run", "left"), (false, "left", "not_run")]
    {
        let (scene, _service) = scripted(move |_, _| {
            let mut silent = of_version(4, "1.2.1", silent_is_open, [0, 0]);
            silent["document"]["Root"]["DisplayFields"] = json!({});
            let told =
                [true, false].map(|open| of_version(2 + u64::from(open), "1.2.1", open, [90, 3]));
            listed(&[&told[..], &[silent]].concat())
        })
        .await;
        let line = |count: &str| format!("gate --version 1.2.1 --expr '{count} < 1000'");
        let ran = scene.run(&line(exact)).await;
        assert_eq!(ran.status, Some(0), "{exact}: {ran:?}");
        let ran = scene.run(&line(unknown)).await;
        assert_eq!(ran.status, Some(6), "{unknown}: {ran:?}");
        says(
            &ran.err,
            &format!("{unknown} not known: the service tells no results of R_4"),
        );
        lacks(&ran.err, "--unlisted-as-zero");
    }
}

#[tokio::test]
async fn the_criteria_of_the_profile_are_asked_of_a_version_alone() {
    let scene = a_release("").await;
    let line = "gate --version 1.2.1 --criteria";
    let none = ["--criteria", "has none", "[[profiles.test.criteria]]"];
    scene.refuses(line, 2, &none).await;
    for (line, words) in [
        ("gate R_4 --version 1.2.1 --expr 'left == 0'", "--version"),
        ("gate R_4 --criteria", "--criteria"),
        ("gate R_4 --expr 'left == 0' --every 5s", "--timeout"),
        ("gate --version 1.2.1", "--expr"),
        (
            "gate --version 1.2.1 --expr 'suites > 1'",
            "suites is a number of a run",
        ),
        (
            "gate R_4 --expr 'runs > 1'",
            "runs is a number of a release",
        ),
    ] {
        scene.refuses(line, 2, &[words]).await;
    }
    let criterion = |name: &str, expr: &str| {
        format!("[[profiles.test.criteria]]\nname = \"{name}\"\nexpr = \"{expr}\"\n")
    };
    let met = criterion("few failed", "failed_new <= 3");
    let scene = a_release(&met).await;
    scene.run(line).await.succeeds();
    // One that is met all the same needs none of its numbers.
    let either = criterion("either", "failed_new <= 3 || suites_in_no_run == 0");
    let quiet = criterion("quiet", "runs_quiet == 0");
    let scene = a_release(&(met.clone() + &either + &quiet)).await;
    let ran = scene.run(line).await;
    ran.is(6);
    says(&ran.out, "met: few failed: failed_new is 3");
    says(&ran.err, "runs_quiet not known");
    lacks(&ran.err, "suites_in_no_run");
    let scene = a_release(&(met + &criterion("none failed", "failed_new == 0"))).await;
    scene.run(line).await.is(1);
}

#[tokio::test]
async fn with_counts_kept_here_a_run_is_late_by_its_forecast() {
    let (scene, _service) = scripted(|_, _| {
        let mut run = of_version(2, "1.2.1", true, [90, 3]);
        run["document"]["Root"]["DisplayFields"]["Result"][0]["count"] = json!(600);
        listed(&[run])
    })
    .await;
    let now = jiff::Timestamp::now().as_millisecond();
    let minute = 60_000;
    let due = |days: i64| {
        let day = jiff::Zoned::now().date() + days.days();
        due_on(&scene, &day.to_string());
    };
    let gate = async |name: &str| {
        let line = format!("gate --version 1.2.1 --expr '{name} == 0'");
        scene.run(&line).await
    };
    due(90);
    let ran = gate("runs_late").await;
    ran.is(0);
    says(&ran.out, "runs_late is 0 (1 run by the date alone)");
    // Six cases an hour for ten hours: what is left takes a hundred more.
    let state = scene.home.path().join(".local/state/rundown");
    let samples = Samples::open(&state, 90, now).unwrap();
    let run = DocRef::parse("TestRun-dm/2").unwrap();
    for step in (1..=60).rev() {
        let mut counts = ResultCounts::default();
        for code in ResultCode::ALL {
            counts.add(code, 0);
        }
        counts.add(ResultCode::Passed, 90 - step);
        counts.add(ResultCode::FailedNew, 3);
        counts.add(ResultCode::Untested, 600 + step);
        let at = now - i64::try_from(step).unwrap() * 10 * minute;
        let sample = sample(at, 0, 0).with(|it| it.counts = Some(counts));
        samples
            .of_scope("test", "P_9/SP_1")
            .add(&run, &sample)
            .unwrap();
    }
    drop(samples);
    let ran = gate("runs_late").await;
    ran.is(0);
    says(&ran.out, "runs_late is 0");
    lacks(&ran.out, "by the date alone");
    // Due before that: it will not be done by then.
    due(1);
    let ran = gate("runs_late").await;
    ran.is(1);
    says(&ran.out, "runs_late is 1");
    gate("runs_quiet").await.is(0);
    // Counts that cannot be read are not counts that were never kept.
    std::fs::write(Samples::file(&state), "no database at all").unwrap();
    due(90);
    for name in ["runs_late", "runs_quiet"] {
        let ran = gate(name).await;
        ran.is(6);
        says(
            &ran.err,
            &format!("{name} not known: the counts kept here could not be read: "),
        );
    }
    // What does not rest on them has its own remedy.
    let lists = gate("suites_in_no_run").await;
    says(&lists.err, "--read-suites reads the lists");
    gate("blocked").await.is(0);
}
