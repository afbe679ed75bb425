//! Link records, the result of `ADD_TEST_SUITES_TO_RUN` (interface section 2.6).

use serde_json::Value;

/// Returns the values of a list; none for all else.
pub fn items(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

/// Returns the references of a link record, unchecked. Every member may be missing or null.
pub fn linked(record: &Value) -> impl Iterator<Item = &str> {
    let entities = items(&record["linkDescriptor"]["entities"]).iter();
    entities.filter_map(|entity| entity["docRef"].as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_with_nulls_and_odd_ones_are_read() {
        let record = serde_json::json!({"id": null, "linkDescriptor": {"position": "TOP", "entities": [{"role": null, "docRef": "TestSuite-dm/7"}, {"docRef": 7}]}});
        assert_eq!(linked(&record).collect::<Vec<_>>(), ["TestSuite-dm/7"]);
        assert_eq!(linked(&serde_json::json!("odd")).count(), 0);
    }
}
