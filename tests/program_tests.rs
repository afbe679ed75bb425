//! The real program without a screen: its commands, its configuration, what reaches other programs.
//! One program of tests links once and keeps the machine busy while some of them wait.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each program of tests takes what it needs")]
mod support;

#[path = "cli.rs"]
mod cli;
#[path = "config_load.rs"]
mod config_load;
#[path = "config_problems.rs"]
mod config_problems;
#[path = "config_secret.rs"]
mod config_secret;
#[path = "headless.rs"]
mod headless;
#[path = "sinks.rs"]
mod sinks;
