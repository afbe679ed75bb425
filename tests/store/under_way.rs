//! What signing in, giving up and leaving a screen do to what is under way.

use super::deleting::{complete, partial};
use super::ends::changed;
use super::sample::{opened, page};
use super::suites::suite;
use crate::support::prelude::*;
use rundown::auth::{AuthError, NetworkFault};
use rundown::domain::Sort;
use rundown::domain::{SuiteChange, Unfinished, UnfinishedChange};
use rundown::mirror::Depth;
use rundown::screens::monitor::WatchedRun;
use rundown::store::{CopyEnd, RunsRequest};

const SIZE: (u16, u16) = (120, 40);

/// The first open effect of a sort is taken.
fn take<T>(sample: &mut Sample, sort: impl Fn(&Effect) -> Option<T>) -> T {
    let place = sample.open.iter().position(|effect| sort(effect).is_some());
    let place = place.unwrap_or_else(|| panic!("not asked for: {:?}", sample.open));
    sort(&sample.open.remove(place)).unwrap()
}

/// Which request an effect of this sort is.
macro_rules! ids {
    ($($name:ident: $sort:ident),+) => {$(
        fn $name(effect: &Effect) -> Option<RequestId> {
            match effect {
                Effect::Request(id, Request::$sort { .. }) => Some(*id),
                _ => None,
            }
        }
    )+};
}

ids!(survey: Survey, available: ReadAvailable, document: GetDocument, probe: Probe, undo: PlanUndo);

/// A reading of the list, or a page of it.
fn runs(effect: &Effect) -> Option<RequestId> {
    match effect {
        Effect::Request(id, Request::ListRuns { .. } | Request::ReadRuns { .. }) => Some(*id),
        _ => None,
    }
}

fn timer(effect: &Effect) -> Option<(RequestId, u64)> {
    if let Effect::Request(id, Request::Timer { after }) = effect {
        Some((*id, *after))
    } else {
        None
    }
}

fn given_up(sample: &Sample, id: RequestId) -> bool {
    sample.open.contains(&Effect::Cancel(id))
}

/// The list of 30 runs, nothing asked.
fn listed() -> Sample {
    let mut sample = Sample::list(SIZE, 30);
    sample.open.clear();
    sample
}

/// `R_0` on the screen, read again every 30 seconds.
fn detail() -> Sample {
    let mut sample = Sample::new(SIZE);
    sample.connect(|it| it.refresh_seconds = 30);
    sample.let_in();
    let id = take(&mut sample, runs);
    sample.runs(id, Ok(page(FIRST, 30)));
    sample.press("\n");
    let id = take(&mut sample, document);
    sample.reply(id, Answer::Document(Ok(Box::new(opened(0)))));
    sample
}

/// The pause before the next reading is over.
fn pause_over(sample: &mut Sample) -> u64 {
    let timers: Vec<_> = sample.open.iter().filter_map(timer).collect();
    let (id, after) = *timers
        .last()
        .unwrap_or_else(|| panic!("nothing is waited for: {:?}", sample.open));
    sample.open.clear();
    sample.now += i64::try_from(after).unwrap();
    sample.reply(id, Answer::Timer);
    after
}

/// The first of three suites is being added.
fn adding(sample: &mut Sample) -> (RequestId, DocRef) {
    let id = take(sample, available);
    let suites = (1..=3).map(suite).collect();
    sample.reply(id, Answer::Available(Ok(suites)));
    sample.press(" \n\n");
    take(sample, |effect| match effect {
        Effect::Request(id, Request::ChangeSuites(change)) => {
            Some((*id, change.suites[0].0.clone()))
        }
        _ => None,
    })
}

#[test]
fn a_configured_sign_in_that_fails_late_changes_nothing_for_who_is_signed_in() {
    let mut sample = detail();
    sample.event(Event::SignInFailed {
        failure: failure(),
        sent: true,
    });
    pause_over(&mut sample);
    assert!(
        !sample.open.contains(&Effect::SignInAsConfigured),
        "{:?}",
        sample.open
    );
    take(&mut sample, document);
}

#[test]
fn a_reading_that_cannot_begin_is_waited_for_as_long_again() {
    let mut sample = detail();
    sample.event(Event::NotConnected(failure()));
    assert_eq!(sample.store.cx.errors.entries.len(), 1);
    for _ in 0..4 {
        let after = pause_over(&mut sample);
        assert!(after > 20_000, "the program spins: {after}");
    }
    sample.press("r");
    let profile = "demo".into();
    assert_eq!(sample.open.pop(), Some(Effect::Connect { profile }));
}

/// Each try may be counted by the identity provider, and lock the account.
#[test]
fn a_configured_password_is_sent_three_times_without_an_answer() {
    let mut sample = Sample::new(SIZE);
    sample.uses("demo");
    let mut fails = |sent, keys: &str| {
        let failure = failure();
        sample.now += 1_000;
        sample.event(Event::SignInFailed { failure, sent });
        let layer = sample.store.layer();
        match sample.store.waits(|slot| *slot == Slot::RetryPause) {
            Some((retry, _)) if keys.is_empty() => {
                sample.reply(retry, Answer::Timer);
            }
            _ => sample.press(keys),
        }
        let open = sample.effects().into_iter();
        let tries = open.filter(|it| *it == Effect::SignInAsConfigured);
        (layer, tries.count())
    };
    // What was not sent does not count.
    for (sent, keys) in [(false, "r"), (true, ""), (false, ""), (true, "r")] {
        assert_eq!(fails(sent, keys), (Layer::Runs, 1));
    }
    // Now a person decides.
    assert_eq!(fails(true, "\u{1b}r\u{1b}r"), (Layer::Login, 0));
    sample.says("It is not tried again by itself.");
}

/// Who has the password in a keyring may not know it.
#[test]
fn after_the_last_try_the_box_says_what_sends_the_configured_sign_in_again() {
    let mut sample = Sample::new((120, 30));
    sample.uses("demo");
    for _ in 0..3 {
        let (failure, sent) = (failure(), true);
        sample.now += 1_000;
        sample.event(Event::SignInFailed { failure, sent });
    }
    sample.on(Layer::Login);
    let screen = sample.screen().replace(['│', '\n'], " ");
    let words: Vec<_> = screen.split_whitespace().collect();
    says(
        &words.join(" "),
        "Esc, then \":profile demo\", sends the configured password again.",
    );
    sample.effects();
    sample.press("\u{1b}");
    sample.press(":profile demo\n");
    let profile = "demo".into();
    assert!(sample.effects().contains(&Effect::Connect { profile }));
    sample.uses("demo");
    sample.event(Event::SignedIn { user: "qa".into() });
    sample.effects();
    sample.press(":profile demo\n");
    sample.says("as it is already");
    // Nobody was signed in, who asks for the box.
    sample.uses("demo");
    sample.now += 1_000;
    sample.sign_in_needed(SignInReason::Asked);
    sample.says("Nobody is signed in yet");
    sample.lacks("again, or as somebody else");
}

/// The box of `:sign in` changes nothing of what goes on by itself.
#[test]
fn the_configured_sign_in_goes_on_behind_a_box_that_was_asked_for_and_left() {
    let mut sample = Sample::list(SIZE, 3);
    sample.event(Event::Connected(Box::new(session())));
    sample.press("r");
    sample.says("signing in already");
    sample.on(Layer::Runs);
    let (failure, sent) = (failure(), false);
    sample.event(Event::SignInFailed { failure, sent });
    sample.press(":sign in\n");
    sample.on(Layer::Login);
    sample.press("\u{1b}");
    sample.says("Not signed in; it is tried again by itself");
    sample.effects();
    let (retry, _) = sample
        .store
        .waits(|slot| *slot == Slot::RetryPause)
        .unwrap();
    sample.reply(retry, Answer::Timer);
    assert!(sample.effects().contains(&Effect::SignInAsConfigured));
    sample.press("r");
    assert!(sample.effects().contains(&Effect::SignInAsConfigured));
    sample.on(Layer::Runs);
}

#[test]
fn that_a_sign_in_goes_on_is_said_until_it_is_done() {
    let mut sample = Sample::list(SIZE, 3);
    sample.event(Event::Connected(Box::new(session())));
    sample.press("r");
    let mut again = sample.clone();
    sample.says("signing in already");
    sample.let_in();
    sample.lacks("signing in");
    // After a failure.
    let (failure, sent) = (failure(), false);
    again.event(Event::SignInFailed { failure, sent });
    again.press("r");
    assert_eq!(again.said(), "signing in");
    again.let_in();
    again.lacks("signing in");
}

#[test]
fn a_key_that_tries_again_makes_no_pause_longer() {
    let mut sample = Sample::list(SIZE, 3);
    sample.store.cx.shared.signed_in = false;
    for _ in 0..8 {
        sample.now += 1_000;
        // As of a page in the place of the identity provider.
        let failure = failure().with(|it| it.may_retry = false);
        let sent = false;
        sample.event(Event::SignInFailed { failure, sent });
        let (_, after) = sample.open.iter().filter_map(timer).next_back().unwrap();
        assert!(after <= 2_000, "{after}");
        sample.open.clear();
        sample.press("r");
    }
}

#[test]
fn what_failed_while_no_service_answered_is_read_when_it_is_back() {
    let mut sample = Sample::list(SIZE, 3).pressed("a");
    let id = take(&mut sample, available);
    sample.event(Event::Reached(false));
    sample.reply(id, Answer::Available(Err(failure())));
    sample.says("r tries again");
    sample.open.clear();
    sample.event(Event::Reached(true));
    take(&mut sample, available);
}

/// As of an operation that is overloaded while all others answer.
#[test]
fn a_reading_that_alone_fails_is_repeated_after_growing_pauses() {
    let mut sample = Sample::list(SIZE, 3).pressed("a");
    let (mut asked, mut pauses) = (0, Vec::new());
    while pauses.iter().sum::<u64>() < 600_000 {
        if sample.open.iter().any(|it| available(it).is_some()) {
            asked += 1;
            let id = take(&mut sample, available);
            sample.event(Event::Reached(false));
            sample.reply(id, Answer::Available(Err(failure())));
        }
        sample.event(Event::Reached(true));
        let ends = sample.store.waits(|slot| *slot == Slot::RetryPause);
        if let Some((id, _)) = ends {
            let mut timers = sample.open.iter().filter_map(timer);
            let after = timers.find(|it| it.0 == id).unwrap().1;
            pauses.push(after);
            sample.now += after.cast_signed();
            sample.reply(id, Answer::Timer);
        }
    }
    assert!(
        (10..=25).contains(&asked),
        "in ten minutes: {asked}, {pauses:?}"
    );
    // By hand at once, and then all is well.
    sample.press("r");
    take(&mut sample, available);
}

/// One of two failed readings is over before the other.
#[test]
fn pauses_grow_on_whatever_is_answered_between() {
    let mut sample = detail();
    sample.open.clear();
    sample.press("ra");
    let mut pauses = Vec::new();
    for round in 0..6 {
        if round < 3 {
            let id = take(&mut sample, document);
            let answer = if round < 2 {
                Err(failure())
            } else {
                Ok(Box::new(opened(0)))
            };
            sample.reply(id, Answer::Document(answer));
        }
        let id = take(&mut sample, available);
        sample.reply(id, Answer::Available(Err(failure())));
        let pause = sample.store.waits(|slot| *slot == Slot::RetryPause);
        let (id, _) = pause.unwrap();
        let mut timers = sample.open.iter().filter_map(timer);
        let after = timers.find(|it| it.0 == id).unwrap().1;
        pauses.push(after);
        sample.now += after.cast_signed();
        sample.reply(id, Answer::Timer);
    }
    let seconds = [1, 2, 5, 10, 30, 60];
    assert_eq!(pauses, seconds.map(|it| it * 1_000));
}

#[test]
fn who_is_refused_is_not_offline() {
    let mut sample = Sample::new(SIZE);
    sample.uses("demo");
    let (failure, sent) = (failure(), false);
    sample.event(Event::SignInFailed { failure, sent });
    sample.says("OFFLINE since ");
    sample.sign_in_needed(SignInReason::Refused("Invalid user credentials".into()));
    sample.lacks("OFFLINE");
    sample.says("Invalid user credentials");
}

/// Where rows are here no box covers them.
#[test]
fn after_the_last_try_to_sign_in_nothing_says_that_it_goes_on_by_itself() {
    for (tries, words) in [
        (2, "It is tried again by itself."),
        (3, "It is not tried again by itself; r tries again."),
    ] {
        let mut sample = Sample::list(SIZE, 3);
        sample.event(Event::Connected(Box::new(session())));
        let failure = failure().with(|it| it.kind = FailureKind::SignIn);
        for _ in 0..tries {
            let (failure, sent) = (failure.clone(), true);
            sample.event(Event::SignInFailed { failure, sent });
        }
        // A reading that fails for the want of it.
        sample.event(Event::Trouble(failure));
        let notice = sample.store.notice().unwrap();
        assert_eq!(notice.remedy, words, "{}", sample.said());
    }
}

/// The page of a captive portal may keep what it is sent.
#[test]
fn a_page_in_the_place_of_the_identity_provider_gets_the_password_once() {
    for sent in [true, false] {
        let mut sample = Sample::list(SIZE, 3);
        sample.store.cx.shared.signed_in = false;
        sample.open.clear();
        let failure = failure().with(|it| it.may_retry = false);
        sample.event(Event::SignInFailed { failure, sent });
        let waits = sample.store.waits(|slot| *slot == Slot::RetryPause);
        assert_eq!(waits.is_none(), sent);
        let remedy = &sample.store.notice().unwrap().remedy;
        let ends = remedy == "It is not tried again by itself; r tries again.";
        assert_eq!(ends, sent, "{remedy}");
        sample.on(Layer::Runs);
        sample.press("r");
        assert!(sample.open.contains(&Effect::SignInAsConfigured));
    }
}

#[test]
fn the_last_try_to_sign_in_says_that_it_was_the_last_on_any_screen() {
    for keys in ["", "\n"] {
        let mut sample = Sample::list(SIZE, 3).pressed(keys);
        sample.store.cx.shared.signed_in = false;
        for _ in 0..3 {
            let (failure, sent) = (failure(), true);
            sample.event(Event::SignInFailed { failure, sent });
        }
        let said = "It is not tried again by itself; r tries again.";
        let notice = sample.store.notice().unwrap();
        assert_eq!(notice.remedy, said, "{}", sample.said());
        assert_eq!(
            sample
                .store
                .cx
                .errors
                .entries
                .back()
                .unwrap()
                .failure
                .remedy,
            said
        );
    }
}

/// The account might be locked.
#[test]
fn a_write_sends_no_password_more_than_three_times() {
    for (tries, is_sent) in [(2, true), (3, false)] {
        let mut sample = Sample::list(SIZE, 3).pressed("a");
        sample.store.cx.shared.signed_in = false;
        for _ in 0..tries {
            let (failure, sent) = (failure(), true);
            sample.event(Event::SignInFailed { failure, sent });
        }
        sample.open.retain(|it| *it != Effect::SignInAsConfigured);
        let (id, _) = adding(&mut sample);
        let tried = sample.open.contains(&Effect::SignInAsConfigured);
        assert_eq!(tried, is_sent, "{tries}: {:?}", sample.open);
        let why = "not sent: not signed in. Sign in, then try again.";
        let end = Outcome::not_sent(Why::SignedOut, why);
        sample.reply(id, Answer::Changed(end));
        let helps = if is_sent {
            "Try again once it does."
        } else {
            "It is not tried again by itself; r tries"
        };
        sample.says(helps);
        let waits = sample.store.waits(|slot| *slot == Slot::RetryPause);
        assert_eq!(waits.is_some(), is_sent);
    }
}

#[test]
fn a_form_that_was_not_read_says_so_too_after_the_last_try_to_sign_in() {
    let mut sample = Sample::list(SIZE, 3);
    sample.store.cx.shared.signed_in = false;
    let away = failure().with(|it| it.kind = FailureKind::SignIn);
    let fails = |sample: &mut Sample| {
        let (failure, sent) = (failure(), true);
        sample.event(Event::SignInFailed { failure, sent });
    };
    fails(&mut sample);
    sample.press("e");
    let id = sample.store.asked(&Slot::FormRun);
    sample.reply(id, Answer::Document(Err(away.clone())));
    sample.says("It is tried again by itself.");
    fails(&mut sample);
    fails(&mut sample);
    let id = sample.store.asked(&Slot::FormRun);
    sample.reply(id, Answer::Document(Err(away)));
    sample.lacks("It is tried again by itself.");
    sample.says("It is not tried again by itself.");
}

#[test]
fn a_pause_that_is_over_reads_nothing_where_its_screen_was_left() {
    let mut sample = detail();
    let id = sample.store.asked(&Slot::RefreshPause);
    sample.open.clear();
    let back = Message::Action(Action::Back);
    sample.store.update(back, sample.now);
    sample.reply(id, Answer::Timer);
    assert!(!sample.open.iter().any(|it| runs(it).is_some()));
}

#[test]
fn a_run_takes_the_place_of_another_with_all_that_is_read_of_it() {
    let mut sample = detail();
    sample.answered(&Slot::RestPause, Answer::Timer);
    let suites = sample.store.asked(&Slot::RunSuites);
    // What can be taken back is asked of this run, and must not be shown over another.
    sample.press("u");
    let undo = sample.store.asked(&Slot::Undo(Layer::Detail));
    sample.press(":R_99\n");
    sample.says("looking for R_99");
    let id = by_id(&sample);
    let (offset, limit) = (99, 1);
    sample.runs(id, Ok(page(Page { offset, limit }, 100)));
    sample.says("› R_99");
    assert!(sample.mirrored.knows(&row(99).doc_ref), "what was read");
    assert!(given_up(&sample, suites) && sample.said().is_empty());
    assert!(given_up(&sample, undo), "the question of the run before");
    // Its form begins with what is here.
    let result = Ok(Box::new(opened(99)));
    sample.answered(&Slot::Document, Answer::Document(result));
    sample.act(Action::Edit);
    sample.says("UAT wave 1");
}

/// Esc from the JSON leads to that run, as Enter in the monitor does.
#[test]
fn another_run_than_the_open_one_is_opened_over_its_monitor() {
    let mut sample = listed().pressed("\nM:R_9\n");
    sample.says("› R_9");
    sample.lacks("› R_0");
    sample.press("\u{1b}");
    sample.at(Layer::Monitor);
    for (keys, says) in [("\n", Layer::Detail), ("i", Layer::Json)] {
        let mut sample = listed().pressed("\nM").pressed(keys);
        assert_eq!(sample.store.screen(), says);
        sample.says("› R_0");
        let back = usize::from(says == Layer::Json);
        sample.press(&"\u{1b}".repeat(back));
        sample.at(Layer::Detail);
        sample.press("\u{1b}");
        sample.at(Layer::Runs);
    }
}

/// The search for a run by its id, wherever it was asked for.
fn by_id(sample: &Sample) -> RequestId {
    let of_run = |slot: &Slot| matches!(slot, Slot::RunById(..));
    sample.store.waits(of_run).unwrap().0
}

#[test]
fn a_run_is_not_looked_for_any_more_where_its_place_was_left() {
    let mut sample = listed().pressed(":R_98\n:R_99\n");
    let id = by_id(&sample);
    sample.press("n");
    sample.take_draft(None, None);
    sample.press("Abc");
    let (offset, limit) = (99, 1);
    sample.runs(id, Ok(page(Page { offset, limit }, 100)));
    sample.at(Layer::Form);
    assert!(
        sample
            .store
            .waits(|slot| matches!(slot, Slot::RunById(..)))
            .is_none()
    );
    sample.press("def");
    sample.says("Abcdef");
}

#[test]
fn a_page_asked_for_before_a_run_went_does_not_bring_it_back() {
    let (offset, limit) = (99, 1);
    for goes in [true, false] {
        let mut sample = detail();
        sample.press(":R_99\n");
        let id = by_id(&sample);
        sample.now += 1_000;
        let run = row(99).doc_ref;
        if goes {
            let now = sample.now;
            sample.mirrored.take(RunsRequest::Gone(run.clone()), now);
        }
        sample.now += 1_000;
        sample.runs(id, Ok(page(Page { offset, limit }, 100)));
        assert_eq!(sample.mirrored.shows(&run), !goes);
    }
}

#[test]
fn a_form_that_could_not_be_kept_does_not_give_way_to_a_view() {
    let mut sample = listed();
    sample.press("n");
    sample.answered(&Slot::Draft, Answer::DraftTaken(Err(failure())));
    sample.press("Typed");
    sample.act(Action::Palette);
    sample.press("view All\n");
    sample.at(Layer::Form);
    sample.says("Typed");
    sample.act(Action::Quit);
    assert!(!sample.open.contains(&Effect::Quit));
}

/// A probe run for `R_0` is being made.
fn probing() -> (Sample, RequestId) {
    let mut sample = listed();
    sample.press("s");
    let id = take(&mut sample, survey);
    sample.reply(id, Answer::Surveyed(Ok(partial(0))));
    sample.press(":probe\n\t\n");
    let id = take(&mut sample, probe);
    (sample, id)
}

#[test]
fn a_probe_run_is_a_write_until_it_is_answered() {
    let (mut sample, id) = probing();
    sample.act(Action::Quit);
    assert!(!sample.open.contains(&Effect::Quit), "{:?}", sample.open);
    says(sample.said(), "a change is under way");
    sample.press(":probe\n");
    assert!(
        sample.store.confirm().is_none(),
        "one at a time: {}",
        sample.screen()
    );
    says(sample.said(), "a change is under way");
    // Working it out anew would be a second question for the same answer.
    sample.press("r");
    assert!(
        !sample.open.iter().any(|effect| survey(effect).is_some()),
        "{:?}",
        sample.open
    );
    // Another screen is not the end of it.
    sample.press("\u{1b}q");
    assert!(!sample.open.contains(&Effect::Quit), "{:?}", sample.open);
    sample.reply(id, Answer::Surveyed(Ok(complete(0))));
    sample.act(Action::Quit);
    assert!(sample.open.contains(&Effect::Quit), "{:?}", sample.open);
}

/// The run may be there: a list that is read meanwhile takes no word of it away.
#[test]
fn what_came_of_a_probe_run_stays_until_the_next_key() {
    let (mut sample, id) = probing();
    let lost = failure().with(|it| it.asked = "making the probe run".into());
    sample.reply(id, Answer::Surveyed(Err(lost)));
    let words = "making the probe run: no connection";
    begins(sample.said(), words);
    sample.store.cx.works_again();
    begins(sample.said(), words);
    sample.press("j");
    sample.lacks(words);
}

#[test]
fn ctrl_c_gives_up_what_a_probe_run_tells_and_waits_for_its_deletion() {
    let (mut sample, id) = probing();
    sample.act(Action::Cancel);
    assert!(given_up(&sample, id), "{:?}", sample.open);
    says(sample.said(), "what is under way is waited for");
    sample.act(Action::Quit);
    assert!(
        !sample.open.contains(&Effect::Quit),
        "it is not deleted yet: {:?}",
        sample.open
    );
    let told = failure().with(|it| it.cause = "given up".into());
    sample.reply(id, Answer::Surveyed(Err(told)));
    sample.says("given up");
    sample.act(Action::Quit);
    assert!(sample.open.contains(&Effect::Quit), "{:?}", sample.open);
    // Who went away meanwhile is told, too.
    let (mut sample, id) = probing();
    sample.uses("prod");
    let result = Err(failure());
    sample.reply(id, Answer::Surveyed(result));
    says(sample.said(), "no connection");
    // What is being worked out without it would come over its answer.
    let mut sample = listed();
    sample.press("s");
    let id = take(&mut sample, survey);
    sample.press(":probe\n\t\n");
    assert!(given_up(&sample, id), "{:?}", sample.open);
}

#[test]
fn no_question_opens_while_another_change_is_under_way() {
    let mut sample = listed();
    sample.press(":add S_0\n");
    let id = take(&mut sample, available);
    sample.event(Event::Unfinished {
        changes: vec![Unfinished {
            job: "job".into(),
            write: "job".into(),
            words: "a change".into(),
            elsewhere: None,
            is_of_other_service: false,
        }],
        first: false,
    });
    sample.act(Action::GoOn);
    let left = sample.store.asked(&Slot::Unfinished(Layer::Available));
    let suites = vec![(suite(1).doc_ref, "S_1 Suite".to_owned())];
    let rest = UnfinishedChange {
        job: "job".into(),
        found: Vec::new(),
        change: Some(SuiteChange::of(&row(9), true, suites)),
        left: None,
        end: End::Done,
    };
    sample.reply(left, Answer::UnfinishedRead(Ok(Box::new(rest))));
    sample.press("\n");
    let result = Ok(vec![suite(0)]);
    sample.reply(id, Answer::Available(result));
    for keys in ["", "\n", ":remove S_0\n"] {
        sample.press(keys);
        let told = sample.said().starts_with("a change is under way");
        let asks = sample.store.confirm().is_some();
        let place = sample.store.layer();
        assert_eq!(
            (told, asks, place),
            (true, false, Layer::Available),
            "{keys}"
        );
    }
}

#[test]
fn the_suites_of_another_run_give_up_those_of_the_one_before() {
    let mut sample = listed();
    sample.press("a");
    let of_first = take(&mut sample, available);
    sample.press("\u{1b}ja");
    assert!(given_up(&sample, of_first), "{:?}", sample.open);
    sample.press("\u{1b}s");
    let survey_of_second = take(&mut sample, survey);
    sample.press("\u{1b}js");
    assert!(given_up(&sample, survey_of_second), "{:?}", sample.open);
}

#[test]
fn another_profile_gives_up_suites_and_undo() {
    let mut sample = listed();
    sample.press("a");
    let list = take(&mut sample, available);
    sample.press("\ts");
    let verdict = take(&mut sample, survey);
    sample.press("\u{1b}u");
    let undo = take(&mut sample, undo);
    sample.uses("prod");
    for id in [list, verdict, undo] {
        assert!(given_up(&sample, id), "{id:?}: {:?}", sample.open);
    }
}

#[test]
fn a_change_gives_up_the_survey_that_it_makes_old() {
    let mut sample = listed();
    sample.press("s");
    let verdict = take(&mut sample, survey);
    sample.press("\t");
    let (id, done) = adding(&mut sample);
    let verdict_of_change = Outcome::done("all 1 added");
    let outcome = changed(vec![done], Vec::new(), verdict_of_change);
    sample.reply(id, Answer::Changed(outcome));
    assert!(given_up(&sample, verdict), "{:?}", sample.open);
}

/// Suites of `R_0` are being removed, and somebody looks elsewhere meanwhile.
#[test]
fn esc_leads_to_the_suites_again_whose_change_has_ended_behind_another_screen() {
    let mut sample = listed().pressed("s");
    sample.suites_surveyed(complete(0));
    sample.says("S_3 ");
    sample.press(" x\t\n");
    let (id, of) = take(&mut sample, |effect| match effect {
        Effect::Request(id, Request::ChangeSuites(change)) => {
            Some((*id, change.suites[0].0.clone()))
        }
        _ => None,
    });
    sample.press("H");
    sample.at(Layer::Changes);
    let outcome = changed(vec![of], Vec::new(), Outcome::done("all 1 removed"));
    sample.reply(id, Answer::Changed(outcome));
    sample.press("\u{1b}");
    sample.at(Layer::Attached);
    sample.says("S_3 ");
    sample.suites_surveyed(super::deleting::empty(0));
    sample.lacks("S_3 ");
}

/// Asked for before the change was begun: its undo would be that of another profile.
#[test]
fn the_end_of_a_change_of_another_profile_stands_in_my_changes() {
    let mut sample = listed().pressed("a");
    let (id, all) = adding(&mut sample);
    sample.uses("prod");
    let outcome = changed(vec![all], Vec::new(), Outcome::done("all 1 added"));
    sample.reply(id, Answer::Changed(outcome));
    assert_eq!(sample.said(), "");
    assert!(!sample.store.cx.in_flight.writes());
}

/// There the key is about that run.
#[test]
fn on_another_run_the_end_of_a_change_names_no_key_that_undoes() {
    for (keys, undoes) in [("", true), ("\u{1b}\u{1b}\u{1b}j\n", false)] {
        let mut sample = listed().pressed("a");
        let (id, all) = adding(&mut sample);
        sample.press(keys);
        let outcome = changed(vec![all], Vec::new(), Outcome::done("all 1 added"));
        sample.reply(id, Answer::Changed(outcome));
        begins(sample.said(), "1 suite added to R_0");
        assert_eq!(
            sample.screen().contains("u undoes it"),
            undoes,
            "{}",
            sample.screen()
        );
    }
}

#[test]
fn how_a_change_has_ended_stays_whatever_else_ends_after_it() {
    let what = || "R_0".to_owned();
    let path = || Ok("/tmp/R_0.md".to_owned());
    let late = [
        (
            Event::Copied {
                what: what(),
                end: CopyEnd::Copied,
            },
            "Copied R_0",
        ),
        (
            Event::Copied {
                what: what(),
                end: CopyEnd::Sent,
            },
            "Sent R_0",
        ),
        (
            Event::Written {
                what: what(),
                result: path(),
            },
            "Wrote R_0",
        ),
        (
            Event::WebOpened {
                run: what(),
                result: Ok(()),
            },
            "Opening R_0",
        ),
    ];
    for (event, words) in late {
        let mut sample = listed().pressed("a");
        let (id, all) = adding(&mut sample);
        let outcome = changed(vec![all], Vec::new(), Outcome::done("all 1 added"));
        sample.reply(id, Answer::Changed(outcome));
        sample.event(event.clone());
        begins(sample.said(), "1 suite added to R_0");
        sample.press("j");
        sample.event(event);
        begins(sample.said(), words);
    }
}

#[test]
fn a_run_that_is_deleted_gives_up_its_suites() {
    let mut sample = listed();
    sample.press("a");
    let list = take(&mut sample, available);
    sample.press("\u{1b}s");
    let verdict = take(&mut sample, survey);
    sample.press("\u{1b}D");
    sample.surveyed(super::deleting::empty(0));
    sample.checked(true);
    sample.press("R_0\n");
    sample.ended(Outcome::done("not found any more"));
    for id in [list, verdict] {
        assert!(given_up(&sample, id), "{id:?}: {:?}", sample.open);
    }
}

#[test]
fn ctrl_c_reaches_what_a_form_waits_for() {
    let mut sample = listed();
    sample.press("C");
    let (source, suites) = (take(&mut sample, document), take(&mut sample, survey));
    sample.act(Action::Cancel);
    assert!(
        given_up(&sample, source) && given_up(&sample, suites),
        "{:?}",
        sample.open
    );
    sample.says("given up");
}

#[test]
fn suites_that_are_known_are_removed_by_what_is_at_stake_now() {
    let mut world = World::new(SIZE, 3);
    world.press("s");
    world.suites_surveyed(complete(0));
    world.press("\u{1b}");
    world.record(0, ResultCode::Untested, ResultCode::Passed, 1);
    world.refresh();
    world.press("s x");
    world.says("of the 81 of the");
}

fn monitor() -> Sample {
    let mut sample = listed();
    sample.press("  M");
    sample.at(Layer::Monitor);
    sample
}

#[test]
fn a_monitor_that_failed_is_read_again_after_signing_in_again() {
    let mut sample = monitor();
    let over = failure().with(|it| it.kind = FailureKind::SignIn);
    let id = take(&mut sample, runs);
    sample.runs(id, Err(over));
    sample.session_over();
    sample.open.clear();
    sample.let_in();
    let of_cards = |effect: &Effect| match effect {
        Effect::Request(_, Request::ReadRuns { lists, .. }) => {
            *lists == ["R_0", "R_1"].map(Filter::by_id)
        }
        _ => false,
    };
    assert!(sample.open.iter().any(of_cards), "{:?}", sample.open);
}

#[test]
fn a_run_that_failed_is_read_again_after_signing_in_again() {
    let mut sample = listed();
    sample.press("\n");
    let id = take(&mut sample, document);
    let result = Err(failure());
    sample.reply(id, Answer::Document(result));
    sample.session_over();
    sample.let_in();
    take(&mut sample, document);
}

#[test]
fn a_reading_of_the_monitor_that_was_broken_off_is_no_reading() {
    let mut sample = Sample::list(SIZE, 30);
    sample.open.clear();
    sample.press("    M");
    let (id, lists) = take(&mut sample, |effect| match effect {
        Effect::Request(id, Request::ReadRuns { lists, .. }) => Some((*id, lists.clone())),
        _ => None,
    });
    let mut numbers = 0..;
    let mut service = |_, _: &[Sort], _: &Filter| {
        let offset = numbers
            .next()
            .filter(|number| *number < 3)
            .ok_or(failure())?;
        let mut page = page(Page { offset, limit: 1 }, 30);
        page.full_size = 1;
        Ok(page)
    };
    sample.read_runs(id, (Depth::Watch, lists), &mut service);
    let monitor = sample.store.monitor().unwrap();
    assert_eq!(
        (monitor.busy(), monitor.read_at),
        (false, None),
        "of the fourth nothing is known"
    );
    assert_eq!(monitor.asked.failure, Some(failure()));
    let read = |run: &&WatchedRun| run.trouble.is_none();
    assert_eq!(monitor.runs.iter().filter(read).count(), 3);
}

#[test]
fn ctrl_c_on_a_document_keeps_the_retry_of_the_list_and_alone_it_ends_it() {
    let mut sample = listed();
    sample.press("r");
    let id = take(&mut sample, runs);
    sample.runs(id, Err(failure()));
    let (retry, _) = take(&mut sample, timer);
    assert!(sample.store.tries_again());
    sample.press("\n");
    let asked = take(&mut sample, document);
    sample.act(Action::Cancel);
    assert!(
        given_up(&sample, asked) && !given_up(&sample, retry),
        "{:?}",
        sample.open
    );
    assert!(
        sample.store.tries_again(),
        "the list is tried again all the same"
    );
    sample.act(Action::Cancel);
    assert!(
        given_up(&sample, retry) && !sample.store.tries_again(),
        "{:?}",
        sample.open
    );
    // Reading again is for the list below, too.
    sample.press("r");
    assert!(sample.store.waits(|slot| *slot == Slot::Runs).is_some());
}

#[test]
fn esc_leads_out_of_suites_and_deletion_while_a_removal_is_under_way() {
    let mut sample = listed();
    sample.press("s");
    let id = take(&mut sample, survey);
    let result = Ok(complete(0));
    sample.reply(id, Answer::Surveyed(result));
    sample.press("DR_0\n");
    sample.copied(0);
    let mut screens = Vec::new();
    for _ in 0..3 {
        sample.press("\u{1b}");
        screens.push(sample.store.layer());
    }
    assert_eq!(screens, [Layer::Attached, Layer::Runs, Layer::Runs]);
}

#[test]
fn keys_that_were_typed_ahead_act_on_nothing_behind_a_question() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("jja");
    let suites = (1..=9).map(suite).collect();
    sample.answered(&Slot::Available, Answer::Available(Ok(suites)));
    sample.press(" \n");
    // All of this waits before the next frame: the question is answered, what comes after it is for nobody.
    let now = sample.now + rundown::store::cx::HELD;
    let mut act = |action: Action| sample.store.update(Message::Action(action), now);
    let sent = act(Action::Open);
    assert!(
        matches!(sent[..], [Effect::Request(_, Request::ChangeSuites(_))]),
        "{sent:?}"
    );
    for action in [Action::Open, Action::Back, Action::Show(Layer::Attached)] {
        assert_eq!(act(action), []);
    }
    sample.at(Layer::Available);
    assert_eq!(sample.store.available().unwrap().list.marks.len(), 1);
    // Once it was drawn, keys act again.
    sample.act(Action::Redraw);
    sample.press("s");
    sample.at(Layer::Attached);
}

#[test]
fn a_change_that_sent_nothing_forgets_no_number_of_suites() {
    let mut sample = listed();
    sample.press("a");
    let (id, _) = adding(&mut sample);
    let outcome = Outcome::not_sent(Why::Offline, "no connection");
    sample.reply(id, Answer::Changed(outcome));
    sample.says("2 In this run 0");
}

#[test]
fn how_a_change_has_ended_is_told_until_the_next_key_whatever_fails_meanwhile() {
    for (end, words) in [
        (Outcome::done("all 1 added"), "1 suite added to R_0"),
        (
            Outcome::unknown("no answer"),
            "R_0 may be changed: no answer",
        ),
    ] {
        let mut sample = listed();
        sample.press("a");
        let (id, all) = adding(&mut sample);
        let (done, left) = if end.is_complete() {
            (vec![all], Vec::new())
        } else {
            (Vec::new(), vec![all])
        };
        let whole = end.is_complete();
        let outcome = changed(done, left, end).with(|it| it.suite_count = whole.then_some(4));
        sample.reply(id, Answer::Changed(outcome));
        begins(sample.said(), words);
        let counts = ["In this run 4", "In this run 0"].map(|tab| sample.screen().contains(tab));
        assert_eq!(counts, [whole, false]);
        // The numbers of its run are read again, too.
        let of_run = sample.store.asked(&Slot::AvailableRun);
        let is_it = |effect: &Effect| matches!(effect, Effect::Request(id, _) if *id == of_run);
        sample.open.retain(|effect| !is_it(effect));
        sample.reply(of_run, Answer::Runs(Ok(page(FIRST, 0))));
        begins(sample.said(), words);
        // The list is read again at once: that fails, is listed among the problems, and works a little later.
        let id = take(&mut sample, runs);
        sample.runs(id, Err(failure()));
        begins(sample.said(), words);
        assert_eq!(sample.store.errors().entries.len(), 1);
        let (retry, _) = take(&mut sample, timer);
        sample.reply(retry, Answer::Timer);
        let id = take(&mut sample, runs);
        sample.runs(id, Ok(page(FIRST, 30)));
        begins(sample.said(), words);
        // After a key what fails is said again.
        sample.press("\u{1b}\u{1b}\u{1b}r");
        let id = take(&mut sample, runs);
        sample.runs(id, Err(failure()));
        begins(sample.said(), "loading the runs: no connection");
    }
}

#[test]
fn a_reading_that_is_repeated_by_itself_says_so_and_names_the_key() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("r");
    let unavailable = Failure {
        kind: FailureKind::Unavailable,
        cause: "the service is unavailable (503)".into(),
        remedy: "Try again in a while.".into(),
        ..failure()
    };
    let id = sample.asked();
    sample.reply(id, Answer::RunsRead(Err(unavailable)));
    sample.says("It is tried again by itself; r tries now.");
    sample.press("!");
    sample.says("It is tried again by itself");
    sample.lacks("Try again in a while");
}

/// Before anything was read the address may be wrong.
#[test]
fn a_reading_that_fails_has_the_same_remedy_on_all_screens() {
    let again = "It is tried again by itself; r tries now.";
    let mut sample = Sample::signed_in(SIZE).pressed("B");
    let id = sample.store.asked(&Slot::ReadRuns(Layer::Board));
    sample.reply(id, Answer::RunsRead(Err(failure())));
    let notice = sample.store.notice().unwrap();
    assert_eq!(notice.remedy, failure().remedy);
    let read = |layer| (Slot::ReadRuns(layer), Answer::RunsRead(Err(failure())));
    for (keys, (slot, answer)) in [
        ("\n", (Slot::Document, Answer::Document(Err(failure())))),
        ("i", (Slot::Document, Answer::Document(Err(failure())))),
        ("a", (Slot::Available, Answer::Available(Err(failure())))),
        ("B", read(Layer::Board)),
        ("Br", read(Layer::Board)),
        ("H", read(Layer::Changes)),
        ("vj=", read(Layer::Compare)),
        ("Mr", read(Layer::Monitor)),
    ] {
        let mut sample = Sample::list(SIZE, 30);
        for key in keys.chars() {
            if key == 'r' && keys == "Mr" {
                let id = sample.store.asked(&slot);
                sample.reply(id, Answer::RunsRead(Ok(true)));
            }
            sample.press(&key.to_string());
        }
        let id = sample.store.asked(&slot);
        sample.reply(id, answer);
        let notice = sample.store.notice().unwrap();
        assert_eq!(notice.remedy, again, "{keys}: {}", sample.said());
    }
}

#[test]
fn a_password_that_waits_is_said_whole_and_the_header_names_that_time() {
    for size in [(80, 24), (60, 15)] {
        let mut sample = Sample::list(size, 3);
        sample.press("r");
        let left = Duration::from_mins(12);
        let waits = AuthError::Waits {
            error: Box::new(AuthError::Network(NetworkFault::Timeout)),
            left,
        };
        let failure = Failure {
            cause: waits.to_string(),
            remedy: waits.remedy(),
            waits: Some(720_000),
            ..failure()
        };
        let id = sample.asked();
        sample.event(Event::Reached(false));
        sample.reply(id, Answer::RunsRead(Err(failure)));
        let head = sample.screen().lines().next().unwrap().to_owned();
        assert!(size.0 < 80 || head.contains("again 09:53:12"), "{head}");
        let screen = sample.screen().replace("[!] 1 new", "");
        says_wrapped(&screen, &waits.remedy());
    }
}
