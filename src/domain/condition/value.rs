//! A condition and what it comes to: true, false, or not known because a count that decides it is missing.

use std::collections::BTreeSet;

use super::name::Name;

/// Which counts are known.
pub type Counts<'a> = &'a dyn Fn(Name) -> Option<i128>;

/// Something that is true or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `a <= b` and its like.
    Compare(Number, Comparing, Number),
    /// `!a`.
    Not(Box<Self>),
    /// `a && b`.
    And(Box<Self>, Box<Self>),
    /// `a || b`.
    Or(Box<Self>, Box<Self>),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparing {
    /// `<`.
    Less,
    /// `<=`.
    AtMost,
    /// `==`.
    Equal,
    /// `!=`.
    Unequal,
    /// `>=`.
    AtLeast,
    /// `>`.
    More,
}

impl Comparing {
    fn sign(self) -> &'static str {
        match self {
            Self::Less => "<",
            Self::AtMost => "<=",
            Self::Equal => "==",
            Self::Unequal => "!=",
            Self::AtLeast => ">=",
            Self::More => ">",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// As it is written.
    Literal(i128),
    /// A number of the run.
    Count(Name),
    /// `a + b`.
    Sum(Box<Self>, Box<Self>),
    /// `a - b`.
    Difference(Box<Self>, Box<Self>),
    /// `a * b`.
    Product(Box<Self>, Box<Self>),
}

impl Condition {
    /// Kleene's three values: what is known decides where it can. `true || unknown` is true, `false && unknown` is
    /// false, everything else with an unknown part is unknown.
    pub fn holds(&self, counts: Counts<'_>) -> Option<bool> {
        match self {
            Self::Compare(left, comparing, right) => {
                let (left, right) = (left.value(counts)?, right.value(counts)?);
                Some(match comparing {
                    Comparing::Less => left < right,
                    Comparing::AtMost => left <= right,
                    Comparing::Equal => left == right,
                    Comparing::Unequal => left != right,
                    Comparing::AtLeast => left >= right,
                    Comparing::More => left > right,
                })
            }
            Self::Not(inner) => inner.holds(counts).map(|holds| !holds),
            Self::And(left, right) => match (left.holds(counts), right.holds(counts)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Self::Or(left, right) => match (left.holds(counts), right.holds(counts)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }

    /// What of it is false and keeps it from holding, each part for itself; nothing where it holds or nobody can say.
    pub fn broken(&self, counts: Counts<'_>) -> Vec<&Self> {
        if self.holds(counts) != Some(false) {
            return Vec::new();
        }
        match self {
            Self::Compare(..) | Self::Not(_) => vec![self],
            Self::And(left, right) | Self::Or(left, right) => {
                let mut broken = left.broken(counts);
                broken.extend(right.broken(counts));
                broken
            }
        }
    }

    /// Why it does not hold: `failed_new is 11, limit <= 3`. `text` is the condition as it is written, which is told where
    /// it is more than a count and a number.
    pub fn shortfall(&self, text: &str, counts: Counts<'_>) -> String {
        let broken = self.broken(counts);
        let is = |name: Name| {
            let number = counts(name).map_or("not known".into(), |number| number.to_string());
            format!("{} is {number}", name.text())
        };
        let simple = broken.iter().map(|part| match part {
            Self::Compare(Number::Count(name), comparing, Number::Literal(number)) => Some(
                format!("{}, limit {} {number}", is(*name), comparing.sign()),
            ),
            _ => None,
        });
        if let Some(parts) = simple.collect::<Option<Vec<String>>>() {
            return parts.join("; ");
        }
        let names: BTreeSet<Name> = broken.iter().flat_map(|part| part.names()).collect();
        let mut words: Vec<String> = names.into_iter().map(is).collect();
        words.push(format!("limit {text}"));
        words.join(", ")
    }

    /// The counts that are asked for.
    pub fn names(&self) -> BTreeSet<Name> {
        match self {
            Self::Compare(left, _, right) => &left.names() | &right.names(),
            Self::Not(inner) => inner.names(),
            Self::And(left, right) | Self::Or(left, right) => &left.names() | &right.names(),
        }
    }
}

impl Number {
    /// Not known where a count is missing, or where it is larger than can be worked with.
    fn value(&self, counts: Counts<'_>) -> Option<i128> {
        match self {
            Self::Literal(number) => Some(*number),
            Self::Count(name) => counts(*name),
            Self::Sum(left, right) => left.value(counts)?.checked_add(right.value(counts)?),
            Self::Difference(left, right) => left.value(counts)?.checked_sub(right.value(counts)?),
            Self::Product(left, right) => left.value(counts)?.checked_mul(right.value(counts)?),
        }
    }

    fn names(&self) -> BTreeSet<Name> {
        match self {
            Self::Literal(_) => BTreeSet::new(),
            Self::Count(name) => BTreeSet::from([*name]),
            Self::Sum(left, right) | Self::Difference(left, right) | Self::Product(left, right) => {
                &left.names() | &right.names()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::expr::parse;
    use super::*;
    use crate::domain::ResultCode;
    use proptest::prelude::*;

    /// `failed_new` 3, passed 95, total 100; untested is missing.
    fn holds(text: &str) -> Option<bool> {
        let counts = |name| match name {
            Name::Code(ResultCode::FailedNew) => Some(3),
            Name::Code(ResultCode::Passed) => Some(95),
            Name::Total => Some(100),
            _ => None,
        };
        parse(text).unwrap().holds(&counts)
    }

    #[test]
    fn conditions_come_to_what_they_say() {
        for (text, expected) in [
            ("failed_new <= 3", Some(true)),
            ("failed_new<3", Some(false)),
            ("failed_new != 3 || passed == 95", Some(true)),
            ("failed_new * 100 <= total * 5", Some(true)),
            ("passed + failed_new * 2 == 101", Some(true)),
            ("(passed + failed_new) * 2 == 196", Some(true)),
            ("passed - failed_new - 1 == 91", Some(true)),
            ("-failed_new < 0 && 2 - -1 == 3", Some(true)),
            ("!(failed_new > 3)", Some(true)),
            ("!!(failed_new > 3)", Some(false)),
            ("passed == 0 && passed == 95 || failed_new == 3", Some(true)),
            (
                "passed == 0 && (passed == 95 || failed_new == 3)",
                Some(false),
            ),
            ("untested == 0", None),
            ("untested - untested == 0", None),
            ("!(untested == 0)", None),
            ("untested == 0 && failed_new <= 3", None),
            ("untested == 0 && failed_new > 3", Some(false)),
            ("failed_new > 3 && untested == 0", Some(false)),
            ("untested == 0 || failed_new <= 3", Some(true)),
            ("untested == 0 || failed_new > 3", None),
            (
                "18446744073709551615 * 18446744073709551615 * 18446744073709551615 > 0",
                None,
            ),
        ] {
            assert_eq!(holds(text), expected, "{text}");
        }
    }

    #[test]
    fn what_does_not_hold_says_by_how_much() {
        let counts = |name| match name {
            Name::Code(ResultCode::FailedNew) => Some(11),
            Name::Code(ResultCode::Untested) => Some(4),
            Name::Total => Some(100),
            _ => None,
        };
        for (text, words) in [
            ("failed_new <= 3", "failed_new is 11, limit <= 3"),
            (
                "failed_new <= 3 && untested == 4",
                "failed_new is 11, limit <= 3",
            ),
            (
                "failed_new <= 3 && untested == 0",
                "failed_new is 11, limit <= 3; untested is 4, limit == 0",
            ),
            (
                "failed_new < 3 || untested > 9",
                "failed_new is 11, limit < 3; untested is 4, limit > 9",
            ),
            (
                "failed_new * 100 <= total * 5",
                "failed_new is 11, total is 100, limit failed_new * 100 <= total * 5",
            ),
            ("!(untested == 4)", "untested is 4, limit !(untested == 4)"),
            ("failed_new >= 3", ""),
            ("blocked == 0", ""),
        ] {
            let condition = parse(text).unwrap();
            assert_eq!(condition.shortfall(text, &counts), words, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_pointed_at() {
        for (text, column, words) in [
            ("", 1, "expected a count"),
            ("failed_new", 1, "this is a number; expected a comparison"),
            ("failed_new <=", 14, "expected a count"),
            ("failed_new <= 3 &&", 19, "expected a count"),
            ("faild_new <= 3", 1, "unknown name faild_new: failed_new?"),
            (
                "fail <= 3",
                1,
                "unknown name fail: failed, failed_new or failed_known?",
            ),
            ("skip == 0", 1, "unknown name skip: skipped?"),
            ("passed > 1 and left == 0", 12, "expected &&"),
            ("passed = 1", 8, "expected =="),
            ("passed > 5%", 11, "there is no %"),
            ("passed / 2 > 1", 8, "there is no /"),
            ("passed > 1.5", 11, "whole numbers only"),
            ("1 < passed < 3", 12, "two comparisons in a row"),
            ("(passed > 1", 12, "expected a )"),
            ("passed > 1)", 11, "this ) closes nothing"),
            ("passed > 1 left", 12, "expected the end"),
            (
                "(passed > 1) + 2 > 3",
                1,
                "this is a condition; expected a number",
            ),
            ("!passed == 1", 1, "! turns a condition round"),
            (
                "passed && left == 0",
                1,
                "this is a number; expected a comparison",
            ),
            (
                "left == 0 || passed",
                14,
                "this is a number; expected a comparison",
            ),
            (
                "tests > 1",
                1,
                "unknown name tests; there are failed, untested, passed",
            ),
            ("passed > 99999999999999999999999", 10, "too large"),
            ("日本 > 1", 1, "unknown name 日本; there are"),
            ("\u{1b}", 1, "nothing of that sort"),
            ("passed > 1 ; left", 12, "nothing of that sort"),
        ] {
            let wrong = parse(text).unwrap_err();
            let shown = wrong.to_string();
            assert!(shown.starts_with(&format!("column {column}: ")), "{shown}");
            assert!(shown.contains(words), "{shown}");
        }
        let deep = "(".repeat(5_000);
        assert!(parse(&deep).unwrap_err().words.contains("in one another"));
        assert!(
            parse(&"1".repeat(20_000))
                .unwrap_err()
                .words
                .contains("longer than")
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_pointed_at(text in any::<String>(), more in "[a-z_ 0-9<>=!&|()+*-]{0,60}") {
            for text in [text, more] {
                if let Err(wrong) = parse(&text) {
                    prop_assert!(wrong.at <= text.len() && !wrong.to_string().is_empty());
                }
            }
        }
    }
}
