//! Frames, text fields and lines that several screens share.

use std::iter;

use ratatui::prelude::{Buffer, Color, Line, Margin, Modifier, Rect, Span, Style};
use ratatui::widgets::{Block, BorderType, Clear, Widget};

use crate::store::Action;
use crate::ui::window::{Letter, window};
use crate::ui::{Input, Surface, Theme, text};

/// Splits an area into its first rows and the rows below.
pub fn split(area: Rect, rows: u16) -> (Rect, Rect) {
    let height = rows.min(area.height);
    let below = Rect {
        y: area.y + height,
        height: area.height - height,
        ..area
    };
    (Rect { height, ..area }, below)
}

/// Returns an area without its first rows.
pub fn below(area: Rect, rows: u16) -> Rect {
    split(area, rows).1
}

/// Returns an area without its first columns.
pub fn from_column(area: Rect, columns: u16) -> Rect {
    let columns = columns.min(area.width);
    Rect {
        x: area.x + columns,
        width: area.width - columns,
        ..area
    }
}

/// Minimum columns of a title beside other words.
const TITLE: usize = 14;

/// Draws a line with a title on the left, cut for the words on the right while enough of it stays; returns the area
/// below.
pub fn pane(
    buffer: &mut Buffer,
    area: Rect,
    left: &str,
    right: &str,
    theme: Theme,
    focus: bool,
) -> Rect {
    let width = usize::from(area.width);
    let right = text::cells(right);
    let beside = width.saturating_sub(text::width(&right) + 9);
    let enough = TITLE.min(text::width(left));
    let (room, right) = if right.is_empty() || beside < enough {
        (width.saturating_sub(6), String::new())
    } else {
        (beside, format!(" {right} ─"))
    };
    let left = text::fit(left, room);
    let used = 4 + text::width(&left);
    let rule = "─".repeat(width.saturating_sub(used + text::width(&right)));
    let title = if focus {
        theme.accent()
    } else {
        theme.text().bold()
    };
    let spans = vec![
        Span::styled("── ", theme.border()),
        Span::styled(left, title),
        Span::styled(format!(" {rule}"), theme.border()),
        Span::styled(right, theme.muted()),
    ];
    line(buffer, area, 0, spans);
    below(area, 1)
}

/// Clears a place in the middle of `area`, a column wider on both sides, and draws a box there; returns the area
/// inside.
pub fn popup(on: &mut Surface<'_>, area: Rect, size: (u16, u16), left: &str, right: &str) -> Rect {
    let (theme, buffer) = (on.context.theme, &mut *on.buffer);
    let width = size.0.min(area.width);
    let height = size.1.min(area.height);
    let place = Rect {
        x: area.x + (area.width - width) / 2,
        y: area.y + (area.height - height) / 2,
        width,
        height,
    };
    let cleared = place.outer(Margin::new(1, 0)).intersection(area);
    Clear.render(cleared, buffer);
    // A wide letter that reaches under the box is removed.
    for y in cleared.y..cleared.bottom() {
        if let Some(cell) = cleared
            .x
            .checked_sub(1)
            .and_then(|x| buffer.cell_mut((x, y)))
            && text::width(cell.symbol()) > 1
        {
            cell.set_symbol(" ");
        }
    }
    let room = usize::from(place.width.saturating_sub(4));
    let left = text::fit(left, room);
    let rest = room.saturating_sub(text::width(&left) + 4);
    let is_beside = text::width(right) <= rest;
    // Below, if the title leaves no room.
    let right = if is_beside || text::width(right) <= room {
        text::fit(right, room)
    } else {
        String::new()
    };
    let corners = if theme.letters() {
        BorderType::Plain
    } else {
        BorderType::Rounded
    };
    let mut block = Block::bordered()
        .border_type(corners)
        .border_style(theme.border())
        .title(Span::styled(format!(" {left} "), theme.accent()));
    if !right.is_empty() {
        let right = Line::from(Span::styled(format!(" {right} "), theme.muted())).right_aligned();
        block = if is_beside {
            block.title(right)
        } else {
            block.title_bottom(right)
        };
    }
    let inside = block.inner(place);
    block.render(place, buffer);
    inside
}

/// Dims all behind a box.
pub fn behind(buffer: &mut Buffer, theme: Theme) {
    let quiet = Style {
        add_modifier: Modifier::empty(),
        sub_modifier: Modifier::all(),
        ..theme.muted().bg(Color::Reset)
    };
    buffer.set_style(*buffer.area(), quiet);
}

/// Draws one line of styled text, cut at the width.
pub fn line<'a>(buffer: &mut Buffer, area: Rect, row: u16, line: impl Into<Line<'a>>) {
    if row >= area.height {
        return;
    }
    let line = line.into();
    let (mut x, y) = (area.x, area.y + row);
    let end = area.right().min(buffer.area.right());
    for span in &line.spans {
        let (style, left) = (line.style.patch(span.style), end.saturating_sub(x).into());
        if left == 0 {
            return;
        }
        if text::cells_of_plain(&span.content).is_some() {
            let first = buffer.index_of(x, y);
            let cells = &mut buffer.content[first..first + left];
            for (it, cell) in span.content.chars().zip(cells) {
                cell.set_char(it).set_style(style);
                x += 1;
            }
        } else {
            // Whoever wrote the line may have forgotten it.
            let words = text::cells(&span.content);
            x = buffer.set_stringn(x, y, words, left, style).0;
        }
    }
}

/// Returns a line after a blank.
pub fn said(words: &str, style: Style) -> Line<'static> {
    Line::from(Span::styled(format!(" {words}"), style))
}

/// Returns the lines of a text, each after a blank.
pub fn wrapped(words: &str, columns: usize, most: usize, style: Style) -> Vec<Line<'static>> {
    text::excerpt(words, columns, most)
        .into_iter()
        .map(|words| said(&words, style))
        .collect()
}

/// Returns lines with a label before the first one.
pub fn labelled(label: String, lines: Vec<String>, styles: [Style; 2]) -> Vec<Line<'static>> {
    let blank = " ".repeat(text::width(&label));
    let labels = iter::once(label).chain(iter::repeat(blank));
    let line = |(label, words)| {
        let [of_label, style] = styles;
        Line::from(vec![
            Span::styled(label, of_label),
            Span::styled(words, style),
        ])
    };
    labels.zip(lines).map(line).collect()
}

/// Draws lines one below the other, as far as there is room.
pub fn lines<'a, L: Into<Line<'a>>>(
    buffer: &mut Buffer,
    area: Rect,
    lines: impl IntoIterator<Item = L>,
) {
    for (row, words) in (0..area.height).zip(lines) {
        line(buffer, area, row, words);
    }
}

/// Draws words in lines, as far as there is room.
pub fn words(buffer: &mut Buffer, area: Rect, words: &str, style: Style) {
    let width = usize::from(area.width).saturating_sub(2);
    let lines = wrapped(words, width, area.height.into(), style);
    self::lines(buffer, area, lines);
}

/// Draws a text field: underlined over its width, the cursor as a reversed cell that is always visible.
pub fn field(buffer: &mut Buffer, area: Rect, input: &Input, focus: bool, theme: Theme) {
    one_line(buffer, area, (&input.shown(), input.cursor()), focus, theme);
}

/// Draws the same for any text; the cursor counts in characters. Returns the letters that are shown.
pub fn one_line(
    buffer: &mut Buffer,
    area: Rect,
    (text, cursor): (&str, usize),
    focus: bool,
    theme: Theme,
) -> Vec<Letter> {
    let width = usize::from(area.width);
    if width == 0 || area.height == 0 {
        return Vec::new();
    }
    let window = window(text, if focus { cursor } else { 0 }, width);
    let style = theme.text().add_modifier(Modifier::UNDERLINED);
    buffer.set_stringn(
        area.x,
        area.y,
        text::pad(&window.shown, width),
        width,
        style,
    );
    if focus {
        caret(buffer, area, window.cursor);
    }
    window.letters
}

/// Draws the cursor of a text field, so many columns from its left.
pub fn caret(buffer: &mut Buffer, field: Rect, columns: usize) {
    let x = field.x + (columns as u16).min(field.width.saturating_sub(1));
    if let Some(cell) = buffer.cell_mut((x, field.y)) {
        cell.set_style(Style::new().reversed());
    }
}

/// Draws the search field of a box, in its first line, after a sign.
pub fn search(buffer: &mut Buffer, inside: Rect, sign: &str, input: &Input, theme: Theme) {
    line(buffer, inside, 0, Span::styled(sign, theme.accent()));
    let sign = text::width(sign) as u16;
    let place = Rect {
        x: inside.x + sign,
        width: inside.width.saturating_sub(sign + 1),
        height: 1,
        ..inside
    };
    field(buffer, place, input, true, theme);
}

pub struct Tab {
    pub name: String,
    /// Number of its rows; empty if unknown.
    pub count: String,
}

impl Tab {
    pub fn new(name: impl Into<String>, count: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            count: count.into(),
        }
    }
}

/// Place of the tab that "more…" replaces if not all of them fit.
pub const MORE: usize = 8;

/// Maximum columns of the name of a tab that is not chosen.
const TAB: usize = 24;

/// Draws numbered tabs, the chosen one in brackets. Without room the last ones lose their counts, then their names,
/// then they are behind "9 more…"; the chosen one keeps them, its name cut if need be. Names of others are cut at [`TAB`].
pub fn tabs(on: &mut Surface<'_>, area: Rect, tabs: &[Tab], chosen: Option<usize>) {
    let theme = on.context.theme;
    let room = usize::from(area.width).saturating_sub(2);
    let more = || match chosen {
        // Its own number stands before it.
        Some(MORE) => Span::styled(" more… ", theme.text()),
        _ => Span::styled(format!(" {} more… ", MORE + 1), theme.text()),
    };
    // Of its number, name and count the first ones.
    let words = |place: usize, parts: usize| {
        let Tab { name, count } = &tabs[place];
        let number = (place + 1).to_string();
        let most = if chosen == Some(place) {
            usize::MAX
        } else {
            TAB
        };
        let all = [number.as_str(), &text::fit(name, most), count];
        let parts = all.into_iter().take(parts);
        text::join(parts.filter(|part| !part.is_empty()), " ")
    };
    let tab = |place: usize, parts: usize| {
        if tabs[place].name.is_empty() {
            // Its number is reserved.
            return (place, Span::raw(""));
        }
        if chosen == Some(place) {
            let mut words = words(place, 3);
            // Those without room are behind "more…".
            let most = room.saturating_sub(2 + more().width());
            if text::width(&words) > most {
                let others = text::width(&words) - text::width(&text::cells(&tabs[place].name));
                let name = text::fit(&tabs[place].name, most.saturating_sub(others));
                words = format!("{} {name} {}", place + 1, tabs[place].count);
            }
            let words = format!("[{}]", words.trim_end());
            return (place, Span::styled(words, theme.accent()));
        }
        let words = format!(" {} ", words(place, parts));
        (place, Span::styled(words, theme.text()))
    };
    // Number of tabs from the first on, and numbers of those with names and with counts.
    let some = |(shown, named, counted): (usize, usize, usize)| -> Vec<_> {
        let parts = |place| 1 + usize::from(place < named) + usize::from(place < counted);
        let places = (0..tabs.len()).filter(|place| *place < shown || chosen == Some(*place));
        let mut some: Vec<_> = places.map(|place| tab(place, parts(place))).collect();
        some.extend((some.len() < tabs.len()).then(|| (MORE, more())));
        some
    };
    let most = if tabs.len() > MORE + 1 {
        MORE
    } else {
        tabs.len()
    };
    let uncounted = (0..=most).rev().map(|counted| (most, most, counted));
    let unnamed = (0..most).rev().map(|named| (most, named, 0));
    let fewer = (0..most).rev().map(|shown| (shown, 0, 0));
    let shown = uncounted
        .chain(unnamed)
        .chain(fewer)
        .map(some)
        .find(|shown| shown.iter().map(|(_, tab)| tab.width()).sum::<usize>() <= room)
        .unwrap_or_else(|| some((0, 0, 0)));
    on.layout.more_tabs = shown.len() < tabs.len() || tabs.len() > MORE + 1;
    let mut spans = vec![Span::raw(" ")];
    let (places, words): (Vec<_>, Vec<_>) = shown.into_iter().unzip();
    spans.extend(words);
    for (span, place) in (1..).zip(places) {
        on.layout
            .click_span(area, &spans, span, Action::Part(place));
    }
    line(on.buffer, area, 0, spans);
}

/// Returns a hint such as `Enter open`.
pub fn hint(key: &str, label: &str, theme: Theme) -> [Span<'static>; 3] {
    [
        Span::styled(key.to_owned(), theme.accent()),
        Span::raw(" "),
        Span::styled(format!("{label}  "), theme.text()),
    ]
}

/// Draws the last row of a box or form: its buttons, in brackets the one for Enter, and a note at the end if there is
/// room. A click presses the nth, one on the note does its action.
pub fn buttons(
    on: &mut Surface<'_>,
    inside: Rect,
    buttons: &[(&str, bool)],
    (note, does): (&str, Option<Action>),
) {
    let theme = on.context.theme;
    let row = inside.height.saturating_sub(1);
    let line = Rect {
        y: inside.y + row,
        ..inside
    };
    // The chosen one is seen, whatever has no room beside it.
    let width = |buttons: &[(&str, bool)]| -> usize {
        buttons
            .iter()
            .map(|(label, _)| text::width(label) + 5)
            .sum()
    };
    let upto = buttons.iter().position(|it| it.1).map_or(0, |it| it + 1);
    let fits = |from: &usize| width(&buttons[*from..upto]) < usize::from(inside.width);
    let first = (0..upto).find(fits).unwrap_or(upto.saturating_sub(1));
    let mut spans = vec![Span::raw(if first > 0 { "… " } else { "  " })];
    for (nth, (label, chosen)) in buttons.iter().enumerate().skip(first) {
        spans.push(if *chosen {
            Span::styled(format!("[ {label} ]"), theme.accent())
        } else {
            Span::styled(format!("  {label}  "), theme.text())
        });
        on.layout
            .click_span(line, &spans, spans.len() - 1, Action::Press(nth));
        spans.push(Span::raw(" "));
    }
    let used: usize = spans.iter().map(Span::width).sum();
    let room = usize::from(inside.width).saturating_sub(used + 1);
    if text::width(note) <= room {
        spans.push(Span::raw(" ".repeat(room - text::width(note))));
        spans.push(Span::styled(note, theme.muted()));
        let place = spans.len() - 1;
        if let Some(does) = does.filter(|_| !note.is_empty()) {
            on.layout.click_span(line, &spans, place, does);
        }
    }
    self::line(on.buffer, inside, row, spans);
}

/// Marks the row of the cursor in a list.
pub fn cursor(buffer: &mut Buffer, list: Rect, row: u16, here: bool, theme: Theme) {
    if here && row < list.height {
        for x in list.left()..list.right() {
            let cell = &mut buffer[(x, list.y + row)];
            // A cell of a bar may have two colours.
            let ground = cell.bg;
            cell.set_style(theme.cursor());
            if ground != Color::Reset {
                cell.set_bg(ground);
            }
        }
        buffer[(list.x, list.y + row)].set_symbol(">");
    }
}
