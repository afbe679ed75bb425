//! The words and signs of a condition.

use super::name::Name;
use super::value::Comparing;

/// The longest condition, in bytes.
const LONGEST: usize = 10_000;

/// Where it is wrong, in bytes, and what.
pub type Fault = (usize, String);

/// A word or a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Token {
    Number(i128),
    Name(Name),
    Compare(Comparing),
    And,
    Or,
    Not,
    Plus,
    Minus,
    Times,
    Open,
    Close,
}

/// Longer ones before those that they begin with.
const SIGNS: [(&str, Token); 14] = [
    ("<=", Token::Compare(Comparing::AtMost)),
    (">=", Token::Compare(Comparing::AtLeast)),
    ("==", Token::Compare(Comparing::Equal)),
    ("!=", Token::Compare(Comparing::Unequal)),
    ("&&", Token::And),
    ("||", Token::Or),
    ("<", Token::Compare(Comparing::Less)),
    (">", Token::Compare(Comparing::More)),
    ("!", Token::Not),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Times),
    ("(", Token::Open),
    (")", Token::Close),
];

/// What people write instead, and what they mean.
const MEANT: [(&str, &str); 7] = [
    ("=", "expected == to compare"),
    ("&", "expected &&"),
    ("|", "expected ||"),
    (
        "%",
        "there is no %; five per cent of all cases is total * 5, compared with a count * 100",
    ),
    (
        "/",
        "there is no /; multiply the other side: failed_new * 100 <= total * 5",
    ),
    (
        ".",
        "whole numbers only; multiply both sides instead: failed_new * 10 <= total",
    ),
    (",", "expected && or || between two conditions"),
];

/// The words and signs with the bytes where they begin.
pub fn tokens(text: &str) -> Result<Vec<(usize, Token)>, Fault> {
    if text.len() > LONGEST {
        return Err((0, format!("longer than {LONGEST} bytes")));
    }
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let word =
            |belongs: fn(char) -> bool| &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        let (length, token) = if c.is_ascii_digit() {
            let digits = word(|c| c.is_ascii_digit());
            let number = digits.parse::<u64>();
            let number = number.map_err(|_| (at, "this number is too large".to_owned()))?;
            (digits.len(), Token::Number(number.into()))
        } else if c.is_alphabetic() || c == '_' {
            let word = word(|c| c.is_alphanumeric() || c == '_');
            let name = Name::parse(word).map_err(|words| (at, words))?;
            (word.len(), Token::Name(name))
        } else if let Some((sign, token)) = SIGNS.iter().find(|(sign, _)| rest.starts_with(sign)) {
            (sign.len(), *token)
        } else {
            let words = MEANT
                .iter()
                .find(|(sign, _)| rest.starts_with(sign))
                .map_or("nothing of that sort is known here", |it| it.1);
            return Err((at, words.to_owned()));
        };
        out.push((at, token));
        at += length;
    }
    Ok(out)
}
