//! Names that most values of the domain use.

pub(super) use std::collections::{BTreeMap, BTreeSet};
pub(super) use std::sync::Arc;

pub(super) use jiff::Zoned;
pub(super) use jiff::tz::TimeZone;
pub(super) use serde::{Deserialize, Deserializer, Serialize};
pub(super) use serde_json::{Map, Value, json};

pub(super) use super::fields::{Field, Holds};
pub(super) use super::query_language::{Flag, QueryContext, Range, RunCount, folded};
pub(super) use super::table::{Format, TextCell, TextTable};
pub(super) use super::text::count;
pub(super) use super::{
    DocRef, Document, ResultCode, ResultCounts, RunRow, Status, Sums, fields, scalar_text, text,
    version_numbers,
};
