//! The JSON of a document.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, Drawn, fields, text, widgets};

/// Draws the screen.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let Some(detail) = &context.store.screens.run else {
        return;
    };
    let title = format!("JSON of {}", detail.doc_ref);
    let inside = widgets::frame(
        buffer,
        area,
        &title,
        "GET_DOCUMENT, as it came",
        context.theme,
        true,
    );
    drawn.laid.json = Some(inside.height);
    let width = usize::from(inside.width);
    let Some(opened) = detail.document.value() else {
        let lines = match detail.document.failure() {
            Some(failure) => fields::failure(failure, width.saturating_sub(2)),
            None if detail.document.is_reading() => vec!["reading".into()],
            None => vec!["given up: r reads again".into()],
        };
        for (row, line) in lines.into_iter().enumerate() {
            widgets::line(
                buffer,
                inside,
                row as u16,
                vec![Span::raw(format!(" {line}"))],
            );
        }
        return;
    };
    let scroll = detail.json.scroll;
    drawn.list = Some((inside, scroll.top));
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
            context.theme.key()
        } else {
            context.theme.text()
        };
        widgets::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(text::fit(line, width), style)],
        );
        if scroll.top + row as u64 == scroll.cursor {
            buffer.set_style(
                Rect {
                    y: inside.y + row as u16,
                    height: 1,
                    ..inside
                },
                context.theme.selected(),
            );
        }
    }
}
