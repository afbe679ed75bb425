//! Odd answers of the service, as a person sees them. The list stays readable through all of them.

use super::scene;
use crate::support::prelude::*;

#[tokio::test]
async fn every_odd_answer_is_told_and_survived() {
    let mut scene = scene(options(|it| it.runs = 60)).await;
    scene.until("\nrun 1 of").await;
    let first = scene.store.here().id.clone().unwrap();
    let cases: [(u16, &[u8], &str); 6] = [
        (200, b"upstream connect error", "upstream connect error"),
        (
            200,
            b"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":\"just a text\"}",
            "just a text",
        ),
        (
            500,
            b"{\"error\":{\"code\":\"E-77\",\"message\":\"as a word\"}}",
            "E-77",
        ),
        (
            200,
            b"[{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-1,\"message\":\"in a list\"}}]",
            "in a list",
        ),
        (
            200,
            b"{\"error\":{\"code\":-32007,\"message\":\"\\u001b[2Jcleared\"}}",
            "cleared",
        ),
        (429, b"slow down", "429"),
    ];
    for (status, body, words) in cases {
        let before = scene.store.errors().entries.len();
        scene
            .proxy
            .fault_for("LIST_TEST_RUNS", Fault::Replace(status, body.to_vec()));
        scene.press(&["r"]);
        scene
            .until_that("a failure", |desk| {
                desk.store.errors().entries.len() > before
            })
            .await;
        let screen = scene.screen();
        assert!(screen.contains(&first), "what was read stays: {screen}");
        assert!(!screen.contains('\u{1b}'));
        scene.press(&["!", "Home"]);
        let screen = scene.screen();
        assert!(screen.contains(words), "{status} {words:?}: {screen}");
        scene.press(&["Esc"]);
        scene.proxy.fault(Fault::None);
        scene.press(&["r"]);
        scene
            .until_that("rows", |desk| {
                desk.store.runs().reader.failure.is_none() && !desk.store.runs().reader.busy()
            })
            .await;
    }
}
