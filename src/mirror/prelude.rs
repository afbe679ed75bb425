//! Names that most parts of the mirror use.

pub(super) use std::collections::{HashMap, HashSet};
pub(super) use std::sync::Arc;

pub(super) use crate::disk::database::Done;
pub(super) use crate::domain::diff::OwnWrite;
pub(super) use crate::domain::{
    Days, DocRef, FieldDigests, Filter, Quiet, ResultCode, RunRow, Sample, Status, digest, fields,
};
