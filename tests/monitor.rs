//! Watching without writing: reading again by itself, what changed, the monitor; without terminal or network.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "support/sample.rs"]
mod sample;

#[path = "monitor/feed.rs"]
mod feed;
#[path = "monitor/finished.rs"]
mod finished;
#[path = "monitor/refresh.rs"]
mod refresh;
#[expect(dead_code, reason = "each test file takes what it needs")]
#[path = "support/samples_of.rs"]
mod samples_of;
#[path = "support/suites.rs"]
mod suites;
#[path = "monitor/thresholds.rs"]
mod thresholds;
#[path = "monitor/views.rs"]
mod views;
#[path = "monitor/watching.rs"]
mod watching;
#[path = "monitor/what_if.rs"]
mod what_if;
#[path = "monitor/world.rs"]
mod world;
