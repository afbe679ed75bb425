//! A service of a few numbers, and programs that read it into a mirror.

use std::path::Path;

use rundown::domain::diff::Ignored;
use rundown::domain::query_language::search;
use rundown::domain::{
    DocRef, Document, FieldDigests, Filter, Page, ResultCode, RunRow, RunsOperation, RunsPage, Sort,
};
use rundown::mirror::{
    Changes, Depth, FoundRuns, Mirror, MirrorSettings, NextRead, Presence, RunCache, RunsOrigin,
    RunsQuery, RunsReading,
};
use rundown::samples::{RunHistory, Samples};
use serde_json::{Value, json};
use tempfile::TempDir;

pub const NOW: i64 = 1_795_600_000_000;

/// A run as the service has it.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    pub number: u64,
    pub open: bool,
    pub version: u64,
    pub title: String,
    pub description: String,
    pub edited: i64,
    pub created: i64,
    /// Untested, passed, failed.
    pub cases: [u64; 3],
}

impl Run {
    pub fn document(&self) -> Document {
        let result = |code: &str, count: u64| json!({"result": code, "count": count, "label": "x"});
        let status = if self.open { "active" } else { "inactive" };
        let value = json!({
            "docRef": format!("TestRun-dm/3b53beea-a611-462c-9553-{:012}", self.number),
            "document": {"Root": {
                "General": {
                    "ProjectId": "P_9", "SubprojectId": "SP_1", "ProjectVersionNumber": format!("1.{}.0", self.version),
                    "Status": status, "Title": self.title, "Configuration": "qftest,chrome", "Description": self.description,
                    "Id": format!("R_{}", self.number), "TestSuiteCount": 3
                },
                "Metadata": {
                    "CreatedBy": "trung", "DisplayCreatedOn": "2026-11-13T02:09:50", "CreatedOn": self.created,
                    "EditedBy": "mai", "DisplayEditedOn": format!("2026-11-19T18:02:{:02}", self.edited / 1_000 % 60), "EditedOn": self.edited
                },
                "DisplayFields": {
                    "Result": [result("1", self.cases[0]), result("2", self.cases[1]), result("5", self.cases[2])],
                    "TestCasesWithTester": "80", "TestersOfTestCases": ["trung", "mai"]
                }
            }}
        });
        Document::from_value(value).unwrap()
    }

    pub fn row(&self) -> RunRow {
        RunRow::from_document(&self.document())
    }
}

/// The service.
#[derive(Clone, Debug, Default)]
pub struct World {
    pub runs: Vec<Run>,
    /// Milliseconds since [`NOW`].
    pub clock: i64,
    pub next: u64,
    /// What is added to the number of matches that it says.
    pub lie: i64,
    /// Entries it gives at most at once.
    pub limit: Option<u32>,
    /// The same of the next pages, one after the other.
    pub next_limits: Vec<u32>,
    /// It tells the number of entries of the page as that of the list.
    pub is_page_told: bool,
    /// It gives nothing from this entry on.
    pub end: Option<u64>,
    /// It gives the first entries whatever place is asked for.
    pub is_deaf: bool,
    /// Runs that are added with each call.
    pub grows: u64,
    pub without_counts: bool,
    /// So many of the first runs have no time of their edits; they come before all others by it.
    pub untimed: u64,
    /// It takes an order and does not apply it.
    pub is_unsorted: bool,
    /// Runs of which it does not say whether they are there.
    pub hidden: Vec<DocRef>,
    /// Lists and documents that were asked for.
    pub calls: Vec<String>,
}

impl World {
    pub fn with(runs: u64) -> Self {
        let mut world = Self::default();
        (0..runs).for_each(|_| world.add());
        world.clock += 60_000;
        world
    }

    pub fn add(&mut self) {
        self.clock += 1_000;
        self.next += 1;
        let (number, at) = (self.next, NOW + self.clock);
        self.runs.push(Run {
            number,
            open: true,
            version: number % 3,
            title: format!("Title of {number}"),
            description: "none".into(),
            edited: at,
            created: at,
            cases: [30, 10, 2],
        });
    }

    pub fn edit(&mut self, place: usize, change: impl FnOnce(&mut Run)) {
        self.clock += 1_000;
        change(&mut self.runs[place]);
        self.runs[place].edited = NOW + self.clock;
    }

    pub fn now(&self) -> i64 {
        NOW + self.clock
    }

    pub fn list(&mut self, filter: &Filter, sort: &[Sort], page: Page) -> RunsPage {
        self.clock += 100;
        (0..self.grows).for_each(|_| self.add());
        self.calls.push(format!(
            "{} {}+{}",
            filter.filters.join(" "),
            page.offset,
            page.limit
        ));
        let is_open = filter
            .filters
            .contains(&"Root.General.Status:active".to_owned());
        // No row tells who closed a run.
        let by_closer = filter.named().any(|(path, _)| path.ends_with("ClosedBy"));
        let fits = |run: &&Run| {
            (run.open || !is_open)
                && run.title.contains(&filter.fulltext)
                && (!by_closer || run.number.is_multiple_of(10))
        };
        let mut runs: Vec<&Run> = self.runs.iter().filter(fits).collect();
        let is_untimed = |run: &Run| run.number <= self.untimed;
        match sort.first() {
            _ if self.is_unsorted => {}
            Some(sort) if sort.descending => {
                runs.sort_by_key(|run| (!is_untimed(run), -run.edited, run.number));
            }
            _ => runs.sort_by_key(|run| (run.created, run.number)),
        }
        let limit = (!self.next_limits.is_empty()).then(|| self.next_limits.remove(0));
        let limit = page.limit.min(limit.or(self.limit).unwrap_or(u32::MAX)) as usize;
        let offset = if self.is_deaf {
            0
        } else {
            page.offset as usize
        };
        let end = self.end.unwrap_or(u64::MAX) as usize;
        let rows = runs.iter().take(end).skip(offset).take(limit);
        let row = |run: &&Run| RunRow {
            edited_on: (!is_untimed(run)).then_some(run.edited),
            ..run.row()
        };
        let mut rows: Vec<RunRow> = rows.map(row).collect();
        if self.without_counts {
            for row in &mut rows {
                let bare = RunRow::unknown(row.doc_ref.clone());
                (row.results, row.suite_count) = (None, None);
                (row.testers, row.cases_with_tester) = (bare.testers, None);
            }
        }
        let matches = if self.is_page_told {
            rows.len()
        } else {
            runs.len()
        };
        RunsPage {
            full_size: ((matches as u64).cast_signed() + self.lie)
                .max(0)
                .cast_unsigned(),
            rows,
            facets: None,
            operation: Some(if self.without_counts {
                RunsOperation::ListDocuments
            } else {
                RunsOperation::ListTestRuns
            }),
        }
    }
}

/// One who reads, with folders for cache and history.
pub struct Home {
    pub folder: TempDir,
}

impl Home {
    pub fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    pub fn source() -> RunsOrigin {
        RunsOrigin {
            service: "https://demo.example/api".into(),
            realm: "acme".into(),
            user: "QA".into(),
            project: "P_9".into(),
            subproject: Some("SP_1".into()),
        }
    }

    pub fn cache(&self) -> std::path::PathBuf {
        self.folder.path().join("cache")
    }

    pub fn file(&self) -> std::path::PathBuf {
        Self::source().file(&self.cache())
    }

    pub fn history(&self) -> RunHistory {
        RunHistory {
            samples: Samples::open(&self.folder.path().join("state"), 90, NOW).unwrap(),
            profile: "qa".into(),
            scope: "P_9/SP_1".into(),
            source: Self::source().key(),
        }
    }

    pub fn mirror(&self) -> Mirror {
        let cache = RunCache::open(&self.cache(), &Self::source(), false).unwrap();
        Mirror::open(settings(), Some(cache), Some(self.history())).unwrap()
    }

    /// What the history holds of changes: run, and what it was, oldest first.
    pub fn told(&self) -> Vec<(String, Value)> {
        let database =
            rusqlite::Connection::open(self.folder.path().join("state/samples.sqlite")).unwrap();
        let mut statement = database
            .prepare("SELECT name, what FROM changes ORDER BY id")
            .unwrap();
        let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
        let one = |row: rusqlite::Result<(String, String)>| {
            let (name, what) = row.unwrap();
            (name, serde_json::from_str(&what).unwrap())
        };
        rows.unwrap().map(one).collect()
    }

    /// Whether these bytes are in any file of the home.
    pub fn holds(&self, text: &str) -> Vec<String> {
        fn look(folder: &Path, text: &[u8], found: &mut Vec<String>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    look(&path, text, found);
                    continue;
                }
                let bytes = match std::fs::read(&path) {
                    // A database that another thread closed: what is not there holds nothing.
                    Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                    bytes => bytes.unwrap(),
                };
                if bytes.windows(text.len()).any(|it| it == text) {
                    found.push(path.display().to_string());
                }
            }
        }
        let mut found = Vec::new();
        look(self.folder.path(), text.as_bytes(), &mut found);
        found
    }
}

pub fn settings() -> MirrorSettings {
    MirrorSettings {
        ignored: Ignored::default(),
        done: vec![ResultCode::Passed, ResultCode::FailedNew],
        most: 100_000,
    }
}

/// The runs that a search finds, in an order.
pub fn answer(mirror: &Mirror, query: &str, order: &str) -> FoundRuns {
    mirror.runs_of(&RunsQuery {
        search: search(query, &jiff::Zoned::now(), &[]).unwrap(),
        orders: vec![Sort::parse(order).unwrap()],
        ..RunsQuery::default()
    })
}

/// News in words.
pub fn words(changes: &Changes) -> Vec<String> {
    let news = changes.news.iter();
    news.map(|(run, news)| format!("{} {news}", run.name()))
        .collect()
}

/// Reads as the engine says; `between` does what others do after each call. Returns the reading and what was new.
pub fn read(
    world: &mut World,
    mirror: &mut Mirror,
    wish: Depth,
    between: impl FnMut(&mut World),
) -> (RunsReading, Vec<String>) {
    read_lists(
        world,
        mirror,
        (wish, vec![RunsReading::open_runs()]),
        between,
    )
}

/// The same, beginning with these lists.
pub fn read_lists(
    world: &mut World,
    mirror: &mut Mirror,
    (wish, lists): (Depth, Vec<Filter>),
    mut between: impl FnMut(&mut World),
) -> (RunsReading, Vec<String>) {
    world.clock += 1;
    mirror.begins(world.now(), world.now());
    let mut reading = RunsReading::new(wish, lists, 50, mirror, world.now());
    let mut news = Vec::new();
    loop {
        match reading.next() {
            NextRead::End => return (reading, news),
            NextRead::Page { filter, sort, page } => {
                assert!(reading.calls < 100, "it does not end");
                let at = world.now();
                let page = world.list(&filter, &sort, page);
                let taken = mirror.take(&page.rows, at).unwrap();
                assert!(taken.trouble.is_none());
                news.extend(words(&taken));
                reading.on_page(&page, mirror).unwrap();
            }
            NextRead::Ask { run, .. } => {
                world.calls.push(run.to_string());
                let found = world
                    .runs
                    .iter()
                    .map(Run::row)
                    .find(|row| row.doc_ref == run);
                if !world.hidden.contains(&run) {
                    let taken = match found {
                        Some(row) => mirror.take(&[row], world.now()).unwrap(),
                        None => mirror.gone(&[run], world.now()).unwrap(),
                    };
                    news.extend(words(&taken));
                }
                reading.on_asked();
            }
        }
        between(world);
    }
}

/// Reads while nobody else does anything; what was new.
pub fn sync(world: &mut World, mirror: &mut Mirror) -> Vec<String> {
    read(world, mirror, Depth::Sync, |_| {}).1
}

/// A service with so many runs, and one who has read nothing yet.
pub fn fresh(runs: u64) -> (Home, World, Mirror) {
    let home = Home::new();
    let mirror = home.mirror();
    (home, World::with(runs), mirror)
}

/// The same after a whole reading.
pub fn synced(runs: u64) -> (Home, World, Mirror) {
    let (home, mut world, mut mirror) = fresh(runs);
    sync(&mut world, &mut mirror);
    (home, world, mirror)
}

/// The mirror holds what the service has.
#[track_caller]
pub fn same(mirror: &Mirror, world: &World) {
    assert_eq!(held(mirror), there(world));
}

/// What the mirror holds of the runs that are there, by reference.
pub fn held(mirror: &Mirror) -> Vec<RunRow> {
    let here = mirror.runs().filter(|run| run.state == Presence::Here);
    let mut rows: Vec<RunRow> = here.map(|run| run.row()).collect();
    rows.sort_by(|a, b| a.doc_ref.cmp(&b.doc_ref));
    rows
}

/// The same of the service.
pub fn there(world: &World) -> Vec<RunRow> {
    let rows = world.runs.iter().map(|run| RunRow {
        digests: FieldDigests::default(),
        ..run.row()
    });
    let mut rows: Vec<RunRow> = rows.collect();
    rows.sort_by(|a, b| a.doc_ref.cmp(&b.doc_ref));
    rows
}
