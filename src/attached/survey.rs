//! The calls around the verdict: count, lists, count.

use super::pass::{Pass, SurveyLimits, SurveyProgress, Surveyed};
use super::{Cache, PriorKnowledge, State, SurveySource};
use crate::domain::DocRef;

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
    let pass = Pass {
        source,
        target,
        known,
        settings,
        cache,
        progress,
    };
    let first = pass.run().await?;
    if !matches!(first.attached.state, State::Changing | State::Conflict) {
        return Ok(first);
    }
    progress(SurveyProgress::Again);
    let cache = &Cache::default();
    Pass { cache, ..pass }.run().await
}
