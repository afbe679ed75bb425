//! The steps of deleting runs.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Modifier;
use ratatui::text::Span;

use super::delete_lines::{FIELD, Row, WIDE, rows};
use super::{Context, Drawn, text, widgets};
use crate::domain::End;
use crate::store::{Ask, DeleteFlow, Doomed, Spot};

/// Rows of the box that says what cannot be undone, with its frame.
const BOX: u16 = 12;
/// What it says, in paragraphs.
const REBUILT: [&str; 3] = [
    "After step 5 a new run can be made from the copy (ADD_DOCUMENT and ADD_TEST_SUITES_TO_RUN): new id, new TechnicalId, \
     new metadata; recorded results, testers and attachments do not come back.",
    "Closed run? Suites of a closed run can neither be listed nor removed through this interface. The steps end there: \
     \"closed and not empty: cannot be deleted from here\".",
    "More than one marked: each run gets its own copy, check and line in the result; the number of runs must be typed. \
     One failure stops the rest.",
];
/// The same where there is little room.
const REBUILT_SHORT: &str = "No undo. It can be rebuilt from the copy with a new id, without results, testers and attachments.";

/// Draws the screen.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer, drawn: &mut Drawn) {
    let theme = context.theme;
    let Some(flow) = &context.store.delete else {
        widgets::frame(buffer, area, "Delete", "", theme, true);
        return;
    };
    let boxed = area.width >= WIDE && area.height >= BOX + 20;
    let below = if boxed { BOX } else { 0 };
    let steps = Rect {
        height: area.height - below,
        ..area
    };
    let right = "DELETE_TEST_RUN works only on an empty run";
    let inside = widgets::frame(buffer, steps, &title(flow), right, theme, true);
    let mut rows = rows(flow, theme, inside.width);
    if !boxed {
        for line in text::wrap(
            REBUILT_SHORT,
            usize::from(inside.width).saturating_sub(2),
            4,
        ) {
            rows.push(Row {
                cells: vec![(format!(" {line}"), theme.dim())],
                spot: None,
                about: (0, None),
                field: None,
            });
        }
    }
    let list = Rect {
        height: inside.height.saturating_sub(2),
        ..inside
    };
    let laid = placed(flow, &rows, list.height);
    drawn.laid.delete = Some(laid);
    for (row, line) in rows
        .iter()
        .skip(usize::from(laid.0))
        .take(usize::from(list.height))
        .enumerate()
    {
        let row = row as u16;
        let spans = line
            .cells
            .iter()
            .map(|(words, style)| Span::styled(words.clone(), *style))
            .collect();
        widgets::line(buffer, list, row, spans);
        if let Some(column) = line.field {
            let width = FIELD.min(list.width.saturating_sub(column));
            let place = Rect {
                x: list.x + column.min(list.width),
                y: list.y + row,
                width,
                height: 1,
            };
            widgets::field(buffer, place, &flow.text, flow.typing, theme);
        }
        if line.spot.is_some() && line.spot == flow.spot {
            buffer[(list.x, list.y + row)].set_symbol(">");
        }
    }
    let hidden = rows.len().saturating_sub(usize::from(laid.0 + list.height));
    if hidden > 0 {
        let more = format!(" ↓ {hidden} more lines");
        widgets::line(
            buffer,
            inside,
            inside.height.saturating_sub(2),
            vec![Span::styled(more, theme.dim())],
        );
    }
    buttons(context, flow, inside, buffer);
    if boxed {
        let place = Rect {
            y: steps.bottom(),
            height: below,
            ..area
        };
        let inside = widgets::frame(
            buffer,
            place,
            "Cannot be undone, can be rebuilt",
            "",
            theme,
            false,
        );
        let width = usize::from(inside.width).saturating_sub(2);
        let mut row = 0;
        for paragraph in REBUILT {
            for line in text::wrap(paragraph, width, 4) {
                widgets::line(buffer, inside, row, vec![Span::raw(format!(" {line}"))]);
                row += 1;
            }
            row += 1;
        }
    }
}

fn title(flow: &DeleteFlow) -> String {
    match &flow.runs[..] {
        [run] => format!(
            "Delete run {} {}",
            run.row.name(),
            run.row.title.as_deref().unwrap_or_default()
        ),
        runs => format!("Delete {} runs", runs.len()),
    }
}

/// First line shown, and the last possible one: what the cursor stands on or what is under way is in view.
fn placed(flow: &DeleteFlow, rows: &[Row], height: u16) -> (u16, u16) {
    let height = usize::from(height);
    let last = rows.len().saturating_sub(height);
    let under_way = flow.asked.map(|asked| {
        let step = match asked.ask {
            Ask::Survey | Ask::Copy => 1,
            Ask::Remove => 2,
            Ask::Check => 3,
            Ask::Delete => 5,
        };
        (step, Some(asked.place))
    });
    let here = rows.iter().position(|row| match flow.spot {
        Some(Spot::Stop | Spot::Delete) | None => under_way == Some(row.about),
        spot => row.spot == spot,
    });
    let end = matches!(flow.spot, Some(Spot::Delete));
    let top = match (flow.top, here) {
        (Some(top), _) => usize::from(top),
        (None, Some(here)) if here >= height => here + 1 - height / 2,
        (None, None) if end => last,
        (None, _) => 0,
    };
    let short = |lines: usize| u16::try_from(lines).unwrap_or(u16::MAX);
    (short(top.min(last)), short(last))
}

/// The two buttons, and what Enter does.
fn buttons(context: Context<'_>, flow: &DeleteFlow, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let button = |label: String, here: bool, live: bool| {
        let style = if live { theme.text() } else { theme.dim() };
        let style = if here {
            style.add_modifier(Modifier::REVERSED)
        } else {
            style
        };
        Span::styled(format!("[ {label} ]"), style)
    };
    let mut spans = vec![
        Span::raw(" "),
        button("Stop here".into(), flow.spot == Some(Spot::Stop), true),
    ];
    if flow.ready() {
        spans.push(Span::raw("   "));
        let what = text::fit(&named(flow), 24);
        spans.push(button(
            format!("Delete {what}"),
            flow.spot == Some(Spot::Delete),
            flow.armed(),
        ));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let room = usize::from(area.width).saturating_sub(used + 3);
    spans.push(Span::styled(
        format!("   {}", text::fit(&enter(flow), room)),
        theme.dim(),
    ));
    widgets::line(buffer, area, area.height.saturating_sub(1), spans);
}

/// What is deleted, in short.
fn named(flow: &DeleteFlow) -> String {
    let mut left = flow.left();
    match (left.next(), left.count()) {
        (Some(only), 0) => only.row.name().to_owned(),
        (_, more) => format!("{} runs", more + 1),
    }
}

/// What Enter does now.
fn enter(flow: &DeleteFlow) -> String {
    match flow.spot {
        None if flow.writing() => "sent; the answer is waited for".into(),
        None => "under way".into(),
        Some(Spot::Copy) => "Enter saves the copy on this machine".into(),
        Some(Spot::Read) => "Enter reads on".into(),
        Some(Spot::Remove) => {
            let sure: usize = flow.runs.iter().map(|run| run.removable().len()).sum();
            let suites = if sure == 1 {
                "1 suite".into()
            } else {
                format!("{sure} suites")
            };
            format!("Enter: DELETE_TEST_SUITES_FROM_RUN, {suites}")
        }
        Some(Spot::Name) => "Enter: the screen of suites; Esc there comes back".into(),
        Some(Spot::Leave | Spot::Stop) => "Enter: nothing further is sent".into(),
        Some(Spot::Check) => "Enter: CHECK_TEST_RUN_EMPTY".into(),
        Some(Spot::Id) => "Enter takes it and deletes nothing".into(),
        Some(Spot::Delete) if flow.armed() => format!("Enter: DELETE_TEST_RUN, {}", named(flow)),
        Some(Spot::Delete) => format!("not armed: type {} in step 4", flow.word()),
    }
}

/// The line at the foot of the screen.
pub fn in_words(flow: &DeleteFlow) -> String {
    let gone = flow.runs.len() - flow.left().count();
    let out: usize = flow.runs.iter().map(|run| run.out.len()).sum();
    let sent = flow.under_way(Ask::Remove);
    let suites = match out {
        0 if sent => "the removal of suites was sent",
        0 => "",
        1 => "1 suite removed",
        more => &format!("{more} suites removed"),
    };
    let ended = |end: End| move |run: &&Doomed| run.end.as_ref().is_some_and(|it| it.end == end);
    let doubtful = flow.runs.iter().find(ended(End::Unknown));
    let deleted = match (gone, flow.runs.len()) {
        _ if flow.under_way(Ask::Delete) => "the deletion was sent".to_owned(),
        _ if let Some(run) = doubtful => format!("{} may be deleted", run.row.name()),
        (0, _) if suites.is_empty() => "nothing has been deleted yet".to_owned(),
        (0, _) => format!("{suites}; no run deleted yet"),
        (gone, all) if suites.is_empty() => format!("{gone} of {all} runs deleted"),
        (gone, all) => format!("{gone} of {all} runs deleted; {suites}"),
    };
    format!("step {} of 5   {deleted}", flow.step())
}

/// What the flow is about, for the path in the first line.
pub fn path(flow: &DeleteFlow) -> String {
    match &flow.runs[..] {
        [run] => format!(
            "{} {}",
            run.row.name(),
            run.row.title.as_deref().unwrap_or_default()
        )
        .trim_end()
        .to_owned(),
        runs => format!("{} runs", runs.len()),
    }
}
