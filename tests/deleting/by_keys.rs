//! Deleting by keys: which request follows which, exactly once, and what keeps a run from being deleted.

use crate::support::prelude::*;
use rundown::attached::{Attached, Evidence};
use rundown::domain::{Delete, UndoOf};
use rundown::ops::Step;

use super::SIZE;
use super::deleting::{closed, complete, empty, known, partial, trouble};
use super::evidence::{list, other};
use super::suites::suite;

pub const GONE: &str = "the run is not found any more";

/// The list, nothing asked.
pub fn listed() -> Sample {
    let mut sample = Sample::list((80, 40), 30);
    sample.open.clear();
    sample
}

/// `D` on `R_2`.
pub fn opened() -> Sample {
    let mut sample = listed();
    sample.press("jjD");
    sample
}

/// Empty, and only the id is missing.
pub fn ready() -> Sample {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.checked(true);
    sample.open.clear();
    sample
}

/// `R_2`, empty, is being deleted.
pub fn deleting() -> Sample {
    let mut sample = ready();
    sample.press("R_2\n");
    sample
}

/// The first runs of the list, marked; the first is being looked at.
pub fn marked(runs: usize) -> Sample {
    let mut sample = listed();
    sample.press(&" ".repeat(runs));
    sample.press("D");
    sample
}

/// So many marked runs, empty; the first is being deleted.
pub fn deleting_several(runs: usize) -> Sample {
    let mut sample = marked(runs);
    for number in 0..runs {
        sample.surveyed(empty(number as u64));
        sample.checked(true);
    }
    sample.press(&format!("delete {runs}\n"));
    sample
}

pub fn run(number: u64) -> DocRef {
    row(number).doc_ref
}

pub fn names(sample: &mut Sample) -> Vec<String> {
    let number = |run: &DocRef| {
        let digits = run.as_str()[36..].trim_start_matches(['-', '0']);
        digits.parse::<u64>().unwrap_or(0)
    };
    let name = |effect: Effect| match effect {
        Effect::Request(_, Request::Survey { run, .. }) => format!("survey {}", number(&run)),
        Effect::Request(_, Request::CheckEmpty { run }) => format!("check {}", number(&run)),
        Effect::Request(_, Request::Delete(deleting)) => {
            format!("delete {}", number(&deleting.run.doc_ref))
        }
        Effect::Cancel(_) => "cancel".into(),
        other => format!("{other:?}"),
    };
    sample.sent().into_iter().map(name).collect()
}

const NOTHING: [String; 0] = [];

fn clear(sample: &mut Sample) {
    let clears = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    sample.act(Action::Type(clears));
}

#[test]
fn the_id_and_enter_delete_a_run_with_its_suites() {
    let mut sample = opened();
    assert_eq!(names(&mut sample), ["survey 2"]);
    sample.box_says("Looking at what it holds…");
    sample.surveyed(complete(2));
    assert_eq!(names(&mut sample), NOTHING, "looking changes nothing");
    sample.box_says("It holds 7 suites. Recorded in it: ");
    sample.box_says("Results, testers and files do not come back. S_1 Payment: refunds");
    sample.box_says("1. save a copy here (undo makes a new run from it)");
    sample.box_says("2. take 7 suites out");
    sample.box_says("3. delete the run");
    sample.press("R_2");
    assert_eq!(names(&mut sample), NOTHING, "before Enter");
    sample.press("\n");
    let sent = sample.sent();
    let [Effect::Request(_, Request::Delete(deleting))] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(
        (deleting.run.doc_ref.clone(), deleting.undo_of.clone()),
        (run(2), None)
    );
    sample.press("\n\nDR_2\n");
    assert_eq!(names(&mut sample), NOTHING, "keys typed ahead do nothing");
    sample.box_says("1. save a copy here (undo makes a new run from it)…");
    let saves = |step: &Step| match step {
        Step::SaveCopy(copied) => {
            let suites: Vec<_> = copied
                .suites
                .iter()
                .map(|(suite, _)| suite.clone())
                .collect();
            let all: Vec<_> = (1..=7).map(|number| suite(number).doc_ref).collect();
            let first = copied.suites[0].1.as_str();
            assert_eq!(
                (suites, first, copied.known.as_str()),
                (all, "S_1 Payment: refunds", "7 suites")
            );
            assert!(copied.row.results.is_some());
            true
        }
        _ => false,
    };
    let file = "/home/qa/trash/R_2.json".to_owned();
    sample.stepped(saves, rundown::ops::StepResult::Copied(Ok(file)));
    sample.box_says("1. copy saved: /home/qa/trash/R_2.json 2. take 7 suites out…");
    sample.removed(7, Outcome::done("all 7 removed"));
    sample.box_says("2. take 7 suites out: done");
    let checks = |step: &Step| matches!(step, Step::CheckEmpty(_));
    sample.stepped(checks, rundown::ops::StepResult::Empty(Ok(true)));
    sample.box_says("3. delete the run…");
    let (change, delete) = sample.delete_box().runs[0].deleting.plan();
    let change = change.unwrap();
    assert_eq!(
        (change.adds, change.suites.len(), change.stake.is_some()),
        (false, 7, true)
    );
    let expected = Delete {
        run: run(2),
        run_name: "R_2 Smoke nightly".into(),
        copy: Some("/home/qa/trash/R_2.json".into()),
        is_probe: false,
        undo_of: None,
    };
    assert_eq!(delete, expected);
    lacks(&sample.in_box(), "R_2 deleted");
    sample.open.clear();
    sample.ended(Outcome::done(GONE));
    sample.box_says("R_2 deleted");
    sample.box_says("@ my changes u undo Enter closes");
    sample.press("\n");
    sample.on(Layer::Runs);
    begins(sample.said(), "R_2 deleted. u makes");
    let lists = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ReadRuns { .. }));
    assert!(sample.open.iter().any(lists), "the list is read again");
    assert!(sample.store.delete().is_none());
}

#[test]
fn what_came_of_it_stays_in_the_box_until_enter_or_esc_and_no_key_falls_through() {
    let mut done = deleting();
    done.ended(Outcome::done(GONE));
    for key in ["\n", "\u{1b}"] {
        let mut sample = done.clone();
        // Nothing is left to be looked at, and no key reaches the list.
        sample.press("rsejD");
        assert_eq!(names(&mut sample), ["delete 2"]);
        sample.on(Layer::Delete);
        sample.box_says("R_2 deleted");
        sample.press(key);
        sample.on(Layer::Runs);
        begins(sample.said(), "R_2 deleted. u makes");
    }
    // The key for an undo does here what it does elsewhere; of several each is taken back by itself.
    let mut sample = done.clone();
    sample.open.clear();
    let run = row(2).doc_ref;
    sample.press("u");
    let undoes = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::PlanUndo(UndoOf::LastOf(of))) if *of == run
        )
    };
    assert!(sample.open.iter().any(undoes), "{:?}", sample.open);
    let mut several = deleting_several(2);
    several.ended(Outcome::done(GONE));
    several.ended(Outcome::done(GONE));
    several.press("u");
    assert_eq!(several.store.layer(), Layer::Journal);
    // An Enter that is held down since the id was typed closes nothing.
    let press = |sample: &mut Sample, after: i64| {
        sample.now += after;
        let action = Message::Action(Action::Open);
        sample.store.update(action, sample.now)
    };
    let mut sample = done.clone();
    press(&mut sample, 1);
    sample.on(Layer::Delete);
    // One that was typed ahead of what is drawn then opens no run.
    let mut sample = done;
    for _ in 0..2 {
        assert_eq!(press(&mut sample, 1000), []);
        sample.on(Layer::Runs);
    }
}

/// Neither where no run is gone nor while the next one goes.
#[test]
fn the_key_for_an_undo_does_nothing_before_all_is_over_and_a_run_is_gone() {
    let mut refused = deleting();
    refused.ended(Outcome::refused("the service answered false"));
    let mut several = deleting_several(2);
    several.ended(Outcome::done(GONE));
    let does_nothing = |mut sample: Sample| {
        lacks(&sample.in_box(), "u undo");
        sample.open.clear();
        sample.press("u");
        assert_eq!(names(&mut sample), NOTHING);
        sample.on(Layer::Delete);
    };
    does_nothing(refused);
    does_nothing(several);
}

#[test]
fn an_empty_run_is_asked_about_and_nothing_is_taken_out() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
    sample.box_says("Asking whether it is empty…");
    sample.checked(true);
    sample.box_says("It is empty.");
    sample.box_says("2. delete the run");
    sample.press("R_2\n");
    assert_eq!(names(&mut sample), ["delete 2"]);
    sample.copied(2);
    sample.stepped(
        |step| matches!(step, Step::Delete(_)),
        rundown::ops::StepResult::Written(Outcome::done(GONE)),
    );
}

#[test]
fn what_looked_empty_and_is_not_is_no_endless_asking() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.checked(false);
    assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
    sample.box_says("R_2 not deleted: it is not empty any more: somebody is changing it");
    assert_eq!(sample.store.layer(), Layer::Delete, "no field for the id");
    sample.press("r");
    assert_eq!(names(&mut sample), ["survey 2"]);
}

#[test]
fn nothing_but_the_id_deletes() {
    let mut sample = ready();
    for wrong in ["", "R_21", "r_2", "yes"] {
        sample.press(wrong);
        sample.press("\n");
        assert!(
            sample
                .said()
                .contains("nothing is deleted before R_2 is typed"),
            "{wrong}"
        );
        assert_eq!(names(&mut sample), NOTHING, "{wrong}");
        clear(&mut sample);
    }
    sample.press("R_3");
    sample.box_says("this is not R_2");
    clear(&mut sample);
    sample.act(Action::Paste(" R_2 ".into()));
    sample.box_says("Enter deletes");
    sample.press("\n");
    assert_eq!(names(&mut sample), ["delete 2"]);
}

#[test]
fn an_id_typed_while_it_looks_deletes_by_an_enter_after_what_it_holds_is_shown_and_only_if_all_is_known()
 {
    let typed = || {
        let mut sample = opened();
        sample.press("R_2\n");
        assert_eq!(names(&mut sample), ["survey 2"]);
        sample.box_says("Enter, once it is read");
        let notice = &sample.store.notice().unwrap().text;
        says(notice, "Enter deletes once what is in it is shown");
        sample
    };
    let mut sample = typed();
    sample.surveyed(complete(2));
    assert_eq!(names(&mut sample), NOTHING);
    sample.box_says("Enter deletes");
    sample.lacks("Enter deletes once what is in it is shown");
    sample.press("\n");
    assert_eq!(names(&mut sample), ["delete 2"]);
    let mut sample = typed();
    sample.surveyed(partial(2));
    sample.press("\nR_2\n");
    assert!(
        !names(&mut sample).contains(&"delete 2".into()),
        "{}",
        sample.screen()
    );
}

fn changed(change: impl FnOnce(&mut Evidence)) -> Box<Attached> {
    known(2, change)
}

#[test]
fn suites_are_named_as_far_as_there_is_room_and_the_others_are_counted() {
    let all: Vec<u64> = (9..=16).chain(18..=20).collect();
    let ids: Vec<String> = all.iter().map(|number| format!("S_{number} ")).collect();
    for (held, named, others) in [(8, 8, None), (9, 7, Some("and 2 more"))] {
        let attached = changed(|evidence| {
            let target = &mut evidence.target;
            let count = Some(held as u64);
            (target.count_before, target.count_after) = (count, count);
            let free = Some(list(all[held..].to_vec()));
            (target.free_before, target.free_after) = (free.clone(), free);
            evidence.other_runs = vec![other(4, 0, list(all.clone()))];
        });
        let mut sample = opened();
        sample.surveyed(attached);
        let told = sample.in_box();
        let seen: Vec<&String> = ids.iter().filter(|id| told.contains(*id)).collect();
        assert_eq!(seen, ids[..named].iter().collect::<Vec<_>>(), "{told}");
        assert_eq!(told.contains(" more"), others.is_some(), "{told}");
        sample.box_says(others.unwrap_or_default());
    }
}

#[test]
fn a_run_whose_suites_are_not_all_known_has_no_field_and_says_why() {
    let conflict = changed(|evidence| {
        evidence.other_runs[0].free = Some(list(4..=10));
    });
    for (attached, words) in [
        (
            partial(2),
            "It stays: it is not empty, and 5 more suites are attached that no list names. Take them out in the web \
             application first, or have them named here (s, then \":probe\" compares with an empty run).",
        ),
        (conflict, "It stays: it is not empty, and"),
    ] {
        let mut sample = opened();
        sample.surveyed(attached);
        sample.box_says(words);
        sample.on(Layer::Delete);
        lacks(&sample.in_box(), "Type R_2");
        sample.open.clear();
        sample.press("R_2\n\n");
        assert!(!names(&mut sample).contains(&"delete 2".into()));
    }
}

#[test]
fn a_count_or_a_named_suite_is_enough_to_hold_suites() {
    let counted = changed(|evidence| {
        evidence.other_runs.clear();
        evidence.target.empty = None;
        (evidence.target.free_before, evidence.target.free_after) = (None, None);
    });
    let mut named = complete(2);
    (named.count, named.empty) = (None, None);
    assert_eq!((counted.count, counted.sure().count()), (Some(7), 0));
    assert_eq!((named.count, named.sure().count()), (None, 7));
    for (attached, words) in [
        (
            counted,
            "It stays: it is not empty, and the list of free suites could not be read whole. Reading it again may tell.",
        ),
        (named, "It holds 7 suites, or more: how many is not known."),
    ] {
        // Whether the service answers that it is empty is asked for all the same: without it there is no deletion.
        for is_empty in [true, false] {
            let mut sample = opened();
            sample.surveyed(attached.clone());
            assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
            sample.checked(is_empty);
            sample.box_says(words);
        }
        let mut sample = opened();
        sample.surveyed(attached);
        sample.check_failed();
        sample.box_says("checking that the run is empty: no connection");
        sample.lacks("It holds 7 suites");
        assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
    }
    // Neither: only the service can tell.
    let mut sample = opened();
    sample.surveyed(changed(|evidence| {
        evidence.other_runs.clear();
        (evidence.target.count_before, evidence.target.count_after) = (Some(0), Some(0));
        evidence.target.empty = None;
        evidence.target.free_before = Some(list(1..=10));
        evidence.target.free_after = Some(list(1..=10));
    }));
    assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
}

#[test]
fn a_closed_run_goes_only_if_the_service_calls_it_empty() {
    let closed_run = |attached| {
        let mut sample = Sample::on_closed((80, 24)).pressed("D");
        sample.surveyed(attached);
        sample
    };
    let mut sample = closed_run(closed(5, Some(false)));
    assert_eq!(names(&mut sample), ["survey 5"]);
    sample.box_says("R_5 not deleted: it is closed and not empty");
    assert_eq!(sample.store.layer(), Layer::Delete, "no field for the id");
    let mut sample = closed_run(closed(5, None));
    assert_eq!(names(&mut sample), ["survey 5", "check 5"]);
    sample.checked(true);
    sample.press("R_5\n");
    assert_eq!(names(&mut sample), ["delete 5"]);
    // Either the list or its suites say that it is closed.
    let sample = closed_run(complete(5));
    sample.box_says("R_5 not deleted: it is closed and not empty");
    let mut sample = opened();
    sample.surveyed(closed(2, Some(false)));
    sample.box_says("R_2 not deleted: it is closed and not empty");
}

#[test]
fn what_stays_leads_to_its_suites_where_a_probe_names_the_others() {
    let mut sample = listed();
    // Those of another run are being worked out: they are not for the screen that comes.
    sample.press("s\u{1b}");
    let of_another = sample.store.asked_for_attached();
    sample.press("jjD");
    sample.surveyed(partial(2));
    sample.open.clear();
    sample.press("s");
    assert_eq!(sample.open.remove(0), Effect::Cancel(of_another));
    assert_eq!(
        (
            sample.store.screen(),
            names(&mut sample),
            sample.store.delete().is_none()
        ),
        (Layer::Attached, NOTHING.to_vec(), true),
        "it is known already"
    );
    sample.press(":probe\n\t\n");
    let id = sample.store.asked_for_attached();
    let result = Ok(complete(2));
    sample.reply(id, Answer::Surveyed(result));
    sample.open.clear();
    // The probe run is gone by now: a survey would know less than what stands here.
    sample.press("D");
    assert_eq!(names(&mut sample), NOTHING);
    sample.box_says("It holds 7 suites.");
    sample.press("R_2\n");
    assert_eq!(names(&mut sample), ["delete 2"]);
    sample.ended(Outcome::done(GONE));
    assert_eq!(
        sample.store.screen(),
        Layer::Runs,
        "its suites are gone with it"
    );
}

#[test]
fn of_several_the_first_that_stays_leads_to_its_suites() {
    for before in [&[][..], &[partial(1)]] {
        let mut sample = marked(3);
        sample.surveyed(empty(0));
        sample.checked(true);
        for attached in before {
            sample.surveyed(attached.clone());
        }
        sample.survey_failed();
        sample.press("s");
        sample.at(Layer::Attached);
        assert_eq!(sample.store.attached().unwrap().run.doc_ref, run(1));
    }
}

#[test]
fn suites_of_a_run_that_was_not_looked_at_are_worked_out_where_they_are() {
    let mut sample = opened();
    sample.act(Action::Cancel);
    sample.open.clear();
    sample.press("s");
    sample.at(Layer::Attached);
    assert_eq!(names(&mut sample), ["survey 2"]);
}

#[test]
fn suites_that_a_person_has_named_go_into_the_looking() {
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.press("s:remove TestSuite-dm/777\n");
    sample.act(Action::Back);
    sample.open.clear();
    sample.press("D");
    let sent = sample.sent();
    let [Effect::Request(_, Request::Survey { typed, .. })] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(typed, &[DocRef::parse("TestSuite-dm/777").unwrap()]);
    // On another run they say nothing.
    sample.act(Action::Back);
    sample.press("jD");
    let sent = sample.sent();
    assert!(
        matches!(&sent[..], [Effect::Cancel(_), Effect::Request(_, Request::Survey { typed, .. })] if typed.is_empty()),
        "{sent:?}"
    );
}

#[test]
fn a_deletion_that_did_not_go_well_is_not_sent_again_and_the_id_is_typed_anew() {
    for (end, words, step) in [
        (
            Outcome::refused("the service answered false"),
            "R_2 not deleted: the service answered false",
            "not done",
        ),
        (
            Outcome::unknown("the connection broke"),
            "R_2 may be deleted: the connection broke",
            "not known",
        ),
    ] {
        let mut sample = deleting();
        sample.copied(2);
        sample.open.clear();
        sample.ended(end);
        assert_eq!(names(&mut sample), NOTHING);
        sample.box_says(words);
        sample.box_says(&format!("delete the run: {step}"));
        sample.on(Layer::Delete);
        // Closing it says so once more.
        let mut closed = sample.clone();
        closed.press("\n");
        assert_eq!((closed.said(), closed.store.layer()), (words, Layer::Runs));
        for (key, opens) in [("@", Layer::Journal), (":", Layer::Picker)] {
            let asks = sample.clone().pressed(key);
            assert_eq!(asks.store.layer(), opens);
        }
        sample.press("r");
        let sent = "a deletion of R_2 was begun, its end is not known; @ reads what became of it";
        match step {
            "not known" => sample.box_says(sent),
            _ => sample.lacks("was begun"),
        }
        sample.surveyed(empty(2));
        sample.checked(true);
        assert_eq!(names(&mut sample), ["survey 2", "check 2"]);
        assert_eq!(sample.delete_box().text.text(), "");
        sample.press("\n");
        assert_eq!(names(&mut sample), NOTHING);
    }
}

#[test]
fn of_several_each_is_looked_at_and_ticked_and_their_number_is_typed() {
    let mut sample = listed();
    sample.press(" j D");
    sample.surveyed(empty(0));
    sample.checked(true);
    sample.surveyed(complete(2));
    assert_eq!(names(&mut sample), ["survey 0", "check 0", "survey 2"]);
    let rows: Vec<String> = sample.screen().lines().map(str::to_owned).collect();
    let row = |words: &str| rows.iter().any(|row| row.contains(words));
    assert!(
        row("R_0 Performance test: It is empty. Recorded in it: Passed 57")
            && row("R_2 Smoke nightly: It holds 7 suites. Recorded in it:")
    );
    sample.press("R_0\n");
    says(sample.said(), "nothing is deleted before delete 2 is typed");
    clear(&mut sample);
    sample.press("2\n");
    sample.box_says("not the number alone");
    assert_eq!(names(&mut sample), NOTHING);
    clear(&mut sample);
    sample.press("delete 2\n");
    assert_eq!(names(&mut sample), ["delete 0"]);
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["delete 2"]);
    sample.box_says("R_0 Performance test: R_0 deleted");
    assert_eq!(
        sample.store.runs().list.marks.len(),
        1,
        "what is gone has no mark any more"
    );
    sample.ended(Outcome::done(GONE));
    sample.press("\n");
    begins(sample.said(), "2 runs deleted");
    assert!(sample.store.runs().list.marks.is_empty());
}

#[test]
fn the_first_of_several_that_does_not_go_ends_it() {
    let mut sample = deleting_several(3);
    sample.open.clear();
    sample.ended(Outcome::done(GONE));
    sample.ended(Outcome::refused("not empty any more"));
    assert_eq!(names(&mut sample), ["delete 1"]);
    assert_eq!(
        (sample.store.layer(), sample.store.runs().list.marks.len()),
        (Layer::Delete, 2)
    );
    sample.box_says("R_0 Performance test: R_0 deleted");
    sample.box_says("R_1 Regression payment: R_1 not deleted: not empty any more");
    sample.box_says("R_2 Smoke nightly: not begun");
    // Looked at again are those that are there, and their number is typed.
    let mut again = sample.clone();
    again.press("r");
    for number in 1..3 {
        again.surveyed(empty(number));
        again.checked(true);
    }
    assert_eq!(
        names(&mut again),
        ["survey 1", "check 1", "survey 2", "check 2"]
    );
    again.press("delete 2\n");
    again.ended(Outcome::done(GONE));
    again.ended(Outcome::done(GONE));
    assert_eq!(names(&mut again), ["delete 1", "delete 2"]);
    sample.act(Action::Back);
    assert_eq!(
        sample.said(),
        "1 of 3 runs deleted. R_1 not deleted: not empty any more"
    );
}

#[test]
fn one_run_that_is_left_is_not_called_the_others() {
    let mut sample = marked(2);
    sample.surveyed(closed(0, Some(false)));
    sample.surveyed(empty(1));
    sample.checked(true);
    sample.says("Delete 1 of 2 runs?");
    sample.box_says("for the other:");
    sample.box_says("delete the run");
    sample.lacks("then the next");
}

#[test]
fn the_others_go_without_one_that_stays_once_their_number_is_typed() {
    let mut sample = marked(3);
    // Typed ahead: it was about all of them.
    sample.press("delete 3\n");
    sample.surveyed(complete(0));
    sample.surveyed(closed(1, Some(false)));
    sample.surveyed(empty(2));
    sample.checked(true);
    let looked = ["survey 0", "survey 1", "survey 2", "check 2"];
    assert_eq!(names(&mut sample), looked, "and nothing was sent");
    sample.says("Delete 2 of 3 runs?");
    sample.box_says("R_1 Regression payment: R_1 not deleted: it is closed and not empty");
    sample.box_says("Type \"delete 2\" for the others: delete 3");
    sample.box_says("this is not delete 2");
    sample.press("\n");
    assert_eq!(names(&mut sample), NOTHING);
    clear(&mut sample);
    sample.press("delete 2\n");
    assert_eq!(names(&mut sample), ["delete 0"]);
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["delete 2"]);
    sample.ended(Outcome::done(GONE));
    sample.press("\n");
    assert_eq!(
        sample.said(),
        "2 of 3 runs deleted, 1 left out. @ shows them, each can be made anew from its copy"
    );
    assert_eq!(
        (sample.store.layer(), sample.store.runs().list.marks.len()),
        (Layer::Runs, 1)
    );
}

#[test]
fn the_last_one_that_goes_is_named_by_its_id() {
    let mut sample = marked(3);
    for run in 0..2 {
        sample.surveyed(partial(run));
    }
    sample.surveyed(complete(2));
    sample.says("Delete 1 of 3 runs?");
    sample.press("delete 1\n");
    says(sample.said(), "nothing is deleted before R_2 is typed");
    clear(&mut sample);
    sample.press("R_2\n");
    assert_eq!(
        names(&mut sample),
        ["survey 0", "survey 1", "survey 2", "delete 2"]
    );
    let mut gone = sample.clone();
    gone.ended(Outcome::done(GONE));
    gone.press("\n");
    begins(gone.said(), "1 of 3 runs deleted, 2 left out.");
    sample.ended(Outcome::refused("not empty any more"));
    sample.box_says("R_2 Smoke nightly: R_2 not deleted: not empty any more");
    sample.act(Action::Back);
    assert_eq!(
        sample.said(),
        "0 of 3 runs deleted. R_2 not deleted: not empty any more"
    );
}

#[test]
fn where_all_stay_there_is_no_field() {
    let mut sample = marked(2);
    sample.press("delete 2\n");
    sample.surveyed(closed(0, Some(false)));
    sample.surveyed(partial(1));
    assert_eq!(names(&mut sample), ["survey 0", "survey 1"]);
    sample.on(Layer::Delete);
    sample.box_says("s its suites r looks again Esc closes");
}

#[test]
fn one_that_cannot_be_looked_at_keeps_the_others() {
    let mut sample = marked(3);
    sample.surveyed(empty(0));
    sample.check_failed();
    assert_eq!(names(&mut sample), ["survey 0", "check 0"]);
    sample.box_says("R_0 could not be read first: checking that the run is empty: no connection. Nothing was sent",
    );
    sample.press("r");
    sample.survey_failed();
    assert_eq!(names(&mut sample), ["survey 0"]);
    sample.on(Layer::Delete);
    sample.box_says("R_1 Regression payment: not looked at yet");
    // The suites that are opened are those of the one that is in the way.
    let mut sample = marked(2);
    sample.surveyed(complete(0));
    sample.survey_failed();
    sample.press("s");
    assert_eq!(sample.store.attached().unwrap().run.doc_ref, run(1));
    // One that is not found is in nobody's way.
    let mut sample = marked(2);
    let failure =
        trouble("reading the run", "not found (-32004)").with(|it| it.kind = FailureKind::NotFound);
    let id = sample.asked_by_box();
    sample.reply(id, Answer::Surveyed(Err(failure)));
    sample.surveyed(empty(1));
    sample.checked(true);
    sample.says("Delete 1 of 2 runs?");
    sample.box_says("R_0 could not be read first: reading the run: not found (-32004)");
    sample.press("R_1\n");
    assert_eq!(names(&mut sample).pop().as_deref(), Some("delete 1"));
}

#[test]
fn without_a_sign_in_the_box_claims_nothing_and_r_leads_to_it() {
    let mut sample = opened();
    let failure =
        trouble("reading the run", "the session is over").with(|it| it.kind = FailureKind::SignIn);
    let id = sample.asked_by_box();
    sample.reply(id, Answer::Surveyed(Err(failure)));
    sample.session_over();
    sample.press("r");
    sample.on(Layer::Login);
    sample.act(Action::Back);
    sample.box_says("R_2: nothing was sent now: reading the run: the session is over");
    lacks(&sample.in_box(), "not deleted");
    sample.says("Not signed in; r opens the box again");
    sample.on(Layer::Delete);
    sample.press("r");
    sample.on(Layer::Login);
}

#[test]
fn marks_away_from_the_cursor_are_told() {
    let mut sample = listed();
    sample.press(" G");
    sample.press("D");
    sample.box_says("This is about the marked run, not about R_29 under the cursor.");
    assert_eq!(sample.store.delete().unwrap().runs[0].name(), "R_0");
    lacks(&opened().in_box(), "This is about");
    lacks(&marked(2).in_box(), "This is about the marked run,");
}

#[test]
fn there_is_a_limit_and_read_only_is_refused() {
    let mut sample = Sample::new(SIZE);
    sample.connect(|it| it.page_size = 200);
    sample.let_in();
    sample.answer(150);
    sample.open.clear();
    sample.press("AD");
    let limit = "150 runs are marked; at most 100 are deleted at once";
    assert_eq!((sample.sent(), sample.said()), (Vec::new(), limit));
    let mut sample = Sample::read_only_list(SIZE, 30);
    sample.open.clear();
    sample.press("D  D");
    assert_eq!(
        (sample.store.layer(), sample.sent()),
        (Layer::Runs, Vec::new())
    );
    says(sample.said(), "read-only: nothing");
}

#[test]
fn a_long_list_scrolls_behind_the_field() {
    let mut sample = Sample::list((80, 24), 40);
    sample.press(&" ".repeat(30));
    sample.press("D");
    for number in 0..30 {
        sample.surveyed(empty(number));
        sample.checked(true);
    }
    let first = |sample: &Sample| sample.in_box().contains("R_0 Performance");
    assert!(first(&sample), "{}", sample.screen());
    sample.box_says("do not come back. R_0 Performance");
    sample.act(Action::Move(Motion::PageDown));
    assert!(!first(&sample), "{}", sample.screen());
    sample.box_says("Type \"delete 30\":");
    sample.act(Action::Move(Motion::Last));
    sample.box_says("2. delete the run; then the next Type \"delete 30\":");
    sample.act(Action::Move(Motion::Up));
    sample.box_says("↓ 1 more Type \"delete 30\":");
    sample.act(Action::Move(Motion::First));
    assert!(first(&sample), "{}", sample.screen());
}
