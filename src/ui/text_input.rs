//! A one-line text field.

use std::fmt;
use std::ops::Range;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use secrecy::zeroize::Zeroize;
use tui_textarea::{CursorMove, TextArea};
use unicode_segmentation::UnicodeSegmentation;

use super::text;
use crate::domain::text::on_one_line;
use crate::store::{Action, Motion};

/// Maximum length of a field, in characters: a pasted file must not become a filter.
const LONGEST: usize = 2_000;

/// One-line text field with the editing keys of the text area widget. Its text is hidden in `Debug`, because it may be
/// a password.
#[derive(Clone, Default)]
pub struct Input {
    area: TextArea<'static>,
}

impl Input {
    /// Creates a field with this text, the cursor at its end.
    pub fn with_text(text: &str) -> Self {
        let mut input = Self::default();
        let text: String = text.chars().take(LONGEST).collect();
        input.paste(&text);
        input
    }

    /// Returns the same field, drawn as one mask character for each typed one.
    #[must_use]
    pub fn masked(self) -> Self {
        Self {
            area: masked(self.text()),
        }
    }

    /// Returns the text of the field.
    pub fn text(&self) -> &str {
        self.area.lines().first().map_or("", String::as_str)
    }

    /// Returns what a key means to a field above a list: once something is typed, Home and End are of the field.
    pub fn or_of_rows(&self, action: Action) -> Action {
        let key = match action {
            Action::Move(Motion::First) => KeyCode::Home,
            Action::Move(Motion::Last) => KeyCode::End,
            _ => return action,
        };
        if self.text().is_empty() {
            action
        } else {
            Action::Type(key.into())
        }
    }

    /// Handles typed and pasted text; true if the text has changed.
    pub fn edit(&mut self, action: &Action) -> bool {
        match action {
            Action::Type(key) => self.key(*key),
            Action::Paste(text) => self.paste(text),
            _ => false,
        }
    }

    /// Handles a key; true if the text has changed. Keys for a second line are ignored.
    pub fn key(&mut self, key: KeyEvent) -> bool {
        let tab = matches!(key.code, KeyCode::Tab | KeyCode::BackTab);
        let full = types(key) && self.text().chars().count() >= LONGEST;
        !(breaks(key) || tab || full) && edit(&mut self.area, key)
    }

    /// Returns why a key or a paste is not taken, if there is no room for all of it: cut, a list would end with another
    /// name.
    pub fn refusal(&self, action: &Action) -> Option<String> {
        let length = match action {
            Action::Paste(text) => self.length_with(text),
            Action::Type(key) if types(*key) => self.length_with("x"),
            _ => return None,
        };
        (length > LONGEST).then(|| {
            let [length, most] = [length, LONGEST].map(text::thousands);
            format!("{length} characters: at most {most} fit here")
        })
    }

    fn length_with(&self, pasted: &str) -> usize {
        let pasted = pasted.trim_end_matches(['\r', '\n']);
        self.text().chars().count() + pasted.chars().count()
    }

    /// Inserts pasted text if there is room for all of it; line breaks become spaces.
    pub fn paste(&mut self, text: &str) -> bool {
        if self.length_with(text) > LONGEST {
            return false;
        }
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
                .for_each(|c| self.area.insert_char(c));
            return !text.is_empty();
        }
        let line = on_one_line(text);
        !line.is_empty() && self.area.insert_str(line)
    }

    /// Replaces some characters, if there is room, and puts the cursor after so many of the new ones; true if done.
    pub fn replace(&mut self, place: Range<usize>, text: &str, cursor: usize) -> bool {
        let kept = self.text().chars().count().saturating_sub(place.len());
        if kept + text.chars().count() > LONGEST {
            return false;
        }
        jump(&mut self.area, (0, place.start));
        self.area.delete_str(place.len());
        self.area.insert_str(text);
        jump(&mut self.area, (0, place.start + cursor));
        true
    }

    /// Replaces the text if there is another; true if so.
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

    /// Returns the cursor, in characters from the start.
    pub fn cursor(&self) -> usize {
        self.area.cursor().1
    }

    /// Returns the text for the screen.
    pub fn shown(&self) -> String {
        match self.area.mask_char() {
            Some(mask) => self.text().chars().map(|_| mask).collect(),
            None => self.text().to_owned(),
        }
    }
}

/// Handles the editing keys of all text fields: those of a shell's command line, and undo; true if the text has
/// changed.
pub(super) fn edit(area: &mut TextArea<'static>, mut key: KeyEvent) -> bool {
    match key.code {
        _ if undoes(key) => area.undo(),
        // The widget has no rows that it could turn.
        _ if pages(key).is_some() => false,
        // At a line's start the widget removes the line break.
        KeyCode::Char('u') if is_control(key) => area.cursor().1 > 0 && area.delete_line_by_head(),
        _ => {
            if !matches!(key.code, KeyCode::Char(_)) {
                // A selection would be invisible.
                key.modifiers.remove(KeyModifiers::SHIFT);
            }
            match of_a_letter(key) {
                // Of a password each character is a star.
                Some(means) if area.mask_char().is_none() => by_letter(area, key, means),
                _ => area.input(key),
            }
        }
    }
}

/// Returns whether a key for one letter goes forward, and whether it deletes; `None` for other keys.
fn of_a_letter(key: KeyEvent) -> Option<(bool, bool)> {
    match (key.code, key.modifiers) {
        (KeyCode::Left, KeyModifiers::NONE) | (KeyCode::Char('b'), KeyModifiers::CONTROL) => {
            Some((false, false))
        }
        (KeyCode::Right, KeyModifiers::NONE) | (KeyCode::Char('f'), KeyModifiers::CONTROL) => {
            Some((true, false))
        }
        (KeyCode::Backspace, KeyModifiers::NONE) | (KeyCode::Char('h'), KeyModifiers::CONTROL) => {
            Some((false, true))
        }
        (KeyCode::Delete, KeyModifiers::NONE) | (KeyCode::Char('d'), KeyModifiers::CONTROL) => {
            Some((true, true))
        }
        _ => None,
    }
}

/// Goes over a letter or deletes it, as it is seen: the widget knows characters, and columns that letters of none share.
/// True if the text has changed.
fn by_letter(
    area: &mut TextArea<'static>,
    key: KeyEvent,
    (forward, deletes): (bool, bool),
) -> bool {
    let cursor = area.cursor();
    let (line, at) = (cursor.0, cursor.1);
    let lines = area.lines();
    let (before, after) = lines[line].split_at(text::byte_of(&lines[line], at));
    let letter = if forward {
        after.graphemes(true).next()
    } else {
        before.graphemes(true).next_back()
    };
    let characters = letter.map_or(0, |letter| letter.chars().count());
    let to = match (characters, forward) {
        (0, true) => Some((line + 1, 0)).filter(|(line, _)| *line < lines.len()),
        (0, false) => line
            .checked_sub(1)
            .map(|line| (line, lines[line].chars().count())),
        (_, true) => Some((line, at + characters)),
        (_, false) => Some((line, at - characters)),
    };
    if !deletes {
        return to.is_some_and(|to| !jump(area, to)) && area.input(key);
    }
    if characters == 0 {
        // A line end.
        return area.input(key);
    }
    if !forward && !to.is_some_and(|to| jump(area, to)) {
        return (0..characters).fold(false, |changed, _| area.delete_char() || changed);
    }
    // What was cut before can still be put in.
    let cut = area.yank_text();
    let changed = area.delete_str(characters);
    area.set_yank_text(cut);
    changed
}

/// Puts the cursor on a line and a character of it, unless the widget counts no further; true if done.
pub(super) fn jump(area: &mut TextArea<'static>, (line, character): (usize, usize)) -> bool {
    let (Ok(line), Ok(character)) = (line.try_into(), character.try_into()) else {
        return false;
    };
    area.move_cursor(CursorMove::Jump(line, character));
    true
}

/// Line end of Windows.
pub(super) const CRLF: &str = "\r\n";

/// Returns true for undo. Ctrl-_, Ctrl-/ and Ctrl-7 are one byte, which is read as the last.
pub(super) fn undoes(key: KeyEvent) -> bool {
    is_control(key) && matches!(key.code, KeyCode::Char('z' | '_' | '/' | '7'))
}

/// Returns true for redo.
pub(super) fn redoes(key: KeyEvent) -> bool {
    is_control(key) && key.code == KeyCode::Char('r')
}

/// Returns true for a page down, false for a page up; `None` for other keys.
pub(super) fn pages(key: KeyEvent) -> Option<bool> {
    match key.code {
        KeyCode::PageDown => Some(true),
        KeyCode::PageUp => Some(false),
        KeyCode::Char('v') if is_control(key) => Some(true),
        KeyCode::Char('v') if key.modifiers.contains(KeyModifiers::ALT) => Some(false),
        _ => None,
    }
}

/// Returns true for keys that end a line.
pub(super) fn breaks(key: KeyEvent) -> bool {
    key.code == KeyCode::Enter || is_control(key) && matches!(key.code, KeyCode::Char('j' | 'm'))
}

/// Returns true for characters of the text.
pub(super) fn types(key: KeyEvent) -> bool {
    matches!(key.code, KeyCode::Char(_)) && !is_control(key)
}

fn is_control(key: KeyEvent) -> bool {
    key.modifiers.contains(KeyModifiers::CONTROL)
}

/// Reserves all memory at once and keeps no history: both would leave copies of a password in memory.
fn masked(text: &str) -> TextArea<'static> {
    let mut line = String::with_capacity(LONGEST * 4);
    line.push_str(text);
    let mut area = TextArea::new(vec![line]);
    area.set_max_histories(0);
    area.set_mask_char('*');
    area
}

impl Drop for Input {
    /// Wipes a password.
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

/// Field at the foot of a screen.
pub struct FootField<'a> {
    /// Sign before the field.
    pub sign: &'static str,
    pub input: &'a Input,
    /// Words behind the field; true if they are about a mistake.
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
            // The history would keep it after it was wiped.
            assert!(!hidden.area.undo());
            hidden.clear();
            assert_eq!((hidden.text(), hidden.shown().as_str()), ("", ""));
            assert!(hidden.area.mask_char().is_some());
        }
        // What does not fit is not cut: another name would be left of it.
        for mut full in [Input::with_text("a"), Input::with_text("a").masked()] {
            assert!(!full.paste(&"x".repeat(LONGEST)));
            assert_eq!(full.text(), "a");
            assert!(full.paste(&"x".repeat(LONGEST - 1)));
        }
    }
}
