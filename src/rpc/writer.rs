//! The operations that change something (interface section 4.3). Each is sent once; no answer is a reason to send it
//! again, see [`CallError::outcome_unknown`].

use serde_json::{Map, Value};

use super::bounds::Expected;
use super::channel::{Channel, PreparedCall};
use super::decode::{self, Fault, missing, unfit};
use super::reader::one;
use super::{CallError, CallErrorKind, MethodCall, Reader};
use crate::domain::{DocRef, NewRun, excerpt, modify_params};

/// Writes to the service: the one type that can.
#[derive(Clone, Debug)]
pub struct Writer {
    reader: Reader,
}

impl Writer {
    /// A writer that uses the connection, tokens and project of `reader`.
    pub fn new(reader: Reader) -> Self {
        Self { reader }
    }

    /// The reader it was made from.
    pub fn reader(&self) -> &Reader {
        &self.reader
    }

    /// `ADD_DOCUMENT`: creates a run and answers its reference.
    pub async fn add_document(&self, run: &NewRun, locale: &str) -> Result<DocRef, CallError> {
        let params = object(run.params(locale));
        let about = format!("\"{}\"", excerpt(run.title(), 80));
        self.channel()
            .call(
                write(
                    "ADD_DOCUMENT",
                    "creating the run",
                    about,
                    params,
                    Expected::Word,
                ),
                |value| created(&value),
            )
            .await
    }

    /// `MODIFY_DOCUMENT`: replaces a run by `document`, which has to be whole: `Root` and `__meta`. The service checks
    /// for no change made meanwhile.
    pub async fn modify_document(
        &self,
        run: &DocRef,
        document: &Value,
        locale: &str,
    ) -> Result<(), CallError> {
        let params = object(modify_params(run, document, locale));
        let call = write(
            "MODIFY_DOCUMENT",
            "saving the run",
            run.to_string(),
            params,
            Expected::Document,
        );
        if let Some(name) = ["Root", "__meta"]
            .into_iter()
            .find(|name| !document[*name].is_object())
        {
            let kind = CallErrorKind::NotSent(format!(
                "the document has no {name}, so it is not the whole one"
            ));
            return Err(CallError {
                asked: call.asked,
                kind,
            });
        }
        self.channel().call(call, |_| Ok(())).await
    }

    /// `DELETE_TEST_RUN`: deletes an empty run; what the service answers.
    pub async fn delete_test_run(&self, run: &DocRef) -> Result<bool, CallError> {
        let call = write(
            "DELETE_TEST_RUN",
            "deleting the run",
            run.to_string(),
            one("testRunDocRef", run),
            Expected::Word,
        );
        self.channel()
            .call(call, |value| decode::boolean(&value))
            .await
    }

    /// `ADD_TEST_SUITES_TO_RUN`: adds suites to an open run.
    pub async fn add_test_suites_to_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<Vec<Value>, CallError> {
        let call = write(
            "ADD_TEST_SUITES_TO_RUN",
            "adding suites",
            run_and_suites(run, suites),
            with_suites(run, suites),
            Expected::List(u32::try_from(suites.len()).unwrap_or(u32::MAX)),
        );
        self.channel().call(call, |value| links(&value)).await
    }

    /// `DELETE_TEST_SUITES_FROM_RUN`: takes suites out of an open run.
    pub async fn delete_test_suites_from_run(
        &self,
        run: &DocRef,
        suites: &[DocRef],
    ) -> Result<(), CallError> {
        let call = write(
            "DELETE_TEST_SUITES_FROM_RUN",
            "removing suites",
            run_and_suites(run, suites),
            with_suites(run, suites),
            Expected::Document,
        );
        self.channel().call(call, |_| Ok(())).await
    }

    fn channel(&self) -> &Channel {
        &self.reader.channel
    }
}

/// The `docRef` of what was created.
fn created(result: &Value) -> Result<DocRef, Fault> {
    let Some(members) = result.as_object() else {
        return Err(unfit("result", "an object", result));
    };
    let value = members
        .get("docRef")
        .ok_or_else(|| missing("result.docRef"))?;
    let text = value
        .as_str()
        .ok_or_else(|| unfit("result.docRef", "a string", value))?;
    DocRef::parse(text)
        .map_err(|error| format!("result.docRef: {}", excerpt(&error.to_string(), 200)))
}

/// Link records (2.6).
fn links(result: &Value) -> Result<Vec<Value>, Fault> {
    let list = result
        .as_array()
        .ok_or_else(|| unfit("result", "an array", result))?;
    list.iter()
        .enumerate()
        .map(|(at, value)| match value {
            Value::Object(_) => Ok(value.clone()),
            other => Err(unfit(&format!("result[{at}]"), "an object", other)),
        })
        .collect()
}

fn write(
    method: &'static str,
    doing: &'static str,
    about: String,
    params: Map<String, Value>,
    expected: Expected,
) -> PreparedCall {
    let asked = MethodCall {
        method,
        doing,
        about,
        writes: true,
    };
    PreparedCall {
        asked,
        params,
        expected,
    }
}

fn with_suites(run: &DocRef, suites: &[DocRef]) -> Map<String, Value> {
    let mut params = one("testRunDocRef", run);
    params.insert(
        "testSuiteDocRefs".into(),
        suites.iter().map(DocRef::as_str).collect(),
    );
    params
}

fn run_and_suites(run: &DocRef, suites: &[DocRef]) -> String {
    match suites {
        [suite] => format!("{run}, {suite}"),
        suites => format!("{run}, {} suites", suites.len()),
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
