//! The client over real HTTP, against scripted servers and against the local service, and the real program without a
//! screen: its commands, its configuration, what reaches other programs.
//! One program of tests links once and keeps the machine busy while some of them wait.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each program of tests takes what it needs")]
mod support;

#[path = "attached_service.rs"]
mod attached_service;
#[path = "auth.rs"]
mod auth;
#[path = "cli.rs"]
mod cli;
#[path = "config_load.rs"]
mod config_load;
#[path = "config_problems.rs"]
mod config_problems;
#[path = "config_secret.rs"]
mod config_secret;
#[path = "contract.rs"]
mod contract;
#[path = "flows.rs"]
mod flows;
#[path = "headless.rs"]
mod headless;
#[path = "keycloak.rs"]
mod keycloak;
#[path = "monitor_flows.rs"]
mod monitor_flows;
#[path = "rpc.rs"]
mod rpc;
#[path = "rpc_faults.rs"]
mod rpc_faults;
#[path = "rpc_fixtures.rs"]
mod rpc_fixtures;
#[path = "rpc_odd.rs"]
mod rpc_odd;
#[path = "runs_writes.rs"]
mod runs_writes;
#[path = "sign_in_again.rs"]
mod sign_in_again;
#[path = "sign_in_words.rs"]
mod sign_in_words;
#[path = "sinks.rs"]
mod sinks;
