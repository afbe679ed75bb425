//! Runs side by side, in their states.

use super::pictures::States;
use crate::support::prelude::*;
use crate::support::suites::suite;
use rundown::attached::{Attached, How, Named, State};
use rundown::domain::compare::{ComparedRun, ComparedVersion, Comparison, KeptSuite, KeptSuites};
use rundown::mirror::RunsAnswer;
use rundown::samples::{RunHistory, Samples};
use rundown::store::RunsRequest;

use ResultCode::{Blocked, FailedNew, Passed, Untested};

/// Three runs, marked; the last one of another version.
pub fn compared(size: (u16, u16), keys: &str) -> Sample {
    let mut world = World::new(size, 5);
    let all = [[221, 0, 2, 2], [203, 9, 9, 20], [214, 10, 2, 20]];
    for (run, of) in world.runs.iter_mut().zip(all) {
        let mut counts = ResultCounts::default();
        for (code, count) in [Passed, FailedNew, Blocked, Untested].into_iter().zip(of) {
            counts.add(code, count);
        }
        run.results = Some(counts);
        run.title = Some("Regression chrome".into());
        run.version = Some("1.2.1".into());
    }
    world.runs[0].version = Some("1.2.0".into());
    world.runs[0].status = Status::Inactive;
    world.refresh();
    // Closed runs are in the list of all.
    world.press("6");
    world.answer();
    world.press(keys);
    world.answer();
    world.desk
}

#[test]
fn marked_runs_stand_side_by_side_with_the_difference_of_the_last_two() {
    let mut desk = compared((80, 24), "/R_0 or R_1 or R_2\nA=");
    desk.says("Compare");
    for row in [
        "Version",
        "Passed",
        "Failed (new)",
        "Blocked",
        "Suites are not compared: those of R_",
    ] {
        desk.says(row);
    }
    let screen = desk.screen();
    let row = |label: &str| {
        let line = screen.lines().find(|line| line.contains(label)).unwrap();
        line.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    assert_eq!(row("Cases").len(), 5, "{screen}");
    let more = row("Passed").last().cloned().unwrap();
    assert!(more.starts_with(['+', '-']), "{more}");
    // What is equal goes, and comes again.
    desk.says("Title");
    desk.says("w only what differs");
    desk.press("w");
    desk.lacks("Title");
    desk.says("Version");
    desk.says("w all rows");
    desk.press("w");
    desk.says("Title");
    desk.press("y");
    desk.says("Copy the comparison of R_");
    desk.press("\n");
    let (_, copied) = desk.clipboard().pop().unwrap();
    begins(&copied, "### Compared: R_");
    says(&copied, "\n\nWritten Fri 20 Nov 2026 ");
    desk.press("\u{1b}");
    desk.at(Layer::Runs);
}

#[test]
fn a_run_that_is_gone_is_told_and_no_lack_of_a_difference() {
    let mut desk = compared((80, 24), "/R_1 or R_2\nA=");
    desk.lacks("not found any more");
    let gone = RunsRequest::Gone(row(2).doc_ref);
    let now = desk.now;
    for event in desk.mirrored.take(gone, now) {
        desk.event(event);
    }
    desk.says("1 run not found any more.");
    desk.lacks("No difference");
}

#[test]
fn a_run_alone_is_compared_with_how_it_stood_at_another_time() {
    let mut desk = compared((80, 24), "/R_1\n=");
    desk.says("yesterday");
    desk.says("now");
    desk.says("Suites are not compared");
    desk.press("fMonday\n");
    desk.lacks("yesterday");
    desk.says("Mon");
    desk.press("flast week\n");
    desk.says("last week: no moment; e.g. -3h, -2d");
    desk.says("> last week");
    desk.press("\u{1b}fyesterday 09:30\n");
    desk.says("yesterday 09:30");
    desk.at(Layer::Compare);
    // Five are too many.
    let desk = compared((80, 24), "A=");
    desk.says("5 runs are marked; at most 4 are compared");
    desk.at(Layer::Runs);
}

#[test]
fn where_there_is_little_room_the_last_runs_are_shown() {
    let desk = compared((60, 15), "/R_0 or R_1 or R_2\nA=");
    let heading = desk.screen().lines().nth(1).unwrap().to_owned();
    assert_eq!(heading.matches("R_").count(), 2, "{heading}");
}

/// The board of 1.10.0, with a version before it that is closed.
fn versions(size: (u16, u16)) -> World {
    let mut world = World::new(size, 6);
    let made = [
        ("Regression chrome, 1.9.0", "1.9.0", false, [90, 10, 0, 0]),
        ("Smoke 1.9.0", "1.9.0", false, [20, 0, 0, 5]),
        ("Regression 1.10.0 chrome", "1.10.0", true, [60, 20, 0, 30]),
        ("Smoke", "1.10.0", true, [25, 0, 1, 4]),
        ("Load", "1.10.0", true, [1, 0, 0, 9]),
        ("Of another", "1.11.0", true, [1, 0, 0, 0]),
    ];
    for (run, (title, version, open, of)) in world.runs.iter_mut().zip(made) {
        let mut counts = ResultCounts::default();
        for (code, count) in [Passed, FailedNew, Blocked, Untested].into_iter().zip(of) {
            counts.add(code, count);
        }
        run.results = Some(counts);
        (run.title, run.version) = (Some(title.into()), Some(version.into()));
        run.configuration = title.contains("chrome").then(|| "chrome".into());
        run.status = if open {
            Status::Active
        } else {
            Status::Inactive
        };
    }
    world.refresh();
    // Of closed runs the list of all tells.
    world.press("6");
    world.answer();
    world.press("/R_2\nB");
    world.answer();
    world.says("Release 1.10.0");
    world
}

fn cells(desk: &Sample, label: &str) -> Vec<String> {
    let line = desk.line(label);
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn a_version_stands_beside_the_one_before_with_the_kinds_that_are_the_same_work() {
    let mut world = versions((80, 24));
    world.press("=");
    world.answer();
    let desk = &mut world.desk;
    desk.says("Compare");
    assert_eq!(cells(desk, "1.10.0"), ["1.9.0", "1.10.0", "change"]);
    assert_eq!(
        cells(desk, "2 of 2 runs")[3..],
        ["runs", "3", "of", "3", "runs"]
    );
    for (label, row) in [
        ("Open runs", ["Open", "runs", "0", "3", "+3"].as_slice()),
        ("Cases", &["Cases", "125", "150", "+25"]),
        ("Passed", &["Passed", "110", "88%", "86", "57%", "-24"]),
        ("Left", &["Left", "0", "44", "+44"]),
        ("Not run", &["Not", "run", "5", "0", "-5"]),
        ("Regression", &["Regression", "100", "110", "+10"]),
        ("Load", &["Load", "0", "10", "+10"]),
        (
            "Suites known (all runs)",
            &[
                "Suites", "known", "(all", "runs)", "0", "of", "2", "0", "of", "3",
            ],
        ),
    ] {
        assert_eq!(cells(desk, label), row);
    }
    desk.says("Suites are not compared: those of 1.9.0");
    desk.press("f");
    desk.says("versions are compared as they stand now");
    desk.press("?");
    desk.says("The last run at another time…  not now");
    desk.press("\u{1b}y\n");
    let (what, copied) = desk.clipboard().pop().unwrap();
    assert_eq!(what, "the comparison of 1.9.0, 1.10.0 as Markdown");
    says(&copied, "| Regression | 100 | 110 | +10 |");
    desk.press("yjson\n");
    let (_, copied) = desk.clipboard().pop().unwrap();
    let told: Value = serde_json::from_str(&copied).unwrap();
    let mut rows = told["rows"].as_array().unwrap().iter();
    let row = rows.find(|row| row["name"] == "Regression").unwrap();
    assert_eq!(
        (&row["values"], &row["last_two"]),
        (&json!([100, 110]), &json!(10))
    );
    let of_kind = |name: &str| {
        let rows = told["rows"].as_array().unwrap().iter();
        let row = rows.filter(|row| row["kind"] == "Regression");
        row.filter(|row| row["name"] == name).count()
    };
    assert_eq!((of_kind("done"), of_kind("Regression")), (1, 0));
    let known = told["rows"].as_array().unwrap().iter();
    let known = known.filter(|row| row["name"] == "Suites known (all runs)");
    let known: Vec<&Value> = known.map(|row| &row["values"][1]).collect();
    assert_eq!(known, [&json!({"known": 0, "all": 3})]);
    assert_eq!(told["columns"][1]["version"], "1.10.0");
    assert_eq!(told["suites"], Value::Null);
    desk.press("\u{1b}");
    desk.says("Release 1.10.0");
}

/// A run of a version with the suites that were worked out of it, by their titles.
fn with_suites(number: u64, version: &str, suites: Option<&[&str]>) -> ComparedRun {
    let suite = |(number, title): (usize, &&str)| KeptSuite {
        suite: DocRef::parse(&format!(
            "TestSuite-dm/{}{number}",
            version.replace('.', "")
        ))
        .unwrap(),
        id: None,
        title: Some((*title).into()),
        cases: Some(4),
    };
    let kept = suites.map(|suites| KeptSuites {
        at: NOW,
        is_complete: true,
        count: Some(suites.len() as u64),
        suites: suites.iter().enumerate().map(suite).collect(),
    });
    let row = RunRow {
        version: Some(version.into()),
        results: None,
        suite_count: None,
        ..row(number)
    };
    ComparedRun {
        row,
        at: None,
        suites: kept,
    }
}

/// The mirror answers with this comparison.
fn answer(desk: &mut Sample, comparison: Comparison) {
    let answer = RunsAnswer {
        number: u64::MAX,
        comparison: Some(Box::new(comparison)),
        ..RunsAnswer::default()
    };
    desk.event(Event::Runs(Layer::Compare, Box::new(answer)));
}

#[test]
fn of_a_run_without_a_reading_then_it_says_so_and_not_that_nothing_differs() {
    let mut desk = compared((80, 24), "/R_1\n=");
    let mut see = |made: Option<i64>, status| {
        let now = ComparedRun {
            row: RunRow {
                status,
                created_on: made,
                results: Some(ResultCounts::default()),
                ..row(22)
            },
            ..with_suites(22, "1.2.1", None)
        };
        let mut then = now.clone().with(|it| it.at = Some(NOW - 15 * 3_600_000));
        then.row.results = None;
        answer(&mut desk, Comparison::of_runs(&[then, now], &[]));
        desk.lacks("No difference");
        // It works out those of now.
        desk.lacks("on an open run");
        desk.screen()
    };
    // Also of one that was made later.
    for (made, status) in [
        (Some(NOW - 80 * 60_000), Status::Active),
        (Some(NOW - 64 * 3_600_000), Status::Active),
        (None, Status::Inactive),
    ] {
        let screen = see(made, status);
        let words = "No results of R_22 were read up to yesterday 18:41.";
        says(&screen, words);
    }
}

#[test]
fn titles_take_the_columns_that_are_free() {
    let titles = ["Regression firefox, 1.2.0", "Regression chrome, 1.2.1"];
    let see = |width: u16| {
        let mut desk = compared((width, 24), "/R_0 or R_1\nA=");
        let run = |(number, title): (u64, &str)| {
            let mut run = with_suites(number, "1.2.1", None);
            run.row.title = Some(title.into());
            run
        };
        let runs: Vec<_> = (1..).zip(titles).map(run).collect();
        answer(&mut desk, Comparison::of_runs(&runs, &[]));
        let row = cells(&desk, "Title").join(" ");
        row.trim_start_matches("> ").to_owned()
    };
    assert_eq!(see(80), format!("Title {}", titles.join(" ")));
    assert_eq!(see(60), "Title …on firefox, 1… …on chrome, 1.…");
    // What is wider than its titles is not drawn apart.
    assert_eq!(see(200), see(80));
}

#[test]
fn of_two_long_titles_the_part_is_shown_in_which_they_differ() {
    let mut world = World::new((80, 24), 6);
    for (run, end) in world.runs.iter_mut().zip(["chrome on ios", "edge on mac"]) {
        run.title = Some(format!(
            "Regression of the checkout with all of its cards, {end}"
        ));
    }
    world.refresh();
    world.press("  =");
    world.answer();
    let line = world.line("Title");
    says(&line, "chrome");
    says(&line, "edge on mac");
}

#[test]
fn two_runs_stand_beside_one_another_in_the_smallest_window_too() {
    let desk = compared((40, 12), "/R_0 or R_1\nA=");
    let heading = desk.screen().lines().nth(1).unwrap().to_owned();
    assert_eq!(heading.matches("R_").count(), 2, "{}", desk.screen());
    desk.lacks("There is no room");
}

#[test]
fn columns_that_have_no_room_are_named() {
    let see = |size: (u16, u16)| {
        let mut desk = compared(size, "/R_0 or R_1\nA=");
        let runs: Vec<_> = (11..16)
            .map(|number| with_suites(number, "1.2.1", None))
            .collect();
        answer(&mut desk, Comparison::of_runs(&runs, &[]));
        desk.screen()
    };
    let named = "There is no room for R_11, R_12: a wider window or a copy has all.";
    let screen = see((80, 24));
    says(&screen, named);
    lacks(&screen, "R_11  ");
    says(&screen, "last 3 of 5");
    let screen = see((140, 24));
    lacks(&screen, "There is no room");
    says(&screen, "R_11  ");
    lacks(&screen, "of 5");
    // The sentence may be below the rows in sight.
    for size in [(60, 15), (40, 12)] {
        let screen = see(size);
        says(&screen, "last 2 of 5");
        let foot = line(&screen, "No room for R_11, R_12, R_13");
        let has_all = "No room for R_11, R_12, R_13: y or X has all";
        assert!(
            has_all.starts_with(foot.split(['…', '[']).next().unwrap().trim_end()),
            "{screen}"
        );
        assert!(size.0 == 40 || foot.contains(has_all), "{screen}");
    }
}

#[test]
fn how_suites_are_worked_out_is_said_where_that_helps() {
    let mut desk = compared((80, 24), "/R_0 or R_1\nA=");
    let mut see = |status: [Status; 2]| {
        let run = |(number, status)| {
            let mut run = with_suites(number, "1.2.1", None);
            run.row.status = status;
            run
        };
        let runs: Vec<_> = (1..).zip(status).map(run).collect();
        answer(&mut desk, Comparison::of_runs(&runs, &[]));
        desk.says("Suites are not compared: those of R_1, R_2 are not known whole.");
        desk.says("Suites known");
        desk.screen().contains("s works them out.")
    };
    // Suites of a closed run are not listed.
    assert!(!see([Status::Inactive, Status::Active]));
    assert!(see([Status::Active, Status::Active]));
    desk.press("s");
    let asks = |effect: &&Effect| matches!(effect, Effect::Request(_, Request::Survey { .. }));
    assert_eq!(desk.open.iter().filter(asks).count(), 2);
}

#[test]
fn suites_that_were_worked_out_are_shown_and_where_some_stay_unknown_it_says_so() {
    let mut world = World::new((80, 24), 2);
    let folder = tempfile::tempdir().unwrap();
    let history = RunHistory {
        samples: Samples::open(folder.path(), 90, NOW).unwrap(),
        profile: "demo".into(),
        scope: "P_9/SP_1".into(),
        source: "here".into(),
    };
    world.mirrored.with_history(&session(), history);
    for (run, count) in world.runs.iter_mut().zip([7, 5]) {
        run.suite_count = Some(count);
    }
    world.refresh();
    world.press("A=");
    world.answer();
    let desk = &mut world.desk;
    let known = |desk: &Sample| cells(desk, "Suites known")[2..8].join(" ");
    assert_eq!(known(desk), "0 of 7 0 of 5");
    desk.press("s");
    let work_out = |desk: &mut Sample, run: usize, sure: u64, state| {
        let count = world.runs[run].suite_count;
        let run = world.runs[run].doc_ref.clone();
        let named = (0..sure).map(|number| Named {
            suite: suite(number).doc_ref,
            row: Some(suite(number)),
            how: How::Typed,
            is_sure: true,
        });
        let attached = Attached {
            state,
            named: named.collect(),
            count: count.and_then(|count| u64::try_from(count).ok()),
            at: NOW,
            ..Attached::default()
        };
        let kept = RunsRequest::Surveyed(run.clone(), Box::new(attached.kept()));
        for event in desk.mirrored.take(kept, NOW) {
            desk.event(event);
        }
        let slot = Slot::ComparedSuites(run);
        desk.answered(&slot, Answer::Surveyed(Ok(Box::new(attached))));
        known(desk)
    };
    assert_eq!(work_out(desk, 0, 7, State::Complete), "7 of 7 0 of 5");
    assert_eq!(work_out(desk, 1, 3, State::Partial), "7 of 7 3 of 5");
    let words = "R_1: 3 of 5 suites known; s on it in the list explains";
    assert_eq!(desk.said(), words);
    desk.press("s");
    assert_eq!(work_out(desk, 1, 5, State::Complete), "7 of 7 5 of 5");
    desk.press("s");
    let words = "there are no suites to work out: those of open runs, as they stand now";
    assert_eq!(desk.said(), words);
}

#[test]
fn a_sentence_that_is_longer_than_a_line_is_shown_whole() {
    for size in [(80, 24), (60, 15), (40, 10)] {
        let mut desk = compared(size, "/R_1\n=");
        let run = |number, at| with_suites(number, "1.2.1", None).with(|it| it.at = at);
        let at = Some(NOW - 15 * 3_600_000);
        let runs = [run(18, at), run(22, at), run(18, None), run(22, None)];
        answer(&mut desk, Comparison::of_runs(&runs, &[]));
        if size.1 < 24 {
            desk.says("more below");
        } else {
            desk.lacks("more below");
        }
        let mut seen: Vec<String> = Vec::new();
        for _ in 0..30 {
            // Below them stands how many more there are.
            let rows = usize::from(size.1) - 6;
            for line in desk.screen().lines().skip(3).take(rows) {
                let line = line.replacen('>', " ", 1);
                if !seen.contains(&line) {
                    seen.push(line);
                }
            }
            desk.press("j");
        }
        let seen = seen.join(" ");
        let words: Vec<&str> = seen.split_whitespace().collect();
        let whole =
            "those of R_18 yesterday 18:41, R_22 yesterday 18:41, R_18, R_22 are not known whole.";
        assert!(words.join(" ").contains(whole), "{size:?}: {seen}");
    }
}

#[test]
fn suites_of_versions_are_compared_by_title_where_all_are_known() {
    let mut world = versions((80, 24));
    world.press("=");
    world.answer();
    let told = |world: &mut World, last: Option<&[&str]>| {
        let old = [with_suites(
            0,
            "1.9.0",
            Some(&["Login", "Export, old format"]),
        )];
        let new = [
            with_suites(2, "1.10.0", Some(&["Login", "Export, new format"])),
            with_suites(4, "1.10.0", last),
        ];
        let of = |version: &str, runs: &[ComparedRun]| {
            ComparedVersion::of(version, runs, true, &[], &[])
        };
        let comparison = Comparison::of_versions(&[of("1.9.0", &old), of("1.10.0", &new)]);
        answer(&mut world.desk, comparison);
        world.press("G");
    };
    told(&mut world, None);
    world.says("Suites are not compared: those of 1.10.0 are not known whole.");
    world.says("s on an open run works them out.");
    world.lacks("only 1.");
    told(&mut world, Some(&[]));
    world.says("only 1.9.0      Export, old format  4 cases");
    world.says("only 1.10.0     Export, new format  4 cases");
    world.says("Suites of several versions: by their titles.");
    world.says("suites as of 1.9.0 09:41, 1.10.0 09:41");
}

#[test]
fn where_no_version_before_is_here_it_says_which_key_reads_all() {
    let mut world = World::new((80, 24), 3);
    world.press("B");
    world.answer();
    world.press("=");
    world.says("no version before");
    world.says("reads all");
    // The version under the cursor is compared, too.
    let mut world = versions((60, 15));
    world.store.screens.board.as_ref().unwrap();
    world.press("1=");
    world.answer();
    world.says("1.10.0");
}

#[test]
fn marks_that_are_not_shown_are_named() {
    let mut desk = compared((80, 24), "/R_0\n /R_1\n =");
    desk.says("Marked, but not shown by the list as it stands: R_0.");
    desk.at(Layer::Compare);
    desk.press("\u{1b}");
}

#[test]
fn the_sketch_of_a_comparison_is_drawn_from_runs_and_adds_up() {
    let mut desk = compared((80, 24), "/R_0 or R_1\nA=");
    let friday = NOW - 64 * 3_600_000;
    let run = |number, version: &str, at, cases: [u64; 5], new: &[&str]| {
        let shared = (0..10).map(|number| format!("Shared {number}"));
        let titles: Vec<String> = shared
            .chain(new.iter().map(|it| (*it).to_owned()))
            .collect();
        let titles: Vec<&str> = titles.iter().map(|it| &**it).collect();
        let mut run = with_suites(number, version, Some(&titles));
        run.row.title = Some(format!("Regression chrome, {version}"));
        run.row.status = if number == 181 {
            Status::Inactive
        } else {
            Status::Active
        };
        run.row.suite_count = i64::try_from(titles.len()).ok();
        run.at = at;
        let mut all = ResultCounts::default();
        for (code, count) in [Passed, ResultCode::Skipped, FailedNew, Blocked, Untested]
            .into_iter()
            .zip(cases)
        {
            all.add(code, count);
        }
        run.row.results = Some(all);
        let kept = run.suites.as_mut().unwrap();
        for (suite, cases) in kept.suites[10..].iter_mut().zip([21, 2]) {
            suite.cases = Some(if number == 181 { 9 } else { cases });
        }
        run
    };
    let new = ["Export, new format", "Export, archive"];
    let runs = [
        run(
            181,
            "1.2.0",
            None,
            [221, 13, 0, 2, 0],
            &["Export, old format"],
        ),
        run(239, "1.2.1", Some(friday), [203, 6, 9, 9, 23], &new),
        run(239, "1.2.1", None, [214, 6, 10, 2, 18], &new),
    ];
    let comparison = Comparison::of_runs(&runs, &rundown::forecast::Settings::DONE);
    let sheet = comparison
        .summary(false, |_| "then".into())
        .text(rundown::domain::Format::Csv);
    says(&sheet, "\nPassed,221,203,214,11\n");
    says(&sheet, "\nBlocked,2,9,2,-7\n");
    answer(&mut desk, comparison);
    assert_eq!(
        cells(&desk, "last two"),
        ["R_181", "R_239", "R_239", "last", "two"]
    );
    let row = |label: &str| cells(&desk, label).join(" ");
    // Shares are rounded down, and what is left in a closed run is not run.
    for line in [
        "Cases 236 250 250 ·",
        "Passed 221 93% 203 81% 214 85% +11",
        "Failed (new) 0 0% 9 3% 10 4% +1",
        "Blocked 2 <1% 9 3% 2 <1% -7",
        "Left 0 32 20 -12",
        "Not run 2 0 0 ·",
        "Suites known 11 of 11 12 of 12 12 of 12",
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let label: Vec<&str> = words
            .iter()
            .copied()
            .take_while(|it| !it.starts_with(|c: char| c.is_ascii_digit()))
            .collect();
        assert_eq!(row(&label.join(" ")), line);
    }
    // The results of each run are its cases, and what is not done is left.
    let numbers = |label: &str| -> Vec<i64> {
        let cells = cells(&desk, label);
        let numbers = cells.iter().filter_map(|it| it.parse().ok());
        numbers.take(3).collect()
    };
    let sum = |labels: &[&str]| -> Vec<i64> {
        let rows: Vec<Vec<i64>> = labels.iter().map(|label| numbers(label)).collect();
        (0..3)
            .map(|place| rows.iter().map(|row| row[place]).sum())
            .collect()
    };
    let results = ["Passed", "Failed (new)", "Blocked", "Skipped", "Untested"];
    assert_eq!(sum(&results), numbers("Cases"));
    assert_eq!(sum(&["Done", "Left", "Not run"]), numbers("Cases"));
    desk.press("G");
    desk.says("only R_181");
    for (words, cases) in [
        ("Export, old format", "9 cases"),
        ("Export, new format", "21 cases"),
        ("Export, archive", "2 cases"),
    ] {
        assert!(desk.line(words).contains(cases), "{words}");
    }
}

pub fn states(states: &mut States<'_>) {
    states.see("compare", |size| compared(size, "/R_0 or R_1 or R_2\nA="));
}

#[test]
fn suites_of_a_run_as_it_stands_are_worked_out_beside_those_of_an_earlier_time() {
    let mut desk = compared((80, 24), "/R_1\n=");
    let run = |at| {
        let mut run = with_suites(1, "1.2.1", None);
        run.row.status = Status::Active;
        run.with(|it| it.at = at)
    };
    let runs = [run(Some(NOW - 15 * 3_600_000)), run(None)];
    answer(&mut desk, Comparison::of_runs(&runs, &[]));
    desk.says("s works out those of open runs, as they stand now.");
    desk.press("s");
    let asks = |effect: &&Effect| matches!(effect, Effect::Request(_, Request::Survey { .. }));
    assert_eq!(desk.open.iter().filter(asks).count(), 1, "{}", desk.said());
}

#[test]
fn the_key_that_led_here_is_told_as_the_way_back() {
    let mut desk = compared((80, 24), "/R_0 or R_1\nA=").pressed("?");
    says(&desk.line("Back to the screen before"), " = ");
    desk.press("\u{1b}=");
    desk.at(Layer::Runs);
}
