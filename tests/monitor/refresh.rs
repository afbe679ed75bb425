//! When what is on the screen is read again by itself.

use super::sample::{opened, page};
use crate::support::prelude::*;

const SECOND: i64 = 1_000;

fn reads_every(seconds: u64) -> Sample {
    let mut sample = Sample::new((120, 40));
    sample.connect(|it| it.refresh_seconds = seconds);
    sample.let_in();
    sample
}

/// The list of 30 runs, read at `NOW`.
fn list(seconds: u64) -> Sample {
    let mut sample = reads_every(seconds);
    answer_first_page(&mut sample, 30);
    sample
}

fn answer_list(sample: &mut Sample, result: Result<RunsPage, Failure>) {
    let id = take(sample, |effect| match effect {
        Effect::Request(id, Request::ReadRuns { .. }) => Some(*id),
        _ => None,
    });
    sample.runs(
        id.unwrap_or_else(|| panic!("the list is not being read: {:?}", sample.open)),
        result,
    );
}

/// The same with the first page of a list of so many runs.
fn answer_first_page(sample: &mut Sample, size: u64) {
    answer_list(sample, Ok(page(FIRST, size)));
}

/// The first open effect of a sort.
fn take<T>(sample: &mut Sample, sort: impl Fn(&Effect) -> Option<T>) -> Option<T> {
    let place = sample
        .open
        .iter()
        .position(|effect| sort(effect).is_some())?;
    sort(&sample.open.remove(place))
}

/// The only pause that is waited for, in seconds, rounded.
fn pause(sample: &mut Sample) -> Option<(RequestId, u64)> {
    let timer = |effect: &Effect| match effect {
        Effect::Request(id, Request::Timer { after }) => Some((*id, *after)),
        _ => None,
    };
    let found = take(sample, timer);
    assert_eq!(take(sample, timer), None, "two pauses at once");
    found
}

fn calls(sample: &Sample) -> usize {
    let is_call = |effect: &&Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::ReadRuns { .. } | Request::GetDocument { .. })
        )
    };
    let calls = sample.open.iter().filter(is_call);
    calls.count()
}

fn near(after: u64, seconds: u64) -> bool {
    (seconds * 900..=seconds * 1_100).contains(&after)
}

#[test]
fn with_refresh_off_nothing_is_waited_for() {
    let mut sample = list(0);
    sample.press("jjk");
    sample.event(Event::Focus(false));
    sample.event(Event::Focus(true));
    assert_eq!((pause(&mut sample), calls(&sample)), (None, 0));
}

#[test]
fn the_next_reading_waits_for_the_end_of_the_one_before() {
    let mut sample = reads_every(30);
    assert_eq!(pause(&mut sample), None, "the first page is on its way");
    answer_first_page(&mut sample, 30);
    let (id, after) = pause(&mut sample).unwrap();
    assert!(near(after, 30), "{after}");
    sample.now += 31 * SECOND;
    sample.reply(id, Answer::Timer);
    assert_eq!(calls(&sample), 1);
    for _ in 0..5 {
        sample.now += 60 * SECOND;
        sample.press("jk");
        sample.reply(id, Answer::Timer);
        assert_eq!(
            (pause(&mut sample), calls(&sample)),
            (None, 1),
            "a slow answer is waited for"
        );
    }
    answer_first_page(&mut sample, 30);
    let (_, after) = pause(&mut sample).unwrap();
    assert!(
        near(after, 30),
        "counted from the end of the slow one: {after}"
    );
}

#[test]
fn a_key_that_reads_begins_the_pause_anew() {
    let mut sample = list(30);
    let (id, _) = pause(&mut sample).unwrap();
    sample.now += 20 * SECOND;
    sample.press("r");
    assert!(
        sample.open.contains(&Effect::Cancel(id)),
        "{:?}",
        sample.open
    );
    answer_first_page(&mut sample, 30);
    assert!(near(pause(&mut sample).unwrap().1, 30));
}

#[test]
fn while_the_service_is_gone_only_the_retries_ask_and_then_all_is_as_before() {
    let mut sample = list(30);
    let (id, _) = pause(&mut sample).unwrap();
    sample.now += 30 * SECOND;
    sample.reply(id, Answer::Timer);
    for expected in [1, 2, 5, 10, 20, 40, 80, 160, 300, 300] {
        answer_list(&mut sample, Err(failure()));
        let (id, after) = pause(&mut sample).unwrap();
        assert_eq!((after / 1_000, calls(&sample)), (expected, 0));
        sample.now += i64::try_from(after).unwrap();
        sample.reply(id, Answer::Timer);
        assert_eq!(calls(&sample), 1);
    }
    answer_first_page(&mut sample, 30);
    assert!(near(pause(&mut sample).unwrap().1, 30));
}

#[test]
fn a_service_that_keeps_refusing_is_asked_less_and_less() {
    let mut sample = list(10);
    let refusal = Failure {
        kind: FailureKind::Service,
        may_retry: false,
        ..failure()
    };
    for expected in [10, 20, 40, 80, 120, 120] {
        let (mut id, mut after) = pause(&mut sample).unwrap();
        assert!(
            near(after, expected),
            "{after} instead of about {expected} s"
        );
        // Who asks by hand does not wait longer for it.
        if expected == 20 {
            sample.press("r");
            answer_list(&mut sample, Err(refusal.clone()));
            (id, after) = pause(&mut sample).unwrap();
            assert!(near(after, 20), "{after}");
        }
        sample.now += i64::try_from(after).unwrap();
        sample.reply(id, Answer::Timer);
        answer_list(&mut sample, Err(refusal.clone()));
    }
    let (id, _) = pause(&mut sample).unwrap();
    sample.reply(id, Answer::Timer);
    answer_first_page(&mut sample, 30);
    assert!(near(pause(&mut sample).unwrap().1, 10), "back to normal");
}

#[test]
fn without_the_focus_nothing_is_read_and_on_return_what_is_due_at_once() {
    let mut sample = list(30);
    let (id, _) = pause(&mut sample).unwrap();
    sample.now += 10 * SECOND;
    sample.event(Event::Focus(false));
    assert!(sample.open.contains(&Effect::Cancel(id)));
    sample.says("read 09:41, paused");
    sample.reply(id, Answer::Timer);
    sample.now += 3_600 * SECOND;
    assert_eq!(
        (pause(&mut sample), calls(&sample)),
        (None, 0),
        "nothing wakes up"
    );
    sample.event(Event::Focus(true));
    let (id, after) = pause(&mut sample).unwrap();
    assert_eq!(after, 0, "long due");
    sample.reply(id, Answer::Timer);
    assert_eq!(calls(&sample), 1);
    answer_first_page(&mut sample, 30);
    sample.lacks("paused");
    // A glance at another window costs no call.
    pause(&mut sample);
    sample.now += 5 * SECOND;
    sample.event(Event::Focus(false));
    sample.event(Event::Focus(true));
    let (_, after) = pause(&mut sample).unwrap();
    assert!((21_000..=28_000).contains(&after), "{after}");
}

#[test]
fn a_key_is_as_good_as_the_focus() {
    let mut sample = list(30);
    pause(&mut sample);
    sample.event(Event::Focus(false));
    sample.press("j");
    assert!(pause(&mut sample).is_some());
    sample.lacks("paused");
}

#[test]
fn a_retry_waits_for_the_focus_too() {
    let mut sample = list(30);
    let (id, _) = pause(&mut sample).unwrap();
    sample.reply(id, Answer::Timer);
    answer_list(&mut sample, Err(failure()));
    let (retry, _) = pause(&mut sample).unwrap();
    sample.event(Event::Focus(false));
    sample.reply(retry, Answer::Timer);
    assert_eq!((pause(&mut sample), calls(&sample)), (None, 0));
    sample.event(Event::Focus(true));
    assert_eq!(calls(&sample), 1, "at once");
}

/// A timer stands still while the machine sleeps.
#[test]
fn a_pause_that_passed_in_sleep_ends_with_the_next_key() {
    let mut sample = list(300);
    let (id, _) = pause(&mut sample).unwrap();
    sample.now += 3_600 * SECOND;
    sample.press("j");
    let (again, after) = pause(&mut sample).unwrap();
    assert_eq!(after, 0);
    sample.reply(id, Answer::Timer);
    assert_eq!(calls(&sample), 0, "that pause is no more");
    sample.reply(again, Answer::Timer);
    answer_list(&mut sample, Err(failure()));
    pause(&mut sample).unwrap();
    sample.press("j");
    assert_eq!((pause(&mut sample), calls(&sample)), (None, 0));
    sample.now += 3_600 * SECOND;
    sample.press("j");
    assert_eq!(calls(&sample), 1);
}

#[test]
fn a_read_again_knows_dates_of_another_program() {
    let mut sample = list(30);
    let is_due = |effect: &Effect| {
        let asks = matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::Due))
        );
        asks.then_some(())
    };
    while take(&mut sample, is_due).is_some() {}
    let due = sample.store.cx.in_flight.of(|slot| *slot == Slot::Due);
    for (id, _) in due {
        sample.reply(id, Answer::Due(None));
    }
    for (id, _) in sample.store.cx.in_flight.of(|slot| *slot == Slot::Views) {
        sample.reply(id, Answer::Views(None));
    }
    // Also one by itself: a wall gets no keys.
    let (pause, _) = pause(&mut sample).unwrap();
    sample.reply(pause, Answer::Timer);
    assert!(take(&mut sample, is_due).is_some());
    answer_first_page(&mut sample, 0);
    sample.press("r");
    assert!(take(&mut sample, is_due).is_none(), "it is under way");
    let (due, _) = sample.store.cx.in_flight.of(|slot| *slot == Slot::Due)[0];
    sample.reply(due, Answer::Due(None));
    sample.press("r");
    assert!(take(&mut sample, is_due).is_some());
    sample.press("B");
    assert!(take(&mut sample, is_due).is_none(), "it is under way");
}

#[test]
fn what_is_old_says_when_it_was_read() {
    let mut sample = list(30);
    sample.says("  read 09:41\n");
    sample.now += 24 * 3_600 * SECOND;
    sample.says("read yesterday 09:41");
    let (id, _) = pause(&mut sample).unwrap();
    sample.reply(id, Answer::Timer);
    answer_list(&mut sample, Err(failure()));
    sample.says("OLD: read yesterday 09:41");
}

#[test]
fn a_run_is_read_again_and_suites_are_not() {
    let mut sample = list(30);
    sample.open.clear();
    sample.press("\n");
    let id = sample.asked();
    sample.open.clear();
    sample.reply(id, Answer::Document(Ok(Box::new(opened(0)))));
    // Another is before its suites are worked out.
    let rest = sample.store.asked(&Slot::RestPause);
    let rests = |effect: &Effect| matches!(effect, Effect::Request(id, Request::Timer { .. }) if *id == rest);
    sample.open.retain(|effect| !rests(effect));
    let (id, after) = pause(&mut sample).unwrap();
    assert!(near(after, 30), "{after}");
    sample.reply(id, Answer::Timer);
    assert!(
        sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Request(_, Request::GetDocument { .. }))),
        "{:?}",
        sample.open
    );
    sample.answer(30);
    sample.open.clear();
    sample.press("a");
    sample.open.clear();
    sample.now += 3_600 * SECOND;
    sample.press("j");
    assert_eq!((pause(&mut sample), calls(&sample)), (None, 0));
}

#[test]
fn nobody_signed_in_reads_nothing_and_the_sign_in_reads_at_once() {
    let mut sample = list(30);
    let (id, _) = pause(&mut sample).unwrap();
    sample.session_over();
    assert!(sample.open.contains(&Effect::Cancel(id)));
    sample.open.clear();
    sample.now += 600 * SECOND;
    sample.let_in();
    let (id, after) = pause(&mut sample).unwrap();
    assert_eq!(after, 0);
    sample.reply(id, Answer::Timer);
    assert_eq!(calls(&sample), 1);
}

#[test]
fn a_monitor_that_has_what_it_reads_does_not_begin_anew_with_the_sign_in() {
    let mut sample = list(0).pressed("M");
    sample.answer(30);
    sample.session_over();
    sample.open.clear();
    sample.let_in();
    assert_eq!(calls(&sample), 0, "{:?}", sample.open);
}

#[test]
fn the_last_reading_of_this_program_is_never_taken_for_one_of_another() {
    let reads = |sample: &Sample| {
        sample.open.iter().find_map(|effect| match effect {
            Effect::Request(id, Request::ReadRuns { pace, .. }) => Some((*id, *pace)),
            _ => None,
        })
    };
    for is_board in [false, true] {
        let mut sample = list(30);
        if is_board {
            sample.open.clear();
            sample.press("B");
            let (id, pace) = reads(&sample).unwrap();
            assert_eq!(pace, None, "a key asks for it");
            sample.open.clear();
            sample.reply(id, Answer::RunsRead(Ok(true)));
        }
        let (id, after) = pause(&mut sample).unwrap();
        sample.now += i64::try_from(after).unwrap();
        sample.reply(id, Answer::Timer);
        // The shortest pause.
        assert_eq!(reads(&sample).map(|it| it.1), Some(Some(27_000)));
    }
}
