//! Fields in which text is typed: what is seen of a long text, and what the keys of a shell's line do to letters that are
//! several characters.

use crate::support::prelude::*;
use ratatui::style::Modifier;

/// Longer than any field, each place another: `0.1.2.` and so on.
fn long() -> String {
    let places: Vec<String> = (0..40).map(|place| place.to_string()).collect();
    places.join(".")
}

fn new_run(size: (u16, u16)) -> Sample {
    let mut sample = Sample::list(size, 30).pressed("n");
    sample.take_draft(None, None);
    sample
}

/// What stands on the screen before the cursor in its field, and from the cursor on.
fn around_cursor(sample: &Sample) -> (String, String) {
    let (buffer, _) = sample.draw();
    let style = Modifier::REVERSED | Modifier::UNDERLINED;
    let place = (buffer.content.iter()).position(|cell| cell.modifier.contains(style));
    let (x, y) = buffer.pos_of(place.unwrap());
    let of_field = |x: &u16| buffer[(*x, y)].modifier.contains(Modifier::UNDERLINED);
    let text = |x: u16| buffer[(x, y)].symbol().to_owned();
    let mut before: Vec<String> = (0..x).rev().take_while(of_field).map(text).collect();
    before.reverse();
    let after = (x..buffer.area.right()).take_while(of_field).map(text);
    (before.concat(), after.collect())
}

fn press(sample: &mut Sample, code: KeyCode) {
    sample.act(Action::Type(KeyEvent::from(code)));
}

#[test]
fn in_a_text_that_is_longer_than_its_field_the_cursor_and_what_is_around_it_are_seen() {
    type Opens = fn((u16, u16)) -> Sample;
    let fields: [(&str, Opens); 3] = [
        ("title", new_run),
        ("search", |size| Sample::list(size, 30).pressed("/")),
        ("palette", |size| Sample::list(size, 30).pressed(":")),
    ];
    for size in [(40, 12), (80, 24)] {
        for (name, open) in fields {
            let mut sample = open(size);
            let text = if size.0 == 200 {
                long().repeat(3)
            } else {
                long()
            };
            sample.act(Action::Paste(text.as_str().into()));
            let characters = text.chars().count();
            for place in (0..=characters).rev() {
                let (before, after) = around_cursor(&sample);
                let seen = format!("{name} {size:?} {place}: {before:?} {after:?}");
                let (hidden, left) = match before.strip_prefix('…') {
                    Some(left) => (true, left),
                    None => (false, before.as_str()),
                };
                assert!(text[..place].ends_with(left), "{seen}");
                assert_eq!(hidden, left.len() < place, "{seen}");
                let (right, more) = match after.trim_end().strip_suffix('…') {
                    Some(right) => (right, true),
                    None => (after.trim_end(), false),
                };
                assert!(text[place..].starts_with(right), "{seen}");
                assert_eq!(more, right.len() < characters - place, "{seen}");
                assert!(right.len() >= (characters - place).min(3), "{seen}");
                press(&mut sample, KeyCode::Left);
            }
        }
    }
}
