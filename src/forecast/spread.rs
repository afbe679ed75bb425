//! Pace of finished cases, and its reliability.
//!
//! The observed time is cut into equal windows. Their mean is the pace. The differences of sums of windows, over one,
//! two, four and more of them, show the unevenness; single cases differ at least by chance. The cases left take h hours
//! with `|pace · h − left| ≤ z · σ · √(h + h²/T)`: the first term is the chance ahead, the second that the pace itself
//! is known from T hours only. Both ends of the band are the solutions of this quadratic equation.

use super::track::Track;

/// Minimum length of a window in hours; an hour unless little was observed.
const SHORTEST: f64 = 0.25;
/// Minimum number of windows, or sums of windows, that show differences.
const FEWEST: usize = 4;
/// Number of windows from which the largest one is limited.
const MANY: usize = 5;
/// Maximum ratio of the time to the latest end and that at the pace alone: beyond it the middle of the band says nothing.
const WIDEST: f64 = 20.0;
/// Quantile of the normal distribution at either end of the band: 90 in 100, so that 80 remain when the pace drifts.
const Z: f64 = 1.645;

/// Pace and its unevenness.
pub struct Spread {
    /// Cases an hour.
    pub pace: f64,
    /// Hours observed.
    hours: f64,
    /// Deviation of an hour from the pace, times the quantile.
    reach: f64,
}

impl Spread {
    pub fn of(track: &Track) -> Self {
        let hours = track.hours();
        let length = (hours / 8.0).clamp(SHORTEST, 1.0);
        let number = ((hours / length + 1e-9) as usize).max(1);
        let length = hours / number as f64;
        let until = |place: usize| {
            track.progress(if place == number {
                hours
            } else {
                length * place as f64
            })
        };
        let windows = one_does_not_make_it(
            (0..number)
                .map(|place| until(place + 1) - until(place))
                .collect(),
        );
        let pace = windows.iter().sum::<f64>() / hours;
        let mut reach = quantile(number) * pace.max(0.0).sqrt();
        let mut together = 1;
        while number / together >= FEWEST {
            let sums: Vec<f64> = windows
                .chunks_exact(together)
                .map(|chunk| chunk.iter().sum())
                .collect();
            let mean = sums.iter().sum::<f64>() / sums.len() as f64;
            let squares: f64 = sums.iter().map(|sum| (sum - mean).powi(2)).sum();
            let variance = squares / (sums.len() - 1) as f64 / (together as f64 * length);
            reach = reach.max(quantile(sums.len()) * variance.sqrt());
            together *= 2;
        }
        Self { pace, hours, reach }
    }

    /// Returns the hours in which so many cases are finished: soonest and latest. `None` if the pace is too uneven for
    /// a latest end.
    pub fn hours_for(&self, left: u64) -> Option<(f64, f64)> {
        // A case is finished at a moment, and counts are integers.
        let (least, most) = (left as f64 - 0.5, left as f64 + 0.5);
        let squared = self.reach * self.reach;
        let a = self.pace * self.pace - squared / self.hours;
        if self.pace <= 0.0 || a <= 0.0 {
            return None;
        }
        let b = |left: f64| 2.0 * self.pace * left + squared;
        let root = |left: f64| (b(left).powi(2) - 4.0 * a * left * left).max(0.0).sqrt();
        let soonest = 2.0 * least * least / (b(least) + root(least));
        let latest = (b(most) + root(most)) / (2.0 * a);
        (latest * self.pace <= WIDEST * most).then_some((soonest, latest))
    }
}

/// Limits results that are imported at once: the largest window counts at most twice the second largest.
fn one_does_not_make_it(mut windows: Vec<f64>) -> Vec<f64> {
    let mut order: Vec<usize> = (0..windows.len()).collect();
    order.sort_by(|a, b| windows[*b].total_cmp(&windows[*a]));
    if let [first, second, ..] = order[..]
        && windows.len() >= MANY
        && windows[second] > 0.0
    {
        windows[first] = windows[first].min(2.0 * windows[second]);
    }
    windows
}

/// Returns [`Z`] for a spread that is known from `number` values only (Student's distribution, two terms).
fn quantile(number: usize) -> f64 {
    let freedom = number.saturating_sub(1).max(1) as f64;
    let first = (Z.powi(3) + Z) / 4.0;
    let second = (5.0 * Z.powi(5) + 16.0 * Z.powi(3) + 3.0 * Z) / 96.0;
    Z + first / freedom + second / (freedom * freedom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_counts_once_and_bursts_that_come_again_count_in_full() {
        assert_eq!(
            one_does_not_make_it(vec![5.0, 4.0, 300.0, 6.0, 5.0]),
            [5.0, 4.0, 12.0, 6.0, 5.0]
        );
        assert_eq!(
            one_does_not_make_it(vec![0.0, 50.0, 0.0, 0.0, 60.0]),
            [0.0, 50.0, 0.0, 0.0, 60.0]
        );
        assert_eq!(
            one_does_not_make_it(vec![0.0, 0.0, 9.0, 0.0, 0.0]),
            [0.0, 0.0, 9.0, 0.0, 0.0]
        );
        assert_eq!(one_does_not_make_it(vec![1.0, 9.0]), [1.0, 9.0]);
    }

    #[test]
    fn more_hours_make_a_narrower_band_and_uneven_ones_none() {
        let width = |hours: f64| {
            let (soonest, latest) = Spread {
                pace: 10.0,
                hours,
                reach: 4.0,
            }
            .hours_for(100)
            .unwrap();
            assert!(soonest < 10.0 && latest > 10.0);
            latest - soonest
        };
        assert!(width(2.0) > width(8.0) && width(8.0) > width(80.0));
        assert_eq!(
            Spread {
                pace: 1.0,
                hours: 4.0,
                reach: 2.0
            }
            .hours_for(1),
            None
        );
        assert_eq!(
            Spread {
                pace: 0.0,
                hours: 4.0,
                reach: 0.0
            }
            .hours_for(1),
            None
        );
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Student's distribution at 0.95: 2.353 for 4 values, 1.753 for 16 (rounded).
        assert!((quantile(4) - 2.353).abs() < 0.05, "{}", quantile(4));
        assert!((quantile(16) - 1.753).abs() < 0.01, "{}", quantile(16));
        assert!((quantile(10_000) - Z).abs() < 0.001);
    }
}
