//! The contents of one line.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;

use crate::domain::WriteTarget;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Name of a write in all its lines; unique across programs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WriteId(String);

impl WriteId {
    /// Creates a name for a write that begins `at` (epoch milliseconds).
    pub fn new(at: i64) -> Self {
        // The keys of each hasher are random, and differ within a process.
        Self(format!(
            "{:012x}-{:016x}",
            at.max(0),
            RandomState::new().hash_one(std::process::id())
        ))
    }

    /// Wraps a name that was read.
    pub(super) fn from_text(text: String) -> Self {
        Self(text)
    }

    /// The text in the file.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WriteId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// One step of one write. It has no field for a header or a token.
#[derive(Clone, Debug, PartialEq)]
pub struct WriteStep {
    /// The write to which the step belongs.
    pub write: WriteId,
    /// Time of the step, epoch milliseconds.
    pub at: i64,
    /// Name of the profile.
    pub profile: String,
    /// Service and project; earlier versions did not keep them.
    pub target: WriteTarget,
    /// Reference of the run (2.1), empty for a new run.
    pub run: String,
    /// Name of the run for the user: short id and title.
    pub run_name: String,
    pub step: Recorded,
}

/// A recorded step of a write.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "lowercase")]
pub enum Recorded {
    /// About to be sent; on the disk before any byte is sent.
    Sent {
        /// Name of the operation (4.3).
        method: String,
        /// Its params, exactly as sent.
        params: Value,
        /// Further notes, such as the result counts at stake.
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<Value>,
    },
    /// The service answered with a result, kept unchanged.
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
    /// The answer was lost: the service may have acted or not.
    Unknown {
        /// The failure in words.
        failure: String,
    },
    /// Reading afterwards agrees.
    Confirmed {
        /// The reading.
        how: String,
    },
    /// Reading afterwards disagrees.
    Differs {
        /// The difference.
        what: String,
    },
    /// A step of another version; only read, never written.
    #[serde(skip_deserializing)]
    Other { name: String },
}

impl Recorded {
    /// True if the end of the write is still open after it.
    pub fn is_open(&self) -> bool {
        use Recorded::{Answered, Differs, Sent, Unknown};
        matches!(
            self,
            Sent { .. } | Answered { .. } | Unknown { .. } | Differs { .. }
        )
    }
}
