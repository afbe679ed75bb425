//! What stops the steps: failures, Esc, Ctrl-c, another profile; and what is known afterwards.

use rundown::domain::{Failure, Outcome};
use rundown::store::{Action, Effect, Event, Layer, RequestId, Screen, Session, Spot};

use super::SIZE;
use super::deleting::{complete, empty, trouble};
use super::sample::{Sample, session};
use super::steps::{GONE, choose, confirmed, deleting, listed, names, opened, ready, said, spot};

#[test]
fn one_failure_stops_the_rest() {
    let three = || {
        let mut sample = listed();
        sample.press("   D");
        sample
    };
    // While reading.
    let mut sample = three();
    sample.surveyed(empty(0));
    let id = sample.asked_by_steps();
    sample.event(Event::Surveyed {
        id,
        result: Err(trouble("LIST_TEST_RUNS", "no connection")),
    });
    assert_eq!(names(&mut sample), ["survey 0", "survey 1"]);
    assert_eq!(spot(&sample), Some(Spot::Read));
    choose(&mut sample, Spot::Read);
    sample.surveyed(empty(1));
    assert_eq!(
        names(&mut sample),
        ["survey 1", "survey 2"],
        "what was read before is not read again"
    );

    // While deleting.
    let mut sample = three();
    for number in 0..3 {
        sample.surveyed(empty(number));
    }
    for number in 0..3 {
        sample.copied(number);
        sample.checked(true);
    }
    sample.open.clear();
    sample.press("3\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(Outcome::done(GONE));
    sample.ended(Outcome::refused("not empty any more"));
    assert_eq!(names(&mut sample), ["delete 0", "delete 1"]);
    assert_eq!(
        (sample.store.screen, sample.store.runs.marks.len()),
        (Screen::Delete, 2)
    );
    assert_eq!(sample.store.delete.as_ref().unwrap().word(), "2");
    assert!(
        sample.screen().contains("1 of 3 are gone"),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_copy_that_fails_keeps_everything_else_away() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.press("\n");
    let id = sample.asked_by_steps();
    sample.event(Event::CopySaved {
        id,
        result: Err(trouble("saving a copy", "no space left on device")),
    });
    assert_eq!(names(&mut sample), ["survey 2", "copy 2"]);
    let flow = sample.store.delete.as_ref().unwrap();
    assert!(
        !flow.spots().contains(&Spot::Id) && !flow.spots().contains(&Spot::Remove),
        "{:?}",
        flow.spots()
    );
    choose(&mut sample, Spot::Check);
    sample.checked(true);
    assert!(
        !sample.store.delete.as_ref().unwrap().ready(),
        "empty, but without a copy"
    );
    assert_eq!(names(&mut sample), ["check 2"]);
    choose(&mut sample, Spot::Read);
    sample.copied(2);
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (vec!["copy 2".into()], Some(Spot::Id))
    );
}

#[test]
fn read_only_is_refused_before_anything_is_sent() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(Session {
        read_only: true,
        ..session()
    })));
    sample.event(Event::SignedIn {
        user: "qa".into(),
        until: None,
    });
    sample.answer(30);
    sample.open.clear();
    sample.press("D  D");
    assert_eq!(
        (sample.store.screen, sample.sent()),
        (Screen::Runs, Vec::new())
    );
    assert!(said(&sample).contains("read-only profile"));
}

#[test]
fn esc_stops_and_d_begins_with_reading_again() {
    let mut sample = opened();
    sample.surveyed(complete(2));
    sample.press("\n");
    let copying = sample.asked_by_steps();
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(
        (sample.sent(), sample.store.screen),
        (vec![Effect::Cancel(copying)], Screen::Runs)
    );
    assert!(said(&sample).contains("nothing was changed"));
    sample.press("D");
    assert_eq!(names(&mut sample), ["survey 2"]);
    // Typing is closed first.
    let mut sample = ready();
    sample.press("R_");
    sample.act(Action::Back);
    assert_eq!(
        (
            sample.store.layer(),
            sample.store.delete.as_ref().unwrap().text.text()
        ),
        (Layer::Delete, "R_")
    );
    sample.act(Action::Back);
    assert_eq!(sample.store.screen, Screen::Runs);
}

#[test]
fn what_was_removed_before_a_stop_is_in_the_next_copy() {
    let mut sample = opened();
    sample.surveyed(complete(2));
    sample.copied(2);
    choose(&mut sample, Spot::Remove);
    sample.removed(7, confirmed());
    sample.act(Action::Back);
    assert!(
        said(&sample).contains("Stopped. R_2 is not deleted; its 7 suites are removed"),
        "{}",
        said(&sample)
    );
    sample.open.clear();
    sample.press("D");
    sample.surveyed(empty(2));
    sample.press("\n");
    let sent = sample.sent();
    let Some(Effect::SaveCopy { suites, known, .. }) = sent.last() else {
        panic!("{sent:?}")
    };
    assert_eq!(
        (suites.len(), known.as_str()),
        (7, "EMPTY, and 7 removed before the deletion")
    );
}

#[test]
fn ctrl_c_stops_before_the_next_request() {
    // Reading is given up.
    let mut sample = opened();
    let survey = sample.asked_by_steps();
    sample.open.clear();
    sample.act(Action::Cancel);
    assert_eq!(sample.sent(), [Effect::Cancel(survey)]);
    sample.event(Event::Surveyed {
        id: survey,
        result: Ok(complete(2)),
    });
    assert_eq!(
        (sample.sent(), spot(&sample)),
        (Vec::new(), Some(Spot::Read)),
        "a late answer changes nothing"
    );
    // A removal ends with what was sent; the check waits for a person.
    let mut sample = opened();
    sample.surveyed(complete(2));
    sample.copied(2);
    choose(&mut sample, Spot::Remove);
    sample.open.clear();
    sample.act(Action::Cancel);
    assert_eq!(names(&mut sample), ["cancel"]);
    sample.press("q");
    assert_eq!(sample.store.screen, Screen::Runs);
    let id = sample.asked_by_steps();
    sample.press("D");
    assert_eq!(
        (sample.store.screen, sample.asked_by_steps()),
        (Screen::Delete, id),
        "it is still waited for"
    );
    sample.removed(3, Outcome::otherwise("3 of 7 removed"));
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (vec!["cancel".into()], Some(Spot::Check))
    );
    // So does the deletion of several.
    let mut sample = listed();
    sample.press("  D");
    for number in 0..2 {
        sample.surveyed(empty(number));
    }
    for number in 0..2 {
        sample.copied(number);
        sample.checked(true);
    }
    sample.press("2\n");
    choose(&mut sample, Spot::Delete);
    sample.open.clear();
    sample.act(Action::Cancel);
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["cancel"]);
    assert!(
        sample.screen().contains("1 of 2 are gone"),
        "{}",
        sample.screen()
    );
}

#[test]
fn an_answer_after_esc_is_told_and_nothing_follows_it() {
    let mut sample = deleting();
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(
        (names(&mut sample), sample.store.screen),
        (vec!["cancel".into()], Screen::Runs)
    );
    sample.press("a");
    sample.act(Action::Back);
    sample.open.clear();
    sample.ended(Outcome::unknown("the connection broke"));
    assert!(
        said(&sample).contains("R_2 may be deleted"),
        "{}",
        said(&sample)
    );
    assert!(sample.store.delete.is_none());
    assert_eq!(sample.sent(), []);

    let mut sample = deleting();
    sample.act(Action::Back);
    sample.ended(Outcome::done(GONE));
    assert!(said(&sample).contains("R_2 deleted"), "{}", said(&sample));
    assert_eq!(
        (sample.store.screen, sample.store.delete.is_none()),
        (Screen::Runs, true)
    );
}

#[test]
fn nothing_else_is_written_meanwhile_and_the_program_does_not_just_end() {
    let mut sample = deleting();
    sample.act(Action::Back);
    sample.open.clear();
    sample.press("q");
    assert_eq!(sample.sent(), []);
    assert!(
        said(&sample).contains("a change is under way"),
        "{}",
        said(&sample)
    );
    sample.press("u");
    assert_eq!(sample.sent(), []);
    sample.act(Action::Cancel);
    sample.act(Action::Cancel);
    assert!(sample.sent().contains(&Effect::Quit));
}

#[test]
fn another_profile_ends_the_steps() {
    let mut sample = ready();
    sample.event(Event::Connected(Box::new(session())));
    assert!(sample.store.delete.is_none());
    // What was sent is waited for, and no request of the steps goes to the other profile.
    let mut sample = deleting();
    let id = sample.asked_by_steps();
    sample.event(Event::Connected(Box::new(session())));
    sample.event(Event::SignedIn {
        user: "qa".into(),
        until: None,
    });
    sample.answer(30);
    sample.press("D");
    let survey = sample.asked_by_steps();
    assert_ne!(id, survey, "steps of their own");
    sample.event(Event::Deleted {
        id,
        end: Outcome::done(GONE),
    });
    assert_eq!(sample.asked_by_steps(), survey);
}

#[test]
fn late_and_foreign_answers_change_nothing() {
    let mut sample = ready();
    let before = sample.store.clone();
    let late = |sample: &mut Sample, id: u64| {
        let id = RequestId(id);
        let failure: Failure = trouble("x", "y");
        sample.event(Event::Emptiness {
            id,
            result: Ok(false),
        });
        sample.event(Event::Deleted {
            id,
            end: Outcome::done(GONE),
        });
        sample.event(Event::CopySaved {
            id,
            result: Err(failure.clone()),
        });
        sample.event(Event::Surveyed {
            id,
            result: Err(failure.clone()),
        });
        sample.event(Event::UndoPlanned {
            id,
            result: Err(failure),
        });
    };
    for id in 0..40 {
        late(&mut sample, id);
    }
    assert_eq!(sample.store, before);
}

#[test]
fn there_is_a_limit_and_it_is_said() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(Session {
        page_size: 200,
        ..session()
    })));
    sample.event(Event::SignedIn {
        user: "qa".into(),
        until: None,
    });
    sample.answer(150);
    sample.open.clear();
    sample.press("AD");
    assert_eq!(
        (sample.sent(), said(&sample)),
        (
            Vec::new(),
            "150 runs are marked; at most 100 are deleted at once"
        )
    );
}
