//! Runs as commands print them: the row of the list and its sums.

use super::fields::{self, Printed};
use super::prelude::*;
use super::table::Rows;

/// A run with the sums of its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct CountedRun {
    pub row: RunRow,
    /// `None` if there are no counts, or one cannot be read.
    pub sums: Option<Sums>,
}

impl CountedRun {
    /// Adds the sums; `done` are the results of finished cases (`done_codes` of the profile).
    pub fn new(row: RunRow, done: &[ResultCode]) -> Self {
        Self {
            sums: row.sums(done),
            row,
        }
    }

    /// Returns the cell in the column of a field.
    pub fn cell(&self, field: &Field, format: Format) -> TextCell {
        let value = field.value(&self.row, self.sums);
        if value.is_null() {
            return TextCell::Unknown;
        }
        let text = scalar_text(&value)
            .filter(|_| format == Format::Csv)
            .unwrap_or_else(|| field.words(&self.row, self.sums));
        if field.is_number() {
            TextCell::Number(text)
        } else {
            TextCell::Text(text)
        }
    }

    /// Returns the row of a table with these columns.
    pub fn cells(&self, columns: &[&Field], format: Format) -> Vec<TextCell> {
        columns
            .iter()
            .map(|field| self.cell(field, format))
            .collect()
    }
}

/// Returns the default columns of runs; for CSV all fields, by their names in JSON.
pub fn usual_columns(format: Format) -> Vec<&'static Field> {
    let least = if format == Format::Csv {
        Printed::Values
    } else {
        Printed::Tables
    };
    fields::ALL
        .into_iter()
        .filter(|field| field.printed >= least)
        // In CSV the share is `progress`: `done` is a number of cases in JSON.
        .filter(|field| format != Format::Csv || field.name != fields::DONE.name)
        .collect()
}

/// Starts a table of runs.
pub fn counted_rows(columns: &[&Field], format: Format) -> Rows {
    let heading = |field: &&Field| match format {
        Format::Csv => field.name,
        _ => field.label,
    };
    let headings = columns.iter().map(heading).map(str::to_owned);
    Rows::new(headings.collect(), format)
}
