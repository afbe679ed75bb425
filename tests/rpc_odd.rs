//! Answers of every odd shape become typed errors, in words a person can use.

use super::support;
use crate::support::prelude::*;
use std::sync::Mutex;

use proptest::prelude::*;
use rundown::rpc::{Acted, CallError, CallErrorKind, Reader, Writer};
use support::{PAGE, no_filter, run, signed_in, suite};

/// A server whose next answer is set from outside; `ID` in it stands for the id of the call, `TOKEN` for the token,
/// `ESCAPED` for the token as JSON may spell it, too.
struct Odd {
    reader: Reader,
    writer: Writer,
    next: Arc<Mutex<(u16, Vec<u8>)>>,
    server: Scripted,
}

impl Odd {
    async fn start() -> Self {
        let next = Arc::new(Mutex::new((200, Vec::new())));
        let said = Arc::clone(&next);
        let server = Scripted::service(move |seen, _| {
            let (status, body) = said.lock().unwrap().clone();
            let escaped = |c: char| format!("\\u{:04x}", u32::from(c));
            match String::from_utf8(body) {
                Ok(text) => Say::bytes(
                    status,
                    text.replace("\"ID\"", &format!("{:?}", seen.id()))
                        .replace("TOKEN", &seen.bearer())
                        .replace(
                            "ESCAPED",
                            &seen.bearer().chars().map(escaped).collect::<String>(),
                        ),
                ),
                Err(error) => Say::bytes(status, error.into_bytes()),
            }
        })
        .await;
        let (_, reader) = signed_in(&server.base).await;
        Self {
            writer: Writer::new(reader.clone()),
            reader,
            next,
            server,
        }
    }

    fn say(&self, status: u16, body: &[u8]) {
        *self.next.lock().unwrap() = (status, body.to_vec());
    }

    async fn ask(&self, status: u16, body: &[u8]) -> Result<bool, CallError> {
        self.say(status, body);
        self.reader.check_test_run_empty(&run()).await
    }

    async fn list(&self, result: &str) -> Result<usize, CallError> {
        self.say(
            200,
            format!(r#"{{"id":"ID","result":{result}}}"#).as_bytes(),
        );
        self.reader
            .list_documents(PAGE, &[], &no_filter())
            .await
            .map(|list| list.rows.len())
    }
}

/// Who saves it would write it to that other run.
#[tokio::test]
async fn a_document_of_another_run_than_was_asked_for_is_an_odd_answer() {
    let odd = Odd::start().await;
    let run = run();
    let other = "TestRun-dm/3b53beea-a611-462c-9553-7d9b11a2a0ff";
    for (came, is_taken) in [(run.as_str(), true), (other, false)] {
        let result =
            json!({"docRef": came, "documentModelName": "TestRun-dm", "document": {"Root": {}}});
        odd.say(
            200,
            json!({"id": "ID", "result": result}).to_string().as_bytes(),
        );
        match odd.reader.get_document(&run).await {
            Ok(document) => assert!(is_taken && *document.doc_ref() == run),
            Err(error) => {
                assert!(!is_taken);
                let words = error.to_string();
                says(&words, &format!("result.docRef: expected {run}, got"));
            }
        }
    }
}

/// As a text has it that was cut inside an emoji. What is read to be saved is refused: it could not be sent as it came.
#[tokio::test]
async fn half_of_a_character_in_one_run_takes_no_list_away() {
    let odd = Odd::start().await;
    for (title, shown) in [
        (r"Night \ud83d", "Night \u{fffd}"),
        (r"\uDE00 in front", "\u{fffd} in front"),
        (r"\ud83d\ud83d\ude00", "\u{fffd}\u{1f600}"),
        (r"\\ud83d\\\ud83d", "\\ud83d\\\u{fffd}"),
    ] {
        let document = format!(
            r#"{{"docRef":"{}","documentModelName":"TestRun-dm","document":{{"Root":{{"General":{{"Title":"{title}"}}}}}}}}"#,
            run()
        );
        let list = format!(
            r#"{{"id":"ID","result":{{"fullSize":1,"entries":[{document}],"filterItemMap":{{}}}}}}"#
        );
        odd.say(200, list.as_bytes());
        let list = odd.reader.list_documents(PAGE, &[], &no_filter()).await;
        let row = RunRow::from_document(&list.unwrap().rows[0]);
        assert_eq!(row.title.as_deref(), Some(shown));
        let answer = format!(r#"{{"id":"ID","result":{document}}}"#);
        odd.say(200, answer.as_bytes());
        let error = odd.reader.get_document(&run()).await.unwrap_err();
        let words = error.to_string();
        says(&words, "is cut inside a character");
        assert_eq!(error.kind.reached(), Some(true), "the service is there");
    }
}

#[tokio::test]
async fn envelopes_that_are_taken() {
    let odd = Odd::start().await;
    for body in [
        r#"{"jsonrpc":"2.0","id":"ID","result":true}"#,
        r#"{"id":"ID","result":true}"#,
        r#"[{"id":"ID","result":true}]"#,
        r#"[{"id":"other","result":false},{"id":"ID","result":true}]"#,
        r#"{"id":"ID","result":true,"error":null}"#,
        "\u{feff} {\"id\":\"ID\",\"result\":true,\"more\":[1e400]} ",
    ] {
        assert!(odd.ask(200, body.as_bytes()).await.unwrap(), "{body}");
    }
    odd.ask(201, br#"{"id":"ID","result":true}"#).await.unwrap();
}

#[tokio::test]
async fn answers_that_are_refused_say_why() {
    let odd = Odd::start().await;
    let cases: &[(u16, &[u8], &str)] = &[
        (200, b"", "odd answer (HTTP 200), an empty body"),
        (200, b" \r\n", "an empty body"),
        (204, b"", "odd answer (HTTP 204), an empty body"),
        (500, b"", "a fault inside the service (500)"),
        (200, b"OK", "no JSON: OK"),
        (
            200,
            b"<!doctype html><title>Sign in</title><script>x</script>",
            "no JSON: Sign in",
        ),
        (
            502,
            b"<html><h1>502 Bad Gateway</h1><hr>nginx</html>",
            "the service is unavailable (502): an HTML page",
        ),
        (
            503,
            b"Service Unavailable",
            "the service is unavailable (503)",
        ),
        (403, b"go away\x1b[31m", "not allowed (403): go away␛[31m"),
        (
            404,
            br#"{"path":"/v2/rpc"}"#,
            "nothing answers at this address (404): {\"path\":\"/v2/rpc\"}",
        ),
        (413, b"", "the request is too large (413)"),
        (404, b"[]", "at this address (404): []"),
        (200, b"\xff\xfe\x00", "not valid UTF-8"),
        (200, br#"{"id":"ID","result":tr"#, "JSON that breaks off"),
        (200, br#"{"id":"ID","result":tr}"#, "faulty JSON at line 1"),
        (
            200,
            b"{\"id\":\"ID\",\"result\":\"\\ud800\"}",
            "faulty JSON",
        ),
        (200, b"[]", "no JSON-RPC answer"),
        (200, b"null", "no JSON-RPC answer"),
        (200, br#""text""#, "no JSON-RPC answer: \"text\""),
        (200, b"7", "no JSON-RPC answer"),
        (
            200,
            br#"[[{"id":"ID","result":true}]]"#,
            "no JSON-RPC answer",
        ),
        (200, b"{}", "neither result nor error"),
        (200, br#"{"id":"ID"}"#, "neither result nor error"),
        (200, br#"{"result":true}"#, "it names no call: id missing"),
        (200, br#"{"id":null,"result":true}"#, "it names no call"),
        (
            200,
            br#"{"id":"other","result":true}"#,
            "it belongs to another call: id \"other\"",
        ),
        (
            200,
            br#"{"id":7,"result":true}"#,
            "it belongs to another call: id 7",
        ),
        (
            200,
            br#"{"id":"other","error":{"code":1}}"#,
            "it belongs to another call",
        ),
        (
            200,
            br#"[{"id":"a","result":1},{"id":"b","result":1}]"#,
            "it belongs to another call: id \"a\"",
        ),
        (
            200,
            br#"{"id":"ID","result":null}"#,
            "result: expected true or false, got null",
        ),
        (
            200,
            br#"{"id":"ID","result":"true"}"#,
            "result: expected true or false, got \"true\"",
        ),
        (
            500,
            br#"{"id":"ID","result":true}"#,
            "a fault inside the service (500)",
        ),
    ];
    for (status, body, expected) in cases {
        let error = odd.ask(*status, body).await.unwrap_err();
        let sentence = error.sentence();
        begins(
            &sentence,
            "checking that the run is empty (TestRun-dm/3b53beea",
        );
        assert!(sentence.contains(expected), "{sentence} / {expected}");
    }
    assert_eq!(odd.server.calls().len(), cases.len(), "none is sent again");
}

/// What a person is told to do next, after a read and after a write that met the same answer.
#[tokio::test]
async fn the_advice_fits_the_answer_and_no_write_of_unknown_outcome_is_to_be_sent_again() {
    const LOST: &str = "may have acted on it or not. Read again to see; do not send it twice.";
    let odd = Odd::start().await;
    for (status, body, read, write) in [
        (302, "", "correct base_url", "correct base_url"),
        (404, "", "/v2/rpc is appended", "/v2/rpc is appended"),
        (405, "", "/v2/rpc is appended", "/v2/rpc is appended"),
        (403, "", "ask an administrator", "ask an administrator"),
        (
            403,
            r#"{"error":"forbidden","message":"Access denied"}"#,
            "ask an administrator",
            "ask an administrator",
        ),
        (
            403,
            r#"{"id":"ID","error":{"code":7}}"#,
            "ask an administrator",
            "ask an administrator",
        ),
        (413, "", "unlikely to help", "unlikely to help"),
        (
            200,
            r#"{"id":"ID","error":{"code":-32006}}"#,
            "The account may not do this: ask the administrator.",
            "The account may not do this: ask the administrator.",
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":-32059}}"#,
            "The account may not do this: ask the administrator.",
            "The account may not do this: ask the administrator.",
        ),
        (400, "", "unlikely to help", "unlikely to help"),
        (429, "", "Try again in a while.", "Try again in a while."),
        (408, "", "Try again in a while.", LOST),
        (500, "", "Try again in a while.", LOST),
        (
            401,
            "",
            "Sign in again",
            "Send it again if you still want it.",
        ),
        (200, "<html>", "speaks another version", LOST),
        (
            200,
            r#"{"id":"other","result":true}"#,
            "mixes up answers",
            LOST,
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":-32004}}"#,
            "read the list again",
            "read the list again",
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":-32048}}"#,
            "Try again in a while.",
            "Try again in a while.",
        ),
        (
            503,
            r#"{"id":"ID","error":{"code":-32004}}"#,
            "read the list again",
            LOST,
        ),
        (
            500,
            r#"{"id":"ID","error":{"code":7}}"#,
            "Try again in a while.",
            "Try again in a while.",
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":7}}"#,
            "unlikely to help",
            "unlikely to help",
        ),
    ] {
        let told = odd.ask(status, body.as_bytes()).await.unwrap_err();
        assert!(told.remedy().contains(read), "{told}: {}", told.remedy());
        let told = odd.writer.delete_test_run(&run()).await.unwrap_err();
        assert!(told.remedy().contains(write), "{told}: {}", told.remedy());
    }
}

#[tokio::test]
async fn deep_nesting_is_an_odd_answer() {
    let odd = Odd::start().await;
    let error = odd
        .ask(200, "[".repeat(9_000).as_bytes())
        .await
        .unwrap_err();
    assert_eq!(
        error.cause(),
        "the answer has 9000 levels of nesting; at most 64 are read"
    );
    let nothing = "Trying again changes nothing: ask whoever runs the service.";
    assert_eq!(error.remedy(), nothing);
}

/// What is small on the wire may take a hundred times the room as values.
#[tokio::test]
async fn an_answer_of_too_many_values_is_refused_before_one_is_made() {
    let odd = Odd::start().await;
    let many = |count: usize, entry: &str| vec![entry; count].join(",");
    let listed = |entries: &str| format!(r#"{{"fullSize":9,"entries":[{entries}]}}"#);
    for (result, came_back) in [
        (
            listed(&many(400_000, r#"{"a":0}"#)),
            "the answer has 1200009 names and values; at most 68000 are read",
        ),
        (
            format!(
                r#"{{"fullSize":0,"entries":[],"x":[{}]}}"#,
                many(200_000, "0")
            ),
            "the answer has 200011 names and values; at most 68000 are read",
        ),
        (
            listed(&many(1_051, r#"{"docRef":"a/b"}"#)),
            "odd answer (HTTP 200), result.entries: 1051 entries; at most 1050 are read",
        ),
        (
            format!(
                r#"{{"fullSize":0,"entries":[],"x":"{}"}}"#,
                "x".repeat((1 << 20) + 1)
            ),
            "the answer has 1048577 bytes in one text; at most 1048576 are read",
        ),
    ] {
        let error = odd.list(&result).await.unwrap_err();
        assert_eq!(error.cause(), came_back);
        assert!(!error.may_retry());
    }
    assert_eq!(
        odd.list(&listed(&many(1_050, r#"{"docRef":"a/b"}"#)))
            .await
            .unwrap(),
        1_050
    );

    // The same for a write says nothing about what became of it, and for an error neither.
    let error = format!(
        r#"{{"id":"ID","error":{{"code":7,"data":[{}]}}}}"#,
        many(10_000, "0")
    );
    odd.say(200, error.as_bytes());
    let error = odd.writer.delete_test_run(&run()).await.unwrap_err();
    assert!(matches!(error.kind, CallErrorKind::TooLarge(_)), "{error}");
    assert!(error.outcome_unknown());
}

#[tokio::test]
async fn results_and_testers_of_a_run_are_bounded() {
    let odd = Odd::start().await;
    let entry = |name: &str, value: &str, count: usize| {
        let values = vec![value; count].join(",");
        format!(
            r#"{{"fullSize":1,"entries":[{{"docRef":"a/b","document":{{"Root":{{"DisplayFields":{{"{name}":[{values}]}}}}}}}}]}}"#
        )
    };
    for (name, value, most) in [
        ("Result", r#"{"result":"x","count":1}"#, 256),
        ("TestersOfTestCases", r#""ada""#, 10_000),
    ] {
        assert_eq!(odd.list(&entry(name, value, most)).await.unwrap(), 1);
        let error = odd.list(&entry(name, value, most + 1)).await.unwrap_err();
        assert_eq!(
            error.cause(),
            format!(
                "odd answer (HTTP 200), result.entries[0].document.Root.DisplayFields.{name}: {} entries; at most {most} \
                 are read",
                most + 1
            )
        );
    }
}

#[tokio::test]
async fn whoever_needs_larger_answers_says_so() {
    let odd = Odd::start().await;
    let values = vec!["0"; 200_000].join(",");
    let of = run();
    let document = format!(r#"{{"id":"ID","result":{{"docRef":"{of}","x":[{values}]}}}}"#);
    odd.say(200, document.as_bytes());
    let error = odd.reader.get_document(&run()).await.unwrap_err();
    assert!(error.remedy().contains("max_answer_mb"), "{error}");
    // Fewer entries may have room.
    assert_eq!(Failure::from(error).kind, FailureKind::AnswerTooLarge);
    let reader = odd.reader.clone().with_max_answer_mb(80);
    reader.get_document(&run()).await.unwrap();
}

#[tokio::test]
async fn errors_of_any_shape_on_any_status() {
    let odd = Odd::start().await;
    let cases = [
        (
            json!({"code": -32004, "message": "No such run"}),
            "not found (-32004): No such run",
        ),
        (json!({"code": "E-7", "message": "Nope"}), "error E-7: Nope"),
        (json!({"message": "Nope"}), "error: Nope"),
        (
            serde_json::from_str(r#"{"code":1e400}"#).unwrap(),
            "error 1e+400",
        ),
        (
            json!({"code": null, "reason": "x"}),
            "{\"code\":null,\"reason\":\"x\"}",
        ),
        (json!({}), "error"),
        (
            json!("Internal Server Error"),
            "error: Internal Server Error",
        ),
        (json!(["a", 1]), "error: [\"a\",1]"),
        (json!(-32601), "unknown operation (-32601)"),
        (json!(false), "error: false"),
        (
            json!({"code": -32007, "message": "m\u{7}", "data": {"title": {"de": "Titel"}, "logId": "L-1"}}),
            "m␇ (Titel) [log L-1]",
        ),
        // Often the only text with the reason.
        (
            json!({"code": -32036, "message": "M", "data": {"title": {"en": "M"}, "description": {"en": "S_4 is in it\u{7}"}}}),
            "operation failed (-32036): M (S_4 is in it␇)",
        ),
        (
            json!({"code": 1, "message": "M", "data": {"title": "T", "description": "D"}}),
            "error 1: M (T: D)",
        ),
        (
            json!({"code": 1, "message": "M", "data": {"title": "M", "description": "M"}}),
            "error 1: M",
        ),
        (
            json!({"code": 1, "message": {"en": "Words", "de": "Worte"}}),
            "error 1: Words",
        ),
    ];
    for (error, expected) in &cases {
        for status in [200, 400, 403, 500] {
            for body in [
                format!(r#"{{"id":"ID","error":{error}}}"#),
                format!(r#"{{"id":null,"error":{error},"result":true}}"#),
                format!(r#"[{{"error":{error}}}]"#),
                format!(r#"[{{"id":"ID","result":true}},{{"error":{error}}}]"#),
            ] {
                let failed = odd.ask(status, body.as_bytes()).await.unwrap_err();
                let CallErrorKind::Service(service) = &failed.kind else {
                    panic!("{body}: {failed:?}")
                };
                assert_eq!(service.status, status);
                let (sentence, http) = (failed.sentence(), format!(" (HTTP {status})"));
                assert_eq!(sentence.contains(&http), status != 200, "{sentence}");
                let sentence = sentence.replace(&http, "");
                assert!(sentence.contains(expected), "{sentence} / {expected}");
            }
        }
    }
}

/// A gateway in front of the service knows nothing of calls, and has the reason beside its `error`.
#[tokio::test]
async fn what_a_gateway_refuses_is_told_with_its_reason() {
    let odd = Odd::start().await;
    let long = format!(r#"{{"error":"no","message":"{}"}}"#, "x".repeat(9_000));
    for (status, body, expected) in [
        (
            403,
            r#"{"error":"forbidden","message":"Access denied for \u001b[31meve"}"#,
            "not allowed (403): forbidden: Access denied for ␛[31meve",
        ),
        (
            403,
            r#"{"status":403,"error":"Forbidden","message":"Forbidden"}"#,
            "not allowed (403): Forbidden",
        ),
        (
            403,
            r#"{"error":true,"description":"no right"}"#,
            "not allowed (403): no right",
        ),
        (
            403,
            r#"{"error":{"code":403,"message":"no right"}}"#,
            "not allowed (403): no right",
        ),
        (
            500,
            r#"{"error":"Internal","message":"no room"}"#,
            "error (HTTP 500): Internal: no room",
        ),
    ] {
        let failed = odd.ask(status, body.as_bytes()).await.unwrap_err();
        assert_eq!(failed.cause(), expected);
    }
    let cut = odd.ask(403, long.as_bytes()).await.unwrap_err();
    assert!(cut.cause().chars().count() < 600);
    assert!(cut.is_barred() && !cut.may_retry());
}

#[tokio::test]
async fn what_can_be_told_from_an_error() {
    let odd = Odd::start().await;
    let body = |code: i32, message: &str| {
        format!(r#"{{"id":"ID","error":{{"code":{code},"message":"{message}"}}}}"#)
    };
    for (status, body, is_unknown) in [
        (404, body(-32601, ""), true),
        (200, r#"{"error":"Method not found"}"#.into(), true),
        (200, body(-32004, "method not found"), false),
        (404, "Method not found".into(), false),
    ] {
        let error = odd.ask(status, body.as_bytes()).await.unwrap_err();
        assert_eq!(error.is_unknown_method(), is_unknown, "{body}");
    }

    for words in ["unknown METHOD", "no: operation not found"] {
        for code in ["", r#""code":404,"#, r#""code":-32600,"#] {
            let body = format!(r#"{{"error":{{{code}"message":"{words}"}}}}"#);
            let error = odd.ask(200, body.as_bytes()).await.unwrap_err();
            assert!(error.is_unknown_method(), "{body}");
        }
    }

    let (reader, none) = (&odd.reader, no_filter());
    // A page that is too large is asked for smaller, a question that is not understood is asked more simply.
    for (code, list, document) in [
        (-32058, FailureKind::PageTooLarge, FailureKind::Refused),
        (-32043, FailureKind::PageTooLarge, FailureKind::Refused),
        (-32602, FailureKind::Refused, FailureKind::Refused),
        (-32059, FailureKind::Service, FailureKind::Service),
        (-32004, FailureKind::NotFound, FailureKind::NotFound),
    ] {
        odd.say(200, body(code, "").as_bytes());
        for error in [
            reader.list_documents(PAGE, &[], &none).await.unwrap_err(),
            reader.list_test_runs(PAGE, &[], &none).await.unwrap_err(),
            reader
                .get_available_test_suites(&run(), PAGE, &[], &none)
                .await
                .unwrap_err(),
        ] {
            assert_eq!(error.failure_kind(), list, "{error}");
        }
        let error = reader.get_document(&run()).await.unwrap_err();
        assert_eq!(error.failure_kind(), document, "{error}");
    }
    // Who may not list runs with their results may be allowed to list them without.
    odd.say(200, body(-32006, "").as_bytes());
    let list = reader.list_test_runs(PAGE, &[], &none).await.unwrap_err();
    assert!(list.remedy().contains("runs_source"), "{list}");
    // With the first words of the fact it has room in two lines of 80 columns, beside the sign of new errors.
    assert!(list.remedy().len() <= 120, "{list}");
    let list = reader.list_documents(PAGE, &[], &none).await.unwrap_err();
    assert!(!list.remedy().contains("runs_source"), "{list}");
    // A write has no page.
    odd.say(200, body(-32043, "").as_bytes());
    let list = reader.list_test_runs(PAGE, &[], &none).await.unwrap_err();
    assert_eq!(list.remedy(), "Ask for a smaller page.");
    let write = odd.writer.delete_test_run(&run()).await.unwrap_err();
    assert_eq!(write.remedy(), "Trying again is unlikely to help.");
    // A service that is away says nothing of what was asked.
    for (status, kind) in [
        (501, FailureKind::Broken),
        (502, FailureKind::Unavailable),
        (504, FailureKind::Unavailable),
    ] {
        let error = odd.ask(status, b"down").await.unwrap_err();
        assert_eq!(error.failure_kind(), kind, "{error}");
    }
    for (code, passes) in [
        (-32603, true),
        (-32007, true),
        (-32048, true),
        (-32602, false),
    ] {
        let error = odd.ask(200, body(code, "").as_bytes()).await.unwrap_err();
        assert_eq!(error.may_retry(), passes, "{error}");
    }
}

#[tokio::test]
async fn a_list_is_whole_or_it_fails() {
    let odd = Odd::start().await;
    let good = r#"{"docRef":"TestRun-dm/1"}"#;
    assert_eq!(
        odd.list(&format!(
            r#"{{"fullSize":9,"entries":[{good},{good}],"page":"odd"}}"#
        ))
        .await
        .unwrap(),
        2
    );
    assert_eq!(odd.list(r#"{"fullSize":0,"entries":[]}"#).await.unwrap(), 0);
    for (result, expected) in [
        ("null".to_owned(), "result: expected an object, got null"),
        ("[]".to_owned(), "result: expected an object, got an array"),
        (r#"{"entries":[]}"#.to_owned(), "result.fullSize is missing"),
        (
            r#"{"fullSize":-1,"entries":[]}"#.to_owned(),
            "result.fullSize: expected a whole number from 0, got -1",
        ),
        (
            r#"{"fullSize":"137","entries":[]}"#.to_owned(),
            "got \"137\"",
        ),
        (r#"{"fullSize":1.5,"entries":[]}"#.to_owned(), "got 1.5"),
        (
            r#"{"fullSize":1e400,"entries":[]}"#.to_owned(),
            "result.fullSize",
        ),
        (
            r#"{"fullSize":9223372036854775808,"entries":[]}"#.to_owned(),
            "result.fullSize: expected a whole number from 0, got 9223372036854775808",
        ),
        (r#"{"fullSize":1}"#.to_owned(), "result.entries is missing"),
        (
            r#"{"fullSize":1,"entries":null}"#.to_owned(),
            "result.entries: expected an array, got null",
        ),
        (
            format!(r#"{{"fullSize":4,"entries":[{good},{good},{good},null]}}"#),
            "result.entries[3]: expected a document",
        ),
        (
            format!(r#"{{"fullSize":2,"entries":[{good},{{"docRef":7}}]}}"#),
            "result.entries[1].docRef",
        ),
        (
            format!(r#"{{"fullSize":2,"entries":[{good},{{}}]}}"#),
            "result.entries[1].docRef",
        ),
    ] {
        let sentence = odd.list(&result).await.unwrap_err().sentence();
        assert!(sentence.contains(expected), "{sentence} / {expected}");
    }
}

#[tokio::test]
async fn facets_may_be_missing_but_not_odd() {
    let odd = Odd::start().await;
    let list = r#""result":{"fullSize":0,"entries":[]}"#;
    for (map, expected) in [
        (String::new(), Ok(vec![])),
        (r#","filterItemMap":null"#.to_owned(), Ok(vec![])),
        (
            r#","filterItemMap":{"b":["x",1.50,null,{"v":1}],"a":null}"#.to_owned(),
            Ok(vec![
                (
                    "b".to_owned(),
                    vec![
                        "x".to_owned(),
                        "1.50".into(),
                        "null".into(),
                        "{\"v\":1}".into(),
                    ],
                ),
                ("a".to_owned(), vec![]),
            ]),
        ),
        (
            r#","filterItemMap":[]"#.to_owned(),
            Err("result.filterItemMap: expected an object"),
        ),
        (
            r#","filterItemMap":{"b":1}"#.to_owned(),
            Err("result.filterItemMap[\"b\"]: expected an array, got 1"),
        ),
    ] {
        odd.say(
            200,
            format!(r#"{{"id":"ID","result":{{{list}{map}}}}}"#).as_bytes(),
        );
        match (
            odd.reader.list_test_runs(PAGE, &[], &no_filter()).await,
            expected,
        ) {
            (Ok(found), Ok(facets)) => assert_eq!(found.facets, Some(facets)),
            (Err(error), Err(words)) => assert!(error.sentence().contains(words), "{error}"),
            (got, expected) => panic!("{got:?} / {expected:?}"),
        }
    }
    odd.say(
        200,
        br#"{"id":"ID","result":{"result":{"fullSize":0,"entries":[7]}}}"#,
    );
    let error = odd
        .reader
        .list_test_runs(PAGE, &[], &no_filter())
        .await
        .unwrap_err();
    assert!(
        error.sentence().contains("result.result.entries[0]"),
        "{error}"
    );
}

#[tokio::test]
async fn null_is_an_answer_and_nothing_is_not() {
    let odd = Odd::start().await;
    let whole = json!({"Root": {}, "__meta": {}});
    odd.say(200, br#"{"id":"ID","result":null}"#);
    odd.writer
        .modify_document(&run(), &whole, "en")
        .await
        .unwrap();
    odd.writer
        .delete_test_suites_from_run(&run(), &[suite()])
        .await
        .unwrap();
    odd.say(200, br#"{"id":"ID","result":[{},7]}"#);
    let error = odd
        .writer
        .add_test_suites_to_run(&run(), &[suite()])
        .await
        .unwrap_err();
    assert!(
        error
            .sentence()
            .contains("result[1]: expected an object, got 7"),
        "{error}"
    );
    odd.say(200, br#"{"id":"ID"}"#);
    for error in [
        odd.writer
            .modify_document(&run(), &whole, "en")
            .await
            .unwrap_err(),
        odd.writer
            .delete_test_suites_from_run(&run(), &[suite()])
            .await
            .unwrap_err(),
    ] {
        assert!(
            error.sentence().contains("neither result nor error"),
            "{error}"
        );
        assert!(error.outcome_unknown());
    }
}

#[tokio::test]
async fn whether_a_write_was_acted_on() {
    let odd = Odd::start().await;
    let cases: &[(u16, &str, Acted)] = &[
        (
            200,
            r#"{"id":"ID","error":{"code":-32036,"message":"not empty"}}"#,
            Acted::Denied,
        ),
        (500, r#"{"id":"ID","error":{"code":-32007}}"#, Acted::Denied),
        (200, r#"{"id":"ID","error":"not empty"}"#, Acted::Denied),
        (
            200,
            r#"{"id":"ID","error":{"code":-32600}}"#,
            Acted::Refused,
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":-32601}}"#,
            Acted::Refused,
        ),
        (
            200,
            r#"{"id":"ID","error":{"code":-32602}}"#,
            Acted::Refused,
        ),
        (400, "bad", Acted::Denied),
        (401, "", Acted::Denied),
        (404, "", Acted::Refused),
        (302, "", Acted::Denied),
        (408, "", Acted::Lost),
        (500, "boom", Acted::Lost),
        (
            504,
            r#"{"error":{"code":504,"message":"upstream timed out"}}"#,
            Acted::Lost,
        ),
        (
            503,
            r#"{"error":{"code":503,"message":"busy"}}"#,
            Acted::Lost,
        ),
        (
            502,
            r#"{"error":{"code":502,"message":"no upstream"}}"#,
            Acted::Lost,
        ),
        (500, r#"{"error":"Internal Server Error"}"#, Acted::Lost),
        (200, "<html>", Acted::Lost),
        (200, r#"{"id":"other","result":true}"#, Acted::Lost),
        (200, r#"{"id":"ID","result":7}"#, Acted::Lost),
    ];
    for (status, body, acted) in cases {
        odd.say(*status, body.as_bytes());
        let error = odd.writer.delete_test_run(&run()).await.unwrap_err();
        assert_eq!(error.acted(), *acted, "{status} {body}");
        let unknown = matches!(acted, Acted::Denied | Acted::Lost);
        assert_eq!(error.outcome_unknown(), unknown, "{status} {body}");
        assert!(!(error.outcome_unknown() && error.may_retry()));
        // One that is busy says nothing of what was asked.
        let is_busy = (502..=504).contains(status);
        let refuses = Failure::from(&error).kind == FailureKind::Refused;
        assert!(!(is_busy && refuses), "{status} {body}");
    }
    assert_eq!(odd.server.calls().len(), cases.len(), "each is sent once");
}

#[tokio::test]
async fn a_token_that_is_echoed_is_not_shown() {
    let odd = Odd::start().await;
    for (status, body) in [
        (200, r#"{"id":"ID","error":{"code":"TOKEN","message":"TOKEN","data":{"title":"TOKEN","logId":"TOKEN","x":["TOKEN"]}}}"#.to_owned()),
        (500, "Authorization: Bearer TOKEN".into()),
        (401, "Authorization: Bearer TOKEN".into()),
        // Cut in the middle of the token by the length of an excerpt.
        (500, format!("{}TOKEN", "x".repeat(190))),
        (200, format!("{}TOKEN", "x".repeat(190))),
        (200, r#"{"id":"TOKEN","result":true}"#.into()),
        (200, r#"{"id":"ID","error":{"message":"ESCAPED"}}"#.into()),
        (500, r#"{"sent":"ESCAPED"}"#.into()),
        (401, r#"{"sent":"ESCAPED"}"#.into()),
    ] {
        let error = odd.ask(status, body.as_bytes()).await.unwrap_err();
        let shown = format!("{error:?} {error} {} {}", error.cause(), error.remedy());
        assert!(!shown.contains("canary") && shown.contains("(hidden)") || shown.contains("xxxx…"), "{shown}");
        lacks(&shown, "canary");
        lacks(&shown, "u0063");
    }
}

fn json_value() -> impl Strategy<Value = Value> {
    let keys = "(id|result|error|code|message|data|title|logId|entries|fullSize|docRef|filterItemMap|page|[a-z]{0,3})";
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        Just(json!("ID")),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((keys, inner), 0..6)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// Whatever comes, every call ends in a value or a one-line error.
async fn all_calls_end(odd: &Odd) {
    let calls = [
        odd.reader.get_document(&run()).await.err(),
        odd.reader
            .list_documents(PAGE, &[], &no_filter())
            .await
            .err(),
        odd.reader
            .list_test_runs(PAGE, &[], &no_filter())
            .await
            .err(),
        odd.writer
            .add_test_suites_to_run(&run(), &[suite()])
            .await
            .err(),
        odd.writer
            .add_document(&rundown::domain::NewRun::default(), "en")
            .await
            .err(),
    ];
    for error in calls.into_iter().flatten() {
        let sentence = error.sentence();
        assert!(!sentence.chars().any(char::is_control), "{sentence:?}");
        assert!(sentence.chars().count() < 2_500, "{sentence}");
    }
}

#[test]
fn any_answer_ends_in_a_value_or_an_error() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .unwrap();
    let odd = runtime.block_on(Odd::start());
    let status = prop::sample::select(vec![200_u16, 201, 400, 403, 404, 500, 503]);
    let envelope = json_value().prop_map(|value| match value {
        Value::Object(mut members) => {
            members.insert("id".into(), json!("ID"));
            Value::Object(members)
        }
        other => json!({"id": "ID", "result": other}),
    });
    let body = prop_oneof![
        envelope.prop_map(|value| value.to_string().into_bytes()),
        json_value().prop_map(|value| value.to_string().into_bytes()),
        prop::collection::vec(any::<u8>(), 0..200),
    ];
    let mut runner = proptest::test_runner::TestRunner::new(ProptestConfig::with_cases(200));
    runner
        .run(&(status, body), |(status, body)| {
            odd.say(status, &body);
            runtime.block_on(all_calls_end(&odd));
            Ok(())
        })
        .unwrap();
}

#[tokio::test]
async fn no_operation_is_sent_about_a_reference_that_acts() {
    let odd = Odd::start().await;
    let (good_run, good_suite) = (run(), suite());
    for c in ['\u{1b}', '\u{9b}', '\u{200b}', '\u{202e}', '\u{e0041}'] {
        let named = |model: &str| DocRef::parse(&format!("{model}/1{c}")).unwrap();
        let (bad_run, bad_suite) = (named("TestRun-dm"), named("TestSuite-dm"));
        let whole = json!({"Root": {}, "__meta": {}});
        let told = [
            odd.reader.get_document(&bad_run).await.err(),
            odd.reader.check_test_run_empty(&bad_run).await.err(),
            odd.reader
                .get_available_test_suites(&bad_run, PAGE, &[], &no_filter())
                .await
                .err(),
            odd.writer
                .modify_document(&bad_run, &whole, "en")
                .await
                .err(),
            odd.writer.delete_test_run(&bad_run).await.err(),
            odd.writer
                .add_test_suites_to_run(&bad_run, std::slice::from_ref(&good_suite))
                .await
                .err(),
            odd.writer
                .add_test_suites_to_run(&good_run, &[good_suite.clone(), bad_suite.clone()])
                .await
                .err(),
            odd.writer
                .delete_test_suites_from_run(&good_run, &[bad_suite])
                .await
                .err(),
        ];
        for error in told {
            let error = error.unwrap();
            let why = format!("holds U+{:04X}", u32::from(c));
            assert!(error.cause().starts_with("not sent: "), "{error:?}");
            assert!(error.cause().contains(&why), "{error:?}");
            assert!(!error.outcome_unknown() && !error.may_retry(), "{error:?}");
        }
    }
    assert!(odd.server.calls().is_empty());
}
