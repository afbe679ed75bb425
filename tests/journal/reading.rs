//! What the screen is given.

use crate::support::prelude::*;
use std::fs::OpenOptions;
use std::io::Write;

use rundown::disk::WriteId;

use super::{OTHER_RUN, RUN, adding, entry, fresh, qa, removing};

#[test]
fn writes_come_newest_first_with_their_state_in_words() {
    let (_folder, journal) = fresh();
    let answered = || Recorded::Answered {
        result: Value::Null,
    };
    let cases: [(&[Recorded], &str); 9] = [
        (&[], "end not known"),
        (&[answered()], "not checked"),
        (
            &[
                answered(),
                Recorded::Confirmed {
                    how: "TestSuiteCount 3".into(),
                },
            ],
            "done",
        ),
        (
            &[
                answered(),
                Recorded::Differs {
                    what: "still 4".into(),
                },
            ],
            "differs",
        ),
        (
            &[Recorded::Refused {
                sent: true,
                failure: "closed".into(),
            }],
            "refused",
        ),
        (
            &[Recorded::Refused {
                sent: false,
                failure: "no connection".into(),
            }],
            "not sent",
        ),
        (
            &[Recorded::Unknown {
                failure: "reset".into(),
            }],
            "end not known",
        ),
        (
            &[
                Recorded::Unknown {
                    failure: "reset".into(),
                },
                Recorded::Differs {
                    what: "as it was before".into(),
                },
            ],
            "end not known",
        ),
        // Its answer was lost.
        (
            &[
                Recorded::Confirmed { how: "read".into() },
                Recorded::Differs {
                    what: "as it was before".into(),
                },
            ],
            "differs",
        ),
    ];
    let writes: Vec<WriteId> = (0..9).map(WriteId::new).collect();
    for (at, write) in (0..).zip(&writes) {
        journal
            .append(&entry(write, at, removing(&["TestSuite-dm/1"])))
            .unwrap();
    }
    // The later steps of different writes stand between each other.
    for step in 0..2 {
        for (write, (steps, _)) in writes.iter().zip(&cases) {
            if let Some(step) = steps.get(step) {
                journal.append(&entry(write, 99, step.clone())).unwrap();
            }
        }
    }
    let read = journal.newest(None).unwrap();
    let told: Vec<(&WriteId, usize, &str)> = read
        .writes
        .iter()
        .map(|write| (&write.write, write.steps.len(), write.state()))
        .collect();
    let wanted: Vec<(&WriteId, usize, &str)> = writes
        .iter()
        .zip(&cases)
        .map(|(write, (steps, words))| (write, steps.len() + 1, *words))
        .rev()
        .collect();
    assert_eq!(told, wanted);
    let first = read.writes.last().unwrap();
    assert_eq!(
        (
            first.profile.as_str(),
            first.run.as_str(),
            first.run_name.as_str()
        ),
        ("qa", RUN, "R_7 Smoke")
    );
    let (method, params) = first.request().unwrap();
    assert_eq!(method, "DELETE_TEST_SUITES_FROM_RUN");
    assert_eq!(
        *params,
        json!({ "testRunDocRef": RUN, "testSuiteDocRefs": ["TestSuite-dm/1"] })
    );
    assert!(!read.more);
}

#[test]
fn the_writes_of_one_profile_are_read() {
    let (_folder, journal) = fresh();
    let [first, second, third] = [WriteId::new(1), WriteId::new(2), WriteId::new(3)];
    journal
        .append(&entry(&first, 1, adding(&["TestSuite-dm/20744"])))
        .unwrap();
    journal
        .append(&entry(
            &first,
            1,
            Recorded::Confirmed {
                how: "Reading agrees".into(),
            },
        ))
        .unwrap();
    let mut other = entry(&second, 2, removing(&["TestSuite-dm/3"]));
    other.run = OTHER_RUN.into();
    journal.append(&other).unwrap();
    let mut other = entry(&third, 3, adding(&["TestSuite-dm/4"]));
    other.profile = "live".into();
    journal.append(&other).unwrap();
    let fourth = WriteId::new(4);
    let mut other = entry(&fourth, 4, adding(&["TestSuite-dm/5"]));
    other.target.service = "https://other.example/api".into();
    journal.append(&other).unwrap();
    let found = |profile: Option<&str>| {
        let of = profile.map(|profile| qa().with(|it| it.profile = profile.into()));
        let read = journal.newest(of.as_ref()).unwrap();
        read.writes.iter().map(|write| write.at).collect::<Vec<_>>()
    };
    assert_eq!(found(None), [4, 3, 2, 1]);
    assert_eq!(found(Some("live")), [3]);
    // That of another service is of another, whatever the profile is called.
    assert_eq!(found(Some("qa")), [2, 1]);
    assert_eq!(found(Some("none")), [0; 0]);
}

#[test]
fn a_new_run_gets_its_reference_with_the_answer() {
    let (_folder, journal) = fresh();
    let write = WriteId::new(1);
    let mut begun = entry(&write, 1, super::sent("ADD_DOCUMENT", json!({})));
    begun.run.clear();
    journal.append(&begun).unwrap();
    journal
        .append(&entry(
            &write,
            2,
            Recorded::Answered {
                result: json!({ "docRef": RUN }),
            },
        ))
        .unwrap();
    let mut later = entry(&write, 3, Recorded::Confirmed { how: "read".into() });
    later.run.clear();
    journal.append(&later).unwrap();
    let read = journal.newest(None).unwrap();
    assert_eq!((read.writes.len(), read.writes[0].steps.len()), (1, 3));
    assert_eq!(read.writes[0].run, RUN);
}

#[test]
fn what_a_later_version_wrote_is_shown_as_it_stands() {
    let (_folder, journal) = fresh();
    let write = WriteId::new(1);
    journal.append(&entry(&write, 1, adding(&[]))).unwrap();
    let mut file = OpenOptions::new()
        .append(true)
        .open(journal.path())
        .unwrap();
    for more in [
        r#""step":"answered","result":[],"took":1.50"#,
        r#""step":"undone","by":{"write":"x"}"#,
        r#""step":"confirmed","how":7"#,
    ] {
        writeln!(
            file,
            r#"{{"v":9,"write":"{write}","at":2,"profile":"qa","run":"{RUN}",{more}}}"#
        )
        .unwrap();
    }
    let read = journal.newest(None).unwrap();
    // A step that it calls as we do, with other members, counts as damaged: both decide nothing.
    assert_eq!((read.torn, read.writes.len()), (1, 1));
    let record = &read.writes[0];
    assert_eq!(
        record.last(),
        Some(&Recorded::Answered { result: json!([]) }),
        "a step that is not understood decides nothing"
    );
    let steps = &record.steps;
    assert_eq!(steps[1].step, Recorded::Answered { result: json!([]) });
    assert_eq!((steps.len(), &steps[2].step), (3, &Recorded::Other));
}

#[test]
fn a_huge_file_is_read_from_its_end_only() {
    let (_folder, journal) = fresh();
    // 64 GiB that stand nowhere on the disk: whoever reads them all does not come to an end.
    OpenOptions::new()
        .write(true)
        .open(journal.path())
        .unwrap()
        .set_len(64 << 30)
        .unwrap();
    for at in 0..40 {
        let params = json!({ "text": "z".repeat(300_000) });
        journal
            .append(&entry(&WriteId::new(at), at, super::sent("M", params)))
            .unwrap();
    }
    let begun = Instant::now();
    let read = journal.newest(None).unwrap();
    assert!(
        (20..40).contains(&read.writes.len()),
        "{}: as many as 8 MiB hold",
        read.writes.len()
    );
    assert_eq!((read.torn, read.more, read.writes[0].at), (0, true, 39));
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
}

#[test]
fn a_file_that_was_moved_away_has_no_older_writes() {
    let (_folder, journal) = fresh();
    std::fs::remove_file(journal.path()).unwrap();
    let read = journal.newest(None).unwrap();
    assert_eq!((read.writes.len(), read.more), (0, false));
}
