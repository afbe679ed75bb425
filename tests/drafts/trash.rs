//! Copies of runs that are going to be deleted.

use crate::support::prelude::*;
use std::fs;

use rundown::disk::{DiskError, Trash, TrashCopy, exports};

use super::{document, files, mode};

pub fn copy() -> TrashCopy {
    let mut counts = counted([(ResultCode::Passed, 14), (ResultCode::FailedNew, 3)]);
    counts.others.push(("99".into(), "Odd".into(), 2));
    TrashCopy {
        profile: "qa".into(),
        at: 1_795_167_720_000,
        run_name: "R_21 Übergabe\u{1b}".into(),
        document: document(),
        counts: Some(counts),
        suite_count: Some(7),
        suites: vec![(
            DocRef::parse("TestSuite-dm/20744").unwrap(),
            "S_12 Login".into(),
        )],
        known: "5 of 7 suites known".into(),
    }
}

/// A place for copies, and its folder.
fn empty() -> (tempfile::TempDir, PathBuf, Trash) {
    let place = new_folder();
    let folder = place.path().join("trash");
    let trash = Trash::new(folder.clone());
    (place, folder, trash)
}

fn with_id(id: &Value) -> TrashCopy {
    let mut envelope = document().raw().clone();
    envelope["document"]["Root"]["General"]["Id"] = id.clone();
    copy().with(|it| it.document = Document::from_value(envelope).unwrap())
}

#[test]
fn a_copy_comes_back_to_the_digit_and_is_the_owners_alone() {
    let place = new_folder();
    let trash = Trash::new(place.path().join("trash"));
    let bare = TrashCopy {
        counts: None,
        suite_count: None,
        suites: Vec::new(),
        ..copy()
    };
    for copy in [copy(), bare] {
        let path = trash.save(&copy).unwrap();
        let back = Trash::read(&path).unwrap();
        assert_eq!(
            back.document.raw().to_string(),
            copy.document.raw().to_string()
        );
        assert_eq!(back, copy);
        assert_eq!((mode(path.parent().unwrap()), mode(&path)), (0o700, 0o600));
    }
}

#[test]
fn the_name_says_which_run_and_when() {
    let place = new_folder();
    let trash = Trash::new(place.path().join("trash"));
    let path = trash.save(&copy()).unwrap();
    assert_eq!(path, place.path().join("trash/R_21-20261120T094200Z.json"));
    let long = "R".repeat(300);
    for (id, name) in [
        (json!("../../etc/passwd"), "etcpasswd"),
        (json!(null), "run"),
        (json!("\u{1b}[2J\n"), "2J"),
        (json!("日本"), "run"),
        (json!(long), &long[..40]),
    ] {
        let path = trash.save(&with_id(&id)).unwrap();
        assert!(
            path.file_name()
                .unwrap()
                .to_str()
                .unwrap()
                .starts_with(&format!("{name}-2026")),
            "{}",
            path.display()
        );
    }
}

#[test]
fn no_copy_is_ever_written_over() {
    let (_place, folder, trash) = empty();
    let mut paths = BTreeSet::new();
    std::thread::scope(|scope| {
        let saved: Vec<_> = (0..8)
            .map(|number| {
                let trash = &trash;
                scope.spawn(move || {
                    trash
                        .save(&copy().with(|it| it.known = format!("copy {number}")))
                        .unwrap()
                })
            })
            .collect();
        for (number, path) in saved
            .into_iter()
            .map(|saved| saved.join().unwrap())
            .enumerate()
        {
            assert_eq!(Trash::read(&path).unwrap().known, format!("copy {number}"));
            paths.insert(path);
        }
    });
    assert_eq!(
        (paths.len(), files(&folder).len()),
        (8, 8),
        "{:?}",
        files(&folder)
    );
    fs::write(folder.join("R_21-20261120T094200Z-20.json"), "mine").unwrap();
    for _ in 0..30 {
        trash.save(&copy()).unwrap();
    }
    assert_eq!(
        fs::read_to_string(folder.join("R_21-20261120T094200Z-20.json")).unwrap(),
        "mine"
    );
    assert_eq!(files(&folder).len(), 39);
}

/// Saves a copy, and takes its name in the middle of it; `None` where that was too late.
fn saved_under_a_name_that_is_taken_meanwhile(
    folder: &Path,
    copy: &TrashCopy,
    name: &Path,
) -> Option<PathBuf> {
    let trash = Trash::new(folder.to_owned());
    let before = files(folder).len();
    let (saved, taken) = std::thread::scope(|scope| {
        let saving = scope.spawn(|| trash.save(copy).unwrap());
        while files(folder).len() == before && !saving.is_finished() {
            std::thread::yield_now();
        }
        let taken = fs::File::create_new(name);
        (saving.join().unwrap(), taken)
    });
    taken.is_ok().then_some(saved)
}

#[test]
fn a_name_that_is_taken_while_a_copy_is_being_written_is_left_alone() {
    let (_place, folder, trash) = empty();
    trash.save(&copy()).unwrap();
    let in_time = (0..50).find_map(|number| {
        let stem = format!("N_{number}-20261120T094200Z");
        let long = TrashCopy {
            known: "x".repeat(5_000_000),
            ..with_id(&json!(format!("N_{number}")))
        };
        let taken = folder.join(format!("{stem}.json"));
        let saved = saved_under_a_name_that_is_taken_meanwhile(&folder, &long, &taken)?;
        assert_eq!(saved, folder.join(format!("{stem}-2.json")));
        assert_eq!(Trash::read(&saved).unwrap(), long);
        fs::read(&taken).ok()
    });
    assert_eq!(in_time, Some(Vec::new()), "it is theirs");
}

#[test]
fn what_a_killed_program_has_begun_to_write_is_left_alone_and_keeps_no_name() {
    let (_place, folder, trash) = empty();
    trash.save(&copy()).unwrap();
    let begun = folder.join(".R_21-20261120T094200Z-2.json.new");
    fs::write(&begun, "half").unwrap();
    let saved = trash.save(&copy()).unwrap();
    assert_eq!(
        saved,
        folder.join("R_21-20261120T094200Z-2.json"),
        "nobody has the name"
    );
    assert_eq!(fs::read_to_string(&begun).unwrap(), "half");
}

#[test]
fn what_is_no_copy_is_told_with_its_path() {
    let place = new_folder();
    let path = Trash::new(place.path().join("trash"))
        .save(&copy())
        .unwrap();
    let good = fs::read_to_string(&path).unwrap();
    for (bytes, word) in [
        (String::new(), "no JSON"),
        (good[..good.len() / 2].to_owned(), "no JSON"),
        ("{}".to_owned(), "without a format"),
        (
            good.replace("\"format\": 1", "\"format\": 9"),
            "another version",
        ),
        (
            good.replace("TestSuite-dm/20744", "x"),
            "document reference",
        ),
        (
            good.replace("\"docRef\": \"TestRun-dm/1\"", "\"doc\": 1"),
            "docRef",
        ),
    ] {
        fs::write(&path, bytes).unwrap();
        let error = Trash::read(&path).unwrap_err();
        assert!(matches!(error, DiskError::Damaged { .. }));
        assert!(
            error.to_string().contains(word) && error.to_string().contains("R_21-2026"),
            "{error}"
        );
    }
    let error = Trash::read(&place.path().join("none.json"))
        .unwrap_err()
        .to_string();
    says(&error, "none.json cannot be read");
}

#[test]
fn a_folder_that_cannot_be_written_is_told() {
    let place = new_folder();
    fs::write(place.path().join("trash"), "").unwrap();
    let error = Trash::new(place.path().join("trash"))
        .save(&copy())
        .unwrap_err()
        .to_string();
    says(&error, "/trash cannot be opened");
    says(&error, "move it away");
    // What cannot be written is not taken for a name that is taken.
    for name in ["none/copy.json", &"n".repeat(300)] {
        let error = exports::write(&place.path().join(name), b"{}").unwrap_err();
        assert!(
            matches!(
                error,
                DiskError::Access {
                    done: "written",
                    ..
                }
            ),
            "{error}"
        );
    }
}

/// A home has moved, or a folder of its own was set for the state: the journal knows the old place.
#[test]
fn a_copy_is_found_by_its_name_where_its_folder_has_moved() {
    let (place, folder, trash) = empty();
    let path = trash.save(&copy()).unwrap();
    let moved = place.path().join("moved");
    fs::rename(&folder, &moved).unwrap();
    assert!(trash.find(&path).is_err());
    assert_eq!(Trash::new(moved).find(&path).unwrap(), copy());
}

/// Nobody writes into it: whoever waited for that would wait for ever.
#[test]
fn what_is_no_plain_file_is_not_waited_for() {
    use rundown::disk::{LeftOffs, Refusals, backgrounds};
    use rustix::fs::{CWD, FileType, Mode, mknodat};

    let place = new_folder();
    let pipe = |name: &str| {
        let path = place.path().join(name);
        mknodat(CWD, &path, FileType::Fifo, Mode::from(0o600), 0).unwrap();
        path
    };
    let copy = pipe("copy.json");
    assert!(Trash::read(&copy).is_err());
    pipe("backgrounds.json");
    assert_eq!(backgrounds::is_light(place.path(), "xterm"), None);
    pipe("here.json");
    let left_offs = LeftOffs::new(place.path().to_owned());
    assert!(left_offs.find("here").is_none());
    pipe("refused-sign-ins.json");
    let refusals = Refusals::new(place.path());
    assert_eq!(refusals.closed_until("realm", "qa", NOW, None), None);
}
