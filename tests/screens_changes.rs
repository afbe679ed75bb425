//! What changed since a moment, in its states.

use std::sync::Arc;

use super::pictures::States;
use crate::support::prelude::*;
use rundown::domain::since::{Became, NotCounted, RunKnown, Since};
use rundown::domain::{Format, Quiet, Sample as Kept};
use rundown::mirror::{Run, SinceAnswer};

use ResultCode::{Blocked, FailedNew, Passed, Untested};

const HOUR: i64 = 3_600_000;
/// A look of yesterday evening.
const LOOK: i64 = NOW - 16 * HOUR;

fn counts(of: [u64; 4]) -> ResultCounts {
    let mut counts = ResultCounts::default();
    for (code, count) in [Passed, FailedNew, Blocked, Untested].into_iter().zip(of) {
        counts.add(code, count);
    }
    counts
}

#[test]
fn left_open_over_midnight_it_is_asked_anew() {
    let mut world = World::new((80, 24), 3);
    world.press("H");
    world.answer();
    let asked = |world: &World| world.mirrored.asked_since.len();
    let before = asked(&world);
    world.press("j");
    assert_eq!(asked(&world), before);
    world.now += 24 * HOUR;
    world.press("j");
    assert_eq!(asked(&world), before + 1);
}

/// A run with its title, and cases passed, failed (new), blocked and untested, then and now.
fn known(number: u64, title: &str, then: Option<[u64; 4]>, now: [u64; 4]) -> RunKnown {
    let then = then.map(|then| Kept {
        at: LOOK - HOUR,
        seen_until: LOOK - 60_000,
        clock_back: false,
        counts: Some(counts(then)),
        suites: Some(2),
        progress: None,
    });
    RunKnown {
        row: RunRow {
            title: Some(title.into()),
            status: Status::Active,
            results: Some(counts(now)),
            suite_count: Some(2),
            created_on: Some(if then.is_some() {
                LOOK - 90 * HOUR
            } else {
                NOW - HOUR
            }),
            ..row(number)
        },
        counted_at: Some(NOW),
        gone_since: None,
        deleted_at: None,
        then,
        was_open: true,
        own: 0,
        quiet: Quiet::No,
    }
}

/// All that can become of runs.
fn answer() -> SinceAnswer {
    let mut closed = known(4, "Smoke edge", Some([26, 0, 0, 14]), [40, 0, 0, 0]);
    closed.row.status = Status::Inactive;
    let quiet = known(6, "Exploratory edge", Some([5, 0, 0, 31]), [5, 0, 0, 31])
        .with(|it| it.quiet = Quiet::Since(NOW - 200 * HOUR));
    let gone = RunKnown {
        gone_since: Some(NOW - 2 * HOUR),
        deleted_at: None,
        ..known(7, "Exploratory chrome", Some([5, 0, 0, 9]), [5, 0, 0, 9])
    };
    let long = known(10, "", Some([1, 0, 0, 9]), [0; 4])
        .then
        .unwrap()
        .with(|it| it.seen_until = LOOK - 90 * HOUR);
    let old = known(10, "Load", None, [2, 0, 0, 8]).with(|it| it.then = Some(long));
    let mut early = known(
        2,
        "Regression chrome",
        Some([10, 9, 9, 30]),
        [18, 10, 2, 28],
    );
    early.then.as_mut().unwrap().seen_until = LOOK - 5 * HOUR;
    let runs = [
        known(
            1,
            "Regression firefox",
            Some([20, 0, 0, 40]),
            [20, 6, 0, 34],
        ),
        early,
        known(3, "Acceptance, week 47", Some([10, 0, 5, 5]), [15, 0, 0, 5]),
        closed,
        known(5, "Acceptance, week 48 \u{1b}[31m", None, [0, 0, 0, 36]),
        quiet,
        gone,
        known(8, "Smoke chrome", Some([1, 0, 0, 9]), [3, 0, 0, 7]),
        known(9, "Smoke firefox", Some([1, 0, 0, 9]), [2, 0, 0, 8]),
        old,
        known(11, "As it was", Some([1, 0, 0, 9]), [1, 0, 0, 9]),
    ];
    let done = rundown::forecast::Settings::DONE;
    let since = Since::of(LOOK, runs, &done, |at| at < LOOK - 48 * HOUR);
    let rows = since.lines.iter().map(|line| &line.row);
    SinceAnswer {
        moment: LOOK,
        is_first: false,
        is_blind: false,
        last_looks: vec![LOOK, LOOK - 24 * HOUR],
        runs: rows
            .map(|row| (row.doc_ref.clone(), Arc::new(Run::new(row, LOOK))))
            .collect(),
        since,
    }
}

pub fn changed(size: (u16, u16)) -> Sample {
    let mut world = World::new(size, 12);
    world.mirrored.since = Some(Arc::new(answer()));
    world.press("H");
    world.answer();
    world.desk
}

#[test]
fn a_long_title_has_the_room_of_a_wide_screen() {
    let long = "Acceptance of the customer self-service, week 48, second round";
    let mut world = World::new((200, 60), 12);
    let mut answer = answer();
    answer.since.lines[0].row.title = Some(long.into());
    world.mirrored.since = Some(Arc::new(answer));
    world.press("H");
    world.answer();
    world.says(long);
}

#[test]
fn a_run_has_one_line_with_all_that_moved_the_worst_first() {
    let mut desk = changed((120, 40));
    desk.says("[1 Since yesterday 17:41]");
    desk.says("7 of 10 runs moved: 7 failed (new)");
    desk.press("1");
    desk.says("this is that tab");
    desk.says("160 left: 37 done since, 36 came with new runs, 9 went with runs not found");
    desk.says("WORSE   R_1     Regression firefox            failed (new) 0 → 6, untested 40 → 34, 40 → 34 left");
    desk.says("NEW     R_5     Acceptance, week 48 ␛[31m     36 cases in 2 suites");
    desk.says("GONE    R_7     Exploratory chrome            not found since 07:41, 9 left");
    desk.says("2 more with progress only\n");
    desk.says("Not counted: R_10, last read Sun 23:41");
    desk.lacks("As it was");
    // The row under the cursor stands at the foot in full; Enter opens the run.
    desk.press("j");
    desk.says("28, 39 → 30 left, as read yesterday 12:41");
    desk.press("\n");
    desk.at(Layer::Detail);
    // With its own times: those of the last reading may be of other runs.
    assert_eq!(desk.store.detail().unwrap().run.counted_at, Some(LOOK));
    desk.press("\u{1b}");
    desk.says("[1 Since yesterday 17:41]");
    desk.press("Gk");
    desk.says("2 more with progress only: Enter lists them");
    desk.press("\n");
    desk.says("with progress only: 2 found");
    // Of lines that do not all fit it says how many are below.
    changed((80, 24)).lacks("more below");
    changed((60, 15)).says("more below");
}

#[test]
fn the_row_under_the_cursor_is_shown_whole_and_no_number_is_cut() {
    let whole = "failed (new) 9 → 10, blocked 9 → 2, passed 10 → 18, untested 30 → 28, 39 → 30 left, as read yesterday 12:41";
    let words = |desk: &Sample| {
        let screen = desk.screen();
        screen.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    for size in [(80, 24), (60, 15)] {
        let mut desk = changed(size);
        assert!(!words(&desk).contains(whole), "{size:?}");
        desk.press("j");
        assert!(words(&desk).contains(whole), "{size:?}: {}", desk.screen());
        desk.says("since when");
        // The last row stays in sight.
        desk.press("G");
        desk.says("> Not counted: R_10");
    }
    // A wide window has room for it in the row or the status line.
    let mut desk = changed((120, 15));
    desk.press("j");
    assert_eq!(words(&desk).matches(whole).count(), 1, "{}", desk.screen());
    for width in 40..80 {
        let mut desk = changed((width, 10));
        desk.press("j");
        for cut in desk.screen().split('…') {
            let last = cut.rsplit(' ').next().unwrap_or_default();
            let ends = [last.chars().next(), last.chars().next_back()];
            let digits = ends.into_iter().flatten().filter(char::is_ascii_digit);
            assert!(digits.count() < 2, "{cut}");
        }
    }
}

#[test]
fn ids_are_whole_and_what_was_deleted_from_here_is_told_as_such() {
    let long = known(12_345, "Long", Some([1, 0, 0, 9]), [1, 1, 0, 8]);
    let deleted = RunKnown {
        gone_since: Some(NOW - HOUR),
        deleted_at: Some(NOW - 2 * HOUR),
        ..known(67_890, "Deleted", Some([5, 0, 0, 9]), [5, 0, 0, 9])
    };
    let done = rundown::forecast::Settings::DONE;
    let since = Since::of(LOOK, [long, deleted], &done, |_| false);
    let mut world = World::new((80, 24), 12);
    world.mirrored.since = Some(Arc::new(answer().with(|it| it.since = since)));
    world.press("H");
    world.answer();
    world.says("WORSE   R_12345  Long");
    world.says("GONE    R_67890");
    world.says("deleted 07:41, 9 left");
}

#[test]
fn what_is_still_to_come_is_said_with_the_sums() {
    let mut late = known(12, "To come", Some([1, 0, 0, 9]), [1, 0, 0, 9]);
    late.counted_at = Some(LOOK - HOUR);
    let here = known(1, "Here", Some([1, 0, 0, 9]), [1, 1, 0, 8]);
    let done = rundown::forecast::Settings::DONE;
    let since = Since::of(LOOK, [here, late], &done, |_| false);
    let mut world = World::new((80, 24), 12);
    let told = answer().with(|it| it.since = since.clone());
    world.mirrored.since = Some(Arc::new(told));
    world.press("H");
    world.says("So far, with 1 run to come: 1 of 1 run moved");
    let none = SinceAnswer {
        since: since.clone().with(|it| it.lines = Vec::new()),
        ..answer()
    };
    world.mirrored.since = Some(Arc::new(none));
    world.press("\u{1b}H");
    world.says("0 of 1 run counted so far: what moved is not known yet");
    world.mirrored.since = Some(Arc::new(answer().with(|it| it.since = since)));
    world.press("\u{1b}H");
    world.answer();
    world.lacks("to come");
    world.says("Not counted: R_12, last read yesterday 16:41");
}

#[test]
fn since_when_is_chosen_or_typed_and_a_look_is_kept() {
    let mut desk = changed((80, 24));
    let asked = |desk: &mut Sample| desk.mirrored.asked_since.drain(..).next_back();
    assert_eq!(asked(&mut desk), Some(None), "the last look");
    desk.press("f");
    desk.says("last look");
    desk.says("the look before that");
    desk.says("yesterday");
    desk.press("before\n");
    assert_eq!(asked(&mut desk), Some(Some(LOOK - 24 * HOUR)));
    desk.press("fyester\n");
    let midnight = NOW - NOW % (24 * HOUR);
    assert_eq!(asked(&mut desk), Some(Some(midnight)));
    // The look of before stays one until the next.
    desk.press("flast look\n");
    assert_eq!(asked(&mut desk), Some(None));
    desk.press("fanother\n");
    desk.says("since MOMENT");
    desk.press("Thu 17:28\n");
    assert_eq!(
        asked(&mut desk),
        Some(Some(midnight - 6 * HOUR - 31 * 60_000))
    );
    // Which day is meant stands there before Enter, a day ends with its last minute.
    desk.press(":since yesterday");
    desk.says("tells what changed since yesterday: yesterday 23:59");
    desk.press("\u{1b}");
    // What cannot be read stays in its box, to be mended there.
    desk.press(":since soon\n");
    desk.says("soon: no moment; e.g. -3h, -2d, yesterday, fri 17:28");
    desk.says("> since soon");
    desk.press("\u{1b}:since 2026-12-24\n");
    desk.says("2026-12-24 is not past yet");
    desk.says("> since 2026-12-24");
    assert_eq!(asked(&mut desk), None);
    desk.press("\u{1b}");
    // It may be typed where it is chosen.
    desk.press("f3 days ago");
    desk.says(">3 days ago");
    desk.press("\n");
    desk.says("3 days ago: no moment; e.g. -3h, -2d");
    desk.says("> 3 days ago");
    desk.press("\u{1b}f-2d");
    desk.says("Enter takes it: ");
    desk.press("\n");
    assert_eq!(asked(&mut desk), Some(Some(desk.now - 48 * HOUR)));
    desk.press("A");
    assert_eq!(desk.mirrored.seen_up_to, [desk.now]);
    let reads = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ReadRuns { .. }));
    assert!(desk.open.iter().any(reads), "from then on");
    assert_eq!(asked(&mut desk), Some(None));
    desk.says("all is seen up to now");
}

#[test]
fn it_is_copied_as_markdown_first_and_exported() {
    let mut desk = changed((80, 24));
    desk.press("y");
    desk.says("Copy what changed since yesterday 17:41 as");
    desk.press("\n");
    let (what, text) = desk.clipboard().pop().unwrap();
    assert_eq!(what, "what changed since yesterday 17:41 as Markdown");
    begins(&text, "### Since yesterday 17:41, ");
    says(&text, "\n\nWritten Fri 20 Nov 2026 ");
    says(&text, "| WORSE | R_1 | Regression firefox | ");
    assert!(!text.contains('\u{1b}'), "{text}");
    desk.press("Xmark\n");
    let exported = desk.open.iter().find_map(|effect| match effect {
        Effect::ExportSummary { summary, format } => Some((summary.text(*format), *format)),
        _ => None,
    });
    assert_eq!(exported.unwrap(), (text, Format::Markdown));
}

#[test]
fn the_second_tab_does_not_copy_the_first() {
    for key in ["y", "X"] {
        let mut sample = changed((80, 24));
        sample.says("X export");
        sample.press("\t");
        sample.lacks("X export");
        sample.press(key);
        sample.says("the first tab can be copied and exported, this one cannot");
    }
}

/// All changes, of runs with failures.
fn all_changes(size: (u16, u16)) -> World {
    let mut world = World::new(size, 12);
    for run in 0..6 {
        world.record(run, Untested, FailedNew, 1);
    }
    world.refresh();
    world.press("H2");
    world
}

#[test]
fn each_tab_keeps_its_cursor() {
    let mut world = all_changes((80, 24));
    world.press("jjj");
    let here = |world: &World| {
        let screen = world.screen();
        screen
            .lines()
            .find(|line| line.starts_with('>'))
            .map(str::to_owned)
    };
    let before = here(&world);
    world.press("1");
    assert_ne!(here(&world), before);
    // Others come meanwhile.
    world.record(9, Untested, FailedNew, 1);
    world.refresh();
    world.press("2");
    assert_eq!(here(&world), before, "{}", world.screen());
}

#[test]
fn all_changes_have_the_titles_of_their_runs_where_there_is_room_and_a_cut_one_is_shown_whole() {
    let words = "09:42  R_0    Untested 36 → 35, Failed (new) 9 → 10";
    let world = all_changes((80, 24));
    world.says(words);
    let title = world.runs[0].title.clone().unwrap();
    world.lacks(&title);
    let world = all_changes((200, 60));
    world.says(&format!("R_0    {title}"));
    let mut world = all_changes((60, 15));
    let long = "Acceptance reporting, 1.1.0 rc6, all";
    world.runs[0].title = Some(long.into());
    world.refresh();
    world.lacks(&format!("→ \"{long}\""));
    world.press("gk");
    says_wrapped(&world.screen(), &format!("→ \"{long}\""));
}

#[test]
fn who_edited_is_you_in_each_line_about_a_change() {
    let mut world = World::new((120, 40), 3);
    let mine = |run: RunRow, at| RunRow {
        edited_by: Some("qa".into()),
        edited_on: Some(at),
        ..run
    };
    let at = world.now + 1;
    world.runs.insert(0, mine(row(900), at));
    let changed = mine(world.runs[1].clone(), at).with(|it| it.title = Some("Other".into()));
    world.runs[1] = changed;
    world.refresh();
    world.press("H2");
    for words in ["appeared", "→ \"Other\""] {
        world.says(&format!("{words} (edited by you)"));
    }
    world.press("\u{1b}");
    for key in ["g", "j"] {
        world.press(key);
        world.says("(edited by you)");
        world.lacks("edited by qa");
    }
    world.press("\n3");
    world.says("appeared (edited by you)");
}

#[test]
fn who_presses_a_key_is_noted_once_an_hour_and_on_a_wall_never() {
    let mut desk = Sample::signed_in((80, 24));
    desk.now += HOUR - 1;
    desk.press("j");
    assert_eq!(desk.mirrored.used, [0; 0], "the hour is not over");
    desk.now += 1;
    desk.press("jkM");
    assert_eq!(desk.mirrored.used, [desk.now]);
    desk.now += 9 * HOUR;
    desk.press("jk\u{1b}");
    assert_eq!(desk.mirrored.used.len(), 1, "that was the monitor");
    desk.press("j");
    assert_eq!(desk.mirrored.used[1..], [desk.now]);
}

#[test]
fn before_anything_is_read_it_says_that_it_is_being_read_and_counts_nothing() {
    let mut sample = Sample::signed_in((80, 24));
    sample.mirrored.since = Some(Arc::new(SinceAnswer {
        moment: NOW,
        is_first: true,
        ..SinceAnswer::default()
    }));
    sample.press("H");
    sample.says("Reading the runs…");
    for words in ["0 of 0 runs", "0 left", "Compared with", "Since", "y copy"] {
        sample.lacks(words);
    }
    sample.answer(0);
    sample.says("0 of 0 runs moved");
}

#[test]
fn before_there_is_anything_to_compare_with_it_says_so() {
    let mut world = World::new((80, 24), 3);
    world.press("H");
    world.says("Working out what changed…");
    world.mirrored.since = Some(Arc::new(SinceAnswer {
        moment: NOW,
        is_first: true,
        ..SinceAnswer::default()
    }));
    world.press("\u{1b}H");
    world.answer();
    world.says("Compared with the first readings here, until 09:41.");
    world.says("0 of 0 runs moved");
    world.lacks("moved:");
    world.press("\n");
    world.says("there is no run here");
}

#[test]
fn counts_beyond_any_sense_are_added_up_to_the_greatest_number() {
    let done = rundown::forecast::Settings::DONE;
    for (then, now) in [([u64::MAX; 4], [0; 4]), ([0; 4], [u64::MAX; 4])] {
        let runs = [1, 2, 3].map(|number| known(number, "", Some(then), now));
        let since = Since::of(LOOK, runs, &done, |_| false);
        assert!(since.headline()[0].starts_with("3 of 3 runs moved"));
    }
}

#[test]
fn without_a_counted_run_nothing_is_claimed_and_reasons_are_told_once() {
    let mut world = World::new((120, 24), 3);
    let runs = (1..=9).map(|number| {
        let run = known(number, "", None, [1; 4]);
        let row = run.row.with(|it| it.created_on = None);
        (row, NotCounted::NotReadBefore)
    });
    let mut answer = SinceAnswer::default();
    let not_counted: Vec<(RunRow, NotCounted)> = runs.collect();
    answer.since.not_counted.clone_from(&not_counted);
    // For programs nothing is not 0.
    let told = answer.since.summary(LOOK, "P_9", None, |_| String::new());
    let told: Value = serde_json::from_str(&told.json).unwrap();
    for name in ["then", "moved", "gone", "left", "now"] {
        assert!(told[name].is_null(), "{name}: {told}");
    }
    assert_eq!(told["not_counted"][0]["why"], "not_read_before");
    world.mirrored.since = Some(Arc::new(answer));
    world.press("H");
    world.answer();
    world.says("0 of 9 runs counted: what moved is not known");
    world.says("What is left is not known");
    world.lacks("0 left");
    world.says("Not counted: 9 runs: R_1, R_2, R_3, R_4, R_5, R_6 and 3 more, no counts of before");
    // One run that came since tells nothing of the others.
    let new = known(10, "New", None, [0, 0, 0, 5]);
    let done = rundown::forecast::Settings::DONE;
    let mut since = Since::of(LOOK, [new], &done, |_| false);
    since.not_counted.clone_from(&not_counted);
    assert_eq!(
        since.headline(),
        [
            "1 of 1 run moved, 9 not counted: 5 untested",
            "5 left in those counted: 5 came with new runs"
        ]
    );
    // A single one takes no more room by its name than as a number.
    let mut since = Since::default();
    for (runs, last) in [(7, "R_6, R_7, "), (8, "R_6 and 2 more, ")] {
        since.not_counted = not_counted[..runs].to_vec();
        let words = since.not_counted_words(|_| String::new()).unwrap();
        says(&words, last);
    }
}

#[test]
fn all_runs_with_progress_only_are_listed_with_an_id_or_without() {
    let mut world = World::new((120, 40), 240);
    let mut told = answer();
    let last = |told: &SinceAnswer| {
        let mut lines = told.since.lines.iter();
        lines
            .rposition(|line| line.became == Became::Progress)
            .unwrap()
    };
    let progress = last(&told);
    told.since.lines[progress].row.id = None;
    world.mirrored.since = Some(Arc::new(told.clone()));
    world.press("H");
    world.answer();
    world.press("Gk\n");
    world.answer();
    world.says("with progress only: 2 found");
    let line = told.since.lines[progress].clone();
    let more = (20..230).map(|number| {
        let mut line = line.clone();
        line.row = row(number);
        line
    });
    told.since.lines.splice(progress..progress, more);
    world.mirrored.since = Some(Arc::new(told));
    world.press("\u{1b}");
    world.refresh();
    world.press("Gk\n");
    world.answer();
    world.says("with progress only: 212 found");
}

#[test]
fn what_is_not_counted_is_named() {
    let not = answer().since.not_counted;
    let not: Vec<(&str, NotCounted)> = not.iter().map(|it| (it.0.name(), it.1)).collect();
    assert_eq!(not, [("R_10", NotCounted::LastRead(LOOK - 90 * HOUR))]);
}

#[test]
fn the_sketch_of_what_changed_is_drawn_from_runs_and_adds_up() {
    // Friday 17:28, told on Monday at 09:41.
    let (monday, friday) = (NOW + 72 * HOUR, NOW + 7 * HOUR + 47 * 60_000);
    let of = |number, title, then: Option<[u64; 4]>, now| {
        let mut run = known(number, title, then, now);
        run.counted_at = Some(monday);
        run.row.created_on = Some(if then.is_some() { 0 } else { monday - HOUR });
        if let Some(then) = &mut run.then {
            then.seen_until = friday - 60_000;
        }
        run
    };
    let moved = |number, title, then, now| of(number, title, Some(then), now);
    let mut closed = moved(221, "Smoke edge", [26, 0, 0, 14], [40, 0, 0, 0]);
    closed.row.status = Status::Inactive;
    let quiet = moved(222, "Exploratory edge", [5, 0, 0, 31], [5, 0, 0, 31])
        .with(|it| it.quiet = Quiet::Since(NOW - 96 * HOUR));
    // Of a run that is gone no title stays.
    let mut gone = moved(218, "", [12, 0, 0, 0], [12, 0, 0, 0]);
    gone.gone_since = Some(friday + 34 * 60_000);
    let mut old = moved(240, "Load", [1, 0, 0, 9], [2, 0, 0, 8]);
    old.then.as_mut().unwrap().seen_until = NOW - 45 * HOUR - 31 * 60_000;
    let mut runs = vec![
        moved(236, "Regression firefox", [192, 0, 0, 64], [192, 6, 0, 58]),
        moved(239, "Regression chrome", [209, 9, 9, 23], [220, 10, 2, 18]),
        moved(235, "Acceptance, week 47", [10, 0, 5, 63], [15, 0, 0, 63]),
        closed,
        of(241, "Acceptance, week 48", None, [0, 0, 0, 36]),
        quiet,
        gone,
        old,
    ];
    runs.extend((1..=9).map(|number| {
        let passed = if number == 9 { 9 } else { 7 };
        moved(
            number,
            "Smoke",
            [1, 0, 0, 50 + passed],
            [1 + passed, 0, 0, 50],
        )
    }));
    runs.extend([10, 11].map(|number| moved(number, "As it was", [1, 0, 0, 48], [1, 0, 0, 48])));
    let since = Since::of(friday, runs, &rundown::forecast::Settings::DONE, |at| {
        at < friday - 48 * HOUR
    });
    let mut world = World::new((80, 24), 12);
    world.now = monday;
    world.mirrored.since = Some(Arc::new(SinceAnswer {
        moment: friday,
        is_first: false,
        last_looks: vec![friday],
        since: since.clone(),
        ..SinceAnswer::default()
    }));
    world.press("H");
    world.answer();
    world.says("[1 Since Fri 17:28]");
    for words in [
        "14 of 18 runs moved: ",
        "95 passed",
        "7 failed (new)",
        "12 fewer blocked",
        "754 left: 102 done since, 36 came with new runs",
        "9 more with progress only\n",
        "Not counted: R_240, last read Wed 12:10",
    ] {
        world.says(words);
    }
    for (row, words) in [
        ("WORSE   R_236", "Regression firefox"),
        ("WORSE   R_236", "failed (new) 0 → 6"),
        ("WORSE   R_239", "failed (new) 9 → 10, blocked 9 → 2"),
        ("BETTER  R_235", "blocked 5 → 0"),
        ("DONE    R_221", "14 → 0 left, closed"),
        ("NEW     R_241", "36 cases in 2 suites"),
        ("QUIET   R_222", "no result since 16 Nov"),
        ("GONE    R_218", "not found since Fri 18:02"),
    ] {
        let place = since
            .lines
            .iter()
            .position(|line| row.ends_with(line.row.name()));
        world.press(&format!("gg{}", "j".repeat(place.unwrap())));
        let line = world.line(row);
        // What has no room stands at the foot.
        let screen = world.screen();
        let foot = screen.lines().skip(18).flat_map(str::split_whitespace);
        let foot = foot.collect::<Vec<_>>().join(" ");
        assert!(
            line.contains(words) || foot.contains(words),
            "{words}: {line}\n{foot}"
        );
    }
    // Then and what moved are now, in all and for each count, and the words add up to it.
    assert_eq!(since.then.left + 36 - 102, since.now.left);
    let places = 0..since.now.cases.0.len();
    let now = places.map(|place| {
        let then = since.then.cases.0[place].cast_signed() - since.gone.0[place].cast_signed();
        (then + since.moved[place]).cast_unsigned()
    });
    assert_eq!(now.collect::<Vec<_>>(), since.now.cases.0);
    assert_eq!(95 + 7, since.left.0[0]);
}

pub fn states(states: &mut States<'_>) {
    states.see("changes", changed);
}

#[test]
fn the_cursor_stays_on_its_run_while_the_lines_sort_anew() {
    let mut world = World::new((120, 40), 12);
    let mut told = answer();
    let first = told.since.lines.remove(0);
    world.mirrored.since = Some(Arc::new(told.clone()));
    world.press("H");
    world.answer();
    world.press("j");
    let line = |world: &World| {
        let screen = world.screen();
        let line = screen.lines().find(|line| line.starts_with("> "));
        line.unwrap().to_owned()
    };
    let before = line(&world);
    // Another run becomes worse and comes first.
    told.since.lines.insert(0, first);
    world.mirrored.since = Some(Arc::new(told));
    world.refresh();
    world.says("WORSE   R_1 ");
    assert_eq!(line(&world), before);
    world.press("G");
    let last = line(&world);
    world.refresh();
    assert_eq!(line(&world), last);
}

#[test]
fn the_key_that_led_here_is_told_as_the_way_back() {
    let mut desk = changed((80, 24)).pressed("?");
    says(&desk.line("Back to the screen before"), " H ");
    desk.press("\u{1b}H");
    desk.at(Layer::Runs);
}
