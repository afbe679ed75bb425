//! The cache on the disk: it may go, be damaged or be somebody else's, and nothing is lost or told twice.

use crate::support::With as _;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use rundown::domain::{Filter, Page, ResultCode, RunRow, Sample, Sort, Status};
use rundown::mirror::{Depth, Mirror, RunCache, TabQuery};

use crate::support::prelude::says;

use super::world::{Home, NOW, Run, World, fresh, held, read, same, settings, sync, synced, there};
use crate::support::mirrored::query;

/// What happens to the file.
type Harm<'a> = &'a dyn Fn(&Path);

fn run_sql(path: &Path, sql: &str) {
    let database = rusqlite::Connection::open(path).unwrap();
    database.execute_batch(sql).unwrap();
}

#[test]
fn a_restart_knows_all_rows_and_lists_and_what_was_not_taken_over() {
    let (home, mut world, _mirror) = synced(120);
    assert_eq!(held(&home.mirror()), there(&world));
    // As if it were killed between the two databases: only the cache has the change.
    let cache = RunCache::open(&home.cache(), &Home::source(), false).unwrap();
    let mut killed = Mirror::open(settings(), Some(cache), None).unwrap();
    world.edit(3, |run| run.cases = [29, 11, 2]);
    sync(&mut world, &mut killed);
    drop(killed);
    assert_eq!(home.told().len(), 0);
    run_sql(&home.file(), "CREATE TABLE kept AS SELECT * FROM news");
    for _ in 0..2 {
        let mut mirror = home.mirror();
        assert_eq!(home.told().len(), 1);
        assert!(mirror.is_unread(&world.runs[3].row().doc_ref));
        assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
        // As if it were killed before the cache knew that the history has it.
        run_sql(&home.file(), "INSERT INTO news SELECT * FROM kept");
    }
}

#[test]
fn a_cache_of_before_brings_no_number_of_a_change_twice() {
    let (home, mut world, mirror) = synced(20);
    drop(mirror);
    let kept = fs::read(home.file()).unwrap();
    for turn in 0..18 {
        world.edit(turn % 9, |run| run.title.push('x'));
        sync(&mut world, &mut home.mirror());
    }
    // After a power cut, or out of a backup.
    fs::write(home.file(), kept).unwrap();
    world.edit(9, |run| run.title.push('x'));
    sync(&mut world, &mut home.mirror());
    assert!(home.told().iter().any(|(name, _)| name == "R_10"));
}

#[test]
fn two_programs_tell_a_change_once_and_take_each_others_rows() {
    let home = Home::new();
    let mut world = World::with(120);
    let mut programs = [home.mirror(), home.mirror()];
    sync(&mut world, &mut programs[0]);
    programs[1].refresh().unwrap();
    assert_eq!(held(&programs[1]), there(&world));
    for turn in 0..6 {
        world.edit(turn, |run| run.cases[0] -= 1);
        let mut pages: Vec<_> = Vec::new();
        for mirror in &mut programs {
            // Both have asked before either has an answer.
            let page = world.list(
                &Filter::default(),
                &Sort::newest_edits(),
                Page {
                    offset: 0,
                    limit: 100,
                },
            );
            pages.push((page, mirror));
        }
        let now = world.now();
        let told = pages
            .into_iter()
            .map(|(page, mirror)| mirror.take(&page.rows, now).unwrap().news.len());
        assert_eq!(told.sum::<usize>(), 1);
    }
    assert_eq!(home.told().len(), 6);
    world.runs.remove(100);
    sync(&mut world, &mut programs[1]);
    programs[0].refresh().unwrap();
    assert_eq!(held(&programs[0]), there(&world), "also that it is gone");
}

#[test]
fn what_changes_after_a_look_in_another_program_is_marked_in_both() {
    let home = Home::new();
    let mut world = World::with(9);
    let [mut one, mut other] = [home.mirror(), home.mirror()];
    let run = world.runs[3].row().doc_ref;
    sync(&mut world, &mut one);
    world.edit(3, |run| run.title.push('x'));
    sync(&mut world, &mut one);
    other.refresh().unwrap();
    assert!(one.is_unread(&run) && other.is_unread(&run));
    one.mark_seen(&run).unwrap();
    other.refresh().unwrap();
    assert!(!other.is_unread(&run), "though no run has changed");
    // Back to how it stood before the first change: the look lies between.
    world.edit(3, |run| run.title.truncate(run.title.len() - 1));
    one.mark_seen(&run).unwrap();
    sync(&mut world, &mut other);
    one.refresh().unwrap();
    assert!(other.is_unread(&run) && one.is_unread(&run));
    assert!(home.mirror().is_unread(&run), "the next start, too");
}

#[test]
fn the_time_of_a_reading_beside_one_of_another_program_stays() {
    let (home, mut world, mut mirror) = fresh(3);
    let mut other = home.mirror();
    let wanted = Depth::Sync.wanted(&[]);
    let read_at = |mirror: &mut Mirror| {
        let cache = mirror.cache().unwrap();
        cache.begin(&wanted, NOW).unwrap()
    };
    assert_eq!(read_at(&mut other), None);
    assert!(read_at(&mut mirror).is_some());
    sync(&mut world, &mut mirror);
    mirror.was_read(&wanted, NOW, world.now()).unwrap();
    sync(&mut world, &mut mirror);
    let all = TabQuery::default();
    assert_eq!(
        mirror
            .list_answer(&query(all, world.now()))
            .overview
            .read_at,
        Some(NOW)
    );
}

#[test]
fn a_reading_after_the_clock_was_set_back_is_the_last_one() {
    let home = Home::new();
    let mut mirror = home.mirror();
    let wanted = Depth::Sync.wanted(&[]);
    for (begun, now, last) in [
        (NOW + 7_200_000, NOW + 7_201_000, NOW + 7_200_000),
        (NOW, NOW + 1_000, NOW),
        // One that ends after a later one.
        (NOW - 5_000, NOW + 2_000, NOW),
    ] {
        mirror.was_read(&wanted, begun, now).unwrap();
        let answer = mirror.list_answer(&query(TabQuery::default(), now));
        assert_eq!(answer.overview.read_at, Some(last));
    }
}

/// Also in the next program, and where the reading after it is a smaller one.
#[test]
fn times_of_a_clock_that_was_ahead_do_not_come_back_from_the_disk() {
    const DAY: i64 = 86_400_000;
    let (home, mut world, mut mirror) = fresh(3);
    let mut reads = |mirror: &mut Mirror, depth: Depth, ahead: i64| {
        world.clock += 60_000 + ahead;
        let (wanted, begun) = (depth.wanted(&[]), world.now() + 1);
        mirror.cache().unwrap().begin(&wanted, begun).unwrap();
        read(&mut world, mirror, depth, |_| {});
        mirror.was_read(&wanted, begun, world.now()).unwrap();
        world.clock -= ahead;
        begun
    };
    reads(&mut mirror, Depth::Sync, DAY);
    let begun = reads(&mut mirror, Depth::Refresh, 0);
    let now = begun + 60_000;
    for mut mirror in [mirror, home.mirror()] {
        mirror.refresh().unwrap();
        let answer = mirror.list_answer(&query(TabQuery::default(), now));
        assert_eq!(answer.overview.read_at, Some(begun));
        let times = mirror
            .runs()
            .map(|run| run.read_at.max(run.counted_at.unwrap()));
        assert!(times.max().unwrap() < now);
    }
}

/// A list of one version says nothing of the age of the other runs.
#[test]
fn the_age_of_the_cache_is_that_of_its_last_reading_of_all() {
    let home = Home::new();
    let mut mirror = home.mirror();
    let cache = mirror.cache().unwrap();
    let version = [Filter::of_version("1.2.0")];
    for (at, wanted, last) in [
        (NOW, Depth::Sync.wanted(&[]), NOW),
        (NOW + 9_000, Depth::Watch.wanted(&version), NOW),
        (
            NOW + 10_000,
            Depth::Refresh.wanted(&[Filter::default()]),
            NOW + 10_000,
        ),
    ] {
        cache.begin(&wanted, at).unwrap();
        cache.end(&wanted, at + 500, 0).unwrap();
        assert_eq!(cache.summary().unwrap().1, Some(last));
    }
}

/// As on a network file system, where nothing else tells two programs apart.
#[cfg(target_os = "linux")]
#[test]
fn a_lock_of_the_cache_stays_where_the_file_is_opened_again() {
    use std::os::unix::fs::MetadataExt;
    let home = Home::new();
    let open = || RunCache::open(&home.cache(), &Home::source(), true).unwrap();
    drop(open());
    let database = rusqlite::Connection::open(home.file()).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    let inode = format!(":{} ", fs::metadata(home.file()).unwrap().ino());
    let locks = || -> BTreeSet<String> {
        let all = fs::read_to_string("/proc/locks").unwrap();
        let ours = all.lines().filter(|lock| lock.contains(&inode));
        let without_place = ours.filter_map(|lock| lock.split_once(": "));
        without_place.map(|(_, lock)| lock.to_owned()).collect()
    };
    let held = locks();
    assert!(!held.is_empty());
    let again = open();
    again.in_use();
    // The list is read in pieces while others lock: a line may be missing in one reading.
    assert!((0..50).any(|_| locks().is_superset(&held)), "{held:?}");
    drop(database);
}

#[test]
fn a_cache_that_another_program_holds_for_writing_is_read_all_the_same() {
    let (home, world, mut mirror) = synced(30);
    let database = rusqlite::Connection::open(home.file()).unwrap();
    database.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(held(&home.mirror()), there(&world));
    mirror.refresh().unwrap();
    database.execute_batch("ROLLBACK").unwrap();
}

#[test]
fn news_that_no_history_takes_are_bounded() {
    let home = Home::new();
    let mut world = World::with(100);
    let cache = RunCache::open(&home.cache(), &Home::source(), false).unwrap();
    let mut mirror = Mirror::open(settings(), Some(cache), None).unwrap();
    for turn in 0..60 {
        (0..100).for_each(|place| world.edit(place, |run| run.cases = [turn, 40, 2]));
        sync(&mut world, &mut mirror);
    }
    let database = rusqlite::Connection::open(home.file()).unwrap();
    let kept = |sql: &str| -> i64 { database.query_row(sql, (), |row| row.get(0)).unwrap() };
    assert_eq!(kept("SELECT count(*) FROM news"), 5_000);
    let last = kept("SELECT max(number) FROM news");
    assert_eq!(
        kept("SELECT seq FROM sqlite_sequence WHERE name = 'news'"),
        last,
        "the newest"
    );
}

#[test]
fn a_cache_that_is_mended_has_the_newer_row_of_memory_and_file() {
    let (home, mut world, mut mirror) = synced(120);
    assert!(mirror.leave_cache().is_some());
    world.edit(3, |run| run.title = "In memory alone".into());
    world.add();
    sync(&mut world, &mut mirror);
    world.edit(4, |run| run.title = "In the file alone".into());
    sync(&mut world, &mut home.mirror());
    world.edit(5, |run| run.title = "In memory again".into());
    let page = Page {
        offset: 0,
        limit: 1,
    };
    let page = world.list(&Filter::default(), &Sort::newest_edits(), page);
    mirror.take(&page.rows, world.now()).unwrap();
    // It fails once more, and nothing is lost by that.
    run_sql(
        &home.file(),
        "CREATE TRIGGER stop BEFORE INSERT ON runs BEGIN SELECT RAISE(ABORT, 'no room'); END",
    );
    let open = || RunCache::open(&home.cache(), &Home::source(), false).unwrap();
    let before = held(&mirror);
    assert!(mirror.use_cache(open()).is_err() && mirror.cache().is_none());
    assert_eq!(held(&mirror), before);
    run_sql(&home.file(), "DROP TRIGGER stop");
    mirror.use_cache(open()).unwrap();
    same(&mirror, &world);
    assert_eq!(held(&home.mirror()), there(&world));
}

#[test]
fn clearing_empties_it_for_programs_that_run_and_leaves_the_history() {
    let (home, mut world, mut mirror) = synced(50);
    world.edit(3, |run| run.cases = [29, 11, 2]);
    sync(&mut world, &mut mirror);
    RunCache::open(&home.cache(), &Home::source(), false)
        .unwrap()
        .clear()
        .unwrap();
    assert!(
        home.holds("Title of 7").is_empty(),
        "{:?}",
        home.holds("Title of 7")
    );
    mirror.refresh().unwrap();
    assert_eq!(held(&mirror), []);
    assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
    assert!(mirror.is_unread(&world.runs[3].row().doc_ref));
    world.edit(3, |run| run.cases = [28, 12, 2]);
    assert_eq!(sync(&mut world, &mut mirror).len(), 1);
    assert_eq!(held(&home.mirror()), there(&world));
}

#[test]
fn what_cannot_be_read_is_set_aside_and_made_anew_from_memory() {
    let truncated = |path: &Path| {
        let bytes = fs::read(path).unwrap();
        fs::write(path, &bytes[..bytes.len() / 2]).unwrap();
    };
    let garbled = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        bytes[4096..].fill(0x5a);
        fs::write(path, bytes).unwrap();
    };
    let foreign = |path: &Path| {
        fs::remove_file(path).unwrap();
        run_sql(path, "CREATE TABLE songs (name TEXT)");
    };
    let text = |path: &Path| fs::write(path, "a letter to somebody").unwrap();
    let bare = |path: &Path| run_sql(path, "DROP TABLE runs");
    let odd = |path: &Path| run_sql(path, "UPDATE runs SET row = '[]'");
    let other = |path: &Path| {
        let sql = "UPDATE facts SET value = replace(value, 'P_9', 'P_8') WHERE name = 'source'";
        run_sql(path, sql);
    };
    let harms: [(&str, Harm<'_>); 7] = [
        ("other", &other),
        ("truncated", &truncated),
        ("garbled", &garbled),
        ("foreign", &foreign),
        ("text", &text),
        ("bare", &bare),
        ("odd", &odd),
    ];
    for (name, harm) in harms {
        let (home, mut world, mut mirror) = synced(200);
        mirror.close(world.now()).unwrap();
        drop(mirror);
        harm(&home.file());
        let mut mirror = home.mirror();
        let told = mirror.cache().unwrap().message.clone().unwrap_or_default();
        assert!(
            told.contains("set aside as") && told.contains(".broken-1"),
            "{name}: {told}"
        );
        assert_eq!(held(&mirror), [], "{name}");
        sync(&mut world, &mut mirror);
        assert_eq!(held(&home.mirror()), there(&world), "{name}");
    }
}

#[test]
fn a_file_that_goes_or_breaks_while_it_is_open_is_made_anew_from_memory() {
    let gone = |path: &Path| fs::remove_file(path).unwrap();
    let moved = |path: &Path| fs::rename(path, path.with_extension("old")).unwrap();
    let all = |path: &Path| fs::remove_dir_all(path.parent().unwrap()).unwrap();
    let bare = |path: &Path| run_sql(path, "DROP TABLE runs");
    let waiting = |path: &Path| run_sql(path, "INSERT INTO news (item) VALUES ('[]')");
    let harms: [(&str, Harm<'_>); 5] = [
        ("waiting", &waiting),
        ("gone", &gone),
        ("moved", &moved),
        ("all", &all),
        ("bare", &bare),
    ];
    for (name, harm) in harms {
        let (home, mut world, mut mirror) = synced(200);
        (80..190).for_each(|place| world.edit(place, |run| run.open = false));
        sync(&mut world, &mut mirror);
        let told = home.told().len();
        harm(&home.file());
        world.edit(3, |run| run.cases = [29, 11, 2]);
        let page = world.list(
            &Filter::default(),
            &Sort::newest_edits(),
            Page {
                offset: 0,
                limit: 10,
            },
        );
        let taken = mirror.take(&page.rows, world.now()).unwrap();
        assert_eq!(
            (taken.news.len(), home.told().len() - told),
            (1, 1),
            "{name}"
        );
        assert!(mirror.cache().unwrap().message.is_some(), "{name}");
        let mut next = home.mirror();
        assert_eq!(
            held(&next),
            there(&world),
            "{name}: all rows, not only those of the page"
        );
        // The next program knows what was read: by the list what is new, and edits beyond a page.
        world.add();
        (80..190).for_each(|place| world.edit(place, |run| run.title.push('x')));
        let new = sync(&mut world, &mut next);
        assert!(
            new.contains(&"R_201 appeared (edited by mai)".to_owned()),
            "{name}: {new:?}"
        );
        assert_eq!(held(&next), there(&world), "{name}");
    }
}

#[test]
fn a_deleted_run_leaves_no_text_in_any_file() {
    for on_network in [false, true] {
        let home = Home::new();
        let mut world = World::with(40);
        let open = || RunCache::open(&home.cache(), &Home::source(), on_network).unwrap();
        let mut mirror = Mirror::open(settings(), Some(open()), Some(home.history())).unwrap();
        world.edit(9, |run| run.title = "Layoffs in May".into());
        sync(&mut world, &mut mirror);
        world.edit(9, |run| run.title = "Layoffs in June".into());
        world.edit(9, |run| run.cases[0] -= 1);
        sync(&mut world, &mut mirror);
        assert!(
            !home.holds("Layoffs").is_empty(),
            "the test looks at the right place"
        );
        world.runs.remove(9);
        assert_eq!(sync(&mut world, &mut mirror), ["R_10 vanished"]);
        assert_eq!(home.holds("Layoffs"), [""; 0]);
        // Its row goes later.
        let rows = || mirror_rows(&home);
        assert_eq!(rows(), 40);
        world.clock += 8 * 24 * 3_600_000;
        sync(&mut world, &mut mirror);
        assert_eq!(rows(), 39);
    }
}

fn mirror_rows(home: &Home) -> i64 {
    let database = rusqlite::Connection::open(home.file()).unwrap();
    database
        .query_row("SELECT count(*) FROM runs", (), |row| row.get(0))
        .unwrap()
}

#[test]
fn files_are_for_ones_own_eyes_and_on_a_network_no_memory_is_shared() {
    for on_network in [false, true] {
        let home = Home::new();
        let mut world = World::with(40);
        let open = || {
            Mirror::open(
                settings(),
                Some(RunCache::open(&home.cache(), &Home::source(), on_network).unwrap()),
                None,
            )
            .unwrap()
        };
        let mut programs = [open(), open()];
        for mirror in &mut programs {
            sync(&mut world, mirror);
        }
        let names = fs::read_dir(home.cache()).unwrap().map(|entry| {
            let path = entry.unwrap().path();
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
            path.file_name().unwrap().to_str().unwrap().to_owned()
        });
        let names: Vec<String> = names.collect();
        assert_eq!(
            names.iter().any(|name| name.ends_with("-shm")),
            !on_network,
            "{names:?}"
        );
        assert!(names.contains(&"CACHEDIR.TAG".to_owned()));
        assert_eq!(
            fs::metadata(home.cache()).unwrap().permissions().mode() & 0o777,
            0o700
        );
        fs::set_permissions(home.cache(), fs::Permissions::from_mode(0o777)).unwrap();
        let refused = RunCache::open(&home.cache(), &Home::source(), on_network);
        says(&refused.unwrap_err().to_string(), "set XDG_CACHE_HOME to");
    }
}

#[test]
fn on_a_network_a_file_that_a_program_of_before_has_open_is_used_as_it_is() {
    let home = Home::new();
    let (mut world, mut before) = (World::with(9), home.mirror());
    sync(&mut world, &mut before);
    let begun = std::time::Instant::now();
    let open = || RunCache::open(&home.cache(), &Home::source(), true).unwrap();
    let now = Mirror::open(settings(), Some(open()), None).unwrap();
    assert_eq!(held(&now), there(&world));
    assert!(begun.elapsed() < std::time::Duration::from_secs(5));
    drop((before, now));
    let _now = open();
    let wal = home.file().with_extension("sqlite-wal");
    assert!(!wal.exists());
}

/// Only `inactive` is closed: what other statuses mean is not known, and the board counts their cases as left.
#[test]
fn counts_of_a_run_of_any_other_status_are_kept_as_those_of_open_ones() {
    let (home, world, mut mirror) = fresh(2);
    let mut rows: Vec<_> = world.runs.iter().map(Run::row).collect();
    rows[0].status = Status::Other("paused".into());
    rows[1].status = Status::Inactive;
    mirror.take(&rows, NOW).unwrap();
    let kept = |row: &RunRow| home.history().counts().of(&row.doc_ref, 0).unwrap().len();
    assert_eq!([kept(&rows[0]), kept(&rows[1])], [1, 0]);
}

#[test]
fn counts_that_a_reading_did_not_bring_are_no_sample() {
    let (home, mut world, mut mirror) = synced(1);
    // Another program has seen others since.
    let (run, samples) = (world.runs[0].row().doc_ref, home.history().samples);
    let mut since = samples.of_scope("qa", "P_9/SP_1").of(&run, 0).unwrap();
    let counts = since[0].counts.as_mut().unwrap();
    counts.add(ResultCode::Passed, 1);
    (since[0].at, since[0].seen_until) = (NOW + 5 * HOUR, NOW + 5 * HOUR);
    samples
        .of_scope("qa", "P_9/SP_1")
        .add(&run, &since[0])
        .unwrap();
    world.clock = 10 * HOUR;
    world.without_counts = true;
    sync(&mut world, &mut mirror);
    mirror.close(world.now()).unwrap();
    let kept = samples.of_scope("qa", "P_9/SP_1").of(&run, 0).unwrap();
    assert_eq!(kept.last(), since.last());
}

#[test]
fn files_of_other_sources_and_versions_that_nobody_uses_go() {
    let home = Home::new();
    drop(home.mirror());
    let at = |name: &str| home.cache().join(name);
    let day = std::time::Duration::from_hours(24);
    let names = [
        ("runs-3-aa.sqlite", 31, false),
        ("runs-3-aa.sqlite-journal", 0, false),
        ("runs-3-aa.sqlite-shm", 31, false),
        ("runs-3-aa.sqlite-wal", 31, false),
        ("runs-3-ab.sqlite-wal", 31, false),
        ("runs-3-bb.sqlite", 29, true),
        ("runs-3-bb.sqlite-wal", 31, true),
        ("runs-2-cc.sqlite", 0, false),
        ("runs-4-dd.sqlite", 1, true),
        ("runs-3-bb.sqlite.broken-1", 31, false),
        ("notes.txt", 99, true),
    ];
    for (name, days, _) in names {
        fs::write(at(name), "").unwrap();
        let file = fs::File::options().append(true).open(at(name)).unwrap();
        file.set_modified(std::time::SystemTime::now() - day * days)
            .unwrap();
    }
    drop(home.mirror());
    for (name, _, stays) in names {
        assert_eq!(at(name).exists(), stays, "{name}");
    }
}

const HOUR: i64 = 3_600_000;

/// Each reading of a series as the samples hold it, and the newest of before a time.
#[test]
fn samples_are_kept_at_the_first_sight_at_changes_and_after_a_gap() {
    let (home, mut world, mut mirror) = fresh(4);
    world.runs[1].open = false;
    world.runs[2].cases = [0, 40, 2];
    let samples = |place: usize, world: &World| -> Vec<(i64, i64, u64)> {
        let run = world.runs[place].row().doc_ref;
        let kept = home
            .history()
            .samples
            .of_scope("qa", "P_9/SP_1")
            .of(&run, 0)
            .unwrap();
        let one = |it: &Sample| {
            (
                (it.at - NOW) / HOUR,
                (it.seen_until - NOW) / HOUR,
                it.counts.as_ref().unwrap().get(ResultCode::Passed),
            )
        };
        kept.iter().map(one).collect()
    };
    for hour in [0, 1, 2, 8, 9, 10] {
        world.clock = hour * HOUR;
        if hour == 10 {
            world.runs[0].cases = [29, 11, 2];
        }
        read(&mut world, &mut mirror, Depth::All, |_| {});
    }
    // What came a moment before the end is kept at the end.
    world.clock += 300_000;
    read(&mut world, &mut mirror, Depth::All, |_| {});
    mirror.close(world.now()).unwrap();
    let run = world.runs[3].row().doc_ref;
    let kept = home
        .history()
        .samples
        .of_scope("qa", "P_9/SP_1")
        .of(&run, 0);
    assert!(kept.unwrap().pop().unwrap().seen_until > NOW + 10 * HOUR + 300_000);
    assert_eq!(samples(0, &world), [(0, 2, 10), (8, 9, 10), (10, 10, 11)]);
    assert_eq!(samples(1, &world), [], "closed ones only once they change");
    assert_eq!(samples(2, &world), [(0, 10, 40)], "nothing is left to do");
    assert_eq!(samples(3, &world), [(0, 2, 10), (8, 10, 10)]);
}

/// Profiles share the runs of a source, and have samples of their own.
#[test]
fn another_profile_of_the_same_source_keeps_the_first_counts_of_each_open_run() {
    let (home, mut world, mut mirror) = fresh(4);
    world.runs[0].cases = [0, 0, 0];
    world.runs[1].cases = [0, 40, 2];
    world.runs[2].open = false;
    read(&mut world, &mut mirror, Depth::All, |_| {});
    mirror.close(world.now()).unwrap();
    let cache = RunCache::open(&home.cache(), &Home::source(), false).unwrap();
    let history = home.history().with(|it| it.profile = "second".into());
    let mut mirror = Mirror::open(settings(), Some(cache), Some(history)).unwrap();
    world.clock = HOUR;
    read(&mut world, &mut mirror, Depth::All, |_| {});
    mirror.close(world.now()).unwrap();
    let kept = |profile: &str| -> Vec<usize> {
        let samples = home.history().samples;
        let of = |run: &Run| {
            samples
                .of_scope(profile, "P_9/SP_1")
                .of(&run.row().doc_ref, 0)
        };
        let kept = world.runs.iter().map(|run| of(run).unwrap().len());
        kept.collect()
    };
    assert_eq!(kept("second"), [1, 1, 0, 1]);
    assert_eq!(kept("second"), kept("qa"));
}

#[test]
fn documents_of_opened_runs_are_kept_the_newest_of_them_and_for_a_month() {
    let home = Home::new();
    let world = World::with(230);
    let mut cache = RunCache::open(&home.cache(), &Home::source(), false).unwrap();
    let documents: Vec<_> = world.runs.iter().map(Run::document).collect();
    let kept = |cache: &RunCache, place: usize| cache.document(documents[place].doc_ref()).unwrap();
    for (document, at) in documents.iter().zip(NOW..) {
        cache.keep_document(document, at).unwrap();
    }
    assert_eq!(kept(&cache, 229), Some((documents[229].clone(), NOW + 229)));
    let places = 0..documents.len();
    let here = places.filter(|place| kept(&cache, *place).is_some());
    assert_eq!(here.collect::<Vec<_>>(), (30..230).collect::<Vec<_>>());
    let month = 30 * 24 * 3_600_000;
    cache
        .keep_document(&documents[0], NOW + 229 + month)
        .unwrap();
    assert!(kept(&cache, 0).is_some() && kept(&cache, 229).is_some());
    assert_eq!(kept(&cache, 228), None, "older than that");
}
