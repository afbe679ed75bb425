//! Result codes of test cases and their counts (interface section 2.2).

use std::collections::BTreeMap;
use std::ops::AddAssign;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The eleven result codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ResultCode {
    Untested = 1,
    Passed,
    Blocked,
    Customer,
    FailedNew,
    FailedKnown,
    InProgress,
    OnHoldExternal,
    OnHoldInternal,
    Retest,
    Skipped,
}

impl ResultCode {
    /// All codes, by number.
    pub const ALL: [Self; 11] = [
        Self::Untested,
        Self::Passed,
        Self::Blocked,
        Self::Customer,
        Self::FailedNew,
        Self::FailedKnown,
        Self::InProgress,
        Self::OnHoldExternal,
        Self::OnHoldInternal,
        Self::Retest,
        Self::Skipped,
    ];

    /// Order of a results bar: good, bad, in progress, left.
    pub const BAR: [Self; 11] = [
        Self::Passed,
        Self::FailedNew,
        Self::FailedKnown,
        Self::Blocked,
        Self::Customer,
        Self::InProgress,
        Self::OnHoldExternal,
        Self::OnHoldInternal,
        Self::Retest,
        Self::Skipped,
        Self::Untested,
    ];

    /// Codes that count as failed.
    pub const FAILED: &[Self] = &[Self::FailedNew, Self::FailedKnown];

    /// Codes on hold.
    pub const ON_HOLD: &[Self] = &[Self::OnHoldExternal, Self::OnHoldInternal];

    /// Codes blocked or on hold: work cannot go on.
    pub const BLOCKED: &[Self] = &[Self::Blocked, Self::OnHoldExternal, Self::OnHoldInternal];

    /// Parses a code such as `"5"`.
    pub fn parse(code: &str) -> Option<Self> {
        let number: usize = code.trim().parse().ok()?;
        Self::ALL.get(number.checked_sub(1)?).copied()
    }

    /// Returns the number of the code, 1 to 11.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// Returns the documented label.
    pub const fn label(self) -> &'static str {
        self.texts().0
    }

    /// Returns the label within a sentence.
    pub fn in_words(self) -> String {
        match self {
            // A word that alone names no result.
            Self::Customer => "customer (status)".to_owned(),
            _ => self.label().to_lowercase(),
        }
    }

    /// Returns the name in conditions and in JSON.
    pub const fn name(self) -> &'static str {
        self.texts().1
    }

    /// Returns the letter for bars.
    pub fn letter(self) -> char {
        self.texts().2
    }

    /// Returns label, name and letter.
    const fn texts(self) -> (&'static str, &'static str, char) {
        match self {
            Self::Untested => ("Untested", "untested", 'U'),
            Self::Passed => ("Passed", "passed", 'P'),
            Self::Blocked => ("Blocked", "blocked", 'B'),
            Self::Customer => ("Customer", "customer", 'C'),
            Self::FailedNew => ("Failed (new)", "failed_new", 'F'),
            Self::FailedKnown => ("Failed (known)", "failed_known", 'K'),
            Self::InProgress => ("In progress", "in_progress", 'i'),
            Self::OnHoldExternal => ("On hold (external)", "on_hold_external", 'x'),
            Self::OnHoldInternal => ("On hold (internal)", "on_hold_internal", 'h'),
            Self::Retest => ("Retest", "retest", 'R'),
            Self::Skipped => ("Skipped", "skipped", 'S'),
        }
    }
}

/// Cases by result in the order of [`ResultCode::ALL`], the last for all other codes together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cases(pub [u64; ResultCode::ALL.len() + 1]);

impl Cases {
    /// Returns the number of cases with any of these codes, each counted once.
    pub fn at(&self, codes: &[ResultCode]) -> u64 {
        ResultCode::ALL
            .into_iter()
            .zip(self.0)
            .filter(|(code, _)| codes.contains(code))
            .fold(0, |sum, (_, cases)| sum.saturating_add(cases))
    }

    /// Returns the number of all cases.
    pub fn total(&self) -> u64 {
        self.0.into_iter().fold(0, u64::saturating_add)
    }
}

impl AddAssign for Cases {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.0.iter_mut().zip(other.0) {
            *sum = sum.saturating_add(more);
        }
    }
}

/// Number of test cases by result (`Root.DisplayFields.Result`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    by_code: [Option<u64>; 11],
    /// Cases with undocumented codes: code, label, count.
    pub others: Vec<(String, String, u64)>,
    /// Number of unreadable entries: they may be of any code.
    pub unread: usize,
}

impl ResultCounts {
    /// Reads `Root.DisplayFields.Result`; an entry without a code or a usable count is `unread`.
    pub fn from_value(value: &Value) -> Option<Self> {
        let mut counts = Self::default();
        for entry in value.as_array()? {
            let code = entry["result"]
                .as_str()
                .map(str::to_owned)
                .or_else(|| entry["result"].as_number().map(ToString::to_string));
            let (Some(code), Some(count)) = (code, entry["count"].as_u64()) else {
                counts.unread += 1;
                continue;
            };
            counts.add_at(code, entry["label"].as_str().unwrap_or_default(), count);
        }
        Some(counts)
    }

    /// Returns the counts by name of their code; null for a code that is not listed.
    pub fn to_json(&self) -> Value {
        let mut members: Map<String, Value> = ResultCode::ALL
            .iter()
            .map(|code| (code.name().to_owned(), json!(self.listed(*code))))
            .collect();
        members.insert(
            "others".into(),
            self.others
                .iter()
                .map(|(code, label, count)| json!({"code": code, "label": label, "count": count}))
                .collect(),
        );
        Value::Object(members)
    }

    /// Adds `count` cases with `code`.
    pub fn add(&mut self, code: ResultCode, count: u64) {
        let cell = self.by_code[code as usize - 1].get_or_insert(0);
        *cell = cell.saturating_add(count);
    }

    /// Adds `count` cases with a code as sent; an undocumented one gets the label.
    pub fn add_at(&mut self, code: String, label: &str, count: u64) {
        match ResultCode::parse(&code) {
            Some(known) => self.add(known, count),
            None => self.others.push((code, label.to_owned(), count)),
        }
    }

    /// Returns the number of cases with `code`; 0 if not listed.
    pub fn get(&self, code: ResultCode) -> u64 {
        self.listed(code).unwrap_or(0)
    }

    /// Returns the number of cases with `code`, if listed. It is not documented if codes without cases are listed.
    pub fn listed(&self, code: ResultCode) -> Option<u64> {
        self.by_code[code as usize - 1]
    }

    /// Returns the number of cases with any of these codes; `None` if a count could not be read: it may be of any code.
    pub fn exact(&self, codes: &[ResultCode]) -> Option<u64> {
        Some(self.cases()?.at(codes))
    }

    /// Returns the number of cases that are known to have any of these codes, each counted once.
    pub fn sum(&self, codes: &[ResultCode]) -> u64 {
        self.known().at(codes)
    }

    /// Returns the number of cases with undocumented codes.
    pub fn unnamed(&self) -> u64 {
        self.others
            .iter()
            .map(|(.., count)| *count)
            .fold(0, u64::saturating_add)
    }

    /// Returns undocumented codes, each once, with label and count.
    pub fn unnamed_by_code(&self) -> BTreeMap<&str, (&str, u64)> {
        let mut found: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
        for (code, label, count) in &self.others {
            let sum = &mut found.entry(code).or_insert((label, 0)).1;
            *sum = sum.saturating_add(*count);
        }
        found
    }

    /// Returns the counts in a fixed order, without labels; `None` for more than `most` undocumented codes.
    pub fn sorted(&self, most: usize) -> Option<Self> {
        let others = self.unnamed_by_code();
        let other =
            |(code, (_, count)): (&str, (&str, u64))| (code.to_owned(), String::new(), count);
        (others.len() <= most).then(|| Self {
            others: others.into_iter().map(other).collect(),
            ..*self
        })
    }

    /// Returns the number of all cases.
    pub fn total(&self) -> u64 {
        self.known().total()
    }

    /// Counts that could be read.
    fn known(&self) -> Cases {
        let mut cases = [self.unnamed(); _];
        for (at, code) in cases.iter_mut().zip(ResultCode::ALL) {
            *at = self.get(code);
        }
        Cases(cases)
    }

    /// Returns all counts; `None` if one could not be read: it may be of any code.
    pub fn cases(&self) -> Option<Cases> {
        (self.unread == 0).then(|| self.known())
    }

    /// Returns the number of cases with a result; `None` if a count could not be read.
    pub fn recorded(&self) -> Option<u64> {
        self.sums(&[ResultCode::Untested]).map(Sums::left)
    }

    /// Returns all cases and finished ones: those with these codes. `None` if a count could not be read: it may be of
    /// any code.
    pub fn sums(&self, done: &[ResultCode]) -> Option<Sums> {
        self.cases().map(|cases| Sums {
            total: cases.total(),
            done: cases.at(done),
        })
    }
}

/// Sums of the listed counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// All cases.
    pub total: u64,
    /// Finished cases (`done_codes` of the profile).
    pub done: u64,
}

impl Sums {
    /// Returns the finished cases in per cent, rounded down; `None` without cases.
    pub fn percent(self) -> Option<u64> {
        let percent = (u128::from(self.done) * 100).checked_div(u128::from(self.total));
        percent.and_then(|percent| u64::try_from(percent).ok())
    }

    /// Returns the same as text, without the sign: `94`, `<1` if there are some.
    pub fn share(self) -> Option<String> {
        Some(match self.percent()? {
            0 if self.done > 0 => "<1".to_owned(),
            percent => percent.to_string(),
        })
    }

    /// Returns the unfinished cases.
    pub fn left(self) -> u64 {
        self.total.saturating_sub(self.done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_read_and_foreign_codes_kept() {
        let value = serde_json::json!([
            {"result": "2", "count": 57, "label": "Passed"}, {"result": "1", "count": 36}, {"result": 5, "count": 9},
            {"result": "99", "count": 2, "label": "Odd"}, {"result": "3", "count": -1}, {"result": "4"}, null,
            {"result": null, "count": 5}, {"result": " 2 ", "count": 1}
        ]);
        let counts = ResultCounts::from_value(&value).unwrap();
        assert_eq!(
            (
                counts.get(ResultCode::Passed),
                counts.get(ResultCode::FailedNew)
            ),
            (58, 9)
        );
        assert_eq!((counts.total(), counts.unnamed()), (105, 2));
        assert_eq!(
            (
                counts.listed(ResultCode::Untested),
                counts.listed(ResultCode::Blocked)
            ),
            (Some(36), None)
        );
        assert_eq!(
            (counts.unread, counts.sums(&[ResultCode::Passed])),
            (4, None)
        );
        assert_eq!(ResultCounts::from_value(&serde_json::json!({})), None);
    }

    #[test]
    fn a_code_is_finished_once_however_often_it_is_named() {
        let value = serde_json::json!([{"result": "2", "count": 57}, {"result": "1", "count": 36}, {"result": "x", "count": 2}]);
        let sums = ResultCounts::from_value(&value)
            .unwrap()
            .sums(&[ResultCode::Passed, ResultCode::Passed])
            .unwrap();
        assert_eq!((sums.total, sums.done, sums.left()), (95, 57, 38));
    }

    #[test]
    fn all_is_only_what_is_finished_and_nothing_only_what_was_not_begun() {
        let share = |done| Sums { total: 1000, done }.share().unwrap();
        let shares = [0, 1, 19, 999, 1000].map(share);
        assert_eq!(shares, ["0", "<1", "1", "99", "100"]);
        assert_eq!(Sums { total: 0, done: 0 }.share(), None);
    }

    #[test]
    fn letters_are_all_different() {
        let letters: std::collections::HashSet<char> =
            ResultCode::ALL.iter().map(|c| c.letter()).collect();
        assert_eq!(letters.len(), 11);
    }
}
