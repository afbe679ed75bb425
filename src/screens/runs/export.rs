//! Export of the runs of a view to a file: from memory if the list is complete and fresh, else after all runs are read.

use super::{Runs, none_here};
use crate::domain::Format;
use crate::mirror::{Depth, RunsQuery};
use crate::screens::choices::choose_export;
use crate::screens::prelude::*;
use crate::screens::{FRESH, clock};
use crate::store::ExportedRuns;

/// An export whose runs are being read, with the query at its start.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    format: Format,
    /// Name of the tab.
    view: String,
    query: Box<RunsQuery>,
}

impl Runs {
    /// Asks the user for the format of the file.
    pub(super) fn ask_for_export(&self, cx: &mut Cx) {
        if self.export.is_some() {
            let stops = cx
                .shared
                .then_key(": ", Layer::Runs, &Action::Back, "gives it up");
            return cx.say(format!("an export is under way{stops}"));
        }
        let answer = self.answer.as_ref();
        let has_none = answer.is_some_and(|answer| answer.overview.project.extent.here == 0);
        if self.list.marks.is_empty() && self.len() == Some(0) && has_none {
            return cx.say(none_here(self.answer.as_deref()));
        }
        let title = if self.list.marks.is_empty() {
            "Export all runs of the view as"
        } else {
            "Export the marked runs as"
        };
        choose_export(title, cx);
    }

    /// Exports the marked runs as last read, else all runs of the view.
    pub(super) fn begin_export(&mut self, format: Format, cx: &mut Cx) {
        let marked = self.marked();
        if !marked.is_empty() {
            let older = marked.iter();
            let older = older.filter_map(|run| run.older_counts(self.read_at()));
            let read = older.min().map(|at| clock(cx).when(at));
            return cx.effect(Effect::ExportRuns {
                view: "marked".into(),
                format,
                runs: ExportedRuns::These(marked),
                is_complete: true,
                read,
            });
        }
        let Some(query) = self.asked.clone() else {
            return cx.say("nothing can be read yet");
        };
        let export = Export {
            format,
            view: self.view.name.clone(),
            query,
        };
        let is_new = |at: i64| (0..=FRESH).contains(&(cx.now - at));
        let is_fresh = self.read_at().is_some_and(is_new) && self.oldest().is_none_or(is_new);
        let is_whole = self.extent().is_complete;
        if is_fresh && is_whole && self.answered().is_some() {
            return export.write(true, None, cx);
        }
        if let Some(at) = self.read_at()
            && cx.shared.away_since.is_some()
        {
            let at = self.oldest().map_or(at, |oldest| oldest.min(at));
            return export.write(is_whole, Some(clock(cx).when(at)), cx);
        }
        if !cx.shared.signed_in {
            let signs_in = cx
                .shared
                .then_key("; ", Layer::Runs, &Action::Refresh, "signs in");
            return cx.say(format!(
                "not signed in: nothing can be read for an export{signs_in}"
            ));
        }
        // Whether the service finds a part of a configuration is not known.
        let mut lists = Vec::new();
        for list in &export.query.tab.lists {
            for list in [list.of_any_configuration(), list.clone()] {
                if !lists.contains(&list) {
                    lists.push(list);
                }
            }
        }
        self.export = Some(Box::new(export));
        cx.request(Slot::AllRuns, Request::read_runs(Depth::List, lists, None));
        cx.say("Export: reading the runs…");
    }

    /// Takes the end of the reading and writes the file, or reports the failure.
    pub(super) fn export_read(&mut self, result: Result<bool, Failure>, cx: &mut Cx) {
        let Some(export) = self.export.take() else {
            return;
        };
        match result {
            Ok(is_whole) => export.write(is_whole, None, cx),
            Err(failure) => {
                cx.complain(format!(
                    "Export broken off, no file was made: {}",
                    failure.cause
                ));
                cx.errors.push(cx.now, failure);
            }
        }
    }

    /// Cancels the export. Returns true if one was running.
    pub(super) fn give_up_export(&mut self, cx: &mut Cx) -> bool {
        cx.give_up(&Slot::AllRuns);
        self.export.take().is_some()
    }
}

impl Export {
    fn write(self, is_whole: bool, read: Option<String>, cx: &mut Cx) {
        cx.effect(Effect::ExportRuns {
            view: self.view,
            format: self.format,
            runs: ExportedRuns::Found(self.query),
            is_complete: is_whole,
            read,
        });
    }
}
