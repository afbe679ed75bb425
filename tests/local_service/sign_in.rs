//! The token endpoint (5.1 to 5.3).

use std::time::{Duration, Instant};

use super::client::options;
use rundown::local_service::Credentials;
use serde_json::{Value, json};

use crate::client::{Client, default_client};

const GET: &str = r#"{"jsonrpc":"2.0","id":"1","method":"NO_SUCH","params":{}}"#;

fn with(
    mut form: Vec<(&'static str, String)>,
    key: &'static str,
    value: &str,
) -> Vec<(&'static str, String)> {
    form.retain(|(name, _)| *name != key);
    form.push((key, value.to_owned()));
    form
}

fn without(mut form: Vec<(&'static str, String)>, key: &str) -> Vec<(&'static str, String)> {
    form.retain(|(name, _)| *name != key);
    form
}

fn refusal(answer: &(u16, Value)) -> (u16, &str, &str) {
    let text = |key: &str| answer.1[key].as_str().unwrap_or_default();
    (answer.0, text("error"), text("error_description"))
}

#[tokio::test]
async fn the_answer_has_every_field_of_the_document() {
    let options = options(|it| (it.token_seconds, it.refresh_seconds) = (77, 88));
    let client = Client::start(options).await;
    let (status, tokens) = client.sign_in(&client.password_form()).await;
    assert_eq!(status, 200);
    assert_eq!(tokens["expires_in"], 77);
    assert_eq!(tokens["refresh_expires_in"], 88);
    assert_eq!(tokens["token_type"], "Bearer");
    assert!(tokens["not-before-policy"].is_i64());
    for text in ["access_token", "refresh_token", "session_state", "scope"] {
        assert!(tokens[text].is_string(), "{text}");
    }
    let (status, renewed) = client
        .sign_in(&client.refresh_form(tokens["refresh_token"].as_str().unwrap()))
        .await;
    assert_eq!(status, 200);
    assert_eq!(renewed["session_state"], tokens["session_state"]);
    assert_ne!(renewed["access_token"], tokens["access_token"]);
    let names = |value: &Value| {
        value
            .as_object()
            .unwrap()
            .keys()
            .cloned()
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&renewed), names(&tokens));
}

#[tokio::test]
async fn refuses_as_keycloak_does() {
    let client = default_client().await;
    let good = client.password_form();
    let bad_client = "Invalid client or Invalid client credentials";
    let bad_user = "Invalid user credentials";
    let cases = [
        (
            with(good.clone(), "client_id", "other"),
            (401, "invalid_client", bad_client),
        ),
        (
            with(good.clone(), "client_secret", "no"),
            (401, "unauthorized_client", bad_client),
        ),
        (
            without(good.clone(), "client_secret"),
            (401, "unauthorized_client", bad_client),
        ),
        (
            with(good.clone(), "username", "nobody"),
            (401, "invalid_grant", bad_user),
        ),
        (
            with(good.clone(), "password", "no"),
            (401, "invalid_grant", bad_user),
        ),
        (
            without(good.clone(), "password"),
            (401, "invalid_grant", bad_user),
        ),
        (
            without(good.clone(), "username"),
            (401, "invalid_request", "Missing parameter: username"),
        ),
        (
            without(good.clone(), "grant_type"),
            (400, "invalid_request", "Missing form parameter: grant_type"),
        ),
        (
            with(good.clone(), "grant_type", "device"),
            (400, "unsupported_grant_type", "Unsupported grant_type"),
        ),
        (
            [good.clone(), good.clone()].concat(),
            (400, "invalid_request", "duplicated parameter"),
        ),
        (
            client.refresh_form("rubbish"),
            (400, "invalid_grant", "Invalid refresh token"),
        ),
        (
            without(client.refresh_form(""), "refresh_token"),
            (400, "invalid_request", "No refresh token"),
        ),
        (
            client.refresh_form(&client.token),
            (400, "invalid_grant", "Invalid refresh token"),
        ),
    ];
    for (form, expected) in cases {
        let answer = client.sign_in(&form).await;
        assert_eq!(refusal(&answer), expected);
    }
    let other_realm = client.token_url().replace("/demo/", "/other/");
    let response = client
        .http
        .post(other_realm)
        .form(&good)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 404);
    let response = client
        .http
        .post(client.token_url())
        .body("grant_type=password")
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 415);
}

#[tokio::test]
async fn ten_wrong_passwords_in_a_row_lock_the_account() {
    let client = default_client().await;
    let good = client.password_form();
    let wrong = with(good.clone(), "password", "wrong");
    for _ in 0..9 {
        assert_eq!(client.sign_in(&wrong).await.0, 401);
    }
    assert_eq!(
        client.sign_in(&good).await.0,
        200,
        "a right one in between starts the count again"
    );
    for _ in 0..10 {
        assert_eq!(client.sign_in(&wrong).await.0, 401);
    }
    let answer = client.sign_in(&good).await;
    assert_eq!(refusal(&answer), (400, "invalid_grant", "Account disabled"));
}

#[tokio::test]
async fn an_access_token_ends_and_the_refresh_token_brings_the_next() {
    let mut client = Client::start(options(|it| it.token_seconds = 1)).await;
    let (_, tokens) = client.sign_in(&client.password_form()).await;
    let started = Instant::now();
    client.token = tokens["access_token"].as_str().unwrap().to_owned();
    while client.post(GET).await.0 != 401 {
        assert!(
            started.elapsed() < Duration::from_secs(20),
            "the token never ended"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let (status, renewed) = client
        .sign_in(&client.refresh_form(tokens["refresh_token"].as_str().unwrap()))
        .await;
    assert_eq!(status, 200);
    assert_eq!(renewed["expires_in"], 1);
}

#[tokio::test]
async fn ended_tokens_are_refused() {
    let client = Client::start(options(|it| {
        (it.token_seconds, it.refresh_seconds) = (0, 0);
    }))
    .await;
    let (_, tokens) = client.sign_in(&client.password_form()).await;
    assert_eq!(client.post(GET).await.0, 401);
    let answer = client
        .sign_in(&client.refresh_form(tokens["refresh_token"].as_str().unwrap()))
        .await;
    assert_eq!(
        refusal(&answer),
        (400, "invalid_grant", "Token is not active")
    );
}

#[tokio::test]
async fn a_call_needs_an_access_token_of_this_service() {
    let mut client = default_client().await;
    let (_, tokens) = client.sign_in(&client.password_form()).await;
    let foreign = default_client().await.token;
    let mut changed = client.token.clone();
    changed.replace_range(changed.len() - 8..changed.len() - 4, "AAAA");
    assert_eq!(client.post(GET).await.0, 200);
    for token in [
        tokens["refresh_token"].as_str().unwrap(),
        &foreign,
        &changed,
        "",
        "x.y.z",
    ] {
        client.token = token.to_owned();
        let (status, body) = client.post(GET).await;
        assert_eq!(status, 401);
        assert!(body["error"].is_string(), "{body}");
    }
    let url = format!("{}/v2/rpc", client.profile.base_url);
    let response = client
        .http
        .post(url)
        .header("project-id", "P_9")
        .body(GET)
        .send()
        .await
        .unwrap();
    assert_eq!(response.status(), 401);
    assert_eq!(
        response.headers()["www-authenticate"],
        "Bearer realm=\"demo\""
    );
}

#[tokio::test]
async fn given_credentials_hold() {
    let credentials = Credentials {
        realm: "tenant".to_owned(),
        client_id: "tmt".to_owned(),
        client_secret: Some("s3".into()),
        username: "anna".to_owned(),
        password: Some("pässwörd +&=".into()),
    };
    let client = Client::start(options(|it| it.credentials = credentials)).await;
    let run = client.new_run().await;
    let stored = client.ok("GET_DOCUMENT", json!({ "docRef": run })).await;
    assert_eq!(stored["__meta"]["creator"], "anna");
}
