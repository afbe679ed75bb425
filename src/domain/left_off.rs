//! Where one was when the program ended: the next start begins there.

use serde::{Deserialize, Serialize};

use super::columns::Columns;
use super::{DocRef, Narrowing, SortedBy};

/// The screen, and how the list stood below it. Not in it: boxes, forms, words that were typed, marks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct LeftOff {
    pub screen: LeftOn,
    /// Name of the tab.
    pub view: String,
    /// What the list is sorted by, the first order first.
    pub orders: Vec<SortedBy>,
    pub columns: Columns,
    /// What is filtered by.
    pub chosen: Narrowing,
    /// The run under the cursor.
    pub cursor: Option<DocRef>,
    /// The runs on the screen, from its first row.
    pub rows: Vec<DocRef>,
    /// Names of the columns that were empty in all rows.
    pub empty: Vec<String>,
    /// Seconds between two readings of the monitor, where somebody chose them.
    pub every: Option<u64>,
}

/// The screen on top.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOn {
    #[default]
    List,
    /// A run, and which of its tabs.
    Run(DocRef, usize),
    /// The monitor of this view.
    Monitor(String),
}
