//! A session that has come to its end is begun anew with what is configured: once, by itself, and never with a password
//! that was refused.

use crate::support::prelude::*;
use std::pin::Pin;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use rundown::auth::{AuthError, Credentials, SignInState, TokenSource};
use rundown::rpc::{Endpoint, Reader, http_client};
use secrecy::SecretString;

use super::support::scripted::tokens;
use super::support::{self, PASSWORD, identity};

/// What is configured, and what is told of it.
#[derive(Default)]
struct Kept {
    asked: AtomicUsize,
    accepted: AtomicUsize,
    refused: Mutex<Vec<AuthError>>,
}

impl Credentials for Kept {
    fn user(&self) -> &'static str {
        "ada"
    }

    fn password(&self) -> Pin<Box<dyn Future<Output = Result<SecretString, String>> + Send + '_>> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { Ok(PASSWORD.to_owned().into()) })
    }

    fn refused(&self, error: &AuthError) {
        self.refused.lock().unwrap().push(error.clone());
    }

    fn accepted(&self) {
        self.accepted.fetch_add(1, Ordering::SeqCst);
    }
}

async fn signed_in(base: &str, user: &str, patience: Duration) -> (TokenSource, Reader, Arc<Kept>) {
    let kept = Arc::new(Kept::default());
    let http = http_client(&support::settings(patience), &base.parse().unwrap()).unwrap();
    let source = TokenSource::new(http.clone(), identity(base), Some(kept.clone()));
    source
        .sign_in(user, &PASSWORD.to_owned().into())
        .await
        .unwrap();
    let endpoint = Endpoint {
        rpc_url: format!("{base}/api/v2/rpc").parse().unwrap(),
        project_id: "P_9".into(),
        subproject_id: None,
    };
    let reader = Reader::new(http, source.clone(), endpoint);
    (source, reader, kept)
}

const PATIENT: Duration = Duration::from_secs(20);

fn grants(server: &Scripted) -> Vec<String> {
    let requests = server.token_requests();
    requests
        .iter()
        .map(|seen| seen.form()["grant_type"].clone())
        .collect()
}

fn refusal() -> Say {
    Say::json(
        400,
        &json!({"error": "invalid_grant", "error_description": "Session not active"}),
    )
}

fn is_refresh(seen: &Seen) -> bool {
    seen.form()["grant_type"] == "refresh_token"
}

#[tokio::test]
async fn a_session_that_was_ended_over_there_begins_anew_once_however_many_wait() {
    let server = Scripted::start(|seen, before| match seen.is_token() {
        true if is_refresh(seen) => refusal().after(Duration::from_millis(100)),
        true => tokens(before, 3600).after(Duration::from_millis(100)),
        false if seen.bearer() == "canary-access-0" && before > 0 => Say::bytes(401, ""),
        false => Say::result(seen, &json!(true)),
    })
    .await;
    let (source, reader, kept) = signed_in(&server.base, "ada", PATIENT).await;
    reader.check_test_run_empty(&support::run()).await.unwrap();
    let calls: Vec<_> = (0..20)
        .map(|_| {
            let reader = reader.clone();
            tokio::spawn(async move { reader.check_test_run_empty(&support::run()).await })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().unwrap());
    }
    assert_eq!(grants(&server), ["password", "refresh_token", "password"]);
    assert_eq!(
        (
            kept.asked.load(Ordering::SeqCst),
            kept.accepted.load(Ordering::SeqCst)
        ),
        (1, 1)
    );
    assert!(
        matches!(&*source.state().borrow(), SignInState::SignedIn { user, .. } if user == "ada")
    );
}

#[tokio::test]
async fn without_refresh_tokens_the_password_gets_the_next_token_before_the_old_one_is_over() {
    let server = Scripted::start(|_, before| {
        Say::json(
            200,
            &json!({"access_token": format!("a{before}"), "token_type": "Bearer", "expires_in": 2}),
        )
    })
    .await;
    let (source, ..) = signed_in(&server.base, "ada", PATIENT).await;
    source.bearer().await.unwrap();
    assert_eq!(server.seen().len(), 1);
    pause(1_650).await;
    for _ in 0..3 {
        source.bearer().await.unwrap();
    }
    assert_eq!(grants(&server), ["password", "password"]);
}

/// Keycloak's answer in the last second of a session that may not get older: a token that is over already.
#[tokio::test]
async fn a_session_that_has_come_to_its_end_begins_anew() {
    let server =
        Scripted::start(|seen, before| tokens(before, if is_refresh(seen) { 0 } else { 3600 }))
            .await;
    let (source, _, kept) = signed_in(&server.base, "ada", PATIENT).await;
    let bearer = source.bearer().await.unwrap();
    source.renew(&bearer).await.unwrap();
    assert_eq!(grants(&server), ["password", "refresh_token", "password"]);
    assert!(kept.refused.lock().unwrap().is_empty());

    let (source, ..) = signed_in(&server.base, "bob", PATIENT).await;
    let bearer = source.bearer().await.unwrap();
    let error = source.renew(&bearer).await.unwrap_err();
    assert!(error.needs_sign_in(), "{error}");
    assert!(
        error
            .to_string()
            .contains("the session has come to its end"),
        "{error}"
    );
}

#[tokio::test]
async fn a_password_that_is_refused_by_then_is_sent_once() {
    let server = Scripted::start(|seen, before| match before {
        0 => tokens(0, 3600),
        _ if is_refresh(seen) => refusal(),
        _ => Say::json(
            401,
            &json!({"error": "invalid_grant", "error_description": "Invalid user credentials"}),
        ),
    })
    .await;
    let (source, _, kept) = signed_in(&server.base, "ada", PATIENT).await;
    let bearer = source.bearer().await.unwrap();
    let error = source.renew(&bearer).await.unwrap_err();
    let AuthError::SessionEnded { why } = &error else {
        panic!("{error:?}")
    };
    says(why, "Session not active");
    says(why, "Invalid user credentials");
    says(why, "locked");
    for _ in 0..3 {
        assert_eq!(source.bearer().await.unwrap_err(), error);
    }
    assert_eq!(grants(&server), ["password", "refresh_token", "password"]);
    assert_eq!(kept.refused.lock().unwrap().len(), 1);
}

#[tokio::test]
async fn nothing_but_a_400_or_401_with_an_error_code_refuses_a_password_or_ends_a_session() {
    let oauth = r#"{"error":"invalid_grant"}"#;
    for (status, body) in [
        (200, oauth),
        (200, "<html>portal</html>"),
        (302, ""),
        (
            400,
            "<html>The plain HTTP request was sent to HTTPS port</html>",
        ),
        (400, r#"{"timestamp":1,"status":400,"error":"Bad Request"}"#),
        (400, r#"{"error":"temporarily_unavailable"}"#),
        (401, "<html>basic auth in front</html>"),
        (401, ""),
        (403, oauth),
        (404, r#"{"error":"Realm does not exist"}"#),
        (407, "proxy"),
        (409, oauth),
        (413, oauth),
        (429, oauth),
        (500, oauth),
        (503, oauth),
    ] {
        // The answer to a refresh, then to the password after a refresh that was refused.
        for odd in [1, 2] {
            let server = Scripted::start(move |_, before| match before {
                0 => tokens(0, 3600),
                n if n == odd => Say::bytes(status, body),
                1 => refusal(),
                n => tokens(n, 3600),
            })
            .await;
            let (source, _, kept) = signed_in(&server.base, "ada", PATIENT).await;
            let bearer = source.bearer().await.unwrap();
            let error = source.renew(&bearer).await.unwrap_err();
            assert!(matches!(error, AuthError::Odd { .. }), "{status}: {error}");
            assert!(!error.needs_sign_in(), "{status} {body}: {error}");
            let passes = [409, 429, 500, 503].contains(&status);
            assert_eq!(error.may_pass(), passes, "{status}");
            assert!(
                matches!(&*source.state().borrow(), SignInState::SignedIn { .. }),
                "{status} {body}"
            );
            assert!(kept.refused.lock().unwrap().is_empty(), "{status} {body}");
            source.bearer().await.unwrap();
            assert_eq!(server.token_requests().len(), odd + 2, "{status} {body}");
        }
    }
}

#[tokio::test]
async fn a_token_request_without_an_answer_is_sent_again_twice() {
    let server = Scripted::start(|_, before| match before {
        0 => tokens(0, 3600),
        _ => tokens(before, 3600).after(Duration::from_secs(3)),
    })
    .await;
    let (source, _, kept) = signed_in(&server.base, "ada", Duration::from_secs(1)).await;
    let bearer = source.bearer().await.unwrap();
    source.distrust(&bearer);
    for _ in 0..10 {
        assert!(source.bearer().await.unwrap_err().may_pass());
    }
    let mut expected = vec!["password"];
    expected.extend(["refresh_token"; 3]);
    expected.extend(["password"; 3]);
    // That the password could be right is not given up: it is sent again after a quarter of an hour; the refresh token,
    // which locks no account, after a minute.
    assert_eq!(grants(&server), expected);
    assert!(kept.refused.lock().unwrap().is_empty());
    let waits = source.bearer().await.unwrap_err();
    assert!(waits.to_string().contains("no answer"), "{waits}");
    says(&waits.remedy(), "it is tried again in 1 min");
}

/// A connection that is refused counts for nothing over there.
#[tokio::test]
async fn what_reached_nobody_is_sent_again_when_somebody_is_there() {
    let server = Scripted::start(|_, before| tokens(before, 3600)).await;
    let proxy = Proxy::start(&server.base).await;
    let (source, ..) = signed_in(&proxy.base, "ada", PATIENT).await;
    let bearer = source.bearer().await.unwrap();
    source.distrust(&bearer);
    proxy.go_down().await;
    for _ in 0..4 {
        assert!(source.bearer().await.unwrap_err().may_pass());
    }
    proxy.come_back();
    source.bearer().await.unwrap();
    assert_eq!(grants(&server), ["password", "refresh_token"]);
}

#[tokio::test]
async fn a_service_that_refuses_every_token_does_not_have_the_password_sent_for_each_call() {
    // One that takes a token and later does not is signed in to again each time.
    for (takes, sent) in [(false, 2), (true, 5)] {
        let server = Scripted::start(move |seen, before| match seen.is_token() {
            true => Say::json(
                200,
                &json!({"access_token": format!("a{before}"), "token_type": "Bearer", "expires_in": 600}),
            ),
            false if takes && before % 2 == 0 => Say::result(seen, &json!(true)),
            false => Say::bytes(401, "no"),
        })
        .await;
        let (_, reader, _) = signed_in(&server.base, "ada", PATIENT).await;
        for _ in 0..5 {
            let read = reader.check_test_run_empty(&support::run()).await;
            assert_eq!(read.is_ok(), takes, "{read:?}");
        }
        assert_eq!(server.token_requests().len(), sent);
    }
}

#[tokio::test]
async fn whoever_signed_in_by_hand_as_somebody_else_is_not_made_the_configured_user() {
    let server = Scripted::start(|seen, before| match before {
        0 => tokens(0, 3600),
        _ if is_refresh(seen) => refusal(),
        n => tokens(n, 3600),
    })
    .await;
    let (source, _, kept) = signed_in(&server.base, "bob", PATIENT).await;
    let bearer = source.bearer().await.unwrap();
    let error = source.renew(&bearer).await.unwrap_err();
    assert!(error.needs_sign_in(), "{error}");
    assert_eq!(kept.asked.load(Ordering::SeqCst), 0);
    assert_eq!(grants(&server), ["password", "refresh_token"]);
}

#[tokio::test]
async fn a_service_that_puts_the_token_where_it_does_not_belong_does_not_have_it_told() {
    let server = Scripted::service(|seen, _| Say::result(seen, &json!(seen.bearer()))).await;
    let (_, reader, _) = signed_in(&server.base, "ada", PATIENT).await;
    let error = reader
        .check_test_run_empty(&support::run())
        .await
        .unwrap_err();
    let told = format!("{error} {error:?}");
    says(&told, "(hidden)");
    lacks(&told, "canary");
}
