//! What the demo comes with: a release under way, and made-up counts of its last days that fit what follows.

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use crate::support::service_reader;
use rundown::demo;
use rundown::domain::query_language::Range;
use rundown::domain::release::Board;
use rundown::domain::{HoursOfDay, WorkingHours};
use rundown::forecast::{Outlook, Settings, forecast};
use rundown::local_service::AtWork;
use rundown::samples::Samples;

use super::scene;

const HOUR: i64 = 3_600_000;

fn settings() -> Settings {
    let hours = WorkingHours {
        hours: HoursOfDay::Always,
        days: None,
    };
    usual(TimeZone::UTC).with(|it| it.hours = hours)
}

async fn at_work() -> Vec<AtWork> {
    let options = options(|it| it.live = Some(Duration::from_secs(3)));
    let service = LocalService::start(options, |_, _| {}).await.unwrap();
    let runs = service.at_work().unwrap();
    service.stop().await;
    runs
}

#[tokio::test]
async fn the_past_ends_at_the_counts_of_the_service_and_has_its_pace() {
    let runs = at_work().await;
    assert!(runs.len() > 20, "{}", runs.len());
    // A Saturday in the small hours, when nobody would work.
    let now = 1_795_312_800_000;
    let (mut bands, mut told, mut known) = (0, 0.0, 0.0);
    for (run, seed) in runs.iter().zip(0..) {
        let samples = demo::of_run(run, now, seed);
        let last = samples.last().unwrap();
        assert_eq!(last.at, now);
        for code in ResultCode::ALL {
            let count = last.counts.as_ref().unwrap().listed(code).unwrap();
            assert_eq!(
                count,
                u64::from(run.counts[usize::from(code.number()) - 1]),
                "{}",
                run.doc_ref
            );
        }
        assert!(
            samples[0].at >= now - i64::from(demo::HOURS) * HOUR,
            "no further back than it says"
        );
        let sums: Vec<_> = samples
            .iter()
            .map(|sample| sample.sums(&Settings::DONE).unwrap())
            .collect();
        assert!(
            sums.windows(2)
                .all(|pair| pair[0].total == pair[1].total && pair[0].done <= pair[1].done)
        );
        if let Outlook::Band(band) = forecast(&samples, now, &settings()) {
            bands += 1;
            told += band.pace;
            known += run.per_hour;
        }
    }
    assert!(
        bands * 10 >= runs.len() * 7,
        "{bands} forecasts for {} runs",
        runs.len()
    );
    assert!((0.85..1.2).contains(&(told / known)), "{told} for {known}");
}

#[tokio::test]
async fn the_monitor_has_a_forecast_at_once() {
    let live = options(|it| it.live = Some(Duration::from_secs(3)));
    let mut scene = scene(live, |profile| profile.refresh_seconds = 1).await;
    let mut runs = scene.service.at_work().unwrap();
    runs.sort_by(|a, b| b.counts[1].cmp(&a.counts[1]));
    let now = jiff::Timestamp::now().as_millisecond();
    demo::keep(scene.folder.path(), &scene.profile, &runs, true, now).unwrap();
    let wanted = DocRef::parse(&runs[0].doc_ref).unwrap();
    let listed = |desk: &super::support::desk::Desk| {
        desk.store.runs().current().map(|run| run.doc_ref.clone())
    };
    for _ in 0..200 {
        if listed(&scene.desk).as_ref() == Some(&wanted) {
            break;
        }
        scene.press(&["j"]);
        scene
            .until_that("the row", |desk| desk.store.runs().current().is_some())
            .await;
    }
    scene.press(&["Space", "M"]);
    scene
        .until_that("when it will be done", |desk| {
            let monitor = desk.store.monitor().unwrap();
            monitor
                .listed()
                .any(|run| matches!(run.standing.end, rundown::screens::monitor::RunEnd::At(_)))
        })
        .await;
    // What would be if marked suites were in it, without a call that changes anything.
    let before = scene.proxy.passed().len();
    scene
        .press_until(&["Enter", "a"], "suites to add to R_")
        .await;
    scene
        .press_until(&["Space", "Space"], "2 marked, up to ")
        .await;
    scene
        .until_that("a later forecast", |desk| {
            let what_if = desk
                .store
                .available()
                .and_then(|available| available.what_if.value());
            what_if.is_some_and(|it| match (&it.now, &it.then) {
                (Outlook::Band(now), Outlook::Band(then)) => {
                    then.to > now.to && then.left == now.left + it.extra
                }
                _ => false,
            })
        })
        .await;
    let methods: Vec<String> = scene
        .proxy
        .passed()
        .split_off(before)
        .into_iter()
        .map(|passed| passed.method)
        .collect();
    let read = |method: &String| method.starts_with("LIST_") || method.starts_with("GET_");
    assert!(methods.iter().all(read), "{methods:?}");
}

/// How many of these runs the list compares with before, how many have new failures since, and whether that is since
/// yesterday.
async fn compared(scene: &super::Scene, runs: &[AtWork], live: bool) -> (usize, usize, bool) {
    let folder = tempfile::tempdir().unwrap();
    let now = jiff::Timestamp::now().as_millisecond();
    demo::keep(folder.path(), &scene.profile, runs, live, now).unwrap();
    let profiles = vec![scene.profile.clone()];
    let mut desk = super::support::desk::Desk::in_folder(profiles, folder);
    desk.until_that("what was before", |desk| {
        let runs = desk.store.runs();
        runs.read_at().is_some() && runs.answer.as_ref().unwrap().overview.compared > 0
    })
    .await;
    let earlier = desk.store.earlier();
    let refs: Vec<DocRef> = runs
        .iter()
        .map(|run| DocRef::parse(&run.doc_ref).unwrap())
        .collect();
    let rows = refs.iter().filter_map(|run| desk.store.runs().run(run));
    let more: Vec<u64> = rows
        .filter_map(|run| earlier.more_failed(&run.row()))
        .collect();
    let new = more.iter().filter(|more| **more > 0).count();
    (more.len(), new, earlier.since(&refs).is_none())
}

#[tokio::test]
async fn the_list_compares_with_how_the_runs_stood_yesterday() {
    let scene = scene(Options::default(), |profile| profile.refresh_seconds = 0).await;
    let runs = scene.service.at_work().unwrap();
    let (known, new, since_yesterday) = compared(&scene, &runs, false).await;
    assert!(known >= 10 && new >= 3, "{new} of {known}");
    assert!(since_yesterday);
    // What its testers do is as new as the day is old.
    let (known, _, since_yesterday) = compared(&scene, &runs, true).await;
    assert!(known >= 10 && since_yesterday, "{known}");
}

#[tokio::test]
async fn a_release_is_under_way() {
    let options = options(|it| {
        (it.runs, it.release, it.live) = (0, true, Some(Duration::from_secs(6)));
    });
    let scene = scene(options, |_| {}).await;
    let profile = demo::in_progress(scene.profile.clone());
    let runs = scene.service.at_work().unwrap();
    let now = jiff::Timestamp::now().as_millisecond();
    let folder = tempfile::tempdir().unwrap();
    demo::keep(folder.path(), &profile, &runs, true, now).unwrap();
    let samples = Samples::open(folder.path(), 30, now).unwrap();
    let of = |run: &AtWork| {
        let run = DocRef::parse(&run.doc_ref).unwrap();
        let kept = samples
            .of_scope(&profile.name, &profile.scope())
            .of(&run, 0);
        kept.unwrap()
    };
    // One is quiet, and was looked at on each of the last days.
    let quiet: Vec<_> = runs.iter().filter(|run| run.per_hour == 0.0).collect();
    assert_eq!(quiet.len(), 1);
    let kept = of(quiet[0]);
    assert!(kept.iter().all(|it| it.tells_as(&kept[0])));
    assert!(kept[0].at < now - 3 * 24 * HOUR, "{kept:?}");
    // Of another the failures are of today; all others went on every day.
    let failed = |sample: &rundown::domain::Sample| {
        sample.counts.as_ref().unwrap().get(ResultCode::FailedNew)
    };
    let grew = runs.iter().filter(|run| {
        let kept = of(run);
        failed(kept.last().unwrap()) > 2 * failed(&kept[0]) + 8
    });
    assert!(grew.count() >= 1);
    let due = samples
        .of_scope(&profile.name, &profile.scope())
        .due()
        .unwrap();
    assert_eq!(due.runs.len(), 1);
    assert!(due.runs.values().all(|at| *at > now));
    // Kinds in three configurations with earlier rounds, of a version with a date and criteria.
    let (_, reader) = service_reader(&scene.service).await;
    let list = Filter::default()
        .with(|it| it.filters = vec!["Root.General.ProjectVersionNumber:1.2.1".into()]);
    let page = Page {
        offset: 0,
        limit: 100,
    };
    let rows = reader.list_runs(page, &[], &list).await.unwrap().rows;
    let board = Board::of(&rows, &[], &Settings::DONE, false);
    let kinds: Vec<_> = board.kinds.iter().map(|kind| &*kind.shown).collect();
    assert_eq!(kinds, ["Acceptance", "Exploratory", "Regression", "Smoke"]);
    assert_eq!((board.configurations.len(), board.earlier.len()), (3, 3));
    let release = &profile.watch.release;
    assert!(
        release
            .due("1.2.1", &TimeZone::UTC)
            .is_some_and(|at| at > now)
    );
    let mut judged = release.criteria.iter();
    assert!(judged.all(|it| it.judge(&|_| Range::UNKNOWN).is_some()));
    assert_eq!(release.criteria.len(), 4);
}

#[tokio::test]
async fn x_on_the_board_writes_the_report() {
    let options = options(|it| (it.runs, it.release) = (0, true));
    let mut scene = scene(options, |_| {}).await;
    scene.press_until(&["B"], "of 14 runs counted").await;
    scene.press_until(&["X"], "Report of the release as").await;
    scene
        .press_until(&["Enter"], "Wrote the report of 1.2.1 to ")
        .await;
    let exports = scene.folder.path().join("exports");
    let files = std::fs::read_dir(exports)
        .unwrap()
        .map(|it| it.unwrap().path());
    let files: Vec<_> = files.collect();
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert!(file.extension().is_some_and(|it| it == "html"));
    let text = std::fs::read_to_string(file).unwrap();
    says(&text, "<h1>Release 1.2.1 of P_9/SP_1</h1>");
    says(&text, "11 of 14 runs counted, 11 of them open.");
}
