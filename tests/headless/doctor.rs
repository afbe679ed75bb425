//! `rundown doctor`: each step where it does not hold, with what helps, and a report in which nothing of anybody stands.

use crate::support::prelude::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};

use rundown::mirror::RunsOrigin;

use super::progress::on_a_terminal;
use super::scene::{Ran, Scene};
use super::schema::fits;
use super::support::nobody_listens;
use super::support::scripted::tokens;
use crate::sign_in_words::private_tls;

const JSON: &str = "doctor --format json";
const BUNDLE: &str = "doctor --bundle report --yes";

/// What a walk found, which is what the schema describes: no write was sent, and not too much.
fn found(scene: &Scene, ran: &Ran) -> Value {
    let told: Value = serde_json::from_str(&ran.out).unwrap_or_else(|_| panic!("{ran:?}"));
    fits("doctor", &told);
    assert_eq!(told["status"], json!(ran.status), "{told:#}");
    assert_eq!(scene.writes(), [""; 0]);
    told
}

fn step<'a>(told: &'a Value, name: &str) -> &'a Value {
    let steps = told["steps"].as_array().unwrap();
    let found = steps.iter().find(|step| step["step"] == name);
    found.unwrap_or_else(|| panic!("no step {name} in {told:#}"))
}

/// The steps in this state.
fn in_state<'a>(told: &'a Value, state: &str) -> Vec<&'a str> {
    let steps = told["steps"].as_array().unwrap().iter();
    let steps = steps.filter(|step| step["state"] == state);
    steps.map(|step| step["step"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn where_all_holds_every_step_says_so_in_few_requests() {
    let scene = Scene::usual().await;
    let ran = scene.run(JSON).await;
    let told = found(&scene, &ran);
    assert_eq!((ran.status, &*ran.err), (Some(0), ""), "{told:#}");
    assert_eq!(in_state(&told, "holds").len(), 18, "{told:#}");
    assert_eq!(told["requests"], 18);
    assert_eq!(scene.proxy.passed().len(), 18);
    assert_eq!(
        (scene.proxy.count("token"), scene.proxy.count("GET")),
        (1, 2)
    );
    // No token and no password goes along with what only asks for an answer.
    let asks = scene
        .proxy
        .passed()
        .into_iter()
        .filter(|it| it.method == "GET");
    for ask in asks {
        assert!(ask.body.is_empty() && !ask.headers.contains_key("authorization"));
    }
    assert_eq!(step(&told, "token")["facts"]["seconds"], 300);
    let text = scene.out("doctor").await;
    for words in [
        "\nsign-in ",
        "qa is signed in",
        "all results are listed",
        "100 came of 100, 200 are refused",
    ] {
        says(&text, words);
    }
}

/// A set-up with one thing wrong, and what is said of it.
struct Broken {
    scene: Scene,
    /// The step, the exit status, words of the remedy, and a step that is not asked then.
    expected: (&'static str, i32, &'static str, Option<&'static str>),
}

impl Broken {
    /// Lines of the config file are others.
    async fn by(
        from: &str,
        to: &str,
        expected: (&'static str, i32, &'static str, Option<&'static str>),
    ) -> Self {
        Self::of(Scene::usual().await, from, to, expected)
    }

    fn of(
        scene: Scene,
        from: &str,
        to: &str,
        expected: (&'static str, i32, &'static str, Option<&'static str>),
    ) -> Self {
        let config = scene.config();
        assert!(config.contains(from), "{from}");
        scene.write_config(&config.replacen(from, to, 1));
        Self { scene, expected }
    }

    async fn tells(self) {
        let Self {
            scene,
            expected: (name, status, remedy, later),
        } = self;
        let ran = scene.run(JSON).await;
        let told = found(&scene, &ran);
        assert!(told["requests"].as_u64().unwrap() <= 20);
        let (one, first) = (
            format!("the step {name} does"),
            format!("the first is {name}"),
        );
        assert!(
            ran.err.contains(&one) || ran.err.contains(&first),
            "{}",
            ran.err
        );
        assert_eq!(told["status"], status, "{told:#}");
        let failed = in_state(&told, "does not hold");
        assert_eq!(failed.first(), Some(&name), "{told:#}");
        let one = step(&told, name);
        says(one["remedy"].as_str().unwrap(), remedy);
        assert!(one["found"].as_str().unwrap().len() > 3, "{one}");
        match later {
            Some(later) => {
                let later = step(&told, later);
                assert_eq!(later["state"], "not asked", "{told:#}");
                says(later["found"].as_str().unwrap(), "needs: ");
            }
            None => assert_eq!(step(&told, "search")["state"], "holds", "{told:#}"),
        }
        assert!(scene.proxy.passed().len() <= 20);
        // The words say it, too, and the report names nothing.
        let ran = scene.run(BUNDLE).await;
        says(&ran.err, name);
        let report = fs::read_to_string(scene.home.path().join("report")).unwrap();
        for private in [
            "127.0.0.1",
            "demo",
            "canary",
            "localhost",
            "P_9",
            &scene.home.path().to_string_lossy(),
        ] {
            lacks(&report, private);
        }
        says(&report, r#""state":"does not hold""#);
    }
}

#[tokio::test]
async fn a_config_file_that_is_not_there_or_not_right_is_the_first_step() {
    let scene = Scene::usual().await;
    fs::remove_file(scene.home.path().join("config.toml")).unwrap();
    let expected = (
        "config file",
        2,
        "make one with: rundown setup",
        Some("secret sources"),
    );
    Broken { scene, expected }.tells().await;
    let expected = ("config file", 2, "config check", Some("sign-in"));
    Broken::by("realm", "canary-realm", expected)
        .await
        .tells()
        .await;
}

#[tokio::test]
async fn open_permissions_are_told_with_what_closes_them() {
    for (mode, remedy, later) in [
        (0o644, "chmod 600", None),
        (0o666, "chmod go-w", Some("sign-in")),
    ] {
        let scene = Scene::usual().await;
        let path = scene.home.path().join("config.toml");
        fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
        let expected = ("permissions", 2, remedy, later);
        Broken { scene, expected }.tells().await;
    }
    let scene = Scene::usual().await;
    let folder = scene.home.path().join(".local/state/rundown");
    fs::create_dir_all(&folder).unwrap();
    fs::set_permissions(folder, Permissions::from_mode(0o777)).unwrap();
    let expected = ("folders", 4, "chmod 700", None);
    Broken { scene, expected }.tells().await;
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_told_and_none_is_made() {
    let scene = Scene::usual().await;
    scene.out("doctor").await;
    let left = |name: &str| scene.home.path().join(name).exists();
    assert!(!left(".local") && !left(".cache"));
    for folder in [".local", ".cache"] {
        let scene = Scene::usual().await;
        fs::write(scene.home.path().join(folder), "").unwrap();
        let expected = ("folders", 4, "something else has this name", None);
        Broken { scene, expected }.tells().await;
    }
    for (kept, remedy) in [
        ("samples.sqlite", "move the file away"),
        ("journal.ndjson/", "links are not followed"),
    ] {
        let scene = Scene::usual().await;
        let state = scene.home.path().join(".local/state/rundown");
        fs::create_dir_all(&state).unwrap();
        if kept.ends_with('/') {
            fs::create_dir(state.join(kept)).unwrap();
        } else {
            fs::write(state.join(kept), "no database").unwrap();
        }
        let expected = ("folders", 4, remedy, None);
        Broken { scene, expected }.tells().await;
    }
    // What is below is tried, too, as what writes there does.
    for below in ["drafts", "under_way", "left_off", "trash"] {
        let scene = Scene::usual().await;
        let state = scene.home.path().join(".local/state/rundown");
        fs::create_dir_all(&state).unwrap();
        fs::write(state.join(below), "").unwrap();
        let expected = ("folders", 4, "something else has this name", None);
        Broken { scene, expected }.tells().await;
    }
    let scene = Scene::usual().await;
    let served = scene.service.profile();
    let source = RunsOrigin {
        service: format!("{}/api", scene.proxy.base),
        realm: served.realm,
        user: served.username,
        project: served.project_id,
        subproject: Some(served.subproject_id),
    };
    let cache = scene.home.path().join(".cache/rundown");
    fs::create_dir_all(source.file(&cache)).unwrap();
    let expected = ("folders", 4, "links are not followed", None);
    Broken { scene, expected }.tells().await;
    let scene = Scene::usual().await;
    let told = found(&scene, &scene.run_with_room(0, JSON).await);
    let folders = step(&told, "folders");
    assert_eq!(folders["state"], "does not hold", "{folders}");
    assert!(folders.to_string().contains("/.local"), "{folders}");
    let closed = scene.home.path().join(".cache");
    fs::create_dir(&closed).unwrap();
    fs::set_permissions(&closed, Permissions::from_mode(0o500)).unwrap();
    // Nothing is closed to the superuser.
    if fs::write(closed.join("tried"), "").is_err() {
        let remedy = "give yourself the right to write there, or set XDG_CACHE_HOME";
        let expected = ("folders", 4, remedy, None);
        Broken { scene, expected }.tells().await;
    }
}

#[tokio::test]
async fn a_secret_that_cannot_be_had_is_told_and_the_network_is_tried_all_the_same() {
    let corrects = "Correct it in the profile.";
    for (from, to, status, remedy) in [
        ("TEST_PASSWORD", "CANARY_PASSWORD", 3, "Set it"),
        (
            "client_secret = ",
            "client_secret_command = \"false\" #",
            2,
            corrects,
        ),
    ] {
        let expected = ("secret sources", status, remedy, Some("sign-in"));
        let broken = Broken::by(from, to, expected).await;
        let told = found(&broken.scene, &broken.scene.run(JSON).await);
        assert_eq!(step(&told, "connection to the service")["state"], "holds");
        assert_eq!(broken.scene.proxy.count("token"), 0);
        broken.tells().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_a_port_and_a_certificate_are_told_apart() {
    let scene = Scene::usual().await;
    let base = format!("idp_url = \"{}\"", scene.proxy.base);
    let unknown = "idp_url = \"https://canary-host.invalid\"";
    let expected = (
        "host of the identity provider",
        4,
        "idp_url",
        Some("connection to the identity provider"),
    );
    Broken::of(scene, &base, unknown, expected).tells().await;

    let (_held, address) = nobody_listens();
    let scene = Scene::usual().await;
    let base = format!("base_url = \"{}/api", scene.proxy.base);
    let refused = format!("base_url = \"http://{address}/api");
    let expected = (
        "connection to the service",
        4,
        "nothing listens there",
        Some("project"),
    );
    let broken = Broken::of(scene, &base, &refused, expected);
    let told = found(&broken.scene, &broken.scene.run(JSON).await);
    assert_eq!(step(&told, "sign-in")["state"], "holds", "{told:#}");
    broken.tells().await;

    let scene = Scene::usual().await;
    let base = format!("idp_url = \"{}\"", scene.proxy.base);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/ca.pem");
    let untrusted = format!(
        "idp_url = \"https://{}\"\nca_certificate = \"{}\"",
        private_tls(),
        fixture.display()
    );
    let expected = (
        "connection to the identity provider",
        4,
        "as ca_certificate",
        Some("sign-in"),
    );
    let broken = Broken::of(scene, &base, &untrusted, expected);
    let told = found(&broken.scene, &broken.scene.run(JSON).await);
    says(
        step(&told, "connection to the identity provider")["found"]
            .as_str()
            .unwrap(),
        "not trusted here",
    );
    broken.tells().await;
}

#[tokio::test]
async fn a_realm_a_client_and_a_password_are_told_apart() {
    let expected = ("sign-in", 4, "Check idp_url and realm", Some("project"));
    Broken::by("realm = \"demo\"", "realm = \"canary-realm\"", expected)
        .await
        .tells()
        .await;
    let expected = ("sign-in", 3, "client_secret", Some("project"));
    Broken::by("client_secret = \"", "client_secret = \"canary-", expected)
        .await
        .tells()
        .await;
    // Nothing to sign in with, and nobody who could be asked later.
    let expected = ("sign-in", 3, "Set one of password_command", Some("project"));
    Broken::by("password_env", "# password_env", expected)
        .await
        .tells()
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn in_a_terminal_a_password_that_is_typed_at_each_start_is_no_fault() {
    let scene = Scene::usual().await;
    let config = scene.config();
    scene.write_config(&config.replacen("password_env", "# password_env", 1));
    let mut pty = on_a_terminal(&scene, JSON);
    assert_eq!(pty.ended().exit_code(), 0, "{}", pty.text());
    let told = String::from_utf8_lossy(pty.seen()).into_owned();
    says(
        &told,
        "no password is configured; rundown asks for it at the start",
    );
    says(&told, "needs: sign-in");
    lacks(&told, "does not hold");
    assert_eq!(scene.proxy.count("token"), 0);
}

#[tokio::test]
async fn a_refused_password_is_counted_as_any_without_a_person() {
    let scene = Scene::usual().await;
    let walk = async || {
        let mut command = scene.command(JSON);
        command.env("TEST_PASSWORD", "canary-wrong");
        let ran = Ran::of(command).await;
        lacks(&ran.out, "canary");
        (found(&scene, &ran), scene.proxy.count("token"))
    };
    for sent in [1, 2, 2] {
        let (told, tokens) = walk().await;
        assert_eq!((told["status"].as_u64(), tokens), (Some(3), sent));
    }
    let (told, _) = walk().await;
    let sign_in = step(&told, "sign-in");
    says(
        sign_in["found"].as_str().unwrap(),
        "refused twice in the last 15 minutes",
    );
    says(sign_in["remedy"].as_str().unwrap(), "--sign-in-again");
}

#[tokio::test]
async fn what_the_service_lacks_is_told_with_what_helps() {
    let expected = (
        "project",
        4,
        "Check project and sub project",
        Some("LIST_TEST_RUNS"),
    );
    Broken::by("project_id = \"P_9\"", "project_id = \"P_77\"", expected)
        .await
        .tells()
        .await;
    let lacking = options(|it| it.without_list_test_runs = true);
    let expected = ("LIST_TEST_RUNS", 4, "runs_source", None);
    Broken {
        scene: Scene::new(lacking).await,
        expected,
    }
    .tells()
    .await;
    // One right that is missing: told once, with what does without it.
    let denied = || Fault::Replace(403, br#"{"error":{"code":-32006}}"#.to_vec());
    let scene = Scene::usual().await;
    scene.proxy.fault_for("LIST_TEST_RUNS", denied());
    let told = found(&scene, &scene.run(JSON).await);
    for later in ["page size", "sorting", "counts", "search"] {
        let found = &step(&told, later)["found"];
        assert_eq!(found, "needs: LIST_TEST_RUNS", "{later}");
    }
    let scene = Scene::usual().await;
    scene.proxy.fault_for("LIST_TEST_RUNS", denied());
    let expected = (
        "LIST_TEST_RUNS",
        4,
        "runs_source = \"list_documents\"",
        Some("page size"),
    );
    Broken { scene, expected }.tells().await;
    let clamped = options(|it| it.page_limit = Some(30));
    let expected = ("page size", 4, "page_size of the profile to 30", None);
    Broken {
        scene: Scene::new(clamped).await,
        expected,
    }
    .tells()
    .await;
    let counts_alone = json!({"result": {"fullSize": 165, "entries": []}, "filterItemMap": {}});
    let scene = Scene::usual().await;
    scene
        .proxy
        .fault_for("LIST_TEST_RUNS", Fault::Answer(counts_alone));
    let told = found(&scene, &scene.run(JSON).await);
    let remedy = step(&told, "page size")["remedy"].clone();
    says(remedy.as_str().unwrap(), "It counts runs and sends none");
    let short = options(|it| it.token_seconds = 1);
    let expected = ("token", 4, "access tokens of some minutes", None);
    let broken = Broken {
        scene: Scene::new(short).await,
        expected,
    };
    let told = found(&broken.scene, &broken.scene.run(JSON).await);
    assert_eq!(in_state(&told, "does not hold"), ["token"], "{told:#}");
}

#[tokio::test]
async fn a_list_that_does_not_come_keeps_the_others_from_being_asked() {
    let expected = (
        "LIST_DOCUMENTS",
        4,
        "it ends in /api",
        Some("LIST_TEST_RUNS"),
    );
    let elsewhere = Broken::by("/api\"", "/canary/api\"", expected).await;
    elsewhere.tells().await;
    for (status, exit, remedy) in [(401, 3, "Sign in again"), (503, 4, "Try again in a while")] {
        let expected = ("LIST_DOCUMENTS", exit, remedy, Some("search"));
        let scene = Scene::usual().await;
        scene
            .proxy
            .fault_for("LIST_DOCUMENTS", Fault::Replace(status, b"canary".into()));
        Broken { scene, expected }.tells().await;
    }
}

#[tokio::test]
async fn the_time_of_a_call_stands_in_its_own_row() {
    let slow = Fault::Delay(Duration::from_millis(600));
    let barred = Fault::Replace(404, b"no".to_vec());
    for (fault, state, least) in [(slow, "holds", 600), (barred, "does not hold", 0)] {
        let scene = Scene::usual().await;
        scene.proxy.fault_for("LIST_DOCUMENTS", fault);
        let told = found(&scene, &scene.run(JSON).await);
        let milliseconds = |name: &str| step(&told, name)["milliseconds"].as_u64().unwrap();
        assert_eq!(step(&told, "LIST_DOCUMENTS")["state"], state, "{told:#}");
        assert!(milliseconds("LIST_DOCUMENTS") >= least, "{told:#}");
        assert!(milliseconds("project") < 300, "{told:#}");
    }
    // A project that is not there is what its own call says.
    let scene = Scene::usual().await;
    let slow = Fault::Delay(Duration::from_millis(600));
    scene.proxy.fault_for("LIST_DOCUMENTS", slow);
    let config = scene.config().replace("\"P_9\"", "\"P_77\"");
    scene.write_config(&config);
    let told = found(&scene, &scene.run(JSON).await);
    assert_eq!(step(&told, "project")["state"], "does not hold", "{told:#}");
    assert!(
        step(&told, "project")["milliseconds"].as_u64() >= Some(600),
        "{told:#}"
    );
}

#[tokio::test]
async fn an_address_that_leads_elsewhere_is_told_so() {
    let server = Scripted::start(|_, _| {
        Say::bytes(302, "").header("location", "http://portal.example/login?x=canary")
    })
    .await;
    let scene = Scene::leading_to(&server.base).await;
    let told = found(&scene, &scene.run(JSON).await);
    for name in [
        "connection to the service",
        "connection to the identity provider",
    ] {
        let found = step(&told, name)["found"].as_str().unwrap();
        says(found, "leads to http://portal.example,");
    }
    lacks(&told.to_string(), "canary");
}

/// A service of one run with a clock, orders and a list of its own.
async fn scripted(
    answer: impl Fn(&Seen) -> Option<Value> + Send + Sync + 'static,
    date: &'static str,
) -> Scene {
    let run = |number: u64| {
        json!({"docRef": format!("TestRun-dm/{number}"), "canary-member": {"canary-name": 1}, "__meta": {"creator": "canary-user"},
            "document": {"Root": {
                "General": {"Id": format!("R_{number}"), "Title": "canary-title", "Description": "canary-description"},
                "Metadata": {"EditedBy": "canary-user", "EditedOn": 1_700_000_000_000_u64 + number, "CreatedOn": number},
                "Attachments": [{"FileName": "canary-file.png"}],
                "DisplayFields": {"Result": [{"result": "2", "count": 7, "label": "canary-label"}], "TestersOfTestCases": ["canary-tester"]}}}})
    };
    let server = Scripted::start(move |seen, before| {
        let said = if seen.body.is_empty() {
            Say::bytes(405, "")
        } else if seen.is_token() {
            tokens(before, 3600)
        } else if let Some(error) = answer(seen) {
            Say::json(
                200,
                &json!({"jsonrpc": "2.0", "id": seen.id(), "error": error}),
            )
        } else {
            let by_id = !seen.json()["params"]["filter"]["filters"].is_null();
            let entries = if by_id {
                vec![run(2)]
            } else {
                vec![run(2), run(1)]
            };
            let list = json!({"fullSize": entries.len(), "page": {}, "entries": entries});
            let result = match &*seen.method() {
                "LIST_TEST_RUNS" => {
                    json!({"result": list, "filterItemMap": {"canary-path": ["canary-value"]}})
                }
                _ => list,
            };
            Say::result(seen, &result)
        };
        if date.is_empty() {
            said
        } else {
            said.header("date", date)
        }
    })
    .await;
    // The config file and the user are private, too.
    let scene = Scene::leading_to(&server.base.replace("127.0.0.1", "localhost")).await;
    let config = scene
        .config()
        .replace("username = \"qa\"", "username = \"canary-user\"");
    scene.write_config(&config);
    scene
}

#[tokio::test]
async fn a_clock_an_order_and_an_odd_count_are_told() {
    let expected = ("clock", 4, "Set the clock", None);
    let scene = scripted(|_| None, "Sun, 06 Nov 1994 08:49:37 GMT").await;
    Broken { scene, expected }.tells().await;

    // One order is refused, and of another nothing is heeded: the rows stand in the order of their ids.
    let refuses = |seen: &Seen| {
        let order = seen.json()["params"]["sort"][0]["order"]
            .as_str()
            .unwrap_or_default()
            .to_owned();
        order
            .starts_with("Root.General.Title")
            .then(|| json!({"code": -32602, "message": "canary-message"}))
    };
    let scene = scripted(refuses, "").await;
    let told = found(&scene, &scene.run(JSON).await);
    let sorting = &step(&told, "sorting")["facts"];
    assert_eq!(sorting["not_sorted"], json!(["title"]), "{told:#}");
    assert_eq!(step(&told, "counts")["facts"]["unlisted"], 20);
    says(
        step(&told, "counts")["remedy"].as_str().unwrap(),
        "--unlisted-as-zero",
    );
    let expected = ("sorting", 4, "leave these out", None);
    Broken { scene, expected }.tells().await;
}

/// Titles, descriptions, users, files, members and messages of the service, and names of this machine.
#[tokio::test]
async fn nothing_that_was_read_is_in_the_report() {
    let failing = |seen: &Seen| {
        let whole = json!({"code": "canary-code", "message": "canary-message", "data": {"title": "canary", "logId": "canary"}});
        (seen.method() == "LIST_DOCUMENTS").then_some(whole)
    };
    for fails in [false, true] {
        let scene = scripted(move |seen| failing(seen).filter(|_| fails), "").await;
        let ran = scene.run(BUNDLE).await;
        says(&ran.out, "canary");
        let path = scene.home.path().join("report");
        let report = fs::read_to_string(&path).unwrap();
        says(&ran.out, &report);
        assert_eq!(path.metadata().unwrap().mode() & 0o7777, 0o600);
        for private in [
            "canary",
            "localhost",
            "127.0.0.1",
            "http://",
            "P_9",
            "TEST_PASSWORD",
        ] {
            lacks(&report, private);
        }
        let kinds: Vec<Value> = report
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let of = |kind: &str| kinds.iter().filter(|it| it["type"] == kind).count();
        assert_eq!((of("report"), of("step")), (1, 18));
        assert!(of("field") > 10, "{report}");
        says(
            &report,
            r#""path":"document.Root.General.Title","holds":"string","times":2,"shortest":12,"longest":12"#,
        );
        assert_eq!(report.contains(r#""status":200"#), fails);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_is_written_after_a_yes_into_a_new_file_of_ones_own() {
    let scene = Scene::usual().await;
    let at = |name: &str| scene.home.path().join(name);
    for (answer, written) in [("n\r", false), ("\r", false), ("y\r", true)] {
        let mut pty = on_a_terminal(&scene, "doctor --bundle report");
        pty.wait_for("[y/N]");
        assert!(!at("report").exists());
        pty.press(answer);
        assert!(pty.ended().success());
        assert_eq!(at("report").exists(), written, "{answer:?}");
    }
    let before = scene.proxy.passed().len();
    fs::write(at("target"), "theirs").unwrap();
    symlink(at("target"), at("link")).unwrap();
    symlink(at("nowhere"), at("dangling")).unwrap();
    for name in ["report", "link", "dangling"] {
        let line = format!("doctor --bundle {name} --yes");
        scene
            .refuses(&line, 2, &["is there already and is not written over"])
            .await;
    }
    scene
        .refuses(
            "doctor --bundle other",
            2,
            &["no terminal to ask in", "--yes"],
        )
        .await;
    scene
        .refuses("doctor --bundle no/other --yes", 2, &["there is no folder"])
        .await;
    assert_eq!(scene.proxy.passed().len(), before);
    assert_eq!(fs::read_to_string(at("target")).unwrap(), "theirs");
    assert!(!at("nowhere").exists());
}
