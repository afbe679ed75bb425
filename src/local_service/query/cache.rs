//! Cached results for one state of the database, until the next write.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use serde_json::Value;

/// Maximum number of cached row numbers over all orders: 8 MB.
const MOST_ROWS: usize = 2_000_000;
/// Maximum number of cached values.
const MOST_VALUES: usize = 200;

/// A result for one state of the database.
#[derive(Debug, Clone)]
pub enum Cached {
    /// Number of matches.
    Count(u64),
    /// Row numbers of all matches, in order.
    Order(Arc<Vec<u32>>),
    /// `filterItemMap`.
    Items(Arc<Value>),
}

/// Results by statement; the oldest ones are dropped first.
#[derive(Debug, Default)]
pub struct Cache {
    revision: i64,
    values: HashMap<String, Cached>,
    age: VecDeque<String>,
    rows: usize,
}

impl Cache {
    /// Cached value for this state.
    pub fn get(&self, revision: i64, key: &str) -> Option<Cached> {
        if revision == self.revision {
            self.values.get(key).cloned()
        } else {
            None
        }
    }

    /// Stores a value, unless it is of an older state.
    pub fn put(&mut self, revision: i64, key: String, value: Cached) {
        if revision < self.revision || self.values.contains_key(&key) && revision == self.revision {
            return;
        }
        if revision > self.revision {
            *self = Self {
                revision,
                ..Self::default()
            };
        }
        self.rows += rows(&value);
        self.age.push_back(key.clone());
        self.values.insert(key, value);
        while (self.rows > MOST_ROWS || self.age.len() > MOST_VALUES) && self.age.len() > 1 {
            if let Some(gone) = self
                .age
                .pop_front()
                .and_then(|oldest| self.values.remove(&oldest))
            {
                self.rows -= rows(&gone);
            }
        }
    }
}

fn rows(value: &Cached) -> usize {
    match value {
        Cached::Order(order) => order.len(),
        Cached::Count(_) | Cached::Items(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_write_makes_old_values_useless() {
        let mut cache = Cache::default();
        cache.put(1, "a".to_owned(), Cached::Count(3));
        assert!(cache.get(1, "a").is_some());
        assert!(cache.get(2, "a").is_none());
        cache.put(2, "b".to_owned(), Cached::Count(4));
        cache.put(1, "c".to_owned(), Cached::Count(5));
        assert!(cache.get(2, "a").is_none());
        assert!(cache.get(2, "c").is_none());
        assert!(matches!(cache.get(2, "b"), Some(Cached::Count(4))));
    }

    #[test]
    fn the_oldest_orders_go_first() {
        let mut cache = Cache::default();
        for key in ["a", "b", "c"] {
            cache.put(1, key.to_owned(), Cached::Order(Arc::new(vec![0; 900_000])));
        }
        assert!(cache.get(1, "a").is_none());
        assert!(cache.get(1, "b").is_some());
        assert!(cache.get(1, "c").is_some());
    }
}
