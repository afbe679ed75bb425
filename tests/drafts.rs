//! Drafts and copies on the disk: nothing typed is lost, whatever happens to the program.

mod crash;
mod damaged;
mod keeping;
mod places;
mod trash;
mod two_programs;
mod worker;

use crate::support::prelude::*;
use std::fs;
use std::os::unix::fs::MetadataExt;

use rundown::disk::Drafts;
use rundown::domain::{DraftSent, DraftTaken};

fn run(number: u32) -> DocRef {
    DocRef::parse(&format!("TestRun-dm/{number}")).unwrap()
}

fn document() -> Document {
    let text = r#"{"docRef":"TestRun-dm/1","new":{"b":1.50,"a":123456789012345678901234567890},
        "document":{"Root":{"General":{"Id":"R_21","Title":"T","x":null}}},"__meta":{"modifiedAt":"2026-03-02T09:15:00"}}"#;
    Document::from_value(serde_json::from_str(text).unwrap()).unwrap()
}

fn drafts(folder: &Path) -> Drafts {
    Drafts::new(folder.join("drafts"))
}

fn fresh() -> (tempfile::TempDir, Drafts) {
    let place = new_folder();
    let drafts = drafts(place.path());
    (place, drafts)
}

/// Opens the form of a run, of which nothing is damaged.
fn take(drafts: &Drafts, form: &FormFor) -> DraftTaken {
    let taken = drafts.take(&owner("qa"), form, &DraftWish::Newest).unwrap();
    assert!(taken.damaged.is_empty(), "{:?}", taken.damaged);
    taken.found
}

/// A draft with everything in it.
fn draft(key: &str, form: &FormFor, at: i64, title: &str) -> Draft {
    let texts = [
        (RunField::Title, title),
        (RunField::Description, "line 1\r\nline 2\u{1b}[2J\n"),
        (RunField::Status, ""),
    ];
    Draft {
        key: key.to_owned(),
        service: String::new(),
        project: String::new(),
        profile: "qa".into(),
        form: form.clone(),
        run_name: "R_21 Übergabe".into(),
        base: Some(document()),
        texts: texts
            .into_iter()
            .map(|(field, text)| (field, text.to_owned()))
            .collect::<RunTexts>(),
        at,
        sent: Some(DraftSent {
            at: 7,
            titles: vec!["T".into()],
            saves: Vec::new(),
            words: "no answer".into(),
        }),
        matrix: true,
        with_suites: Some(false),
        died: false,
    }
}

fn types(drafts: &Drafts, key: &str) {
    let typed = draft(key, &FormFor::New, 1, "typed");
    drafts.keep(&typed).unwrap();
}

fn title(draft: &Draft) -> &str {
    &draft.texts[&RunField::Title]
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().mode() & 0o7777
}

fn am_root(folder: &Path) -> bool {
    fs::metadata(folder).unwrap().uid() == 0
}

/// A user without rights, where the tests run as one who has all.
const NOBODY: u32 = 65_534;

/// All files below a folder, by their paths in it.
fn files(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(
                    path.strip_prefix(folder)
                        .unwrap()
                        .to_str()
                        .unwrap()
                        .to_owned(),
                );
            }
        }
    }
    found.sort();
    found
}

/// The JSON of the only file with this ending in a folder.
fn json_of(folder: &Path) -> Value {
    let named: Vec<String> = files(folder)
        .into_iter()
        .filter(|name| {
            Path::new(name)
                .extension()
                .is_some_and(|ending| ending == "json")
        })
        .collect();
    let [name] = named.as_slice() else {
        panic!("{named:?}")
    };
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}
