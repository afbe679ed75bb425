//! Several runs at once: closed ones, deleted ones and ones that could not be read among them.

use rundown::domain::Outcome;
use rundown::store::{Action, Effect, Spot};

use super::SIZE;
use super::deleting::{closed, complete, empty, known, partial};
use super::evidence::list;
use super::sample::{NOW, Sample};
use super::steps::{GONE, choose, confirmed, listed, names, opened, said};

/// The first runs of the list, marked; the first is being read.
fn marked(runs: usize) -> Sample {
    let mut sample = listed();
    sample.press(&" ".repeat(runs));
    sample.press("D");
    sample
}

/// The first three, empty and checked, and the first of them is deleted: the second is not.
fn one_of_three_gone() -> Sample {
    let mut sample = marked(3);
    for number in 0..3 {
        sample.surveyed(empty(number));
    }
    for number in 0..3 {
        sample.copied(number);
        sample.checked(true);
    }
    sample.press("3\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(Outcome::done(GONE));
    sample.ended(Outcome::refused("not empty any more"));
    sample.open.clear();
    sample
}

#[test]
fn a_closed_run_that_holds_suites_stops_the_rest() {
    let mut sample = marked(2);
    sample.surveyed(closed(0, Some(false)));
    assert_eq!(names(&mut sample), ["survey 0"]);
    // Found closed after another one was read, it keeps that from being saved and emptied.
    let mut sample = marked(3);
    sample.surveyed(complete(0));
    sample.surveyed(closed(1, Some(false)));
    assert_eq!(names(&mut sample), ["survey 0", "survey 1"]);
    assert_eq!(sample.choices(), [Spot::Leave, Spot::Check, Spot::Stop]);
    assert!(
        sample
            .screen()
            .contains("closed and not empty: cannot be deleted from here"),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_run_that_turns_out_to_be_closed_after_its_copy_keeps_the_others_from_being_emptied() {
    let mut sample = listed();
    sample.press(" jjjj D");
    sample.surveyed(complete(0));
    sample.surveyed(closed(5, None));
    sample.copied(0);
    sample.copied(5);
    sample.checked(false);
    assert_eq!(
        names(&mut sample),
        ["survey 0", "survey 5", "copy 0", "copy 5", "check 5"]
    );
    assert_eq!(sample.choices(), [Spot::Leave, Spot::Check, Spot::Stop]);
}

/// Of the first run nothing is sure, of the second all suites.
fn doubtful_before_complete() -> Sample {
    let mut sample = marked(2);
    sample.surveyed(known(0, |evidence| {
        evidence.others[0].free = Some(rundown::attached::Free::Whole(list(4..=10)));
    }));
    sample.surveyed(complete(1));
    sample.copied(0);
    sample.copied(1);
    sample.open.clear();
    choose(&mut sample, Spot::Remove);
    sample
}

#[test]
fn nothing_is_removed_from_a_run_of_which_nothing_is_sure() {
    let mut sample = doubtful_before_complete();
    assert!(!names(&mut sample).contains(&"remove 0".to_owned()));
}

#[test]
fn what_is_offered_does_something_or_says_why_not() {
    let mut sample = doubtful_before_complete();
    let sent = names(&mut sample);
    assert!(
        !sent.is_empty() || !said(&sample).is_empty(),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_check_that_fails_after_a_removal_keeps_the_next_run_from_being_emptied() {
    let mut sample = marked(2);
    for number in 0..2 {
        sample.surveyed(complete(number));
    }
    for number in 0..2 {
        sample.copied(number);
    }
    sample.open.clear();
    choose(&mut sample, Spot::Remove);
    sample.removed(7, confirmed());
    sample.check_failed();
    assert_eq!(names(&mut sample), ["remove 0", "check 0"]);
}

#[test]
fn a_run_is_closed_if_either_the_list_or_its_suites_say_so() {
    // Open when it was listed.
    let mut sample = opened();
    sample.surveyed(closed(2, Some(false)));
    assert_eq!(sample.choices(), [Spot::Leave, Spot::Check, Spot::Stop]);
    // Closed when it was listed.
    let mut sample = listed();
    sample.press("jjjjjD");
    sample.surveyed(complete(5));
    assert_eq!(sample.choices(), [Spot::Leave, Spot::Check, Spot::Stop]);
}

#[test]
fn a_count_or_a_named_suite_is_enough_to_hold_suites() {
    let counted = known(2, |evidence| {
        evidence.others.clear();
        evidence.target.free_before = None;
        evidence.target.free_after = None;
    });
    let mut named = complete(2);
    named.count = None;
    assert_eq!((counted.count, counted.sure().count()), (Some(7), 0));
    assert_eq!((named.count, named.sure().count()), (None, 7));
    for attached in [counted, named] {
        let mut sample = opened();
        sample.surveyed(attached);
        let screen = sample.screen();
        assert!(
            screen.contains("not empty") && sample.choices().contains(&Spot::Leave),
            "{screen}"
        );
    }
    // Neither: only the check can tell.
    let mut sample = opened();
    sample.surveyed(known(2, |evidence| {
        evidence.others.clear();
        (evidence.target.count_before, evidence.target.count_after) =
            (Some((0, NOW)), Some((0, NOW)));
        evidence.target.free_before = Some(list(1..=10));
        evidence.target.free_after = Some(list(1..=10));
    }));
    assert!(
        sample.screen().contains("the check decides"),
        "{}",
        sample.screen()
    );
}

#[test]
fn the_first_copy_or_check_that_fails_while_reading_stops_the_rest() {
    let saving = || {
        let mut sample = marked(2);
        sample.surveyed(empty(0));
        sample.surveyed(empty(1));
        sample.open.clear();
        sample.press("\n");
        sample
    };
    let mut sample = saving();
    sample.copy_failed();
    assert_eq!(names(&mut sample), ["copy 0"]);
    let mut sample = saving();
    sample.copied(0);
    sample.check_failed();
    assert_eq!(names(&mut sample), ["copy 0", "check 0"]);
    assert_eq!(sample.choices(), [Spot::Read, Spot::Check, Spot::Stop]);
}

#[test]
fn a_check_asks_of_each_run_that_was_read_until_one_fails() {
    // The second could not be read.
    let mut sample = marked(3);
    sample.surveyed(empty(0));
    sample.survey_failed();
    sample.open.clear();
    choose(&mut sample, Spot::Check);
    sample.checked(true);
    assert_eq!(names(&mut sample), ["check 0"]);
    // The first check fails.
    let all_read = || {
        let mut sample = marked(3);
        for number in 0..3 {
            sample.surveyed(empty(number));
        }
        sample.open.clear();
        choose(&mut sample, Spot::Check);
        sample
    };
    let mut sample = all_read();
    sample.check_failed();
    assert_eq!(names(&mut sample), ["check 0"]);
    let mut sample = all_read();
    for _ in 0..3 {
        sample.checked(true);
    }
    assert_eq!(names(&mut sample), ["check 0", "check 1", "check 2"]);
}

#[test]
fn a_deleted_run_is_neither_read_nor_checked_nor_emptied_again() {
    let mut sample = one_of_three_gone();
    sample.press("r");
    for number in 1..3 {
        sample.surveyed(empty(number));
        sample.checked(true);
    }
    assert_eq!(
        names(&mut sample),
        ["survey 1", "check 1", "survey 2", "check 2"]
    );
    // Somebody has put suites into the second: they are taken out past the first.
    let mut sample = one_of_three_gone();
    choose(&mut sample, Spot::Check);
    sample.checked(false);
    sample.surveyed(complete(1));
    sample.copied(1);
    assert_eq!(names(&mut sample), ["check 1", "survey 1", "copy 1"]);
    choose(&mut sample, Spot::Remove);
    sample.removed(7, confirmed());
    sample.checked(true);
    assert_eq!(names(&mut sample), ["remove 1", "check 1"]);
    assert_eq!(sample.choices(), [Spot::Id, Spot::Stop, Spot::Delete]);
    sample.press("2\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(Outcome::done(GONE));
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["delete 1", "delete 2"]);
}

#[test]
fn suites_are_not_offered_again_after_a_removal_of_unknown_outcome() {
    for stopped in [false, true] {
        let mut sample = opened();
        sample.surveyed(complete(2));
        sample.copied(2);
        choose(&mut sample, Spot::Remove);
        if stopped {
            sample.act(Action::Cancel);
        }
        sample.removed(0, Outcome::unknown("no connection"));
        if !stopped {
            sample.check_failed();
        }
        let screen = sample.screen();
        assert!(
            screen.contains("removal was sent; the check decides")
                && !screen.contains("Would be removed"),
            "{screen}"
        );
        assert_eq!(sample.choices(), [Spot::Check, Spot::Stop]);
        // They are still in: what is in it is worked out anew before anything is offered.
        sample.open.clear();
        choose(&mut sample, Spot::Check);
        sample.checked(false);
        assert_eq!(names(&mut sample), ["check 2", "survey 2"]);
        assert_eq!(sample.choices(), [Spot::Stop]);
        sample.surveyed(complete(2));
        assert!(sample.choices().contains(&Spot::Remove));
    }
}

#[test]
fn the_list_is_read_again_once_all_are_deleted() {
    let mut sample = Sample::list(SIZE, 30);
    sample.open.clear();
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
    let lists = |sample: &mut Sample| {
        let open = std::mem::take(&mut sample.open);
        let is_list = |effect: &&Effect| matches!(effect, Effect::ListRuns { .. });
        open.iter().filter(is_list).count()
    };
    lists(&mut sample);
    sample.ended(Outcome::done(GONE));
    assert_eq!(lists(&mut sample), 0);
    sample.ended(Outcome::done(GONE));
    assert_eq!(lists(&mut sample), 1);
}

#[test]
fn what_is_empty_needs_no_removal_and_the_others_are_emptied_past_it() {
    let mut sample = marked(3);
    for attached in [empty(0), partial(1), complete(2)] {
        sample.surveyed(attached);
    }
    sample.copied(0);
    sample.checked(true);
    sample.copied(1);
    sample.copied(2);
    sample.open.clear();
    choose(&mut sample, Spot::Remove);
    sample.removed(2, confirmed());
    sample.checked(true);
    sample.removed(7, confirmed());
    sample.checked(true);
    assert_eq!(
        names(&mut sample),
        ["remove 1", "check 1", "remove 2", "check 2"]
    );
}
