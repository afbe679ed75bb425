//! Names that most operations use. Neither a clock nor what calls, reads or writes: the values among the operations see
//! them, too.

pub(super) use std::collections::HashSet;
pub(super) use std::ops::ControlFlow;
pub(super) use std::sync::Arc;

pub(super) use serde_json::{Value, json};

pub(super) use super::{Do, Operation, Step, StepResult, local};
pub(super) use crate::attached::Attached;
pub(super) use crate::disk::{Recorded, WriteId, WriteRecord};
pub(super) use crate::domain::text::count;
pub(super) use crate::domain::{
    Create, Delete, DocRef, Document, End, Failure, FailureKind, Filter, Modify, NewRun, Outcome,
    PROBE_MARK, Page, RunField, RunRow, RunTexts, SuiteChange, Why, WriteTarget, differing, short,
    texts_of,
};
pub(super) use crate::rpc::CallError;
