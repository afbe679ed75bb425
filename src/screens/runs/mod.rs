//! The runs list: the answer of the mirror for the tab, its filters and the typed words.

mod export;
pub mod keys;
mod pickers;
mod preview;
mod reading;
mod update;
mod view;

use crate::screens::prelude::*;
use jiff::Zoned;
use std::collections::BTreeMap;

use export::Export;
use reading::ListReader;

use crate::domain::columns::Columns;
use crate::domain::fields::{self, Field, STATUS, VERSION};
use crate::domain::query_language::{self, RunSearch};
use crate::domain::{LeftOff, Narrowing, RunsOperation, Sort, View};
use crate::mirror::{ListExtent, Overview, RunsAnswer, RunsQuery, TabQuery};
use crate::screens::no_run;
use crate::ui::Completing;
use crate::ui::list::ListRows;

/// Shortest words for the full text search of the service, in characters; shorter ones are searched in the mirror only.
const FULLTEXT_FROM: usize = 3;
/// Pause in typing before the service is asked, in milliseconds.
const TYPING_PAUSE: u64 = 250;
/// Maximum number of marked runs.
pub const MOST_MARKS: usize = 1_000;

/// Number for a query that was not asked yet.
const NOT_ASKED: u64 = u64::MAX;

/// Row that the cursor keeps when the rows change.
#[derive(Clone, Debug, Default, PartialEq)]
enum Anchor {
    /// No key was pressed since the list was opened: the cursor stays on the first row.
    #[default]
    Not,
    /// The first run that is loaded at the place of the cursor.
    Unread,
    On(DocRef),
}

/// View, filters, words and cursor of the list from before another screen listed runs here.
#[derive(Clone, Debug, PartialEq)]
struct BeforeFound {
    view: View,
    chosen: Narrowing,
    words: String,
    held: Anchor,
    /// The runs listed now, and their name.
    runs: Vec<DocRef>,
    name: String,
}

/// State of the runs list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// The shown answer.
    pub answer: Option<Box<RunsAnswer>>,
    /// The last query.
    asked: Option<Box<RunsQuery>>,
    /// True if the mirror must be asked anew.
    asks: bool,
    /// Number of the first query for the runs that are wanted now; answers to earlier ones are ignored.
    since: u64,
    /// Rows on the screen, with the place of the first.
    shown: (usize, Vec<RunRow>),
    /// Cursor and marks; its words are those of the filter.
    pub list: List<Arc<Run>>,
    held: Anchor,
    /// Cursor of the tabs that were left, by name, where it was not on the first row.
    left_on: BTreeMap<String, Anchor>,
    completing: Completing,
    /// Meaning of the words, as of their last valid form.
    wanted: RunSearch,
    /// Problem of the words; `None` if they are valid.
    problem: Option<String>,
    /// Orders, the main one first.
    pub sort: Vec<Sort>,
    /// Active filters. They replace filters of the view on the same fields.
    pub chosen: Narrowing,
    /// The tab in force.
    pub view: View,
    /// State from before another screen listed runs here; Esc returns to both.
    before: Option<Box<BeforeFound>>,
    /// All tabs.
    pub tabs: Vec<View>,
    /// Readings of the service for the list.
    pub reader: ListReader,
    pub columns: Columns,
    /// Columns of the other tabs, while a tab with its own columns is in force.
    usual_columns: Option<Columns>,
    /// Choice of the user for the preview; `None` if the height decides.
    preview: Option<bool>,
    /// True if the preview is on the screen.
    previews: bool,
    /// The running export.
    export: Option<Box<Export>>,
    /// Width of the list in columns, from the last layout.
    pub width: u16,
    /// True if some tabs are hidden behind "more…".
    more_tabs: bool,
    /// True if the service stopped sending results and the user was not informed yet.
    lost_results: bool,
}

impl Runs {
    /// Creates an empty list, sorted by the newest edits.
    pub fn new(page_size: u32) -> Self {
        let [view, ..] = View::built_in();
        Self {
            sort: Sort::newest_edits(),
            view,
            tabs: View::built_in().into(),
            reader: ListReader::new(page_size),
            list: List::new(Layer::Runs),
            asks: true,
            ..Self::default()
        }
    }

    /// Sets the list to a view.
    pub fn use_view(&mut self, view: View, cx: &mut Cx) {
        self.end_found();
        if !view.sorts.is_empty() {
            self.sort = Sort::known(&view.sorts);
        } else if !self.view.sorts.is_empty() {
            self.sort = Sort::newest_edits();
        }
        match (&view.columns, &self.view.columns) {
            (Some(columns), None) => {
                let usual = std::mem::replace(&mut self.columns, columns.clone());
                self.usual_columns = Some(usual);
            }
            (Some(columns), Some(_)) => self.columns.clone_from(columns),
            (None, Some(_)) => self.columns = self.usual_columns.take().unwrap_or_default(),
            (None, None) => {}
        }
        self.chosen = self.chosen_on(&view, &cx.shared);
        self.view = view;
        // What lies between in another tab are other rows.
        self.list.marks.anchor = None;
        self.begin_anew();
        if !self.list.search.text().is_empty() {
            self.words_changed(cx);
        }
    }

    /// The first of some fields whose value the words choose.
    fn chosen_by_words(&self, is_one: impl Fn(&Field) -> bool) -> Option<&'static Field> {
        let is_typed = |field: &&Field| self.wanted.chooses(field) && is_one(field);
        fields::ALL.into_iter().find(is_typed)
    }

    /// Current filters, orders and columns as a view of this name. The error is the reason why the words cannot be part of it.
    pub fn as_view(&self, name: &str, cx: &Cx) -> Result<View, String> {
        if let Some(problem) = &self.problem {
            return Err(format!("the words cannot be read: {problem}"));
        }
        if let Some(before) = &self.before {
            return Err(format!(
                "no words or filters find the runs of \"{}\"",
                before.name
            ));
        }
        let view = &self.view;
        if let Some(field) = self.chosen_by_words(|field| view.says(field)) {
            return Err(format!(
                "{} is asked by the words and by this tab: type all of it on the tab All, then keep that",
                field.label.to_lowercase()
            ));
        }
        let now = cx.local_now().unwrap_or_default();
        let chosen = query_language::both(&view.query, &self.chosen.search());
        Ok(View {
            name: name.to_owned(),
            filter: self.tab(&self.wanted, &now).filter,
            query: query_language::both(&chosen, self.list.search.text()),
            sorts: self.sort.clone(),
            columns: Some(self.columns.clone()),
            limit: view.limit.clone(),
            ..view.clone()
        })
    }

    /// Sets the tabs again; the list is the one of the same name, else the first.
    pub fn set_tabs(&mut self, cx: &mut Cx) {
        self.tabs = cx.shared.tabs();
        self.asks = true;
        let here = self.tabs.iter().find(|tab| tab.is(&self.view.name));
        let tab = here.or(self.tabs.first()).cloned();
        if let Some(tab) = tab.filter(|tab| *tab != self.view) {
            self.use_view(tab, cx);
        }
    }

    /// Active filters for another view: without those the view sets itself, and with the version of the profile after a
    /// view that had its own.
    fn chosen_on(&self, view: &View, shared: &Shared) -> Narrowing {
        let mut chosen = self.chosen.clone();
        chosen.values.retain(|path, _| !view.filters_by(path));
        chosen
            .flags
            .retain(|flag| !view.query.contains(&format!("is:{}", flag.text())));
        if self.view.filters_by(VERSION.path) {
            chosen.values.extend(shared.chosen_beside(view).values);
        }
        chosen
    }

    /// Resets the list to its first row, as other runs are wanted.
    pub fn begin_anew(&mut self) {
        self.want_others();
        self.list.scroll.rewind();
        self.held = Anchor::Not;
        self.reader.begin_anew();
    }

    /// Wants the same runs in another order: the cursor stays on its run, unless it is on the first row.
    fn rearranged(&mut self) {
        let here = (self.list.scroll, self.held.clone());
        self.begin_anew();
        if here.0.cursor > 0 {
            (self.list.scroll, self.held) = here;
        }
    }

    fn want_others(&mut self) {
        self.asks = true;
        self.since = NOT_ASKED;
        // The rows of the last session are of its tab, filters and order.
        if self.is_beginning() {
            self.answer = None;
            self.shown.1.clear();
        }
    }

    /// Returns true if the list is sorted but not complete: missing runs may belong before these rows.
    fn is_sorted_in_part(&self) -> bool {
        let is_by_edits = self.sort == Sort::newest_edits();
        !self.sort.is_empty() && !is_by_edits && !self.extent().is_complete && !self.is_empty()
    }

    /// The main order.
    pub fn sorted_by(&self) -> Option<&Sort> {
        self.sort.first()
    }

    /// The answer, unless it belongs to an older query.
    fn answered(&self) -> Option<&RunsAnswer> {
        let answer = self.answer.as_deref();
        answer.filter(|answer| answer.number >= self.since)
    }

    /// Loaded extent of the list.
    pub fn extent(&self) -> ListExtent {
        let answer = self.answer.as_ref();
        answer.map(|answer| answer.extent()).unwrap_or_default()
    }

    /// True if this account may not list runs: what is kept is not shown.
    pub fn is_barred(&self) -> bool {
        self.answer.as_ref().is_some_and(|answer| answer.is_barred)
    }

    /// Number of rows; `None` before anything was read, as the list may not be empty.
    pub fn len(&self) -> Option<usize> {
        let (answer, extent) = (self.answer.as_ref()?, self.extent());
        // If any run of the project is loaded, an empty result of a search counts.
        let is_searched = self.view.only.is_none() && answer.overview.project.extent.here > 0;
        let is_known =
            extent.here > 0 || extent.is_complete || extent.size.is_some() || is_searched;
        (is_known || !answer.runs.is_empty()).then_some(answer.runs.len())
    }

    /// Returns true if there is no row.
    pub fn is_empty(&self) -> bool {
        self.len().unwrap_or(0) == 0
    }

    /// All found runs, in order.
    pub fn runs(&self) -> &[Arc<Run>] {
        self.answer.as_ref().map_or(&[], |answer| &answer.runs)
    }

    /// The found run with this reference.
    pub fn run(&self, run: &DocRef) -> Option<&Arc<Run>> {
        self.runs().iter().find(|it| it.doc_ref == *run)
    }

    /// The run under the cursor; `None` while other runs are wanted.
    pub fn current(&self) -> Option<&Arc<Run>> {
        let cursor = self.list.scroll.cursor;
        self.answered()?.runs.get(cursor)
    }

    /// Operation of the service that returned the rows.
    pub fn operation(&self) -> Option<RunsOperation> {
        self.answer.as_ref()?.operation
    }

    /// Keeps the cursor on its run after a key of the list, and allows another page at the end.
    fn moved(&mut self) {
        if self
            .len()
            .is_some_and(|len| self.list.scroll.cursor + 1 >= len)
        {
            self.reader.begin_anew();
        }
        self.pin();
    }

    /// Keeps the cursor on its run after the first key.
    pub fn hold(&mut self) {
        if self.held == Anchor::Not {
            self.pin();
        }
    }

    fn pin(&mut self) {
        let run = self.current().map(|run| run.doc_ref.clone());
        self.held = run.map_or(Anchor::Unread, Anchor::On);
    }

    /// Sets the number of rows on the screen. Returns true if other rows are shown.
    pub fn set_height(&mut self, height: u16) -> bool {
        let moved = match self.len() {
            Some(len) => self.list.scroll.set_height(height, len),
            None => {
                self.list.scroll.height = usize::from(height.max(1));
                false
            }
        };
        let before = (self.shown.0, self.shown.1.len());
        self.show();
        moved || before != (self.shown.0, self.shown.1.len())
    }

    /// Builds the rows on the screen; rows that were there already are reused.
    fn show(&mut self) {
        let (top, end) = (
            self.list.scroll.top,
            self.list.scroll.top + self.list.scroll.height,
        );
        let (first, rows) = std::mem::take(&mut self.shown);
        let mut before: Vec<Option<RunRow>> = rows.into_iter().map(Some).collect();
        let runs = self.answer.as_ref().map_or(&[][..], |answer| &answer.runs);
        let row = |place: usize| {
            let run = runs.get(place)?;
            let known = place.checked_sub(first).and_then(|it| before.get_mut(it));
            Some(known.and_then(Option::take).unwrap_or_else(|| run.row()))
        };
        let rows = (top..end).map_while(row).collect();
        self.shown = (top, rows);
    }

    /// The row at a place of the list, if it is on the screen.
    fn shown(&self, place: usize) -> Option<&RunRow> {
        let at = place.checked_sub(self.shown.0)?;
        self.shown.1.get(at)
    }

    /// Searches the loaded runs for the changed words at once, and the service after a pause.
    fn words_changed(&mut self, cx: &mut Cx) {
        self.end_found();
        self.reader.begin_anew();
        cx.give_up(&Slot::Search);
        cx.give_up(&Slot::TypingPause);
        self.reader.search_failed = false;
        if let Some(now) = cx.local_now() {
            self.read_words(&now);
        }
        self.want_others();
        if self.asks_service() {
            cx.timer(Slot::TypingPause, TYPING_PAUSE);
        }
    }

    fn read_words(&mut self, now: &Zoned) {
        let words = self.list.search.text().trim();
        match query_language::search(words, now, &RunsQuery::FLAGS) {
            Ok(search) => (self.wanted, self.problem) = (search, None),
            Err(wrong) => self.problem = Some(wrong.to_string()),
        }
    }

    /// Lists these runs, on the tab All without filters, for another screen that gives their name.
    pub fn find(&mut self, runs: Vec<DocRef>, name: String, cx: &mut Cx) {
        let [.., all] = View::built_in();
        let before = self.before.take().unwrap_or_else(|| {
            Box::new(BeforeFound {
                view: self.view.clone(),
                chosen: self.chosen.clone(),
                words: self.list.search.text().to_owned(),
                held: self.held.clone(),
                runs: Vec::new(),
                name: String::new(),
            })
        });
        self.use_view(all, cx);
        self.chosen = Narrowing::default();
        self.list.search.clear();
        self.words_changed(cx);
        self.before = Some(Box::new(BeforeFound {
            runs,
            name,
            ..*before
        }));
    }

    /// Returns true if the rows were found by words, or by another screen.
    fn lists_found(&self) -> bool {
        self.before.is_some() || !self.list.search.text().trim().is_empty()
    }

    /// Ends the list of another screen: the filters are those from before.
    fn end_found(&mut self) {
        if let Some(before) = self.before.take() {
            self.chosen = before.chosen;
        }
    }

    /// The version in the filters, if there is exactly one.
    pub fn version(&self) -> Option<String> {
        let mut chosen = self.chosen.values.get(VERSION.path)?.iter();
        chosen.next().filter(|_| chosen.next().is_none()).cloned()
    }

    /// Returns true if the list is not complete and the words are long enough for the service.
    fn asks_service(&self) -> bool {
        !self.extent().is_complete && self.plain_words().chars().count() >= FULLTEXT_FROM
    }

    /// Words that the service can search for; empty if the text has alternatives or groups.
    fn plain_words(&self) -> String {
        let mut is_quoted = false;
        let is_between = |c: char| {
            is_quoted ^= c == '"';
            c.is_whitespace() && !is_quoted
        };
        let words = self.list.search.text().split(is_between);
        let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
        let is_plain =
            |word: &&&str| !word.starts_with('-') && !word.contains([':', '<', '>', '=']);
        if words
            .iter()
            .any(|word| word.eq_ignore_ascii_case("or") || word.contains(['(', ')']))
        {
            return String::new();
        }
        let words = words
            .iter()
            .filter(is_plain)
            .map(|word| word.replace('"', ""));
        text::join(words, " ")
    }

    /// Removes the words; the cursor stays on its run.
    pub fn clear_words(&mut self, cx: &mut Cx) {
        if !self.list.search.text().is_empty() || self.list.search.typing {
            self.list.search.clear();
            self.words_changed(cx);
        }
    }

    /// Query of this tab. Fields that the words name replace its filters.
    fn tab(&self, wanted: &RunSearch, now: &Zoned) -> TabQuery {
        TabQuery::of(&self.view, &self.chosen, wanted, now)
    }

    /// Query of another tab, with the filters it would get.
    fn other_tab(&self, view: &View, shared: &Shared, now: &Zoned) -> TabQuery {
        let chosen = if view.name == self.view.name {
            self.chosen.clone()
        } else {
            self.chosen_on(view, shared)
        };
        TabQuery::of(view, &chosen, &RunSearch::default(), now)
    }

    /// Query of this tab without the typed words.
    pub fn this_tab(&self, cx: &Cx) -> TabQuery {
        let now = cx.local_now().unwrap_or_default();
        self.tab(&RunSearch::default(), &now)
    }

    /// Asks the mirror if the query has changed, which words of time do each minute, or a due date has passed.
    fn ask(&mut self, cx: &mut Cx) {
        let minute = |at: i64| at.div_euclid(60_000);
        let asked = self.asked.as_ref();
        let is_now =
            asked.is_some_and(|it| minute(it.now) == minute(cx.now) && it.days.is_today(cx.now));
        let all = cx.shared.all_runs(cx.now).zip(cx.local_now());
        let Some((all, now)) = all.filter(|_| self.asks || !is_now) else {
            return;
        };
        self.read_words(&now);
        let tabs = self.tabs.iter();
        let tabs = tabs.map(|view| self.other_tab(view, &cx.shared, &now));
        let query = RunsQuery {
            search: self.wanted.clone(),
            tab: self.tab(&self.wanted, &now),
            chosen: self.before.as_ref().map(|before| {
                let runs = before.runs.iter().cloned();
                runs.map(DocumentName::Ref).collect()
            }),
            orders: self.sort.clone(),
            tabs: tabs.collect(),
            ..all
        };
        if let Some(asked) = self.asked.as_mut().filter(|_| !self.asks) {
            let passed = asked.due.passed(asked.now);
            asked.now = query.now;
            if **asked == query && query.due.passed(query.now) == passed {
                return;
            }
        }
        self.asks = false;
        self.asked = Some(Box::new(query.clone()));
        let number = cx.ask_runs(Layer::Runs, query);
        self.since = self.since.min(number);
    }

    /// Asks the mirror again soon, as the list depends on something that has changed.
    pub fn ask_again(&mut self) {
        self.asks = true;
    }

    /// Takes an answer unless the query has changed since. The cursor stays on its run if that is still found.
    pub fn take_answer(&mut self, answer: Box<RunsAnswer>) {
        if answer.number < self.since {
            return;
        }
        self.shown.1.clear();
        self.answer = Some(answer);
        let Some(len) = self.len() else { return };
        let place = match &self.held {
            Anchor::On(run) => self.answer.place_of(run),
            Anchor::Not | Anchor::Unread => None,
        };
        match place {
            Some(place) => self.list.scroll.follow(place, len),
            None => self.list.scroll.fit(len),
        }
        // Where nothing is found the run is still the one to come back to.
        if place.is_none() && self.held != Anchor::Not && len > 0 {
            self.pin();
        }
        self.show();
    }

    /// State of the list to restore at the next start.
    pub fn left_off(&self) -> LeftOff {
        let rows = self.shown.1.iter().map(|row| row.doc_ref.clone());
        let overview = self.answer.as_ref().map(|answer| &answer.overview);
        let empty = overview.map_or(&[][..], |it| &it.empty);
        let before = self.before.as_ref().map(|it| (&it.view, &it.chosen));
        let (view, chosen) = before.unwrap_or((&self.view, &self.chosen));
        LeftOff {
            view: view.name.clone(),
            orders: self.sort.clone(),
            columns: self.columns.clone(),
            usual_columns: self.usual_columns.clone(),
            chosen: chosen.clone(),
            cursor: self.current().map(|run| run.doc_ref.clone()),
            rows: rows.collect(),
            empty: empty.iter().map(|name| (*name).to_owned()).collect(),
            preview: self.preview,
            ..LeftOff::default()
        }
    }

    /// Restores the state of the list. Returns false if its tab does not exist any more.
    pub fn go_on_at(&mut self, left_off: &LeftOff) -> bool {
        self.preview = left_off.preview;
        let tab = self.tabs.iter().find(|tab| tab.is(&left_off.view));
        let usual = left_off.usual_columns.as_ref();
        if tab.is_some_and(|tab| tab.columns.is_some()) {
            self.columns = left_off.columns.clone();
            self.usual_columns = usual.cloned();
        } else {
            self.columns = usual.unwrap_or(&left_off.columns).clone();
        }
        let Some(view) = tab.cloned() else {
            return false;
        };
        self.view = view;
        if !left_off.orders.is_empty() {
            self.sort.clone_from(&left_off.orders);
        }
        self.chosen.clone_from(&left_off.chosen);
        self.begin_anew();
        self.held = left_off.cursor.clone().map_or(Anchor::Not, Anchor::On);
        true
    }

    /// Shows the rows of the last session until the runs are loaded.
    pub fn first_rows(&mut self, rows: Vec<Run>, left_off: &LeftOff) {
        let empty = left_off.empty.iter().filter_map(|name| fields::named(name));
        let overview = Overview {
            empty: empty.map(|field| field.name).collect(),
            ..Overview::default()
        };
        self.take_answer(Box::new(RunsAnswer {
            number: NOT_ASKED,
            runs: rows.into_iter().map(Arc::new).collect(),
            overview: Arc::new(overview),
            ..RunsAnswer::default()
        }));
    }

    /// Returns true if the rows of the last session are shown.
    fn is_beginning(&self) -> bool {
        let answer = self.answer.as_ref();
        answer.is_some_and(|answer| answer.number == NOT_ASKED)
    }

    /// Returns true if the tab shows all runs of the lists of the service.
    fn is_list(&self) -> bool {
        let tab = self.asked.as_ref().map(|asked| &asked.tab);
        tab.is_some_and(|tab| tab.only.is_none() && tab.is_list())
    }

    fn is_on_open_runs(&self, cx: &Cx) -> bool {
        let active = STATUS.filter("active");
        self.this_tab(cx).filter.filters.contains(&active)
    }
}

impl Runs {
    /// The marked runs as last read.
    pub fn marked(&self) -> Vec<Arc<Run>> {
        let newest = |kept: &Arc<Run>| {
            let here = self.runs().iter().find(|run| run.doc_ref == kept.doc_ref);
            here.unwrap_or(kept).clone()
        };
        self.list.marks.rows().iter().map(newest).collect()
    }
}

impl ListRows<Arc<Run>> for Option<Box<RunsAnswer>> {
    const MOST_MARKS: (usize, &'static str) =
        (MOST_MARKS, "no more than 1,000 runs can be marked at once");

    fn row_count(&self) -> usize {
        self.as_ref().map_or(0, |answer| answer.runs.len())
    }

    fn key_at(&self, place: usize) -> Option<&DocRef> {
        let runs = &self.as_ref()?.runs;
        Some(&runs.get(place)?.doc_ref)
    }

    fn mark_at(&self, place: usize) -> Result<Arc<Run>, &'static str> {
        let run = self.as_ref().and_then(|answer| answer.runs.get(place));
        run.cloned().ok_or_else(|| none_here(self.as_deref()))
    }

    fn uses_marks(&self, action: &Action) -> bool {
        use Action::{Clone, Delete, Edit, Export, Monitor, Show};
        matches!(
            action,
            Monitor | Delete | Export | Show(Layer::Compare | Layer::CopyMenu) | Edit | Clone
        )
    }

    fn marked(&self, marked: usize, over: usize, is_all: bool) -> Option<String> {
        let mut done = match over {
            0 => format!("{} marked", text::count(marked, "row")),
            _ => {
                let [first, all] = [marked, marked + over].map(text::thousands);
                format!("the first {first} of {all} rows marked")
            }
        };
        let answer = self.as_ref().filter(|_| is_all);
        let missing = answer.map_or(0, |answer| answer.extent().missing());
        if missing > 0 {
            let missing = text::thousands(missing);
            done = format!("{done}, {missing} others are not here");
        }
        if over > 0 {
            done = format!("{done}; {}", Self::MOST_MARKS.1);
        }
        Some(done)
    }
}

/// Message for a key that needs a run, if none is loaded under the cursor.
fn none_here(answer: Option<&RunsAnswer>) -> &'static str {
    match answer {
        Some(answer) if !answer.runs.is_empty() => "this row is not here yet",
        answer => no_run(answer.and_then(|answer| answer.overview.read_at)),
    }
}
