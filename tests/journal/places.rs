//! Where the journal stands, whose it is, and what is said when it cannot be kept.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;

use rundown::disk::place::PlaceError;
use rundown::disk::{Journal, JournalError, JournalFilter, WriteId};

use crate::{adding, child, entry, lines, told};

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
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("state/rundown");
    let journal = Journal::open(&folder).unwrap();
    let file = folder.join("journal.ndjson");
    assert_eq!(journal.path(), file);
    assert_eq!((mode(&folder), mode(&file)), (0o700, 0o600));
    fs::set_permissions(&file, Permissions::from_mode(0o644)).unwrap();
    Journal::open(&folder).unwrap();
    assert_eq!(mode(&file), 0o600);
}

#[test]
fn a_folder_that_others_can_read_is_closed_and_one_they_can_write_into_is_refused() {
    let place = tempfile::tempdir().unwrap();
    fs::set_permissions(place.path(), Permissions::from_mode(0o755)).unwrap();
    Journal::open(place.path()).unwrap();
    assert_eq!(mode(place.path()), 0o700, "nobody else lists it");
    fs::set_permissions(place.path(), Permissions::from_mode(0o775)).unwrap();
    let error = Journal::open(place.path()).unwrap_err();
    assert!(matches!(
        error,
        JournalError::Place(PlaceError::OpenToOthers { .. })
    ));
    assert!(
        error.to_string().contains("chmod 700") && error.to_string().contains("0775"),
        "{error}"
    );
    assert_eq!(mode(place.path()), 0o775);
}

#[test]
fn a_folder_of_somebody_else_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = if am_root(place.path()) {
        chown(place.path(), Some(NOBODY), None).unwrap();
        place.path()
    } else {
        Path::new("/")
    };
    let error = Journal::open(folder).unwrap_err();
    assert!(
        matches!(error, JournalError::Place(PlaceError::ForeignOwner { .. })),
        "{error}"
    );
    assert!(error.to_string().contains("belongs to user"), "{error}");
}

#[test]
fn whatever_is_in_the_way_is_named() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("taken"), "").unwrap();
    let told = |folder: &str| {
        Journal::open(&place.path().join(folder))
            .unwrap_err()
            .to_string()
    };
    for folder in ["taken", "taken/below"] {
        let told = told(folder);
        assert!(
            told.contains("taken") && told.contains("move it away"),
            "{told}"
        );
    }
    fs::create_dir_all(place.path().join("a/journal.ndjson")).unwrap();
    assert!(told("a").contains("is no plain file: move it away"));
    fs::create_dir(place.path().join("b")).unwrap();
    symlink("/dev/null", place.path().join("b/journal.ndjson")).unwrap();
    assert!(told("b").contains("is no plain file"));
}

/// Opens a journal in a folder without the right to write, as a user who needs that right.
#[test]
#[ignore = "a process that the tests start"]
fn child_opens_read_only() {
    let Some((folder, _)) = told() else { return };
    let told = Journal::open(&folder).unwrap_err().to_string();
    assert!(
        told.contains("journal.ndjson cannot be opened") && told.contains("the right to write"),
        "{told}"
    );
    let told = Journal::open(&folder.join("below"))
        .unwrap_err()
        .to_string();
    assert!(
        told.contains("below cannot be opened") && told.contains("XDG_STATE_HOME"),
        "{told}"
    );
}

#[test]
fn a_read_only_folder_is_told_with_what_helps() {
    let place = tempfile::tempdir().unwrap();
    let mut child = child("places::child_opens_read_only", place.path(), 0);
    if am_root(place.path()) {
        chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
        child.uid(NOBODY).gid(NOBODY).current_dir("/");
    }
    fs::set_permissions(place.path(), Permissions::from_mode(0o500)).unwrap();
    let output = child.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(
        output.status.success() && text.contains("1 passed"),
        "{text}"
    );
}

#[test]
fn a_file_that_was_moved_away_is_begun_anew() {
    let place = tempfile::tempdir().unwrap();
    let journal = Journal::open(place.path()).unwrap();
    journal
        .append(&entry(&WriteId::new(1), 1, adding(&[])))
        .unwrap();
    fs::rename(journal.path(), place.path().join("old.ndjson")).unwrap();
    assert_eq!(
        journal
            .read(9, &JournalFilter::default())
            .unwrap()
            .writes
            .len(),
        0
    );
    journal
        .append(&entry(&WriteId::new(2), 2, adding(&[])))
        .unwrap();
    assert_eq!(lines(place.path()).len(), 1);
    assert_eq!(mode(journal.path()), 0o600);
    assert_eq!(
        fs::read_to_string(place.path().join("old.ndjson"))
            .unwrap()
            .lines()
            .count(),
        1
    );
}

#[test]
fn a_journal_held_by_another_program_is_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let journal = Journal::open(place.path()).unwrap();
    let holder = fs::File::open(journal.path()).unwrap();
    holder.lock().unwrap();
    let (done, waits) = std::sync::mpsc::channel();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            done.send(journal.append(&entry(&WriteId::new(1), 1, adding(&[]))))
                .unwrap();
        });
        assert!(
            waits
                .recv_timeout(std::time::Duration::from_millis(100))
                .is_err(),
            "nothing is written meanwhile"
        );
        assert_eq!(lines(place.path()).len(), 0);
        holder.unlock().unwrap();
        waits.recv().unwrap().unwrap();
    });
    assert_eq!(lines(place.path()).len(), 1);
}
