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
            Kind::Service(error)
                if let Some((_, remedy)) = error.code.as_deref().and_then(by_code) =>
            {
                remedy
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
        by_code(self.code()?).map(|(hint, _)| hint)
    }
}

fn with_text(text: &str, words: &str) -> String {
    if words.is_empty() {
        text.to_owned()
    } else {
        format!("{text}: {words}")
    }
}

const SAME: &str = "Trying again changes nothing.";

/// What JSON-RPC's own codes, and those that services of this kind are seen to use, probably mean, and what to do then.
fn by_code(code: &str) -> Option<(&'static str, &'static str)> {
    Some(match code {
        "-32700" => ("looks like: request not readable", SAME),
        "-32600" => ("looks like: no valid request", SAME),
        "-32601" => (
            "looks like: unknown method",
            "The service does not have this operation.",
        ),
        "-32602" => ("looks like: parameters not accepted", SAME),
        "-32603" => (
            "looks like: fault inside the service",
            "Try again in a while.",
        ),
        "-32004" => (
            "looks like: not found",
            "It may have been deleted: refresh the list.",
        ),
        "-32002" => ("looks like: invalid input", "Correct the input."),
        "-32006" => (
            "looks like: security",
            "The account may not do this: ask the administrator.",
        ),
        "-32059" => (
            "looks like: access denied",
            "The account may not do this: ask the administrator.",
        ),
        "-32007" => ("looks like: unexpected fault", "Try again in a while."),
        "-32030" => ("looks like: invalid document reference", SAME),
        "-32036" => (
            "looks like: operation failed",
            "Read the message; refresh before trying again.",
        ),
        "-32043" => ("looks like: over a hard limit", "Ask for a smaller page."),
        "-32048" => (
            "looks like: too many calls at once",
            "Try again in a while.",
        ),
        "-32058" => ("looks like: invalid size", "Ask for a smaller page."),
        "-32060" => ("looks like: exists already", SAME),
        _ => return None,
    })
}
