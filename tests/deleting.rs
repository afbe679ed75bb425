//! Marking, deleting and taking back without terminal or network: what is sent, in which order, and what is said.

use super::support::{deleting, evidence, sample, suites};
mod any_order;
mod by_keys;
mod marks;
mod stops;
mod undo;

const SIZE: (u16, u16) = (120, 40);
