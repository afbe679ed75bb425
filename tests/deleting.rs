//! Marking, deleting and taking back without terminal or network: what is sent, in which order, and what is said.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support::{deleting, evidence, sample, suites};
#[path = "deleting/any_order.rs"]
mod any_order;
#[path = "deleting/by_keys.rs"]
mod by_keys;
#[path = "deleting/marks.rs"]
mod marks;
#[path = "deleting/stops.rs"]
mod stops;
#[path = "deleting/undo.rs"]
mod undo;

const SIZE: (u16, u16) = (120, 40);
