//! The JSON-RPC envelope (4.1): one call per request, answered with status 200 even when it fails.

use super::app::App;
use super::operations::{self, Caller, Method};
use super::prelude::*;

/// A valid envelope; unknown members are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "version and id only have to be sound")]
struct Call {
    jsonrpc: Version,
    id: String,
    method: String,
    params: Value,
}

#[derive(Deserialize)]
enum Version {
    #[serde(rename = "2.0")]
    Two,
}

/// Response body for a request body.
pub fn answer(app: &App, caller: &Caller, body: &[u8]) -> Vec<u8> {
    let (id, outcome) = match serde_json::from_slice::<Value>(body) {
        Err(error) => (None, Err(Fault::parse(error.to_string()))),
        Ok(envelope) => {
            let id = envelope
                .get("id")
                .and_then(Value::as_str)
                .map(str::to_owned);
            (id, call(envelope).and_then(|call| run(app, caller, call)))
        }
    };
    let (key, value) = match outcome {
        Ok(result) => ("result", result),
        Err(fault) => ("error", fault.to_json(&log_id())),
    };
    let response = object([("jsonrpc", json!("2.0")), ("id", json!(id)), (key, value)]);
    response.to_string().into_bytes()
}

/// Id of a failure for the log and the caller.
fn log_id() -> String {
    ids::fresh().unwrap_or_default().to_string()
}

fn call(envelope: Value) -> Result<Call, Fault> {
    if !envelope.is_object() {
        return Err(Fault::invalid_request("The body must be one object."));
    }
    serde_json::from_value(envelope).map_err(|error| Fault::invalid_request(error.to_string()))
}

fn run(app: &App, caller: &Caller, call: Call) -> Result<Value, Fault> {
    let method = serde_json::from_value(json!(call.method))
        .ok()
        .filter(|method| !(app.rules.without_list_test_runs && *method == Method::ListTestRuns))
        .ok_or_else(|| {
            Fault::unknown_method(format!("There is no operation {:?}.", call.method))
        })?;
    operations::run(&app.database, app.rules, caller, method, call.params)
}
