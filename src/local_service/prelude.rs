//! Names that most parts of the local service use.

pub(super) use std::net::SocketAddr;
pub(super) use std::path::{Path, PathBuf};
pub(super) use std::sync::{Arc, Mutex};
pub(super) use std::time::Duration;

pub(super) use axum::response::IntoResponse;
pub(super) use rand::{Rng, SeedableRng};
pub(super) use rand_chacha::ChaCha8Rng;
pub(super) use rusqlite::{Connection, OptionalExtension, Transaction, params};
pub(super) use secrecy::{ExposeSecret, SecretString};
pub(super) use serde::Deserialize;
pub(super) use serde_json::{Map, Value, json};
pub(super) use uuid::Uuid;

pub(super) use super::database::schema::Names;
pub(super) use super::database::{Database, unpoisoned};
pub(super) use super::document::{RUN_MODEL, SUITE_MODEL, TENANT};
pub(super) use super::error::ServiceError;
pub(super) use super::fault::Fault;
pub(super) use super::json::object;
pub(super) use super::params::Members;
pub(super) use super::query::Reach;
pub(super) use super::results::Counts;
pub(super) use super::{ids, time};
