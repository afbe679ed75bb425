//! Signing in, staying signed in, and being told why not.

use crate::support::prelude::*;
use rundown::config::SecretSource;

use super::{scene, scene_with};

#[tokio::test]
async fn a_refused_password_is_sent_exactly_once() {
    let mut scene = scene_with(Options::default(), |profile| {
        profile.password = Some(SecretSource::Inline("wrong-canary".to_owned().into()));
    })
    .await;
    scene.until("invalid_grant").await;
    scene.says("Sign in");
    for told in ["locked for a while", "not sent again by itself"] {
        scene.says(told);
    }
    scene.press(&["Esc"]);
    // In the place of the rows stands why there are none.
    for told in ["signing in failed", "Username and password do not fit"] {
        scene.says(told);
    }
    let shown = scene.screen();
    assert!(!shown.lines().any(|line| line.trim() == "…"), "{shown}");
    scene.press(&["r", "Esc", "j", "r"]);
    assert_eq!(scene.proxy.count("token"), 1);
    let form = scene.proxy.passed()[0].form();
    assert_eq!(
        (form["grant_type"].as_str(), form["username"].as_str()),
        ("password", "qa")
    );
    assert_eq!(form["client_id"], "rundown");
    assert!(form.contains_key("client_secret"));
    // The right one, typed, opens the list.
    let password = scene.service.profile().password;
    scene.press(&[password.expose_secret()]);
    assert!(
        !scene.screen().contains(password.expose_secret()),
        "the password is masked"
    );
    scene.press_until(&["Enter"], "\nrun 2 of").await;
    assert_eq!(scene.proxy.count("token"), 2);
}

#[tokio::test]
async fn without_a_password_the_box_asks_and_nothing_is_sent() {
    let mut scene = scene_with(Options::default(), |profile| {
        profile.password = None;
        profile.username = None;
    })
    .await;
    scene.until("User name").await;
    scene.press(&["Enter", "Enter"]);
    assert_eq!(scene.proxy.passed().len(), 0);
    scene.press(&["qa", "Enter"]);
    let password = scene.service.profile().password;
    scene.paste(&format!("{}\n", password.expose_secret()));
    scene.press_until(&["Enter"], "\nrun 1 of").await;
    assert_eq!(scene.proxy.count("token"), 1);
}

#[tokio::test]
async fn without_a_configured_password_a_session_that_is_over_opens_the_box_over_the_screen() {
    let options = options(|it| (it.token_seconds, it.refresh_seconds) = (2, 3));
    let mut scene = scene_with(options, |profile| profile.password = None).await;
    scene
        .until_that("asked", |desk| desk.store.login().is_some())
        .await;
    let password = scene.service.profile().password;
    scene
        .press_until(&[password.expose_secret(), "Enter"], "\nrun 1 of")
        .await;
    // The refresh token is over, too.
    pause(4_100).await;
    let id = scene.current_id();
    scene.press_until(&["r"], "The session is over").await;
    assert!(
        scene.screen().contains(&id),
        "what was on the screen stays: {}",
        scene.screen()
    );
    scene.says("not signed in");
    scene.press(&[password.expose_secret(), "Enter"]);
    scene
        .until_that("signed in and read again", |desk| {
            desk.store.login().is_none() && !desk.store.runs().reader.busy()
        })
        .await;
    assert_eq!(scene.store.runs().reader.failure, None);
}

#[tokio::test]
async fn an_identity_provider_that_is_down_is_named() {
    let mut scene = scene(Options::default()).await;
    scene.until("\nrun 1 of").await;
    scene.proxy.fault_for(
        "token",
        Fault::Replace(
            503,
            b"<html><title>Down for maintenance</title></html>".to_vec(),
        ),
    );
    scene.press(&[":", "sign in", "Enter"]);
    let password = scene.service.profile().password;
    scene.press(&[password.expose_secret(), "Enter"]);
    let said = "the identity provider is not available";
    scene.until(said).await;
    scene.until("status 503)").await;
}

#[tokio::test]
async fn an_identity_provider_that_comes_back_is_met_with_the_configured_password() {
    let (service, proxy) = super::behind_a_proxy(Options::default()).await;
    proxy.fault_for("token", Fault::status(503));
    let profile = super::profile_through(&proxy, &service);
    let mut desk = super::Desk::open(profile);
    desk.until("signing in failed").await;
    assert!(
        desk.store.login().is_none(),
        "nothing was refused, so nobody is asked: {}",
        desk.screen()
    );
    proxy.fault(Fault::None);
    desk.until("\nrun 1 of").await;
    assert!(proxy.passed().iter().all(|passed| {
        passed
            .form()
            .get("grant_type")
            .is_none_or(|grant| grant == "password")
    }));
}

/// The program once more, with the runs of before, while a sign-in that lasts a second is under way.
async fn signing_in(token: Fault) -> super::Scene {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    scene.proxy.plan(true, 0, 1, token);
    let profile = scene.profile.clone();
    scene.desk = scene.desk.again(profile);
    scene.until_row().await;
    scene
}

#[tokio::test]
async fn what_is_asked_for_while_the_program_signs_in_by_itself_is_read_after_it_and_is_no_problem()
{
    let is_read = |desk: &super::Desk| {
        let screen = desk.store.on_top();
        screen.is_some_and(|it| {
            let busy = it.reading().is_some_and(|reading| reading.busy);
            it.read_at().is_some() && !busy && !it.is_old()
        })
    };
    for keys in [
        &["a"][..],
        &["s"],
        &["H"],
        &["="],
        &["Enter"],
        &["B"],
        &["M"],
    ] {
        let mut scene = signing_in(Fault::delay(1_000)).await;
        scene.press(keys);
        assert!(!scene.store.cx.shared.signed_in, "{keys:?}");
        scene
            .until_that("read after the sign-in", |desk| {
                desk.store.cx.shared.signed_in && is_read(desk)
            })
            .await;
        let screen = scene.screen();
        assert!(!screen.contains("not signed in"), "{keys:?}: {screen}");
        let told = &scene.store.errors().entries;
        assert!(told.is_empty(), "{keys:?}: {told:?}");
    }
}

#[tokio::test]
async fn what_was_asked_for_is_told_when_the_sign_in_fails_and_read_when_the_next_one_does_not() {
    let mut scene = signing_in(Fault::status(503)).await;
    scene
        .press_until(&["a"], "It is tried again by itself")
        .await;
    let read = |desk: &super::Desk| {
        let suites = desk.store.available();
        suites.is_some_and(|it| it.suites.value().is_some())
    };
    scene.until_that("read without a key", read).await;
    scene.lacks("not signed in");
}

#[tokio::test]
async fn a_write_tries_the_configured_sign_in_again_at_once() {
    let mut scene = scene(Options::default()).await;
    scene.first_reading().await;
    scene.proxy.fault_for("token", Fault::status(503));
    let profile = scene.profile.clone();
    scene.desk = scene.desk.again(profile);
    scene.until("OFFLINE since").await;
    scene.until_row().await;
    scene.press(&["n"]);
    scene.form_is_here().await;
    scene.press(&["Made on a train", "Tab", "chrome"]);
    scene.review().await;
    let asked = scene.proxy.count("token");
    scene.press(&["Enter"]);
    scene.until("the service does not answer").await;
    scene.says("Try again once it does");
    scene.lacks("Sign in, then try again");
    assert!(scene.proxy.count("token") > asked);
    scene.proxy.fault(Fault::default());
    scene.press(&["Enter"]);
    scene.told("created").await;
    assert_eq!(scene.params("ADD_DOCUMENT").len(), 1);
}

/// A profile at a service behind a proxy, under another name.
fn profile(name: &str, service: &LocalService, proxy: &str) -> rundown::config::Profile {
    let mut profile = rundown::demo::profile(&service.profile()).unwrap();
    profile.base_url = url::Url::parse(&format!("{proxy}/api")).unwrap();
    profile.idp_url = url::Url::parse(proxy).unwrap();
    name.clone_into(&mut profile.name);
    profile
}

#[tokio::test]
async fn a_refused_password_is_not_sent_again_when_its_profile_is_taken_up_again() {
    let (service, proxy) = super::behind_a_proxy(Options::default()).await;
    let good = profile("good", &service, &proxy.base);
    let mut bad = profile("bad", &service, &proxy.base);
    bad.password = Some(SecretSource::Inline("wrong-canary".to_owned().into()));
    let mut desk = super::Desk::of(vec![bad, good]);
    desk.until("invalid_grant").await;
    desk.press_until(&["Esc", ":", "profile good", "Enter"], "\nrun 1 of")
        .await;
    desk.press_until(&[":", "profile bad", "Enter"], "Sign in")
        .await;
    let sent = |password: &str| {
        proxy
            .passed()
            .iter()
            .filter(|passed| {
                passed
                    .form()
                    .get("password")
                    .is_some_and(|it| it == password)
            })
            .count()
    };
    assert_eq!(sent("wrong-canary"), 1, "{}", desk.screen());
    // The right one can be typed all the same.
    let password = service.profile().password;
    desk.press_until(&[password.expose_secret(), "Enter"], "\nrun 1 of")
        .await;
    // The runs of before stood there all the time.
    desk.until_that("signed in", |desk| desk.store.cx.shared.signed_in)
        .await;
    assert_eq!(
        (sent("wrong-canary"), sent(password.expose_secret())),
        (1, 2)
    );
}

#[tokio::test]
async fn no_change_of_another_profile_is_offered_to_be_taken_back() {
    let (service, proxy) = super::behind_a_proxy(Options::default()).await;
    let profiles = ["here", "there"].map(|name| profile(name, &service, &proxy.base));
    let mut desk = super::Desk::of(profiles.into());
    desk.until("\nrun 1 of").await;
    desk.press_until(&["e"], "Title *").await;
    desk.press_until(&["End", "!", "Ctrl-s"], "Last saved by")
        .await;
    desk.press(&["Enter"]);
    desk.until_that("saved", |desk| desk.store.screens.form.form.is_none())
        .await;
    desk.press_until(&["@"], "1 of 1").await;
    desk.says("Enter undo");
    desk.press_until(&["Esc", ":", "profile there", "Enter"], "\nrun 1 of")
        .await;
    desk.press_until(&["@"], "1 of 1").await;
    desk.lacks("Enter undo");
}

#[tokio::test]
async fn a_profile_that_is_taken_up_again_shows_its_list_as_it_was_left() {
    let (service, proxy) = super::behind_a_proxy(Options::default()).await;
    let profiles = ["here", "there"].map(|name| profile(name, &service, &proxy.base));
    let mut desk = super::Desk::of(profiles.into());
    desk.until("\nrun 1 of").await;
    desk.press_until(&["5"], "[5 Closed").await;
    desk.until_that("rows", |desk| desk.store.runs().current().is_some())
        .await;
    desk.press_until(&["j", "j"], "\nrun 3 of").await;
    let left = desk.store.here();
    let other = &[":", "profile there", "Enter"];
    desk.press_until(other, "[1 Open").await;
    desk.press_until(&["6"], "[6 All").await;
    let back = &[":", "profile here", "Enter"];
    desk.press_until(back, "[5 Closed").await;
    let is_there = |desk: &super::Desk| {
        let here = desk.store.runs().current();
        here.is_some_and(|here| here.doc_ref == left.doc_ref)
    };
    desk.until_that("the cursor on its run", is_there).await;
    desk.says("\nrun 3 of");
    desk.press_until(&[":", "profile there", "Enter"], "[6 All")
        .await;
}

#[tokio::test]
async fn a_configured_sign_in_that_comes_late_does_not_take_the_place_of_one_by_hand() {
    use super::support::scripted::{Say, Scripted, tokens};
    // The configured user's first request fails, the second one is answered after somebody else has signed in.
    for fails in [false, true] {
        let late = Duration::from_millis(1_500);
        let server = Scripted::start(move |seen, before| {
            if !seen.is_token() {
                return Say::json(503, &serde_json::json!({}));
            }
            match (before, seen.form()["username"].as_str()) {
                (0, _) => Say::bytes(503, "not yet"),
                (_, "mai") => tokens(before, 3600),
                _ if fails => Say::bytes(503, "not yet").after(late),
                _ => tokens(before, 3600).after(late),
            }
        })
        .await;
        let service = LocalService::start(Options::default(), |_, _| {})
            .await
            .unwrap();
        let mut desk = super::Desk::open(profile("slow", &service, &server.base));
        desk.until("signing in failed").await;
        desk.press(&["r"]);
        let asked = |times: usize| {
            let seen = server.token_requests();
            seen.iter()
                .filter(|seen| seen.form()["username"] == "qa")
                .count()
                >= times
        };
        let end = Instant::now() + Duration::from_secs(15);
        while !asked(2) {
            assert!(Instant::now() < end, "{}", desk.screen());
            tokio::task::yield_now().await;
        }
        desk.press(&[":", "sign in", "Enter"]);
        desk.press(&[
            "Up",
            "Backspace",
            "Backspace",
            "mai",
            "Down",
            "secret",
            "Enter",
        ]);
        let by_hand = |desk: &super::Desk| desk.store.signed_in() == Some("mai");
        desk.until_that("signed in by hand", by_hand).await;
        let failures = desk.store.errors().entries.len();
        // Nothing tells that the late answer has come: that is what is looked at.
        let end = Instant::now() + late + Duration::from_millis(300);
        while Instant::now() < end {
            desk.catch_up();
            pause(20).await;
        }
        assert!(by_hand(&desk), "{:?}", desk.store.signed_in());
        let new = desk
            .store
            .errors()
            .entries
            .iter()
            .take(desk.store.errors().entries.len() - failures);
        let sign_ins = new
            .filter(|trouble| trouble.failure.asked == "signing in")
            .count();
        assert_eq!(
            (sign_ins, desk.store.login().is_none()),
            (0, true),
            "{}",
            desk.screen()
        );
    }
}
