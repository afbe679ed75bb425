//! Probe runs that were left behind.

use crate::support::prelude::*;
use rundown::domain::{Probe, UndoOf, Unfinished, UnfinishedChange};

use super::bench::{Bench, deletion};

const CHECK: &str = "CHECK_TEST_RUN_EMPTY";
const DELETE: &str = "DELETE_TEST_RUN";

impl Bench {
    async fn start_probe(&mut self) -> RequestId {
        let target = self.other.add_run("to be looked at").await;
        let scope = (("P_9", Some("SP_1")), ("qa", "12:00:00"));
        let ((project, subproject), named) = scope;
        let probe = Box::new(Probe::new(target, project, subproject, "1.2.0", named));
        self.send(|id| Effect::Request(id, Request::Probe(probe)))
    }

    async fn probed(&mut self, id: RequestId) -> Result<(), Failure> {
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::Surveyed(result)) if *other == id => {
                Some(result.clone().map(drop))
            }
            _ => None,
        };
        self.until("the end of a probe", came).await
    }

    /// What is told at the next start.
    async fn told(&mut self) -> Vec<Unfinished> {
        self.beside.clear();
        self.restart_as("demo").await;
        let of = |event: &Event| match event {
            Event::Unfinished { changes, .. } => Some(changes.clone()),
            _ => None,
        };
        match self.beside.iter().rev().find_map(of) {
            Some(changes) => changes,
            None => self.until("what is left", of).await,
        }
    }

    async fn looks(&mut self, job: &str) -> UnfinishedChange {
        let job = job.to_owned();
        let id = self.send(|id| Effect::Request(id, Request::ReadUnfinished { job }));
        let came = |event: &Event| match event {
            Event::Answer(other, Answer::UnfinishedRead(result)) if *other == id => {
                Some(result.clone())
            }
            _ => None,
        };
        *self.until("what is left of it", came).await.unwrap()
    }

    /// The one that is told is read as left behind, offered, and over once it is deleted as any run.
    async fn offers_its_deletion(&mut self, case: &str) {
        let told = self.told().await;
        let [change] = &told[..] else {
            panic!("{case}: {told:?}");
        };
        begins(&change.words, "a probe run may be left behind: ");
        // It is no change of the user's that the undo of the last one could mean.
        self.no_undo(UndoOf::Last, "Nothing to undo").await;
        let rest = self.looks(&change.job).await;
        assert!(!rest.is_settled(), "{case}: {rest:?}");
        let run = rest
            .left
            .unwrap_or_else(|| panic!("{case}: {:?}", rest.found));
        begins(run.title.as_deref().unwrap(), "[probe, safe to delete] qa");
        let id = self.start_delete(deletion(&run));
        assert!(self.deleted(id).await.is_complete(), "{case}");
        assert_eq!(self.told().await, [], "{case}");
        assert_eq!(self.proxy.count("ADD_DOCUMENT"), 1, "{case}");
        // The box promises it: the copy is as good as that of any run.
        let undo = self.plan_undo(UndoOf::LastOf(run.doc_ref)).await;
        assert!(undo.is_ok(), "{case}: {undo:?}");
    }
}

#[tokio::test]
async fn a_probe_run_whose_creation_got_no_answer_is_offered_for_deletion_at_the_next_start() {
    // No reading within the pauses shows it: a replica is behind.
    let lag = Duration::from_secs(3);
    let mut bench = Bench::with(options(|it| it.lag = lag), |profile| {
        profile.read_again = [10, 20].map(Duration::from_millis).into();
    })
    .await;
    bench.proxy.fault_for("ADD_DOCUMENT", Fault::CutAfter);
    let id = bench.start_probe().await;
    let failure = bench.probed(id).await.unwrap_err();
    assert_eq!(failure.asked, "making the probe run");
    assert_eq!(bench.proxy.count(DELETE), 0);
    bench.proxy.fault(Fault::None);
    tokio::time::sleep(lag).await;
    bench.offers_its_deletion("no answer").await;
}

#[tokio::test]
async fn a_deletion_without_an_end_is_over_once_the_run_was_deleted_after_it() {
    let mut bench = Bench::new().await;
    let run = bench.theirs("Twice").await;
    bench.proxy.fault_for(DELETE, Fault::Answer(Value::Null));
    assert_eq!(bench.delete(&run).await.end, End::Unknown);
    bench.proxy.fault(Fault::None);
    assert_eq!(bench.told().await.len(), 1);
    assert!(bench.delete(&run).await.is_complete());
    assert_eq!(bench.told().await, []);
}

#[tokio::test]
async fn one_that_was_found_by_reading_and_not_deleted_is_offered_too() {
    for (lost, faulty) in [
        (true, CHECK),
        (true, DELETE),
        (false, CHECK),
        (false, DELETE),
    ] {
        let case = format!("{lost} {faulty}");
        let mut bench = Bench::new().await;
        if lost {
            bench.proxy.fault_for("ADD_DOCUMENT", Fault::CutAfter);
        }
        let id = bench.start_probe().await;
        bench.until_passed("ADD_DOCUMENT", 1).await;
        bench.proxy.fault_for(faulty, Fault::CutBefore);
        let _ = bench.probed(id).await;
        let told = |event: &&Event| match event {
            Event::Trouble(it) => it.asked.starts_with("deleting the probe run"),
            _ => false,
        };
        assert_eq!(bench.beside.iter().filter(told).count(), 1, "{case}");
        assert_eq!(bench.journal()[0].made().is_none(), lost, "{case}");
        bench.proxy.fault(Fault::None);
        bench.offers_its_deletion(&case).await;
    }
}

#[tokio::test]
async fn one_that_somebody_else_deleted_is_over_once_document_and_list_show_it() {
    for faulty in [CHECK, DELETE] {
        let mut bench = Bench::new().await;
        bench.proxy.fault_for(faulty, Fault::CutBefore);
        let id = bench.start_probe().await;
        let _ = bench.probed(id).await;
        bench.proxy.fault(Fault::None);
        let run = DocRef::parse(&bench.journal()[0].run).unwrap();
        bench.other.delete(&run).await;
        let told = bench.told().await;
        let rest = bench.looks(&told[0].job).await;
        assert!(rest.is_settled(), "{faulty}: {rest:?}");
        assert_eq!(bench.told().await, [], "{faulty}");
    }
}

#[tokio::test]
async fn a_probe_run_that_is_gone_or_was_never_made_leaves_nothing_to_tell() {
    for refused in [false, true] {
        let mut bench = Bench::new().await;
        if refused {
            bench.proxy.fault_for("ADD_DOCUMENT", Fault::status(403));
        }
        let id = bench.start_probe().await;
        assert_eq!(bench.probed(id).await.is_err(), refused);
        bench.proxy.fault(Fault::None);
        assert_eq!(bench.told().await, []);
    }
}
