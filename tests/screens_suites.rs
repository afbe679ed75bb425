//! The screens of suites, the boxes of a change and the journal in their states.

use super::pictures::{Size, States};
use super::support::{ends, evidence, sample, suites};
use crate::support::deleting::closed;
use crate::support::prelude::*;
use ends::changed;
use evidence::{evidence, list, other};
use rundown::attached::{Attached, EmptyRun, Evidence, FormerlyFree, State, verdict};
use rundown::domain::{ChunkResult, KnownChange, SuiteChange, SuiteRow};
use rundown::store::{CopyWhat, JournalLine, JournalPage, Tour};
use suites::suite;

/// `a` on a run: the list has been asked for.
fn asked(size: Size) -> Sample {
    Sample::list(size, 30).pressed("jja")
}

fn answer(sample: &mut Sample, suites: Vec<SuiteRow>) {
    sample.answered(&Slot::Available, Answer::Available(Ok(suites)));
}

pub fn available(size: Size) -> Sample {
    let mut sample = asked(size);
    answer(&mut sample, (1..=60).map(suite).collect());
    sample
}

fn available_before_and_without_an_answer(states: &mut States<'_>) {
    states.see("available_reading", |size| {
        let mut sample = asked(size);
        sample.answered(
            &Slot::Available,
            Answer::Received {
                received: 350,
                full_size: 1_204,
            },
        );
        sample
    });
    states.see("available_given_up", |size| {
        let mut sample = asked(size);
        sample.act(Action::Cancel);
        sample
    });
    states.see("available_failed", |size| {
        let mut sample = asked(size);
        sample.answered(&Slot::Available, Answer::Available(Err(failure())));
        sample
    });
    states.see("available_closed", |size| {
        Sample::on_closed(size).pressed("a")
    });
}

fn available_with_a_list(states: &mut States<'_>) {
    for (name, keys) in [
        ("full", "jjj"),
        ("filter_typing", "/pay"),
        ("filtered", "/pay\n"),
        ("filtered_to_nothing", "/zzz\n"),
        ("marked", "  j "),
        ("range_open", "jvjjj"),
        ("range_done", "jvjjjjv"),
        ("all_marked", "/pay\nA"),
        ("sort", "o"),
        ("nothing_marked", "\n"),
        ("copy_menu", "y"),
        ("copy_menu_of_marked", "  y"),
    ] {
        states.see(&format!("available_{name}"), |size| {
            available(size).pressed(keys)
        });
    }
    states.see("available_empty", |size| {
        let mut sample = asked(size);
        answer(&mut sample, Vec::new());
        sample
    });
    states.see("available_gone", |size| {
        let mut sample = available(size);
        sample.press("   r");
        answer(&mut sample, (3..=60).map(suite).collect());
        sample
    });
    states.see("available_old", |size| {
        let mut sample = available(size);
        sample.press("r");
        sample.answered(&Slot::Available, Answer::Available(Err(failure())));
        sample
    });
}

/// What the words of a search hide is said beside marks, too.
#[test]
fn marks_leave_the_words_of_a_search_in_sight() {
    let mut sample = available((80, 24));
    sample.press("/pay\n");
    let shown = sample.store.available().unwrap().shown.len();
    sample.press(" ");
    sample.says(&format!("1 marked of {shown} with \"pay\", up to"));
    sample.press("\u{1b}/report\n");
    sample.says("1 marked, 1 hidden by \"report\", up to");
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    let lines = sample.screen();
    let title = lines.lines().find(|line| line.contains("S_")).unwrap();
    let word = title
        .split_whitespace()
        .find(|word| word.len() > 4)
        .unwrap();
    sample.press(&format!("/{word}\n "));
    sample.says("1 marked of ");
    sample.says(&format!(" with \"{word}\""));
}

/// In the header, as where runs are listed; beside marks, too.
#[test]
fn suites_that_could_not_be_read_again_are_called_old() {
    let mut sample = available((120, 24));
    sample.press(" r");
    sample.lacks("OLD");
    sample.answered(&Slot::Available, Answer::Available(Err(failure())));
    sample.press("j");
    sample.says("1 marked, up to");
    sample.says("   OLD: could not be read again");
    sample.says("OLD: read 09:41");
    let mut sample = worked_out((120, 24), verdict(&evidence()));
    sample.lacks("OLD");
    sample.press("r");
    let id = sample.store.asked_for_attached();
    sample.reply(id, Answer::Surveyed(Err(failure())));
    sample.says("OLD: read 09:41");
}

pub fn partial() -> Attached {
    let mut evidence = evidence();
    evidence.other_runs = vec![other(3, 5, list(6..=10))];
    evidence.known.changes = vec![KnownChange {
        added: true,
        suite: suite(5).doc_ref,
        name: suite(5).full_name(),
        at: NOW - 900_000,
        is_contradicted: false,
    }];
    evidence.known.typed = vec![DocRef::parse("TestSuite-dm/777").unwrap(), suite(9).doc_ref];
    evidence.known.seen_free = vec![FormerlyFree {
        suite: suite(4).doc_ref,
        row: Some(suite(4)),
        at: NOW - 7_200_000,
    }];
    verdict(&evidence)
}

fn surveying(size: Size) -> Sample {
    Sample::list(size, 30).pressed("jjs")
}

fn surveyed(sample: &mut Sample, attached: Attached) {
    sample.suites_surveyed(Box::new(attached));
}

pub fn worked_out(size: Size, attached: Attached) -> Sample {
    let mut sample = surveying(size);
    surveyed(&mut sample, attached);
    sample
}

fn attached_suites_while_they_are_worked_out(states: &mut States<'_>) {
    states.see("members_reading", |size| {
        let mut sample = surveying(size);
        let id = sample.store.asked_for_attached();
        let words = "R_3: 100 of 240 suites (list 2 of at most 41)".into();
        sample.reply(id, Answer::SurveyProgress(words));
        sample
    });
    states.see("members_failed", |size| {
        let mut sample = surveying(size);
        let id = sample.store.asked_for_attached();
        sample.reply(id, Answer::Surveyed(Err(failure())));
        sample
    });
    states.see("members_old", |size| {
        let mut sample = worked_out(size, verdict(&evidence()));
        sample.press("r");
        let id = sample.store.asked_for_attached();
        sample.reply(id, Answer::Surveyed(Err(failure())));
        sample
    });
}

fn attached_suites_in_every_state(states: &mut States<'_>) {
    let with = |change: &dyn Fn(&mut Evidence)| {
        let mut evidence = evidence();
        change(&mut evidence);
        verdict(&evidence)
    };
    let no_counts = |evidence: &mut Evidence| {
        (evidence.target.count_before, evidence.target.count_after) = (None, None);
        for other in &mut evidence.other_runs {
            (other.count_before, other.count_after) = (None, None);
        }
    };
    let verdicts: [(&str, &str, Attached); 9] = [
        (
            "empty",
            "no suites",
            with(&|evidence| {
                (evidence.target.count_before, evidence.target.count_after) = (Some(0), Some(0));
                evidence.target.empty = Some(true);
            }),
        ),
        ("complete", "7 suites", verdict(&evidence())),
        (
            "worked_out",
            "7 suites (count worked out)",
            with(&|evidence| {
                no_counts(evidence);
                evidence.other_runs[1].empty = Some(EmptyRun {
                    before: true,
                    after: true,
                    probe: false,
                });
            }),
        ),
        ("partial", "3 of 7 suites known", partial()),
        (
            "unchecked",
            "7 suites known, maybe not all",
            with(&no_counts),
        ),
        (
            "conflict",
            "the lists contradict each other",
            with(&|evidence| evidence.other_runs[0].free = Some(list(4..=10))),
        ),
        (
            "closed",
            "closed: its suites cannot be listed or changed",
            with(&|evidence| {
                evidence.target.status = Status::Inactive;
                evidence.target.empty = Some(false);
            }),
        ),
        (
            "changing",
            "changed while it was read",
            with(&|evidence| evidence.target.count_after = Some(8)),
        ),
        (
            "not_read_whole",
            "the list of free suites could not be read whole",
            with(&|evidence| evidence.target.free_after = None),
        ),
    ];
    for (name, words, attached) in verdicts {
        assert_eq!(attached.words(), words, "{name}: {attached:?}");
        states.see(&format!("members_{name}"), |size| {
            worked_out(size, attached.clone())
        });
    }
}

#[test]
fn the_explanation_is_read_to_its_end() {
    let mut many = evidence();
    many.other_runs = vec![
        other(3, 5, list(6..=10)),
        other(4, 9, list(6..=10)),
        other(5, 1, list(1..=3)),
    ];
    for (name, attached) in [("partial", partial()), ("conflict", verdict(&many))] {
        for size in [(80, 24), (60, 20), (60, 15)] {
            let mut sample = worked_out(size, attached.clone()).pressed("p");
            sample.on(Layer::Explained);
            let mut seen = String::new();
            for _ in 0..40 {
                seen += &sample.screen();
                sample.key(KeyCode::Down.into());
            }
            let lines = attached.why().join("\n");
            for word in lines.split_whitespace() {
                assert!(seen.contains(word), "{name} at {size:?}: {word} is nowhere");
            }
        }
    }
}

/// Of a whole list without a suite under the cursor nothing is left to explain.
#[test]
fn what_needs_no_explanation_opens_no_box() {
    let mut sample = surveying((80, 24)).pressed("p");
    sample.says("there is nothing to explain here");
    surveyed(&mut sample, verdict(&evidence()));
    sample.press("/zzz\np");
    sample.says("there is nothing to explain here");
    sample.press("\u{1b}p");
    sample.says("known, compared with");
}

fn explanations(states: &mut States<'_>) {
    states.see("members_explanation", |size| {
        worked_out(size, partial()).pressed("p")
    });
    // What the columns cut stands in full in the explanation, and a guess of another day has its day.
    states.see("members_guess_of_yesterday", |size| {
        let mut evidence = evidence();
        evidence.other_runs = vec![other(3, 5, list(6..=10))];
        evidence.known.seen_free = vec![FormerlyFree {
            suite: suite(4).doc_ref,
            row: Some(suite(4)),
            at: NOW - 86_400_000,
        }];
        let mut sample = worked_out(size, verdict(&evidence));
        sample.press("Gp");
        sample
    });
}

fn references_and_marks(states: &mut States<'_>) {
    states.see("members_marked", |size| {
        worked_out(size, partial()).pressed("A")
    });
    states.see("members_unknown_cannot_be_marked", |size| {
        worked_out(size, partial()).pressed("Gk ")
    });
}

fn sent(sample: &mut Sample) -> SuiteChange {
    match sample.sent().pop() {
        Some(Effect::Request(_, Request::ChangeSuites(change))) => *change,
        other => panic!("{other:?}"),
    }
}

#[test]
fn suites_are_named_where_they_are_added_and_where_they_are_removed() {
    // From the list of runs: the list is read, then it asks about these and no others.
    let mut sample = Sample::list((80, 24), 30);
    sample.press("jj:add S_2 TestSuite-dm/20744\n");
    sample.lacks("Add 2 suites");
    answer(&mut sample, vec![rich(), suite(2), suite(8)]);
    let screen = sample.screen();
    says(&screen, "Add 2 suites to R_2?");
    says(&screen, "S_22");
    says(&screen, "Search with filters");
    // Enter that was typed before the question was seen is not for it.
    sample.press("\n\n");
    let change = sent(&mut sample);
    assert_eq!((change.adds, change.suites.len()), (true, 2));

    // What is not there is told, and nothing is asked nor marked.
    let mut sample = available((80, 24));
    sample.press(":add S_3 S_999\n");
    answer(&mut sample, (1..=60).map(suite).collect());
    let screen = sample.screen();
    says(
        &screen,
        "S_999 cannot be added to R_2: in it already, or not there",
    );
    lacks(&screen, "●");

    // Of the run: one that is known is asked about at once, a reference that is not is looked for first.
    for name in ["S_2", "TestSuite-dm/20002"] {
        let mut sample = worked_out((80, 24), verdict(&evidence()));
        sample.press(&format!(":remove {name}\n"));
        sample.says("Remove S_2 from R_2?");
    }
    // From the list of runs their list is opened.
    let mut sample = Sample::list((80, 24), 30).pressed("jj:remove S_2\n");
    surveyed(&mut sample, verdict(&evidence()));
    sample.says("Remove S_2 from R_2?");
    let mut sample = worked_out((80, 24), partial());
    sample.press(":remove TestSuite-dm/778\n");
    let sent = sample.sent();
    let [.., Effect::Request(_, Request::Survey { typed, .. })] = &sent[..] else {
        panic!("{sent:?}")
    };
    assert_eq!(typed, &[DocRef::parse("TestSuite-dm/778").unwrap()]);
    surveyed(&mut sample, partial());
    sample.says("TestSuite-dm/778 is not known to be in R_2");
    // Where the list cannot be read, or is given up, nothing is said of what is in it, nor asked by an older one.
    for (given_up, before) in [(false, "jj"), (true, "jj"), (false, "")] {
        let mut sample = match before {
            "" => available((80, 24)),
            keys => Sample::list((80, 24), 30).pressed(keys),
        };
        sample.press(":add S_2\n");
        if given_up {
            sample.act(Action::Cancel);
        } else {
            let result = Err(failure());
            sample.answered(&Slot::Available, Answer::Available(result));
        }
        let screen = sample.screen();
        lacks(&screen, "cannot be added");
        sample.on(Layer::Available);
    }
    // Who has gone elsewhere meanwhile is not asked.
    let mut sample = Sample::list((80, 24), 30);
    sample.press("jj:add S_2\n\u{1b}");
    answer(&mut sample, vec![suite(2)]);
    sample.on(Layer::Runs);
    // Nor is who opens the list once more.
    sample.press("a");
    answer(&mut sample, vec![suite(2)]);
    sample.on(Layer::Available);
    let mut sample = Sample::list((80, 24), 30).pressed("jj:remove S_2\n\u{1b}");
    surveyed(&mut sample, verdict(&evidence()));
    sample.press("s");
    sample.on(Layer::Attached);
}

/// The Enter of a box that was opened meanwhile is not for the question, which comes once that box is gone.
#[test]
fn a_question_that_waited_for_its_list_opens_over_nothing_that_takes_keys() {
    for (begins, ends, layer) in [
        (":sort title", "\u{15}\u{1b}", Layer::Picker),
        ("/pay", "\n", Layer::Typing),
        ("?", "\u{1b}", Layer::Help),
    ] {
        for adds in [true, false] {
            let mut sample = Sample::list((80, 24), 30).pressed("jj");
            sample.press(if adds { ":add S_2\n" } else { ":remove S_2\n" });
            sample.press(begins);
            let asks = if adds {
                answer(&mut sample, vec![suite(2)]);
                "Add S_2 to R_2?"
            } else {
                surveyed(&mut sample, verdict(&evidence()));
                "Remove S_2 from R_2?"
            };
            assert_eq!(sample.store.layer(), layer, "{begins:?}");
            sample.lacks(asks);
            sample.press(ends);
            sample.says(asks);
            assert!(sample.store.changing().is_none(), "{begins:?}");
        }
    }
}

#[test]
fn a_hint_goes_on_with_a_key_that_did_something() {
    let mut sample = Sample::list((80, 24), 30);
    sample.store.cx.shared.tour = Some(Tour::default());
    sample.press("\n\u{1b}f\u{1b}a \n");
    sample.says("Try Space marks a suite");
    answer(&mut sample, vec![suite(2), suite(7)]);
    sample.press(" ");
    sample.says("Try Enter adds what is marked");
}

#[test]
fn suites_go_into_the_run_of_the_screen_and_no_other_that_is_read() {
    let mut sample = Sample::list((80, 24), 30).pressed("\n");
    sample.answer(30);
    sample.press("r");
    let id = sample.store.asked(&Slot::Counts);
    sample.press("a");
    answer(&mut sample, (1..=9).map(suite).collect());
    sample.press("  ");
    sample.act(Action::LastScreen);
    sample.press("\u{1b}ja\n");
    sample.says("the suites are not here yet");
    sample.press("jv");
    sample.says("the suites are not here");
    assert!(!sample.screen().contains("S_1"), "of the run before");
    sample.press("\n");
    answer(&mut sample, vec![suite(2), suite(7)]);
    sample.lacks("not here yet");
    // What was asked of that one comes now.
    sample.runs(id, Ok(sample::page(Page::BY_ID, 1)));
    sample.press(" \n");
    sample.says("Add S_2 to R_1?");
    sample.press("\n");
    let change = sent(&mut sample);
    let run = row(1).doc_ref;
    assert_eq!((change.run, change.suites.len()), (run, 1));
}

#[test]
fn a_question_that_is_left_says_that_nothing_was_sent() {
    let changes = |sample: &Sample| {
        let mut asked = sample.open.iter();
        asked.any(|effect| matches!(effect, Effect::Request(_, Request::ChangeSuites(_))))
    };
    for leave in ["\u{1b}", "\t\n"] {
        let sample = available((80, 24)).pressed("\n").pressed(leave);
        assert!(!changes(&sample));
        sample.says("nothing was sent");
    }
    // Cancel has the focus where something is taken away.
    let sample = worked_out((80, 24), verdict(&evidence())).pressed("x\n");
    assert!(!changes(&sample));
    sample.says("nothing was sent");
}

/// Results may have been recorded since the list was read.
#[test]
fn what_a_removal_may_lose_is_told_by_the_counts_that_came_with_the_suites() {
    let mut attached = verdict(&evidence());
    let counts = counted([(ResultCode::Untested, 0), (ResultCode::Passed, 40)]);
    let run = worked_out((80, 24), attached.clone())
        .store
        .attached()
        .unwrap()
        .run
        .row();
    for (counts, words) in [
        (
            ResultCounts::default(),
            "No case of this run has a result yet",
        ),
        (counts, "40 of the whole run"),
    ] {
        let results = Some(counts);
        let row = run.clone().with(|it| it.results = results);
        attached.row = Some(Box::new(row));
        worked_out((80, 24), attached.clone())
            .pressed("x")
            .says(words);
    }
}

#[test]
fn after_a_removal_that_results_have_stopped_the_question_has_them() {
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press("x\t\n");
    sent(&mut sample);
    let counts = counted([(ResultCode::Passed, 65)]);
    let listed = sample
        .store
        .attached()
        .unwrap()
        .run
        .row()
        .with(|it| it.results = Some(counts));
    let outcome = Outcome::not_sent(Why::Moved, "it has 65 results by now: nothing was sent")
        .with(|it| it.row = Some(Box::new(listed)));
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    // Its suites are still being looked for.
    sample.press("x");
    sample.says("65 of the whole run");
}

#[test]
fn the_question_before_a_removal_reads_what_the_run_has_by_now() {
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("x");
    sample.says("80 of the whole run");
    let mut page = sample::page(FIRST, 1);
    let mut listed = sample.store.attached().unwrap().run.row();
    let counts = counted([(ResultCode::Passed, 83)]);
    listed.results = Some(counts.clone());
    page.rows = vec![listed];
    sample.answered(&Slot::AtStake, Answer::Runs(Ok(page)));
    sample.says("83 of the whole run");
    sample.press("\t\n");
    assert_eq!(sent(&mut sample).stake, Some(counts));
    // Of a run that somebody closed nothing is asked any more.
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("x");
    let mut page = sample::page(FIRST, 1);
    page.rows = vec![RunRow::from_document(&closed_document(2))];
    sample.answered(&Slot::AtStake, Answer::Runs(Ok(page)));
    sample.on(Layer::Attached);
    sample.says("R_2 was closed meanwhile: nothing was sent");
    // Without an answer it is what was read before, and the question stays.
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("x");
    sample.answered(&Slot::AtStake, Answer::Runs(Err(failure())));
    sample.says("80 of the whole run");
    says(sample.said(), "no connection");
}

#[test]
fn without_marks_it_is_the_suite_under_the_cursor() {
    let mut sample = available((80, 24)).pressed("jj\n");
    sample.says("Add S_3 to R_2?");
    sample.press("\n");
    assert_eq!(sent(&mut sample).suites.len(), 1);
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("jx");
    sample.says("Remove S_2 from R_2?");
    // Enter shows it in full, and takes nothing away.
    sample.press("\u{1b}\n");
    sample.on(Layer::Suite);
    sample.says("Everything that a customer does");
    // What cannot be removed says why.
    let mut sample = worked_out((80, 24), partial()).pressed("Gkx");
    sample.says("Nobody knows which ones these are");
    sample.on(Layer::Attached);
    // With a mark it is the marked one.
    sample.press("g jx");
    sample.says("Remove S_6 from R_2?");
}

#[test]
fn suites_of_a_run_are_found_and_sorted_as_those_to_add() {
    let ids = |sample: &Sample| {
        let screen = sample.screen();
        let words = screen.split_whitespace();
        let ids = words.filter(|word| word.starts_with("S_") && !word.ends_with('>'));
        ids.take(3).collect::<Vec<_>>().join(" ")
    };
    let mut sample = worked_out((100, 24), verdict(&evidence()));
    assert_eq!(ids(&sample), "S_1 S_2 S_3");
    sample.press("oioi");
    sample.says("sort: id ↓");
    assert!(*ids(&sample) > *"S_3", "{}", ids(&sample));
    sample.press("/S_2");
    sample.says("1 of ");
    sample.press("\n");
    assert_eq!(ids(&sample), "S_2");
    sample.says("1 with \"S_2\" of ");
    // The cursor stays on it among all.
    sample.press("\u{1b}x");
    sample.says("Remove S_2 from R_2?");
    sample.press("\u{1b}/S_2\n x");
    sample.says("Remove S_2 from R_2?");
    sample.press("\u{1b}/zzz\n");
    sample.says("No suite matches.");
    sample.press("\u{1b}");
    assert!(*ids(&sample) > *"S_3");
}

#[test]
fn marked_suites_that_are_gone_are_not_sent() {
    let whole = verdict(&evidence());
    let mut less = whole.clone();
    less.named.remove(0);
    let mut sample = worked_out((80, 24), whole).pressed("  r");
    surveyed(&mut sample, less);
    sample.press("x\t\n");
    let change = sent(&mut sample);
    assert_eq!(change.suites[0].0, suite(2).doc_ref);
    assert_eq!(change.suites.len(), 1);
    let mut sample = available((80, 24)).pressed("  r");
    answer(&mut sample, (3..=9).map(suite).collect());
    sample.press("\n");
    sample.says("None of the marked suites can be added any more: r");
    sample.on(Layer::Available);
}

#[test]
fn a_refresh_of_the_suites_to_add_reads_the_numbers_of_their_run_too() {
    let mut sample = Sample::list((80, 24), 30).pressed("jja");
    let free = || Answer::Available(Ok((1..=9).map(suite).collect()));
    sample.answered(&Slot::Available, free());
    sample.lacks("In this run 7");
    sample.press("r");
    let counts = sample.store.asked(&Slot::AvailableRun);
    sample.answered(&Slot::Available, free());
    sample.reply(counts, with_suites(7));
    sample.says("In this run 7");
    sample.press("r");
    let counts = sample.store.asked(&Slot::AvailableRun);
    sample.reply(counts, Answer::Runs(Err(failure())));
    sample.says("In this run 7");
    says(sample.said(), "no connection");
}

#[test]
fn after_suites_were_added_the_numbers_of_their_run_are_read() {
    let mut sample = available((80, 24)).pressed(" \n\n");
    let suites = sent(&mut sample).suites.into_iter().map(|it| it.0);
    let outcome = changed(suites.collect(), Vec::new(), Outcome::done("checked"));
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    let counts = sample.store.asked(&Slot::AvailableRun);
    sample.reply(counts, with_suites(7));
    sample.says("In this run 7");
}

/// A slow service reads the list long after the change: what is done already must not be offered again.
#[test]
fn suites_that_were_added_or_removed_are_out_of_their_list_before_it_is_read_again() {
    let ended = |sample: &mut Sample| {
        let suites = sent(sample).suites.into_iter().map(|it| it.0);
        let outcome = changed(suites.collect(), Vec::new(), Outcome::done("checked"));
        sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    };
    let mut sample = available((80, 24)).pressed("jj\n\n");
    ended(&mut sample);
    sample.says("1 suite added to R_2");
    sample.lacks(" S_3 ");
    sample.press("\n");
    sample.says("Add S_4 to R_2?");
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("jx\t\n");
    ended(&mut sample);
    sample.says("1 suite removed from R_2");
    sample.lacks(" S_2 ");
    sample.press("x");
    sample.says("Remove S_3 from R_2?");
}

#[test]
fn with_suites_to_add_numbers_of_their_run_that_are_old_are_read_too() {
    for (later, reads) in [(0, false), (61_000, true)] {
        let mut sample = Sample::list((80, 24), 30).pressed("jj");
        sample.now += later;
        sample.open.clear();
        sample.press("a");
        let is_of_run = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ListRuns { filter, .. }) if *filter == Filter::by_id("R_2"));
        assert_eq!(
            sample.open.iter().any(is_of_run),
            reads,
            "{:?}",
            sample.open
        );
    }
}

#[test]
fn of_a_closed_run_it_is_read_whether_it_is_open_again() {
    let mut sample = Sample::on_closed((80, 24)).pressed("a");
    sample.says("This run is closed");
    sample.press("r");
    let read = sample.store.asked(&Slot::AvailableRun);
    let mut page = sample::page(FIRST, 1);
    page.rows = vec![row(5)];
    sample.reply(read, Answer::Runs(Ok(page)));
    answer(&mut sample, (1..=9).map(suite).collect());
    sample.lacks("closed");
    sample.says("9 suites to add to R_5");
}

#[test]
fn of_a_run_that_was_closed_meanwhile_no_suite_is_marked_or_added() {
    let mut sample = available((80, 24)).pressed(" ");
    sample.press("r");
    let read = sample.store.asked(&Slot::AvailableRun);
    let mut page = sample::page(FIRST, 1);
    page.rows = vec![RunRow::from_document(&closed_document(2))];
    sample.reply(read, Answer::Runs(Ok(page)));
    sample.says("This run is closed");
    sample.lacks("marked");
    for keys in [" ", "A", "\n"] {
        sample.press(keys);
        sample.lacks("Add ");
    }
    sample.says("R_2 is closed: its suites cannot be changed");
    // Once it is open again, what was marked is there.
    sample.press("r");
    let read = sample.store.asked(&Slot::AvailableRun);
    let mut page = sample::page(FIRST, 1);
    page.rows = vec![row(2)];
    sample.reply(read, Answer::Runs(Ok(page)));
    answer(&mut sample, (1..=60).map(suite).collect());
    sample.says("1 marked");
}

#[test]
fn suites_of_before_the_run_was_closed_or_opened_are_read_anew() {
    let page = |row: RunRow| sample::page(FIRST, 30).with(|it| it.rows = vec![row]);
    let mut old = verdict(&evidence());
    old.at -= 60_000;
    let mut sample = worked_out((80, 24), old).pressed("\u{1b}");
    sample.reads_again(page(RunRow::from_document(&closed_document(2))));
    sample.press("6jjs");
    sample.store.asked_for_attached();
    sample.press("vjx");
    sample.says("closed: its suites cannot be changed");
    let mut state = verdict(&evidence());
    (state.state, state.named) = (State::Closed, Vec::new());
    surveyed(&mut sample, state);
    sample.lacks("range begun");
    let mut sample = Sample::on_closed((80, 24)).pressed("s");
    let mut old = *closed(5, None);
    old.at -= 60_000;
    surveyed(&mut sample, old);
    sample.says("closed: its suites cannot be listed or changed");
    sample.press("\u{1b}");
    sample.reads_again(page(row(5)));
    sample.press("s");
    sample.store.asked_for_attached();
}

#[test]
fn suites_of_before_the_run_was_listed_with_another_number_of_them_are_read_anew() {
    let mut old = verdict(&evidence());
    old.at -= 60_000;
    let known = old.count.unwrap().try_into().unwrap();
    for count in [known, known + 2] {
        let mut sample = worked_out((80, 24), old.clone()).pressed("\u{1b}");
        let mut page = sample::page(FIRST, 30);
        page.rows[2].suite_count = Some(count);
        sample.reads_again(page);
        sample.press("\n2");
        sample.says(&format!("[2 Suites {count}]"));
        let is_shown = sample.screen().contains("Payment");
        assert_eq!(is_shown, count == known, "{}", sample.screen());
        sample.open.clear();
        sample.press("s");
        let asks = |effect: &Effect| matches!(effect, Effect::Request(_, Request::Survey { .. }));
        assert_eq!(sample.open.iter().any(asks), count != known);
    }
}

/// The list with the run alone.
fn with_suites(suites: i64) -> Answer {
    let mut run = row(2);
    run.suite_count = Some(suites);
    let mut page = sample::page(FIRST, 1);
    page.rows = vec![run];
    Answer::Runs(Ok(page))
}

#[test]
fn ctrl_c_gives_up_a_reading_of_suites_and_nothing_that_was_read() {
    let gives_up = |mut sample: Sample| {
        sample.act(Action::Cancel);
        sample.says("nothing is under way");
        sample.press("j");
        sample.lacks("OLD");
        sample.press("r");
        sample.act(Action::Cancel);
        sample.press("j");
        sample.says("OLD");
    };
    gives_up(available((80, 24)));
    gives_up(worked_out((80, 24), verdict(&evidence())));
}

#[test]
fn what_was_given_up_is_not_read_again_after_a_sign_in_and_what_failed_is() {
    for (gives_up, reads) in [(true, false), (false, true)] {
        let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("r");
        if gives_up {
            sample.act(Action::Cancel);
        } else {
            sample.answered(&Slot::Attached, Answer::Surveyed(Err(failure())));
        }
        sample.effects();
        sample.store.cx.shared.signed_in = false;
        sample.event(Event::SignedIn { user: "qa".into() });
        let surveys =
            |effect: &Effect| matches!(effect, Effect::Request(_, Request::Survey { .. }));
        assert_eq!(sample.effects().iter().any(surveys), reads);
    }
}

#[test]
fn what_went_out_has_no_mark_any_more() {
    let mut sample = worked_out((80, 24), verdict(&evidence())).pressed("  x\t\n");
    let suites: Vec<DocRef> = sent(&mut sample)
        .suites
        .into_iter()
        .map(|it| it.0)
        .collect();
    let (out, left) = suites.split_at(1);
    let outcome = changed(out.to_vec(), left.to_vec(), Outcome::otherwise("1 of 2"));
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    let marks = &sample.store.attached().unwrap().list.marks;
    assert!(marks.len() == 1 && marks.has(&left[0]));
}

#[test]
fn suites_whose_removal_no_reading_shows_are_not_removed_again_before_one_does() {
    let mut sample = worked_out((120, 40), verdict(&evidence())).pressed("  x\t\n");
    let suites = sent(&mut sample).suites.into_iter().map(|it| it.0);
    let outcome = Outcome::unknown("reading afterwards failed: no connection");
    let outcome = changed(Vec::new(), suites.collect(), outcome);
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    sample.answered(&Slot::Attached, Answer::Surveyed(Err(failure())));
    let not_known = "whether the suites sent before are out of the run is not known; r reads it";
    for keys in ["x", ":remove S_1\n"] {
        sample.press(keys);
        assert_eq!(sample.store.layer(), Layer::Attached, "{}", sample.screen());
    }
    sample.press("x");
    sample.says(not_known);
    sample.press("rx");
    sample.says(not_known);
    surveyed(&mut sample, verdict(&evidence()));
    sample.press("x");
    sample.says("Remove 2 suites from R_2?");
}

#[test]
fn suites_to_add_are_sorted_narrowed_and_previewed() {
    let mut some: Vec<SuiteRow> = (1..=3).map(suite).collect();
    for (suite, at) in some.iter_mut().zip([2, 3, 1]) {
        suite.edited_on = Some(at);
    }
    let mut sample = asked((80, 24));
    answer(&mut sample, some);
    // The preview names the one under the cursor once more.
    for (keys, shown) in [
        ("oe", "S_3S_1S_2"),
        ("oe", "S_2S_1S_3"),
        ("/refunds\n", "S_1"),
        ("\u{1b}", "S_2S_1S_3"),
        ("p", "S_2S_1S_3S_1"),
        ("p", "S_2S_1S_3"),
    ] {
        sample.press(keys);
        let screen = sample.screen();
        let words = screen.split_whitespace();
        let listed: String = words.filter(|word| word.starts_with("S_")).collect();
        assert_eq!(listed, shown, "{keys}");
    }
    let mut sample = available((80, 24)).pressed("/s");
    sample.key(KeyEvent::from(KeyCode::PageDown));
    sample.lacks("S_1 ");
}

#[test]
fn one_suite_that_no_list_names_has_its_line() {
    let mut one = evidence();
    one.other_runs = vec![other(3, 1, list(2..=10))];
    worked_out((80, 24), verdict(&one)).says("? 1 more suite");
}

#[test]
fn a_closed_run_is_not_probed() {
    let mut sample = Sample::on_closed((80, 24)).pressed("s");
    surveyed(&mut sample, *closed(5, None));
    sample.press(":probe\n");
    sample.says("a closed run: a probe would tell nothing");
    sample.on(Layer::Attached);
}

#[test]
fn suites_that_are_named_leave_the_marks_of_before_as_they_were() {
    let mut sample = available((80, 24));
    sample.press(" ");
    let marked = sample
        .store
        .screens
        .available
        .as_ref()
        .unwrap()
        .list
        .marks
        .clone();
    for typed in ["S_3 S_3", "s_3, S_3"] {
        sample.press(&format!(":add {typed}\n"));
        answer(&mut sample, (1..=60).map(suite).collect());
        let screen = sample.screen();
        says(&screen, "Add S_3 to R_2?");
        says(&screen, "Up to 3 more cases");
        sample.press("\u{1b}");
    }
    let after = &sample.store.screens.available.as_ref().unwrap().list.marks;
    assert_eq!((after, marked.len()), (&marked, 1));

    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press(" ");
    let marked = sample
        .store
        .screens
        .attached
        .as_ref()
        .unwrap()
        .list
        .marks
        .clone();
    sample.press(":remove S_3\n");
    sample.says("Remove S_3 from R_2?");
    sample.press("\u{1b}");
    let after = &sample.store.screens.attached.as_ref().unwrap().list.marks;
    assert_eq!((after, marked.len()), (&marked, 1));
    assert!(!marked.has(&suite(3).doc_ref));
}

#[test]
fn marks_of_suites_are_asked_about_as_those_of_runs() {
    let mut free = available((80, 24));
    free.press(" ");
    let mut inside = worked_out((80, 24), partial());
    inside.press("A");
    for sample in [&mut free, &mut inside] {
        let screen = sample.store.screen();
        sample.press("\u{1b}");
        let asked = sample.screen();
        says(&asked, " marked, Esc again lets them go");
        sample.press("\u{1b}");
        assert_eq!(sample.store.screen(), screen);
        sample.says("no marks any more");
        sample.press("\u{1b}");
        assert_ne!(sample.store.screen(), screen);
    }
}

fn the_preview_of_a_change(states: &mut States<'_>) {
    for (name, keys) in [
        ("add", "   \n"),
        ("add_on_cancel", "   \n\t"),
        ("add_request", "   \ni"),
        ("add_one", " \n"),
        ("add_many", "A\n"),
    ] {
        states.see(&format!("confirm_{name}"), |size| {
            available(size).pressed(keys)
        });
    }
    states.see("confirm_add_gone", |size| {
        let mut sample = available(size);
        sample.press("   r");
        answer(&mut sample, (3..=60).map(suite).collect());
        sample.press("\n");
        sample
    });
    for (name, keys) in [("remove", "  x"), ("remove_on_do", "  x\t")] {
        states.see(&format!("confirm_{name}"), |size| {
            let mut sample = worked_out(size, verdict(&evidence()));
            sample.press(keys);
            sample
        });
    }
}

pub fn step(good: bool, words: &str) -> ChunkResult {
    ChunkResult {
        words: words.into(),
        good,
    }
}

/// Adding 60 suites, with these lines so far.
pub fn working(size: Size, steps: &[ChunkResult]) -> Sample {
    let mut sample = available(size);
    sample.press("A\n\n");
    let id = sample.store.asked(&Slot::ChangeSuites);
    for step in steps {
        sample.reply(id, Answer::ChangeStep(step.clone()));
    }
    sample
}

fn worked(size: Size, steps: &[ChunkResult], done: usize, verdict: Outcome) -> Sample {
    let mut sample = working(size, steps);
    let all: Vec<DocRef> = (1..=60).map(|number| suite(number).doc_ref).collect();
    let outcome = changed(all[..done].to_vec(), all[done..].to_vec(), verdict);
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    sample
}

fn a_change_under_way_and_done(states: &mut States<'_>) {
    let good = |number: u32| {
        step(
            true,
            &format!("request {number} of 3, 20 suites: done, says the service"),
        )
    };
    let refused = "request 3 of 3, 20 suites: refused: operation failed (-32036) \
                   [log 26f353a3-3dd5-464a-91fa-25fe8036256a]. Read the message; refresh before trying again.";
    let lost = "request 2 of 3, 20 suites: sent, outcome unknown (the connection broke); not sent again, reading decides";
    states.see("work_under_way", |size| working(size, &[good(1)]));
    states.see("work_under_way_lost", |size| {
        working(size, &[good(1), step(false, lost)])
    });
    states.see("work_confirmed", |size| {
        let words = "all 60 added: not free any more, the count went from 2 to 62";
        let outcome = Outcome::done(words).with(|it| it.suite_count = Some(62));
        worked(size, &[good(1), good(2), good(3)], 60, outcome)
    });
    states.see("work_refused", |size| {
        let words = "40 of 60 added; not free any more, the count went from 2 to 42";
        worked(
            size,
            &[good(1), good(2), step(false, refused)],
            40,
            Outcome::otherwise(words),
        )
    });
    states.see("work_differs", |size| {
        let words = "20 of 60 added; of the 20 whose answer was lost, 0 are added; not free any more, the count went \
                     from 2 to 22";
        worked(
            size,
            &[good(1), step(false, lost)],
            20,
            Outcome::otherwise(words),
        )
    });
    states.see("work_unread", |size| {
        let words = "reading afterwards failed: no connection to demo.example: connection refused";
        worked(
            size,
            &[good(1), step(false, lost)],
            20,
            Outcome::unknown(words),
        )
    });
}

pub fn journal(size: Size, page: JournalPage) -> Sample {
    let mut sample = available(size);
    sample.press("@");
    sample.answered(&Slot::Journal, Answer::Journal(Ok(page)));
    sample
}

pub fn written() -> Vec<JournalLine> {
    let states = ["done", "refused", "differs", "end not known", "not checked"];
    let line = |number: u16| {
        let params = format!(
            r#"{{"testRunDocRef":"{}","testSuiteDocRefs":["TestSuite-dm/20744"]}}"#,
            row(2).doc_ref
        );
        JournalLine {
            write: format!("{number:012x}-0000000000000000"),
            at: NOW - 3_600_000 * i64::from(number),
            run: "R_2 Smoke nightly".into(),
            what: "add 1 suite".into(),
            by: String::new(),
            place: None,
            state: states[usize::from(number) % states.len()].into(),
            good: number.is_multiple_of(5),
            in_effect: number.is_multiple_of(5),
            detail: vec![
                "Done, and checked: all 1 added: not free any more, the count went from 2 to 3"
                    .into(),
                "Suite S_2 Search with filters".into(),
            ],
            request: vec![
                format!("profile demo, {}", row(2).doc_ref),
                format!("request: ADD_TEST_SUITES_TO_RUN {params}"),
                r#"kept: {"results before":{"failed":9,"not tested":36,"passed":57}}"#.into(),
                r#"answer: [{"id":"a","linkDescriptor":{"position":0,"predecessorLinkRef":""}}]"#
                    .into(),
            ],
        }
    };
    (0..40).map(line).collect()
}

fn full_journal(size: Size, problem: Option<&str>) -> Sample {
    let (lines, problem) = (written(), problem.map(str::to_owned));
    journal(size, JournalPage { lines, problem })
}

#[test]
fn my_changes_are_read_again_where_another_window_has_taken_one_back() {
    let mut sample = full_journal((80, 24), None);
    sample.open.clear();
    sample.press("\n");
    let taken_back = failure().with(|it| it.kind = FailureKind::Nothing);
    let asked = sample.store.asked(&Slot::Undo(Layer::Journal));
    sample.open.clear();
    sample.reply(asked, Answer::UndoPlanned(Err(taken_back)));
    let reads = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ReadJournal { .. }));
    assert!(sample.open.iter().any(reads), "{:?}", sample.open);
}

#[test]
fn a_long_text_of_a_change_is_shown_as_cut() {
    let mut lines = written();
    let text: Vec<String> = (1..=9).map(|line| format!("row {line}")).collect();
    lines[0].detail = vec![text.join("\n")];
    let problem = None;
    let mut sample = journal((120, 40), JournalPage { lines, problem });
    let screen = sample.screen();
    assert!(
        screen.contains("row 9") || screen.contains("↓ "),
        "{screen}"
    );
    sample.press("i");
    sample.says("row 9");
}

#[test]
fn a_change_is_read_to_its_end_in_full_where_there_is_little_room() {
    let mut sample = full_journal((40, 12), None);
    let screen = sample.screen();
    let more = screen.lines().find(|line| line.contains("│ ↓ ")).unwrap();
    let more = more.split('│').nth(1).unwrap().trim();
    assert_eq!(more, "↓ 2 more", "nothing stands behind it");
    sample.press("i");
    sample.says("Suite S_2 Search with filters");
    sample.act(Action::Move(Motion::Last));
    sample.says("answer: ");
    sample.press("i");
    sample.says("newest first");
}

fn the_journal_in_its_states(states: &mut States<'_>) {
    states.see("journal_reading", |size| available(size).pressed("@"));
    states.see("journal_empty", |size| {
        journal(size, JournalPage::default())
    });
    states.see("journal_full", |size| full_journal(size, None));
    states.see("journal_filtered", |size| {
        full_journal(size, None).pressed("/known\n")
    });
    states.see("journal_problem", |size| {
        let words = "2 lines of /home/qa/.local/state/rundown/journal.ndjson cannot be read; they are left as they are";
        full_journal(size, Some(words))
    });
    states.see("journal_failed", |size| {
        let mut sample = available(size);
        sample.press("@");
        sample.answered(&Slot::Journal, Answer::Journal(Err(failure())));
        sample
    });
}

/// A suite of which the service says all that is documented, and something that is not.
fn rich() -> SuiteRow {
    let text = r#"{
        "docRef": "TestSuite-dm/20744", "documentModelName": "TestSuite-dm",
        "document": {"id": "20744", "Root": {
            "General": {
                "Id": "S_22", "Title": "Customer checkout", "Description": "Buys what lies in the basket.\n\nBy card and on account.",
                "ProjectId": "P_9", "ProjectVersionNumber": "1.2.0", "SubprojectId": "SP_1", "TechnicalId": "5be4b7f0-22",
                "TenantId": "T_1", "TimeBookingAccount": "42-A", "Order": "5", "RecommendedPriority": {"Value": "MEDIUM"},
                "Effort": {"Days": 2.50}
            },
            "Metadata": {
                "CreatedBy": "trung", "DisplayCreatedOn": "2025-11-13T02:09:50", "CreatedOn": 1763000990000,
                "EditedBy": "mai", "DisplayEditedOn": "2026-11-19T18:02:00", "EditedOn": 1795111320000,
                "IsImported": true, "AssignedToVersion": {"AssignedToNumber": "1.2.0", "AssignedToTitle": "Autumn"}
            },
            "Attachments": [{
                "FileName": "basket.png", "OriginalFileName": "Screenshot 1.png", "UploadOn": "2025-11-13", "UploadBy": "trung",
                "Referenced": false, "CopyNumber": 0, "Checksum": "9a7f", "File": {
                    "content": null, "attachment_id": "77", "internal_filename": "x.bin", "original_filename": "Screenshot 1.png",
                    "size": 48213, "mime_type": "image/png"}
            }],
            "DisplayFields": {"TotalTestCases": 46}
        }},
        "__meta": {"creator": "trung", "modifier": "SYSTEM", "createdAt": "2025-11-13T02:09:50", "modifiedAt": "2026-11-19T18:02:00",
            "modelReference": "TestSuite-dm", "docRef": "TestSuite-dm/20744", "modelVersion": null}
    }"#;
    let document = Document::from_value(serde_json::from_str(text).unwrap()).unwrap();
    SuiteRow::from_document(&document)
}

pub fn with_rich(size: Size) -> Sample {
    let mut sample = asked(size);
    answer(&mut sample, vec![rich(), suite(2), suite(8)]);
    sample
}

#[test]
fn what_was_added_here_and_no_list_names_has_the_name_that_my_changes_know() {
    let sample = worked_out((120, 24), partial());
    let name = suite(5).full_name();
    let (id, title) = name.split_once(' ').unwrap();
    let screen = sample.screen();
    let line = screen.lines().find(|line| line.contains(title)).unwrap();
    says(line, id);
    sample.lacks(suite(5).doc_ref.as_str());
    // A reference that was typed has no other name.
    sample.says("TestSuite-dm/777");
}

fn a_suite(states: &mut States<'_>) {
    states.see("suite_beside_the_list", with_rich);
    states.see("suite", |size| with_rich(size).pressed("i"));
    states.see("suite_end", |size| with_rich(size).pressed("iG"));
}

#[test]
fn a_suite_is_read_in_full_to_its_last_line() {
    let end = with_rich((80, 24)).pressed("iG");
    let above = end.clone().pressed("k");
    assert_ne!(above.screen(), end.screen(), "up at once");
    let mut sample = with_rich((80, 24));
    sample.press("i");
    let mut seen = sample.screen();
    for _ in 0..60 {
        sample.press("j");
        seen += &sample.screen();
    }
    for words in [
        "By card and on account.",
        "Screenshot 1.png",
        "47.1 KiB",
        "Root.General.Effort.Days  2.50",
        "Root.Attachments.0.Checksum  9a7f",
        "Root.Metadata.EditedOn  1795111320000",
        "__meta.modelVersion  null",
    ] {
        assert!(seen.contains(words), "{words} is nowhere:\n{seen}");
    }
    sample.on(Layer::Suite);
    sample.press("\u{1b}");
    sample.on(Layer::Available);
    // Of what is in the run, too.
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press("ji");
    sample.says("Everything that a customer does");
}

#[test]
fn a_title_that_a_head_cuts_is_whole_below_it() {
    let mut sample = asked((60, 24));
    answer(&mut sample, vec![suite(3)]);
    sample.press("i");
    sample.says("│ sideways for a whole hour");
    let mut sample = Sample::list((80, 24), 30).pressed("jjjjjjj\n");
    sample.answer(30);
    sample.press("5jjjjjj");
    sample.says("   hold it\n");
}

#[test]
fn of_suites_everything_is_copied_that_is_copied_of_runs() {
    let mut sample = with_rich((80, 24));
    sample.press("yjyi");
    sample.press("yryiytypyvym");
    let all: [(String, String); 8] = sample.clipboard().try_into().unwrap();
    let [json, rest @ ..] = all;
    assert_eq!(json.0, "S_22's JSON");
    // Every digit, what is not known, and the order are as they came.
    says(&json.1, "\"Days\": 2.50");
    begins(&json.1, "{\n  \"docRef\": \"TestSuite-dm/20744\"");
    let row = "S_22\tCustomer checkout\t46\tMEDIUM\t42-A\t1.2.0\t2026-11-19T18:02:00\tmai\tTestSuite-dm/20744\n";
    let expected = [
        ("S_22's id", "S_22"),
        ("S_22's reference", "TestSuite-dm/20744"),
        ("S_22's id", "S_22"),
        ("S_22's title", "Customer checkout"),
        (
            "S_22's row as plain text",
            "S_22 Customer checkout: 46 cases",
        ),
        ("S_22's row as TSV", row),
    ];
    for ((what, text), expected) in rest.iter().zip(expected) {
        assert_eq!((what.as_str(), text.as_str()), expected);
    }
    says(&rest[6].1, "| S_22 | Customer checkout | 46 | MEDIUM |");

    // The marked ones, and into a file.
    let mut sample = with_rich((80, 24));
    sample.press("  yiyj");
    let copied = sample.clipboard();
    assert_eq!(
        copied[0],
        ("the ids of 2 suites".into(), "S_22\nS_2".into())
    );
    assert!(copied[1].1.starts_with('['), "{}", copied[1].1);
    sample.press("yf");
    assert!(
        sample.open.iter().any(
            |effect| matches!(effect, Effect::CopyToFile { name, ending, .. }
            if name == "2-suites" && *ending == "json")
        ),
        "{:?}",
        sample.open
    );

    // Of a suite that is known by its reference alone there is no JSON, and nothing is made up.
    let mut sample = worked_out((80, 24), partial());
    sample.press("Gkkyj");
    sample.says("JSON is not known here");
}

#[test]
fn of_a_suite_its_id_and_its_reference_are_copied_on_both_lists() {
    let lists: [fn() -> Sample; 2] = [
        || available((80, 24)),
        || worked_out((80, 24), verdict(&evidence())),
    ];
    for list in lists {
        let mut sample = list();
        sample.press("jyi");
        sample.act(Action::Copy(CopyWhat::DocRef));
        let reference = suite(2).doc_ref;
        let wanted = [("S_2's id", "S_2"), ("S_2's reference", reference.as_str())];
        assert_eq!(
            sample.clipboard(),
            wanted.map(|(what, text)| (what.to_owned(), text.to_owned()))
        );
        // A mark goes before the cursor, also where it is only one.
        list().pressed(" jy").says("Copy of the marked suite S_1");
    }
}

#[test]
fn a_priority_of_another_name_is_shown_as_it_came_and_sorted_by_its_letters() {
    let mut some: Vec<SuiteRow> = (1..=4).map(suite).collect();
    some[3].priority = Some("Later".into());
    let mut sample = asked((120, 40));
    answer(&mut sample, some);
    sample.press("op");
    sample.says("sort: priority");
    let screen = sample.screen();
    let place = |word: &str| {
        screen
            .find(word)
            .unwrap_or_else(|| panic!("{word}: {screen}"))
    };
    let places = ["HIGH", "LOW", "Later", "MEDIUM"].map(|word| place(&format!("  {word} ")));
    assert!(places.is_sorted(), "{screen}");
}

#[test]
fn with_all_suites_of_a_run_all_its_results_may_be_lost() {
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press("Ax");
    sample.says("Remove 7 suites from R_2?");
    let screen = sample.screen();
    says_wrapped_in_box(
        &screen,
        "All 80 results of the run may be lost. Undo adds the suites again, not their results.",
    );
    // Of those of a run whose suites are not all known there may be more.
    let mut sample = worked_out((80, 24), partial());
    sample.press("Ax");
    sample.says("is not known");
}

/// The words are in the box, wherever a line of it ends between them.
#[track_caller]
fn says_wrapped_in_box(screen: &str, words: &str) {
    says_wrapped(&screen.replace('│', " "), words);
}

#[test]
fn an_open_range_of_suites_is_what_is_added_removed_and_copied() {
    let signs = |sample: &Sample| {
        let screen = sample.screen();
        let rows = screen.lines().filter(|line| line.contains("S_"));
        let signs = rows.map(|row| row.chars().nth(1).unwrap());
        signs.take(4).collect::<String>()
    };
    let mut sample = available((80, 24));
    sample.press("vjj");
    assert_eq!(signs(&sample), "+++ ", "{}", sample.screen());
    sample.press("\n");
    sample.says("Add 3 suites to R_");
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press("vj");
    assert_eq!(signs(&sample), "++  ", "{}", sample.screen());
    sample.press("x");
    sample.says("Remove 2 suites from R_");
    let mut sample = worked_out((80, 24), verdict(&evidence()));
    sample.press("vjy");
    sample.says("2 marked");
}

#[test]
fn an_open_range_of_suites_says_how_it_ends_whatever_else_there_is_to_say() {
    for size in [(80, 24), (60, 15), (40, 12)] {
        let mut sample = available(size);
        sample.press(" j jvjj");
        sample.says("range begun: v ends it");
        sample.says("2 marked");
        let mut sample = worked_out(size, verdict(&evidence()));
        for keys in ["vj", "v vj"] {
            sample.press(keys);
            sample.says("range begun: v ends it");
        }
    }
}

#[test]
fn a_range_of_suites_whose_first_row_is_gone_does_nothing_to_older_marks() {
    let gone = "the range is gone: its first row is no longer here; mark again";
    let boxed = |sample: &Sample| {
        let screen = sample.screen();
        screen.contains("suites to R_") || screen.contains("suites from R_")
    };
    // What can be added; the range begins at S_3.
    let mut sample = available((120, 40));
    sample.press("  vjj");
    sample.act(Action::Refresh);
    answer(
        &mut sample,
        (1..=60).filter(|id| *id != 3).map(suite).collect(),
    );
    sample.press("\n");
    sample.says(gone);
    assert!(!boxed(&sample), "{}", sample.screen());
    sample.press("\n");
    sample.says("Add 2 suites to R_");
    // What is in the run; the range begins at its third suite.
    for key in ["x", "y", "v"] {
        let whole = verdict(&evidence());
        let mut less = whole.clone();
        less.named.remove(2);
        let mut sample = worked_out((120, 40), whole);
        sample.press("  vj");
        sample.act(Action::Refresh);
        surveyed(&mut sample, less);
        sample.press(key);
        sample.says(gone);
        assert!(!boxed(&sample), "{key}: {}", sample.screen());
        sample.press("x");
        sample.says("Remove 2 suites from R_");
    }
}

#[test]
fn the_preview_shows_the_suite_under_the_cursor_as_it_was_read_last() {
    let named = |name: &str, version: &str| {
        let mut some = suite(1);
        let json = some.json.as_deref().unwrap();
        let mut said: Value = serde_json::from_str(json).unwrap();
        said["document"]["Root"]["General"]["ProjectVersionNumber"] = version.into();
        some.json = Some(said.to_string().into());
        some.id = Some(name.into());
        some
    };
    let mut sample = asked((120, 40));
    answer(&mut sample, vec![named("S_1", "7.7.7"), suite(2)]);
    sample.says("7.7.7");
    sample.press("j");
    sample.lacks("7.7.7");
    sample.press("k");
    sample.says("7.7.7");
    sample.act(Action::Refresh);
    answer(&mut sample, vec![named("S_1", "8.8.8"), suite(2)]);
    sample.says("8.8.8");
    // It is beside a wide list unless it was put away, and below a narrow one where it was asked for.
    sample.press("p");
    sample.lacks("8.8.8");
    sample.press("p");
    sample.says("8.8.8");
    let mut narrow = asked((80, 24));
    answer(&mut narrow, vec![named("S_1", "9.9.9"), suite(2)]);
    narrow.lacks("9.9.9");
    narrow.press("p");
    narrow.says("9.9.9");
}

#[test]
fn a_range_of_suites_stays_where_the_list_is_read_again() {
    let mut sample = available((120, 40));
    sample.press("vjj");
    sample.act(Action::Refresh);
    answer(&mut sample, (0..=60).map(suite).collect());
    sample.press("\n");
    sample.says("Add 3 suites to R_");
    // Another suite goes: the cursor stays on its own.
    let whole = verdict(&evidence());
    let mut less = whole.clone();
    less.named.remove(1);
    let mut sample = worked_out((120, 40), whole);
    sample.press("vjj");
    sample.act(Action::Refresh);
    surveyed(&mut sample, less);
    sample.press("x");
    let screen = sample.screen();
    says(&screen, "Remove 2 suites from R_");
    for suite in ["│ S_1  ", "│ S_3  "] {
        assert!(screen.contains(suite), "{suite}: {screen}");
    }
}

#[test]
fn an_open_range_of_suites_takes_none_that_comes_between() {
    let mut sample = available((120, 40));
    let mut listed: Vec<_> = (1..=60).map(suite).collect();
    let between = listed.remove(1);
    sample.act(Action::Refresh);
    answer(&mut sample, listed.clone());
    sample.press("vj");
    listed.insert(1, between);
    sample.act(Action::Refresh);
    answer(&mut sample, listed);
    sample.says("the range has ended, 2 marked");
    sample.press("\n");
    sample.says("Add 2 suites to R_");
    let whole = verdict(&evidence());
    let mut less = whole.clone();
    let between = less.named.remove(1);
    let mut sample = worked_out((120, 40), less);
    sample.press("vj");
    sample.act(Action::Refresh);
    surveyed(&mut sample, whole);
    sample.says("the range has ended, 2 marked");
    sample.press("x");
    sample.says("Remove 2 suites from R_");
    let name = between.row.unwrap().id.unwrap();
    sample.lacks(&format!("│ {name} "));
}

#[test]
fn where_there_is_little_room_the_title_of_a_suite_has_it() {
    let mut sample = worked_out((40, 12), verdict(&evidence()));
    let screen = sample.screen();
    says(&screen, "Payment: refunds");
    lacks(&screen, "compared");
    sample.press("p");
    sample.says("S_1 ");
}

pub fn states(states: &mut States<'_>) {
    available_before_and_without_an_answer(states);
    available_with_a_list(states);
    attached_suites_while_they_are_worked_out(states);
    attached_suites_in_every_state(states);
    explanations(states);
    references_and_marks(states);
    the_preview_of_a_change(states);
    a_change_under_way_and_done(states);
    the_journal_in_its_states(states);
    a_suite(states);
}

#[test]
fn a_closed_run_shows_the_suites_that_were_known_last() {
    let mut sample = Sample::on_closed((80, 24)).pressed("s");
    surveyed(&mut sample, *closed(5, Some(false)));
    let foot = sample.screen().lines().last().unwrap().to_owned();
    for hint in ["/ find", "o sort"] {
        lacks(&foot, hint);
    }
    let mut known = closed(5, Some(false));
    let mut kept = verdict(&evidence()).kept();
    kept.at = NOW - 60_000;
    let all = kept.suites.len();
    sample.press("r");
    known.recall(kept);
    surveyed(&mut sample, *known);
    sample.says(&format!("changed; last known 09:40, {all} of {all}"));
    sample.says("as then");
    sample.press(" ");
    sample.says("The run is closed: its suites cannot be changed");
    sample.press("/1\n");
    sample.says("with \"1\" of");
}

#[test]
fn where_not_all_suites_are_in_sight_the_place_of_the_cursor_is_said() {
    let mut sample = available((80, 24)).pressed("jjj");
    sample.says("suite 4 of 60 to add to R_2");
    sample.press("/pay\n");
    sample.says(" with \"pay\", to add to R_2");
    sample.press("\u{1b} ");
    // With marks there is no room for it.
    lacks(&sample.line("1 marked"), "suite 5 of");
    available((80, 100)).says("60 suites to add to R_2");
    worked_out((40, 10), partial()).says("suite 1 of ");
    worked_out((80, 40), partial()).lacks("suite 1 of ");
}
