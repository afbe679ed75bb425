//! One run: fields, results, attachments; side by side where there is room, one part at a time where there is not.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

use crate::domain::fields::{self as run, Field};
use crate::domain::{Attachment, Document, ResultCode, RunRow, Status};
use crate::forecast::Settings;
use crate::screens::run::{Detail, PARTS};
use crate::store::Remote;
use crate::ui::layout::Layout;
use crate::ui::{Context, bar, chart, counts, fields, frame, text};

/// Columns of the labels.
const LABEL: usize = 15;
/// Parts that share a place where there is little room.
const FIELDS: usize = 0;
const BURN_UP: usize = 4;
/// Rows from which on the burn-up has a place below the fields.
const ROOM_FOR_CHART: u16 = 34;
/// Lines of a description that are kept for scrolling.
const LONGEST: usize = 5_000;
/// Lines of testers at most.
const TESTERS: usize = 20;

/// Draws the screen.
pub fn draw(
    context: Context<'_>,
    detail: &Detail,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    if area.width >= 100 && area.height >= 18 {
        let right = (area.width * 2 / 5).min(60);
        let tall = area.height >= ROOM_FOR_CHART;
        let chart = if tall { area.height * 2 / 5 } else { 0 };
        let left = Rect {
            width: area.width - right,
            height: area.height - chart,
            ..area
        };
        let results = Rect {
            x: left.right(),
            width: right,
            height: 21.min(area.height - 8),
            ..area
        };
        let below = area.height - results.height;
        let attachments = Rect {
            y: results.bottom(),
            height: below / 2,
            ..results
        };
        let suites = Rect {
            y: attachments.bottom(),
            height: below - attachments.height,
            ..results
        };
        for (part, place) in [left, results, attachments, suites].into_iter().enumerate() {
            // Where the chart has no place of its own it takes that of the fields.
            let part = if part == FIELDS && !tall && detail.part == BURN_UP {
                BURN_UP
            } else {
                part
            };
            draw_part(context, detail, part, place, buffer, layout);
        }
        if tall {
            let below = Rect {
                y: left.bottom(),
                height: chart,
                ..left
            };
            draw_part(context, detail, BURN_UP, below, buffer, layout);
        }
    } else {
        let tabs = PARTS.iter().enumerate().map(|(part, name)| {
            let words = format!(" {} {name} ", part + 1);
            if part == detail.part {
                Span::styled(format!("[{}]", words.trim()), context.theme.accent())
            } else {
                Span::styled(words, context.theme.muted())
            }
        });
        frame::line(buffer, area, 0, tabs.collect());
        let place = Rect {
            y: area.y + 1,
            height: area.height - 1,
            ..area
        };
        draw_part(context, detail, detail.part, place, buffer, layout);
    }
}

fn draw_part(
    context: Context<'_>,
    detail: &Detail,
    part: usize,
    area: Rect,
    buffer: &mut Buffer,
    layout: &mut Layout,
) {
    let columns = usize::from(area.width.saturating_sub(4));
    let (lines, right) = match part {
        0 => fields_part(context, detail, columns),
        1 => results_part(context, detail, columns),
        2 => attachments_part(context, detail, columns),
        BURN_UP => burn_up_part(
            context,
            detail,
            columns,
            usize::from(area.height.saturating_sub(2)),
        ),
        _ => suites_part(context, detail, columns),
    };
    let height = area.height.saturating_sub(2);
    let last = (lines.len() as u16).saturating_sub(height);
    let top = detail.tops[part].min(last);
    let right = if last > 0 {
        format!("{right}  {}-{} of {}", top + 1, top + height, lines.len())
    } else {
        right
    };
    let inside = frame::pane(
        buffer,
        area,
        PARTS[part],
        right.trim(),
        context.theme,
        part == detail.part,
    );
    for (row, line) in lines
        .into_iter()
        .skip(usize::from(top))
        .take(usize::from(height))
        .enumerate()
    {
        buffer.set_line(
            inside.x + 1,
            inside.y + row as u16,
            &line,
            inside.width.saturating_sub(1),
        );
    }
    layout.last_tops[part] = Some(last);
    if part == detail.part {
        layout.part = Some(height);
    }
}

/// How a remote value stands, for the title of a part.
fn read_words<T>(remote: &Remote<T>, context: Context<'_>) -> String {
    match (remote.is_reading(), remote.failure(), remote.read_at()) {
        (true, _, None) => "reading".into(),
        (true, _, Some(at)) => format!("read {}, reading again", context.now.clock(at)),
        (false, Some(_), Some(at)) => format!("old: read {}, then failed", context.now.clock(at)),
        (false, Some(_), None) => "not read".into(),
        (false, None, Some(at)) => format!("read {}", context.now.clock(at)),
        (false, None, None) => "given up".into(),
    }
}

fn labelled(
    context: Context<'_>,
    lines: &mut Vec<Line<'static>>,
    label: &str,
    value: &str,
    columns: usize,
) {
    let room = columns.saturating_sub(LABEL).max(12);
    let wrapped = text::wrap(value, room, LONGEST);
    for (place, piece) in wrapped.into_iter().enumerate() {
        let label = if place == 0 { label } else { "" };
        lines.push(Line::from(vec![
            Span::styled(text::pad(label, LABEL), context.theme.muted()),
            Span::raw(piece),
        ]));
    }
}

fn note(context: Context<'_>, lines: &mut Vec<Line<'static>>, words: &str, columns: usize) {
    lines.extend(
        text::wrap(words, columns, 20)
            .into_iter()
            .map(|line| Line::styled(line, context.theme.muted())),
    );
}

fn fields_part(
    context: Context<'_>,
    detail: &Detail,
    columns: usize,
) -> (Vec<Line<'static>>, String) {
    let mut lines = Vec::new();
    if let Some(failure) = detail.document.failure() {
        for line in fields::failure(failure, columns) {
            lines.push(Line::styled(line, context.theme.bad()));
        }
        lines.push(Line::default());
    }
    match (detail.document.value(), &detail.row) {
        (Some(opened), _) => document_fields(context, &opened.document, &mut lines, columns),
        (None, Some((row, at))) => {
            row_fields(context, row, &mut lines, columns);
            let words = format!(
                "from the list read {}; the document is not here yet",
                context.now.clock(*at)
            );
            note(context, &mut lines, &words, columns);
        }
        (None, None) => note(
            context,
            &mut lines,
            "nothing is known of this run yet",
            columns,
        ),
    }
    (lines, read_words(&detail.document, context))
}

fn row_fields(context: Context<'_>, row: &RunRow, lines: &mut Vec<Line<'static>>, columns: usize) {
    let of = |field: &Field| (field.label, field.words(row, None));
    for (label, value) in [
        of(&run::TITLE),
        of(&run::ID),
        (run::PROJECT.label, fields::scope(row)),
        of(&run::STATUS),
        of(&run::CONFIGURATION),
        (run::EDITED.label, fields::edited(row, context.now)),
    ] {
        labelled(context, lines, label, &value, columns);
    }
}

fn document_fields(
    context: Context<'_>,
    document: &Document,
    lines: &mut Vec<Line<'static>>,
    columns: usize,
) {
    let value = |field: &Field| match field.text(document) {
        Some(empty) if empty.is_empty() => "(empty)".to_owned(),
        Some(text) => text,
        None => "-".to_owned(),
    };
    let of = |field: &Field| (field.label, value(field));
    let meta = |name: &str| document.meta(name).unwrap_or_else(|| "null".into());
    let event = |at: &Field, by: &Field| {
        let (at_text, by) = (at.text(document), by.text(document));
        let words = fields::event(at_text.as_deref(), by.as_deref(), context.now);
        (at.label, words)
    };
    let (id, technical) = (value(&run::ID), value(&run::TECHNICAL_ID));
    let (project, tenant) = (value(&run::PROJECT), value(&run::TENANT));
    let mut subproject = value(&run::SUBPROJECT);
    if subproject == "_" {
        subproject.push_str(" (no sub project)");
    }
    let status = match Status::from_text(run::STATUS.text(document).as_deref()) {
        Status::Active => "active: suites can be added and removed".into(),
        Status::Inactive => "CLOSED (inactive): suites can be neither listed nor changed".into(),
        other => other.to_string(),
    };
    let mut all = vec![
        of(&run::TITLE),
        (run::ID.label, format!("{id}  TechnicalId {technical}")),
        (run::PROJECT.label, format!("{project}  tenant {tenant}")),
        (run::SUBPROJECT.label, subproject),
        of(&run::VERSION),
        (run::STATUS.label, status),
        of(&run::CONFIGURATION),
        of(&run::DESCRIPTION),
        event(&run::CREATED, &run::CREATED_BY),
        event(&run::EDITED, &run::EDITED_BY),
        event(&run::CLOSED, &run::CLOSED_BY),
        ("Attachments", Attachment::of(document).len().to_string()),
        ("", String::new()),
        ("docRef", document.doc_ref().to_string()),
        (
            "Record",
            format!("created {} by {}", meta("createdAt"), meta("creator")),
        ),
        (
            "",
            format!("modified {} by {}", meta("modifiedAt"), meta("modifier")),
        ),
        (
            "Model",
            format!(
                "{}, version {}",
                meta("modelReference"),
                meta("modelVersion")
            ),
        ),
    ];
    let unknown = unknown_fields(document);
    if !unknown.is_empty() {
        let (number, names) = (unknown.len(), unknown.join(", "));
        let words = format!("{number} more: {names} (i shows them)");
        all.push(("Other fields", words));
    }
    for (label, value) in all {
        labelled(context, lines, label, &value, columns);
    }
}

/// Members of `Root.General` and `Root` that the document of the interface does not name.
fn unknown_fields(document: &Document) -> Vec<String> {
    const ROOT: [&str; 4] = ["General", "Metadata", "Attachments", "DisplayFields"];
    let names = |path: &str, is_known: &dyn Fn(&str) -> bool| -> Vec<String> {
        let attached = document.at(path).and_then(serde_json::Value::as_object);
        let names = attached.into_iter().flat_map(serde_json::Map::keys);
        names.filter(|name| !is_known(name)).cloned().collect()
    };
    let general = run::ALL.iter().map(|field| field.in_general());
    let mut unknown = names("Root.General", &|name| {
        general.clone().any(|known| known == Some(name))
    });
    unknown.extend(names("Root", &|name| ROOT.contains(&name)));
    unknown
}

fn results_part(
    context: Context<'_>,
    detail: &Detail,
    columns: usize,
) -> (Vec<Line<'static>>, String) {
    let mut lines = Vec::new();
    if let Some(failure) = detail.counts.failure() {
        lines.extend(
            fields::failure(failure, columns)
                .into_iter()
                .map(|line| Line::styled(line, context.theme.bad())),
        );
    }
    let Some((row, at)) = detail.counted() else {
        note(
            context,
            &mut lines,
            "no counts: only LIST_TEST_RUNS brings them",
            columns,
        );
        return (lines, read_words(&detail.counts, context));
    };
    let right = if row.results.is_some() {
        format!("counted {}", context.now.clock(at))
    } else {
        String::new()
    };
    let Some(counts) = &row.results else {
        note(
            context,
            &mut lines,
            "The service sent no counts: only LIST_TEST_RUNS brings them.",
            columns,
        );
        return (lines, right);
    };
    let total = counts.total();
    lines.push(Line::from(bar::spans(counts, columns, context.theme)));
    let widest = columns.saturating_sub(32);
    for code in ResultCode::BAR {
        let count = counts.get(code);
        let share = if total == 0 {
            0
        } else {
            (u128::from(count) * widest as u128).div_ceil(u128::from(total)) as usize
        };
        let style = if count == 0 {
            context.theme.muted()
        } else {
            context.theme.text()
        };
        lines.push(Line::from(vec![
            Span::styled(
                format!(
                    "{:>2} {} {}",
                    code.number(),
                    text::pad(code.label(), 18),
                    text::pad_left(&count.to_string(), 7)
                ),
                style,
            ),
            Span::raw(" "),
            Span::styled(
                code.letter().to_string().repeat(share.min(widest)),
                bar::style_of(code, context.theme),
            ),
        ]));
    }
    for (code, label, count) in &counts.others {
        lines.push(Line::raw(text::fit(
            &format!("code {code} {label} {count} (not named by the interface)"),
            columns,
        )));
    }
    let of = |field: &Field| field.words(row, None);
    lines.push(Line::raw(counts::left(
        counts,
        context.cx.shared.done_codes(),
    )));
    note(
        context,
        &mut lines,
        &what_is_left(context.cx.shared.done_codes()),
        columns,
    );
    let (progress, suites) = (of(&run::PROGRESS), of(&run::SUITES));
    lines.push(Line::raw(format!("Progress {progress} by the service")));
    lines.push(Line::raw(format!("Suites {suites} by TestSuiteCount")));
    if let Some(cases) = &row.cases_with_tester {
        lines.push(Line::raw(text::fit(
            &format!("TestCasesWithTester {cases}"),
            columns,
        )));
    }
    if !row.testers.is_empty() {
        // However many there are, no more is laid out than there is room for: a character takes four bytes at most.
        let mut room = TESTERS * columns * 4;
        let fit = row.testers.iter().take_while(|name| {
            let fits = room > 0;
            room = room.saturating_sub(name.len());
            fits
        });
        let names: Vec<&str> = fit.map(String::as_str).collect();
        let words = format!("TestersOfTestCases: {}", names.join(", "));
        lines.extend(
            text::wrap(&words, columns, TESTERS)
                .into_iter()
                .map(Line::raw),
        );
    }
    (lines, right)
}

/// Which cases are called left.
fn what_is_left(done: &[ResultCode]) -> String {
    if done == Settings::DONE {
        return "left: all but passed, failed and skipped".into();
    }
    let codes: Vec<String> = done.iter().map(|code| code.number().to_string()).collect();
    format!(
        "left: all but codes {} (done_codes of the config)",
        codes.join(", ")
    )
}

/// What the samples tell: the chart as far as there is room, and always the words.
fn burn_up_part(
    context: Context<'_>,
    detail: &Detail,
    columns: usize,
    height: usize,
) -> (Vec<Line<'static>>, String) {
    let Some(history) = detail.history.value() else {
        let mut lines = Vec::new();
        note(
            context,
            &mut lines,
            &chart::missing(detail.history.failure()),
            columns,
        );
        return (lines, String::new());
    };
    let words: Vec<String> = chart::words(context, history)
        .iter()
        .flat_map(|words| text::wrap(words, columns, 4))
        .collect();
    let mut lines = chart::burn_up(
        context,
        history,
        columns,
        height.saturating_sub(words.len()),
    );
    lines.extend(words.into_iter().map(Line::raw));
    let samples = if history.samples == 1 {
        "sample"
    } else {
        "samples"
    };
    (lines, format!("{} {samples}", history.samples))
}

/// The suites in the run, if they have been worked out; else how to have that done.
fn suites_part(
    context: Context<'_>,
    detail: &Detail,
    columns: usize,
) -> (Vec<Line<'static>>, String) {
    let mut lines = Vec::new();
    let known = context.attached.filter(|(run, _)| **run == detail.doc_ref);
    let Some((_, attached)) = known else {
        let count = detail.counted().and_then(|(row, _)| row.suite_count);
        let count = count.map_or("not known".into(), |count| {
            format!("{count} by TestSuiteCount")
        });
        note(
            context,
            &mut lines,
            &format!("{count}. No operation lists them: s works them out, a adds more."),
            columns,
        );
        return (lines, String::new());
    };
    let clock = |at: i64| context.now.when(at);
    lines.extend(
        text::wrap(&attached.headline(&clock), columns, 3)
            .into_iter()
            .map(Line::raw),
    );
    for named in &attached.named {
        let row = named.row.as_ref();
        let name = row.map_or_else(
            || named.suite.to_string(),
            |row| format!("{} {}", row.name(), row.title.as_deref().unwrap_or("-")),
        );
        let words = text::pad(&name, columns.saturating_sub(6));
        lines.push(Line::from(vec![
            Span::raw(words),
            Span::styled(format!(" {}", named.trust.word()), context.theme.muted()),
        ]));
    }
    if let Some(words) = attached.unknown_row() {
        note(context, &mut lines, &words, columns);
    }
    note(context, &mut lines, "s shows how each is known", columns);
    (lines, attached.short())
}

fn attachments_part(
    context: Context<'_>,
    detail: &Detail,
    columns: usize,
) -> (Vec<Line<'static>>, String) {
    let mut lines = Vec::new();
    let Some(opened) = detail.document.value() else {
        note(context, &mut lines, "not here yet", columns);
        return (lines, String::new());
    };
    let attachments = Attachment::of(&opened.document);
    for attachment in &attachments {
        let name = attachment.file_name.as_deref().unwrap_or("(no FileName)");
        let size = attachment.size.map_or("size not given".into(), text::bytes);
        let kind = attachment.mime_type.as_deref().unwrap_or("type not given");
        lines.push(Line::raw(text::fit(name, columns)));
        note(context, &mut lines, &format!("  {size}, {kind}"), columns);
        let by = attachment.upload_by.as_deref().unwrap_or("-");
        let on = attachment
            .created_at
            .as_deref()
            .or(attachment.upload_on.as_deref())
            .unwrap_or("-");
        let mut more = format!("  uploaded {on} by {by}");
        if attachment
            .original_file_name
            .as_deref()
            .is_some_and(|original| original != name)
        {
            more = format!(
                "{more}, was {}",
                attachment.original_file_name.as_deref().unwrap_or_default()
            );
        }
        if let Some(copy) = attachment.copy_number {
            more = format!("{more}, copy {copy}");
        }
        if attachment.referenced == Some(false) {
            more.push_str(", not referenced");
        }
        note(context, &mut lines, &more, columns);
    }
    let words = if attachments.is_empty() {
        "none"
    } else {
        "Names only: the interface has no operation that brings the content."
    };
    note(context, &mut lines, words, columns);
    (lines, attachments.len().to_string())
}
