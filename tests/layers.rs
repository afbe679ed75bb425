//! Which part of the program may know which other part: reads `src/` and names every import that is not in the table.
//! The table is told in words in docs/guide.md.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A folder or file below `src/`, and the others it may import.
const LAYERS: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("attached", &["domain"]),
    ("disk", &["domain"]),
    ("samples", &["domain", "disk"]),
    ("forecast", &["domain"]),
    ("ui", &["store", "domain", "attached", "forecast"]),
    (
        "screens",
        &[
            "store", "ui", "keymap", "domain", "attached", "forecast", "ops",
        ],
    ),
    (
        "popups",
        &[
            "screens", "store", "ui", "keymap", "domain", "attached", "forecast", "ops",
        ],
    ),
    (
        "store",
        &[
            "screens", "popups", "ui", "domain", "attached", "forecast", "ops",
        ],
    ),
    ("keymap", &["store", "domain"]),
    ("terminal", &["ui", "domain"]),
    ("config", &["domain", "keymap"]),
    ("cli", &["config", "domain"]),
    ("auth", &["domain"]),
    ("rpc", &["domain", "auth"]),
    ("ops", &["rpc", "auth", "attached", "disk", "domain"]),
    (
        "worker",
        &[
            "store", "domain", "ops", "rpc", "auth", "config", "disk", "samples", "forecast",
        ],
    ),
    (
        "app",
        &[
            "store", "screens", "popups", "ui", "domain", "keymap", "terminal", "worker", "disk",
            "editor", "ops",
        ],
    ),
    ("editor", &[]),
    (
        "headless",
        &[
            "cli", "config", "worker", "ops", "rpc", "attached", "disk", "store", "ui", "domain",
        ],
    ),
    // The service shares nothing with its client: with shared types a wrong name would pass every test.
    ("local_service", &[]),
    ("demo", &["local_service", "config", "domain", "samples"]),
];

/// What is put together from all the others.
const ABOVE: [&str; 3] = ["lib", "main", "start"];

/// What the parts without a clock, a network, a disk or other tasks must not name.
const OUTSIDE: [&str; 12] = [
    "std::fs",
    "std::env",
    "std::net",
    "std::process",
    "std::thread",
    "std::time",
    "tokio",
    "reqwest",
    "oauth2",
    "rusqlite",
    "axum",
    "tempfile",
];
const PURE: [&str; 7] = [
    "domain", "forecast", "ui", "screens", "popups", "store", "keymap",
];

/// The values among the operations, which are as pure: what comes next, and what came of it. Input and output stand in
/// the other files.
const PURE_OPERATIONS: [&str; 6] = [
    "ops/mod.rs",
    "ops/create.rs",
    "ops/delete.rs",
    "ops/edit.rs",
    "ops/probe.rs",
    "ops/suites.rs",
];

/// What the store takes of the operations: values, and never what carries them out.
const VALUES: [&str; 6] = ["delete", "suites", "Do", "Operation", "Report", "Step"];

/// The names of the store that the background task and the commands take: messages, and never the state.
const MESSAGES: &[&str] = &[
    "JournalLine",
    "JournalPage",
    "Exported",
    "History",
    "Notifying",
    "Watching",
    "Effect",
    "Event",
    "Opened",
    "Password",
    "RequestId",
    "RunsOperation",
    "RunsPage",
    "Session",
    "SignInReason",
    "WhatIf",
];

/// A file of the program: the layer it is part of, its path, its text without comments.
struct Source {
    layer: String,
    path: PathBuf,
    text: String,
}

fn sources() -> Vec<Source> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut found = Vec::new();
    let mut folders = vec![root.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let below = path.strip_prefix(&root).unwrap();
                let layer = below
                    .components()
                    .next()
                    .unwrap()
                    .as_os_str()
                    .to_str()
                    .unwrap()
                    .trim_end_matches(".rs");
                let text = fs::read_to_string(&path).unwrap();
                let code: Vec<&str> = text
                    .lines()
                    .filter(|line| !line.trim_start().starts_with("//"))
                    .collect();
                found.push(Source {
                    layer: layer.into(),
                    path: below.into(),
                    text: code.join("\n"),
                });
            }
        }
    }
    assert!(found.len() > 50, "only {} files found", found.len());
    found
}

fn name(text: &str) -> &str {
    let end = text
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(text.len());
    &text[..end]
}

/// What follows a path such as `crate::`: one name, or those of a group in braces (without what is inside of them).
fn named_after<'a>(text: &'a str, path: &str) -> Vec<&'a str> {
    let mut names = Vec::new();
    for (place, _) in text.match_indices(path) {
        let before = text[..place].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &text[place + path.len()..];
        let Some(group) = rest.strip_prefix('{') else {
            names.push(name(rest));
            continue;
        };
        let (mut depth, mut start) = (1, true);
        for (at, c) in group.char_indices() {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 1 => start = true,
                c if start && (c.is_alphabetic() || c == '_') => {
                    names.push(name(&group[at..]));
                    start = false;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
    names
}

#[test]
fn every_part_is_in_the_table() {
    let known: BTreeSet<&str> = LAYERS
        .iter()
        .map(|(layer, _)| *layer)
        .chain(ABOVE)
        .collect();
    let here: BTreeSet<String> = sources().into_iter().map(|source| source.layer).collect();
    let here: BTreeSet<&str> = here.iter().map(String::as_str).collect();
    assert_eq!(
        here, known,
        "left: what is in src/, right: the table of this test; keep docs/guide.md in step"
    );
}

#[test]
fn nothing_is_imported_that_is_not_in_the_table() {
    let mut wrong = Vec::new();
    for source in sources() {
        let Some((layer, may)) = LAYERS.iter().find(|(layer, _)| *layer == source.layer) else {
            continue;
        };
        // Tests at the end of a file may do what they like.
        let text = source.text.split("#[cfg(test)]").next().unwrap();
        let mut imported = named_after(text, "crate::");
        if source.path.components().count() == 1 || source.path.ends_with("mod.rs") {
            // From the top of a layer, `super` is the whole program.
            let depth = source.path.components().count();
            if depth <= 2 {
                let others = named_after(text, "super::");
                imported.extend(
                    others
                        .into_iter()
                        .filter(|name| LAYERS.iter().any(|(layer, _)| layer == name)),
                );
            }
        }
        for name in imported {
            if name != *layer && !may.contains(&name) {
                wrong.push(format!(
                    "src/{}: {layer} must not know {name}",
                    source.path.display()
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "forbidden imports (docs/guide.md says who may know whom):\n{}",
        wrong.join("\n")
    );
}

#[test]
fn what_is_pure_stays_pure() {
    let (mut wrong, mut operations) = (Vec::new(), 0);
    for source in sources() {
        let operation = PURE_OPERATIONS
            .iter()
            .any(|file| source.path == Path::new(file));
        operations += usize::from(operation);
        if !operation && !PURE.contains(&source.layer.as_str()) {
            continue;
        }
        // Tests at the end of a file may do what they like.
        let code = source.text.split("#[cfg(test)]").next().unwrap();
        for outside in OUTSIDE
            .iter()
            .filter(|outside| code.contains(&format!("{outside}::")))
        {
            wrong.push(format!(
                "src/{}: {} must not use {outside}",
                source.path.display(),
                source.layer
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "no clock, disk, network or task belongs here:\n{}",
        wrong.join("\n")
    );
    assert_eq!(operations, PURE_OPERATIONS.len(), "each of them is there");
}

#[test]
fn the_worker_knows_messages_and_no_state() {
    let mut wrong = Vec::new();
    for source in sources()
        .iter()
        .filter(|source| ["worker", "headless"].contains(&source.layer.as_str()))
    {
        for name in named_after(&source.text, "crate::store::")
            .iter()
            .filter(|name| !MESSAGES.contains(name))
        {
            wrong.push(format!(
                "src/{}: {name} is no message",
                source.path.display()
            ));
        }
    }
    assert!(
        wrong.is_empty(),
        "the worker takes effects and answers with events:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn the_store_knows_values_of_operations_only() {
    let mut taken = BTreeSet::new();
    for source in sources().iter().filter(|source| source.layer == "store") {
        let names = named_after(&source.text, "crate::ops::");
        taken.extend(names.into_iter().map(str::to_owned));
    }
    let values: BTreeSet<String> = VALUES.map(str::to_owned).into();
    assert!(
        taken.is_subset(&values),
        "the store carries nothing out: {taken:?}, and only {values:?} are values"
    );
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::view::draw;\nuse crate::{store::{Store, Effect}, rpc, auth as a};\nlet x = crate::config::load();\n\
                macro_rules! m { () => { $crate::domain::Run } }\nmycrate::other::y();";
    assert_eq!(
        named_after(text, "crate::"),
        ["view", "store", "rpc", "auth", "config", "domain"]
    );
    assert_eq!(
        named_after("use crate::store::{Event, Password};", "crate::store::"),
        ["Event", "Password"]
    );
}
