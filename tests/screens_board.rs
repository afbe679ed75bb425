//! The board of a release in its states.

use super::pictures::States;
use super::support::deleting;
use super::support::ends::changed;
use super::support::suites::suite;
use crate::support::prelude::*;
use rundown::attached::{InNoRun, LeftOut};
use rundown::domain::release::{
    Board, Criterion, NamedKind, ReleaseDue, ReleaseSettings, releases,
};
use rundown::domain::{Quiet, SuiteChange, SuiteRow, Undo, UndoBy};
use rundown::forecast::{Band, Counted, Finish, NoForecast, Outlook, SumRun};
use rundown::mirror::{ListExtent, Overview, Run, RunsAnswer};
use rundown::store::{CopyWhat, RunsRequest, SampleWrite};
use std::collections::HashMap;
use std::sync::Arc;

use ResultCode::{Blocked, FailedKnown, FailedNew, Passed, Untested};

/// A run of the release: its title and configuration, whether it is open, and cases passed, failed (new), blocked and untested.
type Made = (&'static str, &'static str, bool, [u64; 4]);

const RUNS: [Made; 16] = [
    ("Regression chrome, 1.2.1", "chrome", true, [240, 10, 0, 20]),
    ("Regression firefox 1.2.1", "firefox", true, [190, 6, 0, 60]),
    ("Regression (edge)", "edge", true, [180, 0, 2, 75]),
    ("Regression ios 19", "ios 19", true, [0, 0, 0, 247]),
    (
        "Regression chrome, 1.2.1 rc1",
        "chrome",
        false,
        [200, 30, 0, 40],
    ),
    ("Smoke, week 47", "chrome", true, [60, 0, 0, 0]),
    ("Smoke, week 47", "firefox", true, [60, 0, 0, 0]),
    ("Smoke, week 46", "firefox", false, [60, 0, 0, 0]),
    ("Smoke, week 47", "ios 19", true, [51, 1, 0, 8]),
    ("Acceptance, sprint 12", "chrome", true, [40, 0, 0, 49]),
    ("Acceptance sprint 13", "Chrome", true, [41, 0, 0, 50]),
    ("Acceptance", "ios 19", true, [40, 4, 0, 131]),
    ("Exploratory chrome", "chrome", true, [37, 1, 0, 5]),
    ("Exploratory edge", "edge", false, [43, 0, 0, 31]),
    ("Load", "", true, [5, 0, 0, 5]),
    ("Load of another release", "", true, [5, 0, 0, 5]),
];

/// The list of them, with what the service told.
fn world(size: (u16, u16)) -> World {
    let mut world = World::new(size, RUNS.len() as u64);
    for (run, (title, configuration, open, counts)) in world.runs.iter_mut().zip(RUNS) {
        let mut results = counted(ResultCode::ALL.map(|code| (code, 0)));
        let codes = [Passed, FailedNew, Blocked, Untested];
        codes
            .into_iter()
            .zip(counts)
            .for_each(|(code, count)| results.add(code, count));
        run.title = Some(title.into());
        run.version = Some("1.2.1".into());
        run.configuration = Some(configuration.into()).filter(|it: &String| !it.is_empty());
        run.results = Some(results);
        if !open {
            run.status = Status::Inactive;
        }
        // The rc1 and week 46 were made before the others.
        let is_early = title.contains("rc1") || title.contains("46");
        run.created_on = run
            .created_on
            .map(|at| if is_early { at - 86_400_000 } else { at });
    }
    world.runs[15].version = Some("1.10.0".into());
    world.refresh();
    world
}

pub fn board(size: (u16, u16)) -> World {
    opened(world(size))
}

fn opened(mut world: World) -> World {
    world.press("gB");
    world.answer();
    world
}

/// What the config says of releases.
fn said(world: &mut World) -> &mut ReleaseSettings {
    let session = world.store.cx.shared.session.as_mut();
    &mut session.unwrap().watch.release
}

/// The board of a release by these criteria, a name and a condition each.
#[test]
fn a_verdict_below_rows_that_leave_it_no_room_stands_beside_the_tabs() {
    let criteria = [("no failed (new)", "failed_new == 0")];
    let head = |size| {
        let world = judged(world(size), &criteria);
        world.screen().lines().nth(1).unwrap().to_owned()
    };
    says(&head((80, 12)), "READY? no");
    for size in [(80, 24), (40, 12)] {
        lacks(&head(size), "READY?");
    }
}

fn judged(mut world: World, criteria: &[(&str, &str)]) -> World {
    let criterion = |(name, expr): &(&str, &str)| Criterion {
        name: (*name).into(),
        expr: (*expr).into(),
    };
    said(&mut world).criteria = criteria.iter().map(criterion).collect();
    opened(world)
}

#[test]
fn what_stands_there_is_what_the_runs_come_to() {
    let world = board((80, 24));
    world.says("Release 1.2.1");
    world.says("13 of 15 runs counted");
    world.says("Enter runs  = compare  d due  X report  y copy  i how  Esc back  ? help");
    world.says("31 not run in closed runs");
    let board = &world.store.screens.board.as_ref().unwrap().board;
    let rows: Vec<RunRow> = world.runs[..15].to_vec();
    assert_eq!(
        *board,
        Board::of(&rows, &[], world.store.cx.shared.done_codes(), false)
    );
}

/// A board with a row for each run: no two have a kind in common.
fn alone(size: (u16, u16)) -> World {
    let mut world = world(size);
    for (place, run) in world.runs.iter_mut().enumerate() {
        run.title = Some(format!(
            "Work {}",
            ["a", "b", "c", "d"][place % 4].repeat(1 + place)
        ));
    }
    world.refresh();
    opened(world)
}

#[test]
fn a_run_with_a_row_of_its_own_that_is_closed_says_what_was_not_run_and_not_that_none_is_left() {
    let wide = alone((80, 24)).desk.screen();
    says(&wide, " 31 not run\n");
    says(&wide, " 40 not run\n");
    assert!(line(&wide, "R_7 ").ends_with(" closed"), "{wide}");
    assert!(line(&wide, "R_5 ").ends_with(" 0"), "{wide}");
    says(line(&alone((40, 12)).desk.screen(), "R_4 "), " 30F closed");
}

#[test]
fn rows_that_do_not_fit_are_counted_and_sums_and_forecast_are_to_be_seen() {
    let mut world = alone((60, 15));
    let outlook = band(world.now, 101, 123);
    finishes(&mut world, outlook, Vec::new());
    world.says("  11 more below   all 64% 52F, 652 left\n");
    world.says("  FINISH Tue 14:43 to Wed 12:43\n");
    // What is to be seen above is not said again.
    world.press("G");
    world.says("  11 more above\n");
    let screen = world.screen();
    assert_eq!(screen.matches("FINISH").count(), 1, "{screen}");
    assert!(!board((80, 24)).screen().contains("more below"));
    assert!(board((40, 12)).screen().contains("more below"));
}

#[test]
fn the_cell_under_the_cursor_is_listed_and_esc_takes_the_words_away() {
    let mut world = board((80, 24));
    let kinds: Vec<String> = {
        let board = world.store.screens.board.as_ref().unwrap();
        board
            .board
            .kinds
            .iter()
            .map(|kind| kind.shown.clone())
            .collect()
    };
    assert_eq!(
        kinds,
        ["Acceptance", "Exploratory", "Load", "Regression", "Smoke"]
    );
    // The cursor is on all of a kind first; Acceptance on chrome are two runs.
    world.press("hhhhh\n");
    world.answer();
    world.says("Acceptance, chrome: 2 found   Esc leads back   99 left");
    world.says("sprint 12");
    world.says("sprint 13");
    // Esc leads back to the board, and the list is as it was.
    world.press("\u{1b}");
    world.says("Release 1.2.1");
    // What is left of a configuration stands below the table.
    world.says("left          124        77        60       386         5       652");
    world.press("jjjjjj\n");
    world.answer();
    world.says("all, chrome: 5 found");
    world.press("\u{1b}");
    world.press("\u{1b}");
    world.says("[1 Open 13]");
    world.lacks("Acceptance, chrome");
}

#[test]
fn esc_twice_from_a_cell_leads_to_the_run_of_the_list_one_was_on() {
    let mut world = world((80, 24));
    world.press("jjjj");
    world.says("run 5 of 13");
    world.press("B");
    world.answer();
    world.press("hhhhh\n");
    world.answer();
    world.says("Acceptance, chrome: 2 found");
    world.press("j");
    // From there another cell, and then back.
    world.press("\u{1b}j\n");
    world.answer();
    world.press("\u{1b}\u{1b}");
    world.answer();
    world.says("run 5 of 13");
}

#[test]
fn the_keys_to_the_screen_before_lead_from_the_list_of_a_cell_to_the_board() {
    for key in [
        KeyEvent::new(KeyCode::Left, KeyModifiers::ALT),
        KeyEvent::new(KeyCode::Char('o'), KeyModifiers::CONTROL),
    ] {
        let mut world = board((80, 24));
        world.press("hhhhh\n");
        world.answer();
        world.says("Esc leads back");
        world.key(key);
        world.says("Release 1.2.1");
        world.press("\u{1b}");
        world.says("[1 Open 13]");
        world.lacks("Acceptance, chrome");
    }
}

#[test]
fn what_is_not_counted_is_listed_with_enter_and_other_versions_have_tabs() {
    let mut world = board((80, 24));
    world.press("Gkk");
    world.says("2 earlier rounds not counted, some not passed: Enter lists them");
    world.press("i");
    world.says("Earlier rounds");
    for (early, by) in [("rc1", "R_"), ("week 46", "R_")] {
        let screen = world.screen();
        let line = screen.lines().find(|line| line.contains(early));
        assert!(
            line.is_some_and(|line| line.contains(&format!(": {by}"))),
            "{screen}"
        );
    }
    world.says(" took its place");
    world.press("y");
    let copied = world.effects();
    let is_copy =
        |it: &Effect| matches!(it, Effect::Copy { text, .. } if text.contains("took its place\n"));
    assert!(copied.iter().any(is_copy), "{copied:?}");
    world.press("\u{1b}");
    world.press("\n");
    world.answer();
    world.says("2 found");
    world.press("\u{1b}");
    let mut world = board((80, 24));
    world.press("1");
    world.answer();
    world.says("Release 1.10.0");
    world.says("1 of 1 run counted");
    world.press("1");
    world.says("1.10.0 is shown already");
    world.press("lll");
    world.says("this is the last column");
}

#[test]
fn a_release_is_due_as_the_config_says_or_as_it_is_typed_here() {
    let mut world = board((80, 24));
    world.lacks("due Fri");
    said(&mut world).due = vec![ReleaseDue {
        version: "1.2.1".into(),
        at: "2026-11-27".into(),
    }];
    world.says("due 27 Nov");
    world.press("d");
    world.says("of 1.2.1, Fri 27 Nov 2026, end of the day, by the config");
    world.press("1 Dec 17:00\n");
    let here = "1.2.1 is due Tue 1 Dec 2026 17:00, set here; the gate reads the config";
    says_wrapped(&world.screen(), here);
    world.says("due 1 Dec (set here)");
    let typed = |world: &World| {
        let kept = world.open.iter().filter_map(|effect| match effect {
            Effect::Samples(SampleWrite::SetDue { of, at }) => Some((of.clone(), *at)),
            _ => None,
        });
        kept.collect::<Vec<_>>()
    };
    let release = DueOf::Release("1.2.1".into());
    assert_eq!(typed(&world), [(release.clone(), Some(1_796_144_400_000))]);
    // A run has the date of its release until it has one of its own.
    let shared = &mut world.desk.store.cx.shared;
    assert_eq!(shared.due_of(&world.runs[0]), Some(1_796_144_400_000));
    assert_eq!(shared.due_of(&world.runs[15]), None, "of another version");
    let own = DueOf::Run(world.runs[0].doc_ref.clone());
    shared.due.set(own, Some(7));
    assert_eq!(shared.due_of(&world.runs[0]), Some(7));
    assert_eq!(shared.due_of(&world.runs[1]), Some(1_796_144_400_000));
    // Without the one that was typed that of the config holds again; in the past it is late.
    world.press("d2026-11-02\n");
    world.says("LATE, due 2 Nov (set here)");
    // Of a week that has passed, the name of its day would be that of the next one.
    world.press("d2026-11-16\n");
    world.says("LATE, due 16 Nov (set here)");
    world.press("d");
    world.says("now Mon 16 Nov 2026, end of the day; empty: Fri 27");
    world.says("Nov 2026, end of the day, by the config");
    world.press("\n");
    world.says("1.2.1 is due Fri 27 Nov 2026, end of the day, by the config");
    world.says("due 27 Nov");
    assert_eq!(typed(&world).last(), Some(&(release, None)));
}

#[test]
fn titles_have_the_kind_that_the_config_says() {
    let mut world = world((80, 24));
    said(&mut world).kinds = vec![NamedKind {
        title: "load".into(),
        kind: "Regression".into(),
    }];
    world.press("gB");
    world.answer();
    world.lacks("Load");
    world.says("Regression");
}

#[test]
fn criteria_are_met_not_met_or_not_known() {
    let criteria = [
        ("no failed (new)", "failed_new == 0"),
        ("few blocked", "blocked <= 5 && runs_open == 12"),
        ("no run quiet", "runs_quiet == 0"),
        ("no run late", "runs_late == 0"),
    ];
    let mut world = judged(world((80, 24)), &criteria);
    world.says("READY? no");
    world.says("not met    no failed (new): failed_new is 22");
    world.says("met        few blocked: blocked is 2, runs_open is 12");
    world.says("not known  no run quiet: runs_quiet is not known");
    world.says("not known  no run late: runs_late is not known");
    // Of runs without a date nothing is known, and of those with one it is once their forecasts are here.
    world.press("d2026-12-02\n");
    world.says("not known  no run late: runs_late is not known");
    finishes(&mut world, Outlook::Done, Vec::new());
    world.says("met        no run late: runs_late is 0");
    world.press("d2026-11-02\n");
    world.says("not met    no run late: runs_late is 10");
    world.press("Gkkk\n");
    world.says("no run quiet: runs_quiet == 0");
    // The runs that hold what is not met are listed.
    let mut failing = judged(super::screens_board::world((80, 24)), &criteria);
    failing.press("Gkkkkk");
    failing.press("\n");
    failing.says("no failed (new): 5 found");
    let passed = [("some passed", "passed == 0")];
    let mut passed = judged(super::screens_board::world((80, 24)), &passed);
    passed.press("Gkk\n");
    passed.says("some passed: passed == 0");
    // What is not known is never met.
    let few_blocked = ("few blocked", "blocked <= 5");
    let fresh = || super::screens_board::world((80, 24));
    judged(fresh(), &[few_blocked, criteria[2]]).says("READY? not known");
    let mut world = judged(fresh(), &[few_blocked]);
    world.says("READY? yes");
    world.says("met        few blocked: blocked is 2");
    // Of counts of before today it is said of when they are.
    world.now += 86_400_000;
    world.says("READY? as of yesterday 09:42: yes");
}

const OFFICE: Counted = Counted::Weekly {
    from: 8 * 60,
    to: 18 * 60,
    days: [true, true, true, true, true, false, false],
    learned: true,
};

/// Answers when the runs will be done; which were asked for.
fn finishes(world: &mut World, outlook: Outlook, ends: Vec<(DocRef, i64)>) -> Vec<SumRun> {
    let asks = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::Finish { .. }))
        )
    };
    let place = world.open.iter().position(asks).unwrap();
    let Effect::Request(id, Request::Samples(SampleRequest::Finish { runs })) =
        world.open.remove(place)
    else {
        panic!("it is asked for");
    };
    let finish = Finish {
        outlook,
        counted: OFFICE,
        alone: ends
            .into_iter()
            .map(|(run, middle)| {
                let Outlook::Band(of_all) = band(middle, 0, 0) else {
                    panic!("it is one");
                };
                (run, Outlook::Band(of_all.with(|it| it.middle = middle)))
            })
            .collect(),
    };
    let answer = Answer::Finish(Some(Box::new(finish)));
    world.event(Event::Answer(id, answer));
    runs
}

/// From so many hours after now to so many.
fn band(now: i64, from: i64, to: i64) -> Outlook {
    let at = |hours: i64| now + hours * 3_600_000;
    Outlook::Band(Band {
        from: at(from),
        middle: at(i64::midpoint(from, to)),
        to: at(to),
        pace: 16.2,
        left: 652,
        as_of: now,
        observed: 40.0,
        used: 130,
        gaps: 1,
        grew: Vec::new(),
        counted: OFFICE,
    })
}

#[test]
fn finish_is_the_forecast_of_the_sum_and_the_pace_that_is_needed() {
    let mut world = board((80, 24));
    world.says("FINISH  being worked out…");
    // Friday 20 November, 09:42. All counted runs are asked for, each with what is left.
    let outlook = band(world.now, 101, 123);
    let runs = finishes(&mut world, outlook, Vec::new());
    let open = runs.iter().filter(|run| run.is_open);
    let left: u64 = open.clone().filter_map(|run| run.left).sum();
    assert_eq!((runs.len(), open.count(), left), (13, 12, 652));
    world.says("FINISH  Tue 14:42 to Wed 12:42");
    world.says("PACE    16 an hour over 40 h observed");
    world.lacks("needed");
    world.press("d25 Nov 18:00\n");
    // Three days of ten hours and what is left of today.
    world.says("PACE    16 an hour over 40 h observed, 17 needed");
    world.press("d24 Nov 18:00\n");
    world.says("FINISH  Tue 14:42 to Wed 12:42: LATE");
    world.says("16 an hour over 40 h observed, 23 needed");
    world.says("LATE, due Tue 18:00 (set here)");
    world.press("Gkk\n");
    world.says("652 cases left; 130 samples used; 1 gap left out; counting 08:00-18:00");
    // One run is slower than all together.
    let slow = runs.iter().find(|run| run.is_open).unwrap().run.clone();
    let end = world.now + 150 * 3_600_000;
    world.press("r");
    world.answer();
    let outlook = band(world.now, 101, 123);
    finishes(&mut world, outlook, vec![(slow, end)]);
    world.says("FINISH  Tue 14:42 to Wed 12:42; R_0 alone ~Thu 15:42");
    // It is worked out anew when the runs were read again; without a pace the cursor is on the finish.
    world.press("Gk");
    world.press("r");
    world.answer();
    let refused = Outlook::Refused(NoForecast::NotRead(vec!["R_3".into(), "R_7".into()]));
    finishes(&mut world, refused, Vec::new());
    world.says("FINISH  no forecast: R_3, R_7 were not read for 2 h");
    world.lacks("needed");
    world.press("\n");
    world.says("nothing is forecast that could be explained");
    let text = world.screen();
    let at = text.lines().find(|line| line.starts_with('>'));
    assert!(at.is_some_and(|line| line.contains("FINISH")), "{text}");
}

#[test]
fn in_the_smallest_window_lines_keep_what_matters_and_say_that_they_are_cut() {
    let mut world = board((40, 12));
    let outlook = band(world.now, 101, 123);
    finishes(&mut world, outlook, Vec::new());
    world.press("d24 Nov 18:00\nG");
    world.says("PACE    23 needed, 16 an hour over…");
    world.says("In no open run: Enter reads 12 lists");
    world.says("2 earlier rounds not counted, some no…");
    world.says("FINISH  Tue 14:42 to Wed 12:42: LATE");
    world.resize((60, 15));
    world.says("PACE    16 an hour over 40 h observed, 23 needed");
    world.says("Suites in no open run: Enter reads 12 lists");
    world.says("2 earlier rounds not counted, some not passed");
    world.resize((40, 12));
    let refused = Outlook::Refused(NoForecast::NotRead(vec!["R_3".into(), "R_7".into()]));
    world.press("r");
    world.answer();
    finishes(&mut world, refused, Vec::new());
    world.press("G");
    world.says("FINISH  no forecast: R_3, R_7 were no…");
}

#[test]
fn a_run_is_late_where_its_own_forecast_lies_behind_its_date() {
    let mut world = judged(world((100, 24)), &[("no run late", "runs_late == 0")]);
    world.press("d2026-12-02\n");
    world.says("not known  no run late: runs_late is not known");
    let end = world.now + 30 * 86_400_000;
    let ends = [0, 1, 5].map(|run| (world.runs[run].doc_ref.clone(), end));
    let outlook = band(world.now, 101, 123);
    finishes(&mut world, outlook, ends.into());
    // The third of them is finished.
    world.says("not met    no run late: runs_late is 2 (8 others by the date alone): R_0, R_1");
    world.press("Gkkk\n");
    world.answer();
    world.says("no run late: 2 found");
}

/// The mirror tells these runs of the release, and which of them are quiet.
fn tell(world: &mut World, runs: Vec<Run>, quiet: HashMap<DocRef, Quiet>) {
    let list = ListExtent::default().with(|it| it.is_complete = true);
    let answer = RunsAnswer {
        number: u64::MAX,
        runs: runs.into_iter().map(Arc::new).collect(),
        overview: Arc::new(Overview {
            list,
            read_at: Some(world.now),
            ..Overview::default()
        }),
        quiet,
        ..RunsAnswer::default()
    };
    let answer = Event::Runs(Layer::Board, Box::new(answer));
    world.event(answer);
}

/// So many runs, as they are read now.
fn read_now(world: &World, runs: usize) -> Vec<Run> {
    let runs = world.runs[..runs].iter();
    runs.map(|run| Run::new(run, world.now)).collect()
}

#[test]
fn what_rests_on_old_counts_says_of_when_they_are() {
    let mut world = judged(world((80, 24)), &[("few blocked", "blocked <= 5")]);
    world.says("READY? yes");
    // The list was read today, and did not tell the counts of one open run.
    let before = world.now - 86_400_000;
    let mut runs = read_now(&world, 15);
    runs[0].counted_at = Some(before);
    tell(&mut world, runs, HashMap::new());
    world.says("read yesterday 09:42");
    world.says("READY? as of yesterday 09:42: yes");
    world.press("y\n");
    let (_, copied) = world.clipboard().pop().unwrap_or_default();
    says(&copied, "READY? as of yesterday 09:42: yes");
    // The forecast is asked for with a run of which no results were told.
    finishes(&mut world, Outlook::Done, Vec::new());
    let runs = finishes(&mut world, Outlook::Done, Vec::new());
    let untold = runs.iter().filter(|run| !run.has_results);
    assert_eq!(untold.map(|run| &*run.name).collect::<Vec<_>>(), ["R_0"]);
}

#[test]
fn where_no_run_tells_its_results_no_number_of_cases_is_made_up() {
    let mut runs = world((80, 24)).runs;
    for run in &mut runs {
        run.results = None;
    }
    let mut world = opened(World::of((80, 24), runs, session()));
    world.says("  all             - ?");
    world.says("13 without results");
    world.lacks(" 0 ");
    let copied = |world: &mut World, keys: &str| {
        world.press(keys);
        world.clipboard().pop().unwrap().1
    };
    let text = copied(&mut world, "y\n");
    begins(&text, "### Release 1.2.1 of P_9/SP_1: - done, - left\n");
    lacks(&text, "| 0 |");
    // The versions beside one another.
    world.press("3");
    add_up(&mut world);
    world.says("> 1.10.0       -     -       -       -      -        -     -  13 Nov");
    // The older version beside the newer one.
    world.press("=");
    world.answer();
    world.says("Cases                                 -               -");
    world.lacks("·");
}

#[test]
fn counts_that_were_kept_of_before_are_in_no_sum_of_a_service_that_tells_none_any_more() {
    let mut world = board((80, 24));
    world.lacks("without results");
    world.operation = RunsOperation::ListDocuments;
    for run in &mut world.runs {
        run.forget_counts();
    }
    world.press("r");
    world.answer();
    world.says("  all             - ?");
    world.says("13 without results");
}

#[test]
fn what_was_not_worked_out_says_so_with_the_key_that_tries_again() {
    let asks = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::Finish { .. }))
        )
    };
    let mut world = judged(world((80, 24)), &[("no run late", "runs_late == 0")]);
    world.press("d2026-12-02\n");
    world.says("FINISH  being worked out…");
    world.act(Action::Cancel);
    world.open.clear();
    world.says("FINISH  not worked out: given up; r tries again");
    world.says("not known  no run late: runs_late is not known");
    world.press("r");
    world.says("FINISH  being worked out…");
    let place = world.open.iter().position(asks).unwrap();
    let Effect::Request(id, Request::Samples(SampleRequest::Finish { .. })) =
        world.open.remove(place)
    else {
        panic!("it is asked for");
    };
    world.event(Event::Answer(id, Answer::Finish(None)));
    world.says("FINISH  not worked out: the readings kept here cannot be read; r tries again");
    world.says("not known  no run late: runs_late is not known");
    // What each version comes to is no other, and nothing is said of what was not read.
    let mut world = board((80, 24));
    world.press("3");
    world.answer();
    world.lacks("No run has a version");
    world.act(Action::Cancel);
    world.says("not worked out: given up; r tries again");
    world.press("r");
    add_up(&mut world);
    world.says("1.10.0");
}

#[test]
fn a_reading_that_was_given_up_does_not_say_that_there_is_no_run() {
    let mut world = board((80, 24));
    let board = world.store.screens.board.as_mut().unwrap();
    let releases = &mut Arc::make_mut(&mut board.project).releases;
    releases.insert("9.9".into(), 1);
    world.press("1");
    world.says("Reading the runs of 9.9");
    let readings = world.readings();
    assert_eq!(readings.len(), 1);
    world.act(Action::Cancel);
    world.lacks("There is no run of 9.9");
    world.says("given up; r reads again");
}

#[test]
fn a_run_that_is_not_listed_any_more_is_not_counted() {
    let mut world = board((80, 24));
    world.says("13 of 15 runs counted");
    let runs = read_now(&world, 14);
    tell(&mut world, runs, HashMap::new());
    world.says("12 of 14 runs counted");
}

#[test]
fn a_cell_lists_all_of_its_runs_with_an_id_or_without() {
    let mut world = World::new((80, 24), 230);
    for run in &mut world.runs {
        run.version = Some("1.2.1".into());
    }
    for run in 0..3 {
        world.runs[run].id = None;
    }
    world.refresh();
    world.press("gB");
    world.answer();
    let board = world.store.screens.board.as_ref().unwrap();
    let kinds = board.board.kinds.len();
    world.press(&"j".repeat(kinds));
    world.press("\n");
    world.answer();
    world.says("all: 230 found   Esc leads back");
    let gone = RunsRequest::Gone(world.runs[0].doc_ref.clone());
    for event in world.desk.mirrored.take(gone, world.desk.now) {
        world.event(event);
    }
    world.says("all: 229 found");
    // They are no words: other words are searched in all runs, and a view of them cannot be made.
    world.press(":save-view few\n");
    world.says("no words or filters find the runs of \"all\"");
    world.press("/sprint");
    world.answer();
    world.says("0 found");
}

#[test]
fn the_runs_of_a_cell_are_whole_where_the_list_of_all_is_not() {
    let mut world = World::new((80, 24), 3_000);
    for run in &mut world.runs[..20] {
        run.version = Some("1.2.1".into());
    }
    world.refresh();
    world.press("gB");
    world.answer();
    let kinds = world.desk.store.screens.board.as_ref().unwrap();
    world.desk.press(&"j".repeat(kinds.board.kinds.len()));
    world.press("\n");
    world.answer();
    world.says("run 1 of 20   all: 20 found");
    world.press("G");
    assert_eq!((world.asked(), world.readings()), (vec![], vec![]));
    // What is chosen beside is asked of these runs alone.
    world.press("f1.2.0\n");
    world.answer();
    world.says("None of the runs of \"all\" is with version 1.2.0");
    world.lacks("Others");
    world.lacks("Not all runs are here");
    world.press("f \n");
    world.answer();
    world.says("all: 20 found");
    world.press("X\n");
    let exports = |it: &Effect| {
        matches!(
            it,
            Effect::ExportRuns {
                is_complete: true,
                ..
            }
        )
    };
    assert!(world.open.iter().any(exports), "they are all here");
    assert_eq!(world.readings(), []);
    world.press("A");
    world.says("20 rows marked");
    world.lacks("not here");
}

#[test]
fn why_nothing_is_split_is_said() {
    let mut world = board((80, 24));
    world.press("3");
    add_up(&mut world);
    world.press("w");
    world.says("the tab of all has no columns of configurations");
    world.press("h");
    world.says("this is the first column");
    let mut world = super::screens_board::world((80, 24));
    for (run, word) in world.runs.iter_mut().zip('a'..) {
        let title = run.title.clone().unwrap_or_default();
        run.title = Some(format!("{word}{word} {title}"));
    }
    world.refresh();
    world.press("gB");
    world.answer();
    world.press("w");
    world.says("each run has a row of its own");
}

#[test]
fn in_the_smallest_window_long_titles_leave_room_for_the_figures_of_a_run() {
    let mut world = world((40, 12));
    for (run, word) in world.runs.iter_mut().zip('a'..) {
        run.title = Some(format!(
            "{word}{word} Acceptance of the customer self-service"
        ));
    }
    world.refresh();
    world.press("gB");
    world.answer();
    let heading = world.screen().lines().nth(2).unwrap().to_owned();
    assert!(
        heading.contains("all") && heading.ends_with("left"),
        "{heading}"
    );
    world.says("> R_4 ee Acceptance of…   85% 30F closed");
    // Where there is room for both, titles are as long as before.
    world.resize((60, 15));
    world.says("> R_4 ee Acceptance of the custom…   85% 30F closed");
}

#[test]
fn where_not_all_configurations_have_room_the_worst_are_shown_and_the_others_told() {
    let world_of = |size| {
        let mut world = world(size);
        let results = counted([(FailedNew, 40), (Untested, 3)]);
        world.runs[15].results = Some(results);
        world.runs[15].version = Some("1.2.1".into());
        world.runs[15].title = Some("Load".into());
        world.runs[15].configuration = Some("zeta".into());
        let of_edge = world.runs[2].results.as_mut().unwrap();
        of_edge.add(FailedKnown, 3);
        world.refresh();
        world.press("gB");
        world.answer();
        world
    };
    let mut world = world_of((60, 15));
    let heading = |world: &World| world.screen().lines().nth(2).unwrap_or_default().to_owned();
    let first = heading(&world);
    // Last by its name, and the worst.
    says(&first, "zeta");
    says(&first, "chrome");
    says(&first, "more 3");
    // Each can be brought in sight.
    for _ in 0..7 {
        world.press("h");
    }
    for name in ["chrome", "edge", "firefox", "ios 19", "zeta", "none"] {
        let shown = heading(&world);
        assert!(shown.contains(name), "{name}: {shown}");
        world.press("l");
    }
    // The others are a cell of their own, which has its runs.
    let others = heading(&world);
    assert_eq!(others.matches("more 4").count(), 1, "{others}");
    world.press("jjj");
    world.says("×3");
    world.press("\n");
    world.answer();
    world.says("Regression, 4 other configurations: 3 found");
    world.press("\u{1b}");
    assert_eq!(heading(&world), others, "the cursor is still on it");
    world.press("l");
    assert_eq!(heading(&world), first);
    // One alone is named.
    let has_one = |columns: u16| heading(&world_of((columns, 24))).starts_with("  + none ");
    assert!((60..90).any(has_one));
}

#[test]
fn where_there_is_little_room_a_criterion_keeps_its_numbers_and_the_release_its_verdict() {
    let name = "blocked at most five in all configurations together";
    let criteria = [(name, "blocked <= 5 && runs_open >= 12")];
    let of = |columns: u16| judged(world((columns, 24)), &criteria);
    of(80).says("met        blocked at most five in all confi…: blocked is 2, runs_open is 12");
    of(46).says("met        blocked is 2, runs_open is 12");
    of(40).says("met        blocked is 2, runs_open …");
    let mut world = of(60);
    let shown = "met        blocked at mo…: blocked is 2, runs_open is 12";
    world.says(shown);
    world.now += 86_400_000;
    world.says("READY? as of yesterday 09:42: yes");
    world.says(shown);
    world.press("Gkkk\n");
    world.says("1 of 1 are met");
}

#[test]
fn runs_of_several_sub_projects_are_told() {
    let mut world = board((100, 24));
    world.lacks("sub projects");
    world.runs[3].subproject = Some("Mobile".into());
    world.refresh();
    world.press("r");
    world.answer();
    world.says("of 2 sub projects");
    world.says("Mobile");
}

#[test]
fn a_quiet_run_has_its_mark_and_is_counted_where_all_are_known() {
    let mut world = judged(world((80, 24)), &[("no run quiet", "runs_quiet == 0")]);
    world.says("not known  no run quiet: runs_quiet is not known");
    // Of the open runs all are told but one.
    let open = [0, 1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 14];
    let told = |world: &mut World, runs: &[usize]| {
        let of = |run: &usize| {
            let quiet = if [8, 9, 14].contains(run) {
                Quiet::Since(7)
            } else {
                Quiet::No
            };
            (world.runs[*run].doc_ref.clone(), quiet)
        };
        let quiet = runs.iter().map(of).collect();
        let runs = read_now(world, 15);
        tell(world, runs, quiet);
    };
    told(&mut world, &open[..6]);
    world.says("not known  no run quiet: runs_quiet is not known");
    told(&mut world, &open[1..]);
    world.says("not met    no run quiet: runs_quiet is at least 3");
    told(&mut world, &open);
    world.says("not met    no run quiet: runs_quiet is 3: R_8, R_9, R_14");
    // The worst of a cell stands there alone.
    world.says("86% 1F  ");
    world.says("Load                                                   50% q        5");
    // One of its two runs is quiet.
    world.says("Acceptance    45% q ×2");
    world.press("?");
    world.says("q   no count moved for days in an open run");
    // Its criterion lists them.
    world.press("\u{1b}Gkk\n");
    world.answer();
    world.says("no run quiet: 3 found");
}

#[test]
fn the_board_is_copied_as_markdown_first() {
    let mut world = judged(world((80, 24)), &[("no failed | new", "failed_new == 0")]);
    let outlook = band(world.now, 101, 123);
    finishes(&mut world, outlook, Vec::new());
    world.press("d24 Nov 18:00\n");
    world.press("y");
    world.says("Copy the board of 1.2.1 as");
    world.press("\n");
    let copied = |world: &World| world.clipboard().pop().unwrap().1;
    let text = copied(&world);
    insta::assert_snapshot!("board_copied", text);
    // For programs there is the report; what was copied last elsewhere is no form of the board.
    world.store.cx.shared.last_copied = CopyWhat::Json;
    world.press("y");
    world.lacks("JSON");
    world.says("a file with the Markdown");
    world.press("j");
    world.says("the board of 1.2.1 as JSON is not known here");
}

/// What is in no open run of the release is on the screen.
fn in_no_run(mut world: World, differs: impl FnOnce(&mut InNoRun)) -> World {
    world.press("G\n");
    let mut found = InNoRun {
        suites: (1..=7).map(suite).collect(),
        runs: world.runs[..3].to_vec(),
        at: world.now,
        ..InNoRun::default()
    };
    differs(&mut found);
    let found = Answer::InNoRun(Ok(Box::new(found)));
    world.answered(&Slot::Available, found);
    world
}

#[test]
fn how_many_suites_are_in_no_open_run_is_a_criterion_and_not_known_before_it_was_read() {
    let world = judged(world((80, 24)), &[("all covered", "suites_in_no_run == 0")]);
    world.says("not known  all covered");
    world.says("Suites in no open run: not read");
    let world = in_no_run(world, |_| {});
    let words =
        "7 suites, 28 cases can be added and are in no open run of 1.2.1. HIGH 2 LOW 2 MEDIUM 3";
    says_wrapped(&world.screen(), words);
    let mut world = world;
    // Runs of one kind differ by their configuration.
    world.press("\n");
    world.says("Regression chrome, 1.2.1 (chrome)");
    world.press("\n");
    world.says("Into R_0 Regression chrome, 1.2.1 (chrome).");
    world.press("\u{1b}\u{1b}");
    world.says("7 suites can be added and are in no open run (read 09:42)");
    world.says("not met    all covered: suites_in_no_run is 7");
    // The report lists them.
    world.press("Xmark\n");
    world.says("Writing the report…");
    let listed = |effect: &Effect| match effect {
        Effect::WriteReport(of) if !of.with_links => Some(of.in_no_run.as_ref()?.0.len()),
        _ => None,
    };
    assert!(world.open.iter().any(|it| listed(it) == Some(7)));
    let mut world = in_no_run(world, |found| found.suites.truncate(1));
    world.press("\u{1b}");
    world.says("1 suite can be added and is in no open run (read 09:42)");
    // Of lists that are not all here it is said, and fewer than that may be in none.
    let mut world = in_no_run(world, |found| {
        found.unread = vec![LeftOut {
            run: "R_9".into(),
            why: "its list was refused".into(),
        }];
    });
    world.says("But there may be fewer: 2 of 3 runs read: R_9: its list was refused.");
    world.press("\u{1b}");
    world.says("At most 7 suites are in no open run (read 09:42)");
    world.says("not known  all covered: suites_in_no_run is not known");
    // Of lists that contradict each other not even that is known, nor of none at all.
    let mut world = in_no_run(world, |found| found.contradict = true);
    world.says("But how many is not known: the lists contradict each other.");
    world.press("\u{1b}");
    world.says("How many suites are in no open run is not known (read 09:42)");
    let mut world = in_no_run(world, |found| {
        found.suites.clear();
        found.runs.clear();
    });
    world.says("No open run of 1.2.1 was found.");
    world.press("\u{1b}");
    world.says("not known  all covered: suites_in_no_run is not known");
    // Nor on the next day, nor of a release of the same name elsewhere.
    let mut world = in_no_run(world, |found| found.suites.clear());
    world.press("\u{1b}");
    world.says("met        all covered: suites_in_no_run is 0");
    let shared = &world.store.cx.shared;
    let tomorrow = world.now + 86_400_000;
    assert_eq!(shared.in_no_run_today("1.2.1", tomorrow), None);
    let mut elsewhere = world.clone();
    elsewhere.uses("other");
    let shared = &elsewhere.store.cx.shared;
    assert_eq!(shared.in_no_run_today("1.2.1", elsewhere.now), None);
    // Nor for another user.
    let mut other = world.clone();
    let user = "somebody.else".into();
    other.event(Event::SignedIn { user });
    other.lacks("suites_in_no_run is 0");
    other.says("not known  all covered");
    // What is asked for elsewhere has the version at hand.
    world.press("\u{1b}:coverage\n");
    world.says("› Release 1.2.1 › in no open run");
    world.says("Reading the open runs");
}

#[test]
fn suites_in_no_open_run_wait_for_a_reading_after_a_change_of_such_a_run_whose_end_is_not_known() {
    let mut world = in_no_run(board((80, 24)), |_| ());
    let not_known = "whether the suites sent before are in the run is not known";
    // What was taken out of a run is put back, and whether it is back no reading shows.
    let put_back = |world: &mut World, run: usize| {
        let suites = vec![(suite(1).doc_ref, "S_1".to_owned())];
        let change = SuiteChange::of(&world.runs[run], true, suites);
        let undo = Undo {
            write: "w1".into(),
            what: "1 suite removed".into(),
            by: UndoBy::Suites(Box::new(change)),
            warnings: Vec::new(),
        };
        world.press("u");
        let planned = Answer::UndoPlanned(Ok(Box::new(undo)));
        world.answered(&Slot::Undo(Layer::Available), planned);
        world.press("k\n");
    };
    let ends = |world: &mut World| {
        let end = Outcome::unknown("reading afterwards failed: no connection");
        let end = changed(Vec::new(), vec![suite(1).doc_ref], end);
        world.answered(&Slot::ChangeSuites, Answer::Changed(end));
    };
    let found = InNoRun {
        suites: (1..=7).map(suite).collect(),
        runs: world.runs[..3].to_vec(),
        at: world.now,
        ..InNoRun::default()
    };
    let found = || Answer::InNoRun(Ok(Box::new(found.clone())));
    let added = |world: &mut World| {
        let end = changed(vec![suite(1).doc_ref], Vec::new(), Outcome::done("added"));
        let answer = Answer::Changed(end);
        world.answered(&Slot::ChangeSuites, answer);
    };
    world.press("r");
    world.answered(&Slot::Available, found());
    // That of another release is none of these.
    put_back(&mut world, 15);
    added(&mut world);
    world.says("7 suites, 28 cases can be added");
    put_back(&mut world, 15);
    ends(&mut world);
    let reads = |world: &World| world.store.cx.under_way(&Slot::Available);
    assert!(!reads(&world), "what was read still holds");
    world.press("\n");
    world.says("Add the suite to");
    world.press("\u{1b}");
    put_back(&mut world, 0);
    // What is read before the end tells nothing of it.
    world.press("r");
    let reading = world.store.asked(&Slot::Available);
    ends(&mut world);
    world.reply(reading, found());
    world.press("\n");
    world.says(not_known);
    world.answered(&Slot::Available, found());
    world.press("\n");
    world.says("Add the suite to");
    // What is known to be done keeps nothing back.
    world.press("\u{1b}");
    put_back(&mut world, 0);
    added(&mut world);
    world.press("\n");
    world.says("Add the suite to");
}

/// It may have been the last open run with some suites.
#[test]
fn once_a_run_is_gone_the_suites_in_no_open_run_are_not_known() {
    let world = judged(world((80, 24)), &[("all covered", "suites_in_no_run == 0")]);
    let mut world = in_no_run(world, |found| found.suites.clear());
    world.press("\u{1b}");
    world.says("met        all covered: suites_in_no_run is 0");
    world.press("\u{1b}D");
    let desk = &mut world.desk;
    desk.surveyed(deleting::complete(2));
    let name = desk.delete_box().runs[0].deleting.run.name().to_owned();
    desk.press(&format!("{name}\n"));
    desk.copied(2);
    desk.removed(7, Outcome::done("all 7 removed"));
    desk.ended(Outcome::done("the run is not found any more"));
    world.press("\u{1b}gB");
    world.answer();
    world.says("not known  all covered: suites_in_no_run is not known");
}

/// Answers what each version comes to.
pub fn add_up(world: &mut World) {
    let asks =
        |effect: &Effect| matches!(effect, Effect::Request(_, Request::AddUpReleases { .. }));
    while let Some(place) = world.open.iter().position(asks) {
        let asked = world.open.remove(place);
        if let Effect::Request(id, Request::AddUpReleases { runs, kinds, done }) = asked {
            let lines = releases(runs.iter().map(|run| run.row()), &kinds, &done);
            world.event(Event::Answer(id, Answer::Releases(lines)));
        }
    }
}

#[test]
fn all_versions_have_a_row_each_and_enter_opens_its_board() {
    let mut world = board((80, 24));
    world.runs[4].edited_on = Some(world.now);
    world.says("1 1.10.0 1 [2 1.2.1 12] 3 all");
    world.press("3");
    add_up(&mut world);
    world.says("All releases");
    world.says("[3 all]");
    // What is not run stands in the rows of the versions.
    world.lacks("not run in closed runs");
    // The date is that of the version under the cursor.
    world.press("jd2030-01-02\n");
    world.says("1.2.1 is due ");
    world.press("k");
    // Each run is counted once here, too.
    let screen = world.screen();
    let row = |version: &str| {
        let line = screen
            .lines()
            .skip(3)
            .find(|line| line.contains(&format!(" {version} ")));
        let cells = line
            .unwrap_or_default()
            .trim_start_matches('>')
            .split_whitespace();
        cells.map(str::to_owned).collect::<Vec<_>>()
    };
    let heading = screen.lines().nth(2).unwrap_or_default();
    assert_eq!(
        heading.split_whitespace().collect::<Vec<_>>().join(" "),
        "Version cases done passed failed known not run left from to"
    );
    let sums = world.store.screens.board.as_ref().unwrap().lines[1]
        .sums
        .clone();
    assert_eq!(
        (sums.total(), sums.left, sums.not_run),
        (1692, 652, 31),
        "{sums:?}"
    );
    assert_eq!(
        row("1.2.1")[..8],
        [
            "1.2.1",
            "1,692",
            "59%",
            "58%",
            &format!("{}F", sums.at(&[FailedNew])),
            "0",
            "31",
            "652"
        ]
    );
    assert!(sums.at(&[FailedNew]) > 0, "{sums:?}");
    assert_eq!(row("1.10.0")[..5], ["1.10.0", "10", "50%", "50%", "0"]);
    world.says("14 of 16 runs counted");
    world.says("d due");
    world.press("y\n");
    world.press("j\n");
    world.answer();
    world.says("Release 1.2.1");
    world.says("13 of 15 runs counted");
    // Without a run at hand B opens it.
    world.press("\u{1b}");
    world.on(Layer::Runs);
    // Beside one configuration there are the cells of all.
    let mut world = super::screens_board::world((120, 40));
    for run in &mut world.runs {
        run.title = Some("Smoke".into());
        run.configuration = Some("chrome".into());
    }
    world.refresh();
    opened(world).says(" cell  ");
}

#[test]
fn of_all_versions_the_figures_that_do_not_fit_are_the_least_important() {
    for (width, headings) in [
        (
            100,
            "Version cases done passed failed failed (known) blocked not run left from to",
        ),
        (
            80,
            "Version cases done passed failed known not run left from to",
        ),
        (60, "Version cases done passed failed known not run left"),
        (40, "Version done passed failed left"),
    ] {
        let mut world = board((width, 15));
        world.press("3");
        add_up(&mut world);
        let screen = world.screen();
        let heading = screen.lines().nth(2).unwrap_or_default().split_whitespace();
        assert_eq!(heading.collect::<Vec<_>>().join(" "), headings, "{width}");
    }
}

#[test]
fn a_share_is_the_same_in_list_run_and_board() {
    let mut world = world((80, 24));
    let results = counted([(Passed, 1), (Untested, 999)]);
    world.runs[15].results = Some(results);
    world.refresh();
    world.press("G");
    world.says("R_15  Load of another release                 <1%");
    world.press("\n");
    world.says("Passed              1    <1 %");
    world.says("<1 % done.");
    world.press("\u{1b}B");
    world.answer();
    world.says("<1%");
}

#[test]
fn the_tab_of_all_versions_is_of_its_oldest_counts() {
    let mut world = board((80, 24));
    world.press("3");
    world.answer();
    let yesterday = world.now - 86_400_000;
    let mut runs = read_now(&world, 15);
    runs[0].counted_at = Some(yesterday);
    tell(&mut world, runs, HashMap::new());
    add_up(&mut world);
    world.says("of 15 runs counted, as of yesterday 09:42");
}

#[test]
fn runs_without_a_version_have_a_tab_of_their_own() {
    let mut world = world((80, 24));
    // One of the two is closed.
    world.runs[4].version = None;
    world.runs[14].version = None;
    world.refresh();
    world.press("gB");
    world.answer();
    world.says("3 all  4 none 1");
    world.press("4");
    world.answer();
    world.says("Runs without a version");
    world.says("2 of 2 runs counted");
    world.says("Load");
    world.lacks("FINISH");
    world.press("4");
    world.says("the tab of none is shown already");
    world.press("X");
    world.says("there is no release to report of");
    world.press("d");
    world.lacks("is due");
    world.press("\t");
    world.answer();
    world.says("Release 1.10.0");
    // Round the other way.
    world.act(Action::PreviousPart);
    world.answer();
    world.says("Runs without a version");
    // Where no run has one, the tab of all says so.
    let mut world = super::screens_board::world((80, 24));
    for run in &mut world.runs {
        run.version = None;
    }
    world.refresh();
    world.press("gB");
    world.answer();
    world.press("1");
    add_up(&mut world);
    world.says("No run has a version.");
}

#[test]
fn where_kinds_do_not_group_there_is_a_row_for_each_run_the_worst_first() {
    let mut world = world((80, 24));
    for (run, word) in world.runs.iter_mut().zip('a'..) {
        let title = run.title.clone().unwrap_or_default();
        run.title = Some(format!("{word}{word} {title}"));
    }
    let smoke = world.runs[5].results.as_mut().unwrap();
    smoke.add(FailedKnown, 12);
    world.refresh();
    world.press("gB");
    world.answer();
    let screen = world.screen();
    let place = |words: &str| screen.find(words).unwrap_or(usize::MAX);
    // Sorted by the number that is shown, of new and known ones.
    world.says(" 12f");
    assert!(
        place("R_5 ff Smoke") < place("R_0 aa Reg"),
        "12 failed before 10:\n{screen}"
    );
    assert!(
        place("R_0 aa Reg") < place("R_1 bb Reg"),
        "10 failed before 6:\n{screen}"
    );
    assert!(
        place("R_2 cc Reg") < place("R_3 dd Reg"),
        "blocked before none:\n{screen}"
    );
    assert!(
        place("R_3 dd Reg") < place("R_14 oo Load"),
        "most left:\n{screen}"
    );
    world.says("configuration");
    world.says("15 of 15 runs counted");
    world.press("\n");
    world.answer();
    world.says("R_4 ee Regression chrome, 1.2.1 rc1: 1 found");
    // A quiet one has its mark in its own row.
    world.press("\u{1b}");
    let quiet = HashMap::from([(world.runs[14].doc_ref.clone(), Quiet::Since(7))]);
    let runs = read_now(&world, 15);
    tell(&mut world, runs, quiet);
    let screen = world.screen();
    let marked = |id: &str| {
        let line = screen.lines().find(|line| line.contains(id)).unwrap();
        line.contains("% q")
    };
    assert!(marked("R_14 oo Load") && !marked("R_0 aa Reg"), "{screen}");
}

#[test]
fn configurations_are_split_into_their_parts() {
    let mut world = world((80, 24));
    for run in [0, 4] {
        world.runs[run].configuration = Some("Windows 11, chrome".into());
    }
    world.refresh();
    world.press("gB");
    world.answer();
    world.says("Windows 11, c…");
    world.press("w");
    world.says("a column for each part of a configuration");
    world.press("\u{1b}B");
    world.answer();
    world.press("w");
    let board = &world.store.screens.board.as_ref().unwrap().board;
    let names: Vec<&str> = board.configurations.iter().map(|it| &*it.1).collect();
    assert_eq!(
        names,
        ["chrome", "edge", "firefox", "ios 19", "Windows 11", ""]
    );
    // A run is in both columns, and once in all.
    let in_cell = |column: usize| board.cells[&(3, column)].sums.total();
    assert_eq!((in_cell(0), in_cell(4)), (270, 270));
    assert_eq!((board.by_kind[3].total(), board.all.total()), (1030, 1692));
    world.press("j");
    world.says("15 runs counted, each in all its parts");
}

#[test]
fn a_run_in_several_parts_without_room_is_counted_once() {
    let mut world = world((60, 24));
    for run in &mut world.runs {
        if run.configuration.as_deref() == Some("firefox") {
            run.configuration = Some("firefox, german, linux, osx".into());
        }
    }
    world.refresh();
    world.press("gB");
    world.answer();
    world.press("w");
    world.says("  more 5 ");
    world.press("hjjj\n");
    world.answer();
    world.says("3 found");
}

#[test]
fn how_kinds_are_found_and_the_lines_for_the_config() {
    let mut world = board((80, 24));
    world.press("jjji");
    world.says("Kind Regression");
    world.says("R_0 Regression chrome, 1.2.1");
    world.says("[[profiles.demo.kinds]]");
    world.says("title = \"Regression chrome, 1.2.1\"");
    world.press("y");
    assert_eq!(
        world.clipboard().pop().unwrap().1,
        "[[profiles.demo.kinds]]\ntitle = \"Regression chrome, 1.2.1\"\nkind = \"Regression\"\n"
    );
    world.press("i");
    world.press("Gi");
    world.says("Criteria of a release");
    world.says("expr = \"failed_new == 0\"");
    world.press("\u{1b}");
    world.says("Release 1.2.1");
}

fn a_release(states: &mut States<'_>) {
    states.see("suites_in_no_run", |size| {
        in_no_run(board(size), |_| ()).desk
    });
    states.see("board", |size| {
        let mut world = world(size);
        said(&mut world).due = vec![ReleaseDue {
            version: "1.2.1".into(),
            at: "2026-11-27".into(),
        }];
        let criteria = [
            ("no failed (new)", "failed_new == 0"),
            ("few blocked", "blocked <= 5"),
            ("95 % passed", "passed * 100 >= total * 95"),
            ("no run quiet", "runs_quiet == 0"),
        ];
        let mut world = judged(world, &criteria);
        let outlook = band(world.now, 101, 123);
        finishes(&mut world, outlook, Vec::new());
        world.desk
    });
}

#[test]
fn while_a_release_is_read_what_is_here_of_it_is_shown() {
    let mut world = World::new((80, 24), 3);
    world.press("B");
    world.says("reading…");
    world.says("Smoke nightly");
    world.says("3 of 3 runs counted");
    // Of a part of the open runs the numbers of the tabs are at least so many.
    let mut world = World::new((80, 24), 3_000);
    let tabs = |world: &World| world.screen().lines().nth(1).unwrap().to_owned();
    world.press("B");
    let part = tabs(&world);
    says(&part, "+]");
    world.answer();
    let whole = tabs(&world);
    says(&whole, "[1 1.2.0 3,000]");
}

/// The board of a release as it was drawn before there was one, with kinds and configurations by name.
const SKETCH: &str = "
                chrome    edge      firefox   ios 19    all       left
  Acceptance     45% ×2                        25% 4F    35% 4F   298
  Exploratory    88% 1F    58% q                         76% 1F    45
  Regression     92%10F    70% 2B    77% 6F     0%       60%16F   402
  Smoke         100%      100%      100%       87% 1F    97% 1F     9
  all            76%11F    73% 2B    82% 6F    22% 5F    61%22F   754";

/// The counted runs of it: kind, configuration, cases passed, skipped, failed (new), blocked and untested.
const SKETCHED: [(&str, &str, [u64; 5]); 13] = [
    ("Regression", "chrome", [143, 87, 10, 2, 18]),
    ("Regression", "firefox", [192, 0, 6, 0, 58]),
    ("Regression", "edge", [180, 0, 0, 2, 75]),
    ("Regression", "ios 19", [0, 0, 0, 0, 247]),
    ("Smoke", "chrome", [80, 0, 0, 0, 0]),
    ("Smoke", "firefox", [75, 0, 0, 0, 0]),
    ("Smoke", "edge", [80, 0, 0, 0, 0]),
    ("Smoke", "ios 19", [62, 0, 1, 0, 9]),
    ("Acceptance, sprint 12", "chrome", [52, 0, 0, 0, 63]),
    ("Acceptance, sprint 13", "chrome", [52, 0, 0, 0, 62]),
    ("Acceptance", "ios 19", [54, 0, 4, 0, 173]),
    ("Exploratory", "chrome", [98, 0, 1, 0, 13]),
    ("Exploratory", "edge", [45, 0, 0, 0, 32]),
];

#[test]
fn the_sketch_of_the_board_is_drawn_from_runs_and_adds_up() {
    let mut world = World::new((80, 24), 24);
    for (place, run) in world.runs.iter_mut().enumerate() {
        // Nine earlier rounds come behind the counted ones, and two other versions.
        let (kind, configuration, cases) = SKETCHED[place % 13];
        let mut results = counted([(FailedKnown, 0)]);
        let codes = [Passed, ResultCode::Skipped, FailedNew, Blocked, Untested];
        for (code, count) in codes.into_iter().zip(cases) {
            results.add(code, count);
        }
        run.id = (place == 12).then(|| "R_222".into()).or(run.id.take());
        run.title = Some(kind.into());
        run.configuration = Some(configuration.into());
        run.version = Some(["1.2.1", "1.2.0", "1.1.0"][place.saturating_sub(21)].into());
        run.results = Some(results);
        if (13..22).contains(&place) {
            run.status = Status::Inactive;
            run.created_on = run.created_on.map(|at| at - 86_400_000);
        }
    }
    // Monday 23 November, 09:41.
    world.now += 3 * 86_400_000;
    world.refresh();
    said(&mut world).due = vec![ReleaseDue {
        version: "1.2.1".into(),
        at: "2026-11-27".into(),
    }];
    let criteria = [
        ("passed at least 95 % of done", "passed * 100 >= done * 95"),
        ("no failed (new)", "failed_new == 0"),
        ("no run quiet", "runs_quiet == 0"),
        ("blocked at most 5", "blocked <= 5"),
    ];
    let mut world = judged(world, &criteria);
    let mut outlook = band(world.now, 173, 193);
    if let Outlook::Band(band) = &mut outlook {
        band.left = 754;
        band.counted = Counted::Weekly {
            from: 8 * 60,
            to: 16 * 60 + 20,
            days: [true, true, true, true, true, false, false],
            learned: true,
        };
    }
    finishes(&mut world, outlook, Vec::new());
    let found = |found: &mut InNoRun| {
        let of = |number| SuiteRow {
            total_cases: Some(if number == 66 { 59 } else { 28 }),
            priority: Some(if number > 57 { "HIGH" } else { "LOW" }.into()),
            ..suite(number)
        };
        found.suites = (1..=66).map(of).collect();
        found.at -= 29 * 60_000;
    };
    let mut world = in_no_run(world, found);
    let words = "66 suites, 1,879 cases can be added and are in no open run of 1.2.1. HIGH 9";
    says_wrapped(&world.screen(), words);
    world.press("\u{1b}gg");
    let quiet = |(place, run): (usize, &RunRow)| {
        let quiet = if place == 12 {
            Quiet::Since(7)
        } else {
            Quiet::No
        };
        (run.doc_ref.clone(), quiet)
    };
    let quiet = world.runs[..22].iter().enumerate().map(quiet).collect();
    let runs = read_now(&world, 22);
    tell(&mut world, runs, quiet);
    world.says("LATE, due Fri");
    for row in SKETCH.lines().filter(|row| !row.is_empty()) {
        let packed = |text: &str| text.replace([' ', '>'], "");
        let screen = world.screen();
        let mut lines = screen.lines();
        assert!(
            lines.any(|line| packed(line) == packed(row)),
            "{row}\n{screen}"
        );
    }
    for words in [
        "READY? no",
        "not met    passed at least 95 % of done: passed is 1113, done is 1222",
        "not met    no failed (new): failed_new is 22",
        "not met    no run quiet: runs_quiet is 1",
        "met        blocked at most 5: blocked is 4",
        "FINISH  30 Nov 14:42 to 1 Dec 10:42: LATE",
        "PACE    16 an hour over 40 h observed, 19 needed",
        "66 suites can be added and are in no open run (read 09:13)",
        "left          158       109        58       429       754",
        "9 earlier rounds not counted",
        "13 of 22 runs counted",
    ] {
        world.says(words);
    }
    // The sketch itself adds up.
    let rows: Vec<&str> = SKETCH.lines().skip(2).collect();
    let left = |row: &str| row.rsplit(' ').next().unwrap().parse::<u64>().unwrap();
    let of_all = |row: &str| {
        let failed = row
            .split(['%', ' '])
            .filter_map(|it| it.trim_end_matches('q').strip_suffix('F'));
        failed
            .filter_map(|it| it.parse().ok())
            .collect::<Vec<u64>>()
    };
    let (all, kinds) = rows.split_last().unwrap();
    assert_eq!(kinds.iter().map(|row| left(row)).sum::<u64>(), left(all));
    for row in &rows {
        let failed = of_all(row);
        let (all, cells) = failed.split_last().unwrap();
        assert_eq!(cells.iter().sum::<u64>(), *all, "{row}");
    }
    let of_kinds = kinds.iter().map(|row| *of_all(row).last().unwrap());
    assert_eq!(of_kinds.sum::<u64>(), 22);
    // 1,113 of 1,222 are 91 %, and 754 cases in the 39.97 working hours until Friday 19 an hour.
    assert_eq!(1_113 * 100 / 1_222, 91);
    assert_eq!((754 * 100 + 1_999) / 3_998, 19);
}

pub fn states(states: &mut States<'_>) {
    a_release(states);
}

#[test]
fn a_cell_lists_its_runs_whatever_the_list_had_chosen_and_esc_brings_that_back() {
    let mut world = world((80, 24));
    world.press("fchrome\n");
    world.answer();
    world.press("/sprint\n");
    world.answer();
    let chosen = |world: &World| {
        let runs = &world.store.screens.runs;
        (
            runs.list.search.text().to_owned(),
            runs.chosen.words(),
            runs.view.name.clone(),
        )
    };
    let before = chosen(&world);
    assert_eq!((&*before.0, &*before.1), ("sprint", "config Chrome"));
    let mut world = opened(world);
    world.says("Release 1.2.1");
    world.press("jjjjhhh\n");
    world.answer();
    world.says("Smoke, firefox: 1 found");
    // Another cell is listed from there; Esc leads back to what was chosen first.
    world.press("B");
    world.answer();
    world.press("\n");
    world.answer();
    world.press("\u{1b}\u{1b}");
    world.answer();
    world.says("sprint");
    assert_eq!(chosen(&world), before);
}

#[test]
fn what_the_list_had_chosen_stays_whatever_way_leads_from_the_runs_of_a_cell() {
    // The tab All is that of the list of the cell.
    for keys in ["1", "6", "/x", ""] {
        let mut world = world((80, 24));
        world.press("fchrome\n");
        world.answer();
        let before = world.store.screens.runs.left_off();
        let mut world = opened(world);
        world.press("jjjjhhh\n");
        world.answer();
        world.says("Smoke, firefox: 1 found");
        let runs = |world: &World| world.store.screens.runs.left_off();
        let left_off = runs(&world);
        assert_eq!(
            (left_off.view, left_off.chosen),
            (before.view, before.chosen.clone())
        );
        world.press(keys);
        world.answer();
        assert_eq!(runs(&world).chosen, before.chosen, "{keys}");
        if ["1", "6"].contains(&keys) {
            world.says("f: config Chrome");
        }
    }
}

#[test]
fn the_cursor_stays_in_its_column_when_another_comes_before_it() {
    let mut world = board((100, 24));
    world.press("jjjhhh");
    world.runs[5].configuration = Some("android".into());
    world.refresh();
    world.says("android");
    world.press("\n");
    world.answer();
    world.says("Regression, firefox: 1 found");
    // A version without that configuration has none to stand in, and the next one has.
    world.press("\u{1b}1");
    world.answer();
    world.press("\t");
    world.answer();
    world.says("Release 1.2.1");
    world.press("gjjj\n");
    world.answer();
    world.says("Regression, firefox: 1 found");
}

#[test]
fn when_a_date_has_passed_the_criteria_say_late_as_the_head_does() {
    let mut world = judged(world((100, 24)), &[("no run late", "runs_late == 0")]);
    world.press("dtoday 12:00\n");
    finishes(&mut world, Outlook::Done, Vec::new());
    world.says("met        no run late: runs_late is 0");
    world.now += 6 * 3_600_000;
    world.press("j");
    world.says("LATE, due 12:00 (set here)");
    world.says("not met    no run late: runs_late is 10");
}

#[test]
fn words_that_are_typed_are_not_the_cause_where_every_suite_is_in_a_run() {
    let mut world = in_no_run(board((80, 24)), |found| found.suites.clear());
    let screen = world.screen();
    let hints = screen.lines().last().unwrap_or_default();
    lacks(hints, "find");
    lacks(hints, "sort");
    world.press("/a");
    world.says("Each suite that can be added is in some open run.");
}

#[test]
fn the_cursor_is_on_its_row_again_where_its_tab_is() {
    let mut world = board((80, 24));
    world.press("jjj");
    let here = |world: &World| line(&world.screen(), "> ").to_owned();
    let before = here(&world);
    for keys in ["12", "132"] {
        for key in keys.chars() {
            world.press(&key.to_string());
            world.answer();
        }
        assert_eq!(here(&world), before, "{keys}");
    }
    // Once it was moved elsewhere it is not there any more.
    world.press("1");
    world.answer();
    world.press("j2");
    world.answer();
    assert_ne!(here(&world), before);
}

#[test]
fn rows_below_the_edge_of_a_small_box_are_told() {
    let mut world = world((40, 12));
    for run in &mut world.runs {
        run.title = Some("Exploratory: checkout on a phone".into());
    }
    world.refresh();
    let mut world = opened(world);
    world.press("i");
    let screen = world.screen();
    let edge = line(&screen, "╰");
    assert!(edge.contains(" 1-7 of "), "{screen}");
}
