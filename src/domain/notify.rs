//! How somebody is called when a run goes over its limit or is finished.

use serde::Deserialize;

/// How a person is told who looks elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notify {
    /// Not at all.
    None,
    /// The bell of the terminal.
    Bell,
    /// A notification of the terminal, OSC 9.
    Osc9,
    /// A program with its arguments, at least one word; what happened is added as the last one. No shell.
    #[serde(untagged)]
    Command(Vec<String>),
}
