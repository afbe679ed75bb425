//! Simulated testers who record results.

use std::time::{Duration, Instant};

use super::client::options;
use rundown::local_service::Options;
use serde_json::{Value, json};

use crate::client::{Client, at, refs};

async fn runs(client: &Client) -> Vec<Value> {
    client
        .all(
            "LIST_TEST_RUNS",
            json!([{ "order": "Root.General.Id ASC" }]),
            json!({}),
        )
        .await
}

/// Counts by code, the code 1 first.
fn counts(run: &Value) -> Vec<u64> {
    let results = at(run, "document.Root.DisplayFields.Result")
        .as_array()
        .unwrap();
    results
        .iter()
        .map(|result| result["count"].as_u64().unwrap())
        .collect()
}

fn passed(runs: &[Value]) -> u64 {
    runs.iter().map(|run| counts(run)[1]).sum()
}

/// Passed, Customer, Failed (new), Failed (known) and Skipped of all, in whole per cent.
fn progress(counts: &[u64]) -> u64 {
    let done: u64 = [1, 3, 4, 5, 10]
        .iter()
        .map(|code: &usize| counts[*code])
        .sum();
    (done * 100).checked_div(counts.iter().sum()).unwrap_or(0)
}

#[tokio::test]
async fn counts_move_and_their_sums_and_closed_runs_do_not() {
    let folder = tempfile::tempdir().unwrap();
    let options = || options(|it| it.database = Some(folder.path().join("service.sqlite")));
    let mut quiet = Client::start(options()).await;
    quiet.sub = None;
    let before = runs(&quiet).await;
    quiet.service.stop().await;

    let mut busy = Client::start(Options {
        live: Some(Duration::from_millis(10)),
        ..options()
    })
    .await;
    busy.sub = None;
    let begun = Instant::now();
    loop {
        let now = runs(&busy).await;
        for (old, new) in before.iter().zip(&now) {
            assert_eq!(
                counts(old).iter().sum::<u64>(),
                counts(new).iter().sum::<u64>(),
                "no case comes or goes"
            );
            assert_eq!(
                at(new, "document.Root.General.Progress"),
                progress(&counts(new))
            );
        }
        if passed(&now) >= passed(&before) + 150 {
            break;
        }
        assert!(
            begun.elapsed() < Duration::from_mins(1),
            "nobody records anything"
        );
    }
    busy.service.stop().await;

    let mut quiet = Client::start(options()).await;
    quiet.sub = None;
    let after = runs(&quiet).await;
    assert_eq!(refs(&before), refs(&after));
    let mut codes = vec![0_i64; 11];
    let mut names = std::collections::BTreeSet::new();
    let (mut changed, mut failures) = (0, 0);
    for (old, new) in before.iter().zip(&after) {
        if counts(old) == counts(new) {
            assert_eq!(old, new, "who records nothing signs nothing");
            continue;
        }
        changed += 1;
        failures += counts(new)[4].saturating_sub(counts(old)[4]);
        let general = at(new, "document.Root.General");
        assert_eq!(
            at(old, "document.Root.General.Status"),
            "active",
            "a closed run was worked on"
        );
        assert_eq!(
            (&general["Status"], &general["SubprojectId"]),
            (&json!("active"), &json!("SP_1"))
        );
        assert_eq!(
            &general["TestSuiteCount"],
            at(old, "document.Root.General.TestSuiteCount")
        );
        let tester = at(new, "document.Root.Metadata.EditedBy");
        assert!(
            at(new, "document.Root.DisplayFields.TestersOfTestCases")
                .as_array()
                .unwrap()
                .contains(tester)
        );
        assert_eq!(&new["__meta"]["modifier"], tester);
        assert_eq!(
            new["__meta"]["modifiedAt"],
            *at(new, "document.Root.Metadata.DisplayEditedOn")
        );
        names.insert(tester.as_str().unwrap().to_owned());
        for (sum, (old, new)) in codes.iter_mut().zip(counts(old).iter().zip(counts(new))) {
            *sum += new.cast_signed() - old.cast_signed();
        }
    }
    assert!(changed >= 8, "{changed} runs");
    assert!(names.len() >= 3 && !names.contains("qa"), "{names:?}");
    assert!(
        codes[0] < 0 && codes[1] >= 150,
        "fewer untested, more passed: {codes:?}"
    );
    assert!(failures > 0, "some of them fail");
    assert_eq!(runs(&quiet).await, after, "it ended with its service");
}
