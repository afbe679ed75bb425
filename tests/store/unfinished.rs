//! A change whose end is not known: told at the start, read and shown before anything of it is sent.

use crate::support::prelude::*;
use rundown::domain::{SuiteChange, Unfinished, UnfinishedChange};
use rundown::store::{JournalLine, Plan};

fn started() -> Sample {
    started_in(None)
}

/// The change was made in this project, if that is not the one in use.
fn started_in(project: Option<&str>) -> Sample {
    let mut sample = Sample::list((120, 40), 30);
    tells(&mut sample, project);
    sample
}

fn tells(sample: &mut Sample, project: Option<&str>) {
    sample.event(Event::Unfinished {
        changes: vec![Unfinished {
            job: "job".into(),
            write: "newest".into(),
            words:
                "3 of 5 requests of \"add 100 suites to R_3\" were sent before the program ended"
                    .into(),
            elsewhere: project.map(str::to_owned),
            is_of_other_service: false,
        }],
        first: true,
    });
}

fn looks(sample: &mut Sample) -> RequestId {
    let place = sample
        .open
        .iter()
        .position(|effect| matches!(effect, Effect::Request(_, Request::ReadUnfinished { .. })));
    match sample.open.remove(place.unwrap()) {
        Effect::Request(id, Request::ReadUnfinished { job }) => {
            assert_eq!(job, "job");
            id
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_change_of_another_project_is_told_as_that() {
    begins(started().said(), "3 of 5 requests of");
    let there = "it was made in P_12: change to that project first";
    let said = started_in(Some(there)).said().to_owned();
    begins(&said, "3 of 5 requests of");
    says(&said, there);
}

/// What is left is asked for, and was read.
fn goes_on(sample: &mut Sample, change: Option<SuiteChange>, end: End) {
    sample.act(Action::GoOn);
    let id = looks(sample);
    let result = Ok(rest(change, end));
    sample.reply(id, Answer::UnfinishedRead(result));
}

fn rest(change: Option<SuiteChange>, end: End) -> Box<UnfinishedChange> {
    Box::new(UnfinishedChange {
        job: "job".into(),
        found: vec![
            "3 of 5 requests of \"add 100 suites to R_3\" were sent before the program ended."
                .into(),
            "60 suites added to R_3.".into(),
            "40 suites are left.".into(),
        ],
        change,
        left: None,
        end,
    })
}

/// A left probe run is deleted in the box of all deletions, and only there.
#[test]
fn a_probe_run_that_was_left_behind_is_deleted_as_any_run() {
    let mut sample = started();
    sample.act(Action::GoOn);
    let id = looks(&mut sample);
    let left = (*rest(None, End::Unknown)).with(|it| it.left = Some(Box::new(row(9))));
    sample.reply(id, Answer::UnfinishedRead(Ok(Box::new(left))));
    assert!(sample.store.confirm().is_none());
    assert_eq!(sample.store.delete().unwrap().word(), "R_9");
    sample.says("60 suites added to R_3.");
    sample.act(Action::Back);
    assert_eq!(sample.store.unfinished().len(), 1, "it is told again");
}

fn change() -> SuiteChange {
    let suites = (0..40).map(|number| {
        let suite = DocRef::parse(&format!("TestSuite-dm/{number}")).unwrap();
        (suite, format!("S_{number} Suite"))
    });
    SuiteChange::of(&row(3), true, suites.collect())
}

fn sends(sample: &Sample) -> bool {
    let sends = |effect: &Effect| matches!(effect, Effect::Request(_, Request::ChangeSuites(_)));
    sample.open.iter().any(sends)
}

fn journal(sample: &mut Sample) {
    let line = |write: &str| journal_line(write, "R_3 Title", "what");
    sample.journal(vec![line("newest"), line("older")]);
}

#[test]
fn it_is_told_shown_and_sent_after_a_yes_only() {
    let mut sample = started();
    sample.says("3 of 5 requests of");
    sample.says("@ shows it");
    sample.press("!");
    let words = "end not known: 3 of 5 requests of \"add 100 suites to R_3\"";
    sample.says(words);
    sample.says("@ opens my ");
    sample.says("Enter there reads what is left.");
    let reads = |effect: &Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::ReadJournal { run: None })
        )
    };
    assert_eq!(sample.effects().iter().filter(|it| reads(it)).count(), 1);
    journal(&mut sample);
    let shown = sample.screen();
    assert_eq!(shown.matches("end not known").count(), 1, "{shown}");
    says(&shown, "Enter reads what is left");
    says(&shown, "Enter go on…");
    // What stands there is found, and by it alone.
    for (words, found, other) in [
        ("not known", "end not known R_3", "done "),
        ("done", "done  ", "end not known R_3"),
    ] {
        sample.press("/");
        sample.press(words);
        sample.press("\n");
        let shown = sample.screen();
        says(&shown, found);
        lacks(&shown, other);
        sample.act(Action::Back);
    }
    sample.press("j");
    sample.says("Enter undo…");
    sample.press("k\n");
    let id = looks(&mut sample);
    let result = Ok(rest(Some(change()), End::Done));
    sample.reply(id, Answer::UnfinishedRead(result));
    let shown = sample.screen();
    says(&shown, "Add 40 suites to R_3");
    says(&shown, "60 suites added to R_3.");
    for name in ["TEST_SUITES", "DocRef"] {
        lacks(&shown, name);
    }
    assert!(!sends(&sample));
    sample.press("\n");
    sample.on(Layer::Runs);
    let sent: Vec<_> = sample
        .open
        .iter()
        .filter_map(|effect| match effect {
            Effect::Request(_, Request::ChangeSuites(change)) => {
                Some((change.goes_on.as_deref(), change.suites.len()))
            }
            _ => None,
        })
        .collect();
    assert_eq!(sent, [(Some("job"), 40)]);
    assert!(sample.store.unfinished().is_empty());
}

#[test]
fn a_long_question_can_be_read_to_its_end_and_its_request_from_the_beginning() {
    let mut sample = started();
    goes_on(&mut sample, Some(change()), End::Done);
    sample.act(Action::Move(Motion::Last));
    sample.says("S_39");
    sample.act(Action::Move(Motion::Up));
    sample.says("↓ 1 more");
    sample.act(Action::Raw);
    // No button is seen, and none is pressed.
    sample.press("\t\n");
    sample.says("│ {");
    assert!(!sends(&sample));
    sample.act(Action::Back);
    sample.says("60 suites added to R_3.");
}

#[test]
fn esc_sends_nothing_and_it_can_be_asked_for_again() {
    let mut sample = started();
    for _ in 0..2 {
        goes_on(&mut sample, Some(change()), End::Done);
        sample.act(Action::Back);
        assert!(sample.store.confirm().is_none());
    }
    assert!(!sends(&sample));
    assert_eq!(sample.store.unfinished().len(), 1);
}

/// Why nobody is signed in was seen under `!` alone, and `r`, which tries again, told the old change anew.
#[test]
fn a_change_of_another_project_does_not_hide_why_nobody_is_signed_in() {
    let there = Some("it was made in P_12: change to that project first");
    let refused = || {
        Failure::new(
            FailureKind::SignIn,
            "signing in",
            "$CSEC is not set",
            "Set it.",
        )
    };
    for (project, hidden) in [(there, false), (None, true)] {
        let mut sample = started_in(project);
        let told = if project.is_some() {
            "made in P_12"
        } else {
            "before the program ended"
        };
        sample.says(told);
        // A reading that works does not take it away.
        sample.store.cx.works_again();
        sample.says(told);
        sample.act(Action::Refresh);
        tells(&mut sample, project);
        assert!(
            !sample.screen().contains(told),
            "told once: {}",
            sample.screen()
        );
        let mut sample = started_in(project);
        sample.store.cx.failed(refused());
        assert_eq!(
            sample.screen().contains("$CSEC is not set"),
            !hidden,
            "{}",
            sample.screen()
        );
        assert_eq!(sample.screen().contains(told), hidden);
        // Whichever comes first.
        let mut sample = Sample::list((120, 40), 30);
        sample.store.cx.failed(refused());
        tells(&mut sample, project);
        assert_eq!(sample.screen().contains(told), hidden);
    }
}

#[test]
fn another_profile_is_not_asked_about_it() {
    for (profile, left) in [("demo", 1), ("prod", 0)] {
        let mut sample = started();
        goes_on(&mut sample, Some(change()), End::Done);
        sample.uses(profile);
        assert!(sample.store.confirm().is_none());
        assert_eq!(sample.store.unfinished().len(), left, "{profile}");
    }
}

#[test]
fn the_oldest_is_told_and_read_first_and_one_at_a_time() {
    let mut sample = started();
    let mut changes = sample.store.unfinished().to_vec();
    changes.push(Unfinished {
        job: "newer".into(),
        words: "a newer one".into(),
        ..changes[0].clone()
    });
    let first = true;
    sample.event(Event::Unfinished { changes, first });
    sample.says("add 100 suites to R_3\" were sent before the program ended; @ shows all 2 of");
    sample.act(Action::GoOn);
    let before = looks(&mut sample);
    journal(&mut sample);
    sample.press("\n");
    assert!(sample.open.contains(&Effect::Cancel(before)));
    // My changes show that it is over.
    let id = looks(&mut sample);
    sample.open.clear();
    let result = Ok(rest(None, End::Done));
    sample.reply(id, Answer::UnfinishedRead(result));
    assert!(matches!(
        sample.open[..],
        [Effect::Request(_, Request::ReadJournal { run: None })]
    ));
}

/// Somebody who went elsewhere meanwhile gets no box under his keys.
#[test]
fn a_reading_that_comes_late_opens_nothing() {
    let mut sample = started();
    sample.act(Action::GoOn);
    let id = looks(&mut sample);
    sample.press("?");
    let result = Ok(rest(Some(change()), End::Done));
    sample.reply(id, Answer::UnfinishedRead(result));
    assert!(sample.store.confirm().is_none());
    let asks = "It was read what is left of the change: ask again to see it";
    assert_eq!(sample.said(), asks);
    sample.act(Action::Back);
    sample.act(Action::GoOn);
    let id = looks(&mut sample);
    sample.reply(id, Answer::UnfinishedRead(Err(failure())));
    assert_eq!(
        (sends(&sample), sample.store.unfinished().len()),
        (false, 1)
    );
}

#[test]
fn what_stays_unknown_can_be_left_at_that_and_what_is_over_is_said() {
    let mut sample = started();
    goes_on(&mut sample, None, End::Unknown);
    let plan = &sample.store.confirm().unwrap().asks.plan;
    assert_eq!(*plan, Plan::LetBe { job: "job".into() });
    // Cancel has the focus.
    sample.press("\n");
    assert_eq!(sample.store.unfinished().len(), 1);
    goes_on(&mut sample, None, End::Unknown);
    sample.press("\t\n");
    assert!(sample.open.contains(&Effect::LetBe { job: "job".into() }));
    assert!(sample.store.unfinished().is_empty());
    // What may be in effect is not added by an Enter alone.
    let mut sample = started();
    sample.act(Action::GoOn);
    let id = looks(&mut sample);
    let result = Ok(rest(Some(change()), End::Unknown));
    sample.reply(id, Answer::UnfinishedRead(result));
    sample.says("[ Cancel ]");
    let mut sample = started();
    goes_on(&mut sample, None, End::Done);
    let told = sample.store.notice().unwrap().text.clone();
    says(&told, "60 suites added to R_3.");
    assert!(sample.store.confirm().is_none() && sample.store.unfinished().is_empty());
    // A change under way is waited for.
    let mut sample = started();
    goes_on(&mut sample, Some(change()), End::Done);
    sample.press("\n");
    sample.act(Action::GoOn);
    assert!(
        !sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Request(_, Request::ReadUnfinished { .. })))
    );
    let outcome = Outcome::unknown("no answer");
    sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
    let told = sample.store.notice().unwrap();
    assert!(
        told.text.contains("R_3 may be changed: no answer"),
        "{told:?}"
    );
    assert!(sample.store.changing().is_none());
}

#[test]
fn undo_is_offered_of_what_is_in_effect_only() {
    for (state, in_effect) in [
        ("done", true),
        ("not checked", true),
        ("taken back", false),
        ("refused", false),
    ] {
        let mut sample = Sample::list((120, 40), 30);
        let state = state.to_owned();
        let line = journal_line("w", "R_3 Title", "what");
        sample.journal(vec![JournalLine {
            state,
            in_effect,
            ..line
        }]);
        for keys in ["", "i"] {
            sample.press(keys);
            let screen = sample.screen();
            let hints = screen.lines().last().unwrap();
            assert_eq!(hints.contains("undo…"), in_effect, "{hints}");
        }
        // While words are typed, the keys of typing are named.
        sample.press("i/");
        let screen = sample.screen();
        says(screen.lines().last().unwrap(), "Esc close the box");
    }
}

#[test]
fn a_change_of_another_profile_is_marked_and_enter_says_what_helps() {
    let mut sample = Sample::list((120, 40), 30);
    let words = "Made with the profile b: change to that profile first.";
    sample.journal(vec![
        JournalLine {
            place: Some("profile b".into()),
            in_effect: false,
            detail: vec![words.into()],
            by: "bob".into(),
            ..journal_line("w", "R_3 Title", "what")
        },
        journal_line("v", "R_4 Title", "that").with(|it| it.by = "bob".into()),
    ]);
    sample.says("R_3  profile b, by bob: what");
    sample.says("R_4  by bob: that");
    sample.says(words);
    let screen = sample.screen();
    lacks(screen.lines().last().unwrap(), "undo…");
    sample.open.clear();
    let problems = sample.store.cx.errors.clone();
    sample.press("\n");
    assert!(sample.open.is_empty(), "{:?}", sample.open);
    assert_eq!(sample.store.cx.errors, problems);
    // One of another user is undone where somebody asks for it.
    sample.press("j");
    let screen = sample.screen();
    says(screen.lines().last().unwrap(), "undo…");
}

/// What was never written down has no row in my changes.
#[test]
fn my_changes_are_named_only_if_they_show_more_of_it() {
    for (why, more) in [(Why::Stopped, false), (Why::Offline, true)] {
        let mut sample = started();
        goes_on(&mut sample, Some(change()), End::Done);
        sample.press("\n");
        let outcome = Outcome::not_sent(why, "not sent, stopped");
        sample.answered(&Slot::ChangeSuites, Answer::Changed(outcome));
        let told = sample.store.notice().unwrap();
        assert_eq!(told.remedy.contains("shows more"), more, "{told:?}");
    }
}
