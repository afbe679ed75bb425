//! A bar of letters: the share of each result.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::{ResultCode, ResultCounts};
use crate::ui::theme::Theme;

/// How many of `columns` cells each result gets, in the order of the bar: the share of each, rounded so that the cells
/// fill the bar. New failures, what has passed and what is untested are never rounded away while there is room for them.
pub fn cells(counts: &ResultCounts, columns: usize) -> Vec<(Option<ResultCode>, usize)> {
    let mut parts: Vec<(Option<ResultCode>, u64)> = ResultCode::BAR
        .iter()
        .map(|code| (Some(*code), counts.get(*code)))
        .collect();
    parts.insert(parts.len() - 1, (None, counts.unnamed()));
    parts.retain(|(_, count)| *count > 0);
    let total: u128 = parts.iter().map(|(_, count)| u128::from(*count)).sum();
    if total == 0 || columns == 0 {
        return Vec::new();
    }
    let kept = [
        Some(ResultCode::FailedNew),
        Some(ResultCode::Passed),
        Some(ResultCode::Untested),
    ];
    let sure =
        |code: Option<ResultCode>| usize::from(columns >= kept.len() && kept.contains(&code));
    let share = |count: u64| u128::from(count) * columns as u128;
    let mut cells: Vec<usize> = parts
        .iter()
        .map(|(code, count)| ((share(*count) / total) as usize).max(sure(*code)))
        .collect();
    // What is missing goes to the largest remainders; what is too much is taken from the largest parts.
    let mut rest: Vec<(u128, usize)> = parts
        .iter()
        .enumerate()
        .map(|(place, (_, count))| (share(*count) % total, place))
        .collect();
    rest.sort_by_key(|(remainder, place)| (std::cmp::Reverse(*remainder), *place));
    let used: usize = cells.iter().sum();
    for (_, place) in rest.into_iter().cycle().take(columns.saturating_sub(used)) {
        cells[place] += 1;
    }
    for _ in columns..used {
        if let Some(largest) = cells.iter_mut().max() {
            *largest -= 1;
        }
    }
    parts
        .into_iter()
        .zip(cells)
        .filter(|(_, cells)| *cells > 0)
        .map(|((code, _), cells)| (code, cells))
        .collect()
}

/// The bar as styled text of exactly `columns`; empty where there are no cases.
pub fn spans(counts: &ResultCounts, columns: usize, theme: Theme) -> Vec<Span<'static>> {
    let parts = cells(counts, columns).into_iter();
    let span = |(code, cells): (Option<ResultCode>, usize)| {
        let (letter, style) = code.map_or(('?', Style::new()), |code| {
            (code.letter(), theme.result(code))
        });
        Span::styled(letter.to_string().repeat(cells), style)
    };
    parts.map(span).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(counts: &ResultCounts, columns: usize) -> String {
        spans(
            counts,
            columns,
            Theme::new(super::super::theme::Palette::Mono),
        )
        .iter()
        .map(|span| span.content.to_string())
        .collect()
    }

    #[test]
    fn a_single_failure_is_never_rounded_away() {
        let mut counts = ResultCounts::default();
        counts.add(ResultCode::Passed, 9_999);
        counts.add(ResultCode::FailedNew, 1);
        assert_eq!(text(&counts, 10), "PPPPPPPPPF");
        assert_eq!(text(&ResultCounts::default(), 10), "");
        counts.add(ResultCode::Untested, 10_000);
        assert_eq!(text(&counts, 10), "PPPPFUUUUU");
    }

    proptest! {
        #[test]
        fn the_bar_is_full(counts in proptest::collection::vec(0u64..u64::MAX, 11), columns in 1usize..60) {
            let mut all = ResultCounts::default();
            for (code, count) in ResultCode::ALL.iter().zip(&counts) {
                all.add(*code, *count);
            }
            let expected = if all.total() == 0 { 0 } else { columns };
            prop_assert_eq!(text(&all, columns).len(), expected);
        }
    }
}
