//! The suites of a run: those that can be added, and those that are in it.

mod available;
mod members;

pub use available::Available;
pub use members::{Member, Members};
