//! What a survey asks for, and what it does not.

use crate::support::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Arguments;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rundown::attached::{
    Attached, PriorKnowledge, Scope, State, SurveyLimits, SurveySource, survey,
};
use rundown::domain::{ListPage, Sort};

use super::world::{
    Call, Edit, Fault, Inner, Manners, Run, Suite, Truth, World, run_ref, suite_of,
};

/// A world whose answers take a moment, so that calls at once are seen.
pub struct Slow {
    world: World,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Slow {
    pub fn new(world: World) -> Self {
        Self {
            world,
            running: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
        }
    }

    pub fn most(&self) -> usize {
        self.most.load(Ordering::SeqCst)
    }

    pub fn into_log(self) -> Inner {
        self.world.into_log()
    }

    async fn wait(&self) {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        tokio::task::yield_now().await;
        self.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl SurveySource for Slow {
    async fn run(&self, run: &DocRef) -> Result<RunRow, Failure> {
        self.wait().await;
        self.world.run(run).await
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, Failure> {
        self.wait().await;
        self.world.runs(scope, page).await
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Failure> {
        self.wait().await;
        self.world.available(run, page, sorts).await
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        self.wait().await;
        self.world.check_empty(run).await
    }

    fn now(&self) -> i64 {
        self.world.now()
    }
}

/// Ten suites in one version, and these runs.
pub fn truth(runs: &[&[Suite]]) -> Truth {
    let run = |attached: &&[Suite]| {
        Run::default().with(|it| it.attached = attached.iter().copied().collect())
    };
    Truth {
        suites: (1..=10).map(|suite| (suite, 0)).collect(),
        runs: runs.iter().map(run).collect(),
        clamp: None,
    }
}

fn edits(edits: impl IntoIterator<Item = (usize, Edit)>) -> Manners {
    Manners {
        edits: edits.into_iter().collect::<BTreeMap<_, _>>(),
        ..Manners::default()
    }
}

async fn look(world: World, settings: SurveyLimits) -> (Attached, Vec<Call>, Vec<String>) {
    let progress = Mutex::new(Vec::new());
    let tell = |words: Arguments<'_>| progress.lock().unwrap().push(words.to_string());
    let surveyed = survey(
        &world,
        &run_ref(0),
        &PriorKnowledge::default(),
        settings,
        &tell,
    )
    .await
    .unwrap();
    (
        surveyed,
        world.into_log().calls,
        progress.into_inner().unwrap(),
    )
}

/// A survey that may fail.
async fn try_look(truth: Truth, manners: Manners) -> Result<Attached, Failure> {
    let world = World::new(truth, manners);
    let known = PriorKnowledge::default();
    let all = SurveyLimits::default();
    survey(&world, &run_ref(0), &known, all, &|_| ()).await
}

#[tokio::test]
async fn at_most_two_calls_run_at_once() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[1, 3], &[1, 4], &[1, 5], &[1, 6]];
    let world = World::new(truth(&runs), Manners::default());
    let slow = Slow::new(world);
    let surveyed = survey(
        &slow,
        &run_ref(0),
        &PriorKnowledge::default(),
        SurveyLimits::default(),
        &|_| (),
    )
    .await
    .unwrap();
    assert_eq!(surveyed.words(), "1 of 2 suites known");
    assert_eq!(slow.most(), 2);
}

#[tokio::test]
async fn an_empty_run_is_read_first_and_is_enough() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3, 4, 5], &[3], &[4, 5], &[]];
    let (attached, calls, _) = look(
        World::new(truth(&runs), Manners::default()),
        SurveyLimits::default(),
    )
    .await;
    assert_eq!(attached.state, State::Complete);
    let read: BTreeSet<_> = calls
        .iter()
        .filter(|call| matches!(call, Call::Available(_)))
        .collect();
    assert_eq!(
        read.into_iter().collect::<Vec<_>>(),
        [
            &Call::Available(0),
            &Call::Available(2),
            &Call::Available(4)
        ]
    );
    assert_eq!(
        calls.iter().filter(|call| **call == Call::Check(4)).count(),
        2
    );
}

#[tokio::test]
async fn no_more_runs_are_read_than_allowed() {
    let runs: Vec<&[Suite]> = vec![&[1, 2]; 9];
    let settings = SurveyLimits::default().with(|it| it.most_runs = 4);
    let (attached, calls, progress) =
        look(World::new(truth(&runs), Manners::default()), settings).await;
    assert_eq!(attached.words(), "0 of 2 suites known");
    assert_eq!(
        calls
            .iter()
            .filter(|call| matches!(call, Call::Available(1..)))
            .count(),
        4
    );
    assert!(
        progress.contains(&"R_2: 3 of 5 lists, 8 of 8 suites".to_owned()),
        "{progress:?}"
    );
}

/// A survey by a few calls, and the calls of lists that it made.
async fn look_within(most: usize, world: World) -> (Option<Attached>, usize) {
    let known = PriorKnowledge::default();
    let few = SurveyLimits::default().with(|it| it.most_calls = most);
    let surveyed = survey(&world, &run_ref(0), &known, few, &|_| ()).await;
    let lists = |call: &&Call| matches!(call, Call::Runs | Call::Available(_));
    let attached = match surveyed {
        Err(failure) if failure.kind == FailureKind::NotAsked => None,
        surveyed => Some(surveyed.unwrap()),
    };
    let calls = world.into_log().calls;
    (attached, calls.iter().filter(lists).count())
}

#[tokio::test]
async fn a_few_calls_are_never_more_and_are_often_enough() {
    let mut complete = 0;
    let mut too_few = 0;
    for gone in [false, true] {
        for clamp in [None, Some(7), Some(4), Some(2), Some(1)] {
            for others in 0..12_u32 {
                for empty in [false, true] {
                    let own: Vec<Suite> = vec![1, 2, 3];
                    let other = (0..others).map(|run| vec![1 + run % 10, 1 + (run + 3) % 10]);
                    let mut runs: Vec<Vec<Suite>> = vec![own];
                    runs.extend(other);
                    runs.extend(empty.then(Vec::new));
                    let runs: Vec<&[Suite]> = runs.iter().map(Vec::as_slice).collect();
                    let manners = Manners {
                        gone,
                        clamp,
                        ..Manners::default()
                    };
                    let (attached, calls) =
                        look_within(10, World::new(truth(&runs), manners)).await;
                    let place = format!("{gone} {clamp:?} {others} {empty}");
                    assert!(calls <= 10, "{calls} calls: {place}");
                    let Some(attached) = attached else {
                        too_few += 1;
                        continue;
                    };
                    let sure: BTreeSet<Suite> = attached
                        .sure()
                        .map(|named| suite_of(&named.suite))
                        .collect();
                    assert!(sure.iter().all(|suite| (1..=3).contains(suite)), "{place}");
                    assert!(
                        !matches!(attached.state, State::Changing | State::Conflict),
                        "nobody has changed anything: {place}"
                    );
                    if attached.is_complete() {
                        assert_eq!(sure.len(), 3, "{place}");
                        complete += 1;
                    }
                }
            }
        }
    }
    assert!(complete > 20 && too_few > 20, "{complete} {too_few}");
}

#[tokio::test]
async fn calls_that_are_needed_for_the_end_are_kept_for_it() {
    // One by one these runs tell what is in the first; all of them would take more calls than there are.
    let runs: Vec<Vec<Suite>> = (0..12)
        .map(|run| {
            if run == 0 {
                (1..=9).collect()
            } else {
                (1..=9).filter(|suite| *suite != run).collect()
            }
        })
        .collect();
    let runs: Vec<&[Suite]> = runs.iter().map(Vec::as_slice).collect();
    let (attached, calls) = look_within(10, World::new(truth(&runs), Manners::default())).await;
    let attached = attached.unwrap();
    assert_eq!((attached.state, calls <= 10), (State::Partial, true));
    assert!(attached.sure().count() >= 1, "{}", attached.words());
}

#[tokio::test]
async fn no_further_list_is_read_when_those_before_it_are_large() {
    let runs: Vec<&[Suite]> = vec![&[1, 2]; 9];
    let settings = SurveyLimits::default().with(|it| it.most_bytes = 10);
    let (attached, calls, _) = look(World::new(truth(&runs), Manners::default()), settings).await;
    assert_eq!(attached.words(), "0 of 2 suites known");
    let lists = calls.iter();
    let lists = lists.filter(|call| matches!(call, Call::Available(1..)));
    assert_eq!(lists.count(), 2);
}

/// A world in which one run has a reference that nothing is asked about.
pub struct OddReference(pub World);

impl SurveySource for OddReference {
    async fn run(&self, run: &DocRef) -> Result<RunRow, Failure> {
        self.0.run(run).await
    }

    async fn runs(&self, scope: Option<&Scope>, page: Page) -> Result<RunsPage, Failure> {
        let mut page = self.0.runs(scope, page).await?;
        for row in &mut page.rows {
            if row.doc_ref == run_ref(1) {
                row.doc_ref = DocRef::parse("TestRun-dm/\u{202e}1").unwrap();
            }
        }
        Ok(page)
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Failure> {
        if run.acts().is_some() {
            return Err(Fault::Lost.into());
        }
        self.0.available(run, page, sorts).await
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        self.0.check_empty(run).await
    }

    fn now(&self) -> i64 {
        self.0.now()
    }
}

#[tokio::test]
async fn a_run_that_nothing_is_asked_about_keeps_no_other_from_being_worked_out() {
    let odd = OddReference(World::new(truth(&[&[1, 2], &[], &[]]), Manners::default()));
    let known = PriorKnowledge::default();
    let attached = survey(&odd, &run_ref(0), &known, SurveyLimits::default(), &|_| {})
        .await
        .unwrap();
    assert_eq!(attached.words(), "2 suites");
}

#[tokio::test]
async fn a_change_under_way_is_read_once_more_and_then_said() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3]];
    let one = edits([(3, Edit::Attach(0, 0))]);
    let (attached, _, progress) =
        look(World::new(truth(&runs), one), SurveyLimits::default()).await;
    assert_eq!(attached.words(), "2 of 3 suites known");
    assert_eq!(attached.count, Some(3));
    assert!(progress.contains(&"something changed meanwhile: once more".to_owned()));
    let (attached, ..) = look(
        World::new(truth(&runs), edits((0..40).map(|at| (at, Edit::Create)))),
        SurveyLimits::default(),
    )
    .await;
    assert_eq!(attached.state, State::Changing);
}

#[tokio::test]
async fn closed_meanwhile_is_an_answer_and_a_lost_witness_none() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3], &[4]];
    let (attached, ..) = look(
        World::new(truth(&runs), edits([(2, Edit::Close(0))])),
        SurveyLimits::default(),
    )
    .await;
    assert_eq!(
        (attached.state, attached.empty),
        (State::Closed, Some(false))
    );
    let (attached, ..) = look(
        World::new(truth(&runs), edits([(3, Edit::Close(1))])),
        SurveyLimits::default(),
    )
    .await;
    assert_eq!(attached.words(), "2 suites");
}

#[tokio::test]
async fn another_run_that_changes_after_its_list_was_read_is_left_out() {
    let (truth, quiet) = (truth(&[&[1, 2], &[3], &[4]]), Manners::default());
    let ends = place_of(&truth, &quiet, Call::Runs, 1).await;
    let manners = edits([(ends, Edit::Attach(1, 5))]);
    let attached = try_look(truth, manners).await.unwrap();
    assert_eq!(attached.words(), "2 suites");
}

async fn place_of(truth: &Truth, manners: &Manners, call: Call, which: usize) -> usize {
    let world = World::new(truth.clone(), manners.clone());
    let calls = look(world, SurveyLimits::default()).await.1;
    let mut places = (0..calls.len()).filter(|at| calls[*at] == call);
    places.nth(which).unwrap_or_else(|| panic!("{calls:?}"))
}

#[tokio::test]
async fn closed_before_its_last_list_is_an_answer_too() {
    let (truth, quiet) = (truth(&[&[1, 2], &[3]]), Manners::default());
    let at = place_of(&truth, &quiet, Call::Available(0), 1).await;
    let attached = try_look(truth, edits([(at, Edit::Close(0))]))
        .await
        .unwrap();
    assert_eq!(attached.state, State::Closed);
}

#[tokio::test]
async fn a_list_that_is_refused_although_the_run_is_open_is_a_failure() {
    let mut refusing = truth(&[&[1, 2], &[3]]);
    refusing.runs[0].list_fails = Some(Fault::Refused);
    let failed = try_look(refusing, Manners::default()).await;
    assert_eq!(failed.unwrap_err(), Fault::Refused.into());
    // A broken connection is none that the service means, even if the run has been closed meanwhile.
    let broken = edits([(1, Edit::Close(0)), (2, Edit::Fail(0, Fault::Lost))]);
    let failed = try_look(truth(&[&[1, 2], &[3]]), broken).await;
    assert_eq!(failed.unwrap_err(), Fault::Lost.into());
}

#[tokio::test]
async fn another_run_whose_list_is_refused_is_left_out_and_a_lost_connection_is_a_failure() {
    let mut refusing = truth(&[&[1, 2], &[3], &[4]]);
    refusing.runs[1].list_fails = Some(Fault::Refused);
    let attached = try_look(refusing.clone(), Manners::default())
        .await
        .unwrap();
    assert_eq!(attached.words(), "2 suites");
    refusing.runs[1].list_fails = Some(Fault::Lost);
    let failed = try_look(refusing, Manners::default()).await;
    assert_eq!(failed.unwrap_err(), Fault::Lost.into());
}

#[tokio::test]
async fn a_service_that_does_not_say_whether_a_run_is_empty_leaves_the_rest_as_it_is() {
    let gone = Manners::default().with(|it| it.gone = true);
    let mut closed = truth(&[&[1, 2], &[3]]);
    closed.runs[0].closed = true;
    for (truth, manners, state) in [
        (truth(&[&[], &[3]]), Manners::default(), State::Complete),
        (truth(&[&[1, 2], &[3]]), gone.clone(), State::Unchecked),
        (closed, Manners::default(), State::Closed),
    ] {
        let mut silent = truth.clone();
        // An answer that is none says it as little.
        for fault in [Fault::Refused, Fault::Broken] {
            silent.runs[0].check_fails = Some(fault);
            let attached = try_look(silent.clone(), manners.clone()).await.unwrap();
            assert_eq!((attached.state, attached.empty), (state, None));
        }
        silent.runs[0].check_fails = Some(Fault::Lost);
        let failed = try_look(silent, manners).await;
        assert_eq!(failed.unwrap_err(), Fault::Lost.into());
    }
    // Neither does a run prove anything that may be empty.
    let mut silent = truth(&[&[1, 2], &[]]);
    assert_eq!(
        try_look(silent.clone(), gone.clone()).await.unwrap().state,
        State::CompleteWorkedOut
    );
    silent.runs[1].check_fails = Some(Fault::Refused);
    let attached = try_look(silent, gone).await.unwrap();
    assert_eq!(
        (attached.state, attached.sure().count()),
        (State::Unchecked, 0)
    );
}

#[tokio::test]
async fn without_counts_an_empty_run_proves_nothing_unless_its_list_stays_and_comes_at_once() {
    let truth = truth(&[&[1, 2], &[]]);
    let gone = Manners::default().with(|it| it.gone = true);
    let again = place_of(&truth, &gone, Call::Available(1), 1).await;
    // Suite 1 is deleted as a whole before the last list of the run: free there it never was.
    let deleted = place_of(&truth, &gone, Call::Available(0), 1).await;
    for (at, edit) in [
        (again, Edit::Close(1)),
        (again, Edit::Fail(1, Fault::Refused)),
        (deleted, Edit::Delete(0)),
    ] {
        let manners = edits([(at, edit.clone())]).with(|it| it.gone = true);
        let attached = try_look(truth.clone(), manners).await.unwrap();
        assert_eq!(
            (attached.state, attached.sure().count()),
            (State::Unchecked, 0),
            "{edit:?}"
        );
    }
    let lost = edits([(again, Edit::Fail(1, Fault::Lost))]).with(|it| it.gone = true);
    let failed = try_look(truth.clone(), lost).await;
    assert_eq!(failed.unwrap_err(), Fault::Lost.into());
    let in_pages = SurveyLimits::default().with(|it| it.page_size = 4);
    let (attached, ..) = look(World::new(truth, gone), in_pages).await;
    assert_eq!(
        (attached.state, attached.sure().count()),
        (State::Unchecked, 0)
    );
}

/// Between two pages of a list suites may change places: the list of the empty run before, that of the run, and that of the
/// empty run after.
#[tokio::test]
async fn without_counts_each_of_the_three_lists_must_come_at_once() {
    let truth = truth(&[&[1, 2], &[]]);
    let gone = Manners::default().with(|it| it.gone = true);
    let attached = try_look(truth.clone(), gone.clone()).await.unwrap();
    assert_eq!(attached.sure().count(), 2);
    for (list, which) in [(1, 0), (0, 1), (1, 1)] {
        let at = place_of(&truth, &gone, Call::Available(list), which).await;
        let manners = edits([(at, Edit::Clamp(6)), (at + 2, Edit::Clamp(u32::MAX))])
            .with(|it| it.gone = true);
        let attached = try_look(truth.clone(), manners).await.unwrap();
        assert_eq!(
            (attached.state, attached.sure().count()),
            (State::Unchecked, 0),
            "{list} {which}"
        );
    }
}

/// A suite is made, shown by the empty run, and deleted again: the count would tell, but the second one does not come.
#[tokio::test]
async fn a_run_that_the_list_of_runs_misses_at_the_end_is_as_one_without_counts() {
    let (truth, quiet) = (truth(&[&[1, 2], &[]]), Manners::default());
    let made = place_of(&truth, &quiet, Call::Available(1), 0).await;
    let ends = place_of(&truth, &quiet, Call::Runs, 1).await;
    let manners = edits([
        (made, Edit::Create),
        (ends, Edit::Unlist(0)),
        (ends + 1, Edit::Delete(10)),
    ]);
    let attached = try_look(truth, manners).await.unwrap();
    let sure: Vec<_> = attached
        .sure()
        .map(|named| suite_of(&named.suite))
        .collect();
    assert!(!sure.contains(&11), "{} {sure:?}", attached.words());
}

/// Sixty suites in lists of twelve pages, and the calls for the list of the run and for the other lists.
async fn sixty(manners: Manners) -> (Attached, (usize, usize)) {
    let mut truth = truth(&[&[1, 2], &[1, 3], &[2, 4]]);
    truth.suites = (1..=60).map(|suite| (suite, 0)).collect();
    let settings = SurveyLimits::default().with(|it| it.page_size = 5);
    let (attached, calls, _) = look(World::new(truth, manners), settings).await;
    let lists = |others: bool| {
        let of = |call: &&Call| matches!(call, Call::Available(run) if (*run > 0) == others);
        calls.iter().filter(of).count()
    };
    (attached, (lists(false), lists(true)))
}

#[tokio::test]
async fn each_list_is_read_whole_and_one_page_again_where_something_stood() {
    let (attached, calls) = sixty(Manners::default()).await;
    assert_eq!(attached.words(), "2 suites");
    // One page of each for the moment at which both suites were there.
    assert_eq!(calls, (24, 24 + 2));
    // A service that takes smaller pages only is asked for such pages.
    let small = Manners::default().with(|it| it.refuse_over = Some(2));
    let (attached, _) = sixty(small).await;
    assert_eq!(attached.words(), "2 suites");
    // Without counts only whole lists prove anything.
    let gone = Manners::default().with(|it| it.gone = true);
    assert_eq!(sixty(gone).await.1, (24, 24));
}

/// Each of two lists shows a suite of the run, so both are looked at again.
#[tokio::test]
async fn a_list_that_is_refused_when_it_is_looked_at_again_proves_nothing_and_a_lost_one_fails() {
    let (truth, quiet) = (truth(&[&[1, 2], &[1, 3], &[2, 4]]), Manners::default());
    let again = place_of(&truth, &quiet, Call::Available(1), 1).await;
    let fails = |fault| edits([(again, Edit::Fail(1, fault))]);
    let lost = try_look(truth.clone(), fails(Fault::Lost)).await;
    assert_eq!(lost.unwrap_err(), Fault::Lost.into());
    let refused = try_look(truth, fails(Fault::Refused)).await.unwrap();
    assert_eq!(refused.words(), "1 of 2 suites known");
}

/// The list of the other run shows two suites on two pages; between them one is made, and deleted at once.
#[tokio::test]
async fn a_list_of_another_size_when_it_is_looked_at_again_proves_nothing() {
    let mut truth = truth(&[&[1, 2, 25], &[1]]);
    truth.suites = (1..=60).map(|suite| (suite, 0)).collect();
    let calls = async |edits| {
        let settings = SurveyLimits::default().with(|it| it.page_size = 5);
        look(World::new(truth.clone(), edits), settings).await.1
    };
    let begun = |calls: &[Call]| calls.iter().filter(|call| **call == Call::Document).count();
    let quiet = calls(Manners::default()).await;
    assert_eq!(begun(&quiet), 1);
    let again = quiet
        .iter()
        .rposition(|call| *call == Call::Available(1))
        .unwrap();
    let made = edits([(again, Edit::Create), (again + 1, Edit::Delete(60))]);
    assert_eq!(begun(&calls(made).await), 2);
}
