//! Failures reported to the caller as JSON-RPC error objects.
//!
//! The interface document has no errors (7); codes and `data` follow the platform below the service.

use serde_json::{Value, json};

use super::time;

/// A failed call: code, short message and a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// JSON-RPC code.
    pub code: i64,
    /// Short English name of the failure.
    pub message: &'static str,
    /// Detailed reason.
    pub description: String,
}

macro_rules! faults {
    ($($name:ident, $code:expr, $message:expr, $doc:expr;)*) => {
        impl Fault {
            $(#[doc = $doc]
            pub fn $name(description: impl Into<String>) -> Self {
                Self { code: $code, message: $message, description: description.into() }
            })*
        }
    };
}

faults! {
    parse, -32700, "Parse error", "The body is not JSON.";
    invalid_request, -32600, "Invalid Request", "The envelope breaks 4.1.";
    unknown_method, -32601, "Method not found", "No operation of 4.3.";
    invalid_params, -32602, "Invalid params", "The params break 4.2 or 4.3.";
    internal, -32603, "Internal error", "The service itself failed.";
    invalid_input, -32002, "Invalid input", "A header or a document is not acceptable.";
    not_found, -32004, "Not found", "Nothing under this reference in this project.";
    invalid_reference, -32030, "Invalid document reference", "Not of the form of 2.1.";
    failed, -32036, "Operation failed", "A rule of 3 or 4.3 forbids it.";
    invalid_size, -32058, "Invalid size", "A page that is too large.";
}

impl Fault {
    /// `error` member of a response.
    pub fn to_json(&self, log_id: &str) -> Value {
        json!({
            "code": self.code,
            "message": self.message,
            "data": {
                "level": "ERROR",
                "title": { "en": self.message },
                "description": { "en": self.description },
                "details": [],
                "source": "local-service",
                "timestamp": time::iso(time::now()),
                "logId": log_id,
            }
        })
    }
}

impl From<rusqlite::Error> for Fault {
    fn from(error: rusqlite::Error) -> Self {
        Self::internal(format!("database: {error}"))
    }
}

impl From<serde_json::Error> for Fault {
    fn from(error: serde_json::Error) -> Self {
        Self::internal(format!("stored document: {error}"))
    }
}
