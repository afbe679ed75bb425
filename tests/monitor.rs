//! Watching without writing: reading again by itself, what changed, the monitor; without terminal or network.

use super::support::{ends, sample, samples_of, suites};
mod feed;
mod finished;
mod limits;
mod refresh;
mod views;
mod wall;
mod watching;
mod what_if;
