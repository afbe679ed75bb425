//! Updates of the runs list by actions and answers.

use crate::screens::prelude::*;
use std::collections::BTreeSet;

use super::{NOT_ASKED, Runs, none_here, view};
use crate::domain::query_language::{Grammar, RunSearch};
use crate::domain::{MOST_WATCHED, Narrowing, RunsOperation, Sort, View};
use crate::mirror::{Depth, RunsAnswer};
use crate::store::{
    CopyOf, Entry, Notice, Orders, PickerKind, Reading, RunPart, RunsRequest, Session, Watched,
};
use crate::ui::Completing;
use crate::ui::frame::MORE;
use crate::ui::list::ListRows;

impl Runs {
    /// Creates the list of another profile with the same columns and panes.
    #[must_use]
    pub fn anew(&self, session: &Session) -> Self {
        let mut runs = Self::new(session.page_size);
        let usual = self.usual_columns.as_ref();
        runs.columns.clone_from(usual.unwrap_or(&self.columns));
        runs.preview = self.preview;
        // Answers to earlier queries are ignored.
        runs.since = NOT_ASKED;
        runs.list.scroll.height = self.list.scroll.height;
        runs
    }

    /// Projects and sub projects of the loaded runs.
    pub fn projects(&self) -> BTreeSet<(String, Option<String>)> {
        let answer = self.answer.as_ref();
        answer
            .map(|answer| answer.overview.project.projects.clone())
            .unwrap_or_default()
    }

    /// Opens the run under the cursor, if it is loaded.
    fn open_current(&self, on: RunPart, cx: &mut Cx) {
        match self.current() {
            Some(run) => cx.open(Open::Run(run.clone(), on)),
            None => cx.say(none_here(self.answer.as_deref())),
        }
    }

    fn sort_by(&mut self, name: &str) {
        if let Some(order) = Sort::after(self.sorted_by(), name) {
            self.sort = vec![order];
            self.rearranged();
        }
    }

    /// Switches the tab; `wanted` gets the place of the current one and the number of tabs.
    fn use_tab(&mut self, wanted: impl FnOnce(usize, usize) -> usize, cx: &mut Cx) {
        let tabs = cx.shared.tabs();
        let here = tabs.iter().position(|view| view.name == self.view.name);
        let wanted = wanted(here.unwrap_or_default(), tabs.len());
        match tabs.into_iter().nth(wanted) {
            Some(view) if view.name == self.view.name && self.before.is_none() => {
                cx.say("this is that tab");
            }
            Some(view) => {
                let held = self.left_on.remove(&view.name);
                if self.list.scroll.cursor > 0 && self.before.is_none() {
                    let tab = self.view.name.clone();
                    self.left_on.insert(tab, self.held.clone());
                }
                self.use_view(view, cx);
                self.held = held.unwrap_or_default();
            }
            None => cx.say(format!("there is no tab {}", wanted + 1)),
        }
    }

    /// Handles Esc if an export is under way or another screen listed these runs; else returns false.
    fn go_back(&mut self, cx: &mut Cx) -> bool {
        if self.give_up_export(cx) {
            cx.say("Export given up, no file was made");
        } else if let Some(before) = self.before.take() {
            self.list.search.clear();
            self.use_view(before.view, cx);
            self.chosen = before.chosen;
            self.list.search.words = Input::with_text(&before.words);
            // In place of words that cannot be read.
            self.wanted = RunSearch::default();
            self.words_changed(cx);
            self.held = before.held;
            cx.anywhere(Action::NextScreen);
        } else {
            return false;
        }
        true
    }

    /// Completes the word at the cursor of the text field.
    fn complete(&mut self, action: &Action, cx: &mut Cx) {
        let values = self.offered_facets();
        let words = &mut self.list.search.words;
        if self.completing.key(words, action, Grammar::Search(&values)) {
            cx.shared.found.begin();
            self.words_changed(cx);
        }
    }

    /// Handles a key of the list; returns other keys.
    fn update_list(&mut self, action: Action, cx: &mut Cx) -> Option<Action> {
        let (words, cursor) = (self.list.search.text().to_owned(), self.list.scroll.cursor);
        let typing = self.list.search.typing;
        let enters = typing && action == Action::Open;
        let mut moves = matches!(action, Action::Move(motion) if motion.is_beside_typing());
        match action {
            _ if typing => {}
            // A key before the first rows counts, too: the cursor is brought into the list later.
            Action::Move(motion) if self.len().is_none() => {
                self.list.scroll.go(motion, usize::MAX);
                self.list.scroll.top = 0;
                self.pin();
                return None;
            }
            Action::Move(_) | Action::Point(_) => moves = true,
            // The rows are those of an older query.
            _ if self.answered().is_none()
                && (matches!(action, Action::Mark | Action::MarkRange | Action::MarkAll)
                    || self.list.marks.anchor.is_some() && self.answer.uses_marks(&action)) =>
            {
                cx.say(none_here(self.answer.as_deref()));
                return None;
            }
            Action::Back if self.list.marks.anchor.is_none() && self.go_back(cx) => return None,
            Action::LastScreen if self.before.is_some() && self.go_back(cx) => return None,
            _ => {}
        }
        let other = self.list.update(action, &self.answer, cx);
        if self.list.search.text() != words {
            self.words_changed(cx);
        }
        if typing && !self.list.search.typing && self.problem.is_some() {
            // While it is typed, the runs of its last valid form stay.
            self.wanted = RunSearch::nothing();
            self.want_others();
        }
        if enters {
            self.ask_service(cx);
        }
        if moves || self.list.scroll.cursor != cursor {
            self.moved();
        }
        other
    }

    /// Takes a choice from a picker.
    fn take_choice(&mut self, choice: Choice, cx: &mut Cx) {
        match choice {
            Choice::Sort(order) => self.sort_by(order),
            Choice::Ticked(ticked) => {
                self.chosen = Narrowing::default();
                for choice in ticked {
                    match choice {
                        Choice::Facet(path, value) => self.chosen.add(&path, &value),
                        Choice::Flag(flag) => {
                            self.chosen.flags.insert(flag);
                        }
                        _ => {}
                    }
                }
                self.begin_anew();
            }
            Choice::Columns(columns) => self.columns = *columns,
            Choice::Export(format) => self.begin_export(format, cx),
            _ => {}
        }
    }

    /// Opens the monitor on the marked runs, else on the found ones if words are typed, else on the view with its
    /// filters.
    fn watch(&self, cx: &mut Cx) {
        let marked = self.marked();
        if marked.is_empty() && !self.lists_found() {
            let watched = if self.chosen == cx.shared.chosen_beside(&self.view) {
                Watched::View(self.view.name.clone())
            } else {
                Watched::Narrowed(Box::new((self.view.clone(), self.chosen.clone())))
            };
            return cx.open(Open::Monitor(watched));
        }
        let runs = match self.answered() {
            _ if !marked.is_empty() => &marked,
            // Rows of an older query are not watched.
            Some(answer) if !answer.runs.is_empty() => &answer.runs[..],
            _ => return cx.say(none_here(self.answer.as_deref())),
        };
        let runs = runs.iter().take(MOST_WATCHED).cloned();
        cx.open(Open::Monitor(Watched::Runs(runs.collect())));
    }

    /// Loaded runs of a view with these filters; empty unless the list shows exactly them.
    pub fn runs_of(&self, view: &View, chosen: &Narrowing) -> &[Arc<Run>] {
        let is_all = self.view == *view && self.chosen == *chosen && !self.lists_found();
        let answer = self.answered().filter(|_| is_all);
        answer.map_or(&[][..], |answer| &answer.runs)
    }

    /// Edits or clones the marked run, else the one under the cursor.
    fn open_form(&self, action: Action, cx: &mut Cx) {
        let mut marked = self.marked();
        match marked.len() {
            0 => cx.anywhere(action),
            1 => {
                let run = marked.remove(0);
                let here = self.current();
                if let Some(here) = here.filter(|here| here.doc_ref != run.doc_ref) {
                    let (marked, here) = (run.name(), here.name());
                    cx.say(format!(
                        "this is about {marked}, which is marked, not about {here}"
                    ));
                }
                cx.open(Open::Form { run, action });
            }
            several => {
                let verb = if action == Action::Clone {
                    "clone"
                } else {
                    "edit"
                };
                let lets_go = "twice lets the marks go)";
                let lets_go = cx
                    .shared
                    .then_key(" (", Layer::Runs, &Action::Back, lets_go);
                cx.say(format!("{several} marked: {verb} is for one run{lets_go}"));
            }
        }
    }

    /// Deletes the marked runs, else the one under the cursor, after a question.
    fn delete(&self, cx: &mut Cx) {
        let (marked, here) = (self.marked(), self.current().cloned());
        let mut notes = Vec::new();
        if let Some(here) = &here
            && !marked.is_empty()
            && marked.iter().all(|run| run.doc_ref != here.doc_ref)
        {
            let marked = if marked.len() == 1 {
                "the marked run"
            } else {
                "the marked runs"
            };
            notes.push(format!(
                "This is about {marked}, not about {} under the cursor.",
                here.name()
            ));
        }
        let runs = if marked.is_empty() {
            here.into_iter().collect()
        } else {
            marked
        };
        cx.open(Open::Delete {
            runs,
            undo_of: None,
            notes,
        });
    }
}

impl Screen for Runs {
    fn update(&mut self, action: Action, cx: &mut Cx) {
        if !Completing::is_key(&action) {
            self.completing.end();
        } else if self.list.search.typing {
            return self.complete(&action, cx);
        }
        let Some(action) = self.update_list(action, cx) else {
            return;
        };
        match action {
            Action::Open => self.open_current(RunPart::Part(0), cx),
            Action::Back if cx.shared.tour.take().is_some() => cx.say("no more hints"),
            Action::Back => cx.say("this is the first screen"),
            Action::Facets => cx.choose("Filter by", PickerKind::Ticks, self.facet_choices()),
            Action::Sort => cx.open(Open::SortMenu(Orders::Runs {
                now: self.sorted_by().cloned(),
                worst: false,
            })),
            Action::Columns => {
                let room = view::room(self, self.width);
                cx.open(Open::Columns(self.columns.clone(), room));
            }
            Action::Chosen(choice) => self.take_choice(*choice, cx),
            Action::NextPart => self.use_tab(|here, tabs| beside(here, tabs, true), cx),
            Action::PreviousPart => self.use_tab(|here, tabs| beside(here, tabs, false), cx),
            Action::Part(MORE) if self.more_tabs => {
                let tab = |view: View| Entry {
                    ticked: Some(view.name == self.view.name),
                    ..Entry::new(view.name.clone(), Choice::View(view.name))
                };
                let tabs = cx.shared.tabs().into_iter().map(tab);
                cx.choose("Tabs", PickerKind::Rows, tabs);
            }
            Action::Part(number) => self.use_tab(|_, _| number, cx),
            Action::Monitor => self.watch(cx),
            Action::Export => self.ask_for_export(cx),
            Action::Preview if !self.previews && !view::fits_preview(self) => {
                cx.say("there is no room for the preview: it needs more rows");
            }
            Action::Preview => self.preview = Some(!self.previews),
            Action::Raw => self.open_current(RunPart::Json, cx),
            Action::Show(Layer::CopyMenu) if !self.list.marks.is_empty() => {
                cx.open(Open::CopyMenu(CopyOf::Runs(self.marked()), true));
            }
            Action::Edit | Action::Clone => self.open_form(action, cx),
            Action::Delete => self.delete(cx),
            // Of all runs, not only this one; the box names it.
            Action::Undo => cx.anywhere(Action::UndoLast),
            Action::Sync | Action::SyncAll if !cx.shared.signed_in => {
                let signs_in = cx
                    .shared
                    .then_key("; ", Layer::Runs, &Action::Refresh, "signs in");
                cx.say(format!("not signed in: nothing can be read{signs_in}"));
            }
            Action::Sync | Action::SyncAll => {
                let all = action == Action::SyncAll;
                self.resume(cx);
                self.reader.asked_by_hand();
                cx.runs(RunsRequest::ReadNow);
                self.want(if all { Depth::All } else { Depth::Sync }, true);
                cx.say(if all {
                    self.reads_all()
                } else {
                    "reading all open runs and what was edited…".into()
                });
            }
            other => cx.anywhere(other),
        }
    }

    fn on_answer(&mut self, answer: Box<RunsAnswer>, cx: &mut Cx) {
        let counted = Some(RunsOperation::ListTestRuns);
        let uncounted = Some(RunsOperation::ListDocuments);
        self.lost_results |= [self.operation(), answer.operation] == [counted, uncounted];
        // Of another query the user has asked for other rows.
        let range = self.list.open_range(&self.answer);
        let range = range.filter(|_| self.answered().is_some());
        self.take_answer(answer);
        if let Some(range) = range {
            self.list.keep_range(range, &self.answer, cx);
        }
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match (slot, answer) {
            (Slot::Runs, Answer::RunsRead(result)) => self.runs_read(result, cx),
            (
                slot @ (Slot::Runs | Slot::AllRuns),
                Answer::Received {
                    received,
                    full_size,
                },
            ) => {
                let is_told = matches!(self.reader.reads, Some(Depth::Sync | Depth::All));
                let reads = match slot {
                    Slot::AllRuns => "Export",
                    _ if is_told => "reading",
                    _ => return,
                };
                let (received, full_size) = (text::thousands(received), text::thousands(full_size));
                cx.progress(format!("{reads}: {received} of {full_size} runs…"));
            }
            (Slot::MoreRuns(page), Answer::Runs(result)) => self.on_more_runs(page, result, cx),
            (Slot::Search, Answer::Runs(result)) => self.on_search(result, cx),
            (Slot::TypingPause, Answer::Timer) => self.ask_service(cx),
            (Slot::AllRuns, Answer::RunsRead(result)) => self.export_read(result, cx),
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, _cx: &mut Cx) {
        match fact {
            Fact::Gone(run) => self.list.marks.remove(std::slice::from_ref(run)),
            Fact::Wrote(_) | Fact::WroteSuites { .. } => {
                self.read_again(true);
            }
            Fact::Due => self.ask_again(),
            Fact::Run(_) | Fact::InNoRun | Fact::Stripped(_) | Fact::Earlier => {}
        }
    }

    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        if on_top && std::mem::take(&mut self.lost_results) {
            let words = "the service no longer sends results: Status and Version are shown instead";
            cx.besides(Notice::new(words, true));
        }
        self.ask(cx);
        if cx.shared.signed_in {
            self.read_on(on_top, cx);
        }
        self.show();
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let export = self.give_up_export(cx);
        self.give_up_reading(cx) || export
    }

    fn run(&self) -> Option<Arc<Run>> {
        self.current().cloned()
    }

    fn read(&mut self, cx: &mut Cx) {
        self.read_again(cx.by_key);
    }

    fn reading(&self) -> Option<Reading> {
        Some(Reading {
            every: None,
            read_at: self.read_at(),
            busy: self.reader.busy(),
            failed: self.reader.failure.is_some(),
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let Some(height) = layout.rows else {
            return false;
        };
        let seen = |list: &Self| (list.previews, list.more_tabs, list.width);
        let before = seen(self);
        self.previews = layout.preview;
        self.more_tabs = layout.more_tabs;
        self.width = layout.width.unwrap_or(self.width);
        self.set_height(height) | (before != seen(self))
    }
}
