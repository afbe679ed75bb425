//! How a session that the Keycloak gave goes on and comes to its end, and how many passwords that takes.

use super::desk::{Desk, good};
use super::headless::watch::Watching;
use super::realm::{Realm, audience_mapper, rundown};
use super::support::{PASSWORD, SECRET};
use crate::support::prelude::*;

/// Tokens that are over before the next look but one.
const SHORT: u64 = 3;

fn short(file: &mut Value) {
    file["accessTokenLifespan"] = json!(SHORT);
}

/// So many looks, each of which says that the run has changed.
async fn looks(watching: &mut Watching, times: usize) {
    for _ in 0..times {
        let line = watching.line().await;
        assert!(
            line["type"] == "snapshot" || line["type"] == "change",
            "{line}"
        );
    }
}

fn count(events: &[String], event: &str) -> usize {
    events.iter().filter(|it| *it == event).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn one_time_refresh_tokens_of_a_confidential_and_of_a_public_client() {
    for public in [false, true] {
        let one_time = |file: &mut Value| {
            short(file);
            file["revokeRefreshToken"] = json!(true);
            file["refreshTokenMaxReuse"] = json!(0);
            rundown(file)["publicClient"] = json!(public);
        };
        let name = if public {
            "rotation-public"
        } else {
            "rotation"
        };
        let Some(desk) = Desk::at_new(name, one_time).await else {
            return;
        };
        desk.configure(&desk.realm.base, (!public).then_some(SECRET), "");
        let mut watching = desk.watch("1s");
        looks(&mut watching, 12).await;
        assert_eq!(watching.said().await, "");
        let events = desk.realm.events().await;
        assert!(count(&events, "REFRESH_TOKEN") >= 3, "{events:?}");
        assert_eq!(
            events.len(),
            1 + count(&events, "REFRESH_TOKEN"),
            "{events:?}"
        );
        assert_eq!(desk.realm.passwords().await, 1);
        let case = format!(
            "rotation of refresh tokens, 12 looks{}",
            if public { ", public client" } else { "" }
        );
        desk.realm.row(&case, "").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_refresh_tokens() {
    let none = |file: &mut Value| {
        short(file);
        rundown(file)["attributes"] = json!({"use.refresh.tokens": "false"});
    };
    let Some(desk) = Desk::at_new("no-refresh", none).await else {
        return;
    };
    let mut watching = desk.watch("1s");
    let begun = Instant::now();
    looks(&mut watching, 10).await;
    let most = 2 + begun.elapsed().as_secs() as usize * 10 / (SHORT as usize * 8);
    assert_eq!(watching.said().await, "");
    let events = desk.realm.events().await;
    let sent = count(&events, "LOGIN");
    assert!(
        events.len() == sent && (3..=most).contains(&sent),
        "at most {most}: {events:?}"
    );
    desk.realm.row("no refresh tokens, 10 looks", "").await;
}

/// The refresh token is over between two looks.
#[tokio::test(flavor = "multi_thread")]
async fn an_expired_refresh_token() {
    let idle = |file: &mut Value| {
        file["accessTokenLifespan"] = json!(SHORT);
        file["ssoSessionIdleTimeout"] = json!(SHORT + 1);
    };
    let Some(desk) = Desk::at_new("expired", idle).await else {
        return;
    };
    let mut watching = desk.watch("6s");
    looks(&mut watching, 3).await;
    assert_eq!(watching.said().await, "");
    let events = desk.realm.events().await;
    let again = ["REFRESH_TOKEN_ERROR invalid_token", "LOGIN"];
    assert_eq!(events, [&["LOGIN"], &again[..], &again].concat());
    desk.realm
        .row("refresh token expired between two looks, twice", "")
        .await;
}

/// Its last tokens are shorter and shorter, and the very last is over when it comes.
#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_may_not_get_older() {
    let aged = |file: &mut Value| {
        short(file);
        file["ssoSessionMaxLifespan"] = json!(3 * SHORT);
    };
    let Some(desk) = Desk::at_new("aged", aged).await else {
        return;
    };
    let mut watching = desk.watch("1s");
    let begun = Instant::now();
    looks(&mut watching, 25).await;
    let most = 2 + begun.elapsed().as_secs() as usize / (2 * SHORT as usize);
    assert_eq!(watching.said().await, "");
    let sent = desk.realm.passwords().await;
    assert!(
        (2..=most).contains(&sent),
        "at most {most}: {:?}",
        desk.realm.events().await
    );
    desk.realm
        .row("session that may not get older, 25 looks", "")
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_an_administrator_ends() {
    let Some(desk) = Desk::at_new("revoked", short).await else {
        return;
    };
    let mut watching = desk.watch("1s");
    looks(&mut watching, 1).await;
    desk.realm.log_out().await;
    desk.realm.until("LOGIN", 2).await;
    looks(&mut watching, 5).await;
    assert_eq!(watching.said().await, "");
    let events = desk.realm.events().await;
    assert_eq!(desk.realm.passwords().await, 2, "{events:?}");
    assert_eq!(
        events
            .iter()
            .filter(|it| it.starts_with("REFRESH_TOKEN_ERROR"))
            .count(),
        1,
        "{events:?}"
    );

    desk.realm
        .row("session revoked by an administrator: watch", "")
        .await;

    let before = desk.realm.passwords().await;
    desk.configure(&desk.realm.base, Some(SECRET), "refresh_seconds = 1");
    let mut screen = desk.screen(PASSWORD);
    screen.until("\nrun 1 of").await;
    desk.realm.log_out().await;
    // Nobody presses a key, and with one of the next looks it signs in again.
    for _ in 0..20 {
        let looks = desk.service.calls().len() + 1;
        screen
            .until_that("looks for news", |_| desk.service.calls().len() > looks)
            .await;
        if desk.realm.passwords().await > before + 1 {
            break;
        }
    }
    assert!(
        screen.store.login().is_none() && screen.store.errors().entries.is_empty(),
        "{}",
        screen.screen()
    );
    assert_eq!(desk.realm.passwords().await, before + 2);
}

/// The old password is sent once more when the session ends, and never again.
#[tokio::test(flavor = "multi_thread")]
async fn a_password_that_is_changed_while_the_program_is_open() {
    let Some(desk) = Desk::at_new("changed", short).await else {
        return;
    };
    let mut screen = desk.screen(PASSWORD);
    screen.until("\nrun 1 of").await;
    let mut watching = desk.watch("1s");
    looks(&mut watching, 1).await;
    desk.realm.set_password("another one").await;
    // A session that stands is not touched by it.
    desk.realm.until("REFRESH_TOKEN", 1).await;
    desk.realm.log_out().await;
    desk.realm
        .until("LOGIN_ERROR invalid_user_credentials", 1)
        .await;
    let (status, _, said) = watching.end().await;
    assert_eq!(status.code(), Some(3), "{said}");
    for word in [
        "not signed in",
        "the configured password",
        "Invalid user credentials",
        "Username and password do not fit",
    ] {
        assert!(said.contains(word), "{word:?} is missing: {said}");
    }
    desk.realm
        .row(
            "password changed while open, then the session ended (screen and watch are open)",
            &said,
        )
        .await;
    let sent = desk.realm.passwords().await;
    assert_eq!(sent, 3, "{:?}", desk.realm.events().await);

    screen.press_until(&["r"], "The session is over").await;
    assert!(
        screen.screen().contains("R_4"),
        "what was on the screen stays: {}",
        screen.screen()
    );
    screen.press(&["Esc", "r", "Esc", "r", "Esc"]);
    assert_eq!(desk.realm.passwords().await, sent + 1);
    screen.press(&[":", "sign in", "Enter", "another one", "Enter"]);
    screen
        .until_that("signed in again", |desk| {
            desk.store.login().is_none() && !desk.store.runs().reader.busy()
        })
        .await;
    assert!(screen.store.runs().reader.failure.is_none());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_goes_while_the_program_is_open_and_comes_back() {
    let Some(desk) = Desk::at_new("goes", short).await else {
        return;
    };
    let mut watching = desk.watch("1s");
    looks(&mut watching, 1).await;
    let mut screen = desk.screen(PASSWORD);
    screen.until("\nrun 1 of").await;
    desk.realm.delete().await;
    let told = watching.error().await;
    says(&told, "no such realm");
    screen.press_until(&["r"], "[!]").await;
    screen.press_until(&["!"], "no such realm").await;
    assert!(
        screen.store.login().is_none(),
        "nothing was refused, so nobody is asked: {}",
        screen.screen()
    );
    desk.realm.create().await;
    while watching.line().await["type"] == "error" {}
    watching.said().await;
    screen.press(&["Esc", "r"]);
    screen
        .until_that("read again", |desk| {
            !desk.store.runs().reader.busy() && desk.store.runs().reader.failure.is_none()
        })
        .await;
    let case = "realm gone while screen and watch are open (sent since it is back)";
    desk.realm.row(case, &told).await;
    // The tokens of the old one are worth nothing there.
    assert_eq!(
        desk.realm.passwords().await,
        2,
        "{:?}",
        desk.realm.events().await
    );
}

/// The service wants an audience that the tokens do not name any more, and do again later.
#[tokio::test(flavor = "multi_thread")]
async fn an_audience_that_changes() {
    let wanted = |claims: &Value| {
        let named = match &claims["aud"] {
            Value::Array(several) => several.contains(&json!("tests")),
            one => one == "tests",
        };
        named && good(claims, 0)
    };
    let audience = |file: &mut Value| {
        short(file);
        rundown(file)["protocolMappers"] = json!([audience_mapper("tests")]);
    };
    let Some(realm) = Realm::new("audience", audience).await else {
        return;
    };
    let desk = Desk::of(realm, wanted).await;
    let mut watching = desk.watch("1s");
    looks(&mut watching, 2).await;
    desk.realm.remove_audiences().await;
    let (status, _, said) = watching.end().await;
    assert_eq!(status.code(), Some(3), "{said}");
    for word in [
        "401",
        "this account or client may not use the service",
        "ask whoever runs it",
    ] {
        assert!(said.contains(word), "{word:?} is missing: {said}");
    }
    desk.realm
        .row("audience taken away while open", &said)
        .await;
    let sent = desk.realm.passwords().await;
    assert!(sent <= 3, "{:?}", desk.realm.events().await);
    // A start in that state.
    let ran = desk.list().await;
    ran.refused(3, &["loading the runs", "401"]);
    assert!(
        desk.realm.passwords().await <= sent + 2,
        "{:?}",
        desk.realm.events().await
    );
    desk.realm.add_audience("tests").await;
    desk.listed().await;
}

/// Keycloak renews tokens with the scopes that are left.
#[tokio::test(flavor = "multi_thread")]
async fn a_scope_that_is_taken_away() {
    let Some(desk) = Desk::at_new("scope", short).await else {
        return;
    };
    let mut watching = desk.watch("1s");
    looks(&mut watching, 1).await;
    for scope in ["profile", "email"] {
        desk.realm.remove_scope(scope).await;
    }
    looks(&mut watching, 6).await;
    assert_eq!(watching.said().await, "");
    let events = desk.realm.events().await;
    assert_eq!(desk.realm.passwords().await, 1, "{events:?}");
    desk.realm.row("scopes taken away while open", "").await;
}
