//! Plans and results of creating, changing and deleting test runs.

use super::prelude::*;
use super::{
    End, NewRun, Outcome, RunField, RunTexts, RunValues, SuiteChange, WriteRequest, is_within,
    method, project_name,
};

/// New values for fields of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Modify {
    pub run: DocRef,
    /// Name of the run for the user.
    pub run_name: String,
    /// Document that the user reviewed; nothing is sent if the service has another version now.
    pub reviewed: Document,
    /// New values of the fields to change.
    pub texts: RunTexts,
    /// Earlier values for an undo; used for fields that show the new text.
    pub values: RunValues,
    /// Write of the journal that this one undoes.
    pub undo_of: Option<String>,
}

/// New runs, one after the other, each with the same suites.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Create {
    pub runs: Vec<NewRun>,
    /// Suites to add to each run, with their names for the user.
    pub suites: Vec<(DocRef, String)>,
    /// Runs that an earlier sending may have made, as the user knows who sends again.
    pub seen: Vec<DocRef>,
    /// Origin of the runs for the journal, such as `clone of R_4`.
    pub origin: String,
    /// Write of the journal that this one undoes.
    pub undo_of: Option<String>,
}

impl Create {
    /// Returns the origin of a clone of this run, or of a new run.
    pub fn origin_of(source: Option<&str>) -> String {
        source.map_or_else(
            || "new run".to_owned(),
            |source| format!("clone of {source}"),
        )
    }

    /// Returns what is to be said of so many suites of a source of one version that go into `run`; `None` if it has the same
    /// version, or a version is empty.
    pub fn version_doubt(suites: usize, source: &str, run: &NewRun) -> Option<String> {
        let [source, run] = [source, run.text(RunField::ProjectVersionNumber)].map(str::trim);
        let is_other = source != run && !source.is_empty() && !run.is_empty();
        (is_other && suites > 0).then(|| {
            let suites = count(suites, "suite");
            format!("{suites} of {source} for a run of {run}: the service may refuse them")
        })
    }

    /// Returns the project of a run with its sub project, as [`project_name`] names it, if it is not within `here`, the one
    /// that its request names.
    pub fn other_project(run: &NewRun, here: &str) -> Option<String> {
        let [project, subproject] =
            [RunField::ProjectId, RunField::SubprojectId].map(|field| run.text(field).trim());
        let goes = project_name(project, Some(subproject).filter(|id| !id.is_empty()));
        (!is_within(&goes, here)).then_some(goes)
    }

    /// Returns the requests for each run. The reference of a run is null, as it is unknown until the run is created.
    pub fn requests(&self, locale: &str) -> Vec<WriteRequest> {
        let requests = self.runs.iter().flat_map(|run| {
            let chunks = self.suites.chunks(SuiteChange::CHUNK);
            let suites = chunks.map(|chunk| WriteRequest::suites(method::ADD_SUITES, None, chunk));
            std::iter::once(WriteRequest::create(run, locale)).chain(suites)
        });
        requests.collect()
    }
}

/// Result of one new run.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    pub run: Outcome,
    /// Result for its suites; `None` if none were asked for, or the run does not exist.
    pub suites: Option<Outcome>,
}

impl Created {
    /// Returns `true` if the run and its suites are as sent.
    pub fn is_complete(&self) -> bool {
        self.run.is_complete() && self.suites.as_ref().is_none_or(Outcome::is_complete)
    }
}

/// Findings about a form that was sent without an answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lookup {
    /// End of the request; `None` while it is not known.
    pub end: Option<End>,
    /// Runs of that title that are as new as the request. The user decides whether one of them is the result.
    pub found: Vec<RunRow>,
    /// New runs that were made for sure, with the titles that were sent.
    pub made: Vec<(DocRef, String)>,
    /// Titles of new runs that were surely not made: refused, or not sent though others of the same sending were.
    pub not_made: Vec<String>,
    /// The end in words; else the findings so far, if any.
    pub words: String,
}

/// Run to delete.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Delete {
    pub run: DocRef,
    /// Name of the run for the user.
    pub run_name: String,
    /// File of the copy, noted in the journal to rebuild the run. A probe run needs none.
    pub copy: Option<String>,
    pub is_probe: bool,
    /// Write of the journal that this one undoes.
    pub undo_of: Option<String>,
}

/// Write to undo.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum UndoOf {
    /// This write of the journal.
    Write(String),
    /// The last write of this run that can be undone.
    LastOf(DocRef),
    /// The last write that can be undone.
    Last,
}

/// Plan to undo a write; nothing is sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Undo {
    pub write: String,
    /// Description of the write.
    pub what: String,
    pub by: UndoBy,
    /// Warnings for the user before the undo.
    pub warnings: Vec<String>,
}

/// Way to undo a write.
#[derive(Clone, Debug, PartialEq)]
pub enum UndoBy {
    /// Restores old values of fields.
    Modify {
        /// Texts of the fields before the write.
        before: RunTexts,
        /// Exact values before the write, as far as kept.
        values: RunValues,
        /// Texts that the write set. If the run has others now, another user changed them.
        after: RunTexts,
        /// Current document of the run.
        now: Box<Document>,
    },
    /// Removes suites again, or adds them again.
    Suites(Box<SuiteChange>),
    /// Deletes the created run if it is empty.
    Delete(Box<RunRow>),
    /// Creates a new run from the copy of a deleted one.
    Rebuild(Create),
}

/// Change whose end was unknown when its program ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Name: its first write in the journal.
    pub job: String,
    /// Newest write.
    pub write: String,
    /// Requests that were sent, in words.
    pub words: String,
    /// Reason that it cannot be read with the profile in use as it is, and what helps.
    pub elsewhere: Option<String>,
    /// It was sent to another service: it can be let be from here all the same, as a service may have moved.
    pub is_of_other_service: bool,
}

/// Target of a write; an empty part is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct WriteTarget {
    /// `base_url` of the profile.
    pub service: String,
    /// Project and sub project, `P_9/SP_1`.
    pub project: String,
}

impl WriteTarget {
    /// True if it is at this service, or at one that is not known.
    pub fn is_at(&self, service: &str) -> bool {
        let [own, other] = [&*self.service, service].map(|it| it.trim_end_matches('/'));
        own == other || own.is_empty() || other.is_empty()
    }

    /// Returns where it is, in a few words: the host of the service or the project; `None` if it can be read from `here`.
    pub fn place(&self, here: &Self) -> Option<String> {
        self.elsewhere(here)?;
        if self.is_at(&here.service) {
            return Some(self.project.clone());
        }
        let service = self.service.split("://").last().unwrap_or_default();
        Some(service.split('/').next().unwrap_or_default().to_owned())
    }

    /// Returns why what was sent to it cannot be read from `here`, and what helps; `None` if it can.
    pub fn elsewhere(&self, here: &Self) -> Option<String> {
        let project = &self.project;
        if !self.is_at(&here.service) {
            return Some(format!(
                "it was sent to {}, and this profile is at {}: use one at that address first",
                self.service, here.service
            ));
        }
        let is_here = project.is_empty() || is_within(project, &here.project);
        (!is_here).then(|| format!("it was made in {project}: change to that project first"))
    }
}

/// Remainder of an unfinished change according to a reading. Nothing is sent yet.
#[derive(Clone, Debug, PartialEq)]
pub struct UnfinishedChange {
    pub job: String,
    /// Requests sent and findings of the reading, a sentence each.
    pub found: Vec<String>,
    /// Change that can still be sent, if any.
    pub change: Option<SuiteChange>,
    /// Probe run that is left behind, or may be: it can be deleted.
    pub left: Option<Box<RunRow>>,
    /// End if there is nothing to send: done, nothing to resume, or still unknown.
    pub end: End,
}

impl UnfinishedChange {
    /// Returns `true` if nothing is left to find out or to send.
    pub fn is_settled(&self) -> bool {
        self.change.is_none() && self.end != End::Unknown
    }
}
