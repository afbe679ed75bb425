//! The JSON of a document.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::Detail;
use crate::store::layer::Layer;
use crate::store::message::Action;
use crate::ui::layout::Layout;
use crate::ui::{Context, fields, frame, text};

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    detail: &Detail,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let title = format!("JSON of {}", detail.doc_ref);
    let inside = frame::pane(buffer, area, &title, "as it came", context.theme, true);
    layout.rows = Some(inside.height);
    layout.width = Some(inside.width);
    let width = usize::from(inside.width);
    let Some(opened) = detail.document.value() else {
        let lines = match detail.document.failure() {
            Some(failure) => fields::failure(failure, width.saturating_sub(2)),
            None if detail.document.is_reading() => vec!["reading".into()],
            None => {
                let again = &Action::Refresh;
                let shared = &context.cx.shared;
                let again = shared.then_key(": ", Layer::Json, again, "reads again");
                vec![format!("given up{again}")]
            }
        };
        return frame::words(buffer, inside, &lines.join("\n"), Style::default());
    };
    let scroll = detail.json.scroll;
    layout.list_rows(inside, scroll.top, opened.json.len() as u64);
    let search = detail.json.search.text().to_lowercase();
    for (row, line) in opened
        .json
        .iter()
        .skip(scroll.top as usize)
        .take(usize::from(inside.height))
        .enumerate()
    {
        let hit = !search.is_empty() && line.to_lowercase().contains(&search);
        let style = if hit {
            context.theme.accent()
        } else {
            context.theme.text()
        };
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(shown(line, detail.json.left, width), style)],
        );
        if scroll.top + row as u64 == scroll.cursor {
            buffer.set_style(
                Rect {
                    y: inside.y + row as u16,
                    height: 1,
                    ..inside
                },
                Style::new().reversed(),
            );
        }
    }
}

/// So many columns of a line, without the first ones; a sign stands where it is cut.
fn shown(line: &str, left: usize, width: usize) -> String {
    let line = text::fit(line, left + width);
    match left {
        0 => line,
        left => format!("…{}", text::skip(&line, left + 1)),
    }
}

/// Where the cursor is, what is searched, and how more is seen of a line that is cut.
pub fn status(context: Context<'_>, detail: &Detail) -> String {
    let line = detail.json.scroll.cursor + 1;
    let search = detail.json.search.text();
    let search = match (search.is_empty(), detail.json.missing) {
        (true, _) => String::new(),
        (false, true) => format!("  {search:?} not found"),
        (false, false) => format!("  search {search:?}: n N"),
    };
    let more = if detail.json_goes_on() {
        let shared = &context.cx.shared;
        let does = "shows more of a line that is cut";
        shared.then_key("   ", Layer::Json, &Action::ScrollRight, does)
    } else {
        String::new()
    };
    format!("line {line} of {}{search}{more}", detail.json_len())
}
