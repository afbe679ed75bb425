//! What is told about changes between two readings, and what is not.

use crate::support::prelude::*;

use proptest::prelude::*;
use rundown::domain::diff::{Change, Ignored, News, OwnWrite};
use rundown::mirror::{Mirror, MirrorSettings, OwnRecord};
use rundown::store::{Feed, FeedEntry as Entry, What};

use super::ends::changed;
use super::suites::suite;
use ResultCode::{Blocked, FailedNew, Passed, Untested};

/// Runs that nobody looked at since they changed.
fn unread(world: &World) -> usize {
    let feed = world.store.feed();
    let runs = world.runs.iter();
    runs.filter(|run| feed.is_unread(&run.doc_ref)).count()
}

fn words(world: &World) -> Vec<String> {
    let entries = world.store.feed().entries.iter();
    entries
        .map(|entry| format!("{} {}", entry.name, entry.what))
        .collect()
}

fn new(world: &World, number: u64) -> RunRow {
    row(number).with(|it| it.edited_on = Some(world.now))
}

#[test]
fn a_change_is_told_by_code_and_stays_unread_until_the_run_is_opened() {
    let mut world = World::new((120, 40), 30);
    world.record(7, Untested, FailedNew, 1);
    world.refresh();
    assert_eq!(words(&world), ["R_7 Untested 36 → 35, Failed (new) 9 → 10"]);
    let screen = world.screen();
    world.press("H2");
    world.says("09:42  R_7    Untested 36 → 35, Failed (new) 9 → 10");
    world.press("H");
    says(&screen, " ●R_7 ");
    world.record(7, Untested, Passed, 3);
    world.refresh();
    world.press("jjjjjjj\n");
    world.press("\u{1b}");
    world.lacks("●");
    assert_eq!(words(&world).len(), 2, "the feed keeps what it told");
}

/// What the history knows comes at the start, before anything is read.
#[test]
fn what_was_seen_before_the_start_has_its_day_and_does_not_count_as_of_today() {
    let mut world = World::new((120, 40), 30);
    let known = |world: &World, number: usize| world.store.runs().runs()[number].clone();
    let failed = |before: u64| News::Changed {
        changes: vec![Change::Count {
            code: "5".into(),
            label: "Failed (new)".into(),
            before,
            after: before + 1,
        }],
        by: None,
    };
    let day = 24 * 3_600_000;
    let (old, young) = (known(&world, 0), known(&world, 7));
    world.says("no news of it; its tab History has all changes that are known");
    world.press("H2");
    world.says("No changes seen yet.");
    world.press("H");
    let news = vec![(old, failed(1))];
    world.event(Event::News(NOW - 40 * day, news.clone()));
    world.event(Event::News(NOW - day, news));
    world.event(Event::News(NOW - 60_000, vec![(young, failed(8))]));
    world.says("yesterday  Failed (new) 1 → 2");
    world.press("H2");
    world.says("All, newest first 3");
    world.says("09:40      R_7    Failed (new) 8 → 9");
    world.says("yesterday  R_0    Failed (new) 1 → 2");
    world.says("11 Oct     R_0    Failed (new) 1 → 2");
    world.press("HM");
    world.answer();
    let screen = world.screen();
    let mut told = screen
        .lines()
        .filter(|line| line.contains("1 more failed (new)"));
    says(told.next().unwrap(), "  09:40  R_7    A title");
    assert_eq!(told.next(), None, "those of other days");
}

#[test]
fn an_older_line_of_a_run_stays_without_a_dot() {
    let mut world = World::new((120, 40), 30);
    let run = world.store.runs().runs()[7].clone();
    let closed = News::Changed {
        changes: vec![Change::Closed],
        by: None,
    };
    world.event(Event::News(NOW - 7_200_000, vec![(run, closed)]));
    // The line under the cursor is looked at.
    for run in [3, 7] {
        world.record(run, Untested, FailedNew, 1);
    }
    world.refresh();
    world.press("H2");
    let screen = world.screen();
    let line = |words: &str| screen.lines().find(|line| line.contains(words)).unwrap();
    says(line("R_7    Untested"), "●");
    lacks(line("closed"), "●");
}

#[test]
fn a_line_that_was_looked_at_stays_so() {
    let mut world = World::new((120, 40), 30);
    world.record(7, Untested, FailedNew, 1);
    world.refresh();
    world.press("jjjjjjj\n\u{1b}");
    world.record(7, Untested, Passed, 3);
    world.refresh();
    world.press("H2");
    world.says("09:43  R_7    Untested 35 → 32");
    world.says("09:42  R_7    Untested 36 → 35");
}

#[test]
fn the_list_is_not_behind_what_the_monitor_has_read() {
    let mut world = World::new((120, 40), 30);
    world.press("M");
    world.answer();
    world.record(0, Untested, Passed, 3);
    world.now += 30_000;
    world.press("r");
    world.answer();
    world.press("\u{1b}");
    assert_eq!(
        world.store.runs().runs()[0].row().results,
        world.runs[0].results
    );
}

#[test]
fn what_went_back_is_told_and_needs_no_look() {
    let mut world = World::new((120, 40), 30);
    world.record(3, Untested, Passed, 2);
    world.refresh();
    world.record(3, Passed, Untested, 2);
    world.refresh();
    assert_eq!(words(&world).len(), 2);
    assert_eq!(unread(&world), 0);
}

#[test]
fn another_order_is_no_change() {
    let mut world = World::new((120, 40), 230);
    let marked = world.runs[2].doc_ref.clone();
    world.press("jj jjj");
    for turn in [1, 7, 50, 61, 113] {
        world.runs.rotate_left(turn);
        world.refresh();
        assert_eq!(
            words(&world),
            [""; 0],
            "rotated by {turn}: a run on another page is not gone"
        );
    }
    world.runs.reverse();
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
    assert!(world.store.runs().list.marks.has(&marked));
}

#[test]
fn cursor_marks_and_scroll_stay_while_others_write() {
    let mut world = World::new((80, 24), 40);
    world.press(" jj jjjjjjjjjjjjjjjjjjjjjj");
    let here = world.store.runs().current().unwrap().doc_ref.clone();
    let before = world.store.runs().list.scroll;
    for number in [3, 9, 24] {
        world.record(number, Untested, Passed, 1);
    }
    world.refresh();
    assert_eq!(world.store.runs().list.scroll, before);
    assert_eq!(world.store.runs().current().unwrap().doc_ref, here);
    assert_eq!(world.store.runs().list.marks.len(), 2);
    assert_eq!(words(&world).len(), 3);
    // One comes before it: the cursor goes along with its run.
    world.runs.insert(0, row(901));
    world.refresh();
    assert_eq!(world.store.runs().current().unwrap().doc_ref, here);
}

#[test]
fn a_list_tells_what_appeared_and_vanished() {
    let mut world = World::new((120, 40), 30);
    let mut gone = world.runs.remove(4);
    world.runs.insert(0, new(&world, 900));
    world.refresh();
    assert_eq!(
        words(&world),
        ["R_4 vanished", "R_900 appeared (edited by mai)"]
    );
    world.says(" ●R_900");
    gone.edited_on = Some(world.now);
    world.runs.push(gone);
    world.refresh();
    assert_eq!(words(&world)[0], "R_4 appeared (edited by mai)");
    // Many at once are one line.
    let many: Vec<RunRow> = (1_000..1_022).map(|number| new(&world, number)).collect();
    world.runs.extend(many);
    world.refresh();
    assert_eq!(words(&world)[0], "list 22 runs appeared");
    let told = &world.store.feed().entries[0].what;
    assert!(matches!(told, What::Statement { bad: false, .. }));
}

/// The newest 300 changes of the history are read: where many of them share a line there may be older ones, too.
#[test]
fn changes_that_share_a_line_count_each() {
    let mut world = World::new((120, 40), 30);
    let new = |number| {
        let run = Arc::new(rundown::mirror::Run::new(&row(number), NOW));
        (run, News::Appeared { by: None })
    };
    for reading in 0..6 {
        let at = NOW - (9 - reading) * 3_600_000;
        let first = 1_000 + 100 * reading as u64;
        let news: Vec<_> = (first..first + 48).map(new).collect();
        world.event(Event::News(at, news.clone()));
        world.event(Event::News(at, news));
    }
    world.press("H2");
    world.says("All, newest first 6]");
    let run = world.store.runs().runs()[0].clone();
    for minute in 0..12 {
        let news = vec![(run.clone(), News::Vanished)];
        world.event(Event::News(NOW - minute * 60_000, news));
    }
    world.says("All, newest first 18+]");
}

#[test]
fn a_full_feed_forgets_its_oldest_lines() {
    let mut feed = Feed::default();
    for number in 0..301 {
        feed.push(Entry::of_service(NOW + number, String::new(), false));
    }
    assert_eq!(feed.entries.back().unwrap().at, NOW + 1);
}

#[test]
fn what_a_list_lacks_is_asked_for_by_its_id() {
    let mut world = World::new((120, 40), 120);
    let gone = world.runs.remove(70);
    world.by_id = ById::Fails;
    world.refresh();
    assert_eq!(
        words(&world),
        [""; 0],
        "it may have been on its way to another page"
    );
    // Somebody has put it back, so to say: nothing is claimed, and it is not new either.
    world.by_id = ById::Right;
    world.runs.insert(3, gone);
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
    world.runs.remove(3);
    world.refresh();
    assert_eq!(words(&world), ["R_70 vanished"]);
    world.refresh();
    assert_eq!(words(&world).len(), 1, "once");
}

/// What the service makes of the filter is not documented: only an answer that holds nothing else says that a run is gone.
#[test]
fn a_filter_that_is_not_heeded_proves_nothing() {
    let mut world = World::new((120, 40), 120);
    let gone = world.runs.remove(70);
    world.by_id = ById::Others;
    world.refresh();
    assert_eq!(words(&world), [""; 0], "rows of other runs");
    world.by_id = ById::Right;
    world.runs.insert(70, gone);
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
}

#[test]
fn the_last_tester_goes_once() {
    let mut world = World::new((120, 40), 30);
    world.runs[7].testers.clear();
    for _ in 0..3 {
        world.refresh();
    }
    let told = words(&world);
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].starts_with("R_7 Testers -"), "{told:?}");
}

/// Another sort order is another window, and its first reading is no other's.
#[test]
fn a_new_run_is_told_with_the_next_reading_whatever_window_it_is_of() {
    let mut world = World::new((120, 40), 30);
    world.runs.push(new(&world, 901));
    world.press("oe");
    world.refresh();
    assert_eq!(words(&world), ["R_901 appeared (edited by mai)"]);
}

#[test]
fn what_cannot_be_asked_for_is_asked_again_with_the_next_list() {
    let mut world = World::new((120, 40), 120);
    for _ in 0..10 {
        world.runs.remove(70);
    }
    world.by_id = ById::Fails;
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
    world.by_id = ById::Right;
    world.refresh();
    assert_eq!(words(&world).len(), 3, "a few at once");
    for _ in 0..3 {
        world.refresh();
    }
    assert_eq!(words(&world).len(), 10);
    assert!(
        words(&world).iter().all(|told| told.ends_with("vanished")),
        "{:?}",
        words(&world)
    );
}

#[test]
fn a_list_that_is_not_here_as_a_whole_claims_nothing() {
    let mut world = World::new((120, 40), 5_000);
    world.runs.remove(3);
    world.runs.insert(0, row(90_000));
    world.refresh();
    world.refresh();
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
}

#[test]
fn a_run_that_left_the_filter_is_not_called_gone() {
    let mut world = World::new((120, 40), 30);
    world.press("fqftest\n");
    world.answer();
    world.runs[5].configuration = Some("chrome".into());
    world.refresh();
    assert_eq!(
        words(&world),
        ["R_5 Configuration \"qftest,chrome\" → \"chrome\""]
    );
    world.lacks("R_5 ");
}

#[test]
fn rows_without_counts_are_no_change() {
    let mut world = World::new((120, 40), 30);
    world.operation = RunsOperation::ListDocuments;
    for run in &mut world.runs {
        (
            run.suite_count,
            run.progress,
            run.results,
            run.cases_with_tester,
        ) = (None, None, None, None);
        run.testers.clear();
    }
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
}

#[test]
fn ignored_fields_are_not_told() {
    let ignored = Ignored::new(["Root.Metadata", "Root.General.Title"]);
    let mut world = World::with(
        (120, 40),
        30,
        Session {
            monitor: MonitorSettings::default().with(|it| it.ignored = ignored),
            ..session()
        },
    );
    world.runs[3].title = Some("Another".into());
    world.runs[4].configuration = Some("safari".into());
    world.refresh();
    assert_eq!(
        words(&world),
        ["R_4 Configuration \"qftest,chrome\" → \"safari\""]
    );
}

#[test]
fn the_feed_is_read_line_by_line_and_opens_the_run_at_the_change() {
    for size in [(120, 40), (80, 24)] {
        let mut world = World::new(size, 30);
        world.press("H2");
        world.says("No changes seen yet.");
        world.press("H");
        for run in [2, 5, 8] {
            world.record(run, Untested, Blocked, 1);
        }
        world.runs[5].title = Some("Renamed".into());
        world.refresh();
        world.press("H2");
        world.on(Layer::Changes);
        assert_eq!(unread(&world), 2, "the first line is looked at");
        world.press("j");
        let current = |world: &World| {
            let place = world.store.screens.changes.as_ref().unwrap().feed.cursor;
            world.store.feed().entries[place].clone()
        };
        let here = current(&world);
        // What comes in between stays above the cursor.
        world.record(1, Untested, Passed, 1);
        world.press("r");
        world.answer();
        assert_eq!(current(&world), here);
        world.says("2 All, newest first 4");
        world.press("\n");
        world.at(Layer::Detail);
        let detail = world.store.detail().unwrap();
        assert_eq!(
            (Some(&detail.run.doc_ref), detail.part),
            (here.run.as_ref(), 2),
            "at its history"
        );
        world.press("\u{1b}A\u{1b}");
        assert_eq!(unread(&world), 0);
    }
}

#[test]
fn changes_that_come_around_a_key_take_no_row_from_the_cursor() {
    let mut world = World::new((80, 24), 30);
    for run in [2, 5, 8] {
        world.record(run, Untested, Blocked, 1);
    }
    world.refresh();
    world.press("H2");
    let current = |world: &World| {
        let changes = world.store.screens.changes.as_ref().unwrap();
        world.store.feed().entries[changes.feed.cursor].clone()
    };
    let (first, next) = (current(&world), world.store.feed().entries[1].clone());
    let news = |world: &World, place: usize| {
        let run = world.store.runs().runs()[place].clone();
        let closed = News::Changed {
            changes: vec![Change::Closed],
            by: None,
        };
        Message::Event(Event::News(world.now, vec![(run, closed)]))
    };
    let moves = |motion| Message::Action(Action::Move(motion));
    for (motion, here) in [(Motion::Down, next), (Motion::Up, first)] {
        let at = world.now;
        for message in [news(&world, 9), moves(motion), news(&world, 10)] {
            world.store.update(message, at);
        }
        world.store.settle();
        assert_eq!(current(&world), here);
    }
}

#[test]
fn many_changes_stay_bounded() {
    let mut world = World::with((120, 40), 1_000, session().with(|it| it.page_size = 1_000));
    for turn in 0..4 {
        for run in 0..1_000 {
            let codes = [Untested, Passed];
            world.record(run, codes[turn % 2], codes[1 - turn % 2], 1);
        }
        world.refresh();
    }
    assert!(words(&world).len() <= 300, "{}", words(&world).len());
    world.runs.clear();
    world.refresh();
    assert!(words(&world).len() <= 300, "{}", words(&world).len());
}

#[test]
fn text_of_the_service_cannot_act_on_the_terminal() {
    let mut world = World::new((120, 40), 30);
    world.runs[0].title = Some("\u{1b}[2J\u{7}\u{202e}x".into());
    world.refresh();
    world.lacks("\u{1b}");
    world.lacks("\u{202e}");
    world.says("Title");
}

/// What happens at the service and on the way, in any order.
#[derive(Clone, Copy, Debug)]
enum Turn {
    /// The oldest call is answered, with how things are then.
    Answer,
    Refresh,
    /// A run goes to another place.
    Move(usize, usize),
    Insert(usize),
    Remove(usize),
    Record(usize),
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![
        8 => Just(Turn::Answer),
        2 => Just(Turn::Refresh),
        2 => (0_usize..200, 0_usize..200).prop_map(|(from, to)| Turn::Move(from, to)),
        1 => (0_usize..200).prop_map(Turn::Insert),
        1 => (0_usize..200).prop_map(Turn::Remove),
        1 => (0_usize..200).prop_map(Turn::Record),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: crate::support::cases(30), max_shrink_iters: 1_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_called_gone_that_is_there_nor_new_that_was(
        size in prop::sample::select(vec![7_u64, 50, 60, 120]),
        turns in prop::collection::vec(turn(), 1..120),
    ) {
        let mut world = World::new((120, 40), size);
        let first: Vec<_> = world.runs.iter().map(|run| run.doc_ref.clone()).collect();
        let mut next = 1_000;
        for turn in turns {
            let len = world.runs.len();
            match turn {
                Turn::Answer => drop(world.answer_one()),
                Turn::Refresh => world.press("r"),
                Turn::Move(from, to) if len > 0 => {
                    let run = world.runs.remove(from % len);
                    world.runs.insert(to % len, run);
                }
                Turn::Insert(place) => {
                    next += 1;
                    world.runs.insert(place.min(len), row(next));
                }
                Turn::Remove(place) if len > 1 => drop(world.runs.remove(place % len)),
                Turn::Record(place) if len > 0 => {
                    let run = place % len;
                    let left = world.runs[run].results.as_ref().unwrap().get(Untested);
                    world.record(run, Untested, Passed, left.min(1));
                }
                _ => {}
            }
            for entry in &world.store.feed().entries {
                let run = entry.run.as_ref().unwrap();
                match &entry.what {
                    What::News(News::Vanished) => {
                        let there = world.runs.iter().any(|it| it.doc_ref == *run);
                        prop_assert!(!there, "{} is called gone", entry.name);
                    }
                    What::News(News::Appeared { .. }) => {
                        prop_assert!(!first.contains(run), "{} is called new", entry.name);
                    }
                    _ => {}
                }
            }
        }
        // Once all is quiet, the next readings tell who is gone.
        world.answer();
        let told = |world: &World| {
            let entries = world.store.feed().entries.iter();
            let gone = entries.filter(|entry| entry.what == What::News(News::Vanished));
            gone.filter_map(|entry| entry.run.clone()).collect::<Vec<_>>()
        };
        let gone: Vec<_> =
            first.iter().filter(|run| !world.runs.iter().any(|it| it.doc_ref == **run)).cloned().collect();
        for _ in 0..40 {
            if gone.iter().all(|run| told(&world).contains(run)) {
                break;
            }
            world.refresh();
        }
        for run in &gone {
            prop_assert!(told(&world).contains(run), "{} is gone, and nothing says so", run);
        }
    }
}

/// Two suites are added to the run under the cursor, and the service says that they are in.
fn add_two(world: &mut World) {
    let run = world.store.runs().current().unwrap().doc_ref.clone();
    world.press("a");
    let id = world.store.asked(&Slot::Available);
    let result = Ok((1..=5).map(suite).collect());
    world.event(Event::Answer(id, Answer::Available(result)));
    world.press("  \n\n");
    let id = world.store.asked(&Slot::ChangeSuites);
    let done = vec![suite(1).doc_ref, suite(2).doc_ref];
    let outcome = changed(done, Vec::new(), Outcome::done("all"));
    world.event(Event::Answer(id, Answer::Changed(outcome)));
    world.press("\u{1b}");
    let run = world.runs.iter_mut().find(|row| row.doc_ref == run);
    let run = run.unwrap();
    run.suite_count = run.suite_count.map(|count| count + 2);
    run.results.as_mut().unwrap().add(Untested, 3);
}

#[test]
fn what_i_did_myself_is_no_news_and_what_others_do_then_is() {
    let mut world = World::new((120, 40), 30);
    add_two(&mut world);
    world.refresh();
    assert_eq!(words(&world), [""; 0]);
    world.lacks("●");
    world.record(0, Untested, Passed, 1);
    world.refresh();
    assert_eq!(words(&world), ["R_0 Untested 39 → 38, Passed 57 → 58"]);
    world.says("●");
    // What a tester recorded meanwhile is told, and nothing else of it.
    let mut world = World::new((120, 40), 30);
    add_two(&mut world);
    world.record(0, Untested, FailedNew, 1);
    world.refresh();
    assert_eq!(words(&world), ["R_0 Failed (new) 9 → 10"]);
    world.says("●");
    // A change that does not show for long is not waited for.
    let mut world = World::new((120, 40), 30);
    add_two(&mut world);
    world.now += 3_600_000;
    world.refresh();
    assert_eq!(words(&world).len(), 1);
}

/// What is told of runs, by whom they are read again and again.
struct Readings(Mirror);

impl Readings {
    fn new() -> Self {
        Self(Mirror::empty(MirrorSettings {
            ignored: Ignored::default(),
            done: Vec::new(),
            most: 1_000,
        }))
    }

    fn take(&mut self, rows: &[RunRow], at: i64) -> Vec<String> {
        let changes = self.0.take(rows, at).unwrap();
        let news = changes.news.iter();
        news.map(|(_, news)| news.to_string()).collect()
    }

    fn gone(&mut self, runs: &[RunRow], at: i64) -> Vec<String> {
        let runs: Vec<DocRef> = runs.iter().map(|row| row.doc_ref.clone()).collect();
        let changes = self.0.gone(&runs, at).unwrap();
        let news = changes.news.iter();
        news.map(|(run, news)| format!("{} {news}", run.name()))
            .collect()
    }

    /// These writes went out, each at a time.
    fn wrote(&mut self, writes: impl IntoIterator<Item = (DocRef, i64, Option<OwnWrite>)>) {
        let own = writes.into_iter();
        let own = own.map(|(run, at, write)| OwnRecord {
            run,
            at,
            write,
            is_done: true,
            was_open: None,
        });
        self.0.wrote(own.collect());
    }
}

#[test]
fn of_a_run_that_i_changed_only_that_is_mine_which_i_changed() {
    let told = |writes: &[OwnWrite], change: &dyn Fn(&mut RunRow)| -> Vec<String> {
        let (mut readings, mut run) = (Readings::new(), row(1));
        readings.take(std::slice::from_ref(&run), NOW);
        let writes = writes
            .iter()
            .map(|it| (run.doc_ref.clone(), NOW + 1, Some(it.clone())));
        readings.wrote(writes);
        change(&mut run);
        run.edited_on = Some(NOW + 1_000);
        run.edited_by = Some("mai".into());
        readings.take(&[run], NOW + 2_000)
    };
    let title = OwnWrite::Fields(vec![RunField::Title]);
    let both: &dyn Fn(&mut RunRow) = &|run| {
        run.title = Some("New".into());
        run.suite_count = run.suite_count.map(|count| count + 1);
    };
    let saved = told(std::slice::from_ref(&title), both);
    assert_eq!(saved.len(), 1);
    says(&saved[0], "Suites");
    lacks(&saved[0], "Title");
    let added = told(&[OwnWrite::Suites], both);
    assert_eq!(added.len(), 1);
    says(&added[0], "Title");
    lacks(&added[0], "Suites");
    // Both were done here, one after the other.
    assert_eq!(told(&[title.clone(), OwnWrite::Suites], both), [""; 0]);
    // Its suites were out on the way to its deletion.
    let suites: &dyn Fn(&mut RunRow) = &|run| run.suite_count = Some(0);
    assert_eq!(told(&[OwnWrite::Deletion], suites), [""; 0]);
    assert_eq!(told(&[OwnWrite::Deletion], both).len(), 1);
    let close: &dyn Fn(&mut RunRow) = &|run| run.status = Status::Inactive;
    assert_eq!(told(&[OwnWrite::Suites], close).len(), 1);
    let status = OwnWrite::Fields(vec![RunField::Status]);
    assert_eq!(told(&[status], close), [""; 0]);
    // What did not show for an hour is not written anew by something else.
    let (mut readings, mut run) = (Readings::new(), row(1));
    readings.take(std::slice::from_ref(&run), NOW);
    let writes = [(&title, NOW + 1), (&OwnWrite::Suites, NOW + 3_600_000)];
    readings.wrote(writes.map(|(write, at)| (run.doc_ref.clone(), at, Some(write.clone()))));
    both(&mut run);
    says(&readings.take(&[run], NOW + 3_601_000)[0], "Title");
    // Saved here, and deleted by somebody else.
    let rows: Vec<RunRow> = (0..3).map(row).collect();
    let mut readings = Readings::new();
    readings.take(&rows, NOW);
    readings.wrote([(rows[0].doc_ref.clone(), NOW + 1, Some(title))]);
    assert_eq!(readings.gone(&rows[..1], NOW + 1_000), ["R_0 vanished"]);
}

#[test]
fn what_i_did_myself_hides_nothing_of_others() {
    let rows: Vec<RunRow> = (0..30).map(row).collect();
    let mut readings = Readings::new();
    readings.take(&rows, NOW);
    // A run that was made here, in a list that is not here as a whole.
    let mut made = row(40);
    readings.wrote([(made.doc_ref.clone(), NOW, None)]);
    assert_eq!(readings.take(std::slice::from_ref(&made), NOW + 1), [""; 0]);
    made.title = Some("Theirs".into());
    assert_eq!(
        readings
            .take(std::slice::from_ref(&made), NOW + 1_000)
            .len(),
        1
    );
    assert!(readings.0.is_unread(&made.doc_ref));
    // A save of what no row shows is seen by its time.
    let mut saved = rows[1].clone();
    let description = OwnWrite::Fields(vec![RunField::Description]);
    readings.wrote([(saved.doc_ref.clone(), NOW + 1, Some(description))]);
    saved.edited_on = Some(NOW + 1_000);
    readings.take(std::slice::from_ref(&saved), NOW + 2_000);
    assert!(!readings.0.is_unread(&saved.doc_ref));
    saved.title = Some("Theirs".into());
    readings.take(std::slice::from_ref(&saved), NOW + 3_000);
    assert!(readings.0.is_unread(&saved.doc_ref));
    // Many that were deleted here at once, and one that was deleted elsewhere.
    let deleted = |run: &RunRow| (run.doc_ref.clone(), NOW + 3_001, Some(OwnWrite::Deletion));
    readings.wrote(rows[..25].iter().map(deleted));
    assert_eq!(readings.gone(&rows[..26], NOW + 4_000), ["R_25 vanished"]);
}
