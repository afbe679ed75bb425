//! The commands without a screen: the real program against a real service over HTTP.
#![cfg(feature = "local-service")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support;
#[path = "headless/changes.rs"]
mod changes;
#[path = "headless/fault_walk.rs"]
mod fault_walk;
#[path = "headless/foreign_text.rs"]
mod foreign_text;
#[path = "headless/gate.rs"]
mod gate;
#[path = "headless/lagging.rs"]
mod lagging;
#[path = "headless/progress.rs"]
mod progress;
#[expect(dead_code, reason = "each test file takes what it needs")]
#[path = "terminal/pty.rs"]
mod pty;
#[path = "headless/resume.rs"]
mod resume;
#[path = "headless/run_create.rs"]
mod run_create;
#[path = "headless/run_delete.rs"]
mod run_delete;
#[path = "headless/run_modify.rs"]
mod run_modify;
#[path = "headless/runs.rs"]
mod runs;
#[path = "headless/same_as_screen.rs"]
mod same_as_screen;
#[path = "headless/scene.rs"]
pub mod scene;
#[path = "headless/schema.rs"]
mod schema;
#[path = "headless/secrets.rs"]
mod secrets;
#[path = "headless/sign_in.rs"]
mod sign_in;
#[path = "headless/signals.rs"]
mod signals;
#[path = "headless/suites.rs"]
mod suites;
#[path = "headless/watch.rs"]
pub mod watch;
