//! Which suites are in a run, worked out against a truth that only the test knows.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[path = "attached/calls.rs"]
mod calls;
#[path = "attached/hidden_truth.rs"]
mod hidden_truth;
#[path = "attached/plans.rs"]
mod plans;
#[path = "attached/read_all.rs"]
mod read_all;
#[path = "attached/states.rs"]
mod states;
#[path = "attached/world.rs"]
mod world;
