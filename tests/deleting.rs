//! Marking, deleting and taking back without terminal or network: what is sent, in which order, and what is said.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::support::{deleting, ends, evidence, sample, suites};
#[path = "deleting/any_order.rs"]
mod any_order;
#[path = "deleting/choices.rs"]
mod choices;
#[path = "deleting/left.rs"]
mod left;
#[path = "deleting/marks.rs"]
mod marks;
#[path = "deleting/several.rs"]
mod several;
#[path = "deleting/steps.rs"]
mod steps;
#[path = "deleting/stops.rs"]
mod stops;
#[path = "deleting/undo.rs"]
mod undo;

const SIZE: (u16, u16) = (120, 40);
