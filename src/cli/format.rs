//! How the commands without a screen print what they have to say.

use clap::ValueEnum;

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns for people
    #[default]
    Table,
    /// One JSON object (docs/schema)
    Json,
    /// One JSON object a line
    Ndjson,
    /// Comma separated values for a spreadsheet
    Csv,
    /// A table in Markdown
    Markdown,
}

/// How the outcome of a write is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ChangeFormat {
    /// Words, line by line
    #[default]
    Text,
    /// One JSON object (docs/schema)
    Json,
}

/// How changes are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WatchFormat {
    /// A line for each change
    #[default]
    Text,
    /// A JSON object a line (docs/schema)
    Ndjson,
}

/// How the outcome of a gate is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A line for each run
    #[default]
    Text,
    /// One JSON object (docs/schema)
    Json,
}
