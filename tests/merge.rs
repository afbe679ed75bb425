//! Changing fields of a run while others write: what nobody has touched stays to the digit, what the other side has
//! written goes away by a decision only, and what was done can be undone.

mod document;
mod two_writers;
mod version;

use crate::support::prelude::*;
use proptest::prelude::*;

/// Texts as people and services write them.
fn text() -> impl Strategy<Value = String> {
    let few = prop::sample::select(vec![
        "",
        "a",
        "b",
        "active",
        "7",
        "Übergabe, zweite Runde",
        "line\r\nline\n",
        "null",
    ]);
    prop_oneof![4 => few.prop_map(str::to_owned), 1 => any::<String>()]
}

/// Numbers that a double would not hold.
fn number() -> impl Strategy<Value = Value> {
    let texts = vec![
        "0",
        "-0.0",
        "1.50",
        "123456789012345678901234567890",
        "0.1000000000000000000000000000001",
        "1e400",
    ];
    prop::sample::select(texts).prop_map(|text| serde_json::from_str(text).unwrap())
}

fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number(),
        text().prop_map(Value::from)
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::Array),
            prop::collection::vec(("[a-e]{1,2}", inner), 0..4)
                .prop_map(|members| members.into_iter().collect()),
        ]
    })
}

/// An object with these members and some that nobody knows, in any order.
fn object(known: Vec<(&'static str, Value)>) -> impl Strategy<Value = Value> {
    let unknown = prop::collection::vec(("x[a-c]{0,2}", anything()), 0..4);
    unknown
        .prop_map(move |unknown| {
            let known = known
                .iter()
                .map(|(name, value)| ((*name).to_owned(), value.clone()));
            unknown.into_iter().chain(known).collect::<Vec<_>>()
        })
        .prop_shuffle()
        .prop_map(|members| members.into_iter().collect())
}

/// What a field may hold: mostly text, but also a number, null, or nothing at all.
fn field_value() -> impl Strategy<Value = Option<Value>> {
    prop_oneof![
        6 => text().prop_map(|text| Some(Value::from(text))),
        1 => number().prop_map(Some),
        1 => Just(Some(Value::Null)),
        1 => Just(None),
    ]
}

/// A run with members that this program does not know on every level.
fn run_with(value: impl Strategy<Value = Option<Value>>) -> impl Strategy<Value = Document> {
    let fields = prop::collection::vec(value, RunField::ALL.len());
    let general = fields.prop_flat_map(|values| {
        let fields = RunField::ALL.into_iter().zip(values);
        object(
            fields
                .filter_map(|(field, value)| Some((field.name(), value?)))
                .collect(),
        )
    });
    let metadata = object(vec![
        ("EditedBy", json!("grace")),
        ("EditedOn", json!(1_772_442_900_000_i64)),
    ]);
    let root = (general, metadata, anything()).prop_flat_map(|(general, metadata, attachments)| {
        object(vec![
            ("General", general),
            ("Metadata", metadata),
            ("Attachments", attachments),
        ])
    });
    let document = root.prop_flat_map(|root| object(vec![("id", json!("1")), ("Root", root)]));
    let meta = object(vec![
        ("modifiedAt", json!("2026-03-02T09:15:00")),
        ("modelVersion", Value::Null),
    ]);
    (document, meta).prop_flat_map(|(document, meta)| {
        object(vec![
            ("docRef", json!("TestRun-dm/1")),
            ("document", document),
            ("__meta", meta),
        ])
        .prop_map(|envelope| Document::from_value(envelope).unwrap())
    })
}

fn run() -> impl Strategy<Value = Document> {
    run_with(field_value())
}

fn texts_for(fields: Vec<RunField>) -> impl Strategy<Value = RunTexts> {
    let all = fields.len();
    prop::sample::subsequence(fields, 0..=all).prop_flat_map(|fields| {
        prop::collection::vec(text(), fields.len())
            .prop_map(move |texts| fields.iter().copied().zip(texts).collect())
    })
}

/// What a service has after a `MODIFY_DOCUMENT`: the document as it was sent, and a newer time.
fn stored(before: &Document, mut sent: Value, second: u32) -> Document {
    let mut meta = sent
        .as_object_mut()
        .unwrap()
        .shift_remove("__meta")
        .unwrap();
    meta["modifiedAt"] = json!(format!("2026-03-02T09:16:{second:02}"));
    let mut envelope = before.raw().clone();
    envelope["document"] = sent;
    envelope["__meta"] = meta;
    Document::from_value(envelope).unwrap()
}

/// Every leaf with its path and its text as it would be sent, in order; empty objects and arrays are leaves.
fn leaves(value: &Value) -> Vec<(String, String)> {
    fn walk(path: &str, value: &Value, found: &mut Vec<(String, String)>) {
        match value {
            Value::Object(members) if !members.is_empty() => {
                members
                    .iter()
                    .for_each(|(name, value)| walk(&format!("{path}.{name}"), value, found));
            }
            Value::Array(entries) if !entries.is_empty() => {
                entries
                    .iter()
                    .enumerate()
                    .for_each(|(at, value)| walk(&format!("{path}[{at}]"), value, found));
            }
            _ => found.push((path.to_owned(), value.to_string())),
        }
    }
    let mut found = Vec::new();
    walk("", value, &mut found);
    found
}

/// The leaves of what the envelope holds in `document`, but for these fields.
fn leaves_without<'a>(
    document: &Value,
    fields: impl IntoIterator<Item = &'a RunField>,
) -> Vec<(String, String)> {
    let paths: Vec<String> = fields
        .into_iter()
        .map(|field| format!(".{}", field.path()))
        .collect();
    leaves(document)
        .into_iter()
        .filter(|(path, _)| !paths.contains(path))
        .collect()
}
