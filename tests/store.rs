//! The store without terminal or network: what actions and events do, and what no sequence of them can do.

mod any_sequence;
mod deeds;
mod earlier;
mod under_way;
mod unfinished;

use super::support::{deleting, ends, sample, suites};
use crate::support::prelude::*;
use rundown::screens::runs::InForce;
use sample::page;

const SIZE: (u16, u16) = (80, 24);

fn pages(effects: &[Effect]) -> Vec<u64> {
    let page = |effect: &Effect| match effect {
        Effect::ListRuns { page, .. } => Some(page.offset),
        _ => None,
    };
    effects.iter().filter_map(page).collect()
}

#[test]
fn nothing_is_sent_before_the_sign_in() {
    let mut sample = Sample::new(SIZE);
    sample.event(Event::Connected(Box::new(session())));
    sample.press("jjr/");
    // Looking for drafts concerns the disk alone.
    assert_eq!(sample.open, [Effect::Draft(DraftRequest::Find)]);
    sample.let_in();
    assert_eq!(pages(&sample.open), [0]);
}

#[test]
fn pages_are_fetched_ahead_in_the_direction_of_travel() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    sample.runs(id, Ok(page(FIRST, 10_000)));
    assert_eq!(pages(&sample.open), [50, 100, 150, 200]);
    sample.act(Action::Move(Motion::Last));
    let cancelled = sample
        .open
        .iter()
        .filter(|effect| matches!(effect, Effect::Cancel(_)))
        .count();
    assert_eq!(cancelled, 4, "what is far away now is given up");
    assert_eq!(
        pages(&sample.open)[4],
        9_950,
        "the rows on the screen come first"
    );
}

#[test]
fn what_is_kept_stays_bounded() {
    let mut sample = Sample::list(SIZE, 100_000);
    for _ in 0..100 {
        sample.act(Action::Move(Motion::PageDown));
        sample.act(Action::Move(Motion::PageDown));
        sample.act(Action::Move(Motion::PageDown));
        sample.answer(100_000);
    }
    assert!(
        sample.store.runs().all.loaded() <= 2_000,
        "{} rows are kept",
        sample.store.runs().all.loaded()
    );
    assert!(sample.store.runs().current().is_some());
}

#[test]
fn of_large_rows_fewer_are_kept() {
    let mut sample = Sample::list(SIZE, 100_000);
    for _ in 0..60 {
        for _ in 0..3 {
            sample.act(Action::Move(Motion::PageDown));
        }
        for effect in sample.effects() {
            let Effect::ListRuns {
                id, page: asked, ..
            } = effect
            else {
                continue;
            };
            let mut large = page(asked, 100_000);
            for row in &mut large.rows {
                row.title = Some("x".repeat(40_000));
            }
            sample.runs(id, Ok(large));
        }
    }
    let kept = sample.store.runs().all.loaded();
    assert!(kept <= 850, "{kept} rows are kept");
    let known = |number: u64| sample.store.feed().known(&row(number).doc_ref).is_some();
    let known = (0..4_000).filter(|number| known(*number)).count();
    assert!(known <= 850, "{known} runs are known");
    assert!(sample.store.runs().current().is_some());
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
    let mut refused = failure();
    refused.kind = FailureKind::PageTooLarge;
    sample.runs(id, Err(refused.clone()));
    let Some(Effect::ListRuns { page, id, .. }) = sample.open.first() else {
        panic!("{:?}", sample.open)
    };
    assert_eq!((page.offset, page.limit), (0, 25));
    let id = *id;
    sample.open.clear();
    sample.runs(id, Err(refused.clone()));
    for smaller in [12, 6, 3, 1] {
        let Some(Effect::ListRuns { page, id, .. }) = sample.open.pop() else {
            panic!("{:?}", sample.open)
        };
        assert_eq!(page.limit, smaller);
        sample.runs(id, Err(refused.clone()));
    }
    assert_eq!(
        pages(&sample.open),
        Vec::<u64>::new(),
        "there is no smaller page"
    );
    assert!(sample.store.runs().all.failure.is_some());
}

/// What is wanted at once is kept, however large the pages: it was asked for again without end.
#[test]
fn large_pages_come_to_an_end_when_going_back() {
    for (page_size, height) in [(1_000, 24), (250, 44), (200, 64)] {
        let mut sample = Sample::new((80, height));
        let session = Session {
            page_size,
            ..session()
        };
        sample.event(Event::Connected(Box::new(session)));
        sample.let_in();
        let mut asked = 0;
        let mut answer = |sample: &mut Sample| {
            let before = asked;
            while let Some(place) = sample
                .open
                .iter()
                .position(|effect| matches!(effect, Effect::ListRuns { .. }))
            {
                let Effect::ListRuns { id, page, .. } = sample.open.remove(place) else {
                    panic!()
                };
                asked += 1;
                assert!(
                    asked - before < 40,
                    "pages of {page_size} are asked for without end"
                );
                sample.runs(id, Ok(self::page(page, 20_000)));
            }
        };
        answer(&mut sample);
        sample.act(Action::Move(Motion::Last));
        answer(&mut sample);
        for _ in 0..90 {
            sample.act(Action::Move(Motion::PageUp));
            sample
                .open
                .retain(|effect| !matches!(effect, Effect::Cancel(_)));
            answer(&mut sample);
        }
    }
}

#[test]
fn one_short_page_is_not_the_limit_for_ever() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    let mut short = page(FIRST, 120);
    short.rows.truncate(1);
    sample.runs(id, Ok(short));
    assert_eq!(sample.store.runs().all.clamped, Some(1));
    sample.answer(120);
    sample.press("r");
    let Some(Effect::ListRuns { page, .. }) = sample.open.first() else {
        panic!("{:?}", sample.open)
    };
    assert_eq!(page.limit, 50);
    sample.answer(120);
    assert_eq!(sample.store.runs().all.clamped, None);
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
fn a_search_that_is_refused_its_sort_leaves_the_list_its_own() {
    let mut sample = Sample::list(SIZE, 60);
    let sort = sample.store.runs().sort.clone();
    sample.press("/smoke");
    let Some(Effect::Timer { id, .. }) = sample.open.pop() else {
        panic!("{:?}", sample.open)
    };
    sample.open.clear();
    sample.event(Event::Answer(id, Answer::Timer));
    let id = sample.asked();
    sample.open.clear();
    let mut refused = failure();
    refused.kind = FailureKind::Refused;
    sample.runs(id, Err(refused));
    sample.answer(5);
    let told = sample
        .store
        .notice()
        .is_some_and(|notice| notice.text.contains("refused the sort order"));
    assert!(told, "{}", sample.screen());
    assert_eq!(sample.store.runs().sort, sort);
}

#[test]
fn a_sort_that_the_service_refuses_is_left_out() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    let mut refused = failure();
    refused.kind = FailureKind::Refused;
    sample.runs(id, Err(refused));
    let Some(Effect::ListRuns { sort, .. }) = sample.open.first() else {
        panic!("{:?}", sample.open)
    };
    assert!(sort.is_empty());
    sample.answer(5);
    sample.says("refused the sort order");
}

#[test]
fn a_failed_read_is_tried_again_by_a_timer_and_not_before() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    sample.runs(id, Err(failure()));
    let Some(Effect::Timer { id, after }) = sample.open.pop() else {
        panic!("{:?}", sample.open)
    };
    assert_eq!(after, 1_000);
    sample.press("jk");
    assert_eq!(sample.open, []);
    sample.event(Event::Answer(id, Answer::Timer));
    assert_eq!(pages(&sample.open), [0]);
}

#[test]
fn an_empty_page_where_there_must_be_rows_is_a_failure_and_no_loop() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    let mut odd = page(FIRST, 5);
    odd.rows.clear();
    sample.runs(id, Ok(odd));
    assert_eq!(pages(&sample.open), Vec::<u64>::new());
    sample.says("an empty page, although there are 5");
}

#[test]
fn the_filter_survives_the_box_and_esc_takes_one_thing_at_a_time() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("/smo");
    assert_eq!(
        (sample.store.layer(), sample.store.runs().in_force()),
        (Layer::Typing, InForce::Local)
    );
    sample.press("\u{1b}");
    assert_eq!(
        (sample.store.layer(), sample.store.runs().in_force()),
        (Layer::Runs, InForce::Local)
    );
    sample.press("\u{1b}");
    assert_eq!(
        (sample.store.layer(), sample.store.runs().in_force()),
        (Layer::Runs, InForce::Nothing)
    );
}

#[test]
fn accents_and_case_do_not_matter_to_the_local_filter() {
    let mut sample = Sample::list(SIZE, 30);
    sample.press("/ubergabe");
    assert!(sample.store.runs().len().unwrap() > 0);
    sample.says("Übergabe");
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
    assert_eq!(sample.store.screen(), Layer::Detail);
    sample.act(Action::LastScreen);
    assert_eq!(sample.store.screen(), Layer::Runs);
    sample.act(Action::NextScreen);
    assert_eq!(sample.store.screen(), Layer::Detail);
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
fn where_there_is_no_run_none_is_deleted() {
    Sample::list(SIZE, 0)
        .pressed("D")
        .says("there is no run here yet");
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
    sample.store.cx.shared.due = due.into();
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
    assert!(sample.store.cx.shared.due.is_empty(), "dates of the other");
    assert_eq!(pages(&sample.open), [0; 0], "not before the sign-in");
    sample.let_in();
    assert_eq!(pages(&sample.open), [0]);
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
    assert_eq!(sample.store.layer(), Layer::Typing);
    sample.uses("demo");
    assert_eq!(sample.store.layer(), Layer::Runs);
    // The help lies over a sign-in that is asked for meanwhile.
    sample.press("?");
    sample.session_over();
    assert_eq!(sample.store.layer(), Layer::Help);
}

#[test]
fn one_success_does_not_take_the_retry_of_another_failure() {
    let mut sample = Sample::signed_in(SIZE);
    let id = sample.asked();
    sample.open.clear();
    sample.runs(id, Ok(page(FIRST, 10_000)));
    let is_list = |effect: &Effect| matches!(effect, Effect::ListRuns { .. });
    let asked: Vec<_> = sample.open.drain(..).filter(is_list).collect();
    let Effect::ListRuns { id: failing, .. } = &asked[0] else {
        panic!("{asked:?}")
    };
    let Effect::ListRuns {
        id: working,
        page: wanted,
        ..
    } = &asked[1]
    else {
        panic!("{asked:?}")
    };
    sample.runs(*failing, Err(failure()));
    let Some(Effect::Timer { id: timer, .. }) = sample.open.pop() else {
        panic!("no retry is planned")
    };
    sample.runs(*working, Ok(page(*wanted, 10_000)));
    sample.open.clear();
    sample.event(Event::Answer(timer, Answer::Timer));
    assert!(pages(&sample.open).contains(&50), "{:?}", sample.open);
}

#[test]
fn a_token_renewed_meanwhile_does_not_close_the_box_that_a_person_types_into() {
    let mut sample = Sample::list(SIZE, 3);
    sample.sign_in_needed(SignInReason::Asked);
    sample.press("gehe");
    sample.let_in();
    sample.press("imnis");
    assert_eq!(sample.store.login().unwrap().password.text(), "geheimnis");
    assert_eq!(sample.store.runs().search.text(), "");
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
    sample.lacks(why);
    sample.says("Not signed in; r opens the box again");
    sample.press("r");
    let screen = sample.screen();
    says(&screen, why);
    says(&screen, "qa");
    assert_eq!(sample.store.login().unwrap().password.text(), "");
    assert_eq!(sample.store.errors().entries.len(), 1, "told once");
    // Of another profile it is not.
    sample.act(Action::Back);
    sample.event(Event::Connected(Box::default()));
    sample.press("r");
    sample.lacks(why);
    // Nor does it for who is signed in.
    sample.let_in();
    sample.act(Action::Back);
    sample.act(Action::SignIn);
    assert_eq!(sample.store.login().unwrap().user.text(), "qa");
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
    assert_eq!(pages(&sample.open), [0]);
    sample.answer(3);
    assert_eq!(sample.store.runs().all.full_size(), Some(3));
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
        .retain(|effect| matches!(effect, Effect::GetDocument { .. }));
    sample.answer(3);
    assert!(
        !sample
            .open
            .iter()
            .any(|effect| matches!(effect, Effect::Copy { .. }))
    );
}
