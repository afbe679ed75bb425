//! Runs in each of the formats, for commands and files.

use std::borrow::Cow;

use super::fields::Printed;
use super::prelude::*;
use super::table::Rows;
use super::{RunsOperation, json};

/// Columns that leave a table of runs on a narrow terminal, the first of them first.
const LEAVE: [&Field; 11] = [
    &fields::UNTESTED,
    &fields::SUITES,
    &fields::STATUS,
    &fields::EDITED_BY,
    &fields::PASSED,
    &fields::VERSION,
    &fields::EDITED,
    &fields::FAILED_KNOWN,
    &fields::DONE,
    &fields::BLOCKED,
    &fields::FAILED_NEW,
];

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
        .filter(|field| format != Format::Csv || **field != fields::DONE)
        .collect()
}

/// Formats runs one by one; widths and totals are known after the last one.
pub struct RunsText {
    format: Format,
    /// Columns of a table.
    columns: Vec<&'static Field>,
    /// The columns are the only members of the JSON, too.
    chosen: bool,
    rows: Rows,
    /// Number of runs so far.
    taken: u64,
}

impl RunsText {
    /// Starts without runs, with the `chosen` fields, each once, or else the usual ones.
    pub fn new(format: Format, chosen: &[&'static Field]) -> Self {
        let mut columns: Vec<&'static Field> = Vec::new();
        for field in chosen {
            if !columns.contains(field) {
                columns.push(field);
            }
        }
        if columns.is_empty() {
            columns = usual_columns(format);
        }
        let heading = |field: &&Field| match format {
            Format::Csv => field.name.to_owned(),
            _ => field.label.to_owned(),
        };
        Self {
            format,
            rows: Rows::new(columns.iter().map(heading).collect(), format),
            columns,
            chosen: !chosen.is_empty(),
            taken: 0,
        }
    }

    fn json(&self, run: &RunRow, done: &[ResultCode]) -> Value {
        if self.chosen {
            json::fields_of(run, done, self.columns.iter().copied())
        } else {
            json::run(run, done)
        }
    }

    pub fn taken(&self) -> u64 {
        self.taken
    }

    /// Takes the next run. Returns the text to keep; `done` are the codes of finished cases.
    pub fn take(&mut self, run: &RunRow, done: &[ResultCode]) -> String {
        let comma = if self.taken > 0 { "," } else { "" };
        self.taken += 1;
        match self.format {
            Format::Json => format!("{comma}\n{}", json::nested(&self.json(run, done))),
            Format::Ndjson => {
                let kind = if self.chosen { "selected_run" } else { "run" };
                json::line(kind, self.json(run, done))
            }
            format => {
                let cells = self.columns.iter().map(|it| it.cell(run, done, format));
                self.rows.take(&cells.collect::<Vec<_>>())
            }
        }
    }

    /// Fits a table into the columns of a terminal, once all runs were taken. Chosen fields all stay.
    pub fn fit(&mut self, columns: usize) {
        let place = |field: &Field| self.columns.iter().position(|it| *it == field);
        let leave: Vec<usize> = LEAVE
            .into_iter()
            .filter(|_| !self.chosen)
            .filter_map(place)
            .collect();
        if let (Format::Table, Some(title)) = (self.format, place(&fields::TITLE)) {
            self.rows.fit(columns, title, leave);
        }
    }

    /// Returns the texts before and after the runs, once all were taken. `full_size` counts runs, read or not, if
    /// known.
    pub fn around(
        &self,
        full_size: Option<u64>,
        operation: Option<RunsOperation>,
    ) -> (String, &'static str) {
        match self.format {
            Format::Json => {
                let members = json!({
                    "full_size": full_size, "shown": self.taken,
                    "operation": operation.map(RunsOperation::method), "runs": []
                });
                let kind = if self.chosen { "selected_runs" } else { "runs" };
                let head = json::pretty(kind, members)
                    .trim_end_matches("]\n}\n")
                    .to_owned();
                let tail = if self.taken > 0 {
                    "\n  ]\n}\n"
                } else {
                    "]\n}\n"
                };
                (head, tail)
            }
            Format::Ndjson => (String::new(), ""),
            _ => (self.rows.head(), ""),
        }
    }

    /// Returns the text of a kept line, once all runs were taken.
    pub fn line<'a>(&self, kept: &'a str) -> Cow<'a, str> {
        match self.format {
            Format::Json | Format::Ndjson => kept.into(),
            _ => self.rows.line(kept),
        }
    }
}

/// Returns the text of a list of `full_size` runs, `None` if more may match; `done` are the results of finished cases.
pub fn text_of_runs(
    runs: &[RunRow],
    full_size: Option<u64>,
    operation: Option<RunsOperation>,
    done: &[ResultCode],
    format: Format,
) -> String {
    let mut text = RunsText::new(format, &[]);
    let kept: String = runs.iter().map(|run| text.take(run, done)).collect();
    let (head, tail) = text.around(full_size, operation);
    let lines = kept.split_inclusive('\n').map(|kept| text.line(kept));
    head + &lines.collect::<String>() + tail
}
