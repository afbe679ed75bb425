//! Conditions and their values: true, false, or not known because a number is missing.

use super::compare::Comparing;
use super::fold::contains;
use super::predicate::Predicate;
use crate::domain::prelude::*;

/// Subject of a condition.
#[derive(Clone, Copy)]
pub enum Subject<'a> {
    Run(&'a RunRow, &'a QueryContext<'a>),
    /// A release, by its numbers.
    Release(&'a dyn Fn(RunCount) -> Range),
}

impl Subject<'_> {
    pub fn number(self, count: RunCount) -> Range {
        match self {
            Self::Run(run, context) => count.of(run, context),
            Self::Release(number) => number(count),
        }
    }
}

/// Condition on a run or a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Condition {
    /// `a <= b` and the like.
    Compare(Number, Comparing, Number),
    /// Predicate of a search.
    Is(Predicate),
    /// `!a`.
    Not(Box<Self>),
    /// `a && b`.
    And(Vec<Self>),
    /// `a || b`.
    Or(Vec<Self>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Number {
    /// A written number.
    Literal(i128),
    /// A number of the run.
    Count(RunCount),
    /// All cases of the run; not known if there are none.
    Cases,
    /// `a + b - c`: the parts, `true` if subtracted.
    Sum(Vec<(Self, bool)>),
    /// `a * b`.
    Product(Vec<Self>),
}

impl Condition {
    /// Evaluates in Kleene's three values: `true || unknown` is true, `false && unknown` is false, everything else with
    /// an unknown part is unknown.
    pub fn holds(&self, of: Subject<'_>) -> Option<bool> {
        match self {
            Self::Compare(left, comparing, right) => {
                comparing.holds(left.value(of), right.value(of))
            }
            Self::Is(predicate) => match of {
                Subject::Run(run, context) => predicate.holds(run, context),
                Subject::Release(_) => None,
            },
            Self::Not(inner) => inner.holds(of).map(|holds| !holds),
            Self::And(parts) => decided(parts, of, false),
            Self::Or(parts) => decided(parts, of, true),
        }
    }

    /// Returns `true` if it is the limit of an open run that does not meet it; `done` are the results of finished cases.
    pub fn is_exceeded(&self, run: &RunRow, done: &[ResultCode]) -> Option<bool> {
        let counts = QueryContext::of_counts(done, false);
        let is_within = self.holds(Subject::Run(run, &counts))?;
        Some(run.status == Status::Active && !is_within)
    }

    /// Returns `true` if false for every run whose texts are all part of `text`.
    pub(super) fn rules_out(&self, text: &str) -> bool {
        match self {
            Self::Is(Predicate::Words(words)) => !contains(words, (true, true), text),
            Self::And(parts) => parts.iter().any(|part| part.rules_out(text)),
            Self::Or(parts) => parts.iter().all(|part| part.rules_out(text)),
            _ => false,
        }
    }

    /// Returns the parts that make the condition false; empty if it is true or not known.
    pub fn broken(&self, of: Subject<'_>) -> Vec<&Self> {
        if self.holds(of) != Some(false) {
            return Vec::new();
        }
        match self {
            Self::And(parts) | Self::Or(parts) => {
                let broken = parts.iter().map(|part| part.broken(of));
                broken.flatten().collect()
            }
            _ => vec![self],
        }
    }

    /// Returns the reason for false: `failed_new is 11, limit <= 3`. `text`, the written condition, is added if that is
    /// more than a count and a number.
    pub fn shortfall(&self, text: &str, of: Subject<'_>) -> String {
        let broken = self.broken(of);
        let is = |count: RunCount| format!("{} is {}", count.text(), of.number(count));
        let simple = broken.iter().map(|part| match part {
            Self::Compare(Number::Count(count), comparing, Number::Literal(number)) => Some(
                format!("{}, limit {} {number}", is(*count), comparing.sign()),
            ),
            _ => None,
        });
        if let Some(parts) = simple.collect::<Option<Vec<String>>>() {
            return parts.join("; ");
        }
        let counts: BTreeSet<RunCount> = broken.iter().flat_map(|part| part.counts()).collect();
        let mut words: Vec<String> = counts.into_iter().map(is).collect();
        words.push(format!("limit {text}"));
        words.join(", ")
    }

    /// Returns all counts of the condition.
    pub fn counts(&self) -> BTreeSet<RunCount> {
        match self {
            Self::Compare(left, _, right) => {
                left.counts().into_iter().chain(right.counts()).collect()
            }
            Self::Is(_) => BTreeSet::new(),
            Self::Not(inner) => inner.counts(),
            Self::And(parts) | Self::Or(parts) => parts.iter().flat_map(Self::counts).collect(),
        }
    }
}

/// Returns `enough` if one part has this value, else the other one if all parts have it.
fn decided(parts: &[Condition], of: Subject<'_>, enough: bool) -> Option<bool> {
    let mut known = true;
    for part in parts {
        match part.holds(of) {
            Some(holds) if holds == enough => return Some(enough),
            Some(_) => {}
            None => known = false,
        }
    }
    known.then_some(!enough)
}

impl Number {
    fn value(&self, of: Subject<'_>) -> Range {
        match self {
            Self::Literal(number) => Range::exactly(*number),
            Self::Count(count) => of.number(*count),
            Self::Cases => match of.number(RunCount::Total) {
                total if total.least > Some(0) => total,
                _ => Range::UNKNOWN,
            },
            Self::Sum(parts) => parts.iter().fold(Range::exactly(0), |sum, (part, less)| {
                let part = part.value(of);
                if *less {
                    sum.minus(part)
                } else {
                    sum.plus(part)
                }
            }),
            Self::Product(parts) => parts.iter().fold(Range::exactly(1), |product, part| {
                product.times(part.value(of))
            }),
        }
    }

    fn counts(&self) -> BTreeSet<RunCount> {
        match self {
            Self::Literal(_) | Self::Cases => BTreeSet::new(),
            Self::Count(count) => BTreeSet::from([*count]),
            Self::Sum(parts) => parts.iter().flat_map(|(part, _)| part.counts()).collect(),
            Self::Product(parts) => parts.iter().flat_map(Self::counts).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse::{condition as parse, criterion};
    use super::*;
    use crate::domain::{DocRef, ResultCode, ResultCounts};

    const DONE: [ResultCode; 1] = [ResultCode::Passed];

    fn run(counts: &[(ResultCode, u64)]) -> RunRow {
        let mut results = ResultCounts::default();
        for (code, count) in counts {
            results.add(*code, *count);
        }
        RunRow {
            results: Some(results),
            progress: Some(40),
            ..RunRow::unknown(DocRef::parse("TestRun-dm/1").unwrap())
        }
    }

    /// `failed_new` 3, passed 95; the others are missing.
    fn holds(text: &str) -> Option<bool> {
        let run = run(&[(ResultCode::FailedNew, 3), (ResultCode::Passed, 95)]);
        parse(text)
            .unwrap()
            .holds(Subject::Run(&run, &QueryContext::of_counts(&DONE, false)))
    }

    #[test]
    fn conditions_come_to_what_they_say() {
        for (text, expected) in [
            ("failed_new <= 3", Some(true)),
            ("failed_new<3", Some(false)),
            ("failed_new != 3 || passed == 95", Some(true)),
            ("failed_new * 100 <= progress * 8", Some(true)),
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
            // Sums with unknown parts are at least the known part.
            ("total >= 98", Some(true)),
            ("total < 98", Some(false)),
            ("total == 97 || total <= 97", Some(false)),
            ("total != 97", Some(true)),
            ("total >= 99", None),
            ("total == 98", None),
            ("failed > 2", Some(true)),
            ("failed == 3", None),
            ("done == 95 && left >= 3", Some(true)),
            ("failed_new + untested >= 3", Some(true)),
            ("(failed_new + untested) * 2 >= 6", Some(true)),
            ("total - passed >= 3", Some(true)),
            ("passed - total <= -3", Some(true)),
            ("passed - total < -3", None),
            ("suites >= 0", None),
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
        let run = run(&[(ResultCode::FailedNew, 11), (ResultCode::Untested, 4)]);
        let context = QueryContext::of_counts(&DONE, false);
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
                "failed_new * 100 <= progress * 5",
                "failed_new is 11, progress is 40, limit failed_new * 100 <= progress * 5",
            ),
            ("!(untested == 4)", "untested is 4, limit !(untested == 4)"),
            ("failed <= 3", "failed is at least 11, limit <= 3"),
            ("failed_new >= 3", ""),
            ("blocked == 0", ""),
        ] {
            let condition = parse(text).unwrap();
            assert_eq!(
                condition.shortfall(text, Subject::Run(&run, &context)),
                words,
                "{text}"
            );
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
            ("hol > 1", 1, "unknown name hol: hold?"),
            (
                "runs_late == 0",
                1,
                "runs_late is a number of a release, and this is asked of a run",
            ),
        ] {
            let wrong = parse(text).unwrap_err();
            let shown = wrong.to_string();
            assert!(shown.starts_with(&format!("column {column}: ")), "{shown}");
            assert!(shown.contains(words), "{shown}");
        }
        assert!(criterion("runs_late + not_run == left").is_ok());
        let wrong = criterion("left == 0 && suites > 1").unwrap_err();
        assert!(
            wrong
                .to_string()
                .starts_with("column 14: suites is a number of a run")
        );
        let deep = "(".repeat(5_000);
        assert!(parse(&deep).unwrap_err().words.contains("in one another"));
        assert!(
            parse(&"1".repeat(20_000))
                .unwrap_err()
                .words
                .contains("longer than")
        );
    }
}
