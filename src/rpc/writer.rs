//! The operations that change something (interface section 4.3). Each is sent once; a missing answer is no reason to
//! send it again, see [`CallError::outcome_unknown`].

use serde_json::{Value, json};

use super::bounds::Expected;
use super::decode::{self, Fault, unfit};
use super::prepared::{PreparedCall, WRITES};
use super::{CallError, CallErrorKind, Reader};
use crate::domain::{DocRef, NewRun, excerpt, modify_params};

/// Writes to the service; the only type that can.
#[derive(Clone, Debug)]
pub struct Writer {
    reader: Reader,
}

impl Writer {
    /// Creates a writer that uses the connection, tokens and project of `reader`.
    pub fn new(reader: Reader) -> Self {
        Self { reader }
    }

    /// The reader of this writer.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// `ADD_DOCUMENT`: creates a run and returns its reference.
    pub async fn add_document(&self, run: &NewRun, locale: &str) -> Result<DocRef, CallError> {
        let call = PreparedCall::new(
            WRITES,
            ("ADD_DOCUMENT", "creating the run"),
            format!("\"{}\"", excerpt(run.title(), 80)),
            run.params(locale),
            Expected::Word,
        );
        self.reader.call(call, created).await
    }

    /// `MODIFY_DOCUMENT`: replaces a run by `document`, which must be complete: `Root` and `__meta`. The service does
    /// not detect changes in between.
    pub async fn modify_document(
        &self,
        run: &DocRef,
        document: &Value,
        locale: &str,
    ) -> Result<(), CallError> {
        let call = PreparedCall::new(
            WRITES,
            ("MODIFY_DOCUMENT", "saving the run"),
            run.to_string(),
            modify_params(run, document, locale),
            Expected::Document,
        );
        let mut parts = ["Root", "__meta"].into_iter();
        if let Some(name) = parts.find(|name| !document[*name].is_object()) {
            let why = format!("the document has no {name}, so it is not the whole one");
            return Err(CallError {
                asked: call.asked,
                kind: CallErrorKind::NotSent(why),
            });
        }
        self.reader.call(call, |_| Ok(())).await
    }

    /// `DELETE_TEST_RUN`: deletes an empty run and returns the answer of the service.
    pub async fn delete_test_run(&self, run: &DocRef) -> Result<bool, CallError> {
        let call = PreparedCall::new(
            WRITES,
            ("DELETE_TEST_RUN", "deleting the run"),
            run.to_string(),
            json!({"testRunDocRef": run}),
            Expected::Word,
        );
        self.reader
            .call(call, |value| decode::boolean(&value))
            .await
    }

    /// `ADD_TEST_SUITES_TO_RUN`: adds suites to an open run.
    pub async fn add_test_suites_to_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<Vec<Value>, CallError> {
        let entries = u32::try_from(suites.len()).unwrap_or(u32::MAX);
        let call = of_suites(
            ("ADD_TEST_SUITES_TO_RUN", "adding suites"),
            run,
            suites,
            Expected::List(entries),
        );
        self.reader.call(call, links).await
    }

    /// `DELETE_TEST_SUITES_FROM_RUN`: removes suites from an open run.
    pub async fn delete_test_suites_from_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<(), CallError> {
        let call = of_suites(
            ("DELETE_TEST_SUITES_FROM_RUN", "removing suites"),
            run,
            suites,
            Expected::Document,
        );
        self.reader.call(call, |_| Ok(())).await
    }
}

/// Prepares a call about suites of a run.
fn of_suites(
    asked: (&'static str, &'static str),
    run: &DocRef,
    suites: &[DocRef],
    expected: Expected,
) -> PreparedCall {
    let about = match suites {
        [suite] => format!("{run}, {suite}"),
        suites => format!("{run}, {} suites", suites.len()),
    };
    let params = json!({"testRunDocRef": run, "testSuiteDocRefs": suites});
    PreparedCall::new(WRITES, asked, about, params, expected)
}

/// Reads the `docRef` of the new document.
fn created(result: Value) -> Result<DocRef, Fault> {
    Ok(decode::document("result", result)?.doc_ref().clone())
}

/// Reads link records (2.6).
fn links(result: Value) -> Result<Vec<Value>, Fault> {
    let Value::Array(list) = result else {
        return Err(unfit("result", "an array", &result));
    };
    match (0..).zip(&list).find(|(_, value)| !value.is_object()) {
        Some((at, odd)) => Err(unfit(&format!("result[{at}]"), "an object", odd)),
        None => Ok(list),
    }
}
