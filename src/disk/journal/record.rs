//! One write, assembled from its lines.

use super::WriteStep;
use crate::disk::prelude::*;
use crate::domain::{
    DocRef, KnownChange, RunField, RunTexts, RunValues, TEST_SUITE_MODEL, WriteTarget, items,
    linked, method, text_of,
};

/// One write with all its steps.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteRecord {
    pub write: WriteId,
    /// Time of the first step read, epoch milliseconds.
    pub at: i64,
    pub profile: String,
    pub target: WriteTarget,
    /// User by whom it was sent, may be empty.
    pub user: String,
    /// Reference of the run (2.1), may be empty.
    pub run: String,
    /// Short id and title of the run at the last step.
    pub run_name: String,
    /// Steps, in the order of the file.
    pub steps: Vec<StepRecord>,
}

/// One step.
#[derive(Clone, Debug, PartialEq)]
pub struct StepRecord {
    /// Time of the step, epoch milliseconds.
    pub at: i64,
    pub step: Recorded,
}

/// Note in the journal for the number of results that a run had before a change of suites.
pub const RECORDED_BEFORE: &str = "results recorded before";

/// A profile at a service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WriteOrigin {
    pub profile: String,
    /// `base_url`; empty is any, as in lines of earlier versions.
    pub service: String,
}

impl WriteOrigin {
    /// True if a line of the journal is of it.
    pub(super) fn has(&self, line: &WriteStep) -> bool {
        line.profile == self.profile && line.target.is_at(&self.service)
    }
}

impl WriteRecord {
    /// Returns the last step, which overrides earlier ones; `None` if all are of another version.
    pub fn last(&self) -> Option<&Recorded> {
        let steps = self.steps.iter().rev().map(|step| &step.step);
        steps
            .into_iter()
            .find(|step| !matches!(step, Recorded::Other))
    }

    /// True if a reading has shown it.
    pub fn is_confirmed(&self) -> bool {
        matches!(self.last(), Some(Recorded::Confirmed { .. }))
    }

    /// True if the service has acted, by its answer or by a reading.
    pub fn is_done(&self) -> bool {
        match self.last() {
            Some(Recorded::Confirmed { .. }) => true,
            // Only this operation answers whether it was done (4.3).
            Some(Recorded::Answered { result }) => {
                self.method() != method::DELETE || result.as_bool() == Some(true)
            }
            _ => false,
        }
    }

    /// True if its run can be read from there.
    pub fn is_of(&self, here: &WriteTarget) -> bool {
        self.target.elsewhere(here).is_none()
    }

    /// True if one of its steps fits.
    pub fn has_step(&self, fits: fn(&Recorded) -> bool) -> bool {
        self.steps.iter().any(|step| fits(&step.step))
    }

    /// True if its end is not known. If the service has not acted, a differing reading proves nothing: it may act after
    /// it.
    pub fn is_unsure(&self) -> bool {
        let has_acted =
            |it: &_| matches!(it, Recorded::Answered { .. } | Recorded::Confirmed { .. });
        match self.last() {
            Some(Recorded::Differs { .. }) => !self.has_step(has_acted),
            Some(Recorded::Sent { .. } | Recorded::Unknown { .. }) => true,
            _ => false,
        }
    }

    /// State of the write in words.
    pub fn state(&self) -> &'static str {
        match self.last() {
            Some(Recorded::Differs { .. }) if !self.is_unsure() => "differs",
            Some(Recorded::Sent { .. } | Recorded::Unknown { .. } | Recorded::Differs { .. }) => {
                "end not known"
            }
            Some(Recorded::Answered { .. }) => "not checked",
            Some(Recorded::Refused { sent: true, .. }) => "refused",
            Some(Recorded::Refused { .. }) => "not sent",
            Some(Recorded::Confirmed { .. }) => "done",
            Some(Recorded::Other) | None => "told by another version",
        }
    }

    /// Name of its run: the id, if it has one.
    pub fn name(&self) -> &str {
        self.id().unwrap_or(&self.run_name)
    }

    /// Short id of its run, if it is known.
    pub fn id(&self) -> Option<&str> {
        let id = self.run_name.split(' ').next();
        id.filter(|id| id.starts_with("R_"))
    }

    /// Operation and params as sent; `None` if their line was not read.
    pub fn request(&self) -> Option<(&str, &Value)> {
        self.steps.iter().find_map(|step| match &step.step {
            Recorded::Sent { method, params, .. } => Some((method.as_str(), params)),
            _ => None,
        })
    }

    /// The operation; empty if its line was not read.
    pub fn method(&self) -> &str {
        self.request().map_or("", |(method, _)| method)
    }

    /// True if it adds suites to a run, false if it removes some, `None` for other operations.
    pub fn adds(&self) -> Option<bool> {
        match self.method() {
            method::ADD_SUITES => Some(true),
            method::REMOVE_SUITES => Some(false),
            _ => None,
        }
    }

    /// User by whom it was sent; `None` if not known.
    pub fn made_by(&self) -> Option<&str> {
        Some(&*self.user).filter(|user| !user.is_empty())
    }

    /// Title of the run that it was to create.
    pub fn new_title(&self) -> Option<&str> {
        let (method, params) = self.request()?;
        let title = params["document"]["Root"]["General"]["Title"].as_str();
        (method == method::CREATE).then(|| title.unwrap_or_default())
    }

    /// The run that it created, by its answer.
    pub fn made(&self) -> Option<DocRef> {
        self.steps.iter().find_map(|step| match &step.step {
            Recorded::Answered { result } => DocRef::parse(result["docRef"].as_str()?).ok(),
            _ => None,
        })
    }

    /// The change to which it belongs: the name of its first write.
    pub fn job(&self) -> &str {
        self.kept_text("job").unwrap_or(self.write.as_str())
    }

    /// Suites of the request, unchecked.
    pub fn named_suites(&self) -> &[Value] {
        let params = self.request().map(|(_, params)| params);
        params.map_or(&[], |params| items(&params["testSuiteDocRefs"]))
    }

    /// Suites of the request, with names if those were kept.
    pub fn suites(&self) -> Vec<(DocRef, String)> {
        let names = self.kept_list("suites");
        let name = |place: usize| names.get(place)?.as_str();
        let named = self.named_suites().iter();
        let suites = named.enumerate().filter_map(|(place, suite)| {
            let suite = DocRef::parse(suite.as_str()?).ok()?;
            let name = name(place).map_or_else(|| suite.to_string(), str::to_owned);
            Some((suite, name))
        });
        suites.collect()
    }

    /// Suites that it added or removed, by its answer or a reading.
    pub fn known_changes(&self) -> Vec<KnownChange> {
        let Some(added) = self.adds() else {
            return Vec::new();
        };
        let asked = suites_of(self.named_suites().iter().filter_map(Value::as_str));
        let (mut known, mut is_contradicted) = (None, false);
        for step in &self.steps {
            is_contradicted = match step.step {
                Recorded::Unknown { .. } | Recorded::Differs { .. } => true,
                Recorded::Sent { .. } | Recorded::Other => is_contradicted,
                _ => false,
            };
            known = match &step.step {
                // A link record in the answer names the suite (2.6), else the request does.
                Recorded::Answered { result } => {
                    let linked = suites_of(items(result).iter().flat_map(linked));
                    let is_empty = linked.is_empty();
                    Some((step.at, if is_empty { asked.clone() } else { linked }))
                }
                Recorded::Confirmed { .. } => Some((step.at, asked.clone())),
                Recorded::Refused { .. } => None,
                _ => known,
            };
        }
        let (at, suites) = known.unwrap_or_default();
        let mut names: BTreeMap<_, _> = self.suites().into_iter().collect();
        let change = |suite| {
            let name = names.remove(&suite);
            KnownChange {
                name: name.unwrap_or_else(|| suite.to_string()),
                suite,
                added,
                at,
                is_contradicted,
            }
        };
        suites.into_iter().map(change).collect()
    }

    /// Suites kept under this word: reference and name.
    pub fn kept_suites(&self, part: &str) -> Vec<(DocRef, String)> {
        let suite = |pair: &Value| {
            let suite = DocRef::parse(pair[0].as_str()?).ok()?;
            Some((suite, pair[1].as_str()?.to_owned()))
        };
        let kept = self.kept_list(part).iter();
        kept.filter_map(suite).collect()
    }

    /// Returns a part of the notes beside the request.
    pub fn kept(&self, part: &str) -> Option<&Value> {
        self.steps.iter().find_map(|step| match &step.step {
            Recorded::Sent {
                note: Some(note), ..
            } => note.get(part),
            _ => None,
        })
    }

    /// Returns the values of a list there.
    pub fn kept_list(&self, part: &str) -> &[Value] {
        self.kept(part).map_or(&[], items)
    }

    pub fn kept_text(&self, part: &str) -> Option<&str> {
        self.kept(part)?.as_str()
    }

    /// Returns the fields before and after a change; `None` if they were not kept.
    pub fn texts(&self) -> Option<(RunTexts, RunTexts)> {
        let before = self.values()?;
        let general = &self.request()?.1["document"]["Root"]["General"];
        let after = before
            .keys()
            .map(|field| (*field, text_of(general.get(field.name()))))
            .collect();
        let before = before
            .iter()
            .map(|(field, value)| (*field, text_of(value.as_ref())));
        Some((before.collect(), after))
    }

    /// Returns the exact values of the changed fields before the write; `None` if they were not kept.
    pub fn values(&self) -> Option<RunValues> {
        let before = self.kept("before")?.as_object()?;
        let there = before
            .iter()
            .filter_map(|(name, value)| Some((RunField::of_name(name)?, Some(value.clone()))));
        let missing = self.kept_list("missing").iter();
        let missing = missing.filter_map(|name| Some((RunField::of_name(name.as_str()?)?, None)));
        Some(there.chain(missing).collect())
    }
}

/// Link roles are not documented: a suite is recognized by its form.
fn suites_of<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<DocRef> {
    let references = texts.filter_map(|text| DocRef::parse(text).ok());
    references
        .filter(|it| it.model() == TEST_SUITE_MODEL)
        .collect()
}
