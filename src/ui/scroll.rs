//! Cursor and visible rows of a list.

use std::ops::RangeInclusive;

use ratatui::prelude::{Rect, Span};

use crate::store::{Action, Motion};
use crate::ui::{Layout, Surface, frame, text};

/// Position in a list. Rows count from 0; the length of the list is a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scroll {
    /// Row under the cursor.
    pub cursor: usize,
    /// First visible row.
    pub top: usize,
    /// Rows on the screen, at least 1.
    pub height: usize,
}

impl Default for Scroll {
    fn default() -> Self {
        Self {
            cursor: 0,
            top: 0,
            height: 1,
        }
    }
}

impl Scroll {
    /// Moves the cursor in a list of `len` rows.
    pub fn go(&mut self, motion: Motion, len: usize) {
        let rows = match motion {
            Motion::Up | Motion::Down | Motion::WheelUp | Motion::WheelDown => 1,
            Motion::HalfPageUp | Motion::HalfPageDown => (self.height / 2).max(1),
            Motion::PageUp | Motion::PageDown => self.height,
            Motion::First | Motion::Last => usize::MAX,
        };
        let away = match motion {
            Motion::Up | Motion::WheelUp | Motion::HalfPageUp | Motion::PageUp | Motion::First => {
                usize::saturating_sub
            }
            _ => usize::saturating_add,
        };
        self.cursor = away(self.cursor, rows);
        if matches!(motion, Motion::PageUp | Motion::PageDown) {
            self.top = away(self.top, rows);
        }
        self.fit(len);
    }

    /// Handles a key or click that moves the cursor; true if it does.
    pub fn update(&mut self, action: &Action, len: usize) -> bool {
        match action {
            Action::Move(motion) => self.go(*motion, len),
            Action::Point(row) => self.point(*row, len),
            _ => return false,
        }
        true
    }

    /// Moves to the first row.
    pub fn rewind(&mut self) {
        (self.cursor, self.top) = (0, 0);
    }

    /// Puts the cursor on a row of the screen, if the list has one there.
    pub fn point(&mut self, row: u16, len: usize) {
        let wanted = self.top.saturating_add(usize::from(row));
        if wanted < len && usize::from(row) < self.height {
            self.cursor = wanted;
        }
    }

    /// Takes changed rows: the cursor goes where its row is now, if that is still there.
    pub fn stay_on(&mut self, row: Option<usize>, len: usize) {
        match row {
            Some(row) => self.follow(row, len),
            None => self.fit(len),
        }
    }

    /// Moves the cursor to a row and keeps its place on the screen; at the top of the list the list does not scroll, so
    /// that new rows are visible.
    pub fn follow(&mut self, to: usize, len: usize) {
        let at_top = self.top == 0 && to < self.height;
        let place = if at_top {
            to
        } else {
            self.cursor.saturating_sub(self.top)
        };
        self.cursor = to;
        self.top = to.saturating_sub(place);
        self.fit(len);
    }

    /// Returns the rows between a row and the cursor, both included.
    pub fn span(&self, place: usize) -> RangeInclusive<usize> {
        place.min(self.cursor)..=place.max(self.cursor)
    }

    /// Sets the number of visible rows; true if anything has moved, or all rows are in sight now or no longer.
    pub fn set_height(&mut self, height: u16, len: usize) -> bool {
        let before = *self;
        self.height = usize::from(height.max(1));
        self.fit(len);
        let hides = |it: &Self| len > it.height;
        (self.cursor, self.top) != (before.cursor, before.top) || hides(self) != hides(&before)
    }

    /// Takes the layout of the last frame. Returns true if cursor or top moved.
    pub fn laid_out(&mut self, layout: &Layout, len: usize) -> bool {
        let rows = layout.rows;
        rows.is_some_and(|rows| self.set_height(rows, len))
    }

    /// Draws the list of a screen, with clickable rows.
    pub fn draw_list<'a>(
        &self,
        len: usize,
        line: impl Fn(usize) -> Vec<Span<'a>>,
        on: &mut Surface<'_>,
        area: Rect,
    ) {
        on.layout.list_rows(area, self.top, len);
        self.draw(len, line, on, area);
    }

    /// Returns the number of rows that are not among the `shown` visible ones: `34 more below`; empty if all are.
    pub fn more(&self, len: usize, shown: usize) -> String {
        let hidden = len.saturating_sub(shown);
        match self.top {
            _ if hidden == 0 => String::new(),
            0 => format!("{} more below", text::thousands(hidden)),
            top if top >= hidden => format!("{} more above", text::thousands(hidden)),
            top => {
                let [above, below] = [top, hidden - top].map(text::thousands);
                format!("{above} more above, {below} below")
            }
        }
    }

    /// Draws the visible rows of a list of `len`, with the cursor; `line` returns the line of a row.
    pub fn draw<'a>(
        &self,
        len: usize,
        line: impl Fn(usize) -> Vec<Span<'a>>,
        on: &mut Surface<'_>,
        area: Rect,
    ) {
        let theme = on.context.theme;
        for (place, row) in (self.top..len).zip(0..area.height) {
            frame::line(on.buffer, area, row, line(place));
            frame::cursor(on.buffer, area, row, place == self.cursor, theme);
        }
    }

    /// Moves cursor and top back into a list of `len` rows.
    pub fn fit(&mut self, len: usize) {
        self.cursor = self.cursor.min(len.saturating_sub(1));
        self.top = self
            .top
            .min(len.saturating_sub(self.height))
            .min(self.cursor)
            .max(self.cursor.saturating_sub(self.height - 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cursor_stays_in_the_list_and_on_the_screen() {
        let mut scroll = Scroll::default();
        scroll.set_height(10, 25);
        for (motion, cursor, top) in [
            (Motion::Up, 0, 0),
            (Motion::Down, 1, 0),
            (Motion::PageDown, 11, 10),
            (Motion::PageDown, 21, 15),
            (Motion::PageDown, 24, 15),
            (Motion::HalfPageUp, 19, 15),
            (Motion::First, 0, 0),
            (Motion::Last, 24, 15),
            (Motion::PageUp, 14, 5),
            (Motion::HalfPageDown, 19, 10),
        ] {
            scroll.go(motion, 25);
            assert_eq!((scroll.cursor, scroll.top), (cursor, top), "{motion:?}");
        }
        // A click after the last row, or below the rows of the screen, has no effect.
        for (row, len, cursor) in [(9, 25, 19), (2, 25, 12), (10, 25, 12), (3, 13, 12)] {
            scroll.point(row, len);
            assert_eq!(scroll.cursor, cursor, "row {row} of {len}");
        }
        // Half of one row is one.
        scroll.set_height(1, 25);
        scroll.go(Motion::HalfPageUp, 25);
        scroll.set_height(30, 25);
        assert_eq!((scroll.cursor, scroll.top), (11, 0));
        scroll.fit(0);
        assert_eq!((scroll.cursor, scroll.top), (0, 0));
    }
}
