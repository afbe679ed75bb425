//! State at the end of the program, for the next start.

use serde::{Deserialize, Serialize};

use super::columns::Columns;
use super::{DocRef, Narrowing, SortedBy};

/// The screen, and the state of the list below it. Without boxes, forms, typed words and marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOff {
    pub screen: LeftOn,
    /// Name of the tab.
    pub view: String,
    /// Orders of the list, the first one first.
    pub orders: Vec<SortedBy>,
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
    /// Seconds between two readings of the monitor, if the user set them.
    pub every: Option<u64>,
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
