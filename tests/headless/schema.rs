//! What was printed, held against `docs/schema`.

use boon::{Compiler, Schemas};
use serde_json::Value;

/// Fails unless the value is what this schema describes.
pub fn fits(name: &str, value: &Value) {
    let path = format!("{}/docs/schema/{name}.json", env!("CARGO_MANIFEST_DIR"));
    let mut schemas = Schemas::new();
    let schema = Compiler::new()
        .compile(&path, &mut schemas)
        .unwrap_or_else(|error| panic!("{path}: {error:#}"));
    if let Err(error) = schemas.validate(value, schema) {
        panic!("{name}: {error:#}\n{value:#}");
    }
}

#[test]
fn a_schema_refuses_what_it_does_not_describe() {
    let good: Value = serde_json::json!({"schema": 1, "type": "runs", "full_size": 0, "shown": 0, "operation": "LIST_TEST_RUNS", "runs": []});
    fits("runs", &good);
    for (member, value) in [
        ("schema", Value::from(2)),
        ("shown", Value::from("0")),
        ("more", Value::Null),
    ] {
        let mut bad = good.clone();
        bad[member] = value;
        assert!(
            std::panic::catch_unwind(|| fits("runs", &bad)).is_err(),
            "{member}"
        );
    }
}
