//! What each key does in each place: a table for each of its states, made from the key tables, of what changes on the screen,
//! what is said, what opens, and what is asked of the worker. A row that nobody meant to change is a mistake.

use crate::support::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::pictures::picture;
use super::support::{deleting, sample};
use super::{
    screens, screens_board, screens_changes, screens_compare, screens_delete, screens_form,
    screens_monitor, screens_suites,
};
use rundown::app::PLACES;
use rundown::screens::keys::{EVERYWHERE, LETTERS};
use rundown::store::JournalPage;
use sample::screen_text;

/// Between the sizes of the pictures.
const SIZE: (u16, u16) = (100, 30);
/// Low and narrow: what gives way is seen at the head of the table.
const LOW: (u16, u16) = (60, 15);

/// Lines that changed, as many of them as a row of the table shows.
const SHOWN: usize = 4;
/// Columns of them.
const COLUMNS: usize = 72;

fn list(keys: &str) -> Sample {
    Sample::list(SIZE, 137).pressed(keys)
}

fn down(mut sample: Sample, rows: usize) -> Sample {
    for _ in 0..rows {
        sample.act(Action::Move(Motion::Down));
    }
    sample
}

fn troubles() -> Sample {
    let mut sample = list("jj");
    for number in 0..40 {
        let mut trouble = failure();
        trouble.asked = format!("saving run {number}");
        sample.event(Event::Trouble(trouble));
    }
    down(sample.pressed("!"), 30)
}

fn login(keys: &str) -> Sample {
    let mut sample = list("");
    sample.sign_in_needed(SignInReason::Missing);
    sample.pressed(keys)
}

fn journal() -> Sample {
    let page = JournalPage {
        lines: screens_suites::written(),
        problem: None,
    };
    screens_suites::journal(SIZE, page)
}

fn attached(keys: &str) -> Sample {
    screens_suites::worked_out(SIZE, screens_suites::partial()).pressed(keys)
}

fn monitor() -> Sample {
    screens_monitor::monitor(SIZE, 30, Some("failed_new <= 8")).desk
}

fn conflict() -> Sample {
    screens_form::review(SIZE, screens_form::with_title("Smoke of the night"))
}

fn board(keys: &str) -> Sample {
    let mut world = screens_board::board(SIZE);
    world.press(keys);
    world.desk
}

/// A name, and what leads there.
type State = (&'static str, fn() -> Sample);

/// The states whose keys are tried.
const STATES: &[State] = &[
    ("runs", || list("jjjj")),
    ("runs_marked", || list("  jj jj")),
    ("runs_range", || list("jvjj")),
    ("runs_found", || list("/test\nj")),
    ("runs_typing", || list("/te")),
    ("changes", || screens_changes::changed(SIZE).pressed("j")),
    ("feed", || {
        let mut world = screens_monitor::with_changes(SIZE);
        world.press("H2j");
        world.desk
    }),
    ("run", || screens::detail(SIZE)),
    ("run_details", || screens::detail(SIZE).pressed("\t\t")),
    ("json", || screens::detail(SIZE).pressed("ijj")),
    ("json_found", || screens::detail(SIZE).pressed("i/test\nn")),
    ("available", || {
        screens_suites::available(SIZE).pressed("jjjj")
    }),
    ("available_marked", || {
        screens_suites::available(SIZE).pressed("  jj j")
    }),
    ("available_typing", || {
        screens_suites::available(SIZE).pressed("/2")
    }),
    ("attached", || attached("jj")),
    ("attached_marked", || attached("  j")),
    ("suite", || screens_suites::with_rich(SIZE).pressed("ij")),
    ("suite_low", || {
        down(screens_suites::with_rich((80, 14)).pressed("i"), 12)
    }),
    ("confirm_add", || {
        screens_suites::available(SIZE).pressed("A\n")
    }),
    ("confirm_low", || {
        down(screens_suites::available((80, 14)).pressed("A\n"), 2)
    }),
    ("confirm_remove", || attached("  x")),
    ("change", || screens_suites::working(SIZE, &[])),
    ("monitor", || monitor().pressed("jj")),
    ("monitor_limit", || monitor().pressed("t")),
    ("form_new", || screens_form::new_run(SIZE).pressed("Night")),
    ("form_edit", || screens_form::editing(SIZE).pressed("!")),
    ("form_status", || {
        screens_form::editing(SIZE).pressed("\t\t\t")
    }),
    ("form_configurations", || {
        let mut sample = screens_form::editing(SIZE);
        sample.act(Action::Offer);
        sample
    }),
    ("form_clone", || screens_form::cloning(SIZE, true)),
    ("review", || screens_form::review(SIZE, document(2))),
    ("review_new", || screens_form::reviewed(SIZE)),
    ("review_new_under_way", || {
        let mut sample = screens_form::reviewed(SIZE);
        let id = screens_form::send(&mut sample);
        for good in [true, false] {
            let step = screens_suites::step(good, "request 1 of 2: 20 suites");
            sample.reply(id, Answer::ChangeStep(step));
        }
        sample
    }),
    ("review_conflict", conflict),
    ("review_raw", || conflict().pressed("ij")),
    ("delete_looking", || screens_delete::opened(SIZE)),
    ("delete_typed", || {
        screens_delete::looked(SIZE, deleting::complete(2)).pressed("R_2")
    }),
    ("delete_ready", || screens_delete::ready(SIZE)),
    ("delete_under_way", || screens_delete::removing(SIZE)),
    ("delete_ended", || {
        let mut sample = screens_delete::removing(SIZE);
        sample.ended(Outcome::unknown("no answer within 30 s"));
        sample
    }),
    ("delete_several", || {
        let mut sample = screens_delete::several(SIZE);
        sample.surveyed(deleting::complete(0));
        sample
    }),
    ("errors", || troubles()),
    ("login", || login("geheim")),
    ("login_button", || login("geheim\t")),
    ("login_signed_out", || {
        let mut sample = Sample::new(SIZE);
        sample.event(Event::Connected(Box::new(session())));
        sample.event(Event::SignInNeeded {
            user: " qa ".into(),
            why: SignInReason::Refused("wrong password".into()),
        });
        sample.pressed("geheim")
    }),
    ("login_user", || login("geheim\t\t\t")),
    ("journal", || down(journal(), 30)),
    ("journal_filtered", || journal().pressed("/known")),
    ("help", || down(list("?"), 20)),
    ("help_found", || list("?sort")),
    ("palette", || down(list(":"), 30)),
    ("palette_typed", || list(":re")),
    ("palette_argument", || list(":theme  da")),
    ("palette_wrong", || list(":project P_x ")),
    ("palette_nothing", || list(":xyzzy\n")),
    ("facets", || list("f")),
    ("facets_ticked", || down(list("f "), 1)),
    ("sort", || down(list("o"), 2)),
    ("sort_monitor", || monitor().pressed("o")),
    ("columns", || list("wjj")),
    ("columns_set", || list("wGkkkk-")),
    ("copy", || down(list("jjy"), 2)),
    ("copy_suites", || {
        screens_suites::available(SIZE).pressed(" j y")
    }),
    ("due_date", || list("jdThu")),
    ("board", || board("j")),
    ("board_criterion", || board("Gk")),
    ("board_all_versions", || {
        let mut world = screens_board::board(SIZE);
        world.press("3");
        screens_board::add_up(&mut world);
        world.answer();
        screens_board::add_up(&mut world);
        world.desk.pressed("j")
    }),
    ("explained", || {
        down(screens_board::board((80, 14)).desk.pressed("jjji"), 1)
    }),
    ("compare", || {
        screens_compare::compared(SIZE, "/R_0 or R_1 or R_2\nA=").pressed("jj")
    }),
    ("compare_found", || {
        screens_compare::compared(SIZE, "/R_0 or R_1\nA=").pressed("j")
    }),
];

fn screen(sample: &Sample) -> String {
    screen_text(&sample.draw().0)
}

/// What an action does: the layer it leads to, the lines that are others than before, and what is asked for.
fn does(before: &Sample, old: &str, action: &Action) -> String {
    let mut after = before.clone();
    after.open.clear();
    after.act(action.clone());
    let mut text = String::new();
    let (from, to) = (before.store.layer(), after.store.layer());
    if from != to {
        let _ = writeln!(text, "    to {to:?}");
    }
    let new = screen(&after);
    let changed = new.lines().zip(old.lines()).enumerate();
    let changed: Vec<_> = changed.filter(|(_, (new, old))| new != old).collect();
    for (row, (line, _)) in changed.iter().take(SHOWN) {
        let line: String = line.chars().take(COLUMNS).collect();
        let _ = writeln!(text, "    {row:2} {}", line.trim_end());
    }
    if changed.len() > SHOWN {
        let _ = writeln!(text, "    and {} more lines", changed.len() - SHOWN);
    }
    for effect in &after.open {
        let effect = format!("{effect:?}");
        let shown: String = effect.chars().take(120).collect();
        let _ = writeln!(text, "    asks {shown}");
    }
    text
}

fn table_of((name, make): &State) -> (String, String) {
    let sample = make();
    let layer = sample.store.layer();
    let place = PLACES.iter().copied().flatten();
    let place = place
        .into_iter()
        .find(|place| place.layer == layer)
        .unwrap();
    let of_all = |name: &str| EVERYWHERE.iter().chain(LETTERS).any(|row| row.name == name);
    let rows = place.bindings().into_iter();
    let rows =
        rows.filter(|row| !row.keys.is_empty() && (layer == Layer::Runs || !of_all(row.name)));
    let keys = rows.map(|row| (format!("{} {}", row.keys[0], row.name), row.action.clone()));
    let mut tried: Vec<(String, Action)> = keys.collect();
    let clicks = [0, 2, 5, 200].map(|row| (format!("click on row {row}"), Action::Point(row)));
    let buttons = [0, 1, 2].map(|button| (format!("button {button}"), Action::Press(button)));
    tried.extend(clicks.into_iter().chain(buttons));
    if place.types {
        let typed = [KeyCode::Char('z'), KeyCode::Backspace];
        let typed = typed.map(|code| {
            (
                format!("types {code:?}"),
                Action::Type(KeyEvent::from(code)),
            )
        });
        tried.extend(typed);
        tried.push(("pastes".into(), Action::Paste("a b\nc".into())));
    }
    let old = screen(&sample);
    let mut low = sample.clone();
    low.resize(LOW);
    let mut table = format!("{name}\n{}\n", picture(&low));
    let mut known: Vec<(String, String)> = Vec::new();
    let mut nothing = Vec::new();
    for (key, action) in tried {
        let does = does(&sample, &old, &action);
        let same = known.iter().find(|(_, other)| *other == does);
        match same {
            _ if does.is_empty() => nothing.push(key),
            Some((other, _)) => _ = writeln!(table, "{key}: as {other}"),
            None => {
                _ = write!(table, "{key}\n{does}");
                known.push((key, does));
            }
        }
    }
    let _ = writeln!(table, "nothing: {}\n", nothing.join(", "));
    (format!("{layer:?}"), table)
}

#[test]
fn what_each_key_does() {
    let mut places: BTreeMap<String, String> = BTreeMap::new();
    // It takes longer than any other test: half of it beside the other half.
    let tables = std::thread::scope(|scope| {
        let halves = STATES.chunks(STATES.len().div_ceil(2));
        let tables = |half: &'static [State]| half.iter().map(table_of).collect::<Vec<_>>();
        let halves: Vec<_> = halves
            .map(|half| scope.spawn(move || tables(half)))
            .collect();
        let halves = halves.into_iter().map(|half| half.join().unwrap());
        halves.collect::<Vec<_>>().concat()
    });
    for (place, table) in tables {
        places.entry(place).or_default().push_str(&table);
    }
    for place in PLACES.iter().copied().flatten() {
        let name = format!("{:?}", place.layer);
        assert!(places.contains_key(&name), "no state of {name}");
    }
    for (place, tables) in places {
        insta::assert_snapshot!(place, tables);
    }
}
