//! What a release comes to, held against a second implementation that shares no code with the first.

use crate::support::prelude::*;
use crate::support::samples_of::usual;
use proptest::prelude::*;
use rundown::domain::query_language::{Range, RunCount};
use rundown::domain::release::{Board, ReleaseSettings, ReportFormat};
use rundown::forecast::Settings;
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
const ENDS: [&str; 14] = [
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
    let mut results = ResultCounts::default();
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
    let mut rest = format!(
        " {} ",
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    );
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
        ]
        .map(str::to_owned),
    );
    loop {
        let before = rest.clone();
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
        "" => plain(&told.title),
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

/// The report of these runs, of which nothing was read before.
fn report_of(rows: &[RunRow]) -> Report {
    Report::of(&Sources {
        scope: "P_9/SP_1",
        version: "1.10.0",
        runs: rows,
        release: &ReleaseSettings::default(),
        forecast: &Settings {
            done: vec![ResultCode::Passed, ResultCode::FailedNew],
            ..usual(TimeZone::UTC)
        },
        due: None,
        due_of: &|_| None,
        samples: &[],
        since: None,
        quiet: Range::UNKNOWN,
        in_no_run: None,
        suites_in_no_run: Range::UNKNOWN,
        not_read: Vec::new(),
        with_names: false,
        links: None,
        now: NOW,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn each_run_is_in_one_cell_or_an_earlier_round_and_the_cells_add_up(mut all in prop::collection::vec(told(), 1..60)) {
        for (number, told) in (1..).zip(&mut all) {
            told.number = number;
        }
        let rows: Vec<RunRow> = all.iter().map(row_of).collect();
        let board = Board::of(&rows, &[], &[ResultCode::Passed, ResultCode::FailedNew]);
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
            [sums.runs, sums.total, sums.done, sums.left, sums.not_run, sums.at(ResultCode::FAILED)]
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
        prop_assert_eq!(not_counted, earlier);
        // Rows, columns and all of it are the sums of their cells.
        let add = |mut sum: Numbers, cell: Numbers| {
            sum.iter_mut().zip(cell).for_each(|(sum, number)| *sum += number);
            sum
        };
        let all_cells = cells.values().map(|cell| cell.0).fold([0; 6], add);
        // Criteria ask for the same numbers, and where a run tells none they are not known.
        let asked = [RunCount::Runs, RunCount::Total, RunCount::Done, RunCount::Left, RunCount::NotRun, RunCount::Failed];
        for (count, expected) in asked.into_iter().zip(all_cells) {
            let is_known = count == RunCount::Runs || board.all.untold == 0;
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
            let number = |name: &str| sums[name].as_u64().unwrap();
            let failed = ["failed_new", "failed_known"].map(|name| sums["results"][name].as_u64().unwrap());
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
            prop_assert!(text.contains(&format!("{left} left")), "{}", text);
            prop_assert_eq!(&report_of(&rows).text(format), &text);
        }
        for run in board.earlier {
            let (run, by) = (number(&run.run), number(&run.by));
            prop_assert!(is_younger(&all[by as usize - 1], &all[run as usize - 1]));
        }
    }
}
