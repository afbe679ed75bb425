//! What is copied of runs: the menu, the texts, and what is said of them.

use super::support::sample;
use super::{screens_changes, screens_compare, screens_suites};
use crate::support::prelude::*;
use rundown::domain::run_text;
use rundown::keymap::{OwnKeys, Written};
use rundown::store::{CopyEnd, CopyWhat};
use sample::opened;

const SIZE: (u16, u16) = (80, 24);

/// What was last sent to the clipboard: its name and its text.
fn copied(sample: &mut Sample) -> (String, String) {
    let last = sample.clipboard().pop();
    sample.open.clear();
    last.unwrap()
}

fn said(sample: &Sample) -> String {
    let notice = sample.store.cx.notice.as_ref();
    let words = notice.map(|notice| format!("{} {}", notice.text, notice.remedy));
    words.unwrap_or_default().trim_end().to_owned()
}

#[test]
fn a_letter_chooses_at_once() {
    let row = row(0);
    let title = row.title.clone().unwrap();
    let reference = row.doc_ref.to_string();
    let line = "R_0 Performance test: 116 cases, 13 failed, 5 blocked or on hold, 46 left";
    for (letter, what, expected) in [
        ("r", "R_0's reference", reference.as_str()),
        ("i", "R_0's id", "R_0"),
        ("t", "R_0's title", title.as_str()),
        ("p", "R_0's row as plain text", line),
    ] {
        let mut sample = Sample::list(SIZE, 3);
        sample.press("y");
        sample.on(Layer::CopyMenu);
        sample.press(letter);
        assert_eq!(copied(&mut sample), (what.into(), expected.into()));
        sample.on(Layer::Runs);
    }
    // Enter takes the row under the cursor.
    let mut sample = Sample::list(SIZE, 3);
    sample.press("y");
    sample.key(KeyCode::Down.into());
    sample.says(">i  id");
    sample.press("\n");
    assert_eq!(copied(&mut sample), ("R_0's id".into(), "R_0".into()));
}

#[test]
fn what_is_not_known_is_an_empty_cell_in_a_sheet() {
    let unknown = RunRow {
        title: None,
        results: None,
        ..row(1)
    };
    let sheet = run_text::table(&[row(0), unknown], &[]).tsv();
    let last = sheet.lines().last().unwrap();
    assert!(last.starts_with("R_1\t\t"), "{sheet}");
    assert!(!last.contains("\t-"), "{sheet}");
}

#[test]
fn rows_for_a_page_and_for_a_sheet() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("  ym");
    let (what, table) = copied(&mut sample);
    assert_eq!(what, "the rows as Markdown of 2 runs");
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 4, "headings, their rule, two rows: {table}");
    assert!(lines[0].starts_with("| Id | Title | "), "{table}");
    assert!(lines[1].starts_with("| --- | --- | "), "{table}");
    assert!(
        lines[2].starts_with("| R_0 | Performance test | "),
        "{table}"
    );
    let bars = |line: &&str| line.matches(" | ").count();
    assert!(lines.iter().all(|line| bars(line) == bars(&lines[0])));
    sample.press("yv");
    let (_, values) = copied(&mut sample);
    let rows: Vec<Vec<_>> = values
        .lines()
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(rows.len(), 2);
    assert_eq!(&rows[1][..2], ["R_1", "Regression payment"]);
    assert_eq!(rows[0].len(), bars(&lines[0]) + 1, "the same columns");
}

#[test]
fn all_marked_runs_are_meant_and_the_command_is_for_the_one_under_the_cursor() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("   yi");
    assert_eq!(
        copied(&mut sample),
        ("the ids of 3 runs".into(), "R_0\nR_1\nR_2".into())
    );
    sample.press(":copy the id\n");
    assert_eq!(copied(&mut sample), ("R_3's id".into(), "R_3".into()));
    let mut sample = Sample::list(SIZE, 30).pressed(" jjyi");
    assert_eq!(copied(&mut sample), ("R_0's id".into(), "R_0".into()));
}

#[test]
fn a_file_has_the_marked_runs_also_where_it_is_only_one() {
    for (keys, marked) in [(" jj", &["R_0"][..]), (" j ", &["R_0", "R_2"])] {
        let sample = Sample::list(SIZE, 30).pressed(keys).pressed("XJSON\n");
        let written = sample.open.iter().find_map(|effect| match effect {
            Effect::ExportRuns { view, runs, .. } => Some((view, runs)),
            _ => None,
        });
        let (view, runs) = written.unwrap();
        let ExportedRuns::These(runs) = runs else {
            panic!("{runs:?}")
        };
        let names: Vec<&str> = runs.iter().map(|run| run.name()).collect();
        assert_eq!((view.as_str(), &names[..]), ("marked", marked));
    }
}

#[test]
fn the_json_of_more_than_a_hundred_runs_is_not_read_for_a_copy() {
    let mut sample = Sample::list(SIZE, 101).pressed("G");
    sample.answer(101);
    sample.press("Ayj");
    assert_eq!(said(&sample), "JSON of 101 runs: at most 100 at once");
}

#[test]
fn only_what_a_tool_has_said_is_sure() {
    let mut sample = Sample::list(SIZE, 3);
    let mut end = |end| {
        let what = "R_0's reference".into();
        sample.event(Event::Copied { what, end });
        said(&sample)
    };
    assert_eq!(end(CopyEnd::Copied), "Copied R_0's reference");
    assert_eq!(
        end(CopyEnd::Sent),
        "Sent R_0's reference to the terminal's clipboard"
    );
    assert_eq!(
        end(CopyEnd::Failed("xclip: no".into())),
        "Could not copy R_0's reference: xclip: no. y f writes a file."
    );
}

#[test]
fn the_keys_named_are_the_ones_that_there_are() {
    let own = |name: &str, keys: &[&str]| {
        let written = |text: &str| Written {
            at: 0,
            text: text.into(),
        };
        OwnKeys {
            command: written(name),
            keys: keys.iter().map(|key| written(key)).collect(),
            only: true,
        }
    };
    let keys = [own("copy", &["Alt-y"]), own("copy-file", &["s"])];
    let mut sample = Sample::with_keys(SIZE, &keys);
    sample.sign_in();
    sample.answer(3);
    let failed = || Event::Copied {
        what: "it".into(),
        end: CopyEnd::Failed("no".into()),
    };
    sample.event(failed());
    assert_eq!(
        said(&sample),
        "Could not copy it: no. Alt-y s writes a file."
    );
    // In a form there is no such menu.
    sample.press("n");
    sample.event(failed());
    assert_eq!(said(&sample), "Could not copy it: no.");
}

#[test]
fn a_file_gets_what_was_copied_last() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("yt");
    sample.open.clear();
    sample.press("yf");
    let title = row(0).title.unwrap();
    let expected = Effect::CopyToFile {
        what: "R_0's title".into(),
        name: "R_0".into(),
        ending: "txt",
        text: title,
    };
    assert!(sample.open.contains(&expected), "{:?}", sample.open);
    for (what, ending) in [
        (CopyWhat::Json, "json"),
        (CopyWhat::Markdown, "md"),
        (CopyWhat::Tsv, "tsv"),
    ] {
        assert_eq!(what.ending(), ending);
    }
    for (result, words) in [
        (Ok("/a/b.txt".to_owned()), "Wrote R_0's title to /a/b.txt"),
        (
            Err("the disk is full".to_owned()),
            "Could not write R_0's title: the disk is full",
        ),
    ] {
        let what = "R_0's title".into();
        sample.event(Event::Written { what, result });
        assert_eq!(said(&sample), words);
    }
}

#[test]
fn json_is_read_where_it_is_not_on_the_screen() {
    let mut sample = Sample::list(SIZE, 3);
    let (first, second) = (row(0).doc_ref, row(1).doc_ref);
    let asked = |sample: &mut Sample| {
        let mut effects = sample.open.drain(..).rev();
        let asked = effects.find_map(|effect| match effect {
            Effect::Request(id, Request::ReadJson { runs }) => Some((id, runs)),
            _ => None,
        });
        asked.unwrap()
    };
    sample.press("yj");
    let (late, runs) = asked(&mut sample);
    assert_eq!(runs, std::slice::from_ref(&first));
    sample.press("  yj");
    let (id, runs) = asked(&mut sample);
    assert_eq!(runs, [first, second]);
    // What was asked for first must not come after what was asked for last.
    for (id, json) in [(late, "[\"late\"]"), (id, "[\"a\u{1b}\"]")] {
        let result = Ok(json.to_owned());
        sample.reply(id, Answer::Json(result));
    }
    let texts = sample.open.iter().filter_map(|effect| match effect {
        Effect::Copy { what, text } => Some((what.as_str(), text.as_str())),
        _ => None,
    });
    let texts: Vec<_> = texts.collect();
    assert_eq!(texts, [("the JSON of 2 runs", "[\"a\\u001b\"]")]);
    // On an open run it is what stands there.
    sample.press("\u{1b}k");
    sample.open.clear();
    sample.press("\n");
    sample.answer(3);
    sample.press("yj");
    let run = sample.store.detail().unwrap().run.clone();
    let number = run.name().trim_start_matches("R_").parse().unwrap();
    let (what, text) = copied(&mut sample);
    assert_eq!(what, format!("R_{number}'s JSON"));
    assert_eq!(text, opened(number).json.join("\n"));
}

#[test]
fn a_form_is_for_the_marked_run_and_not_for_several() {
    for (key, verb) in [("e", "edit"), ("C", "clone")] {
        let mut sample = Sample::list(SIZE, 30).pressed("  ").pressed(key);
        let words = format!("2 marked: {verb} is for one run (Esc twice lets the marks go)");
        assert_eq!(said(&sample), words);
        sample.on(Layer::Runs);
        // Without marks it is that under the cursor, with one it is that one.
        sample.press("\u{1b}\u{1b}");
        sample.press(key);
        sample.says("R_2 Smoke nightly › ");
        let marked = Sample::list(SIZE, 30).pressed(" jj").pressed(key);
        marked.says("R_0 Performance test › ");
    }
}

#[test]
fn the_web_address_by_the_setting() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("yw");
    let missing =
        "web_url is not set: web_url = \"https://…/{id}\" in [profiles.demo] of the config";
    assert_eq!(said(&sample), missing);
    sample.act(Action::OpenWeb);
    assert_eq!(said(&sample), missing);
    sample.connect(|it| it.web_url = Some("https://web.example/#/runs/{id}?tab=1".into()));
    sample.let_in();
    sample.answer(3);
    sample.press("yw");
    let address = "https://web.example/#/runs/R_0?tab=1";
    let (what, text) = copied(&mut sample);
    assert_eq!(
        (what.as_str(), text.as_str()),
        ("R_0's web address", address)
    );
    sample.press(":web\n");
    let opens = Effect::OpenWeb {
        run: "R_0".into(),
        address: address.into(),
    };
    assert!(sample.open.contains(&opens), "{:?}", sample.open);
    // It is for the next file, too.
    sample.act(Action::Copy(CopyWhat::Id));
    assert_eq!(sample.store.cx.shared.last_copied, CopyWhat::Id);
}

/// An id is the service's: whatever stands in it is one part of a path.
#[test]
fn an_id_leads_to_no_other_address() {
    let id = "../a?b#c@d e/\u{1b}ü";
    let address = run_text::web_address("https://web.example/runs/{id}/x", id);
    assert_eq!(
        address,
        "https://web.example/runs/%2E%2E%2Fa%3Fb%23c%40d%20e%2F%1B%C3%BC/x"
    );
}

#[test]
fn a_letter_without_a_line_keeps_the_menu_open_and_says_so() {
    let menus = vec![
        // Nothing was written yet, a suite has no address, and a screen has forms alone.
        Sample::list(SIZE, 3).pressed("yl"),
        screens_suites::available(SIZE).pressed("yw"),
        screens_compare::compared(SIZE, "/R_0 or R_1\nA=").pressed("yr"),
        screens_changes::changed(SIZE).pressed("yt"),
    ];
    for mut menu in menus {
        assert_eq!(menu.store.layer(), Layer::CopyMenu);
        assert_eq!(said(&menu), "that is not copied from here");
        menu.press("p");
        assert_ne!(menu.store.layer(), Layer::CopyMenu);
        assert!(!copied(&mut menu).1.is_empty());
    }
}
