//! What the background task writes: effects in, events out, a real service over HTTP, its database and the journal.

use super::support;
mod bench;
mod copies;
mod create;
mod delete;
mod lines;
mod lost;
mod modify;
mod probes;
mod read_alone;
mod scene;
mod suites;
mod truth;
mod undo;
