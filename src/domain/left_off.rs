//! State at the end of the program, for the next start.

use serde::de::DeserializeOwned;

use super::columns::Columns;
use super::narrowing::known_ones;
use super::prelude::*;
use super::{Narrowing, Sort};

/// The screen, and the state of the list below it. Without boxes, forms, typed words and marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOff {
    #[serde(deserialize_with = "known")]
    pub screen: LeftOn,
    /// Name of the tab.
    pub view: String,
    /// Orders of the list, the first one first.
    #[serde(deserialize_with = "known_ones")]
    pub orders: Vec<Sort>,
    pub columns: Columns,
    /// Columns of the tabs without their own, if this tab has its own.
    pub usual_columns: Option<Columns>,
    /// Active filters.
    pub chosen: Narrowing,
    /// Run under the cursor.
    pub cursor: Option<DocRef>,
    /// Runs on the screen, from its first row.
    pub rows: Vec<DocRef>,
    /// Names of the columns that were empty in all rows.
    pub empty: Vec<String>,
    /// The preview, if the user showed or hid it.
    pub preview: Option<bool>,
    /// Seconds between two readings of the monitor, if the user set them.
    pub every: Option<u64>,
}

/// Reads a value that another version may have written; the default if it is not known here.
fn known<'de, D: Deserializer<'de>, T: DeserializeOwned + Default>(from: D) -> Result<T, D::Error> {
    Ok(serde_json::from_value(Value::deserialize(from)?).unwrap_or_default())
}

/// The screen on top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOn {
    #[default]
    List,
    /// A run, and the number of its tab.
    Run(DocRef, usize),
    /// The monitor of this view.
    Monitor(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_another_version_take_nothing_else_away() {
        let kept = LeftOff {
            view: "Open".into(),
            orders: vec![Sort::parse("title").unwrap(), Sort::parse("done").unwrap()],
            ..LeftOff::default()
        };
        let mut file = serde_json::to_value(&kept).unwrap();
        let odd = json!({"field": "odd", "ascending": true});
        file["orders"].as_array_mut().unwrap().insert(0, odd);
        file["chosen"]["flags"] = json!(["odd"]);
        file["screen"] = json!({"odd": 1});
        assert_eq!(serde_json::from_value::<LeftOff>(file).unwrap(), kept);
    }
}
