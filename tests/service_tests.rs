//! The client over real HTTP, against scripted servers and against the local service, and the real program without a
//! screen: its commands, its configuration, what reaches other programs.
//! One program of tests links once and keeps the machine busy while some of them wait.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each program of tests takes what it needs")]
mod support;

mod attached_service;
mod auth;
mod cli;
mod config_load;
mod config_problems;
mod config_secret;
mod contract;
mod flows;
mod headless;
mod keycloak;
mod monitor_flows;
mod rpc;
mod rpc_faults;
mod rpc_fixtures;
mod rpc_odd;
mod runs_writes;
mod sign_in_again;
mod sign_in_words;
mod sinks;
