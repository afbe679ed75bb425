//! The next start begins where the last one ended, with what is kept, whether anybody answers or not.

use std::time::Duration;

use rustix::process::Signal;

use crate::home::{Home, PROGRAM};
use crate::office::{Office, PASSWORD};
use crate::pty::{CTRL_C, ENTER, ESC, Pty};
use crate::texts::lacks;

const SIZE: (u16, u16) = (80, 24);
/// Where one is, is on the disk after so long.
const KEPT_AFTER: Duration = Duration::from_secs(7);

/// How a program is ended, and whether on the run that is open.
type End<'a> = (&'static str, bool, &'a dyn Fn(&mut Pty));

/// The row under the cursor.
fn row(pty: &Pty) -> String {
    pty.line("> ")
}

/// All runs, by their titles, the cursor on the fifth, which is opened.
fn go_somewhere(pty: &mut Pty) -> (String, String) {
    pty.rows();
    pty.press_until("6", "[6 All");
    pty.press_until("ot", "Title ↑");
    // The heading says the order before the rows have it.
    pty.wait("the order", |pty| {
        let lines = pty.lines();
        let Some((before, _)) = lines[2].split_once("Title ↑") else {
            return false;
        };
        let at = before.chars().count();
        let titles = lines[3..12].iter().map(|row| row.chars().nth(at));
        titles
            .map(|it| it.map(|it| it.to_ascii_lowercase()))
            .is_sorted()
    });
    pty.press("jjjj");
    pty.wait("the fifth row", |pty| pty.lines()[7].starts_with("> "));
    let (list, id) = (pty.text(), row(pty)[2..8].trim().to_owned());
    pty.press(ENTER);
    pty.wait("the run", |pty| pty.lines()[0].contains(&format!("› {id}")));
    pty.press_until("3", "[3 History]");
    (list, id)
}

#[test]
fn however_it_ended_the_next_start_is_where_it_was() {
    let office = Office::open();
    let quits = |pty: &mut Pty| {
        pty.press_until(ESC, "[6 All");
        pty.press("q");
    };
    let given_up = |pty: &mut Pty| {
        // The first one may give up what is being read.
        pty.press(CTRL_C);
        pty.wait("an answer", |pty| {
            ["quits", "given up"]
                .iter()
                .any(|it| pty.text().contains(it))
        });
        if pty.text().contains("given up") {
            pty.press(CTRL_C);
            pty.wait_for("quits");
        }
        pty.press(CTRL_C);
    };
    let told = |pty: &mut Pty| pty.signal(Signal::TERM);
    let killed = |pty: &mut Pty| {
        std::thread::sleep(KEPT_AFTER);
        pty.signal(Signal::KILL);
    };
    let ends: [End<'_>; 4] = [
        ("q", false, &quits),
        ("Ctrl-c", true, &given_up),
        ("TERM", true, &told),
        ("KILL", true, &killed),
    ];
    for (name, on_run, end) in ends {
        let home = Home::new();
        let mut pty = office.start_with(&home, SIZE, PASSWORD);
        let (list, id) = go_somewhere(&mut pty);
        end(&mut pty);
        pty.ended();
        let mut pty = office.start_with(&home, SIZE, PASSWORD);
        if on_run {
            pty.wait(name, |pty| pty.lines()[0].contains(&format!("› {id}")));
            pty.wait_for("[3 History]");
            pty.press(ESC);
        }
        pty.wait_for("[6 All 15]");
        let rows = |text: &str| {
            let rows = text.lines().filter(|line| line.contains(" R_"));
            rows.map(|row| row.trim_end().to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(rows(&pty.text()), rows(&list), "{name}");
        assert!(pty.text().contains("Title ↑"), "{name}: {}", pty.text());
        pty.press("q");
        pty.ended();
        // Who wants to begin anew says so.
        let mut pty = office.start_as(&home, SIZE, PASSWORD, &["--fresh"]);
        pty.wait_for("[1 Open");
        pty.close();
    }
}

#[test]
fn each_project_goes_on_where_it_was() {
    let (office, home) = (Office::open(), Home::new());
    let mut pty = office.start_with(&home, SIZE, PASSWORD);
    pty.rows();
    pty.press_until("5", "[5 Closed");
    pty.press_until(":", ": ");
    pty.press("project P_12");
    pty.press(ENTER);
    pty.wait("the other project", |pty| {
        pty.lines()[0].contains("P_12") && pty.text().contains("[1 Open")
    });
    pty.wait_for("6 All 1");
    pty.press_until("6", "[6 All");
    pty.press("q");
    pty.ended();
    for (project, tab) in [("P_9/SP_1", "[5 Closed"), ("P_12", "[6 All")] {
        let (id, part) = project.split_once('/').unwrap_or((project, "_"));
        let asked = ["--project", id, "--subproject", part];
        let mut pty = office.start_as(&home, SIZE, PASSWORD, &asked);
        pty.wait(project, |pty| {
            pty.lines()[0].contains(project) && pty.text().contains(tab)
        });
        pty.press("q");
        pty.ended();
    }
}

#[test]
fn a_tab_that_was_kept_is_there_at_the_next_start_and_gone_once_it_was_taken_away() {
    let office = Office::open();
    let home = Home::new();
    let start = || {
        let mut pty = office.start_with(&home, (120, 28), PASSWORD);
        pty.rows();
        pty
    };
    let end = |mut pty: Pty| {
        pty.press("q");
        pty.ended();
    };
    let found = |pty: &Pty| -> Vec<String> {
        let lines = pty.lines();
        let rows = lines.iter().filter(|line| line.contains(" R_"));
        rows.map(|row| row.chars().skip(2).take(50).collect())
            .collect()
    };
    let mut pty = start();
    pty.press_until("6", "[6 All 15]");
    pty.press_until("/sta\t", "/ status:");
    pty.press_until("op\t", "/ status:open");
    pty.press_until(" smoke", "found");
    pty.press(ENTER);
    pty.press_until("ot", "Title ↑");
    pty.press_until(":save-view Smoke\r", "Smoke is a tab now");
    pty.wait_for("[7 Smoke ");
    let kept = found(&pty);
    assert!(!kept.is_empty() && kept.iter().all(|row| row.to_lowercase().contains("smoke")));
    end(pty);
    // It is where one was.
    let mut pty = start();
    pty.wait_for("[7 Smoke ");
    pty.wait("what was kept", |pty| {
        found(pty) == kept && pty.text().contains("Title ↑")
    });
    pty.press_until(":delete-view Smoke\r", "[1 Open");
    pty.wait_gone("7 Smoke");
    end(pty);
    let pty = start();
    lacks(&pty.text(), "7 Smoke");
    end(pty);
}

#[test]
fn with_a_dead_network_the_rows_are_there_and_can_be_searched_and_sorted() {
    let office = Office::open();
    let home = Home::new();
    let mut pty = office.start_with(&home, (120, 28), PASSWORD);
    pty.rows();
    pty.press_until("6", "[6 All");
    pty.wait_for("run 1 of 15");
    pty.press(ENTER);
    pty.wait_for("[1 Results]");
    pty.press_until("5", "Reference     TestRun-dm/");
    pty.press(ESC);
    pty.wait_for("run 1 of 15");
    let before = pty.lines()[3..18].to_vec();
    pty.press("q");
    pty.ended();
    office.runtime.block_on(office.proxy.go_down());
    let mut pty = office.start_with(&home, (120, 28), PASSWORD);
    pty.wait_for("OFFLINE since ");
    pty.wait_for("[6 All 15]");
    // Why is among the problems; the line is that of the list whatever is tried.
    pty.wait_for("1 new");
    let ids = |lines: &[String]| {
        lines
            .iter()
            .map(|row| row.trim_end().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&pty.lines()[3..18]), ids(&before));
    pty.press_until("/smoke", "found");
    pty.wait("found here", |pty| {
        let rows = pty.lines()[3..18].to_vec();
        let rows: Vec<_> = rows.iter().filter(|line| line.contains(" R_")).collect();
        !rows.is_empty() && rows.iter().all(|row| row.to_lowercase().contains("smoke"))
    });
    pty.press(ESC);
    pty.wait_for("Esc clears the words");
    // One that is held down is one.
    std::thread::sleep(Duration::from_millis(100));
    pty.press_until(ESC, "run 1 of 15");
    // A run that was opened before can be read, and edited into a draft.
    pty.press(ENTER);
    pty.press_until("5", "Reference     TestRun-dm/");
    pty.wait_for("the service does not answer");
    pty.wait_for("OFFLINE since ");
    pty.press_until("e", "> Title");
    pty.wait_for("Smoke test address validation");
    pty.press(" offline");
    pty.wait_for("draft kept ");
    pty.press_until(ESC, "[5 Details]");
    pty.press_until(ESC, "[6 All 15]");
    pty.press_until("ot", "Title ↑");
    pty.press("qq");
    pty.ended();
    pty.assert_restored();
}

#[test]
fn at_midnight_what_was_of_today_is_of_yesterday_without_a_key() {
    let home = Home::new();
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    // Far enough for the start on a busy machine.
    let left = 15;
    let second = jiff::Timestamp::now().as_second().rem_euclid(86_400);
    let ahead = (86_400 - left - second).rem_euclid(86_400);
    let zone = format!(
        "RUN-{:02}:{:02}:{:02}",
        ahead / 3_600,
        ahead / 60 % 60,
        ahead % 60
    );
    command.env("TZ", zone);
    let mut pty = Pty::start(command, SIZE.0, SIZE.1);
    pty.rows();
    let today = |pty: &Pty| pty.line("Today ");
    let before = today(&pty);
    assert!(pty.lines()[0].contains("read 23:59"), "{}", pty.text());
    pty.wait("the new day", |pty| {
        pty.lines()[0].contains("read yesterday 23:59") && today(pty) != before
    });
}
