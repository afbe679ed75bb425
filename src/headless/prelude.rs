//! Names that most commands use.

pub(super) use std::borrow::Cow;

pub(super) use jiff::tz::TimeZone;
pub(super) use serde_json::{Value, json};

pub(super) use super::{Access, EarlyExit, EndSignals, Exit, Ran, called, note, print, tell_line};
pub(super) use crate::attached::Named;
pub(super) use crate::cli::{ChangeFormat, Format};
pub(super) use crate::config::Profile;
pub(super) use crate::disk::{cache_dir, state_dir};
pub(super) use crate::domain::fields::Field;
pub(super) use crate::domain::json::names;
pub(super) use crate::domain::query_language::{QueryContext, RunCount};
pub(super) use crate::domain::{
    ChunkResult, Deed, DocRef, Document, DocumentName, End, Extent, FailureKind, Filter, Outcome,
    ReadOptions, ResultCode, RunField, RunRow, Status, Why, fields, json, text,
};
pub(super) use crate::mirror::Mirror;
pub(super) use crate::ops::now;
pub(super) use crate::ui::Now;
