//! The names that most tests use.

pub use std::collections::BTreeSet;
pub use std::path::{Path, PathBuf};
pub use std::sync::Arc;
pub use std::time::{Duration, Instant};

pub use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
pub use jiff::tz::TimeZone;
pub use rundown::config::{MonitorSettings, ProjectSettings};
pub use rundown::disk::{Journal, Recorded};
pub use rundown::domain::{
    DocRef, Document, Draft, DraftOwner, DraftWish, DueDates, DueOf, End, Failure, FailureKind,
    Filter, FormFor, Outcome, Page, ResultCode, ResultCounts, RunField, RunRow, RunTexts,
    RunsOperation, RunsPage, SignInReason, Status, Why,
};
#[cfg(feature = "local-service")]
pub use rundown::local_service::{LocalService, Options};
pub use rundown::store::{
    Action, Answer, DraftRequest, Effect, Event, ExportedRuns, Layer, Message, Motion, Opened,
    Request, RequestId, SampleRequest, Session, Slot,
};
pub use secrecy::ExposeSecret;
pub use serde_json::{Value, json};

pub use super::With as _;
pub use super::look::Look as _;
pub use super::proxy::{Fault, Proxy};
pub use super::sample::{
    FIRST, NOW, Sample, closed_document, document, failure, journal_line, row, session,
};
pub use super::scripted::{Say, Scripted, Seen};
pub use super::texts::{begins, lacks, line, says, says_wrapped};
pub use super::world::{ById, World};
pub use super::writes::Writes as _;
#[cfg(feature = "local-service")]
pub use super::{Other, desk_client, options};
pub use super::{counted, new_folder, owner, pause};
