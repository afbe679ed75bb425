//! Where the samples stand, whose they are, and what is said when they cannot be used.

use crate::support::prelude::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rundown::disk::database::{DatabaseError, DatabaseFault};
use rundown::samples::Samples;
use rusqlite::Connection;

use super::{NOW, fresh, kept, open, run, sample};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn is(error: &DatabaseError, wanted: impl Fn(&DatabaseFault) -> bool) -> bool {
    matches!(error, DatabaseError::File { fault, .. } if wanted(fault))
}

fn is_damage(fault: &DatabaseFault) -> bool {
    matches!(fault, DatabaseFault::Damaged(_))
}

fn refused(folder: &Path) -> DatabaseError {
    Samples::open(folder, 90, NOW).unwrap_err()
}

#[test]
fn folder_and_files_are_the_owners_alone() {
    let place = new_folder();
    let folder = place.path().join("state/rundown");
    let samples = open(&folder);
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 1))
        .unwrap();
    assert!(folder.join("samples.sqlite").exists());
    assert_eq!(mode(&folder), 0o700);
    let files: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert!(
        files.len() > 1,
        "the log of what is not in the file yet is beside it: {files:?}"
    );
    assert!(files.iter().all(|file| mode(file) == 0o600), "{files:?}");
}

#[test]
fn a_folder_open_to_others_and_what_is_in_the_way_are_named() {
    let place = new_folder();
    fs::set_permissions(place.path(), Permissions::from_mode(0o777)).unwrap();
    let told = refused(place.path()).to_string();
    says(&told, "chmod 700");
    says(&told, "0777");
    begins(&told, "the samples: ");
    fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
    fs::create_dir(place.path().join("samples.sqlite")).unwrap();
    let told = refused(place.path()).to_string();
    says(&told, "samples.sqlite is no plain file: move it away");
}

#[test]
fn a_newer_version_is_told_and_left_as_it_is() {
    let (place, samples) = fresh();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 1))
        .unwrap();
    drop(samples);
    let file = place.path().join("samples.sqlite");
    Connection::open(&file)
        .unwrap()
        .execute("UPDATE schema SET version = 7", ())
        .unwrap();
    let error = refused(place.path());
    assert!(
        matches!(
            error,
            DatabaseError::File {
                fault: DatabaseFault::Newer { found: 7, known: 1 },
                ..
            }
        ),
        "{error:?}"
    );
    let told = error.to_string();
    says(&told, file.to_str().unwrap());
    says(&told, "use the newer rundown, or move the file away");
    Connection::open(&file)
        .unwrap()
        .execute("UPDATE schema SET version = 1", ())
        .unwrap();
    assert_eq!(kept(&open(place.path())).len(), 1);
}

#[test]
fn a_database_of_something_else_is_told_and_left_as_it_is() {
    let place = new_folder();
    let file = place.path().join("samples.sqlite");
    let other = Connection::open(&file).unwrap();
    other
        .execute_batch("CREATE TABLE notes (text TEXT); INSERT INTO notes VALUES ('mine')")
        .unwrap();
    let error = refused(place.path());
    assert!(
        is(&error, |fault| matches!(fault, DatabaseFault::Foreign))
            && error.to_string().contains("move the file away"),
        "{error}"
    );
    assert_eq!(
        other
            .query_row("SELECT text FROM notes", (), |row| row.get::<_, String>(0))
            .unwrap(),
        "mine"
    );
}

#[test]
fn a_damaged_file_is_told_and_left_as_it_is() {
    let (place, samples) = fresh();
    for at in 0..3_000 {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(NOW + at, at as u64 % 2))
            .unwrap();
    }
    drop(samples);
    let file = place.path().join("samples.sqlite");
    let whole = fs::read(&file).unwrap();
    let read = || {
        Samples::open(place.path(), 90, NOW)
            .and_then(|it| it.of_scope("qa", "P_9").of(&run(1), i64::MIN))
    };
    assert_eq!(read().unwrap().len(), 3_000);
    let garbage: Vec<u8> = whole
        .iter()
        .enumerate()
        .map(|(at, byte)| if at < 5_000 { *byte } else { byte ^ 0x5a })
        .collect();
    let cases = [
        b"no database at all, but a text that is long enough".to_vec(),
        whole[..whole.len() / 2].to_vec(),
        garbage,
    ];
    for (case, bytes) in cases.iter().enumerate() {
        for beside in ["samples.sqlite-wal", "samples.sqlite-shm"] {
            drop(fs::remove_file(place.path().join(beside)));
        }
        fs::write(&file, bytes).unwrap();
        let error = read().unwrap_err();
        assert!(is(&error, is_damage), "{case}: {error:?}");
        let told = error.to_string();
        says(&told, file.to_str().unwrap());
        says(&told, "move the file away");
        // Who moves it away knows what goes with it.
        let keeps =
            "begun, without your saved tabs, due dates and what you have seen, so keep the old one";
        says(&told, keeps);
        assert_eq!(&fs::read(&file).unwrap(), bytes, "{case}");
    }
}

#[test]
fn counts_that_cannot_be_read_are_damage() {
    let (place, samples) = fresh();
    samples
        .of_scope("qa", "P_9")
        .add(&run(1), &sample(NOW, 1))
        .unwrap();
    let other = Connection::open(place.path().join("samples.sqlite")).unwrap();
    other
        .execute("UPDATE samples SET counts = '[1]'", ())
        .unwrap();
    let error = samples
        .of_scope("qa", "P_9")
        .of(&run(1), i64::MIN)
        .unwrap_err();
    assert!(is(&error, is_damage), "{error}");
}

/// Counts and due dates of all who have the file open: what was written into the old one would be lost.
#[test]
fn what_is_kept_after_the_file_was_moved_away_is_in_a_new_one() {
    let (place, samples) = fresh();
    let add = |at, passed| {
        samples
            .of_scope("qa", "P_9")
            .add(&run(1), &sample(at, passed))
    };
    add(NOW, 1).unwrap();
    for beside in ["", "-wal", "-shm"] {
        let file = place.path().join(format!("samples.sqlite{beside}"));
        fs::rename(&file, place.path().join(format!("away{beside}"))).unwrap();
    }
    add(NOW + 1, 2).unwrap();
    assert_eq!(kept(&samples).len(), 1);
    assert_eq!(kept(&open(place.path())).len(), 1);
}
