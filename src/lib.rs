//! **rundown**: a terminal client for the test runs of a test management service.
//!
//! ```text
//!  keys ──► keymap ──Action──► store ──Effect──► worker ──► rpc ──► the service
//!                                ▲ │                │  └──► auth ─► the identity provider
//!                                │ └──► view ──► screen
//!                                └──────Event───────┘
//! ```
//!
//! A key becomes an `Action`, the store turns it into state and `Effect`s, the worker performs the effects and answers
//! with `Event`s, the view draws the state of the store.

#![cfg_attr(
    test,
    expect(clippy::unwrap_used, reason = "a test fails by panicking")
)]

pub mod app;
pub mod attached;
pub mod auth;
pub mod cli;
pub mod config;
#[cfg(feature = "local-service")]
pub mod demo;
pub mod disk;
pub mod domain;
mod editor;
pub mod forecast;
pub mod headless;
pub mod keymap;
#[cfg(feature = "local-service")]
pub mod local_service;
pub mod mirror;
pub mod ops;
pub mod popups;
pub mod profile;
pub mod report;
pub mod rpc;
pub mod samples;
pub mod screens;
pub mod setup;
pub mod store;
pub mod terminal;
pub mod ui;
pub mod worker;
