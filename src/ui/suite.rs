//! A suite by itself: its description, then what else is known of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::SuiteRow;
use crate::ui::{Context, fields, frame, text};

/// Columns of the labels.
const LABEL: usize = 12;

/// Draws a suite; with `all` every field that has a meaning here, else those that no list shows.
pub fn draw(context: Context<'_>, suite: &SuiteRow, all: bool, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let inside = frame::pane(buffer, area, &suite.full_name(), "", theme, all);
    let width = usize::from(inside.width).saturating_sub(2);
    let records = records(suite, all);
    let description = suite.description.as_deref().map(str::trim);
    let description = description.filter(|words| !words.is_empty());
    // The rest is seen, however long the description is.
    let room = usize::from(inside.height).saturating_sub(records.len() + 1);
    let description = text::wrap(description.unwrap_or("no description"), width, room.max(1));
    let mut lines: Vec<Vec<Span<'_>>> = description
        .into_iter()
        .map(|line| vec![Span::raw(format!(" {line}"))])
        .collect();
    lines.push(Vec::new());
    for (label, value) in records {
        let pieces = text::wrap(&value, width.saturating_sub(LABEL).max(12), 4);
        for (place, piece) in pieces.into_iter().enumerate() {
            let label = if place == 0 { label } else { "" };
            let label = format!(" {}", text::pad(label, LABEL));
            lines.push(vec![Span::styled(label, theme.muted()), Span::raw(piece)]);
        }
    }
    for (row, spans) in (0..).zip(lines) {
        frame::line(buffer, inside, row, spans);
    }
}

/// What is known of it, each with its label.
fn records(suite: &SuiteRow, all: bool) -> Vec<(&'static str, String)> {
    let dash = |value: &Option<String>| match value.as_deref() {
        Some("") => "(empty)".to_owned(),
        Some(value) => value.to_owned(),
        None => "-".to_owned(),
    };
    let event = |at: &Option<String>, by: &Option<String>| {
        let at = at.as_deref().map(|at| fields::full_time(at));
        let by = by.as_deref().map(|by| format!(" by {by}"));
        dash(&at) + by.as_deref().unwrap_or_default()
    };
    let assigned = [&suite.assigned_to_number, &suite.assigned_to_title];
    let assigned: Vec<&str> = assigned.into_iter().flatten().map(String::as_str).collect();
    let files = match suite.attachments {
        0 => "none".to_owned(),
        number => text::count(number, "file"),
    };
    let mut records = vec![
        ("Edited", event(&suite.display_edited_on, &suite.edited_by)),
        (
            "Created",
            event(&suite.display_created_on, &suite.created_by),
        ),
        ("Version", dash(&suite.version)),
    ];
    if all {
        let cases = suite.total_cases.map(|cases| cases.to_string());
        records.extend([
            ("Cases", dash(&cases)),
            ("Priority", dash(&suite.priority)),
            ("Account", dash(&suite.time_booking_account)),
            ("Order", dash(&suite.order)),
            ("Project", dash(&suite.project)),
            ("Sub project", dash(&suite.subproject)),
        ]);
    }
    if all || !assigned.is_empty() {
        records.push(("Assigned to", dash(&Some(assigned.join(" ")))));
    }
    if all || suite.is_imported == Some(true) {
        let imported = match suite.is_imported {
            Some(true) => "yes",
            Some(false) => "no",
            None => "-",
        };
        records.push(("Imported", imported.into()));
    }
    records.push(("Files", files));
    records.push(("Reference", suite.doc_ref.to_string()));
    if all {
        records.push(("Internal id", dash(&suite.technical_id)));
        records.push(("Tenant", dash(&suite.tenant_id)));
    }
    records
}
