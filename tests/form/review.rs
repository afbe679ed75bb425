//! Walking through a review, and what can be chosen in it.

use crate::support::prelude::*;
use rundown::domain::query_language::Range;
use rundown::domain::{Create, Undo, UndoBy};
use rundown::store::InNoRunSuites;
use rundown::ui::theme::BuiltIn;

use super::ends::lost;
use super::{
    SIZE, box_or_screen, complete, create, editing, go_to, kept, modify, new_draft, new_run,
    night_sent, reviewing, saving, told, two_sent, under_cursor, with,
};
use Action::{
    Back, Edit, Move, NextField, Open, Palette, Paste, PreviousField, Redraw, Refresh, Save, SignIn,
};

/// An edit of the title, in review: this is what the service has by now.
fn reviewed(theirs: Document) -> Sample {
    reviewing(" mine", theirs)
}

/// A tab looks like a blank, and a blank behind an id like nothing.
#[test]
fn what_looks_like_blanks_is_told_or_left_out() {
    let mut sample = new_run(SIZE);
    sample.act(Paste("Smoke\tnight".into()));
    go_to(&mut sample, "Sub");
    sample.act(Paste(" ".into()));
    sample.act(Save);
    sample.lacks("not a sub project id");
    sample.says("Title has 1 character not to be seen, sent as typed: Smoke");
    // Of a long text the part with it.
    let mut sample = new_run(SIZE);
    sample.act(Paste(
        format!("{} here\u{200b}it is", "words ".repeat(20)).into(),
    ));
    sample.act(Save);
    sample.says("sent as typed: …");
    sample.says("here�it is");
}

#[test]
fn a_joiner_that_joins_nothing_is_told_and_one_in_a_letter_is_none() {
    for (title, told) in [
        (
            "ship 👨\u{200d}👩\u{200d}",
            Some("Title has 1 character not to be seen, sent as typed: ship 👨👩�"),
        ),
        (
            "می\u{200c} خواهم\u{200c}",
            Some("Title has 2 characters not to be seen"),
        ),
        ("ship 👨\u{200d}👩\u{200d}👧", None),
        ("می\u{200c}خواهم ❤\u{fe0f} 👍🏽", None),
    ] {
        let mut sample = new_run(SIZE);
        sample.act(Paste(title.into()));
        sample.act(Save);
        match told {
            Some(words) => sample.says(words),
            None => sample.lacks("not to be seen"),
        }
    }
}

/// Nobody sees blanks at an end.
#[test]
fn a_change_of_blanks_alone_is_said() {
    let sample = reviewing("  ", document(2));
    sample.says("→ the same words, other blanks or line ends");
}

#[test]
fn a_line_feed_has_one_sign_in_a_review() {
    let mut sample = super::begun("e");
    sample.send_document(with("Title", "a\r\nb"));
    sample.press(" mine");
    sample.act(Save);
    sample.send_document(with("Title", "a\r\nb"));
    sample.says("→ a␍⏎b mine");
    sample.says("Title has 2 characters not to be seen, sent as typed: a␍⏎b mine");
}

#[test]
fn who_saved_last_is_the_editor_that_is_told_everywhere() {
    let last_saved = |metadata: Value| {
        let mut raw = document(2).raw().clone();
        raw["document"]["Root"]["Metadata"] = metadata;
        reviewed(Document::from_value(raw).unwrap())
    };
    let edited = json!({"EditedBy": "mai", "DisplayEditedOn": "2026-11-18T18:02:00"});
    last_saved(edited).says("Last saved by mai, Wed 18 Nov 2026 18:02:00");
    last_saved(json!({})).says("Last saved by SYSTEM, Thu 19 Nov 2026 18:02:00");
}

#[test]
fn keys_from_before_the_question_send_nothing() {
    let mut sample = new_run(SIZE);
    sample.press("A run");
    sample.effects();
    // All of this waits before the next frame.
    let now = sample.now;
    for _ in 0..3 {
        let sent = sample.store.update(Message::Action(Save), now);
        assert!(
            !sent
                .iter()
                .any(|it| matches!(it, Effect::Request(_, Request::Create(_)))),
            "{sent:?}"
        );
    }
    sample.act(Redraw);
    sample.says("Create \"A run\"?");
    sample.act(Save);
    assert!(create(&mut sample).is_some());
}

#[test]
fn a_review_is_not_sent_while_another_change_is_under_way() {
    let mut sample = editing();
    sample.press(" mine");
    // From the screen of another run, over the form.
    sample.act(Palette);
    sample.press("R_3\n");
    sample.press("s:probe\n\t\n");
    let id = sample.store.asked(&Slot::Probe(row(3).doc_ref));
    sample.act(Back);
    sample.act(Back);
    sample.act(Save);
    sample.send_document(document(2));
    sample.act(Save);
    assert!(modify(&mut sample).is_none());
    sample.says("a change is under way");
    sample.reply(id, Answer::Surveyed(Err(failure())));
    sample.act(Save);
    assert!(modify(&mut sample).is_some());
}

#[test]
fn a_review_that_could_not_be_read_reads_again_and_sends_nothing_before() {
    let save = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
    let reads = [KeyCode::Char('r'), KeyCode::F(5), KeyCode::Enter].map(KeyEvent::from);
    for key in [&reads[..], &[save]].concat() {
        let mut sample = editing().pressed(" mine");
        sample.act(Save);
        sample.answered(&Slot::Reviewed, Answer::Document(Err(failure())));
        sample.effects();
        sample.says("r reads it again");
        sample.key(key);
        sample.send_document(document(2));
        sample.effects();
        sample.act(Save);
        assert!(modify(&mut sample).is_some(), "{}", sample.screen());
    }
}

#[test]
fn a_review_that_cannot_be_read_is_read_again_after_growing_pauses() {
    let mut sample = editing().pressed(" mine");
    sample.act(Save);
    let pauses = [1_000, 2_000, 5_000, 10_000].map(|pause| {
        sample.answered(&Slot::Reviewed, Answer::Document(Err(failure())));
        let due = sample.store.cx.in_flight.due(&Slot::RetryPause).unwrap();
        let after = due - sample.now;
        sample.now = due;
        sample.answered(&Slot::RetryPause, Answer::Timer);
        (pause, after)
    });
    assert!(
        pauses.iter().all(|(pause, after)| pause == after),
        "{pauses:?}"
    );
}

#[test]
fn a_save_of_unknown_end_can_be_looked_at_again_and_then_decided() {
    let mut sample = reviewed(document(2));
    sample.act(Save);
    let (id, _) = modify(&mut sample).unwrap();
    let end = Outcome::unknown("no answer").of(document(2).doc_ref());
    sample.reply(id, Answer::Modified(end));
    sample.effects();
    sample.says("r reads what");
    let save = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::CONTROL);
    sample.key(save);
    let asked = sample.effects();
    let read = asked
        .iter()
        .any(|effect| matches!(effect, Effect::Request(_, Request::GetDocument { .. })));
    let sent = asked
        .iter()
        .any(|effect| matches!(effect, Effect::Request(_, Request::Modify(_))));
    assert!(read && !sent, "it is read, and not sent unread: {asked:?}");
    // The doubt stays until something was read.
    let result = Err(failure());
    sample.answered(&Slot::Reviewed, Answer::Document(result));
    sample.says("R_2 may be changed");
    sample.effects();
    sample.key(KeyEvent::from(KeyCode::Char('r')));
    sample.send_document(document(2));
    sample.effects();
    let screen = sample.screen();
    says(&screen, "the end of the save before is not known");
    lacks(&screen, "nothing is sent yet");
    sample.key(save);
    assert!(modify(&mut sample).is_some(), "{}", sample.screen());
}

#[test]
fn a_save_that_is_not_sent_leaves_the_mark_of_one_before_it_whose_end_is_not_known() {
    let mut sample = reviewed(document(2));
    sample.act(Save);
    let (id, _) = modify(&mut sample).unwrap();
    sample.reply(id, Answer::Modified(Outcome::unknown("no answer")));
    let first = sample.store.form().unwrap().sent.clone();
    assert_eq!(first.as_ref().unwrap().words, "no answer");
    sample.act(Refresh);
    sample.send_document(document(2));
    sample.act(Save);
    let (id, _) = modify(&mut sample).unwrap();
    sample.reply(
        id,
        Answer::Modified(Outcome::not_sent(Why::Behind, "behind")),
    );
    assert_eq!(kept(&sample.effects()).unwrap().sent, first);
}

/// Where the cursor is after each of so many keys.
fn walk(sample: &mut Sample, key: &Action, keys: usize) -> Vec<String> {
    let step = |_| {
        sample.act(key.clone());
        under_cursor(sample)
    };
    (0..keys).map(step).collect()
}

#[test]
fn keys_lead_through_all_of_a_review_and_back_again() {
    let around = ["Save", "Back", "Title", "Configuration", "Description"];
    let keys = [
        (NextField, PreviousField),
        (Move(Motion::Down), Move(Motion::Up)),
    ];
    for (forward, backward) in keys {
        // What nobody has changed is not among it.
        let mut theirs = with("Description", "theirs").raw().clone();
        theirs["document"]["Root"]["General"]["Configuration"] = "theirs".into();
        let mut sample = reviewed(Document::from_value(theirs).unwrap());
        assert_eq!(under_cursor(&sample), around[0]);
        let on = [&around[1..], &around[..1]].concat();
        assert_eq!(walk(&mut sample, &forward, 5), on);
        let mut back = around.to_vec();
        back.reverse();
        assert_eq!(walk(&mut sample, &backward, 5), back);
    }
    // A conflict comes first.
    assert_eq!(under_cursor(&reviewed(with("Title", "theirs"))), "Title");
    // What cannot be sent has one button.
    let (mut sample, id, _) = night_sent();
    let end = lost("no answer", vec![row(8), row(9)]);
    sample.reply(id, Answer::Created(end));
    assert_eq!(under_cursor(&sample), "Back");
    // Runs of one title are told by their times.
    sample.says("R_9  yesterday 18:02  ");
    assert_eq!(
        walk(&mut sample, &PreviousField, 6),
        ["R_9", "R_8", "Back", "R_9", "R_8", "Back"]
    );
}

/// It may have been the last open run of its version with some suites.
#[test]
fn a_save_that_closes_a_run_leaves_no_number_of_suites_in_no_open_run() {
    for (field, keys, is_known) in [("Title", "!", true), ("Status", " ", false)] {
        let mut sample = editing();
        let suites = Arc::new([]);
        let (range, at) = (Range::counted(0, true), sample.now);
        let read = InNoRunSuites { suites, range, at };
        sample
            .store
            .cx
            .shared
            .in_no_run
            .insert("1.2.0".into(), read);
        go_to(&mut sample, field);
        sample.press(keys);
        sample.act(Save);
        sample.send_document(document(2));
        sample.act(Save);
        let (id, _) = modify(&mut sample).unwrap_or_else(|| panic!("{}", sample.screen()));
        sample.reply(id, Answer::Modified(Outcome::done("read")));
        let known = sample.store.cx.shared.in_no_run_today("1.2.0", sample.now);
        assert_eq!(known.is_some(), is_known, "{field}");
    }
}

#[test]
fn a_save_that_closes_the_run_says_what_that_means() {
    let mut sample = editing();
    go_to(&mut sample, "Status");
    sample.press(" ");
    sample.act(Save);
    sample.send_document(document(2));
    let asked = told(&sample);
    begins(
        &asked,
        "Status open → closed closed: its suites can no longer be changed Everything else",
    );
    // One that leaves it as it is does not.
    let asked = told(&reviewed(document(2)));
    begins(
        &asked,
        "Title Smoke nightly → Smoke nightly mine Everything else",
    );
}

#[test]
fn a_long_text_and_what_becomes_of_it_are_both_seen_whole_as_is_what_both_sides_wrote() {
    let long = with("Title", "word ".repeat(40).trim());
    let mut sample = super::begun("e");
    sample.send_document(long.clone());
    sample.press(" mine");
    sample.act(Save);
    sample.send_document(long);
    let asked = told(&sample);
    says(&asked, "word → word");
    says(&asked, "word mine Everything else");
    let asked = told(&reviewed(with("Title", "Smoke nightly mine")));
    let both = "Title Smoke nightly mine (on both sides) ";
    begins(&asked, both);
}

#[test]
fn what_is_changed_far_in_a_long_text_is_seen_and_what_is_left_out_is_said() {
    let word = "word ".repeat(120);
    let long = || with("Title", word.trim());
    let reviewed = |theirs: Document| {
        let mut sample = super::begun("e");
        sample.send_document(long());
        sample.press(" mine");
        sample.act(Save);
        sample.send_document(theirs);
        told(&sample)
    };
    let left_out = "…: i shows the request with the whole texts";
    let asked = reviewed(long());
    says(&asked, "Title … word word");
    says(&asked, "→ … word word");
    says(&asked, "word mine Everything else");
    says(&asked, left_out);
    let asked = reviewed(with("Title", &format!("{word}theirs")));
    says(&asked, "before … word");
    says(&asked, "word mine 2 theirs … word");
    says(&asked, "word theirs Everything else");
    says(&asked, left_out);
    // A new text goes on without a sign only where it is whole.
    let mut sample = new_run(SIZE);
    sample.press(word.trim());
    sample.act(Save);
    says(&told(&sample), "word…");
    says(&told(&sample), left_out);
}

#[test]
fn a_new_run_that_is_closed_says_so_and_another_status_is_shown_as_it_came() {
    let closed = "closed: no suites can be added to it";
    let create = |keys: &str| {
        let mut sample = new_run(SIZE);
        sample.press("Nightly");
        go_to(&mut sample, "Status");
        sample.press(keys);
        sample.act(Save);
        told(&sample)
    };
    says(&create(" "), closed);
    lacks(&create(""), "closed");
    // What the service calls otherwise is neither open nor closed.
    let asked = told(&reviewed(with("Status", "paused")));
    says(&asked, "open → paused (changed since, stays)");
    lacks(&asked, "closed");
}

#[test]
fn a_form_that_is_begun_from_a_review_has_none() {
    let mut sample = reviewed(document(2));
    sample.answered(&Slot::DraftPause, Answer::Timer);
    sample.event(super::kept_at_last("k"));
    sample.act(Palette);
    sample.press("R_3\ne");
    assert_eq!(sample.store.layer(), Layer::Form, "{}", sample.screen());
}

/// An edit of title and configuration, both of which somebody else has changed.
fn two_conflicts() -> Sample {
    let mut sample = editing();
    sample.press(" mine");
    go_to(&mut sample, "Configuration");
    sample.press(",edge");
    sample.act(Save);
    let mut raw = with("Title", "theirs").raw().clone();
    raw["document"]["Root"]["General"]["Configuration"] = "safari".into();
    sample.send_document(Document::from_value(raw).unwrap());
    sample
}

#[test]
fn who_decides_a_field_once_more_as_it_is_hears_so() {
    let mut sample = two_conflicts();
    sample.press("22");
    says(sample.said(), "Title: decided so already");
    sample.press("1");
    sample.lacks("decided so already");
}

#[test]
fn enter_in_a_review_goes_to_what_is_still_to_be_decided_and_never_leaves_it() {
    let mut sample = two_conflicts();
    says(&under_cursor(&sample), "Title");
    // Nor does the button, and the hint does not say that it would.
    let mut button = sample.clone();
    button.act(PreviousField);
    button.act(PreviousField);
    says(&under_cursor(&button), "Save");
    button.says("Enter next to decide");
    button.lacks("Enter save");
    button.press("\n");
    says(&under_cursor(&button), "Title");
    sample.press("\n");
    says(&under_cursor(&sample), "Configuration");
    sample.press("\n");
    says(&under_cursor(&sample), "Title");
    sample.says("Title was changed on both sides: 1 keeps mine, 2 takes theirs");
    // The habit of tabs: 1, then 2 mends it, and no letter gets into the form.
    sample.press("12\n");
    says(&under_cursor(&sample), "Configuration");
    sample.press("1\n");
    sample.on(Layer::Review);
    sample.press("\n");
    let (_, sent) = modify(&mut sample).unwrap();
    assert_eq!(sent.texts.len(), 1, "theirs stays: {:?}", sent.texts);
    assert_eq!(sent.texts[&RunField::Configuration], "qftest,chrome,edge");
}

#[test]
fn a_review_that_is_left_says_that_nothing_was_sent_where_nothing_was() {
    let mut sample = reviewed(document(2));
    sample.act(Back);
    sample.says("nothing was sent");
    // One whose end nobody knows does not.
    let (mut sample, id, _) = saving("!");
    let end = Outcome::unknown("no answer");
    sample.reply(id, Answer::Modified(end));
    sample.act(Back);
    sample.lacks("nothing was sent");
    // Nor does a later one of the same form.
    sample.act(Save);
    sample.send_document(document(2));
    sample.on(Layer::Review);
    sample.act(Back);
    sample.lacks("nothing was sent");
    let mut sample = new_run(SIZE).pressed("Night");
    sample.act(Save);
    sample.act(Back);
    sample.says("nothing was sent");
}

#[test]
fn a_form_that_is_gone_back_to_tells_what_the_review_has_found() {
    let mut sample = two_conflicts();
    sample.act(Back);
    sample.says("Changed on the service by mai since this form was opened: Title, Configuration");
    let mut sample = reviewed(document(2));
    sample.act(Back);
    sample.lacks("Changed on the service");
}

#[test]
fn one_and_two_decide_the_field_under_the_cursor_else_the_first_that_is_open() {
    let mut sample = two_conflicts();
    // From a button.
    sample.act(PreviousField);
    sample.press("1");
    says(&under_cursor(&sample), "Title");
    sample.press("2");
    assert!(under_cursor(&sample).contains("Title"), "it is mended");
    sample.act(PreviousField);
    sample.press("2");
    says(&under_cursor(&sample), "Configuration");
    // A reading moves the cursor off no field.
    let mut sample = two_conflicts();
    let mut theirs = with("Title", "theirs").raw().clone();
    theirs["document"]["Root"]["General"]["Configuration"] = "safari".into();
    sample.press("1");
    sample.act(Refresh);
    sample.send_document(Document::from_value(theirs).unwrap());
    says(&under_cursor(&sample), "Title");
    // It is seen, and all of the next one.
    let mut sample = two_conflicts();
    sample.resize((60, 12));
    sample.act(Move(Motion::PageDown));
    sample.press("1");
    sample.says("mine will be saved");
    for (key, stop) in [("j", "Configuration"), ("G", "Back"), ("g", "Title")] {
        sample.press(key);
        assert_eq!(under_cursor(&sample).split_whitespace().next(), Some(stop));
        assert_eq!(key == "j", sample.screen().contains("safari"));
    }
}

#[test]
fn what_was_decided_holds_when_the_form_was_looked_at_again_but_for_what_changed_since() {
    let theirs = |title: &str| {
        let mut theirs = with("Title", title).raw().clone();
        theirs["document"]["Root"]["General"]["Configuration"] = "safari".into();
        Document::from_value(theirs).unwrap()
    };
    for back in [Edit, Back] {
        let mut decided = two_conflicts();
        decided.press("1\n2");
        decided.act(back);
        // Left before the run was read, it holds as well.
        decided.act(Save);
        decided.act(Back);
        decided.act(Save);
        let mut sample = decided.clone();
        sample.send_document(theirs("theirs"));
        sample.press("\n");
        let (_, sent) = modify(&mut sample).unwrap();
        assert_eq!(sent.texts.len(), 1, "theirs stays: {:?}", sent.texts);
        assert!(sent.texts[&RunField::Title].ends_with(" mine"));
        // The service has another title meanwhile.
        decided.send_document(theirs("theirs again"));
        decided.press("\n");
        assert!(modify(&mut decided).is_none(), "it is to be decided");
        decided.says("Title was changed on both sides: 1 keeps mine, 2 takes theirs");
        // Another text of one's own, after both are decided once more.
        decided.press("1");
        decided.act(Back);
        decided.press("!");
        decided.act(Save);
        decided.send_document(theirs("theirs again"));
        says(&under_cursor(&decided), "Configuration");
    }
}

#[test]
fn without_a_sign_in_r_opens_its_box_over_a_review() {
    let mut sample = editing();
    sample.press("!");
    sample.act(Save);
    let refused = failure().with(|it| it.kind = FailureKind::SignIn);
    sample.answered(&Slot::Reviewed, Answer::Document(Err(refused)));
    sample.session_over();
    sample.act(SignIn);
    sample.act(Back);
    sample.on(Layer::Review);
    sample.says("Not signed in; r opens the box again");
    sample.press("r");
    sample.on(Layer::Login);
    // One that is under way goes on, and that is said.
    sample.press("geheim\n");
    sample.act(Back);
    sample.lacks("Not signed in");
    sample.says("the sign-in goes on without its box");
    // One that is configured is tried at once.
    let (failure, sent) = (failure(), false);
    sample.event(Event::SignInFailed { failure, sent });
    sample.effects();
    sample.press("r");
    sample.on(Layer::Review);
    assert!(sample.effects().contains(&Effect::SignInAsConfigured));
}

#[test]
fn keys_in_the_request_scroll_it_and_leave_the_question_behind_it_as_it_was() {
    let mut sample = reviewed(document(2));
    sample.press("i");
    let first = |sample: &Sample| box_or_screen(sample)[0].trim().to_owned();
    assert_eq!(first(&sample), "{");
    sample.act(Move(Motion::Down));
    begins(&first(&sample), "\"method\"");
    sample.act(Move(Motion::Up));
    assert_eq!(first(&sample), "{");
    sample.act(Move(Motion::Down));
    sample.act(NextField);
    sample.act(Back);
    assert_eq!(under_cursor(&sample), "Save");
}

/// The button that closes the form and discards its draft is not there, and Enter does no such thing.
fn keeps_the_form(sample: &mut Sample, when: &str) {
    let screen = sample.screen();
    assert!(!screen.contains("Nothing to save"), "{when}:\n{screen}");
    sample.effects();
    sample.act(Open);
    let asked = sample.effects();
    assert!(
        !asked
            .iter()
            .any(|effect| matches!(effect, Effect::Draft(DraftRequest::Discard { .. }))),
        "{when}: {asked:?}"
    );
}

#[test]
fn a_form_is_not_closed_as_settled_before_the_service_was_read() {
    let mut sample = editing().pressed(" mine");
    sample.act(Save);
    let id = sample.store.asked(&Slot::Reviewed);
    keeps_the_form(&mut sample, "while it is read");
    sample.reply(id, Answer::Document(Err(failure())));
    keeps_the_form(&mut sample, "when it could not be read");
}

#[test]
fn what_was_pressed_while_the_service_was_read_is_not_sent_and_that_stays_said() {
    let mut sample = editing().pressed(" mine");
    sample.act(Save);
    sample.draw();
    sample.act(Open);
    sample.send_document(document(2));
    let words = "nothing was sent: it was still being read; press again";
    assert_eq!(sample.said(), words);
    sample.act(Open);
    assert!(modify(&mut sample).is_some());
}

#[test]
fn a_form_is_not_closed_as_settled_while_what_the_service_has_is_read_again() {
    let mut sample = reviewed(with("Title", "theirs"));
    sample.press("2");
    sample.says("Nothing to save");
    sample.act(Refresh);
    sample.store.asked(&Slot::Reviewed);
    keeps_the_form(&mut sample, "while it is read again");
}

#[test]
fn a_form_that_was_sent_without_an_answer_is_not_closed_as_settled() {
    let mut sample = reviewed(with("Title", "theirs"));
    sample.press("1");
    sample.act(Save);
    let (id, _) = modify(&mut sample).unwrap();
    sample.press("2");
    keeps_the_form(&mut sample, "while it is sent");
    sample.reply(id, Answer::Modified(Outcome::unknown("no answer")));
    sample.press("2");
    keeps_the_form(&mut sample, "when its outcome is unknown");
}

#[test]
fn a_run_that_is_gone_for_document_and_list_twice_is_made_anew_and_its_draft_stays_until_then() {
    #[derive(Clone, Copy, PartialEq)]
    enum Read {
        Gone,
        There,
        Failed,
    }
    use Read::{Failed, Gone, There};
    let reads = |sample: &mut Sample, (document, list): (Read, Read)| {
        let result = match document {
            There => Ok(Box::new(super::sample::opened(2))),
            Failed => Err(failure()),
            Gone => Err(failure().with(|it| it.kind = FailureKind::NotFound)),
        };
        let id = sample.store.asked(&Slot::Reviewed);
        sample.reply(id, Answer::Document(result));
        if let Some((id, _)) = sample.store.waits(|slot| *slot == Slot::ReviewedInList) {
            let mut result = Err(failure());
            if list != Failed {
                let mut page = super::sample::page(Page::BY_ID, 3);
                page.rows.retain(|row| list == There && row.name() == "R_2");
                page.full_size = page.rows.len() as u64;
                result = Ok(page);
            }
            sample.runs(id, result);
        }
    };
    let gone = (Gone, Gone);
    for (readings, is_gone) in [
        (&[gone][..], false),
        (&[gone, gone], true),
        (&[gone, (Gone, There)], false),
        (&[gone, (Gone, Failed)], false),
        (&[gone, (Failed, Gone), gone], false),
        (&[gone, (There, Gone), gone], false),
        (&[(Gone, There), gone], false),
        (&[(Gone, There), gone, gone], true),
    ] {
        let mut sample = editing().pressed(" mine");
        sample.act(Save);
        for (nth, reading) in readings.iter().enumerate() {
            if nth > 0 {
                sample.press("r");
            }
            reads(&mut sample, *reading);
        }
        let offers = told(&sample).contains("[ Make a new run of it ]");
        assert_eq!(offers, is_gone, "{}", sample.screen());
        let asks = sample.screen().contains("Make a new run of R_2");
        assert_eq!(asks, is_gone, "{}", sample.screen());
        if readings == [gone] {
            sample.says("is not in the list either: r reads both once more");
        }
        let run = row(2).doc_ref;
        assert_eq!(sample.mirrored.shows(&run), !is_gone);
        if !is_gone {
            continue;
        }
        sample.says("R_2 Smoke nightly is gone");
        sample.lacks("what the service has now is not known");
        // No row leads to its draft.
        let mut left = sample.clone();
        left.act(Back);
        left.act(Back);
        left.event(super::kept_at_last("k"));
        assert_eq!(left.said(), "the draft is kept: Ctrl-g opens it again");
        sample.effects();
        sample.press("\n");
        sample.says("Create \"Smoke nightly mine\"?");
        let asked = sample.effects();
        sample.press("\n");
        let (id, plan) = create(&mut sample).unwrap();
        assert_eq!(plan.runs[0].title(), "Smoke nightly mine");
        assert!(!super::drops_the_draft(&asked), "{asked:?}");
        let end = super::ends::made(document(8));
        sample.reply(id, Answer::Created(end));
        assert!(super::drops_the_draft(&sample.effects()));
    }
}

/// The line of hints.
fn hints(sample: &Sample) -> String {
    let screen = sample.screen();
    screen.lines().last().unwrap().to_owned()
}

#[test]
fn the_line_of_hints_names_only_what_does_something() {
    let conflict = hints(&reviewed(with("Title", "theirs")));
    says(&conflict, "1 mine");
    says(&conflict, "2 theirs");
    let plain = hints(&reviewed(document(2)));
    lacks(&plain, "mine");
    says(&plain, "e edit");
    let (_, _, plan) = two_sent();
    let rebuild = hints(&undoing(UndoBy::Rebuild(plan)));
    for dead in ["1 mine", "2 theirs", "e edit", "read again"] {
        lacks(&rebuild, dead);
    }
    says(&rebuild, "the request");
}

#[test]
fn the_request_of_a_run_made_again_has_its_suites() {
    let (_, _, plan) = two_sent();
    let suite = DocRef::parse("TestSuite-dm/00000000-0000-4000-8000-000000000009").unwrap();
    let plan = Create {
        runs: plan.runs[..1].to_vec(),
        suites: vec![(suite.clone(), "S_9".into())],
        ..plan
    };
    let mut sample = undoing(UndoBy::Rebuild(plan));
    sample.press("iG");
    let request = sample.screen();
    says(&request, "ADD_TEST_SUITES_TO_RUN");
    says(&request, suite.as_str());
}

#[test]
fn the_question_about_a_probe_run_shows_its_request_as_it_is_sent() {
    let mut sample = Sample::list((100, 60), 30);
    sample.press("s:probe\ni");
    let request = sample.screen();
    for member in [
        "\"params\": {",
        "\"documentModelName\": \"TestRun-dm\"",
        "\"locale\": \"en\"",
    ] {
        says(&request, member);
    }
    lacks(&request, "jsonrpc");
}

#[test]
fn the_line_of_hints_says_where_esc_leads() {
    let mut sample = reviewed(document(2));
    says(&hints(&sample), "Esc back  ");
    sample.press("i");
    let request = hints(&sample);
    says(&request, "Esc back to the question");
    lacks(&request, "press it");
    // What is pressed is on the screen.
    for action in [Open, Save] {
        sample.act(action);
        assert!(modify(&mut sample).is_none());
    }
    // Behind an undo there is no form.
    let (_, _, plan) = two_sent();
    let mut sample = undoing(UndoBy::Rebuild(plan));
    let undo = hints(&sample);
    says(&undo, "Esc back");
    lacks(&undo, "form");
    sample.press("i");
    let request = hints(&sample);
    says(&request, "Esc back to the question");
    // A question of another kind.
    let mut sample = Sample::list(SIZE, 30);
    sample.press("s:probe\n");
    assert!(hints(&sample).contains("Esc cancel"), "{}", sample.screen());
    sample.press("i");
    let request = hints(&sample);
    says(&request, "Esc back to the question");
    lacks(&request, "cancel");
}

/// `u`, and the plan has come.
fn undo(sample: &mut Sample, by: UndoBy) {
    sample.press("u");
    let asked = sample
        .effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Request(id, Request::PlanUndo(_)) => Some(id),
            _ => None,
        });
    let undo = Undo {
        write: "w1".into(),
        what: "MODIFY_DOCUMENT of 09:40".into(),
        by,
        warnings: Vec::new(),
    };
    sample.reply(asked.unwrap(), Answer::UndoPlanned(Ok(Box::new(undo))));
}

/// The same on `R_2`.
fn undoing(by: UndoBy) -> Sample {
    let mut sample = Sample::list(SIZE, 30).pressed("jj");
    undo(&mut sample, by);
    sample
}

fn old_title_back(before: &str) -> Sample {
    let mut sample = undoing(UndoBy::Modify {
        before: [(RunField::Title, before.to_owned())].into(),
        values: rundown::domain::RunValues::new(),
        after: [(RunField::Title, "Smoke nightly mine".to_owned())].into(),
        now: Box::new(document(2)),
    });
    sample.send_document(document(2));
    sample
}

/// Its reading would be given up, and it would wait for it for ever.
#[test]
fn a_form_that_comes_back_waits_until_the_review_of_an_undo_is_left() {
    let mut sample = editing().pressed(" abc");
    sample.act(Back);
    let before = [(RunField::Title, "Smoke".to_owned())].into();
    undo(
        &mut sample,
        UndoBy::Modify {
            before,
            values: rundown::domain::RunValues::new(),
            after: [(RunField::Title, "Smoke nightly".to_owned())].into(),
            now: Box::new(document(2)),
        },
    );
    sample.event(super::full("k"));
    sample.on(Layer::Review);
    sample.send_document(document(2));
    sample.lacks("Reading what the service has");
    sample.act(Back);
    sample.says("could not be kept: it is here again");
    sample.says("Smoke nightly abc");
}

#[test]
fn an_undo_that_has_nothing_left_to_do_closes_no_form() {
    let mut sample = old_title_back("Smoke nightly");
    keeps_the_form(&mut sample, "an undo");
    sample.says("the service has it all");
}

#[test]
fn an_undo_calls_neither_value_theirs_as_both_may_be_the_users_own() {
    let mut sample = old_title_back("Smoke");
    sample.says("R_3   UAT wave 1");
    sample.says("changed since: 1 the old value, 2 what it is now");
    says(&hints(&sample), "1 old  2 now");
    sample.act(Save);
    sample.says("Title was changed since: 1 takes the old value, 2 keeps what it is now");
    for key in ["", "2", "1"] {
        sample.press(key);
        lacks(&sample.screen(), "theirs");
    }
}

#[test]
fn what_is_not_saved_has_not_the_colour_of_what_is() {
    let dark = rundown::ui::Theme::from(BuiltIn::Dark);
    for (key, words, style) in [
        ("1", "mine will be saved", dark.good()),
        ("2", "theirs stays", dark.warn()),
    ] {
        let sample = reviewed(with("Title", "theirs")).pressed(key);
        let (buffer, _) = sample.draw_in(BuiltIn::Dark);
        let cells: Vec<_> = buffer.content.iter().collect();
        let words: Vec<String> = words.chars().map(String::from).collect();
        let mut places = cells.windows(words.len());
        let found = places.find(|cells| cells.iter().map(|cell| cell.symbol()).eq(&words));
        assert_eq!(Some(found.unwrap()[0].fg), style.fg);
    }
}

#[test]
fn an_undo_without_an_answer_is_in_doubt_until_its_values_are_there() {
    let mut sample = old_title_back("Smoke").pressed("1");
    sample.act(Save);
    let (id, _) = modify(&mut sample).unwrap();
    let end = Outcome::unknown("no answer");
    sample.reply(id, Answer::Modified(end));
    // There is neither a form nor a draft.
    assert_eq!(sample.said(), "R_2 may be changed. My changes show it");
    for (now, doubt) in [(document(2), true), (with("Title", "Smoke"), false)] {
        sample.act(Refresh);
        sample.send_document(now);
        let seen = sample.screen();
        let words = "the end of the save before is not known";
        assert_eq!(seen.contains(words), doubt, "{seen}");
    }
}

/// An undo is reviewed on the screen of another run, with the form of `R_2` open beneath it.
fn undo_over(sample: &mut Sample, by: UndoBy) {
    sample.effects();
    sample.act(Palette);
    sample.press("R_3\n");
    sample.at(Layer::Detail);
    undo(sample, by);
}

/// That of the title of `R_2` is sent.
fn undo_sent_over(sample: &mut Sample) -> RequestId {
    let by = UndoBy::Modify {
        before: [(RunField::Title, "Smoke".to_owned())].into(),
        values: rundown::domain::RunValues::new(),
        after: [(RunField::Title, "Smoke nightly".to_owned())].into(),
        now: Box::new(document(2)),
    };
    undo_over(sample, by);
    sample.send_document(document(2));
    sample.effects();
    // There is nothing to go back to.
    sample.act(Edit);
    let told = &sample.store.notice().unwrap().text;
    begins(told, "there is no form behind this review");
    sample.act(Save);
    modify(sample).unwrap().0
}

#[test]
fn an_undo_sent_over_an_open_form_changes_nothing_of_the_form() {
    let of_form = |sample: &Sample| sample.store.form().unwrap().sent.clone();
    // The form was not sent, and the end of the undo is not known.
    let mut sample = editing().pressed(" mine");
    let id = undo_sent_over(&mut sample);
    let end = Outcome::unknown("no answer");
    sample.reply(id, Answer::Modified(end));
    assert_eq!(of_form(&sample), None);
    // The form was sent without an answer, and the undo is refused.
    let mut sample = Sample::list(SIZE, 30).pressed("jje");
    let sent = super::sent(&[]);
    let draft = Draft {
        form: FormFor::Edit(document(2).doc_ref().clone()),
        base: Some(document(2)),
        sent: Some(sent.clone()),
        ..new_draft("k", "Smoke nightly mine", "")
    };
    sample.take_draft(Some(draft), None);
    sample.send_document(document(2));
    let id = undo_sent_over(&mut sample);
    let looks = |slot: &Slot| *slot == Slot::FormSent;
    assert!(
        sample.store.waits(looks).is_some(),
        "it is still looked for"
    );
    let end = Outcome::refused("no");
    sample.reply(id, Answer::Modified(end));
    assert_eq!(of_form(&sample), Some(sent));
}

/// They are of the form beneath it.
#[test]
fn the_suites_of_a_clone_change_no_review_of_an_undo() {
    let mut sample = Sample::list(SIZE, 30).pressed("jjC");
    sample.take_draft(None, None);
    sample.send_document(document(2));
    let suites = sample.store.asked(&Slot::FormSuites);
    let (.., mut again) = night_sent();
    again.undo_of = Some("w1".into());
    undo_over(&mut sample, UndoBy::Rebuild(again));
    sample.says("Make the deleted run \"Night\" again?");
    let result = Ok(complete(2));
    sample.reply(suites, Answer::Surveyed(result));
    sample.says("Make the deleted run \"Night\" again?");
    sample.act(Save);
    let (_, plan) = create(&mut sample).unwrap();
    assert_eq!(plan.suites, []);
}

/// The form beneath an undo that has ended is as it was, and the end is told.
fn form_stays(sample: &mut Sample, words: &str) {
    assert_eq!(sample.store.notice().unwrap().text, words);
    let asked = sample.effects();
    let lets_go = |it: &Effect| {
        use DraftRequest::{Discard, Leave};
        matches!(it, Effect::Draft(Discard { .. } | Leave { .. }))
    };
    assert!(!asked.iter().any(lets_go), "{asked:?}");
    assert!(kept(&asked).is_none_or(|draft| draft.sent.is_none()));
    assert!(sample.store.review().is_none());
    let texts = sample.store.form().unwrap().texts();
    assert_eq!(texts[&RunField::Title], "Smoke nightly mine");
}

#[test]
fn a_form_stays_when_an_undo_that_was_sent_over_it_ends_well() {
    let form = editing().pressed(" mine");
    let mut sample = form.clone();
    let id = undo_sent_over(&mut sample);
    let end = Outcome::done("read again").with_document(document(2));
    sample.reply(id, Answer::Modified(end));
    form_stays(&mut sample, "The change of R_2 is undone");
    sample.at(Layer::Form);
    // A deleted run is made again, or was already.
    let (_, _, mut plan) = two_sent();
    plan.runs.truncate(1);
    for is_found in [false, true] {
        let mut sample = form.clone();
        undo_over(&mut sample, UndoBy::Rebuild(plan.clone()));
        sample.act(Save);
        let (id, _) = create(&mut sample).unwrap();
        let end = if is_found {
            lost("no answer", vec![row(8)])
        } else {
            super::ends::made(document(8))
        };
        sample.reply(id, Answer::Created(end));
        if is_found {
            go_to(&mut sample, "R_8");
            sample.act(Open);
            let words =
                "R_8 is taken as the run that was sent; its suites were not added by this program.";
            form_stays(&mut sample, words);
            // Without a form there is a key that shows it.
            let mut alone = undoing(UndoBy::Rebuild(plan.clone()));
            alone.act(Save);
            let (id, _) = create(&mut alone).unwrap();
            alone.reply(id, Answer::Created(lost("no answer", vec![row(8)])));
            go_to(&mut alone, "R_8");
            alone.act(Open);
            alone.says(&format!("{words} @ shows what is left of it."));
        } else {
            form_stays(&mut sample, "R_8 created");
            sample.at(Layer::Detail);
            sample.act(Back);
        }
        sample.at(Layer::Form);
    }
}

#[test]
fn the_first_line_says_whether_a_review_takes_something_back() {
    let path = |sample: &Sample| sample.screen().lines().next().unwrap().to_owned();
    // Both runs are made: their form is closed, what came of them stays.
    let (mut made, id, plan) = two_sent();
    for run in [8, 9] {
        let end = super::ends::made(document(run));
        made.reply(id, Answer::Created(end));
    }
    for (path, words) in [
        (
            path(&reviewed(document(2))),
            "P_9/SP_1 › R_2 Smoke nightly › edit › review",
        ),
        (path(&made), "P_9/SP_1 › new runs › review"),
        (path(&old_title_back("Smoke")), "P_9/SP_1 › undo › review"),
        (
            path(&undoing(UndoBy::Rebuild(plan))),
            "P_9/SP_1 › undo › review",
        ),
    ] {
        says(&path, words);
    }
}
