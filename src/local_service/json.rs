//! Objects built from owned values, which `json!` would copy.

use serde_json::Value;

/// Object with these members in this order.
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    members
        .into_iter()
        .map(|(key, value)| (key.to_owned(), value))
        .collect()
}
