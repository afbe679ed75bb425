//! What a hundred thousand runs on this machine cost: `cargo bench --bench mirror`. Times are printed; bytes a run in
//! memory and on the disk are held to what they may be.
#![expect(clippy::unwrap_used, reason = "a bench fails by panicking")]

#[path = "../tests/mirror/world.rs"]
#[expect(dead_code, reason = "the tests take more of it")]
mod world;

use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

use rundown::domain::RunRow;
use rundown::mirror::{Mirror, RunCache};
use world::{Home, World, answer};

const RUNS: usize = 100_000;
/// Most bytes of a run in memory, and on the disk.
const IN_MEMORY: usize = 550;
const ON_DISK: u64 = 600;
/// Most megabytes of all, with what searching and sorting took for a moment.
const ALL: usize = 90;

/// Bytes of this process that are in memory.
fn resident() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap();
    let pages: usize = statm.split(' ').nth(1).unwrap().parse().unwrap();
    pages * 4096
}

fn timed<T>(name: &str, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = black_box(work());
    println!(
        "{name:<45} {:>9.1} ms",
        begun.elapsed().as_secs_f64() * 1_000.0
    );
    done
}

/// In a process of its own, that has freed nothing before: what was made is loaded and asked.
fn load(folder: &str) {
    let cache = Path::new(folder).join("cache");
    let before = resident();
    let mirror = timed("load 100,000 runs", || {
        let cache = RunCache::open(&cache, &Home::source(), false).unwrap();
        Mirror::open(world::settings(), Some(cache), None).unwrap()
    });
    // A list holds one answer over all, and for a moment the next.
    let bytes = resident().saturating_sub(before) / RUNS + 2 * size_of::<usize>();
    println!("{:<45} {bytes:>9} bytes", "a run in memory, in two answers");
    let mut answers = Vec::new();
    let edits = "Root.Metadata.EditedOn DESC";
    let title = "Root.General.Title";
    for (name, query, order, found) in [
        ("all runs, the newest edits first", "", edits, RUNS),
        ("all runs, by title", "", title, RUNS),
        ("open ones", "status:open", edits, RUNS / 10),
        ("a word that every fifth has", "ubergabe", edits, RUNS / 5),
        ("a word that none has", "nowhere", edits, 0),
    ] {
        let answer = timed(name, || answer(&mirror, query, order));
        assert_eq!(answer.runs.len(), found);
        answers.push(answer);
    }
    assert!(bytes <= IN_MEMORY, "{bytes} bytes a run");
    let all = resident() / 1_000_000;
    println!("{:<45} {all:>9} MB", "all of it after these answers");
    assert!(all <= ALL, "{all} MB");
}

fn make(home: &Home) {
    let mut world = World::with(RUNS as u64);
    let words = ["Smoke", "Regression", "Übergabe", "Nightly", "Payment"];
    for (number, run) in world.runs.iter_mut().enumerate() {
        run.title = format!(
            "{} of the order service, wave {number}",
            words[number % words.len()]
        );
        run.open = number % 10 == 0;
    }
    let page = |page: &[world::Run]| page.iter().map(world::Run::row).collect();
    let pages: Vec<Vec<RunRow>> = world.runs.chunks(100).map(page).collect();
    let mut mirror = home.mirror();
    timed("take 100,000 new runs in pages of 100", || {
        for page in &pages {
            mirror.take(page, world.now()).unwrap();
        }
    });
    timed("take a page that did not change", || {
        mirror.take(&pages[7], world.now() + 1).unwrap()
    });
    mirror.close(world.now() + 2).unwrap();
    drop(mirror);
    let bytes = std::fs::metadata(home.file()).unwrap().len() / RUNS as u64;
    println!("{:<45} {bytes:>9} bytes", "a run on the disk");
    assert!(bytes <= ON_DISK, "{bytes} bytes a run");
}

fn main() {
    let mut words = std::env::args().skip_while(|word| word != "--load");
    if let Some(folder) = words.nth(1) {
        return load(&folder);
    }
    let home = Home::new();
    make(&home);
    let program = std::env::current_exe().unwrap();
    let loaded = std::process::Command::new(program)
        .arg("--load")
        .arg(home.folder.path())
        .status();
    assert!(loaded.unwrap().success());
}
