//! Whatever a second writer does and the service says, in the end the mirror is what the service has.

use crate::support::With as _;
use std::collections::{HashMap, HashSet};

use proptest::prelude::*;
use rundown::domain::RunRow;
use rundown::mirror::{Depth, Presence};

use super::world::{Home, World, held, read, there};

/// What happens between two calls.
#[derive(Clone, Copy, Debug)]
enum Turn {
    Nothing,
    Add,
    Delete(usize),
    /// Results are recorded, with or without an edit of the run.
    Record(usize, bool),
    Rename(usize),
    Close(usize),
    /// The clock of who edits is far ahead.
    Ahead(usize),
    Lie(i64),
    Read(Depth),
    /// The program ends and is started again.
    Restart,
    /// Another program reads.
    Other(Depth),
}

fn turn() -> impl Strategy<Value = Turn> {
    let place = 0_usize..300;
    let wish = prop::sample::select(vec![Depth::Refresh, Depth::Sync, Depth::All]);
    prop_oneof![
        3 => Just(Turn::Nothing),
        2 => Just(Turn::Add),
        2 => place.clone().prop_map(Turn::Delete),
        3 => (place.clone(), any::<bool>()).prop_map(|(place, edits)| Turn::Record(place, edits)),
        1 => place.clone().prop_map(Turn::Rename),
        2 => place.clone().prop_map(Turn::Close),
        1 => place.prop_map(Turn::Ahead),
        1 => (-3_i64..4).prop_map(Turn::Lie),
        4 => wish.clone().prop_map(Turn::Read),
        1 => Just(Turn::Restart),
        2 => wish.prop_map(Turn::Other),
    ]
}

fn write(world: &mut World, turn: Turn) {
    let len = world.runs.len();
    match turn {
        Turn::Add => world.add(),
        Turn::Delete(place) if len > 1 => drop(world.runs.remove(place % len)),
        Turn::Record(place, edits) if len > 0 => {
            let run = &mut world.runs[place % len];
            if run.cases[0] > 0 {
                (run.cases[0], run.cases[1]) = (run.cases[0] - 1, run.cases[1] + 1);
            }
            if edits {
                world.edit(place % len, |_| {});
            }
        }
        Turn::Rename(place) if len > 0 => world.edit(place % len, |run| run.title.push('x')),
        Turn::Close(place) if len > 0 => world.edit(place % len, |run| run.open = !run.open),
        Turn::Ahead(place) if len > 0 => {
            world.edit(place % len, |run| run.title.push('y'));
            world.runs[place % len].edited += 1_000 * 24 * 3_600_000;
        }
        Turn::Lie(by) => world.lie = by,
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(12), max_shrink_iters: 400, ..ProptestConfig::default() })]

    #[test]
    fn after_a_whole_reading_the_mirror_is_what_the_service_has(
        size in prop::sample::select(vec![3_u64, 100, 101, 230]),
        limit in prop::sample::select(vec![None, Some(30)]),
        turns in prop::collection::vec(turn(), 1..60),
    ) {
        let (home, mut world) = (Home::new(), World::with(size).with(|it| it.limit = limit));
        let mut programs = [home.mirror(), home.mirror()];
        let mut waiting = turns.into_iter();
        let first: HashSet<String> = world.runs.iter().map(|run| run.row().name().to_owned()).collect();
        let mut news = Vec::new();
        while let Some(turn) = waiting.next() {
            let (place, wish) = match turn {
                Turn::Read(wish) => (0, wish),
                Turn::Other(wish) => (1, wish),
                Turn::Restart => {
                    programs[0] = home.mirror();
                    continue;
                }
                turn => {
                    write(&mut world, turn);
                    continue;
                }
            };
            let (_, told) = read(&mut world, &mut programs[place], wish, |world| {
                if let Some(turn) = waiting.next() {
                    write(world, turn);
                }
            });
            news.extend(told);
            let there: HashSet<_> = world.runs.iter().map(|run| run.row().doc_ref).collect();
            for run in programs[place].runs().filter(|run| run.state == Presence::Gone) {
                prop_assert!(!there.contains(&run.doc_ref), "{} is called gone", run.doc_ref);
            }
        }
        for told in news.iter().filter(|told| told.contains(" appeared")) {
            let name = told.split(' ').next().unwrap();
            let before = news.iter().take_while(|it| *it != told).any(|it| *it == format!("{name} vanished"));
            prop_assert!(before || !first.contains(name), "{told}");
        }
        // Nobody writes and nothing lies any more. What is not seen is asked for, a few in each reading.
        world.lie = 0;
        for _ in 0..40 {
            let (reading, _) = read(&mut world, &mut programs[0], Depth::All, |_| {});
            prop_assert!(reading.is_complete);
            if programs[0].runs().all(|run| run.state != Presence::NotSeen) {
                break;
            }
        }
        prop_assert_eq!(held(&programs[0]), there(&world));
        programs[1].refresh().unwrap();
        prop_assert_eq!(held(&programs[1]), there(&world));
        prop_assert_eq!(held(&home.mirror()), there(&world));
        // Each chain of counts that was told is without a gap and without a repetition, and ends at what is there.
        let mut passed: HashMap<String, u64> = HashMap::new();
        for (name, what) in home.told() {
            let changes = what.as_array().unwrap();
            if changes.iter().any(|it| it == "vanished" || it == "appeared") {
                passed.remove(&name);
            }
            for change in changes.iter().filter(|it| it[0] == "2") {
                let (before, after) = (change[1].as_u64().unwrap(), change[2].as_u64().unwrap());
                let known = passed.insert(name.clone(), after);
                prop_assert!(known.is_none_or(|known| known == before), "{name}: {known:?}, then {before} → {after}");
            }
        }
        let rows: HashMap<String, RunRow> = there(&world).into_iter().map(|row| (row.name().to_owned(), row)).collect();
        for (name, passed) in passed {
            if let Some(row) = rows.get(&name) {
                prop_assert_eq!(row.results.as_ref().unwrap().get(rundown::domain::ResultCode::Passed), passed, "{}", name);
            }
        }
    }
}
