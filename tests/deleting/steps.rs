//! The five steps: which request follows which, exactly once, and what stops them.

use rundown::model::{ChangeVerdict, Delete, DeleteEnd, DocRef, SuiteChange};
use rundown::store::{Action, Effect, Event, Failure, Layer, Motion, RequestId, Screen, Session, Spot};

use super::SIZE;
use super::deleting::{closed, complete, empty, known, partial, trouble};
use super::evidence::{list, other};
use super::sample::{self, NOW, Sample, session};
use super::suites::suite;

const GONE: &str = "answered true, and GET_DOCUMENT finds it no more";

/// The list, nothing asked.
pub fn listed() -> Sample {
    let mut sample = Sample::list(SIZE, 30);
    sample.open.clear();
    sample
}

/// `D` on `R_2`.
fn opened() -> Sample {
    let mut sample = listed();
    sample.press("jjD");
    sample
}

fn run(number: u64) -> DocRef {
    sample::row(number).doc_ref
}

fn file(number: u64) -> String {
    format!("/home/qa/.local/state/rundown/trash/R_{number}-20261120T094112.json")
}

pub fn said(sample: &Sample) -> &str {
    sample.store.notice.as_ref().map_or("", |notice| notice.text.as_str())
}

fn spot(sample: &Sample) -> Option<Spot> {
    sample.store.delete.as_ref().unwrap().spot
}

/// Moves the cursor to a spot and presses Enter.
fn choose(sample: &mut Sample, wanted: Spot) {
    for _ in 0..10 {
        if spot(sample) == Some(wanted) {
            return sample.press("\n");
        }
        sample.act(Action::NextField);
    }
    panic!("{wanted:?} cannot be chosen:\n{}", sample.screen());
}

/// What was sent, in short, in order.
fn names(sample: &mut Sample) -> Vec<String> {
    let number = |run: &DocRef| run.as_str()[36..].trim_start_matches(['-', '0']).parse::<u64>().unwrap_or(0);
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

fn confirmed() -> ChangeVerdict {
    ChangeVerdict::Confirmed("all removed: free again".into())
}

/// Empty, copied and checked: only the id is missing.
fn ready() -> Sample {
    let mut sample = opened();
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(true);
    sample.open.clear();
    sample
}

/// `DELETE_TEST_RUN` is under way.
fn deleting() -> Sample {
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
    let sent = sample.sent();
    let [Effect::SaveCopy { run: row, suites, known, .. }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((row.doc_ref.clone(), row.results.is_some()), (run(2), true));
    assert_eq!(
        suites.iter().map(|(suite, _)| suite.clone()).collect::<Vec<_>>(),
        (1..=7).map(|n| suite(n).doc_ref).collect::<Vec<_>>()
    );
    assert_eq!((suites[0].1.as_str(), known.as_str()), ("S_1 Payment: refunds", "COMPLETE 7/7"));
    sample.copied(2);
    assert_eq!(names(&mut sample), Vec::<String>::new(), "nothing is changed before a person says so");
    assert_eq!(spot(&sample), Some(Spot::Leave), "Enter by habit leaves the run as it is");

    choose(&mut sample, Spot::Remove);
    let sent = sample.sent();
    let [Effect::ChangeSuites { change, .. }] = &sent[..] else { panic!("{sent:?}") };
    let SuiteChange { run: of, run_name, run_id, adds, suites, stake, count, undo_of } = (**change).clone();
    assert_eq!((of, run_name.as_str(), run_id.as_deref()), (run(2), "R_2 Smoke nightly", Some("R_2")));
    assert_eq!((adds, suites.len(), stake.is_some(), count, undo_of), (false, 7, true, Some(7), None));
    sample.press("\n\n");
    assert_eq!(names(&mut sample), Vec::<String>::new(), "Enter again sends nothing again");
    sample.removed(7, confirmed());
    assert_eq!(names(&mut sample), ["check 2"]);
    sample.checked(true);
    assert_eq!((names(&mut sample), spot(&sample)), (Vec::new(), Some(Spot::Id)));

    sample.press("R_2\n");
    assert_eq!((names(&mut sample), spot(&sample)), (Vec::new(), Some(Spot::Stop)), "the safe button has the focus");
    choose(&mut sample, Spot::Delete);
    let sent = sample.sent();
    let [Effect::Delete { delete, .. }] = &sent[..] else { panic!("{sent:?}") };
    let expected = Delete { run: run(2), run_name: "R_2 Smoke nightly".into(), copy: Some(file(2)), undo_of: None };
    assert_eq!(**delete, expected);
    sample.press("\n\n");
    assert_eq!(names(&mut sample), Vec::<String>::new());
    let screen = sample.screen();
    assert!(!screen.contains("gone:") && screen.contains("DELETE_TEST_RUN, then reading that it is gone"), "{screen}");

    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert_eq!(sample.store.screen, Screen::Runs);
    assert!(said(&sample).starts_with("R_2 is gone"), "{}", said(&sample));
    assert!(sample.open.iter().any(|effect| matches!(effect, Effect::ListRuns { .. })), "the list is read again");
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
    assert!(sample.screen().contains("sure 2, unnamed 5 (1 candidate)"), "{}", sample.screen());
    choose(&mut sample, Spot::Remove);
    let sent = sample.sent();
    let Some(Effect::ChangeSuites { change, .. }) = sent.last() else { panic!("{sent:?}") };
    let removed: Vec<_> = change.suites.iter().map(|(suite, _)| suite.clone()).collect();
    assert_eq!(removed, [suite(6).doc_ref, suite(7).doc_ref]);
    sample.removed(2, confirmed());
    sample.checked(false);
    assert_eq!(names(&mut sample), ["check 2", "survey 2"]);
    sample.surveyed(known(2, |evidence| {
        (evidence.target.count_before, evidence.target.count_after) = (Some((5, NOW)), Some((5, NOW)));
        evidence.target.free_before = Some(list(6..=10));
        evidence.target.free_after = Some(list(6..=10));
        evidence.others = vec![other(4, 0, list(1..=10))];
    }));
    let sent = sample.sent();
    let [Effect::SaveCopy { suites, known, .. }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((suites.len(), known.as_str()), (7, "COMPLETE 5/5, and 2 removed before the deletion"));
    sample.copied(2);
    assert!(sample.screen().contains("remove the 5 sure ones"), "{}", sample.screen());
    assert_eq!(spot(&sample), Some(Spot::Leave));
}

#[test]
fn after_a_removal_the_check_decides_whatever_the_reading_said() {
    for (done, verdict) in [(7, ChangeVerdict::Unread("x".into())), (0, ChangeVerdict::Differs("y".into()))] {
        let mut sample = opened();
        sample.surveyed(complete(2));
        sample.copied(2);
        choose(&mut sample, Spot::Remove);
        sample.removed(done, verdict);
        assert!(!sample.store.delete.as_ref().unwrap().ready());
        sample.checked(true);
        assert_eq!(names(&mut sample), ["survey 2", "copy 2", "remove 2", "check 2"]);
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
    sample.copied(5);
    assert_eq!(names(&mut sample), ["survey 5", "copy 5"]);
    assert!(sample.screen().contains("closed and not empty: cannot be deleted from here"), "{}", sample.screen());
    let spots = sample.store.delete.as_ref().unwrap().spots();
    assert_eq!(spots, [Spot::Leave, Spot::Check, Spot::Stop], "nothing that changes anything");
    choose(&mut sample, Spot::Check);
    sample.checked(false);
    assert_eq!(names(&mut sample), ["check 5"]);

    let mut sample = closed_run();
    sample.surveyed(closed(5, None));
    sample.copied(5);
    sample.checked(true);
    assert_eq!(
        (names(&mut sample), spot(&sample)),
        (vec!["survey 5".into(), "copy 5".into(), "check 5".into()], Some(Spot::Id))
    );
}

#[test]
fn the_id_arms_and_nothing_else() {
    let mut sample = ready();
    for wrong in ["R_21", "r_2", "yes"] {
        sample.press(wrong);
        sample.press("\n");
        assert!(said(&sample).contains("nothing is deleted before R_2 is typed"), "{}", said(&sample));
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
        (DeleteEnd::Not("the service answered false".into()), "NOT DELETED: the service answered false"),
        (DeleteEnd::Unknown("the connection broke".into()), "SENT, OUTCOME UNKNOWN: the connection broke"),
    ] {
        let mut sample = deleting();
        sample.open.clear();
        sample.ended(end);
        assert_eq!(names(&mut sample), Vec::<String>::new(), "it is not sent again");
        assert!(sample.screen().contains(words), "{}", sample.screen());
        let flow = sample.store.delete.as_ref().unwrap();
        assert_eq!(flow.spots(), [Spot::Check, Spot::Stop]);
        assert!(!flow.armed());
        choose(&mut sample, Spot::Check);
        sample.checked(true);
        assert_eq!((names(&mut sample), spot(&sample)), (vec!["check 2".into()], Some(Spot::Id)));
        assert_eq!(sample.store.delete.as_ref().unwrap().text.text(), "", "the id is to be typed again");
    }
}

#[test]
fn of_several_runs_each_has_its_lines_and_the_number_is_typed() {
    let mut sample = listed();
    sample.press(" j D");
    sample.surveyed(empty(0));
    sample.copied(0);
    sample.checked(true);
    sample.surveyed(complete(2));
    sample.copied(2);
    assert_eq!(names(&mut sample), ["survey 0", "copy 0", "check 0", "survey 2", "copy 2"]);
    choose(&mut sample, Spot::Remove);
    sample.removed(7, confirmed());
    sample.checked(true);
    assert_eq!(names(&mut sample), ["remove 2", "check 2"]);
    sample.press("R_0\n");
    assert!(!sample.store.delete.as_ref().unwrap().armed());
    sample.act(Action::Back);
    sample.store.delete.as_mut().unwrap().text.clear();
    choose(&mut sample, Spot::Id);
    sample.press("2\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert_eq!(names(&mut sample), ["delete 0", "delete 2"]);
    assert_eq!(sample.store.runs.marks.rows().len(), 1, "what is gone has no mark any more");
    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert_eq!((said(&sample).starts_with("2 runs are gone"), sample.store.runs.marks.is_empty()), (true, true));
}

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
    sample.copied(0);
    sample.checked(true);
    let id = sample.asked_by_steps();
    sample.event(Event::Surveyed { id, result: Err(trouble("LIST_TEST_RUNS", "no connection")) });
    assert_eq!(names(&mut sample), ["survey 0", "copy 0", "check 0", "survey 1"]);
    assert_eq!(spot(&sample), Some(Spot::Read));
    choose(&mut sample, Spot::Read);
    sample.surveyed(empty(1));
    assert_eq!(names(&mut sample), ["survey 1", "copy 1"], "what was read before is not read again");

    // While deleting.
    let mut sample = three();
    for number in 0..3 {
        sample.surveyed(empty(number));
        sample.copied(number);
        sample.checked(true);
    }
    sample.open.clear();
    sample.press("3\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(DeleteEnd::Gone(GONE.into()));
    sample.ended(DeleteEnd::Not("not empty any more".into()));
    assert_eq!(names(&mut sample), ["delete 0", "delete 1"]);
    assert_eq!((sample.store.screen, sample.store.runs.marks.len()), (Screen::Delete, 2));
    assert_eq!(sample.store.delete.as_ref().unwrap().word(), "2");
    assert!(sample.screen().contains("1 of 3 are gone"), "{}", sample.screen());
}

#[test]
fn a_copy_that_fails_keeps_everything_else_away() {
    let mut sample = opened();
    sample.surveyed(empty(2));
    let id = sample.asked_by_steps();
    sample.event(Event::CopySaved { id, result: Err(trouble("saving a copy", "no space left on device")) });
    assert_eq!(names(&mut sample), ["survey 2", "copy 2"]);
    let flow = sample.store.delete.as_ref().unwrap();
    assert!(!flow.spots().contains(&Spot::Id) && !flow.spots().contains(&Spot::Remove), "{:?}", flow.spots());
    choose(&mut sample, Spot::Read);
    sample.copied(2);
    assert_eq!(names(&mut sample), ["copy 2", "check 2"]);
}

#[test]
fn read_only_is_refused_before_anything_is_sent() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(Session { read_only: true, ..session() })));
    sample.event(Event::SignedIn { user: "qa".into(), until: None });
    sample.answer(30);
    sample.open.clear();
    sample.press("D  D");
    assert_eq!((sample.store.screen, sample.sent()), (Screen::Runs, Vec::new()));
    assert!(said(&sample).contains("read-only profile"));
}

#[test]
fn esc_stops_and_d_begins_with_reading_again() {
    let mut sample = opened();
    sample.surveyed(complete(2));
    let copying = sample.asked_by_steps();
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!((sample.sent(), sample.store.screen), (vec![Effect::Cancel(copying)], Screen::Runs));
    assert!(said(&sample).contains("nothing was changed"));
    sample.press("D");
    assert_eq!(names(&mut sample), ["survey 2"]);
    // Typing is closed first.
    let mut sample = ready();
    sample.press("R_");
    sample.act(Action::Back);
    assert_eq!((sample.store.layer(), sample.store.delete.as_ref().unwrap().text.text()), (Layer::Delete, "R_"));
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
    assert!(said(&sample).contains("what is done stays done"), "{}", said(&sample));
    sample.open.clear();
    sample.press("D");
    sample.surveyed(empty(2));
    let sent = sample.sent();
    let Some(Effect::SaveCopy { suites, known, .. }) = sent.last() else { panic!("{sent:?}") };
    assert_eq!((suites.len(), known.as_str()), (7, "EMPTY, and 7 removed before the deletion"));
}

#[test]
fn ctrl_c_stops_before_the_next_request() {
    // Reading is given up.
    let mut sample = opened();
    let survey = sample.asked_by_steps();
    sample.open.clear();
    sample.act(Action::Cancel);
    assert_eq!(sample.sent(), [Effect::Cancel(survey)]);
    sample.event(Event::Surveyed { id: survey, result: Ok(complete(2)) });
    assert_eq!((sample.sent(), spot(&sample)), (Vec::new(), Some(Spot::Read)), "a late answer changes nothing");
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
    assert_eq!((sample.store.screen, sample.asked_by_steps()), (Screen::Delete, id), "it is still waited for");
    sample.removed(3, ChangeVerdict::Differs("3 of 7 removed".into()));
    assert_eq!((names(&mut sample), spot(&sample)), (vec!["cancel".into()], Some(Spot::Check)));
    // So does the deletion of several.
    let mut sample = listed();
    sample.press("  D");
    for number in 0..2 {
        sample.surveyed(empty(number));
        sample.copied(number);
        sample.checked(true);
    }
    sample.press("2\n");
    choose(&mut sample, Spot::Delete);
    sample.open.clear();
    sample.act(Action::Cancel);
    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert_eq!(names(&mut sample), ["cancel"]);
    assert!(sample.screen().contains("1 of 2 are gone"), "{}", sample.screen());
}

#[test]
fn an_answer_after_esc_is_told_and_nothing_follows_it() {
    let mut sample = deleting();
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!((names(&mut sample), sample.store.screen), (vec!["cancel".into()], Screen::Runs));
    sample.press("a");
    sample.act(Action::Back);
    sample.open.clear();
    sample.ended(DeleteEnd::Unknown("the connection broke".into()));
    assert!(said(&sample).contains("not known whether R_2 is gone"), "{}", said(&sample));
    assert!(sample.store.delete.is_none());
    assert_eq!(sample.sent(), []);

    let mut sample = deleting();
    sample.act(Action::Back);
    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert!(said(&sample).contains("R_2 is gone"), "{}", said(&sample));
    assert_eq!((sample.store.screen, sample.store.delete.is_none()), (Screen::Runs, true));
}

#[test]
fn nothing_else_is_written_meanwhile_and_the_program_does_not_just_end() {
    let mut sample = deleting();
    sample.act(Action::Back);
    sample.open.clear();
    sample.press("q");
    assert_eq!(sample.sent(), []);
    assert!(said(&sample).contains("a change is under way"), "{}", said(&sample));
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
    sample.event(Event::SignedIn { user: "qa".into(), until: None });
    sample.answer(30);
    sample.press("D");
    let survey = sample.asked_by_steps();
    assert_ne!(id, survey, "steps of their own");
    sample.event(Event::Deleted { id, end: DeleteEnd::Gone(GONE.into()) });
    assert_eq!(sample.asked_by_steps(), survey);
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
    assert_eq!(sample.store.screen, Screen::Detail, "back to where it was begun");
    sample.press("D");
    sample.surveyed(empty(2));
    sample.copied(2);
    sample.checked(true);
    sample.press("R_2\n");
    choose(&mut sample, Spot::Delete);
    sample.ended(DeleteEnd::Gone(GONE.into()));
    assert_eq!((sample.store.screen, sample.store.detail.is_none()), (Screen::Runs, true));
}

#[test]
fn naming_the_others_leaves_the_steps_standing() {
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    sample.open.clear();
    choose(&mut sample, Spot::Name);
    assert_eq!((sample.store.screen, sample.sent()), (Screen::Members, Vec::new()), "it is known already");
    sample.press("+TestSuite-dm/777\n");
    let id = sample.store.members.as_ref().unwrap().verdict.asked().unwrap();
    sample.event(Event::Surveyed { id, result: Ok(partial(2)) });
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(sample.store.screen, Screen::Delete);
    let sent = sample.sent();
    let [Effect::Survey { run: of, typed, .. }] = &sent[..] else { panic!("{sent:?}") };
    assert_eq!((of, &typed[..]), (&run(2), &[DocRef::parse("TestSuite-dm/777").unwrap()][..]));
    // A probe has told everything: it is deleted by now, and a survey would know less.
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    choose(&mut sample, Spot::Name);
    sample.press("P");
    sample.act(Action::NextField);
    sample.press("\n");
    let id = sample.store.members.as_ref().unwrap().verdict.asked().unwrap();
    sample.event(Event::Surveyed { id, result: Ok(complete(2)) });
    sample.open.clear();
    sample.act(Action::Back);
    assert_eq!(names(&mut sample), ["copy 2"], "the copy names all of them now");
    sample.copied(2);
    assert!(sample.screen().contains("remove the 7 sure ones"), "{}", sample.screen());
}

#[test]
fn late_and_foreign_answers_change_nothing() {
    let mut sample = ready();
    let before = sample.store.clone();
    let late = |sample: &mut Sample, id: u64| {
        let id = RequestId(id);
        let failure: Failure = trouble("x", "y");
        sample.event(Event::Emptiness { id, result: Ok(false) });
        sample.event(Event::Deleted { id, end: DeleteEnd::Gone(GONE.into()) });
        sample.event(Event::CopySaved { id, result: Err(failure.clone()) });
        sample.event(Event::Surveyed { id, result: Err(failure.clone()) });
        sample.event(Event::UndoPlanned { id, result: Err(failure) });
    };
    for id in 0..40 {
        late(&mut sample, id);
    }
    assert_eq!(sample.store, before);
}

#[test]
fn there_is_a_limit_and_it_is_said() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(Session { page_size: 200, ..session() })));
    sample.event(Event::SignedIn { user: "qa".into(), until: None });
    sample.answer(150);
    sample.open.clear();
    sample.press("AD");
    assert_eq!((sample.sent(), said(&sample)), (Vec::new(), "150 runs are marked; at most 100 are deleted at once"));
}
