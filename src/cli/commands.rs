//! The commands without a screen: what they are asked, checked as far as it goes without a config file.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::NonEmptyStringValueParser;
use clap::{ArgGroup, Args, Subcommand};

use super::format::{ChangeFormat, Format, ReportFormat, SinceFormat, WatchFormat};
use super::run_writes::{CreateOptions, DeleteOptions, ModifyOptions};
use super::words::{field, filter, number, sort, time};
use crate::domain::fields::Field;
use crate::domain::query_language::RELEASE_NAMES;
use crate::domain::{DocumentName, ResultCode, Sort};

/// A command without a screen.
#[derive(Debug, Subcommand)]
pub enum Headless {
    /// List test runs, show, create, modify or delete them
    #[command(subcommand)]
    Runs(RunsCommand),
    /// The test suites that can be added to a run, and those that are in it
    #[command(subcommand)]
    Suites(SuitesCommand),
    /// Changes whose end is not known, because the program or the connection ended before
    #[command(subcommand)]
    Changes(ChangesCommand),
    /// Tell how runs stand, and then every change
    Watch(WatchOptions),
    /// Read the runs into the cache on this machine
    Sync(SyncOptions),
    /// Tell what changed in the open runs since a moment: worse, lost, back, better, done, new, grew, shrank, quiet, gone
    Since(SinceOptions),
    /// Write the report of a release: one HTML file, Markdown or JSON
    Report(ReportOptions),
    /// End with status 0 if a condition holds for test runs, 1 if not, 6 if that cannot be decided
    Gate(GateOptions),
    /// Open a run in the web application, as `web_url` of the profile says
    Open(OpenOptions),
    /// Counts over time, as they are kept on this machine
    #[command(subcommand)]
    Samples(SamplesCommand),
}

/// Which run is opened.
#[derive(Args, Debug)]
pub struct OpenOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = DocumentName::run)]
    pub run: DocumentName,
}

/// Commands for counts over time.
#[derive(Debug, Subcommand)]
pub enum SamplesCommand {
    /// Print them as comma separated values, a line for each time at which a run told others than before
    Export(ExportOptions),
}

/// Of which runs counts are printed.
#[derive(Args, Debug)]
pub struct ExportOptions {
    /// The runs: references `TestRun-dm/…`, or short ids of runs that `rundown sync` has read [default: all]
    #[arg(value_name = "RUN", value_parser = DocumentName::run)]
    pub runs: Vec<DocumentName>,
}

/// Extent of a reading into the cache.
#[derive(Args, Debug)]
#[command(after_help = SYNC)]
pub struct SyncOptions {
    /// All runs, closed ones too, in the order of their creation
    #[arg(long)]
    pub all: bool,
    /// Read nothing if that was done within this time: 90, 90s, 30m, 2h
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub max_age: Option<Duration>,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const SYNC: &str = "Without --all: all open runs, and what was edited since the last time. Another rundown that is reading \
    the same is waited for.\n\n\
    Exit status: 0 read, or read before; 3 not signed in, 4 not reached or cut short, and what came is kept.";

/// Since when it is told what changed, and how.
#[derive(Args, Debug)]
#[command(after_help = SINCE)]
pub struct SinceOptions {
    /// The moment: -2d, yesterday, a day of the week, 2026-11-20, '2026-11-20 09:30', 09:30; of a day its end
    #[arg(default_value = "yesterday", allow_hyphen_values = true)]
    pub moment: String,
    /// Only runs of this version [default: `project_version` of the profile, else all]
    #[arg(long, value_name = "VERSION")]
    pub version: Option<String>,
    /// All versions, also where the profile names one
    #[arg(long, conflicts_with = "version")]
    pub all_versions: bool,
    /// The runs as they were read last, without asking the service
    #[arg(long)]
    pub local: bool,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: SinceFormat,
}

const SINCE: &str = "It reads the open runs and what was edited, and compares them with the newest counts that were read before the moment, on \
    this machine. A run whose counts of before are missing or old is named and not counted.\n\n\
    Exit status: 0 told; 3 not signed in, 4 not reached, with --local also nothing read here before; 6 no run of the version was found.";

/// Of which release a report is written, and what is in it.
#[derive(Args, Debug)]
#[command(after_help = REPORT)]
pub struct ReportOptions {
    /// The version whose runs it is about
    #[arg(long, value_name = "VERSION", value_parser = NonEmptyStringValueParser::new())]
    pub version: String,
    /// How to write it [default: as the name of the --output file ends, else html]
    #[arg(long, value_enum)]
    pub format: Option<ReportFormat>,
    /// End with status 1 unless the criteria of the profile are met
    #[arg(long)]
    pub criteria: bool,
    /// With the suites in no open run: one list more for each open run
    #[arg(long)]
    pub read_suites: bool,
    /// With the names of persons
    #[arg(long)]
    pub names: bool,
    /// With addresses of the runs, as `web_url` of the profile says
    #[arg(long)]
    pub links: bool,
}

const REPORT: &str = "It reads the runs of the version by one list; what was read on this machine before gives the burn-up and what changed. \
    The page has no script and fetches nothing; names of persons and addresses are in it with --names and --links alone, descriptions \
    never.\n\n\
    Exit status: 0 written; with --criteria 1 not met and 6 not known, written all the same; 3 not signed in, 4 not reached, \
    6 no run of the version was found.";

/// Options of the caches on this machine, of all profiles.
#[derive(Args, Debug)]
pub struct CacheOptions {
    /// What to do; nothing shows what they hold, their size and when they were read
    #[arg(value_enum, value_name = "ACTION")]
    pub command: Option<CacheCommand>,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

/// Commands for the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CacheCommand {
    /// Empty them; programs that run read anew
    Clear,
}

/// Options of a trial of the way to the service.
#[derive(Args, Debug)]
#[command(after_help = DOCTOR)]
pub struct DoctorOptions {
    /// Write a report for a bug to this new file, which it prints and asks about first: no text of the service is in it
    /// and no name of a host, a user or a file
    #[arg(long, value_name = "FILE", value_parser = super::path, conflicts_with = "format")]
    pub bundle: Option<PathBuf>,
    /// Write the report without asking
    #[arg(long, requires = "bundle")]
    pub yes: bool,
    /// How to print what was found
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const DOCTOR: &str = "At most 20 requests, all of them readings. A configured password is sent once, and not where it was refused twice \
    in the last 15 minutes.\n\n\
    Exit status: 0 all holds; else that of the first step that does not: 2 config file, permissions, client secret; 3 sign-in; \
    4 this machine, the network, the service.";

/// Commands for runs.
#[derive(Debug, Subcommand)]
pub enum RunsCommand {
    /// List test runs
    List(ListOptions),
    /// Show one test run: what the list tells of it, and its document
    Show(RunOptions),
    /// Make a test run, and read that it is there
    Create(CreateOptions),
    /// Change fields of a test run, and read that they are there
    Modify(ModifyOptions),
    /// Delete empty test runs, each with a copy on the disk, and read that they are gone
    Delete(DeleteOptions),
}

/// Commands for the suites of a run.
#[derive(Debug, Subcommand)]
pub enum SuitesCommand {
    /// The suites that can still be added to an open run
    Available(RunOptions),
    /// The suites in a run, worked out, each with how it is known and how sure that is
    Attached(RunOptions),
    /// The suites that can be added and are in no open run of a version
    InNoRun(InNoRunOptions),
    /// Add suites to an open run, and read whether they are in it
    Add(ChangeOptions),
    /// Remove suites from an open run, and read whether they are out of it
    Remove(ChangeOptions),
}

/// Commands for changes without a known end.
#[derive(Debug, Subcommand)]
pub enum ChangesCommand {
    /// Read what came of them, and send what is left
    Resume(ResumeOptions),
}

/// Which changes are gone on with, and how.
#[derive(Args, Debug)]
#[command(after_help = RESUME)]
pub struct ResumeOptions {
    /// Only this one, by the name that --dry-run tells
    #[arg(value_name = "ID")]
    pub id: Option<String>,
    /// Read and tell what is left, print the requests as they would be sent, as JSON, and change nothing
    #[arg(long)]
    pub dry_run: bool,
    /// Do not go on with it: it is not asked about any more
    #[arg(long, requires = "id", conflicts_with = "dry_run")]
    pub forget: bool,
}

const RESUME: &str = "What was sent is looked for first, and not sent again while it is in effect. Runs that were not made are \
    told, not made; a run that was not deleted is told, not deleted.\n\n\
    Exit status: 0 done, as reading shows, or nothing was left; 1 done in part or not as asked, 4 not sent, 7 refused, 8 not known.";

/// Which runs are listed, and how.
#[derive(Args, Debug)]
pub struct ListOptions {
    /// Only runs with this value; several are all sent, two on one field: either or both, as the service decides
    #[arg(long = "filter", value_name = "PATH:VALUE", allow_hyphen_values = true, value_parser = filter)]
    pub filters: Vec<String>,
    /// Only runs in which the service finds these words
    #[arg(
        long,
        value_name = "WORDS",
        allow_hyphen_values = true,
        default_value = "",
        hide_default_value = true
    )]
    pub fulltext: String,
    /// Only runs that this finds: words, fields, counts and times, such as 'smoke status:open failed>0 edited>-7d'
    /// (docs/query.md); it is looked for here, in what the service lists
    #[arg(long, value_name = "SEARCH", allow_hyphen_values = true)]
    pub query: Option<String>,
    /// Order, such as title or "Root.Metadata.EditedOn DESC" [default: the newest edits first]
    #[arg(long = "sort", value_name = "PATH [ASC|DESC]", value_parser = sort)]
    pub sorts: Vec<Sort>,
    /// All versions, also where the profile names one
    #[arg(long)]
    pub all_versions: bool,
    /// All runs; the list is whole or the command fails
    #[arg(long, conflicts_with = "limit")]
    pub all: bool,
    /// The runs that `rundown sync` has read, without asking the service
    #[arg(long)]
    pub local: bool,
    /// This many runs at most [default: 50, and a note if there are more]
    #[arg(long, value_name = "N", value_parser = number(1_u64, None))]
    pub limit: Option<u64>,
    /// Only these fields, in this order, by their names in JSON and CSV: id,title,left
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = field)]
    pub fields: Vec<&'static Field>,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Which run is meant, and how what there is to say of it is printed.
#[derive(Args, Debug)]
pub struct RunOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = DocumentName::run)]
    pub run: DocumentName,
    /// How to print it
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Of which version suites are in no open run, and how they are printed.
#[derive(Args, Debug)]
#[command(after_help = IN_NO_RUN)]
pub struct InNoRunOptions {
    /// The version, such as 1.2.1
    #[arg(long, value_name = "VERSION")]
    pub version: String,
    /// How to print them
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

const IN_NO_RUN: &str = "One list a run is read, two at once, until nothing is left that all have; how many is told on standard error. A suite \
    that the service offers to no run cannot be found. The runs have to be of one sub project: --subproject names it.\n\n\
    Exit status: 0 read; 6 no open run of the version, runs of several sub projects, a run whose list could not be read, or lists that \
    contradict each other: what is printed may be more than there is.";

/// Which suites go into a run or out of it.
#[derive(Args, Debug)]
#[command(after_help = CHANGES)]
pub struct ChangeOptions {
    /// The run: `R_4`, or its reference `TestRun-dm/…`
    #[arg(value_parser = DocumentName::run)]
    pub run: DocumentName,
    /// The suites: references `TestSuite-dm/…`, or short ids `S_22`
    #[arg(required = true, value_name = "SUITE", value_parser = DocumentName::suite)]
    pub suites: Vec<DocumentName>,
    /// Print the requests as they would be sent, as JSON, and send none of them
    #[arg(long)]
    pub dry_run: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

const CHANGES: &str = "All of the suites are checked first; if one does not fit, nothing is sent. Each request is written down, sent \
    once and read after. Ctrl-c stops before the next request.\n\n\
    Exit status: 0 done, as reading shows; 1 done in part or not as asked, 4 not sent, 7 refused, 8 not known.";

/// Which runs are watched, and how.
#[derive(Args, Debug)]
pub struct WatchOptions {
    /// The runs: `R_4`, or references `TestRun-dm/…`
    #[arg(required = true, value_name = "RUN", value_parser = DocumentName::run)]
    pub runs: Vec<DocumentName>,
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

/// A condition for runs.
#[derive(Args, Debug)]
#[command(after_help = counts())]
#[command(
    override_usage = "rundown gate [OPTIONS] <--expr <CONDITION>|--criteria> <RUN...|--version <VERSION>>"
)]
#[command(group = ArgGroup::new("what").args(["expr", "criteria"]).required(true))]
#[command(group = ArgGroup::new("which").args(["runs", "version"]).required(true))]
pub struct GateOptions {
    /// The runs: `R_4`, or references `TestRun-dm/…`; the condition must hold for each of them
    #[arg(value_name = "RUN", value_parser = DocumentName::run)]
    pub runs: Vec<DocumentName>,
    /// Instead of runs: the sum of the runs of this version, each counted once as on the board
    #[arg(long, conflicts_with_all = ["timeout", "every"], value_parser = NonEmptyStringValueParser::new())]
    pub version: Option<String>,
    /// The condition, such as '`failed_new` <= 3 && untested == 0'
    #[arg(
        long,
        value_name = "CONDITION",
        help = "The condition, such as 'failed_new <= 3 && untested == 0'"
    )]
    pub expr: Option<String>,
    /// With `--version`: the criteria of the profile, all of which must be met
    #[arg(long, requires = "version", conflicts_with = "runs")]
    pub criteria: bool,
    /// With `--version`, for `suites_in_no_run`: read one list more for each open run
    #[arg(long, requires = "version", conflicts_with = "runs")]
    pub read_suites: bool,
    /// Of runs: wait until it holds, this long at most: 90, 90s, 30m, 2h, 1h30m [default: look once]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub timeout: Option<Duration>,
    /// With `--timeout`: time between two looks [default: `refresh_seconds` of the profile, else 30 s]
    #[arg(long, value_name = "TIME", value_parser = time, requires = "timeout")]
    pub every: Option<Duration>,
    /// Take a result that the service does not list for 0; without it such a count is not known
    #[arg(long)]
    pub unlisted_as_zero: bool,
    /// How to print what came of it
    #[arg(long, value_enum, default_value_t)]
    pub format: ChangeFormat,
}

impl GateOptions {
    /// The condition as it is written; empty where the criteria are asked for.
    pub fn expr(&self) -> &str {
        self.expr.as_deref().unwrap_or_default()
    }
}

/// Parts of a condition.
fn counts() -> String {
    let codes = ResultCode::ALL.map(ResultCode::name).join(" ");
    let release = RELEASE_NAMES.map(|name| name.text).join(" ");
    format!(
        "Counts: {codes}, failed (new and known), hold (both), total, done (results in done_codes of the profile) and left, summed up from them; progress \
         and suites, as the service gives them. Between them: whole numbers, + - * ( ), < <= == != >= >, ! && ||.\n\
         Five per cent: failed_new * 100 <= total * 5.\n\
         Of a --version they are sums, without progress and suites, and there are {release} besides.\n\n\
         Exit status: 0 holds, 1 does not, 5 did not hold in time, 6 not decidable because a count is missing or no run was found; \
         3 not signed in, 4 not reached."
    )
}
