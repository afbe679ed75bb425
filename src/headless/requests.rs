//! Output of `--dry-run`: the requests that would be sent.

use super::prelude::*;
use crate::domain::WriteRequest;

/// Prints requests in order, one per line or in one object; `run` is their subject.
pub fn show(run: Option<&RunRow>, requests: &[WriteRequest], format: ChangeFormat) -> Ran {
    print(&match format {
        ChangeFormat::Text => requests
            .iter()
            .map(|request| json::line("request", json!(request)))
            .collect(),
        ChangeFormat::Json => {
            let members = json!({"run": run.map(names), "requests": requests});
            json::pretty("requests", members)
        }
    })
}
