//! JSON of a document.

use super::Detail;
use crate::screens::prelude::*;
use crate::ui::fields;

/// Cells of the cursor's sign.
const SIGN: u16 = 2;

/// Draws the screen.
pub fn draw(detail: &Detail, on: &mut Surface<'_>, area: Rect) {
    let (context, buffer) = (on.context, &mut *on.buffer);
    let title = format!("JSON of {}", detail.run.name());
    let inside = frame::pane(buffer, area, &title, "as it came", context.theme, true);
    on.layout.rows = Some(inside.height);
    // The sign of the cursor stands before each line.
    let lines = frame::from_column(inside, SIGN);
    on.layout.width = Some(lines.width);
    let width = usize::from(lines.width);
    let Some(opened) = detail.document.value() else {
        let words = match detail.document.failure() {
            Some(failure) => fields::failure(failure, width.saturating_sub(2)).join("\n"),
            None if detail.document.is_reading() => "reading".to_owned(),
            None => {
                let again =
                    context
                        .cx
                        .shared
                        .then_key(": ", Layer::Json, &Action::Refresh, "reads again");
                format!("given up{again}")
            }
        };
        return frame::words(buffer, inside, &words, Style::default());
    };
    let scroll = detail.json.list.scroll;
    on.layout.list_rows(inside, scroll.top, opened.json.len());
    let search = detail.json.list.search.text().to_lowercase();
    let shown_lines = opened.json.iter().skip(scroll.top);
    for ((place, line), row) in (scroll.top..).zip(shown_lines).zip(0..inside.height) {
        let hit = !search.is_empty() && line.to_lowercase().contains(&search);
        let style = if hit {
            context.theme.accent()
        } else {
            context.theme.text()
        };
        let line = Span::styled(shown(line, detail.json.left, width), style);
        frame::line(buffer, lines, row, vec![line]);
        let here = place == scroll.cursor;
        frame::cursor(buffer, inside, row, here, context.theme);
    }
}

/// Part of a line from column `left` on; a sign marks a cut.
fn shown(line: &str, left: usize, width: usize) -> String {
    let line = text::fit(line, left + width);
    match left {
        0 => line,
        left => format!("…{}", text::skip(&line, left + 1)),
    }
}

/// Text of the status line: place of the cursor, search, and the key that scrolls to the right.
pub fn status(context: Context<'_>, detail: &Detail) -> String {
    let line = detail.json.list.scroll.cursor + 1;
    let place = match detail.json_len() {
        // It is not read yet.
        0 => String::new(),
        lines => format!("line {line} of {lines}"),
    };
    let search = detail.json.list.search.text();
    let search = match search {
        "" => String::new(),
        _ if detail.json.missing => format!("  \"{search}\" not found"),
        _ => {
            let shared = &context.cx.shared;
            let keys = [&Action::NextMatch, &Action::PreviousMatch];
            let keys = keys
                .into_iter()
                .filter_map(|action| shared.key(Layer::Json, action));
            match &*text::join(keys, " ") {
                "" => format!("  search \"{search}\""),
                keys => format!("  search \"{search}\": {keys}"),
            }
        }
    };
    let more = if detail.json_goes_on() {
        let does = "shows more of a line that is cut";
        context
            .cx
            .shared
            .then_key("   ", Layer::Json, &Action::ScrollRight, does)
    } else {
        String::new()
    };
    format!("{place}{search}{more}")
}
