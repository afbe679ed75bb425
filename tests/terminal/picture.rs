//! The pictures of the README, made from the real program. `RUNDOWN_PICTURES=assets cargo test --test terminal picture`
//! writes them into that folder; without the variable they are only made.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use vt100::{Cell, Color, Screen};

use crate::home::{Home, PROGRAM};
use crate::pty::{ENTER, Pty};

/// Pixels of a cell, of a letter in it, of the edge around the screen.
const WIDTH: f32 = 8.4;
const HEIGHT: f32 = 18.0;
const LETTER: f32 = 14.0;
const EDGE: f32 = 14.0;
/// From the top of a cell to the line that letters stand on.
const BASE: f32 = 13.5;

/// Blanks side by side are one in SVG, and not all browsers listen to what says otherwise.
const NO_BREAK: &str = "\u{a0}";

const BACKGROUND: &str = "#14171c";
const FOREGROUND: &str = "#d3d8e0";
/// The sixteen colours that a terminal names.
const NAMED: [&str; 16] = [
    "#14171c", "#e0606a", "#7fbf6a", "#dcb358", "#6aa5e6", "#c487d8", "#56bcc4", "#d3d8e0",
    "#7b8593", "#ff7b84", "#9ad483", "#f0cb75", "#8cbcf2", "#d9a4ea", "#78d2d9", "#ffffff",
];

/// How a cell looks.
#[derive(Clone, PartialEq)]
struct Look {
    letter: String,
    ground: String,
    bold: bool,
    dim: bool,
    underline: bool,
}

fn look(cell: &Cell) -> Look {
    let colour = |colour: Color, default: &str| match colour {
        Color::Idx(index) if index < 16 => NAMED[usize::from(index)].to_owned(),
        Color::Idx(index @ 232..) => {
            let part = 8 + 10 * (index - 232);
            format!("#{part:02x}{part:02x}{part:02x}")
        }
        Color::Idx(index) => {
            let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
            let cube = index - 16;
            let [red, green, blue] = [cube / 36, cube / 6 % 6, cube % 6].map(level);
            format!("#{red:02x}{green:02x}{blue:02x}")
        }
        Color::Rgb(red, green, blue) => format!("#{red:02x}{green:02x}{blue:02x}"),
        Color::Default => default.to_owned(),
    };
    let (letter, ground) = (
        colour(cell.fgcolor(), FOREGROUND),
        colour(cell.bgcolor(), BACKGROUND),
    );
    let (letter, ground) = if cell.inverse() {
        (ground, letter)
    } else {
        (letter, ground)
    };
    Look {
        letter,
        ground,
        bold: cell.bold(),
        dim: cell.dim(),
        underline: cell.underline(),
    }
}

/// Cells side by side that look the same and are written in one go.
struct Run {
    row: u16,
    from: u16,
    columns: u16,
    text: String,
    look: Look,
}

/// Cuts a row where the look changes, and around everything that fonts draw at widths of their own.
fn runs(screen: &Screen, row: u16) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for column in 0..screen.size().1.get() {
        let cell = screen.cell(row, column).unwrap();
        let look = look(cell);
        if cell.is_wide_continuation() {
            runs.last_mut().unwrap().columns += 1;
            continue;
        }
        let text = if cell.has_contents() {
            cell.contents()
        } else {
            " "
        };
        match runs.last_mut() {
            Some(run) if run.look == look && text.is_ascii() && run.text.is_ascii() => {
                run.text.push_str(text);
                run.columns += 1;
            }
            _ => runs.push(Run {
                row,
                from: column,
                columns: 1,
                text: text.into(),
                look,
            }),
        }
    }
    runs
}

/// The lines of a frame as strokes, so that boxes are closed in every font: from the middle of the cell to the left,
/// right, top and bottom.
fn strokes(text: &str) -> Option<[bool; 4]> {
    let [left, right, top, bottom] = match text {
        "─" => [1, 1, 0, 0],
        "│" => [0, 0, 1, 1],
        "┌" | "╭" => [0, 1, 0, 1],
        "┐" | "╮" => [1, 0, 0, 1],
        "└" | "╰" => [0, 1, 1, 0],
        "┘" | "╯" => [1, 0, 1, 0],
        _ => return None,
    };
    Some([left, right, top, bottom].map(|stroke| stroke == 1))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

fn draw_run(svg: &mut String, run: &Run) {
    let (x, y) = (
        EDGE + f32::from(run.from) * WIDTH,
        EDGE + f32::from(run.row) * HEIGHT,
    );
    let width = f32::from(run.columns) * WIDTH;
    let look = &run.look;
    if look.ground != BACKGROUND {
        let ground = &look.ground;
        writeln!(svg, r#"<rect x="{x:.1}" y="{y:.1}" width="{width:.1}" height="{HEIGHT}" fill="{ground}" shape-rendering="crispEdges"/>"#).unwrap();
    }
    let (letter, opacity) = (
        look.letter.clone(),
        if look.dim { r#" opacity="0.65""# } else { "" },
    );
    if let Some([left, right, top, bottom]) = strokes(&run.text) {
        let (middle, half) = (
            (x + WIDTH / 2.0).floor() + 0.5,
            (y + HEIGHT / 2.0).floor() + 0.5,
        );
        let mut path = String::new();
        for (there, to) in [
            (left, (x, half)),
            (right, (x + WIDTH, half)),
            (top, (middle, y)),
            (bottom, (middle, y + HEIGHT)),
        ] {
            if there {
                write!(path, "M{middle:.1} {half:.1}L{:.1} {:.1}", to.0, to.1).unwrap();
            }
        }
        writeln!(
            svg,
            r#"<path d="{path}" stroke="{letter}" stroke-linecap="square" shape-rendering="crispEdges"{opacity}/>"#
        )
        .unwrap();
        return;
    }
    let text = run.text.trim_end();
    let Some(first) = text.find(|c| c != ' ') else {
        return;
    };
    let (x, columns) = (
        x + first as f32 * WIDTH,
        if run.text.is_ascii() {
            text.len() - first
        } else {
            run.columns.into()
        },
    );
    let bold = if look.bold {
        r#" font-weight="bold""#
    } else {
        ""
    };
    let underline = if look.underline {
        r#" text-decoration="underline""#
    } else {
        ""
    };
    let (y, width, text) = (
        y + BASE,
        columns as f32 * WIDTH,
        escaped(&text[first..]).replace(' ', NO_BREAK),
    );
    // The length keeps the columns in line, whatever font there is.
    writeln!(
        svg,
        r#"<text x="{x:.1}" y="{y:.1}" textLength="{width:.1}" lengthAdjust="spacingAndGlyphs" fill="{letter}"{bold}{underline}{opacity}>{text}</text>"#
    )
    .unwrap();
}

/// The screen as SVG; `title` is read aloud in its place.
fn picture(screen: &Screen, title: &str) -> String {
    let mut svg = String::new();
    draw_screen(&mut svg, screen);
    whole(screen, 0.0, title, &svg)
}

fn draw_screen(svg: &mut String, screen: &Screen) {
    for row in 0..screen.size().0.get() {
        for run in runs(screen, row) {
            draw_run(svg, &run);
        }
    }
}

/// An SVG with this in it, as large as the screen and so many pixels higher.
fn whole(screen: &Screen, more: f32, title: &str, inside: &str) -> String {
    let (rows, columns) = screen.size();
    let width = 2.0 * EDGE + f32::from(columns.get()) * WIDTH;
    let height = 2.0 * EDGE + f32::from(rows.get()) * HEIGHT + more;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{BACKGROUND}\"/>\n\
         <g font-family=\"'DejaVu Sans Mono', Menlo, Consolas, monospace\" font-size=\"{LETTER}\">\n{inside}</g>\n</svg>\n",
        escaped(title)
    )
}

/// Everything written in a picture, line by line.
fn texts(svg: &str) -> String {
    let texts = svg.lines().filter(|line| line.starts_with("<text "));
    texts
        .filter_map(|line| Some(line.split_once('>')?.1.split_once("</text>")?.0))
        .collect::<Vec<_>>()
        .join("\n")
        .replace(NO_BREAK, " ")
}

/// Writes the picture where that is wanted.
fn keep(name: &str, svg: &str) {
    if let Some(folder) = env::var_os("RUNDOWN_PICTURES") {
        fs::write(Path::new(&folder).join(name), svg).unwrap();
    }
}

fn demo(home: &Home) -> Pty {
    let mut pty = Pty::start(
        home.command(PROGRAM, &["demo", "--still", "--seed", "1"]),
        110,
        32,
    );
    pty.rows();
    pty.wait_for("[1 Open ");
    pty
}

#[test]
fn the_list_as_a_picture() {
    let home = Home::new();
    let mut pty = demo(&home);
    pty.press_until("p", "no news of it");
    pty.press_until("j", "\nrun 2 of ");
    let svg = picture(
        pty.screen(),
        "rundown: the list of test runs with a preview of the chosen one",
    );
    let texts = texts(&svg);
    for part in [
        "rundown",
        "Title",
        "R_",
        "New failures",
        "Done",
        "run 2 of 77 ",
    ] {
        assert!(texts.contains(part), "no {part:?} in the picture:\n{texts}");
    }
    assert_eq!(
        svg.matches("<text ").count(),
        svg.matches("</text>").count()
    );
    // The chosen row and no other stands on a ground of its own; there is a line above the preview.
    assert!(
        svg.matches("<rect ").count() > 1 && svg.matches("<path ").count() > 10,
        "{svg}"
    );
    keep("screen.svg", &svg);
}

/// Keys that are pressed one after the other, what is seen then, and what they do.
type Shown = (&'static [&'static str], &'static str, &'static str);

/// A walk through runs on which nobody works.
const WALK: [Shown; 8] = [
    (
        &[],
        "[1 Open ",
        "rundown: the test runs, with what failed and what is left",
    ),
    (&["/", "failed>0"], " found", "/: search while you type"),
    (
        &[ENTER, ENTER],
        "· created ",
        "Enter: one run, its results, testers and suites",
    ),
    (&["a"], " suites to add to R_", "a: suites to add"),
    (&[" ", "j", " "], "2 marked", "Space: mark"),
    (
        &[ENTER],
        "the request ",
        "Enter: nothing is sent without a question",
    ),
    (&["\x1b"], "nothing was sent", "Esc: nothing was sent"),
    (
        &["q", "q", "q", "q", "M"],
        "Monitor: ",
        "M: watch them, the worst first",
    ),
];

/// A release on which testers work.
const RELEASE: [Shown; 2] = [
    (
        &["\x1b", "B"],
        "READY?",
        "B: where the release stands, and whether it will be ready",
    ),
    (
        &["\x1b", "H"],
        " left: ",
        "H: what got worse since yesterday",
    ),
];

/// The screens one after the other, without a script; one alone where a person wants no motion.
#[test]
fn the_demo_as_a_recording() {
    let home = Home::new();
    let start = |arguments: &[&str]| {
        let mut pty = Pty::start(home.command(PROGRAM, arguments), 80, 24);
        pty.rows();
        pty
    };
    let (seconds, mut frames) = (2, String::new());
    let shown = [
        (&["demo", "--still", "--seed", "1"][..], &WALK[..]),
        (&["demo", "--seed", "1"], &RELEASE),
    ];
    let mut last = None;
    let mut delay = 0;
    for (arguments, shown) in shown {
        let pty = last.insert(start(arguments));
        pty.wait_for("[1 Open ");
        for (keys, seen, words) in shown {
            for key in *keys {
                pty.press(key);
                // A person is not faster; a key that is held down lets no marks go.
                let begun = Instant::now();
                pty.wait("pause", |_| begun.elapsed() > Duration::from_millis(150));
            }
            pty.wait_for(seen);
            writeln!(
                frames,
                "<g class=\"frame\" style=\"animation-delay:{delay}s\">"
            )
            .unwrap();
            draw_screen(&mut frames, pty.screen());
            let base = EDGE + 25.0 * HEIGHT + BASE;
            writeln!(
                frames,
                "<text x=\"{EDGE}\" y=\"{base:.1}\" fill=\"{FOREGROUND}\" font-weight=\"bold\">{}</text>\n</g>",
                escaped(words)
            )
            .unwrap();
            delay += seconds;
        }
    }
    let pty = last.unwrap();
    let (all, part) = (delay, 100 * seconds / delay);
    let style = format!(
        "<style>.frame{{opacity:0;animation:turn {all}s step-end infinite}}\
         @keyframes turn{{0%{{opacity:1}}{part}%{{opacity:0}}}}\
         @media (prefers-reduced-motion:reduce){{.frame{{animation:none}}.frame:first-of-type{{opacity:1}}}}</style>\n"
    );
    let title = "rundown: a walk through the list, a search, one run, its suites, the monitor and a release";
    let svg = whole(pty.screen(), 2.0 * HEIGHT, title, &(style + &frames));
    assert!(svg.len() <= 400_000 && all <= 20, "{} bytes", svg.len());
    assert!(!svg.contains("<script"), "it moves by its style alone");
    keep("demo.svg", &svg);
}

#[test]
fn a_run_as_a_picture() {
    let home = Home::new();
    let mut pty = demo(&home);
    // A run that has something to show in every part.
    pty.press_until("j", "\nrun 2 of ");
    pty.press_until(ENTER, "· created ");
    pty.wait_for("Load test: archive");
    let svg = picture(
        pty.screen(),
        "rundown: one test run with its results, testers and suites",
    );
    let texts = texts(&svg);
    for part in ["Results", "Failed (new)", "Testers", "Suites", "Details"] {
        assert!(texts.contains(part), "no {part:?} in the picture:\n{texts}");
    }
    keep("detail.svg", &svg);
}

#[test]
fn the_monitor_as_a_picture() {
    let home = Home::new();
    let mut pty = Pty::start(home.command(PROGRAM, &["demo", "--seed", "1"]), 110, 34);
    pty.wait_for("[1 Open ");
    pty.press_until("M", "Monitor: open runs of");
    pty.wait_for("cases left");
    // Said once the list was read to its end.
    pty.wait_for("new failures");
    // Late in the day none is done today: a time is a forecast, of whatever day.
    pty.wait("a forecast", |pty| {
        let ends = |line: &String| {
            let time = line.trim_end().rsplit([' ', '~']).next();
            time.is_some_and(|time| time.len() == 5 && time.contains(':'))
        };
        pty.lines()
            .iter()
            .any(|line| line.contains(" R_") && ends(line))
    });
    if env::var_os("RUNDOWN_PICTURES").is_some() {
        // Something to read in the feed, which takes its time.
        for _ in 0..12 {
            let begun = Instant::now();
            pty.wait("news", |_| begun.elapsed() > Duration::from_secs(15));
        }
    }
    let svg = picture(
        pty.screen(),
        "rundown: all open test runs watched, the worst first",
    );
    let texts = texts(&svg);
    for part in [
        "Monitor: open runs of",
        "cases left",
        "over",
        "Finish",
        "Failures and blocks",
    ] {
        assert!(texts.contains(part), "no {part:?} in the picture:\n{texts}");
    }
    keep("monitor.svg", &svg);
}
