//! Grammar of conditions. The words of a search are joined by the same signs.
//!
//! ```text
//! condition  = and ( "||" and )*
//! and        = comparison ( "&&" comparison )*
//! comparison = sum [ ( "<" | "<=" | "==" | "!=" | ">=" | ">" ) sum ]
//! sum        = product ( ( "+" | "-" ) product )*
//! product    = unary ( "*" unary )*
//! unary      = "!" unary | "-" unary | number | name | word of a search | "(" condition ")"
//! ```

use super::compare::Comparing;
use super::condition::{Condition, Number};
use super::token::{Fault, Token, tokens};

/// Maximum depth of nested parentheses and signs.
const DEPTH: usize = 100;

/// Error of a text that is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {words}", self.column())]
pub struct Wrong {
    pub text: String,
    /// Position in bytes of the text.
    pub at: usize,
    /// Problem there, and what is expected.
    pub words: String,
}

impl Wrong {
    pub(super) fn new(text: &str, (at, words): Fault) -> Self {
        let text = text.to_owned();
        Self { text, at, words }
    }

    /// Returns the message without a word of the text, unless that is nearly a name.
    pub fn unquoted(&self) -> String {
        if self.words.ends_with('?') {
            return self.to_string();
        }
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let quoting = [
            (format!("unknown name {word}"), "unknown name"),
            (format!("no status {word}"), "no such status"),
            (format!("{word} is no field"), "no such field"),
        ];
        let words = quoting.iter().find_map(|(quoted, plain)| {
            let rest = self.words.strip_prefix(quoted.as_str())?;
            Some(format!("{plain}{rest}"))
        });
        let words = words.unwrap_or_else(|| self.words.clone());
        format!("column {}: {words}", self.column())
    }

    /// Returns the position in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }
}

/// Parses a condition on a run.
pub fn condition(text: &str) -> Result<Condition, Wrong> {
    read(text, false)
}

/// Parses a condition on the sums of a release.
pub fn criterion(text: &str) -> Result<Condition, Wrong> {
    read(text, true)
}

fn read(text: &str, release: bool) -> Result<Condition, Wrong> {
    let tokens = tokens(text, release);
    let expected = "expected a count such as failed_new, a whole number or a (";
    tokens
        .and_then(|tokens| parse(&tokens, text.len(), expected))
        .map_err(|fault| Wrong::new(text, fault))
}

/// Parses the tokens of a text of length `end`; `expected` is the message for a missing part.
pub(super) fn parse(
    tokens: &[(usize, Token)],
    end: usize,
    expected: &'static str,
) -> Result<Condition, Fault> {
    let mut parser = Parser {
        tokens,
        next: 0,
        end,
        depth: 0,
        expected,
    };
    let condition = parser.either()?.condition()?;
    match parser.peek() {
        None => Ok(condition),
        Some(Token::Close) => Err((parser.at(), "this ) closes nothing".into())),
        Some(_) => Err((
            parser.at(),
            "expected the end, or one of && || and a comparison".into(),
        )),
    }
}

/// Parsed part, with its position.
enum Operand {
    Number(usize, Number),
    Condition(usize, Condition),
}

impl Operand {
    fn number(self) -> Result<Number, Fault> {
        match self {
            Self::Number(_, number) => Ok(number),
            Self::Condition(at, _) => Err((
                at,
                "this is a condition; expected a number or a count here".into(),
            )),
        }
    }

    fn condition(self) -> Result<Condition, Fault> {
        match self {
            Self::Condition(_, condition) => Ok(condition),
            Self::Number(at, _) => Err((
                at,
                "this is a number; expected a comparison, such as failed_new <= 3".into(),
            )),
        }
    }
}

struct Parser<'a> {
    tokens: &'a [(usize, Token)],
    next: usize,
    end: usize,
    depth: usize,
    expected: &'static str,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.next).map(|(_, token)| token)
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }

    fn take(&mut self, wanted: &Token) -> bool {
        let found = self.peek() == Some(wanted);
        self.next += usize::from(found);
        found
    }

    fn either(&mut self) -> Result<Operand, Fault> {
        self.joined(&Token::Or, Self::both, Condition::Or)
    }

    fn both(&mut self) -> Result<Operand, Fault> {
        self.joined(&Token::And, Self::comparison, Condition::And)
    }

    /// Parses parts with this sign between them; a single one stays as it is.
    fn joined(
        &mut self,
        sign: &Token,
        part: fn(&mut Self) -> Result<Operand, Fault>,
        join: fn(Vec<Condition>) -> Condition,
    ) -> Result<Operand, Fault> {
        let at = self.at();
        let first = part(self)?;
        if self.peek() != Some(sign) {
            return Ok(first);
        }
        let mut parts = vec![first.condition()?];
        while self.take(sign) {
            parts.push(part(self)?.condition()?);
        }
        Ok(Operand::Condition(at, join(parts)))
    }

    fn comparison(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let left = self.sum()?;
        let Some(comparing) = self.comparing() else {
            return Ok(left);
        };
        let right = self.sum()?.number()?;
        let compared = Condition::Compare(left.number()?, comparing, right);
        let again = self.at();
        match self.comparing() {
            None => Ok(Operand::Condition(at, compared)),
            Some(_) => Err((again, "two comparisons in a row; join them with &&".into())),
        }
    }

    fn comparing(&mut self) -> Option<Comparing> {
        let Some(Token::Compare(comparing)) = self.peek() else {
            return None;
        };
        self.next += 1;
        Some(*comparing)
    }

    fn sum(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let first = self.product()?;
        if !matches!(self.peek(), Some(Token::Plus | Token::Minus)) {
            return Ok(first);
        }
        let mut parts = vec![(first.number()?, false)];
        loop {
            let less = self.take(&Token::Minus);
            if !less && !self.take(&Token::Plus) {
                return Ok(Operand::Number(at, Number::Sum(parts)));
            }
            parts.push((self.product()?.number()?, less));
        }
    }

    fn product(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let first = self.unary()?;
        if self.peek() != Some(&Token::Times) {
            return Ok(first);
        }
        let mut parts = vec![first.number()?];
        while self.take(&Token::Times) {
            parts.push(self.unary()?.number()?);
        }
        Ok(Operand::Number(at, Number::Product(parts)))
    }

    fn unary(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        self.depth += 1;
        if self.depth > DEPTH {
            return Err((
                at,
                format!("more than {DEPTH} parentheses and signs in one another"),
            ));
        }
        let read = self.single(at);
        self.depth -= 1;
        read
    }

    fn single(&mut self, at: usize) -> Result<Operand, Fault> {
        let token = self.peek();
        self.next += 1;
        match token {
            Some(Token::Number(number)) => Ok(Operand::Number(at, Number::Literal(*number))),
            Some(Token::Count(count)) => Ok(Operand::Number(at, Number::Count(*count))),
            Some(Token::Condition(condition)) => Ok(Operand::Condition(at, condition.clone())),
            Some(Token::Minus) => {
                let less = (self.unary()?.number()?, true);
                Ok(Operand::Number(at, Number::Sum(vec![less])))
            }
            Some(Token::Not) => match self.unary()? {
                Operand::Condition(_, condition) => {
                    Ok(Operand::Condition(at, Condition::Not(Box::new(condition))))
                }
                Operand::Number(..) => {
                    Err((at, "! turns a condition round: !(failed_new > 3)".into()))
                }
            },
            Some(Token::Open) => {
                let inside = self.either()?;
                if !self.take(&Token::Close) {
                    return Err((
                        self.at(),
                        "expected a ): a ( before it is still open".into(),
                    ));
                }
                Ok(match inside {
                    Operand::Number(_, number) => Operand::Number(at, number),
                    Operand::Condition(_, condition) => Operand::Condition(at, condition),
                })
            }
            _ => Err((at, self.expected.into())),
        }
    }
}
