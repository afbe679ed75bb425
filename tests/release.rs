//! What a release comes to, held against a second implementation that shares no code with the first.

use crate::support::prelude::*;
use crate::support::samples_of::{Pace, samples, usual};
use proptest::prelude::*;
use rundown::domain::Sample;
use rundown::domain::query_language::RunCount;
use rundown::domain::release::{Board, Criterion, ReleaseSettings, ReportFormat};
use rundown::forecast::{Outlook, Settings, SumRun, finish};
use rundown::report::{Report, Sources};
use std::collections::BTreeMap;

/// What of a run decides.
#[derive(Clone, Debug)]
struct Told {
    number: u64,
    title: String,
    version: &'static str,
    configuration: Vec<&'static str>,
    subproject: &'static str,
    open: bool,
    made: Option<i64>,
    /// Passed, failed (new), blocked, untested; nothing where the service does not tell.
    counts: Option<[u64; 4]>,
}

const NAMES: [&str; 7] = [
    "Regression",
    "Smoke",
    "smoke",
    "Prüfung",
    "Load part 1",
    "Load part 2",
    "Windows 11",
];
const ENDS: [&str; 17] = [
    "",
    "",
    "1.10.0",
    "v1.9",
    "rc1",
    "RC 2",
    "week 47",
    "sprint12",
    "2026-11-20",
    "3.11.",
    "Nov 2026",
    "12. November 2026",
    "14 Nov 2026",
    "Nov 3, 2026",
    "chrome",
    "ios 19",
    "(windows 11)",
];
const PARTS: [&str; 4] = ["chrome", "Edge", "ios 19", "Windows 11"];

fn told() -> impl Strategy<Value = Told> {
    let title = (0..NAMES.len(), 0..ENDS.len(), 0..ENDS.len(), 0..3_usize).prop_map(
        |(name, before, behind, cut)| {
            let cut = [" ", ", ", " - "][cut];
            let parts = [ENDS[before], NAMES[name], ENDS[behind]];
            parts
                .into_iter()
                .filter(|it| !it.is_empty())
                .collect::<Vec<_>>()
                .join(cut)
        },
    );
    let parts = proptest::sample::subsequence(PARTS.to_vec(), 0..=2).prop_shuffle();
    let made = prop::option::weighted(0.9, 0..9_i64);
    let counts = prop::option::weighted(0.9, prop::array::uniform4(0..20_u64));
    let version = prop::sample::select(vec!["1.9.0", "1.10.0"]);
    let place = prop::sample::select(vec!["SP_1", "SP_2"]);
    (title, version, parts, place, any::<bool>(), made, counts).prop_map(
        |(title, version, configuration, subproject, open, made, counts)| Told {
            number: 0,
            title,
            version,
            configuration,
            subproject,
            open,
            made,
            counts,
        },
    )
}

fn row_of(told: &Told) -> RunRow {
    let mut results = counted(ResultCode::ALL.map(|code| (code, 0)));
    let codes = [
        ResultCode::Passed,
        ResultCode::FailedNew,
        ResultCode::Blocked,
        ResultCode::Untested,
    ];
    for (code, count) in codes.into_iter().zip(told.counts.unwrap_or_default()) {
        results.add(code, count);
    }
    RunRow {
        id: Some(format!("R_{}", told.number)),
        title: Some(told.title.clone()),
        version: Some(told.version.into()),
        configuration: Some(told.configuration.join(" , ")).filter(|it| !it.is_empty()),
        subproject: Some(told.subproject.into()),
        status: if told.open {
            Status::Active
        } else {
            Status::Inactive
        },
        created_on: told.made,
        results: told.counts.map(|_| results),
        ..RunRow::unknown(DocRef::parse(&format!("TestRun-dm/{}", told.number)).unwrap())
    }
}

/// Small letters without the accents that occur here.
fn plain(text: &str) -> String {
    text.to_lowercase().replace('ü', "u")
}

/// The kind by the words of the description: what says which run it is goes from both ends, as long as something goes.
fn kind(told: &Told) -> String {
    let text = plain(&told.title).replace([',', '(', ')', '-', ':'], " ");
    let whole = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut rest = format!(" {whole} ");
    let mut gone: Vec<String> = vec![plain(told.version)];
    gone.extend(told.configuration.iter().map(|part| plain(part)));
    gone.extend(
        [
            "1.10.0",
            "v1.9",
            "rc1",
            "rc 2",
            "week 47",
            "sprint12",
            "2026 11 20",
            "3.11.",
            "nov 2026",
            "12. november 2026",
            "nov 3 2026",
        ]
        .map(str::to_owned),
    );
    // Without its point a day is one only where no other word stands before it.
    let first = "14 nov 2026";
    loop {
        let before = rest.clone();
        if let Some(left) = rest.strip_prefix(&format!(" {first} ")) {
            rest = format!(" {left}");
        }
        for word in &gone {
            let word = format!(" {word} ");
            if let Some(left) = rest.strip_prefix(&word) {
                rest = format!(" {left}");
            }
            if let Some(left) = rest.strip_suffix(&word) {
                rest = format!("{left} ");
            }
        }
        if rest == before {
            break;
        }
    }
    match rest.trim() {
        "" => whole,
        rest => rest.to_owned(),
    }
}

fn parts(told: &Told) -> Vec<String> {
    let mut parts: Vec<String> = told.configuration.iter().map(|part| plain(part)).collect();
    parts.sort();
    parts
}

/// Runs, cases, finished ones, those left in open runs, those not run in closed ones, failed ones.
type Numbers = [u64; 6];

fn numbers(told: &Told) -> Numbers {
    let Some([passed, failed, blocked, untested]) = told.counts else {
        return [1, 0, 0, 0, 0, 0];
    };
    let (all, done) = (passed + failed + blocked + untested, passed + failed);
    let rest = all - done;
    let (left, not_run) = if told.open { (rest, 0) } else { (0, rest) };
    [1, all, done, left, not_run, failed]
}

fn is_younger(one: &Told, other: &Told) -> bool {
    match (one.made, other.made) {
        (Some(a), Some(b)) => (a, one.number) > (b, other.number),
        (None, None) => one.number > other.number,
        _ => false,
    }
}

/// What a report of these runs is made of, of which nothing was read before.
fn sources<'a>(
    rows: &'a [RunRow],
    release: &'a ReleaseSettings,
    forecast: &'a Settings,
) -> Sources<'a> {
    Sources {
        scope: "P_9/SP_1",
        version: "1.10.0",
        runs: rows,
        is_complete: true,
        read_at: Some(NOW),
        release,
        forecast,
        due: None,
        due_is_typed: false,
        due_of: &|_| None,
        samples: &[],
        kept_since: None,
        since: None,
        quiet: std::collections::HashMap::new(),
        attached: std::collections::HashMap::new(),
        in_no_run: None,
        not_read: Vec::new(),
        with_names: false,
        links: None,
        now: NOW,
    }
}

fn forecast() -> Settings {
    Settings {
        done: vec![ResultCode::Passed, ResultCode::FailedNew],
        ..usual(TimeZone::UTC)
    }
}

fn report_of(rows: &[RunRow]) -> Report {
    Report::of(&sources(rows, &ReleaseSettings::default(), &forecast()))
}

fn texts(sources: &Sources<'_>) -> (Value, String) {
    let report = Report::of(sources);
    let told = serde_json::from_str(&report.text(ReportFormat::Json)).unwrap();
    (told, report.text(ReportFormat::Md))
}

/// An open run of so many cases, of which so many are passed.
fn run(number: u64, passed: u64, total: u64) -> RunRow {
    row_of(&Told {
        number,
        title: format!("Load part {number}"),
        version: "1.10.0",
        configuration: Vec::new(),
        subproject: "SP_1",
        open: true,
        made: None,
        counts: Some([passed, 0, 0, total - passed]),
    })
}

const HOUR: i64 = 3_600_000;

/// Steady work up to a time, and the run as it stands then.
fn steady(number: u64, until: i64) -> (RunRow, (DocRef, Vec<Sample>)) {
    let samples = samples(Pace::Steady, until);
    let last = samples.last().unwrap().sums(&[ResultCode::Passed]).unwrap();
    let row = run(number, last.done, last.total);
    let told = (row.doc_ref.clone(), samples);
    (row, told)
}

fn met() -> ReleaseSettings {
    ReleaseSettings {
        criteria: vec![Criterion {
            name: "some left".into(),
            expr: "left > 3".into(),
        }],
        ..ReleaseSettings::default()
    }
}

#[test]
fn a_report_of_a_part_of_the_runs_says_not_that_the_release_is_ready() {
    let (rows, release, forecast) = ([run(1, 3, 9)], met(), forecast());
    let all = sources(&rows, &release, &forecast);
    assert_eq!(Report::of(&all).is_ready, Some(true));
    let part = all.with(|it| it.is_complete = false);
    let (told, text) = texts(&part);
    assert_eq!(Report::of(&part).is_ready, None);
    assert_eq!(told["ready"], "not_decidable");
    says(&text, "## Ready: not known\n");
}

#[test]
fn a_report_of_runs_whose_counts_are_gone_says_since_when_they_are_kept() {
    let (mut rows, release, forecast) = ([run(1, 3, 9)], met(), forecast());
    let not_read = "Not all runs were read before today.";
    let kept = "Counts are kept here since";
    let says = |rows: &[RunRow], kept_since| {
        let of = sources(rows, &release, &forecast).with(|it| it.kept_since = kept_since);
        let text = texts(&of).1;
        (text.contains(not_read), text.contains(kept))
    };
    for (made, kept_since, told) in [
        (NOW - 72 * HOUR, None, (true, false)),
        (NOW - 72 * HOUR, Some(NOW - 48 * HOUR), (false, true)),
        // It was read all the time, and nothing has happened.
        (NOW - 24 * HOUR, Some(NOW - 48 * HOUR), (false, false)),
    ] {
        rows[0].created_on = Some(made);
        assert_eq!(says(&rows, kept_since), told, "{made} {kept_since:?}");
    }
}

#[test]
fn a_verdict_by_counts_of_an_earlier_day_says_of_when_they_are() {
    let (rows, release, forecast) = ([run(1, 3, 9)], met(), forecast());
    let all = sources(&rows, &release, &forecast);
    let day = |at: i64, format: &str| {
        let at = jiff::Timestamp::from_millisecond(at).unwrap();
        at.to_zoned(TimeZone::UTC).strftime(format).to_string()
    };
    let (told, text) = texts(&all);
    assert_eq!(told["day"], day(NOW, "%Y-%m-%d"));
    assert_eq!(told["ready_as_of"], Value::Null);
    says(&text, "## Ready: yes\n");
    let at = NOW - 72 * HOUR;
    let old = all.with(|it| it.read_at = Some(at));
    let (told, text) = texts(&old);
    assert_eq!(told["day"], day(at, "%Y-%m-%d"));
    assert!(
        told["ready_as_of"]
            .as_str()
            .unwrap()
            .starts_with(&day(at, "%Y-%m-%dT"))
    );
    let heading = format!("## Ready: as of {}: yes\n", day(at, "%a %-d %b %Y %H:%M"));
    says(&text, &heading);
    assert!(
        text.contains(&format!("As of {}.", day(at, "%a %-d %b %Y"))),
        "{text}"
    );
    let never = old.with(|it| it.read_at = None);
    let (told, text) = texts(&never);
    assert_eq!(told["day"], Value::Null);
    assert_eq!(told["ready"], "not_decidable");
    says(&text, "## Ready: not known\n");
}

#[test]
fn a_link_of_a_report_leads_where_the_config_says_in_each_format() {
    let mut row = run(1, 3, 9);
    row.id = Some("R_1/../x?y)".into());
    let (rows, release, forecast) = ([row], ReleaseSettings::default(), forecast());
    let sources = sources(&rows, &release, &forecast)
        .with(|it| it.links = Some("https://tests.example/run/{id}"));
    let address = "https://tests.example/run/R_1%2F%2E%2E%2Fx%3Fy%29";
    let (told, text) = texts(&sources);
    assert_eq!(told["runs"][0]["web"], address);
    assert!(text.contains(&format!("](<{address}>) |")), "{text}");
    let page = Report::of(&sources).text(ReportFormat::Html);
    says(&page, &format!("href=\"{address}\""));
}

#[test]
fn a_release_in_which_nothing_moves_any_more_has_no_finish_that_is_over() {
    let (row, told) = steady(1, NOW - 72 * HOUR);
    let (rows, samples, release, forecast) =
        ([row], [told], ReleaseSettings::default(), forecast());
    let stalled = sources(&rows, &release, &forecast).with(|it| it.samples = &samples);
    let (told, text) = texts(&stalled);
    assert_eq!(told["finish"]["state"], "refused");
    says(&text, "No forecast: no case was finished in the last 2 h.");
    let read_then = stalled.with(|it| it.read_at = Some(NOW - 72 * HOUR));
    assert_eq!(texts(&read_then).0["finish"]["state"], "band");
}

#[test]
fn what_was_read_by_a_clock_that_was_ahead_is_not_the_newest_result() {
    let (row, (run, mut kept)) = steady(1, NOW - HOUR / 2);
    let newest = kept.last().unwrap().clone();
    kept.push(Sample {
        at: NOW + 72 * HOUR,
        seen_until: NOW + 72 * HOUR,
        counts: None,
        ..newest
    });
    let (rows, samples, release, forecast) =
        ([row], [(run, kept)], ReleaseSettings::default(), forecast());
    let (told, text) = texts(&sources(&rows, &release, &forecast).with(|it| it.samples = &samples));
    assert_eq!(told["finish"]["state"], "band", "{text}");
    let as_of = told["finish"]["as_of"].as_str().unwrap();
    assert!(
        as_of.parse::<jiff::Timestamp>().unwrap().as_millisecond() <= NOW,
        "{as_of}"
    );
}

#[test]
fn a_version_that_is_an_empty_text_is_none() {
    for version in ["", " "] {
        let general = json!({"Id": "R_1", "Title": "Load", "ProjectVersionNumber": version});
        let value = json!({"docRef": "TestRun-dm/1", "document": {"Root": {"General": general}}});
        let row = RunRow::from_document(&Document::from_value(value).unwrap());
        assert_eq!(row.version, None);
    }
}

#[test]
fn the_chart_begins_where_all_runs_had_been_read_and_has_those_that_stand_still() {
    // One stood still since before the others were first read, and one of these was read alone for a while.
    let (moving, told) = steady(1, NOW);
    let (other, of_other) = steady(2, NOW);
    let (early, of_early) = steady(3, NOW);
    let began = told.1[0].at;
    let still = run(4, 3, 9);
    let standing = Sample::of(&still, began - 400 * HOUR);
    let of_still = (still.doc_ref.clone(), vec![standing]);
    // What was made later had no case before.
    let later = run(5, 3, 9).with(|it| it.created_on = Some(began + 9 * HOUR));
    let of_later = Sample::of(&later, began + 10 * HOUR);
    let of_later = (later.doc_ref.clone(), vec![of_later]);
    let rows = [moving, other, early, still, later];
    let (release, forecast) = (ReleaseSettings::default(), forecast());
    for alone in [2, 480] {
        let mut of_early = of_early.clone();
        let at = began - alone * HOUR;
        let before = Sample {
            at,
            seen_until: at,
            ..of_early.1[0].clone()
        };
        of_early.1.insert(0, before);
        let samples = [
            told.clone(),
            of_other.clone(),
            of_early,
            of_still.clone(),
            of_later.clone(),
        ];
        let sources = sources(&rows, &release, &forecast).with(|it| it.samples = &samples);
        let (told, text) = texts(&sources);
        assert_eq!(told["burn_up"]["runs"], 5, "{text}");
        let from = told["burn_up"]["from"].as_str().unwrap();
        let from: jiff::Timestamp = from.parse().unwrap();
        assert_eq!(from.as_millisecond(), began);
        lacks(&text, "not read here");
    }
}

#[test]
fn a_report_names_the_runs_that_a_criterion_counts() {
    let (rows, forecast) = ([run(7, 3, 9), run(9, 9, 9)], forecast());
    let mut release = met();
    release.criteria[0].expr = "runs_late == 0".into();
    let over = |_: &RunRow| Some(NOW - HOUR);
    let late = sources(&rows, &release, &forecast).with(|it| it.due_of = &over);
    let (told, text) = texts(&late);
    assert_eq!(told["ready"], "failed", "{text}");
    says(&text, "runs_late is 1: R_7");
}

#[test]
fn a_run_that_has_no_forecast_is_not_known_to_be_in_time_before_its_date() {
    let (row, told) = steady(1, NOW - 72 * HOUR);
    let (rows, samples, forecast) = ([row], [told], forecast());
    let mut release = met();
    release.criteria[0].expr = "runs_late == 0".into();
    let due = |at: i64| move |_: &RunRow| Some(at);
    let (later, before) = (due(NOW + 200 * HOUR), due(NOW - HOUR));
    let stalled = Sources {
        samples: &samples,
        due_of: &later,
        ..sources(&rows, &release, &forecast)
    };
    let (told, text) = texts(&stalled);
    assert_eq!(told["ready"], "not_decidable", "{text}");
    assert_eq!(told["runs"][0]["is_late"], Value::Null);
    lacks(&text, "LATE");
    // Nor where the sum has no forecast for another reason.
    let untold = run(9, 3, 9).with(|it| it.results = None);
    let both = [rows[0].clone(), untold];
    let (told, text) = texts(&stalled.with(|it| it.runs = &both));
    assert_eq!(told["runs"][0]["is_late"], Value::Null, "{text}");
    // Nor by its date alone where it does not tell what is left, or a closed one need not.
    let silent = |status| RunRow {
        status,
        results: None,
        ..run(9, 3, 9)
    };
    let mut unlisted = run(9, 3, 3);
    unlisted.results = Some(ResultCounts::default());
    for (run, ready) in [
        (silent(Status::Active), "not_decidable"),
        (unlisted, "not_decidable"),
        (silent(Status::Inactive), "passed"),
    ] {
        let never = Sources {
            runs: &[run],
            samples: &[],
            due_of: &later,
            ..sources(&rows, &release, &forecast)
        };
        assert_eq!(texts(&never).0["ready"], ready);
    }
    let stalled = Sources {
        samples: &samples,
        due_of: &later,
        ..sources(&rows, &release, &forecast)
    };
    // Where nothing was read before, the date alone tells; one that has passed always does.
    let never = stalled.with(|it| it.samples = &[]);
    assert_eq!(texts(&never).0["ready"], "passed");
    let (told, text) = texts(&never.with(|it| it.due_of = &before));
    assert_eq!(told["ready"], "failed");
    says(&text, "open, due ");
    says(&text, ": LATE |");
}

#[test]
fn a_report_says_of_which_sub_projects_its_runs_are_and_that_results_are_not_told() {
    let of = |number: u64, subproject: &str| {
        run(number, 3, 9).with(|it| it.subproject = Some(subproject.into()))
    };
    let text = |rows: &[RunRow]| report_of(rows).text(ReportFormat::Md);
    let both = text(&[of(1, "SP_1"), of(2, "SP_2")]);
    assert!(
        both.contains("of 2 sub projects: SP\\_1, SP\\_2")
            || both.contains("of 2 sub projects: SP_1, SP_2"),
        "{both}"
    );
    assert!(!text(&[of(1, "SP_1"), of(2, "SP_1")]).contains("sub project"));
    let untold = run(1, 3, 9).with(|it| it.results = None);
    let told = text(&[untold]);
    says(&told, "The service tells no results of these runs.");
    lacks(&told, "0 left");
}

#[test]
fn a_column_is_one_of_numbers_by_what_is_told_in_it() {
    let untold = run(2, 3, 9).with(|it| it.results = None);
    let text = report_of(&[run(1, 3, 9), untold]).text(ReportFormat::Md);
    let (_, runs) = text.split_once("## Runs").unwrap();
    let mut lines = runs.lines().filter(|line| line.starts_with('|'));
    let [headings, rules] = [(); 2].map(|()| lines.next().unwrap().split(" | "));
    let numbers = headings.zip(rules).filter(|(_, rule)| rule.contains(':'));
    let numbers: Vec<_> = numbers.map(|(heading, _)| heading).collect();
    let told = "Cases, Passed, Failed (new), Failed (known), Blocked, Left |";
    assert_eq!(numbers.join(", "), told, "{text}");
}

#[test]
fn cases_left_in_closed_runs_are_not_in_the_column_of_those_left() {
    let closed = run(2, 5, 9).with(|it| it.status = Status::Inactive);
    let finished = run(3, 9, 9).with(|it| it.status = Status::Inactive);
    let text = report_of(&[run(1, 3, 9), closed, finished]).text(ReportFormat::Md);
    let left = |id: &str| {
        let (_, runs) = text.split_once("## Runs").unwrap();
        let row = runs.lines().find(|line| line.contains(id)).unwrap();
        let cell = row.trim_end_matches('|').rsplit('|').next().unwrap();
        cell.trim().to_owned()
    };
    let shown = ["R_1", "R_2", "R_3"].map(left);
    assert_eq!(shown, ["6", "4 not run", "0"], "{text}");
}

/// As on the board.
#[test]
fn what_closed_runs_left_is_not_run_in_each_row_of_a_report_but_that_of_all() {
    let named = |number: u64, passed: u64, title: &str, status: Status| RunRow {
        title: Some(title.into()),
        status,
        ..run(number, passed, 9)
    };
    let rows = |configuration: &str| {
        let rows = [
            named(1, 3, "Smoke", Status::Active),
            named(2, 5, "Acceptance", Status::Inactive),
            named(3, 9, "Security", Status::Inactive),
        ];
        rows.map(|row| row.with(|it| it.configuration = Some(configuration.into())))
    };
    // A long name makes a row of each cell.
    for configuration in [
        "chrome",
        "a_configuration_with_a_name_that_has_no_room_in_a_heading",
    ] {
        let text = report_of(&rows(configuration)).text(ReportFormat::Md);
        let left = |kind: &str| {
            let (_, board) = text.split_once("## Board").unwrap();
            let start = format!("| {kind} |");
            let row = board.lines().find(|line| line.starts_with(&start));
            let row = row.unwrap();
            let cell = row.trim_end_matches('|').rsplit('|').next().unwrap();
            cell.trim().to_owned()
        };
        let shown = ["Smoke", "Acceptance", "Security", "all"].map(left);
        assert_eq!(shown, ["6", "4 not run", "closed", "6"], "{text}");
    }
    let closed = rows("chrome").map(|row| row.with(|it| it.status = Status::Inactive));
    let text = report_of(&closed).text(ReportFormat::Md);
    let all = text.lines().find(|line| line.starts_with("| all |"));
    assert!(all.unwrap().ends_with("| 0 |"), "{text}");
}

#[test]
fn no_run_of_a_report_was_read_after_its_own_reading() {
    let (moving, told) = steady(1, NOW);
    let (other, of_other) = steady(2, NOW - 5 * HOUR);
    let (rows, samples, release, forecast) = (
        [moving, other],
        [told, of_other],
        ReleaseSettings::default(),
        forecast(),
    );
    let read_now = sources(&rows, &release, &forecast).with(|it| it.samples = &samples);
    assert_eq!(texts(&read_now).0["finish"]["state"], "band");
    let read_then = read_now.with(|it| it.read_at = Some(NOW - 5 * HOUR));
    let (told, _) = texts(&read_then);
    assert_eq!(told["finish"]["why"], "R_2 was not read for 2 h");
}

#[test]
fn the_pace_needed_is_that_from_the_counts_on_in_a_report_as_on_the_board() {
    let (row, told) = steady(1, NOW);
    let of_board = [(SumRun::of(&row, &forecast().done), told.1.clone())];
    let (rows, samples, release, forecast) =
        ([row], [told], ReleaseSettings::default(), forecast());
    let text = |due: i64, now: i64| {
        let sources = Sources {
            samples: &samples,
            due: Some(due),
            now,
            ..sources(&rows, &release, &forecast)
        };
        texts(&sources).1
    };
    let Outlook::Band(band) = finish(&of_board, NOW, &forecast).outlook else {
        panic!("no forecast");
    };
    let due = NOW + 96 * HOUR;
    let pace = band.pace_words(Some(due), NOW, &TimeZone::UTC);
    assert!(
        pace.contains(" observed, ") && pace.ends_with(" needed"),
        "{pace}"
    );
    says(&text(due, NOW), &format!(", {pace}. As of "));
    // The same data gives the same bytes, until it is over.
    assert_eq!(text(due, NOW), text(due, NOW + 40 * HOUR));
    assert!(!text(due, due).contains("needed"));
}

#[test]
fn an_earlier_round_is_told_as_such_and_leaves_the_finish_to_the_younger_one() {
    let (row, told) = steady(3, NOW);
    let earlier = |number, passed| run(number, passed, 9).with(|it| it.status = Status::Inactive);
    let mut rows = [earlier(1, 9), earlier(2, 3), row];
    for row in &mut rows {
        row.title = Some("Load".into());
    }
    let (samples, release, forecast) = ([told], ReleaseSettings::default(), forecast());
    let (told, text) = texts(&sources(&rows, &release, &forecast).with(|it| it.samples = &samples));
    let is_earlier = |place: usize| {
        let run = &told["runs"][place];
        (run["id"].as_str().unwrap(), run["is_earlier_round"].clone())
    };
    assert_eq!(
        [0, 1, 2].map(is_earlier),
        [("R_3", false), ("R_1", true), ("R_2", true)].map(|(id, is)| (id, Value::from(is)))
    );
    assert_eq!(told["cells"][0]["runs"][0]["id"], "R_3");
    says(&text, "2 earlier rounds not counted, some not passed.");
    says(&text, "| earlier round |");
    assert_eq!(told["finish"]["state"], "band");
    // Without one it is told of none.
    let (told, _) = texts(&sources(&rows[2..], &release, &forecast));
    assert_eq!(told["runs"][0]["is_earlier_round"], false);
}

#[test]
fn a_reading_in_which_nothing_changed_leaves_a_report_as_it_is() {
    let (row, told) = steady(1, NOW - HOUR);
    let (rows, release, forecast) = ([row], ReleaseSettings::default(), forecast());
    let text = |samples: &[(DocRef, Vec<Sample>)]| {
        let sources = sources(&rows, &release, &forecast).with(|it| it.samples = samples);
        Report::of(&sources).text(ReportFormat::Html)
    };
    let (run, mut samples) = told;
    let before = text(&[(run.clone(), samples.clone())]);
    let last = samples.last_mut().unwrap();
    last.seen_until = NOW - HOUR / 2;
    let again = Sample {
        at: NOW,
        seen_until: NOW,
        progress: Some(9),
        ..last.clone()
    };
    samples.push(again);
    assert!(text(&[(run, samples)]) == before);
}

#[test]
fn the_last_point_of_a_burn_up_is_of_the_time_beside_it() {
    let (moving, mut told) = steady(1, NOW);
    let (other, mut of_other) = steady(2, NOW - 5 * HOUR);
    of_other.1.retain(|it| it.at >= NOW - 47 * HOUR);
    // Two readings in its first point.
    let begins = told.1.iter().position(|it| it.at >= NOW - 47 * HOUR);
    let begins = begins.unwrap();
    let at = told.1[begins].at + HOUR / 6;
    let soon = Sample {
        at,
        seen_until: at,
        ..told.1[begins + 1].clone()
    };
    told.1.insert(begins + 1, soon);
    let (rows, samples, release, forecast) = (
        [moving, other],
        [told, of_other],
        ReleaseSettings::default(),
        forecast(),
    );
    let all = sources(&rows, &release, &forecast).with(|it| it.samples = &samples);
    let (told, text) = texts(&all);
    // The first one is of the newest reading in it.
    let first = &told["burn_up"]["points"][0];
    let from: jiff::Timestamp = told["burn_up"]["from"].as_str().unwrap().parse().unwrap();
    let read = all.samples.iter().flat_map(|(_, samples)| samples);
    let read = read.map(|it| it.at).filter(|at| {
        let since = at - from.as_millisecond();
        (0..=(NOW - from.as_millisecond()) / 84).contains(&since)
    });
    let at = jiff::Timestamp::from_millisecond(read.max().unwrap()).unwrap();
    let at = at.to_zoned(TimeZone::UTC).strftime("%a %-d %b %Y %H:%M");
    let words = format!("{at}: {} of {} cases done", first["done"], first["total"]);
    says(&text, &words);
    let (done, total) = (&told["sums"]["done"], &told["sums"]["total"]);
    let last = told["burn_up"]["points"]
        .as_array()
        .unwrap()
        .last()
        .unwrap();
    assert_eq!((&last["done"], &last["total"]), (done, total));
    let at = jiff::Timestamp::from_millisecond(NOW)
        .unwrap()
        .to_zoned(TimeZone::UTC);
    let at = at.strftime("%a %-d %b %Y %H:%M").to_string();
    says(&text, &format!("{at}: {done} of {total} cases done"));
    let read_then = all.with(|it| it.read_at = Some(NOW - 5 * HOUR));
    let (_, text) = texts(&read_then);
    lacks(&text, &format!("{at}: "));
}

proptest! {
    #![proptest_config(ProptestConfig::default().with(|it| it.cases = crate::support::cases(100)))]

    #[test]
    fn each_run_is_in_one_cell_or_an_earlier_round_and_the_cells_add_up(mut all in prop::collection::vec(told(), 1..60)) {
        for (number, told) in (1..).zip(&mut all) {
            told.number = number;
        }
        let rows: Vec<RunRow> = all.iter().map(row_of).collect();
        let board = Board::of(&rows, &[], &[ResultCode::Passed, ResultCode::FailedNew], false);
        let mut cells: BTreeMap<(String, Vec<String>), (Numbers, Vec<u64>)> = BTreeMap::new();
        let mut earlier = Vec::new();
        for told in &all {
            let place = (kind(told), parts(told));
            let is_same = |it: &&Told| it.subproject == told.subproject && (kind(it), parts(it)) == place;
            if !told.open && all.iter().filter(is_same).any(|it| is_younger(it, told)) {
                earlier.push(told.number);
                continue;
            }
            let cell = cells.entry(place).or_default();
            cell.0.iter_mut().zip(numbers(told)).for_each(|(sum, number)| *sum += number);
            cell.1.push(told.number);
        }
        let number = |run: &DocRef| run.as_str().rsplit('/').next().unwrap().parse::<u64>().unwrap();
        let of = |sums: &rundown::domain::release::ReleaseSums| {
            [sums.runs, sums.total(), sums.done, sums.left, sums.not_run, sums.at(ResultCode::FAILED)]
        };
        let found: BTreeMap<_, _> = board.cells.iter().map(|((kind, configuration), cell)| {
            let place = (board.kinds[*kind].key.clone(), board.configurations[*configuration].0.clone());
            let mut runs: Vec<u64> = cell.runs.iter().map(number).collect();
            runs.sort_unstable();
            (place, (of(&cell.sums), runs))
        }).collect();
        prop_assert_eq!(&found, &cells);
        let mut not_counted: Vec<u64> = board.earlier.iter().map(|it| number(&it.run)).collect();
        not_counted.sort_unstable();
        prop_assert_eq!(&not_counted, &earlier);
        // Rows, columns and all of it are the sums of their cells.
        let add = |mut sum: Numbers, cell: Numbers| {
            sum.iter_mut().zip(cell).for_each(|(sum, number)| *sum += number);
            sum
        };
        let all_cells = cells.values().map(|cell| cell.0).fold([0; 6], add);
        // Criteria ask for the same numbers, and where a run that has such cases tells none they are not known.
        let silent = |open: bool| all.iter().any(|told| {
            told.open == open && told.counts.is_none() && !earlier.contains(&told.number)
        });
        let asked = [RunCount::Runs, RunCount::Total, RunCount::Done, RunCount::Left, RunCount::NotRun, RunCount::Failed];
        for (count, expected) in asked.into_iter().zip(all_cells) {
            let is_known = match count {
                RunCount::Runs => true,
                RunCount::Left => !silent(true),
                RunCount::NotRun => !silent(false),
                _ => !silent(true) && !silent(false),
            };
            let known = Some(i128::from(expected)).filter(|_| is_known);
            prop_assert_eq!(board.all.number(count, &[ResultCode::Passed, ResultCode::FailedNew], true).exact(), known);
        }
        prop_assert_eq!(of(&board.all), all_cells);
        prop_assert_eq!(board.by_kind.iter().map(of).fold([0; 6], add), all_cells);
        prop_assert_eq!(board.by_configuration.iter().map(of).fold([0; 6], add), all_cells);
        // The report tells the same, in all of its forms.
        let report = report_of(&rows);
        let told: Value = serde_json::from_str(&report.text(ReportFormat::Json)).unwrap();
        let of_json = |sums: &Value| {
            let [runs, untold] = ["runs", "without_results"].map(|name| sums[name].as_u64().unwrap());
            let is_told = untold == 0 || untold < runs;
            assert_eq!(is_told, !sums["left"].is_null() && !sums["results"]["passed"].is_null());
            let known = |number: &Value| if is_told { number.as_u64().unwrap() } else { 0 };
            let number = |name: &str| if name == "runs" { runs } else { known(&sums[name]) };
            let failed = ["failed_new", "failed_known"].map(|name| known(&sums["results"][name]));
            [number("runs"), number("total"), number("done"), number("left"), number("not_run"), failed.iter().sum()]
        };
        prop_assert_eq!(of_json(&told["sums"]), all_cells);
        let told_cells = told["cells"].as_array().unwrap();
        let mut found: Vec<Numbers> = told_cells.iter().map(|cell| of_json(&cell["sums"])).collect();
        let mut expected: Vec<Numbers> = cells.values().map(|cell| cell.0).collect();
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(found, expected);
        prop_assert_eq!(told["runs"].as_array().unwrap().len(), rows.len());
        for format in [ReportFormat::Html, ReportFormat::Md] {
            let text = report.text(format);
            let left = rundown::domain::text::thousands(all_cells[3]);
            let is_untold = told["sums"]["without_results"] == told["sums"]["runs"];
            let words = if is_untold && !board.cells.is_empty() {
                "The service tells no results of these runs.".to_owned()
            } else {
                format!("{left} left")
            };
            prop_assert!(text.contains(&words), "{text}");
            prop_assert_eq!(&report_of(&rows).text(format), &text);
        }
        for run in board.earlier {
            let (run, by) = (number(&run.run), number(&run.by));
            prop_assert!(is_younger(&all[by as usize - 1], &all[run as usize - 1]));
        }
    }
}
