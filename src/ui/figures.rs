//! Large figures, three rows high, for reading from afar.

use crate::ui::text;

/// Rows of a figure.
pub const ROWS: usize = 3;
/// Columns of one sign, with the gap after it.
const COLUMNS: usize = 4;
const DIGITS: [[&str; ROWS]; 10] = [
    ["█▀█", "█ █", "▀▀▀"],
    ["▀█ ", " █ ", "▀▀▀"],
    ["▀▀█", "█▀▀", "▀▀▀"],
    ["▀▀█", " ▀█", "▀▀▀"],
    ["█ █", "▀▀█", "  ▀"],
    ["█▀▀", "▀▀█", "▀▀▀"],
    ["█▀▀", "█▀█", "▀▀▀"],
    ["▀▀█", "  █", "  ▀"],
    ["█▀█", "█▀█", "▀▀▀"],
    ["█▀█", "▀▀█", "▀▀▀"],
];
const PLUS: [&str; ROWS] = ["   ", "▄█▄", " ▀ "];
const PERCENT: [&str; ROWS] = ["▀ █", "▄▀ ", "█ ▄"];
const COLON: [&str; ROWS] = [" ▄ ", " ▄ ", "   "];

/// Returns a number with its sign, in rows of at most so many columns. Without room for large signs the middle row has
/// it in plain text.
pub fn rows(text: &str, columns: usize) -> [String; ROWS] {
    let signs: Option<Vec<&[&str; ROWS]>> = text.chars().map(sign).collect();
    match signs {
        Some(signs) if signs.len() * COLUMNS <= columns + 1 => {
            std::array::from_fn(|row| text::join(signs.iter().map(|sign| sign[row]), " "))
        }
        _ => [String::new(), text.to_owned(), String::new()],
    }
}

fn sign(c: char) -> Option<&'static [&'static str; ROWS]> {
    match c.to_digit(10) {
        Some(digit) => DIGITS.get(digit as usize),
        None => match c {
            '+' => Some(&PLUS),
            '%' => Some(&PERCENT),
            ':' => Some(&COLON),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_digit_is_told_from_the_others() {
        let all: std::collections::BTreeSet<_> =
            DIGITS.iter().chain([&PLUS, &PERCENT, &COLON]).collect();
        assert_eq!(all.len(), 13);
        for sign in all {
            assert!(sign.iter().all(|row| row.chars().count() == 3), "{sign:?}");
        }
    }

    #[test]
    fn a_number_is_large_where_there_is_room() {
        assert_eq!(
            rows("1688", 22),
            ["▀█  █▀▀ █▀█ █▀█", " █  █▀█ █▀█ █▀█", "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀"]
        );
        assert_eq!(rows("+6", 22), ["    █▀▀", "▄█▄ █▀█", " ▀  ▀▀▀"]);
        assert_eq!(rows("1234567", 22), ["", "1234567", ""]);
        assert_eq!(rows("?", 22), ["", "?", ""]);
    }
}
