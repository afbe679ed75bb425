//! What keys and answers do to the runs list.

use std::collections::BTreeSet;

use ratatui::layout::Rect;

use super::window::Accepted;
use super::{Runs, Summary, Window, missing, view};
use crate::domain::fields::{self, CREATED, EDITED, Holds, ID};
use crate::domain::{
    DocRef, Failure, FailureKind, Filter, MOST_WATCHED, Page, RunRow, RunsOperation, RunsPage,
    Sort, View,
};
use crate::screens::{Screen, changes, given_up};
use crate::store::{
    Action, Answer, Choice, CopyOf, Cx, Entry, Fact, Layer, Motion, Notice, Open, PickerKind,
    Reading, RunPart, Session, Shared, Slot, SortedBy, Watched,
};
use crate::ui::frame::MORE;
use crate::ui::list::Searched;
use crate::ui::{Context, Field, Layout, Surface};

/// Milliseconds until a failed read is tried again: longer each time.
const BACKOFF: [u64; 5] = [1_000, 2_000, 5_000, 10_000, 30_000];

impl Runs {
    /// The list of another profile: columns and panes are as they were.
    #[must_use]
    pub fn anew(&self, session: &Session) -> Self {
        let mut runs = Self::new(session.page_size);
        runs.summary = Summary::new(&session.watch.views);
        runs.columns.clone_from(&self.columns);
        runs.preview = self.preview;
        runs.set_height(self.all.scroll.height as u16);
        runs
    }

    /// Asks again for what failed.
    pub fn resume(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RetryPause);
        self.windows_mut().for_each(Window::retry);
    }

    /// The list is read again; what is on the screen stays until it is here.
    fn reread(&mut self) {
        self.windows_mut().for_each(Window::refresh);
        self.count_anew();
    }

    pub(super) fn windows(&self) -> impl Iterator<Item = &Window> {
        self.found.iter().chain([&self.all])
    }

    pub(super) fn windows_mut(&mut self) -> impl Iterator<Item = &mut Window> {
        std::iter::once(&mut self.all).chain(self.found.as_mut())
    }

    /// Project and sub project of the rows that are here.
    pub fn projects(&self) -> BTreeSet<(String, Option<String>)> {
        self.all
            .rows()
            .filter_map(|(_, row)| Some((row.project.clone()?, row.subproject.clone())))
            .collect()
    }

    /// What is here of a run, if anything is.
    pub fn row_of(&self, run: &DocRef) -> Option<&RunRow> {
        self.windows()
            .flat_map(Window::rows)
            .map(|(_, row)| row)
            .find(|row| row.doc_ref == *run)
    }

    fn page_came(
        &mut self,
        is_found: bool,
        (page, epoch): (Page, u64),
        result: Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) {
        let here = self.here();
        let window = match &mut self.found {
            Some(found) if is_found => found,
            _ => &mut self.all,
        };
        if let Ok(page) = &result
            && window.epoch() == epoch
        {
            cx.saw_page(page);
        }
        let brought = result
            .as_ref()
            .ok()
            .map(|page| (page.operation, page.facets.clone()));
        let first = is_found && window.full_size().is_none();
        let accepted = window.accept(page, epoch, result, cx.now);
        if let Some(here) = here.as_ref().filter(|_| first) {
            // The service's answer takes the place of the local one: the cursor stays on its run.
            window.go_to(here);
        }
        match accepted {
            Accepted::Taken => {}
            Accepted::Unsorted => {
                if !is_found {
                    self.sort.clear();
                }
                let words = "the service refused the sort order: the list is in its own order";
                cx.besides(Notice::new(words, true));
            }
            Accepted::Failed(failure) => return self.failed(failure, cx),
        }
        self.compare_lists(cx);
        if self.windows().all(|window| window.failure.is_none()) {
            if self.retries > 0 {
                cx.works_again();
            }
            self.retries = 0;
            cx.give_up(&Slot::RetryPause);
        }
        if let Some((operation, facets)) = brought {
            if self.operation == Some(RunsOperation::ListTestRuns)
                && operation == RunsOperation::ListDocuments
            {
                let words =
                    "the service no longer sends results: Status and Version are shown instead";
                cx.besides(Notice::new(words, true));
            }
            self.operation = Some(operation);
            if let Some(facets) = facets.filter(|facets| !facets.is_empty()) {
                self.facets = facets;
            }
        }
        if self.matches.is_some() {
            // The cursor stays on its run.
            self.match_around(here.as_ref(), &cx.shared);
        }
        self.summary.is_old = true;
    }

    /// Nothing can be read for now.
    pub fn could_not(&mut self, failure: Failure, cx: &mut Cx) {
        self.all.failure = Some(failure.clone());
        self.failed(failure, cx);
    }

    fn failed(&mut self, failure: Failure, cx: &mut Cx) {
        let again = failure.may_retry && failure.kind != FailureKind::SignIn;
        if self.window().full_size().is_some() {
            cx.failed(failure);
        } else {
            // What stands in the place of the rows says it.
            cx.errors.push(cx.now, failure);
        }
        if again && !cx.under_way(&Slot::RetryPause) {
            let step = (self.retries as usize).min(BACKOFF.len() - 1);
            self.retries += 1;
            cx.timer(Slot::RetryPause, BACKOFF[step]);
        }
    }

    /// Opens the run under the cursor, if it is here.
    fn open_current(&self, on: RunPart, cx: &mut Cx) {
        match self.current().cloned() {
            Some(row) => {
                let read_at = self.window().read_at().unwrap_or_default();
                cx.open(Open::Run { row, read_at, on });
            }
            None => cx.say(self.none_here()),
        }
    }

    /// The newest or the worst first; the same again reverses.
    fn sort_by(&mut self, name: &'static str, cx: &mut Cx) {
        let Some(field) = fields::named(name) else {
            return;
        };
        let before = self.sorted_by().filter(|now| now.field == name);
        let texts_and_done = ![EDITED.name, CREATED.name, ID.name].contains(&name)
            && (matches!(field.holds, Holds::Text(_) | Holds::Status | Holds::Done));
        // Of what is done the least is the worst.
        let ascending = before.map_or(texts_and_done, |now| !now.ascending);
        if let Some(path) = field.sort_path() {
            self.loaded_order = None;
            self.sort = vec![Sort {
                path: path.to_owned(),
                descending: !ascending,
            }];
            return self.ask_anew(cx);
        }
        self.loaded_order = Some(SortedBy {
            field: name,
            ascending,
        });
        self.drop_found(cx);
        self.match_loaded(&cx.shared);
        self.go(Motion::First);
    }

    /// Goes to a tab, by the place of the one in force and how many there are.
    fn use_tab(&mut self, wanted: impl FnOnce(usize, usize) -> usize, cx: &mut Cx) {
        let tabs = cx.shared.tabs();
        let here = tabs.iter().position(|view| view.name == self.view.name);
        let wanted = wanted(here.unwrap_or_default(), tabs.len());
        match tabs.into_iter().nth(wanted) {
            Some(view) if view.name == self.view.name && self.search.text().is_empty() => {
                cx.say("this is that tab");
            }
            Some(view) => self.use_view(view, cx),
            None => cx.say(format!("there is no tab {}", wanted + 1)),
        }
    }

    /// Esc: one thing after the other goes that narrows the list; tab and filters stay.
    fn widen(&mut self, cx: &mut Cx) {
        if self.marks.anchor.take().is_some() {
        } else if self.give_up_export(cx) {
            cx.say("Export given up, no file was made");
        } else if !self.search.text().is_empty() {
            self.clear_text(cx);
        } else if !self.marks.is_empty() {
            self.marks.let_go(Layer::Runs, cx);
        } else {
            cx.say("this is the first screen");
        }
    }

    /// A key for the filter.
    fn update_filter(&mut self, action: &Action, cx: &mut Cx) {
        match self.search.key(action, cx) {
            Searched::Changed => self.text_changed(cx),
            Searched::Moves(motion) => self.go(motion),
            Searched::Entered => self.ask_service(cx),
            Searched::Left => {}
            Searched::Nothing => cx.unused(action),
        }
    }

    /// Something was chosen in a picker.
    fn take_choice(&mut self, choice: Choice, cx: &mut Cx) {
        match choice {
            Choice::Sort(order) => self.sort_by(order, cx),
            Choice::Ticked(ticked) => {
                let ticked = ticked.into_iter().filter_map(|choice| match choice {
                    Choice::Facet(path, value) => Some((path, value)),
                    _ => None,
                });
                self.chosen = ticked.collect();
                self.ask_anew(cx);
            }
            Choice::Columns(columns) => self.columns = *columns,
            Choice::Export(format) => self.begin_export(format, cx),
            _ => {}
        }
    }

    /// Opens the monitor on the marked runs, or on those that the text finds here; else on the view in force, as it is or
    /// as it is narrowed further.
    fn watch(&self, cx: &mut Cx) {
        let marked = self.marked();
        if marked.is_empty() && self.search.text().trim().is_empty() {
            let watched = if self.chosen == cx.shared.chosen_beside(&self.view) {
                Watched::View(self.view.name.clone())
            } else {
                Watched::Narrowed(View {
                    filter: self.chosen_filter(),
                    ..self.view.clone()
                })
            };
            return cx.open(Open::Monitor(watched));
        }
        let runs = if marked.is_empty() {
            self.loaded_rows()
                .take(MOST_WATCHED)
                .map(|(_, row)| row.clone())
                .collect()
        } else {
            marked
        };
        if runs.is_empty() {
            return cx.say("there is no run here yet");
        }
        let read_at = self.window().read_at().unwrap_or(cx.now);
        let newest = |row| cx.shared.feed.newest(row, read_at);
        let runs = runs.into_iter().map(newest).collect();
        cx.open(Open::Monitor(Watched::Runs(runs)));
    }

    /// The rows of a list that are here, each with the time it was read (epoch milliseconds).
    pub fn rows_of(&self, filter: &Filter) -> Vec<(RunRow, i64)> {
        let Some(at) = self.all.read_at().filter(|_| self.all.filter == *filter) else {
            return Vec::new();
        };
        self.all.rows().map(|(_, row)| (row.clone(), at)).collect()
    }

    /// Edits or clones the marked run, else the one under the cursor.
    fn open_form(&self, action: Action, cx: &mut Cx) {
        let mut marked = self.marked();
        match marked.len() {
            0 => cx.anywhere(action),
            1 => cx.open(Open::Form {
                run: marked.remove(0),
                action,
            }),
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

    /// The runs that a deletion is about: the marked ones, else the one under the cursor; and what is to be said before.
    fn delete(&self, cx: &mut Cx) {
        let (marked, here) = (self.marked(), self.current());
        let mut notes = Vec::new();
        if let Some(here) = here
            && !marked.is_empty()
            && marked.iter().all(|row| row.doc_ref != here.doc_ref)
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
        let rows = if marked.is_empty() {
            here.cloned().into_iter().collect()
        } else {
            marked
        };
        cx.open(Open::Delete {
            rows,
            undo_of: None,
            notes,
        });
    }
}

impl Screen for Runs {
    fn part(&self, shared: &Shared) -> Option<Layer> {
        shared.feed.open.then_some(Layer::Feed)
    }

    fn update(&mut self, action: Action, cx: &mut Cx) {
        self.windows_mut().for_each(Window::hold);
        if self.search.typing {
            return self.update_filter(&action, cx);
        }
        if cx.shared.feed.open {
            return changes::update(action, cx);
        }
        match action {
            Action::Move(motion) => self.go(motion),
            Action::Point(row) => self.point(row),
            Action::Open => self.open_current(RunPart::Part(0), cx),
            Action::Mark => self.toggle_mark(cx),
            Action::MarkRange => {
                self.mark_range(cx);
            }
            Action::MarkAll => self.mark_all(cx),
            Action::Back => self.widen(cx),
            Action::Filter => self.search.typing = true,
            Action::Facets => cx.choose("Filter by", PickerKind::Ticks, self.facet_choices()),
            Action::Sort => cx.open(Open::SortMenu {
                now: self.sorted_by(),
                worst: false,
            }),
            Action::Columns => {
                let room = view::room(self, self.width);
                cx.open(Open::Columns(self.columns.clone(), room));
            }
            Action::Chosen(choice) => self.take_choice(*choice, cx),
            Action::NextPart => self.use_tab(|here, tabs| (here + 1) % tabs, cx),
            Action::PreviousPart => self.use_tab(|here, tabs| (here + tabs - 1) % tabs, cx),
            Action::Part(MORE) if self.more_tabs => {
                let tab = |view: View| Entry {
                    ticked: Some(view.name == self.view.name),
                    ..Entry::new(view.name.clone(), Choice::View(view.name))
                };
                let tabs = cx.shared.tabs().into_iter().map(tab);
                cx.choose("Tabs", PickerKind::Rows, tabs);
            }
            Action::Part(number) => self.use_tab(|_, _| number, cx),
            Action::Changes => changes::enter(cx),
            // What asks for the marks ends an open range.
            Action::Monitor
            | Action::Delete
            | Action::Export
            | Action::Show(Layer::CopyMenu)
            | Action::Edit
            | Action::Clone
                if self.marks.anchor.is_some() =>
            {
                if self.mark_range(cx) {
                    self.update(action, cx);
                }
            }
            Action::Monitor => self.watch(cx),
            Action::Export => self.ask_for_export(cx),
            Action::Preview if !self.previews && !view::fits_preview(self) => {
                cx.say("there is no room for the preview: it needs more rows");
            }
            Action::Preview => self.preview = Some(!self.previews),
            Action::Raw => self.open_current(RunPart::Json, cx),
            Action::Show(Layer::CopyMenu) if !self.marks.is_empty() => {
                cx.open(Open::CopyMenu {
                    of: CopyOf::Runs(self.marked()),
                    marked: true,
                });
            }
            Action::Edit | Action::Clone => self.open_form(action, cx),
            Action::Delete => self.delete(cx),
            // Of whichever run it was: the box names it.
            Action::Undo => cx.anywhere(Action::UndoLast),
            other => cx.anywhere(other),
        }
    }

    fn reply(&mut self, slot: Slot, answer: Answer, cx: &mut Cx) {
        match (slot, answer) {
            (Slot::Page { found, page, epoch }, Answer::Runs(result)) => {
                self.page_came(found, (page, epoch), result, cx);
            }
            (Slot::Missing(run), Answer::Runs(result)) => {
                missing::looked_for(&run, &result, cx);
            }
            (Slot::Count(filter), Answer::Runs(result)) => {
                self.count_came(&filter, result, cx);
            }
            (
                Slot::AllRuns,
                Answer::Received {
                    received,
                    full_size,
                },
            ) => Self::export_progress(received, full_size, cx),
            (Slot::AllRuns, Answer::AllRuns(result)) => self.export_read(result, cx),
            (Slot::TypingPause, Answer::Timer) => self.ask_service(cx),
            _ => {}
        }
    }

    fn learned(&mut self, fact: &Fact, cx: &mut Cx) {
        match fact {
            Fact::Row(row) => {
                self.windows_mut().for_each(|window| window.renew(row));
                self.summary.is_old = true;
            }
            Fact::Earlier => {
                self.summary.is_old = true;
                self.go_on_with_export(cx);
            }
            Fact::Gone(run) => self.marks.remove(std::slice::from_ref(run)),
            Fact::Wrote(_) | Fact::WroteSuites { .. } => self.reread(),
            Fact::Stripped(_) | Fact::Due => {}
        }
    }

    fn settle(&mut self, on_top: bool, cx: &mut Cx) {
        if self.summary.is_behind(&cx.shared) {
            self.rows_changed(&cx.shared);
        }
        if cx.shared.signed_in {
            self.found.as_mut().unwrap_or(&mut self.all).wants(cx);
            if on_top {
                self.ask_for_counts(cx);
            }
        }
    }

    fn give_up(&mut self, cx: &mut Cx) -> bool {
        let export = self.give_up_export(cx);
        let mut any = false;
        let again = cx
            .shared
            .key_does(Layer::Runs, &Action::Refresh, "reads again");
        for window in self.windows_mut() {
            if window.cancel(cx) {
                window.failure = Some(given_up("reading", again.clone()));
                any = true;
            }
        }
        // The pause before it is tried again is given up with the list.
        if any {
            cx.give_up(&Slot::RetryPause);
        }
        any || export
    }

    fn run(&self) -> Option<RunRow> {
        self.current().cloned()
    }

    fn read(&mut self, _cx: &mut Cx) {
        self.found.as_mut().unwrap_or(&mut self.all).refresh();
        self.count_anew();
    }

    fn reading(&self) -> Option<Reading> {
        let window = self.window();
        Some(Reading {
            every: None,
            read_at: window.read_at(),
            busy: window.busy(),
            failed: window.failure.is_some(),
        })
    }

    fn laid_out(&mut self, layout: &Layout) -> bool {
        let Some(height) = layout.rows else {
            return false;
        };
        self.previews = layout.preview;
        self.more_tabs = layout.more_tabs;
        self.width = layout.width.unwrap_or(self.width);
        self.set_height(height)
    }

    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        view::draw(self, on, area);
    }

    fn status(&self, context: Context<'_>) -> String {
        view::status(context, self)
    }

    fn field(&self, _cx: &Cx) -> Option<Field<'_>> {
        self.search.typing.then(|| Field {
            sign: "/ ",
            input: &self.search.words,
            said: (view::in_force(self), false),
        })
    }
}
