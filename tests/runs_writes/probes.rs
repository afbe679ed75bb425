//! Probe runs that were left behind.

use std::sync::Arc;
use std::time::Duration;

use rundown::disk::{Journal, Recorded, WriteId, WriteStep};
use rundown::domain::{DocRef, PROBE_MARK};
use rundown::local_service::Options;
use rundown::ops::probe;
use rundown::store::{Effect, Event};
use serde_json::json;

use super::bench::Bench;
use super::support::proxy::Fault;

const DELETE: &str = "DELETE_TEST_RUN";

/// What has become of a probe run since it was left.
#[derive(Clone, Copy, PartialEq)]
enum Left {
    Empty,
    /// Suites are in it.
    Full,
    /// Somebody else has deleted it.
    Gone,
    /// A replica that is behind does not find it.
    Late,
    /// It is not found, and no reading has ever shown it as it was made.
    NeverSeen,
}

impl Bench {
    fn add_step(&self, write: &WriteId, run: &str, step: Recorded) {
        let entry = WriteStep {
            write: write.clone(),
            at: 1,
            profile: "demo".into(),
            run: run.to_owned(),
            run_name: PROBE_MARK.into(),
            step,
        };
        let journal = Journal::open(self.folder.path()).unwrap();
        journal.append(&entry).unwrap();
    }

    /// A probe run whose program ended before it was deleted.
    async fn probe(&mut self, left: Left) -> DocRef {
        let run = self.other.add_run(PROBE_MARK).await;
        let write = WriteId::new(1);
        let sent = Recorded::Sent {
            method: "ADD_DOCUMENT".into(),
            params: json!({"document": {"Root": {"General": {"Title": PROBE_MARK}}}}),
            note: None,
        };
        let result = json!({"docRef": run.as_str()});
        self.add_step(&write, "", sent);
        self.add_step(&write, run.as_str(), Recorded::Answered { result });
        let how = "read again".into();
        let read = match left {
            Left::NeverSeen => Recorded::Differs { what: how },
            _ => Recorded::Confirmed { how },
        };
        self.add_step(&write, run.as_str(), read);
        match left {
            Left::Empty | Left::Late => {}
            Left::Full => {
                let one = self.free(&run).await.remove(0);
                self.other.add_suites(&run, &[one]).await;
            }
            Left::Gone | Left::NeverSeen => self.other.delete(&run).await,
        }
        run
    }
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
        (&[Empty], false, &[0], &[], 0),
    ] {
        let lag = Duration::from_millis(if probes == [Late] { 1_200 } else { 0 });
        let mut bench = Bench::of(Options {
            lag,
            ..Options::default()
        })
        .await;
        let mut runs = Vec::new();
        for left in probes {
            runs.push(bench.probe(*left).await);
        }
        // The end of a write whose beginning was moved away speaks of none of them.
        let how = "read again".into();
        bench.add_step(&WriteId::new(2), "", Recorded::Confirmed { how });
        let delay = Duration::from_millis(if stops { 300 } else { 0 });
        bench.proxy.fault_for(DELETE, Fault::Delay(delay));
        let id = bench.send(|id| Effect::DeleteProbes {
            id,
            runs: runs.clone(),
        });
        if stops {
            bench.until_passed(DELETE, 1).await;
            bench.send(|_| Effect::Cancel(id));
        }
        let over = |event: &Event| (*event == Event::ProbesDeleted(id)).then_some(());
        bench.until("the end", over).await;
        let named = |of: &[usize]| of.iter().map(|at| runs[*at].clone()).collect::<Vec<_>>();
        let sent = bench.params(DELETE);
        let wanted = named(deleted);
        let wanted = wanted
            .iter()
            .map(|run| json!({"testRunDocRef": run.as_str()}));
        assert_eq!(sent, wanted.collect::<Vec<_>>());
        let (mut still, mut reasons) = (Vec::new(), Vec::new());
        for event in &bench.beside {
            match event {
                Event::ProbesLeft(runs) => still.extend(runs.clone()),
                Event::Trouble(failure) => reasons.push(&failure.asked),
                _ => {}
            }
        }
        assert_eq!(still, named(stay));
        let wanted = &named(stay)[..told];
        let wanted = wanted
            .iter()
            .map(|run| format!("deleting the probe run {run}"));
        assert!(
            reasons.into_iter().cloned().eq(wanted),
            "{:?}",
            bench.beside
        );
        let journal = Arc::new(Journal::open(bench.folder.path()).unwrap());
        let mut offered = probe::left(&journal, "demo");
        offered.reverse();
        assert_eq!(offered, named(stay), "at the next start");
    }
}
