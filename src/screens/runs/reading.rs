//! Readings of the list: through the mirror, by page at the end of the list, and searches of the service for the words.

use crate::screens::prelude::*;
use std::collections::HashSet;

use super::Runs;
use crate::domain::fields::VERSION;
use crate::domain::{FailureKind, Filter, Page, RunsOperation, Sort, is_run_id};
use crate::mirror::{Depth, RunsAnswer, RunsReading, are_older};
use crate::screens::given_up;

/// Pauses before a failed reading is tried again, in milliseconds.
const BACKOFF: [u64; 9] = [
    1_000, 2_000, 5_000, 10_000, 20_000, 40_000, 80_000, 160_000, 300_000,
];
/// Entries of a page, unless the profile has more.
const PAGE: u32 = 100;

/// State of the readings.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListReader {
    /// Failure of the last reading; nothing is asked until a retry.
    pub failure: Option<Failure>,
    /// True if the search of the service for the words failed.
    pub search_failed: bool,
    /// Depth to read next.
    wants: Option<Depth>,
    /// True if the user has asked for that reading.
    asked: bool,
    /// Depth of the running reading.
    pub(super) reads: Option<Depth>,
    /// True while a further page is being read.
    reads_more: bool,
    /// Progress in lists that are read page by page.
    pages: Vec<ListPages>,
    /// Cursor when the last further page was requested.
    asked_at: Option<usize>,
    /// List of that page, and its orders.
    asked_list: (Filter, Vec<Sort>),
    /// Entries of a page.
    limit: u32,
    /// Number of failed readings in a row.
    retries: u32,
    /// True if the user has signed in since the running reading began, so that its session may have ended.
    is_of_before: bool,
    /// True if the failure was reported; retries do not report it again.
    pub is_reported: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct ListPages {
    filter: Filter,
    sort: Vec<Sort>,
    /// Number of entries read.
    offset: u64,
    /// True if there are no more pages.
    ended: bool,
}

/// Maximum number of lists whose pages are remembered.
const LISTS: usize = 20;

impl ListReader {
    pub(super) fn new(page_size: u32) -> Self {
        Self {
            wants: Some(Depth::Start),
            limit: PAGE.max(page_size),
            ..Self::default()
        }
    }

    /// Returns true while the list or a page is being read.
    pub fn busy(&self) -> bool {
        self.reads.is_some() || self.reads_more
    }

    /// A key tries again: what comes of it is told, and the pauses begin anew.
    pub fn asked_by_hand(&mut self) {
        self.is_reported = false;
        self.retries = self.retries.min(1);
    }

    /// Allows another page at the same place, as other runs are wanted.
    pub(super) fn begin_anew(&mut self) {
        self.asked_at = None;
    }

    fn pages_of(&mut self, filter: &Filter, sort: &[Sort]) -> &mut ListPages {
        let is_it = |list: &ListPages| list.filter == *filter && list.sort == sort;
        let place = self.pages.iter().position(is_it).unwrap_or_else(|| {
            if self.pages.len() == LISTS {
                self.pages.remove(0);
            }
            self.pages.push(ListPages {
                filter: filter.clone(),
                sort: sort.to_vec(),
                offset: 0,
                ended: false,
            });
            self.pages.len() - 1
        });
        &mut self.pages[place]
    }
}

impl Runs {
    /// Orders that the service can apply.
    fn asked_orders(&self) -> Vec<Sort> {
        let asked = self.sort.iter().filter(|sort| sort.is_asked());
        asked.cloned().collect()
    }

    /// Tries a failed reading again.
    pub fn resume(&mut self, cx: &mut Cx) {
        cx.give_up(&Slot::RetryPause);
        self.reader.is_of_before = self.reader.reads.is_some();
        if self.reader.failure.take().is_some() {
            self.reader.asked_at = None;
        } else if cx.shared.away_since.is_some() {
            self.read_again(false);
        }
    }

    /// While a call of any kind had no answer, begins the pause before the list is read to see if the service is back;
    /// ends it where one had. A reading under way, or one that failed, has a pause of its own.
    pub fn reached(&mut self, cx: &mut Cx) {
        if self.reader.failure.is_some() || self.reader.busy() {
            return;
        }
        if cx.shared.away_since.is_some() {
            // Reported by the call that failed, and in the header: no message for each retry.
            self.reader.is_reported = true;
            return self.retry_later(cx);
        }
        if std::mem::take(&mut self.reader.retries) > 0 {
            cx.works_again();
            self.reader.is_reported = false;
        }
        cx.give_up(&Slot::RetryPause);
    }

    fn retry_later(&mut self, cx: &mut Cx) {
        if !cx.under_way(&Slot::RetryPause) {
            let step = (self.reader.retries as usize).min(BACKOFF.len() - 1);
            self.reader.retries += 1;
            let waits = self.reader.failure.as_ref().and_then(|it| it.waits);
            cx.timer(Slot::RetryPause, BACKOFF[step].max(waits.unwrap_or(0)));
        }
    }

    /// Time of the newest reading of the list, epoch milliseconds.
    pub fn read_at(&self) -> Option<i64> {
        self.answer.as_ref()?.overview.read_at
    }

    /// Time of the oldest counts of open runs, epoch milliseconds.
    pub(super) fn oldest(&self) -> Option<i64> {
        self.answer_with_counts()?.oldest
    }

    /// The same if a later reading was without them.
    pub(super) fn older_counts(&self) -> Option<i64> {
        self.oldest().filter(|at| are_older(*at, self.read_at()))
    }

    /// Time of the counts of the open run at a place of the list, epoch milliseconds, if a later reading was without them.
    pub(super) fn older_counts_at(&self, place: usize) -> Option<i64> {
        let run = self.answer_with_counts()?.runs.get(place)?;
        run.older_counts(self.read_at())
    }

    fn answer_with_counts(&self) -> Option<&RunsAnswer> {
        let counts = self.operation() != Some(RunsOperation::ListDocuments);
        self.answer.as_deref().filter(|_| counts)
    }

    /// Reads the runs again; the rows stay until then. `asked` is true if the user wants it.
    pub(super) fn read_again(&mut self, asked: bool) {
        let depth = if self.read_at().is_some() {
            Depth::Refresh
        } else {
            Depth::Start
        };
        self.want(depth, asked);
        self.reader.pages.clear();
        self.reader.asked_at = None;
    }

    /// Reads from the start: what is being read is for the user before.
    pub fn read_for_another_user(&mut self) {
        self.reader.failure = None;
        self.reader.reads = None;
        self.reader.reads_more = false;
        self.want(Depth::Start, false);
        self.reader.pages.clear();
        self.reader.asked_at = None;
        self.answer = None;
        self.ask_again();
    }

    /// Requests a reading of at least this depth; `asked` is true if the user wants it.
    pub(super) fn want(&mut self, depth: Depth, asked: bool) {
        self.reader.asked |= asked;
        self.reader.wants = self.reader.wants.max(Some(depth));
    }

    /// Starts the requested reading, and a further page if the list is on top.
    pub(super) fn read_on(&mut self, on_top: bool, cx: &mut Cx) {
        if self.reader.failure.is_some() {
            return;
        }
        if self.reader.reads.is_none()
            && let Some(depth) = self.reader.wants.take()
        {
            self.reader.reads = Some(depth);
            // Who reads everything reads it of all versions.
            let lists = match depth {
                Depth::Sync | Depth::All => vec![RunsReading::open_runs()],
                _ => self.open_lists(cx),
            };
            let by_itself = !std::mem::take(&mut self.reader.asked);
            // Whether the service is back shows only in a call.
            let may_share = by_itself && cx.shared.away_since.is_none();
            let every = may_share.then_some(cx.shared.in_use().refresh_seconds);
            cx.request(Slot::Runs, Request::read_runs(depth, lists, every));
        }
        if on_top {
            self.read_more(cx);
        }
    }

    /// Lists of open runs to read first: those of the tab, else those of the versions in the filters.
    fn open_lists(&self, cx: &Cx) -> Vec<Filter> {
        let mut lists = if self.is_on_open_runs(cx) {
            self.this_tab(cx).lists
        } else {
            let mut versions = self.chosen.clone();
            versions.values.retain(|path, _| path == VERSION.path);
            versions.lists(&RunsReading::open_runs())
        };
        for list in &mut lists {
            list.fulltext.clear();
        }
        lists
    }

    /// Reads a further page if the end of an incomplete list is visible: one page for each movement of the cursor.
    fn read_more(&mut self, cx: &mut Cx) {
        let (extent, at) = (self.extent(), self.list.scroll.cursor);
        let Some(answer) = self.answered() else {
            return;
        };
        let len = answer.runs.len();
        let is_end = self.list.scroll.top + self.list.scroll.height >= len;
        let starts = matches!(self.reader.reads, Some(Depth::Start)) && self.is_on_open_runs(cx);
        if !is_end
            || extent.is_complete
            || self.reader.reads_more
            || starts
            || self.reader.asked_at == Some(at)
        {
            return;
        }
        let (sort, limit) = (self.asked_orders(), self.reader.limit);
        let next = self.this_tab(cx).lists.into_iter().find_map(|list| {
            let pages = self.reader.pages_of(&list, &sort);
            (!pages.ended).then_some((list, pages.offset))
        });
        let Some((filter, offset)) = next else {
            return;
        };
        let page = Page { offset, limit };
        self.reader.reads_more = true;
        self.reader.asked_at = Some(at);
        self.reader.asked_list = (filter.clone(), sort.clone());
        cx.request(
            Slot::MoreRuns(page),
            Request::ListRuns { page, sort, filter },
        );
    }

    /// Takes a further page.
    pub(super) fn on_more_runs(
        &mut self,
        page: Page,
        result: Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) {
        self.reader.reads_more = false;
        let (filter, sort) = std::mem::take(&mut self.reader.asked_list);
        match result {
            Ok(answer) => {
                let got = answer.rows.len() as u64;
                let pages = self.reader.pages_of(&filter, &sort);
                pages.offset = page.offset + got;
                pages.ended = got == 0 || pages.offset >= answer.full_size;
                // If the cursor waits at the end and the page has only known runs, the next page is read.
                let known: HashSet<&DocRef> = self.runs().iter().map(|run| &run.doc_ref).collect();
                let is_known = answer.rows.iter().all(|row| known.contains(&row.doc_ref));
                let is_end = self.list.scroll.cursor + 1 >= known.len();
                if is_known && is_end && self.is_list() {
                    self.reader.asked_at = None;
                }
                cx.saw_page(answer, Some(filter));
                self.worked(cx);
            }
            Err(failure) if failure.kind.is_too_large() && page.limit > 1 => {
                self.reader.limit = page.limit / 2;
                self.reader.asked_at = None;
            }
            Err(failure) => self.failed(failure, cx),
        }
    }

    /// Searches the service for the words once: one page, or the run with this id.
    pub(super) fn ask_service(&mut self, cx: &mut Cx) {
        let is_due = cx.give_up(&Slot::TypingPause) || self.list.search.typing;
        if !is_due || cx.under_way(&Slot::Search) || !self.asks_service() || !cx.shared.signed_in {
            return;
        }
        let words = self.plain_words();
        let id = words.to_ascii_uppercase();
        if is_run_id(&id) {
            return cx.find_run(Slot::Search, &id);
        }
        let now = cx.local_now().unwrap_or_default();
        let tab = self.tab(&self.wanted, &now);
        // Of several lists, only their common filters.
        let mut lists = tab.lists.into_iter();
        let mut filter = lists.next().unwrap_or_default();
        for list in lists {
            filter.filters.retain(|line| list.filters.contains(line));
        }
        if !filter.fulltext.is_empty() {
            filter.fulltext.push(' ');
        }
        filter.fulltext.push_str(&words);
        let page = Page {
            offset: 0,
            limit: self.reader.limit,
        };
        let sort = self.asked_orders();
        cx.request(Slot::Search, Request::ListRuns { page, sort, filter });
    }

    /// Takes the result of the search. Matches in the mirror stay even if the service found fewer.
    pub(super) fn on_search(&mut self, result: Result<RunsPage, Failure>, cx: &mut Cx) {
        self.reader.search_failed = result.is_err();
        match result {
            Ok(page) => cx.saw_page(page, None),
            Err(failure) => {
                let asked = "searching the runs".into();
                cx.errors.push(cx.now, Failure { asked, ..failure });
            }
        }
    }

    /// Takes the end of a reading.
    pub(super) fn runs_read(&mut self, result: Result<bool, Failure>, cx: &mut Cx) {
        let depth = self.reader.reads.take();
        match result {
            Ok(is_whole) => {
                self.worked(cx);
                if let Some(Depth::Sync | Depth::All) = depth {
                    cx.progress(self.synced(depth == Some(Depth::All), is_whole));
                }
            }
            Err(failure) => {
                self.reader.wants = self.reader.wants.max(depth);
                let is_of_before = std::mem::take(&mut self.reader.is_of_before);
                if !(is_of_before && failure.kind == FailureKind::SignIn && cx.shared.signed_in) {
                    self.failed(failure, cx);
                }
            }
        }
    }

    /// Message before `:sync all`, with its calls where the number of runs is known.
    pub(super) fn reads_all(&self) -> String {
        let size = self
            .answer
            .as_ref()
            .and_then(|it| it.overview.project.extent.size);
        size.map_or("reading all runs…".into(), |size| {
            let calls = text::count(size.div_ceil(self.reader.limit.into()), "call");
            format!("reading all {} runs, about {calls}…", text::thousands(size))
        })
    }

    /// Message with the number of loaded runs after `:sync` or `:sync all`.
    fn synced(&self, all: bool, is_whole: bool) -> String {
        let project = self.answer.as_ref().map(|it| it.overview.project.extent);
        let project = project.unwrap_or_default();
        let here = text::thousands(project.here);
        let size = project.size.filter(|size| *size > project.here);
        let of_all = size.map_or(String::new(), |it| format!(" of {}", text::thousands(it)));
        match (all, is_whole) {
            _ if project.is_complete && is_whole => format!("all {here} runs are here"),
            (_, false) => format!("not whole: {here}{of_all} runs are here; :sync all reads again"),
            (true, true) => format!("{here}{of_all} runs are here: cache_runs holds no more"),
            (false, true) => format!("open runs and edits are read: {here}{of_all} runs are here"),
        }
    }

    fn worked(&mut self, cx: &mut Cx) {
        if self.reader.failure.is_none() {
            self.reader.is_reported = false;
            self.reached(cx);
        }
    }

    /// Shows this failure in place of the rows if none is loaded.
    pub fn not_signed_in(&mut self, failure: Failure) {
        if self.len().is_none() {
            self.reader.failure = Some(failure);
        }
    }

    /// Notes a failure of the list, also from elsewhere.
    pub fn failed(&mut self, failure: Failure, cx: &mut Cx) {
        // A page in the place of a service that has answered before passes; at first the address may be wrong.
        let passes = failure.kind == FailureKind::Broken && self.len().is_some();
        let again = (failure.may_retry || passes) && failure.kind != FailureKind::SignIn;
        self.reader.failure = Some(failure.clone());
        let failure = if again {
            cx.repeated(failure, true)
        } else {
            failure
        };
        let is_reported = std::mem::replace(&mut self.reader.is_reported, true);
        if is_reported && cx.shared.away_since.is_some() {
            // The header shows it all the time.
        } else if self.len().is_some() {
            cx.failed(failure);
        } else {
            // It is shown in place of the rows.
            cx.errors.push(cx.now, failure);
        }
        if again {
            self.retry_later(cx);
        }
    }

    /// Cancels the readings on Ctrl-c. Returns true if one was running.
    pub(super) fn give_up_reading(&mut self, cx: &mut Cx) -> bool {
        let again = cx
            .shared
            .key_does(Layer::Runs, &Action::Refresh, "reads again");
        let any = cx.give_up_all(|slot| matches!(slot, Slot::Runs | Slot::MoreRuns(_)));
        if any {
            self.reader.wants = self.reader.wants.max(self.reader.reads.take());
            self.reader.reads_more = false;
            self.reader.failure = Some(given_up("reading", &again));
            // The pause before a retry ends with the reading.
            cx.give_up(&Slot::RetryPause);
        }
        cx.give_up(&Slot::Search) || any
    }
}
