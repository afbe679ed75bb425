//! Report of a release for readers without the program: one HTML file, Markdown or JSON. A pure function: the same data
//! yields the same bytes.

mod chart;
mod page;

use std::collections::HashMap;

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use crate::domain::compare::{ComparedRun, KeptSuites};
use crate::domain::fields;
use crate::domain::query_language::Range;
use crate::domain::release::subprojects_words;
use crate::domain::release::{
    Board, Judged, ReleaseFacts, ReleaseSettings, ReportFormat, in_none, readiness, readiness_word,
    verdict,
};
use crate::domain::run_text::web_address;
use crate::domain::since::{Became, Since};
use crate::domain::table::TextCell;
use crate::domain::{
    Days, DocRef, Quiet, ResultCode, RunRow, Sample, SuiteRow, Sums, due, format_local, json, text,
};
use crate::forecast::{self, Finish, Outlook, Settings, SumRun};
use chart::BurnUp;
use page::{Part, ReportPage};

/// Data of a report.
pub struct Sources<'a> {
    /// Project and sub project.
    pub scope: &'a str,
    pub version: &'a str,
    /// All runs of the version, counted or not.
    pub runs: &'a [RunRow],
    /// True if no run is missing, as far as is known.
    pub is_complete: bool,
    /// Time of the oldest counts of these runs, epoch milliseconds.
    pub read_at: Option<i64>,
    pub release: &'a ReleaseSettings,
    pub forecast: &'a Settings,
    /// Due date of the release, and of each run, epoch milliseconds.
    pub due: Option<i64>,
    /// True if the date of the release was typed on this machine.
    pub due_is_typed: bool,
    pub due_of: &'a dyn Fn(&RunRow) -> Option<i64>,
    /// Samples of each run, oldest first.
    pub samples: &'a [(DocRef, Vec<Sample>)],
    /// Time since which counts are kept here, epoch milliseconds; `None` if runs are left that were not read before today.
    pub kept_since: Option<i64>,
    /// Changes since a time, epoch milliseconds.
    pub since: Option<&'a (i64, Since)>,
    /// Quiet state of the runs.
    pub quiet: HashMap<DocRef, Quiet>,
    /// The suites of runs, as they were last worked out.
    pub attached: HashMap<DocRef, KeptSuites>,
    /// Suites in no open run that were found, and the bounds of their true number, if they were read.
    pub in_no_run: Option<(&'a [SuiteRow], Range)>,
    /// Failed or missing readings, in words.
    pub not_read: Vec<String>,
    /// True if the report may have names of users.
    pub with_names: bool,
    /// Address of a run in the web application with `{id}`; `None` for a report without links.
    pub links: Option<&'a str>,
    /// Epoch milliseconds.
    pub now: i64,
}

/// A report in all formats.
pub struct Report {
    page: ReportPage,
    data: String,
    /// True if all criteria are met; `None` if unknown or if there are none.
    pub is_ready: Option<bool>,
}

impl Report {
    pub fn of(sources: &Sources<'_>) -> Self {
        let done = &sources.forecast.done;
        let board = Board::of(sources.runs, &sources.release.kinds, done, false);
        let as_of = as_of(sources);
        let samples = samples_until(sources, as_of);
        let finish = finish(&board, sources, &samples, as_of);
        let facts = ReleaseFacts {
            runs: sources.runs,
            sums: &board.all,
            done,
            due: sources.due_of,
            ends: Some(&finish.ends()),
            quiet: &sources.quiet,
            in_no_run: sources.in_no_run.map_or(Range::UNKNOWN, |it| it.1),
            unlisted_as_zero: false,
            // Incomplete or unread data decides nothing.
            is_complete: sources.is_complete && sources.read_at.is_some(),
            now: sources.now,
        };
        let criteria = facts.judge(&sources.release.criteria);
        let is_ready = readiness(&criteria);
        let chart = BurnUp::of(&board, sources, &samples, &finish.outlook);
        let made = ReportData {
            sources,
            board: &board,
            criteria: &criteria,
            is_ready,
            chart: chart.as_ref(),
            finish: &finish,
            facts: &facts,
            as_of,
        };
        Self {
            data: json::pretty("report", made.json()),
            page: made.page(),
            is_ready,
        }
    }

    pub fn text(&self, format: ReportFormat) -> String {
        match format {
            ReportFormat::Json => self.data.clone(),
            ReportFormat::Md => self.page.markdown(),
            ReportFormat::Html => self.page.html(&self.data),
        }
    }
}

/// Computed data of a report.
struct ReportData<'a> {
    sources: &'a Sources<'a>,
    board: &'a Board,
    criteria: &'a [Judged],
    is_ready: Option<bool>,
    chart: Option<&'a BurnUp>,
    finish: &'a Finish,
    facts: &'a ReleaseFacts<'a>,
    /// Time of the newest change of a count, for which the forecast is made, epoch milliseconds.
    as_of: i64,
}

/// Time of the newest change of a count, else of the first counts, epoch milliseconds. What lies ahead is of a wrong clock.
fn as_of(sources: &Sources<'_>) -> i64 {
    let is_past = |sample: &&Sample| sample.at <= sources.now;
    let moved = sources.samples.iter().filter_map(|(_, samples)| {
        let moves = |pair: &[Sample]| pair[0].counts != pair[1].counts;
        let moved = samples.windows(2).rev().filter(|pair| moves(pair));
        let last = moved.map(|pair| &pair[1]).find(is_past);
        Some(last.or(samples.iter().find(is_past))?.at)
    });
    moved.max().unwrap_or(sources.now)
}

/// Samples up to the newest change; a run that was read later had the same counts then.
fn samples_until(sources: &Sources<'_>, as_of: i64) -> HashMap<DocRef, Vec<Sample>> {
    let clipped = |(run, samples): &(DocRef, Vec<Sample>)| {
        let mut until: Vec<Sample> = samples
            .iter()
            .filter(|it| it.at <= as_of)
            .cloned()
            .collect();
        if let Some(last) = until.last_mut() {
            let read = last.seen_until.max(sources.read_at.unwrap_or(i64::MIN));
            last.seen_until = read.min(as_of);
        }
        (run.clone(), until)
    };
    sources.samples.iter().map(clipped).collect()
}

/// Forecast for all runs as of the newest change of a count; none after a long time without changes.
fn finish(
    board: &Board,
    sources: &Sources<'_>,
    told: &HashMap<DocRef, Vec<Sample>>,
    as_of: i64,
) -> Finish {
    let counted = board.counted();
    let counted = |run: &&RunRow| counted.contains(&run.doc_ref);
    let runs = sources.runs.iter().filter(counted).map(|run| {
        let kept = told.get(&run.doc_ref).cloned().unwrap_or_default();
        (SumRun::of(run, &sources.forecast.done), kept)
    });
    let runs: Vec<_> = runs.collect();
    let read_at = sources.read_at.unwrap_or(as_of);
    forecast::finish(&runs, as_of, sources.forecast).unless_still(
        as_of,
        read_at,
        &sources.forecast.zone,
    )
}

/// Time or day in this format, independent of the current time.
fn moment(at: i64, zone: &TimeZone, format: &str) -> String {
    format_local(at, zone, format).unwrap_or_default()
}
const DAY: &str = "%a %-d %b %Y";
const TIME: &str = "%a %-d %b %Y %H:%M";

impl ReportData<'_> {
    fn when(&self, at: i64) -> String {
        moment(at, &self.sources.forecast.zone, TIME)
    }

    /// Day of the counts.
    fn day(&self, format: &str) -> Option<String> {
        let zone = &self.sources.forecast.zone;
        Some(moment(self.sources.read_at?, zone, format))
    }

    /// Time of the counts if it is before today, epoch milliseconds.
    fn read_before(&self) -> Option<i64> {
        let read_at = self.sources.read_at?;
        (read_at < self.today()).then_some(read_at)
    }

    /// Start of today, epoch milliseconds.
    fn today(&self) -> i64 {
        let now = self.sources.now;
        Days::at(now, &self.sources.forecast.zone).map_or(now, |days| days.today)
    }

    /// Newest edit of the runs, epoch milliseconds.
    fn last_edit(&self) -> Option<i64> {
        self.sources
            .runs
            .iter()
            .filter_map(|run| run.edited_on)
            .max()
    }

    /// Runs in order, counted ones first, by the numbers in their ids; true marks those not counted.
    fn runs(&self) -> Vec<(&RunRow, bool)> {
        let counted = self.board.counted();
        let mut runs: Vec<_> = self
            .sources
            .runs
            .iter()
            .map(|run| (run, !counted.contains(&run.doc_ref)))
            .collect();
        runs.sort_by_key(|(run, earlier)| (*earlier, run.number(), run.doc_ref.clone()));
        runs
    }

    fn page(&self) -> ReportPage {
        let sources = self.sources;
        let version = text::plain(sources.version);
        let day = self
            .day(DAY)
            .map_or("When it was read is not known".to_owned(), |day| {
                format!("As of {day}")
            });
        let edited = self
            .last_edit()
            .map(|at| format!("; last edit {}", self.when(at)));
        let all = &self.board.all;
        let of = text::count(sources.runs.len(), "run");
        let mut parts = vec![Part::Words(format!(
            "{day}{}. {} of {of} counted, {} of them open.",
            edited.unwrap_or_default(),
            text::thousands(all.runs),
            text::thousands(all.open)
        ))];
        let left = text::thousands(all.left);
        let share = all.share().map_or("no cases".to_owned(), |share| {
            format!("{share} % of {} done", text::count(all.total(), "case"))
        });
        let not_run = match all.not_run {
            0 => String::new(),
            cases => format!(", {} not run in closed runs", text::thousands(cases)),
        };
        parts.push(Part::Words(if all.known().is_none() {
            "The service tells no results of these runs.".to_owned()
        } else {
            format!("{share}, {left} left{not_run}.")
        }));
        let subprojects = sources.runs.iter().map(|run| run.subproject.as_deref());
        parts.extend(subprojects_words(subprojects).map(Part::Words));
        self.verdict(&mut parts);
        self.cells(&mut parts);
        self.finish(&mut parts);
        self.since(&mut parts);
        self.list(&mut parts);
        self.suites(&mut parts);
        let mut notes = sources.not_read.clone();
        if all.without_results > 0 {
            let runs = text::count(all.without_results, "run");
            notes.push(format!("the service tells no results of {runs}"));
        }
        if !notes.is_empty() {
            parts.push(Part::Heading("Not read".into()));
            parts.extend(notes.into_iter().map(Part::Words));
        }
        ReportPage {
            title: format!("Release {version} of {}", text::plain(sources.scope)),
            parts,
        }
    }

    fn verdict(&self, parts: &mut Vec<Part>) {
        let ready = if self.criteria.is_empty() {
            "no criteria are set"
        } else {
            readiness_word(self.is_ready)
        };
        let as_of = self
            .read_before()
            .filter(|_| !self.criteria.is_empty())
            .map(|at| format!("as of {}: ", self.when(at)));
        let as_of = as_of.unwrap_or_default();
        parts.push(Part::Heading(format!("Ready: {as_of}{ready}")));
        let rows = self.criteria.iter().map(|it| {
            vec![
                TextCell::Text(it.name.clone()),
                TextCell::Text(it.word().into()),
                TextCell::Text(it.numbers_words()),
                TextCell::Text(it.expr.clone()),
            ]
        });
        parts.push(Part::table(
            "Criteria",
            ["Criterion", "Verdict", "Numbers", "Condition"],
            rows,
        ));
    }

    fn cells(&self, parts: &mut Vec<Part>) {
        parts.push(Part::Heading("Board".into()));
        parts.push(Part::Table(
            "Share done by kind and configuration",
            self.board.table(),
        ));
        let earlier = self.board.earlier_words();
        parts.extend(earlier.map(|words| Part::Words(words + ".")));
    }

    fn finish(&self, parts: &mut Vec<Part>) {
        parts.push(Part::Heading("Finish".into()));
        let (left, zone) = (self.board.all.left, &self.sources.forecast.zone);
        let (words, end, pace) = match &self.finish.outlook {
            Outlook::Done => ("Done".to_owned(), None, None),
            Outlook::Refused(why) => (format!("No forecast: {why}"), None, None),
            Outlook::Band(band) => (
                format!("{} to {}", self.when(band.from), self.when(band.to)),
                Some(band.middle),
                Some(band.pace_words(self.sources.due, self.sources.now, zone)),
            ),
        };
        let pace = pace.map(|pace| format!(", {pace}"));
        let as_of = self.when(self.as_of);
        parts.push(Part::Words(format!(
            "{words}{}. As of the newest result, {as_of}; board and gate forecast from when they are asked.",
            pace.unwrap_or_default()
        )));
        if let Some(at) = self.sources.due {
            let late = due::is_late(at, left, end, self.sources.now);
            let late = if late { ": LATE" } else { "" };
            let here = if self.sources.due_is_typed {
                " (set here)"
            } else {
                ""
            };
            parts.push(Part::Words(format!("Due {}{here}{late}.", self.when(at))));
        }
        match self.chart {
            Some(chart) => {
                parts.push(Part::Words(chart.words(&self.sources.forecast.zone)));
                parts.push(Part::Chart(chart.svg(&self.sources.forecast.zone)));
            }
            None => parts.extend(self.no_chart_words().map(Part::Words)),
        }
    }

    /// Reason without a burn-up; `None` where all runs were read since they were made and no count has moved.
    fn no_chart_words(&self) -> Option<String> {
        let Some(at) = self.sources.kept_since else {
            return Some("Not all runs were read before today.".into());
        };
        let counted = self.board.counted();
        let mut runs = self.sources.runs.iter();
        let is_older = |run: &RunRow| counted.contains(&run.doc_ref) && !run.is_made_since(at);
        let words = || {
            let day = moment(at, &self.sources.forecast.zone, DAY);
            format!("Counts are kept here since {day} only.")
        };
        runs.any(is_older).then(words)
    }

    fn since(&self, parts: &mut Vec<Part>) {
        let Some((at, since)) = self.sources.since else {
            return;
        };
        // A day ends with its last minute.
        let from = self.when(at.saturating_sub(1));
        parts.push(Part::Heading("Last week".into()));
        let [moved, left] = since.headline();
        parts.push(Part::Words(format!("Since {from}: {moved}. {left}.")));
        let sections = since
            .lines
            .iter()
            .filter(|line| line.became != Became::Same);
        let rows = sections.map(|line| {
            vec![
                TextCell::Text(line.row.name().to_owned()),
                TextCell::Text(line.became.word().into()),
                TextCell::text(line.row.title.as_deref()),
                TextCell::Text(line.words(*at, |at| self.when(at))),
            ]
        });
        let headings = ["Run", "Became", "Title", "What changed"];
        parts.push(Part::table("Changes of the last week", headings, rows));
        let not_counted = since
            .not_counted
            .iter()
            .map(|(row, why)| format!("{}, {}", row.name(), why.words(|at| self.when(at))));
        let not_counted = text::join(not_counted, "; ");
        if !not_counted.is_empty() {
            parts.push(Part::Words(format!("Not counted: {not_counted}.")));
        }
    }

    fn list(&self, parts: &mut Vec<Part>) {
        let rows = self.runs().into_iter().map(|(run, earlier)| {
            let sums = run.sums(&self.sources.forecast.done);
            let number = |cases: Option<u64>| TextCell::number(cases.map(text::thousands));
            let results = run.results.as_ref();
            let at = |codes: &[ResultCode]| number(results.and_then(|it| it.exact(codes)));
            let state = match (earlier, run.is_closed()) {
                (true, _) => "earlier round".to_owned(),
                (false, true) => run.status.to_string(),
                (false, false) => format!("{}{}", run.status, self.due_words(run)),
            };
            let with_suites = self.with_suites(run);
            let suites = match (with_suites.known_suites(), with_suites.complete_suites()) {
                (None, _) => TextCell::Unknown,
                (Some((known @ 1.., all)), complete) if known < all || complete.is_some() => {
                    TextCell::Text(format!("{known} of {all} known"))
                }
                // Suites that are not in it now are not named.
                (Some((_, all)), _) => TextCell::Text(all.to_string()),
            };
            let left = sums.map(Sums::left);
            let left = if run.is_closed() {
                TextCell::number(left.map(|left| match left {
                    0 => "0".to_owned(),
                    left => format!("{} not run", text::thousands(left)),
                }))
            } else {
                number(left)
            };
            let mut cells = vec![
                self.named(run),
                TextCell::text(run.title.as_deref()),
                TextCell::text(run.configuration.as_deref()),
                TextCell::Text(state),
                suites,
                number(sums.map(|it| it.total)),
                at(&[ResultCode::Passed]),
                at(&[ResultCode::FailedNew]),
                at(&[ResultCode::FailedKnown]),
                at(&[ResultCode::Blocked]),
                left,
            ];
            if self.sources.with_names {
                cells.push(TextCell::Text(text::join(
                    run.testers.iter().map(|it| &**it),
                    ", ",
                )));
                cells.push(TextCell::text(run.edited_by.as_deref()));
            }
            cells
        });
        let mut headings = vec![
            "Run",
            "Title",
            "Configuration",
            "State",
            "Suites",
            "Cases",
            "Passed",
            "Failed (new)",
            "Failed (known)",
            "Blocked",
            "Left",
        ];
        if self.sources.with_names {
            headings.extend(["Testers", "Edited by"]);
        }
        parts.push(Part::Heading("Runs".into()));
        parts.push(Part::table("Every run of the version", headings, rows));
        let runs = self.sources.runs.iter();
        let times = runs.filter_map(|run| Some(self.sources.attached.get(&run.doc_ref)?.at));
        let words = times.min().map_or_else(
            || "Which suites are in the runs was not worked out here.".to_owned(),
            |from| format!("Known suites were worked out {} or later.", self.when(from)),
        );
        parts.push(Part::Words(words));
    }

    /// Name of a run, with its address if the report has links.
    fn named(&self, run: &RunRow) -> TextCell {
        let name = run.name().to_owned();
        match self.address(run) {
            Some(address) => TextCell::Link(name, address),
            None => TextCell::Text(name),
        }
    }

    fn address(&self, run: &RunRow) -> Option<String> {
        let template = self.sources.links?;
        Some(web_address(template, run.id.as_deref()?))
    }

    /// Due date of an open run if it is not that of the release, and the mark of a late one.
    fn due_words(&self, run: &RunRow) -> String {
        let own = (self.sources.due_of)(run)
            .filter(|at| Some(*at) != self.sources.due)
            .map(|at| format!(", due {}", self.when(at)));
        let late = match (&own, self.facts.is_late(run)) {
            (_, None | Some(false)) => "",
            (Some(_), Some(true)) => ": LATE",
            (None, Some(true)) => ", LATE",
        };
        own.unwrap_or_default() + late
    }

    fn with_suites(&self, run: &RunRow) -> ComparedRun {
        ComparedRun {
            row: run.clone(),
            at: None,
            suites: self.sources.attached.get(&run.doc_ref).cloned(),
        }
    }

    fn suites(&self, parts: &mut Vec<Part>) {
        let Some((suites, range)) = self.sources.in_no_run else {
            return;
        };
        parts.push(Part::Heading("Suites in no open run".into()));
        parts.push(Part::Words(in_none(suites.len(), range) + "."));
        let rows = self.suites_in_no_run().into_iter().flatten().map(|suite| {
            vec![
                TextCell::text(suite.id.as_deref()),
                TextCell::text(suite.title.as_deref()),
                TextCell::text(suite.priority.as_deref()),
                TextCell::number(suite.total_cases),
            ]
        });
        let headings = ["Suite", "Title", "Priority", "Cases"];
        parts.push(Part::table("Suites in no open run", headings, rows));
    }

    /// The suites in no open run in their order; `None` where nothing is known of them.
    fn suites_in_no_run(&self) -> Option<Vec<&SuiteRow>> {
        let known = self.sources.in_no_run;
        let (suites, _) = known.filter(|(_, range)| *range != Range::UNKNOWN)?;
        let mut suites: Vec<_> = suites.iter().collect();
        suites.sort_by(|a, b| a.by_order(b));
        Some(suites)
    }

    fn json(&self) -> Value {
        let (sources, board) = (self.sources, self.board);
        let criteria = self.criteria.iter().map(Judged::json);
        let ready = (!self.criteria.is_empty()).then(|| verdict(self.is_ready));
        let since = sources.since.map(|(at, since)| {
            let lines = since.lines.iter().map(|line| {
                json!({
                    "run": json::names(&line.row), "became": line.became.word(),
                    "left_then": line.then.left, "left_now": line.now.left
                })
            });
            json!({
                "since": json::time(*at), "left_then": since.then.left, "left_now": since.now.left,
                "lines": lines.collect::<Vec<_>>(), "not_counted": since.not_counted.len()
            })
        });
        let suites = self.suites_in_no_run().map(|suites| {
            let suites = suites.into_iter().map(|it| {
                json!({"ref": it.doc_ref, "id": it.id, "title": it.title, "priority": it.priority, "cases": it.total_cases})
            });
            suites.collect::<Vec<_>>()
        });
        let mut members = json!({
            "version": sources.version, "scope": sources.scope,
            "day": self.day("%Y-%m-%d"),
            "last_edit": self.last_edit().and_then(json::time), "due": sources.due.and_then(json::time),
            "ready": ready, "ready_as_of": ready.and(self.read_before()).and_then(json::time), "criteria": criteria.collect::<Vec<_>>(),
            "finish": self.finish.json(), "burn_up": self.chart.map(BurnUp::json), "since": since,
            "runs": self.runs().into_iter().map(|(run, earlier)| self.run(run, earlier)).collect::<Vec<_>>(),
            "suites_in_no_run": suites, "not_read": sources.not_read
        });
        members["finish"]["as_of"] = json!(json::time(self.as_of));
        let runs = sources.runs.iter();
        let runs = runs.map(|run| (&run.doc_ref, run.id.as_deref()));
        board.json_into(&mut members, runs);
        members
    }

    fn run(&self, run: &RunRow, earlier: bool) -> Value {
        let is_wanted = |field: &&'static fields::Field| {
            let is_person =
                ["edited_by", "created_by", "testers", "cases_with_tester"].contains(&field.name);
            field.in_json && field.name != "description" && (self.sources.with_names || !is_person)
        };
        let wanted = fields::ALL.into_iter().filter(is_wanted);
        let mut value = json::fields_of(run, &self.sources.forecast.done, wanted);
        value["is_earlier_round"] = earlier.into();
        value["due"] = json!((self.sources.due_of)(run).and_then(json::time));
        value["is_late"] = json!(self.facts.is_late(run));
        value["attached"] = json!(self.with_suites(run).attached());
        if let Some(address) = self.address(run) {
            value["web"] = address.into();
        }
        value
    }
}
