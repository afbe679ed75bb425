//! The box that deletes runs in its states, and marks in the list.

use super::pictures::{Size, States};
use super::support::{deleting, sample};
use crate::support::prelude::*;
use deleting::{closed, complete, empty, partial, trouble};

fn marks_in_the_list(states: &mut States<'_>) {
    states.see("runs_marked", |size| Sample::list(size, 30).pressed("  j "));
    states.see("runs_range_open", |size| {
        Sample::list(size, 30).pressed(" jvjj")
    });
    states.see("runs_marked_all_loaded", |size| {
        let mut sample = Sample::signed_in(size);
        let id = sample.asked();
        let page = FIRST;
        sample.runs(id, Ok(sample::page(page, 1_000)));
        sample.press("A");
        sample
    });
}

/// `D` on `R_2`.
pub fn opened(size: Size) -> Sample {
    Sample::list(size, 30).pressed("jjD")
}

/// What it holds is known.
pub fn looked(size: Size, attached: Box<rundown::attached::Attached>) -> Sample {
    let mut sample = opened(size);
    sample.surveyed(attached);
    sample
}

/// Empty, and asked about.
pub fn ready(size: Size) -> Sample {
    let mut sample = looked(size, empty(2));
    sample.checked(true);
    sample
}

/// The run with its 7 suites is being deleted, and the copy is saved.
pub fn removing(size: Size) -> Sample {
    let mut sample = looked(size, complete(2));
    sample.press("R_2\n");
    sample.copied(2);
    sample
}

#[test]
fn a_low_terminal_shows_what_is_lost_before_all_else() {
    let sample = looked((60, 15), complete(2));
    for words in [
        "It holds 7 suites.",
        "Recorded in it: ",
        "do not come back",
        "↓ ",
    ] {
        sample.says(words);
    }
}

fn looking_at_what_it_holds(states: &mut States<'_>) {
    states.see("delete_opening", |size| {
        let mut sample = opened(size);
        let id = sample.asked_by_box();
        let words = "R_3: 2 of 41 lists, 100 of 240 suites".into();
        sample.reply(id, Answer::SurveyProgress(words));
        sample
    });
    states.see("delete_survey_failed", |size| {
        let mut sample = opened(size);
        let id = sample.asked_by_box();
        let failure = trouble(
            "LIST_TEST_RUNS",
            "no connection to demo.example: connection refused",
        );
        let result = Err(failure);
        sample.reply(id, Answer::Surveyed(result));
        sample
    });
    states.see("delete_complete", |size| looked(size, complete(2)));
    states.see("delete_partial", |size| looked(size, partial(2)));
    states.see("delete_closed_not_empty", |size| {
        let mut sample = Sample::on_closed(size).pressed("D");
        sample.surveyed(closed(5, Some(false)));
        sample
    });
    states.see("delete_ready", ready);
    states.see("delete_typing_wrong", |size| ready(size).pressed("R_21\n"));
    states.see("delete_typing_right", |size| ready(size).pressed("R_2"));
}

fn deleting_it(states: &mut States<'_>) {
    states.see("delete_removing", removing);
    states.see("delete_false", |size| {
        let mut sample = ready(size);
        sample.press("R_2\n");
        sample.copied(2);
        let words = "the service answered false; the run is still there";
        sample.ended(Outcome::refused(words));
        sample
    });
    states.see("delete_suites_out_and_still_there", |size| {
        let mut sample = removing(size);
        sample.removed(7, Outcome::done("all 7 removed"));
        let words =
            "the connection broke after sending, and reading failed: no connection to demo.example";
        sample.ended(Outcome::unknown(words));
        sample
    });
    states.see("delete_gone", |size| {
        let mut sample = removing(size);
        sample.removed(7, Outcome::done("all 7 removed"));
        sample.ended(Outcome::done("the run is not found any more"));
        sample
    });
}

/// `R_0`, `R_1` and `R_2` are marked.
pub fn several(size: Size) -> Sample {
    Sample::list(size, 30).pressed("   D")
}

fn several_runs(states: &mut States<'_>) {
    states.see("delete_several_reading", |size| {
        let mut sample = several(size);
        sample.surveyed(complete(0));
        sample
    });
    states.see("delete_several_one_stays", |size| {
        let mut sample = several(size);
        sample.surveyed(complete(0));
        sample.surveyed(partial(1));
        sample
    });
    states.see("delete_several_others_go", |size| {
        let mut sample = several(size);
        sample.surveyed(complete(0));
        sample.surveyed(closed(1, Some(false)));
        sample.surveyed(empty(2));
        sample.checked(true);
        sample.press("2");
        sample
    });
    let ready = |size| {
        let mut sample = several(size);
        sample.surveyed(complete(0));
        for run in 1..3 {
            sample.surveyed(empty(run));
            sample.checked(true);
        }
        sample
    };
    states.see("delete_several_ready", ready);
    states.see("delete_several_one_failed", |size| {
        let mut sample = ready(size);
        sample.press("delete 3\n");
        sample.ended(Outcome::done("the run is not found any more"));
        sample.ended(Outcome::refused("somebody has put a suite into it"));
        sample
    });
}

fn in_a_read_only_profile(states: &mut States<'_>) {
    states.see("delete_read_only", |size| {
        Sample::read_only_list(size, 30).pressed("D")
    });
}

pub fn states(states: &mut States<'_>) {
    marks_in_the_list(states);
    looking_at_what_it_holds(states);
    deleting_it(states);
    several_runs(states);
    in_a_read_only_profile(states);
}

#[test]
fn the_help_of_the_box_that_deletes_has_its_own_keys() {
    let mut sample = ready((80, 24));
    sample.press("R_");
    sample.key(KeyCode::F(1).into());
    sample.says("Help: keys in the id to delete");
    let enter = sample.line("Enter");
    says(&enter, "Delete, once the id stands here");
    says(&sample.line("Move "), "↓ ↑");
    sample.lacks("typed before");
    sample.lacks("Take it");
    sample.press("\u{1b}");
    sample.says("Type R_2 to delete: R_");
    // What is no key of it does not pass in silence.
    let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
    let others = [
        KeyCode::F(5).into(),
        KeyCode::Tab.into(),
        control('p'),
        control('g'),
    ];
    for key in others {
        sample.key(key);
        assert_eq!(sample.said(), "that does nothing here now", "{key:?}");
        sample.press("2");
        assert_eq!(sample.said(), "", "{key:?}");
        sample.key(KeyCode::Backspace.into());
    }
}
