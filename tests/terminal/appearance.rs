//! Colours, and what is there without them.

use vt100::Color;

use crate::home::{Home, PROGRAM};
use crate::pty::{ENTER, Pty};

/// Parameters of every "select graphic rendition" the program has sent.
fn renditions(seen: &[u8]) -> Vec<String> {
    let text = String::from_utf8_lossy(seen);
    let sequences = text.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != ';' && c != ':')?;
        rest[end..].starts_with('m').then(|| rest[..end].to_owned())
    });
    sequences.collect()
}

/// Takes a colour, rather than giving the default one back.
fn colours(parameters: &str) -> bool {
    let number = |text: &str| text.parse::<u8>().unwrap_or(0);
    parameters
        .split([';', ':'])
        .map(number)
        .any(|code| matches!(code, 30..=38 | 40..=48 | 58 | 90..=107))
}

/// The row that is shown in reverse from the frame on, if there is one.
fn selected(pty: &Pty) -> Option<String> {
    let (rows, columns) = pty.screen().size();
    // The background is that of the cursor over the whole row, or where there are no colours a sign stands before it.
    let here = |row: u16| {
        let line = &pty.lines()[usize::from(row)];
        let cell = |column| pty.screen().cell(row, column).unwrap();
        // Half cells of a bar have two colours of their own.
        let whole = (0..columns.get())
            .map(cell)
            .filter(|it| it.contents() != "▌");
        let same = whole
            .into_iter()
            .all(|it| it.bgcolor() == cell(0).bgcolor());
        line.starts_with('>') && same
    };
    (0..rows.get())
        .find(|row| here(*row))
        .map(|row| pty.lines()[usize::from(row)].clone())
}

#[test]
fn no_color_is_honoured_and_the_selected_row_still_visible() {
    let home = Home::new();
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    command.env("NO_COLOR", "1");
    let mut pty = Pty::start(command, 120, 40);
    pty.rows();
    assert!(
        selected(&pty).is_some_and(|row| row.contains("> R_")),
        "{}",
        pty.text()
    );
    pty.press_until("?", "Help");
    pty.press("\x1b");
    pty.wait_gone("Help");
    pty.press_until(ENTER, "› R_");
    pty.press("q");
    pty.rows();
    pty.press("q");
    assert!(pty.ended().success());
    let coloured: Vec<_> = renditions(pty.seen())
        .into_iter()
        .filter(|parameters| colours(parameters))
        .collect();
    assert_eq!(coloured, Vec::<String>::new());
}

#[test]
fn results_have_colours_and_signs() {
    let home = Home::new();
    let mut pty = home.demo();
    assert!(
        selected(&pty).is_some_and(|row| row.contains("> R_")),
        "{}",
        pty.text()
    );
    assert!(
        renditions(pty.seen())
            .iter()
            .any(|parameters| colours(parameters))
    );
    pty.press_until("j", "\nrun 2 of ");
    let (rows, columns) = pty.screen().size();
    let cells = (0..rows.get()).flat_map(|row| (0..columns.get()).map(move |column| (row, column)));
    let passed = cells
        .filter_map(|(row, column)| pty.screen().cell(row, column))
        .filter(|cell| cell.contents() == "█");
    assert!(
        passed
            .filter(|cell| cell.fgcolor() != Color::Default)
            .count()
            > 5,
        "{}",
        pty.text()
    );
}

#[test]
fn the_terminal_is_asked_for_its_background_once() {
    let home = Home::new();
    let start = || {
        let mut command = home.command(PROGRAM, &["demo", "--still"]);
        command.env_remove("COLORFGBG");
        Pty::start(command, 120, 40)
    };
    let asked = |pty: &Pty| String::from_utf8_lossy(pty.seen()).contains("\x1b]11;?");
    let mut pty = start();
    pty.wait("the question", |pty| asked(pty));
    // Black letters on white, and what kind of terminal it is.
    pty.press("\x1b]10;rgb:0000/0000/0000\x1b\\\x1b]11;rgb:ffff/ffff/ffff\x1b\\\x1b[?1;2c");
    pty.rows();
    assert_eq!(
        pty.screen().cell(0, 0).unwrap().fgcolor(),
        Color::Idx(25),
        "the light theme"
    );
    pty.press("q");
    assert!(pty.ended().success());
    let mut pty = start();
    pty.rows();
    assert!(!asked(&pty), "it is known now");
    assert_eq!(pty.screen().cell(0, 0).unwrap().fgcolor(), Color::Idx(25));
    // Whoever says what they want is not asked.
    let mut command = home.command(PROGRAM, &["demo", "--still", "--theme", "dark"]);
    command.env_remove("COLORFGBG");
    let mut pty = Pty::start(command, 120, 40);
    pty.rows();
    assert!(!asked(&pty));
    assert_eq!(pty.screen().cell(0, 0).unwrap().fgcolor(), Color::Idx(75));
}

#[test]
fn an_answer_that_comes_late_is_no_key_and_the_colours_are_those_of_any_terminal() {
    let home = Home::new();
    let mut command = home.command(PROGRAM, &["demo", "--still"]);
    command.env_remove("COLORFGBG");
    let mut pty = Pty::start(command, 120, 40);
    // It waits a second for the answer.
    pty.rows();
    pty.press("\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:0000/0000/0000\x07\x1b[?1;2cj");
    pty.wait_for("\nrun 2 of ");
    assert!(!pty.text().contains("rgb") && !pty.text().contains("Commands"));
    let fixed = |parameters: &String| parameters.contains("38;2") || parameters.contains("48;2");
    let sent = renditions(pty.seen());
    assert_eq!(sent.iter().filter(|it| fixed(it)).count(), 0, "{sent:?}");
    assert_eq!(pty.screen().cell(0, 0).unwrap().fgcolor(), Color::Idx(63));
}
