//! Runs or versions side by side: nothing differs from itself, order only permutes, a set that is not whole is in nothing.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::RunRow;
use rundown::domain::compare::{
    ComparedRun, ComparedSuites, ComparedValues, ComparedVersion, Comparison, KeptSuite, KeptSuites,
};
use std::collections::{BTreeMap, BTreeSet};

const DONE: [ResultCode; 2] = [ResultCode::Passed, ResultCode::FailedNew];

fn suite(number: u8) -> KeptSuite {
    KeptSuite {
        suite: DocRef::parse(&format!("TestSuite-dm/{number}")).unwrap(),
        id: Some(format!("S_{number}")),
        // Some have the title of another one, one has none.
        title: (number != 7).then(|| format!("Suite {}", number % 6)),
        cases: Some(i64::from(number)),
    }
}

/// Counts by result, the last one at another.
fn counts(cases: [u64; 12]) -> ResultCounts {
    let mut results = ResultCounts::default();
    for (code, count) in ResultCode::ALL.into_iter().zip(cases) {
        results.add(code, count);
    }
    results.others.push(("99".into(), "Odd".into(), cases[11]));
    results
}

prop_compose! {
    fn compared()(
        number in 0..6_u64,
        version in 0..2_u64,
        then in prop::option::of(1..1_000_i64),
        cases in prop::option::weighted(0.9, prop::array::uniform12(0..4_u64)),
        kept in prop::option::weighted(0.9, (1..1_000_i64, prop::bool::weighted(0.8), prop::collection::btree_set(0..10_u8, 0..8))),
        counted in prop::bool::weighted(0.8),
    ) -> ComparedRun {
        let suites = kept.map(|(at, is_whole, suites)| KeptSuites {
            at,
            is_complete: is_whole,
            count: Some(suites.len() as u64),
            suites: suites.into_iter().map(suite).collect(),
        });
        let count = suites.as_ref().map(|kept| i64::try_from(kept.suites.len()).unwrap());
        let row = RunRow {
            version: Some(format!("1.{version}")),
            results: cases.map(counts),
            suite_count: count.filter(|_| counted),
            ..row(number)
        };
        ComparedRun { row, at: then, suites }
    }
}

prop_compose! {
    /// A version of up to eight runs, with all of them.
    fn version()(
        number in 0..3_u64,
        runs in prop::collection::vec((compared(), 0..4_usize, any::<bool>(), any::<bool>()), 0..8),
        is_whole in prop::bool::weighted(0.9),
        all_known in any::<bool>(),
    ) -> (ComparedVersion, Vec<ComparedRun>) {
        let version = format!("1.{}", [9, 10, 11][number as usize]);
        let run = |(place, (run, kind, open, one)): (usize, (ComparedRun, usize, bool, bool))| {
            let mut run = run;
            if all_known {
                let whole = run.suites.get_or_insert(KeptSuites { at: 1, is_complete: true, count: Some(0), suites: Vec::new() });
                whole.is_complete = true;
                run.row.suite_count = None;
            }
            run.row = RunRow {
                title: Some(format!("{}, {version}", ["Smoke", "smoke", "Load", "Regression"][kind])),
                version: Some(version.clone()),
                configuration: Some(if one { "chrome" } else { "edge" }.into()),
                status: if open { Status::Active } else { Status::Inactive },
                results: run.row.results,
                suite_count: run.row.suite_count,
                ..row(place as u64)
            };
            run.with(|it| it.at = None)
        };
        let runs: Vec<ComparedRun> = runs.into_iter().enumerate().map(run).collect();
        (ComparedVersion::of(&version, &runs, is_whole, &[], &DONE), runs)
    }
}

/// What is compared, and how.
#[derive(Clone, Debug)]
enum Sides {
    Runs(Vec<ComparedRun>),
    Versions(Vec<ComparedVersion>),
}

impl Sides {
    fn len(&self) -> usize {
        match self {
            Self::Runs(runs) => runs.len(),
            Self::Versions(versions) => versions.len(),
        }
    }

    fn turned(mut self, turn: usize) -> Self {
        match &mut self {
            Self::Runs(runs) => runs.rotate_left(turn),
            Self::Versions(versions) => versions.rotate_left(turn),
        }
        self
    }

    fn compared(&self) -> Comparison {
        match self {
            Self::Runs(runs) => Comparison::of_runs(runs, &DONE),
            Self::Versions(versions) => Comparison::of_versions(versions),
        }
    }
}

fn sides(sizes: std::ops::Range<usize>) -> impl Strategy<Value = Sides> {
    let version = version().prop_map(|it| it.0);
    prop_oneof![
        prop::collection::vec(compared(), sizes.clone()).prop_map(Sides::Runs),
        prop::collection::vec(version, sizes).prop_map(Sides::Versions),
    ]
}

proptest! {
    #[test]
    fn nothing_differs_from_itself(one in sides(1..2)) {
        let twice = match one {
            Sides::Runs(runs) => Sides::Runs([runs.clone(), runs].concat()),
            Sides::Versions(all) => Sides::Versions([all.clone(), all].concat()),
        };
        let same = twice.compared();
        prop_assert!(!same.differs(), "{same:?}");
        prop_assert!(same.rows.iter().all(|row| row.last_two().is_none_or(|more| more == 0)));
    }

    #[test]
    fn order_only_permutes(sides in sides(2..5), turn in 0..4_usize) {
        let turn = turn % sides.len();
        let (one, other) = (sides.compared(), sides.clone().turned(turn).compared());
        prop_assert_eq!(one.differs(), other.differs());
        prop_assert_eq!(one.rows.len(), other.rows.len());
        for (row, again) in one.rows.iter().zip(&other.rows) {
            prop_assert_eq!((&row.label, row.differs()), (&again.label, again.differs()));
            for place in 0..sides.len() {
                let at = (place + sides.len() - turn) % sides.len();
                prop_assert_eq!(Comparison::cell(row, place), Comparison::cell(again, at));
            }
        }
        match (one.suites, other.suites) {
            (
                ComparedSuites::InSome { suites, doubled, by_title },
                ComparedSuites::InSome { suites: turned, doubled: again, by_title: by },
            ) => {
                prop_assert_eq!((doubled, by_title), (again, by));
                let named = |suites: Vec<_>, turn: usize| {
                    let of = |mut it: rundown::domain::compare::InSome| {
                        it.is_in.rotate_left(turn);
                        (it.name, it.is_in, it.cases)
                    };
                    let mut all: Vec<_> = suites.into_iter().map(of).collect();
                    all.sort();
                    all
                };
                prop_assert_eq!(named(suites, turn), named(turned, 0));
            }
            (ComparedSuites::NotKnown(places), ComparedSuites::NotKnown(again)) => {
                prop_assert_eq!(places.len(), again.len());
            }
            (one, other) => prop_assert!(false, "{one:?} {other:?}"),
        }
    }

    #[test]
    fn suites_are_only_in_some_where_all_sets_are_whole(runs in prop::collection::vec(compared(), 2..5)) {
        let whole = |run: &ComparedRun| run.suites.as_ref().is_some_and(|kept| kept.is_complete);
        let all = runs.iter().all(whole);
        let sets: Vec<Vec<DocRef>> = runs.iter().map(|run| {
            run.suites.iter().flat_map(|kept| &kept.suites).map(|it| it.suite.clone()).collect()
        }).collect();
        let compared = Comparison::of_runs(&runs, &DONE);
        prop_assert_eq!(all, matches!(compared.suites, ComparedSuites::InSome { .. }));
        if let ComparedSuites::InSome { suites, by_title: false, doubled } = compared.suites {
            prop_assert_eq!(doubled, 0);
            // Counted in another way.
            for number in 0..10_u8 {
                let is_in: Vec<bool> = sets.iter().map(|set| set.contains(&suite(number).suite)).collect();
                let told = suites.iter().find(|it| it.name.split(' ').next() == Some(&format!("S_{number}")));
                let some = is_in.contains(&true) && is_in.contains(&false);
                prop_assert_eq!(told.map(|it| it.is_in.clone()), some.then_some(is_in));
            }
        }
    }

    #[test]
    fn suites_are_only_in_one_version_where_those_of_all_its_runs_are_known(
        versions in prop::collection::vec(version(), 2..4),
    ) {
        let of: Vec<ComparedVersion> = versions.iter().map(|it| it.0.clone()).collect();
        let compared = Comparison::of_versions(&of);
        let whole = |run: &ComparedRun| run.suites.as_ref().is_some_and(|kept| {
            let count = run.row.suite_count.map(i64::cast_unsigned);
            kept.is_complete && (count.is_none() || count == kept.count)
        });
        let all = versions.iter().all(|(it, runs)| it.column.is_complete && runs.iter().all(whole));
        prop_assert_eq!(all, matches!(compared.suites, ComparedSuites::InSome { .. }));
        if let ComparedSuites::InSome { suites, by_title: true, .. } = compared.suites {
            // By titles: of each version those that one suite alone has.
            let titles = versions.iter().map(|(_, runs)| {
                let mut by_title: BTreeMap<String, BTreeSet<DocRef>> = BTreeMap::new();
                for suite in runs.iter().flat_map(|run| &run.suites).flat_map(|kept| &kept.suites) {
                    let of_title = by_title.entry(suite.title.clone().unwrap_or_default());
                    of_title.or_default().insert(suite.suite.clone());
                }
                by_title
            });
            let titles: Vec<_> = titles.collect();
            for number in 0..6 {
                let title = format!("Suite {number}");
                let times: Vec<usize> = titles.iter().map(|of| of.get(&title).map_or(0, BTreeSet::len)).collect();
                let some = times.contains(&0) && times.contains(&1) && times.iter().all(|it| *it < 2);
                let is_in: Vec<bool> = times.iter().map(|it| *it > 0).collect();
                let told = suites.iter().find(|it| it.name == title);
                prop_assert_eq!(told.map(|it| it.is_in.clone()), some.then_some(is_in));
            }
        }
    }

    #[test]
    fn kinds_add_up_to_their_version(versions in prop::collection::vec(version(), 2..4)) {
        let of: Vec<ComparedVersion> = versions.iter().map(|it| it.0.clone()).collect();
        let compared = Comparison::of_versions(&of);
        for (place, (_, runs)) in versions.iter().enumerate() {
            let number = |row: &rundown::domain::compare::ComparedRow| {
                let cell = Comparison::cell(row, place);
                cell.split(' ').next().unwrap().replace(',', "").parse().unwrap_or(0_u64)
            };
            let rows: Vec<(&str, u64)> = compared.rows.iter().map(|row| (&*row.label, number(row))).collect();
            let at = |label: &str| rows.iter().filter(|it| it.0 == label).map(|it| it.1).sum::<u64>();
            let kinds = ["Smoke", "smoke", "Load", "Regression"];
            prop_assert_eq!(kinds.map(at).iter().sum::<u64>(), at("Cases"));
            prop_assert_eq!(at("  done"), at("Done"));
            prop_assert_eq!(at("Done") + at("Left") + at("Not run"), at("Cases"));
            // No open run is left out.
            let open = runs.iter().filter(|run| run.row.status == Status::Active).count() as u64;
            prop_assert_eq!(at("Open runs"), open);
        }
    }
}

#[test]
fn a_count_of_suites_that_is_another_by_now_makes_a_set_not_whole() {
    let run = |count: i64| ComparedRun {
        row: row(1).with(|it| it.suite_count = Some(count)),
        at: None,
        suites: Some(KeptSuites {
            at: 1,
            is_complete: true,
            count: Some(2),
            suites: vec![suite(1), suite(2)],
        }),
    };
    let compared = Comparison::of_runs(&[run(2), run(3)], &DONE);
    assert_eq!(compared.suites, ComparedSuites::NotKnown(vec![1]));
    assert_eq!(
        compared.notes(|_| String::new()),
        ["Suites are not compared: those of R_1 are not known whole."]
    );
    // Of one that has fewer now nobody knows which of them are left.
    let known = Comparison::of_runs(&[run(2), run(3), run(1)], &DONE);
    let known = known.rows.iter().find(|row| row.label == "Suites known");
    let shares = ComparedValues::Known(vec![Some((2, 2)), Some((2, 3)), None]);
    assert_eq!(known.unwrap().values, shares);
}

#[test]
fn of_a_run_that_is_closed_by_now_nobody_knows_whether_cases_were_left_before() {
    let mut closed = row(1);
    closed.status = Status::Inactive;
    let results = counted([(ResultCode::Untested, 30)]);
    (closed.results, closed.suite_count) = (Some(results), None);
    let at = |at: Option<i64>| ComparedRun {
        row: closed.clone(),
        at,
        suites: None,
    };
    let compared = Comparison::of_runs(&[at(Some(1)), at(None)], &DONE);
    let cells = |label: &str| {
        let row = compared.rows.iter().find(|row| row.label == label).unwrap();
        row.values.clone()
    };
    let numbers = |before, now| ComparedValues::Numbers(vec![before, now]);
    assert_eq!(cells("Left"), numbers(None, Some((0, None))));
    assert_eq!(cells("Not run"), numbers(None, Some((30, None))));
    // What was left is known of one that was open, and then that is told, too.
    let mut open = at(Some(1));
    open.row.status = Status::Active;
    let compared = Comparison::of_runs(&[open, at(None)], &DONE);
    let row = |label: &str| compared.rows.iter().find(|row| row.label == label);
    let texts = ["open", "closed"].map(|text| Some(text.to_owned()));
    assert_eq!(
        row("Status").unwrap().values,
        ComparedValues::Texts(texts.into())
    );
    assert_eq!(
        row("Left").unwrap().values,
        numbers(Some((30, None)), Some((0, None)))
    );
}
