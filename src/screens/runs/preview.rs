//! The preview pane: more of the run under the cursor, from what the list brought, and what changed in it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::fields::{CONFIGURATION, SUITES, TESTERS, VERSION};
use crate::domain::{RunRow, Status};
use crate::ui::{Context, counts, frame, text};

/// Changes that are shown.
const CHANGES: usize = 3;

/// Draws the pane.
pub fn draw(context: Context<'_>, run: Option<&RunRow>, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let Some(run) = run else {
        frame::pane(buffer, area, "Preview", "", theme, false);
        return;
    };
    let status = match &run.status {
        Status::Active => "open".to_owned(),
        Status::Inactive => "closed".to_owned(),
        other => other.to_string(),
    };
    let of = |field: &crate::domain::fields::Field| {
        let text = field.text_of(run).filter(|text| !text.is_empty());
        text.map(str::to_owned)
    };
    let about: Vec<String> = [Some(status), of(&VERSION), of(&CONFIGURATION)]
        .into_iter()
        .flatten()
        .collect();
    let title = format!("{}  {}", run.name(), run.title.as_deref().unwrap_or("-"));
    let about = about.join(" · ");
    let room = usize::from(area.width).saturating_sub(text::width(&text::cells(&about)) + 10);
    let title = text::fit(&title, room.max(20));
    let inside = frame::pane(buffer, area, &title, &about, theme, false);
    let width = usize::from(inside.width).saturating_sub(4);
    let mut lines = Vec::new();
    match &run.results {
        Some(results) => {
            lines.push(counts::counted(results));
            lines.push(about_cases(context, run));
        }
        None => lines.push("no results".to_owned()),
    }
    for (row, line) in (0..).zip(&lines) {
        frame::line(
            buffer,
            inside,
            row,
            vec![Span::raw(format!("  {}", text::fit(line, width)))],
        );
    }
    let entries = context.cx.shared.feed.entries.iter();
    let changes = entries.filter(|entry| entry.run.as_ref() == Some(&run.doc_ref));
    let below = lines.len() as u16;
    let mut any = false;
    for (row, entry) in (below..).zip(changes.take(CHANGES)) {
        any = true;
        let when = text::pad(&context.now.short(entry.at), 6);
        let what = text::fit(&entry.what.to_string(), width.saturating_sub(7));
        let spans = vec![
            Span::styled(format!("  {when} "), theme.muted()),
            Span::raw(what),
        ];
        frame::line(buffer, inside, row, spans);
    }
    if !any {
        let words = Span::styled("  no changes seen since the start", theme.muted());
        frame::line(buffer, inside, below, vec![words]);
    }
}

/// Cases, who tests, suites.
fn about_cases(context: Context<'_>, run: &RunRow) -> String {
    let mut parts = Vec::new();
    if let Some(results) = &run.results {
        parts.push(counts::left(results, context.cx.shared.done_codes()));
    }
    if !run.testers.is_empty() {
        parts.push(format!("testers {}", TESTERS.words(run, None)));
    }
    match run.suite_count {
        Some(1) => parts.push("1 suite".into()),
        Some(_) => parts.push(format!("{} suites", SUITES.words(run, None))),
        None => {}
    }
    parts.join("   ")
}
