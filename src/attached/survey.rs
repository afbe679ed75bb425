//! The calls around the verdict: count, lists, count.

use super::round::Round;
use super::{Attached, Cache, PriorKnowledge, State, SurveySource};
use crate::domain::DocRef;

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SurveyLimits {
    /// Entries asked for in one page.
    pub page_size: u32,
    /// Most other runs whose lists are read.
    pub most_runs: usize,
    /// Bytes of their lists after which no further one is read: a service may make the texts of its suites long.
    pub most_bytes: usize,
}

impl Default for SurveyLimits {
    fn default() -> Self {
        Self {
            page_size: 50,
            most_runs: 40,
            most_bytes: 64 << 20,
        }
    }
}

/// How far a survey is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SurveyProgress {
    /// The runs of the scope are listed.
    Runs,
    /// A run is sought that holds no suites.
    SeekingEmpty {
        /// Name of the run that is asked about.
        run: String,
    },
    /// A list is read.
    List {
        /// Name of the run.
        run: String,
        /// Entries received.
        received: u64,
        /// Entries in all.
        full_size: u64,
        /// Which list this is, from 1.
        list: usize,
        /// Lists to be read at most.
        lists: usize,
    },
    /// The numbers are read once more.
    Closing,
    /// Something changed meanwhile: once more from the start.
    Again,
}

impl std::fmt::Display for SurveyProgress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Runs => f.write_str("listing the runs of the scope"),
            Self::SeekingEmpty { run } => write!(f, "looking for an empty run: {run}"),
            Self::List {
                run,
                received,
                full_size,
                list,
                lists,
            } => {
                write!(
                    f,
                    "{run}: {list} of {lists} lists, {received} of {full_size} suites"
                )
            }
            Self::Closing => f.write_str("reading the numbers once more"),
            Self::Again => f.write_str("something changed meanwhile: once more"),
        }
    }
}

/// What came of a survey.
#[derive(Clone, Debug, PartialEq)]
pub struct Surveyed {
    /// The verdict.
    pub attached: Attached,
    /// What the next survey may make use of.
    pub cache: Cache,
}

/// Works out which suites are in a run, with at most two calls at once. Read once more, and then without `cache`, if
/// something changed under way.
/// Dropping the future gives it up; nothing is written anywhere.
pub async fn survey<S: SurveySource>(
    source: &S,
    target: &DocRef,
    known: &PriorKnowledge,
    settings: SurveyLimits,
    cache: &Cache,
    progress: &(dyn Fn(SurveyProgress) + Send + Sync),
) -> Result<Surveyed, S::Error> {
    let round = Round {
        source,
        target,
        known,
        settings,
        cache,
        progress,
    };
    let first = round.run().await?;
    if !matches!(first.attached.state, State::Changing | State::Conflict) {
        return Ok(first);
    }
    progress(SurveyProgress::Again);
    let cache = &Cache::default();
    Round { cache, ..round }.run().await
}
