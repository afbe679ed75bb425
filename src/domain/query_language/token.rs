//! Words and signs of a text, with their byte indexes.

use super::compare::Comparing;
use super::condition::Condition;
use super::count::RunCount;

/// Maximum length of a text, in bytes.
const LONGEST: usize = 10_000;

/// Position of an error in bytes, and its message.
pub type Fault = (usize, String);

/// A word or a sign.
#[derive(Clone, PartialEq, Eq)]
pub enum Token {
    Number(i128),
    Count(RunCount),
    Compare(Comparing),
    /// A word of a search, or a field with its values.
    Condition(Condition),
    And,
    Or,
    Not,
    Plus,
    Minus,
    Times,
    Open,
    Close,
}

const SIGNS: [(&str, Token); 8] = [
    ("&&", Token::And),
    ("||", Token::Or),
    ("!", Token::Not),
    ("+", Token::Plus),
    ("-", Token::Minus),
    ("*", Token::Times),
    ("(", Token::Open),
    (")", Token::Close),
];

/// Common mistakes, and their messages.
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

/// Position in a text.
pub struct Scanner<'a> {
    text: &'a str,
    pub at: usize,
}

impl<'a> Scanner<'a> {
    /// Starts at the beginning of a text.
    pub fn new(text: &'a str) -> Result<Self, Fault> {
        if text.len() > LONGEST {
            return Err((0, format!("longer than {LONGEST} bytes")));
        }
        Ok(Self { text, at: 0 })
    }

    pub fn remaining(&self) -> &'a str {
        &self.text[self.at..]
    }

    pub fn next(&self) -> Option<char> {
        self.remaining().chars().next()
    }

    /// Takes the characters that belong to a word.
    pub fn word(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = self.remaining();
        let word = &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    /// Takes a name of letters and `_`.
    pub fn name(&mut self) -> &'a str {
        self.word(|c| c.is_alphabetic() || c == '_')
    }

    /// Takes a text in quotes, as far as it goes. Returns `None` if it has no end.
    pub fn quoted(&mut self) -> Option<&'a str> {
        self.takes("\"");
        let text = self.word(|c| c != '"');
        self.takes("\"").then_some(text)
    }

    /// Skips blanks. Returns the next character.
    pub fn blanks(&mut self) -> Option<char> {
        self.word(char::is_whitespace);
        self.next()
    }

    /// Takes this sign, if it comes next.
    pub fn takes(&mut self, sign: &str) -> bool {
        let next = self.remaining().starts_with(sign);
        self.at += if next { sign.len() } else { 0 };
        next
    }

    /// Takes a comparison.
    pub fn comparing(&mut self) -> Option<Comparing> {
        let mut signs = Comparing::SIGNS.into_iter();
        signs
            .find(|(sign, _)| self.takes(sign))
            .map(|(_, sign)| sign)
    }

    /// Takes a whole number; `None` if another character comes next.
    pub fn number(&mut self) -> Result<Option<i128>, Fault> {
        let at = self.at;
        let digits = self.word(|c| c.is_ascii_digit());
        if digits.is_empty() {
            return Ok(None);
        }
        let number = digits.parse().ok();
        match number.filter(|number| *number <= i128::from(u64::MAX)) {
            Some(number) => Ok(Some(number)),
            None => Err((at, "this number is too large".into())),
        }
    }
}

/// Returns the tokens of a condition on a release, or else on a run.
pub fn tokens(text: &str, release: bool) -> Result<Vec<(usize, Token)>, Fault> {
    let mut scanner = Scanner::new(text)?;
    let mut out = Vec::new();
    while let Some(c) = scanner.blanks() {
        let at = scanner.at;
        let token = if let Some(number) = scanner.number()? {
            Token::Number(number)
        } else if c.is_alphabetic() || c == '_' {
            let word = scanner.word(|c| c.is_alphanumeric() || c == '_');
            Token::Count(RunCount::parse(word, release).map_err(|words| (at, words))?)
        } else if let Some(comparing) = scanner.comparing() {
            Token::Compare(comparing)
        } else if let Some((_, token)) = SIGNS.iter().find(|(sign, _)| scanner.takes(sign)) {
            token.clone()
        } else {
            let meant = MEANT.iter().find(|(sign, _)| scanner.takes(sign));
            let words = meant.map_or("nothing of that sort is known here", |(_, words)| *words);
            return Err((at, words.into()));
        };
        out.push((at, token));
    }
    Ok(out)
}
