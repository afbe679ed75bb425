//! What goes out with the program: licences, and where it runs.

use crate::support::prelude::*;
use std::fs;
use std::process::Command;

fn text(path: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap()
}

/// The licence texts are those of the crates that are compiled in, in these versions.
#[test]
fn the_licence_texts_are_of_what_is_compiled_in() {
    let told = text(".ci/packaging/third-party.txt");
    let listed = told.lines().filter(|line| line.starts_with("  "));
    let listed = listed.filter_map(|line| line.trim().split_once(' '));
    // Lines of the texts begin so, too.
    let is_version = |text: &str| {
        let digit = text.starts_with(|c: char| c.is_ascii_digit());
        digit && text.split('.').count() > 2 && !text.contains(' ')
    };
    let listed = listed.filter(|(_, version)| is_version(version));
    let listed: BTreeSet<String> = listed
        .map(|(name, version)| format!("{name} {version}"))
        .collect();
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "--locked",
            "--offline",
            "--edges",
            "normal",
            "--prefix",
            "none",
        ])
        .args(["--target", "x86_64-unknown-linux-gnu", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let tree = String::from_utf8(tree.stdout).unwrap();
    let crates = tree.lines().filter_map(|line| {
        let mut words = line.split_whitespace();
        let (name, version) = (words.next()?, words.next()?);
        (name != "rundown").then(|| format!("{name} {}", version.trim_start_matches('v')))
    });
    let crates: BTreeSet<String> = crates.collect();
    assert!(crates.len() > 50, "{tree}");
    let differ: Vec<_> = crates.symmetric_difference(&listed).collect();
    assert!(
        differ.is_empty(),
        ".ci/packaging/third-party.txt is not of these; .ci/long says how it is made: {differ:?}"
    );
}

/// What works on Unix only is listed in one place.
#[test]
fn what_is_unix_only_is_listed() {
    let listed = text("docs/platforms.md");
    let signs = [
        "os::unix",
        "os::fd",
        "rustix::",
        "signal::unix",
        "net::unix",
        "target_os",
        "process_group",
    ];
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![source.clone()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let code = fs::read_to_string(&path).unwrap();
            let name = path.strip_prefix(&source).unwrap().to_str().unwrap();
            let is_unix_only = signs.iter().any(|sign| code.contains(sign));
            assert_eq!(
                is_unix_only,
                listed.contains(&format!("`{name}`")),
                "src/{name} and docs/platforms.md do not agree"
            );
        }
    }
}
