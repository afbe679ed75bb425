//! Every way by which a text of somebody else leaves the program, with every character at an edge of what acts in every
//! field. What the commands without a screen print is looked at in `headless/foreign_text.rs`.

use super::support::{acting, suites};
use crate::support::prelude::*;
use std::fs;

use rundown::disk::{Drafts, Trash, TrashCopy, WriteId, WriteStep};
use rundown::domain::Notify;
use rundown::domain::{DraftSent, Sample as Counted, SuiteRow, csv, excerpt};
use rundown::samples::to_csv;
use rundown::store::{CopyWhat, JournalLine, JournalPage, KnownProfile, Store};

/// The document of a run or a suite with this text in every field, its reference included.
fn filled(from: &Document, text: &str) -> Document {
    fn fill(value: &mut Value, text: &str) {
        match value {
            Value::String(old) => text.clone_into(old),
            Value::Array(list) => list.iter_mut().for_each(|value| fill(value, text)),
            Value::Object(members) => members.values_mut().for_each(|value| fill(value, text)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut raw = from.raw().clone();
    fill(&mut raw, text);
    raw["document"]["Root"]["General"]["Status"] = json!("active");
    let acting: String = text.chars().filter(|c| acting::acts(*c)).collect();
    raw["docRef"] = json!(format!("TestRun-dm/{acting}1"));
    Document::from_value(raw).unwrap()
}

fn opened(text: &str) -> Opened {
    let document = filled(&document(4), text);
    let json = serde_json::to_string_pretty(document.raw()).unwrap();
    Opened {
        document,
        json: json.lines().map(str::to_owned).collect(),
    }
}

fn send_document(sample: &mut Sample, text: &str) {
    let id = sample.newest(|effect| match effect {
        Effect::Request(id, Request::GetDocument { .. }) => Some(*id),
        _ => None,
    });
    let result = Ok(Box::new(opened(text)));
    sample.reply(id, Answer::Document(result));
}

/// The list of runs, each with the text in every field, by a profile that has it in every field, too.
fn list(text: &str) -> Sample {
    list_with(text, |_| ())
}

fn list_with(text: &str, change: impl FnOnce(&mut Session)) -> Sample {
    let mut sample = Sample::new((120, 36));
    let profile = KnownProfile {
        name: text.to_owned(),
        project: text.to_owned(),
        subproject: Some(text.to_owned()),
        read_only: false,
    };
    let keymap = rundown::keymap::Keymap::built_in(rundown::app::PLACES).unwrap();
    sample.store = Store::new(keymap.tables(), vec![profile], false);
    let mut session = session();
    for field in [
        &mut session.profile,
        &mut session.service,
        &mut session.identity,
        &mut session.realm,
        &mut session.user,
        &mut session.project,
    ] {
        text.clone_into(field);
    }
    session.subproject = Some(text.to_owned());
    change(&mut session);
    sample.event(Event::Connected(Box::new(session)));
    sample.event(Event::SignedIn {
        user: text.to_owned(),
    });
    answer_list(&mut sample, text);
    sample
}

fn answer_list(sample: &mut Sample, text: &str) {
    let row = RunRow::from_document(&filled(&document(4), text));
    let open = sample.effects();
    for effect in open {
        match effect {
            Effect::Request(id, Request::ListRuns { .. } | Request::ReadRuns { .. }) => {
                let page = RunsPage {
                    full_size: 1,
                    rows: vec![row.clone()],
                    facets: Some(vec![(text.to_owned(), vec![text.to_owned()])]),
                    operation: Some(RunsOperation::ListTestRuns),
                };
                sample.runs(id, Ok(page));
            }
            other => sample.open.push(other),
        }
    }
}

fn odd_failure(text: &str) -> Failure {
    Failure {
        asked: text.to_owned(),
        cause: text.to_owned(),
        remedy: text.to_owned(),
        ..failure()
    }
}

/// The form of the run, everything here.
fn form(text: &str) -> Sample {
    let mut sample = list(text);
    sample.press("e");
    sample.take_draft(None, None);
    send_document(&mut sample, text);
    sample
}

fn texts_of_form(sample: &Sample) -> RunTexts {
    sample.store.form().unwrap().texts()
}

/// Texts with a few of the edges each: a column is narrow.
fn short_texts() -> Vec<String> {
    let mut edges = acting::edges();
    edges.retain(|c| acting::acts(*c) || acting::joins(*c));
    edges.sort_unstable();
    edges.dedup();
    let text = |edges: &[char]| edges.iter().flat_map(|c| ['x', *c]).chain(['y']).collect();
    edges.chunks(5).map(text).collect()
}

/// Looks at what is on the screen now.
#[track_caller]
fn look(sample: &Sample, name: &str) {
    let (buffer, _) = sample.draw();
    for cell in &buffer.content {
        let odd = |c: char| acting::acts(c) || acting::joins(c);
        assert!(
            !cell.symbol().contains(odd),
            "{name}: {:?}\n{}",
            cell.symbol(),
            sample.screen()
        );
    }
    let screen = sample.screen();
    assert!(screen.contains('x'), "{name} shows nothing of it: {screen}");
}

#[test]
fn the_screens() {
    for text in short_texts() {
        let mut sample = list(&text);
        look(&sample, "the list with its preview");
        sample.press("f");
        look(&sample, "facets");
        sample.press("\n");
        look(&sample, "a filter that waits");
        answer_list(&mut sample, &text);
        look(&sample, "a filter");
        sample.event(Event::Trouble(odd_failure(&text)));
        look(&sample, "a failure");
        sample.press("!");
        look(&sample, "errors");
        sample.press("\u{1b}\u{1b}");
        answer_list(&mut sample, &text);
        sample.press("\n");
        look(&sample, "a run that is read");
        send_document(&mut sample, &text);
        for part in ["1", "2", "3", "4", "5"] {
            sample.press(part);
            look(&sample, "a part of a run");
        }
        sample.press("i");
        look(&sample, "JSON");
        sample.press("/");
        sample.act(Action::Paste(text.as_str().into()));
        look(&sample, "a search");

        let mut sample = list(&text);
        sample.press("/");
        sample.act(Action::Paste(text.as_str().into()));
        look(&sample, "a filter that is typed");

        let mut sample = form(&text);
        look(&sample, "the form");
        sample.press("!");
        sample.act(Action::Save);
        look(&sample, "the review");
        send_document(&mut sample, &text);
        look(&sample, "the review, compared");
        sample.press("i");
        look(&sample, "the request");

        let mut sample = list(&text);
        sample.press("a");
        look(&sample, "suites that are read");
        let id = sample.store.asked(&Slot::Available);
        let suite = suites::suite(3);
        let suite = SuiteRow {
            id: Some(text.clone()),
            title: Some(text.clone()),
            order: Some(text.clone()),
            priority: Some(text.clone()),
            description: Some(text.clone()),
            edited_by: Some(text.clone()),
            display_edited_on: Some(text.clone()),
            project: Some(text.clone()),
            subproject: Some(text.clone()),
            version: Some(text.clone()),
            ..suite
        };
        sample.reply(id, Answer::Available(Ok(vec![suite])));
        look(&sample, "suites");
        sample.press(" \n");
        look(&sample, "suites that are to be added");

        for (keys, name) in [
            ("M", "the monitor"),
            ("B", "the board"),
            ("Bi", "how its kinds are made"),
            ("=", "a comparison"),
            ("D", "a deletion"),
            ("s", "suites that are worked out"),
            ("C", "a clone"),
            (":", "the palette"),
        ] {
            let mut sample = list(&text);
            sample.press(keys);
            answer_list(&mut sample, &text);
            look(&sample, name);
        }

        let mut sample = list(&text);
        sample.press("@");
        let id = sample.store.asked(&Slot::Journal);
        let line = JournalLine {
            state: text.clone(),
            detail: vec![text.clone()],
            request: vec![text.clone()],
            ..journal_line(&text, &text, &text)
        };
        let page = JournalPage {
            lines: vec![line],
            problem: Some(text.clone()),
        };
        sample.reply(id, Answer::Journal(Ok(page)));
        look(&sample, "the journal");
        sample.press("i");
        look(&sample, "a request of the journal");

        let mut sample = list(&text);
        sample.event(Event::SignInNeeded {
            user: text.clone(),
            why: SignInReason::Refused(text.clone()),
        });
        look(&sample, "the login");
    }
}

#[test]
fn a_field_sends_back_what_came() {
    for text in short_texts() {
        let mut sample = form(&text);
        assert_eq!(texts_of_form(&sample)[&RunField::Title], text);
        sample.press("!");
        sample.act(Action::NextField);
        sample.act(Action::NextField);
        sample.press("?");
        sample.act(Action::Paste("\u{1b}\u{202e}".into()));
        sample.act(Action::Save);
        send_document(&mut sample, &text);
        sample.says("not to be seen");
        sample.act(Action::Save);
        let modify = sample.open.iter().find_map(|effect| match effect {
            Effect::Request(_, Request::Modify(modify)) => Some(modify),
            _ => None,
        });
        let texts = &modify.unwrap().texts;
        assert_eq!(texts[&RunField::Title], format!("{text}!"));
        assert_eq!(
            texts[&RunField::Description],
            format!("{text}?\u{1b}\u{202e}")
        );
    }
}

#[test]
fn the_clipboard() {
    for c in acting::edges() {
        let text = format!("R_{c}4");
        let mut sample = list(&text);
        let copied = |sample: &mut Sample, action: Action| {
            sample.act(action);
            let copied = sample.open.drain(..).find_map(|effect| match effect {
                Effect::Copy { text, .. } => Some(text),
                _ => None,
            });
            copied.unwrap()
        };
        let id = copied(&mut sample, Action::Copy(CopyWhat::Id));
        let reference = copied(&mut sample, Action::Copy(CopyWhat::DocRef));
        assert!(!id.contains(acting::acts) && !reference.contains(acting::acts));
        for what in [CopyWhat::Title, CopyWhat::Plain, CopyWhat::Markdown] {
            let copied = copied(&mut sample, Action::Copy(what));
            let mut lines = copied.lines();
            assert!(!lines.any(|line| line.contains(acting::acts)), "{copied}");
        }
        let row = copied(&mut sample, Action::Copy(CopyWhat::Tsv));
        let cells: Vec<_> = row.trim_end_matches('\n').split('\t').collect();
        assert!(!cells.concat().contains(acting::acts), "{row}");
        assert_eq!(
            cells[0].chars().count(),
            4,
            "one cell, whatever stands in it: {row}"
        );
        if acting::acts(c) {
            assert_eq!(id.chars().count(), 4, "it is seen that there was one: {id}");
            assert_eq!(reference.chars().count(), 13, "{reference}");
        } else {
            assert_eq!(id, text);
        }
        sample.press("\n");
        send_document(&mut sample, &text);
        let json = copied(&mut sample, Action::Copy(CopyWhat::Json));
        assert!(!json.contains(|c| c != '\n' && acting::acts(c)), "{json}");
        let back: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(back["document"]["Root"]["General"]["Id"], text);
    }
}

#[test]
fn what_calls_somebody() {
    for notify in [Notify::Osc9, Notify::Command(vec!["notify".into()])] {
        let title = "\u{1b}]9;".to_owned() + &acting::text() + &"long ".repeat(4_000);
        let mut sample = list_with(&title, |session| {
            session.watch.limit = Some("failed_new <= 9".into());
            session.monitor.notify = notify;
        });
        sample.press("M");
        // Another reading than that of the list.
        sample.now += 1;
        answer_list(&mut sample, &title);
        // The reading after it finds one failure more.
        let (pause, _) = sample
            .store
            .waits(|slot| *slot == Slot::RefreshPause)
            .unwrap();
        let timer = sample.open.iter().find_map(|effect| match effect {
            Effect::Request(id, Request::Timer { after }) if *id == pause => Some((*id, *after)),
            _ => None,
        });
        let (id, after) = timer.unwrap();
        sample.now += i64::try_from(after).unwrap();
        sample.reply(id, Answer::Timer);
        let open = sample.effects();
        for effect in open {
            if let Effect::Request(id, Request::ListRuns { .. } | Request::ReadRuns { .. }) = effect
            {
                let mut document = filled(&document(4), &title).raw().clone();
                document["document"]["Root"]["DisplayFields"]["Result"] =
                    json!([{"result": "5", "count": 10}]);
                let row = RunRow::from_document(&Document::from_value(document).unwrap());
                let page = RunsPage {
                    full_size: 1,
                    rows: vec![row],
                    facets: None,
                    operation: Some(RunsOperation::ListTestRuns),
                };
                sample.runs(id, Ok(page));
            }
        }
        let words: Vec<String> = sample
            .open
            .iter()
            .filter_map(|effect| match effect {
                Effect::Notify(words) | Effect::Call(words) => Some(words.clone()),
                _ => None,
            })
            .collect();
        assert!(!words.is_empty());
        for words in words {
            assert!(!words.contains(acting::acts), "{words}");
            begins(&words, "rundown: ␛]9;");
            assert_eq!(words.chars().count(), 300, "{words}");
        }
    }
}

#[test]
fn comma_separated_values() {
    for c in acting::edges() {
        let text = format!("R_{c}4");
        let run = filled(&document(4), &text);
        let samples = [Counted {
            at: NOW,
            seen_until: NOW,
            clock_back: false,
            counts: None,
            suites: None,
            progress: None,
        }];
        for table in [
            to_csv([(text.as_str(), run.doc_ref(), &samples[..])]),
            csv::cell(&text),
        ] {
            assert!(
                !table.contains(|c| c != '\n' && acting::acts(c)),
                "{table:?}"
            );
            if !acting::acts(c) {
                says(&table, &text);
            }
        }
    }
}

#[test]
fn files_that_come_back() {
    let text = acting::text();
    let place = new_folder();
    let clean = |folder: &str| {
        let mut files = 0;
        let mut folders = vec![place.path().join(folder)];
        while let Some(next) = folders.pop() {
            for entry in fs::read_dir(next).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let file = fs::read_to_string(&path).unwrap();
                assert!(!file.contains(|c| c != '\n' && acting::acts(c)), "{path:?}");
                files += usize::from(file.contains("\\u202e"));
            }
        }
        assert!(files > 0, "nothing of it is in {folder}");
    };
    let document = filled(&document(4), &text);

    let copy = TrashCopy {
        profile: text.clone(),
        at: NOW,
        run_name: text.clone(),
        document: document.clone(),
        counts: RunRow::from_document(&document).results,
        suite_count: Some(1),
        suites: vec![(document.doc_ref().clone(), text.clone())],
        known: text.clone(),
    };
    let file = Trash::new(place.path().join("trash")).save(&copy).unwrap();
    clean("trash");
    assert_eq!(Trash::read(&file).unwrap(), copy);

    let drafts = Drafts::new(place.path().join("drafts"));
    let form = FormFor::Edit(document.doc_ref().clone());
    let key = drafts
        .take(&owner(&text), &form, &DraftWish::Newest)
        .unwrap()
        .found
        .key;
    let texts = RunField::ALL.map(|field| (field, text.clone()));
    let draft = Draft {
        key: key.clone(),
        service: String::new(),
        project: String::new(),
        profile: text.clone(),
        form: form.clone(),
        run_name: text.clone(),
        base: Some(document.clone()),
        texts: texts.into(),
        at: NOW,
        matrix: false,
        with_suites: None,
        died: false,
        sent: Some(DraftSent {
            at: NOW,
            titles: vec![text.clone()],
            saves: Vec::new(),
            words: text.clone(),
        }),
    };
    drafts.keep(&draft).unwrap();
    clean("drafts");
    drafts.leave(&key);
    let back = drafts
        .take(&owner(&text), &form, &DraftWish::Newest)
        .unwrap();
    assert_eq!(back.found.before, Some(draft));

    fs::create_dir(place.path().join("journal")).unwrap();
    let journal = Journal::open(&place.path().join("journal")).unwrap();
    let step = Recorded::Sent {
        method: text.clone(),
        params: document.raw().clone(),
        note: Some(json!(text)),
    };
    let steps = [
        step,
        Recorded::Answered {
            result: json!([text]),
        },
        Recorded::Refused {
            sent: true,
            failure: text.clone(),
        },
        Recorded::Unknown {
            failure: text.clone(),
        },
        Recorded::Confirmed { how: text.clone() },
        Recorded::Differs { what: text.clone() },
    ];
    let write = WriteId::new(7);
    for step in &steps {
        let entry = WriteStep {
            write: write.clone(),
            at: NOW,
            profile: text.clone(),
            target: rundown::domain::WriteTarget {
                service: text.clone(),
                project: text.clone(),
            },
            user: text.clone(),
            run: text.clone(),
            run_name: text.clone(),
            step: step.clone(),
        };
        journal.append(&entry).unwrap();
    }
    clean("journal");
    let read = journal.newest(None).unwrap();
    let [write] = &read.writes[..] else {
        panic!("{read:?}")
    };
    assert_eq!((&write.run, &write.run_name, read.torn), (&text, &text, 0));
    let back: Vec<&Recorded> = write.steps.iter().map(|record| &record.step).collect();
    assert_eq!(back, steps.iter().collect::<Vec<_>>());
}

/// What goes to an editor holds nothing that acts, and no settings for it; saved as it is, it changes nothing.
#[test]
fn the_editor() {
    let settings = "x vim: set ts=13:\n# -*- mode: sh -*-\nLocal Variables:\n";
    for c in acting::edges() {
        for text in [
            format!("a{c}b"),
            format!("{settings}\\u{{1b}}\\{c}\n"),
            format!("{c}\r\n"),
        ] {
            let lays_out = |c| matches!(c, '\n' | '\t' | '\r');
            let mut sample = form(&text);
            sample.act(Action::NextField);
            sample.act(Action::NextField);
            sample.open.clear();
            sample.act(Action::FieldOutside);
            let Some(Effect::Request(id, Request::EditText { text: file, .. })) = sample.open.pop()
            else {
                panic!("nothing goes out")
            };
            assert!(
                !file.contains(|c| acting::acts(c) && !lays_out(c)),
                "{file:?}"
            );
            lacks(&file, " vim:");
            lacks(&file, "-*-");
            lacks(&file, "Variables:");
            sample.reply(id, Answer::Edited(Ok((file.clone(), "edited".into()))));
            let removed = DraftRequest::Discard {
                key: None,
                edited: vec!["edited".into()],
            };
            assert_eq!(sample.open, [Effect::Draft(removed)], "nothing has changed");
            sample.open.clear();
            assert_eq!(texts_of_form(&sample)[&RunField::Description], text);
            sample.act(Action::FieldOutside);
            let Some(Effect::Request(id, Request::EditText { .. })) = sample.open.pop() else {
                panic!("nothing goes out")
            };
            sample.reply(
                id,
                Answer::Edited(Ok(("more ".to_owned() + &file, "edited".into()))),
            );
            assert_eq!(
                texts_of_form(&sample)[&RunField::Description],
                format!("more {text}")
            );
        }
    }
    // A person may write about escapes where there was none.
    let mut sample = form("plain");
    sample.act(Action::NextField);
    sample.act(Action::NextField);
    sample.act(Action::FieldOutside);
    let Some(Effect::Request(id, Request::EditText { .. })) = sample.open.pop() else {
        panic!("nothing goes out")
    };
    sample.reply(
        id,
        Answer::Edited(Ok(("\\u{1b} is an escape\n".into(), "edited".into()))),
    );
    assert_eq!(
        texts_of_form(&sample)[&RunField::Description],
        "\\u{1b} is an escape"
    );
}

#[test]
fn words_of_messages() {
    for c in acting::edges() {
        let words = excerpt(&format!("a{c}b"), 200);
        assert!(!words.contains(acting::acts), "{words:?}");
    }
}

#[test]
fn words_of_a_search_are_shown_as_texts_are() {
    let mut sample = Sample::list((120, 40), 30);
    sample.press("/");
    sample.act(Action::Paste("\"a\" b\u{1b}[31m".into()));
    for keys in ["", "\n"] {
        sample.press(keys);
        sample.says("\"\"a\" b␛[31m\"");
        sample.lacks("\\u{1b}");
    }
}
