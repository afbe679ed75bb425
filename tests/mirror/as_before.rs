//! What the list and the monitor tell of a series of readings, and what the mirror tells of the same.

use std::collections::HashSet;

use rundown::domain::{Filter, Page};
use rundown::samples::Samples;
use rundown::store::Feed;

use super::world::{Home, World, words};

#[test]
fn news_unread_runs_and_earlier_counts_are_as_those_of_the_feed() {
    let (home, state) = (Home::new(), tempfile::tempdir().unwrap());
    let (mut world, mut mirror, mut feed) = (World::with(40), home.mirror(), Feed::default());
    let samples = Samples::open(state.path(), 90, world.now()).unwrap();
    let (profile, scope, filter) = ("qa", "P_9/SP_1", Filter::default());
    world.runs[3].open = false;
    let mut changed = HashSet::new();
    let mut told = 0;
    let mut random = 7_u64;
    let mut midnight = 0;
    for turn in 0..120 {
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let place = (random >> 33) as usize % world.runs.len();
        let at = world.runs[place].row().doc_ref;
        match turn % 8 {
            0 => world.runs[place].cases = [20, 18, 4],
            1 => world.edit(place, |run| run.title.push('x')),
            2 => world.edit(place, |run| run.description.push('x')),
            3 => world.runs[place].cases = [30, 10, 2],
            4 => world.edit(place, |run| run.open = !run.open),
            5 => world.add(),
            6 if turn > 20 => drop(world.runs.remove(place)),
            _ => {
                feed.looked_at(&at);
                mirror.looked_at(&at).unwrap();
            }
        }
        if turn % 8 == 0 || turn % 8 == 3 {
            changed.insert(at);
        }
        world.clock += 60_000;
        if turn == 60 {
            midnight = world.now();
            changed.clear();
        }
        let begun = world.now();
        let page = world.list(
            &filter,
            &[],
            Page {
                offset: 0,
                limit: 100,
            },
        );
        let now = world.now();
        let kept = feed.saw(&page.rows, now);
        samples
            .add_all(
                profile,
                scope,
                kept.iter().map(|(run, sample)| (run, sample)),
            )
            .unwrap();
        feed.saw_list(&filter, (turn, true), page.rows.iter(), page.full_size, now);
        let mut ours = words(&mirror.take(&page.rows, now).unwrap());
        let missing = mirror.missing(&filter, begun);
        ours.extend(words(&mirror.gone(&missing, now).unwrap()));
        mirror
            .list_ended(&filter, begun, page.full_size, true)
            .unwrap();
        let new = feed.entries.len() - told;
        told = feed.entries.len();
        let mut theirs: Vec<String> = feed
            .entries
            .iter()
            .take(new)
            .map(|it| format!("{} {}", it.name, it.what))
            .collect();
        ours.sort();
        theirs.sort();
        assert_eq!(ours, theirs, "turn {turn}");
        for run in &world.runs {
            let run = run.row().doc_ref;
            assert_eq!(
                mirror.is_unread(&run),
                feed.is_unread(&run),
                "turn {turn}: {run}"
            );
        }
    }
    let runs: Vec<_> = changed
        .into_iter()
        .filter(|run| world.runs.iter().any(|it| it.row().doc_ref == *run))
        .collect();
    assert!(runs.len() > 8);
    let before = |samples: &Samples| {
        let found = samples
            .newest_before(profile, scope, &runs, midnight)
            .unwrap();
        let mut found: Vec<_> = found
            .into_iter()
            .map(|(run, sample)| (run, sample.counts))
            .collect();
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    assert_eq!(before(&home.history().samples), before(&samples));
}
