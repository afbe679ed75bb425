//! The monitor: what it reads, when, whom it calls, and that nothing can be written from it.

use crate::support::prelude::*;
use rundown::domain::LimitState;
use rundown::domain::query_language::RunCount;
use rundown::domain::{Notify, Sort};
use rundown::mirror::Depth;
use rundown::screens::monitor::{RunTrouble, WatchedRun};
use rundown::store::RunsRequest;

use super::samples_of::Pace;
use ResultCode::{Blocked, FailedNew, InProgress, Passed, Untested};

fn watching(runs: usize) -> World {
    watching_as(runs, session())
}

fn watching_as(runs: usize, session: Session) -> World {
    let mut world = World::with((120, 40), 30, session);
    for _ in 0..runs {
        world.press(" ");
    }
    world.open.clear();
    world.press("M");
    world
}

/// Answers the reading that is open; the filters of its calls.
fn read(world: &mut World) -> Vec<String> {
    let calls = world.read().into_iter();
    calls.flat_map(|(.., filter)| filter.filters).collect()
}

fn timers(world: &World) -> Vec<u64> {
    world.pause().into_iter().map(|(_, after)| after).collect()
}

/// What somebody was called with since it was asked last.
fn calls(world: &mut World) -> Vec<Effect> {
    let is_call =
        |effect: &Effect| matches!(effect, Effect::Bell | Effect::Notify(_) | Effect::Call(_));
    let (calls, rest) = world.effects().into_iter().partition(is_call);
    world.open = rest;
    calls
}

#[test]
fn the_marked_runs_are_read_by_their_ids_and_nothing_else() {
    let mut world = watching(3);
    world.on(Layer::Monitor);
    assert_eq!(
        read(&mut world),
        [0, 1, 2].map(|run| format!("Root.General.Id:R_{run}"))
    );
    assert_eq!((world.readings(), world.asked()), (vec![], vec![]));
    let monitor = world.monitor();
    assert_eq!((monitor.runs.len(), monitor.read_at), (3, Some(world.now)));
}

#[test]
fn without_marks_it_is_the_view_or_what_a_text_finds_and_from_a_run_that_run() {
    let mut view = World::new((120, 40), 300);
    view.open.clear();
    view.press("M");
    let screen = view.screen();
    assert!(
        screen.contains("Monitor: open runs of P_9/SP_1") && screen.contains("R_0 "),
        "what the list has stands there at once: {screen}"
    );
    view.answer();
    assert_eq!(view.store.monitor().unwrap().runs.len(), 300);
    let mut text = World::new((120, 40), 30);
    text.press("/migr\nM");
    assert_eq!(text.watched(), ["R_5", "R_13", "R_21", "R_29"]);
    text.says("Monitor: 4 runs of");
    let mut one = World::new((120, 40), 7);
    one.press("jj\nM");
    assert_eq!(one.watched(), ["R_2"]);
    let mut none = World::new((120, 40), 0);
    none.press("M");
    none.answer();
    none.says("View \"Open\" has no runs now.");
}

#[test]
fn many_marked_runs_are_looked_for_in_the_list_and_those_it_does_not_have_by_themselves() {
    let mut world = World::new((120, 60), 300);
    for _ in 0..30 {
        world.press(" ");
    }
    world.open.clear();
    world.press("M");
    let list = ["Root.General.Status:active".to_owned()];
    let [(_, Depth::Watch, filter)] = &world.readings()[..] else {
        panic!("{:?}", world.readings());
    };
    assert_eq!(filter[0].filters, list);
    assert_eq!(world.asked(), []);
    world.answer();
    assert_eq!(world.monitor().runs.len(), 30);
    world.says("Monitor: 30 runs of");
    // Some do not fit the list any more.
    for run in 3..10 {
        world.runs[run].status = Status::Inactive;
    }
    world.next_reading();
    let mut asked = read(&mut world);
    assert!(world.monitor().busy(), "what the list lacks is read, too");
    asked.extend(read(&mut world));
    asked.retain(|filter| *filter != list[0]);
    asked.sort();
    let by_id = (3..10).map(|run| format!("Root.General.Id:R_{run}"));
    assert_eq!(asked, by_id.collect::<Vec<_>>());
    let runs = &world.monitor().runs;
    assert!(runs.iter().all(|run| run.trouble.is_none()), "{runs:?}");
    assert_eq!(runs.len(), 30);
    let closed = |run: &&WatchedRun| run.run.row().status == Status::Inactive;
    assert_eq!(runs.iter().filter(closed).count(), 7);
    // One of these that cannot be read keeps no other from being read.
    world.next_reading();
    read(&mut world);
    world.read_without("R_3");
    let monitor = world.monitor();
    let failed = |run: &&WatchedRun| run.trouble == Some(RunTrouble::NotRead);
    let failed: Vec<_> = monitor
        .runs
        .iter()
        .filter(failed)
        .map(|run| run.run.name())
        .collect();
    assert_eq!(failed, ["R_3"]);
    assert_eq!(monitor.asked.failure, None);
    world.lacks("OLD");
    world.press("j");
    world.says("R_3 not read");
}

#[test]
fn a_clock_of_no_calendar_stops_no_reading_for_good() {
    let mut world = World::new((120, 40), 30);
    let now = world.now;
    world.now = 300_000_000_000_000;
    world.press("M");
    world.now = now;
    world.press("r");
    world.answer();
    assert!(world.monitor().read_at.is_some());
}

#[test]
fn it_reads_every_thirty_seconds_unless_somebody_says_otherwise() {
    let mut world = watching(2);
    assert_eq!(timers(&world), [0; 0], "a reading is under way");
    world.answer();
    let [after] = timers(&world)[..] else {
        panic!("{:?}", timers(&world))
    };
    assert!((27_000..=33_000).contains(&after), "{after}");
    for (key, every) in [
        ("-", 60),
        ("-", 120),
        ("+", 60),
        ("+", 30),
        ("+", 15),
        ("+", 10),
        ("+", 5),
        ("+", 5),
    ] {
        world.open.clear();
        world.press(key);
        assert_eq!(world.store.refresh_every(), every);
        assert!(
            world
                .open
                .iter()
                .any(|effect| matches!(effect, Effect::Cancel(_))),
            "{:?}",
            world.open
        );
        let [after] = timers(&world)[..] else {
            panic!("{:?}", timers(&world))
        };
        assert!(
            (every * 900..=every * 1_100).contains(&after),
            "{after} for {every} s"
        );
    }
    // The list has its own pace, and the next monitor has this one.
    world.press("\u{1b}");
    assert_eq!(world.store.refresh_every(), 0);
    world.press("M");
    assert_eq!(world.store.refresh_every(), 5);
}

#[test]
fn a_service_that_fails_is_not_asked_for_each_run_and_less_and_less() {
    let mut world = watching(20);
    world.answer();
    let mut pauses = Vec::new();
    for _ in 0..5 {
        world.next_reading();
        let calls = world.read_from(&mut |_, _: &[Sort], _: &Filter| Err(failure()));
        assert_eq!(calls.len(), 1, "the other 19 would wait for nothing");
        pauses.push(timers(&world)[0] / 1_000);
    }
    assert!(
        pauses.windows(2).all(|pair| pair[1] + 20 > pair[0]) && pauses[4] > 100,
        "{pauses:?}"
    );
    let monitor = world.monitor();
    assert!(
        monitor
            .runs
            .iter()
            .all(|card| card.trouble == Some(RunTrouble::Failed))
    );
    assert!(
        monitor
            .runs
            .iter()
            .all(|card| card.run.row().results.is_some()),
        "the numbers stay"
    );
    assert_eq!(
        world.told(),
        ["no connection to demo.example: connection refused"],
        "said once"
    );
    world.read_next();
    assert!(
        world.told()[0].starts_with("the service answers again; the numbers before were "),
        "{:?}",
        world.told()
    );
    assert!(world.told()[0].ends_with(" min old"), "{:?}", world.told());
    assert!(
        (27..=33).contains(&(timers(&world)[0] / 1_000)),
        "back to normal"
    );
    assert!(
        world
            .monitor()
            .runs
            .iter()
            .all(|card| card.trouble.is_none())
    );
}

#[test]
fn one_run_that_cannot_be_read_keeps_no_other_from_being_read() {
    for kind in [
        FailureKind::Refused,
        FailureKind::Service,
        FailureKind::NotFound,
        FailureKind::Broken,
    ] {
        one_cannot_be_read(kind);
    }
}

#[test]
fn a_service_that_goes_away_in_the_middle_makes_the_monitor_old() {
    let mut world = watching(3);
    let opened = world.now;
    let away = failure().with(|it| it.kind = FailureKind::Unavailable);
    let all = world.page(FIRST, &Filter::default()).rows;
    world.read_from(&mut |_, _: &[Sort], filter: &Filter| {
        if *filter == Filter::by_id("R_1") {
            return Err(away.clone());
        }
        let mut page = super::sample::page(FIRST, 0);
        let found = all.iter().find(|row| !filter.rules_out(row));
        page.rows.extend(found.cloned());
        page.full_size = 1;
        Ok(page)
    });
    let read = |run: &WatchedRun| run.run.read_at >= opened;
    assert_eq!(
        world.monitor().runs.iter().filter(|run| read(run)).count(),
        1
    );
    world.says("OLD: read");
    world.lacks("not read");
}

fn one_cannot_be_read(kind: FailureKind) {
    let mut world = watching(3);
    let opened = world.now;
    let refused = Failure {
        kind,
        may_retry: false,
        ..failure()
    };
    let all = world.page(FIRST, &Filter::default()).rows;
    let mut refuses = |which: &'static [&str]| {
        let service = &mut |_, _: &[Sort], filter: &Filter| {
            if which.iter().any(|id| *filter == Filter::by_id(id)) {
                return Err(refused.clone());
            }
            let mut page = super::sample::page(FIRST, 0);
            page.rows
                .extend(all.iter().find(|row| !filter.rules_out(row)).cloned());
            page.full_size = 1;
            Ok(page)
        };
        world.read_from(service);
        let monitor = world.monitor();
        let troubles = [0, 1, 2].map(|place: usize| monitor.runs[place].trouble);
        let read = |place: usize| monitor.runs[place].run.read_at >= opened;
        let failed = monitor.asked.failure.clone();
        assert_eq!(world.store.cx.errors.entries[0].failure.kind, kind);
        let is_read = [0, 1, 2].map(read);
        world.press("r");
        (troubles, is_read, failed)
    };
    let (failed, not_read) = (Some(RunTrouble::Failed), Some(RunTrouble::NotRead));
    for (which, trouble, read) in [
        (&["R_0"][..], [not_read, None, None], [false, true, true]),
        (&["R_2"], [None, None, not_read], [true; 3]),
    ] {
        assert_eq!(refuses(which), (trouble, read, None), "{which:?}");
    }
    let (troubles, _, failure) = refuses(&["R_0", "R_1", "R_2"]);
    assert_eq!(troubles, [failed, failed, not_read]);
    assert_eq!(failure.unwrap().kind, kind, "none at all");
}

#[test]
fn a_filter_that_finds_others_too_is_no_harm_and_one_that_finds_only_others_is_said() {
    let mut world = watching(2);
    let all = world.page(FIRST, &Filter::default());
    let calls = world.read_from(&mut |_, _: &[Sort], _: &Filter| {
        let mut page = all.clone();
        page.full_size = 1_000;
        page.rows.retain(|row| row.id.as_deref() != Some("R_1"));
        Ok(page)
    });
    assert_eq!(calls.len(), 2, "the other pages are none of theirs");
    let monitor = world.monitor();
    assert_eq!(
        (monitor.runs[0].run.name(), monitor.runs[0].trouble),
        ("R_0", None)
    );
    assert_eq!(monitor.runs[1].trouble, Some(RunTrouble::NotSeen));
    world.says("R_1   Regression");
    world.says("not seen");
}

#[test]
fn a_threshold_that_is_crossed_calls_once_by_whatever_the_config_says() {
    for (notify, bell) in [
        (Notify::None, false),
        (Notify::Bell, true),
        (Notify::Osc9, false),
        (Notify::Command(vec!["notify".into()]), false),
    ] {
        let mut session = session();
        session.watch.limit = Some("failed_new <= 9".into());
        session.monitor.notify = notify.clone();
        let mut world = watching_as(1, session);
        world.answer();
        assert_eq!(
            calls(&mut world),
            [],
            "{notify:?}: how it was found calls nobody"
        );
        world.runs[0].title = Some("Evil \u{1b}]9;x\u{7}\u{9b}31m title".into());
        let words = "rundown: R_0 Evil ␛]9;x␇\u{fffd}31m title: over the limit: failed_new is 10, limit <= 9";
        let expected = match &notify {
            Notify::None => Vec::new(),
            Notify::Bell => vec![Effect::Bell],
            Notify::Osc9 => vec![Effect::Notify(words.into())],
            Notify::Command(_) => vec![Effect::Call(words.into())],
        };
        world.record(0, Untested, FailedNew, 1);
        world.read_next();
        assert_eq!(calls(&mut world), expected, "{notify:?}");
        assert_eq!(world.monitor().bell, bell);
        world.record(0, Untested, FailedNew, 1);
        world.read_next();
        assert_eq!(calls(&mut world), [], "{notify:?}: it is crossed already");
        world.record(0, FailedNew, Passed, 2);
        world.read_next();
        assert_eq!(
            calls(&mut world),
            [],
            "{notify:?}: good news stand in the feed"
        );
        assert_eq!(world.told()[0], "within the limit failed_new <= 9 again");
        world.record(0, Untested, FailedNew, 1);
        world.read_next();
        assert_eq!(calls(&mut world), expected, "{notify:?}: crossed once more");
    }
}

#[test]
fn what_changed_before_the_first_reading_calls_nobody_and_what_is_read_then_is_compared_with() {
    let mut session = session();
    session.watch.limit = Some("failed_new <= 9".into());
    session.monitor.notify = Notify::Osc9;
    let mut world = World::with((120, 40), 30, session);
    world.record(3, Untested, FailedNew, 1);
    world.press("M");
    world.answer();
    assert_eq!(world.monitor().totals.over, Some(1));
    assert_eq!(calls(&mut world), []);
    for run in [3, 4] {
        world.record(run, Untested, FailedNew, 1);
    }
    world.read_next();
    assert_eq!(world.monitor().totals.over, Some(2));
    let words =
        "rundown: R_4 Browser matrix: firefox: over the limit: failed_new is 10, limit <= 9";
    assert_eq!(calls(&mut world), [Effect::Notify(words.into())]);
}

/// A monitor of a view with a limit that all runs meet.
fn limited() -> World {
    let mut session = session();
    session.watch.limit = Some("failed_new <= 9".into());
    session.monitor.notify = Notify::Osc9;
    let mut world = World::with((120, 40), 30, session);
    world.now += 60_000;
    world.press("M");
    world
}

#[test]
fn a_reading_that_found_nothing_new_is_compared_with() {
    let mut world = limited();
    let (id, depth, lists) = world.readings().remove(0);
    world.drop_call(id);
    world.found_nothing_new(id, (depth, lists));
    world.record(4, Untested, FailedNew, 1);
    world.read_next();
    assert_eq!(world.monitor().totals.over, Some(1));
    assert_eq!(calls(&mut world).len(), 1, "the first change since then");
}

#[test]
fn a_clock_that_was_set_back_keeps_nobody_from_being_called() {
    let mut world = limited();
    world.answer();
    assert_eq!(calls(&mut world), []);
    world.now -= 2 * 3_600_000;
    world.press("r");
    world.answer();
    world.record(4, Untested, FailedNew, 1);
    world.press("r");
    world.answer();
    assert_eq!(world.monitor().totals.over, Some(1));
    assert_eq!(calls(&mut world).len(), 1);
}

#[test]
fn a_marked_run_that_was_deleted_keeps_its_row_and_is_in_no_sum() {
    let mut world = watching(3);
    world.answer();
    let left = |world: &World| world.monitor().totals.sums.left();
    assert_eq!(left(&world), Some(3 * 46));
    let run = world.runs[1].doc_ref.clone();
    let now = world.now;
    for event in world.mirrored.take(RunsRequest::Gone(run), now) {
        world.event(event);
    }
    assert_eq!(left(&world), Some(2 * 46));
    assert_eq!(world.watched(), ["R_0", "R_1", "R_2"]);
    world.says("R_1   Regression payment");
    world.says("not found");
}

#[test]
fn of_a_run_that_no_list_has_nothing_is_said_before_it_was_asked_for() {
    let mut world = World::new((120, 40), 3);
    let closed = row(77).with(|it| it.status = Status::Inactive);
    world.runs.push(closed);
    world.press(":R_77\n");
    world.answer();
    world.open.clear();
    world.press("M");
    assert_eq!(world.watched(), ["R_77"]);
    world.lacks("not found");
    world.answer();
    world.lacks("not found");
    assert_eq!(world.monitor().totals.sums.all.not_run, 46);
}

#[test]
fn once_it_is_left_nothing_is_worked_out_for_it_until_it_is_shown_again() {
    let mut world = watching(3);
    world.answer();
    let answered = |world: &World| world.mirrored.answered();
    assert_eq!(answered(&world), [Layer::Runs, Layer::Monitor]);
    world.press("\u{1b}");
    assert_eq!(answered(&world), [Layer::Runs]);
    world.act(Action::NextScreen);
    world.at(Layer::Monitor);
    assert_eq!(answered(&world), [Layer::Runs, Layer::Monitor]);
}

#[test]
fn the_bell_rings_when_a_run_is_finished_and_only_while_it_is_on() {
    let mut world = watching(1);
    world.answer();
    for bell in [false, true] {
        for code in [Untested, Blocked, InProgress] {
            let cases = world.runs[0].results.as_ref().unwrap().get(code);
            world.record(0, code, Passed, cases);
        }
        world.read_next();
        assert_eq!(
            calls(&mut world),
            if bell { vec![Effect::Bell] } else { Vec::new() }
        );
        let told = world.told();
        let finished = "all 116 cases are finished";
        assert!(told.iter().any(|told| told == finished), "{told:?}");
        world.says("All runs are finished.");
        world.record(0, Passed, Untested, 5);
        world.read_next();
        if !bell {
            world.press("b");
        }
    }
}

#[test]
fn a_threshold_is_typed_corrected_and_taken_away() {
    let mut world = watching(2);
    world.answer();
    world.press("tfailed_new <\n");
    world.on(Layer::Typing);
    world.says("column 13: expected a count");
    world.press("= 8\n");
    world.on(Layer::Monitor);
    let over = Some(LimitState::Over {
        why: "failed_new is 9, limit <= 8".into(),
        counts: vec![RunCount::Code(FailedNew)],
    });
    assert!(
        world
            .monitor()
            .runs
            .iter()
            .all(|run| run.limit_state == over)
    );
    assert_eq!(
        calls(&mut world),
        [],
        "nobody is called for what was just asked"
    );
    // It holds for the next monitor too, until it is taken away.
    world.press("\u{1b}M");
    world.answer();
    assert!(
        world.screen().contains("2 OVER LIMIT")
            || world.screen().contains("over the limit: failed_new is 9"),
        "{}",
        world.screen()
    );
    world.press("t\n\u{1b}M");
    assert!(world.monitor().limit.is_none());
}

#[test]
fn a_threshold_of_the_config_that_is_none_is_said() {
    let mut session = session();
    session.watch.limit = Some("failed > x".into());
    let world = watching_as(1, session);
    world.says("the limit of the config cannot be read: unknown name x");
}

#[test]
fn without_the_focus_it_stands_still_unless_somebody_wants_to_be_called() {
    let mut world = watching(1);
    world.answer();
    world.open.clear();
    world.event(Event::Focus(false));
    assert!(
        world
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Cancel(_)))
    );
    world.says("paused  Fri 20 Nov");
    world.now += 600_000;
    world.event(Event::Focus(true));
    assert_eq!(timers(&world), [0], "at once");
    world.open.clear();
    world.press("b");
    world.event(Event::Focus(false));
    assert!(
        !world
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Cancel(_))),
        "{:?}",
        world.open
    );
    world.lacks("paused");
}

#[test]
fn when_runs_are_done_is_worked_out_again_only_when_there_is_something_new() {
    let mut world = watching(2);
    assert_eq!(world.asked_outlooks(), [0; 0], "nothing has been read yet");
    world.answer();
    world.tell(Pace::Steady);
    world.says("Sat ");
    world.read_next();
    assert_eq!(world.asked_outlooks(), [0; 0], "nothing has changed");
    world.record(1, Untested, Passed, 1);
    world.read_next();
    assert_eq!(world.asked_outlooks(), [2]);
    world.tell(Pace::Steady);
    world.now += 700_000;
    world.press("r");
    world.answer();
    world.tell(Pace::Steady);
    world.read_next();
    assert_eq!(world.asked_outlooks(), [0; 0], "it was worked out for both");
    // A late answer belongs to nobody.
    world.act(Action::Redraw);
    let before = world.store.clone();
    world.reply(RequestId(9_999_999), Answer::Finish(None));
    assert_eq!(world.store, before);
}

#[test]
fn the_ends_of_many_runs_are_worked_out_at_once_and_once() {
    let mut world = World::new((120, 40), 230);
    world.press("M");
    world.answer();
    assert_eq!(world.asked_outlooks(), [230]);
    let asks = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Samples(SampleRequest::Finish { .. }))
        )
    };
    let place = world.open.iter().position(asks).unwrap();
    let Effect::Request(id, Request::Samples(SampleRequest::Finish { .. })) =
        world.open.remove(place)
    else {
        panic!("{:?}", world.open);
    };
    world.reply(id, Answer::Finish(None));
    assert_eq!(world.asked_outlooks(), [0; 0]);
}

#[test]
fn no_results_no_forecast_whatever_the_samples_say() {
    let mut world = watching(1);
    world.answer();
    world.tell(Pace::Steady);
    world.says("Sat ");
    world.operation = RunsOperation::ListDocuments;
    (world.runs[0].results, world.runs[0].progress) = (None, None);
    world.read_next();
    world.says("no results from this service");
    world.lacks("Sat ");
}

#[test]
fn a_run_is_opened_and_the_way_back_leads_over_the_monitor_to_the_list() {
    let mut world = watching(3);
    world.answer();
    world.press("j\n");
    world.at(Layer::Detail);
    assert_eq!(world.store.detail().unwrap().run.id(), Some("R_1"));
    world.press("\u{1b}");
    world.at(Layer::Monitor);
    assert_eq!(world.monitor().scroll.cursor, 1);
    world.press("\n");
    world.press("M");
    assert_eq!(world.monitor().runs.len(), 1);
    let mut way = Vec::new();
    for _ in 0..4 {
        world.press("\u{1b}");
        way.push(world.store.screen());
    }
    assert_eq!(way, [Layer::Detail, Layer::Runs, Layer::Runs, Layer::Runs]);
    let watches = |slot: &Slot| matches!(slot, Slot::ReadRuns(Layer::Monitor) | Slot::NextMinute);
    assert_eq!(world.store.waits(watches), None);
}

#[test]
fn the_suites_to_add_are_those_of_the_run_under_the_cursor_and_esc_leads_back() {
    let mut world = watching(3);
    world.answer();
    // No key that leads to a write stands in the foot of a wall.
    world.lacks("add suites");
    world.press("ja");
    world.at(Layer::Available);
    let available = world.store.available().unwrap();
    assert_eq!(available.on_run().unwrap().id(), Some("R_1"));
    assert!(available.suites.is_reading());
    world.says("R_1 › add suites");
    world.press("\u{1b}");
    world.at(Layer::Monitor);
    assert_eq!(world.monitor().scroll.cursor, 1);
    assert!(world.store.confirm().is_none());
}

#[test]
fn a_reading_is_given_up_and_another_profile_ends_the_monitor() {
    let mut world = watching(3);
    world.act(Action::Cancel);
    assert!(!world.monitor().busy());
    let mut open = world.open.iter();
    assert!(open.any(|effect| matches!(effect, Effect::Cancel(_))));
    world.press("r");
    assert!(world.monitor().busy());
    world.event(Event::Connected(Box::new(session())));
    assert_eq!(
        (world.store.screen(), &world.store.monitor()),
        (Layer::Runs, &None)
    );
}

#[test]
fn no_action_asks_for_a_write_from_the_monitor() {
    let mut world = watching(3);
    world.answer();
    for action in crate::support::actions() {
        if matches!(
            action,
            Action::Quit | Action::Back | Action::LastScreen | Action::NextScreen | Action::Open
        ) {
            continue;
        }
        world.open.clear();
        world.act(action.clone());
        for effect in &world.open {
            let writes = matches!(
                effect,
                Effect::Request(
                    _,
                    Request::ChangeSuites(_)
                        | Request::Probe(_)
                        | Request::Modify(_)
                        | Request::Create(_)
                        | Request::Delete(_)
                        | Request::PlanUndo(_)
                        | Request::TakeDraft { .. }
                )
            );
            assert!(!writes, "{action:?} asks for {effect:?}");
        }
        let opened = match action {
            // They lie over the monitor; suites are asked about before they are written.
            Action::Show(
                layer @ (Layer::Available
                | Layer::Attached
                | Layer::Board
                | Layer::Changes
                | Layer::Compare),
            ) => layer,
            Action::Coverage => Layer::Available,
            Action::Raw => Layer::Json,
            _ => Layer::Monitor,
        };
        assert_eq!(world.store.screen(), opened, "{action:?}");
        assert!(
            world.store.confirm().is_none() && world.store.form().is_none(),
            "{action:?}"
        );
        while world.store.layer() != Layer::Monitor {
            world.act(Action::Back);
        }
    }
}

/// The numbers are those of the list; a reading that fails does not make them of no time.
#[test]
fn numbers_that_were_here_when_the_monitor_was_opened_have_their_time() {
    let mut world = World::new((100, 24), 30);
    world.now += 600_000;
    world.press("M");
    world.fail(&failure());
    world.lacks("nothing read yet");
    world.says("read 09:41");
}
