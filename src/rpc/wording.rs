//! Texts about a failed call: what was being done, what came back, and whether to try again.

use std::borrow::Cow;
use std::fmt::Write as _;

use reqwest::StatusCode;

use super::bounds::MoreRoom;
use super::{Acted, CallError, CallErrorKind as Kind, ServiceError};
use crate::auth::redirect_remedy;
use crate::domain::text::colon;
use crate::domain::with_log;

impl CallError {
    /// Returns one line for the command line, the journal and logs, with the run or page.
    pub fn sentence(&self) -> String {
        let (doing, cause) = (self.asked.doing, self.in_full());
        match self.asked.about.as_str() {
            "" => format!("{doing}: {cause}"),
            about => format!("{doing} ({about}): {cause}"),
        }
    }

    /// Returns one line about the failure: words, status or code, message, first words of the body.
    pub fn cause(&self) -> String {
        match &self.kind {
            Kind::NotSignedIn(error) => error.to_string(),
            Kind::NotSent(why) => format!("not sent: {why}"),
            Kind::Away(failure) => failure.in_full(),
            Kind::Connect(none) => format!("no connection to {}", none.why),
            Kind::Timeout { after } => {
                let seconds = (after.as_secs_f64() * 10.0).round() / 10.0;
                format!("no answer within {seconds} s")
            }
            Kind::CutOff(why) if self.asked.writes => {
                format!("the connection broke after the request had gone out: {why}")
            }
            Kind::CutOff(why) => format!("the connection broke ({why})"),
            Kind::TooLarge(large) => large.what.clone(),
            Kind::Unauthorized { excerpt } => {
                format!(
                    "the service did not accept the sign-in (401){}",
                    colon(excerpt)
                )
            }
            Kind::Http { status, excerpt } => {
                let words = by_status(*status);
                let named = StatusCode::from_u16(*status)
                    .ok()
                    .and_then(|status| status.canonical_reason());
                if named.is_some_and(|name| name.eq_ignore_ascii_case(excerpt)) {
                    words
                } else {
                    words + &colon(excerpt)
                }
            }
            Kind::Service(error) => self.service_words(error),
            Kind::Odd {
                status,
                what,
                excerpt,
            } => format!("odd answer (HTTP {status}), {what}{}", colon(excerpt)),
            Kind::ForeignId { status, sent, got } => {
                let what = match got {
                    Some(got) => format!("it belongs to another call: id {got}"),
                    None => "it names no call: id missing".to_owned(),
                };
                format!("odd answer (HTTP {status}), {what} instead of \"{sent}\"")
            }
        }
    }

    fn service_words(&self, error: &ServiceError) -> String {
        let (hint, message) = (self.hint(), &error.message);
        let what = match (&error.code, hint) {
            (Some(code), _) if self.is_no_project() => {
                let about = &self.asked.about;
                let sub = if about.contains('/') {
                    " or sub project"
                } else {
                    ""
                };
                format!("no such project{sub}: {about} ({code})")
            }
            (Some(code), Some(hint)) => format!("{hint} ({code})"),
            (Some(code), None) => format!("error {code}"),
            (None, _) => "error".to_owned(),
        };
        let status = match error.status {
            200 => String::new(),
            status if error.code == Some(status.to_string()) => String::new(),
            status => format!(" (HTTP {status})"),
        };
        let said = hint.is_some_and(|hint| hint.eq_ignore_ascii_case(message));
        let mut words = format!("{what}{status}{}", colon(if said { "" } else { message }));
        let title = error.title.as_ref().filter(|title| *title != message);
        let description = error.description.as_ref();
        let description = description.filter(|it| *it != message && Some(*it) != title);
        let details: Vec<_> = title.into_iter().chain(description).cloned().collect();
        if !details.is_empty() {
            let _ = write!(words, " ({})", details.join(": "));
        }
        words
    }

    /// Id of the error in the log of the service.
    pub fn log(&self) -> Option<&str> {
        match &self.kind {
            Kind::Service(error) => error.log_id.as_deref(),
            _ => None,
        }
    }

    /// Returns [`Self::cause`] with that id, for places with room.
    pub fn in_full(&self) -> String {
        with_log(&self.cause(), self.log())
    }

    /// Advises whether to try again, and what else to do.
    pub fn remedy(&self) -> Cow<'static, str> {
        if self.asked.writes && self.acted() == Acted::Lost {
            return "The service may have acted on it or not. Read again to see; do not send it twice.".into();
        }
        let words = match &self.kind {
            _ if self.is_no_project() => CHECK_PROJECT,
            _ if self.is_barred() && self.asked.method == "LIST_TEST_RUNS" => NO_RESULTS,
            Kind::NotSignedIn(error) => return error.remedy().into(),
            Kind::Away(failure) => return failure.remedy.clone().into(),
            Kind::NotSent(_) => "Trying again changes nothing: correct what it names first.",
            Kind::Connect(none) => {
                return none
                    .remedy("base_url", ", ca_also, proxy and network")
                    .into();
            }
            Kind::Timeout { .. } => {
                "Try again; if it stays so, raise request_timeout_seconds of the profile."
            }
            Kind::CutOff(_) => "Try again.",
            Kind::TooLarge(large) => match large.remedy {
                MoreRoom::SmallerPage => {
                    "Trying again changes nothing: ask for a smaller page, or raise max_answer_mb."
                }
                MoreRoom::Setting => {
                    "Trying again changes nothing: raise max_answer_mb of the profile, or ask whoever runs the service."
                }
                MoreRoom::Nothing => "Trying again changes nothing: ask whoever runs the service.",
            },
            Kind::Unauthorized { .. } if self.asked.writes => "Send it again if you still want it.",
            Kind::Unauthorized { .. } => {
                "Sign in again; if it stays so, this account or client may not use the service, or the service's clock is wrong: \
                 ask whoever runs it."
            }
            Kind::Http {
                status: 300..=399, ..
            } => return redirect_remedy("base_url").into(),
            Kind::Http { status: 511, .. } => {
                "Open a page in a browser and sign in there, then try again."
            }
            Kind::Http {
                status: 404 | 405, ..
            } => NO_SERVICE,
            Kind::Service(error) if error.code.is_none() && [404, 405].contains(&error.status) => {
                NO_SERVICE
            }
            Kind::Http { status: 403, .. } => BARRED,
            // A write has no page.
            Kind::Service(_)
                if self.asked.writes && [Some("-32043"), Some("-32058")].contains(&self.code()) =>
            {
                "Trying again is unlikely to help."
            }
            Kind::Service(error)
                if let Some((_, remedy)) = error.code.as_deref().and_then(by_code) =>
            {
                remedy
            }
            Kind::Service(error) if error.status == 403 => BARRED,
            Kind::Http { .. } | Kind::Odd { .. } | Kind::Service(_) if self.may_pass() => {
                "Try again in a while."
            }
            Kind::Http { .. } | Kind::Service(_) => "Trying again is unlikely to help.",
            Kind::Odd { .. } => {
                "Check base_url; if it is right, the service speaks another version than rundown does."
            }
            Kind::ForeignId { .. } => {
                "Try again; something between here and the service mixes up answers."
            }
        };
        words.into()
    }

    /// Probable meaning of the code, always shown beside the code: the interface document defines no codes.
    pub fn hint(&self) -> Option<&'static str> {
        by_code(self.code()?).map(|(hint, _)| hint)
    }
}

/// Words for a status.
fn by_status(status: u16) -> String {
    let words = match status {
        300..=399 => "a redirect, which is not followed",
        403 => "not allowed",
        404 | 405 => "nothing answers at this address",
        408 => "the service waited too long for the request",
        413 => "the request is too large",
        429 => "too many calls",
        500 => "a fault inside the service",
        502 | 503 => "the service is unavailable",
        504 => "the service did not answer in time",
        511 => "the network wants a sign-in of its own",
        _ => return format!("the service answered with status {status}"),
    };
    format!("{words} ({status})")
}

/// Remedy where the service does not give the project.
pub const CHECK_PROJECT: &str =
    "Check project and sub project, and whether this account may see them.";
const NO_SERVICE: &str = "Check base_url: it ends in /api, and /v2/rpc is appended.";
/// Remedy where the account may not list runs with their results.
const NO_RESULTS: &str = "The account may not do this: ask the administrator. Without results it may: runs_source = \"list_documents\".";
const BARRED: &str = "The account may not do this: ask an administrator. It may also be a proxy in between that bars the way.";
const SAME: &str = "Trying again changes nothing.";

/// Probable meanings and remedies of JSON-RPC's own codes and those that services of this kind use.
fn by_code(code: &str) -> Option<(&'static str, &'static str)> {
    Some(match code {
        "-32700" => ("request not readable", SAME),
        "-32600" => ("no valid request", SAME),
        "-32601" => (
            "unknown operation",
            "The service does not have this operation.",
        ),
        "-32602" => ("parameters not accepted", SAME),
        "-32603" => ("fault inside the service", "Try again in a while."),
        "-32004" => (
            "not found",
            "It may have been deleted: read the list again.",
        ),
        "-32002" => ("invalid input", "Correct the input."),
        "-32006" => (
            "not allowed",
            "The account may not do this: ask the administrator.",
        ),
        "-32059" => (
            "access denied",
            "The account may not do this: ask the administrator.",
        ),
        "403" => ("not allowed", BARRED),
        "-32007" => ("unexpected fault", "Try again in a while."),
        "-32030" => ("invalid reference", SAME),
        "-32036" => (
            "operation failed",
            "Read the message, and read again before trying again.",
        ),
        "-32043" => ("over a hard limit", "Ask for a smaller page."),
        "-32048" => ("too many calls at once", "Try again in a while."),
        "-32058" => ("invalid size", "Ask for a smaller page."),
        "-32060" => ("exists already", SAME),
        _ => return None,
    })
}
