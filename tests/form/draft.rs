//! The draft of a form: when it comes, what is said of it, and whose it is.

use crate::support::look::Look as _;
use rundown::domain::{Draft, DraftSent, FormFor, Lookup, RunField, texts_of};
use rundown::store::{Action, DraftRequest, Effect, Event, Slot};

use super::sample::{NOW, Sample, document, failure};
use super::{SIZE, editing, effects, modify, new_draft, send_document, with};

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

#[test]
fn a_draft_that_was_asked_for_is_said_to_be_here_or_not_any_more() {
    let draft = new_draft("k", "Night", "");
    for (before, words) in [
        (Some(draft.clone()), "a draft was here: it is in the form"),
        (None, "that draft is not there any more"),
    ] {
        let mut sample = Sample::list(SIZE, 30);
        sample.event(Event::Drafts(vec![draft.clone()]));
        sample.act(Action::Drafts);
        sample.press("\n");
        sample.take_draft(before, None);
        let told = &sample.store.notice().unwrap().text;
        assert!(told.starts_with(words), "{told}");
    }
}

#[test]
fn a_draft_without_what_it_was_begun_on_is_compared_with_what_the_service_has() {
    for draft_first in [true, false] {
        let mut sample = Sample::list(SIZE, 30).pressed("jje");
        if !draft_first {
            send_document(&mut sample, document(2));
        }
        sample.take_draft(Some(without_base()), None);
        if draft_first {
            send_document(&mut sample, document(2));
        }
        effects(&mut sample);
        sample.act(Action::Save);
        send_document(&mut sample, document(2));
        effects(&mut sample);
        sample.act(Action::Save);
        let (_, modify) = modify(&mut sample).unwrap();
        let title = [(RunField::Title, "Mine".to_owned())].into();
        assert_eq!(modify.texts, title, "the draft first: {draft_first}");
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
        let sent = DraftSent {
            at: NOW,
            titles: vec!["Mine".into()],
            words: "no answer".into(),
            end: None,
        };
        let draft = Draft {
            form,
            base: Some(document(2)),
            sent: Some(sent),
            ..without_base()
        };
        sample.take_draft(Some(draft), None);
        send_document(&mut sample, with("Title", "Mine"));
        let is_done = |sample: &Sample| sample.screen().contains("the new values are there");
        assert_eq!(is_done(&sample), done, "{}", sample.screen());
        sample.act(Action::Save);
        let id = sample.store.asked(&Slot::FormSent);
        let lookup = Lookup {
            end: None,
            found: Vec::new(),
            words: "my changes do not show it".into(),
        };
        sample.event(Event::LookedFor {
            id,
            result: Ok(lookup),
        });
        assert_eq!(is_done(&sample), done, "{}", sample.screen());
    }
}

#[test]
fn the_editor_that_was_asked_for_waits_for_the_draft() {
    let mut sample = Sample::list(SIZE, 30).pressed("jj");
    sample.act(Action::EditOutside);
    send_document(&mut sample, document(2));
    let edited = |sample: &Sample| {
        let text = |effect: &Effect| match effect {
            Effect::EditText { text, .. } => Some(text.clone()),
            _ => None,
        };
        sample.open.iter().find_map(text)
    };
    assert_eq!(edited(&sample), None);
    sample.take_draft(Some(without_base()), None);
    let text = edited(&sample).unwrap();
    assert!(text.contains("Mine"), "{text}");
}

#[test]
fn what_becomes_of_another_draft_is_not_said_of_this_one() {
    let mut sample = editing();
    let kept = |key: &str, result: Result<i64, _>| Event::DraftKept {
        key: key.into(),
        result,
    };
    let says = |sample: &Sample| {
        let screen = sample.screen();
        ["NOT SAVED", "saved 09:41"].map(|words| screen.contains(words))
    };
    sample.event(kept("other", Ok(NOW)));
    assert_eq!(says(&sample), [false, false]);
    sample.event(kept("other", Err(failure())));
    assert_eq!(says(&sample), [false, false]);
    sample.event(kept("k", Err(failure())));
    sample.event(kept("other", Ok(NOW)));
    assert_eq!(says(&sample), [true, false]);
    sample.event(kept("k", Ok(NOW)));
    assert_eq!(says(&sample), [false, true]);
}
