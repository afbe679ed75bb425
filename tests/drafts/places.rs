//! Whose the files are, and what is said when nothing can be written.

use crate::support::prelude::*;
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use rundown::disk::{DiskError, StateFolder};

use super::{NOBODY, am_root, draft, drafts, fresh, mode, take, title, types};
use crate::support::children::{SEEN, child, told};

#[test]
fn folders_and_files_are_the_owners_alone() {
    let place = new_folder();
    let state = StateFolder::open(&place.path().join("rundown")).unwrap();
    let key = take(&state.drafts, &FormFor::New).key;
    types(&state.drafts, &key);
    let folder = place.path().join("rundown/drafts");
    assert_eq!(mode(&folder), 0o700);
    for name in super::files(&folder) {
        assert_eq!(mode(&folder.join(&name)), 0o600, "{name}");
    }
    state.drafts.discard(&key).unwrap();
    assert_eq!(mode(&folder.join("discarded")), 0o700);
    let discarded = super::files(&folder.join("discarded"));
    assert_eq!(mode(&folder.join("discarded").join(&discarded[0])), 0o600);
    state.help_seen();
    assert_eq!(mode(&place.path().join("rundown/help_seen")), 0o600);
    assert!(!state.is_newcomer());
}

#[test]
fn a_folder_that_others_can_write_into_is_refused() {
    let (place, drafts) = fresh();
    let folder = place.path().join("drafts");
    fs::create_dir(&folder).unwrap();
    fs::set_permissions(&folder, Permissions::from_mode(0o775)).unwrap();
    let taken = drafts.take(&owner("qa"), &FormFor::New, &DraftWish::Newest);
    for error in [taken.unwrap_err(), drafts.list(&owner("qa")).unwrap_err()] {
        assert!(
            error.to_string().contains("chmod 700") && error.to_string().contains("0775"),
            "{error}"
        );
    }
    assert_eq!(mode(&folder), 0o775);
    if am_root(place.path()) {
        fs::set_permissions(&folder, Permissions::from_mode(0o700)).unwrap();
        chown(&folder, Some(NOBODY), None).unwrap();
        let error = drafts
            .take(&owner("qa"), &FormFor::New, &DraftWish::Newest)
            .unwrap_err();
        assert!(matches!(error, DiskError::ForeignOwner { .. }), "{error}");
    }
}

#[test]
fn folders_that_others_can_read_are_closed_to_them() {
    let place = new_folder();
    let state = StateFolder::open(&place.path().join("rundown")).unwrap();
    let below = |name: &str| place.path().join("rundown").join(name);
    for name in ["drafts", "drafts/discarded", "trash"] {
        fs::create_dir_all(below(name)).unwrap();
        fs::set_permissions(below(name), Permissions::from_mode(0o755)).unwrap();
    }
    let key = take(&state.drafts, &FormFor::New).key;
    types(&state.drafts, &key);
    state.drafts.discard(&key).unwrap();
    state.trash.save(&super::trash::copy()).unwrap();
    for name in ["drafts", "drafts/discarded", "trash"] {
        assert_eq!(mode(&below(name)), 0o700, "{name}");
    }
}

#[test]
fn a_folder_that_was_removed_is_made_again_for_what_is_typed() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    fs::remove_dir_all(place.path().join("drafts")).unwrap();
    drafts.discard(&key).unwrap();
    let key = take(&drafts, &FormFor::New).key;
    fs::remove_dir_all(place.path().join("drafts")).unwrap();
    types(&drafts, &key);
    drafts.leave(&key);
    assert_eq!(
        take(&drafts, &FormFor::New).before.as_ref().map(title),
        Some("typed")
    );
}

/// Keeps drafts until the folder turns read-only, and again once it is writable.
#[test]
#[ignore = "a process that the tests start"]
fn child_meets_a_read_only_folder_on_its_way() {
    let Some((folder, _)) = told() else { return };
    let drafts = drafts(&folder);
    let below = folder.join("drafts");
    let key = take(&drafts, &FormFor::New).key;
    drafts
        .keep(&draft(&key, &FormFor::New, 1, "first"))
        .unwrap();
    fs::set_permissions(&below, Permissions::from_mode(0o500)).unwrap();
    let told = drafts
        .keep(&draft(&key, &FormFor::New, 2, "second"))
        .unwrap_err()
        .to_string();
    says(&told, &key);
    says(&told, "give yourself the right");
    assert_eq!(
        super::json_of(&folder)["texts"]["Title"],
        "first",
        "what was kept stays"
    );
    fs::set_permissions(&below, Permissions::from_mode(0o700)).unwrap();
    drafts
        .keep(&draft(&key, &FormFor::New, 3, "third"))
        .unwrap();
    assert_eq!(super::json_of(&folder)["texts"]["Title"], "third");
    println!("{SEEN}");
}

/// Discards a draft where nothing can be put aside, and again once that can be written.
#[test]
#[ignore = "a process that the tests start"]
fn child_cannot_put_a_draft_aside() {
    let Some((folder, _)) = told() else { return };
    let drafts = drafts(&folder);
    let aside = folder.join("drafts/discarded");
    let key = take(&drafts, &FormFor::New).key;
    types(&drafts, &key);
    fs::create_dir(&aside).unwrap();
    fs::set_permissions(&aside, Permissions::from_mode(0o500)).unwrap();
    let told = drafts.discard(&key).unwrap_err().to_string();
    says(&told, &key);
    says(&told, "give yourself the right");
    let left = drafts.list(&owner("qa")).unwrap().found;
    assert_eq!(left.iter().map(title).collect::<Vec<_>>(), ["typed"]);
    fs::set_permissions(&aside, Permissions::from_mode(0o700)).unwrap();
    drafts.discard(&key).unwrap();
    assert!(drafts.list(&owner("qa")).unwrap().found.is_empty());
    println!("{SEEN}");
}

fn passes(command: &mut Command) {
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && text.contains(SEEN), "{text}");
}

#[test]
fn a_read_only_folder_is_told_with_what_helps() {
    for name in [
        "child_meets_a_read_only_folder_on_its_way",
        "child_cannot_put_a_draft_aside",
    ] {
        let place = new_folder();
        let mut child = child(&format!("drafts::places::{name}"), place.path(), 0);
        if am_root(place.path()) {
            chown(place.path(), Some(NOBODY), Some(NOBODY)).unwrap();
            child.uid(NOBODY).gid(NOBODY).current_dir("/");
        }
        passes(&mut child);
        fs::set_permissions(place.path(), Permissions::from_mode(0o700)).unwrap();
    }
}

/// Keeps a draft that fits and one that does not.
#[test]
#[ignore = "a process that the tests start"]
fn child_has_little_room() {
    let Some((folder, _)) = told() else { return };
    let drafts = drafts(&folder);
    let key = take(&drafts, &FormFor::New).key;
    drafts.keep(&draft(&key, &FormFor::New, 1, "fits")).unwrap();
    let told = drafts
        .keep(&draft(&key, &FormFor::New, 2, &"x".repeat(1_000_000)))
        .unwrap_err()
        .to_string();
    says(&told, &key);
    says(&told, "make room");
    assert_eq!(super::json_of(&folder)["texts"]["Title"], "fits");
    assert_eq!(
        super::files(&folder.join("drafts")).len(),
        3,
        "half a file is not left: {:?}",
        super::files(&folder)
    );
    drafts
        .keep(&draft(&key, &FormFor::New, 3, "fits again"))
        .unwrap();
    assert_eq!(super::json_of(&folder)["texts"]["Title"], "fits again");
    println!("{SEEN}");
}

#[test]
fn a_full_disk_is_told_and_what_was_kept_stays() {
    let place = new_folder();
    has_room("drafts::places::child_has_little_room", place.path(), 200);
}

#[test]
#[ignore = "a process that the tests start"]
fn child_has_no_room() {
    let Some((folder, _)) = told() else { return };
    let drafts = drafts(&folder);
    for _ in 0..3 {
        let taken = drafts.take(&owner("qa"), &FormFor::New, &DraftWish::Newest);
        says(&taken.unwrap_err().to_string(), "make room");
    }
    assert_eq!(super::files(&folder.join("drafts")), [".lock"]);
    println!("{SEEN}");
}

#[test]
fn tries_on_a_full_disk_leave_no_lock() {
    let place = new_folder();
    has_room("drafts::places::child_has_no_room", place.path(), 0);
}

/// Runs a test in a process that can write files of this many blocks.
fn has_room(test: &str, folder: &Path, blocks: u32) {
    let child = child(test, folder, 0);
    // A limit on the size of files is what a full disk is to a program, once the signal for it is ignored.
    let mut shell = Command::new("sh");
    let limit = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$@\"");
    shell
        .args(["-c", &limit, "sh"])
        .arg(child.get_program())
        .args(child.get_args());
    shell.envs(
        child
            .get_envs()
            .filter_map(|(name, value)| Some((name, value?))),
    );
    passes(&mut shell);
}
