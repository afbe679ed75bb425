//! Output of `--dry-run`: the requests that would be sent.

use super::prelude::*;

pub fn request(method: &str, params: &Value) -> Value {
    json!({"method": method, "params": params})
}

/// Prints requests in order, one per line or in one object; `run` is their subject.
pub fn show(run: Option<&RunRow>, requests: Vec<Value>, format: ChangeFormat) -> Ran {
    print(&match format {
        ChangeFormat::Text => requests
            .into_iter()
            .map(|request| json::line("request", request))
            .collect(),
        ChangeFormat::Json => {
            let members = json!({"run": run.map(names), "requests": requests});
            json::pretty("requests", members)
        }
    })
}
