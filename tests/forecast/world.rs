//! A team of known pace, and a program that looks at its run.

use rundown::domain::Sample;

pub use crate::support::samples_of::sample;

pub const MINUTE: i64 = 60_000;
pub const HOUR: i64 = 60 * MINUTE;
pub const DAY: i64 = 24 * HOUR;
/// A Wednesday in November, 09:00 UTC.
pub const NOW: i64 = 1_795_597_200_000;

/// Keeps what was looked at, as the samples in the database are kept.
pub fn keep(kept: &mut Vec<Sample>, mut seen: Sample) {
    if let Some(last) = kept.last_mut() {
        let since = seen.at - last.seen_until;
        if last.tells_as(&seen) && since.abs() <= Sample::GAP {
            last.seen_until = last.seen_until.max(seen.seen_until);
            return;
        }
        seen.clock_back = since < 0;
    }
    kept.push(seen);
}

/// What is kept by somebody who looks at these times.
pub fn watched(finished: &[i64], total: u64, looks: impl Iterator<Item = i64>) -> Vec<Sample> {
    let mut kept = Vec::new();
    for at in looks {
        keep(
            &mut kept,
            sample(
                at,
                finished.partition_point(|time| *time <= at) as u64,
                total,
            ),
        );
    }
    kept
}

/// So many cases an hour, evenly, until now, looked at every minute.
pub fn even(rate: i64, long: i64, total: u64) -> Vec<Sample> {
    let finished: Vec<i64> = (1..=rate * long / HOUR)
        .map(|case| NOW - long + case * HOUR / rate)
        .collect();
    watched(
        &finished,
        total,
        (0..=long / MINUTE).map(|minute| NOW - long + minute * MINUTE),
    )
}

/// Numbers by chance, the same for the same seed.
pub struct Chance(u64);

impl Chance {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x1234_5678)
    }

    /// From 0 to below 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Waiting time for what happens `rate` times an hour, in hours.
    pub fn wait(&mut self, rate: f64) -> f64 {
        -(1.0 - self.share()).ln() / rate
    }
}

/// How a team works.
#[derive(Clone, Copy, Debug)]
pub struct Team {
    /// Cases finished in an hour of work, on average.
    pub rate: f64,
    /// Cases that come together, on average; 0 for a clockwork.
    pub batch: f64,
    /// Whether anybody works at that time.
    pub works: fn(i64) -> bool,
}

impl Team {
    /// When so many cases were finished, from a time on.
    pub fn finish(&self, from: i64, cases: usize, chance: &mut Chance) -> Vec<i64> {
        let mut finished = Vec::new();
        let mut left = self.next(chance);
        let mut at = from;
        while finished.len() < cases {
            if (self.works)(at) {
                left -= 1.0 / 60.0;
                while left <= 0.0 {
                    let moment = at + ((left * 60.0 + 1.0).clamp(0.0, 1.0) * MINUTE as f64) as i64;
                    finished.push(moment);
                    while self.batch > 1.0 && chance.share() > 1.0 / self.batch {
                        finished.push(moment);
                    }
                    left += self.next(chance);
                }
            }
            at += MINUTE;
        }
        finished.truncate(cases);
        finished
    }

    fn next(&self, chance: &mut Chance) -> f64 {
        if self.batch > 0.0 {
            chance.wait(self.rate / self.batch)
        } else {
            1.0 / self.rate
        }
    }
}

pub fn day_and_night(_: i64) -> bool {
    true
}

/// Monday to Friday, 08:00 to 18:00 UTC.
pub fn office(at: i64) -> bool {
    // The epoch began on a Thursday.
    (8..18).contains(&(at.rem_euclid(DAY) / HOUR)) && (at.div_euclid(DAY) + 3).rem_euclid(7) < 5
}
