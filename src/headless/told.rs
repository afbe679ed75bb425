//! A run as it is told: what the list shows of it, and what is summed up from that.

use super::table::{Cell, Table};
use crate::cli::Format;
use crate::domain::fields::{self, Field, Printed};
use crate::domain::{ResultCode, RunRow, Sums, scalar_text};

/// A run with the sums of its counts.
#[derive(Clone, Debug, PartialEq)]
pub struct Told {
    /// The run as the list shows it.
    pub row: RunRow,
    /// Nothing where there are no counts, or one cannot be read.
    pub sums: Option<Sums>,
}

impl Told {
    /// `done` are the results of cases that are finished (`done_codes` of the profile).
    pub fn new(row: RunRow, done: &[ResultCode]) -> Self {
        let sums = row.sums(done);
        Self { row, sums }
    }

    /// What stands in the column of a field.
    pub fn cell(&self, field: &Field, format: Format) -> Cell {
        let value = field.value(&self.row, self.sums);
        if value.is_null() {
            return Cell::Unknown;
        }
        let data = scalar_text(&value).filter(|_| format == Format::Csv);
        let text = data.unwrap_or_else(|| field.words(&self.row, self.sums));
        if field.is_number() {
            Cell::Number(text)
        } else {
            Cell::Text(text)
        }
    }
}

/// A table of runs: among comma separated values all fields, by the names of JSON.
pub fn table(runs: &[Told], format: Format) -> Table {
    let values = format == Format::Csv;
    let least = if values {
        Printed::Values
    } else {
        Printed::Tables
    };
    let taken = fields::ALL
        .into_iter()
        .filter(|field| field.printed >= least);
    let heading = |field: &Field| if values { field.name } else { field.label };
    let cells = |run: &Told| taken.clone().map(|field| run.cell(field, format)).collect();
    Table {
        headings: taken.clone().map(heading).collect(),
        rows: runs.iter().map(cells).collect(),
    }
}
