//! `rundown gate --version`: conditions on the sums of a release as an exit status.

use jiff::tz::TimeZone;
use serde_json::{Value, json};

use super::gate::{GateResult, pointed_at};
use super::listing::read;
use super::{Access, EarlyExit, Exit, names, print};
use crate::attached::Scope;
use crate::cli::{ChangeFormat, GateOptions};
use crate::config::Profile;
use crate::domain::fields::VERSION;
use crate::domain::query_language::{self, RunCount, by_name};
use crate::domain::release::{Board, Criterion, Judged, late, readiness};
use crate::domain::{Extent, Filter, ReadOptions, RunRow, json, text};
use crate::ops::now;

/// Runs of a version that are read at most.
const MOST: u64 = 100_000;

/// Looks whether the condition of the command line can be read.
pub fn check(options: &GateOptions) -> Result<(), EarlyExit> {
    let read = query_language::criterion(options.expr());
    let is_asked = !options.criteria;
    read.map(drop).or_else(|wrong| {
        if is_asked {
            Err(pointed_at("--expr", &wrong))
        } else {
            Ok(())
        }
    })
}

/// What is to be met: the condition of the command line, or those of the profile.
fn criteria(options: &GateOptions, profile: &Profile) -> Result<Vec<Criterion>, EarlyExit> {
    if !options.criteria {
        let expr = options.expr().trim().to_owned();
        let name = expr.clone();
        return Ok(vec![Criterion { name, expr }]);
    }
    let criteria = profile.watch.release.criteria.clone();
    if criteria.is_empty() {
        let name = &profile.name;
        return Err(Exit::Usage.because(format!(
            "--criteria: profile {name} has none; expected tables [[profiles.{name}.criteria]] in the config file"
        )));
    }
    Ok(criteria)
}

/// Looks once whether the criteria are met by the sum of the runs of a version.
pub async fn gate(
    access: &mut Access,
    options: &GateOptions,
    profile: &Profile,
    version: &str,
) -> Result<(), EarlyExit> {
    let criteria = criteria(options, profile)?;
    let runs = runs_of(access, profile, version).await?;
    if runs.is_empty() {
        let shown = text::plain(version);
        return Err(Exit::NotDecidable.because(format!("no run of version {shown} was found")));
    }
    let release = &profile.watch.release;
    let board = Board::of(&runs, &release.kinds, &access.done);
    let due = release.due(version, &TimeZone::system());
    let number = |count| match count {
        RunCount::RunsLate => late(&runs, &|_| due, &|_| None, &access.done, now()),
        count => board
            .all
            .number(count, &access.done, options.unlisted_as_zero),
    };
    let judged = criteria.iter().filter_map(|it| it.judge(&number));
    let judged: Vec<Judged> = judged.collect();
    let verdict = GateResult::of(readiness(&judged));
    let told = match options.format {
        ChangeFormat::Text => in_words(version, &board, runs.len(), &judged),
        ChangeFormat::Json => in_json(version, &board, &runs, &judged, verdict),
    };
    match print(&told) {
        // That nobody reads the words changes nothing about the exit status.
        Err(stop) if stop.exit != Exit::Fine => return Err(stop),
        _ => {}
    }
    match verdict {
        GateResult::Passed => Ok(()),
        GateResult::Failed => Exit::Failed.with(""),
        _ => Err(Exit::NotDecidable.because(missing(&judged))),
    }
}

/// The runs of the version by one list. What the service brings besides is left out.
pub async fn runs_of(
    access: &mut Access,
    profile: &Profile,
    version: &str,
) -> Result<Vec<RunRow>, EarlyExit> {
    let filter = Filter {
        filters: vec![format!("{}:{version}", VERSION.path)],
        ..Filter::default()
    };
    let wanted = ReadOptions {
        page_size: profile.page_size,
        sort: Vec::new(),
        may_leave_sort: true,
        extent: Extent::All { at_most: MOST },
    };
    let list = read(access, &filter, &wanted, &mut |_, rows| Ok((rows, false))).await?;
    let mut runs = list.entries;
    let release = Scope::of_release(profile.subproject_id.as_deref(), version);
    runs.retain(|run| release.has(run));
    Ok(runs)
}

/// `The sum of 13 of 15 runs of 1.2.1, 12 of them open`, and a line for each criterion.
fn in_words(version: &str, board: &Board, of: usize, judged: &[Judged]) -> String {
    let (all, version) = (&board.all, text::plain(version));
    let runs = text::count(of, "run");
    let mut lines = vec![format!(
        "The sum of {} of {runs} of {version}, {} of them open",
        all.runs, all.open
    )];
    lines.extend(judged.iter().map(|it| {
        let word = match it.is_met {
            Some(true) => "met",
            Some(false) => "not met",
            None => "not known",
        };
        let numbers = it.numbers.iter();
        let numbers = numbers.map(|(count, range)| format!("{} is {range}", count.text()));
        let numbers = text::join(numbers, ", ");
        format!("{word}: {}: {numbers}", text::plain(&it.name))
    }));
    text::join(lines, "\n") + "\n"
}

fn in_json(
    version: &str,
    board: &Board,
    runs: &[RunRow],
    judged: &[Judged],
    verdict: GateResult,
) -> String {
    let earlier = |run: &&RunRow| board.earlier.iter().any(|it| it.run == run.doc_ref);
    let criterion = |it: &Judged| {
        json!({
            "name": it.name,
            "expr": it.expr,
            "verdict": GateResult::of(it.is_met),
            "counts": by_name(&it.numbers),
        })
    };
    let members = json!({
        "version": version,
        "verdict": verdict,
        "at": json::time(now()),
        "runs": board.all.runs,
        "runs_open": board.all.open,
        "earlier_rounds": runs.iter().filter(earlier).map(names).collect::<Vec<Value>>(),
        "criteria": judged.iter().map(criterion).collect::<Vec<Value>>(),
    });
    json::whole("gate_release", members)
}

/// Which numbers are not known, and what helps.
fn missing(judged: &[Judged]) -> String {
    let unknown = judged.iter().filter(|it| it.is_met.is_none());
    let unknown = unknown.flat_map(|it| &it.numbers);
    let unknown = unknown.filter(|(_, range)| range.exact().is_none());
    let mut names: Vec<&str> = unknown.map(|(count, _)| count.text()).collect();
    names.sort_unstable();
    names.dedup();
    format!(
        "not decidable: {} not known, because a run does not tell it. If the service leaves out results without test \
         cases, --unlisted-as-zero takes them for 0; runs_late needs the date of the release in the config",
        text::join(names, ", ")
    )
}
