//! A value of the service, with its local state.

use crate::domain::Failure;

/// Remote value: absent, being read, loaded or failed; an older value stays readable through all of it.
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
    /// Value of the last good reading.
    pub fn value(&self) -> Option<&T> {
        self.value.as_ref().map(|(value, _)| value)
    }

    /// The value, unless the reading of a newer one failed.
    pub fn newest(&self) -> Option<&T> {
        self.value().filter(|_| self.failure.is_none())
    }

    /// Time of that reading, epoch milliseconds.
    pub fn read_at(&self) -> Option<i64> {
        self.value.as_ref().map(|(_, at)| *at)
    }

    /// Returns true while an answer is awaited.
    pub fn is_reading(&self) -> bool {
        self.reading
    }

    /// Failure of the last request.
    pub fn failure(&self) -> Option<&Failure> {
        self.failure.as_ref()
    }

    /// Notes that a request was sent.
    pub fn ask(&mut self) {
        self.reading = true;
        self.failure = None;
    }

    /// Sets a value from another source.
    pub fn put(&mut self, value: T, now: i64) {
        self.value = Some((value, now));
    }

    /// Stops waiting.
    pub fn cancel(&mut self) {
        self.reading = false;
    }

    /// Stores the answer.
    pub fn accept(&mut self, result: Result<T, Failure>, now: i64) {
        self.reading = false;
        match result {
            Ok(value) => self.value = Some((value, now)),
            Err(failure) => self.failure = Some(failure),
        }
    }
}

/// State of a screen's readings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reading {
    /// Seconds between two readings, if not those of the profile.
    pub every: Option<u64>,
    /// Time of the last good reading, epoch milliseconds.
    pub read_at: Option<i64>,
    /// A reading is under way.
    pub busy: bool,
    /// The last reading failed.
    pub failed: bool,
}
