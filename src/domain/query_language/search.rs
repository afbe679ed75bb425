//! Grammar of searches.
//!
//! ```text
//! search = all ( "or" all )*
//! all    = part+
//! part   = "-" part | "(" search ")" | word | '"' exact words '"' | R_240 | name sign value ( "," value )*
//! ```

use super::super::is_run_id;
use super::compare::Comparing;
use super::condition::{Condition, Number, Subject};
use super::name::{
    NAMES, Name, NameKind, PEOPLE, RELEASE_NAMES, STATUS, VERSION, meant, of_the_other,
};
use super::parse::{Wrong, parse};
use super::predicate::{Predicate, Value};
use super::time::Span;
use super::token::{Fault, Scanner, Token};
use crate::domain::prelude::*;

/// Parsed search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunSearch {
    pub(super) condition: Condition,
    /// Parts that look like a field and were read as words.
    pub notes: Vec<Wrong>,
}

/// Parses a search at this time; `flags` are the available ones of those that no field shows.
pub fn search(text: &str, now: &Zoned, flags: &[Flag]) -> Result<RunSearch, Wrong> {
    let wrong = |fault| Wrong::new(text, fault);
    let mut lexer = Lexer {
        scanner: Scanner::new(text).map_err(wrong)?,
        now,
        flags,
        tokens: Vec::new(),
        notes: Vec::new(),
    };
    lexer.read().map_err(wrong)?;
    let condition = match &lexer.tokens[..] {
        [] => RunSearch::default().condition,
        tokens => parse(tokens, text.len(), "expected something to look for").map_err(wrong)?,
    };
    let notes = lexer.notes.into_iter().map(wrong).collect();
    Ok(RunSearch { condition, notes })
}

/// Returns the search for the runs that both find.
pub fn both(one: &str, other: &str) -> String {
    match (one.trim(), other.trim()) {
        (one, "") => one.to_owned(),
        ("", other) => other.to_owned(),
        (one, other) => format!("({one}) ({other})"),
    }
}

/// Finds every run.
impl Default for RunSearch {
    fn default() -> Self {
        Self {
            condition: Condition::And(Vec::new()),
            notes: Vec::new(),
        }
    }
}

impl RunSearch {
    /// Returns `true` if a run is found; `None` if that is not known.
    pub fn finds(&self, run: &RunRow, context: &QueryContext<'_>) -> Option<bool> {
        self.condition.holds(Subject::Run(run, context))
    }

    /// Returns `true` if no run whose texts are all part of `text` is found; faster than [`Self::finds`].
    pub fn rules_out(&self, text: &str) -> bool {
        self.condition.rules_out(text)
    }

    /// Requires each of these words, too.
    #[must_use]
    pub fn with_words(self, words: &str) -> Self {
        let words = words
            .split_whitespace()
            .map(folded)
            .map(|word| Condition::Is(Predicate::Words(word)));
        let parts = words.chain([self.condition.clone()]).collect();
        self.of(parts)
    }

    /// Requires another search, too.
    #[must_use]
    pub fn and(self, other: &Self) -> Self {
        let parts = self.parts().into_iter().chain(other.parts());
        self.of(parts.collect())
    }

    /// Returns the search that finds no run.
    pub fn nothing() -> Self {
        Self {
            condition: Condition::Or(Vec::new()),
            notes: Vec::new(),
        }
    }

    /// Returns `true` if every run is found.
    pub fn is_empty(&self) -> bool {
        self.condition == Condition::And(Vec::new())
    }

    /// Removes the parts that choose values of some fields.
    #[must_use]
    pub fn without(self, fields: impl Fn(&Field) -> bool) -> Self {
        let says = |part: &Condition| {
            let mut all = fields::ALL.into_iter();
            all.any(|field| fields(field) && chooses(part, field))
        };
        let mut parts = self.parts();
        parts.retain(|part| !says(part));
        self.of(parts)
    }

    /// Returns the search with other parts.
    fn of(self, parts: Vec<Condition>) -> Self {
        Self {
            condition: Condition::And(parts),
            ..self
        }
    }

    /// Returns the parts that must all hold.
    fn parts(&self) -> Vec<Condition> {
        match &self.condition {
            Condition::And(parts) => parts.clone(),
            part => vec![part.clone()],
        }
    }

    /// Returns `true` if values of the field are chosen, except after `-`, or a run is named.
    pub fn chooses(&self, field: &Field) -> bool {
        chooses(&self.condition, field)
    }

    /// Returns what a status is, for a search without a find that asks for one without a name.
    pub fn status_hint(&self) -> Option<&'static str> {
        let named = ["active", "inactive"].map(folded);
        let is_other = |predicate: &Predicate| {
            matches!(predicate, Predicate::Text(field, Value::Text(text, (false, false)))
                if **field == fields::STATUS && !named.contains(text))
        };
        asks(&self.condition, &is_other)
            .then_some("a status is open or closed, or as the service has it")
    }

    /// Returns `true` for the name of a run, and nothing else.
    pub fn is_one_run(&self) -> bool {
        matches!(self.condition, Condition::Is(Predicate::Id(_)))
    }

    /// Returns `true` if a run is named, except after `-`: it is looked for whatever its status and version.
    pub fn names_run(&self) -> bool {
        asks(&self.condition, &|predicate| {
            matches!(predicate, Predicate::Id(_))
        })
    }

    /// Returns filters for the service: one status, one version. A version with letters may be written otherwise there.
    pub fn filters(&self) -> Vec<String> {
        let parts = self.parts();
        let filters = parts.iter().filter_map(|part| match part {
            Condition::Is(Predicate::Text(field, Value::Text(text, (false, false)))) => {
                let text: String = text.iter().collect();
                let plain = match text.as_str() {
                    "active" | "inactive" => **field == fields::STATUS,
                    text => **field == fields::VERSION && version_numbers(text).is_some(),
                };
                plain.then(|| field.filter(&text))
            }
            _ => None,
        });
        filters.collect()
    }
}

fn chooses(condition: &Condition, field: &Field) -> bool {
    asks(condition, &|predicate| match predicate {
        Predicate::Text(own, _) => *own == field,
        Predicate::Version(..) => *field == fields::VERSION,
        Predicate::Id(_) => [&fields::STATUS, &fields::VERSION].contains(&field),
        _ => false,
    })
}

/// Returns `true` if there is such a predicate, except after `-`.
fn asks(condition: &Condition, such: &impl Fn(&Predicate) -> bool) -> bool {
    match condition {
        Condition::And(parts) | Condition::Or(parts) => parts.iter().any(|part| asks(part, such)),
        Condition::Is(predicate) => such(predicate),
        _ => false,
    }
}

struct Lexer<'a> {
    scanner: Scanner<'a>,
    now: &'a Zoned,
    flags: &'a [Flag],
    tokens: Vec<(usize, Token)>,
    notes: Vec<Fault>,
}

/// Written value.
struct WrittenValue<'a> {
    at: usize,
    text: &'a str,
    quoted: bool,
}

impl<'a> Lexer<'a> {
    fn read(&mut self) -> Result<(), Fault> {
        while let Some(c) = self.scanner.blanks() {
            let at = self.scanner.at;
            let sign = match c {
                '(' => Some(Token::Open),
                ')' => Some(Token::Close),
                '-' if self.is_not() => Some(Token::Not),
                _ => None,
            };
            self.scanner.at += usize::from(sign.is_some());
            let token = match sign {
                None => self.word()?,
                sign => sign,
            };
            if let Some(token) = token {
                self.push(at, token);
            }
        }
        Ok(())
    }

    /// Adds a token, after an `and` between two parts without `or`.
    fn push(&mut self, at: usize, token: Token) {
        let begins = matches!(token, Token::Condition(_) | Token::Not | Token::Open);
        if begins && self.is_behind_part() {
            self.tokens.push((at, Token::And));
        }
        self.tokens.push((at, token));
    }

    fn is_behind_part(&self) -> bool {
        let last = self.tokens.last();
        matches!(last, Some((_, Token::Condition(_) | Token::Close)))
    }

    /// Returns `true` for a `-` that negates the next part; `->` is a word.
    fn is_not(&self) -> bool {
        let next = self.scanner.remaining().chars().nth(1);
        next.is_some_and(|c| c.is_alphanumeric() || ['"', '(', '_'].contains(&c))
    }

    /// Reads a text between quotes.
    fn quoted(&mut self) -> Result<&'a str, Fault> {
        let at = self.scanner.at;
        let text = self.scanner.quoted();
        text.ok_or_else(|| (at, "expected another \" behind the words".into()))
    }

    /// Reads a word, or a name with its values; `None` for `and`, which is implied.
    fn word(&mut self) -> Result<Option<Token>, Fault> {
        let words = |text| Condition::Is(Predicate::Words(folded(text)));
        let at = self.scanner.at;
        if self.scanner.next() == Some('"') {
            return Ok(Some(Token::Condition(words(self.quoted()?))));
        }
        let name = self.scanner.name();
        if let Some(condition) = self.named(at, name)? {
            return Ok(Some(Token::Condition(condition)));
        }
        self.scanner.at = at;
        let word = self.scanner.word(is_of_word);
        Ok(Some(match word.to_ascii_lowercase().as_str() {
            "or" => Token::Or,
            "and" if self.is_behind_part() && self.scanner.blanks().is_some() => return Ok(None),
            _ if is_run_id(&word.to_ascii_uppercase()) => {
                Token::Condition(Condition::Is(Predicate::Id(word.to_owned())))
            }
            _ => {
                if let Some(form) = meant_by_word(word) {
                    self.notes
                        .push((at, format!("{word}: looked for as words; {form}")));
                }
                Token::Condition(words(word))
            }
        }))
    }

    /// Reads the condition on a name, if known and followed by a value.
    fn named(&mut self, at: usize, name: &str) -> Result<Option<Condition>, Fault> {
        let known = Name::find(name);
        let Some(Sign {
            at: sign_at,
            colon,
            comparing,
        }) = sign(&mut self.scanner, known)
        else {
            return Ok(None);
        };
        let follows = self.scanner.next().is_some_and(is_of_word);
        let Some(known) = known else {
            let mut of_releases = RELEASE_NAMES.iter();
            let of_release = of_releases.find(|it| it.text.eq_ignore_ascii_case(name));
            // `Runs:` is a word of a title.
            if of_release.is_some_and(|it| !colon || follows || it.text == name) {
                return Err((at, of_the_other(name, false)));
            }
            if follows && !name.is_empty() {
                let meant = match &*name.to_ascii_lowercase() {
                    "id" => ". R_4 alone finds that run".to_owned(),
                    "title" => ". Words alone are found in titles".to_owned(),
                    _ => meant(name, NAMES.iter().map(|name| name.text))
                        .map_or(String::new(), |names| format!(". Did you mean {names}?")),
                };
                let words = format!("{name} is no field: looked for as words{meant}");
                self.notes.push((at, words));
            }
            return Ok(None);
        };
        if colon && !follows {
            // `Left:` is a word of a title.
            if known.is_spelled(name) {
                let words = "looked for as words; a value stands directly behind the colon";
                self.notes.push((at, format!("{name}: {words}")));
            }
            return Ok(None);
        }
        let values = self.values()?;
        let (comparing, turned) = match comparing {
            Comparing::Unequal => (Comparing::Equal, true),
            other => (other, false),
        };
        let one = |value| self.asked(known, comparing, (sign_at, value));
        let mut asked = values.iter().map(one).collect::<Result<Vec<_>, _>>()?;
        let asked = match values.get(1) {
            Some(second) if comparing != Comparing::Equal => {
                return Err((second.at, "one value is enough to compare with".into()));
            }
            Some(_) => Condition::Or(asked),
            None => asked.remove(0),
        };
        Ok(Some(if turned {
            Condition::Not(Box::new(asked))
        } else {
            asked
        }))
    }

    /// Reads the values after a sign, with commas between them.
    fn values(&mut self) -> Result<Vec<WrittenValue<'a>>, Fault> {
        let mut values = Vec::new();
        loop {
            let at = self.scanner.at;
            let quoted = self.scanner.next() == Some('"');
            let text = if quoted {
                self.quoted()?
            } else {
                self.scanner.word(|c| is_of_word(c) && c != ',')
            };
            if text.is_empty() {
                return Err((at, "expected a value".into()));
            }
            values.push(WrittenValue { at, text, quoted });
            if !self.scanner.takes(",") {
                return Ok(values);
            }
        }
    }

    /// Returns the condition on a name and one value.
    fn asked(
        &self,
        name: &'static Name,
        comparing: Comparing,
        (sign_at, value): (usize, &WrittenValue<'_>),
    ) -> Result<Condition, Fault> {
        let equal = comparing == Comparing::Equal;
        let fault = |words: String| Err((value.at, words));
        let meant_by = |text: &str| meant(text, name.values().into_iter());
        Ok(match name.kind {
            NameKind::Count(count) => number(count, comparing, value)?,
            NameKind::Time(_) => match Span::parse(value.text, self.now) {
                Some(span) => Condition::Is(Predicate::Time(name, span.compared(comparing))),
                None => {
                    let meant =
                        meant_by(value.text).map_or(String::new(), |names| format!(": {names}?"));
                    return fault(format!(
                        "expected a time such as today, mon, -7d, 2026-11-20 or 09:30{meant}"
                    ));
                }
            },
            NameKind::Text(_) if !equal && *name == VERSION => match version_numbers(value.text) {
                Some(version) => Condition::Is(Predicate::Version(comparing, version)),
                None => return fault("expected a version such as 1.9.0".into()),
            },
            NameKind::Flags | NameKind::Text(_) if !equal => {
                return Err((sign_at, format!("expected : behind {}", name.text)));
            }
            NameKind::Flags => {
                let is = |text: &str| text.eq_ignore_ascii_case(value.text);
                let flag = Flag::ALL.iter().find(|(_, text, _)| is(text));
                match flag.map(|(flag, ..)| *flag) {
                    Some(Flag::Open | Flag::Closed) => {
                        return self.asked(&STATUS, comparing, (sign_at, value));
                    }
                    Some(Flag::Mine) => {
                        let me = |field| Condition::Is(Predicate::Text(field, Value::Me));
                        Condition::Or(PEOPLE.map(me).into())
                    }
                    Some(flag) if self.flags.contains(&flag) => {
                        Condition::Is(Predicate::Flag(flag))
                    }
                    Some(_) => return fault("only the screens know this".into()),
                    None => {
                        return fault(match meant_by(value.text) {
                            Some(names) => format!("unknown name {}: {names}?", value.text),
                            None => format!("expected one of {}", name.values().join(", ")),
                        });
                    }
                }
            }
            NameKind::Text(field)
                if name.is_person() && !value.quoted && value.text.eq_ignore_ascii_case("me") =>
            {
                Condition::Is(Predicate::Text(field, Value::Me))
            }
            NameKind::Text(field) => {
                let stars = !value.quoted;
                let text = value.text.strip_prefix('*').filter(|_| stars);
                let (text, before) = (text.unwrap_or(value.text), text.is_some());
                let (text, behind) = match text.strip_suffix('*').filter(|_| stars) {
                    Some(text) => (text, true),
                    None => (text, false),
                };
                let text = match text {
                    open if *field == fields::STATUS && open.eq_ignore_ascii_case("open") => {
                        "active"
                    }
                    closed if *field == fields::STATUS && closed.eq_ignore_ascii_case("closed") => {
                        "inactive"
                    }
                    text => text,
                };
                if let Some(names) = meant_by(text).filter(|_| *field == fields::STATUS && stars) {
                    return fault(format!("no status {text}: {names}?"));
                }
                let anywhere = *field == fields::DESCRIPTION;
                let open = (before || anywhere, behind || anywhere);
                Condition::Is(Predicate::Text(field, Value::Text(folded(text), open)))
            }
        })
    }
}

/// Sign between a name and its value.
pub(super) struct Sign {
    at: usize,
    colon: bool,
    pub comparing: Comparing,
}

/// Reads the sign after a name, and the blanks around it where they are allowed.
pub(super) fn sign(scanner: &mut Scanner<'_>, name: Option<&Name>) -> Option<Sign> {
    let behind = scanner.at;
    // `left <= 20` is a comparison, not words.
    let compares = name.is_some_and(Name::is_compared);
    if compares {
        scanner.blanks();
    }
    let at = scanner.at;
    let colon = behind == at && scanner.takes(":");
    let comparing = match scanner.comparing() {
        Some(comparing) => comparing,
        None if colon || scanner.takes("=") => Comparing::Equal,
        None => return None,
    };
    if compares && !colon {
        scanner.blanks();
    }
    Some(Sign {
        at,
        colon,
        comparing,
    })
}

/// `20`, `90%`.
fn number(
    count: RunCount,
    comparing: Comparing,
    value: &WrittenValue<'_>,
) -> Result<Condition, Fault> {
    let mut scanner = Scanner::new(value.text)?;
    let number = scanner.number().map_err(|(_, words)| (value.at, words))?;
    let percent = count != RunCount::Suites && scanner.takes("%");
    let Some(number) = number.filter(|_| scanner.remaining().is_empty()) else {
        let words = "expected a whole number, of cases also one with a %";
        return Err((value.at, words.into()));
    };
    let (own, number) = (Number::Count(count), Number::Literal(number));
    let (own, number) = if percent && count != RunCount::Progress {
        let own = Number::Product(vec![own, Number::Literal(100)]);
        (own, Number::Product(vec![number, Number::Cases]))
    } else {
        (own, number)
    };
    Ok(Condition::Compare(own, comparing, number))
}

/// The form that a word was probably to have, if it looks like a condition or several runs.
fn meant_by_word(word: &str) -> Option<&'static str> {
    let name = word.find(|c: char| !(c.is_alphabetic() || c == '_'));
    let name = Name::find(&word[..name.unwrap_or(word.len())]);
    let compares = word.contains(['<', '>', '='])
        || name.is_some_and(|it| it.text == word && word.contains('_'));
    let is_id = |part: &str| is_run_id(&part.to_ascii_uppercase());
    match word {
        "%" => Some("directly behind a number: done>=90%"),
        "&&" => Some("what stands side by side is all needed"),
        "NOT" => Some("-word turns round"),
        "||" => Some("or stands between them"),
        _ if name.is_some() && compares => Some("a count is compared with a number: failed>0"),
        _ if word.contains(',') && word.split(',').all(is_id) => {
            Some("one of several is R_1 or R_2")
        }
        _ => None,
    }
}

pub(super) fn is_of_word(c: char) -> bool {
    !c.is_whitespace() && !['(', ')'].contains(&c)
}
