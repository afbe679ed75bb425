//! Runs whose answer is lost: looked for by title, author and time, and never sent again.

use std::time::Duration;

use rundown::domain::{CreateEnd, DocRef};
use rundown::local_service::Options;
use rundown::store::{Effect, Event, RequestId};
use serde_json::json;

use super::bench::{Bench, create_of, names, together};
use super::scene::Scene;
use super::support::proxy::Fault;
use super::support::scripted::{Say, Seen};

const ADD: &str = "ADD_DOCUMENT";

/// References of what looking for a run has found, and the words.
fn unknown(end: &CreateEnd) -> (Vec<DocRef>, String) {
    match end {
        CreateEnd::Unknown {
            why,
            found: Ok(found),
        } => (
            found.iter().map(|row| row.doc_ref.clone()).collect(),
            why.clone(),
        ),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn an_answer_lost_before_the_service_acted() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for(ADD, Fault::CutBefore);
    let ends = bench.create(create_of(&["Lost", "Next"], &[])).await;
    let (found, why) = unknown(&ends[0]);
    assert!(found.is_empty(), "{found:?}");
    assert!(
        why.contains("not sent again") && why.contains("no new run has this title and author"),
        "{why}"
    );
    assert!(
        matches!(&ends[1], CreateEnd::Not(why) if why.contains("run 1 of 2")),
        "{ends:?}"
    );
    assert!(bench.titles("Lost").is_empty());
    assert_eq!(bench.writes(), [ADD], "sent once");
    assert_eq!(bench.steps(), ["sent", "unknown", "differs"]);
}

#[tokio::test]
async fn an_answer_lost_after_the_service_acted() {
    together(
        [
            Options::default(),
            Options {
                lag: Duration::from_millis(800),
                ..Options::default()
            },
            Options {
                without_list_test_runs: true,
                page_limit: Some(5),
                ..Options::default()
            },
        ]
        .map(async |options| {
            let mut bench = Bench::of(options).await;
            bench.proxy.fault_for(ADD, Fault::CutAfter);
            let suites = [DocRef::parse("TestSuite-dm/1").unwrap()];
            let ends = bench.create(create_of(&["Lost", "Next"], &suites)).await;
            let (found, why) = unknown(&ends[0]);
            assert_eq!(found.len(), 1, "{why}");
            assert_eq!(
                bench.truth(&found[0]).unwrap()["Root"]["General"]["Title"],
                "Lost"
            );
            assert!(why.contains(found[0].as_str()), "{why}");
            assert_eq!(bench.titles("Lost").len(), 1, "never a second one");
            assert!(bench.titles("Next").is_empty());
            assert_eq!(
                bench.writes(),
                [ADD],
                "sent once, and no suites into a run that may be another"
            );
            assert_eq!(
                bench.steps(),
                ["sent", "unknown", "unknown"],
                "a person decides"
            );
        }),
    )
    .await;
}

#[tokio::test]
async fn it_is_looked_for_again_later_by_reading_only() {
    let mut bench = Bench::new().await;
    let known = bench.make("Twin", &[]).await.doc_ref().clone();
    let sent = jiff::Timestamp::now().as_millisecond();
    bench.proxy.fault_for(ADD, Fault::CutAfter);
    let ends = bench.create(create_of(&["Twin"], &[])).await;
    let lost = unknown(&ends[0]).0;
    assert_eq!(lost.len(), 1);
    // Made again from here since, and answered: that one is shown, too.
    bench.proxy.fault_for(ADD, Fault::None);
    let again = bench.make("Twin", &[]).await.doc_ref().clone();
    let writes = bench.writes().len();
    let titles = vec!["Twin".to_owned(), "Never sent".to_owned()];
    let id = bench.send(|id| Effect::LookFor {
        id,
        titles,
        since: sent,
    });
    let came = |event: &Event| match event {
        Event::LookedFor { id: other, result } if *other == id => Some(result.clone().unwrap()),
        _ => None,
    };
    let looked = bench.until("what was found", came).await;
    let mut found: Vec<DocRef> = looked.found.iter().map(|row| row.doc_ref.clone()).collect();
    let mut expected = vec![lost[0].clone(), again];
    found.sort();
    expected.sort();
    assert_eq!(found, expected, "and not {known}: {}", looked.words);
    assert_eq!(bench.writes().len(), writes, "reading only");
}

#[tokio::test]
async fn what_cannot_be_looked_for_is_said() {
    let mut bench = Bench::new().await;
    bench.proxy.fault_for(ADD, Fault::CutAfter);
    let id = bench.start_create(create_of(&["Lost"], &[]));
    while bench.titles("Lost").is_empty() {
        tokio::task::yield_now().await;
    }
    bench.proxy.go_down().await;
    let ends = bench.created(id, 1).await;
    let CreateEnd::Unknown {
        found: Err(why), ..
    } = &ends[0]
    else {
        panic!("{ends:?}")
    };
    assert!(why.contains("no connection"), "{why}");
    assert_eq!(bench.steps(), ["sent", "unknown"]);
}

#[tokio::test]
async fn runs_that_cannot_be_it_are_not_offered() {
    let mut bench = Bench::new().await;
    // The same title: made from here, answered; made by somebody else; made long ago.
    let known = bench.make("Twin", &[]).await.doc_ref().clone();
    let theirs = bench.run("Twin").await.doc_ref().clone();
    bench.edit(&theirs, "mai", |document| {
        document["Root"]["Metadata"]["CreatedBy"] = "mai".into();
    });
    let old = bench.run("Twin").await.doc_ref().clone();
    bench.age(&old, 130_000);
    bench.proxy.fault_for(ADD, Fault::CutBefore);
    let ends = bench.create(create_of(&["Twin"], &[])).await;
    let (found, why) = unknown(&ends[0]);
    assert!(found.is_empty(), "{found:?}; {known} {theirs} {old}");
    assert!(why.contains("made by somebody else: 1 (mai)"), "{why}");
    // One that the same person made elsewhere may be it.
    let elsewhere = bench.run("Twin").await.doc_ref().clone();
    let ends = bench.create(create_of(&["Twin"], &[])).await;
    assert_eq!(unknown(&ends[0]).0, [elsewhere]);
    assert_eq!(bench.titles("Twin").len(), 4);
}

/// A list of `size` runs that cannot be sorted; the newest is the last.
fn unsorted(seen: &Seen, size: u64, at: i64) -> Say {
    let params = &seen.json()["params"];
    if params.get("sort").is_some() {
        let error = json!({"jsonrpc": "2.0", "id": seen.id(), "error": {"code": -32602, "message": "no such order"}});
        return Say::json(200, &error);
    }
    let (offset, limit) = (
        params["page"]["offset"].as_u64().unwrap(),
        params["page"]["limit"].as_u64().unwrap(),
    );
    let run = |number: u64| {
        let metadata =
            json!({"CreatedBy": "qa", "CreatedOn": if number + 1 == size { at } else { 7 }});
        json!({
            "docRef": format!("TestRun-dm/{number}"),
            "document": {"Root": {"General": {"Title": "Lost", "Id": format!("R_{number}")}, "Metadata": metadata}}
        })
    };
    let entries: Vec<_> = (offset..size.min(offset + limit)).map(run).collect();
    let list = json!({"fullSize": size, "page": params["page"], "entries": entries});
    Say::result(seen, &json!({"result": list, "filterItemMap": {}}))
}

#[tokio::test]
async fn a_list_that_does_not_sort_is_looked_through_as_far_as_it_goes() {
    together([(120, true), (300, false)].map(async |(size, far)| {
        let at = jiff::Timestamp::now().as_millisecond();
        let mut scene = Scene::new(move |seen, _| match seen.method().as_str() {
            // Something that is no answer: the service may have acted or not.
            "ADD_DOCUMENT" => Say::bytes(200, "<html>"),
            _ => unsorted(seen, size, at),
        })
        .await;
        let create = Box::new(create_of(&["Lost"], &[]));
        let came = |event| {
            if let Event::Created { end, .. } = event {
                Some(end)
            } else {
                None
            }
        };
        let end = scene
            .after(
                Effect::Create {
                    id: RequestId(1),
                    create,
                },
                came,
            )
            .await;
        let CreateEnd::Unknown {
            why,
            found: Ok(found),
        } = &end
        else {
            panic!("{end:?}")
        };
        assert_eq!(
            why.contains("which may not be all that are new"),
            !far,
            "{why}"
        );
        let found: Vec<_> = found.iter().map(|row| row.doc_ref.as_str()).collect();
        assert_eq!(
            found,
            if far {
                vec!["TestRun-dm/119"]
            } else {
                Vec::new()
            },
            "{why}"
        );
        let methods: Vec<String> = scene.service.calls().iter().map(Seen::method).collect();
        assert_eq!(
            methods
                .iter()
                .filter(|method| *method == "ADD_DOCUMENT")
                .count(),
            1,
            "{methods:?}"
        );
        assert_eq!(
            names(&scene.journal()[0]),
            ["sent", "unknown", "unknown"],
            "nothing is concluded"
        );
    }))
    .await;
}
