//! Probe runs that were left behind.

use crate::support::prelude::*;
use rundown::domain::PROBE_MARK;
use rundown::ops::probe;

use super::bench::{Bench, create_of};

const READ: &str = "GET_DOCUMENT";
const DELETE: &str = "DELETE_TEST_RUN";

/// What a probe run is like when it comes to its deletion.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Empty,
    /// Suites are in it.
    Full,
    /// Somebody else has deleted it.
    Gone,
    /// The same, and no reading has shown it so.
    NeverSeen,
    /// The first reading is by a replica that is behind.
    Late,
}

async fn make(bench: &mut Bench, left: Left) -> DocRef {
    if left == Left::NeverSeen {
        let other = json!({"docRef": "TestRun-dm/7", "document": {}});
        bench.proxy.fault_for(READ, Fault::Answer(other));
    }
    let made = bench.create(create_of(&[PROBE_MARK], &[])).await;
    bench.proxy.fault(Fault::None);
    let run = made[0].run.parts[0].of.clone();
    match left {
        Left::Empty | Left::Late => {}
        Left::Full => {
            let one = bench.free(&run).await.remove(0);
            bench.other.add_suites(&run, &[one]).await;
        }
        Left::Gone | Left::NeverSeen => bench.other.delete(&run).await,
    }
    run
}

#[tokio::test]
async fn each_probe_run_is_deleted_once_and_what_stays_is_told_and_offered_again() {
    use Left::{Empty, Full, Gone, Late, NeverSeen};
    // Which are deleted, which stay, and how many of these with a reason.
    for (probes, stops, deleted, stay, told) in [
        (&[Empty, Full, Empty][..], false, &[0, 2][..], &[1][..], 1),
        (&[Empty, Full, Empty], true, &[0], &[1, 2], 0),
        (&[Gone, NeverSeen], false, &[], &[1], 1),
        (&[Late], false, &[], &[0], 1),
    ] {
        let mut bench = Bench::with(Options::default(), |profile| {
            if probes == [Late] {
                profile.read_again.push(Duration::from_secs(5));
            }
        })
        .await;
        let mut runs = Vec::new();
        for left in probes {
            runs.push(make(&mut bench, *left).await);
        }
        let named = |of: &[usize]| of.iter().map(|at| runs[*at].clone()).collect::<Vec<_>>();
        let before = bench.proxy.count(READ);
        if probes == [Late] {
            let error = br#"{"jsonrpc":"2.0","id":null,"error":{"code":-32004,"message":""}}"#;
            let error = Fault::Replace(200, error.to_vec());
            bench.proxy.fault_for(READ, error);
        } else if stops {
            let delay = Fault::delay(300);
            bench.proxy.fault_for(DELETE, delay);
        }
        let all = runs.clone();
        let id = bench.send(|id| Effect::Request(id, Request::DeleteProbes { runs: all }));
        if stops {
            bench.until_passed(DELETE, 1).await;
            bench.send(|_| Effect::Cancel(id));
        } else {
            bench.until_passed(READ, before + 1).await;
            bench.proxy.fault(Fault::None);
        }
        let over =
            |event: &Event| (*event == Event::Answer(id, Answer::ProbesDeleted)).then_some(());
        bench.until("the end", over).await;
        let sent = bench.params(DELETE);
        let of = |run: DocRef| json!({"testRunDocRef": run.as_str()});
        assert!(sent.into_iter().eq(named(deleted).into_iter().map(of)));
        let (mut still, mut gone, mut reasons) = (Vec::new(), Vec::new(), Vec::new());
        for event in &bench.beside {
            match event {
                Event::ProbesLeft(runs) => still.extend(runs.clone()),
                Event::ProbesGone(runs) => gone.extend(runs.clone()),
                Event::Trouble(failure) => reasons.push(failure.asked.clone()),
                _ => {}
            }
        }
        let why = named(&stay[..told]).into_iter();
        let why = why.map(|run| format!("deleting the probe run {run}"));
        assert_eq!((still, reasons), (named(stay), why.collect()));
        let is_left = |run: &&DocRef| !named(stay).contains(run);
        assert!(gone.iter().eq(runs.iter().filter(is_left)), "{gone:?}");
        // At the next start; the end of a write whose beginning was moved away speaks of none.
        let file = bench.folder.path().join("journal.ndjson");
        let text = std::fs::read_to_string(&file).unwrap();
        let end = text.lines().find(|line| line.contains("confirmed"));
        let end = end.unwrap().replace("write\":\"", "write\":\"other");
        std::fs::write(&file, format!("{text}{end}\n")).unwrap();
        let journal = Journal::open(bench.folder.path()).unwrap();
        let here = |project: &str| rundown::domain::WriteTarget {
            service: bench.journal()[0].target.service.clone(),
            project: project.into(),
        };
        let mut offered = probe::left(&journal, "demo", &here("P_9/SP_1"));
        offered.reverse();
        assert_eq!(offered, named(stay));
        // Another project does not find them: they are neither offered there nor taken for deleted.
        assert!(probe::left(&journal, "demo", &here("P_12")).is_empty());
        let moved = rundown::domain::WriteTarget {
            service: "http://127.0.0.1:9/api".into(),
            ..here("P_9/SP_1")
        };
        assert!(probe::left(&journal, "demo", &moved).is_empty());
        bench.uses("P_12", None).await;
        let runs = named(stay);
        let id = bench.send(|id| Effect::Request(id, Request::DeleteProbes { runs }));
        let over =
            |event: &Event| (*event == Event::Answer(id, Answer::ProbesDeleted)).then_some(());
        bench.until("the end", over).await;
        // Back in their own one they are offered again.
        bench.beside.clear();
        bench.uses("P_9", Some("SP_1")).await;
        let left = |event: &Event| match event {
            Event::Unfinished { .. } => Some(()),
            _ => None,
        };
        bench.until("what is left", left).await;
        let offered = bench.beside.iter().rev().find_map(|event| match event {
            Event::ProbesLeft(runs) => Some(runs.clone()),
            _ => None,
        });
        let mut offered = offered.unwrap_or_default();
        offered.reverse();
        assert_eq!(offered, named(stay));
    }
}
