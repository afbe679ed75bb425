//! Taking back writes: what is asked, what is shown, what is sent.

use crate::support::prelude::*;
use rundown::domain::{Create, SuiteChange, Undo, UndoBy, UndoOf};
use rundown::store::Plan;

use super::super::support::ends::changed;
use super::SIZE;
use super::by_keys::listed;
use super::deleting::{empty, trouble};
use super::suites::suite;

fn asked(sample: &mut Sample) -> (RequestId, UndoOf) {
    match &sample.sent()[..] {
        [Effect::Request(id, Request::PlanUndo(of))] => (*id, of.clone()),
        other => panic!("{other:?}"),
    }
}

/// The key for an undo was pressed on the third run.
fn asking() -> (Sample, RequestId) {
    let mut sample = listed();
    sample.press("jju");
    let (id, _) = asked(&mut sample);
    (sample, id)
}

fn removal_back() -> Undo {
    let change = SuiteChange {
        run: row(2).doc_ref,
        run_name: "R_2 Smoke nightly".into(),
        run_id: Some("R_2".into()),
        adds: true,
        suites: vec![(suite(1).doc_ref, "S_1 Payment: refunds".into())],
        stake: None,
        undo_of: None,
        then_deletes: false,
        goes_on: None,
    };
    let warnings = vec!["Results that were recorded in it do not come back.".into()];
    Undo {
        write: "w1".into(),
        what: "1 suite removed from R_2".into(),
        by: UndoBy::Suites(Box::new(change)),
        warnings,
    }
}

fn creation_back(run: u64) -> Undo {
    Undo {
        write: "w2".into(),
        what: "R_2 was made".into(),
        by: UndoBy::Delete(Box::new(row(run))),
        warnings: Vec::new(),
    }
}

fn planned(sample: &mut Sample, id: RequestId, undo: Undo) {
    sample.reply(id, Answer::UndoPlanned(Ok(Box::new(undo))));
}

#[test]
fn u_asks_for_the_last_change_of_all_on_the_list_and_of_the_run_on_a_run() {
    let mut sample = listed();
    sample.press("jj");
    sample.press("u");
    assert_eq!(asked(&mut sample).1, UndoOf::Last);
    let mut sample = listed();
    sample.press("j\n");
    sample.answer(30);
    sample.press("u");
    assert_eq!(asked(&mut sample).1, UndoOf::LastOf(row(1).doc_ref));
}

#[test]
fn nothing_to_undo_is_no_error() {
    let mut sample = listed();
    sample.press("u");
    let (id, _) = asked(&mut sample);
    sample.reply(
        id,
        Answer::UndoPlanned(Err(Failure {
            kind: FailureKind::Nothing,
            cause: "Nothing to undo".into(),
            ..failure()
        })),
    );
    let notice = sample.store.cx.notice.clone().unwrap();
    assert!(
        !notice.bad && notice.text == "Nothing to undo",
        "{notice:?}"
    );
    assert_eq!(sample.store.cx.errors.entries.len(), 0);
}

#[test]
fn the_palette_takes_back_the_last_write_of_all() {
    let mut sample = listed();
    sample.press(":undo my last change\n");
    assert_eq!(asked(&mut sample).1, UndoOf::Last);
}

#[test]
fn suites_come_back_after_a_question_on_whose_verb_the_focus_stands() {
    let (mut sample, id) = asking();
    planned(&mut sample, id, removal_back());
    let screen = sample.screen();
    says(&screen, "This takes back: 1 suite removed from R_2.");
    says(&screen, "do not come back");
    sample.press("\t\n");
    assert_eq!(
        (sample.sent(), sample.store.layer()),
        (Vec::new(), Layer::Runs)
    );
    sample.press("u");
    let (id, _) = asked(&mut sample);
    planned(&mut sample, id, removal_back());
    sample.press("\n");
    let sent = sample.sent();
    let [Effect::Request(_, Request::ChangeSuites(change))] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!((change.adds, change.undo_of.as_deref()), (true, Some("w1")));
    // What was taken back is no change for the next undo.
    let done = changed(vec![suite(1).doc_ref], Vec::new(), Outcome::done("checked"));
    sample.answered(&Slot::ChangeSuites, Answer::Changed(done));
    sample.says("1 suite added to R_2, checked. Taken back. @ then Enter redoes it.");
}

#[test]
fn a_creation_is_taken_back_by_the_box_that_deletes() {
    let (mut sample, id) = asking();
    planned(&mut sample, id, creation_back(2));
    sample.says("This takes back: R_2 was made.");
    sample.surveyed(empty(2));
    sample.checked(true);
    sample.open.clear();
    sample.press("R_2\n");
    let sent = sample.sent();
    let [Effect::Request(_, Request::Delete(deleting))] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(deleting.plan().1.undo_of.as_deref(), Some("w2"));
    // An undo is taken back by its own line: the last change is another one by now.
    sample.ended(Outcome::done("the run is not found any more"));
    let mut closed = sample.clone();
    closed.press("\n");
    closed.says("R_2 deleted. @ then Enter redoes it");
    sample.press("u");
    sample.on(Layer::Journal);
}

#[test]
fn a_run_that_no_list_shows_is_deleted_by_its_id() {
    let mut sample = listed();
    sample.press(":undo my last change\n");
    let (id, _) = asked(&mut sample);
    planned(&mut sample, id, creation_back(77));
    assert_eq!(sample.delete_box().word(), "R_77");
    lacks(&sample.in_box(), "Marked");
}

#[test]
fn in_the_journal_it_is_the_write_under_the_cursor() {
    let mut sample = listed();
    let line = |write: &str, what: &str| journal_line(write, "R_2", what);
    sample.journal(vec![
        line("w3", "ADD_DOCUMENT"),
        line("w1", "DELETE_TEST_SUITES_FROM_RUN"),
    ]);
    sample.open.clear();
    sample.press("/suites\n\n");
    let (id, of) = asked(&mut sample);
    assert_eq!(of, UndoOf::Write("w1".into()));
    planned(&mut sample, id, removal_back());
    assert_eq!(
        (sample.store.layer(), sample.store.journal().is_none()),
        (Layer::Confirm, true)
    );
    // No write under the cursor: nothing is asked.
    let mut sample = listed();
    sample.press("@");
    sample.open.clear();
    sample.press("\n");
    assert_eq!(
        (sample.sent(), sample.said()),
        (Vec::new(), "no change is under the cursor")
    );
}

#[test]
fn a_failure_is_shown_and_nothing_opens() {
    let mut sample = listed();
    sample.press("u");
    let (id, _) = asked(&mut sample);
    let failure = trouble("the undo of R_0", "nothing was written to it from here");
    sample.reply(id, Answer::UndoPlanned(Err(failure)));
    sample.says("nothing was written to it from here");
    assert_eq!(
        (sample.store.layer(), sample.sent()),
        (Layer::Runs, Vec::new())
    );
}

#[test]
fn a_plan_does_not_open_where_the_person_is_not_any_more() {
    let (mut sample, id) = asking();
    sample.press("a");
    planned(&mut sample, id, removal_back());
    assert_eq!(
        (sample.store.confirm().is_none(), sample.store.screen()),
        (true, Layer::Available)
    );
    says(sample.said(), "ask again");
}

#[test]
fn ctrl_c_and_a_second_question_give_up_the_first() {
    let mut sample = listed();
    sample.press("u");
    let (first, _) = asked(&mut sample);
    sample.press("j");
    sample.press("u");
    assert!(
        matches!(&sample.sent()[..], [Effect::Cancel(id), Effect::Request(_, Request::PlanUndo(_))] if *id == first)
    );
    planned(&mut sample, first, removal_back());
    assert!(sample.store.confirm().is_none());
    sample.act(Action::Cancel);
    assert!(matches!(&sample.sent()[..], [Effect::Cancel(_)]));
    // Wherever it was asked.
    sample.press("u");
    let (first, _) = asked(&mut sample);
    sample.press("\nu");
    assert!(sample.open.contains(&Effect::Cancel(first)));
}

#[test]
fn a_read_only_profile_asks_for_nothing_to_take_back() {
    let mut sample = Sample::read_only_list(SIZE, 30);
    sample.open.clear();
    sample.press("u");
    sample.press(":undo my last change\n");
    assert_eq!(sample.sent(), []);
    says(sample.said(), "read-only: nothing");
}

#[test]
fn nothing_left_to_take_back_is_said() {
    let (mut sample, id) = asking();
    let mut undo = removal_back();
    if let UndoBy::Suites(change) = &mut undo.by {
        change.suites.clear();
    }
    planned(&mut sample, id, undo);
    assert!(sample.store.confirm().is_none());
    says(sample.said(), "nothing is left of it to take back");
}

#[test]
fn what_belongs_in_a_form_sends_nothing_by_itself() {
    let (mut sample, id) = asking();
    let create = Create {
        origin: "rebuilt R_2".into(),
        ..Create::default()
    };
    let what = "R_2 was deleted".to_owned();
    planned(
        &mut sample,
        id,
        Undo {
            write: "w9".into(),
            what,
            by: UndoBy::Rebuild(create),
            warnings: Vec::new(),
        },
    );
    let writes = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Create(_) | Request::Modify(_))
        )
    };
    assert!(!sample.open.iter().any(writes), "{:?}", sample.open);
    let confirm = sample.store.confirm();
    assert!(confirm.is_none_or(|confirm| matches!(confirm.asks.plan, Plan::Probe(_))));
}

#[test]
fn a_question_that_comes_by_itself_is_seen_before_a_key_answers_it() {
    let (mut sample, id) = asking();
    let event = Event::Answer(id, Answer::UndoPlanned(Ok(Box::new(removal_back()))));
    // Nothing is drawn between the answer and these keys, which were typed for the list.
    let now = sample.now;
    sample.store.update(Message::Event(event), now);
    for action in [Action::Open, Action::Open] {
        let sent = sample.store.update(Message::Action(action), now);
        assert_eq!(sent, []);
    }
    assert!(sample.store.confirm().is_some());
    sample.act(Action::Redraw);
    sample.press("k\n");
    let sends = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ChangeSuites(_)));
    assert!(sample.open.iter().any(sends), "{:?}", sample.open);
}
