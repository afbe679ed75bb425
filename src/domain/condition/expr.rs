//! How a condition is written.
//!
//! ```text
//! condition  = and ( "||" and )*
//! and        = comparison ( "&&" comparison )*
//! comparison = sum [ ( "<" | "<=" | "==" | "!=" | ">=" | ">" ) sum ]
//! sum        = product ( ( "+" | "-" ) product )*
//! product    = unary ( "*" unary )*
//! unary      = "!" unary | "-" unary | number | name | "(" condition ")"
//! ```

use super::token::{Fault, Token, tokens};
use super::value::{Comparing, Condition, Number};

/// Parentheses and signs in one another, at most.
const DEPTH: usize = 100;

/// Why a text is no condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {}: {words}", self.column())]
pub struct Wrong {
    pub text: String,
    /// Where, in bytes of the text.
    pub at: usize,
    /// What is wrong there, and what is expected.
    pub words: String,
}

impl Wrong {
    /// The same without a word of the text.
    pub fn unquoted(&self) -> String {
        let rest = &self.text[self.at..];
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let word = &rest[..end.unwrap_or(rest.len())];
        let quoted = format!("unknown name {word}");
        let words = match self.words.strip_prefix(&quoted) {
            Some(words) => format!("unknown name{words}"),
            None => self.words.clone(),
        };
        format!("column {}: {words}", self.column())
    }

    /// Where, in characters from 1.
    pub fn column(&self) -> usize {
        self.text[..self.at].chars().count() + 1
    }
}

/// Reads a condition.
pub fn parse(text: &str) -> Result<Condition, Wrong> {
    let wrong = |(at, words): Fault| Wrong {
        text: text.to_owned(),
        at,
        words,
    };
    let tokens = tokens(text).map_err(wrong)?;
    let mut parser = Parser {
        tokens: &tokens,
        next: 0,
        end: text.len(),
        depth: 0,
    };
    let whole = parser.either().and_then(Operand::condition);
    let whole = whole.and_then(|whole| match parser.peek() {
        None => Ok(whole),
        Some(Token::Close) => Err((parser.at(), "this ) closes nothing".into())),
        Some(_) => Err((
            parser.at(),
            "expected the end, or one of && || and a comparison".into(),
        )),
    });
    whole.map_err(wrong)
}

/// A part that was read, with the place where it begins.
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
}

impl Parser<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.next).map(|(_, token)| *token)
    }

    fn at(&self) -> usize {
        self.tokens.get(self.next).map_or(self.end, |(at, _)| *at)
    }

    fn take(&mut self, wanted: Token) -> bool {
        let found = self.peek() == Some(wanted);
        self.next += usize::from(found);
        found
    }

    fn either(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = self.both()?;
        while self.take(Token::Or) {
            let right = self.both()?.condition()?;
            left = Operand::Condition(
                at,
                Condition::Or(Box::new(left.condition()?), Box::new(right)),
            );
        }
        Ok(left)
    }

    fn both(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = self.comparison()?;
        while self.take(Token::And) {
            let right = self.comparison()?.condition()?;
            left = Operand::Condition(
                at,
                Condition::And(Box::new(left.condition()?), Box::new(right)),
            );
        }
        Ok(left)
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
        Some(comparing)
    }

    fn sum(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = self.product()?;
        loop {
            let make = if self.take(Token::Plus) {
                Number::Sum
            } else if self.take(Token::Minus) {
                Number::Difference
            } else {
                return Ok(left);
            };
            let right = self.product()?.number()?;
            left = Operand::Number(at, make(Box::new(left.number()?), Box::new(right)));
        }
    }

    fn product(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = self.unary()?;
        while self.take(Token::Times) {
            let right = self.unary()?.number()?;
            left = Operand::Number(
                at,
                Number::Product(Box::new(left.number()?), Box::new(right)),
            );
        }
        Ok(left)
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
            Some(Token::Number(number)) => Ok(Operand::Number(at, Number::Literal(number))),
            Some(Token::Name(name)) => Ok(Operand::Number(at, Number::Count(name))),
            Some(Token::Minus) => {
                let zero = Box::new(Number::Literal(0));
                Ok(Operand::Number(
                    at,
                    Number::Difference(zero, Box::new(self.unary()?.number()?)),
                ))
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
                if !self.take(Token::Close) {
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
            _ => Err((
                at,
                "expected a count such as failed_new, a whole number or a (".into(),
            )),
        }
    }
}
