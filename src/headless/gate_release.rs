//! `rundown gate --version`: conditions on the sums of a release as an exit status.

use std::collections::{BTreeMap, HashMap};

use super::gate::{end, pointed_at};
use super::listing::read;
use super::prelude::*;
use super::sync::{history, state_folder};
use crate::attached::Scope;
use crate::cli::GateOptions;
use crate::domain::query_language::{self, Range};
use crate::domain::release::subprojects_words;
use crate::domain::release::{
    Board, Criterion, Judged, ReleaseFacts, ReleaseSums, readiness, verdict,
};
use crate::domain::{Quiet, Sample};
use crate::forecast::{Finish, SumRun, finish};
use crate::profile::forecast_settings;
use crate::samples::Samples;

/// Maximum number of runs of a version that are read.
const MOST: u64 = 100_000;

/// Checks that the condition of the command line can be parsed.
pub fn check(options: &GateOptions) -> Ran {
    match query_language::criterion(options.expr()) {
        Err(wrong) if !options.criteria => Err(pointed_at("--expr", &wrong)),
        _ => Ok(()),
    }
}

/// Criteria: the condition of the command line, or those of the profile.
fn criteria(options: &GateOptions, profile: &Profile) -> Ran<Vec<Criterion>> {
    if !options.criteria {
        let expr = options.expr().trim().to_owned();
        let name = expr.clone();
        return Ok(vec![Criterion { name, expr }]);
    }
    criteria_of(profile)
}

/// Criteria of the profile, for the option `--criteria`.
pub fn criteria_of(profile: &Profile) -> Ran<Vec<Criterion>> {
    let criteria = profile.watch.release.criteria.clone();
    if criteria.is_empty() {
        let name = text::toml_key(&profile.name);
        return Err(Exit::Usage.because(format!(
            "--criteria: profile {name} has none; expected tables [[profiles.{name}.criteria]] in the config file"
        )));
    }
    Ok(criteria)
}

/// Evaluates the criteria once on the sums of a version.
pub async fn gate(
    access: &mut Access,
    options: &GateOptions,
    profile: &Profile,
    version: &str,
) -> Ran {
    let criteria = criteria(options, profile)?;
    let runs = runs_of(access, profile, version).await?;
    let release = &profile.watch.release;
    let board = Board::of(&runs, &release.kinds, &access.done, false);
    let due = release.due(version, &TimeZone::system());
    let kept = GateSamples::of(profile, &runs, &board);
    let unread = kept.as_ref().err().map(|stop| stop.words.clone());
    let in_no_run = if options.read_suites {
        Some(access.in_no_run(version, &runs).await?)
    } else {
        None
    };
    let in_no_run = in_no_run.map_or(Range::UNKNOWN, |it| it.range(it.suites.len()));
    let (ends, quiet) = match &kept {
        Ok(Some(kept)) => (Some(kept.finish.ends()), kept.quiet.clone()),
        Ok(None) => (Some(HashMap::new()), HashMap::new()),
        Err(_) => Default::default(),
    };
    let facts = ReleaseFacts {
        runs: &runs,
        sums: &board.all,
        done: &access.done,
        due: &|_| due,
        ends: ends.as_ref(),
        quiet: &quiet,
        in_no_run,
        unlisted_as_zero: options.unlisted_as_zero,
        is_complete: true,
        now: now(),
    };
    let judged = facts.judge(&criteria);
    let is_met = readiness(&judged);
    let output = match options.format {
        ChangeFormat::Text => in_words((&profile.place(), version), &board, &facts, &judged),
        ChangeFormat::Json => in_json((&profile.place(), version), &board, &judged),
    };
    let counted = board.counted();
    let is_untold = |run: &&RunRow| {
        counted.contains(&run.doc_ref) && ReleaseSums::of(run, &access.done).without_results > 0
    };
    let untold: Vec<&RunRow> = runs.iter().filter(is_untold).collect();
    let undecided = || {
        Exit::NotDecidable.because(missing(
            &judged,
            due,
            options.read_suites.then_some(board.all.open),
            unread.as_deref(),
            &untold,
        ))
    };
    end(is_met, &output, undecided)
}

/// Forecast and quiet state of the runs, from samples on this machine and the current counts.
struct GateSamples {
    finish: Finish,
    quiet: HashMap<DocRef, Quiet>,
}

impl GateSamples {
    /// `None` if this machine has no samples.
    fn of(profile: &Profile, runs: &[RunRow], board: &Board) -> Ran<Option<Self>> {
        let Some(state) = state_folder().ok().filter(|it| Samples::file(it).exists()) else {
            return Ok(None);
        };
        let (history, settings, at) =
            (history(profile, &state)?, forecast_settings(profile), now());
        let watch = &profile.watch;
        let days = watch
            .hours
            .days_before(at, &settings.zone, watch.quiet_days);
        let counted = board.counted();
        let (mut known, mut quiet) = (Vec::new(), HashMap::new());
        for run in runs {
            let mut samples = history.counts().of(&run.doc_ref, i64::MIN)?;
            Sample::add_reading(&mut samples, run, at);
            let is_quiet = Quiet::of(run, &samples, &watch.done, &days);
            quiet.insert(run.doc_ref.clone(), is_quiet);
            if counted.contains(&run.doc_ref) {
                known.push((SumRun::of(run, &watch.done), samples));
            }
        }
        let finish = finish(&known, at, &settings);
        Ok(Some(Self { finish, quiet }))
    }
}

/// Reads the runs of a version from one list, at least one; other runs that the service returns are dropped.
pub async fn runs_of(access: &mut Access, profile: &Profile, version: &str) -> Ran<Vec<RunRow>> {
    let filter = Filter::of_version(version);
    let wanted = ReadOptions::unsorted(profile.page_size, Extent::All { at_most: MOST });
    let list = read(access, &filter, &wanted, &mut |_, rows| Ok((rows, false))).await?;
    let mut runs = list.entries;
    let release = Scope::of_release(profile.subproject_id.as_deref(), version);
    runs.retain(|run| release.has(run));
    if runs.is_empty() {
        return Err(no_run_of(version, ""));
    }
    Ok(runs)
}

/// The end of a command that found no run of its version; `where_looked` follows, such as ` in the cache`.
pub fn no_run_of(version: &str, where_looked: &str) -> EarlyExit {
    let shown = text::plain(version);
    let words = format!("no run of version {shown} was found{where_looked}");
    Exit::NotDecidable.because(words)
}

/// Text such as `The sum of 13 of 15 runs of 1.2.1 of P_9/SP_1, 12 of them open`, with a line for each criterion.
fn in_words(
    (place, version): (&str, &str),
    board: &Board,
    facts: &ReleaseFacts<'_>,
    judged: &[Judged],
) -> String {
    let (all, version) = (&board.all, text::plain(version));
    let of = text::count(facts.runs.len(), "run");
    let mut lines = vec![format!(
        "The sum of {} of {of} of {version} of {place}, {} of them open",
        text::thousands(all.runs),
        text::thousands(all.open)
    )];
    lines.extend(subprojects_words(
        facts.runs.iter().map(|run| run.subproject.as_deref()),
    ));
    lines.extend(judged.iter().map(|it| {
        let (name, numbers) = (text::plain(&it.name), it.numbers_words());
        format!("{}: {name}: {numbers}", it.word())
    }));
    if by_date_alone(judged) > 0 {
        let why = "by the date alone: not read for long enough here for a forecast";
        lines.push(why.to_owned());
    }
    text::join(lines, "\n") + "\n"
}

fn by_date_alone(judged: &[Judged]) -> usize {
    judged.first().map_or(0, |it| it.by_date_alone)
}

fn in_json((place, version): (&str, &str), board: &Board, judged: &[Judged]) -> String {
    let members = json!({
        "scope": place,
        "version": version,
        "verdict": verdict(readiness(judged)),
        "at": json::time(now()),
        "runs": board.all.runs,
        "runs_open": board.all.open,
        "by_date_alone": by_date_alone(judged),
        "criteria": judged.iter().map(Judged::json).collect::<Vec<Value>>(),
    });
    json::pretty("gate_release", members)
}

/// Message about unknown numbers, with the remedy of each. `lists` is the number of lists of suites that were read for,
/// `unread` the reason why the samples of this machine could not be read, `untold` the counted runs without results.
fn missing(
    judged: &[Judged],
    due: Option<i64>,
    lists: Option<u64>,
    unread: Option<&str>,
    untold: &[&RunRow],
) -> String {
    let unknown = judged
        .iter()
        .filter(|it| it.is_met.is_none())
        .flat_map(|it| &it.numbers)
        .filter(|(_, range)| range.exact().is_none());
    let unknown: BTreeMap<&str, RunCount> =
        unknown.map(|(count, _)| (count.text(), *count)).collect();
    if unknown.is_empty() {
        return "not decidable: the numbers become too large".to_owned();
    }
    let why = |count: RunCount| match count {
        RunCount::RunsLate if due.is_none() => {
            "it needs the date of the release in the config (one typed on a board stays there)"
        }
        RunCount::RunsLate => {
            "a run has no forecast now, or does not tell what is left in it (if the service leaves out results without \
             test cases, --unlisted-as-zero takes them for 0)"
        }
        RunCount::RunsQuiet => "runs were not read here on the days before (rundown sync)",
        RunCount::SuitesInNoRun => match lists {
            None => "--read-suites reads the lists",
            Some(0) => "no run is open",
            Some(_) => {
                "a list was not read, the lists contradict each other, or the runs are of several sub projects"
            }
        },
        _ => {
            "a run does not list it (if the service leaves out results without test cases, --unlisted-as-zero takes \
             them for 0)"
        }
    };
    let without_results = |count: RunCount| {
        let of = untold
            .iter()
            .filter(|run| ReleaseSums::has_cases_of(count, run.is_closed()));
        let names: Vec<&str> = of.map(|run| run.name()).collect();
        let is_sum = !matches!(
            count,
            RunCount::RunsLate | RunCount::RunsQuiet | RunCount::SuitesInNoRun
        );
        (is_sum && !names.is_empty())
            .then(|| format!("the service tells no results of {}", text::few(&names)))
    };
    let unknown = unknown.into_iter();
    let remedies = unknown.map(|(name, count)| {
        let of_kept = matches!(count, RunCount::RunsLate | RunCount::RunsQuiet);
        let unread = unread
            .filter(|_| of_kept && (due.is_some() || count != RunCount::RunsLate))
            .map(|why| format!("the counts kept here could not be read: {why}"));
        let why = unread
            .or_else(|| without_results(count))
            .unwrap_or_else(|| why(count).to_owned());
        format!("{name} not known: {why}")
    });
    format!("not decidable: {}", text::join(remedies, "; "))
}
