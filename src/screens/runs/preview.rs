//! The preview pane: more of the run under the cursor, from what the list brought.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use crate::domain::RunRow;
use crate::domain::fields::{CONFIGURATION, EDITED, Field, PROGRESS, STATUS, SUITES, TITLE};
use crate::ui::{Context, bar, counts, fields, frame, text};

/// Draws the pane.
pub fn draw(context: Context<'_>, run: Option<&RunRow>, area: Rect, buffer: &mut Buffer) {
    let title = run.map_or("Preview".to_owned(), |run| {
        format!("Preview {}", run.name())
    });
    let inside = frame::pane(buffer, area, &title, "Enter opens it", context.theme, false);
    let Some(run) = run else {
        frame::line(
            buffer,
            inside,
            0,
            vec![Span::styled(
                " no run under the cursor",
                context.theme.muted(),
            )],
        );
        return;
    };
    let width = usize::from(inside.width).saturating_sub(2);
    for (row, (label, value)) in lines(context, run).into_iter().enumerate() {
        let spans = vec![
            Span::styled(format!(" {}", text::pad(label, 14)), context.theme.muted()),
            Span::raw(text::fit(&value, width.saturating_sub(14))),
        ];
        frame::line(buffer, inside, row as u16, spans);
    }
    if let Some(counts) = &run.results {
        let mut spans = vec![Span::raw(" ")];
        spans.extend(bar::spans(counts, width, context.theme));
        frame::line(buffer, inside, 5, spans);
        let (codes, left) = (
            counts::counted(counts),
            counts::left(counts, context.cx.shared.done_codes()),
        );
        let whole = if counts.total() == 0 {
            format!(" {codes}")
        } else {
            format!(" {codes} = {left}")
        };
        // Where not all fits, the sum is what must be read.
        let sum_first = format!(" {left}: {codes}");
        let counted = if text::width(&whole) <= width {
            whole
        } else {
            sum_first
        };
        frame::line(
            buffer,
            inside,
            6,
            vec![Span::raw(text::fit(&counted, width))],
        );
    } else {
        let words = " suite count, progress and results: only LIST_TEST_RUNS brings them";
        frame::line(
            buffer,
            inside,
            5,
            vec![Span::styled(words, context.theme.muted())],
        );
    }
}

fn lines(context: Context<'_>, run: &RunRow) -> [(&'static str, String); 5] {
    let of = |field: &Field| field.words(run, None);
    let scope = format!("{}  {}", fields::scope(run), of(&STATUS));
    let suites = format!(
        "{} by TestSuiteCount   Progress of the service {} (its formula is not documented)",
        of(&SUITES),
        of(&PROGRESS)
    );
    [
        (TITLE.label, of(&TITLE)),
        ("Scope", scope),
        (CONFIGURATION.label, of(&CONFIGURATION)),
        (EDITED.label, fields::edited(run, context.now)),
        (SUITES.label, suites),
    ]
}
