//! The steps of deleting runs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

use super::{Context, Drawn, widgets};

/// Draws the screen.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, _drawn: &mut Drawn) {
    widgets::frame(buffer, area, "", "", context.theme, true);
}
