//! What is left of form, draft and review once what was sent has ended, and what is said then.

use crate::support::prelude::*;
use rundown::domain::{Created, ItemOutcome};

use super::ends::{changed, lost, made, not_made};
use super::{
    MATRIX, SIZE, cloning, drops_the_draft, kept, night_sent, saving, sent_new, told, with,
};

/// What is left: the form, its draft on the disk, the review and whether that sends once more.
fn left(sample: &mut Sample) -> String {
    let asked = sample.effects();
    let lists = |it: &Effect| matches!(it, Effect::Request(_, Request::ReadRuns { .. }));
    assert!(asked.iter().any(lists), "the list is read again");
    let mut left = Vec::new();
    if sample.store.form().is_some() {
        left.push("form");
    }
    let sent = |draft: &Draft| draft.sent.as_ref().map(|sent| sent.words.clone());
    left.push(match kept(&asked).map(sent).as_ref() {
        _ if drops_the_draft(&asked) => "no draft",
        Some(Some(why)) if why == "no answer" => "draft as sent",
        Some(Some(_)) => "draft with other words",
        Some(None) => "draft",
        None => "draft as before",
    });
    if sample.store.review().is_some() {
        sample.act(Action::Save);
        let sends = |it: &Effect| {
            matches!(
                it,
                Effect::Request(_, Request::Modify(_) | Request::Create(_))
            )
        };
        let again = sample.effects().iter().any(sends);
        left.push(if again { "sends again" } else { "review" });
    }
    left.join(", ")
}

const AGAIN: &str = "form, draft, sends again";
const LOST: &str = "form, draft as sent, review";

#[test]
fn what_a_save_leaves_goes_by_its_end() {
    let of = |end: Outcome| end.with_document(with("Title", "theirs"));
    let (refused, signed_out) = (
        Outcome::refused("no"),
        Outcome::not_sent(Why::SignedOut, "signed out"),
    );
    // What has moved is to be decided first.
    let (odd, moved) = (
        of(Outcome::otherwise("odd")),
        of(Outcome::not_sent(
            Why::Moved,
            "somebody wrote meanwhile: nothing was sent",
        )),
    );
    let not_saved = "R_2 not saved; the form is as it was";
    let look = "somebody wrote meanwhile: nothing was sent; look again";
    let lost = "R_2 may be changed. The draft is kept";
    for (end, leaves, words) in [
        (of(Outcome::done("read")), "no draft", "R_2 saved"),
        (odd, "form, draft, review", "R_2 saved, but not as asked"),
        (refused, AGAIN, not_saved),
        // What was read besides is no sign that somebody wrote.
        (of(Outcome::refused("no")), AGAIN, not_saved),
        (
            of(Outcome::not_sent(Why::Stopped, "stopped")),
            AGAIN,
            not_saved,
        ),
        (signed_out, AGAIN, not_saved),
        (moved, "form, draft, review", look),
        (Outcome::unknown("no answer"), LOST, lost),
    ] {
        let (mut sample, id, _) = saving("!");
        let layer = if end.is_complete() {
            Layer::Runs
        } else {
            Layer::Review
        };
        sample.reply(id, Answer::Modified(end));
        assert_eq!((sample.said(), sample.store.layer()), (words, layer));
        assert_eq!(left(&mut sample), leaves, "{words}");
    }
}

#[test]
fn what_a_new_run_leaves_goes_by_its_end() {
    let not_created = "\"Night\" not created; the form is as it was";
    let may_exist = "The run \"Night\" may exist. The draft is kept";
    for (end, leaves, words) in [
        (made(document(8)), "no draft", "R_8 created"),
        (not_made(Outcome::refused("no")), AGAIN, not_created),
        (
            not_made(Outcome::not_sent(Why::Unread, "no")),
            AGAIN,
            not_created,
        ),
        (lost("no answer", Vec::new()), LOST, may_exist),
    ] {
        let (mut sample, id, _) = night_sent();
        sample.reply(id, Answer::Created(end));
        assert_eq!(sample.said(), words);
        assert_eq!(left(&mut sample), leaves, "{words}");
    }
}

#[test]
fn a_new_run_is_opened_with_all_its_suites_and_else_its_review_says_what_is_missing() {
    for suites_in in [&[7][..], &[6], &[0], &[7, 7], &[6, 7], &[7, 6]] {
        let several = suites_in.len() > 1;
        let clone = cloning(SIZE, if several { MATRIX } else { "" });
        let (mut sample, id, plan) = sent_new(clone);
        let all: Vec<DocRef> = plan.suites.into_iter().map(|(suite, _)| suite).collect();
        for (run, done) in (8..).zip(suites_in) {
            let (done, left) = all.split_at(*done);
            let end = match left {
                [] => Outcome::done("all added"),
                _ => Outcome::otherwise("some are taken"),
            };
            let suites = Some(changed(done.to_vec(), left.to_vec(), end));
            let run = made(document(run)).run;
            let end = Box::new(Created { run, suites });
            sample.reply(id, Answer::Created(end));
        }
        let whole = suites_in.iter().all(|done| *done == 7);
        let words = match (several, whole) {
            (false, true) => "R_8 created",
            (true, true) => "2 runs created",
            (false, false) => "R_8 created, but not every suite is in",
            (true, false) => "2 runs created, but not every suite is in",
        };
        assert_eq!(sample.said(), words, "{suites_in:?}");
        assert_eq!(told(&sample).contains("some are taken"), !whole, "{words}");
        let (layer, leaves) = match (several, whole) {
            (false, true) => (Layer::Detail, "no draft"),
            _ => (Layer::Review, "no draft, review"),
        };
        assert_eq!(sample.store.layer(), layer, "{words}");
        assert_eq!(left(&mut sample), leaves, "{words}");
        sample.act(Action::Back);
        assert_eq!(sample.store.layer(), Layer::Runs, "{words}");
    }
}

#[test]
fn a_save_without_an_answer_is_done_once_all_its_fields_are_there() {
    let (mut sample, id, sent) = saving("!\t,edge\tMore.");
    let end = Outcome::unknown("no answer");
    sample.reply(id, Answer::Modified(end));
    for fields in 0..=3 {
        let mut raw = document(2).raw().clone();
        for (field, text) in sent.texts.iter().take(fields) {
            raw["document"]["Root"]["General"][field.name()] = text.as_str().into();
        }
        sample.act(Action::Refresh);
        sample.send_document(Document::from_value(raw).unwrap());
        let seen = [
            "the end of the save before is not known",
            "Sent before: the new values are there",
        ]
        .map(|words| sample.screen().contains(words));
        assert_eq!(seen, [fields < 3, fields == 3], "{}", sample.screen());
    }
}

#[test]
fn a_clone_that_gets_no_suite_says_so_and_neither_asks_nor_promises_any_more() {
    for several in [false, true] {
        let clone = cloning(SIZE, if several { MATRIX } else { "" });
        clone.says("With all 7 of its suites");
        let (mut sample, id, plan) = sent_new(clone);
        for run in 0..plan.runs.len() as u64 {
            let mut suites = Outcome::refused("of another version");
            let parts = plan.suites.iter().map(|(suite, _)| ItemOutcome {
                of: suite.clone(),
                end: End::Refused,
            });
            suites.parts = parts.collect();
            let run = made(document(8 + run)).run;
            let suites = Some(suites);
            let end = Box::new(Created { run, suites });
            sample.reply(id, Answer::Created(end));
        }
        let (made, title) = if several {
            ("2 runs created", "2 runs created")
        } else {
            ("R_8 created", "\"Smoke nightly\" created")
        };
        assert_eq!(sample.said(), format!("{made}, but no suite is in"));
        sample.says(&format!("╭ {title} ─"));
        sample.lacks("With all 7 of its suites");
    }
}
