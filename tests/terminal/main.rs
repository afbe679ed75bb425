//! The real program in a pseudo-terminal: what a person sees there, and what is left of it afterwards.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod appearance;
mod clipboard;
mod editor;
mod focus;
mod goes_on;
mod home;
mod jobs;
mod kills;
mod office;
mod panics;
mod person;
mod picture;
#[expect(dead_code, reason = "the flows use all of it")]
#[path = "../support/proxy.rs"]
mod proxy;
mod pty;
mod setup;
mod shells;
mod sizes;
mod start;
#[expect(dead_code, reason = "the flows use all of it")]
#[path = "../support/texts.rs"]
mod texts;
#[path = "../support/tls.rs"]
mod tls;
mod using;
mod ways_out;
