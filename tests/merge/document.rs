//! The document that is sent.

use crate::support::prelude::*;
use proptest::prelude::*;
use rundown::domain::{FieldError, texts_of};

use super::{leaves, leaves_without, run, run_with, stored, text, texts_for};

fn fixture(name: &str) -> Value {
    let path = format!("{}/tests/fixtures/{name}.json", env!("CARGO_MANIFEST_DIR"));
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn titled(title: &Value) -> Document {
    let general = json!({ "Title": title });
    Document::from_value(
        json!({ "docRef": "TestRun-dm/1", "document": { "Root": { "General": general } } }),
    )
    .unwrap()
}

fn one(field: RunField, text: &str) -> RunTexts {
    RunTexts::from([(field, text.to_owned())])
}

#[test]
fn the_recorded_request_is_what_is_made_of_the_recorded_answer() {
    let read = Document::from_value(fixture("get_document.response")["result"].clone()).unwrap();
    let mut expected = fixture("modify_document.request")["params"]["document"].clone();
    expected["Root"]["Metadata"] = read.raw()["document"]["Root"]["Metadata"].clone();
    let sent = read.modified(&one(RunField::Status, "active")).unwrap();
    assert_eq!(
        serde_json::to_string(&sent).unwrap(),
        serde_json::to_string(&expected).unwrap()
    );
}

#[test]
fn what_shows_the_text_already_stays_as_it_is() {
    for (held, text) in [
        (json!(null), ""),
        (json!(150), "150"),
        (json!(true), "true"),
        (json!({}), ""),
    ] {
        let sent = titled(&held).modified(&one(RunField::Title, text)).unwrap();
        assert_eq!(sent, json!({ "Root": { "General": { "Title": held } } }));
    }
    let sent = titled(&json!("T"))
        .modified(&one(RunField::Description, ""))
        .unwrap();
    assert_eq!(sent["Root"]["General"], json!({ "Title": "T" }));
    let sent = titled(&json!(null))
        .modified(&one(RunField::Title, "null"))
        .unwrap();
    assert_eq!(sent["Root"]["General"], json!({ "Title": "null" }));
}

#[test]
fn what_cannot_be_changed_without_loss_is_refused() {
    for held in [json!({ "en": "T" }), json!([])] {
        let refused = titled(&held)
            .modified(&one(RunField::Title, "new"))
            .unwrap_err();
        assert!(
            refused
                .to_string()
                .contains("Root.General.Title holds no text"),
            "{refused}"
        );
        assert!(
            titled(&held)
                .modified(&one(RunField::Status, "new"))
                .is_ok()
        );
    }
    let missing = [
        (json!({}), "document"),
        (json!({ "document": null }), "document"),
        (json!({ "document": {} }), "Root"),
        (
            json!({ "document": { "Root": { "General": "none" } } }),
            "Root.General",
        ),
    ];
    for (mut envelope, part) in missing {
        envelope["docRef"] = json!("TestRun-dm/1");
        let document = Document::from_value(envelope).unwrap();
        let refused = document.modified(&one(RunField::Title, "new")).unwrap_err();
        assert!(
            matches!(refused, FieldError::NoObject(name) if name == part),
            "{refused}"
        );
    }
}

proptest! {
    #[test]
    fn all_comes_back_but_for_what_was_edited(document in run(), texts in texts_for(RunField::ALL.to_vec())) {
        let sent = document.modified(&texts).unwrap();
        let (mut without_meta, meta) = (sent.clone(), sent["__meta"].clone());
        without_meta.as_object_mut().unwrap().shift_remove("__meta");
        prop_assert_eq!(leaves(&meta), leaves(&document.raw()["__meta"]));
        let before = &document.raw()["document"];
        prop_assert_eq!(leaves_without(&without_meta, texts.keys()), leaves_without(before, texts.keys()));
        for (field, text) in &texts {
            let held = &sent["Root"]["General"][field.name()];
            if texts_of(&document)[field] == *text {
                prop_assert_eq!(held, &before["Root"]["General"][field.name()]);
            } else {
                prop_assert_eq!(held, &json!(text));
            }
        }
    }

    #[test]
    fn nothing_edited_sends_what_was_read(document in run()) {
        let mut sent = document.modified(&texts_of(&document)).unwrap();
        sent.as_object_mut().unwrap().shift_remove("__meta");
        prop_assert_eq!(sent.to_string(), document.raw()["document"].to_string());
    }

    #[test]
    fn undone_is_as_before(
        document in run_with(text().prop_map(|text| Some(Value::from(text)))),
        texts in texts_for(RunField::ALL.to_vec()),
    ) {
        let done = stored(&document, document.modified(&texts).unwrap(), 1);
        let undone = stored(&done, done.modified(&texts_of(&document)).unwrap(), 2);
        prop_assert_eq!(undone.raw()["document"].to_string(), document.raw()["document"].to_string());
    }

    /// Where a field held a number, null or nothing, its text comes back, not its kind.
    #[test]
    fn undone_reads_as_before(document in run(), texts in texts_for(RunField::ALL.to_vec())) {
        let done = stored(&document, document.modified(&texts).unwrap(), 1);
        let undone = stored(&done, done.modified(&texts_of(&document)).unwrap(), 2);
        prop_assert_eq!(texts_of(&undone), texts_of(&document));
        let rest = |document: &Document| leaves_without(&document.raw()["document"], texts.keys());
        prop_assert_eq!(rest(&undone), rest(&document));
    }
}
