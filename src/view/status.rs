//! The line at the foot: what is shown, filtered and sorted, or what the person must be told.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::Span;

use super::{Context, monitor_words, text, widgets};
use crate::domain::fields::sort_heading;
use crate::domain::{Created, End, RunField};
use crate::screens::form::{Form, Review, ReviewOf};
use crate::screens::monitor::Field;
use crate::screens::runs::{FULLTEXT_FROM, InForce};
use crate::screens::suites::{Available, Members};
use crate::store::{Layer, SuiteOrder};
use crate::ui::text_input::Input;

/// What is shown, filtered and sorted; or what the person must be told now. Of the two rows the second is taken only by
/// words that do not fit into the first: then says `true`.
pub fn draw(context: Context<'_>, area: Rect, buffer: &mut Buffer) -> bool {
    if context.store.layer() == Layer::Typing && !context.store.types_id() {
        typing(context, Rect { height: 1, ..area }, buffer);
        return false;
    }
    told(context, area, buffer)
}

/// The box that is typed into.
fn typing(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    match context.store.screen() {
        Layer::Runs => filter_box(context, area, buffer),
        Layer::Available => available_box(context, area, buffer),
        Layer::Members => reference_box(context, area, buffer),
        Layer::Monitor => monitor_box(context, area, buffer),
        Layer::Json => search_box(context, area, buffer),
        _ => {}
    }
}

fn search_box(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(detail) = &context.store.screens.run else {
        return;
    };
    let theme = context.theme;
    widgets::line(
        buffer,
        area,
        0,
        vec![Span::styled("search / ", theme.key())],
    );
    let place = Rect {
        x: area.x + 9,
        width: area.width - 20,
        ..area
    };
    widgets::field(buffer, place, &detail.json.search, true, theme);
    let said = if detail.json.missing { "not found" } else { "" };
    let place = Rect {
        x: place.right() + 2,
        width: 9,
        ..area
    };
    widgets::line(buffer, place, 0, vec![Span::styled(said, theme.bad())]);
}

fn told(context: Context<'_>, area: Rect, buffer: &mut Buffer) -> bool {
    let (store, theme) = (context.store, context.theme);
    let errors = match (store.cx.errors.unseen, store.layer()) {
        (0, _) => String::new(),
        (count, Layer::Form) => format!("  [!] {count} new: F2"),
        (count, _) => format!("  [!] {count} new"),
    };
    let room = usize::from(area.width).saturating_sub(text::width(&errors));
    let (words, style) = match &store.cx.notice {
        Some(notice) if notice.bad => (format!("! {}", notice.text), theme.bad()),
        Some(notice) => (notice.text.clone(), theme.warn()),
        None => (place_in_words(context), theme.text()),
    };
    let (first, second) = match &store.cx.notice {
        Some(_) => in_two(&words, room),
        None => (words, None),
    };
    let spans = vec![
        Span::styled(text::pad(&first, room), style),
        Span::styled(errors, theme.bad()),
    ];
    widgets::line(buffer, area, 0, spans);
    match second {
        Some(second) => {
            widgets::line(
                buffer,
                area,
                1,
                vec![Span::styled(
                    text::pad(&second, usize::from(area.width)),
                    style,
                )],
            );
            true
        }
        None => false,
    }
}

/// Words on one line where they fit, else on two.
fn in_two(words: &str, room: usize) -> (String, Option<String>) {
    if text::width(&text::cells(words)) <= room {
        return (words.to_owned(), None);
    }
    let mut lines = text::wrap(words, room, 100).into_iter();
    let first = lines.next().unwrap_or_default();
    let rest = lines.collect::<Vec<_>>().join(" ");
    (first, Some(rest).filter(|rest| !rest.is_empty()))
}

fn filter_box(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    labelled_box(
        context,
        area,
        buffer,
        "/ ",
        &context.store.screens.runs.text,
        (&in_force(context), false),
    );
}

fn available_box(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(available) = &context.store.screens.available else {
        return;
    };
    let said = format!(
        "{} of {} match",
        available.shown.len(),
        available.list.value().map_or(0, Vec::len)
    );
    labelled_box(context, area, buffer, "/ ", &available.text, (&said, false));
}

fn reference_box(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(members) = &context.store.screens.members else {
        return;
    };
    let said = members
        .problem
        .as_deref()
        .unwrap_or("TestSuite-dm/20744, several with blanks between");
    labelled_box(
        context,
        area,
        buffer,
        "+ ",
        &members.text,
        (said, members.problem.is_some()),
    );
}

fn monitor_box(context: Context<'_>, area: Rect, buffer: &mut Buffer) {
    let Some(monitor) = &context.store.screens.monitor else {
        return;
    };
    if monitor.typing == Some(Field::Export) {
        let whose = match monitor.current().filter(|_| !monitor.for_all) {
            Some(card) => format!("samples of {}; Tab: of all runs", card.row.name()),
            None => "samples of all runs; Tab: of one".into(),
        };
        let said = format!("{whose}. A path, or none for the state folder");
        return labelled_box(context, area, buffer, "x ", &monitor.input, (&said, false));
    }
    let said = match (&monitor.problem, monitor.current()) {
        (Some(problem), _) => problem.clone(),
        (None, Some(card)) if monitor.for_all => {
            format!("for all runs; Tab: for {} alone", card.row.name())
        }
        (None, Some(card)) => format!("for {} alone; Tab: for all runs", card.row.name()),
        (None, None) => "for all runs".into(),
    };
    labelled_box(
        context,
        area,
        buffer,
        "t ",
        &monitor.input,
        (&said, monitor.problem.is_some()),
    );
}

/// A text field with a sign before it and words behind it.
fn labelled_box(
    context: Context<'_>,
    area: Rect,
    buffer: &mut Buffer,
    sign: &'static str,
    input: &Input,
    (said, bad): (&str, bool),
) {
    let theme = context.theme;
    let note = (text::width(said) as u16 + 2).min(area.width * 2 / 3);
    let field = Rect {
        x: area.x + 2,
        width: area.width.saturating_sub(note + 2),
        ..area
    };
    widgets::line(buffer, area, 0, vec![Span::styled(sign, theme.key())]);
    widgets::field(buffer, field, input, true, theme);
    let place = Rect {
        x: field.right() + 2,
        width: note.saturating_sub(2),
        ..area
    };
    let style = if bad { theme.bad() } else { theme.warn() };
    widgets::line(
        buffer,
        place,
        0,
        vec![Span::styled(
            text::fit(said, usize::from(place.width)),
            style,
        )],
    );
}

/// Which filter is in force, in words.
fn in_force(context: Context<'_>) -> String {
    let runs = &context.store.screens.runs;
    let local = || {
        format!(
            "local: {} of {} loaded",
            runs.len().unwrap_or(0),
            runs.all.loaded()
        )
    };
    match runs.in_force() {
        InForce::Nothing => "words to filter by".into(),
        InForce::Service => format!("service fulltext: {} found", runs.len().unwrap_or(0)),
        InForce::Local
            if runs
                .found
                .as_ref()
                .is_some_and(|found| found.failure.is_some()) =>
        {
            format!("{}; the service failed", local())
        }
        InForce::Local if runs.asks_service() => format!("{}; asking the service", local()),
        InForce::Local => format!("{}; the service from {FULLTEXT_FROM} letters", local()),
    }
}

fn place_in_words(context: Context<'_>) -> String {
    let store = context.store;
    match (store.screen(), &store.screens.run) {
        (Layer::Runs, _) => runs_in_words(context),
        (Layer::Detail, Some(detail)) => {
            let base = detail
                .document
                .value()
                .and_then(|opened| opened.document.meta("modifiedAt"));
            let base = base
                .map(|at| format!("  modifiedAt {at}"))
                .unwrap_or_default();
            format!("{}{base}", detail.doc_ref)
        }
        (Layer::Json, Some(detail)) => {
            let line = detail.json.scroll.cursor + 1;
            let search = detail.json.search.text();
            let search = match (search.is_empty(), detail.json.missing) {
                (true, _) => String::new(),
                (false, true) => format!("  {search:?} not found"),
                (false, false) => format!("  search {search:?}: n N"),
            };
            format!("line {line} of {}{search}", detail.json_len())
        }
        (Layer::Monitor, _) => store
            .screens
            .monitor
            .as_ref()
            .map(|it| monitor_words::state(context, it))
            .unwrap_or_default(),
        (Layer::Form, _) => store
            .screens
            .form
            .form
            .as_ref()
            .map(form_in_words)
            .unwrap_or_default(),
        (Layer::Review, _) => store
            .screens
            .form
            .review
            .as_ref()
            .map(review_in_words)
            .unwrap_or_default(),
        (Layer::Available, _) => store
            .screens
            .available
            .as_ref()
            .map(available_in_words)
            .unwrap_or_default(),
        (Layer::Members, _) => store
            .screens
            .members
            .as_ref()
            .map(members_in_words)
            .unwrap_or_default(),
        _ => String::new(),
    }
}

fn form_in_words(form: &Form) -> String {
    let changed: Vec<&str> = form.changed().into_iter().map(RunField::name).collect();
    let here = match changed.as_slice() {
        [] => "nothing changed here".to_owned(),
        names => format!("changed here: {}", names.join(", ")),
    };
    match form.moved().len() {
        0 => here,
        fields => format!("{here}  changed on the service: {fields}"),
    }
}

fn review_in_words(review: &Review) -> String {
    match &review.of {
        _ if review.sending => {
            "under way: Ctrl-c stops what is not sent yet, and waits for the rest".into()
        }
        _ if review.is_unread() => {
            "what the service has now is not known: r or Ctrl-s reads it; nothing is sent before"
                .into()
        }
        ReviewOf::Modify(modify) => match modify.undecided().len() {
            0 if modify.merges.is_empty() => "reading".into(),
            0 => format!(
                "{} of {} fields will be written; {}",
                modify.changes().len(),
                modify.merges.len(),
                if modify.doubt {
                    "the end of the save before is not known (@)"
                } else {
                    "nothing is sent yet"
                }
            ),
            open => format!("{open} to decide before it can be saved"),
        },
        ReviewOf::Create(create) => {
            let made = |created: &&Created| created.run.end == End::Done;
            let made = create.ends.iter().filter(made).count();
            format!("{made} of {} made", create.create.runs.len())
        }
    }
}

fn available_in_words(available: &Available) -> String {
    let order = SuiteOrder::ALL
        .iter()
        .find(|(order, _)| *order == available.order)
        .map_or("", |(_, heading)| heading);
    let down = if available.descending { " desc" } else { "" };
    let filter = match available.text.text() {
        "" => String::new(),
        words => format!("  filter (local) {words:?}"),
    };
    let Some(list) = available.list.value() else {
        return String::new();
    };
    format!(
        "{} available  {} marked  sort {order}{down}{filter}",
        list.len(),
        available.marks.len()
    )
}

fn members_in_words(members: &Members) -> String {
    let Some(attached) = members.verdict.value() else {
        return String::new();
    };
    let marked = if members.marks.is_empty() {
        String::new()
    } else {
        format!("  {} marked", members.marks.len())
    };
    format!("{}{marked}", attached.short())
}

fn runs_in_words(context: Context<'_>) -> String {
    let runs = &context.store.screens.runs;
    let mut parts = Vec::new();
    if let Some(len) = runs.len() {
        let row = if len == 0 {
            0
        } else {
            runs.scroll().cursor + 1
        };
        parts.push(format!("row {row} of {len}"));
    } else if let Some((done, total)) = context.store.sign_in.preparing {
        let percent = done.saturating_mul(100).checked_div(total).unwrap_or(100);
        parts.push(format!("making the local service's data: {percent} %"));
    } else if runs.window().failure.is_some() {
        parts.push("nothing could be read".into());
    } else if context.store.cx.shared.signed_in.is_some() {
        parts.push("reading the first page".into());
    } else if context.store.popups.of(Layer::Login).is_some() {
        parts.push("waiting for the sign-in".into());
    } else if context.store.sign_in.left {
        parts.push("not signed in: r opens the box".into());
    } else if context.store.cx.shared.session.is_some() {
        parts.push("signing in".into());
    } else {
        parts.push("starting".into());
    }
    if let Some(view) = runs.view() {
        parts.push(format!("view {:?}", view.name));
    }
    if runs.in_force() != InForce::Nothing {
        parts.push(format!(
            "filter \"{}\" ({})",
            runs.text.text(),
            in_force(context)
        ));
    }
    if !runs.marks.is_empty() {
        parts.push(format!("{} marked", runs.marks.len()));
    }
    match context.store.cx.shared.feed.unread_runs() {
        0 => {}
        number => parts.push(format!("{number} changed")),
    }
    if runs.marks.anchor.is_some() {
        parts.push("range open: v ends it".into());
    }
    for (path, value) in &runs.chosen {
        parts.push(format!(
            "{}={value}",
            path.rsplit('.').next().unwrap_or(path)
        ));
    }
    match runs.window().sort.first() {
        Some(sort) => {
            parts.push(format!(
                "sort {}{}",
                sort_heading(&sort.path),
                if sort.descending { " desc" } else { "" }
            ));
        }
        None => parts.push("sort of the service".into()),
    }
    if let Some(limit) = runs.window().clamped {
        parts.push(format!("the service gives {limit} rows a page"));
    }
    parts.join("  ")
}
