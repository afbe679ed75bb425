//! Drawing of the changes: a summary, then a line for each run that became worse, better or otherwise changed.

use super::{ChangeRow, WhatChanged};
use crate::domain::since::{Became, SinceLine};
use crate::mirror::SinceAnswer;
use crate::screens::prelude::*;
use crate::ui::changes;
use crate::ui::frame::Tab;
use crate::ui::run_cells::id_width;

/// Maximum number of lines of each sentence of the summary.
const HEAD: usize = 6;
/// Number of rows below which each of them has one.
const LOW: u16 = 16;
/// Minimum number of columns for titles.
const TITLED: usize = 70;
/// The same among all changes.
const FEED_TITLED: usize = 140;
/// Columns of a title.
const TITLE: usize = 28;
/// Number of columns for everything else before a longer title gets more.
const WORDS: usize = 110;

impl Draw for WhatChanged {
    fn draw(&self, on: &mut Surface<'_>, area: Rect) {
        let context = on.context;
        let feed = &context.cx.shared.feed;
        let more = if feed.is_full() { "+" } else { "" };
        let since = self.answer.as_deref().map(|it| since(it, context));
        let tabs = [
            Tab::new(since.unwrap_or("Changes".into()), ""),
            Tab::new("All, newest first", format!("{}{more}", feed.entries.len())),
        ];
        let (line, mut area) = frame::split(area, 1);
        frame::tabs(on, line, &tabs, Some(usize::from(self.in_feed)));
        if self.in_feed {
            return draw_feed(self, on, area);
        }
        let theme = context.theme;
        let head = head(self, context);
        let width = usize::from(area.width).saturating_sub(2);
        let most = if area.height < LOW { 1 } else { HEAD };
        let mut lines: Vec<Line<'_>> = head
            .iter()
            .flat_map(|words| frame::wrapped(words, width, most, theme.text()))
            .collect();
        lines.truncate(usize::from(area.height / 2));
        frame::lines(on.buffer, area, lines.iter().cloned());
        area = frame::below(area, lines.len() as u16);
        let (blank, mut area) = frame::split(area, 1);
        // Longer than the status line.
        let full = here(self, context);
        if text::width(&text::cells(&full)) > usize::from(area.width) {
            area = whole_below(&full, on, area);
        }
        let ids = id_width(self.lines().iter().map(|line| line.row.name()));
        let room = TITLE.max(width.saturating_sub(WORDS));
        let lines = self.lines().iter().filter(|_| room > TITLE);
        let titles = lines.filter_map(|line| line.row.title.as_deref());
        let titles = titles.map(text::width).max().unwrap_or_default();
        let columns = vec![
            Column::signs(),
            Column::plain(6).behind(0),
            Column::plain(ids.max(6)).behind(2),
            Column::plain(16)
                .up_to(titles.clamp(TITLE, room))
                .behind(2)
                .only_if(width >= TITLED),
            Column::fill().behind(2),
        ];
        let table = Table::lay_out(columns, area.width.into());
        let rows = self.rows();
        let more = self.scroll.more(rows.len(), area.height.into());
        let more = text::pad_left(&more, width);
        frame::line(
            on.buffer,
            blank,
            0,
            Span::styled(format!(" {more}"), theme.muted()),
        );
        let line = |place: usize| {
            let here = place == self.scroll.cursor;
            row(self, (rows[place], here), (&table, width), context)
        };
        self.scroll.draw_list(rows.len(), line, on, area);
    }

    fn title(&self, project: &str) -> String {
        match &self.version {
            Some(version) => format!("{project} › Changes of {version}"),
            None => format!("{project} › Changes"),
        }
    }

    fn status(&self, context: Context<'_>) -> String {
        if self.in_feed || self.previews {
            return String::new();
        }
        here(self, context)
    }
}

fn since(answer: &SinceAnswer, context: Context<'_>) -> String {
    // A day ends with its last minute.
    format!("Since {}", context.now.when(answer.moment - 1))
}

/// Summary of the changes.
fn head(changed: &WhatChanged, context: Context<'_>) -> Vec<String> {
    let Some(answer) = &changed.answer else {
        let words = if changed.is_unread {
            "Reading the runs…"
        } else {
            "Working out what changed…"
        };
        return vec![changed.read.lacks().unwrap_or(words.into())];
    };
    let mut head = answer.since.headline().to_vec();
    let to_come = changed.to_come();
    if to_come > 0 {
        let to_come = text::count(to_come, "run");
        head[0] = if answer.since.lines.is_empty() {
            format!("0 of {to_come} counted so far: what moved is not known yet")
        } else {
            format!("So far, with {to_come} to come: {}", head[0])
        };
    }
    if answer.is_blind {
        let errors = Action::Show(Layer::Errors);
        let shared = &context.cx.shared;
        let why = shared.then_key(": ", Layer::Changes, &errors, "says why");
        head.push(format!("The counts of before cannot be read{why}."));
    }
    if answer.is_first {
        let at = context.now.when(answer.moment);
        head.push(format!(
            "Compared with the first readings here, until {at}."
        ));
    }
    head
}

/// All changes of a run in words.
fn words(line: &SinceLine, changed: &WhatChanged, context: Context<'_>) -> String {
    let moment = changed.answer.as_ref().map_or(0, |it| it.moment);
    line.words(moment, |at| context.now.when(at))
}

fn not_counted(changed: &WhatChanged, context: Context<'_>) -> String {
    let since = changed.answer.as_ref().map(|it| &it.since);
    let words = since.and_then(|it| it.not_counted_words(|at| context.now.when(at)));
    words.unwrap_or_default()
}

fn row<'a>(
    changed: &WhatChanged,
    (row, here): (ChangeRow<'_>, bool),
    (table, width): (&Table, usize),
    context: Context<'_>,
) -> Vec<Span<'a>> {
    let theme = context.theme;
    let line = match row {
        ChangeRow::Line(line) => line,
        ChangeRow::More(more) => {
            let shared = &context.cx.shared;
            let does =
                here.then(|| shared.then_key(": ", Layer::Changes, &Action::Open, "lists them"));
            let does = does.unwrap_or_default();
            let words = format!("  {more} more with progress only{does}");
            return vec![Span::styled(words, theme.muted())];
        }
        ChangeRow::NotCounted => {
            let words = text::fit(&not_counted(changed, context), width);
            return vec![Span::styled(format!("  {words}"), theme.warn())];
        }
    };
    let new = &[ResultCode::FailedNew];
    let fails = line.now.cases.at(new) > line.then.cases.at(new);
    let style = match line.became {
        Became::Worse if fails => theme.bad(),
        Became::Worse | Became::Lost | Became::Back | Became::Quiet => theme.warn(),
        Became::Better | Became::Done => theme.good(),
        Became::New => theme.accent(),
        Became::Grew | Became::Shrank => theme.text(),
        Became::Gone | Became::Progress | Became::Same => theme.muted(),
    };
    table.row([
        Cell::text("", style),
        Cell::text(line.became.word().to_uppercase(), style),
        Cell::text(line.row.name().to_owned(), theme.muted()),
        Cell::text(line.row.title.clone().unwrap_or_default(), theme.text()),
        Cell::text(words(line, changed, context), theme.text()),
    ])
}

/// Draws the row under the cursor in full at the foot, if there is room; returns the area above.
fn whole_below(full: &str, on: &mut Surface<'_>, area: Rect) -> Rect {
    let width = usize::from(area.width).saturating_sub(2);
    let lines = frame::wrapped(full, width, usize::MAX, on.context.theme.text());
    if lines.len() >= usize::from(area.height) {
        return area;
    }
    on.layout.preview = true;
    let (above, below) = frame::split(area, area.height - lines.len() as u16);
    frame::lines(on.buffer, below, lines);
    above
}

/// The row under the cursor in full.
fn here(changed: &WhatChanged, context: Context<'_>) -> String {
    match changed.row() {
        Some(ChangeRow::Line(line)) => words(line, changed, context),
        Some(ChangeRow::NotCounted) => not_counted(changed, context),
        Some(ChangeRow::More(_)) | None => String::new(),
    }
}

fn draw_feed(changed: &WhatChanged, on: &mut Surface<'_>, mut area: Rect) {
    let context = on.context;
    let entries = &context.cx.shared.feed.entries;
    if entries.is_empty() {
        on.layout.rows = Some(area.height.max(1));
        let words = "No changes seen yet.";
        return frame::words(on.buffer, area, words, context.theme.muted());
    }
    let len = entries.len();
    let when = changes::times(context, entries.iter());
    let ids = id_width(entries.iter().map(|entry| &*entry.name));
    let titled = usize::from(area.width) >= FEED_TITLED;
    let table = changes::table((when, ids), titled, area.width.into());
    if let Some(entry) = entries.get(changed.feed.cursor) {
        let full = context.cx.shared.change_words(&entry.what);
        if text::width(&text::cells(&full)) > table.width(4) {
            area = whole_below(&full, on, area);
        }
    }
    let line = |place: usize| {
        let entry = entries.get(place);
        entry.map_or_else(Vec::new, |entry| changes::line(context, &table, entry))
    };
    changed.feed.draw_list(len, line, on, area);
}
