//! Reading again by itself: what is on the screen, one reading at a time, less often while the service fails, and not at
//! all while the terminal says that nobody looks.

use super::{Cx, Layer, Reading, Slot};

/// Pauses grow up to so many milliseconds while the service fails, or stay at what they are if that is more.
const LONGEST_PAUSE: u64 = 120_000;

/// When what is on the screen is read again by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refresh {
    /// The terminal has told that it has no focus. One that never tells is never away.
    pub away: bool,
    /// The screen whose pause is waited for.
    timer: Option<Layer>,
    /// Number of pauses so far.
    pauses: u64,
    /// The last reading of what is on the screen.
    last: Option<Last>,
    /// A read that failed is tried again when somebody looks.
    pub held: bool,
    /// The reading that begins is not asked for by a key.
    pub by_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Last {
    screen: Layer,
    /// It is under way.
    runs: bool,
    /// When it came to its end, epoch milliseconds.
    at: i64,
    /// How many in a row have failed.
    failed: u32,
}

impl Refresh {
    /// What was read before the sign-in counts from when it was read.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Another profile is in use: nothing was read of it yet.
    pub fn renew(&mut self) {
        *self = Self {
            away: self.away,
            ..Self::default()
        };
    }

    /// A reading of the screen on top has begun, by a key or by itself.
    pub fn began(&mut self, screen: Layer, now: i64) {
        let failed = self.last_of(screen).map_or(0, |last| last.failed);
        self.last = Some(Last {
            screen,
            runs: true,
            at: now,
            // A try by hand makes the pauses no longer.
            failed: failed.saturating_sub(u32::from(!self.by_itself)),
        });
    }

    /// Asks for the next reading of the screen on top, or gives it up: called once after all waiting messages. `every` is
    /// in seconds, 0 for none; `waits` says that it is not read for now.
    pub fn plan(&mut self, on: Option<(Layer, Reading)>, every: u64, waits: bool, cx: &mut Cx) {
        if let Some((screen, reading)) = on {
            self.follow(screen, reading, cx.now);
        }
        let every = every.saturating_mul(1_000);
        let wanted = on
            .filter(|(_, reading)| every > 0 && !waits && !reading.busy)
            .map(|(screen, _)| screen);
        if self.timer != wanted {
            cx.give_up(&Slot::RefreshPause);
        }
        if !cx.under_way(&Slot::RefreshPause) {
            self.timer = None;
        }
        if let (Some(screen), Some(last), None) = (wanted, self.last, self.timer) {
            let since = u64::try_from(cx.now.saturating_sub(last.at)).unwrap_or(0);
            let pause = every
                .saturating_mul(1 << last.failed.min(10))
                .min(LONGEST_PAUSE.max(every));
            let after = jittered(pause, self.pauses, cx.now).saturating_sub(since);
            self.pauses += 1;
            self.timer = Some(screen);
            cx.timer(Slot::RefreshPause, after);
        }
    }

    /// Takes note of a reading that has come to its end.
    fn follow(&mut self, screen: Layer, reading: Reading, now: i64) {
        self.last = match self.last_of(screen) {
            Some(last) if !last.runs || reading.busy => Some(last),
            Some(last) => {
                let failed = if reading.failed {
                    last.failed.saturating_add(1)
                } else {
                    0
                };
                Some(Last {
                    runs: false,
                    at: now,
                    failed,
                    ..last
                })
            }
            // Another screen than before: it counts from when it was read, and is due at once if that is long ago.
            None if reading.busy => None,
            None => {
                let at = if reading.failed {
                    now
                } else {
                    reading.read_at.unwrap_or(0)
                };
                Some(Last {
                    screen,
                    runs: false,
                    at,
                    failed: u32::from(reading.failed),
                })
            }
        };
    }

    fn last_of(&self, screen: Layer) -> Option<Last> {
        self.last.filter(|last| last.screen == screen)
    }

    /// The pause is over: which screen it was for.
    pub fn is_due(&mut self) -> Option<Layer> {
        self.timer.take()
    }

    /// A reading that could not begin is not tried again at once.
    pub fn tried(&mut self, now: i64) {
        if let Some(last) = self.last.as_mut().filter(|last| !last.runs) {
            last.at = now;
        }
    }
}

/// The pause, up to a tenth shorter or longer, so that programs that began together do not ask together.
fn jittered(pause: u64, number: u64, now: i64) -> u64 {
    // A good mix of the moment and the number: the same messages give the same pause.
    let mut mixed = number.wrapping_add(now.cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^= mixed >> 31;
    let tenth = pause / 10;
    pause - tenth + mixed % (2 * tenth + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_differ_by_a_tenth_and_are_the_same_for_the_same() {
        let pauses: Vec<u64> = (0..2_000)
            .map(|id| jittered(30_000, id, 1_795_167_672_000))
            .collect();
        assert!(pauses.iter().all(|pause| (27_000..=33_000).contains(pause)));
        let mean = pauses.iter().sum::<u64>() / 2_000;
        assert!((29_800..=30_200).contains(&mean), "{mean}");
        let apart: std::collections::HashSet<u64> =
            (0..50).map(|now| jittered(30_000, 9, now)).collect();
        assert!(
            apart.len() > 45,
            "programs begun at other moments wait for other times"
        );
        assert_eq!(jittered(0, 1, 1), 0);
        assert_eq!(jittered(30_000, 9, 7), jittered(30_000, 9, 7));
    }
}
