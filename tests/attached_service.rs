//! The engine against the local service over HTTP: what it says is what the database holds.

use super::support;
use crate::support::prelude::*;
use rundown::ops::client::{Client, ClientSettings};
use rundown::{attached, domain, rpc};

use std::fmt::Arguments;
use std::sync::Mutex;

use attached::{Attached, PriorKnowledge, State, SurveyLimits, survey};
use domain::{DocRef, Filter, Page, RunRow, Status};
use rpc::Writer;

struct Scene {
    client: Client,
    service: LocalService,
}

async fn scene(options: Options) -> Scene {
    let service = LocalService::start(options, |_, _| {}).await.unwrap();
    let (tokens, reader) = support::service_reader(&service).await;
    let profile = rundown::demo::profile(&service.profile()).unwrap();
    let settings = ClientSettings {
        profile: profile.name,
        service: String::new(),
        user: "qa".into(),
        me: Vec::new(),
        locale: profile.locale,
        page_size: profile.page_size,
        pauses: profile.read_again,
    };
    Scene {
        client: Client::new(reader, tokens, settings),
        service,
    }
}

impl Scene {
    /// The first runs of the list with this status.
    async fn runs(&self, status: &str, many: u32) -> Vec<RunRow> {
        let filter =
            Filter::default().with(|it| it.filters = vec![format!("Root.General.Status:{status}")]);
        self.client
            .reader
            .list_runs(
                Page {
                    offset: 0,
                    limit: many,
                },
                &[],
                &filter,
            )
            .await
            .unwrap()
            .rows
    }

    async fn look(&self, run: &DocRef, known: &PriorKnowledge) -> (Attached, usize) {
        self.look_by(run, known, 9).await
    }

    async fn look_by(
        &self,
        run: &DocRef,
        known: &PriorKnowledge,
        page_size: u32,
    ) -> (Attached, usize) {
        let lists = Mutex::new(BTreeSet::new());
        let progress = |words: Arguments<'_>| {
            let words = words.to_string();
            if let Some((run, rest)) = words.split_once(": ")
                && rest.contains(" lists, ")
            {
                lists.lock().unwrap().insert(run.to_owned());
            }
        };
        let settings = SurveyLimits::default().with(|it| it.page_size = page_size);
        let attached = survey(&self.client, run, known, settings, &progress)
            .await
            .unwrap();
        let lists = lists.lock().unwrap().len();
        (attached, lists)
    }

    /// What the database holds.
    fn truth(&self, run: &DocRef) -> BTreeSet<String> {
        let suites = support::served::suites_of(&self.service, run);
        suites.iter().map(ToString::to_string).collect()
    }
}

fn sure(attached: &Attached) -> BTreeSet<String> {
    attached
        .sure()
        .map(|named| named.suite.to_string())
        .collect()
}

/// A survey can be a task of its own, and ends when nobody waits for it.
#[tokio::test]
async fn a_survey_is_given_up_by_dropping_it() {
    let scene = scene(options(|it| {
        it.latency = Duration::from_millis(40);
    }))
    .await;
    let run = scene.runs("active", 1).await.remove(0).doc_ref;
    let (client, asked) = (scene.client.clone(), Arc::new(Mutex::new(0)));
    let count = asked.clone();
    let (begun, mut first_list) = tokio::sync::mpsc::unbounded_channel();
    let task = tokio::spawn(async move {
        let progress = move |words: Arguments<'_>| {
            *count.lock().unwrap() += 1;
            if words.to_string().contains(" lists, ") {
                begun.send(()).unwrap();
            }
        };
        survey(
            &client,
            &run,
            &PriorKnowledge::default(),
            SurveyLimits::default(),
            &progress,
        )
        .await
        .is_ok()
    });
    first_list.recv().await.unwrap();
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    // The callback is gone with the task: nobody is left who could go on.
    assert_eq!(Arc::strong_count(&asked), 1);
}

#[tokio::test]
async fn the_verdict_is_what_the_database_holds() {
    let scene = scene(options(|it| it.page_limit = Some(7))).await;
    let mut complete = 0;
    for run in scene.runs("active", 12).await {
        let (attached, lists) = scene.look(&run.doc_ref, &PriorKnowledge::default()).await;
        let (truth, sure) = (scene.truth(&run.doc_ref), sure(&attached));
        assert!(
            sure.is_subset(&truth),
            "{}: {sure:?} of {truth:?}",
            run.name()
        );
        let besides = (truth.len() - sure.len()) as u64;
        assert_eq!(
            attached.unknown,
            Some(besides),
            "{} {:?}",
            run.name(),
            attached.why()
        );
        assert!(lists <= 41, "{lists} lists");
        if attached.is_complete() {
            complete += 1;
            assert_eq!(sure, truth);
        } else {
            assert_eq!(attached.state, State::Partial);
        }
    }
    assert!(complete > 0, "no run of twelve could be worked out whole");
}

#[tokio::test]
async fn an_empty_run_stands_in_for_counts_that_are_gone() {
    let scene = scene(options(|it| it.without_list_test_runs = true)).await;
    let busy = |run: &RunRow| {
        run.version.as_deref() == Some("1.2.0") && !scene.truth(&run.doc_ref).is_empty()
    };
    let run = scene
        .runs("active", 100)
        .await
        .into_iter()
        .find(busy)
        .unwrap();
    let other = desk_client(&scene.service).await;
    let empty = other.add_run("Nothing in it").await;
    // Lists of several pages are of no one moment: without counts they prove nothing.
    let (attached, _) = scene.look(&run.doc_ref, &PriorKnowledge::default()).await;
    assert_eq!(
        (attached.state, attached.sure().count()),
        (State::Unchecked, 0)
    );
    let (attached, _) = scene
        .look_by(&run.doc_ref, &PriorKnowledge::default(), 100)
        .await;
    assert_eq!(
        attached.state,
        State::CompleteWorkedOut,
        "{:?}",
        attached.why()
    );
    assert_eq!(sure(&attached), scene.truth(&run.doc_ref));
    let (attached, _) = scene.look(&empty, &PriorKnowledge::default()).await;
    assert!(attached.state == State::Empty && attached.empty == Some(true));
}

#[tokio::test]
async fn a_suite_taken_out_is_free_again_and_a_closed_run_says_so() {
    let scene = scene(Options::default()).await;
    let other = desk_client(&scene.service).await;
    let run = other.add_run("Three suites").await;
    let (page, all) = (
        Page {
            offset: 0,
            limit: 3,
        },
        Filter::default(),
    );
    let free = scene
        .client
        .reader
        .get_available_test_suites(&run, page, &[], &all)
        .await
        .unwrap();
    let three: Vec<_> = free
        .rows
        .iter()
        .map(|suite| suite.doc_ref().clone())
        .collect();
    let writer = Writer::new(scene.client.reader.clone());
    writer.add_test_suites_to_run(&run, &three).await.unwrap();
    let (attached, _) = scene.look(&run, &PriorKnowledge::default()).await;
    assert!(
        sure(&attached).is_subset(&scene.truth(&run)) && attached.count == Some(3),
        "{}",
        attached.words()
    );
    writer
        .delete_test_suites_from_run(&run, &three[..1])
        .await
        .unwrap();
    let (attached, _) = scene
        .look(
            &run,
            &PriorKnowledge::default().with(|it| it.typed = three.clone()),
        )
        .await;
    assert!(attached.named.iter().all(|named| named.suite != three[0]));
    assert_eq!(attached.count, Some(2));
    assert!(sure(&attached).is_subset(&scene.truth(&run)));
    let closed = scene.runs("inactive", 1).await.remove(0);
    let (attached, lists) = scene
        .look(&closed.doc_ref, &PriorKnowledge::default())
        .await;
    assert!(attached.state == State::Closed && lists == 0 && closed.status == Status::Inactive);
}
