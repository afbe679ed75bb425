//! The preview of a change, its progress and result, and the journal of writes.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::text::Span;

use super::{Context, Drawn, text, widgets};
use crate::domain::{DocRef, Outcome, SuiteChange};
use crate::popups::{Confirm, JournalView, Work};
use crate::store::Plan;

/// Draws what will be sent, before anything is sent.
pub fn confirm(
    context: Context<'_>,
    confirm: &Confirm,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let theme = context.theme;
    let (title, verb, facts, then) = told(&confirm.plan);
    let size = (78, (facts.len() as u16).saturating_add(11).min(area.height));
    let inside = widgets::popup(buffer, area, size, &title, "nothing is sent yet", theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let style = |place: usize| {
        if place == 0 {
            theme.title()
        } else {
            theme.text()
        }
    };
    let mut lines: Vec<_> = facts
        .into_iter()
        .enumerate()
        .map(|(place, line)| (line, style(place)))
        .collect();
    // What was found is what there is to decide by: it comes before a long list.
    let place = match &confirm.plan {
        Plan::GoOn { .. } => 1,
        _ => lines.len(),
    };
    let warnings = confirm.warnings.iter().flat_map(|warning| {
        let wrapped = text::wrap(warning, width, 6).into_iter();
        wrapped.map(|line| (line, theme.warn()))
    });
    lines.splice(place..place, warnings);
    lines.extend(
        text::wrap(then, width, 4)
            .into_iter()
            .map(|line| (line, theme.dim())),
    );
    let room = usize::from(inside.height).saturating_sub(2);
    let last = lines.len().saturating_sub(room);
    drawn.laid.confirm = Some(u16::try_from(last).unwrap_or(u16::MAX));
    let top = usize::from(confirm.top).min(last);
    for (row, (line, style)) in lines.iter().skip(top).take(room).enumerate() {
        widgets::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(format!(" {}", text::fit(line, width)), *style)],
        );
    }
    let button = |label: String, focus: bool| {
        let style = if focus {
            theme.text().add_modifier(Modifier::REVERSED)
        } else {
            theme.text()
        };
        Span::styled(format!("[ {label} ]"), style)
    };
    let hidden = lines.len().saturating_sub(top + room);
    let more = if hidden > 0 {
        format!("   ↓ {hidden} more lines")
    } else {
        String::new()
    };
    let buttons = vec![
        Span::raw(" "),
        button("Cancel".into(), !confirm.on_do),
        Span::raw("   "),
        button(verb, confirm.on_do),
        Span::styled(format!("   Tab{more}"), theme.dim()),
    ];
    widgets::line(buffer, inside, inside.height - 1, buttons);
}

/// Of a plan: title, the word on the button, what will be sent, what is done afterwards.
fn told(plan: &Plan) -> (String, String, Vec<String>, &'static str) {
    match plan {
        Plan::Suites(change) => {
            let (verb, then) = if change.adds {
                (
                    "Add",
                    "Then the service is read: none of them may be free any more.",
                )
            } else {
                (
                    "Remove",
                    "Then the service is read: each must be free again, and the count lower by as many.",
                )
            };
            let mut facts = vec![
                format!("{}   {}", change.method(), change.run_name),
                format!("testRunDocRef    {}", change.run),
                format!(
                    "testSuiteDocRefs {} in {}",
                    count(change.suites.len()),
                    requests(change)
                ),
            ];
            facts.extend(
                change
                    .suites
                    .iter()
                    .map(|(suite, name)| format!("  {suite}  {name}")),
            );
            (
                format!("{verb}: what will be sent"),
                format!("{verb} {}", count(change.suites.len())),
                facts,
                then,
            )
        }
        Plan::GoOn { change, .. } => {
            let (verb, into) = if change.adds {
                ("Add", "to")
            } else {
                ("Remove", "from")
            };
            let what = format!("{verb} {}", count(change.suites.len()));
            let mut facts = vec![format!("{what} {into} {}", change.run_name)];
            facts.extend(change.suites.iter().map(|(_, name)| format!("  {name}")));
            (
                "Go on: what is left".into(),
                what,
                facts,
                "Checked afterwards.",
            )
        }
        Plan::LetBe { .. } => (
            "Not known whether it was done".into(),
            "Ask no more".into(),
            vec!["Look for it yourself, or read again later: Esc, then Enter in @.".into()],
            "Nothing is sent; it stays in @.",
        ),
        Plan::Probe(probe) => {
            let run = &probe.run;
            let facts = vec![
                "ADD_DOCUMENT     an empty run".into(),
                format!("  Title          {}", run.title),
                format!(
                    "  scope          {} / {} / {}",
                    run.project_id,
                    run.subproject_id.as_deref().unwrap_or("_"),
                    run.project_version
                ),
                "GET_AVAILABLE_TEST_SUITES of it, CHECK_TEST_RUN_EMPTY before and after".into(),
                "DELETE_TEST_RUN  the same run".into(),
            ];
            let then = "What is free on the probe and not free here is in this run.";
            (
                "Probe: what will be sent".into(),
                "Make the probe run".into(),
                facts,
                then,
            )
        }
        Plan::DiscardDraft => {
            let facts = vec!["The form is closed and its draft goes.".into()];
            ("Discard the draft".into(), "Discard it".into(), facts, "")
        }
        Plan::DeleteProbes(runs) => {
            let mut facts = vec!["CHECK_TEST_RUN_EMPTY, then DELETE_TEST_RUN".to_owned()];
            facts.extend(runs.iter().map(|run| format!("  {run}")));
            let verb = format!("Delete {} probe run(s)", runs.len());
            (
                "Delete left probe runs: what will be sent".into(),
                verb,
                facts,
                "The journal shows what came of it.",
            )
        }
    }
}

fn count(suites: usize) -> String {
    if suites == 1 {
        "1 suite".into()
    } else {
        format!("{suites} suites")
    }
}

fn requests(change: &SuiteChange) -> String {
    match change.requests() {
        1 => "1 request".into(),
        more => format!("{more} requests of at most {}", SuiteChange::CHUNK),
    }
}

/// Draws how a change goes and what came of it.
pub fn work(context: Context<'_>, work: &Work, area: Rect, buffer: &mut Buffer) {
    let theme = context.theme;
    let verb = if work.change.adds {
        "Adding"
    } else {
        "Removing"
    };
    let title = format!("{verb} {}", count(work.change.suites.len()));
    let size = (
        78,
        (work.steps.len() as u16 * 2)
            .saturating_add(12)
            .min(area.height),
    );
    let inside = widgets::popup(buffer, area, size, &title, &work.change.run_name, theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let mut steps = Vec::new();
    // What came of a single request is said below.
    for step in work.steps.iter().filter(|_| work.change.requests() > 1) {
        let (sign, style) = if step.good {
            ("ok ", theme.good())
        } else {
            ("!! ", theme.bad())
        };
        for (place, line) in text::wrap(&step.words, width.saturating_sub(3), 6)
            .into_iter()
            .enumerate()
        {
            steps.push((
                format!("{}{line}", if place == 0 { sign } else { "   " }),
                style,
            ));
        }
    }
    let end = match &work.outcome {
        None => vec![(
            "under way; Ctrl-c stops before the next request".to_owned(),
            theme.warn(),
        )],
        Some(outcome) => verdict(context, work, outcome, width),
    };
    // What came of it is always seen; of the requests the last ones, as far as there is room.
    let room = usize::from(inside.height).saturating_sub(1);
    let hidden = (steps.len() + end.len())
        .saturating_sub(room)
        .min(steps.len());
    for (row, (line, style)) in steps
        .into_iter()
        .skip(hidden)
        .chain(end)
        .take(room)
        .enumerate()
    {
        widgets::line(
            buffer,
            inside,
            row as u16,
            vec![Span::styled(format!(" {line}"), style)],
        );
    }
    let hint = " Enter closes the box; @ shows the journal";
    widgets::line(
        buffer,
        inside,
        inside.height - 1,
        vec![Span::styled(hint, theme.dim())],
    );
}

/// What a change has come to, in lines: the verdict, then what is still marked.
fn verdict(
    context: Context<'_>,
    work: &Work,
    outcome: &Outcome,
    width: usize,
) -> Vec<(String, Style)> {
    const NAMED: usize = 5;
    let theme = context.theme;
    let words = outcome.words(work.change.deed());
    let style = if outcome.is_whole() {
        theme.good()
    } else {
        theme.bad()
    };
    let mut lines: Vec<_> = text::wrap(&words, width, 5)
        .into_iter()
        .map(|line| (line, style))
        .collect();
    let left = outcome.other_parts();
    if !left.is_empty() {
        let name = |suite: &DocRef| {
            let named = work.change.suites.iter().find(|(known, _)| known == suite);
            named.map_or_else(|| suite.to_string(), |(_, name)| name.clone())
        };
        let mut names: Vec<String> = left.iter().take(NAMED).map(name).collect();
        if left.len() > NAMED {
            names.push(format!("and {} more", left.len() - NAMED));
        }
        let words = format!(
            "Not done, or not known to be; still marked: {}",
            names.join(", ")
        );
        lines.extend(
            text::wrap(&words, width, 4)
                .into_iter()
                .map(|line| (line, theme.warn())),
        );
    }
    lines
}

/// Draws the journal: the writes, newest first, and the one under the cursor in full.
pub fn journal(
    context: Context<'_>,
    journal: &JournalView,
    area: Rect,
    buffer: &mut Buffer,
    drawn: &mut Drawn,
) {
    let theme = context.theme;
    let shown = journal.shown();
    let all = journal.page.value().map_or(0, |page| page.lines.len());
    let right = format!("{} of {all}", shown.len());
    let inside = widgets::popup(
        buffer,
        area,
        (area.width, area.height),
        "Journal of writes, newest first",
        &right,
        theme,
    );
    widgets::line(
        buffer,
        inside,
        0,
        vec![Span::styled(" filter ", theme.key())],
    );
    let field = Rect {
        x: inside.x + 8,
        width: inside.width.saturating_sub(9),
        height: 1,
        ..inside
    };
    widgets::field(buffer, field, &journal.text, true, theme);
    let width = usize::from(inside.width).saturating_sub(2);
    let problem = journal.page.value().and_then(|page| page.problem.clone());
    let failure = journal
        .page
        .failure()
        .map(|failure| format!("{} {}", failure.came_back, failure.remedy));
    let problem = failure
        .or(problem)
        .map(|words| text::wrap(&words, width, 3))
        .unwrap_or_default();
    for (row, line) in problem.iter().enumerate() {
        widgets::line(
            buffer,
            inside,
            1 + row as u16,
            vec![Span::styled(format!(" {line}"), theme.bad())],
        );
    }
    let above = 1 + problem.len() as u16;
    let below = (inside.height / 2).min(16);
    let list = Rect {
        y: inside.y + above,
        height: inside.height.saturating_sub(below + above),
        ..inside
    };
    drawn.laid.journal = Some(list.height);
    if shown.is_empty() {
        let words = match (journal.page.is_reading(), journal.page.value()) {
            (true, _) => "reading",
            (false, None) => "nothing could be read",
            (false, Some(page)) if page.lines.is_empty() => "nothing was written from here yet",
            (false, Some(_)) => "no write matches",
        };
        widgets::line(
            buffer,
            list,
            0,
            vec![Span::styled(format!(" {words}"), theme.dim())],
        );
        return;
    }
    for row in 0..list.height {
        let index = journal.scroll.top + u64::from(row);
        let Some(line) = shown.get(index as usize) else {
            break;
        };
        let mut left = context.store.cx.shared.unfinished.iter();
        let left = left.any(|change| change.write == line.write);
        let state = if left && line.good {
            "end not known"
        } else {
            &line.state
        };
        let state = text::pad(state, 24);
        let good = line.good && !left;
        let style = if good { theme.good() } else { theme.bad() };
        // Method and run come first: they are what a narrow row has room for.
        let (id, title) = line.run.split_once(' ').unwrap_or((&line.run, ""));
        let named = id.starts_with("R_");
        let what = match (named, title.is_empty()) {
            (true, true) => format!("{id}  {}", line.what),
            (true, false) => format!("{id}  {}  ({title})", line.what),
            (false, _) => line.what.clone(),
        };
        let spans = vec![
            Span::raw(format!(" {}  ", context.now.moment(line.at))),
            Span::styled(state, style),
            Span::raw(format!(" {}", text::pad(&what, width.saturating_sub(42)))),
        ];
        widgets::line(buffer, list, row, spans);
        widgets::cursor(buffer, list, row, index == journal.scroll.cursor, theme);
    }
    let Some(line) = shown.get(journal.scroll.cursor as usize) else {
        return;
    };
    let whole = Rect {
        y: list.bottom(),
        height: below,
        ..inside
    };
    widgets::line(
        buffer,
        whole,
        0,
        vec![Span::styled(
            format!(" ── {}", context.now.moment(line.at)),
            theme.dim(),
        )],
    );
    let mut left = context.store.cx.shared.unfinished.iter();
    let left = left.find(|change| change.write == line.write);
    let left = left.map(|change| format!("{}. Enter reads what is left.", change.words));
    let lines = left
        .iter()
        .chain(&line.detail)
        .flat_map(|line| text::wrap(line, width, 8));
    for (row, line) in lines.take(usize::from(below).saturating_sub(1)).enumerate() {
        widgets::line(
            buffer,
            whole,
            row as u16 + 1,
            vec![Span::raw(format!(" {line}"))],
        );
    }
}
