//! What is known of the suites of a run from the writes made here.

use crate::support::prelude::*;
use rundown::disk::WriteId;
use rundown::domain::SuiteRow;

use super::{OTHER_RUN, RUN, adding, entry, fresh, qa, removing};

fn link(suite: &str) -> Value {
    json!({ "id": null, "linkDescriptor": { "position": "TOP", "predecessorLinkRef": null, "entities": [
        { "role": null, "modelName": null, "docRef": suite }, { "role": "x", "docRef": RUN }, { "docRef": null },
    ] } })
}

#[test]
fn answers_and_confirmations_tell_in_the_order_of_sending() {
    let (_folder, journal) = fresh();
    let mut at = 0;
    let mut write = |steps: &[Recorded], change: &dyn Fn(&mut rundown::disk::WriteStep)| {
        let write = WriteId::new(at);
        for step in steps {
            at += 1;
            let mut entry = entry(&write, at, step.clone());
            change(&mut entry);
            journal.append(&entry).unwrap();
        }
    };
    let answered = |result: Value| Recorded::Answered { result };
    let confirmed = || Recorded::Confirmed { how: "read".into() };
    let same = |_: &mut rundown::disk::WriteStep| {};
    write(
        &[
            adding(&["TestSuite-dm/1", "TestSuite-dm/2"]),
            answered(json!([link("TestSuite-dm/1")])),
        ],
        &same,
    );
    write(
        &[
            adding(&["TestSuite-dm/3"]),
            answered(json!([{ "linkDescriptor": null }])),
        ],
        &same,
    );
    write(
        &[
            removing(&["TestSuite-dm/1"]),
            answered(Value::Null),
            confirmed(),
        ],
        &same,
    );
    write(
        &[
            adding(&["TestSuite-dm/4"]),
            Recorded::Unknown {
                failure: "reset".into(),
            },
            confirmed(),
        ],
        &same,
    );
    // None of these says that anything changed in this run, for this profile.
    write(&[adding(&["TestSuite-dm/5"])], &same);
    write(
        &[
            adding(&["TestSuite-dm/5"]),
            Recorded::Unknown {
                failure: "reset".into(),
            },
        ],
        &same,
    );
    write(
        &[
            adding(&["TestSuite-dm/5"]),
            Recorded::Refused {
                sent: true,
                failure: "closed".into(),
            },
        ],
        &same,
    );
    write(
        &[
            adding(&["TestSuite-dm/5"]),
            answered(json!([])),
            Recorded::Differs {
                what: "not there".into(),
            },
        ],
        &same,
    );
    write(&[adding(&["TestSuite-dm/5"]), confirmed()], &|entry| {
        entry.run = OTHER_RUN.into();
    });
    write(&[adding(&["TestSuite-dm/5"]), confirmed()], &|entry| {
        entry.run = format!("{RUN}0");
    });
    write(&[adding(&["TestSuite-dm/5"]), confirmed()], &|entry| {
        entry.profile = "live".into();
    });
    write(
        &[adding(&["no reference", "TestRun-dm/5"]), confirmed()],
        &same,
    );
    let known = journal.known_suites(&qa(), RUN).unwrap();
    let (doubted, known): (Vec<_>, Vec<_>) = known.iter().partition(|it| it.is_contradicted);
    let doubted = doubted.iter().map(|it| (it.suite.as_str(), it.at));
    assert_eq!(doubted.collect::<Vec<_>>(), [("TestSuite-dm/5", 17)]);
    let told: Vec<(&str, bool, i64)> = known
        .iter()
        .map(|change| (change.suite.as_str(), change.added, change.at))
        .collect();
    assert_eq!(
        told,
        [
            ("TestSuite-dm/1", true, 2),
            ("TestSuite-dm/3", true, 4),
            ("TestSuite-dm/1", false, 7),
            ("TestSuite-dm/4", true, 10),
        ]
    );
}

#[test]
fn a_suite_has_the_name_that_its_request_kept() {
    let (_folder, journal) = fresh();
    let write = WriteId::new(1);
    let Recorded::Sent { method, params, .. } = adding(&["TestSuite-dm/1", "TestSuite-dm/2"])
    else {
        panic!("it is sent");
    };
    let note = Some(json!({ "suites": ["S_3 Security review: time booking"] }));
    let sent = Recorded::Sent {
        method,
        params,
        note,
    };
    for (at, step) in (1..).zip([sent, Recorded::Confirmed { how: "read".into() }]) {
        journal.append(&entry(&write, at, step)).unwrap();
    }
    let known = journal.known_suites(&qa(), RUN).unwrap();
    let names: Vec<&str> = known.iter().map(|change| change.name.as_str()).collect();
    assert_eq!(
        names,
        ["S_3 Security review: time booking", "TestSuite-dm/2"]
    );
    let row = SuiteRow::named(known[0].suite.clone(), names[0]);
    assert_eq!(
        (row.name(), row.title.as_deref()),
        ("S_3", Some("Security review: time booking"))
    );
    let row = SuiteRow::named(known[1].suite.clone(), names[1]);
    assert_eq!((row.id, row.title), (None, None));
}
