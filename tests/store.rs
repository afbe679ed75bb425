//! The store without terminal or network: what actions and events do, and what no sequence of them can do.

mod any_sequence;
mod deeds;
mod earlier;
mod under_way;
mod unfinished;

use super::support::{deleting, ends, sample, suites};
use crate::support::prelude::*;
use rundown::domain::{LeftOff, LeftOn};
use rundown::mirror::RunsAnswer;
use sample::page;

const SIZE: (u16, u16) = (80, 24);

/// Readings of runs that are asked for.
fn readings(effects: &[Effect]) -> usize {
    let reads = |effect: &&Effect| {
        matches!(
            effect,
            Effect::Request(_, Request::ListRuns { .. } | Request::ReadRuns { .. })
        )
    };
    effects.iter().filter(reads).count()
}

#[test]
fn nothing_is_sent_before_the_sign_in() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(session())));
    sample.press("jjr/");
    // Looking for drafts concerns the disk alone.
    assert_eq!(sample.open, [Effect::Draft(DraftRequest::Find)]);
    sample.let_in();
    assert_eq!(readings(&sample.open), 1);
}

#[test]
fn late_and_foreign_answers_change_nothing() {
    let mut sample = Sample::signed_in(SIZE);
    let nobody = RequestId(sample.asked().0 + 1000);
    let before = sample.store.clone();
    sample.runs(nobody, Ok(page(FIRST, 5)));
    sample.event(Event::Answer(
        nobody,
        Answer::Document(Ok(Box::new(sample::opened(1)))),
    ));
    sample.event(Event::Answer(RequestId(77), Answer::Timer));
    assert_eq!(sample.store, before);
}

#[test]
fn a_page_that_is_too_large_is_halved() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    sample.runs(id, Ok(page(FIRST, 10_000)));
    sample.press("G");
    let mut refused = failure();
    refused.kind = FailureKind::PageTooLarge;
    for smaller in [100, 50, 25, 12, 6, 3, 1] {
        let Some(Effect::Request(id, Request::ListRuns { page, .. })) = sample.open.pop() else {
            panic!("{:?}", sample.open)
        };
        assert_eq!((page.offset, page.limit), (0, smaller));
        sample.runs(id, Err(refused.clone()));
    }
    assert_eq!(readings(&sample.open), 0, "there is no smaller page");
    assert!(sample.store.runs().reader.failure.is_some());
}

/// Letters that only come in the same order took a command that nobody had typed.
#[test]
fn the_palette_takes_what_was_typed_and_nothing_like_it() {
    let mut sample = Sample::list(SIZE, 30);
    let open = sample.open.len();
    for words in ["qit", "udo last", "view nope", "monitor nope"] {
        sample.press(":");
        sample.press(words);
        let picker = sample.store.picker().unwrap();
        assert!(picker.shown.is_empty(), "{words}: {}", sample.screen());
        sample.press("\n");
        assert_eq!(
            (sample.store.screen(), sample.open.len()),
            (Layer::Runs, open),
            "{words}"
        );
        sample.press("\u{1b}");
    }
    sample.press(":last undo");
    assert!(
        sample.screen().contains(">Undo my last change of all"),
        "words in any order: {}",
        sample.screen()
    );
}

#[test]
fn a_failed_read_is_tried_again_by_a_timer_and_not_before() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    sample.runs(id, Err(failure()));
    let Some(Effect::Request(id, Request::Timer { after })) = sample.open.pop() else {
        panic!("{:?}", sample.open)
    };
    assert_eq!(after, 1_000);
    sample.press("jk");
    assert_eq!(sample.open, []);
    sample.event(Event::Answer(id, Answer::Timer));
    assert_eq!(readings(&sample.open), 1);
}

#[test]
fn the_filter_survives_the_box_and_esc_takes_one_thing_at_a_time() {
    let mut sample = Sample::list(SIZE, 30);
    let seen = |sample: &Sample| (sample.store.layer(), sample.store.runs().len());
    sample.press("/smo");
    assert_eq!(seen(&sample), (Layer::Typing, Some(4)));
    sample.press("\u{1b}");
    assert_eq!(seen(&sample), (Layer::Runs, Some(4)));
    sample.press("\u{1b}");
    assert_eq!(seen(&sample), (Layer::Runs, Some(30)));
}

#[test]
fn accents_and_case_do_not_matter_to_the_local_filter() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("/ubergabe");
    assert!(sample.store.runs().len().unwrap() > 0);
    sample.says("Übergabe");
    // Of many letters only the small ones are in the table of accents; some clients write an accent behind its letter.
    let titles = ["Škoda: ŻÓŁW", "TIẾNG VIỆT", "S\u{30c}koda 2"];
    for (words, found) in [
        ("škoda", 2),
        ("SKODA", 2),
        ("s\u{30c}koda", 2),
        ("żółw", 1),
        ("zolw", 1),
        ("tieng việt", 1),
    ] {
        let mut world = World::new(SIZE, 3);
        for (run, title) in world.runs.iter_mut().zip(titles) {
            run.title = Some(title.into());
        }
        world.refresh();
        world.press(&format!("/{words}"));
        assert_eq!(world.store.runs().len(), Some(found), "{words}");
    }
}

#[test]
fn a_password_is_never_in_the_debug_text_and_leaves_the_box_when_it_is_sent() {
    let mut sample = Sample::list(SIZE, 3);
    sample.sign_in_needed(SignInReason::Missing);
    sample.press("geheim-canary");
    lacks(&format!("{:?}", sample.store), "geheim");
    sample.lacks("geheim");
    sample.open.clear();
    sample.press("\n");
    assert!(matches!(&sample.open[..], [Effect::SignIn { user, .. }] if user == "qa"));
    lacks(&format!("{:?}", sample.open), "geheim");
    assert_eq!(sample.store.login().unwrap().password.text(), "");
    sample.press("\n\n");
    assert_eq!(sample.open.len(), 1, "Enter again sends nothing again");
    let mut nobody = Sample::list(SIZE, 3);
    let (user, why) = (" ".into(), SignInReason::Missing);
    nobody.event(Event::SignInNeeded { user, why });
    nobody.press("geheim\n");
    nobody.says("Type the user name first");
    assert_eq!(nobody.open, []);
}

#[test]
fn the_last_screen_comes_back() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("\n");
    sample.answer(3);
    sample.at(Layer::Detail);
    sample.act(Action::LastScreen);
    sample.at(Layer::Runs);
    sample.act(Action::NextScreen);
    sample.at(Layer::Detail);
    sample.lacks("no screen was left");
}

#[test]
fn a_run_that_is_opened_by_its_id_begins_with_its_results_and_gives_up_what_was_asked_of_another() {
    let by_id = Sample::list(SIZE, 30).pressed("\n:R_2\n");
    let by_key = Sample::list(SIZE, 30).pressed("jj\n");
    assert_eq!(by_id.screen(), by_key.screen());
    // The suites of the other are not for this one.
    let mut sample = Sample::list(SIZE, 30).pressed("\n");
    sample.answer(30);
    sample.event(Event::Answer(
        sample.store.asked(&Slot::RestPause),
        Answer::Timer,
    ));
    let of_another = sample.store.asked(&Slot::RunSuites);
    sample.press(":R_2\n");
    assert!(sample.open.contains(&Effect::Cancel(of_another)));
}

#[test]
fn a_run_that_is_looked_for_on_this_machine_is_given_up_by_ctrl_c() {
    let mut sample = Sample::list(SIZE, 30).pressed(":R_99");
    // Neither is answered yet.
    for action in [Action::Open, Action::Cancel] {
        let effects = sample.store.update(Message::Action(action), sample.now);
        sample.open.extend(effects);
    }
    assert!(sample.said().starts_with("given up: "), "{}", sample.said());
}

#[test]
fn where_there_is_no_run_none_is_deleted() {
    Sample::list(SIZE, 0)
        .pressed("D")
        .says("there is no run here");
}

#[test]
fn what_could_not_connect_is_tried_again_by_the_key_that_reads() {
    let mut sample = Sample::list(SIZE, 3);
    sample.event(Event::NotConnected(failure()));
    sample.press("r");
    let profile = "demo".into();
    assert_eq!(sample.open, [Effect::Connect { profile }]);
}

#[test]
fn a_project_is_the_one_that_was_typed() {
    let mut sample = Sample::list(SIZE, 3).pressed(":project P_9\n");
    let (project, subproject) = ("P_9".into(), None);
    let uses = Effect::UseProject {
        project,
        subproject,
    };
    assert_eq!(sample.open.pop(), Some(uses));
}

#[test]
fn a_choice_that_matches_nothing_is_no_command() {
    let sample = Sample::list(SIZE, 3).pressed("fzzz\n");
    sample.lacks("no such command");
}

#[test]
fn another_profile_starts_anew() {
    let mut sample = Sample::list(SIZE, 30);
    // A mark, a search and an open run are all of the first profile.
    sample.press("j ");
    sample.says("1 marked");
    sample.press("/sm\n");
    sample.says("run 1 of 4 ");
    sample.press("\n");
    sample.answer(30);
    sample.says("P_9/SP_1 › R_2");
    sample.open.clear();
    let due = [(row(1).doc_ref, sample.now)];
    sample.store.cx.shared.due.runs = due.into();
    sample.press(":profile prod\n");
    assert_eq!(
        sample.open,
        [Effect::Connect {
            profile: "prod".into()
        }]
    );
    sample.open.clear();
    sample.connect(|it| {
        it.profile = "prod".into();
        it.project = "P_12".into();
    });
    let screen = sample.screen();
    says(&screen, "P_12/SP_1 ");
    says(&screen, "qa@prod");
    says(&screen, "nothing read yet");
    assert!(
        sample.store.cx.shared.due.runs.is_empty(),
        "dates of the other"
    );
    assert_eq!(readings(&sample.open), 0, "not before the sign-in");
    sample.let_in();
    assert_eq!(readings(&sample.open), 1);
    sample.answer(3);
    let screen = sample.screen();
    says(&screen, "\nrun 1 of 3   138 left\n");
    says(&screen, "> R_0 ");
    says(&screen, "  R_2 ");
    sample.act(Action::NextScreen);
    assert!(
        sample.store.screen() == Layer::Runs
            && sample
                .screen()
                .contains("no screen was left that could be shown"),
        "no way back to the run of the other"
    );
    sample.press(":profile nowhere\n");
    sample.says("there are: demo, prod");
    // What was about to be deleted is of the other profile, too.
    sample.press("\u{1b}D");
    sample.on(Layer::DeleteId);
    sample.uses("demo");
    sample.on(Layer::Runs);
    // The help lies over a sign-in that is asked for meanwhile.
    sample.press("?");
    sample.session_over();
    sample.on(Layer::Help);
}

#[test]
fn a_token_renewed_meanwhile_does_not_close_the_box_that_a_person_types_into() {
    let mut sample = Sample::list(SIZE, 3);
    sample.sign_in_needed(SignInReason::Asked);
    sample.press("gehe");
    sample.let_in();
    sample.press("imnis");
    assert_eq!(sample.store.login().unwrap().password.text(), "geheimnis");
    assert_eq!(sample.store.runs().list.search.text(), "");
    // Nor where the session was over meanwhile.
    sample.session_over();
    sample.let_in();
    assert_eq!(sample.store.login().unwrap().password.text(), "geheimnis");
    // And where nobody types, nothing is read for it.
    let mut sample = Sample::list(SIZE, 3);
    sample.let_in();
    assert_eq!(sample.open, []);
}

#[test]
fn the_sign_in_that_was_left_comes_back_with_its_reason_and_without_its_password() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::default()));
    let why = "Account disabled";
    sample.sign_in_needed(SignInReason::Refused(why.into()));
    sample.press("geheim");
    sample.act(Action::Back);
    // In the place of rows stands why there are none.
    sample.says("signing in failed");
    sample.says(why);
    sample.says("Not signed in; r opens the box again");
    sample.press("r");
    let screen = sample.screen();
    says(&screen, why);
    says(&screen, "qa");
    assert_eq!(sample.store.login().unwrap().password.text(), "");
    let remedy = |sample: &Sample| {
        let told = &sample.store.errors().entries;
        assert_eq!(told.len(), 1, "told once");
        told[0].failure.remedy.clone()
    };
    says(&remedy(&sample), "r opens the login box");
    // Of another profile it is not.
    sample.act(Action::Back);
    sample.event(Event::Connected(Box::default()));
    sample.press("r");
    sample.lacks(why);
    // Nor does it for who is signed in, and what was to help then leads nowhere now.
    sample.let_in();
    assert_eq!(remedy(&sample), "");
    sample.act(Action::Back);
    sample.act(Action::SignIn);
    assert_eq!(sample.store.login().unwrap().user.text(), "qa");
}

/// So long that the sign-in box opens by itself.
fn no_key_for_a_while(sample: &mut Sample) {
    sample.now += 500;
    let pause = sample.store.asked(&Slot::SignInPause);
    sample.reply(pause, Answer::Timer);
}

/// Keys that follow each other are of what they began on: the box would send them as a password.
#[test]
fn the_sign_in_box_opens_by_itself_once_no_key_was_pressed_for_half_a_second() {
    let mut sample = Sample::list(SIZE, 30).pressed("j");
    sample.sign_in_needed(SignInReason::Refused("Account disabled".into()));
    for _ in 0..3 {
        sample.now += 100;
        sample.press("j");
        sample.on(Layer::Runs);
    }
    assert_eq!(sample.store.runs().current().unwrap().name(), "R_4");
    no_key_for_a_while(&mut sample);
    sample.says("Account disabled");
    sample.on(Layer::Login);
    assert_eq!(sample.store.login().unwrap().password.text(), "");
    // Who asks for it need not wait.
    sample.act(Action::Back);
    sample.act(Action::SignIn);
    sample.on(Layer::Login);
}

/// Nothing that is typed elsewhere gets into the box, which would send it as a password.
#[test]
fn the_sign_in_box_waits_while_a_text_is_typed() {
    let sends = |sample: &Sample| {
        let signs_in = |effect: &Effect| matches!(effect, Effect::SignIn { .. });
        sample.open.iter().any(signs_in)
    };
    let refused = || SignInReason::Refused("Account disabled".into());
    let mut sample = Sample::list(SIZE, 30).pressed("n");
    sample.take_draft(None, None);
    sample.press("Nig");
    sample.sign_in_needed(refused());
    sample.says("the box for it opens when nothing is typed here");
    sample.press("ht\nconf");
    assert!(!sends(&sample));
    let texts = sample.store.form().unwrap().texts();
    assert_eq!(texts[&RunField::Title], "Night");
    sample.press("\u{1b}");
    no_key_for_a_while(&mut sample);
    sample.says("Account disabled");
    sample.on(Layer::Login);
    for (begins, ends) in [("/smo", "ke\n"), (":sort ti", "tle\n"), ("?", "\u{1b}")] {
        let mut sample = Sample::list(SIZE, 30).pressed(begins);
        sample.sign_in_needed(refused());
        assert!(sample.store.login().is_none());
        sample.press(ends);
        no_key_for_a_while(&mut sample);
        assert_eq!(sample.store.layer(), Layer::Login, "{begins}");
        assert_eq!(sample.store.login().unwrap().password.text(), "");
        assert!(!sends(&sample));
    }
    // Who is signed in meanwhile is not asked, and who asks for the box has it at once.
    let mut sample = Sample::list(SIZE, 30).pressed("/smo");
    sample.session_over();
    sample.let_in();
    sample.press("\n");
    assert!(sample.store.login().is_none());
    sample.press(":sign in\n");
    sample.on(Layer::Login);
    // A form that waits for its run takes no text.
    let mut sample = Sample::list(SIZE, 30).pressed("e");
    sample.session_over();
    no_key_for_a_while(&mut sample);
    sample.on(Layer::Login);
    // Keys of the same moment are for what was seen then.
    let mut sample = Sample::list(SIZE, 30);
    let (user, why) = ("qa".to_owned(), refused());
    let needed = Message::Event(Event::SignInNeeded { user, why });
    sample.store.update(needed, NOW);
    sample.press("j");
    no_key_for_a_while(&mut sample);
    let login = sample.store.login().unwrap();
    assert_eq!(login.password.text(), "");
}

#[test]
fn a_user_name_that_is_being_typed_keeps_the_focus_whatever_fails_meanwhile() {
    let mut sample = Sample::new(SIZE);
    sample.connect(|it| it.user = String::new());
    let needed = |user: &str, why| Event::SignInNeeded {
        user: user.into(),
        why,
    };
    sample.event(needed("", SignInReason::Missing));
    sample.press("ad");
    sample.event(needed("qa", SignInReason::Failed("no answer".into())));
    sample.press("a");
    let login = sample.store.login().unwrap();
    assert_eq!((login.user.text(), login.password.text()), ("ada", ""));
}

#[test]
fn keys_in_a_window_that_is_too_small_are_told_once_it_is_larger() {
    let mut sample = Sample::list(SIZE, 3).pressed("/");
    sample.resize((39, 24));
    sample.press("abc");
    sample.act(Action::Paste("defg".into()));
    sample.resize(SIZE);
    sample.says("7 keys were not taken: the window was too small");
    sample.press("x");
    sample.lacks("not taken");
    sample.resize((39, 24));
    sample.resize(SIZE);
    sample.lacks("not taken");
}

/// Typing the password is no wish to stay on the list.
#[test]
fn who_types_the_password_begins_where_they_left_off() {
    for (first, at_once) in [("", true), ("\u{1b}r", false)] {
        let mut sample = Sample::new(SIZE);
        sample.connect(|_| {});
        let before = LeftOff {
            screen: LeftOn::Run(document(2).doc_ref().clone(), 0),
            ..sample.store.screens.runs.left_off()
        };
        sample.store.go_on_at(&before);
        sample.sign_in_needed(SignInReason::Missing);
        sample.press(first);
        assert!(sample.store.left_off().is_none(), "no run was seen yet");
        sample.press("geheim\n");
        sample.let_in();
        sample.answer(30);
        assert!(sample.store.left_off().is_some());
        let layer = if at_once { Layer::Detail } else { Layer::Runs };
        assert_eq!(sample.store.layer(), layer, "{first:?}");
        assert_eq!(sample.screen().contains("› R_2"), at_once);
    }
}

#[test]
fn a_second_refusal_says_that_it_was_tried_again() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::default()));
    let refused = || Event::SignInNeeded {
        user: "qa".into(),
        why: SignInReason::Refused("Account disabled".into()),
    };
    sample.event(refused());
    sample.lacks("tried again");
    sample.press("geheim\n");
    sample.event(refused());
    sample.says("tried again: Account disabled");
}

#[test]
fn a_short_filter_does_not_keep_the_list_from_being_read() {
    let mut sample = Sample::signed_in(SIZE);
    sample.press("/ab");
    assert_eq!(readings(&sample.open), 1);
    sample.answer(3);
    assert_eq!(sample.store.runs().extent().size, Some(3));
}

#[test]
fn what_fails_while_the_problems_are_read_is_not_new_behind_them() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("!");
    sample.event(Event::Trouble(failure()));
    sample.press("\u{1b}j");
    sample.lacks("[!]");
}

#[test]
fn the_theme_of_the_terminal_is_asked_for_where_it_is_chosen() {
    let mut sample = Sample::list(SIZE, 3).pressed(":theme auto\n");
    assert_eq!(sample.open.pop(), Some(Effect::AskBackground));
}

#[test]
fn json_is_copied_only_where_it_was_asked_for() {
    let mut sample = Sample::list(SIZE, 3);
    sample.press("yj");
    sample.press("j\n");
    sample
        .open
        .retain(|effect| matches!(effect, Effect::Request(_, Request::GetDocument { .. })));
    sample.answer(3);
    assert!(
        !sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Copy { .. }))
    );
}

/// The list refuses this account twice: what it has read goes, but not what is typed.
#[test]
fn a_list_that_may_not_be_shown_any_more_takes_the_open_run_with_it() {
    for (keys, stays) in [("\n", false), ("\ns", false), ("e", true)] {
        let mut sample = Sample::list((80, 24), 3).pressed(keys);
        assert_ne!(sample.store.screen(), Layer::Runs);
        let answer = RunsAnswer {
            number: u64::MAX,
            is_barred: true,
            ..RunsAnswer::default()
        };
        sample.event(Event::Runs(Layer::Runs, Box::new(answer)));
        let is_open = sample.store.screen() != Layer::Runs;
        assert_eq!(is_open, stays, "{}", sample.screen());
        if !stays {
            sample.says("not shown to this account");
            sample.says("the service says that this account may not list runs: what is kept is no");
        }
    }
}
