//! Which file of the program may know which other: reads `src/`, follows every import to the file that has what is
//! named, and says what is not in the table, and where files know one another in a circle. The table is told in words in
//! docs/guide.md.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// Places below `src/`, and the others that they may import from; of several that fit a file the longest counts.
const LAYERS: &[(&[&str], &[&str])] = &[
    (&["domain/"], &[]),
    (&["auth/", "attached/", "forecast/", "disk/"], &["domain/"]),
    (&["report/"], &["domain/", "forecast/"]),
    (
        &["samples/"],
        &[
            "domain/",
            "disk/database.rs",
            "disk/error.rs",
            "disk/place.rs",
        ],
    ),
    (&["mirror/"], &["domain/", "disk/", "samples/"]),
    (&["rpc/"], &["auth/", "domain/"]),
    (
        &["keymap/"],
        &[
            "domain/",
            "store/key_table.rs",
            "store/layer.rs",
            "store/message.rs",
        ],
    ),
    (&["config/"], &["domain/", "keymap/"]),
    (&["cli/"], &["config/", "domain/"]),
    (
        &["ops/"],
        &["rpc/", "auth/", "attached/", "disk/", "mirror/", "domain/"],
    ),
    (
        VALUES_OF_THE_STORE,
        &[
            "config/watch.rs",
            "domain/",
            "attached/",
            "forecast/",
            "mirror/",
            "ops/",
            "ui/scroll.rs",
            "ui/text_input.rs",
        ],
    ),
    (
        &["ui/"],
        &["domain/", "attached/", "forecast/", "mirror/", "store/"],
    ),
    (
        &["screens/"],
        &[
            "store/",
            "keymap/place.rs",
            "ui/",
            "domain/",
            "attached/",
            "forecast/",
            "mirror/",
            "ops/",
        ],
    ),
    (
        &["popups/"],
        &[
            "screens/screen.rs",
            "screens/keys.rs",
            "screens/prelude.rs",
            "store/",
            "keymap/place.rs",
            "ui/",
            "domain/",
            "attached/",
            "forecast/",
            "mirror/",
            "ops/",
        ],
    ),
    // The router: it knows all screens and popups, and none of them knows it.
    (
        &["store/"],
        &[
            "screens/",
            "popups/",
            "ui/",
            "domain/",
            "attached/",
            "forecast/",
            "mirror/",
            "ops/",
        ],
    ),
    (
        &["profile/"],
        &[
            "ops/",
            "rpc/",
            "auth/",
            "config/",
            "disk/",
            "samples/",
            "mirror/",
            "forecast/",
            "report/",
            "domain/",
        ],
    ),
    (
        &["worker/"],
        &[
            "store/",
            "profile/",
            "ops/",
            "rpc/",
            "auth/",
            "config/",
            "disk/",
            "samples/",
            "mirror/",
            "forecast/",
            "attached/",
            "domain/",
        ],
    ),
    // A command has no screen: it knows neither the store nor the task behind the screens.
    (
        &["headless/"],
        &[
            "cli/",
            "config/",
            "profile/",
            "ops/",
            "rpc/",
            "attached/",
            "disk/",
            "samples/",
            "mirror/",
            "forecast/",
            "report/",
            "ui/time.rs",
            "domain/",
        ],
    ),
    (
        &["setup/"],
        &[
            "config/",
            "headless/",
            "profile/",
            "ops/",
            "rpc/",
            "auth/",
            "disk/",
            "domain/",
        ],
    ),
    (&["terminal.rs"], &["ui/", "domain/"]),
    (&["editor.rs"], &[]),
    (
        &["app.rs", "app/"],
        &[
            "store/",
            "screens/",
            "popups/",
            "ui/",
            "keymap/",
            "worker/",
            "ops/",
            "disk/",
            "domain/",
            "terminal.rs",
            "editor.rs",
        ],
    ),
    // The service shares nothing with its client: with shared types a wrong name would pass every test.
    (&["local_service/"], &[]),
    (
        &["demo.rs", "demo/"],
        &[
            "local_service/",
            "config/",
            "domain/",
            "samples/",
            "disk/database.rs",
        ],
    ),
    // What is put together from all the others.
    (&["lib.rs", "main.rs", "start.rs"], &[""]),
];

/// What the store keeps and says in plain values: screens may know it.
const VALUES_OF_THE_STORE: &[&str] = &[
    "store/cx.rs",
    "store/effect.rs",
    "store/errors.rs",
    "store/feed.rs",
    "store/in_flight.rs",
    "store/key_table.rs",
    "store/layer.rs",
    "store/message.rs",
    "store/refresh.rs",
    "store/remote.rs",
    "store/session.rs",
    "store/shared.rs",
    "store/tour.rs",
    "store/typed.rs",
    "store/undo.rs",
];

/// Who may know of the store no more than these.
const OF_THE_STORE: &[(&[&str], &[&str])] = &[
    (&["screens/", "popups/"], VALUES_OF_THE_STORE),
    (
        &["ui/"],
        &[
            "store/cx.rs",
            "store/feed.rs",
            "store/key_table.rs",
            "store/layer.rs",
            "store/message.rs",
        ],
    ),
    (
        &["worker/"],
        &[
            "store/effect.rs",
            "store/layer.rs",
            "store/message.rs",
            "store/session.rs",
        ],
    ),
];

/// The values among the operations: what comes next, and what came of it. Input and output stand in the other files.
const PURE_OPERATIONS: &[&str] = &[
    "ops/mod.rs",
    "ops/create.rs",
    "ops/delete.rs",
    "ops/edit.rs",
    "ops/probe.rs",
    "ops/suites.rs",
];

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
const PURE: &[&str] = &[
    "domain/",
    "forecast/",
    "ui/",
    "screens/",
    "popups/",
    "store/",
    "keymap/",
];

/// The files below `src/`, by their modules, without comments and without the tests at their ends.
struct Sources {
    files: BTreeMap<Vec<String>, File>,
}

struct File {
    path: String,
    text: String,
}

impl Sources {
    fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = BTreeMap::new();
        let mut folders = vec![root.clone()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = fs::read_to_string(&path).unwrap();
                    let path = path.strip_prefix(&root).unwrap().to_str().unwrap();
                    files.insert(module_of(path), File::new(path, &text));
                }
            }
        }
        assert!(files.len() > 50, "only {} files found", files.len());
        Self { files }
    }

    /// The path of the file that has what is named by a path from the top: a module, or what stands in one, followed
    /// through what it re-exports.
    fn file_of(&self, path: &[String]) -> Option<&str> {
        for length in (0..=path.len()).rev() {
            let Some(file) = self.files.get(&path[..length]) else {
                continue;
            };
            let re_exported = path.get(length).and_then(|name| {
                let named = |full: &Vec<String>| full.last() == Some(name) && full.len() > 1;
                let mut exports = file.exports(&path[..length]).into_iter();
                let full = exports.find(|full| named(full) && full[..] != path[..=length])?;
                self.file_of(&full)
            });
            return Some(re_exported.unwrap_or(&file.path));
        }
        None
    }

    fn known(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let known = self.files.iter().map(|(module, file)| {
            let mut paths = file.imports(module);
            paths.extend(file.named(module, &paths));
            let files = paths.iter().filter_map(|path| self.file_of(path));
            let others = files.filter(|other| *other != file.path);
            (file.path.as_str(), others.collect())
        });
        known.collect()
    }
}

/// The module of a file: `store/mod.rs` and `store.rs` are both `store`.
fn module_of(path: &str) -> Vec<String> {
    let names = path.trim_end_matches(".rs").split('/').map(str::to_owned);
    let mut names: Vec<String> = names.collect();
    if matches!(names.last().unwrap().as_str(), "mod" | "lib") {
        names.pop();
    }
    names
}

impl File {
    fn new(path: &str, text: &str) -> Self {
        let text = text.split("#[cfg(test)]\nmod ").next().unwrap();
        let code = text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"));
        Self {
            path: path.to_owned(),
            text: code.collect::<Vec<_>>().join("\n"),
        }
    }

    /// The paths that it imports, as they are written, each with whether others may import it from here.
    fn uses(&self) -> Vec<(String, bool)> {
        let mut all = Vec::new();
        for (place, keyword) in self.text.match_indices("use ") {
            let before = self.text[..place].rsplit('\n').next().unwrap().trim();
            if before.is_empty() || before.starts_with("pub") {
                let tree = &self.text[place + keyword.len()..];
                let tree = &tree[..tree.find(';').unwrap_or_default()];
                let paths = expanded(tree).into_iter();
                all.extend(paths.map(|path| (path, !before.is_empty())));
            }
        }
        all
    }

    fn imports(&self, module: &[String]) -> Vec<Vec<String>> {
        let uses = self.uses().into_iter();
        uses.filter_map(|(path, _)| from_the_top(&path, module))
            .collect()
    }

    /// Those of them that others may import from here.
    fn exports(&self, module: &[String]) -> Vec<Vec<String>> {
        let uses = self.uses().into_iter().filter(|(_, exported)| *exported);
        uses.filter_map(|(path, _)| from_the_top(&path, module))
            .collect()
    }

    /// The paths that stand in the code.
    fn words(&self) -> impl Iterator<Item = &str> {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
        let words = self.text.split(move |c: char| !word(c));
        words.filter(|word| word.contains("::"))
    }

    /// The paths from the top that are named in the code: from the top, from above, or from what is imported.
    fn named(&self, module: &[String], imports: &[Vec<String>]) -> Vec<Vec<String>> {
        let paths = self.words().filter(|path| !path.ends_with("::"));
        let paths = paths.filter_map(|path| {
            let (first, rest) = path.split_once("::")?;
            if matches!(first, "crate" | "super") {
                return from_the_top(path, module);
            }
            let import = imports
                .iter()
                .find(|import| import.last().is_some_and(|last| last == first))?;
            let rest = rest.split("::").map(str::to_owned);
            Some(import.iter().cloned().chain(rest).collect())
        });
        paths.collect()
    }

    /// What of [`OUTSIDE`] is named or imported.
    fn outside(&self) -> impl Iterator<Item = &'static str> {
        let uses = self.uses().into_iter().map(|(path, _)| path);
        let words = self.words().map(|word| word.trim_matches(':').to_owned());
        let paths: BTreeSet<String> = uses.chain(words).collect();
        OUTSIDE.into_iter().filter(move |outside| {
            paths.iter().any(|path| {
                let rest = path.strip_prefix(outside);
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
            })
        })
    }
}

/// `a::{b, c::{d, e}}` as its single paths, without new names.
fn expanded(tree: &str) -> Vec<String> {
    let tree = tree.trim();
    let Some((before, group)) = tree.split_once('{') else {
        let path = tree.split(" as ").next().unwrap();
        return vec![path.split_whitespace().collect()];
    };
    let group = group.trim_end().strip_suffix('}').unwrap_or(group);
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in group.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().unwrap().push(c);
    }
    let parts = parts.iter().filter(|part| !part.trim().is_empty());
    parts
        .flat_map(|part| expanded(&format!("{}{}", before.trim(), part.trim())))
        .collect()
}

/// A path as it is written in a module, from the top of the crate; nothing for what is from outside.
fn from_the_top(path: &str, module: &[String]) -> Option<Vec<String>> {
    let mut names = path.split("::").filter(|name| !name.is_empty()).peekable();
    let mut full = match *names.peek()? {
        "crate" | "rundown" => {
            names.next();
            Vec::new()
        }
        "self" => {
            names.next();
            module.to_vec()
        }
        // Above, or a module of this one, or a crate: the last is not found among the files.
        _ => module.to_vec(),
    };
    while names.next_if(|name| *name == "super").is_some() {
        full.pop();
    }
    full.extend(names.filter(|name| *name != "self").map(str::to_owned));
    Some(full)
}

/// The row of the table for a file: the one with the longest place that fits.
fn row_of(path: &str) -> Option<&'static (&'static [&'static str], &'static [&'static str])> {
    let length = |row: &&(&[&str], &[&str])| {
        let fits = row.0.iter().filter(|place| path.starts_with(**place));
        fits.map(|place| place.len()).max()
    };
    LAYERS
        .iter()
        .filter(|row| length(row).is_some())
        .max_by_key(length)
}

fn is_in(path: &str, places: &[&str]) -> bool {
    places.iter().any(|place| path.starts_with(place))
}

/// What is wrong with one file's knowing another.
fn wrong(path: &str, other: &str) -> Option<String> {
    let (own, may) = row_of(path)?;
    let folder = |path: &str| path.split('/').nth(1).map(str::to_owned);
    let of_screen = |path: &str| is_in(path, &["screens/"]) && path.matches('/').count() > 1;
    let words = if !is_in(other, own) && !is_in(other, may) {
        "must not know"
    } else if of_screen(path) && of_screen(other) && folder(path) != folder(other) {
        "is a screen and must not know another,"
    } else if OF_THE_STORE
        .iter()
        .any(|(who, what)| is_in(path, who) && is_in(other, &["store/"]) && !is_in(other, what))
    {
        "takes values of the store, and never"
    } else if is_in(path, &["store/", "screens/", "popups/"])
        && is_in(other, &["ops/"])
        && !is_in(other, PURE_OPERATIONS)
    {
        "carries nothing out: it must not know"
    } else {
        return None;
    };
    Some(format!("src/{path} {words} {other}"))
}

#[test]
fn every_file_has_a_row() {
    let sources = Sources::read();
    let mut paths = sources.files.values().map(|file| file.path.as_str());
    assert_eq!(paths.find(|path| row_of(path).is_none()), None);
    for place in LAYERS.iter().flat_map(|(own, may)| own.iter().chain(*may)) {
        let mut paths = sources.files.values();
        assert!(
            paths.any(|file| file.path.starts_with(place)),
            "{place} is in the table, and not in src/"
        );
    }
}

#[test]
fn nothing_is_imported_that_is_not_in_the_table() {
    let sources = Sources::read();
    let mut all = Vec::new();
    for (path, known) in sources.known() {
        all.extend(known.iter().filter_map(|other| wrong(path, other)));
    }
    assert!(
        all.is_empty(),
        "forbidden imports (docs/guide.md says who may know whom):\n{}",
        all.join("\n")
    );
}

#[test]
fn no_files_know_one_another_in_a_circle() {
    let sources = Sources::read();
    let known = sources.known();
    // A module and its children belong together.
    let related = |a: &str, b: &str| {
        let (a, b) = (module_of(a), module_of(b));
        a.starts_with(&b) || b.starts_with(&a)
    };
    let reaches_itself = |from: &&&str| {
        let (mut seen, mut next) = (BTreeSet::new(), vec![**from]);
        while let Some(path) = next.pop() {
            let others = known[path].iter().filter(|other| !related(path, other));
            next.extend(others.copied().filter(|other| seen.insert(*other)));
        }
        seen.contains(**from)
    };
    let circles: Vec<&&str> = known.keys().filter(reaches_itself).collect();
    assert!(circles.is_empty(), "in circles: {circles:?}");
}

#[test]
fn what_is_pure_stays_pure() {
    let sources = Sources::read();
    let mut wrong = Vec::new();
    for file in sources.files.values() {
        if is_in(&file.path, PURE) || PURE_OPERATIONS.contains(&file.path.as_str()) {
            wrong.extend(
                file.outside()
                    .map(|outside| format!("src/{} uses {outside}", file.path)),
            );
            if file.words().any(|path| path.ends_with("::now")) {
                wrong.push(format!("src/{} asks what time it is", file.path));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "no clock, disk, network or task belongs here:\n{}",
        wrong.join("\n")
    );
}

#[test]
fn imports_are_found_in_every_form() {
    let text = "use crate::view::draw;\nuse crate::{store::{Store, Effect}, rpc, auth as a};\n\
                pub use super::b::{C, d::E};\npub(crate) use crate::f::G;\nuse std::{fs, env};\nuse tokio;\n\
                let x = crate::config::load(rpc::read(::reqwest::get::<u8>()));\n// use crate::no;";
    let file = File::new("x/y.rs", text);
    let module = module_of("x/y.rs");
    let paths = |paths: Vec<Vec<String>>| paths.iter().map(|it| it.join("::")).collect::<Vec<_>>();
    let exports = ["x::b::C", "x::b::d::E", "f::G"];
    assert_eq!(paths(file.exports(&module)), exports);
    let imports = file.imports(&module);
    let named = paths(file.named(&module, &imports));
    for path in ["config::load", "rpc::read"] {
        assert!(named.contains(&path.to_owned()), "{path}");
    }
    let imports = paths(imports);
    let own = ["view::draw", "store::Store", "store::Effect", "rpc", "auth"];
    for path in own.into_iter().chain(exports) {
        assert!(imports.contains(&path.to_owned()), "{path}");
    }
    assert!(!imports.contains(&"no".to_owned()));
    assert!(
        file.outside()
            .eq(["std::fs", "std::env", "tokio", "reqwest"])
    );
}

#[test]
fn what_is_forbidden_is_told() {
    for (path, other) in [
        ("domain/run.rs", "store/cx.rs"),
        ("screens/runs/mod.rs", "screens/monitor/mod.rs"),
        ("screens/runs/mod.rs", "store/router.rs"),
        ("popups/delete.rs", "ops/steps.rs"),
        ("popups/help.rs", "screens/mod.rs"),
        ("worker/mod.rs", "store/cx.rs"),
        ("headless/access.rs", "worker/mod.rs"),
        ("headless/report.rs", "store/effect.rs"),
        ("profile/connection.rs", "store/session.rs"),
        ("ui/bar.rs", "screens/mod.rs"),
        ("local_service/mod.rs", "domain/run.rs"),
    ] {
        assert!(wrong(path, other).is_some(), "{path} {other}");
    }
    assert_eq!(wrong("screens/runs/mod.rs", "screens/runs/window.rs"), None);
    assert_eq!(wrong("store/router.rs", "screens/runs/mod.rs"), None);
}
