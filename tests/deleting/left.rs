//! What an answer does after the person has gone on to another screen.

use rundown::attached::Attached;
use rundown::domain::Outcome;
use rundown::store::{Action, Effect, Event, Layer, RequestId, Spot};

use super::SIZE;
use super::deleting::{complete, empty, known, partial};
use super::evidence::{list, other};
use super::sample::{NOW, Sample};
use super::steps::{GONE, choose, confirmed, deleting, listed, names, opened, said};
use super::suites::suite;

/// The seven suites of `R_2` are being removed.
fn removing(sample: &mut Sample) {
    sample.surveyed(complete(2));
    sample.copied(2);
    choose(sample, Spot::Remove);
}

/// The request of this sort that was sent last.
fn last(sample: &Sample, sort: impl Fn(&Effect) -> Option<RequestId>) -> RequestId {
    let found = sample.open.iter().rev().find_map(sort);
    found.unwrap_or_else(|| panic!("not asked for:\n{}", sample.screen()))
}

fn survey(sample: &Sample) -> RequestId {
    last(sample, |effect| match effect {
        Effect::Survey { id, .. } => Some(*id),
        _ => None,
    })
}

/// `s`, and what is in the run is worked out.
fn look_at_suites(sample: &mut Sample, attached: Box<Attached>) {
    sample.press("s");
    let id = survey(sample);
    let result = Ok(attached);
    sample.event(Event::Surveyed { id, result });
}

fn foot(sample: &Sample) -> String {
    let screen = sample.screen();
    let rows: Vec<&str> = screen.lines().collect();
    let from = rows.iter().rposition(|row| row.starts_with('└')).unwrap();
    rows[from + 1..rows.len() - 1].join(" ")
}

#[test]
fn what_came_of_a_removal_is_told_to_who_has_left_and_only_to_them() {
    let half = |verdict: Outcome| (3, verdict);
    for ((done, verdict), words, bad) in [
        (
            (7, confirmed()),
            "7 suites removed from R_2, checked",
            false,
        ),
        (
            half(Outcome::otherwise("the rest not: refused")),
            "3 of 7 suites removed from R_2, but not as asked: the rest not: refused",
            true,
        ),
        (
            (0, Outcome::unknown("no connection")),
            "R_2 may be changed: no connection",
            true,
        ),
    ] {
        let told = format!("{words} (@ shows it)");
        let mut sample = opened();
        removing(&mut sample);
        sample.act(Action::Back);
        sample.removed(done, verdict.clone());
        let sign = if bad { "! " } else { "" };
        assert_eq!(foot(&sample).trim_end(), format!("{sign}{told}"));
        assert_eq!(sample.store.layer(), Layer::Runs);
        // The steps themselves show it in its place.
        let mut sample = opened();
        removing(&mut sample);
        sample.removed(done, verdict);
        assert!(
            !foot(&sample).contains("(@ shows it)"),
            "{}",
            sample.screen()
        );
        assert!(sample.screen().contains(words), "{}", sample.screen());
    }
}

#[test]
fn a_deletion_of_several_that_was_left_tells_of_the_run_under_way() {
    let two = || {
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
        sample
    };
    let mut sample = two();
    sample.act(Action::Back);
    sample.open.clear();
    sample.ended(Outcome::done(GONE));
    assert_eq!(foot(&sample).trim_end(), "R_0 deleted");
    assert_eq!(names(&mut sample), Vec::<String>::new(), "the other stays");
    // On the screen of the steps it stands in its line.
    let mut sample = two();
    sample.ended(Outcome::done(GONE));
    assert_eq!(said(&sample), "");
    assert!(
        sample.screen().contains("R_0 deleted"),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_check_that_fails_leaves_it_said_that_nobody_knows_whether_a_run_is_gone() {
    let mut sample = deleting();
    sample.ended(Outcome::unknown("the connection broke"));
    choose(&mut sample, Spot::Check);
    sample.check_failed();
    let screen = sample.screen();
    assert!(
        screen.contains("R_2 may be deleted: the connection broke"),
        "{screen}"
    );
    assert_eq!(sample.choices(), [Spot::Check, Spot::Stop]);
    choose(&mut sample, Spot::Check);
    sample.checked(true);
    let screen = sample.screen();
    assert!(
        !screen.contains("OUTCOME UNKNOWN"),
        "it is there:\n{screen}"
    );
    assert_eq!(sample.choices(), [Spot::Id, Spot::Stop, Spot::Delete]);
}

#[test]
fn every_later_copy_names_what_was_taken_out_before() {
    let still_five = || {
        known(2, |evidence| {
            (evidence.target.count_before, evidence.target.count_after) =
                (Some((5, NOW)), Some((5, NOW)));
            evidence.target.free_before = Some(list(6..=10));
            evidence.target.free_after = Some(list(6..=10));
            evidence.others = vec![other(4, 0, list(1..=10))];
        })
    };
    let copied = |sample: &mut Sample| {
        let sent = sample.sent();
        let suites = sent.iter().rev().find_map(|effect| match effect {
            Effect::SaveCopy { suites, .. } => Some(suites.clone()),
            _ => None,
        });
        let suites = suites.unwrap_or_else(|| panic!("{sent:?}"));
        suites
            .into_iter()
            .map(|(suite, _)| suite)
            .collect::<Vec<_>>()
    };
    let all: Vec<_> = (1..=7).map(|number| suite(number).doc_ref).collect();
    let mut sample = opened();
    sample.surveyed(partial(2));
    sample.copied(2);
    choose(&mut sample, Spot::Remove);
    sample.removed(2, confirmed());
    sample.checked(false);
    sample.surveyed(still_five());
    assert_eq!(copied(&mut sample), all);
    sample.copied(2);
    assert!(
        sample.screen().contains("7 named suites"),
        "{}",
        sample.screen()
    );
    // Left, and begun once more.
    sample.act(Action::Back);
    sample.press("D");
    sample.surveyed(still_five());
    sample.press("\n");
    assert_eq!(copied(&mut sample), all);
}

#[test]
fn a_survey_that_finds_a_run_empty_has_it_checked_again() {
    let counts_nothing = known(2, |evidence| {
        (evidence.target.count_before, evidence.target.count_after) =
            (Some((0, NOW)), Some((0, NOW)));
        evidence.target.free_before = Some(list(1..=10));
        evidence.target.free_after = Some(list(1..=10));
    });
    // The count is behind.
    let says_empty = known(2, |evidence| evidence.target.empty = Some((true, NOW)));
    assert_eq!(
        (counts_nothing.count, counts_nothing.empty),
        (Some(0), None)
    );
    assert_eq!(
        (says_empty.count, says_empty.empty),
        (Some(7), Some((true, NOW)))
    );
    for attached in [counts_nothing, says_empty] {
        let mut sample = opened();
        sample.surveyed(complete(2));
        sample.copied(2);
        sample.open.clear();
        choose(&mut sample, Spot::Check);
        sample.checked(false);
        sample.surveyed(attached);
        let asked = names(&mut sample);
        assert_eq!(asked.first().map(String::as_str), Some("check 2"));
        assert_eq!(
            asked.last().map(String::as_str),
            Some("check 2"),
            "{asked:?}"
        );
        assert_eq!(asked.len(), 3, "{asked:?}");
    }
}

#[test]
fn after_a_removal_the_screen_of_suites_of_that_run_is_read_anew() {
    let removed_from_2 = |looked_at: u64| {
        let mut sample = listed();
        sample.press(&"j".repeat(looked_at as usize));
        look_at_suites(&mut sample, complete(looked_at));
        sample.act(Action::Back);
        sample.press("kkkjj");
        sample.press("D");
        removing(&mut sample);
        sample.removed(7, confirmed());
        sample.act(Action::Back);
        sample.open.clear();
        sample.press(&"j".repeat(looked_at as usize - 2));
        sample.press("s");
        names(&mut sample)
    };
    assert_eq!(removed_from_2(2), ["survey 2"]);
    assert_eq!(
        removed_from_2(3),
        Vec::<String>::new(),
        "nothing was done to R_3"
    );
}

#[test]
fn the_screen_of_suites_is_not_emptied_under_the_eyes_of_who_looks_at_it() {
    let mut sample = opened();
    removing(&mut sample);
    sample.act(Action::Back);
    look_at_suites(&mut sample, complete(2));
    sample.removed(7, confirmed());
    assert_eq!(sample.store.layer(), Layer::Members);
    assert!(
        sample.screen().contains("Sign-in and sign-up"),
        "{}",
        sample.screen()
    );
}

/// Readings of the list since the last look.
fn lists(sample: &mut Sample) -> usize {
    let open = std::mem::take(&mut sample.open);
    let is_list = |effect: &&Effect| matches!(effect, Effect::ListRuns { .. });
    open.iter().filter(is_list).count()
}

#[test]
fn after_a_removal_the_list_and_a_search_in_it_are_read_again() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("/smoke");
    let pause = last(&sample, |effect| match effect {
        Effect::Timer { id, .. } => Some(*id),
        _ => None,
    });
    sample.open.clear();
    sample.event(Event::Timer(pause));
    sample.answer(4);
    sample.press("\nD");
    sample.surveyed(complete(0));
    sample.copied(0);
    choose(&mut sample, Spot::Remove);
    lists(&mut sample);
    sample.removed(7, confirmed());
    assert_eq!(lists(&mut sample), 1, "the search");
    sample.act(Action::Back);
    sample.act(Action::Back);
    assert_eq!(
        lists(&mut sample),
        1,
        "the list behind it:\n{}",
        sample.screen()
    );
}

#[test]
fn a_deleted_run_takes_its_own_screens_with_it_and_no_others() {
    let screens = [
        ("\n", Layer::Detail),
        ("i", Layer::Json),
        ("a", Layer::Available),
        ("s", Layer::Members),
    ];
    for (key, layer) in screens {
        for (other, stays) in [("", false), ("j", true)] {
            let mut sample = deleting();
            sample.act(Action::Back);
            sample.open.clear();
            sample.press(other);
            sample.press(key);
            assert_eq!(sample.store.layer(), layer);
            let reading = last(&sample, |effect| match effect {
                Effect::GetDocument { id, .. }
                | Effect::ReadAvailable { id, .. }
                | Effect::Survey { id, .. } => Some(*id),
                _ => None,
            });
            sample.open.clear();
            sample.ended(Outcome::done(GONE));
            let given_up = sample.sent().contains(&Effect::Cancel(reading));
            let expected = if stays { layer } else { Layer::Runs };
            assert_eq!(
                (sample.store.layer(), given_up),
                (expected, !stays),
                "{key:?}{other:?}:\n{}",
                sample.screen()
            );
            assert!(
                said(&sample).starts_with("R_2 deleted. \":undo the last\""),
                "{}",
                said(&sample)
            );
        }
    }
}

#[test]
fn a_deleted_run_is_no_last_run_any_more() {
    for (other, stays) in [("", false), ("j", true)] {
        let mut sample = deleting();
        sample.act(Action::Back);
        sample.press(other);
        sample.press("\n");
        sample.act(Action::Back);
        sample.ended(Outcome::done(GONE));
        assert_eq!(sample.store.layer(), Layer::Runs);
        sample.act(Action::LastScreen);
        let expected = if stays { Layer::Detail } else { Layer::Runs };
        assert_eq!(sample.store.layer(), expected, "{other:?}");
    }
}
