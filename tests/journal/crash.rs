//! Programs that are killed, and programs that write at the same time.

use crate::support::prelude::*;
use std::collections::HashSet;
use std::io::Write;
use std::process::Stdio;

use rundown::disk::WriteId;

use super::{adding, entry, fresh, lines, sent};
use crate::support::children::{child, killed, told};

/// Adds lines until it is killed; says each number once its line is safe.
#[test]
#[ignore = "a process that the tests start"]
fn child_appends_until_killed() {
    let Some((folder, number)) = told() else {
        return;
    };
    let journal = Journal::open(&folder).unwrap();
    let mut out = std::io::stdout();
    for at in 0.. {
        // From a few bytes to 300 kB, so that kills meet lines that take a while.
        let params = json!({ "text": "x".repeat((at as usize * 7919) % 300_000) });
        journal
            .append(&entry(
                &WriteId::new(at),
                i64::from(number) * 1_000_000 + at,
                sent("M", params),
            ))
            .unwrap();
        writeln!(out, "\nsafe {}", i64::from(number) * 1_000_000 + at).unwrap();
        out.flush().unwrap();
    }
}

#[test]
fn fifty_kills_lose_nothing_that_was_safe() {
    let folder = new_folder();
    let mut safe: Vec<i64> = Vec::new();
    for round in 0..50 {
        let child = child(
            "journal::crash::child_appends_until_killed",
            folder.path(),
            round,
        );
        let after = Duration::from_micros(u64::from(round) * 617 % 9_000);
        safe.extend(killed(child, "safe ", after));
    }
    let journal = Journal::open(folder.path()).unwrap();
    journal
        .append(&entry(&WriteId::new(1), -1, adding(&["TestSuite-dm/1"])))
        .unwrap();
    let lines = lines(folder.path());
    let there: HashSet<i64> = lines
        .iter()
        .flatten()
        .map(|line| line["at"].as_i64().unwrap())
        .collect();
    let lost: Vec<&i64> = safe.iter().filter(|at| !there.contains(at)).collect();
    assert!(lost.is_empty(), "{lost:?}");
    assert!(there.contains(&-1));
    let torn = lines.iter().filter(|line| line.is_none()).count();
    assert!(
        torn <= 50,
        "{torn}: at most the last line of each that was killed"
    );
    let read = journal.newest(None).unwrap();
    assert_eq!(read.writes[0].at, -1);
    assert!(matches!(read.writes[0].last(), Some(Recorded::Sent { .. })));
}

/// Adds a thousand lines, some of them long.
#[test]
#[ignore = "a process that the tests start"]
fn child_appends_a_thousand() {
    let Some((folder, number)) = told() else {
        return;
    };
    let journal = Journal::open(&folder).unwrap();
    for at in 0..1_000_i64 {
        let length = if at % 10 == 0 { 100_000 } else { 300 };
        let params = json!({ "text": char::from(b'a' + number as u8).to_string().repeat(length) });
        journal
            .append(&entry(
                &WriteId::new(at),
                i64::from(number) * 10_000 + at,
                sent("M", params),
            ))
            .unwrap();
    }
}

#[test]
fn two_programs_at_once_tear_and_lose_nothing() {
    let folder = new_folder();
    let start = |number| {
        let mut command = child(
            "journal::crash::child_appends_a_thousand",
            folder.path(),
            number,
        );
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let mut children = [start(1), start(2)];
    assert!(
        children
            .iter_mut()
            .all(|child| child.wait().unwrap().success())
    );
    let lines = lines(folder.path());
    assert_eq!(lines.len(), 2_000);
    let mut seen = [Vec::new(), Vec::new()];
    let mut names = HashSet::new();
    for line in lines {
        let line = line.unwrap();
        let at = line["at"].as_i64().unwrap();
        seen[usize::from(at >= 20_000)].push(at % 10_000);
        names.insert(line["write"].as_str().unwrap().to_owned());
    }
    let whole: Vec<i64> = (0..1_000).collect();
    assert_eq!(
        seen,
        [whole.clone(), whole],
        "all of them, each program's in its order"
    );
    assert_eq!(names.len(), 2_000, "no two writes have the same name");
}

#[test]
fn threads_share_one_journal() {
    let (folder, journal) = fresh();
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let journal = &journal;
            scope.spawn(move || {
                for at in 0..50 {
                    let params = json!({ "text": "y".repeat(20_000) });
                    journal
                        .append(&entry(
                            &WriteId::new(at),
                            thread * 100 + at,
                            sent("M", params),
                        ))
                        .unwrap();
                }
            });
        }
    });
    assert_eq!(lines(folder.path()).iter().flatten().count(), 200);
}

#[test]
fn a_torn_last_line_stays_and_harms_no_other() {
    let folder = new_folder();
    let file = folder.path().join("journal.ndjson");
    let journal = Journal::open(folder.path()).unwrap();
    let write = WriteId::new(5);
    journal
        .append(&entry(&write, 5, adding(&["TestSuite-dm/1"])))
        .unwrap();
    for torn in [
        &b"{\"write\":\"half"[..],
        b"\0\0\0\0",
        b"\xff\xfe{}",
        b"{}",
        b"[1]",
    ] {
        let before = std::fs::read(&file).unwrap();
        std::fs::OpenOptions::new()
            .append(true)
            .open(&file)
            .unwrap()
            .write_all(torn)
            .unwrap();
        let journal = Journal::open(folder.path()).unwrap();
        let torn_lines = journal.newest(None).unwrap().torn;
        assert_eq!(journal.newest(None).unwrap().writes.len(), 1, "{torn:?}");
        journal
            .append(&entry(&write, 6, sent("M", json!({}))))
            .unwrap();
        let after = std::fs::read(&file).unwrap();
        assert!(
            after.starts_with(&[&before, torn, b"\n"].concat()),
            "what was torn is kept as it is"
        );
        let read = journal.newest(None).unwrap();
        assert_eq!((read.torn, read.writes.len()), (torn_lines, 1));
    }
    let read = journal.newest(None).unwrap();
    assert_eq!((read.torn, read.writes[0].steps.len()), (5, 6));
}

#[test]
fn a_whole_line_that_lacks_its_end_is_read() {
    let (folder, journal) = fresh();
    journal
        .append(&entry(&WriteId::new(1), 1, adding(&[])))
        .unwrap();
    let file = folder.path().join("journal.ndjson");
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.pop();
    std::fs::write(&file, bytes).unwrap();
    journal
        .append(&entry(&WriteId::new(2), 2, adding(&[])))
        .unwrap();
    let read = journal.newest(None).unwrap();
    assert_eq!(
        (
            read.torn,
            read.writes.iter().map(|write| write.at).collect::<Vec<_>>()
        ),
        (0, vec![2, 1])
    );
}
