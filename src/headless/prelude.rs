//! Names that most commands use.

pub(super) use std::borrow::Cow;

pub(super) use jiff::tz::TimeZone;
pub(super) use serde_json::{Value, json};

pub(super) use super::{Access, EarlyExit, EndSignals, Exit, Ran, called, note, print, tell_line};
pub(super) use crate::cli::ChangeFormat;
pub(super) use crate::config::Profile;
pub(super) use crate::domain::json::names;
pub(super) use crate::domain::{
    ChunkResult, DocRef, Document, DocumentName, End, Filter, Outcome, ResultCode, RunRow, Status,
    json, text,
};
pub(super) use crate::ops::now;
