//! Releases: the runs of one version, by kind and configuration, each counted once, without earlier rounds.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};

use clap::ValueEnum;

use super::prelude::*;
use super::query_language::{self, Subject};
use super::table::{TextCell, TextTable};
use super::text::is_number;
use super::{Cases, Quiet, SuiteRow, due, typed_date};

/// Words that have a number after them: of a build, or of a period.
const NUMBERED: [&str; 14] = [
    "rc",
    "beta",
    "alpha",
    "build",
    "patch",
    "week",
    "kw",
    "cw",
    "sprint",
    "iteration",
    "cycle",
    "round",
    "attempt",
    "retest",
];

/// Maximum number of configurations side by side on a page, and of letters of a word in them.
const COLUMNS: usize = 8;
const LONG: usize = 14;

/// Settings of a profile for releases.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct ReleaseSettings {
    pub kinds: Vec<NamedKind>,
    pub due: Vec<ReleaseDue>,
    pub criteria: Vec<Criterion>,
}

impl ReleaseSettings {
    /// Returns the due date of a version in a zone, epoch milliseconds.
    pub fn due(&self, version: &str, zone: &TimeZone) -> Option<i64> {
        let mut dates = self.due_dates(zone);
        dates.find_map(|(of, at)| (of == version).then_some(at))
    }

    /// Returns the due date of each version in a zone, epoch milliseconds.
    pub fn due_dates(&self, zone: &TimeZone) -> impl Iterator<Item = (String, i64)> {
        let due =
            |due: &ReleaseDue| Some((due.version.trim().to_owned(), due::on_day(&due.at, zone)?));
        self.due.iter().filter_map(due)
    }
}

/// Formats of a report of a release. The line above each is the help of the command line, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// One HTML page
    Html,
    /// Markdown
    #[value(name = "markdown", alias = "md")]
    Md,
    /// One JSON object (docs/schema)
    Json,
}

impl ReportFormat {
    /// Returns the ending of files.
    pub const fn ending(self) -> &'static str {
        match self {
            Self::Html => "html",
            Self::Md => "md",
            Self::Json => "json",
        }
    }
}

/// Request for the report of a release.
#[derive(Clone, Debug, PartialEq)]
pub struct ReportRequest {
    pub version: String,
    /// All runs of the version, counted or not, each with the time of its counts, epoch milliseconds.
    pub runs: Vec<(RunRow, Option<i64>)>,
    /// Time of the oldest of their counts, epoch milliseconds.
    pub read_at: Option<i64>,
    /// True if no run is missing, as far as is known.
    pub is_complete: bool,
    /// Suites in no open run that were found, and the bounds of their true number, if they were read.
    pub in_no_run: Option<(Arc<[SuiteRow]>, Range)>,
    /// Failed or missing readings, in words.
    pub not_read: Vec<String>,
    /// True if the report may have names of users.
    pub with_names: bool,
    /// True if the report has the addresses of its runs.
    pub with_links: bool,
    /// True if dates that were typed on this machine count, as on the board; a gate leaves them out.
    pub with_typed_dates: bool,
    pub format: ReportFormat,
}

/// Condition on the sums of a release, as it is written (`[[profiles.NAME.criteria]]`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Criterion {
    pub name: String,
    pub expr: String,
}

/// Result of a criterion for a release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    pub name: String,
    pub expr: String,
    /// `None` if not known.
    pub is_met: Option<bool>,
    /// Numbers of the condition.
    pub numbers: Vec<(RunCount, Range)>,
    /// Number of runs of the release that are in time by their date alone, as they were not read for long enough for a
    /// forecast; 0 where no criterion asks for late ones.
    pub by_date_alone: usize,
    /// Names of the late or quiet runs, where it counts nothing else.
    pub runs: Vec<String>,
}

/// Returns `true` if all criteria are met; `None` if that is not known, or there are none.
pub fn readiness(criteria: &[Judged]) -> Option<bool> {
    let met = criteria.iter().map(|it| it.is_met);
    if met.clone().any(|is_met| is_met == Some(false)) {
        return Some(false);
    }
    (met.len() > 0 && met.clone().all(|is_met| is_met == Some(true))).then_some(true)
}

/// Returns the word for a verdict on all criteria.
pub fn readiness_word(is_ready: Option<bool>) -> &'static str {
    match is_ready {
        Some(true) => "yes",
        Some(false) => "no",
        None => "not known",
    }
}

impl Judged {
    /// `met`, `not met` or `not known`.
    pub fn word(&self) -> &'static str {
        match self.is_met {
            Some(true) => "met",
            Some(false) => "not met",
            None => "not known",
        }
    }

    /// `failed_new is 22, runs_late is 0 (3 runs by the date alone)`, `runs_quiet is 1: R_222`.
    pub fn numbers_words(&self) -> String {
        let numbers = self.numbers.iter().map(|(number, range)| {
            let alone = match (self.by_date_alone, range.exact()) {
                (0, _) => String::new(),
                _ if *number != RunCount::RunsLate => String::new(),
                (runs, Some(0)) => format!(" ({} by the date alone)", count(runs, "run")),
                // Not those that are late.
                (runs, _) => format!(" ({} by the date alone)", count(runs, "other")),
            };
            format!("{} is {range}{alone}", number.text())
        });
        let runs = match &*self.runs {
            [] => String::new(),
            runs => format!(": {}", text::few(runs)),
        };
        text::join(numbers, ", ") + &runs
    }

    pub fn json(&self) -> Value {
        json!({
            "name": self.name, "expr": self.expr, "verdict": verdict(self.is_met),
            "counts": query_language::by_name(&self.numbers),
        })
    }
}

/// Returns the name of a verdict in JSON.
pub fn verdict(is_met: Option<bool>) -> &'static str {
    match is_met {
        Some(true) => "passed",
        Some(false) => "failed",
        None => "not_decidable",
    }
}

/// Maximum number of sub projects that are named.
const SUBPROJECTS: usize = 3;

/// Returns `of 2 sub projects: SP_1, SP_2`; `None` if all runs are of one.
pub fn subprojects_words<'a>(of_runs: impl Iterator<Item = Option<&'a str>>) -> Option<String> {
    let subprojects: BTreeSet<&str> = of_runs.map(|it| it.unwrap_or("none")).collect();
    let count = subprojects.len();
    let names = text::join(subprojects.into_iter().take(SUBPROJECTS), ", ");
    let more = if count > SUBPROJECTS { ", …" } else { "" };
    let names = text::cells(&names);
    (count > 1).then(|| format!("of {count} sub projects: {names}{more}"))
}

/// Data of a release by which criteria are judged.
pub struct ReleaseFacts<'a> {
    /// All runs, counted or not.
    pub runs: &'a [RunRow],
    pub sums: &'a ReleaseSums,
    /// Results of finished cases.
    pub done: &'a [ResultCode],
    /// Returns the due date of a run, epoch milliseconds.
    pub due: &'a dyn Fn(&RunRow) -> Option<i64>,
    /// Forecast ends, epoch milliseconds; `None` of a run whose forecast is refused. Others are late by their date alone.
    /// `None` where no forecast is here.
    pub ends: Option<&'a HashMap<DocRef, Option<i64>>>,
    pub quiet: &'a HashMap<DocRef, Quiet>,
    /// Number of suites in no open run.
    pub in_no_run: Range,
    pub unlisted_as_zero: bool,
    /// False if runs may be missing: then no number is known.
    pub is_complete: bool,
    /// Epoch milliseconds.
    pub now: i64,
}

impl ReleaseFacts<'_> {
    pub fn judge(&self, criteria: &[Criterion]) -> Vec<Judged> {
        let number = |count| self.number(count);
        let judged = criteria.iter().filter_map(|it| it.judge(&number));
        let mut judged: Vec<Judged> = judged.collect();
        let alone = self.by_date_alone(&judged);
        for it in &mut judged {
            it.by_date_alone = alone;
            it.runs = self.counted_by(it);
        }
        judged
    }

    /// See [`Judged::runs`].
    fn counted_by(&self, judged: &Judged) -> Vec<String> {
        let is_it = |run: &&RunRow| match judged.numbers[..] {
            [(RunCount::RunsLate, _)] => self.is_late(run) == Some(true),
            [(RunCount::RunsQuiet, _)] => !run.is_closed() && self.is_quiet(run) == Some(true),
            _ => false,
        };
        let runs = self.runs.iter().filter(is_it);
        runs.map(|run| run.name().to_owned()).collect()
    }

    /// Returns a number; for late and for quiet runs at least these, if that of one is not known.
    fn number(&self, count: RunCount) -> Range {
        let are = |found: &[Option<bool>]| {
            let are = found.iter().filter(|it| **it == Some(true));
            Range::counted(are.count() as u64, !found.contains(&None))
        };
        let runs = self.runs.iter();
        match count {
            _ if !self.is_complete => Range::UNKNOWN,
            RunCount::RunsLate => are(&runs.map(|run| self.is_late(run)).collect::<Vec<_>>()),
            RunCount::RunsQuiet => {
                let open = runs.filter(|run| !run.is_closed());
                are(&open.map(|run| self.is_quiet(run)).collect::<Vec<_>>())
            }
            RunCount::SuitesInNoRun => self.in_no_run,
            count => self.sums.number(count, self.done, self.unlisted_as_zero),
        }
    }

    /// See [`RunRow::is_late`]; not known before its date where it is not known how many cases are left in the run, or
    /// some are and its forecast is refused or not here.
    pub fn is_late(&self, run: &RunRow) -> Option<bool> {
        let ends = self.ends.map(|ends| ends.get(&run.doc_ref).copied());
        let end = ends.unwrap_or(Some(None));
        let late = run.is_late((self.due)(run), end.flatten(), self.done, self.now);
        let context = QueryContext::of_counts(self.done, self.unlisted_as_zero);
        let left = RunCount::Left.of(run, &context).exact();
        let is_known = left.is_some_and(|left| left == 0 || end != Some(None));
        late.filter(|late| *late || run.is_closed() || is_known)
    }

    /// See [`Judged::by_date_alone`].
    fn by_date_alone(&self, judged: &[Judged]) -> usize {
        let mut asked = judged.iter().flat_map(|it| &it.numbers);
        let is_asked = asked.any(|(count, _)| *count == RunCount::RunsLate);
        let alone = |run: &&RunRow| {
            let is_forecast = self.ends.is_none_or(|ends| ends.contains_key(&run.doc_ref));
            let is_done = run.is_closed() || run.sums(self.done).map(Sums::left) == Some(0);
            !is_forecast && !is_done && self.is_late(run) == Some(false)
        };
        let runs = self.runs.iter().filter(|run| is_asked && alone(run));
        runs.count()
    }

    /// Returns `None` if the readings of the run do not suffice.
    pub fn is_quiet(&self, run: &RunRow) -> Option<bool> {
        match self.quiet.get(&run.doc_ref)? {
            Quiet::Since(_) => Some(true),
            Quiet::No => Some(false),
            Quiet::NotKnown => None,
        }
    }
}

impl Criterion {
    /// Judges the numbers of a release; `None` if it is no condition.
    pub fn judge(&self, number: &dyn Fn(RunCount) -> Range) -> Option<Judged> {
        let condition = query_language::criterion(&self.expr).ok()?;
        let counts = condition.counts().into_iter();
        Some(Judged {
            name: self.name.clone(),
            expr: self.expr.clone(),
            is_met: condition.holds(Subject::Release(number)),
            numbers: counts.map(|count| (count, number(count))).collect(),
            by_date_alone: 0,
            runs: Vec::new(),
        })
    }
}

/// Due date of a version, as it is written (`[[profiles.NAME.due]]`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReleaseDue {
    pub version: String,
    pub at: String,
}

/// Own kind of runs with this title (`[[profiles.NAME.kinds]]`).
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NamedKind {
    pub title: String,
    pub kind: String,
}

/// Kind of runs that test the same: key for comparisons, and text to show.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunKind {
    pub key: String,
    pub shown: String,
}

/// Returns the text without case and accents.
fn fold(text: &str) -> String {
    folded(text).into_iter().collect()
}

/// Splits a text, such as a title, into words.
fn words(text: &str) -> Vec<&str> {
    let cuts = |c: char| c.is_whitespace() || ",:()-".contains(c);
    text.split(cuts).filter(|word| !word.is_empty()).collect()
}

fn folded_words(text: &str) -> Vec<String> {
    words(text).into_iter().map(fold).collect()
}

impl RunKind {
    /// Returns the kind of a run: its title without version, configuration, numbers of builds and rounds, and dates at
    /// its ends; one of its own without a title.
    pub fn of(run: &RunRow, named: &[NamedKind]) -> Self {
        let title = run.title.as_deref().unwrap_or_default().trim();
        let folded = fold(title);
        if let Some(named) = named
            .iter()
            .find(|named| fold(named.title.trim()) == folded)
        {
            return Self {
                key: folded_words(&named.kind).join(" "),
                shown: named.kind.clone(),
            };
        }
        let own: Vec<Vec<String>> = run
            .configurations()
            .chain(run.version.as_deref())
            .map(folded_words)
            .collect();
        let shown = words(title);
        let keys = folded_words(title);
        // Runs without a title are not rounds of one another.
        if keys.is_empty() {
            return Self {
                key: format!("{title} {}", run.doc_ref),
                shown: format!("{title} {}", run.name()).trim().to_owned(),
            };
        }
        let (mut from, mut to) = (0, keys.len());
        loop {
            let left = &keys[from..to];
            let (first, last) = (ends(left, &own, false), ends(left, &own, true));
            if first == 0 && last == 0 {
                break;
            }
            from += first;
            to = to.saturating_sub(last).max(from);
        }
        if from == to {
            return Self {
                key: keys.join(" "),
                shown: title.to_owned(),
            };
        }
        Self {
            key: keys[from..to].join(" "),
            shown: shown[from..to].join(" "),
        }
    }
}

/// Returns the number of words at an end that identify the run, not its kind.
fn ends(words: &[String], own: &[Vec<String>], at_end: bool) -> usize {
    let most = words
        .len()
        .min(own.iter().map(Vec::len).max().unwrap_or(0).max(3));
    let end = |count: usize| {
        if at_end {
            &words[words.len() - count..]
        } else {
            &words[..count]
        }
    };
    let says =
        |words: &[String]| own.iter().any(|own| own == words) || is_number_or_date(words, at_end);
    (1..=most)
        .rev()
        .find(|count| says(end(*count)))
        .unwrap_or(0)
}

/// `1.2.1`, `rc 2`, `sprint47`, `2026-11-20`, `3.11.`, `Nov 2026`, `20. November 2026`, `Nov 20, 2026`.
fn is_number_or_date(words: &[String], at_end: bool) -> bool {
    let any = 1..=usize::MAX;
    match words {
        [word] => {
            let numbers = word.strip_prefix('v').unwrap_or(word);
            let is_version =
                numbers.contains('.') && numbers.split('.').all(|it| is_number(it, any.clone()));
            let of_day = word.strip_suffix('.').and_then(|it| it.split_once('.'));
            let is_day =
                of_day.is_some_and(|(day, month)| is_number(day, 1..=2) && is_number(month, 1..=2));
            let split = word
                .find(|c: char| c.is_ascii_digit())
                .unwrap_or(word.len());
            let (name, number) = word.split_at(split);
            is_version || is_day || NUMBERED.contains(&name) && is_number(number, any)
        }
        [name, number] => {
            let is_month = typed_date::month(name).is_some();
            NUMBERED.contains(&&**name) && is_number(number, any)
                || is_month && is_number(number, 4..=4)
        }
        [one, two, three] => {
            let is_day = |word: &str| is_number(word.trim_end_matches('.'), 1..=2);
            let is_month = |word: &str| typed_date::month(word).is_some();
            // A bare number behind other words may be that of a part.
            let is_first = is_day(one) && (!at_end || one.ends_with('.'));
            let is_written = is_first && is_month(two) || is_month(one) && is_day(two);
            is_number(one, 4..=4) && is_number(two, 2..=2) && is_number(three, 2..=2)
                || is_written && is_number(three, 4..=4)
        }
        _ => false,
    }
}

/// Returns the parts of a configuration without case, sorted; empty without a configuration.
pub fn configuration(run: &RunRow) -> Vec<String> {
    let parts: BTreeSet<String> = run.configurations().map(fold).collect();
    parts.into_iter().collect()
}

/// Sums of the test cases of runs. All known cases are in `cases`; unknown ones are in no sum.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseSums {
    pub runs: u64,
    pub open: u64,
    /// Runs whose counts are not known.
    pub without_results: u64,
    /// Those of them that are not closed.
    pub open_without_results: u64,
    /// Cases of all counted runs.
    pub cases: Cases,
    /// Number of runs that do not list a result.
    pub unlisted: [u64; 11],
    /// Those of them that are not closed.
    pub open_unlisted: [u64; 11],
    /// Finished cases.
    pub done: u64,
    /// Unfinished cases of open runs.
    pub left: u64,
    /// Unfinished cases of closed runs.
    pub not_run: u64,
}

impl ReleaseSums {
    /// Returns the sums of one run.
    pub fn of(run: &RunRow, done: &[ResultCode]) -> Self {
        let is_closed = run.is_closed();
        let one = Self {
            runs: 1,
            open: u64::from(!is_closed),
            ..Self::default()
        };
        let counts = run.results.as_ref();
        let Some((counts, cases)) = counts.and_then(|it| Some((it, it.cases()?))) else {
            return Self {
                without_results: 1,
                open_without_results: u64::from(!is_closed),
                ..one
            };
        };
        let done = cases.at(done);
        let left = cases.total().saturating_sub(done);
        let (left, not_run) = if is_closed { (0, left) } else { (left, 0) };
        let unlisted = ResultCode::ALL.map(|code| u64::from(counts.listed(code).is_none()));
        Self {
            cases,
            unlisted,
            open_unlisted: unlisted.map(|runs| runs * one.open),
            done,
            left,
            not_run,
            ..one
        }
    }

    /// Adds the sums of other runs.
    pub fn add(&mut self, other: &Self) {
        self.cases += other.cases;
        let unlisted = self.unlisted.iter_mut().zip(other.unlisted);
        let open = self.open_unlisted.iter_mut().zip(other.open_unlisted);
        let others = [
            (&mut self.runs, other.runs),
            (&mut self.open, other.open),
            (&mut self.without_results, other.without_results),
            (&mut self.open_without_results, other.open_without_results),
            (&mut self.done, other.done),
            (&mut self.left, other.left),
            (&mut self.not_run, other.not_run),
        ];
        for (sum, more) in unlisted.chain(open).chain(others) {
            *sum = sum.saturating_add(more);
        }
    }

    /// Returns true if there are runs, and all are closed.
    pub fn are_closed(&self) -> bool {
        self.runs > 0 && self.open == 0
    }

    /// Returns the key that sorts the worst first, by the numbers that are shown.
    pub fn worst_first(&self) -> Reverse<[u64; 4]> {
        let [failed, new, blocked] = [
            ResultCode::FAILED,
            &[ResultCode::FailedNew],
            &[ResultCode::Blocked],
        ]
        .map(|codes| self.at(codes));
        Reverse([failed, new, blocked, self.left])
    }

    /// Returns the number of all known cases.
    pub fn total(&self) -> u64 {
        self.cases.total()
    }

    /// Returns the number of cases with any of these codes.
    pub fn at(&self, codes: &[ResultCode]) -> u64 {
        self.cases.at(codes)
    }

    /// Returns one of these numbers, as far as known: unknown counts of a run may be anything, and results that are not
    /// listed, too, unless `unlisted_as_zero` is set.
    pub fn number(&self, count: RunCount, done: &[ResultCode], unlisted_as_zero: bool) -> Range {
        let codes = ResultCode::ALL.into_iter();
        let codes: Vec<_> = codes.filter(|code| count.has(*code, done)).collect();
        let number = match count {
            RunCount::Runs => return Range::counted(self.runs, true),
            RunCount::RunsOpen => return Range::counted(self.open, true),
            RunCount::Total => self.total(),
            RunCount::Left => self.left,
            RunCount::NotRun => self.not_run,
            RunCount::Code(_) | RunCount::Failed | RunCount::Hold | RunCount::Done => {
                self.at(&codes)
            }
            _ => return Range::UNKNOWN,
        };
        let concerned = |all: u64, open: u64| -> u64 {
            let parts = [(false, open), (true, all - open)];
            let has = |(is_closed, _): &(bool, u64)| Self::has_cases_of(count, *is_closed);
            parts.into_iter().filter(has).map(|(_, runs)| runs).sum()
        };
        let is_listed = |code: &ResultCode| {
            let code = *code as usize - 1;
            concerned(self.unlisted[code], self.open_unlisted[code]) == 0
        };
        let is_exact = concerned(self.without_results, self.open_without_results) == 0
            && (unlisted_as_zero || codes.iter().all(is_listed));
        Range::counted(number, is_exact)
    }

    /// Returns true if the number of a release has the cases of closed runs, or of open ones.
    pub fn has_cases_of(count: RunCount, is_closed: bool) -> bool {
        match count {
            RunCount::Left => !is_closed,
            RunCount::NotRun => is_closed,
            _ => true,
        }
    }

    /// Returns the sums of cases, unless no run has results.
    pub fn known(&self) -> Option<&Self> {
        (self.without_results == 0 || self.without_results < self.runs).then_some(self)
    }

    /// Formats a number of cases; `-` if no run has results.
    pub fn words(&self, cases: impl FnOnce(&Self) -> u64) -> String {
        let cases = self.known().map(cases);
        cases.map_or("-".to_owned(), text::thousands)
    }

    /// Formats the cases left; of closed runs alone those not run if there is room, else `closed`.
    pub fn left_words(&self, has_room: bool) -> String {
        match self.not_run {
            _ if !self.are_closed() => self.words(|it| it.left),
            not_run @ 1.. if has_room => format!("{} not run", text::thousands(not_run)),
            _ => "closed".to_owned(),
        }
    }

    /// Returns the share of the cases that are finished, see [`Sums::share`].
    pub fn share(&self) -> Option<String> {
        let (total, done) = (self.total(), self.done);
        Sums { total, done }.share()
    }

    /// Returns the share in words: `93 %`, `-` without cases.
    pub fn share_words(&self) -> String {
        self.share().map_or("-".to_owned(), |it| format!("{it} %"))
    }

    pub fn json(&self) -> Value {
        let if_known = |cases: u64| self.known().map(|_| cases);
        let cases = ResultCode::ALL.into_iter().zip(self.cases.0);
        let cases = cases.map(|(code, cases)| (code.name().to_owned(), json!(if_known(cases))));
        json!({
            "runs": self.runs, "runs_open": self.open, "without_results": self.without_results, "total": if_known(self.total()),
            "done": if_known(self.done), "left": if_known(self.left), "not_run": if_known(self.not_run),
            "results": cases.collect::<Value>(),
        })
    }
}

/// Counted runs of one kind and one configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BoardCell {
    pub runs: Vec<DocRef>,
    pub sums: ReleaseSums,
}

/// Run that is not counted, and the younger one that replaces it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EarlierRound {
    pub run: DocRef,
    pub by: DocRef,
    /// A case of the run failed, is blocked, not finished or not known.
    pub is_bad: bool,
}

/// Sums by kind and configuration.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Board {
    pub kinds: Vec<RunKind>,
    /// Parts of each configuration and its text; no parts for runs without one.
    pub configurations: Vec<(Vec<String>, String)>,
    /// By indexes of kind and configuration.
    pub cells: BTreeMap<(usize, usize), BoardCell>,
    pub by_kind: Vec<ReleaseSums>,
    pub by_configuration: Vec<ReleaseSums>,
    pub all: ReleaseSums,
    pub earlier: Vec<EarlierRound>,
}

/// Sums of the runs of a version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReleaseLine {
    pub version: String,
    pub sums: ReleaseSums,
    /// Creation of the first run, epoch milliseconds.
    pub from: Option<i64>,
    /// Last edit of a closed run, epoch milliseconds.
    pub to: Option<i64>,
}

/// Returns the sums of each version, the newest first; runs without a version are left out.
pub fn releases(
    runs: impl Iterator<Item = RunRow>,
    named: &[NamedKind],
    done: &[ResultCode],
) -> Vec<ReleaseLine> {
    let mut by_version: HashMap<String, Vec<RunRow>> = HashMap::new();
    for run in runs {
        if let Some(version) = &run.version {
            by_version.entry(version.clone()).or_default().push(run);
        }
    }
    let mut versions: Vec<String> = by_version.keys().cloned().collect();
    newest_first(&mut versions);
    let line = |version: String| {
        let runs = &by_version[&version];
        let closed = runs.iter().filter(|run| run.is_closed());
        ReleaseLine {
            sums: Board::of(runs, named, done, false).all,
            from: runs.iter().filter_map(|run| run.created_on).min(),
            to: closed.filter_map(|run| run.edited_on).max(),
            version,
        }
    };
    versions.into_iter().map(line).collect()
}

/// Returns the key that sorts runs by age, the older first; runs without a time of creation come before all others.
fn age(run: &RunRow) -> (Option<i64>, Option<u64>) {
    (run.created_on, run.number())
}

fn is_older(one: &RunRow, other: &RunRow) -> bool {
    match (one.created_on, other.created_on) {
        (Some(a), Some(b)) if a != b => a < b,
        (Some(_), Some(_)) | (None, None) => match (age(one).1, age(other).1) {
            (Some(a), Some(b)) => a < b,
            _ => false,
        },
        _ => false,
    }
}

impl Board {
    /// Adds the sums of all and of each cell with its runs, and the earlier rounds, to a JSON object; `runs` are those of
    /// the board with their short ids.
    pub fn json_into<'a>(
        &self,
        object: &mut Value,
        runs: impl Iterator<Item = (&'a DocRef, Option<&'a str>)>,
    ) {
        let ids: HashMap<_, _> = runs.collect();
        let named = |run: &DocRef| json!({"ref": run, "id": ids.get(run)});
        let cells = self.cells.iter().map(|((kind, configuration), cell)| {
            json!({
                "kind": kind, "configuration": configuration,
                "runs": cell.runs.iter().map(named).collect::<Value>(), "sums": cell.sums.json(),
            })
        });
        let earlier = self
            .earlier
            .iter()
            .map(|it| json!({"run": named(&it.run), "by": named(&it.by), "is_bad": it.is_bad}));
        let kinds = self.kinds.iter().map(|it| it.shown.clone());
        let configurations = self.configurations.iter().map(|it| it.1.clone());
        object["sums"] = self.all.json();
        object["kinds"] = kinds.collect();
        object["configurations"] = configurations.collect();
        object["cells"] = cells.collect();
        object["earlier_rounds"] = earlier.collect();
    }

    /// Shares done by kind and configuration, for text; a row for each cell if configurations are many or long.
    pub fn table(&self) -> TextTable {
        let shown = |sums: &ReleaseSums| {
            let share = sums.share_words();
            let failed = sums.at(ResultCode::FAILED);
            let blocked = sums.at(&[ResultCode::Blocked]);
            let mark = |cases: u64, word: &str| match cases {
                0 => String::new(),
                cases => format!(", {} {word}", text::thousands(cases)),
            };
            let cases = mark(failed, "failed") + &mark(blocked, "blocked");
            TextCell::Text(share + &cases)
        };
        let left = |sums: &ReleaseSums| TextCell::Number(sums.left_words(true));
        let left_of_all = || TextCell::Number(self.all.words(|it| it.left));
        let kind = |row: usize| {
            let kind = self.kinds.get(row);
            TextCell::Text(kind.map_or_else(|| "all".to_owned(), |kind| kind.shown.clone()))
        };
        // A break after a comma shows that the parts belong together.
        let written = self
            .configurations
            .iter()
            .map(|(_, written)| match &**written {
                "" => "none".to_owned(),
                written => text::join(text::parts(written), ", "),
            });
        let written: Vec<String> = written.collect();
        let is_long = |text: &String| text.split(' ').any(|word| word.chars().count() > LONG);
        let is_wide = written.len() > COLUMNS || written.iter().any(is_long);
        let of_kinds = self.by_kind.iter().chain([&self.all]).enumerate();
        let (headings, rows): (Vec<String>, Vec<Vec<TextCell>>) = if is_wide {
            let cells = self.cells.iter().map(|((row, column), cell)| {
                let configuration = TextCell::Text(written[*column].clone());
                vec![
                    kind(*row),
                    configuration,
                    shown(&cell.sums),
                    left(&cell.sums),
                ]
            });
            let all = vec![
                kind(usize::MAX),
                TextCell::Text("all".into()),
                shown(&self.all),
                left_of_all(),
            ];
            let headings = ["Kind", "Configuration", "Done", "Left"].map(str::to_owned);
            (headings.into(), cells.chain([all]).collect())
        } else {
            let rows = of_kinds.map(|(row, sums)| {
                let columns = 0..written.len();
                let is_all = row == self.kinds.len();
                let cells = columns.map(|column| {
                    let cell = self.cells.get(&(row, column)).map(|cell| &cell.sums);
                    let sums = if is_all {
                        self.by_configuration.get(column)
                    } else {
                        cell
                    };
                    sums.map_or_else(|| TextCell::Text(String::new()), shown)
                });
                [kind(row)]
                    .into_iter()
                    .chain(cells)
                    .chain([shown(sums), if is_all { left_of_all() } else { left(sums) }])
                    .collect()
            });
            let ends = |text: &str| [text.to_owned()];
            let headings = [&ends("Kind")[..], &written, &ends("all"), &ends("Left")].concat();
            (headings, rows.collect())
        };
        TextTable { headings, rows }
    }

    /// Returns the runs that are counted.
    pub fn counted(&self) -> HashSet<&DocRef> {
        self.cells.values().flat_map(|cell| &cell.runs).collect()
    }

    /// `2 earlier rounds not counted, some not passed`; `None` if all runs are counted.
    pub fn earlier_words(&self) -> Option<String> {
        let rounds = count(self.earlier.len(), "earlier round");
        let bad = self.earlier.iter().any(|it| it.is_bad);
        let bad = if bad { ", some not passed" } else { "" };
        (!self.earlier.is_empty()).then(|| format!("{rounds} not counted{bad}"))
    }

    /// Builds the board of a version. If it splits, it has a column for each part of a configuration: a run is in the columns of all
    /// its parts. `done` are the results of finished cases.
    pub fn of(runs: &[RunRow], named: &[NamedKind], done: &[ResultCode], splits: bool) -> Self {
        let mut board = Self::default();
        // The youngest first: its spelling of kind and configuration is shown.
        let mut youngest: Vec<&RunRow> = runs.iter().collect();
        youngest.sort_by(|a, b| age(b).cmp(&age(a)).then_with(|| a.doc_ref.cmp(&b.doc_ref)));
        let mut kinds: BTreeMap<String, String> = BTreeMap::new();
        let mut configurations: BTreeMap<Vec<String>, String> = BTreeMap::new();
        let mut placed = Vec::new();
        for run in youngest {
            let kind = RunKind::of(run, named);
            kinds.entry(kind.key.clone()).or_insert(kind.shown);
            let parts = configuration(run);
            let all_parts = run.configuration.as_deref().unwrap_or_default().trim();
            if splits && !parts.is_empty() {
                for written in run.configurations() {
                    let column = vec![fold(written)];
                    configurations
                        .entry(column)
                        .or_insert_with(|| written.to_owned());
                }
            } else {
                configurations
                    .entry(parts.clone())
                    .or_insert_with(|| all_parts.to_owned());
            }
            placed.push((run, kind.key, parts));
        }
        let kinds: Vec<RunKind> = kinds
            .into_iter()
            .map(|(key, shown)| RunKind { key, shown })
            .collect();
        // Runs without a configuration come last.
        let mut configurations: Vec<_> = configurations.into_iter().collect();
        configurations.sort_by_key(|(parts, _)| (parts.is_empty(), parts.clone()));
        board.by_kind = vec![ReleaseSums::default(); kinds.len()];
        board.by_configuration = vec![ReleaseSums::default(); configurations.len()];
        let mut alike: HashMap<_, Vec<&RunRow>> = HashMap::new();
        for (run, kind, parts) in &placed {
            let alike = alike.entry((kind, parts, &run.subproject)).or_default();
            alike.push(run);
        }
        for (run, kind, parts) in &placed {
            let is_closed = run.is_closed();
            let mut alike = alike[&(kind, parts, &run.subproject)]
                .iter()
                .filter(|_| is_closed);
            if let Some(younger) = alike.find(|other| is_older(run, other)) {
                board.earlier.push(EarlierRound {
                    run: run.doc_ref.clone(),
                    by: younger.doc_ref.clone(),
                    is_bad: is_bad(run, done),
                });
                continue;
            }
            let sums = ReleaseSums::of(run, done);
            let kind = kinds.partition_point(|it| it.key < *kind);
            let is_of = |column: &[String]| {
                if splits && !parts.is_empty() {
                    column.first().is_some_and(|part| parts.contains(part))
                } else {
                    column == parts
                }
            };
            for (place, (column, _)) in configurations.iter().enumerate() {
                if is_of(column) {
                    let cell = board.cells.entry((kind, place)).or_default();
                    cell.runs.push(run.doc_ref.clone());
                    cell.sums.add(&sums);
                    board.by_configuration[place].add(&sums);
                }
            }
            board.by_kind[kind].add(&sums);
            board.all.add(&sums);
        }
        (board.kinds, board.configurations) = (kinds, configurations);
        board
    }
}

fn is_bad(run: &RunRow, done: &[ResultCode]) -> bool {
    let bad = [ResultCode::FAILED, ResultCode::BLOCKED].concat();
    let counts = run.results.as_ref();
    counts.is_none_or(|counts| counts.sum(&bad) > 0)
        || run.sums(done).is_none_or(|sums| sums.left() > 0)
}

/// `66 suites can be added and are in no open run`, as far as their number is known.
pub fn in_none(found: usize, range: Range) -> String {
    let suites = count(found, "suite");
    match range {
        _ if range.exact() == Some(0) => "Each suite that can be added is in some open run".into(),
        _ if range.exact().is_some() => {
            let are = text::are(found);
            format!("{suites} can be added and {are} in no open run")
        }
        _ if range.most().is_some() => format!("At most {suites} are in no open run"),
        _ if range == Range::UNKNOWN => "How many suites are in no open run is not known".into(),
        _ => format!("At least {suites} are in no open run"),
    }
}

/// Sorts versions, the newest first: number by number, those of other forms last.
pub fn newest_first(versions: &mut [String]) {
    versions.sort_by(|a, b| {
        let key = |version: &str| version_numbers(version);
        key(b).cmp(&key(a)).then_with(|| b.cmp(a))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::ResultCounts;

    const DONE: [ResultCode; 2] = [ResultCode::Passed, ResultCode::FailedNew];

    fn run(number: u64, title: &str, configuration: &str) -> RunRow {
        let some = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
        let mut counts = ResultCounts::default();
        counts.add(ResultCode::Passed, 7);
        counts.add(ResultCode::FailedNew, 1);
        counts.add(ResultCode::Untested, 2);
        RunRow {
            id: Some(format!("R_{number}")),
            title: some(title),
            version: Some("1.2.1".into()),
            configuration: some(configuration),
            status: Status::Active,
            results: Some(counts),
            created_on: Some(i64::try_from(number).unwrap()),
            ..RunRow::unknown(DocRef::parse(&format!("TestRun-dm/{number}")).unwrap())
        }
    }

    #[test]
    fn a_kind_is_what_is_left_of_a_title() {
        for (title, configuration, kind) in [
            ("Regression chrome, 1.2.1", "chrome", "regression"),
            ("Acceptance, week 47", "", "acceptance"),
            ("Smoke (edge)", "windows 11, edge", "smoke"),
            ("Windows 11: smoke part 2", "Windows 11", "smoke part 2"),
            ("smoke windows 11", "chrome", "smoke windows 11"),
            ("Nightly 2026-11-20", "", "nightly"),
            ("Nightly 20 Nov 2026", "", "nightly 20"),
            ("3.11. Nightly 3.11.2026", "", "nightly"),
            ("20.3. Nightly, sprint 4b", "", "nightly sprint 4b"),
            ("Release check v1.2 rc2 attempt 3", "", "release check"),
            ("SPRINT 47 - Acceptance", "", "acceptance"),
            ("Sprint test printing", "", "sprint test printing"),
            ("Smoke v2", "", "smoke v2"),
            ("Nightly December 2026", "", "nightly"),
            ("Übergabe an die Abnahme", "", "ubergabe an die abnahme"),
            ("1.2.1", "", "1.2.1"),
        ] {
            let found = RunKind::of(&run(1, title, configuration), &[]);
            assert_eq!(found.key, kind, "{title}");
        }
        // What is unknown of two runs is not the same.
        let [one, other] = [1, 2].map(|number| RunKind::of(&run(number, " ", "chrome"), &[]));
        assert!(
            one.key != other.key && one.shown.starts_with("R_1"),
            "{one:?}"
        );
        let named = [("load", "Other"), ("smoke windows 11", "Smoke")];
        let named = named.map(|(title, kind)| NamedKind {
            title: title.into(),
            kind: kind.into(),
        });
        let found = RunKind::of(&run(1, "Smoke Windows 11", ""), &named);
        assert_eq!((&*found.key, &*found.shown), ("smoke", "Smoke"));
        // A kind of the config and a title that is all number are one.
        let named = [NamedKind {
            title: "Candidate".into(),
            kind: "RC-1".into(),
        }];
        let [named, whole] =
            ["candidate", "RC-1"].map(|title| RunKind::of(&run(1, title, ""), &named));
        assert_eq!(named, whole);
    }

    #[test]
    fn a_closed_run_is_an_earlier_round_of_a_younger_one_and_nothing_else_is_left_out() {
        let closed = |number, title| RunRow {
            status: Status::Inactive,
            ..run(number, title, "chrome")
        };
        let runs = [
            closed(1, "Smoke"),
            closed(2, "Smoke, week 2"),
            run(3, "Smoke week 3", "chrome"),
            run(4, "smoke", "Chrome "),
            closed(5, "Regression"),
            RunRow {
                subproject: Some("SP_2".into()),
                ..closed(6, "Regression")
            },
            RunRow {
                results: None,
                ..run(7, "Load", "")
            },
        ];
        let board = Board::of(&runs, &[], &DONE, false);
        let kinds: Vec<&str> = board.kinds.iter().map(|kind| &*kind.shown).collect();
        assert_eq!(kinds, ["Load", "Regression", "smoke"]);
        let configurations: Vec<&str> = board.configurations.iter().map(|it| &*it.1).collect();
        assert_eq!(configurations, ["chrome", ""]);
        let earlier: Vec<_> = board
            .earlier
            .iter()
            .map(|it| (it.run.as_str(), it.by.as_str(), it.is_bad))
            .collect();
        assert_eq!(
            earlier,
            [
                ("TestRun-dm/2", "TestRun-dm/4", true),
                ("TestRun-dm/1", "TestRun-dm/4", true)
            ]
        );
        let smoke = &board.cells[&(2, 0)];
        assert_eq!(
            (smoke.runs.len(), smoke.sums.left, smoke.sums.total()),
            (2, 4, 20)
        );
        let all = &board.all;
        assert_eq!((all.runs, all.open, all.without_results), (5, 3, 1));
        assert_eq!(
            (all.total(), all.done, all.left, all.not_run),
            (40, 32, 4, 4)
        );
        assert_eq!(
            (all.at(ResultCode::FAILED), all.share()),
            (4, Some("80".into()))
        );
        let counted: usize = board.cells.values().map(|cell| cell.runs.len()).sum();
        assert_eq!(counted + board.earlier.len(), runs.len());
    }

    #[test]
    fn versions_are_sorted_by_number() {
        let mut versions = ["1.9.0", "1.10.0", "x", "1.2"].map(str::to_owned);
        newest_first(&mut versions);
        assert_eq!(versions, ["1.10.0", "1.9.0", "1.2", "x"]);
    }
}
