//! One test for every state, its words and what it allows.

use crate::support::prelude::*;
use rundown::attached::{
    Attached, EmptyRun, Evidence, FormerlyFree, How, OtherRun, PriorKnowledge, Scope, State,
    SuiteList, TargetRun, verdict,
};
use rundown::domain::{KnownChange, SuiteRow};

use super::world::{run_ref, suite_ref};

fn list_of(version: &str, suites: impl IntoIterator<Item = u32>) -> Arc<SuiteList> {
    let row = |suite: u32| {
        let general = json!({"Id": format!("S_{suite}"), "Order": suite.to_string(), "ProjectVersionNumber": version});
        let value = json!({"docRef": suite_ref(suite).as_str(), "document": {"Root": {"General": general}}});
        SuiteRow::from_document(&Document::from_value(value).unwrap())
    };
    let entries: Vec<_> = suites.into_iter().map(row).collect();
    Arc::new(SuiteList {
        full_size: entries.len() as u64,
        entries,
        pages: 1,
        unsorted: false,
        operation: None,
    })
}

fn list(suites: impl IntoIterator<Item = u32>) -> Arc<SuiteList> {
    list_of("1.2.1", suites)
}

fn other(run: usize, count: Option<u64>, free: Arc<SuiteList>) -> OtherRun {
    let name = format!("R_{run}");
    OtherRun {
        doc_ref: run_ref(run),
        name,
        count_before: count,
        count_after: count,
        free: Some(free),
        empty: None,
    }
}

/// `R_21` with 1..=7 of 1..=10 attached; `R_22` shows 4 to 7 of them.
fn evidence() -> Evidence {
    let scope = Scope {
        project: Some("P_9".into()),
        subproject: Some("SP_1".into()),
        version: Some("1.2.1".into()),
    };
    let target = TargetRun {
        name: "R_21".into(),
        status: Status::Active,
        scope,
        count_before: Some(7),
        count_after: Some(7),
        free_before: Some(list(8..=10)),
        free_after: Some(list(8..=10)),
        empty: None,
    };
    let others = vec![other(22, Some(3), list(4..=10))];
    Evidence {
        target,
        other_runs: others,
        moved: false,
        known: PriorKnowledge::default(),
        at: 1_000_000,
    }
}

fn clock(at: i64) -> String {
    format!("t{at}")
}

fn sure(attached: &Attached) -> Vec<&str> {
    attached
        .sure()
        .map(|named| {
            named
                .row
                .as_ref()
                .map_or(named.suite.as_str(), SuiteRow::name)
        })
        .collect()
}

#[test]
fn partial_says_how_many_are_missing_and_guesses() {
    let mut evidence = evidence();
    evidence.known.changes = vec![
        KnownChange {
            added: true,
            suite: suite_ref(1),
            name: suite_ref(1).to_string(),
            at: 5,
            is_contradicted: false,
        },
        KnownChange {
            added: true,
            suite: suite_ref(9),
            name: suite_ref(9).to_string(),
            at: 4,
            is_contradicted: false,
        },
    ];
    evidence.known.typed = vec![suite_ref(2), suite_ref(10), suite_ref(5)];
    evidence.known.seen_free = [3, 4, 8]
        .map(|suite| FormerlyFree {
            suite: suite_ref(suite),
            row: None,
            at: 2,
        })
        .to_vec();
    let attached = verdict(&evidence);
    assert_eq!(attached.state, State::Partial);
    assert_eq!(attached.words(), "5 of 7 suites known");
    assert_eq!(
        sure(&attached),
        ["S_4", "S_5", "S_6", "S_7", "TestSuite-dm/1"]
    );
    assert_eq!(
        (attached.unknown, attached.universe, attached.seen),
        (Some(2), Some(10), 7)
    );
    assert_eq!(
        attached.unknown_row().as_deref(),
        Some("2 more suites are attached that no list names")
    );
    assert_eq!(
        attached.unknown_how().as_deref(),
        Some("7 by the service, named 5")
    );
    let hows: Vec<_> = attached
        .named
        .iter()
        .map(|named| (named.how.text(&clock), named.is_sure))
        .collect();
    assert_eq!(hows[0], ("compared with R_22".into(), true));
    assert_eq!(hows[4], ("added here t5".into(), true));
    assert_eq!(hows[5], ("named by hand, not free here".into(), false));
    // One that is typed and free here is not in the run.
    assert!(
        attached
            .named
            .iter()
            .all(|named| named.suite != suite_ref(10))
    );
    let guesses: Vec<_> = attached
        .candidates
        .iter()
        .map(|guess| guess.suite.clone())
        .collect();
    assert_eq!(guesses, [suite_ref(3)]);
    assert!(!attached.may_remove(&attached.candidates[0]));
    let why = attached.why();
    assert_eq!(
        why[0],
        "The other 2 are in every run that was read, so they cannot be told apart."
    );
    assert!(
        why[1].starts_with("What helps: ") && why.len() == 2,
        "{why:?}"
    );
}

#[test]
fn complete_by_other_runs_and_by_an_empty_one() {
    let mut with_other = evidence();
    with_other
        .other_runs
        .push(other(23, Some(7), list([1, 2, 3])));
    let attached = verdict(&with_other);
    assert_eq!(
        (attached.state, attached.words().as_str()),
        (State::Complete, "7 suites")
    );
    assert!(
        attached
            .named
            .iter()
            .all(|named| attached.may_remove(named))
            && attached.unknown_row().is_none()
    );
    assert!(attached.why().is_empty());
    let mut with_empty = evidence();
    with_empty.other_runs = vec![OtherRun {
        empty: Some(EmptyRun {
            before: true,
            after: true,
            probe: false,
        }),
        ..other(12, Some(0), list(1..=10))
    }];
    let attached = verdict(&with_empty);
    assert_eq!(attached.state, State::Complete);
    assert_eq!(
        attached.named[0].how,
        How::EmptyRun {
            run: "R_12".into(),
            probe: false
        }
    );
}

#[test]
fn without_counts_only_an_empty_run_gives_a_number() {
    let mut evidence = evidence();
    (evidence.target.count_before, evidence.target.count_after) = (None, None);
    evidence.other_runs = vec![other(22, None, list(4..=10))];
    let attached = verdict(&evidence);
    assert_eq!(
        (attached.state, attached.words().as_str()),
        (State::Unchecked, "4 suites known, maybe not all")
    );
    assert!(attached.sure().next().is_none() && attached.may_remove(&attached.named[0]));
    assert_eq!(
        attached.why()[0],
        "The service gives no count to compare with."
    );
    let empty = EmptyRun {
        before: true,
        after: true,
        probe: true,
    };
    evidence
        .other_runs
        .push(other(12, None, list(1..=10)).with(|it| it.empty = Some(empty)));
    let attached = verdict(&evidence);
    assert_eq!(attached.words(), "7 suites (count worked out)");
    let [why] = &attached.why()[..] else {
        panic!("{:?}", attached.why());
    };
    assert!(why.starts_with("The service gives no count to compare with: this holds as long as "));
    assert_eq!(
        attached.named[0].how.text(&clock),
        "compared with an empty run, R_12"
    );
    // Filled by a colleague while it was read, or emptied: it proves nothing.
    for (before, after) in [(true, false), (false, true)] {
        evidence.other_runs[1].empty = Some(EmptyRun {
            before,
            after,
            probe: false,
        });
        assert_eq!(verdict(&evidence).state, State::Unchecked);
    }
    // The counts of others are none of this run.
    evidence.other_runs = vec![other(22, Some(3), list(4..=10))];
    let attached = verdict(&evidence);
    assert_eq!((attached.state, attached.count), (State::Unchecked, None));
}

#[test]
fn of_one_suite_that_is_missing_the_reason_is_in_the_singular() {
    let mut evidence = evidence();
    evidence.other_runs = vec![other(22, Some(1), list(2..=10))];
    assert_eq!(
        verdict(&evidence).why()[0],
        "The other one is in every run that was read, so it cannot be told apart."
    );
    let target = &mut evidence.target;
    (target.count_before, target.count_after) = (Some(1), Some(1));
    evidence.other_runs = vec![other(22, None, list(2..=10))];
    assert_eq!(
        verdict(&evidence).why()[0],
        "Nothing that was read says which the other one is."
    );
}

#[test]
fn the_sum_of_the_run_alone_says_nothing_of_all_suites() {
    let mut evidence = evidence();
    let counts = &mut evidence.other_runs[0];
    (counts.count_before, counts.count_after) = (None, None);
    let attached = verdict(&evidence);
    assert_eq!((attached.universe, attached.unknown), (None, Some(7)));
    let shown = attached.named.iter().map(|named| named.is_sure);
    assert_eq!(shown.collect::<Vec<_>>(), [false; 4]);
    assert_eq!(
        attached.why()[0],
        "Nothing that was read says which the other 7 are."
    );
}

#[test]
fn different_sums_are_a_conflict() {
    let mut evidence = evidence();
    evidence
        .other_runs
        .push(other(23, Some(2), list([1, 2, 3])));
    evidence.known.changes = vec![KnownChange {
        added: true,
        suite: suite_ref(1),
        name: suite_ref(1).to_string(),
        at: 5,
        is_contradicted: false,
    }];
    let attached = verdict(&evidence);
    assert_eq!(attached.words(), "the lists contradict each other");
    assert_eq!(
        (sure(&attached).len(), attached.unknown, attached.universe),
        (0, None, None)
    );
    let removable: Vec<_> = attached
        .named
        .iter()
        .filter(|named| attached.may_remove(named))
        .collect();
    assert_eq!(removable.len(), 1);
    assert_eq!(
        attached.why()[0],
        "R_21 has 7 suites and 3 more to add and R_23 has 2 suites and 3 more to add: the sums differ."
    );
}

#[test]
fn more_named_than_counted_or_than_there_can_be_is_a_conflict() {
    // The sums agree, and yet R_23 shows what cannot be.
    let mut evidence = evidence();
    evidence.other_runs.push(other(23, Some(5), list(11..=15)));
    let attached = verdict(&evidence);
    assert_eq!(attached.state, State::Conflict);
    assert!(
        attached.notes[0].contains("name 12 suites, although there can only be 10"),
        "{:?}",
        attached.notes
    );
}

#[test]
fn a_count_and_a_check_that_exclude_each_other_are_a_conflict() {
    // The sums agree each time: nothing else tells.
    for (count, free, empty, words) in [
        (
            7,
            8..=10,
            true,
            "The service calls it empty and counts 7 suites in it.",
        ),
        (
            0,
            1..=10,
            false,
            "The service calls it not empty and counts 0 suites in it.",
        ),
    ] {
        let mut evidence = evidence();
        let target = &mut evidence.target;
        (target.count_before, target.count_after) = (Some(count), Some(count));
        (target.free_before, target.free_after) = (Some(list(free.clone())), Some(list(free)));
        target.empty = Some(empty);
        let attached = verdict(&evidence);
        assert_eq!(
            (attached.state, attached.notes.as_slice()),
            (State::Conflict, &[words.to_owned()][..])
        );
        assert!(sure(&attached).is_empty() && attached.unknown.is_none());
    }
}

/// Without counts: what `R_21` has free, what `R_22` has free, and `R_12`, which is empty and has 1 to 10 free.
fn beside_an_empty_run(here: &[u32], there: &[u32]) -> Attached {
    let mut evidence = evidence();
    let target = &mut evidence.target;
    let free = list(here.iter().copied());
    (target.count_before, target.count_after) = (None, None);
    (target.free_before, target.free_after) = (Some(free.clone()), Some(free));
    let empty = Some(EmptyRun {
        before: true,
        after: true,
        probe: false,
    });
    evidence.other_runs = vec![
        other(22, None, list(there.iter().copied())),
        other(12, None, list(1..=10)).with(|it| it.empty = empty),
    ];
    verdict(&evidence)
}

#[test]
fn what_is_free_on_a_run_and_not_on_an_empty_one_is_a_conflict() {
    let attached = beside_an_empty_run(&[8, 9, 10], &[4, 5, 10]);
    assert_eq!(attached.words(), "7 suites (count worked out)");
    let [why] = &attached.why()[..] else {
        panic!("{:?}", attached.why());
    };
    assert!(why.starts_with("The service gives no count to compare with: this holds as long as "));
    for (here, there) in [([8, 9, 10], [4, 5, 11]), ([8, 9, 11], [4, 5, 10])] {
        let attached = beside_an_empty_run(&here, &there);
        assert_eq!(attached.state, State::Conflict);
        assert!(sure(&attached).is_empty());
        assert_eq!(
            attached.notes,
            ["1 free suites are missing on R_12, although that run is empty."]
        );
    }
}

/// `R_21` went missing in the list of runs, and the empty run shows more suites than the size of its list.
#[test]
fn more_sure_suites_than_there_can_be_are_a_conflict_and_none_is_sure() {
    let mut evidence = evidence();
    let target = &mut evidence.target;
    target.count_after = None;
    let empty = Some(EmptyRun {
        before: true,
        after: true,
        probe: false,
    });
    // The size that the list says is one too small.
    let small = Arc::new((*list(1..=10)).clone().with(|it| it.full_size = 9));
    evidence.other_runs = vec![OtherRun {
        free: Some(small),
        empty,
        ..other(12, Some(0), list([]))
    }];
    let attached = verdict(&evidence);
    assert_eq!(
        (attached.state, attached.notes.as_slice()),
        (
            State::Conflict,
            &["7 suites are named, but the service counts 6.".to_owned()][..]
        )
    );
    assert_eq!((sure(&attached).len(), attached.named.len()), (0, 7));
}

#[test]
fn a_suite_that_an_empty_run_misses_is_counted_once() {
    let attached = beside_an_empty_run(&[8, 9, 11], &[4, 5, 11]);
    assert!(attached.notes[0].starts_with("1 "), "{:?}", attached.notes);
}

#[test]
fn a_bracket_that_does_not_close_says_so() {
    let mut counts = evidence();
    counts.target.count_after = Some(6);
    assert_eq!(verdict(&counts).words(), "changed while it was read");
    let mut lists = evidence();
    lists.target.free_after = Some(list([7, 9, 10]));
    let attached = verdict(&lists);
    assert_eq!(attached.state, State::Changing);
    assert!(attached.sure().next().is_none());
    lists.target.free_after = None;
    lists.known.changes = vec![KnownChange {
        added: true,
        suite: suite_ref(1),
        name: suite_ref(1).to_string(),
        at: 5,
        is_contradicted: false,
    }];
    let attached = verdict(&lists);
    assert_eq!(
        (attached.state, attached.count, attached.unknown),
        (State::Incomplete, Some(7), Some(7))
    );
    let named: Vec<_> = attached
        .named
        .iter()
        .map(|it| (&it.suite, it.is_sure))
        .collect();
    assert_eq!(named, [(&suite_ref(1), false)]);
}

#[test]
fn a_witness_that_changed_or_is_of_another_scope_is_left_out() {
    let mut evidence = evidence();
    evidence.other_runs[0].count_after = Some(4);
    evidence
        .other_runs
        .push(other(30, Some(0), list_of("1.3.0", 1..=10)));
    evidence
        .other_runs
        .push(other(31, Some(0), list([])).with(|it| it.free = None));
    let attached = verdict(&evidence);
    assert_eq!(attached.words(), "0 of 7 suites known");
    assert_eq!(attached.universe, None);
    // Of two scopes a list shows both.
    let two = [list(8..=9), list_of("1.3.0", [10])].map(|list| list.entries.clone());
    let two = Arc::new((*list(8..=10)).clone().with(|it| it.entries = two.concat()));
    evidence.target.free_before = Some(two.clone());
    evidence.target.free_after = Some(two);
    evidence.other_runs = vec![other(22, Some(4), list(4..=9))];
    assert_eq!(verdict(&evidence).universe, None);
    // An empty list says nothing of its scope: all suites may be in that run.
    evidence.other_runs = vec![other(23, Some(10), list([]))];
    assert_eq!(verdict(&evidence).universe, Some(10));
}

#[test]
fn empty_and_closed() {
    let mut empty = evidence();
    (empty.target.count_before, empty.target.count_after) = (Some(0), None);
    empty.target.empty = Some(true);
    let attached = verdict(&empty);
    assert_eq!(attached.words(), "no suites");
    assert_eq!((attached.state, attached.empty), (State::Empty, Some(true)));
    assert_eq!(
        attached.why(),
        ["The service says that the run holds no suites."]
    );
    for (before, after, state) in [
        (3, 3, State::Conflict),
        (3, 0, State::Changing),
        (0, 3, State::Changing),
    ] {
        empty.target.count_before = Some(before);
        empty.target.count_after = Some(after);
        assert_eq!(verdict(&empty).state, state, "{before} {after}");
    }
    let mut closed = evidence();
    closed.target.status = Status::Inactive;
    let attached = verdict(&closed);
    let words = "closed: its suites cannot be listed or changed";
    assert_eq!(attached.words(), words);
    assert!(attached.named.is_empty() && attached.empty.is_none());
    assert!(attached.why().is_empty());
    for (empty, holds) in [(true, "no suites"), (false, "suites")] {
        closed.target.empty = Some(empty);
        let says = format!("The service says that it holds {holds}.");
        assert_eq!(verdict(&closed).why(), [says]);
    }
}

#[test]
fn records_beyond_the_numbers_are_doubted_and_a_fresh_removal_is_believed() {
    let mut evidence = evidence();
    evidence
        .other_runs
        .push(other(23, Some(7), list([1, 2, 3])));
    evidence.known.changes = vec![KnownChange {
        added: true,
        suite: suite_ref(77),
        name: suite_ref(77).to_string(),
        at: 5,
        is_contradicted: false,
    }];
    let attached = verdict(&evidence);
    assert_eq!(attached.words(), "7 suites");
    assert!(
        attached.notes[0].contains("More was added here"),
        "{:?}",
        attached.notes
    );
    evidence.known.changes.push(KnownChange {
        added: false,
        suite: suite_ref(4),
        name: suite_ref(4).to_string(),
        at: evidence.at - 1_000,
        is_contradicted: false,
    });
    let attached = verdict(&evidence);
    assert_eq!(attached.words(), "6 of 7 suites known");
    assert!(!sure(&attached).contains(&"S_4"));
    // A reading right after the answer decides nothing, also of one that was added here before.
    let mut behind = evidence.clone();
    behind.known.changes[1].is_contradicted = true;
    assert_eq!(verdict(&behind).words(), "6 of 7 suites known");
    let added = KnownChange {
        added: true,
        at: 1,
        is_contradicted: false,
        ..behind.known.changes[1].clone()
    };
    behind.known.changes.insert(0, added);
    assert!(!sure(&verdict(&behind)).contains(&"S_4"));
    // Long ago, or of a clock that was set back: somebody put it back.
    for at in [0, evidence.at + 1] {
        evidence.known.changes[1].at = at;
        assert_eq!(verdict(&evidence).words(), "7 suites");
    }
    // Free on the run, but added here a moment ago; then taken out again, or long ago.
    evidence.known.changes = vec![KnownChange {
        added: true,
        suite: suite_ref(8),
        name: "S_8 Login".into(),
        at: evidence.at - 1_000,
        is_contradicted: true,
    }];
    let attached = verdict(&evidence);
    assert_eq!(
        (attached.state, sure(&attached).len()),
        (State::Conflict, 0)
    );
    assert!(
        attached.notes[0].starts_with("S_8 Login was added here a moment ago"),
        "{:?}",
        attached.notes
    );
    // Nor is the run called empty then.
    let mut empty = evidence.clone();
    empty.target.empty = Some(true);
    (empty.target.count_before, empty.target.count_after) = (Some(0), Some(0));
    assert_eq!(verdict(&empty).state, State::Conflict);
    empty.known.changes.clear();
    assert_eq!(verdict(&empty).state, State::Empty);
    let mut removed = evidence.clone();
    removed
        .known
        .changes
        .push(removed.known.changes[0].clone().with(|it| it.added = false));
    assert_eq!(verdict(&removed).words(), "7 suites");
    evidence.known.changes[0].at = 0;
    assert_eq!(verdict(&evidence).words(), "7 suites");
}

#[test]
fn what_was_added_here_is_told_by_its_last_addition_until_it_is_removed_later() {
    let change = |added: bool, at: i64| KnownChange {
        added,
        suite: suite_ref(1),
        name: suite_ref(1).to_string(),
        at,
        is_contradicted: false,
    };
    let last = Some("added here t5");
    for (removed, how) in [
        (None, last),
        (Some(4), last),
        (Some(5), None),
        (Some(6), None),
    ] {
        let mut evidence = evidence();
        evidence.known.changes = [5, 3].map(|at| change(true, at)).into();
        let removed_at = removed.map(|at| change(false, at));
        evidence.known.changes.extend(removed_at);
        let attached = verdict(&evidence);
        let mut named = attached.named.iter();
        let named = named.find(|named| named.suite == suite_ref(1));
        let told = named.map(|named| named.how.text(&clock));
        assert_eq!(told.as_deref(), how, "removed at {removed:?}");
    }
}
