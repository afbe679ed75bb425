//! The README says what the program does.

use crate::support::prelude::*;
use std::fmt::Write;
use std::fs;

use rundown::app::PLACES;
use rundown::keymap::place::{Binding, Place};

const BEGIN: &str = "<!-- keys: made from the key table -->\n";
const END: &str = "<!-- end of keys -->";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// The key table, as Markdown.
fn markdown() -> String {
    let places: Vec<&Place> = PLACES.iter().copied().flatten().collect();
    let mut bindings: Vec<&Binding> = places.iter().flat_map(|place| place.bindings()).collect();
    bindings.sort_by_key(|binding| binding.heading);
    let palette = bindings
        .iter()
        .find(|binding| binding.action == Action::Palette);
    let palette = palette.map_or(&[][..], |binding| &binding.keys[..1]);
    let mut text = String::from("| keys | what they do | where |\n|---|---|---|\n");
    let mut told = BTreeSet::new();
    for (keys, words) in bindings.iter().map(|binding| (binding.keys, binding.words)) {
        if !told.insert((keys, words)) {
            continue;
        }
        let has = |place: &&Place| {
            place
                .bindings()
                .iter()
                .any(|binding| (binding.keys, binding.words) == (keys, words))
        };
        let (have, lack): (Vec<&Place>, Vec<&Place>) = places.iter().copied().partition(has);
        let short = |places: &[&Place]| {
            places
                .iter()
                .map(|place| place.short)
                .collect::<Vec<_>>()
                .join(", ")
        };
        let place = match lack.len() {
            0 => "everywhere".to_owned(),
            lacking if lacking < have.len() => format!("everywhere but {}", short(&lack)),
            _ => short(&have),
        };
        // A command without a key of its own is in the palette.
        let keys = if keys.is_empty() { palette } else { keys };
        let keys: Vec<String> = keys
            .iter()
            .map(|key| format!("`{}`", key.replace('|', "\\|")))
            .collect();
        writeln!(text, "| {} | {words} | {place} |", keys.join(" ")).unwrap();
    }
    text
}

#[test]
fn the_key_table_is_the_one_of_the_program() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    let made = markdown();
    if std::env::var_os("RUNDOWN_UPDATE").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}")).unwrap();
    } else {
        assert!(
            table == made,
            "the keys have changed; `RUNDOWN_UPDATE=1 cargo test --test state readme` writes them anew"
        );
    }
}

/// Each name of searches, and what it is.
#[test]
fn the_table_of_names_is_the_one_of_the_program() {
    use rundown::domain::query_language::{Flag, NAMES, NameKind};

    let (begin, end) = (
        "<!-- names: made from the table of names -->\n",
        "<!-- end of names -->",
    );
    let path = root().join("docs/query.md");
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(begin).unwrap();
    let (table, after) = rest.split_once(end).unwrap();
    let mut made = vec![
        "| name | kind | what it is |".to_owned(),
        "|---|---|---|".to_owned(),
    ];
    for name in NAMES {
        let kind = match name.kind {
            NameKind::Count(_) => "count",
            NameKind::Text(_) => "field",
            NameKind::Time(_) => "time",
            NameKind::Flags => continue,
        };
        let short = match name.short {
            "" => String::new(),
            short => format!(" `{short}`"),
        };
        made.push(format!(
            "| `{}`{short} | {kind} | {} |",
            name.text, name.about
        ));
    }
    let flags = Flag::ALL.map(|(_, name, about)| format!("| `is:{name}` | flag | {about} |"));
    let made = [&made[..], &flags].concat().join("\n") + "\n";
    if std::env::var_os("RUNDOWN_UPDATE").is_some() {
        fs::write(&path, format!("{before}{begin}{made}{end}{after}")).unwrap();
    } else {
        assert!(
            table == made,
            "the names have changed; `RUNDOWN_UPDATE=1 cargo test --test state readme` writes them anew"
        );
    }
}

#[test]
fn what_is_linked_is_there() {
    for document in [
        "README.md",
        "docs/guide.md",
        "docs/headless.md",
        "docs/query.md",
    ] {
        let path = root().join(document);
        let text = fs::read_to_string(&path).unwrap();
        let links = text
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with("http") && !link.starts_with('#')) {
            let file = link.split('#').next().unwrap();
            assert!(
                path.parent().unwrap().join(file).exists(),
                "{document} links to {link}, which is not there"
            );
        }
    }
}

#[cfg(feature = "local-service")]
#[test]
fn the_options_that_are_named_exist() {
    use clap::CommandFactory;

    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    let readme = read("README.md") + &read("docs/headless.md");
    let command = rundown::cli::Cli::command();
    let mut known: Vec<String> = Vec::new();
    let mut commands = vec![&command];
    while let Some(command) = commands.pop() {
        known.extend(
            command
                .get_arguments()
                .filter_map(|option| option.get_long())
                .map(str::to_owned),
        );
        commands.extend(command.get_subcommands());
    }
    // Options of cargo.
    known.extend(["release", "path", "test", "open", "help"].map(str::to_owned));
    let named = readme.split("--").skip(1).map(|rest| {
        let end = rest
            .find(|c: char| !c.is_ascii_lowercase() && c != '-')
            .unwrap_or(rest.len());
        rest[..end].trim_end_matches('-')
    });
    for option in named.filter(|option| !option.is_empty()) {
        assert!(
            known.iter().any(|known| known == option),
            "the README names --{option}, which does not exist"
        );
    }
}
