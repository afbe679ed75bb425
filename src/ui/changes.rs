//! Changes as lines.

use ratatui::prelude::Span;

use crate::domain::ResultCode;
use crate::domain::diff::{Change, News};
use crate::store::What;
use crate::store::feed::FeedEntry;
use crate::ui::table::sign;
use crate::ui::{Cell, Column, Context, Table, text};

/// Returns the width of the times of these entries: that of a clock time, or of the day.
pub fn times<'a>(context: Context<'_>, entries: impl Iterator<Item = &'a FeedEntry>) -> usize {
    let widths = entries.map(|entry| text::width(&context.now.short(entry.at)));
    widths.fold(5, usize::max)
}

/// Returns the columns of a line: sign, time, run, title of the run if there is room, change.
pub fn table((when, ids): (usize, usize), titled: bool, width: usize) -> Table {
    let columns = vec![
        Column::signs(),
        Column::plain(when).behind(0),
        Column::plain(ids.max(6)).behind(2),
        Column::plain(38).only_if(titled),
        Column::fill().behind(if titled { 2 } else { 1 }),
    ];
    Table::lay_out(columns, width)
}

/// Returns a line: time, run, its title if there is room, change; unseen ones are marked with colour and dot.
pub fn line<'a>(context: Context<'_>, table: &Table, entry: &'a FeedEntry) -> Vec<Span<'a>> {
    let theme = context.theme;
    let title = entry.known.as_ref().and_then(|run| run.title());
    let unread = context.cx.shared.feed.is_new(entry);
    let style = match &entry.what {
        What::Statement { bad: true, .. } => theme.bad(),
        What::News(News::Changed { changes, .. }) if changes.iter().any(Change::fails) => {
            theme.bad()
        }
        _ if unread => theme.warn(),
        _ => theme.text(),
    };
    table.row([
        Cell::text(sign([false, false, false, unread]), theme.muted()),
        Cell::text(context.now.short(entry.at), theme.muted()),
        Cell::text(&entry.name, theme.muted()),
        Cell::text(title.unwrap_or_default(), theme.text()),
        Cell::text(context.cx.shared.change_words(&entry.what), style),
    ])
}

/// Returns a line for a failure, a blocked case or anything that needs attention: clock time, run (with its title if
/// there is room), change; `None` for the rest.
pub fn failures(
    context: Context<'_>,
    table: &Table,
    entry: &FeedEntry,
    title: Option<&str>,
) -> Option<Vec<Span<'static>>> {
    let theme = context.theme;
    let (words, style) = match &entry.what {
        What::News(News::Changed { changes, .. }) => {
            let fails = changes.iter().any(Change::fails);
            let style = if fails { theme.bad() } else { theme.warn() };
            (text::join(changes.iter().filter_map(more), ", "), style)
        }
        What::News(News::Vanished) => ("is not found any more".into(), theme.bad()),
        What::Statement { words, bad: true } => (words.clone(), theme.bad()),
        // About the service, good news matters as well.
        What::Statement { words, bad: false } if entry.run.is_none() => {
            (words.clone(), theme.text())
        }
        What::Statement { bad: false, .. } | What::News(_) => return None,
    };
    if words.is_empty() {
        return None;
    }
    let text = |words: &str| Cell::text(words.to_owned(), theme.text());
    let [title, words] = match title {
        // A line about no run takes the place of the title.
        None if table.width(3) > 0 => {
            let room = table.width(3) + 2 + table.width(4);
            let words = text::fit(&text::cells(&words), room);
            [Cell::Spans(vec![Span::styled(words, style)]), text("")]
        }
        title => {
            let words = Cell::text(words, style);
            [text(title.unwrap_or_default()), words]
        }
    };
    let when = context.now.clock(entry.at);
    Some(table.row([text(""), text(&when), text(&entry.name), title, words]))
}

/// Returns the increase of failed or blocked cases: `1 more failed (new)`. The total of this code is left out: the row
/// beside it has the sum of several.
fn more(change: &Change) -> Option<String> {
    let Change::Count {
        code,
        before,
        after,
        ..
    } = change
    else {
        return None;
    };
    let code = ResultCode::parse(code)?;
    let bad = ResultCode::FAILED.contains(&code) || ResultCode::BLOCKED.contains(&code);
    let more = after.checked_sub(*before).filter(|more| bad && *more > 0)?;
    let label = code.in_words();
    Some(format!("{more} more {label}"))
}
