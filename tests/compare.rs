//! Runs side by side: nothing differs from itself, order only permutes, a set that is not whole is in nothing.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::RunRow;
use rundown::domain::compare::{ComparedRun, ComparedSuites, Comparison, KeptSuite, KeptSuites};

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
            is_whole,
            count: Some(suites.len() as u64),
            suites: suites.into_iter().map(suite).collect(),
        });
        let row = RunRow { version: Some(format!("1.{version}")), ..row(number) };
        let count = suites.as_ref().map(|kept| i64::try_from(kept.suites.len()).unwrap());
        ComparedRun { row, at: then, cases, suite_count: count.filter(|_| counted), suites }
    }
}

proptest! {
    #[test]
    fn a_run_does_not_differ_from_itself(run in compared()) {
        let same = Comparison::of(vec![run.clone(), run], &DONE);
        prop_assert!(!same.differs(), "{same:?}");
        prop_assert!(same.rows.iter().all(|row| row.last_two().is_none_or(|more| more == 0)));
    }

    #[test]
    fn order_only_permutes(runs in prop::collection::vec(compared(), 2..5), turn in 0..4_usize) {
        let turn = turn % runs.len();
        let mut turned = runs.clone();
        turned.rotate_left(turn);
        let (one, other) = (Comparison::of(runs.clone(), &DONE), Comparison::of(turned, &DONE));
        prop_assert_eq!(one.differs(), other.differs());
        prop_assert_eq!(one.rows.len(), other.rows.len());
        for (row, again) in one.rows.iter().zip(&other.rows) {
            prop_assert_eq!(row.differs(), again.differs());
            for place in 0..runs.len() {
                let at = (place + runs.len() - turn) % runs.len();
                prop_assert_eq!(one.cell(row, place), other.cell(again, at));
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
        let whole = |run: &ComparedRun| run.suites.as_ref().is_some_and(|kept| kept.is_whole);
        let all = runs.iter().all(whole);
        let sets: Vec<Vec<DocRef>> = runs.iter().map(|run| {
            run.suites.iter().flat_map(|kept| &kept.suites).map(|it| it.suite.clone()).collect()
        }).collect();
        let compared = Comparison::of(runs.clone(), &DONE);
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
}

#[test]
fn a_count_of_suites_that_is_another_by_now_makes_a_set_not_whole() {
    let run = |count: i64| ComparedRun {
        row: row(1),
        at: None,
        cases: None,
        suite_count: Some(count),
        suites: Some(KeptSuites {
            at: 1,
            is_whole: true,
            count: Some(2),
            suites: vec![suite(1), suite(2)],
        }),
    };
    let compared = Comparison::of(vec![run(2), run(3)], &DONE);
    assert_eq!(compared.suites, ComparedSuites::NotKnown(vec![1]));
    assert_eq!(
        compared.suites_words(|_| String::new()).unwrap(),
        "Suites are not compared: those of R_1 are not known whole."
    );
}
