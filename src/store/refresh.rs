//! Automatic readings of the visible screen: one at a time, less often while the service fails, none while the terminal
//! has no focus.

use super::{Cx, Layer, Reading, Slot};

/// Maximum milliseconds of pauses that grow while the service fails, or `every` if that is more.
const LONGEST_PAUSE: u64 = 120_000;

/// State of the automatic readings of the visible screen.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refresh {
    /// The terminal has reported the loss of focus. One that never reports is never away.
    pub away: bool,
    /// Screen of the running pause.
    timer: Option<Layer>,
    /// Number of pauses so far.
    pauses: u64,
    /// Last reading of the visible screen.
    last: Option<Last>,
    /// A failed reading is tried again once the focus returns.
    pub held: bool,
    /// The reading that begins is automatic.
    pub by_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Last {
    screen: Layer,
    /// The reading is under way.
    runs: bool,
    /// Time of its end, epoch milliseconds.
    at: i64,
    /// Number of failures in a row.
    failed: u32,
}

impl Refresh {
    /// Forgets the last reading: after the sign-in the time of the data counts.
    pub fn forget(&mut self) {
        self.last = None;
    }

    /// Starts anew for another profile.
    pub fn renew(&mut self) {
        *self = Self {
            away: self.away,
            ..Self::default()
        };
    }

    /// Records the start of a reading of the screen on top, by a key or automatic.
    pub fn began(&mut self, screen: Layer, now: i64) {
        let failed = self.last_of(screen).map_or(0, |last| last.failed);
        self.last = Some(Last {
            screen,
            runs: true,
            at: now,
            // A manual try does not make the pauses longer.
            failed: failed.saturating_sub(u32::from(!self.by_itself)),
        });
    }

    /// Starts or cancels the pause before the next reading of the screen on top: called once after all waiting
    /// messages. `every` is in seconds, 0 for none; `waits` means no reading for now.
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
        cx.ended_in_sleep(&Slot::RefreshPause);
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

    /// Records the end of a reading.
    fn follow(&mut self, screen: Layer, reading: Reading, now: i64) {
        let before = self.last_of(screen);
        self.last = match before {
            _ if reading.busy => before,
            Some(last) if !last.runs => before,
            _ => Some(Last {
                screen,
                runs: false,
                // Of another screen than before the age of its data counts, and old data is read at once.
                at: match before {
                    None if !reading.failed => reading.read_at.unwrap_or(0),
                    _ => now,
                },
                failed: match before.map_or(0, |last| last.failed) {
                    failed if reading.failed => failed.saturating_add(1),
                    _ => 0,
                },
            }),
        };
    }

    fn last_of(&self, screen: Layer) -> Option<Last> {
        self.last.filter(|last| last.screen == screen)
    }

    /// Ends the pause; returns its screen.
    pub fn is_due(&mut self) -> Option<Layer> {
        self.timer.take()
    }

    /// Delays the next try of a reading that could not begin.
    pub fn tried(&mut self, now: i64) {
        if let Some(last) = self.last.as_mut().filter(|last| !last.runs) {
            last.at = now;
        }
    }
}

/// Returns the pause, up to a tenth shorter or longer, so that programs started together do not ask together.
fn jittered(pause: u64, number: u64, now: i64) -> u64 {
    // Mixes time and number: the same messages give the same pause.
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
