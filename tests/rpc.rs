//! Calls in mid-use: expiry, 401, slow and large answers, redirects, lost connections.

use super::support;
use crate::support::prelude::*;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, Bytes};
use rundown::auth::{AuthError, NoConnection, SignInState};
use rundown::domain::RunsSource;
use rundown::rpc::{CallError, CallErrorKind, Reader, Writer};
use support::scripted::tokens;
use support::{PAGE, PASSWORD, client, no_filter, run, signed_in};

fn yes(seen: &Seen) -> Say {
    Say::result(seen, &json!(true))
}

/// How a read ends that does not succeed, after a sign-in.
async fn failed_read(server: &Scripted) -> CallError {
    let (_, reader) = signed_in(&server.base).await;
    reader.check_test_run_empty(&run()).await.unwrap_err()
}

fn requests(server: &Scripted) -> (usize, usize) {
    (server.token_requests().len(), server.calls().len())
}

/// Somebody is signed in who waits for no answer longer than this.
async fn patient_for(server: &Scripted, patience: Duration) -> Reader {
    let (source, reader) = client(&server.base, patience);
    let password = PASSWORD.to_owned().into();
    source.sign_in("ada", &password).await.unwrap();
    reader
}

#[tokio::test]
async fn nothing_is_sent_before_sign_in() {
    let server = Scripted::service(|seen, _| yes(seen)).await;
    let (_, reader) = client(&server.base, Duration::from_secs(20));
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert_eq!(
        error.kind,
        CallErrorKind::NotSignedIn(AuthError::NotSignedIn)
    );
    assert!(error.needs_sign_in());
    assert_eq!(error.remedy(), "Sign in, then try again.");
    assert_eq!(server.seen().len(), 0);
}

#[tokio::test]
async fn a_project_that_fits_no_header_is_named_and_nothing_is_sent() {
    let server = Scripted::service(|seen, _| yes(seen)).await;
    let (source, reader) = signed_in(&server.base).await;
    let http = rundown::rpc::http_client(
        &support::settings(Duration::from_secs(20)),
        &server.base.parse().unwrap(),
    )
    .unwrap();
    let mut endpoint = reader.endpoint().clone();
    endpoint.project_id = "P\n9".into();
    let writer = Writer::new(Reader::new(http, source, endpoint));
    let error = writer.delete_test_run(&run()).await.unwrap_err();
    assert!(
        error.cause().starts_with("not sent: project_id holds"),
        "{error}"
    );
    says(&error.remedy(), "correct what it names first");
    assert_eq!(server.calls().len(), 0);
}

/// The service refuses the token, and there is no other.
#[tokio::test]
async fn without_a_new_token_the_advice_is_about_the_sign_in() {
    for (status, body, advice) in [
        (
            400,
            r#"{"error":"invalid_grant"}"#,
            "Sign in, then try again.",
        ),
        (
            500,
            r#"{"error":"broken"}"#,
            "Try again in a while; the password was not judged.",
        ),
        (
            503,
            "<html>",
            "Try again in a while; the password was not judged.",
        ),
    ] {
        let server = Scripted::start(move |seen, before| match (seen.is_token(), before) {
            (true, 0) => tokens(0, 3600),
            (true, _) => Say::bytes(status, body),
            (false, _) => Say::bytes(401, ""),
        })
        .await;
        let error = failed_read(&server).await;
        assert_eq!(error.remedy(), advice, "{error}");
    }
}

#[tokio::test]
async fn fifty_calls_in_mid_use_refresh_once() {
    let server = Scripted::start(|seen, before| match (seen.is_token(), before) {
        (true, 0) => tokens(0, 1),
        (true, n) => tokens(n, 3600).after(Duration::from_millis(200)),
        (false, _) => yes(seen),
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    pause(850).await;
    let calls: Vec<_> = (0..50)
        .map(|_| {
            let reader = reader.clone();
            tokio::spawn(async move { reader.check_test_run_empty(&run()).await })
        })
        .collect();
    for call in calls {
        assert!(call.await.unwrap().unwrap());
    }
    assert_eq!(server.token_requests().len(), 2);
    assert_eq!(server.calls().len(), 50);
    assert!(
        server
            .calls()
            .iter()
            .all(|call| call.bearer() == "canary-access-1")
    );
}

#[tokio::test]
async fn a_read_that_meets_a_401_is_sent_once_more() {
    let server = Scripted::service(|seen, _| match seen.bearer().as_str() {
        "canary-access-0" => Say::bytes(401, "expired"),
        _ => yes(seen),
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    assert_eq!(requests(&server), (2, 2));
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    assert_eq!(requests(&server), (2, 3));
}

#[tokio::test]
async fn a_read_refused_twice_is_given_up() {
    let server =
        Scripted::service(|_, _| Say::bytes(401, "<html><title>Unauthorized</title></html>")).await;
    let error = failed_read(&server).await;
    assert_eq!(
        error.kind,
        CallErrorKind::Unauthorized {
            excerpt: "Unauthorized".into()
        }
    );
    assert_eq!(requests(&server), (2, 2));
}

#[tokio::test]
async fn a_write_that_meets_a_401_is_not_sent_again() {
    let server = Scripted::service(|seen, _| match seen.bearer().as_str() {
        "canary-access-0" => Say::bytes(401, ""),
        _ => yes(seen),
    })
    .await;
    let writer = Writer::new(signed_in(&server.base).await.1);
    let error = writer.delete_test_run(&run()).await.unwrap_err();
    assert!(matches!(error.kind, CallErrorKind::Unauthorized { .. }));
    assert_eq!(
        error.cause(),
        "the service did not accept the sign-in (401)"
    );
    assert!(!error.may_retry());
    assert!(error.outcome_unknown());
    assert_eq!(requests(&server), (1, 1));
    // The next one does not run into the same refusal.
    assert!(writer.delete_test_run(&run()).await.unwrap());
    assert_eq!(requests(&server), (2, 2));
}

#[tokio::test]
async fn a_session_that_is_over_is_told_to_caller_and_watcher() {
    let server = Scripted::start(|seen, before| match (seen.is_token(), before) {
        (true, 0) => tokens(0, 3600),
        (true, _) => Say::json(400, &json!({"error": "invalid_grant"})),
        (false, _) => Say::bytes(401, ""),
    })
    .await;
    let (source, reader) = signed_in(&server.base).await;
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(error.needs_sign_in(), "{error}");
    assert_eq!(Failure::from(error).kind, FailureKind::SignIn);
    assert!(matches!(
        &*source.state().borrow(),
        SignInState::Ended { .. }
    ));
    let before = server.seen().len();
    reader.check_test_run_empty(&run()).await.unwrap_err();
    assert_eq!(server.seen().len(), before);
}

#[tokio::test]
async fn a_network_with_a_sign_in_of_its_own_is_told() {
    let portal = "http://portal.example/login?token=canary";
    let server =
        Scripted::service(move |_, _| Say::bytes(302, "").header("location", portal)).await;
    let error = failed_read(&server).await;
    let words = format!("{}. {}", error.in_full(), error.remedy());
    says(&words, "http://portal.example");
    says(&words, "a sign-in of its own");
    says(&words, "correct base_url");
    assert_eq!(words.matches("leads").count(), 1, "{words}");
    let server = Scripted::service(|_, _| Say::bytes(511, "<html>Sign in</html>")).await;
    let error = failed_read(&server).await;
    let words = format!("{}. {}", error.in_full(), error.remedy());
    says(&words, "the network wants a sign-in of its own (511)");
    says(&words, "browser");
}

#[tokio::test]
async fn a_token_in_a_long_path_of_a_redirect_is_hidden_to_its_end() {
    let server = Scripted::service(|seen, _| {
        let path = format!("/{}{}", "a".repeat(165), seen.bearer());
        Say::bytes(302, "").header("location", &path)
    })
    .await;
    let error = failed_read(&server).await.to_string();
    lacks(&error, "canary");
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let other = Scripted::service(|seen, _| yes(seen)).await;
    let place = format!("{}/login?token=canary", other.base);
    for status in [301, 302, 307, 308] {
        let place = place.clone();
        let server =
            Scripted::service(move |_, _| Say::bytes(status, "").header("location", &place)).await;
        let error = failed_read(&server).await;
        let expected = format!("leads to {}/login", other.base);
        assert_eq!(
            error.kind,
            CallErrorKind::Http {
                status,
                excerpt: expected
            }
        );
        // The token is hidden in a path, too.
        let echoing = Scripted::service(move |seen, _| {
            Say::bytes(status, "").header("location", &format!("/login/{}", seen.bearer()))
        })
        .await;
        let error = failed_read(&echoing).await.to_string();
        says(&error, "/login/(hidden)");
        lacks(&error, "canary");
        let moved = Scripted::start({
            let place = other.base.clone();
            move |seen, _| {
                Say::bytes(status, "").header("location", &format!("{place}{}", seen.path))
            }
        })
        .await;
        let (source, _) = client(&moved.base, Duration::from_secs(20));
        source
            .sign_in("ada", &PASSWORD.to_owned().into())
            .await
            .unwrap_err();
    }
    assert_eq!(other.seen().len(), 0);
}

#[tokio::test]
async fn an_answer_slower_than_the_limit() {
    let server = Scripted::service(|seen, _| yes(seen).after(Duration::from_mins(1))).await;
    let reader = patient_for(&server, Duration::from_millis(300)).await;
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(
        matches!(error.kind, CallErrorKind::Timeout { .. }),
        "{error:?}"
    );
    assert!(error.may_retry() && !error.outcome_unknown());
    // How long it was waited, which is longer on a busy machine.
    let words = error.cause();
    begins(&words, "no answer within 0.");
    says(&error.remedy(), "raise request_timeout_seconds");
    let error = Writer::new(reader)
        .delete_test_run(&run())
        .await
        .unwrap_err();
    assert!(!error.may_retry() && error.outcome_unknown());
    says(&error.remedy(), "do not send it twice");
    assert_eq!(server.calls().len(), 2, "neither is sent again");
}

/// A listener whose queue is full takes no further connection: the way to a host that does not answer at all.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_connection_that_is_never_made_leaves_a_write_unsent() {
    let server = Scripted::service(|seen, _| yes(seen)).await;
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind("127.0.0.1:0".parse().unwrap()).unwrap();
    let full = socket.listen(1).unwrap();
    let address = full.local_addr().unwrap();
    let mut queue = Vec::new();
    let patience = Duration::from_millis(300);
    while let Ok(connected) =
        tokio::time::timeout(patience, tokio::net::TcpStream::connect(address)).await
    {
        queue.push(connected.unwrap());
        assert!(queue.len() < 64, "the queue never fills");
    }
    let base = server.base.parse().unwrap();
    let limits =
        support::settings(Duration::from_secs(20)).with(|it| it.connect_timeout = patience);
    let http = rundown::rpc::http_client(&limits, &base).unwrap();
    let (source, reader) = signed_in(&server.base).await;
    let mut endpoint = reader.endpoint().clone();
    endpoint.rpc_url = format!("http://{address}/api/v2/rpc").parse().unwrap();
    let writer = Writer::new(Reader::new(http, source, endpoint));
    let error = writer.delete_test_run(&run()).await.unwrap_err();
    assert_eq!(
        error.kind,
        CallErrorKind::Connect(NoConnection::other(format!(
            "http://{address}: it does not answer in time"
        )))
    );
    assert!(!error.outcome_unknown() && error.may_retry());
}

#[tokio::test]
async fn a_body_that_stalls_is_cut_at_the_limit() {
    let server = Scripted::service(|_, _| {
        let start = futures_util::stream::iter([Ok::<_, std::io::Error>(Bytes::from_static(b"{"))]);
        let body = Body::from_stream(futures_util::StreamExt::chain(
            start,
            futures_util::stream::pending(),
        ));
        Say::bytes(200, "").with(|it| it.body = body)
    })
    .await;
    let reader = patient_for(&server, Duration::from_millis(300)).await;
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(
        matches!(error.kind, CallErrorKind::Timeout { .. }),
        "{error:?}"
    );
}

#[tokio::test]
async fn an_endless_answer_is_refused() {
    let endless = || {
        let chunk = Bytes::from(vec![b'0'; 1 << 20]);
        Body::from_stream(futures_util::stream::repeat_with(move || {
            Ok::<_, std::io::Error>(chunk.clone())
        }))
    };
    let server =
        Scripted::service(move |_, _| Say::bytes(200, "").with(|it| it.body = endless())).await;
    let (_, reader) = signed_in(&server.base).await;
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(matches!(error.kind, CallErrorKind::TooLarge(_)));
    assert_eq!(error.cause(), "the answer is larger than 1 MiB");
    assert!(!error.may_retry());
    let helps = "Trying again changes nothing: raise max_answer_mb of the profile, or ask whoever runs the service.";
    assert_eq!(error.remedy(), helps);
    let error = Writer::new(reader)
        .delete_test_run(&run())
        .await
        .unwrap_err();
    assert!(error.outcome_unknown());
    says(&error.remedy(), "do not send it twice");
}

#[tokio::test]
async fn an_answer_that_unpacks_to_too_much_is_refused() {
    let packed = gzip_of_zeros(65 << 20);
    assert!(packed.len() < 1 << 20, "small on the wire");
    let server = Scripted::service(move |_, _| {
        Say::bytes(200, packed.clone()).header("content-encoding", "gzip")
    })
    .await;
    let error = failed_read(&server).await;
    assert_eq!(error.cause(), "the answer is larger than 1 MiB");
}

/// A gzip stream of `size` zeros in one fixed-code deflate block: a literal, then back references of length 258.
fn gzip_of_zeros(size: usize) -> Vec<u8> {
    let mut bits: Vec<bool> = Vec::new();
    let put = |bits: &mut Vec<bool>, value: u32, count: u32, low_first: bool| {
        for at in 0..count {
            let at = if low_first { at } else { count - 1 - at };
            bits.push(value >> at & 1 == 1);
        }
    };
    put(&mut bits, 0b011, 3, true); // last block, fixed codes
    put(&mut bits, 0x30, 8, false); // literal 0
    for _ in 0..size / 258 {
        put(&mut bits, 0b1100_0101, 8, false); // length 258
        put(&mut bits, 0, 5, false); // distance 1
    }
    put(&mut bits, 0, 7, false); // end of block
    let mut out = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for byte in bits.chunks(8) {
        out.push(
            byte.iter()
                .enumerate()
                .fold(0, |byte, (at, bit)| byte | u8::from(*bit) << at),
        );
    }
    out.extend([0; 8]); // checksum and size, reached by nobody
    out
}

#[tokio::test]
async fn a_large_answer_is_read() {
    let server = Scripted::service(|seen, _| {
        let long = "x".repeat(2_000);
        let entry =
            |n: usize| json!({"docRef": format!("TestRun-dm/{n}"), "document": {"Root": {"General": {"Title": long}}}});
        let entries: Vec<Value> = (0..1_000).map(entry).collect();
        Say::result(seen, &json!({"fullSize": 1000, "entries": entries}))
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    let list = reader
        .list_documents(PAGE, &[], &no_filter())
        .await
        .unwrap();
    assert_eq!(list.rows.len(), 1_000);
}

fn list_page(seen: &Seen) -> Say {
    let list = json!({"fullSize": 1, "page": {"offset": 0, "limit": 50}, "entries": [{"docRef": "TestRun-dm/1"}]});
    match seen.method().as_str() {
        "LIST_TEST_RUNS" => Say::result(
            seen,
            &json!({"result": list, "filterItemMap": {"a.b": ["x", 7]}}),
        ),
        _ => Say::result(seen, &list),
    }
}

#[tokio::test]
async fn runs_fall_back_once_list_test_runs_is_gone() {
    let gone = Arc::new(AtomicBool::new(false));
    let is_gone = Arc::clone(&gone);
    let server = Scripted::service(move |seen, _| {
        if seen.method() == "LIST_TEST_RUNS" && is_gone.load(Ordering::SeqCst) {
            let error = json!({"code": -32601, "message": "Method not found"});
            return Say::json(
                200,
                &json!({"jsonrpc": "2.0", "id": seen.id(), "error": error}),
            );
        }
        list_page(seen)
    })
    .await;
    let (_, lister) = signed_in(&server.base).await;
    let first = lister.list_runs(PAGE, &[], &no_filter()).await.unwrap();
    assert_eq!(
        (first.operation, first.full_size, first.rows.len()),
        (Some(RunsOperation::ListTestRuns), 1, 1)
    );
    assert_eq!(
        first.facets,
        Some(vec![(
            "a.b".to_owned(),
            vec!["x".to_owned(), "7".to_owned()]
        )])
    );

    gone.store(true, Ordering::SeqCst);
    let second = lister.list_runs(PAGE, &[], &no_filter()).await.unwrap();
    assert_eq!(
        (second.operation, second.facets),
        (Some(RunsOperation::ListDocuments), None)
    );
    lister
        .clone()
        .with_project("P_1", None)
        .list_runs(PAGE, &[], &no_filter())
        .await
        .unwrap();
    let methods: Vec<String> = server.calls().iter().map(Seen::method).collect();
    assert_eq!(
        methods,
        [
            "LIST_TEST_RUNS",
            "LIST_TEST_RUNS",
            "LIST_DOCUMENTS",
            "LIST_DOCUMENTS"
        ]
    );
}

#[tokio::test]
async fn only_an_unknown_method_makes_runs_fall_back() {
    for (status, body) in [
        (404, json!("Not Found")),
        (
            200,
            json!({"error": {"code": -32603, "message": "method not found in class"}}),
        ),
        (500, json!({"error": "boom"})),
    ] {
        let server = Scripted::service(move |_, _| Say::json(status, &body)).await;
        let (_, reader) = signed_in(&server.base).await;
        reader.list_runs(PAGE, &[], &no_filter()).await.unwrap_err();
        assert_eq!(server.calls().len(), 1);
    }
    let error = json!({"error": {"code": -32601, "message": "x"}});
    let server = Scripted::service(move |_, _| Say::json(200, &error)).await;
    let (_, reader) = signed_in(&server.base).await;
    let one = reader.clone().with_runs_source(RunsSource::ListTestRuns);
    assert!(
        one.list_runs(PAGE, &[], &no_filter())
            .await
            .unwrap_err()
            .is_unknown_method()
    );
    reader
        .with_runs_source(RunsSource::ListDocuments)
        .list_runs(PAGE, &[], &no_filter())
        .await
        .unwrap_err();
    let methods: Vec<String> = server.calls().iter().map(Seen::method).collect();
    assert_eq!(methods, ["LIST_TEST_RUNS", "LIST_DOCUMENTS"]);
}
