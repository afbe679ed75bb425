//! One suite: its description, then the fields of its document.

use ratatui::prelude::{Buffer, Line, Rect};
use serde_json::Value;

use crate::domain::{LabelledValues, SaidAs, SuiteFields, SuiteRow};
use crate::ui::{Context, Theme, fields, frame, text};

/// Columns of the labels.
const LABEL: usize = 13;

/// Last line of all fields, of a run and of a suite.
pub const TIMES: &str = "Times are as the service gives them, which is without a time zone.";

/// Maximum number of lines of one value.
const LONGEST: usize = 200;

/// Fields of the preview, which no list shows.
const PREVIEW: [&str; 5] = ["Edited", "Created", "Version", "For version", "Reference"];

/// Lines under construction.
struct FieldLines {
    theme: Theme,
    width: usize,
    rows: Vec<Line<'static>>,
}

impl FieldLines {
    fn new(theme: Theme, width: usize) -> Self {
        let rows = Vec::new();
        Self { theme, width, rows }
    }

    fn description(&mut self, suite: &SuiteRow, most: usize) {
        let description = suite
            .description
            .as_deref()
            .map(str::trim)
            .filter(|words| !words.is_empty())
            .unwrap_or("no description");
        let lines = frame::wrapped(description, self.width, most, self.theme.text());
        self.rows.extend(lines);
        self.blank();
    }

    fn blank(&mut self) {
        self.rows.push(Line::default());
    }

    fn labelled(&mut self, label: &str, value: &str) {
        let width = self.width.saturating_sub(LABEL).max(12);
        let label = format!(" {}", text::pad(label, LABEL));
        let styles = [self.theme.muted(), self.theme.text()];
        let lines = frame::labelled(label, text::wrap(value, width, LONGEST), styles);
        self.rows.extend(lines);
    }

    fn record(&mut self, record: &LabelledValues) {
        self.labelled(record.label, &words(record));
    }

    fn muted(&mut self, words: &str) {
        let lines = frame::wrapped(words, self.width, 4, self.theme.muted());
        self.rows.extend(lines);
    }
}

/// Draws the fields without a column in the list; `said` has those of its document.
pub fn preview(
    context: Context<'_>,
    suite: &SuiteRow,
    said: Option<&SuiteFields>,
    area: Rect,
    buffer: &mut Buffer,
) {
    let theme = context.theme;
    let inside = frame::pane(buffer, area, &suite.full_name(), "", theme, false);
    let width = usize::from(inside.width).saturating_sub(1);
    let mut below = FieldLines::new(theme, width);
    if let Some(said) = said {
        for record in PREVIEW.iter().filter_map(|label| said.record(label)) {
            below.record(record);
        }
        below.labelled("Files", &file_names(&said.files));
    } else {
        below.labelled("Reference", suite.doc_ref.as_str());
    }
    // The fields stay visible, however long the description is.
    let room = usize::from(inside.height).saturating_sub(below.rows.len() + 1);
    let mut lines = FieldLines::new(theme, width);
    lines.description(suite, room.max(1));
    frame::lines(buffer, inside, lines.rows.into_iter().chain(below.rows));
}

/// Returns all fields of the service in lines; `said` has those of its document.
pub fn all(
    context: Context<'_>,
    suite: &SuiteRow,
    said: Option<&SuiteFields>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = FieldLines::new(context.theme, width);
    lines.description(suite, LONGEST);
    let Some(said) = said else {
        lines.labelled("Reference", suite.doc_ref.as_str());
        lines.muted("Its other fields are not kept here.");
        return lines.rows;
    };
    for record in &said.records {
        lines.record(record);
    }
    if said.files.is_empty() {
        lines.labelled("Files", "none");
    }
    for file in &said.files {
        lines.blank();
        for record in file {
            lines.record(record);
        }
    }
    if !said.others.is_empty() {
        lines.blank();
        lines.muted("All else, as it came:");
    }
    for (path, value) in &said.others {
        let words = format!("{path}  {value}");
        let pieces = frame::wrapped(&words, width, LONGEST, lines.theme.text());
        lines.rows.extend(pieces);
    }
    lines.blank();
    lines.muted(TIMES);
    lines.rows
}

/// Returns the names of attached files, `none` without any.
pub fn file_names(files: &[Vec<LabelledValues>]) -> String {
    match files {
        [] => "none".to_owned(),
        files => text::join(files.iter().map(|file| file_name(file)), ", "),
    }
}

/// Returns the name of an attached file.
fn file_name(file: &[LabelledValues]) -> String {
    match file.first() {
        Some(record) if record.label == "File" => words(record),
        _ => "(no name)".to_owned(),
    }
}

/// Returns the values of a record in one line.
pub fn words(record: &LabelledValues) -> String {
    let words = |(value, said): &(Value, SaidAs)| match (said, value) {
        (_, Value::Null) => "-".to_owned(),
        (_, Value::Bool(true)) => "yes".to_owned(),
        (_, Value::Bool(false)) => "no".to_owned(),
        (_, Value::String(text)) if text.is_empty() => "(empty)".to_owned(),
        (SaidAs::Time, Value::String(time)) => fields::full_time(time),
        (SaidAs::Bytes, Value::Number(size)) => {
            size.as_u64().map_or_else(|| size.to_string(), text::bytes)
        }
        (_, Value::String(text)) => text.clone(),
        (_, value) => value.to_string(),
    };
    match record.values.as_slice() {
        [] => "-".to_owned(),
        values => text::join(values.iter().map(words), "  "),
    }
}
