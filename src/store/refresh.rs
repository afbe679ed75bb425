//! Reading again by itself: what is on the screen, one reading at a time, less often while the service fails, and not at
//! all while the terminal says that nobody looks.

use super::effect::Effect;
use super::in_flight::Slot;
use super::monitor::Monitor;
use super::{Screen, Store};

/// Pauses grow up to so many milliseconds while the service fails, or stay at what they are if that is more.
const LONGEST_PAUSE: u64 = 120_000;
/// What is older than so many milliseconds, and than two pauses, is called late.
const LATE: i64 = 60_000;

/// What is read again by itself. Suites cost many calls, and a form is compared with what it began with: those wait for
/// a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The runs list.
    List,
    /// The run that is open.
    Run,
    /// The runs of the monitor.
    Monitor,
}

/// When what is on the screen is read again by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Refresh {
    /// The terminal has told that it has no focus. One that never tells is never away.
    pub away: bool,
    /// The pause that is waited for.
    timer: Option<Timer>,
    /// Failed readings of the list in a row.
    pub retries: u32,
    /// Number of pauses so far.
    pauses: u64,
    /// The last reading of what is on the screen.
    last: Option<Last>,
    /// A read that failed is tried again when somebody looks.
    held: bool,
    /// The reading that begins is not asked for by a key.
    by_itself: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Timer {
    subject: Subject,
    /// When it is over, epoch milliseconds.
    due: i64,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Last {
    subject: Subject,
    /// It is under way.
    runs: bool,
    /// When it came to its end, epoch milliseconds.
    at: i64,
    /// How many in a row have failed.
    failed: u32,
}

impl Refresh {
    /// What was read before the sign-in counts from when it was read.
    pub(super) fn forget(&mut self) {
        self.last = None;
    }

    /// Another profile is in use: nothing was read of it yet.
    pub(super) fn renew(&mut self) {
        *self = Self {
            away: self.away,
            ..Self::default()
        };
    }
}

impl Store {
    /// Seconds between two readings of what is on the screen; 0 for none.
    pub fn refresh_every(&self) -> u64 {
        if let (Screen::Monitor, Some(monitor)) = (self.stack.top(), &self.monitor) {
            return monitor.every;
        }
        self.cx
            .shared
            .session
            .as_ref()
            .map_or(0, |session| session.refresh_seconds)
    }

    /// How old what is on the screen is, in milliseconds, if it should have been read again since.
    pub fn behind(&self, now: i64) -> Option<i64> {
        let every = i64::try_from(self.refresh_every())
            .unwrap_or(i64::MAX)
            .saturating_mul(1_000);
        let read_at = self.read_at(self.subject()?)?;
        let age = now.saturating_sub(read_at);
        (every > 0 && age >= LATE.max(every.saturating_mul(2))).then_some(age)
    }

    /// Nothing is read by itself, because the terminal has no focus.
    pub fn paused(&self) -> bool {
        self.is_away() && self.refresh_every() > 0 && self.subject().is_some()
    }

    /// When the next reading by itself begins, epoch milliseconds.
    pub fn next_reading(&self) -> Option<i64> {
        self.refresh.timer.map(|timer| timer.due)
    }

    /// Nobody looks, and nobody wants to be called.
    fn is_away(&self) -> bool {
        self.refresh.away && !self.is_on_call()
    }

    fn subject(&self) -> Option<Subject> {
        match self.stack.top() {
            Screen::Runs => Some(Subject::List),
            Screen::Detail | Screen::Json => self.detail.as_ref().map(|_| Subject::Run),
            Screen::Monitor => self.monitor.as_ref().map(|_| Subject::Monitor),
            Screen::Available | Screen::Members | Screen::Form | Screen::Review => None,
        }
    }

    fn read_at(&self, subject: Subject) -> Option<i64> {
        match subject {
            Subject::List => self.runs.window().read_at(),
            Subject::Run => self
                .detail
                .as_ref()
                .and_then(|detail| detail.document.read_at()),
            Subject::Monitor => self.monitor.as_ref().and_then(|monitor| monitor.read_at),
        }
    }

    fn under_way(&self, subject: Subject) -> bool {
        match (subject, &self.detail) {
            (Subject::List, _) => self.runs.window().busy(),
            (Subject::Run, Some(detail)) => {
                detail.document.is_reading() || detail.counts.is_reading()
            }
            (Subject::Run, None) => false,
            (Subject::Monitor, _) => self.monitor.as_ref().is_some_and(Monitor::busy),
        }
    }

    fn has_failed(&self, subject: Subject) -> bool {
        match (subject, &self.detail) {
            (Subject::List, _) => self.runs.window().failure.is_some(),
            (Subject::Run, Some(detail)) => detail.document.failure().is_some(),
            (Subject::Run, None) => false,
            (Subject::Monitor, _) => self
                .monitor
                .as_ref()
                .is_some_and(|monitor| monitor.failure.is_some()),
        }
    }

    /// A reading of what is on the screen has begun, by a key or by itself.
    pub(super) fn refresh_began(&mut self) {
        let now = self.cx.now;
        if let Some(subject) = self.subject() {
            let failed = self.last_of(subject).map_or(0, |last| last.failed);
            // A try by hand makes the pauses no longer.
            let failed = if self.refresh.by_itself {
                failed
            } else {
                failed.saturating_sub(1)
            };
            self.refresh.last = Some(Last {
                subject,
                runs: true,
                at: now,
                failed,
            });
        }
    }

    /// The list is read again, by whatever.
    pub(super) fn list_began(&mut self) {
        if self.subject() == Some(Subject::List) {
            self.refresh_began();
        }
    }

    /// Asks for the next reading, or gives it up: called once after all waiting messages.
    pub(super) fn plan_refresh(&mut self) {
        let subject = self.subject();
        if let Some(subject) = subject {
            self.follow_reading(subject);
        }
        let every = self.refresh_every().saturating_mul(1_000);
        let wanted = subject.filter(|subject| {
            every > 0
                && self.cx.shared.signed_in.is_some()
                && !self.is_away()
                // A failed read of the list has a pause of its own.
                && (*subject != Subject::List || !self.tries_again())
                && !self.under_way(*subject)
        });
        let waits_for = self.refresh.timer.map(|timer| timer.subject);
        if waits_for != wanted {
            self.cx.give_up(&Slot::RefreshPause);
        }
        if !self.cx.under_way(&Slot::RefreshPause) {
            self.refresh.timer = None;
        }
        if let (Some(subject), Some(last), None) = (wanted, self.refresh.last, self.refresh.timer) {
            let since = u64::try_from(self.cx.now.saturating_sub(last.at)).unwrap_or(0);
            let pause = every
                .saturating_mul(1 << last.failed.min(10))
                .min(LONGEST_PAUSE.max(every));
            let after = jittered(pause, self.refresh.pauses, self.cx.now).saturating_sub(since);
            let due = self
                .cx
                .now
                .saturating_add(i64::try_from(after).unwrap_or(i64::MAX));
            self.refresh.pauses += 1;
            self.refresh.timer = Some(Timer { subject, due });
            self.cx.timer(Slot::RefreshPause, after);
        }
    }

    /// Takes note of a reading that has come to its end.
    fn follow_reading(&mut self, subject: Subject) {
        let under_way = self.under_way(subject);
        self.refresh.last = match self.last_of(subject) {
            Some(last) if !last.runs || under_way => Some(last),
            Some(last) => {
                let failed = if self.has_failed(subject) {
                    last.failed.saturating_add(1)
                } else {
                    0
                };
                Some(Last {
                    runs: false,
                    at: self.cx.now,
                    failed,
                    ..last
                })
            }
            // Another screen than before: it counts from when it was read, and is due at once if that is long ago.
            None if under_way => None,
            None => {
                let failed = u32::from(self.has_failed(subject));
                let at = if failed > 0 {
                    self.cx.now
                } else {
                    self.read_at(subject).unwrap_or(0)
                };
                Some(Last {
                    subject,
                    runs: false,
                    at,
                    failed,
                })
            }
        };
    }

    fn last_of(&self, subject: Subject) -> Option<Last> {
        self.refresh.last.filter(|last| last.subject == subject)
    }

    /// The pause is over.
    pub(super) fn refresh_is_due(&mut self) {
        let subject = self.refresh.timer.take().map(|timer| timer.subject);
        if self.subject() != subject || self.cx.shared.signed_in.is_none() {
            return;
        }
        self.refresh.by_itself = true;
        self.refresh();
        self.refresh.by_itself = false;
        // A reading that could not begin is not tried again at once.
        if let Some(last) = self.refresh.last.as_mut().filter(|last| !last.runs) {
            last.at = self.cx.now;
        }
    }

    /// The terminal tells that it has the focus, or that it has not any more.
    pub(super) fn focus(&mut self, here: bool) {
        self.refresh.away = !here;
        if !here || !std::mem::take(&mut self.refresh.held) {
            return;
        }
        self.resume();
        if self.sign_in.pending {
            self.cx.effect(Effect::SignInAsConfigured);
        }
    }

    /// A key says that somebody looks, whatever the terminal has told.
    pub(super) fn somebody_is_here(&mut self) {
        if self.refresh.away {
            self.focus(true);
        }
    }

    /// Whether a failed read waits for somebody to look before it is tried again.
    pub(super) fn held_back(&mut self) -> bool {
        self.refresh.held |= self.is_away();
        self.is_away()
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
