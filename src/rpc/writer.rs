//! The operations that change something (interface section 4.3). Each is sent once; a missing answer is no reason to
//! send it again, see [`CallError::outcome_unknown`].

use serde_json::Value;

use super::bounds::Expected;
use super::decode::{self, Fault, unfit};
use super::prepared::{PreparedCall, WRITES};
use super::{CallError, CallErrorKind, Reader};
use crate::domain::{DocRef, WriteRequest, method};

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

    /// Creates a run and returns its reference.
    pub async fn create(&self, request: &WriteRequest) -> Result<DocRef, CallError> {
        let call = prepared(request, "creating the run", Expected::Word);
        self.reader.call(call, created).await
    }

    /// Replaces a run by the document of the request, which must be complete: `Root` and `__meta`. The service does not
    /// detect changes in between.
    pub async fn save(&self, request: &WriteRequest) -> Result<(), CallError> {
        let call = prepared(request, "saving the run", Expected::Document);
        let mut parts = ["Root", "__meta"].into_iter();
        if let Some(name) = parts.find(|name| !call.params["document"][*name].is_object()) {
            let why = format!("the document has no {name}, so it is not the whole one");
            return Err(CallError {
                asked: call.asked,
                kind: CallErrorKind::NotSent(why),
            });
        }
        self.reader.call(call, |_| Ok(())).await
    }

    /// Deletes an empty run and returns the answer of the service.
    pub async fn delete(&self, request: &WriteRequest) -> Result<bool, CallError> {
        let call = prepared(request, "deleting the run", Expected::Word);
        self.reader
            .call(call, |value| decode::boolean(&value))
            .await
    }

    /// Adds suites to an open run and returns the link records (2.6), or removes suites from it and returns null.
    pub async fn change_suites(&self, request: &WriteRequest) -> Result<Value, CallError> {
        if request.method == method::REMOVE_SUITES {
            let call = prepared(request, "removing suites", Expected::Document);
            return self.reader.call(call, |_| Ok(Value::Null)).await;
        }
        let suites = request.params["testSuiteDocRefs"].as_array();
        let entries = suites.and_then(|suites| u32::try_from(suites.len()).ok());
        let expected = Expected::List(entries.unwrap_or(u32::MAX));
        let call = prepared(request, "adding suites", expected);
        self.reader.call(call, links).await
    }
}

fn prepared(request: &WriteRequest, doing: &'static str, expected: Expected) -> PreparedCall {
    let asked = (request.method, doing);
    let (about, params) = (request.about.clone(), request.params.clone());
    PreparedCall::new(WRITES, asked, about, params, expected)
}

/// Reads the `docRef` of the new document.
fn created(result: Value) -> Result<DocRef, Fault> {
    Ok(decode::document("result", result)?.doc_ref().clone())
}

/// Checks that the result is link records (2.6).
fn links(result: Value) -> Result<Value, Fault> {
    let Value::Array(list) = &result else {
        return Err(unfit("result", "an array", &result));
    };
    match (0..).zip(list).find(|(_, value)| !value.is_object()) {
        Some((at, odd)) => Err(unfit(&format!("result[{at}]"), "an object", odd)),
        None => Ok(result),
    }
}
