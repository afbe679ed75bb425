//! Names that most parts of the survey use.

pub(super) use std::collections::{BTreeMap, BTreeSet, HashSet};
pub(super) use std::sync::Arc;

pub(super) use super::{Attached, Named, Scope, State, SurveySource};
pub(super) use crate::domain::{
    DocRef, Extent, Failure, FailureKind, ListPage, Page, Pages, ReadFault, RunRow, Sort, Status,
    SuiteRow,
};
