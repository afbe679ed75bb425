//! Sending a change of suites, and its end in one line.

use std::sync::Arc;

use super::{Action, Cx, Fact, Lasts, Layer, Notice, Request, Shared, Slot};
use crate::domain::{Changing, ChunkResult, DocRef, End, Outcome, SuiteChange, Why};
use crate::mirror::Run;

/// Sends the change.
pub fn begin(change: Box<SuiteChange>, cx: &mut Cx) {
    if let Some(job) = &change.goes_on {
        cx.shared.forget_unfinished(job);
    }
    cx.shared.changing = Some(Changing {
        change: SuiteChange::clone(&change),
        answered: 0,
    });
    cx.request(Slot::ChangeSuites, Request::ChangeSuites(change));
}

/// Counts an answered request of the change.
pub fn answered(step: &ChunkResult, cx: &mut Cx) {
    if let Some(changing) = cx.shared.changing.as_mut().filter(|_| step.good) {
        changing.answered += 1;
    }
}

/// Reports the end of a change; its message names keys of the visible screen, of undoing only where they are about the run
/// of the change.
pub fn ended(outcome: &Outcome, (screen, on): (Layer, Option<Arc<Run>>), cx: &mut Cx) {
    let Some(Changing { change, .. }) = cx.shared.changing.take() else {
        return;
    };
    let bad = !outcome.is_complete();
    let mut ends = outcome.parts.iter().map(|part| part.end);
    let done = outcome.done_parts();
    let mut text = outcome.words(change.deed());
    if !text.ends_with(['.', '…']) {
        text.push('.');
    }
    let undoes = on.is_none_or(|run| run.doc_ref == change.run);
    let remedy = remedy(&change, outcome, (screen, undoes), &cx.shared);
    cx.notice = Some(Notice::new(text, bad).then(remedy).lasts(Lasts::EndOfWrite));
    if let Some(row) = &outcome.row {
        let run = Arc::new(Run::new(row, cx.now));
        cx.saw_run((**row).clone(), run);
    }
    cx.learn(Fact::WroteSuites {
        run: change.run,
        adds: change.adds,
        done,
        count: outcome.suite_count,
        unsure: outcome.end == End::Unknown || ends.any(|end| end == End::Unknown),
    });
}

/// Returns the possible next step.
fn remedy(
    change: &SuiteChange,
    outcome: &Outcome,
    (screen, undoes): (Layer, bool),
    shared: &Shared,
) -> String {
    if outcome.is_complete() {
        return match change.undo_of {
            _ if outcome.parts.is_empty() => String::new(),
            None if !undoes => String::new(),
            None => shared.key_does(screen, &Action::Undo, "undoes it."),
            // The next undo goes further back.
            Some(_) => match &*shared.redoes(" ", screen) {
                "" => "Taken back.".to_owned(),
                redoes => format!("Taken back.{redoes}."),
            },
        };
    }
    let left = |unsure: bool| {
        let parts = outcome.parts.iter();
        let left: Vec<&DocRef> = parts
            .filter(|part| part.end != End::Done && (part.end == End::Unknown) == unsure)
            .map(|part| &part.of)
            .collect();
        change.names(|(suite, _)| left.contains(&suite))
    };
    // The suites of an undo were not marked, and a single one need not have been.
    let words = if change.undo_of.is_some() || change.suites.len() == 1 {
        let ends = [("Not known", left(true)), ("Not done", left(false))];
        let told = ends
            .into_iter()
            .filter_map(|(end, names)| Some(format!("{end}: {}.", names?)));
        told.collect::<Vec<_>>().join(" ")
    } else {
        let left = outcome.other_parts();
        let names = change.names(|(suite, _)| left.contains(suite));
        names.map_or_else(String::new, |names| format!("Still marked: {names}."))
    };
    let more = match outcome.end {
        End::Unknown => "shows it, and looks at it again.",
        // Only what was about to be sent is written down.
        End::NotSent(why) if ![Why::Offline, Why::SignedOut].contains(&why) => return words,
        _ => "shows more.",
    };
    let more = shared.key_does(screen, &Action::Show(Layer::Journal), more);
    format!("{words} {more}").trim().to_owned()
}
