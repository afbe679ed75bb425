//! The list of runs, a run, and the boxes over them in their states.

use super::pictures::States;
use super::support::{evidence, sample, samples_of};
use crate::support::prelude::*;
use evidence::{evidence, list, other};
use rundown::attached::verdict;
use rundown::auth::NoConnection;
use rundown::domain::Days;
use rundown::mirror::EarlierReadings;
use rundown::rpc::{CallError, CallErrorKind, MethodCall, ServiceError};
use sample::page;
use samples_of::{Pace, history};
use unicode_width::UnicodeWidthChar;

fn runs_before_anything_is_known(states: &mut States<'_>) {
    states.see("runs_starting", Sample::new);
}

fn runs_while_the_local_service_is_made(states: &mut States<'_>) {
    states.see("runs_preparing", |size| {
        let mut sample = Sample::new(size);
        sample.event(Event::Preparing {
            done: 340_000,
            total: 1_000_000,
        });
        sample
    });
}

fn runs_loading(states: &mut States<'_>) {
    states.see("runs_loading", Sample::signed_in);
}

fn runs_empty(states: &mut States<'_>) {
    states.see("runs_empty", |size| Sample::list(size, 0));
}

fn runs_full(states: &mut States<'_>) {
    states.see("runs_full", |size| Sample::list(size, 137).pressed("jjjj"));
}

fn runs_whose_rows_are_not_here_yet(states: &mut States<'_>) {
    states.see("runs_ahead", |size| {
        Sample::list(size, 100_000).pressed("G")
    });
}

fn runs_that_cannot_be_read(states: &mut States<'_>) {
    states.see("runs_failed", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        sample.runs(id, Err(failure()));
        sample
    });
}

/// What somebody sees whose first start brings no runs: what is the matter, and the next step.
fn first_screens_without_runs(states: &mut States<'_>) {
    let failed = |kind: CallErrorKind| {
        Failure::from(CallError {
            asked: MethodCall {
                method: "LIST_TEST_RUNS",
                doing: "loading the runs",
                about: "P_9".into(),
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
        description: None,
        log_id: None,
    };
    let no_network = "https://demo.example: failed to lookup address information";
    for (name, kind) in [
        (
            "no_network",
            CallErrorKind::Connect(NoConnection::other(no_network.into())),
        ),
        ("wrong_address", status(404)),
        ("unavailable", status(503)),
        ("no_right", status(403)),
        ("no_project", CallErrorKind::Service(Box::new(no_project))),
    ] {
        states.see(&format!("first_{name}"), |size| {
            let mut sample = Sample::signed_in(size);
            let id = sample.asked();
            sample.runs(id, Err(failed(kind.clone())));
            sample
        });
    }
    states.see("first_read_only", |size| Sample::read_only_list(size, 0));
}

fn runs_that_are_old_because_the_refresh_failed(states: &mut States<'_>) {
    states.see("runs_old", |size| {
        let mut sample = Sample::list(size, 10);
        sample.press("r");
        let id = sample.asked();
        sample.runs(id, Err(failure()));
        sample
    });
}

fn runs_from_the_operation_without_counts(states: &mut States<'_>) {
    states.see("runs_without_counts", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(FIRST, 7);
        answer.operation = Some(RunsOperation::ListDocuments);
        answer.facets = None;
        for row in &mut answer.rows {
            (row.suite_count, row.progress, row.results) = (None, None, None);
        }
        sample.runs(id, Ok(answer));
        sample
    });
}

fn runs_filtered_locally_while_typing(states: &mut States<'_>) {
    states.see("runs_filter_typing", |size| {
        Sample::list(size, 30).pressed("/smo")
    });
}

fn runs_filtered_by_the_service(states: &mut States<'_>) {
    states.see("runs_filter_service", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("/smoke\n");
        sample.answer(3);
        sample
    });
}

fn runs_with_hostile_text(states: &mut States<'_>) {
    states.see("runs_hostile", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(FIRST, 6);
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
                description: None,
                edited_by: Some("\u{1b}]0;x\u{7}me".into()),
                ..row.clone()
            };
        }
        answer.rows[5].status = Status::Other("half\u{1b}[1m open".into());
        sample.runs(id, Ok(answer));
        sample
    });
}

fn detail_from_the_list_while_reading(states: &mut States<'_>) {
    states.see("detail_reading", |size| {
        Sample::list(size, 30).pressed("jjjj\n")
    });
}

pub fn detail(size: (u16, u16)) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("jjjj\n");
    sample.answer(30);
    sample
}

fn detail_full(states: &mut States<'_>) {
    states.see("detail_full", detail);
}

fn detail_tabs(states: &mut States<'_>) {
    for (name, key) in [("history", "3"), ("details", "5")] {
        states.see(&format!("detail_{name}"), |size| detail(size).pressed(key));
    }
}

/// An open run that says this of itself, its document here, looked at for as long as it takes.
fn told(size: (u16, u16), change: impl Fn(&mut RunRow)) -> Sample {
    let mut sample = Sample::signed_in(size);
    let id = sample.asked();
    let mut answer = page(FIRST, 8);
    for row in &mut answer.rows {
        change(row);
    }
    sample.open.clear();
    sample.runs(id, Ok(answer));
    // Yesterday two fewer had failed.
    let mut before = row(7);
    let counts = before.results.as_mut().unwrap();
    *counts = ResultCounts::default();
    counts.add(ResultCode::FailedNew, 7);
    let before = rundown::domain::Sample::of(&before, NOW - 20 * 3_600_000);
    let days = Days::at(NOW, &TimeZone::UTC).unwrap();
    sample.compare_by(EarlierReadings::new(days, vec![(row(7).doc_ref, before)]));
    sample.press("jjjjjjj\n");
    // What only the list brings is not in the document.
    let mut raw = document(7).raw().clone();
    raw["document"]["Root"]["DisplayFields"] = serde_json::json!({});
    let general = raw["document"]["Root"]["General"].as_object_mut().unwrap();
    general.remove("TestSuiteCount");
    general.remove("Progress");
    let document = Document::from_value(raw).unwrap();
    sample.send_document(document);
    sample
}

fn with_suites(mut sample: Sample, attached: rundown::attached::Attached) -> Sample {
    let id = sample.store.asked(&Slot::RestPause);
    sample.reply(id, Answer::Timer);
    let result = Ok(Box::new(attached));
    sample.answered(&Slot::RunSuites, Answer::Surveyed(result));
    sample
}

/// As without a survey: an answer of its own, and not a list to be explained.
#[test]
fn a_run_whose_suites_were_worked_out_to_be_none_offers_to_add_some() {
    let mut none = evidence();
    (none.target.count_before, none.target.count_after) = (Some(0), Some(0));
    none.target.empty = Some(true);
    let counted = told((80, 24), |row| row.suite_count = None);
    let sample = with_suites(counted, verdict(&none)).pressed("2");
    sample.says("no suites: a adds some");
}

fn with_history(mut sample: Sample, pace: Pace) -> Sample {
    sample.answered(
        &Slot::History,
        Answer::History(Ok(Box::new(history(pace, NOW)))),
    );
    sample
}

fn a_run_with_its_suites_and_a_forecast(states: &mut States<'_>) {
    states.see("run_whole", |size| {
        let sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        with_history(sample, Pace::Steady)
    });
    states.see("run_forecast", |size| {
        with_history(told(size, |_| {}), Pace::Steady).pressed("4")
    });
    states.see("run_forecast_not_ready", |size| {
        let sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        with_history(sample, Pace::Thin)
    });
}

fn a_run_with_suites_partly_known(states: &mut States<'_>) {
    states.see("run_suites_partly", |size| {
        let mut evidence = evidence();
        evidence.other_runs = vec![other(3, 5, list(6..=10))];
        with_suites(told(size, |_| {}), verdict(&evidence))
    });
    states.see("run_suites", |size| {
        let mut sample = with_suites(told(size, |_| {}), verdict(&evidence()));
        sample.press("2");
        sample
    });
    states.see("run_suites_none", |size| {
        told(size, |row| row.suite_count = Some(0)).pressed("2")
    });
}

fn a_closed_run(states: &mut States<'_>) {
    states.see("run_closed", |size| {
        let mut sample = Sample::on_closed(size).pressed("\n");
        sample.send_document(closed_document(5));
        sample.answered(&Slot::RestPause, Answer::Timer);
        sample
    });
}

fn a_run_without_results_and_one_with_odd_ones(states: &mut States<'_>) {
    states.see("run_without_results", |size| {
        let mut sample = told(size, |row| {
            (row.results, row.progress, row.suite_count) = (None, None, None);
            (row.cases_with_tester, row.testers) = (None, Vec::new());
        });
        let id = sample.store.asked(&Slot::Counts);
        let none = RunsPage {
            full_size: 0,
            rows: Vec::new(),
            facets: None,
            operation: Some(RunsOperation::ListDocuments),
        };
        sample.runs(id, Ok(none));
        sample
    });
    states.see("run_odd_results", |size| {
        told(size, |row| {
            let mut odd = counted([
                (ResultCode::Passed, 1_204_331),
                (ResultCode::FailedNew, 3),
                (ResultCode::OnHoldExternal, 2),
                (ResultCode::OnHoldInternal, 5),
                (ResultCode::Skipped, 1),
            ]);
            odd.others.push(("12".into(), String::new(), 7));
            odd.others.push(("x\u{1b}[31m".into(), "Odd".into(), 1));
            odd.unread = 2;
            row.results = Some(odd);
        })
    });
}

#[test]
fn one_of_57_is_one_share_wherever_it_stands() {
    let sample = told((120, 40), |row| {
        let counts = counted([(ResultCode::Passed, 1), (ResultCode::Untested, 56)]);
        row.results = Some(counts);
    });
    sample.says("Passed              1     1 % ");
    sample.says("1 % done. ");
}

fn a_run_with_many_testers_and_a_title_of_wide_letters(states: &mut States<'_>) {
    states.see("run_many_testers", |size| {
        told(size, |row| {
            row.testers = (1..=70).map(|number| format!("tester {number}")).collect();
            row.title = Some("x".into());
        })
    });
    states.see("run_wide_title", |size| {
        let title = "日本語の入力と検索 اختبار الدفع 日本語の入力と検索日本語の入力と検索日本語の入力と検索日本語の入力と検索";
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let mut answer = page(
            FIRST,
            3,
        );
        for row in &mut answer.rows {
            row.title = Some(title.into());
            row.status = Status::Other("half\u{1b}[1m open".into());
        }
        sample.runs(id, Ok(answer));
        sample.press("\n");
        sample
    });
}

fn detail_failed_and_old(states: &mut States<'_>) {
    states.see("detail_failed", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("\n");
        let id = sample.asked();
        sample.reply(id, Answer::Document(Err(failure())));
        sample
    });
    states.see("detail_old", |size| {
        let mut sample = detail(size);
        sample.press("r");
        let id = sample.asked();
        sample.reply(id, Answer::Document(Err(failure())));
        sample
    });
}

fn json_with_a_search(states: &mut States<'_>) {
    states.see("json", |size| detail(size).pressed("i/tenant\n"));
}

fn login_in_its_states(states: &mut States<'_>) {
    let login = |why: SignInReason| {
        move |size| {
            let mut sample = Sample::list(size, 30);
            sample.sign_in_needed(why.clone());
            sample.press("geheim");
            sample
        }
    };
    states.see("login_missing", login(SignInReason::Missing));
    states.see(
        "login_refused",
        login(SignInReason::Refused(
            "sign-in refused: Invalid user credentials (invalid_grant, 401)".into(),
        )),
    );
    states.see(
        "login_over",
        login(SignInReason::SessionEnded("Token is not active".into())),
    );
    let failed = login(SignInReason::Failed("no answer within 30 s".into()));
    states.see_at("login_failed", &[(40, 12)], failed);
    states.see("login_without_password", |size| {
        let mut sample = Sample::list(size, 30);
        sample.sign_in_needed(SignInReason::Missing);
        sample.press("\n");
        sample
    });
    states.see("login_asking", |size| {
        let mut sample = login(SignInReason::Missing)(size);
        sample.press("\n");
        sample
    });
}

fn boxes(states: &mut States<'_>) {
    for (name, keys) in [
        ("sort", "o"),
        ("facets", "f"),
        ("columns", "w"),
        ("palette", ":"),
        ("palette_narrowed", ":pro"),
        ("palette_wrong", ":project X\n"),
        ("copy", "jy"),
        ("copy_of_marked", "  y"),
        ("help", "?"),
        ("help_search", "?sort"),
        ("errors_none", "!"),
    ] {
        states.see(&format!("box_{name}"), |size| {
            Sample::list(size, 30).pressed(keys)
        });
    }
}

fn columns_as_a_person_set_them(states: &mut States<'_>) {
    // Testers stay where room is short, before the title stands a narrow version, and no bar is shown.
    let keys = "wGkkkkPgjjj KK----gjjjjjjjj ";
    for (name, close) in [("box_columns_set", ""), ("runs_columns_set", "\n")] {
        states.see(name, |size| {
            let mut sample = Sample::list(size, 30);
            sample.press(keys);
            sample.press(close);
            sample
        });
    }
}

fn errors_listed(states: &mut States<'_>) {
    states.see("box_errors", |size| {
        let mut sample = Sample::list(size, 30);
        for _ in 0..3 {
            sample.event(Event::Trouble(failure()));
        }
        sample.press("!");
        sample
    });
}

#[test]
fn of_a_cluster_of_several_columns_nothing_stays_behind() {
    let titles = [
        "क्षत्रिय राष्ट्रीय परीक्षण विद्यार्थी",
        "မန္တလေး ပုဂ္ဂိုလ်",
        "ক্ষমতা রাষ্ট্র পরীক্ষা",
    ];
    let mut world = World::new((80, 24), 3);
    for (run, title) in world.runs.iter_mut().zip(titles) {
        run.title = Some(title.into());
    }
    world.refresh();
    for title in titles {
        world.says(title);
    }
    let (drawn, _) = world.draw();
    for cell in &drawn.content {
        let columns = cell.symbol().chars().filter_map(UnicodeWidthChar::width);
        assert!(
            columns.filter(|columns| *columns > 0).count() <= 1,
            "{cell:?}"
        );
    }
    // A terminal that has the first screen has the second one after what is sent, whatever stood in its cells.
    world.press("/R_999\n");
    world.answer();
    let (other, _) = world.draw();
    let mut terminal = drawn.clone();
    for (x, y, cell) in drawn.diff(&other) {
        terminal[(x, y)] = cell.clone();
    }
    assert_eq!(terminal, other);
}

#[test]
fn letters_that_fonts_join_move_no_column() {
    let titles = ["لا لا لا لا", "A👍🏽12 👩🏿\u{200d}💻 34", "plain"];
    let mut world = World::new((80, 24), 3);
    for (run, title) in world.runs.iter_mut().zip(titles) {
        run.title = Some(title.into());
    }
    world.refresh();
    world.says("A👍12 👩💻 34");
    let (drawn, _) = world.draw();
    let places: Vec<_> = (drawn.content.chunks(80))
        .filter_map(|row| row.iter().position(|cell| cell.symbol() == "%"))
        .collect();
    assert_eq!(places.len(), 3, "{}", world.screen());
    assert!(places.iter().all(|place| *place == places[0]), "{places:?}");
}

fn a_read_only_session_says_so(states: &mut States<'_>) {
    states.see("runs_read_only", |size| {
        let mut sample = Sample::new(size);
        let read_only = Session {
            read_only: true,
            subproject: None,
            ..session()
        };
        sample.event(Event::Connected(Box::new(read_only)));
        sample.let_in();
        sample.answer(3);
        sample
    });
}

fn a_small_terminal_is_used_and_a_tiny_one_says_so(states: &mut States<'_>) {
    let sizes = [(40, 10), (30, 6), (20, 4)];
    states.see_at("runs_small", &sizes, |size| Sample::list(size, 137));
    states.see_at("detail_small", &[(40, 10)], detail);
}

pub fn states(states: &mut States<'_>) {
    runs_before_anything_is_known(states);
    runs_while_the_local_service_is_made(states);
    runs_loading(states);
    runs_empty(states);
    runs_full(states);
    runs_whose_rows_are_not_here_yet(states);
    runs_that_cannot_be_read(states);
    first_screens_without_runs(states);
    runs_that_are_old_because_the_refresh_failed(states);
    runs_from_the_operation_without_counts(states);
    runs_filtered_locally_while_typing(states);
    runs_filtered_by_the_service(states);
    runs_with_hostile_text(states);
    detail_from_the_list_while_reading(states);
    detail_full(states);
    detail_tabs(states);
    a_run_with_its_suites_and_a_forecast(states);
    a_run_with_suites_partly_known(states);
    a_closed_run(states);
    a_run_without_results_and_one_with_odd_ones(states);
    a_run_with_many_testers_and_a_title_of_wide_letters(states);
    detail_failed_and_old(states);
    json_with_a_search(states);
    login_in_its_states(states);
    boxes(states);
    columns_as_a_person_set_them(states);
    errors_listed(states);
    a_read_only_session_says_so(states);
    a_small_terminal_is_used_and_a_tiny_one_says_so(states);
}
