//! A token and its lifetime.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use reqwest::header::HeaderValue;
use secrecy::{ExposeSecret, SecretString};

/// An access token for the `Authorization` header (5.2). Debug output hides it.
#[derive(Clone, Debug)]
pub struct Bearer {
    value: Arc<SecretString>,
    generation: u64,
}

impl Bearer {
    pub(super) fn new(value: SecretString, generation: u64) -> Self {
        Self {
            value: Arc::new(value),
            generation,
        }
    }

    /// Number of the token; each token of a session has a higher one than those before.
    pub(super) fn generation(&self) -> u64 {
        self.generation
    }

    /// The token itself, to remove it from texts that echo it.
    pub(crate) fn expose(&self) -> &str {
        self.value.expose_secret()
    }

    /// Returns `Bearer <ACCESS_TOKEN>`; `None` if the token holds characters that a header cannot.
    pub(crate) fn header(&self) -> Option<HeaderValue> {
        header(self.expose())
    }
}

/// Returns the header value of a token, marked as sensitive so that logs of headers hide it.
pub(super) fn header(token: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(&format!("Bearer {token}")).ok()?;
    value.set_sensitive(true);
    Some(value)
}

/// Lifetime of a token, counted by two clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lifetime {
    pub since: Instant,
    pub wall: SystemTime,
    pub lasts: Duration,
}

impl Lifetime {
    /// Starts the count now.
    pub fn starting_now(lasts: Duration) -> Self {
        Self {
            since: Instant::now(),
            wall: SystemTime::now(),
            lasts,
        }
    }

    /// The larger age of the two clocks: the monotonic one stops while a laptop sleeps, the wall clock may be set back,
    /// and neither may make a token look younger.
    fn age(&self) -> Duration {
        let by_wall = self.wall.elapsed().unwrap_or_default();
        self.since.elapsed().max(by_wall)
    }

    /// True if 80 % of the time has passed.
    pub fn due(&self) -> bool {
        self.age() >= self.lasts.mul_f64(0.8)
    }

    /// True if all of the time has passed.
    pub fn has_passed(&self) -> bool {
        self.age() >= self.lasts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_clock_makes_a_token_old() {
        let at = |monotonic: u64, wall: i64| {
            let now = SystemTime::now();
            let life = Lifetime {
                since: Instant::now()
                    .checked_sub(Duration::from_secs(monotonic))
                    .unwrap(),
                wall: match u64::try_from(wall) {
                    Ok(ago) => now - Duration::from_secs(ago),
                    Err(_) => now + Duration::from_secs(wall.unsigned_abs()),
                },
                lasts: Duration::from_secs(100),
            };
            (life.due(), life.has_passed())
        };
        assert_eq!(at(79, 79), (false, false));
        assert_eq!(at(80, 80), (true, false));
        assert_eq!(at(100, 100), (true, true));
        assert_eq!(at(5, 4_000), (true, true), "the laptop slept");
        assert_eq!(at(85, -4_000), (true, false), "the wall clock was set back");
        assert_eq!(at(101, -4_000), (true, true), "the wall clock was set back");
    }

    #[test]
    fn a_bearer_shows_nothing() {
        let bearer = Bearer::new("canary".to_owned().into(), 1);
        assert!(!format!("{bearer:?} {:?}", bearer.header()).contains("canary"));
        assert!(Bearer::new("a\nb".to_owned().into(), 1).header().is_none());
    }
}
