//! The places of the program, each with its keys.

mod confirm;
mod delete;
mod detail;
mod errors;
mod feed;
mod form;
mod help;
mod journal;
mod json;
mod login;
mod monitor;
mod picker;
mod review;
mod runs;
mod shared;
mod suites;
mod typing;
mod work;

use super::Place;

/// All of them.
pub const PLACES: &[Place] = &[
    runs::PLACE,
    feed::PLACE,
    detail::PLACE,
    json::PLACE,
    suites::AVAILABLE,
    suites::MEMBERS,
    monitor::PLACE,
    form::PLACE,
    review::PLACE,
    delete::PLACE,
    confirm::PLACE,
    work::PLACE,
    journal::PLACE,
    typing::PLACE,
    picker::PLACE,
    login::PLACE,
    help::PLACE,
    errors::PLACE,
];
