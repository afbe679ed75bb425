//! Objects put together from whole values: `json!` would copy them.

use serde_json::Value;

/// An object with these members, in this order.
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
