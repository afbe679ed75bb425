//! No secret gets into the journal: there is no place for one.

use crate::support::prelude::*;
use rundown::disk::{WriteId, WriteStep};
use rundown::domain::WriteTarget;
use rundown::rpc::Writer;

use super::support::{SECRET, run, signed_in};
use super::{adding, entry, fresh, lines};

/// A new member of an entry makes this fail to compile: whoever adds one must think of secrets.
fn members(entry: &WriteStep) -> Vec<&'static str> {
    let WriteStep {
        write: _,
        at: _,
        profile: _,
        target: WriteTarget {
            service: _,
            project: _,
        },
        user: _,
        run: _,
        run_name: _,
        step,
    } = entry;
    let own: &[&str] = match step {
        Recorded::Sent {
            method: _,
            params: _,
            note: _,
        } => &["method", "params", "note"],
        Recorded::Answered { result: _ } => &["result"],
        Recorded::Refused {
            sent: _,
            failure: _,
        } => &["sent", "failure"],
        Recorded::Unknown { failure: _ } => &["failure"],
        Recorded::Confirmed { how: _ } => &["how"],
        Recorded::Differs { what: _ } => &["what"],
        Recorded::Other => &[],
    };
    let all = [
        "write", "at", "profile", "service", "project", "user", "run", "run_name", "step",
    ];
    [&all, own].concat()
}

#[tokio::test]
async fn a_refused_write_leaves_no_secret() {
    let server = Scripted::service(|seen, _| {
        let error = json!({ "code": -32036, "message": "Operation failed", "data": { "title": { "en": "closed" } } });
        Say::json(200, &json!({ "jsonrpc": "2.0", "id": seen.id(), "error": error }))
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    let suites = [DocRef::parse("TestSuite-dm/1").unwrap()];
    let failure = Writer::new(reader)
        .add_test_suites_to_run(&run(), &suites)
        .await
        .unwrap_err();
    let (folder, journal) = fresh();
    let write = WriteId::new(1);
    let mut sent = adding(&["TestSuite-dm/1"]);
    if let Recorded::Sent { params, note, .. } = &mut sent {
        *params = server.calls()[0].json()["params"].take();
        *note = Some(json!({ "Passed": 3 }));
    }
    let entries = [
        entry(&write, 1, sent),
        entry(
            &write,
            2,
            Recorded::Refused {
                sent: true,
                failure: failure.to_string(),
            },
        ),
        entry(
            &write,
            3,
            Recorded::Unknown {
                failure: format!("{failure:?}"),
            },
        ),
        entry(&write, 4, Recorded::Answered { result: json!([]) }),
        entry(&write, 5, Recorded::Confirmed { how: "read".into() }),
        entry(
            &write,
            6,
            Recorded::Differs {
                what: "read".into(),
            },
        ),
    ];
    for entry in &entries {
        journal.append(entry).unwrap();
    }
    assert!(
        server.calls()[0].bearer().contains("canary") && SECRET.contains("canary"),
        "there were secrets to leak"
    );
    let text = std::fs::read_to_string(journal.path()).unwrap();
    lacks(&text, "canary");
    for (line, entry) in lines(folder.path()).into_iter().flatten().zip(&entries) {
        let there: Vec<String> = line.as_object().unwrap().keys().cloned().collect();
        assert_eq!(there, members(entry));
    }
}
