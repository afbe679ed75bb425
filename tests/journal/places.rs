//! Where the journal stands, whose it is, and what is said when it cannot be kept.

use crate::support::prelude::*;
use std::fs::{self, Permissions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;

use rundown::disk::{DiskError, WriteId};

use super::{RUN, adding, entry, fresh, lines, qa};
use crate::support::children::{SEEN, child, told};

/// A user without rights, where the tests run as one who has all.
const NOBODY: u32 = 65_534;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn am_root(folder: &Path) -> bool {
    fs::metadata(folder).unwrap().uid() == 0
}

#[test]
fn folder_and_file_are_the_owners_alone() {
    let place = new_folder();
    let folder = place.path().join("state/rundown");
    let journal = Journal::open(&folder).unwrap();
    let file = folder.join("journal.ndjson");
    assert_eq!(journal.path(), file);
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    Journal::open(&folder).unwrap();
    assert_eq!(mode(&file), 0o600);
    if am_root(place.path()) {
        chown(&file, Some(NOBODY), None).unwrap();
        let error = Journal::open(&folder).unwrap_err();
        assert!(
            matches!(error, DiskError::ForeignOwner { .. }),
            "somebody else could change what stands in it: {error}"
        );
    }
}

#[test]
fn a_folder_that_others_can_read_is_closed_and_one_they_can_write_into_is_refused() {
    let place = new_folder();
    for others in [0o755, 0o740, 0o701] {
        fs::set_permissions(place.path(), Permissions::from_mode(others)).unwrap();
        Journal::open(place.path()).unwrap();
        assert_eq!(mode(place.path()), 0o700, "nobody else lists it");
    }
    for others in [0o775, 0o720, 0o702] {
        fs::set_permissions(place.path(), Permissions::from_mode(others)).unwrap();
        let error = Journal::open(place.path()).unwrap_err();
        assert!(matches!(error, DiskError::OpenToOthers { .. }));
        let told = error.to_string();
        says(&told, "chmod 700");
        says(&told, &format!("(mode {others:04o})"));
        assert_eq!(mode(place.path()), others);
    }
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let place = new_folder();
    let folder = if am_root(place.path()) {
        chown(place.path(), Some(NOBODY), None).unwrap();
        place.path()
    } else {
        Path::new("/")
    };
    let error = Journal::open(folder).unwrap_err();
    assert!(matches!(error, DiskError::ForeignOwner { .. }), "{error}");
    assert!(error.to_string().contains("belongs to user"), "{error}");
}

#[test]
fn whatever_is_in_the_way_is_named() {
    let place = new_folder();
    fs::write(place.path().join("taken"), "").unwrap();
    let told = |folder: &str| {
        Journal::open(&place.path().join(folder))
            .unwrap_err()
            .to_string()
    };
    for folder in ["taken", "taken/below"] {
        let told = told(folder);
        says(&told, "taken");
        says(&told, "move it away");
    }
    fs::create_dir_all(place.path().join("a/journal.ndjson")).unwrap();
    says(&told("a"), "is no plain file: move it away");
}

#[test]
fn every_trouble_of_the_disk_is_told_with_what_helps() {
    let helps = [
        (ErrorKind::ReadOnlyFilesystem, "set XDG_STATE_HOME"),
        (ErrorKind::StorageFull, "make room on the disk"),
        (ErrorKind::QuotaExceeded, "make room on the disk"),
        (ErrorKind::FileTooLarge, "make room on the disk"),
        (ErrorKind::PermissionDenied, "give yourself the right"),
        (ErrorKind::NotADirectory, "something else has this name"),
        (ErrorKind::AlreadyExists, "something else has this name"),
        (ErrorKind::IsADirectory, "something else has this name"),
        (ErrorKind::NotFound, "the folder or file is not there"),
        (ErrorKind::TimedOut, "end the other rundown"),
        (ErrorKind::Other, "check the disk"),
    ];
    for (kind, wanted) in helps {
        for done in ["opened", "written", "read"] {
            let error = DiskError::Access {
                path: "some/file".into(),
                done,
                source: io::Error::from(kind),
            };
            let told = error.to_string();
            let helps = told.rsplit("; ").next().unwrap();
            assert!(
                helps.starts_with(wanted) && told.contains(": some/file cannot be "),
                "{kind:?}: {told}"
            );
            // A line has no room for a path before the reason.
            let reason = match kind {
                ErrorKind::StorageFull => "the disk is full: ",
                ErrorKind::ReadOnlyFilesystem => "the disk is read-only: ",
                _ => &format!("{kind}: "),
            };
            assert!(told.starts_with(reason), "{kind:?}: {told}");
        }
    }
}

/// Opens a journal in a folder without the right to write, as a user who needs that right.
#[test]
#[ignore = "a process that the tests start"]
fn child_opens_read_only() {
    let Some((folder, _)) = told() else { return };
    let told = Journal::open(&folder).unwrap_err().to_string();
    says(&told, "journal.ndjson cannot be opened");
    says(&told, "the right to write");
    let told = Journal::open(&folder.join("below"))
        .unwrap_err()
        .to_string();
    says(&told, "below cannot be opened");
    says(&told, "XDG_STATE_HOME");
    println!("{SEEN}");
}

#[test]
fn a_read_only_folder_is_told_with_what_helps() {
    let place = new_folder();
    let mut child = child("journal::places::child_opens_read_only", place.path(), 0);
    if am_root(place.path()) {
        chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        child.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    fs::set_permissions(place.path(), Permissions::from_mode(0o500)).unwrap();
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success() && text.contains(SEEN), "{text}");
}

#[test]
fn a_file_that_was_moved_away_is_begun_anew() {
    let (place, journal) = fresh();
    journal
        .append(&entry(&WriteId::new(1), 1, adding(&[])))
        .unwrap();
    fs::rename(journal.path(), place.path().join("old.ndjson")).unwrap();
    assert_eq!(journal.newest(None).unwrap().writes.len(), 0);
    journal
        .append(&entry(&WriteId::new(2), 2, adding(&[])))
        .unwrap();
    assert_eq!(lines(place.path()).len(), 1);
    assert_eq!(mode(journal.path()), 0o600);
    // Another program has begun the next one already.
    fs::rename(journal.path(), place.path().join("newer.ndjson")).unwrap();
    let others = Journal::open(place.path()).unwrap();
    for journal in [&others, &journal] {
        journal
            .append(&entry(&WriteId::new(3), 3, adding(&[])))
            .unwrap();
    }
    assert_eq!(lines(place.path()).len(), 2);
    for left in ["old.ndjson", "newer.ndjson"] {
        let text = fs::read_to_string(place.path().join(left)).unwrap();
        assert_eq!(text.lines().count(), 1, "{left}");
    }
}

#[test]
fn a_journal_held_by_another_program_is_waited_for() {
    let (place, journal) = fresh();
    let holder = fs::File::open(journal.path()).unwrap();
    holder.lock().unwrap();
    let (done, waits) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            done.send(journal.append(&entry(&WriteId::new(1), 1, adding(&[]))))
                .unwrap();
        });
        assert!(
            waits.recv_timeout(Duration::from_millis(100)).is_err(),
            "nothing is written meanwhile"
        );
        assert_eq!(lines(place.path()).len(), 0);
        holder.unlock().unwrap();
        waits.recv().unwrap().unwrap();
    });
    assert_eq!(lines(place.path()).len(), 1);
}

#[test]
fn a_journal_that_another_program_does_not_let_go_of_is_read_all_the_same() {
    let (_place, journal) = fresh();
    journal
        .append(&entry(&WriteId::new(1), 1, adding(&[])))
        .unwrap();
    let holder = fs::File::open(journal.path()).unwrap();
    holder.lock().unwrap();
    let read = journal.newest(None).unwrap();
    assert_eq!(read.writes.len(), 1);
}

#[test]
fn a_journal_that_cannot_be_read_is_no_empty_journal() {
    let (_place, journal) = fresh();
    fs::remove_file(journal.path()).unwrap();
    let read = journal.newest(None).unwrap();
    assert!(read.writes.is_empty(), "no file is one");
    // A name that leads to itself cannot be opened by anybody.
    symlink("journal.ndjson", journal.path()).unwrap();
    let read = journal.newest(None).unwrap_err();
    let known = journal.known_suites(&qa(), RUN).unwrap_err();
    for error in [read, known] {
        let told = error.to_string();
        says(&told, "journal.ndjson cannot be read");
    }
}
