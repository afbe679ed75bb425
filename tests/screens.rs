//! Every screen in its states, at 80x24 and 120x40.

use super::support::{evidence, sample, samples_of};
use crate::support::look::Look as _;
use evidence::{evidence, list, other};
use rundown::attached::verdict;
use rundown::domain::{Document, Failure, ResultCode, ResultCounts, RunRow, RunsOperation, Status};
use rundown::rpc::{CallError, CallErrorKind, MethodCall, ServiceError};
use rundown::store::{Event, Opened, SignInReason, Slot};
use sample::{NOW, Sample, failure, page, session};
use samples_of::{Pace, history};

const SIZES: [(u16, u16); 2] = [(80, 24), (120, 40)];

fn snapshots(name: &str, make: impl Fn((u16, u16)) -> Sample) {
    for size in SIZES {
        let screen = make(size).screen();
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), screen);
    }
}

#[test]
fn runs_before_anything_is_known() {
    snapshots("runs_starting", Sample::new);
}

#[test]
fn runs_while_the_local_service_is_made() {
    snapshots("runs_preparing", |size| {
        let mut sample = Sample::new(size);
        sample.event(Event::Preparing {
            done: 340_000,
            total: 1_000_000,
        });
        sample
    });
}

#[test]
fn runs_loading() {
    snapshots("runs_loading", Sample::signed_in);
}

#[test]
fn runs_empty() {
    snapshots("runs_empty", |size| Sample::list(size, 0));
}

#[test]
fn runs_full() {
    snapshots("runs_full", |size| Sample::list(size, 137).pressed("jjjj"));
}

#[test]
fn runs_whose_rows_are_not_here_yet() {
    snapshots("runs_ahead", |size| {
        Sample::list(size, 100_000).pressed("G")
    });
}

#[test]
fn runs_that_cannot_be_read() {
    snapshots("runs_failed", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        sample.event(Event::Runs {
            id,
            result: Err(failure()),
        });
        sample
    });
}

/// What somebody sees whose first start brings no runs: what is the matter, and the next step.
#[test]
fn first_screens_without_runs() {
    let failed = |kind: CallErrorKind| {
        Failure::from(CallError {
            asked: MethodCall {
                method: "LIST_TEST_RUNS",
                doing: "loading the runs",
                about: "page 0..50".into(),
                writes: false,
            },
            kind,
        })
    };
    let status = |status: u16| CallErrorKind::Http {
        status,
        excerpt: String::new(),
    };
    let no_project = ServiceError {
        status: 200,
        code: Some("-32004".into()),
        message: "Not found".into(),
        title: None,
        log_id: None,
    };
    let no_network = "https://demo.example: failed to lookup address information";
    for (name, kind) in [
        ("no_network", CallErrorKind::Connect(no_network.into())),
        ("wrong_address", status(404)),
        ("unavailable", status(503)),
        ("no_right", status(403)),
        ("no_project", CallErrorKind::Service(Box::new(no_project))),
    ] {
        snapshots(&format!("first_{name}"), |size| {
            let mut sample = Sample::signed_in(size);
            let id = sample.asked();
            let result = Err(failed(kind.clone()));
            sample.event(Event::Runs { id, result });
            sample
        });
    }
    snapshots("first_read_only", |size| Sample::read_only_list(size, 0));
}

#[test]
fn runs_that_are_old_because_the_refresh_failed() {
    snapshots("runs_old", |size| {
        let mut sample = Sample::list(size, 10);
        sample.press("r");
        let id = sample.asked();
        sample.event(Event::Runs {
            id,
            result: Err(failure()),
        });
        sample
    });
}

#[test]
fn runs_from_the_operation_without_counts() {
    snapshots("runs_without_counts", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(
            rundown::domain::Page {
                offset: 0,
                limit: 50,
            },
            7,
        );
        answer.operation = RunsOperation::ListDocuments;
        answer.facets = None;
        for row in &mut answer.rows {
            (row.suite_count, row.progress, row.results) = (None, None, None);
        }
        sample.event(Event::Runs {
            id,
            result: Ok(answer),
        });
        sample
    });
}

#[test]
fn runs_filtered_locally_while_typing() {
    snapshots("runs_filter_typing", |size| {
        Sample::list(size, 30).pressed("/smo")
    });
}

#[test]
fn runs_filtered_by_the_service() {
    snapshots("runs_filter_service", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("/smoke\n");
        sample.answer(3);
        sample
    });
}

#[test]
fn runs_with_hostile_text() {
    snapshots("runs_hostile", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(
            rundown::domain::Page {
                offset: 0,
                limit: 50,
            },
            6,
        );
        let titles = [
            "\u{1b}[2J\u{1b}[31mred\u{7} \u{9b}5m",
            "left\u{202e}right\u{2066}inside\u{2069} 🇩🇪\u{1112}\u{1161}\u{11ab}",
            "日本語の入力と検索日本語の入力と検索日本語の入力と検索日本語の入力と検索",
            "Z\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}a\u{301}lgo 👩\u{200d}💻 \u{feff}end",
            "line\nbreak\ttab\rreturn",
            &"x".repeat(10_000),
        ];
        for (row, title) in answer.rows.iter_mut().zip(titles) {
            *row = RunRow {
                title: Some(title.into()),
                edited_by: Some("\u{1b}]0;x\u{7}me".into()),
                ..row.clone()
            };
        }
        answer.rows[5].status = Status::Other("half\u{1b}[1m open".into());
        sample.event(Event::Runs {
            id,
            result: Ok(answer),
        });
        sample
    });
}

#[test]
fn detail_from_the_list_while_reading() {
    snapshots("detail_reading", |size| {
        Sample::list(size, 30).pressed("jjjj\n")
    });
}

pub fn detail(size: (u16, u16)) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("jjjj\n");
    sample.answer(30);
    sample
}

#[test]
fn detail_full() {
    snapshots("detail_full", detail);
}

#[test]
fn detail_tabs() {
    for (name, key) in [("history", "3"), ("details", "5")] {
        snapshots(&format!("detail_{name}"), |size| detail(size).pressed(key));
    }
}

/// An open run that says this of itself, its document here, looked at for as long as it takes.
fn told(size: (u16, u16), change: impl Fn(&mut RunRow)) -> Sample {
    let mut sample = Sample::signed_in(size);
    let id = sample.asked();
    let mut answer = page(
        rundown::domain::Page {
            offset: 0,
            limit: 50,
        },
        8,
    );
    for row in &mut answer.rows {
        change(row);
    }
    sample.open.clear();
    sample.event(Event::Runs {
        id,
        result: Ok(answer),
    });
    // Yesterday two fewer had failed.
    let mut before = sample::row(7);
    let counts = before.results.as_mut().unwrap();
    *counts = ResultCounts::default();
    counts.add(ResultCode::FailedNew, 7);
    let before = rundown::domain::Sample::of(&before, NOW - 20 * 3_600_000);
    if let Some((id, _)) = sample.store.waits(|slot| *slot == Slot::Earlier) {
        let found = Some(vec![(sample::row(7).doc_ref, before)]);
        sample.event(Event::Earlier { id, found });
    }
    sample.press("jjjjjjj\n");
    // What only the list brings is not in the document.
    let mut raw = sample::document(7).raw().clone();
    raw["document"]["Root"]["DisplayFields"] = serde_json::json!({});
    let general = raw["document"]["Root"]["General"].as_object_mut().unwrap();
    general.remove("TestSuiteCount");
    general.remove("Progress");
    let document = Document::from_value(raw).unwrap();
    let id = sample.store.asked(&Slot::Document);
    sample.event(Event::Document {
        id,
        result: Ok(Box::new(Opened {
            document,
            json: Vec::new(),
        })),
    });
    sample
}

fn with_suites(mut sample: Sample, attached: rundown::attached::Attached) -> Sample {
    let id = sample.store.asked(&Slot::RestPause);
    sample.event(Event::Timer(id));
    let id = sample.store.asked(&Slot::RunSuites);
    let result = Ok(Box::new(attached));
    sample.event(Event::Surveyed { id, result });
    sample
}

fn with_history(mut sample: Sample, pace: Pace) -> Sample {
    let id = sample.store.asked(&Slot::History);
    sample.event(Event::History {
        id,
        result: Ok(Box::new(history(pace, NOW))),
    });
    sample
}

const ALSO_SMALL: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

fn run_snapshots(name: &str, make: impl Fn((u16, u16)) -> Sample) {
    for size in ALSO_SMALL {
        let screen = make(size).screen();
        insta::assert_snapshot!(format!("run_{name}_{}x{}", size.0, size.1), screen);
    }
}

#[test]
fn a_run_with_its_suites_and_a_forecast() {
    run_snapshots("whole", |size| {
        let sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        with_history(sample, Pace::Steady)
    });
    run_snapshots("forecast", |size| {
        with_history(told(size, |_| {}), Pace::Steady).pressed("4")
    });
    run_snapshots("forecast_not_ready", |size| {
        let sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        with_history(sample, Pace::Thin)
    });
}

#[test]
fn a_run_with_suites_partly_known() {
    run_snapshots("suites_partly", |size| {
        let mut evidence = evidence();
        evidence.other_runs = vec![other(3, 5, list(6..=10))];
        with_suites(told(size, |_| {}), verdict(&evidence))
    });
    run_snapshots("suites", |size| {
        let mut sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        sample.press("2");
        sample
    });
    run_snapshots("suites_none", |size| {
        told(size, |row| row.suite_count = Some(0)).pressed("2")
    });
}

#[test]
fn a_closed_run() {
    run_snapshots("closed", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jjjjj\n");
        sample.answer(30);
        let id = sample.store.asked(&Slot::RestPause);
        sample.event(Event::Timer(id));
        sample
    });
}

#[test]
fn a_run_without_results_and_one_with_odd_ones() {
    run_snapshots("without_results", |size| {
        let mut sample = told(size, |row| {
            (row.results, row.progress, row.suite_count) = (None, None, None);
            (row.cases_with_tester, row.testers) = (None, Vec::new());
        });
        let id = sample.store.asked(&Slot::Counts);
        let none = rundown::domain::RunsPage {
            full_size: 0,
            rows: Vec::new(),
            facets: None,
            operation: RunsOperation::ListDocuments,
        };
        sample.event(Event::Runs {
            id,
            result: Ok(none),
        });
        sample
    });
    run_snapshots("odd_results", |size| {
        told(size, |row| {
            let mut odd = ResultCounts::default();
            odd.add(ResultCode::Passed, 1_204_331);
            odd.add(ResultCode::FailedNew, 3);
            odd.add(ResultCode::OnHoldExternal, 2);
            odd.add(ResultCode::OnHoldInternal, 5);
            odd.add(ResultCode::Skipped, 1);
            odd.others.push(("12".into(), String::new(), 7));
            odd.others.push(("x\u{1b}[31m".into(), "Odd".into(), 1));
            odd.unread = 2;
            row.results = Some(odd);
        })
    });
}

#[test]
fn a_run_with_many_testers_and_a_title_of_wide_letters() {
    run_snapshots("many_testers", |size| {
        told(size, |row| {
            row.testers = (1..=70).map(|number| format!("tester {number}")).collect();
            row.title = Some("x".into());
        })
    });
    run_snapshots("wide_title", |size| {
        let title = "日本語の入力と検索 اختبار الدفع 日本語の入力と検索日本語の入力と検索日本語の入力と検索日本語の入力と検索";
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(
            rundown::domain::Page {
                offset: 0,
                limit: 50,
            },
            3,
        );
        for row in &mut answer.rows {
            row.title = Some(title.into());
            row.status = Status::Other("half\u{1b}[1m open".into());
        }
        sample.event(Event::Runs {
            id,
            result: Ok(answer),
        });
        sample.press("\n");
        sample
    });
}

#[test]
fn detail_failed_and_old() {
    snapshots("detail_failed", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("\n");
        let id = sample.asked();
        sample.event(Event::Document {
            id,
            result: Err(failure()),
        });
        sample
    });
    snapshots("detail_old", |size| {
        let mut sample = detail(size);
        sample.press("r");
        let id = sample.asked();
        sample.event(Event::Document {
            id,
            result: Err(failure()),
        });
        sample
    });
}

#[test]
fn json_with_a_search() {
    snapshots("json", |size| detail(size).pressed("i/tenant\n"));
}

#[test]
fn login_in_its_states() {
    let login = |why: SignInReason| {
        move |size| {
            let mut sample = Sample::list(size, 30);
            sample.event(Event::SignInNeeded {
                user: "qa".into(),
                why: why.clone(),
            });
            sample.press("geheim");
            sample
        }
    };
    snapshots("login_missing", login(SignInReason::Missing));
    snapshots(
        "login_refused",
        login(SignInReason::Refused(
            "sign-in refused: Invalid user credentials (invalid_grant, 401)".into(),
        )),
    );
    snapshots(
        "login_over",
        login(SignInReason::Over("Token is not active".into())),
    );
    let failed = login(SignInReason::Failed("no answer within 30 s".into()));
    insta::assert_snapshot!("login_failed_40x12", failed((40, 12)).screen());
    snapshots("login_without_password", |size| {
        let mut sample = Sample::list(size, 30);
        sample.event(Event::SignInNeeded {
            user: "qa".into(),
            why: SignInReason::Missing,
        });
        sample.press("\n");
        sample
    });
    snapshots("login_asking", |size| {
        let mut sample = login(SignInReason::Missing)(size);
        sample.press("\n");
        sample
    });
}

#[test]
fn boxes() {
    for (name, keys) in [
        ("sort", "o"),
        ("facets", "f"),
        ("columns", "w"),
        ("palette", ":"),
        ("palette_narrowed", ":pro"),
        ("palette_wrong", ":project X\n"),
        ("help", "?"),
        ("help_search", "?sort"),
        ("errors_none", "!"),
    ] {
        snapshots(&format!("box_{name}"), |size| {
            Sample::list(size, 30).pressed(keys)
        });
    }
}

#[test]
fn columns_as_a_person_set_them() {
    // Testers stay where room is short, before the title stands a narrow version, and no bar is shown.
    let keys = "wGkkkkPgjjj KK----gjjjjjjjj ";
    for (name, close) in [("box_columns_set", ""), ("runs_columns_set", "\u{1b}")] {
        snapshots(name, |size| {
            let mut sample = Sample::list(size, 30);
            sample.press(keys);
            sample.press(close);
            sample
        });
    }
}

#[test]
fn errors_listed() {
    snapshots("box_errors", |size| {
        let mut sample = Sample::list(size, 30);
        for _ in 0..3 {
            sample.event(Event::Trouble(failure()));
        }
        sample.press("!");
        sample
    });
}

#[test]
fn a_read_only_session_says_so() {
    snapshots("runs_read_only", |size| {
        let mut sample = Sample::new(size);
        let read_only = rundown::store::Session {
            read_only: true,
            subproject: None,
            ..session()
        };
        sample.event(Event::Connected(Box::new(read_only)));
        sample.event(Event::SignedIn { user: "qa".into() });
        sample.answer(3);
        sample
    });
}

#[test]
fn a_small_terminal_is_used_and_a_tiny_one_says_so() {
    insta::assert_snapshot!("runs_40x10", Sample::list((40, 10), 137).screen());
    insta::assert_snapshot!("detail_40x10", detail((40, 10)).screen());
    insta::assert_snapshot!("tiny_30x6", Sample::list((30, 6), 137).screen());
    insta::assert_snapshot!("tiny_20x4", Sample::list((20, 4), 137).screen());
}
