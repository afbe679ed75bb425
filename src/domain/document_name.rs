//! Names of runs and suites.

use super::{DocRef, TEST_RUN_MODEL, TEST_SUITE_MODEL, is_run_id, is_suite_id};

/// Name of a run or a suite, as the user types it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DocumentName {
    /// Document reference.
    Ref(DocRef),
    /// Short id, `R_<n>` or `S_<n>`.
    Id(String),
}

impl std::fmt::Display for DocumentName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ref(reference) => reference.fmt(f),
            Self::Id(id) => f.write_str(id),
        }
    }
}

impl DocumentName {
    /// Parses the name of a run.
    pub fn run(text: &str) -> Result<Self, &'static str> {
        Self::of(text, TEST_RUN_MODEL, is_run_id)
            .ok_or("expected a short id such as R_4, or a reference such as TestRun-dm/3b53beea")
    }

    /// Parses the name of a suite.
    pub fn suite(text: &str) -> Result<Self, &'static str> {
        Self::of(text, TEST_SUITE_MODEL, is_suite_id)
            .ok_or("expected a reference such as TestSuite-dm/20744, or a short id such as S_22")
    }

    fn of(text: &str, model: &str, is_id: fn(&str) -> bool) -> Option<Self> {
        DocRef::of_model(text, model)
            .map(Self::Ref)
            .or_else(|| is_id(text).then(|| Self::Id(text.to_owned())))
    }

    /// Returns `true` if it names the document of this reference and short id.
    pub fn is_of(&self, (document, short): (&DocRef, Option<&str>)) -> bool {
        match self {
            Self::Ref(reference) => reference == document,
            Self::Id(id) => short == Some(id),
        }
    }

    /// Returns the reference, if that is the name.
    pub fn reference(&self) -> Option<&DocRef> {
        match self {
            Self::Ref(reference) => Some(reference),
            Self::Id(_) => None,
        }
    }
}

/// Rows that the names match, each once, and the names that match no row, several, or one that may not be taken.
pub fn find_named<'a, T>(
    names: &[DocumentName],
    rows: &'a [T],
    of: impl for<'r> Fn(&'r T) -> (&'r DocRef, Option<&'r str>),
    may_take: impl Fn(&T) -> bool,
) -> (Vec<&'a T>, Vec<String>) {
    let (mut found, mut missing): (Vec<&T>, _) = (Vec::new(), Vec::new());
    for name in names {
        let mut fitting = rows.iter().filter(|row| name.is_of(of(row)));
        match (fitting.next(), fitting.next()) {
            (Some(row), None) if found.iter().any(|it| std::ptr::eq(*it, row)) => {}
            (Some(row), None) if may_take(row) => found.push(row),
            _ => missing.push(name.to_string()),
        }
    }
    (found, missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_id_or_reference() {
        assert_eq!(DocumentName::run("R_4"), Ok(DocumentName::Id("R_4".into())));
        assert_eq!(
            DocumentName::run("TestRun-dm/3b"),
            Ok(DocumentName::Ref(DocRef::parse("TestRun-dm/3b").unwrap()))
        );
        for bad in [
            "",
            "4",
            "R_",
            "R_4x",
            "r_4",
            "TestRun-dm/",
            "TestSuite-dm/20744",
            "R_4,R_5",
        ] {
            assert!(DocumentName::run(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn an_id_of_several_rows_names_none_of_them_whichever_may_be_taken() {
        let names = ["S_1", "S_2", "S_3", "S_2", "S_9"].map(|id| DocumentName::suite(id).unwrap());
        // The second of `S_1` may not be taken.
        let rows = [("S_1", true), ("S_1", false), ("S_2", true), ("S_3", false)];
        let suite = DocRef::parse("TestSuite-dm/1").unwrap();
        let (found, missing) = find_named(&names, &rows, |row| (&suite, Some(row.0)), |row| row.1);
        assert_eq!(found, [&rows[2]]);
        assert_eq!(missing, ["S_1", "S_3", "S_9"]);
    }
}
