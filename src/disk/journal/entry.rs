//! The contents of one line.

use std::collections::hash_map::RandomState;
use std::fmt;
use std::hash::BuildHasher;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::{WriteTarget, text};

/// Name of a write in all its lines; unique across programs.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
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
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WriteStep {
    /// The write to which the step belongs.
    pub write: WriteId,
    /// Time of the step, epoch milliseconds.
    pub at: i64,
    /// Name of the profile.
    #[serde(default)]
    pub profile: String,
    /// Service and project; earlier versions did not keep them.
    #[serde(flatten)]
    pub target: WriteTarget,
    /// User by whom the write was sent; empty if not known, as in earlier versions.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub user: String,
    /// Reference of the run (2.1), empty for a new run.
    #[serde(default)]
    pub run: String,
    /// Name of the run for the user: short id and title.
    #[serde(default)]
    pub run_name: String,
    #[serde(flatten)]
    pub step: Recorded,
}

impl WriteStep {
    /// Returns the line with its end. Control characters are escaped, so there is no other line end in it.
    pub(super) fn to_line(&self) -> serde_json::Result<String> {
        Ok(text::json(&serde_json::to_string(self)?).into_owned() + "\n")
    }

    /// Reads one line; `None` if it is none of a write, such as the remains of a crash.
    pub(super) fn of_line(line: &[u8]) -> Option<Self> {
        serde_json::from_slice(line).ok()
    }
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
    /// Nothing has changed: the service refused, or it never reached the service.
    Refused {
        /// False if it never reached the service.
        #[serde(default = "is_sent")]
        sent: bool,
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
    #[serde(other)]
    Other,
}

/// Earlier versions wrote it only where it was not sent.
fn is_sent() -> bool {
    true
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

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_step_comes_back_with_every_digit() {
        let params: Value =
            serde_json::from_str(r#"{"b":1.50,"a":[123456789012345678901234567890,"x\ny"]}"#)
                .unwrap();
        let steps = [
            Recorded::Sent {
                method: "M".into(),
                params: params.clone(),
                note: Some(json!({ "Passed": 3 })),
            },
            Recorded::Sent {
                method: "M".into(),
                params: params.clone(),
                note: None,
            },
            Recorded::Answered {
                result: Value::Null,
            },
            Recorded::Answered { result: params },
            Recorded::Refused {
                sent: true,
                failure: "f".into(),
            },
            Recorded::Refused {
                sent: false,
                failure: "f".into(),
            },
            Recorded::Unknown {
                failure: "f".into(),
            },
            Recorded::Confirmed { how: "h".into() },
            Recorded::Differs { what: "w".into() },
        ];
        for step in steps {
            let write = WriteId::new(7);
            let [profile, service, project, run, run_name] =
                ["p", "http://x/api", "P_9/SP_1", "TestRun-dm/1", "R_1\u{1b}"].map(str::to_owned);
            let entry = WriteStep {
                write,
                at: 7,
                profile,
                target: WriteTarget { service, project },
                user: "qa".into(),
                run,
                run_name,
                step,
            };
            let line = entry.to_line().unwrap();
            assert_eq!(line.find('\n'), Some(line.len() - 1));
            assert_eq!(WriteStep::of_line(line.as_bytes()), Some(entry));
        }
    }

    /// So an earlier version reads what a later one has added.
    #[test]
    fn unknown_members_of_a_line_are_let_go() {
        let line =
            r#"{"write":"w","at":1,"later":{"x":[1]},"step":"confirmed","how":"h","more":2}"#;
        let entry = WriteStep::of_line(line.as_bytes()).unwrap();
        assert_eq!(entry.step, Recorded::Confirmed { how: "h".into() });
    }

    #[test]
    fn a_line_of_an_earlier_version_is_refused_unless_it_says_that_it_was_not_sent() {
        for (sent, step) in [("", true), (r#""sent":false,"#, false)] {
            let line = format!(r#"{{"write":"w","at":1,"step":"refused",{sent}"failure":"f"}}"#);
            let entry = WriteStep::of_line(line.as_bytes()).unwrap();
            let failure = "f".to_owned();
            assert_eq!(
                entry.step,
                Recorded::Refused {
                    sent: step,
                    failure
                }
            );
            assert_eq!(
                (entry.profile.as_str(), entry.target),
                ("", WriteTarget::default())
            );
            assert_eq!(entry.user, "");
        }
    }
}
