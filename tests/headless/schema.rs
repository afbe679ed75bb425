//! What was printed, held against `docs/schema`.

use boon::{Compiler, Schemas};
use rundown::domain::fields::{self, Holds};
use serde_json::{Value, json};

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
    let good: Value = json!({"schema": 2, "type": "runs", "full_size": 0, "shown": 0, "operation": "LIST_TEST_RUNS", "runs": []});
    fits("runs", &good);
    for (member, value) in [
        ("schema", Value::from(3)),
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

#[test]
fn the_schema_has_all_that_can_become_of_a_run() {
    use rundown::domain::since::Became::{
        self, Back, Better, Done, Gone, Grew, Lost, New, Progress, Quiet, Same, Shrank, Worse,
    };
    let text = include_str!("../../docs/schema/common.json");
    let common: Value = serde_json::from_str(text).unwrap();
    let all = [
        Worse, Lost, Back, Better, Done, New, Grew, Shrank, Quiet, Gone, Progress, Same,
    ];
    assert_eq!(
        common["$defs"]["became"]["enum"],
        json!(all.map(Became::word))
    );
    for schema in [
        include_str!("../../docs/schema/since.json"),
        include_str!("../../docs/schema/report.json"),
    ] {
        assert!(schema.contains("common.json#/$defs/became"));
    }
}

#[test]
fn the_schema_of_a_run_has_the_fields_of_the_table() {
    let text = include_str!("../../docs/schema/common.json");
    let common: Value = serde_json::from_str(text).unwrap();
    let run = &common["$defs"]["run"];
    let of_the_table = fields::ALL.into_iter().filter(|field| field.in_json);
    let names: Vec<&str> = of_the_table.clone().map(|field| field.name).collect();
    let described = run["properties"].as_object().unwrap();
    assert_eq!(described.keys().collect::<Vec<_>>(), names);
    assert_eq!(run["required"], json!(names));
    for field in of_the_table {
        let expected = match field.holds {
            Holds::Reference => json!("string"),
            Holds::Text(_) | Holds::Time(..) | Holds::Status => json!(["string", "null"]),
            Holds::Texts(_) => json!("array"),
            Holds::Integer(_) | Holds::Percent(_) => json!(["integer", "null"]),
            Holds::Sums => json!(["object", "null"]),
            _ => {
                let elsewhere = format!("#/$defs/{}", field.name);
                assert_eq!(described[field.name]["$ref"], elsewhere);
                continue;
            }
        };
        assert_eq!(described[field.name]["type"], expected, "{}", field.name);
    }
}
