//! What can be chosen in the steps, when, and how their lines scroll.

use rundown::domain::Outcome;
use rundown::store::{Action, Motion, Spot};

use super::deleting::{closed, complete, empty, partial};
use super::sample::Sample;
use super::steps::{choose, deleting, listed, names, opened, ready, said};

/// `R_2` with its copy on the disk.
fn copied(attached: Box<rundown::attached::Attached>) -> Sample {
    let mut sample = opened();
    sample.surveyed(attached);
    sample.copied(2);
    sample
}

fn looked_at() -> Sample {
    let mut sample = opened();
    sample.surveyed(complete(2));
    sample
}

/// A run that looked empty, with a copy, and the check failed.
fn unchecked() -> Sample {
    let mut sample = copied(empty(2));
    sample.check_failed();
    sample
}

fn closed_run() -> Sample {
    let mut sample = listed();
    sample.press("jjjjjD");
    sample.surveyed(closed(5, Some(false)));
    sample
}

#[test]
fn at_rest_just_what_leads_on_can_be_chosen() {
    let unread = || {
        let mut sample = opened();
        sample.survey_failed();
        sample
    };
    let uncopied = || {
        let mut sample = looked_at();
        sample.press("\n");
        sample.copy_failed();
        sample
    };
    let not_gone = || {
        let mut sample = deleting();
        sample.ended(Outcome::refused("the service answered false"));
        sample
    };
    let unread_again = || {
        let mut sample = copied(complete(2));
        sample.press("r");
        sample.survey_failed();
        sample
    };
    let partial_looked_at = || {
        let mut sample = opened();
        sample.surveyed(partial(2));
        sample
    };
    // Somebody else has taken the suites out.
    let found_empty = || {
        let mut sample = copied(complete(2));
        choose(&mut sample, Spot::Check);
        sample.checked(true);
        sample
    };
    let states = vec![
        ("unread", unread(), vec![Spot::Read, Spot::Stop]),
        (
            "copied, and unread again",
            unread_again(),
            vec![Spot::Read, Spot::Stop],
        ),
        (
            "partial, looked at",
            partial_looked_at(),
            vec![Spot::Copy, Spot::Leave, Spot::Check, Spot::Stop],
        ),
        (
            "found empty",
            found_empty(),
            vec![Spot::Id, Spot::Stop, Spot::Delete],
        ),
        (
            "looked at",
            looked_at(),
            vec![Spot::Copy, Spot::Leave, Spot::Check, Spot::Stop],
        ),
        (
            "no copy",
            uncopied(),
            vec![Spot::Read, Spot::Leave, Spot::Check, Spot::Stop],
        ),
        (
            "complete",
            copied(complete(2)),
            vec![Spot::Remove, Spot::Leave, Spot::Check, Spot::Stop],
        ),
        (
            "partial",
            copied(partial(2)),
            vec![
                Spot::Remove,
                Spot::Name,
                Spot::Leave,
                Spot::Check,
                Spot::Stop,
            ],
        ),
        ("unchecked", unchecked(), vec![Spot::Check, Spot::Stop]),
        (
            "closed",
            closed_run(),
            vec![Spot::Leave, Spot::Check, Spot::Stop],
        ),
        ("ready", ready(), vec![Spot::Id, Spot::Stop, Spot::Delete]),
        ("not gone", not_gone(), vec![Spot::Check, Spot::Stop]),
    ];
    for (state, sample, choices) in states {
        assert_eq!(sample.choices(), choices, "{state}:\n{}", sample.screen());
    }
}

#[test]
fn while_a_request_is_under_way_nothing_can_be_chosen_but_to_stop() {
    let chosen = |mut sample: Sample, spot: Spot| {
        choose(&mut sample, spot);
        sample
    };
    let requests = vec![
        ("survey 2", opened()),
        ("copy 2", chosen(looked_at(), Spot::Copy)),
        ("check 2", chosen(looked_at(), Spot::Check)),
        ("check 2", chosen(copied(complete(2)), Spot::Check)),
        ("check 2", chosen(copied(partial(2)), Spot::Check)),
        ("check 2", chosen(unchecked(), Spot::Check)),
        ("check 5", chosen(closed_run(), Spot::Check)),
        ("remove 2", chosen(copied(complete(2)), Spot::Remove)),
        ("delete 2", deleting()),
    ];
    for (request, mut sample) in requests {
        assert_eq!(names(&mut sample).last().unwrap(), request);
        assert_eq!(
            sample.choices(),
            [Spot::Stop],
            "{request}:\n{}",
            sample.screen()
        );
        let steps = |sample: &Sample| -> Vec<String> {
            let screen = sample.screen();
            screen.lines().take(38).map(str::to_owned).collect()
        };
        let before = steps(&sample);
        for key in [Action::Open, Action::Refresh] {
            sample.act(key);
            assert_eq!(names(&mut sample), Vec::<String>::new(), "{request}");
            assert!(said(&sample).contains("under way"), "{}", said(&sample));
        }
        assert_eq!(steps(&sample), before, "nothing is forgotten: {request}");
    }
}

/// Three marked runs, of which only the first was read before Ctrl-c.
fn one_of_three_read() -> Sample {
    let mut sample = listed();
    sample.press("   D");
    sample.surveyed(empty(0));
    sample.act(Action::Cancel);
    sample.open.clear();
    choose(&mut sample, Spot::Check);
    sample
}

#[test]
fn after_a_check_that_went_well_the_runs_that_are_unread_are_read() {
    let mut sample = one_of_three_read();
    sample.checked(true);
    assert_eq!(names(&mut sample), ["check 0", "survey 1"]);
    sample.surveyed(empty(1));
    sample.surveyed(empty(2));
    assert_eq!(names(&mut sample), ["survey 2"]);
}

#[test]
fn after_a_check_that_failed_nothing_more_is_asked() {
    let mut sample = one_of_three_read();
    sample.check_failed();
    assert_eq!(names(&mut sample), ["check 0"]);
    assert!(
        sample
            .screen()
            .contains("not checked: no connection. Check the network"),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_check_of_all_that_is_read_asks_for_nothing_else() {
    let mut sample = unchecked();
    sample.open.clear();
    choose(&mut sample, Spot::Check);
    sample.checked(true);
    assert_eq!(names(&mut sample), ["check 2"]);
    assert_eq!(sample.choices(), [Spot::Id, Spot::Stop, Spot::Delete]);
}

/// Lines below what is shown.
fn below(sample: &Sample) -> u16 {
    let screen = sample.screen();
    let more = screen.split("↓ ").nth(1);
    more.and_then(|more| more.split(' ').next())
        .map_or(0, |lines| lines.parse().unwrap())
}

#[test]
fn the_lines_scroll_by_tens_and_to_both_ends() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("     D");
    for number in 0..5 {
        sample.surveyed(complete(number));
    }
    sample.act(Action::Move(Motion::First));
    let all = below(&sample);
    assert!(all > 20, "{all}:\n{}", sample.screen());
    let steps = [
        (Motion::PageDown, all - 10),
        (Motion::HalfPageDown, all - 20),
        (Motion::PageUp, all - 10),
        (Motion::PageUp, all),
        (Motion::PageUp, all),
        (Motion::Last, 0),
        (Motion::PageDown, 0),
        (Motion::HalfPageUp, 10),
        (Motion::First, all),
    ];
    for (motion, lines) in steps {
        sample.act(Action::Move(motion));
        assert_eq!(below(&sample), lines, "{motion:?}:\n{}", sample.screen());
    }
    // The cursor did not move, and it is in view again as soon as it does.
    sample.act(Action::Move(Motion::Last));
    assert!(!sample.screen().contains("(o)"), "{}", sample.screen());
    sample.act(Action::NextField);
    sample.act(Action::PreviousField);
    assert!(
        sample.screen().contains("(o) save the copy now"),
        "{}",
        sample.screen()
    );
}

/// So many runs are being deleted, with the first lines on the screen.
fn deleting_from_the_top(runs: u64) -> Sample {
    let mut sample = Sample::list((80, 24), 30);
    sample.press(&" ".repeat(runs as usize));
    sample.press("D");
    sample.act(Action::Move(Motion::Last));
    for number in 0..runs {
        assert!(
            !sample.screen().contains(" 1 Copy "),
            "what was scrolled to stays while reading goes on:\n{}",
            sample.screen()
        );
        sample.surveyed(empty(number));
    }
    for number in 0..runs {
        sample.copied(number);
        sample.checked(true);
    }
    sample.press(&format!("{runs}\n"));
    choose(&mut sample, Spot::Delete);
    sample.act(Action::Move(Motion::First));
    sample
}

#[test]
fn an_answer_to_a_deletion_brings_its_lines_into_view() {
    let mut sample = deleting_from_the_top(20);
    sample.ended(Outcome::done("not found any more"));
    assert!(
        sample.screen().contains("DELETE_TEST_RUN, then reading"),
        "the next one:\n{}",
        sample.screen()
    );
    let mut sample = deleting_from_the_top(3);
    sample.ended(Outcome::refused("the service answered false"));
    assert!(
        sample
            .screen()
            .contains("R_0 not deleted: the service answered false"),
        "what came of it:\n{}",
        sample.screen()
    );
}
