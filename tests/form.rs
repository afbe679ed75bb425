//! The form and its review as state: what is asked for, what is kept, what is sent and how often.

use super::support::{deleting, ends, sample};
use crate::support::prelude::*;
use Action::{
    Back, Cancel, Clone, Copy, Delete, DiscardDraft, Drafts, Edit, FieldOutside, Move, New,
    NextField, Offer, Open, Palette, Paste, Press, PreviousField, Quit, Refresh, Save, Show, Type,
};
use RunField::{Configuration, Description, ProjectVersionNumber, Status, Title};
use deleting::complete;
use ends::{lost, made, not_made};
use ratatui::style::Modifier;
use rundown::domain::{Create, DraftSent, DraftTaken, Lookup, Modify, texts_of, texts_of_new};
use rundown::store::CopyWhat;
use rundown::store::cx::HELD;

mod draft;
mod outcomes;
mod review;
mod several;

const SIZE: (u16, u16) = (120, 40);

/// Keys for one run for each configuration.
const MATRIX: &str = "\t\t\t\t\t\t\t ";

/// A clone of `R_2` with its suites is reviewed.
fn cloning(size: (u16, u16), keys: &str) -> Sample {
    cloning_of(document(2), size, keys)
}

fn cloning_of(document: Document, size: (u16, u16), keys: &str) -> Sample {
    let mut sample = Sample::list(size, 30).pressed("jjC");
    sample.take_draft(None, None);
    sample.send_document(document);
    let result = Ok(complete(2));
    sample.answered(&Slot::FormSuites, Answer::Surveyed(result));
    sample.press(keys);
    sample.act(Save);
    sample.effects();
    sample
}

/// New runs that are reviewed are on their way.
fn sent_new(mut sample: Sample) -> (Sample, RequestId, Create) {
    sample.act(Open);
    let (id, plan) = create(&mut sample).unwrap();
    (sample, id, plan)
}

/// A clone of `R_2`, one run for each of its two configurations, is on its way.
fn two_sent() -> (Sample, RequestId, Create) {
    sent_new(cloning(SIZE, MATRIX))
}

fn new_run(size: (u16, u16)) -> Sample {
    let mut sample = Sample::list(size, 30).pressed("n");
    sample.take_draft(None, None);
    sample
}

/// A new run is on its way.
fn night_sent() -> (Sample, RequestId, Create) {
    let mut sample = new_run(SIZE);
    sample.press("Night");
    sample.act(Save);
    sample.effects();
    sent_new(sample)
}

/// An edit of `R_2`, in review: this is what the service has by now.
fn reviewing(typed: &str, theirs: Document) -> Sample {
    let mut sample = editing();
    sample.press(typed);
    sample.act(Save);
    sample.send_document(theirs);
    sample.effects();
    sample
}

/// An edit of `R_2` is on its way.
fn saving(typed: &str) -> (Sample, RequestId, Modify) {
    let mut sample = reviewing(typed, document(2));
    sample.act(Open);
    let (id, sent) = modify(&mut sample).unwrap();
    (sample, id, sent)
}

/// Sent a minute ago, without an answer.
fn sent(titles: &[&str]) -> DraftSent {
    DraftSent {
        at: NOW - 60_000,
        titles: titles.iter().map(|title| (*title).to_owned()).collect(),
        saves: Vec::new(),
        words: "no answer".into(),
    }
}

/// What was sent was looked for: how it ended, and runs that may be it.
fn search_ends(sample: &mut Sample, id: RequestId, end: Option<End>, found: Vec<RunRow>) {
    let words = "as the list shows".into();
    let made = Vec::new();
    let result = Ok(Lookup {
        end,
        found,
        made,
        words,
        ..Lookup::default()
    });
    sample.reply(id, Answer::LookedUp(result));
}

fn drops_the_draft(asked: &[Effect]) -> bool {
    asked.contains(&Effect::Draft(DraftRequest::Discard {
        key: Some("k".into()),
        edited: Vec::new(),
    }))
}

/// What the cursor of a review stands on: a button, a field, a run that was found.
fn under_cursor(sample: &Sample) -> String {
    let seen = box_or_screen(sample);
    let button = seen.iter().find_map(|line| Some(line.split_once("[ ")?.1));
    let row = || seen.iter().find_map(|line| line.strip_prefix("> "));
    let name = button.or_else(row);
    let name = name.unwrap_or_else(|| panic!("no cursor:\n{}", sample.screen()));
    let name = name.split([' ', ']', ',', '…']).next();
    name.unwrap().to_owned()
}

/// The lines of the box that lies over the screen, else those of the screen.
fn box_or_screen(sample: &Sample) -> Vec<String> {
    let screen = sample.screen();
    let inside = |line: &str| {
        let (_, from) = line.split_once('│')?;
        Some(from.rsplit_once('│')?.0.to_owned())
    };
    if screen.contains('╭') {
        screen.lines().filter_map(inside).collect()
    } else {
        screen.lines().map(str::to_owned).collect()
    }
}

fn told(sample: &Sample) -> String {
    let words = box_or_screen(sample).join(" ");
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn go_to(sample: &mut Sample, wanted: &str) {
    for _ in 0..20 {
        if under_cursor(sample) == wanted {
            return;
        }
        sample.act(NextField);
    }
    panic!("{wanted:?} cannot be reached:\n{}", sample.screen());
}

#[test]
fn in_a_narrow_window_the_button_that_enter_would_press_is_seen() {
    for width in [40, 46, 60, 80] {
        let mut sample = editing().pressed(" abc");
        sample.resize((width, 12));
        for button in [
            "[ Review, save… ]",
            "[ Back, keep draft ]",
            "[ Discard draft… ]",
        ] {
            let is_seen = (0..20).any(|_| {
                sample.act(NextField);
                sample.screen().contains(button)
            });
            assert!(is_seen, "{button}: {}", sample.screen());
        }
    }
}

/// Its form has been asked for by a key on `R_2`, and there was no draft.
fn begun(key: &str) -> Sample {
    let mut sample = Sample::list(SIZE, 30).pressed("jj").pressed(key);
    sample.take_draft(None, None);
    sample
}

fn editing() -> Sample {
    let mut sample = begun("e");
    sample.send_document(document(2));
    sample.effects();
    sample
}

fn with(field: &str, value: &str) -> Document {
    let mut raw = document(2).raw().clone();
    raw["document"]["Root"]["General"][field] = value.into();
    raw["__meta"]["modifiedAt"] = "2026-11-20T09:38:00".into();
    Document::from_value(raw).unwrap()
}

fn timer(sample: &mut Sample) {
    // The newest one: a pause before another try may be under way.
    let mut sent = sample.effects().into_iter().rev();
    let id = sent.find_map(|effect| match effect {
        Effect::Request(id, Request::Timer { after }) => {
            assert!(after < 1_000, "kept within a second: {after}");
            Some(id)
        }
        _ => None,
    });
    sample.reply(id.unwrap(), Answer::Timer);
}

fn kept(effects: &[Effect]) -> Option<&Draft> {
    effects.iter().find_map(|effect| match effect {
        Effect::Draft(DraftRequest::Keep(draft, _)) => Some(&**draft),
        _ => None,
    })
}

fn modify(sample: &mut Sample) -> Option<(RequestId, Modify)> {
    let mut sent = sample.effects().into_iter();
    sent.find_map(|effect| match effect {
        Effect::Request(id, Request::Modify(modify)) => Some((id, *modify)),
        _ => None,
    })
}

fn create(sample: &mut Sample) -> Option<(RequestId, Create)> {
    let mut sent = sample.effects().into_iter();
    sent.find_map(|effect| match effect {
        Effect::Request(id, Request::Create(create)) => Some((id, *create)),
        _ => None,
    })
}

fn new_draft(key: &str, title: &str, configuration: &str) -> Draft {
    let mut texts = texts_of_new("P_9", Some("SP_1"), Some("1.2.0"));
    texts.insert(Title, title.into());
    texts.insert(Configuration, configuration.into());
    Draft {
        service: String::new(),
        key: key.into(),
        project: String::new(),
        profile: "demo".into(),
        form: FormFor::New,
        run_name: String::new(),
        base: None,
        texts,
        at: NOW,
        matrix: false,
        with_suites: None,
        died: false,
        sent: None,
    }
}

#[test]
fn what_is_typed_is_kept_once_for_many_keys_and_leaving_loses_nothing() {
    let mut sample = editing().pressed(" abc");
    let timers = sample
        .open
        .iter()
        .filter(|effect| matches!(effect, Effect::Request(_, Request::Timer { .. })))
        .count();
    assert_eq!(timers, 1, "one pause for all keys: {:?}", sample.open);
    timer(&mut sample);
    let asked = sample.effects();
    let draft = kept(&asked).unwrap();
    assert_eq!(draft.texts[&Title], "Smoke nightly abc");
    assert_eq!(
        draft.base.as_ref().unwrap(),
        &document(2),
        "the version it is based on goes along"
    );
    // More, and out at once: the last keys go to the disk with the leaving.
    sample.press("de");
    sample.effects();
    sample.act(Back);
    let asked = sample.effects();
    assert_eq!(kept(&asked).unwrap().texts[&Title], "Smoke nightly abcde");
    sample.at(Layer::Runs);
    assert!(
        !sample.screen().contains("the draft is kept"),
        "it is not yet"
    );
    sample.event(kept_at_last("k"));
    let key = "k".to_owned();
    let asked = sample.effects();
    assert!(
        asked.contains(&Effect::Draft(DraftRequest::Leave { key })),
        "{asked:?}"
    );
    sample.says("the draft is kept: e on R_2 opens it again, Ctrl-g lists all");
}

/// Its last save is still under way when it is left: nothing is left to send, but the disk has not answered.
#[test]
fn a_form_that_is_left_while_it_is_saved_is_called_kept_once_the_disk_has_answered() {
    let mut sample = editing().pressed(" abc");
    timer(&mut sample);
    assert!(kept(&sample.effects()).is_some());
    let mut quits = sample.clone();
    sample.act(Back);
    assert_eq!(sample.store.screen(), Layer::Runs, "nobody waits for it");
    sample.lacks("the draft is kept");
    let asked = sample.effects();
    assert!(kept(&asked).is_none(), "it is on its way: {asked:?}");
    let ended = sample.clone().store.end();
    assert!(kept(&ended).is_none(), "nor sent again: {ended:?}");
    let mut fails = sample.clone();
    fails.event(full("k"));
    assert_eq!(fails.store.screen(), Layer::Form);
    fails.says("could not be kept: it is here again");
    fails.says("Smoke nightly abc");
    sample.event(kept_at_last("k"));
    sample.says("the draft is kept");
    quits.act(Quit);
    assert!(!quits.effects().contains(&Effect::Quit));
    quits.event(kept_at_last("k"));
    assert!(quits.effects().contains(&Effect::Quit));
}

/// The answer of the save before is not that of the last one, also within one millisecond.
#[test]
fn an_older_save_does_not_take_a_form_away() {
    let mut sample = editing().pressed(" abc");
    timer(&mut sample);
    let older = kept(&sample.effects()).unwrap().at;
    let sent_again = |sample: &mut Sample| {
        sample.press("d");
        let effects = sample.store.update(Message::Action(Back), older);
        kept(&effects).unwrap().at
    };
    let newer = sent_again(&mut sample);
    let answers = |at| {
        let (key, result) = ("k".into(), Ok(at));
        Event::DraftKept { key, result }
    };
    sample.event(answers(older));
    sample.lacks("the draft is kept");
    let mut fails = sample.clone();
    fails.event(full("k"));
    fails.says("could not be kept: it is here again");
    fails.says("Smoke nightly abcd");
    sample.event(answers(newer));
    sample.says("the draft is kept");
}

/// A disk that takes nothing.
fn full(key: &str) -> Event {
    let result = Err(failure().with(|it| it.cause = "No space left on device".into()));
    let key = key.to_owned();
    Event::DraftKept { key, result }
}

/// One that takes all that was sent so far.
fn kept_at_last(key: &str) -> Event {
    let (key, result) = (key.to_owned(), Ok(NOW + 60_000));
    Event::DraftKept { key, result }
}

const ASKS: &str = "not on the disk: Ctrl-y copies all fields, Esc again drops them";

#[test]
fn a_form_that_cannot_be_kept_stays_until_esc_is_pressed_again() {
    let mut sample = editing().pressed(" abc");
    sample.effects();
    sample.act(Back);
    assert_eq!(sample.store.screen(), Layer::Runs, "nobody waits for it");
    sample.event(full("k"));
    sample.at(Layer::Form);
    sample.says("could not be kept: it is here again");
    sample.says("Not on the disk: No space left");
    sample.effects();
    sample.act(Back);
    assert_eq!(sample.said(), ASKS);
    let asked = sample.effects();
    assert!(kept(&asked).is_some(), "it is tried again: {asked:?}");
    sample.event(full("k"));
    // A held key goes on asking, however long it is held.
    for held in 1..4 {
        let now = sample.now + held * (HELD - 1);
        sample.store.update(Message::Action(Back), now);
        assert_eq!(sample.said(), ASKS);
    }
    sample.now += 3 * HELD;
    let mut dropped = sample.clone();
    dropped.act(Back);
    assert_eq!(dropped.store.screen(), Layer::Runs);
    assert!(drops_the_draft(&dropped.effects()));
    // Another key between is no second Esc; nor is the button, whose key may be held.
    sample.effects();
    sample.act(Copy(CopyWhat::Json));
    let copied = sample.effects().swap_remove(0);
    let of_all = |text: &str| text.starts_with("Title: Smoke nightly abc\nConfiguration: ");
    assert!(
        matches!(&copied, Effect::Copy { text, .. } if of_all(text)),
        "{copied:?}"
    );
    sample.act(Press(1));
    sample.act(Press(1));
    assert_eq!(sample.said(), ASKS);
    // There is room again.
    sample.event(kept_at_last("k"));
    sample.act(Back);
    sample.at(Layer::Runs);
    sample.says("the draft is kept");
}

/// Its run, its key and its text are those of the profile in which it was opened.
#[test]
fn a_form_that_cannot_be_kept_stays_with_its_profile() {
    for has_place in [true, false] {
        let mut sample = if has_place {
            let mut sample = editing().pressed(" abc");
            sample.event(full("k"));
            sample
        } else {
            let mut sample = Sample::list((80, 24), 30).pressed("n");
            let id = sample.store.asked(&Slot::Draft);
            sample.reply(id, Answer::DraftTaken(Err(failure())));
            sample.pressed("abc")
        };
        for command in ["profile prod\n", "project P_12\n"] {
            sample.effects();
            sample.act(Palette);
            sample.press(command);
            begins(sample.said(), "not on the disk");
            sample.says("the profile stays");
            sample.says("abc");
            let changes = |effect: &Effect| {
                matches!(effect, Effect::Connect { .. } | Effect::UseProject { .. })
            };
            assert!(!sample.effects().iter().any(changes), "{command}");
        }
    }
    // Asked for before anything was typed.
    let mut sample = editing().pressed(" abc");
    sample.effects();
    sample.uses("prod");
    assert_eq!(kept(&sample.effects()).unwrap().profile, "demo");
    sample.event(full("k"));
    sample.at(Layer::Runs);
    sample.act(Quit);
    begins(sample.said(), "what was typed is not on the disk");
    assert!(kept(&sample.effects()).is_some_and(|it| it.profile == "demo"));
    // No other form could be kept before it, and the way back to it is open.
    sample.press("n");
    let words =
        "what was typed in P_9/SP_1, profile demo, is not on the disk: change back there first";
    assert_eq!((sample.store.screen(), sample.said()), (Layer::Runs, words));
    sample.act(Palette);
    sample.press("profile demo\n");
    let connects = |it: &Effect| matches!(it, Effect::Connect { .. });
    assert!(sample.effects().iter().any(connects), "{}", sample.said());
    sample.uses("demo");
    sample.at(Layer::Form);
    sample.says("abc");
    sample.says("could not be kept: it is here again");
}

#[test]
fn what_is_typed_is_kept_before_another_profile_is_used() {
    let mut sample = editing().pressed(" abc");
    sample.effects();
    sample.act(Palette);
    sample.press("profile prod\n");
    assert_eq!(sample.said(), "keeping the draft first: try again");
    let asked = sample.effects();
    assert!(kept(&asked).is_some(), "{asked:?}");
    sample.event(kept_at_last("k"));
    sample.act(Palette);
    sample.press("profile prod\n");
    let connects = |it: &Effect| matches!(it, Effect::Connect { .. });
    assert!(sample.effects().iter().any(connects));
    // No key opens it there.
    sample.uses("prod");
    let kept = "the draft is kept in P_9/SP_1 of the profile demo";
    assert_eq!(sample.said(), kept);
}

/// A signal asks nobody; who was asked has agreed.
#[test]
fn a_text_without_a_place_at_the_end_is_lost_with_a_word() {
    let mut sample = Sample::list((80, 24), 30).pressed("n");
    sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    sample.store.end();
    assert!(!sample.store.loses_text(), "nothing is typed");
    let mut sample = sample.pressed("abc");
    timer(&mut sample);
    let id = sample.store.asked(&Slot::Draft);
    sample.store.end();
    assert!(sample.store.loses_text());
    let mut asked = sample.clone();
    asked.act(Quit);
    asked.act(Quit);
    assert!(!asked.store.loses_text());
    let taken = DraftTaken {
        key: "k".into(),
        before: None,
        other: None,
    };
    sample.reply(id, Answer::DraftTaken(Ok(Box::new(taken))));
    assert!(kept(&sample.store.end()).is_some() && !sample.store.loses_text());
}

#[test]
fn a_place_that_comes_after_the_first_esc_keeps_what_the_second_one_would_have_dropped() {
    let mut sample = Sample::list((80, 24), 30).pressed("n");
    let id = sample.store.asked(&Slot::Draft);
    sample.reply(id, Answer::DraftTaken(Err(failure())));
    let mut sample = sample.pressed("abc");
    sample.act(Back);
    assert_eq!(sample.said(), ASKS);
    let id = sample.store.asked(&Slot::Draft);
    let taken = DraftTaken {
        key: "k".into(),
        before: None,
        other: None,
    };
    sample.reply(id, Answer::DraftTaken(Ok(Box::new(taken))));
    sample.effects();
    sample.act(Back);
    sample.at(Layer::Runs);
    let effects = sample.effects();
    let draft = kept(&effects).unwrap();
    assert_eq!(draft.texts[&Title], "abc", "{effects:?}");
}

/// It would be made a second time unseen, and each other form would wait for it.
#[test]
fn a_clone_that_was_sent_as_it_was_and_cannot_be_kept_stays_until_esc_is_pressed_again() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    let id = sample.store.asked(&Slot::Draft);
    sample.reply(id, Answer::DraftTaken(Err(failure())));
    sample.send_document(document(2));
    sample.answered(&Slot::FormSuites, Answer::Surveyed(Ok(complete(2))));
    sample.act(Save);
    sample.draw();
    sample.effects();
    sample.act(Open);
    let (id, _) = create(&mut sample).unwrap();
    sample.reply(id, Answer::Created(not_made(Outcome::unknown("no answer"))));
    while sample.store.review().is_some() {
        sample.act(Back);
    }
    sample.press("x");
    sample.act(Type(KeyEvent::from(KeyCode::Backspace)));
    sample.act(Back);
    assert_eq!((sample.store.screen(), sample.said()), (Layer::Form, ASKS));
    sample.act(Back);
    sample.at(Layer::Runs);
}

#[test]
fn no_other_form_opens_before_the_one_that_was_left_is_on_the_disk() {
    let mut sample = editing().pressed(" abc");
    sample.act(Back);
    sample.press("nDx");
    // It takes no keys, and nothing else does.
    sample.at(Layer::Form);
    assert_eq!(
        sample.said(),
        "2 keys were not taken: the form is not here yet"
    );
    assert!(!sample.store.cx.in_flight.has(&Slot::Draft));
    let mut mended = sample.clone();
    mended.event(kept_at_last("k"));
    mended.take_draft(None, None);
    mended.press("Night");
    mended.says("> Title *          Night");
    // Whatever else was opened meanwhile, it is on top again.
    sample.press("M");
    sample.event(full("k"));
    sample.at(Layer::Form);
    sample.says("could not be kept: it is here again");
    sample.says("Smoke nightly abc");
    // Nor does a form give way that is known not to be on the disk.
    sample.event(Event::Drafts(vec![new_draft("n", "Second", "")]));
    for (opens, keys) in [(Palette, "view All\n"), (Drafts, "\n")] {
        sample.act(opens);
        sample.press(keys);
        sample.at(Layer::Form);
        sample.says("could not be kept: it is here again");
        sample.says("Smoke nightly abc");
    }
}

#[test]
fn quitting_asks_once_where_a_form_cannot_be_kept() {
    let mut sample = editing().pressed(" abc");
    timer(&mut sample);
    sample.event(full("k"));
    sample.effects();
    for (keys, quits) in [
        (vec![Quit, Quit], true),
        (vec![Quit, NextField, Quit], false),
        (vec![Cancel; 3], true),
    ] {
        let mut sample = sample.clone();
        let (last, keys) = keys.split_last().unwrap();
        for key in keys {
            sample.act(key.clone());
        }
        let asked = sample.effects();
        assert!(!asked.contains(&Effect::Quit), "{keys:?}");
        let asks = "not on the disk: Ctrl-y copies all fields, \":q!\" quits without them";
        if keys.len() < 2 {
            assert_eq!(sample.said(), asks);
        }
        sample.act(last.clone());
        assert_eq!(sample.effects().contains(&Effect::Quit), quits, "{keys:?}");
    }
    sample.act(Palette);
    sample.press("q!\n");
    assert!(sample.effects().contains(&Effect::Quit));
}

/// What was typed in this form is not on the disk: Ctrl-c says so before it quits. `fails`: nor is it the next time.
fn ctrl_c_asks(mut sample: Sample, fails: impl Fn(&mut Sample)) {
    sample.says("NOT SAVED");
    for untrue in ["draft stays", "keep draft"] {
        sample.lacks(untrue);
    }
    sample.effects();
    sample.act(Cancel);
    sample.says("Ctrl-c again asks before it quits");
    sample.act(Cancel);
    let asks = "not on the disk: Ctrl-y copies all fields, Ctrl-c once more quits and loses what was typed";
    assert_eq!(sample.said(), asks);
    // That it cannot be kept is said already, and takes the question from nobody.
    fails(&mut sample);
    assert_eq!(sample.said(), asks);
    assert!(!sample.effects().contains(&Effect::Quit));
    sample.act(Cancel);
    assert!(sample.effects().contains(&Effect::Quit));
}

#[test]
fn ctrl_c_says_before_the_last_one_that_what_was_typed_is_lost() {
    let mut sample = editing().pressed(" abc");
    timer(&mut sample);
    let fails = |sample: &mut Sample| sample.event(full("k"));
    fails(&mut sample);
    ctrl_c_asks(sample, fails);
    // There never was a place for it.
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    let fails = |sample: &mut Sample| {
        sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    };
    fails(&mut sample);
    sample.press("Typed");
    ctrl_c_asks(sample, fails);
}

#[test]
fn a_text_that_is_not_on_the_disk_is_not_said_to_be_kept_where_it_is_discarded() {
    let mut sample = editing().pressed("x");
    timer(&mut sample);
    let discards = |sample: &mut Sample| {
        sample.act(DiscardDraft);
        let screen = sample.screen();
        sample.press("\u{1b}");
        screen
    };
    says_wrapped(&discards(&mut sample), "goes to drafts/discarded");
    sample.event(full("k"));
    let screen = discards(&mut sample);
    lacks(&screen, "drafts/discarded");
    says(&screen, "is not on the disk");
}

/// There may be room by then, and nobody types.
#[test]
fn what_could_not_be_kept_is_tried_again_by_itself() {
    let pause = |sample: &mut Sample| {
        let is_long = |effect: &Effect| {
            matches!(effect, Effect::Request(_, Request::Timer { after: 10_000 }))
        };
        assert!(sample.effects().iter().any(is_long));
        sample.answered(&Slot::DraftPause, Answer::Timer);
    };
    let mut sample = editing().pressed("x");
    timer(&mut sample);
    for _ in 0..3 {
        sample.open.clear();
        sample.event(full("k"));
        pause(&mut sample);
        assert!(kept(&sample.open).is_some());
    }
    // Who types does not wait for it, and no key puts it off.
    sample.event(full("k"));
    sample.effects();
    sample.press("yz");
    let is_pause = |effect: &&Effect| matches!(effect, Effect::Request(_, Request::Timer { .. }));
    assert_eq!(sample.open.iter().filter(is_pause).count(), 1);
    timer(&mut sample);
    sample.event(kept_at_last("k"));
    sample.lacks("NOT SAVED");
    assert!(!sample.store.cx.under_way(&Slot::DraftPause));
    // It was left, and came back.
    let mut sample = editing().pressed(" abc");
    sample.effects();
    sample.act(Back);
    sample.event(full("k"));
    sample.at(Layer::Form);
    pause(&mut sample);
    assert!(kept(&sample.open).is_some());
    // There never was a place for it, nor anything to be kept.
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    let no_place = |sample: &mut Sample| {
        sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    };
    no_place(&mut sample);
    assert!(!sample.store.cx.under_way(&Slot::DraftPause));
    sample.press("Typed");
    timer(&mut sample);
    no_place(&mut sample);
    pause(&mut sample);
    assert!(sample.store.cx.under_way(&Slot::Draft));
}

#[test]
fn a_form_without_a_place_on_the_disk_stays_and_asks_for_one_again() {
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    let no_place = |sample: &mut Sample| {
        let result = Err(failure());
        sample.answered(&Slot::Draft, Answer::DraftTaken(result));
    };
    no_place(&mut sample);
    sample.press("Typed");
    for leaves in [Back, Quit] {
        sample.act(leaves);
        assert_eq!(sample.store.screen(), Layer::Form, "{}", sample.screen());
        begins(sample.said(), "not on the disk");
        no_place(&mut sample);
        sample.says("NOT SAVED");
    }
    // So does typing, and what Esc would have done is not said any more once there is room.
    sample.effects();
    sample.press("!");
    timer(&mut sample);
    no_place(&mut sample);
    sample.says("NOT SAVED");
    sample.press("!");
    sample.act(Back);
    begins(sample.said(), "not on the disk");
    sample.effects();
    let taken = DraftTaken {
        key: "k".into(),
        before: None,
        other: None,
    };
    sample.answered(&Slot::Draft, Answer::DraftTaken(Ok(Box::new(taken))));
    sample.lacks("NOT SAVED");
    assert_eq!(sample.said(), "there is a place for the draft again");
    timer(&mut sample);
    let texts = &kept(&sample.open).unwrap().texts;
    assert_eq!(texts[&Title], "Typed!!");
}

#[test]
fn a_form_that_nobody_touched_leaves_no_draft() {
    let mut sample = editing();
    sample.act(Back);
    let asked = sample.effects();
    assert!(
        drops_the_draft(&asked) && kept(&asked).is_none(),
        "{asked:?}"
    );
}

#[test]
fn quitting_waits_for_the_draft() {
    let mut sample = editing().pressed("x");
    sample.effects();
    sample.act(Quit);
    let asked = sample.effects();
    assert!(
        kept(&asked).is_some() && !asked.contains(&Effect::Quit),
        "{asked:?}"
    );
    sample.says("keeping the draft, then quitting");
    sample.event(kept_at_last("k"));
    assert_eq!(sample.effects(), [Effect::Quit]);
}

#[test]
fn a_program_that_is_ended_keeps_what_was_typed_and_nothing_else() {
    for typed in ["", "x"] {
        let mut sample = editing().pressed(typed);
        let asked = sample.store.end();
        assert_eq!(kept(&asked).is_some(), !typed.is_empty(), "{asked:?}");
    }
}

#[test]
fn a_draft_that_is_discarded_goes_with_its_form() {
    let mut sample = editing().pressed("x");
    sample.act(DiscardDraft);
    sample.press("\t\n");
    assert!(drops_the_draft(&sample.effects()));
    sample.on(Layer::Runs);
    sample.says("the draft is discarded");
}

#[test]
fn where_nothing_was_typed_there_is_no_draft_to_discard() {
    let mut sample = editing();
    sample.act(DiscardDraft);
    assert_eq!(sample.said(), "there is no draft: nothing was typed");
    sample.on(Layer::Form);
    assert!(!drops_the_draft(&sample.effects()));
    // One that is on the disk is there, whatever it says.
    sample.press("x");
    timer(&mut sample);
    sample.act(Type(KeyEvent::from(KeyCode::Backspace)));
    sample.act(DiscardDraft);
    sample.on(Layer::Confirm);
}

#[test]
fn a_draft_that_cannot_be_kept_is_told_and_tried_again() {
    let mut sample = editing().pressed("x");
    timer(&mut sample);
    sample.effects();
    sample.event(full("k"));
    sample.says("NOT SAVED");
    sample.press("y");
    timer(&mut sample);
    assert_eq!(kept(&sample.open).unwrap().texts[&Title], "Smoke nightlyxy");
}

#[test]
fn a_draft_is_compared_with_the_version_it_was_begun_on() {
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    let mut texts = texts_of(&document(2));
    texts.insert(Description, "mine".into());
    let form = FormFor::Edit(document(2).doc_ref().clone());
    let draft = Draft {
        form,
        base: Some(document(2)),
        texts,
        ..new_draft("k", "", "")
    };
    // The service is faster than the disk, and somebody has saved another title meanwhile.
    sample.send_document(with("Title", "theirs"));
    sample.take_draft(Some(draft), None);
    sample.effects();
    sample.act(Save);
    sample.send_document(with("Title", "theirs"));
    sample.act(Save);
    let (_, modify) = modify(&mut sample).unwrap();
    let only = [(Description, "mine".to_owned())].into();
    assert_eq!(modify.texts, only, "the other side's title stays");
    assert_eq!(modify.reviewed, with("Title", "theirs"));
}

/// One key too many took the whole text of the draft away, and Esc dropped it without a word.
#[test]
fn undo_ends_at_the_text_of_the_draft_and_a_draft_that_goes_is_told() {
    let filled = || {
        let mut sample = Sample::list(SIZE, 30).pressed("jje");
        let mut texts = texts_of(&document(2));
        texts.insert(Title, "mine".into());
        let draft = Draft {
            form: FormFor::Edit(document(2).doc_ref().clone()),
            base: Some(document(2)),
            texts,
            ..new_draft("k", "", "")
        };
        sample.take_draft(Some(draft), None);
        sample.send_document(document(2));
        sample
    };
    let undo = Type(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL));
    let mut sample = filled().pressed("x");
    for _ in 0..3 {
        sample.act(undo.clone());
    }
    timer(&mut sample);
    sample.event(kept_at_last("k"));
    assert_eq!(sample.store.form().unwrap().texts()[&Title], "mine");
    sample.says("draft kept");
    // Who takes it back by hand is told that it goes.
    let mut sample = filled();
    for _ in 0.."mine".len() {
        sample.act(Type(KeyEvent::from(KeyCode::Backspace)));
    }
    sample.press("Smoke nightly");
    assert!(
        !sample.screen().contains("draft kept"),
        "{}",
        sample.screen()
    );
    sample.act(Back);
    assert!(drops_the_draft(&sample.effects()));
    sample.says("nothing differs any more: the draft is discarded");
}

#[test]
fn keys_before_the_draft_is_here_go_nowhere() {
    let mut sample = Sample::list(SIZE, 30);
    let mut draft = new_draft("k", "from the draft", "firefox");
    let version = ProjectVersionNumber;
    draft.texts.insert(version, "1.1.0".into());
    sample.event(Event::Drafts(vec![draft.clone()]));
    sample.act(Drafts);
    sample.press("\n");
    sample.says("opening the form");
    sample.press("typed at once");
    sample.act(DiscardDraft);
    sample.act(FieldOutside);
    assert_eq!(
        sample.said(),
        "15 keys were not taken: the form is not here yet"
    );
    sample.take_draft(Some(draft.clone()), None);
    assert_eq!(
        sample.said(),
        "15 keys were not taken: the form was not here yet"
    );
    assert_eq!(sample.store.form().unwrap().texts(), draft.texts);
    // Nobody has touched its version; in a clone it is called so.
    sample.press("!");
    sample.lacks("Changed:");
    let mut sample = begun("C");
    sample.send_document(document(2));
    sample.press("\t\t\t\t\t\t9");
    sample.says("Changed: Version");
}

#[test]
fn keys_before_the_run_is_here_are_counted_and_do_nothing() {
    let mut sample = begun("e");
    sample.says("opening R_2");
    // Keys that mean something on the list, on the review and in the form.
    sample.press("qD\t");
    sample.act(Paste("n".into()));
    for action in [Save, Drafts, Palette] {
        sample.act(action);
    }
    assert_eq!(sample.said(), "7 keys were not taken: R_2 is not here yet");
    let asked = sample.effects();
    assert_eq!(asked, begun("e").open, "nothing was done");
    let mut left = sample.clone();
    left.act(Back);
    assert_eq!(left.store.screen(), Layer::Runs);
    let mut given_up = sample.clone();
    given_up.act(Cancel);
    given_up.says("R_2 could not be read: given up");
    sample.open = asked;
    sample.send_document(document(2));
    for sample in [&sample, &left] {
        assert_eq!(sample.said(), "7 keys were not taken: R_2 was not here yet");
    }
    let form = sample.store.form().unwrap();
    assert_eq!(form.texts(), texts_of(&document(2)));
}

#[test]
fn keys_before_a_run_that_is_read_again_are_counted_too() {
    let mut sample = begun("e");
    sample.press("ab");
    sample.answered(&Slot::FormRun, Answer::Document(Err(failure())));
    sample.says("It is tried again by itself.");
    // Here it is a letter.
    sample.lacks("r tries now");
    sample.press("rcd");
    sample.answered(&Slot::RetryPause, Answer::Timer);
    sample.send_document(document(2));
    assert_eq!(sample.said(), "5 keys were not taken: R_2 was not here yet");
}

/// Whoever waits in the review for the suites makes no empty run.
#[test]
fn a_review_of_a_clone_is_opened_anew_once_its_suites_are_known() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    sample.act(Save);
    sample.says("which are still being worked out: the new run is empty");
    let suites = |sample: &mut Sample| {
        let result = Ok(complete(2));
        sample.answered(&Slot::FormSuites, Answer::Surveyed(result));
    };
    let mut sent = sample.clone();
    sent.act(Open);
    let (_, plan) = create(&mut sent).unwrap();
    assert_eq!(plan.suites.len(), 0);
    suites(&mut sent);
    sent.says("Creating…");
    sent.says("the new run is empty");
    // Whoever was to go back goes back, and what is chosen stays.
    let mut back = sample.clone();
    back.act(NextField);
    suites(&mut back);
    back.says("[ Back ]");
    back.act(Open);
    assert!(create(&mut back).is_none());
    assert!(back.store.review().is_none());
    suites(&mut sample);
    sample.lacks("the new run is empty");
    sample.says("With ");
    sample.act(Open);
    let (_, plan) = create(&mut sample).unwrap();
    assert_eq!(plan.suites.len(), 7);
}

#[test]
fn a_field_that_holds_no_text_says_so_and_keeps_no_other_from_being_saved() {
    let mut raw = document(2).raw().clone();
    let general = &mut raw["document"]["Root"]["General"];
    general["Title"] = json!(["a", "list"]);
    general["Configuration"] = json!({"v": 1});
    let odd = Document::from_value(raw).unwrap();
    let mut sample = begun("e");
    sample.send_document(odd.clone());
    let words = "no text on the service: not changed from here";
    for field in ["Title", "Configuration"] {
        says(&sample.line(&format!("  {field}")), words);
    }
    sample.press("More. ");
    sample.act(Save);
    sample.send_document(odd.clone());
    sample.act(Open);
    let (_, sent) = modify(&mut sample).unwrap();
    assert_eq!(sent.texts.keys().collect::<Vec<_>>(), [&Description]);
    assert_eq!(sent.reviewed, odd);
}

#[test]
fn the_suites_of_a_clone_are_read_again_before_it_is_made() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    let suites = |sample: &mut Sample, result| {
        sample.answered(&Slot::FormSuites, Answer::Surveyed(result));
    };
    suites(&mut sample, Ok(complete(2)));
    // What was read just now is.
    let mut just_now = sample.clone();
    just_now.act(Save);
    just_now.says("With all 7 of its suites.");
    sample.now += 60_000;
    sample.act(Save);
    sample.says("With all 7 of its suites; they are being read again.");
    sample.act(Open);
    assert!(create(&mut sample).is_none());
    says(
        sample.said(),
        "nothing was sent: the suites were still being read",
    );
    let mut failed = sample.clone();
    suites(&mut failed, Err(failure()));
    failed.says("With all 7 of its suites, as read before: reading them again failed.");
    failed.act(Open);
    assert_eq!(create(&mut failed).unwrap().1.suites.len(), 7);
    let mut fewer = *complete(2);
    fewer.named.pop();
    fewer.count = Some(6);
    suites(&mut sample, Ok(Box::new(fewer)));
    sample.says("With all 6 of its suites.");
    sample.act(Open);
    assert_eq!(create(&mut sample).unwrap().1.suites.len(), 6);
}

#[test]
fn a_run_that_is_not_found_has_no_form() {
    let mut sample = begun("e");
    let id = sample.store.asked(&Slot::FormRun);
    let gone = failure().with(|it| it.kind = FailureKind::NotFound);
    let result = Err(gone);
    sample.reply(id, Answer::Document(result));
    sample.says("R_2 could not be read");
    sample.act(Save);
    assert!(sample.said().starts_with("R_2 could not be read: "));
    // What does something here is in the hints, and keys are not counted as if the form would come.
    sample.says("Esc goes back");
    let screen = sample.screen();
    let hints = screen.lines().last().unwrap();
    says(hints, "Esc back");
    lacks(hints, "Ctrl-s");
    let mut commands = sample.clone();
    commands.act(Palette);
    commands.says("╭ Commands ─");
    let mut problems = sample.clone();
    problems.act(Show(Layer::Errors));
    problems.says("reading R_2: ");
    sample.act(Back);
    sample.at(Layer::Runs);
    sample.lacks("not taken");
}

#[test]
fn a_save_that_cannot_read_first_says_at_each_enter_that_nothing_was_sent() {
    let mut sample = editing().pressed(" mine");
    sample.act(Save);
    let fails = |sample: &mut Sample| {
        let id = sample.store.asked(&Slot::Reviewed);
        sample.reply(id, Answer::Document(Err(failure())));
    };
    let words = "R_2 could not be read first: nothing was sent now";
    for _ in 0..2 {
        sample.lacks(words);
        fails(&mut sample);
        sample.says(words);
        sample.act(Open);
        sample.says("Reading what the service has");
    }
}

#[test]
fn what_was_not_read_for_want_of_a_sign_in_is_read_after_it() {
    let unread = |sample: &mut Sample, slot: Slot, answer: fn(Failure) -> Answer| {
        let id = sample.store.asked(&slot);
        let failure = failure().with(|it| it.kind = FailureKind::SignIn);
        sample.reply(id, answer(failure));
        sample.event(Event::SignInNeeded {
            user: "qa".into(),
            why: SignInReason::SessionEnded("the session is over".into()),
        });
        if sample.store.layer() == Layer::Login {
            sample.act(Back);
        }
    };
    let signed_in = |sample: &mut Sample| {
        sample.event(Event::SignedIn { user: "qa".into() });
        sample.send_document(document(2));
    };
    let no_run = |failure| Answer::Document(Err(failure));
    let mut sample = begun("e");
    unread(&mut sample, Slot::FormRun, no_run);
    sample.says("R_2 could not be read");
    sample.act(Palette);
    sample.press("sign in\n");
    sample.on(Layer::Login);
    signed_in(&mut sample);
    assert!(sample.store.form().unwrap().ready);
    let mut sample = editing().pressed(" mine");
    sample.act(Save);
    unread(&mut sample, Slot::Reviewed, no_run);
    sample.says("What the service has cannot be read");
    let mut reads = sample.clone();
    reads.event(Event::SignedIn { user: "qa".into() });
    reads.lacks("What the service has cannot be read");
    assert!(reads.store.cx.under_way(&Slot::Reviewed));
    signed_in(&mut sample);
    sample.says("[ Save ]");
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    unread(&mut sample, Slot::FormSuites, |failure| {
        Answer::Surveyed(Err(failure))
    });
    sample.event(Event::SignedIn { user: "qa".into() });
    sample.answered(&Slot::FormSuites, Answer::Surveyed(Ok(complete(2))));
    sample.lacks("not known: ");
    let mut sample = Sample::list(SIZE, 30);
    sent_before(&mut sample);
    sample.act(Save);
    unread(&mut sample, Slot::FormSent, |failure| {
        Answer::LookedUp(Err(failure))
    });
    sample.says("Looking for it failed");
    sample.event(Event::SignedIn { user: "qa".into() });
    let id = sample.store.asked(&Slot::FormSent);
    sample.says("Looking…");
    search_ends(&mut sample, id, None, Vec::new());
    sample.says("Send it again");
}

#[test]
fn q_as_a_command_asks_as_the_key_does() {
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![new_draft("k", "Nightly", "chrome")]));
    for asks in ["q", ":q\n"] {
        sample.press(asks);
        assert!(!sample.effects().contains(&Effect::Quit), "{asks}");
        let screen = sample.screen();
        says(&screen, "1 draft is kept and not sent: q again quits");
    }
    let mut again = sample.clone();
    again.press("q");
    assert_eq!(again.effects().last(), Some(&Effect::Quit));
    sample.press(":q!\n");
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
}

#[test]
fn q_as_a_command_quits_the_second_time_as_the_key_does() {
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![new_draft("k", "Nightly", "chrome")]));
    sample.press(":q\n");
    assert!(!sample.effects().contains(&Effect::Quit));
    for between in ["j", ":\u{1b}", "q\u{1b}"] {
        let mut other = sample.clone();
        other.press(between);
        other.effects();
        other.press(":q\n");
        assert!(!other.effects().contains(&Effect::Quit), "{between:?}");
        other.press(":quit\n");
        assert_eq!(other.effects().last(), Some(&Effect::Quit));
    }
    sample.press(":q\n");
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
}

#[test]
fn where_letters_are_typed_quitting_names_a_command() {
    let mut sample = new_run(SIZE);
    sample.event(Event::Drafts(vec![new_draft("k", "Nightly", "chrome")]));
    sample.effects();
    sample.act(Palette);
    sample.press("q\n");
    assert_eq!(sample.effects(), []);
    let screen = sample.screen();
    says(&screen, "1 draft is kept and not sent: \":q!\" quits");
}

#[test]
fn quitting_counts_what_is_typed_in_the_open_form() {
    let typed = |sample: Sample| {
        let mut sample = sample.pressed(" abc");
        timer(&mut sample);
        sample.event(kept_at_last("k"));
        sample.effects();
        sample
    };
    let other = || new_draft("other", "Nightly", "chrome");
    let mut sample = typed(editing());
    for drafts in [vec![other()], vec![other(), new_draft("k", "Smoke", "")]] {
        sample.event(Event::Drafts(drafts));
        sample.act(Quit);
        assert_eq!(sample.effects(), []);
        sample.says("2 drafts are kept and not sent");
        sample.act(NextField);
    }
    // A demo keeps nothing.
    let demo = |mut sample: Sample| {
        let session = sample.store.cx.shared.session.as_mut();
        session.unwrap().is_demo = true;
        sample
    };
    let mut sample = demo(typed(editing()));
    sample.act(Quit);
    assert_eq!(sample.effects(), []);
    sample.says("1 draft is not sent, and gone when the demo ends: \":q!\" quits");
    sample.act(Quit);
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
    let mut sample = demo(editing());
    sample.act(Quit);
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
}

#[test]
fn a_draft_that_changes_nothing_waits_for_nobody() {
    let mut sample = Sample::list((80, 24), 30);
    let base = document(2);
    let undone = Draft {
        form: FormFor::Edit(base.doc_ref().clone()),
        run_name: "R_2 Smoke".into(),
        texts: texts_of(&base),
        base: Some(base),
        died: true,
        ..new_draft("k", "", "")
    };
    sample.event(Event::Drafts(vec![undone.clone()]));
    sample.lacks("typed until");
    sample.press("q");
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
    // One that was sent may be in effect.
    let sent = undone.with(|it| it.sent = Some(sent(&[])));
    let mut sample = Sample::list((80, 24), 30);
    sample.event(Event::Drafts(vec![sent]));
    sample.says("R_2, typed until");
}

#[test]
fn n_begins_a_new_form_beside_the_drafts_that_are_kept() {
    let mut sample = Sample::list((80, 24), 30);
    let drafts = vec![
        new_draft("a", "Payment, second round", ""),
        new_draft("b", "Payment, first round", "opera"),
    ];
    sample.event(Event::Drafts(drafts.clone()));
    sample.press("n");
    let asked = |sample: &mut Sample| {
        let mut sent = sample.effects().into_iter();
        sent.find_map(|effect| match effect {
            Effect::Request(_, Request::TakeDraft { wish, .. }) => Some(wish),
            _ => None,
        })
    };
    let open = sample.effects();
    sample.open.clone_from(&open);
    assert_eq!(asked(&mut sample), Some(DraftWish::Fresh));
    sample.open = open;
    sample.take_draft(None, None);
    sample.lacks("other draft");
    sample.effects();
    sample.press("A third");
    sample.act(Drafts);
    let screen = sample.screen();
    says(&screen, "09:41  new run  Title: Payment, second round");
    says(
        &screen,
        "09:41  new run  Title, Configuration: Payment, first round",
    );
    // The other one is opened: what was typed here is kept as a draft of its own.
    timer(&mut sample);
    let open = sample.effects();
    assert_eq!(kept(&open).unwrap().texts[&Title], "A third");
    sample.event(kept_at_last("k"));
    sample.act(Move(Motion::Down));
    sample.press("\n");
    let open = sample.effects();
    sample.open.clone_from(&open);
    assert_eq!(asked(&mut sample), Some(DraftWish::Kept("b".into())));
    sample.open = open;
    sample.take_draft(Some(drafts[1].clone()), None);
    assert_eq!(
        sample.store.form().unwrap().texts()[&Configuration],
        "opera"
    );
    assert!(
        !sample.store.drafts().iter().any(|draft| draft.key == "b"),
        "an open one is not offered"
    );
}

#[test]
fn another_program_that_had_the_form_open_first_is_named() {
    let mut sample = Sample::list((80, 24), 30).pressed("jje");
    sample.take_draft(None, Some(4711));
    sample.send_document(document(2));
    sample.press(" and on and on");
    sample.says("Process 4711 had this form open first");
}

#[test]
fn nothing_is_sent_before_its_review_and_nothing_twice() {
    let mut sample = editing().pressed("!");
    sample.act(Save);
    assert!(
        !sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Request(_, Request::Modify(_)))),
        "{:?}",
        sample.open
    );
    sample.send_document(document(2));
    sample.effects();
    sample.act(Open);
    let (id, _) = modify(&mut sample).unwrap();
    for action in [Save, Open, Back, Edit] {
        sample.act(action);
        sample.says("Saving…");
    }
    assert!(modify(&mut sample).is_none(), "it is on its way");
    sample.reply(id, Answer::Modified(Outcome::unknown("no answer")));
    // A reading that fails after it was sent does not say that nothing was.
    sample.act(Refresh);
    let id = sample.store.asked(&Slot::Reviewed);
    sample.reply(id, Answer::Document(Err(failure())));
    assert_eq!(sample.said(), "R_2 could not be read, either");
    sample.act(Save);
    sample.act(Open);
    assert!(
        modify(&mut sample).is_none(),
        "what may have been done is not sent again"
    );
    let form = sample.store.form().unwrap();
    assert!(form.sent.is_some() && form.texts()[&Title] == "Smoke nightly!");
}

#[test]
fn a_form_that_is_not_here_wrong_or_unchanged_says_so_and_has_no_review() {
    let mut sample = begun("e");
    let refuses = |sample: &mut Sample, words: &str| {
        sample.act(Save);
        assert_eq!(sample.store.notice().unwrap().text, words);
        sample.on(Layer::Form);
    };
    sample.send_document(document(2));
    refuses(&mut sample, "nothing is changed: there is nothing to save");
    let complaint = |sample: &Sample| sample.screen().contains("! needed here");
    for _ in "Smoke nightly".chars() {
        sample.key(KeyEvent::from(KeyCode::Backspace));
    }
    refuses(&mut sample, "not yet: see beside the field");
    assert!(complaint(&sample), "{}", sample.screen());
    sample.press("N");
    assert!(!complaint(&sample), "it is corrected: {}", sample.screen());
}

#[test]
fn a_complaint_about_a_field_is_read_to_its_end() {
    let mut sample = new_run((60, 24)).pressed("Smoke\t\t\t\t\t\tx");
    sample.act(Save);
    let words = "! not a version; expected <major>.<minor>.<patch>, such as 1.4.0";
    says_wrapped(&sample.screen(), words);
}

#[test]
fn blanks_around_a_version_are_not_part_of_it() {
    for typed in [" ", "\u{15} 1.3.0  "] {
        let mut sample = new_run((60, 24));
        sample.press("Smoke\t\t\t\t\t\t");
        sample.press(typed);
        sample.act(Save);
        sample.act(Open);
        let (_, plan) = create(&mut sample).unwrap();
        let version = plan.runs[0].text(ProjectVersionNumber);
        assert_eq!(version, if typed == " " { "1.2.0" } else { "1.3.0" });
    }
}

#[test]
fn a_conflict_waits_for_a_decision_and_a_new_writer_asks_anew() {
    let mut sample = reviewing(" mine", with("Title", "theirs"));
    sample.act(Save);
    assert!(modify(&mut sample).is_none());
    sample.press("1");
    sample.act(Save);
    let (id, sent) = modify(&mut sample).unwrap();
    assert_eq!(sent.texts[&Title], "Smoke nightly mine");
    // What is being sent is not decided any more.
    sample.press("2");
    sample.lacks("theirs stays");
    // Between the review and the write somebody saved once more: the decision was about another text.
    sample.reply(
        id,
        Answer::Modified(
            Outcome::not_sent(Why::Moved, "somebody wrote")
                .with_document(with("Title", "theirs again")),
        ),
    );
    sample.effects();
    let hints = sample.screen().lines().last().unwrap().to_owned();
    says(&hints, "1 mine");
    sample.says("not saved: somebody wrote");
    // That is over once it is sent again.
    let mut again = sample.clone();
    again.press("1");
    again.act(Save);
    assert!(modify(&mut again).is_some());
    again.lacks("not saved");
    sample.act(Save);
    assert!(modify(&mut sample).is_none(), "{}", sample.screen());
    sample.press("2");
    sample.act(Save);
    assert!(
        modify(&mut sample).is_none(),
        "theirs everywhere: nothing is left to write"
    );
    // Back to the text of before, read twice: mine was not to be saved, and is not by itself.
    for _ in 0..2 {
        sample.act(Refresh);
        sample.send_document(document(2));
        sample.act(Save);
        assert!(modify(&mut sample).is_none(), "{}", sample.screen());
    }
    sample.press("1");
    sample.act(Save);
    let (_, sent) = modify(&mut sample).unwrap();
    assert_eq!(sent.texts[&Title], "Smoke nightly mine");
}

#[test]
fn a_title_that_names_the_configuration_names_that_of_each_run_of_a_matrix() {
    // Blanks around it are no part of the name.
    for before in ["qftest,chrome", " qftest,chrome "] {
        let document = with("Configuration", before);
        let sample = cloning_of(document, SIZE, &format!(" qftest,chrome{MATRIX}"));
        let (_, _, plan) = sent_new(sample);
        let titles: Vec<&str> = plan
            .runs
            .iter()
            .map(rundown::domain::NewRun::title)
            .collect();
        assert_eq!(titles, ["Smoke nightly qftest", "Smoke nightly chrome"]);
    }
    // Only as a word.
    let run = rundown::domain::NewRun::default().with(Title, "Hedged edges");
    let made = run.for_configuration("safari", "edge");
    assert_eq!(made.title(), "Hedged edges: safari");
    let made = made.for_configuration("edge", "safari");
    assert_eq!(made.title(), "Hedged edges: edge");
    let ends = run.clone().with(Title, "Knowledge");
    let made = ends.for_configuration("safari", "ledge");
    assert_eq!(made.title(), "Knowledge: safari");
    let run = run.with(Title, "edge 1.2, edge");
    let made = run.for_configuration("safari", "edge");
    assert_eq!(made.title(), "edge 1.2, safari", "the last one");
    let made = run.for_configuration("2", "1");
    assert_eq!(made.title(), "edge 1.2, edge: 2");
}

#[test]
fn a_matrix_is_one_run_for_each_configuration_and_goes_on_where_it_was_refused() {
    let (mut sample, id, plan) = two_sent();
    let made: Vec<_> = plan
        .runs
        .iter()
        .map(|run| (run.title(), run.text(Configuration)))
        .collect();
    assert_eq!(
        made,
        [
            ("Smoke nightly: qftest", "qftest"),
            ("Smoke nightly: chrome", "chrome")
        ]
    );
    let end = ends::made(document(8));
    sample.reply(id, Answer::Created(end));
    sample.reply(id, Answer::Created(not_made(Outcome::refused("refused"))));
    sample.effects();
    sample.act(Save);
    let (_, rest) = create(&mut sample).unwrap();
    assert_eq!(
        rest.runs.len(),
        1,
        "the first one is there and is not made again"
    );
    assert_eq!(rest.runs[0].text(Configuration), "chrome");
}

#[test]
fn a_new_run_of_several_configurations_can_be_one_for_each() {
    let mut sample = new_run(SIZE).pressed("Night\tchrome");
    sample.lacks("Matrix");
    sample.press(", safari");
    sample.says("Matrix           [ ] One run for each of: chrome, safari");
    while !sample.screen().contains("> Matrix") {
        sample.act(NextField);
    }
    sample.press(" ");
    sample.says("[x] One run for each of: chrome, safari");
    sample.lacks("Suites  ");
    sample.act(Save);
    sample.effects();
    let (_, _, plan) = sent_new(sample);
    let titles: Vec<_> = plan
        .runs
        .iter()
        .map(rundown::domain::NewRun::title)
        .collect();
    assert_eq!(titles, ["Night: chrome", "Night: safari"]);
}

#[test]
fn a_create_of_unknown_outcome_is_never_sent_again_by_itself() {
    let (mut sample, id, plan) = night_sent();
    assert_eq!((plan.runs.len(), plan.runs[0].text(Status)), (1, "active"));
    let end = lost("no answer", vec![row(9)]);
    sample.reply(id, Answer::Created(end));
    for action in [Save, Save] {
        sample.act(action);
    }
    assert!(create(&mut sample).is_none());
    // The person says that it is this one.
    sample.act(PreviousField);
    sample.act(Open);
    let asked = sample.effects();
    assert!(drops_the_draft(&asked), "{asked:?}");
    sample.at(Layer::Runs);
}

#[test]
fn a_draft_that_may_have_been_sent_is_named_so_in_the_list_and_in_a_form_of_the_same() {
    let mut sample = Sample::list(SIZE, 30);
    let draft = new_draft("k", "Night", "").with(|it| it.sent = Some(sent(&["Night"])));
    sample.event(Event::Drafts(vec![draft]));
    sample.act(Drafts);
    sample.says("PERHAPS SENT: new run");
    sample.press("\u{1b}n");
    sample.take_draft(None, None);
    let warns = "perhaps sent: look at that one first";
    sample.says(warns);
    sample.press("\u{1b}jje");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    sample.lacks(warns);
}

/// The draft of a new run that was sent and never answered, open in the form again.
fn sent_before(sample: &mut Sample) -> RequestId {
    let draft = new_draft("k", "Night", "").with(|it| it.sent = Some(sent(&["Night"])));
    sample.event(Event::Drafts(vec![draft.clone()]));
    sample.act(Drafts);
    sample.press("\n");
    sample.take_draft(Some(draft), None);
    looks_for(sample)
}

/// What is being looked for, if anything is: the request, the titles, since when.
fn look_for(sample: &mut Sample) -> Option<(RequestId, Vec<String>, i64)> {
    sample
        .effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Request(id, Request::LookFor { sent, .. }) => Some((id, sent.titles, sent.at)),
            _ => None,
        })
}

fn looks_for(sample: &mut Sample) -> RequestId {
    let (id, titles, since) = look_for(sample).unwrap();
    assert_eq!(
        (titles, since),
        (vec!["Night".to_owned()], NOW - 60_000),
        "by title and time as it was sent"
    );
    id
}

#[test]
fn what_was_sent_is_looked_for_again_before_it_can_be_sent_again() {
    let mut sample = Sample::list(SIZE, 30);
    let id = sent_before(&mut sample);
    search_ends(&mut sample, id, None, vec![row(9)]);
    sample.says("Looked for it: as the list shows");
    // The review looks once more, and nothing is sent meanwhile.
    sample.act(Save);
    let id = looks_for(&mut sample);
    sample.act(Save);
    assert!(
        create(&mut sample).is_none() && !sample.screen().contains("Send it again"),
        "{}",
        sample.screen()
    );
    search_ends(&mut sample, id, None, vec![row(9)]);
    sample.says("Send it again   [ Back ]");
    sample.act(Open);
    assert!(
        create(&mut sample).is_none(),
        "the safe button has the focus"
    );
    sample.at(Layer::Form);
}

#[test]
fn a_run_that_is_found_later_is_taken_and_nothing_is_sent() {
    let mut sample = Sample::list(SIZE, 30);
    sent_before(&mut sample);
    sample.act(Save);
    let id = looks_for(&mut sample);
    search_ends(&mut sample, id, None, vec![row(9)]);
    sample.act(NextField);
    sample.act(Open);
    let asked = sample.effects();
    assert!(drops_the_draft(&asked), "{asked:?}");
    assert!(
        !asked
            .iter()
            .any(|effect| matches!(effect, Effect::Request(_, Request::Create(_)))),
        "{asked:?}"
    );
    sample.says("is taken as the run that was sent");
}

#[test]
fn a_refused_second_attempt_leaves_the_first_one_unknown() {
    let mut sample = Sample::list(SIZE, 30);
    sent_before(&mut sample);
    sample.act(Save);
    let id = looks_for(&mut sample);
    search_ends(&mut sample, id, None, Vec::new());
    sample.effects();
    sample.act(PreviousField);
    sample.act(Open);
    let (id, _) = create(&mut sample).unwrap();
    sample.reply(id, Answer::Created(not_made(Outcome::refused("refused"))));
    let sent = sample.store.form().unwrap().sent.clone().unwrap();
    assert_eq!(
        (sent.at, sent.titles),
        (NOW - 60_000, vec!["Night".to_owned()])
    );
}

#[test]
fn a_text_from_the_editor_is_taken() {
    let mut sample = editing().pressed("\t\t");
    sample.effects();
    sample.act(FieldOutside);
    let effect = sample.effects().swap_remove(0);
    let Effect::Request(id, Request::EditText { text, .. }) = effect else {
        panic!("{effect:?}")
    };
    begins(&text, "Test the app");
    let file = PathBuf::from("edited.txt");
    let result = Ok(("one\ntwo\n".into(), file.clone()));
    sample.reply(id, Answer::Edited(result));
    let texts = sample.store.form().unwrap().texts();
    assert_eq!(texts[&Description], "one\ntwo");
    // The file goes with the draft that has its text, and not before.
    let files = |sample: &mut Sample| -> Vec<(String, Vec<PathBuf>)> {
        let kept = sample
            .effects()
            .into_iter()
            .filter_map(|effect| match effect {
                Effect::Draft(DraftRequest::Keep(draft, edited)) => {
                    Some((draft.texts[&Description].clone(), edited))
                }
                _ => None,
            });
        kept.collect()
    };
    let both = [("one\ntwo".to_owned(), vec![file.clone()])];
    assert_eq!(files(&mut sample), both);
    let kept_is = |sample: &mut Sample, result| {
        sample.event(Event::DraftKept {
            key: "k".into(),
            result,
        });
    };
    kept_is(&mut sample, Err(failure()));
    let mut sample = sample.pressed("!");
    timer(&mut sample);
    assert_eq!(files(&mut sample), [("one\ntwo!".to_owned(), vec![file])]);
    kept_is(&mut sample, Ok(i64::MAX));
    let mut sample = sample.pressed("!");
    timer(&mut sample);
    assert_eq!(files(&mut sample), [("one\ntwo!!".to_owned(), Vec::new())]);
}

#[test]
fn a_text_from_the_editor_is_taken_as_a_paste_is_and_can_be_undone() {
    let edited = |tabs: &str, field: RunField, text: &str| {
        let mut sample = editing().pressed(tabs);
        sample.effects();
        let before = sample.store.form().unwrap().texts()[&field].clone();
        sample.act(FieldOutside);
        let Effect::Request(id, _) = sample.effects().swap_remove(0) else {
            panic!("no editor")
        };
        let result = Ok((text.to_owned(), PathBuf::from("edited.txt")));
        sample.reply(id, Answer::Edited(result));
        let taken = sample.store.form().unwrap().texts()[&field].clone();
        sample.key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL));
        assert_eq!(
            sample.store.form().unwrap().texts()[&field].clone(),
            before,
            "undone"
        );
        taken
    };
    let described = |text: &str| edited("\t\t", Description, text);
    assert_eq!(described("\u{feff}one\r\ntwo\r\n"), "one\ntwo");
    assert_eq!(described("one\n\n"), "one\n");
    // A title has one line.
    let titled = |text: &str| edited("", Title, text);
    assert_eq!(titled("one\r\ntwo\n\n"), "one two");
}

#[test]
fn an_editor_that_does_not_wait_is_told() {
    for (after, more, told) in [(300, "", true), (3_000, "", false), (300, "more", false)] {
        let mut sample = editing().pressed("\t\t");
        sample.effects();
        sample.act(FieldOutside);
        let Effect::Request(id, Request::EditText { text, .. }) = sample.effects().swap_remove(0)
        else {
            panic!("no editor")
        };
        sample.now += after;
        sample.reply(id, Answer::Edited(Ok((text + more, "edited".into()))));
        let words = "the editor has ended with the text as it was";
        let said = sample.store.cx.notice.as_ref();
        assert_eq!(said.is_some_and(|it| it.text.starts_with(words)), told);
    }
}

#[test]
fn where_nothing_can_be_kept_the_editor_opens_all_the_same() {
    let opens = |effect: &Effect| matches!(effect, Effect::Request(_, Request::EditText { .. }));
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    sample.says("NOT SAVED");
    // A button has no text.
    let mut button = sample.clone();
    button.act(PreviousField);
    button.act(FieldOutside);
    assert!(!button.effects().iter().any(opens));
    sample.press("typed");
    sample.act(FieldOutside);
    assert!(sample.effects().iter().any(opens));
}

#[test]
fn enter_and_arrows_walk_through_the_form() {
    let mut sample = editing().pressed("\n");
    sample.says("> Configuration");
    // In a text of two lines they go through it first.
    for (key, field) in [
        (KeyCode::Up, "> Title"),
        (KeyCode::Down, "> Configuration"),
        (KeyCode::Down, "> Description"),
        (KeyCode::Up, "> Description"),
        (KeyCode::Down, "> Description"),
        (KeyCode::Down, "> Status"),
    ] {
        sample.act(Type(KeyEvent::from(key)));
        sample.says(field);
    }
}

#[test]
fn a_read_only_profile_opens_no_form() {
    let mut sample = Sample::read_only_list(SIZE, 30);
    sample.effects();
    for action in [New, Edit, Clone, Delete] {
        sample.act(action);
        assert!(
            sample.store.form().is_none() && sample.screen().contains("read-only"),
            "{}",
            sample.screen()
        );
    }
    let writes = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::TakeDraft { .. } | Request::Create(_))
        )
    };
    assert!(!sample.open.iter().any(writes));
    // A draft is read there, and has no question that could not be answered.
    let mut sample = editing().pressed(" mine");
    sample.store.cx.shared.session.as_mut().unwrap().read_only = true;
    sample.act(Save);
    sample.on(Layer::Form);
    sample.says("read-only: nothing is changed from here");
}

#[test]
fn a_write_under_way_is_said_to_be_by_ctrl_c_and_q() {
    let (mut sample, id, _) = saving("!");
    sample.act(Quit);
    let asked = sample.effects();
    assert!(!asked.contains(&Effect::Quit), "{asked:?}");
    sample.says("under way: wait for its answer");
    sample.act(Cancel);
    assert!(sample.effects().contains(&Effect::Cancel(id)));
    sample.says("what is under way is waited for");
    // Before the sign-in nothing was sent, and nothing goes out under another name.
    let (mut sample, id, _) = saving("!");
    sample.store.cx.shared.signed_in = false;
    sample.act(Quit);
    sample.says("under way: it waits for the sign-in, or Ctrl-c twice");
    sample.event(Event::SignedIn {
        user: "somebody.else".into(),
    });
    assert!(sample.effects().contains(&Effect::Cancel(id)));
    sample.store.cx.shared.signed_in = false;
    sample.act(Cancel);
    sample.says("no further request is sent; it waited for the sign-in");
}

#[test]
fn a_configuration_that_stands_twice_makes_one_run() {
    let mut sample = new_run(SIZE);
    sample.press("Night\tfirefox, chrome,, firefox ");
    assert_eq!(
        sample.store.form().unwrap().configurations(),
        ["firefox", "chrome"]
    );
}

#[test]
fn a_configuration_that_is_offered_is_taken_out_and_put_in() {
    let mut sample = editing();
    for (keys, left) in [(" \n", "qftest"), ("chrome \n", "qftest,chrome")] {
        sample.act(Offer);
        sample.press(keys);
        let texts = sample.store.form().unwrap().texts();
        assert_eq!(texts[&Configuration], left);
    }
}

#[test]
fn the_suites_of_a_clone_are_waited_for_and_then_the_persons_choice() {
    let mut sample = begun("C");
    sample.send_document(document(2));
    sample.press(&"\t".repeat(8));
    let id = sample.store.asked(&Slot::FormSuites);
    sample.says("Looking…");
    let words = "list 3 of 9".into();
    sample.reply(id, Answer::SurveyProgress(words));
    sample.says("Looking: list 3 of 9");
    let mut given_up = sample.clone();
    given_up.act(Cancel);
    assert_eq!(given_up.said(), "given up: Ctrl-c again quits");
    let mut failed = sample.clone();
    let result = Err(failure());
    failed.reply(id, Answer::Surveyed(result));
    failed.says("not known: no connection");
    failed.says("[!] 1 new");
    let result = Ok(complete(2));
    sample.reply(id, Answer::Surveyed(result));
    for (key, tick) in [("z", "x"), (" ", " "), ("z", " "), ("\n", " ")] {
        sample.press(key);
        sample.says(&format!("[{tick}] all 7"));
    }
    sample.says("[ Review, save… ]");
}

#[test]
fn of_a_long_description_the_rows_around_the_cursor_are_seen() {
    let mut sample = new_run(SIZE).pressed("\t\t");
    // One row of this screen.
    sample.press(&"word ".repeat(12));
    sample.act(Type(KeyEvent::from(KeyCode::Up)));
    sample.says("> Configuration");
    sample.press("\t");
    for row in 0..30 {
        sample.press(&format!("\nrow {row}."));
    }
    let seen = |sample: &Sample, row: &str| sample.screen().contains(row);
    let marked = |sample: &Sample| {
        let cells = sample.draw().0.content;
        let marked = cells.iter().filter(|cell| {
            let style = cell.modifier;
            style.contains(Modifier::REVERSED | Modifier::UNDERLINED)
        });
        marked.count()
    };
    assert!(seen(&sample, "row 29.") && !seen(&sample, "word"));
    assert_eq!(marked(&sample), 1);
    sample.act(PreviousField);
    assert!(!seen(&sample, "row 29.") && seen(&sample, "word"));
    assert_eq!(marked(&sample), 1);
}

#[test]
fn theirs_everywhere_leaves_a_button_that_ends_the_form_and_its_draft() {
    let mut sample = reviewing(" mine", with("Title", "theirs"));
    sample.press("2\n");
    sample.says("[ Back ]");
    go_to(&mut sample, "Close");
    sample.says("[ Close the form, discard its draft ]");
    sample.effects();
    sample.act(Open);
    let asked = sample.effects();
    assert!(drops_the_draft(&asked), "{asked:?}");
    assert!(
        !asked
            .iter()
            .any(|effect| matches!(effect, Effect::Request(_, Request::Modify(_)))),
        "{asked:?}"
    );
    assert!(sample.store.form().is_none() && sample.store.review().is_none());
    sample.at(Layer::Runs);
    let kept = "the service keeps what it has, and the draft lies in drafts/discarded";
    assert_eq!(sample.said(), format!("the form is closed; {kept}"));
}

#[test]
fn q_asks_while_drafts_are_kept_and_says_how_to_get_at_them() {
    let mut sample = Sample::list((80, 24), 30).pressed("q");
    assert_eq!(
        sample.effects(),
        [Effect::Quit],
        "without drafts it just quits"
    );
    sample.event(Event::Drafts(vec![new_draft("k", "Night", "")]));
    sample.press("q");
    assert_eq!(sample.effects(), []);
    let screen = sample.screen();
    says(&screen, "1 draft is kept and not sent");
    says(&screen, "Ctrl-g opens it");
    // A question that has gone from the screen is no question any more.
    sample.press("jq");
    assert_eq!(sample.effects().last(), None);
    sample.says("1 draft is kept and not sent");
    sample.press("q");
    assert_eq!(sample.effects().last(), Some(&Effect::Quit));
}

#[test]
fn what_goes_with_a_demo_is_said_of_a_draft_and_of_a_file() {
    let mut sample = Sample::new((120, 40));
    sample.connect(|session| session.is_demo = true);
    sample.let_in();
    let written = |result: &str| Event::Written {
        what: "the report of 1.2.1".into(),
        result: Ok(result.into()),
    };
    sample.store.cx.shared.temporary = Some("/tmp/rundown-demo-1".into());
    sample.event(written("/tmp/rundown-demo-1/exports/report.html"));
    sample.says("Wrote the report of 1.2.1, until the demo ends, to /tmp/rundown-demo-1/exports/report.html");
    sample.event(written("/home/qa/report.html"));
    sample.says("Wrote the report of 1.2.1 to /home/qa/report.html");
    sample.event(Event::Drafts(vec![new_draft("k", "Night", "")]));
    sample.press("q");
    sample.says("1 draft is not sent, and gone when the demo ends: q again quits");
}

#[test]
fn a_view_chosen_from_the_form_leaves_it_and_what_was_typed_is_kept() {
    let mut sample = Sample::list(SIZE, 30);
    let view = rundown::domain::View {
        name: "edge".into(),
        filter: Filter::by_id("R_1"),
        ..rundown::domain::View::default()
    };
    let mut session = session();
    session.watch.views.push(view);
    sample.event(Event::Connected(Box::new(session)));
    sample.let_in();
    sample.press("n");
    sample.take_draft(None, None);
    sample.press("Night");
    sample.effects();
    sample.act(Palette);
    sample.press("monitor edge\n");
    assert_eq!(sample.store.screen(), Layer::Monitor, "{}", sample.screen());
    assert!(sample.store.form().is_none());
    let asked = sample.effects();
    assert_eq!(kept(&asked).unwrap().texts[&Title], "Night");
}

#[test]
fn the_end_of_a_write_is_told_where_its_review_was_left_for_the_monitor() {
    let mut sample = Sample::new(SIZE);
    sample.store.start_on(Some("edge".into()));
    let mut session = session();
    session.project_version = Some("1.2.0".into());
    session
        .watch
        .views
        .push(rundown::domain::View::default().with(|it| it.name = "edge".into()));
    sample.event(Event::Connected(Box::new(session)));
    sample.press("n");
    sample.take_draft(None, None);
    sample.press("Night");
    sample.act(Save);
    sample.act(Save);
    let (id, _) = create(&mut sample).unwrap();
    sample.let_in();
    assert_eq!(sample.store.screen(), Layer::Monitor, "{}", sample.screen());
    let end = not_made(Outcome::not_sent(Why::SignedOut, "nobody was signed in"));
    sample.reply(id, Answer::Created(end));
    let told = sample.store.notice().unwrap().text.clone();
    begins(&told, "\"Night\" not created");
}

#[test]
fn what_became_of_several_new_runs_stays_until_the_person_leaves() {
    let sample = cloning((80, 24), MATRIX);
    let screen = sample.screen();
    says(&screen, "All of them:");
    says(&screen, "Version        1.2.0");
    let (mut sample, id, _) = sent_new(sample);
    for run in [8, 9] {
        let end = made(document(run));
        sample.reply(id, Answer::Created(end));
    }
    assert!(drops_the_draft(&sample.effects()));
    let screen = sample.screen();
    says(&screen, "2 runs created");
    says(&screen, "R_8 created");
    says(&screen, "R_9 created");
    for action in [Save, Open] {
        sample.act(action);
        assert!(create(&mut sample).is_none(), "nothing is made again");
    }
    sample.at(Layer::Runs);
}

#[test]
fn the_raw_request_is_shown_whole_at_any_width() {
    let mut sample = new_run((60, 40));
    let title = "A title  with two blanks and many words, so that no line of this small terminal can hold it at once";
    sample.press(title);
    sample.act(Save);
    sample.press("i");
    let screen = sample.screen();
    // Rows of 55 columns, one after the other: every blank is there, and nothing is left out.
    let rows = box_or_screen(&sample);
    let row = |row: &String| row.chars().skip(2).take(55).collect::<String>();
    let joined: String = rows.iter().map(row).collect();
    assert!(joined.contains(title), "{screen}");
    assert_eq!(rows[0].trim(), "{", "one request is no list: {screen}");
}

#[test]
fn what_is_told_can_be_read_whole_and_errors_can_be_opened_from_a_form() {
    let mut sample = new_run((80, 24));
    sample.event(Event::Trouble(failure()));
    let screen = sample.screen();
    says(&screen, "[!] 1 new: F2");
    says(&screen, "\nrefused. Check the network");
    let keymap = rundown::keymap::Keymap::built_in(rundown::app::PLACES).unwrap();
    let key = keymap.action(sample.store.layer(), KeyEvent::from(KeyCode::F(2)));
    sample.act(key);
    sample.says("Problems, newest first");
    sample.press("\u{1b}");
    sample.at(Layer::Form);
}

#[test]
fn a_read_only_profile_strikes_writing_commands_through_in_palette_and_help() {
    let mut sample = Sample::read_only_list((80, 24), 30);
    let struck = |sample: &Sample, words: &str| {
        let (buffer, _) = sample.draw();
        let rows = sample.screen();
        let row = rows.lines().count()
            - 1
            - rows
                .lines()
                .rev()
                .position(|line| line.contains(words))
                .unwrap();
        let line = rows.lines().nth(row).unwrap();
        let column = line[..line.find(words).unwrap()].chars().count();
        let crossed = Modifier::CROSSED_OUT;
        (
            buffer[(column as u16, row as u16)]
                .modifier
                .contains(crossed),
            line.contains("read-only"),
        )
    };
    for open in [":new run", "?new run"] {
        sample.press(open);
        assert_eq!(
            struck(&sample, "New run  "),
            (true, true),
            "{}",
            sample.screen()
        );
        sample.press("\u{1b}");
    }
    sample.press(":monitor");
    assert_eq!(
        struck(&sample, "Monitor these"),
        (false, false),
        "{}",
        sample.screen()
    );
}

#[test]
fn a_title_with_control_characters_looks_the_same_everywhere() {
    let mut sample = new_run(SIZE);
    sample.act(Paste("Odd\u{1b}[2J title".into()));
    sample.says("Odd␛[2J title");
    sample.act(Save);
    let screen = sample.screen();
    assert!(
        screen.matches("Odd␛[2J title").count() >= 3 && !screen.contains("\\u{1b}"),
        "{screen}"
    );
}

/// Cut, the last name of a list would be another one.
#[test]
fn a_paste_that_does_not_fit_is_not_taken_and_that_is_said() {
    for (key, long) in [(":", "add "), ("/", "id:R_1 or ")] {
        let mut sample = Sample::list(SIZE, 30).pressed(key);
        let names: Vec<String> = (100..220)
            .map(|number| format!("TestSuite-dm/20{number}"))
            .collect();
        let text = format!("{long}{}", names.join(" "));
        sample.act(Paste(text.as_str().into()));
        let words = format!(
            "2,{} characters: at most 2,000 fit here",
            text.len() - 2_000
        );
        assert_eq!(sample.said(), words);
        sample.lacks("TestSuite-dm/");
        // Nor the second half of it.
        let (half, rest) = text.split_at(1_500);
        sample.act(Paste(half.into()));
        sample.act(Paste(rest.into()));
        assert_eq!(sample.said(), words);
    }
    let mut asked = Sample::new(SIZE);
    asked.connect(|_| {});
    asked.sign_in_needed(SignInReason::Missing);
    let list = Sample::list(SIZE, 30);
    let mut deleting = list.clone().pressed("jjD");
    deleting.surveyed(complete(2));
    let refuses = |mut sample: Sample| {
        sample.act(Paste("x".repeat(2_001).as_str().into()));
        let words = "2,001 characters: at most 2,000 fit here";
        assert_eq!(sample.said(), words, "{}", sample.screen());
        // Nor a key, once it is full.
        sample.act(Paste("x".repeat(2_000).as_str().into()));
        sample.lacks(words);
        sample.press("y");
        assert_eq!(sample.said(), words, "{}", sample.screen());
    };
    refuses(list.pressed("d"));
    refuses(deleting);
    refuses(asked);
    let mut sample = editing();
    go_to(&mut sample, "Description");
    sample.act(Paste("x".repeat(300 * 1024).as_str().into()));
    assert_eq!(sample.said(), "not taken: at most 256 KiB fit here");
    sample.lacks("xxx");
    // A line end counts once, however it is written.
    sample.act(Paste("x\r\n".repeat(100 * 1024).as_str().into()));
    sample.says("row 102403 of 102403");
    sample.press("\t");
    sample.says("row 1 of 102403");
    // Nor a key, once it is full.
    go_to(&mut sample, "Description");
    let mut rest = String::new();
    for size in (0..17).rev() {
        let more = rest.clone() + &"x".repeat(1 << size);
        if sample.store.screens.form.fitting(&more) == more {
            rest = more;
        }
    }
    sample.act(Paste(rest.as_str().into()));
    let full = sample.store.form().unwrap().texts();
    // Nor several that come at once.
    assert_eq!(sample.store.screens.form.fitting("yy"), "");
    for key in [KeyCode::Char('y'), KeyCode::Enter] {
        sample.act(Move(Motion::Up));
        sample.act(Type(KeyEvent::from(key)));
        assert_eq!(
            sample.said(),
            "full: at most 256 KiB fit here, what comes beyond is not taken"
        );
    }
    assert_eq!(sample.store.form().unwrap().texts(), full);
    // One that only moves the cursor adds nothing.
    sample.act(Type(KeyEvent::new(KeyCode::Char('b'), KeyModifiers::ALT)));
    assert_eq!(sample.said(), "");
}

#[test]
fn of_a_long_text_the_part_around_the_cursor_is_seen() {
    const WIDE: &str = "日本語の題名";
    let long = |part: &str| format!("begins {} ends", part.repeat(400 / part.len()));
    for part in ["middle ", WIDE] {
        let mut sample = new_run(SIZE);
        sample.act(Paste(long(part).into()));
        let seen = sample.line("> Title *");
        let whole_end = format!("{part} ends");
        says(&seen, &whole_end);
        lacks(&seen, "begins");
        sample.act(Type(KeyEvent::from(KeyCode::Home)));
        let seen = sample.line("> Title *");
        says(&seen, "begins ");
        lacks(&seen, "ends");
        sample.act(Type(KeyEvent::from(KeyCode::End)));
        sample.press("\t");
        let seen = sample.line("Title *");
        says(&seen, "begins ");
        lacks(&seen, "ends");

        let mut sample = Sample::list(SIZE, 30).pressed(":");
        sample.act(Paste(long(part).into()));
        let seen = sample.line("│ > ");
        says(&seen, &whole_end);
        lacks(&seen, "begins");
        sample.act(Type(KeyEvent::from(KeyCode::Home)));
        let seen = sample.line("│ > ");
        says(&seen, "begins ");
        lacks(&seen, "ends");
    }
}

#[test]
fn where_nothing_is_typed_that_is_said() {
    let mut sample = new_run(SIZE).pressed("Night");
    go_to(&mut sample, "Status");
    sample.effects();
    let space = "nothing is typed here: Space changes it";
    let paste = Paste("wibble".into());
    for action in [
        Type(KeyEvent::from(KeyCode::Char('x'))),
        paste.clone(),
        FieldOutside,
    ] {
        sample.press(" ");
        sample.act(action);
        assert_eq!(sample.said(), space);
    }
    let edits = |effect: &Effect| matches!(effect, Effect::Request(_, Request::EditText { .. }));
    assert!(!sample.effects().iter().any(edits));
    go_to(&mut sample, "Review");
    sample.act(paste);
    let enter = "nothing is typed on a button: Enter presses it";
    assert_eq!(sample.said(), enter);
}

/// A service may have states of its own.
#[test]
fn a_state_that_is_neither_open_nor_closed_can_be_chosen_again() {
    let mut sample = begun("e");
    sample.send_document(with("Status", "paused"));
    go_to(&mut sample, "Status");
    let mut turned = |key: KeyCode, row: &str| {
        sample.act(Type(KeyEvent::from(key)));
        says(&sample.line("> Status"), row);
        sample.store.form().unwrap().changed()
    };
    let open = "(o) open  ( ) closed  ( ) \"paused\"   Space changes it";
    assert_eq!(turned(KeyCode::Char(' '), open), [Status]);
    assert_eq!(
        turned(KeyCode::Char(' '), "( ) open  (o) closed  ( ) \"paused\""),
        [Status]
    );
    assert_eq!(
        turned(KeyCode::Right, "( ) open  ( ) closed  (o) \"paused\""),
        []
    );
    turned(KeyCode::Left, "( ) open  (o) closed  ( ) \"paused\"");
    turned(KeyCode::Left, open);
}

#[test]
fn a_title_of_joiners_alone_is_none() {
    let mut sample = new_run(SIZE);
    sample.act(Paste("\u{200d}\u{200c}\u{fe0f}".into()));
    sample.act(Save);
    assert_ne!(sample.store.layer(), Layer::Review);
    sample.says("needed here: a run is found by its title");
}
