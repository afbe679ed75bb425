//! Every request is the recorded one, member by member, and every recorded answer is read.

use super::support;
use crate::support::prelude::*;
use rundown::auth::SignInState;
use rundown::domain::{NewRun, Sort, texts_of_new};
use rundown::rpc::Writer;
use support::scripted::tokens;
use support::{PAGE, PASSWORD, SECRET, fixture, no_filter, run, signed_in, suite};

/// Answers each call with the recorded answer of its method.
fn recorded(seen: &Seen, _: usize) -> Say {
    let mut answer = fixture(&format!("{}.response", seen.method().to_lowercase()));
    answer["id"] = seen.id().into();
    Say::json(200, &answer)
}

/// The last call is the recorded one, in the same order of members, with the documented headers.
fn assert_sent(server: &Scripted, name: &str) {
    let seen = server.calls().pop().unwrap();
    let mut expected = fixture(&format!("{name}.request"));
    expected["id"] = seen.id().into();
    // The language is left out: what it does is not documented.
    if let Some(filter) = expected.pointer_mut("/params/filter") {
        filter.as_object_mut().unwrap().remove("lang");
    }
    assert_eq!(
        String::from_utf8_lossy(&seen.body),
        expected.to_string(),
        "{name}"
    );
    assert_eq!(seen.path, "/api/v2/rpc");
    let header = |name: &str| {
        seen.headers
            .get(name)
            .map(|value| value.to_str().unwrap().to_owned())
    };
    assert_eq!(header("content-type").as_deref(), Some("application/json"));
    assert_eq!(header("project-id").as_deref(), Some("P_9"));
    assert_eq!(header("subproject-id").as_deref(), Some("SP_1"));
    assert_eq!(
        header("authorization").as_deref(),
        Some("Bearer canary-access-0")
    );
    begins(&header("user-agent").unwrap(), "rundown/");
}

fn sorts() -> Vec<Sort> {
    let by = |path: &str, descending| Sort {
        path: path.into(),
        descending,
    };
    vec![
        by("Root.General.Title", false),
        by("Root.Metadata.EditedOn", true),
    ]
}

fn filter() -> Filter {
    Filter {
        filters: vec!["Root.General.Status:active".into()],
        fulltext: "hand-over".into(),
    }
}

#[tokio::test]
async fn reading_calls_are_the_recorded_ones() {
    let server = Scripted::service(recorded).await;
    let (_, reader) = signed_in(&server.base).await;

    let document = reader.get_document(&run()).await.unwrap();
    assert_sent(&server, "get_document");
    assert_eq!(document.raw(), &fixture("get_document.response")["result"]);
    assert_eq!(RunRow::from_document(&document).status, Status::Inactive);

    let list = reader
        .list_documents(PAGE, &sorts(), &filter())
        .await
        .unwrap();
    assert_sent(&server, "list_documents");
    assert_eq!((list.full_size, list.rows.len()), (137, 1));

    reader
        .list_documents(PAGE, &[], &no_filter())
        .await
        .unwrap();
    assert_sent(&server, "list_documents_bare");

    let runs = reader
        .list_test_runs(PAGE, &sorts(), &filter())
        .await
        .unwrap();
    assert_sent(&server, "list_test_runs");
    let row = RunRow::from_document(&runs.rows[0]);
    assert_eq!((row.suite_count, row.progress), (Some(3), Some(64)));
    assert_eq!(row.results.unwrap().get(ResultCode::FailedNew), 9);
    let both: Vec<String> = vec!["active".into(), "inactive".into()];
    assert_eq!(
        runs.facets.unwrap()[0],
        ("Root.General.Status".to_owned(), both)
    );

    assert!(!reader.check_test_run_empty(&run()).await.unwrap());
    assert_sent(&server, "check_test_run_empty");

    let suites = reader
        .get_available_test_suites(&run(), PAGE, &sorts(), &filter())
        .await
        .unwrap();
    assert_sent(&server, "get_available_test_suites");
    assert_eq!(
        suites.rows[0].integer("Root.DisplayFields.TotalTestCases"),
        Some(34)
    );
}

#[tokio::test]
async fn writing_calls_are_the_recorded_ones() {
    let server = Scripted::service(recorded).await;
    let (_, reader) = signed_in(&server.base).await;
    let writer = Writer::new(reader);

    let new = NewRun::of_texts(&texts_of_new("P_9", Some("SP_1"), Some("1.4.0")))
        .with(RunField::Title, "Übergabe, second round")
        .with(RunField::Configuration, "Firefox, Linux")
        .with(RunField::Description, "Smoke test before the hand-over.");
    assert_eq!(writer.add_document(&new, "en").await.unwrap(), run());
    assert_sent(&server, "add_document");

    let whole = fixture("modify_document.request")["params"]["document"].clone();
    writer.modify_document(&run(), &whole, "en").await.unwrap();
    assert_sent(&server, "modify_document");

    assert!(writer.delete_test_run(&run()).await.unwrap());
    assert_sent(&server, "delete_test_run");

    let links = writer
        .add_test_suites_to_run(&run(), &[suite()])
        .await
        .unwrap();
    assert_sent(&server, "add_test_suites_to_run");
    let named = rundown::domain::linked(&links[0]);
    assert!(named.into_iter().any(|named| named == suite().as_str()));

    writer
        .delete_test_suites_from_run(&run(), &[suite()])
        .await
        .unwrap();
    assert_sent(&server, "delete_test_suites_from_run");

    let ids: std::collections::HashSet<String> = server.calls().iter().map(Seen::id).collect();
    assert_eq!(ids.len(), 5, "an id is used once");
}

#[tokio::test]
async fn a_document_that_is_not_whole_is_not_sent() {
    let server = Scripted::service(recorded).await;
    let writer = Writer::new(signed_in(&server.base).await.1);
    for part in [
        json!({"Root": {}}),
        json!({"__meta": {}}),
        json!([]),
        Value::Null,
    ] {
        let error = writer
            .modify_document(&run(), &part, "en")
            .await
            .unwrap_err();
        assert!(!error.outcome_unknown() && !error.may_retry(), "{error}");
    }
    assert_eq!(server.calls().len(), 0);
}

#[tokio::test]
async fn a_document_comes_back_to_the_last_digit() {
    let text = r#"{"Root":{"zz":1.100000000000000000001,"a":123456789012345678901234567890,"General":{}},"__meta":{"b":null}}"#;
    let server = Scripted::service(move |seen, _| {
        let document = format!(r#"{{"docRef":"TestRun-dm/1","document":{text},"odd":1e400}}"#);
        if seen.method() == "GET_DOCUMENT" {
            Say::bytes(
                200,
                format!(r#"{{"id":"{}","result":{document}}}"#, seen.id()),
            )
        } else {
            Say::result(seen, &Value::Null)
        }
    })
    .await;
    let (_, reader) = signed_in(&server.base).await;
    let document: Document = reader
        .get_document(&DocRef::parse("TestRun-dm/1").unwrap())
        .await
        .unwrap();
    let whole = &document.raw()["document"];
    Writer::new(reader)
        .modify_document(&run(), whole, "en")
        .await
        .unwrap();
    let sent = String::from_utf8(server.calls().pop().unwrap().body).unwrap();
    says(&sent, text);
}

#[tokio::test]
async fn no_subproject_means_no_header() {
    let server = Scripted::service(recorded).await;
    let (_, reader) = signed_in(&server.base).await;
    for (subproject, expected) in [(None, false), (Some("_"), false), (Some("SP_7"), true)] {
        reader
            .with_project("P_1", subproject)
            .get_document(&run())
            .await
            .unwrap();
        let seen = server.calls().pop().unwrap();
        assert_eq!(seen.headers["project-id"], "P_1");
        assert_eq!(
            seen.headers.contains_key("subproject-id"),
            expected,
            "{subproject:?}"
        );
    }
    let error = reader
        .with_project("P\n1", None)
        .get_document(&run())
        .await
        .unwrap_err();
    assert!(error.sentence().contains("project_id"), "{error}");
}

#[tokio::test]
async fn token_requests_are_the_recorded_ones() {
    let server = Scripted::start(|seen, before| {
        if seen.is_token() {
            tokens(before, 3600)
        } else {
            recorded(seen, before)
        }
    })
    .await;
    let (source, _) = signed_in(&server.base).await;
    let bearer = source.bearer().await.unwrap();
    source.renew(&bearer).await.unwrap();
    let put = [
        ("<CLIENT_SECRET>", SECRET),
        ("<PASSWORD>", PASSWORD),
        ("<REFRESH_TOKEN>", "canary-refresh-0"),
    ];
    for (seen, name) in server
        .token_requests()
        .iter()
        .zip(["token_password", "token_refresh"])
    {
        let expected = fixture(&format!("{name}.request"));
        let form = expected.as_object().unwrap().iter().map(|(key, value)| {
            let value = value.as_str().unwrap();
            let value = put
                .iter()
                .find(|(mark, _)| *mark == value)
                .map_or(value, |(_, real)| real);
            (key.clone(), value.to_owned())
        });
        assert_eq!(seen.form(), form.collect(), "{name}");
        assert_eq!(seen.path, "/realms/tests/protocol/openid-connect/token");
        assert_eq!(
            seen.headers["content-type"],
            "application/x-www-form-urlencoded"
        );
        assert!(!seen.headers.contains_key("authorization"));
    }
}

#[tokio::test]
async fn the_recorded_token_answer_is_read() {
    let server = Scripted::start(|_, _| Say::json(200, &fixture("token.response"))).await;
    let (source, _) = signed_in(&server.base).await;
    let SignInState::SignedIn { user } = source.state().borrow().clone() else {
        panic!("not signed in")
    };
    assert_eq!(user, "ada");
}
