//! What the one door tells of the rows that come in.

use crate::support::With as _;
use std::sync::Arc;

use jiff::tz::TimeZone;
use rundown::domain::diff::OwnWrite;
use rundown::domain::query_language::search;
use rundown::domain::since::{Became, NotCounted};
use rundown::domain::{
    Days, DueDates, Filter, Only, Page, Quiet, ResultCode, RunRow, RunsOperation, RunsPage, Sample,
};
use rundown::mirror::{
    Depth, Mirror, OwnRecord, Presence, Run, RunsQuery, RunsReading, SinceAnswer, SinceQuery,
    TabQuery,
};
use serde_json::json;

use crate::support::mirrored::query;

use super::world::{
    Home, NOW, World, answer, fresh, held, read, same, settings, sync, synced, there, words,
};

#[test]
fn a_change_is_told_by_code_kept_without_texts_and_unread_until_somebody_looks() {
    let (home, mut world, mut mirror) = fresh(9);
    assert_eq!(
        sync(&mut world, &mut mirror),
        [""; 0],
        "nothing is new at the first sight"
    );
    world.edit(3, |run| run.cases = [29, 10, 3]);
    world.edit(4, |run| run.title = "Secret title".into());
    world.edit(5, |run| run.description = "Secret text".into());
    let told = [
        "R_4 Untested 30 → 29, Failed (new) 2 → 3 (edited by mai)",
        "R_5 Title \"Title of 5\" → \"Secret title\" (edited by mai)",
        "R_6 Description changed (edited by mai)",
    ];
    assert_eq!(sync(&mut world, &mut mirror), told);
    assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
    let kept = [
        ("R_4".to_owned(), json!([["1", 30, 29], ["5", 2, 3]])),
        ("R_5".to_owned(), json!(["Root.General.Title"])),
        ("R_6".to_owned(), json!(["Root.General.Description"])),
    ];
    assert_eq!(home.told(), kept);
    let run = |place: usize| world.runs[place].row().doc_ref;
    let unread = |mirror: &Mirror| {
        (0..9)
            .filter(|place| mirror.is_unread(&run(*place)))
            .collect::<Vec<_>>()
    };
    assert_eq!(unread(&mirror), [3, 4, 5]);
    mirror.mark_seen(&run(4)).unwrap();
    assert_eq!(unread(&home.mirror()), [3, 5], "the next start knows it");
    // Neither how they were nor how they are, also with the cache gone.
    drop(mirror);
    std::fs::remove_dir_all(home.cache()).unwrap();
    for text in ["Title of 5", "Secret", "Title of 4", "qftest", "trung"] {
        assert_eq!(home.holds(text), [""; 0], "{text}");
    }
    assert!(!home.holds("Root.General.Title").is_empty());
}

/// Time, run and words of all that a history knows of.
fn known(mirror: &mut Mirror) -> Vec<(i64, String)> {
    let past = mirror.past_news().unwrap().into_iter();
    past.map(|(run, past)| (past.at, format!("{} {}", run.name(), past.news)))
        .collect()
}

#[test]
fn the_next_start_knows_the_newest_changes_of_this_source_in_order_and_without_texts() {
    let (home, mut world, mut mirror) = synced(320);
    assert_eq!(known(&mut home.mirror()), []);
    world.edit(3, |run| run.cases = [29, 10, 3]);
    world.edit(4, |run| run.title = "Secret title".into());
    sync(&mut world, &mut mirror);
    let first = world.now();
    world.edit(5, |run| run.open = false);
    world.runs.remove(7);
    world.add();
    sync(&mut world, &mut mirror);
    let words = [
        "R_4 Untested 30 → 29, Failed (new) 2 → 3 (edited by mai)",
        "R_5 Title changed (edited by mai)",
        "R_321 appeared (edited by mai)",
        "R_6 closed (edited by mai)",
        "R_8 vanished",
    ];
    drop(mirror);
    let mut all = known(&mut home.mirror());
    let mut told: Vec<&str> = all.iter().map(|(_, words)| &**words).collect();
    told[2..].sort_unstable();
    assert_eq!(told, words);
    assert!(all.is_sorted_by_key(|(at, _)| *at) && all[0].0 <= first && first < all[4].0);
    // Also without a row of any of them.
    std::fs::remove_dir_all(home.cache()).unwrap();
    assert_eq!(known(&mut home.mirror()), all);
    let other = home
        .history()
        .with(|it| it.source = "another project".into());
    let mut other = Mirror::open(settings(), None, Some(other)).unwrap();
    assert_eq!(known(&mut other), []);
    let mut mirror = home.mirror();
    sync(&mut world, &mut mirror);
    (0..310).for_each(|place| world.edit(place, |run| run.cases = [10, 30, 2]));
    sync(&mut world, &mut mirror);
    all = known(&mut mirror);
    assert_eq!(all.len(), 300);
    assert!(
        all.iter()
            .all(|(_, words)| words.contains("Passed 10 → 30")),
        "{all:?}"
    );
    // Of a reading that is not whole within the limit nothing is told: its sum was told before.
    let mut other = home.mirror();
    known(&mut other);
    for (end, passed) in [(50, 31), (290, 32)] {
        (10..end).for_each(|place| world.edit(place, |run| run.cases = [10, passed, 2]));
        sync(&mut world, &mut mirror);
    }
    other.refresh().unwrap();
    all = known(&mut other);
    let is_last = |(_, words): &(i64, String)| words.contains("→ 32");
    assert!(all.len() == 280 && all.iter().all(is_last), "{all:?}");
}

#[test]
fn what_went_back_is_told_and_needs_no_look_also_after_a_restart() {
    let (home, mut world, mut mirror) = synced(3);
    for cases in [[20, 20, 2], [10, 30, 2], [30, 10, 2]] {
        let title = if cases[0] == 30 { "Title of 2" } else { "Else" };
        world.edit(1, |run| (run.cases, run.title) = (cases, title.into()));
        mirror = home.mirror();
        assert_eq!(sync(&mut world, &mut mirror).len(), 1);
    }
    let run = world.runs[1].row().doc_ref;
    assert!(!mirror.is_unread(&run) && !home.mirror().is_unread(&run));
}

#[test]
fn rows_without_counts_are_no_change_and_leave_the_counts_with_their_time() {
    let (_home, mut world, mut mirror) = synced(3);
    let run = world.runs[0].row().doc_ref;
    let counted = mirror.run(&run).unwrap().counted_at;
    world.without_counts = true;
    assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
    let after = mirror.run(&run).unwrap();
    assert_eq!(
        (after.counted_at, after.row().results.map(|it| it.total())),
        (counted, Some(42))
    );
    world.without_counts = false;
    assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
    assert!(mirror.run(&run).unwrap().counted_at > counted);
}

#[test]
fn a_new_run_is_told_where_a_list_was_read_without_it() {
    let (_home, mut world, mut mirror) = fresh(130);
    // One that was closed long ago is no news, wherever it comes up.
    world.runs[7].open = false;
    sync(&mut world, &mut mirror);
    world.runs[7].open = true;
    world.add();
    assert_eq!(
        sync(&mut world, &mut mirror),
        ["R_131 appeared (edited by mai)"]
    );
    let new = world.runs[130].row().doc_ref;
    assert!(mirror.is_unread(&new));
    let (_, news) = read(&mut world, &mut mirror, Depth::All, |_| {});
    assert_eq!(news, [""; 0]);
    same(&mirror, &world);
}

#[test]
fn a_run_is_called_gone_once_it_was_asked_for() {
    let (_home, mut world, mut mirror) = synced(20);
    let gone = world.runs.remove(4);
    world.edit(5, |run| run.open = false);
    // Five more are not in the list for a moment.
    let hidden: Vec<_> = world.runs.drain(10..15).collect();
    let (_, news) = read(&mut world, &mut mirror, Depth::Sync, |world| {
        if world.calls.last().unwrap().starts_with(' ') {
            world.runs.extend(hidden.iter().cloned());
        }
    });
    assert_eq!(news, ["R_7 closed (edited by mai)", "R_5 vanished"]);
    let asked = world
        .calls
        .iter()
        .filter(|call| call.starts_with("TestRun-dm/"));
    assert_eq!(asked.count(), 3, "a few at once");
    assert!(
        !held(&mirror)
            .iter()
            .any(|row| row.doc_ref == gone.row().doc_ref)
    );
    assert_eq!(sync(&mut world, &mut mirror), [""; 0]);
    // Somebody has put it back.
    world.runs.push(gone);
    assert_eq!(
        sync(&mut world, &mut mirror),
        ["R_5 appeared (edited by mai)"]
    );
    same(&mirror, &world);
}

#[test]
fn it_answers_a_search_in_the_order_of_any_column() {
    let (_home, mut world, mut mirror) = fresh(30);
    world.runs[3].title = "Übergabe an Kunde".into();
    world.runs[4].open = false;
    world.runs[6].cases = [0, 10, 32];
    sync(&mut world, &mut mirror);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    let edits = "Root.Metadata.EditedOn DESC";
    let ids = |query: &str, order: &str| -> Vec<String> {
        let found = answer(&mirror, query, order).runs;
        found.iter().map(|run| run.name().to_owned()).collect()
    };
    for (query, order, found) in [
        ("ubergabe KUNDE", edits, &["R_4"][..]),
        ("ubergabe nobody", edits, &[]),
        ("is:closed", edits, &["R_5"]),
        ("failed>30", edits, &["R_7"]),
        ("R_3 or R_4", edits, &["R_4", "R_3"]),
        ("R_3 or R_20", "Root.General.Id", &["R_3", "R_20"]),
        ("R_3 or R_20", "Root.General.Id DESC", &["R_20", "R_3"]),
        (
            "R_1 or R_4 or R_20",
            "Root.General.Title",
            &["R_1", "R_20", "R_4"],
        ),
        ("R_5 or R_3", "Root.General.Status", &["R_3", "R_5"]),
    ] {
        assert_eq!(ids(query, order), found, "{query} {order}");
    }
    assert_eq!(ids("", edits)[..2], ["R_30", "R_29"]);
    let found = answer(&mirror, "", edits);
    assert_eq!(found.runs.len(), 30);
    assert!(found.oldest.unwrap() > NOW);
    // Only what tells the very text of a filter has it.
    let mut row = world.runs[0].row();
    row.version = None;
    mirror.take(&[row], world.now()).unwrap();
    let found = mirror.runs_of(
        &RunsQuery::default().with(|it| it.tab = TabQuery::of_list(Filter::of_version("1.1.0"))),
    );
    let version = |run: &Arc<Run>| run.row().version.unwrap();
    assert!(found.runs.iter().all(|run| version(run) == "1.1.0"));
    assert_eq!(found.runs.len(), 9);
    // Of a run without a name nobody can say whose it is.
    let mine = answer(&mirror, "is:mine", edits);
    assert_eq!((mine.runs.len(), mine.undecided), (0, 30));
}

#[test]
fn single_fields_of_a_run_are_those_of_its_row_and_counts_stay_with_their_time() {
    let whole = World::with(1).runs[0].row();
    let lacks = |take: fn(&mut RunRow) -> &mut Option<String>| {
        let mut row = whole.clone();
        *take(&mut row) = None;
        row
    };
    let mut closed = lacks(|row| &mut row.id);
    closed.status = rundown::domain::Status::Inactive;
    let of_version = lacks(|row| &mut row.title);
    for row in [&whole, &of_version, &lacks(|row| &mut row.version), &closed] {
        let run = Run::new(row, 5);
        let told = [
            run.id(),
            run.title(),
            run.subproject(),
            run.version(),
            run.configuration(),
        ];
        let fields = [
            &row.id,
            &row.title,
            &row.subproject,
            &row.version,
            &row.configuration,
        ];
        assert_eq!(told, fields.map(Option::as_deref));
        assert_eq!(
            (run.full_name(), run.is_closed()),
            (row.full_name(), *row == closed)
        );
        let mut uncounted = of_version.clone();
        uncounted.forget_counts();
        let again = run.read_again(uncounted, 9);
        assert_eq!(
            (again.title(), again.read_at, again.counted_at),
            (None, 9, Some(5))
        );
        assert_eq!(again.row().results, row.results);
    }
}

#[test]
fn it_holds_no_more_than_so_many_bytes_however_long_the_texts_are() {
    let mut world = World::with(130);
    let mut mirror = Mirror::empty(settings());
    for place in 0..130 {
        world.clock += 1;
        let row = world.runs[place]
            .row()
            .with(|it| it.title = Some("x".repeat(1 << 20)));
        mirror.take(&[row], world.now()).unwrap();
    }
    let held: usize = mirror.runs().map(|run| run.text.len()).sum();
    assert!((90 << 20..=96 << 20).contains(&held), "{held}");
    let newest = &world.runs[129].row().doc_ref;
    assert!(mirror.run(newest).is_some(), "the newest edits stay");
}

#[test]
fn it_holds_the_open_runs_and_the_newest_edits() {
    let home = Home::new();
    let mut world = World::with(300);
    world.runs[..200]
        .iter_mut()
        .for_each(|run| run.open = false);
    let few = |home: &Home| {
        let cache = rundown::mirror::RunCache::open(&home.cache(), &Home::source(), false).unwrap();
        let settings = settings().with(|it| it.most = 150);
        Mirror::open(settings, Some(cache), None).unwrap()
    };
    let mut mirror = few(&home);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    let rows = held(&mirror);
    assert!((140..=150).contains(&rows.len()), "{}", rows.len());
    assert_eq!(
        rows.iter()
            .filter(|row| row.status == rundown::domain::Status::Active)
            .count(),
        100
    );
    assert!(rows.iter().any(|row| row.id.as_deref() == Some("R_200")));
    assert_eq!(held(&home.mirror()), rows, "also on the disk");
    world.edit(0, |run| run.title.push('x'));
    assert_eq!(
        sync(&mut world, &mut mirror),
        [""; 0],
        "what was not held is not new"
    );
    // A list of which runs had to go is not here as a whole any more.
    let (mut world, home) = (World::with(150), Home::new());
    world.runs.iter_mut().for_each(|run| run.open = false);
    let mut mirror = few(&home);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    let is_whole = |mirror: &Mirror| mirror.is_complete(&Filter::default());
    assert!(is_whole(&mirror));
    world.add();
    sync(&mut world, &mut mirror);
    assert!(held(&mirror).len() < 150);
    assert!(!is_whole(&mirror) && !is_whole(&few(&home)));
}

#[test]
fn without_cache_and_history_it_tells_the_same() {
    let mut world = World::with(9);
    let mut mirror = Mirror::open(settings(), None, None).unwrap();
    sync(&mut world, &mut mirror);
    world.edit(3, |run| run.cases = [29, 11, 2]);
    assert_eq!(
        sync(&mut world, &mut mirror),
        ["R_4 Untested 30 → 29, Passed 10 → 11 (edited by mai)"]
    );
    let row = world.runs[3].row();
    assert!(words(&mirror.take(&[row.clone(), row], world.now()).unwrap()).is_empty());
}

#[test]
fn an_answer_that_comes_behind_a_later_one_changes_nothing() {
    let (_home, mut world, mut mirror) = synced(9);
    // Asked for before somebody edits one and deletes another, and read after that was seen.
    let (old, at) = (world.runs[3].row(), world.now());
    let deleted = world.runs.remove(5).row();
    world.edit(3, |run| run.cases = [29, 11, 2]);
    assert_eq!(sync(&mut world, &mut mirror).len(), 2);
    let rows = [old.clone(), deleted];
    assert_eq!(words(&mirror.take(&rows, at).unwrap()), [""; 0]);
    same(&mirror, &world);
    let gone = mirror.gone(std::slice::from_ref(&old.doc_ref), at);
    assert_eq!(words(&gone.unwrap()), [""; 0]);
    // Of one that was never read, too, it stays that it went.
    let unknown = World::with(12).runs[11].row();
    let gone = mirror.gone(std::slice::from_ref(&unknown.doc_ref), at);
    assert_eq!(words(&gone.unwrap()), [""; 0]);
    assert_eq!(
        words(&mirror.take(&[unknown], at - 1_000).unwrap()),
        [""; 0]
    );
    same(&mirror, &world);
    // A clock that was put right again is no earlier time.
    let day = 24 * 3_600_000;
    assert_eq!(words(&mirror.take(&[old], at - day).unwrap()).len(), 1);
}

/// Milliseconds.
const DAY: i64 = 24 * 3_600_000;

#[test]
fn a_run_is_quiet_once_it_was_read_each_day_without_a_move_and_not_any_more_once_it_moves() {
    let (home, mut world, mut mirror) = fresh(3);
    let begin = world.now();
    let days: Vec<(i64, i64)> = (1..4)
        .map(|it| (begin + it * DAY, begin + (it + 1) * DAY))
        .collect();
    for day in 0..5 {
        if day == 2 {
            world.edit(1, |run| run.cases = [29, 11, 2]);
        }
        sync(&mut world, &mut mirror);
        world.clock += DAY;
    }
    let quiet = |mirror: &mut Mirror| {
        let runs: Vec<Arc<Run>> = mirror.runs().cloned().collect();
        let found = mirror.quiet(runs.iter(), &days).unwrap();
        [1, 2, 3].map(
            |number| match runs.iter().find(|it| it.name() == format!("R_{number}")) {
                Some(run) => found[&run.doc_ref],
                None => Quiet::NotKnown,
            },
        )
    };
    let [first, second, third] = quiet(&mut mirror);
    let since = |quiet| matches!(quiet, Quiet::Since(at) if at - begin < DAY);
    assert!(since(first) && since(third), "{first:?} {third:?}");
    assert_eq!(second, Quiet::No);
    // By what was worked out before, but for the run that moved.
    world.edit(0, |run| run.cases = [29, 11, 2]);
    sync(&mut world, &mut mirror);
    let [first, _, again] = quiet(&mut mirror);
    assert_eq!((first, again), (Quiet::No, third));
    let asked = SinceQuery {
        moment: Some(world.now() - DAY),
        version: None,
        days: days.clone(),
    };
    let now = (world.now(), &TimeZone::UTC);
    let since = mirror.since(&asked, now, &[], |_, _| false).unwrap().since;
    let third = (since.lines.iter()).find(|it| it.row.name() == "R_3");
    assert_eq!(third.unwrap().became, Became::Quiet);
    let mut other = Mirror::empty(settings());
    sync(&mut world, &mut other);
    let [_, second, third] = quiet(&mut other);
    assert_eq!(
        (second, third),
        (Quiet::NotKnown, Quiet::NotKnown),
        "without a history"
    );
    // A mirror that was told no counts does not know what is left, whatever was read before.
    let mut bare = Mirror::open(settings(), None, Some(home.history())).unwrap();
    let mut row = world.runs[2].row();
    row.results = None;
    bare.take(&[row], world.now()).unwrap();
    assert_eq!(quiet(&mut bare)[2], Quiet::NotKnown);
}

#[test]
fn a_run_that_the_service_lists_by_rules_of_its_own_is_in_the_lists_of_that_value_alone() {
    let (_home, world, mut mirror) = synced(3);
    let list = |lines: &[&str]| {
        Filter::default()
            .with(|it| it.filters = lines.iter().map(|line| (*line).to_owned()).collect())
    };
    let (edge, firefox) = (
        "Root.General.Configuration:edge",
        "Root.General.Configuration:firefox",
    );
    let page = RunsPage {
        full_size: 1,
        rows: vec![world.runs[0].row()],
        facets: None,
        operation: Some(RunsOperation::ListTestRuns),
    };
    mirror.saw_list(&list(&[edge]), &page);
    // Whether it is closed its row tells, also where no filter is heeded.
    mirror.saw_list(&list(&["Root.General.Status:inactive"]), &page);
    for (lines, found) in [
        (&[edge][..], &["R_1"][..]),
        (&[edge, firefox], &["R_1"]),
        (&[firefox], &[]),
        (&[edge, "Root.General.Status:inactive"], &[]),
        (&[edge, "Root.General.Status:active"], &["R_1"]),
        (&["Root.General.Status:inactive"], &[]),
    ] {
        let asked = query(TabQuery::of_list(list(lines)), world.now());
        let runs = mirror.runs_of(&asked).runs;
        let names: Vec<&str> = runs.iter().map(|run| run.name()).collect();
        assert_eq!(names, found, "{lines:?}");
    }
}

#[test]
fn a_list_of_one_part_of_a_configuration_hides_no_run_that_has_more_of_them() {
    let (world, mut mirror) = (World::with(2), Mirror::empty(settings()));
    let rows: Vec<RunRow> = ["edge, mac", "edge"]
        .into_iter()
        .zip(&world.runs)
        .map(|(parts, run)| run.row().with(|it| it.configuration = Some(parts.into())))
        .collect();
    let now = world.now();
    mirror.take(&rows, now).unwrap();
    let edge = Filter::of(["Root.General.Configuration:edge".to_owned()]);
    assert!(rows.iter().all(|row| !edge.rules_out(row)));
    // How the service finds a part is not shown: that it lists none tells nothing of a run with two.
    let missing = mirror.missing(&edge, now + 1_000);
    let missing: Vec<_> = missing.iter().map(|run| run.name()).collect();
    assert_eq!(missing, ["R_2"]);
    mirror.list_ended(&edge, now + 1_000, 0, true).unwrap();
    let state = |row: &RunRow| mirror.run(&row.doc_ref).unwrap().state;
    assert_eq!(
        [state(&rows[0]), state(&rows[1])],
        [Presence::Here, Presence::NotSeen]
    );
    assert!(!mirror.is_complete(&edge), "there may be more of it");
    // Two values may mean both; whether the service looks at testers is not shown.
    let versions = ["1.2.0", "1.3.0"].map(|version| Filter::of_version(version).filters.concat());
    let tester = "Root.DisplayFields.TestersOfTestCases:anna".to_owned();
    for filter in [Filter::of(versions), Filter::of([tester])] {
        assert!(!rows.iter().any(|row| filter.has(row)), "{filter:?}");
    }
}

/// As a wall reads: what was closed meanwhile is in its list no more, and nobody looks for more than a few of them.
#[test]
fn where_many_runs_left_a_watched_list_the_others_are_not_whole_before_the_next_edits() {
    let (home, mut world, mut mirror) = fresh(20);
    read(&mut world, &mut mirror, Depth::All, |_| {});
    let (all, open) = (Filter::default(), RunsReading::open_runs());
    assert!(mirror.is_complete(&all) && mirror.is_complete(&open));
    for place in 0..8 {
        world.edit(place, |run| run.open = !run.open);
    }
    read(&mut world, &mut mirror, Depth::Watch, |_| {});
    let is_whole = held(&mirror) == there(&world);
    assert!(is_whole || !mirror.is_complete(&all), "some are missing");
    assert!(
        !home.mirror().is_complete(&all) || is_whole,
        "nor with --local"
    );
    assert!(mirror.is_complete(&open));
    read(&mut world, &mut mirror, Depth::Refresh, |_| {});
    same(&mirror, &world);
}

#[test]
fn a_list_is_here_as_a_whole_with_as_many_runs_as_the_service_says() {
    let (mut world, mut mirror) = (World::with(3), Mirror::empty(settings()));
    let rows: Vec<RunRow> = world.runs.iter().map(super::world::Run::row).collect();
    mirror.take(&rows, world.now()).unwrap();
    let page = |full_size| RunsPage {
        full_size,
        rows: rows.clone(),
        facets: None,
        operation: Some(RunsOperation::ListTestRuns),
    };
    for all in [Filter::default(), Filter::of_version("1.2.0")] {
        for (full_size, is_whole) in [(3, true), (4, false)] {
            mirror.saw_list(&all, &page(full_size));
            for (words, runs) in [("", 3), ("\"of 2\"", 1)] {
                let tab = TabQuery {
                    search: search(words, &jiff::Zoned::now(), &[]).unwrap(),
                    ..TabQuery::of_list(all.clone())
                };
                let overview = mirror.list_answer(&query(tab, world.now())).overview;
                let list = (overview.list.here, overview.list.is_complete);
                assert_eq!(list, (runs, is_whole), "{words:?} of {full_size}");
                let told = match (words, is_whole) {
                    ("", false) => (4, false),
                    _ => (runs, !is_whole),
                };
                let count = overview.tabs[0].map(|it| (it.runs, it.or_more));
                assert_eq!(count, Some(told), "{words:?} of {full_size}");
            }
        }
    }
    // Read to its end it lacks none, whatever the service says.
    sync(&mut world, &mut mirror);
    mirror.saw_list(&Filter::default(), &page(4));
    let asked = query(TabQuery::default(), world.now());
    assert_eq!(mirror.list_answer(&asked).overview.list.missing(), 0);
}

#[test]
fn the_number_of_a_tab_of_unread_runs_is_that_of_its_rows_also_after_a_look() {
    let (_home, mut world, mut mirror) = synced(5);
    (0..3).for_each(|place| world.edit(place, |run| run.title.push('x')));
    sync(&mut world, &mut mirror);
    let asked = TabQuery {
        search: search("is:unread", &jiff::Zoned::now(), &RunsQuery::FLAGS).unwrap(),
        ..TabQuery::default()
    };
    let asked = query(asked, world.now());
    for left in [3, 2] {
        let answer = mirror.list_answer(&asked);
        let tab = answer.overview.tabs[0].map(|count| count.runs);
        assert_eq!((answer.runs.len(), tab), (left, Some(left as u64)));
        mirror
            .mark_seen(&world.runs[left - 1].row().doc_ref)
            .unwrap();
    }
}

#[test]
fn a_history_that_was_held_for_a_moment_is_asked_again_how_the_runs_stood() {
    let (home, mut world, mut mirror) = fresh(2);
    for _ in 0..2 {
        sync(&mut world, &mut mirror);
        world.clock += DAY;
    }
    world.clock -= DAY;
    let (run, now) = (world.runs[0].row().doc_ref, world.now());
    mirror.was_read(&Depth::Sync.wanted(&[]), now, now).unwrap();
    let history = home.folder.path().join("state/samples.sqlite");
    let history = rusqlite::Connection::open(history).unwrap();
    let asked = query(TabQuery::default(), now);
    let rename = |from: &str, to: &str| {
        let sql = format!("ALTER TABLE {from} RENAME TO {to}");
        history.execute_batch(&sql).unwrap();
    };
    rename("samples", "elsewhere");
    assert!(!mirror.list_answer(&asked).earlier.has(&run));
    assert!(mirror.take_trouble().is_some());
    mirror.take_changed();
    mirror.list_answer(&asked);
    assert!(!mirror.take_changed(), "a failure is no new answer");
    rename("elsewhere", "samples");
    assert!(mirror.list_answer(&asked).earlier.has(&run));
    // What was compared with the day before is not compared with a later one.
    rename("samples", "elsewhere");
    let next = query(TabQuery::default(), now + DAY);
    assert!(!mirror.list_answer(&next).earlier.has(&run));
}

#[test]
fn what_was_not_read_since_midnight_is_not_compared_with_itself() {
    let (_home, mut world, mut mirror) = synced(3);
    world.clock += DAY;
    let of_day = |world: &World| {
        let only = [Only::Today, Only::NewFailures].map(Some);
        let tabs = only.map(|only| TabQuery::default().with(|it| it.only = only));
        query(TabQuery::default(), world.now()).with(|it| it.tabs = tabs.into())
    };
    let known = |mirror: &mut Mirror, world: &World| {
        let answer = mirror.list_answer(&of_day(world));
        let tabs = answer.overview.tabs.iter();
        let tabs: Vec<Option<u64>> = tabs.map(|tab| tab.map(|count| count.runs)).collect();
        (tabs, answer.overview.compared)
    };
    assert_eq!(known(&mut mirror, &world), (vec![None, None], 0));
    world.edit(0, |run| run.title.push('x'));
    let begun = world.now();
    sync(&mut world, &mut mirror);
    let wanted = Depth::Sync.wanted(&[]);
    mirror.was_read(&wanted, begun, world.now()).unwrap();
    assert_eq!(known(&mut mirror, &world), (vec![Some(1), Some(0)], 3));
}

#[test]
fn what_is_compared_now_has_no_counts_where_the_list_tells_none_any_more() {
    let (_home, mut world, mut mirror) = synced(1);
    let (run, moment) = (world.runs[0].row().doc_ref, world.now() + 1);
    (world.without_counts, world.clock) = (true, world.clock + DAY);
    let page = Page {
        offset: 0,
        limit: 9,
    };
    let page = world.list(&Filter::default(), &[], page);
    mirror.saw_page(&page);
    mirror.take(&page.rows, world.now()).unwrap();
    let compared = [(run.clone(), Some(moment)), (run, None)];
    let compared = mirror.compared(&compared).unwrap();
    let counted = compared.iter().map(|it| it.row.results.is_some());
    assert_eq!(counted.collect::<Vec<_>>(), [true, false]);
    assert_eq!(compared[1].row.suite_count, None);
}

#[test]
fn a_run_is_compared_with_the_status_that_it_had_then() {
    for open in [true, false] {
        let (_home, mut world, mut mirror) = fresh(2);
        world.runs[0].open = open;
        sync(&mut world, &mut mirror);
        let (run, moment) = (world.runs[0].row().doc_ref, world.now() + 1);
        world.clock += DAY;
        world.edit(0, |run| run.open = !open);
        sync(&mut world, &mut mirror);
        let asked = [(run.clone(), Some(moment)), (run, None)];
        let compared = mirror.compared(&asked).unwrap();
        let closed = compared.iter().map(|it| it.row.is_closed());
        assert_eq!(closed.collect::<Vec<_>>(), [!open, open]);
    }
}

/// What was read for four months, of which the last 90 days are kept: runs that were closed before `moment`, closed after
/// it, and open all the time; one that was made and closed in between, and one that is new and open. Returns the moment.
fn half_a_year(home: &Home) -> (World, Mirror, i64) {
    let (mut world, mut mirror) = (World::with(3), home.mirror());
    world.edit(0, |run| run.open = false);
    read(&mut world, &mut mirror, Depth::All, |_| ());
    let moment = world.now() + 1;
    world.clock += DAY;
    world.edit(1, |run| run.open = false);
    sync(&mut world, &mut mirror);
    world.clock += 9 * DAY;
    world.add();
    sync(&mut world, &mut mirror);
    world.edit(3, |run| run.open = false);
    sync(&mut world, &mut mirror);
    world.clock += 110 * DAY;
    world.add();
    for cases in [[20, 20, 2], [10, 30, 2]] {
        sync(&mut world, &mut mirror);
        world.clock += DAY;
        world.edit(2, |run| run.cases = cases);
        sync(&mut world, &mut mirror);
    }
    let samples = home.history().samples;
    assert!(samples.prune(90, world.now()).unwrap() > 0);
    drop(mirror);
    (world, home.mirror(), moment)
}

#[test]
fn of_a_moment_before_what_is_kept_closed_runs_that_may_have_been_open_are_named() {
    let home = Home::new();
    let (world, mut mirror, moment) = half_a_year(&home);
    let mut since = |moment| {
        let asked = SinceQuery {
            moment: Some(moment),
            version: None,
            days: Vec::new(),
        };
        let now = (world.now(), &TimeZone::UTC);
        let done = [ResultCode::Passed, ResultCode::FailedNew];
        let since = mirror
            .since(&asked, now, &done, |_, _| false)
            .unwrap()
            .since;
        let lines = since
            .lines
            .iter()
            .map(|it| (it.row.name().to_owned(), it.became));
        let not_counted = since
            .not_counted
            .iter()
            .map(|(row, why)| (row.name().to_owned(), *why));
        (lines.collect::<Vec<_>>(), not_counted.collect::<Vec<_>>())
    };
    let named = |names: &[&str]| -> Vec<_> {
        let named = names
            .iter()
            .map(|it| ((*it).to_owned(), NotCounted::NotReadBefore));
        named.collect()
    };
    // R_1 was closed before it and not edited since, R_4 was not made yet.
    let new = vec![("R_5".to_owned(), Became::New)];
    assert_eq!(since(moment), (new, named(&["R_2", "R_3"])));
    // After the oldest that is kept the changes tell it.
    let (lines, not_counted) = since(world.now() - DAY);
    assert_eq!((lines.len(), not_counted), (2, named(&[])));
}

#[test]
fn a_run_has_no_status_of_a_time_of_which_it_is_not_known() {
    let home = Home::new();
    let (world, mirror, moment) = half_a_year(&home);
    let asked: Vec<_> = world
        .runs
        .iter()
        .map(|run| (run.row().doc_ref, Some(moment)))
        .collect();
    let compared = mirror.compared(&asked).unwrap();
    let status: Vec<_> = compared
        .iter()
        .map(|it| it.row.status.to_string())
        .collect();
    // Two were made after it, two may have had another one before what is kept.
    assert_eq!(status, ["closed", "-", "-", "-", "-"]);
    let newer = asked
        .iter()
        .map(|(run, _)| (run.clone(), Some(world.now() - DAY)));
    let compared = mirror.compared(&newer.collect::<Vec<_>>()).unwrap();
    let status: Vec<_> = compared
        .iter()
        .map(|it| it.row.status.to_string())
        .collect();
    assert_eq!(status, ["closed", "closed", "open", "closed", "open"]);
}

#[test]
fn a_run_is_late_by_what_its_samples_let_expect_a_few_runs_at_once_and_not_again_for_a_minute() {
    let (_home, world, mut mirror) = synced(12);
    let now = world.now();
    let due = |at| {
        let releases = ["1.0.0", "1.1.0", "1.2.0"].map(|version| (version.to_owned(), at));
        DueDates::default().with(|it| it.releases = releases.into())
    };
    let late = |mirror: &mut Mirror, at| {
        let query = RunsQuery {
            search: search("is:late", &jiff::Zoned::now(), &RunsQuery::FLAGS).unwrap(),
            due: due(at),
            ..query(TabQuery::default(), now)
        };
        let answer = mirror.list_answer(&query);
        (answer.runs.len(), answer.ends.len())
    };
    let end = |samples: &[Sample]| samples.last().map(|it| it.at + 2 * DAY);
    let expect = |mirror: &mut Mirror, at| mirror.expect_ends(at, i64::MIN, end).unwrap();
    assert_eq!(
        late(&mut mirror, now + DAY),
        (0, 0),
        "nothing is expected yet"
    );
    assert!(mirror.take_changed());
    assert!(expect(&mut mirror, now), "others are left");
    assert_eq!(late(&mut mirror, now + DAY), (8, 8));
    assert!(mirror.take_changed(), "the screens are answered again");
    expect(&mut mirror, now);
    assert_eq!(late(&mut mirror, now + DAY), (12, 12));
    assert_eq!(
        late(&mut mirror, now + 3 * DAY),
        (0, 12),
        "by then it is done"
    );
    assert_eq!(late(&mut mirror, now - 1), (12, 12), "the date has passed");
    // A little later is news where it is beyond the date.
    let at = mirror.list_answer(&query(TabQuery::default(), now)).ends;
    let due_then = at.values().max().copied().unwrap();
    assert_eq!(late(&mut mirror, due_then).0, 0);
    mirror.take_changed();
    let soon = |samples: &[Sample]| end(samples).map(|at| at + 1);
    for _ in 0..2 {
        mirror.expect_ends(now + 60_000, i64::MIN, soon).unwrap();
    }
    assert!(mirror.take_changed());
    assert!(late(&mut mirror, due_then).0 > 0);
    let now = now + 60_000;
    late(&mut mirror, now + DAY);
    mirror.take_changed();
    let none = |_: &[Sample]| None;
    assert!(!mirror.expect_ends(now + 59_999, i64::MIN, none).unwrap());
    assert_eq!(late(&mut mirror, now + DAY), (12, 12));
    // What cannot be foretold any more is not.
    assert!(mirror.expect_ends(now + 60_000, i64::MIN, none).unwrap());
    assert_eq!(late(&mut mirror, now + DAY), (4, 4));
}

#[test]
fn kept_counts_are_in_no_sum_of_changes_of_a_service_that_tells_none_any_more() {
    let (_home, mut world, mut mirror) = synced(3);
    let moment = world.now() + 1;
    let asked = SinceQuery {
        moment: Some(moment),
        version: None,
        days: Vec::new(),
    };
    for (is_told, counted) in [(true, 3), (false, 0)] {
        world.without_counts = !is_told;
        world.edit(0, |_| {});
        sync(&mut world, &mut mirror);
        let now = (moment + DAY, &TimeZone::UTC);
        let found = mirror.since(&asked, now, &[ResultCode::Passed], |_, _| false);
        let not_counted = found.unwrap().since.not_counted;
        assert_eq!(3 - not_counted.len(), counted, "{not_counted:?}");
        let why = not_counted
            .iter()
            .all(|(_, why)| *why == NotCounted::NoCounts);
        assert!(why, "{not_counted:?}");
    }
}

#[test]
fn a_closed_run_that_goes_takes_no_cases_with_it_and_a_look_that_lies_ahead_counts_for_nothing() {
    let (home, mut world, mut mirror) = fresh(2);
    // Its counts were kept while it was open.
    sync(&mut world, &mut mirror);
    world.edit(0, |run| run.open = false);
    sync(&mut world, &mut mirror);
    let moment = world.now() + 1;
    let runs: Vec<_> = world.runs.iter().map(|run| run.row().doc_ref).collect();
    let kept = |mirror: &mut Mirror| mirror.cache().unwrap().summary().unwrap().0;
    assert_eq!(kept(&mut mirror), 2);
    mirror.gone(&runs, moment + 1_000).unwrap();
    assert_eq!(kept(&mut mirror), 0);
    assert_eq!(
        answer(&mirror, "", "Root.Metadata.EditedOn DESC")
            .runs
            .len(),
        0
    );
    let asked = SinceQuery {
        moment: Some(moment),
        version: None,
        days: Vec::new(),
    };
    let now = moment + 2_000;
    let done = [ResultCode::Passed, ResultCode::FailedNew];
    let since = |mirror: &mut Mirror, asked: &SinceQuery| {
        let now = (now, &TimeZone::UTC);
        mirror.since(asked, now, &done, |_, _| false).unwrap()
    };
    let SinceAnswer {
        since: found,
        runs: of_lines,
        ..
    } = since(&mut mirror, &asked);
    assert_eq!(of_lines[&runs[1]].state, Presence::Gone);
    let gone: Vec<_> = found.lines.iter().map(|it| &it.row.doc_ref).collect();
    assert_eq!(gone, [&runs[1]], "only what was open had cases left");
    // Its version stays, so that it is told of that one alone.
    for (version, lines) in [(world.runs[1].row().version, 1), (Some("99.9".into()), 0)] {
        let of = asked.clone().with(|it| it.version = version);
        let found = since(&mut mirror, &of).since;
        assert_eq!((found.lines.len(), found.not_counted), (lines, Vec::new()));
    }
    // It was deleted from here before the moment, and found gone after it.
    for (at, lines) in [(moment - 1, 0), (moment, 1)] {
        mirror.wrote(vec![OwnRecord {
            run: runs[1].clone(),
            at,
            write: Some(OwnWrite::Deletion),
            is_done: true,
            was_open: None,
        }]);
        assert_eq!(since(&mut mirror, &asked).since.lines.len(), lines, "{at}");
    }
    mirror.wrote(Vec::new());
    // Since it went nothing has gone.
    let after = asked.clone().with(|it| it.moment = Some(now));
    assert_eq!(since(&mut mirror, &after).since.lines, []);
    // A clock that was an hour ahead.
    let history = home.history();
    history.mark_all_seen(now + 3_600_000).unwrap();
    history.mark_all_seen(now + 7_200_000).unwrap();
    let last = asked.with(|it| it.moment = None);
    assert_eq!(since(&mut mirror, &last).last_looks, [0; 0]);
    history.mark_all_seen(now).unwrap();
    assert_eq!(history.last_looks().unwrap(), [now]);
    assert_eq!(since(&mut mirror, &last).moment, now);
}

#[test]
fn without_a_look_that_was_kept_it_is_the_end_of_the_last_day_on_which_a_person_was_here() {
    let (home, world, mut mirror) = synced(2);
    let begun = world.now();
    let asked = SinceQuery {
        moment: None,
        version: None,
        days: Vec::new(),
    };
    let days = |at: i64| Days::at(at, &TimeZone::UTC).unwrap();
    let at_once = (begun + 2_000, &TimeZone::UTC);
    let first = mirror.since(&asked, at_once, &[], |_, _| false).unwrap();
    assert_eq!((first.since.lines.len(), first.is_first), (2, true));
    assert_eq!(first.since.not_counted, [], "what was read first is known");
    assert_eq!(first.since.headline()[0], "0 of 2 runs moved");
    let later = begun + 3 * 86_400_000;
    let mut last_look = || {
        let found = mirror.since(&asked, (later, &TimeZone::UTC), &[], |_, _| false);
        let found = found.unwrap();
        (found.moment, found.is_first)
    };
    // A wall has read, nobody was here.
    let (moment, is_first) = last_look();
    assert!(is_first, "nothing but the first reading");
    assert!((begun..later).contains(&moment), "once its pages are here");
    let history = home.history();
    let used = |at: i64| history.counts().used(at, days(at).today).unwrap();
    used(begun);
    used(begun + 1_000);
    assert_eq!(last_look(), (days(begun).tomorrow, false));
    // Today does not count, nor what lies ahead.
    used(later - 1_000);
    used(later + 3_600_000);
    used(later);
    assert_eq!(last_look(), (days(begun).tomorrow, false));
}

#[test]
fn versions_are_in_the_order_of_their_numbers() {
    let (mut world, mut mirror) = (World::with(3), Home::new().mirror());
    for (run, version) in world.runs.iter_mut().zip([10, 2, 9]) {
        run.version = version;
    }
    read(&mut world, &mut mirror, Depth::All, |_| {});
    for (order, sorted) in [
        ("version", ["1.2.0", "1.9.0", "1.10.0"]),
        ("version DESC", ["1.10.0", "1.9.0", "1.2.0"]),
    ] {
        let found = answer(&mirror, "", order).runs;
        let versions: Vec<_> = found.iter().map(|run| run.row().version.unwrap()).collect();
        assert_eq!(versions, sorted, "{order}");
    }
}
