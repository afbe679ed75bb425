//! Watching without writing: reading again by itself, what changed, the monitor; without terminal or network.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support::{sample, samples_of, suites, world};
#[path = "monitor/feed.rs"]
mod feed;
#[path = "monitor/finished.rs"]
mod finished;
#[path = "monitor/refresh.rs"]
mod refresh;
#[path = "monitor/thresholds.rs"]
mod thresholds;
#[path = "monitor/views.rs"]
mod views;
#[path = "monitor/watching.rs"]
mod watching;
#[path = "monitor/what_if.rs"]
mod what_if;
