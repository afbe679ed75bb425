//! Drawing of the form.

use std::iter;
use std::ops::Range;

use crate::screens::prelude::*;
use ratatui::prelude::Buffer;

use super::{BUTTONS, Form, Stop, suites_of, then};
use crate::domain::Lookup;
use crate::domain::fields::{STATUS, editor};
use crate::ui::text_area::{FieldText, row_of, rows_of};
use crate::ui::window::Letter;

/// Columns before a field.
const LABEL: u16 = 19;
/// Maximum number of rows of the description.
const MOST_ROWS: u16 = 12;

/// Draws the form; the notes are left out while a review is open over it.
pub fn draw(form: &Form, alone: bool, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let theme = context.theme;
    let title = match &form.of {
        FormFor::New => "New run".to_owned(),
        FormFor::Clone(_) => format!("Clone {}", form.run_name),
        FormFor::Edit(_) => format!("Edit {}", form.run_name),
    };
    let right = draft_in_words(context, form);
    let inside = frame::pane(on.buffer, area, &title, &right, theme, true);
    let width = inside.width.saturating_sub(LABEL + 2);
    on.layout.form = Some(width);
    if !form.ready {
        let words = match form.source.failure() {
            Some(failure) => format!("{}. {}", form.unread(failure), failure.remedy),
            None => format!("opening {}", form.name().unwrap_or("the form")),
        };
        return frame::words(on.buffer, inside, &words, Style::default());
    }
    // Nothing is drawn above the first row: first it is found where the focus is.
    let mut top = u16::MAX;
    for _ in 0..2 {
        let mut lines = FormRows {
            context,
            buffer: on.buffer,
            layout: on.layout,
            stops: form.stops(),
            inside,
            top,
            row: 0,
            width,
        };
        let focus = draw_stops(form, &mut lines);
        top = (focus.end + 1)
            .saturating_sub(inside.height)
            .min(focus.start);
        if lines.left() > 2 {
            lines.put(Vec::new());
        }
        if alone {
            for (words, bad) in notes(context, form) {
                let style = if bad { theme.bad() } else { theme.muted() };
                lines.wrapped(&words, style);
            }
        }
    }
    let is_unkept = form.draft.problem.is_some();
    let buttons = BUTTONS.map(|(words, button)| {
        let words = match button {
            Stop::Leave if is_unkept => "Back…",
            _ => words,
        };
        (words, form.stop == button)
    });
    frame::buttons(on, inside, &buttons, ("", None));
}

/// Draws fields and switches; returns the rows of the one with the focus.
fn draw_stops(form: &Form, lines: &mut FormRows<'_>) -> Range<u16> {
    let mut focus = 0..0;
    for field in RunField::ALL {
        let first = lines.row;
        let letters = draw_field(form, field, lines);
        if form.stop == Stop::Field(field) {
            focus = first..lines.row;
        }
        let rows = lines.rows(first..lines.row);
        lines.click(rows, Stop::Field(field), Action::Point);
        let row = lines.rows(first..first + 1);
        for (columns, character) in letters {
            let letter = Rect {
                x: row.x + LABEL + columns.start as u16,
                width: columns.len() as u16,
                ..row
            };
            let points = |place| Action::PointCell(place, character);
            lines.click(letter, Stop::Field(field), points);
        }
        // Of more than two a press does not tell which is meant.
        let is_turned = field == RunField::Status && form.states().len() == 2;
        if is_turned && lines.row > first {
            // The state that it does not have.
            let (at, width) = match form.text(field).as_str() {
                "active" => (10, 10),
                _ => (0, 8),
            };
            let row = lines.rows(first..first + 1);
            let other = Rect {
                x: row.x + LABEL + at,
                width,
                ..row
            };
            lines.click(other, Stop::Field(field), turned);
        }
    }
    if form.has_matrix() {
        let switches = draw_switches(form, lines);
        focus = switches.unwrap_or(focus);
    }
    focus
}

/// The rows of the form, filled from above.
struct FormRows<'a> {
    context: Context<'a>,
    buffer: &'a mut Buffer,
    layout: &'a mut Layout,
    /// Stops of the focus.
    stops: Vec<Stop>,
    inside: Rect,
    /// First row on the screen.
    top: u16,
    row: u16,
    /// Width of a field in columns.
    width: u16,
}

impl FormRows<'_> {
    /// Rows left above the buttons, if the first one is on the screen.
    fn left(&self) -> u16 {
        self.inside.height.saturating_sub(self.row + 1)
    }

    fn put(&mut self, spans: Vec<Span<'_>>) {
        let line = self.rows(self.row..self.row + 1);
        frame::line(self.buffer, line, 0, spans);
        self.row += 1;
    }

    /// Those of these rows that are on the screen, above the buttons.
    fn rows(&self, rows: Range<u16>) -> Rect {
        let on_screen = |row: u16| {
            let room = self.inside.height.saturating_sub(1);
            row.saturating_sub(self.top).min(room)
        };
        let (first, end) = (on_screen(rows.start), on_screen(rows.end));
        Rect {
            y: self.inside.y + first,
            height: end - first,
            ..self.inside
        }
    }

    /// Sets the action of a click on the place of a stop.
    fn click(&mut self, area: Rect, stop: Stop, action: impl FnOnce(u16) -> Action) {
        if !area.is_empty()
            && let Some(place) = self.stops.iter().position(|it| *it == stop)
        {
            self.layout.click(area, action(place as u16));
        }
    }

    /// Draws a row of a name and words without a text field; the cursor marks the row.
    fn chosen(&mut self, name: &str, words: &str, here: bool) {
        let line = self.rows(self.row..self.row + 1);
        let words = text::fit(words, usize::from(self.width));
        self.put(vec![label(name, here, self.context), Span::raw(words)]);
        frame::cursor(self.buffer, line, 0, here, self.context.theme);
    }

    /// Rectangle of the field in this row, empty if that is not on the screen.
    fn field(&self) -> Rect {
        let line = self.rows(self.row..self.row + 1);
        Rect {
            x: line.x + LABEL,
            width: self.width,
            ..line
        }
    }

    /// Draws words below a field.
    fn beside(&mut self, words: &str, style: Style) {
        let words = text::fit(words, usize::from(self.width));
        let indent = Span::raw(" ".repeat(usize::from(LABEL)));
        self.put(vec![indent, Span::styled(words, style)]);
    }

    fn wrapped(&mut self, words: &str, style: Style) {
        for line in text::wrap(words, usize::from(self.inside.width).saturating_sub(3), 4) {
            self.put(vec![Span::styled(format!("  {line}"), style)]);
        }
    }
}

/// Turns the choice of the stop in this place.
fn turned(place: u16) -> Action {
    Action::Press(BUTTONS.len() + usize::from(place))
}

fn label(name: &str, here: bool, context: Context<'_>) -> Span<'static> {
    let width = usize::from(LABEL) - 2;
    if here {
        Span::styled(format!("> {name:<width$}"), context.theme.accent())
    } else {
        Span::styled(format!("  {name:<width$}"), context.theme.muted())
    }
}

/// Label of a field; a star marks a required one.
fn heading(field: RunField) -> &'static str {
    match field {
        RunField::Title => "Title *",
        field => field.field().label,
    }
}

/// Draws a field; returns the letters of a text of one line that are shown, in its first row.
fn draw_field(form: &Form, field: RunField, lines: &mut FormRows<'_>) -> Vec<Letter> {
    let theme = lines.context.theme;
    let here = form.stop == Stop::Field(field);
    let mut letters = Vec::new();
    let Some(area) = form.fields.get(&field) else {
        return letters;
    };
    if !form.editable().contains(&field) {
        // Project, sub project and version of an existing run are fixed, and share one line.
        if field == RunField::ProjectId {
            let place = [
                field,
                RunField::SubprojectId,
                RunField::ProjectVersionNumber,
            ];
            let place = place.map(|field| form.text(field)).join(" / ");
            lines.chosen("Project", &(place + "   fixed here"), false);
        } else if RunField::EDITABLE.contains(&field) {
            let words = "no text on the service: not changed from here";
            lines.chosen(heading(field), words, false);
        }
        return letters;
    }
    match field {
        RunField::Status => {
            let text = area.text();
            let mut states = form.states();
            if !states.contains(&text) {
                states.push(text.clone());
            }
            let states = states.iter().map(|state| {
                let chosen = if *state == text { "o" } else { " " };
                match state.as_str() {
                    "active" => format!("({chosen}) open  "),
                    "inactive" => format!("({chosen}) closed  "),
                    other => format!("({chosen}) \"{other}\"  "),
                }
            });
            let words = states.collect::<String>() + " Space changes it";
            lines.chosen(field.label(), &words, here);
            if text == "inactive" {
                let words = "closed: its suites can no longer be changed";
                lines.beside(words, theme.warn());
            }
        }
        RunField::Description => description(area, here, lines),
        _ => {
            let place = lines.field();
            lines.chosen(heading(field), "", here);
            let text = (&*area.text(), area.cursor().1);
            letters = frame::one_line(lines.buffer, place, text, here, theme);
            let offers = if here {
                then(
                    &lines.context.cx.shared,
                    "   ",
                    &Action::Offer,
                    "offers known ones",
                )
            } else {
                String::new()
            };
            let words = match field {
                RunField::Configuration if lines.left() > 8 => {
                    match form.configurations().join("] [") {
                        parts if parts.is_empty() => format!("such as chrome, windows 11{offers}"),
                        parts => format!("[{parts}]{offers}"),
                    }
                }
                RunField::ProjectVersionNumber => offers.trim_start().to_owned(),
                _ => String::new(),
            };
            if !words.is_empty() {
                lines.beside(&words, theme.muted());
            }
        }
    }
    if let Some(problem) = form.problems.get(&field) {
        for line in text::wrap(&format!("! {problem}"), lines.width.into(), 4) {
            lines.beside(&line, theme.bad());
        }
    }
    letters
}

/// Draws the description wrapped, scrolled to the cursor.
fn description(area: &FieldText, here: bool, lines: &mut FormRows<'_>) {
    let context = lines.context;
    let width = usize::from(lines.width);
    let rows = rows_of(area.lines(), width);
    let height = lines
        .left()
        .saturating_sub(8)
        .clamp(2, MOST_ROWS)
        .min((rows.len() as u16).max(3));
    let cursor = row_of(area.lines(), &rows, area.cursor()).unwrap_or(0);
    let height = usize::from(height);
    let top = if here {
        (cursor + 1).saturating_sub(height)
    } else {
        0
    };
    let style = context.theme.text().underlined();
    for row in top..top + height {
        let name = if row == top { "Description" } else { "" };
        let place = lines.field();
        lines.put(vec![label(name, here && row == top, context)]);
        if place.is_empty() {
            continue;
        }
        let shown = rows
            .get(row)
            .map_or("", |(line, range)| &area.lines()[*line][range.clone()]);
        let shown = text::pad(&text::cells(shown), width);
        let buffer = &mut *lines.buffer;
        buffer.set_stringn(place.x, place.y, shown, width, style);
        if here && row == cursor {
            let (line, at) = area.cursor();
            let text = &area.lines()[line];
            let start = rows[cursor].1.start;
            let before = &text[start..text::byte_of(text, at).max(start)];
            frame::caret(buffer, place, text::width(&text::cells(before)));
        }
    }
    if rows.len() > top + height || top > 0 {
        let opens = then(
            &context.cx.shared,
            "; ",
            &Action::FieldOutside,
            "opens it in $EDITOR",
        );
        let row = if here { cursor + 1 } else { 1 };
        let words = format!("row {row} of {}{opens}", rows.len());
        lines.beside(&words, context.theme.muted());
    }
}

/// Draws the switch of one run for each configuration, and that of the suites of a clone; returns the rows of the one
/// with the focus.
fn draw_switches(form: &Form, lines: &mut FormRows<'_>) -> Option<Range<u16>> {
    let tick = |on: bool| if on { "[x]" } else { "[ ]" };
    let parts = form.configurations();
    let one_each = match parts.as_slice() {
        [] | [_] => "One run: Configuration is no list".to_owned(),
        parts => format!("One run for each of: {}", parts.join(", ")),
    };
    let matrix = format!("{} {one_each}", tick(form.matrix));
    let suites = || match (form.suites.value(), form.suites.failure()) {
        (Some(attached), _) => format!("{} {}", tick(form.takes_suites()), suites_of(attached)),
        (None, Some(failure)) => format!("not known: {}", failure.cause),
        (None, None) => match &form.progress {
            Some(words) => format!("Looking: {words}"),
            None => "Looking…".to_owned(),
        },
    };
    let suites = matches!(form.of, FormFor::Clone(_)).then(suites);
    let suites = suites.map(|words| ("Suites", Stop::Suites, words));
    let switches = iter::once(("Matrix", Stop::Matrix, matrix)).chain(suites);
    let mut focus = None;
    for (name, stop, words) in switches {
        let first = lines.row;
        lines.chosen(name, &words, form.stop == stop);
        let rows = first..lines.row;
        lines.click(lines.rows(rows.clone()), stop, turned);
        focus = focus.or(Some(rows).filter(|_| form.stop == stop));
    }
    focus
}

/// Notes below the fields; true marks a problem.
fn notes(context: Context<'_>, form: &Form) -> Vec<(String, bool)> {
    let shared = &context.cx.shared;
    let mut notes = Vec::new();
    if let Some(problem) = &form.draft.problem {
        notes.push((format!("Not on the disk: {problem}"), true));
    }
    if let Some(process) = form.draft.other {
        let who = match process {
            0 => "Another program".to_owned(),
            process => format!("Process {process}"),
        };
        let goes = "what is typed here goes to a draft of its own";
        notes.push((format!("{who} had this form open first: {goes}."), true));
    }
    if let Some(sent) = &form.sent {
        let at = context.now.when(sent.at);
        notes.push(match form.ended() {
            Some(ended) => (format!("Sent {at}: {}.", ended.words), false),
            None => {
                // Last, because a long reason is cut at its end.
                let may_be = form.may_be_done();
                let looks = then(shared, "; ", &Action::Save, "looks and compares");
                (format!("{may_be}{looks}. Sent {at}: {}", sent.words), true)
            }
        });
        notes.extend(lookup_words(&form.lookup));
    }
    let moved = form.moved();
    if !moved.is_empty() {
        let names = text::join(moved.iter().map(|field| field.label()), ", ");
        let now = form.source.value();
        let by = now.and_then(|now| editor(&now.document));
        let by = by
            .map(|by| format!(" by {}", shared.person(&by)))
            .unwrap_or_default();
        let follows = match &form.of {
            FormFor::Edit(_) => then(shared, "; ", &Action::Save, "compares"),
            _ => "; the new run gets what stands here".to_owned(),
        };
        let words = format!("Changed on the service{by} since this form was opened");
        notes.push((format!("{words}: {names}{follows}."), true));
    }
    if let Some(at) = form.draft.filled_at {
        let at = context.now.when(at);
        let discards = then(shared, "; ", &Action::DiscardDraft, "discards it");
        notes.push((format!("Filled from the draft of {at}{discards}."), false));
    }
    if form.edits() {
        notes.push(("Everything else stays as it is.".into(), false));
        let status = form.base.as_ref().and_then(|base| STATUS.text(base));
        if status.as_deref() == Some("inactive") {
            let words = "The run is closed: the service may refuse to change it.";
            notes.push((words.into(), false));
        }
    }
    notes.extend(sent_elsewhere(form, shared));
    notes.push(("* required".into(), false));
    notes
}

/// Result of the search for an earlier sending, as long as its end is unknown; true marks found runs or a failure.
pub fn lookup_words(lookup: &Remote<Lookup>) -> Option<(String, bool)> {
    if lookup.is_reading() {
        return Some(("Looking…".into(), false));
    }
    if let Some(failure) = lookup.failure() {
        let words = format!("Looking for it failed: {}", failure.cause);
        return Some((words, true));
    }
    let lookup = lookup.value()?;
    let open = lookup.end.is_none() && !lookup.words.is_empty();
    let words = || format!("Looked for it: {}.", lookup.words);
    open.then(|| (words(), !lookup.found.is_empty()))
}

/// Warning of another draft of this form that may have been sent.
fn sent_elsewhere(form: &Form, shared: &Shared) -> Option<(String, bool)> {
    let scope = shared.in_use().scope_name();
    let any = shared
        .drafts
        .iter()
        .any(|draft| draft.form == form.of && draft.sent.is_some() && !draft.is_elsewhere(&scope));
    let opens = then(shared, ": ", &Action::Drafts, "opens it");
    let words = "Another draft of this form was perhaps sent: look at that one first";
    any.then(|| (format!("{words}{opens}."), true))
}

fn draft_in_words(context: Context<'_>, form: &Form) -> String {
    match (&form.draft.problem, form.draft.kept_at) {
        (Some(_), _) => "NOT SAVED".to_owned(),
        (None, Some(at)) if form.is_touched() => {
            let is_demo = context.cx.shared.is_demo();
            let ends = if is_demo { ", until the demo ends" } else { "" };
            format!("draft kept {}{ends}", context.now.to_the_second(at))
        }
        (None, _) => String::new(),
    }
}

/// Text of the status line: fields changed here and on the service.
pub fn status(form: &Form) -> String {
    let changed = text::join(form.changed().into_iter().map(RunField::label), ", ");
    let here = match changed.as_str() {
        // The version of a draft may differ from that of a new form, which is no change.
        _ if form.of == FormFor::New => String::new(),
        "" => String::new(),
        names => format!("Changed: {names}"),
    };
    match form.moved().len() {
        0 => here,
        fields => format!("{here}  changed on the service: {fields}"),
    }
}
