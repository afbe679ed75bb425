//! What needs no network: values, the state without a terminal, screens as pictures, what is kept on the disk.
//! One program of tests links once and keeps the machine busy while some of them wait.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[expect(dead_code, reason = "each program of tests takes what it needs")]
mod support;

#[path = "attached.rs"]
mod attached;
#[path = "boxes.rs"]
mod boxes;
#[path = "copying.rs"]
mod copying;
#[path = "deleting.rs"]
mod deleting;
#[path = "diff.rs"]
mod diff;
#[path = "drafts.rs"]
mod drafts;
#[path = "each_key.rs"]
mod each_key;
#[path = "forecast.rs"]
mod forecast;
#[path = "form.rs"]
mod form;
#[path = "form_any.rs"]
mod form_any;
#[path = "journal.rs"]
mod journal;
#[path = "keys.rs"]
mod keys;
#[path = "layers.rs"]
mod layers;
#[path = "merge.rs"]
mod merge;
#[path = "monitor.rs"]
mod monitor;
#[path = "mouse.rs"]
mod mouse;
#[path = "one_look.rs"]
mod one_look;
#[path = "pictures.rs"]
mod pictures;
#[path = "readme.rs"]
mod readme;
#[path = "run_screen.rs"]
mod run_screen;
#[path = "runs_list.rs"]
mod runs_list;
#[path = "samples.rs"]
mod samples;
#[path = "screens.rs"]
mod screens;
#[path = "screens_delete.rs"]
mod screens_delete;
#[path = "screens_form.rs"]
mod screens_form;
#[path = "screens_monitor.rs"]
mod screens_monitor;
#[path = "screens_suites.rs"]
mod screens_suites;
#[path = "store.rs"]
mod store;
#[path = "words.rs"]
mod words;
