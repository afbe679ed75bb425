//! A service whose truth only the test knows, with people who change it between the calls.

use crate::support::prelude::*;
use std::collections::BTreeMap;
use std::sync::Mutex;

use rundown::attached::{Scope, SurveySource};
use rundown::domain::{ListPage, Sort};

/// Suites are numbers; a deleted number never comes back.
pub type Suite = u32;

/// What is so at one moment.
#[derive(Clone, Debug, Default)]
pub struct Truth {
    /// Suite to its version.
    pub suites: BTreeMap<Suite, u8>,
    pub runs: Vec<Run>,
    /// Most entries in a page, whatever the manners say.
    pub clamp: Option<u32>,
}

#[derive(Clone, Debug, Default)]
pub struct Run {
    pub version: u8,
    pub closed: bool,
    pub attached: BTreeSet<Suite>,
    /// Free suites that the service does not show for this run.
    pub hidden: BTreeSet<Suite>,
    /// The list of runs misses it.
    pub unlisted: bool,
    /// How its list fails, open or not.
    pub list_fails: Option<Fault>,
    /// How `CHECK_TEST_RUN_EMPTY` fails.
    pub check_fails: Option<Fault>,
}

/// What somebody else does; the numbers pick one of what there is.
#[derive(Clone, Debug)]
pub enum Edit {
    Attach(usize, usize),
    Detach(usize, usize),
    /// One in, another out: the count stays.
    Swap(usize, usize, usize),
    Create,
    Delete(usize),
    /// A suite deleted, another made: the universe keeps its size.
    Replace(usize),
    Close(usize),
    /// From now on the list of runs misses a run.
    Unlist(usize),
    /// From now on the list of a run fails.
    Fail(usize, Fault),
    /// From now on no page has more entries.
    Clamp(u32),
}

/// How the service behaves.
#[derive(Clone, Debug, Default)]
pub struct Manners {
    /// `LIST_TEST_RUNS` is unknown.
    pub gone: bool,
    /// Most entries in a page.
    pub clamp: Option<u32>,
    /// A larger page is refused.
    pub refuse_over: Option<u32>,
    pub refuse_sort: bool,
    /// How many calls old the answer to each call is, over and over.
    pub lag: Vec<usize>,
    /// Call number, from the last [`World::begin`] on, to what happens just before it is answered.
    pub edits: BTreeMap<usize, Edit>,
    /// Suites that no edit deletes.
    pub kept: BTreeSet<Suite>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    Document,
    Runs,
    Available(usize),
    Check(usize),
}

pub struct World {
    pub manners: Manners,
    inner: Mutex<Inner>,
}

pub struct Inner {
    /// What was so when each call was answered.
    pub history: Vec<Truth>,
    pub calls: Vec<Call>,
    /// There are no counts: `LIST_TEST_RUNS` is gone.
    pub gone: bool,
    now: Truth,
    next: Suite,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    TooLarge,
    Refused,
    /// A status that says nothing of the request.
    Broken,
    /// The connection breaks.
    Lost,
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Self {
        let kind = match fault {
            Fault::TooLarge => FailureKind::PageTooLarge,
            Fault::Refused => FailureKind::Refused,
            Fault::Broken => FailureKind::Broken,
            Fault::Lost => FailureKind::Network,
        };
        Self { kind, ..failure() }
    }
}

pub fn run_ref(run: usize) -> DocRef {
    DocRef::parse(&format!("TestRun-dm/{run}")).unwrap()
}

pub fn suite_ref(suite: Suite) -> DocRef {
    DocRef::parse(&format!("TestSuite-dm/{suite}")).unwrap()
}

fn run_of(doc_ref: &DocRef) -> usize {
    doc_ref
        .as_str()
        .rsplit('/')
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

pub fn suite_of(doc_ref: &DocRef) -> Suite {
    doc_ref
        .as_str()
        .rsplit('/')
        .next()
        .unwrap()
        .parse()
        .unwrap()
}

/// Suites sort by title, and new ones may come before old ones.
fn title(suite: Suite) -> String {
    format!("{:02}-{suite}", suite * 37 % 100)
}

impl World {
    pub fn new(truth: Truth, manners: Manners) -> Self {
        let next = truth.suites.keys().max().map_or(1, |last| last + 1);
        let gone = manners.gone;
        let inner = Inner {
            history: Vec::new(),
            calls: Vec::new(),
            gone,
            now: truth,
            next,
        };
        Self {
            manners,
            inner: Mutex::new(inner),
        }
    }

    pub fn calls(&self) -> usize {
        self.inner.lock().unwrap().calls.len()
    }

    pub fn into_log(self) -> Inner {
        self.inner.into_inner().unwrap()
    }

    /// Lets the others act, writes the call down, and gives what the answer is made from.
    fn answer(&self, call: Call) -> Truth {
        let mut inner = self.inner.lock().unwrap();
        let at = inner.calls.len();
        if let Some(edit) = self.manners.edits.get(&at) {
            inner.act(edit, &self.manners.kept);
        }
        inner.calls.push(call);
        let now = inner.now.clone();
        inner.history.push(now);
        let lag = if self.manners.lag.is_empty() {
            0
        } else {
            self.manners.lag[at % self.manners.lag.len()]
        };
        inner.history[at.saturating_sub(lag)].clone()
    }
}

fn pick<T: Copy>(from: impl IntoIterator<Item = T>, which: usize) -> Option<T> {
    let all: Vec<_> = from.into_iter().collect();
    (!all.is_empty()).then(|| all[which % all.len()])
}

impl Inner {
    fn act(&mut self, edit: &Edit, kept: &BTreeSet<Suite>) {
        match edit {
            Edit::Attach(run, suite) => self.attach(*run, *suite),
            Edit::Detach(run, suite) => self.detach(*run, *suite),
            Edit::Swap(run, one, two) => {
                let index = run % self.now.runs.len();
                let out = pick(self.now.runs[index].attached.iter().copied(), *two);
                self.attach(*run, *one);
                if let Some(out) = out {
                    self.now.runs[index].attached.remove(&out);
                }
            }
            Edit::Create => self.create(0),
            Edit::Delete(suite) => drop(self.delete(*suite, kept)),
            Edit::Replace(suite) => {
                if let Some(version) = self.delete(*suite, kept) {
                    self.create(version);
                }
            }
            Edit::Close(run) => {
                let index = run % self.now.runs.len();
                self.now.runs[index].closed = true;
            }
            Edit::Unlist(run) => {
                let index = run % self.now.runs.len();
                self.now.runs[index].unlisted = true;
            }
            Edit::Fail(run, fault) => {
                let index = run % self.now.runs.len();
                self.now.runs[index].list_fails = Some(*fault);
            }
            Edit::Clamp(most) => self.now.clamp = Some(*most),
        }
    }

    fn attach(&mut self, run: usize, suite: usize) {
        let index = run % self.now.runs.len();
        let run = &self.now.runs[index];
        let free = |(suite, version): (&Suite, &u8)| {
            (*version == run.version && !run.attached.contains(suite)).then_some(*suite)
        };
        if let Some(suite) = pick(self.now.suites.iter().filter_map(free), suite) {
            self.now.runs[index].attached.insert(suite);
        }
    }

    fn detach(&mut self, run: usize, suite: usize) {
        let index = run % self.now.runs.len();
        if let Some(suite) = pick(self.now.runs[index].attached.iter().copied(), suite) {
            self.now.runs[index].attached.remove(&suite);
        }
    }

    fn create(&mut self, version: u8) {
        self.now.suites.insert(self.next, version);
        self.next += 1;
    }

    fn delete(&mut self, suite: usize, kept: &BTreeSet<Suite>) -> Option<u8> {
        let suite = pick(
            self.now
                .suites
                .keys()
                .copied()
                .filter(|suite| !kept.contains(suite)),
            suite,
        )?;
        for run in &mut self.now.runs {
            run.attached.remove(&suite);
        }
        self.now.suites.remove(&suite)
    }
}

impl Truth {
    fn row(&self, index: usize, counted: bool) -> RunRow {
        let run = &self.runs[index];
        // Of two sub projects the versions alternate.
        let mut general = json!({
            "Id": format!("R_{index}"), "ProjectId": "P_9", "SubprojectId": format!("SP_{}", 1 + run.version / 2),
            "ProjectVersionNumber": format!("1.{}.0", run.version % 2),
            "Status": if run.closed { "inactive" } else { "active" },
        });
        if counted {
            general["TestSuiteCount"] = json!(run.attached.len());
        }
        let value =
            json!({"docRef": run_ref(index).as_str(), "document": {"Root": {"General": general}}});
        RunRow::from_document(&Document::from_value(value).unwrap())
    }

    fn free(&self, index: usize, sorted: bool) -> Vec<Document> {
        let run = &self.runs[index];
        let shown = |(suite, version): (&Suite, &u8)| {
            let free = *version == run.version
                && !run.attached.contains(suite)
                && !run.hidden.contains(suite);
            free.then_some(*suite)
        };
        let mut suites: Vec<_> = self.suites.iter().filter_map(shown).collect();
        if sorted {
            suites.sort_by_key(|suite| title(*suite));
        }
        let document = |suite: Suite| {
            let general = json!({
                "Id": format!("S_{suite}"), "Title": title(suite), "Order": suite.to_string(), "ProjectId": "P_9",
                "SubprojectId": "SP_1", "ProjectVersionNumber": format!("1.{}.0", run.version),
            });
            let value = json!({"docRef": suite_ref(suite).as_str(), "document": {"Root": {"General": general}}});
            Document::from_value(value).unwrap()
        };
        suites.into_iter().map(document).collect()
    }
}

impl World {
    fn page<T>(&self, truth: &Truth, all: Vec<T>, page: Page) -> Result<(u64, Vec<T>), Fault> {
        if self
            .manners
            .refuse_over
            .is_some_and(|most| page.limit > most)
        {
            return Err(Fault::TooLarge);
        }
        let most = truth.clamp.or(self.manners.clamp).unwrap_or(u32::MAX);
        let limit = most.min(page.limit) as usize;
        let full_size = all.len() as u64;
        Ok((
            full_size,
            all.into_iter()
                .skip(page.offset as usize)
                .take(limit)
                .collect(),
        ))
    }
}

impl SurveySource for World {
    async fn run(&self, run: &DocRef) -> Result<RunRow, Failure> {
        Ok(self.answer(Call::Document).row(run_of(run), false))
    }

    async fn runs(&self, _: Option<&Scope>, page: Page) -> Result<RunsPage, Failure> {
        let truth = self.answer(Call::Runs);
        let all = (0..truth.runs.len())
            .filter(|index| !truth.runs[*index].unlisted)
            .map(|index| truth.row(index, !self.manners.gone))
            .collect();
        let (full_size, rows) = self.page(&truth, all, page)?;
        let operation = if self.manners.gone {
            RunsOperation::ListDocuments
        } else {
            RunsOperation::ListTestRuns
        };
        Ok(RunsPage {
            full_size,
            rows,
            facets: None,
            operation: Some(operation),
        })
    }

    async fn available(
        &self,
        run: &DocRef,
        page: Page,
        sorts: &[Sort],
    ) -> Result<ListPage, Failure> {
        let index = run_of(run);
        let truth = self.answer(Call::Available(index));
        if let Some(fault) = truth.runs[index].list_fails {
            return Err(fault.into());
        }
        if self.manners.refuse_sort && !sorts.is_empty() || truth.runs[index].closed {
            return Err(Fault::Refused.into());
        }
        let (full_size, entries) = self.page(&truth, truth.free(index, !sorts.is_empty()), page)?;
        Ok(ListPage {
            full_size,
            rows: entries,
            facets: None,
            operation: None,
        })
    }

    async fn check_empty(&self, run: &DocRef) -> Result<bool, Failure> {
        let index = run_of(run);
        let truth = self.answer(Call::Check(index));
        match truth.runs[index].check_fails {
            Some(fault) => Err(fault.into()),
            None => Ok(truth.runs[index].attached.is_empty()),
        }
    }

    fn now(&self) -> i64 {
        1_000_000 + 1_000 * i64::try_from(self.inner.lock().unwrap().calls.len()).unwrap()
    }
}
