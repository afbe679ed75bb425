//! `rundown report`: one file for those who do not open the program.

use crate::support::prelude::*;

use rundown::demo;
use rundown::domain::diff::{Change, News};
use rundown::domain::query_language::Range;
use rundown::domain::release::{ReportFormat, ReportRequest};
use rundown::domain::{DueOf, FieldDigests, RunField, Sample};
use rundown::mirror::{Presence, Run, RunCache};
use rundown::profile::{origin, report};
use rundown::samples::{RunHistory, RunNews, Samples, Unread};

use super::scene::Scene;
use super::schema::fits;
use crate::support::suites::suite;

const VERSION: &str = "1.2.1";
const CRITERIA: &str = "web_url = \"https://tests.example/run/{id}\"\n[[profiles.test.due]]\nversion = \"1.2.1\"\nat = \"2030-11-27\"\n\
    [[profiles.test.criteria]]\nname = \"no new failures <b>\"\nexpr = \"failed_new == 0\"\n\
    [[profiles.test.criteria]]\nname = \"runs are there\"\nexpr = \"runs > 3\"\n";

/// A release on which testers record results, and what was read of it in the last days.
async fn release() -> Scene {
    release_at(Some(Duration::from_secs(6))).await
}

/// The same with so much time between two results; nothing for none.
async fn release_at(live: Option<Duration>) -> Scene {
    let options = Options {
        runs: 0,
        release: true,
        live,
        ..Options::default()
    };
    let scene = Scene::with(options, CRITERIA).await;
    let mut profile = demo::profile(&scene.service.profile()).unwrap();
    // The service of the commands.
    profile.base_url = format!("{}/api", scene.proxy.base).parse().unwrap();
    profile.name = "test".into();
    let now = jiff::Timestamp::now().as_millisecond();
    let state = scene.home.path().join(".local/state/rundown");
    let runs = scene.service.at_work().unwrap();
    demo::keep(&state, &profile, &runs, true, now).unwrap();
    scene
}

fn read(scene: &Scene, name: &str) -> String {
    std::fs::read_to_string(scene.home.path().join(name)).unwrap()
}

/// Keeps a page for a browser, where that is wanted.
fn keep(name: &str, page: &str) {
    if let Some(folder) = std::env::var_os("RUNDOWN_REPORTS") {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(PathBuf::from(folder).join(name), page).unwrap();
    }
}

/// The JSON that is in a page.
fn data(page: &str) -> String {
    let data = page.split_once("<pre hidden id=\"data\">").unwrap().1;
    let data = data.split_once("</pre>").unwrap().0;
    let signs = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ];
    signs
        .iter()
        .fold(data.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[tokio::test]
async fn a_report_is_one_file_that_tells_what_the_board_and_the_gate_tell() {
    // Nobody records a result between the commands.
    let scene = release_at(None).await;
    let line = format!("report --version {VERSION}");
    scene.run(&format!("{line} --output r.html")).await.is(0);
    let page = read(&scene, "r.html");
    let told = scene.json(&line).await;
    fits("report", &told);
    // The data in the page is the same, and the same data makes the same bytes.
    assert_eq!(serde_json::from_str::<Value>(&data(&page)).unwrap(), told);
    scene
        .run(&format!("{line} --output again.html"))
        .await
        .is(0);
    assert_eq!(page, read(&scene, "again.html"));
    scene.run(&format!("{line} --output r.md")).await.is(0);
    let text = read(&scene, "r.md");
    begins(&text, "# Release 1.2.1 of P_9/SP_1\n");
    says(&text, "## Ready: no");
    // It adds up as the gate does.
    let left = told["sums"]["left"].as_u64().unwrap();
    let gate = format!(
        "gate --version {VERSION} --expr 'left == {left} && runs == {}'",
        told["sums"]["runs"]
    );
    scene.run(&gate).await.is(0);
    let cells = told["cells"].as_array().unwrap().iter();
    let of_cells: u64 = cells
        .map(|cell| cell["sums"]["left"].as_u64().unwrap())
        .sum();
    assert_eq!(of_cells, left);
    let runs = told["runs"].as_array().unwrap();
    let earlier = told["earlier_rounds"].as_array().unwrap();
    assert_eq!(
        runs.len() as u64,
        told["sums"]["runs"].as_u64().unwrap() + earlier.len() as u64
    );
    // One file: no script, nothing that is fetched, a chart that is read aloud.
    for foreign in ["<script", "http:", "https:", "src=", "@import", "url("] {
        lacks(&page, foreign);
    }
    for part in [
        "<svg role=\"img\"",
        "<title id=\"chart\">Burn-up.",
        "earlier rounds not counted",
        "Last week",
        "Due Wed 27 Nov 2030",
    ] {
        says(&page, part);
    }
    assert!(
        told["burn_up"]["points"]
            .as_array()
            .unwrap()
            .iter()
            .any(|it| !it.is_null())
    );
    let quiet = told["since"]["lines"].as_array().unwrap().iter();
    assert_eq!(quiet.filter(|line| line["became"] == "quiet").count(), 1);
    // As many runs as are to have room on four pages.
    let runs = runs.len()..21;
    let made =
        runs.map(|number| format!("runs create --version {VERSION} --title 'Round {number}'"));
    for line in made {
        scene.run(&line).await.is(0);
    }
    let page = scene.out(&format!("{line} --format html")).await;
    let told: Value = serde_json::from_str(&data(&page)).unwrap();
    assert_eq!(told["runs"].as_array().unwrap().len(), 21);
    keep("release.html", &page);
}

#[tokio::test]
async fn names_and_addresses_are_in_it_where_they_are_asked_for_and_texts_of_the_service_mean_nothing()
 {
    let scene = release().await;
    let other = scene.other().await;
    let canary = "<img src=x onerror=alert(1)> ](x) | `c` \u{202e}";
    let run = other.add_run(canary).await;
    let fields = [(RunField::Description, "a described thing")];
    other.modify(&run, &fields).await;
    let line = "report --version 1.2.0";
    let person = |text: &str| text.contains("okafor") || text.contains("edited_by");
    for (format, marks) in [
        ("html", ["<img", "\u{202e}"]),
        ("md", ["| <img", "\u{202e}"]),
        ("json", ["\u{202e}", "\u{202e}"]),
    ] {
        let text = scene.out(&format!("{line} --format {format}")).await;
        for mark in marks {
            lacks(&text, mark);
        }
        lacks(&text, "a described thing");
        lacks(&text, "tests.example");
        assert!(!person(&text), "{text}");
    }
    let text = scene
        .out(&format!("{line} --format html --names --links"))
        .await;
    assert!(person(&text), "{text}");
    says(&text, "<a href=\"https://tests.example/run/R_");
}

#[tokio::test]
async fn each_run_tells_when_it_is_due_and_how_its_suites_are_known() {
    let scene = release().await;
    let line = "report --version 1.2.1";
    let of_run = |told: &Value, id: &str| {
        let runs = told["runs"].as_array().unwrap().iter();
        runs.clone().find(|run| run["id"] == id).unwrap().clone()
    };
    let told = scene.json(line).await;
    fits("report", &told);
    let open = told["runs"].as_array().unwrap().iter();
    let is_open =
        |run: &&Value| run["status"] == "active" && run["results"]["untested"].as_u64() > Some(0);
    let open = open.filter(is_open);
    let ids: Vec<String> = open.map(|run| run["id"].as_str().unwrap().into()).collect();
    let (dated, other) = (&ids[0], &ids[1]);
    // Nothing was worked out, and a run without a date has that of the release.
    let run = of_run(&told, dated);
    assert_eq!(run["attached"], Value::Null);
    assert_eq!(run["due"], told["due"]);
    let text = scene.out(&format!("{line} --format md")).await;
    says(&text, "in the runs was not worked out here");
    // One has a date of its own that has passed; its suites were worked out.
    let now = jiff::Timestamp::now().as_millisecond();
    let state = scene.home.path().join(".local/state/rundown");
    let samples = Samples::open(&state, 90, now).unwrap();
    let of = DueOf::Run(DocRef::parse(run["ref"].as_str().unwrap()).unwrap());
    let yesterday = Some(now - 86_400_000);
    samples
        .of_scope("test", told["scope"].as_str().unwrap())
        .set_due(&of, yesterday)
        .unwrap();
    let scope = told["scope"].as_str().unwrap();
    let release = DueOf::Release("1.2.0".into());
    samples
        .of_scope("test", scope)
        .set_due(&release, yesterday)
        .unwrap();
    drop(samples);
    let typed = scene.out("report --version 1.2.0 --format md").await;
    says(&typed, "(set here): LATE.");
    // The verdict of the criteria is that of a gate, for which no date counts that is on this machine alone.
    let config = scene.config();
    let late = "expr = \"runs_late == 0\"";
    scene.write_config(&config.replace("expr = \"failed_new == 0\"", late));
    let ends = async |line: &str| scene.run(line).await.status;
    let gate = "gate --version 1.2.1 --criteria";
    let judged = ends("report --version 1.2.1 --criteria").await;
    assert_eq!(ends(gate).await, judged);
    assert_ne!(judged, Some(1));
    scene.write_config(&config);
    let attached = scene.json(&format!("suites attached {dated}")).await;
    let told = scene.json(line).await;
    fits("report", &told);
    let run = of_run(&told, dated);
    assert_eq!(run["is_late"], true);
    let known = run["attached"]["suites"].as_array().unwrap();
    let refs = |suites: &[Value]| -> BTreeSet<String> {
        let refs = suites
            .iter()
            .map(|it| it["ref"].as_str().unwrap().to_owned());
        refs.collect()
    };
    assert_eq!(refs(known), refs(attached["suites"].as_array().unwrap()));
    assert!(!known.is_empty() && run["attached"]["at"].is_string());
    assert_eq!(of_run(&told, other)["attached"], Value::Null);
    let text = scene.out(&format!("{line} --format md")).await;
    let row = |id: &str| {
        let start = format!("| {id} |");
        let (_, runs) = text.split_once("## Runs").unwrap();
        let found = runs.lines().find(|line| line.starts_with(&start));
        found.unwrap_or_else(|| panic!("{text}")).to_owned()
    };
    says(&text, "Due Wed 27 Nov 2030 23:59.");
    says(&row(dated), "open, due ");
    says(&row(dated), ": LATE");
    assert_eq!(run["attached"]["is_whole"], true);
    says(&row(dated), &format!("| {0} of {0} known |", run["suites"]));
    says(
        &row(other),
        &format!("| {} |", of_run(&told, other)["suites"]),
    );
    lacks(&row(other), "due");
    says(&text, "Known suites were worked out ");
}

#[tokio::test]
async fn a_report_ends_as_the_criteria_say_and_is_written_all_the_same() {
    let scene = release().await;
    let ran = scene
        .run("report --version 1.2.1 --criteria --output r.html")
        .await;
    ran.is(1);
    says(&ran.err, "not all criteria are met: the report says which");
    says(&read(&scene, "r.html"), "not met");
    // Whoever reads it has gone.
    scene
        .unread("report --version 1.2.1 --criteria")
        .await
        .is(1);
    let text = scene
        .config()
        .replace("failed_new == 0", "suites_in_no_run == 0");
    scene.write_config(&text);
    scene
        .run("report --version 1.2.1 --criteria --output r.md")
        .await
        .is(6);
    says(&read(&scene, "r.md"), "Ready: not known");
    let line = "report --version 1.2.1 --criteria --read-suites --format markdown";
    let ran = scene.run(line).await;
    ran.is(1);
    says(&ran.out, "## Suites in no open run");
    says(&ran.out, "can be added and are in no open run");
    scene.write_config(&text.replace("suites_in_no_run == 0", "failed_new < 9999"));
    scene
        .run("report --version 1.2.1 --criteria --output r.md")
        .await
        .is(0);
    scene
        .refuses(
            "report --version 7.7.7 --output no.html",
            6,
            &["no run of version 7.7.7"],
        )
        .await;
    scene
        .refuses(
            "report --version 1.2.1 --output r.txt",
            2,
            &[".txt", ".html, .md or .json"],
        )
        .await;
    assert!(!scene.home.path().join("no.html").exists());
}

#[tokio::test]
async fn cases_of_suites_that_were_added_from_here_are_told_as_such() {
    let scene = release().await;
    let told = scene.json("suites available R_13").await;
    let suite = told["suites"][0].clone();
    let (id, cases) = (suite["id"].as_str().unwrap(), &suite["total_cases"]);
    scene.run(&format!("suites add R_13 {id}")).await.is(0);
    let text = scene.out("report --version 1.2.1 --format md").await;
    says(&text, &format!("{cases} came by own adding"));
}

#[tokio::test]
async fn without_readings_of_before_it_says_so() {
    let options = Options {
        runs: 0,
        release: true,
        ..Options::default()
    };
    let scene = Scene::with(options, "cache = false\n").await;
    let text = scene.out("report --version 1.2.1 --format md").await;
    says(&text, "Not all runs were read before today.");
    says(&text, "no counts of before");
    says(&text, "Ready: no criteria are set");
    lacks(&text, "cannot be read");
    let state = scene.home.path().join(".local/state/rundown");
    // What was kept is no reason to have no report.
    std::fs::write(state.join("samples.sqlite"), "no database").unwrap();
    let text = scene.out("report --version 1.2.1 --format md").await;
    says(&text, "what was read before today cannot be read: ");
    says(&text, "Not all runs were read before today.");
    std::fs::remove_file(state.join("samples.sqlite")).unwrap();
    drop(std::fs::remove_file(state.join("journal.ndjson")));
    std::fs::create_dir_all(state.join("journal.ndjson")).unwrap();
    let text = scene.out("report --version 1.2.1 --format md").await;
    says(&text, "the journal here cannot be read");
}

#[tokio::test]
async fn many_configurations_stand_below_each_other() {
    let scene = Scene::usual().await;
    let other = scene.other().await;
    let run = other.add_run(&"x".repeat(120)).await;
    let configuration = "y".repeat(90);
    let fields = [(RunField::Configuration, &*configuration)];
    other.modify(&run, &fields).await;
    let page = scene.out("report --version 1.2.0 --format html").await;
    let told = scene.json("report --version 1.2.0").await;
    assert!(told["configurations"].as_array().unwrap().len() > 8);
    let (_, board) = page.split_once("<caption>Share done").unwrap();
    let (board, _) = board.split_once("</table>").unwrap();
    let cells = told["cells"].as_array().unwrap().len();
    // A row for each cell, one for all of them and the headings.
    assert_eq!(board.matches("<tr>").count(), cells + 2);
    keep("many.html", &page);
}

#[tokio::test]
async fn runs_that_were_closed_or_went_in_the_week_are_told_by_what_was_read_as_who_is_signed_in() {
    let scene = Scene::usual().await;
    let mut profile = demo::profile(&scene.service.profile()).unwrap();
    profile.username = None;
    let (state, now) = (new_folder(), jiff::Timestamp::now().as_millisecond());
    let results = counted([(ResultCode::Passed, 7)]);
    let run = RunRow {
        status: Status::Inactive,
        results: Some(results),
        ..RunRow::unknown(DocRef::parse("TestRun-dm/1").unwrap())
    };
    let history = RunHistory {
        samples: Samples::open(state.path(), 90, now).unwrap(),
        profile: profile.name.clone(),
        scope: profile.scope(),
        source: origin(&profile).with(|it| it.user = "mira".into()).key(),
    };
    let day = 86_400_000;
    let before = Sample::of(&run, now - 8 * day);
    let (name, scope) = (&profile.name, profile.scope());
    history
        .samples
        .of_scope(name, &scope)
        .add(&run.doc_ref, &before)
        .unwrap();
    let closed = News::Changed {
        changes: vec![Change::Closed],
        by: None,
    };
    let closed = RunNews::new(&run.doc_ref, "R_1", now - day, Some(&closed), Unread::Same);
    history.take_over(None, [(1, &closed)].into_iter()).unwrap();
    let gone = |number: u32| DocRef::parse(&format!("TestRun-dm/{number}")).unwrap();
    let news = |number: u32, news: &News| {
        let name = format!("R_{number}");
        RunNews::new(&gone(number), &name, now - day, Some(news), Unread::Same)
    };
    let suites = [suite(7).with(|it| it.title = Some("Export".into()))];
    // Of two that went the kept runs tell the version: one is of this release, the other of another one.
    let folder = new_folder();
    let mira = origin(&profile).with(|it| it.user = "mira".into());
    let mut cache = RunCache::open(folder.path(), &mira, false).unwrap();
    for (number, version) in [(5, VERSION), (6, "9.9")] {
        let item = news(number, &News::Vanished);
        history.take_over(None, [(1, &item)].into_iter()).unwrap();
        history
            .samples
            .of_scope(name, &scope)
            .add(&gone(number), &before)
            .unwrap();
        let row = RunRow {
            id: Some(format!("R_{number}")),
            version: Some(version.into()),
            status: Status::Active,
            ..RunRow::unknown(gone(number))
        };
        let run = Run::new(&row, now - day).with(|it| it.state = Presence::Gone);
        cache
            .put([(&run, FieldDigests::default())].into_iter())
            .unwrap();
    }
    let made = |user: Option<&str>, range: Range, format: ReportFormat| {
        let request = ReportRequest {
            version: VERSION.into(),
            runs: vec![(run.clone(), Some(now))],
            // The board's time is that of its oldest counts; this run was read just now.
            read_at: Some(now - 9 * day),
            is_complete: true,
            in_no_run: Some((suites.clone().into(), range)),
            not_read: Vec::new(),
            with_names: false,
            with_links: false,
            with_typed_dates: true,
            format,
        };
        let mut source = origin(&profile);
        if let Some(user) = user {
            source.user = user.into();
        }
        let folders = (state.path(), Some(folder.path()));
        let made = report(&profile, &source, folders, request).unwrap();
        made.text(format)
    };
    let told = |user: Option<&str>, range: Range| -> Value {
        serde_json::from_str(&made(user, range, ReportFormat::Json)).unwrap()
    };
    let mira = told(Some("mira"), Range::exactly(1));
    fits("report", &mira);
    assert_eq!(mira["since"]["lines"][0]["became"], "done");
    let lines = mira["since"]["lines"].as_array().unwrap();
    let away = lines.iter().filter(|line| line["became"] == "gone");
    assert_eq!(
        away.map(|line| &line["run"]["id"]).collect::<Vec<_>>(),
        ["R_5"]
    );
    assert_eq!(
        told(None, Range::UNKNOWN)["since"]["lines"][0]["became"],
        Value::Null
    );
    let text = |range: Range| made(Some("mira"), range, ReportFormat::Md);
    let known = text(Range::exactly(1));
    says(&known, "| Run | Became | Title | What changed |\n");
    says(&known, "| R_5 | gone |");
    says(&known, "| Export");
    // What is not known is not listed as if it were.
    lacks(&text(Range::UNKNOWN), "Export");
    says(
        &text(Range::UNKNOWN),
        "How many suites are in no open run is not known",
    );
    assert_eq!(told(None, Range::UNKNOWN)["suites_in_no_run"], Value::Null);
}

/// A run that stands still since an edit of long ago leaves neither out those that moved nor the forecast of all.
#[tokio::test]
async fn a_run_that_stands_still_is_in_the_chart_from_the_first_reading_of_all() {
    let scene = Scene::usual().await;
    let profile = demo::profile(&scene.service.profile()).unwrap();
    let (state, now) = (new_folder(), jiff::Timestamp::now().as_millisecond());
    let hour = 3_600_000;
    let first = now - 5 * 24 * hour;
    let row = |number: u32, passed: u64, edited: i64| {
        let results = counted([
            (ResultCode::Passed, passed),
            (ResultCode::Untested, 500 - passed),
        ]);
        RunRow {
            id: Some(format!("R_{number}")),
            version: Some(VERSION.into()),
            status: Status::Active,
            edited_on: Some(edited),
            results: Some(results),
            ..RunRow::unknown(DocRef::parse(&format!("TestRun-dm/{number}")).unwrap())
        }
    };
    let samples = Samples::open(state.path(), 90, now).unwrap();
    let (name, scope) = (&profile.name, profile.scope());
    let still = row(2, 7, first);
    let readings = (0..=5 * 24)
        .filter(|hours| hours % 24 < 9)
        .map(|hours| (first + hours * hour, row(1, hours as u64, first)));
    for (at, moving) in readings {
        for run in [&moving, &still] {
            samples
                .of_scope(name, &scope)
                .add(&run.doc_ref, &Sample::of(run, at))
                .unwrap();
        }
    }
    drop(samples);
    let of = |runs: Vec<RunRow>| -> Value {
        let request = ReportRequest {
            version: VERSION.into(),
            runs: runs.into_iter().map(|run| (run, Some(now))).collect(),
            read_at: Some(now),
            is_complete: true,
            in_no_run: None,
            not_read: Vec::new(),
            with_names: false,
            with_links: false,
            with_typed_dates: true,
            format: ReportFormat::Json,
        };
        let folders = (state.path(), None);
        let made = report(&profile, &origin(&profile), folders, request).unwrap();
        serde_json::from_str(&made.text(ReportFormat::Json)).unwrap()
    };
    let told = |edited: i64| of(vec![row(1, 5 * 24, first), row(2, 7, edited)]);
    // When it was edited makes no difference.
    let (long_ago, then) = (told(first - 4 * 24 * hour), told(first));
    for part in ["burn_up", "finish"] {
        assert_eq!(long_ago[part], then[part], "{part}");
    }
    let told = long_ago;
    assert_eq!(told["burn_up"]["runs"], 2);
    let from: jiff::Timestamp = told["burn_up"]["from"].as_str().unwrap().parse().unwrap();
    assert_eq!(from.as_millisecond(), first);
    assert_eq!(told["finish"]["state"], "band", "{}", told["finish"]);
    // A closed run that was never read here was not watched since its edit: minutes of readings are no hours.
    let minutes = |number: u64| {
        let samples = Samples::open(state.path(), 90, now).unwrap();
        for passed in 0..number {
            let run = row(3, passed, first);
            let sample = Sample::of(&run, now - (10 - passed.cast_signed()) * 60_000);
            samples
                .of_scope(name, &scope)
                .add(&run.doc_ref, &sample)
                .unwrap();
        }
        let closed = row(4, 500, first).with(|it| it.status = Status::Inactive);
        of(vec![row(3, number.saturating_sub(1), now), closed])["finish"]["why"].clone()
    };
    for number in [0, 9] {
        let why = minutes(number);
        says(why.as_str().unwrap(), "needs 2 h of readings");
    }
}

#[tokio::test]
async fn of_runs_whose_counts_are_gone_it_says_since_when_counts_are_kept() {
    let scene = Scene::usual().await;
    let profile = demo::profile(&scene.service.profile()).unwrap();
    let (state, now) = (new_folder(), jiff::Timestamp::now().as_millisecond());
    let day = 86_400_000;
    let row = |number: u32, status: Status| {
        let results = counted([(ResultCode::Passed, 7)]);
        RunRow {
            id: Some(format!("R_{number}")),
            version: Some(VERSION.into()),
            status,
            created_on: Some(now - 140 * day),
            edited_on: Some(now - 120 * day),
            results: Some(results),
            ..RunRow::unknown(DocRef::parse(&format!("TestRun-dm/{number}")).unwrap())
        }
    };
    // What is kept is of a run of another version.
    let other = row(1, Status::Active);
    let samples = Samples::open(state.path(), 90, now).unwrap();
    let scope = profile.scope();
    let of_scope = samples.of_scope(&profile.name, &scope);
    let told = Sample::of(&other, now - 80 * day);
    of_scope.add(&other.doc_ref, &told).unwrap();
    drop(samples);
    let of = |runs: &[RunRow]| {
        let request = ReportRequest {
            version: VERSION.into(),
            runs: runs.iter().map(|run| (run.clone(), Some(now))).collect(),
            read_at: Some(now),
            is_complete: true,
            in_no_run: None,
            not_read: Vec::new(),
            with_names: false,
            with_links: false,
            with_typed_dates: true,
            format: ReportFormat::Md,
        };
        let folders = (state.path(), None);
        let made = report(&profile, &origin(&profile), folders, request).unwrap();
        made.text(ReportFormat::Md)
    };
    let (closed, open) = (row(2, Status::Inactive), row(3, Status::Active));
    let (kept, not_read) = (
        "Counts are kept here since ",
        "Not all runs were read before today.",
    );
    let text = of(std::slice::from_ref(&closed));
    says(&text, kept);
    lacks(&text, not_read);
    let text = of(&[closed, open]);
    says(&text, not_read);
    lacks(&text, kept);
}

#[tokio::test]
async fn a_sync_that_brings_nothing_changes_no_byte() {
    let scene = release_at(None).await;
    let line = format!("report --version {VERSION} --format html");
    let before = scene.out(&line).await;
    for sync in ["sync --all", "sync"] {
        scene.run(sync).await.is(0);
        let after = scene.out(&line).await;
        let moved = before.lines().zip(after.lines()).find(|(a, b)| a != b);
        assert_eq!(moved, None);
        assert_eq!(before, after);
    }
}

/// A result that no edit dates is of the reading that brought it, also where the report was that reading.
#[tokio::test]
async fn what_was_recorded_since_the_last_reading_is_not_dated_by_it() {
    let scene = release_at(None).await;
    scene.run("sync").await.is(0);
    let sql =
        "UPDATE docs SET counts = json_replace(counts, '$[4]', json_extract(counts, '$[4]') + 1)";
    let database = rusqlite::Connection::open(scene.service.database()).unwrap();
    assert!(database.execute(sql, []).unwrap() > 0);
    let before = jiff::Timestamp::now();
    let line = format!("report --version {VERSION}");
    let told = scene.json(&line).await;
    let as_of: jiff::Timestamp = told["finish"]["as_of"].as_str().unwrap().parse().unwrap();
    assert!(as_of >= before, "{as_of}, {before}");
    assert_eq!(scene.json(&line).await, told);
}
