//! Hidden truth about the test cases of a run: number of cases at each of the eleven result codes (2.2).

use serde_json::{Value, json};

/// Labels of the codes 1 to 11.
pub const LABELS: [&str; 11] = [
    "Untested",
    "Passed",
    "Blocked",
    "Customer",
    "Failed (new)",
    "Failed (known)",
    "In progress",
    "On hold (external)",
    "On hold (internal)",
    "Retest",
    "Skipped",
];

/// Indexes of the codes of done cases: Passed, Customer, Failed (new), Failed (known), Skipped.
const DONE: [usize; 5] = [1, 3, 4, 5, 10];

/// Indexes in the order in which cases of a removed suite are taken away: untested first, passed last.
const REMOVAL: [usize; 11] = [0, 6, 7, 8, 9, 2, 3, 4, 5, 10, 1];

/// Test cases of a run by result; index 0 is code 1.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts(pub [u32; 11]);

impl Counts {
    /// Number of all test cases.
    pub fn total(self) -> u64 {
        self.0.iter().map(|count| u64::from(*count)).sum()
    }

    /// Percentage of done cases, rounded down; 0 for a run without cases.
    pub fn progress(self) -> u32 {
        let done: u64 = DONE.iter().map(|index| u64::from(self.0[*index])).sum();
        (done * 100).checked_div(self.total()).unwrap_or(0) as u32
    }

    /// Adds the cases of a suite as untested.
    pub fn add(&mut self, cases: u32) {
        self.0[0] = self.0[0].saturating_add(cases);
    }

    /// Removes the cases of a suite, least advanced results first.
    pub fn remove(&mut self, cases: u32) {
        let mut left = cases;
        for index in REMOVAL {
            let taken = self.0[index].min(left);
            self.0[index] -= taken;
            left -= taken;
        }
    }

    /// `DisplayFields.Result`: one object per code, zeros included.
    pub fn to_json(self) -> Value {
        let entry = |(index, count): (usize, &u32)| json!({ "result": (index + 1).to_string(), "count": count, "label": LABELS[index] });
        Value::Array(self.0.iter().enumerate().map(entry).collect())
    }

    /// JSON array of eleven numbers, for the database.
    pub fn to_text(self) -> String {
        json!(self.0).to_string()
    }

    /// Parses the text of [`Counts::to_text`].
    pub fn from_text(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text).map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_counts_what_is_done_and_rounds_down() {
        assert_eq!(Counts::default().progress(), 0);
        assert_eq!(Counts([1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1]).progress(), 66);
        assert_eq!(Counts([0, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]).progress(), 100);
        assert_eq!(Counts([0, 0, 5, 0, 0, 0, 1, 1, 1, 1, 0]).progress(), 0);
    }

    #[test]
    fn a_removed_suite_takes_the_untested_first() {
        let mut counts = Counts([2, 5, 0, 0, 0, 0, 1, 0, 0, 0, 0]);
        counts.remove(4);
        assert_eq!(counts, Counts([0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0]));
        counts.remove(99);
        assert_eq!(counts.total(), 0);
    }

    #[test]
    fn the_text_form_comes_back() {
        let counts = Counts([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(Counts::from_text(&counts.to_text()).unwrap(), counts);
    }
}
