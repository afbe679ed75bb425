//! A bar of letters: the share of each result.

use ratatui::style::Style;
use ratatui::text::Span;

use super::theme::Theme;
use crate::model::{ResultCode, ResultCounts};

/// How many of `columns` cells each result gets, in the order of the bar: every result that occurs gets at least one
/// cell while there is room, the rest goes by largest remainder, so that the cells always fill the bar.
pub fn cells(counts: &ResultCounts, columns: usize) -> Vec<(Option<ResultCode>, usize)> {
    let mut parts: Vec<(Option<ResultCode>, u64)> =
        ResultCode::BAR.iter().map(|code| (Some(*code), counts.get(*code))).collect();
    parts.insert(parts.len() - 1, (None, counts.unnamed()));
    parts.retain(|(_, count)| *count > 0);
    let total: u128 = parts.iter().map(|(_, count)| u128::from(*count)).sum();
    if total == 0 || columns == 0 {
        return Vec::new();
    }
    if parts.len() > columns {
        // Too narrow for all of them: the largest ones stay, in the order of the bar.
        let mut sizes: Vec<u64> = parts.iter().map(|(_, count)| *count).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let least = sizes[columns - 1];
        parts.retain(|(_, count)| *count >= least);
        parts.truncate(columns);
        return parts.into_iter().map(|(code, _)| (code, 1)).collect();
    }
    let room = (columns - parts.len()) as u128;
    let mut cells: Vec<usize> =
        parts.iter().map(|(_, count)| 1 + (u128::from(*count) * room / total) as usize).collect();
    let mut rest: Vec<(u128, usize)> =
        parts.iter().enumerate().map(|(place, (_, count))| (u128::from(*count) * room % total, place)).collect();
    rest.sort_by_key(|(remainder, place)| (std::cmp::Reverse(*remainder), *place));
    let missing = columns - cells.iter().sum::<usize>();
    for (_, place) in rest.into_iter().take(missing) {
        cells[place] += 1;
    }
    parts.into_iter().zip(cells).map(|((code, _), cells)| (code, cells)).collect()
}

/// The bar as styled text of exactly `columns`; empty where there are no cases.
pub fn spans(counts: &ResultCounts, columns: usize, theme: Theme) -> Vec<Span<'static>> {
    let parts = cells(counts, columns).into_iter();
    let span = |(code, cells): (Option<ResultCode>, usize)| {
        let (letter, style) = code.map_or(('?', Style::new()), |code| (code.letter(), theme.result(code)));
        Span::styled(letter.to_string().repeat(cells), style)
    };
    parts.map(span).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn text(counts: &ResultCounts, columns: usize) -> String {
        spans(counts, columns, Theme::new(super::super::theme::Palette::Mono))
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
        assert_eq!(text(&counts, 10), "PPPPPFUUUU");
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
