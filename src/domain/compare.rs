//! Runs side by side: their counts, fields that differ, and suites that are only in some.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::table::{Cell, Table};
use super::text::{count, thousands};
use super::{Cases, DocRef, ResultCode, RunRow, Status, Summary, json};

/// A suite that was in a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct KeptSuite {
    pub suite: DocRef,
    pub id: Option<String>,
    pub title: Option<String>,
    pub cases: Option<i64>,
}

/// Suites in a run, as they were computed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptSuites {
    /// Time of the computation, epoch milliseconds.
    pub at: i64,
    /// The list is complete.
    pub is_whole: bool,
    /// Number of suites.
    pub count: Option<u64>,
    /// Suites that are certain.
    pub suites: Vec<KeptSuite>,
}

/// A run at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedRun {
    /// Row of the last reading.
    pub row: RunRow,
    /// Time of the state, epoch milliseconds; `None` for the last reading.
    pub at: Option<i64>,
    /// Counts at that time.
    pub cases: Option<Cases>,
    /// Number of suites at that time.
    pub suite_count: Option<i64>,
    /// Newest known suites at that time.
    pub suites: Option<KeptSuites>,
}

/// Values of a row, one for each run; `None` if not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedValues {
    Texts(Vec<Option<String>>),
    /// Cases; `true` to show their share of the cases of the run.
    Numbers(Vec<Option<u64>>, bool),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ComparedRow {
    pub label: &'static str,
    pub values: ComparedValues,
}

/// A suite that is in some of the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InSome {
    /// By index of the run.
    pub is_in: Vec<bool>,
    pub name: String,
    pub cases: Option<i64>,
}

/// Comparison of the suites of the runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ComparedSuites {
    InSome {
        suites: Vec<InSome>,
        /// The runs are of several versions: suites are compared by title.
        by_title: bool,
        /// Suites without a title of their own, which are not compared.
        doubled: usize,
    },
    /// Indexes of the runs whose suites are not all known.
    NotKnown(Vec<usize>),
}

/// Runs side by side.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    pub runs: Vec<ComparedRun>,
    pub rows: Vec<ComparedRow>,
    pub suites: ComparedSuites,
}

fn differ<T: PartialEq>(values: &[Option<T>]) -> bool {
    let mut known = values.iter().flatten();
    let first = known.next();
    known.any(|value| Some(value) != first)
}

impl ComparedRow {
    /// Returns `true` if known values differ.
    pub fn differs(&self) -> bool {
        match &self.values {
            ComparedValues::Texts(texts) => differ(texts),
            ComparedValues::Numbers(numbers, _) => differ(numbers),
        }
    }

    /// Returns the difference between the last two runs.
    pub fn last_two(&self) -> Option<i64> {
        match &self.values {
            ComparedValues::Numbers(numbers, _) => match numbers[..] {
                [.., Some(before), Some(last)] => {
                    Some(i64::try_from(last).ok()? - i64::try_from(before).ok()?)
                }
                _ => None,
            },
            ComparedValues::Texts(_) => None,
        }
    }
}

impl ComparedRun {
    /// Returns the suites, if all of that time are known.
    fn whole(&self) -> Option<&KeptSuites> {
        let kept = self.suites.as_ref().filter(|kept| kept.is_whole)?;
        let is_so = |count: i64| u64::try_from(count).is_ok_and(|count| kept.count == Some(count));
        self.suite_count.is_none_or(is_so).then_some(kept)
    }
}

impl Comparison {
    /// `done` are the results of finished cases.
    pub fn of(runs: Vec<ComparedRun>, done: &[ResultCode]) -> Self {
        let text = |label, of: &dyn Fn(&RunRow) -> Option<String>| {
            // Earlier values of fields are not kept.
            let of = |run: &ComparedRun| run.at.is_none().then(|| of(&run.row).unwrap_or_default());
            ComparedRow {
                label,
                values: ComparedValues::Texts(runs.iter().map(of).collect()),
            }
        };
        let number = |label, has_share, of: &dyn Fn(&Cases) -> u64| ComparedRow {
            label,
            values: ComparedValues::Numbers(
                runs.iter().map(|run| run.cases.as_ref().map(of)).collect(),
                has_share,
            ),
        };
        let total = |cases: &Cases| cases.iter().copied().fold(0, u64::saturating_add);
        let finished = |cases: &Cases| {
            let codes = done.iter().map(|code| cases[*code as usize - 1]);
            codes.fold(0, u64::saturating_add)
        };
        let status = |row: &RunRow| {
            let closed = row.status == Status::Inactive;
            Some(if closed { "closed" } else { "open" }.to_owned())
        };
        let mut rows = vec![
            text("Title", &|row| row.title.clone()),
            text("Version", &|row| row.version.clone()),
            text("Configuration", &|row| row.configuration.clone()),
            text("Status", &status),
            number("Cases", false, &total),
        ];
        let codes = ResultCode::ALL.into_iter();
        let codes = codes.map(|code| {
            let at = move |cases: &Cases| cases[code as usize - 1];
            number(code.label(), true, &at)
        });
        let is_any = |row: &ComparedRow| match &row.values {
            ComparedValues::Numbers(numbers, _) => numbers.iter().flatten().any(|it| *it > 0),
            ComparedValues::Texts(_) => true,
        };
        rows.extend(codes.filter(is_any));
        rows.push(number("Done", true, &finished));
        // Cases left in a closed run were not run.
        let left = |label, of_closed: bool| {
            let left = |run: &ComparedRun| {
                let is_it = (run.row.status == Status::Inactive) == of_closed;
                let left = |cases: &Cases| total(cases).saturating_sub(finished(cases));
                run.cases
                    .as_ref()
                    .map(|cases| if is_it { left(cases) } else { 0 })
            };
            ComparedRow {
                label,
                values: ComparedValues::Numbers(runs.iter().map(left).collect(), false),
            }
        };
        rows.push(left("Left", false));
        rows.extend(Some(left("Not run", true)).filter(is_any));
        let suites = suites(&runs);
        Self { runs, rows, suites }
    }

    /// Returns `true` if any known value differs.
    pub fn differs(&self) -> bool {
        let suites = match &self.suites {
            ComparedSuites::InSome { suites, .. } => !suites.is_empty(),
            ComparedSuites::NotKnown(_) => false,
        };
        suites || self.rows.iter().any(ComparedRow::differs)
    }
}

/// Returns the suites that are in some of the runs and not in others.
fn suites(runs: &[ComparedRun]) -> ComparedSuites {
    let not_known = (0..runs.len()).filter(|place| runs[*place].whole().is_none());
    let not_known: Vec<usize> = not_known.collect();
    if !not_known.is_empty() {
        return ComparedSuites::NotKnown(not_known);
    }
    let version = |run: &ComparedRun| run.row.version.clone();
    let by_title = runs.iter().any(|run| version(run) != version(&runs[0]));
    // By reference or title: the number of occurrences in each run.
    let mut found: BTreeMap<String, (Vec<usize>, i64, &KeptSuite)> = BTreeMap::new();
    let mut doubled = 0;
    let kept = runs.iter().filter_map(ComparedRun::whole);
    for (place, kept) in kept.enumerate() {
        for suite in &kept.suites {
            let title = || suite.title.clone().filter(|title| !title.is_empty());
            let key = if by_title {
                title()
            } else {
                Some(suite.suite.to_string())
            };
            match key {
                Some(key) => {
                    let none = || (vec![0; runs.len()], kept.at, suite);
                    let (times, at, named) = found.entry(key).or_insert_with(none);
                    times[place] += 1;
                    // The newest name is shown.
                    if (*at, *named) < (kept.at, suite) {
                        (*at, *named) = (kept.at, suite);
                    }
                }
                None => doubled += 1,
            }
        }
    }
    let mut suites = Vec::new();
    for (times, _, suite) in found.into_values() {
        if times.iter().any(|times| *times > 1) {
            doubled += times.iter().sum::<usize>();
        } else if times.contains(&0) {
            let id = suite.id.as_deref().filter(|_| !by_title);
            let title = suite.title.as_deref();
            let names = [id, title].into_iter().flatten().collect::<Vec<_>>();
            suites.push(InSome {
                is_in: times.iter().map(|times| *times > 0).collect(),
                name: match &names[..] {
                    [] => suite.suite.to_string(),
                    names => names.join(" "),
                },
                cases: suite.cases,
            });
        }
    }
    suites.sort_by(|a, b| (&b.is_in, &a.name).cmp(&(&a.is_in, &b.name)));
    ComparedSuites::InSome {
        suites,
        by_title,
        doubled,
    }
}

/// `94%` of cases; `None` if there are none.
fn share(number: u64, cases: Option<u64>) -> Option<String> {
    let cases = cases.filter(|cases| *cases > 0)?;
    let percent = u128::from(number) * 100 / u128::from(cases);
    Some(format!("{percent}%"))
}

impl Comparison {
    fn cases(&self, place: usize) -> Option<u64> {
        let cases = self.runs[place].cases.as_ref()?;
        Some(cases.iter().copied().fold(0, u64::saturating_add))
    }

    /// Returns a value of a row: the text, or the number with its share.
    pub fn cell(&self, row: &ComparedRow, place: usize) -> String {
        match &row.values {
            ComparedValues::Texts(texts) => texts[place].clone().unwrap_or_default(),
            ComparedValues::Numbers(numbers, has_share) => match numbers[place] {
                Some(number) => {
                    let share = share(number, self.cases(place)).filter(|_| *has_share);
                    let share = share.map_or_else(String::new, |share| format!("  {share}"));
                    format!("{}{share}", thousands(number))
                }
                None => "-".to_owned(),
            },
        }
    }

    /// Returns the name of a run, with the time of its state.
    pub fn name(&self, place: usize, when: impl Fn(i64) -> String) -> String {
        let run = &self.runs[place];
        match run.at {
            Some(at) => format!("{} {}", run.row.name(), when(at)),
            None => run.row.name().to_owned(),
        }
    }

    /// Returns the runs of a suite: `only R_1`, `not R_2`, `in R_1, R_3`.
    pub fn place_words(&self, suite: &InSome, when: impl Fn(i64) -> String) -> String {
        let of = |wanted: bool| {
            let places = suite.is_in.iter().enumerate();
            let places = places.filter(move |(_, is_in)| **is_in == wanted);
            let names = places.map(|(place, _)| self.name(place, &when));
            names.collect::<Vec<_>>()
        };
        match (&of(true)[..], &of(false)[..]) {
            ([only], _) => format!("only {only}"),
            (_, [not]) => format!("not {not}"),
            (several, _) => format!("in {}", several.join(", ")),
        }
    }

    /// Returns notes on the comparison of suites.
    pub fn suites_words(&self, when: impl Fn(i64) -> String) -> Option<String> {
        match &self.suites {
            ComparedSuites::NotKnown(places) => {
                let names = places.iter().map(|place| self.name(*place, &when));
                let names = names.collect::<Vec<_>>().join(", ");
                Some(format!(
                    "Suites are not compared: those of {names} are not known whole."
                ))
            }
            ComparedSuites::InSome {
                by_title, doubled, ..
            } => {
                let by_title =
                    by_title.then(|| "Suites of several versions: by their titles.".to_owned());
                let doubled = (*doubled > 0).then(|| {
                    let suites = count(*doubled, "suite");
                    format!("{suites} with a title that another has, or none: not compared.")
                });
                let words: Vec<String> = by_title.into_iter().chain(doubled).collect();
                (!words.is_empty()).then(|| words.join(" "))
            }
        }
    }

    fn shown(&self, only_differing: bool) -> impl Iterator<Item = &ComparedRow> {
        let is_shown = move |row: &&ComparedRow| !only_differing || row.differs();
        self.rows.iter().filter(is_shown)
    }

    /// Returns the rows to show: all, or those that differ.
    pub fn rows(&self, only_differing: bool) -> Vec<&ComparedRow> {
        self.shown(only_differing).collect()
    }

    /// Returns the comparison; `when` formats a time.
    pub fn summary(&self, only_differing: bool, when: impl Fn(i64) -> String) -> Summary {
        let names = (0..self.runs.len()).map(|place| self.name(place, &when));
        let names: Vec<String> = names.collect();
        let mut headings = vec![String::new()];
        headings.extend(names.iter().cloned());
        headings.push("last two".to_owned());
        let rows = self.shown(only_differing).map(|row| {
            let mut cells = vec![Cell::Text(row.label.to_owned())];
            cells.extend((0..names.len()).map(|place| Cell::Text(self.cell(row, place))));
            cells.push(
                row.last_two()
                    .map_or(Cell::Unknown, |more| Cell::Text(signed(more))),
            );
            cells
        });
        let mut foot: Vec<String> = Vec::new();
        if let ComparedSuites::InSome { suites, .. } = &self.suites {
            foot.extend(suites.iter().map(|suite| {
                let cases = suite
                    .cases
                    .map_or_else(String::new, |cases| format!(", {}", count(cases, "case")));
                format!("{}: {}{cases}", self.place_words(suite, &when), suite.name)
            }));
        }
        foot.extend(self.suites_words(&when));
        Summary {
            name: format!("the comparison of {}", names.join(", ")),
            file: "compare",
            head: vec![format!("Compared: {}", names.join(", "))],
            table: Table {
                headings,
                rows: rows.collect(),
            },
            foot,
            json: self.json(),
        }
    }

    fn json(&self) -> String {
        let runs = self.runs.iter().map(|run| {
            json!({
                "run": json::names(&run.row), "title": run.row.title, "at": run.at.and_then(json::time),
                "suites_at": run.suites.as_ref().and_then(|it| json::time(it.at)),
            })
        });
        let rows = self.rows.iter().map(|row| {
            let values = match &row.values {
                ComparedValues::Texts(texts) => json!(texts),
                ComparedValues::Numbers(numbers, _) => json!(numbers),
            };
            json!({"name": row.label, "values": values, "last_two": row.last_two()})
        });
        let suites = match &self.suites {
            ComparedSuites::InSome { suites, .. } => {
                let suite =
                    |it: &InSome| json!({"name": it.name, "in": it.is_in, "cases": it.cases});
                suites.iter().map(suite).collect()
            }
            ComparedSuites::NotKnown(_) => Value::Null,
        };
        let members = json!({
            "runs": runs.collect::<Vec<_>>(), "rows": rows.collect::<Vec<_>>(), "suites": suites
        });
        json::whole("compare", members)
    }
}

/// `+11`, `-7`, `·` for no difference.
pub fn signed(more: i64) -> String {
    match more {
        0 => "·".to_owned(),
        1.. => format!("+{}", thousands(more)),
        _ => format!("-{}", thousands(more.unsigned_abs())),
    }
}
