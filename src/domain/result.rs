//! Result codes of test cases and their counts (interface section 2.2).

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
        match self {
            Self::Untested => "Untested",
            Self::Passed => "Passed",
            Self::Blocked => "Blocked",
            Self::Customer => "Customer",
            Self::FailedNew => "Failed (new)",
            Self::FailedKnown => "Failed (known)",
            Self::InProgress => "In progress",
            Self::OnHoldExternal => "On hold (external)",
            Self::OnHoldInternal => "On hold (internal)",
            Self::Retest => "Retest",
            Self::Skipped => "Skipped",
        }
    }

    /// What the code is called in conditions and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Untested => "untested",
            Self::Passed => "passed",
            Self::Blocked => "blocked",
            Self::Customer => "customer",
            Self::FailedNew => "failed_new",
            Self::FailedKnown => "failed_known",
            Self::InProgress => "in_progress",
            Self::OnHoldExternal => "on_hold_external",
            Self::OnHoldInternal => "on_hold_internal",
            Self::Retest => "retest",
            Self::Skipped => "skipped",
        }
    }

    /// The letter that stands for the code in bars.
    pub fn letter(self) -> char {
        match self {
            Self::Untested => 'U',
            Self::Passed => 'P',
            Self::Blocked => 'B',
            Self::Customer => 'C',
            Self::FailedNew => 'F',
            Self::FailedKnown => 'K',
            Self::InProgress => 'i',
            Self::OnHoldExternal => 'x',
            Self::OnHoldInternal => 'h',
            Self::Retest => 'R',
            Self::Skipped => 'S',
        }
    }
}

/// How many test cases stand at which result (`Root.DisplayFields.Result`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
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
            match ResultCode::parse(&code) {
                Some(known) => counts.add(known, count),
                None => counts.others.push((
                    code,
                    entry["label"].as_str().unwrap_or_default().to_owned(),
                    count,
                )),
            }
        }
        Some(counts)
    }

    /// The counts by name of their code; null at a code that is not listed.
    pub fn to_json(&self) -> Value {
        let named = ResultCode::ALL
            .iter()
            .map(|code| (code.name().to_owned(), json!(self.listed(*code))));
        let mut members: Map<String, Value> = named.collect();
        let other = |(code, label, count): &(String, String, u64)| json!({"code": code, "label": label, "count": count});
        members.insert("others".into(), self.others.iter().map(other).collect());
        Value::Object(members)
    }

    /// Adds `count` cases at `code`.
    pub fn add(&mut self, code: ResultCode, count: u64) {
        let cell = &mut self.by_code[usize::from(code.number()) - 1];
        *cell = Some(cell.unwrap_or(0).saturating_add(count));
    }

    /// Number of cases at `code`; 0 where it is not listed.
    pub fn get(&self, code: ResultCode) -> u64 {
        self.listed(code).unwrap_or(0)
    }

    /// Number of cases at `code`, where the service lists it. Whether it lists codes without cases is not documented.
    pub fn listed(&self, code: ResultCode) -> Option<u64> {
        self.by_code[usize::from(code.number()) - 1]
    }

    /// Number of cases at any of these codes.
    pub fn sum(&self, codes: &[ResultCode]) -> u64 {
        codes
            .iter()
            .fold(0, |sum, code| sum.saturating_add(self.get(*code)))
    }

    /// Number of cases at codes that the document does not name.
    pub fn unnamed(&self) -> u64 {
        self.others
            .iter()
            .fold(0, |sum, (_, _, count)| sum.saturating_add(*count))
    }

    /// Number of all cases.
    pub fn total(&self) -> u64 {
        self.by_code
            .iter()
            .flatten()
            .fold(self.unnamed(), |sum, count| sum.saturating_add(*count))
    }

    /// All cases and those that are finished: at one of these codes. Nothing where a count could not be read: it may be
    /// of any code.
    pub fn sums(&self, done: &[ResultCode]) -> Option<Sums> {
        let finished = ResultCode::ALL.iter().filter(|code| done.contains(code));
        let done = finished.fold(0_u64, |sum, code| sum.saturating_add(self.get(*code)));
        (self.unread == 0).then(|| Sums {
            total: self.total(),
            done,
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
            {"result": null, "count": 5}
        ]);
        let counts = ResultCounts::from_value(&value).unwrap();
        assert_eq!(
            (
                counts.get(ResultCode::Passed),
                counts.get(ResultCode::FailedNew)
            ),
            (57, 9)
        );
        assert_eq!((counts.total(), counts.unnamed()), (104, 2));
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
