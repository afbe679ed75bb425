//! What a person is told of a sign-in that the Keycloak refuses, and how often it was sent.

use super::desk::Desk;
use super::headless::scene::Ran;
use super::realm::{ada, rundown};
use super::support::PASSWORD;
use super::support::desk::Desk as Screen;
use crate::support::prelude::*;

/// The box of the screen tells the same, and no key of it sends anything.
async fn told_on_the_screen(desk: &Desk, password: &str, words: &[&str]) {
    let sent = desk.realm.events().await.len();
    let mut screen = desk.screen(password);
    // The box breaks lines.
    let shown = |screen: &Screen| {
        let words = screen.screen().replace(['│', '…'], " ");
        words.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    screen
        .until_that(words[0], |screen| shown(screen).contains(words[0]))
        .await;
    for word in words {
        let shown = shown(&screen);
        assert!(shown.contains(word), "{word:?} is missing: {shown}");
    }
    screen.press(&["Esc", "r", "Esc", "j", "r"]);
    tokio::time::sleep(Duration::from_secs(1)).await;
    screen.catch_up();
    assert_eq!(desk.realm.events().await.len(), sent + 1);
}

/// A realm like that of the file but for `change`: the list is refused in these words, the box of the screen tells the same,
/// and each of them has sent one request.
async fn refused_once(case: &str, change: impl FnOnce(&mut Value), words: &[&str], event: &str) {
    let Some(desk) = Desk::at_new(&case.replace(' ', "-"), change).await else {
        return;
    };
    let ran = desk.list().await;
    ran.refused(3, words);
    lacks(&ran.err, "canary");
    assert_eq!(desk.realm.events().await, [event]);
    desk.realm.row(case, &ran.err).await;
    Box::pin(told_on_the_screen(&desk, PASSWORD, words)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_client_secret() {
    let other = |file: &mut Value| rundown(file)["secret"] = json!("another one");
    let words = ["unauthorized_client", "check client_id and client_secret"];
    let event = "LOGIN_ERROR invalid_client_credentials";
    refused_once("wrong client secret", other, &words, event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_turned_off() {
    let off = |file: &mut Value| rundown(file)["enabled"] = json!(false);
    let words = ["invalid_client", "check client_id and client_secret"];
    let event = "LOGIN_ERROR client_disabled";
    refused_once("client turned off", off, &words, event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_direct_access_grants() {
    let off = |file: &mut Value| rundown(file)["directAccessGrantsEnabled"] = json!(false);
    let words = [
        "Client not allowed for direct access grants",
        "turn on direct access grants for client_id",
    ];
    let event = "LOGIN_ERROR not_allowed";
    refused_once("no direct access grants", off, &words, event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_user() {
    let off = |file: &mut Value| ada(file)["enabled"] = json!(false);
    let words = [
        "Account disabled",
        "Ask an administrator",
        "enable the account",
    ];
    let event = "LOGIN_ERROR user_disabled";
    refused_once("disabled user", off, &words, event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_has_to_do_something_first() {
    let action = |file: &mut Value| ada(file)["requiredActions"] = json!(["UPDATE_PASSWORD"]);
    let words = [
        "Account is not fully set up",
        "in a browser once",
        "setting a new password",
    ];
    let event = "LOGIN_ERROR resolve_required_actions";
    refused_once("required action", action, &words, event).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password() {
    let Some(desk) = Desk::at_new("password", |_| {}).await else {
        return;
    };
    let words = [
        "invalid_grant",
        "Invalid user credentials",
        "Username and password do not fit",
        "locked",
    ];
    for sent in [1, 2, 2, 2] {
        let mut command = desk.command(&["runs", "list"]);
        command.env("TEST_PASSWORD", "canary-wrong");
        let ran = Ran::of(command).await;
        ran.refused(3, if sent == 1 { &words } else { &["refused"] });
        lacks(&ran.err, "canary");
        assert_eq!(desk.realm.passwords().await, sent, "{}", ran.err);
        desk.realm
            .row("wrong password, one start after the other", &ran.err)
            .await;
    }
    Box::pin(told_on_the_screen(
        &desk,
        "canary-wrong",
        &["invalid_grant", "Username and password"],
    ))
    .await;
    assert_eq!(
        desk.realm.events().await,
        ["LOGIN_ERROR invalid_user_credentials"; 3]
    );
}

/// The right password gets the answer of a wrong one: the words name both.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_that_is_locked_for_a_while() {
    let brute_force = |file: &mut Value| {
        file["bruteForceProtected"] = json!(true);
        file["failureFactor"] = json!(2);
        file["waitIncrementSeconds"] = json!(600);
        file["quickLoginCheckMilliSeconds"] = json!(0);
    };
    let Some(desk) = Desk::at_new("locked", brute_force).await else {
        return;
    };
    for _ in 0..3 {
        let mut command = desk.command(&["runs", "list", "--sign-in-again"]);
        command.env("TEST_PASSWORD", "canary-wrong");
        Ran::of(command).await.refused(3, &["invalid_grant"]);
    }
    let ran = Ran::of(desk.command(&["runs", "list", "--sign-in-again"])).await;
    ran.refused(
        3,
        &[
            "Invalid user credentials",
            "the account is locked for a while",
            "wait",
        ],
    );
    desk.realm
        .row(
            "locked for a while after three wrong ones, then the right password",
            &ran.err,
        )
        .await;
    let events = desk.realm.events().await;
    assert_eq!(
        events.last().unwrap(),
        "LOGIN_ERROR user_temporarily_disabled"
    );
    assert_eq!(events.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_client() {
    let public = |file: &mut Value| rundown(file)["publicClient"] = json!(true);
    let Some(desk) = Desk::at_new("public", public).await else {
        return;
    };
    desk.configure(&desk.realm.base, None, "");
    desk.listed().await;
    assert_eq!(desk.realm.events().await, ["LOGIN"]);
    desk.realm.row("public client", "").await;
}

/// Neither is a word about the password: it may be sent again later, and no account is locked by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_is_gone_or_turned_off() {
    let Some(desk) = Desk::at_new("gone", |_| {}).await else {
        return;
    };
    desk.realm.put("", &json!({"enabled": false})).await;
    let ran = desk.list().await;
    ran.refused(4, &["turned off", "The password was not judged"]);
    desk.realm.row("realm turned off", &ran.err).await;
    desk.realm.delete().await;
    let ran = desk.list().await;
    ran.refused(4, &["no such realm", "whether the realm is gone"]);
    let gone = ran.err;
    let mut screen = desk.screen(PASSWORD);
    screen.until("no such realm").await;
    assert!(
        screen.store.login().is_none(),
        "nothing was refused, so nobody is asked: {}",
        screen.screen()
    );
    desk.realm.create().await;
    screen.press_until(&["Esc", "r"], "\nrun 1 of").await;
    assert_eq!(desk.realm.events().await, ["LOGIN"]);
    desk.realm
        .row("realm gone, and back for the screen", &gone)
        .await;
}
