//! A value that the service holds, with what is known of it here.

use crate::domain::Failure;

/// A remote value: absent, under way, here, or failed; an older value stays readable through all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Remote<T> {
    value: Option<(T, i64)>,
    reading: bool,
    failure: Option<Failure>,
}

impl<T> Default for Remote<T> {
    fn default() -> Self {
        Self {
            value: None,
            reading: false,
            failure: None,
        }
    }
}

impl<T> Remote<T> {
    /// The value, as it was read last.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref().map(|(value, _)| value)
    }

    /// The value, unless a newer one could not be read.
    pub fn newest(&self) -> Option<&T> {
        self.value().filter(|_| self.failure.is_none())
    }

    /// When the value was read, epoch milliseconds.
    pub fn read_at(&self) -> Option<i64> {
        self.value.as_ref().map(|(_, at)| *at)
    }

    /// It is asked for, and the answer is not here.
    pub fn is_reading(&self) -> bool {
        self.reading
    }

    /// Why the last request failed.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// A request is under way.
    pub fn ask(&mut self) {
        self.reading = true;
        self.failure = None;
    }

    /// A value that came by another way.
    pub fn put(&mut self, value: T, now: i64) {
        self.value = Some((value, now));
    }

    /// Nobody waits any more.
    pub fn cancel(&mut self) {
        self.reading = false;
    }

    /// Takes the answer.
    pub fn accept(&mut self, result: Result<T, Failure>, now: i64) {
        self.reading = false;
        match result {
            Ok(value) => self.value = Some((value, now)),
            Err(failure) => self.failure = Some(failure),
        }
    }
}

/// How the reading of a screen stands.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Seconds between two readings, where that is not what the profile says.
    pub every: Option<u64>,
    /// When what it shows was read, epoch milliseconds.
    pub read_at: Option<i64>,
    /// It is under way.
    pub busy: bool,
    /// The last one failed.
    pub failed: bool,
}
