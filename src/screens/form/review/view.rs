//! What a form will send: field by field for a change, run by run for new ones; and the raw request.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::{Button, CreateReview, ModifyReview, Review, ReviewOf};
use crate::domain::fields::EDITED_BY;
use crate::domain::{
    Created, Deed, End, FieldMerge, NewRun, Outcome, Resolution as MergeChoice, RunField, RunRow,
    Verdict as MergeVerdict, modify_params,
};
use crate::store::message::Action;
use crate::ui::layout::Layout;
use crate::ui::{Context, fields, frame, text};

/// Lines of the screen, with their styles.
type Lines = Vec<(String, Style)>;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    review: &Review,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let theme = context.theme;
    let (title, right) = match &review.of {
        ReviewOf::Modify(modify) if modify.undo_of.is_some() => {
            (format!("Undo: {}", modify.run_name), "i the request")
        }
        ReviewOf::Modify(modify) => (format!("Save {}?", modify.run_name), "i the request"),
        ReviewOf::Create(create) if create.create.undo_of.is_some() => {
            ("Rebuild a deleted run".into(), "i the request")
        }
        ReviewOf::Create(create) => match create.create.runs.as_slice() {
            [run] => (format!("Create \"{}\"?", run.title), "i the request"),
            runs => (format!("Create {} runs?", runs.len()), "i the request"),
        },
    };
    let inside = frame::pane(buffer, area, &title, right, theme, true);
    let width = usize::from(inside.width).saturating_sub(3);
    let mut lines = Lines::new();
    if review.raw {
        let locale = context
            .cx
            .shared
            .session
            .as_ref()
            .map_or("", |session| session.locale.as_str());
        lines.push((
            "The request as it will be sent; its id is made then.".into(),
            theme.muted(),
        ));
        lines.extend(
            raw(review, locale)
                .lines()
                .map(|line| (line.to_owned(), theme.text())),
        );
    } else {
        match &review.of {
            ReviewOf::Modify(modify) => modify_lines(context, review, modify, width, &mut lines),
            ReviewOf::Create(create) => create_lines(context, review, create, width, &mut lines),
        }
        for words in &review.warnings {
            lines.push((words.clone(), theme.warn()));
        }
    }
    let mut rows: Lines = Vec::new();
    let mut focus = 0;
    for (line, style) in lines {
        if line.starts_with("> ") {
            focus = rows.len();
        }
        let indent: String = line.chars().take_while(|c| *c == ' ').collect();
        let wrapped = if review.raw {
            text::chop(&line, width)
        } else {
            text::wrap(&line, width, 8)
        };
        for (number, row) in wrapped.into_iter().enumerate() {
            let lead = if number == 0 || review.raw || row.starts_with(&indent) {
                ""
            } else {
                &indent
            };
            rows.push((format!("{lead}{row}"), style));
        }
    }
    let height = usize::from(inside.height).saturating_sub(1);
    let last = rows.len().saturating_sub(height);
    layout.review = Some(last as u16);
    let follow = if review.raw {
        0
    } else {
        (focus + 1).saturating_sub(height)
    };
    let top = usize::from(review.top).max(follow).min(last);
    for (row, (line, style)) in rows.into_iter().skip(top).take(height).enumerate() {
        frame::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(format!(" {line}"), style)],
        );
    }
    buttons(context, review, buffer, inside, layout);
}

fn modify_lines(
    context: Context<'_>,
    review: &Review,
    modify: &ModifyReview,
    width: usize,
    lines: &mut Lines,
) {
    let theme = context.theme;
    let Some(opened) = modify.theirs.value() else {
        let words = match modify.theirs.failure() {
            Some(failure) => format!(
                "What the service has cannot be read: {} {} r reads it again.",
                failure.came_back, failure.remedy
            ),
            None => "reading what the service has now".into(),
        };
        return lines.push((words, theme.warn()));
    };
    let by = opened
        .document
        .meta("modifier")
        .or_else(|| EDITED_BY.text(&opened.document));
    let at = opened.document.meta("modifiedAt");
    let at = at.map_or_else(
        || "at a time that is not told".into(),
        |at| fields::full_time(&at),
    );
    let by = by.map(|by| format!(" by {by}")).unwrap_or_default();
    lines.push((format!("Last saved {at}{by}."), theme.muted()));
    lines.push((String::new(), theme.text()));
    for (row, merge) in modify.merges.iter().enumerate() {
        let here = review.cursor == row;
        field_lines(context, modify, merge, here, width, lines);
    }
    lines.push((String::new(), theme.text()));
    if modify.undecided().is_empty() {
        let changes = modify.changes();
        let names: Vec<&str> = changes.keys().map(|field| field.label()).collect();
        let words = if names.is_empty() {
            "Nothing is left to change.".to_owned()
        } else {
            format!(
                "Changes: {}. Everything else stays as it is.",
                names.join(", ")
            )
        };
        lines.push((words, theme.text()));
    }
    lines.push((
        "A save by somebody else in the same moment would be overwritten unseen.".into(),
        theme.muted(),
    ));
    if let Some((words, good)) = modify.end.as_ref().map(|end| modify_end(modify, end)) {
        lines.push((words, if good { theme.good() } else { theme.bad() }));
    }
    if review.sending {
        lines.push(("under way: read, write, read again".into(), theme.warn()));
    }
}

fn field_lines(
    context: Context<'_>,
    modify: &ModifyReview,
    merge: &FieldMerge,
    here: bool,
    width: usize,
    lines: &mut Lines,
) {
    let theme = context.theme;
    let choice = modify.choices.get(&merge.field);
    let undo = modify.undo_of.is_some();
    let mine = if undo { "back" } else { "yours" };
    let (words, style) = match (merge.verdict, choice) {
        (MergeVerdict::Unchanged, _) => ("unchanged", theme.muted()),
        (_, Some(MergeChoice::Mine)) if undo => ("the old value goes back", theme.good()),
        (_, Some(MergeChoice::Mine)) => ("yours goes in", theme.good()),
        (_, Some(MergeChoice::Theirs)) => ("theirs stays", theme.good()),
        (MergeVerdict::Mine, None) if undo => ("the old value goes back", theme.text()),
        (MergeVerdict::Mine, None) => ("changed by you", theme.text()),
        (MergeVerdict::Theirs, None) => ("changed on the service: stays", theme.warn()),
        (MergeVerdict::Same, None) => ("changed on both sides to the same", theme.text()),
        (MergeVerdict::Conflict, None) => (
            if undo {
                "!! WRITTEN SINCE: 1 puts the old value back, 2 leaves theirs"
            } else {
                "!! BOTH SIDES: 1 keeps yours, 2 takes theirs, e edits"
            },
            theme.bad(),
        ),
    };
    let sign = if here { ">" } else { " " };
    let style = if here {
        style.add_modifier(Modifier::REVERSED)
    } else {
        style
    };
    lines.push((format!("{sign} {:<15}{words}", merge.field.label()), style));
    let value = |text: &str| {
        if text.is_empty() {
            "(empty)".to_owned()
        } else {
            text.replace('\n', "⏎")
        }
    };
    let mut show = |name: &str, text: &str, style: Style| {
        for (number, line) in text::wrap(&value(text), width.saturating_sub(14), 4)
            .into_iter()
            .enumerate()
        {
            lines.push((
                format!("    {:<8}{line}", if number == 0 { name } else { "" }),
                style,
            ));
        }
    };
    match merge.verdict {
        MergeVerdict::Unchanged => {}
        MergeVerdict::Mine => {
            show("before", &merge.theirs, theme.muted());
            show(mine, &merge.mine, theme.text());
        }
        MergeVerdict::Theirs => {
            show("before", &merge.base, theme.muted());
            show("theirs", &merge.theirs, theme.text());
        }
        MergeVerdict::Same => show("both", &merge.mine, theme.text()),
        MergeVerdict::Conflict => {
            show("before", &merge.base, theme.muted());
            show("theirs", &merge.theirs, theme.text());
            show(mine, &merge.mine, theme.text());
        }
    }
}

fn modify_end(modify: &ModifyReview, end: &Outcome) -> (String, bool) {
    let words = end.words(Deed::Save(&modify.name()));
    match end.end {
        End::Unknown => (
            format!("{words}. It is not sent again by itself; r reads what the service has now."),
            false,
        ),
        End::NotSent if end.document.is_some() => (
            format!("{words}. Above is what the service has now."),
            false,
        ),
        _ => (words, end.is_whole()),
    }
}

fn create_lines(
    context: Context<'_>,
    review: &Review,
    create: &CreateReview,
    width: usize,
    lines: &mut Lines,
) {
    let theme = context.theme;
    for (number, run) in create.create.runs.iter().enumerate() {
        let (state, style) = match create.ends.get(number) {
            Some(end) => create_end(context, &run.title, end),
            None if review.sending && create.ends.len() == number => {
                ("being made".into(), theme.warn())
            }
            None if create.sent_before => ("sent before, perhaps made".into(), theme.bad()),
            None => ("not sent yet".into(), theme.muted()),
        };
        lines.push((
            format!("  {}. \"{}\": {state}", number + 1, run.title),
            style,
        ));
        if create.create.runs.len() > 1 {
            lines.push((
                format!("     Configuration \"{}\"", run.configuration),
                theme.muted(),
            ));
        } else {
            lines.extend(
                fields(run, width, false)
                    .into_iter()
                    .map(|line| (line, theme.text())),
            );
        }
    }
    if let [first, _, ..] = create.create.runs.as_slice() {
        lines.push(("  All of them:".into(), theme.muted()));
        lines.extend(
            fields(first, width, true)
                .into_iter()
                .map(|line| (line, theme.text())),
        );
    }
    lines.push((String::new(), theme.text()));
    let suites = &create.create.suites;
    if !suites.is_empty() {
        let names: Vec<&str> = suites
            .iter()
            .take(8)
            .map(|(_, name)| name.as_str())
            .collect();
        let more = if suites.len() > names.len() {
            format!(" and {} more", suites.len() - names.len())
        } else {
            String::new()
        };
        lines.push((
            format!(
                "{} for each: {}{more}",
                if suites.len() == 1 {
                    "1 suite".to_owned()
                } else {
                    format!("{} suites", suites.len())
                },
                names.join(", ")
            ),
            theme.text(),
        ));
    }
    for step in &review.steps {
        lines.push((
            format!("    {}", step.words),
            if step.good { theme.good() } else { theme.bad() },
        ));
    }
    if let Some((words, bad)) = crate::screens::form::view::looked(&create.looked) {
        lines.push((words, if bad { theme.bad() } else { theme.warn() }));
    }
    let found = create.found();
    if !found.is_empty() {
        lines.push((
            "Runs of this title that are as new as the request; Enter takes one as yours:".into(),
            theme.warn(),
        ));
    }
    for (number, row) in found.iter().enumerate() {
        let here = review.cursor == number;
        let style = if here {
            theme.text().add_modifier(Modifier::REVERSED)
        } else {
            theme.text()
        };
        let at = row
            .edited_on
            .map(|at| context.now.when(at))
            .unwrap_or_default();
        lines.push((
            format!("{} {}  {at}", if here { ">" } else { " " }, row.full_name()),
            style,
        ));
    }
}

/// The fields of a new run; of several, those that all of them share.
fn fields(run: &NewRun, width: usize, shared: bool) -> Vec<String> {
    let own = |field: &RunField| matches!(field, RunField::Title | RunField::Configuration);
    let texts = run.texts();
    let line = |(field, text): (&RunField, &String)| {
        let text = if text.is_empty() {
            "(empty)".to_owned()
        } else {
            text.replace('\n', "⏎")
        };
        let wrapped = text::wrap(&text, width.saturating_sub(28), 4);
        let lines = wrapped.into_iter().enumerate().map(move |(number, line)| {
            format!(
                "     {:<22}{line}",
                if number == 0 { field.label() } else { "" }
            )
        });
        lines.collect::<Vec<_>>()
    };
    texts
        .iter()
        .filter(|(field, _)| !shared || !own(field))
        .flat_map(line)
        .collect()
}

fn create_end(context: Context<'_>, title: &str, created: &Created) -> (String, Style) {
    let theme = context.theme;
    let run = &created.run;
    let row = run.document.as_deref().map(RunRow::from_document);
    let name = row.as_ref().map_or(title, RunRow::name);
    let words = run.words(Deed::Create(name));
    let suites = created.suites.as_ref().map(|suites| {
        let deed = Deed::Add(suites.parts.len(), name);
        format!("; {}", suites.words(deed))
    });
    let found = match (run.end, &run.found) {
        (End::Unknown, Some(rows)) if rows.is_empty() => "; no run was found that may be it".into(),
        (End::Unknown, Some(rows)) => format!("; {} may be it, see below", rows.len()),
        _ => String::new(),
    };
    let style = if created.is_whole() {
        theme.good()
    } else {
        theme.bad()
    };
    (
        format!("{words}{found}{}", suites.unwrap_or_default()),
        style,
    )
}

/// The request as it will be sent, indented.
fn raw(review: &Review, locale: &str) -> String {
    let value = match &review.of {
        ReviewOf::Modify(modify) => match modify.theirs.value() {
            None => return "what the service has is not here yet".into(),
            Some(opened) => match opened.document.restored(&modify.changes(), &modify.values) {
                Ok(document) => {
                    serde_json::json!({"method": "MODIFY_DOCUMENT", "params": modify_params(&modify.run, &document, locale)})
                }
                Err(error) => return error.to_string(),
            },
        },
        ReviewOf::Create(create) => {
            let request = |run: &NewRun| serde_json::json!({"method": "ADD_DOCUMENT", "params": run.params(locale)});
            match create.create.runs.as_slice() {
                [run] => request(run),
                runs => runs.iter().map(request).collect(),
            }
        }
    };
    serde_json::to_string_pretty(&value).unwrap_or_else(|error| error.to_string())
}

fn buttons(
    context: Context<'_>,
    review: &Review,
    buffer: &mut Buffer,
    inside: Rect,
    layout: &mut Layout,
) {
    let button = |words: &str, which: Button| {
        frame::button(words, review.button() == Some(which), context.theme)
    };
    let send = match &review.of {
        ReviewOf::Modify(modify) if modify.undo_of.is_some() => "Write the old values back",
        ReviewOf::Modify(_) => "Save",
        ReviewOf::Create(create) if create.sent_before => "Send it again",
        ReviewOf::Create(create) if create.create.runs.len() > 1 => "Make the runs",
        ReviewOf::Create(_) => "Make the run",
    };
    let mut spans = vec![Span::raw(" ")];
    if review.is_settled() {
        spans.extend([
            button(
                "Nothing to save: close the form, discard its draft",
                Button::Close,
            ),
            Span::raw("  "),
        ]);
    } else if review.can_send() {
        spans.extend([button(send, Button::Send), Span::raw("  ")]);
    }
    spans.push(button("Back", Button::Back));
    let row = inside.height.saturating_sub(1);
    let line = Rect {
        y: inside.y + row,
        ..inside
    };
    for (nth, place) in (1..spans.len()).step_by(2).enumerate() {
        layout.click_span(line, &spans, place, Action::Press(nth));
    }
    frame::line(buffer, inside, row, spans);
}

/// How far it is.
pub fn status(review: &Review) -> String {
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
