//! What is left of form, draft and review once what was sent has ended, and what is said then.

use crate::support::look::Look as _;
use rundown::domain::{Create, Created, DocRef, Document, Outcome};
use rundown::store::{Action, DraftRequest, Effect, Event, Layer, RequestId, Slot};

use super::deleting::complete;
use super::ends::{changed, lost, made, not_made};
use super::sample::{Sample, document};
use super::{SIZE, create, editing, effects, kept, modify, send_document, told, with};

fn said(sample: &Sample) -> &str {
    let notice = sample.store.notice();
    notice.map_or("", |notice| notice.text.as_str())
}

/// What is left: the form, its draft on the disk, the review and whether that sends once more.
fn left(sample: &mut Sample) -> String {
    let asked = effects(sample);
    let mut left = Vec::new();
    if sample.store.form().is_some() {
        left.push("form");
    }
    let discards = |it: &Effect| matches!(it, Effect::Draft(DraftRequest::Discard { .. }));
    left.push(match kept(&asked).map(|draft| draft.sent.is_some()) {
        _ if asked.iter().any(discards) => "no draft",
        Some(true) => "draft as sent",
        Some(false) => "draft",
        None => "draft as before",
    });
    if sample.store.review().is_some() {
        sample.act(Action::Save);
        let sends = |it: &Effect| matches!(it, Effect::Modify { .. } | Effect::Create { .. });
        let again = effects(sample).iter().any(sends);
        left.push(if again { "sends again" } else { "review" });
    }
    left.join(", ")
}

/// A new title of `R_2` is on its way.
fn saving() -> (Sample, RequestId) {
    let mut sample = editing();
    sample.press("!");
    sample.act(Action::Save);
    send_document(&mut sample, document(2));
    effects(&mut sample);
    sample.act(Action::Save);
    let (id, _) = modify(&mut sample).unwrap();
    (sample, id)
}

#[test]
fn what_a_save_leaves_goes_by_its_end() {
    let changed = |end: Outcome| end.with_document(with("Title", "theirs"));
    for (end, leaves, words) in [
        (changed(Outcome::done("read")), "no draft", "R_2 saved"),
        (
            changed(Outcome::otherwise("another title")),
            "form, draft, review",
            "R_2 saved, but not as asked",
        ),
        (
            Outcome::refused("no"),
            "form, draft, sends again",
            "R_2 not saved; the form is as it was",
        ),
        (
            Outcome::not_sent("signed out"),
            "form, draft, sends again",
            "R_2 not saved; the form is as it was",
        ),
        (
            // What is to be decided comes first.
            changed(Outcome::not_sent("moved")),
            "form, draft, review",
            "somebody wrote meanwhile: nothing was sent; look again",
        ),
        (
            Outcome::unknown("no answer"),
            "form, draft as sent, review",
            "R_2 may be changed. The draft is kept",
        ),
    ] {
        let (mut sample, id) = saving();
        sample.event(Event::Modified { id, end });
        assert_eq!(said(&sample), words);
        assert_eq!(left(&mut sample), leaves, "{words}");
    }
}

#[test]
fn what_a_new_run_leaves_goes_by_its_end() {
    for (end, leaves, words) in [
        (made(document(8)), "no draft", "R_8 created"),
        (
            not_made(Outcome::refused("no")),
            "form, draft, sends again",
            "\"Night\" not created; the form is as it was",
        ),
        (
            not_made(Outcome::not_sent("signed out")),
            "form, draft, sends again",
            "\"Night\" not created; the form is as it was",
        ),
        (
            lost("no answer", Vec::new()),
            "form, draft as sent, review",
            "The run \"Night\" may exist. The draft is kept",
        ),
    ] {
        let mut sample = Sample::list(SIZE, 30).pressed("n");
        sample.take_draft(None, None);
        sample.press("Night");
        sample.act(Action::Save);
        effects(&mut sample);
        sample.act(Action::Save);
        let (id, _) = create(&mut sample).unwrap();
        sample.event(Event::Created { id, end });
        assert_eq!(said(&sample), words);
        assert_eq!(left(&mut sample), leaves, "{words}");
    }
}

/// A clone of `R_2` with its seven suites is on its way; these keys chose whether there is one for each configuration.
fn cloning(keys: &str) -> (Sample, RequestId, Create) {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    send_document(&mut sample, document(2));
    let id = sample.store.asked(&Slot::FormSuites);
    let result = Ok(complete(2));
    sample.event(Event::Surveyed { id, result });
    sample.press(keys);
    sample.act(Action::Save);
    effects(&mut sample);
    sample.act(Action::Save);
    let (id, plan) = create(&mut sample).unwrap();
    (sample, id, plan)
}

#[test]
fn a_new_run_is_opened_with_all_its_suites_and_else_its_review_says_what_is_missing() {
    for suites_in in [&[7][..], &[6], &[1], &[0], &[7, 7], &[6, 7], &[7, 6]] {
        let several = suites_in.len() > 1;
        let (mut sample, id, plan) = cloning(if several { "\t\t\t\t\t\t\t " } else { "" });
        let all: Vec<DocRef> = plan.suites.into_iter().map(|(suite, _)| suite).collect();
        for (run, done) in (8..).zip(suites_in) {
            let (done, left) = all.split_at(*done);
            let outcome = if left.is_empty() {
                Outcome::done("all added")
            } else {
                Outcome::otherwise("some are taken")
            };
            let suites = Some(changed(done.to_vec(), left.to_vec(), outcome));
            let end = Box::new(Created {
                suites,
                ..*made(document(run))
            });
            sample.event(Event::Created { id, end });
        }
        let whole = *suites_in == vec![7; suites_in.len()];
        let made = if several {
            "2 runs created"
        } else {
            "R_8 created"
        };
        let missing = ", but not every suite is in: see below";
        let words = format!("{made}{}", if whole { "" } else { missing });
        assert_eq!(said(&sample), words, "{suites_in:?}");
        let seen = told(&sample);
        assert_eq!(seen.contains("some are taken"), !whole, "{seen}");
        let opened = whole && !several;
        let layer = if opened { Layer::Detail } else { Layer::Review };
        assert_eq!(sample.store.layer(), layer, "{suites_in:?}");
        let leaves = if opened {
            "no draft"
        } else {
            "no draft, review"
        };
        assert_eq!(left(&mut sample), leaves, "{suites_in:?}");
        sample.act(Action::Back);
        assert_eq!(sample.store.layer(), Layer::Runs, "{suites_in:?}");
    }
}

#[test]
fn a_save_without_an_answer_is_done_once_all_its_fields_are_there() {
    let mut sample = editing();
    sample.press("!\t,edge\tMore.");
    sample.act(Action::Save);
    send_document(&mut sample, document(2));
    effects(&mut sample);
    sample.act(Action::Save);
    let (id, sent) = modify(&mut sample).unwrap();
    let end = Outcome::unknown("no answer");
    sample.event(Event::Modified { id, end });
    for fields in 0..=sent.texts.len() {
        let mut raw = document(2).raw().clone();
        for (field, text) in sent.texts.iter().take(fields) {
            raw["document"]["Root"]["General"][field.name()] = text.as_str().into();
        }
        sample.act(Action::Refresh);
        send_document(&mut sample, Document::from_value(raw).unwrap());
        let screen = sample.screen();
        let (doubt, done) = (
            screen.contains("the end of the save before is not known"),
            screen.contains("Sent before: the new values are there"),
        );
        let all = fields == sent.texts.len();
        assert_eq!((doubt, done), (!all, all), "{fields} fields: {screen}");
    }
}
