//! What a survey asks for, and what it does not.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rundown::attached::{Attached, Cache, Known, Progress, Scope, Settings, Source, State, survey};
use rundown::domain::{DocRef, ListPage, Page, Refusal, RunRow, RunsPage, Sort};

use super::world::{Call, Edit, Fault, Manners, Run, Suite, Truth, World, run_ref};

/// A world whose answers take a moment, so that calls at once are seen.
struct Slow {
    world: World,
    running: AtomicUsize,
    most: AtomicUsize,
}

impl Slow {
    async fn wait(&self) {
        let running = self.running.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(running, Ordering::SeqCst);
        tokio::task::yield_now().await;
        self.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Source for Slow {
    type Error = Fault;

    async fn run(&self, run: &DocRef) -> Result<RunRow, Fault> {
        self.wait().await;
        self.world.run(run).await
    }

    async fn runs(&self, scope: &Scope, page: Page) -> Result<RunsPage, Fault> {
        self.wait().await;
        self.world.runs(scope, page).await
    }

    async fn available(&self, run: &DocRef, page: Page, sorts: &[Sort]) -> Result<ListPage, Fault> {
        self.wait().await;
        self.world.available(run, page, sorts).await
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Fault> {
        self.wait().await;
        self.world.check_empty(run).await
    }

    fn refusal(error: &Fault) -> Refusal {
        World::refusal(error)
    }

    fn now(&self) -> i64 {
        self.world.now()
    }
}

/// Ten suites in one version, and these runs.
fn truth(runs: &[&[Suite]]) -> Truth {
    let run = |attached: &&[Suite]| Run {
        attached: attached.iter().copied().collect(),
        ..Run::default()
    };
    Truth {
        suites: (1..=10).map(|suite| (suite, 0)).collect(),
        runs: runs.iter().map(run).collect(),
    }
}

fn edits(edits: impl IntoIterator<Item = (usize, Edit)>) -> Manners {
    Manners {
        edits: edits.into_iter().collect::<BTreeMap<_, _>>(),
        ..Manners::default()
    }
}

async fn look(world: World, settings: Settings) -> (Attached, Vec<Call>, Vec<String>) {
    let progress = Mutex::new(Vec::new());
    let tell = |event: Progress| progress.lock().unwrap().push(event.to_string());
    let nothing = Cache::default();
    let surveyed = survey(
        &world,
        &run_ref(0),
        &Known::default(),
        settings,
        &nothing,
        &tell,
    )
    .await
    .unwrap();
    (
        surveyed.attached,
        world.into_log().calls,
        progress.into_inner().unwrap(),
    )
}

#[tokio::test]
async fn at_most_two_calls_run_at_once() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[1, 3], &[1, 4], &[1, 5], &[1, 6]];
    let world = World::new(truth(&runs), Manners::default());
    let slow = Slow {
        world,
        running: AtomicUsize::new(0),
        most: AtomicUsize::new(0),
    };
    let nothing = Cache::default();
    let surveyed = survey(
        &slow,
        &run_ref(0),
        &Known::default(),
        Settings::default(),
        &nothing,
        &|_| (),
    )
    .await
    .unwrap();
    assert_eq!(surveyed.attached.short(), "PARTIAL 1/2");
    assert_eq!(slow.most.into_inner(), 2);
}

#[tokio::test]
async fn an_empty_run_is_read_first_and_is_enough() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3, 4, 5], &[3], &[4, 5], &[]];
    let (attached, calls, _) = look(
        World::new(truth(&runs), Manners::default()),
        Settings::default(),
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
    assert_eq!(
        attached
            .left_out
            .iter()
            .filter(|out| out.why == "not needed")
            .count(),
        2
    );
}

#[tokio::test]
async fn no_more_runs_are_read_than_allowed() {
    let runs: Vec<&[Suite]> = vec![&[1, 2]; 9];
    let settings = Settings {
        most_runs: 4,
        ..Settings::default()
    };
    let (attached, calls, progress) =
        look(World::new(truth(&runs), Manners::default()), settings).await;
    assert_eq!(attached.short(), "PARTIAL 0/2");
    assert_eq!(
        calls
            .iter()
            .filter(|call| matches!(call, Call::Available(1..)))
            .count(),
        4
    );
    assert_eq!(
        attached
            .left_out
            .iter()
            .filter(|out| out.why == "too many runs")
            .count(),
        4
    );
    assert!(
        progress.contains(&"R_2: 3 of 5 lists, 8 of 8 suites".to_owned()),
        "{progress:?}"
    );
}

#[tokio::test]
async fn a_change_under_way_is_read_once_more_and_then_said() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3]];
    let one = edits([(3, Edit::Attach(0, 0))]);
    let (attached, _, progress) = look(World::new(truth(&runs), one), Settings::default()).await;
    assert_eq!(attached.short(), "PARTIAL 2/3");
    assert_eq!(attached.count, Some(3));
    assert!(progress.contains(&"something changed meanwhile: once more".to_owned()));
    let (attached, ..) = look(
        World::new(truth(&runs), edits((0..40).map(|at| (at, Edit::Create)))),
        Settings::default(),
    )
    .await;
    assert_eq!(attached.state, State::Changing);
}

#[tokio::test]
async fn closed_meanwhile_is_an_answer_and_a_lost_witness_none() {
    let runs: Vec<&[Suite]> = vec![&[1, 2], &[3], &[4]];
    let (attached, ..) = look(
        World::new(truth(&runs), edits([(2, Edit::Close(0))])),
        Settings::default(),
    )
    .await;
    assert_eq!(
        (attached.state, attached.empty.map(|empty| empty.0)),
        (State::Closed, Some(false))
    );
    let (attached, ..) = look(
        World::new(truth(&runs), edits([(3, Edit::Close(1))])),
        Settings::default(),
    )
    .await;
    assert_eq!(attached.short(), "COMPLETE 2/2");
    assert_eq!(attached.left_out.len(), 1);
}

/// Sixty suites in lists of twelve pages. Two surveys, the second with what the first has kept, after these edits: the
/// second, and for each survey the calls for the list of the run and for the other lists.
async fn twice(manners: Manners, between: &[Edit]) -> (Attached, [(usize, usize); 2]) {
    let mut truth = truth(&[&[1, 2], &[1, 3], &[2, 4]]);
    truth.suites = (1..=60).map(|suite| (suite, 0)).collect();
    let world = World::new(truth, manners);
    let (nothing, known) = (Cache::default(), Known::default());
    let settings = Settings {
        page_size: 5,
        ..Settings::default()
    };
    let first = survey(&world, &run_ref(0), &known, settings, &nothing, &|_| ())
        .await
        .unwrap();
    let before = world.calls();
    world.begin(between);
    let second = survey(&world, &run_ref(0), &known, settings, &first.cache, &|_| ())
        .await
        .unwrap();
    let log = world.into_log();
    let lists = |calls: &[Call]| {
        let own = calls
            .iter()
            .filter(|call| **call == Call::Available(0))
            .count();
        (
            own,
            calls
                .iter()
                .filter(|call| matches!(call, Call::Available(1..)))
                .count(),
        )
    };
    (
        second.attached,
        [lists(&log.calls[..before]), lists(&log.calls[before..])],
    )
}

#[tokio::test]
async fn only_the_pages_are_read_again_where_something_stood() {
    let (attached, calls) = twice(Manners::default(), &[]).await;
    assert_eq!(attached.short(), "COMPLETE 2/2");
    // Each list whole, then one page of each for the moment at which both suites were there.
    assert_eq!(calls, [(24, 26), (24, 4)]);
    // What was taken out and what came in is seen: a page that was not looked for is not needed.
    let (attached, calls) = twice(Manners::default(), &[Edit::Detach(0, 0)]).await;
    assert_eq!(
        (attached.short().as_str(), calls[1]),
        ("COMPLETE 1/1", (24, 3))
    );
    let (attached, calls) = twice(Manners::default(), &[Edit::Attach(0, 40)]).await;
    assert_eq!(
        (attached.short().as_str(), calls[1]),
        ("COMPLETE 3/3", (24, 7))
    );
}

#[tokio::test]
async fn what_is_not_where_it_stood_is_read_whole() {
    // Deleted as a whole, and another made: no count and no size has changed.
    let (attached, calls) = twice(Manners::default(), &[Edit::Replace(1)]).await;
    assert_eq!(attached.short(), "COMPLETE 1/1");
    assert!(calls[1].1 > 12, "{calls:?}");
    // A service that takes smaller pages only is asked for such pages.
    let small = Manners {
        refuse_over: Some(2),
        ..Manners::default()
    };
    let (attached, calls) = twice(small, &[]).await;
    assert_eq!(attached.short(), "COMPLETE 2/2");
    assert!(calls[1].1 <= 4, "{calls:?}");
    // Without counts only whole lists prove anything.
    let gone = Manners {
        gone: true,
        ..Manners::default()
    };
    assert_eq!(twice(gone, &[]).await.1[1], (24, 24));
}
