//! A person at the list and in a run.

use crate::home::Home;
use crate::pty::{END, ENTER, ESC, HOME, Pty};
use crate::texts::{lacks, says};

/// The texts of a column of the list, from its heading on to the next one.
fn column(pty: &Pty, heading: &str, next: &str) -> Vec<String> {
    let lines = pty.lines();
    let Some(head) = lines
        .iter()
        .position(|line| line.contains(heading) && line.contains(next))
    else {
        return Vec::new();
    };
    let place = |text: &str| lines[head].split(text).next().unwrap().chars().count() as u16;
    let (from, to) = (place(heading), place(next));
    let shown = lines[head + 1..]
        .iter()
        .take_while(|line| line.contains("R_"))
        .count();
    // By cells: a wide character takes two of them.
    let texts = pty
        .screen()
        .rows(from, to - from)
        .skip(head + 1)
        .take(shown);
    texts.map(|text| text.trim().to_owned()).collect()
}

#[test]
fn a_run_opens_and_the_list_comes_back() {
    let home = Home::new();
    let mut pty = home.demo();
    let first = column(&pty, "Id ", "Title")[0].clone();
    pty.press_until("j", "\nrun 2 of ");
    pty.press_until("k", "\nrun 1 of ");
    pty.press_until(ENTER, "› R_");
    assert!(
        pty.line("rundown").contains(&format!("› {first}")),
        "{}",
        pty.text()
    );
    pty.wait_for("Untested");
    pty.press_until("i", "\"docRef\"");
    pty.press(ESC);
    pty.wait_gone("› JSON");
    pty.press(ESC);
    pty.rows();
    assert_eq!(column(&pty, "Id ", "Title")[0], first);
}

#[test]
fn a_click_opens_a_tab_and_the_wheel_moves_the_cursor() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("m", "mouse on");
    // Places are counted from 1, as the terminal tells them.
    let place = |pty: &Pty, words: &str| {
        let lines = pty.lines();
        let row = lines.iter().position(|line| line.contains(words)).unwrap();
        let column = lines[row].split(words).next().unwrap().chars().count();
        (column + 2, row + 1)
    };
    // The first tab stands where it stands, whatever numbers come behind it.
    pty.press_until("6", "[6 All");
    let (column, row) = place(&pty, "1 Open");
    pty.press(&format!(
        "\u{1b}[<0;{column};{row}M\u{1b}[<0;{column};{row}m"
    ));
    pty.wait_for("[1 Open");
    pty.wait_for("\nrun 1 of ");
    let (column, row) = place(&pty, "R_");
    pty.press_until(&format!("\u{1b}[<65;{column};{row}M"), "\nrun 4 of ");
    pty.wait_for("Enter open");
    let (column, row) = place(&pty, "Enter open");
    pty.press_until(&format!("\u{1b}[<0;{column};{row}M"), "› R_");
}

#[test]
fn the_list_comes_back_where_it_was() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("jjjjj", "\nrun 6 of ");
    // Ids and the sign of the cursor: numbers of other tabs may come while the run is open.
    let places = |pty: &Pty| {
        let rows = pty.lines().into_iter().filter(|line| line.contains("R_"));
        rows.map(|row| row.chars().take(8).collect())
            .collect::<Vec<String>>()
    };
    let before = places(&pty);
    assert!(before[5].starts_with('>'), "{}", pty.text());
    pty.press_until(ENTER, "› R_");
    pty.press_until(ESC, "\nrun 6 of ");
    assert_eq!(places(&pty), before, "the list has moved under the cursor");
}

#[test]
fn a_filter_narrows_the_list_and_goes_away() {
    let home = Home::new();
    let mut pty = home.demo();
    let all = pty
        .line("run 1 of ")
        .split_whitespace()
        .nth(3)
        .unwrap()
        .parse::<u32>()
        .unwrap();
    pty.press("/");
    pty.press("nightly");
    pty.press(ENTER);
    pty.wait("filter of the service", |pty| {
        let line = pty.line("run 1 of ");
        let found = line.split_whitespace().nth(3).map(str::parse);
        line.contains("\"nightly\": ") && found.is_some_and(|found| found != Ok(all))
    });
    let rows = column(&pty, "Id ", "Title").len() as u32;
    assert!((1..all).contains(&rows), "{}", pty.text());
    pty.press(ESC);
    pty.wait_for(&format!("\nrun 1 of {all}"));
    lacks(&pty.text(), "nightly\"");
}

#[test]
fn the_list_is_sorted_by_the_chosen_field_and_back() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("o", "Sort by");
    pty.press_until("t", "Title ↑");
    let titles = |pty: &Pty| column(pty, "Title", "Done");
    pty.wait("list from the first title on", |pty| {
        titles(pty).len() > 10 && titles(pty)[0].starts_with('A')
    });
    let first = titles(&pty)[0].clone();
    pty.press_until("ot", "Title ↓");
    pty.wait("list from the last title on", |pty| {
        titles(pty).len() > 10 && titles(pty)[0] != first
    });
}

#[test]
fn end_goes_to_the_last_row_of_many_pages() {
    let home = Home::new();
    let mut pty = home.start(&["demo", "--still", "--runs", "2000"]);
    pty.rows();
    let all = pty
        .line("run 1 of ")
        .split_whitespace()
        .nth(3)
        .unwrap()
        .to_owned();
    assert!(all.parse::<u32>().unwrap() > 500, "{}", pty.text());
    pty.press(END);
    pty.wait_for(&format!("\nrun {all} of {all}"));
    pty.wait_for("\n> R_");
    // The screen ends with the list: nothing is between the last row and the frame.
    let lines = pty.lines();
    let last = lines
        .iter()
        .position(|line| line.starts_with("> R_"))
        .unwrap();
    assert!(
        lines[last - 1].starts_with("  R_") && lines[last + 1].starts_with("──"),
        "{}",
        pty.text()
    );
    pty.press_until(HOME, "\nrun 1 of ");
    pty.wait_for("\n> R_");
    assert!(pty.lines()[3].starts_with("> R_"), "{}", pty.text());
}

/// A terminal has no room for so many at once, and cuts one.
#[test]
fn of_thousands_of_keys_at_once_each_is_the_one_that_was_pressed() {
    let home = Home::new();
    let mut pty = home.start(&["demo", "--still"]);
    pty.rows();
    let all = pty.line("run 1 of ");
    let all = all.split_whitespace().nth(3).unwrap();
    for _ in 0..3 {
        pty.press(&"\x1b[B".repeat(3000));
        pty.wait_for(&format!("\nrun {all} of {all}"));
        pty.press(&"\x1b[A".repeat(3000));
        pty.wait_for("\nrun 1 of ");
        assert!(!pty.line("rundown").contains('›'), "{}", pty.text());
    }
}

#[test]
fn of_a_text_that_comes_as_keys_at_once_each_is_where_it_was_typed() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("n", "> Title");
    // To the description, from the title, with keys for the field in between.
    pty.press("Nightx\x7f\x1b[D of builds\x1b[D\x1bbsome \t\t");
    pty.wait_for("> Description");
    let lines: Vec<String> = (1..=900).map(|line| format!("line {line} é\r")).collect();
    pty.press(&(lines.concat() + "last line\x1bbmy "));
    pty.wait_for("Title *          Nigh of some buildst");
    pty.wait_for("line 900 é");
    pty.wait_for("last my line");
    pty.wait_for("row 901 of 901");
}

#[test]
fn a_newcomer_is_led_through_a_release_that_goes_on() {
    let home = Home::new();
    let mut pty = home.start(&["demo"]);
    for (hint, keys) in [
        ("Try Enter opens the run", ENTER),
        ("Try Esc goes back, then f filters the list", ESC),
        ("Try f filters the list", "f"),
    ] {
        pty.wait_for(hint);
        pty.press(keys);
    }
    pty.press_until(ESC, "Try a shows suites to add");
    pty.press_until("a", "Try Space marks");
    // Left too early, the way there is shown again.
    pty.press_until(ESC, "Try a shows suites to add");
    pty.press_until("a", "Try Space marks");
    pty.wait_for("S_1 ");
    pty.press_until(" ", "Try Enter adds what is marked");
    pty.press_until(ENTER, "[ Add ]");
    pty.press_until(ENTER, "added to R_18, checked");
    pty.press_until("u", "[ Cancel ]");
    pty.press_until(ESC, "Try Esc goes back, then B shows");
    pty.press_until(ESC, "7 of 7  Esc ends these hints");
    pty.press_until("B", "earlier rounds not counted");
    pty.wait_for("READY? no");
    pty.press_until(ESC, "[1 Open ");
    lacks(&pty.text(), "Try ");
    // A reading by itself brings what testers have done meanwhile.
    pty.wait_for(" ●R_");
}

#[test]
fn esc_ends_the_hints_and_a_still_demo_has_none() {
    let home = Home::new();
    let mut pty = home.start(&["demo"]);
    pty.wait_for("Try Enter opens the run");
    pty.press_until(ESC, "no more hints");
    pty.wait_for("Enter open ");
    let still = home.demo();
    says(&still.text(), "Enter open ");
}

#[test]
fn help_tells_the_keys_and_closes() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("?", "Help");
    assert!(
        pty.text().contains("Open the run") && pty.text().contains("Sort by…"),
        "{}",
        pty.text()
    );
    pty.press("suspend");
    pty.wait("one line of help", |pty| {
        pty.text().contains("Ctrl-z") && !pty.text().contains("Open the run")
    });
    pty.press(ESC);
    pty.wait_gone("Help");
}

#[test]
fn of_a_text_that_comes_as_keys_a_field_takes_what_fits_at_once() {
    let home = Home::new();
    let mut pty = home.demo();
    pty.press_until("n", "> Title");
    pty.press_until("\t\t", "> Description");
    pty.press(&"0123456789\r".repeat(28_000));
    pty.wait_for("full: at most 256 KiB fit here, what comes beyond is not taken");
    pty.wait_for("row 23832 of 23832");
    pty.wait_for("draft kept");
}
