//! What drawing found out: heights that movements depend on.

use ratatui::layout::Rect;

/// Heights of what was drawn, in rows; `None` where something was not drawn and stays as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// Rows of the list of the screen on top.
    pub rows: Option<u16>,
    /// The rows of the list that scrolls as a whole, with the place of its first row: what the terminal can move by
    /// itself, and what a mouse click points into.
    pub list: Option<(Rect, u64)>,
    /// Columns of the list.
    pub width: Option<u16>,
    /// The preview pane was drawn with the list.
    pub preview: bool,
    /// Lines of the focused part of the detail screen.
    pub part: Option<u16>,
    /// Last possible first line of each part.
    pub last_tops: [Option<u16>; 5],
    /// Columns of a field of the form.
    pub form: Option<u16>,
    /// Last possible first line of a review.
    pub review: Option<u16>,
    /// Last possible first line of the explanation beside them.
    pub why: u16,
    /// Last possible first line of the box that deletes.
    pub delete: Option<u16>,
    /// Last possible first line of the preview of a write.
    pub confirm: Option<u16>,
    /// Last possible first line of a suite in full.
    pub suite: Option<u16>,
    /// Lines of the journal.
    pub journal: Option<u16>,
    /// Entries of the picker.
    pub picker: Option<u16>,
    /// Entries of the error list.
    pub errors: Option<u16>,
    /// Rows of the help.
    pub help: Option<u16>,
    /// Lines of the feed.
    pub feed: Option<u16>,
}
