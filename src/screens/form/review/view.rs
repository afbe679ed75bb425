//! Drawing of the review: the change by field, or the new runs, as a question; or the request.

use crate::screens::prelude::*;
use std::ops::Range;

use super::{CreateReview, ModifyReview, Review, ReviewOf};
use crate::domain::fields::{EDITED, editor};
use crate::domain::{
    Created, Deed, FieldMerge, NewRun, Resolution, SAME_WORDS, Verdict, Why, WriteRequest,
    cut_both, same_words,
};
use crate::ui::fields;
use crate::ui::question::Shown;

/// Columns of the box with its border: normal and wide.
const WIDTH: u16 = 78;
const WIDE: u16 = 100;
/// Columns of the field names.
const LABEL: usize = 15;
/// Columns before each line.
const INDENT: usize = 2;
/// Maximum number of lines of one value.
const LONGEST: usize = 4;

/// Lines of the box, and those of the row under the cursor.
struct Body {
    lines: Vec<Line<'static>>,
    here: Option<Range<usize>>,
    /// Columns of a line.
    width: usize,
    /// A part of a text is left out.
    is_cut: bool,
}

impl Body {
    fn put(&mut self, words: impl Into<String>, style: Style) {
        self.lines.push(Line::styled(words.into(), style));
    }

    fn wrapped(&mut self, words: &str, style: Style) {
        for line in text::wrap(words, self.width, 8) {
            self.put(line, style);
        }
    }

    /// Adds a label with wrapped text beside it.
    fn labelled(&mut self, label: &str, words: &str, style: Style) {
        let columns = self.width.saturating_sub(LABEL);
        self.is_cut |= text::wrap(words, columns, LONGEST + 1).len() > LONGEST;
        let pieces = text::excerpt(words, columns, LONGEST);
        let lines = frame::labelled(text::pad(label, LABEL), pieces, [style; 2]);
        self.lines.extend(lines);
    }

    /// Adds a label with both texts of a change, in one line if they fit.
    fn change(&mut self, label: &str, before: &str, after: &str, style: Style) {
        let after = if same_words(before, after) {
            SAME_WORDS
        } else {
            after
        };
        let line = format!("{before} → {after}");
        if LABEL + text::width(&line) <= self.width {
            return self.labelled(label, &line, style);
        }
        let [before, after] = self.cut([before, after]);
        self.labelled(label, &before, style);
        self.labelled("", &format!("→ {after}"), style);
    }

    /// Cuts two texts so that where they begin to differ is seen.
    fn cut(&mut self, texts: [&str; 2]) -> [String; 2] {
        let room = self.width.saturating_sub(LABEL) * (LONGEST - 1);
        let cut = cut_both(texts, room);
        self.is_cut |= cut != texts;
        cut
    }
}

/// Draws the box: the question with its effects and buttons, or the request.
pub fn draw(review: &Review, on: &mut Surface<'_>, area: Rect) {
    let context = on.context;
    let columns = if area.width > WIDE { WIDE } else { WIDTH };
    let columns = columns.min(area.width);
    let mut body = Body {
        lines: Vec::new(),
        here: None,
        width: Shown::width(columns, INDENT),
        is_cut: false,
    };
    match &review.of {
        ReviewOf::Modify(modify) => modify_body(context, review, modify, &mut body),
        ReviewOf::Create(create) => create_body(context, review, create, &mut body),
    }
    if body.is_cut {
        let hint = then(
            context,
            "…: ",
            &Action::Raw,
            "shows the request with the whole texts",
        );
        body.wrapped(&hint, context.theme.muted());
    }
    let warnings = review.warnings.iter().filter(|_| !review.is_over());
    for words in review.sent.iter().chain(warnings) {
        body.wrapped(words, context.theme.warn());
    }
    body.lines.pop_if(|line| line.width() == 0);
    let buttons: Vec<&str> = review
        .buttons()
        .into_iter()
        .map(|(_, words)| words)
        .collect();
    let shown = Shown {
        sheet: Sheet {
            of: Layer::Review,
            title: &title(review),
            columns,
            indent: INDENT,
            lines: body.lines,
            cursor: body.here,
            foot: true,
        },
        rows: review.rows(),
        buttons: &buttons,
        request: Some(raw(review, &context.cx.shared.in_use().locale)),
    };
    shown.draw(&review.question, on, area);
}

/// Title of the box: the question.
fn title(review: &Review) -> String {
    match &review.of {
        ReviewOf::Modify(modify) if modify.undo_of.is_some() => {
            format!("Undo the change of {}?", modify.run_name)
        }
        ReviewOf::Modify(modify) if review.from_form && modify.is_gone() => {
            format!("Make a new run of {}?", modify.run_name)
        }
        ReviewOf::Modify(modify) => format!("Save {}?", modify.run_name),
        ReviewOf::Create(create) => match create.create.runs.as_slice() {
            [run] if create.create.undo_of.is_some() && !create.is_made() => {
                format!("Make the deleted run \"{}\" again?", run.title())
            }
            [run] if create.is_made() => format!("\"{}\" created", run.title()),
            [run] => format!("Create \"{}\"?", run.title()),
            runs if create.is_made() => format!("{} runs created", runs.len()),
            runs if create.made() > 0 && !review.sending => {
                let (made, all) = (create.made(), runs.len());
                if review.is_over() {
                    format!("Created {made} of {all} runs")
                } else {
                    format!("Create {} of {all} runs?", all - made)
                }
            }
            runs => format!("Create {} runs?", runs.len()),
        },
    }
}

/// Value of a field as the screens show it.
pub fn value(field: RunField, text: &str) -> String {
    match (field, text) {
        (_, "") => "(empty)".to_owned(),
        (RunField::Status, "active") => "open".to_owned(),
        (RunField::Status, "inactive") => "closed".to_owned(),
        (_, text) => text.replace('\n', "⏎"),
    }
}

fn modify_body(context: Context<'_>, review: &Review, modify: &ModifyReview, body: &mut Body) {
    let theme = context.theme;
    if modify.is_gone() {
        let run = &modify.run_name;
        let stays = if review.from_form {
            " What was typed stays in its draft."
        } else {
            ""
        };
        let words = "is gone: read twice, neither it nor the list shows it.";
        return body.wrapped(&format!("{run} {words}{stays}"), theme.bad());
    }
    let Some(opened) = modify.theirs.value() else {
        let words = match modify.theirs.failure() {
            Some(failure) => format!(
                "What the service has cannot be read: {}{}",
                failure.advised(),
                then(context, " ", &Action::Refresh, "reads it again.")
            ),
            None => "Reading what the service has…".into(),
        };
        return body.wrapped(&words, theme.warn());
    };
    if let Some(end) = &modify.end {
        let style = if end.is_complete() {
            theme.good()
        } else {
            theme.bad()
        };
        body.wrapped(&modify_end(context, modify, end), style);
        body.put("", theme.text());
    }
    for (row, merge) in modify.shown().enumerate() {
        let first = body.lines.len();
        field_lines(context, modify, merge, body);
        if review.question.focus == row {
            body.here = Some(first..body.lines.len());
        }
    }
    if !body.lines.is_empty() {
        body.put("", theme.text());
    }
    if modify.closes() {
        body.put("closed: its suites can no longer be changed", theme.warn());
    }
    let words = if !modify.changes().is_empty() || !modify.undecided().is_empty() {
        "Everything else stays as it is."
    } else if review.is_settled() {
        "Nothing to save: the service has it all."
    } else {
        "Nothing is left to change."
    };
    body.put(words, theme.text());
    let document = &opened.document;
    let by = editor(document).map(|by| format!(" by {}", context.cx.shared.person(&by)));
    let at = EDITED.text(document);
    let at = at.or_else(|| document.meta("modifiedAt"));
    let at = at.map(|at| format!(", {}", fields::full_time(&at)));
    if by.is_some() || at.is_some() {
        let (by, at) = (by.unwrap_or_default(), at.unwrap_or_default());
        body.wrapped(&format!("Last saved{by}{at}"), theme.muted());
    }
    let doubt = "A save by somebody else in the same moment would be overwritten unseen.";
    body.wrapped(doubt, theme.muted());
    if review.sending {
        body.put("Saving…", theme.warn());
    }
}

fn field_lines(context: Context<'_>, modify: &ModifyReview, merge: &FieldMerge, body: &mut Body) {
    let theme = context.theme;
    let label = merge.field.label();
    let of = |text: &str| value(merge.field, text);
    match merge.verdict {
        Verdict::Unchanged => {}
        Verdict::Mine => {
            body.change(label, &of(&merge.theirs), &of(&merge.mine), theme.text());
        }
        Verdict::Theirs => {
            let after = format!("{} (changed since, stays)", of(&merge.theirs));
            body.change(label, &of(&merge.base), &after, theme.warn());
        }
        Verdict::Same => {
            let words = format!("{} (on both sides)", of(&merge.mine));
            body.labelled(label, &words, theme.text());
        }
        Verdict::Conflict => {
            let (changed, mine, theirs, short) = if modify.undo_of.is_some() {
                (
                    "changed since",
                    "the old value",
                    "what it is now",
                    ["old", "now"],
                )
            } else {
                (
                    "changed on both sides",
                    "mine",
                    "theirs",
                    ["mine", "theirs"],
                )
            };
            let keep = |sign, does| then(context, sign, &Action::KeepMine, does);
            let take = |sign, does| then(context, sign, &Action::TakeTheirs, does);
            let (words, style) = match modify.choices.get(&merge.field) {
                None => (
                    format!("{changed}{}{}", keep(": ", mine), take(", ", theirs)),
                    theme.bad(),
                ),
                Some(Resolution::Mine) => (format!("{mine} will be saved"), theme.good()),
                Some(Resolution::Theirs) => (format!("{theirs} stays"), theme.warn()),
            };
            body.labelled(label, &words, style);
            let base = of(&merge.base);
            let sides = [
                (keep("", short[0]), of(&merge.mine)),
                (take("", short[1]), of(&merge.theirs)),
            ];
            let [before, _] = body.cut([&base, &sides[0].1]);
            body.labelled("  before", &before, theme.muted());
            for (name, text) in sides {
                let [_, side] = body.cut([&base, &text]);
                body.labelled(&format!("  {name}"), &side, theme.text());
            }
        }
    }
}

/// Text that names the key of an action of the review; empty if no key is bound to it.
fn then(context: Context<'_>, sign: &str, action: &Action, does: &str) -> String {
    context
        .cx
        .shared
        .then_key(sign, Layer::Review, action, does)
}

/// Text that names the key of my changes, which is a letter in a form.
fn my_changes(context: Context<'_>, review: &Review, sign: &str, does: &str) -> String {
    if review.from_form {
        return String::new();
    }
    let (shared, shows) = (&context.cx.shared, Action::Show(Layer::Journal));
    let does = format!("behind this box {does}");
    shared.then_key(sign, Layer::Runs, &shows, &does)
}

fn modify_end(context: Context<'_>, modify: &ModifyReview, end: &Outcome) -> String {
    let words = end.words(modify.deed(&modify.name()));
    match end.end {
        End::Unknown => {
            let reads = "reads what the service has now";
            let reads = then(context, "; ", &Action::Refresh, reads);
            let words = words.trim_end_matches('.');
            format!("{words}. It is not sent again by itself{reads}.")
        }
        End::NotSent(Why::Moved) => format!("{words}. Below is what the service has now."),
        _ => words,
    }
}

fn create_body(context: Context<'_>, review: &Review, create: &CreateReview, body: &mut Body) {
    let theme = context.theme;
    let runs = create.create.runs.as_slice();
    let alone = runs.len() == 1;
    for (number, run) in runs.iter().enumerate() {
        let title = run.title();
        let (words, style) = match create.ends.get(number) {
            Some(end) => create_end(context, review, title, end),
            None if review.sending && create.ends.len() == number => {
                let words = if alone { "Creating…" } else { "creating…" };
                (words.to_owned(), theme.warn())
            }
            None if create.is_in_doubt(title) && alone => {
                (format!("The run \"{title}\" may exist."), theme.bad())
            }
            None if create.is_in_doubt(title) => ("it may exist".into(), theme.bad()),
            None if create.is_not_made(title) && !alone => ("not made so far".into(), theme.text()),
            None => (String::new(), theme.text()),
        };
        match (alone, words.as_str()) {
            (true, "") => {}
            (true, words) => {
                body.wrapped(words, style);
                body.put("", theme.text());
            }
            (false, "") => body.wrapped(&format!("{}. \"{title}\"", number + 1), style),
            (false, words) => body.wrapped(&format!("{}. \"{title}\": {words}", number + 1), style),
        }
    }
    if let [run] = runs {
        new_fields(context, run, true, body);
    } else if let [first, ..] = runs {
        body.put("All of them:", theme.muted());
        new_fields(context, first, false, body);
    }
    if runs
        .iter()
        .any(|run| run.text(RunField::Status) == "inactive")
    {
        body.put("closed: no suites can be added to it", theme.warn());
    }
    body.put("", theme.text());
    let suites = &create.create.suites;
    if !suites.is_empty() {
        let names: Vec<&str> = suites.iter().map(|(_, name)| name.as_str()).collect();
        let each = if runs.len() > 1 { " for each" } else { "" };
        let count = text::count(suites.len(), "suite");
        let words = format!("{count}{each}: {}", text::first_of(&names, 8));
        body.wrapped(&words, theme.text());
    }
    for step in &review.steps {
        let style = if step.good { theme.good() } else { theme.bad() };
        body.wrapped(&step.words, style);
    }
    if let Some((words, bad)) = crate::screens::form::view::lookup_words(&create.lookup) {
        body.wrapped(&words, if bad { theme.bad() } else { theme.warn() });
    }
    let found = create.found();
    if !found.is_empty() {
        let takes = then(context, "; ", &Action::Open, "takes one as yours");
        let words = format!("Runs of this title that are as new as the request{takes}:");
        body.wrapped(&words, theme.warn());
    }
    for (number, row) in found.iter().enumerate() {
        if review.question.focus == number {
            body.here = Some(body.lines.len()..body.lines.len() + 1);
        }
        // All have the same title.
        let at = row.edited_on.map(|at| context.now.when(at));
        let title = row.title.as_deref().unwrap_or_default();
        let line = format!("{}  {}  {title}", row.name(), at.unwrap_or_default());
        body.put(text::fit(&line, body.width), theme.text());
    }
}

/// Adds the fields of a new run; of several runs, only the fields they share.
fn new_fields(context: Context<'_>, run: &NewRun, alone: bool, body: &mut Body) {
    for (field, text) in run.texts() {
        if alone || !matches!(field, RunField::Title | RunField::Configuration) {
            body.labelled(field.label(), &value(field, &text), context.theme.text());
        }
    }
}

fn create_end(
    context: Context<'_>,
    review: &Review,
    title: &str,
    created: &Created,
) -> (String, Style) {
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
    let looks = match run.end {
        End::Unknown if review.from_form => {
            let shared = &context.cx.shared;
            shared.then_key(". ", Layer::Form, &Action::Save, "in the form looks again")
        }
        End::Unknown => my_changes(context, review, ". ", "looks again"),
        _ => String::new(),
    };
    let words = format!("{words}{found}{}{looks}", suites.unwrap_or_default());
    if created.is_complete() {
        (words, theme.good())
    } else {
        (words, theme.bad())
    }
}

/// The request as it will be sent, indented.
fn raw(review: &Review, locale: &str) -> String {
    let requests = match &review.of {
        ReviewOf::Modify(modify) => match modify.theirs.value() {
            None => return "what the service has is not here yet".into(),
            Some(opened) => match opened.document.restored(&modify.changes(), &modify.values) {
                Ok(document) => vec![WriteRequest::save(&modify.run, &document, locale)],
                Err(error) => return error.to_string(),
            },
        },
        ReviewOf::Create(create) => create.create.requests(locale),
    };
    let pretty = match &requests[..] {
        [request] => serde_json::to_string_pretty(request),
        _ => serde_json::to_string_pretty(&requests),
    };
    pretty.unwrap_or_else(|error| error.to_string())
}

/// Text of the status line: progress and open decisions that the box does not show.
pub fn status(context: Context<'_>, review: &Review) -> String {
    match &review.of {
        _ if review.sending => {
            let stops = "stops what is not sent yet, and waits for the rest";
            then(context, "", &Action::Cancel, stops)
        }
        // The box says it.
        ReviewOf::Modify(modify) if modify.is_gone() => String::new(),
        _ if review.is_unread() => {
            let reads = then(context, ": ", &Action::Refresh, "reads it");
            format!("what the service has now is not known{reads}; nothing is sent before")
        }
        ReviewOf::Modify(modify) => match modify.undecided().len() {
            0 if modify.doubt => {
                let shows = my_changes(context, review, ": ", "shows it");
                format!("the end of the save before is not known{shows}")
            }
            0 => String::new(),
            open => format!("{open} to decide before it can be saved"),
        },
        ReviewOf::Create(create) if create.create.runs.len() > 1 && !create.ends.is_empty() => {
            let made = |created: &&Created| created.run.end == End::Done;
            let made = create.ends.iter().filter(made).count();
            format!("{made} of {} created", create.create.runs.len())
        }
        ReviewOf::Create(_) => String::new(),
    }
}
