//! Large figures, three rows high, for reading from afar.

use crate::ui::text;

/// Rows of a figure.
pub const ROWS: usize = 3;
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
const COMMA: [&str; ROWS] = [" ", " ", "▄"];
const COLON: [&str; ROWS] = [" ▄ ", " ▄ ", "   "];

/// Returns true if a number has so many columns in large signs, with a gap between two.
pub fn fits(text: &str, columns: usize) -> bool {
    let signs = text.chars().filter_map(sign);
    signs.map(|sign| text::width(sign[0]) + 1).sum::<usize>() <= columns + 1
}

/// Returns a number with its sign, in rows of large signs. Else the middle row has it in plain text.
pub fn rows(text: &str, large: bool) -> [String; ROWS] {
    let signs: Option<Vec<&[&str; ROWS]>> = text.chars().map(sign).collect();
    match signs.filter(|_| large) {
        Some(signs) => {
            std::array::from_fn(|row| text::join(signs.iter().map(|sign| sign[row]), " "))
        }
        None => [String::new(), text.to_owned(), String::new()],
    }
}

fn sign(c: char) -> Option<&'static [&'static str; ROWS]> {
    match c.to_digit(10) {
        Some(digit) => DIGITS.get(digit as usize),
        None => match c {
            '+' => Some(&PLUS),
            '%' => Some(&PERCENT),
            ':' => Some(&COLON),
            ',' => Some(&COMMA),
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
            rows("1688", true),
            ["▀█  █▀▀ █▀█ █▀█", " █  █▀█ █▀█ █▀█", "▀▀▀ ▀▀▀ ▀▀▀ ▀▀▀"]
        );
        assert_eq!(rows("+6", true), ["    █▀▀", "▄█▄ █▀█", " ▀  ▀▀▀"]);
        assert_eq!(rows("1,6", true), ["▀█    █▀▀", " █    █▀█", "▀▀▀ ▄ ▀▀▀"]);
        assert_eq!(rows("1,234,567", false), ["", "1,234,567", ""]);
        assert_eq!(rows("?", true), ["", "?", ""]);
        assert!(fits("85,751", 21) && !fits("85,751", 20));
    }
}
