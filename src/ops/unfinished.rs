//! Changes whose program ended before their end was known: what was sent of them, by the journal, and what is left, by a
//! reading. What was sent is not sent again before a reading has shown that it is not in effect.

use std::collections::HashSet;

use super::local;
use super::survey::failure;
use super::write::{Writing, blocking};
use crate::attached::available_suites;
use crate::disk::{Held, Journal, RecentWrites, Recorded, UnderWay, WriteRecord};
use crate::domain::{
    DocRef, Document, End, Failure, Rest, RunRow, Status, SuiteChange, Unfinished, Why, differing,
    short, texts_of,
};

/// The writes of a change that belong to its last part: the making of a run, or all requests of suites of one run.
struct LastPart<'a> {
    job: &'a str,
    /// In the order in which they were sent.
    writes: Vec<&'a WriteRecord>,
    intent: Intent,
    /// How the run is called.
    name: &'a str,
}

/// What a part was to do.
enum Intent {
    Suites {
        adds: bool,
        /// All that were to be sent.
        plan: Vec<(DocRef, String)>,
        /// The run was to be deleted then.
        then_deletes: bool,
    },
    Create {
        /// Suites that go into the run then.
        plan: Vec<(DocRef, String)>,
        /// Number of runs that were to be made after it.
        after: u64,
    },
    Save,
    Delete,
}

/// The changes of a profile that have no end, oldest first. Blocks.
pub fn unfinished(
    journal: &Journal,
    under_way: &UnderWay,
    profile: &str,
) -> Result<Vec<Unfinished>, String> {
    let left = under_way.left().map_err(|error| error.to_string())?;
    if left.is_empty() {
        return Ok(Vec::new());
    }
    let read = journal.newest(Some(profile));
    let read = read.map_err(|error| error.to_string())?;
    let parts = left.iter().filter_map(|job| LastPart::last(&read, job));
    Ok(parts.map(|part| part.unfinished()).collect())
}

impl<'a> LastPart<'a> {
    /// The last part of a change; nothing where the journal has none of it, or of another version.
    fn last(read: &'a RecentWrites, job: &'a str) -> Option<Self> {
        let of_job = read.writes.iter().rev().filter(|write| write.job() == job);
        let writes: Vec<&WriteRecord> = of_job.collect();
        let begun = writes
            .iter()
            .rposition(|write| write.kept("part of").is_none())?;
        let writes = writes[begun..].to_vec();
        let first = *writes.first()?;
        let suites = |adds| Intent::Suites {
            adds,
            plan: [first.suites(), first.kept_suites("rest")].concat(),
            then_deletes: first.kept("then deletes the run").is_some(),
        };
        let intent = match first.request()?.0 {
            "ADD_TEST_SUITES_TO_RUN" => suites(true),
            "DELETE_TEST_SUITES_FROM_RUN" => suites(false),
            "ADD_DOCUMENT" => Intent::Create {
                plan: first.kept_suites("suites to add"),
                after: first
                    .kept("runs after it")
                    .map_or(0, |after| after.as_u64().unwrap_or(0)),
            },
            "MODIFY_DOCUMENT" => Intent::Save,
            "DELETE_TEST_RUN" => Intent::Delete,
            _ => return None,
        };
        Some(Self {
            job,
            writes,
            intent,
            name: first.name(),
        })
    }

    fn newest(&self) -> Option<&'a WriteRecord> {
        self.writes.last().copied()
    }

    /// Its newest request, and the run that this is about.
    fn request_and_run(&self) -> Result<(&'a WriteRecord, DocRef), Failure> {
        let write = self.newest().ok_or_else(|| cannot("it has no request"))?;
        let run = DocRef::parse(&write.run).map_err(|error| cannot(&error.to_string()))?;
        Ok((write, run))
    }

    fn sent(&self) -> HashSet<DocRef> {
        let sent = self.writes.iter().flat_map(|write| write.suites());
        sent.map(|(suite, _)| suite).collect()
    }

    /// What it was to do, as a person says it.
    fn deed(&self) -> String {
        let name = short(self.name);
        match &self.intent {
            Intent::Suites {
                plan,
                then_deletes: true,
                ..
            } => format!("delete {name} with {}", count(plan.len())),
            Intent::Suites {
                adds: true, plan, ..
            } => format!("add {} to {name}", count(plan.len())),
            Intent::Suites { plan, .. } => format!("remove {} from {name}", count(plan.len())),
            Intent::Create { plan, .. } if plan.is_empty() => format!("create {name}"),
            Intent::Create { plan, .. } => format!("create {name} with {}", count(plan.len())),
            Intent::Save => format!("save {name}"),
            Intent::Delete => format!("delete {name}"),
        }
    }

    /// What was sent of it.
    fn words(&self) -> String {
        let chunks = |plan: &[(DocRef, String)]| plan.len().div_ceil(SuiteChange::CHUNK);
        let all = match &self.intent {
            Intent::Suites {
                plan, then_deletes, ..
            } => chunks(plan) + usize::from(*then_deletes),
            Intent::Create { plan, .. } => 1 + chunks(plan),
            Intent::Save | Intent::Delete => 1,
        };
        let (sent, deed) = (self.writes.len(), self.deed());
        let ended = self.newest().and_then(WriteRecord::last);
        let then = match ended {
            Some(Recorded::Unknown { .. } | Recorded::Differs { .. }) => {
                ", and what came of it is not known"
            }
            _ => " before the program ended",
        };
        match all.max(sent) {
            1 => format!("\"{deed}\" was sent{then}"),
            all => {
                let were = if sent == 1 { "was" } else { "were" };
                format!("{sent} of {all} requests of \"{deed}\" {were} sent{then}")
            }
        }
    }

    fn unfinished(&self) -> Unfinished {
        Unfinished {
            job: self.job.to_owned(),
            write: self
                .newest()
                .map_or_else(String::new, |write| write.write.to_string()),
            words: self.words(),
        }
    }
}

impl Writing {
    /// Goes on with a change that was left: its requests belong to it from now on.
    pub async fn take_up(&self, job: &str) -> Result<(), String> {
        match self.hold(job).await? {
            Some(held) => {
                *super::client::lock(&self.held) = Some(held);
                Ok(())
            }
            None => Err("somebody else has gone on with it: it is over".into()),
        }
    }

    /// A change is not asked about any more.
    pub async fn let_be(&self, job: &str) -> Result<(), String> {
        match self.hold(job).await? {
            Some(held) => blocking(move || held.over()).await,
            None => Ok(()),
        }
    }

    async fn hold(&self, job: &str) -> Result<Option<Held>, String> {
        let (under_way, job) = (self.under_way.clone(), job.to_owned());
        blocking(move || under_way.take(&job)).await
    }

    /// Reads what is left of a change. With `settle` it is written down what the reading shows, and a change of which
    /// nothing is left is over.
    pub async fn look_at_rest(&self, job: &str, settle: bool) -> Result<Box<Rest>, Failure> {
        let (journal, profile) = (self.journal.clone(), self.client.settings.profile.clone());
        let read = blocking(move || journal.newest(Some(&profile))).await;
        let read = read.map_err(|error| super::undo::unread(&error))?;
        let part = LastPart::last(&read, job)
            .ok_or_else(|| cannot("what was to be done was not written down"))?;
        let mut inspection = Inspection {
            writing: self,
            part: &part,
            settle,
            found: vec![format!("{}.", part.words())],
        };
        let (change, end) = match &part.intent {
            Intent::Suites { adds, plan, .. } => {
                let (newest, run) = part.request_and_run()?;
                let undo = newest.kept("undo of").and_then(|of| of.as_str());
                inspection.suites((&run, undo), (*adds, plan)).await?
            }
            Intent::Create { plan, after } => {
                let rest = inspection.making(plan).await?;
                match after {
                    0 => {}
                    1 => inspection.says("1 more run was not made."),
                    more => inspection.says(format!("{more} more runs were not made.")),
                }
                rest
            }
            Intent::Save => (None, inspection.saving().await?),
            Intent::Delete => (None, inspection.deleting().await?),
        };
        let found = inspection.found;
        let rest = Rest {
            job: job.to_owned(),
            found,
            change,
            end,
        };
        if settle && rest.is_over() {
            self.let_be(job).await.map_err(|why| cannot(&why))?;
        }
        Ok(Box::new(rest))
    }
}

/// Reads what came of the last part of a change.
struct Inspection<'a> {
    writing: &'a Writing,
    part: &'a LastPart<'a>,
    /// What the reading shows is written down.
    settle: bool,
    /// What was sent and what the reading shows, a sentence each.
    found: Vec<String>,
}

impl Inspection<'_> {
    fn says(&mut self, sentence: impl Into<String>) {
        self.found.push(sentence.into());
    }

    /// The run; nothing where it is gone.
    async fn run_of(&self, run: &DocRef) -> Result<Option<Document>, Failure> {
        match self.writing.client.reader.get_document(run).await {
            Ok(document) => Ok(Some(document)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Writes down what a reading shows of writes that have no end yet.
    async fn settle(&self, said: impl Fn(&WriteRecord) -> Recorded) {
        let open = |write: &&WriteRecord| !matches!(write.last(), Some(Recorded::Confirmed { .. }));
        let open = self
            .part
            .writes
            .iter()
            .copied()
            .filter(|_| self.settle)
            .filter(open);
        for write in open {
            self.writing
                .record(&write.run, &write.run_name, &write.write, said(write))
                .await;
        }
    }

    async fn gone(&mut self) -> End {
        self.says(format!(
            "{} is gone by now: there is nothing to go on with.",
            self.part.name
        ));
        let what = "looked at later: the run is gone";
        self.settle(|_| Recorded::Differs { what: what.into() })
            .await;
        End::NotSent(Why::NothingToDo)
    }

    /// The suites of a plan that are not in effect.
    async fn suites(
        &mut self,
        (run, undo_of): (&DocRef, Option<&str>),
        (adds, plan): (bool, &[(DocRef, String)]),
    ) -> Result<(Option<SuiteChange>, End), Failure> {
        let Some(document) = self.run_of(run).await? else {
            return Ok((None, self.gone().await));
        };
        let row = RunRow::from_document(&document);
        let name = row.name().to_owned();
        if row.status == Status::Inactive {
            self.says(format!(
                "{name} is closed by now: its suites can be neither read nor changed."
            ));
            return Ok((None, End::Unknown));
        }
        let row = self
            .writing
            .client
            .listed(run, row.id.as_deref())
            .await
            .unwrap_or(row);
        let size = self.writing.client.settings.page_size;
        let list = available_suites(&self.writing.client, run, size, &|_, _| {}).await;
        let list = list.map_err(|fault| failure(&fault))?;
        let free: HashSet<&DocRef> = list.refs().collect();
        let in_effect = |suite: &DocRef| free.contains(suite) != adds;
        let sent = self.part.sent();
        let (done, open): (Vec<_>, Vec<_>) = plan
            .iter()
            .cloned()
            .partition(|(suite, _)| in_effect(suite));
        let was_sent = |suites: &[(DocRef, String)]| {
            suites
                .iter()
                .filter(|(suite, _)| sent.contains(suite))
                .count()
        };
        let (done_sent, open_sent) = (was_sent(&done), was_sent(&open));
        let (into, by_now) = if adds {
            ("added to", "in it")
        } else {
            ("removed from", "out of it")
        };
        if done_sent > 0 {
            self.says(format!(
                "{} {into} {name}, as a reading shows.",
                count(done_sent)
            ));
        }
        match open_sent {
            0 => {}
            open => self.says(format!(
                "{} sent, and the reading shows no effect: they are among those that are left.",
                were(open)
            )),
        }
        match done.len() - done_sent {
            0 => {}
            more => self.says(format!("{} not sent and {by_now} by now.", were(more))),
        }
        if let Intent::Suites {
            then_deletes: true, ..
        } = self.part.intent
        {
            self.says(format!("{name} itself is not deleted: delete it anew."));
        } else if open.is_empty() {
            self.says("Nothing is left to be sent.");
        }
        if !open.is_empty() {
            self.says(format!("{} left.", are(open.len())));
        }
        self.settle(|write| {
            let asked = write.suites();
            let missing = asked.iter().filter(|(suite, _)| !in_effect(suite)).count();
            if missing == 0 {
                let how = if adds {
                    "not free any more"
                } else {
                    "free again"
                };
                Recorded::Confirmed {
                    how: format!("looked at later: {how}"),
                }
            } else {
                let what = format!(
                    "looked at later: no effect seen for {missing} of {}",
                    asked.len()
                );
                Recorded::Differs { what }
            }
        })
        .await;
        let change = (!open.is_empty()).then(|| SuiteChange {
            undo_of: undo_of.map(str::to_owned),
            ..SuiteChange::of(&row, adds, open)
        });
        Ok((change, End::Done))
    }

    /// A run that may have been made, and the suites that go into it.
    async fn making(
        &mut self,
        plan: &[(DocRef, String)],
    ) -> Result<(Option<SuiteChange>, End), Failure> {
        let write = self
            .part
            .newest()
            .ok_or_else(|| cannot("it has no request"))?;
        let run = match DocRef::parse(&write.run) {
            Ok(run) => run,
            Err(_) => {
                let titles = [write.run_name.clone()];
                let journal = Some(self.writing.journal.clone());
                let looked = self
                    .writing
                    .client
                    .look_again(journal, &titles, write.at)
                    .await?;
                let [run] = &looked.found[..] else {
                    self.says(format!(
                        "Looked for it: {}. It is not sent again.",
                        looked.words
                    ));
                    return Ok((None, End::Unknown));
                };
                run.doc_ref.clone()
            }
        };
        let Some(document) = self.run_of(&run).await? else {
            return Ok((None, self.gone().await));
        };
        let name = RunRow::from_document(&document).full_name();
        self.says(format!("The run was made: {}.", short(&name)));
        if self.settle {
            let how = "looked at later: it is there".to_owned();
            self.writing
                .record(
                    run.as_str(),
                    &name,
                    &write.write,
                    Recorded::Confirmed { how },
                )
                .await;
        }
        if plan.is_empty() {
            return Ok((None, End::Done));
        }
        // None of them was sent, or the last part would be theirs.
        self.settle = false;
        self.suites((&run, None), (true, plan)).await
    }

    /// Whether fields hold what was to be put into them.
    async fn saving(&mut self) -> Result<End, Failure> {
        let (write, run) = self.part.request_and_run()?;
        let Some(document) = self.run_of(&run).await? else {
            return Ok(self.gone().await);
        };
        let (_, wanted) = write
            .texts()
            .ok_or_else(|| cannot("its fields were not written down"))?;
        let differs = differing(&wanted, &texts_of(&document));
        if differs.is_empty() {
            self.says(format!(
                "{} has the new values, as a reading shows.",
                self.part.name
            ));
            let how = "looked at later: the new values are there";
            self.settle(|_| Recorded::Confirmed { how: how.into() })
                .await;
            return Ok(End::Done);
        }
        self.says(format!(
            "{} does not have the new values: {}.",
            self.part.name,
            differs.join("; ")
        ));
        self.says("It was not saved, or somebody has written over it since.");
        Ok(End::Unknown)
    }

    /// Whether a run is gone.
    async fn deleting(&mut self) -> Result<End, Failure> {
        let (_, run) = self.part.request_and_run()?;
        if self.run_of(&run).await?.is_some() {
            self.says(format!("{} is there, as a reading shows.", self.part.name));
            return Ok(End::Unknown);
        }
        self.says(format!("{} is gone, as a reading shows.", self.part.name));
        let how = "looked at later: the run is not found any more";
        self.settle(|_| Recorded::Confirmed { how: how.into() })
            .await;
        Ok(End::Done)
    }
}

fn count(suites: usize) -> String {
    if suites == 1 {
        "1 suite".into()
    } else {
        format!("{suites} suites")
    }
}

fn were(suites: usize) -> String {
    let were = if suites == 1 { "was" } else { "were" };
    format!("{} {were}", count(suites))
}

fn are(suites: usize) -> String {
    let are = if suites == 1 { "is" } else { "are" };
    format!("{} {are}", count(suites))
}

fn cannot(why: &str) -> Failure {
    local("going on with a change", why, "my changes show it")
}
