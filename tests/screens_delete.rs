//! The steps of deleting runs in their states, and marks in the list, at 80x24 and 120x40.

use super::support::{deleting, evidence, sample};
use deleting::{closed, complete, empty, partial, trouble};
use rundown::domain::Outcome;
use rundown::store::{Action, Event, Session};
use sample::{Sample, session};

type Size = (u16, u16);

fn snapshots(name: &str, make: impl Fn(Size) -> Sample) {
    for size in [(80, 24), (120, 40)] {
        insta::assert_snapshot!(format!("{name}_{}x{}", size.0, size.1), make(size).screen());
    }
}

#[test]
fn marks_in_the_list() {
    snapshots("runs_marked", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("  j ");
        sample
    });
    snapshots("runs_range_open", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press(" jvjj");
        sample
    });
    snapshots("runs_marked_all_loaded", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let page = rundown::domain::Page {
            offset: 0,
            limit: 50,
        };
        sample.event(Event::Runs {
            id,
            result: Ok(sample::page(page, 1_000)),
        });
        sample.press("A");
        sample
    });
}

/// `D` on `R_2`.
fn opened(size: Size) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("jjD");
    sample
}

/// Its suites are worked out and a copy is saved.
fn copied(size: Size, attached: Box<rundown::attached::Attached>) -> Sample {
    let mut sample = opened(size);
    sample.surveyed(attached);
    sample.copied(2);
    sample
}

/// Empty, and checked.
fn ready(size: Size) -> Sample {
    let mut sample = copied(size, empty(2));
    sample.checked(true);
    sample
}

/// Its 7 suites are being removed.
fn removing(size: Size) -> Sample {
    let mut sample = copied(size, complete(2));
    sample.act(Action::PreviousField);
    sample.press("\n");
    sample
}

/// `DELETE_TEST_RUN` is under way.
fn deleting(size: Size) -> Sample {
    let mut sample = ready(size);
    sample.press("R_2\n");
    sample.act(Action::NextField);
    sample.press("\n");
    sample
}

#[test]
fn reading_and_saving() {
    snapshots("delete_opening", opened);
    snapshots("delete_survey_under_way", |size| {
        let mut sample = opened(size);
        let id = sample.asked_by_steps();
        let words = "R_3: 2 of 41 lists, 100 of 240 suites".into();
        sample.event(Event::SurveyProgress { id, words });
        sample
    });
    snapshots("delete_survey_failed", |size| {
        let mut sample = opened(size);
        let id = sample.asked_by_steps();
        let failure = trouble(
            "LIST_TEST_RUNS",
            "no connection to demo.example: connection refused",
        );
        sample.event(Event::Surveyed {
            id,
            result: Err(failure),
        });
        sample
    });
    snapshots("delete_given_up", |size| {
        let mut sample = opened(size);
        sample.act(Action::Cancel);
        sample
    });
    snapshots("delete_saving", |size| {
        let mut sample = opened(size);
        sample.surveyed(complete(2));
        sample.press("\n");
        sample
    });
    snapshots("delete_looked_at", |size| {
        let mut sample = opened(size);
        sample.surveyed(complete(2));
        sample
    });
    snapshots("delete_copy_failed", |size| {
        let mut sample = opened(size);
        sample.surveyed(complete(2));
        sample.press("\n");
        let id = sample.asked_by_steps();
        let mut failure = trouble(
            "saving a copy",
            "/home/qa/.local/state/rundown/trash: no space left on device",
        );
        failure.remedy = "Make room; without a copy nothing is deleted.".into();
        sample.event(Event::CopySaved {
            id,
            result: Err(failure),
        });
        sample
    });
}

#[test]
fn what_is_in_it() {
    snapshots("delete_complete", |size| copied(size, complete(2)));
    snapshots("delete_partial", |size| {
        let mut sample = copied(size, partial(2));
        sample.act(Action::PreviousField);
        sample.act(Action::PreviousField);
        sample
    });
    snapshots("delete_conflict", |size| {
        copied(
            size,
            deleting::known(2, |evidence| {
                evidence.others[0].free =
                    Some(rundown::attached::Free::Whole(evidence::list(4..=10)));
            }),
        )
    });
    snapshots("delete_closed_not_empty", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jjjjjD");
        sample.surveyed(closed(5, Some(false)));
        sample
    });
    snapshots("delete_closed_empty", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jjjjjD");
        sample.surveyed(closed(5, None));
        sample.copied(5);
        sample.checked(true);
        sample
    });
}

#[test]
fn removing_suites() {
    snapshots("delete_removing", |size| {
        let mut sample = removing(size);
        sample.step(true, "request 1 of 1, 7 suites: done, says the service");
        sample
    });
    snapshots("delete_removed_checking", |size| {
        let mut sample = removing(size);
        sample.step(true, "request 1 of 1, 7 suites: done, says the service");
        sample.removed(
            7,
            Outcome::done("all 7 removed: free again, the count went from 7 to 0"),
        );
        sample
    });
    snapshots("delete_removal_failed", |size| {
        let mut sample = removing(size);
        let words = "request 1 of 1, 7 suites: refused: error -32036, looks like: operation failed: Operation failed";
        sample.step(false, words);
        sample.removed(
            0,
            Outcome::refused(
                "refused: error -32036, looks like: operation failed: Operation failed",
            ),
        );
        sample.checked(false);
        sample.surveyed(complete(2));
        sample
    });
    snapshots("delete_still_not_empty", |size| {
        let mut sample = copied(size, partial(2));
        sample.act(Action::PreviousField);
        sample.act(Action::PreviousField);
        sample.press("\n");
        sample.step(true, "request 1 of 1, 2 suites: done, says the service");
        sample.removed(
            2,
            Outcome::done("all 2 removed: free again, the count went from 7 to 5"),
        );
        sample.checked(false);
        sample.surveyed(deleting::known(2, |evidence| {
            (evidence.target.count_before, evidence.target.count_after) =
                (Some((5, sample::NOW)), Some((5, sample::NOW)));
            evidence.target.free_before = Some(evidence::list(6..=10));
            evidence.target.free_after = Some(evidence::list(6..=10));
            evidence.others = vec![evidence::other(3, 5, evidence::list(6..=10))];
        }));
        sample
    });
}

#[test]
fn the_last_two_steps() {
    snapshots("delete_ready", ready);
    snapshots("delete_typing_wrong", |size| {
        let mut sample = ready(size);
        sample.press("R_21\n");
        sample
    });
    snapshots("delete_typing_right", |size| {
        let mut sample = ready(size);
        sample.press("R_2");
        sample
    });
    snapshots("delete_armed", |size| {
        let mut sample = ready(size);
        sample.press("R_2\n");
        sample.act(Action::NextField);
        sample
    });
    snapshots("delete_deleting", deleting);
    snapshots("delete_false", |size| {
        let mut sample = deleting(size);
        sample.ended(Outcome::refused(
            "the service answered false; the run is still there",
        ));
        sample
    });
    snapshots("delete_answer_lost", |size| {
        let mut sample = deleting(size);
        let words =
            "the connection broke after sending, and reading failed: no connection to demo.example";
        sample.ended(Outcome::unknown(words));
        sample
    });
    snapshots("delete_gone", |size| {
        let mut sample = deleting(size);
        sample.ended(Outcome::done(
            "answered true, and GET_DOCUMENT finds it no more",
        ));
        sample
    });
}

/// `R_0`, `R_1` and `R_2` are marked, empty, checked and being deleted.
fn several(size: Size) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("   D");
    for run in 0..3 {
        sample.surveyed(empty(run));
    }
    for run in 0..3 {
        sample.copied(run);
        sample.checked(true);
    }
    sample
}

#[test]
fn several_runs() {
    snapshots("delete_several_reading", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("   D");
        sample.surveyed(complete(0));
        sample
    });
    snapshots("delete_several_mixed", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("   D");
        for attached in [complete(0), empty(1), partial(2)] {
            sample.surveyed(attached);
        }
        sample.copied(0);
        sample.copied(1);
        sample.checked(true);
        sample.copied(2);
        sample
    });
    snapshots("delete_several_ready", several);
    snapshots("delete_several_one_failed", |size| {
        let mut sample = several(size);
        sample.press("3\n");
        sample.act(Action::NextField);
        sample.press("\n");
        sample.ended(Outcome::done(
            "answered true, and GET_DOCUMENT finds it no more",
        ));
        sample.ended(Outcome::refused(
            "not empty any more, says CHECK_TEST_RUN_EMPTY",
        ));
        sample
    });
    snapshots("delete_several_gone", |size| {
        let mut sample = several(size);
        sample.press("3\n");
        sample.act(Action::NextField);
        sample.press("\n");
        for _ in 0..3 {
            sample.ended(Outcome::done(
                "answered true, and GET_DOCUMENT finds it no more",
            ));
        }
        sample
    });
}

#[test]
fn in_a_read_only_profile() {
    snapshots("delete_read_only", |size| {
        let mut sample = Sample::new(size);
        sample.event(Event::Connected(Box::new(Session {
            read_only: true,
            ..session()
        })));
        sample.event(Event::SignedIn {
            user: "qa".into(),
            until: None,
        });
        sample.answer(30);
        sample.press("D");
        sample
    });
}
