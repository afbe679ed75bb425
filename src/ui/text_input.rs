//! A one-line text field.

use std::fmt;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use secrecy::zeroize::Zeroize;
use tui_textarea::{CursorMove, TextArea};

use crate::store::Action;

/// Longest text a field takes, in characters: a pasted file must not become a filter.
const LONGEST: usize = 2_000;

/// A one-line text field with the editing keys of the text area widget. Its text is not shown in Debug, because a
/// password may be in it.
#[derive(Clone, Default)]
pub struct Input {
    area: TextArea<'static>,
}

impl Input {
    /// A field with this text, the cursor behind it.
    pub fn with_text(text: &str) -> Self {
        let mut input = Self::default();
        input.paste(text);
        input
    }

    /// The same field, drawn as one mask character for each character typed.
    #[must_use]
    pub fn masked(self) -> Self {
        Self {
            area: masked(self.text()),
        }
    }

    /// What is in the field.
    pub fn text(&self) -> &str {
        self.area.lines().first().map_or("", String::as_str)
    }

    /// Takes what is typed or pasted; says whether the text has changed.
    pub fn edit(&mut self, action: &Action) -> bool {
        match action {
            Action::Type(key) => self.key(*key),
            Action::Paste(text) => self.paste(text),
            _ => false,
        }
    }

    /// Takes a key; says whether the text has changed. Keys that would make a second line are passed over.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let tab = matches!(key.code, KeyCode::Tab | KeyCode::BackTab);
        let full = types(key) && self.text().chars().count() >= LONGEST;
        !(breaks(key) || tab || full) && edit(&mut self.area, key)
    }

    /// Takes pasted text as it is, but for line breaks, which become spaces.
    pub fn paste(&mut self, text: &str) -> bool {
        let room = LONGEST.saturating_sub(self.text().chars().count());
        let text = text.trim_end_matches(['\r', '\n']);
        if self.area.mask_char().is_some() {
            text.split(CRLF)
                .flat_map(|part| [" ", part])
                .skip(1)
                .flat_map(str::chars)
                .map(|c| match c {
                    '\r' | '\n' => ' ',
                    other => other,
                })
                .take(room)
                .for_each(|c| self.area.insert_char(c));
            return !text.is_empty();
        }
        let line: String = on_one_line(text).chars().take(room).collect();
        !line.is_empty() && self.area.insert_str(line)
    }

    /// Another text takes the place of some characters, where there is room for it, and the cursor stands behind so many of
    /// it; whether it does.
    pub fn replace(&mut self, place: Range<usize>, text: &str, cursor: usize) -> bool {
        let kept = self.text().chars().count().saturating_sub(place.len());
        if kept + text.chars().count() > LONGEST {
            return false;
        }
        let go_to = |area: &mut TextArea<'static>, place: usize| {
            let place = u16::try_from(place).unwrap_or(u16::MAX);
            area.move_cursor(CursorMove::Jump(0, place));
        };
        go_to(&mut self.area, place.start);
        self.area.delete_str(place.len());
        self.area.insert_str(text);
        go_to(&mut self.area, place.start + cursor);
        true
    }

    /// Another text takes the place of this one, if there is one; says whether.
    pub fn recall(&mut self, text: Option<String>) -> bool {
        text.map(|text| Self::with_text(&text))
            .map(|input| *self = input)
            .is_some()
    }

    /// Empties the field.
    pub fn clear(&mut self) {
        let before = std::mem::take(&mut self.area);
        if before.mask_char().is_some() {
            before.into_lines().zeroize();
            self.area = masked("");
        }
    }

    /// The cursor, in characters from the start.
    pub fn cursor(&self) -> usize {
        self.area.cursor().1
    }

    /// The text as it may be shown.
    pub fn shown(&self) -> String {
        match self.area.mask_char() {
            Some(mask) => self.text().chars().map(|_| mask).collect(),
            None => self.text().to_owned(),
        }
    }
}

/// Takes a key by which every text field is edited: those of a line in a shell, and undo; whether the text has changed.
pub(super) fn edit(area: &mut TextArea<'static>, mut key: KeyEvent) -> bool {
    match key.code {
        _ if undoes(key) => area.undo(),
        // Of an empty line the widget would take its beginning.
        KeyCode::Char('u') if is_control(key) => area.cursor().1 > 0 && area.delete_line_by_head(),
        _ => {
            if !matches!(key.code, KeyCode::Char(_)) {
                // A selection would not be seen.
                key.modifiers.remove(KeyModifiers::SHIFT);
            }
            area.input(key)
        }
    }
}

/// How lines end on Windows.
pub(super) const CRLF: &str = "\r\n";

/// A text of which a field of one line takes the ends of lines for blanks.
pub(super) fn on_one_line(text: &str) -> String {
    text.replace(CRLF, " ").replace(['\n', '\r'], " ")
}

/// The key takes the last change back. Ctrl-_, Ctrl-/ and Ctrl-7 are one byte, which is read as the last.
pub(super) fn undoes(key: KeyEvent) -> bool {
    is_control(key) && matches!(key.code, KeyCode::Char('z' | '_' | '/' | '7'))
}

/// The key does again what was taken back.
pub(super) fn redoes(key: KeyEvent) -> bool {
    is_control(key) && key.code == KeyCode::Char('r')
}

/// The key ends a line.
pub(super) fn breaks(key: KeyEvent) -> bool {
    key.code == KeyCode::Enter || is_control(key) && matches!(key.code, KeyCode::Char('j' | 'm'))
}

/// The key is a character of the text.
pub(super) fn types(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(_)) && !is_control(key)
}

fn is_control(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Room for all of the text at once, and no history: growing and undoing would leave copies in memory.
fn masked(text: &str) -> TextArea<'static> {
    let mut line = String::with_capacity(LONGEST * 4);
    line.push_str(text);
    let mut area = TextArea::new(vec![line]);
    area.set_max_histories(0);
    area.set_mask_char('*');
    area
}

impl Drop for Input {
    /// A password goes with the box that it was typed into.
    fn drop(&mut self) {
        let area = std::mem::take(&mut self.area);
        if area.mask_char().is_some() {
            area.into_lines().zeroize();
        }
    }
}

impl PartialEq for Input {
    fn eq(&self, other: &Self) -> bool {
        self.text() == other.text() && self.cursor() == other.cursor()
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Input(hidden)")
    }
}

/// A field at the foot of a screen.
pub struct Field<'a> {
    /// What stands before it.
    pub sign: &'static str,
    pub input: &'a Input,
    /// What stands behind it, and whether something is wrong.
    pub said: (String, bool),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pasted_text_stays_one_line_and_is_hidden_in_debug() {
        let mut input = Input::with_text("ab");
        assert!(input.paste("c\r\nd\te\u{1b}[2J\n"));
        assert_eq!(input.text(), "abc d\te\u{1b}[2J");
        input.key(KeyEvent::from(KeyCode::Enter));
        input.key(KeyEvent::from(KeyCode::Backspace));
        assert_eq!(input.text(), "abc d\te\u{1b}[2");
        assert!(!format!("{input:?}").contains("abc"));
        assert_eq!(Input::with_text("geheim").masked().shown(), "******");
    }

    #[test]
    fn a_password_is_pasted_as_another_text_is_and_nothing_can_be_undone() {
        for text in ["pass wörd\n", "a\r\nb\rc\nd\r\n", "", "\n"] {
            let (mut plain, mut hidden) = (Input::default(), Input::default().masked());
            assert_eq!(plain.paste(text), hidden.paste(text), "{text:?}");
            assert_eq!(plain.text(), hidden.text(), "{text:?}");
            assert_eq!(plain.cursor(), hidden.cursor(), "{text:?}");
            // The history would hold it after it was wiped.
            assert!(!hidden.area.undo());
            hidden.clear();
            assert_eq!((hidden.text(), hidden.shown().as_str()), ("", ""));
            assert!(hidden.area.mask_char().is_some());
        }
        let mut full = Input::default().masked();
        full.paste(&"x".repeat(LONGEST + 5));
        assert_eq!(full.text().len(), LONGEST);
    }
}
