//! The open run: what it asks for by itself, when, and what gives it up.

use super::support::mirrored::Mirrored;
use super::support::{evidence, sample, samples_of};
use crate::support::prelude::*;
use evidence::{evidence, list, other};
use rundown::attached::verdict;
use rundown::domain::{Sort, Unfinished};
use rundown::forecast::{Calibration, NoForecast, Outlook};
use rundown::mirror::Depth;
use rundown::store::{CopyWhat, JournalLine, JournalPage, SampleWrite};
use sample::{opened, page};
use samples_of::{Pace, history};

const SIZE: (u16, u16) = (80, 24);

/// Run 7 is open, its document is here, and it has been looked at for as long as it takes.
fn rested() -> Sample {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjj\n");
    sample.answer(30);
    rest(&mut sample);
    sample
}

fn on_document(sample: &mut Sample, number: u64) {
    let result = Ok(Box::new(opened(number)));
    sample.answered(&Slot::Document, Answer::Document(result));
}

/// The pause is over.
fn rest(sample: &mut Sample) {
    sample.answered(&Slot::RestPause, Answer::Timer);
}

fn rests(sample: &Sample) -> bool {
    sample.store.cx.under_way(&Slot::RestPause)
}

fn asks(sample: &Sample) -> bool {
    sample.store.cx.under_way(&Slot::RunSuites)
}

fn surveys(sample: &Sample) -> Vec<&Effect> {
    let survey = |effect: &&Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::Survey { calls: Some(_), .. })
        )
    };
    sample.open.iter().filter(survey).collect()
}

fn worked_out(sample: &mut Sample) {
    let result = Ok(Box::new(verdict(&evidence())));
    sample.answered(&Slot::RunSuites, Answer::Surveyed(result));
}

#[test]
fn suites_are_worked_out_once_the_run_was_looked_at_for_a_while() {
    let mut sample = Sample::list(SIZE, 30);
    assert!(!rests(&sample), "the list starts nothing, nor its preview");
    sample.press("jjjjjjj\n");
    assert!(!rests(&sample), "its document comes first");
    on_document(&mut sample, 7);
    let pause = sample.open.iter().find_map(|effect| match effect {
        Effect::Request(_, Request::Timer { after }) => Some(*after),
        _ => None,
    });
    assert_eq!(pause, Some(300));
    assert!(surveys(&sample).is_empty());
    sample.answer(30);
    rest(&mut sample);
    let run = row(7).doc_ref;
    let asked = surveys(&sample);
    assert!(
        matches!(asked[..], [Effect::Request(_, Request::Survey { run: of, calls: Some(10), .. })] if *of == run),
        "{asked:?}"
    );
    sample.says("looking for them");
    worked_out(&mut sample);
    let screen = sample.screen();
    says(&screen, "── Suites 7 ");
    says(&screen, "S_1 ");
    assert!(!rests(&sample) && !asks(&sample), "once is enough");
    sample.press("jk2345r");
    sample.answer(30);
    assert!(!rests(&sample) && !asks(&sample), "and stays so");
}

#[test]
fn leaving_the_run_gives_them_up_and_coming_back_begins_anew() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjj\n");
    on_document(&mut sample, 7);
    assert!(rests(&sample));
    sample.press("\u{1b}");
    assert!(!rests(&sample) && !asks(&sample));
    let mut sample = rested();
    let id = sample.store.asked(&Slot::RunSuites);
    sample.press("\u{1b}");
    assert!(!asks(&sample));
    assert!(
        sample.open.contains(&Effect::Cancel(id)),
        "{:?}",
        sample.open
    );
    // A late answer is nobody's.
    let result = Ok(Box::new(verdict(&evidence())));
    sample.reply(id, Answer::Surveyed(result));
    sample.act(Action::NextScreen);
    sample.at(Layer::Detail);
    assert!(rests(&sample));
    // Another run takes its place.
    rest(&mut sample);
    sample.press("\u{1b}j\n");
    on_document(&mut sample, 8);
    assert!(rests(&sample) && !asks(&sample));
}

#[test]
fn a_run_that_is_covered_in_time_is_not_asked_about() {
    for keys in ["a", "s", "i"] {
        let mut sample = Sample::list(SIZE, 30);
        sample.press("jjjjjjj\n");
        on_document(&mut sample, 7);
        sample.press(keys);
        assert_eq!(rests(&sample), keys == "i", "{keys}");
        assert!(!asks(&sample), "{keys}");
    }
    // The JSON alone is no run that is looked at, nor is a monitor.
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjji");
    on_document(&mut sample, 7);
    assert!(!rests(&sample));
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjjM");
    assert!(!rests(&sample));
}

#[test]
fn a_closed_run_is_not_asked_about() {
    let mut sample = Sample::on_closed(SIZE).pressed("\n");
    sample.send_document(closed_document(5));
    rest(&mut sample);
    assert!(!asks(&sample) && surveys(&sample).is_empty());
    let screen = sample.screen();
    says(&screen, "CLOSED\n");
    says(
        &screen,
        "5 suites. Closed: its suites cannot be listed or changed.",
    );
}

#[test]
fn what_is_not_known_for_sure_says_so() {
    let mut partly = evidence();
    partly.other_runs = vec![other(3, 5, list(6..=10))];
    let mut unchecked = evidence();
    (unchecked.target.count_before, unchecked.target.count_after) = (None, None);
    for other in &mut unchecked.other_runs {
        (other.count_before, other.count_after) = (None, None);
    }
    let mut changing = evidence();
    changing.target.count_after = Some(8);
    for (evidence, words) in [
        (partly, "2 of 7 suites known: s looks for the rest"),
        (unchecked, "known, maybe not all: s explains"),
        (changing, "changed while it was read: s explains"),
    ] {
        let mut sample = rested();
        let result = Ok(Box::new(verdict(&evidence)));
        sample.answered(&Slot::RunSuites, Answer::Surveyed(result));
        sample.says(words);
    }
    let mut sample = rested();
    let result = Err(failure().with(|it| it.may_retry = true));
    sample.answered(&Slot::RunSuites, Answer::Surveyed(result));
    let screen = sample.screen();
    says(&screen, "They could not be worked out: no connection");
    assert!(sample.store.notice().is_none(), "nobody asked for them");
    assert!(!rests(&sample));
    sample.press("r");
    on_document(&mut sample, 7);
    assert!(rests(&sample), "r tries that, too");
}

#[test]
fn counts_older_than_the_run_are_read_with_it_and_keep_their_time() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjj\n");
    assert!(!sample.store.cx.under_way(&Slot::Counts));
    on_document(&mut sample, 7);
    sample.lacks("as of");
    sample.press("\u{1b}");
    sample.now += 61_000;
    sample.press("\n");
    let id = sample.store.asked(&Slot::Counts);
    on_document(&mut sample, 7);
    sample.says("as of 09:41");
    // The service tells no counts any more: those of before are no newer for that.
    let page = |results: Option<ResultCounts>| RunsPage {
        full_size: 1,
        rows: vec![row(7).with(|it| it.results = results)],
        facets: None,
        operation: Some(RunsOperation::ListTestRuns),
    };
    sample.runs(id, Ok(page(None)));
    sample.says("as of 09:41");
    sample.press("r");
    let id = sample.store.asked(&Slot::Counts);
    on_document(&mut sample, 7);
    sample.runs(id, Ok(page(row(7).results)));
    sample.lacks("as of");
}

#[test]
fn suites_that_their_list_knows_whole_hold_on_the_run() {
    let mut partly = evidence();
    partly.other_runs = vec![other(3, 5, list(6..=10))];
    let mut sample = rested();
    let result = Ok(Box::new(verdict(&partly)));
    sample.answered(&Slot::RunSuites, Answer::Surveyed(result));
    sample.says("2 of 7 suites known");
    sample.press("s");
    let whole = Ok(Box::new(verdict(&evidence())));
    sample.answered(&Slot::Attached, Answer::Surveyed(whole));
    sample.press("\u{1b}");
    let screen = sample.screen();
    lacks(&screen, "suites known");
    says(&screen, "S_7 ");
}

#[test]
fn a_change_of_its_suites_makes_them_be_worked_out_anew() {
    let mut sample = rested();
    worked_out(&mut sample);
    // The count says that they are others by now.
    sample.press("r");
    on_document(&mut sample, 7);
    let id = sample.store.asked(&Slot::Counts);
    let mut counted = row(7);
    counted.suite_count = Some(8);
    let page = RunsPage {
        full_size: 1,
        rows: vec![counted],
        facets: None,
        operation: Some(RunsOperation::ListTestRuns),
    };
    sample.runs(id, Ok(page));
    assert!(rests(&sample));
    assert!(
        sample.screen().contains("S_1 "),
        "the old ones stay meanwhile"
    );
}

#[test]
fn complete_suites_are_handed_to_their_screen_and_keys_say_where_they_work() {
    let mut sample = rested();
    worked_out(&mut sample);
    sample.press("x");
    let said = sample.store.notice().unwrap().text.clone();
    assert_eq!(said, "suites are removed from their list: s shows it");
    sample.press("\n");
    let said = sample.store.notice().unwrap().text.clone();
    assert_eq!(said, "the service does not tell cases one by one");
    sample.store.cx.shared.session.as_mut().unwrap().web_url =
        Some("https://w.example/{id}".into());
    sample.press("\n");
    let said = sample.store.notice().unwrap().text.clone();
    says(
        &said,
        "one by one; :web opens the run in the web application",
    );
    sample.at(Layer::Detail);
    sample.press("2\n");
    sample.at(Layer::Attached);
    assert!(sample.store.attached().unwrap().verdict.value().is_some());
    assert!(
        !sample.store.cx.under_way(&Slot::Attached),
        "they are known"
    );
    sample.act(Action::Refresh);
    assert!(sample.store.cx.under_way(&Slot::Attached));
}

#[test]
fn the_history_has_own_changes_changes_seen_and_counts_newest_first() {
    let mut sample = Sample::list((120, 24), 30);
    sample.press("jjjjjjj\n");
    sample.answer(30);
    sample.says("R_7");
    sample.press("3");
    sample.says("no changes seen");
    let id = sample.store.asked(&Slot::OwnChanges);
    let own = |minutes: i64, what: &str, good: bool| JournalLine {
        at: NOW - minutes * 60_000,
        good,
        ..journal_line("1", "R_7", what)
    };
    sample.reply(
        id,
        Answer::Journal(Ok(JournalPage {
            lines: vec![
                own(3, "removed S_1 partner portal", true),
                own(20, "add S_1, S_15", false),
                own(
                    30,
                    "add S_1, S_2, S_3, S_4, S_5, S_6, S_7, S_8, S_9, S_10, S_11, S_19",
                    false,
                ),
            ],
            problem: None,
        })),
    );
    let id = sample.store.asked(&Slot::History);
    let mut told = history(Pace::Thin, NOW);
    told.moved[0].at = NOW - 10 * 60_000;
    told.moved.truncate(1);
    sample.reply(id, Answer::History(Ok(Box::new(told))));
    // Somebody else renames it; what is counted there is told by the samples already.
    let mut renamed = row(7);
    renamed.title.as_mut().unwrap().push_str(", renamed");
    renamed.edited_by = Some("trung".into());
    renamed.edited_on = Some(NOW);
    renamed.progress = Some(99);
    sample.reads_again(page(FIRST, 8).with(|it| it.rows = vec![renamed]));
    let screen = sample.screen();
    let lines: Vec<&str> = screen
        .lines()
        .skip_while(|line| !line.contains("── History"))
        .skip(1)
        .map(str::trim)
        .take(4)
        .collect();
    assert!(lines[0].starts_with("09:41  trung  Title"), "{lines:?}");
    assert!(!lines[0].contains("Progress"), "{lines:?}");
    assert_eq!(lines[1], "09:38  you    removed S_1 partner portal");
    assert!(lines[2].starts_with("09:31         Passed"), "{lines:?}");
    assert_eq!(lines[3], "09:21  you    end not known: add S_1, S_15");
    // Cut where there is less room, it does not look as if it were done.
    sample.resize((120, 40));
    let cut = sample.line("09:11  you");
    says(&cut, "end not known: add S_1,");
    lacks(&cut, "S_19");
    // What differs in two long titles is seen.
    sample.says("Title \"…an hold it\" → \"…an hold it,\n");
    sample.says("  renamed\"\n");
}

#[test]
fn what_another_user_of_the_profile_changed_is_not_told_as_ones_own() {
    let mut sample = Sample::list((160, 48), 30);
    sample.press("jjjjjjj\n");
    sample.answer(30);
    sample.press("3");
    let id = sample.store.asked(&Slot::OwnChanges);
    let own = |by: &str, what: &str| journal_line("1", "R_7", what).with(|it| it.by = by.into());
    let page = JournalPage {
        lines: vec![own("bob", "bobs"), own("QA", "mine"), own("", "earlier")],
        problem: None,
    };
    sample.reply(id, Answer::Journal(Ok(page)));
    for line in ["bob  bobs", "you  mine", "you  earlier"] {
        sample.says(line);
    }
}

#[test]
fn where_the_forecast_wants_a_reading_of_now_it_is_made_once() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjj\n");
    let old = |sample: &mut Sample| {
        let id = sample.store.asked(&Slot::History);
        let mut history = history(Pace::Steady, NOW);
        history.outlook = Outlook::Refused(NoForecast::Old(8 * 3_600_000));
        let result = Ok(Box::new(history));
        sample.reply(id, Answer::History(result));
    };
    assert!(!sample.store.cx.under_way(&Slot::Counts));
    old(&mut sample);
    let id = sample.store.asked(&Slot::Counts);
    sample.says(
        "No forecast: needs a reading of the last 2 h (the newest is 8 h\n  old); r makes one\n",
    );
    sample.runs(id, Err(failure()));
    // What was kept is looked at again, and is as old as before.
    old(&mut sample);
    assert!(!sample.store.cx.under_way(&Slot::Counts), "once is enough");
    // Of a closed run there is no forecast.
    let mut sample = Sample::on_closed(SIZE).pressed("\n");
    old(&mut sample);
    assert!(!sample.store.cx.under_way(&Slot::Counts));
}

/// The first line of the run.
fn head(sample: &Sample) -> String {
    sample.screen().lines().nth(1).unwrap().to_owned()
}

#[test]
fn a_due_date_of_the_list_is_in_the_head_of_the_run_and_in_the_monitor() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjjd");
    let screen = sample.screen();
    sample.on(Layer::Typing);
    says(&screen, "due ");
    says(&screen, "of R_7, e.g. Mon, Mon 17:00, 27 Nov; empty: none");
    sample.press("soon\n");
    sample.says("not a date; e.g. Mon, Mon 17:00, 27 Nov");
    sample.press("\u{1b}");
    sample.on(Layer::Runs);
    assert!(sample.store.cx.shared.due.runs.is_empty());
    sample.press("d27 Nov\n");
    let screen = sample.screen();
    says(&screen, "R_7 is due Fri 27 Nov 2026, end of the day");
    let run = row(7).doc_ref;
    let kept = |sample: &Sample| {
        let dates = sample.open.iter().filter_map(|effect| match effect {
            Effect::Samples(SampleWrite::SetDue {
                of: DueOf::Run(run),
                at,
            }) => Some((run.clone(), *at)),
            _ => None,
        });
        dates.collect::<Vec<_>>()
    };
    assert_eq!(kept(&sample), [(run.clone(), Some(1_795_823_999_000))]);
    sample.press("\n");
    sample.answer(30);
    let line = head(&sample);
    says(&line, "due 27 Nov  OPEN");
    // The prompt of the run is the same, and knows the date; so is that of the monitor.
    sample.press("d");
    let screen = sample.screen();
    says(
        &screen,
        "of R_7, now Fri 27 Nov 2026, end of the day; empty: none",
    );
    // A key that has nothing to do there says so, also where it is the first one for long.
    let mut tab = sample.clone();
    tab.store.cx.shared.used = None;
    tab.press("\t");
    assert_eq!(tab.said(), "that does nothing here now");
    // Without one of its own it has that of its release.
    let shared = &mut sample.store.cx.shared;
    let release = DueOf::Release("1.2.0".into());
    shared.due.set(release.clone(), Some(1_795_823_999_000));
    let screen = sample.screen();
    says(&screen, "; empty: Fri 27");
    says(&screen, "Nov 2026, end of the day, by its release");
    sample.press("\n");
    sample.says("R_7 is due Fri 27 Nov 2026, end of the day, by its release");
    sample.store.cx.shared.due.set(release, None);
    sample.press("d2026-11-19\n");
    let line = head(&sample);
    says(&line, "due yesterday LATE  OPEN");
    sample.press("M");
    let monitor = sample.store.monitor().unwrap();
    assert!(monitor.current().unwrap().standing.late);
    sample.says("1 LATE");
    sample.press("d\n");
    assert!(
        !sample
            .store
            .monitor()
            .unwrap()
            .current()
            .unwrap()
            .standing
            .late
    );
    sample.press("\u{1b}");
    sample.on(Layer::Detail);
    let line = head(&sample);
    lacks(&line, "due");
    lacks(&line, "LATE");
    assert_eq!(kept(&sample).last(), Some(&(run, None)));
}

#[test]
fn the_left_arrow_leads_back_from_a_run() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("\n");
    sample.key(KeyCode::Left.into());
    sample.on(Layer::Runs);
}

#[test]
fn my_changes_are_seen_from_the_monitor() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("M@");
    sample.on(Layer::Journal);
    sample.press("\u{1b}");
    sample.on(Layer::Monitor);
}

#[test]
fn another_user_sees_nothing_of_the_run_that_was_open() {
    let mut sample = rested();
    sample.says("› R_7");
    for (user, stays) in [("qa", true), ("QA", true), ("somebody.else", false)] {
        sample.event(Event::SignedIn { user: user.into() });
        assert_eq!(sample.screen().contains("› R_7"), stays, "{user}");
        assert_eq!(sample.store.screens.run.is_some(), stays, "{user}");
    }
}

/// Which runs are watched is a choice; what is in them is read by the next user, as far as it may be.
#[test]
fn of_watched_runs_another_user_sees_what_can_be_read_as_that_user() {
    let mut sample = Sample::list(SIZE, 30).pressed("  M");
    sample.says("Performance test");
    // Nothing is kept on this machine of what that user may see.
    sample.mirrored = Mirrored::new(&session());
    sample.open.clear();
    let user = "somebody.else".into();
    sample.event(Event::SignedIn { user });
    for (name, title) in [("R_0", "Performance test"), ("R_1", "Regression payment")] {
        sample.says(name);
        sample.lacks(title);
    }
    let id = sample.store.asked(&Slot::ReadRuns(Layer::Monitor));
    let lists = ["R_0", "R_1"].map(Filter::by_id).to_vec();
    let mut service = |_, _: &[Sort], filter: &Filter| {
        let runs = u64::from(*filter == Filter::by_id("R_0"));
        Ok(page(FIRST, runs).with(|it| it.full_size = runs))
    };
    sample.read_runs(id, (Depth::Watch, lists), &mut service);
    sample.says("Performance test");
    sample.says("R_1");
    sample.lacks("Regression payment");
}

/// Whatever it shows was read before, and nobody reads it again behind the list.
#[test]
fn no_screen_that_was_left_is_shown_again_to_another_user() {
    for user in ["qa", "somebody.else"] {
        let mut sample = Sample::list(SIZE, 30).pressed("H\u{1b}");
        sample.event(Event::SignedIn { user: user.into() });
        sample.act(Action::NextScreen);
        let shown = sample.store.screen() == Layer::Changes;
        assert_eq!(shown, user == "qa");
    }
}

#[test]
fn what_is_being_read_is_read_anew_for_another_user() {
    let mut sample = rested();
    sample.press("\u{1b}r");
    sample.act(Action::Copy(CopyWhat::Json));
    let copies = |sample: &Sample| {
        let is_copy = |slot: &Slot| matches!(slot, Slot::Json { .. });
        sample.store.waits(is_copy).is_some()
    };
    assert!(copies(&sample));
    let reads = |effects: &[Effect]| {
        effects.iter().find_map(|effect| match effect {
            Effect::Request(id, Request::ReadRuns { depth, .. }) => Some((*id, *depth)),
            _ => None,
        })
    };
    let (first, depth) = reads(&sample.effects()).unwrap();
    assert_eq!(depth, Depth::Refresh);
    let user = "somebody.else".into();
    sample.event(Event::SignedIn { user });
    let effects = sample.effects();
    assert!(effects.contains(&Effect::Cancel(first)), "{effects:?}");
    assert!(!copies(&sample), "it is not for that user");
    let (_, depth) = reads(&effects).unwrap();
    assert_eq!(depth, Depth::Start);
}

/// The boxes that tell of runs tell what the one before could read.
#[test]
fn no_box_over_the_list_tells_another_user_of_runs() {
    for (key, layer) in [
        ("y", Layer::CopyMenu),
        ("f", Layer::Picker),
        ("@", Layer::Journal),
        ("d", Layer::Typing),
    ] {
        for (user, stays) in [("qa", true), ("somebody.else", false)] {
            let mut sample = Sample::list(SIZE, 30).pressed(key);
            assert_eq!(sample.store.layer(), layer);
            sample.event(Event::SignedIn { user: user.into() });
            assert_eq!(sample.store.layer() == layer, stays, "{key} {user}");
        }
    }
}

#[test]
fn a_board_is_read_anew_for_another_user() {
    let mut sample = rested();
    sample.press("\u{1b}B");
    let reads = |effects: Vec<Effect>| {
        let of_board = |effect: &Effect| {
            matches!(
                effect,
                Effect::Request(
                    _,
                    Request::ReadRuns {
                        depth: Depth::List,
                        ..
                    }
                )
            )
        };
        effects.iter().filter(|it| of_board(it)).count()
    };
    assert_eq!(reads(sample.effects()), 1);
    let user = "somebody.else".into();
    sample.event(Event::SignedIn { user });
    assert_eq!(reads(sample.effects()), 1);
    lacks(&sample.screen(), "given up");
}

#[test]
fn the_hints_of_a_run_name_no_key_that_only_says_where_it_works() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("\n");
    sample.answer(30);
    let screen = sample.screen();
    says(&screen, "a add suites  s suites  e edit ");
    lacks(&screen, "x remove");
}

#[test]
fn cases_on_hold_are_told_as_the_service_calls_them() {
    let mut world = World::new(SIZE, 8);
    world.runs[7].testers = vec!["QA".into()];
    let (from, external) = (ResultCode::Untested, ResultCode::OnHoldExternal);
    world.record(7, from, external, 2);
    world.record(7, from, ResultCode::OnHoldInternal, 1);
    world.refresh();
    world.press("G\n");
    world.answer();
    let screen = world.screen();
    says(&screen, "On hold (external)     2");
    says(&screen, "On hold (internal)     1");
    says(&screen, " you\n");
}

#[test]
fn a_line_of_the_json_that_is_cut_is_read_to_its_end() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("i");
    sample.lacks("line 1 of");
    sample.answer(30);
    let screen = sample.screen();
    says(&screen, "line 1 of ");
    says(&screen, "→ shows more of a line that is cut");
    lacks(&screen, "peak hour");
    let end = |sample: &Sample| sample.screen().contains("40 users.");
    for _ in 0..4 {
        sample.key(KeyCode::Right.into());
    }
    assert!(end(&sample), "{}", sample.screen());
    let cut = sample.screen();
    assert!(cut.contains("\n  …"), "what is hidden at the left: {cut}");
    // Behind the end is nothing.
    for _ in 0..40 {
        sample.press("l");
    }
    assert!(end(&sample), "{}", sample.screen());
    for _ in 0..40 {
        sample.press("h");
    }
    assert_eq!(sample.screen(), screen);
    // What is looked for comes into view, too.
    sample.press("/40 users\n");
    assert!(end(&sample), "{}", sample.screen());
    sample.press("\u{1b}/docRef\n");
    sample.says("\"docRef\"");
}

#[test]
fn a_long_json_is_read_to_its_end_where_there_is_little_room() {
    let mut sample = Sample::list((80, 10), 30);
    sample.press("i");
    sample.answer(30);
    let detail = sample.store.detail().unwrap();
    let lines = detail.document.value().unwrap().json.clone();
    let mut told = lines.iter().filter(|line| line.contains(':'));
    let first = told.next().unwrap();
    let last = told.next_back().unwrap();
    sample.says(first);
    sample.press("G");
    sample.says(last);
    sample.lacks(first);
}

#[test]
fn without_anything_to_forecast_from_its_tab_is_not_there_and_4_says_what_it_needs() {
    let told = |sample: &Sample| sample.store.notice().map(|it| it.text.clone());
    for (pace, needs) in [
        (None, Some("the forecast is being worked out…")),
        (
            Some(Pace::One),
            Some("No forecast: needs 2 h of readings (0 min so far)"),
        ),
        (Some(Pace::Steady), None),
    ] {
        let mut sample = rested();
        if let Some(pace) = pace {
            let result = Ok(Box::new(history(pace, NOW)));
            sample.answered(&Slot::History, Answer::History(result));
        }
        let tabs = sample.screen().lines().nth(4).unwrap().to_owned();
        assert_eq!(tabs.contains("4 Forecast"), needs.is_none(), "{tabs}");
        says(&tabs, "3 History  ");
        says(&tabs, "5 Details");
        sample.press("34");
        assert_eq!(told(&sample).as_deref(), needs);
        let part = sample.store.detail().unwrap().part;
        assert_eq!(part, if needs.is_none() { 3 } else { 2 });
        // Tab passes over it.
        sample.press("3\t");
        let part = sample.store.detail().unwrap().part;
        assert_eq!(part, if needs.is_none() { 3 } else { 4 });
    }
}

#[test]
fn a_run_whose_cases_are_all_finished_says_so_and_one_without_cases_does_not() {
    let done = "No forecast: all cases are finished";
    for (cases, says_so) in [(0, false), (1, true), (2, true)] {
        let mut sample = Sample::list(SIZE, 30);
        let mut results = ResultCounts::default();
        for code in ResultCode::ALL {
            results.add(code, 0);
        }
        results.add(ResultCode::Passed, cases);
        let run = row(7).with(|it| it.results = Some(results));
        sample.reads_again(page(FIRST, 30).with(|it| it.rows = vec![run]));
        sample.press("jjjjjjj\n");
        sample.press("4");
        let said = sample.said();
        assert_eq!(said == done, says_so, "{cases}: {said}");
    }
}

#[test]
fn beside_the_pace_stands_the_one_that_is_needed_and_how_often_forecasts_came_true() {
    let mut sample = rested();
    let result = Ok(Box::new(history(Pace::Steady, NOW)));
    sample.answered(&Slot::History, Answer::History(result));
    sample.press("4");
    sample.lacks("needed");
    sample.lacks("its middle");
    sample.press("d21 Nov 9:42\n");
    // 48 cases in a day of which all hours count.
    let screen = sample.screen();
    says(
        &screen,
        "68 of 116 done, 2.1 an hour over 32 h observed, 2.0 needed",
    );
    // Why it is late with a pace that would do.
    says(&screen, "LATE");
    says(&screen, ", its middle ");
    sample.lacks("here 34 held");
    let found = Calibration {
        forecasts: 41,
        runs: 9,
        held: 34,
    };
    sample.answered(&Slot::Calibration, Answer::Calibration(Some(found)));
    sample.says("Of 41 forecasts for 9 runs here 34 held");
    // It is asked once.
    sample.press("1");
    assert!(!sample.store.cx.under_way(&Slot::Calibration));
}

#[test]
fn a_run_that_is_not_found_is_named() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jjjjjjj\n");
    let result = Err(Failure {
        kind: FailureKind::NotFound,
        asked: "reading the run".into(),
        cause: "not found (-32004): see the [log of] changes".into(),
        log: Some("7e73".into()),
        ..failure()
    });
    sample.answered(&Slot::Document, Answer::Document(result));
    sample.says("reading R_7: not found (-32004): see the [log of] changes.");
    sample.says("Not read, r tries again: not found (-32004): see the [log of] changes");
    sample.lacks("7e73");
    sample.press("!");
    sample.says("reading R_7: not found");
    sample.says("[log 7e73]");
}

#[test]
fn the_problem_that_is_read_stays_under_the_cursor_whatever_comes_in() {
    let mut sample = Sample::list(SIZE, 30);
    let fails = |sample: &mut Sample, asked: &str| {
        sample.event(Event::Trouble(Failure {
            asked: asked.into(),
            remedy: format!("This helps {asked}."),
            ..failure()
        }));
    };
    fails(&mut sample, "one");
    fails(&mut sample, "two");
    sample.press("!j");
    sample.says("This helps one.");
    fails(&mut sample, "three");
    sample.says("This helps one.");
    sample.event(Event::Unfinished {
        changes: vec![Unfinished {
            job: "job".into(),
            write: "newest".into(),
            words: "a change".into(),
            elsewhere: None,
            is_of_other_service: false,
        }],
        first: false,
    });
    fails(&mut sample, "two");
    sample.says("This helps one.");
    // Keys go on from there.
    sample.press("k");
    sample.says("This helps three.");
    // The same once more is that problem, wherever it stands now.
    fails(&mut sample, "three");
    sample.says("This helps three.");
    sample.press("j");
    sample.says("This helps two.");
}

#[test]
fn what_writes_to_a_run_that_is_not_found_is_not_offered() {
    let mut sample = Sample::list((120, 40), 30);
    sample.press("jjjjjjj\n");
    let hints = |sample: &Sample| sample.screen().lines().last().unwrap().to_owned();
    let has_any = |hints: &str| {
        let words = ["add suites", "edit", "clone", "delete"];
        words.map(|words| hints.contains(words))
    };
    assert_eq!(has_any(&hints(&sample)), [true; 4]);
    let result = Err(Failure {
        kind: FailureKind::NotFound,
        cause: "not found (-32004)".into(),
        ..failure()
    });
    sample.answered(&Slot::Document, Answer::Document(result));
    assert_eq!(has_any(&hints(&sample)), [false; 4], "{}", hints(&sample));
    for key in ["a", "e", "C", "D", "x"] {
        sample.open.clear();
        sample.press(key);
        assert_eq!(sample.store.layer(), Layer::Detail, "{key}");
        assert_eq!(
            sample.said(),
            "R_7 was not found: r reads it again",
            "{key}"
        );
        assert!(sample.open.is_empty(), "{key}: {:?}", sample.open);
    }
    // What was deleted from here is rebuilt by undo.
    says(&hints(&sample), "undo");
    sample.press("?");
    let help = sample.screen();
    let refused = help.lines().filter(|line| line.contains("not found  "));
    assert_eq!(refused.count(), 5, "{help}");
    sample.act(Action::Back);
    sample.press("r");
    on_document(&mut sample, 7);
    assert_eq!(has_any(&hints(&sample)), [true; 4]);
    sample.press("D");
    assert!(sample.store.delete().is_some());
}

#[test]
fn the_next_match_is_offered_once_something_is_searched_for() {
    let mut sample = Sample::list(SIZE, 30).pressed("\n");
    on_document(&mut sample, 0);
    sample.press("i");
    let foot = |sample: &Sample| sample.screen().lines().last().unwrap().to_owned();
    begins(&foot(&sample), "/ search");
    lacks(&foot(&sample), "n N");
    sample.press("n");
    assert_eq!(
        sample.said(),
        "nothing is searched for yet; / begins a search"
    );
    sample.press("/Status\n");
    says(&foot(&sample), "n N next, previous");
    sample.press("n");
    assert_eq!(sample.said(), "");
}
