//! What needs no network: values, the state without a terminal, screens as pictures, what is kept on the disk.
//! One program of tests links once and keeps the machine busy while some of them wait.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each program of tests takes what it needs")]
mod support;

mod attached;
mod boxes;
mod compare;
mod copying;
mod deleting;
mod diff;
mod drafts;
mod each_key;
mod forecast;
mod form;
mod form_any;
mod journal;
mod keys;
mod layers;
mod merge;
mod mirror;
mod monitor;
mod mouse;
mod one_look;
mod packaging;
mod pictures;
mod query_language;
mod readme;
mod release;
mod run_screen;
mod runs_list;
mod samples;
mod screens;
mod screens_board;
mod screens_changes;
mod screens_compare;
mod screens_delete;
mod screens_form;
mod screens_monitor;
mod screens_suites;
mod since;
mod store;
mod typing;
mod words;
