//! Changes since a moment: the state of runs then and now, in lines that add up.

use super::prelude::*;
use std::ops::AddAssign;

use super::text::{self, thousands};
use super::{Cases, Quiet, Sample, Summary, json};

/// Minimum number of uncounted runs to show their number, too.
const MANY: usize = 4;

/// Maximum number of uncounted runs to name for each reason.
const NAMED: usize = 6;

/// Codes in the order in which their counts are shown: bad ones first.
const SHOWN: [usize; 12] = [4, 5, 2, 7, 8, 1, 3, 6, 9, 10, 0, 11];

/// Cases of a run, or of several added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CaseCounts {
    pub cases: Cases,
    /// Unfinished cases of open runs.
    pub left: u64,
}

/// Parts of the change of the cases left (below 0: fewer), which add up to the difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LeftParts(pub [i64; PARTS.len()]);

/// Additional finished cases: these are fewer left.
const DONE: usize = 0;
/// Cases of new runs.
const NEW: usize = 1;
/// Other cases added to runs or removed from them.
const CAME: usize = 2;
/// Cases of suites added or removed by this program.
const OWN: usize = 3;
/// Cases of runs that were closed or reopened.
const CLOSED: usize = 4;
/// Cases of runs that are not found.
const GONE: usize = 5;

/// Known data of a run.
#[derive(Clone)]
pub struct RunKnown {
    pub row: RunRow,
    /// Time of the last reading of the counts, epoch milliseconds.
    pub counted_at: Option<i64>,
    /// Time since which the run is not found, if so, epoch milliseconds.
    pub gone_since: Option<i64>,
    /// Time of its deletion by this program, epoch milliseconds.
    pub deleted_at: Option<i64>,
    /// Newest reading before the moment, not of a closed run of which it is not known whether it was open.
    pub then: Option<Sample>,
    /// Open at the moment, or that is not known.
    pub was_open: bool,
    /// Cases added (below 0: removed) since then by changes of suites of this program.
    pub own: i64,
    pub quiet: Quiet,
}

/// Development of a run, the worst first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Became {
    /// More cases failed or are blocked.
    Worse,
    /// Fewer cases are done, and fewer have a result: results went with suites, or were taken back.
    Lost,
    /// Fewer cases passed, or the run was opened again.
    Back,
    /// Fewer cases failed or are blocked, and not more of either.
    Better,
    /// Closed, or no cases left.
    Done,
    New,
    /// Cases came, and not more are done.
    Grew,
    /// Cases went, and not more are done.
    Shrank,
    Quiet,
    Gone,
    /// Other counts changed.
    Progress,
    Same,
}

/// Counted run.
#[derive(Clone, Debug, PartialEq)]
pub struct SinceLine {
    pub row: RunRow,
    pub became: Became,
    pub then: CaseCounts,
    pub now: CaseCounts,
    pub left: LeftParts,
    /// Time of `then`, epoch milliseconds; `None` for a new run.
    pub then_at: Option<i64>,
    /// Time since which a quiet run has not changed, or a lost one is not found, epoch milliseconds.
    pub since: Option<i64>,
    /// Time of the deletion by this program, epoch milliseconds.
    pub deleted_at: Option<i64>,
    /// `true` if it was closed, `false` if it was reopened.
    pub closed: Option<bool>,
}

/// Reason that a run is not counted. Times are epoch milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NotCounted {
    /// Created before the moment, but first counted after it: not read, without results, or closed until then; or closed
    /// by now, and what was read up to the moment is not kept any more.
    NotReadBefore,
    /// The newest reading before the moment is too old, or a later list does not have the run, which does not prove that it
    /// is gone. Time of its last reading.
    LastRead(i64),
    /// Not read since the moment, which may be to come. The same time.
    NotReadSince(i64),
    /// The service did not send all counts.
    NoCounts,
}

/// Run that is not counted.
pub type Uncounted = (RunRow, NotCounted);

/// Changes since a moment: `then` with `moved`, without `gone`, is `now`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Since {
    pub lines: Vec<SinceLine>,
    pub not_counted: Vec<Uncounted>,
    pub then: CaseCounts,
    pub now: CaseCounts,
    /// Changes of cases by result, of runs that exist.
    pub moved: [i64; ResultCode::ALL.len() + 1],
    /// Last cases of runs that are not found.
    pub gone: Cases,
    pub left: LeftParts,
    /// Time of the oldest counts in `now`, epoch milliseconds.
    pub counted_at: Option<i64>,
}

impl AddAssign for CaseCounts {
    fn add_assign(&mut self, other: Self) {
        self.cases += other.cases;
        self.left = self.left.saturating_add(other.left);
    }
}

impl LeftParts {
    /// Returns the change of the cases left.
    pub fn sum(&self) -> i64 {
        let more = self.0[NEW..].iter();
        more.fold(0_i64, |sum, part| sum.saturating_add(*part))
            .saturating_sub(self.0[DONE])
    }
}

impl AddAssign for LeftParts {
    fn add_assign(&mut self, other: Self) {
        for (part, more) in self.0.iter_mut().zip(other.0) {
            *part = part.saturating_add(more);
        }
    }
}

/// Returns the difference.
fn more(then: u64, now: u64) -> i64 {
    let number = |cases: u64| i64::try_from(cases).unwrap_or(i64::MAX);
    number(now).saturating_sub(number(then))
}

impl CaseCounts {
    fn of(cases: Cases, is_open: bool, done: &[ResultCode]) -> Self {
        let left = cases.total().saturating_sub(cases.at(done));
        let left = if is_open { left } else { 0 };
        Self { cases, left }
    }
}

impl Since {
    /// Compares the runs. Each that was open at the moment (epoch milliseconds) or is open now has a line or is not
    /// counted. `done` are the results of finished cases, `is_old` returns `true` if a reading before the moment is too
    /// old.
    pub fn of(
        moment: i64,
        runs: impl IntoIterator<Item = RunKnown>,
        done: &[ResultCode],
        is_old: impl Fn(i64) -> bool,
    ) -> Self {
        let mut since = Self::default();
        for run in runs {
            let is_open = run.gone_since.is_none() && !run.row.is_closed();
            let was_there = run.then.is_some() || !run.row.is_made_since(moment);
            let was_open = run.was_open && was_there;
            if !(is_open || was_open) {
                continue;
            }
            let row = run.row.clone();
            let counted_at = run.counted_at.filter(|_| run.gone_since.is_none());
            match line(moment, run, is_open, done, &is_old) {
                Ok(line) => {
                    let oldest = since.counted_at.into_iter().chain(counted_at).min();
                    since.counted_at = oldest;
                    since.add(line);
                }
                Err(why) => since.not_counted.push((row, why)),
            }
        }
        let failed = |line: &SinceLine| {
            let of = |standing: &CaseCounts| standing.cases.at(ResultCode::FAILED);
            more(of(&line.now), of(&line.then))
        };
        since
            .lines
            .sort_by_key(|line| (line.became, failed(line), line.row.doc_ref.clone()));
        since
    }

    /// Adds runs to those that are not counted, and sorts these: by reason, `R_2` before `R_10`.
    #[must_use]
    pub fn without(mut self, others: impl IntoIterator<Item = Uncounted>) -> Self {
        self.not_counted.extend(others);
        self.not_counted.sort_by_cached_key(|(row, why)| {
            let name = row.name();
            (*why, name.len(), name.to_owned())
        });
        self
    }

    fn add(&mut self, line: SinceLine) {
        self.then += line.then;
        self.now += line.now;
        self.left += line.left;
        if line.became == Became::Gone {
            self.gone += line.then.cases;
        } else {
            let cases = line.then.cases.0.into_iter().zip(line.now.cases.0);
            for (moved, (then, now)) in self.moved.iter_mut().zip(cases) {
                *moved = moved.saturating_add(more(then, now));
            }
        }
        self.lines.push(line);
    }

    /// Returns the number of runs that changed, without those that are gone.
    fn runs_moved(&self) -> usize {
        let still = |became| matches!(became, Became::Same | Became::Quiet | Became::Gone);
        let moved = |line: &&SinceLine| !still(line.became);
        self.lines.iter().filter(moved).count()
    }
}

fn line(
    moment: i64,
    run: RunKnown,
    is_open: bool,
    done: &[ResultCode],
    is_old: impl Fn(i64) -> bool,
) -> Result<SinceLine, NotCounted> {
    let then = run.then.as_ref();
    let then = then.and_then(|then| Some((then, then.counts.as_ref()?.cases()?)));
    let (then_at, was_open, cases) = match then {
        Some((then, cases)) => {
            let at = then.seen_until.min(moment.saturating_sub(1));
            if is_old(at) && (run.row.results.is_some() || run.gone_since.is_some()) {
                return Err(NotCounted::LastRead(at));
            }
            (Some(at), run.was_open, cases)
        }
        // A run created since had no cases then.
        None if run.row.is_made_since(moment) => (None, is_open, Cases::default()),
        None => return Err(NotCounted::NotReadBefore),
    };
    let mut out = SinceLine {
        became: Became::Gone,
        then: CaseCounts::of(cases, was_open, done),
        now: CaseCounts::default(),
        left: LeftParts::default(),
        then_at,
        since: run.gone_since,
        deleted_at: run.deleted_at,
        closed: None,
        row: run.row,
    };
    if run.gone_since.is_some() {
        out.left.0[GONE] = more(out.then.left, 0);
        return Ok(out);
    }
    let counts = out.row.results.as_ref().and_then(ResultCounts::cases);
    let (Some(counts), Some(counted_at)) = (counts, run.counted_at) else {
        return Err(NotCounted::NoCounts);
    };
    if counted_at < moment {
        return Err(NotCounted::NotReadSince(counted_at));
    }
    out.now = CaseCounts::of(counts, is_open, done);
    out.closed = (was_open != is_open).then_some(!is_open);
    let (before, after) = (&out.then.cases, &out.now.cases);
    let added = more(before.total(), after.total()).saturating_sub(run.own);
    out.left.0[DONE] = more(before.at(done), after.at(done));
    out.left.0[OWN] = run.own;
    out.left.0[if then_at.is_none() { NEW } else { CAME }] = added;
    out.left.0[CLOSED] = more(out.then.left, out.now.left).saturating_sub(out.left.sum());
    out.became = became(&out);
    if let (Became::Same, Quiet::Since(at)) = (out.became, run.quiet) {
        (out.became, out.since) = (Became::Quiet, Some(at));
    }
    Ok(out)
}

fn became(line: &SinceLine) -> Became {
    let bad = [
        &[ResultCode::FailedNew],
        ResultCode::FAILED,
        ResultCode::BLOCKED,
    ];
    let passed = [&line.then, &line.now].map(|it| it.cases.at(&[ResultCode::Passed]));
    let passed = more(passed[0], passed[1]);
    let moves = bad.map(|codes| more(line.then.cases.at(codes), line.now.cases.at(codes)));
    let cases = more(line.then.cases.total(), line.now.cases.total());
    match () {
        () if line.then_at.is_none() => Became::New,
        () if moves.iter().any(|more| *more > 0) => Became::Worse,
        () if line.left.0[DONE] < 0 && with_result(&line.now) < with_result(&line.then) => {
            Became::Lost
        }
        () if line.closed == Some(true) || line.then.left > 0 && line.now.left == 0 => Became::Done,
        () if passed < 0 || line.closed == Some(false) => Became::Back,
        // What went with its cases did not become better.
        () if line.left.0[DONE] <= 0 && cases < 0 => Became::Shrank,
        () if moves.iter().any(|more| *more < 0) => Became::Better,
        () if line.left.0[DONE] <= 0 && cases > 0 => Became::Grew,
        () if line.then != line.now || line.closed.is_some() => Became::Progress,
        () => Became::Same,
    }
}

/// Returns the number of cases with a result.
fn with_result(standing: &CaseCounts) -> u64 {
    let untested = standing.cases.at(&[ResultCode::Untested]);
    standing.cases.total().saturating_sub(untested)
}

impl Became {
    /// Returns the word before a line.
    pub fn word(self) -> &'static str {
        match self {
            Self::Worse => "worse",
            Self::Lost => "lost",
            Self::Back => "back",
            Self::Better => "better",
            Self::Done => "done",
            Self::New => "new",
            Self::Grew => "grew",
            Self::Shrank => "shrank",
            Self::Quiet => "quiet",
            Self::Gone => "gone",
            Self::Progress => "progress",
            Self::Same => "same",
        }
    }
}

/// Returns index, label in words and name of each result, in the order in which they are shown.
pub fn shown_results() -> impl Iterator<Item = (usize, String, &'static str)> {
    SHOWN.into_iter().map(|place| {
        let code = ResultCode::ALL.get(place);
        let names = code.map(|code| (code.in_words(), code.name()));
        let (label, name) = names.unwrap_or_else(|| ("other results".to_owned(), "others"));
        (place, label, name)
    })
}

/// Returns the cases added (below 0: removed) between readings of a run with changes of suites by this program in
/// between; `writes` are their times, epoch milliseconds.
pub fn own_cases(samples: &[Sample], writes: &[i64]) -> i64 {
    let pairs = samples.windows(2).filter_map(|pair| {
        let is_own = |at: &i64| (pair[0].seen_until..=pair[1].at).contains(at);
        let (then, now) = (pair[0].total()?, pair[1].total()?);
        Some(more(then, now)).filter(|_| writes.iter().any(is_own))
    });
    pairs.fold(0, i64::saturating_add)
}

/// `7 failed (new)`, `12 fewer blocked`; `None` if none changed.
fn moves(number: i64, what: &str) -> Option<String> {
    let fewer = if number < 0 { " fewer" } else { "" };
    let words = || format!("{}{fewer} {what}", thousands(number.unsigned_abs()));
    (number != 0).then(words)
}

/// Each part: its name in JSON, and the words for cases left that became more and fewer.
const PARTS: [(&str, [&str; 2]); 6] = [
    ("done", ["done since", "fewer done"]),
    ("new", ["came with new runs", "fewer in new runs"]),
    ("came", ["came", "went"]),
    (
        "own",
        [
            "came by own adding and removing",
            "went by own adding and removing",
        ],
    ),
    ("closed", ["in runs opened again", "not run in closed runs"]),
    (
        "gone",
        ["more in runs not found", "went with runs not found"],
    ),
];

impl Since {
    /// Returns true if there are runs, and none of them is counted.
    fn is_unknown(&self) -> bool {
        self.lines.is_empty() && !self.not_counted.is_empty()
    }

    /// Returns the runs that changed with their counts, and the cases left with the reasons.
    pub fn headline(&self) -> [String; 2] {
        if self.is_unknown() {
            let runs = count(self.not_counted.len(), "run");
            return [
                format!("0 of {runs} counted: what moved is not known"),
                "What is left is not known".into(),
            ];
        }
        let moved =
            shown_results().filter_map(|(place, label, _)| moves(self.moved[place], &label));
        let of = count(self.lines.len(), "run");
        // Of few runs the numbers say little of all.
        let (without, of_which) = match self.not_counted.len() {
            not_counted if not_counted > self.lines.len() => (
                format!(", {} not counted", thousands(not_counted)),
                " in those counted",
            ),
            _ => (String::new(), ""),
        };
        let with = |words: String, parts: Vec<String>| {
            let colon = if parts.is_empty() { "" } else { ": " };
            format!("{words}{colon}{}", parts.join(", "))
        };
        // Added and removed cases are both shown, of all runs.
        let parts = PARTS
            .into_iter()
            .enumerate()
            .flat_map(|(part, (_, words))| {
                let of_runs = || self.lines.iter().map(|line| line.left.0[part]);
                let sum = |is_wanted: fn(&i64) -> bool| {
                    of_runs().filter(is_wanted).fold(0, i64::saturating_add)
                };
                let (more, fewer) = (sum(|it| *it > 0), sum(|it| *it < 0));
                let said = [more, fewer].into_iter().zip(words);
                said.filter(|(number, _)| *number != 0)
            });
        let parts =
            parts.map(|(number, words)| format!("{} {words}", thousands(number.unsigned_abs())));
        [
            with(
                format!("{} of {of} moved{without}", thousands(self.runs_moved())),
                moved.collect(),
            ),
            with(
                format!("{} left{of_which}", thousands(self.now.left)),
                parts.collect(),
            ),
        ]
    }
}

impl SinceLine {
    /// Returns all changes: `failed (new) 0 → 6, 14 → 0 left, closed`. `when` formats a time; that of the reading is
    /// added if it is more than 2 hours before the moment.
    pub fn words(&self, moment: i64, when: impl Fn(i64) -> String) -> String {
        let (then, now) = (&self.then, &self.now);
        let moved = shown_results().filter_map(|(place, label, _)| {
            let (then, now) = (then.cases.0[place], now.cases.0[place]);
            (then != now).then(|| format!("{label} {} → {}", thousands(then), thousands(now)))
        });
        let left = |number: u64| format!("{} left", thousands(number));
        let since = self.since.map(&when).unwrap_or_default();
        let mut words: Vec<String> = match self.became {
            Became::Gone => {
                let deleted = self.deleted_at.map(|at| format!("deleted {}", when(at)));
                let gone = deleted.unwrap_or_else(|| format!("not found since {since}"));
                vec![gone, left(then.left)]
            }
            Became::Quiet => vec![format!("no result since {since}"), left(now.left)],
            Became::New => {
                let cases = count(now.cases.total(), "case");
                let suites = self.row.suite_count.map(|suites| count(suites, "suite"));
                let suites = suites.map_or_else(String::new, |suites| format!(" in {suites}"));
                let other = now.cases.total() != now.left;
                let left = other.then(|| left(now.left));
                let results = shown_results().filter(|(place, ..)| now.cases.0[*place] > 0);
                let untested = ResultCode::Untested as usize - 1;
                let results = results.filter(|(place, ..)| *place != untested);
                let results = results.map(|(place, label, _)| {
                    format!("{} {}", thousands(now.cases.0[place]), label)
                });
                let mut words = vec![format!("{cases}{suites}")];
                words.extend(left.into_iter().chain(results));
                words
            }
            _ => {
                let [before, after] = [then.cases.total(), now.cases.total()];
                let cases = || format!("{} → {}", thousands(before), count(after, "case"));
                let cases = (before != after).then(cases);
                let left = || format!("{} → {}", thousands(then.left), left(now.left));
                let left = (then.left != now.left).then(left);
                moved.chain(cases).chain(left).collect()
            }
        };
        let closed = self
            .closed
            .map(|closed| if closed { "closed" } else { "opened again" });
        words.extend(closed.map(str::to_owned));
        let early = self
            .then_at
            .filter(|at| moment.saturating_sub(*at) > Sample::GAP);
        words.extend(early.map(|at| format!("as read {}", when(at))));
        words.join(", ")
    }
}

impl CaseCounts {
    fn json(&self) -> Value {
        json!({"left": self.left, "cases": by_name(|place| json!(self.cases.0[place]))})
    }
}

impl LeftParts {
    fn json(&self) -> Value {
        let parts = PARTS.iter().zip(self.0);
        let parts = parts.map(|((name, _), cases)| ((*name).to_owned(), json!(cases)));
        Value::Object(parts.collect())
    }
}

fn by_name(of: impl Fn(usize) -> Value) -> Map<String, Value> {
    shown_results()
        .map(|(place, _, name)| (name.to_owned(), of(place)))
        .collect()
}

impl Since {
    /// Returns all changes since a moment (epoch milliseconds), in the scope of a profile. `when` formats a time.
    pub fn summary(
        &self,
        moment: i64,
        scope: &str,
        version: Option<&str>,
        when: impl Fn(i64) -> String,
    ) -> Summary {
        let of = version.map_or_else(
            || scope.to_owned(),
            |version| format!("{version} of {scope}"),
        );
        // Midnight is shown as the last minute of the day before.
        let from = when(moment.saturating_sub(1));
        let [moved, left] = self.headline();
        let shown = self.lines.iter().filter(|line| line.became != Became::Same);
        let rows = shown.map(|line| {
            vec![
                TextCell::Text(line.became.word().to_uppercase()),
                TextCell::Text(line.row.name().into()),
                TextCell::text(line.row.title.as_deref()),
                TextCell::Text(line.words(moment, &when)),
            ]
        });
        Summary {
            name: format!("what changed since {from}"),
            file: "changes",
            head: vec![format!("Since {from}, {of}"), moved, left],
            table: TextTable::new(["Became", "Run", "Title", "What changed"], rows),
            foot: self.not_counted_words(&when).into_iter().collect(),
            json: self.json(moment, scope, version),
        }
    }

    /// Returns the runs that are not counted by reason, the first of each by name; `None` if all are counted.
    pub fn not_counted_words(&self, when: impl Fn(i64) -> String) -> Option<String> {
        let words = |why: NotCounted| why.words(&when);
        let groups = self
            .not_counted
            .chunk_by(|one, other| words(one.1) == words(other.1));
        let said = groups.map(|group| {
            let more = group.len().saturating_sub(NAMED);
            // A single one takes no more room by its name.
            let named = if more > 1 { NAMED } else { group.len() };
            let runs = text::join(group[..named].iter().map(|it| it.0.name()), ", ");
            let why = words(group[0].1);
            match more {
                0 | 1 => format!("{runs}, {why}"),
                more => format!("{runs} and {} more, {why}", thousands(more)),
            }
        });
        let said = text::join(said, "; ");
        let many = match self.not_counted.len() {
            ..MANY => String::new(),
            many => format!("{} runs: ", thousands(many)),
        };
        (!said.is_empty()).then(|| format!("Not counted: {many}{said}"))
    }

    fn json(&self, moment: i64, scope: &str, version: Option<&str>) -> String {
        let lines = self.lines.iter().map(|line| {
            json!({
                "run": json::names(&line.row), "title": line.row.title, "became": line.became.word(),
                "read_at": line.then_at.and_then(json::time), "since": line.since.and_then(json::time),
                "closed": line.closed, "then": line.then.json(), "now": line.now.json(), "left": line.left.json()
            })
        });
        let not_counted = self.not_counted.iter().map(|(row, why)| {
            let read_at = why.read_at().and_then(json::time);
            json!({"run": json::names(row), "title": row.title, "why": why.name(), "read_at": read_at})
        });
        let is_known = !self.is_unknown();
        let known = |standing: &CaseCounts| is_known.then(|| standing.json());
        let members = json!({
            "since": json::time(moment), "counted_at": self.counted_at.and_then(json::time), "scope": scope, "version": version, "runs": self.lines.len(), "moved_runs": self.runs_moved(),
            "then": known(&self.then), "moved": is_known.then(|| by_name(|place| json!(self.moved[place]))),
            "gone": is_known.then(|| by_name(|place| json!(self.gone.0[place]))), "left": is_known.then(|| self.left.json()), "now": known(&self.now),
            "lines": lines.collect::<Vec<_>>(), "not_counted": not_counted.collect::<Vec<_>>()
        });
        json::pretty("since", members)
    }
}

impl NotCounted {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NotReadBefore => "not_read_before",
            Self::LastRead(_) | Self::NotReadSince(_) => "last_read",
            Self::NoCounts => "no_counts",
        }
    }

    /// Returns the time of the last reading, epoch milliseconds.
    fn read_at(self) -> Option<i64> {
        match self {
            Self::LastRead(at) | Self::NotReadSince(at) => Some(at),
            Self::NotReadBefore | Self::NoCounts => None,
        }
    }

    /// `last read Wed 12:10`; `when` formats a time.
    pub fn words(self, when: impl Fn(i64) -> String) -> String {
        match self {
            Self::NotReadBefore => "no counts of before".into(),
            Self::LastRead(at) | Self::NotReadSince(at) => format!("last read {}", when(at)),
            Self::NoCounts => "without results".into(),
        }
    }
}
