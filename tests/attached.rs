//! Which suites are in a run, worked out against a truth that only the test knows.

mod calls;
mod hidden_truth;
mod in_no_run;
mod plans;
mod read_all;
mod states;
mod world;
