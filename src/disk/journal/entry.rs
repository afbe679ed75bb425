//! What stands in one line.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Names one write over all its lines; no two programs make the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WriteId(String);

impl WriteId {
    /// A new name for a write that begins `at` (epoch milliseconds).
    pub fn new(at: i64) -> Self {
        // Keys of the hasher come from the system's random numbers, and no two hashers of a process have the same.
        Self(format!(
            "{:012x}-{:016x}",
            at.max(0),
            RandomState::new().hash_one(std::process::id())
        ))
    }

    /// The name as it was read.
    pub(super) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// The text that stands in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One step of one write. There is no place for a header or a token in it.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteStep {
    /// The write that this is a step of.
    pub write: WriteId,
    /// When, epoch milliseconds.
    pub at: i64,
    /// Name of the profile.
    pub profile: String,
    /// Reference of the run (2.1); empty while a new run has none.
    pub run: String,
    /// What the person knows the run by: short id and title.
    pub run_name: String,
    /// What happened.
    pub step: Recorded,
}

/// What happened to a write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Recorded {
    /// About to be sent: what stands here before any byte goes out.
    Sent {
        /// Name of the operation (4.3).
        method: String,
        /// Its params, exactly as they are sent.
        params: Value,
        /// What else is worth keeping, such as the result counts at stake.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<Value>,
    },
    /// The service answered with a result, kept as it came.
    Answered {
        /// The `result` member.
        result: Value,
    },
    /// The service refused: nothing has changed.
    Refused {
        /// The failure in words.
        failure: String,
    },
    /// It never reached the service: nothing has changed.
    NotSent {
        /// The failure in words.
        failure: String,
    },
    /// The answer was lost: whether the service acted is not known.
    Unknown {
        /// The failure in words.
        failure: String,
    },
    /// Reading afterwards agrees.
    Confirmed {
        /// By what reading.
        how: String,
    },
    /// Reading afterwards disagrees.
    Differs {
        /// In what.
        what: String,
    },
    /// A step that this version does not know; only ever read.
    #[serde(skip_deserializing)]
    Other { name: String },
}
