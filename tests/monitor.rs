//! Watching without writing: reading again by itself, what changed, the monitor; without terminal or network.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support::{ends, sample, samples_of, suites, world};
#[path = "monitor/feed.rs"]
mod feed;
#[path = "monitor/finished.rs"]
mod finished;
#[path = "monitor/limits.rs"]
mod limits;
#[path = "monitor/refresh.rs"]
mod refresh;
#[path = "monitor/views.rs"]
mod views;
#[path = "monitor/wall.rs"]
mod wall;
#[path = "monitor/watching.rs"]
mod watching;
#[path = "monitor/what_if.rs"]
mod what_if;
