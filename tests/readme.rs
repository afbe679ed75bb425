//! The README says what the program does.

use crate::support::prelude::*;
use std::collections::BTreeMap;
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
            let names = places.iter().map(|place| {
                let articles = ["the ", "a ", "an "].iter();
                let without = |article| place.title.strip_prefix(article);
                articles.copied().find_map(without).unwrap_or(place.title)
            });
            names.collect::<Vec<_>>().join(", ")
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

/// The part of a document between two marks is what the program says; `RUNDOWN_UPDATE` writes it.
fn is_made(document: &str, begin: &str, end: &str, made: &str) {
    let path = root().join(document);
    let text = fs::read_to_string(&path).unwrap();
    let (before, rest) = text.split_once(begin).unwrap();
    let (there, after) = rest.split_once(end).unwrap();
    if std::env::var_os("RUNDOWN_UPDATE").is_some() {
        fs::write(&path, format!("{before}{begin}{made}{end}{after}")).unwrap();
    } else {
        assert!(
            there == made,
            "{document} has changed; `RUNDOWN_UPDATE=1 cargo test --test state readme` writes it anew"
        );
    }
}

#[test]
fn the_key_table_is_the_one_of_the_program() {
    is_made("docs/keys.md", BEGIN, END, &markdown());
}

#[test]
fn the_table_of_typed_commands_is_the_one_of_the_program() {
    let (begin, end) = (
        "<!-- commands: made from their table -->\n",
        "<!-- end of commands -->",
    );
    let mut made = "| command | what it does |\n|---|---|\n".to_owned();
    for (written, does) in rundown::popups::typed() {
        writeln!(made, "| `{written}` | {does} |").unwrap();
    }
    is_made("docs/keys.md", begin, end, &made);
}

/// What stands above each key in the example, by the table and the name of the key.
fn explained() -> BTreeMap<(String, String), String> {
    let (mut table, mut words) = (String::new(), Vec::new());
    let mut found = BTreeMap::new();
    for line in rundown::config::EXAMPLE.lines() {
        let plain = line.strip_prefix("# ").unwrap_or(line);
        let name = plain.split_once(" =").map(|(name, _)| name);
        let is_name = |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
        if let Some(header) = line.strip_prefix('[') {
            table = header.trim_matches(['[', ']']).replace("work", "NAME");
        } else if let Some(name) = name.filter(is_name) {
            found.insert((table.clone(), name.to_owned()), words.join(" "));
            words.clear();
        } else if line.is_empty() {
            words.clear();
        } else {
            words.push(plain);
        }
    }
    found
}

#[test]
fn the_settings_are_those_of_the_table() {
    use rundown::config::settings::{self, Setting, Unset, ValueType};

    let explained = explained();
    let tables: [(&str, &[Setting]); 9] = [
        ("", settings::ROOT),
        ("profiles.NAME", settings::PROFILE),
        ("profiles.NAME.views", settings::VIEW),
        ("profiles.NAME.kinds", settings::KIND),
        ("profiles.NAME.due", settings::DUE),
        ("profiles.NAME.criteria", settings::CRITERION),
        ("ui", settings::UI),
        ("ui.colours", settings::COLOURS),
        ("monitor", settings::MONITOR),
    ];
    let mut made = String::new();
    for (table, settings) in tables {
        let title = match table {
            "" => "At the top of the file".to_owned(),
            _ if table.starts_with("profiles.NAME.") => format!("`[[{table}]]`"),
            _ => format!("`[{table}]`"),
        };
        writeln!(
            made,
            "\n## {title}\n\n| key | unset | what it is |\n|---|---|---|"
        )
        .unwrap();
        for setting in settings.iter().filter(|it| !it.is_hidden()) {
            let name = setting.name.to_owned();
            // Tables have a part of their own.
            let Some(words) = explained.get(&(table.to_owned(), name)) else {
                let has_part = matches!(
                    setting.kind,
                    ValueType::Table(_) | ValueType::Tables(_) | ValueType::Named(_)
                );
                assert!(has_part, "{}", setting.name);
                continue;
            };
            let unset = match setting.unset {
                Unset::Default(value) => format!("`{value}`"),
                Unset::Nothing => String::new(),
                Unset::Required => "required".to_owned(),
            };
            let words = words.replace('|', "\\|").replace('<', "\\<");
            writeln!(made, "| `{}` | {unset} | {words} |", setting.name).unwrap();
        }
    }
    let (begin, end) = (
        "<!-- settings: made from the table of settings and config.example.toml -->\n",
        "<!-- end of settings -->",
    );
    is_made("docs/configuration.md", begin, end, &made);
}

#[test]
fn the_table_of_names_is_the_one_of_the_program() {
    use rundown::domain::query_language::{Flag, NAMES, NameKind, RELEASE_NAMES};

    let (begin, end) = (
        "<!-- names: made from the table of names -->\n",
        "<!-- end of names -->",
    );
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
    is_made("docs/query.md", begin, end, &made);
    let made = RELEASE_NAMES.map(|name| format!("| `{}` | {} |\n", name.text, name.about));
    let (begin, end) = (
        "<!-- names of releases: made from their table -->\n",
        "<!-- end of names of releases -->",
    );
    let made = format!("| name | what it is |\n|---|---|\n{}", made.concat());
    is_made("docs/query.md", begin, end, &made);
}

/// README and what is in the folder of documents.
fn documents() -> Vec<String> {
    let entries = fs::read_dir(root().join("docs")).unwrap();
    let names = entries.map(|it| it.unwrap().file_name().into_string().unwrap());
    let documents = names.filter(|name| Path::new(name).extension().is_some_and(|it| it == "md"));
    let documents = documents.map(|name| format!("docs/{name}"));
    documents.chain(["README.md".to_owned()]).collect()
}

#[test]
fn what_is_linked_is_there() {
    for document in documents() {
        let path = root().join(&document);
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

#[test]
fn tests_that_the_assumptions_name_are_there() {
    let text = fs::read_to_string(root().join("docs/assumptions.md")).unwrap();
    let named = text.split('`').skip(1).step_by(2);
    let named: Vec<_> = named.filter_map(|code| code.rsplit_once("::")).collect();
    assert!(named.len() > 90, "{}", named.len());
    for (file, test) in named {
        let path = match file.strip_suffix(".rs") {
            Some(_) => file.to_owned(),
            None => format!("tests/{file}.rs"),
        };
        let text = fs::read_to_string(root().join(&path)).unwrap_or_default();
        let is_there = text.contains(&format!("fn {test}("));
        assert!(is_there, "{path} has no test {test}");
    }
}

#[cfg(feature = "local-service")]
#[test]
fn commands_and_keys_of_the_readme_are_those_of_the_program() {
    use clap::CommandFactory;

    let readme = fs::read_to_string(root().join("README.md")).unwrap();
    assert!(readme.lines().count() <= 150);
    let (mut in_block, mut commands) = (false, 0);
    for line in readme.lines() {
        if line.starts_with("```") {
            in_block = !in_block;
        } else if in_block {
            let line = line.replace("cargo run --release --", "rundown");
            let words = shell_words::split(&line).unwrap();
            for words in words.split(|word| word == "&&") {
                let is_end = |word: &String| word == ">" || word.starts_with('#');
                let words = words.split(is_end).next().unwrap();
                if words[0] == "rundown" {
                    commands += 1;
                    let read = rundown::cli::Cli::command().try_get_matches_from(words);
                    assert!(read.is_ok(), "{line}: {}", read.unwrap_err());
                } else {
                    assert_eq!(words[0], "cargo", "{line}");
                }
            }
        }
    }
    assert!(commands > 10, "{commands}");
    let places: Vec<&Place> = PLACES.iter().copied().flatten().collect();
    let bindings = places.iter().flat_map(|place| place.bindings());
    let known: BTreeSet<&str> = bindings.flat_map(|it| it.keys.iter().copied()).collect();
    let rows = readme.lines().filter(|line| line.starts_with("| `"));
    let keys: Vec<&str> = rows.map(|row| row.split('`').nth(1).unwrap()).collect();
    assert_eq!(keys.len(), 10, "{keys:?}");
    for key in keys {
        assert!(known.contains(key), "the README names {key}");
    }
}

#[cfg(feature = "local-service")]
#[test]
fn the_options_that_are_named_exist() {
    use clap::CommandFactory;

    let read = |name: &str| fs::read_to_string(root().join(name)).unwrap();
    // The others speak of the tools of those who work on it, too.
    let inside = ["guide", "decisions", "assumptions", "speed"];
    let is_for_users = |name: &&String| !inside.iter().any(|it| name.contains(it));
    let documents = documents();
    let users = documents.iter().filter(is_for_users);
    let readme: String = users.map(|it| read(it)).collect();
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
