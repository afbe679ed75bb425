//! The draft of a form: when it comes, what is said of it, and whose it is.

use crate::support::prelude::*;
use rundown::domain::{DraftTaken, texts_of};

use super::ends::lost;
use super::several::open_draft;
use super::{
    MATRIX, SIZE, complete, create, drops_the_draft, editing, go_to, kept, new_draft, search_ends,
    sent, timer, told, with,
};
use Action::{Back, Drafts, NextField, Offer, Open, Quit, Save, Type};

/// A draft of `R_2` with a title of its own, without the run that it was begun on.
fn without_base() -> Draft {
    let mut texts = texts_of(&document(2));
    texts.insert(RunField::Title, "Mine".into());
    Draft {
        form: FormFor::Edit(document(2).doc_ref().clone()),
        texts,
        ..new_draft("k", "", "")
    }
}

#[test]
fn a_draft_that_comes_when_its_form_was_left_is_let_go() {
    let mut sample = Sample::list(SIZE, 30).pressed("n\u{1b}");
    sample.take_draft(None, None);
    let lets_go = Effect::Draft(DraftRequest::Leave { key: "k".into() });
    assert!(sample.open.contains(&lets_go), "{:?}", sample.open);
}

/// Left and opened again before its text was on the disk, it is the same form: nothing lets its draft go under it.
#[test]
fn a_form_that_is_opened_again_before_its_draft_is_kept_is_kept_on() {
    for disk in [Ok(NOW), Err(failure())] {
        let mut sample = editing();
        sample.press(" abc");
        sample.act(Back);
        assert!(kept(&sample.effects()).is_some());
        sample.press("e");
        let (key, result) = ("k".into(), disk.clone());
        sample.event(Event::DraftKept { key, result });
        let asked = sample.effects();
        let lets_go = Effect::Draft(DraftRequest::Leave { key: "k".into() });
        assert!(!asked.contains(&lets_go), "{asked:?}");
        sample.says("Smoke nightly abc");
        sample.press("d");
        timer(&mut sample);
        let asked = sample.effects();
        let draft = kept(&asked).unwrap();
        let title = &draft.texts[&RunField::Title];
        assert_eq!(
            (draft.key.as_str(), title.as_str()),
            ("k", "Smoke nightly abcd")
        );
        // Another run has another form.
        let (key, result) = ("k".into(), Ok(NOW + 60_000));
        sample.event(Event::DraftKept { key, result });
        sample.act(Back);
        sample.press("je");
        sample.send_document(document(3));
        sample.lacks("abcd");
    }
    // What it was begun on stays: what was saved meanwhile is told, and not written over.
    let mut sample = Sample::list(SIZE, 30).pressed("jj\n");
    sample.send_document(document(2));
    sample.press("e");
    sample.take_draft(None, None);
    sample.press(" abc");
    sample.act(Back);
    sample.press("r");
    sample.send_document(with("Title", "theirs"));
    sample.press("e");
    sample.send_document(with("Title", "theirs"));
    sample.says("Changed: Title  changed on the service: 1");
}

#[test]
fn a_draft_that_was_asked_for_is_said_to_be_here_or_not_any_more() {
    let draft = new_draft("k", "Night", "");
    for (before, words) in [
        (Some(draft.clone()), "a draft was here: it is in the form"),
        (None, "that draft is not there any more"),
    ] {
        let mut sample = open_draft(&draft);
        sample.take_draft(before, None);
        let told = &sample.store.notice().unwrap().text;
        begins(told, words);
    }
}

#[test]
fn a_draft_without_what_it_was_begun_on_is_compared_with_what_the_service_has() {
    for draft_first in [true, false] {
        let mut sample = Sample::list(SIZE, 30).pressed("jje");
        if !draft_first {
            sample.send_document(document(2));
        }
        sample.take_draft(Some(without_base()), None);
        if draft_first {
            sample.send_document(document(2));
        }
        sample.act(Save);
        sample.send_document(document(2));
        let asked = told(&sample);
        let title = "Title Smoke nightly → Mine Everything else";
        assert!(asked.starts_with(title), "{draft_first}: {asked}");
    }
}

#[test]
fn a_save_is_done_once_a_reading_of_its_run_shows_it_whatever_the_search_says_then() {
    let run = document(2).doc_ref().clone();
    for (key, form, done) in [
        ("e", FormFor::Edit(run.clone()), true),
        // Its source says nothing of a new run.
        ("C", FormFor::Clone(run), false),
    ] {
        let mut sample = Sample::list(SIZE, 30).pressed("jj").pressed(key);
        let draft = Draft {
            form,
            base: Some(document(2)),
            sent: Some(sent(&["Mine"])),
            ..without_base()
        };
        sample.take_draft(Some(draft), None);
        sample.send_document(with("Title", "Mine"));
        let is_done = |sample: &Sample| sample.screen().contains("the new values are there");
        assert_eq!(is_done(&sample), done, "{}", sample.screen());
        sample.act(Save);
        let id = sample.store.asked(&Slot::FormSent);
        search_ends(&mut sample, id, None, Vec::new());
        assert_eq!(is_done(&sample), done, "{}", sample.screen());
    }
}

/// A clone of `R_2` is begun, and its suites are known.
fn clone_of(draft: Option<Draft>) -> Sample {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(draft, None);
    sample.send_document(document(2));
    let result = Ok(complete(2));
    sample.answered(&Slot::FormSuites, Answer::Surveyed(result));
    sample.effects();
    sample
}

#[test]
fn the_switches_of_a_clone_are_in_its_draft_and_are_set_again() {
    for (keys, switches, named) in [
        (MATRIX, (true, None), "clone of R_2  Matrix: "),
        (
            "\t\t\t\t\t\t\t\t ",
            (false, Some(false)),
            "clone of R_2  Suites: ",
        ),
        (
            "\t\t\t\t\t\t\t\t  ",
            (false, Some(true)),
            "clone of R_2  Suites: ",
        ),
    ] {
        let mut sample = clone_of(None);
        sample.press(keys);
        timer(&mut sample);
        let asked = sample.effects();
        let draft = kept(&asked).unwrap().clone();
        assert_eq!((draft.matrix, draft.with_suites), switches);
        sample.act(Back);
        assert!(!drops_the_draft(&sample.effects()));
        sample.event(Event::Drafts(vec![draft.clone()]));
        sample.act(Drafts);
        sample.says(named);
        let mut sample = clone_of(Some(draft));
        sample.act(Save);
        let (runs, suites) = match switches {
            (true, _) => ("Create 2 runs?", "With all 7 of its suites"),
            (_, Some(false)) => ("Create \"Smoke nightly\"?", "Without suites"),
            _ => ("Create \"Smoke nightly\"?", "With all 7 of its suites"),
        };
        sample.says(runs);
        sample.says(suites);
    }
}

#[test]
fn a_form_is_there_once_its_run_and_its_draft_are() {
    let mut texts = texts_of(&document(2));
    texts.insert(RunField::Description, "kept before".into());
    let draft = Draft {
        base: Some(document(2)),
        texts,
        ..without_base()
    };
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.send_document(document(2));
    sample.says("opening R_2");
    sample.press(" mine");
    sample.act(Save);
    assert_eq!(sample.said(), "6 keys were not taken: R_2 is not here yet");
    let mut left = sample.clone();
    left.act(Back);
    assert_eq!(left.store.screen(), Layer::Runs);
    sample.take_draft(Some(draft.clone()), None);
    assert_eq!(sample.said(), "6 keys were not taken: R_2 was not here yet");
    assert_eq!(sample.store.form().unwrap().texts(), draft.texts);
    // What it was begun on is in the draft: it needs no service.
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.answered(&Slot::FormRun, Answer::Document(Err(failure())));
    sample.says("R_2 could not be read");
    sample.take_draft(Some(draft), None);
    sample.says("kept before");
    // One without it waits for the run, and stays as it is.
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.take_draft(Some(without_base()), None);
    sample.answered(&Slot::FormRun, Answer::Document(Err(failure())));
    sample.says("R_2 could not be read");
    sample.effects();
    sample.act(Back);
    let lets_go = Effect::Draft(DraftRequest::Leave { key: "k".into() });
    let asked = sample.effects();
    assert!(asked.contains(&lets_go) && kept(&asked).is_none());
    assert!(!drops_the_draft(&asked), "{asked:?}");
}

/// A draft that could not be read at first must not get under what was typed without it.
#[test]
fn a_form_without_a_place_asks_for_one_of_its_own() {
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.send_document(document(2));
    sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    sample.press(" mine");
    timer(&mut sample);
    let asked = sample.effects();
    let fresh = asked.iter().any(|effect| {
        matches!(effect, Effect::Request(_, Request::TakeDraft { wish, .. }) if *wish == DraftWish::Fresh)
    });
    assert!(fresh, "{asked:?}");
}

#[test]
fn a_place_that_comes_late_keeps_the_mark_of_what_was_sent() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    sample.send_document(document(2));
    sample.press(" x");
    sample.act(Save);
    sample.act(Open);
    let (id, _) = create(&mut sample).unwrap();
    sample.reply(id, Answer::Created(lost("no answer", Vec::new())));
    sample.act(Quit);
    sample.says("not on the disk");
    let taken = DraftTaken {
        key: "k".into(),
        before: None,
        other: None,
    };
    sample.answered(&Slot::Draft, Answer::DraftTaken(Ok(Box::new(taken))));
    sample.effects();
    sample.act(Back);
    sample.act(Back);
    let asked = sample.effects();
    assert_eq!(kept(&asked).unwrap().sent.as_ref().unwrap().titles.len(), 1);
}

/// The end of an earlier sending is found while its suites are worked out.
#[test]
fn the_review_of_a_clone_says_of_its_suites_what_is_sent() {
    let draft = Draft {
        form: FormFor::Clone(document(2).doc_ref().clone()),
        base: Some(document(2)),
        sent: Some(sent(&["Mine"])),
        ..without_base()
    };
    let mut sample = open_draft(&draft);
    sample.take_draft(Some(draft), None);
    sample.send_document(document(2));
    sample.act(Save);
    sample.says("Without its suites, which are still being worked out: the new run is empty.");
    let result = Ok(complete(2));
    sample.answered(&Slot::FormSuites, Answer::Surveyed(result));
    let id = sample.store.asked(&Slot::FormSent);
    search_ends(&mut sample, id, Some(End::Refused), Vec::new());
    sample.says("Sent before: as the list shows.");
    sample.says("With all 7 of its suites");
    sample.lacks("the new run is empty");
    go_to(&mut sample, "Create");
    sample.act(Open);
    let (_, plan) = create(&mut sample).unwrap();
    assert_eq!(plan.suites.len(), 7);
}

/// What stands in it may be of last week, whenever the list was read.
#[test]
fn the_head_of_a_form_has_the_time_of_its_document() {
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.take_draft(None, None);
    let reading = sample.store.asked(&Slot::FormRun);
    let kept = Box::new(super::sample::opened(2));
    sample.reply(reading, Answer::KeptDocument(kept, NOW - 60_000));
    sample.reply(reading, Answer::Document(Err(failure())));
    let head = |sample: &Sample| sample.screen().lines().next().unwrap().to_owned();
    assert!(head(&sample).ends_with("  read 09:40"), "{}", head(&sample));
    // A new run has no document.
    let new = Sample::list(SIZE, 30).pressed("n");
    assert!(head(&new).ends_with("  read 09:41"), "{}", head(&new));
}

/// It was asked for before the save, by a form that is filled from a kept document: it says nothing of the save.
#[test]
fn a_reading_from_before_a_save_says_nothing_of_it() {
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    sample.take_draft(None, None);
    let reading = sample.store.asked(&Slot::FormRun);
    let kept = Box::new(super::sample::opened(2));
    sample.reply(reading, Answer::KeptDocument(kept, NOW - 60_000));
    sample.press(" mine");
    sample.act(Save);
    let reviewed = Ok(Box::new(super::sample::opened(2)));
    sample.answered(&Slot::Reviewed, Answer::Document(reviewed));
    sample.act(Open);
    let late = Ok(Box::new(super::sample::opened(2)));
    sample.reply(reading, Answer::Document(late));
    let end = Outcome::unknown("no answer");
    sample.answered(&Slot::Save, Answer::Modified(end));
    sample.says("R_2 may be changed");
    sample.act(Back);
    sample.says("R_2 may be changed");
    sample.lacks("what stands in the form");
}

#[test]
fn a_clone_whose_suites_could_not_be_read_is_said_to_be_without_them_by_choice_only_where_it_is() {
    let unknown = "Without its suites, which are not known: the new run is empty.";
    let by_choice = "Without suites: the new run is empty.";
    for (with_suites, words) in [
        (None, unknown),
        (Some(true), unknown),
        (Some(false), by_choice),
    ] {
        let draft = Draft {
            form: FormFor::Clone(document(2).doc_ref().clone()),
            base: Some(document(2)),
            with_suites,
            ..without_base()
        };
        let mut sample = Sample::list(SIZE, 30).pressed("jjC");
        sample.take_draft(Some(draft), None);
        sample.send_document(document(2));
        sample.answered(&Slot::FormSuites, Answer::Surveyed(Err(failure())));
        sample.act(Save);
        sample.says(words);
    }
}

#[test]
fn what_becomes_of_another_draft_is_not_said_of_this_one() {
    let mut sample = editing().pressed("x");
    for (key, result, seen) in [
        ("other", Ok(NOW), [false, false]),
        ("other", Err(failure()), [false, false]),
        ("k", Err(failure()), [true, false]),
        ("other", Ok(NOW), [true, false]),
        ("k", Ok(NOW), [false, true]),
    ] {
        let key = key.to_owned();
        sample.event(Event::DraftKept { key, result });
        let screen = sample.screen();
        let says = ["NOT SAVED", "draft kept 09:41"].map(|words| screen.contains(words));
        assert_eq!(says, seen, "{screen}");
    }
    // In a narrow window what is done to which run stays, also beside the long words of a demo.
    let session = sample.store.cx.shared.session.as_mut().unwrap();
    session.is_demo = true;
    for width in [40, 46, 56, 80] {
        sample.resize((width, 12));
        sample.says("── Edit R_2 ");
    }
    sample.says("draft kept 09:41:12, until the demo ends");
}

#[test]
fn drafts_are_named_at_the_start_and_those_of_a_program_that_died_are_not_talked_over() {
    let run = document(2).doc_ref().clone();
    let at = NOW - 3_600_000;
    let draft = |died, form, name: &str| Draft {
        died,
        form,
        run_name: name.into(),
        at,
        ..new_draft("k", "Night", "")
    };
    let edit = |died| draft(died, FormFor::Edit(run.clone()), "R_2 Smoke nightly");
    let new = |died| draft(died, FormFor::New, "");
    let clone = draft(true, FormFor::Clone(run.clone()), "R_2 Smoke nightly");
    for (drafts, words, stays) in [
        (vec![edit(true)], "R_2, typed until 08:41: Ctrl-g", true),
        (
            vec![new(false), clone, new(true), edit(true)],
            "clone of R_2, typed until 08:41 and 3 more: Ctrl-g",
            true,
        ),
        (
            vec![new(true)],
            "a new run, typed until 08:41: Ctrl-g",
            true,
        ),
        (vec![edit(false)], "1 draft is kept: Ctrl-g", false),
        (
            vec![edit(false), new(false)],
            "2 drafts are kept: Ctrl-g",
            false,
        ),
    ] {
        let mut sample = Sample::list(SIZE, 30);
        sample.event(Event::Drafts(drafts.clone()));
        assert_eq!(sample.said(), words);
        sample.event(Event::Trouble(failure()));
        assert_eq!(sample.said() == words, stays, "{}", sample.said());
        sample.press("j");
        assert!(sample.store.notice().is_none(), "until the next key");
        sample.event(Event::Drafts(drafts));
        assert!(sample.store.notice().is_none(), "told once");
    }
}

/// Elsewhere neither its run nor what became of it is found, and it would be made a second time.
#[test]
fn a_draft_of_another_project_is_not_opened_and_the_way_there_is_named() {
    for (project, is_opened) in [
        ("P_9/SP_2", false),
        ("P_12", false),
        ("P_9/SP_1", true),
        ("", true),
    ] {
        for form in [FormFor::New, FormFor::Edit(document(2).doc_ref().clone())] {
            let draft = Draft {
                project: project.into(),
                form,
                sent: Some(sent(&["Night"])),
                ..new_draft("k", "Night", "")
            };
            let mut sample = Sample::list((80, 24), 30);
            sample.event(Event::Drafts(vec![draft]));
            sample.act(Drafts);
            let label = format!("PERHAPS SENT: {project}: ");
            assert_eq!(
                sample.screen().contains(&label),
                !is_opened,
                "{}",
                sample.screen()
            );
            sample.effects();
            sample.press("\n");
            assert_eq!(sample.store.screen() == Layer::Form, is_opened);
            assert_eq!(sample.effects().is_empty(), !is_opened);
            if !is_opened {
                let words = format!(
                    "this draft is of {project}: \":project {}\" changes to it",
                    project.replace('/', " ")
                );
                assert_eq!(sample.said(), words);
            }
        }
    }
    // The one under the cursor is opened, and not another one of the list.
    let mut sample = Sample::list((80, 24), 30);
    let elsewhere = new_draft("a", "Elsewhere", "").with(|it| it.project = "P_12".into());
    sample.event(Event::Drafts(vec![elsewhere, new_draft("b", "Here", "")]));
    sample.act(Drafts);
    sample.press("Here");
    sample.effects();
    sample.press("\n");
    let wishes = |effect: &Effect| matches!(effect, Effect::Request(_, Request::TakeDraft { wish: DraftWish::Kept(key), .. }) if key == "b");
    assert!(sample.effects().iter().any(wishes), "{}", sample.screen());
    // It is kept with the project in use.
    let mut sample = editing().pressed(" abc");
    timer(&mut sample);
    assert_eq!(kept(&sample.effects()).unwrap().project, "P_9/SP_1");
}

/// The address of a profile may change, and its name: what was typed is found, and it is said where.
#[test]
fn a_draft_of_another_service_or_of_a_profile_that_is_gone_is_named_and_can_be_opened() {
    let of = |profile: &str, service: &str, sent| Draft {
        profile: profile.into(),
        service: service.into(),
        sent,
        ..new_draft("k", "Night", "")
    };
    let was = "http://127.0.0.1:1/api";
    for (draft, label, opens) in [
        (of("demo", was, None), format!("{was}: new run"), true),
        (of("was", "", None), "profile was: new run".into(), true),
        (
            of("demo", was, Some(sent(&["Night"]))),
            format!("PERHAPS SENT: {was}: new run"),
            false,
        ),
    ] {
        let mut sample = Sample::list((100, 24), 30);
        sample.event(Event::Drafts(vec![draft.clone()]));
        // It is no reason to stay: it may be there for good.
        sample.act(Quit);
        lacks(sample.said(), "draft");
        let mut sample = Sample::list((100, 24), 30);
        sample.event(Event::Drafts(vec![draft]));
        sample.act(Drafts);
        sample.says(&label);
        sample.effects();
        sample.press("\n");
        assert_eq!(sample.store.screen() == Layer::Form, opens);
        if !opens {
            let words = format!("this draft was perhaps sent to {was}: look there first");
            assert_eq!(sample.said(), words);
        }
    }
    // One of another profile of the config is found there.
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![of("prod", "", None)]));
    sample.act(Drafts);
    assert_eq!(
        sample.said(),
        "no draft waits here, but in the profile prod: \":profile prod\""
    );
    sample.event(Event::Drafts(vec![
        of("demo", "", None),
        of("prod", "", None),
    ]));
    sample.says("new run");
    assert_eq!(
        sample.said(),
        "others wait in the profile prod: \":profile prod\""
    );
}

#[test]
fn the_list_of_drafts_says_open_and_closed_as_the_screens_do() {
    let mut draft = Draft {
        form: FormFor::Edit(document(2).doc_ref().clone()),
        run_name: "R_2 Smoke nightly".into(),
        ..new_draft("k", "", "")
    };
    draft.base = Some(document(2));
    draft.texts = texts_of(&document(2));
    draft.texts.insert(RunField::Status, "inactive".into());
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![draft]));
    sample.act(Drafts);
    sample.says("Status: closed");
}

#[test]
fn the_list_of_drafts_has_what_another_window_left_or_took_meanwhile() {
    let left = new_draft("k", "Nightly", "chrome");
    let mut sample = Sample::list((80, 24), 30);
    sample.act(Drafts);
    sample.says("no draft waits here");
    assert_eq!(
        sample.effects().last(),
        Some(&Effect::Draft(DraftRequest::Seek))
    );
    let mut gone_on = sample.clone();
    gone_on.press("j");
    gone_on.event(Event::Drafts(vec![left.clone()]));
    gone_on.lacks("Nightly");
    sample.event(Event::Drafts(vec![left]));
    sample.says("Nightly");
    sample.lacks("no draft waits here");
    // It is taken by another one.
    sample.press("\u{1b}");
    sample.act(Drafts);
    sample.event(Event::Drafts(Vec::new()));
    sample.lacks("Nightly");
    sample.says("no draft waits here");
    sample.press("q");
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
}

/// It is said before the box of the sign-in is there, and what is typed there does not take it away.
#[test]
fn the_draft_of_a_program_that_died_is_still_named_after_a_password_was_typed() {
    let mut sample = Sample::new(SIZE);
    sample.connect(|_| {});
    sample.event(Event::Drafts(vec![
        new_draft("k", "Night", "").with(|it| it.died = true),
    ]));
    sample.sign_in_needed(SignInReason::Missing);
    sample.press("geheim\n");
    sample.let_in();
    sample.answer(30);
    begins(sample.said(), "a new run, typed until ");
    sample.press("j");
    assert_eq!(sample.said(), "");
}

#[test]
fn known_versions_and_configurations_are_offered_where_the_field_has_the_focus() {
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    sample.take_draft(None, None);
    let texts = |sample: &Sample| sample.store.form().unwrap().texts();
    for _ in 0..6 {
        sample.act(NextField);
    }
    sample.says("> Version");
    sample.says("Ctrl-t offers known ones");
    let clears = KeyEvent::new(KeyCode::Char('u'), KeyModifiers::CONTROL);
    sample.act(Type(clears));
    assert_eq!(texts(&sample)[&RunField::ProjectVersionNumber], "");
    sample.act(Offer);
    sample.says("Versions");
    sample.press("\n");
    assert_eq!(texts(&sample)[&RunField::ProjectVersionNumber], "1.2.0");
    sample.act(Offer);
    sample.says(">[x] 1.2.0");
    sample.press("\n");
    sample.act(NextField);
    sample.act(Offer);
    sample.says("Configurations");
}

#[test]
fn the_review_of_a_clone_for_another_version_says_that_its_suites_may_be_refused() {
    let doubt = "7 suites of 1.2.0 for a run of 1.3.0: the service may refuse them.";
    for (version, suites, is_told) in [
        ("1.3.0", "", true),
        ("1.2.0 ", "", false),
        ("1.3.0", "\t\t ", false),
    ] {
        let mut sample = clone_of(None);
        sample.press("\t\t\t\t\t\t");
        for _ in 0.."1.2.0".len() {
            sample.key(KeyCode::Backspace.into());
        }
        sample.press(version);
        sample.press(suites);
        sample.act(Save);
        sample.says("Create \"Smoke nightly\"?");
        assert_eq!(
            sample.screen().contains(doubt),
            is_told,
            "{}",
            sample.screen()
        );
    }
}

#[test]
fn the_review_of_a_clone_says_what_it_cannot_have() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    let mut source = serde_json::to_value(document(2).raw()).unwrap();
    source["document"]["Root"]["General"]["Custom"] = 1.into();
    sample.send_document(Document::from_value(source).unwrap());
    sample.act(Save);
    sample.says("the field Custom.");
}

#[test]
fn the_review_of_a_run_for_another_project_names_the_way_there_and_its_draft_goes_along() {
    for (project, subproject, goes) in [
        ("P_9", "SP_1", None),
        ("P_9", " SP_1 ", None),
        ("P_9", "SP_2", Some("P_9 SP_2")),
        ("P_12", "SP_3", Some("P_12 SP_3")),
        ("P_12", "_", Some("P_12")),
    ] {
        let mut draft = new_draft("k", "Night", "");
        draft.project = "P_9/SP_1".into();
        draft.texts.insert(RunField::ProjectId, project.into());
        draft
            .texts
            .insert(RunField::SubprojectId, subproject.into());
        draft
            .texts
            .insert(RunField::ProjectVersionNumber, "1.2.0".into());
        let mut sample = Sample::list((120, 40), 30);
        sample.event(Event::Drafts(vec![draft.clone()]));
        sample.act(Drafts);
        sample.press("\n");
        sample.take_draft(Some(draft), None);
        sample.act(Save);
        sample.says("Create \"Night\"?");
        let told = goes.map(|goes| format!("First \":project {goes}\", then "));
        assert_eq!(
            told.is_some(),
            sample.screen().contains("the service may refuse it"),
            "{}",
            sample.screen()
        );
        if let Some(told) = told {
            says_wrapped(&sample.screen().replace('│', " "), &told);
        }
    }
    // There it is opened: nothing is bound to the project where it was typed.
    let draft = new_draft("k", "Night", "").with(|it| it.project = "P_12/SP_3".into());
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![draft]));
    sample.act(Drafts);
    sample.says("P_12/SP_3: new run");
    sample.press("\n");
    sample.at(Layer::Form);
}
