//! What goes wrong with a write: the rows and columns of the fault walks over the command line and the screen.

use std::time::Duration;

use super::proxy::Fault;

/// What is asked of the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Write {
    Add,
    Remove,
    Create,
    Modify,
    Delete,
}

/// What is wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wrong {
    /// The request makes no sense to the service.
    RefusedBefore,
    /// The service says no, and does nothing.
    Denied,
    /// 401, and nothing is done.
    SessionLost,
    /// Something in between answers.
    GatewayBefore,
    /// The service has no time just now.
    Unavailable,
    CutBefore,
    /// It is done when nobody waits any more.
    Slow,
    /// It is done, and an error says otherwise.
    ErrorAfter,
    /// The same with a status.
    StatusAfter,
    /// The same, as of a session that is over.
    SessionLostAfter,
    CutAfter,
}

pub const WRITES: [Write; 5] = [
    Write::Add,
    Write::Remove,
    Write::Create,
    Write::Modify,
    Write::Delete,
];
pub const WRONG: [Wrong; 11] = [
    Wrong::RefusedBefore,
    Wrong::Denied,
    Wrong::SessionLost,
    Wrong::GatewayBefore,
    Wrong::Unavailable,
    Wrong::CutBefore,
    Wrong::Slow,
    Wrong::ErrorAfter,
    Wrong::StatusAfter,
    Wrong::SessionLostAfter,
    Wrong::CutAfter,
];

impl Write {
    pub fn method(self) -> &'static str {
        match self {
            Self::Add => "ADD_TEST_SUITES_TO_RUN",
            Self::Remove => "DELETE_TEST_SUITES_FROM_RUN",
            Self::Create => "ADD_DOCUMENT",
            Self::Modify => "MODIFY_DOCUMENT",
            Self::Delete => "DELETE_TEST_RUN",
        }
    }
}

impl Wrong {
    pub fn fault(self) -> Fault {
        let error = |code: i64| {
            let error = serde_json::json!({"code": code, "message": "no"});
            let answer = serde_json::json!({"jsonrpc": "2.0", "id": null, "error": error});
            answer.to_string().into_bytes()
        };
        match self {
            Self::RefusedBefore => Fault::Replace(200, error(-32602)),
            Self::Denied => Fault::Replace(200, error(-31000)),
            Self::SessionLost => Fault::status(401),
            Self::GatewayBefore => Fault::Replace(502, b"<html>bad gateway</html>".to_vec()),
            Self::Unavailable => Fault::status(503),
            Self::CutBefore => Fault::CutBefore,
            Self::Slow => Fault::delay(4_500),
            Self::ErrorAfter => Fault::After(200, error(-31000)),
            Self::StatusAfter => Fault::After(500, b"boom".to_vec()),
            Self::SessionLostAfter => Fault::After(401, b"{}".to_vec()),
            Self::CutAfter => Fault::CutAfter,
        }
    }

    /// How long an answer is waited for: short only where it is to be late, for machines are busy.
    pub fn time_out(self) -> Duration {
        Duration::from_secs(if self == Self::Slow { 4 } else { 30 })
    }

    /// `end` in JSON and the exit status.
    pub fn expected(self) -> (&'static str, i32) {
        match self {
            Self::RefusedBefore | Self::Denied | Self::SessionLost => ("refused", 7),
            Self::GatewayBefore | Self::Unavailable | Self::CutBefore | Self::Slow => {
                ("unknown", 8)
            }
            Self::ErrorAfter | Self::StatusAfter | Self::SessionLostAfter | Self::CutAfter => {
                ("done", 0)
            }
        }
    }
}

/// Whether the end that was told may be said, with this being in effect once all is quiet.
pub fn is_true(end: &str, in_effect: bool) -> bool {
    match end {
        "done" => in_effect,
        "refused" | "not_sent" => !in_effect,
        "unknown" => true,
        _ => false,
    }
}
