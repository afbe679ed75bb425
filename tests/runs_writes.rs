//! What the background task writes: effects in, events out, a real service over HTTP, its database and the journal.
#![cfg(feature = "local-service")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support;
#[path = "runs_writes/bench.rs"]
mod bench;
#[path = "runs_writes/copies.rs"]
mod copies;
#[path = "runs_writes/create.rs"]
mod create;
#[path = "runs_writes/delete.rs"]
mod delete;
#[path = "runs_writes/lines.rs"]
mod lines;
#[path = "runs_writes/lost.rs"]
mod lost;
#[path = "runs_writes/modify.rs"]
mod modify;
#[path = "runs_writes/probes.rs"]
mod probes;
#[path = "runs_writes/scene.rs"]
mod scene;
#[path = "runs_writes/suites.rs"]
mod suites;
#[path = "runs_writes/truth.rs"]
mod truth;
#[path = "runs_writes/undo.rs"]
mod undo;
