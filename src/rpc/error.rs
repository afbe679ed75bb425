//! Errors of calls (interface section 7 does not define the shape of a failure).

use std::time::Duration;

use super::bounds::TooLarge;
use crate::auth::{AuthError, NoConnection};
use crate::domain::{Failure, FailureKind, WriteRequest};

use CallErrorKind as Kind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCall {
    /// Method name (4.3).
    pub method: &'static str,
    /// Purpose of the call, in the words of the screens.
    pub doing: &'static str,
    /// Subject of the call: a document reference, a page, a title.
    pub about: String,
    /// True if the call changes something.
    pub writes: bool,
}

/// A call that failed, with the reason.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct CallError {
    pub asked: MethodCall,
    /// The failure.
    pub kind: CallErrorKind,
}

/// The failure of a call. Texts are on one line, bounded, without control characters and without the token.
#[derive(Clone, Debug, PartialEq)]
pub enum CallErrorKind {
    /// There is no token for the call: nothing was sent.
    NotSignedIn(AuthError),
    /// The call cannot be put into a request: nothing was sent.
    NotSent(String),
    /// Not sent, as a reading just before found no service, with this failure.
    Away(Box<Failure>),
    /// No connection: nothing was sent.
    Connect(NoConnection),
    /// No complete answer in time.
    Timeout {
        /// Time waited.
        after: Duration,
    },
    /// The connection was lost after sending: the effect of the call is unknown.
    CutOff(String),
    /// The answer exceeds a limit.
    TooLarge(TooLarge),
    /// 401: the service refused the token before it acted, as far as a status can show that. A read fails with it only
    /// if a renewed token was refused too.
    Unauthorized {
        /// First words of the body.
        excerpt: String,
    },
    /// A failure by status, without an error in the body.
    Http {
        /// HTTP status.
        status: u16,
        /// First words of the body, or the target of a redirect.
        excerpt: String,
    },
    /// The answer holds an `error`.
    Service(Box<ServiceError>),
    /// The answer is not what the interface describes.
    Odd {
        /// HTTP status.
        status: u16,
        /// The fault, with its path if there is one.
        what: String,
        /// First words of a body that is no JSON-RPC answer.
        excerpt: String,
    },
    /// The answer belongs to another call, or to none.
    ForeignId {
        /// HTTP status.
        status: u16,
        /// The id sent.
        sent: String,
        /// The id received, as JSON; `None` if there was none.
        got: Option<String>,
    },
}

impl CallErrorKind {
    /// The HTTP status of an answer.
    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Unauthorized { .. } => Some(401),
            Self::Service(error) => Some(error.status),
            Self::Http { status, .. }
            | Self::Odd { status, .. }
            | Self::ForeignId { status, .. } => Some(*status),
            _ => None,
        }
    }

    /// True if the service has answered; false if no answer came, or one that is not JSON-RPC. A page with 403 or 500
    /// is an answer: a right that is missing, or a fault, of one operation. `None` if nothing was sent, or the token is
    /// the problem.
    pub fn reached(&self) -> Option<bool> {
        match self {
            Self::NotSignedIn(AuthError::Network(_) | AuthError::Waits { .. }) => Some(false),
            Self::NotSignedIn(_) | Self::NotSent(_) | Self::Away(_) | Self::Unauthorized { .. } => {
                None
            }
            Self::TooLarge(_)
            | Self::Service(_)
            | Self::ForeignId { .. }
            | Self::Http {
                status: 403 | 500, ..
            } => Some(true),
            Self::Connect(_) | Self::Timeout { .. } | Self::CutOff(_) | Self::Http { .. } => {
                Some(false)
            }
            Self::Odd { excerpt, .. } => Some(excerpt.is_empty()),
        }
    }
}

/// The `error` of an answer. Texts are bounded as in [`CallErrorKind`].
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceError {
    /// HTTP status; 200 for most services.
    pub status: u16,
    /// The code, a number or a word, unchanged.
    pub code: Option<String>,
    /// The message, or the complete error if it has none.
    pub message: String,
    /// `data.title`.
    pub title: Option<String>,
    /// `data.description`: often the only text with the reason.
    pub description: Option<String>,
    /// `data.logId`: helps the operators of the service to find the error.
    pub log_id: Option<String>,
}

/// Effect of a failed call at the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acted {
    /// None: the call did not reach the service.
    NotSent,
    /// None: the service did not understand the request, or there is no service at the address.
    Refused,
    /// An error was the answer, 401 too: what readings do not show was not done.
    Denied,
    /// The answer is missing, or comes from a program in between. The effect may still show later.
    Lost,
}

impl CallError {
    /// True if the service does not know the method: code -32601, or such words without a code of its own. A bare 404
    /// does not count: it means a wrong address.
    pub fn is_unknown_method(&self) -> bool {
        let Kind::Service(error) = &self.kind else {
            return false;
        };
        match error.code.as_deref() {
            Some("-32601") => true,
            None | Some("404" | "-1" | "-32600" | "-32000") => {
                let message = error.message.to_lowercase();
                let words = [
                    "method not found",
                    "unknown method",
                    "unknown operation",
                    "operation not found",
                ];
                words.iter().any(|words| message.contains(words))
            }
            Some(_) => false,
        }
    }

    /// True if the object does not exist. The interface document defines no codes; services of this kind use this one.
    pub fn is_not_found(&self) -> bool {
        self.code() == Some("-32004")
    }

    /// True if the service has answered with an `error`, or with another result than the interface describes, such as null.
    pub fn is_of_the_service(&self) -> bool {
        match &self.kind {
            Kind::Service(_) => true,
            Kind::Odd { excerpt, .. } => excerpt.is_empty(),
            _ => false,
        }
    }

    /// True if the service does not find the project or sub project.
    pub fn is_no_project(&self) -> bool {
        self.is_not_found() && ["LIST_DOCUMENTS", "LIST_TEST_RUNS"].contains(&self.asked.method)
    }

    /// Returns the error with the project as its subject if the project is not found.
    pub(super) fn of_project(mut self, project: String) -> Self {
        if self.is_no_project() {
            self.asked.about = project;
        }
        self
    }

    /// True if a list may succeed with a smaller `limit`. The interface document does not define the codes.
    pub fn is_page_too_large(&self) -> bool {
        let lists = [
            "LIST_DOCUMENTS",
            "LIST_TEST_RUNS",
            "GET_AVAILABLE_TEST_SUITES",
        ]
        .contains(&self.asked.method);
        lists && matches!(self.code(), Some("-32058" | "-32043"))
    }

    /// The error of a write that is not sent, as a reading just before found no service.
    pub fn away(request: &WriteRequest, failure: Failure) -> Self {
        Self {
            asked: MethodCall {
                method: request.method,
                doing: "writing",
                about: request.about.clone(),
                writes: true,
            },
            kind: Kind::Away(Box::new(failure)),
        }
    }

    /// Returns the effect that the failed call may have had.
    pub fn acted(&self) -> Acted {
        match &self.kind {
            Kind::NotSignedIn(_) | Kind::NotSent(_) | Kind::Away(_) | Kind::Connect(_) => {
                Acted::NotSent
            }
            Kind::Http { status: 404, .. } => Acted::Refused,
            Kind::Service(_) if matches!(self.code(), Some("-32600" | "-32601" | "-32602")) => {
                Acted::Refused
            }
            // Programs in front of the service send errors too.
            Kind::Service(error) if (502..=504).contains(&error.status) => Acted::Lost,
            Kind::Service(error) if error.status >= 500 && error.code.is_none() => Acted::Lost,
            Kind::Service(_) | Kind::Unauthorized { .. } => Acted::Denied,
            Kind::Http { status, .. } if (300..500).contains(status) && *status != 408 => {
                Acted::Denied
            }
            Kind::Timeout { .. }
            | Kind::CutOff(_)
            | Kind::TooLarge(_)
            | Kind::Odd { .. }
            | Kind::ForeignId { .. }
            | Kind::Http { .. } => Acted::Lost,
        }
    }

    /// True if a failed write may have been carried out. Reading decides; the write must not be sent again before.
    pub fn outcome_unknown(&self) -> bool {
        self.asked.writes && matches!(self.acted(), Acted::Denied | Acted::Lost)
    }

    /// True if the same call may succeed later without any change, and sending it again is harmless.
    pub fn may_retry(&self) -> bool {
        !self.outcome_unknown() && self.may_pass()
    }

    /// True if the reason may pass by itself.
    pub(super) fn may_pass(&self) -> bool {
        let passing = |status: u16| status >= 500 || status == 429 || status == 408;
        match &self.kind {
            Kind::NotSignedIn(error) => error.may_pass(),
            Kind::Connect(_) | Kind::Timeout { .. } | Kind::CutOff(_) | Kind::ForeignId { .. } => {
                true
            }
            Kind::Http { status, .. } | Kind::Odd { status, .. } => passing(*status),
            Kind::Service(error) => {
                passing(error.status) || matches!(self.code(), Some("-32603" | "-32007" | "-32048"))
            }
            Kind::Away(failure) => failure.may_retry,
            Kind::NotSent(_) | Kind::TooLarge(_) | Kind::Unauthorized { .. } => false,
        }
    }

    /// True if the user has to sign in before the call can succeed.
    pub fn needs_sign_in(&self) -> bool {
        matches!(&self.kind, Kind::NotSignedIn(error) if error.needs_sign_in())
    }

    /// True if the service denies this to the account.
    pub fn is_barred(&self) -> bool {
        let by_status = matches!(&self.kind, Kind::Service(error) if error.status == 403);
        by_status || matches!(self.code(), Some("-32006" | "-32059"))
    }

    /// Returns the kind of the failure. An error of the service may concern the request unless its code shows otherwise.
    pub fn failure_kind(&self) -> FailureKind {
        const ELSE: [&str; 6] = ["-32006", "-32007", "-32048", "-32059", "-32600", "-32601"];
        match &self.kind {
            _ if self.needs_sign_in() => FailureKind::SignIn,
            // Nothing was refused: no sign-in by the user is needed.
            Kind::NotSignedIn(_) => FailureKind::Network,
            Kind::TooLarge(_) => FailureKind::AnswerTooLarge,
            _ if self.is_page_too_large() => FailureKind::PageTooLarge,
            _ if self.is_not_found() => FailureKind::NotFound,
            Kind::Unauthorized { .. } => FailureKind::SignIn,
            Kind::NotSent(_) => FailureKind::Local,
            Kind::Away(failure) => failure.kind,
            Kind::Connect(_) | Kind::Timeout { .. } | Kind::CutOff(_) => FailureKind::Network,
            Kind::Service(_) if self.code().is_some_and(|code| ELSE.contains(&code)) => {
                FailureKind::Service
            }
            // An answer of one that is busy, or keeps this account out, says nothing of the request.
            Kind::Service(error) if (502..=504).contains(&error.status) => FailureKind::Unavailable,
            Kind::Service(error) if [403, 408, 429].contains(&error.status) => FailureKind::Service,
            Kind::Service(_) => FailureKind::Refused,
            Kind::Http { status, .. } if (502..=504).contains(status) => FailureKind::Unavailable,
            Kind::Http { .. } | Kind::Odd { .. } | Kind::ForeignId { .. } => FailureKind::Broken,
        }
    }

    /// Code of an error sent by the service.
    pub fn code(&self) -> Option<&str> {
        match &self.kind {
            Kind::Service(error) => error.code.as_deref(),
            _ => None,
        }
    }
}

impl From<CallError> for Failure {
    fn from(error: CallError) -> Self {
        Self::from(&error)
    }
}

impl From<&CallError> for Failure {
    fn from(error: &CallError) -> Self {
        let mut remedy = error.remedy().into_owned();
        if error.is_no_project() {
            remedy += " Or try :project.";
        }
        Self {
            kind: error.failure_kind(),
            asked: error.asked.doing.into(),
            cause: error.cause(),
            remedy,
            may_retry: error.may_retry(),
            waits: match &error.kind {
                Kind::NotSignedIn(AuthError::Waits { left, .. }) => {
                    u64::try_from(left.as_millis()).ok()
                }
                _ => None,
            },
            log: error.log().map(str::to_owned),
        }
    }
}
