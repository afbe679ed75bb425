//! What changed, in few columns and in a line.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::ResultCode;
use crate::domain::diff::{Change, News};
use crate::store::feed::{Entry, What};
use crate::ui::{Context, text};

/// The order in which counts are told where there is no room for all: what somebody must look at first.
const BY_IMPORTANCE: [ResultCode; 11] = [
    ResultCode::FailedNew,
    ResultCode::Passed,
    ResultCode::FailedKnown,
    ResultCode::Blocked,
    ResultCode::Retest,
    ResultCode::Customer,
    ResultCode::OnHoldExternal,
    ResultCode::OnHoldInternal,
    ResultCode::Skipped,
    ResultCode::InProgress,
    ResultCode::Untested,
];

/// New failures stand out.
pub fn style(context: Context<'_>, changes: &[Change]) -> Style {
    if changes.iter().any(fails) {
        context.theme.bad()
    } else {
        context.theme.warn()
    }
}

/// Changes in few columns: as many as fit whole, such as `+1F +3P -4U`, then the names of other fields.
pub fn short(changes: &[Change], width: usize) -> String {
    let mut out = String::new();
    let mut left_out = false;
    for word in words(changes) {
        let gap = usize::from(!out.is_empty());
        if text::width(&out) + gap + text::width(&word) <= width {
            out.push_str(if gap > 0 { " " } else { "" });
            out.push_str(&word);
        } else {
            left_out = true;
            break;
        }
    }
    match (out.is_empty(), left_out) {
        (true, _) => text::fit(&words(changes).concat(), width),
        (false, true) if text::width(&out) + 1 < width => format!("{out} …"),
        _ => out,
    }
}

/// The last name of a field path in lower case words: `test cases with tester`.
fn in_words(path: &str) -> String {
    let mut words = String::new();
    for c in path.rsplit('.').next().unwrap_or(path).chars() {
        if c.is_uppercase() && words.ends_with(char::is_lowercase) {
            words.push(' ');
        }
        words.extend(c.to_lowercase());
    }
    words
}

fn words(changes: &[Change]) -> Vec<String> {
    let mut counts: Vec<(bool, usize, String)> = Vec::new();
    let mut others = Vec::new();
    for change in changes {
        match change {
            Change::Count {
                code,
                before,
                after,
                ..
            } => {
                let known = ResultCode::parse(code);
                let place =
                    known.and_then(|code| BY_IMPORTANCE.iter().position(|other| *other == code));
                let sign = if after > before { '+' } else { '-' };
                let letter = known.map_or('?', ResultCode::letter);
                let word = format!("{sign}{}{letter}", after.abs_diff(*before));
                counts.push((after < before, place.unwrap_or(BY_IMPORTANCE.len()), word));
            }
            Change::Closed => others.push("closed".to_owned()),
            Change::Reopened => others.push("reopened".to_owned()),
            Change::Suites { .. } => others.push("suites".to_owned()),
            Change::Testers { .. } => others.push("testers".to_owned()),
            // It follows from the counts, by a formula that is not documented.
            Change::Progress { .. } => {}
            Change::Text { path, .. } => others.push(in_words(path)),
            Change::Other { path } => others.push(in_words(path)),
        }
    }
    counts.sort();
    let mut words: Vec<String> = counts.into_iter().map(|(_, _, word)| word).collect();
    words.extend(others);
    if words.is_empty() {
        words.push("progress".to_owned());
    }
    words
}

/// One line: when, which run, what; those that nobody looked at stand out and have a dot.
pub fn line(context: Context<'_>, entry: &Entry, width: usize) -> Vec<Span<'static>> {
    let theme = context.theme;
    let unread = entry
        .run
        .as_ref()
        .is_some_and(|run| !entry.looked_at && context.cx.shared.feed.is_unread(run));
    let head = format!(
        " {} {}{} ",
        context.now.clock(entry.at),
        if unread { "•" } else { " " },
        text::pad(&entry.name, 6)
    );
    let style = match &entry.what {
        What::Told { bad: true, .. } => theme.bad(),
        What::News(News::Changed { changes, .. }) if changes.iter().any(fails) => theme.bad(),
        _ if unread => theme.warn(),
        _ => theme.text(),
    };
    let room = width.saturating_sub(text::width(&head));
    vec![
        Span::styled(head, theme.muted()),
        Span::styled(text::fit(&entry.what.to_string(), room), style),
    ]
}

/// One line of what failed or was blocked, or what else somebody must look at: when, which run (with its title where there
/// is room for it), what; nothing for all else.
pub fn failures(
    context: Context<'_>,
    when: &str,
    entry: &Entry,
    title: Option<&str>,
) -> Option<Vec<Span<'static>>> {
    let theme = context.theme;
    let (words, style) = match &entry.what {
        What::News(News::Changed { changes, .. }) => {
            return worse(context, when, &entry.name, changes, title);
        }
        What::Told { words, bad: true } => (words, theme.bad()),
        // About the service, good news matter as well.
        What::Told { words, bad: false } if entry.run.is_none() => (words, theme.text()),
        What::Told { bad: false, .. } | What::News(_) | What::Left => return None,
    };
    Some(told(context, when, &entry.name, title, words, style))
}

/// The same of changes of a run: those by which more cases have failed or are blocked.
pub fn worse(
    context: Context<'_>,
    when: &str,
    name: &str,
    changes: &[Change],
    title: Option<&str>,
) -> Option<Vec<Span<'static>>> {
    let words: Vec<String> = changes.iter().filter_map(more).collect();
    let words = words.join(", ");
    let line = || told(context, when, name, title, &words, style(context, changes));
    (!words.is_empty()).then(line)
}

fn told(
    context: Context<'_>,
    when: &str,
    name: &str,
    title: Option<&str>,
    words: &str,
    style: Style,
) -> Vec<Span<'static>> {
    let mut head = format!("  {when}  {} ", text::pad(name, 6));
    if let Some(title) = title {
        head += &text::pad(title, 38);
        head += "  ";
    }
    vec![
        Span::styled(head, context.theme.text()),
        Span::styled(text::cells(words).into_owned(), style),
    ]
}

/// More cases that have failed or are blocked: `1 failed (new): 9 → 10`.
fn more(change: &Change) -> Option<String> {
    let Change::Count {
        code,
        before,
        after,
        ..
    } = change
    else {
        return None;
    };
    let code = ResultCode::parse(code)?;
    let bad = ResultCode::FAILED.contains(&code) || ResultCode::BLOCKED.contains(&code);
    let more = after.checked_sub(*before).filter(|more| bad && *more > 0)?;
    let label = code.label().to_lowercase();
    Some(format!("{more} {label}: {before} → {after}"))
}

fn fails(change: &Change) -> bool {
    matches!(change, Change::Count { code, before, after, .. }
        if after > before && ResultCode::parse(code) == Some(ResultCode::FailedNew))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(code: u8, before: u64, after: u64) -> Change {
        Change::Count {
            code: code.to_string(),
            label: String::new(),
            before,
            after,
        }
    }

    #[test]
    fn few_columns_hold_what_matters_most_and_no_cut_number() {
        let changes = [count(1, 36, 32), count(2, 54, 57), count(5, 20, 21)];
        assert_eq!(short(&changes, 20), "+1F +3P -4U");
        assert_eq!(short(&changes, 10), "+1F +3P …");
        assert_eq!(short(&changes, 8), "+1F +3P");
        assert_eq!(short(&changes, 3), "+1F");
        assert_eq!(short(&[count(2, 0, 1_234_567)], 6), "+1234…");
        assert_eq!(short(&[count(99, 1, 0), Change::Closed], 12), "-1? closed");
        assert_eq!(
            short(
                &[Change::Progress {
                    before: 1,
                    after: 2
                }],
                8
            ),
            "progress"
        );
        let title = Change::Text {
            path: "Root.General.Title",
            before: None,
            after: Some("x".into()),
        };
        assert_eq!(
            short(
                &[
                    title,
                    Change::Suites {
                        before: 1,
                        after: 2
                    }
                ],
                8
            ),
            "title …"
        );
    }
}
