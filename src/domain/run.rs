//! Rows of test runs (interface sections 2.2 to 2.5).

use std::fmt;

use super::{DocRef, Document, FieldDigests, ResultCode, ResultCounts, Sums, text};

/// `Root.General.Status`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// Open for adding and removing suites.
    Active,
    /// Closed (section 3).
    Inactive,
    /// An undocumented value, unchanged.
    Other(String),
    /// Not sent by the service.
    Missing,
}

impl Status {
    /// Parses the field.
    pub fn from_text(text: Option<&str>) -> Self {
        match text {
            Some("active") => Self::Active,
            Some("inactive") => Self::Inactive,
            Some(other) => Self::Other(other.to_owned()),
            None => Self::Missing,
        }
    }

    /// Returns the field as sent.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Active => Some("active"),
            Self::Inactive => Some("inactive"),
            Self::Other(other) => Some(other),
            Self::Missing => None,
        }
    }
}

impl fmt::Display for Status {
    /// Formats the status for the user: `open`, `closed`, another value as it is.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Active => "open",
            Self::Inactive => "closed",
            other => other.as_text().unwrap_or("-"),
        })
    }
}

/// Row of the runs list. A field that the service did not send is `None`, shown as such.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    pub doc_ref: DocRef,
    pub id: Option<String>,
    pub title: Option<String>,
    pub project: Option<String>,
    pub subproject: Option<String>,
    pub version: Option<String>,
    pub configuration: Option<String>,
    /// For searches only: `digests` shows changes.
    pub description: Option<String>,
    pub status: Status,
    pub edited_by: Option<String>,
    /// Epoch milliseconds.
    pub edited_on: Option<i64>,
    /// As sent, without a zone.
    pub display_edited_on: Option<String>,
    pub created_by: Option<String>,
    /// Epoch milliseconds.
    pub created_on: Option<i64>,
    /// As sent, without a zone.
    pub display_created_on: Option<String>,
    /// Only from `LIST_TEST_RUNS`.
    pub suite_count: Option<i64>,
    /// Only from `LIST_TEST_RUNS`.
    pub progress: Option<i64>,
    /// Only from `LIST_TEST_RUNS`.
    pub results: Option<ResultCounts>,
    /// `Root.DisplayFields.TestCasesWithTester`, only from `LIST_TEST_RUNS`.
    pub cases_with_tester: Option<String>,
    /// `Root.DisplayFields.TestersOfTestCases`, only from `LIST_TEST_RUNS`.
    pub testers: Vec<String>,
    /// Digests of all other fields.
    pub digests: FieldDigests,
}

impl RunRow {
    /// Returns the parts of its configuration.
    pub fn configurations(&self) -> impl Iterator<Item = &str> {
        text::parts(self.configuration.as_deref().unwrap_or_default())
    }

    /// Returns a run with nothing but a reference.
    pub fn unknown(doc_ref: DocRef) -> Self {
        Self::from_document(&Document::unknown(doc_ref))
    }

    /// Returns a run with nothing but a reference and its short id.
    pub fn named(doc_ref: DocRef, id: String) -> Self {
        let id = Some(id);
        Self {
            id,
            ..Self::unknown(doc_ref)
        }
    }

    /// Removes the values that only `LIST_TEST_RUNS` returns, except the testers.
    pub fn forget_counts(&mut self) {
        (self.results, self.suite_count) = (None, None);
        (self.progress, self.cases_with_tester) = (None, None);
    }

    /// Fills values that only `LIST_TEST_RUNS` returns from `before`.
    #[must_use]
    pub fn with_counts_of(self, before: &Self) -> Self {
        let before = before.clone();
        Self {
            suite_count: self.suite_count.or(before.suite_count),
            progress: self.progress.or(before.progress),
            cases_with_tester: self.cases_with_tester.or(before.cases_with_tester),
            testers: if self.results.is_none() && self.testers.is_empty() {
                before.testers
            } else {
                self.testers
            },
            results: self.results.or(before.results),
            ..self
        }
    }

    /// Returns true if it was made at that time (epoch milliseconds) or later.
    pub fn is_made_since(&self, moment: i64) -> bool {
        self.created_on.is_some_and(|made| made >= moment)
    }

    pub fn is_closed(&self) -> bool {
        self.status == Status::Inactive
    }

    /// Returns all and finished cases; `None` if the service did not send all counts.
    pub fn sums(&self, done: &[ResultCode]) -> Option<Sums> {
        self.results.as_ref()?.sums(done)
    }

    /// Returns the number in the short id.
    pub fn number(&self) -> Option<u64> {
        self.id.as_deref()?.rsplit('_').next()?.parse().ok()
    }

    /// Returns the short id, or the reference without one.
    pub fn name(&self) -> &str {
        self.id.as_deref().unwrap_or(self.doc_ref.as_str())
    }

    /// Returns short id (or reference) and title.
    pub fn full_name(&self) -> String {
        full_name(self.name(), self.title.as_deref())
    }
}

/// Joins short id or reference with the title.
pub fn full_name(name: &str, title: Option<&str>) -> String {
    format!("{name} {}", title.unwrap_or_default())
        .trim_end()
        .to_owned()
}
