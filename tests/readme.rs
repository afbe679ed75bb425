//! The README says what the program does, and the example file what its settings mean.

use std::fs;
use std::path::{Path, PathBuf};

const BEGIN: &str = "<!-- keys: made from the key table -->\n";
const END: &str = "<!-- end of keys -->";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

#[test]
fn the_key_table_is_the_one_of_the_program() {
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(BEGIN).unwrap();
    let (table, after) = rest.split_once(END).unwrap();
    let made = rundown::keymap::markdown(rundown::app::PLACES);
    if std::env::var_os("RUNDOWN_UPDATE").is_some() {
        fs::write(&path, format!("{before}{BEGIN}{made}{END}{after}")).unwrap();
    } else {
        assert!(
            table == made,
            "the keys have changed; `RUNDOWN_UPDATE=1 cargo test --test state readme` writes them anew"
        );
    }
}

#[test]
fn the_example_file_is_what_the_program_prints() {
    let path = root().join("config.example.toml");
    let made = rundown::config::EXAMPLE.as_str();
    if std::env::var_os("RUNDOWN_UPDATE").is_some() {
        fs::write(&path, made).unwrap();
    } else {
        assert!(
            fs::read_to_string(&path).unwrap() == made,
            "the settings have changed; `RUNDOWN_UPDATE=1 cargo test --test state readme` writes the file anew"
        );
    }
}

#[test]
fn what_is_linked_is_there() {
    for document in ["README.md", "docs/guide.md", "docs/headless.md"] {
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
