//! The suites in no open run of a release: none is named that was in one of the runs at the time of its list, none is missing
//! that every list had.

use std::collections::BTreeMap;

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::attached::{InNoRun, Scope, SurveySource, in_no_run, runs_of_release};
use rundown::domain::query_language::Range;

use super::calls::{OddReference, Slow, truth};
use super::plans::{Plan, plan, suites_of};
use super::world::{
    Call, Edit, Fault, Inner, Manners, Run, Suite, Truth, World, run_ref, suite_of,
};

/// What is in no run of version 1.0.0, nothing if a call failed.
async fn read(source: &impl SurveySource, page_size: u32) -> Option<InNoRun> {
    read_in(Some("SP_1"), source, page_size).await
}

/// The same of one sub project, or of all.
async fn read_in(
    subproject: Option<&str>,
    source: &impl SurveySource,
    page_size: u32,
) -> Option<InNoRun> {
    let release = Scope::of_release(subproject, "1.0.0");
    let runs = runs_of_release(source, &release, page_size).await.ok()?;
    let found = in_no_run(source, &release, runs, page_size, &|_| ()).await;
    found.ok()
}

fn look(world: World, page_size: u32) -> (Option<InNoRun>, Inner) {
    let runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = { runtime }.build().unwrap();
    (runtime.block_on(read(&world, page_size)), world.into_log())
}

/// The same of a plan, with what others do in the middle of it.
fn looked(plan: &Plan) -> (Option<InNoRun>, Inner) {
    let quiet = plan.manners.clone().with(|it| it.edits = BTreeMap::new());
    let world = World::new(plan.truth.clone(), quiet);
    let calls = look(world, plan.page_size).1.calls.len();
    let edits = plan.manners.edits.iter();
    let manners = Manners {
        edits: edits
            .map(|(at, edit)| (at * calls / 1_000, edit.clone()))
            .collect(),
        ..plan.manners.clone()
    };
    look(World::new(plan.truth.clone(), manners), plan.page_size)
}

fn count(found: &InNoRun) -> Option<i128> {
    found.range(found.suites.len()).exact()
}

fn names(found: &InNoRun) -> BTreeSet<Suite> {
    let suites = found.suites.iter();
    suites.map(|suite| suite_of(&suite.doc_ref)).collect()
}

/// The suites that the service offered for a run at a moment.
fn offered(truth: &Truth, run: usize) -> BTreeSet<Suite> {
    let run = &truth.runs[run];
    let mut offered = suites_of(u16::MAX, &truth.suites, run.version);
    offered.retain(|suite| !run.attached.contains(suite) && !run.hidden.contains(suite));
    offered
}

fn check(found: &InNoRun, log: &Inner) -> Result<(), TestCaseError> {
    let named = names(found);
    let refused: BTreeSet<&str> = found.unread.iter().map(|it| it.run.as_str()).collect();
    let mut had_by_all: Option<BTreeSet<Suite>> = None;
    let mut at_once = true;
    for row in &found.runs {
        let run = (0..log.history[0].runs.len())
            .find(|run| run_ref(*run) == row.doc_ref)
            .unwrap();
        let calls = log.calls.iter().zip(&log.history);
        let lists = calls.filter(|(call, _)| **call == Call::Available(run));
        let lists: Vec<_> = lists.map(|(_, truth)| offered(truth, run)).collect();
        if refused.contains(row.name()) {
            continue;
        }
        prop_assert!(
            !lists.is_empty() || named.is_empty(),
            "not every list was read"
        );
        for suite in &named {
            let was_free = lists.iter().any(|list| list.contains(suite));
            prop_assert!(
                was_free,
                "S_{suite} was in R_{run} whenever its list was read"
            );
        }
        at_once &= lists.len() < 2;
        if let Some(list) = lists.last() {
            let so_far = had_by_all.get_or_insert_with(|| list.clone());
            so_far.retain(|suite| list.contains(suite));
        }
    }
    // A list that is read page by page is of no one moment.
    if at_once {
        prop_assert_eq!(named, had_by_all.unwrap_or_default());
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::default().with(|it| it.failure_persistence = None))]

    #[test]
    fn any_scope_with_a_second_writer(plan in plan(3), pages in any::<bool>()) {
        let mut plan = plan;
        if !pages {
            (plan.page_size, plan.manners.clamp, plan.manners.refuse_over) = (50, None, None);
        }
        let (found, log) = looked(&plan);
        if let Some(found) = found {
            check(&found, &log)?;
        }
    }

    #[test]
    fn where_nobody_writes_the_lists_agree_and_the_number_is_known(plan in plan(0)) {
        let (found, _) = looked(&plan);
        let found = found.unwrap();
        let runs = &plan.truth.runs;
        let open = (0..runs.len()).filter(|run| runs[*run].version == 0 && !runs[*run].closed);
        let free = open.map(|run| offered(&plan.truth, run));
        let free = free.reduce(|one, two| one.intersection(&two).copied().collect());
        prop_assert_eq!(count(&found), free.as_ref().map(|free| free.len() as i128));
        prop_assert_eq!(names(&found), free.unwrap_or_default());
    }
}

#[tokio::test]
async fn one_list_a_run_two_at_once_ended_as_soon_as_nothing_is_left() {
    let runs: [&[Suite]; 5] = [&[1, 2, 3], &[3, 4], &[5], &[6], &[7]];
    let slow = Slow::new(World::new(truth(&runs), Manners::default()));
    let found = read(&slow, 50).await.unwrap();
    assert_eq!(names(&found), BTreeSet::from([8, 9, 10]));
    assert_eq!(slow.most(), 2);
    let mut calls = slow.into_log().calls;
    calls.sort_unstable();
    let lists: Vec<Call> = (0..5).map(Call::Available).collect();
    assert_eq!(calls, [vec![Call::Runs], lists].concat());
    // The fullest first: two of them have all suites, so the other three are not asked.
    let runs: [&[Suite]; 5] = [&[7], &[1, 2, 3, 4, 5], &[5], &[6, 7, 8, 9, 10], &[7]];
    let world = World::new(truth(&runs), Manners::default());
    assert_eq!(count(&read(&world, 50).await.unwrap()), Some(0));
    let log = world.into_log();
    let lists = log.calls.iter().filter(|call| **call != Call::Runs);
    assert!(lists.count() <= 3, "{:?}", log.calls);
}

#[tokio::test]
async fn a_run_that_nothing_is_asked_about_is_named_and_keeps_no_other_from_being_read() {
    let odd = OddReference(World::new(truth(&[&[1], &[2], &[3]]), Manners::default()));
    let doubts: Vec<String> = read(&odd, 50).await.unwrap().doubts(1).collect();
    let why = "nothing is asked about such a reference";
    assert_eq!(
        doubts,
        [format!("there may be fewer: 2 of 3 runs read: R_1: {why}")]
    );
}

#[test]
fn a_run_whose_list_is_refused_is_named_and_the_number_is_not_known() {
    let mut truth = truth(&[&[1], &[2], &[3]]);
    truth.runs[1].list_fails = Some(Fault::Refused);
    let (found, _) = look(World::new(truth.clone(), Manners::default()), 50);
    let found = found.unwrap();
    assert_eq!((names(&found).len(), count(&found)), (8, None));
    assert_eq!(found.range(8).most(), Some(8));
    let doubts: Vec<String> = found.doubts(names(&found).len()).collect();
    assert_eq!(
        doubts,
        ["there may be fewer: 2 of 3 runs read: R_1: its list was refused"]
    );
    // One with another fault is named, too.
    let mut two = truth.clone();
    two.runs[2].list_fails = Some(Fault::Broken);
    let (found, _) = look(World::new(two, Manners::default()), 50);
    let doubts: Vec<String> = found.unwrap().doubts(9).collect();
    let why = "R_2: its list could not be read; R_1: its list was refused";
    assert_eq!(
        doubts,
        [format!("there may be fewer: 1 of 3 runs read: {why}")]
    );
    // None is none, whatever else is in that run.
    let mut none = truth.clone();
    for (run, suites) in none.runs.iter_mut().zip([1..=5, 1..=6, 6..=10]) {
        run.attached = suites.collect();
    }
    let (found, _) = look(World::new(none, Manners::default()), 50);
    let found = found.unwrap();
    assert_eq!((names(&found).len(), count(&found)), (0, Some(0)));
    assert_eq!((found.unread.len(), found.doubts(0).count()), (1, 0));
    // Without any list nothing is known, not that there is none.
    let mut all = truth.clone();
    all.runs
        .iter_mut()
        .for_each(|run| run.list_fails = Some(Fault::Refused));
    let (found, _) = look(World::new(all, Manners::default()), 50);
    assert_eq!(found.unwrap().range(0), Range::UNKNOWN);
    truth.runs[1].list_fails = Some(Fault::Lost);
    assert!(look(World::new(truth, Manners::default()), 50).0.is_none());
}

#[test]
fn lists_that_contradict_each_other_are_told_but_not_because_somebody_wrote_meanwhile() {
    let mut hides = truth(&[&[1, 2], &[3, 4]]);
    hides.runs[1].hidden = BTreeSet::from([9]);
    let (found, _) = look(World::new(hides, Manners::default()), 50);
    let found = found.unwrap();
    // One that is hidden may be in no run as well: it is no upper bound either.
    assert_eq!(found.range(5), Range::UNKNOWN);
    let doubts: Vec<String> = found.doubts(names(&found).len()).collect();
    assert_eq!(
        doubts,
        ["how many is not known: the lists contradict each other"]
    );
    // Before its list is read, a suite is put into the second run: its count was read before.
    let manners = Manners {
        edits: BTreeMap::from([(2, Edit::Attach(1, 0))]),
        ..Manners::default()
    };
    let (found, _) = look(World::new(truth(&[&[1, 2], &[3, 4]]), manners), 50);
    assert_eq!(found.unwrap().doubts(5).next(), None);
}

#[tokio::test]
async fn no_list_is_read_where_the_runs_are_of_several_sub_projects() {
    let run = |version, suite| Run {
        version,
        attached: BTreeSet::from([suite]),
        ..Run::default()
    };
    let truth = Truth {
        suites: BTreeMap::from([(1, 0), (2, 0), (4, 2), (5, 2)]),
        runs: vec![run(0, 1), run(2, 4), run(1, 6)],
        clamp: None,
    };
    let world = World::new(truth, Manners::default());
    let found = read_in(None, &world, 50).await.unwrap();
    assert_eq!((found.range(0), found.subprojects), (Range::UNKNOWN, 2));
    let doubts: Vec<String> = found.doubts(names(&found).len()).collect();
    let words = "how many is not known: the runs are of 2 sub projects, use one of them";
    assert_eq!(doubts, [words]);
    // One of them is used.
    let found = read(&world, 50).await.unwrap();
    assert_eq!(
        (names(&found), count(&found)),
        (BTreeSet::from([2]), Some(1))
    );
    let lists = world.into_log().calls.into_iter();
    let lists: Vec<Call> = lists.filter(|call| *call != Call::Runs).collect();
    assert_eq!(lists, [Call::Available(0)]);
}

#[tokio::test]
async fn no_sub_project_is_one_whichever_way_it_is_written() {
    let world = World::new(truth(&[&[1], &[2], &[3]]), Manners::default());
    let release = Scope::of_release(None, "1.0.0");
    let mut runs = runs_of_release(&world, &release, 50).await.unwrap();
    for (run, none) in runs.iter_mut().zip([Some("_"), Some(""), None]) {
        run.subproject = none.map(str::to_owned);
    }
    let found = in_no_run(&world, &release, runs, 50, &|_| ()).await;
    let found = found.unwrap();
    assert_eq!(names(&found), (4..=10).collect());
    assert_eq!((count(&found), found.doubts(0).count()), (Some(7), 0));
}

#[tokio::test]
async fn progress_counts_the_lists() {
    let world = World::new(truth(&[&[1], &[2], &[3]]), Manners::default());
    let release = Scope::of_release(None, "1.0.0");
    let runs = runs_of_release(&world, &release, 50).await.unwrap();
    let told = std::sync::Mutex::new(Vec::new());
    let progress = |words: std::fmt::Arguments<'_>| told.lock().unwrap().push(words.to_string());
    in_no_run(&world, &release, runs, 50, &progress)
        .await
        .unwrap();
    let told = told.into_inner().unwrap();
    let words = [
        "R_0: 1 of 3 lists",
        "R_1: 2 of 3 lists",
        "R_2: 3 of 3 lists",
    ];
    assert_eq!(told, words);
}
