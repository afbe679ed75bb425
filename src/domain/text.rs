//! Characters that reach no terminal, file or other program unchanged, and their replacements. Every foreign text
//! leaves the program through one of these functions; there is no other such set.

use std::borrow::{Borrow, Cow};
use std::fmt::{Display, Write};
use std::ops::RangeInclusive;

use unicode_segmentation::UnicodeSegmentation;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// Maximum number of characters in a notification: arguments of a program are limited.
const LONGEST_CALL: usize = 300;

/// Combining marks kept on one letter; more of them would paint over the rows above and below.
const MARKS: usize = 2;

/// Characters that control the display, change the direction of writing or are invisible: control characters, line
/// separators, and what Unicode calls format characters or ignorable, except the visible signs of scripts (U+0600 and
/// the like) and the combining grapheme joiner of Hebrew.
const ACTS: [RangeInclusive<char>; 18] = [
    // C0
    '\0'..='\x1f',
    // DEL, C1
    '\x7f'..='\u{9f}',
    // soft hyphen
    '\u{ad}'..='\u{ad}',
    // Arabic letter mark: a direction
    '\u{61c}'..='\u{61c}',
    // fillers of Hangul: invisible letters
    '\u{115f}'..='\u{1160}',
    // invisible Khmer vowels
    '\u{17b4}'..='\u{17b5}',
    // Mongolian vowel separator
    '\u{180e}'..='\u{180e}',
    // zero width space
    '\u{200b}'..='\u{200b}',
    // separators of lines, embeddings, overrides
    '\u{2028}'..='\u{202e}',
    // word joiner, invisible operators, isolates, old directions
    '\u{2060}'..='\u{206f}',
    // filler of Hangul
    '\u{3164}'..='\u{3164}',
    // byte order mark
    '\u{feff}'..='\u{feff}',
    // filler of Hangul, half width
    '\u{ffa0}'..='\u{ffa0}',
    // interlinear annotations
    '\u{fff0}'..='\u{fffb}',
    // controls of shorthand
    '\u{1bca0}'..='\u{1bca3}',
    // controls of music
    '\u{1d173}'..='\u{1d17a}',
    // tags
    '\u{e0000}'..='\u{e00ff}',
    // reserved for more of the kind
    '\u{e01f0}'..='\u{e0fff}',
];

/// Characters of Persian, Arabic, Hebrew, Indic, Mongolian and emoji, so texts keep them. Terminals disagree about
/// their width, so no cell holds one.
const JOINS: [RangeInclusive<char>; 6] = [
    // Mongolian variation selectors
    '\u{180b}'..='\u{180d}',
    // Mongolian variation selector
    '\u{180f}'..='\u{180f}',
    // non-joiner, joiner, marks of left and right
    '\u{200c}'..='\u{200f}',
    // variation selectors
    '\u{fe00}'..='\u{fe0f}',
    // tones of skin
    '\u{1f3fb}'..='\u{1f3ff}',
    // variation selectors of ideographs
    '\u{e0100}'..='\u{e01ef}',
];

fn is_of(table: &[RangeInclusive<char>], c: char) -> bool {
    !matches!(c, ' '..='~') && table.iter().any(|range| range.contains(&c))
}

/// Returns `true` if the character must be replaced.
pub fn acts(c: char) -> bool {
    is_of(&ACTS, c)
}

fn joins(c: char) -> bool {
    is_of(&JOINS, c)
}

/// Returns `true` if a joiner or non-joiner stands there with nothing behind it to join.
pub fn joins_nothing(rest: &str) -> bool {
    let mut rest = rest.chars();
    matches!(rest.next(), Some('\u{200c}' | '\u{200d}'))
        && rest.next().is_none_or(char::is_whitespace)
}

/// Returns the replacement of a character that acts.
fn mark(c: char) -> char {
    match c {
        '\t' => ' ',
        '\0'..='\x1f' => {
            char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER)
        }
        '\x7f' => '\u{2421}',
        _ => char::REPLACEMENT_CHARACTER,
    }
}

/// Replaces each character that acts.
fn without(
    text: &str,
    acts: impl Fn(char) -> bool,
    instead: impl Fn(&mut String, char),
) -> Cow<'_, str> {
    let Some(first) = text.find(&acts) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    for c in text[first..].chars() {
        if acts(c) {
            instead(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Renders one line for programs and users, with a mark for each character that acts.
pub fn plain(text: &str) -> Cow<'_, str> {
    without(text, acts, |out, c| out.push(mark(c)))
}

/// Renders each line with [`plain`]; Windows line ends become line feeds.
pub fn lines(text: &str) -> String {
    let lines = text.split('\n');
    join(
        lines.map(|line| plain(line.strip_suffix('\r').unwrap_or(line))),
        "\n",
    )
}

/// Renders with [`plain`] for a notification or an argument of a program, cut to what both accept.
pub fn call(text: &str) -> String {
    plain(text).chars().take(LONGEST_CALL).collect()
}

/// Escapes finished JSON without changing its meaning; line feeds stay.
pub fn json(text: &str) -> Cow<'_, str> {
    without(
        text,
        |c| c != '\n' && acts(c),
        |out, c| {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        },
    )
}

/// Returns a key as TOML wants it: as it is, or in quotes.
pub fn toml_key(name: &str) -> Cow<'_, str> {
    let is_bare = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
    if !name.is_empty() && name.bytes().all(is_bare) {
        name.into()
    } else {
        // A string of JSON is one of TOML, too.
        serde_json::Value::from(name).to_string().into()
    }
}

/// Renders for cells, so that every terminal counts the same columns: as [`plain`], without joiners and with few
/// combining marks; flags as their two letters, decomposed Hangul as syllables.
pub fn cells(text: &str) -> Cow<'_, str> {
    if is_printable_ascii(text) {
        return Cow::Borrowed(text);
    }
    let Some(first) = text.find(|c| {
        !matches!(c, ' '..='~')
            && (acts(c) || joins(c) || flag_letter(c).is_some() || c.width() == Some(0))
    }) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len());
    out.push_str(&text[..first]);
    let mut marks = 0;
    for c in text[first..].chars() {
        match c {
            _ if joins(c) => continue,
            _ if acts(c) => out.push(mark(c)),
            _ if let Some(letter) = flag_letter(c) => out.push(letter),
            _ if let Some(syllable) = out
                .chars()
                .next_back()
                .and_then(|before| syllable(before, c)) =>
            {
                out.pop();
                out.push(syllable);
            }
            _ if c.width() == Some(0) => {
                marks += 1;
                if marks <= MARKS && !out.is_empty() {
                    out.push(c);
                }
                continue;
            }
            _ => out.push(c),
        }
        marks = 0;
    }
    Cow::Owned(out)
}

/// Returns the letter of half a flag. Terminals draw a flag in one, two or four columns.
fn flag_letter(c: char) -> Option<char> {
    let letter = u32::from(c)
        .checked_sub(0x1f1e6)
        .filter(|letter| *letter < 26)?;
    char::from_u32(u32::from('A') + letter)
}

/// Composes a Hangul syllable of its first two parts, or of those and the third (Unicode, 3.12).
fn syllable(before: char, c: char) -> Option<char> {
    let syllable = match (u32::from(before), u32::from(c)) {
        (lead @ 0x1100..=0x1112, vowel @ 0x1161..=0x1175) => {
            0xac00 + ((lead - 0x1100) * 21 + vowel - 0x1161) * 28
        }
        (open @ 0xac00..=0xd7a3, tail @ 0x11a8..=0x11c2) if (open - 0xac00) % 28 == 0 => {
            open + tail - 0x11a7
        }
        _ => return None,
    };
    char::from_u32(syllable)
}

/// Escapes a text for the file of an editor, undone by [`unescaped`] to the byte: `\u{202e}` for characters that act
/// and for what the editor would take as its settings. Lines and tabs stay.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        let lays_out = matches!(c, '\n' | '\t') || rest.starts_with("\r\n");
        if acts(c) && !lays_out || rest.starts_with(ESCAPE) || sets_an_editor(text, at) {
            out.extend(c.escape_unicode());
        } else {
            out.push(c);
        }
    }
    out
}

/// Start of an escape.
const ESCAPE: &str = "\\u{";

/// Undoes [`escaped`]. Invalid escapes stay.
pub fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(ESCAPE) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let code = &from[ESCAPE.len()..];
        let end = code.bytes().take(7).position(|byte| byte == b'}');
        let read = end.and_then(|end| {
            let c = char::from_u32(u32::from_str_radix(&code[..end], 16).ok()?)?;
            Some((c, &code[end + 1..]))
        });
        rest = match read {
            Some((c, after)) => {
                out.push(c);
                after
            }
            None => {
                out.push_str(ESCAPE);
                code
            }
        };
    }
    out + rest
}

/// Returns `true` if the character at `at` ends a word by which vi or Emacs reads settings: `vim:`, `-*-`.
fn sets_an_editor(text: &str, at: usize) -> bool {
    let (before, rest) = text.split_at(at);
    if rest.starts_with("*-") {
        return before.ends_with('-');
    }
    if !rest.starts_with(':') {
        return false;
    }
    // Vim may name its version: `vim>700:`.
    let before = before.trim_end_matches(|c: char| c.is_ascii_digit() || "<=>".contains(c));
    let ends = |word: &str| {
        let at = before.len().checked_sub(word.len());
        let (before, end) = at.and_then(|at| before.split_at_checked(at))?;
        end.eq_ignore_ascii_case(word).then_some(before)
    };
    let alone = |before: &str| before.is_empty() || before.ends_with(char::is_whitespace);
    let vi = ["vi", "vim", "ex"].into_iter().filter_map(ends);
    vi.into_iter().any(alone) || ends("local variables").is_some()
}

/// Escapes commands in JSON for the log of a CI runner: `::error::` at the start of a line, `##[error]` and `##vso[…]`
/// anywhere. Their first character becomes a JSON escape.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let (mut taken, mut begins) = (0, true);
    for (at, c) in text.char_indices() {
        let rest = &text[at..];
        if begins && rest.starts_with("::")
            || rest.strip_prefix("##").is_some_and(|rest| {
                rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric())
                    .starts_with('[')
            })
        {
            // Writing to a string cannot fail.
            let _ = write!(out, "{}\\u{:04x}", &text[taken..at], u32::from(c));
            taken = at + c.len_utf8();
        }
        begins = c == '\n' || begins && c.is_whitespace();
    }
    if taken == 0 {
        return Cow::Borrowed(text);
    }
    Cow::Owned(out + &text[taken..])
}

/// Returns the columns of a text: the sum of its graphemes', as they are drawn, for fonts that join letters take fewer.
pub fn width(text: &str) -> usize {
    match cells_of_plain(text) {
        Some(cells) => cells,
        None => text.graphemes(true).map(UnicodeWidthStr::width).sum(),
    }
}

/// Returns the number of characters, each of them one column; `None` if graphemes have to be searched, which is slow. Plain
/// is printable ASCII, Latin letters, bars and a few signs.
pub fn cells_of_plain(text: &str) -> Option<usize> {
    if is_printable_ascii(text) {
        return Some(text.len());
    }
    let is_plain = |it| matches!(it, ' '..='~' | '·' | 'À'..='ſ' | '…' | '→' | '─'..='▟' | '●');
    text.chars().all(is_plain).then(|| text.chars().count())
}

fn is_printable_ascii(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~'))
}

/// Returns the columns of the widest of these texts.
pub fn widest<S: Borrow<str>>(texts: impl IntoIterator<Item = S>) -> usize {
    let widths = texts.into_iter().map(|text| width(text.borrow()));
    widths.max().unwrap_or(0)
}

/// Returns the text, escaped and cut to at most `columns`, with `…` if something is missing; it is cut before a number.
pub fn fit(text: &str, columns: usize) -> String {
    // A grapheme of an escaped text is short, so that a bounded part of a long text is enough.
    let enough = columns.saturating_mul(4).saturating_add(16);
    let end = text
        .char_indices()
        .nth(enough)
        .map_or(text.len(), |(at, _)| at);
    let clean = cells(&text[..end]);
    if end == text.len() && width(&clean) <= columns {
        return clean.into_owned();
    }
    let mut out = String::new();
    let mut used = 0;
    for grapheme in clean.graphemes(true) {
        let wide = width(grapheme);
        if used + wide >= columns {
            break;
        }
        out.push_str(grapheme);
        used += wide;
    }
    // A number that is cut would be another one.
    let before = out.trim_end_matches(|it: char| it.is_ascii_digit() || ",.:".contains(it));
    if before.ends_with(' ') && before.len() < out.len() {
        out.truncate(before.trim_end().len());
    }
    if columns > 0 {
        out.push('…');
    }
    out
}

/// Returns [`fit`], filled with spaces to exactly `columns`.
pub fn pad(text: &str, columns: usize) -> String {
    let mut out = fit(text, columns);
    let missing = columns.saturating_sub(width(&out));
    out.extend(std::iter::repeat_n(' ', missing));
    out
}

/// Returns [`fit`], with spaces before it to exactly `columns`.
pub fn pad_left(text: &str, columns: usize) -> String {
    let out = fit(text, columns);
    let missing = columns.saturating_sub(width(&out));
    format!("{}{out}", " ".repeat(missing))
}

/// Returns a text of a column, numbers on its right.
pub fn placed(text: &str, columns: usize, right: bool) -> String {
    if right {
        pad_left(text, columns)
    } else {
        pad(text, columns)
    }
}

pub fn join<S: Borrow<str>>(parts: impl IntoIterator<Item = S>, between: &str) -> String {
    parts.into_iter().collect::<Vec<S>>().join(between)
}

/// Returns the text behind a colon, unless it is empty.
pub fn colon(text: &str) -> String {
    if text.is_empty() {
        String::new()
    } else {
        format!(": {text}")
    }
}

/// Names three of them at most: `R_1, R_2, R_3 and 2 more`.
pub fn few(names: &[impl AsRef<str>]) -> String {
    first_of(names, 3)
}

/// Returns the first names, and the number of the others.
pub fn first_of(names: &[impl AsRef<str>], most: usize) -> String {
    let named = join(names.iter().map(AsRef::as_ref).take(most), ", ");
    match names.len().saturating_sub(most) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Formats a number for the user: `3,100`.
pub fn thousands(number: impl Display) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Returns the text of a file as a field has it: an editor ends the last line, too, and may begin with a byte order mark.
pub fn of_file(text: &str) -> &str {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let ended = text.strip_suffix("\r\n").or(text.strip_suffix('\n'));
    ended.unwrap_or(text)
}

/// Returns a text for a field of one line: without line ends behind it, with blanks for those in it.
pub fn on_one_line(text: &str) -> String {
    let text = text.trim_end_matches(['\r', '\n']);
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

/// Returns `true` for so many digits.
pub fn is_number(text: &str, digits: RangeInclusive<usize>) -> bool {
    digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the non-empty parts of a comma separated list, trimmed.
pub fn parts(list: &str) -> impl Iterator<Item = &str> {
    let parts = list.split(',').map(str::trim);
    parts.filter(|part| !part.is_empty())
}

/// Formats a count with its noun: `1 suite`, `7 suites`, `3,100 cases`.
pub fn count<N: Copy + Display + From<u8> + PartialEq>(number: N, noun: &str) -> String {
    let plural = if number == N::from(1) { "" } else { "s" };
    format!("{} {noun}{plural}", thousands(number))
}

/// Returns the verb of a number of things.
pub fn are(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

/// Returns the verb of a number of things in the past.
pub fn were(number: usize) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// Formats a count with its noun and verb: `1 suite was`, `7 suites were`.
pub fn count_were(number: usize, noun: &str) -> String {
    format!("{} {}", count(number, noun), were(number))
}

#[cfg(test)]
#[expect(dead_code, reason = "shared with the tests of the sinks")]
#[path = "../../tests/support/acting.rs"]
mod acting;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::acting::edges;
    use super::*;

    #[test]
    fn numbers_are_for_people() {
        let said = [0, 999, 1_000, 1_234_567].map(thousands);
        assert_eq!(said, ["0", "999", "1,000", "1,234,567"]);
    }

    #[test]
    fn the_tables_have_these_edges() {
        for c in edges() {
            assert_eq!(acts(c), acting::acts(c), "{}", c.escape_unicode());
            assert_eq!(joins(c), acting::joins(c), "{}", c.escape_unicode());
        }
    }

    /// No rendering lets a character that acts through, and the way back gives the same.
    #[test]
    fn each_edge_in_each_rendering() {
        for c in edges() {
            let text = format!("a{c}b");
            let shown = [
                plain(&text),
                lines(&text).into(),
                call(&text).into(),
                cells(&text),
                escaped(&text).into(),
                json(&text),
            ];
            for (number, shown) in shown.iter().enumerate() {
                let lays_out = |c| matches!((number, c), (1 | 4 | 5, '\n') | (4, '\t'));
                assert!(
                    !shown.chars().any(|c| acting::acts(c) && !lays_out(c)),
                    "{number}: {shown:?}"
                );
                let stays = !acting::acts(c) && (number != 3 || !acting::joins(c));
                let at_place = shown.strip_prefix('a').unwrap().strip_suffix('b').unwrap();
                if stays && c.width() != Some(0) {
                    assert_eq!(at_place, c.to_string(), "{number}");
                } else if acting::acts(c) {
                    assert!(!at_place.is_empty(), "{number}: what acts leaves a mark");
                }
            }
            assert_eq!(unescaped(&shown[4]), text);
            let back: String =
                serde_json::from_str(&json(&serde_json::to_string(&text).unwrap())).unwrap();
            assert_eq!(back, text);
        }
    }

    #[test]
    fn what_is_seen_in_the_place_of_what_acts() {
        for (text, shown) in [
            ("plain", "plain"),
            ("a\u{1b}[31mb", "a␛[31mb"),
            ("a\u{9b}31mb\u{7f}", "a\u{fffd}31mb␡"),
            ("abc\u{202e}def", "abc\u{fffd}def"),
            ("R_4\u{200b}", "R_4\u{fffd}"),
            ("line\nnext\ttab", "line␊next tab"),
        ] {
            assert_eq!((&*cells(text), &*plain(text)), (shown, shown));
        }
        assert_eq!(lines("a\r\nb\u{9b}\nc\r"), "a\nb\u{fffd}\nc");
        assert_eq!(json("\u{9b}\n\u{e0041}"), "\\u009b\n\\udb40\\udc41");
        assert_eq!(call(&"\u{1b}".repeat(301)), "␛".repeat(300));
    }

    #[test]
    fn cells_hold_what_every_terminal_counts_alike() {
        for (text, shown) in [
            ("z\u{301}\u{302}\u{303}\u{304}\u{305}a", "z\u{301}\u{302}a"),
            ("\u{301}x", "x"),
            ("👩\u{200d}💻 ☎\u{fe0f}", "👩💻 ☎"),
            ("A👍🏽12 👩🏿\u{200d}💻", "A👍12 👩💻"),
            ("release 🇩🇪🇫🇷, 🇽", "release DEFR, X"),
            // 한국 with its parts, and a syllable with its third part beside it.
            (
                "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8} 가\u{11a8}",
                "한국 각",
            ),
            ("각\u{11a8}", "각\u{11a8}"),
        ] {
            assert_eq!(cells(text), shown);
        }
    }

    /// Scripts and emoji keep their characters, and no text is copied for them.
    #[test]
    fn texts_of_all_scripts_stay() {
        for text in [
            "می\u{200c}خواهم",
            "\u{200f}שלום\u{200e} ש\u{5b0}\u{5c1}",
            "ক্\u{200d}ষ න\u{dca}\u{200d}ය",
            "❤\u{fe0f} 👩\u{200d}💻 🇩🇪 葛\u{e0100}",
            "\u{604}12 \u{6dd}",
        ] {
            for shown in [plain(text), json(text)] {
                assert!(
                    matches!(shown, Cow::Borrowed(same) if same == text),
                    "{text}"
                );
            }
            assert_eq!(escaped(text), text);
        }
    }

    #[test]
    fn an_editor_gets_no_settings_from_a_text() {
        for (text, file) in [
            ("x vim: set ts=13:", "x vim\\u{3a} set ts=13:"),
            ("vi:ts=13", "vi\\u{3a}ts=13"),
            ("a\nVim<800: set ts=13:", "a\nVim<800\\u{3a} set ts=13:"),
            ("\tex:ts=13", "\tex\\u{3a}ts=13"),
            ("-*- mode: sh -*-", "-\\u{2a}- mode: sh -\\u{2a}-"),
            ("# Local Variables:", "# Local Variables\\u{3a}"),
            (
                "index: 7, navi: on, 12:30, (ex: this)",
                "index: 7, navi: on, 12:30, (ex: this)",
            ),
        ] {
            assert_eq!((escaped(text), unescaped(file)), (file.into(), text.into()));
        }
    }

    #[test]
    fn what_looks_like_an_escape_stays_what_it_is() {
        for text in [
            "\\u{1b}",
            "\\\\u{1b}",
            "\\u{",
            "\\u{}",
            "\\u{zz}",
            "\\u{110000}",
            "\\u{0000001b}",
            "C:\\users\\u",
        ] {
            assert_eq!(unescaped(&escaped(text)), text);
        }
        assert_eq!(
            unescaped("\\u{1b} \\u{ \\u{} \\u{zz} \\u{110000} \\u{d800}"),
            "\u{1b} \\u{ \\u{} \\u{zz} \\u{110000} \\u{d800}"
        );
    }

    #[test]
    fn a_runner_finds_no_command() {
        for (text, shown) in [
            (
                "::error::x\n \t::add-mask::y",
                "\\u003a:error::x\n \t\\u003a:add-mask::y",
            ),
            ("a ::error::x", "a ::error::x"),
            (
                "a ##[error]x ##vso[task.x]",
                "a \\u0023#[error]x \\u0023#vso[task.x]",
            ),
            ("###[x]", "#\\u0023#[x]"),
            ("## heading, C## [x]", "## heading, C## [x]"),
        ] {
            assert_eq!(without_commands(text), shown);
        }
    }

    proptest! {
        #[test]
        fn any_text(text in any::<String>()) {
            for shown in [plain(&text), cells(&text), call(&text).into()] {
                prop_assert!(!shown.chars().any(acts));
            }
            prop_assert!(!escaped(&text).chars().any(|c| acts(c) && !"\r\n\t".contains(c)));
            prop_assert_eq!(unescaped(&escaped(&text)), text.clone());
            let drawn = cells(&text);
            prop_assert_eq!(cells(&drawn), &*drawn);
            let laid_out = serde_json::to_string_pretty(&[&text]).unwrap();
            let written = json(&laid_out);
            prop_assert!(!written.chars().any(|c| c != '\n' && acts(c)));
            prop_assert_eq!(serde_json::from_str::<[String; 1]>(&written).unwrap(), [text]);
        }

        /// The table has Unicode's format characters, except the visible signs.
        #[test]
        fn no_format_character_is_forgotten(text in "\\p{Cf}") {
            let c = text.chars().next().unwrap();
            let is_seen = matches!(
                c,
                '\u{600}'..='\u{605}' | '\u{6dd}' | '\u{70f}' | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{110bd}'
                    | '\u{110cd}' | '\u{13430}'..='\u{1343f}'
            );
            prop_assert!((acts(c) || joins(c)) != is_seen, "{}", c.escape_unicode());
        }
    }
}
