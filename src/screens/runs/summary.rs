//! What the rows that are here tell together: worked out once after all that came for a frame where one of them has
//! changed; with each letter of the filter only what the rows on the screen tell.

use super::{Runs, Window, narrowed};
use crate::domain::fields::{ID, LIST, TITLE, VERSION};
use crate::domain::{Days, DocRef, Failure, Filter, Only, Page, RunsPage, View};
use crate::store::{Cx, Effect, Shared, Slot};

/// Other versions that are named where no run is of the one that is filtered by.
const OTHERS: usize = 3;

/// How many runs a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub runs: u64,
    /// There may be more: not all rows are here, or not all are compared yet.
    pub or_more: bool,
}

/// A view of the list with its number.
#[derive(Clone, Debug, PartialEq)]
pub struct Tab {
    pub view: View,
    /// What the service is asked for where the list is set to it.
    filter: Filter,
    /// As far as it is known.
    pub count: Option<Count>,
    /// The list tells its number, or the service was asked for it, since the list was read anew.
    asked: bool,
}

/// Of the rows of the list on the screen, those that are here.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shown {
    pub loaded: u64,
    /// Cases that are left in them; nothing where none tells.
    pub left: Option<u64>,
    /// Those with more new failures than before today.
    pub new_failures: usize,
    /// Those that had changed and were not opened, with their places.
    unread: Vec<(u64, DocRef)>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Summary {
    pub tabs: Vec<Tab>,
    pub shown: Shown,
    /// Rows have come or changed since.
    pub(super) is_old: bool,
    /// How often the feed had seen runs by then.
    turn: u64,
    /// The day that it was.
    days: Option<Days>,
    /// Of all rows that are here, whatever the screen shows of them: those that can be compared with how they stood before
    /// today.
    pub compared: u64,
    /// Since when those are compared, epoch milliseconds, where that is not simply since yesterday.
    pub since: Option<i64>,
    /// Where no run is of the version that is filtered by: other versions, what is asked for them, and how many runs they
    /// have.
    pub others: Vec<(String, Filter, Option<u64>)>,
    /// Names of the columns that are empty in them.
    pub empty: Vec<&'static str>,
}

impl Tab {
    fn unread(view: View) -> Self {
        Self {
            filter: view.filter.clone(),
            view,
            count: None,
            asked: false,
        }
    }
}

impl Summary {
    /// Nothing is here yet.
    pub fn new(saved: &[View]) -> Self {
        let views = View::all(saved).into_iter().filter(View::is_tab);
        Self {
            tabs: views.map(Tab::unread).collect(),
            ..Self::default()
        }
    }

    /// Rows have come since, the feed has seen runs, or another day has begun.
    pub fn is_behind(&self, shared: &Shared) -> bool {
        self.is_old || (self.turn, self.days) != (shared.feed.turn(), shared.earlier.days())
    }
}

impl Shown {
    /// Rows above a place that have changed and were not opened.
    pub fn changed_above(&self, place: u64, shared: &Shared) -> usize {
        self.unread
            .iter()
            .take_while(|(of, _)| *of < place)
            .filter(|(_, run)| shared.feed.is_unread(run))
            .count()
    }
}

impl Runs {
    /// Sums up the rows of the list on the screen.
    pub fn sum_shown(&mut self, shared: &Shared) {
        let (done, earlier, feed) = (shared.done_codes(), &shared.earlier, &shared.feed);
        let mut shown = Shown::default();
        for (place, row) in self.loaded_rows() {
            shown.loaded += 1;
            if let Some(sums) = row.sums(done) {
                shown.left = Some(shown.left.unwrap_or(0).saturating_add(sums.left()));
            }
            let more = earlier.more_failed(row);
            shown.new_failures += usize::from(more.is_some_and(|more| more > 0));
            if feed.is_unread(&row.doc_ref) {
                shown.unread.push((place, row.doc_ref.clone()));
            }
        }
        self.summary.shown = shown;
    }

    /// Counts the views that all the rows tell of which are here.
    pub fn sum_up(&mut self, shared: &Shared) {
        let earlier = &shared.earlier;
        let all = self.all.rows().map(|(_, row)| row);
        let compared = all.filter(|row| earlier.more_failed(row).is_some()).count() as u64;
        self.count_tabs(compared, shared);
        let all = self.all.rows().map(|(_, row)| &row.doc_ref);
        let since = earlier.since(all);
        let empty = self.empty_columns(shared);
        let summary = &mut self.summary;
        (summary.compared, summary.since, summary.is_old) = (compared, since, false);
        summary.empty = empty;
        (summary.turn, summary.days) = (shared.feed.turn(), earlier.days());
    }

    /// The columns in which no row has anything; a run is always named.
    fn empty_columns(&self, shared: &Shared) -> Vec<&'static str> {
        let rows = || self.windows().flat_map(Window::rows).map(|(_, row)| row);
        if rows().next().is_none() {
            return Vec::new();
        }
        let done = shared.done_codes();
        LIST.into_iter()
            .filter(|field| ![ID.name, TITLE.name].contains(&field.name))
            .filter(|field| rows().all(|row| field.is_empty(row, row.sums(done))))
            .map(|field| field.name)
            .collect()
    }

    /// Takes note of how many runs the views show that the rows which are here tell of.
    fn count_tabs(&mut self, compared: u64, shared: &Shared) {
        let mut tabs = std::mem::take(&mut self.summary.tabs);
        let loaded = self.all.loaded() as u64;
        let other_day = self.summary.days != shared.earlier.days();
        for tab in &mut tabs {
            let filter = self.filter_on(&tab.view, shared);
            if filter != tab.filter {
                (tab.filter, tab.count, tab.asked) = (filter, None, false);
            }
            // What was compared with yesterday tells nothing of another day.
            if other_day && tab.view.only.is_some_and(Only::compares) {
                tab.count = None;
            }
            let Some(size) = self
                .all
                .full_size()
                .filter(|_| tab.filter == self.all.filter)
            else {
                continue;
            };
            tab.asked = true;
            tab.count = match tab.view.only {
                None => Some(Count {
                    runs: size,
                    or_more: false,
                }),
                only => {
                    let runs = self
                        .all
                        .rows()
                        .filter(|(_, row)| shared.fits(only, row))
                        .count() as u64;
                    let compares = only.is_some_and(Only::compares);
                    let waits = compares && shared.earlier.waits();
                    // Where nothing can be compared, that there is none is not known.
                    let unknown = compares && !waits && compared == 0 && runs == 0 && loaded > 0;
                    (!unknown).then_some(Count {
                        runs,
                        or_more: loaded < size || waits,
                    })
                }
            };
        }
        self.summary.tabs = tabs;
    }

    /// The numbers of the tabs are old from now on, as the list is.
    pub(super) fn count_anew(&mut self) {
        self.summary.others.clear();
        for tab in &mut self.summary.tabs {
            tab.asked = false;
            // Rows that are not here any more tell nothing of now.
            if tab.view.only.is_some() && tab.filter != self.all.filter {
                tab.count = None;
            }
        }
    }

    /// Asks how many runs a tab shows of which no row is here: one tab after the other, once the list has what it needs.
    pub(super) fn ask_for_counts(&mut self, cx: &mut Cx) {
        let waits = self
            .windows()
            .any(|window| window.busy() || window.failure.is_some());
        let asks = !cx
            .in_flight
            .of(|slot| matches!(slot, Slot::Count(_)))
            .is_empty();
        if waits || asks || self.all.full_size().is_none() {
            return;
        }
        // What no filter of the service says is counted by the rows.
        let next = self
            .summary
            .tabs
            .iter_mut()
            .find(|tab| !tab.asked && tab.view.only.is_none())
            .map(|tab| {
                tab.asked = true;
                tab.filter.clone()
            });
        if let Some(filter) = next.or_else(|| self.next_other()) {
            cx.request(Slot::Count(filter.clone()), |id| Effect::ListRuns {
                id,
                page: Page {
                    offset: 0,
                    limit: 1,
                },
                sort: Vec::new(),
                filter,
            });
        }
    }

    /// The next of the other versions whose number is not asked yet, where none of the runs is of this one.
    fn next_other(&mut self) -> Option<Filter> {
        let chosen = self.chosen.get(VERSION.path)?;
        if self.all.full_size() != Some(0) {
            return None;
        }
        let of = |version: &str| {
            let mut chosen = self.chosen.clone();
            chosen.insert(VERSION.path.to_owned(), version.to_owned());
            narrowed(&self.view, &chosen)
        };
        let (_, versions) = self.facets.iter().find(|(path, _)| path == VERSION.path)?;
        let mut versions: Vec<&String> = versions.iter().filter(|it| *it != chosen).collect();
        versions.sort_by(|one, other| other.cmp(one));
        let next = versions.into_iter().take(OTHERS).find_map(|version| {
            let filter = of(version);
            let asked = self
                .summary
                .others
                .iter()
                .any(|(_, asked, _)| *asked == filter);
            (!asked).then(|| (version.clone(), filter))
        });
        let (version, filter) = next?;
        self.summary.others.push((version, filter.clone(), None));
        Some(filter)
    }

    /// Takes the number of a tab; where it could not be read the tab has none.
    pub(super) fn count_came(
        &mut self,
        filter: &Filter,
        result: Result<RunsPage, Failure>,
        cx: &mut Cx,
    ) {
        let runs = result.as_ref().ok().map(|page| page.full_size);
        let mut others = self.summary.others.iter_mut();
        if let Some((.., count)) = others.find(|(_, asked, _)| asked == filter) {
            *count = runs;
        }
        let count = match result {
            Ok(page) => Some(Count {
                runs: page.full_size,
                or_more: false,
            }),
            Err(failure) => {
                cx.errors.push(cx.now, failure);
                None
            }
        };
        for tab in self
            .summary
            .tabs
            .iter_mut()
            .filter(|tab| tab.filter == *filter && tab.view.only.is_none())
        {
            (tab.count, tab.asked) = (count, true);
        }
    }
}
