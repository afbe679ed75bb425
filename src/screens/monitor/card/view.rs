//! The lines of a card of the monitor: what the service told, what follows from it, and what nobody can say.

use ratatui::style::Style;
use ratatui::text::{Line, Span};

use crate::domain::{ResultCode, ResultCounts, RunsOperation};
use crate::forecast::Outlook;
use crate::screens::monitor::{Card, GateState, Trouble as CardTrouble};
use crate::ui::{Context, bar, changes, chart, counts, text, time};

/// Columns of the labels.
const LABEL: usize = 9;

/// As many lines as there are rows: fewer rows hold the same facts in shorter words.
pub fn lines(context: Context<'_>, card: &Card, columns: usize, rows: usize) -> Vec<Line<'static>> {
    let mut lines = vec![results(context, card, columns)];
    let (forecast, style) = forecast(context, card);
    let trend = labelled(
        context,
        "trend",
        &trend(card),
        context.theme.text(),
        columns,
    );
    if rows < 5 {
        let half = columns / 2;
        let told = chart::forecast_words(forecast, card.history.value().map(AsRef::as_ref));
        let (change, change_style) = change(context, card, half.saturating_sub(LABEL));
        lines.push(Line::raw(text::fit(&short_counts(context, card), columns)));
        lines.push(Line::from(vec![
            Span::styled(text::pad(&format!("change {change}"), half), change_style),
            Span::styled(text::fit(&told, columns - half), style),
        ]));
        lines.push(trend);
        return lines;
    }
    if rows == 5 {
        lines.push(Line::raw(text::fit(&short_counts(context, card), columns)));
    } else {
        let words = counts(card);
        let words = if text::width(&words) > columns {
            codes(card)
        } else {
            words
        };
        lines.push(Line::raw(text::fit(&words, columns)));
        lines.push(labelled(
            context,
            "left",
            &left(context, card),
            context.theme.text(),
            columns,
        ));
    }
    let (change, change_style) = change(context, card, columns.saturating_sub(LABEL));
    lines.push(labelled(context, "change", &change, change_style, columns));
    let forecast = forecast.unwrap_or_else(|why| format!("no forecast: {why}"));
    lines.push(labelled(context, "forecast", &forecast, style, columns));
    lines.push(trend);
    lines
}

fn labelled(
    context: Context<'_>,
    label: &str,
    words: &str,
    style: Style,
    columns: usize,
) -> Line<'static> {
    let words = text::fit(words, columns.saturating_sub(LABEL));
    Line::from(vec![
        Span::styled(text::pad(label, LABEL), context.theme.muted()),
        Span::styled(words, style),
    ])
}

/// The bar, with the service's own Progress beside it.
fn results(context: Context<'_>, card: &Card, columns: usize) -> Line<'static> {
    let progress = card
        .row
        .progress
        .map_or("Progress -".to_owned(), |progress| {
            format!("Progress {progress}%")
        });
    let beside = if columns >= 90 {
        format!("   {progress} by the service")
    } else {
        format!("  {progress}")
    };
    let width = columns.saturating_sub(text::width(&beside));
    let mut spans = match &card.row.results {
        Some(counts) => bar::spans(counts, width, context.theme),
        None => vec![Span::styled(
            text::fit(no_counts(card), width),
            context.theme.warn(),
        )],
    };
    let used: usize = spans.iter().map(Span::width).sum();
    spans.push(Span::raw(" ".repeat(width.saturating_sub(used))));
    spans.push(Span::styled(beside, context.theme.muted()));
    Line::from(spans)
}

/// Why there are no counts.
pub fn no_counts(card: &Card) -> &'static str {
    match card.operation {
        Some(RunsOperation::ListDocuments) => {
            "no counts: LIST_TEST_RUNS is gone, and only it brings them"
        }
        Some(RunsOperation::ListTestRuns) => "no counts: the service sent none",
        None => "no counts yet",
    }
}

fn counts(card: &Card) -> String {
    card.row
        .results
        .as_ref()
        .map(counts::counted)
        .unwrap_or_default()
}

/// `P57 F9 K4 B5 i5 U36`.
fn codes(card: &Card) -> String {
    let Some(counts) = &card.row.results else {
        return String::new();
    };
    let code = |code: &ResultCode| format!("{}{}", code.letter(), counts.get(*code));
    let codes: Vec<String> = ResultCode::BAR
        .iter()
        .filter(|code| counts.get(**code) > 0)
        .map(code)
        .collect();
    format!("{}{}", codes.join(" "), others(counts))
}

/// `P57 F9 K4 B5 i5 U36  46 left of 116`.
fn short_counts(context: Context<'_>, card: &Card) -> String {
    if card.row.results.is_none() {
        return String::new();
    }
    format!("{}  {}", codes(card), left(context, card))
}

fn others(counts: &ResultCounts) -> String {
    match counts.unnamed() {
        0 => String::new(),
        unnamed => format!(" ?{unnamed}"),
    }
}

/// What is left, and how fast it goes.
fn left(context: Context<'_>, card: &Card) -> String {
    let Some(sums) = card.row.sums(context.cx.shared.done_codes()) else {
        let unread = card.row.results.as_ref().map_or(0, |counts| counts.unread);
        return if unread > 0 {
            format!("{unread} counts could not be read")
        } else {
            String::new()
        };
    };
    let rate = match card
        .history
        .value()
        .map(|history| (&history.outlook, history.trend.last()))
    {
        Some((Outlook::Band(band), _)) => format!(", {:.1} finished per hour", band.pace),
        Some((_, Some(Some(passed)))) => format!(", {passed:.0} passed in the last hour"),
        _ => String::new(),
    };
    format!("{} of {} left{rate}", sums.left(), sums.total)
}

fn change(context: Context<'_>, card: &Card, columns: usize) -> (String, Style) {
    match &card.change {
        Some((at, changes)) => {
            let when = format!(" at {}", context.now.clock(*at));
            let words = changes::short(changes, columns.saturating_sub(when.len()));
            (format!("{words}{when}"), changes::style(context, changes))
        }
        None => (
            format!("none since {}", context.now.clock(card.since)),
            context.theme.muted(),
        ),
    }
}

/// The forecast, or why there is none; without counts there is none, whatever old samples say.
pub fn forecast(context: Context<'_>, card: &Card) -> (Result<String, String>, Style) {
    if card.row.results.is_none() && card.operation.is_some() {
        return (Err("no counts".into()), context.theme.muted());
    }
    match card.history.value() {
        Some(history) => (
            chart::forecast(context, history),
            chart::style(context, history),
        ),
        None => (
            Err(chart::missing(card.history.failure())),
            context.theme.muted(),
        ),
    }
}

fn trend(card: &Card) -> String {
    let trend = card
        .history
        .value()
        .map(|history| chart::trend(&history.trend));
    trend.map_or_else(
        || "-".into(),
        |trend| format!("{trend}  passed per hour, last 24 h"),
    )
}

/// How the run stands, for the frame: what is old first, then the threshold; and whether somebody should look.
pub fn gate_state(context: Context<'_>, card: &Card) -> (String, bool) {
    // A threshold of its own is named: the line at the foot names that of all.
    let own = |how: &str| {
        card.own
            .as_ref()
            .map(|gate| format!("own threshold {}: {how}", gate.text))
    };
    let fails = |counts: &String| match &card.own {
        Some(gate) => format!("OWN THRESHOLD {} FAILS {counts}", gate.text),
        None => format!("THRESHOLD FAILS {counts}"),
    };
    let old = || {
        let age = time::span(context.now.ms.saturating_sub(card.read_at));
        format!(
            "OLD: read {}, over {age} ago",
            context.now.clock(card.read_at)
        )
    };
    match (&card.trouble, &card.gate_state) {
        (Some(CardTrouble::NotFound(others)), _) => {
            let others = if *others > 0 {
                format!(", but {others} others")
            } else {
                String::new()
            };
            (format!("NOT FOUND by its id{others}; {}", old()), true)
        }
        (Some(CardTrouble::NoId), _) => ("has no short id to be read by".into(), true),
        (Some(CardTrouble::Failed(_)), Some(GateState::Fails(counts))) => {
            (format!("{}; {}", fails(counts), old()), true)
        }
        (Some(CardTrouble::Failed(_)), _) => (old(), true),
        (None, Some(GateState::Fails(counts))) => (fails(counts), true),
        (None, Some(GateState::Unknown(names))) => {
            let how = format!("{names} not told");
            (
                own(&how).unwrap_or_else(|| format!("threshold not known: {how}")),
                false,
            )
        }
        (None, Some(GateState::Holds)) => (own("ok").unwrap_or_else(|| "ok".into()), false),
        (None, None) if !card.read => (
            format!("from the list, read {}", context.now.clock(card.read_at)),
            false,
        ),
        (None, None) => (String::new(), false),
    }
}

/// The same in five columns.
pub fn short_gate_state(context: Context<'_>, card: &Card) -> (String, Style) {
    let theme = context.theme;
    let (words, style) = match (&card.trouble, &card.gate_state) {
        (Some(CardTrouble::NotFound(_)), _) => ("gone?", theme.bad()),
        (Some(CardTrouble::NoId), _) => ("no id", theme.bad()),
        (_, Some(GateState::Fails(_))) => ("FAILS", theme.bad()),
        (Some(CardTrouble::Failed(_)), _) => ("OLD", theme.bad()),
        (None, Some(GateState::Holds)) => ("ok", theme.good()),
        (None, Some(GateState::Unknown(_))) => ("?", theme.warn()),
        (None, None) => ("-", theme.muted()),
    };
    (words.to_owned(), style)
}
