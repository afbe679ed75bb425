//! Files that are no drafts: told, moved aside, never deleted, never written over.

use crate::support::prelude::*;
use std::fs;

use super::{draft, drafts, files, fresh, take, types};

/// What a file of a draft may hold that is none, and a word of what is said.
fn odd(good: &str) -> Vec<(Vec<u8>, &'static str)> {
    vec![
        (Vec::new(), "no JSON"),
        (good.as_bytes()[..good.len() / 2].to_vec(), "no JSON"),
        (b"\xff\xfe\0".to_vec(), "no JSON"),
        (b"[]".to_vec(), "without a format"),
        (
            good.replace("\"format\": 1", "\"format\": 0").into_bytes(),
            "another version",
        ),
        (good.replace("\"edit\"", "\"odd\"").into_bytes(), "odd"),
        (
            good.replace("\"run\": \"TestRun-dm/1\"", "\"run\": null")
                .into_bytes(),
            "expected a string",
        ),
        (
            good.replace("\"run\": \"TestRun-dm/1\"", "\"run\": \"x\"")
                .into_bytes(),
            "document reference",
        ),
        (good.replace("\"Title\"", "\"Titel\"").into_bytes(), "Titel"),
        (
            good.replace("\"typed\"", "7").into_bytes(),
            "expected a string",
        ),
        (good.replace("\"docRef\"", "\"doc\"").into_bytes(), "docRef"),
        (good.replace("\"words\"", "\"word\"").into_bytes(), "words"),
        (
            good.replace("\"at\": 5", "\"at\": null").into_bytes(),
            "i64",
        ),
    ]
}

#[test]
fn a_damaged_draft_is_told_and_moved_aside() {
    let form = FormFor::Edit(super::run(1));
    for by_list in [false, true] {
        let (place, drafts) = fresh();
        let key = take(&drafts, &form).key;
        drafts.keep(&draft(&key, &form, 5, "typed")).unwrap();
        drafts.leave(&key);
        let path = place.path().join(format!("drafts/{key}.json"));
        let good = fs::read_to_string(&path).unwrap();
        for (number, (bytes, word)) in (1..).zip(odd(&good)) {
            assert_ne!(bytes, good.as_bytes(), "{word}");
            fs::write(&path, &bytes).unwrap();
            let damaged = if by_list {
                let listed = drafts.list(&owner("qa")).unwrap();
                assert!(listed.found.is_empty(), "{word}");
                listed.damaged
            } else {
                let taken = drafts
                    .take(&owner("qa"), &form, &DraftWish::Newest)
                    .unwrap();
                assert_eq!(
                    (&taken.found.key, taken.found.before, taken.found.other),
                    (&key, None, None),
                    "{word}"
                );
                taken.damaged
            };
            let [error] = damaged.as_slice() else {
                panic!("{damaged:?}")
            };
            let (told, aside) = (
                error.to_string(),
                path.with_extension(format!("json.broken-{number}")),
            );
            says(&told, word);
            says(&told, aside.to_str().unwrap());
            assert_eq!(fs::read(&aside).unwrap(), bytes);
            assert!(!path.exists());
            drafts.leave(&key);
        }
        assert!(
            drafts.list(&owner("qa")).unwrap().damaged.is_empty(),
            "once is enough"
        );
    }
}

#[test]
fn a_draft_of_a_newer_version_is_told_and_stays_for_it() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    types(&drafts, &key);
    drafts.leave(&key);
    let path = place.path().join(format!("drafts/{key}.json"));
    let newer = fs::read_to_string(&path).unwrap();
    let newer = newer.replace("\"format\": 1", "\"format\": 2");
    fs::write(&path, &newer).unwrap();
    let listed = drafts.list(&owner("qa")).unwrap();
    assert!(listed.found.is_empty());
    let told = listed.damaged[0].to_string();
    says(&told, "another version of rundown (format 2); it is left");
    let taken = drafts.take(&owner("qa"), &FormFor::New, &DraftWish::Newest);
    assert_eq!(taken.unwrap().found.key, format!("{key}-2"));
    assert_eq!(fs::read_to_string(&path).unwrap(), newer);
}

#[test]
fn what_cannot_be_read_is_left_and_the_form_gets_another_place() {
    let place = new_folder();
    if super::am_root(place.path()) {
        eprintln!("not tried: root reads everything");
        return;
    }
    let drafts = drafts(place.path());
    let key = take(&drafts, &FormFor::New).key;
    drafts.leave(&key);
    let path = place.path().join(format!("drafts/{key}.json"));
    fs::write(&path, "theirs").unwrap();
    fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o0)).unwrap();
    let taken = drafts
        .take(&owner("qa"), &FormFor::New, &DraftWish::Newest)
        .unwrap();
    assert_eq!(
        (taken.found.key.as_str(), taken.found.other),
        (format!("{key}-2").as_str(), None)
    );
    assert!(
        taken.damaged[0].to_string().contains("cannot be read"),
        "{:?}",
        taken.damaged
    );
    types(&drafts, &taken.found.key);
    assert!(path.is_file());
}

#[test]
fn a_file_under_a_wrong_name_is_not_taken_and_not_written_over() {
    let (place, drafts) = fresh();
    let (one, two) = (FormFor::Edit(super::run(1)), FormFor::Edit(super::run(2)));
    let key = take(&drafts, &one).key;
    drafts.keep(&draft(&key, &one, 5, "typed")).unwrap();
    drafts.leave(&key);
    let other = take(&drafts, &two).key;
    drafts.leave(&other);
    let folder = place.path().join("drafts");
    fs::rename(
        folder.join(format!("{key}.json")),
        folder.join(format!("{other}.json")),
    )
    .unwrap();
    let taken = take(&drafts, &two);
    let second = format!("{other}-2");
    assert_eq!((taken.key, taken.before), (second.clone(), None));
    let listed = drafts.list(&owner("qa")).unwrap().found;
    assert_eq!((listed.len(), &listed[0].form), (1, &one));
    // The same for a draft of another profile.
    let of_live = Draft {
        project: String::new(),
        profile: "live".into(),
        ..draft(&second, &two, 6, "typed")
    };
    drafts.keep(&of_live).unwrap();
    drafts.leave(&second);
    let again = take(&drafts, &two);
    assert_eq!((again.key, again.before), (format!("{other}-3"), None));
}

#[test]
fn what_an_interrupted_attempt_left_is_cleared_away() {
    let (place, drafts) = fresh();
    let key = take(&drafts, &FormFor::New).key;
    drafts.leave(&key);
    let folder = place.path().join("drafts");
    fs::write(folder.join(format!(".{key}.json.new")), "half").unwrap();
    fs::write(folder.join(format!("{key}.lock")), "4711").unwrap();
    let taken = take(&drafts, &FormFor::New);
    assert_eq!((&taken.key, taken.before, taken.other), (&key, None, None));
    types(&drafts, &key);
    drafts.leave(&key);
    assert_eq!(files(&folder), [".lock".to_owned(), format!("{key}.json")]);
}

/// A pipe, a folder and links where a file of ours would be: they are named and set aside, nothing blocks, nothing typed
/// is lost.
#[test]
fn what_is_no_plain_file_is_set_aside() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let form = FormFor::Edit(super::run(1));
    let kinds: [fn(&Path); 4] = [
        |path| mknodat(CWD, path, FileType::Fifo, Mode::from(0o600), 0).unwrap(),
        |path| fs::create_dir(path).unwrap(),
        |path| std::os::unix::fs::symlink("/dev/zero", path).unwrap(),
        |path| std::os::unix::fs::symlink("nowhere", path).unwrap(),
    ];
    for make in kinds {
        let (place, drafts) = fresh();
        let key = take(&drafts, &form).key;
        drafts.leave(&key);
        let at = |name: &str| place.path().join("drafts").join(name);
        let names = [
            ".lock".to_owned(),
            format!("{key}.json"),
            format!("{key}.lock"),
            format!(".{key}.json.new"),
        ];
        for name in &names {
            // The lock of the folder is there already.
            let _ = fs::remove_file(at(name));
            make(&at(name));
            let listed = drafts.list(&owner("qa")).unwrap();
            let [error] = listed.damaged.as_slice() else {
                panic!("{name}: {:?}", listed.damaged)
            };
            let told = error.to_string();
            says(&told, &format!("{name}.broken-1"));
            says(&told, "no plain file");
            assert!(
                !fs::symlink_metadata(at(&format!("{name}.broken-1")))
                    .unwrap()
                    .is_file()
            );
        }
        make(&at(&names[1]));
        let taken = drafts
            .take(&owner("qa"), &form, &DraftWish::Newest)
            .unwrap();
        assert_eq!((taken.damaged.len(), taken.found.before), (1, None));
        assert_eq!(taken.found.key, key);
        // Somebody puts it there while the form is open.
        for name in [&names[1], &names[3]] {
            make(&at(name));
            let kept = draft(&key, &form, 5, "typed");
            drafts.keep(&kept).unwrap();
            let text = fs::read_to_string(at(&names[1])).unwrap();
            assert!(text.contains("typed"), "{name}");
            fs::remove_file(at(&names[1])).unwrap();
        }
        drafts.keep(&draft(&key, &form, 6, "again")).unwrap();
        drafts.leave(&key);
        assert_eq!(drafts.list(&owner("qa")).unwrap().found.len(), 1);
    }
}
