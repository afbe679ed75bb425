//! The local service over real HTTP, held against the interface document.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod bounds;
mod client;
mod documents;
mod envelope;
mod first_steps;
mod lag;
mod lifecycle;
mod lists;
mod live;
mod search;
mod second_writer;
mod sign_in;
mod suites;
