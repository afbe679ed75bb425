//! A state of the database with its cached results.

use std::sync::{Arc, Mutex, MutexGuard};

use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, params_from_iter};

use super::schema::Names;
use super::unpoisoned;
use crate::local_service::fault::Fault;
use crate::local_service::query::{Cache, Cached};

/// A state of the database that does not change while it is read.
pub struct Snapshot<'a> {
    /// Open read transaction.
    pub connection: &'a Connection,
    /// Number that every write of any process raises.
    pub revision: i64,
    /// Projects, sub projects and versions.
    pub names: &'a Names,
    pub(super) cache: &'a Mutex<Cache>,
}

impl Snapshot<'_> {
    /// Cached results of this state.
    pub fn cache(&self) -> MutexGuard<'_, Cache> {
        unpoisoned(self.cache)
    }

    /// Row numbers that a statement yields, cached until the next write.
    pub fn order_of(&self, sql: &str, values: &[SqlValue]) -> Result<Arc<Vec<u32>>, Fault> {
        let key = format!("{sql}\n{values:?}");
        let known = self.cache().get(self.revision, &key);
        if let Some(Cached::Order(rows)) = known {
            return Ok(rows);
        }
        let mut statement = self.connection.prepare_cached(sql)?;
        let rows = statement.query_map(params_from_iter(values), |row| row.get::<_, u32>(0))?;
        let rows = Arc::new(rows.collect::<Result<Vec<u32>, _>>()?);
        self.cache()
            .put(self.revision, key, Cached::Order(Arc::clone(&rows)));
        Ok(rows)
    }

    /// Number that a statement yields, cached until the next write.
    pub fn count_of(&self, sql: &str, values: &[SqlValue]) -> Result<u64, Fault> {
        let key = format!("{sql}\n{values:?}");
        let known = self.cache().get(self.revision, &key);
        if let Some(Cached::Count(count)) = known {
            return Ok(count);
        }
        let mut statement = self.connection.prepare_cached(sql)?;
        let count = statement
            .query_row(params_from_iter(values), |row| row.get::<_, i64>(0))?
            .cast_unsigned();
        self.cache().put(self.revision, key, Cached::Count(count));
        Ok(count)
    }
}
