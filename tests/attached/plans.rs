//! What is so, who acts when, and the surveys of it.

use crate::support::prelude::*;
use std::collections::BTreeMap;

use proptest::prelude::*;
use rundown::attached::{Attached, FormerlyFree, PriorKnowledge, SurveyLimits, survey};
use rundown::domain::KnownChange;

use super::world::{Edit, Inner, Manners, Run, Suite, Truth, World, run_ref, suite_of, suite_ref};

/// The run in question.
pub const TARGET: usize = 0;

#[derive(Clone, Debug)]
pub struct Plan {
    pub truth: Truth,
    pub manners: Manners,
    pub known: PriorKnowledge,
    pub page_size: u32,
}

pub fn suites_of(mask: u16, of: &BTreeMap<Suite, u8>, version: u8) -> BTreeSet<Suite> {
    of.iter()
        .filter(|(suite, its)| **its == version && mask & (1 << (**suite % 16)) != 0)
        .map(|(suite, _)| *suite)
        .collect()
}

prop_compose! {
    fn truth()(
        versions in prop::collection::vec(prop_oneof![5 => Just(0u8), 1 => Just(1u8)], 0..12),
        common in prop_oneof![Just(0u16), any::<u16>()],
        runs in prop::collection::vec(
            (prop_oneof![6 => Just(0u8), 1 => Just(1u8)], any::<u16>(), 0..4u8, prop::bool::weighted(0.1)), 1..6),
    ) -> Truth {
        let suites: BTreeMap<Suite, u8> = (1..).zip(versions).collect();
        let run = |(index, (version, mask, kind, closed)): (usize, (u8, u16, u8, bool))| {
            let version = if index == TARGET { 0 } else { version };
            let mask = match kind { 0 => 0, 1 => mask, _ => mask | common };
            let attached = suites_of(mask, &suites, version);
            Run { version, closed: closed && index != TARGET, attached, ..Run::default() }
        };
        let runs = runs.into_iter().enumerate().map(run).collect();
        Truth {
            suites,
            runs,
            clamp: None,
        }
    }
}

fn edit() -> impl Strategy<Value = Edit> {
    // Mostly the run in question and its neighbour: there it hurts.
    let run = || prop_oneof![2 => Just(TARGET), 2 => 1..3usize, 1 => 0..6usize];
    prop_oneof![
        (run(), 0..12usize).prop_map(|(run, suite)| Edit::Attach(run, suite)),
        (run(), 0..12usize).prop_map(|(run, suite)| Edit::Detach(run, suite)),
        (run(), 0..12usize, 0..12usize).prop_map(|(run, one, two)| Edit::Swap(run, one, two)),
        Just(Edit::Create),
        (0..12usize).prop_map(Edit::Delete),
        (0..12usize).prop_map(Edit::Replace),
        (1..6usize).prop_map(Edit::Close),
    ]
}

/// Two edits of which one hides what the other does to some number.
fn pair() -> impl Strategy<Value = [Edit; 2]> {
    let run = || prop_oneof![2 => Just(TARGET), 1 => 1..3usize];
    let any = || 0..12usize;
    prop_oneof![
        2 => (run(), any(), any()).prop_map(|(run, one, two)| [Edit::Attach(run, one), Edit::Detach(run, two)]),
        1 => (any(), any()).prop_map(|(one, two)| [Edit::Attach(TARGET, one), Edit::Attach(1, two)]),
        1 => (any(), any()).prop_map(|(one, two)| [Edit::Detach(TARGET, one), Edit::Detach(1, two)]),
        1 => any().prop_map(|suite| [Edit::Create, Edit::Delete(suite)]),
        1 => (run(), any()).prop_map(|(run, suite)| [Edit::Create, Edit::Attach(run, suite)]),
        1 => (run(), any(), any()).prop_map(|(run, one, two)| [Edit::Delete(one), Edit::Attach(run, two)]),
        1 => (run(), any(), any()).prop_map(|(run, one, two)| [Edit::Replace(one), Edit::Attach(run, two)]),
    ]
}

/// What happens when, in thousandths of a survey in which nobody acts: see [`placed`].
fn edits(most: usize) -> impl Strategy<Value = BTreeMap<usize, Edit>> {
    let when = || 0..1_400usize;
    let pairs =
        (when(), when(), pair(), any::<bool>()).prop_map(|(one, two, [first, second], turned)| {
            let (one, two) = if turned { (two, one) } else { (one, two) };
            BTreeMap::from([(one, first), (two, second)])
        });
    let more = prop::collection::btree_map(when(), edit(), 0..=most.saturating_sub(2));
    let pairs = (pairs, more)
        .prop_map(move |(pair, more)| pair.into_iter().chain(more).take(most).collect());
    prop_oneof![prop::collection::btree_map(when(), edit(), 0..=most), pairs]
}

prop_compose! {
    pub fn plan(most_edits: usize)(
        truth in truth(),
        edits in edits(most_edits),
        gone in prop::bool::weighted(0.2),
        clamp in prop::option::of(1..4u32),
        refuse_over in prop::option::weighted(0.1, 2..5u32),
        refuse_sort in prop::bool::weighted(0.1),
        page_size in 2..6u32,
        (added, stale, removed, back, typed, seen) in
            (any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>(), any::<u16>()),
        knows in 0..4u8,
    ) -> Plan {
        let attached = &truth.runs[TARGET].attached;
        let among = |mask: u16, inside: bool| -> Vec<Suite> {
            let all = suites_of(mask, &truth.suites, 0);
            all.into_iter().filter(|suite| attached.contains(suite) == inside).collect()
        };
        let changes = |added: bool, suites: Vec<Suite>, at| suites.into_iter().map(move |suite| KnownChange { added, suite: suite_ref(suite), name: suite_ref(suite).to_string(), at, is_contradicted: false });
        let mut known = PriorKnowledge::default();
        if knows & 1 == 1 {
            // Added here and still in, and added here and taken out by somebody else.
            known.changes.extend(changes(true, among(added, true), 500).chain(changes(true, among(stale, false), 400)));
            // Removed here, and removed here but put back by somebody else: long ago, as far as the journal knows.
            known.changes.extend(changes(false, among(removed, false), 450).chain(changes(false, among(back & !added, true), 300)));
        }
        if knows & 2 == 2 {
            known.typed = (1..16).filter(|suite| typed & (1 << suite) != 0).map(suite_ref).collect();
            let seen = (1..16).filter(|suite| seen & (1 << suite) != 0);
            known.seen_free = seen.map(|suite| FormerlyFree { suite: suite_ref(suite), row: None, at: 1 }).collect();
        }
        // A suite added from here is not deleted as a whole: that cannot be told from one that is attached to every run.
        let kept = known.changes.iter().filter(|change| change.added).map(|change| suite_of(&change.suite)).collect();
        let manners = Manners { gone, clamp, refuse_over, refuse_sort, lag: Vec::new(), edits, kept };
        Plan { truth, manners, known, page_size }
    }
}

fn settings(plan: &Plan) -> SurveyLimits {
    SurveyLimits::default().with(|it| it.page_size = plan.page_size)
}

/// A survey of the plan, nothing if it failed with a call.
fn look(world: &World, plan: &Plan) -> Option<Attached> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .unwrap();
    runtime
        .block_on(survey(
            world,
            &run_ref(TARGET),
            &plan.known,
            settings(plan),
            &|_| (),
        ))
        .ok()
}

/// The manners of the plan with its edits at the calls where they fall, given how many there are when nobody acts.
fn placed(plan: &Plan, calls: usize) -> Manners {
    let edits = plan
        .manners
        .edits
        .iter()
        .map(|(at, edit)| (at * calls / 1_000, edit.clone()));
    plan.manners.clone().with(|it| it.edits = edits.collect())
}

/// A survey of the plan, nothing if it failed with a call, and what really happened.
pub fn surveyed(plan: &Plan) -> (Option<Attached>, Inner) {
    let nobody_acts = plan.manners.clone().with(|it| it.edits = BTreeMap::new());
    let quiet = World::new(plan.truth.clone(), nobody_acts);
    look(&quiet, plan);
    let world = World::new(plan.truth.clone(), placed(plan, quiet.calls()));
    (look(&world, plan), world.into_log())
}
