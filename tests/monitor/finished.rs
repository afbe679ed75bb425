//! Which cases are finished is what the profile says, wherever it is shown.

use crate::support::prelude::*;
fn list(done: &[ResultCode]) -> World {
    let watch = ProjectSettings::default().with(|it| it.done = done.to_vec());
    World::with((120, 40), 3, session().with(|it| it.watch = watch))
}

#[test]
fn other_codes_make_another_left_in_list_preview_run_and_monitor() {
    use ResultCode::{FailedKnown, FailedNew, Passed, Skipped};
    for (codes, done, left) in [
        (&[Passed, FailedNew, FailedKnown, Skipped][..], ",", "46"),
        (&[Passed, Skipped], ": 57 passed or skipped,", "59"),
        (&[Passed, Passed], ": 57 passed,", "59"),
    ] {
        let mut world = list(codes);
        let screen = world.screen();
        let row = screen.lines().find(|line| line.contains("R_0")).unwrap();
        says(row, &format!(" {left} "));
        assert!(
            screen.contains(&format!("116 cases, {left} left")),
            "preview: {screen}"
        );
        world.press("\n");
        world.says(&format!("116 cases{done} {left} left"));
        let said = world.screen().contains("left: all but Passed, Skipped");
        assert_eq!(
            said,
            codes.len() == 2 && codes[1] == Skipped,
            "{}",
            world.screen()
        );
        world.press("\u{1b} M");
        world.answer();
        assert!(
            world.screen().contains(&format!("   {left} left  "))
                || world.screen().contains("cases left"),
            "{}",
            world.screen()
        );
    }
}

#[test]
fn counts_that_could_not_be_read_leave_open_what_is_left() {
    let mut world = list(&[ResultCode::Passed]);
    world.runs[0].results.as_mut().unwrap().unread = 2;
    world.refresh();
    let screen = world.screen();
    let row = screen.lines().find(|line| line.contains("R_0")).unwrap();
    assert!(
        !row.contains(" 59 ") && screen.contains("2 counts could not be read"),
        "{screen}"
    );
    world.press("\n");
    world.event(Event::Focus(true));
    world.says("2 counts could not be read");
}
