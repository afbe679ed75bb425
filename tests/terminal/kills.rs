//! The program killed with SIGKILL at any moment: what was typed is still there, and nothing was sent twice.
//!
//! `RUNDOWN_KILLS=250 cargo test --test terminal kills` does it as often as that; without it, a few times.

use std::collections::BTreeSet;
use std::fs;
use std::time::{Duration, Instant, SystemTime};

use rundown::disk::{Drafts, Journal, Recorded};
use rundown::domain::{DocRef, Draft, DraftOwner, RunField};
use rustix::process::Signal;
use secrecy::ExposeSecret;

use crate::home::Home;
use crate::office::Office;
use crate::proxy::Fault;
use crate::pty::{ENTER, ESC, Pty};
use crate::texts::{lacks, says};

const CTRL_S: &str = "\x13";
const ADD: &str = "ADD_TEST_SUITES_TO_RUN";
const REMOVE: &str = "DELETE_TEST_SUITES_FROM_RUN";
const DELETE: &str = "DELETE_TEST_RUN";
const CTRL_G: &str = "\x07";
/// On the screen for so long, a text must be on the disk.
const KEPT_AFTER: Duration = Duration::from_secs(1);
/// Typed text is on the screen after so long, unless the machine stands still.
const AT_ONCE: Duration = Duration::from_millis(100);

impl Office {
    /// The database, and by what it names a run.
    fn place_of(&self, run: &DocRef) -> (rusqlite::Connection, Vec<u8>) {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let id = run.as_str().strip_prefix("TestRun-dm/").unwrap();
        let id = uuid::Uuid::parse_str(id).unwrap();
        (database, id.as_bytes().to_vec())
    }

    /// The suites in a run, as the database has them.
    fn suites_of(&self, run: &DocRef) -> BTreeSet<DocRef> {
        let (database, id) = self.place_of(run);
        let sql = "SELECT s.number FROM runs r JOIN docs d ON d.seq = r.seq, json_each(d.suites) i
            JOIN suites s ON s.seq = i.value WHERE r.ref = ?1";
        let mut statement = database.prepare(sql).unwrap();
        let number = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let numbers = statement.query_map([id], number).unwrap();
        numbers
            .map(|number| DocRef::parse(&format!("TestSuite-dm/{}", number.unwrap())).unwrap())
            .collect()
    }

    /// A run whose suites can all be worked out.
    fn run_to_delete(&self) -> (DocRef, String) {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let sql = "SELECT ref FROM runs WHERE seq = 15 AND status = 0 AND suite_count = 7";
        let id = database.query_row(sql, [], |row| row.get::<_, [u8; 16]>(0));
        let id = uuid::Uuid::from_bytes(id.unwrap());
        let run = DocRef::parse(&format!("TestRun-dm/{id}")).unwrap();
        (run, "R_15".into())
    }

    fn has(&self, run: &DocRef) -> bool {
        let (database, id) = self.place_of(run);
        let sql = "SELECT count(*) FROM runs WHERE ref = ?1";
        let count = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        let count = database.query_row(sql, [id], count);
        count.unwrap() == 1
    }

    /// The suites that requests of this method named, one list for each.
    fn named(&self, method: &str) -> Vec<Vec<DocRef>> {
        let passed = self
            .proxy
            .passed()
            .into_iter()
            .filter(|passed| passed.method == method);
        let named = passed.map(|passed| passed.json()["params"]["testSuiteDocRefs"].clone());
        let list = |suites: serde_json::Value| {
            let suites: Vec<String> = serde_json::from_value(suites).unwrap();
            suites
                .iter()
                .map(|suite| DocRef::parse(suite).unwrap())
                .collect()
        };
        named.map(list).collect()
    }

    /// How often a write with this title came.
    fn sent(&self, title: &str) -> usize {
        let general = |passed: &crate::proxy::Passed| {
            passed.json()["params"]["document"]["Root"]["General"]["Title"].as_str() == Some(title)
        };
        self.proxy
            .passed()
            .iter()
            .filter(|passed| general(passed))
            .count()
    }

    /// How many runs have this title.
    fn stored(&self, title: &str) -> usize {
        let database = rusqlite::Connection::open(self.service.database()).unwrap();
        let sql = "SELECT count(*) FROM runs WHERE title = ?1";
        database
            .query_row(sql, [title], |row| row.get::<_, i64>(0))
            .unwrap() as usize
    }
}

fn drafts(home: &Home) -> Vec<Draft> {
    let drafts = Drafts::new(home.path().join(".local/state/rundown/drafts"));
    let found = drafts.list(&DraftOwner::default()).unwrap();
    assert!(
        found.damaged.is_empty(),
        "a draft that cannot be read: {:?}",
        found.damaged
    );
    found.found
}

pub fn kill(pty: &mut Pty) {
    pty.signal(Signal::KILL);
    pty.ended();
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

fn times() -> u64 {
    std::env::var("RUNDOWN_KILLS")
        .ok()
        .and_then(|times| times.parse().ok())
        .unwrap_or(6)
}

#[test]
fn who_quits_while_a_change_is_under_way_reads_afterwards_where_its_end_is_told() {
    let office = Office::open();
    let home = Home::new();
    let mut pty = office.start(&home);
    let words = "rundown: a change was under way: \"rundown changes resume --dry-run --profile office\" says whether it was sent";
    pty.press_until("n", "Title *");
    pty.press("Left behind");
    pty.wait_for("draft kept ");
    pty.press_until(CTRL_S, "Create \"Left behind\"?");
    office
        .proxy
        .fault_for("ADD_DOCUMENT", Fault::Delay(Duration::from_mins(1)));
    pty.press_until(ENTER, "Creating…");
    pty.wait("the request", |_| office.sent("Left behind") == 1);
    // Nothing happens, and the seconds are shown.
    pty.wait_for("Making the run… 3 s  Ctrl-c stops");
    pty.press_until("\x03", "Ctrl-c again quits");
    pty.press("\x03");
    pty.ended();
    pty.assert_restored();
    let left = pty.text();
    says(&left, words);
    says(&left, "rundown changes resume --dry-run");
    // Of a change whose end is known, and where there was none, nothing is said.
    let mut pty = office.start(&home);
    pty.wait_for("@ shows it");
    pty.press_until("q", "q again quits");
    pty.press("q");
    pty.ended();
    lacks(&pty.text(), words);
}

#[test]
fn killed_while_typing_nothing_older_than_a_second_is_missing() {
    let office = Office::open();
    let mut dice = Dice(11);
    for number in 0..times() {
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.press_until("n", "> Title");
        let (mut typed, mut seen) = (String::new(), Vec::new());
        let mut stood_still = Duration::ZERO;
        let end = Instant::now() + Duration::from_millis(200 + dice.below(2_300));
        while Instant::now() < end && typed.len() < 90 {
            let more: String = (0..=dice.below(5))
                .map(|_| char::from(b'a' + dice.below(26) as u8))
                .collect();
            pty.press(&more);
            typed.push_str(&more);
            let asked = Instant::now();
            pty.wait_for(&typed);
            let pause = Duration::from_millis(dice.below(60));
            seen.push((Instant::now(), typed.clone()));
            std::thread::sleep(pause);
            stood_still += asked.elapsed().saturating_sub(pause + AT_ONCE);
        }
        kill(&mut pty);
        let killed = Instant::now();
        let kept = drafts(&home);
        let text = kept
            .first()
            .map_or("", |draft| draft.texts[&RunField::Title].as_str());
        let due = seen
            .iter()
            .rev()
            .find(|(at, _)| killed.duration_since(*at) > KEPT_AFTER + stood_still);
        let due = due.map_or("", |(_, text)| text.as_str());
        assert!(
            typed.starts_with(text),
            "{number}: {text:?} was never typed: {typed:?}"
        );
        assert!(
            text.starts_with(due),
            "{number}: on the screen for a second: {due:?}, on the disk: {text:?}, stood still for {stood_still:?}"
        );
        assert!(kept.len() <= 1, "{number}: {kept:?}");
        if !kept.is_empty() {
            let mut pty = office.start(&home);
            pty.wait_for("a new run, typed until ");
            kill(&mut pty);
        }
    }
}

/// On the list of a small terminal, behind a sign-in by hand, which takes keys.
#[test]
fn killed_while_typing_the_next_start_names_the_draft_once_one_is_signed_in() {
    let office = Office::open();
    let home = Home::new();
    let sign_in = |pty: &mut Pty| {
        pty.wait_for("not stored");
        pty.press(office.service.profile().password.expose_secret());
        pty.press(ENTER);
        pty.wait_gone("not stored");
        pty.wait_for(" R_");
    };
    let mut pty = office.start_with(&home, (80, 24), "");
    sign_in(&mut pty);
    pty.press_until("n", "> Title");
    pty.press("typed and lost");
    pty.wait_for("draft kept ");
    kill(&mut pty);
    let mut pty = office.start_with(&home, (80, 24), "");
    sign_in(&mut pty);
    let told = pty.lines()[22].clone();
    assert!(
        told.starts_with("a new run, typed until "),
        "{}",
        pty.text()
    );
    assert!(told.trim_end().ends_with(": Ctrl-g"), "{}", pty.text());
    pty.press_until(CTRL_G, "typed and lost");
    kill(&mut pty);
}

#[test]
fn killed_while_saving_the_text_is_there_and_nothing_was_sent_twice() {
    let office = Office::open();
    let mut dice = Dice(12);
    for number in 0..times() {
        let title = format!("killed while saving {number}");
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.press_until("n", "> Title");
        pty.press(&title);
        pty.wait_for(&title);
        pty.wait_for("draft kept ");
        pty.press_until(CTRL_S, "[ Create ]");
        pty.press(ENTER);
        std::thread::sleep(Duration::from_millis(dice.below(250)));
        kill(&mut pty);
        let kept = drafts(&home);
        let draft = kept
            .iter()
            .any(|draft| draft.texts[&RunField::Title] == title);
        assert!(
            draft || office.stored(&title) == 1,
            "{number}: neither the draft nor the run is there"
        );
        // Started again, the program sends nothing by itself, and offers what was typed.
        let mut pty = office.start(&home);
        if draft {
            pty.press_until("n", "> Title");
            pty.press(CTRL_G);
            pty.wait_for(&title);
        }
        assert!(
            office.sent(&title) <= 1,
            "{number}: sent {} times",
            office.sent(&title)
        );
        assert!(
            office.stored(&title) <= 1,
            "{number}: {} runs",
            office.stored(&title)
        );
        kill(&mut pty);
    }
}

#[test]
fn killed_after_a_look_what_changed_is_told_since_that_one() {
    let office = Office::open();
    let home = Home::new();
    let looks = || {
        let file = home.path().join(".local/state/rundown/samples.sqlite");
        let database = rusqlite::Connection::open(file).unwrap();
        let mut statement = database.prepare("SELECT at FROM looks").unwrap();
        let looks = statement.query_map([], |row| row.get::<_, i64>(0)).unwrap();
        looks.map(Result::unwrap).collect::<Vec<_>>()
    };
    let mut pty = office.start(&home);
    pty.press_until("H", "[1 Since ");
    assert!(looks().is_empty());
    let before = jiff::Timestamp::now().as_millisecond();
    pty.press_until("A", "all is seen up to now");
    // It is answered since when that is told only once it is kept.
    pty.wait_for("[1 Since ");
    pty.press_until("f", "last look");
    kill(&mut pty);
    let kept = looks();
    let now = jiff::Timestamp::now().as_millisecond();
    assert!(
        kept.len() == 1 && (before..=now).contains(&kept[0]),
        "{kept:?}"
    );
    // Looking at it again is no look.
    let mut pty = office.start(&home);
    pty.press_until("H", "[1 Since ");
    pty.press_until("f", "last look");
    kill(&mut pty);
    assert_eq!(looks(), kept);
}

#[test]
fn killed_while_adding_many_suites_the_next_start_tells_it_and_goes_on() {
    let mut dice = Dice(13);
    for number in 0..times() {
        let office = Office::with(400);
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.wait_for("? all signs");
        pty.press_until("?", "Help: keys in");
        pty.press(ESC);
        pty.wait_gone("Help: keys in");
        pty.press_until("a", "to add to R_");
        pty.press_until("A", " marked, up to ");
        office.proxy.fault_for(ADD, Fault::delay(400));
        pty.press_until(ENTER, "[ Add ");
        pty.press(ENTER);
        pty.wait("a request", |_| office.proxy.count(ADD) > 0);
        std::thread::sleep(Duration::from_millis(dice.below(700)));
        kill(&mut pty);
        let journal = Journal::open(&home.path().join(".local/state/rundown")).unwrap();
        let writes = journal.newest(None).unwrap().writes;
        let first = writes.last().unwrap();
        let run = DocRef::parse(&first.run).unwrap();
        let all = [first.suites(), first.kept_suites("rest")].concat();
        let all: BTreeSet<DocRef> = all.into_iter().map(|(suite, _)| suite).collect();
        assert!(all.len() > 40, "{} are no bulk", all.len());
        // What was out when the program was killed still comes about.
        office.proxy.has_taken_all();
        let sent = office.named(ADD);
        let before = office.suites_of(&run);
        office.proxy.fault(Fault::None);
        let mut pty = office.start(&home);
        pty.wait_for("; @ shows it");
        pty.wait_for("[1 Open ");
        pty.press_until("@", "Enter reads");
        assert_eq!(
            office.named(ADD),
            sent,
            "{number}: something was sent by itself"
        );
        pty.press_until(ENTER, "Go on: Add ");
        assert_eq!(
            office.named(ADD),
            sent,
            "{number}: something was sent before it was said"
        );
        pty.press_until(ENTER, ", checked");
        assert!(office.suites_of(&run).is_superset(&all), "{number}");
        let later = office.named(ADD).split_off(sent.len());
        for suite in later.iter().flatten() {
            assert!(!before.contains(suite), "{number}: {suite} was sent again");
        }
        kill(&mut pty);
        let mut pty = office.start(&home);
        pty.wait_for("\nrun 1 of ");
        lacks(&pty.text(), "all signs");
        kill(&mut pty);
    }
}

#[test]
fn killed_while_deleting_the_next_start_tells_what_was_sent_and_nothing_is_sent_twice() {
    let mut dice = Dice(14);
    for number in 0..times() {
        let office = Office::with(40);
        let (run, id) = office.run_to_delete();
        let home = Home::new();
        let mut pty = office.start(&home);
        pty.press_until(&format!("/{id}{ENTER}"), "\nrun 1 of 1 ");
        pty.press_until("D", "It holds 7 suites. ");
        office.proxy.fault(Fault::delay(40));
        pty.press(&format!("{id}{ENTER}"));
        std::thread::sleep(Duration::from_millis(dice.below(900)));
        kill(&mut pty);
        // What was out when the program was killed still comes about.
        office.proxy.has_taken_all();
        office.proxy.fault(Fault::None);
        let sent = office.proxy.count(REMOVE) + office.proxy.count(DELETE);
        let deleted = office.proxy.count(DELETE) == 1;
        let state = home.path().join(".local/state/rundown");
        let copies = fs::read_dir(state.join("trash")).map_or(0, Iterator::count);
        assert!(sent == 0 || copies == 1, "{number}: {copies} copies");
        assert_eq!(office.has(&run), !deleted, "{number}");
        let journal = Journal::open(&state).unwrap();
        let writes = journal.newest(None).unwrap().writes;
        let is_deletion = |(method, _): (&str, _)| method == DELETE;
        let mut deletion = writes.iter();
        let deletion = deletion.find(|write| write.request().is_some_and(is_deletion));
        let known =
            deletion.is_some_and(|write| matches!(write.last(), Some(Recorded::Confirmed { .. })));
        let mut pty = office.start(&home);
        pty.wait_for("[1 Open ");
        if sent > 0 && !known {
            pty.wait_for("; @ shows it");
            pty.press_until("@", "Enter reads");
            pty.press(ENTER);
            if deleted {
                pty.wait_for(&format!("{id} is gone, as a reading shows."));
            } else if deletion.is_some() {
                // Written down, and killed before it was out.
                pty.wait_for(&format!("{id} is there, as a reading shows."));
            } else {
                pty.wait_for(&format!("{id} itself is not deleted: delete it anew."));
            }
        }
        kill(&mut pty);
        assert!(office.proxy.count(DELETE) <= 1, "{number}: deleted twice");
        let removed: Vec<DocRef> = office.named(REMOVE).into_iter().flatten().collect();
        let once: BTreeSet<&DocRef> = removed.iter().collect();
        assert_eq!(removed.len(), once.len(), "{number}: removed twice");
    }
}

#[test]
fn the_folder_of_a_killed_demo_goes_with_the_next_one_and_that_of_another_stays() {
    let home = Home::new();
    let folders = || {
        let folders = fs::read_dir(home.temporary()).unwrap();
        folders.map(|it| it.unwrap().path()).collect::<Vec<_>>()
    };
    let mut killed = home.demo();
    let left = folders();
    let mut other = home.demo();
    let held: Vec<_> = folders()
        .into_iter()
        .filter(|it| !left.contains(it))
        .collect();
    killed.signal(Signal::KILL);
    killed.ended();
    let hour = SystemTime::now() - Duration::from_hours(1);
    for folder in folders() {
        fs::File::open(folder).unwrap().set_modified(hour).unwrap();
    }
    let mut next = home.demo();
    let there = folders();
    assert!(there.iter().all(|it| !left.contains(it)), "{there:?}");
    assert!(
        !held.is_empty() && held.iter().all(|it| there.contains(it)),
        "{there:?}"
    );
    for pty in [&mut other, &mut next] {
        pty.press("q");
        assert!(pty.ended().success());
    }
    home.assert_nothing_left();
}
