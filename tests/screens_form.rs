//! The form of a run and its review in their states.

use super::pictures::{Size, States};
use super::support::{ends, evidence};
use crate::support::prelude::*;
use ends::{lost, made, not_made};
use evidence::{evidence, list, other};
use rundown::attached::{Attached, verdict};
use rundown::domain::{ChunkResult, Created, DraftSent, Undo, UndoBy, texts_of};
use rundown::screens::form::Stop;

/// Ends of a write by their names.
type Ends<T> = [(&'static str, fn() -> T); 4];

/// `e` on the run `R_2`, everything here.
pub fn editing(size: Size) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("jje");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    sample
}

pub fn new_run(size: Size) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("n");
    sample.take_draft(None, None);
    sample
}

/// The run `R_2` with another title, as `mai` saved it.
pub fn with_title(title: &str) -> Document {
    let mut raw = document(2).raw().clone();
    raw["document"]["Root"]["General"]["Title"] = title.into();
    raw["document"]["Root"]["Metadata"]["EditedBy"] = "mai".into();
    raw["__meta"]["modifier"] = "mai".into();
    raw["__meta"]["modifiedAt"] = "2026-11-20T09:38:00".into();
    Document::from_value(raw).unwrap()
}

fn attached(complete: bool) -> Attached {
    let mut all = evidence();
    all.other_runs = vec![if complete {
        other(3, 0, list(1..=10))
    } else {
        other(3, 2, list(3..=10))
    }];
    verdict(&all)
}

pub fn cloning(size: Size, complete: bool) -> Sample {
    cloning_with(size, Box::new(attached(complete)))
}

fn cloning_with(size: Size, attached: Box<Attached>) -> Sample {
    let mut sample = Sample::list(size, 30);
    sample.press("jjC");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    let id = sample.newest(|effect| match effect {
        Effect::Request(id, Request::Survey { .. }) => Some(*id),
        _ => None,
    });
    sample.reply(id, Answer::Surveyed(Ok(attached)));
    sample
}

#[test]
fn a_clone_of_a_run_without_suites_has_none() {
    let sample = cloning_with((80, 24), super::support::deleting::empty(2));
    let screen = sample.screen();
    says(&screen, "[x] no suites: it has none");
}

#[test]
fn what_has_the_focus_and_what_a_message_points_to_is_on_the_screen_in_any_room() {
    type Opens = fn(Size) -> Sample;
    let list = |size| {
        let mut sample = new_run(size);
        sample.press("Title\tchrome, edge\t");
        sample.act(Action::Paste("line\n".repeat(30).as_str().into()));
        sample.press("\t\t\t\t1.9");
        sample
    };
    let forms: [(&str, Opens); 3] = [
        ("new", list),
        ("edit", editing),
        ("clone", |size| cloning(size, true)),
    ];
    for size in [(40, 12), (40, 10), (60, 15), (80, 24)] {
        for (name, form) in forms {
            let mut sample = form(size);
            for _ in 0..=sample.store.form().unwrap().stops().len() {
                sample.press("\t");
                let stop = sample.store.form().unwrap().stop;
                let label = match stop {
                    Stop::Field(RunField::Title) => "> Title *",
                    Stop::Field(field) => &format!("> {}", field.field().label),
                    Stop::Matrix => "> Matrix",
                    Stop::Suites => "> Suites",
                    Stop::Save => "[ Review",
                    Stop::Leave => "[ Back",
                    Stop::Discard => "[ Discard",
                };
                let screen = sample.screen();
                assert!(
                    screen.contains(label),
                    "{name}, {size:?}, {label:?}:\n{screen}"
                );
            }
        }
        let mut sample = list(size);
        sample.act(Action::Save);
        sample.says("> Version");
        sample.says("1.9");
        sample.says("! not a version");
    }
}

#[test]
fn in_little_room_a_message_keeps_its_first_words_and_its_remedy() {
    let size = (60, 15);
    let mut sample = review(size, document(2));
    let id = send(&mut sample);
    let end = Outcome::unknown("no answer within 30 s, and reading afterwards failed");
    sample.reply(id, Answer::Modified(end));
    sample.says("R_2 may be changed: no answer within 30 s");
    sample.says("reads what the service has now.");
    sample.act(Action::Back);
    sample.says("  R_2 may be changed; Ctrl-s looks and compares");
    let mut sample = reviewed(size);
    let id = send(&mut sample);
    let end = not_made(Outcome::refused("refused: error -32002 invalid input"));
    sample.reply(id, Answer::Created(end));
    sample.says("not created: refused: error -32002");
    let mut sample = Sample::list(size, 30);
    let words = "sign-in refused: Invalid user credentials (invalid_grant, 401). Username and password do not \
                 fit, or the account is locked: ask who runs it";
    sample.sign_in_needed(SignInReason::Refused(words.into()));
    sample.says("sent again by itself.");
}

fn the_form_of_a_run(states: &mut States<'_>) {
    states.see("form_reading", |size| Sample::list(size, 30).pressed("jje"));
    states.see("form_edit", editing);
    states.see("form_edit_typed", |size| {
        let mut sample = editing(size);
        sample.press(", 漢字 nightly");
        sample.event(Event::DraftKept {
            key: "k".into(),
            result: Ok(NOW),
        });
        sample
    });
    states.see("form_edit_description", |size| {
        editing(size).pressed("\t\t\nThird paragraph that goes on and on, to see where the words of a long line are taken down to the next one.")
    });
    states.see("form_edit_wrong", |size| {
        let mut sample = editing(size);
        for _ in 0..20 {
            sample.act(Action::Type(KeyEvent::from(KeyCode::Backspace)));
        }
        sample.act(Action::Save);
        sample
    });
    states.see("form_edit_closed", |size| {
        let mut sample = Sample::on_closed(size).pressed("e");
        sample.take_draft(None, None);
        sample.send_document(closed_document(5));
        sample
    });
    states.see("form_new", new_run);
    states.see("form_new_wrong", |size| {
        let mut sample = new_run(size);
        sample.act(Action::Save);
        sample
    });
    states.see("form_read_only", |size| {
        let mut sample = Sample::list(size, 30);
        let mut session = session();
        session.read_only = true;
        sample.event(Event::Connected(Box::new(session)));
        sample.press("n");
        sample
    });
}

fn the_form_with_a_draft(states: &mut States<'_>) {
    let draft = |sent| Draft {
        key: "k".into(),
        service: String::new(),
        project: String::new(),
        profile: "demo".into(),
        form: FormFor::Edit(document(2).doc_ref().clone()),
        run_name: "R_2 Smoke nightly".into(),
        base: Some(document(2)),
        texts: {
            let mut texts = texts_of(&document(2));
            texts.insert(RunField::Title, "Smoke, every night".into());
            texts
        },
        at: NOW - 3_600_000,
        sent,
        matrix: false,
        with_suites: None,
        died: false,
    };
    states.see("form_draft_taken_up", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jje");
        sample.take_draft(Some(draft(None)), None);
        sample.send_document(with_title("Smoke of the night"));
        sample
    });
    states.see("form_draft_sent", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jje");
        let sent = DraftSent {
            at: NOW - 3_500_000,
            titles: Vec::new(),
            saves: Vec::new(),
            words: "no answer within 30 s".into(),
        };
        sample.take_draft(Some(draft(Some(sent))), None);
        sample.send_document(document(2));
        sample
    });
    states.see("form_draft_elsewhere", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jje");
        sample.take_draft(None, Some(4_711));
        sample.send_document(document(2));
        sample
    });
    states.see("form_draft_not_kept", |size| {
        let mut sample = editing(size);
        sample.press("x");
        sample.event(Event::DraftKept {
            key: "k".into(),
            result: Err(failure()),
        });
        sample
    });
    states.see("form_draft_discard", |size| {
        let mut sample = editing(size);
        sample.press("x");
        sample.act(Action::DiscardDraft);
        sample
    });
    states.see("form_drafts", |size| {
        let mut sample = Sample::list(size, 30);
        sample.event(Event::Drafts(vec![draft(None)]));
        sample.act(Action::Drafts);
        sample
    });
}

fn a_clone(states: &mut States<'_>) {
    states.see("form_clone_complete", |size| cloning(size, true));
    states.see("form_clone_partial", |size| cloning(size, false));
    states.see("form_clone_matrix_review", |size| {
        let mut sample = cloning(size, true);
        sample.press("\t\t\t\t\t\t\t ");
        sample.act(Action::Save);
        sample
    });
    states.see("form_clone_partial_review", |size| {
        let mut sample = cloning(size, false);
        sample.press("\t\t\t\t\t\t\t\t ");
        sample.act(Action::Save);
        sample
    });
    states.see("form_configurations", |size| {
        let mut sample = new_run(size);
        sample.act(Action::Offer);
        sample.press(" ");
        sample
    });
}

/// The review of an edit: `mine` was typed behind the title, `theirs` is what the service has by now.
pub fn review(size: Size, theirs: Document) -> Sample {
    let mut sample = editing(size);
    sample.press(" and more");
    sample.act(Action::Save);
    sample.send_document(theirs);
    sample
}

pub fn send(sample: &mut Sample) -> RequestId {
    sample.act(Action::Save);
    sample.newest(|effect| match effect {
        Effect::Request(id, Request::Modify(_) | Request::Create(_)) => Some(*id),
        _ => None,
    })
}

fn the_review_of_a_change(states: &mut States<'_>) {
    states.see("review_reading", |size| {
        let mut sample = editing(size);
        sample.press("!");
        sample.act(Action::Save);
        sample
    });
    states.see("review_mine", |size| review(size, document(2)));
    states.see("review_conflict", |size| {
        review(size, with_title("Smoke of the night"))
    });
    states.see("review_decided", |size| {
        review(size, with_title("Smoke of the night")).pressed("1")
    });
    states.see("review_refuses_undecided", |size| {
        let mut sample = review(size, with_title("Smoke of the night"));
        sample.act(Action::Save);
        sample
    });
    states.see("review_raw", |size| review(size, document(2)).pressed("i"));
    states.see("review_sending", |size| {
        let mut sample = review(size, document(2));
        send(&mut sample);
        sample
    });
    let ends: Ends<Outcome> = [
        ("moved", || {
            Outcome::not_sent(Why::Moved, "somebody wrote meanwhile: nothing was sent")
                .with_document(with_title("Smoke of the night"))
        }),
        ("refused", || {
            Outcome::refused("refused: error -32059 access denied")
        }),
        ("differs", || {
            Outcome::otherwise("Title is \"Other\", by mai; somebody else wrote in the same moment")
                .with_document(with_title("Other"))
        }),
        ("unknown", || {
            Outcome::unknown("no answer within 30 s, and reading afterwards failed")
        }),
    ];
    for (name, end) in ends {
        states.see(&format!("review_end_{name}"), |size| {
            let mut sample = review(size, document(2));
            let id = send(&mut sample);
            sample.reply(id, Answer::Modified(end()));
            sample
        });
    }
    states.see("review_end_saved", |size| {
        let mut sample = review(size, document(2));
        let id = send(&mut sample);
        let end = Outcome::done("read back with the new values").with_document(document(2));
        sample.reply(id, Answer::Modified(end));
        sample
    });
}

#[test]
fn what_stands_below_the_fields_of_a_review_comes_into_view_with_its_buttons() {
    let mut sample = review((40, 10), document(2));
    let last = "overwritten unseen";
    sample.lacks(last);
    sample.act(Action::Move(Motion::Down));
    sample.says(last);
    sample.act(Action::Move(Motion::Down));
    sample.says("Title");
}

/// The review of a new run.
pub fn reviewed(size: Size) -> Sample {
    let mut sample = new_run(size);
    sample.press("Night run\tfirefox");
    sample.act(Action::Save);
    sample
}

fn the_review_of_a_new_run(states: &mut States<'_>) {
    states.see("review_new", reviewed);
    states.see("review_new_raw", |size| reviewed(size).pressed("i"));
    let ends: Ends<Box<Created>> = [
        ("refused", || {
            not_made(Outcome::refused("refused: error -32002 invalid input"))
        }),
        ("unsure", || {
            not_made(Outcome::unknown("reading it failed: not found").of(&row(9).doc_ref))
        }),
        ("unknown_none", || lost("no answer within 30 s", Vec::new())),
        ("unknown_found", || {
            lost("no answer within 30 s", vec![row(9)])
        }),
    ];
    for (name, end) in ends {
        states.see(&format!("review_new_{name}"), |size| {
            let mut sample = reviewed(size);
            let id = send(&mut sample);
            sample.reply(id, Answer::Created(end()));
            sample
        });
    }
    states.see("review_new_made", |size| {
        let mut sample = reviewed(size);
        let id = send(&mut sample);
        sample.reply(
            id,
            Answer::ChangeStep(ChunkResult {
                words: "request 1 of 1: done".into(),
                good: true,
            }),
        );
        let end = made(document(9));
        sample.reply(id, Answer::Created(end));
        sample
    });
}

fn an_undo_is_reviewed(states: &mut States<'_>) {
    states.see("review_undo", |size| {
        let mut sample = Sample::list(size, 30);
        sample.press("jju");
        let Some(id) = sample.open.iter().rev().find_map(|effect| match effect {
            Effect::Request(id, Request::PlanUndo(_)) => Some(*id),
            _ => None,
        }) else {
            panic!("undo is asked of the worker: {:?}", sample.open)
        };
        let before = [(RunField::Title, "Smoke".to_owned())].into();
        let after = [(RunField::Title, "Smoke nightly".to_owned())].into();
        let undo = Undo {
            write: "w1".into(),
            what: "MODIFY_DOCUMENT of 09:40".into(),
            by: UndoBy::Modify {
                before,
                values: rundown::domain::RunValues::new(),
                after,
                now: Box::new(document(2)),
            },
            warnings: vec!["Takes back the change of 09:40.".into()],
        };
        sample.reply(id, Answer::UndoPlanned(Ok(Box::new(undo))));
        sample.send_document(with_title("Smoke of the night"));
        sample
    });
}

pub fn states(states: &mut States<'_>) {
    the_form_of_a_run(states);
    the_form_with_a_draft(states);
    a_clone(states);
    the_review_of_a_change(states);
    the_review_of_a_new_run(states);
    an_undo_is_reviewed(states);
}
