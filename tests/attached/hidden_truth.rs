//! Whatever the others do between the calls, nothing wrong is shown as sure.
//!
//! What "right" means while things change: the bracket is the time from the first reading of the counts to the last, of the
//! round that the verdict is from; where answers are old, it begins as much earlier. At one moment of the bracket the suites
//! shown as sure must all be in the run, and the number of suites besides them must be the one that is shown: none for
//! COMPLETE, the unknown number for PARTIAL.
//!
//! At most [`EDITS`] changes fall into one survey. Somebody who makes four, two of which take back the other two at the right
//! moments, cannot be told from somebody who does nothing.

use crate::support::With as _;
use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use rundown::attached::{Attached, PriorKnowledge, State};

use super::plans::{Plan, TARGET, plan, suites_of, surveyed};
use super::world::{Call, Edit, Inner, Manners, Run, Suite, suite_of};

const EDITS: usize = 3;
/// What was so in the run at each moment of the bracket.
fn bracket(log: &Inner, most_lag: usize) -> Vec<BTreeSet<Suite>> {
    let begins =
        |at: &usize| log.calls[*at] == Call::Document && log.calls.get(at + 1) == Some(&Call::Runs);
    let first = (0..log.calls.len())
        .rev()
        .find(begins)
        .map_or(0, |round| round + 1);
    // CHECK_TEST_RUN_EMPTY of the run itself may come after the only count.
    let ends = [Call::Runs, Call::Check(TARGET)];
    let last = log
        .calls
        .iter()
        .rposition(|call| ends.contains(call))
        .unwrap_or(first);
    // Without counts the last list of the run is the moment that the answer is about.
    let list = log
        .calls
        .iter()
        .rposition(|call| *call == Call::Available(TARGET))
        .filter(|_| log.gone);
    let last = list.map_or(last, |list| list.max(last));
    log.history[first.saturating_sub(most_lag)..=last]
        .iter()
        .map(|truth| truth.runs[TARGET].attached.clone())
        .collect()
}

fn sure(attached: &Attached) -> BTreeSet<Suite> {
    attached
        .sure()
        .map(|named| suite_of(&named.suite))
        .collect()
}

/// The property. `Ok` with the state, so that a test can ask for more; a survey that failed shows nothing wrong.
fn check(
    attached: Option<&Attached>,
    log: &Inner,
    most_lag: usize,
) -> Result<Option<State>, TestCaseError> {
    let Some(attached) = attached else {
        return Ok(None);
    };
    let moments = bracket(log, most_lag);
    let sure = sure(attached);
    for suite in &sure {
        let ever = moments.iter().any(|truth| truth.contains(suite));
        prop_assert!(
            ever,
            "S_{suite} is shown as sure and was never in: {} {:?}",
            attached.words(),
            moments
        );
    }
    let besides = match attached.state {
        State::Empty | State::Complete | State::CompleteWorkedOut => Some(0),
        State::Partial => attached.unknown,
        _ => None,
    };
    if let Some(besides) = besides {
        let fits = |truth: &BTreeSet<Suite>| {
            sure.is_subset(truth) && (truth.len() - sure.len()) as u64 == besides
        };
        let shown = attached.words();
        prop_assert!(
            moments.iter().any(fits),
            "{shown}: sure {sure:?}, {besides} besides; the truth was {moments:?}"
        );
    } else {
        prop_assert!(sure.is_empty(), "nothing is sure in {:?}", attached.state);
    }
    for named in attached.named.iter().chain(&attached.candidates) {
        prop_assert!(!named.is_sure || sure.contains(&suite_of(&named.suite)));
    }
    Ok(Some(attached.state))
}

/// No run shows these suites, and the person knows of none of them.
fn hidden_from_the_user(mut plan: Plan, mask: u16) -> Plan {
    plan.manners.gone = false;
    for run in &mut plan.truth.runs {
        run.hidden = suites_of(mask, &plan.truth.suites, run.version);
    }
    plan.known = PriorKnowledge::default();
    plan
}

/// No counts, and one of the runs does not show these suites.
fn without_counts(mut plan: Plan, filtered: usize, mask: u16) -> Plan {
    plan.manners.gone = true;
    let filtered = filtered % plan.truth.runs.len();
    let run = &mut plan.truth.runs[filtered];
    run.hidden = suites_of(mask, &plan.truth.suites, run.version);
    plan
}

/// `PROPTEST_CASES`, 256 by default, makes it more or fewer in proportion.
fn config(times: u32) -> ProptestConfig {
    let cases = ProptestConfig::default().cases * times;
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 20_000,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn nothing_wrong_is_sure_whatever_others_do(plan in plan(EDITS)) {
        let (attached, log) = surveyed(&plan);
        check(attached.as_ref(), &log, 0)?;
    }
}

proptest! {
    #![proptest_config(config(1))]

    #[test]
    fn nothing_wrong_is_sure_when_answers_are_old(mut plan in plan(1), lag in prop::collection::vec(0..4usize, 1..6)) {
        let most = lag.iter().copied().max().unwrap_or(0);
        // One call that is answered from before and one from after count as a change that is taken back: one change at a time,
        // and none that makes two at once.
        plan.manners.edits.retain(|_, edit| !matches!(edit, Edit::Swap(..) | Edit::Replace(_)));
        plan.manners.lag = lag;
        let alone = plan.truth.runs.iter().filter(|run| !run.closed && run.version == 0).count() < 2;
        if alone {
            // Link records have no second run to support them: then one old count is enough to be wrong by one.
            plan.known = PriorKnowledge::default();
        }
        let (attached, log) = surveyed(&plan);
        check(attached.as_ref(), &log, most)?;
    }

    #[test]
    fn when_nobody_acts_the_answer_is_as_good_as_it_can_be(plan in plan(0)) {
        let (attached, log) = surveyed(&plan);
        let state = check(attached.as_ref(), &log, 0)?.unwrap();
        let truth = &plan.truth.runs[TARGET].attached;
        let others = || plan.truth.runs[1..].iter().filter(|run| !run.closed && run.version == 0);
        let empty = others().any(|run| run.attached.is_empty());
        let visible = others().any(|run| truth.iter().all(|suite| !run.attached.contains(suite)));
        prop_assert!(state != State::Changing && state != State::Conflict && state != State::Incomplete, "{state:?}");
        if truth.is_empty() {
            prop_assert_eq!(state, State::Empty);
        } else if empty {
            // Without counts only lists of one call are believed.
            let size = plan.truth.suites.values().filter(|version| **version == 0).count() as u32;
            let limit = plan.page_size.min(plan.manners.clamp.unwrap_or(u32::MAX));
            let at_once = plan.manners.refuse_over.is_none() && size <= limit;
            match (plan.manners.gone, at_once) {
                (false, _) => prop_assert_eq!(state, State::Complete),
                (true, true) => prop_assert_eq!(state, State::CompleteWorkedOut),
                (true, false) => prop_assert!([State::CompleteWorkedOut, State::Unchecked].contains(&state), "{state:?}"),
            }
        } else if plan.manners.gone {
            prop_assert_eq!(state, State::Unchecked);
        } else if visible {
            prop_assert_eq!(state, State::Complete);
        }
    }

    /// The service shows one run less than it could: the sums differ, and that is said.
    #[test]
    fn filters_per_run_are_a_conflict(mut plan in plan(1), filtered in 0..5usize, mask in any::<u16>()) {
        plan.manners.gone = false;
        plan.manners.edits.retain(|_, edit| !matches!(edit, Edit::Swap(..) | Edit::Replace(_)));
        let filtered = filtered % plan.truth.runs.len();
        let mut hidden = suites_of(mask, &plan.truth.suites, plan.truth.runs[filtered].version);
        // What was added from here was on offer.
        hidden.retain(|suite| !plan.manners.kept.contains(suite));
        let hides = hidden.iter().any(|suite| !plan.truth.runs[filtered].attached.contains(suite));
        plan.truth.runs[filtered].hidden = hidden;
        let (attached, log) = surveyed(&plan);
        let state = check(attached.as_ref(), &log, 0)?;
        let others = plan.truth.runs[1..].iter().filter(|run| !run.closed && run.version == 0).count();
        if filtered == TARGET && hides && others > 0 && plan.manners.edits.is_empty() && !plan.truth.runs[TARGET].attached.is_empty() {
            prop_assert_eq!(state, Some(State::Conflict));
        }
    }

    #[test]
    fn suites_hidden_from_the_user_are_unknown_or_a_conflict(plan in plan(1), mask in any::<u16>()) {
        let plan = hidden_from_the_user(plan, mask);
        let (attached, log) = surveyed(&plan);
        check(attached.as_ref(), &log, 0)?;
        for named in attached.iter().flat_map(|attached| &attached.named) {
            prop_assert!(!plan.truth.runs[TARGET].hidden.contains(&suite_of(&named.suite)));
        }
    }

    #[test]
    fn without_counts_only_an_empty_run_makes_sure(plan in plan(0), filtered in 0..5usize, mask in any::<u16>()) {
        let attached = surveyed(&without_counts(plan, filtered, mask)).0.unwrap();
        if !sure(&attached).is_empty() {
            prop_assert_eq!(attached.state, State::CompleteWorkedOut);
        }
    }
}

/// A suite is deleted, another one made, and that one added to the run, at any two moments: no count and no size tells,
/// and a list read page by page may show the first and the last of the three.
#[test]
fn a_suite_in_the_place_of_another_is_noticed_whenever_that_happens() {
    let mut runner = TestRunner::deterministic();
    let mut plan = plan(0).new_tree(&mut runner).unwrap().current();
    let run = |attached: &[Suite]| {
        Run::default().with(|it| it.attached = attached.iter().copied().collect())
    };
    plan.truth.suites = (1..=7).map(|suite| (suite, 0)).collect();
    plan.known = PriorKnowledge::default();
    plan.page_size = 1;
    let (mut sure_ones, mut surveys) = (0, 0);
    for others in [
        &[run(&[])][..],
        &[run(&[]), run(&[1, 3])],
        &[run(&[1, 2, 4]), run(&[3, 4, 7])],
    ] {
        plan.truth.runs = [run(&[1, 2, 3, 4, 7])]
            .into_iter()
            .chain(others.iter().cloned())
            .collect();
        // The more cases there are to be, the closer together.
        let step = (100 * 256 / ProptestConfig::default().cases as usize).clamp(1, 100);
        for (replaced, added) in (0..1_000)
            .step_by(step)
            .flat_map(|at| (at..1_000).step_by(step).map(move |then| (at, then)))
        {
            plan.manners = Manners::default();
            plan.manners.edits = [
                (replaced, Edit::Replace(0)),
                (added + 1, Edit::Attach(TARGET, 2)),
            ]
            .into();
            let (attached, log) = surveyed(&plan);
            surveys += 1;
            if let Err(error) = check(attached.as_ref(), &log, 0) {
                panic!("replaced at {replaced}, added at {added}: {error}");
            }
            sure_ones +=
                usize::from(attached.is_some_and(|attached| attached.sure().next().is_some()));
        }
    }
    assert!(
        sure_ones * 5 > surveys * 4,
        "{sure_ones} of {surveys} surveys named something"
    );
}

/// The plans reach the states, so that the properties above are about them. A conflict needs a service with filters: what
/// a change makes look like one is gone in the second round.
#[test]
fn the_plans_reach_every_state() {
    let mut runner = TestRunner::deterministic();
    let mut reached = BTreeMap::new();
    let states = [
        "Empty ",
        "Complete with",
        "CompleteWorkedOut with",
        "Partial with",
        "Partial ",
        "Unchecked",
        "Changing",
        "Closed",
    ];
    for _ in 0..3_000 {
        let plan = plan(EDITS).new_tree(&mut runner).unwrap().current();
        if let Some(attached) = surveyed(&plan).0 {
            let sure = if attached.sure().next().is_some() {
                "with sure ones"
            } else {
                ""
            };
            *reached
                .entry(format!("{:?} {sure}", attached.state))
                .or_insert(0) += 1;
        }
        let times = |state: &&str| -> u32 {
            let named = reached.iter().filter(|(name, _)| name.starts_with(*state));
            named.map(|(_, times)| times).sum()
        };
        if states.iter().all(|state| times(state) >= 3) {
            return;
        }
    }
    panic!("not every state was reached three times: {reached:?}");
}

/// The same for suites that are hidden: a survey that names nothing would show nothing wrong.
#[test]
fn the_plans_with_hidden_suites_reach_what_they_are_about() {
    let mut runner = TestRunner::deterministic();
    let (mut some_unknown, mut some_named, mut conflicts, mut worked_out) = (0, 0, 0, 0);
    for _ in 0..200 {
        let any = (plan(1), 0..5usize, any::<u16>());
        let (plan, filtered, mask) = any.new_tree(&mut runner).unwrap().current();
        let without = surveyed(&without_counts(plan.clone(), filtered, mask)).0;
        worked_out += u32::from(without.is_some_and(|it| it.sure().next().is_some()));
        if let Some(attached) = surveyed(&hidden_from_the_user(plan, mask)).0 {
            some_unknown += u32::from(attached.unknown > Some(0));
            some_named += u32::from(attached.sure().next().is_some());
            conflicts += u32::from(attached.state == State::Conflict);
        }
    }
    let reached = [some_unknown, some_named, conflicts, worked_out];
    assert!(reached.iter().all(|times| *times >= 10), "{reached:?}");
}
