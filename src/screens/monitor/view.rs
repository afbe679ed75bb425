//! The monitor: a card for each run, or a table where cards do not fit, or one run with its burn-up; the feed below.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;

use super::card::view as card;
use super::{Card, GateState, Monitor};
use crate::domain::DocRef;
use crate::domain::fields::{Field, LEFT, PROGRESS, TITLE};
use crate::ui::layout::Layout;
use crate::ui::{Context, bar, changes, chart, frame, text};

/// Rows of a card with its frame: at least, with all lines, with a chart beside them.
const CARD: (u16, u16, u16) = (5, 8, 14);
/// Columns from which on a card has a chart.
const ROOM_FOR_CHART: u16 = 150;
/// Rows of the feed with its frame, at least.
const FEED: u16 = 5;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    monitor: &Monitor,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let number = u16::try_from(monitor.cards.len()).unwrap_or(u16::MAX);
    layout.rows = Some(number.max(1));
    let used = if monitor.cards.is_empty() {
        let lines = no_cards(monitor);
        let wrapped = lines
            .iter()
            .flat_map(|line| text::wrap(line, usize::from(area.width.saturating_sub(2)), 4));
        let place = Rect {
            x: area.x + 1,
            width: area.width.saturating_sub(2),
            height: area.height / 2,
            ..area
        };
        draw_lines(buffer, place, wrapped.map(Line::raw).collect());
        place.height
    } else if let [card] = &monitor.cards[..] {
        one(context, card, area, buffer)
    } else if number.saturating_mul(CARD.0).saturating_add(FEED) <= area.height {
        let most = if area.width >= ROOM_FOR_CHART {
            CARD.2
        } else {
            CARD.1
        };
        let height = ((area.height - FEED) / number).min(most);
        for (place, card) in monitor.cards.iter().enumerate() {
            let place_of = Rect {
                y: area.y + height * place as u16,
                height,
                ..area
            };
            draw_card(
                context,
                card,
                place_of,
                buffer,
                Some(place as u64 == monitor.scroll.cursor),
            );
        }
        height * number
    } else {
        table(
            context,
            monitor,
            Rect {
                height: area.height.saturating_sub(FEED).max(4),
                ..area
            },
            buffer,
            layout,
        )
    };
    let below = Rect {
        y: area.y + used,
        height: area.height.saturating_sub(used),
        ..area
    };
    draw_feed(context, monitor, below, buffer);
}

/// A frame whose right title stands out where somebody should look. The cursor is on it or not; nothing where it is the
/// only one.
fn frame(
    context: Context<'_>,
    card: &Card,
    area: Rect,
    buffer: &mut Buffer,
    focus: Option<bool>,
) -> Rect {
    let (gate_state, bad) = card::gate_state(context, card);
    // How it stands is never cut away for a title.
    let gate_state = text::fit(&gate_state, usize::from(area.width) * 2 / 3);
    let room = usize::from(area.width).saturating_sub(text::width(&gate_state) + 9);
    let pin = if card.pinned { "^ " } else { "" };
    let here = if focus == Some(true) { ">" } else { "" };
    let name = text::fit(&format!("{here}{pin}{}", card.row.full_name()), room);
    let inside = frame::pane(
        buffer,
        area,
        &name,
        &gate_state,
        context.theme,
        focus != Some(false),
    );
    if bad {
        let width = text::width(&gate_state) as u16 + 2;
        let title = Rect {
            x: area.right().saturating_sub(width + 1),
            y: area.y,
            width,
            height: 1,
        };
        buffer.set_style(title, context.theme.bad());
    }
    inside
}

fn draw_card(
    context: Context<'_>,
    card: &Card,
    area: Rect,
    buffer: &mut Buffer,
    focus: Option<bool>,
) {
    let inside = frame(context, card, area, buffer, focus);
    let mut place = Rect {
        x: inside.x + 1,
        width: inside.width.saturating_sub(2),
        ..inside
    };
    if inside.height > CARD.1
        && area.width >= ROOM_FOR_CHART
        && let Some(history) = card.history.value().filter(|_| card.row.results.is_some())
    {
        let half = Rect {
            x: place.x + place.width / 2 + 1,
            width: place.width - place.width / 2 - 1,
            ..place
        };
        place.width /= 2;
        let lines = chart::burn_up(
            context,
            history,
            usize::from(half.width),
            usize::from(half.height),
        );
        draw_lines(buffer, half, lines);
    }
    draw_lines(
        buffer,
        place,
        card::lines(
            context,
            card,
            usize::from(place.width),
            usize::from(place.height),
        ),
    );
}

/// One run fills the screen: how it stands, the burn-up, and what it says in words. Returns the rows used.
fn one(context: Context<'_>, card: &Card, area: Rect, buffer: &mut Buffer) -> u16 {
    let top = if area.height >= 30 {
        CARD.1
    } else {
        CARD.0 + 1
    };
    draw_card(
        context,
        card,
        Rect {
            height: top,
            ..area
        },
        buffer,
        None,
    );
    let feed = (area.height / 4).max(FEED);
    let height = area.height.saturating_sub(top + feed);
    let place = Rect {
        y: area.y + top,
        height,
        ..area
    };
    let history = card.history.value().filter(|_| card.row.results.is_some());
    let samples = match history.map(|history| history.samples) {
        None => String::new(),
        Some(1) => "1 sample on this machine".to_owned(),
        Some(samples) => format!("{samples} samples on this machine"),
    };
    let inside = frame::pane(buffer, place, "Burn-up", &samples, context.theme, false);
    let inside = Rect {
        x: inside.x + 1,
        width: inside.width.saturating_sub(2),
        ..inside
    };
    let columns = usize::from(inside.width);
    let words = match history {
        Some(history) => chart::words(context, history),
        None if card.row.results.is_none() => vec![card::no_counts(card).to_owned()],
        None => vec![chart::missing(card.history.failure())],
    };
    let words: Vec<String> = words
        .iter()
        .flat_map(|words| text::wrap(words, columns, 3))
        .collect();
    let rows = usize::from(inside.height).saturating_sub(words.len());
    let mut lines = history
        .map(|history| chart::burn_up(context, history, columns, rows))
        .unwrap_or_default();
    lines.extend(words.into_iter().map(Line::raw));
    draw_lines(buffer, inside, lines);
    top + height
}

fn draw_lines(buffer: &mut Buffer, area: Rect, lines: Vec<Line<'_>>) {
    for (row, line) in lines.into_iter().take(usize::from(area.height)).enumerate() {
        buffer.set_line(area.x, area.y + row as u16, &line, area.width);
    }
}

/// What stands in a column of the table.
#[derive(Clone, Copy)]
enum Part {
    /// The short id, with the pin.
    Id,
    /// What a row tells of a field.
    Of(&'static Field),
    Results,
    Change,
    Trend,
    Forecast,
    Threshold,
}

/// A column of the table: what stands in it, its heading and width.
type Column = (Part, &'static str, usize);

fn columns(width: u16) -> Vec<Column> {
    let wide = width >= 110;
    let mut columns: Vec<Column> = vec![
        (Part::Id, "Id", 6),
        (Part::Of(&TITLE), "Title", 12),
        (Part::Results, "Results", if wide { 14 } else { 8 }),
        (Part::Of(&PROGRESS), "Prog", 4),
        (Part::Of(&LEFT), "Left", 5),
        (Part::Change, "Change", if wide { 12 } else { 8 }),
    ];
    if wide {
        columns.push((Part::Trend, "Passed per hour, 24 h", 24));
    }
    columns.push((Part::Forecast, "Forecast", 22));
    columns.push((Part::Threshold, "Thres", 5));
    let used: usize = 1 + columns.iter().map(|(_, _, width)| width + 1).sum::<usize>();
    let spare = usize::from(width).saturating_sub(used);
    // A reason why there is no forecast is a sentence.
    let forecast = (spare.saturating_sub(20) / 2).min(30);
    columns[1].2 += spare - forecast;
    let place = columns.len() - 2;
    columns[place].2 += forecast;
    columns
}

/// A text as wide as its column, numbers to the right.
fn fitted(part: Part, words: &str, width: usize) -> String {
    match part {
        Part::Of(field) if field.is_number() => text::pad_left(words, width),
        _ => text::pad(words, width),
    }
}

/// One line for each run. Returns the rows used.
fn table(
    context: Context<'_>,
    monitor: &Monitor,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) -> u16 {
    let theme = context.theme;
    let height = area.height.min(
        u16::try_from(monitor.cards.len())
            .unwrap_or(u16::MAX)
            .saturating_add(3),
    );
    let area = Rect { height, ..area };
    let inside = frame::pane(buffer, area, &runs(monitor), "", theme, true);
    let columns = columns(inside.width);
    let heading = columns.iter().map(|(part, name, width)| {
        let cell = fitted(*part, name, *width);
        Span::styled(format!("{cell} "), theme.accent())
    });
    frame::line(
        buffer,
        inside,
        0,
        std::iter::once(Span::raw(" ")).chain(heading).collect(),
    );
    let rows = Rect {
        y: inside.y + 1,
        height: inside.height.saturating_sub(1),
        ..inside
    };
    layout.rows = Some(rows.height);
    layout.list = Some((rows, monitor.scroll.top));
    let top = usize::try_from(monitor.scroll.top).unwrap_or(0);
    for (row, (place, card)) in monitor
        .cards
        .iter()
        .enumerate()
        .skip(top)
        .take(rows.height.into())
        .enumerate()
    {
        let mut spans = vec![Span::raw(" ")];
        for (part, _, width) in &columns {
            spans.extend(cell(context, card, *part, *width));
            spans.push(Span::raw(" "));
        }
        frame::line(buffer, rows, row as u16, spans);
        frame::cursor(
            buffer,
            rows,
            row as u16,
            place as u64 == monitor.scroll.cursor,
            theme,
        );
    }
    height
}

fn cell(context: Context<'_>, card: &Card, part: Part, width: usize) -> Vec<Span<'static>> {
    let theme = context.theme;
    let old = card.trouble.is_some();
    let base = if old { theme.muted() } else { theme.text() };
    let (words, style) = match part {
        Part::Id => (
            format!("{}{}", if card.pinned { "^" } else { "" }, card.row.name()),
            base,
        ),
        Part::Of(field) => {
            let sums = card.row.sums(context.cx.shared.done_codes());
            (field.words(&card.row, sums), base)
        }
        Part::Results => {
            let mut spans = card
                .row
                .results
                .as_ref()
                .map(|counts| bar::spans(counts, width, theme))
                .unwrap_or_default();
            let used: usize = spans.iter().map(Span::width).sum();
            let rest = if used == 0 {
                text::pad("-", width)
            } else {
                " ".repeat(width - used)
            };
            spans.push(Span::styled(rest, Style::new()));
            return spans;
        }
        Part::Change => match &card.change {
            Some((_, changes)) => (
                changes::short(changes, width),
                changes::style(context, changes),
            ),
            None => ("-".into(), theme.muted()),
        },
        Part::Forecast => {
            let (Ok(words) | Err(words), style) = card::forecast(context, card);
            (words, style)
        }
        Part::Threshold => card::short_gate_state(context, card),
        Part::Trend => {
            let history = card.history.value();
            let trend = history.map(|history| chart::trend(&history.trend));
            (trend.unwrap_or_default(), theme.text())
        }
    };
    vec![Span::styled(fitted(part, &words, width), style)]
}

/// What changed in these runs, and what is new about the service.
fn draw_feed(context: Context<'_>, monitor: &Monitor, area: Rect, buffer: &mut Buffer) {
    if area.height < 3 {
        return;
    }
    let inside = frame::pane(buffer, area, "Feed, newest first", "", context.theme, false);
    let watched = |run: &DocRef| monitor.cards.iter().any(|card| card.row.doc_ref == *run);
    let entries = context.cx.shared.feed.entries.iter();
    let entries = entries.filter(|entry| entry.run.as_ref().is_none_or(watched));
    let entries: Vec<_> = entries.take(usize::from(inside.height)).collect();
    if entries.is_empty() {
        let words = Span::styled(" no change yet", context.theme.muted());
        Line::from(words).render(inside, buffer);
    }
    for (row, entry) in entries.into_iter().enumerate() {
        frame::line(
            buffer,
            inside,
            row as u16,
            changes::line(context, entry, usize::from(inside.width)),
        );
    }
}

/// Number of runs, in words; of how many, and the view that they are of.
pub fn runs(monitor: &Monitor) -> String {
    let here = monitor.cards.len() as u64;
    let runs = |number: u64| {
        if number == 1 {
            "1 run".to_owned()
        } else {
            format!("{number} runs")
        }
    };
    match &monitor.on {
        None => runs(here),
        Some(on) => match on.of() {
            Some(all) if all != here => format!("{here} of {} of {:?}", runs(all), on.name),
            Some(_) => format!("{} of {:?}", runs(here), on.name),
            None => format!("{:?}", on.name),
        },
    }
}

/// What stands where no card is: why not.
pub fn no_cards(monitor: &Monitor) -> Vec<String> {
    let mut lines = match (&monitor.on, &monitor.failure) {
        (_, Some(failure)) => vec![
            format!("{}: {}", failure.asked, failure.came_back),
            failure.remedy.clone(),
        ],
        (Some(on), None) if on.found == Some(0) => {
            vec![format!("view {:?} finds no run now", on.name)]
        }
        (Some(on), None) if monitor.read_at.is_none() => {
            vec![format!("reading the runs of view {:?}", on.name)]
        }
        _ => vec!["there is no run to watch".to_owned()],
    };
    lines.extend(missing(monitor));
    lines
}

/// The runs that a view names and that are not here.
fn missing(monitor: &Monitor) -> Vec<String> {
    let missing = monitor.on.iter().flat_map(|on| &on.missing);
    missing.map(|(id, why)| format!("{id} {why}")).collect()
}

/// How often the runs are read, and when next.
pub fn next(context: Context<'_>, monitor: &Monitor) -> String {
    let next = match context.next_reading {
        _ if context.cx.shared.signed_in.is_none() => ", not signed in".to_owned(),
        _ if monitor.busy() => ", reading".to_owned(),
        _ if context.paused => ", paused without focus".to_owned(),
        Some(at) => format!(", next {}", context.now.clock(at)),
        None => String::new(),
    };
    format!("every {} s{next}", monitor.every)
}

/// When the runs were read and at what cost, how the threshold stands, who is called.
pub fn state(context: Context<'_>, monitor: &Monitor) -> String {
    let mut parts = Vec::new();
    match (monitor.busy(), monitor.read_at) {
        (true, None) => parts.push(format!("reading, {} to come", monitor.to_come())),
        (_, Some(at)) => {
            let (calls, took) = monitor.last;
            let calls = if calls == 1 {
                "1 call".to_owned()
            } else {
                format!("{calls} calls")
            };
            parts.push(format!(
                "read {} ({calls}, {took} ms)",
                context.now.clock(at)
            ));
        }
        (false, None) => parts.push("nothing read yet".into()),
    }
    parts.extend(missing(monitor));
    if let Some(failure) = &monitor.failure {
        parts.push(format!("the last reading failed: {}", failure.came_back));
    }
    parts.extend(thresholds(monitor));
    if monitor.bell {
        parts.push("bell on".into());
    }
    parts.join("  ")
}

/// How the thresholds stand: that of all runs, and that of the run under the cursor if it has its own.
fn thresholds(monitor: &Monitor) -> Vec<String> {
    let gate_state = |own: bool| {
        let cards = monitor
            .cards
            .iter()
            .filter(move |card| card.own.is_some() == own);
        let fails = |card: &&Card| matches!(card.gate_state, Some(GateState::Fails(_)));
        let unknown = |card: &&Card| matches!(card.gate_state, Some(GateState::Unknown(_)));
        let names: Vec<&str> = cards
            .clone()
            .filter(fails)
            .map(|card| card.row.name())
            .collect();
        match (names.is_empty(), cards.filter(unknown).count()) {
            (false, _) => format!("{} FAILS", names.join(", ")),
            (true, 0) => "holds".to_owned(),
            (true, unknown) => format!("not known for {unknown}"),
        }
    };
    let mut parts = Vec::new();
    if let Some(gate) = &monitor.gate {
        parts.push(format!("threshold {:?}: {}", gate.text, gate_state(false)));
    }
    match monitor
        .cards
        .iter()
        .filter(|card| card.own.is_some())
        .count()
    {
        0 => {}
        1 => parts.push(format!("1 run with its own: {}", gate_state(true))),
        number => parts.push(format!(
            "{number} runs with their own: {}",
            gate_state(true)
        )),
    }
    parts
}
