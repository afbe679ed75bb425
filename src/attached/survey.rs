//! The calls around the verdict: count, lists, count.

use super::calls::{Bounded, CallEnd, Calls};
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
        calls: None,
        progress,
    };
    let first = pass.run().await?;
    if !is_doubtful(&first) {
        return Ok(first);
    }
    progress(SurveyProgress::Again);
    let cache = &Cache::default();
    Pass { cache, ..pass }.run().await
}

/// The same with at most so many calls of lists; nothing if that is too few to know anything.
pub async fn survey_within<S: SurveySource>(
    most: usize,
    source: &S,
    target: &DocRef,
    known: &PriorKnowledge,
    settings: SurveyLimits,
) -> Result<Option<Surveyed>, S::Error> {
    let calls = Calls::at_most(most);
    let pass = Pass {
        source: &Bounded {
            source,
            calls: &calls,
        },
        target,
        known,
        // Without counts each of them is asked whether it is empty.
        settings: SurveyLimits {
            most_runs: settings.most_runs.min(most / 2),
            ..settings
        },
        cache: &Cache::default(),
        calls: Some(&calls),
        progress: &|_| (),
    };
    let told = |result| match result {
        Ok(surveyed) => Ok(Some(surveyed)),
        Err(CallEnd::Enough) => Ok(None),
        Err(CallEnd::Call(error)) => Err(error),
    };
    let first = told(pass.run().await)?;
    if !first.as_ref().is_some_and(is_doubtful) || !calls.may_repeat() {
        return Ok(first);
    }
    Ok(told(pass.run().await)?.or(first))
}

fn is_doubtful(surveyed: &Surveyed) -> bool {
    matches!(surveyed.attached.state, State::Changing | State::Conflict)
}
