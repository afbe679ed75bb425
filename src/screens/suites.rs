//! Parts that the two lists of suites share: those that can be added, and those in a run.

use crate::screens::prelude::*;
use std::cmp::Ordering;

use super::give_up;
use crate::attached::Named;
use crate::domain::ListEntry;
use crate::store::{CopyOf, CopyTo, Orders, SuiteOrder};
use crate::ui::fields;
use crate::ui::frame::Tab;
use crate::ui::list::Words;

/// Columns of the words of a search beside marks.
const WORDS: usize = 24;

/// Order that a list of suites is sorted by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SuiteSort {
    pub order: SuiteOrder,
    /// True if the order is reversed.
    pub descending: bool,
}

impl SuiteSort {
    /// Asks for the order.
    pub fn ask(self, cx: &mut Cx) {
        cx.open(Open::SortMenu(Orders::Suites {
            now: self.order,
            descending: self.descending,
        }));
    }

    pub fn choose(&mut self, order: SuiteOrder) {
        self.descending = self.order == order && !self.descending;
        self.order = order;
    }

    pub fn compare(self, a: &SuiteRow, b: &SuiteRow) -> Ordering {
        let by = match self.order {
            SuiteOrder::Order => a.by_order(b),
            SuiteOrder::Title => a.title.cmp(&b.title),
            SuiteOrder::Id => number_of(a)
                .cmp(&number_of(b))
                .then_with(|| a.id.cmp(&b.id)),
            SuiteOrder::Priority => a.priority.cmp(&b.priority),
            SuiteOrder::Cases => a.total_cases.cmp(&b.total_cases),
            SuiteOrder::Edited => a.edited_on.cmp(&b.edited_on),
        };
        let by = by.then_with(|| a.doc_ref.cmp(&b.doc_ref));
        if self.descending { by.reverse() } else { by }
    }

    /// Words for the status line.
    pub fn words(self) -> String {
        let down = if self.descending { " ↓" } else { "" };
        let mut orders = SuiteOrder::ALL.iter();
        let order = orders.find(|(order, ..)| *order == self.order);
        let order = order.map_or("", |(.., heading)| heading);
        format!("   sort: {}{down}", order.to_lowercase())
    }
}

/// Number in a short id such as `S_31`.
fn number_of(suite: &SuiteRow) -> Option<u64> {
    suite.id.as_ref()?.rsplit('_').next()?.parse().ok()
}

/// Returns true if a suite matches the words of a search.
pub fn fits(words: &mut Words, suite: &SuiteRow) -> bool {
    let parts = [&suite.id, &suite.title, &suite.priority, &suite.edited_by];
    words.fit(parts.into_iter().flatten().map(String::as_str))
}

/// Text of a list of suites that the words of a search leave nothing of.
pub fn no_match(shared: &Shared, layer: Layer) -> String {
    let takes = "takes the words away.";
    "No suite matches.".to_owned() + &shared.then_key(" ", layer, &Action::Back, takes)
}

/// Number of marked suites, with the words of a search that hides others: `shown` are the suites that it shows.
pub fn marked<'a, T: ListEntry + Clone>(
    list: &List<T>,
    shown: impl Iterator<Item = &'a DocRef>,
) -> String {
    let marks = &list.marks;
    let (mut all, mut seen) = (0, 0);
    for suite in shown {
        all += 1;
        seen += usize::from(marks.has(suite));
    }
    let words = text::fit(list.search.text(), WORDS);
    let [many, all, hidden] = [marks.len(), all, marks.len().saturating_sub(seen)];
    let marked = format!("{} marked", text::thousands(many));
    match (hidden, &*words) {
        (_, "") => marked,
        (0, words) => format!("{marked} of {} with \"{words}\"", text::thousands(all)),
        (hidden, words) => format!(
            "{marked}, {} hidden by \"{words}\"",
            text::thousands(hidden)
        ),
    }
}

/// Returns the place of the cursor in a list that has not all its `len` suites on the screen: `suite 4 of 23`.
pub fn place(scroll: &Scroll, len: usize) -> Option<String> {
    let here = scroll.cursor + 1;
    let is_said = len > scroll.height && here <= len;
    is_said.then(|| {
        format!(
            "suite {} of {}",
            text::thousands(here),
            text::thousands(len)
        )
    })
}

/// Title of a list of suites of a run.
pub fn suites_title(project: &str, run: &Run, words: &str) -> String {
    format!("{project} › {} › {words}", run.name())
}

/// Tabs of both lists of suites with the number of suites, if known.
pub fn suite_tabs(run: &Run, free: Option<u64>, inside: Option<u64>) -> [Tab; 2] {
    let counted = run
        .row()
        .suite_count
        .and_then(|count| u64::try_from(count).ok());
    let count = |number: Option<u64>| number.map_or_else(String::new, text::thousands);
    [
        Tab::new("To add", count(free)),
        Tab::new("In this run", count(inside.or(counted))),
    ]
}

/// Columns of a list of suites with these rows: signs, id, title, cases, priority and the time of the last edit.
/// `title` is the least and the most width, `priority` the rank.
pub fn columns<'a>(
    rows: &(impl Iterator<Item = &'a SuiteRow> + Clone),
    title: (usize, usize),
    priority: usize,
) -> Vec<Column> {
    let any = |holds: fn(&SuiteRow) -> bool| rows.clone().any(holds);
    let ids = rows.clone().filter_map(|suite| suite.id.as_deref());
    let ids = ids.map(text::width).fold(6, usize::max).min(14);
    let by = Choice::SuiteSort;
    vec![
        Column::signs(),
        Column::new("Suite", ids, 0)
            .behind(0)
            .sorted_by(by(SuiteOrder::Id)),
        Column::new("Title", title.0, 0)
            .up_to(title.1)
            .sorted_by(by(SuiteOrder::Title)),
        Column::new("Cases", 5, 1)
            .numbers()
            .behind(2)
            .only_if(any(|suite| suite.total_cases.is_some()))
            .sorted_by(by(SuiteOrder::Cases)),
        Column::new("Priority", 8, priority)
            .behind(2)
            .only_if(any(|suite| suite.priority.is_some()))
            .sorted_by(by(SuiteOrder::Priority)),
        Column::new("Edited", 11, 3)
            .behind(2)
            .only_if(any(|suite| suite.display_edited_on.is_some()))
            .sorted_by(by(SuiteOrder::Edited)),
    ]
}

/// Cells of a suite in these columns.
pub fn cells<'a>(
    context: Context<'_>,
    row: Option<&SuiteRow>,
    (id, title): (&'a str, &'a str),
    sign: Cell<'a>,
    style: Style,
) -> Vec<Cell<'a>> {
    let cases = row.and_then(|row| row.total_cases);
    let edited = row.and_then(|row| row.display_edited_on.as_deref());
    let edited = edited.map(|at| fields::short_time(at, context.now));
    vec![
        sign,
        Cell::text(id, style),
        Cell::text(title, style),
        or_dash(cases.map(|cases| cases.to_string()), style),
        or_dash(row.and_then(|row| row.priority.clone()), style),
        or_dash(edited, style),
    ]
}

/// Cell with these words; `-` if there are none.
pub fn or_dash<'a>(words: Option<String>, style: Style) -> Cell<'a> {
    Cell::text(words.unwrap_or_else(|| "-".into()), style)
}

/// Short id and title of a suite; `-` and the reference if unknown.
pub fn called(named: &Named) -> (&str, &str) {
    let row = named.row.as_ref();
    let id = row.and_then(|row| row.id.as_deref());
    let title = row.and_then(|row| row.title.as_deref());
    (id.unwrap_or("-"), title.unwrap_or(named.suite.as_str()))
}

/// Says why there is no suite under the cursor of a list that comes with this slot.
pub fn no_suite(slot: Slot, cx: &mut Cx) {
    if cx.under_way(&slot) {
        cx.say_until(slot, "the suites are not here yet");
    } else {
        cx.say("there is no suite here");
    }
}

/// Refuses to send suites again before a reading has shown what became of those sent before.
pub fn not_known(layer: Layer, what: &str, cx: &mut Cx) {
    let words = format!("whether the suites sent before are {what} is not known");
    let reads = cx
        .shared
        .then_key("; ", layer, &Action::Refresh, "reads it");
    cx.complain(words + &reads);
}

/// Refuses a change of the suites of a closed run (3, rule 1).
pub fn run_is_closed(run: &Run, cx: &mut Cx) {
    let name = run.name();
    cx.complain(format!("{name} is closed: its suites cannot be changed"));
}

/// Reads or copies the suite under the cursor or the marked ones; other actions go to the router.
pub fn suite_action(
    slot: Slot,
    action: Action,
    current: Option<SuiteRow>,
    marked: Vec<SuiteRow>,
    cx: &mut Cx,
) {
    let is_menu = action == Action::Show(Layer::CopyMenu);
    let is_of_marked = is_menu && !marked.is_empty();
    let mut suites = if is_of_marked {
        marked
    } else {
        current.into_iter().collect()
    };
    match action {
        Action::Show(Layer::CopyMenu) | Action::Copy(_) | Action::Raw if suites.is_empty() => {
            no_suite(slot, cx);
        }
        Action::Show(Layer::CopyMenu) => {
            cx.open(Open::CopyMenu(CopyOf::Suites(suites), is_of_marked));
        }
        Action::Copy(what) => cx.copy(CopyOf::Suites(suites), what, CopyTo::Clipboard),
        Action::Raw => cx.open(Open::Suite(Box::new(suites.remove(0)))),
        other => cx.anywhere(other),
    }
}

/// Cancels the reading of a list of suites. Returns true if it was running.
pub fn give_up_suites<T>(layer: Layer, slot: &Slot, of: &mut Remote<T>, cx: &mut Cx) -> bool {
    let again = cx.shared.key_does(layer, &Action::Refresh, "reads again");
    give_up(slot, of, "reading the suites", &again, cx)
}
