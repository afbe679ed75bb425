//! How the commands without a screen print what they have to say.

use clap::ValueEnum;
use clap::builder::PossibleValue;

pub use crate::domain::Format;

impl ValueEnum for Format {
    fn value_variants<'a>() -> &'a [Self] {
        &[
            Self::Table,
            Self::Json,
            Self::Ndjson,
            Self::Csv,
            Self::Markdown,
        ]
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(match self {
            Self::Table => PossibleValue::new("table").help("Columns for people"),
            Self::Json => PossibleValue::new("json").help("One JSON object (docs/schema)"),
            Self::Ndjson => PossibleValue::new("ndjson").help("One JSON object a line"),
            Self::Csv => PossibleValue::new("csv").help("Comma separated values for a spreadsheet"),
            Self::Markdown => PossibleValue::new("markdown").help("A table in Markdown"),
        })
    }
}

/// How the outcome of a write or of a gate is printed.
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
