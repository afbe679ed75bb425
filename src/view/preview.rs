//! The preview pane: more of the run under the cursor, from what the list brought.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, bar, fields, text, widgets};
use crate::domain::fields::{CONFIGURATION, EDITED, Field, PROGRESS, STATUS, SUITES, TITLE};
use crate::domain::{ResultCode, ResultCounts, RunRow};

/// Draws the pane.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let run = context.store.screens.runs.current();
    let title = run.map_or("Preview".to_owned(), |run| {
        format!("Preview {}", run.name())
    });
    let inside = widgets::frame(buffer, area, &title, "Enter opens it", context.theme, false);
    let Some(run) = run else {
        widgets::line(
            buffer,
            inside,
            0,
            vec![Span::styled(
                " no run under the cursor",
                context.theme.dim(),
            )],
        );
        return;
    };
    let width = usize::from(inside.width).saturating_sub(2);
    for (row, (label, value)) in lines(context, run).into_iter().enumerate() {
        let spans = vec![
            Span::styled(format!(" {}", text::pad(label, 14)), context.theme.dim()),
            Span::raw(text::fit(&value, width.saturating_sub(14))),
        ];
        widgets::line(buffer, inside, row as u16, spans);
    }
    if let Some(counts) = &run.results {
        let mut spans = vec![Span::raw(" ")];
        spans.extend(bar::spans(counts, width, context.theme));
        widgets::line(buffer, inside, 5, spans);
        let (codes, left) = (
            counted(counts),
            left(counts, context.store.cx.shared.done_codes()),
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
        widgets::line(
            buffer,
            inside,
            6,
            vec![Span::raw(text::fit(&counted, width))],
        );
    } else {
        let words = " suite count, progress and results: only LIST_TEST_RUNS brings them";
        widgets::line(
            buffer,
            inside,
            5,
            vec![Span::styled(words, context.theme.dim())],
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

/// `116 cases, 46 left`, or why nobody can say.
pub fn left(counts: &ResultCounts, done: &[ResultCode]) -> String {
    match counts.sums(done) {
        Some(sums) => format!("{} cases, {} left", sums.total, sums.left()),
        None => format!("{} counts could not be read", counts.unread),
    }
}

/// The counts that are not zero, in the order of the bar: `Passed 57  Failed (new) 9`.
pub fn counted(counts: &ResultCounts) -> String {
    let named = ResultCode::BAR.iter().filter(|code| counts.get(**code) > 0);
    let mut parts: Vec<String> = named
        .map(|code| format!("{} {}", code.label(), counts.get(*code)))
        .collect();
    parts.extend(
        counts
            .others
            .iter()
            .map(|(code, label, count)| format!("{label} (code {code}) {count}")),
    );
    if parts.is_empty() {
        "no cases".into()
    } else {
        parts.join("  ")
    }
}
