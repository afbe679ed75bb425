//! Names that most of the worker's parts use.

pub(super) use std::sync::Arc;
pub(super) use std::time::Duration;

pub(super) use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

pub(super) use super::{Events, Worker, send};
pub(super) use crate::config::Profile;
pub(super) use crate::disk::State;
pub(super) use crate::domain::{DocRef, Failure, WriteTarget};
pub(super) use crate::ops::{local, lock, now};
pub(super) use crate::store::{Answer, Event, RequestId};
