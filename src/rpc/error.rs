//! Why a call failed (interface section 7 leaves open what a failure looks like).

use std::time::Duration;

use crate::auth::{AuthError, NoConnection};
use crate::domain::{Failure, FailureKind, PageError, Refusal};

use CallErrorKind as Kind;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCall {
    /// Method name (4.3).
    pub method: &'static str,
    /// What the program is doing with it, as a person says it.
    pub doing: &'static str,
    /// What it was about: a document reference, a page, a title.
    pub about: String,
    /// Whether it changes something.
    pub writes: bool,
}

/// A call that failed: what was asked and what came back.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{}", self.sentence())]
pub struct CallError {
    pub asked: MethodCall,
    /// What came back, or did not.
    pub kind: CallErrorKind,
}

/// What came back instead of a result. Texts are on one line, bounded, and hold no control characters and no token.
#[derive(Clone, Debug, PartialEq)]
pub enum CallErrorKind {
    /// There is no token for the call: nothing was sent.
    NotSignedIn(AuthError),
    /// The call cannot be put into a request: nothing was sent.
    NotSent(String),
    /// No connection: nothing was sent.
    Connect(NoConnection),
    /// No whole answer in time.
    Timeout {
        /// How long was waited.
        after: Duration,
    },
    /// The connection was lost after sending: what became of the call is not known.
    CutOff(String),
    /// The answer is larger than is read.
    TooLarge(
        /// What there is too much of, and how much is read.
        String,
    ),
    /// 401: the service refused the token before it acted, as far as a status can say so. A read comes to this only
    /// when a renewed token was refused too.
    Unauthorized {
        /// First words of the body.
        excerpt: String,
    },
    /// A failure by status, without an error in the body.
    Http {
        /// HTTP status.
        status: u16,
        /// First words of the body, or where it leads.
        excerpt: String,
    },
    /// The answer holds an `error`.
    Service(Box<ServiceError>),
    /// The answer is not what the interface describes.
    Odd {
        /// HTTP status.
        status: u16,
        /// What is wrong, with the path where there is one.
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
        /// The id that came as JSON; `None` if there was none.
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

    /// Whether the service has answered: an answer that is none of JSON-RPC is somebody else's. `None` where nothing was
    /// sent, or where the token is what is wrong.
    pub fn reached(&self) -> Option<bool> {
        match self {
            Self::NotSignedIn(AuthError::Network(_)) => Some(false),
            Self::NotSignedIn(_) | Self::NotSent(_) | Self::Unauthorized { .. } => None,
            Self::Connect(_) | Self::Timeout { .. } | Self::CutOff(_) | Self::Http { .. } => {
                Some(false)
            }
            Self::Odd { excerpt, .. } => Some(excerpt.is_empty()),
            Self::TooLarge(_) | Self::Service(_) | Self::ForeignId { .. } => Some(true),
        }
    }
}

/// The `error` of an answer. Texts are bounded as in [`CallErrorKind`].
#[derive(Clone, Debug, PartialEq)]
pub struct ServiceError {
    /// HTTP status; 200 for most services.
    pub status: u16,
    /// The code, number or word, as it came.
    pub code: Option<String>,
    /// The message, or the whole error where it has none.
    pub message: String,
    /// `data.title`.
    pub title: Option<String>,
    /// `data.logId`: what the people who run the service look for.
    pub log_id: Option<String>,
}

/// Whether the service acted on a call that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acted {
    /// It cannot have: nothing reached it, or it did not know who asked (401).
    NotSent,
    /// It cannot have: the request made no sense to it, or there is no service at the address.
    Refused,
    /// It said no, in an answer that came whole. What readings do not show then was not done.
    Denied,
    /// Its answer did not come, or something in between answered. What readings do not show may come about yet.
    Lost,
}

impl CallError {
    /// Whether the service does not know the method: code -32601, or such words where there is no code of its own. A
    /// bare 404 is none of it: that is a wrong address.
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

    /// Whether the service says that there is no such thing. What its codes mean is not in the interface document; this is
    /// the one that services of this kind are seen to use.
    pub fn is_not_found(&self) -> bool {
        self.code() == Some("-32004")
    }

    /// Whether the service worded it: an `error` came whole.
    pub fn is_of_the_service(&self) -> bool {
        matches!(self.kind, Kind::Service(_))
    }

    /// Whether the project or sub project is what the service does not find.
    pub fn is_no_project(&self) -> bool {
        self.is_not_found() && ["LIST_DOCUMENTS", "LIST_TEST_RUNS"].contains(&self.asked.method)
    }

    /// The same, about the project where that is not found.
    pub(super) fn of_project(mut self, project: String) -> Self {
        if self.is_no_project() {
            self.asked.about = project;
        }
        self
    }

    /// Whether a list may succeed with a smaller `limit`. The codes are not in the interface document.
    pub fn is_page_too_large(&self) -> bool {
        let lists = [
            "LIST_DOCUMENTS",
            "LIST_TEST_RUNS",
            "GET_AVAILABLE_TEST_SUITES",
        ]
        .contains(&self.asked.method);
        lists && matches!(self.code(), Some("-32058" | "-32043"))
    }

    /// What it says of whether the service acted on the call.
    pub fn acted(&self) -> Acted {
        match &self.kind {
            Kind::NotSignedIn(_)
            | Kind::NotSent(_)
            | Kind::Connect(_)
            | Kind::Unauthorized { .. } => Acted::NotSent,
            Kind::Http { status: 404, .. } => Acted::Refused,
            Kind::Service(_) if matches!(self.code(), Some("-32600" | "-32601" | "-32602")) => {
                Acted::Refused
            }
            // What stands in front of the service words errors, too.
            Kind::Service(error) if (502..=504).contains(&error.status) => Acted::Lost,
            Kind::Service(error) if error.status >= 500 && error.code.is_none() => Acted::Lost,
            Kind::Service(_) => Acted::Denied,
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

    /// Whether a write may have been acted on although it failed. Reading decides; it is not to be sent again before.
    pub fn outcome_unknown(&self) -> bool {
        self.asked.writes && matches!(self.acted(), Acted::Denied | Acted::Lost)
    }

    /// Whether the very same call may succeed later although nobody changes anything, and sending it again does no harm.
    pub fn may_retry(&self) -> bool {
        !self.outcome_unknown() && self.may_pass()
    }

    /// The same for a reading that is tried again at once. A sign-in without an answer is not repeated: each may be counted.
    pub(super) fn passes(&self) -> bool {
        self.may_retry() && !matches!(self.kind, Kind::NotSignedIn(_))
    }

    /// Whether its reason may go away by itself.
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
            Kind::NotSent(_) | Kind::TooLarge(_) | Kind::Unauthorized { .. } => false,
        }
    }

    /// Whether a person has to sign in before the call can succeed.
    pub fn needs_sign_in(&self) -> bool {
        matches!(&self.kind, Kind::NotSignedIn(error) if error.needs_sign_in())
    }

    /// The service says that the account may not do this.
    pub fn is_barred(&self) -> bool {
        let by_status = matches!(&self.kind, Kind::Service(error) if error.status == 403);
        by_status || matches!(self.code(), Some("-32006" | "-32059"))
    }

    /// The code of an error that the service worded.
    pub fn code(&self) -> Option<&str> {
        match &self.kind {
            Kind::Service(error) => error.code.as_deref(),
            _ => None,
        }
    }
}

impl PageError for CallError {
    /// An error of the service may be about a parameter unless its code says otherwise.
    fn refusal(&self) -> Refusal {
        const ELSE: [&str; 7] = [
            "-32004", "-32006", "-32007", "-32048", "-32059", "-32600", "-32601",
        ];
        match &self.kind {
            _ if self.is_page_too_large() => Refusal::PageTooLarge,
            Kind::Service(error) => match error.code.as_deref() {
                Some(code) if ELSE.contains(&code) => Refusal::Service,
                _ => Refusal::Question,
            },
            _ => Refusal::Other,
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
        let kind = match &error.kind {
            _ if error.needs_sign_in() => FailureKind::SignIn,
            // Nothing was refused: nobody has to type anything for it.
            Kind::NotSignedIn(_) => FailureKind::Network,
            _ if error.is_page_too_large() => FailureKind::PageTooLarge,
            _ if error.is_not_found() => FailureKind::NotFound,
            Kind::Unauthorized { .. } => FailureKind::SignIn,
            Kind::NotSent(_) => FailureKind::Local,
            Kind::Connect(_) | Kind::Timeout { .. } | Kind::CutOff(_) => FailureKind::Network,
            Kind::Service(_) if error.refusal() == Refusal::Question => FailureKind::Refused,
            Kind::Service(_)
            | Kind::Http { .. }
            | Kind::TooLarge(_)
            | Kind::Odd { .. }
            | Kind::ForeignId { .. } => FailureKind::Service,
        };
        let remedy = if error.is_no_project() {
            "Check project_id and subproject_id, or choose another with :project.".into()
        } else {
            error.remedy()
        };
        Self {
            kind,
            asked: error.asked.doing.into(),
            came_back: error.came_back(),
            remedy: remedy.into(),
            may_retry: error.may_retry(),
        }
    }
}
