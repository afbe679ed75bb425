//! The commands without a screen: what they are asked, checked as far as it goes without a config file.

use clap::{Args, Subcommand, ValueEnum};

use crate::model::{DocRef, Sort, TEST_RUN_MODEL};

/// A command without a screen.
#[derive(Clone, Debug, Subcommand)]
pub enum Headless {
    /// List test runs, or show one
    Runs {
        /// What about the runs.
        #[command(subcommand)]
        question: RunsQuestion,
    },
    /// The test suites that can be added to a run, and those that are in it
    Suites {
        /// What about the suites.
        #[command(subcommand)]
        question: SuitesQuestion,
    },
}

/// What about the runs.
#[derive(Clone, Debug, Subcommand)]
pub enum RunsQuestion {
    /// List test runs
    List(ListOptions),
    /// Show one test run: what the list tells of it, and its document
    Show(ShowOptions),
}

/// What about the suites of a run.
#[derive(Clone, Debug, Subcommand)]
pub enum SuitesQuestion {
    /// The suites that can still be added to an open run
    Available(AvailableOptions),
    /// The suites in a run, worked out, each with how it is known and how sure that is
    Attached(AttachedOptions),
}

/// How data is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Columns for people
    #[default]
    Table,
    /// One JSON object (docs/schema)
    Json,
    /// One JSON object a line
    Ndjson,
    /// Comma separated values for a spreadsheet
    Csv,
    /// A table in Markdown
    Markdown,
}

/// Which runs are listed, and how.
#[derive(Args, Clone, Debug)]
pub struct ListOptions {
    /// Only runs with this value; more of them are all sent, what two on one path mean is the service's affair
    #[arg(long = "filter", value_name = "PATH:VALUE", value_parser = filter)]
    pub filters: Vec<String>,
    /// Only runs in which the service finds these words
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true)]
    pub fulltext: String,
    /// Order, such as "Root.General.Title" or "Root.Metadata.EditedOn DESC" [default: the newest edits first]
    #[arg(long = "sort", value_name = "PATH [ASC|DESC]", value_parser = sort)]
    pub sorts: Vec<Sort>,
    /// All versions, also where the profile names one
    #[arg(long)]
    pub all_versions: bool,
    /// All runs; the list is whole or the command fails
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// This many runs at most [default: 50, and a note if there are more]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub limit: Option<u64>,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Which run is shown, and how.
#[derive(Args, Clone, Debug)]
pub struct ShowOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = run_name)]
    pub run: RunName,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// For which run suites are listed, and how.
#[derive(Args, Clone, Debug)]
pub struct AvailableOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = run_name)]
    pub run: RunName,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Of which run suites are worked out, and how they are printed.
#[derive(Args, Clone, Debug)]
pub struct AttachedOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = run_name)]
    pub run: RunName,
    /// End with status 6 unless all suites are named (EMPTY, COMPLETE)
    #[arg(long)]
    pub require_complete: bool,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// What a person calls a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunName {
    /// Its document reference.
    Ref(DocRef),
    /// Its short id, of the form `R_<n>`.
    Id(String),
}

impl std::fmt::Display for RunName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Ref(reference) => reference.fmt(f),
            Self::Id(id) => f.write_str(id),
        }
    }
}

fn run_name(text: &str) -> Result<RunName, &'static str> {
    const FORM: &str = "expected a short id such as R_4, or a reference such as TestRun-dm/3b53beea";
    if let Some(number) = text.strip_prefix("R_") {
        let digits = (1..=18).contains(&number.len()) && number.bytes().all(|byte| byte.is_ascii_digit());
        return if digits { Ok(RunName::Id(text.to_owned())) } else { Err(FORM) };
    }
    let reference = DocRef::parse(text).map_err(|_| FORM)?;
    if reference.model() == TEST_RUN_MODEL { Ok(RunName::Ref(reference)) } else { Err(FORM) }
}

fn filter(text: &str) -> Result<String, &'static str> {
    match text.split_once(':') {
        Some((path, _)) if !path.trim().is_empty() => Ok(text.to_owned()),
        _ => Err("expected <field path>:<value>, such as Root.General.Status:active"),
    }
}

fn sort(text: &str) -> Result<Sort, &'static str> {
    const FORM: &str = "expected a field path, and ASC or DESC if wanted, such as \"Root.General.Title DESC\"";
    let mut words = text.split_whitespace();
    let path = words.next().ok_or(FORM)?.to_owned();
    let descending = match words.next().map(str::to_ascii_uppercase).as_deref() {
        None | Some("ASC") => false,
        Some("DESC") => true,
        Some(_) => return Err(FORM),
    };
    if words.next().is_some() { Err(FORM) } else { Ok(Sort { path, descending }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_named_by_id_or_reference() {
        assert_eq!(run_name("R_4"), Ok(RunName::Id("R_4".into())));
        assert_eq!(run_name("TestRun-dm/3b"), Ok(RunName::Ref(DocRef::parse("TestRun-dm/3b").unwrap())));
        for bad in ["", "4", "R_", "R_4x", "r_4", "TestRun-dm/", "TestSuite-dm/20744", "R_4,R_5"] {
            assert!(run_name(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sorts_and_filters_have_their_form() {
        assert_eq!(sort("A.B"), Ok(Sort { path: "A.B".into(), descending: false }));
        assert_eq!(sort(" A.B  desc "), Ok(Sort { path: "A.B".into(), descending: true }));
        for bad in ["", " ", "A.B UP", "A.B ASC DESC"] {
            assert!(sort(bad).is_err(), "{bad:?}");
        }
        assert_eq!(filter("Root.General.Title:a:b"), Ok("Root.General.Title:a:b".into()));
        assert!(filter("active").is_err() && filter(":x").is_err());
    }
}
