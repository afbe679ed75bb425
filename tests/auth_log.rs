//! The log at its most talkative: every call stands in it, and no secret does.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "shared with other test files")]
mod support;

use crate::support::prelude::*;
use std::io::Write;
use std::sync::Mutex;

use rundown::rpc::Writer;
use support::{run, signed_in};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[tokio::test]
async fn the_log_names_calls_and_no_secrets() {
    let log = Log::default();
    let writer = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_ansi(false)
        .with_writer(move || writer.clone())
        .finish();
    let guard = tracing::subscriber::set_default(subscriber);

    let server = Scripted::service(|seen, _| match seen.method().as_str() {
        "DELETE_TEST_RUN" => Say::bytes(401, format!("refused: {}", seen.bearer())),
        _ => Say::result(seen, &json!(true)),
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    Writer::new(reader.clone())
        .delete_test_run(&run())
        .await
        .unwrap_err();
    // The token is refused by now, so this one refreshes.
    assert!(reader.check_test_run_empty(&run()).await.unwrap());
    drop(guard);

    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    let ids: Vec<String> = server.calls().iter().map(Seen::id).collect();
    assert_eq!(ids.len(), 3);
    assert!(ids.iter().all(|id| text.contains(id)), "{text}");
    says(&text, "CHECK_TEST_RUN_EMPTY");
    says(&text, "status=401");
    lacks(&text, "canary");
}
