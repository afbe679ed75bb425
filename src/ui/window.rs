//! The part of a text that a field of one line shows.

use std::ops::Range;

use unicode_segmentation::UnicodeSegmentation;

use super::text;

/// Columns behind the cursor that are shown of a longer text, as far as there is room.
const BEHIND: usize = 8;

/// Columns of a letter in its field, and its first character in the text.
pub type Letter = (Range<usize>, usize);

/// The visible part of a field, in columns from its left.
#[derive(Debug, PartialEq, Eq)]
pub struct Window {
    /// The text for the screen, with `…` where more of it is hidden.
    pub shown: String,
    pub cursor: usize,
    /// The letters that are shown, and the place behind the last one if that is in sight.
    pub letters: Vec<Letter>,
}

/// Returns what a field of this width shows of a text around its cursor, a number of characters. The cursor never stands
/// on a `…`, as far as there are three columns.
pub fn window(text: &str, cursor: usize, width: usize) -> Window {
    let (mut letters, mut column, mut character) = (Vec::new(), 0, 0);
    for letter in text.graphemes(true) {
        let cells = text::cells(letter);
        let wide = text::width(&cells);
        letters.push((column..column + wide, character, cells));
        column += wide;
        character += letter.chars().count();
    }
    let under = match letters.iter().rfind(|(_, first, _)| *first <= cursor) {
        Some((columns, ..)) if cursor < character => columns.clone(),
        _ => column..column,
    };
    let under = under.start..under.end.max(under.start + 1);
    let all = column.max(under.end);
    let beside = width.saturating_sub(under.len());
    // Columns scrolled out of the field on the left.
    let hidden = (under.end + BEHIND.min(beside / 2))
        .min(all)
        .saturating_sub(width);
    let marked = beside >= 2;
    let (before, more) = (marked && hidden > 0, marked && all - hidden > width);
    let in_sight = hidden + usize::from(before)..hidden + width - usize::from(more);
    let is_shown =
        |columns: &Range<usize>| in_sight.start <= columns.start && columns.end <= in_sight.end;
    letters.retain(|(columns, ..)| is_shown(columns));
    let mut shown = String::from(if before { "…" } else { "" });
    let first = letters.first().map_or(in_sight.start, |it| it.0.start);
    shown.extend(std::iter::repeat_n(' ', first - in_sight.start));
    shown.extend(letters.iter().map(|(.., cells)| &**cells));
    if more {
        shown.push('…');
    }
    let shown_letters = letters
        .into_iter()
        .map(|(columns, first, _)| (columns, first));
    let end = Some((column..in_sight.end, character)).filter(|(columns, _)| !columns.is_empty());
    let from_left =
        |(columns, first): Letter| (columns.start - hidden..columns.end - hidden, first);
    Window {
        shown,
        cursor: under.start - hidden,
        letters: shown_letters.chain(end).map(from_left).collect(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_is_hidden_is_marked_on_its_side() {
        let text = "0123456789";
        for (cursor, shown, column) in [
            (0, "0123…", 0),
            (2, "0123…", 2),
            (3, "…234…", 2),
            (6, "…567…", 2),
            (7, "…6789", 2),
            (8, "…6789", 3),
            (10, "…789", 4),
        ] {
            let window = window(text, cursor, 5);
            assert_eq!((window.shown.as_str(), window.cursor), (shown, column));
        }
        assert_eq!(window("01234", 5, 6).shown, "01234");
        assert_eq!(window("日本語日本語", 3, 6).shown, "… 日…");
    }

    proptest! {
        #[test]
        fn the_letter_at_the_cursor_is_seen_in_any_text(text in ".{0,60}", at in 0usize..60, width in 5usize..30) {
            let starts: Vec<usize> = text.grapheme_indices(true).map(|(byte, _)| byte).collect();
            let byte = starts.get(at).copied().unwrap_or(text.len());
            let window = window(&text, text[..byte].chars().count(), width);
            prop_assert!(text::width(&window.shown) <= width, "{:?}", window);
            prop_assert!(window.cursor < width, "{:?}", window);
            let letter = text[byte..].graphemes(true).next().unwrap_or("");
            let (before, from) = (window.shown.graphemes(true)).fold((0, String::new()), |(used, from), it| {
                if used < window.cursor { (used + text::width(it), from) } else { (used, from + it) }
            });
            prop_assert!(before == window.cursor || from.is_empty(), "{:?}", window);
            prop_assert!(from.starts_with(&*text::cells(letter)), "{:?}", window);
        }
    }
}
