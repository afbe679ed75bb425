//! Marking, deleting and taking back without terminal or network: what is sent, in which order, and what is said.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each test file takes what it needs")]
#[path = "support/sample.rs"]
mod sample;

#[path = "deleting/marks.rs"]
mod marks;

const SIZE: (u16, u16) = (120, 40);
