//! Undo of own writes, and the continuation of those without an end: the requests are worked out by reading, shown, and
//! only then sent.

use std::sync::Arc;

use super::{Action, Cx, Lasts, Layer, Notice, Open, Plan, Preview, Request, Slot};
use crate::domain::{
    End, Failure, FailureKind, SuiteChange, Undo, UndoBy, UndoOf, Unfinished, UnfinishedChange,
};
use crate::mirror::Run;

/// Asks for the plan of an undo, to show it at the same place. Only reads.
pub fn plan(of: UndoOf, here: Layer, cx: &mut Cx) {
    if !cx.may_write() {
        return;
    }
    cx.give_up_all(|slot| matches!(slot, Slot::Undo(_)));
    cx.say("reading how it can be taken back; nothing is changed yet");
    cx.request(Slot::Undo(here), Request::PlanUndo(of));
}

/// Shows the plan if the user has not left the place of the request.
pub fn planned(asked: Layer, here: Layer, result: Result<Box<Undo>, Failure>, cx: &mut Cx) {
    let undo = match result {
        Ok(undo) => undo,
        Err(failure) if failure.kind == FailureKind::Nothing => return cx.say(failure.cause),
        Err(failure) => return cx.failed(failure),
    };
    if asked != here {
        cx.progress(format!(
            "It was read how to undo \"{}\": ask again to see it",
            undo.what
        ));
        return;
    }
    if !cx.may_write() {
        return;
    }
    cx.notice = None;
    cx.close(Layer::Journal);
    // Its result is known by now, and the next box may be below it.
    cx.close(Layer::Delete);
    let mut notes = vec![format!(
        "This takes back: {}.",
        undo.what.trim_end_matches('.')
    )];
    notes.extend(undo.warnings.iter().cloned());
    match &undo.by {
        UndoBy::Modify { .. } | UndoBy::Rebuild(_) => cx.open(Open::Undo(undo)),
        UndoBy::Suites(change) if change.suites.is_empty() => {
            cx.say(format!("nothing is left of it to take back: {}", undo.what));
        }
        UndoBy::Suites(change) => {
            let mut change = change.clone();
            change.undo_of.get_or_insert(undo.write);
            cx.confirm(Preview::new(Plan::Suites(change), notes));
        }
        UndoBy::Delete(row) => cx.open(Open::Delete {
            runs: vec![Arc::new(Run::new(row, cx.now))],
            undo_of: Some(undo.write),
            notes,
        }),
    }
}

/// Stores changes with unknown end; right after the start the oldest is reported, which is resumed first. A sign-in that
/// is tried again reports none a second time.
pub fn on_unfinished(changes: Vec<Unfinished>, first: bool, cx: &mut Cx) {
    let known = &cx.shared.unfinished;
    let is_known = |change: &Unfinished| known.iter().any(|it| it.job == change.job);
    let is_new = first && !changes.iter().all(is_known);
    if let Some(oldest) = changes.first().filter(|_| is_new) {
        let words = match changes.len() {
            1 => "shows it".to_owned(),
            more => format!("shows all {more} of which the end is not known"),
        };
        let shows = Action::Show(Layer::Journal);
        let there = oldest.elsewhere.as_ref();
        let why = there.map_or_else(String::new, |why| format!("; {why}"));
        let notice = Notice::new(format!("{}{why};", oldest.words), true);
        let notice = notice.then(cx.shared.key_does(Layer::Runs, &shows, &words));
        if there.is_none() {
            // The first reading has messages, too.
            cx.notice = Some(notice.lasts(Lasts::EndOfWrite));
        } else if !cx.notice.as_ref().is_some_and(|shown| shown.bad) {
            // Nothing can be done about it here: why nobody is signed in matters more.
            cx.notice = Some(notice.lasts(Lasts::EndElsewhere));
        }
    }
    cx.shared.unfinished = changes;
}

/// Reads the remainder of a change without an end, to show it at the same place.
pub fn read_unfinished(job: String, here: Layer, cx: &mut Cx) {
    if !cx.may_write() {
        return;
    }
    cx.give_up_all(|slot| matches!(slot, Slot::Unfinished(_)));
    cx.say("reading what is left of it; nothing is sent yet");
    cx.request(Slot::Unfinished(here), Request::ReadUnfinished { job });
}

/// Shows the remainder and asks; true if nothing remains.
pub fn on_unfinished_read(
    asked: Layer,
    here: Layer,
    result: Result<Box<UnfinishedChange>, Failure>,
    cx: &mut Cx,
) -> bool {
    let rest = match result {
        Ok(rest) => *rest,
        Err(failure) => {
            cx.failed(failure);
            return false;
        }
    };
    if rest.is_settled() {
        cx.shared.forget_unfinished(&rest.job);
        // The user knows what was sent.
        let found = rest.found.get(1..).filter(|found| !found.is_empty());
        cx.say(found.unwrap_or(&rest.found).join(" "));
        return true;
    }
    if asked != here {
        cx.progress("It was read what is left of the change: ask again to see it");
    } else if cx.may_write() {
        cx.notice = None;
        cx.close(Layer::Journal);
        if let Some(row) = rest.left {
            cx.open(Open::Delete {
                runs: vec![Arc::new(Run::new(&row, cx.now))],
                undo_of: None,
                notes: rest.found,
            });
            return false;
        }
        let in_doubt = rest.end == End::Unknown;
        let plan = match rest.change {
            Some(change) => Plan::Suites(Box::new(SuiteChange {
                goes_on: Some(rest.job),
                ..change
            })),
            None => Plan::LetBe { job: rest.job },
        };
        cx.confirm(Preview {
            in_doubt,
            ..Preview::new(plan, rest.found)
        });
    }
    false
}
