//! `rundown sync`, `rundown cache` and `runs list --local`: how often the service is asked, what is kept, and that nothing
//! is told twice or lost, however the program ends.

use crate::support::prelude::*;
use std::collections::HashMap;
use std::os::unix::fs::{DirEntryExt, PermissionsExt};
use std::sync::atomic::{AtomicBool, Ordering};

use rusqlite::Connection;

use super::runs::{page, scripted};
use super::scene::{Ran, Scene, has};

/// Lists that were asked for, and sign-ins.
fn asked(scene: &Scene) -> (usize, usize) {
    let count = |method| scene.proxy.count(method);
    (count("LIST_TEST_RUNS"), count("token"))
}

async fn sync(scene: &Scene, words: &str) -> Value {
    scene.told("sync", &format!("sync {words}")).await
}

/// A profile that keeps runs on this machine.
async fn keeping(options: Options) -> Scene {
    Scene::with(options, "cache = true").await
}

/// From now on its profile keeps them.
fn keep(scene: &Scene) {
    let config = scene.config();
    scene.write_config(&config.replace("realm =", "cache = true\nrealm ="));
}

/// Many runs, and a service that takes its time where that is said.
async fn many(latency: u64) -> Scene {
    let latency = Duration::from_millis(latency);
    keeping(Options {
        runs: 600,
        latency,
        ..Options::default()
    })
    .await
}

fn cache(scene: &Scene) -> PathBuf {
    let folder = std::fs::read_dir(scene.home.path().join(".cache/rundown"));
    let mut files = folder.unwrap().map(|entry| entry.unwrap().path());
    let file = files.find(|path| path.extension().is_some_and(|it| it == "sqlite"));
    file.unwrap()
}

/// What has this end beside it.
fn beside(scene: &Scene, end: &str) -> PathBuf {
    let mut name = cache(scene).into_os_string();
    name.push(end);
    name.into()
}

fn history(scene: &Scene) -> Connection {
    let file = ".local/state/rundown/samples.sqlite";
    Connection::open(scene.home.path().join(file)).unwrap()
}

#[tokio::test]
async fn few_calls_bring_the_runs_and_none_what_is_here() {
    let scene = keeping(Options::default().with(|it| it.runs = 1_000)).await;
    let first = sync(&scene, "").await;
    let (lists, sign_ins) = asked(&scene);
    // The open runs and the newest edits.
    let pages = first["open"].as_u64().unwrap().div_ceil(100) + 1;
    assert_eq!((lists as u64, sign_ins), (pages, 1));
    // Nothing is new at the first sight.
    let expected = json!({"calls": lists, "whole": true, "read": true, "appeared": 0});
    has(&first, &expected);
    // Read since, so that nobody signs in.
    let again = sync(&scene, "--max-age 10m").await;
    has(
        &again,
        &json!({"read": false, "whole": null, "open": first["open"]}),
    );
    assert_eq!(asked(&scene), (lists, 1));
    let all = scene.run("sync --all --format json").await;
    says(&all.err, "all runs take about ");
    let pages = all.json("sync")["runs"].as_u64().unwrap().div_ceil(100) + 1;
    assert_eq!((asked(&scene).0 - lists) as u64, pages);
    // What is here is what the service lists, and what a search finds in it.
    let by_reference = |ran: &Ran| {
        let list = ran.json("runs");
        let runs = list["runs"].as_array().unwrap().iter();
        let one = |run: &Value| (run["ref"].as_str().unwrap().to_owned(), run.clone());
        runs.map(one).collect::<HashMap<_, _>>()
    };
    for query in ["", "is:closed", "failed>0 (a or b)", "-is:closed or R_4"] {
        let line = format!("runs list --all --format json '--query={query}'");
        let theirs = scene.run(&line).await;
        let calls = asked(&scene);
        let ours = scene.run(&format!("{line} --local")).await;
        assert_eq!(asked(&scene), calls);
        begins(&ours.err, "rundown: from this machine: read at 20");
        says(&theirs.out, "TestRun-dm");
        assert_eq!(by_reference(&ours), by_reference(&theirs), "{query}");
    }
    let few = "--limit 5 --filter Root.General.Status:inactive --sort Root.General.Title";
    let few = scene.lines(&format!("runs list --local {few}")).await;
    let title = |run: &Value| run["title"].as_str().unwrap().to_lowercase();
    assert!(few.len() == 5 && few.is_sorted_by_key(title), "{few:?}");
    assert!(few.iter().all(|run| run["status"] == "inactive"));
    let words = title(&few[0]).to_uppercase();
    let found = scene
        .lines(&format!("runs list --local --fulltext '{words}'"))
        .await;
    assert!(found.contains(&few[0]), "{found:?}");
    for other in [
        "--filter Root.General.TenantId:x",
        "--filter Root.General.TestSuiteCount:3",
        "--filter Root.DisplayFields.TestersOfTestCases:mai",
        "--sort Root.Nothing",
    ] {
        let line = format!("runs list --local {other}");
        scene
            .refuses(&line, 2, &["--local filters by texts, and sorts by"])
            .await;
    }
}

#[tokio::test]
async fn what_others_changed_is_told_and_kept_and_what_was_written_from_here_is_no_news() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "").await;
    let first = "runs list --limit 1 --filter Root.General.Status:active";
    let first = scene.lines(first).await.remove(0);
    let id = first["id"].as_str().unwrap();
    // Somebody with another home, then this one.
    for (others, seen) in [(true, 1), (false, 0)] {
        let write = async |line: &str| {
            let mut command = scene.command(line);
            if others {
                command.env("XDG_STATE_HOME", scene.home.path().join("others"));
            }
            let ran = Ran::of(command).await;
            ran.is(0);
            ran.out
        };
        let told = async |member: &str| {
            has(&sync(&scene, "").await, &json!({ member: seen }));
        };
        write(&format!("runs modify {id} --title By-{others}")).await;
        told("changed").await;
        let made = write("runs create --title Brand-new --version 1.2.0").await;
        let made = made.trim().rsplit(' ').next().unwrap().to_owned();
        told("appeared").await;
        write(&format!("runs delete {made} --yes-delete {made}")).await;
        told("vanished").await;
    }
    let what = "SELECT group_concat(what, ' ' ORDER BY id) FROM changes";
    let what = history(&scene).query_row(what, (), |row| row.get::<_, String>(0));
    let expected = r#"["Root.General.Title"] ["appeared"] ["vanished"]"#;
    assert_eq!(what.unwrap(), expected);
}

#[tokio::test]
async fn what_another_profile_of_the_same_service_wrote_is_no_news() {
    let scene = keeping(Options::default()).await;
    let config = scene.config();
    let second = config.replace("[profiles.test]", "[profiles.second]");
    scene.write_config(&format!("{config}{second}"));
    let first = "runs list --limit 1 --filter Root.General.Status:active --profile test";
    let first = scene.lines(first).await.remove(0);
    let id = first["id"].as_str().unwrap();
    sync(&scene, "--profile test").await;
    let modify = format!("runs modify {id} --title Another --profile second");
    scene.run(&modify).await.is(0);
    let told = sync(&scene, "--profile test").await;
    has(&told, &json!({"changed": 0}));
}

#[tokio::test]
async fn a_run_has_vanished_only_where_the_service_says_that_there_is_none() {
    let (scene, other) = Scene::shared().await;
    keep(&scene);
    let run = other.add_run("One").await;
    sync(&scene, "").await;
    other.delete(&run).await;
    let other_code =
        br#"{"jsonrpc":"2.0","id":null,"error":{"code":-31999,"message":"try later"}}"#;
    let fault = Fault::Replace(200, other_code.to_vec());
    scene.proxy.fault_for("GET_DOCUMENT", fault);
    let ran = scene.run("sync --format json").await;
    ran.is(0);
    says(&ran.err, "is not seen in its list any more: ");
    let told = ran.json("sync");
    has(&told, &json!({"vanished": 0, "not_seen": 1}));
    // It is no row and in no sum, as on the screens.
    let kept = scene
        .run("runs list --local --limit 999 --all-versions --format json")
        .await;
    let listed = kept.json("runs");
    assert_eq!(listed["shown"], told["runs"], "{kept:?}");
    let refs = listed["runs"].as_array().unwrap().iter();
    assert!(refs.map(|it| &it["ref"]).all(|it| it != run.as_str()));
    scene.proxy.fault(Fault::None);
    let told = sync(&scene, "").await;
    has(&told, &json!({"vanished": 1, "not_seen": 0}));
}

#[tokio::test]
async fn a_run_has_not_vanished_where_the_list_of_its_id_holds_others() {
    let is_gone = Arc::new(AtomicBool::new(false));
    let gone = is_gone.clone();
    let (scene, _service) = scripted(move |call, _| match call["method"].as_str().unwrap() {
        "GET_DOCUMENT" => {
            json!({"jsonrpc": "2.0", "id": call["id"], "error": {"code": -32004, "message": "no such object"}})
        }
        _ if gone.load(Ordering::Relaxed) => page(2, 2..=3),
        _ => page(3, 1..=3),
    })
    .await;
    keep(&scene);
    sync(&scene, "").await;
    is_gone.store(true, Ordering::Relaxed);
    let ran = scene.run("sync --format json").await;
    ran.is(0);
    says(&ran.err, "R_1 is not seen in its list any more: ");
    has(&ran.json("sync"), &json!({"vanished": 0, "not_seen": 1}));
}

#[tokio::test]
async fn a_list_that_ends_early_twice_at_the_same_place_is_read_as_far_as_it_goes() {
    let (scene, _service) = scripted(|call, _| {
        let first = call["params"]["page"]["offset"] == 0;
        page(4, (1..=2).filter(move |_| first))
    })
    .await;
    keep(&scene);
    let ran = scene.run("sync --format json").await;
    ran.is(0);
    says(
        &ran.err,
        "the service lists fewer runs than it says there are",
    );
    has(&ran.json("sync"), &json!({"whole": false, "runs": 2}));
    let kept = scene
        .run("runs list --local --limit 9 --format ndjson")
        .await;
    assert_eq!(kept.lines().len(), 2);
    says(&kept.err, "not all ");
    scene.run("sync --max-age 1h").await.is(0);
    scene.refuses("runs list --local --all", 4, &[]).await;
    // What came short is read again however new it is, and told again.
    for _ in 0..2 {
        let ran = scene.run("sync --all --max-age 1h --format json").await;
        ran.is(0);
        has(&ran.json("sync"), &json!({"read": true, "whole": false}));
        says(&ran.err, "others may be missing here");
    }
}

#[tokio::test]
async fn it_says_how_it_ended() {
    let scene = many(100).await;
    scene
        .refuses("runs list --local", 4, &["rundown sync"])
        .await;
    let config = scene.config();
    for (given, instead, status, words) in [
        ("password_env = \"TEST_PASSWORD\"\n", "", 3, "not signed in"),
        ("cache = true", "cache = false", 2, "set cache = true in it"),
    ] {
        scene.write_config(&config.replace(given, instead));
        scene.refuses("sync", status, &[words]).await;
        if status == 2 {
            scene.refuses("runs list --local", status, &[words]).await;
        }
    }
    scene.write_config(&config);
    // The second page does not come: the first is kept.
    let cut = scene.start("sync --all");
    scene.until_passed("LIST_TEST_RUNS", 2).await;
    scene.proxy.go_down().await;
    Ran::ended(cut).await.refused(4, &[]);
    let kept = scene
        .run("runs list --local --limit 999 --format ndjson")
        .await;
    assert_eq!(kept.lines().len(), 100);
    says(&kept.err, "not read to the end");
    let part = "not all of these runs are here: rundown sync --all reads them";
    says(&kept.err, part);
    scene.refuses("runs list --local --all", 4, &[part]).await;
    scene.proxy.come_back();
    // What was cut short is read again.
    let again = sync(&scene, "--all --max-age 10m").await;
    has(&again, &json!({"read": true, "whole": true}));
    // What failed takes nothing from what was read before.
    scene.proxy.go_down().await;
    scene.refuses("sync --all", 4, &[]).await;
    scene.out("sync --all --max-age 1h").await;
    let cache = scene.told("cache", "cache").await;
    assert!(cache["caches"][0]["read_at"].is_string(), "{cache}");
    let kept = scene.run("runs list --local --all").await;
    begins(&kept.err, "rundown: from this machine: read at 20");
    // No run is kept after that, and nobody takes it for a project without any.
    scene.run("cache clear").await.is(0);
    for line in ["runs list --local", "since yesterday --local"] {
        scene.refuses(line, 4, &["rundown sync reads them"]).await;
    }
}

#[tokio::test]
async fn what_is_here_says_where_it_is_not_all() {
    let scene = many(0).await;
    let open = sync(&scene, "").await["open"].clone();
    let list = async |words: &str| {
        let ran = scene
            .run(&format!("runs list --local {words} --format json"))
            .await;
        ran.is(0);
        (ran.json("runs")["full_size"].clone(), ran.err)
    };
    let part = "not all of these runs are here";
    let (size, told) = list("").await;
    assert_eq!(size, Value::Null);
    says(&told, part);
    scene.refuses("runs list --local --all", 4, &[part]).await;
    let (size, told) = list("--all --query status:open").await;
    assert!(size == open && !told.contains(part), "{size} {told}");
    sync(&scene, "--all").await;
    let (size, told) = list("--all").await;
    assert!(size.is_u64() && !told.contains(part), "{size} {told}");
}

#[tokio::test]
async fn what_is_here_is_read_without_a_secret_and_without_the_samples() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "--all").await;
    let secret = "client_secret = ";
    let config = scene.config();
    let line = config.lines().find(|it| it.starts_with(secret)).unwrap();
    scene.write_config(&config.replace(line, "client_secret_command = \"touch asked\""));
    let mut command = scene.command("runs list --local");
    // Something else has the name of the folder.
    command.env("XDG_STATE_HOME", scene.home.path().join("config.toml"));
    Ran::of(command).await.is(0);
    assert!(!scene.home.path().join("asked").exists());
}

#[tokio::test]
async fn two_programs_read_once_and_one_that_is_killed_holds_nobody() {
    let scene = many(100).await;
    let start = || scene.start("sync --all --format json");
    let (one, other) = (start(), start());
    let (one, other) = tokio::join!(Ran::ended(one), Ran::ended(other));
    let read = |ran: &Ran| {
        ran.succeeds();
        let json = ran.json("sync");
        (json["read"].as_bool().unwrap(), json["runs"].as_u64())
    };
    let (one, other) = (read(&one), read(&other));
    assert_eq!((one.0 ^ other.0, one.1), (true, other.1));
    let once = asked(&scene).0;
    assert_eq!(once as u64, one.1.unwrap().div_ceil(100) + 1);
    let mut killed = start();
    let begun = Instant::now();
    scene.until_passed("LIST_TEST_RUNS", once + 2).await;
    let waits = start();
    killed.kill().await.unwrap();
    // At once, not after a minute.
    assert!(read(&Ran::ended(waits).await).0);
    assert!(begun.elapsed() < Duration::from_secs(30));
}

#[tokio::test]
async fn who_waits_for_one_that_is_cut_short_ends_as_that_one() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "").await;
    let calls = asked(&scene);
    let kept = Connection::open(cache(&scene)).unwrap();
    let now = jiff::Timestamp::now().as_millisecond();
    for status in [3, 4] {
        kept.execute("DELETE FROM readings WHERE reader = 7", ())
            .unwrap();
        // It is found under way, and when it is looked for again it has ended.
        let sql = "INSERT INTO readings VALUES ('', 1, ?2, ?1, ?1 + 30000, ?3, 'elsewhere', 1, 7)";
        for (of, ended) in [(-1, None), (status, Some(now))] {
            kept.execute(sql, (now, of, ended)).unwrap();
        }
        let words = "another rundown was reading, and was cut short; what came is kept";
        scene.refuses("sync", status, &[words]).await;
    }
    assert_eq!(asked(&scene), calls);
}

#[tokio::test]
async fn the_caches_are_shown_and_emptied_without_a_profile() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "--all").await;
    scene.write_config("broken");
    let calls = asked(&scene);
    let of = |told: &Value| {
        let cache = &told["caches"][0];
        (
            cache["runs"].as_u64().unwrap(),
            cache["bytes"].as_u64().unwrap(),
        )
    };
    let (runs, bytes) = of(&scene.told("cache", "cache").await);
    assert!(runs > 100 && bytes > 30_000, "{runs} {bytes}");
    let text = scene.out("cache").await;
    says(&text, "P_");
    says(&text, "Bytes");
    let cleared = of(&scene.told("cache", "cache clear").await);
    assert!(cleared.0 == 0 && cleared.1 < bytes, "{cleared:?}");
    assert_eq!(asked(&scene), calls);
    // What another version wrote is not this one's to remove.
    let (file, wal) = (cache(&scene), beside(&scene, "-wal"));
    let other = Connection::open(&file).unwrap();
    let own: i64 = other
        .query_row("SELECT version FROM schema", (), |row| row.get(0))
        .unwrap();
    let version = |number: i64| {
        let sql = "UPDATE schema SET version = ?1";
        other.execute(sql, [number]).unwrap();
    };
    version(7);
    let newer = scene.run("cache clear").await;
    newer.is(4);
    says(&newer.err, "use the newer rundown");
    version(own);
    assert!(wal.exists() && of(&scene.told("cache", "cache").await).0 == 0);
    // Neither what is damaged nor what cannot be looked for ends it.
    other.execute("DROP TABLE runs", ()).unwrap();
    drop(other);
    let ran = scene.run("cache").await;
    ran.is(0);
    says(&ran.err, "no such table: runs");
    let around = scene.home.path().join("around");
    std::os::unix::fs::symlink(&around, &around).unwrap();
    let mut elsewhere = scene.command("cache");
    elsewhere.env("XDG_CACHE_HOME", around);
    Ran::of(elsewhere)
        .await
        .refused(4, &["or set XDG_CACHE_HOME to"]);
    std::fs::write(&file, "a letter").unwrap();
    for left in ["-wal", "-journal", ".broken-1"] {
        std::fs::write(beside(&scene, left), "left").unwrap();
    }
    let ran = scene.run("cache clear").await;
    ran.is(0);
    says(&ran.err, "it is removed");
    let left = std::fs::read_dir(file.parent().unwrap()).unwrap();
    let left: Vec<_> = left.map(|it| it.unwrap().file_name()).collect();
    assert_eq!(left, ["CACHEDIR.TAG"]);
}

#[tokio::test]
async fn where_the_folder_is_none_nothing_is_said_of_what_is_kept() {
    let scene = keeping(Options::default()).await;
    let none = scene.home.path().join("none");
    std::fs::create_dir(&none).unwrap();
    std::fs::write(none.join("rundown"), "").unwrap();
    for (line, variable) in [
        ("runs list --local", "XDG_CACHE_HOME"),
        ("since --local", "XDG_STATE_HOME"),
        ("samples export", "XDG_STATE_HOME"),
    ] {
        let mut elsewhere = scene.command(line);
        elsewhere.env(variable, &none);
        let words = ["none/rundown", "something else has this name"];
        Ran::of(elsewhere).await.refused(4, &words);
    }
}

/// Drafts and the record of changes are no cache: a backup must not leave them out.
#[tokio::test]
async fn a_folder_that_has_more_than_caches_is_not_tagged_as_one() {
    let scene = keeping(Options::default()).await;
    let one = scene.home.path().join("one");
    for (state, is_tagged) in [(&one, false), (&scene.home.path().join("other"), true)] {
        let mut together = scene.command("sync");
        together
            .env("XDG_CACHE_HOME", &one)
            .env("XDG_STATE_HOME", state);
        Ran::of(together).await.is(0);
        assert_eq!(one.join("rundown/CACHEDIR.TAG").exists(), is_tagged);
    }
}

#[tokio::test]
async fn what_cannot_be_removed_keeps_no_other_cache_from_being_emptied() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "").await;
    std::fs::create_dir(cache(&scene).with_file_name("runs-old.sqlite.bak")).unwrap();
    let ran = scene.run("cache clear --format json").await;
    ran.is(4);
    says(&ran.err, "runs-old.sqlite.bak");
    says(&ran.err, "what could not be emptied is still there");
    assert_eq!(ran.json("cache")["caches"][0]["runs"], 0);
}

#[tokio::test]
async fn the_log_of_a_cache_that_is_open_is_left_whatever_the_folder_is_called() {
    let scene = keeping(Options::default()).await;
    let folder = scene.home.path().join("a.broken-1");
    let run = async |line: &str| {
        let mut command = scene.command(line);
        command.env("XDG_CACHE_HOME", &folder);
        Ran::of(command).await.is(0);
    };
    run("sync").await;
    // Each with the number by which it is told from another one of its name.
    let files = || {
        let entries = std::fs::read_dir(folder.join("rundown")).unwrap();
        let entries = entries.map(|it| it.unwrap());
        let mut files: Vec<_> = entries.map(|it| (it.path(), it.ino())).collect();
        files.sort();
        files
    };
    let mut file = files().into_iter().map(|(path, _)| path);
    let file = file.find(|it| it.extension().is_some_and(|it| it == "sqlite"));
    let open = Connection::open(file.unwrap()).unwrap();
    let sql = "SELECT count(*) FROM runs";
    open.query_row(sql, (), |row| row.get::<_, i64>(0)).unwrap();
    let before = files();
    assert!(before.len() > 3, "{before:?}");
    run("cache clear").await;
    assert_eq!(files(), before);
}

#[tokio::test]
async fn a_damaged_cache_and_a_disk_that_takes_nothing_are_told() {
    let scene = keeping(Options::default()).await;
    let all = sync(&scene, "--all").await;
    let file = cache(&scene);
    let half = std::fs::read(&file).unwrap();
    std::fs::write(&file, &half[..half.len() / 2]).unwrap();
    let ran = scene.run("sync --all --format json").await;
    ran.is(0);
    says(&ran.err, "was set aside as");
    has(
        &ran.json("sync"),
        &json!({"runs": all["runs"], "appeared": 0}),
    );
    // Something else has the name of the folder.
    let mut elsewhere = scene.command("sync");
    elsewhere.env("XDG_CACHE_HOME", scene.home.path().join("config.toml"));
    let words = ["config.toml", "something else has this name"];
    Ran::of(elsewhere).await.refused(4, &words);
    scene.out("cache clear").await;
    let ran = scene.run_with_room(60, "sync --all").await;
    ran.refused(4, &["cannot be kept or read"]);
    has(&sync(&scene, "--all").await, &json!({"runs": all["runs"]}));
}

/// What room there is on a full disk is made by the command that makes room.
#[tokio::test]
async fn a_cache_that_a_full_disk_has_no_room_to_open_is_removed_if_it_is_of_this_version() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "").await;
    let file = cache(&scene);
    let version = |change: i64| {
        let sql = "UPDATE schema SET version = version + ?1";
        Connection::open(&file)
            .unwrap()
            .execute(sql, [change])
            .unwrap();
    };
    let full = ["disk I/O error; check the disk, which may be full"];
    scene
        .run_with_room(1, "runs list --local")
        .await
        .refused(4, &full);
    version(4);
    let ran = scene.run_with_room(1, "cache clear").await;
    ran.is(4);
    says(&ran.err, "what could not be emptied is still there");
    version(-4);
    let ran = scene.run_with_room(1, "cache clear").await;
    ran.is(0);
    says(&ran.err, full[0]);
    says(&ran.err, "it is removed");
    assert!(!file.exists());
    scene.out("sync").await;
}

#[tokio::test]
async fn nobody_else_reads_it_and_no_secret_is_in_it() {
    let scene = keeping(Options::default()).await;
    sync(&scene, "--all").await;
    let password = scene.service.profile().password;
    let mut secrets = vec![password.expose_secret().as_bytes().to_vec()];
    for passed in scene.proxy.passed() {
        let token = passed.headers.get("authorization");
        secrets.extend(token.map(|token| token.as_bytes()[7..].to_vec()));
    }
    assert!(secrets.len() > 1);
    let home = scene.home.path();
    let mut folders = vec![home.join(".cache"), home.join(".local")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let (name, data) = (path.display(), std::fs::metadata(&path).unwrap());
            assert_eq!(data.permissions().mode() & 0o777, 0o600, "{name}");
            let bytes = std::fs::read(&path).unwrap();
            let has = |secret: &Vec<u8>| bytes.windows(secret.len()).any(|it| it == secret);
            assert!(!secrets.iter().any(has), "{name}");
        }
    }
}

/// Both databases are whole, and nothing is in them half or twice.
fn sound(scene: &Scene, cache: &Path) {
    for database in [Connection::open(cache).unwrap(), history(scene)] {
        let check: String = database
            .query_row("PRAGMA integrity_check", (), |row| row.get(0))
            .unwrap();
        assert_eq!(check, "ok");
    }
    let history = history(scene);
    let all = |sql: &str| -> Vec<(String, String)> {
        let mut statement = history.prepare(sql).unwrap();
        let rows = statement
            .query_map((), |row| Ok((row.get(0)?, row.get(1)?)))
            .unwrap();
        rows.map(Result::unwrap).collect()
    };
    // Of each count each change begins where the one before it ended.
    let mut known: HashMap<(String, String), i64> = HashMap::new();
    for (run, what) in all("SELECT run, what FROM changes ORDER BY id") {
        let what: Value = serde_json::from_str(&what).unwrap();
        for change in what.as_array().unwrap().iter().filter(|it| it.is_array()) {
            let code = change[0].as_str().unwrap().to_owned();
            let last = known.insert((run.clone(), code), change[2].as_i64().unwrap());
            assert!(
                last.is_none_or(|last| change[1] == last),
                "{run}: {last:?}, then {change}"
            );
        }
    }
    assert!(!known.is_empty(), "nothing has changed");
    let mut last: HashMap<String, String> = HashMap::new();
    for (run, counts) in all("SELECT CAST(run AS TEXT), counts FROM samples ORDER BY id") {
        let before = last.insert(run.clone(), counts.clone());
        assert_ne!(before.as_ref(), Some(&counts), "a sample of {run} twice");
    }
    // The newest sample is what the last change says.
    for (run, counts) in all(
        "SELECT runs.run, samples.counts FROM samples JOIN runs ON runs.id = samples.run WHERE samples.id IN (SELECT max(id) FROM samples GROUP BY run)",
    ) {
        let counts: HashMap<String, i64> = serde_json::from_str(&counts).unwrap();
        let of_run = known
            .iter()
            .filter(|((of, code), _)| *of == run && !code.starts_with("Root."));
        for ((of, code), count) in of_run {
            assert_eq!(
                counts.get(code).copied().unwrap_or(0),
                *count,
                "{of} at {code}"
            );
        }
    }
}

/// `RUNDOWN_KILLS=500 cargo test --test service killed_while` does it as often as that.
#[tokio::test]
async fn a_program_that_is_killed_while_it_reads_tells_nothing_twice_and_loses_nothing() {
    let kills = std::env::var("RUNDOWN_KILLS").map_or(20, |kills| kills.parse().unwrap());
    let options = Options {
        runs: 230,
        live: Some(Duration::from_millis(3)),
        page_limit: Some(20),
        ..Options::default()
    };
    let scene = keeping(options).await;
    scene.run("sync --all").await;
    let begun = Instant::now();
    scene.run("sync --all").await;
    let whole = begun.elapsed();
    for turn in 0..kills {
        let much = if turn % 2 == 0 {
            "--all"
        } else {
            "--max-age=1s"
        };
        let mut reading = scene.start(&format!("sync {much}"));
        // Every moment once, in an order without a pattern.
        tokio::time::sleep(whole * (turn * 37 % 101) / 100).await;
        reading.kill().await.unwrap();
        if turn % 50 == 49 {
            sound(&scene, &cache(&scene));
        }
    }
    scene.run("sync --all").await.is(0);
    sound(&scene, &cache(&scene));
}

/// What no reading can bring is not advised.
#[tokio::test]
async fn where_the_cache_has_no_room_for_all_runs_sync_and_local_lists_say_so() {
    let scene = keeping(Options::default().with(|it| it.runs = 1_600)).await;
    let config = scene.config();
    scene.write_config(&config.replace("cache = true", "cache = true\ncache_runs = 1000"));
    let ran = scene.run("sync --all").await;
    ran.is(0);
    says(&ran.err, "cache_runs of the profile holds no more");
    let full = "not all of these runs are here: cache_runs of the profile holds no more";
    scene.refuses("runs list --local --all", 4, &[full]).await;
    // Where there is room nothing is said of it.
    scene.write_config(&config);
    let ran = scene.run("sync --all").await;
    ran.is(0);
    lacks(&ran.err, "cache_runs");
    scene.run("runs list --local --all").await.is(0);
}
