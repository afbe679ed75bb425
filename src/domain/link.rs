//! Link records, the result of `ADD_TEST_SUITES_TO_RUN` (interface section 2.6).

use serde_json::Value;

/// One link record. Every member may be missing or null, and `position` is kept as the text it was written as: real
/// services answer a number or a word.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkRecord {
    /// The record as it came.
    pub raw: Value,
    /// Identifier of the link.
    pub id: Option<String>,
    /// `linkDescriptor.relationshipModel`.
    pub relationship_model: Option<String>,
    /// `linkDescriptor.entities`.
    pub entities: Vec<LinkEntity>,
    /// `linkDescriptor.predecessorLinkRef`.
    pub predecessor_link_ref: Option<String>,
    /// `linkDescriptor.position`, as text.
    pub position: Option<String>,
}

/// One side of a link.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LinkEntity {
    /// Role of this side.
    pub role: Option<String>,
    /// Document model name of this side.
    pub model_name: Option<String>,
    /// Document reference of this side, unchecked.
    pub doc_ref: Option<String>,
}

impl LinkRecord {
    /// Reads what is there; a member of another type counts as missing.
    pub fn from_value(value: &Value) -> Self {
        let descriptor = &value["linkDescriptor"];
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let entity = |entity: &Value| LinkEntity {
            role: text(&entity["role"]),
            model_name: text(&entity["modelName"]),
            doc_ref: text(&entity["docRef"]),
        };
        Self {
            raw: value.clone(),
            id: text(&value["id"]),
            relationship_model: text(&descriptor["relationshipModel"]),
            entities: descriptor["entities"]
                .as_array()
                .map(|list| list.iter().map(entity).collect())
                .unwrap_or_default(),
            predecessor_link_ref: text(&descriptor["predecessorLinkRef"]),
            position: text(&descriptor["position"])
                .or_else(|| descriptor["position"].as_number().map(super::number_text)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nulls_and_a_position_in_words_are_read() {
        let value = serde_json::json!({"id": null, "linkDescriptor": {"position": "TOP", "entities": [{"role": null, "docRef": "TestSuite-dm/7"}]}});
        let link = LinkRecord::from_value(&value);
        assert_eq!((link.id, link.position.as_deref()), (None, Some("TOP")));
        assert_eq!(link.entities[0].doc_ref.as_deref(), Some("TestSuite-dm/7"));
        assert_eq!(
            LinkRecord::from_value(&serde_json::json!({"linkDescriptor": {"position": 3}}))
                .position
                .as_deref(),
            Some("3")
        );
        let odd = serde_json::json!("odd");
        assert_eq!(
            LinkRecord::from_value(&odd),
            LinkRecord {
                raw: odd,
                ..LinkRecord::default()
            }
        );
    }
}
