//! The commands without a screen: the real program against a real service over HTTP.

use super::support;
mod changes;
mod doctor;
mod fault_walk;
mod foreign_text;
mod gate;
mod lagging;
mod progress;
#[expect(dead_code, reason = "each test file takes what it needs")]
#[path = "terminal/pty.rs"]
pub mod pty;
mod report;
mod resume;
mod run_create;
mod run_delete;
mod run_modify;
mod runs;
mod same_as_screen;
pub mod scene;
mod schema;
mod scripting;
mod secrets;
mod sign_in;
mod signals;
mod since;
mod suites;
mod sync;
pub mod watch;
