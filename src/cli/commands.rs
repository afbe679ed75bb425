//! The commands without a screen: what they are asked, checked as far as it goes without a config file.

use std::time::Duration;

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
    /// Tell how runs stand, and then every change
    Watch(WatchOptions),
    /// End with status 0 if a condition holds for test runs, 1 if not, 6 if that cannot be decided
    Gate(GateOptions),
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

/// Which runs are watched, and how.
#[derive(Args, Clone, Debug)]
pub struct WatchOptions {
    /// The runs: `R_4`, or references `TestRun-dm/…`
    #[arg(required = true, value_name = "RUN", value_parser = run_name)]
    pub runs: Vec<RunName>,
    /// Time between two looks: 90, 90s, 30m, 2h [default: `refresh_seconds` of the profile, else 30 s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub every: Option<Duration>,
    /// End once every run is closed or has no test case left; status 6 if that cannot be seen
    #[arg(long)]
    pub until_done: bool,
    /// Take a result that the service does not list for 0; without it what is left is not known then
    #[arg(long, requires = "until_done")]
    pub unlisted_as_zero: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: WatchFormat,
}

/// How changes are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum WatchFormat {
    /// A line for each change
    #[default]
    Text,
    /// A JSON object a line (docs/schema)
    Ndjson,
}

/// A condition for runs.
#[derive(Args, Clone, Debug)]
#[command(after_help = COUNTS)]
pub struct GateOptions {
    /// The runs: `R_4`, or references `TestRun-dm/…`; the condition must hold for each of them
    #[arg(required = true, value_name = "RUN", value_parser = run_name)]
    pub runs: Vec<RunName>,
    /// The condition, such as '`failed_new` <= 3 && untested == 0'
    #[arg(long, value_name = "CONDITION", help = "The condition, such as 'failed_new <= 3 && untested == 0'")]
    pub expr: String,
    /// Wait until it holds, this long at most: 90, 90s, 30m, 2h, 1h30m [default: look once]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// Time between two looks [default: `refresh_seconds` of the profile, else 30 s]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub every: Option<Duration>,
    /// Take a result that the service does not list for 0; without it such a count is not known
    #[arg(long)]
    pub unlisted_as_zero: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: GateFormat,
}

const COUNTS: &str = "Counts: untested passed blocked customer failed_new failed_known in_progress on_hold_external \
    on_hold_internal retest skipped; total, done (results in done_codes of the profile) and left, summed up from them; progress \
    and suites, as the service gives them. Between them: whole numbers, + - * ( ), < <= == != >= >, ! && ||.\n\
    Five per cent: failed_new * 100 <= total * 5.\n\n\
    Exit status: 0 holds, 1 does not, 5 did not hold in time, 6 not decidable because a count is missing.";

/// How the outcome of a gate is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum GateFormat {
    /// A line for each run
    #[default]
    Text,
    /// One JSON object (docs/schema)
    Json,
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

/// A time from one second to thirty days.
fn time(text: &str) -> Result<Duration, &'static str> {
    const FORM: &str = "expected a time from 1s to 30d, such as 90, 90s, 30m, 2h or 1h30m";
    let mut seconds: u64 = 0;
    let mut rest = text;
    let mut smaller_than = u64::MAX;
    while !rest.is_empty() {
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number: u64 = rest[..end].parse().map_err(|_| FORM)?;
        let unit = match rest[end..].chars().next() {
            None if smaller_than == u64::MAX => 1,
            Some('s') => 1,
            Some('m') => 60,
            Some('h') => 3_600,
            Some('d') => 86_400,
            _ => return Err(FORM),
        };
        if unit >= smaller_than {
            return Err(FORM);
        }
        smaller_than = unit;
        seconds = number.checked_mul(unit).and_then(|part| seconds.checked_add(part)).ok_or(FORM)?;
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    if (1..=30 * 86_400).contains(&seconds) { Ok(Duration::from_secs(seconds)) } else { Err(FORM) }
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
    fn times_have_units() {
        for (text, seconds) in
            [("90", 90), ("90s", 90), ("30m", 1_800), ("1h30m", 5_400), ("2h", 7_200), ("30d", 2_592_000)]
        {
            assert_eq!(time(text), Ok(Duration::from_secs(seconds)), "{text}");
        }
        for bad in
            ["", "0", "0s", "s", "1x", "1h30", "30m1h", "1s1s", "-1", "1.5h", "31d", "99999999999999999999", "1ü"]
        {
            assert!(time(bad).is_err(), "{bad:?}");
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
