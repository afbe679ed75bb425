//! The JSON-RPC envelope (4.1): one call per request, answered with status 200 even when it fails.

use serde_json::{Map, Value, json};

use super::app::App;
use super::fault::Fault;
use super::ids;
use super::json::object;
use super::operations::{self, Caller, Method};

/// A request whose envelope is sound.
struct Call {
    method: String,
    params: Value,
}

/// The response body for a request body.
pub fn answer(app: &App, caller: &Caller, body: &[u8]) -> Vec<u8> {
    let (id, outcome) = match serde_json::from_slice::<Value>(body) {
        Err(error) => (None, Err(Fault::parse(error.to_string()))),
        Ok(Value::Object(envelope)) => {
            let id = envelope
                .get("id")
                .and_then(Value::as_str)
                .map(str::to_owned);
            (id, call(envelope).and_then(|call| run(app, caller, call)))
        }
        Ok(Value::Array(_)) => (
            None,
            Err(Fault::invalid_request(
                "Several calls in one request are not offered.",
            )),
        ),
        Ok(_) => (
            None,
            Err(Fault::invalid_request("The body must be an object.")),
        ),
    };
    let (key, value) = match outcome {
        Ok(result) => ("result", result),
        Err(fault) => ("error", fault.to_json(&log_id())),
    };
    let response = object([("jsonrpc", json!("2.0")), ("id", json!(id)), (key, value)]);
    response.to_string().into_bytes()
}

/// Names the failure in the log and to the caller.
fn log_id() -> String {
    ids::fresh().unwrap_or_default().to_string()
}

/// Checks the envelope, member by member.
fn call(mut envelope: Map<String, Value>) -> Result<Call, Fault> {
    if envelope.remove("jsonrpc") != Some(json!("2.0")) {
        return Err(Fault::invalid_request("\"jsonrpc\" must be \"2.0\"."));
    }
    if !matches!(envelope.remove("id"), Some(Value::String(_))) {
        return Err(Fault::invalid_request("\"id\" must be a string."));
    }
    let Some(Value::String(method)) = envelope.remove("method") else {
        return Err(Fault::invalid_request("\"method\" must be a string."));
    };
    let params = envelope
        .remove("params")
        .ok_or_else(|| Fault::invalid_request("\"params\" is missing."))?;
    match envelope.keys().next() {
        None => Ok(Call { method, params }),
        Some(name) => Err(Fault::invalid_request(format!(
            "The envelope has no member \"{name}\"."
        ))),
    }
}

fn run(app: &App, caller: &Caller, call: Call) -> Result<Value, Fault> {
    let method = Method::parse(&call.method)
        .filter(|method| !(app.rules.without_list_test_runs && *method == Method::ListTestRuns))
        .ok_or_else(|| {
            Fault::unknown_method(format!("There is no operation {:?}.", call.method))
        })?;
    operations::run(&app.database, app.rules, caller, method, call.params)
}
