//! Sign-in, refresh, and the end of a session over real HTTP.

use super::support;
use crate::support::prelude::*;

use rundown::auth::{AuthError, Bearer, NetworkFault, SignInState, TokenSource};
use support::scripted::tokens;
use support::{PASSWORD, SECRET, client, identity, signed_in};

/// Longer than a second sign-in takes.
const LATE: Duration = Duration::from_millis(400);

async fn sign_in(base: &str) -> Result<(), AuthError> {
    client(base, Duration::from_secs(20))
        .0
        .sign_in("ada", &PASSWORD.to_owned().into())
        .await
}

fn invalid_grant(words: &str) -> Say {
    Say::json(
        400,
        &json!({"error": "invalid_grant", "error_description": words}),
    )
}

async fn with_token(base: &str) -> (TokenSource, Bearer) {
    let (source, _) = signed_in(base).await;
    let bearer = source.bearer().await.unwrap();
    (source, bearer)
}

#[tokio::test]
async fn a_refused_password_is_sent_once() {
    let server = Scripted::start(|_, _| {
        Say::json(401, &json!({"error": "invalid_grant", "error_description": "Invalid user credentials\u{1b}[2J"}))
    })
    .await;
    let (source, _) = client(&server.base, Duration::from_secs(20));
    let error = source
        .sign_in("ada", &PASSWORD.to_owned().into())
        .await
        .unwrap_err();
    let AuthError::Refused {
        status,
        error,
        description,
    } = error
    else {
        panic!("{error:?}")
    };
    assert_eq!((status, error.as_str()), (401, "invalid_grant"));
    assert_eq!(description, "Invalid user credentials␛[2J");
    assert_eq!(source.bearer().await.unwrap_err(), AuthError::NotSignedIn);
    assert_eq!(server.seen().len(), 1);
    assert_eq!(*source.state().borrow(), SignInState::SignedOut);
}

#[tokio::test]
async fn odd_answers_are_told_apart_and_sent_once() {
    let token = r#""access_token":"a""#;
    let cases: Vec<(u16, Vec<u8>, &str)> = vec![
        (
            200,
            b"<html><title>Log in</title></html>".to_vec(),
            "odd answer, no JSON (http",
        ),
        (200, b"".to_vec(), "empty body"),
        (200, b"  ".to_vec(), "empty body"),
        (400, b"".to_vec(), "empty body"),
        (200, b"{}".to_vec(), "access_token is missing"),
        (200, b"[]".to_vec(), "neither a token"),
        (
            200,
            br#"{"token_type":"Bearer","expires_in":300}"#.to_vec(),
            "access_token is missing",
        ),
        (
            200,
            format!(r#"{{{token},"token_type":"Bearer"}}"#).into_bytes(),
            "expires_in is missing",
        ),
        (
            200,
            format!(r#"{{{token},"token_type":"Bearer","expires_in":0}}"#).into_bytes(),
            "odd answer, expires_in is 0 (",
        ),
        (
            200,
            format!(r#"{{{token},"token_type":"Bearer","expires_in":-5}}"#).into_bytes(),
            "expires_in is not",
        ),
        (
            200,
            format!(r#"{{{token},"token_type":"Bearer","expires_in":1e400}}"#).into_bytes(),
            "expires_in is not",
        ),
        (
            200,
            format!(r#"{{{token},"token_type":"Bearer","expires_in":"300"}}"#).into_bytes(),
            "expires_in is not",
        ),
        (
            200,
            br#"{"access_token":"","token_type":"Bearer","expires_in":9}"#.to_vec(),
            "access_token holds nothing",
        ),
        (
            200,
            br#"{"access_token":"a\nb","token_type":"Bearer","expires_in":9}"#.to_vec(),
            "access_token holds nothing",
        ),
        (
            200,
            br#"{"access_token":7,"token_type":"Bearer","expires_in":9}"#.to_vec(),
            "access_token is not",
        ),
        (
            200,
            format!(r#"{{{token},"expires_in":9}}"#).into_bytes(),
            "token_type is missing",
        ),
        (200, b"\xff\xfe".to_vec(), "no JSON"),
        (
            503,
            b"<html><h1>Service Unavailable</h1></html>".to_vec(),
            "not available (http",
        ),
        (
            503,
            br#"{"error":"server_error","error_description":"The realm is being moved"}"#.to_vec(),
            "not available (http",
        ),
        (302, b"".to_vec(), "leads elsewhere, which is not followed"),
        (
            200,
            br#"{"error":"invalid_grant"}"#.to_vec(),
            "odd answer, an error that is no refusal invalid_grant (",
        ),
        (200, vec![b' '; (1 << 20) + 1], "too large"),
    ];
    for (status, body, expected) in cases {
        let server = Scripted::start(move |_, _| {
            Say::bytes(status, body.clone())
                .header("location", "http://elsewhere.example/login?code=canary")
        })
        .await;
        let sentence = match sign_in(&server.base).await {
            Err(error) => error.to_string(),
            Ok(()) => "signed in".into(),
        };
        assert!(sentence.contains(expected), "{sentence} / {expected}");
        assert_eq!(server.seen().len(), 1, "{sentence}");
    }
}

#[tokio::test]
async fn a_network_with_a_sign_in_of_its_own_is_told_and_nothing_of_where_it_leads_but_the_host() {
    let portal = "http://portal.example/login/canary?code=canary";
    for location in [Some(portal), None] {
        let server = Scripted::start(move |_, _| {
            let say = Say::bytes(302, "");
            match location {
                Some(location) => say.header("location", location),
                None => say,
            }
        })
        .await;
        let error = sign_in(&server.base).await.unwrap_err();
        let words = format!("{error}. {}", error.remedy());
        let to = location.map_or("", |_| ": to http://portal.example");
        says(
            &words,
            &format!("which is not followed{to} (http://127.0.0.1"),
        );
        says(&words, "a sign-in of its own");
        says(&words, "correct idp_url");
        lacks(&words, "canary");
        lacks(&words, "/login");
    }
    let server = Scripted::start(|_, _| Say::bytes(511, "<html>Sign in</html>")).await;
    let error = sign_in(&server.base).await.unwrap_err();
    says(&error.to_string(), "the network wants a sign-in of its own");
    says(&error.remedy(), "browser");
}

#[tokio::test]
async fn a_token_without_a_usable_lifetime_is_no_word_about_addresses() {
    for more in [
        r#""token_type":"Bearer""#,
        r#""token_type":"Bearer","expires_in":"300""#,
        r#""token_type":"Bearer","expires_in":0"#,
        r#""token_type":"Bearer","expires_in":1.5"#,
        r#""expires_in":300"#,
    ] {
        let body = format!(r#"{{"access_token":"a",{more}}}"#);
        let server = Scripted::start(move |_, _| Say::bytes(200, body.clone())).await;
        let error = sign_in(&server.base).await.unwrap_err();
        assert!(error.may_have_counted() && !error.may_pass());
        let remedy = error.remedy();
        says(&remedy, "A token came");
        says(&remedy, "expires_in");
        lacks(&remedy, "idp_url");
    }
}

#[tokio::test]
async fn what_is_only_unusual_is_taken() {
    for body in [
        r#"{"access_token":"a","token_type":"bearer","expires_in":300}"#,
        r#"{"access_token":"a","token_type":"BEARER","expires_in":18446744073709551615,"refresh_token":""}"#,
        r#"{"access_token":"a","token_type":"Bearer","expires_in":300,"x":{"y":[1.5]},"not-before-policy":1e3}"#,
    ] {
        let server = Scripted::start(move |_, _| Say::bytes(200, body)).await;
        let (source, _) = signed_in(&server.base).await;
        source.bearer().await.unwrap();
    }
}

#[tokio::test]
async fn fifty_callers_and_one_refresh() {
    // A token of a second is due after 0.8 s; the refresh is slow enough for all to wait for it.
    let server = Scripted::start(|_, before| match before {
        0 => tokens(0, 1),
        n => tokens(n, 3600).after(Duration::from_millis(300)),
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    pause(850).await;
    let callers: Vec<_> = (0..50)
        .map(|_| {
            tokio::spawn({
                let source = source.clone();
                async move { source.bearer().await }
            })
        })
        .collect();
    for caller in callers {
        caller.await.unwrap().unwrap();
    }
    let requests = server.token_requests();
    assert_eq!(requests.len(), 2);
    assert_eq!(requests[1].form()["refresh_token"], "canary-refresh-0");
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_lose_the_new_refresh_token() {
    let server = Scripted::start(|_, before| match before {
        0 => tokens(0, 3600),
        n => tokens(n, 3600).after(Duration::from_millis(200)),
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    let mut state = source.state();
    state.mark_unchanged();
    let bearer = source.bearer().await.unwrap();
    let gone = tokio::time::timeout(Duration::from_millis(50), source.renew(&bearer)).await;
    assert!(gone.is_err());
    state.changed().await.unwrap();
    let newer = source.bearer().await.unwrap();
    source.renew(&newer).await.unwrap();
    let used: Vec<String> = server.token_requests()[1..]
        .iter()
        .map(|seen| seen.form()["refresh_token"].clone())
        .collect();
    assert_eq!(used, ["canary-refresh-0", "canary-refresh-1"]);
}

#[tokio::test]
async fn renewing_twice_for_the_same_refusal_refreshes_once() {
    let server = Scripted::start(|_, before| tokens(before, 3600)).await;
    let (source, bearer) = with_token(&server.base).await;
    let (one, two) = tokio::join!(source.renew(&bearer), source.renew(&bearer));
    one.unwrap();
    two.unwrap();
    source.renew(&bearer).await.unwrap();
    assert_eq!(server.token_requests().len(), 2);
}

#[tokio::test]
async fn a_refresh_token_that_is_refused_ends_the_session() {
    let server = Scripted::start(|_, before| {
        if before == 0 {
            tokens(0, 3600)
        } else {
            invalid_grant("Token is not active")
        }
    })
    .await;
    let (source, bearer) = with_token(&server.base).await;
    let over = AuthError::SessionEnded {
        why: "Token is not active (invalid_grant)".into(),
    };
    assert_eq!(source.renew(&bearer).await.unwrap_err(), over);
    assert_eq!(source.bearer().await.unwrap_err(), over);
    assert_eq!(
        server.seen().len(),
        2,
        "what is over is not asked for again"
    );
    assert!(
        matches!(&*source.state().borrow(), SignInState::Ended { why } if why.contains("not active"))
    );
}

#[tokio::test]
async fn without_a_refresh_token_the_session_ends_with_the_token() {
    let server = Scripted::start(|_, _| {
        Say::json(
            200,
            &json!({"access_token": "a", "token_type": "Bearer", "expires_in": 1}),
        )
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    source.bearer().await.unwrap();
    pause(1050).await;
    assert!(matches!(
        source.bearer().await.unwrap_err(),
        AuthError::SessionEnded { .. }
    ));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn a_refresh_that_cannot_get_through_leaves_the_good_token() {
    // Due after 4 s, good for another one: enough for two calls on a busy machine.
    let server = Scripted::start(|_, before| {
        if before == 0 {
            tokens(0, 5)
        } else {
            Say::json(500, &json!({"error": "unknown_error"}))
        }
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    pause(4_050).await;
    source.bearer().await.unwrap();
    source.bearer().await.unwrap();
    assert_eq!(server.seen().len(), 2, "no second try at once");
    assert!(matches!(
        &*source.state().borrow(),
        SignInState::SignedIn { .. }
    ));
}

#[tokio::test]
async fn all_who_wait_for_a_failing_refresh_share_its_failure() {
    let server = Scripted::start(|_, before| {
        if before == 0 {
            tokens(0, 3600)
        } else {
            Say::bytes(503, "").after(Duration::from_millis(300))
        }
    })
    .await;
    let (source, bearer) = with_token(&server.base).await;
    let callers: Vec<_> = (0..20)
        .map(|_| {
            tokio::spawn({
                let (source, bearer) = (source.clone(), bearer.clone());
                async move { source.renew(&bearer).await }
            })
        })
        .collect();
    for caller in callers {
        assert!(matches!(
            caller.await.unwrap().unwrap_err(),
            AuthError::Odd { status: 503, .. }
        ));
    }
    assert_eq!(server.seen().len(), 2);
    assert!(
        matches!(&*source.state().borrow(), SignInState::SignedIn { .. }),
        "a passing fault ends no session"
    );
}

#[tokio::test]
async fn only_a_refusal_that_does_not_pass_by_itself_ends_the_session() {
    for (status, word, ends) in [
        (400, "invalid_grant", true),
        (401, "invalid_client", true),
        (500, "unknown_error", false),
        (429, "too_many", false),
        (400, "temporarily_unavailable", false),
        (400, "server_error", false),
        (400, "slow_down", false),
    ] {
        let server = Scripted::start(move |_, before| match before {
            1 => Say::json(status, &json!({"error": word})),
            n => tokens(n, 3600),
        })
        .await;
        let (source, bearer) = with_token(&server.base).await;
        let error = source.renew(&bearer).await.unwrap_err();
        assert_eq!(error.needs_sign_in(), ends, "{status} {word}: {error}");
        let over = matches!(&*source.state().borrow(), SignInState::Ended { .. });
        assert_eq!(over, ends, "{status} {word}");
        assert_eq!(source.bearer().await.is_err(), ends, "{status} {word}");
    }
}

#[tokio::test]
async fn a_provider_that_is_back_is_asked_again_and_an_old_failure_is_not_told_twice() {
    let server = Scripted::start(|_, before| match before {
        1 | 2 => Say::bytes(503, ""),
        n => tokens(n, 3600),
    })
    .await;
    let (source, bearer) = with_token(&server.base).await;
    source.renew(&bearer).await.unwrap_err();
    source.renew(&bearer).await.unwrap_err();
    source.renew(&bearer).await.unwrap();
    assert_eq!(server.seen().len(), 4, "each of the three asks by itself");
}

/// Waits until the server has seen so many token requests.
async fn token_requests(server: &Scripted, wanted: usize) {
    while server.token_requests().len() < wanted {
        pause(5).await;
    }
}

#[tokio::test]
async fn whoever_signs_in_during_a_refresh_stays_whatever_the_refresh_brings() {
    for refused in [false, true] {
        // The service takes no token of the first sign-in; the refresh is answered after the second sign-in.
        let server = Scripted::start(move |seen, before| {
            if !seen.is_token() {
                return match seen.bearer().as_str() {
                    "canary-access-0" => Say::bytes(401, ""),
                    _ => Say::result(seen, &json!(true)),
                };
            }
            match seen.form()["grant_type"].as_str() {
                "password" => tokens(before, 3600),
                _ if refused => invalid_grant("Token is not active").after(LATE),
                _ => tokens(before, 3600).after(LATE),
            }
        })
        .await;
        let (source, reader) = signed_in(&server.base).await;
        let run = support::run();
        let second = async {
            token_requests(&server, 2).await;
            source
                .sign_in("bob", &PASSWORD.to_owned().into())
                .await
                .unwrap();
        };
        let (read, ()) = tokio::join!(reader.check_test_run_empty(&run), second);
        assert!(read.unwrap(), "the call goes on with the new token");
        reader.check_test_run_empty(&run).await.unwrap();
        let used: Vec<String> = server.calls().iter().map(Seen::bearer).collect();
        assert_eq!(
            used,
            ["canary-access-0", "canary-access-2", "canary-access-2"]
        );
        let state = source.state();
        assert!(
            matches!(&*state.borrow(), SignInState::SignedIn { user, .. } if user == "bob"),
            "{:?}",
            state.borrow()
        );
    }
}

#[tokio::test]
async fn a_token_that_was_refused_meanwhile_is_not_handed_out_after_a_late_refresh() {
    let server = Scripted::start(|seen, before| match seen.form()["grant_type"].as_str() {
        "password" => tokens(before, 3600),
        _ if before == 1 => tokens(before, 3600).after(LATE),
        _ => tokens(before, 3600),
    })
    .await;
    let (source, bearer) = with_token(&server.base).await;
    let second = async {
        token_requests(&server, 2).await;
        source
            .sign_in("bob", &PASSWORD.to_owned().into())
            .await
            .unwrap();
        source.distrust(&source.bearer().await.unwrap());
    };
    let (late, ()) = tokio::join!(source.renew(&bearer), second);
    assert_eq!(late.unwrap_err(), AuthError::NotSignedIn);
    source.bearer().await.unwrap();
    assert_eq!(
        server.token_requests()[3].form()["refresh_token"],
        "canary-refresh-2"
    );
}

#[tokio::test]
async fn a_refresh_token_is_kept_when_no_new_one_comes() {
    let server = Scripted::start(|_, before| match before {
        0 => tokens(0, 3600),
        _ => Say::json(
            200,
            &json!({"access_token": "b", "token_type": "Bearer", "expires_in": 3600}),
        ),
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    for _ in 0..2 {
        let bearer = source.bearer().await.unwrap();
        source.renew(&bearer).await.unwrap();
    }
    assert_eq!(
        server.token_requests()[2].form()["refresh_token"],
        "canary-refresh-0"
    );
}

#[tokio::test]
async fn of_two_sign_ins_the_one_by_hand_stays_else_the_later_one() {
    // The configured user is answered late.
    let server = Scripted::start(|seen, before| {
        let late = if seen.form()["username"].starts_with("slow") {
            400
        } else {
            0
        };
        tokens(before, 3600).after(Duration::from_millis(late))
    })
    .await;
    let password = PASSWORD.to_owned().into();
    let user = |source: &TokenSource| match &*source.state().borrow() {
        SignInState::SignedIn { user, .. } => user.clone(),
        other => format!("{other:?}"),
    };
    for (slow_by_hand, quick_by_hand, stays) in [
        (false, true, "quick"),
        (true, false, "slow"),
        (true, true, "quick"),
        (false, false, "quick"),
    ] {
        let (source, _) = client(&server.base, Duration::from_secs(20));
        let (slow, quick) = (source.begin(slow_by_hand), source.begin(quick_by_hand));
        let both = tokio::join!(
            source.sign_in_as(slow, "slow", &password),
            source.sign_in_as(quick, "quick", &password)
        );
        assert_eq!(both, (Ok(()), Ok(())));
        assert_eq!(
            user(&source),
            stays,
            "slow by hand {slow_by_hand}, quick by hand {quick_by_hand}"
        );
        assert_eq!(
            (source.is_behind(slow), source.is_behind(quick)),
            (stays != "slow", stays != "quick")
        );
    }
}

#[tokio::test]
async fn an_address_without_a_server_is_named() {
    let (_held, address) = support::nobody_listens();
    let base = format!("http://{address}");
    let error = sign_in(&base).await.unwrap_err();
    assert!(
        matches!(&error, AuthError::Network(NetworkFault::Connect(none)) if none.why.contains(&base)),
        "{error:?}"
    );
    assert!(error.may_pass());
}

#[tokio::test]
async fn a_public_client_sends_no_secret() {
    let server = Scripted::start(|_, before| tokens(before, 3600)).await;
    let http = rundown::rpc::http_client(
        &support::settings(Duration::from_secs(20)),
        &server.base.parse().unwrap(),
    )
    .unwrap();
    let source = TokenSource::new(
        http,
        identity(&server.base).with(|it| it.client_secret = None),
        None,
    );
    source
        .sign_in("ada", &PASSWORD.to_owned().into())
        .await
        .unwrap();
    let form = server.seen()[0].form();
    assert_eq!(form["client_id"], "rundown-tests");
    assert!(!form.contains_key("client_secret"));
}

#[tokio::test]
async fn of_an_answer_only_the_words_of_a_refusal_are_quoted_and_no_secret() {
    let password = "c\u{e4}nary \"pw\" <9&b>%25";
    let sent: String = url::form_urlencoded::byte_serialize(password.as_bytes()).collect();
    let both = |said: &str| json!({"error": "invalid_grant", "error_description": said});
    let quoted = format!("CANARY: you sent {password} and {SECRET}, that is {sent}");
    for (status, body, is_quoted) in [
        (400, both(&quoted).to_string(), true),
        (401, both(&quoted).to_string(), true),
        (
            400,
            json!({"error": quoted, "error_description": quoted}).to_string(),
            false,
        ),
        (
            400,
            json!({"error": "slow_down", "error_description": quoted}).to_string(),
            false,
        ),
        (400, json!({"token": quoted}).to_string(), false),
        (400, quoted.clone(), false),
        (403, both(&quoted).to_string(), false),
        (500, both(&quoted).to_string(), false),
        (503, format!("<title>{quoted}</title>"), false),
        (200, both(&quoted).to_string(), false),
        (
            200,
            json!({"access_token": {&quoted: 7}}).to_string(),
            false,
        ),
        (302, quoted.clone(), false),
    ] {
        let server = Scripted::start({
            let body = body.clone();
            move |_, _| {
                let to = "http://elsewhere.example/CANARY?code=CANARY";
                Say::bytes(status, body.clone()).header("location", to)
            }
        })
        .await;
        let (source, _) = client(&server.base, Duration::from_secs(20));
        let secret = password.to_owned().into();
        let error = source.sign_in("ada", &secret).await.unwrap_err();
        let shown = format!("{error} {error:?} {}", error.remedy());
        assert_eq!(
            shown.contains("CANARY"),
            is_quoted,
            "{status} {body}: {shown}"
        );
        for secret in [password, SECRET, &sent] {
            assert!(!shown.contains(secret), "{status} {body}: {shown}");
        }
    }
}

#[tokio::test]
async fn nothing_shows_a_secret() {
    let server = Scripted::start(|_, before| tokens(before, 3600)).await;
    let (source, reader) = signed_in(&server.base).await;
    let bearer = source.bearer().await.unwrap();
    let shown = format!(
        "{source:?} {bearer:?} {reader:?} {:?}",
        source.state().borrow()
    );
    lacks(&shown, "canary");
    lacks(&shown, SECRET);
}
