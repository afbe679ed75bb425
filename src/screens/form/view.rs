//! The form of a run.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use crate::domain::fields::{EDITED_BY, STATUS};
use crate::domain::{Draft, FormFor, Lookup, RunField};
use crate::screens::form::{Form, Stop, suites_of};
use crate::store::Remote;
use crate::store::layer::Layer;
use crate::store::message::Action;
use crate::ui::layout::Layout;
use crate::ui::text_area::{FieldText, byte_of, row_of, rows_of};
use crate::ui::theme::Theme;
use crate::ui::{Context, frame, text};

/// Columns before a field.
const LABEL: u16 = 19;
/// Rows of the description where there is room.
const MOST_ROWS: u16 = 12;

/// Draws the screen; what there is to say of it only where nothing lies over it.
pub fn draw(
    context: Context<'_>,
    form: &Form,
    alone: bool,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let title = match &form.of {
        FormFor::New => "New run".to_owned(),
        FormFor::Clone(_) => format!("Clone {}", form.run_name),
        FormFor::Edit(_) => format!("Edit {}", form.run_name),
    };
    let right = draft_in_words(context, form);
    // How the draft stands matters more than the end of a long title.
    let title = text::fit(
        &title,
        usize::from(area.width).saturating_sub(text::width(&right) + 10),
    );
    let inside = frame::pane(buffer, area, &title, &right, theme, true);
    let width = inside.width.saturating_sub(LABEL + 2);
    layout.form = Some(width);
    if !form.ready {
        let words = match form.source.failure() {
            Some(failure) => format!("{}. {}", form.unread(failure), failure.remedy),
            None => format!("opening {}", form.name().unwrap_or("the form")),
        };
        return frame::words(buffer, inside, &words, Style::default());
    }
    let mut lines = Lines {
        buffer,
        inside,
        row: 0,
        width,
    };
    for field in RunField::ALL {
        draw_field(context, form, field, &mut lines);
    }
    if let FormFor::Clone(_) = form.of {
        draw_clone(context, form, &mut lines);
    }
    lines.put(Vec::new());
    let notes = if alone {
        notes(context, form)
    } else {
        Vec::new()
    };
    for (words, bad) in notes {
        let style = if bad { theme.bad() } else { theme.muted() };
        lines.wrapped(&words, style);
    }
    let button = |words, stop| (words, form.stop == stop);
    let buttons = [
        button("Review, save…", Stop::Save),
        button("Back, keep draft", Stop::Leave),
        button("Discard draft…", Stop::Discard),
    ];
    frame::buttons(buffer, inside, &buttons, "", theme, layout);
}

/// The rows of the form, filled from above.
struct Lines<'a> {
    buffer: &'a mut Buffer,
    inside: Rect,
    row: u16,
    /// Columns of a field.
    width: u16,
}

impl Lines<'_> {
    /// Rows that are left above the buttons.
    fn left(&self) -> u16 {
        self.inside.height.saturating_sub(self.row + 1)
    }

    fn put(&mut self, spans: Vec<Span<'_>>) {
        if self.left() > 0 {
            frame::line(self.buffer, self.inside, self.row, spans);
            self.row += 1;
        }
    }

    /// A row that has no text to type: the cursor is on all of it.
    fn chosen(&mut self, spans: Vec<Span<'_>>, here: bool, theme: Theme) {
        let row = self.row;
        self.put(spans);
        frame::cursor(self.buffer, self.inside, row, here, theme);
    }

    /// Words below a field.
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

fn label(name: &str, here: bool, context: Context<'_>) -> Span<'static> {
    let style = if here {
        context.theme.accent()
    } else {
        context.theme.muted()
    };
    let width = usize::from(LABEL) - 2;
    Span::styled(
        format!("{} {name:<width$}", if here { ">" } else { " " }),
        style,
    )
}

/// What a field is called on the screen; a star where it is needed.
fn heading(field: RunField) -> &'static str {
    match field {
        RunField::Title => "Title *",
        field => field.field().label,
    }
}

fn draw_field(context: Context<'_>, form: &Form, field: RunField, lines: &mut Lines<'_>) {
    let theme = context.theme;
    let here = form.stop == Stop::Field(field);
    let Some(area) = form.fields.get(&field) else {
        return;
    };
    if !form.editable().contains(&field) {
        // The place of a run in its project, on one line where nothing can be changed.
        if field == RunField::ProjectId {
            let text = |field| {
                form.fields
                    .get(&field)
                    .map(FieldText::text)
                    .unwrap_or_default()
            };
            let place = format!(
                "{} / {} / {}   fixed here",
                text(RunField::ProjectId),
                text(RunField::SubprojectId),
                text(RunField::ProjectVersionNumber)
            );
            lines.put(vec![
                label("Project", false, context),
                Span::raw(text::fit(&place, usize::from(lines.width))),
            ]);
        }
        return;
    }
    match field {
        RunField::Status => {
            let text = area.text();
            let choice = |value: &str, words: &str| {
                format!("({}) {words}  ", if text == value { "o" } else { " " })
            };
            let other = if text == "active" || text == "inactive" {
                String::new()
            } else {
                format!("(o) \"{text}\"  ")
            };
            let words = format!(
                "{}{}{other} Space changes it",
                choice("active", "open"),
                choice("inactive", "closed")
            );
            let words = text::fit(&words, usize::from(lines.width));
            lines.chosen(
                vec![label(field.label(), here, context), Span::raw(words)],
                here,
                theme,
            );
            if text == "inactive" {
                let words = "closed: its suites can no longer be changed";
                lines.beside(words, theme.warn());
            }
        }
        RunField::Description => description(context, area, here, lines),
        _ => {
            let shared = &context.cx.shared;
            let place = Rect {
                x: lines.inside.x + LABEL,
                y: lines.inside.y + lines.row,
                width: lines.width,
                height: 1,
            };
            if lines.left() > 0 {
                lines.chosen(vec![label(heading(field), here, context)], here, theme);
                one_line(context, area, here, place, lines.buffer);
            }
            let offers = &Action::Offer;
            let offers = shared.then_key("   ", Layer::Form, offers, "offers known ones");
            let offers = if here { offers } else { String::new() };
            let words = match field {
                RunField::Configuration if lines.left() > 8 => {
                    let parts = form.configurations();
                    if parts.is_empty() {
                        format!("such as chrome, windows 11{offers}")
                    } else {
                        format!("[{}]{offers}", parts.join("] ["))
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
        lines.beside(&format!("! {problem}"), theme.bad());
    }
}

/// A field of one line: the part around the cursor.
fn one_line(context: Context<'_>, area: &FieldText, here: bool, place: Rect, buffer: &mut Buffer) {
    let Some(line) = area.lines().first() else {
        return;
    };
    let width = usize::from(place.width).max(2);
    let before = text::width(&text::cells(&line[..byte_of(line, area.cursor().1)]));
    let hidden = if here {
        (before + 1).saturating_sub(width)
    } else {
        0
    };
    let shown = text::skip(&text::cells(line), hidden);
    let style = context.theme.text().add_modifier(Modifier::UNDERLINED);
    buffer.set_stringn(place.x, place.y, text::pad(&shown, width), width, style);
    if here {
        mark(buffer, place, (before - hidden.min(before)) as u16, 0);
    }
}

/// The description: wrapped, scrolled so that the cursor is in view.
fn description(context: Context<'_>, area: &FieldText, here: bool, lines: &mut Lines<'_>) {
    let width = usize::from(lines.width);
    let rows = rows_of(area.lines(), width);
    let room = lines.left().saturating_sub(8).clamp(2, MOST_ROWS);
    let height = room.min((rows.len() as u16).max(3)).min(lines.left());
    let cursor = row_of(area.lines(), &rows, area.cursor()).unwrap_or(0);
    let top = if here {
        (cursor + 1).saturating_sub(usize::from(height))
    } else {
        0
    };
    let style = context.theme.text().add_modifier(Modifier::UNDERLINED);
    for row in 0..height {
        let name = if row == 0 { "Description" } else { "" };
        let y = lines.inside.y + lines.row;
        lines.put(vec![label(name, here && row == 0, context)]);
        let shown = rows
            .get(top + usize::from(row))
            .map_or("", |(line, range)| &area.lines()[*line][range.clone()]);
        lines.buffer.set_stringn(
            lines.inside.x + LABEL,
            y,
            text::pad(&text::cells(shown), width),
            width,
            style,
        );
        if here && top + usize::from(row) == cursor {
            let (line, at) = area.cursor();
            let (_, range) = &rows[cursor];
            let text = &area.lines()[line];
            let before = text::width(&text::cells(
                &text[range.start..byte_of(text, at).max(range.start)],
            ));
            let place = Rect {
                x: lines.inside.x + LABEL,
                y,
                width: lines.width,
                height: 1,
            };
            mark(lines.buffer, place, before as u16, 0);
        }
    }
    let hidden = rows.len().saturating_sub(top + usize::from(height));
    if hidden > 0 || top > 0 {
        let opens = &Action::FieldOutside;
        let shared = &context.cx.shared;
        let opens = shared.then_key("; ", Layer::Form, opens, "opens it in $EDITOR");
        let words = format!("row {} of {}{opens}", cursor + 1, rows.len());
        lines.beside(&words, context.theme.muted());
    }
}

/// The cursor of a field.
fn mark(buffer: &mut Buffer, place: Rect, column: u16, row: u16) {
    let x = place.x + column.min(place.width.saturating_sub(1));
    if let Some(cell) = buffer.cell_mut((x, place.y + row)) {
        cell.set_style(Style::new().add_modifier(Modifier::REVERSED));
    }
}

fn draw_clone(context: Context<'_>, form: &Form, lines: &mut Lines<'_>) {
    let tick = |on: bool| if on { "[x]" } else { "[ ]" };
    let parts = form.configurations();
    let one_each = match parts.as_slice() {
        [] | [_] => "One run: Configuration is no list".to_owned(),
        parts => format!("One run for each of: {}", parts.join(", ")),
    };
    let matrix = format!("{} {one_each}", tick(form.matrix));
    let suites = match (form.suites.value(), form.suites.failure(), &form.progress) {
        (Some(attached), ..) => format!("{} {}", tick(form.with_suites), suites_of(attached)),
        (None, Some(failure), _) => format!("not known: {}", failure.came_back),
        (None, None, Some(words)) => format!("Looking: {words}"),
        (None, None, None) => "Looking…".to_owned(),
    };
    for (name, stop, words) in [
        ("Matrix", Stop::Matrix, matrix),
        ("Suites", Stop::Suites, suites),
    ] {
        let here = form.stop == stop;
        let words = text::fit(&words, usize::from(lines.width));
        let spans = vec![label(name, here, context), Span::raw(words)];
        lines.chosen(spans, here, context.theme);
    }
}

/// What the person should know, and whether it is something wrong.
fn notes(context: Context<'_>, form: &Form) -> Vec<(String, bool)> {
    let shared = &context.cx.shared;
    let mut notes = Vec::new();
    if let Some(problem) = &form.draft.problem {
        notes.push((format!("Not on the disk: {problem}"), true));
    }
    if let Some(process) = form.draft.other {
        let who = if process == 0 {
            "Another program".to_owned()
        } else {
            format!("Process {process}")
        };
        notes.push((
            format!("{who} has this form open too: what is typed here goes to a draft of its own."),
            true,
        ));
    }
    if let Some(sent) = &form.sent {
        let at = context.now.when(sent.at);
        notes.push(match form.ended() {
            Some(ended) => (format!("Sent {at}: {}.", ended.words), false),
            None => {
                let doubt = form.may_be_done();
                (format!("{doubt} Sent {at}: {}", sent.words), true)
            }
        });
        notes.extend(looked(&form.looked));
    }
    let moved = form.moved();
    if !moved.is_empty() {
        let names: Vec<&str> = moved.iter().map(|field| field.label()).collect();
        let by = form
            .source
            .value()
            .and_then(|now| EDITED_BY.text(&now.document));
        let by = by.map(|by| format!(" by {}", shared.person(&by)));
        let by = by.unwrap_or_default();
        let compares = shared.then_key("; ", Layer::Form, &Action::Save, "compares");
        notes.push((
            format!(
                "Changed on the service since this form was begun{by}: {}{compares}.",
                names.join(", ")
            ),
            true,
        ));
    }
    if let Some(at) = form.draft.taken_up {
        let discards = &Action::DiscardDraft;
        let discards = shared.then_key("; ", Layer::Form, discards, "discards it");
        notes.push((
            format!(
                "Filled from the draft of {}{discards}.",
                context.now.when(at)
            ),
            false,
        ));
    }
    match &form.of {
        FormFor::Edit(_) => {
            notes.push(("Everything else stays as it is.".into(), false));
            if form
                .base
                .as_ref()
                .and_then(|base| STATUS.text(base))
                .as_deref()
                == Some("inactive")
            {
                notes.push((
                    "The run is closed: the service may refuse to change it.".into(),
                    false,
                ));
            }
        }
        FormFor::New | FormFor::Clone(_) => {
            notes.extend(kept_drafts(context, form));
        }
    }
    notes.push(("* required".into(), false));
    notes
}

/// What looking for a form that was sent has found, as long as nobody knows what came of it.
pub fn looked(looked: &Remote<Lookup>) -> Option<(String, bool)> {
    match (looked.is_reading(), looked.failure(), looked.value()) {
        (true, ..) => Some(("Looking…".into(), false)),
        (false, Some(failure), _) => Some((
            format!("Looking for it failed: {}", failure.came_back),
            true,
        )),
        (false, None, Some(looked)) if looked.end.is_some() || looked.words.is_empty() => None,
        (false, None, Some(looked)) => Some((
            format!("Looked for it: {}.", looked.words),
            !looked.found.is_empty(),
        )),
        (false, None, None) => None,
    }
}

/// Drafts of other new runs, which a new form leaves alone.
fn kept_drafts(context: Context<'_>, form: &Form) -> Option<(String, bool)> {
    if form.of != FormFor::New {
        return None;
    }
    let kept: Vec<_> = context
        .cx
        .shared
        .drafts
        .iter()
        .filter(|draft| draft.form == FormFor::New)
        .collect();
    let open = |draft: &&&Draft| draft.sent.as_ref().is_some_and(|sent| sent.end.is_none());
    let sent = kept.iter().filter(open).count();
    let shared = &context.cx.shared;
    let key = |does| shared.then_key(": ", Layer::Form, &Action::Drafts, does);
    let words = match kept.len() {
        0 => return None,
        1 => format!("1 other draft of a new run is kept{}.", key("opens it")),
        more => format!(
            "{more} other drafts of new runs are kept{}.",
            key("lists them")
        ),
    };
    let open = if sent == 0 {
        ""
    } else {
        " One was sent before and got no answer: look at that one first."
    };
    Some((format!("{words}{open}"), sent > 0))
}

fn draft_in_words(context: Context<'_>, form: &Form) -> String {
    match (&form.draft.problem, form.draft.kept_at) {
        (Some(_), _) => "NOT SAVED".to_owned(),
        (None, Some(at)) => format!("saved {}", context.now.to_the_second(at)),
        (None, None) => String::new(),
    }
}

/// What is changed in it.
pub fn status(form: &Form) -> String {
    let changed: Vec<&str> = form.changed().into_iter().map(RunField::name).collect();
    let here = match changed.as_slice() {
        [] => String::new(),
        names => format!("Changed: {}", names.join(", ")),
    };
    match form.moved().len() {
        0 => here,
        fields => format!("{here}  changed by somebody else: {fields}"),
    }
}
