//! Frames, text fields and lines that several screens share.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Widget};

use crate::ui::text;
use crate::ui::text_input::Input;
use crate::ui::theme::Theme;

/// Draws a frame with a title on the left and one on the right; returns the area inside.
pub fn frame(
    buffer: &mut Buffer,
    area: Rect,
    left: &str,
    right: &str,
    theme: Theme,
    focus: bool,
) -> Rect {
    let room = usize::from(area.width.saturating_sub(4));
    let left = text::fit(left, room);
    let rest = room.saturating_sub(text::width(&left) + 4);
    let right = if text::width(right) <= rest {
        text::fit(right, rest)
    } else {
        String::new()
    };
    let border = if focus { theme.title() } else { theme.dim() };
    let mut block = Block::bordered()
        .border_style(border)
        .title(Span::styled(format!(" {left} "), theme.title()));
    if !right.is_empty() {
        block = block
            .title(Line::from(Span::styled(format!(" {right} "), theme.dim())).right_aligned());
    }
    let inside = block.inner(area);
    block.render(area, buffer);
    inside
}

/// Clears a place in the middle of `area` and draws a frame there; returns the area inside.
pub fn popup(
    buffer: &mut Buffer,
    area: Rect,
    size: (u16, u16),
    left: &str,
    right: &str,
    theme: Theme,
) -> Rect {
    let width = size.0.min(area.width);
    let height = size.1.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    Clear.render(place, buffer);
    // A wide letter that reaches under the frame is taken away whole.
    for y in place.y..place.bottom() {
        if let Some(cell) = place.x.checked_sub(1).and_then(|x| buffer.cell_mut((x, y)))
            && text::width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
    frame(buffer, place, left, right, theme, true)
}

/// Draws one line of styled text, cut at the width.
pub fn line(buffer: &mut Buffer, area: Rect, row: u16, spans: Vec<Span<'_>>) {
    if row < area.height {
        buffer.set_line(area.x, area.y + row, &Line::from(spans), area.width);
    }
}

/// Draws a text field: underlined over its width, the cursor as a reversed cell that is always in view.
pub fn field(buffer: &mut Buffer, area: Rect, input: &Input, focus: bool, theme: Theme) {
    let width = usize::from(area.width);
    if width == 0 || area.height == 0 {
        return;
    }
    let shown = input.shown();
    let before: String = shown.chars().take(input.cursor()).collect();
    let before = text::cells(&before).into_owned();
    let whole = text::cells(&shown).into_owned();
    let cursor = text::width(&before);
    // The part that is left of the field when the cursor is far to the right.
    let hidden = (cursor + 1).saturating_sub(width);
    let visible = text::skip(&whole, hidden);
    let skipped = text::width(&whole) - text::width(&visible);
    let style = theme.text().add_modifier(Modifier::UNDERLINED);
    buffer.set_stringn(area.x, area.y, text::pad(&visible, width), width, style);
    if focus {
        let x = area.x + (cursor.saturating_sub(skipped).min(width - 1)) as u16;
        if let Some(cell) = buffer.cell_mut((x, area.y)) {
            cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
        }
    }
}

/// A hint such as `Enter open`.
pub fn hint(key: &str, label: &str, theme: Theme) -> [Span<'static>; 3] {
    [
        Span::styled(key.to_owned(), theme.key()),
        Span::raw(" "),
        Span::styled(format!("{label}  "), theme.text()),
    ]
}

/// Shows that the cursor is on this row of a list.
pub fn cursor(buffer: &mut Buffer, list: Rect, row: u16, here: bool, theme: Theme) {
    if here && row < list.height {
        let line = Rect {
            y: list.y + row,
            height: 1,
            ..list
        };
        buffer.set_style(line, theme.selected());
        buffer[(line.x, line.y)].set_symbol(">");
    }
}
