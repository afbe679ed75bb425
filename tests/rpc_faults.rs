//! Lost connections, seen through a proxy: what was sent how often, and what is known about it.

use super::support;
use crate::support::prelude::*;

use rundown::rpc::{CallErrorKind, Writer};
use support::{client, run, signed_in};

async fn behind_a_proxy() -> (Scripted, Proxy) {
    let server = Scripted::service(|seen, _| Say::result(seen, &json!(true))).await;
    let proxy = Proxy::start(&server.base).await;
    (server, proxy)
}

#[tokio::test]
async fn a_proxy_that_does_nothing_changes_nothing() {
    let (server, proxy) = behind_a_proxy().await;
    let (_, reader) = signed_in(&proxy.base).await;
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    assert_eq!(
        (
            proxy.count("token"),
            proxy.count("CHECK_TEST_RUN_EMPTY"),
            server.seen().len()
        ),
        (1, 1, 2)
    );
    assert_eq!(
        proxy.passed()[1].json()["params"]["testRunDocRef"],
        run().as_str()
    );
    assert_eq!(proxy.passed()[0].form()["grant_type"], "password");
    proxy.fault(Fault::delay(20));
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
}

#[tokio::test]
async fn a_lost_connection_leaves_a_write_unknown_and_sent_once() {
    // On a fresh connection and on one that was used before: only the latter tempts HTTP libraries to send again.
    for used_before in [false, true] {
        for fault in [Fault::CutBefore, Fault::CutAfter] {
            let (server, proxy) = behind_a_proxy().await;
            let (_, reader) = signed_in(&proxy.base).await;
            if used_before {
                assert!(reader.check_test_run_empty(&run()).await.unwrap());
            }
            proxy.fault_for("DELETE_TEST_RUN", fault.clone());
            let error = Writer::new(reader)
                .delete_test_run(&run())
                .await
                .unwrap_err();
            assert!(matches!(error.kind, CallErrorKind::CutOff(_)), "{error:?}");
            assert!(error.outcome_unknown() && !error.may_retry());
            assert!(!error.to_string().contains("speaks no HTTP"), "{error}");
            assert!(
                error.sentence().contains("after the request had gone out"),
                "{error}"
            );
            says(&error.remedy(), "do not send it twice");
            assert_eq!(proxy.count("DELETE_TEST_RUN"), 1);
            let acted = server
                .calls()
                .iter()
                .filter(|call| call.method() == "DELETE_TEST_RUN")
                .count();
            assert_eq!(acted, usize::from(matches!(fault, Fault::CutAfter)));
        }
    }
}

#[tokio::test]
async fn a_lost_connection_of_a_read_is_the_callers_to_repeat() {
    let (_, proxy) = behind_a_proxy().await;
    let (_, reader) = signed_in(&proxy.base).await;
    proxy.fault(Fault::CutAfter);
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(error.may_retry() && !error.outcome_unknown(), "{error}");
    assert_eq!(error.remedy(), "Try again.");
    // What becomes of a request matters where it changes something.
    begins(&error.cause(), "the connection broke (");
    assert_eq!(proxy.count("CHECK_TEST_RUN_EMPTY"), 1);
    proxy.fault(Fault::None);
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
}

#[tokio::test]
async fn a_renewal_that_does_not_get_through_is_about_the_identity_provider() {
    let server = Scripted::service(|_, _| Say::bytes(401, "")).await;
    let proxy = Proxy::start(&server.base).await;
    let (_, reader) = signed_in(&proxy.base).await;
    proxy.fault_for("token", Fault::CutBefore);
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert!(
        error.cause().starts_with("identity provider: ") && error.may_retry(),
        "{error}"
    );
    says(&error.remedy(), "Check idp_url and the network");
}

#[tokio::test]
async fn a_service_that_is_down_and_back() {
    let (_, proxy) = behind_a_proxy().await;
    let (_, reader) = signed_in(&proxy.base).await;
    let writer = Writer::new(reader.clone());
    proxy.go_down().await;
    for error in [
        reader.check_test_run_empty(&run()).await.unwrap_err(),
        writer.delete_test_run(&run()).await.unwrap_err(),
    ] {
        assert!(
            matches!(&error.kind, CallErrorKind::Connect(none) if none.why.contains(&proxy.base)),
            "{error:?}"
        );
        assert!(error.may_retry() && !error.outcome_unknown());
        begins(&error.remedy(), "Nothing was sent. Check base_url");
    }
    assert_eq!(proxy.count("DELETE_TEST_RUN"), 0);
    proxy.come_back();
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    assert!(writer.delete_test_run(&run()).await.unwrap());
}

#[tokio::test]
async fn a_replaced_answer_is_not_passed_on() {
    let (server, proxy) = behind_a_proxy().await;
    let (_, reader) = signed_in(&proxy.base).await;
    proxy.fault(Fault::Replace(
        503,
        b"<html><title>Maintenance</title></html>".to_vec(),
    ));
    let error = reader.check_test_run_empty(&run()).await.unwrap_err();
    assert_eq!(
        error.kind,
        CallErrorKind::Http {
            status: 503,
            excerpt: "Maintenance".into()
        }
    );
    assert_eq!(server.calls().len(), 0);
}

#[tokio::test]
async fn a_password_is_sent_once_whatever_happens_to_the_connection() {
    for fault in [Fault::CutBefore, Fault::CutAfter, Fault::status(503)] {
        let (_, proxy) = behind_a_proxy().await;
        proxy.fault(fault);
        let (source, _) = client(&proxy.base, Duration::from_secs(20));
        source
            .sign_in("ada", &support::PASSWORD.to_owned().into())
            .await
            .unwrap_err();
        assert_eq!(proxy.count("token"), 1);
    }
}
