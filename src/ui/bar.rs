//! A bar of four kinds: passed, failed, blocked or on hold, the rest.

use std::cmp::Reverse;

use ratatui::prelude::{Line, Span, Style};

use crate::domain::{ResultCode, ResultCounts, text};
use crate::ui::Theme;

/// Kinds of a bar, in their order.
const KINDS: [&[ResultCode]; 3] = [
    &[ResultCode::Passed],
    ResultCode::FAILED,
    ResultCode::BLOCKED,
];

/// Minimum columns for a legend.
const LEGEND: usize = 50;
/// Names of the kinds.
const WORDS: [&str; 3] = ["passed", "failed", "blocked or on hold"];

/// Returns the bar as styled text of exactly `columns`, exact to half a cell; empty without cases, or where a count could
/// not be read. A smaller share is only visible in the numbers beside the bar.
pub fn spans(counts: &ResultCounts, columns: usize, theme: Theme) -> Vec<Span<'static>> {
    let total = u128::from(counts.total());
    if total == 0 || counts.unread > 0 {
        return Vec::new();
    }
    // Half cells if they can be drawn, else full ones.
    let parts = if theme.letters() { 1 } else { 2 };
    let ends = ends(counts, columns as u128 * parts);
    let kind_at = |step: u128| ends.iter().position(|end| step < *end);
    let mut spans: Vec<Span<'static>> = Vec::new();
    for column in 0..columns as u128 {
        let left = kind_at(column * parts);
        let right = kind_at(column * parts + parts - 1);
        let (symbol, style) = if left == right {
            (symbol(left, theme), style(left, theme))
        } else {
            let [here, behind] = [left, right].map(|kind| style(kind, theme));
            match (right, behind.fg) {
                // The rest has no background colour.
                (None, _) => ("▌", here),
                (_, Some(colour)) => ("▌", here.bg(colour)),
                // The terminal's own colour is none for a background, so the left half is the one behind.
                (_, None) => ("▐", here.fg.map_or(behind, |colour| behind.bg(colour))),
            }
        };
        match spans.last_mut() {
            Some(last) if last.style == style => last.content.to_mut().push_str(symbol),
            _ => spans.push(Span::styled(symbol, style)),
        }
    }
    spans
}

/// Returns the ends of the kinds, of so many steps: each kind gets the whole steps of its share, the remaining steps go
/// to the largest fractions. So few failures among many other cases stay visible, which rounded ends would hide.
fn ends(counts: &ResultCounts, steps: u128) -> [u128; KINDS.len()] {
    let total = u128::from(counts.total());
    let named = KINDS.map(|codes| u128::from(counts.sum(codes)));
    let rest = total.saturating_sub(named.iter().sum());
    let [passed, failed, blocked] = named;
    let shares = [failed, blocked, passed, rest].map(|cases| cases * steps);
    let mut widths = shares.map(|share| share / total);
    let excess = steps.saturating_sub(widths.iter().sum()) as usize;
    let mut fractions: Vec<usize> = (0..shares.len()).collect();
    fractions.sort_by_key(|kind| Reverse(shares[*kind] % total));
    for kind in fractions.into_iter().take(excess) {
        widths[kind] += 1;
    }
    let [failed, blocked, passed, _] = widths;
    [passed, passed + failed, passed + failed + blocked]
}

/// Returns the signs of a bar with their meanings.
pub fn signs(theme: Theme) -> Vec<Span<'static>> {
    let kinds = (0..).zip(WORDS).map(|(kind, word)| (Some(kind), word));
    kinds
        .chain([(None, "all others")])
        .flat_map(|(kind, word)| {
            let sign = Span::styled(symbol(kind, theme), style(kind, theme));
            [sign, Span::styled(format!(" {word}  "), theme.muted())]
        })
        .collect()
}

/// Returns the legend of a bar, with the cases of each kind that has some:
/// `█ 66 passed  █ 13 failed  █ 5 blocked or on hold  · rest`. The rest, named where there is room, has no number: it is
/// not the number of cases left, which includes blocked ones and may exclude skipped ones.
pub fn legend(counts: &ResultCounts, columns: usize, theme: Theme) -> Option<Line<'static>> {
    let named = KINDS.map(|codes| counts.sum(codes));
    let in_kinds = named
        .iter()
        .fold(0, |sum: u64, cases| sum.saturating_add(*cases));
    let rest = (counts.total() > in_kinds).then(|| (None, "rest".to_owned()));
    let kinds = named.into_iter().enumerate().zip(WORDS);
    let parts = kinds
        .filter(|((_, cases), _)| *cases > 0)
        .map(|((kind, cases), word)| (Some(kind), format!("{} {word}", text::thousands(cases))))
        .chain(rest);
    let mut line = Line::default();
    let mut shown = 0;
    for (kind, words) in parts {
        let gap = if shown == 0 { "" } else { "  " };
        let sign = symbol(kind, theme);
        if kind.is_some() || line.width() + gap.len() + 2 + words.len() <= columns {
            line.push_span(gap);
            line.push_span(Span::styled(sign, style(kind, theme)));
            line.push_span(format!(" {words}"));
        }
        shown += 1;
    }
    (shown > 1 && columns >= LEGEND && line.width() <= columns).then_some(line)
}

/// Returns the bar of one result, of so many cells; its letter is that of the result, except for untested ones.
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
        Some(_) => "█",
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
        spans(counts, columns, theme.into())
            .iter()
            .map(|span| span.content.as_ref())
            .collect()
    }

    #[test]
    fn the_legend_gives_no_number_that_is_not_the_one_of_what_is_left() {
        let drawn = |counts: &ResultCounts, columns: usize| {
            legend(counts, columns, BuiltIn::Mono.into()).map(|line| line.to_string())
        };
        let mut counts = ResultCounts::default();
        counts.add(ResultCode::Passed, 57);
        assert_eq!(drawn(&counts, 80), None, "one kind");
        counts.add(ResultCode::FailedNew, 9);
        counts.add(ResultCode::FailedKnown, 4);
        counts.add(ResultCode::Blocked, 3);
        counts.add(ResultCode::OnHoldExternal, 2);
        let named = "P 57 passed  F 13 failed  B 5 blocked or on hold";
        assert_eq!(drawn(&counts, 80), Some(named.into()), "there is no rest");
        for code in [
            ResultCode::Customer,
            ResultCode::Skipped,
            ResultCode::Retest,
        ] {
            counts.add(code, 2);
            assert_eq!(drawn(&counts, 80), Some(format!("{named}  · rest")));
        }
        counts.others.push(("99".into(), "Odd".into(), 2));
        assert_eq!(drawn(&counts, 80), Some(format!("{named}  · rest")));
        counts.add(ResultCode::Passed, 4_000);
        counts.add(ResultCode::FailedNew, 400);
        let narrow = "P 4,057 passed  F 413 failed  B 5 blocked or on hold";
        assert_eq!(drawn(&counts, 53), Some(narrow.into()), "no room for rest");
        assert_eq!(drawn(&counts, 51), None, "no number is cut");
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
        assert_eq!(text(&counts, 10, BuiltIn::Dark), "██████▌▌··");
        // Of 23 in 291 cases four fifths of a cell are drawn as one.
        let mut few = ResultCounts::default();
        few.add(ResultCode::Passed, 130);
        few.add(ResultCode::FailedNew, 23);
        few.add(ResultCode::Blocked, 55);
        few.add(ResultCode::Untested, 83);
        assert_eq!(text(&few, 10, BuiltIn::Mono), "PPPPFBB···");
        // A cell of which one half has failed and the other is blocked has both colours.
        let theme = Theme::from(BuiltIn::Dark);
        let all = spans(&counts, 10, theme);
        assert_eq!(all[2].style.fg, theme.bad().fg);
        assert_eq!(all[2].style.bg, theme.warn().fg);
        // Where blocked is of the terminal's own colour, which is none for a background, its half is drawn.
        let neutral = Theme::from(BuiltIn::Neutral);
        let half = spans(&counts, 10, neutral).swap_remove(2);
        assert_eq!(half.content, "▐");
        assert_eq!((half.style.fg, half.style.bg), (None, neutral.bad().fg));
        // The last half before the rest has nothing behind it.
        assert_eq!((all[3].content.as_ref(), all[3].style.bg), ("▌", None));
    }

    #[test]
    fn the_legend_names_the_parts_that_are_there() {
        let drawn = |counts: &[(ResultCode, u64)], columns: usize| {
            let mut all = ResultCounts::default();
            for (code, count) in counts {
                all.add(*code, *count);
            }
            legend(&all, columns, BuiltIn::Mono.into()).map(|line| line.to_string())
        };
        let counts = vec![
            (ResultCode::Passed, 66),
            (ResultCode::FailedNew, 8),
            (ResultCode::FailedKnown, 5),
            (ResultCode::Blocked, 1),
            (ResultCode::OnHoldExternal, 4),
            (ResultCode::Untested, 123),
        ];
        assert_eq!(
            drawn(&counts, 80),
            Some("P 66 passed  F 13 failed  B 5 blocked or on hold  · rest".into())
        );
        assert_eq!(
            drawn(&[(ResultCode::Passed, 1), (ResultCode::Customer, 2)], 80),
            Some("P 1 passed  · rest".into())
        );
        assert_eq!(drawn(&counts[5..6], 80), None, "one kind is in the list");
        assert_eq!(drawn(&counts, 40), None);
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
