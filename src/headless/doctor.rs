//! `rundown doctor`: checks each step from the config file to a page of runs, with remedies for failures.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::{Duration, Instant};

use url::Url;

use super::bundle::{self, BundleValue, Facts, Report, members};
use super::output::ProgressLine;
use super::prelude::*;
use super::suite_rows::{Column, table_of};
use super::{ended, wrapped};
use crate::cli::DoctorOptions;
use crate::config::{self, ConfigChoice, ConfigError, Overrides, ProfileSecret, SecretSource};
use crate::disk::database::is_on_network;
use crate::disk::{DiskError, Journal, place};
use crate::domain::fields::Holds;
use crate::domain::text::count;
use crate::domain::{Failure, Page, RunsSource, Sort};
use crate::mirror::RunCache;
use crate::profile::origin;
use crate::rpc::{CHECK_PROJECT, CallError, Reader, broken_proxy, resolve};
use crate::samples::Samples;

/// Maximum number of requests of all steps.
const MOST: usize = 20;
/// Maximum number of requests of one call: a new token if the old one is over, the call, another one if it is refused,
/// and the call again.
const OF_A_CALL: usize = 4;
/// Tolerated difference of clocks, in milliseconds.
const APART: i64 = 60_000;
/// Shortest lifetime of a token that does not need constant renewal.
const SHORT_LIFE: Duration = Duration::from_secs(30);
/// Page sizes to try; the second is more than services of this kind are known to send.
const PAGES: [(u32, &str); 2] = [(100, "of_100"), (200, "of_200")];
/// Error code of invalid input, such as a project that does not exist.
const INVALID: &str = "-32002";

/// Variable of the state folder.
const STATE: &str = "XDG_STATE_HOME";

const SERVICE: &str = "service";
const IDENTITY: &str = "identity_provider";

/// Result of a step.
struct Finding {
    /// Exit status, `Fine` if the step succeeded; `None` if it was not tried.
    exit: Option<Exit>,
    /// True if steps that need this one are skipped.
    bars: bool,
    found: String,
    /// Remedy; empty if none is needed.
    remedy: String,
    facts: Facts,
    /// Time of the step, if it is not that of its own function.
    took: Option<Duration>,
}

/// Result of a step; an error ends the step early.
type Found = Result<Finding, Finding>;

impl Finding {
    fn new(exit: Option<Exit>, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            exit,
            bars: exit != Some(Exit::Fine),
            found: found.into(),
            remedy: remedy.into(),
            facts: Facts::new(),
            took: None,
        }
    }

    fn holds(found: impl Into<String>) -> Self {
        Self::advises(found, "")
    }

    /// One that holds, with what can be done all the same.
    fn advises(found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Some(Exit::Fine), found, remedy)
    }

    fn not_asked(why: impl Into<String>) -> Self {
        Self::new(None, why, "")
    }

    fn fails(exit: Exit, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self::new(Some(exit), found, remedy)
    }

    /// Success, or a failure with its remedy.
    fn unless(fails: bool, found: impl Into<String>, remedy: impl Into<String>) -> Self {
        if fails {
            Self::fails(Exit::Service, found, remedy)
        } else {
            Self::holds(found)
        }
    }

    /// Failure from a message of this program that ends with the remedy.
    fn of_words(exit: Exit, words: &str) -> Self {
        let parts = words.split_once(". ").or_else(|| words.split_once("; "));
        let (found, remedy) = parts
            .or_else(|| words.rsplit_once(": "))
            .unwrap_or((words, ""));
        Self::fails(exit, found, remedy)
    }

    fn with(mut self, facts: impl IntoIterator<Item = (&'static str, BundleValue)>) -> Self {
        self.facts.extend(facts);
        self
    }
}

impl From<EarlyExit> for Finding {
    fn from(stop: EarlyExit) -> Self {
        Self::of_words(stop.exit, &stop.words)
    }
}

impl From<Failure> for Finding {
    fn from(failure: Failure) -> Self {
        let exit = EarlyExit::from(failure.clone()).exit;
        Self::fails(exit, failure.in_full(), failure.remedy)
    }
}

impl From<CallError> for Finding {
    fn from(error: CallError) -> Self {
        let (status, code) = (
            error.kind.status(),
            error.code().and_then(|code| code.parse().ok()),
        );
        let facts = [("status", status.map(i64::from)), ("code", code)]
            .into_iter()
            .filter_map(|(name, number)| Some((name, BundleValue::Number(number?))));
        Self::fails(
            EarlyExit::from(error.clone()).exit,
            error.in_full(),
            error.remedy(),
        )
        .with(facts)
    }
}

/// A step with its result.
struct Tried {
    name: &'static str,
    finding: Finding,
    milliseconds: u64,
}

impl Tried {
    fn state(&self) -> &'static str {
        match self.finding.exit {
            Some(Exit::Fine) => "holds",
            Some(_) => "does not hold",
            None => "not asked",
        }
    }

    fn json(&self) -> Value {
        let Finding {
            found,
            remedy,
            facts,
            ..
        } = &self.finding;
        let remedy = Some(remedy).filter(|remedy| !remedy.is_empty());
        json!({"step": self.name, "state": self.state(), "milliseconds": self.milliseconds, "found": found,
            "remedy": remedy, "facts": members(facts)})
    }

    /// Facts for a report for a bug.
    fn facts(&self) -> Facts {
        let facts = [
            ("step", BundleValue::Word(self.name)),
            ("state", self.state().into()),
            ("milliseconds", self.milliseconds.into()),
        ];
        facts
            .into_iter()
            .chain(self.finding.facts.clone())
            .collect()
    }
}

/// Steps in order, as far as they were tried.
struct Steps {
    tried: Vec<Tried>,
    progress: ProgressLine,
}

impl Steps {
    /// Takes a step, unless one that it needs bars it, and returns its place; `needs` are places of earlier steps.
    async fn take(
        &mut self,
        name: &'static str,
        needs: &[usize],
        step: impl Future<Output = Found>,
    ) -> usize {
        self.progress.say(name);
        let begun = Instant::now();
        let mut needed = needs.iter().map(|place| &self.tried[*place]);
        let finding = match needed.find(|it| it.finding.bars) {
            Some(bar) => Finding::not_asked(format!("needs: {}", bar.name)),
            None => step.await.unwrap_or_else(|finding| finding),
        };
        let took = finding.took.unwrap_or_else(|| begun.elapsed());
        let milliseconds = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        self.tried.push(Tried {
            name,
            finding,
            milliseconds,
        });
        self.tried.len() - 1
    }
}

/// Results of steps that later steps need.
#[derive(Default)]
struct Walk {
    /// Permissions of others on the config file.
    exposed: Vec<String>,
    profile: Option<Profile>,
    access: Option<Access>,
    /// Differences of clocks, in milliseconds ahead.
    ahead: Vec<(&'static str, i64)>,
    /// Result of the first call for runs, and its time.
    listed: Option<(Result<(), CallError>, Duration)>,
    /// Some runs of the list, and its size.
    runs: Vec<Document>,
    full_size: u64,
    /// True if the runs have counts.
    counted: bool,
    /// True if the account may not list runs with their results.
    may_not_list: bool,
}

/// Checks the wanted profile.
pub fn doctor(choice: &ConfigChoice, overrides: &Overrides, options: &DoctorOptions) -> Ran {
    let place = |path| bundle::place(path, options.yes);
    let bundle = options.bundle.as_deref().map(place).transpose()?;
    let mut walk = Walk::default();
    let tried = ended(walk.all(choice, overrides))?;
    let failed: Vec<_> = tried
        .iter()
        .filter_map(|it| Some((it.name, it.finding.exit?)))
        .filter(|(_, exit)| *exit != Exit::Fine)
        .collect();
    let (first, exit) = *failed.first().unwrap_or(&("", Exit::Fine));
    let steps: Vec<Value> = tried.iter().map(Tried::json).collect();
    print(&match options.format {
        ChangeFormat::Text => in_words(&tried, &steps),
        ChangeFormat::Json => {
            let report =
                json!({"requests": Reader::requests(), "status": exit as u8, "steps": steps});
            json::pretty("doctor", report)
        }
    })?;
    if let Some(path) = bundle {
        bundle::write(&path, options.yes, &walk.report(&tried))?;
    }
    exit.with(match failed.len() {
        1 => format!("the step {first} does not hold"),
        many => format!("{many} steps do not hold; the first is {first}"),
    })
}

const COLUMNS: [Column; 4] = [
    ("step", Some("Step")),
    ("state", Some("")),
    ("milliseconds", Some("ms")),
    ("found", Some("Found")),
];

fn in_words(tried: &[Tried], steps: &[Value]) -> String {
    let table = table_of(&COLUMNS, steps, Format::Table).text(Format::Table);
    let mut out = wrapped(&table, table.find("Found").unwrap_or_default());
    for tried in tried.iter().filter(|it| !it.finding.remedy.is_empty()) {
        let line = format!("{}: {}", tried.name, tried.finding.remedy);
        out = out + "\n" + &wrapped(&text::plain(&line), 0) + "\n";
    }
    out
}

/// Fails if no other call is allowed.
fn may_call() -> Result<(), Finding> {
    let most = || Finding::not_asked(format!("{MOST} requests are the most"));
    let is_room = Reader::requests() + OF_A_CALL <= MOST;
    is_room.then_some(()).ok_or_else(most)
}

impl Walk {
    /// Takes all steps in order.
    async fn all(&mut self, choice: &ConfigChoice, overrides: &Overrides) -> Vec<Tried> {
        let (tried, progress) = (Vec::new(), ProgressLine::new());
        let steps = &mut Steps { tried, progress };
        let config = async { self.config(choice, overrides) };
        let config = steps.take("config file", &[], config).await;
        let permissions = async { Ok(self.permissions()) };
        let permissions = steps.take("permissions", &[config], permissions).await;
        let profile = self.profile.clone();
        steps
            .take("folders", &[], async { folders(profile.as_ref()) })
            .await;
        let read = [permissions];
        let secrets = steps.take("secret sources", &read, self.secrets()).await;
        let host = self.host(SERVICE);
        let service = steps.take("host of the service", &read, host).await;
        let host = self.host(IDENTITY);
        let identity = steps
            .take("host of the identity provider", &read, host)
            .await;
        let reach = self.reach(SERVICE);
        let service = steps
            .take("connection to the service", &[service], reach)
            .await;
        let name = "connection to the identity provider";
        let identity = steps.take(name, &[identity], self.reach(IDENTITY)).await;
        steps.take("clock", &read, async { self.clock() }).await;
        let needs = [secrets, identity];
        let signed_in = steps.take("sign-in", &needs, self.sign_in()).await;
        steps.take("token", &[signed_in], self.token()).await;
        let needs = [service, signed_in];
        let project = [steps.take("project", &needs, self.project()).await];
        let listed = async { self.list_documents() };
        steps.take("LIST_DOCUMENTS", &needs, listed).await;
        let listed = self.list_test_runs();
        let lists = steps.take("LIST_TEST_RUNS", &project, listed).await;
        // A right that is missing is told once: these ask for runs by the same operation.
        let mut needs = project.to_vec();
        needs.extend(self.may_not_list.then_some(lists));
        steps.take("page size", &needs, self.pages()).await;
        steps.take("sorting", &needs, self.sorting()).await;
        let counts = async { self.counts() };
        steps.take("counts", &needs, counts).await;
        steps.take("search", &needs, self.search()).await;
        steps.progress.clear();
        std::mem::take(&mut steps.tried)
    }

    fn profile(&self) -> Result<Profile, Finding> {
        self.profile
            .clone()
            .ok_or_else(|| Finding::not_asked("needs: config file"))
    }

    async fn access(&mut self) -> Result<&mut Access, Finding> {
        let access = match self.access.take() {
            Some(access) => access,
            None => Access::open(self.profile()?, 0).await?,
        };
        Ok(self.access.insert(access))
    }

    async fn reader(&mut self) -> Result<Reader, Finding> {
        Ok(self.access().await?.connection.client.reader.clone())
    }

    fn config(&mut self, choice: &ConfigChoice, overrides: &Overrides) -> Found {
        let opened = config::load(choice).and_then(|config| {
            let profile = config.profile()?.with(overrides);
            Ok((config, profile))
        });
        let (config, profile) = opened.map_err(|error| match error {
            ConfigError::Exposed { path, reason } => {
                let path = path.display();
                self.exposed = vec![format!("{path} {reason}")];
                Finding::holds(format!("{path} is there"))
            }
            ConfigError::Problems(problems) => {
                let found = text::join(problems.iter().map(ToString::to_string), "; ");
                let remedy = "Correct these lines; rundown config check reads them again.";
                Finding::fails(Exit::Usage, found, remedy)
            }
            error => Finding::of_words(Exit::Usage, &error.to_string()),
        })?;
        let others = config
            .warnings
            .iter()
            .filter(|it| !config.exposed.contains(it));
        let others = text::join(others.cloned(), "; ");
        let same_host = profile.base_url.host() == profile.idp_url.host();
        let facts = [
            (SERVICE, BundleValue::Word("host1")),
            (IDENTITY, if same_host { "host1" } else { "host2" }.into()),
            (
                "user",
                profile.username.as_ref().map_or("none", |_| "user1").into(),
            ),
            ("page_size", BundleValue::Number(profile.page_size.into())),
        ];
        let found = format!("{}, profile {}", config.path.display(), profile.name);
        (self.exposed, self.profile) = (config.exposed, Some(profile));
        Ok(Finding::advises(found, others).with(facts))
    }

    fn permissions(&self) -> Finding {
        let parts = self
            .exposed
            .iter()
            .map(|words| words.split_once("; ").unwrap_or((words, "")));
        let (found, remedies): (Vec<_>, Vec<_>) = parts.unzip();
        if found.is_empty() {
            let found = "no other user can change the config file or read a secret in it";
            return Finding::holds(found);
        }
        let mut finding = Finding::fails(Exit::Usage, found.join("; "), remedies.join("; "));
        // Permissions are only a warning, and the file is read.
        finding.bars = self.profile.is_none();
        finding
    }

    /// Reads both secrets once; the sign-in reuses them.
    async fn secrets(&mut self) -> Found {
        let profile = self
            .profile
            .as_mut()
            .ok_or_else(|| Finding::not_asked("needs: config file"))?;
        let (mut found, mut lacks) = (Vec::new(), None);
        let of = profile.clone();
        for (which, source, exit) in [
            (
                ProfileSecret::ClientSecret,
                &mut profile.client_secret,
                Exit::Usage,
            ),
            (
                ProfileSecret::Password,
                &mut profile.password,
                Exit::NotSignedIn,
            ),
        ] {
            let what = which.words();
            let Some(from) = source.take() else {
                found.push(format!("no {what}"));
                continue;
            };
            found.push(format!("{what} {}", from.describe()));
            match of.read_secret(which, &from).await {
                Ok(secret) => *source = Some(SecretSource::Inline(secret)),
                Err(none) => {
                    let mend = "Correct it in the profile.";
                    let remedy = match from {
                        SecretSource::Env(_) => None,
                        _ => Some(none.remedy.unwrap_or_else(|| mend.to_owned())),
                    };
                    lacks.get_or_insert((exit, format!("{what}: {}", none.why), remedy));
                }
            }
        }
        let corrects = "Set it where rundown is started, or correct its source in the profile.";
        match lacks {
            None => Ok(Finding::holds(found.join(", "))),
            Some((exit, why, remedy)) => Err(Finding::fails(
                exit,
                why,
                remedy.unwrap_or_else(|| corrects.to_owned()),
            )),
        }
    }

    /// Address of the service or the identity provider, and its key in the config.
    fn address(&self, whose: &str) -> Result<(Url, &'static str), Finding> {
        let profile = self.profile()?;
        Ok(if whose == SERVICE {
            (profile.base_url, "base_url")
        } else {
            (profile.idp_url, "idp_url")
        })
    }

    /// Checks that the name of a host is known.
    async fn host(&self, whose: &str) -> Found {
        let ((url, key), limit) = (self.address(whose)?, self.profile()?.request_timeout);
        let name = url.host_str().unwrap_or_default();
        if let Some(words) = broken_proxy(&url) {
            return Err(Finding::of_words(Exit::Usage, &words));
        }
        let addresses = resolve(&url, limit).await.map_err(|why| {
            let remedy =
                format!("Check the host in {key}, and whether this network knows it (VPN, DNS).");
            Finding::fails(Exit::Service, why, remedy)
        })?;
        Ok(match addresses {
            None => {
                Finding::holds(format!("a proxy looks {name} up")).with([("proxy", true.into())])
            }
            Some(all) => {
                Finding::holds(format!("{name} is known")).with([("addresses", all.into())])
            }
        })
    }

    async fn reach(&mut self, whose: &'static str) -> Found {
        let connection = self.access().await?.connection.clone();
        let reached = connection.reach(whose != SERVICE).await?;
        self.ahead.extend(reached.ahead.map(|ahead| (whose, ahead)));
        let (url, _) = self.address(whose)?;
        let (scheme, words) = match url.scheme() {
            "https" => ("https", "its certificate is trusted"),
            _ => ("http", "nothing is encrypted"),
        };
        let to = reached
            .leads_to
            .map_or(String::new(), |to| format!(", leads to {to}"));
        let found = format!(
            "{} answers{to}, {words}",
            url.origin().ascii_serialization()
        );
        let facts = [
            ("scheme", BundleValue::Word(scheme)),
            ("status", BundleValue::Number(reached.status.into())),
        ];
        Ok(Finding::holds(found).with(facts))
    }

    fn clock(&self) -> Found {
        let seconds = self
            .ahead
            .iter()
            .map(|(whose, ahead)| (*whose, BundleValue::Number(ahead / 1000)));
        let offsets = self
            .ahead
            .iter()
            .map(|(whose, ahead)| format!("{} {:+} s", whose.replace('_', " "), ahead / 1000));
        let found = text::join(offsets, ", ");
        if found.is_empty() {
            return Err(Finding::not_asked("no answer told a time"));
        }
        let all = self.ahead.iter().map(|(_, ahead)| *ahead).chain([0]);
        let apart = all.clone().max().unwrap_or(0) - all.min().unwrap_or(0);
        let remedy = "Set the clock of this machine (timedatectl says whether it is kept); if it is right, tell whoever runs \
                      the other one.";
        Ok(
            Finding::unless(apart > APART, format!("ahead of this one: {found}"), remedy)
                .with(seconds),
        )
    }

    async fn sign_in(&mut self) -> Found {
        if self.profile()?.password.is_none() && io::stdin().is_terminal() {
            let asks = "no password is configured; rundown asks for it at the start";
            return Err(Finding::not_asked(asks));
        }
        self.access().await?.sign_in_first().await?;
        let user = self.profile()?.username.unwrap_or_default();
        Ok(Finding::holds(format!("{user} is signed in")))
    }

    async fn token(&mut self) -> Found {
        let life = self.access().await?.connection.client.tokens.life();
        let (lasts, renewed) = life.ok_or_else(|| Finding::not_asked("there is no session"))?;
        let by = if renewed {
            "a refresh token"
        } else {
            "the password"
        };
        let found = format!(
            "good for {}, renewed by {by}",
            count(lasts.as_secs(), "second")
        );
        let remedy = "Ask an administrator of the identity provider for access tokens of some minutes: each is renewed before its end.";
        let facts = [
            ("seconds", lasts.as_secs().into()),
            ("refresh_token", renewed.into()),
        ];
        Ok(Finding::unless(lasts < SHORT_LIFE, found, remedy).with(facts))
    }

    async fn project(&mut self) -> Found {
        let (reader, scope) = (self.reader().await?, self.profile()?.scope());
        let begun = Instant::now();
        let listed = reader
            .list_documents(Page::BY_ID, &[], &Filter::default())
            .await;
        let took = begun.elapsed();
        let list = match listed {
            Ok(list) => list,
            Err(error)
                if error.is_not_found() || error.is_barred() || error.code() == Some(INVALID) =>
            {
                let found = format!("{scope}: {}", error.in_full());
                return Err(Finding {
                    found,
                    remedy: CHECK_PROJECT.into(),
                    ..error.into()
                });
            }
            Err(error) => {
                let says = Finding::not_asked("the next step says why");
                // Another operation may work.
                let bars = error.code().is_none() && !error.is_unknown_method();
                self.listed = Some((Err(error), took));
                return Err(Finding {
                    bars,
                    took: Some(Duration::ZERO),
                    ..says
                });
            }
        };
        (self.full_size, self.runs) = (list.full_size, list.rows);
        self.listed = Some((Ok(()), took));
        let facts = [("runs", self.full_size.into())];
        let holds = Finding::holds(format!("{scope}: {}", count(self.full_size, "run")));
        Ok(Finding {
            took: Some(Duration::ZERO),
            ..holds.with(facts)
        })
    }

    /// Tells the call of the step before.
    fn list_documents(&mut self) -> Found {
        let listed = self.listed.take();
        let (listed, took) = listed.ok_or_else(|| Finding::not_asked("needs: project"))?;
        let holds = || Finding::holds(format!("{} came", count(self.runs.len(), "run")));
        Ok(Finding {
            took: Some(took),
            ..listed.map_or_else(Finding::from, |()| holds())
        })
    }

    async fn list_test_runs(&mut self) -> Found {
        may_call()?;
        if self.profile()?.runs_source == RunsSource::ListDocuments {
            return Err(Finding::not_asked(
                "runs_source of the profile is list_documents",
            ));
        }
        let listed = self
            .reader()
            .await?
            .list_test_runs(Page::first(50), &[], &Filter::default())
            .await;
        let list = listed.map_err(|error| {
            let is_gone = error.is_unknown_method();
            self.may_not_list = error.is_barred();
            let mut finding = Finding::from(error);
            // The step needs the project, of which that operation has told.
            if self.may_not_list {
                finding.remedy = "Ask the administrator for it. Until then runs_source = \"list_documents\" in the profile does: \
                                  LIST_DOCUMENTS holds, and runs come without suites, progress and results."
                    .into();
            }
            if is_gone {
                finding.remedy = "Runs have no suites, progress and results any more. runs_source = \"list_documents\" in the \
                                  profile asks for them no more."
                    .into();
            }
            finding
        })?;
        (self.counted, self.full_size, self.runs) = (true, list.full_size, list.rows);
        let found = format!("{} came with their results", count(self.runs.len(), "run"));
        let filters = list.facets.map_or(0, |facets| facets.len());
        Ok(Finding::holds(found).with([("filters", filters.into())]))
    }

    async fn pages(&mut self) -> Found {
        may_call()?;
        let (reader, asked) = (self.reader().await?, self.profile()?.page_size);
        let (mut found, mut facts, mut most) = (Vec::new(), Facts::new(), u32::MAX);
        for (limit, name) in PAGES {
            let all = Filter::default();
            match reader.list_runs(Page::first(limit), &[], &all).await {
                Ok(page) => {
                    let received = page.rows.len() as u32;
                    facts.push((name, u64::from(received).into()));
                    found.push(format!("{received} came of {limit}"));
                    if received < limit && u64::from(received) < page.full_size {
                        most = received;
                    }
                }
                Err(error) if error.is_page_too_large() => {
                    found.push(format!("{limit} are refused"));
                    most = limit - 1;
                }
                Err(error) => return Err(error.into()),
            }
            if most < limit {
                break;
            }
        }
        let remedy = match most {
            0 => "It counts runs and sends none: ask whoever runs it.".to_owned(),
            most => {
                format!("Set page_size of the profile to {most} at most: more never comes at once.")
            }
        };
        Ok(Finding::unless(most < asked, found.join(", "), remedy).with(facts))
    }

    /// Checks the orders that the program uses, in descending form: accepted, and applied if that can be seen.
    async fn sorting(&mut self) -> Found {
        let reader = self.reader().await?;
        let (mut sorted, mut unsorted) = (Vec::new(), Vec::new());
        let all = fields::SORTED.into_iter();
        for field in all.filter(|field| self.counted || !field.counted) {
            let Some(path) = field.sort_path().filter(|_| may_call().is_ok()) else {
                continue;
            };
            let sort = Sort::by(path, true);
            match reader
                .list_runs(Page::BY_ID, &[sort], &Filter::default())
                .await
            {
                Ok(page) if falls(field, &page.rows) => sorted.push(field),
                Err(error) if error.failure_kind() != FailureKind::Refused => {
                    return Err(error.into());
                }
                _ => unsorted.push(field),
            }
        }
        let labels = |fields: &[&Field]| text::join(fields.iter().map(|field| field.label), ", ");
        let names =
            |fields: &[&Field]| BundleValue::Words(fields.iter().map(|field| field.name).collect());
        let facts = [("sorted", names(&sorted)), ("not_sorted", names(&unsorted))];
        if unsorted.is_empty() {
            return Ok(Finding::holds(format!("by {}", labels(&sorted))).with(facts));
        }
        let remedy = "The list sorts by these itself, among the runs on this machine: rundown sync --all brings all. \
                      With --sort the service sorts: leave these out there.";
        let found = format!("not by {}", labels(&unsorted));
        Err(Finding::fails(Exit::Service, found, remedy).with(facts))
    }

    /// Checks if results without cases are listed.
    fn counts(&self) -> Found {
        let all: Vec<_> = self
            .runs
            .iter()
            .filter_map(|run| RunRow::from_document(run).results)
            .collect();
        let listed = all
            .iter()
            .flat_map(|of| ResultCode::ALL.map(|code| of.listed(code)));
        let (zeros, unlisted) = listed.fold((0_usize, 0_usize), |(zeros, unlisted), count| {
            (
                zeros + usize::from(count == Some(0)),
                unlisted + usize::from(count.is_none()),
            )
        });
        let (found, remedy) = match (all.len(), zeros, unlisted) {
            (0, ..) => return Err(Finding::not_asked("no run with results came")),
            (.., 0) => ("all results are listed, those without cases, too", ""),
            (_, 0, _) => (
                "results without cases are not listed",
                "A gate does not know such a count: with --unlisted-as-zero it is 0.",
            ),
            _ => (
                "some results without cases are listed, some results are not",
                "What is not listed need not be 0: leave --unlisted-as-zero out.",
            ),
        };
        let unread: usize = all.iter().map(|of| of.unread).sum();
        let facts = [
            ("runs", all.len().into()),
            ("zeros", zeros.into()),
            ("unlisted", unlisted.into()),
            ("unread", unread.into()),
        ];
        Ok(Finding::advises(found, remedy).with(facts))
    }

    /// Searches for a run by its short id and by a word of its title.
    async fn search(&mut self) -> Found {
        may_call()?;
        let reader = self.reader().await?;
        let mut rows = self.runs.iter().map(RunRow::from_document);
        let wanted = rows.find_map(|row| {
            let word = word_of(row.title.as_deref()?)?.to_owned();
            Some((row.doc_ref, row.id?, word))
        });
        let lacks = || {
            Finding::not_asked("no run here has an id, and a title with a word of three letters")
        };
        let (run, id, fulltext) = wanted.ok_or_else(lacks)?;
        let by_word = Filter {
            fulltext: fulltext.clone(),
            ..Filter::default()
        };
        let (mut found, mut facts, mut is_wrong) = (Vec::new(), Facts::new(), false);
        for (by, name, filter) in [
            (&id, "by_id", Filter::by_id(&id)),
            (&fulltext, "by_word", by_word),
        ] {
            let page = reader.list_runs(Page::BY_ID, &[], &filter).await?;
            // Of many results, the run may be on a later page.
            let is_whole = page.full_size <= page.rows.len() as u64;
            is_wrong |= page.row_of(&run).is_none() && is_whole;
            is_wrong |= page.rows.iter().any(|row| filter.rules_out(row));
            found.push(format!("\"{by}\": {}", count(page.full_size, "run")));
            facts.push((name, page.full_size.into()));
        }
        let remedy = "The service finds others than those that are asked for, or not all. --query, and / on the screen, look here as \
                      well, after rundown sync --all in all runs; give commands the reference of a run (TestRun-dm/…).";
        let found = format!("{}, of {}", found.join(", "), count(self.full_size, "run"));
        Ok(Finding::unless(is_wrong, found, remedy).with(facts))
    }

    /// Lines of a report for a bug.
    fn report(&self, tried: &[Tried]) -> Report {
        let steps = tried.iter().map(|it| ("step", it.facts()));
        let fields = bundle::shapes(&self.runs)
            .into_iter()
            .map(|it| ("field", it));
        steps.chain(fields).collect()
    }
}

/// Folders of the state directory, each of which is written to for itself.
const BELOW: [&str; 4] = ["drafts", "under_way", "left_off", "trash"];

/// Checks that the folder of a user can be written, or made where it is missing.
fn may_write(folder: &Path) -> Result<(), DiskError> {
    if folder.exists() {
        place::folder(folder)?;
    }
    place::try_writing(folder)
}

/// Checks that the runs of a profile that are kept, if any, can be used. What begins anew by itself is no error. An error is
/// in words.
fn kept_runs(cache: &Path, profile: Option<&Profile>) -> Result<(), String> {
    let Some(profile) = profile.filter(|it| it.cache && it.username.is_some()) else {
        return Ok(());
    };
    let file = origin(profile).file(cache);
    if file.symlink_metadata().is_err() {
        return Ok(());
    }
    match RunCache::of_file(&file) {
        Err(error) if error.lasts().is_none() => Err(error.to_string()),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Checks that the journal and the samples can be read, if there are any, and that the folders beside them can be written.
/// An error is in words.
fn kept_files(state: &Path, profile: Option<&Profile>) -> Result<(), String> {
    for below in BELOW.map(|it| state.join(it)) {
        if below.symlink_metadata().is_ok() {
            may_write(&below).map_err(|error| error.to_string())?;
        }
    }
    let journal = Journal::open(state).and_then(|journal| journal.newest(None));
    journal.map_err(|error| error.to_string())?;
    if let Some(profile) = profile.filter(|_| Samples::file(state).exists()) {
        let samples = Samples::open(state, profile.monitor.samples_days, now());
        samples.map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// Checks that state and cache folder can be written by the user alone, that what is kept there can be read, and if they
/// are on another machine.
fn folders(profile: Option<&Profile>) -> Found {
    let (mut apart, mut facts) = (Vec::new(), Facts::new());
    for (folder, variable) in [(state_dir(), STATE), (cache_dir(), "XDG_CACHE_HOME")] {
        let lacks = || {
            Finding::fails(
                Exit::Service,
                "there is no home directory",
                "Set HOME where rundown is started, or XDG_STATE_HOME and XDG_CACHE_HOME.",
            )
        };
        let folder = folder.ok_or_else(lacks)?;
        if let Err(error) = may_write(&folder) {
            let words = error.to_string().replace(STATE, variable);
            return Err(Finding::of_words(Exit::Service, &words));
        }
        let kept = match variable {
            _ if !folder.exists() => Ok(()),
            STATE => kept_files(&folder, profile),
            _ => kept_runs(&folder, profile),
        };
        kept.map_err(|words| Finding::of_words(Exit::Service, &words))?;
        let is_apart = is_on_network(&folder);
        facts.push((
            variable,
            if is_apart {
                "another machine"
            } else {
                "this machine"
            }
            .into(),
        ));
        apart.extend(is_apart.then_some(variable));
    }
    let (found, remedy) = match apart.join(" and ") {
        none if none.is_empty() => ("what is kept lies on this machine", none),
        names => (
            "what is kept lies on another machine",
            format!("Reading it is slower: set {names} to a folder of this machine."),
        ),
    };
    Ok(Finding::advises(found, remedy).with(facts))
}

/// First word of three letters or more.
fn word_of(title: &str) -> Option<&str> {
    let mut words = title.split(|c: char| !c.is_alphanumeric());
    words.find(|word| word.chars().count() >= 3)
}

/// Returns true if the rows are in descending order of the field, or if its order cannot be compared.
fn falls(field: &Field, rows: &[RunRow]) -> bool {
    let comparable = matches!(
        field.holds,
        Holds::Time(..) | Holds::Integer(_) | Holds::Percent(_)
    );
    let keys = rows.iter().filter_map(|row| field.order_key(row, &[]));
    !comparable || keys.is_sorted_by(|one, next| one >= next)
}
