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
    let at = parser.at();
    let whole = parser.either().and_then(|whole| {
        let whole = whole.condition(at)?;
        match parser.peek() {
            None => Ok(whole),
            Some(Token::Close) => Err((parser.at(), "this ) closes nothing".into())),
            Some(_) => Err((
                parser.at(),
                "expected the end, or one of && || and a comparison".into(),
            )),
        }
    });
    whole.map_err(wrong)
}

/// A part that was read.
enum Operand {
    Number(Number),
    Condition(Condition),
}

impl Operand {
    /// The number that has to stand at this place.
    fn number(self, at: usize) -> Result<Number, Fault> {
        match self {
            Self::Number(number) => Ok(number),
            Self::Condition(_) => Err((
                at,
                "this is a condition; expected a number or a count here".into(),
            )),
        }
    }

    /// The condition that has to stand at this place.
    fn condition(self, at: usize) -> Result<Condition, Fault> {
        match self {
            Self::Condition(condition) => Ok(condition),
            Self::Number(_) => Err((
                at,
                "this is a number; expected a comparison, such as failed_new <= 3".into(),
            )),
        }
    }
}

/// A sign between two numbers, and what it makes of them.
type Sign = (Token, fn(Box<Number>, Box<Number>) -> Number);

/// What reads a part.
type Part<P> = fn(&mut P) -> Result<Operand, Fault>;

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
        self.joined(Token::Or, Condition::Or, Self::both)
    }

    fn both(&mut self) -> Result<Operand, Fault> {
        self.joined(Token::And, Condition::And, Self::comparison)
    }

    /// Conditions with this sign between them.
    fn joined(
        &mut self,
        sign: Token,
        make: fn(Box<Condition>, Box<Condition>) -> Condition,
        part: Part<Self>,
    ) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = part(self)?;
        while self.take(sign) {
            let next = self.at();
            let right = Box::new(part(self)?.condition(next)?);
            left = Operand::Condition(make(Box::new(left.condition(at)?), right));
        }
        Ok(left)
    }

    fn comparison(&mut self) -> Result<Operand, Fault> {
        let at = self.at();
        let left = self.sum()?;
        let Some(comparing) = self.comparing() else {
            return Ok(left);
        };
        let next = self.at();
        let right = self.sum()?.number(next)?;
        let compared = Condition::Compare(left.number(at)?, comparing, right);
        let again = self.at();
        match self.comparing() {
            None => Ok(Operand::Condition(compared)),
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
        let signs: [Sign; 2] = [
            (Token::Plus, Number::Sum),
            (Token::Minus, Number::Difference),
        ];
        self.combined(&signs, Self::product)
    }

    fn product(&mut self) -> Result<Operand, Fault> {
        self.combined(&[(Token::Times, Number::Product)], Self::unary)
    }

    /// Numbers with one of these signs between them.
    fn combined(&mut self, signs: &[Sign], part: Part<Self>) -> Result<Operand, Fault> {
        let at = self.at();
        let mut left = part(self)?;
        while let Some((_, make)) = signs.iter().find(|(sign, _)| self.take(*sign)) {
            let next = self.at();
            let right = Box::new(part(self)?.number(next)?);
            left = Operand::Number(make(Box::new(left.number(at)?), right));
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
        let next = self.at();
        match token {
            Some(Token::Number(number)) => Ok(Operand::Number(Number::Literal(number))),
            Some(Token::Name(name)) => Ok(Operand::Number(Number::Count(name))),
            Some(Token::Minus) => {
                let (zero, number) = (Number::Literal(0), self.unary()?.number(next)?);
                let negative = Number::Difference(Box::new(zero), Box::new(number));
                Ok(Operand::Number(negative))
            }
            Some(Token::Not) => match self.unary()? {
                Operand::Condition(condition) => {
                    Ok(Operand::Condition(Condition::Not(Box::new(condition))))
                }
                Operand::Number(_) => {
                    Err((at, "! turns a condition round: !(failed_new > 3)".into()))
                }
            },
            Some(Token::Open) => {
                let inside = self.either()?;
                if self.take(Token::Close) {
                    return Ok(inside);
                }
                Err((
                    self.at(),
                    "expected a ): a ( before it is still open".into(),
                ))
            }
            _ => Err((
                at,
                "expected a count such as failed_new, a whole number or a (".into(),
            )),
        }
    }
}
