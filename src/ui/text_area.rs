//! Text field of a form, of one line or of many.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use tui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use super::text;
use super::text_input::{CRLF, breaks, edit, jump, pages, redoes, types, undoes};
use crate::domain::text::on_one_line;

/// Maximum length of a field, in bytes.
const LONGEST: usize = 256 * 1024;
/// Maximum number of undo steps in a field.
const UNDO_STEPS: usize = 500;
/// Maximum number of fields kept before a text that the widget could not put in.
const REPLACED: usize = 20;
/// Rows of a page.
const PAGE: isize = 10;

/// Text field with the editing keys of the text area widget: undo and redo, words, yank. Every character is kept: one
/// that cannot be shown only has a mark on the screen.
#[derive(Clone)]
pub struct FieldText {
    inner: TextArea<'static>,
    /// Line end of the last text put in.
    end: &'static str,
    /// More than one line is possible.
    pub many_lines: bool,
    /// Texts that replaced another one, which are two steps of the widget.
    put_in: Vec<String>,
    /// The field before each text that the widget could not put in, the last one at the end.
    before: Vec<Self>,
    /// Cursor after the last walk, and the column from which it began.
    walked: ((usize, usize), usize),
}

impl FieldText {
    /// Creates a field with this text, the cursor at its end.
    pub fn new(text: &str, many_lines: bool) -> Self {
        let end = end_of(text);
        Self {
            inner: area_of(text, many_lines.then_some(end)),
            end,
            many_lines,
            put_in: Vec::new(),
            before: Vec::new(),
            walked: ((usize::MAX, 0), 0),
        }
    }

    /// Replaces the text; the step can be undone, and redone unless the text has mixed line ends. If all line ends differ from those before, the field takes them over.
    /// Returns true if the text has changed.
    pub fn replace(&mut self, text: &str) -> bool {
        if self.text() == text {
            return false;
        }
        let mut text = Cow::Borrowed(text);
        if self.many_lines && [self.end, end_of(&text)].contains(&CRLF) {
            text = text.replace(CRLF, "\n").into();
        }
        if self.many_lines && !text.contains('\r') || !text.contains(['\r', '\n']) {
            let was_empty = self.text().is_empty();
            // `select_all` of the widget goes no further than line and character 65,535.
            for to in [CursorMove::Top, CursorMove::Head] {
                self.inner.move_cursor(to);
            }
            self.inner.start_selection();
            for to in [CursorMove::Bottom, CursorMove::End] {
                self.inner.move_cursor(to);
            }
            self.inner.cut();
            self.inner.set_yank_text("");
            self.inner.insert_str(text);
            // An empty text has nothing to cut.
            let text = self.text();
            if !was_empty && !self.put_in.contains(&text) {
                self.put_in.push(text);
            }
        } else {
            // The widget would take them for line ends.
            let mut before = std::mem::take(&mut self.before);
            before.push(self.clone());
            before.drain(..before.len().saturating_sub(REPLACED));
            self.before = before;
            self.put_in.clear();
            self.inner = area_of(&text, self.many_lines.then_some("\n"));
        }
        true
    }

    /// Returns the text of the field.
    pub fn text(&self) -> String {
        self.inner.lines().join(self.end)
    }

    /// Returns the lines, without their ends.
    pub fn lines(&self) -> &[String] {
        self.inner.lines()
    }

    /// Returns line and character of the cursor, from 0.
    pub fn cursor(&self) -> (usize, usize) {
        let cursor = self.inner.cursor();
        (cursor.0, cursor.1)
    }

    /// Puts the cursor before a character of the first line.
    pub fn go_to(&mut self, character: usize) {
        jump(&mut self.inner, (0, character));
    }

    /// Returns what a key adds to the text if there is room.
    pub fn adds(&self, key: KeyEvent) -> Option<char> {
        match key.code {
            KeyCode::Char(c) if types(key) && !key.modifiers.contains(KeyModifiers::ALT) => Some(c),
            _ => (self.many_lines && breaks(key)).then_some('\n'),
        }
    }

    /// Handles a key; true if the text has changed. `width` is that of the field on the screen, in columns.
    pub fn key(&mut self, key: KeyEvent, width: usize) -> bool {
        if self.adds(key).is_some() && self.length() >= LONGEST {
            return false;
        }
        if breaks(key) {
            if self.many_lines {
                self.inner.insert_newline();
            }
            return self.many_lines;
        }
        if let Some(down) = pages(key) {
            self.walk(width, if down { PAGE } else { -PAGE });
            return false;
        }
        match key.code {
            KeyCode::Up => self.walk(width, -1),
            KeyCode::Down => self.walk(width, 1),
            _ if undoes(key) || redoes(key) => return self.step(key),
            _ => {
                let changed = edit(&mut self.inner, key);
                // Text cut from one line is pasted into one line.
                if !self.many_lines && self.inner.yank_text().contains('\n') {
                    self.inner
                        .set_yank_text(on_one_line(&self.inner.yank_text()));
                }
                return changed;
            }
        };
        false
    }

    /// Handles undo or redo, with both steps of a replaced text.
    fn step(&mut self, key: KeyEvent) -> bool {
        let before = self.text();
        let changed = edit(&mut self.inner, key);
        if let Some(last) = self.before.pop_if(|_| !changed && undoes(key)) {
            let before = std::mem::take(&mut self.before);
            *self = Self { before, ..last };
            return true;
        }
        if self.text().is_empty() && (redoes(key) || self.put_in.contains(&before)) {
            let again = edit(&mut self.inner, key);
            if again && redoes(key) && !self.put_in.contains(&self.text()) {
                self.inner.undo();
            }
        }
        changed
    }

    /// Moves so many rows down in the wrapped text, or up; `false` at the first and the last one. Rows that are too short
    /// on the way do not change the column.
    pub fn walk(&mut self, width: usize, by: isize) -> bool {
        let (line, at) = self.cursor();
        let rows = rows_of(self.inner.lines(), width);
        let Some(here) = row_of(self.inner.lines(), &rows, (line, at)) else {
            return false;
        };
        let to = here.saturating_add_signed(by).min(rows.len() - 1);
        if to == here {
            return false;
        }
        let (line, range) = rows[to].clone();
        if self.walked.0 != self.cursor() {
            let (line, range) = &rows[here];
            let text = &self.inner.lines()[*line];
            let cursor = text::byte_of(text, at);
            self.walked.1 = columns(&text[range.start..cursor.max(range.start)]);
        }
        let column = self.walked.1;
        let text = &self.inner.lines()[line];
        let mut used = 0;
        let mut byte = range.start;
        for grapheme in text[range.clone()].graphemes(true) {
            used += columns(grapheme);
            if used > column {
                break;
            }
            byte += grapheme.len();
        }
        // The end of a wrapped row is the beginning of the next one.
        if byte == range.end && range.end < text.len() {
            byte = text[range.clone()]
                .grapheme_indices(true)
                .next_back()
                .map_or(byte, |(at, _)| range.start + at);
        }
        let characters = text[..byte].chars().count();
        self.walked.0 = (line, characters);
        if jump(&mut self.inner, (line, characters)) {
            return true;
        }
        // It goes there by characters, as a row is near.
        let (step, order) = if to > here {
            (CursorMove::Forward, Ordering::Less)
        } else {
            (CursorMove::Back, Ordering::Greater)
        };
        while self.cursor().cmp(&(line, characters)) == order {
            let before = self.cursor();
            self.inner.move_cursor(step);
            if self.cursor() == before {
                break;
            }
        }
        true
    }

    /// Inserts pasted text if there is room for all of it. In a field of one line, line breaks become spaces.
    pub fn paste(&mut self, text: &str) -> bool {
        let clean = if self.many_lines {
            text.replace(CRLF, "\n").replace('\r', "\n")
        } else {
            on_one_line(text)
        };
        !clean.is_empty() && self.has_room(&clean) && self.inner.insert_str(clean)
    }

    /// Returns true if there is room for all of a pasted text.
    pub fn has_room(&self, text: &str) -> bool {
        // A line end counts once, however it is written.
        self.length() + text.len() - text.matches(CRLF).count() <= LONGEST
    }

    /// Returns the beginning of a typed text for which there is room.
    pub fn fitting<'a>(&self, text: &'a str) -> &'a str {
        let room = LONGEST.saturating_sub(self.length());
        &text[..text.floor_char_boundary(room)]
    }

    fn length(&self) -> usize {
        self.inner.lines().iter().map(|line| line.len() + 1).sum()
    }
}

fn area_of(text: &str, end: Option<&str>) -> TextArea<'static> {
    let lines = match end {
        Some(end) => text.split(end).map(str::to_owned).collect(),
        None => vec![text.to_owned()],
    };
    let mut area = TextArea::new(lines);
    area.set_max_histories(UNDO_STEPS);
    area.move_cursor(CursorMove::Bottom);
    area.move_cursor(CursorMove::End);
    area
}

/// Returns the line end of a text; with mixed ones, a `\r` is a character like any other.
fn end_of(text: &str) -> &'static str {
    if text.contains(CRLF) && !text.replace(CRLF, "").contains('\n') {
        CRLF
    } else {
        "\n"
    }
}

/// Returns the columns of a text on the screen.
fn columns(text: &str) -> usize {
    text::width(&text::cells(text))
}

/// Returns the rows of lines wrapped to so many columns: number of the line, and bytes of it.
pub fn rows_of(lines: &[String], width: usize) -> Vec<(usize, Range<usize>)> {
    let width = width.max(2);
    let mut rows = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let (mut start, mut used, mut space) = (0, 0, None);
        for (at, grapheme) in line.grapheme_indices(true) {
            let wide = columns(grapheme);
            if used + wide > width {
                let end = space.filter(|end| *end > start).unwrap_or(at);
                rows.push((number, start..end));
                used = columns(&line[end..at]);
                (start, space) = (end, None);
            }
            used += wide;
            if grapheme == " " {
                space = Some(at + 1);
            }
        }
        rows.push((number, start..line.len()));
    }
    rows
}

/// Returns the row of the cursor.
pub fn row_of(
    lines: &[String],
    rows: &[(usize, Range<usize>)],
    (line, at): (usize, usize),
) -> Option<usize> {
    let byte = text::byte_of(lines.get(line)?, at);
    rows.iter()
        .rposition(|(number, range)| *number == line && range.start <= byte)
}

impl PartialEq for FieldText {
    fn eq(&self, other: &Self) -> bool {
        self.inner.lines() == other.inner.lines()
            && self.cursor() == other.cursor()
            && (self.end, self.many_lines) == (other.end, other.many_lines)
    }
}

impl fmt::Debug for FieldText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FieldText")
            .field(&self.inner.lines())
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::text_input::Input;

    fn press(area: &mut FieldText, code: KeyCode) -> bool {
        area.key(KeyEvent::from(code), 10)
    }

    #[test]
    fn an_untouched_text_comes_back_byte_for_byte() {
        for text in [
            "",
            "a\r\nb",
            "a\nb\r\nc\n",
            "one line",
            "tab\tand \u{1b}[2J",
            "a\n",
            "\r\n",
            "e\u{301}",
        ] {
            assert_eq!(FieldText::new(text, true).text(), text);
            assert_eq!(FieldText::new(text, false).text(), text);
        }
    }

    #[test]
    fn what_was_not_typed_stays_when_something_is_typed() {
        for many_lines in [false, true] {
            for text in [
                "a\rb",
                "a\r\nb\nc\r",
                "\u{1b}[2J\t\u{9b}\u{202e}\u{e0041}",
                "می\u{200c}خواهم",
                "a\nb",
            ] {
                let mut area = FieldText::new(text, many_lines);
                press(&mut area, KeyCode::Char('x'));
                assert_eq!(area.text(), format!("{text}x"));
                let mut other = FieldText::new("other\ntext", many_lines);
                assert!(other.replace(text));
                assert_eq!(other.text(), text);
            }
        }
    }

    #[test]
    fn what_is_cut_out_of_one_line_is_put_back_into_one_line() {
        let mut area = FieldText::new("a\r\nb\nc", false);
        press(&mut area, KeyCode::Home);
        for (key, text) in [('k', ""), ('y', "a b c"), ('z', ""), ('7', "a\r\nb\nc")] {
            area.key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL), 10);
            assert_eq!(area.text(), text);
        }
    }

    #[test]
    fn windows_line_ends_stay_where_a_line_is_added() {
        let mut area = FieldText::new("a\r\nb", true);
        press(&mut area, KeyCode::Enter);
        press(&mut area, KeyCode::Char('c'));
        assert_eq!(area.text(), "a\r\nb\r\nc");
    }

    #[test]
    fn every_text_field_has_the_keys_of_a_line_in_a_shell_and_undo() {
        const ALL: &str = "one two three";
        let keys = |words: &str| -> Vec<KeyEvent> {
            let key = |word: &str| match (word.split_once('-'), word) {
                (Some((modifier, key)), _) => {
                    let code = match key {
                        "←" => KeyCode::Left,
                        "→" => KeyCode::Right,
                        key => KeyCode::Char(key.chars().next().unwrap()),
                    };
                    let modifier = match modifier {
                        "C" => KeyModifiers::CONTROL,
                        "A" => KeyModifiers::ALT,
                        _ => KeyModifiers::SHIFT,
                    };
                    KeyEvent::new(code, modifier)
                }
                (None, "Home") => KeyEvent::from(KeyCode::Home),
                (None, "End") => KeyEvent::from(KeyCode::End),
                (None, key) => KeyEvent::from(KeyCode::Char(key.chars().next().unwrap())),
            };
            words.split(' ').map(key).collect()
        };
        for (pressed, text, cursor) in [
            ("C-a", ALL, 0),
            ("Home", ALL, 0),
            ("Home C-e", ALL, 13),
            ("C-a End", ALL, 13),
            ("A-b", ALL, 8),
            ("C-← C-←", ALL, 4),
            ("C-a A-f", ALL, 4),
            ("C-a C-→ C-→", ALL, 8),
            ("C-w", "one two ", 8),
            ("A-b C-u", "three", 0),
            ("A-b C-k", "one two ", 8),
            ("C-a C-u", ALL, 0),
            // Deleted text is restored, and deleted again.
            ("C-w C-z", ALL, 13),
            ("A-b C-u C-_", ALL, 8),
            ("A-b C-k C-7", ALL, 13),
            ("C-w C-w C-/ C-/ C-r", "one two ", 8),
            ("x y C-z C-z C-r", "one two threex", 14),
            // A field of one line stays one.
            ("C-j C-m x", "one two threex", 14),
            // No invisible selection.
            ("S-← S-← x", "one two thrxee", 12),
        ] {
            let mut input = Input::with_text(ALL);
            let mut area = FieldText::new(ALL, false);
            for key in keys(pressed) {
                let before = area.text();
                assert_eq!(area.key(key, 40), area.text() != before, "{pressed}");
                input.key(key);
            }
            let field = (area.text(), area.cursor().1);
            assert_eq!(field, (text.to_owned(), cursor), "{pressed}");
            assert_eq!(
                field,
                (input.text().to_owned(), input.cursor()),
                "{pressed}"
            );
        }
        // In a text of several lines the one above is kept.
        let mut area = FieldText::new("one\n", true);
        for key in keys("x C-u C-u") {
            area.key(key, 40);
        }
        assert_eq!(area.text(), "one\n");
    }

    #[test]
    fn a_letter_of_several_characters_is_one_for_the_keys_of_every_field() {
        // A family, an accent that follows its letter, a flag, a tone of skin, a syllable.
        for letter in ["👨\u{200d}👩\u{200d}👧", "e\u{301}", "🇩🇪", "👍🏽", "한"] {
            let text = format!("a{letter}b");
            let end = 1 + letter.chars().count();
            let left = |keys: &[KeyEvent]| {
                let mut input = Input::with_text(&text);
                let mut area = FieldText::new(&text, true);
                for key in [KeyCode::Left.into()].iter().chain(keys) {
                    let before = area.text();
                    assert_eq!(area.key(*key, 40), area.text() != before, "{key:?}");
                    input.key(*key);
                }
                let field = (area.text(), area.cursor().1);
                assert_eq!(field, (input.text().to_owned(), input.cursor()));
                field
            };
            let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
            let key = KeyEvent::from;
            for (back, on, takes, deletes) in [
                (
                    key(KeyCode::Left),
                    key(KeyCode::Right),
                    key(KeyCode::Backspace),
                    key(KeyCode::Delete),
                ),
                (control('b'), control('f'), control('h'), control('d')),
            ] {
                assert_eq!(left(&[back]), (text.clone(), 1));
                assert_eq!(left(&[back, on]), (text.clone(), end));
                assert_eq!(left(&[takes]), ("ab".into(), 1));
                assert_eq!(left(&[back, deletes]), ("ab".into(), 1));
                assert_eq!(left(&[back, back, deletes]), (text[1..].into(), 0));
                // Brought back in one step; what was cut before can still be put in.
                let cut = [control('k'), takes, control('y')];
                assert_eq!(left(&cut), ("ab".into(), 2));
                assert_eq!(left(&[takes, control('z')]).0, text);
                assert_eq!(left(&[back, deletes, control('z'), control('r')]).0, "ab");
            }
        }
        // At the ends of a line.
        let mut area = FieldText::new("e\u{301}\nb", true);
        for (code, place) in [
            (KeyCode::Home, (1, 0)),
            (KeyCode::Left, (0, 2)),
            (KeyCode::Left, (0, 0)),
            (KeyCode::Right, (0, 2)),
            (KeyCode::Right, (1, 0)),
        ] {
            press(&mut area, code);
            assert_eq!(area.cursor(), place);
        }
        press(&mut area, KeyCode::Backspace);
        assert_eq!(area.text(), "e\u{301}b");
        // Letters of no columns.
        let mut area = FieldText::new("\u{200d}\na\u{200d}\n\u{301}\u{301}b", true);
        for (code, place) in [
            (KeyCode::Left, (2, 2)),
            (KeyCode::Left, (2, 0)),
            (KeyCode::Left, (1, 2)),
            (KeyCode::Left, (1, 0)),
            (KeyCode::Left, (0, 1)),
            (KeyCode::Left, (0, 0)),
            (KeyCode::Left, (0, 0)),
            (KeyCode::Delete, (0, 0)),
        ] {
            press(&mut area, code);
            assert_eq!(area.cursor(), place);
        }
        assert_eq!(area.text(), "\na\u{200d}\n\u{301}\u{301}b");
        // Of a password each character is a star.
        let mut hidden = Input::with_text("e\u{301}").masked();
        hidden.key(KeyCode::End.into());
        hidden.key(KeyCode::Backspace.into());
        assert_eq!(hidden.text(), "e");
    }

    #[test]
    fn rows_are_wrapped_at_spaces_and_the_cursor_walks_over_them() {
        let mut area = FieldText::new("one two three 漢字漢字漢字\nx", true);
        let lines = area.lines().to_vec();
        let rows = rows_of(&lines, 10);
        let texts: Vec<&str> = rows
            .iter()
            .map(|(line, range)| &lines[*line][range.clone()])
            .collect();
        assert_eq!(texts, ["one two ", "three ", "漢字漢字漢", "字", "x"]);
        for expected in [3, 2, 1, 0] {
            assert!(area.walk(10, -1));
            let (line, at) = area.cursor();
            assert_eq!(row_of(&lines, &rows, (line, at)), Some(expected));
        }
        assert!(!area.walk(10, -1), "there is nothing above the first row");
        // Letters that fonts join have their own columns.
        let lines = ["aaaa لالالا bbbb".to_owned()];
        assert_eq!(rows_of(&lines, 10).len(), 3);
    }

    #[test]
    fn rows_are_walked_in_one_column_and_pages_end_at_the_first_and_the_last_row() {
        let text = "long enough\n\nx\nlong again\n".to_owned() + &"row\n".repeat(30);
        let mut area = FieldText::new(&text, true);
        let mut press = |code: KeyCode, modifiers| {
            assert!(!area.key(KeyEvent::new(code, modifiers), 40));
            area.cursor()
        };
        let (none, control) = (KeyModifiers::NONE, KeyModifiers::CONTROL);
        assert_eq!(press(KeyCode::PageUp, none), (24, 0));
        assert_eq!(press(KeyCode::Char('v'), control), (34, 0));
        assert_eq!(press(KeyCode::PageDown, none), (34, 0));
        for row in [24, 14, 4, 0] {
            assert_eq!(press(KeyCode::Char('v'), KeyModifiers::ALT), (row, 0));
        }
        press(KeyCode::End, none);
        // Shorter rows between do not take the column away, another key does.
        for place in [(1, 0), (2, 1), (3, 10)] {
            assert_eq!(press(KeyCode::Down, none), place);
        }
        press(KeyCode::Left, none);
        for place in [(2, 1), (1, 0), (0, 9)] {
            assert_eq!(press(KeyCode::Up, none), place);
        }
        let mut one_line = FieldText::new("a title", false);
        assert!(!one_line.key(KeyEvent::from(KeyCode::PageDown), 40));
        assert_eq!(one_line.cursor(), (0, 7));
    }

    #[test]
    fn in_a_line_of_any_length_the_cursor_walks_by_one_row() {
        for text in [format!("{}END", "w".repeat(70_000)), "\n".repeat(70_000)] {
            let mut area = FieldText::new(&text, true);
            let row = |area: &FieldText| {
                let rows = rows_of(area.lines(), 59);
                row_of(area.lines(), &rows, area.cursor()).unwrap()
            };
            let last = row(&area);
            for (by, above) in [(-1, 1), (-1, 2), (1, 1), (1, 0)] {
                assert!(area.walk(59, by));
                assert_eq!(row(&area), last - above);
            }
            assert!(area.replace("new"));
            assert_eq!(area.text(), "new");
            area.key(KeyEvent::new(KeyCode::Char('z'), KeyModifiers::CONTROL), 59);
            assert!(area.text() == text, "brought back");
        }
    }

    #[test]
    fn a_text_of_mixed_line_ends_that_was_replaced_can_be_brought_back() {
        let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        let mut area = FieldText::new("one\r\ntwo\rthree", true);
        area.key(KeyEvent::from(KeyCode::Char('!')), 10);
        for text in ["ONE\r\ntwo\rthree!", "ONE\r\ntwo\rTHREE!"] {
            assert!(area.replace(text));
        }
        area.key(KeyEvent::from(KeyCode::Char('x')), 10);
        for text in [
            "ONE\r\ntwo\rTHREE!",
            "ONE\r\ntwo\rthree!",
            "one\r\ntwo\rthree!",
            "one\r\ntwo\rthree",
        ] {
            assert!(area.key(control('z'), 10));
            assert_eq!(area.text(), text);
        }
        assert!(!area.key(control('z'), 10));
    }

    #[test]
    fn a_paste_that_is_too_long_is_not_taken_and_a_replaced_text_can_be_brought_back() {
        let mut area = FieldText::new("before", true);
        assert!(area.replace("after"));
        let control = |key| KeyEvent::new(KeyCode::Char(key), KeyModifiers::CONTROL);
        for (key, text) in [
            // In one step, not by way of an empty field.
            ('z', "before"),
            ('r', "after"),
            ('u', ""),
            ('z', "after"),
            ('z', "before"),
            ('r', "after"),
            ('r', ""),
            ('r', ""),
            ('z', "after"),
        ] {
            area.key(control(key), 10);
            assert_eq!(area.text(), text, "{key}");
        }
        assert!(!area.paste(&"x".repeat(LONGEST)));
        assert_eq!(area.text(), "after");
        for text in ["once more", "after", "last"] {
            assert!(area.replace(text));
        }
        let undone = ["after", "once more", "after", "before"].map(|text| ('z', text));
        let redone = ["after", "once more", "after", "last"].map(|text| ('r', text));
        for (key, text) in undone.into_iter().chain(redone) {
            area.key(control(key), 10);
            assert_eq!(area.text(), text, "{key}");
        }
    }
}
