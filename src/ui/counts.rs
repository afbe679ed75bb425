//! Counts of a run in words, and their increase since the reading before today.

use ratatui::prelude::{Span, Style};

use crate::domain::release::ReleaseSums;
use crate::domain::{DocRef, ResultCode, ResultCounts};
use crate::ui::{Cell, Context, text};

/// Returns a number: a dot for zero, a dash if it is unknown.
pub fn number(number: Option<u64>) -> String {
    match number {
        None => "-".into(),
        Some(0) => "·".into(),
        Some(number) => number.to_string(),
    }
}

/// Returns the same in so many columns: in thousands or more where it has no room, as `123k`, for a cut number is another.
pub fn number_within(of: Option<u64>, columns: usize) -> String {
    let whole = number(of);
    let shorter = [(1_000, 'k'), (1_000_000, 'M'), (1_000_000_000, 'G')];
    let shorter = shorter.map(|(by, sign)| of.map(|of| format!("{}{sign}", of / by)));
    let mut all = std::iter::once(whole).chain(shorter.into_iter().flatten());
    all.find(|words| text::width(words) <= columns)
        .unwrap_or_default()
}

/// Returns a number right-aligned below its heading of so many columns, and the increase after it, as in `13 +1`, each
/// in its style; both together are as wide as the column.
pub fn with_more(
    number: &str,
    more: Option<u64>,
    heading: usize,
    width: usize,
    styles: [Style; 2],
) -> Cell<'static> {
    let beside = width.saturating_sub(text::width(number));
    let more = match more {
        None | Some(0) => String::new(),
        // A number that is cut would be another one.
        Some(more) => [format!(" +{more}"), format!("+{more}")]
            .into_iter()
            .find(|more| text::width(more) <= beside)
            .unwrap_or_default(),
    };
    let room = width
        .saturating_sub(heading)
        .max(text::width(&more))
        .min(beside);
    let words = [text::pad_left(number, width - room), text::pad(&more, room)];
    Cell::Spans(
        words
            .into_iter()
            .zip(styles)
            .map(|(words, style)| Span::styled(words, style))
            .collect(),
    )
}

/// Returns the beginning of the increase in these runs: `today`, else `since Thu`; `None` if no run has an earlier
/// reading.
pub fn since<'a>(
    context: Context<'_>,
    runs: impl IntoIterator<Item = &'a DocRef>,
) -> Option<String> {
    let earlier = &context.cx.shared.earlier;
    let compared: Vec<&DocRef> = runs.into_iter().filter(|run| earlier.has(run)).collect();
    (!compared.is_empty()).then(|| match earlier.since(compared) {
        None => "today".to_owned(),
        Some(at) => format!("since {}", context.now.short(at)),
    })
}

/// Returns the number of runs that are missing in these sums, `12 without results`; `None` if there are none.
pub fn without_results(sums: &ReleaseSums) -> Option<String> {
    let runs = sums.without_results;
    (runs > 0).then(|| format!("{} without results", text::thousands(runs)))
}

/// Word for the cases without a result: a closed run has none left.
fn rest(closed: bool) -> &'static str {
    if closed { "not run" } else { "left" }
}

/// Returns `116 cases, 46 left`, or the number of unreadable counts.
pub fn left(counts: &ResultCounts, done: &[ResultCode], closed: bool) -> String {
    match counts.sums(done) {
        Some(sums) => {
            let cases = text::count(sums.total, "case");
            let left = text::thousands(sums.left());
            format!("{cases}, {left} {}", rest(closed))
        }
        None => format!("{} could not be read", text::count(counts.unread, "count")),
    }
}

/// Returns the same with finished cases, if there is room: `136 cases: 80 passed, failed or skipped, 56 left`.
pub fn done_and_left(
    counts: &ResultCounts,
    done: &[ResultCode],
    closed: bool,
    room: usize,
) -> String {
    let short = left(counts, done, closed);
    let Some(sums) = counts.sums(done).filter(|sums| sums.done > 0) else {
        return short;
    };
    let both = ResultCode::FAILED.iter().all(|code| done.contains(code));
    let mut words: Vec<String> = Vec::new();
    for code in ResultCode::BAR.iter().filter(|code| done.contains(code)) {
        let word = if both && ResultCode::FAILED.contains(code) {
            "failed".to_owned()
        } else {
            code.in_words()
        };
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let last = words.pop().unwrap_or_default();
    let words = match words.as_slice() {
        [] => last,
        others => format!("{} or {last}", others.join(", ")),
    };
    let cases = text::count(sums.total, "case");
    let [done, left] = [sums.done, sums.left()].map(text::thousands);
    let full = format!("{cases}: {done} {words}, {left} {}", rest(closed));
    if text::width(&full) > room {
        return short;
    }
    full
}

/// Returns the counts that are not zero, in the order of the bar: `Passed 57   Failed (new) 9`; in lines of so many
/// columns.
pub fn counted(counts: &ResultCounts, room: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts(counts, |_| true) {
        // A code of the service may be of any length.
        let part = text::fit(&part, room);
        match lines.last_mut() {
            Some(line) if text::width(line) + 3 + text::width(&part) <= room => {
                *line += "   ";
                *line += &part;
            }
            _ => lines.push(part),
        }
    }
    if lines.is_empty() {
        lines.push("no cases".into());
    }
    lines
}

/// Returns the counts of cases with a result, if there are any.
pub fn recorded(counts: &ResultCounts) -> Option<String> {
    let parts = parts(counts, |code| code != ResultCode::Untested);
    (!parts.is_empty()).then(|| parts.join("   "))
}

fn parts(counts: &ResultCounts, fits: impl Fn(ResultCode) -> bool) -> Vec<String> {
    let named = ResultCode::BAR
        .iter()
        .filter(|code| counts.get(**code) > 0 && fits(**code))
        .map(|code| format!("{} {}", code.label(), text::thousands(counts.get(*code))));
    let others = counts
        .others
        .iter()
        .map(|(code, _, count)| format!("unknown result {code} {count}"));
    named.chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_case_is_a_case() {
        let mut counts = ResultCounts::default();
        counts.add(ResultCode::Passed, 1);
        assert_eq!(
            left(&counts, &[ResultCode::Passed], false),
            "1 case, 0 left"
        );
        counts.add(ResultCode::Untested, 1);
        assert_eq!(
            left(&counts, &[ResultCode::Passed], false),
            "2 cases, 1 left"
        );
    }

    #[test]
    fn what_is_done_is_named_where_there_is_room() {
        use ResultCode::{FailedKnown, FailedNew, Passed, Skipped, Untested};
        let mut counts = ResultCounts::default();
        for (code, cases) in [(Passed, 60), (FailedNew, 12), (Skipped, 8), (Untested, 56)] {
            counts.add(code, cases);
        }
        let all = [Passed, FailedNew, FailedKnown, Skipped];
        let drawn = |done: &[ResultCode], room| done_and_left(&counts, done, false, room);
        let full = "136 cases: 80 passed, failed or skipped, 56 left";
        assert_eq!(drawn(&all, 48), full);
        assert_eq!(drawn(&all, 47), "136 cases, 56 left");
        assert_eq!(drawn(&[Passed], 60), "136 cases: 60 passed, 76 left");
        let new = "136 cases: 72 passed or failed (new), 64 left";
        assert_eq!(drawn(&[FailedNew, Passed], 60), new);
        assert_eq!(drawn(&[FailedKnown], 60), "136 cases, 136 left", "none is");
        let closed = done_and_left(&counts, &all, true, 60);
        assert_eq!(closed, full.replace("left", "not run"));
    }
}
