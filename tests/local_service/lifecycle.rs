//! Starting, stopping, and the database between them.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::client::options;
use rundown::local_service::{Given, LocalService, Options, ServiceError};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use crate::client::{Client, at, default_client, new_document};

fn at_path(path: &Path) -> Options {
    options(|it| it.database = Some(path.to_owned()))
}

async fn error(options: Options) -> ServiceError {
    LocalService::start(options, |_, _| ()).await.unwrap_err()
}

async fn whole(client: &mut Client) -> Vec<Value> {
    let mut all = Vec::new();
    for project in ["P_9", "P_12"] {
        (client.project, client.sub) = (Some(project), None);
        all.extend(client.runs(json!({})).await);
    }
    all
}

#[tokio::test]
async fn the_same_seed_makes_the_same_data() {
    let mut one = default_client().await;
    let mut two = default_client().await;
    let mut other = Client::start(options(|it| it.seed = 2)).await;
    let (one, two, other) = (
        whole(&mut one).await,
        whole(&mut two).await,
        whole(&mut other).await,
    );
    assert_eq!(one.len(), 240);
    assert_eq!(one, two);
    assert_ne!(one, other);
}

#[tokio::test]
async fn the_default_data_shows_every_stage_of_work() {
    let mut client = default_client().await;
    let all = whole(&mut client).await;
    let some = |wanted: &dyn Fn(&Value) -> bool| {
        assert!(all.iter().any(|entry| wanted(&entry["document"]["Root"])));
    };
    let progress = |root: &Value| root["General"]["Progress"].as_u64().unwrap();
    let closed = |root: &Value| root["General"]["Status"] == "inactive";
    some(&|root| progress(root) == 0 && root["General"]["TestSuiteCount"].as_u64().unwrap() > 0);
    some(&|root| (20..80).contains(&progress(root)) && !closed(root));
    some(&|root| progress(root) == 100 && !closed(root));
    some(&|root| root["General"]["TestSuiteCount"] == 0);
    some(&closed);
    some(&|root| !root["Attachments"].as_array().unwrap().is_empty());
    some(&|root| {
        root["General"]["Description"]
            .as_str()
            .unwrap()
            .contains("\n\n")
    });
    for letters in ["Ü", "日本", "ا"] {
        some(&|root| root["General"]["Title"].as_str().unwrap().contains(letters));
    }
    for version in ["1.1.0", "1.2.0", "1.2.1"] {
        some(&|root| root["General"]["ProjectVersionNumber"] == version);
    }
    let here = all.iter().filter(|entry| {
        let general = at(entry, "document.Root.General");
        general["ProjectId"] == "P_9" && general["SubprojectId"] == "SP_1"
    });
    assert!(here.count() >= 137);
    assert!(
        all.iter()
            .any(|entry| entry["__meta"]["modifier"] == "SYSTEM")
    );
}

#[tokio::test]
async fn a_database_outlives_the_service_with_its_edits_secrets_and_tokens() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/service.db");
    let mut client = Client::start(at_path(&path)).await;
    assert_eq!(client.service.database(), path);
    let run = client.new_run().await;
    let old = client.profile.clone();
    client.service.stop().await;
    let calls = Arc::new(AtomicU64::new(0));
    let counter = Arc::clone(&calls);
    client.service = LocalService::start(at_path(&path), move |_, _| {
        counter.fetch_add(1, Ordering::Relaxed);
    })
    .await
    .unwrap();
    assert_eq!(calls.load(Ordering::Relaxed), 0, "nothing is made again");
    client.profile = client.service.profile();
    assert_eq!(
        client.profile.password.expose_secret(),
        old.password.expose_secret()
    );
    assert_eq!(
        client.profile.client_secret.expose_secret(),
        old.client_secret.expose_secret()
    );
    client.ok("GET_DOCUMENT", json!({ "docRef": run })).await;
}

#[tokio::test]
async fn other_parameters_and_foreign_files_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.db");
    LocalService::start(at_path(&path), |_, _| ())
        .await
        .unwrap()
        .stop()
        .await;
    for options in [
        Options {
            runs: 241,
            ..at_path(&path)
        },
        Options {
            suites: 79,
            ..at_path(&path)
        },
        Options {
            seed: 9,
            ..at_path(&path)
        },
    ] {
        let error = error(options).await;
        assert!(
            matches!(error, ServiceError::OtherParameters { .. }),
            "{error}"
        );
        let text = error.to_string();
        assert!(
            text.contains(path.to_str().unwrap())
                && text.contains("240 runs")
                && text.contains("delete"),
            "{text}"
        );
    }
    let letter = folder.path().join("letter.txt");
    std::fs::write(
        &letter,
        "dear reader, this is no database at all".repeat(40),
    )
    .unwrap();
    let error = error(at_path(&letter)).await;
    assert!(matches!(error, ServiceError::Foreign { .. }), "{error}");
    assert!(
        std::fs::read_to_string(&letter)
            .unwrap()
            .starts_with("dear reader"),
        "and left alone"
    );
}

#[tokio::test]
async fn a_half_made_database_is_made_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.db");
    let options = Options {
        runs: 20_000,
        ..at_path(&path)
    };
    let half = Arc::new(tokio::sync::Notify::new());
    let told = Arc::clone(&half);
    let (go_on, wait) = std::sync::mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let making = tokio::spawn(LocalService::start(options.clone(), move |done, _| {
        if done == 10_000 {
            told.notify_one();
            let _ = wait.lock().unwrap().recv();
        }
    }));
    half.notified().await;
    assert!(
        matches!(error(options.clone()).await, ServiceError::BeingMade { .. }),
        "two do not make one file"
    );
    making.abort();
    assert!(making.await.unwrap_err().is_cancelled());
    drop(go_on);
    assert!(
        !path.exists(),
        "an unfinished database never stands under its name"
    );
    let started = Instant::now();
    let service = loop {
        match LocalService::start(
            Options {
                runs: 300,
                ..at_path(&path)
            },
            |_, _| (),
        )
        .await
        {
            Ok(service) => break service,
            Err(ServiceError::BeingMade { .. }) if started.elapsed() < Duration::from_secs(30) => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            Err(error) => panic!("{error}"),
        }
    };
    service.stop().await;
    let names: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(names, ["service.db"], "nothing is left beside it");
}

#[tokio::test]
async fn leftovers_and_empty_files_are_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.db");
    std::fs::write(&path, "").unwrap();
    std::fs::write(
        folder.path().join("service.db.making"),
        "torn page".repeat(2000),
    )
    .unwrap();
    let mut client = Client::start(at_path(&path)).await;
    assert_eq!(whole(&mut client).await.len(), 240);
}

#[tokio::test]
async fn two_services_on_one_file_see_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("service.db");
    let one = Client::start(at_path(&path)).await;
    let two = Client::start(at_path(&path)).await;
    let before = one.size().await;
    assert_eq!(two.size().await, before);
    let body = json!({ "jsonrpc": "2.0", "id": "1", "method": "ADD_DOCUMENT",
        "params": { "document": new_document(), "documentModelName": "TestRun-dm" } })
    .to_string();
    for _ in 0..10 {
        let (left, right) = tokio::join!(one.post(body.clone()), two.post(body.clone()));
        assert!(
            left.1["error"].is_null() && right.1["error"].is_null(),
            "{left:?} {right:?}"
        );
        assert_ne!(left.1["result"], right.1["result"]);
    }
    assert_eq!(one.size().await, before + 20);
    assert_eq!(two.size().await, before + 20);
}

#[tokio::test]
async fn a_throw_away_folder_goes_with_the_service() {
    let stopped = LocalService::start(Options::default(), |_, _| ())
        .await
        .unwrap();
    let folder = stopped.database().parent().unwrap().to_owned();
    assert!(folder.exists());
    stopped.stop().await;
    assert!(!folder.exists());
    let dropped = LocalService::start(Options::default(), |_, _| ())
        .await
        .unwrap();
    let folder = dropped.database().parent().unwrap().to_owned();
    drop(dropped);
    assert!(!folder.exists());
}

#[tokio::test]
async fn stop_does_not_wait_for_a_slow_answer_and_the_address_is_free_again() {
    let client = Client::start(Options::default()).await;
    let address = client.service.address();
    client.service.stop().await;
    let slow = options(|it| (it.listen, it.latency) = (address, Duration::from_mins(10)));
    let service = LocalService::start(slow, |_, _| ()).await.unwrap();
    let url = format!("{}/v2/rpc", service.profile().base_url);
    let request = tokio::spawn(client.http.post(url).body("{}").send());
    tokio::time::sleep(Duration::from_millis(100)).await;
    let started = Instant::now();
    service.stop().await;
    assert!(started.elapsed() < Duration::from_mins(1));
    let answer = request.await.unwrap();
    assert!(
        answer.is_err() || answer.is_ok_and(|response| response.status() == 503),
        "told to go, or cut off"
    );
}

#[tokio::test]
async fn latency_comes_before_every_answer() {
    let latency = Duration::from_millis(60);
    let client = Client::start(options(|it| it.latency = latency)).await;
    let started = Instant::now();
    client.ok("LIST_TEST_RUNS", json!({})).await;
    client.sign_in(&client.password_form()).await;
    assert!(started.elapsed() >= latency * 2);
}

#[tokio::test]
async fn a_taken_address_is_told() {
    let client = default_client().await;
    let error = error(options(|it| it.listen = client.service.address())).await;
    assert!(matches!(error, ServiceError::Listen { .. }), "{error}");
}

#[tokio::test]
async fn progress_grows_to_the_end() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let into = Arc::clone(&seen);
    let options = options(|it| it.runs = 5_000);
    LocalService::start(options, move |done, total| {
        into.lock().unwrap().push((done, total));
    })
    .await
    .unwrap();
    let seen = seen.lock().unwrap();
    assert!(seen.len() > 5 && seen.is_sorted());
    let (done, total) = *seen.last().unwrap();
    assert_eq!(done, total);
}

#[tokio::test]
async fn a_profile_can_be_pasted_and_shows_no_secret_by_accident() {
    let client = default_client().await;
    let profile = &client.profile;
    let text = profile.toml("my demo", Given::default());
    let file: toml::Table = text.parse().unwrap();
    let table = file["profiles"]["my demo"].as_table().unwrap();
    let keys: Vec<&str> = table.keys().map(String::as_str).collect();
    let mut wanted = [
        "base_url",
        "idp_url",
        "realm",
        "client_id",
        "client_secret",
        "username",
        "project_id",
        "subproject_id",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!(
        table["base_url"].as_str().unwrap(),
        format!("http://{}/api", client.service.address())
    );
    let password = profile.password.expose_secret();
    assert!(text.starts_with(&format!("# password: {password}")));
    let shown = format!("{profile:?} {:?}", client.service);
    assert!(!shown.contains(password) && !shown.contains(profile.client_secret.expose_secret()));
}
