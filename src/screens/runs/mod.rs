//! The runs list: what the mirror answers to the tab, its filters and the words that are typed.

mod export;
pub mod keys;
mod pickers;
mod preview;
mod reading;
mod update;
mod view;

use std::ops::RangeInclusive;
use std::sync::Arc;

use jiff::Zoned;

use export::Export;
use reading::Reader;

use crate::domain::columns::Columns;
use crate::domain::fields::{self, STATUS, VERSION};
use crate::domain::query_language::{self, RunSearch};
use crate::domain::{
    DocRef, LeftOff, Narrowing, RunRow, RunsOperation, Sort, SortedBy, View, local,
};
use crate::mirror::{ListExtent, Overview, Run, RunsAnswer, RunsQuery, TabQuery};
use crate::store::{Cx, Layer, Motion, Shared, Slot};
use crate::ui::list::{Marks, RANGE_GONE, Search, range_begun};
use crate::ui::{Completing, Input, Scroll, text};

/// The service's full text is asked from so many characters on; shorter words are looked for here alone.
pub const FULLTEXT_FROM: usize = 3;
/// Milliseconds without typing after which the service is asked.
pub const TYPING_PAUSE: u64 = 250;
/// Runs that can be marked at once.
pub const MOST_MARKS: usize = 1_000;

/// The number of the question for what was not asked for yet.
const NOT_ASKED: u64 = u64::MAX;

/// What the cursor stays on when other rows come.
#[derive(Clone, Debug, Default, PartialEq)]
enum Anchor {
    /// Nobody has pressed a key since the list was opened: the first row stays under it, whichever run it is.
    #[default]
    Not,
    /// The run that comes to its place.
    Unread,
    On(DocRef),
}

/// State of the runs list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Runs {
    /// What the list shows.
    pub answer: Option<Box<RunsAnswer>>,
    /// What was asked last.
    asked: Option<Box<RunsQuery>>,
    /// It is to be asked anew.
    asks: bool,
    /// The first question for the runs that are wanted now: what an earlier one has brought is not acted on.
    since: u64,
    /// The rows on the screen, from this place on.
    shown: (u64, Vec<RunRow>),
    pub scroll: Scroll,
    held: Anchor,
    /// The words that the list is narrowed by.
    pub search: Search,
    completing: Completing,
    /// What they ask for, as far as they can be read.
    wanted: RunSearch,
    /// Why they cannot be read as they stand.
    problem: Option<String>,
    /// Orders, the first one first.
    pub sort: Vec<SortedBy>,
    /// What is filtered by. It takes the place of what the view says about the same fields.
    pub chosen: Narrowing,
    /// The tab in force.
    pub view: View,
    /// What was shown before another screen had runs listed here: Esc leads back to both.
    before: Option<View>,
    /// All tabs.
    pub tabs: Vec<View>,
    pub marks: Marks<Arc<Run>>,
    /// What is read of the service.
    pub reader: Reader,
    pub columns: Columns,
    /// Those of the tabs without columns of their own, while one that has such is in force.
    usual_columns: Option<Columns>,
    /// Whether the preview is wanted; `None` as long as the height decides.
    preview: Option<bool>,
    /// The preview is on the screen.
    previews: bool,
    /// What is on its way to a file.
    export: Option<Box<Export>>,
    /// Columns of the terminal that the list was drawn with.
    pub width: u16,
    /// Some tabs stand behind "more…".
    more_tabs: bool,
    /// Results came before, and come no more, which nobody has been told.
    lost_results: bool,
}

impl Runs {
    /// A list that has read nothing; the newest edits come first.
    pub fn new(page_size: u32) -> Self {
        Self::with_views(page_size, &[])
    }

    fn with_views(page_size: u32, saved: &[View]) -> Self {
        let [view, ..] = View::built_in();
        Self {
            sort: SortedBy::all_of(&Sort::newest_edits()),
            view,
            tabs: View::all(saved).into_iter().filter(View::is_tab).collect(),
            reader: Reader::new(page_size),
            asks: true,
            ..Self::default()
        }
    }

    /// Sets the list to a view.
    pub fn use_view(&mut self, view: View, cx: &mut Cx) {
        self.before = None;
        if !view.sorts.is_empty() {
            self.sort = SortedBy::all_of(&view.sorts);
        } else if !self.view.sorts.is_empty() {
            self.sort = SortedBy::all_of(&Sort::newest_edits());
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
        self.begin_anew();
        if !self.search.text().is_empty() {
            self.words_changed(cx);
        }
    }

    /// What the list shows as a view of this name.
    pub fn as_view(&self, name: &str, cx: &Cx) -> Result<View, String> {
        if let Some(problem) = &self.problem {
            return Err(format!("the words cannot be read: {problem}"));
        }
        let view = &self.view;
        let says_twice = fields::ALL
            .into_iter()
            .find(|field| self.wanted.chooses(field) && view.says(field));
        if let Some(field) = says_twice {
            return Err(format!(
                "{} is asked by the words and by this tab: type all of it on the tab All, then keep that",
                field.label.to_lowercase()
            ));
        }
        let now = local(cx.now, &cx.shared.in_use().watch.zone).unwrap_or_default();
        let chosen = query_language::both(&view.query, &self.chosen.search());
        Ok(View {
            name: name.to_owned(),
            filter: self.tab(&self.wanted, &now).filter,
            query: query_language::both(&chosen, self.search.text()),
            sorts: self.sort.iter().copied().map(SortedBy::kept).collect(),
            columns: Some(self.columns.clone()),
            limit: view.limit.clone(),
            ..view.clone()
        })
    }

    /// The tabs are others; the one in force stays as long as it is there.
    pub fn set_tabs(&mut self, cx: &mut Cx) {
        self.tabs = cx.shared.tabs();
        self.asks = true;
        if self.tabs.iter().all(|tab| tab.name != self.view.name) {
            let [open, ..] = View::built_in();
            self.use_view(open, cx);
        }
    }

    /// What is filtered by once the list is set to a view: what the view itself filters by not twice, and the version of
    /// the profile again after a view that has versions of its own.
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

    /// Other runs are asked for: the list begins at its first row.
    pub fn begin_anew(&mut self) {
        self.want_others();
        self.scroll.rewind();
        self.held = Anchor::Not;
        self.reader.begin_anew();
    }

    fn want_others(&mut self) {
        self.asks = true;
        self.since = NOT_ASKED;
    }

    /// Put in order as far as it is here: of what is not, some may belong before these rows.
    fn is_sorted_in_part(&self) -> bool {
        let is_by_edits = self.sort == SortedBy::all_of(&Sort::newest_edits());
        !self.sort.is_empty() && !is_by_edits && !self.extent().is_whole && !self.is_empty()
    }

    /// What the rows are sorted by.
    pub fn sorted_by(&self) -> Option<SortedBy> {
        self.sort.first().copied()
    }

    /// The answer to what is asked now.
    fn answered(&self) -> Option<&RunsAnswer> {
        let answer = self.answer.as_deref();
        answer.filter(|answer| answer.number >= self.since)
    }

    /// How much of the list is here.
    pub fn extent(&self) -> ListExtent {
        let answer = self.answer.as_ref();
        answer
            .map(|answer| answer.overview.list)
            .unwrap_or_default()
    }

    /// Number of rows that can be scrolled through, if it is known: as long as nothing was read, nobody knows that there
    /// is none.
    pub fn len(&self) -> Option<u64> {
        let (answer, extent) = (self.answer.as_ref()?, self.extent());
        // Where runs are here and none is found, that is an answer.
        let is_searched = self.view.only.is_none() && answer.overview.project.here > 0;
        let is_known = extent.here > 0 || extent.is_whole || extent.size.is_some() || is_searched;
        (is_known || !answer.runs.is_empty()).then_some(answer.runs.len() as u64)
    }

    /// Nothing can be scrolled through.
    pub fn is_empty(&self) -> bool {
        self.len().unwrap_or(0) == 0
    }

    /// All runs that are found, in their order.
    pub fn runs(&self) -> &[Arc<Run>] {
        self.answer.as_ref().map_or(&[], |answer| &answer.runs)
    }

    /// One of them.
    pub fn run(&self, run: &DocRef) -> Option<&Arc<Run>> {
        self.runs().iter().find(|it| it.doc_ref == *run)
    }

    /// The run under the cursor, unless other runs are asked for.
    fn here(&self) -> Option<&Arc<Run>> {
        let cursor = usize::try_from(self.scroll.cursor).ok()?;
        self.answered()?.runs.get(cursor)
    }

    /// The row under the cursor.
    pub fn current(&self) -> Option<RunRow> {
        self.here().map(|run| run.row())
    }

    /// Where a run is in the list.
    fn place_of(&self, run: &DocRef) -> Option<u64> {
        let place = self.runs().iter().position(|it| it.doc_ref == *run)?;
        Some(place as u64)
    }

    /// Which operation the rows came from.
    pub fn operation(&self) -> Option<RunsOperation> {
        self.answer.as_ref()?.operation
    }

    /// Moves the cursor. A key that is pressed before anything is here counts: the first rows bring it into the list.
    pub fn go(&mut self, motion: Motion) {
        match self.len() {
            Some(len) => {
                self.scroll.go(motion, len);
                if self.scroll.cursor + 1 >= len {
                    self.reader.begin_anew();
                }
            }
            None => {
                self.scroll.go(motion, u64::MAX);
                self.scroll.top = 0;
            }
        }
        self.pin();
    }

    /// Puts the cursor on a row of the screen.
    fn point(&mut self, row: u16) {
        self.scroll.point(row, self.len().unwrap_or(0));
        self.pin();
    }

    /// Somebody has pressed a key: the cursor stays on its run.
    fn hold(&mut self) {
        if self.held == Anchor::Not {
            self.pin();
        }
    }

    fn pin(&mut self) {
        let run = self.here().map(|run| run.doc_ref.clone());
        self.held = run.map_or(Anchor::Unread, Anchor::On);
    }

    /// Takes the number of rows on the screen; says whether anything has moved.
    pub fn set_height(&mut self, height: u16) -> bool {
        let moved = match self.len() {
            Some(len) => self.scroll.set_height(height, len),
            None => {
                self.scroll.height = u64::from(height.max(1));
                false
            }
        };
        self.show();
        moved
    }

    /// Reads the rows on the screen out of their runs, those that were not there before.
    fn show(&mut self) {
        let (top, end) = (self.scroll.top, self.scroll.top + self.scroll.height);
        let (first, rows) = std::mem::take(&mut self.shown);
        let mut before: Vec<Option<RunRow>> = rows.into_iter().map(Some).collect();
        let runs = self.answer.as_ref().map_or(&[][..], |answer| &answer.runs);
        let row = |place: u64| {
            let run = runs.get(usize::try_from(place).ok()?)?;
            let known = place
                .checked_sub(first)
                .and_then(|it| before.get_mut(it as usize));
            Some(known.and_then(Option::take).unwrap_or_else(|| run.row()))
        };
        let rows = (top..end).map_while(row).collect();
        self.shown = (top, rows);
    }

    /// A row on the screen.
    fn shown(&self, place: u64) -> Option<&RunRow> {
        let at = place.checked_sub(self.shown.0)?;
        self.shown.1.get(usize::try_from(at).ok()?)
    }

    /// The words have changed: what is here is searched at once, the service is asked after a pause.
    fn words_changed(&mut self, cx: &mut Cx) {
        self.before = None;
        cx.give_up(&Slot::Search);
        cx.give_up(&Slot::TypingPause);
        self.reader.search_failed = false;
        let zone = &cx.shared.in_use().watch.zone;
        let words = self.search.text().trim();
        let now = local(cx.now, zone);
        match now.map(|now| query_language::search(words, &now, &RunsQuery::FLAGS)) {
            Some(Ok(search)) => (self.wanted, self.problem) = (search, None),
            Some(Err(wrong)) => self.problem = Some(wrong.to_string()),
            None => {}
        }
        self.want_others();
        if self.asks_service() {
            cx.timer(Slot::TypingPause, TYPING_PAUSE);
        }
    }

    /// Shows what words find, of all runs.
    pub fn find(&mut self, words: &str, cx: &mut Cx) {
        let [.., all] = View::built_in();
        let before = self.view.clone();
        self.use_view(all, cx);
        self.search.words = Input::with_text(words);
        self.words_changed(cx);
        self.before = Some(before);
    }

    /// The version that is chosen, if it is one.
    pub fn version(&self) -> Option<String> {
        let mut chosen = self.chosen.values.get(VERSION.path)?.iter();
        chosen.next().filter(|_| chosen.next().is_none()).cloned()
    }

    /// The plain words are long enough for the service's full text, and not all runs are here.
    fn asks_service(&self) -> bool {
        !self.extent().is_whole && self.plain_words().chars().count() >= FULLTEXT_FROM
    }

    /// The words that the service can look for; none where words stand beside others that need not be found.
    fn plain_words(&self) -> String {
        let words: Vec<&str> = self.search.text().split_whitespace().collect();
        let is_plain =
            |word: &&&str| !word.starts_with('-') && !word.contains([':', '<', '>', '=']);
        if words
            .iter()
            .any(|word| *word == "or" || word.contains(['(', ')']))
        {
            return String::new();
        }
        let words = words
            .iter()
            .filter(is_plain)
            .map(|word| word.replace('"', ""));
        text::join(words, " ")
    }

    /// Takes the words away; the cursor stays on its run.
    pub fn clear_words(&mut self, cx: &mut Cx) {
        if !self.search.text().is_empty() || self.search.typing {
            self.search.clear();
            self.words_changed(cx);
        }
    }

    /// The runs of this tab; where the words name other values of a field, or one run, these count.
    fn tab(&self, wanted: &RunSearch, now: &Zoned) -> TabQuery {
        TabQuery::of(&self.view, &self.chosen, wanted, now)
    }

    /// The runs of a tab once the list is set to it.
    fn other_tab(&self, view: &View, shared: &Shared, now: &Zoned) -> TabQuery {
        let chosen = if view.name == self.view.name {
            self.chosen.clone()
        } else {
            self.chosen_on(view, shared)
        };
        TabQuery::of(view, &chosen, &RunSearch::default(), now)
    }

    /// The runs of this tab, whatever words are typed.
    pub fn this_tab(&self, cx: &Cx) -> TabQuery {
        let now = local(cx.now, &cx.shared.in_use().watch.zone).unwrap_or_default();
        self.tab(&RunSearch::default(), &now)
    }

    /// Asks the mirror, if anything else is wanted than before or another day has begun.
    fn ask(&mut self, cx: &mut Cx) {
        let today = self
            .asked
            .as_ref()
            .is_some_and(|it| it.days.is_today(cx.now));
        let now = local(cx.now, &cx.shared.in_use().watch.zone);
        let all = cx.shared.all_runs(cx.now).zip(now);
        let Some((all, now)) = all.filter(|_| self.asks || !today) else {
            return;
        };
        self.asks = false;
        let tabs = self.tabs.iter();
        let tabs = tabs.map(|view| self.other_tab(view, &cx.shared, &now));
        let query = RunsQuery {
            search: self.wanted.clone(),
            tab: self.tab(&self.wanted, &now),
            orders: self.sort.clone(),
            tabs: tabs.collect(),
            ..all
        };
        self.asked = Some(Box::new(query.clone()));
        let number = cx.ask_runs(Layer::Runs, query);
        self.since = self.since.min(number);
    }

    /// What this depends on beside the list is another.
    pub fn ask_again(&mut self) {
        self.asks = true;
    }

    /// Takes an answer, unless something else is asked by now; the cursor stays on its run where that is still found.
    pub fn take_answer(&mut self, answer: Box<RunsAnswer>) {
        if answer.number < self.since {
            return;
        }
        self.shown.1.clear();
        self.answer = Some(answer);
        let Some(len) = self.len() else { return };
        let place = match &self.held {
            Anchor::On(run) => self.place_of(run),
            Anchor::Not | Anchor::Unread => None,
        };
        match place {
            Some(place) => self.scroll.carry(place, len),
            None => self.scroll.fit(len),
        }
        if place.is_none() && self.held != Anchor::Not {
            self.pin();
        }
        self.show();
    }

    /// How the list stands.
    pub fn left_off(&self) -> LeftOff {
        let rows = self.shown.1.iter().map(|row| row.doc_ref.clone());
        let overview = self.answer.as_ref().map(|answer| &answer.overview);
        let empty = overview.map_or(&[][..], |it| &it.empty);
        LeftOff {
            view: self.view.name.clone(),
            orders: self.sort.clone(),
            columns: self.columns.clone(),
            chosen: self.chosen.clone(),
            cursor: self.here().map(|run| run.doc_ref.clone()),
            rows: rows.collect(),
            empty: empty.iter().map(|name| (*name).to_owned()).collect(),
            ..LeftOff::default()
        }
    }

    /// Sets the list as it stood; whether its tab is here.
    pub fn go_on_at(&mut self, left_off: &LeftOff) -> bool {
        self.columns = left_off.columns.clone();
        let tab = self.tabs.iter().find(|tab| tab.is(&left_off.view));
        let Some(view) = tab.cloned() else {
            return false;
        };
        self.view = view;
        self.sort.clone_from(&left_off.orders);
        self.chosen.clone_from(&left_off.chosen);
        self.begin_anew();
        self.held = left_off.cursor.clone().map_or(Anchor::Not, Anchor::On);
        true
    }

    /// Shows the rows that were on the screen, until all runs are here.
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

    /// These are the rows of the last time, and all runs are not here yet.
    pub fn is_beginning(&self) -> bool {
        let answer = self.answer.as_ref();
        answer.is_some_and(|answer| answer.number == NOT_ASKED)
    }

    /// The tab shows all that lists of the service have.
    fn is_list(&self) -> bool {
        let tab = self.asked.as_ref().map(|asked| &asked.tab);
        tab.is_some_and(|tab| tab.only.is_none() && tab.is_list())
    }

    fn is_on_open_runs(&self, cx: &Cx) -> bool {
        let active = format!("{}:active", STATUS.path);
        self.this_tab(cx).filter.filters.contains(&active)
    }
}

impl Runs {
    /// What is told of the run under the cursor where none is here.
    fn none_here(&self) -> &'static str {
        if self.is_empty() {
            "there is no run here yet"
        } else {
            "this row is not here yet"
        }
    }

    /// Marks the run under the cursor or takes its mark away, and goes on to the next.
    fn toggle_mark(&mut self, cx: &mut Cx) {
        let Some(run) = self.here().cloned() else {
            return cx.say(self.none_here());
        };
        if self.marks.len() >= MOST_MARKS && !self.marks.has(&run.doc_ref) {
            return cx.say(full());
        }
        self.marks.toggle(&run);
        self.go(Motion::Down);
    }

    /// The first time: a range begins at the run under the cursor. The second time: all rows from there to here are
    /// marked. Says what was done, or why nothing was; whether something was.
    fn mark_range(&mut self, cx: &mut Cx) -> bool {
        let here = self.here().map(|run| run.doc_ref.clone());
        let done = match self.marks.range(here.as_ref()) {
            Some(begun) => self
                .range_from(&begun)
                .ok_or(RANGE_GONE)
                .map(|places| self.mark(&places, 0)),
            None if here.is_some() => Ok(range_begun(Layer::Runs, cx)),
            None => Err("this row is not here yet"),
        };
        let is_done = done.is_ok();
        cx.say(done.unwrap_or_else(str::to_owned));
        is_done
    }

    /// Marks all rows.
    fn mark_all(&mut self, cx: &mut Cx) {
        self.marks.anchor = None;
        let ListExtent {
            here,
            size,
            is_whole,
        } = self.extent();
        // Of the runs that are not here nobody knows whether they match.
        let missing = size
            .filter(|_| !is_whole)
            .map_or(0, |size| size.saturating_sub(here));
        cx.say(self.mark(&(0..=u64::MAX), missing));
    }

    /// The marked runs, each as it was read last.
    pub fn marked_runs(&self) -> Vec<Arc<Run>> {
        let newest = |kept: &Arc<Run>| {
            let here = self.runs().iter().find(|run| run.doc_ref == kept.doc_ref);
            here.unwrap_or(kept).clone()
        };
        self.marks.rows().iter().map(newest).collect()
    }

    pub fn marked(&self) -> Vec<RunRow> {
        self.marked_runs().iter().map(|run| run.row()).collect()
    }

    /// The places from a run to the cursor, if the run is in the list.
    pub fn range_from(&self, begun: &DocRef) -> Option<RangeInclusive<u64>> {
        Some(self.scroll.span(self.place_of(begun)?))
    }

    /// Marks the rows of these places; so many others are not here. Says how many were marked.
    fn mark(&mut self, places: &RangeInclusive<u64>, missing: u64) -> String {
        let rows = (0_u64..).zip(self.runs());
        let rows = rows.filter(|(place, _)| places.contains(place));
        let rows: Vec<Arc<Run>> = rows.map(|(_, run)| run.clone()).collect();
        let mut marked = 0;
        for run in &rows {
            if self.marks.has(&run.doc_ref) || self.marks.len() < MOST_MARKS {
                self.marks.add(run);
                marked += 1;
            }
        }
        let mut done = format!("{} marked", text::count(marked, "row"));
        if missing > 0 {
            let missing = text::thousands(missing);
            done = format!("{done}, {missing} others are not here");
        }
        if marked < rows.len() {
            done += "; ";
            done += &full();
        }
        done
    }
}

fn full() -> String {
    let most = text::thousands(MOST_MARKS);
    format!("no more than {most} runs can be marked at once")
}
