//! Pictures: the body of each screen, or the box on top of it, in its states at 80x24, and at other sizes where its layout is
//! another. The frame around it (header, status line, hints) has a table of its own for each size.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use super::support::sample;
use super::{
    screens, screens_board, screens_changes, screens_compare, screens_delete, screens_form,
    screens_monitor, screens_suites,
};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use sample::{Sample, area_text};

/// Columns and rows.
pub type Size = (u16, u16);

const USUAL: Size = (80, 24);
const WIDE: Size = (120, 40);
const WALL: Size = (200, 60);
const SMALL: Size = (40, 12);

/// States whose layout is another where there is more or less room.
const ALSO_AT: &[(&str, &[Size])] = &[
    ("runs_full", &[WIDE]),
    ("runs_columns_set", &[WIDE]),
    ("runs_without_counts", &[WIDE]),
    ("runs_with_changes", &[WIDE]),
    ("run_whole", &[WIDE, SMALL]),
    ("run_suites_partly", &[WIDE]),
    ("run_closed", &[WIDE]),
    ("run_forecast_not_ready", &[WIDE]),
    ("run_burn_up", &[WALL]),
    ("available_full", &[WIDE]),
    ("suite_beside_the_list", &[WIDE]),
    ("members_partial", &[WIDE]),
    ("form_edit", &[WIDE]),
    ("review_conflict", &[WIDE]),
    ("journal_full", &[WIDE]),
    ("box_help", &[WIDE]),
    ("board", &[SMALL]),
    ("monitor", &[WIDE, WALL, SMALL]),
    ("monitor_many", &[WIDE]),
    ("monitor_failing", &[WIDE]),
    ("monitor_without_results", &[WIDE]),
];

type Visit<'a> = dyn FnMut(&str, &[Size], &dyn Fn(Size) -> Sample) + 'a;

/// Takes the states of a screen, one after the other.
pub struct States<'a>(&'a mut Visit<'a>);

impl States<'_> {
    /// A state by its name, and how it is reached.
    pub fn see(&mut self, name: &str, make: impl Fn(Size) -> Sample) {
        let mut sizes = vec![USUAL];
        let also = ALSO_AT.iter().find(|(other, _)| *other == name);
        sizes.extend(also.into_iter().flat_map(|(_, sizes)| *sizes));
        (self.0)(name, &sizes, &make);
    }

    /// A state that is looked at at these sizes only.
    pub fn see_at(&mut self, name: &str, sizes: &[Size], make: impl Fn(Size) -> Sample) {
        (self.0)(name, sizes, &make);
    }
}

/// The rows between the header and the status line.
pub fn body(buffer: &Buffer) -> Rect {
    let area = buffer.area;
    if area.height < 10 {
        return area;
    }
    Rect {
        y: 1,
        height: area.height - 3,
        ..area
    }
}

/// Where the box is that lies on top: the smallest whole frame.
fn on_top(buffer: &Buffer) -> Option<Rect> {
    let area = buffer.area;
    let is = |x: u16, y: u16, corner: &str| buffer[(x, y)].symbol() == corner;
    let mut boxes = Vec::new();
    for (y, x) in (0..area.height).flat_map(|y| (0..area.width).map(move |x| (y, x))) {
        let Some(right) = (x + 1..area.width).find(|right| is(*right, y, "╮")) else {
            continue;
        };
        let closes = |bottom: &u16| is(x, *bottom, "╰") && is(right, *bottom, "╯");
        if is(x, y, "╭")
            && let Some(bottom) = (y + 1..area.height).find(closes)
        {
            boxes.push(Rect::new(x, y, right + 1 - x, bottom + 1 - y));
        }
    }
    boxes.into_iter().min_by_key(|place| place.area())
}

/// What is drawn between header and status line, or of the box on top; the same without colours.
pub fn picture(sample: &Sample) -> String {
    sample.screen();
    let (buffer, _) = sample.draw();
    area_text(&buffer, on_top(&buffer).unwrap_or_else(|| body(&buffer)))
}

/// A picture of each state, but of those that look like one before.
fn pictures(of: fn(&mut States<'_>)) {
    let (mut seen, mut fallen) = (HashMap::new(), Vec::new());
    of(&mut States(&mut |name, sizes, make| {
        for size in sizes {
            let picture = picture(&make(*size));
            let name = if *size == USUAL {
                name.to_owned()
            } else {
                format!("{name}_{}x{}", size.0, size.1)
            };
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots");
            let kept = format!("{folder}/state__pictures__{name}.snap");
            match seen.get(&picture) {
                None => {
                    insta::assert_snapshot!(&*name, picture);
                    seen.insert(picture, name);
                }
                // One that had a look of its own has it still.
                Some(before) if *before == name => {}
                Some(before) => {
                    let is_kept = Path::new(&kept).exists();
                    fallen.extend(is_kept.then(|| format!("{name} looks like {before}")));
                }
            }
        }
    }));
    assert_eq!(fallen, [""; 0]);
}

#[test]
fn of_the_list_and_of_a_run() {
    pictures(screens::states);
}

#[test]
fn of_suites() {
    pictures(screens_suites::states);
}

#[test]
fn of_forms() {
    pictures(screens_form::states);
}

#[test]
fn of_deleting() {
    pictures(screens_delete::states);
}

#[test]
fn of_the_board() {
    pictures(screens_board::states);
}

#[test]
fn of_what_changed() {
    pictures(screens_changes::states);
    pictures(screens_compare::states);
}

#[test]
fn of_the_monitor() {
    pictures(screens_monitor::states);
}

/// Header, status line and hints, of all three rows of them where a message does not fit into its line.
fn frame(sample: &Sample) -> String {
    let (buffer, _) = sample.draw();
    let (columns, rows) = sample.size;
    let lines = |y: u16, height: u16| area_text(&buffer, Rect::new(0, y, columns, height));
    let foot = if sample.store.cx.notice.is_some() {
        3
    } else {
        2
    };
    lines(0, 1) + &lines(rows - foot, foot)
}

/// The frame around each state.
#[test]
fn frames() {
    let sizes = [(60, 15), USUAL, WIDE];
    let mut tables = sizes.map(|_| String::new());
    let mut last = sizes.map(|_| String::new());
    for of in [
        screens::states,
        screens_suites::states,
        screens_form::states,
        screens_delete::states,
        screens_monitor::states,
        screens_board::states,
        screens_changes::states,
        screens_compare::states,
    ] {
        of(&mut States(&mut |name, sizes_of_it, make| {
            if !sizes_of_it.contains(&USUAL) {
                return;
            }
            let mut sample = make(USUAL);
            for (place, size) in sizes.into_iter().enumerate() {
                sample.resize(size);
                let frame = frame(&sample);
                if frame == last[place] {
                    _ = writeln!(tables[place], "{name}: the same");
                } else {
                    _ = write!(tables[place], "{name}\n{frame}");
                    last[place] = frame;
                }
            }
        }));
    }
    for (size, table) in sizes.into_iter().zip(tables) {
        insta::assert_snapshot!(format!("frames_{}x{}", size.0, size.1), table);
    }
}

/// Ids, dates and numbers are whole or not there, however wide the screen is; a title has what nobody else needs.
#[test]
fn no_id_date_or_number_is_cut() {
    // How a suite of a run is known is a sentence, which may be cut: that list is not among these.
    let lists: [fn(Size) -> Sample; 3] = [
        |size| Sample::list(size, 137),
        screens_suites::available,
        |size| screens_monitor::monitor(size, 30, Some("failed_new <= 9")).desk,
    ];
    for list in lists {
        let mut sample = list(USUAL);
        // Each height between, too, but not with each width.
        for width in 40..=200 {
            let height = 12 + width * 7 % 49;
            sample.resize((width, height));
            let (buffer, _) = sample.draw();
            let rows = Rect {
                y: 3,
                height: height - 6,
                ..buffer.area
            };
            let text = area_text(&buffer, rows);
            let list = text.find("──").unwrap_or(text.len());
            let cut = text[..list]
                .split_whitespace()
                .filter_map(|it| it.strip_suffix('…'));
            for word in cut {
                let number = word.starts_with(|c: char| c.is_ascii_digit());
                let id = word.starts_with("R_") || word.starts_with("S_");
                let date = word.len() > 2 && "yesterday".starts_with(word);
                assert!(
                    !(number || id || date),
                    "{word}… at {width}x{height}:\n{text}"
                );
            }
        }
    }
}
