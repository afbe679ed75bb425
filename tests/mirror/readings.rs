//! How much is read, and who waits for whom.

use crate::support::With as _;
use std::sync::Arc;

use rundown::domain::diff::OwnWrite;
use rundown::domain::{DocumentName, FailureKind, Filter, RunField};
use rundown::mirror::{
    After, Depth, Mirror, NextRead, OwnRecord, Presence, Run, RunCache, RunsQuery, RunsReading,
};

use super::world::{Home, World, fresh, held, read, read_lists, same, there};

/// What a reading asked for.
fn asked(world: &mut World, mirror: &mut Mirror, wish: Depth) -> Vec<String> {
    world.calls.clear();
    world.clock += 60_000;
    read(world, mirror, wish, |_| {});
    std::mem::take(&mut world.calls)
}

const OPEN: &str = "Root.General.Status:active";

#[test]
fn a_refresh_has_few_calls_however_many_runs_are_open() {
    let (_home, mut world, mut mirror) = fresh(2_400);
    // One page of the open runs in turn, and the newest edits.
    let first = asked(&mut world, &mut mirror, Depth::Refresh);
    assert_eq!(first, [format!("{OPEN} 0+100"), " 0+100".into()]);
    let second = asked(&mut world, &mut mirror, Depth::Refresh);
    assert_eq!(second, [format!("{OPEN} 100+100"), " 0+100".into()]);
    for place in 0..700 {
        world.edit(place, |run| run.cases[0] -= 1);
    }
    let many = asked(&mut world, &mut mirror, Depth::Refresh);
    assert!(many.len() <= 6, "{many:?}");
    for _ in 0..24 {
        assert!(asked(&mut world, &mut mirror, Depth::Refresh).len() <= 6);
    }
    let whole = asked(&mut world, &mut mirror, Depth::Sync);
    let edits = whole.iter().filter(|call| call.starts_with(' '));
    // Also the edits that no refresh has come down to.
    assert_eq!((whole.len(), edits.count()), (24 + 8, 8), "each page once");
    world.runs.drain(50..90);
    let whole = asked(&mut world, &mut mirror, Depth::Sync);
    let missing = whole.iter().filter(|call| call.starts_with("TestRun-dm/"));
    assert_eq!(missing.count(), 3, "however many calls it had");
    for _ in 0..40 {
        assert!(asked(&mut world, &mut mirror, Depth::Refresh).len() <= 6);
    }
    // The first reading has more, and several lists share the pages.
    let start = asked(&mut world, &mut Home::new().mirror(), Depth::Start);
    assert_eq!(start.len(), 9, "{start:?}");
    let lists = ["1.0.0", "1.1.0"].map(|version| {
        let mut list = Filter::of_version(version);
        list.filters.push(OPEN.into());
        list
    });
    let mut world = World::with(600);
    let wish = (Depth::Refresh, lists.to_vec());
    read_lists(&mut world, &mut Home::new().mirror(), wish, |_| {});
    assert_eq!(world.calls.len(), 3, "{:?}", world.calls);
}

/// No reading by itself has the list whole.
#[test]
fn a_run_that_goes_from_a_long_list_is_found_out_once_all_parts_were_read_again() {
    // Also where the service says that there are more than come.
    for lie in [0, 40] {
        goes_from_a_long_list(lie);
    }
}

fn goes_from_a_long_list(lie: i64) {
    let (mut world, mut mirror) = (World::with(950), Home::new().mirror());
    asked(&mut world, &mut mirror, Depth::Sync);
    world.lie = lie;
    let mut gone = Vec::new();
    for place in [2, 333, 700, 800, 940] {
        gone.push(world.runs.remove(place).row().doc_ref);
    }
    let here = |mirror: &Mirror| {
        let states = gone.iter().map(|run| mirror.run(run).unwrap().state);
        states.filter(|state| *state == Presence::Here).count()
    };
    // All parts, of which the last one may be empty, then three runs with each refresh.
    let parts = 9 + lie.signum() as usize;
    let left = std::iter::repeat_n(5, parts).chain([2, 0, 0]);
    for (refresh, left) in (1..).zip(left) {
        let calls = asked(&mut world, &mut mirror, Depth::Refresh);
        assert!(calls.len() <= 5, "{calls:?}");
        assert_eq!(here(&mirror), left, "after {refresh}");
    }
    // While the pages move, a part lacks runs that are there.
    let mut gone = Vec::new();
    for _ in 0..30 {
        gone.push(world.runs.remove(10).row().doc_ref);
        let calls = asked(&mut world, &mut mirror, Depth::Refresh);
        assert!(calls.len() <= 5, "{calls:?}");
        for run in &world.runs {
            let run = mirror.run(&run.row().doc_ref).unwrap();
            assert_eq!(run.state, Presence::Here, "{}", run.doc_ref);
        }
    }
    for run in &gone[..7] {
        assert_eq!(mirror.run(run).unwrap().state, Presence::Gone);
    }
}

/// By the clock that was ahead the turn ended after all that is read now.
#[test]
fn after_a_clock_was_set_back_nothing_is_missing_in_the_turn_before() {
    let (mut world, mut mirror) = (World::with(950), Home::new().mirror());
    world.clock += 86_400_000;
    for _ in 0..12 {
        asked(&mut world, &mut mirror, Depth::Refresh);
    }
    world.clock -= 86_400_000;
    for _ in 0..12 {
        let calls = asked(&mut world, &mut mirror, Depth::Refresh);
        assert_eq!(calls.len(), 2, "{calls:?}");
    }
}

/// The times of what came unchanged are written rarely.
#[test]
fn what_one_program_has_read_is_as_new_for_another_and_after_a_kill() {
    for runs in [30, 950] {
        let home = Home::new();
        let (mut world, mut one) = (World::with(runs), home.mirror());
        asked(&mut world, &mut one, Depth::Sync);
        let mut other = home.mirror();
        for wish in [Depth::Sync, Depth::Refresh, Depth::Refresh, Depth::Start] {
            world.clock += 3_600_000;
            let begun = world.now();
            let open = [RunsReading::open_runs()];
            let wanted = wish.wanted(&open);
            one.cache().unwrap().begin(&wanted, begun).unwrap();
            let (reading, _) = read_lists(&mut world, &mut one, (wish, open.to_vec()), |_| {});
            one.was_read(&wanted, reading.begun, world.now()).unwrap();
            let read: Vec<_> = one.runs().filter(|run| run.read_at >= begun).collect();
            assert!(read.len() >= 30, "{wish:?}");
            other.refresh().unwrap();
            // As after a kill: nothing more is written.
            let next = home.mirror();
            for run in read {
                let times = |mirror: &Mirror| mirror.run(&run.doc_ref).unwrap().counted_at;
                assert_eq!(times(&other), run.counted_at, "{wish:?}");
                assert_eq!(times(&next), run.counted_at, "{wish:?}");
            }
        }
    }
}

#[test]
fn a_run_read_by_a_clock_that_was_ahead_is_missed_all_the_same() {
    let (mut world, mut mirror) = (World::with(30), Home::new().mirror());
    world.clock += 86_400_000;
    asked(&mut world, &mut mirror, Depth::Sync);
    world.clock -= 86_400_000;
    let gone = world.runs.remove(0).row().doc_ref;
    let kept = world.runs[0].row().doc_ref;
    world.runs[0].title = "by the clock of now".into();
    let state = |mirror: &Mirror, run| mirror.run(run).unwrap().state;
    asked(&mut world, &mut mirror, Depth::Sync);
    assert_ne!(state(&mirror, &gone), Presence::Here);
    assert_eq!(state(&mirror, &kept), Presence::Here);
    // Also where it was ahead by less than an answer may be late.
    world.clock += 300_000;
    asked(&mut world, &mut mirror, Depth::Sync);
    world.clock -= 300_000;
    world.runs[0].title = "changed".into();
    asked(&mut world, &mut mirror, Depth::Sync);
    assert_eq!(
        mirror.run(&kept).unwrap().row().title.as_deref(),
        Some("changed")
    );
    // What was saved from here after the clock was set back is no news of others.
    world.clock += 300_000;
    asked(&mut world, &mut mirror, Depth::Sync);
    world.clock -= 300_000;
    world.runs[0].title = "saved here".into();
    mirror.wrote(vec![OwnRecord {
        run: kept,
        at: world.now(),
        write: Some(OwnWrite::Fields([RunField::Title].into())),
        is_done: true,
        was_open: None,
    }]);
    let (_, news) = read(&mut world, &mut mirror, Depth::Sync, |_| {});
    assert_eq!(news, [""; 0]);
}

/// As where runs were moved out of sight: the service never says that they are gone.
#[test]
fn runs_whose_asking_decides_nothing_keep_no_other_from_its_turn() {
    let (_home, mut world, mut mirror) = fresh(30);
    asked(&mut world, &mut mirror, Depth::Sync);
    let gone = |mirror: &Mirror| {
        let gone = mirror.runs().filter(|run| run.state == Presence::Gone);
        gone.count()
    };
    world.hidden = there(&world)[..3]
        .iter()
        .map(|row| row.doc_ref.clone())
        .collect();
    let hidden = world.hidden.clone();
    world
        .runs
        .retain(|run| !hidden.contains(&run.row().doc_ref));
    asked(&mut world, &mut mirror, Depth::Sync);
    let by_reference = mirror.runs_of(
        &RunsQuery::default()
            .with(|it| it.chosen = Some(hidden.iter().cloned().map(DocumentName::Ref).collect())),
    );
    let is_missed = |run: &Arc<Run>| run.state == Presence::NotSeen;
    assert!(by_reference.runs.len() == 3 && by_reference.runs.iter().all(is_missed));
    world.runs.remove(0);
    asked(&mut world, &mut mirror, Depth::Sync);
    assert_eq!(
        gone(&mirror),
        1,
        "what is missed first is asked for at once"
    );
    world.runs.drain(..8);
    for _ in 0..300 {
        asked(&mut world, &mut mirror, Depth::Sync);
    }
    assert_eq!(gone(&mirror), 9);
}

#[test]
fn a_small_project_is_read_whole_at_the_first_start_and_once() {
    let (_home, mut world, mut mirror) = fresh(450);
    world.runs[..300]
        .iter_mut()
        .for_each(|run| run.open = false);
    let first = asked(&mut world, &mut mirror, Depth::Refresh);
    assert!(first.len() <= 10, "{first:?}");
    same(&mirror, &world);
    assert_eq!(
        asked(&mut world, &mut mirror, Depth::Refresh),
        [
            format!("{OPEN} 0+100"),
            format!("{OPEN} 100+100"),
            " 0+100".into()
        ]
    );
    // All of a project that has room on the page of the newest edits was on it.
    let (mut few, mut mirror) = (World::with(40), Home::new().mirror());
    let first = asked(&mut few, &mut mirror, Depth::Refresh);
    assert_eq!(first, [format!("{OPEN} 0+100"), " 0+100".into()]);
}

#[test]
fn a_smaller_limit_is_learnt_and_known_to_the_next_program() {
    let home = Home::new();
    let mut world = World::with(150).with(|it| it.limit = Some(40));
    let first = asked(&mut world, &mut home.mirror(), Depth::Sync);
    assert_eq!(
        first,
        [
            format!("{OPEN} 0+100"),
            format!("{OPEN} 40+100"),
            format!("{OPEN} 80+100"),
            format!("{OPEN} 120+40"),
            " 0+40".into()
        ]
    );
    let next = |world: &mut World| asked(world, &mut home.mirror(), Depth::Refresh).remove(0);
    assert_eq!(next(&mut world), format!("{OPEN} 0+40"));
    // A long reading asks for more once again.
    world.limit = None;
    let whole = asked(&mut world, &mut home.mirror(), Depth::Sync);
    assert_eq!(
        whole[..2],
        [format!("{OPEN} 0+100"), format!("{OPEN} 100+100")]
    );
    assert_eq!(next(&mut world), format!("{OPEN} 0+100"));
    world.limit = Some(40);
    // The same where so many are refused.
    let mut mirror = Home::new().mirror();
    let mut reading = RunsReading::new(
        Depth::Sync,
        vec![RunsReading::open_runs()],
        50,
        &mirror,
        world.now(),
    );
    let after = reading.on_failure(FailureKind::PageTooLarge, false, &mut mirror);
    assert_eq!(after.unwrap(), After::Again);
    assert!(matches!(reading.next(), NextRead::Page { page, .. } if page.limit == 50));
    let after = reading.on_failure(FailureKind::Refused, false, &mut mirror);
    assert_eq!(after.unwrap(), After::Again);
    assert!(
        matches!(reading.next(), NextRead::Page { sort, .. } if sort.is_empty()),
        "without the order"
    );
    let after = reading.on_failure(FailureKind::Refused, false, &mut mirror);
    assert_eq!(after.unwrap(), After::End);
}

#[test]
fn a_page_that_is_too_large_is_halved_until_there_is_no_smaller_one() {
    for kind in [FailureKind::AnswerTooLarge, FailureKind::PageTooLarge] {
        let mut mirror = Home::new().mirror();
        let lists = vec![RunsReading::open_runs()];
        let mut reading = RunsReading::new(Depth::Sync, lists, 50, &mirror, 0);
        let limit = |reading: &RunsReading| match reading.next() {
            NextRead::Page { page, .. } => Some((page.offset, page.limit)),
            _ => None,
        };
        for smaller in [50, 25, 12, 6, 3, 1] {
            let after = reading.on_failure(kind, false, &mut mirror);
            assert_eq!(after.unwrap(), After::Again, "{kind:?} {smaller}");
            assert_eq!(limit(&reading), Some((0, smaller)));
        }
        let after = reading.on_failure(kind, false, &mut mirror);
        assert_eq!(after.unwrap(), After::End, "{kind:?}");
    }
}

#[test]
fn a_page_that_lacks_what_nobody_may_see_is_no_limit_and_none_is_none() {
    let home = Home::new();
    let mut world = World {
        next_limits: vec![97, 97, 98, 96],
        ..World::with(450)
    };
    asked(&mut world, &mut home.mirror(), Depth::All);
    let again = asked(&mut world, &mut home.mirror(), Depth::Refresh);
    assert_eq!(again[0], format!("{OPEN} 0+100"));
    // A file that somebody has written into.
    home.mirror().cache().unwrap().set("page_limit", 0).unwrap();
    let again = asked(&mut world, &mut home.mirror(), Depth::Sync);
    assert_eq!(again[0], format!("{OPEN} 0+100"));
}

/// What its pages are refused for is the place, or the size of one answer.
#[test]
fn only_a_page_that_came_shows_how_many_come_at_once() {
    let limit = |mirror: &mut Mirror| mirror.cache().unwrap().number("page_limit").unwrap();
    let (_home, mut world, mut mirror) = fresh(450);
    let lists = || vec![RunsReading::open_runs()];
    let mut answers = |refused: fn(u64, u32) -> Option<FailureKind>, mirror: &mut Mirror| {
        let mut reading = RunsReading::new(Depth::All, lists(), 50, mirror, world.now());
        let mut asked = Vec::new();
        while let NextRead::Page { filter, sort, page } = reading.next() {
            asked.push((page.offset, page.limit));
            match refused(page.offset, page.limit) {
                Some(kind) => {
                    if reading.on_failure(kind, false, mirror).unwrap() == After::End {
                        return (asked, None);
                    }
                }
                None => {
                    let page = world.list(&filter, &sort, page);
                    mirror.take(&page.rows, world.now()).unwrap();
                    reading.on_page(&page, mirror).unwrap();
                }
            }
        }
        (asked, reading.cut_short(mirror))
    };
    // No further than 300 entries: what follows is not there, and the next list begins.
    let deep = |offset, _| (offset >= 300).then_some(FailureKind::PageTooLarge);
    let (asked, cut) = answers(deep, &mut mirror);
    let of_limits = [(0, 100), (100, 100), (200, 100), (300, 100), (0, 100)];
    assert_eq!(asked[..5], of_limits);
    assert!(cut.is_some());
    assert_eq!(limit(&mut mirror), None);
    assert!(mirror.runs().all(|run| run.state == Presence::Here));
    // Whatever is asked for is refused: nothing is learnt of that.
    let (_, _) = answers(|_, _| Some(FailureKind::PageTooLarge), &mut mirror);
    assert_eq!(limit(&mut mirror), None);
    // A page that is longer than an answer may be says nothing of the others.
    let (asked, cut) = answers(
        |offset, limit| (offset == 100 && limit > 50).then_some(FailureKind::AnswerTooLarge),
        &mut mirror,
    );
    assert_eq!(asked[..3], [(0, 100), (100, 100), (100, 50)]);
    assert_eq!((cut, limit(&mut mirror)), (None, None));
    let twice = |_, limit| match limit {
        100 => Some(FailureKind::PageTooLarge),
        26.. => Some(FailureKind::AnswerTooLarge),
        _ => None,
    };
    let (asked, _) = answers(twice, &mut mirror);
    assert_eq!(asked[..3], [(0, 100), (0, 50), (0, 25)]);
    assert_eq!(limit(&mut mirror), None);
    answers(
        |_, limit| (limit > 40).then_some(FailureKind::PageTooLarge),
        &mut mirror,
    );
    assert_eq!(limit(&mut mirror), Some(25));
}

/// The first of two runs that are read by their ids cannot be read.
#[test]
fn only_a_service_that_is_away_ends_the_reading_of_single_runs() {
    let mut mirror = Home::new().mirror();
    let lists = ["R_1", "R_2"].map(Filter::by_id).to_vec();
    let mut after = |kind| {
        let mut reading = RunsReading::new(Depth::Watch, lists.clone(), 50, &mirror, 0);
        // One run has no order that could be refused.
        let is_unsorted = |reading: &RunsReading| matches!(reading.next(), NextRead::Page { sort, .. } if sort.is_empty());
        assert!(is_unsorted(&reading));
        let after = reading.on_failure(kind, false, &mut mirror).unwrap();
        assert!(after == After::End || is_unsorted(&reading), "{kind:?}");
        after
    };
    for kind in [
        FailureKind::SignIn,
        FailureKind::Network,
        FailureKind::Unavailable,
        FailureKind::Local,
    ] {
        assert_eq!(after(kind), After::End, "{kind:?}");
    }
    for kind in [
        FailureKind::Broken,
        FailureKind::Service,
        FailureKind::Refused,
        FailureKind::NotFound,
    ] {
        assert_eq!(after(kind), After::NextList, "{kind:?}");
    }
}

/// Once may be a fault of the service: what is shown goes with the second reading that is refused.
#[test]
fn runs_that_the_account_may_not_read_count_once_a_reading() {
    let mut mirror = Home::new().mirror();
    let lists = ["R_1", "R_2", "R_3"].map(Filter::by_id).to_vec();
    for is_barred in [false, true] {
        let mut reading = RunsReading::new(Depth::Watch, lists.clone(), 50, &mirror, 0);
        for _ in 0..2 {
            let after = reading.on_failure(FailureKind::Service, true, &mut mirror);
            assert_eq!(after.unwrap(), After::NextList);
        }
        assert_eq!(mirror.is_barred(), is_barred);
        let answer = mirror.list_answer(&RunsQuery::default());
        assert_eq!(answer.is_barred, is_barred);
    }
}

/// A refresh goes on in a long list where the last one stopped.
#[test]
fn a_refresh_whose_place_is_refused_goes_on_and_the_next_begins_anew() {
    let (mut world, mut mirror) = (World::with(2_400), Home::new().mirror());
    asked(&mut world, &mut mirror, Depth::Refresh);
    let list = vec![RunsReading::open_runs()];
    let begin = |mirror: &Mirror| RunsReading::new(Depth::Refresh, list.clone(), 50, mirror, 0);
    let page = |reading: &RunsReading| match reading.next() {
        NextRead::Page { page, .. } => (page.offset, page.limit),
        other => panic!("{other:?}"),
    };
    let mut reading = begin(&mirror);
    assert_eq!(page(&reading), (100, 100));
    let refused = reading.on_failure(FailureKind::PageTooLarge, false, &mut mirror);
    assert_eq!(refused.unwrap(), After::Again);
    assert_eq!(page(&reading), (0, 100), "the edits");
    assert_eq!(page(&begin(&mirror)), (0, 100));
}

#[test]
fn an_order_that_is_refused_is_left_out_for_that_list_only() {
    let (_home, mut world, mut mirror) = fresh(40);
    let edits = |mirror: &mut Mirror| {
        let cache = mirror.cache().unwrap();
        cache.number("edits").unwrap()
    };
    for refuses_edits in [true, false] {
        let mut reading = RunsReading::new(
            Depth::Sync,
            vec![RunsReading::open_runs()],
            50,
            &mirror,
            world.now(),
        );
        for refuses in [true, refuses_edits] {
            assert!(matches!(reading.next(), NextRead::Page { sort, .. } if sort.len() == 1));
            if refuses {
                let after = reading.on_failure(FailureKind::Refused, false, &mut mirror);
                assert_eq!(after.unwrap(), After::Again);
            }
            let NextRead::Page { filter, sort, page } = reading.next() else {
                panic!("it has ended");
            };
            assert_eq!(sort.is_empty(), refuses);
            let page = world.list(&filter, &sort, page);
            reading.on_page(&page, &mut mirror).unwrap();
        }
        assert_eq!(reading.next(), NextRead::End);
        // What came in no order says not how far back it goes.
        assert_eq!(edits(&mut mirror).is_none(), refuses_edits);
    }
}

#[test]
fn a_list_without_an_end_and_one_that_ends_early_are_cut_short() {
    let deaf = World::with(650).with(|it| it.is_deaf = true);
    let endless = World::with(150).with(|it| it.grows = 100);
    let early = World::with(650).with(|it| it.end = Some(130));
    let worlds = [("deaf", deaf), ("endless", endless), ("early", early)];
    for (name, world) in worlds {
        for wish in [Depth::Refresh, Depth::Sync, Depth::All] {
            let home = Home::new();
            let mut mirror = home.mirror();
            let (reading, _) = read(&mut world.clone(), &mut mirror, wish, |_| {});
            let why = reading.cut_short(&mirror);
            let is_whole = (reading.is_complete, why.is_none(), reading.is_short);
            let is_refresh = wish == Depth::Refresh;
            // One that ends at the same place twice has a wrong size.
            let is_short = name == "early" && !is_refresh;
            let expected = (is_refresh, is_refresh || is_short, is_short);
            assert_eq!(is_whole, expected, "{name} {wish:?}");
        }
    }
    // What was not reached is not missing.
    let (_home, mut world, mut mirror) = fresh(250);
    world.runs.iter_mut().for_each(|run| run.open = false);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    world.end = Some(130);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    assert!(mirror.runs().all(|run| run.state == Presence::Here));
    // The edits are read on from where they were read whole.
    for place in 0..220 {
        world.edit(place, |run| run.title.push('x'));
    }
    read(&mut world, &mut mirror, Depth::Sync, |_| {});
    world.end = None;
    read(&mut world, &mut mirror, Depth::Sync, |_| {});
    same(&mirror, &world);
}

#[test]
fn what_is_read_while_the_cache_is_emptied_is_not_whole() {
    let (home, mut world, mut mirror) = fresh(250);
    for (clears, is_whole) in [(true, false), (false, true)] {
        let (reading, _) = read(&mut world, &mut mirror, Depth::Sync, |world| {
            if clears && world.calls.len() == 2 {
                let cache = RunCache::open(&home.cache(), &Home::source(), false);
                cache.unwrap().clear().unwrap();
            }
        });
        assert_eq!(reading.cut_short(&mirror).is_none(), is_whole);
        assert_eq!(held(&mirror).len() == 250, is_whole);
    }
}

#[test]
fn an_edit_in_the_future_hides_no_others() {
    let (_home, mut world, mut mirror) = fresh(450);
    world.runs[9].edited += 1_000 * 24 * 3_600_000;
    asked(&mut world, &mut mirror, Depth::All);
    for run in &mut world.runs[100..] {
        run.open = false;
    }
    for place in 200..430 {
        world.edit(place, |run| run.cases = [0, 40, 2]);
    }
    world.add();
    world.clock += 60_000;
    let (_, news) = read(&mut world, &mut mirror, Depth::Sync, |_| {});
    assert!(news.contains(&"R_451 appeared (edited by mai)".to_owned()));
    assert_eq!(news.iter().filter(|it| it.contains("Passed")).count(), 230);
}

#[test]
fn edits_are_read_back_to_where_the_last_reading_was() {
    let (_home, mut world, mut mirror) = fresh(450);
    world.runs.iter_mut().for_each(|run| run.open = false);
    asked(&mut world, &mut mirror, Depth::All);
    for place in 0..230 {
        world.edit(place, |run| run.cases = [0, 40, 2]);
    }
    let again = asked(&mut world, &mut mirror, Depth::Sync);
    assert_eq!(
        again,
        [
            format!("{OPEN} 0+100"),
            " 0+100".into(),
            " 100+100".into(),
            " 200+100".into()
        ]
    );
    same(&mirror, &world);
}

#[test]
fn a_closed_run_that_was_deleted_is_missed_as_soon_as_fewer_runs_are_told() {
    let closed = |world: &mut World| {
        world.runs[..300]
            .iter_mut()
            .for_each(|run| run.open = false);
    };
    let (_home, mut world, mut mirror) = fresh(450);
    closed(&mut world);
    asked(&mut world, &mut mirror, Depth::Start);
    world.runs.remove(7);
    world.add();
    let again = asked(&mut world, &mut mirror, Depth::Refresh);
    assert!(again.contains(&" 400+100".to_owned()), "{again:?}");
    same(&mirror, &world);
    assert!(mirror.is_complete(&Filter::default()));
    world.runs.remove(8);
    asked(&mut world, &mut mirror, Depth::Sync);
    same(&mirror, &world);
    // An open run that is missing in its list is told of there.
    world.runs.pop();
    let again = asked(&mut world, &mut mirror, Depth::Refresh);
    assert_eq!(
        again.len(),
        3 + 1,
        "two lists, and one run by its id: {again:?}"
    );
    same(&mirror, &world);

    // Of a longer list it is not known which, until it is read whole.
    let (home, mut world, mut mirror) = fresh(900);
    closed(&mut world);
    asked(&mut world, &mut mirror, Depth::All);
    world.runs.remove(7);
    let again = asked(&mut world, &mut mirror, Depth::Refresh);
    assert!(again.len() <= 6, "{again:?}");
    for mirror in [&mirror, &home.mirror()] {
        assert!(!mirror.is_complete(&Filter::default()));
    }
    asked(&mut world, &mut mirror, Depth::All);
    same(&mirror, &world);
    assert!(mirror.is_complete(&Filter::default()));
}

/// As where rights were given, or runs were imported with their times.
#[test]
fn closed_runs_that_come_into_sight_without_an_edit_are_missed_as_soon_as_more_runs_are_told() {
    for (runs, wish, is_read) in [
        (900, Depth::Refresh, false),
        (900, Depth::Sync, false),
        (450, Depth::Sync, true),
        (450, Depth::Refresh, true),
    ] {
        let (home, mut world, mut mirror) = fresh(runs);
        world.runs[..runs as usize - 60]
            .iter_mut()
            .for_each(|run| run.open = false);
        let hidden = world.runs.remove(7);
        asked(&mut world, &mut mirror, Depth::All);
        assert!(mirror.is_complete(&Filter::default()));
        // Those that come with an edit are read by it.
        world.add();
        asked(&mut world, &mut mirror, Depth::Refresh);
        assert!(mirror.is_complete(&Filter::default()));
        world.runs.insert(7, hidden);
        asked(&mut world, &mut mirror, wish);
        for mirror in [&mirror, &home.mirror()] {
            assert_eq!(
                mirror.is_complete(&Filter::default()),
                is_read,
                "{runs} {wish:?}"
            );
            assert!(mirror.is_complete(&RunsReading::open_runs()));
        }
        asked(&mut world, &mut mirror, Depth::All);
        same(&mirror, &world);
        assert!(mirror.is_complete(&Filter::default()));
    }
}

/// As while the service builds its index anew.
#[test]
fn runs_that_lists_leave_out_for_a_time_are_missed_until_they_are_read_again() {
    for (runs, left) in [(450, 0), (450, 200), (900, 0), (900, 400)] {
        let (home, mut world, mut mirror) = fresh(runs);
        world.runs[..runs as usize - 60]
            .iter_mut()
            .for_each(|run| run.open = false);
        asked(&mut world, &mut mirror, Depth::All);
        let all = world.runs.clone();
        world.runs.truncate(left);
        asked(&mut world, &mut mirror, Depth::Refresh);
        asked(&mut world, &mut mirror, Depth::Refresh);
        world.runs = all;
        asked(&mut world, &mut mirror, Depth::Refresh);
        asked(&mut world, &mut mirror, Depth::Refresh);
        for mirror in [&mirror, &home.mirror()] {
            let here = mirror.is_complete(&Filter::default());
            assert_eq!(here, held(mirror) == there(&world), "{runs} {left}");
        }
        asked(&mut world, &mut mirror, Depth::All);
        same(&mirror, &world);
        assert!(mirror.is_complete(&Filter::default()));
    }
}

#[test]
fn a_list_with_more_runs_than_it_tells_is_not_whole() {
    let (_home, mut world, mut mirror) = fresh(250);
    world.runs[..120]
        .iter_mut()
        .for_each(|run| run.open = false);
    // It tells the entries of a page.
    world.is_page_told = true;
    asked(&mut world, &mut mirror, Depth::All);
    assert!(held(&mirror).len() > 100);
    assert!(!mirror.is_complete(&Filter::default()));
}

#[test]
fn edits_below_the_limit_of_a_refresh_are_left_to_a_whole_reading_and_until_then_no_list_is_whole()
{
    let (home, mut world, mut mirror) = fresh(900);
    world.runs.iter_mut().for_each(|run| run.open = false);
    asked(&mut world, &mut mirror, Depth::All);
    assert!(mirror.is_complete(&Filter::default()));
    for place in 0..700 {
        world.edit(place, |run| run.cases = [0, 40, 2]);
    }
    let many = asked(&mut world, &mut mirror, Depth::Refresh);
    assert_eq!(many.len(), 6, "{many:?}");
    let again = asked(&mut world, &mut mirror, Depth::Refresh);
    assert_eq!(again, [format!("{OPEN} 0+100"), " 0+100".into()]);
    assert!(!mirror.is_complete(&Filter::default()));
    // The list of open runs was read to its end, twice.
    assert!(mirror.is_complete(&RunsReading::open_runs()));
    // Also in another program, and after a restart.
    let mut mirror = home.mirror();
    assert!(!mirror.is_complete(&Filter::default()));
    asked(&mut world, &mut mirror, Depth::Sync);
    same(&mirror, &world);
    assert!(mirror.is_complete(&Filter::default()));
    // The first reading of a day has more calls.
    (0..300).for_each(|place| world.edit(place, |run| run.cases = [0, 39, 3]));
    asked(&mut world, &mut mirror, Depth::Refresh);
    (0..700).for_each(|place| world.edit(place, |run| run.cases = [0, 38, 4]));
    asked(&mut world, &mut home.mirror(), Depth::Start);
    assert_eq!(held(&home.mirror()), there(&world));
}

#[test]
fn runs_without_a_time_of_their_edits_hide_no_edit() {
    for untimed in [1, 120] {
        let (_home, mut world, mut mirror) = fresh(900);
        world.untimed = untimed;
        world.runs.iter_mut().for_each(|run| run.open = false);
        asked(&mut world, &mut mirror, Depth::All);
        let missed = |mirror: &Mirror| {
            let new = mirror.runs().filter(|run| run.text.contains("Title of 9!"));
            new.count()
        };
        for place in 130..530 {
            world.edit(place, |run| run.title = "Title of 9!".into());
        }
        asked(&mut world, &mut mirror, Depth::Sync);
        assert_eq!(missed(&mirror), 400, "{untimed}");
    }
    // Where no page of a refresh comes to the edits, lists are not whole.
    let (_home, mut world, mut mirror) = fresh(900);
    world.untimed = 700;
    asked(&mut world, &mut mirror, Depth::All);
    assert!(mirror.is_complete(&Filter::default()));
    world.edit(800, |run| run.open = false);
    asked(&mut world, &mut mirror, Depth::Refresh);
    assert!(!mirror.is_complete(&Filter::default()));
    asked(&mut world, &mut mirror, Depth::Sync);
    assert!(mirror.is_complete(&Filter::default()));
}

#[test]
fn an_order_that_is_taken_and_not_applied_is_no_order() {
    let (_home, mut world, mut mirror) = fresh(450);
    world.is_unsorted = true;
    world.edit(3, |run| run.open = false);
    let edits = |mirror: &mut Mirror| mirror.cache().unwrap().number("edits").unwrap();
    for (wish, lacks_edits) in [(Depth::Sync, true), (Depth::All, false)] {
        let (reading, _) = read(&mut world, &mut mirror, wish, |_| {});
        assert_eq!(
            (reading.lacks_edits, reading.is_complete),
            (lacks_edits, !lacks_edits)
        );
        assert_eq!(edits(&mut mirror), None);
    }
}

#[test]
fn of_a_list_with_words_or_with_a_field_that_no_row_tells_nothing_is_missing() {
    let (_home, mut world, mut mirror) = fresh(450);
    asked(&mut world, &mut mirror, Depth::Sync);
    let with_words = Filter::default().with(|it| it.fulltext = "Title of 12".into());
    let by_closer =
        Filter::default().with(|it| it.filters = vec!["Root.Metadata.ClosedBy:anna".into()]);
    for list in [with_words, by_closer] {
        world.clock += 60_000;
        let wish = (Depth::Watch, vec![list.clone()]);
        let (reading, _) = read_lists(&mut world, &mut mirror, wish, |_| {});
        assert!(reading.is_complete && reading.calls == 1);
        same(&mirror, &world);
        assert!(!mirror.is_complete(&Filter::default()));
        // Who reads all runs does not wait for it, and what it read is not the age of all.
        let all = Depth::Watch.wanted(&[Filter::default()]);
        assert_ne!(Depth::Watch.wanted(&[list]), all);
    }
}

#[test]
fn a_whole_list_that_moves_is_read_again_once_and_then_said_not_to_be_whole() {
    let home = Home::new();
    for (moves, whole, calls) in [(0, true, 4), (1, true, 7), (9, false, 7)] {
        let (mut world, mut mirror) = (World::with(250), home.mirror());
        let mut moved = 0;
        let (reading, _) = read(&mut world, &mut mirror, Depth::All, |world| {
            if moved < moves {
                moved += 1;
                world.add();
            }
        });
        assert_eq!(
            (reading.is_complete, reading.calls),
            (whole, calls),
            "{moves}"
        );
    }
}

#[test]
fn a_reading_that_began_beside_another_is_known_once_that_one_has_ended() {
    let home = Home::new();
    let (mut one, mut other) = (home.mirror(), home.mirror());
    let (one, other) = (one.cache().unwrap(), other.cache().unwrap());
    let wanted = Depth::All.wanted(&[]);
    assert!(one.begin(&wanted, 1_000).unwrap().is_none());
    assert!(other.begin(&wanted, 2_000).unwrap().is_some());
    other.alive(&wanted, 2_000, 3_000).unwrap();
    let begun = |cache: &RunCache| {
        let reading = cache.reading(&wanted, 1_500, 5_500).unwrap();
        reading.map(|it| (it.begun, it.ended.is_some()))
    };
    assert_eq!(begun(one), None);
    one.end(&wanted, 4_000, 1).unwrap();
    other.alive(&wanted, 2_000, 5_000).unwrap();
    assert_eq!(begun(one), Some((2_000, false)));
    other.end(&wanted, 6_000, 0).unwrap();
    assert_eq!(begun(one), Some((2_000, true)));
    assert!(one.read_at().unwrap().iter().any(|(_, at)| *at == 2_000));
}

#[test]
fn one_program_waits_for_the_other_and_not_for_one_that_is_silent_or_dead() {
    let home = Home::new();
    let (mut one, mut other) = (home.mirror(), home.mirror());
    let (one, other) = (one.cache().unwrap(), other.cache().unwrap());
    let wanted = |depth: Depth| depth.wanted(&[]);
    let begin = |cache: &mut RunCache, depth, now| {
        cache.begin(&wanted(depth), now).unwrap().map(|it| it.begun)
    };
    assert_eq!(begin(one, Depth::Sync, 1_000), None);
    // This very process does not wait for itself: the other one is another machine.
    let as_another = |process: u32, host: &str| {
        let database = rusqlite::Connection::open(home.file()).unwrap();
        database
            .execute(
                "UPDATE readings SET process = ?1, host = ?2",
                (process, host),
            )
            .unwrap();
    };
    as_another(std::process::id(), "elsewhere");
    assert_eq!(begin(other, Depth::Sync, 2_000), Some(1_000));
    assert_eq!(
        begin(other, Depth::All, 2_000),
        None,
        "more than the other reads"
    );
    assert_eq!(
        begin(other, Depth::Sync, 70_000),
        None,
        "silent for a minute"
    );
    assert_eq!(
        other.reading(&wanted(Depth::Sync), 60_000, 80_000).unwrap(),
        None,
        "its own"
    );
    other.end(&wanted(Depth::Sync), 75_000, 0).unwrap();
    assert_eq!(
        one.reading(&wanted(Depth::Sync), 60_000, 80_000)
            .unwrap()
            .unwrap()
            .ended,
        Some((75_000, 0))
    );
    assert_eq!(
        one.reading(&wanted(Depth::Sync), 70_001, 80_000).unwrap(),
        None,
        "older than asked for"
    );
    // A process of this machine that has ended.
    let mut ended = std::process::Command::new("true").spawn().unwrap();
    ended.wait().unwrap();
    assert_eq!(begin(one, Depth::Sync, 90_000), None);
    as_another(
        ended.id(),
        rustix::system::uname().nodename().to_str().unwrap(),
    );
    assert_eq!(begin(other, Depth::Sync, 91_000), None);
}
