//! The five steps: which request follows which, exactly once, and what stops them.

use rundown::domain::{Delete, DocRef, Outcome, SuiteChange};
use rundown::store::{Action, Effect, Event, Motion, Screen, Spot};

use super::SIZE;
use super::deleting::{closed, complete, empty, known, partial};
use super::ends::changed;
use super::evidence::{list, other};
use super::sample::{self, NOW, Sample};
use super::suites::suite;

pub const GONE: &str = "answered true, and GET_DOCUMENT finds it no more";

/// The list, nothing asked.
pub fn listed() -> Sample {
    let mut sample = Sample::list(SIZE, 30);
    sample.open.clear();
    sample
}

/// `D` on `R_2`.
pub fn opened() -> Sample {
    let mut sample = listed();
    sample.press("jjD");
    sample
}

pub fn run(number: u64) -> DocRef {
    sample::row(number).doc_ref
}

pub fn file(number: u64) -> String {
    format!("/home/qa/.local/state/rundown/trash/R_{number}-20261120T094112.json")
}

pub fn said(sample: &Sample) -> &str {
    sample
        .store
        .notice
        .as_ref()
        .map_or("", |notice| notice.text.as_str())
}

pub fn spot(sample: &Sample) -> Option<Spot> {
    sample.store.delete.as_ref().unwrap().spot
}

/// Moves the cursor to a spot and presses Enter.
pub fn choose(sample: &mut Sample, wanted: Spot) {
    for _ in 0..10 {
        if spot(sample) == Some(wanted) {
            return sample.press("\n");
        }
        sample.act(Action::NextField);
    }
    panic!("{wanted:?} cannot be chosen:\n{}", sample.screen());
}

/// What was sent, in short, in order.
pub fn names(sample: &mut Sample) -> Vec<String> {
    let number = |run: &DocRef| {
        run.as_str()[36..]
            .trim_start_matches(['-', '0'])
            .parse::<u64>()
            .unwrap_or(0)
    };
    let name = |effect: Effect| match effect {
        Effect::Survey { run, .. } => format!("survey {}", number(&run)),
        Effect::SaveCopy { run, .. } => format!("copy {}", number(&run.doc_ref)),
        Effect::CheckEmpty { run, .. } => format!("check {}", number(&run)),
        Effect::ChangeSuites { change, .. } => format!("remove {}", number(&change.run)),
        Effect::Delete { delete, .. } => format!("delete {}", number(&delete.run)),
        Effect::Cancel(_) => "cancel".into(),
        other => format!("{other:?}"),
    };
    sample.sent().into_iter().map(name).collect()
}

pub fn confirmed() -> Outcome {
    Outcome::done("all removed: free again")
}

/// Empty, copied and checked: only the id is missing.
pub fn ready() -> Sample {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(true);
    sample.open.clear();
    sample
}

/// `DELETE_TEST_RUN` is under way.
pub fn deleting() -> Sample {
    let mut sample = ready();
    sample.press("R_2\n");
    choose(&mut sample, Spot::Delete);
    sample
}

#[test]
fn a_run_with_suites_goes_through_all_five_steps() {
    let mut sample = opened();
    assert_eq!(sample.store.screen, Screen::Delete);
    assert_eq!(names(&mut sample), ["survey 2"]);
    sample.surveyed(complete(2));
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (Vec::new(), Some(Spot::Copy)),
        "looking saves nothing"
    );
    sample.press("\n");
    let sent = sample.sent();
    let [
        Effect::SaveCopy {
            run: row,
            suites,
            known,
            ..
        },
    ] = &sent[..]
    else {
        panic!("{sent:?}")
    };
    assert_eq!((row.doc_ref.clone(), row.results.is_some()), (run(2), true));
    assert_eq!(
        suites
            .iter()
            .map(|(suite, _)| suite.clone())
            .collect::<Vec<_>>(),
        (1..=7).map(|n| suite(n).doc_ref).collect::<Vec<_>>()
    );
    assert_eq!(
        (suites[0].1.as_str(), known.as_str()),
        ("S_1 Payment: refunds", "COMPLETE 7/7")
    );
    sample.copied(2);
    assert_eq!(
        names(&mut sample),
        Vec::<String>::new(),
        "nothing is changed before a person says so"
    );
    assert_eq!(
        spot(&sample),
        Some(Spot::Leave),
        "Enter by habit leaves the run as it is"
    );

    choose(&mut sample, Spot::Remove);
    let sent = sample.sent();
    let [Effect::ChangeSuites { change, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    let SuiteChange {
        run: of,
        run_name,
        run_id,
        adds,
        suites,
        stake,
        count,
        undo_of,
    } = (**change).clone();
    assert_eq!(
        (of, run_name.as_str(), run_id.as_deref()),
        (run(2), "R_2 Smoke nightly", Some("R_2"))
    );
    assert_eq!(
        (adds, suites.len(), stake.is_some(), count, undo_of),
        (false, 7, true, Some(7), None)
    );
    sample.press("\n\n");
    assert_eq!(
        names(&mut sample),
        Vec::<String>::new(),
        "Enter again sends nothing again"
    );
    sample.removed(7, confirmed());
    assert_eq!(names(&mut sample), ["check 2"]);
    sample.checked(true);
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (Vec::new(), Some(Spot::Id))
    );

    sample.press("R_2\n");
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (Vec::new(), Some(Spot::Stop)),
        "the safe button has the focus"
    );
    choose(&mut sample, Spot::Delete);
    let sent = sample.sent();
    let [Effect::Delete { delete, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    let expected = Delete {
        run: run(2),
        run_name: "R_2 Smoke nightly".into(),
        copy: Some(file(2)),
        is_probe: false,
        undo_of: None,
    };
    assert_eq!(**delete, expected);
    sample.press("\n\n");
    assert_eq!(names(&mut sample), Vec::<String>::new());
    let screen = sample.screen();
    assert!(
        !screen.contains("R_2 deleted")
            && screen.contains("DELETE_TEST_RUN, then reading that it is gone"),
        "{screen}"
    );

    sample.ended(Outcome::done(GONE));
    assert_eq!(sample.store.screen, Screen::Runs);
    assert!(
        said(&sample).starts_with("R_2 deleted. \":undo the last\""),
        "{}",
        said(&sample)
    );
    assert!(
        sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::ListRuns { .. })),
        "the list is read again"
    );
    assert!(sample.store.delete.is_none());
}

#[test]
fn an_empty_run_skips_the_second_step() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.copied(2);
    assert_eq!(names(&mut sample), ["survey 2", "copy 2", "check 2"]);
    sample.checked(true);
    assert_eq!(spot(&sample), Some(Spot::Id));
}

#[test]
fn what_looked_empty_and_is_not_is_no_endless_asking() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(false);
    assert_eq!(names(&mut sample), ["survey 2", "copy 2", "check 2"]);
    choose(&mut sample, Spot::Check);
    sample.checked(false);
    sample.surveyed(empty(2));
    sample.checked(false);
    assert_eq!(names(&mut sample), ["check 2", "survey 2", "check 2"]);
    assert!(!sample.store.delete.as_ref().unwrap().ready());
}

#[test]
fn only_sure_suites_are_removed_and_what_is_left_is_worked_out_again() {
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    assert!(
        sample.screen().contains("sure 2, unnamed 5 (1 candidate)"),
        "{}",
        sample.screen()
    );
    choose(&mut sample, Spot::Remove);
    let sent = sample.sent();
    let Some(Effect::ChangeSuites { change, .. }) = sent.last() else {
        panic!("{sent:?}")
    };
    let removed: Vec<_> = change
        .suites
        .iter()
        .map(|(suite, _)| suite.clone())
        .collect();
    assert_eq!(removed, [suite(6).doc_ref, suite(7).doc_ref]);
    sample.removed(2, confirmed());
    sample.checked(false);
    assert_eq!(names(&mut sample), ["check 2", "survey 2"]);
    sample.surveyed(known(2, |evidence| {
        (evidence.target.count_before, evidence.target.count_after) =
            (Some((5, NOW)), Some((5, NOW)));
        evidence.target.free_before = Some(list(6..=10));
        evidence.target.free_after = Some(list(6..=10));
        evidence.others = vec![other(4, 0, list(1..=10))];
    }));
    let sent = sample.sent();
    let [Effect::SaveCopy { suites, known, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(
        (suites.len(), known.as_str()),
        (7, "COMPLETE 5/5, and 2 removed before the deletion")
    );
    sample.copied(2);
    assert!(
        sample.screen().contains("remove the 5 sure ones"),
        "{}",
        sample.screen()
    );
    assert_eq!(spot(&sample), Some(Spot::Leave));
}

#[test]
fn after_a_removal_the_check_decides_whatever_the_reading_said() {
    for (done, verdict) in [(7, Outcome::unknown("x")), (0, Outcome::otherwise("y"))] {
        let mut sample = opened();
        sample.surveyed(complete(2));
        sample.copied(2);
        choose(&mut sample, Spot::Remove);
        sample.removed(done, verdict);
        assert!(!sample.store.delete.as_ref().unwrap().ready());
        sample.checked(true);
        assert_eq!(
            names(&mut sample),
            ["survey 2", "copy 2", "remove 2", "check 2"]
        );
        assert_eq!(spot(&sample), Some(Spot::Id));
    }
}

#[test]
fn a_closed_run_goes_on_only_if_the_check_says_that_it_is_empty() {
    let closed_run = || {
        let mut sample = listed();
        sample.press("jjjjjD");
        sample
    };
    let mut sample = closed_run();
    sample.surveyed(closed(5, Some(false)));
    assert_eq!(names(&mut sample), ["survey 5"]);
    assert!(
        sample
            .screen()
            .contains("closed and not empty: cannot be deleted from here"),
        "{}",
        sample.screen()
    );
    let spots = sample.store.delete.as_ref().unwrap().spots();
    assert_eq!(
        spots,
        [Spot::Leave, Spot::Check, Spot::Stop],
        "nothing that changes anything"
    );
    choose(&mut sample, Spot::Check);
    sample.checked(false);
    assert_eq!(names(&mut sample), ["check 5"]);

    let mut sample = closed_run();
    sample.surveyed(closed(5, None));
    sample.copied(5);
    sample.checked(true);
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (
            vec!["survey 5".into(), "copy 5".into(), "check 5".into()],
            Some(Spot::Id)
        )
    );
}

#[test]
fn the_id_arms_and_nothing_else() {
    let mut sample = ready();
    for wrong in ["R_21", "r_2", "yes"] {
        sample.press(wrong);
        sample.press("\n");
        assert!(
            said(&sample).contains("nothing is deleted before R_2 is typed"),
            "{}",
            said(&sample)
        );
        for _ in 0..2 {
            sample.act(Action::Move(Motion::Down));
        }
        sample.press("\n");
        assert_eq!((sample.sent(), spot(&sample)), (Vec::new(), Some(Spot::Id)));
        sample.act(Action::Type(crossterm::event::KeyEvent::new(
            crossterm::event::KeyCode::Char('u'),
            crossterm::event::KeyModifiers::CONTROL,
        )));
    }
    sample.act(Action::Paste(" R_2 ".into()));
    assert!(sample.store.delete.as_ref().unwrap().armed());
}

#[test]
fn a_deletion_that_is_not_confirmed_is_a_failure_and_must_be_armed_again() {
    for (end, words) in [
        (
            Outcome::refused("the service answered false"),
            "R_2 not deleted: the service answered false",
        ),
        (
            Outcome::unknown("the connection broke"),
            "R_2 may be deleted: the connection broke",
        ),
    ] {
        let mut sample = deleting();
        sample.open.clear();
        sample.ended(end);
        assert_eq!(
            names(&mut sample),
            Vec::<String>::new(),
            "it is not sent again"
        );
        assert!(sample.screen().contains(words), "{}", sample.screen());
        let flow = sample.store.delete.as_ref().unwrap();
        assert_eq!(flow.spots(), [Spot::Check, Spot::Stop]);
        assert!(!flow.armed());
        choose(&mut sample, Spot::Check);
        sample.checked(true);
        assert_eq!(
            (names(&mut sample), spot(&sample)),
            (vec!["check 2".into()], Some(Spot::Id))
        );
        assert_eq!(
            sample.store.delete.as_ref().unwrap().text.text(),
            "",
            "the id is to be typed again"
        );
    }
}

#[test]
fn of_several_runs_each_has_its_lines_and_the_number_is_typed() {
    let mut sample = listed();
    sample.press(" j D");
    assert!(
        sample.screen().contains("the 2 marked runs"),
        "{}",
        sample.screen()
    );
    sample.surveyed(empty(0));
    sample.surveyed(complete(2));
    sample.copied(0);
    sample.checked(true);
    sample.copied(2);
    assert_eq!(
        names(&mut sample),
        ["survey 0", "survey 2", "copy 0", "check 0", "copy 2"]
    );
    let screen = sample.screen();
    for name in ["Would be removed from R_2:", "S_1 Payment: refunds"] {
        assert!(screen.contains(name), "{screen}");
    }
    for suite in &sample.store.delete.as_ref().unwrap().runs[1].removable() {
        assert!(
            screen.contains(&suite.full_name()),
            "each by its name: {screen}"
        );
    }
    choose(&mut sample, Spot::Remove);
    sample.removed(7, confirmed());
    sample.checked(true);
    assert_eq!(names(&mut sample), ["remove 2", "check 2"]);
    let screen = sample.screen();
    assert!(
        screen.contains("7 suites removed; no run deleted yet"),
        "{screen}"
    );
    sample.press("R_0\n");
    assert!(!sample.store.delete.as_ref().unwrap().armed());
    sample.act(Action::Back);
    sample.store.delete.as_mut().unwrap().text.clear();
    choose(&mut sample, Spot::Id);
    sample.press("2\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["delete 0", "delete 2"]);
    assert_eq!(
        sample.store.runs.marks.rows().len(),
        1,
        "what is gone has no mark any more"
    );
    sample.ended(Outcome::done(GONE));
    assert_eq!(
        (
            said(&sample).starts_with("2 runs deleted"),
            sample.store.runs.marks.is_empty()
        ),
        (true, true)
    );
}

#[test]
fn marks_out_of_sight_are_named_before_anything_else() {
    let mut sample = listed();
    // Marked at the top, and the cursor far below.
    sample.press(" G");
    sample.press("D");
    let screen = sample.screen();
    let note = "This is about the marked run, not about R_29 under the cursor (1 not in view on the list): R_0 Performance test.";
    let flat = screen
        .replace(['│', '\n'], " ")
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    assert!(flat.contains(note), "{screen}");
    // The run under the cursor alone needs no such words.
    assert!(!opened().screen().contains("This is about"));
}

#[test]
fn the_detail_of_a_deleted_run_is_closed() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jj\n");
    sample.answer(30);
    sample.press("D");
    assert_eq!(names(&mut sample), ["survey 2"]);
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(true);
    sample.act(Action::Back);
    sample.act(Action::Back);
    assert_eq!(
        sample.store.screen,
        Screen::Detail,
        "back to where it was begun"
    );
    sample.press("D");
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(true);
    sample.press("R_2\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(Outcome::done(GONE));
    assert_eq!(
        (sample.store.screen, sample.store.detail.is_none()),
        (Screen::Runs, true)
    );
}

#[test]
fn naming_the_others_leaves_the_steps_standing() {
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    sample.open.clear();
    choose(&mut sample, Spot::Name);
    assert_eq!(
        (sample.store.screen, sample.sent()),
        (Screen::Members, Vec::new()),
        "it is known already"
    );
    sample.press("+TestSuite-dm/777\n");
    let id = sample
        .store
        .members
        .as_ref()
        .unwrap()
        .verdict
        .asked()
        .unwrap();
    sample.event(Event::Surveyed {
        id,
        result: Ok(partial(2)),
    });
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(sample.store.screen, Screen::Delete);
    let sent = sample.sent();
    let [Effect::Survey { run: of, typed, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(
        (of, &typed[..]),
        (&run(2), &[DocRef::parse("TestSuite-dm/777").unwrap()][..])
    );
    // A probe has told everything: it is deleted by now, and a survey would know less.
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    choose(&mut sample, Spot::Name);
    sample.press("P");
    sample.act(Action::NextField);
    sample.press("\n");
    let id = sample
        .store
        .members
        .as_ref()
        .unwrap()
        .verdict
        .asked()
        .unwrap();
    sample.event(Event::Surveyed {
        id,
        result: Ok(complete(2)),
    });
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(
        names(&mut sample),
        ["copy 2"],
        "the copy names all of them now"
    );
    sample.copied(2);
    assert!(
        sample.screen().contains("remove the 7 sure ones"),
        "{}",
        sample.screen()
    );
}

#[test]
fn what_is_removed_on_the_screen_of_suites_is_in_the_copy_too() {
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    choose(&mut sample, Spot::Name);
    let named = DocRef::parse("TestSuite-dm/777").unwrap();
    sample.press("+TestSuite-dm/777\n");
    let id = sample
        .store
        .members
        .as_ref()
        .unwrap()
        .verdict
        .asked()
        .unwrap();
    let with_typed = known(2, |evidence| {
        evidence.others = vec![other(3, 5, list(6..=10))];
        evidence.known.typed = vec![named.clone()];
    });
    sample.event(Event::Surveyed {
        id,
        result: Ok(with_typed),
    });
    sample.press("jj x\t\n");
    let work = sample.store.work.as_ref().unwrap();
    let done: Vec<DocRef> = work
        .change
        .suites
        .iter()
        .map(|(suite, _)| suite.clone())
        .collect();
    assert_eq!(done, std::slice::from_ref(&named));
    let id = work.id;
    sample.event(Event::Changed {
        id,
        outcome: changed(done, Vec::new(), confirmed()),
    });
    sample.press("\n");
    sample.act(Action::Back);
    sample.open.clear();
    sample.surveyed(complete(2));
    let sent = sample.sent();
    let [Effect::SaveCopy { suites, .. }] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert!(
        suites.len() == 8 && suites.iter().any(|(suite, _)| *suite == named),
        "{suites:?}"
    );
}
