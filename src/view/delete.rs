//! The box that deletes runs: what they hold, what is done in which order, what came of it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;
use super::{Context, Drawn, preview, text, widgets};
use crate::attached::{Attached, State};
use crate::domain::Deed;
use crate::popups::{DeleteBox, DeletedRun};

/// Columns of the field for the id.
const FIELD: u16 = 16;
/// Suites that are named, at most.
const NAMED: usize = 8;

type Line = (String, Style);

pub fn draw(
    context: Context<'_>,
    flow: &DeleteBox,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let theme = context.theme;
    let width = area.width.min(78);
    let lines = lines(flow, theme, usize::from(width).saturating_sub(4));
    let height = u16::try_from(lines.len() + 4).unwrap_or(u16::MAX);
    let size = (width, height.min(area.height));
    let inside = widgets::popup(buffer, area, size, &title(flow), "", theme);
    let room = inside.height.saturating_sub(2);
    let last = u16::try_from(lines.len())
        .unwrap_or(u16::MAX)
        .saturating_sub(room);
    drawn.laid.delete = Some(last);
    let top = flow.top.min(last);
    let seen = lines.iter().skip(usize::from(top)).take(usize::from(room));
    for (row, (line, style)) in (0..).zip(seen) {
        let line = vec![Span::styled(format!(" {line}"), *style)];
        widgets::line(buffer, inside, row, line);
    }
    let foot = inside.height.saturating_sub(1);
    let hidden = last - top;
    if hidden > 0 {
        let more = vec![Span::styled(format!(" ↓ {hidden} more"), theme.dim())];
        widgets::line(buffer, inside, foot.saturating_sub(1), more);
    }
    if flow.typing() {
        id_field(flow, inside, foot, buffer, theme);
    } else {
        let (words, style) = closing(flow, theme);
        let line = vec![Span::styled(format!(" {words}"), style)];
        widgets::line(buffer, inside, foot, line);
    }
}

fn title(flow: &DeleteBox) -> String {
    match &flow.runs[..] {
        [run] => {
            let title = run.deleting.row.title.as_deref().unwrap_or_default();
            format!("Delete {} \"{}\"?", run.name(), text::fit(title, 44))
        }
        runs => format!("Delete {} runs?", runs.len()),
    }
}

/// The field for the id, and what is wrong with what stands in it.
fn id_field(flow: &DeleteBox, inside: Rect, row: u16, buffer: &mut Buffer, theme: Theme) {
    let word = flow.word();
    let before = format!(" Type {word} to delete: ");
    let column = u16::try_from(text::width(&before)).unwrap_or(u16::MAX);
    let place = Rect {
        x: inside.x + column.min(inside.width),
        y: inside.y + row,
        width: FIELD.min(inside.width.saturating_sub(column)),
        height: 1,
    };
    let typed = flow.text.text().trim();
    let (said, style) = match flow.armed() {
        true if flow.entered => ("waits for what it holds".to_owned(), theme.warn()),
        true => ("Enter deletes".to_owned(), theme.bad()),
        _ if word.starts_with(typed) => (String::new(), theme.text()),
        _ => (format!("this is not {word}"), theme.bad()),
    };
    let spans = vec![
        Span::styled(before, theme.text()),
        Span::raw(" ".repeat(usize::from(FIELD) + 2)),
        Span::styled(said, style),
    ];
    widgets::line(buffer, inside, row, spans);
    widgets::field(buffer, place, &flow.text, true, theme);
}

/// What can be done where nothing is typed.
fn closing(flow: &DeleteBox, theme: Theme) -> Line {
    let words = if flow.writing() {
        "under way; Esc or Ctrl-c stops before the next request"
    } else if flow.asked.is_some() {
        "Esc gives it up"
    } else if flow.confirmed {
        "r looks again   @ my changes   Esc closes"
    } else {
        "s its suites   r looks again   Esc closes"
    };
    (words.into(), theme.dim())
}

fn lines(flow: &DeleteBox, theme: Theme, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut say = |words: &str, style: Style| {
        lines.extend(
            text::wrap(words, width, 8)
                .into_iter()
                .map(|line| (line, style)),
        );
    };
    for note in &flow.notes {
        say(note, theme.warn());
    }
    if let [run] = &flow.runs[..] {
        let (words, style) = holds(flow, 0, theme);
        say(&words, style);
        if let Some(attached) = run.deleting.attached().filter(|_| run.end.is_none()) {
            for name in names(attached) {
                say(&format!("  {name}"), theme.text());
            }
            let recorded = match &run.deleting.row.results {
                Some(counts) => format!("Recorded in it: {}.", preview::counted(counts)),
                None => "What is recorded in it is not known here.".into(),
            };
            say(&recorded, theme.text());
        }
    } else {
        for (place, run) in flow.runs.iter().enumerate() {
            let (words, style) = holds(flow, place, theme);
            let row = text::pad(&run.deleting.row.full_name(), 30);
            say(&format!("{} {row}  {words}", sign(flow, place)), style);
        }
    }
    if flow.confirmed || flow.typing() && flow.runs.iter().all(|run| run.looked) {
        let order = order(flow, theme);
        if !order.is_empty() {
            say("", theme.text());
        }
        for (sign, words, style) in order {
            say(&format!("{sign} {words}"), style);
        }
    }
    if flow.typing() {
        let lost = "Results, testers and files do not come back.";
        say(lost, theme.warn());
    }
    lines
}

/// How far one of several is.
fn sign(flow: &DeleteBox, place: usize) -> &'static str {
    let run = &flow.runs[place];
    match &run.end {
        Some(_) if run.gone() => "[x]",
        Some(_) => "[!]",
        None if flow.asked.is_some_and(|asked| asked == place) => "[>]",
        None => "[ ]",
    }
}

/// What is in a run, or what came of it.
fn holds(flow: &DeleteBox, place: usize, theme: Theme) -> Line {
    let run = &flow.runs[place];
    let looking = flow.asked.is_some_and(|asked| asked == place) && !flow.confirmed;
    if let Some(end) = &run.end {
        let style = if run.gone() {
            theme.good()
        } else {
            theme.bad()
        };
        return (end.words(Deed::Delete(run.name())), style);
    }
    let Some(attached) = run.deleting.attached() else {
        let words = match &flow.progress {
            Some(progress) if looking => format!("Looking at what it holds… {progress}"),
            _ if looking => "Looking at what it holds…".into(),
            _ => "not looked at yet".into(),
        };
        return (words, theme.dim());
    };
    match run.deleting.hindrance() {
        _ if !run.looked => ("Asking whether it is empty…".into(), theme.dim()),
        Some(_) => (stays(attached), theme.bad()),
        None => (content(run, attached), theme.text()),
    }
}

/// What a run holds that can be deleted.
fn content(run: &DeletedRun, attached: &Attached) -> String {
    let known = attached.sure().count();
    match (run.deleting.holds_suites(), attached.count) {
        (false, _) => "It is empty.".into(),
        (true, Some(_)) => format!("It holds {}.", suites(known)),
        (true, None) => format!(
            "It holds {}, or more: how many is not known. If there are more, it stays, without these.",
            suites(known)
        ),
    }
}

/// Why a run stays whose suites cannot be taken out.
fn stays(attached: &Attached) -> String {
    let known = attached.sure().count();
    match (attached.state, attached.count) {
        (State::Conflict, _) => {
            "It is not empty, and what the lists say of its suites contradicts itself.".into()
        }
        (State::Changing, _) => "It is not empty, and was changing while it was read.".into(),
        (State::NotReadWhole, _) => {
            "It is not empty, and its list could not be read whole.".into()
        }
        (_, Some(count)) => {
            let others = match count.saturating_sub(known as u64) {
                1 => "the other one".to_owned(),
                more => format!("the other {more}"),
            };
            format!(
                "It holds {}, {known} of them known: {others} must be taken out in the web application first, or \
                 named here (s, then P makes a probe run).",
                suites(usize::try_from(count).unwrap_or(usize::MAX)),
            )
        }
        (_, None) => {
            "It is not empty, and which suites it holds is not known: s, then P makes a probe run that may tell."
                .into()
        }
    }
}

/// The suites by name, as far as there is room.
fn names(attached: &Attached) -> Vec<String> {
    let all = attached.sure().count();
    let shown = if all > NAMED { NAMED - 1 } else { all };
    let mut names: Vec<String> = attached
        .sure()
        .take(shown)
        .map(|named| text::fit(&named.full_name(), 66))
        .collect();
    if all > shown {
        names.push(format!("and {} more", all - shown));
    }
    names
}

/// What is done, in its order, each with how far it is.
fn order(flow: &DeleteBox, theme: Theme) -> Vec<(&'static str, String, Style)> {
    let several = flow.runs.len() > 1;
    let run = flow
        .runs
        .iter()
        .find(|run| !run.gone())
        .or(flow.runs.last());
    let Some(run) = run.filter(|_| !several || !flow.confirmed) else {
        return Vec::new();
    };
    let deleting = &run.deleting;
    let removes = flow.runs.iter().any(|run| run.deleting.holds_suites());
    let copy = match deleting.copy() {
        Some(file) => format!("copy saved: {file}"),
        None => "save a copy here (undo makes a new run from it)".into(),
    };
    let known = deleting.attached().map_or(0, |known| known.sure().count());
    let removal = match deleting.steps().last() {
        Some(step) if deleting.removed.is_none() => format!("take the suites out: {}", step.words),
        _ if several => "take the suites out".into(),
        _ => format!("take {} out", suites(known)),
    };
    let delete = if several {
        "delete the run; then the next"
    } else {
        "delete the run"
    };
    let mut steps = vec![(deleting.copy().is_some(), copy)];
    if removes {
        let out = deleting
            .removed
            .as_ref()
            .map(crate::domain::Outcome::is_whole);
        steps.push((out.unwrap_or_default(), removal));
    }
    steps.push((run.gone(), delete.into()));
    let current = steps.iter().position(|(done, _)| !done);
    let mark = |(place, (done, words)): (usize, (bool, String))| {
        let (sign, style) = match (done, current == Some(place) && flow.confirmed) {
            (true, _) => ("[x]", theme.good()),
            (_, true) if run.end.is_some() => ("[!]", theme.bad()),
            (_, true) => ("[>]", theme.key()),
            _ => ([" 1 ", " 2 ", " 3 "][place.min(2)], theme.text()),
        };
        (sign, words, style)
    };
    steps.into_iter().enumerate().map(mark).collect()
}

fn suites(count: usize) -> String {
    if count == 1 {
        "1 suite".into()
    } else {
        format!("{count} suites")
    }
}
