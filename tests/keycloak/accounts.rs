//! What a person is told of a sign-in that the Keycloak refuses, and how often it was sent.

use serde_json::json;

use super::desk::Desk;
use super::headless::scene::Ran;
use super::realm::{Realm, ada, rundown};
use super::support::PASSWORD;
use super::support::desk::Desk as Screen;

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
    tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    screen.catch_up();
    assert_eq!(desk.realm.events().await.len(), sent + 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_client_secret() {
    let Some(realm) = Realm::new("secret", |_| {}).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    for secret in [Some("canary-wrong"), None] {
        desk.configure(&desk.realm.base, secret, "");
        let ran = desk.list().await;
        ran.refused(
            3,
            &["unauthorized_client", "check client_id and client_secret"],
        );
        assert!(
            !ran.err.contains("direct access") && !ran.err.contains("canary"),
            "{}",
            ran.err
        );
    }
    // A refused client says nothing about the password: the account is not counted as refused.
    let wrong = "LOGIN_ERROR invalid_client_credentials";
    assert_eq!(desk.realm.events().await, [wrong, wrong]);
    Box::pin(told_on_the_screen(
        &desk,
        PASSWORD,
        &["unauthorized_client", "check client_id and client_secret"],
    ))
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_password() {
    let Some(realm) = Realm::new("password", |_| {}).await else {
        return;
    };
    let desk = Desk::new(realm).await;
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
        assert!(!ran.err.contains("canary"), "{}", ran.err);
        assert_eq!(desk.realm.passwords().await, sent, "{}", ran.err);
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
    let brute_force = |file: &mut serde_json::Value| {
        file["bruteForceProtected"] = json!(true);
        file["failureFactor"] = json!(2);
        file["waitIncrementSeconds"] = json!(600);
        file["quickLoginCheckMilliSeconds"] = json!(0);
    };
    let Some(realm) = Realm::new("locked", brute_force).await else {
        return;
    };
    let desk = Desk::new(realm).await;
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
    let events = desk.realm.events().await;
    assert_eq!(
        events.last().unwrap(),
        "LOGIN_ERROR user_temporarily_disabled"
    );
    assert_eq!(events.len(), 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_user() {
    let off = |file: &mut serde_json::Value| ada(file)["enabled"] = json!(false);
    let Some(realm) = Realm::new("disabled", off).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    let words = [
        "Account disabled",
        "Ask an administrator",
        "enable the account",
    ];
    desk.list().await.refused(3, &words);
    assert_eq!(desk.realm.events().await, ["LOGIN_ERROR user_disabled"]);
    Box::pin(told_on_the_screen(&desk, PASSWORD, &words)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_user_who_has_to_do_something_first() {
    let action =
        |file: &mut serde_json::Value| ada(file)["requiredActions"] = json!(["UPDATE_PASSWORD"]);
    let Some(realm) = Realm::new("action", action).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    let words = [
        "Account is not fully set up",
        "in a browser once",
        "setting a new password",
    ];
    desk.list().await.refused(3, &words);
    assert_eq!(
        desk.realm.events().await,
        ["LOGIN_ERROR resolve_required_actions"]
    );
    Box::pin(told_on_the_screen(&desk, PASSWORD, &words)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_without_direct_access_grants() {
    let off =
        |file: &mut serde_json::Value| rundown(file)["directAccessGrantsEnabled"] = json!(false);
    let Some(realm) = Realm::new("grants", off).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    let words = [
        "Client not allowed for direct access grants",
        "turn on direct access grants for client_id",
    ];
    desk.list().await.refused(3, &words);
    assert_eq!(desk.realm.events().await, ["LOGIN_ERROR not_allowed"]);
    Box::pin(told_on_the_screen(&desk, PASSWORD, &words)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_is_not_there_or_turned_off() {
    let off = |file: &mut serde_json::Value| rundown(file)["enabled"] = json!(false);
    let Some(realm) = Realm::new("client", off).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    desk.list()
        .await
        .refused(3, &["invalid_client", "check client_id and client_secret"]);
    assert_eq!(desk.realm.events().await, ["LOGIN_ERROR client_disabled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_public_client() {
    let public = |file: &mut serde_json::Value| rundown(file)["publicClient"] = json!(true);
    let Some(realm) = Realm::new("public", public).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    desk.configure(&desk.realm.base, None, "");
    desk.listed().await;
    assert_eq!(desk.realm.events().await, ["LOGIN"]);
}

/// Neither is a word about the password: it may be sent again later, and no account is locked by it.
#[tokio::test(flavor = "multi_thread")]
async fn a_realm_that_is_gone_or_turned_off() {
    let Some(realm) = Realm::new("gone", |_| {}).await else {
        return;
    };
    let desk = Desk::new(realm).await;
    desk.realm.put("", &json!({"enabled": false})).await;
    let ran = desk.list().await;
    ran.refused(
        4,
        &[
            "Realm not enabled",
            "turned off",
            "The password was not judged",
        ],
    );
    desk.realm.delete().await;
    let ran = desk.list().await;
    ran.refused(4, &["Realm does not exist", "whether the realm is gone"]);
    let mut screen = desk.screen(PASSWORD);
    screen.until("Realm does not exist").await;
    assert!(
        screen.store.login.is_none(),
        "nothing was refused, so nobody is asked: {}",
        screen.screen()
    );
    desk.realm.create().await;
    screen.press(&["Esc", "r"]);
    screen.until("row 1 of").await;
    assert_eq!(desk.realm.events().await, ["LOGIN"]);
}
