//! Preview pane: details and latest changes of the run under the cursor, from the list alone.

use crate::domain::fields::{CONFIGURATION, Field, VERSION};
use crate::screens::prelude::*;
use crate::store::feed::FeedEntry;
use crate::ui::{changes, counts};

/// Maximum number of shown changes.
const CHANGES: usize = 3;

/// Draws the pane; `older` is the time of counts that a later reading was without, epoch milliseconds.
pub fn draw(run: Option<&RunRow>, older: Option<i64>, on: &mut Surface<'_>, area: Rect) {
    let (context, buffer) = (on.context, &mut *on.buffer);
    let theme = context.theme;
    let Some(run) = run else {
        frame::pane(buffer, area, "Preview", "", theme, false);
        return;
    };
    let of = |field: &Field| field.text_of(run).unwrap_or_default().to_owned();
    let mut about = vec![run.status.to_string(), of(&VERSION), of(&CONFIGURATION)];
    about.retain(|text| !text.is_empty());
    let about = about.join(" · ");
    let title = format!("{}  {}", run.name(), run.title.as_deref().unwrap_or("-"));
    let inside = frame::pane(buffer, area, &title, &about, theme, false);
    let width = usize::from(inside.width).saturating_sub(4);
    let facts = match &run.results {
        Some(results) => {
            let mut facts = counts::counted(results, width);
            facts.push(about_cases(context, run, older));
            facts
        }
        None => vec!["no results".to_owned()],
    };
    let line = |fact: &String| vec![Span::raw(format!("  {}", text::fit(fact, width)))];
    let mut lines: Vec<_> = facts.iter().map(line).collect();
    let entries = context.cx.shared.feed.entries.iter();
    let of_run = entries.filter(|entry| entry.run.as_ref() == Some(&run.doc_ref));
    let changes: Vec<&FeedEntry> = of_run.take(CHANGES).collect();
    let when = changes::times(context, changes.iter().copied());
    let columns = vec![Column::plain(when + 1).behind(2), Column::fill()];
    let table = Table::lay_out(columns, width + 2);
    let change = |entry: &&FeedEntry| {
        let when = Cell::text(context.now.short(entry.at), theme.muted());
        table.row([
            when,
            Cell::text(context.cx.shared.change_words(&entry.what), theme.text()),
        ])
    };
    lines.extend(changes.iter().map(change));
    if changes.is_empty() {
        let words = "  no news of it; its tab History has all changes that are known";
        lines.push(vec![Span::styled(words, theme.muted())]);
    }
    frame::lines(buffer, inside, lines);
}

/// Line with the time of older counts, cases left, testers and number of suites.
fn about_cases(context: Context<'_>, run: &RunRow, older: Option<i64>) -> String {
    let mut parts = Vec::new();
    parts.extend(older.map(|at| format!("counts of {}", context.now.when(at))));
    if let Some(results) = &run.results {
        let done = context.cx.shared.done_codes();
        parts.push(counts::left(results, done, run.is_closed()));
    }
    if !run.testers.is_empty() {
        let names = run
            .testers
            .iter()
            .map(|name| context.cx.shared.person(name));
        parts.push(format!("testers {}", text::join(names, ", ")));
    }
    parts.extend(run.suite_count.map(|suites| text::count(suites, "suite")));
    parts.join("   ")
}
