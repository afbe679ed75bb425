//! The mirror: what changed is told once, whoever else reads and whatever happens to program and file; what is read is
//! bounded; and it ends up as what the service has.

mod any_history;
mod disk;
mod door;
mod readings;
pub mod world;
