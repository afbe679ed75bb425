//! What scripts ask for: fields, files, silence, tries, variables, addresses, counts over time.

use crate::support::prelude::*;
use std::os::unix::fs::{PermissionsExt, symlink};

use super::scene::{Ran, Scene};
use super::schema::fits;

#[tokio::test]
async fn only_the_fields_that_were_asked_for_are_printed_in_their_order() {
    let scene = Scene::usual().await;
    let list = "runs list --limit 2 --fields left,id,title,failed";
    let runs = scene.told("selected_runs", list).await;
    let run = runs["runs"][0].as_object().unwrap();
    assert_eq!(
        run.keys().collect::<Vec<_>>(),
        ["left", "id", "title", "failed"]
    );
    assert!(run["left"].is_u64(), "{run:?}");
    let lines = scene.lines(list).await;
    fits("selected_run", &lines[1]);
    assert_eq!(lines[1]["title"], runs["runs"][1]["title"]);
    let csv = scene.out(&format!("{list} --format csv")).await;
    assert_eq!(csv.lines().next(), Some("left,id,title,failed"));
    let table = scene.out(list).await;
    let heads: Vec<_> = table.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(heads, ["Left", "Id", "Title", "Failed"]);
    // The share done is a number, not known without counts.
    let list = "runs list --all --fields done_percent,total,left";
    let runs = scene.lines(list).await;
    let csv = scene.out(&format!("{list} --format csv")).await;
    assert_eq!(csv.lines().next(), Some("done_percent,total,left"));
    for (run, line) in runs.iter().zip(csv.lines().skip(1)) {
        fits("selected_run", run);
        let (total, left) = (run["total"].as_u64(), run["left"].as_u64());
        let share = |(total, left): (u64, u64)| ((total - left) * 100).checked_div(total);
        let percent = total.zip(left).and_then(share);
        assert_eq!(run["done_percent"].as_u64(), percent, "{run:?}");
        let percent = percent.map_or_else(String::new, |percent| percent.to_string());
        begins(line, &format!("{percent},"));
    }
    // A field is there once, and blanks behind a comma are none of its name.
    let csv = scene
        .out("runs list --limit 1 --fields 'id, title,id' --format csv")
        .await;
    assert_eq!(csv.lines().next(), Some("id,title"));
    // An object is printed as JSON where there are columns.
    for (field, words) in [("results", "\"passed\""), ("worked_out", "\"left\"")] {
        let list = format!("runs list --limit 1 --fields {field} --format markdown");
        says(&scene.out(&list).await, words);
    }
    let wrong = "runs list --fields id,done";
    scene
        .refuses(wrong, 2, &["no such field\n", "done_percent"])
        .await;
    // Programs get values, people words; the share done has one name for each.
    let list = "runs list --limit 9 --fields status,progress";
    let runs = scene.lines(list).await;
    let csv = scene.out(&format!("{list} --format csv")).await;
    let table = scene.out(&format!("{list} --format markdown")).await;
    let rows = csv.lines().skip(1).zip(table.lines().skip(2));
    for (run, (values, words)) in runs.iter().zip(rows) {
        let progress = run["progress"].to_string();
        let value = format!("{},{progress}", run["status"].as_str().unwrap());
        assert_eq!(values, value.replace("null", ""));
        assert!(progress == "null" || words.contains(&format!("{progress}%")));
    }
    let csv = scene.out("runs list --limit 1 --format csv").await;
    let mut heads = csv.lines().next().unwrap().split(',');
    assert!(!heads.any(|head| head == "done"), "{csv}");
    let wrong = "runs list --fields id,titel";
    scene
        .refuses(wrong, 2, &["no such field\n", "cases_with_tester"])
        .await;
    scene
        .refuses("runs list --fields tenant", 2, &["no such field"])
        .await;
}

#[tokio::test]
async fn data_goes_to_a_file_once_it_is_whole() {
    let scene = Scene::usual().await;
    let file = scene.home.path().join("runs.csv");
    let list = "runs list --all --format csv";
    let expected = scene.out(list).await;
    // The ending of the file says no format.
    let to_file = format!("{list} --output runs.csv");
    scene.out("runs list --all --output table.csv").await;
    let table = std::fs::read_to_string(scene.home.path().join("table.csv")).unwrap();
    assert_eq!(table, scene.out("runs list --all").await);
    let mode = |mode: u32| {
        let found = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(found & 0o777, mode);
    };
    assert_eq!(scene.out(&to_file).await, "");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    mode(0o600);
    // The next takes its place, with the rights that it had; one that fails does not.
    std::fs::write(&file, "old").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::status(403));
    scene.refuses(&to_file, 4, &["403"]).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "old");
    scene.proxy.fault(Fault::None);
    scene.out(&to_file).await;
    assert_eq!(std::fs::read_to_string(&file).unwrap(), expected);
    mode(0o644);
    // What a gate came to is written, too.
    let id = scene.json("runs list --limit 1").await["runs"][0]["id"].clone();
    let gate = format!(
        "gate {} --expr 'total < 0' --output gate.txt",
        id.as_str().unwrap()
    );
    let ran = scene.run(&gate).await;
    assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(1), "", ""));
    let text = std::fs::read_to_string(scene.home.path().join("gate.txt")).unwrap();
    says(&text, "does not hold");
    let names = std::fs::read_dir(scene.home.path()).unwrap();
    let names = names.map(|it| it.unwrap().file_name().into_string().unwrap());
    assert!(!names.into_iter().any(|name| name.starts_with(".rundown-")));
}

#[tokio::test]
async fn a_hyphen_in_the_place_of_a_file_is_standard_output() {
    let scene = Scene::usual().await;
    let list = "runs list --all --format csv";
    let expected = scene.out(list).await;
    assert_eq!(scene.out(&format!("{list} --output -")).await, expected);
    assert!(!scene.home.path().join("-").exists());
}

#[tokio::test]
async fn what_cannot_be_such_a_file_is_refused_before_anything_is_sent() {
    let scene = Scene::usual().await;
    let home = scene.home.path();
    std::fs::write(home.join("meant"), "mine").unwrap();
    symlink("meant", home.join("link")).unwrap();
    std::fs::create_dir(home.join("folder")).unwrap();
    for (place, words) in [
        ("link", "links are not followed"),
        ("folder", "is a folder: name a file in it"),
        ("folder/", "is a folder: name a file in it"),
        ("missing/", "is a folder: name a file in it"),
        (
            "/dev/null",
            "is no plain file, and nothing else is replaced: name another",
        ),
        (
            "missing/runs.csv",
            "--output: there is no folder missing: make it first",
        ),
        (
            "/proc/runs.csv",
            "--output: the folder /proc takes no files: name one elsewhere",
        ),
    ] {
        let line = format!("runs list --output {place}");
        scene.refuses(&line, 2, &["--output: ", words]).await;
    }
    assert_eq!(std::fs::read_to_string(home.join("meant")).unwrap(), "mine");
    for line in [
        "watch R_1 --output x",
        "watch R_1 --retry 3",
        "suites add R_1 S_1 --output x",
        "gate R_1 --expr 'failed < 1' --timeout 3s --retry 1",
        "runs list --retry 11",
        "config example --quiet",
        "--retry 2",
    ] {
        scene.refuses(line, 2, &[]).await;
    }
    assert_eq!(scene.proxy.passed().len(), 0);
}

#[tokio::test]
async fn a_disk_that_is_full_is_said_by_the_name_of_the_file_that_was_asked_for() {
    let scene = Scene::usual().await;
    let list = "runs list --all --format json --output full.json";
    let ran = scene.run_with_room(8, list).await;
    ran.is(4);
    says(
        &ran.err,
        "full.json cannot be written; make room on the disk, then try again",
    );
    lacks(&ran.err, ".rundown-");
    assert!(!scene.home.path().join("full.json").exists());
}

#[tokio::test]
async fn quiet_leaves_out_all_but_failures() {
    let scene = Scene::usual().await;
    let told = scene.run("runs list").await;
    says(&told.err, "shown; --all or --limit N");
    let ran = scene.run("runs list --quiet").await;
    ran.succeeds();
    assert_eq!(ran.out, told.out);
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::status(403));
    scene.refuses("runs list --quiet", 4, &["403"]).await;
}

#[tokio::test]
async fn a_reading_is_tried_again_as_often_as_was_asked_for() {
    let scene = Scene::usual().await;
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::status(503));
    let unavailable = ["loading the runs", "the service is unavailable (503)"];
    for (retry, calls) in [("", 3), (" --retry 0", 1), (" --retry 4", 5)] {
        let before = scene.proxy.count("LIST_TEST_RUNS");
        let line = format!("runs list{retry}");
        scene.refuses(&line, 4, &unavailable).await;
        assert_eq!(scene.proxy.count("LIST_TEST_RUNS") - before, calls);
    }
    // What does not pass by itself is asked for once.
    scene.proxy.fault_for("LIST_TEST_RUNS", Fault::status(403));
    let before = scene.proxy.count("LIST_TEST_RUNS");
    scene.refuses("runs list", 4, &["403"]).await;
    assert_eq!(scene.proxy.count("LIST_TEST_RUNS") - before, 1);
}

impl Scene {
    async fn with_variable(&self, name: &str, value: &str, line: &str) -> Ran {
        let mut command = self.command(line);
        command.env(name, value);
        Ran::of(command).await
    }
}

#[tokio::test]
async fn variables_stand_for_options_that_are_not_given() {
    let scene = Scene::usual().await;
    let list = "runs list --limit 1";
    let project = |scene: &Scene| {
        let passed = scene.proxy.passed();
        let header = &passed.last().unwrap().headers["project-id"];
        header.to_str().unwrap().to_owned()
    };
    let other = scene.with_variable("RUNDOWN_PROJECT", "P_77", list).await;
    assert_eq!(project(&scene), "P_77");
    // There is none; of a run that went it would be said otherwise.
    let remedy = "Check project and sub project, and whether this account may see them.";
    other.refused(4, &["no such project: P_77", remedy]);
    lacks(&other.err, "deleted");
    scene
        .with_variable("RUNDOWN_PROJECT", "P_77", &format!("{list} --project P_9"))
        .await;
    assert_eq!(project(&scene), "P_9");
    scene.with_variable("RUNDOWN_PROJECT", "", list).await.is(0);
    let log = scene.with_variable("RUNDOWN_LOG", "calls.log", list).await;
    log.is(0);
    let text = std::fs::read_to_string(scene.home.path().join("calls.log")).unwrap();
    says(&text, "LIST_TEST_RUNS");
    let write = "runs create --title T";
    for (name, value, line, words) in [
        (
            "RUNDOWN_PROFILE",
            "nosuch",
            list,
            "$RUNDOWN_PROFILE): no such profile",
        ),
        ("RUNDOWN_PROJECT", "nine", list, "$RUNDOWN_PROJECT: "),
        ("RUNDOWN_SUBPROJECT", "x", list, "$RUNDOWN_SUBPROJECT: "),
        (
            "RUNDOWN_READ_ONLY",
            "yes",
            list,
            "$RUNDOWN_READ_ONLY: expected 1 or true",
        ),
        ("RUNDOWN_READ_ONLY", "1", write, "read-only"),
    ] {
        let ran = scene.with_variable(name, value, line).await;
        ran.refused(2, &[words]);
    }
    // Nobody is refused for one that means nothing to a command.
    let path = scene
        .with_variable("RUNDOWN_PROJECT", "nine", "config path")
        .await;
    path.is(0);
    assert_eq!(scene.writes(), Vec::<String>::new());
}

#[tokio::test]
async fn counts_over_time_are_printed_from_this_machine() {
    let scene = Scene::usual().await;
    scene
        .refuses("samples export", 4, &["no counts are kept"])
        .await;
    scene.run("sync").await.is(0);
    let calls = scene.proxy.passed().len();
    let all = scene.out("samples export").await;
    says(
        all.lines().next().unwrap(),
        "run,ref,at,seen_until,clock_back,untested,passed",
    );
    let line: Vec<&str> = all.lines().nth(1).unwrap().split(',').collect();
    for name in [line[0], line[1]] {
        let one = scene.out(&format!("samples export {name}")).await;
        let lines: Vec<&str> = one.lines().collect();
        assert!(
            lines.len() > 1 && lines[1].starts_with(&line[..3].join(",")),
            "{one}"
        );
        let twice = format!("samples export {} {name} {}", line[1], line[0]);
        assert_eq!(scene.out(&twice).await, one);
    }
    scene.out("samples export --output samples.csv").await;
    let file = scene.home.path().join("samples.csv");
    assert_eq!(std::fs::read_to_string(file).unwrap(), all);
    with_no_secret(&scene);
    assert_eq!(scene.out("samples export").await, all);
    scene
        .refuses(
            "samples export R_99999",
            4,
            &["R_99999 is not known on this machine"],
        )
        .await;
    assert_eq!(scene.proxy.passed().len(), calls, "the service was asked");
}

/// Counts of one version would stand for all that was read since then.
#[tokio::test]
async fn a_report_begins_no_counts_for_a_profile_that_has_none() {
    let (scene, other) = Scene::shared().await;
    let config = scene.config();
    let anew = config.replace("[profiles.test]", "[profiles.anew]");
    scene.write_config(&format!("default_profile = \"test\"\n{config}{anew}"));
    let runs = scene.json("runs list --limit 1").await;
    let version = runs["runs"][0]["version"].as_str().unwrap();
    scene.run("sync").await.is(0);
    // What changed is known to both: it is of the service.
    other.add_run("One more").await;
    scene.run("sync").await.is(0);
    let line = format!("--profile anew report --version {version} --output report.md");
    scene.run(&line).await.is(0);
    scene
        .refuses("--profile anew samples export", 4, &["no counts are kept"])
        .await;
}

/// What a sign-in needs cannot be had here: a command that asks nothing of the service needs none of it.
fn with_no_secret(scene: &Scene) {
    let config = scene.config();
    let config = config.lines().filter(|it| !it.starts_with("client_secret"));
    let config = config.collect::<Vec<_>>().join("\n");
    let none = "[profiles.test]\nclient_secret_env = \"NOWHERE\"\n";
    scene.write_config(&config.replacen("[profiles.test]\n", none, 1));
}

#[tokio::test]
async fn a_run_is_opened_where_the_profile_says() {
    let scene = Scene::with(
        Options::default(),
        "web_url = \"https://web.example/r/{id}\"",
    )
    .await;
    let address = "https://web.example/r/R_4";
    let elsewhere = [address, "was not opened: there is no display here"];
    scene.refuses("open R_4", 4, &elsewhere).await;
    with_no_secret(&scene);
    scene.refuses("open R_4", 4, &elsewhere).await;
    assert_eq!(scene.proxy.passed().len(), 0);
    scene.write_config(&scene.config().replace("web_url", "# web_url"));
    scene.refuses("open R_4", 2, &["web_url is not set"]).await;
}

/// The code blocks of docs/scripting.md, as they stand there.
#[tokio::test]
async fn the_pipelines_of_the_docs_run() {
    let scene = Scene::usual().await;
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/scripting.md"));
    let text = text.unwrap();
    let blocks = text.split("```sh\n").skip(1);
    let blocks: Vec<&str> = blocks.map(|it| it.split("```").next().unwrap()).collect();
    let [nightly, weekly] = blocks[..] else {
        panic!("{text}");
    };
    let known = scene.command("");
    let programs = Path::new(env!("CARGO_BIN_EXE_rundown")).parent().unwrap();
    let shell = |script: &str| {
        let mut shell = tokio::process::Command::new("sh");
        let variables = known.as_std().get_envs();
        let variables = variables.filter_map(|(name, value)| Some((name, value?)));
        shell
            .args(["-c", script])
            .env_clear()
            .envs(variables)
            .env("PATH", format!("{}:/usr/bin:/bin", programs.display()))
            .current_dir(scene.home.path());
        shell
            .stdin(std::process::Stdio::null())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped());
        shell
    };
    let kept = |name: &str| std::fs::read_to_string(scene.home.path().join(name)).unwrap();
    for (query, status, words) in [
        ("failed_new<=3 failed>0", 0, "is within the limit"),
        ("failed_new>3", 1, "has too many new failures"),
    ] {
        let run = scene
            .json(&format!("runs list --limit 1 --query '{query}'"))
            .await;
        let run = run["runs"][0]["id"].as_str().unwrap().to_owned();
        let ran = Ran::of(shell(&nightly.replace("R_4", &run))).await;
        ran.is(status);
        assert!(ran.out.contains(&format!("{run} {words}")), "{ran:?}");
        assert!(kept("gate.json").contains(&run));
    }
    let ran = Ran::of(shell(weekly)).await;
    ran.is(0);
    assert!(kept("runs.csv").lines().count() > 10, "{ran:?}");
    assert!(kept("failing.md").starts_with("| "), "{ran:?}");
    assert!(kept("counts.csv").lines().count() > 10, "{ran:?}");
}
