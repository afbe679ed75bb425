//! Without a person: what is there to sign in with is used once, and what is missing is said.

use super::scene::{Ran, Scene};
use super::support::scripted::tokens;
use super::watch::Watching;
use crate::support::prelude::*;

const LIST: &str = "runs list";
const GATE: &str = "gate R_4 --expr 'untested == 0' --timeout 50s --every 1s";

/// One run, of which this is all that is known.
fn listed(results: &Value) -> Value {
    let root = json!({"General": {"Id": "R_4"}, "DisplayFields": {"Result": results}});
    super::runs::listed(&[json!({"docRef": "TestRun-dm/4", "document": {"Root": root}})])
}

#[tokio::test]
async fn a_wrong_password_is_sent_once_and_ends_with_3() {
    let scene = Scene::usual().await;
    let mut command = scene.command(LIST);
    command.env("TEST_PASSWORD", "canary-wrong");
    let ran = Ran::of(command).await;
    ran.refused(
        3,
        &[
            "invalid_grant",
            "It is not sent again",
            "Username and password",
            "locked",
        ],
    );
    lacks(&ran.err, "canary");
    assert_eq!(
        (scene.proxy.count("token"), scene.proxy.passed().len()),
        (1, 1)
    );
}

#[tokio::test]
async fn what_a_sign_in_lacks_is_named_and_nothing_is_sent() {
    let scene = Scene::usual().await;
    let config = scene.config();
    let without = |word: &str| {
        config
            .lines()
            .filter(|line| !line.starts_with(word))
            .collect::<Vec<_>>()
            .join("\n")
    };
    for (lacks, words) in [
        (
            "password_env",
            "has no password, and without a screen nobody is asked for it. Set one of password_command, password_env (",
        ),
        (
            "username",
            "has no username, and without a screen nobody is asked for it. Set username (",
        ),
    ] {
        scene.write_config(&without(lacks));
        scene.refuses(LIST, 3, &[words, "profile test"]).await;
    }
    scene.write_config(&config);
    let mut command = scene.command(LIST);
    command.env_remove("TEST_PASSWORD");
    Ran::of(command)
        .await
        .refused(
            3,
            &["$TEST_PASSWORD is not set; password_env in [profiles.test] names it: set it where rundown is started"],
        );
    assert_eq!(scene.proxy.passed().len(), 0);
}

#[tokio::test]
async fn a_service_or_an_identity_provider_that_is_down_is_4() {
    let scene = Scene::usual().await;
    scene.proxy.fault_for(
        "LIST_TEST_RUNS",
        Fault::Replace(503, b"down for the night".to_vec()),
    );
    scene
        .refuses(
            LIST,
            4,
            &[
                "loading the runs",
                "the service is unavailable (503): down for the night",
                "Try again",
            ],
        )
        .await;
    scene.proxy.fault(Fault::None);
    scene.proxy.go_down().await;
    scene
        .refuses(
            LIST,
            4,
            &["signing in", "no connection to", "Check idp_url"],
        )
        .await;
}

/// As a reading is, but not where the password may have been counted.
#[tokio::test]
async fn a_sign_in_that_was_not_looked_at_is_tried_again() {
    let scene = Scene::usual().await;
    for (fault, more, status, sent) in [
        (Fault::status(503), "", 0, 2),
        (Fault::CutBefore, "--retry 1", 4, 1),
        (Fault::status(503), "--retry 0", 4, 1),
        (Fault::CutAfter, "", 4, 1),
    ] {
        let case = format!("{fault:?} {more}");
        let before = scene.proxy.count("token");
        scene.proxy.plan(true, 0, 1, fault);
        let ran = scene.run(&format!("{LIST} {more}")).await;
        assert_eq!(ran.status, Some(status), "{case}: {}", ran.err);
        assert_eq!(scene.proxy.count("token") - before, sent, "{case}");
    }
}

/// As long as the answer asks for.
#[tokio::test]
async fn a_sign_in_is_tried_again_when_the_identity_provider_asks_for_it() {
    let scene = Scene::usual().await;
    scene.proxy.plan(true, 0, 1, Fault::Busy(503, "4".into()));
    let begun = Instant::now();
    scene.run(LIST).await.is(0);
    assert!(begun.elapsed() >= Duration::from_secs(4));
    assert_eq!(scene.proxy.count("token"), 2);
}

/// In the middle of work of many calls, too, where the network is as it was.
#[tokio::test]
async fn a_session_that_is_ended_and_a_password_that_is_refused_by_then_are_3() {
    let (scene, other) = Scene::shared().await;
    let run = other.add_run("Not empty").await;
    let free = scene.free(&run).await;
    other.add_suites(&run, &free[..1]).await;
    let list = "GET_AVAILABLE_TEST_SUITES";
    let slow = Fault::delay(300);
    scene.proxy.fault_for(list, slow);
    let before = scene.proxy.count(list);
    let mut child = scene.start(&format!("suites attached {run}"));
    while scene.proxy.count(list) == before {
        assert!(child.try_wait().unwrap().is_none(), "it ended by itself");
        pause(5).await;
    }
    let refused = json!({"error": "invalid_grant"}).to_string();
    scene.proxy.fault(Fault::Replace(401, refused.into()));
    Ran::ended(child).await.refused(3, &["invalid_grant"]);
}

#[tokio::test]
async fn usage_and_config_are_2_and_nothing_is_sent() {
    let scene = Scene::usual().await;
    for line in [
        "runs",
        "runs list --format xml",
        "runs list --all --limit 3",
        "runs list --limit 0",
        "runs list --filter active",
        "runs list --sort 'A B C'",
        "runs show 4",
        "runs show TestSuite-dm/20744",
        "--profile none runs list",
    ] {
        scene.refuses(line, 2, &[]).await;
    }
    scene.write_config("broken");
    scene.refuses(LIST, 2, &["the config file is wrong"]).await;
    assert_eq!(scene.proxy.passed().len(), 0);
}

#[tokio::test]
async fn no_secret_is_ever_printed() {
    let scene = Scene::usual().await;
    let ran = scene.run("runs list --log log.txt --format json").await;
    ran.is(0);
    let log = std::fs::read_to_string(scene.home.path().join("log.txt")).unwrap();
    let served = scene.service.profile();
    let said = ran.out + &ran.err + &log;
    says(&log, "LIST_TEST_RUNS");
    assert!(
        !said.contains(served.password.expose_secret())
            && !said.contains(served.client_secret.expose_secret())
    );
}

/// Each try may be counted over there although no answer came: three of them, and nobody is locked out.
#[tokio::test]
async fn a_password_that_gets_no_answer_is_sent_three_times_at_most() {
    for words in [GATE, "watch R_4 --every 1s"] {
        let scene = Scene::usual().await;
        scene.proxy.fault_for("token", Fault::CutAfter);
        let ran = scene.run(words).await;
        assert_eq!(
            (ran.status, scene.proxy.count("token")),
            (Some(3), 3),
            "{words:?}: {}",
            ran.err
        );
        says(&ran.err, "not signed in");
        says(&ran.err, "three times");
    }
}

/// What a gateway says for an identity provider that is down judged no password: it is tried again until it is back.
#[tokio::test]
async fn an_identity_provider_that_is_down_is_waited_for() {
    let service = Scripted::start(|seen, before| match seen.is_token() {
        true if before < 3 => Say::bytes(503, "down for the night"),
        true => tokens(before, 3600),
        false => Say::result(seen, &listed(&json!([{"result": "1", "count": 0}]))),
    })
    .await;
    let scene = Scene::leading_to(&service.base).await;
    let ran = scene.run(GATE).await;
    ran.is(0);
    says(&ran.err, "503");
    assert_eq!(service.token_requests().len(), 4);
}

#[tokio::test]
async fn a_watch_outlives_a_realm_that_is_gone_for_a_while() {
    let service = Scripted::start(|seen, before| {
        if seen.is_token() {
            return match before {
                1 | 2 => Say::json(404, &json!({"error": "Realm does not exist"})),
                _ => tokens(before, 1),
            };
        }
        Say::result(
            seen,
            &listed(&json!([{"result": "1", "count": 100 - before}])),
        )
    })
    .await;
    let scene = Scene::leading_to(&service.base).await;
    let mut watching = Watching::start(&scene, "R_4 --every 2s --format ndjson");
    let mut told = Vec::new();
    while told.last().is_none_or(|it| it != "change") {
        let line = watching.line().await;
        let words = line["message"]
            .as_str()
            .unwrap_or("whether the realm is gone");
        assert!(words.contains("whether the realm is gone"), "{line}");
        told.push(line["type"].as_str().unwrap().to_owned());
    }
    assert_eq!(told, ["snapshot", "error", "error", "change"]);
}

#[tokio::test]
async fn a_line_end_behind_the_password_of_a_variable_is_none_of_it() {
    let scene = Scene::usual().await;
    let mut command = scene.command(LIST);
    let right = scene.service.profile().password.expose_secret().to_owned();
    command.env("TEST_PASSWORD", right + "\r\n");
    let ran = Ran::of(command).await;
    assert_eq!(ran.status, Some(0), "{}", ran.err);
}

/// Five starts by a timer with an old password: two of them send it.
#[tokio::test]
async fn starts_one_after_the_other_send_two_refused_passwords_and_say_when_the_next_may_be() {
    let scene = Scene::usual().await;
    let wrong = async |more: &str| {
        let mut command = scene.command(&format!("{LIST} {more}"));
        command.env("TEST_PASSWORD", "canary-wrong");
        let ran = Ran::of(command).await;
        (ran, scene.proxy.count("token"))
    };
    for sent in [1, 2] {
        let (ran, now) = wrong("").await;
        ran.refused(3, &["invalid_grant"]);
        assert_eq!(now, sent);
    }
    for _ in 0..3 {
        let (ran, sent) = wrong("").await;
        ran.refused(
            3,
            &[
                "refused twice",
                "sent again from",
                "at once with --sign-in-again, or once the config file has been changed.",
                "A new one from $TEST_PASSWORD waits, too,",
            ],
        );
        assert_eq!(sent, 2, "{}", ran.err);
    }
    let (_, sent) = wrong("--sign-in-again").await;
    assert_eq!(sent, 3);
    let state = std::fs::read_to_string(
        scene
            .home
            .path()
            .join(".local/state/rundown/refused-sign-ins.json"),
    )
    .unwrap();
    // Of the account, whatever its profiles are called.
    says(&state, " demo\"");
    lacks(&state, "\"test\"");
    lacks(&state, "canary");
    // Another config file may hold what is right.
    scene.write_config(&(scene.config() + "# mended\n"));
    let (ran, sent) = wrong("").await;
    ran.refused(3, &["invalid_grant"]);
    assert_eq!(sent, 4);
    // Once it was right, earlier ones count no more.
    let right = scene.run("runs list --sign-in-again").await;
    assert_eq!(right.status, Some(0), "{}", right.err);
    let (ran, sent) = wrong("").await;
    ran.refused(3, &["invalid_grant"]);
    assert_eq!(sent, 6);
}

#[tokio::test]
async fn where_refused_passwords_cannot_be_counted_that_is_told() {
    let scene = Scene::usual().await;
    let state = scene.home.path().join(".local/state");
    std::fs::create_dir_all(&state).unwrap();
    // Whoever may write everywhere cannot be kept from it by permissions.
    std::fs::write(state.join("rundown"), "").unwrap();
    let mut command = scene.command(LIST);
    command.env("TEST_PASSWORD", "canary-wrong");
    let told = "refused sign-ins cannot be counted, so each start sends the password: ";
    Ran::of(command).await.refused(3, &["invalid_grant", told]);
}

/// The run is read, and then nobody is let in any more.
#[tokio::test]
async fn a_change_whose_session_is_over_before_it_is_sent_ends_with_3() {
    let service = Scripted::start(|seen, before| match (seen.is_token(), before) {
        (true, 0) => tokens(0, 3600),
        (true, _) => Say::json(401, &json!({"error": "invalid_grant"})),
        (false, 0) => Say::result(
            seen,
            &json!({"docRef": "TestRun-dm/4", "document": {"Root": {"General": {"Id": "R_4"}}}}),
        ),
        (false, _) => Say::bytes(401, ""),
    })
    .await;
    let scene = Scene::leading_to(&service.base).await;
    let modify = "runs modify TestRun-dm/4 --title Mine";
    scene.refuses(modify, 3, &["not sent"]).await;
}

/// Three in a row: one that is answered begins anew.
#[tokio::test]
async fn a_sign_in_that_is_answered_in_between_counts_anew() {
    let answers = |seen: &Seen, before: usize| {
        if seen.is_token() {
            return match before {
                0 | 1 | 3 | 4 => Say::bytes(503, "down"),
                // A session that is over at once: no refresh token, and a short life.
                _ => Say::json(
                    200,
                    &json!({"access_token": format!("a{before}"), "expires_in": 1, "token_type": "Bearer"}),
                ),
            };
        }
        Say::result(
            seen,
            &listed(&json!([{"result": "1", "count": 5_usize.saturating_sub(before)}])),
        )
    };
    let service = Scripted::start(answers).await;
    let scene = Scene::leading_to(&service.base).await;
    let ran = scene.run(GATE).await;
    ran.is(0);
    assert!(
        service.token_requests().len() > 5,
        "{}",
        service.token_requests().len()
    );
}

/// No password goes out with a renewal: a fault of it passes like any other. One of the password that comes in its place
/// when it is refused does not.
#[tokio::test]
async fn a_renewal_that_fails_for_a_while_is_tried_again_within_a_reading() {
    for fault in [
        Fault::Busy(503, "1".into()),
        Fault::status(429),
        Fault::CutBefore,
    ] {
        let scene = Scene::usual().await;
        scene.proxy.plan(false, 0, 1, Fault::status(401));
        scene.proxy.plan(true, 1, 1, fault.clone());
        let begun = Instant::now();
        let ran = scene.run(LIST).await;
        let is_waited = begun.elapsed() >= Duration::from_secs(1);
        assert!(is_waited || !matches!(fault, Fault::Busy(..)), "{fault:?}");
        assert_eq!(
            (ran.status, scene.proxy.unplan()),
            (Some(0), 0),
            "{fault:?}: {}",
            ran.err
        );
        let passed = scene.proxy.passed();
        let tokens = passed.iter().filter(|it| it.method == "token");
        let grants: Vec<_> = tokens.map(|it| it.form()["grant_type"].clone()).collect();
        assert_eq!(
            grants,
            ["password", "refresh_token", "refresh_token"],
            "{fault:?}"
        );
    }
    let scene = Scene::usual().await;
    let refused = json!({"error": "invalid_grant"}).to_string();
    scene.proxy.plan(false, 0, 1, Fault::status(401));
    scene
        .proxy
        .plan(true, 1, 1, Fault::Replace(400, refused.into()));
    scene.proxy.plan(true, 0, 1, Fault::CutAfter);
    scene.refuses(LIST, 4, &["the connection broke"]).await;
    assert_eq!((scene.proxy.unplan(), scene.proxy.count("token")), (0, 3));
}
