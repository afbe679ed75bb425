//! The runs of a view in a file: all of them are read, then those that the list would show go out in its order.

use std::collections::HashSet;

use super::{Runs, in_order};
use crate::domain::diff::News;
use crate::domain::fields::SEARCHED;
use crate::domain::{DocRef, Failure, Format, Only, ReadList, RunRow, View, text};
use crate::store::earlier::MOST_TOGETHER;
use crate::store::{Action, Choice, Cx, Effect, Entry, Layer, PickerKind, Slot, SortedBy, What};
use crate::ui::list::Words;
use crate::ui::text::thousands;

/// Runs that are read for a file at most: all of them are kept until it is written.
const MOST: u64 = 50_000;

/// What is on its way to a file: the list as it was when somebody asked for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    format: Format,
    view: View,
    /// The words that are looked for here.
    words: String,
    /// The order that the service does not know.
    order: Option<SortedBy>,
    /// All runs that the service finds, once they are read.
    read: Option<Box<ReadList<RunRow>>>,
}

/// How many of these are known to be deleted by now.
fn gone_of(runs: &[RunRow], cx: &Cx) -> String {
    let feed = &cx.shared.feed;
    let vanished = What::News(News::Vanished);
    let entries = feed.entries.iter().filter(|entry| entry.what == vanished);
    let vanished: HashSet<_> = entries.filter_map(|entry| entry.run.as_ref()).collect();
    let is_gone = |run: &DocRef| vanished.contains(run) && feed.known(run).is_none();
    match runs.iter().filter(|row| is_gone(&row.doc_ref)).count() {
        0 => String::new(),
        gone => format!(", {gone} of them deleted by now,"),
    }
}

impl Runs {
    /// Asks what kind of file it is to be.
    pub(super) fn ask_for_export(&self, cx: &mut Cx) {
        if self.export.is_some() {
            let stops = cx
                .shared
                .then_key(": ", Layer::Runs, &Action::Back, "gives it up");
            return cx.say(format!("an export is under way{stops}"));
        }
        let kinds = [
            ("CSV", "for a spreadsheet", Format::Csv),
            ("Markdown", "a table", Format::Markdown),
            ("JSON", "for programs", Format::Json),
        ];
        let entries = kinds.map(|(label, detail, format)| Entry {
            detail: detail.to_owned(),
            ..Entry::new(label, Choice::Export(format))
        });
        let title = if self.marks.is_empty() {
            "Export all runs of the view as"
        } else {
            "Export the marked runs as"
        };
        cx.choose(title, PickerKind::Rows, entries);
    }

    /// Writes the marked runs as they were read last, else reads all runs of the view.
    pub(super) fn begin_export(&mut self, format: Format, cx: &mut Cx) {
        let runs = self.marked();
        if !runs.is_empty() {
            return cx.effect(Effect::ExportRuns {
                what: text::count(runs.len(), "run") + &gone_of(&runs, cx),
                view: "marked".into(),
                format,
                full_size: runs.len() as u64,
                runs,
                operation: self.operation,
                done: cx.shared.done_codes().to_vec(),
            });
        }
        if !cx.shared.signed_in {
            return cx.say("not signed in: nothing can be read for an export");
        }
        let searches = self.asks_service();
        let words = self.search.text().trim();
        self.export = Some(Box::new(Export {
            format,
            view: self.view.clone(),
            words: if searches { "" } else { words }.to_owned(),
            order: self.loaded_order,
            read: None,
        }));
        let filter = if searches {
            self.searched_filter()
        } else {
            self.chosen_filter()
        };
        let compares = self.view.only.is_some_and(Only::compares);
        let at_most = if compares { MOST_TOGETHER } else { MOST };
        let sort = self.window().sort.clone();
        cx.request(Slot::AllRuns, |id| Effect::ReadRuns {
            id,
            filter,
            sort,
            at_most,
        });
        cx.say("Export: reading the runs…");
    }

    /// Some of the runs are here.
    pub(super) fn export_progress(received: u64, full_size: u64, cx: &mut Cx) {
        let (received, full_size) = (thousands(received), thousands(full_size));
        cx.progress(format!("Export: {received} of {full_size} runs…"));
    }

    /// All runs are here, or not.
    pub(super) fn export_read(
        &mut self,
        result: Result<Box<ReadList<RunRow>>, Failure>,
        cx: &mut Cx,
    ) {
        let Some(export) = &mut self.export else {
            return;
        };
        match result {
            Ok(read) => {
                if export.view.only.is_some_and(Only::compares) {
                    cx.shared.earlier.saw(&read.entries);
                    cx.progress("Export: comparing with how the runs stood before today…");
                }
                export.read = Some(read);
                self.go_on_with_export(cx);
            }
            Err(failure) => {
                self.export = None;
                cx.complain(format!(
                    "Export broken off, no file was made: {}",
                    failure.came_back
                ));
                cx.errors.push(cx.now, failure);
            }
        }
    }

    /// Writes the runs, once all is known that says which of them.
    pub(super) fn go_on_with_export(&mut self, cx: &mut Cx) {
        let Some(export) = self.export.take_if(|export| {
            let compares = export.view.only.is_some_and(Only::compares);
            export.read.is_some() && !(compares && cx.shared.earlier.waits())
        }) else {
            return;
        };
        let Some(read) = export.read else { return };
        let done = cx.shared.done_codes().to_vec();
        let mut words = Words::new(&export.words);
        let mut runs = read.entries;
        runs.retain(|row| {
            cx.shared.fits(export.view.only, row)
                && words.fit(SEARCHED.iter().filter_map(|field| field.text_of(row)))
        });
        if let Some(order) = export.order {
            in_order(&mut runs, order, &done, |row| row);
        }
        if runs.is_empty() {
            return cx.say("Export: no run to write, no file was made");
        }
        if read.unsorted {
            cx.complain("the service refused the sort order: the file is in its own order");
        }
        cx.effect(Effect::ExportRuns {
            what: text::count(runs.len(), "run"),
            view: export.view.name,
            format: export.format,
            runs,
            full_size: read.full_size,
            operation: read.operation,
            done,
        });
    }

    /// Nothing is read for a file any more; whether anything was.
    pub(super) fn give_up_export(&mut self, cx: &mut Cx) -> bool {
        cx.give_up(&Slot::AllRuns);
        self.export.take().is_some()
    }
}
