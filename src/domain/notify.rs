//! Notifications of runs that exceed their limit or are finished.

use serde::Deserialize;

/// Way to notify a user who is elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Notify {
    /// No notification.
    None,
    /// The bell of the terminal.
    Bell,
    /// A notification of the terminal, OSC 9.
    Osc9,
    /// A program with its arguments, at least one word; the message is added as the last one. No shell.
    #[serde(untagged)]
    Command(Vec<String>),
}
