//! What a person reads about a failed call: what was asked, what came back, whether trying again makes sense.

use std::borrow::Cow;

use super::{Acted, CallError, CallErrorKind as Kind, ServiceError};

impl CallError {
    /// One line for the status bar.
    pub fn sentence(&self) -> String {
        format!("{}: {}", self.was_asked(), self.came_back())
    }

    /// What was asked: the method and what it was about.
    pub fn was_asked(&self) -> String {
        let asked = &self.asked;
        if asked.about.is_empty() {
            asked.method.to_owned()
        } else {
            format!("{} {}", asked.method, asked.about)
        }
    }

    /// What came back, in one line: status, code, message, hint, the first words of a body.
    pub fn came_back(&self) -> String {
        match &self.kind {
            Kind::NotSignedIn(error) => error.to_string(),
            Kind::NotSent(why) => format!("not sent: {why}"),
            Kind::Connect(why) => format!("no connection to {why}"),
            Kind::Timeout { after } => format!("no answer within {:.1} s", after.as_secs_f64()),
            Kind::CutOff(why) => {
                format!("the connection broke after the request had gone out ({why})")
            }
            Kind::TooLarge(what) => what.clone(),
            Kind::Unauthorized { excerpt } => {
                with_text("the token was refused (HTTP 401)", excerpt)
            }
            Kind::Http { status, excerpt } => with_text(&format!("HTTP {status}"), excerpt),
            Kind::Service(error) => self.service_words(error),
            Kind::Odd {
                status,
                what,
                excerpt,
            } => with_text(&format!("odd answer (HTTP {status}), {what}"), excerpt),
            Kind::ForeignId {
                status,
                sent,
                got: Some(got),
            } => {
                format!(
                    "odd answer (HTTP {status}), it belongs to another call: id {got} instead of \"{sent}\""
                )
            }
            Kind::ForeignId {
                status,
                sent,
                got: None,
            } => {
                format!(
                    "odd answer (HTTP {status}), it names no call: id missing instead of \"{sent}\""
                )
            }
        }
    }

    fn service_words(&self, error: &ServiceError) -> String {
        let code = error
            .code
            .as_ref()
            .map(|code| format!(" {code}"))
            .unwrap_or_default();
        let status = if error.status == 200 {
            String::new()
        } else {
            format!(" (HTTP {})", error.status)
        };
        let hint = self
            .hint()
            .map(|hint| format!(", {hint}"))
            .unwrap_or_default();
        let title = error
            .title
            .as_ref()
            .filter(|title| **title != error.message);
        let title = title.map(|title| format!(" ({title})")).unwrap_or_default();
        let log = error
            .log_id
            .as_ref()
            .map(|id| format!(" [log {id}]"))
            .unwrap_or_default();
        with_text(&format!("error{code}{status}{hint}"), &error.message) + &title + &log
    }

    /// Whether trying again makes sense, and what else to do.
    pub fn remedy(&self) -> Cow<'static, str> {
        match &self.kind {
            Kind::NotSignedIn(error) => error.remedy().into(),
            _ => self.own_remedy().into(),
        }
    }

    fn own_remedy(&self) -> &'static str {
        if self.asked.writes && self.acted() == Acted::Lost {
            return "The service may have acted on it or not. Read again to see; do not send it twice.";
        }
        match &self.kind {
            Kind::NotSignedIn(_) | Kind::NotSent(_) => {
                "Trying again changes nothing: correct what it names first."
            }
            Kind::Connect(_) => {
                "Nothing was sent. Check base_url, ca_certificate, proxy and network, then try again."
            }
            Kind::Timeout { .. } => {
                "Try again; if it stays so, ask for less or raise request_timeout_seconds."
            }
            Kind::CutOff(_) => "Try again.",
            Kind::TooLarge(_) => {
                "Trying again changes nothing: ask for a smaller page, or raise max_answer_mb."
            }
            Kind::Unauthorized { .. } if self.asked.writes => {
                "It was not acted on. Send it again if you still want it."
            }
            Kind::Unauthorized { .. } => {
                "Sign in again; if it stays so, this account or client may not use the service, or the service's clock is wrong: \
                 ask whoever runs it."
            }
            Kind::Http {
                status: 300..=399, ..
            } => "The address leads elsewhere, which is not followed: correct base_url.",
            Kind::Http {
                status: 404 | 405, ..
            } => "Check base_url: it ends in /api, and /v2/rpc is appended.",
            Kind::Http { status: 403, .. } => {
                "The account may not do this, or a proxy is in the way."
            }
            Kind::Service(error) if let Some(row) = error.code.as_deref().and_then(by_code) => {
                row.remedy
            }
            Kind::Http { .. } | Kind::Odd { .. } | Kind::Service(_) if self.may_pass() => {
                "Try again in a while."
            }
            Kind::Http { .. } | Kind::Service(_) => "Trying again is unlikely to help.",
            Kind::Odd { .. } => {
                "Check base_url; if it is right, the service speaks another version of the interface."
            }
            Kind::ForeignId { .. } => {
                "Try again; something between here and the service mixes up answers."
            }
        }
    }

    /// What a code probably means, always to be shown beside the code: no code is in the interface document.
    pub fn hint(&self) -> Option<&'static str> {
        by_code(self.code()?).map(|row| row.hint)
    }
}

fn with_text(text: &str, words: &str) -> String {
    if words.is_empty() {
        text.to_owned()
    } else {
        format!("{text}: {words}")
    }
}

struct Known {
    code: &'static str,
    hint: &'static str,
    remedy: &'static str,
}

fn by_code(code: &str) -> Option<&'static Known> {
    CODES.iter().find(|row| row.code == code)
}

const SAME: &str = "Trying again changes nothing.";

/// JSON-RPC's own codes, and those that services of this kind are seen to use.
const CODES: [Known; 16] = [
    Known {
        code: "-32700",
        hint: "looks like: request not readable",
        remedy: SAME,
    },
    Known {
        code: "-32600",
        hint: "looks like: no valid request",
        remedy: SAME,
    },
    Known {
        code: "-32601",
        hint: "looks like: unknown method",
        remedy: "The service does not have this operation.",
    },
    Known {
        code: "-32602",
        hint: "looks like: parameters not accepted",
        remedy: SAME,
    },
    Known {
        code: "-32603",
        hint: "looks like: fault inside the service",
        remedy: "Try again in a while.",
    },
    Known {
        code: "-32004",
        hint: "looks like: not found",
        remedy: "It may have been deleted: refresh the list.",
    },
    Known {
        code: "-32002",
        hint: "looks like: invalid input",
        remedy: "Correct the input.",
    },
    Known {
        code: "-32006",
        hint: "looks like: security",
        remedy: "The account may not do this: ask the administrator.",
    },
    Known {
        code: "-32059",
        hint: "looks like: access denied",
        remedy: "The account may not do this: ask the administrator.",
    },
    Known {
        code: "-32007",
        hint: "looks like: unexpected fault",
        remedy: "Try again in a while.",
    },
    Known {
        code: "-32030",
        hint: "looks like: invalid document reference",
        remedy: SAME,
    },
    Known {
        code: "-32036",
        hint: "looks like: operation failed",
        remedy: "Read the message; refresh before trying again.",
    },
    Known {
        code: "-32043",
        hint: "looks like: over a hard limit",
        remedy: "Ask for a smaller page.",
    },
    Known {
        code: "-32048",
        hint: "looks like: too many calls at once",
        remedy: "Try again in a while.",
    },
    Known {
        code: "-32058",
        hint: "looks like: invalid size",
        remedy: "Ask for a smaller page.",
    },
    Known {
        code: "-32060",
        hint: "looks like: exists already",
        remedy: SAME,
    },
];
