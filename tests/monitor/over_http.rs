//! The feed, the samples and the monitor, with others at work.

use crate::support::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rundown::config::{MonitorSettings, Profile, ProjectSettings};
use rundown::domain::Notify;
use rundown::domain::diff::News;
use rundown::samples::Samples;
use rundown::store::What;

use super::support::samples_of::sample;
use super::support::{desk::Desk, suite};
use super::{Scene, scene};

fn each_second(profile: &mut Profile) {
    profile.refresh_seconds = 1;
}

/// The monitor has been read.
async fn until_read(desk: &mut Desk) {
    let read = |desk: &Desk| desk.store.monitor().unwrap().read_at.is_some();
    desk.until_that("the first reading", read).await;
}

/// So many more readings than `before` have been asked for.
async fn until_more(scene: &mut Scene, before: usize, more: usize) {
    let Scene { desk, proxy, .. } = scene;
    let asked = |_: &Desk| proxy.count("LIST_TEST_RUNS") >= before + more;
    desk.until_that("more readings", asked).await;
}

fn news(desk: &Desk) -> Vec<String> {
    let told = |entry: &rundown::store::FeedEntry| match &entry.what {
        What::News(news) => Some(format!("{} {news}", entry.name)),
        What::Statement { .. } => None,
    };
    desk.store.feed().entries.iter().filter_map(told).collect()
}

fn of_a_count(entry: &rundown::store::FeedEntry) -> bool {
    match &entry.what {
        What::News(News::Changed { changes, .. }) => {
            changes.iter().any(|it| it.path().ends_with("Result"))
        }
        _ => false,
    }
}

fn counted(desk: &Desk) -> bool {
    desk.store.feed().entries.iter().any(of_a_count)
}

fn open_run(desk: &Desk) -> RunRow {
    let rows = desk.store.runs().runs().iter().map(|run| run.row());
    let mut open =
        rows.filter(|row| row.status == Status::Active && row.version.as_deref() == Some("1.2.0"));
    open.next().unwrap()
}

#[tokio::test]
async fn what_two_others_write_is_told_without_a_key() {
    let mut scene = scene(options(|it| it.runs = 30), each_second).await;
    let run = open_run(&scene.desk);
    let (one, two) = (scene.other().await, scene.other().await);
    one.add_run("Made by another").await;
    scene
        .until_that("the new run", |desk| {
            news(desk).iter().any(|told| told.contains("appeared"))
        })
        .await;
    two.close(&run.doc_ref).await;
    let closed = format!("{} closed", run.name());
    scene
        .until_that("the closed run", |desk| {
            news(desk).iter().any(|told| told.starts_with(&closed))
        })
        .await;
    scene.press(&["H", "2"]);
    scene.says("All, newest first");
    scene.says("closed");
    scene.says("new");
    assert_eq!(news(&scene.desk).len(), 2, "{:?}", news(&scene.desk));
}

#[tokio::test]
async fn changes_seen_before_are_here_at_the_next_start() {
    let mut scene = scene(options(|it| it.runs = 30), each_second).await;
    let run = open_run(&scene.desk);
    let other = scene.other().await;
    other.add_run("Made by another").await;
    let told =
        |words: &'static str| move |desk: &Desk| news(desk).iter().any(|told| told.contains(words));
    scene.until_that("the new run", told("appeared")).await;
    let mut desk = scene.desk.again(scene.profile.clone());
    desk.until_that("what was seen before", told("appeared"))
        .await;
    desk.until("\nrun 1 of").await;
    other.close(&run.doc_ref).await;
    desk.until_that("the closed run", told("closed")).await;
    let both = news(&desk);
    assert!(both.len() == 2 && both[0].contains("closed"), "{both:?}");
    desk.press_until(&[":", "project P_12", "Enter"], "P_12")
        .await;
    desk.until("\nrun 1 of").await;
    assert_eq!(news(&desk), [""; 0]);
    desk.press(&[":", "project P_9 SP_1", "Enter"]);
    desk.until_that("both", |desk| news(desk) == both).await;
}

#[tokio::test]
async fn bars_move_and_the_feed_tells_it_while_testers_work() {
    let live = options(|it| (it.runs, it.live) = (30, Some(Duration::from_millis(50))));
    let mut scene = scene(live, each_second).await;
    scene.press(&["M"]);
    scene.until_that("counts that changed", counted).await;
    scene
        .until_that("when runs will be done", |desk| {
            let runs = &desk.store.monitor().unwrap().runs;
            !runs.is_empty() && runs.iter().all(|run| run.outlook.is_some())
        })
        .await;
    scene.says("Monitor: open runs of P_9/SP_1");
    scene.says("cases left");
    assert_eq!(scene.asked_by_id(), [""; 0], "whole pages of the list");
    // What was seen is in the database, for other programs too. Testers may be done with any one run by then.
    let samples = Samples::open(
        scene.folder.path(),
        90,
        jiff::Timestamp::now().as_millisecond(),
    )
    .unwrap();
    scene
        .until_that("two samples of a run that changed", |desk| {
            let runs = &desk.store.monitor().unwrap().runs;
            let entries = desk.store.feed().entries.iter();
            let mut changed = entries.filter(|entry| of_a_count(entry));
            changed.any(|entry| {
                let run = entry.run.as_ref().unwrap();
                let watched = runs.iter().any(|known| known.run.doc_ref == *run);
                watched
                    && samples
                        .of_scope("demo", "P_9/SP_1")
                        .of(run, 0)
                        .unwrap()
                        .len()
                        >= 2
            })
        })
        .await;
}

/// Waits until the first reading of a run is on the disk.
async fn until_kept(desk: &Desk, run: &DocRef) {
    let samples = Samples::open(desk.folder.path(), 90, 0).unwrap();
    let begun = Instant::now();
    while samples
        .of_scope("demo", "P_9/SP_1")
        .of(run, 0)
        .unwrap()
        .is_empty()
    {
        assert!(begun.elapsed() < Duration::from_secs(15), "nothing is kept");
        pause(5).await;
    }
}

/// The list was read once yesterday, and the program ended; today it is started again.
#[tokio::test]
async fn who_looks_once_a_day_sees_what_is_new_since_yesterday() {
    let scene = scene(options(|it| it.runs = 30), |_| {}).await;
    assert!(scene.proxy.count("LIST_TEST_RUNS") <= 2);
    let run = scene.store.here().doc_ref.clone();
    until_kept(&scene.desk, &run).await;
    scene.lacks("new failures");

    let service = rusqlite::Connection::open(scene.service.database()).unwrap();
    let one_more =
        "UPDATE docs SET counts = json_replace(counts, '$[4]', json_extract(counts, '$[4]') + 1)
        WHERE seq = (SELECT seq FROM runs WHERE ref = ?1)";
    let id = run.as_str().rsplit_once('/').unwrap().1;
    let id: uuid::Uuid = id.parse().unwrap();
    let file = scene.folder.path().join("samples.sqlite");
    let history = rusqlite::Connection::open(file).unwrap();
    let a_day_before = "UPDATE samples SET at = at - 86400000, seen_until = seen_until - 86400000";
    assert!(history.execute(a_day_before, []).unwrap() > 0);
    assert_eq!(service.execute(one_more, [id.as_bytes()]).unwrap(), 1);
    let mut desk = scene.desk.again(scene.profile.clone());
    desk.press_until(&["r"], "3 New failures 1").await;
    // What was said of the reading goes with the next key.
    desk.press(&["j", "k"]);
    desk.until("with new failures").await;
    let screen = desk.screen();
    let row = screen.lines().find(|line| line.contains("+1"));
    let name = desk.store.here().name().to_owned();
    assert!(row.is_some_and(|row| row.contains(&name)), "{screen}");
}

#[tokio::test]
async fn a_service_that_goes_leaves_the_numbers_and_comes_back_by_itself() {
    let mut scene = scene(options(|it| it.runs = 30), each_second).await;
    scene.press_until(&["Space", "Space", "M"], "read ").await;
    until_read(&mut scene.desk).await;
    scene.proxy.go_down().await;
    scene.until("OLD: read").await;
    assert!(
        scene.screen().contains("2 runs") && scene.screen().contains("cases left"),
        "the numbers stay: {}",
        scene.screen()
    );
    scene.proxy.come_back();
    scene.until("the service answers again").await;
    scene.lacks("OLD: read");
}

#[tokio::test]
async fn without_list_test_runs_the_monitor_says_that_there_are_no_counts() {
    let options = options(|it| (it.runs, it.without_list_test_runs) = (30, true));
    let mut scene = scene(options, |_| {}).await;
    scene
        .press_until(&["Space", "M"], "no results from this service")
        .await;
    assert_eq!(
        scene.proxy.count("LIST_TEST_RUNS"),
        1,
        "asked once, and never again"
    );
}

#[tokio::test]
async fn a_limit_that_is_crossed_runs_the_program_of_the_config_once() {
    let place = new_folder();
    let file = place.path().join("called");
    let program = format!("printf '%s\\n' \"$1\" >> {}", file.display());
    let notify = Notify::Command(vec!["sh".into(), "-c".into(), program, "sh".into()]);
    let mut scene = scene(options(|it| it.runs = 30), |profile| {
        profile.refresh_seconds = 1;
        profile.monitor = MonitorSettings::default().with(|it| it.notify = notify);
        profile.watch = ProjectSettings::default().with(|it| it.limit = Some("suites <= 0".into()));
    })
    .await;
    let other = scene.other().await;
    let run = other.add_run("Still $(empty) `run`").await;
    scene.press_until(&["r"], "Still $(empty)").await;
    scene.press(&["Home"]);
    for _ in 0..30 {
        if scene.store.here().doc_ref == run {
            break;
        }
        scene.press(&["j"]);
    }
    let pressed = i64::try_from(std::time::UNIX_EPOCH.elapsed().unwrap().as_millis()).unwrap();
    scene.press(&["Space", "M"]);
    until_read(&mut scene.desk).await;
    // What is compared with is the first reading since.
    let is_read = |desk: &Desk| desk.store.monitor().unwrap().runs[0].run.read_at >= pressed;
    scene.until_that("the first reading", is_read).await;
    let free = scene.store.monitor().unwrap().runs[0].run.row();
    assert_eq!(free.suite_count, Some(0));
    let one = first_suite(&scene, &run).await;
    other.add_suites(&run, &[one]).await;
    scene.until("over the limit: suites is 1, limit <= 0").await;
    scene
        .until_that("the program", |_| {
            file.exists() && !std::fs::read(&file).unwrap().is_empty()
        })
        .await;
    let readings = scene.asked_by_id().len();
    until_more(&mut scene, readings, 3).await;
    let called = std::fs::read_to_string(&file).unwrap();
    let name = free.name();
    assert_eq!(
        called,
        format!("rundown: {name} Still $(empty) `run`: over the limit: suites is 1, limit <= 0\n"),
        "once, and no shell has read it"
    );
}

/// Some suite that can be added to a run.
async fn first_suite(scene: &Scene, run: &DocRef) -> DocRef {
    let (_, reader) = super::support::service_reader(&scene.service).await;
    let page = Page {
        offset: 0,
        limit: 1,
    };
    let list = reader
        .get_available_test_suites(run, page, &[], &super::support::no_filter())
        .await
        .unwrap();
    list.rows
        .first()
        .map_or_else(suite, |entry| entry.doc_ref().clone())
}

#[tokio::test]
async fn samples_that_cannot_be_kept_are_told_once_and_nothing_else_stops() {
    let mut scene = scene(options(|it| it.runs = 30), each_second).await;
    // Something else has the name when the program starts.
    let folder = new_folder();
    std::fs::write(
        folder.path().join("samples.sqlite"),
        b"something else, and quite long".repeat(40),
    )
    .unwrap();
    scene.desk = Desk::in_folder(vec![scene.profile.clone()], folder);
    scene
        .until_that("the trouble", |desk| {
            !desk.store.errors().entries.is_empty()
        })
        .await;
    let before = scene.proxy.count("LIST_TEST_RUNS");
    until_more(&mut scene, before, 3).await;
    let errors = &scene.store.errors().entries;
    assert_eq!((errors.len(), errors[0].times), (1, 1), "{errors:?}");
    assert!(
        errors[0].failure.cause.contains("samples.sqlite"),
        "{errors:?}"
    );
    scene
        .press_until(&["Enter", "4"], "No forecast: the samples ")
        .await;
    scene.lacks("Sat ");
    // The monitor asks them when all will be finished.
    scene.press(&["Esc", "M"]);
    until_read(&mut scene.desk).await;
    let before = scene.proxy.count("LIST_TEST_RUNS");
    until_more(&mut scene, before, 3).await;
    let errors = &scene.store.errors().entries;
    assert_eq!((errors.len(), errors[0].times), (1, 1), "{errors:?}");
}

#[tokio::test]
async fn samples_that_cannot_be_kept_again_after_they_were_are_told_again() {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    let two = scene.other().await;
    let file = scene.folder.path().join("samples.sqlite");
    let history = rusqlite::Connection::open(file).unwrap();
    let told = |desk: &Desk| -> usize {
        let errors = desk.store.errors().entries.iter();
        errors.map(|error| error.times).sum()
    };
    for times in 1..=2 {
        let stop = "CREATE TRIGGER stop BEFORE INSERT ON changes BEGIN SELECT RAISE(ABORT, 'stopped'); END";
        history.execute_batch(stop).unwrap();
        let run = two.add_run("Made by another").await;
        scene.press(&["r"]);
        let is_told = |desk: &Desk| told(desk) == times;
        scene.until_that("the trouble", is_told).await;
        history.execute_batch("DROP TRIGGER stop").unwrap();
        scene.press(&["Esc", "r"]);
        let kept = |_: &Desk| {
            let sql = "SELECT count(*) FROM changes WHERE run = ?1";
            let count = history.query_row(sql, [run.as_str()], |row| row.get::<_, i64>(0));
            count.unwrap() == 1
        };
        scene.until_that("what was kept then", kept).await;
    }
    // What a person typed is told of each time.
    let stop = "CREATE TRIGGER stop BEFORE INSERT ON due BEGIN SELECT RAISE(ABORT, 'stopped'); END";
    history.execute_batch(stop).unwrap();
    for times in [3, 4] {
        scene.press(&["d", "fri", "Enter"]);
        let is_told = |desk: &Desk| told(desk) == times;
        scene.until_that("the trouble", is_told).await;
        scene.says("type it again once that is mended");
        scene.press(&["Esc"]);
    }
}

#[tokio::test]
async fn a_run_that_no_list_has_any_more_but_that_is_there_has_not_vanished() {
    let is_listed = Arc::new(AtomicBool::new(true));
    let listed = is_listed.clone();
    let server = Scripted::service(move |seen, _| {
        let general = json!({"Id": "R_4", "Title": "Not listed", "Status": "active"});
        let run = json!({"docRef": "TestRun-dm/4", "document": {"Root": {"General": general}}});
        let of_list = |runs: &[Value]| json!({"result": {"fullSize": runs.len(), "entries": runs}, "filterItemMap": {}});
        let answer = match &*seen.method() {
            "GET_DOCUMENT" => run,
            _ if listed.load(Ordering::SeqCst) => of_list(&[run]),
            _ => of_list(&[]),
        };
        Say::result(seen, &answer)
    })
    .await;
    let mut profile = scene(options(|it| it.runs = 30), |_| {}).await.profile;
    profile.base_url = format!("{}/api", server.base).parse().unwrap();
    profile.idp_url = server.base.parse().unwrap();
    let mut desk = Desk::open(profile);
    desk.until("Not listed").await;
    is_listed.store(false, Ordering::SeqCst);
    desk.press(&["r"]);
    let asked = |_: &Desk| {
        let seen = server.seen();
        seen.iter()
            .any(|seen| !seen.is_token() && seen.method() == "GET_DOCUMENT")
    };
    desk.until_that("that it is asked for", asked).await;
    let read = |desk: &Desk| !desk.store.runs().reader.busy();
    desk.until_that("the reading", read).await;
    assert_eq!(news(&desk), [""; 0]);
    desk.says("Not listed");
}

#[tokio::test]
async fn the_burn_up_of_a_run_is_drawn_from_what_was_kept() {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    let run = scene.store.here().doc_ref.clone();
    until_kept(&scene.desk, &run).await;
    let now = jiff::Timestamp::now().as_millisecond();
    let samples = Samples::open(scene.folder.path(), 90, now).unwrap();
    for number in 0..12 {
        let at = now - 3_600_000 * i64::try_from(12 - number).unwrap();
        let sample = sample(at, 4 * number, 100);
        samples
            .of_scope("demo", "P_9/SP_1")
            .add(&run, &sample)
            .unwrap();
    }
    scene.press_until(&["Enter", "5"], "44 of 100 done").await;
    scene.says("13 samples");
    scene.says("an hour over");
    scene.says("⣀");
}

#[tokio::test]
async fn a_monitor_left_alone_asks_for_nothing_but_its_runs() {
    let mut scene = scene(options(|it| it.runs = 30), each_second).await;
    scene.press(&["Space", "M"]);
    until_read(&mut scene.desk).await;
    let before = scene.proxy.passed().len();
    let readings = scene.proxy.count("LIST_TEST_RUNS");
    until_more(&mut scene, readings, 5).await;
    let after: Vec<String> = scene
        .proxy
        .passed()
        .split_off(before)
        .into_iter()
        .map(|passed| passed.method)
        .collect();
    assert!(
        after.iter().all(|method| method == "LIST_TEST_RUNS"),
        "{after:?}"
    );
    let run = &scene.store.monitor().unwrap().runs[0];
    assert!(run.trouble.is_none());
}

#[tokio::test]
async fn a_due_date_is_on_the_disk_and_there_at_the_next_start() {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    scene.until("\nrun 1 of").await;
    // Another run is marked and was watched before: it keeps none.
    scene.press(&["Space", "M"]);
    until_read(&mut scene.desk).await;
    scene.press(&["Esc"]);
    // It is typed in the list for the run under the cursor, and seen in the run and in the monitor.
    let run = scene.store.here().doc_ref.clone();
    scene
        .press_until(
            &["d", "2037-05-04 12:00", "Enter"],
            "is due Mon 4 May 2037 12:00",
        )
        .await;
    scene.press_until(&["Enter"], "due 4 May 2037  ").await;
    scene.press_until(&["M"], "due 4 May 2037").await;
    let now = jiff::Timestamp::now().as_millisecond();
    let samples = Samples::open(scene.folder.path(), 90, now).unwrap();
    let due = |samples: &Samples| samples.of_scope("demo", "P_9/SP_1").due().unwrap().runs;
    scene
        .until_that("the date on the disk", |_| !due(&samples).is_empty())
        .await;
    let zone = TimeZone::system();
    let at = jiff::civil::date(2037, 5, 4).at(12, 0, 0, 0);
    let at = at.to_zoned(zone).unwrap().timestamp().as_millisecond();
    assert_eq!(due(&samples), [(run.clone(), at)].into());
    assert_eq!(
        samples.of_scope("demo", "P_12").due().unwrap(),
        DueDates::default(),
        "of this project"
    );
    let file = scene.folder.path().join("samples.sqlite");
    let mode =
        std::os::unix::fs::PermissionsExt::mode(&std::fs::metadata(file).unwrap().permissions());
    assert_eq!(mode & 0o777, 0o600);
    // A program that is started anew has it, and takes it away.
    let mut desk = scene.desk.again(scene.profile.clone());
    desk.until_that("the date", |desk| {
        desk.store.cx.shared.due.runs.get(&run) == Some(&at)
    })
    .await;
    desk.until_that("rows", |desk| {
        desk.store.runs().len().is_some_and(|len| len > 0)
    })
    .await;
    desk.press_until(&["Down", "Space", "M"], "due 4 May 2037")
        .await;
    desk.press_until(&["d", "Enter"], "has no due date").await;
    desk.until_that("nothing on the disk", |_| due(&samples).is_empty())
        .await;
}

#[tokio::test]
async fn the_wall_opens_on_the_open_runs_without_a_view_in_the_config() {
    let mut scene = scene(options(|it| it.runs = 170), |_| {}).await;
    scene
        .press_until(
            &[":", "monitor OPEN", "Enter"],
            "Monitor: open runs of P_9/SP_1",
        )
        .await;
    until_read(&mut scene.desk).await;
    let monitor = scene.store.monitor().unwrap();
    let found = monitor.origin.found.map(|(found, _)| found);
    assert_eq!(Some(monitor.totals.sums.all.runs), found);
    assert!(
        monitor.totals.sums.all.runs > 50,
        "more than a page: {}",
        monitor.totals.sums.all.runs
    );
    assert!(
        monitor
            .runs
            .iter()
            .all(|run| run.run.row().status == Status::Active)
    );
}

#[tokio::test]
async fn what_changed_since_the_last_look_is_told_and_the_look_is_kept() {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    let answer = |desk: &Desk| desk.store.screens.changes.as_ref().unwrap().answer.clone();
    let is_reading = |desk: &Desk| desk.store.cx.under_way(&Slot::ReadRuns(Layer::Changes));
    let told = |desk: &Desk| answer(desk).is_some() && !is_reading(desk);
    scene.press(&["H"]);
    scene.until_that("what changed", told).await;
    let first = answer(&scene.desk).unwrap();
    assert!(first.is_first && first.last_looks.is_empty(), "{first:?}");
    scene.says("Compared with the first readings here, until ");
    // A look, then two others write.
    scene.press(&["A"]);
    let looked = |desk: &Desk| {
        told(desk) && answer(desk).is_some_and(|it| it.last_looks.len() == 1 && !it.is_first)
    };
    scene.until_that("the look", looked).await;
    let look = answer(&scene.desk).unwrap().moment;
    let two = scene.other().await;
    let run = open_run(&scene.desk);
    two.close(&run.doc_ref).await;
    let new = two.add_run("Made after the look").await;
    scene.press(&["r"]);
    let closed = format!("DONE    {}", run.name());
    scene
        .until_that("what was done", |desk| {
            let screen = desk.screen();
            screen.contains(&closed) && screen.contains("Made after the look")
        })
        .await;
    let since = answer(&scene.desk).unwrap();
    assert_eq!(since.moment, look);
    let sum: u64 = since.since.lines.iter().map(|line| line.now.left).sum();
    assert_eq!(sum, since.since.now.left, "the lines add up");
    assert!(since.since.lines.iter().any(|line| line.row.doc_ref == new));
    // Enter opens the run; another program finds the look while this one has not ended.
    scene.press(&["Enter"]);
    assert_eq!(scene.store.screen(), Layer::Detail);
    let mut beside = scene.beside(scene.profile.clone());
    beside.until("\nrun 1 of").await;
    beside.press(&["H"]);
    beside.until_that("what changed", told).await;
    assert_eq!(answer(&beside).unwrap().last_looks, [look]);
    // A second look: the one before is still offered, and no third.
    for looks in [2, 2] {
        let before = answer(&beside).unwrap().moment;
        beside.press(&["A"]);
        let looked = |desk: &Desk| {
            answer(desk)
                .is_some_and(|it| it.last_looks.len() == looks && it.last_looks[1] == before)
        };
        beside.until_that("another look", looked).await;
    }
    beside.says("0 of");
}

#[tokio::test]
async fn suites_that_were_worked_out_are_kept_and_compared() {
    let mut scene = scene(options(|it| it.runs = 30), |_| {}).await;
    let two = scene.other().await;
    let (mut runs, mut put_in) = (Vec::new(), Vec::new());
    for title in ["Left side", "Right side"] {
        let run = two.add_run(title).await;
        let free = two.free(&run).await;
        let suites = free[runs.len()..2 + runs.len()].to_vec();
        two.add_suites(&run, &suites).await;
        put_in.push(suites);
        runs.push(run);
    }
    scene.press(&["r", "/"]);
    scene.paste("\"left side\" or \"right side\"");
    scene.press(&["Enter"]);
    let both = |desk: &Desk| desk.store.runs().len() == Some(2);
    scene.until_that("both runs", both).await;
    // Before the suites were worked out nobody says which are only in one.
    scene.press(&["A", "="]);
    scene.until("Suites are not compared").await;
    scene.press(&["Esc"]);
    for row in ["Home", "End"] {
        scene.press(&[row, "s"]);
        let known = |desk: &Desk| {
            let attached = desk.store.attached();
            attached.is_some_and(|it| it.verdict.value().is_some())
        };
        scene.until_that("the suites", known).await;
        scene.press(&["Esc"]);
    }
    scene.press(&["="]);
    scene.until("only R_").await;
    scene.says("suites as of R_");
    // Of a run that is gone nothing of them stays.
    let file = scene.folder.path().join("samples.sqlite");
    let kept = |of: &DocRef| {
        let count = rusqlite::Connection::open(&file).unwrap();
        let sql = "SELECT count(*) FROM run_suites WHERE run = ?1";
        let count = count.query_row(sql, [of.as_str()], |row| row.get::<_, i64>(0));
        count.unwrap()
    };
    assert!(kept(&runs[0]) > 0);
    two.remove_suites(&runs[0], &put_in[0]).await;
    two.delete(&runs[0]).await;
    scene.press(&["Esc", "r"]);
    let gone = |_: &Desk| kept(&runs[0]) == 0;
    scene.until_that("that it is gone", gone).await;
    assert!(kept(&runs[1]) > 0);
}
