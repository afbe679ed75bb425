//! Names that most operations use. Neither a clock nor what calls, reads or writes: the values among the operations see
//! them, too.

pub(super) use std::collections::HashSet;
pub(super) use std::sync::Arc;

pub(super) use serde_json::Value;

pub(super) use super::{Do, Operation, Step, StepResult, local};
pub(super) use crate::attached::Attached;
pub(super) use crate::disk::{Recorded, WriteId, WriteRecord};
pub(super) use crate::domain::{
    Delete, DocRef, Document, End, Failure, FailureKind, Outcome, RunField, RunRow, SuiteChange,
    Why, differing, texts_of,
};
pub(super) use crate::rpc::CallError;
