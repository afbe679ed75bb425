//! A suite by itself: its description, then what its document says of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use serde_json::Value;

use crate::domain::{SaidAs, SuiteFields, SuiteRecord, SuiteRow};
use crate::ui::{Context, fields, frame, text};

/// Columns of the labels.
const LABEL: usize = 12;

/// Lines of one value, at most.
const LONGEST: usize = 200;

/// What the preview has of it: what no list shows.
const PREVIEW: [&str; 5] = ["Edited", "Created", "Version", "Assigned to", "Reference"];

/// Draws what a list has no column for; `said` is what its document says.
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
    let mut below = Vec::new();
    if let Some(said) = said {
        for record in PREVIEW.iter().filter_map(|label| said.record(label)) {
            labelled(context, record.label, &words(record), width, &mut below);
        }
        let name = |file: &Vec<SuiteRecord>| match file.first() {
            Some(record) if record.label == "File" => words(record),
            _ => "(no name)".to_owned(),
        };
        let files: Vec<String> = said.files.iter().map(name).collect();
        let files = match files.as_slice() {
            [] => "none".to_owned(),
            names => names.join(", "),
        };
        labelled(context, "Files", &files, width, &mut below);
    } else {
        labelled(
            context,
            "Reference",
            suite.doc_ref.as_str(),
            width,
            &mut below,
        );
    }
    // The rest is seen, however long the description is.
    let room = usize::from(inside.height).saturating_sub(below.len() + 1);
    let mut lines = description(suite, width, room.max(1));
    lines.push(Line::default());
    lines.extend(below);
    for (row, line) in (0..).zip(lines) {
        frame::line(buffer, inside, row, line.spans);
    }
}

/// Everything that the service says of it, in lines; `said` is what its document says.
pub fn all(
    context: Context<'_>,
    suite: &SuiteRow,
    said: Option<&SuiteFields>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = description(suite, width, LONGEST);
    lines.push(Line::default());
    let Some(said) = said else {
        labelled(
            context,
            "Reference",
            suite.doc_ref.as_str(),
            width,
            &mut lines,
        );
        let words = "Its other fields are not kept: the list is too long for that.";
        lines.extend(told(context, words, width));
        return lines;
    };
    for record in &said.records {
        labelled(context, record.label, &words(record), width, &mut lines);
    }
    if said.files.is_empty() {
        labelled(context, "Files", "none", width, &mut lines);
    }
    for file in &said.files {
        lines.push(Line::default());
        for record in file {
            labelled(context, record.label, &words(record), width, &mut lines);
        }
    }
    if !said.rest.is_empty() {
        lines.push(Line::default());
        lines.extend(told(context, "All else, as it came:", width));
    }
    for (path, value) in &said.rest {
        let pieces = text::wrap(&format!("{path}  {value}"), width, LONGEST);
        lines.extend(pieces.into_iter().map(|line| Line::raw(format!(" {line}"))));
    }
    lines.push(Line::default());
    let words = "Times are as the service gives them, which is without a time zone.";
    lines.extend(told(context, words, width));
    lines
}

/// The values of a record, in one line.
fn words(record: &SuiteRecord) -> String {
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
        values => values.iter().map(words).collect::<Vec<_>>().join("  "),
    }
}

fn description(suite: &SuiteRow, width: usize, most: usize) -> Vec<Line<'static>> {
    let description = suite.description.as_deref().map(str::trim);
    let description = description.filter(|words| !words.is_empty());
    let lines = text::wrap(description.unwrap_or("no description"), width, most);
    let lines = lines.into_iter().map(|line| Line::raw(format!(" {line}")));
    lines.collect()
}

fn labelled(
    context: Context<'_>,
    label: &str,
    value: &str,
    width: usize,
    lines: &mut Vec<Line<'static>>,
) {
    let pieces = text::wrap(value, width.saturating_sub(LABEL).max(12), LONGEST);
    for (place, piece) in pieces.into_iter().enumerate() {
        let label = if place == 0 { label } else { "" };
        let label = Span::styled(
            format!(" {}", text::pad(label, LABEL)),
            context.theme.muted(),
        );
        lines.push(Line::from(vec![label, Span::raw(piece)]));
    }
}

fn told(context: Context<'_>, words: &str, width: usize) -> Vec<Line<'static>> {
    let lines = text::wrap(words, width, 4).into_iter();
    lines
        .map(|line| Line::styled(format!(" {line}"), context.theme.muted()))
        .collect()
}
