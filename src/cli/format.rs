//! Output formats of the commands without a screen.

use clap::ValueEnum;

pub use crate::domain::Format;
pub use crate::domain::release::ReportFormat;

/// Formats of the outcome of a write or of a gate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ChangeFormat {
    /// Words, line by line
    #[default]
    Text,
    /// One JSON object (docs/schema)
    Json,
}

/// Formats of the changes since a moment.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum SinceFormat {
    /// Words, and a line for each run
    #[default]
    Text,
    /// The same for a chat or a page
    Markdown,
    /// One JSON object (docs/schema)
    Json,
}

/// Formats of changes.
#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub enum WatchFormat {
    /// A line for each change
    #[default]
    Text,
    /// A JSON object a line (docs/schema)
    Ndjson,
}
