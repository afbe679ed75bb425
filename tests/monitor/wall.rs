//! What somebody sees who looks from afar: totals, the worst first, what is late, and runs that take turns.

use crate::support::prelude::*;
use ratatui::style::Modifier;
use rundown::store::SampleWrite;
use rundown::store::session::KnownProfile;
use rundown::ui::theme::BuiltIn;

use super::samples_of::{Pace, history};
use ResultCode::OnHoldInternal;
use rundown::domain::release::ReleaseDue;
use rundown::forecast::{Counted, Finish, NoForecast, Outlook};

/// A monitor of so many open runs; all have an earlier reading that they are compared with.
fn monitor(size: (u16, u16), runs: u64, limit: Option<&str>) -> World {
    let watch = ProjectSettings::default().with(|it| it.limit = limit.map(str::to_owned));
    let mut world = World::with(size, runs, session().with(|it| it.watch = watch));
    world.press("M");
    world.answer();
    world.tell_earlier(0, 0);
    world.tell(Pace::Steady);
    world
}

/// The runs whose rows are on the screen.
fn seen(world: &World) -> Vec<String> {
    let screen = world.screen();
    let words = screen.lines().filter_map(|line| {
        let row = line.trim_start_matches(['!', '>', '^', ' ']);
        let name = row.split(' ').next()?;
        (row.contains('%') && name.starts_with("R_")).then(|| name.to_owned())
    });
    words.collect()
}

fn set(world: &mut World, run: usize, counts: &[(ResultCode, u64)]) {
    let mut results = ResultCounts::default();
    for code in ResultCode::ALL {
        let given = counts.iter().find(|(known, _)| *known == code);
        results.add(code, given.map_or(0, |(_, count)| *count));
    }
    world.runs[run].results = Some(results);
}

fn read_again(world: &mut World) {
    world.read_next();
    world.tell(Pace::Steady);
}

#[test]
fn totals_are_over_all_runs_and_those_without_results_are_told_beside() {
    let mut world = monitor((80, 19), 170, Some("failed_new <= 9"));
    let screen = world.screen();
    let line = |screen: &str| screen.lines().nth(1).unwrap().to_owned();
    assert!(
        line(&screen).starts_with("   7,820 left "),
        "46 in each of 170: {screen}"
    );
    for words in ["+0 new failures", "850 blocked", "0 OVER LIMIT"] {
        assert!(line(&screen).contains(words), "{words}: {screen}");
    }
    assert!(!line(&screen).contains("LATE"), "nothing is due: {screen}");
    world.record(160, ResultCode::Untested, ResultCode::FailedNew, 2);
    world.record(3, ResultCode::Untested, ResultCode::Blocked, 4);
    // In the place of one that did tell them.
    world.runs[5] = RunRow {
        status: Status::Active,
        results: None,
        ..row(977)
    };
    read_again(&mut world);
    let screen = world.screen();
    for words in [
        "7,772 left",
        "+2 new failures",
        "849 blocked",
        "1 OVER LIMIT",
        "1 without results",
    ] {
        assert!(line(&screen).contains(words), "{words}: {screen}");
    }
}

#[test]
fn of_due_dates_and_limits_that_nobody_set_nothing_is_counted() {
    for size in [(40, 12), (80, 24), (120, 40)] {
        let mut world = monitor(size, 3, None);
        let screen = world.screen();
        let above: String = screen.lines().take(8).collect();
        assert!(
            !above.contains("LATE") && !above.to_lowercase().contains("over"),
            "{screen}"
        );
        // Due in time: it is known that nothing is late.
        let zero = "0 LATE\n";
        world.press("d2027-11-27\n");
        let screen = world.screen();
        match size.0 {
            40 => {}
            80 => assert!(screen.contains(zero), "{screen}"),
            _ => assert!(screen.contains(" LATE"), "{screen}"),
        }
        lacks(&screen, "LATE so far");
        assert_eq!(world.monitor().totals.late, Some(0));
        world.press("t\tfailed_new <= 20\n");
        assert_eq!(world.monitor().totals.over, Some(0));
    }
}

#[test]
fn from_afar_it_is_seen_whether_the_release_is_on_time() {
    let mut world = monitor((120, 40), 3, Some("failed_new <= 9"));
    let large = |world: &World| {
        let lines: Vec<String> = world.screen().lines().map(str::to_owned).collect();
        (lines[2..5].join("\n"), lines[5].clone(), lines[6].clone())
    };
    let (figures, words, below) = large(&world);
    // The share that is done has its sign; the middle of the forecast of all is on Saturday the 21st.
    says(&figures, "▀ █");
    for word in ["done", "cases left", "new failures", "finish Sat"] {
        assert!(words.contains(word), "{word}: {words}");
    }
    assert!(
        !words.contains("LATE") && !below.contains("due"),
        "{words} {below}"
    );
    says(&below, "15 blocked");
    says(&below, "0 OVER LIMIT");
    // The date is that of the release, where all runs are of one version.
    due_on_27_nov(&mut world);
    let (_, words, below) = large(&world);
    assert!(
        words.contains("LATE") && below.contains("due 27 Nov"),
        "{words} {below}"
    );
    // Where nothing can be said there is no figure that looks like one.
    world.record(1, ResultCode::Untested, ResultCode::Passed, 1);
    world.read_next();
    let asks = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::Finish { .. }))
        )
    };
    let place = world.open.iter().position(asks).unwrap();
    let asked = world.open.remove(place);
    let Effect::Request(id, Request::Samples(SampleRequest::Finish { runs })) = asked else {
        panic!("it is asked for");
    };
    assert_eq!(runs.len(), 3, "all that are shown");
    let finish = Finish {
        outlook: Outlook::Refused(NoForecast::Still),
        counted: Counted::Always,
        alone: runs
            .iter()
            .map(|it| (it.run.clone(), Outlook::Done))
            .collect(),
    };
    let found = Answer::Finish(Some(Box::new(finish)));
    world.event(Event::Answer(id, found));
    assert!(
        large(&world).1.contains("no forecast"),
        "{}",
        world.screen()
    );
    world.runs[2].version = Some("7.7".into());
    world.record(1, ResultCode::Untested, ResultCode::Passed, 1);
    read_again(&mut world);
    assert!(!large(&world).2.contains("due"), "{}", world.screen());
}

#[test]
fn what_the_feed_counts_cannot_be_taken_for_the_sum_beside_it() {
    let mut world = monitor((80, 24), 3, None);
    world.record(1, ResultCode::Untested, ResultCode::FailedNew, 2);
    read_again(&mut world);
    let screen = world.screen();
    says(&screen, "R_1    2 more failed (new)");
    assert!(!screen.contains("9 → 11"), "Fail says 15: {screen}");
}

#[test]
fn without_an_earlier_reading_nothing_is_said_of_today() {
    let mut world = World::new((80, 19), 3);
    world.press("M");
    world.answer();
    world.says("39 failed ");
    world.lacks(" new failures ");
}

#[test]
fn late_comes_first_then_over_the_limit_new_failures_blocked_and_what_ends_last() {
    use ResultCode::{Blocked, FailedNew, Passed, Untested};
    let mut world = monitor((120, 40), 8, Some("blocked <= 30"));
    for run in 0..8 {
        set(
            &mut world,
            run,
            &[(Passed, 50), (Untested, 50), (FailedNew, 1)],
        );
    }
    set(&mut world, 2, &[(Passed, 50), (Untested, 50), (Blocked, 4)]);
    set(
        &mut world,
        4,
        &[(Passed, 50), (Untested, 50), (Blocked, 31)],
    );
    // Two more than before today.
    set(
        &mut world,
        7,
        &[(Passed, 50), (Untested, 50), (FailedNew, 15)],
    );
    set(&mut world, 5, &[(Untested, 101)]);
    set(&mut world, 6, &[(Passed, 99), (FailedNew, 1)]);
    world.read_next();
    // Run 1 ends after run 0 and run 3, of which nothing is known; run 2 before them all.
    let history = |hours: i64| {
        let mut history = history(Pace::Steady, world.now);
        if let Outlook::Band(band) = &mut history.outlook {
            band.middle = world.now + hours * 3_600_000;
        }
        history.outlook
    };
    let no = Outlook::Refused(NoForecast::Still);
    let known = [(0, history(5)), (1, history(9)), (2, history(1)), (3, no)];
    let found = known.map(|(run, outlook)| {
        let run: usize = run;
        (world.runs[run].doc_ref.clone(), outlook)
    });
    let finish = Finish {
        outlook: Outlook::Done,
        counted: Counted::Always,
        alone: found.into(),
    };
    let finish = Answer::Finish(Some(Box::new(finish)));
    world.answered(&Slot::WatchedFinish, finish);
    assert_eq!(
        world.watched(),
        ["R_4", "R_7", "R_2", "R_1", "R_0", "R_3", "R_5"]
    );
    world.says("1 finished: R_6");
    // Why nothing is known of the end, in a word.
    world.says(" paused\n");
    world.says("not begun");
    // Due before it will be done.
    world.press("G");
    while world.monitor().current().unwrap().run.name() != "R_1" {
        world.press("k");
    }
    world.press("d15:00\n");
    assert_eq!(world.watched()[..2], ["R_1", "R_4"]);
    world.says("R_1 is due Fri 20 Nov 2026 15:00");
    world.says("due 15:00");
    world.says("LATE");
    let kept = world.open.iter().find_map(|effect| match effect {
        Effect::Samples(SampleWrite::SetDue { of, at }) => Some((of.clone(), *at)),
        _ => None,
    });
    assert_eq!(
        kept,
        Some((
            DueOf::Run(world.runs[1].doc_ref.clone()),
            Some(1_795_186_800_000)
        ))
    );
    // Sorted otherwise, and back: the cursor goes to the first row.
    world.press("Got");
    assert_eq!(world.watched()[0], "R_7", "A title");
    assert_eq!(world.monitor().current().unwrap().run.name(), "R_7");
    world.press("ot");
    assert_eq!(world.watched()[0], "R_3", "UAT wave");
    world.press("ow");
    assert_eq!(world.watched()[0], "R_1");
}

#[test]
fn a_due_date_is_typed_read_back_and_taken_away() {
    let mut world = monitor((120, 40), 2, None);
    world.press("d");
    world.says("e.g. Mon, Mon 17:00, 27 Nov; empty: none");
    world.press("Mon");
    assert!(
        world.screen().contains("Mon 23 Nov 2026, end of the day"),
        "what is understood is said while it is typed: {}",
        world.screen()
    );
    world.press("\n");
    world.says("due Mon ");
    // Of a day that is just over the next year is said.
    world.press("d19 Nov");
    world.says("Fri 19 Nov 2027, end of the day");
    // A whole date is taken, and that it is one of the past is said.
    world.press("\u{1b}d2026-11-18");
    world.says("Wed 18 Nov 2026, end of the day, which has passed");
    world.press("\u{1b}dsoon\n");
    world.says("not a date; e.g. Mon");
    world.press("\u{1b}d\n");
    world.says("R_0 has no due date");
    world.lacks("due Mon");
    let kept = world.open.iter().filter_map(|effect| match effect {
        Effect::Samples(SampleWrite::SetDue { at, .. }) => Some(*at),
        _ => None,
    });
    assert_eq!(
        kept.collect::<Vec<_>>(),
        [Some(1_795_478_399_000), None],
        "what was no date is not kept"
    );
}

#[test]
fn what_is_no_date_is_answered_with_what_is_one_seen_whole() {
    for size in [(80, 24), (60, 15), (40, 12)] {
        let mut world = monitor(size, 2, None);
        world.press("dsoon\n");
        let said = "not a date; e.g. Mon, Mon 17:00, 27 Nov, 2026-11-27 17:00";
        says_wrapped(&world.screen(), said);
    }
}

/// Where there is no column for it the word stands in the place of the end, which the status has.
#[test]
fn late_and_over_the_limit_are_told_apart_without_colours() {
    for size in [(80, 24), (60, 15)] {
        let mut world = monitor(size, 4, Some("failed_new <= 9"));
        for run in [1, 2] {
            world.record(run, ResultCode::Untested, ResultCode::FailedNew, 1);
        }
        read_again(&mut world);
        for run in ["R_2", "R_3"] {
            world.press("oig");
            while world.monitor().current().unwrap().run.name() != run {
                world.press("j");
            }
            world.press("d15:00\n");
        }
        world.press("ow");
        let screen = world.screen();
        let told = |run: &str| {
            let row = line(&screen, &format!("{run}  ")).trim_end();
            let word = ["LATE OVER", "LATE", "Sat 10:48"];
            let word = word.into_iter().find(|word| row.ends_with(word));
            (row.starts_with('!') || row.starts_with(">!"), word.unwrap())
        };
        assert_eq!(
            ["R_0", "R_1", "R_2", "R_3"].map(told),
            [
                (false, "Sat 10:48"),
                (true, "Sat 10:48"),
                (true, "LATE OVER"),
                (true, "LATE")
            ],
            "{screen}"
        );
        // The row under the cursor: nothing of it is cut.
        world.press("gjk");
        let said = "R_2: LATE, due 15:00, forecast Sat 10:48; failed_new is 10, limit <= 9";
        says_wrapped(&world.screen(), said);
        world.resize((40, 12));
        world.press("jj");
        says_wrapped(
            &world.screen(),
            "R_1: over the limit: failed_new is 10, limit <= 9",
        );
        let (buffer, _) = world.draw_in(BuiltIn::Dark);
        assert_eq!(buffer.area.height, 12);
        world.resize(size);
        world.press("g");
        let (buffer, _) = world.draw_in(BuiltIn::Dark);
        let at = |words: &str| {
            let rows = (0..size.1).map(|y| {
                (
                    y,
                    (0..size.0)
                        .map(|x| buffer[(x, y)].symbol())
                        .collect::<String>(),
                )
            });
            let (y, row) = rows
                .into_iter()
                .find(|(_, row)| row.contains(words))
                .unwrap();
            let before = row.split(words).next().unwrap();
            (before.chars().count() as u16, y)
        };
        let dark = rundown::ui::Theme::from(BuiltIn::Dark);
        let colour = |at: (u16, u16)| buffer[at].fg;
        assert_eq!(colour(at("LATE OVER")), dark.warn().fg.unwrap());
        let (_, y) = at("R_1  ");
        assert_eq!(colour((0, y)), dark.bad().fg.unwrap());
        let (_, y) = at("R_3  ");
        assert_eq!(colour((0, y)), dark.warn().fg.unwrap());
    }
}

#[test]
fn without_a_forecast_the_end_is_unknown() {
    let mut world = World::new((80, 24), 3);
    world.press("M");
    world.answer();
    world.tell(Pace::One);
    world.says(" unknown");
    world.lacks("too early");
    // Nor is it known before its date that nothing is late.
    world.press("d2027-11-27\n");
    world.says("0 LATE so far\n");
}

#[test]
fn what_was_due_is_late_as_soon_as_the_clock_says_so() {
    let mut world = monitor((80, 24), 1, None);
    // By its forecast it would be done in time, if somebody believed it.
    let run = world.runs[0].doc_ref.clone();
    let (id, _) = world.store.waits(|slot| *slot == Slot::Due).unwrap();
    let due = world.now + 100_000;
    let mut found = DueDates::default();
    found.runs.insert(run, due);
    let found = Some(found);
    world.reply(id, Answer::Due(found));
    world.press("r");
    world.answer();
    let late = |world: &World| world.monitor().totals.late;
    assert_eq!(late(&world), Some(1), "the forecast lies after it");
    let asked = world.monitor().current().unwrap().standing;
    assert_eq!(asked.due, Some(due));
    world.says("1 LATE");
}

#[test]
fn the_clock_goes_on_once_a_minute_and_nothing_else_wakes_it_up() {
    let mut world = monitor((80, 24), 3, None);
    let head = |world: &World| world.screen().lines().next().unwrap().to_owned();
    assert!(
        head(&world).ends_with("Fri 20 Nov  09:41"),
        "{}",
        head(&world)
    );
    let timers = |world: &World| {
        let timer = |effect: &&Effect| match effect {
            Effect::Request(id, Request::Timer { .. }) => {
                world.store.cx.in_flight.slot(*id).is_some()
            }
            _ => false,
        };
        world.open.iter().filter(timer).count()
    };
    assert_eq!(timers(&world), 2, "the next reading, the next minute");
    world.next_minute();
    assert!(
        head(&world).ends_with("Fri 20 Nov  09:42"),
        "{}",
        head(&world)
    );
    assert_eq!(world.now % 60_000, 0);
    assert_eq!(timers(&world), 2);
    // Behind a run there is no clock to be seen.
    world.press("\n");
    let minute = |world: &World| {
        let waits = world.store.waits(|slot| *slot == Slot::NextMinute);
        waits.is_some()
    };
    assert!(!minute(&world));
    world.press("\u{1b}");
    assert!(minute(&world));
    world.press("\u{1b}");
    assert!(!minute(&world));
}

#[test]
fn runs_without_room_take_turns_and_what_is_bad_stays() {
    let mut world = monitor((80, 25), 40, Some("failed_new <= 9"));
    for run in [20, 30] {
        world.record(run, ResultCode::Untested, ResultCode::FailedNew, 3);
    }
    read_again(&mut world);
    let first = seen(&world);
    assert_eq!(
        (first.len(), &first[..2]),
        (12, &["R_20".to_owned(), "R_30".to_owned()][..])
    );
    world.says("28 more below");
    let mut all: BTreeSet<String> = first.iter().cloned().collect();
    // A key was pressed less than a minute ago.
    world.press("j");
    world.next_minute();
    assert_eq!(seen(&world), first);
    world.next_minute();
    let second = seen(&world);
    assert_eq!(second[..2], first[..2], "these stay");
    assert!(
        second[2..].iter().all(|run| !first.contains(run)),
        "{second:?}"
    );
    world.says("28 more, in turn");
    all.extend(second.clone());
    // A reading in between moves nothing.
    read_again(&mut world);
    assert_eq!(seen(&world), second);
    for _ in 0..2 {
        world.next_minute();
        all.extend(seen(&world));
    }
    assert_eq!(all.len(), 40, "each has had its turn: {all:?}");
    world.next_minute();
    assert_eq!(seen(&world), first, "and from the beginning");
    // A key: what was on the screen stands still, and Enter opens a run that is seen.
    world.next_minute();
    let here = seen(&world);
    world.press("\n");
    let opened = &world.store.detail().unwrap().run;
    assert!(here.iter().any(|id| id == opened.name()));
}

#[test]
fn runs_above_and_below_the_rows_are_counted() {
    let mut world = monitor((80, 25), 40, None);
    read_again(&mut world);
    world.says("28 more below");
    world.press("G");
    world.says("28 more above\n");
    let top = seen(&world)[0].clone();
    for _ in 0..11 {
        world.press("k");
    }
    assert_eq!(seen(&world)[0], top);
    world.press("kkk");
    world.says("25 more above, 3 below");
}

#[test]
fn no_turn_comes_under_a_box_or_right_after_a_key_elsewhere() {
    let mut world = monitor((80, 25), 40, None);
    read_again(&mut world);
    let first = seen(&world);
    let here = |world: &World| {
        world
            .monitor()
            .current()
            .map(|run| run.run.name().to_owned())
    };
    let run = here(&world);
    world.press(":");
    world.next_minute();
    world.next_minute();
    world.press("\u{1b}");
    assert_eq!((here(&world), seen(&world)), (run.clone(), first.clone()));
    world.press("\n");
    world.now += 90_000;
    world.press("\u{1b}");
    world.next_minute();
    assert_eq!((here(&world), seen(&world)), (run, first.clone()));
    world.next_minute();
    world.next_minute();
    assert_ne!(seen(&world), first);
}

#[test]
fn where_runs_end_the_turns_show_no_empty_page() {
    let mut world = monitor((80, 25), 40, None);
    world.now += 120_000;
    for _ in 0..3 {
        world.next_minute();
    }
    for run in 5..40 {
        let left = world.runs[run].results.clone().unwrap();
        for code in ResultCode::ALL {
            world.record(run, code, ResultCode::Passed, left.get(code));
        }
        world.runs[run].status = Status::Inactive;
    }
    read_again(&mut world);
    assert_eq!(seen(&world).len(), 5, "{}", world.screen());
}

#[test]
fn how_many_are_late_without_a_row_is_said() {
    let mut world = monitor((80, 24), 40, None);
    world.press("Gd15:00\n");
    world.says("29 more below\n");
    world.press("oioig");
    world.says("29 more below, 1 LATE\n");
}

#[test]
fn where_too_many_are_bad_all_take_turns() {
    let mut world = monitor((80, 24), 40, Some("failed_new <= 1"));
    let first = seen(&world);
    world.now += 120_000;
    world.next_minute();
    let second = seen(&world);
    assert!(
        !second.is_empty() && second.iter().all(|run| !first.contains(run)),
        "{second:?}"
    );
}

#[test]
fn the_last_turn_fills_the_screen_and_tells_what_is_hidden_by_then() {
    let mut world = monitor((80, 24), 16, Some("failed_new <= 1"));
    let first = seen(&world);
    assert_eq!(first.len(), 11);
    world.says("5 more below\n");
    world.now += 120_000;
    world.next_minute();
    let last = seen(&world);
    assert_eq!(last.len(), 11, "{}", world.screen());
    world.says("5 more, in turn\n");
    let all: BTreeSet<&String> = first.iter().chain(&last).collect();
    assert_eq!(all.len(), 16, "each has had its turn: {all:?}");
    world.next_minute();
    assert_eq!(seen(&world), first, "and from the beginning");
}

#[test]
fn the_feed_tells_failures_and_blocks_and_h_all_changes() {
    let mut world = monitor((80, 24), 5, None);
    world.record(1, ResultCode::Untested, ResultCode::FailedNew, 1);
    world.record(2, ResultCode::Untested, ResultCode::Passed, 7);
    world.record(3, ResultCode::Untested, ResultCode::Blocked, 2);
    read_again(&mut world);
    world.says("  09:41  R_1    1 more failed (new)");
    world.says("  09:41  R_3    2 more blocked");
    world.lacks("R_2    ");
    world.press("H2");
    world.says("All, newest first");
    world.says("Passed 57 → 64");
    world.press("\u{1b}");
    world.lacks("All, newest first");
    // Another day: what failed yesterday is none of today's.
    world.now += 86_400_000;
    world.next_minute();
    world.tell_earlier(0, 0);
    world.says("\n  none between the readings of today\n");
}

#[test]
fn what_nobody_saw_fail_has_no_line() {
    use ResultCode::{Blocked, FailedKnown, FailedNew, Untested};
    let mut world = World::new((80, 24), 3);
    world.press("M");
    world.answer();
    world.tell_earlier(2, 1);
    world.record(1, Untested, FailedNew, 3);
    world.record(2, Blocked, Untested, 4);
    world.record(2, Untested, FailedKnown, 1);
    read_again(&mut world);
    let screen = world.screen();
    let pane: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.starts_with("── Failures and blocks ──"))
        .skip(1)
        .take_while(|line| !line.is_empty())
        .collect();
    assert_eq!(
        pane,
        [
            "  09:41  R_1    3 more failed (new)",
            "  09:41  R_2    1 more failed (known)",
        ],
        "{screen}"
    );
    // The totals count them: two of each run before, three of one since.
    assert_eq!(world.monitor().totals.sums.failed_today, Some(9));
}

#[test]
fn where_nothing_was_seen_the_pane_says_so() {
    let mut world = World::new((80, 24), 3);
    world.press("M");
    world.answer();
    world.says("── Failures and blocks ──");
    world.says("  none between the readings of today");
}

#[test]
fn the_monitor_names_its_profile_where_there_are_others() {
    let mut world = monitor((120, 40), 5, None);
    let profile = |name: &&str| KnownProfile {
        name: (*name).into(),
        project: "P_9".into(),
        subproject: None,
        read_only: false,
    };
    let mut know = |names: &[&str]| {
        world.store.cx.shared.profiles = names.iter().map(profile).collect();
        world.screen()
    };
    lacks(&know(&["demo"]), "@demo");
    says(&know(&["demo", "other"]), "  @demo  ");
    world.resize((80, 24));
    world.lacks("@demo");
}

#[test]
fn the_order_stands_in_the_heading_and_what_plus_means_beside_it() {
    let mut world = monitor((80, 24), 5, None);
    let heading = |world: &World| world.screen().lines().nth(5).unwrap().to_owned();
    let first = heading(&world);
    begins(&first, "  Run, worst first ");
    says(&first, " Fail +today Block  ");
    world.press("of");
    assert!(
        heading(&world).starts_with("  Run, by Fail ↓ "),
        "{}",
        heading(&world)
    );
    world.press("of");
    assert!(
        heading(&world).starts_with("  Run, by Fail ↑ "),
        "{}",
        heading(&world)
    );
    world.press("ow");
    assert_eq!(heading(&world), first);
}

#[test]
fn the_totals_are_as_large_as_there_is_room() {
    // 1,702 left.
    const LEFT: [&str; 3] = [
        "   ▀█    ▀▀█ █▀█ ▀▀█",
        "    █      █ █ █ █▀▀",
        "   ▀▀▀ ▄   ▀ ▀▀▀ ▀▀▀",
    ];
    for (size, above, below) in [
        (
            (120, 40),
            2,
            "   done                   cases left             new failures           finish Sat\n",
        ),
        (
            (80, 24),
            1,
            "   cases left          new failures        185 blocked\n",
        ),
        (
            (80, 20),
            1,
            "   cases left          new failures        185 blocked\n",
        ),
        (
            (60, 20),
            1,
            "   cases left          new failures        185 blocked\n",
        ),
    ] {
        let screen = monitor(size, 37, None).desk.screen();
        let rows: Vec<&str> = screen.lines().skip(above).collect();
        for (row, left) in rows.iter().zip(LEFT) {
            assert!(row.contains(left.trim_start()), "{screen}");
        }
        assert!(format!("{}\n", rows[3]).starts_with(below), "{screen}");
    }
    for size in [(80, 19), (59, 40)] {
        let screen = monitor(size, 37, None).desk.screen();
        let first = screen.lines().nth(1).unwrap();
        assert!(
            first.contains("1,702 left ") && first.contains("185 blocked"),
            "{screen}"
        );
    }
}

/// The release of the runs is due then, as the next reading shows.
fn due_on_27_nov(world: &mut World) {
    let version = world.runs[0].version.clone().unwrap();
    let session = world.store.cx.shared.session.as_mut().unwrap();
    session.watch.release.due = vec![ReleaseDue {
        version,
        at: "2026-11-27".into(),
    }];
    world.record(1, ResultCode::Untested, ResultCode::Passed, 1);
    read_again(world);
}

#[test]
fn beside_two_figures_stands_whether_the_release_is_on_time() {
    for (size, is_due) in [((80, 24), false), ((80, 24), true), ((60, 20), true)] {
        let mut world = monitor(size, 3, None);
        if is_due {
            due_on_27_nov(&mut world);
        }
        let screen = world.screen();
        let above: Vec<&str> = screen.lines().skip(1).take(4).collect();
        let has = |words: &str| above.iter().any(|line| line.contains(words));
        assert!(has("60% done") && has("finish Sat 10:48"), "{screen}");
        assert!(has("15 blocked"), "{screen}");
        assert_eq!(has("0 LATE"), is_due, "{screen}");
    }
}

/// As on the board, in limits, criteria and searches.
#[test]
fn the_sum_of_blocked_cases_has_none_that_are_on_hold_which_stand_beside_it() {
    for size in [(80, 19), (80, 24), (120, 40)] {
        let mut world = monitor(size, 2, None);
        let counts = [
            (ResultCode::Blocked, 3),
            (OnHoldInternal, 2),
            (ResultCode::Untested, 9),
        ];
        for run in [0, 1] {
            set(&mut world, run, &counts);
        }
        read_again(&mut world);
        world.says("6 blocked, 4 on hold");
    }
}

/// In the place of the clock, in reverse, and no figure stands out: nobody takes old numbers for those of now.
#[test]
fn old_numbers_are_seen_as_old_from_afar() {
    for size in [(80, 24), (120, 40), (40, 12)] {
        let mut world = monitor(size, 12, Some("failed_new <= 9"));
        let seen = |world: &World| {
            let (buffer, _) = world.draw_in(BuiltIn::Dark);
            let cells = |row: u16| (0..size.0).map(move |x| (x, row));
            let reversed: String = cells(0)
                .filter(|at| buffer[*at].modifier.contains(Modifier::REVERSED))
                .map(|at| buffer[at].symbol())
                .collect();
            let figures = if size.1 < 20 { 1..2 } else { 1..4 };
            let bold = figures.flat_map(cells);
            let mut bold = bold.filter(|at| buffer[*at].symbol() != " ");
            (
                reversed,
                bold.any(|at| buffer[at].modifier.contains(Modifier::BOLD)),
            )
        };
        let first = seen(&world);
        assert_eq!(first, (String::new(), true));
        world.next_reading();
        world.fail(&failure());
        assert_eq!(
            seen(&world),
            (" OLD: read 09:41 ".into(), false),
            "{size:?}"
        );
        let head = world.screen().lines().next().unwrap().to_owned();
        assert!(
            head.ends_with(" OLD: read 09:41") && !head.contains("Nov"),
            "{head}"
        );
        world.store.cx.notice = None;
        if size.0 > 40 {
            world.says("could not read (r tries again)");
        }
    }
}
