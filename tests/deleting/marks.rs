//! Marks in the runs list.

use crate::support::prelude::*;
use rundown::screens::runs::MOST_MARKS;

use super::SIZE;
use super::sample::page;

fn marked(sample: &Sample) -> Vec<&str> {
    sample
        .store
        .runs()
        .list
        .marks
        .rows()
        .iter()
        .map(|run| run.name())
        .collect()
}

/// The lines of the list that show a mark.
fn starred(sample: &Sample) -> usize {
    sample
        .screen()
        .lines()
        .filter(|line| line.starts_with(" *R_") || line.starts_with(">*R_"))
        .count()
}

#[test]
fn space_marks_and_takes_the_mark_away() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("  j ");
    assert_eq!(marked(&sample), ["R_0", "R_1", "R_3"]);
    assert_eq!(starred(&sample), 3);
    sample.says("3 marked");
    sample.press("k ");
    assert_eq!(marked(&sample), ["R_0", "R_1"]);
}

#[test]
fn a_range_marks_all_between_in_either_direction() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjv");
    says(sample.said(), "v again");
    sample.press("kkv");
    assert_eq!(marked(&sample), ["R_2", "R_3", "R_4"]);
    assert_eq!(sample.said(), "3 rows marked");
}

#[test]
fn marks_survive_filter_sort_and_refresh() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press(" j ");
    sample.press("/smo\n");
    assert!(!sample.screen().contains("*R_0"), "R_0 does not match");
    sample.press("\u{1b}O");
    sample.answer(30);
    sample.press("r");
    sample.answer(30);
    assert_eq!(marked(&sample), ["R_0", "R_2"]);
    assert_eq!(starred(&sample), 2);
}

#[test]
fn a_deletion_names_the_marked_runs_that_the_list_does_not_show() {
    let deletes = |keys: &str| {
        let mut sample = Sample::list(SIZE, 30).pressed(" j ");
        sample.press(keys);
        sample.press("D");
        sample
    };
    let words = "Marked, but not shown by the list as it stands: R_0.";
    deletes("/smo\n").box_says(words);
    lacks(&deletes("").in_box(), "not shown");
    // A tab hides them, too.
    let mut sample = Sample::list(SIZE, 30).pressed(" 5");
    sample.answer(0);
    sample.press("D");
    sample.box_says(words);
}

#[test]
fn a_mark_keeps_the_row_and_shows_the_newest_one() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("  r");
    let id = sample.asked();
    let mut changed = page(FIRST, 1);
    changed.rows[0].title = Some("Renamed".into());
    changed.rows[0].suite_count = None;
    changed.rows[0].results = None;
    sample.runs(id, Ok(changed));
    let runs = sample.store.runs().marked();
    let titles: Vec<_> = runs.iter().map(|run| run.title().unwrap()).collect();
    assert_eq!(
        titles,
        ["Renamed", "Regression payment"],
        "the second is not in the list any more"
    );
    assert!(
        runs[0].row().results.is_some(),
        "counts that a later row does not bring stay"
    );
}

#[test]
fn all_in_the_filter_means_those_that_are_here_and_says_so() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("/smoke\u{1b}A");
    assert_eq!(sample.said(), "4 rows marked");
    assert!(
        sample
            .store
            .runs()
            .list
            .marks
            .rows()
            .iter()
            .all(|run| run.row().title.as_deref() == Some("Smoke nightly"))
    );

    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.runs(id, Ok(page(FIRST, 1_000)));
    sample.press("A");
    assert_eq!(sample.said(), "50 rows marked, 950 others are not here");
    sample.press("/smoke\u{1b}A");
    assert_eq!(sample.said(), "6 rows marked, 950 others are not here");
}

#[test]
fn there_is_an_end_to_marking_and_it_is_said() {
    let mut sample = Sample::new(SIZE);
    sample.connect(|it| it.page_size = 1_200);
    sample.let_in();
    sample.answer(1_200);
    sample.press("A");
    assert_eq!(
        sample.said(),
        "the first 1,000 of 1,200 rows marked; no more than 1,000 runs can be marked at once"
    );
    assert_eq!(sample.store.runs().list.marks.len(), MOST_MARKS);
    sample.press("y");
    sample.says("Copy of the 1,000 marked runs");
    sample.press("\u{1b}");
    // What is for one row says which.
    sample.press("jd");
    sample.says("of R_1");
    sample.act(Action::Back);
    sample.press("a");
    sample.says("R_1 › add suites");
    sample.act(Action::Back);
    sample.act(Action::Move(Motion::Last));
    sample.press(" ");
    assert_eq!(
        sample.said(),
        "no more than 1,000 runs can be marked at once"
    );
    assert_eq!(sample.store.runs().list.marks.len(), MOST_MARKS);
}

#[test]
fn a_row_that_is_not_here_cannot_be_marked() {
    let mut sample = Sample::signed_in(SIZE).pressed("j ");
    assert_eq!(sample.said(), "there is no run here yet");
    for key in ["v", "e", "=", "D"] {
        sample.press(key);
        assert_eq!(sample.said(), "there is no run here yet", "{key}");
    }
    assert!(sample.store.runs().list.marks.is_empty());
}

#[test]
fn rows_of_the_tab_before_are_not_marked_on_the_next_one() {
    for key in [Action::Mark, Action::MarkRange, Action::MarkAll] {
        let mut sample = Sample::list(SIZE, 30);
        // The mirror has not answered yet.
        let now = sample.now;
        for action in [Action::NextPart, key.clone()] {
            sample.store.update(Message::Action(action), now);
        }
        let list = &sample.store.runs().list;
        assert!(list.marks.is_empty() && list.marks.anchor.is_none());
        assert_eq!(sample.said(), "this row is not here yet", "{key:?}");
    }
    // Nor those of an open range, by what would use them.
    let mut sample = Sample::list(SIZE, 30).pressed("vjj");
    let now = sample.now;
    for action in [Action::NextPart, Action::Delete] {
        sample.store.update(Message::Action(action), now);
    }
    assert!(sample.store.runs().list.marks.is_empty());
    sample.lacks("Delete");
}
