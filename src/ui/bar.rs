//! A bar of four kinds: what has passed, what has failed, what is blocked or on hold, the rest.

use ratatui::style::Style;
use ratatui::text::Span;

use crate::domain::{ResultCode, ResultCounts};
use crate::ui::theme::Theme;

/// What is told apart in a bar, in its order.
const KINDS: [&[ResultCode]; 3] = [
    &[ResultCode::Passed],
    ResultCode::FAILED,
    ResultCode::BLOCKED,
];

/// The bar as styled text of exactly `columns`, true to half a cell; empty where there are no cases. A result that is
/// less than that is seen in the numbers beside the bar.
pub fn spans(counts: &ResultCounts, columns: usize, theme: Theme) -> Vec<Span<'static>> {
    let total = u128::from(counts.total());
    if total == 0 {
        return Vec::new();
    }
    // Ends of the kinds, in half cells where they can be drawn and in whole ones where they cannot.
    let parts = if theme.letters() { 1 } else { 2 };
    let steps = columns as u128 * parts;
    let mut sum = 0;
    let ends = KINDS.map(|codes| {
        sum += u128::from(counts.sum(codes));
        (sum.min(total) * steps * 2 + total) / (total * 2)
    });
    let kind_at = |step: u128| ends.iter().position(|end| step < *end);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for column in 0..columns as u128 {
        let left = kind_at(column * parts);
        let right = kind_at(column * parts + parts - 1);
        let (symbol, style) = if left == right {
            (symbol(left, theme), style(left, theme))
        } else {
            // The rest has no colour of its own behind it.
            let style = style(left, theme);
            let behind = right.and_then(|_| self::style(right, theme).fg);
            ("▌", behind.map_or(style, |colour| style.bg(colour)))
        };
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(symbol),
            _ => spans.push(Span::styled(symbol, style)),
        }
    }
    spans
}

/// The bar of one result, of so many cells; letters are those of the result, but for the one that nobody has begun.
pub fn part(code: Option<ResultCode>, cells: usize, theme: Theme) -> Span<'static> {
    let kind = code.and_then(|code| KINDS.iter().position(|kind| kind.contains(&code)));
    let letter = code.map_or('?', ResultCode::letter).to_string();
    let symbol = if theme.letters() && code != Some(ResultCode::Untested) {
        &letter
    } else {
        symbol(kind, theme)
    };
    Span::styled(symbol.repeat(cells), style(kind, theme))
}

fn symbol(kind: Option<usize>, theme: Theme) -> &'static str {
    match kind {
        Some(0) if theme.letters() => "P",
        Some(1) if theme.letters() => "F",
        Some(2) if theme.letters() => "B",
        Some(0) => "█",
        Some(1) => "▓",
        Some(_) => "▒",
        None => "·",
    }
}

fn style(kind: Option<usize>, theme: Theme) -> Style {
    match kind {
        Some(0) => theme.good(),
        Some(1) => theme.bad(),
        Some(_) => theme.warn(),
        None => theme.muted(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ui::theme::BuiltIn;

    fn text(counts: &ResultCounts, columns: usize, theme: BuiltIn) -> String {
        let spans = spans(counts, columns, theme.into());
        spans.iter().map(|span| span.content.as_ref()).collect()
    }

    #[test]
    fn shares_are_true_to_half_a_cell() {
        let mut counts = ResultCounts::default();
        assert_eq!(text(&counts, 10, BuiltIn::Mono), "");
        counts.add(ResultCode::Passed, 50);
        counts.add(ResultCode::FailedNew, 5);
        counts.add(ResultCode::FailedKnown, 10);
        counts.add(ResultCode::OnHoldInternal, 10);
        counts.add(ResultCode::Untested, 20);
        counts.add(ResultCode::Skipped, 5);
        assert_eq!(text(&counts, 10, BuiltIn::Mono), "PPPPPFFB··");
        assert_eq!(text(&counts, 10, BuiltIn::Dark), "█████▓▌▌··");
        // A cell of which one half has failed and the other is blocked has both colours.
        let theme = Theme::from(BuiltIn::Dark);
        let all = spans(&counts, 10, theme);
        assert_eq!(all[2].style.fg, theme.bad().fg);
        assert_eq!(all[2].style.bg, theme.warn().fg);
        // The last half before the rest has nothing behind it.
        assert_eq!((all[3].content.as_ref(), all[3].style.bg), ("▌", None));
    }

    proptest! {
        #[test]
        fn the_bar_is_full(counts in proptest::collection::vec(0u64..u64::MAX, 11), columns in 1usize..60) {
            let mut all = ResultCounts::default();
            for (code, count) in ResultCode::ALL.iter().zip(&counts) {
                all.add(*code, *count);
            }
            let expected = if all.total() == 0 { 0 } else { columns };
            for theme in [BuiltIn::Mono, BuiltIn::Dark] {
                prop_assert_eq!(text(&all, columns, theme).chars().count(), expected);
            }
        }
    }
}
