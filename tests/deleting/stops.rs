//! What stops a deletion, what is told to somebody who has gone on, and what a deleted run takes with it.

use crate::support::prelude::*;
use rundown::domain::ReadBack;
use rundown::ops::{Step, StepResult};

use super::by_keys::{GONE, deleting, deleting_several, listed, marked, names, opened, ready, run};
use super::deleting::{complete, empty, known, trouble};
use super::evidence::list;
use super::sample::page;
use Action::{Back, Cancel, Move, NextScreen, Refresh, Show};

/// The seven suites of `R_2` are being taken out.
fn removing() -> Sample {
    let mut sample = opened();
    sample.surveyed(complete(2));
    sample.press("R_2\n");
    sample.copied(2);
    sample
}

/// The removal ended like this, and with it the deletion.
fn removed(sample: &mut Sample, done: usize, outcome: Outcome) {
    sample.removed(done, outcome);
    let is_check = |step: &Step| matches!(step, Step::CheckEmpty(_));
    sample.stepped(is_check, StepResult::Empty(Ok(false)));
    let next = {
        use rundown::ops::{Do, Operation};
        match sample.delete_box().runs[0].deleting.clone().next() {
            Do::End(outcome) => outcome,
            next => panic!("{next:?}"),
        }
    };
    let (id, _) = sample.store.asked_to_delete().unwrap();
    sample.reply(id, Answer::Deleted(next));
}

#[test]
fn esc_before_anything_was_sent_gives_up_the_looking() {
    let mut sample = opened();
    let id = sample.asked_by_box();
    sample.press("R_");
    sample.open.clear();
    sample.act(Back);
    assert_eq!(sample.sent(), [Effect::Cancel(id)]);
    assert_eq!(
        (sample.store.layer(), sample.said()),
        (Layer::Runs, "nothing was sent")
    );
    let result = Ok(complete(2));
    sample.reply(id, Answer::Surveyed(result));
    assert_eq!(
        (sample.sent(), sample.store.delete().is_none()),
        (Vec::new(), true)
    );
    sample.press("D");
    assert_eq!(names(&mut sample), ["survey 2"]);
    assert_eq!(sample.delete_box().text.text(), "");
}

#[test]
fn ctrl_c_gives_up_the_looking_and_r_looks_again() {
    let mut sample = opened();
    sample.press("R_2\n");
    let id = sample.asked_by_box();
    sample.open.clear();
    sample.act(Cancel);
    assert_eq!(sample.sent(), [Effect::Cancel(id)]);
    let result = Ok(empty(2));
    sample.reply(id, Answer::Surveyed(result));
    assert_eq!(sample.sent(), Vec::new(), "a late answer changes nothing");
    sample.box_says("R_2 not deleted: looking at what it holds was stopped");
    sample.press("r");
    sample.surveyed(empty(2));
    sample.checked(true);
    assert_eq!(
        names(&mut sample),
        ["survey 2", "check 2"],
        "the id is typed anew"
    );
}

#[test]
fn esc_after_it_looked_again_does_not_deny_what_was_sent_before() {
    let mut sample = deleting();
    sample.ended(Outcome::unknown("the connection broke"));
    sample.press("r");
    sample.act(Back);
    assert_eq!(sample.said(), "nothing further was sent");
}

#[test]
fn ctrl_c_stops_a_deletion_before_its_next_request_and_the_runs_after_it() {
    let mut sample = deleting_several(2);
    sample.open.clear();
    sample.act(Cancel);
    assert_eq!(names(&mut sample), ["cancel"]);
    says(sample.said(), "what is under way is waited for");
    sample.ended(Outcome::not_sent(Why::Stopped, "not sent, stopped"));
    assert_eq!(names(&mut sample), Vec::<String>::new());
    sample.box_says("R_0 not deleted: not sent, stopped");
    // What was sent all the same is done; the next run is not begun.
    let mut sample = deleting_several(2);
    sample.open.clear();
    sample.act(Cancel);
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), ["cancel"]);
    sample.box_says("Stopped. 1 of 2 runs deleted. The others were not begun. R_0");
    sample.act(Back);
    assert_eq!(
        sample.said(),
        "Stopped. 1 of 2 runs deleted. The others were not begun."
    );
}

#[test]
fn many_runs_say_how_far_they_are_and_in_the_end_what_became_of_them() {
    let mut sample = marked(20);
    sample.surveyed(empty(0));
    sample.checked(true);
    sample.box_says("Looking at what they hold: 2 of 20");
    sample.now += 12_000;
    sample.box_says("Looking at what they hold: 2 of 20 12 s; Ctrl-c gives up");
    says(
        &sample.screen(),
        "Looking at what it holds… 12 s  Ctrl-c gives up",
    );
    for number in 1..20 {
        sample.surveyed(empty(number));
        sample.checked(true);
    }
    sample.press("delete 20");
    sample.act(Move(Motion::Last));
    sample.press("\n");
    sample.ended(Outcome::done(GONE));
    sample.box_says("not about R_20 under the cursor. Deleting R_1: 2 of 20; Ctrl-c stops");
    sample.act(Move(Motion::Last));
    sample.act(Cancel);
    sample.ended(Outcome::not_sent(Why::Stopped, "not sent, stopped"));
    sample.box_says("1 of 20 runs deleted. R_1 not deleted: not sent, stopped R_1 ");
}

#[test]
fn what_ends_after_esc_is_told_wherever_one_is() {
    for (end, words) in [
        (
            Outcome::done(GONE),
            "R_2 deleted. u makes a new run from its copy",
        ),
        (
            Outcome::unknown("the connection broke"),
            "R_2 may be deleted: the connection broke",
        ),
    ] {
        let mut sample = deleting();
        sample.open.clear();
        sample.act(Back);
        assert_eq!(names(&mut sample), ["cancel"]);
        sample.on(Layer::Runs);
        sample.press("j\n");
        sample.on(Layer::Detail);
        sample.ended(end);
        assert_eq!(
            (sample.said(), sample.store.delete().is_none()),
            (words, true)
        );
        sample.on(Layer::Detail);
    }
    let mut sample = deleting_several(2);
    sample.act(Back);
    sample.open.clear();
    sample.ended(Outcome::done(GONE));
    assert_eq!(names(&mut sample), Vec::<String>::new(), "the other stays");
    assert_eq!(
        sample.said(),
        "Stopped. 1 of 2 runs deleted. The others were not begun."
    );
}

#[test]
fn d_opens_the_box_again_while_something_is_under_way() {
    let mut sample = removing();
    let id = sample.asked_by_box();
    sample.act(Back);
    sample.open.clear();
    sample.press("jD");
    assert_eq!(
        (sample.store.layer(), sample.asked_by_box()),
        (Layer::Delete, id)
    );
    assert_eq!(names(&mut sample), Vec::<String>::new());
    sample.box_says("2. take 7 suites out");
}

#[test]
fn what_is_under_way_is_neither_looked_at_anew_nor_left_for_its_suites() {
    for begin in [opened, removing] {
        let mut sample = begin();
        let place =
            |sample: &Sample| (sample.asked_by_box(), sample.store.layer(), sample.in_box());
        let under_way = place(&sample);
        sample.open.clear();
        for key in [Show(Layer::Attached), Refresh] {
            sample.act(key.clone());
            assert_eq!(names(&mut sample), Vec::<String>::new(), "{key:?}");
            assert_eq!(place(&sample), under_way, "{key:?}");
        }
        begins(sample.said(), "under way; ");
    }
}

#[test]
fn nothing_else_is_written_meanwhile_and_the_program_does_not_just_end() {
    let mut sample = deleting();
    sample.act(Back);
    sample.open.clear();
    sample.press("q");
    assert_eq!(sample.sent(), []);
    says(sample.said(), "a change is under way");
    sample.press("u");
    assert_eq!(sample.sent(), []);
    sample.act(Cancel);
    sample.act(Cancel);
    assert!(sample.sent().contains(&Effect::Quit));
}

#[test]
fn the_one_suite_that_went_out_of_a_run_that_may_be_gone_is_told() {
    let mut sample = opened();
    sample.surveyed(known(2, |evidence| {
        let target = &mut evidence.target;
        (target.count_before, target.count_after) = (Some(1), Some(1));
        (target.free_before, target.free_after) = (Some(list(2..=10)), Some(list(2..=10)));
    }));
    sample.press("R_2\n");
    sample.copied(2);
    sample.removed(1, Outcome::done("removed"));
    sample.ended(Outcome::unknown("the connection broke"));
    sample.box_says("R_2 may be deleted, 1 suite removed: the connection broke");
}

#[test]
fn suites_that_went_out_of_a_run_that_stays_are_told_and_named_by_the_next_copy() {
    for (done, again) in [(7, "r"), (7, "\u{1b}D"), (3, "r"), (3, "\u{1b}D")] {
        let mut sample = removing();
        removed(&mut sample, done, Outcome::otherwise("as a reading shows"));
        let words = format!("R_2 not deleted, but {done} suites removed: ");
        sample.box_says(&words);
        sample.press(again);
        let mut now = empty(2);
        now.row = (done == 3).then(|| Box::new(row(2)));
        sample.surveyed(now);
        sample.checked(true);
        sample.box_says(if done == 3 {
            "Recorded in it: Passed 57"
        } else {
            "What is recorded in it is not known here."
        });
        sample.press("R_2\n");
        let copies = |step: &Step| match step {
            Step::SaveCopy(copied) => {
                assert_eq!(copied.suites.len(), done);
                let known = format!("no suites, and {done} removed before the deletion");
                assert_eq!(copied.known, known);
                true
            }
            _ => false,
        };
        sample.stepped(copies, StepResult::Copied(Ok("x".into())));
    }
}

#[test]
fn suites_that_went_out_are_a_change_of_ones_own_and_nothing_else() {
    let mut sample = removing();
    removed(&mut sample, 3, Outcome::otherwise("not all"));
    let mut page = page(FIRST, 30);
    page.rows[2].suite_count = Some(1);
    page.rows[3].suite_count = Some(1);
    sample.now += 1;
    sample.reads_again(page);
    let told = sample.store.feed().entries.iter();
    assert_eq!(
        told.map(|entry| entry.name.as_str()).collect::<Vec<_>>(),
        ["R_3"]
    );
}

#[test]
fn suites_of_which_no_reading_tells_are_out_once_the_service_calls_the_run_empty() {
    let mut sample = removing();
    let unread = Outcome::unknown("no answer").with(|it| it.seen = ReadBack::Unread);
    sample.removed(0, unread);
    let is_check = |step: &Step| matches!(step, Step::CheckEmpty(_));
    sample.stepped(is_check, StepResult::Empty(Ok(true)));
    sample.ended(Outcome::unread("checking: no connection", ""));
    let words = "R_2 not deleted, but 7 suites removed: checking: no connection. The deletion itself was not sent";
    sample.box_says(words);
}

#[test]
fn after_a_removal_its_suites_and_the_lists_are_read_anew() {
    let suites_of = |looked_at: usize| {
        let mut sample = listed();
        sample.press(&"j".repeat(looked_at));
        sample.press("s");
        // After the list, which tells another number of them.
        let mut surveyed = complete(looked_at as u64);
        surveyed.at += 60_000;
        sample.suites_surveyed(surveyed);
        sample.press("\u{1b}kkkjjD");
        sample.surveyed(complete(2));
        sample.press("R_2\n");
        sample.copied(2);
        let lists = |sample: &mut Sample| {
            let open = sample.effects();
            let is_list =
                |effect: &&Effect| matches!(effect, Effect::Request(_, Request::ReadRuns { .. }));
            open.iter().filter(is_list).count()
        };
        lists(&mut sample);
        removed(&mut sample, 3, Outcome::otherwise("3 of 7"));
        assert_eq!(lists(&mut sample), 1);
        sample.act(Back);
        sample.open.clear();
        sample.press(&"j".repeat(looked_at - 2));
        sample.press("s");
        names(&mut sample)
    };
    assert_eq!(suites_of(2), ["survey 2"]);
    assert_eq!(
        suites_of(3),
        Vec::<String>::new(),
        "nothing was done to R_3"
    );
}

#[test]
fn the_screen_of_suites_is_not_emptied_under_the_eyes_of_who_looks_at_it() {
    let mut sample = removing();
    sample.act(Back);
    sample.press("s");
    sample.suites_surveyed(complete(2));
    removed(&mut sample, 3, Outcome::otherwise("3 of 7"));
    sample.on(Layer::Attached);
    sample.says("Sign-in and sign-up");
    // Some of these are out: none is removed before they are worked out anew.
    assert_eq!(names(&mut sample).last().unwrap(), "survey 2");
    sample.press("x");
    sample.says("whether the suites sent before are out of the run is not known; r reads it");
    sample.suites_surveyed(complete(2));
    sample.press("x");
    sample.says("Remove S_1 from R_2?");
}

#[test]
fn the_list_is_read_again_once_all_are_deleted() {
    let mut sample = deleting_several(2);
    let lists = |sample: &mut Sample| {
        let open = sample.effects();
        let is_list =
            |effect: &&Effect| matches!(effect, Effect::Request(_, Request::ReadRuns { .. }));
        open.iter().filter(is_list).count()
    };
    lists(&mut sample);
    sample.ended(Outcome::done(GONE));
    assert_eq!(lists(&mut sample), 0);
    sample.ended(Outcome::done(GONE));
    assert_eq!(lists(&mut sample), 1);
}

/// The request of this sort that was sent last.
fn last(sample: &Sample, sort: impl Fn(&Effect) -> Option<RequestId>) -> RequestId {
    let found = sample.open.iter().rev().find_map(sort);
    found.unwrap_or_else(|| panic!("not asked for:\n{}", sample.screen()))
}

#[test]
fn a_deleted_run_takes_its_own_screens_with_it_and_no_others() {
    let screens = [
        ("\n", Layer::Detail),
        ("i", Layer::Json),
        ("a", Layer::Available),
        ("s", Layer::Attached),
    ];
    for (key, layer) in screens {
        for (other, stays) in [("", false), ("j", true)] {
            let mut sample = deleting();
            sample.act(Back);
            sample.open.clear();
            sample.press(other);
            sample.press(key);
            assert_eq!(sample.store.layer(), layer);
            let reading = last(&sample, |effect| match effect {
                Effect::Request(
                    id,
                    Request::GetDocument { .. }
                    | Request::ReadAvailable { .. }
                    | Request::Survey { .. },
                ) => Some(*id),
                _ => None,
            });
            sample.open.clear();
            sample.ended(Outcome::done(GONE));
            let given_up = sample.sent().contains(&Effect::Cancel(reading));
            let expected = if stays { layer } else { Layer::Runs };
            let now = (sample.store.layer(), given_up);
            assert_eq!(
                now,
                (expected, !stays),
                "{key:?}{other:?}:\n{}",
                sample.screen()
            );
            begins(sample.said(), "R_2 deleted. u makes");
        }
    }
}

#[test]
fn the_detail_of_a_deleted_run_is_closed_and_it_is_no_last_run_any_more() {
    let mut sample = Sample::list((120, 40), 30);
    sample.press("jj\n");
    sample.answer(30);
    sample.press("D");
    assert_eq!(names(&mut sample), ["survey 2"]);
    sample.act(Back);
    assert_eq!(
        sample.store.screen(),
        Layer::Detail,
        "back to where it was begun"
    );
    sample.press("D");
    sample.surveyed(empty(2));
    sample.checked(true);
    sample.press("R_2\n");
    sample.ended(Outcome::done(GONE));
    assert_eq!(
        (sample.store.screen(), sample.store.detail().is_none()),
        (Layer::Runs, true)
    );
    for (other, stays) in [("", false), ("j", true)] {
        let mut sample = deleting();
        sample.act(Back);
        sample.press(other);
        sample.press("\n");
        sample.act(Back);
        sample.ended(Outcome::done(GONE));
        sample.on(Layer::Runs);
        sample.act(NextScreen);
        let expected = if stays { Layer::Detail } else { Layer::Runs };
        assert_eq!(sample.store.layer(), expected, "{other:?}");
    }
}

#[test]
fn who_quits_is_told_of_what_was_sent_and_not_of_what_would_have_followed() {
    let mut sample = deleting_several(2);
    let now = sample.now;
    assert!(
        sample.clone().store.take_last(Vec::new(), now),
        "it was sent"
    );
    // Its end comes after the last frame; the second one is not begun any more.
    let (id, place) = sample.store.asked_to_delete().unwrap();
    let end = sample.delete_box().runs[place]
        .deleting
        .end(Outcome::done(GONE));
    assert!(
        !sample
            .store
            .take_last(vec![Event::Answer(id, Answer::Deleted(end))], now)
    );
}

/// The end of the first of two deletions is here, which was left; nothing follows, and another one may begin.
fn first_ends(sample: &mut Sample, id: RequestId, end: Outcome) {
    sample.on(Layer::Runs);
    sample.press("D");
    begins(sample.said(), "a change is under way");
    sample.open.clear();
    sample.reply(id, Answer::Deleted(end));
    assert_eq!(names(sample), Vec::<String>::new());
    assert!(!sample.store.cx.in_flight.writes());
    sample.press("D");
    let survey = sample.asked_by_box();
    sample.reply(id, Answer::Deleted(Outcome::done(GONE).of(&run(0))));
    assert_eq!(sample.asked_by_box(), survey);
}

#[test]
fn another_profile_ends_it_and_nothing_of_it_goes_there() {
    let mut sample = ready();
    sample.event(Event::Connected(Box::new(session())));
    assert!(sample.store.delete().is_none());
    // Asked for before it was begun.
    let mut sample = deleting_several(2);
    let id = sample.asked_by_box();
    let deleting = sample.delete_box().runs[0].deleting.clone();
    sample.sign_in();
    sample.answer(30);
    first_ends(&mut sample, id, deleting.end(Outcome::done(GONE)));
}

/// What the one before has seen and confirmed is not for the next one.
#[test]
fn another_user_finds_no_box_of_the_one_before() {
    let other = || Event::SignedIn {
        user: "somebody.else".into(),
    };
    for begun in [opened, ready] {
        let mut sample = begun();
        sample.event(other());
        sample.on(Layer::Runs);
    }
    // Its end stands in my changes.
    let mut sample = deleting_several(2);
    let id = sample.asked_by_box();
    let deleting = sample.delete_box().runs[0].deleting.clone();
    sample.open.clear();
    sample.event(other());
    assert_eq!(names(&mut sample), ["cancel"]);
    first_ends(&mut sample, id, deleting.end(Outcome::done(GONE)));
}

#[test]
fn profile_project_and_user_stay_while_something_is_written() {
    for keys in [":profile prod\n", ":project P_12\n", ":sign in\n"] {
        let mut sample = deleting();
        sample.act(Back);
        sample.open.clear();
        sample.press(keys);
        let words = "a change is under way: wait for its answer, or Ctrl-c stops it";
        assert_eq!(sample.said(), words, "{keys}");
        assert_eq!(sample.store.layer(), Layer::Runs, "{keys}");
        let changes =
            |effect: &Effect| matches!(effect, Effect::Connect { .. } | Effect::UseProject { .. });
        assert!(!sample.open.iter().any(changes), "{:?}", sample.open);
        sample.ended(Outcome::done(GONE));
        begins(sample.said(), "R_2 deleted");
        sample.press(keys);
        let signs_in = sample.store.login().is_some();
        assert!(signs_in || sample.open.iter().any(changes), "{keys}");
    }
    // What waits for the sign-in gets it.
    let mut sample = deleting();
    sample.act(Back);
    sample.session_over();
    sample.act(Back);
    sample.press(":profile prod\n");
    begins(
        sample.said(),
        "a change is under way: it waits for the sign-in",
    );
    sample.press(":sign in\n");
    assert!(sample.store.login().is_some(), "{}", sample.screen());
}

#[test]
fn late_and_foreign_answers_change_nothing() {
    let mut sample = ready();
    let before = sample.store.clone();
    let mut other = marked(1);
    let foreign = Box::new(other.delete_box().runs[0].deleting.clone());
    other.open.clear();
    for id in 1_000..1_040 {
        let id = RequestId(id);
        let failure: Failure = trouble("x", "y");
        let deleting = foreign.clone();
        sample.reply(id, Answer::Emptiness(Ok(false)));
        sample.reply(id, Answer::Deleting(deleting));
        sample.reply(id, Answer::Deleted(Outcome::done(GONE)));
        sample.reply(id, Answer::Surveyed(Err(failure.clone())));
        sample.reply(id, Answer::UndoPlanned(Err(failure)));
    }
    assert_eq!(sample.store, before);
}
