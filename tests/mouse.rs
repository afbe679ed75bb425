//! Clicks and the wheel: what they ask for is what lies under the pointer.

use super::support::deleting::complete;
use super::support::sample::opened;
use super::support::suites::suite;
use crate::support::prelude::*;
use crossterm::event::{MouseButton, MouseEvent, MouseEventKind};
use rundown::app::mouse;
use unicode_width::UnicodeWidthStr;

fn place(sample: &Sample, words: &str) -> (u16, u16) {
    let screen = sample.screen();
    let lines: Vec<&str> = screen.lines().collect();
    let row = lines.iter().rposition(|line| line.contains(words));
    let row = row.unwrap_or_else(|| panic!("{words:?} is not in\n{screen}"));
    let column = lines[row][..lines[row].find(words).unwrap()].width();
    (column as u16, row as u16)
}

fn mouse(sample: &mut Sample, kind: MouseEventKind, (column, row): (u16, u16)) {
    let (_, layout) = sample.draw();
    let event = MouseEvent {
        kind,
        column,
        row,
        modifiers: KeyModifiers::NONE,
    };
    for action in mouse::meant(&layout, event) {
        sample.act(action);
    }
}

fn click(sample: &mut Sample, words: &str) {
    let place = place(sample, words);
    mouse(sample, MouseEventKind::Down(MouseButton::Left), place);
}

fn wheel(sample: &mut Sample, words: &str) {
    let place = place(sample, words);
    mouse(sample, MouseEventKind::ScrollDown, place);
}

#[test]
fn a_click_chooses_the_tab_of_the_list_of_the_run_and_of_the_suites() {
    let mut sample = Sample::list((80, 24), 30);
    click(&mut sample, "6 All");
    sample.answer(30);
    assert_eq!(sample.store.runs().view.name, "All");
    sample.press("\n");
    sample.answer(30);
    click(&mut sample, "3 History");
    sample.says("── History");
    sample.press("a");
    let result = Ok((1..=30).map(suite).collect());
    sample.answered(&Slot::Available, Answer::Available(result));
    click(&mut sample, "S_4 ");
    assert_eq!(sample.store.available().unwrap().list.scroll.cursor, 3);
    click(&mut sample, "2 In this run");
    sample.at(Layer::Attached);
    sample.suites_surveyed(complete(0));
    click(&mut sample, "S_3 ");
    assert_eq!(sample.store.attached().unwrap().list.scroll.cursor, 2);
}

#[test]
fn a_click_on_a_line_of_the_feed_is_a_look_at_its_run() {
    let mut world = World::new((120, 40), 30);
    for run in [2, 5] {
        world.record(run, ResultCode::Untested, ResultCode::Passed, 1);
    }
    world.refresh();
    world.press("H2");
    click(&mut world.desk, "R_2    Untested");
    let changes = world.store.screens.changes.as_ref().unwrap();
    let feed = world.store.feed();
    assert_eq!(feed.entries[changes.feed.cursor].name, "R_2");
    assert!(!feed.is_unread(&world.runs[2].doc_ref));
}

#[test]
fn a_click_puts_the_cursor_on_a_row_and_in_a_menu_takes_it() {
    let mut sample = Sample::list((80, 24), 30);
    click(&mut sample, "R_4 ");
    sample.says("> R_4 ");
    sample.press("o");
    click(&mut sample, "Title");
    sample.answer(30);
    sample.says("Title ↑");
    sample.press("y");
    click(&mut sample, "t  title");
    assert!(
        sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Copy { .. })),
        "{:?}",
        sample.open
    );
    // In a list of choices it moves the cursor there.
    sample.press(":");
    click(&mut sample, "Mark a range");
    sample.says(">Mark a range");
    // Behind a box nothing is clicked.
    sample.press("\u{1b}o");
    click(&mut sample, "6 All");
    sample.on(Layer::SortMenu);
    assert_eq!(sample.store.runs().view.name, "Open");
}

#[test]
fn a_second_click_opens_the_run_of_the_first_one_and_none_that_has_come_to_stand_there() {
    let session = session().with(|it| it.refresh_seconds = 30);
    let mut world = World::with((120, 40), 30, session);
    let line = |world: &World| world.screen().lines().position(|it| it.contains("R_5 "));
    let there = line(&world).unwrap() as u16;
    let clicks = |world: &mut World| {
        let left = MouseEventKind::Down(MouseButton::Left);
        mouse(&mut world.desk, left, (4, there));
    };
    clicks(&mut world);
    // A run from below goes to the top.
    world.runs[20].edited_on = Some(world.now);
    world.read_next();
    assert_eq!(line(&world), Some(usize::from(there) + 1));
    clicks(&mut world);
    world.at(Layer::Runs);
    assert_eq!(world.store.runs().current().unwrap().name(), "R_4");
    clicks(&mut world);
    world.at(Layer::Detail);
}

/// Whatever the column of the cursor was before.
#[test]
fn a_second_click_on_a_cell_of_the_board_lists_its_runs() {
    let mut world = World::new((80, 24), 4);
    for (run, configuration) in world.runs.iter_mut().zip(["edge", "ios", "edge", "ios"]) {
        run.title = Some("Smoke".into());
        run.configuration = Some(configuration.into());
    }
    world.refresh();
    world.press("B");
    world.answer();
    let (column, row) = (place(&world.desk, "edge").0, place(&world.desk, "Smoke").1);
    let press = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut world.desk, press, (column, row));
    world.says("Release ");
    mouse(&mut world.desk, press, (column, row));
    world.answer();
    world.says("Smoke, edge: ");
}

#[test]
fn a_click_on_a_hint_does_what_its_key_does() {
    let mut sample = Sample::list((80, 24), 30);
    click(&mut sample, "/ find");
    sample.on(Layer::Typing);
    sample.press("test");
    click(&mut sample, "close the box");
    sample.on(Layer::Runs);
    sample.press("\u{1b}");
    click(&mut sample, "Enter open");
    sample.at(Layer::Detail);
}

#[test]
fn a_click_in_the_form_goes_to_the_field_and_chooses_what_is_chosen_there() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("n");
    sample.take_draft(None, None);
    click(&mut sample, "Configuration");
    sample.says("> Configuration");
    click(&mut sample, "Description");
    sample.says("> Description");
    // The state in force stays, the other is taken.
    click(&mut sample, "(o) open");
    sample.says("> Status           (o) open  ( ) closed");
    click(&mut sample, "( ) closed");
    sample.says("> Status           ( ) open  (o) closed");
    click(&mut sample, "( ) open");
    sample.says("(o) open  ( ) closed");
}

#[test]
fn a_click_into_a_text_puts_the_cursor_there() {
    let mut sample = Sample::list((60, 15), 30);
    sample.press("n");
    sample.take_draft(None, None);
    sample.press("ship 👨\u{200d}👩\u{200d}👧 and more");
    let cursor = |sample: &Sample| {
        let form = sample.store.form().unwrap();
        form.fields[&RunField::Title].cursor().1
    };
    click(&mut sample, "and more");
    assert_eq!(cursor(&sample), 11);
    click(&mut sample, "👨");
    assert_eq!(cursor(&sample), 5);
    click(&mut sample, "👧");
    assert_eq!(cursor(&sample), 5);
    // Behind it, and in its other rows, and on its name.
    let (column, row) = place(&sample, "and more");
    let left = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut sample, left, (column + 20, row));
    assert_eq!(cursor(&sample), 19);
    click(&mut sample, "ip 👨");
    click(&mut sample, "Configuration");
    click(&mut sample, "Title *");
    assert_eq!(cursor(&sample), 2);
    // Of a longer text, what is in sight.
    sample.act(Action::Paste("0123456789".repeat(9).as_str().into()));
    click(&mut sample, "5678");
    let text = sample.store.form().unwrap().fields[&RunField::Title].text();
    let rest: String = text.chars().skip(cursor(&sample)).collect();
    begins(&rest, "5678");
}

#[test]
fn a_click_presses_a_button() {
    // A question: the safe button and the other.
    let mut sample = Sample::list((80, 24), 30);
    for words in ["Cancel", "[ Add ]"] {
        sample.press("a");
        let result = Ok((1..=30).map(suite).collect());
        sample.answered(&Slot::Available, Answer::Available(result));
        sample.press(" \n");
        sample.on(Layer::Confirm);
        sample.open.clear();
        click(&mut sample, words);
        sample.on(Layer::Available);
        let sent = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ChangeSuites(_)));
        assert_eq!(sample.open.iter().any(sent), words != "Cancel", "{words}");
        sample.press("\u{1b}\u{1b}\u{1b}");
    }
    // The sign-in says what is missing, then asks.
    let mut sample = Sample::new((80, 24));
    sample.event(Event::Connected(Box::new(session())));
    sample.sign_in_needed(SignInReason::Asked);
    click(&mut sample, "Sign in  ");
    sample.says("Type the password first");
    sample.press("secret");
    click(&mut sample, "Sign in  ");
    let asked = |effect: &Effect| matches!(effect, Effect::SignIn { .. });
    assert!(sample.open.iter().any(asked));
}

#[test]
fn what_stands_behind_a_question_cannot_be_pressed() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("n");
    sample.take_draft(None, None);
    sample.press("A run");
    let form = place(&sample, "Review, save");
    sample.act(Action::Save);
    sample.on(Layer::Review);
    sample.open.clear();
    mouse(&mut sample, MouseEventKind::Down(MouseButton::Left), form);
    assert!(
        !sample
            .open
            .iter()
            .any(|it| matches!(it, Effect::Request(_, Request::Create(_)))),
        "{}",
        sample.screen()
    );
    sample.on(Layer::Review);
    // Its own buttons can.
    click(&mut sample, "[ Create ]");
    let sends = |effect: &Effect| matches!(effect, Effect::Request(_, Request::Create(_)));
    assert!(sample.open.iter().any(sends));
}

#[test]
fn a_click_goes_to_a_field_of_the_sign_in() {
    let mut sample = Sample::new((80, 24));
    sample.connect(|_| {});
    sample.sign_in_needed(SignInReason::Missing);
    for (label, user, password) in [("User name", "qab", ""), ("Password", "qab", "b")] {
        click(&mut sample, label);
        sample.press("b");
        let login = sample.store.login().unwrap();
        assert_eq!((login.user.text(), login.password.text()), (user, password));
    }
}

/// A password would be typed into the field above, in clear.
#[test]
fn the_wheel_moves_no_focus_of_the_sign_in() {
    let mut sample = Sample::new((80, 24));
    sample.connect(|_| {});
    sample.sign_in_needed(SignInReason::Missing);
    sample.says("Password");
    let before = sample.screen();
    wheel(&mut sample, "Password");
    assert_eq!(sample.screen(), before);
}

#[test]
fn the_wheel_brings_no_earlier_words_into_a_field() {
    let wheel = |sample: &mut Sample, words: &str, kind| {
        let place = place(sample, words);
        mouse(sample, kind, place);
    };
    // Above the first command.
    let mut sample = Sample::list((80, 24), 60).pressed(":theme dark\n:");
    wheel(&mut sample, "Commands", MouseEventKind::ScrollUp);
    assert_eq!(sample.store.picker().unwrap().list.search.text(), "");
    // In a search field it goes through the rows.
    let mut world = World::new((80, 24), 60);
    for keys in ["/smoke\n", "\u{1b}", "/e"] {
        world.press(keys);
        world.answer();
    }
    let before = world.store.runs().list.scroll.cursor;
    for (kind, moved) in [
        (MouseEventKind::ScrollDown, 3),
        (MouseEventKind::ScrollUp, 0),
    ] {
        wheel(&mut world.desk, "R_2 ", kind);
        let list = &world.store.runs().list;
        let seen = (list.search.text(), list.scroll.cursor);
        assert_eq!(seen, ("e", before + moved));
    }
}

#[test]
fn the_wheel_moves_no_focus_of_a_review() {
    let mut sample = Sample::list((80, 24), 30).pressed("jje");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    sample.press(" mine");
    sample.act(Action::Save);
    let mut theirs = document(2).raw().clone();
    theirs["document"]["Root"]["General"]["Configuration"] = "theirs".into();
    sample.send_document(Document::from_value(theirs).unwrap());
    sample.says("[ Save ]");
    let before = sample.screen();
    wheel(&mut sample, "[ Save ]");
    assert_eq!(sample.screen(), before);
}

#[test]
fn the_wheel_moves_what_is_under_it() {
    let mut sample = Sample::list((80, 24), 60);
    wheel(&mut sample, "R_4 ");
    sample.says("> R_3 ");
    sample.press(":");
    wheel(&mut sample, "Commands");
    assert_eq!(sample.store.picker().unwrap().list.scroll.cursor, 3);
    // Of several panes the one under the pointer.
    let mut sample = Sample::list((120, 40), 3);
    sample.press("j\n");
    sample.answer(3);
    assert_eq!(sample.store.detail().unwrap().part, 0);
    wheel(&mut sample, "── Details");
    assert_eq!(sample.store.detail().unwrap().part, 4);
    assert_eq!(
        document(1).doc_ref(),
        &sample.store.detail().unwrap().run.doc_ref
    );
    // What is neither moves and chooses nothing.
    let header = (0, 0);
    let before = sample.screen();
    mouse(&mut sample, MouseEventKind::Down(MouseButton::Left), header);
    mouse(
        &mut sample,
        MouseEventKind::Down(MouseButton::Right),
        header,
    );
    sample.act(Action::Redraw);
    assert_eq!(sample.screen(), before);
}

#[test]
fn a_click_puts_the_cursor_on_a_row_of_problems_changes_and_columns() {
    let mut sample = Sample::list((80, 24), 30);
    sample.press("w");
    click(&mut sample, "Left ");
    sample.says("> [x] Left");
    sample.press("\u{1b}");
    for asked in ["loading the first", "loading the second"] {
        sample.event(Event::Trouble(failure().with(|it| it.asked = asked.into())));
    }
    sample.press("!");
    click(&mut sample, "loading the first");
    let screen = sample.screen();
    let mut rows = screen.lines().filter(|row| row.contains(": no connection"));
    let here = rows.find(|row| row.contains('>'));
    assert!(here.is_some_and(|row| row.contains("loading the first")));
    sample.press("\u{1b}");
    let line = |id: &str| journal_line(id, &format!("{id} Smoke"), "edited");
    sample.journal(["R_1", "R_2", "R_3"].map(line).to_vec());
    click(&mut sample, "R_3  edited");
    assert_eq!(sample.store.journal().unwrap().list.scroll.cursor, 2);
    // Again, it does what Enter does.
    sample.open.clear();
    click(&mut sample, "R_3  edited");
    let asks = |effect: &Effect| matches!(effect, Effect::Request(_, Request::PlanUndo(_)));
    assert!(sample.open.iter().any(asks), "{}", sample.screen());
}

#[test]
fn a_click_on_a_heading_of_the_monitor_sorts_by_it() {
    let mut world = World::new((80, 24), 6);
    world.press("M");
    world.answer();
    for (heading, said) in [
        ("Done", "by Done"),
        ("Left", "by Left"),
        ("Fail Block", "by Fail "),
        ("Block ", "by Block "),
        ("Run, ", "by Title"),
    ] {
        click(&mut world.desk, heading);
        world.says(said);
    }
}

#[test]
fn a_click_on_a_box_to_tick_ticks_and_a_second_one_closes_nothing() {
    let mut sample = Sample::list((80, 24), 30).pressed("w");
    for (before, after) in [("[x] Left", "[ ] Left"), ("[ ] Left", "[x] Left")] {
        click(&mut sample, before);
        sample.says(after);
        sample.on(Layer::Columns);
    }
    let mut sample = Sample::list((80, 24), 30).pressed("f");
    for (before, after) in [
        ("[ ] Only: late", "[x] Only: late"),
        ("[ ] Only: mine", "[x] Only: mine"),
        ("[x] Only: mine", "[ ] Only: mine"),
    ] {
        click(&mut sample, before);
        sample.says(after);
        sample.on(Layer::Picker);
    }
}

#[test]
fn a_click_on_the_request_of_a_question_shows_it() {
    let mut sample = Sample::list((80, 24), 30).pressed("a");
    let result = Ok((1..=30).map(suite).collect());
    sample.answered(&Slot::Available, Answer::Available(result));
    sample.press(" \n");
    let row = sample.line("[ Add ]");
    says(&row, "i the request");
    let screen = sample.screen();
    let at = screen
        .lines()
        .position(|it| it.contains("[ Add ]"))
        .unwrap();
    let column = screen
        .lines()
        .nth(at)
        .unwrap()
        .find("i the request")
        .unwrap();
    let column = screen.lines().nth(at).unwrap()[..column].width() as u16;
    let press = MouseEventKind::Down(MouseButton::Left);
    mouse(&mut sample, press, (column, at as u16));
    sample.says("back to the question");
}

#[test]
fn a_second_click_where_enter_has_no_use_says_what_enter_says() {
    let mut sample = Sample::list((80, 24), 30).pressed("i");
    let result = Ok(Box::new(opened(0)));
    sample.answered(&Slot::Document, Answer::Document(result));
    sample.press("\n");
    let said = sample.said().to_owned();
    says(&said, "Enter in the runs list");
    click(&mut sample, "\"Id\"");
    click(&mut sample, "\"Id\"");
    assert_eq!(sample.said(), said);
    // Where text is typed Enter is part of it.
    let mut sample = Sample::list((80, 24), 30).pressed("n");
    sample.take_draft(None, None);
    sample.press("abcd");
    click(&mut sample, "abcd");
    click(&mut sample, "abcd");
    assert_eq!(sample.store.notice(), None);
}
