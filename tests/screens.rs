//! Every screen in its states, at 80x24 and 120x40.

use super::support::sample;
use rundown::domain::{RunRow, RunsOperation, Status};
use rundown::store::{Event, SignInReason};
use sample::{NOW, Sample, failure, page, session};

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
    snapshots("runs_full", |size| {
        let mut sample = Sample::list(size, 137);
        sample.press("jjjj");
        sample
    });
}

#[test]
fn runs_whose_rows_are_not_here_yet() {
    snapshots("runs_ahead", |size| {
        let mut sample = Sample::list(size, 100_000);
        sample.press("G");
        sample
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
        let mut sample = Sample::list(size, 30);
        sample.press("/smo");
        sample
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
        let mut sample = Sample::list(size, 30);
        sample.press("jjjj\n");
        sample
    });
}

fn detail(size: (u16, u16)) -> Sample {
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
fn detail_parts() {
    snapshots("detail_results", |size| {
        let mut sample = detail(size);
        sample.press("]");
        sample
    });
    snapshots("detail_attachments", |size| {
        let mut sample = detail(size);
        sample.press("3");
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
    snapshots("json", |size| {
        let mut sample = detail(size);
        sample.press("i/tenant\n");
        sample
    });
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
            "sign-in refused (invalid_grant, status 401): Invalid user credentials".into(),
        )),
    );
    snapshots(
        "login_over",
        login(SignInReason::Over("Token is not active".into())),
    );
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
            let mut sample = Sample::list(size, 30);
            sample.press(keys);
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
        sample.event(Event::SignedIn {
            user: "qa".into(),
            until: Some(NOW),
        });
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
