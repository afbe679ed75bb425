//! Result codes of test cases and their counts (interface section 2.2).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The eleven result codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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

    /// The order of a results bar: what is good, what is bad, what is under way, what is left.
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

    /// What `failed` means everywhere.
    pub const FAILED: &[Self] = &[Self::FailedNew, Self::FailedKnown];

    /// On hold, whoever it waits for.
    pub const ON_HOLD: &[Self] = &[Self::OnHoldExternal, Self::OnHoldInternal];

    /// Blocked or on hold: nobody can go on with it.
    pub const BLOCKED: &[Self] = &[Self::Blocked, Self::OnHoldExternal, Self::OnHoldInternal];

    /// The code of a text such as `"5"`.
    pub fn parse(code: &str) -> Option<Self> {
        let number: usize = code.trim().parse().ok()?;
        Self::ALL.get(number.checked_sub(1)?).copied()
    }

    /// The number of the code, 1 to 11.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The label of the document.
    pub const fn label(self) -> &'static str {
        self.texts().0
    }

    /// What the code is called in conditions and in JSON.
    pub const fn name(self) -> &'static str {
        self.texts().1
    }

    /// The letter that stands for the code in bars.
    pub fn letter(self) -> char {
        self.texts().2
    }

    /// Label, name and letter.
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
pub type Cases = [u64; ResultCode::ALL.len() + 1];

/// How many test cases stand at which result (`Root.DisplayFields.Result`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResultCounts {
    by_code: [Option<u64>; 11],
    /// Cases under codes that the document does not name: code, label, count.
    pub others: Vec<(String, String, u64)>,
    /// Entries whose code or count could not be read: they may be of any code.
    pub unread: usize,
}

impl ResultCounts {
    /// Reads `Root.DisplayFields.Result`; an entry without a code or a usable count is only counted.
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

    /// The counts by name of their code; null at a code that is not listed.
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

    /// Adds `count` cases at `code`.
    pub fn add(&mut self, code: ResultCode, count: u64) {
        let cell = self.by_code[code as usize - 1].get_or_insert(0);
        *cell = cell.saturating_add(count);
    }

    /// Adds `count` cases at a code as it came; the label is that of one that the document does not name.
    pub fn add_at(&mut self, code: String, label: &str, count: u64) {
        match ResultCode::parse(&code) {
            Some(known) => self.add(known, count),
            None => self.others.push((code, label.to_owned(), count)),
        }
    }

    /// Number of cases at `code`; 0 where it is not listed.
    pub fn get(&self, code: ResultCode) -> u64 {
        self.listed(code).unwrap_or(0)
    }

    /// Number of cases at `code`, where the service lists it. Whether it lists codes without cases is not documented.
    pub fn listed(&self, code: ResultCode) -> Option<u64> {
        self.by_code[code as usize - 1]
    }

    /// Number of cases at any of these codes, of which each counts once.
    pub fn sum(&self, codes: &[ResultCode]) -> u64 {
        ResultCode::ALL
            .into_iter()
            .filter(|code| codes.contains(code))
            .map(|code| self.get(code))
            .fold(0, u64::saturating_add)
    }

    /// Number of cases at codes that the document does not name.
    pub fn unnamed(&self) -> u64 {
        self.others
            .iter()
            .map(|(.., count)| *count)
            .fold(0, u64::saturating_add)
    }

    /// The same by code, each once, with its label.
    pub fn unnamed_by_code(&self) -> BTreeMap<&str, (&str, u64)> {
        let mut found: BTreeMap<&str, (&str, u64)> = BTreeMap::new();
        for (code, label, count) in &self.others {
            let sum = &mut found.entry(code).or_insert((label, 0)).1;
            *sum = sum.saturating_add(*count);
        }
        found
    }

    /// The same counts in one order, without labels; nothing where more than so many codes are not named.
    pub fn sorted(&self, most: usize) -> Option<Self> {
        let others = self.unnamed_by_code();
        let other =
            |(code, (_, count)): (&str, (&str, u64))| (code.to_owned(), String::new(), count);
        (others.len() <= most).then(|| Self {
            others: others.into_iter().map(other).collect(),
            ..*self
        })
    }

    /// Number of all cases.
    pub fn total(&self) -> u64 {
        self.by_code
            .iter()
            .flatten()
            .copied()
            .fold(self.unnamed(), u64::saturating_add)
    }

    /// All of them; nothing where a count could not be read: it may be of any code.
    pub fn cases(&self) -> Option<Cases> {
        let mut cases: Cases = [self.unnamed(); _];
        for (at, code) in cases.iter_mut().zip(ResultCode::ALL) {
            *at = self.get(code);
        }
        (self.unread == 0).then_some(cases)
    }

    /// All cases and those that are finished: at one of these codes. Nothing where a count could not be read: it may be
    /// of any code.
    pub fn sums(&self, done: &[ResultCode]) -> Option<Sums> {
        (self.unread == 0).then(|| Sums {
            total: self.total(),
            done: self.sum(done),
        })
    }
}

/// Test cases, summed up from the counts that are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// All.
    pub total: u64,
    /// Those that are finished (`done_codes` of the profile).
    pub done: u64,
}

impl Sums {
    /// Of a hundred, rounded down; nothing where there are no cases.
    pub fn percent(self) -> Option<u64> {
        let percent = (u128::from(self.done) * 100).checked_div(u128::from(self.total));
        percent.and_then(|percent| u64::try_from(percent).ok())
    }

    /// Those that are not.
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
    fn letters_are_all_different() {
        let letters: std::collections::HashSet<char> =
            ResultCode::ALL.iter().map(|c| c.letter()).collect();
        assert_eq!(letters.len(), 11);
    }
}
