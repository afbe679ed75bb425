//! Several new runs in one form, and forms that were sent without an answer: what counts as made, what is looked for,
//! taken and left out.

use crate::support::prelude::*;
use rundown::domain::{Created, Lookup, NewRun, texts_of};

use super::ends::{lost, not_made};
use super::{
    SIZE, create, drops_the_draft, go_to, kept, look_for, new_draft, saving, search_ends, sent,
    told, two_sent, under_cursor,
};
use Action::{Back, Drafts, Edit, Move, Open, Refresh, Save};

const QFTEST: &str = "Smoke nightly: qftest";
const CHROME: &str = "Smoke nightly: chrome";

fn titled(number: u64, title: &str) -> RunRow {
    row(number).with(|it| it.title = Some(title.into()))
}

fn made(number: u64) -> Box<Created> {
    super::ends::made(document(number))
}

fn unknown(found: Vec<RunRow>) -> Box<Created> {
    lost("no answer", found)
}

#[test]
fn of_two_new_runs_the_second_without_an_answer_keeps_form_and_draft_and_shows_what_may_be_it() {
    let (mut sample, id, _) = two_sent();
    let ends = [made(8), unknown(vec![titled(9, CHROME)])];
    for end in ends {
        sample.reply(id, Answer::Created(end));
    }
    let asked = sample.effects();
    assert!(!drops_the_draft(&asked), "{asked:?}");
    assert!(kept(&asked).unwrap().sent.is_some(), "{asked:?}");
    let screen = sample.screen();
    says(&screen, "Created 1 of 2 runs");
    lacks(&screen, "2 runs created");
    for words in [
        "R_8 created",
        "may exist: no answer; 1 may be it",
        "  R_9  yesterday 18:02  Smoke nightly: chrome",
    ] {
        assert!(screen.contains(words), "{words:?}:\n{screen}");
    }
    sample.act(Save);
    assert!(create(&mut sample).is_none(), "nothing is sent again");
    // Which of the two it is, the person says where both can be left out.
    go_to(&mut sample, "R_9");
    sample.act(Open);
    let screen = sample.screen();
    says(&screen, "; Esc leads back to the form");
    says(&screen, &format!("1. \"{QFTEST}\": R_8 created"));
    says(&screen, &format!("2. \"{CHROME}\": The run"));
    says(&screen, "> R_9  yesterday 18:02  Smoke nightly: chrome");
    assert!(!drops_the_draft(&sample.effects()));
}

#[test]
fn of_two_new_runs_the_second_refused_the_first_is_looked_for_before_more_is_sent_from_the_form() {
    let (mut sample, id, _) = two_sent();
    let refused = not_made(Outcome::refused("refused"));
    for end in [made(8), refused] {
        sample.reply(id, Answer::Created(end));
    }
    let words = "1 of 2 runs created; \"Smoke nightly: chrome\" not created. The draft is kept";
    assert_eq!(sample.said(), words);
    sample.says("Create 1 of 2 runs?");
    let asked = sample.effects();
    let sent = kept(&asked).unwrap().sent.clone();
    assert_eq!(sent.unwrap().titles, [QFTEST, CHROME]);
    sample.act(Edit);
    let form = told(&sample);
    says(&form, "Some of the runs may exist");
    says(
        &form,
        "1 of 2 runs created; \"Smoke nightly: chrome\" not created",
    );
    lacks(&form, "No answer");
    sample.act(Save);
    let (id, ..) = look_for(&mut sample).unwrap();
    sample.act(Save);
    assert!(create(&mut sample).is_none(), "{}", sample.screen());
    search_ends(&mut sample, id, Some(End::Done), vec![titled(8, QFTEST)]);
    assert_eq!(under_cursor(&sample), "Back");
    take(&mut sample, "R_8");
    go_to(&mut sample, "Send");
    sample.act(Open);
    let (id, plan) = create(&mut sample).unwrap();
    let titles: Vec<_> = plan.runs.iter().map(NewRun::title).collect();
    assert_eq!(titles, [CHROME]);
    // It is refused once more: the draft says so, and not that the program ended.
    sample.effects();
    let refused = not_made(Outcome::refused("refused"));
    sample.reply(id, Answer::Created(refused));
    // The next review looks for it again, this one shows what came of it.
    sample.lacks("r read again");
    let words = "later sent again: \"Smoke nightly: chrome\" not created";
    let sent = kept(&sample.effects()).unwrap().sent.clone();
    assert_eq!(sent.unwrap().words, words);
    sample.act(Edit);
    let form = told(&sample);
    says(&form, "Some of the runs may exist");
    says(&form, words);
    lacks(&form, "the program ended");
}

#[test]
fn what_came_of_new_runs_is_shown_from_the_top() {
    let (mut sample, id, _) = two_sent();
    sample.resize((80, 14));
    for _ in 0..3 {
        sample.act(Move(Motion::PageDown));
    }
    let first = format!("1. \"{QFTEST}\"");
    sample.lacks(&first);
    for end in [made(8), not_made(Outcome::refused("refused"))] {
        sample.reply(id, Answer::Created(end));
    }
    sample.says(&first);
}

/// Two runs were sent without an answer, and the review of them is open again: these runs may be them.
fn looked_for(runs: Vec<RunRow>) -> Sample {
    let (mut sample, id, _) = two_sent();
    sample.reply(id, Answer::Created(unknown(Vec::new())));
    sample.act(Back);
    sample.effects();
    sample.act(Save);
    let (id, titles, since) = look_for(&mut sample).unwrap();
    assert_eq!(titles, [QFTEST, CHROME]);
    assert!((NOW..sample.now).contains(&since));
    search_ends(&mut sample, id, None, runs);
    sample
}

fn take(sample: &mut Sample, run: &str) -> String {
    go_to(sample, run);
    sample.act(Open);
    sample.screen()
}

#[test]
fn a_second_search_that_finds_more_is_shown() {
    let mut sample = looked_for(Vec::new());
    assert!(!sample.screen().contains("R_10 "));
    sample.act(Refresh);
    let (id, ..) = look_for(&mut sample).unwrap();
    search_ends(&mut sample, id, None, vec![titled(10, CHROME)]);
    says(&sample.screen(), "  R_10 ");
}

#[test]
fn each_run_that_was_found_stands_for_one_title_and_only_the_rest_is_made() {
    let with_blanks = format!(" {CHROME} ");
    let two_of_chrome = || {
        let runs = vec![
            titled(10, &with_blanks),
            titled(11, QFTEST),
            titled(12, CHROME),
        ];
        let mut sample = looked_for(runs);
        let screen = take(&mut sample, "R_10");
        says(
            &screen,
            &format!("R_10 is taken as \"{CHROME}\", which is not made again"),
        );
        says(&screen, &format!("Create \"{QFTEST}\"?"));
        assert!(
            !screen.contains("  R_10 "),
            "it is taken, and not offered for another title:\n{screen}"
        );
        let screen = take(&mut sample, "R_12");
        says(
            &screen,
            &format!("none of the runs to be made is called \"{CHROME}\""),
        );
        says(&screen, "  R_12 ");
        says(&screen, &format!("The run \"{QFTEST}\" may exist"));
        assert!(!drops_the_draft(&sample.effects()));
        sample
    };
    // The other one is not there: it alone is made.
    let mut sample = two_of_chrome();
    go_to(&mut sample, "Send");
    sample.act(Open);
    let (_, plan) = create(&mut sample).unwrap();
    let titles: Vec<_> = plan.runs.iter().map(NewRun::title).collect();
    assert_eq!(titles, [QFTEST]);
    // Or it is there, too: nothing is left to make.
    let mut sample = two_of_chrome();
    let screen = take(&mut sample, "R_11");
    says(&screen, "R_11 is taken as the run that was sent");
    let asked = sample.effects();
    assert!(
        drops_the_draft(&asked)
            && !asked
                .iter()
                .any(|effect| matches!(effect, Effect::Request(_, Request::Create(_)))),
        "{asked:?}"
    );
}

#[test]
fn what_was_made_for_sure_is_left_out_and_the_rest_is_made() {
    let mut sample = looked_for(Vec::new());
    let made = titled(10, QFTEST);
    let looked = Lookup {
        end: Some(End::Done),
        found: vec![made.clone(), titled(11, QFTEST)],
        made: vec![(made.doc_ref, QFTEST.into())],
        words: "R_10 created".into(),
        ..Lookup::default()
    };
    // One that was deleted since is made again.
    let gone = looked.clone().with(|it| it.found = Vec::new());
    sample.act(Refresh);
    let (id, ..) = look_for(&mut sample).unwrap();
    sample.reply(id, Answer::LookedUp(Ok(gone)));
    sample.says("Create 2 runs?");
    for _ in 0..2 {
        sample.act(Refresh);
        let (id, ..) = look_for(&mut sample).unwrap();
        sample.reply(id, Answer::LookedUp(Ok(looked.clone())));
        let screen = sample.screen();
        says(&screen, &format!("Create \"{CHROME}\"?"));
        says(&screen, "Sent before: R_10 created");
        lacks(&screen, "  R_10 ");
        says(&screen, "  R_11 ");
    }
    // Above the buttons stand the runs that were found.
    assert_eq!(under_cursor(&sample), "Back");
    sample.act(Move(Motion::Up));
    begins(&under_cursor(&sample), "R_11");
    go_to(&mut sample, "Send");
    sample.act(Open);
    let (_, plan) = create(&mut sample).unwrap();
    let titles: Vec<_> = plan.runs.iter().map(NewRun::title).collect();
    assert_eq!(titles, [CHROME]);
}

#[test]
fn what_was_surely_not_made_is_not_called_sent() {
    let mut sample = looked_for(Vec::new());
    let made = titled(10, QFTEST);
    let looked = Lookup {
        not_made: vec![CHROME.into()],
        words: "no new run has one of these titles".into(),
        ..Lookup::default()
    };
    sample.act(Refresh);
    let (id, ..) = look_for(&mut sample).unwrap();
    sample.reply(id, Answer::LookedUp(Ok(looked.clone())));
    let screen = sample.screen();
    says(&screen, &format!("\"{QFTEST}\": it may exist"));
    says(&screen, &format!("\"{CHROME}\": not made so far"));
    assert_eq!(under_cursor(&sample), "Back");
    // The one that was sent is there, and nothing is left in doubt.
    sample.act(Refresh);
    let (id, ..) = look_for(&mut sample).unwrap();
    let found = Lookup {
        found: vec![made.clone()],
        made: vec![(made.doc_ref, QFTEST.into())],
        ..looked
    };
    for end in [None, Some(End::Done)] {
        let mut sample = sample.clone();
        let found = Lookup {
            end,
            ..found.clone()
        };
        sample.reply(id, Answer::LookedUp(Ok(found)));
        assert_eq!(under_cursor(&sample), "Create");
        sample.act(Open);
        let (id, plan) = create(&mut sample).unwrap();
        let titles: Vec<_> = plan.runs.iter().map(NewRun::title).collect();
        assert_eq!(titles, [CHROME]);
        // Refused: what was made before is looked for again, and not made twice.
        sample.effects();
        sample.reply(id, Answer::Created(not_made(Outcome::refused("refused"))));
        sample.act(Back);
        sample.effects();
        sample.act(Save);
        let (_, titles, _) = look_for(&mut sample).unwrap();
        assert_eq!(titles, [QFTEST, CHROME]);
    }
}

/// The draft of a new run that was sent and never answered.
fn sent_draft(titles: &[&str]) -> Draft {
    new_draft("k", "Night", "").with(|it| it.sent = Some(sent(titles)))
}

/// Opens a draft; the disk has not answered yet.
pub fn open_draft(draft: &Draft) -> Sample {
    let mut sample = Sample::list(SIZE, 30);
    sample.event(Event::Drafts(vec![draft.clone()]));
    sample.act(Drafts);
    sample.press("\n");
    sample
}

#[test]
fn a_draft_of_which_nothing_was_sent_is_not_called_sent_any_more() {
    let draft = sent_draft(&["Night"]);
    let mut sample = open_draft(&draft);
    sample.take_draft(Some(draft), None);
    let (id, ..) = look_for(&mut sample).unwrap();
    sample.effects();
    let end = Some(End::NotSent(Why::Stopped));
    search_ends(&mut sample, id, end, Vec::new());
    assert_eq!(sample.said(), "as the list shows");
    sample.lacks("Sent 09:40");
    assert_eq!(kept(&sample.effects()).unwrap().sent, None);
}

/// The journal answers before the service: what stands in the draft is not in the fields yet.
#[test]
fn a_draft_that_waits_for_its_run_is_not_kept_without_its_texts() {
    let draft = sent_draft(&[]).with(|it| it.form = FormFor::Edit(document(2).doc_ref().clone()));
    let mut sample = open_draft(&draft);
    sample.take_draft(Some(draft), None);
    let id = sample.store.asked(&Slot::FormSent);
    let end = Some(End::NotSent(Why::Stopped));
    search_ends(&mut sample, id, end, Vec::new());
    let keeps = |effect: &Effect| matches!(effect, Effect::Draft(DraftRequest::Keep(..)));
    assert!(!sample.open.iter().any(keeps), "{:?}", sample.open);
    sample.send_document(document(2));
    sample.says("> Title *          Night");
}

#[test]
fn what_was_sent_is_looked_for_by_the_titles_it_was_sent_with() {
    for (kept, wanted) in [
        (&["Night", "Day"][..], &["Night", "Day"][..]),
        (&[], &["Night"]),
    ] {
        let draft = sent_draft(kept);
        let mut sample = open_draft(&draft);
        sample.take_draft(Some(draft), None);
        let (_, titles, since) = look_for(&mut sample).unwrap();
        assert_eq!(
            (titles, since),
            (
                wanted.iter().map(|title| (*title).to_owned()).collect(),
                NOW - 60_000
            )
        );
    }
    // A change of fields is looked for in my changes by what was sent of it, whatever is typed since.
    let (mut sample, id, _) = saving("!");
    sample.reply(id, Answer::Modified(Outcome::unknown("no answer")));
    sample.act(Back);
    sample.press("?");
    sample.act(Save);
    let sent = sample
        .effects()
        .into_iter()
        .find_map(|effect| match effect {
            Effect::Request(_, Request::LookFor { sent, .. }) => Some(sent),
            _ => None,
        });
    let sent = sent.unwrap();
    assert!(sent.titles.is_empty(), "{sent:?}");
    let save = RunTexts::from([(RunField::Title, "Smoke nightly!".into())]);
    assert_eq!(sent.saves, [save]);
}

#[test]
fn only_the_newest_search_counts_and_its_failure_is_told() {
    let draft = sent_draft(&["Night"]);
    let mut sample = open_draft(&draft);
    sample.take_draft(Some(draft), None);
    let (old, ..) = look_for(&mut sample).unwrap();
    sample.act(Save);
    let (new, ..) = look_for(&mut sample).unwrap();
    let waiting = sample.screen();
    says(&waiting, "Looking…");
    sample.reply(old, Answer::LookedUp(Err(failure())));
    assert_eq!(sample.screen(), waiting);
    search_ends(&mut sample, old, None, vec![titled(9, "Night")]);
    assert_eq!(sample.screen(), waiting);
    sample.reply(new, Answer::LookedUp(Err(failure())));
    let screen = sample.screen();
    says(&screen, "Looking for it failed: no connection");
    says(&screen, "loading the runs: no connection");
    says(&screen, "[!] 1 new");
}

#[test]
fn what_is_found_of_the_first_time_decides_how_the_review_asks() {
    for (end, button) in [
        (None, "Back"),
        (Some(End::Done), "Back"),
        (Some(End::Refused), "Create"),
        (Some(End::NotSent(Why::Offline)), "Create"),
    ] {
        let draft = sent_draft(&["Night"]);
        let mut sample = open_draft(&draft);
        sample.take_draft(Some(draft), None);
        sample.effects();
        sample.act(Save);
        let (id, ..) = look_for(&mut sample).unwrap();
        let looks_again = |sample: &mut Sample| {
            sample.act(Refresh);
            look_for(sample).is_some()
        };
        assert!(!looks_again(&mut sample), "it is under way");
        search_ends(&mut sample, id, end, Vec::new());
        assert_eq!(under_cursor(&sample), button, "{end:?}");
        // An end that is known is told once.
        let looked = sample.screen().contains("Looked for it: ");
        assert_eq!(looked, end.is_none(), "{}", sample.screen());
        assert_eq!(looks_again(&mut sample), button == "Back", "{end:?}");
    }
}

#[test]
fn a_draft_that_was_sent_before_is_looked_for_before_it_is_sent_again() {
    let draft = sent_draft(&["Night"]);
    let mut sample = open_draft(&draft);
    sample.take_draft(Some(draft), None);
    assert!(look_for(&mut sample).is_some());
    sample.act(Save);
    sample.act(Open);
    assert!(create(&mut sample).is_none(), "{}", sample.screen());
}

#[test]
fn what_never_went_out_is_not_looked_for_after_the_next_sending() {
    for (end, saves) in [(End::NotSent(Why::Stopped), 1), (End::Refused, 2)] {
        let save = |title: &str| RunTexts::from([(RunField::Title, title.to_owned())]);
        let mut draft = Draft {
            form: FormFor::Edit(document(2).doc_ref().clone()),
            base: Some(document(2)),
            texts: texts_of(&document(2)),
            sent: Some(sent(&[]).with(|it| it.saves = vec![save("Earlier")])),
            ..new_draft("k", "", "")
        };
        draft.texts.extend(save("Mine"));
        let mut sample = Sample::list(SIZE, 30).pressed("jje");
        sample.take_draft(Some(draft), None);
        sample.send_document(document(2));
        sample.act(Save);
        let id = sample.store.asked(&Slot::FormSent);
        search_ends(&mut sample, id, Some(end), Vec::new());
        let result = Ok(Box::new(super::sample::opened(2)));
        sample.answered(&Slot::Reviewed, Answer::Document(result));
        sample.effects();
        sample.act(Save);
        let asked = sample.effects();
        let sent = kept(&asked).unwrap().sent.as_ref().unwrap();
        assert_eq!(sent.saves.len(), saves, "{end:?}: {sent:?}");
        assert_eq!(sent.saves.last().unwrap()[&RunField::Title], "Mine");
    }
}
